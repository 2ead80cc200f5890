//! Soft ground: how far a wheel sinks, what it takes to roll, and what it can pull.
//!
//! Pressure grows with depth as Bekker and Wong measured it, shear with displacement as Janosi and
//! Hanamoto did:
//!
//! ```text
//! p(z) = (k_c / b + k_φ) zⁿ
//! τ(j) = (c + p tan φ) (1 - exp(-|j| / K)) sign j
//! ```
//!
//! The stresses are [integrated over the rim](RigidWheel::forces) of a wheel. Two facts about soil
//! come on top: a wheel that [slips digs in](Soil::slip_sinkage), and a wheel in [the rut of
//! another](WheelOnSoil) finds soil that has been pressed.
//!
//! Sources: Bekker, Introduction to Terrain-Vehicle Systems (1969). Wong, Theory of Ground
//! Vehicles, 4th edition (2008), chapter 2. Janosi and Hanamoto, The Analytical Determination of
//! Drawbar Pull as a Function of Slip (1961). Lyasko, Slip sinkage effect in soil-vehicle
//! mechanics, Journal of Terramechanics 47 (2010).

mod forces;
mod rim;
mod tire;

#[cfg(test)]
mod tests;

pub use self::forces::{SoilForces, WheelOnSoil};
pub use self::rim::RigidWheel;
pub use self::tire::{SoilTire, SoilTireState};
pub use crate::road::Soil;
