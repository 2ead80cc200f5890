//! How a vehicle's motion reaches its body.

use serde::{Deserialize, Serialize};

/// How a vehicle's motion reaches its body.
///
/// Links of a multibody ignore velocities, and joints for [rows](crate::row_joints) share forces,
/// not jumps of the velocity: [`RapierVehicle`](crate::RapierVehicle) then takes
/// [`Acceleration`](Self::Acceleration), whatever the actor says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum UpdateMode {
    /// The body gets the [mean
    /// velocity](vehicle_core::rigid_body::RigidBodyState::frame_linear_velocity) of the vehicle's
    /// step, by which the world moves it as far as the vehicle's substeps do.
    ///
    /// Where the hull leans on its ground, the body gets a force, too, the opposite of what the
    /// hull has borne in the vehicle's step. It is missed, too, if forces are reset and others are
    /// added, as [`Acceleration`](Self::Acceleration) says: the hull slides then.
    #[default]
    Velocity,
    /// The body gets the force and torque that change its velocity to the same one over the next
    /// step, which must be as long as the vehicle's.
    ///
    /// They are among the forces that Rapier keeps for the body. Forces that are added beside them
    /// stay. But if forces are reset and others are added before the vehicle's update, its own are
    /// missed: add such forces to the vehicle's
    /// [`external_force`](vehicle_core::rigid_body::RigidBodyState::external_force) instead.
    Acceleration,
}
