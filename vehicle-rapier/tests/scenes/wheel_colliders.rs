//! Wheels that meet what a road query cannot see: steps and walls, front-on and from the side.

use crate::common::grounds::{block, drivable_world_of};
use crate::common::{DT, drive};
use rapier3d::prelude::*;
use snippets::vehicles::{
    SAMPLE_CENTER_OF_MASS, SAMPLE_FRAME, SAMPLE_REST_HEIGHT, sample_direct_drive,
};
use vehicle_rapier::core::vehicle::ReadVehicle;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::wheel_colliders::MIN_TURN;
use vehicle_rapier::{Activity, Chassis, RapierVehicle, RoadQueryShape, WheelColliders};

const SHAPES: [RoadQueryShape; 2] = [RoadQueryShape::Ray, RoadQueryShape::Cylinder];

/// The sample car without its hull: nothing of it but its wheels can meet something. `roundness` is
/// the shoulders' share of the wheels' half width.
fn car_of_wheels(
    world: &mut PhysicsWorld,
    roundness: Real,
    kingpin_offset: Real,
) -> RapierVehicle<DirectDriveVehicle> {
    let mut params = sample_direct_drive().expect("valid data");
    for wheel in &mut params.mechanics.wheels {
        wheel.shoulder_radius = roundness * wheel.half_width;
    }
    for suspension in &mut params.mechanics.suspensions {
        suspension.wheel_attachment.translation.x =
            kingpin_offset * suspension.attachment.translation.x.signum();
    }
    let chassis = Chassis::new(&params.mechanics.rigid_body)
        .pose(Pose::from_translation(Vector::Y * SAMPLE_REST_HEIGHT))
        .center_of_mass(Pose::from_translation(SAMPLE_CENTER_OF_MASS))
        .wheel_colliders(&params.mechanics, &SAMPLE_FRAME);
    let vehicle = DirectDriveVehicle::new(params).expect("valid parameters");
    let mut car = RapierVehicle::insert(world, chassis, vehicle, DirectDriveVehicle::sequence());
    car.vehicle.controls.gear = Gear::Forward;
    car
}

fn position(world: &PhysicsWorld, car: &RapierVehicle<DirectDriveVehicle>) -> Vector {
    world.bodies[car.actor.body].translation()
}

#[test]
fn a_wheel_that_meets_a_step_front_on_is_pushed_back_by_it() {
    for (shape, roundness) in [(SHAPES[0], 0.0), (SHAPES[1], 0.0), (SHAPES[1], 1.0)] {
        for (height, is_climbed) in [(0.08, true), (0.6, false)] {
            let step = block(Vector::new(20.0, 5.0, 10.0), Vector::new(0.0, height, 16.0));
            let mut world = drivable_world_of([block(Vector::splat(50.0), Vector::ZERO), step]);
            let mut car = car_of_wheels(&mut world, roundness, 0.0);
            car.road.shape = shape;
            car.vehicle.commands.throttle = 0.3;
            drive(&mut world, &mut car, 6.0);
            let place = position(&world, &car);
            // The tread of the front wheels, which are 1.269 m before the center of mass.
            let front = place.z + SAMPLE_CENTER_OF_MASS.z + 1.269_22 + 0.343_252;
            let what =
                format!("{shape:?}, roundness {roundness}, step of {height} m: front at {front} m");
            assert_eq!(8.0 < front, is_climbed, "{what}");
            let rise = place.y - SAMPLE_REST_HEIGHT;
            let expected = if is_climbed { height } else { 0.0 };
            assert!((rise - expected).abs() < 0.03, "{what}: {rise} m high");
            if !is_climbed {
                assert!((front - 6.0).abs() < 0.03, "{what}");
            }
        }
    }
}

#[test]
fn wheel_colliders_turn_with_the_wheels_at_full_compression() {
    for kingpin_offset in [0.0, 0.1] {
        let mut world = drivable_world_of([block(Vector::splat(50.0), Vector::ZERO)]);
        let mut car = car_of_wheels(&mut world, 0.0, kingpin_offset);
        assert_eq!(car.wheel_colliders.handles().len(), 4);
        let mass = world.bodies[car.actor.body].mass_properties().local_mprops;
        for step in 0..120 {
            car.vehicle.commands.steer = (0.05 * step as Real).sin();
            car.update(&mut world).expect("the car can be driven");
            let vehicle = &car.vehicle;
            for (wheel, &handle) in car.wheel_colliders.handles().iter().enumerate() {
                let pose = vehicle.wheel_local_pose(wheel, &car.params.coordinates.frame);
                let place = world.colliders[handle].position_wrt_parent().expect("a body");
                let what = format!("offset {kingpin_offset} m, step {step}, wheel {wheel}");
                let axle = pose.rotation * Vector::X;
                let turn = axle.angle_between(place.rotation * Vector::Y);
                assert!(turn <= 1.01 * MIN_TURN, "{what}: {turn} rad");
                // The wheel hangs below by what its suspension is extended.
                let suspension = vehicle.suspension_params(wheel);
                let jounce = vehicle.suspension_state(wheel).compression.jounce.expect("updated");
                let extension = suspension.travel_distance - jounce;
                let hub = pose.translation + Vector::Y * extension;
                let error = (SAMPLE_CENTER_OF_MASS + hub).distance(place.translation);
                assert!(error < 2e-3, "{what}: {error} m");
            }
            world.step();
        }
        assert_eq!(world.bodies[car.actor.body].mass_properties().local_mprops, mass);
    }
}

#[test]
fn wheel_colliders_are_where_the_wheels_are_in_any_order_of_calls() {
    let params = sample_direct_drive().expect("valid data");
    let center = Pose::from_translation(SAMPLE_CENTER_OF_MASS);
    let bare = || Chassis::new(&params.mechanics.rigid_body);
    let with_wheels = |chassis: Chassis| chassis.wheel_colliders(&params.mechanics, &SAMPLE_FRAME);
    let places =
        [with_wheels(bare().center_of_mass(center)), with_wheels(bare()).center_of_mass(center)]
            .map(|chassis| {
                let mut world = PhysicsWorld::new();
                let (_, wheels) =
                    chassis.insert_with_wheels(&mut world.bodies, &mut world.colliders);
                let place = |&wheel: &ColliderHandle| *world.colliders[wheel].position();
                wheels.handles().iter().map(place).collect::<Vec<_>>()
            });
    assert_eq!(places[0], places[1]);
    assert_eq!(places[0].len(), 4);
}

#[test]
fn a_wheel_that_is_steered_into_a_wall_pushes_the_car_away() {
    // The left wheels' sides are 0.953 m from the middle; steered by 30 degrees, the front one
    // reaches to 1.1 m with its leading edge.
    let moved = |follows: bool| {
        let wall = block(Vector::new(0.5, 2.0, 20.0), Vector::new(1.5, 1.5, 0.0));
        let mut world = drivable_world_of([block(Vector::splat(50.0), Vector::ZERO), wall]);
        let mut car = car_of_wheels(&mut world, 0.0, 0.0);
        if !follows {
            car.wheel_colliders = WheelColliders::default();
        }
        drive(&mut world, &mut car, 0.5);
        let before = position(&world, &car).x;
        car.vehicle.commands.steer = 1.0;
        drive(&mut world, &mut car, 2.0);
        let front = world.bodies[car.actor.body].position()
            * (SAMPLE_CENTER_OF_MASS + Vector::Z * 1.269_22);
        (front.x - before).abs()
    };
    let (without, with) = (moved(false), moved(true));
    assert!(without < 5e-3, "{without} m without colliders that turn");
    assert!((0.05..0.2).contains(&with), "{with} m");
}

#[test]
fn a_parked_car_with_steered_wheels_falls_asleep() {
    let mut world = drivable_world_of([block(Vector::splat(50.0), Vector::ZERO)]);
    let mut car = car_of_wheels(&mut world, 0.0, 0.0);
    car.vehicle.commands.steer = 0.7;
    car.vehicle.commands.brakes[0] = 1.0;
    assert_eq!(drive(&mut world, &mut car, 3.0), Activity::Asleep);
    let [_, turned, _, straight] = *car.wheel_colliders.handles() else { panic!("four wheels") };
    let [axle, straight] = [turned, straight].map(|handle| {
        let place = world.colliders[handle].position_wrt_parent().expect("a body");
        place.rotation * Vector::Y
    });
    assert!(0.3 < axle.angle_between(straight), "{axle}, {straight}");
    world.remove_collider(turned);
    car.vehicle.commands.steer = -0.7;
    car.vehicle.commands.throttle = 0.3;
    car.vehicle.commands.brakes[0] = 0.0;
    assert_eq!(drive(&mut world, &mut car, 20.0 * DT), Activity::Awake, "a collider may be gone");
}
