//! The default saloon, as a newcomer would build it.

use rapier3d::prelude::*;
use vehicle_rapier::core::blueprint::CarBlueprint;
use vehicle_rapier::core::commands::CommandResponseParams;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::suspension::unsprung::SuspensionDynamics;
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::{
    DirectDriveParams, DirectDriveVehicle, EngineDriveParams, EngineDriveVehicle,
};
use vehicle_rapier::{Chassis, RapierVehicle};

use super::{drive, sloping_world};

/// The mechanical base of the default saloon.
pub fn saloon_mechanics() -> MechanicalParams {
    CarBlueprint::default().mechanics().expect("valid data")
}

/// The mechanical base of the saloon on wheels without mass, with bars by which it rolls as much.
pub fn massless_mechanics() -> MechanicalParams {
    let sheet = CarBlueprint {
        ride: None,
        anti_roll_stiffness: [16_000.0, 6_000.0],
        ..CarBlueprint::default()
    };
    sheet.mechanics().expect("valid data")
}

/// The default car's mechanical base on wheels with the mass and tires that their parameters tell,
/// without roll centers, and with dampers that are alike in bump and rebound.
pub fn plain_mechanics() -> MechanicalParams {
    massless_mechanics().with_unsprung_masses(GRAVITY)
}

/// Frequency of the springs of a stiff car (Hz), and the stiffness of its tires (N/m).
const STIFF: (Real, Real) = (2.5, 400e3);

/// The default car's mechanical base on hard springs and tires, as [`plain_mechanics`] otherwise.
pub fn stiff_mechanics() -> MechanicalParams {
    let mut mechanics = massless_mechanics();
    let (frequency, tire) = STIFF;
    let pulse = std::f32::consts::TAU * frequency;
    for spring in &mut mechanics.suspension_forces {
        spring.stiffness = spring.sprung_mass * pulse * pulse;
        spring.damping = 0.8 * spring.sprung_mass * pulse;
    }
    for wheel in &mut mechanics.wheels {
        wheel.radial_stiffness = Some(tire);
    }
    mechanics.with_unsprung_masses(GRAVITY)
}

/// Height of the saloon's body at rest on level ground (m): that of its center of mass.
pub fn saloon_rest_height() -> Real {
    CarBlueprint::default().center_of_mass_height
}

/// The body of the saloon at `pose` (m), with a box for a hull that is clear of the ground.
pub fn saloon_chassis(mechanics: &MechanicalParams, pose: Pose) -> Chassis {
    Chassis::new(&mechanics.rigid_body)
        .pose(pose)
        .collider(ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.2))
}

/// What the saloon is made of when a torque of 600 N·m turns each rear wheel.
pub fn direct_saloon() -> DirectDriveParams {
    let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
    DirectDriveParams { mechanics: saloon_mechanics(), throttle }
}

/// What the saloon is made of when an engine with an automatic gearbox turns its rear wheels.
pub fn engine_saloon() -> EngineDriveParams {
    EngineDriveParams::automatic(saloon_mechanics(), &[2, 3])
}

/// The saloon at `pose` (m) in `world`, on `params` and with this many substeps.
pub fn insert_saloon(
    world: &mut PhysicsWorld,
    params: DirectDriveParams,
    pose: Pose,
    substeps: u32,
) -> RapierVehicle<DirectDriveVehicle> {
    let chassis = saloon_chassis(&params.mechanics, pose);
    let vehicle = DirectDriveVehicle::new(params).expect("valid parameters");
    let sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps);
    let mut car = RapierVehicle::insert(world, chassis, vehicle, sequence);
    car.vehicle.controls.gear = Gear::Forward;
    car
}

/// The saloon with an engine at `pose` (m) in `world`, on `params` and with this many substeps.
pub fn insert_engine_saloon(
    world: &mut PhysicsWorld,
    params: EngineDriveParams,
    pose: Pose,
    substeps: u32,
) -> RapierVehicle<EngineDriveVehicle> {
    let chassis = saloon_chassis(&params.mechanics, pose);
    let vehicle = EngineDriveVehicle::new(params).expect("valid parameters");
    let sequence = EngineDriveVehicle::sequence_with_substeps(move |_| substeps);
    RapierVehicle::insert(world, chassis, vehicle, sequence)
}

/// How far the braked saloon of `params` moves down a hill of 15 degrees in `seconds` that it
/// stands there awake (m). It is stepped at a rate of steps (Hz) and with this many substeps.
pub fn drift_on_hill(
    params: DirectDriveParams,
    (rate, substeps): (Real, u32),
    seconds: Real,
) -> Real {
    let slope = 15.0_f32.to_radians();
    let mut world = sloping_world(rate, slope);
    let up = Vector::new(0.0, slope.cos(), slope.sin());
    let pose = Pose::from_parts(up * saloon_rest_height(), Rotation::from_rotation_x(slope));
    let mut car = insert_saloon(&mut world, params, pose, substeps);
    world.bodies[car.actor.body].activation_mut().normalized_linear_threshold = -1.0;
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 5.0);
    let place = world.bodies[car.actor.body].translation();
    drive(&mut world, &mut car, seconds);
    world.bodies[car.actor.body].translation().distance(place)
}

/// Momentum of body and wheels (kg·m/s).
pub fn momentum(world: &PhysicsWorld, car: &RapierVehicle<DirectDriveVehicle>) -> Vector {
    let state = &car.vehicle.state.mechanics;
    let params = &car.vehicle.params().mechanics;
    let body = &world.bodies[car.actor.body];
    let pose = *body.position() * car.actor.center_of_mass;
    let SuspensionDynamics::Unsprung(wheels) = &params.suspension_dynamics else {
        panic!("the wheels have a mass");
    };
    wheels.iter().enumerate().fold(
        body.linvel() * params.rigid_body.mass,
        |sum, (wheel, unsprung)| {
            // The path of a contact leads aside as its wheel drops.
            let [along, across] = unsprung.path_slope;
            let direction = params.suspensions[wheel].travel_direction;
            let path = direction + Vector::Z * along + Vector::X * across;
            let speed = unsprung.mass * state.suspensions.of(wheel).compression.jounce_speed;
            sum - pose.rotation * path * speed
        },
    )
}

/// Asserts that body and wheels of a car, which turns and whose wheels move up and down, keep their
/// momentum but for their weight, within two seconds in the air.
pub fn assert_momentum_is_kept_in_the_air(
    world: &mut PhysicsWorld,
    car: &mut RapierVehicle<DirectDriveVehicle>,
) {
    let body = &mut world.bodies[car.actor.body];
    body.set_angvel(Vector::new(1.0, 0.4, -0.7), true);
    body.set_linvel(Vector::new(3.0, 0.0, 10.0), true);
    car.step(world).expect("the car can be driven");
    for wheel in 0..4 {
        car.vehicle
            .state
            .mechanics
            .suspensions
            .edit(wheel, |state| state.compression.jounce_speed = wheel as Real - 1.0);
    }
    let start = momentum(world, car);
    let steps = 120;
    for _ in 0..steps {
        car.step(world).expect("the car can be driven");
    }
    let mass = car.vehicle.params().mechanics.rigid_body.mass;
    let fallen = Vector::NEG_Y * (GRAVITY * mass * steps as Real / 60.0);
    let error = (momentum(world, car) - start - fallen).length();
    assert!(error < 1e-5 * start.length().max(fallen.length()), "{error} kg·m/s of {start}");
}
