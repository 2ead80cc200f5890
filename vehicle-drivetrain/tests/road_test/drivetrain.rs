//! The default car with an engine and an automatic gearbox, as a road tester would drive it.

use std::ops::ControlFlow::Continue;

use crate::common::engine::EngineScene;
use vehicle_core::Context;
use vehicle_core::commands::Commands;
use vehicle_core::math::Real;
use vehicle_drivetrain::EngineDriveVehicle;
use vehicle_drivetrain::autobox::AutoboxParams;
use vehicle_drivetrain::clutch::{AutomaticClutchParams, ClutchParams};
use vehicle_drivetrain::differential::{
    DifferentialParams, FourWheelDifferentialParams, LimitedSlips, MultiWheelDifferentialParams,
    TorqueBiasParams, TorqueBiases,
};
use vehicle_drivetrain::drivetrain::DrivetrainParams;
use vehicle_drivetrain::engine_control::StallParams;
use vehicle_drivetrain::gearbox::{GearCommand, overall_gear_ratio};
use vehicle_drivetrain::shift_law::ShiftLaw;

/// One kilometer per hour (m/s).
const KMH: Real = 1.0 / 3.6;
/// One revolution per minute (rad/s).
const RPM: Real = std::f32::consts::TAU / 60.0;
/// Standard gravity (m/s²).
const GRAVITY: Real = 9.81;
const NEUTRAL: usize = 1;
const FIRST: usize = 2;

/// Steps per second, and substeps of each.
type Rate = (Real, u32);
const RATES: [Rate; 5] = [(30.0, 1), (30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1)];

/// The car on a road without end.
struct Drive {
    scene: EngineScene,
    dt: Real,
    seconds: Real,
    /// How much throttle the cruise control has found to be needed.
    held_throttle: Real,
}

impl Drive {
    fn new((rate, substeps): Rate) -> Self {
        Self::with((rate, substeps), |_| ())
    }

    /// The car with its drivetrain changed.
    fn with((rate, substeps): Rate, change: impl FnOnce(&mut DrivetrainParams)) -> Self {
        let rear = MultiWheelDifferentialParams::equal(4, &[2, 3]);
        let mut scene = EngineScene::at_rest(DifferentialParams::MultiWheel(rear));
        let mut params = (**scene.vehicle.params()).clone();
        change(&mut params.drivetrain);
        scene.vehicle.set_params(params).expect("faultless params");
        scene.sequence = EngineDriveVehicle::sequence_with_substeps(move |_| substeps);
        let mut drive = Self { scene, dt: 1.0 / rate, seconds: 0.0, held_throttle: 0.0 };
        drive.pedals(0.0, 1.0);
        drive.run(1.0);
        drive
    }

    /// The car on a `grade` (dimensionless), uphill if positive.
    fn on_grade(mut self, grade: Real) -> Self {
        let angle = grade.atan();
        let frame = self.scene.simulation.coordinates.frame;
        self.scene.simulation.gravity =
            (frame.vertical() * -angle.cos() - frame.longitudinal() * angle.sin()) * GRAVITY;
        self
    }

    fn pedals(&mut self, throttle: Real, brake: Real) {
        self.scene.vehicle.commands =
            Commands { throttle, brakes: [brake, 0.0], steer: 0.0, steering_torque: None };
    }

    fn step(&mut self) {
        let context = Context::new(&self.scene.simulation, &self.scene.road);
        let flow = self.scene.sequence.update(&mut self.scene.vehicle, self.dt, &context);
        assert_eq!(flow, Ok(Continue(())));
        self.seconds += self.dt;
    }

    fn run(&mut self, seconds: Real) {
        let end = self.seconds + seconds;
        while self.seconds < end {
            self.step();
        }
    }

    /// Speed over the road (m/s), negative backward.
    fn speed(&self) -> Real {
        let body = &self.scene.vehicle.state.mechanics.rigid_body;
        body.linear_velocity.dot(self.scene.simulation.coordinates.frame.longitudinal())
    }

    fn engine_speed(&self) -> Real {
        self.scene.vehicle.state.drive.engine.rotation_speed
    }

    /// The gear that is in or on its way.
    fn gear(&self) -> usize {
        self.scene.vehicle.state.drive.gearbox.target
    }

    fn params(&self) -> &DrivetrainParams {
        &self.scene.vehicle.params().drivetrain
    }

    /// Torque of the clutch on the gearbox (N·m).
    fn clutch_torque(&self) -> Real {
        let state = &self.scene.vehicle.state.drive;
        let ratio = overall_gear_ratio(&self.params().gearbox, state.gearbox.current);
        if ratio == 0.0 { 0.0 } else { state.drive_torques.iter().sum::<Real>() / ratio }
    }

    /// Goes on at full throttle up to `speed` (m/s); the time that it takes (s).
    fn accelerate(&mut self, speed: Real) -> Real {
        let start = self.seconds;
        self.pedals(1.0, 0.0);
        while self.speed() < speed {
            self.step();
            assert!(self.seconds - start < 60.0, "{} m/s, not {speed} m/s", self.speed());
        }
        self.seconds - start
    }

    /// Holds `speed` (m/s) for some `seconds`, as a driver does; how often the gearbox shifts.
    fn cruise(&mut self, speed: Real, seconds: Real) -> u32 {
        let (mut shifts, mut gear) = (0, self.gear());
        let end = self.seconds + seconds;
        while self.seconds < end {
            let error = speed - self.speed();
            self.held_throttle = (self.held_throttle + 0.03 * error * self.dt).clamp(0.0, 1.0);
            let wanted = self.held_throttle + 0.12 * error;
            self.pedals(wanted.clamp(0.0, 1.0), (-0.2 * (wanted + 0.1)).clamp(0.0, 0.3));
            self.step();
            shifts += u32::from(self.gear() != gear);
            gear = self.gear();
        }
        shifts
    }
}

#[test]
fn car_reaches_a_hundred_in_eight_to_ten_seconds_at_every_rate() {
    for rate in RATES {
        let seconds = Drive::new(rate).accelerate(100.0 * KMH);
        eprintln!("0 to 100 km/h: {seconds:.2} s at {rate:?}");
        assert!((8.0..10.0).contains(&seconds), "{seconds} s at {rate:?}");
    }
}

#[test]
fn engine_turns_slowly_at_a_constant_speed() {
    // (speed in km/h, most revolutions per minute)
    for (speed, most) in [(30.0, 2_000.0), (50.0, 2_000.0), (80.0, 2_200.0), (120.0, 3_000.0)] {
        for rate in RATES {
            let mut drive = Drive::new(rate);
            drive.accelerate(speed * KMH);
            drive.cruise(speed * KMH, 60.0);
            let shifts = drive.cruise(speed * KMH, 20.0);
            let (engine, gear) = (drive.engine_speed() / RPM, drive.gear());
            eprintln!("{speed} km/h at {rate:?}: {engine:.0} 1/min in gear {}", gear - NEUTRAL);
            assert!(engine < most && 900.0 < engine, "{speed} km/h at {rate:?}: {engine} 1/min");
            assert_eq!(shifts, 0, "{speed} km/h at {rate:?}");
            assert!((drive.speed() - speed * KMH).abs() < 0.3, "{} m/s", drive.speed());
        }
    }
}

#[test]
fn kick_down_overtakes() {
    for rate in RATES {
        let mut drive = Drive::new(rate);
        drive.accelerate(80.0 * KMH);
        drive.cruise(80.0 * KMH, 30.0);
        let before = drive.gear();
        let seconds = drive.accelerate(120.0 * KMH);
        eprintln!("80 to 120 km/h: {seconds:.2} s at {rate:?}");
        assert!((5.0..7.0).contains(&seconds), "{seconds} s at {rate:?}");
        assert_eq!(before, drive.params().gearbox.ratios.len() - 1, "the gear at 80 km/h");
    }
}

#[test]
fn shifts_are_no_jolts() {
    for rate in RATES {
        let mut drive = Drive::new(rate);
        drive.pedals(1.0, 0.0);
        let capacity = drive.params().clutch.capacity.expect("a dry clutch");
        let (mut hardest, mut most_torque, mut in_second) = (0.0_f32, 0.0_f32, 0.0_f32);
        while drive.speed() < 120.0 * KMH {
            let before = drive.speed();
            drive.step();
            let acceleration = (drive.speed() - before) / drive.dt;
            hardest = hardest.max(acceleration);
            if drive.gear() != FIRST {
                in_second = in_second.max(acceleration);
            }
            most_torque = most_torque.max(drive.clutch_torque().abs());
            assert!(-0.5 < acceleration, "{acceleration} m/s² at {rate:?}");
        }
        eprintln!(
            "{rate:?}: {} g in first, {} g later, {most_torque} N·m",
            hardest / GRAVITY,
            in_second / GRAVITY
        );
        assert!(most_torque <= capacity * 1.001, "{most_torque} N·m at {rate:?}");
        // No shift pushes harder than first gear did.
        assert!(hardest < 0.6 * GRAVITY, "{hardest} m/s² at {rate:?}");
        assert!(in_second < 0.5 * GRAVITY, "{in_second} m/s² after first gear, at {rate:?}");
    }
}

#[test]
fn unlimited_clutch_remains_for_the_references_data() {
    let viscous = |drivetrain: &mut DrivetrainParams| {
        drivetrain.clutch =
            ClutchParams { automatic: drivetrain.clutch.automatic, ..ClutchParams::viscous(100.0) };
        if let Some(automatic) = &mut drivetrain.clutch.automatic {
            automatic.creep_torque = 0.0;
        }
        let law = AutoboxParams { up_ratios: vec![0.75; 8], ..AutoboxParams::default() };
        drivetrain.autobox = Some(ShiftLaw::EngineSpeed(law));
    };
    let mut drive = Drive::with((60.0, 1), viscous);
    drive.pedals(1.0, 0.0);
    let mut most: Real = 0.0;
    while drive.gear() != FIRST + 1 || drive.seconds < 6.0 {
        drive.step();
        most = most.max(drive.clutch_torque().abs());
    }
    assert!(2.5 * drive.params().engine.peak_torque < most, "{most} N·m");
}

#[test]
fn car_creeps_until_it_is_braked() {
    for rate in RATES {
        for (gear, direction) in [(GearCommand::Automatic, 1.0), (GearCommand::Gear(0), -1.0)] {
            let stall = |drivetrain: &mut DrivetrainParams| {
                drivetrain.engine.control.stall =
                    Some(StallParams { speed: 50.0, starter_torque: 30.0 });
            };
            let mut drive = Drive::with(rate, stall);
            drive.scene.vehicle.controls.gear = gear;
            let least = |drive: &mut Drive, seconds: Real| {
                let (end, mut least) = (drive.seconds + seconds, Real::INFINITY);
                while drive.seconds < end {
                    drive.step();
                    least = least.min(drive.engine_speed());
                }
                least
            };
            drive.pedals(0.0, 0.0);
            let slowest = least(&mut drive, 15.0);
            let speed = direction * drive.speed() / KMH;
            let engine = slowest.min(least(&mut drive, 5.0));
            eprintln!(
                "{gear:?} at {rate:?}: creeps at {speed} km/h, engine at least {engine} rad/s"
            );
            assert!((3.0..9.0).contains(&speed), "{speed} km/h at {rate:?}, {gear:?}");
            assert!(70.0 < engine, "{engine} rad/s at {rate:?}");

            drive.pedals(0.0, 0.15);
            let engine = least(&mut drive, 3.0);
            let place = drive.scene.vehicle.state.mechanics.rigid_body.pose.translation;
            let engine = engine.min(least(&mut drive, 10.0));
            let moved =
                drive.scene.vehicle.state.mechanics.rigid_body.pose.translation.distance(place);
            assert!(moved < 1e-3, "{moved} m under the brake at {rate:?}");
            assert!(60.0 < engine, "{engine} rad/s under the brake at {rate:?}");

            drive.pedals(0.0, 0.0);
            drive.run(10.0);
            let speed = direction * drive.speed() / KMH;
            assert!(3.0 < speed, "{speed} km/h after a stop at {rate:?}");
        }
    }
}

/// The axis of a pedal is not quite at its end.
#[test]
fn a_pedal_that_rests_near_its_end_is_not_pressed() {
    let pulled_by_hand = |throttle: Real| {
        let mut drive = Drive::new((60.0, 1));
        drive.pedals(throttle, 0.0);
        drive.scene.vehicle.commands.brakes[1] = 1.0;
        drive.run(2.0);
        drive.clutch_torque().abs()
    };
    let [released, resting, pressed] = [0.0, 0.015, 0.05].map(pulled_by_hand);
    assert!(released < 1.0 && resting < 1.0, "{released}, {resting} N·m beside the hand brake");
    assert!(10.0 < pressed, "{pressed} N·m beside the hand brake");
}

#[test]
fn a_hill_is_held_whether_or_not_the_clutch_has_a_limit() {
    for rate in RATES {
        for is_limited in [true, false] {
            let clutch = |drivetrain: &mut DrivetrainParams| {
                let automatic = drivetrain
                    .clutch
                    .automatic
                    .map(|it| AutomaticClutchParams { creep_torque: 0.0, ..it });
                let capacity = drivetrain.clutch.capacity.filter(|_| is_limited);
                drivetrain.clutch = ClutchParams { capacity, automatic, ..drivetrain.clutch };
            };
            let mut drive = Drive::with(rate, clutch).on_grade(0.15);
            drive.pedals(0.0, 1.0);
            drive.run(1.0);
            drive.pedals(0.05, 0.0);
            let (mut slowest, end) = (Real::INFINITY, drive.seconds + 2.0);
            while drive.seconds < end {
                drive.step();
                slowest = slowest.min(drive.speed());
            }
            // One without a limit gives more than the engine does for a moment: its slip falls.
            let (case, most) = if is_limited { ("with a limit", 0.02) } else { ("without", 0.06) };
            assert!(-most < slowest, "rolls back at {slowest} m/s {case}, at {rate:?}");
        }
    }
}

#[test]
fn hard_stop_does_not_stall_the_engine() {
    for rate in RATES {
        let stall = |drivetrain: &mut DrivetrainParams| {
            drivetrain.engine.control.stall =
                Some(StallParams { speed: 50.0, starter_torque: 30.0 });
        };
        let mut drive = Drive::with(rate, stall);
        drive.accelerate(70.0 * KMH);
        drive.pedals(0.0, 1.0);
        let mut slowest = Real::INFINITY;
        for _ in 0..(5.0 / drive.dt) as u32 {
            drive.step();
            slowest = slowest.min(drive.engine_speed());
        }
        assert!(drive.speed().abs() < 0.01, "{} m/s", drive.speed());
        assert!(55.0 < slowest, "{slowest} rad/s at {rate:?}");
        assert!(drive.accelerate(30.0 * KMH) < 6.0);
    }
}

#[test]
fn gearbox_does_not_hunt_on_any_grade() {
    for grade in [-0.08, -0.04, 0.0, 0.03, 0.06, 0.09, 0.12, 0.16] {
        for speed in [30.0, 50.0, 70.0, 90.0, 120.0] {
            let mut drive = Drive::new((60.0, 1)).on_grade(grade);
            drive.cruise(speed * KMH, 40.0);
            let shifts = drive.cruise(speed * KMH, 60.0);
            assert!(shifts <= 1, "{shifts} shifts in a minute at {speed} km/h on {grade}");
        }
        let mut drive = Drive::new((60.0, 1)).on_grade(grade.max(0.0) * 2.0);
        drive.pedals(1.0, 0.0);
        drive.run(60.0);
        let (mut shifts, mut gear) = (0, drive.gear());
        for _ in 0..3_600 {
            drive.step();
            shifts += u32::from(drive.gear() != gear);
            gear = drive.gear();
        }
        assert!(shifts <= 2, "{shifts} shifts in a minute at full throttle on {grade}");
    }
}

#[test]
fn gears_that_would_harm_wait_until_the_car_is_slow() {
    for rate in RATES {
        let mut drive = Drive::new(rate);
        drive.accelerate(150.0 * KMH);
        let max_speed = drive.params().engine.max_speed;
        let fast = drive.gear();
        drive.scene.vehicle.controls.gear = GearCommand::Gear(FIRST);
        drive.pedals(0.0, 0.0);
        drive.run(1.0);
        assert_eq!(drive.gear(), fast, "the gear at 150 km/h");
        drive.pedals(0.0, 0.5);
        let mut fastest: Real = 0.0;
        while drive.gear() != FIRST {
            drive.step();
            fastest = fastest.max(drive.engine_speed());
            assert!(0.1 < drive.speed(), "first gear never goes in");
        }
        assert!(20.0 * KMH < drive.speed(), "{} m/s when first gear goes in", drive.speed());
        drive.pedals(0.0, 0.0);
        for _ in 0..(2.0 / drive.dt) as u32 {
            drive.step();
            fastest = fastest.max(drive.engine_speed());
        }
        assert!(fastest < 1.02 * max_speed, "{fastest} rad/s at {rate:?}");

        let mut drive = Drive::new(rate);
        drive.accelerate(60.0 * KMH);
        let forward = drive.gear();
        drive.scene.vehicle.controls.gear = GearCommand::Gear(0);
        drive.pedals(0.0, 0.0);
        drive.run(1.0);
        assert_eq!(drive.gear(), forward, "the gear at 60 km/h");
        drive.pedals(0.0, 0.5);
        while drive.gear() != 0 {
            drive.step();
            assert!(-0.1 < drive.speed(), "reverse never goes in");
        }
        let speed = drive.speed();
        assert!(speed < 5.5 * KMH, "{speed} m/s when reverse goes in");
    }
}

/// Torque that the drivetrain gives to a rear wheel, from what the wheel and its tire do in a step
/// (N·m).
fn output_torques(drive: &mut Drive) -> [Real; 2] {
    let speeds = drive.scene.wheel_speeds();
    drive.step();
    let mechanics = &drive.scene.vehicle.state.mechanics;
    let wheels = &drive.scene.vehicle.params().mechanics.wheels;
    [2, 3].map(|wheel| {
        let (params, after) = (&wheels[wheel], mechanics.wheels.of(wheel).rotation_speed);
        let force = mechanics.tires.of(wheel).force;
        let gained = params.inertia * (after - speeds[wheel]) / drive.dt;
        let resisted = params.damping_rate * after - force.rolling_moment(params.radius);
        gained + resisted - force.wheel_torque
    })
}

/// The car whose right rear tire has a tenth of its grip, with a rear differential of this bias.
fn on_split_friction(rate: Rate, torque_bias: TorqueBiasParams) -> Drive {
    let mut drive = Drive::with(rate, |drivetrain| {
        let torque_bias = TorqueBiases { rear: Some(torque_bias), ..TorqueBiases::default() };
        drivetrain.differential = DifferentialParams::FourWheel(FourWheelDifferentialParams {
            shares: MultiWheelDifferentialParams::equal(4, &[2, 3]),
            front: [0, 1],
            rear: [2, 3],
            limited_slip: LimitedSlips::default(),
            torque_bias,
        });
    });
    let mut params = (**drive.scene.vehicle.params()).clone();
    for (_, friction) in &mut params.mechanics.tires[2].friction_vs_slip {
        *friction *= 0.1;
    }
    drive.scene.vehicle.set_params(params).expect("faultless params");
    drive
}

/// What the rear wheels get while the car pulls away in first gear, where they slip by the
/// differential: torque of the wheel without grip, and of the other (N·m).
fn slipping_torques(drive: &mut Drive, throttle: Real) -> Vec<[Real; 2]> {
    drive.scene.vehicle.controls.gear = GearCommand::Gear(FIRST);
    drive.pedals(throttle, 0.0);
    drive.run(0.7);
    let mut torques = Vec::new();
    for _ in 0..(0.8 / drive.dt) as u32 {
        let of_step = output_torques(drive);
        let [_, _, without_grip, with_grip] = drive.scene.wheel_speeds();
        if 1.0 < without_grip - with_grip {
            torques.push(of_step);
        }
    }
    assert!(0.5 / drive.dt < torques.len() as Real, "{} steps with slip", torques.len());
    torques
}

#[test]
fn torque_bias_is_the_ratio_of_the_torques() {
    for rate in RATES {
        let mut speeds = Vec::new();
        for bias in [1.0, 1.2, 2.0, 4.0] {
            let mut drive = on_split_friction(rate, TorqueBiasParams { bias, preload: 0.0 });
            for [slipping, gripping] in slipping_torques(&mut drive, 0.15 + 0.1 * bias) {
                let ratio = gripping / slipping;
                assert!((ratio / bias - 1.0).abs() < 0.02, "{ratio}, not {bias} at {rate:?}");
            }
            speeds.push(drive.speed());
        }
        eprintln!("after 1.5 s on split friction at {rate:?}: {speeds:?} m/s");
        assert!(speeds.is_sorted() && 1.3 * speeds[0] < speeds[3], "{speeds:?} m/s at {rate:?}");
    }
}

#[test]
fn preload_of_a_multi_plate_differential_is_the_difference_of_the_torques() {
    let preload = 60.0;
    for rate in RATES {
        let mut drive = on_split_friction(rate, TorqueBiasParams { bias: 1.0, preload });
        for [slipping, gripping] in slipping_torques(&mut drive, 0.3) {
            let difference = gripping - slipping;
            let error = (difference - 2.0 * preload).abs();
            assert!(error < 3.0, "{difference} N·m, not {} at {rate:?}", 2.0 * preload);
        }
    }
}
