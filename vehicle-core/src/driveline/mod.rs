//! Drivelines of any shape, solved exactly at the end of a step.
//!
//! A driveline is a forest: *shafts*, each with one speed, and *elements*, each with a *port* on
//! one or more shafts. Engines, gears, differentials, brakes and tires are elements ([`Element`]).
//! Torques are counted into the element; those at a shaft add up to 0.
//!
//! # How it is solved
//!
//! Cut a shaft: the side beyond answers a torque `T` passed into it with an end-of-step speed `ω`
//! on a line,
//!
//! ```text
//! T = k ω - g
//! ```
//!
//! with a stiffness `k ≥ 0` (N·m·s) and a torque `g` (N·m). Lines on one shaft add up, and every
//! element turns the lines of all its ports but one into a line of that one. A pass goes *up*, from
//! the leaves of the tree to its root, where `ω = g / k`, and *down* again with speeds and torques.
//! Its cost is proportional to the number of elements.
//!
//! What is not smooth (stuck or slipping, held, at the end of its grip) has a [`Mode`], in which
//! its law is linear. Passes are repeated until all modes agree with what they lead to. Elements
//! that disagree change all at once; where that goes in a circle, a homotopy changes them one at a
//! time and always ends. There is one solution whatever the modes were at the start, so those of
//! the last step make the first pass the only one, most of the time.
//!
//! # Precision
//!
//! Numbers have 64 bits here whatever [`Real`](crate::math::Real) is. Messages in 32 bits lose up
//! to a twelfth of a torque in a truck with hub gears, whose stiffness spans twelve orders of
//! magnitude. A brake or hold lets its shaft creep by [`CREEP`], so that several of them on shafts
//! that turn as one share the torque. A shaft without inertia has [`LEAST_INERTIA`].
//!
//! Source: elimination on a tree is Featherstone's articulated body method in one dimension; the
//! homotopy is Katzenelson's (Bell System Technical Journal 44, 1965).

mod converter;
mod double_differential;
mod element;
mod homotopy;
mod law;
mod mode;
mod pass;
mod plan;
mod shaft;
mod solution;
mod solve;
mod through;
mod viscous_differential;
mod wheel_shaft;

pub use converter::{CapacityConverter, LinearConverter};
pub use element::{
    Brake, DifferentialElement, DoubleDifferentialElement, Element, Friction, Inertia, Junction,
    Ratio, SpeedRange, TireElement, TorqueSign, ViscousDifferential, Weighted,
};
pub use mode::{Mode, Side};
pub use plan::{DrivelineError, DrivelinePlan};
pub use solution::DrivelineSolution;
pub use solve::Outcome;

/// Speed at which a held shaft turns per torque that holds it (rad/s per N·m).
pub const CREEP: f64 = 1e-12;

/// Moment of inertia that a shaft has on which no element has any (kg·m²).
pub const LEAST_INERTIA: f64 = 1e-12;
