//! Laws that hold for every car: weight, mirror, frames, energy, finiteness.
//!
//! The cars are those of [`CarBlueprint`], each wheel with its own spring, tire and torque. Cars and
//! motions are given in the frame [`Frame::Z_UP`]; numbers are drawn from a fixed seed.

mod common;

use std::ops::ControlFlow::Continue;

use common::{DT, seeded};
use proptest::array::{uniform2, uniform3, uniform4};
use proptest::prelude::*;
use vehicle_core::actuation::WheelActuation;
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::{CommandResponseParams, Commands};
use vehicle_core::context::GRAVITY;
use vehicle_core::convert::Convert;
use vehicle_core::frame::{CoordinateConversion, CoordinateSystem, Frame};
use vehicle_core::math::{PI, Pose, Quat, Real, Vec3};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::suspension::force::spring_force;
use vehicle_core::suspension::{AntiRollBarParams, SuspensionForceParams};
use vehicle_core::wheel::WheelParams;
use vehicle_core::{Context, SimulationParams};
use vehicle_drivetrain::direct_drive::{
    Gear, TireTorqueSlope, WheelTorques, coupled_wheel, wheel_rotation_speed,
};
use vehicle_drivetrain::direct_drive_vehicle::DirectDriveState;
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicle};

/// Axes of cars and motions as they are drawn.
const FRAME: Frame = Frame::Z_UP;
/// Largest difference of two results of one law, as part of the [`SCALES`].
const TOLERANCE: Real = 1e-5;
/// Position (m), rotation (1), velocity (m/s), angular velocity (rad/s), rotation speed of a wheel
/// (rad/s).
const SCALES: [Real; 5] = [1.0, 1.0, 5.0, 1.0, 30.0];

/// A car whose wheels differ.
#[derive(Clone, Debug)]
struct Car {
    blueprint: CarBlueprint,
    /// Factor of each spring and damper.
    springs: [Real; 4],
    /// Factor of each tire's stiffnesses.
    tires: [Real; 4],
    /// Drive torque of each wheel at full throttle (N·m).
    drive_torques: [Real; 4],
    /// Stiffness of the anti-roll bar of each axle (N/m).
    bars: [Real; 2],
}

impl Car {
    fn params(&self) -> DirectDriveParams {
        let mut mechanics = self.blueprint.mechanics().expect("a faultless car");
        for wheel in 0..4 {
            let spring = &mut mechanics.suspension_forces[wheel];
            spring.stiffness *= self.springs[wheel];
            spring.damping *= self.springs[wheel];
            let tire = &mut mechanics.tires[wheel];
            tire.longitudinal_stiffness *= self.tires[wheel];
            tire.lateral_stiffness *= self.tires[wheel];
        }
        let bar = |wheels, stiffness| AntiRollBarParams { wheels, stiffness };
        mechanics.anti_roll_bars = vec![bar([0, 1], self.bars[0]), bar([2, 3], self.bars[1])];
        DirectDriveParams {
            mechanics,
            throttle: CommandResponseParams::linear(1.0, self.drive_torques),
        }
    }
}

prop_compose! {
    fn wheels()(
        radius in 0.25_f32..0.45,
        half_width in 0.07_f32..0.15,
        inertia in 0.3_f32..3.0,
        damping_rate in 0.0_f32..1.0,
    ) -> WheelParams {
        WheelParams { radius, half_width, inertia, damping_rate, ..WheelParams::default() }
    }
}

prop_compose! {
    fn blueprints()(
        mass in 600.0_f32..3_000.0,
        size in [3.5_f32..5.5, 1.5..2.1, 1.0..1.9],
        (wheel_base, track_width) in (2.2_f32..3.4, 1.3_f32..1.8),
        front_share in 0.35_f32..0.65,
        center_of_mass_height in 0.35_f32..0.9,
        wheel in wheels(),
        (natural_frequency, damping_ratio) in (1.1_f32..2.5, 0.2_f32..1.0),
        travel_left in 0.03_f32..0.2,
        max_steer_angle in 0.3_f32..0.7,
        brake_torques in uniform2(500.0_f32..3_000.0),
        hand_brake_torque in 500.0_f32..3_000.0,
    ) -> CarBlueprint {
        let mut blueprint = CarBlueprint {
            frame: FRAME,
            mass,
            size,
            wheel_base,
            track_width,
            front_share,
            center_of_mass_height,
            wheel,
            natural_frequency,
            damping_ratio,
            max_steer_angle,
            brake_torques,
            hand_brake_torque,
            ..CarBlueprint::default()
        };
        blueprint.travel_distance = blueprint.rest_jounce() + travel_left;
        blueprint
    }
}

prop_compose! {
    fn cars()(
        blueprint in blueprints(),
        springs in uniform4(0.8_f32..1.2),
        tires in uniform4(0.7_f32..1.3),
        drive_torques in uniform4(0.0_f32..1_000.0),
        bars in uniform2(0.0_f32..20e3),
    ) -> Car {
        Car { blueprint, springs, tires, drive_torques, bars }
    }
}

/// How a car moves and stands, and what its driver wants.
#[derive(Clone, Debug)]
struct Motion {
    /// Position, the height above that at rest (m).
    position: [Real; 3],
    /// Roll, pitch and yaw (rad).
    angles: [Real; 3],
    /// Velocity (m/s).
    velocity: [Real; 3],
    /// Angular velocity (rad/s).
    rates: [Real; 3],
    /// Rotation speed of each wheel (rad/s).
    wheel_speeds: [Real; 4],
    /// Change of each jounce since the step before (m).
    jounce_changes: [Real; 4],
    /// Time for which each tire has been slow (s).
    slow_times: [Real; 4],
    commands: Commands,
    gear: Gear,
}

/// Where motions lie.
#[derive(Clone, Copy)]
struct Limits {
    height: Real,
    tilt: Real,
    speed: Real,
    rate: Real,
    wheel_speed: Real,
}

/// Near the ground and upright, such as in a race.
const NEAR_GROUND: Limits =
    Limits { height: 0.1, tilt: 0.08, speed: 10.0, rate: 1.0, wheel_speed: 40.0 };
/// Any way up, deep in the ground or high above it, and fast.
const ANYWHERE: Limits =
    Limits { height: 1.0, tilt: PI, speed: 80.0, rate: 10.0, wheel_speed: 300.0 };

/// At rest, slow, or fast.
fn speed_share() -> impl Strategy<Value = Real> {
    prop_oneof![Just(0.0_f32), Just(0.01), Just(0.1), 0.0_f32..1.0]
}

/// Not at all, half the time.
fn pedal() -> impl Strategy<Value = Real> {
    prop_oneof![Just(0.0_f32), 0.0_f32..1.0]
}

prop_compose! {
    fn all_commands()(
        throttle in pedal(),
        brakes in [pedal(), pedal()],
        steer in -1.0_f32..1.0,
    ) -> Commands {
        Commands { throttle, brakes, steer }
    }
}

prop_compose! {
    fn motions(limits: Limits)(
        position in uniform3(-1.0_f32..1.0),
        angles in uniform3(-1.0_f32..1.0),
        velocity in uniform3(-1.0_f32..1.0),
        rates in uniform3(-1.0_f32..1.0),
        wheel_speeds in uniform4(-1.0_f32..1.0),
        wheel_share in speed_share(),
        share in speed_share(),
        jounce_changes in uniform4(-0.02_f32..0.02),
        slow_times in uniform4(prop_oneof![Just(0.0_f32), Just(2.0)]),
        commands in all_commands(),
        gear in prop_oneof![Just(Gear::Forward), Just(Gear::Reverse), Just(Gear::Neutral)],
    ) -> Motion {
        let [roll, pitch, yaw] = angles;
        let [x, y, z] = position;
        Motion {
            position: [x, y, z * limits.height],
            angles: [roll * limits.tilt, pitch * limits.tilt, yaw * PI],
            velocity: velocity.map(|speed| speed * share * limits.speed),
            rates: rates.map(|rate| rate * share * limits.rate),
            wheel_speeds: wheel_speeds.map(|speed| speed * wheel_share * limits.wheel_speed),
            jounce_changes,
            slow_times,
            commands,
            gear,
        }
    }
}

/// A vehicle in the world, in any frame.
struct Scene {
    vehicle: DirectDriveVehicle,
    simulation: SimulationParams,
    road: FlatRoad,
}

impl Scene {
    /// `car` in `motion`, in the frame [`FRAME`].
    fn new(car: &Car, motion: &Motion) -> Self {
        let mut vehicle = DirectDriveVehicle::new(car.params()).expect("a faultless car");
        vehicle.commands = motion.commands;
        vehicle.gear = motion.gear;
        let state = &mut vehicle.state.mechanics;
        let [roll, pitch, yaw] = motion.angles;
        let [x, y, z] = motion.position;
        let position = Vec3::new(x, y, z + car.blueprint.center_of_mass_height);
        let body = &mut state.rigid_body;
        body.pose = Pose::from_parts(position, FRAME.rotation(roll, pitch, yaw));
        body.linear_velocity = Vec3::from_array(motion.velocity);
        body.angular_velocity = Vec3::from_array(motion.rates);
        let rest = car.blueprint.rest_jounce();
        for wheel in 0..4 {
            state.wheels[wheel].rotation_speed = motion.wheel_speeds[wheel];
            let jounce = rest + motion.position[2] + motion.jounce_changes[wheel];
            state.suspensions[wheel].jounce =
                Some(jounce.clamp(0.0, car.blueprint.travel_distance));
            let sticky = &mut state.sticky_tires[wheel];
            sticky.longitudinal.low_speed_time = motion.slow_times[wheel];
            sticky.lateral.low_speed_time = motion.slow_times[wheel];
        }
        Self { vehicle, simulation: SimulationParams::new(FRAME), road: FlatRoad::new(&FRAME) }
    }

    /// The same scene in the target of `conversion`.
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        let params = self.vehicle.params().converted(conversion);
        let mut vehicle = DirectDriveVehicle::new(params).expect("a faultless car");
        vehicle.commands = self.vehicle.commands;
        vehicle.gear = self.vehicle.gear;
        vehicle.state = self.vehicle.state.clone();
        let body = &mut vehicle.state.mechanics.rigid_body;
        body.pose = conversion.pose(&body.pose);
        body.linear_velocity = conversion.length(body.linear_velocity);
        body.angular_velocity = conversion.direction(body.angular_velocity);
        let simulation = self.simulation.converted(conversion);
        let road = FlatRoad::new(&conversion.target().frame);
        Self { vehicle, simulation, road }
    }

    /// The scene in a mirror that stands along the road: right is left.
    ///
    /// Every wheel keeps its number, and so its turn in the sweeps over the constraint rows: they
    /// do not converge within a step, so another order has another result.
    fn mirrored(&self) -> Self {
        let mut params = (**self.vehicle.params()).clone();
        for suspension in &mut params.mechanics.suspensions {
            suspension.attachment = mirrored_pose(&suspension.attachment);
            suspension.travel_direction = mirrored_vector(suspension.travel_direction);
        }
        for axle in &mut params.mechanics.ackermann {
            axle.wheels.reverse();
        }
        let mut vehicle = DirectDriveVehicle::new(params).expect("a faultless car");
        let Commands { steer, .. } = self.vehicle.commands;
        vehicle.commands = Commands { steer: -steer, ..self.vehicle.commands };
        vehicle.gear = self.vehicle.gear;
        vehicle.state = self.vehicle.state.clone();
        let body = &mut vehicle.state.mechanics.rigid_body;
        body.pose = mirrored_pose(&body.pose);
        body.linear_velocity = mirrored_vector(body.linear_velocity);
        body.angular_velocity = -mirrored_vector(body.angular_velocity);
        Self { vehicle, simulation: self.simulation, road: self.road }
    }

    fn steps(&mut self, count: usize, substeps: u32, dt: Real) {
        let sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps);
        let context = Context::new(&self.simulation, &self.road);
        for _ in 0..count {
            let flow = sequence.update(&mut self.vehicle, dt, &context);
            assert_eq!(flow, Ok(Continue(())));
        }
    }

    fn outcome(&self) -> Outcome {
        let state = &self.vehicle.state.mechanics;
        Outcome {
            pose: state.rigid_body.pose,
            velocity: state.rigid_body.linear_velocity,
            rates: state.rigid_body.angular_velocity,
            wheel_speeds: std::array::from_fn(|wheel| state.wheels[wheel].rotation_speed),
        }
    }
}

fn mirrored_vector(vector: Vec3) -> Vec3 {
    let left = FRAME.lateral();
    vector - left * (2.0 * left.dot(vector))
}

/// The axis of a rotation is that of a turn: in a mirror it is reversed, beside being mirrored.
fn mirrored_pose(pose: &Pose) -> Pose {
    let axis = -mirrored_vector(pose.rotation.xyz());
    let rotation = Quat::from_xyzw(axis.x, axis.y, axis.z, pose.rotation.w);
    Pose::from_parts(mirrored_vector(pose.translation), rotation)
}

/// What has become of a motion.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    pose: Pose,
    velocity: Vec3,
    rates: Vec3,
    wheel_speeds: [Real; 4],
}

impl Outcome {
    fn mirrored(&self) -> Self {
        Self {
            pose: mirrored_pose(&self.pose),
            velocity: mirrored_vector(self.velocity),
            rates: -mirrored_vector(self.rates),
            wheel_speeds: self.wheel_speeds,
        }
    }

    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            pose: conversion.pose(&self.pose),
            velocity: conversion.length(self.velocity),
            rates: conversion.direction(self.rates),
            wheel_speeds: self.wheel_speeds,
        }
    }

    /// The largest difference from `other`, as a part of the [`SCALES`].
    fn difference(&self, other: &Self) -> Real {
        let (this, that) = (self.pose.rotation, other.pose.rotation);
        let wheels = self.wheel_speeds.iter().zip(other.wheel_speeds);
        let differences = [
            self.pose.translation.distance(other.pose.translation),
            (this - that).length().min((this + that).length()),
            self.velocity.distance(other.velocity),
            self.rates.distance(other.rates),
            wheels.fold(0.0, |largest: Real, (this, that)| largest.max((this - that).abs())),
        ];
        let parts = differences.iter().zip(SCALES).map(|(difference, scale)| difference / scale);
        parts.fold(0.0, Real::max)
    }
}

/// Whether every number of `state` that moves something is finite.
fn is_finite(state: &DirectDriveState) -> bool {
    let mechanics = &state.mechanics;
    let body = &mechanics.rigid_body;
    let vectors = [body.pose.translation, body.linear_velocity, body.angular_velocity];
    let of_wheels = (0..4).all(|wheel| {
        let (tire, spin) = (&mechanics.tires[wheel], &mechanics.wheels[wheel]);
        let numbers = [
            spin.rotation_speed,
            spin.rotation_angle,
            tire.slip.longitudinal,
            tire.slip.lateral,
            tire.force.wheel_torque,
            mechanics.suspensions[wheel].jounce.unwrap_or(0.0),
            mechanics.suspensions[wheel].jounce_speed,
            mechanics.suspension_forces[wheel].normal_load,
            state.drive_torques[wheel],
        ];
        let vectors = [tire.force.force(), tire.force.torque(), spin.local_pose.translation];
        numbers.iter().all(|number| number.is_finite())
            && vectors.iter().all(|vector| vector.is_finite())
            && spin.local_pose.rotation.is_finite()
    });
    of_wheels && vectors.iter().all(|vector| vector.is_finite()) && body.pose.rotation.is_finite()
}

proptest! {
    #![proptest_config(seeded(128))]

    #[test]
    fn suspensions_of_a_car_at_rest_carry_its_weight(car in cars(), drop in -0.02_f32..0.02) {
        let rest = Motion {
            position: [0.0, 0.0, drop],
            angles: [0.0; 3],
            velocity: [0.0; 3],
            rates: [0.0; 3],
            wheel_speeds: [0.0; 4],
            jounce_changes: [0.0; 4],
            slow_times: [0.0; 4],
            commands: Commands::default(),
            gear: Gear::Neutral,
        };
        let mut scene = Scene::new(&car, &rest);
        scene.steps(480, 3, DT);
        let forces = &scene.vehicle.state.mechanics.suspension_forces;
        let load: Real = forces.iter().map(|force| force.normal_load).sum();
        let weight = car.blueprint.mass * GRAVITY;
        prop_assert!((load / weight - 1.0).abs() < 1e-3, "{load} N of {weight} N");
    }
}

proptest! {
    #![proptest_config(seeded(4_000))]

    #[test]
    fn a_step_of_the_mirrored_car_is_the_mirrored_step(car in cars(), motion in motions(NEAR_GROUND)) {
        let mut scene = Scene::new(&car, &motion);
        let mut mirrored = scene.mirrored();
        scene.steps(1, 1, DT);
        mirrored.steps(1, 1, DT);
        let (actual, expected) = (mirrored.outcome().mirrored(), scene.outcome());
        let difference = actual.difference(&expected);
        prop_assert!(difference < TOLERANCE, "{difference:e}: {actual:?}, expected {expected:?}");
    }

    #[test]
    fn a_car_ends_every_step_in_finite_motion(
        car in cars(),
        motion in motions(ANYWHERE),
        friction in 0.0_f32..1.5,
        substeps in 1_u32..4,
        rate in 20.0_f32..240.0,
    ) {
        let mut scene = Scene::new(&car, &motion);
        scene.road = FlatRoad::with_friction(&FRAME, friction);
        for step in 0..10 {
            scene.steps(1, substeps, 1.0 / rate);
            let state = &scene.vehicle.state;
            prop_assert!(is_finite(state), "step {step}: {state:?}");
        }
    }
}

proptest! {
    #![proptest_config(seeded(500))]

    #[test]
    fn a_step_is_the_same_in_all_frames(car in cars(), motion in motions(NEAR_GROUND)) {
        let mut scene = Scene::new(&car, &motion);
        let start = CoordinateSystem { frame: FRAME, length_scale: 1.0 };
        let converted = |frame| {
            let target = CoordinateSystem { frame, length_scale: 1.0 };
            let mut there = scene.converted(&CoordinateConversion::new(&start, &target));
            there.steps(1, 1, DT);
            let back = CoordinateConversion::new(&target, &start);
            (frame, there.outcome().converted(&back))
        };
        let outcomes: Vec<_> = Frame::all().map(converted).collect();
        scene.steps(1, 1, DT);
        let expected = scene.outcome();
        for (frame, actual) in outcomes {
            let difference = actual.difference(&expected);
            prop_assert!(
                difference < TOLERANCE,
                "{difference:e} in {frame:?}: {actual:?}, expected {expected:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(seeded(10_000))]

    #[test]
    fn a_brake_never_speeds_up_a_wheel_nor_turns_it_around(
        params in wheels(),
        brake in 0.0_f32..20e3,
        rotation_speed in prop_oneof![-300.0_f32..300.0, -0.1_f32..0.1, Just(0.0)],
        dt in 1e-4_f32..0.1,
    ) {
        let torques = WheelTorques { brake, ..WheelTorques::default() };
        let slope = TireTorqueSlope::default();
        let coupled = coupled_wheel(&params, &torques, &slope, rotation_speed, dt).rotation_speed;
        let actuation = WheelActuation::from_torques(brake, 0.0);
        let explicit = wheel_rotation_speed(&params, &torques, actuation, rotation_speed, dt);
        for after in [coupled, explicit] {
            let gained = after * after - rotation_speed * rotation_speed;
            prop_assert!(gained <= 0.0, "{after} rad/s after {rotation_speed} rad/s");
            prop_assert!(0.0 <= after * rotation_speed, "{after} after {rotation_speed} rad/s");
        }
    }

    #[test]
    fn a_damper_takes_energy(
        stiffness in 1e3_f32..500e3,
        damping in 0.0_f32..50e3,
        jounce in 0.0_f32..0.5,
        jounce_speed in prop_oneof![-10.0_f32..10.0, -1e-3_f32..1e-3],
    ) {
        let params = SuspensionForceParams { stiffness, damping, sprung_mass: 400.0 };
        let spring = spring_force(&params, jounce, 0.0);
        let damper = spring_force(&params, jounce, jounce_speed) - spring;
        prop_assert!(damper * jounce_speed <= 0.0, "{damper} N at {jounce_speed} m/s");
    }
}
