//! The scenes: a world, a vehicle on it, and what its driver does.

use rapier3d::prelude::*;
use vehicle_rapier::RapierVehicle;
use vehicle_rapier::core::ParamErrors;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::drivetrain::direct_drive::Gear;

use crate::schedule::{Phase, Schedule};
use crate::vehicles::{sample_chassis, sample_direct_drive};

/// Time step of the direct drive scene (s).
pub const DIRECT_DRIVE_DT: Real = 0.016_666_7;

/// Angular damping that the reference's scene gives to every body (1/s).
const ANGULAR_DAMPING: Real = 0.05;

/// A world with a vehicle and its driver.
pub struct Scene<V> {
    /// The world.
    pub world: PhysicsWorld,
    /// The vehicle.
    pub vehicle: RapierVehicle<V>,
    /// What its driver does.
    pub schedule: Schedule,
}

/// A world of time step `dt` (s) with an infinite level ground of `friction`, its top at height 0.
pub fn level_world(dt: Real, friction: Real) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = dt;
    let ground = ColliderBuilder::new(SharedShape::halfspace(Vector::Y)).friction(friction);
    world.insert_collider(ground, None);
    // The first update already stands on the ground.
    world.detect_collisions(&(), &());
    world
}

/// A car with direct drive drops onto the ground, accelerates, brakes, accelerates and turns.
///
/// # Errors
///
/// None with the data as they are.
pub fn direct_drive(substeps: u32) -> Result<Scene<DirectDriveVehicle>, ParamErrors> {
    let mut world = level_world(DIRECT_DRIVE_DT, 1.0);
    let params = sample_direct_drive()?;
    let pose = Pose::from_translation(Vector::new(-5.0, 0.5, 0.0));
    let chassis = sample_chassis(&params.mechanics.rigid_body, pose)
        .configure(|body| body.angular_damping(ANGULAR_DAMPING));
    let sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps);
    let vehicle = DirectDriveVehicle::new(params)?;
    let mut vehicle = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    vehicle.vehicle.gear = Gear::Forward;

    let phases = [
        Phase::new(0.5, 0.0, 0.0, 2.0),
        Phase::new(0.0, 0.5, 0.0, 5.0),
        Phase::new(0.5, 0.0, 0.0, 5.0),
        Phase::new(0.0, 0.5, 0.0, 5.0),
        Phase::new(0.0, 0.1, 0.5, 5.0),
    ];
    Ok(Scene { world, vehicle, schedule: Schedule::new(phases, DIRECT_DRIVE_DT) })
}
