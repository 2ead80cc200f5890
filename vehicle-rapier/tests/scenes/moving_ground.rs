//! Ground that moves carries the car, and feels it.

use crate::common::{DT, EXECUTIONS, car, car_with, drive};
use rapier3d::prelude::*;
use snippets::scenes::level_world;
use snippets::vehicles::{SAMPLE_CENTER_OF_MASS, SAMPLE_REST_HEIGHT, sample_direct_drive};
use vehicle_rapier::core::lookup_table::LookupTable;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::{Activity, RapierVehicle, RoadQueryShape};

type Car = RapierVehicle<DirectDriveVehicle>;

/// A slab, its top at height 0.
fn slab(width: Real, length: Real) -> ColliderBuilder {
    ColliderBuilder::cuboid(width, 0.5, length).translation(Vector::Y * -0.5).friction(1.0)
}

/// A world with `platform`, and the sample car on it, braked, with its center of mass at `place`
/// (m) from the platform's axis.
fn on_platform(platform: RigidBodyBuilder, place: Vector) -> (PhysicsWorld, Car, RigidBodyHandle) {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let (platform, _) = world.insert(platform, slab(30.0, 30.0));
    // Bodies move from the world's first step on.
    world.step();
    let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
    let offset = Vector::new(0.0, SAMPLE_REST_HEIGHT, -SAMPLE_CENTER_OF_MASS.z);
    let start = world.bodies[platform].translation() + place + offset;
    world.bodies[car.actor.body].set_translation(start, true);
    car.vehicle.commands.brakes[0] = 1.0;
    (world, car, platform)
}

fn center(world: &PhysicsWorld, car: &Car) -> Vector {
    world.bodies[car.actor.body].center_of_mass()
}

fn forward(world: &PhysicsWorld, car: &Car) -> Vector {
    world.bodies[car.actor.body].rotation() * Vector::Z
}

/// Angle about the y axis from `from` to `to` (rad), in (-π, π].
fn yaw(from: Vector, to: Vector) -> Real {
    from.cross(to).y.atan2(from.x * to.x + from.z * to.z)
}

#[test]
fn parked_car_goes_round_with_a_turntable() {
    for execution in EXECUTIONS {
        for speed in [0.2, -0.5] {
            for place in [Vector::ZERO, Vector::X * 5.0, Vector::Z * -8.0] {
                let spin = RigidBodyBuilder::kinematic_velocity_based().angvel(Vector::Y * speed);
                let (mut world, mut car, _) = on_platform(spin, place);
                car.params.row_execution = execution;
                drive(&mut world, &mut car, 1.0);
                let (start, heading) = (center(&world, &car), forward(&world, &car));
                let seconds = 4.0;
                drive(&mut world, &mut car, seconds);
                let what = format!("{execution:?}, {speed} rad/s, at {place}");
                let turned = yaw(heading, forward(&world, &car));
                let expected = speed * seconds;
                assert!(
                    (turned / expected - 1.0).abs() < 0.02,
                    "{what}: {turned}, not {expected} rad"
                );
                let end = center(&world, &car);
                let arrived = Rotation::from_rotation_y(expected) * start;
                let error = arrived.distance(end);
                let allowed = 0.02 * expected.abs() * start.length().max(0.5);
                assert!(error < allowed, "{what}: {end} m, expected {arrived} m");
            }
        }
    }
}

#[test]
fn parked_car_stays_on_its_circle_turn_after_turn() {
    for execution in EXECUTIONS {
        for shape in [RoadQueryShape::Ray, RoadQueryShape::Cylinder] {
            let spin = RigidBodyBuilder::kinematic_velocity_based().angvel(Vector::Y * 0.5);
            let (mut world, mut car, _) = on_platform(spin, Vector::X * 8.0);
            car.params.row_execution = execution;
            car.road.shape = shape;
            drive(&mut world, &mut car, 2.0);
            let radius = |world: &PhysicsWorld, car: &Car| {
                let place = center(world, car);
                place.x.hypot(place.z)
            };
            let before = radius(&world, &car);
            drive(&mut world, &mut car, 25.0);
            let after = radius(&world, &car);
            assert!(
                (after / before - 1.0).abs() < 2e-3,
                "{execution:?}, {shape:?}: {before} m, then {after} m"
            );
        }
    }
}

#[test]
fn platform_carries_a_parked_car_in_every_direction() {
    for execution in EXECUTIONS {
        let directions =
            [Vector::X, Vector::NEG_X, Vector::Z, Vector::NEG_Z, Vector::Y, Vector::NEG_Y];
        for direction in directions {
            let velocity = direction * 2.0;
            let moving = RigidBodyBuilder::kinematic_velocity_based().linvel(velocity);
            let (mut world, mut car, _) = on_platform(moving, Vector::ZERO);
            car.params.row_execution = execution;
            drive(&mut world, &mut car, 3.0);
            let carried = world.bodies[car.actor.body].linvel();
            assert!(
                carried.distance(velocity) < 0.04,
                "{execution:?}: {carried}, not {velocity} m/s"
            );
            let before = center(&world, &car);
            drive(&mut world, &mut car, 2.0);
            let (moved, expected) = (center(&world, &car) - before, velocity * 2.0);
            assert!(moved.distance(expected) < 0.08, "{execution:?}: {moved}, not {expected} m");
        }
    }
}

#[test]
fn rising_platform_bears_the_load_of_a_standing_one() {
    for speed in [2.0, -2.0] {
        let rising = RigidBodyBuilder::kinematic_velocity_based().linvel(Vector::Y * speed);
        let (mut world, mut car, _) = on_platform(rising, Vector::ZERO);
        drive(&mut world, &mut car, 3.0);
        let suspensions = &car.vehicle.state.mechanics.suspensions;
        let load: Real = suspensions.iter().map(|suspension| suspension.force.force.y).sum();
        let weight = 2_014.4 * 9.81;
        assert!((load / weight - 1.0).abs() < 0.02, "{speed} m/s: {load} N, not {weight} N");
    }
}

#[test]
fn a_drive_on_a_platform_is_that_on_the_ground() {
    let drive_on = |velocity: Vector, shape| {
        let moving = RigidBodyBuilder::kinematic_velocity_based().linvel(velocity);
        let (mut world, mut car, platform) = on_platform(moving, Vector::Z * -5.0);
        car.road.shape = shape;
        world.bodies[car.actor.body].set_linvel(velocity, true);
        car.vehicle.commands.brakes[0] = 0.0;
        (car.vehicle.commands.throttle, car.vehicle.commands.steer) = (0.4, 0.3);
        drive(&mut world, &mut car, 1.5);
        (car.vehicle.commands.throttle, car.vehicle.commands.brakes[0]) = (0.0, 0.7);
        drive(&mut world, &mut car, 2.5);
        center(&world, &car) - world.bodies[platform].translation()
    };
    for shape in [RoadQueryShape::Ray, RoadQueryShape::Cylinder] {
        let expected = drive_on(Vector::ZERO, shape);
        for velocity in [Vector::X * 3.0, Vector::new(-1.0, 2.0, -4.0)] {
            let actual = drive_on(velocity, shape);
            let error = actual.distance(expected);
            assert!(error < 2e-3, "{shape:?}, {velocity}: {actual} m, not {expected} m");
        }
    }
}

#[test]
fn link_of_a_multibody_carries_the_car() {
    for execution in EXECUTIONS {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = DT;
        let base = world.insert_body(RigidBodyBuilder::fixed());
        let body = RigidBodyBuilder::dynamic().gravity_scale(0.0);
        let (platform, _) = world.insert(body, slab(30.0, 30.0).density(100.0));
        let rail = PrismaticJointBuilder::new(Vector::X).motor_velocity(1.5, 1.0e7);
        world.insert_multibody_joint(base, platform, rail);
        // Bodies move from the world's first step on.
        world.step();
        let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
        car.params.row_execution = execution;
        car.vehicle.commands.brakes[0] = 1.0;
        drive(&mut world, &mut car, 3.0);
        let speed = world.bodies[platform].linvel().x;
        assert!((speed / 1.5 - 1.0).abs() < 0.02, "the platform moves: {speed} m/s");
        let carried = world.bodies[car.actor.body].linvel();
        assert!(
            carried.distance(Vector::X * speed) < 0.03,
            "{execution:?}: {carried}, not {speed} m/s"
        );
    }
}

#[test]
fn sleeping_car_wakes_when_its_ground_begins_to_move_or_is_removed() {
    for execution in EXECUTIONS {
        let still = || RigidBodyBuilder::kinematic_velocity_based();
        let (mut world, mut car, platform) = on_platform(still(), Vector::ZERO);
        car.params.row_execution = execution;
        assert_eq!(drive(&mut world, &mut car, 3.0), Activity::Asleep);
        world.bodies[platform].set_linvel(Vector::X, true);
        drive(&mut world, &mut car, 2.0);
        let carried = world.bodies[car.actor.body].linvel();
        assert!(carried.distance(Vector::X) < 0.02, "{execution:?}: {carried}");

        let (mut world, mut car, platform) = on_platform(still(), Vector::ZERO);
        car.params.row_execution = execution;
        assert_eq!(drive(&mut world, &mut car, 3.0), Activity::Asleep);
        world.remove_body(platform);
        drive(&mut world, &mut car, 1.0);
        let falling = world.bodies[car.actor.body].linvel().y;
        assert!((falling / -9.81 - 1.0).abs() < 0.05, "{execution:?}: {falling} m/s");
    }
}

#[test]
fn barge_is_pushed_back_by_the_car_that_accelerates_on_it() {
    for execution in EXECUTIONS {
        for shape in [RoadQueryShape::Ray, RoadQueryShape::Cylinder] {
            let mass = 5_000.0;
            // It floats: only its height and attitude are held.
            let barge = RigidBodyBuilder::dynamic()
                .gravity_scale(0.0)
                .enabled_translations(true, false, true)
                .lock_rotations()
                .additional_mass(mass);
            let mut world = PhysicsWorld::new();
            world.integration_parameters.dt = DT;
            let (barge, _) = world.insert(barge, slab(3.0, 60.0).density(0.0));
            world.step();
            let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
            car.params.row_execution = execution;
            car.road.pushes_ground = true;
            car.road.shape = shape;
            car.vehicle.commands.throttle = 0.5;
            drive(&mut world, &mut car, 3.0);
            let momentum = 2_014.4 * world.bodies[car.actor.body].linvel().z;
            let pushed = mass * world.bodies[barge].linvel().z;
            assert!(5_000.0 < momentum, "{execution:?}, {shape:?}: the car drives, {momentum} N·s");
            let error = (momentum + pushed) / momentum;
            assert!(
                error.abs() < 0.02,
                "{execution:?}, {shape:?}: {momentum} N·s, the barge {pushed} N·s"
            );
            // Brakes stop the car on the barge: both stand again.
            (car.vehicle.commands.throttle, car.vehicle.commands.brakes[0]) = (0.0, 1.0);
            drive(&mut world, &mut car, 3.0);
            let left = world.bodies[barge].linvel().z;
            assert!(
                left.abs() < 0.02 * pushed.abs() / mass,
                "{execution:?}, {shape:?}: {left} m/s"
            );
        }
    }
}

#[test]
fn car_and_drifting_barge_come_to_one_speed() {
    for execution in EXECUTIONS {
        for direction in [Vector::X, Vector::Z] {
            let barge = RigidBodyBuilder::dynamic()
                .gravity_scale(0.0)
                .enabled_translations(true, false, true)
                .lock_rotations()
                .linvel(direction * 2.0)
                .additional_mass(5_000.0);
            let mut world = PhysicsWorld::new();
            world.integration_parameters.dt = DT;
            let (barge, _) = world.insert(barge, slab(60.0, 60.0).density(0.0));
            world.step();
            let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
            car.params.row_execution = execution;
            car.road.pushes_ground = true;
            car.vehicle.commands.brakes[0] = 1.0;
            drive(&mut world, &mut car, 5.0);
            // (m_barge + m_car) v' = m_barge v
            let expected = direction * (2.0 * 5_000.0 / (5_000.0 + 2_014.4));
            for body in [barge, car.actor.body] {
                let velocity = world.bodies[body].linvel();
                assert!(
                    velocity.distance(expected) < 0.02,
                    "{execution:?}: {velocity}, not {expected} m/s"
                );
            }
        }
    }
}

/// Pitch (rad) after 3 s of a plank of 5 t on a block of half width 1 m. The braked car's center of
/// mass is `distance` (m) from the middle.
fn pitch_of_plank(distance: Real) -> Real {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let block = ColliderBuilder::cuboid(3.0, 1.0, 1.0).translation(Vector::Y * -1.2);
    world.insert_collider(block, None);
    let plank = ColliderBuilder::cuboid(3.0, 0.1, 8.0).translation(Vector::Y * -0.1);
    let plank = plank.density(5_000.0 / (6.0 * 0.2 * 16.0)).friction(1.0);
    let (plank, _) = world.insert(RigidBodyBuilder::dynamic(), plank);
    // Bodies move from the world's first step on.
    world.step();
    let mut params = sample_direct_drive().expect("valid data");
    for compliance in &mut params.mechanics.compliances {
        // Forces act where the wheels stand.
        compliance.suspension_force_point = LookupTable::constant(Vector::ZERO);
        compliance.tire_force_point = LookupTable::constant(Vector::ZERO);
    }
    let mut car = car_with(&mut world, params, SAMPLE_REST_HEIGHT);
    let at = Vector::new(0.0, SAMPLE_REST_HEIGHT, distance - SAMPLE_CENTER_OF_MASS.z);
    world.bodies[car.actor.body].set_translation(at, true);
    car.road.pushes_ground = true;
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 3.0);
    (world.bodies[plank].rotation() * Vector::Z).y.asin()
}

#[test]
fn plank_tips_when_the_car_stands_too_far_out() {
    // m_car (x - w) = m_plank w
    let tipping = 1.0 * (1.0 + 5_000.0 / 2_014.4);
    let (before, beyond) = (pitch_of_plank(0.98 * tipping), pitch_of_plank(1.02 * tipping));
    assert!(before.abs() < 0.005, "{before} rad short of {tipping} m");
    assert!(beyond < -0.02, "{beyond} rad beyond {tipping} m");
}

#[test]
fn fixed_ground_and_ground_that_is_not_to_be_pushed_stay() {
    let mut world = level_world(DT, 1.0);
    let box_on_ground = RigidBodyBuilder::dynamic().gravity_scale(0.0).can_sleep(false);
    let slab = slab(3.0, 10.0).translation(Vector::new(0.0, 0.5, 0.0)).density(1_000.0);
    let (raft, _) = world.insert(box_on_ground, slab);
    // Bodies move from the world's first step on.
    world.step();
    let mut car = car(&mut world, SAMPLE_REST_HEIGHT + 1.0);
    car.vehicle.commands.throttle = 0.3;
    drive(&mut world, &mut car, 1.0);
    assert!(1.0 < car.forward_speed());
    let moved = world.bodies[raft].linvel().length();
    assert!(moved < 1e-3, "{moved} m/s");
}

#[test]
fn car_and_the_body_that_it_stands_on_fall_asleep_together() {
    for execution in EXECUTIONS {
        let mut world = level_world(DT, 1.0);
        let slab = slab(3.0, 10.0).translation(Vector::new(0.0, 0.5, 0.0)).density(100.0);
        let (raft, _) = world.insert(RigidBodyBuilder::dynamic(), slab);
        // Bodies move from the world's first step on.
        world.step();
        let mut car = car(&mut world, SAMPLE_REST_HEIGHT + 1.0);
        car.params.row_execution = execution;
        car.road.pushes_ground = true;
        car.vehicle.commands.brakes[0] = 1.0;
        assert_eq!(drive(&mut world, &mut car, 6.0), Activity::Asleep, "{execution:?}");
        assert!(world.bodies[raft].is_sleeping(), "{execution:?}");
    }
}
