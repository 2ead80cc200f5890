//! It falls where physics says so, and nothing else happens.

use rapier3d::prelude::*;

use super::ride::{Ride, SETTINGS, note};

/// Whether all of the motorcycle is finite, and no part of it is faster than anything on the scene
/// could make it.
fn is_sound(ride: &Ride) -> bool {
    let body = ride.body();
    let state = ride.motorcycle.mechanics().state;
    let wheels = (0..2).map(|wheel| state.wheels.of(wheel).rotation_speed);
    body.translation().is_finite()
        && body.linvel().length() < 60.0
        && body.angvel().length() < 60.0
        && wheels.into_iter().all(|speed| speed.abs() < 500.0)
}

#[test]
fn on_ice_in_a_bend_it_falls_and_stays_sound() {
    let mut faults: Vec<String> = Vec::new();
    for setting in SETTINGS {
        let mut ride = Ride::rolling(&setting, 20.0);
        ride.run(4.0, |ride| {
            ride.hold_speed(20.0);
            ride.steer(1.0);
        });
        let lean = ride.lean();
        note!(faults, 0.5 < lean && !ride.rider().is_down, "{setting:?}: {lean} rad");
        ride.world.colliders[ride.ground].set_friction(0.05);
        let mut was_sound = true;
        ride.run(6.0, |ride| {
            ride.pedals(0.5, 0.3);
            was_sound &= is_sound(ride);
        });
        note!(faults, ride.rider().is_down, "{setting:?}: it leans by {} rad", ride.lean());
        note!(faults, was_sound, "{setting:?}: {:?}", ride.body().linvel());
        let snapshot = ride.motorcycle.snapshot(&ride.world.bodies).expect("a body");
        note!(faults, ride.motorcycle.restore(&mut ride.world, &snapshot).is_ok(), "{setting:?}");
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn hit_by_a_box_it_falls_and_stays_sound_and_rides_again_when_it_is_put_upright() {
    let mut faults: Vec<String> = Vec::new();
    for setting in SETTINGS {
        let mut ride = Ride::rolling(&setting, 10.0);
        ride.run(1.0, |ride| ride.hold_speed(10.0));
        let place = ride.place() + Vector::new(2.5, 0.4, 2.0);
        let hammer = RigidBodyBuilder::dynamic().translation(place).linvel(Vector::X * -12.0);
        let shape = ColliderBuilder::cuboid(0.4, 0.4, 1.5).mass(150.0).friction(0.5);
        ride.world.insert(hammer, shape);
        let mut was_sound = true;
        ride.run(6.0, |ride| was_sound &= is_sound(ride));
        note!(faults, ride.rider().is_down, "{setting:?}: it leans by {} rad", ride.lean());
        note!(faults, was_sound, "{setting:?}: {:?}", ride.body().linvel());

        let upright = Pose::from_translation(Vector::new(200.0, 0.7, 0.0));
        let body = ride.motorcycle.body();
        ride.motorcycle.teleport(&mut ride.world.bodies, upright).expect("a body");
        ride.run(2.0, |_| {});
        ride.world.bodies[body].set_linvel(Vector::Z * 12.0, true);
        ride.run(4.0, |ride| {
            ride.hold_speed(12.0);
            ride.steer(0.5);
        });
        let lean = ride.lean();
        note!(faults, !ride.rider().is_down, "{setting:?}: it lies");
        note!(faults, (0.2..0.6).contains(&lean), "{setting:?}: it leans by {lean} rad");
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn brakes_hold_the_wheels_of_one_that_lies() {
    let mut ride = Ride::rolling(&SETTINGS[0], 10.0);
    let side = Rotation::from_rotation_z(1.5);
    let lying = Pose::from_parts(ride.place() + Vector::Y * 0.1, side);
    ride.motorcycle.teleport(&mut ride.world.bodies, lying).expect("a body");
    ride.run(0.5, |ride| ride.pedals(0.0, 1.0));
    assert!(ride.rider().is_down, "it leans by {} rad", ride.lean());
    let state = ride.motorcycle.mechanics().state;
    let torques = [0, 1].map(|wheel| state.brake_torques.of(wheel));
    assert_eq!(torques, ride.rider().brake_demands);
    assert!(torques.iter().all(|torque| 100.0 < *torque), "{torques:?} N·m");
}
