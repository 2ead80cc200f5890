//! Wheels on beam axles.
