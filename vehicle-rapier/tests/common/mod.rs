//! A car in a world, for the scenarios.

// Every test binary uses its own part of this module, and none of it is seen from outside.
#![allow(dead_code, unreachable_pub)]

pub mod grounds;
pub mod hill;
pub mod mixed;
pub mod saloon;

use rapier3d::prelude::*;
pub use snippets::noise::Noise;
use snippets::scenes::{level_world, world_on};
use snippets::vehicles::{SAMPLE_REST_HEIGHT, sample_chassis, sample_direct_drive};
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::core::tire::BrushTire;
use vehicle_rapier::drivetrain::differential::{DrivenWheels, TorqueSplittingParams};
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};
use vehicle_rapier::{Activity, Drivable, RapierVehicle};

pub const DT: Real = 1.0 / 60.0;

/// Who can execute the rows of a vehicle.
pub const EXECUTIONS: [RowExecution; 2] = [RowExecution::Local, RowExecution::Host];

/// A world of `rate` steps per second (Hz) on a plane of friction 1 that falls forward by `slope`
/// (rad).
pub fn sloping_world(rate: Real, slope: Real) -> PhysicsWorld {
    world_on(Vector::new(0.0, slope.cos(), slope.sin()), 1.0 / rate, 1.0)
}

/// The sample car with the given parameters in `world`, its body at `height` (m).
pub fn car_with(
    world: &mut PhysicsWorld,
    params: DirectDriveParams,
    height: Real,
) -> RapierVehicle<DirectDriveVehicle> {
    let pose = Pose::from_translation(Vector::Y * height);
    let chassis = sample_chassis(&params.mechanics.rigid_body, pose);
    let vehicle = DirectDriveVehicle::new(params).expect("valid parameters");
    let mut car = RapierVehicle::insert(world, chassis, vehicle, DirectDriveVehicle::sequence());
    car.vehicle.controls.gear = Gear::Forward;
    car
}

/// The sample car in `world`, its body at `height` (m).
pub fn car(world: &mut PhysicsWorld, height: Real) -> RapierVehicle<DirectDriveVehicle> {
    car_with(world, sample_direct_drive().expect("valid data"), height)
}

/// The sample car at rest on level ground of friction 1.
pub fn settled_car() -> (PhysicsWorld, RapierVehicle<DirectDriveVehicle>) {
    let mut world = level_world(DT, 1.0);
    let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
    drive(&mut world, &mut car, 0.4);
    (world, car)
}

/// Drives for `seconds`; the activity of the last step.
pub fn drive<V: Drivable>(
    world: &mut PhysicsWorld,
    car: &mut RapierVehicle<V>,
    seconds: Real,
) -> Activity {
    let steps = (seconds / world.integration_parameters.dt).round() as usize;
    let mut activity = Activity::Awake;
    for _ in 0..steps {
        activity = car.step(world).expect("the car can be driven");
    }
    activity
}

/// Sets the car rolling forward at `speed` (m/s) with its wheels turning at `rotation_speed`
/// (rad/s).
pub fn roll<V: Drivable>(
    world: &mut PhysicsWorld,
    car: &mut RapierVehicle<V>,
    speed: Real,
    rotation_speed: Real,
) {
    world.bodies[car.actor.body].set_linvel(Vector::Z * speed, true);
    car.vehicle.mechanics().state.wheels.edit_all(|wheel| wheel.rotation_speed = rotation_speed);
}

/// Parameters whose tires carry the load of their suspensions, unfiltered.
pub fn with_identity_load_filter() -> DirectDriveParams {
    let mut params = sample_direct_drive().expect("valid data");
    for tire in &mut params.mechanics.tires {
        tire.load_filter = BrushTire::IDENTITY_LOAD_FILTER;
    }
    params
}

/// A mesh of `triangles` with random corners, some of them without area.
pub fn random_mesh(noise: &mut Noise, triangles: u32) -> ColliderBuilder {
    let vertices: Vec<_> =
        (0..3 * triangles).map(|_| noise.vector(4.0) * Vector::new(1.0, 0.3, 1.0)).collect();
    let corners = |i: u32| {
        let first = 3 * i;
        if i % 10 == 9 { [first, first, first + 1] } else { [first, first + 1, first + 2] }
    };
    let indices = (0..triangles).map(corners).collect();
    ColliderBuilder::trimesh(vertices, indices).expect("a mesh")
}

/// A differential that gives the rear a little more torque, by shares that follow the speeds of
/// wheels.
pub fn torque_splitting() -> TorqueSplittingParams {
    TorqueSplittingParams {
        driven: DrivenWheels::All,
        front: [0, 1],
        rear: [2, 3],
        front_share: 0.45,
        first_front_share: 0.5,
        first_rear_share: 0.5,
        center_bias: 1.3,
        front_bias: 1.3,
        rear_bias: 1.3,
    }
}
