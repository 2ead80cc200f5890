//! Parked cars that something else pushes.

use rapier3d::prelude::*;
use vehicle_rapier::core::constraint_rows::RowExecution;

use crate::common::drive;
use crate::common::saloon::{direct_saloon, insert_saloon, saloon_rest_height};
use snippets::scenes::level_world;

#[test]
fn explore_push() {
    for execution in [RowExecution::Local, RowExecution::Host] {
        for rate in [30.0, 60.0, 240.0] {
            for substeps in [1, 3] {
                for (what, along, brake) in
                    [("along", true, 1.0), ("across", false, 1.0), ("weak", true, 0.5)]
                {
                    let mut line = format!("{execution:?} {rate} {substeps} {what}:");
                    for part in [0.3, 0.6, 0.8, 0.95, 1.05] {
                        let mut world = level_world(1.0 / rate, 1.0);
                        let params = direct_saloon();
                        let mechanics = &params.mechanics;
                        let radius = mechanics.wheels[0].radius;
                        let load = mechanics.rigid_body.mass * 9.81;
                        // loads at rest by sprung masses
                        let mut capacity = 0.0;
                        for wheel in 0..4 {
                            let l = mechanics.suspension_forces[wheel].sprung_mass * 9.81;
                            let torque = mechanics.brakes[0].max_response
                                * mechanics.brakes[0].wheel_multipliers[wheel]
                                * brake;
                            capacity += if along { l.min(torque / radius) } else { l };
                        }
                        let _ = load;
                        let pose = Pose::from_translation(Vector::Y * saloon_rest_height());
                        let mut car = insert_saloon(&mut world, params, pose, substeps);
                        car.params.row_execution = execution;
                        world.bodies[car.actor.body].activation_mut().normalized_linear_threshold =
                            -1.0;
                        car.vehicle.commands.brakes[0] = brake;
                        drive(&mut world, &mut car, 3.0);
                        let direction = if along { Vector::Z } else { Vector::X };
                        // at the ground, so that loads stay
                        let force = direction * (capacity * part);
                        let at = world.bodies[car.actor.body].translation()
                            - Vector::Y * saloon_rest_height();
                        let body = &mut world.bodies[car.actor.body];
                        let start = body.translation();
                        body.add_force_at_point(force, at, true);
                        drive(&mut world, &mut car, 3.0);
                        let middle = world.bodies[car.actor.body].translation();
                        drive(&mut world, &mut car, 10.0);
                        let end = world.bodies[car.actor.body].translation();
                        line += &format!(
                            " {part}: {:.4} m, then {:.4} mm/s;",
                            (middle - start).dot(direction),
                            (end - middle).dot(direction) * 100.0
                        );
                    }
                    println!("{line}");
                }
            }
        }
    }
}

#[test]
fn explore_hitch() {
    use crate::common::saloon::*;
    let slope = 15.0_f32.to_radians();
    for heading in [0.0, 1.5707963_f32, 3.14159265] {
        for substeps in [1, 3] {
            for sleeps in [false] {
                for pattern in 0..4 {
                    let normal = Vector::new(0.0, slope.cos(), -slope.sin());
                    let mut world = PhysicsWorld::new();
                    world.integration_parameters.dt = 1.0 / 60.0;
                    world.insert_collider(
                        ColliderBuilder::new(SharedShape::halfspace(normal)).friction(1.0),
                        None,
                    );
                    world.detect_collisions(&(), &());
                    let tilt =
                        Rotation::from_rotation_x(-slope) * Rotation::from_rotation_y(heading);
                    let pose = Pose::from_parts(normal * saloon_rest_height(), tilt);
                    let mut car = insert_saloon(&mut world, direct_saloon(), pose, substeps);
                    if !sleeps {
                        world.bodies[car.actor.body].activation_mut().normalized_linear_threshold =
                            -1.0;
                    }
                    car.vehicle.commands.brakes[0] = 1.0;
                    drive(&mut world, &mut car, 5.0);
                    let before = world.bodies[car.actor.body].translation();
                    let steps: Vec<Real> = match pattern {
                        0 => vec![1.0],
                        1 => (0..600).map(|i| if i % 2 == 0 { 1e-4 } else { 1.0 / 30.0 }).collect(),
                        2 => vec![0.3],
                        _ => (0..200).map(|i| [0.001, 0.05, 0.016, 0.1][i % 4]).collect(),
                    };
                    let mut worst: Real = 0.0;
                    for dt in steps {
                        world.integration_parameters.dt = dt;
                        car.step(&mut world).unwrap();
                        worst =
                            worst.max(world.bodies[car.actor.body].translation().distance(before));
                    }
                    world.integration_parameters.dt = 1.0 / 60.0;
                    for _ in 0..300 {
                        car.step(&mut world).unwrap();
                        worst =
                            worst.max(world.bodies[car.actor.body].translation().distance(before));
                    }
                    let after = world.bodies[car.actor.body].translation();
                    println!(
                        "HITCH heading {heading} substeps {substeps} pattern {pattern}: {:.5} m, worst {worst:.5}",
                        after.distance(before)
                    );
                }
            }
        }
    }
}
