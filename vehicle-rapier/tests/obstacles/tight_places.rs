//! Wheels in tight places: between walls, askew, far from the origin, in rubble, and back in time.

use rapier3d::prelude::*;
use snippets::noise::Noise;
use vehicle_rapier::Fleet;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::giving_way::{crate_at, scene, set_off};

/// Steps per second and most substeps.
const RATES: [(Real, u32); 4] = [(30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1)];

/// A wall of this half size about `middle` (m), turned by `angle` about the vertical (rad).
fn wall(world: &mut PhysicsWorld, middle: Vector, half: Vector, angle: Real) {
    let shape = ColliderBuilder::cuboid(half.x, half.y, half.z).friction(0.8);
    let pose = Pose::from_parts(middle, Rotation::from_rotation_y(angle));
    world.insert_collider(shape.position(pose), None);
    world.detect_collisions(&(), &());
}

fn wheel_place(car: &AnyRapierVehicle) -> (Vector, Real) {
    let params = &car.mechanics().params;
    (params.suspensions[0].wheel_mount(), params.wheels[0].radius)
}

#[test]
fn a_wheel_between_two_walls_does_not_shake() {
    for rate in RATES {
        for room in [1.0, 0.97, 0.9] {
            let (mut world, mut car) = scene("hot_hatch", 1.0, rate);
            let (mount, radius) = wheel_place(&car);
            let body = world.bodies[car.body()].translation();
            let half = Vector::new(3.0, 0.3, 0.1);
            let away = room * radius + half.z;
            for side in [-1.0, 1.0] {
                let middle = Vector::new(0.0, 0.3, body.z + mount.z + side * away);
                wall(&mut world, middle, half, 0.0);
            }
            for _ in 0..(2.0 * rate.0) as usize {
                car.step(&mut world).expect("the car can be driven");
            }
            let start = world.bodies[car.body()].translation();
            let (mut fastest, mut far): (Real, Real) = (0.0, 0.0);
            for _ in 0..(2.0 * rate.0) as usize {
                car.step(&mut world).expect("the car can be driven");
                let body = &world.bodies[car.body()];
                fastest = fastest.max(body.linvel().length());
                far = far.max(body.translation().distance(start));
            }
            let what = format!("{rate:?}, room {room}: {fastest} m/s, {far} m");
            assert!(fastest < 0.02 && far < 0.005, "{what}");
        }
    }
}

#[test]
fn a_wall_is_met_askew_and_from_the_side() {
    for rate in RATES {
        for degrees in [0.0_f32, 30.0, 60.0, 80.0] {
            let (mut world, mut car) = scene("hot_hatch", 1.0, rate);
            let angle = degrees.to_radians();
            let normal = Rotation::from_rotation_y(angle) * Vector::Z;
            let half = Vector::new(20.0, 1.0, 1.0);
            wall(&mut world, Vector::Z * 6.0 + normal * half.z + Vector::Y, half, angle);
            set_off(&mut world, &mut car, 8.0);
            let start = world.bodies[car.body()].kinetic_energy();
            let (mut most, mut beyond): (Real, Real) = (0.0, Real::NEG_INFINITY);
            for _ in 0..(2.5 * rate.0) as usize {
                car.step(&mut world).expect("the car can be driven");
                let body = &world.bodies[car.body()];
                most = most.max(body.kinetic_energy() / start);
                beyond = beyond.max((body.translation() - Vector::Z * 6.0).dot(normal));
                assert!(0.8 < (body.rotation() * Vector::Y).y, "{rate:?}, {degrees} degrees");
            }
            assert!(most < 1.02, "{rate:?}, {degrees} degrees: {most} of the energy");
            // At a flat angle, a wheel that turns swings its side into the wall.
            let most = if degrees == 80.0 { -0.7 } else { 0.3 };
            assert!(beyond < most, "{rate:?}, {degrees} degrees: {beyond} m beyond the wall");
        }
    }
}

/// Greatest height and speed at the end of a car at 8 m/s over a kerb of 12 cm, `far` from the
/// origin (m).
fn kerb_far_away(far: Real, rate: (Real, u32)) -> [Real; 2] {
    let (mut world, mut car) = scene("hot_hatch", 1.0, rate);
    let away = Vector::new(far, 0.0, far);
    let half = Vector::new(20.0, 1.0, 20.0);
    wall(&mut world, away - Vector::Y, Vector::new(40.0, 1.0, 40.0), 0.0);
    wall(&mut world, away + Vector::new(0.0, 0.12 - half.y, 4.0 + half.z), half, 0.0);
    let place = world.bodies[car.body()].translation();
    world.bodies[car.body()].set_translation(away + Vector::Y * place.y, true);
    for _ in 0..10 {
        car.step(&mut world).expect("the car can be driven");
    }
    set_off(&mut world, &mut car, 8.0);
    let mut highest: Real = 0.0;
    for _ in 0..(1.5 * rate.0) as usize {
        car.step(&mut world).expect("the car can be driven");
        highest = highest.max(world.bodies[car.body()].translation().y - place.y);
    }
    [highest, world.bodies[car.body()].linvel().z]
}

#[test]
fn a_kerb_is_the_same_ten_kilometers_away() {
    for rate in [(60.0, 1), (60.0, 3)] {
        let [near, far] = [0.0, 7_071.0].map(|far| kerb_far_away(far, rate));
        let what = format!("{rate:?}: {near:?}, far {far:?}");
        assert!((near[0] - far[0]).abs() < 0.03 && (near[1] - far[1]).abs() < 0.3, "{what}");
    }
}

/// Acceleration by which the belt takes rubble along (m/s²), more than what friction takes.
const BELT: Real = 12.0;
/// Speed of the belt (m/s).
const BELT_SPEED: Real = 2.0;

/// A parked car stands in rubble on a belt for a minute. The belt takes the stones along, and
/// brings back what has passed. How high the car moves (m), how fast it is, and how fast a stone is
/// (m/s).
fn rubble_on_a_conveyor(seed: u64, rate: (Real, u32)) -> [Real; 3] {
    let (mut world, mut car) = scene("hot_hatch", 1.0, rate);
    let mut noise = Noise(seed);
    let rubble: Vec<_> = (0..16)
        .map(|_| {
            let half = Vector::new(1.0, 1.0, 1.0) * noise.within(0.04, 0.12);
            let place = Vector::new(noise.within(-1.0, 1.0), 0.0, noise.within(3.0, 9.0));
            let mass = 1_500.0 * 8.0 * half.x.powi(3);
            crate_at(&mut world, place, half, mass, 0.7)
        })
        .collect();
    car.commands_mut().brakes[0] = 1.0;
    let place = world.bodies[car.body()].translation();
    let [mut highest, mut fastest, mut fastest_stone]: [Real; 3] = [0.0; 3];
    let mut round = 0;
    for _ in 0..(60.0 * rate.0) as usize {
        for &stone in &rubble {
            let body = &mut world.bodies[stone];
            if body.translation().z < -9.0 || 1.0 < body.translation().y {
                let height = body.translation().y.min(0.15);
                body.set_translation(Vector::new(noise.within(-1.0, 1.0), height, 9.0), true);
                body.set_linvel(Vector::ZERO, true);
                round += 1;
            }
            let slower = (BELT_SPEED + body.linvel().z) * rate.0;
            let impulse = slower.clamp(-BELT, BELT) / rate.0 * body.mass();
            body.apply_impulse(Vector::NEG_Z * impulse, true);
        }
        car.step(&mut world).expect("the car can be driven");
        let body = &world.bodies[car.body()];
        highest = highest.max((body.translation().y - place.y).abs());
        fastest = fastest.max(body.linvel().length());
        let speeds = rubble.iter().map(|&stone| world.bodies[stone].linvel().length());
        fastest_stone = speeds.fold(fastest_stone, Real::max);
    }
    assert!(20 < round, "{rate:?}: the belt has brought {round} stones");
    [highest, fastest, fastest_stone]
}

#[test]
fn rubble_on_a_conveyor_neither_throws_a_car_nor_gains_energy() {
    let mut faults = Vec::new();
    for rate in [(30.0, 3), (60.0, 1), (60.0, 3)] {
        for seed in [2, 8] {
            let found @ [highest, fastest, stone] = rubble_on_a_conveyor(seed, rate);
            if 0.4 < highest || 3.0 < fastest || 6.0 < stone {
                faults.push(format!("{rate:?}, {seed}: {found:?} m, m/s, m/s"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Pushes a car against a crate and up a kerb; all positions of the last steps.
fn crash(count: usize, in_fleet: bool) -> Vec<[Real; 7]> {
    let (mut world, car) = scene("hot_hatch", 1.0, (60.0, 3));
    wall(&mut world, Vector::new(0.0, -0.9, 28.0), Vector::new(50.0, 1.0, 20.0), 0.3);
    let vehicle = snippets::presets::vehicle("hot_hatch").expect("a preset");
    let mut cars = vec![car];
    for index in 1..count {
        let pose = *world.bodies[cars[0].body()].position();
        let place = pose.translation + Vector::X * 4.0 * index as Real;
        let pose = Pose::from_parts(place, pose.rotation);
        let mut car = vehicle.insert(&mut world, pose);
        car.road.lightest_obstacle = 0.0;
        cars.push(car);
    }
    for index in 0..count {
        let place = Vector::new(4.0 * index as Real, 0.0, 3.5);
        crate_at(&mut world, place, Vector::new(0.9, 0.2, 0.2), 60.0, 0.5);
    }
    for car in &mut cars {
        set_off(&mut world, car, 7.0);
    }
    let steps = 120;
    let handles: Vec<_> = cars.iter().map(AnyRapierVehicle::body).collect();
    if in_fleet {
        let mut fleet = Fleet::new();
        for car in cars {
            fleet.insert(car);
        }
        for _ in 0..steps {
            assert!(fleet.step(&mut world).is_empty(), "all can be driven");
        }
    } else {
        for _ in 0..steps {
            for car in &mut cars {
                car.update(&mut world).expect("the car can be driven");
            }
            world.step();
        }
    }
    let pose = |handle: RigidBodyHandle| {
        let body = &world.bodies[handle];
        let ([x, y, z], [a, b, c]) = (body.translation().to_array(), body.linvel().to_array());
        [x, y, z, a, b, c, body.rotation().w]
    };
    handles.into_iter().map(pose).collect()
}

#[test]
fn cars_at_obstacles_have_the_same_bits_in_a_fleet() {
    assert_eq!(crash(6, true), crash(6, false));
}

/// A tire stands on a patch, so a wheel that stands still has its road for 0.05 s after it sees it
/// no more.
#[test]
fn ground_that_drops_away_is_left_after_a_twentieth_of_a_second() {
    let field = |height: Real| {
        let heights = Array2::new(13, 13, vec![height; 169]);
        SharedShape::new(HeightField::new(heights, Vector::new(12.0, 1.0, 12.0)))
    };
    for meets in [false, true] {
        for (rate, steps) in [(60.0, 3), (120.0, 6), (240.0, 12)] {
            let mut world = PhysicsWorld::new();
            world.integration_parameters.dt = 1.0 / rate;
            let ground = ColliderBuilder::new(field(0.0)).friction(1.0);
            let ground = world.insert_collider(ground, None);
            world.detect_collisions(&(), &());
            let model = snippets::presets::vehicle("hot_hatch").expect("a preset");
            let place = Vector::Y * model.standing_height(9.81);
            let mut car = model.insert(&mut world, Pose::from_translation(place));
            car.params.meets_obstacles = meets;
            car.commands_mut().brakes[0] = 1.0;
            for _ in 0..(0.5 * rate) as usize {
                car.step(&mut world).expect("the car can be driven");
            }
            world.colliders[ground].set_shape(field(-2.0));
            for _ in 0..=steps {
                car.step(&mut world).expect("the car can be driven");
            }
            let roads = &car.mechanics().state.roads;
            assert!((0..4).all(|wheel| roads.of(wheel).is_none()), "{meets}, {rate} Hz");
        }
    }
}
