//! What comes to wheels, and what is joined to their vehicle.

use rapier3d::prelude::*;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::giving_way::{crate_at, scene, set_off};

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

/// A crate is pushed at a wheel of a parked car for ten seconds, and does not go through it.
#[test]
fn a_parked_car_holds_what_is_pushed_at_its_wheels() {
    for rate in RATES {
        let (mut world, mut car) = scene("hot_hatch", 1.0, rate);
        car.commands_mut().brakes[0] = 1.0;
        let mount = car.mechanics().params.suspensions[0].wheel_mount();
        let front = mount.z + car.mechanics().params.wheels[0].radius;
        let half = Vector::new(0.11, 0.11, 0.11);
        let place = Vector::new(mount.x, 0.0, front + 0.2);
        let stone = crate_at(&mut world, place, half, 16.0, 0.5);
        drive(&mut world, &mut car, (3.0 * rate.0) as usize);
        assert!(sleeps(&world, &car), "{rate:?}");
        world.bodies[stone].add_force(Vector::NEG_Z * 150.0, true);
        let mut fastest: Real = 0.0;
        for _ in 0..(10.0 * rate.0) as usize {
            drive(&mut world, &mut car, 1);
            fastest = fastest.max(world.bodies[stone].linvel().length());
        }
        let ahead = world.bodies[stone].translation().z - mount.z;
        assert!(0.2 < ahead && fastest < 3.0, "{rate:?}: {ahead} m ahead, {fastest} m/s");
    }
}

/// A crate that is put into a wheel is pushed out, and not shot.
#[test]
fn what_is_put_into_a_wheel_leaves_it_slowly() {
    let mut faults = Vec::new();
    for rate in RATES {
        for (ahead, beside) in [(0.1, 0.0), (0.25, 0.0), (0.0, 0.1), (-0.2, -0.1), (0.3, 0.15)] {
            let (mut world, mut car) = scene("hot_hatch", 1.0, rate);
            car.commands_mut().brakes[0] = 1.0;
            let mount = car.mechanics().params.suspensions[0].wheel_mount();
            let half = Vector::new(0.11, 0.11, 0.11);
            let stone = crate_at(&mut world, Vector::Z * 9.0, half, 16.0, 0.5);
            drive(&mut world, &mut car, (0.5 * rate.0) as usize);
            let place = Vector::new(mount.x + beside, 0.11, mount.z + ahead);
            world.bodies[stone].set_translation(place, true);
            // It comes, so that the wheel looks for it.
            world.bodies[stone].set_linvel(Vector::NEG_Z * 0.5 * ahead.signum(), true);
            let mut fastest: Real = 0.0;
            for _ in 0..(3.0 * rate.0) as usize {
                drive(&mut world, &mut car, 1);
                fastest = fastest.max(world.bodies[stone].linvel().length());
            }
            if 3.0 < fastest {
                faults.push(format!("{rate:?}, {ahead} m, {beside} m: {fastest} m/s"));
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

#[test]
fn wheels_do_not_stand_on_what_is_joined_to_their_car() {
    for collides in [false, true] {
        let (mut world, mut car) = scene("hot_hatch", 1.0, (60.0, 3));
        let down = 0.1 - world.bodies[car.body()].translation().y;
        let place = world.bodies[car.body()].translation() + Vector::Y * down;
        // A floor between the wheels' tops and the road.
        let floor = ColliderBuilder::cuboid(1.5, 0.02, 3.0).mass(60.0);
        let body = RigidBodyBuilder::dynamic().translation(place);
        let (floor, _) = world.insert(body, floor);
        let joint = FixedJointBuilder::new().local_anchor1(Vector::Y * down);
        let joint = joint.contacts_enabled(collides);
        world.impulse_joints.insert(car.body(), floor, joint, true);
        drive(&mut world, &mut car, 2);
        let roads = &car.mechanics().state.roads;
        let highest = (0..4).filter_map(|wheel| roads.get(wheel).flatten());
        let highest = highest.map(|road| -road.plane.offset).fold(0.0, Real::max);
        assert_eq!(0.01 < highest, collides, "{highest} m");
    }
}
