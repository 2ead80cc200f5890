//! Wheel and tire solved together at the end of a substep. This is stable, in balance, and in the
//! limit of short steps the same as the update that is explicit in the tire's torque.
//!
//! The *deviation* of a wheel that turns is the speed of its rim less that of the car (m/s). A
//! wheel that is held has none, while the car on its springs nods to a stop.

mod common;

use common::{COAST, DT, Drive, all_wheel_drive, steps};
use vehicle_core::WheelCoupling;
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::Commands;
use vehicle_core::frame::Frame;
use vehicle_core::math::{Pose, Real};
use vehicle_core::road_geometry::{ConstantPlane, Plane, RoadContact};
use vehicle_core::wheel::WheelParams;
use vehicle_drivetrain::DirectDriveParams;

/// How much faster than the road the rims run at first, so that there is something to swing (m/s).
const RIM_AHEAD: Real = 0.5;
const DRIVE: Commands = Commands { throttle: 0.5, ..COAST };
const BRAKE: Commands = Commands { brakes: [0.3, 0.0], ..COAST };
const HAND_BRAKE: Commands = Commands { brakes: [0.0, 1.0], ..COAST };

/// A car that rests on level ground.
fn resting_car(blueprint: &CarBlueprint, substeps: u32) -> Drive<ConstantPlane> {
    resting_car_with(blueprint, all_wheel_drive(blueprint), substeps)
}

fn resting_car_with(
    blueprint: &CarBlueprint,
    params: DirectDriveParams,
    substeps: u32,
) -> Drive<ConstantPlane> {
    let normal = blueprint.frame.vertical();
    let contact = RoadContact::new(Plane { normal, offset: 0.0 }, 1.0);
    Drive::with_params(blueprint, params, ConstantPlane { contact }).with_substeps(substeps)
}

impl Drive<ConstantPlane> {
    /// Lets road and car rise forward by `angle` (rad), the center of mass `height` (m) above the
    /// road.
    fn stand_on_slope(&mut self, height: Real, angle: Real) {
        let frame = self.frame();
        // A positive pitch turns up into forward.
        let rotation = frame.rotation(0.0, -angle, 0.0);
        let normal = rotation * frame.vertical();
        self.road.contact.plane = Plane { normal, offset: 0.0 };
        self.vehicle.state.mechanics.rigid_body.pose = Pose::from_parts(normal * height, rotation);
    }

    /// Lets the rims run faster by `ahead` (m/s).
    fn spin(&mut self, ahead: Real) {
        let change = ahead / self.radius();
        self.vehicle.state.mechanics.wheels.edit_all(|wheel| wheel.rotation_speed += change);
    }

    /// Rotation speed of every wheel (rad/s).
    fn rotation_speeds(&self) -> [Real; 4] {
        let wheels = &self.vehicle.state.mechanics.wheels;
        std::array::from_fn(|wheel| wheels.of(wheel).rotation_speed)
    }

    fn deviations(&self) -> [Real; 4] {
        let deviation = |rim: Real| if rim == 0.0 { 0.0 } else { rim - self.speed() };
        self.rotation_speeds().map(|speed| deviation(speed * self.radius()))
    }

    /// Whether each tire sticks along and across its direction.
    fn sticky(&self) -> Vec<(bool, bool)> {
        let states = &self.vehicle.state.mechanics.tires;
        states
            .iter()
            .map(|state| (state.sticky.longitudinal.is_active, state.sticky.lateral.is_active))
            .collect()
    }
}

/// A car on wheels of the moment of inertia `inertia` (kg·m²), which loses nothing to air or
/// bearings, and whose body is all that moves along the road.
fn car_on_wheels_of(inertia: Real) -> CarBlueprint {
    let wheel = WheelParams { inertia, damping_rate: 0.0, ..WheelParams::default() };
    let rolling_resistance = Some(0.0);
    CarBlueprint {
        wheel,
        drag_area: 0.0,
        rolling_resistance,
        ride: None,
        ..CarBlueprint::default()
    }
}

/// A drive and what is known of it.
#[derive(Clone, Copy, Debug)]
struct Case {
    commands: Commands,
    /// Speed at the start (m/s).
    speed: Real,
    /// Longitudinal stiffness of the tires (N).
    stiffness: Real,
    /// Moment of inertia of a wheel (kg·m²).
    inertia: Real,
    coupling: WheelCoupling,
}

impl Case {
    fn all() -> impl Iterator<Item = Self> {
        let controls = [COAST, BRAKE, DRIVE].into_iter();
        let motions = controls.flat_map(|commands| {
            let speeds = [0.0, 2.0, 5.0, 10.0, 20.0, 40.0, 80.0].into_iter();
            speeds.map(move |speed| (commands, speed))
        });
        motions.flat_map(|(commands, speed)| {
            [24e3, 50e3, 1e5].into_iter().flat_map(move |stiffness| {
                [0.3, 0.6, 1.2].into_iter().map(move |inertia| Self {
                    commands,
                    speed,
                    stiffness,
                    inertia,
                    coupling: WheelCoupling::Implicit,
                })
            })
        })
    }

    fn drive(&self) -> Drive<ConstantPlane> {
        let blueprint = car_on_wheels_of(self.inertia);
        let mut params = all_wheel_drive(&blueprint);
        for tire in &mut params.mechanics.tires {
            tire.longitudinal_stiffness = self.stiffness;
        }
        let mut drive = resting_car_with(&blueprint, params, 1);
        drive.simulation.wheel_coupling = self.coupling;
        drive.roll(self.speed);
        drive.spin(RIM_AHEAD);
        drive
    }

    /// How far the wheels swing from frame to frame over three seconds.
    fn chatter(&self) -> Chatter {
        let mut drive = self.drive();
        let (mut deviations, mut speeds) = (Vec::new(), Vec::new());
        for _ in 0..steps(3.0) {
            drive.step(self.commands);
            deviations.push(drive.deviations());
            speeds.push(drive.rotation_speeds());
        }
        Chatter { deviation: swing(&deviations), sign: sign_swing(&speeds) }
    }
}

/// How far wheels swing from frame to frame.
#[derive(Clone, Copy, Debug)]
struct Chatter {
    /// Largest alternation of the deviation (m/s).
    deviation: Real,
    /// Largest rotation speed that is left in one direction and reached again (rad/s).
    sign: Real,
}

/// The largest size that three changes in a row have, of which each has the sign that the one
/// before has not.
fn swing(values: &[[Real; 4]]) -> Real {
    let of_wheel = |wheel: usize| {
        let changes: Vec<Real> =
            values.windows(2).map(|pair| pair[1][wheel] - pair[0][wheel]).collect();
        let alternation = |run: &[Real]| {
            let alternates = run.windows(2).all(|pair| pair[0] * pair[1] < 0.0);
            if alternates { smallest_size(run) } else { 0.0 }
        };
        changes.windows(3).map(alternation).fold(0.0, Real::max)
    };
    (0..4).map(of_wheel).fold(0.0, Real::max)
}

/// The largest size that is had with one sign, with the other and with the first again, in three
/// frames.
fn sign_swing(values: &[[Real; 4]]) -> Real {
    let of_wheel = |wheel: usize| {
        let alternation = |run: &[[Real; 4]]| {
            let run = [run[0][wheel], run[1][wheel], run[2][wheel]];
            let alternates = run[0] * run[1] < 0.0 && run[1] * run[2] < 0.0;
            if alternates { smallest_size(&run) } else { 0.0 }
        };
        values.windows(3).map(alternation).fold(0.0, Real::max)
    };
    (0..4).map(of_wheel).fold(0.0, Real::max)
}

fn smallest_size(values: &[Real]) -> Real {
    values.iter().fold(Real::INFINITY, |smallest, value| smallest.min(value.abs()))
}

/// Swing that rounding explains: a few of the last digits of 80 m/s, or of the 240 rad/s of its
/// wheels (m/s, rad/s).
const ROUNDING: Real = 1e-4;

#[test]
fn coasting_and_driven_wheels_do_not_chatter() {
    for case in Case::all().filter(|case| case.commands != BRAKE) {
        let chatter = case.chatter();
        assert!(chatter.deviation < ROUNDING && chatter.sign < ROUNDING, "{case:?}: {chatter:?}");
    }
}

#[test]
fn braked_wheels_do_not_chatter_and_stop() {
    for case in Case::all().filter(|case| case.commands == BRAKE) {
        let chatter = case.chatter();
        assert!(chatter.deviation < ROUNDING && chatter.sign < ROUNDING, "{case:?}: {chatter:?}");

        let mut drive = case.drive();
        drive.run(case.speed / 2.5 + 0.5, BRAKE);
        for _ in 0..steps(0.5) {
            drive.step(BRAKE);
            assert_eq!(drive.rotation_speeds(), [0.0; 4], "rad/s, {case:?}");
        }
    }
}

#[test]
fn the_explicit_update_does_chatter() {
    for commands in [COAST, DRIVE] {
        for speed in [2.0, 5.0] {
            let coupling = WheelCoupling::Explicit;
            let case = Case { commands, speed, stiffness: 1e5, inertia: 0.3, coupling };
            let chatter = case.chatter();
            assert!(5.0 < chatter.deviation && 5.0 < chatter.sign, "{case:?}: {chatter:?}");
        }
    }
}

#[test]
fn wheel_and_body_feel_the_same_impulse_of_the_tire() {
    // (speed in m/s, rim ahead of it in m/s, throttle)
    let cases = [
        (0.0, 0.0, 1.0),
        (0.5, 0.0, 1.0),
        (2.0, 0.3, 0.0),
        (5.0, -2.0, 0.2),
        (20.0, 0.0, 0.6),
        (20.0, 30.0, 1.0),
        (40.0, 0.2, 0.0),
    ];
    for (speed, ahead, throttle) in cases {
        let blueprint = car_on_wheels_of(0.8);
        let mut drive = resting_car(&blueprint, 1);
        drive.roll(speed);
        let radius = drive.radius();
        drive.spin(ahead);
        let before = drive.rotation_speeds();
        drive.step(Commands { throttle, ..COAST });
        let after = drive.rotation_speeds();

        let what = format!("from {speed} m/s, rim {ahead} m/s ahead, throttle {throttle}");
        let mut impulse = 0.0;
        for wheel in 0..4 {
            // I (ω' - ω) = (T_drive - F_L R) dt
            let force = drive.vehicle.state.mechanics.tires.of(wheel).force.longitudinal_force;
            let drive_torque = drive.vehicle.state.drive.torques[wheel];
            let gained = 0.8 * (after[wheel] - before[wheel]);
            let expected = (drive_torque - force * radius) * DT;
            let scale = 0.8 * before[wheel].abs() + (drive_torque + force.abs() * radius) * DT;
            let error = (gained - expected).abs() / scale;
            assert!(error < 1e-5, "wheel {wheel} {what}: {gained}, expected {expected} (N·m·s)");
            impulse += force * DT;
        }
        // Along the road: the body pitches within the step.
        let forward = blueprint.frame.longitudinal();
        let velocity = drive.vehicle.state.mechanics.rigid_body.linear_velocity;
        let gained = blueprint.mass * (velocity.dot(forward) - speed);
        let scale = blueprint.mass * speed + impulse.abs();
        let error = (gained - impulse).abs() / scale;
        assert!(error < 1e-5, "body {what}: {gained}, expected {impulse} (N·s)");
    }
}

/// Rotation speed of a wheel (rad/s) after a frame of `substeps` that began with slip.
fn after_a_frame(coupling: WheelCoupling, substeps: u32, commands: Commands) -> Real {
    let mut drive = resting_car(&car_on_wheels_of(1.2), substeps);
    drive.simulation.wheel_coupling = coupling;
    drive.roll(20.0);
    drive.spin(1.0);
    drive.step(commands);
    drive.rotation_speeds()[0]
}

#[test]
fn implicit_and_explicit_update_meet_as_the_step_becomes_short() {
    for commands in [COAST, BRAKE, DRIVE] {
        let error = |substeps: u32| {
            let implicit = after_a_frame(WheelCoupling::Implicit, substeps, commands);
            let explicit = after_a_frame(WheelCoupling::Explicit, substeps, commands);
            (implicit - explicit).abs()
        };
        let errors = [8, 16, 32, 64, 128].map(error);
        for pair in errors.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!((1.8..2.2).contains(&ratio), "{commands:?}: {errors:?} rad/s");
        }
    }
}

#[test]
fn unbraked_car_at_rest_sticks_after_the_threshold_time() {
    for (substeps, drop) in [(1, 0.0), (1, 0.02), (3, 0.0), (3, 0.02)] {
        let blueprint = CarBlueprint::default();
        let mut drive = resting_car(&blueprint, substeps);
        drive.stand_on_slope(blueprint.center_of_mass_height + drop, 0.0);
        let sticky = drive.simulation.tire_sticky.expect("sticky by default");
        let threshold = steps(sticky.longitudinal.threshold_time);
        let before = (0..steps(5.0)).take_while(|_| {
            drive.step(COAST);
            drive.sticky() != [(true, true); 4]
        });
        // The timer is to exceed the threshold, and sums are rounded.
        let (actual, allowed) = (before.count(), threshold - 1..=threshold + 1);
        let what = format!("{substeps} substeps, dropped from {drop} m");
        assert!(allowed.contains(&actual), "{actual} steps until the car sticks, {what}");
    }
}

/// A slope of 10 % (rad).
const SLOPE: Real = 0.099_668_65;

#[test]
fn hand_brake_holds_the_car_on_a_slope_with_two_wheels() {
    for frame in Frame::all().step_by(7) {
        for (angle, substeps) in [(SLOPE, 1), (SLOPE, 3), (-SLOPE, 1), (-SLOPE, 3)] {
            let blueprint = CarBlueprint { frame, ..CarBlueprint::default() };
            let mut drive = resting_car(&blueprint, substeps);
            drive.stand_on_slope(blueprint.center_of_mass_height, angle);
            let start = drive.vehicle.state.mechanics.rigid_body.pose.translation;
            drive.run(2.0, HAND_BRAKE);
            let settled = drive.vehicle.state.mechanics.rigid_body.pose.translation;
            drive.run(30.0, HAND_BRAKE);
            let end = drive.vehicle.state.mechanics.rigid_body.pose.translation;

            let (sunk, crept) = (settled.distance(start), end.distance(settled));
            let what = format!("slope {angle} rad, {substeps} substeps, {frame:?}");
            assert!(sunk < 5e-3 && crept < 1e-4, "{sunk} m, then {crept} m, {what}");
            assert_eq!(drive.rotation_speeds(), [0.0; 4], "rad/s, {what}");
            let torques = &drive.vehicle.state.mechanics.brake_torques;
            let [front_right, front_left, rear, _] = [0, 1, 2, 3].map(|wheel| torques[wheel]);
            assert_eq!([front_right, front_left], [0.0; 2], "{torques:?} N·m, {what}");
            assert!(0.0 < rear, "{torques:?} N·m, {what}");
        }
    }
}

#[test]
fn the_car_rolls_down_the_slope_without_its_hand_brake() {
    for (angle, expected) in [(SLOPE, -1.0), (-SLOPE, 1.0)] {
        let blueprint = CarBlueprint::default();
        let mut drive = resting_car(&blueprint, 1);
        drive.stand_on_slope(blueprint.center_of_mass_height, angle);
        drive.run(3.0, COAST);
        let speed = drive.speed() * expected;
        assert!((2.5..3.0).contains(&speed), "{speed} m/s down {angle} rad");
    }
}

#[test]
fn the_car_rolls_down_the_slope_when_its_hand_brake_is_let_go() {
    for substeps in [1, 3] {
        let blueprint = CarBlueprint::default();
        let mut drive = resting_car(&blueprint, substeps);
        drive.stand_on_slope(blueprint.center_of_mass_height, SLOPE);
        drive.run(3.0, HAND_BRAKE);
        assert_eq!(drive.rotation_speeds(), [0.0; 4], "rad/s, {substeps} substeps");
        drive.run(3.0, COAST);
        let speed = -drive.speed();
        assert!((2.5..3.0).contains(&speed), "{speed} m/s, {substeps} substeps");
    }
}

#[test]
fn a_hand_brake_holds_no_more_than_its_torque() {
    let blueprint = car_on_wheels_of(1.2);
    let weight = blueprint.mass * 9.81;
    let needed = weight * SLOPE.sin() * blueprint.wheel.radius / 2.0;
    for substeps in [1, 3] {
        for share in [1.1, 0.6, 0.3] {
            let mut drive = resting_car(&blueprint, substeps);
            drive.stand_on_slope(blueprint.center_of_mass_height, SLOPE);
            let hand_brake = &drive.vehicle.params().mechanics.brakes[1];
            let full = hand_brake.max_response * hand_brake.wheel_multipliers[2];
            let commands = Commands { brakes: [0.0, share * needed / full], ..COAST };
            drive.run(4.0, commands);
            let before = drive.speed();
            drive.run(2.0, commands);
            let gained = before - drive.speed();
            let spin = 4.0 * blueprint.wheel.inertia / blueprint.wheel.radius.powi(2);
            let pull = weight * SLOPE.sin() * (1.0 - share).max(0.0);
            let expected = pull / (blueprint.mass + spin) * 2.0;
            let what = format!("{share} of the torque, {substeps} substeps");
            assert!(
                (gained - expected).abs() <= 0.03 * expected + 1e-4,
                "{gained} m/s, not {expected} m/s, {what}"
            );
        }
    }
}
