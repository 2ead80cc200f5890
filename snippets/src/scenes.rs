//! The scenes: a world, a vehicle on it, and what its driver does.

use anyhow::Result;
use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::gearbox::GearboxState;
use vehicle_rapier::prelude::*;

pub use crate::drive::Scene;
use crate::drivetrains::{
    SAMPLE_FIRST_GEAR, SampleDifferential, TankBrakes, sample_engine_drive, sample_tank,
};
use crate::lowrider::{HydraulicSuspension, Lowrider};
use crate::schedule::{Phase, Schedule};
use crate::truck::{Hitch, Truck, UpdateOrder, hitch_anchors, hitch_joint};
use crate::vehicles::{
    SAMPLE_CENTER_OF_MASS, sample_chassis, sample_direct_drive, sample_hydraulics, sample_mechanics,
};

/// Time step of the direct drive scene (s).
pub const DIRECT_DRIVE_DT: Real = 0.016_666_7;

/// Time step of the lowrider's scene (s).
pub const LOWRIDER_DT: Real = 0.016_667;

/// Time step of the scenes with an engine (s).
pub const ENGINE_DRIVE_DT: Real = 1.0 / 60.0;

/// Time for which the driver of a truck on a hill holds the brake while the engine speeds up (s).
const HILL_START: Real = 0.3;

/// Speed below which a trailer has three substeps (m/s).
const SLOW_SPEED: Real = 5.0;

/// Angular damping that the reference's scene gives to every body (1/s).
const ANGULAR_DAMPING: Real = 0.05;

/// A world with one vehicle and its driver.
pub type VehicleScene<V> = Scene<RapierVehicle<V>>;

/// A world of time step `dt` (s) with an infinite level ground of `friction`, its top at height 0.
pub fn level_world(dt: Real, friction: Real) -> PhysicsWorld {
    world_on(Vector::Y, dt, friction)
}

/// A road of triangles along a `profile` of places forward and up (m), which reaches so far to
/// either side of its middle (m).
///
/// # Errors
///
/// If no triangle is left: the profile has fewer than two places.
pub fn strip(
    profile: &[[Real; 2]],
    half_width: Real,
) -> Result<ColliderBuilder, TriMeshBuilderError> {
    let corners =
        profile.iter().flat_map(|&[z, y]| [-half_width, half_width].map(|x| Vector::new(x, y, z)));
    let quad = |row: u32| {
        let first = 2 * row;
        [[first, first + 2, first + 1], [first + 1, first + 2, first + 3]]
    };
    let rows = (profile.len() as u32).saturating_sub(1);
    ColliderBuilder::trimesh(corners.collect(), (0..rows).flat_map(quad).collect())
}

/// A world with an infinite ground of this normal through the origin.
pub fn world_on(normal: Vector, dt: Real, friction: Real) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = dt;
    let ground = ColliderBuilder::new(SharedShape::halfspace(normal)).friction(friction);
    world.insert_collider(ground, None);
    // The first update already stands on the ground.
    world.detect_collisions(&(), &());
    world
}

/// A car with direct drive drops onto the ground, accelerates, brakes, accelerates and turns.
///
/// # Errors
///
/// All faults of the vehicle's file.
pub fn direct_drive(substeps: u32) -> Result<VehicleScene<DirectDriveVehicle>> {
    let mut world = level_world(DIRECT_DRIVE_DT, 1.0);
    let params = sample_direct_drive()?;
    let pose = Pose::from_translation(Vector::new(-5.0, 0.5, 0.0));
    let chassis = sample_chassis(&params.mechanics.rigid_body, pose)
        .configure(|body| body.angular_damping(ANGULAR_DAMPING));
    let sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps);
    let vehicle = DirectDriveVehicle::new(params)?;
    let mut vehicle = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    vehicle.vehicle.controls.gear = Gear::Forward;

    let schedule = Schedule::new(direct_drive_phases(), DIRECT_DRIVE_DT);
    Ok(Scene { world, driven: vehicle, schedule })
}

/// What the driver of a car with direct drive does.
pub fn direct_drive_phases() -> [Phase; 5] {
    [
        Phase::lasting(2.0).brake(0.5),
        Phase::lasting(5.0).throttle(0.5),
        Phase::lasting(5.0).brake(0.5),
        Phase::lasting(5.0).throttle(0.5),
        Phase::lasting(5.0).throttle(0.1).steer(0.5),
    ]
}

/// A lowrider drops onto the ground and dances, while its driver does nothing.
///
/// # Errors
///
/// All faults of the vehicle's file.
pub fn custom_suspension(substeps: u32) -> Result<VehicleScene<Lowrider>> {
    let mut world = level_world(LOWRIDER_DT, 1.0);
    let car = sample_direct_drive()?;
    let pose = Pose::from_translation(Vector::new(-5.0, 0.5, 0.0));
    let chassis = sample_chassis(&car.mechanics.rigid_body, pose)
        .configure(|body| body.angular_damping(ANGULAR_DAMPING));
    let lowrider = Lowrider::with_own(car, sample_hydraulics()?.into())?;
    let sequence = Lowrider::sequence_with_substeps(move |_| substeps)
        .replace::<Suspension>(HydraulicSuspension)
        .expect("a car has suspensions");
    let vehicle = RapierVehicle::insert(&mut world, chassis, lowrider, sequence);
    let schedule = Schedule::new([Phase::lasting(15.0)], LOWRIDER_DT);
    Ok(Scene { world, driven: vehicle, schedule })
}

/// A car with an engine settles, accelerates, brakes, accelerates through its gears and turns.
///
/// Without `substeps`, there are three below 5 m/s and one above.
///
/// # Errors
///
/// All faults of the vehicle's file.
pub fn four_wheel_drive(
    differential: SampleDifferential,
    substeps: Option<u32>,
) -> Result<VehicleScene<EngineDriveVehicle>> {
    let vehicle = EngineDriveVehicle::new(sample_engine_drive(differential)?)?;
    Ok(engine_scene(vehicle, substeps, four_wheel_drive_phases()))
}

/// What the driver of a car with an engine does.
pub fn four_wheel_drive_phases() -> [Phase; 5] {
    [
        Phase::lasting(2.0).brake(0.5),
        Phase::lasting(5.0).throttle(0.65),
        Phase::lasting(5.0).brake(0.5),
        Phase::lasting(5.0).throttle(0.75),
        Phase::lasting(5.0).throttle(0.25).steer(0.5),
    ]
}

/// A tank settles, drives straight, turns on one track, spins on the spot, turns gently and goes
/// back, with its engine at full throttle all the time.
///
/// Without `substeps`, there are three below 5 m/s and one above.
///
/// # Errors
///
/// All faults of the vehicle's file.
pub fn tank_drive(brakes: TankBrakes, substeps: Option<u32>) -> Result<VehicleScene<TankVehicle>> {
    let vehicle = TankVehicle::new(sample_tank(brakes)?)?;
    Ok(engine_scene(vehicle, substeps, tank_drive_phases()))
}

/// What the driver of a tank does.
pub fn tank_drive_phases() -> [Phase; 6] {
    let full_throttle = |duration| Phase::lasting(duration).throttle(1.0).gear(SAMPLE_FIRST_GEAR);
    [
        full_throttle(2.0).brakes([0.5, 0.5]).thrusts([0.0, 0.0]),
        full_throttle(5.0).thrusts([0.5, 0.5]),
        full_throttle(5.0).brakes([1.0, 0.0]).thrusts([0.0, 1.0]),
        full_throttle(5.0).thrusts([1.0, -1.0]),
        full_throttle(5.0).thrusts([1.0, 0.25]),
        full_throttle(5.0).thrusts([-1.0, -1.0]),
    ]
}

/// How the scene of the truck is set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TruckSetting {
    /// How far the road rises on 100 m (m); the truck looks uphill.
    pub grade_percent: Real,
    /// How tractor and trailer are coupled.
    pub hitch: Hitch,
    /// In which order they are updated.
    pub order: UpdateOrder,
    /// Substeps; without, there are three below 5 m/s and one above.
    pub substeps: Option<u32>,
}

/// A truck parks, pulls away with its trailer, brakes to a stop and pulls away through its gears.
///
/// # Errors
///
/// All faults of the vehicle's file.
pub fn truck(setting: &TruckSetting) -> Result<Scene<Truck>> {
    let tilt = Rotation::from_rotation_x(-slope(setting.grade_percent));
    let mut world = world_on(tilt * Vector::Y, ENGINE_DRIVE_DT, 1.0);
    let tractor_pose = Pose::from_rotation(tilt) * standing();
    let anchors = hitch_anchors(&sample_mechanics()?.suspensions, SAMPLE_CENTER_OF_MASS);
    let trailer_pose = tractor_pose * Pose::from_translation(anchors[0] - anchors[1]);
    let substeps = setting.substeps;

    let tractor = sample_engine_drive(SampleDifferential::FourWheel { is_slip_limited: false })?;
    let tractor = EngineDriveVehicle::new(tractor)?;
    let tractor = insert_in_first_gear(&mut world, tractor, tractor_pose, substeps);
    let trailer = insert_trailer(&mut world, trailer_pose, substeps)?;
    let joint = hitch_joint(setting.hitch, anchors);
    world.insert_impulse_joint(tractor.actor.body, trailer.actor.body, joint);
    let driven = Truck { tractor, trailer, order: setting.order };
    let schedule = Schedule::new(truck_phases(setting.grade_percent), ENGINE_DRIVE_DT);
    Ok(Scene { world, driven, schedule })
}

/// How steep a road of this grade is (rad).
pub fn slope(grade_percent: Real) -> Real {
    (grade_percent / 100.0).atan()
}

/// What the driver of a truck does. On a hill, the brake holds until the clutch pulls.
pub fn truck_phases(grade_percent: Real) -> Vec<Phase> {
    let stop = |duration| std::iter::once(Phase::lasting(duration).brake(0.5));
    let pull_away = |throttle: Real| {
        let hill_start = Phase::lasting(HILL_START).throttle(throttle).brake(0.5);
        let on_hill = (grade_percent != 0.0).then_some(hill_start);
        on_hill.into_iter().chain([Phase::lasting(5.0).throttle(throttle)])
    };
    stop(2.0).chain(pull_away(0.65)).chain(stop(5.0)).chain(pull_away(0.75)).collect()
}

/// A level world with a vehicle that stands on its wheels, in first gear.
fn engine_scene<D: DifferentialModel>(
    vehicle: EngineDriveVehicleWith<BrushTire, D>,
    substeps: Option<u32>,
    phases: impl Into<Vec<Phase>>,
) -> VehicleScene<EngineDriveVehicleWith<BrushTire, D>> {
    let mut world = level_world(ENGINE_DRIVE_DT, 1.0);
    let vehicle = insert_in_first_gear(&mut world, vehicle, standing(), substeps);
    Scene { world, driven: vehicle, schedule: Schedule::new(phases, ENGINE_DRIVE_DT) }
}

/// Puts a vehicle with an engine, in first gear, at `pose` (m) into the world.
fn insert_in_first_gear<D: DifferentialModel>(
    world: &mut PhysicsWorld,
    mut vehicle: EngineDriveVehicleWith<BrushTire, D>,
    pose: Pose,
    substeps: Option<u32>,
) -> RapierVehicle<EngineDriveVehicleWith<BrushTire, D>> {
    let chassis = sample_chassis(&vehicle.params().mechanics.rigid_body, pose)
        .configure(|body| body.angular_damping(ANGULAR_DAMPING));
    vehicle.state.drive.gearbox = GearboxState::in_gear(SAMPLE_FIRST_GEAR);
    let sequence = match substeps {
        Some(count) => EngineDriveVehicleWith::sequence_with_substeps(move |_| count),
        None => EngineDriveVehicleWith::sequence(),
    };
    RapierVehicle::insert(world, chassis, vehicle, sequence)
}

/// Puts a car with direct drive, in neutral, at `pose` (m) into the world.
fn insert_trailer(
    world: &mut PhysicsWorld,
    pose: Pose,
    substeps: Option<u32>,
) -> Result<RapierVehicle<DirectDriveVehicle>> {
    let vehicle = DirectDriveVehicle::new(sample_direct_drive()?)?;
    let chassis = sample_chassis(&vehicle.params().mechanics.rigid_body, pose)
        .configure(|body| body.angular_damping(ANGULAR_DAMPING));
    let sequence = DirectDriveVehicle::sequence_with_substeps(move |vehicle| {
        let speed = vehicle.state.mechanics.rigid_body.linear_velocity.length();
        substeps.unwrap_or(if speed < SLOW_SPEED { 3 } else { 1 })
    });
    Ok(RapierVehicle::insert(world, chassis, vehicle, sequence))
}

/// Pose of a body that stands on its wheels, its center of mass above the origin (m).
fn standing() -> Pose {
    Pose::from_translation(Vector::new(0.0, -0.05, -SAMPLE_CENTER_OF_MASS.z))
}
