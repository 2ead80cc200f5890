//! Vehicles that are put elsewhere, put on their wheels again, and drawn between steps.

use crate::common::{DT, drive, roll, settled_car};
use rapier3d::prelude::*;
use snippets::vehicles::SAMPLE_REST_HEIGHT;
use vehicle_rapier::drawing::DrawnPoses;

#[test]
fn teleported_car_stands_still_where_it_is_put() {
    let (mut world, mut car) = settled_car();
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 3.0);
    let turn = Rotation::from_rotation_y(1.0);
    let place = Vector::new(30.0, SAMPLE_REST_HEIGHT, -20.0);
    car.teleport(&mut world.bodies, Pose::from_parts(place, turn)).expect("a good pose");
    let mut fastest: Real = 0.0;
    for _ in 0..120 {
        drive(&mut world, &mut car, DT);
        fastest = fastest.max(world.bodies[car.actor.body].linvel().length());
    }
    let moved = world.bodies[car.actor.body].translation().distance(place);
    // It settles onto its springs, nothing more.
    assert!(moved < 0.02 && fastest < 0.15, "{moved} m, {fastest} m/s");
    let jounces =
        car.vehicle.state.mechanics.suspensions.iter().map(|state| state.compression.jounce);
    for (jounce, expected) in jounces.zip([0.180, 0.175, 0.154, 0.149]) {
        assert!((jounce.unwrap() - expected).abs() < 2e-3, "{jounce:?} m");
    }
}

#[test]
fn moving_car_is_at_rest_after_a_teleport() {
    let (mut world, mut car) = settled_car();
    roll(&mut world, &mut car, 20.0, 60.0);
    drive(&mut world, &mut car, 0.5);
    let pose = Pose::from_translation(Vector::Y * SAMPLE_REST_HEIGHT);
    car.teleport(&mut world.bodies, pose).expect("a good pose");
    drive(&mut world, &mut car, 1.0);
    let speed = world.bodies[car.actor.body].linvel().length();
    assert!(speed < 0.05, "{speed} m/s");
}

#[test]
fn bad_poses_and_removed_bodies_are_refused() {
    let (mut world, mut car) = settled_car();
    let before = *world.bodies[car.actor.body].position();
    let bad = Pose::from_translation(Vector::new(Real::NAN, 0.0, 0.0));
    let error = car.teleport(&mut world.bodies, bad).unwrap_err().to_string();
    assert!(error.starts_with("pose.translation must be finite"), "{error}");
    assert_eq!(*world.bodies[car.actor.body].position(), before);
    world.remove_body(car.actor.body);
    let error = car.teleport(&mut world.bodies, Pose::IDENTITY).unwrap_err().to_string();
    assert!(error.contains("not in the world"), "{error}");
}

#[test]
fn car_on_its_roof_side_or_nose_is_put_on_its_wheels() {
    let heading = Rotation::from_rotation_y(0.7);
    let quarter = std::f32::consts::FRAC_PI_2;
    let falls = [
        Rotation::from_rotation_z(2.0 * quarter),
        Rotation::from_rotation_z(quarter),
        Rotation::from_rotation_z(-quarter),
        Rotation::from_rotation_x(quarter),
        Rotation::from_rotation_x(-quarter),
        Rotation::IDENTITY,
    ];
    for fall in falls {
        let (mut world, mut car) = settled_car();
        let fallen = Pose::from_parts(Vector::new(3.0, 5.0, 4.0), heading * fall);
        world.bodies[car.actor.body].set_position(fallen, true);
        let center = world.bodies[car.actor.body].center_of_mass();
        let pose = car.upright_pose(&world.bodies, Vector::Y, 0.5).expect("in the world");
        let error = pose.rotation.angle_between(heading);
        assert!(error < 1e-3, "{fall:?}: {error} rad off");
        car.teleport(&mut world.bodies, pose).expect("a good pose");
        let raised = world.bodies[car.actor.body].center_of_mass() - center;
        assert!(raised.distance(Vector::Y * 0.5) < 1e-4, "{fall:?}: {raised}");
        drive(&mut world, &mut car, 4.0);
        let up = world.bodies[car.actor.body].rotation() * Vector::Y;
        assert!(0.999 < up.y, "{fall:?}: {up}");
    }
}

#[test]
fn upright_needs_a_direction() {
    let (world, car) = settled_car();
    let fault = car.upright_pose(&world.bodies, Vector::Y * 9.81, 0.0).expect_err("too long");
    assert_eq!(fault.to_string(), "up must be a unit vector, got [0, 9.81, 0]");
    let fault = car.upright_pose(&world.bodies, Vector::Y, Real::NAN).expect_err("no height");
    assert_eq!(fault.to_string(), "height must be finite, got NaN");
}

#[test]
fn drawn_poses_lead_from_one_step_to_the_next() {
    let (mut world, mut car) = settled_car();
    // 80 m/s turn a wheel by 3.9 rad per step: more than half around.
    let radius = car.vehicle.params().mechanics.wheels[0].radius;
    roll(&mut world, &mut car, 80.0, 80.0 / radius);
    drive(&mut world, &mut car, 0.1);
    let mut drawn = DrawnPoses::new(&car, &world.bodies, DT).expect("in the world");
    let before =
        (*world.bodies[car.actor.body].position(), car.wheel_pose(1, &world.bodies).unwrap());
    drive(&mut world, &mut car, DT);
    drawn.record(&car, &world.bodies, DT).expect("in the world");
    let after =
        (*world.bodies[car.actor.body].position(), car.wheel_pose(1, &world.bodies).unwrap());

    for (share, (chassis, wheel)) in [(0.0, before), (1.0, after)] {
        let drawn_wheel = drawn.wheel(1, share).unwrap();
        assert!(drawn.chassis(share).translation.distance(chassis.translation) < 1e-4);
        assert!(drawn_wheel.translation.distance(wheel.translation) < 1e-4, "at {share}");
        let error = drawn_wheel.rotation.angle_between(wheel.rotation);
        assert!(error < 2e-2, "{error} rad at {share}");
    }
    // In between, the wheel has turned half of its way, about its lateral axis.
    let half = drawn.wheel(1, 0.5).unwrap().rotation;
    let turned = drawn.wheel(1, 0.0).unwrap().rotation.inverse() * half;
    let expected = 0.5 * 80.0 / radius * DT;
    let (axis, angle) = turned.to_axis_angle();
    assert!((angle - expected).abs() < 0.02, "{angle} rad, not {expected} rad");
    assert!(0.999 < axis.x.abs(), "{axis}");
    assert_eq!(drawn.wheel(4, 0.5), None);
}
