//! The default saloon, as a newcomer would build it.

use rapier3d::prelude::*;
use vehicle_rapier::core::blueprint::CarBlueprint;
use vehicle_rapier::core::commands::CommandResponseParams;
use vehicle_rapier::core::context::GRAVITY;
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
        wheel.radial_stiffness = tire;
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
/// stands there awake (m), at a rate of steps (Hz) and with this many substeps.
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
