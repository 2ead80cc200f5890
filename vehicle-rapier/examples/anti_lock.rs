//! A driver aid of your own in a car from a file: an anti-lock brake.

use std::ops::ControlFlow::{self, Continue};

use rapier3d::prelude::*;
use vehicle_rapier::core::stages::Brakes;
use vehicle_rapier::prelude::*;

/// Slip up to which a brake gets all that the driver asks for; at twice of it, it gets nothing.
const SLIP: Real = 0.1;

/// The stage: it lets go of the brakes of wheels that are about to lock.
fn anti_lock<V: HasMechanics>(car: &mut V, _: Real, context: &Context<'_>) -> ControlFlow<()> {
    let speed = car.body().longitudinal_speed(context.frame());
    for wheel in 0..car.axles().wheel_count() {
        let rim_speed = car.wheel_state(wheel).rotation_speed * car.wheel_params(wheel).radius;
        let slip = 1.0 - rim_speed / speed.max(1.0);
        car.mechanics().state.brake_torques[wheel] *= (2.0 - slip / SLIP).clamp(0.0, 1.0);
    }
    Continue(())
}

/// Brakes fully from 72 km/h on wet ice; how far it slides, and how often its wheels lock.
fn stop(has_anti_lock: bool) -> Result<(Real, usize), Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    let ice = ColliderBuilder::cuboid(50.0, 1.0, 5_000.0).translation(Vector::Y * -1.0);
    world.insert_collider(ice.friction(0.2), None);
    world.detect_collisions(&(), &());

    let model = AnyVehicle::preset("hot_hatch")?;
    let place = Pose::from_translation(Vector::Y * model.standing_height(9.81));
    let mut car = model.insert(&mut world, place);
    if has_anti_lock {
        car.sequence = model.sequence().insert_after::<Brakes>(anti_lock)?.into();
    }
    car.set_velocity(&mut world.bodies, Vector::Z * 20.0)?;
    car.commands_mut().brakes[0] = 1.0;
    let mut locked = 0;
    for _ in 0..1_200 {
        car.step(&mut world)?;
        let wheels = 0..car.wheel_count();
        let is_locked = |&wheel: &usize| car.vehicle.wheel_state(wheel).rotation_speed < 1.0;
        locked += if 2.0 < car.forward_speed() { wheels.filter(is_locked).count() } else { 0 };
    }
    Ok((car.pose(&world.bodies)?.translation.z, locked))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ((without, locked), (with, turning)) = (stop(false)?, stop(true)?);
    println!("without: {without:.1} m, a wheel locked in {locked} steps");
    println!("with:    {with:.1} m, a wheel locked in {turning} steps");
    assert!(turning * 10 < locked && with < without);
    Ok(())
}
