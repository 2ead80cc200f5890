//! Wheels that are lost with their mass, and are there again by another way than they went.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::core::Persistent;
use vehicle_rapier::core::mass_distribution::MassDistribution;
use vehicle_rapier::core::vehicle::HasMechanics;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle};
use vehicle_rapier::{Chassis, RapierVehicle};

use crate::common::{DT, drive};

fn model() -> AnyVehicle {
    AnyVehicle::preset("hot_hatch").expect("a preset")
}

/// A car that drives at 10 m/s.
fn driving() -> (PhysicsWorld, AnyRapierVehicle) {
    let mut world = level_world(DT, 1.0);
    let model = model();
    let place = Pose::from_translation(Vector::Y * model.standing_height(9.81));
    let mut car = model.insert(&mut world, place);
    car.set_velocity(&mut world.bodies, Vector::Z * 10.0).expect("a velocity");
    drive(&mut world, &mut car, 0.2);
    (world, car)
}

/// Checks that vehicle and body have this mass, after a step.
fn check_mass(
    what: &str,
    world: &mut PhysicsWorld,
    car: &mut AnyRapierVehicle,
    expected: &MassDistribution,
) {
    car.step(world).expect("body and vehicle are alike");
    let found = car.mass();
    let (mass, inertia) = (expected.rigid_body.mass, expected.rigid_body.inertia);
    let body = &world.bodies[car.body()];
    for (name, found) in [("vehicle", found.rigid_body.mass), ("body", body.mass())] {
        assert!((found / mass - 1.0).abs() < 1e-6, "{what}, {name}: {found} kg, not {mass} kg");
    }
    let error = (found.rigid_body.inertia / inertia - Vector::ONE).abs().max_element();
    assert!(error < 1e-4, "{what}: {found:?}, not {expected:?}");
    let error = found.center_of_mass.distance(expected.center_of_mass);
    assert!(error < 1e-5, "{what}: {found:?}, not {expected:?}");
    let error = body.local_center_of_mass().distance(expected.center_of_mass);
    assert!(error < 1e-4, "{what}: {error} m from the center of the body");
}

#[test]
fn a_wheel_brings_its_mass_back_whichever_way_it_comes() {
    type Back = fn(&mut PhysicsWorld, &mut AnyRapierVehicle);
    let ways: [(&str, Back); 4] = [
        ("reset", |world, car| car.reset(&mut world.bodies).expect("its start")),
        ("attached", |world, car| {
            for wheel in [2, 0] {
                car.attach_wheel(&mut world.bodies, wheel).expect("a wheel");
            }
        }),
        ("made anew, then reset", |world, car| {
            car.remake(&model(), &mut *world).expect("the same vehicle");
            car.reset(&mut world.bodies).expect("its start");
        }),
        ("as it is refitted after a way back and forth", |world, car| {
            let without = car.snapshot(&world.bodies).expect("a body");
            car.reset(&mut world.bodies).expect("its start");
            car.restore(world, &without).expect("its own");
            for wheel in [0, 2] {
                car.attach_wheel(&mut world.bodies, wheel).expect("a wheel");
            }
        }),
    ];
    for (name, back) in ways {
        let (mut world, mut car) = driving();
        let whole = car.mass();
        for wheel in [0, 2] {
            car.lose_wheel(&mut world, wheel).expect("a wheel");
        }
        drive(&mut world, &mut car, 0.1);
        assert!(car.mass().rigid_body.mass < whole.rigid_body.mass - 10.0);
        back(&mut world, &mut car);
        assert_eq!(car.mechanics().state.attached_wheels().len(), 4, "{name}");
        check_mass(name, &mut world, &mut car, &whole);
        let again = car.lose_wheel(&mut world, 2).expect("it is on");
        car.refit_wheel(&mut world, &again).expect("it is lost");
        check_mass(name, &mut world, &mut car, &whole);
    }
}

#[test]
fn snapshots_know_what_was_lost() {
    let (mut world, mut car) = driving();
    let whole = car.mass();
    let before = car.snapshot(&world.bodies).expect("a body");
    let loose = car.lose_wheel(&mut world, 1).expect("a wheel");
    let rest = car.mass();
    let after = car.snapshot(&world.bodies).expect("a body");
    let bytes = postcard::to_allocvec(&after).expect("plain data");
    let after: vehicle_rapier::vehicle_file::AnySnapshot =
        postcard::from_bytes(&bytes).expect("its own bytes");
    drive(&mut world, &mut car, DT);

    car.restore(&mut world, &before).expect("its own");
    check_mass("before", &mut world, &mut car, &whole);
    car.restore(&mut world, &after).expect("its own");
    check_mass("after", &mut world, &mut car, &rest);
    car.refit_wheel(&mut world, &loose).expect("it is lost");
    check_mass("refitted", &mut world, &mut car, &whole);

    // Another machine has never seen that wheel.
    let place = Vector::new(20.0, 1.0, 0.0);
    let mut other = model().insert(&mut world, Pose::from_translation(place));
    drive(&mut world, &mut other, DT);
    other.restore(&mut world, &after).expect("the same model");
    check_mass("elsewhere", &mut world, &mut other, &rest);

    // A snapshot that is refused leaves mass and wheels alone.
    let mut bad = before.clone();
    let vehicle_rapier::vehicle_file::AnyMemory::Engine(memory) = &mut bad.vehicle.drive else {
        panic!("{bad:?}")
    };
    memory.commands.throttle = Real::NAN;
    let seen = |car: &AnyRapierVehicle| {
        format!("{:?} {:?} {:?}", car.vehicle.memory(), car.mechanics().params, car.actor)
    };
    let unchanged = seen(&other);
    other.restore(&mut world, &bad).expect_err("a fault");
    assert!(seen(&other) == unchanged, "something has changed");
    check_mass("refused", &mut world, &mut other, &rest);
}

#[test]
fn a_vehicle_made_anew_is_without_the_wheels_it_has_lost_and_moves_on() {
    let (mut world, mut car) = driving();
    car.lose_wheel(&mut world, 3).expect("a wheel");
    let rest = car.mass();
    let turning = Vector::new(0.5, 1.0, -2.0);
    world.bodies[car.body()].set_angvel(turning, true);
    let origin = world.bodies[car.body()].translation();
    let motion = |world: &PhysicsWorld, car: &AnyRapierVehicle| {
        let body = &world.bodies[car.body()];
        (body.velocity_at_point(origin), body.angvel(), body.mass())
    };
    let before = motion(&world, &car);
    // The same model, but for its center of mass.
    let mut file = car.vehicle.file().clone();
    let vehicle_rapier::vehicle_file::MechanicsSource::DataSheet(sheet) = &mut file.mechanics
    else {
        panic!("{file:?}")
    };
    sheet.center_of_mass_height += 0.1;
    for (what, model) in
        [("higher", AnyVehicle::new(file, "").expect("a vehicle")), ("as it was", model())]
    {
        car.remake(&model, &mut world).expect("the same kind");
        let after = motion(&world, &car);
        assert!(after.0.distance(before.0) < 1e-4, "{what}: {after:?}, not {before:?}");
        assert_eq!(after.1, before.1, "{what}");
        assert!((after.2 / before.2 - 1.0).abs() < 1e-5, "{what}: {after:?}, not {before:?}");
    }
    check_mass("made anew", &mut world, &mut car, &rest);
}

#[test]
fn a_wheel_that_cannot_be_lost_changes_nothing() {
    let (mut world, mut car) = driving();
    let loose = car.lose_wheel(&mut world, 3).expect("a wheel");
    car.vehicle.mechanics().state.tire_models.pop();
    let seen = |world: &PhysicsWorld, car: &AnyRapierVehicle| {
        (format!("{:?} {:?}", car.vehicle, car.actor), world.bodies[car.body()].mass())
    };
    let before = seen(&world, &car);
    let expected = "tire_models must be of 4 elements, one per wheel, got 3";
    for error in [
        car.lose_wheel(&mut world, 1).expect_err("a fault"),
        car.refit_wheel(&mut world, &loose).expect_err("a fault"),
        car.attach_wheel(&mut world.bodies, 3).expect_err("a fault"),
    ] {
        assert_eq!(error.to_string(), expected);
        assert_eq!(seen(&world, &car), before);
    }
}

#[test]
fn a_lost_wheel_leaves_no_collider_that_would_push_it_away() {
    let (mut world, car) = driving();
    let (vehicle, center) = (car.vehicle.clone(), car.actor.center_of_mass);
    let (sequence, pose) = (car.sequence.clone(), *world.bodies[car.body()].position());
    car.remove(&mut world);
    // The same vehicle, with colliders of its wheels alone.
    let mechanics = vehicle.mechanical_params();
    let chassis = Chassis::new(&mechanics.rigid_body)
        .pose(pose)
        .center_of_mass(center)
        .wheel_colliders(mechanics, &vehicle_rapier::core::Frame::Y_UP);
    let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    car.set_velocity(&mut world.bodies, Vector::Z * 10.0).expect("a velocity");
    drive(&mut world, &mut car, 0.2);
    let whole = car.snapshot(&world.bodies).expect("a body");
    let colliders = car.wheel_colliders.handles().to_vec();
    let enabled = |world: &PhysicsWorld| {
        colliders.iter().map(|&it| world.colliders[it].is_enabled()).collect::<Vec<_>>()
    };
    assert_eq!(enabled(&world), [true; 4]);

    let loose = car.lose_wheel(&mut world, 1).expect("a wheel");
    assert_eq!(enabled(&world), [true, false, true, true]);
    let before = world.bodies[loose.body].linvel();
    drive(&mut world, &mut car, 3.0 * DT);
    let kick = (world.bodies[loose.body].linvel() - before) * Vector::new(1.0, 0.0, 1.0);
    assert!(kick.length() < 0.5, "{kick} m/s");
    car.refit_wheel(&mut world, &loose).expect("it is lost");
    assert_eq!(enabled(&world), [true; 4]);

    car.lose_wheel(&mut world, 2).expect("a wheel");
    drive(&mut world, &mut car, DT);
    car.restore(&mut world, &whole).expect("its own");
    assert_eq!(enabled(&world), [true; 4]);
    car.lose_wheel(&mut world, 0).expect("a wheel");
    car.attach_wheel(&mut world.bodies, 0).expect("a wheel");
    drive(&mut world, &mut car, DT);
    assert_eq!(enabled(&world), [true; 4]);
    // A collider that its user has disabled stays so.
    world.colliders[colliders[3]].set_enabled(false);
    drive(&mut world, &mut car, DT);
    assert_eq!(enabled(&world), [true, true, true, false]);
}

#[test]
fn a_wheel_that_was_only_detached_gets_no_mass_from_a_loose_one() {
    let (mut world, mut car) = driving();
    let whole = car.mass();
    for _ in 0..2 {
        let loose = car.lose_wheel(&mut world, 2).expect("a wheel");
        car.attach_wheel(&mut world.bodies, 2).expect("a wheel");
        car.detach_wheel(&mut world.bodies, 2).expect("a wheel");
        car.refit_wheel(&mut world, &loose).expect("it is off");
        assert!(!world.bodies.contains(loose.body));
        assert_eq!(car.mechanics().state.attached_wheels().len(), 4);
        check_mass("refitted", &mut world, &mut car, &whole);
    }
}
