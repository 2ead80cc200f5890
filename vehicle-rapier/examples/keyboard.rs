//! Driving by keys: the steering wheel turns at a rate, and the brake becomes reverse at a
//! standstill.

use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

/// Sets the driver's controls by the keys that are down for `dt` (s): forward, backward, left,
/// right.
pub(crate) fn drive(car: &mut RapierVehicle<DirectDriveVehicle>, keys: [bool; 4], dt: Real) {
    let [forward, backward, left, right] = keys.map(|is_down| if is_down { 1.0 } else { 0.0 });
    let speed = car.forward_speed();
    let vehicle = &mut car.vehicle;
    // A gear goes in at walking pace; above, the key against the motion is the brake.
    if speed.abs() < 1.0 && forward != backward {
        vehicle.controls.gear = if forward > backward { Gear::Forward } else { Gear::Reverse };
    }
    let (throttle, brake) = if vehicle.controls.gear == Gear::Reverse {
        (backward, forward)
    } else {
        (forward, backward)
    };
    (vehicle.commands.throttle, vehicle.commands.brakes[0]) = (throttle, brake);
    // From the middle to full lock in half a second, and no further than the front tires grip.
    let target = (left - right) * useful_steer(speed);
    let step = (target - vehicle.commands.steer).clamp(-2.0 * dt, 2.0 * dt);
    vehicle.commands.steer += step;
}

/// The part of full lock that turns a car most at `speed` (m/s), in [0, 1]. It is `L μ g / v² + α`,
/// with the angle of the bend that friction `μ` holds, and the slip angle `α` at which front tires
/// pull most. Beyond, they plough.
fn useful_steer(speed: Real) -> Real {
    const LOCK: Real = 0.6; // rad, `max_steer_angle`
    const WHEEL_BASE: Real = 2.7; // m
    const FRICTION: Real = 1.0;
    const BEST_SLIP: Real = 0.15; // rad
    let bend = WHEEL_BASE * FRICTION * 9.81 / (speed * speed).max(1.0);
    ((bend + BEST_SLIP) / LOCK).min(1.0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    world.insert_collider(road.friction(1.0), None);
    world.detect_collisions(&(), &());
    let mechanics = CarBlueprint::default().mechanics()?;
    let chassis = Chassis::new(&mechanics.rigid_body)
        .pose(Pose::from_translation(Vector::Y * 0.6))
        .collider(ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.2));
    let throttle = CommandResponseParams::linear(900.0, [0.0, 0.0, 1.0, 1.0]);
    let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
    let mut car =
        RapierVehicle::insert(&mut world, chassis, vehicle, DirectDriveVehicle::sequence());

    for second in (0..15).flat_map(|second| [second; 60]) {
        // In a game: is W down, is S down, is A down, is D down.
        let keys = [second < 4, second >= 6, second == 4, second == 5];
        drive(&mut car, keys, world.integration_parameters.dt);
        car.step(&mut world)?;
    }
    println!("{:.1} m/s in {}", car.forward_speed(), car.displayed_gear());
    assert!(car.forward_speed() < -2.0, "the brake has become reverse");
    Ok(())
}
