//! What comes to wheels, and what is joined to their vehicle.

use rapier3d::prelude::*;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::giving_way::{scene, set_off};

/// Steps per second and most substeps.
const RATES: [(Real, u32); 4] = [(30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1)];

fn drive(world: &mut PhysicsWorld, car: &mut AnyRapierVehicle, steps: usize) {
    for _ in 0..steps {
        car.step(world).expect("the car can be driven");
    }
}

fn sleeps(world: &PhysicsWorld, car: &AnyRapierVehicle) -> bool {
    world.bodies[car.body()].is_sleeping()
}

/// A ram waits so near that it is at the wheels before a car that sleeps looks for the next time.
#[test]
fn a_ram_wakes_a_sleeping_car_before_it_is_in_its_wheels() {
    let mut faults = Vec::new();
    for rate in RATES {
        for (speed, gap) in [(0.5, 0.05), (1.0, 0.05), (3.0, 0.4), (3.0, 1.5), (6.0, 1.5)] {
            if 0.12 < speed / rate.0 {
                // By more than 0.4 radii in a step.
                continue;
            }
            let (mut world, mut car) = scene("hot_hatch", 1.0, rate);
            let params = &car.mechanics().params;
            let front = params.suspensions[0].wheel_mount().z + params.wheels[0].radius;
            let place = Vector::new(0.0, 0.5, front + gap + 0.2);
            let body = RigidBodyBuilder::kinematic_velocity_based().translation(place);
            let shape = ColliderBuilder::cuboid(1.5, 0.45, 0.2).friction(0.5);
            let (ram, _) = world.insert(body, shape);
            drive(&mut world, &mut car, (3.0 * rate.0) as usize);
            assert!(sleeps(&world, &car), "{rate:?}");
            // Between two looks.
            drive(&mut world, &mut car, 5);
            world.bodies[ram].set_linvel(Vector::NEG_Z * speed, true);
            let mut fastest: Real = 0.0;
            for _ in 0..((1.0 + gap / speed) * rate.0) as usize {
                drive(&mut world, &mut car, 1);
                fastest = fastest.max(world.bodies[car.body()].linvel().length());
            }
            let ahead =
                world.bodies[ram].translation().z - world.bodies[car.body()].translation().z;
            if fastest < 0.5 * speed || 2.2 * speed < fastest || ahead < front - 0.1 {
                faults.push(format!("{rate:?}, {speed} m/s, {gap} m: {fastest} m/s, {ahead} m"));
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn wheels_do_not_meet_what_is_joined_to_their_car() {
    for collides in [false, true] {
        let (mut world, mut car) = scene("hot_hatch", 1.0, (60.0, 3));
        let place = world.bodies[car.body()].translation();
        let front = car.mechanics().params.suspensions[0].wheel_mount().z;
        let reach = front + car.mechanics().params.wheels[0].radius + 0.3;
        let body = RigidBodyBuilder::dynamic().translation(place + Vector::Z * reach);
        let plow = ColliderBuilder::cuboid(0.9, 0.2, 0.25).mass(60.0);
        let (plow, _) = world.insert(body, plow);
        let anchor = Vector::Z * reach;
        let joint = FixedJointBuilder::new().local_anchor1(anchor).contacts_enabled(collides);
        world.impulse_joints.insert(car.body(), plow, joint, true);
        drive(&mut world, &mut car, 20);
        set_off(&mut world, &mut car, 5.0);
        world.bodies[plow].set_linvel(Vector::Z * 5.0, true);
        let mut meets = false;
        for _ in 0..60 {
            drive(&mut world, &mut car, 1);
            let obstacles = &car.mechanics().state.obstacles;
            meets |=
                (0..4).any(|wheel| obstacles.get(wheel).is_some_and(|it| it.obstacle.is_some()));
        }
        assert_eq!(meets, collides);
    }
}
