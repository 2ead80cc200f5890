//! Wheels that lose their masses while their vehicle is far away, and get them back.

use crate::common::grounds::drivable_world_of;
use crate::common::mixed::bits_of;
use rapier3d::prelude::*;
use snippets::crowd::{hill_height, hills};
use snippets::presets::{driven, vehicle};
use snippets::scenes::level_world;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::vehicle::ReadVehicle;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;
use vehicle_rapier::{Detail, Fleet};

const RELIEVED: Detail = Detail { wheel_mass: false, ..Detail::FULL };
/// What vehicles at some distance may be given.
const COARSE: Detail = Detail { max_substeps: 1, ..Detail::FULL };
/// What far-off vehicles of a game may be given.
const FAR: Detail = Detail { road_period: 4, max_substeps: 1, wheel_mass: false };

const DT: Real = 1.0 / 60.0;
/// Speed at which vehicles roll over hills (m/s).
const SPEED: Real = 12.0;

/// A preset that starts on `world` at `SPEED`, in its gear.
fn start(world: &mut PhysicsWorld, name: &str, ground: Real) -> AnyRapierVehicle {
    let model = vehicle(name).expect("a preset");
    let place = Vector::new(0.0, ground + model.standing_height(GRAVITY), -40.0);
    let mut car = model.insert(world, Pose::from_translation(place));
    car.select(Selector::Drive);
    car
}

/// Where the body is, and how it moves and turns.
#[derive(Clone, Copy)]
struct Motion(Vector, Vector, Vector);

fn motion(world: &PhysicsWorld, car: &AnyRapierVehicle) -> Motion {
    let body = &world.bodies[car.body()];
    Motion(body.center_of_mass(), body.linvel(), body.angvel())
}

/// Motions of a preset that steers to and fro on hills, by the detail that `detail` says.
fn over_hills(name: &str, steps: usize, detail: impl Fn(usize) -> Detail) -> Vec<Motion> {
    let mut world = drivable_world_of([hills(200, 1.0)]);
    world.integration_parameters.dt = DT;
    let mut car = start(&mut world, name, hill_height(0.0, -40.0) + 0.1);
    // Triangles of 1 m are to a toy what boulders are to a car.
    let speed = if name == "rc_car" { 0.3 * SPEED } else { SPEED };
    car.set_velocity(&mut world.bodies, Vector::Z * speed).expect("a velocity");
    let step = |step: usize| {
        let commands = car.commands_mut();
        commands.throttle = 0.2;
        commands.steer = 0.1 * (step as Real * 0.05).sin();
        car.detail = detail(step);
        car.step(&mut world).expect("the car can be driven");
        motion(&world, &car)
    };
    (0..steps).map(step).collect()
}

#[test]
fn a_change_moves_no_preset_by_a_millimeter() {
    let (first, steps) = (60, 180);
    for name in driven() {
        let mut most = [0.0_f32; 3];
        for (old, new) in [(Detail::FULL, RELIEVED), (RELIEVED, Detail::FULL)] {
            let unchanged = over_hills(name, steps, |_| old);
            for change in (first..steps).step_by(17) {
                let changed =
                    over_hills(name, change + 1, |step| if step < change { old } else { new });
                let (Motion(place, velocity, turning), Motion(at, v, w)) =
                    (unchanged[change], changed[change]);
                let differences = [place.distance(at), velocity.distance(v), turning.distance(w)];
                let [place, speed, turning] = differences;
                most = [most[0].max(place), most[1].max(speed), most[2].max(turning)];
                assert!(place < 1e-3, "{name}, step {change}: {place} m");
                // What moves the end of a toy by so much turns it faster.
                let most_turning = if name == "rc_car" { 0.2 } else { 0.1 };
                assert!(turning < most_turning, "{name}, step {change}: {turning} rad/s");
            }
        }
        eprintln!("{name}: {most:?} m, m/s, rad/s");
        let has_mass = vehicle(name).expect("a preset").mechanics().suspension_dynamics.has_mass();
        assert_eq!(0.0 < most[1], has_mass, "{name}: something is left out");
    }
}

/// Motions of a preset that turns slowly on level ground, by the detail that `detail` says.
fn in_a_slow_bend(
    name: &str,
    speed: Real,
    steps: usize,
    detail: impl Fn(usize) -> Detail,
) -> Vec<Motion> {
    let mut world = level_world(DT, 1.0);
    let mut car = start(&mut world, name, 0.0);
    car.set_velocity(&mut world.bodies, Vector::Z * speed).expect("a velocity");
    let step = |step: usize| {
        let slower = speed - car.forward_speed();
        let commands = car.commands_mut();
        commands.throttle = (0.1 + 0.3 * slower).clamp(0.0, 1.0);
        commands.steer = 0.3;
        car.detail = detail(step);
        car.step(&mut world).expect("the car can be driven");
        motion(&world, &car)
    };
    (0..steps).map(step).collect()
}

#[test]
fn a_change_moves_no_slow_preset_by_a_millimeter() {
    let (first, steps) = (60, 120);
    for name in driven() {
        for speed in [1.6, 3.6] {
            let mut most = [0.0_f32; 2];
            for (old, new) in [(Detail::FULL, COARSE), (COARSE, Detail::FULL), (COARSE, FAR)] {
                let unchanged = in_a_slow_bend(name, speed, steps, |_| old);
                for change in (first..steps).step_by(23) {
                    let detail = |step| if step < change { old } else { new };
                    let changed = in_a_slow_bend(name, speed, change + 1, detail);
                    let (Motion(place, velocity, _), Motion(at, v, _)) =
                        (unchanged[change], changed[change]);
                    most = [most[0].max(place.distance(at)), most[1].max(velocity.distance(v))];
                }
            }
            eprintln!("{name}, {speed} m/s: {most:?} m, m/s");
            assert!(most[0] < 1e-3, "{name}, {speed} m/s: {} m", most[0]);
        }
    }
}

#[test]
fn a_slow_car_turns_alike_on_every_level() {
    for name in ["hot_hatch", "electric_car", "truck_6x6"] {
        for speed in [1.6, 3.6] {
            let steps = 240;
            let [full, coarse, far] = [Detail::FULL, COARSE, FAR].map(|detail| {
                let motions = in_a_slow_bend(name, speed, steps, |_| detail);
                motions[steps - 1]
            });
            let way = speed * DT * steps as Real;
            for (level, Motion(place, _, turning)) in [("coarse", coarse), ("far", far)] {
                let Motion(expected, _, expected_turning) = full;
                let away = place.distance(expected);
                let slower = (turning.y / expected_turning.y - 1.0).abs();
                eprintln!("{name}, {speed} m/s, {level}: {away} m of {way} m, {slower}");
                assert!(away < 0.02 * way, "{name}, {speed} m/s, {level}: {away} m of {way} m");
                assert!(slower < 0.03, "{name}, {speed} m/s, {level}: turns by {slower} otherwise");
            }
        }
    }
}

#[test]
fn a_parked_preset_stays_through_all_changes() {
    for name in driven() {
        let mut world = level_world(DT, 1.0);
        world.gravity = Rotation::from_axis_angle(Vector::X, 0.2) * world.gravity;
        let mut car = start(&mut world, name, 0.0);
        car.commands_mut().brakes[0] = 1.0;
        // It is to stay awake.
        world.bodies[car.body()].activation_mut().normalized_linear_threshold = -1.0;
        let mut step = |car: &mut AnyRapierVehicle| {
            car.step(&mut world).expect("the car can be driven");
            motion(&world, car)
        };
        for _ in 0..300 {
            let _settling = step(&mut car);
        }
        let Motion(start, ..) = step(&mut car);
        let (mut farthest, mut left): (Real, Real) = (0.0, 0.0);
        for frame in 0..900 {
            let level = frame / 45 % 4;
            car.detail = [RELIEVED, Detail::FULL, FAR, Detail::FULL][level];
            let Motion(at, ..) = step(&mut car);
            farthest = farthest.max(start.distance(at));
            if level % 2 == 1 && frame % 45 == 44 {
                left = left.max(start.distance(at));
            }
        }
        eprintln!("{name}: {farthest} m, {left} m");
        assert!(farthest < 2e-3, "{name}: {farthest} m");
        assert!(left < 1e-3, "{name}: {left} m");
    }
}

#[test]
fn a_snapshot_goes_back_to_wheels_with_or_without_mass() {
    for detail in [Detail::FULL, RELIEVED] {
        let mut world = level_world(DT, 1.0);
        let mut car = start(&mut world, "hot_hatch", 0.0);
        car.detail = detail;
        car.commands_mut().throttle = 0.5;
        let drive = |world: &mut PhysicsWorld, car: &mut AnyRapierVehicle, steps: usize| {
            for _ in 0..steps {
                car.step(world).expect("the car can be driven");
            }
        };
        drive(&mut world, &mut car, 100);
        let snapshot = car.snapshot(&world.bodies).expect("a body");
        drive(&mut world, &mut car, 60);
        let expected = bits_of(&world, &car);
        for other in [Detail::FULL, RELIEVED] {
            car.detail = other;
            drive(&mut world, &mut car, 20);
            car.restore(&mut world, &snapshot).expect("its own snapshot");
            assert_eq!(car.vehicle.has_unsprung_masses(), detail.wheel_mass);
            drive(&mut world, &mut car, 60);
            assert_eq!(expected, bits_of(&world, &car), "{detail:?} after {other:?}");
        }
    }
}

#[test]
fn a_change_gives_the_same_bits_after_a_snapshot() {
    for (old, new) in [(Detail::FULL, RELIEVED), (RELIEVED, Detail::FULL)] {
        let mut world = drivable_world_of([hills(100, 2.0)]);
        let mut car = start(&mut world, "pick_up", hill_height(0.0, -40.0) + 0.1);
        car.detail = old;
        car.commands_mut().throttle = 0.5;
        for _ in 0..100 {
            car.step(&mut world).expect("the car can be driven");
        }
        let snapshot = car.snapshot(&world.bodies).expect("a body");
        let mut go_on = |car: &mut AnyRapierVehicle| {
            car.detail = new;
            for _ in 0..40 {
                car.step(&mut world).expect("the car can be driven");
            }
            let bits = bits_of(&world, car);
            car.restore(&mut world, &snapshot).expect("its own snapshot");
            bits
        };
        let first = go_on(&mut car);
        assert_eq!(first, go_on(&mut car), "to {new:?}");
    }
}

#[test]
fn a_fleet_of_near_and_far_presets_gives_the_same_bits_as_alone() {
    let names = driven();
    let place = |index: usize| Vector::new(6.0 * index as Real, 0.0, 0.0);
    let insert = |world: &mut PhysicsWorld, index: usize| {
        let model = vehicle(names[index]).expect("a preset");
        let place = place(index) + Vector::Y * model.standing_height(GRAVITY);
        let mut car = model.insert(world, Pose::from_translation(place));
        car.select(Selector::Drive);
        car.commands_mut().throttle = 0.4;
        car.detail = if index.is_multiple_of(2) { FAR } else { Detail::FULL };
        car
    };
    let mut world = level_world(DT, 1.0);
    let mut fleet = Fleet::new();
    for index in 0..names.len() {
        let car = insert(&mut world, index);
        fleet.insert(car);
    }
    for _ in 0..120 {
        assert_eq!(fleet.step(&mut world), []);
    }
    for (index, (_, car)) in fleet.iter().enumerate() {
        let car: &AnyRapierVehicle = car;
        let mut own_world = level_world(DT, 1.0);
        let mut alone = insert(&mut own_world, index);
        for _ in 0..120 {
            alone.step(&mut own_world).expect("the car can be driven");
        }
        let (Motion(place, velocity, _), Motion(at, v, _)) =
            (motion(&world, car), motion(&own_world, &alone));
        assert_eq!((place, velocity), (at, v), "{}", names[index]);
        assert_eq!(car.vehicle.has_unsprung_masses(), car.detail.wheel_mass, "{}", names[index]);
    }
}
