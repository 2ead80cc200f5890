//! Wheels at bodies that give way, or come to them: crates, rams.

use rapier3d::prelude::*;
use snippets::presets;
use vehicle_rapier::Detail;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::vehicle::HasMechanics;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::road_query::RoadQueryParams;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

/// Steps per second and most substeps.
const RATES: [(Real, u32); 5] = [(30.0, 3), (60.0, 1), (60.0, 3), (120.0, 2), (240.0, 3)];

/// A preset on a floor of this friction, with nothing but its wheels to touch anything.
pub(crate) fn scene(
    name: &str,
    friction: Real,
    (rate, substeps): (Real, u32),
) -> (PhysicsWorld, AnyRapierVehicle) {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    let floor = ColliderBuilder::cuboid(100.0, 1.0, 100.0).translation(Vector::NEG_Y);
    world.insert_collider(floor.friction(friction), None);
    let vehicle = presets::vehicle(name).expect("a preset");
    let place = Pose::from_translation(Vector::Y * vehicle.standing_height(GRAVITY));
    world.detect_collisions(&(), &());
    let mut car = vehicle.insert(&mut world, place);
    let hull: Vec<_> = world.bodies[car.body()].colliders().to_vec();
    for collider in hull {
        world.colliders[collider].set_collision_groups(InteractionGroups::none());
    }
    car.road.lightest_obstacle = 0.0;
    car.detail = Detail { max_substeps: substeps, ..Detail::FULL };
    car.select(Selector::Neutral);
    for _ in 0..(0.3 * rate) as usize {
        car.step(&mut world).expect("the car can be driven");
    }
    (world, car)
}

/// A box at `place` (m) of this half size (m), `mass` (kg) and friction.
pub(crate) fn crate_at(
    world: &mut PhysicsWorld,
    place: Vector,
    half: Vector,
    mass: Real,
    friction: Real,
) -> RigidBodyHandle {
    let body = RigidBodyBuilder::dynamic().translation(place + Vector::Y * half.y);
    let shape = ColliderBuilder::cuboid(half.x, half.y, half.z).mass(mass).friction(friction);
    let shape = shape.friction_combine_rule(CoefficientCombineRule::Min);
    world.insert(body, shape).0
}

pub(crate) fn set_off(world: &mut PhysicsWorld, car: &mut AnyRapierVehicle, speed: Real) {
    world.bodies[car.body()].set_linvel(Vector::Z * speed, true);
    for wheel in 0..car.wheel_count() {
        let radius = car.mechanics().params.wheels[wheel].radius;
        let wheels = &mut car.vehicle.mechanics().state.wheels;
        wheels.edit(wheel, |wheel| wheel.rotation_speed = speed / radius);
    }
}

/// Momentum along the way (N·s) and energy of motion and height (J).
fn totals(world: &PhysicsWorld, bodies: &[RigidBodyHandle]) -> [Real; 2] {
    let parts = bodies.iter().map(|&body| {
        let body = &world.bodies[body];
        let height = body.mass() * GRAVITY * body.center_of_mass().y;
        [body.mass() * body.linvel().z, body.kinetic_energy() + height]
    });
    parts.fold([0.0; 2], |sum, part| [sum[0] + part[0], sum[1] + part[1]])
}

const MASSES: [Real; 6] = [1.0, 10.0, 100.0, 1e3, 3e3, 1e4];

/// Part of its momentum that springs which still swing are worth (dimensionless).
const SWINGING: Real = 0.004;
/// Part of its energy that a car gains at most (dimensionless).
const GAINED: Real = 0.015;
/// Most of the car's speed that a crate gets (dimensionless), with one step of 1/60 s and with
/// shorter ones; an elastic impact gives it up to 2.
const FASTEST: [Real; 2] = [1.75, 1.5];

/// A car that slides at `speed` (m/s) on ice against a crate of 40 cm and this mass (kg) and
/// friction. Returns what it and the crate lose of their momentum, and gain of energy at most, by
/// the energy of the motion. Returns also how fast the crate gets, by the speed.
fn slide(name: &str, (mass, friction): (Real, Real), speed: Real, rate: (Real, u32)) -> [Real; 3] {
    let (mut world, mut car) = scene(name, 0.0, rate);
    let front = Vector::Z * (3.0 + 0.2 * speed);
    let body = crate_at(&mut world, front, Vector::new(1.5, 0.25, 0.3), mass, friction);
    world.bodies[body].set_enabled(0.0 < mass);
    let bodies = [car.body(), body];
    for _ in 0..20 {
        world.step();
        car.step(&mut world).expect("the car can be driven");
    }
    set_off(&mut world, &mut car, speed);
    let [momentum, energy] = totals(&world, &bodies);
    let motion = world.bodies[car.body()].kinetic_energy();
    let (mut most, mut fastest): (Real, Real) = (energy, 0.0);
    for _ in 0..(1.5 * rate.0) as usize {
        car.step(&mut world).expect("the car can be driven");
        most = most.max(totals(&world, &bodies)[1]);
        fastest = fastest.max(world.bodies[body].linvel().z);
    }
    let [momentum_after, _] = totals(&world, &bodies);
    [(momentum_after - momentum) / momentum, (most - energy) / motion, fastest / speed]
}

#[test]
fn a_crate_takes_momentum_and_no_energy_comes_of_it() {
    let mut faults = Vec::new();
    for (name, friction) in
        [("hot_hatch", 0.0), ("hot_hatch", 0.8), ("pick_up", 0.8), ("kart", 0.0)]
    {
        for mass in MASSES {
            for speed in [2.0, 10.0] {
                for rate in RATES {
                    // A crate without mass is none: what the air takes of the momentum.
                    let [air, ..] = slide(name, (0.0, friction), speed, rate);
                    let [change, gained, fastest] = slide(name, (mass, friction), speed, rate);
                    let what = format!("{name}, {mass} kg of {friction}, {speed} m/s, {rate:?}");
                    let what = format!("{what}: {change}, {gained}, {fastest}");
                    let is_kept = air - SWINGING < change && change < SWINGING;
                    let most = FASTEST[usize::from(rate.1 != 1)];
                    if !is_kept || GAINED < gained || !(0.02..most).contains(&fastest) {
                        faults.push(what);
                    }
                }
            }
        }
    }
    let count = faults.len();
    assert!(faults.is_empty(), "{count} (momentum, energy, speed):\n{}", faults.join("\n"));
}

#[test]
fn a_car_pushes_a_crate_before_it() {
    for (mass, least) in [(10.0, 1.5), (100.0, 1.0)] {
        for rate in RATES {
            let (mut world, mut car) = scene("hot_hatch", 1.0, rate);
            let body =
                crate_at(&mut world, Vector::Z * 3.0, Vector::new(1.5, 0.25, 0.3), mass, 0.4);
            set_off(&mut world, &mut car, 4.0);
            for _ in 0..(2.0 * rate.0) as usize {
                car.step(&mut world).expect("the car can be driven");
            }
            let (pushed, car) =
                (world.bodies[body].translation(), world.bodies[car.body()].translation());
            assert!(3.0 + least < pushed.z, "{mass} kg, {rate:?}: {pushed}");
            assert!(car.z < pushed.z && pushed.y < 0.4, "{mass} kg, {rate:?}: {car}, {pushed}");
        }
    }
}

#[test]
fn a_ram_pushes_a_parked_car() {
    for rate in RATES {
        for (speed, pause) in [(0.5, 3.0), (3.0, 0.5)] {
            let (mut world, mut car) = scene("hot_hatch", 1.0, rate);
            let body = RigidBodyBuilder::kinematic_velocity_based()
                .translation(Vector::new(0.0, 0.5, 3.0));
            let (ram, _) =
                world.insert(body, ColliderBuilder::cuboid(1.5, 0.45, 0.2).friction(0.5));
            for _ in 0..(pause * rate.0) as usize {
                car.step(&mut world).expect("the car can be driven");
            }
            world.bodies[ram].set_linvel(Vector::NEG_Z * speed, true);
            let mut fastest: Real = 0.0;
            for _ in 0..(4.0 / speed * rate.0) as usize {
                if 1.0 < speed {
                    // A car that sleeps looks too seldom for a fast one.
                    let body = car.body();
                    world.bodies[body].wake_up(true);
                }
                car.step(&mut world).expect("the car can be driven");
                fastest = fastest.max(-world.bodies[car.body()].linvel().z);
            }
            let (place, front) =
                (world.bodies[car.body()].translation(), world.bodies[ram].translation());
            assert!(place.z + 1.0 < front.z, "{rate:?}, {speed} m/s: car {place}, ram {front}");
            assert!(fastest < 2.2 * speed, "{rate:?}, {speed} m/s: {fastest} m/s");
        }
    }
}

#[test]
fn loose_bodies_are_left_to_the_hull_unless_wheels_are_to_meet_them() {
    for (mass, lightest, meets) in
        [(150.0, None, false), (300.0, None, true), (150.0, Some(0.0), true)]
    {
        let (mut world, mut car) = scene("hot_hatch", 0.9, (60.0, 3));
        let usual = RoadQueryParams::default().lightest_obstacle;
        car.road.lightest_obstacle = lightest.unwrap_or(usual);
        crate_at(&mut world, Vector::Z * 3.0, Vector::new(1.5, 0.25, 0.3), mass, 0.5);
        set_off(&mut world, &mut car, 5.0);
        let mut met = false;
        for _ in 0..40 {
            car.step(&mut world).expect("the car can be driven");
            let obstacles = &car.mechanics().state.obstacles;
            let is_met = |wheel| obstacles.get(wheel).is_some_and(|it| it.obstacle.is_some());
            met |= (0..2).any(is_met);
        }
        assert_eq!(met, meets, "{mass} kg, {lightest:?}");
    }
}
