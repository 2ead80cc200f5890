//! Two solvers, one law: vehicles with an engine, and the same as drivelines from blocks.
//!
//! The control of engine, clutch and gearbox is the same code, on the state of the vehicle that it
//! controls. What differs is the solver: the closed one of one engine, and that of trees.

mod common;

use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;

use common::engine::{engine_params, tank};
use serde::{Deserialize, Serialize};
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::Commands;
use vehicle_core::driveline::{Element, Friction, Inertia, SpeedRange, Weighted};
use vehicle_core::error::{ParamCheck, Validate};
use vehicle_core::math::{Pose, Real};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::stages::ConstraintRows;
use vehicle_core::tire::BrushTire;
use vehicle_core::vehicle::OwnState;
use vehicle_core::{ComponentSequence, Context, SimulationParams};
use vehicle_drivetrain::actuation::engine_drive_actuation;
use vehicle_drivetrain::blocks::{
    Block, BlockShaft, BlockStep, BlockTree, Channel, Channels, DrivelineBlock, Sketch, Slots,
    Splitter, Wheel, chain,
};
use vehicle_drivetrain::clutch::{automatic_clutch, closing_clutch, effective_clutch};
use vehicle_drivetrain::differential::{
    DifferentialParams, MultiWheelDifferentialParams, WheelShare,
};
use vehicle_drivetrain::drivetrain::{DrivetrainParams, DrivetrainState, rolling_speed};
use vehicle_drivetrain::engine_control::{EngineDemand, controlled_engine, is_fuel_cut};
use vehicle_drivetrain::gearbox::{overall_gear_ratio, updated_gearbox};
use vehicle_drivetrain::stages::{BlockCommands, BlockDrive};
use vehicle_drivetrain::transmission::{AutoboxRef, TransmissionCommands, TransmissionView};
use vehicle_drivetrain::{BlockDriveParams, BlockDriveVehicleWith, EngineDriveVehicle};

const DT: Real = 1.0 / 60.0;
const INPUT: BlockShaft = BlockShaft::Input(0);
const OUTPUT: BlockShaft = BlockShaft::Output(0);

/// The closed solver's engine, and all that is between it and the wheels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Part {
    /// An inertia within a range of speeds, which idles at first.
    Engine { idle: Real },
    /// Clutch, gears and shares; one share for each output.
    Transmission { shares: Vec<Real> },
}

impl Validate for Part {
    fn check(&self, _: &mut ParamCheck) {}
}

impl DrivelineBlock for Part {
    fn kind(&self) -> &'static str {
        match self {
            Self::Engine { .. } => "closed engine",
            Self::Transmission { .. } => "closed transmission",
        }
    }

    fn initialize(&self) -> Slots {
        match self {
            Self::Engine { .. } => Slots::new(0, 1),
            Self::Transmission { shares } => Slots::new(1, shares.len()),
        }
    }

    fn channels(&self) -> Channels {
        const ENGINE: &[Channel] = &[
            Channel::new("inertia", "kg·m²"),
            Channel::new("torque", "N·m"),
            Channel::new("damping", "N·m·s"),
            Channel::new("low", "rad/s"),
            Channel::new("high", "rad/s"),
        ];
        const TRANSMISSION: &[Channel] = &[
            Channel::new("capacity", "N·m"),
            Channel::new("strength", "N·m·s"),
            Channel::new("ratio", ""),
        ];
        let inputs = match self {
            Self::Engine { .. } => ENGINE,
            Self::Transmission { .. } => TRANSMISSION,
        };
        Channels { inputs, ..Channels::default() }
    }

    fn start_speed(&self) -> f64 {
        match self {
            Self::Engine { idle } => f64::from(*idle),
            Self::Transmission { .. } => 0.0,
        }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        match self {
            Self::Engine { .. } => {
                let inertia = Inertia { inertia: 1.0, ..Inertia::default() };
                sketch.add(Element::Inertia(inertia), [OUTPUT]);
                sketch.add(Element::SpeedRange(SpeedRange { low: -1e9, high: 1e9 }), [OUTPUT]);
            }
            Self::Transmission { shares } => {
                let (within, geared) = (sketch.inner_shaft(), sketch.inner_shaft());
                sketch.add(Element::Friction(Friction::OPEN), [INPUT, within]);
                sketch.add(Element::Viscous(0.0), [within, geared]);
                let outputs = (0..shares.len()).map(BlockShaft::Output);
                let shafts: Vec<_> = std::iter::once(geared).chain(outputs).collect();
                let shares: Vec<_> = shares.iter().map(|share| f64::from(*share)).collect();
                let (speed_shares, torque_shares) = (shares.clone(), shares);
                sketch.add(Element::Weighted(Weighted { speed_shares, torque_shares }), shafts);
            }
        }
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        match (self, step.inputs) {
            (Self::Engine { .. }, &[inertia, torque, damping, low, high]) => {
                let parts = Inertia { inertia, torque, damping, slope: 0.0 };
                step.elements[0] = Element::Inertia(parts);
                step.elements[1] = Element::SpeedRange(SpeedRange { low, high });
            }
            (Self::Transmission { shares }, &[capacity, strength, ratio]) => {
                step.elements[0] = Element::Friction(Friction::clutch(capacity));
                step.elements[1] = Element::Viscous(strength);
                // In neutral any ratio will do.
                let ratio = if ratio == 0.0 { 1.0 } else { ratio };
                if let Element::Weighted(weighted) = &mut step.elements[2] {
                    for (place, share) in shares.iter().enumerate() {
                        weighted.speed_shares[place] = ratio * f64::from(*share);
                        weighted.torque_shares[place] = ratio * f64::from(*share);
                    }
                }
            }
            (_, inputs) => panic!("{} inputs", inputs.len()),
        }
    }
}

/// What controls engine, clutch and gearbox of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Control(DrivetrainState);

impl OwnState for Control {
    type Params = Arc<DrivetrainParams>;

    fn at_rest(params: &Self::Params, wheel_count: usize) -> Self {
        Self(DrivetrainState::at_rest(params, wheel_count))
    }

    fn is_finite(&self) -> bool {
        self.0.is_finite()
    }
}

type Tree = BlockDriveVehicleWith<BrushTire, Part, Control>;

/// Share of each wheel of torque and speed.
fn shares(params: &DrivetrainParams) -> [Real; 4] {
    match &params.differential {
        DifferentialParams::Tank(_) => [0.25; 4],
        _ => [0.0, 0.0, 0.5, 0.5],
    }
}

/// From the driver's controls to gear, clutch and throttle, and which wheels are driven.
fn transmission(vehicle: &mut Tree, dt: Real, _: &Context<'_>) -> ControlFlow<()> {
    let params = Arc::clone(vehicle.own_params());
    let shares = shares(&params);
    let mechanics = &vehicle.params().mechanics;
    let speeds = vehicle.state.mechanics.wheels.iter().map(|wheel| wheel.rotation_speed);
    let driven_speed = shares.iter().zip(speeds).map(|(share, speed)| share * speed).sum();
    let radius = mechanics.wheels[0].radius;
    let carried_inertia = mechanics.rigid_body.mass * radius * radius;
    let wheel_shares = shares
        .map(|share| WheelShare { torque: share, speed: share, is_connected: share != 0.0 })
        .into_iter()
        .collect();
    let rolling_speed = rolling_speed(&wheel_shares, mechanics, &vehicle.state.mechanics);
    let Control(state) = &mut vehicle.state.own;
    TransmissionView {
        commands: &vehicle.commands,
        transmission_commands: &TransmissionCommands::default(),
        engine: &params.engine,
        engine_state: &state.engine,
        driven_speed,
        rolling_speed,
        carried_inertia,
        gearbox: &params.gearbox,
        clutch: &params.clutch,
        autobox: params.autobox.as_ref().map(|law| AutoboxRef { law, state: &mut state.autobox }),
        gearbox_state: &mut state.gearbox,
        clutch_state: &mut state.clutch,
        throttle: &mut state.throttle,
    }
    .update(dt);
    let strength = effective_clutch(&params.gearbox, state.gearbox.current, state.clutch).strength;
    let throttle = if params.clutch.creeps() { 1.0 } else { state.throttle };
    for (wheel, share) in shares.into_iter().enumerate() {
        let brake = vehicle.state.mechanics.brake_torques[wheel];
        let actuation = engine_drive_actuation(brake, strength, share, throttle);
        vehicle.state.mechanics.actuations.set(wheel, actuation);
    }
    Continue(())
}

/// What the engine and the clutch do in a substep.
fn system(vehicle: &mut Tree, dt: Real, _: &Context<'_>) -> ControlFlow<()> {
    let params = Arc::clone(vehicle.own_params());
    let Control(state) = &mut vehicle.state.own;
    state.gearbox = updated_gearbox(&params.gearbox, &state.gearbox, dt);
    state.engine.is_fuel_cut = is_fuel_cut(&params.engine, &state.engine);
    let gear = state.gearbox.current;
    let wanted = effective_clutch(&params.gearbox, gear, state.clutch);
    let clutch = closing_clutch(&params.clutch, wanted, state.clutch_engagement, dt);
    state.clutch_engagement = clutch.engagement;
    let clutch = automatic_clutch(&params.clutch, clutch, state.engine.rotation_speed);
    let (throttle, engagement) = (state.throttle, clutch.engagement);
    let demand = EngineDemand { throttle, engagement, is_started: false };
    let engine = controlled_engine(&params.engine, &state.engine, &demand);
    let [low, high] = engine.speed_range;
    // An input is a finite number.
    let capacity = params.clutch.capacity(clutch).min(1e30);
    let ratio = overall_gear_ratio(&params.gearbox, gear);
    let inputs = [
        ("closed engine", "inertia", engine.inertia),
        ("closed engine", "torque", engine.torque),
        ("closed engine", "damping", engine.damping_rate),
        ("closed engine", "low", low.max(-1e9)),
        ("closed engine", "high", high.min(1e9)),
        ("closed transmission", "capacity", capacity),
        ("closed transmission", "strength", clutch.strength),
        ("closed transmission", "ratio", ratio),
    ];
    for (block, input, value) in inputs {
        vehicle.set_input(block, input, f64::from(value)).expect("an input");
    }
    Continue(())
}

/// What the control learns of the engine.
fn sense(vehicle: &mut Tree, _: Real, _: &Context<'_>) -> ControlFlow<()> {
    let shaft = vehicle.driveline().shafts_of(0).1[0];
    vehicle.state.own.0.engine.rotation_speed = vehicle.state.drive.speeds[shaft] as Real;
    let torques = vehicle.state.drive.drive_torques();
    let wheels = vehicle.driveline().wheels().iter().zip(torques);
    let power = wheels.map(|(&(wheel, _), torque)| {
        torque * f64::from(vehicle.state.mechanics.wheels.of(wheel).rotation_speed)
    });
    vehicle.state.own.0.autobox.drive_power = power.sum::<f64>() as Real;
    Continue(())
}

fn tree_of(params: &DrivetrainParams) -> BlockTree<Part> {
    let idle = params.engine.idle_speed;
    let wheel = |wheel: usize| chain(Block::from(Wheel { wheel }));
    let engine = chain(Block::Custom(Part::Engine { idle }));
    let transmission = |share: Real| Block::Custom(Part::Transmission { shares: vec![share; 2] });
    let tree = if let DifferentialParams::Tank(_) = params.differential {
        let track = |name: &str, wheels: [usize; 2]| {
            chain(Block::from(Splitter { outputs: 2 })).named(name).to(wheels.map(wheel))
        };
        let tracks = [track("one track", [0, 2]), track("other track", [1, 3])];
        engine.then(transmission(0.5)).to(tracks)
    } else {
        engine.then(transmission(0.5)).to([wheel(2), wheel(3)])
    };
    tree.build().expect("no faults")
}

struct Pair {
    closed: EngineDriveVehicle,
    tree: Tree,
    sequences: (ComponentSequence<EngineDriveVehicle>, ComponentSequence<Tree>),
    simulation: SimulationParams,
    road: FlatRoad,
}

impl Pair {
    fn new(differential: DifferentialParams) -> Self {
        let params = engine_params(differential);
        let tree = tree_of(&params.drivetrain);
        let block = BlockDriveParams::new(params.mechanics.clone(), tree);
        let control = Arc::new(params.drivetrain.clone());
        let mut tree = Tree::with_own(block, control).expect("faultless params");
        let mut closed = EngineDriveVehicle::new(params).expect("faultless params");
        let sheet = CarBlueprint::default();
        let height = sheet.frame.vertical() * sheet.center_of_mass_height;
        let pose = Pose::from_translation(height);
        closed.state.mechanics.rigid_body.pose = pose;
        tree.state.mechanics.rigid_body.pose = pose;
        let sequence = Tree::sequence().insert_after::<BlockCommands>(transmission);
        let sequence = sequence.and_then(|stages| stages.insert_after::<ConstraintRows>(system));
        let sequence = sequence.and_then(|stages| stages.insert_after::<BlockDrive>(sense));
        let sequences = (EngineDriveVehicle::sequence(), sequence.expect("stages"));
        let simulation = SimulationParams::new(sheet.frame);
        Self { closed, tree, sequences, simulation, road: FlatRoad::new(&sheet.frame) }
    }

    fn step(&mut self, commands: Commands) {
        let context = Context::new(&self.simulation, &self.road);
        (self.closed.commands, self.tree.commands) = (commands, commands);
        let closed = self.sequences.0.update(&mut self.closed, DT, &context);
        let tree = self.sequences.1.update(&mut self.tree, DT, &context);
        assert_eq!((closed, tree), (Ok(Continue(())), Ok(Continue(()))));
    }

    /// Speed of the body, of the engine, and of each wheel, of both.
    fn speeds(&self) -> [[Real; 6]; 2] {
        let (closed, tree) = (&self.closed.state, &self.tree.state);
        let engines = [closed.drive.engine, tree.own.0.engine];
        let mechanics = [&closed.mechanics, &tree.mechanics];
        [0, 1].map(|of| {
            let wheel = |wheel| mechanics[of].wheels.of(wheel).rotation_speed;
            let body = mechanics[of].rigid_body.linear_velocity.length();
            [body, engines[of].rotation_speed, wheel(0), wheel(1), wheel(2), wheel(3)]
        })
    }

    fn gears(&self) -> [usize; 2] {
        let (closed, tree) = (&self.closed.state.drive, &self.tree.state.own.0);
        [closed.gearbox.current, tree.gearbox.current]
    }
}

fn commands(step: usize) -> Commands {
    let (throttle, brake, steer) = match step {
        0..60 => (0.0, 0.0, 0.0),
        60..1_200 => (0.7, 0.0, 0.05),
        1_200..1_500 => (0.0, 0.0, 0.0),
        1_500..2_400 => (1.0, 0.0, 0.0),
        2_400..2_700 => (0.0, 0.3, 0.0),
        _ => (0.5, 0.0, -0.05),
    };
    Commands { throttle, brakes: [brake, 0.0], steer, ..Commands::default() }
}

/// Drives both for a minute, and tells how far they come apart.
fn drive_alike(name: &str, differential: DifferentialParams) {
    let mut pair = Pair::new(differential);
    let (mut worst_step, mut worst, mut shifts, mut fastest) = (0.0_f32, 0.0_f32, 0, 0.0_f32);
    let mut last = pair.gears();
    for step in 0..3_600 {
        pair.step(commands(step));
        let [closed, tree] = pair.speeds();
        let scale = closed.map(Real::abs).into_iter().fold(1.0, Real::max);
        let apart = (0..6).map(|i| (closed[i] - tree[i]).abs()).fold(0.0, Real::max) / scale;
        if step == 0 {
            worst_step = apart;
        }
        fastest = fastest.max(closed[0]);
        worst = worst.max((closed[0] - tree[0]).abs() / closed[0].max(1.0));
        let gears = pair.gears();
        assert_eq!(gears[0], gears[1], "{name}, step {step}: {closed:?}, {tree:?}");
        shifts += usize::from(gears != last);
        last = gears;
    }
    println!(
        "{name}: first step {worst_step:.1e}, speed within {worst:.1e}, {shifts} shifts, {fastest} m/s"
    );
    assert!(worst_step < 1e-5, "{name}: {worst_step}");
    assert!(worst < 1e-3, "{name}: {worst}");
    assert!(4 <= shifts && 20.0 < fastest, "{name}: {shifts} shifts, {fastest} m/s");
}

#[test]
fn a_car_drives_alike_by_both_solvers() {
    drive_alike(
        "car",
        DifferentialParams::MultiWheel(MultiWheelDifferentialParams::equal(4, &[2, 3])),
    );
}

#[test]
fn a_tank_drives_alike_by_both_solvers() {
    drive_alike("tank", tank());
}
