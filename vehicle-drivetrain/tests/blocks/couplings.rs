//! Clutches by themselves, freewheels, flywheels, lock-up, gearboxes that shift, differentials
//! under control.

use vehicle_core::error::Validate;
use vehicle_core::lookup_table::LookupTable;
use vehicle_drivetrain::blocks::{
    Capacity, ClutchActuation, Differential, DifferentialMode, ElectricMotor, Engine, Flywheel,
    Freewheel, FrictionClutch, GearControl, Gearbox, LockUp, PowerSplit, TorqueConverter,
    TransferCase, TransferMode, WheelLoad, chain, wheel,
};

use crate::bench::{Bench, DT, assert_close, load, source};

/// Inertia that no torque of a step moves (kg·m²).
const FIXED: f32 = 1e9;

/// A clutch of 100 N·m, which grips as much as it is engaged.
fn clutch(actuation: ClutchActuation) -> FrictionClutch {
    FrictionClutch {
        capacity: Capacity(100.0),
        static_ratio: 1.0,
        bite: LookupTable::new([(0.0, 0.0), (1.0, 1.0)]).expect("two points"),
        actuation,
    }
}

/// Torque of a clutch whose input turns with `speed` (rad/s), its output at rest, at this pedal.
fn grip(actuation: ClutchActuation, pedal: f64, speed: f64) -> f64 {
    let tree = source(FIXED).then(clutch(actuation)).then(load("load", FIXED));
    let mut bench = Bench::new(tree);
    bench.set("friction clutch", "pedal", pedal);
    bench.spin("source", speed);
    bench.step(&[]);
    bench.get("friction clutch", "torque")
}

#[test]
fn clutches_engage_by_pedal_speed_or_centrifugal_force() {
    assert_close(grip(ClutchActuation::Pedal, 0.3, 50.0), 70.0, "pedal");
    let anti_stall = ClutchActuation::AntiStall { speed: 40.0 };
    assert_eq!(grip(anti_stall, 0.0, 39.0), 0.0);
    for (speed, part) in [(40.0, 0.0), (50.0, 0.15625), (60.0, 0.5), (80.0, 1.0), (200.0, 1.0)] {
        assert_close(grip(anti_stall, 0.0, speed), 100.0 * part, "anti-stall");
    }
    assert_close(grip(anti_stall, 0.5, 80.0), 50.0, "anti-stall under the pedal");
    let always = ClutchActuation::AntiStall { speed: 0.0 };
    assert_close(grip(always, 0.0, 1.0), 100.0, "anti-stall that never acts");
    let automatic = ClutchActuation::Automatic { open_speed: 60.0, closed_speed: 100.0 };
    for (speed, part) in [(60.0, 0.0), (70.0, 0.15625), (80.0, 0.5), (100.0, 1.0), (200.0, 1.0)] {
        assert_close(grip(automatic, 0.0, speed), 100.0 * part, "automatic");
    }
    assert_close(grip(automatic, 0.5, 100.0), 50.0, "automatic under the pedal");
    let centrifugal = ClutchActuation::Centrifugal { engaging_speed: 60.0, closed_speed: 100.0 };
    for (speed, part) in [(50.0, 0.0), (80.0, 0.4375), (100.0, 1.0), (150.0, 1.0)] {
        assert_close(grip(centrifugal, 1.0, speed), 100.0 * part, "centrifugal");
    }
}

#[test]
fn an_anti_stall_clutch_lets_the_engine_pull_a_standing_load_without_jerks() {
    for throttle in [0.3, 0.6, 1.0] {
        let actuation = ClutchActuation::AntiStall { speed: 50.0 };
        let clutch = FrictionClutch { actuation, ..FrictionClutch::default() };
        let mut bench = Bench::new(chain(Engine::default()).then(clutch).then(load("load", FIXED)));
        bench.set("engine", "throttle", throttle);
        for step in 0..200 {
            let before = bench.get("engine", "speed");
            bench.step(&[]);
            let (speed, torque) =
                (bench.get("engine", "speed"), bench.get("friction clutch", "torque"));
            if 100 <= step {
                let what = format!("{throttle} at {speed} rad/s: {torque} N·m");
                assert!((speed - before).abs() < 0.5 && 20.0 < torque, "{what}, {before} before");
            }
        }
    }
}

#[test]
fn a_plate_clutch_has_the_capacity_of_uniform_pressure() {
    // (2/3) (0.12³ - 0.08³)/(0.12² - 0.08²) = 0.10133 m on two faces.
    let capacity = FrictionClutch::plate_capacity(0.3, 5_000.0, 2, [0.08, 0.12]);
    assert_close(f64::from(capacity), 0.3 * 5_000.0 * 2.0 * 0.101_333_33, "capacity");
}

#[test]
fn a_freewheel_drives_one_way() {
    let tree = source(1.0).then(Freewheel { capacity: Capacity::INFINITE }).then(load("load", 1.0));
    let mut bench = Bench::new(tree);
    bench.set("source", "torque", 20.0);
    bench.step(&[]);
    assert_close(bench.get("load", "speed"), DT * 20.0 / 2.0, "driven");
    bench.set("source", "torque", -20.0);
    let speed = bench.get("load", "speed");
    bench.step(&[]);
    assert_close(bench.get("load", "speed"), speed, "rolls on");
    assert_close(bench.get("source", "speed"), speed - DT * 20.0, "left behind");
}

#[test]
fn a_flywheel_turns_along_and_has_friction() {
    let tree = source(1.0).then(Flywheel { inertia: 3.0, damping: 2.0 }).then(load("load", 1.0));
    let mut bench = Bench::new(tree);
    bench.set("source", "torque", 50.0);
    bench.step(&[]);
    // 5 dω = h (50 - 2 ω), at the end of the step.
    assert_close(bench.get("load", "speed"), DT * 50.0 / (5.0 + DT * 2.0), "speed");
    for _ in 0..5_000 {
        bench.step(&[]);
    }
    assert_close(bench.get("load", "speed"), 25.0, "terminal speed");
}

#[test]
fn a_converter_locks_up_above_its_speed_and_unlocks_below() {
    let tree = source(FIXED).then(TorqueConverter::default()).then(load("load", FIXED));
    let mut bench = Bench::new(tree);
    // (turbine, pump, whether it locks): 170 rad/s to close, 130 to open.
    for (turbine, pump, is_locked) in [
        (160.0, 160.0, false),
        (175.0, 175.0, true),
        (140.0, 140.0, true),
        (125.0, 125.0, false),
        (140.0, 140.0, false),
    ] {
        bench.spin("source", pump);
        bench.spin("load", turbine);
        bench.step(&[]);
        let locked = bench.get("torque converter", "locked") == 1.0;
        assert_eq!(locked, is_locked, "{turbine} rad/s");
    }
}

#[test]
fn a_sequential_gearbox_goes_one_gear_at_a_time() {
    let gearbox = Gearbox { control: GearControl::Sequential, ..Gearbox::default() };
    let mut bench = Bench::new(source(0.1).then(gearbox).then(load("load", 10.0)));
    let mut gears = vec![bench.get("gearbox", "gear")];
    for asked in [4.0, -1.0] {
        bench.set("gearbox", "gear", asked);
        for _ in 0..200 {
            bench.step(&[]);
            let (gear, is_shifting) =
                (bench.get("gearbox", "gear"), bench.get("gearbox", "shifting") == 1.0);
            if !is_shifting && gears.last() != Some(&gear) {
                gears.push(gear);
            }
        }
    }
    // Neutral takes no time.
    assert_eq!(gears, [0.0, 1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0, -1.0]);
}

#[test]
fn a_power_shift_leaves_no_gap_in_the_torque() {
    let gaps = |power_shift: Option<Capacity>| {
        let gearbox = Gearbox { power_shift, ..Gearbox::default() };
        let mut bench = Bench::new(source(0.2).then(gearbox).then(load("load", 20.0)));
        bench.set("source", "torque", 100.0);
        bench.set("gearbox", "gear", 1.0);
        for _ in 0..100 {
            bench.step(&[]);
        }
        bench.set("gearbox", "gear", 2.0);
        let mut gaps = 0;
        for _ in 0..40 {
            bench.step(&[]);
            gaps += u32::from(bench.get("gearbox", "torque out") <= 0.0);
        }
        assert_eq!(bench.get("gearbox", "gear"), 2.0);
        gaps
    };
    // 0.2 s of neutral.
    assert!((18..=22).contains(&gaps(None)), "{} steps", gaps(None));
    assert_eq!(gaps(Some(Capacity(600.0))), 0);
}

#[test]
fn an_active_differential_passes_what_it_is_told_to() {
    let mode = DifferentialMode::Active { capacity: Capacity(400.0) };
    let tree = source(FIXED)
        .then(Differential::open(2.0).with_mode(mode))
        .to([load("left", FIXED), load("right", FIXED)]);
    let mut bench = Bench::new(tree);
    for lock in [0.0, 0.25, 1.0] {
        bench.set("differential", "lock", lock);
        bench.spin("left", 40.0);
        bench.spin("right", 20.0);
        bench.spin("source", 60.0);
        bench.step(&[]);
        let [left, right] =
            ["torque 0", "torque 1"].map(|torque| bench.get("differential", torque));
        assert_close(right - left, 2.0 * lock * 400.0, "difference of the torques");
    }
}

#[test]
fn a_transfer_case_on_demand_takes_the_other_axle_along() {
    let mode = TransferMode::OnDemand { capacity: Capacity(300.0) };
    let case = TransferCase { ratio: 1.0, low_ratio: 2.5, efficiency: 1.0, mode };
    let mut bench =
        Bench::new(source(FIXED).then(case).to([load("rear", FIXED), load("front", FIXED)]));
    for (lock, torque) in [(0.0, 0.0), (0.5, 150.0), (1.0, 300.0)] {
        bench.set("transfer case", "lock", lock);
        bench.spin("source", 40.0);
        bench.spin("rear", 40.0);
        bench.spin("front", 20.0);
        bench.step(&[]);
        assert_close(bench.get("transfer case", "torque 1"), torque, "torque of the front axle");
    }
    let mut slow = Bench::new(
        source(1.0)
            .then(TransferCase { mode: TransferMode::PartTime, ..case })
            .to([load("rear", 1.0), load("front", 1.0)]),
    );
    slow.set("transfer case", "low range", 1.0);
    slow.set("transfer case", "lock", 1.0);
    slow.set("source", "torque", 10.0);
    slow.step(&[]);
    // 2.5 times the torque on both axles, which feel 2.5² times the inertia of the source.
    let speed = DT * 2.5 * 10.0 / (2.0 + 2.5 * 2.5);
    assert_close(slow.get("front", "speed"), speed, "front axle in low range");
    assert_close(slow.get("source", "speed"), 2.5 * speed, "source in low range");
}

#[test]
fn a_planetary_gear_splits_power_by_its_teeth() {
    let tree = source(FIXED)
        .then(PowerSplit { teeth_ratio: 2.6 })
        .fed_by(source(FIXED).named("sun"))
        .then(load("ring", 0.001));
    let mut bench = Bench::new(tree);
    bench.spin("source", 200.0);
    bench.spin("sun", 300.0);
    bench.set("ring", "torque", -100.0);
    bench.step(&[]);
    let get = |sensor: &str| bench.get("power split", sensor);
    let ring = (3.6 * 200.0 - 300.0) / 2.6;
    assert!((get("ring speed") - ring).abs() < 1e-3 * ring, "{}", get("ring speed"));
    assert_close(get("carrier torque"), -3.6 * get("sun torque"), "carrier");
    assert_close(get("ring torque"), 2.6 * get("sun torque"), "ring");
    let power = ["carrier", "sun", "ring"]
        .map(|shaft| get(&format!("{shaft} torque")) * get(&format!("{shaft} speed")));
    let sum: f64 = power.iter().sum();
    assert!(sum.abs() < 1e-6 * power[0].abs(), "{power:?}");
}

#[test]
fn a_motor_reaches_its_largest_speed_and_brakes_beyond_it() {
    let motor = ElectricMotor { battery: None, ..ElectricMotor::default() };
    let mut bench = Bench::new(chain(motor).then(load("load", 0.01)));
    bench.set("electric motor", "command", 1.0);
    let (mut last, most) = (0.0, f64::from(motor.max_speed));
    for _ in 0..400 {
        bench.step(&[]);
        let speed = bench.get("load", "speed");
        assert!(last - 1e-9 <= speed && speed <= most * (1.0 + 1e-9), "{last} to {speed} rad/s");
        last = speed;
    }
    assert!(0.99 * most < last, "{last} rad/s");
    bench.spin("load", 1.2 * most);
    bench.step(&[]);
    // What it still has to give dies down.
    for _ in 0..20 {
        bench.step(&[]);
    }
    assert!(bench.get("electric motor", "torque") <= 1e-6);
    bench.spin("load", 1.2 * most);
    bench.set("electric motor", "command", -1.0);
    for _ in 0..10 {
        bench.step(&[]);
    }
    let torque = bench.get("electric motor", "torque");
    assert!(torque < -50.0, "{torque} N·m");
}

#[test]
fn a_motor_shares_braking_with_brakes_of_any_torque() {
    let tree = chain(ElectricMotor { battery: None, ..ElectricMotor::default() })
        .then(Differential::open(9.0))
        .to([wheel(0), wheel(1)]);
    for brake_torque in [0.0, 50.0, 1e6, f64::INFINITY] {
        let mut bench = Bench::new(tree.clone());
        bench.set("electric motor", "regeneration", 1.0);
        let load = WheelLoad { inertia: 40.0, brake_torque, ..WheelLoad::default() };
        for speed in [0.0, 60.0] {
            bench.spin("wheel 0", speed);
            bench.spin("wheel 1", speed);
            bench.spin("electric motor", 9.0 * speed);
            for _ in 0..100 {
                bench.step(&[load; 2]);
                let [motor, left, speed] = [
                    ("electric motor", "torque"),
                    ("wheel 0", "brake torque"),
                    ("wheel 0", "speed"),
                ]
                .map(|(block, sensor)| bench.get(block, sensor));
                assert!([motor, left, speed].iter().all(|number| number.is_finite()));
                // Both wheels share what the motor does.
                let braking = left.abs() + 0.5 * 9.0 * motor.abs();
                let most = brake_torque * (1.0 + 1e-9) + 1e-6;
                assert!(braking <= most, "{braking} of {brake_torque} N·m at {speed} rad/s");
                assert!(-1e-9 < speed, "{speed} rad/s");
            }
        }
    }
}

#[test]
fn a_lock_up_that_would_never_open_is_refused() {
    let of = |speed, hysteresis| TorqueConverter {
        lock_up: Some(LockUp { capacity: 400.0, speed, hysteresis }),
        ..TorqueConverter::default()
    };
    for (speed, hysteresis) in [(Some(170.0), 169.0), (Some(0.0), 0.0), (None, 40.0)] {
        of(speed, hysteresis).validate().expect("valid");
    }
    for hysteresis in [170.0, 200.0] {
        assert_eq!(
            of(Some(170.0), hysteresis).validate().unwrap_err().to_string(),
            format!("lock_up.hysteresis must be below lock_up.speed = 170, got {hysteresis}")
        );
    }
}

#[test]
fn faults_of_a_transfer_case_are_named_as_they_are_written() {
    let open = DifferentialMode::Open { friction: -1.0 };
    let case = TransferCase {
        ratio: 1.0,
        low_ratio: 0.0,
        efficiency: 2.0,
        mode: TransferMode::Planetary { share: 1.0, mode: open },
    };
    assert_eq!(
        case.validate().unwrap_err().to_string(),
        "efficiency must be above 0 and at most 1, got 2; \
         low_ratio must be within [0.001, 1000] or [-1000, -0.001], got 0; \
         mode.planetary.share must be above 0 and below 1, got 1; \
         mode.planetary.mode.friction must be finite and not negative, got -1"
    );
}
