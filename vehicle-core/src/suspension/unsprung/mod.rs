//! Wheels with mass: the ride of a vehicle whose wheels are bodies between its springs and its
//! tires.
//!
//! A wheel moves along its *travel* by a jounce of its own. Spring, damper, stops and anti-roll bar
//! push it from above, and the spring of its tire from below. A [beam axle](beam) joins it with
//! another one. [`solve`](solve::solve) finds the motion of body and wheels at the end of a step
//! together, which no stiffness, no damping and no length of the step can shake. All formulas are
//! generic over the number: [`Scalar`] is `f32`, `f64`, or four wheels side by side.
//!
//! For steps of 60 Hz springs and tires are so hard that no explicit step survives them, and
//! implicit Euler would damp the hop of the wheel away. So each force is implicit by a part that is
//! fitted to its stiffness. What the motion of the wheels does to the body stays apart from what
//! the road does ([`WheelInertia`](crate::rigid_body::WheelInertia)). The momentum of the wheels
//! turns with the body: both keep theirs to rounding.

mod axles;
pub mod beam;
mod checked_mass;
mod checks;
pub mod contact;
pub mod implicitness;
mod lanes;
pub mod laws;
pub mod motion;
mod obstacle;
mod params;
mod rim;
mod scalar;
mod solution;
pub mod solve;
mod spatial;
mod stage;
mod tire_spring;
pub mod wheel;

pub(super) use checked_mass::{wheel_path, whole_mass};
pub use lanes::UnsprungLanes;
pub use params::{SuspensionDynamics, UnsprungParams};
pub use scalar::{Scalar, Vector3};
pub use spatial::{BodyMass, Spatial, Symmetric6};
pub use stage::{RoadForces, UnsprungView};
