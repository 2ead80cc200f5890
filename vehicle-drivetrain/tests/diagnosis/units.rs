//! Numbers of engines, motors, clutches, gearboxes and batteries in another unit: each is told,
//! with the unit.

use vehicle_core::diagnosis::{Conditions, Finding, FindingCode as Code, diagnose};
use vehicle_core::math::Real;
use vehicle_core::{SimulationParams, Validate};
use vehicle_drivetrain::blocks::{
    BatterySettings, Block, BlockTree, ClutchActuation, ElectricMotor, Engine, FrictionClutch,
    Gearbox, ready_made,
};
use vehicle_drivetrain::clutch::AutomaticClutchParams;
use vehicle_drivetrain::drivetrain::DrivetrainParams;
use vehicle_drivetrain::{BlockDriveParams, BlockDriveVehicle};

use super::Patient;
use crate::common::DT;

/// Radians per second of a revolution per minute.
const RPM: Real = 0.104_72;

/// Asserts that one of `findings` is about `path` and asks for the unit `meant`.
fn assert_told(findings: &[Finding], path: &str, meant: &str) {
    let is_told = |finding: &Finding| {
        let text = finding.to_string();
        finding.path.ends_with(path) && text.contains(meant) && text.contains("usual is at")
    };
    assert!(findings.iter().any(is_told), "{path}, {meant}: {findings:#?}");
}

/// A field, a mistake with it, and the unit that is asked for.
type Mistake<T> = (&'static str, fn(&mut T), &'static str);

const OF_DRIVETRAINS: &[Mistake<DrivetrainParams>] = &[
    ("engine.peak_torque", |it| it.engine.peak_torque *= 100.0, "N·cm"),
    ("engine.peak_torque", |it| it.engine.peak_torque *= 1e-3, "kN·m"),
    ("engine.max_speed", |it| it.engine.max_speed /= RPM, "revolutions per minute"),
    ("engine.inertia", |it| it.engine.inertia *= 1e4, "kg·cm²"),
    ("engine.inertia", |it| it.engine.inertia *= 1e6, "kg·mm²"),
    ("engine.inertia", |it| it.engine.inertia *= 1e-4, ""),
    ("gearbox.switch_time", |it| it.gearbox.switch_time = 100.0, "milliseconds"),
    ("clutch.engagement_time", |it| it.clutch.engagement_time = 400.0, "milliseconds"),
    (
        "clutch.automatic.closed_speed",
        |it| {
            let automatic = AutomaticClutchParams {
                open_speed: 800.0,
                closed_speed: 1_200.0,
                creep_torque: 0.0,
                rolls_back: false,
            };
            it.clutch.automatic = Some(automatic);
        },
        "revolutions per minute",
    ),
    ("gearbox", |it| it.gearbox.final_ratio = 1.0 / it.gearbox.final_ratio, "ratios"),
    ("gearbox", |it| it.gearbox.final_ratio *= 100.0, "ratios"),
];

#[test]
fn an_engine_in_other_units_is_told() {
    for (path, mistake, meant) in OF_DRIVETRAINS {
        let mut patient = Patient::healthy();
        mistake(&mut patient.params.drivetrain);
        assert_told(&patient.findings(), path, meant);
    }
    let mut engine = Patient::healthy().params.drivetrain.engine;
    engine.idle_speed /= RPM;
    let text = engine.validate().expect_err("a fault").to_string();
    assert!(text.contains("got 802") && text.contains("in revolutions per minute?"), "{text}");
}

fn built(name: &str) -> BlockTree {
    let (_, build) = ready_made::ALL.iter().find(|(each, _)| *each == name).expect("a name");
    build().expect("no faults")
}

fn findings(tree: BlockTree) -> Vec<Finding> {
    let mechanics = vehicle_core::blueprint::CarBlueprint::default().mechanics().expect("a car");
    let vehicle = BlockDriveVehicle::new(BlockDriveParams::new(mechanics, tree)).expect("no fault");
    let simulation = SimulationParams::default();
    diagnose(&vehicle, &Conditions::new(&simulation, DT, 1)).expect("a time step")
}

const OF_MOTORS: &[Mistake<ElectricMotor>] = &[
    ("max_torque", |it| it.max_torque *= 100.0, "N·cm"),
    ("max_torque", |it| it.max_torque *= 1e-3, "kN·m"),
    ("max_power", |it| it.max_power *= 1e-3, "kilowatts"),
    ("max_power", |it| it.max_power *= 1e3, ""),
    ("max_speed", |it| it.max_speed /= RPM, "revolutions per minute"),
    ("inertia", |it| it.inertia *= 1e4, "kg·cm²"),
    ("inertia", |it| it.inertia *= 1e-4, ""),
    ("torque_time", |it| it.torque_time *= 1e3, "milliseconds"),
    ("losses[0]", |it| it.losses[0] *= 1e3, ""),
    ("losses[1]", |it| it.losses[1] *= 1e3, ""),
    ("losses[2]", |it| it.losses[2] *= 1e3, ""),
    ("losses[3]", |it| it.losses[3] *= 1e3, ""),
];

const OF_BATTERIES: &[Mistake<BatterySettings>] = &[
    ("capacity", |it| it.capacity /= 3.6e6, "kWh"),
    ("capacity", |it| it.capacity *= 4e3, ""),
    ("max_discharge_power", |it| it.max_discharge_power *= 1e-3, "kilowatts"),
    ("max_charge_power", |it| it.max_charge_power *= 1e-3, "kilowatts"),
];

#[test]
fn a_motor_and_a_battery_in_other_units_are_told() {
    assert_eq!(findings(built("electric")), []);
    for (path, mistake, meant) in OF_MOTORS {
        let mut tree = built("electric");
        let motors = tree.blocks.iter_mut().filter_map(|named| match &mut named.block {
            Block::ElectricMotor(motor) => Some(motor),
            _ => None,
        });
        motors.for_each(mistake);
        assert_told(&findings(tree), path, meant);
    }
    for (path, mistake, meant) in OF_BATTERIES {
        let mut tree = built("electric");
        mistake(&mut tree.batteries[0]);
        assert_told(&findings(tree), path, meant);
    }
    let charged = BatterySettings { start_charge: 80.0, ..BatterySettings::default() };
    let text = charged.validate().expect_err("a fault").to_string();
    assert!(text.contains("start_charge") && text.contains("got 80: in percent?"), "{text}");
}

const OF_ENGINES: &[Mistake<Engine>] = &[
    ("limiter.speed", |it| it.limiter.iter_mut().for_each(|it| it.speed /= RPM), "revolutions"),
    ("inertia", |it| it.inertia *= 1e4, "kg·cm²"),
    (
        "full_load",
        |it| {
            let points =
                it.full_load.points().iter().map(|(speed, torque)| (*speed, 100.0 * torque));
            let points: Vec<_> = points.collect();
            it.full_load = vehicle_core::lookup_table::LookupTable::new(points).expect("a curve");
        },
        "N·cm",
    ),
];

const OF_CLUTCHES: &[Mistake<FrictionClutch>] = &[
    (
        "actuation.closed_speed",
        |it| {
            it.actuation = ClutchActuation::Automatic { open_speed: 600.0, closed_speed: 900.0 };
        },
        "revolutions per minute",
    ),
    (
        "actuation.closed_speed",
        |it| {
            let (engaging_speed, closed_speed) = (600.0, 900.0);
            it.actuation = ClutchActuation::Centrifugal { engaging_speed, closed_speed };
        },
        "revolutions per minute",
    ),
    (
        "actuation.speed",
        |it| it.actuation = ClutchActuation::AntiStall { speed: 900.0 },
        "revolutions per minute",
    ),
];

const OF_GEARBOXES: &[Mistake<Gearbox>] =
    &[("shift_time", |it| it.shift_time = 400.0, "milliseconds")];

#[test]
fn blocks_of_an_engine_in_other_units_are_told() {
    let spoiled = |change: &dyn Fn(&mut Block)| {
        let mut tree = built("rear");
        tree.blocks.iter_mut().for_each(|named| change(&mut named.block));
        findings(tree)
    };
    for (path, mistake, meant) in OF_ENGINES {
        let change = |block: &mut Block| {
            if let Block::Engine(engine) = block {
                mistake(engine);
            }
        };
        assert_told(&spoiled(&change), path, meant);
    }
    for (path, mistake, meant) in OF_CLUTCHES {
        let change = |block: &mut Block| {
            if let Block::FrictionClutch(clutch) = block {
                mistake(clutch);
            }
        };
        assert_told(&spoiled(&change), path, meant);
    }
    for (path, mistake, meant) in OF_GEARBOXES {
        let change = |block: &mut Block| {
            if let Block::Gearbox(gearbox) = block {
                mistake(gearbox);
            }
        };
        assert_told(&spoiled(&change), path, meant);
    }
}

#[test]
fn no_ready_made_driveline_looks_as_if_it_was_in_other_units() {
    let mut seen = 0;
    for (name, build) in ready_made::ALL {
        let tree = build().expect("no faults");
        let wheels = tree.blocks.iter().filter(|named| matches!(named.block, Block::Wheel(_)));
        // Of a vehicle with more wheels than the car.
        if 4 < wheels.count() {
            continue;
        }
        seen += 1;
        let odd = findings(tree);
        let is_odd = |finding: &&Finding| {
            matches!(finding.code, Code::NumberOdd | Code::EngineSpeedOdd | Code::EngineRevsSlowly)
        };
        let odd: Vec<_> = odd.iter().filter(is_odd).collect();
        assert!(odd.is_empty(), "{name}: {odd:#?}");
    }
    assert!(3 < seen, "{seen} drivelines");
}
