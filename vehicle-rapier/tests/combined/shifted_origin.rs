//! Worlds whose origin is shifted while vehicles drive, park, and go back.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::Fleet;
use vehicle_rapier::core::Persistent;
use vehicle_rapier::core::vehicle::OwnState;
use vehicle_rapier::drawing::DrawnPoses;
use vehicle_rapier::origin_shift::shift_world;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle};

use crate::common::{DT, drive};

const SHIFT: Vector = Vector::new(256.0, -64.0, 512.0);

fn insert(world: &mut PhysicsWorld, x: Real) -> AnyRapierVehicle {
    let model = AnyVehicle::preset("hot_hatch").expect("a preset");
    let place = Vector::new(x, model.standing_height(9.81), 0.0);
    model.insert(world, Pose::from_translation(place))
}

/// A car that has driven off.
fn driving() -> (PhysicsWorld, AnyRapierVehicle) {
    let mut world = level_world(DT, 1.0);
    let mut car = insert(&mut world, 0.0);
    car.commands_mut().throttle = 0.5;
    drive(&mut world, &mut car, 0.5);
    (world, car)
}

fn place(world: &PhysicsWorld, car: &AnyRapierVehicle) -> Vector {
    car.pose(&world.bodies).expect("a body").translation
}

fn shift(world: &mut PhysicsWorld, car: &mut AnyRapierVehicle) {
    shift_world(&mut *world, SHIFT).expect("a shift");
    car.shift_origin(SHIFT).expect("a shift");
}

/// Checks that a car is at `expected` (m), but for rounding.
fn check_place(what: &str, world: &PhysicsWorld, car: &AnyRapierVehicle, expected: Vector) {
    let found = place(world, car);
    assert!(found.distance(expected) < 2e-3, "{what}: at {found} m, not at {expected} m");
}

#[test]
fn a_car_drives_on_in_a_shifted_world_as_in_its_own() {
    let (mut world, mut car) = driving();
    let (mut shifted_world, mut shifted) = driving();
    shift(&mut shifted_world, &mut shifted);
    check_place("at once", &shifted_world, &shifted, place(&world, &car) - SHIFT);
    for (world, car) in [(&mut world, &mut car), (&mut shifted_world, &mut shifted)] {
        drive(world, car, 0.5);
    }
    check_place("later", &shifted_world, &shifted, place(&world, &car) - SHIFT);
    assert!(1.0 < car.forward_speed(), "{} m/s", car.forward_speed());
    assert_eq!(shifted.origin(), SHIFT);
}

#[test]
fn a_reset_takes_a_car_to_the_shifted_place_whatever_came_between() {
    type Change = fn(&mut PhysicsWorld, &mut AnyRapierVehicle);
    let changes: [(&str, Change); 2] = [
        ("nothing", |_, _| {}),
        ("shifted back", |world, car| {
            shift_world(&mut *world, -SHIFT).expect("a shift");
            car.shift_origin(-SHIFT).expect("a shift");
            shift(world, car);
        }),
    ];
    for (name, change) in changes {
        let mut world = level_world(DT, 1.0);
        let mut car = insert(&mut world, 3.0);
        let home = place(&world, &car);
        car.commands_mut().throttle = 0.5;
        drive(&mut world, &mut car, 0.5);
        shift(&mut world, &mut car);
        change(&mut world, &mut car);
        car.reset(&mut world.bodies).expect("its start");
        check_place(name, &world, &car, home - SHIFT);
        drive(&mut world, &mut car, 0.2);
        check_place(name, &world, &car, home - SHIFT);
    }
}

#[test]
fn a_car_that_was_made_anew_keeps_origin_and_home() {
    let (mut world, mut car) = driving();
    let before = car.snapshot(&world.bodies).expect("a body");
    let then = place(&world, &car);
    shift(&mut world, &mut car);
    let model = AnyVehicle::preset("hot_hatch").expect("a preset");
    car.remake(&model, &mut world).expect("the same vehicle");
    assert_eq!(car.origin(), SHIFT);
    let home = place(&world, &car);
    drive(&mut world, &mut car, 0.2);
    car.reset(&mut world.bodies).expect("its start");
    check_place("reset", &world, &car, home);
    car.restore(&mut world, &before).expect("its own");
    check_place("restored", &world, &car, then - SHIFT);
}

#[test]
fn a_car_that_is_inserted_after_a_shift_is_told_the_origin() {
    let (mut world, mut server) = driving();
    let saved = server.snapshot(&world.bodies).expect("a body");
    let there = place(&world, &server);
    let home = saved.vehicle.start.expect("it was inserted").pose.translation;
    shift(&mut world, &mut server);
    let mut car = insert(&mut world, 9.0);
    let own_home = place(&world, &car);
    car.set_origin(server.origin()).expect("a place");
    car.reset(&mut world.bodies).expect("its start");
    check_place("reset", &world, &car, own_home);
    let start = car.vehicle.memory().start.expect("it was inserted");
    assert_eq!(start.origin, Some(SHIFT));
    shift(&mut world, &mut car);
    car.reset(&mut world.bodies).expect("its start");
    check_place("reset after a shift", &world, &car, own_home - SHIFT);
    // A snapshot that has come from another machine, on which the origin is elsewhere.
    car.restore(&mut world, &saved).expect("of its kind");
    check_place("restored", &world, &car, there - 2.0 * SHIFT);
    car.reset(&mut world.bodies).expect("the start of the other");
    check_place("reset to another's home", &world, &car, home - 2.0 * SHIFT);
    let error = car.set_origin(Vector::X * Real::NAN).expect_err("no place").to_string();
    assert!(error.starts_with("origin must be finite"), "{error}");
    assert_eq!(car.origin(), 2.0 * SHIFT);
}

/// A place that a vehicle remembers (m).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Home(Vector);

impl OwnState for Home {
    type Params = Vector;

    fn at_rest(home: &Vector, _wheel_count: usize) -> Self {
        Self(*home)
    }

    fn is_finite(&self) -> bool {
        self.0.is_finite()
    }

    fn shift(&mut self, shift: Vector) {
        self.0 -= shift;
    }
}

#[test]
fn state_of_ones_own_is_shifted_with_its_vehicle() {
    const HOME: Vector = Vector::new(3.0, 0.0, 4.0);
    let mut world = level_world(DT, 1.0);
    let model = AnyVehicle::preset("hot_hatch").expect("a preset");
    let pose = Pose::from_translation(Vector::Y * model.standing_height(9.81));
    let sequence = model.sequence::<Home>();
    let car = model.insert_with_own(&mut world, pose, HOME, sequence);
    let mut car = car.expect("no faults");
    let saved = car.snapshot(&world.bodies).expect("a body");
    shift_world(&mut world, SHIFT).expect("a shift");
    car.shift_origin(SHIFT).expect("a shift");
    assert_eq!(car.vehicle.own_state(), &Home(HOME - SHIFT));
    car.restore(&mut world, &saved).expect("its own");
    assert_eq!(car.vehicle.own_state(), &Home(HOME - SHIFT));
}

#[test]
fn a_snapshot_from_before_a_shift_is_restored_to_the_shifted_place() {
    let (mut world, mut car) = driving();
    let saved = car.snapshot(&world.bodies).expect("a body");
    let old_world = postcard::to_stdvec(&world).expect("plain data");
    let then = place(&world, &car);
    drive(&mut world, &mut car, 0.3);
    let later = place(&world, &car);
    shift(&mut world, &mut car);

    car.restore(&mut world, &saved).expect("its own");
    check_place("restored", &world, &car, then - SHIFT);
    drive(&mut world, &mut car, 0.3);
    check_place("on its way", &world, &car, later - SHIFT);

    // The world goes back as a whole, to its old origin.
    let mut world: PhysicsWorld = postcard::from_bytes(&old_world).expect("plain data");
    car.restore_with_world(&mut world.bodies, &saved).expect("its own");
    assert_eq!(car.origin(), Vector::ZERO);
    drive(&mut world, &mut car, 0.3);
    check_place("with its world", &world, &car, later);
}

#[test]
fn a_parked_fleet_sleeps_on_in_a_shifted_world() {
    let mut world = level_world(DT, 1.0);
    let mut fleet = Fleet::new();
    let cars = [0.0, 5.0].map(|x| fleet.insert(insert(&mut world, x)));
    for car in cars {
        fleet[car].commands_mut().brakes[0] = 1.0;
    }
    let step = |fleet: &mut Fleet, world: &mut PhysicsWorld| {
        let faults = fleet.step(world);
        assert!(faults.is_empty(), "{faults:?}");
    };
    for _ in 0..300 {
        step(&mut fleet, &mut world);
    }
    let sleeps = |fleet: &Fleet, world: &PhysicsWorld| {
        cars.map(|car| world.bodies[fleet[car].body()].is_sleeping())
    };
    assert_eq!(sleeps(&fleet, &world), [true; 2]);
    let before = cars.map(|car| place(&world, &fleet[car]));
    shift_world(&mut world, SHIFT).expect("a shift");
    fleet.shift_origin(SHIFT).expect("a shift");
    for _ in 0..40 {
        step(&mut fleet, &mut world);
        assert_eq!(sleeps(&fleet, &world), [true; 2]);
    }
    for (car, before) in cars.into_iter().zip(before) {
        check_place("parked", &world, &fleet[car], before - SHIFT);
    }
}

#[test]
fn a_shift_that_is_no_number_is_refused_and_changes_nothing() {
    let (mut world, mut car) = driving();
    let before = place(&world, &car);
    let bad = Vector::new(0.0, Real::NAN, 1.0);
    let error = shift_world(&mut world, bad).expect_err("no number").to_string();
    assert_eq!(error, car.shift_origin(bad).expect_err("no number").to_string());
    assert!(error.starts_with("shift must be finite"), "{error}");
    assert_eq!((place(&world, &car), car.origin()), (before, Vector::ZERO));
    drive(&mut world, &mut car, DT);
}

#[test]
fn a_car_is_drawn_on_its_way_while_the_origin_is_shifted() {
    let (mut world, mut car) = driving();
    let mut drawn = DrawnPoses::new(&car, &world.bodies, DT).expect("a body");
    let mut record = |world: &mut PhysicsWorld, car: &mut AnyRapierVehicle, shift: Vector| {
        if shift != Vector::ZERO {
            drawn.shift(shift);
        }
        drive(world, car, DT);
        drawn.record(car, &world.bodies, DT).expect("a body");
        let wheel = |share| drawn.wheel(2, share).expect("a wheel").translation;
        (drawn.chassis(0.0).translation, drawn.chassis(1.0).translation, wheel(0.0), wheel(1.0))
    };
    let before = record(&mut world, &mut car, Vector::ZERO);
    shift(&mut world, &mut car);
    let after = record(&mut world, &mut car, SHIFT);
    let ways = [
        ("body", before.1 - SHIFT, after.0, after.1),
        ("wheel", before.3 - SHIFT, after.2, after.3),
    ];
    for (what, expected, begin, end) in ways {
        assert!(begin.distance(expected) < 1e-3, "{what}: from {begin} m, not from {expected} m");
        assert!(begin.distance(end) < 1.0, "{what}: from {begin} m to {end} m");
    }
}
