//! What is odd about drivelines from blocks.

use vehicle_core::SimulationParams;
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::CommandResponseParams;
use vehicle_core::convert::Convert;
use vehicle_core::diagnosis::{Conditions, Diagnose, Finding, FindingCode as Code, diagnose};
use vehicle_core::frame::{CoordinateConversion, CoordinateSystem, Frame};
use vehicle_core::lookup_table::LookupTable;
use vehicle_drivetrain::aids::{
    AidsParams, HandBrakeParams, LaunchParams, StabilityParams, TorqueVectoringParams,
    VectoringActuator,
};
use vehicle_drivetrain::blocks::{
    Block, BlockTree, Capacity, Differential, DifferentialMode, DriverCommand, DriverLink,
    ElectricMotor, Engine, FrictionClutch, GearControl, Gearbox, Stall, TransferMode, ready_made,
};
use vehicle_drivetrain::{
    BlockDriveParams, BlockDriveVehicle, DirectDriveParams, DirectDriveVehicle, EngineDriveParams,
    EngineDriveVehicle,
};

use crate::common::DT;

fn built(name: &str) -> BlockTree {
    let (_, build) = ready_made::ALL.iter().find(|(each, _)| *each == name).expect("a name");
    build().expect("no faults")
}

fn params(tree: BlockTree) -> BlockDriveParams {
    BlockDriveParams::new(CarBlueprint::default().mechanics().expect("a faultless car"), tree)
}

fn findings(params: BlockDriveParams, simulation: &SimulationParams) -> Vec<Finding> {
    let vehicle = BlockDriveVehicle::new(params).expect("faultless params");
    diagnose(&vehicle, &Conditions::new(simulation, DT, 1)).expect("a time step")
}

/// Changes every block of a kind.
macro_rules! change {
    ($tree:expr, $kind:ident, $change:expr) => {
        for named in &mut $tree.blocks {
            if let Block::$kind(block) = &mut named.block {
                let change: fn(&mut $kind) = $change;
                change(block);
            }
        }
    };
}

/// What makes a healthy driveline odd, and where that is found.
type Ailment = (Code, &'static str, &'static str, fn(&mut BlockTree));

const AILMENTS: &[Ailment] = &[
    (Code::EngineStalls, "rear", "driveline.\"engine\".idle", |tree| {
        change!(tree, Engine, |engine| engine.friction[0] = 200.0);
    }),
    (Code::EngineStalls, "rear", "driveline.\"engine\".stall", |tree| {
        change!(tree, Engine, |engine| {
            engine.idle = None;
            engine.stall = Some(Stall { speed: 40.0, starter_torque: 60.0, running_speed: 60.0 });
        });
    }),
    (Code::StarterWeak, "rear", "driveline.\"engine\".stall.starter_torque", |tree| {
        change!(tree, Engine, |engine| {
            engine.stall = Some(Stall { speed: 40.0, starter_torque: 5.0, running_speed: 60.0 });
        });
    }),
    (Code::TargetSpeedNone, "rear", "driveline.\"gearbox\".control", |tree| {
        change!(tree, Gearbox, |it| it.control = GearControl::Variable { max_rate: 1.0 });
    }),
    (Code::EngineSpeedOdd, "rear", "driveline.\"engine\".limiter.speed", |tree| {
        change!(tree, Engine, |engine| {
            engine.limiter.as_mut().expect("a limiter").speed = 6500.0;
        });
    }),
    (Code::EngineDamped, "rear", "driveline.\"engine\".full_load", |tree| {
        change!(tree, Engine, |engine| {
            engine.limiter.as_mut().expect("a limiter").speed = 760.0;
        });
    }),
    (Code::EngineRevsSlowly, "rear", "driveline.\"engine\".inertia", |tree| {
        change!(tree, Engine, |engine| engine.inertia = 5.0);
    }),
    (Code::EngineCoastsFree, "rear", "driveline.\"engine\".friction", |tree| {
        change!(tree, Engine, |engine| engine.friction = [0.0; 3]);
    }),
    (Code::ClutchWeak, "rear", "driveline.\"friction clutch\".capacity", |tree| {
        change!(tree, FrictionClutch, |clutch| clutch.capacity = Capacity(150.0));
    }),
    (Code::AutoboxNeverShiftsUp, "front", "driveline.\"gearbox\".control.up[1]", |tree| {
        change!(tree, Gearbox, |gearbox| {
            if let GearControl::Automatic(lines) = &mut gearbox.control {
                lines.up = LookupTable::new([(0.0, 190.0), (1.0, 700.0)]).expect("two points");
            }
        });
    }),
    (Code::ShiftRefused, "rear", "driveline.\"gearbox\".max_input_speed", |tree| {
        change!(tree, Gearbox, |gearbox| gearbox.max_input_speed = 300.0);
    }),
    (Code::GearStepLarge, "rear", "driveline.\"gearbox\".forward[1]", |tree| {
        change!(tree, Gearbox, |gearbox| gearbox.forward = vec![12.0, 1.0]);
    }),
    (Code::TopSpeedLow, "electric", "driveline", |tree| {
        change!(tree, Differential, |differential| differential.ratio = 300.0);
    }),
    // The speed of the output per speed of the input, by mistake.
    (Code::TopSpeedHigh, "rear", "driveline", |tree| {
        change!(tree, Differential, |differential| differential.ratio = 0.27);
    }),
    (Code::DriveWeak, "rear", "driveline", |tree| {
        change!(tree, Differential, |differential| differential.ratio = 0.27);
    }),
    (Code::DriveStrong, "electric", "driveline", |tree| {
        change!(tree, ElectricMotor, |motor| motor.max_torque = 3_100.0);
    }),
    (Code::DriveTorqueNone, "rear", "driveline", |tree| {
        *tree = BlockTree::default();
        for number in 0..4 {
            tree.add(vehicle_drivetrain::blocks::Wheel { wheel: number });
        }
    }),
    (Code::WheelNotInDriveline, "rear", "driveline", |tree| _ = tree.blocks.pop()),
    (Code::BatteryWeak, "electric", "driveline.batteries[0].max_discharge_power", |tree| {
        tree.batteries[0].max_discharge_power = 2e4;
    }),
];

/// What is found about these.
pub(crate) fn codes() -> impl Iterator<Item = Code> {
    AILMENTS.iter().map(|(code, ..)| *code).chain([Code::HandBrakeHeld, Code::AidIdle])
}

#[test]
fn a_center_that_no_lever_frees_is_found_where_a_hand_brake_is_to_free_it() {
    let modes = [
        (DifferentialMode::Open { friction: 0.0 }, false),
        (DifferentialMode::Active { capacity: Capacity(500.0) }, false),
        (DifferentialMode::Locked, true),
        (DifferentialMode::Viscous { strength: 10.0 }, true),
    ];
    for (of_center, is_held) in modes {
        let mut tree = built("all-planetary");
        for named in &mut tree.blocks {
            if let Block::TransferCase(case) = &mut named.block
                && let TransferMode::Planetary { mode, .. } = &mut case.mode
            {
                *mode = of_center;
            }
        }
        for hand_brake in [None, Some(HandBrakeParams::default())] {
            let mut vehicle = BlockDriveVehicle::new(params(tree.clone())).expect("faultless");
            let aids = AidsParams { hand_brake, ..AidsParams::default() };
            vehicle.set_aids(aids).expect("faultless");
            let simulation = SimulationParams::default();
            let found = diagnose(&vehicle, &Conditions::new(&simulation, DT, 1)).expect("a step");
            let is_found = found.iter().any(|finding| finding.code == Code::HandBrakeHeld);
            assert_eq!(is_found, is_held && hand_brake.is_some(), "{of_center:?}: {found:?}");
        }
    }
}

#[test]
fn a_variable_gearbox_that_is_told_its_speed_is_not_odd() {
    let mut tree = built("rear");
    change!(tree, Gearbox, |it| it.control = GearControl::Variable { max_rate: 1.0 });
    let to = ("gearbox".to_owned(), "target speed".to_owned());
    tree.driver.push(DriverLink { command: DriverCommand::Throttle, to, factor: 400.0 });
    let found = findings(params(tree), &SimulationParams::default());
    assert!(found.iter().all(|finding| finding.code != Code::TargetSpeedNone), "{found:?}");
}

#[test]
fn aids_that_can_do_nothing_are_found() {
    let vectoring = |actuator| AidsParams {
        torque_vectoring: Some(TorqueVectoringParams { actuator, ..Default::default() }),
        ..AidsParams::default()
    };
    let launch = AidsParams { launch: Some(LaunchParams::default()), ..AidsParams::default() };
    let weak = StabilityParams { strength: 0.0, ..StabilityParams::default() };
    let off = AidsParams { stability: Some(weak), ..AidsParams::default() };
    // Aids, and the path of the finding about them on a car with an engine, and with motors.
    let vectoring_path = Some("aids.torque_vectoring");
    let cases = [
        (vectoring(None), None, None),
        (vectoring(Some(VectoringActuator::Brakes)), None, None),
        (vectoring(Some(VectoringActuator::Motors)), vectoring_path, None),
        (vectoring(Some(VectoringActuator::Clutches(80.0))), vectoring_path, None),
        (launch, None, Some("aids.launch")),
        (off, None, None),
    ];
    let mechanics = CarBlueprint::default().mechanics().expect("faultless");
    let with_engine = EngineDriveParams::automatic(mechanics.clone(), &[2, 3]);
    let throttle = CommandResponseParams::linear(500.0, [0.0, 0.0, 1.0, 1.0]);
    let with_motors = DirectDriveParams { mechanics, throttle };
    for (aids, on_engine, on_motors) in cases {
        let mut car = EngineDriveVehicle::new(with_engine.clone()).expect("faultless");
        car.set_aids(aids).expect("faultless");
        assert_eq!(idle(&car), on_engine.map(String::from), "{aids:?}");
        let mut car = DirectDriveVehicle::new(with_motors.clone()).expect("faultless");
        car.set_aids(aids).expect("faultless");
        assert_eq!(idle(&car), on_motors.map(String::from), "{aids:?}");
    }
}

/// Path of the finding about an aid that can do nothing.
fn idle(vehicle: &impl Diagnose) -> Option<String> {
    let simulation = SimulationParams::default();
    let found = diagnose(vehicle, &Conditions::new(&simulation, DT, 1)).expect("a step");
    found.into_iter().find(|finding| finding.code == Code::AidIdle).map(|finding| finding.path)
}

#[test]
fn every_ailment_of_a_driveline_is_found_where_it_is() {
    let meters = CoordinateSystem { frame: Frame::Y_UP, length_scale: 1.0 };
    let centimeters = CoordinateSystem { frame: Frame::Z_UP, length_scale: 100.0 };
    let conversion = CoordinateConversion::new(&meters, &centimeters);
    for (code, name, path, spoil) in AILMENTS {
        let mut tree = built(name);
        spoil(&mut tree);
        let simulation = SimulationParams::default();
        let found = findings(params(tree.clone()), &simulation);
        let is_it = |finding: &&Finding| finding.code == *code && finding.path == *path;
        let one = found.iter().find(is_it);
        let Some(one) = one else { panic!("{code:?} at {path} is not among {found:?}") };
        // It stands alone, but for what comes of it.
        let others = found.iter().filter(|finding| finding.code != *code).count();
        assert!(others <= 3, "{code:?}: {found:?}");
        let converted =
            findings(params(tree).converted(&conversion), &simulation.converted(&conversion));
        let same = converted.iter().find(is_it);
        let Some(same) = same else { panic!("{code:?} is not among {converted:?}") };
        assert!((same.value - one.value).abs() <= 1e-4 * one.value.abs(), "{same:?}, {one:?}");
    }
}

#[test]
fn nothing_is_odd_about_a_car_on_any_ready_made_driveline_for_cars() {
    for (name, build) in ready_made::ALL {
        if name.starts_with("truck") || name == "tank" {
            continue;
        }
        let found = findings(params(build().expect("no faults")), &SimulationParams::default());
        assert!(found.is_empty(), "{name}: {found:?}");
    }
}
