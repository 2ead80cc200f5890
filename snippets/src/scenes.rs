//! The scenes: a world, a vehicle on it, and what its driver does.

use rapier3d::prelude::*;
use vehicle_rapier::RapierVehicle;
use vehicle_rapier::core::ParamErrors;
use vehicle_rapier::core::tire::BrushTire;
use vehicle_rapier::drivetrain::differential::DifferentialModel;
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::gearbox::GearboxState;
use vehicle_rapier::drivetrain::{
    DirectDriveVehicle, EngineDriveVehicle, EngineDriveVehicleWith, TankVehicle,
};

use crate::drivetrains::{
    SAMPLE_FIRST_GEAR, SampleDifferential, TankBrakes, sample_engine_drive, sample_tank,
};
use crate::lowrider::Lowrider;
use crate::schedule::{Phase, Schedule};
use crate::vehicles::{
    SAMPLE_CENTER_OF_MASS, sample_chassis, sample_direct_drive, sample_lowrider,
};

/// Time step of the direct drive scene (s).
pub const DIRECT_DRIVE_DT: Real = 0.016_666_7;

/// Time step of the lowrider's scene (s).
pub const LOWRIDER_DT: Real = 0.016_667;

/// Time step of the scenes with an engine (s).
pub const ENGINE_DRIVE_DT: Real = 1.0 / 60.0;

/// Angular damping that the reference's scene gives to every body (1/s).
const ANGULAR_DAMPING: Real = 0.05;

/// A world, what is driven in it, and its driver.
pub struct Scene<T> {
    /// The world.
    pub world: PhysicsWorld,
    /// A vehicle, or several that are coupled.
    pub driven: T,
    /// What the driver does.
    pub schedule: Schedule,
}

/// A world with one vehicle and its driver.
pub type VehicleScene<V> = Scene<RapierVehicle<V>>;

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
pub fn direct_drive(substeps: u32) -> Result<VehicleScene<DirectDriveVehicle>, ParamErrors> {
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
        Phase::lasting(2.0).brake(0.5),
        Phase::lasting(5.0).throttle(0.5),
        Phase::lasting(5.0).brake(0.5),
        Phase::lasting(5.0).throttle(0.5),
        Phase::lasting(5.0).throttle(0.1).steer(0.5),
    ];
    Ok(Scene { world, driven: vehicle, schedule: Schedule::new(phases, DIRECT_DRIVE_DT) })
}

/// A lowrider drops onto the ground and dances, while its driver does nothing.
///
/// # Errors
///
/// None with the data as they are.
pub fn custom_suspension(substeps: u32) -> Result<VehicleScene<Lowrider>, ParamErrors> {
    let mut world = level_world(LOWRIDER_DT, 1.0);
    let params = sample_lowrider()?;
    let pose = Pose::from_translation(Vector::new(-5.0, 0.5, 0.0));
    let chassis = sample_chassis(&params.car.mechanics.rigid_body, pose)
        .configure(|body| body.angular_damping(ANGULAR_DAMPING));
    let sequence = Lowrider::sequence(substeps);
    let vehicle = RapierVehicle::insert(&mut world, chassis, Lowrider::new(params)?, sequence);
    let schedule = Schedule::new([Phase::lasting(15.0)], LOWRIDER_DT);
    Ok(Scene { world, driven: vehicle, schedule })
}

/// A car with an engine settles, accelerates, brakes, accelerates through its gears and turns.
///
/// Without `substeps`, there are three below 5 m/s and one above.
///
/// # Errors
///
/// None with the data as they are.
pub fn four_wheel_drive(
    differential: SampleDifferential,
    substeps: Option<u32>,
) -> Result<VehicleScene<EngineDriveVehicle>, ParamErrors> {
    let vehicle = EngineDriveVehicle::new(sample_engine_drive(differential)?)?;
    let phases = [
        Phase::lasting(2.0).brake(0.5),
        Phase::lasting(5.0).throttle(0.65),
        Phase::lasting(5.0).brake(0.5),
        Phase::lasting(5.0).throttle(0.75),
        Phase::lasting(5.0).throttle(0.25).steer(0.5),
    ];
    Ok(engine_scene(vehicle, substeps, phases))
}

/// A tank settles, drives straight, turns on one track, spins on the spot, turns gently and goes
/// back, with its engine at full throttle all the time.
///
/// Without `substeps`, there are three below 5 m/s and one above.
///
/// # Errors
///
/// None with the data as they are.
pub fn tank_drive(
    brakes: TankBrakes,
    substeps: Option<u32>,
) -> Result<VehicleScene<TankVehicle>, ParamErrors> {
    let vehicle = TankVehicle::new(sample_tank(brakes)?)?;
    let full_throttle = |duration| Phase::lasting(duration).throttle(1.0).gear(SAMPLE_FIRST_GEAR);
    let phases = [
        full_throttle(2.0).brakes([0.5, 0.5]).thrusts([0.0, 0.0]),
        full_throttle(5.0).thrusts([0.5, 0.5]),
        full_throttle(5.0).brakes([1.0, 0.0]).thrusts([0.0, 1.0]),
        full_throttle(5.0).thrusts([1.0, -1.0]),
        full_throttle(5.0).thrusts([1.0, 0.25]),
        full_throttle(5.0).thrusts([-1.0, -1.0]),
    ];
    Ok(engine_scene(vehicle, substeps, phases))
}

/// A level world with a vehicle that stands on its wheels, in first gear.
fn engine_scene<D: DifferentialModel>(
    mut vehicle: EngineDriveVehicleWith<BrushTire, D>,
    substeps: Option<u32>,
    phases: impl Into<Vec<Phase>>,
) -> VehicleScene<EngineDriveVehicleWith<BrushTire, D>> {
    let mut world = level_world(ENGINE_DRIVE_DT, 1.0);
    let pose = Pose::from_translation(Vector::new(0.0, -0.05, -SAMPLE_CENTER_OF_MASS.z));
    let chassis = sample_chassis(&vehicle.params().mechanics.rigid_body, pose)
        .configure(|body| body.angular_damping(ANGULAR_DAMPING));
    vehicle.state.drivetrain.gearbox = GearboxState::in_gear(SAMPLE_FIRST_GEAR);
    let sequence = match substeps {
        Some(count) => EngineDriveVehicleWith::sequence_with_substeps(move |_| count),
        None => EngineDriveVehicleWith::sequence(),
    };
    let vehicle = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    Scene { world, driven: vehicle, schedule: Schedule::new(phases, ENGINE_DRIVE_DT) }
}
