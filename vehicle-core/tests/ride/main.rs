//! Wheels with mass, by the formulas alone.

mod car;
mod case;
#[path = "../common/mod.rs"]
mod common;
mod comparison;
mod model;
mod reference;
mod scheme;
mod stability;
