//! Tractors and trailers that are coupled while they drive, parted, and put elsewhere together.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::core::diagnosis::FindingCode;
use vehicle_rapier::diagnose_in;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle, CouplingError};

use crate::common::DT;

const OWN: &str = "fifth wheel";
const THEIRS: &str = "kingpin";

fn preset(name: &str) -> AnyVehicle {
    AnyVehicle::preset(name).expect("a preset")
}

fn tractor(world: &mut PhysicsWorld) -> AnyRapierVehicle {
    let model = preset("semi_tractor");
    model.insert(world, Pose::from_translation(Vector::Y * model.standing_height(9.81)))
}

fn train(world: &mut PhysicsWorld) -> [AnyRapierVehicle; 2] {
    let tractor = tractor(world);
    let trailer = tractor.insert_trailer(OWN, &preset("semi_trailer"), THEIRS, &mut *world);
    [tractor, trailer.expect("they fit")]
}

fn step(world: &mut PhysicsWorld, train: &mut [AnyRapierVehicle; 2]) {
    for car in train {
        car.update(&mut *world).expect("it can be driven");
    }
    world.step();
}

/// Distance of the hitches (m).
fn gap(world: &PhysicsWorld, [tractor, trailer]: &[AnyRapierVehicle; 2]) -> Real {
    let place = |car: &AnyRapierVehicle, name: &str| {
        let hitch = car.hitch(name).expect("a hitch").position;
        car.pose(&world.bodies).expect("a body").transform_point(hitch)
    };
    place(tractor, OWN).distance(place(trailer, THEIRS))
}

#[test]
fn a_trailer_that_is_inserted_behind_a_moving_tractor_moves_with_it() {
    const SPEED: Real = 20.0;
    const TURN: Real = 0.05;
    let mut world = level_world(DT, 1.0);
    let mut tractor = tractor(&mut world);
    tractor.set_velocity(&mut world.bodies, Vector::Z * SPEED).expect("a velocity");
    world.bodies[tractor.body()].set_angvel(Vector::Y * TURN, true);
    let trailer = tractor.insert_trailer(OWN, &preset("semi_trailer"), THEIRS, &mut world);
    let trailer = trailer.expect("they fit");
    let body = &world.bodies[trailer.body()];
    let arm = body.center_of_mass() - world.bodies[tractor.body()].center_of_mass();
    let expected = Vector::Z * SPEED + (Vector::Y * TURN).cross(arm);
    assert!(body.linvel().distance(expected) < 1e-4, "{} m/s", body.linvel());
    assert_eq!(body.angvel(), Vector::Y * TURN);
    let mut train = [tractor, trailer];
    for _ in 0..20 {
        step(&mut world, &mut train);
    }
    for car in &train {
        let speed = car.forward_speed();
        assert!((SPEED - speed).abs() < 0.5, "{speed} m/s");
        for contact in (0..car.wheel_count()).filter_map(|wheel| car.wheel_contact(wheel)) {
            let slip = contact.wheel.longitudinal_slip;
            assert!(slip.abs() < 0.05, "its wheels roll: {slip}");
        }
    }
}

#[test]
fn a_hitch_holds_one_vehicle_until_that_is_uncoupled() {
    let mut world = level_world(DT, 1.0);
    let [tractor, trailer] = train(&mut world);
    let sizes = |world: &PhysicsWorld| {
        let PhysicsWorld { bodies, colliders, impulse_joints, .. } = world;
        [bodies.len(), colliders.len(), impulse_joints.len()]
    };
    let before = sizes(&world);
    let again = tractor.couple(OWN, &trailer, THEIRS, &mut world).expect_err("coupled already");
    let other = trailer.body();
    assert_eq!(again, CouplingError::Taken { hitch: OWN.to_owned(), other });
    let text = again.to_string();
    assert!(text.starts_with("the hitch \"fifth wheel\" must be free, but a joint"), "{text}");
    let second = tractor.insert_trailer(OWN, &preset("semi_trailer"), THEIRS, &mut world);
    assert_eq!(second.map(|_| ()), Err(again));
    assert_eq!(sizes(&world), before);

    let joints = &mut world.impulse_joints;
    assert!(tractor.uncouple(&trailer, joints));
    assert!(joints.is_empty());
    assert!(!tractor.uncouple(&trailer, joints));
    tractor.couple(OWN, &trailer, THEIRS, &mut world).expect("free again");
    assert!(trailer.uncouple(&tractor, &mut world.impulse_joints), "by either of them");
    assert!(world.impulse_joints.is_empty());
}

#[test]
fn a_train_is_put_elsewhere_vehicle_by_vehicle() {
    let mut world = level_world(DT, 1.0);
    let mut train = train(&mut world);
    step(&mut world, &mut train);
    let is_apart = |world: &PhysicsWorld, car: &AnyRapierVehicle| {
        let findings = diagnose_in(car, world).expect("a time step");
        findings.iter().any(|finding| finding.code == FindingCode::HitchApart)
    };
    assert!(!is_apart(&world, &train[0]));
    let place = world.bodies[train[0].body()].translation() + Vector::X * 60.0;
    let pose = Pose::from_parts(place, Rotation::from_rotation_y(1.0));
    train[0].teleport(&mut world.bodies, pose).expect("a pose");
    assert!(train.iter().all(|car| is_apart(&world, car)), "{} m", gap(&world, &train));
    let behind = train[0].inserted_trailer_pose(OWN, &train[1], THEIRS, &world.bodies);
    let of_model = train[0].trailer_pose(OWN, &preset("semi_trailer"), THEIRS, &world.bodies);
    assert_eq!(behind, of_model);
    train[1].teleport(&mut world.bodies, behind.expect("hitches")).expect("a pose");
    assert!(!train.iter().any(|car| is_apart(&world, car)));
    for _ in 0..20 {
        step(&mut world, &mut train);
    }
    assert!(gap(&world, &train) < 0.02, "{} m", gap(&world, &train));
}
