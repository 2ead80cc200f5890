//! Slopes of two frictions, straight up or down.

use rapier3d::prelude::*;
use vehicle_rapier::core::commands::Commands;

use crate::cars::BlockCar;
use crate::common::DT;

/// Rotation of a road that rises by `grade` per length along its vehicles.
pub(crate) fn tilt(grade: Real) -> Rotation {
    Rotation::from_rotation_x(-grade.atan())
}

/// A road that rises by `grade` per length, with one friction for left wheels and one for right
/// ones.
pub(crate) fn slope(grade: Real, friction: [Real; 2]) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    for (side, friction) in [1.0, -1.0].into_iter().zip(friction) {
        let center = tilt(grade) * Vector::new(200.0 * side, -5.0, 0.0);
        let pose = Pose::from_parts(center, tilt(grade));
        let road = ColliderBuilder::cuboid(200.0, 5.0, 3_000.0).position(pose);
        world.insert_collider(road.friction(friction), None);
    }
    world.detect_collisions(&(), &());
    world
}

/// Where a vehicle stands on the slope whose center of mass is `height` (m) above it.
pub(crate) fn standing(grade: Real, height: Real) -> Pose {
    Pose::from_parts(tilt(grade) * (Vector::Y * height), tilt(grade))
}

/// Keeps to the middle of the road for a step.
pub(crate) fn keep_straight(world: &PhysicsWorld, car: &mut BlockCar) {
    let body = &world.bodies[car.actor.body];
    let heading = (*body.rotation() * Vector::Z).x;
    let aside = body.translation().x;
    car.vehicle.commands.steer = (-3.0 * heading - 0.3 * aside).clamp(-1.0, 1.0);
}

/// Drives straight for `seconds`.
pub(crate) fn drive_straight(world: &mut PhysicsWorld, car: &mut BlockCar, seconds: Real) {
    for _ in 0..(seconds / DT) as usize {
        keep_straight(world, car);
        car.step(world).expect("the vehicle can be driven");
    }
}

/// What pedals say.
pub(crate) fn pedals(throttle: Real, brake: Real) -> Commands {
    Commands { throttle, brakes: [brake, 0.0], ..Commands::default() }
}
