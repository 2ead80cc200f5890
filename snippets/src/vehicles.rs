//! The sample car of the scenes: data that the reference uses in its own snippets, as the files of
//! `vehicles/samples` say them.

use anyhow::Result;
use rapier3d::prelude::*;
use vehicle_rapier::core::rigid_body::RigidBodyParams;
use vehicle_rapier::prelude::*;

use crate::lowrider::HydraulicParams;
use crate::samples::{SampleFile, mechanics, throttle};

/// Axes of the sample car: forward +z, left +x, up +y.
pub const SAMPLE_FRAME: Frame = Frame::Y_UP;

/// Center of mass of the sample car in its body (m).
pub const SAMPLE_CENTER_OF_MASS: Vector = Vector::new(0.0, 0.55, 1.594);

/// Center of the sample car's hull, a box, in its body (m).
pub const SAMPLE_HULL_CENTER: Vector = Vector::new(0.0, 0.830_066, 1.370_03);

/// Half of the extents of the sample car's hull (m).
pub const SAMPLE_HALF_EXTENTS: Vector = Vector::new(0.840_97, 0.654_58, 2.469_71);

/// Height of the sample car's body above flat ground at rest (m).
pub const SAMPLE_REST_HEIGHT: Real = -0.043;

/// The mechanical base of the sample car: 2 t, four wheels.
///
/// # Errors
///
/// All faults of its file.
pub fn sample_mechanics() -> Result<MechanicalParams> {
    mechanics(&SampleFile::CAR.vehicle()?)
}

/// The sample car with a direct drive of 750 N·m per wheel that fades between 20 and 60 m/s.
///
/// # Errors
///
/// All faults of its file.
pub fn sample_direct_drive() -> Result<DirectDriveParams> {
    let car = SampleFile::CAR.vehicle()?;
    Ok(DirectDriveParams { mechanics: mechanics(&car)?, throttle: throttle(&car)? })
}

/// Hydraulics of 7.5 kN for the sample car that push twice in a second, the rear wheels a quarter
/// of a push ahead of the front wheels.
///
/// # Errors
///
/// All faults of their file.
pub fn sample_hydraulics() -> Result<[HydraulicParams; 4]> {
    SampleFile::HYDRAULICS.read()
}

/// The body of the sample car at `pose` (m), with the box of its hull.
pub fn sample_chassis(params: &RigidBodyParams, pose: Pose) -> Chassis {
    let size = SAMPLE_HALF_EXTENTS;
    let hull = ColliderBuilder::cuboid(size.x, size.y, size.z).translation(SAMPLE_HULL_CENTER);
    Chassis::new(params)
        .pose(pose)
        .center_of_mass(Pose::from_translation(SAMPLE_CENTER_OF_MASS))
        .collider(hull)
}
