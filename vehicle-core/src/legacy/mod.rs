//! The reference's own laws, which data that were tuned with them need.
//!
//! Vehicles drive without any of them, unless they are told to:
//!
//! | law | instead of | how |
//! |---|---|---|
//! | [`LegacySuspension`] | [`Suspension`](crate::suspension::Suspension) | `sequence.replace::<Suspension>(..)` |
//! | [`LegacyTire`] | [`Tire`](crate::tire::Tire) | `sequence.replace::<Tire>(LegacyTire)` |
//! | [a wheel](wheel_rotation_speed) that is explicit in its tire's torque | [`coupled_wheel`](crate::wheel_rotation::coupled_wheel) | [`WheelCoupling::Explicit`](crate::WheelCoupling::Explicit) |
//! | [`clutch`]: engine and wheels that are, too, by elimination, estimate or least squares | [`implicit_clutch`](crate::implicit_clutch) | the same, and [`ExplicitSolver`](clutch::ExplicitSolver) |

pub mod clutch;
mod dense;
mod suspension;
mod tire;
mod wheel;

pub use self::suspension::{
    LegacySuspension, LegacySuspensionForceParams, legacy_suspension_force,
};
pub use self::tire::{
    LegacyTire, legacy_longitudinal_slip_denominator, legacy_tire_directions, legacy_tire_slip,
};
pub use self::wheel::wheel_rotation_speed;
