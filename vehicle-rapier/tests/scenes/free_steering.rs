//! A steering wheel that is let go, or turned by a torque.

use crate::common::saloon::{
    direct_saloon, engine_saloon, insert_engine_saloon, insert_saloon, saloon_rest_height,
};
use crate::common::{car_with, drive};
use rapier3d::prelude::*;
use snippets::drivelines::mechanics_for;
use snippets::scenes::level_world;
use snippets::vehicles::{SAMPLE_REST_HEIGHT, sample_direct_drive};
use vehicle_rapier::core::Persistent;
use vehicle_rapier::core::steering::{SteeringState, SteeringSystemParams};
use vehicle_rapier::core::suspension::ContactShape;
use vehicle_rapier::core::vehicle::{HasMechanics, MechanicalParams};
use vehicle_rapier::drivetrain::blocks::ready_made;
use vehicle_rapier::drivetrain::{BlockDriveParams, BlockDriveVehicle, DirectDriveVehicle};
use vehicle_rapier::{Activity, Chassis, Drivable, RapierVehicle};

type Car = RapierVehicle<DirectDriveVehicle>;

/// Which car, in what steps.
#[derive(Clone, Copy, Debug)]
struct Setting {
    is_sample: bool,
    contact: ContactShape,
    frequency: Real,
    substeps: u32,
    damping: Real,
    friction: Real,
}

const SALOON: Setting = Setting {
    is_sample: false,
    contact: ContactShape::Ray,
    frequency: 60.0,
    substeps: 3,
    damping: 1.0,
    friction: 0.0,
};

/// The default saloon and the sample, on rays and on whole wheels, from 30 to 240 Hz.
const SETTINGS: [Setting; 5] = [
    SALOON,
    Setting { frequency: 30.0, substeps: 1, ..SALOON },
    Setting { frequency: 240.0, contact: ContactShape::Cylinder, ..SALOON },
    Setting { is_sample: true, ..SALOON },
    Setting { is_sample: true, frequency: 30.0, contact: ContactShape::Cylinder, ..SALOON },
];

fn free(mechanics: &mut MechanicalParams, setting: &Setting) {
    let Setting { damping, friction, .. } = *setting;
    mechanics.steering_system =
        Some(SteeringSystemParams { damping, friction, ..SteeringSystemParams::car(0, 1) });
    mechanics.jounce.contact = setting.contact;
}

/// A car with a steering system that stands on level ground.
fn standing(setting: &Setting) -> (PhysicsWorld, Car) {
    let mut world = level_world(setting.frequency.recip(), 1.0);
    let mut params = if setting.is_sample {
        sample_direct_drive().expect("valid data")
    } else {
        direct_saloon()
    };
    free(&mut params.mechanics, setting);
    let mut car = if setting.is_sample {
        let mut car = car_with(&mut world, params, SAMPLE_REST_HEIGHT);
        let substeps = setting.substeps;
        car.sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps).into();
        car
    } else {
        let pose = Pose::from_translation(Vector::Y * saloon_rest_height());
        insert_saloon(&mut world, params, pose, setting.substeps)
    };
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 1.0);
    (world, car)
}

/// Such a car as it rolls at `speed` (m/s), its steering wheel held straight ahead.
fn rolling(setting: &Setting, speed: Real) -> (PhysicsWorld, Car) {
    let (mut world, mut car) = standing(setting);
    car.vehicle.commands.brakes[0] = 0.0;
    let radius = car.vehicle.params().mechanics.wheels[0].radius;
    crate::common::roll(&mut world, &mut car, speed, speed / radius);
    drive(&mut world, &mut car, 0.2);
    (world, car)
}

fn steering<V: HasMechanics + Drivable>(car: &RapierVehicle<V>) -> &SteeringState {
    &car.vehicle.read_mechanics().state.steering
}

fn yaw_rate<V>(world: &PhysicsWorld, car: &RapierVehicle<V>) -> Real {
    world.bodies[car.actor.body].angvel().y
}

/// Angles of the steering wheel (rad) in each step of `seconds`, after it has been let go.
fn let_go(world: &mut PhysicsWorld, car: &mut Car, seconds: Real) -> Vec<Real> {
    car.vehicle.commands.steering_torque = Some(0.0);
    let steps = (seconds / world.integration_parameters.dt).round() as usize;
    let step = |_| {
        car.step(world).expect("the car can be driven");
        steering(car).angle
    };
    (0..steps).map(step).collect()
}

/// A car in a steady bend at 15 m/s.
fn in_a_bend(setting: &Setting, steer: Real) -> (PhysicsWorld, Car) {
    let (mut world, mut car) = rolling(setting, 15.0);
    car.vehicle.commands.steer = steer;
    drive(&mut world, &mut car, 1.5);
    (world, car)
}

/// When `angles`, one per step of `dt` (s), have fallen to the 1/e of `start` (s).
fn time_constant(start: Real, angles: &[Real], dt: Real) -> Real {
    let share = |index: usize| if index == 0 { 1.0 } else { angles[index - 1] / start };
    let limit = (1.0 / std::f64::consts::E) as Real;
    let after = (1..=angles.len()).find(|&index| share(index) < limit).expect("it falls");
    let (before, now) = (share(after - 1), share(after));
    dt * (after as Real - (limit - now) / (before - now))
}

#[test]
fn caster_straightens_a_rolling_car_in_the_same_time_at_any_step() {
    for (is_sample, damping) in [(false, 3.0), (false, 6.0), (true, 6.0)] {
        let times = [20.0, 60.0, 240.0].map(|frequency| {
            let setting = Setting { is_sample, frequency, damping, ..SALOON };
            let (mut world, mut car) = in_a_bend(&setting, 0.15);
            let start = steering(&car).angle;
            let angles = let_go(&mut world, &mut car, 8.0);
            let lowest = angles.iter().fold(Real::MAX, |lowest, &angle| lowest.min(angle));
            assert!(-0.03 * start < lowest, "{setting:?}: {lowest} rad, from {start} rad");
            let end = angles[angles.len() - 1];
            assert!(end.abs() < 0.03 * start, "{setting:?}: {end} rad, from {start} rad");
            let rate = yaw_rate(&world, &car);
            assert!(rate.abs() < 0.02, "{setting:?}: {rate} rad/s");
            time_constant(start, &angles, frequency.recip())
        });
        let [slow, usual, fast] = times;
        eprintln!("sample {is_sample}, {damping} N·m·s: {times:?} s");
        for time in [slow, usual] {
            let error = time / fast - 1.0;
            assert!(error.abs() < 0.04, "sample {is_sample}, {damping} N·m·s: {times:?} s");
        }
    }
}

#[test]
fn a_weakly_damped_steering_wheel_swings_and_comes_to_rest() {
    for setting in SETTINGS {
        let setting = Setting { damping: 0.4, ..setting };
        let (mut world, mut car) = in_a_bend(&setting, 0.1);
        let start = steering(&car).angle;
        let angles = let_go(&mut world, &mut car, 6.0);
        let half = angles.len() / 2;
        let largest = |angles: &[Real]| angles.iter().fold(0.0, |most: Real, a| most.max(a.abs()));
        assert!(largest(&angles) <= start * 1.01, "{setting:?}: from {start} rad");
        let late = largest(&angles[half..]);
        assert!(late < 0.05 * start, "{setting:?}: {late} rad, from {start} rad");
    }
}

#[test]
fn dry_friction_holds_a_small_angle() {
    let setting = Setting { friction: 1.0, ..SALOON };
    let (mut world, mut car) = in_a_bend(&setting, 0.15);
    let angles = let_go(&mut world, &mut car, 6.0);
    let (before, after) = (angles[angles.len() - 10], angles[angles.len() - 1]);
    assert_eq!(before, after, "it sticks");
    let torque = steering(&car).wheel_torque;
    assert!((1e-3..=1.0).contains(&torque.abs()), "{torque} N·m at {after} rad");
}

#[test]
fn a_torque_that_holds_the_angle_drives_the_same_bend() {
    for setting in SETTINGS {
        let (mut world, mut car) = in_a_bend(&setting, 0.1);
        let (mut held_world, mut held) = in_a_bend(&setting, 0.1);
        let start = steering(&car).angle;
        for _ in 0..(1.5 * setting.frequency) as usize {
            // A hand that holds against what it feels.
            car.vehicle.commands.steering_torque = Some(-steering(&car).wheel_torque);
            car.step(&mut world).unwrap();
            held.step(&mut held_world).unwrap();
        }
        let angle = steering(&car).angle;
        assert!((angle / start - 1.0).abs() < 0.02, "{setting:?}: {angle} rad, from {start} rad");
        let rates = [yaw_rate(&world, &car), yaw_rate(&held_world, &held)];
        let error = rates[0] / rates[1] - 1.0;
        assert!(error.abs() < 0.02, "{setting:?}: {rates:?} rad/s");
        let torques = [steering(&car).wheel_torque, steering(&held).wheel_torque];
        assert!((torques[0] / torques[1] - 1.0).abs() < 0.03, "{setting:?}: {torques:?} N·m");
        assert!(torques[0] < -0.5, "{setting:?}: the road turns it back, {torques:?} N·m");
    }
}

/// Energy of motion of body, wheels and steering wheel (J).
fn kinetic_energy(world: &PhysicsWorld, car: &Car) -> Real {
    let mechanics = &car.vehicle.params().mechanics;
    let state = &car.vehicle.state.mechanics;
    let wheel = |wheel: usize| {
        0.5 * mechanics.wheels[wheel].inertia * state.wheels.of(wheel).rotation_speed.powi(2)
    };
    let system = mechanics.steering_system.as_ref().expect("a steering system");
    world.bodies[car.actor.body].kinetic_energy()
        + (0..4).map(wheel).sum::<Real>()
        + 0.5 * system.inertia * state.steering.rate.powi(2)
}

#[test]
fn a_free_steering_wheel_wins_no_energy() {
    for setting in SETTINGS {
        let setting = Setting { damping: 0.0, ..setting };
        let (mut world, mut car) = in_a_bend(&setting, 0.15);
        car.vehicle.commands.steering_torque = Some(0.0);
        let mut energy = kinetic_energy(&world, &car);
        for step in 0..(4.0 * setting.frequency) as usize {
            car.step(&mut world).unwrap();
            let now = kinetic_energy(&world, &car);
            // The body rolls on its springs.
            assert!(now < energy + 2e-4 * energy, "{setting:?}, step {step}: {energy} J, {now} J");
            energy = now;
        }
    }
}

#[test]
fn a_car_that_is_pushed_off_its_course_returns_to_straight_ahead() {
    for setting in SETTINGS {
        let (mut world, mut car) = rolling(&setting, 15.0);
        car.vehicle.commands.steering_torque = Some(0.0);
        drive(&mut world, &mut car, 1.0);
        let body = &mut world.bodies[car.actor.body];
        let (nose, side) = (
            body.position() * (Vector::Z * 1.5),
            body.position().rotation * (Vector::X * 0.8 * body.mass()),
        );
        body.apply_impulse_at_point(side, nose, true);
        let mut turned: Real = 0.0;
        for _ in 0..(5.0 * setting.frequency) as usize {
            car.step(&mut world).unwrap();
            turned = turned.max(steering(&car).angle.abs());
        }
        let (angle, rate) = (steering(&car).angle, yaw_rate(&world, &car));
        assert!(0.1 < turned, "{setting:?}: {turned} rad");
        assert!(angle.abs() < 0.1 * turned, "{setting:?}: {angle} rad after {turned} rad");
        assert!(rate.abs() < 0.02, "{setting:?}: {rate} rad/s");
    }
}

#[test]
fn a_parked_car_that_is_let_go_of_neither_creeps_nor_stays_awake() {
    for setting in SETTINGS {
        for slope in [Vector::ZERO, Vector::X * 0.1, Vector::Z * -0.1] {
            let (mut world, mut car) = standing(&setting);
            let gravity = world.gravity;
            world.gravity = Rotation::from_scaled_axis(slope) * gravity;
            car.vehicle.commands.brakes = [1.0; 2];
            car.vehicle.commands.steer = 0.5;
            drive(&mut world, &mut car, 2.0);
            car.vehicle.commands.steering_torque = Some(0.0);
            drive(&mut world, &mut car, 2.0);
            let before = world.bodies[car.actor.body].translation();
            let activity = drive(&mut world, &mut car, 8.0);
            let after = world.bodies[car.actor.body].translation();
            assert!(before.distance(after) < 1e-3, "{setting:?}, {slope}: {before}, {after}");
            assert_eq!(activity, Activity::Asleep, "{setting:?}, {slope}: {:?}", steering(&car));
            // A hand wakes it.
            car.vehicle.commands.steering_torque = Some(-30.0);
            assert_eq!(car.step(&mut world).unwrap(), Activity::Awake, "{setting:?}");
            let angle = steering(&car).angle;
            drive(&mut world, &mut car, 1.0);
            assert!(steering(&car).angle < angle - 0.1, "{setting:?}: {:?}", steering(&car));
        }
    }
}

#[test]
fn turning_the_wheels_of_a_car_that_stands_takes_a_torque_that_is_bounded_and_gone_as_it_rolls() {
    for setting in SETTINGS {
        let (mut world, mut car) = standing(&setting);
        let start = world.bodies[car.actor.body].translation();
        let steps = setting.frequency as usize;
        let mut torques = Vec::new();
        for step in 1..=steps {
            car.vehicle.commands.steer = step as Real / steps as Real;
            car.step(&mut world).unwrap();
            torques.push(steering(&car).wheel_torque);
        }
        let moved = world.bodies[car.actor.body].translation().distance(start);
        assert!(moved < 2e-3, "{setting:?}: {moved} m");
        // Near 2/3 μ N a of each contact, by the steering ratio.
        let mechanics = &car.vehicle.params().mechanics;
        let ratio = mechanics.steering_system.as_ref().expect("a steering system").ratio;
        let expected: Real = (0..2)
            .map(|wheel| {
                let load = car.wheel_contact(wheel).expect("it stands").wheel.load;
                let pressure = mechanics.wheels[wheel].inflation_pressure;
                2.0 / 3.0 * load * (load / (std::f32::consts::PI * pressure)).sqrt() / ratio
            })
            .sum();
        let largest = torques.iter().fold(0.0, |most: Real, torque| most.max(-torque));
        assert!(
            (largest / expected - 1.0).abs() < 0.25,
            "{setting:?}: {largest} of {expected} N·m"
        );
        // Turned back a little, it is free, then resists the other way.
        for step in 1..=steps / 2 {
            car.vehicle.commands.steer = 1.0 - step as Real / steps as Real;
            car.step(&mut world).unwrap();
        }
        let back = steering(&car).wheel_torque;
        assert!((back / expected - 1.0).abs() < 0.25, "{setting:?}: {back} of {expected} N·m");
        // It rolls, straight ahead, for a meter.
        car.vehicle.commands.steer = 0.0;
        car.vehicle.commands.brakes[0] = 0.0;
        car.step(&mut world).unwrap();
        let twisted = steering(&car).wheel_torque;
        assert!(10.0 < twisted, "{setting:?}: {twisted} N·m");
        let radius = car.vehicle.params().mechanics.wheels[0].radius;
        crate::common::roll(&mut world, &mut car, 2.0, 2.0 / radius);
        drive(&mut world, &mut car, 1.0);
        let torque = steering(&car).wheel_torque;
        assert!(torque.abs() < 0.5, "{setting:?}: {torque} N·m after {twisted} N·m");
    }
}

#[test]
fn saved_and_restored_it_turns_on_with_the_same_bits() {
    let (mut world, mut car) = in_a_bend(&SALOON, 0.2);
    car.vehicle.commands.steering_torque = Some(0.5);
    drive(&mut world, &mut car, 0.3);
    let saved = car.snapshot(&world.bodies).expect("a body");
    let text = serde_json::to_string(&saved).unwrap();
    let trail = |world: &mut PhysicsWorld, car: &mut Car| {
        drive(world, car, 1.0);
        (car.vehicle.memory(), *world.bodies[car.actor.body].position())
    };
    let first = trail(&mut world, &mut car);
    let saved = serde_json::from_str(&text).unwrap();
    car.restore(&mut world, &saved).expect("its own snapshot");
    assert_eq!(trail(&mut world, &mut car), first);
    assert!(first.0.mechanics.steering_rate != 0.0, "it turns: {first:?}");
}

#[test]
fn a_lost_wheel_turns_nothing() {
    let (mut world, mut car) = in_a_bend(&SALOON, 0.1);
    let both = steering(&car).wheel_torque;
    car.vehicle.state.mechanics.detach_wheel(0).expect("a wheel");
    car.vehicle.commands.steering_torque = Some(0.0);
    drive(&mut world, &mut car, 0.5);
    let state = steering(&car);
    assert_eq!(state.kingpin_moments[0], 0.0);
    assert_ne!(state.kingpin_moments[1], 0.0);
    assert!(state.wheel_torque.is_finite() && both != 0.0, "{state:?}");
}

#[test]
fn vehicles_with_an_engine_and_with_steered_rear_wheels_straighten_themselves() {
    for frequency in [30.0, 240.0] {
        for rear in [0.0, -0.15] {
            let mut world = level_world(frequency.recip(), 1.0);
            let mut params = engine_saloon();
            free(&mut params.mechanics, &SALOON);
            params.mechanics.steering.wheel_multipliers[2..].fill(rear);
            let pose = Pose::from_translation(Vector::Y * saloon_rest_height());
            let mut car = insert_engine_saloon(&mut world, params, pose, 3);
            drive(&mut world, &mut car, 0.5);
            crate::common::roll(&mut world, &mut car, 15.0, 15.0 / 0.33);
            car.vehicle.commands.steer = 0.1;
            drive(&mut world, &mut car, 1.0);
            let start = steering(&car).angle;
            car.vehicle.commands.steering_torque = Some(0.0);
            drive(&mut world, &mut car, 5.0);
            let angle = steering(&car).angle;
            assert!(angle.abs() < 0.05 * start, "{frequency} Hz: {angle} rad, from {start} rad");
        }
    }
}

#[test]
fn cars_and_trucks_with_a_driveline_of_blocks_straighten_themselves() {
    for (name, build) in
        [("rear-drive", ready_made::rear_drive()), ("truck-6x4", ready_made::truck_6x4())]
    {
        for frequency in [30.0, 240.0] {
            let mut world = level_world(frequency.recip(), 1.0);
            let (mut mechanics, height) = mechanics_for(name).expect("no faults");
            free(&mut mechanics, &SALOON);
            let radius = mechanics.wheels[0].radius;
            let pose = Pose::from_translation(Vector::Y * height);
            let chassis = Chassis::new(&mechanics.rigid_body).pose(pose);
            let params = BlockDriveParams::new(mechanics, build.clone().expect("a driveline"));
            let vehicle = BlockDriveVehicle::new(params).expect("no faults");
            let sequence = BlockDriveVehicle::sequence();
            let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
            drive(&mut world, &mut car, 0.5);
            crate::common::roll(&mut world, &mut car, 15.0, 15.0 / radius);
            car.vehicle.commands.steer = 0.1;
            drive(&mut world, &mut car, 1.0);
            let (start, yaw) = (steering(&car).angle, yaw_rate(&world, &car));
            assert!(0.05 < yaw, "{name}: {yaw} rad/s in the bend");
            car.vehicle.commands.steering_torque = Some(0.0);
            drive(&mut world, &mut car, 5.0);
            let angle = steering(&car).angle;
            assert!(
                angle.abs() < 0.05 * start,
                "{name}, {frequency} Hz: {angle} rad, from {start} rad"
            );
        }
    }
}

#[test]
fn without_a_steering_system_nothing_is_computed_and_no_torque_is_taken() {
    let mut world = level_world(1.0 / 60.0, 1.0);
    let pose = Pose::from_translation(Vector::Y * saloon_rest_height());
    let mut car = insert_saloon(&mut world, direct_saloon(), pose, 3);
    car.vehicle.commands.steer = 0.5;
    drive(&mut world, &mut car, 1.0);
    assert_eq!(*steering(&car), SteeringState::at_rest(4));
    car.vehicle.commands.steering_torque = Some(2.0);
    let error = car.step(&mut world).unwrap_err().to_string();
    assert_eq!(
        error,
        "commands.steering_torque must be none, as the vehicle has no steering_system, got 2"
    );
}
