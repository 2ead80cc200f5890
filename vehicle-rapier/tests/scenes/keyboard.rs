//! The example that drives by keys: full lock turns the car as tightly as it can at each speed, and does not plough.

use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

use crate::common::grounds::{block, world_of};
use crate::common::roll;

#[path = "../../examples/keyboard.rs"]
#[allow(dead_code, unreachable_pub)]
mod example;

const DT: Real = 1.0 / 60.0;

/// Mean yaw rate (rad/s) and slip angle of the front wheels (rad) over the third second of full lock at a kept `speed`
/// (m/s), by `steer` for each step.
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
    car.vehicle.gear = Gear::Forward;
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
fn keys_turn_the_car_nearly_as_much_as_any_steer_angle_does() {
    for speed in [8.0, 15.0, 25.0] {
        let keys = turn(speed, |car| example::drive(car, [false, false, true, false], DT));
        let (mut best, mut best_slip) = (0.0, 0.0);
        for steer in 1..=10 {
            let (yaw_rate, slip) = turn(speed, |car| {
                let target = 0.1 * steer as Real;
                let commands = &mut car.vehicle.commands;
                commands.steer = (commands.steer + 2.0 * DT).min(target);
            });
            eprintln!("{speed} m/s, steer {steer}: {yaw_rate} rad/s, slip {slip} rad");
            if best < yaw_rate {
                (best, best_slip) = (yaw_rate, slip);
            }
        }
        eprintln!("{speed} m/s: keys {keys:?}, best {best} at {best_slip}");
        assert!(
            0.95 * best < keys.0,
            "{speed} m/s: keys {keys:?}, best {best} rad/s at {best_slip}"
        );
        assert!(keys.1 < 0.3, "{speed} m/s: keys {keys:?}, best {best} rad/s at {best_slip}");
    }
}
