//! The reference's own laws, which data that were tuned with them need.
//!
//! Vehicles drive without any of them, unless they are told to:
//!
//! | law | instead of | how |
//! |---|---|---|
//! | [`LegacySuspension`](crate::stages::LegacySuspension) | [`Suspension`](crate::stages::Suspension) | `sequence.replace::<Suspension>(..)` |
//! | [`LegacyTire`](crate::stages::LegacyTire) | [`Tire`](crate::stages::Tire) | `sequence.replace::<Tire>(LegacyTire)` |
//! | [a wheel](wheel_rotation_speed) that is explicit in its tire's torque | [`coupled_wheel`](crate::wheel_rotation::coupled_wheel) | [`WheelCoupling::Explicit`](crate::WheelCoupling::Explicit) |
//! | [`clutch`]: engine and wheels that are, too, by elimination, estimate or least squares | [`implicit_clutch`](crate::implicit_clutch) | the same, and [`ExplicitSolver`](clutch::ExplicitSolver) |

pub mod clutch;
mod dense;
pub(crate) mod suspension;
mod tire;
mod wheel;

pub use self::suspension::{LegacySuspensionForceParams, legacy_suspension_force};
pub use self::tire::{
    legacy_longitudinal_slip_denominator, legacy_tire_directions, legacy_tire_slip,
};
pub use self::wheel::wheel_rotation_speed;
