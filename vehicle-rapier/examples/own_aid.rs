//! An aid of your own beside ours, in a car from a file: before them, and after them.

use std::ops::ControlFlow::{self, Continue};

use rapier3d::prelude::*;
use vehicle_rapier::core::stages::{Brakes, ConstraintRows};
use vehicle_rapier::drivetrain::aids::{AidsParams, AntiLockParams};
use vehicle_rapier::prelude::*;

/// The aid: brakes that fade to half.
fn fade<V: HasMechanics>(car: &mut V, _: Real, _: &Context<'_>) -> ControlFlow<()> {
    (0..car.axles().wheel_count())
        .for_each(|wheel| car.mechanics().state.brake_torques[wheel] *= 0.5);
    Continue(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = AnyVehicle::preset("hot_hatch")?;
    let before = model.sequence().insert_after::<Brakes>(fade)?;
    let after = model.sequence().insert_before::<ConstraintRows>(fade)?;
    let mut ways = Vec::new();
    for sequence in [model.sequence(), before, after] {
        let mut world = PhysicsWorld::new();
        let road = ColliderBuilder::cuboid(50.0, 1.0, 5_000.0).translation(Vector::Y * -1.0);
        world.insert_collider(road, None);
        world.detect_collisions(&(), &());
        let place = Pose::from_translation(Vector::Y * model.standing_height(9.81));
        let mut car = model.insert(&mut world, place);
        let anti_lock = Some(AntiLockParams::default());
        car.vehicle.set_aids(AidsParams { anti_lock, ..AidsParams::default() })?;
        car.sequence = sequence.into();
        car.set_velocity(&mut world.bodies, Vector::Z * 20.0)?;
        car.commands_mut().brakes[0] = 1.0;
        (0..600).try_for_each(|_| car.step(&mut world).map(drop))?;
        ways.push(car.pose(&world.bodies)?.translation.z);
    }
    println!("ours alone {:.1} m, fading before {:.1} m, after {:.1} m", ways[0], ways[1], ways[2]);
    assert!(ways[0] < ways[2] && ways[1] < ways[2]);
    Ok(())
}
