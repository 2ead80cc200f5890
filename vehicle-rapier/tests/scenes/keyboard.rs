//! The example that drives by keys: full lock turns the car about as far as its tires grip, and
//! does not plough.

use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

use crate::common::grounds::{block, world_of};
use crate::common::roll;

#[path = "../../examples/keyboard.rs"]
#[allow(dead_code, unreachable_pub)]
mod example;

const DT: Real = 1.0 / 60.0;

/// Mean yaw rate (rad/s) and slip angle of the front wheels (rad) over the third second of full
/// lock at a kept `speed` (m/s), by `steer` for each step.
fn turn(
    speed: Real,
    mut steer: impl FnMut(&mut RapierVehicle<DirectDriveVehicle>),
) -> (Real, Real) {
    let mut world = world_of([block(Vector::new(900.0, 0.5, 900.0), Vector::ZERO).friction(1.0)]);
    let mechanics = CarBlueprint::default().mechanics().expect("no faults");
    let hull = ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.2);
    let chassis = Chassis::new(&mechanics.rigid_body)
        .pose(Pose::from_translation(Vector::Y * 0.56))
        .collider(hull);
    let throttle = CommandResponseParams::linear(900.0, [0.0, 0.0, 1.0, 1.0]);
    let params = DirectDriveParams { mechanics, throttle };
    let vehicle = DirectDriveVehicle::new(params).expect("no faults");
    let mut car =
        RapierVehicle::insert(&mut world, chassis, vehicle, DirectDriveVehicle::sequence());
    for _ in 0..60 {
        car.step(&mut world).expect("it can be driven");
    }
    roll(&mut world, &mut car, speed, speed / 0.33);
    car.vehicle.controls.gear = Gear::Forward;
    let (mut yaw_rate, mut slip) = (0.0, 0.0);
    for step in 0..180 {
        steer(&mut car);
        // A throttle that keeps the speed.
        car.vehicle.commands.throttle = (0.5 * (speed - car.forward_speed())).clamp(0.0, 1.0);
        car.step(&mut world).expect("it can be driven");
        if 120 <= step {
            yaw_rate += world.bodies[car.actor.body].angvel().y / 60.0;
            slip += car.vehicle.tire_state(0).slip.angle().abs() / 60.0;
        }
    }
    (yaw_rate, slip)
}

#[test]
fn keys_turn_the_car_as_far_as_its_front_tires_grip() {
    // At 8 m/s nearly all of the lock turns the car further; at 15 m/s half of it already ploughs,
    // where grip lets a car turn by g / v, 0.65 rad/s.
    for (speed, least) in [(8.0, 0.95), (15.0, 0.55)] {
        let (yaw_rate, slip) =
            turn(speed, |car| example::drive(car, [false, false, true, false], DT));
        assert!(least < yaw_rate, "{speed} m/s: {yaw_rate} rad/s at a slip of {slip} rad");
        assert!(slip < 0.26, "{speed} m/s: {yaw_rate} rad/s at a slip of {slip} rad");
    }
}
