//! Rows as joints of the world: coupled vehicles, the friction circle, and what becomes of the
//! joints. That cars stand, slide, land and ride on ground that moves with either execution is in
//! `parking` and `moving_ground`.

use crate::common::hill::{Heading, SLOPE, Trial, parked};
use crate::common::{DT, EXECUTIONS, car_with, drive, with_identity_load_filter};
use rapier3d::prelude::*;
use snippets::scenes::{TruckSetting, level_world, truck};
use snippets::truck::Truck;
use snippets::vehicles::SAMPLE_REST_HEIGHT;
use vehicle_rapier::core::constraint_rows::RowExecution::{self, Host, Local};
use vehicle_rapier::core::tire::StickyHold;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::{Activity, RapierVehicle, Scene, StepError};

type Car = RapierVehicle<DirectDriveVehicle>;

const MASS: Real = 2_014.4;

fn place(world: &PhysicsWorld, car: &Car) -> Vector {
    world.bodies[car.actor.body].translation()
}

/// A car that stands on level ground of `friction`, braked, all of its tires sticky, awake.
fn standing(friction: Real, execution: RowExecution) -> (PhysicsWorld, Car) {
    let mut world = level_world(DT, friction);
    let mut car = car_with(&mut world, with_identity_load_filter(), SAMPLE_REST_HEIGHT);
    world.bodies[car.actor.body].activation_mut().normalized_linear_threshold = -1.0;
    car.params.row_execution = execution;
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 3.0);
    let tires = &car.vehicle.state.mechanics.tires;
    assert!(
        tires
            .iter()
            .all(|tire| tire.sticky.longitudinal.is_active && tire.sticky.lateral.is_active)
    );
    (world, car)
}

/// Places of tractor and trailer (m).
fn places(world: &PhysicsWorld, truck: &Truck) -> [Vector; 2] {
    [truck.tractor.actor.body, truck.trailer.actor.body]
        .map(|body| world.bodies[body].translation())
}

/// Holds a truck for `seconds`, its tractor with all brakes, its trailer with `trailer_brake`; how
/// far one of them moves at most (m).
fn hold(world: &mut PhysicsWorld, truck: &mut Truck, trailer_brake: Real, seconds: Real) -> Real {
    truck.tractor.vehicle.commands.brakes[0] = 1.0;
    truck.trailer.vehicle.commands.brakes[0] = trailer_brake;
    let start = places(world, truck);
    let mut farthest: Real = 0.0;
    for _ in 0..(seconds / DT).round() as usize {
        truck.tractor.update(&mut *world).expect("the tractor can be driven");
        truck.trailer.update(&mut *world).expect("the trailer can be driven");
        world.step();
        let now = places(world, truck);
        farthest = farthest.max(now[0].distance(start[0])).max(now[1].distance(start[1]));
    }
    farthest
}

/// A truck on a hill of 15 degrees, and its world.
fn truck_on_hill(execution: RowExecution, can_sleep: bool) -> (PhysicsWorld, Truck) {
    let setting = TruckSetting { grade_percent: 26.794_92, ..Default::default() };
    let scene = truck(&setting).expect("valid data");
    let (mut world, mut truck) = (scene.world, scene.driven);
    truck.tractor.params.row_execution = execution;
    truck.trailer.params.row_execution = execution;
    if !can_sleep {
        for body in [truck.tractor.actor.body, truck.trailer.actor.body] {
            world.bodies[body].activation_mut().normalized_linear_threshold = -1.0;
        }
    }
    (world, truck)
}

#[test]
fn parked_truck_does_not_creep_and_falls_asleep() {
    for execution in EXECUTIONS {
        for can_sleep in [false, true] {
            let (mut world, mut truck) = truck_on_hill(execution, can_sleep);
            hold(&mut world, &mut truck, 1.0, 5.0);
            let creep = hold(&mut world, &mut truck, 1.0, 55.0);
            assert!(creep < 1e-3, "{execution:?}, can sleep: {can_sleep}: {creep} m");
            for body in [truck.tractor.actor.body, truck.trailer.actor.body] {
                assert_eq!(world.bodies[body].is_sleeping(), can_sleep, "{execution:?}");
            }
        }
    }
}

#[test]
fn tractor_holds_a_trailer_whose_brakes_are_released() {
    for execution in EXECUTIONS {
        let (mut world, mut truck) = truck_on_hill(execution, false);
        hold(&mut world, &mut truck, 1.0, 5.0);
        // The trailer leans on the joint, and the tractor's tires yield a little.
        let moved = hold(&mut world, &mut truck, 0.0, 5.0);
        assert!(moved < 0.01, "{execution:?}: {moved} m");
        let creep = hold(&mut world, &mut truck, 0.0, 50.0);
        assert!(creep < 1e-3, "{execution:?}: {creep} m");
    }
}

#[test]
fn car_holds_on_little_more_friction_than_it_needs() {
    // tan 15° = 0.268
    for execution in EXECUTIONS {
        for heading in [Heading::Uphill, Heading::Across] {
            let trial =
                Trial { heading, friction: 0.3, execution, can_sleep: false, ..Trial::default() };
            let (mut world, mut car) = parked(&trial);
            drive(&mut world, &mut car, 5.0);
            let before = place(&world, &car);
            drive(&mut world, &mut car, 55.0);
            let drift = place(&world, &car).distance(before);
            assert!(drift < 1e-3, "{trial:?}: {drift} m");
        }
    }
}

#[test]
fn friction_holds_the_same_in_every_direction() {
    let friction = 0.5;
    for execution in EXECUTIONS {
        // How much of a joint's friction each of a tire's two rows may take is known from the step
        // before: as a car begins to slide askew, they hold less for a moment, most at 60 degrees.
        for (degrees, joints_most) in
            [(0.0, 0.01), (30.0, 0.02), (45.0, 0.025), (60.0, 0.08), (90.0, 0.01)]
        {
            for share in [0.9, 1.2] {
                let (mut world, mut car) = standing(friction, execution);
                let direction = Rotation::from_rotation_y(Real::to_radians(degrees)) * Vector::Z;
                let mut push = |seconds: Real| {
                    for _ in 0..(seconds / DT).round() as usize {
                        let force = direction * (share * friction * MASS * 9.81);
                        car.vehicle.state.mechanics.rigid_body.external_force = force;
                        drive(&mut world, &mut car, DT);
                    }
                    world.bodies[car.actor.body].linvel().dot(direction)
                };
                // Tires that hold yield a little first, and the body leans; joints know a step
                // later that tires slide.
                let (settling, seconds) = if share < 1.0 { (0.25, 1.0) } else { (0.05, 0.1) };
                let before = push(settling);
                let gained = push(seconds) - before;
                // a = F / m - μ g
                let held = share * friction * 9.81 - gained / seconds;
                let expected = share.min(1.0) * friction * 9.81;
                let case = format!("{execution:?}, {degrees}°, {share} of the friction");
                let slides_on_joints = execution == RowExecution::Host && 1.0 < share;
                let most = if slides_on_joints { joints_most } else { 0.01 };
                assert!(
                    (held / expected - 1.0).abs() < most,
                    "{case}: {held}, not {expected} m/s²"
                );
            }
        }
    }
}

#[test]
fn rows_tell_the_forces_that_hold_the_car() {
    for execution in EXECUTIONS {
        for heading in [Heading::Uphill, Heading::Across] {
            let trial = Trial { heading, execution, can_sleep: false, ..Trial::default() };
            let (mut world, mut car) = parked(&trial);
            drive(&mut world, &mut car, 5.0);
            let uphill = Vector::new(0.0, SLOPE.sin(), SLOPE.cos());
            let substep = DT / 3.0;
            let rows = car.vehicle.state.mechanics.rows.iter();
            let held: Real = rows
                .flat_map(|rows| [rows.longitudinal, rows.lateral])
                .flatten()
                .map(|row| row.impulse * row.linear.dot(uphill) / substep)
                .sum();
            let expected = MASS * 9.81 * SLOPE.sin();
            assert!((held / expected - 1.0).abs() < 0.02, "{trial:?}: {held} N, not {expected} N");
        }
    }
}

#[test]
fn joints_follow_the_vehicle_and_leave_with_it() {
    let (mut world, mut car) = standing(1.0, Host);
    let joints = world.impulse_joints.len();
    assert_eq!(joints, 4, "one for each tire");
    // Removed by others, they come back.
    let handles: Vec<_> = car.row_joints.handles().collect();
    world.remove_impulse_joint(handles[1]);
    let anchor = car.row_joints.anchor.expect("ground at rest");
    world.remove_body(anchor);
    drive(&mut world, &mut car, 0.1);
    assert_eq!(world.impulse_joints.len(), 4);
    assert!(world.bodies.contains(car.row_joints.anchor.expect("ground at rest")));
    // Elsewhere, the car is not pulled back.
    let pose = Pose::from_translation(Vector::new(30.0, SAMPLE_REST_HEIGHT + 0.5, -20.0));
    car.teleport(&mut world.bodies, pose).expect("a body and a pose");
    drive(&mut world, &mut car, 2.0);
    let moved = place(&world, &car) - pose.translation;
    assert!(moved.x.hypot(moved.z) < 0.02, "{moved} m");
    assert_eq!(world.impulse_joints.len(), 4);
    // With the vehicle's own solver it stands, too.
    car.params.row_execution = Local;
    drive(&mut world, &mut car, DT);
    assert_eq!((world.impulse_joints.len(), car.row_joints.is_empty()), (0, true));
    let before = place(&world, &car);
    drive(&mut world, &mut car, 2.0);
    assert!(place(&world, &car).distance(before) < 1e-3);
    car.params.row_execution = Host;
    drive(&mut world, &mut car, 1.0);
    let bodies = world.bodies.len();
    car.remove(&mut world);
    assert_eq!((world.impulse_joints.len(), world.bodies.len()), (0, bodies - 2));
}

#[test]
fn removed_body_is_named_and_its_joints_are_gone() {
    let (mut world, mut car) = standing(1.0, Host);
    world.remove_body(car.actor.body);
    assert_eq!(world.impulse_joints.len(), 0);
    let before = format!("{car:?}");
    let error = car.step(&mut world).unwrap_err().to_string();
    assert!(error.contains("is not in the world"), "{error}");
    assert_eq!(format!("{car:?}"), before);
}

#[test]
fn ground_that_is_removed_lets_the_car_fall() {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let lift = RigidBodyBuilder::kinematic_velocity_based().linvel(Vector::Y * 0.5);
    let slab = ColliderBuilder::cuboid(9.0, 0.5, 9.0).translation(Vector::Y * -0.5).friction(1.0);
    let (lift, _) = world.insert(lift, slab);
    world.step();
    let mut car = car_with(&mut world, with_identity_load_filter(), SAMPLE_REST_HEIGHT);
    car.params.row_execution = Host;
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 3.0);
    let ground = |world: &PhysicsWorld| {
        let joints: Vec<_> = world.impulse_joints().map(|(_, joint)| joint.body1()).collect();
        joints
    };
    assert_eq!(ground(&world), [lift; 4], "ground that moves carries the joints");
    world.remove_body(lift);
    assert!(ground(&world).is_empty());
    drive(&mut world, &mut car, 1.0);
    let falling = world.bodies[car.actor.body].linvel().y;
    assert!((falling - 0.5 + 9.81).abs() < 0.3, "{falling} m/s");
}

#[test]
fn dynamic_ground_that_is_not_to_be_pushed_carries_the_car_and_feels_nothing() {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let raft = RigidBodyBuilder::dynamic()
        .gravity_scale(0.0)
        .linvel(Vector::X)
        .additional_mass(500.0)
        .lock_rotations();
    let slab = ColliderBuilder::cuboid(9.0, 0.5, 9.0).translation(Vector::Y * -0.5).friction(1.0);
    let (raft, _) = world.insert(raft, slab.density(0.0));
    world.step();
    let mut car = car_with(&mut world, with_identity_load_filter(), SAMPLE_REST_HEIGHT);
    car.params.row_execution = Host;
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 3.0);
    let offset =
        |world: &PhysicsWorld, car: &Car| place(world, car) - world.bodies[raft].translation();
    let before = offset(&world, &car);
    drive(&mut world, &mut car, 5.0);
    assert_eq!(world.bodies[raft].linvel(), Vector::X);
    let drift = offset(&world, &car).distance(before);
    assert!(drift < 2e-3, "{drift} m");
}

#[test]
fn scene_without_joints_is_refused_and_nothing_changes() {
    let (mut world, mut car) = standing(1.0, Host);
    for execution in [Host, Local] {
        // Joints of before must be removed, too.
        car.params.row_execution = execution;
        // All but the force of the last step, which is taken back.
        let seen = |car: &Car| format!("{:?} {:?}", car.vehicle, car.row_joints);
        let before = seen(&car);
        let scene = Scene { impulse_joints: None, ..Scene::from(&mut world) };
        let error = car.update(scene).unwrap_err();
        assert_eq!(error, StepError::NoJoints);
        assert!(error.to_string().contains("impulse_joints"), "{error}");
        assert_eq!(seen(&car), before);
    }
    drive(&mut world, &mut car, DT);
    let scene = Scene { impulse_joints: None, ..Scene::from(&mut world) };
    assert_eq!(car.update(scene), Ok(Activity::Awake), "without rows for it no joints are needed");
}

#[test]
fn same_inputs_give_the_same_bits() {
    for execution in EXECUTIONS {
        let run = || {
            let trial = Trial { heading: Heading::Diagonal, execution, ..Trial::default() };
            let (mut world, mut car) = parked(&trial);
            drive(&mut world, &mut car, 1.5);
            car.vehicle.commands.brakes[0] = 0.0;
            car.vehicle.commands.throttle = 0.3;
            drive(&mut world, &mut car, 1.0);
            car.vehicle.commands.brakes[0] = 1.0;
            car.vehicle.commands.throttle = 0.0;
            drive(&mut world, &mut car, 2.0);
            let state = serde_json::to_string(&car.vehicle.state).expect("plain data");
            (*world.bodies[car.actor.body].position(), state)
        };
        assert_eq!(run(), run(), "{execution:?}");
    }
}

#[test]
fn saved_vehicle_goes_on_with_its_joints() {
    let (mut world, mut car) = standing(1.0, Host);
    let saved = serde_json::to_string(&car.row_joints).expect("plain data");
    car.row_joints = serde_json::from_str(&saved).expect("as saved");
    drive(&mut world, &mut car, 1.0);
    assert_eq!(world.impulse_joints.len(), 4);
}

#[test]
fn dampers_let_the_car_creep_at_one_speed() {
    let speed = |execution| {
        let trial = Trial { execution, can_sleep: false, ..Trial::default() };
        let (mut world, mut car) = parked(&trial);
        let sticky = car.params.tire_sticky.as_mut().expect("tires stick");
        sticky.hold = StickyHold::Damper;
        sticky.longitudinal.damping = 20.0;
        drive(&mut world, &mut car, 5.0);
        let before = place(&world, &car);
        drive(&mut world, &mut car, 1.0);
        place(&world, &car).distance(before)
    };
    let (actual, expected) = (speed(Host), speed(Local));
    assert!(0.01 < expected, "{expected} m/s");
    assert!((actual / expected - 1.0).abs() < 0.05, "{actual} m/s, not {expected} m/s");
}
