//! The ready-made direct-drive vehicle against closed forms, and its promises to the user.
//!
//! A car from [`CarBlueprint`] drives on a flat road of friction 1, if nothing else is said.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use common::{COAST, DT, Drive, MAX_DRIVE_TORQUE, all_wheel_drive, steps};
use vehicle_core::aerodynamics::{AIR_DENSITY, AerodynamicsParams, DownforceParams};
use vehicle_core::axle::AxleDescription;
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::Commands;
use vehicle_core::context::GRAVITY;
use vehicle_core::frame::Frame;
use vehicle_core::math::{Real, Vec3};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::stages::Tire;
use vehicle_core::wheel::WheelParams;
use vehicle_core::{Component, Context};
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicle};

/// A car whose wheels turn without loss, so that closed forms stay short.
fn lossless_car(frame: Frame) -> CarBlueprint {
    let wheel = WheelParams { damping_rate: 0.0, ..WheelParams::default() };
    let rolling_resistance = Some(0.0);
    CarBlueprint { frame, wheel, rolling_resistance, ..CarBlueprint::default() }
}

/// The car in a vacuum: closed forms leave the air out.
fn params(blueprint: &CarBlueprint) -> DirectDriveParams {
    all_wheel_drive(&CarBlueprint { drag_area: 0.0, ..blueprint.clone() })
}

/// A car that rests at the origin.
fn resting_car(blueprint: &CarBlueprint) -> Drive<FlatRoad> {
    resting_car_with(blueprint, params(blueprint))
}

fn resting_car_with(blueprint: &CarBlueprint, params: DirectDriveParams) -> Drive<FlatRoad> {
    Drive::with_params(blueprint, params, FlatRoad::new(&blueprint.frame))
}

impl Drive<FlatRoad> {
    fn mass(&self) -> Real {
        self.vehicle.params().mechanics.rigid_body.mass
    }

    /// Position along the axes at the start: forward, left, up (m).
    fn position(&self) -> Vec3 {
        let position = self.vehicle.state.mechanics.rigid_body.pose.translation;
        self.frame().matrix().transpose() * position
    }

    /// Yaw rate, positive to the left (rad/s).
    fn yaw_rate(&self) -> Real {
        self.vehicle.state.mechanics.rigid_body.angular_velocity.dot(self.frame().vertical())
    }
}

/// Four frames with different axes up and forward.
fn some_frames() -> impl Iterator<Item = Frame> {
    Frame::all().step_by(7)
}

#[track_caller]
fn assert_close(actual: Real, expected: Real, relative: Real, what: &str) {
    let error = (actual - expected).abs() / expected.abs();
    assert!(error <= relative, "{what}: {actual}, expected {expected}, {error:e} > {relative:e}");
}

#[test]
fn springs_of_a_car_at_rest_carry_its_weight_at_the_rest_jounce() {
    for frame in Frame::all() {
        let blueprint = CarBlueprint { frame, ..CarBlueprint::default() };
        let mut drive = resting_car(&blueprint);
        drive.place(blueprint.center_of_mass_height + 0.05);
        drive.run(5.0, COAST);

        let state = &drive.vehicle.state.mechanics;
        let load: Real = state.suspensions.iter().map(|force| force.force.normal_load).sum();
        assert_close(load, blueprint.mass * GRAVITY, 1e-3, &format!("load (N) in {frame:?}"));
        for (wheel, suspension) in state.suspensions.iter().enumerate() {
            let what = format!("jounce (m) of wheel {wheel} in {frame:?}");
            let jounce = suspension.compression.jounce.unwrap();
            assert_close(jounce, blueprint.rest_jounce(), 1e-3, &what);
        }
    }
}

/// Acceleration (m/s²) under a drive torque of `torque` (N·m) on every wheel.
///
/// ```text
/// a = Σ T / (R (M + Σ I / R²))
/// ```
fn acceleration(blueprint: &CarBlueprint, torque: Real) -> Real {
    let WheelParams { radius, inertia, .. } = blueprint.wheel;
    4.0 * torque / (radius * (blueprint.mass + 4.0 * inertia / (radius * radius)))
}

#[test]
fn throttle_accelerates_car_and_wheels() {
    for frame in some_frames() {
        let blueprint = lossless_car(frame);
        for (start, throttle) in [(10.0, 0.25), (10.0, 1.0), (0.0, 0.5), (0.0, 1.0)] {
            let mut drive = resting_car(&blueprint);
            drive.roll(start);
            let commands = Commands { throttle, ..COAST };
            drive.run(0.5, commands);
            let before = drive.speed();
            drive.run(2.0, commands);
            let actual = (drive.speed() - before) / 2.0;
            let expected = acceleration(&blueprint, throttle * MAX_DRIVE_TORQUE);
            let what = format!("acceleration (m/s²) from {start} m/s, {throttle}, {frame:?}");
            assert_close(actual, expected, 0.02, &what);
        }
    }
}

#[test]
fn reverse_gear_accelerates_backward_and_neutral_not_at_all() {
    for frame in Frame::all() {
        let blueprint = lossless_car(frame);
        for gear in [Gear::Reverse, Gear::Neutral] {
            let mut drive = resting_car(&blueprint);
            drive.vehicle.controls.gear = gear;
            drive.run(2.0, Commands { throttle: 0.5, ..COAST });
            let (actual, expected) =
                (drive.speed(), gear.sign() * 2.0 * acceleration(&blueprint, 200.0));
            let error = (actual - expected).abs();
            assert!(error < 0.1, "{gear:?} in {frame:?}: {actual} m/s, expected {expected} m/s");
        }
    }
}

/// Yaw rate (rad/s) of the linear single-track model at `speed` v (m/s), per steer angle δ (rad).
///
/// ```text
/// r / δ = v / (L (1 + K v²)),   K = m/L² (b/C_f - a/C_r)
/// ```
///
/// with `a` and `b` the distances of front and rear axle from the center of mass. `C` is the
/// cornering stiffness of an axle: both tires' slopes at the rest load.
fn yaw_rate_per_steer_angle(
    drive: &Drive<FlatRoad>,
    blueprint: &CarBlueprint,
    speed: Real,
) -> Real {
    let axle_stiffness = |tire: usize| {
        let tire = &drive.vehicle.params().mechanics.tires[tire];
        let k = 3.0 / tire.lateral_stiffness_load;
        let saturation = k - k * k / 3.0 + k * k * k / 27.0;
        2.0 * tire.lateral_stiffness * saturation
    };
    let base = blueprint.wheel_base;
    let (rear_arm, front_arm) =
        (base * blueprint.front_share, base * (1.0 - blueprint.front_share));
    let gradient = blueprint.mass / (base * base)
        * (rear_arm / axle_stiffness(0) - front_arm / axle_stiffness(2));
    speed / (base * (1.0 + gradient * speed * speed))
}

#[test]
fn steady_turn_is_that_of_the_linear_single_track_model() {
    // (speed in m/s, steer command, lateral stiffness of the front tires, of the rear tires)
    let cases = [
        (2.0, 0.1, 1.0, 1.0),
        (5.0, 0.05, 1.0, 1.0),
        (15.0, 0.02, 1.0, 1.0),
        (15.0, 0.02, 0.7, 1.0),
        (15.0, 0.02, 1.0, 0.8),
        (25.0, -0.01, 0.7, 1.0),
    ];
    for frame in some_frames() {
        let blueprint = lossless_car(frame);
        for (start, steer, front, rear) in cases {
            let mut params = params(&blueprint);
            for (tire, factor) in params.mechanics.tires.iter_mut().zip([front, front, rear, rear])
            {
                tire.lateral_stiffness *= factor;
            }
            let mut drive = resting_car_with(&blueprint, params);
            drive.roll(start);
            drive.run(3.0, Commands { steer, ..COAST });

            let speed = drive.speed();
            let angles = &drive.vehicle.state.mechanics.steer_angles;
            let angle = 0.5 * (angles[0] + angles[1]);
            let expected = angle * yaw_rate_per_steer_angle(&drive, &blueprint, speed);
            let what = format!(
                "yaw rate (rad/s) at {speed} m/s, {angle} rad, tires {front}, {rear}, {frame:?}"
            );
            assert_close(drive.yaw_rate(), expected, 0.05, &what);
        }
    }
}

#[test]
fn positive_steer_turns_left() {
    for frame in Frame::all() {
        for steer in [0.1, -0.1] {
            let mut drive = resting_car(&CarBlueprint { frame, ..CarBlueprint::default() });
            drive.roll(10.0);
            drive.run(1.0, Commands { steer, ..COAST });
            let (yaw_rate, left) = (drive.yaw_rate(), drive.position().y);
            assert!(
                0.0 < yaw_rate * steer && 0.0 < left * steer,
                "steer {steer} in {frame:?}: {yaw_rate} rad/s, {left} m to the left"
            );
        }
    }
}

#[test]
fn brake_beats_throttle() {
    for frame in some_frames() {
        let mut drive = resting_car(&CarBlueprint { frame, ..CarBlueprint::default() });
        drive.roll(10.0);
        let commands = Commands { throttle: 1.0, brakes: [1.0, 0.0], ..COAST };
        drive.run(4.0, commands);
        for _ in 0..steps(1.0) {
            drive.step(commands);
            let speed = drive.speed();
            assert!(speed.abs() < 0.05, "{speed} m/s in {frame:?}, brake and throttle");
        }
    }
}

/// Distance (m) in which a car stops from `speed` (m/s) with locked wheels.
fn locked_stop(frame: Frame, speed: Real, friction: Real) -> Real {
    let blueprint = CarBlueprint { frame, brake_torques: [50_000.0; 2], ..CarBlueprint::default() };
    let mut drive = resting_car(&blueprint);
    drive.road = FlatRoad::with_friction(&frame, friction);
    drive.roll(speed);
    drive.vehicle.state.mechanics.wheels.edit_all(|wheel| wheel.rotation_speed = 0.0);
    for _ in 0..steps(20.0) {
        drive.step(Commands { brakes: [1.0, 0.0], ..COAST });
        if drive.speed() < 0.1 {
            return drive.position().x;
        }
    }
    panic!("{} m/s after 20 s of braking at friction {friction} in {frame:?}", drive.speed());
}

#[test]
fn locked_wheels_stop_the_car_in_v2_over_2_mu_g() {
    let speed: Real = 100.0 / 3.6;
    for frame in some_frames() {
        // Tires that slide have 0.8 of the friction: 49.16 m, 70.23 m and 163.9 m.
        for (friction, expected) in [(1.0, 39.33 / 0.8), (0.7, 56.18 / 0.8), (0.3, 131.09 / 0.8)] {
            let actual = locked_stop(frame, speed, friction);
            let what = format!("stop (m) from 100 km/h at friction {friction} in {frame:?}");
            assert_close(actual, expected, 0.03, &what);
        }
    }
}

#[test]
fn external_force_and_torque_act_for_one_frame() {
    for frame in some_frames() {
        for substeps in [1, 3] {
            // All of it moves as the body does.
            let blueprint = CarBlueprint { frame, ride: None, ..CarBlueprint::default() };
            let mut drive = resting_car(&blueprint).with_substeps(substeps);
            drive.simulation.gravity = Vec3::ZERO;
            drive.place(100.0);
            let inertia = drive.vehicle.params().mechanics.rigid_body.inertia;
            let (force, torque) = (Vec3::new(3_000.0, -2_000.0, 500.0), Vec3::new(0.0, 0.0, 400.0));
            let body = &mut drive.vehicle.state.mechanics.rigid_body;
            (body.external_force, body.external_torque) = (force, torque);

            drive.step(COAST);
            let body = drive.vehicle.state.mechanics.rigid_body;
            let impulses = [
                (body.linear_velocity * drive.mass(), force * DT),
                (body.angular_velocity * inertia, torque * DT),
            ];
            for (actual, expected) in impulses {
                let error = actual.distance(expected) / expected.length();
                assert!(
                    error < 1e-4,
                    "{substeps} substeps, {frame:?}: {actual}, expected {expected} (N·s, N·m·s)"
                );
            }
            assert_eq!((body.external_force, body.external_torque), (Vec3::ZERO, Vec3::ZERO));

            drive.step(COAST);
            let later = drive.vehicle.state.mechanics.rigid_body;
            assert_eq!(
                later.linear_velocity, body.linear_velocity,
                "{substeps} substeps, {frame:?}"
            );
        }
    }
}

#[test]
fn params_may_change_between_steps_but_not_the_number_of_wheels() {
    let blueprint = CarBlueprint::default();
    let mut drive = resting_car(&blueprint);
    drive.run(0.5, COAST);
    let heavier = CarBlueprint { mass: 2_000.0, ..blueprint.clone() };
    drive.vehicle.set_params(params(&heavier)).unwrap();
    drive.run(3.0, COAST);
    let forces = &drive.vehicle.state.mechanics.suspensions;
    let load: Real = forces.iter().map(|force| force.force.normal_load).sum();
    assert_close(load, 2_000.0 * GRAVITY, 1e-3, "load (N) of the heavier car");

    let error = drive.vehicle.set_params(two_wheels(&blueprint)).unwrap_err().to_string();
    assert_eq!(error, "mechanics.axles must be of 4 wheels, as before, got 2");
}

/// The front axle of a car: faultless, but of other wheels.
fn two_wheels(blueprint: &CarBlueprint) -> DirectDriveParams {
    let mut params = params(&CarBlueprint { ride: None, ..blueprint.clone() });
    let mechanics = &mut params.mechanics;
    mechanics.axles = AxleDescription::new([[0, 1]]).expect("two wheels");
    mechanics.wheels.truncate(2);
    mechanics.suspensions.truncate(2);
    mechanics.compliances.truncate(2);
    mechanics.suspension_forces.truncate(2);
    mechanics.tires.truncate(2);
    mechanics.anti_roll_bars.truncate(1);
    mechanics.steering.wheel_multipliers.truncate(2);
    for brake in &mut mechanics.brakes {
        brake.wheel_multipliers.truncate(2);
    }
    params.throttle.wheel_multipliers.truncate(2);
    params
}

/// Throttle, a bend, brakes in the bend.
fn commands_at(step: usize) -> Commands {
    let time = step as Real * DT;
    Commands {
        throttle: if time < 2.0 { 0.8 } else { 0.0 },
        brakes: [if 2.5 < time { 0.6 } else { 0.0 }, 0.0],
        steer: 0.3 * (2.0 * time).sin(),
        steering_torque: None,
    }
}

/// The printed states of a drive over `range` of steps.
fn printed_drive(drive: &mut Drive<FlatRoad>, range: std::ops::Range<usize>) -> Vec<String> {
    let mut states = Vec::new();
    for step in range {
        drive.step(commands_at(step));
        states.push(drive.printed());
    }
    states
}

/// Asserts that two drives are the same, and names the first step in which they are not.
#[track_caller]
fn assert_same_drive(actual: &[String], expected: &[String], what: &str) {
    assert_eq!(actual.len(), expected.len(), "steps, {what}");
    for (step, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        assert_eq!(actual, expected, "step {step}, {what}");
    }
}

#[test]
fn a_restored_state_continues_with_the_same_bits() {
    let blueprint = CarBlueprint::default();
    let mut original = resting_car(&blueprint);
    printed_drive(&mut original, 0..100);
    let saved = serde_json::to_string(&original.vehicle.state).unwrap();

    let mut restored = resting_car(&blueprint);
    restored.vehicle.state = serde_json::from_str(&saved).unwrap();
    assert_eq!(restored.printed(), original.printed(), "after {saved}");
    let expected = printed_drive(&mut original, 100..240);
    let actual = printed_drive(&mut restored, 100..240);
    assert_same_drive(&actual, &expected, &format!("after {saved}"));
}

#[test]
fn a_component_of_the_users_own_runs_in_every_substep() {
    let mut drive = resting_car(&CarBlueprint::default());
    let count = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&count);
    let counting = move |vehicle: &mut DirectDriveVehicle, dt: Real, context: &Context<'_>| {
        counter.fetch_add(1, Ordering::Relaxed);
        Tire.update(vehicle, dt, context)
    };
    drive.sequence = drive.sequence.replace::<Tire>(counting).expect("a tire stage");
    drive.run(1.0, COAST);
    assert_eq!(count.load(Ordering::Relaxed), 3 * steps(1.0) as u32);
}

#[test]
fn the_same_drive_gives_the_same_bits() {
    for frame in some_frames() {
        let blueprint = CarBlueprint { frame, ..CarBlueprint::default() };
        let [first, second] = [(); 2].map(|()| printed_drive(&mut resting_car(&blueprint), 0..240));
        assert_same_drive(&first, &second, &format!("{frame:?}"));
    }
}

#[test]
fn drag_slows_a_coasting_car() {
    let blueprint = CarBlueprint { drag_area: 0.7, ..lossless_car(Frame::Y_UP) };
    let mut drive = resting_car_with(&blueprint, all_wheel_drive(&blueprint));
    drive.roll(50.0);
    drive.run(5.0, COAST);
    // m dv/dt = -½ ρ C_d A v², so 1/v = 1/v0 + ½ ρ C_d A t / m, the wheels' inertia added to m
    let wheel = blueprint.wheel;
    let inertia = blueprint.mass + 4.0 * wheel.inertia / wheel.radius.powi(2);
    let expected = 1.0 / (1.0 / 50.0 + 0.5 * AIR_DENSITY * 0.7 * 5.0 / inertia);
    let speed = drive.speed();
    assert!((speed / expected - 1.0).abs() < 2e-3, "{speed} m/s, not {expected} m/s");
}

#[test]
fn downforce_presses_each_axle_by_its_share() {
    let blueprint = lossless_car(Frame::Y_UP);
    let mut params = params(&blueprint);
    let (front, rear) = (1.5, 2.5);
    let axle = |wheel: usize| {
        let position = params.mechanics.suspensions[wheel].attachment.translation;
        Vec3::new(0.0, 0.0, position.z)
    };
    let downforces = vec![
        DownforceParams { area: front, point: axle(0) },
        DownforceParams { area: rear, point: axle(2) },
    ];
    params.mechanics.aerodynamics =
        AerodynamicsParams { downforces, ..AerodynamicsParams::default() };
    let mut drive = resting_car_with(&blueprint, params);
    let loads = |drive: &Drive<FlatRoad>| {
        let forces = &drive.vehicle.state.mechanics.suspensions;
        [
            forces.of(0).force.normal_load + forces.of(1).force.normal_load,
            forces.of(2).force.normal_load + forces.of(3).force.normal_load,
        ]
    };
    drive.run(1.0, COAST);
    let before = loads(&drive);
    drive.roll(40.0);
    drive.run(4.0, COAST);
    let after = loads(&drive);
    let pressure = 0.5 * AIR_DENSITY * drive.speed().powi(2);
    // A body whose nose rises, as its rear is pressed more, moves back over the contacts: F h θ /
    // L.
    let body = &drive.vehicle.state.mechanics.rigid_body;
    let pitch = (body.pose.rotation * Vec3::Z).y.asin();
    let pressed = blueprint.mass * 9.81 + pressure * (front + rear);
    let moved = pressed * body.pose.translation.y * pitch / blueprint.wheel_base;
    for (axle, (area, moved)) in [(front, -moved), (rear, moved)].into_iter().enumerate() {
        let added = after[axle] - before[axle];
        let expected = pressure * area + moved;
        let error = added / expected - 1.0;
        assert!(error.abs() < 0.02, "axle {axle}: {added} N, not {expected} N");
    }
}
