//! Body and wheels as checks of masses see them, in double precision.

use super::scalar::Vector3;
use super::spatial::{BodyMass, Spatial, Symmetric6};
use crate::body::RigidBodyParams;
use crate::math::Vec3;
use crate::suspension::SuspensionParams;

fn double(vector: Vec3) -> Vector3<f64> {
    Vector3(vector.to_array().map(f64::from))
}

/// Mass and inertia of a `body` with its wheels and axles, from which checks take these away.
pub(in crate::suspension) fn whole_mass(body: &RigidBodyParams) -> Symmetric6<f64> {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(double);
    Symmetric6::of_mass(&BodyMass::new(f64::from(body.mass), &double(body.inertia), &axes))
}

/// The direction in which the wheel of a `suspension` travels, at its mount.
pub(in crate::suspension) fn wheel_path(suspension: &SuspensionParams) -> Spatial<f64> {
    Spatial::at(&double(suspension.wheel_mount()), &double(suspension.travel_direction))
}
