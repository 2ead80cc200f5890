//! What is to be known of a wheel and the ground below it.

use crate::common::saloon::{direct_saloon, insert_saloon, saloon_mechanics, saloon_rest_height};
use crate::common::{DT, drive, roll};
use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::{FrictionTable, RapierVehicle, RoadQueryShape};

/// User data that differ from each other in their upper halves only.
const ASPHALT: u128 = 3 << 100 | 5;
const ICE: u128 = 9 << 100 | 5;

/// The saloon with its left wheels, at +x, on ice, and the colliders of asphalt and ice.
fn split(
    friction: FrictionTable,
) -> (PhysicsWorld, RapierVehicle<DirectDriveVehicle>, [ColliderHandle; 2]) {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let half = |x: Real, user_data| {
        ColliderBuilder::cuboid(50.0, 0.5, 500.0)
            .translation(Vector::new(x, -0.5, 0.0))
            .friction(1.0)
            .user_data(user_data)
    };
    let grounds = [(-50.0, ASPHALT), (50.0, ICE)]
        .map(|(x, user_data)| world.insert_collider(half(x, user_data), None));
    world.detect_collisions(&(), &());
    let pose = Pose::from_translation(Vector::Y * saloon_rest_height());
    let mut car = insert_saloon(&mut world, direct_saloon(), pose, 3);
    car.road.friction = friction;
    (world, car, grounds)
}

#[test]
fn point_collider_and_all_of_its_user_data_are_known_for_each_wheel() {
    for shape in [RoadQueryShape::Ray, RoadQueryShape::Cylinder] {
        let (mut world, mut car, grounds) = split(FrictionTable::default());
        car.road.shape = shape;
        assert_eq!(car.wheel_contact(0), None, "before the first step");
        drive(&mut world, &mut car, 2.0);
        let mechanics = saloon_mechanics();
        let mut load = 0.0;
        for wheel in 0..4 {
            let place = mechanics.suspensions[wheel].attachment.translation;
            let expected = usize::from(0.0 < place.x);
            let contact = car.wheel_contact(wheel).expect("on the ground");
            let what = format!("{shape:?}, wheel {wheel}: {contact:?}");
            assert_eq!(contact.collider, grounds[expected], "{what}");
            let user_data = [ASPHALT, ICE][expected];
            assert_eq!(contact.user_data(&world.colliders), Some(user_data), "{what}");
            assert_eq!(u128::from(contact.wheel.material), user_data, "{what}");
            let under = Vector::new(place.x, 0.0, place.z);
            assert!(contact.wheel.point.distance(under) < 5e-3, "{what}");
            assert_eq!(contact.wheel.normal, Vector::Y, "{what}");
            assert!(contact.wheel.skid_speed < 1e-3, "{what}");
            load += contact.wheel.load;
        }
        let weight = mechanics.rigid_body.mass * 9.81;
        assert!((load / weight - 1.0).abs() < 0.01, "{load} N");
        assert_eq!(car.wheel_contact(4), None);
        world.remove_collider(grounds[0]);
        let contact = car.wheel_contact(0).or(car.wheel_contact(1)).expect("as of the last step");
        assert_eq!(contact.user_data(&world.colliders).is_none(), contact.collider == grounds[0]);
    }
}

#[test]
fn friction_sees_all_bits_of_the_user_data() {
    let table = FrictionTable::default().with_surface(ICE, 0.1).with_surface(ASPHALT, 0.9);
    let (mut world, mut car, grounds) = split(table);
    drive(&mut world, &mut car, 0.5);
    for wheel in 0..4 {
        let contact = car.wheel_contact(wheel).expect("on the ground");
        let expected = if contact.collider == grounds[1] { 0.1 } else { 0.9 };
        assert_eq!(contact.wheel.friction, expected, "wheel {wheel}");
    }
}

#[test]
fn skid_and_slip_tell_locked_spinning_and_sliding_wheels() {
    let rolling = |speed: Real, rim_speed: Real| {
        let (mut world, mut car, _) = split(FrictionTable::default());
        drive(&mut world, &mut car, 1.0);
        roll(&mut world, &mut car, speed, rim_speed / saloon_mechanics().wheels[0].radius);
        (world, car)
    };
    // Rolls, is locked, spins.
    for (speed, rim_speed) in [(10.0, 10.0), (10.0, 0.0), (10.0, 25.0)] {
        let (mut world, mut car) = rolling(speed, rim_speed);
        if rim_speed == 0.0 {
            car.vehicle.commands.brakes = [1.0; 2];
        }
        drive(&mut world, &mut car, DT);
        let contact = car.wheel_contact(2).expect("on the ground").wheel;
        let what = format!("{rim_speed} of {speed} m/s: {contact:?}");
        assert_eq!(contact.longitudinal_slip.abs() < 0.05, rim_speed == speed, "{what}");
        if rim_speed != speed {
            assert!(0.0 < contact.longitudinal_slip * (rim_speed - speed), "{what}");
            assert!(2.0 < contact.skid_speed, "{what}");
        } else {
            assert!(contact.skid_speed < 0.2, "{what}");
        }
        assert!(contact.slip_angle.abs() < 0.01, "{what}");
    }
    // Slides across at 2 m/s beside 10 m/s ahead.
    let (mut world, mut car) = rolling(10.0, 10.0);
    world.bodies[car.actor.body].set_linvel(Vector::new(2.0, 0.0, 10.0), true);
    car.step(&mut world).expect("the car can be driven");
    let contact = car.wheel_contact(3).expect("on the ground").wheel;
    assert!((0.05..0.25).contains(&contact.slip_angle.abs()), "{contact:?}");
    assert!((0.5..2.5).contains(&contact.skid_speed), "{contact:?}");
}

#[test]
fn user_data_stay_with_the_vehicle() {
    let (mut world, mut car, _) = split(FrictionTable::default());
    car.user_data.set_vehicle(ICE);
    car.user_data.set_wheel(2, ASPHALT);
    drive(&mut world, &mut car, 0.1);
    let copy = car.clone();
    assert_eq!((copy.user_data.vehicle(), copy.user_data.wheel(2)), (ICE, ASPHALT));
    let text = postcard::to_stdvec(&car.user_data).expect("plain data");
    assert_eq!(postcard::from_bytes(&text), Ok(car.user_data));
}
