//! Wheels with mass, by the formulas alone.

mod car;
mod case;
mod model;
mod reference;
mod scheme;
mod stability;
