//! Whole drivelines, one call each.
//!
//! Wheels are numbered axle by axle from the front, right before left, as those of
//! [`CarBlueprint`](vehicle_core::blueprint::CarBlueprint). Of a car, 0 and 1 are the right and the
//! left front wheel, 2 and 3 the rear ones. The right wheels of every vehicle have even numbers,
//! then, and the left ones odd numbers. Where only some wheels are driven, the others are part of
//! the driveline, too.

use vehicle_core::math::Real;

use super::battery::BatterySettings;
use super::block::NoCustomBlock;
use super::builder::{Chain, chain, wheel};
use super::capacity::Capacity;
use super::clutch::{ClutchActuation, FrictionClutch};
use super::command::DriverCommand;
use super::converter::TorqueConverter;
use super::couplings::{FixedGear, Retarder, ShaftBrake};
use super::differential::{Differential, DifferentialMode, TransferCase, TransferMode};
use super::engine::{Engine, IdleControl, Limiter};
use super::gearbox::Gearbox;
use super::joints::{DoubleDifferential, Joint, PowerSplit, Splitter};
use super::motor::ElectricMotor;
use super::power_split_control::PowerSplitControl;
use super::tree::{BlockError, BlockTree};
use vehicle_core::lookup_table::LookupTable;

type Part = Chain<NoCustomBlock>;
type Built = Result<BlockTree, BlockError>;

/// Ratio of a car's final drive.
const FINAL_DRIVE: Real = 3.7;

/// A ready-made driveline: its name, and what builds it.
pub type ReadyMade = (&'static str, fn() -> Built);

/// All of them, by name.
pub const ALL: [ReadyMade; 14] = [
    ("rear", rear_drive),
    ("front", front_drive),
    ("all-planetary", all_wheel_drive),
    ("all-on-demand", on_demand),
    ("all-part-time", part_time),
    ("h-drive", h_drive),
    ("truck-6x4", truck_6x4),
    ("truck-8x8", truck_8x8),
    ("tank", tank),
    ("electric", electric),
    ("electric-two", electric_two_motors),
    ("electric-four", electric_four_motors),
    ("hybrid-parallel", parallel_hybrid),
    ("hybrid-power-split", power_split_hybrid),
];

/// Engine, clutch and gearbox by hand.
fn manual() -> Part {
    chain(Engine::default()).then(FrictionClutch::default()).then(Gearbox::default())
}

/// Engine, converter and automatic gearbox, whose throttle is the engine's.
fn automatic() -> Part {
    chain(Engine::default()).then(TorqueConverter::default()).then(Gearbox::automatic())
}

fn axle(name: &str, wheels: [usize; 2]) -> Part {
    chain(Differential::open(FINAL_DRIVE)).named(name).to(wheels.map(wheel))
}

/// Rear-wheel drive by hand: `engine -> clutch -> gearbox -> differential -> [wheel(2), wheel(3)]`.
///
/// # Errors
///
/// None: settings are the defaults.
pub fn rear_drive() -> Built {
    manual().then(axle("rear differential", [2, 3])).beside(wheel(0)).beside(wheel(1)).build()
}

/// Front-wheel drive with converter and automatic gearbox.
///
/// # Errors
///
/// None: settings are the defaults.
pub fn front_drive() -> Built {
    automatic().then(axle("front differential", [0, 1])).beside(wheel(2)).beside(wheel(3)).build()
}

fn transfer(ratio: Real, low_ratio: Real, mode: TransferMode) -> TransferCase {
    TransferCase { ratio, low_ratio, efficiency: 1.0, mode }
}

fn both_axles(case: TransferCase) -> Built {
    let axles = [axle("rear differential", [2, 3]), axle("front differential", [0, 1])];
    manual().then(case).to(axles).build()
}

/// All-wheel drive with a planetary center differential that biases torque.
///
/// # Errors
///
/// None: settings are the defaults.
pub fn all_wheel_drive() -> Built {
    let mode = DifferentialMode::TorqueBias { preload: 20.0, bias: 2.5 };
    both_axles(transfer(1.0, 1.0, TransferMode::Planetary { share: 0.6, mode }))
}

/// All-wheel drive whose front axle a clutch takes along on demand.
///
/// # Errors
///
/// None: settings are the defaults.
pub fn on_demand() -> Built {
    both_axles(transfer(1.0, 1.0, TransferMode::OnDemand { capacity: Capacity(1200.0) }))
}

/// Part-time four-wheel drive with low range.
///
/// # Errors
///
/// None: settings are the defaults.
pub fn part_time() -> Built {
    both_axles(transfer(1.0, 2.7, TransferMode::PartTime))
}

/// H-drive: one differential between the sides, whose wheels turn as one.
///
/// # Errors
///
/// None: settings are the defaults.
pub fn h_drive() -> Built {
    let side = |name: &str, wheels: [usize; 2]| {
        chain(Splitter { outputs: 2 }).named(name).to(wheels.map(wheel))
    };
    let sides = [side("right side", [0, 2]), side("left side", [1, 3])];
    manual().then(Differential::open(FINAL_DRIVE)).to(sides).build()
}

/// The engine of a truck: 2,000 N·m.
fn truck_engine() -> Engine {
    let points = [
        (0.0, 600.0),
        (60.0, 1100.0),
        (105.0, 2000.0),
        (150.0, 2000.0),
        (200.0, 1500.0),
        (240.0, 0.0),
    ];
    Engine {
        inertia: 3.0,
        full_load: LookupTable::new(points).expect("increasing abscissae"),
        friction: [60.0, 0.3, 2e-3],
        idle: Some(IdleControl { speed: 63.0, gain: 0.03, integral_gain: 0.05, max_throttle: 0.6 }),
        limiter: Some(Limiter { speed: 225.0, hysteresis: 5.0, cut_time: 0.1 }),
        overrun_cut: Some(15.0),
        stall: None,
        intake_time: 0.1,
    }
}

fn truck_gearbox() -> Gearbox {
    Gearbox {
        forward: vec![14.0, 11.0, 8.6, 6.8, 5.4, 4.3, 3.4, 2.7, 2.1, 1.65, 1.3, 1.0],
        reverse: vec![-13.0],
        shift_time: 0.4,
        max_input_speed: 240.0,
        max_reversal_speed: 5.0,
        ..Gearbox::default()
    }
}

/// Engine, automatic clutch, twelve gears and a retarder of a truck.
fn truck() -> Part {
    let clutch = FrictionClutch {
        capacity: Capacity(3500.0),
        actuation: ClutchActuation::Automatic { open_speed: 66.0, closed_speed: 95.0 },
        ..FrictionClutch::default()
    };
    let retarder = Retarder::Hydrodynamic { capacity: 0.6, max_power: 5e5, max_torque: 3200.0 };
    chain(truck_engine()).then(clutch).then(truck_gearbox()).then(retarder)
}

fn truck_axle(name: &str, wheels: [usize; 2]) -> Part {
    chain(Differential::open(4.0)).named(name).to(wheels.map(wheel))
}

/// An inter-axle differential, which the input `lock` locks.
fn inter_axle(name: &str, share: Real, parts: [Part; 2]) -> Part {
    chain(Differential::open(1.0).with_share(share)).named(name).to(parts)
}

/// A 6x4 truck: wheels 0 and 1 steer, two rear axles are driven.
///
/// # Errors
///
/// None: settings are the defaults.
pub fn truck_6x4() -> Built {
    let axles = [truck_axle("first rear axle", [2, 3]), truck_axle("second rear axle", [4, 5])];
    truck().then(inter_axle("rear bogie", 0.5, axles)).beside(wheel(0)).beside(wheel(1)).build()
}

/// An 8x8 truck with low range: seven differentials, all of which lock.
///
/// # Errors
///
/// None: settings are the defaults.
pub fn truck_8x8() -> Built {
    let front = [truck_axle("first front axle", [0, 1]), truck_axle("second front axle", [2, 3])];
    let rear = [truck_axle("first rear axle", [4, 5]), truck_axle("second rear axle", [6, 7])];
    let mode = DifferentialMode::Open { friction: 50.0 };
    let case = transfer(1.0, 2.0, TransferMode::Planetary { share: 0.4, mode });
    truck()
        .then(case)
        .to([inter_axle("front bogie", 0.5, front), inter_axle("rear bogie", 0.5, rear)])
        .build()
}

/// A tank: a double differential that an electric motor steers. Four road wheels turn as one on
/// each side: those of even numbers on the right, those of odd numbers on the left.
///
/// # Errors
///
/// None: settings are the defaults.
pub fn tank() -> Built {
    let side = |name: &str, wheels: [usize; 4]| {
        let splitter = chain(Splitter { outputs: 4 }).named(&format!("{name} track"));
        let track = splitter.to(wheels.map(wheel));
        let brake = chain(ShaftBrake { max_torque: 4e4 }).named(&format!("{name} brake"));
        chain(FixedGear::new(5.0)).named(&format!("{name} final drive")).then(brake).then(track)
    };
    let double = DoubleDifferential { drive_ratio: 1.0, steer_ratio: 6.0 };
    let steering = ElectricMotor {
        inertia: 0.3,
        max_torque: 1500.0,
        max_power: 2e5,
        max_speed: 300.0,
        losses: [0.002, 2.0, 1e-5, 500.0],
        ..ElectricMotor::default()
    };
    let gearbox = Gearbox {
        forward: vec![8.0, 6.6, 5.4, 4.5, 3.7, 3.0, 2.5, 2.1, 1.7, 1.4, 1.2, 1.0],
        reverse: vec![-8.0],
        ..truck_gearbox()
    };
    let converter =
        TorqueConverter { stall_factor: 4.2, lock_up: None, ..TorqueConverter::default() };
    chain(truck_engine())
        .then(converter)
        .then(gearbox)
        .then(double)
        .fed_by(chain(steering).named("steering motor"))
        .to([side("left", [1, 3, 5, 7]), side("right", [0, 2, 4, 6])])
        .with_command(DriverCommand::Steer, ("steering motor", "command"), 1.0)
        .with_command(DriverCommand::Nothing, ("steering motor", "regeneration"), 0.0)
        .with_command(DriverCommand::Nothing, ("steering motor", "in gear"), 0.0)
        .with_battery(BatterySettings::default())
        .build()
}

/// An electric car with one motor at the rear axle.
///
/// # Errors
///
/// None: settings are the defaults.
pub fn electric() -> Built {
    chain(ElectricMotor::default())
        .then(chain(Differential::open(9.0)).to([wheel(2), wheel(3)]))
        .beside(wheel(0))
        .beside(wheel(1))
        .with_battery(BatterySettings::default())
        .build()
}

/// An electric car with a motor at each axle, on one battery.
///
/// # Errors
///
/// None: settings are the defaults.
pub fn electric_two_motors() -> Built {
    let axle = |name: &str, wheels: [usize; 2]| {
        chain(ElectricMotor::default())
            .named(name)
            .then(chain(Differential::open(9.0)).to(wheels.map(wheel)))
    };
    axle("front motor", [0, 1])
        .beside(axle("rear motor", [2, 3]))
        .with_battery(BatterySettings::default())
        .build()
}

/// An electric car with a motor in each wheel, on one battery.
///
/// # Errors
///
/// None: settings are the defaults.
pub fn electric_four_motors() -> Built {
    let motor = |number: usize| {
        let motor = ElectricMotor { max_torque: 150.0, max_power: 6e4, ..ElectricMotor::default() };
        chain(motor).named(&format!("motor {number}")).then(FixedGear::new(7.0)).then(wheel(number))
    };
    let first = motor(0).with_battery(BatterySettings::default());
    (1..4).fold(first, |car, number| car.beside(motor(number))).build()
}

/// A parallel hybrid: a motor behind the clutch, on the input of the gearbox.
///
/// # Errors
///
/// None: settings are the defaults.
pub fn parallel_hybrid() -> Built {
    // As fast as the engine, and slower than the gearbox bears.
    let motor = ElectricMotor {
        max_torque: 250.0,
        max_power: 8e4,
        max_speed: 750.0,
        ..ElectricMotor::default()
    };
    chain(Engine::default())
        .then(FrictionClutch::default())
        .then(Joint)
        .fed_by(chain(motor).named("motor"))
        .with_command(DriverCommand::Throttle, ("motor", "command"), 1.0)
        .then(Gearbox::default())
        .then(axle("front differential", [0, 1]))
        .beside(wheel(2))
        .beside(wheel(3))
        .with_battery(BatterySettings::default())
        .build()
}

/// A power-split hybrid: the engine on the carrier, a generator on the sun, a motor on the ring. A
/// [control](PowerSplitControl) keeps the engine on its best line and the battery charged. It
/// drives off on the motor alone.
///
/// # Errors
///
/// None: settings are the defaults.
pub fn power_split_hybrid() -> Built {
    let machine = |name: &str, max_torque: Real, inertia: Real| {
        let machine =
            ElectricMotor { inertia, max_torque, max_power: 6e4, ..ElectricMotor::default() };
        chain(machine).named(name)
    };
    let engine = Engine { idle: None, ..Engine::default() };
    let control = PowerSplitControl::new(&engine, 0.85);
    let (generator, motor) = (control.max_generator_torque, 200.0);
    let teeth_ratio = control.teeth_ratio;
    let battery = BatterySettings {
        capacity: 5.4e6,
        start_charge: control.charge,
        max_discharge_power: 4e4,
        max_charge_power: 6e4,
    };
    let bus = [
        (("power split", "ring speed"), ("control", "ring speed"), 1.0),
        (("engine", "speed"), ("control", "engine speed"), 1.0),
        (("engine", "combustion torque"), ("control", "engine torque"), 1.0),
        (("generator", "torque"), ("control", "generator torque"), 1.0),
        (("control", "engine throttle"), ("engine", "throttle"), 1.0),
        (("control", "generator torque"), ("generator", "command"), 1.0 / f64::from(generator)),
        (("control", "motor torque"), ("motor", "command"), 1.0 / motor),
    ];
    let hybrid = chain(engine)
        .then(PowerSplit { teeth_ratio })
        .fed_by(machine("generator", generator, 0.02))
        .then(Joint)
        .fed_by(machine("motor", motor as Real, 0.06))
        .then(axle("front differential", [0, 1]))
        .beside(wheel(2))
        .beside(wheel(3))
        .beside(chain(control).named("control"))
        .with_command(DriverCommand::Nothing, ("engine", "throttle"), 0.0)
        .with_command(DriverCommand::Nothing, ("generator", "command"), 0.0)
        .with_command(DriverCommand::Nothing, ("generator", "regeneration"), 0.0)
        .with_command(DriverCommand::Nothing, ("motor", "command"), 0.0)
        .with_battery(battery);
    bus.into_iter()
        .fold(hybrid, |hybrid, (from, to, factor)| hybrid.with_link(from, to, factor))
        .build()
}
