//! Blueprints: from the data sheet of a vehicle to all parameters of its mechanical base.
//!
//! Spring rates follow from a natural frequency, dampers from a damping ratio, and tires from the
//! loads that they carry. Sprung masses follow from the center of mass, or from the loads of the
//! axles. [`CarBlueprint`] asks for what is known of a car with two axles alike,
//! [`VehicleBlueprint`] for each axle of a vehicle with any number of them: trucks, trailers,
//! tanks, karts, three-wheelers.

mod assembly;
mod axle;
mod axle_ride;
mod beam;
mod car;
mod plausible;
mod ride;
mod roll_gradient;
mod tire;
mod usual;
mod vehicle;

pub use axle::{AxleBlueprint, AxleBrakeValve};
pub use car::CarBlueprint;
pub use plausible::Plausible;
pub use ride::{AxleKind, AxleRide};
pub use tire::starting_tire;
pub use vehicle::{CoupledLoad, VehicleBlueprint};
