//! The ready-made drivelines on wheels: what carries each of them, a driver who shifts by hand, and
//! what is seen of the driveline on the way.

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use vehicle_rapier::core::SimulationParams;
use vehicle_rapier::core::blueprint::CarBlueprint;
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::blocks::{
    Block, BlockDriveline, BlockTree, DrivelineBlock, EnergyAccount, GearControl, NoCustomBlock,
    ready_made,
};
use vehicle_rapier::prelude::*;

use crate::drive::Scene;
use crate::drive::{Controlled, Driven};
use crate::recorder::{Recorded, Recorder};
use crate::rigs::Rig;
use crate::scenes::{ENGINE_DRIVE_DT, level_world};
use crate::schedule::{Controls, Phase, Schedule};
use crate::telemetry::{Channel, Telemetry};
use crate::vehicle_figure::VehicleFigure;
use crate::wheel_names::CAR_WHEELS;

/// Every ready-made driveline in a line.
pub const DESCRIPTIONS: [(&str, &str); 14] = [
    ("rear", "engine, clutch and six gears by hand, rear-wheel drive"),
    ("front", "engine, converter and automatic gearbox, front-wheel drive"),
    ("all-planetary", "all-wheel drive with a center differential that biases torque"),
    ("all-on-demand", "all-wheel drive whose front axle a clutch takes along on demand"),
    ("all-part-time", "part-time four-wheel drive with low range"),
    ("h-drive", "one differential between the sides, whose wheels turn as one"),
    ("truck-6x4", "truck with two driven rear axles, an inter-axle differential and a retarder"),
    ("truck-8x8", "truck with four driven axles, seven differentials and low range"),
    ("tank", "converter, double differential and a motor that steers two tracks"),
    ("electric", "one motor at the rear axle"),
    ("electric-two", "a motor at each axle, on one battery"),
    ("electric-four", "a motor with a gear at each wheel, on one battery"),
    ("hybrid-parallel", "a motor behind the clutch, on the input of the gearbox"),
    ("hybrid-power-split", "engine, generator and motor on a planetary gear"),
];

/// What the vehicle of the ready-made driveline `name` is called.
pub fn title(name: &str) -> &'static str {
    match name {
        "rear" => "Rear-wheel drive",
        "front" => "Front-wheel drive",
        "all-planetary" => "All-wheel drive with a center differential",
        "all-on-demand" => "All-wheel drive on demand",
        "all-part-time" => "Part-time four-wheel drive",
        "h-drive" => "H-drive",
        "truck-6x4" => "6x4 truck",
        "truck-8x8" => "8x8 truck",
        "tank" => "Tank with a motor that steers",
        "electric" => "Electric car with one motor",
        "electric-two" => "Electric car with two motors",
        "electric-four" => "Electric car with four motors",
        "hybrid-parallel" => "Parallel hybrid",
        "hybrid-power-split" => "Power-split hybrid",
        _ => "Driveline",
    }
}

/// Start of the names of the channels of the energy account.
pub const ENERGY: &str = "energy: ";

/// Part of the limiter's speed at which the driver shifts up.
const SHIFT_POINT: Real = 0.85;

/// Pedal of the clutch on which the driver starts, and speed up to which it slips (m/s).
const START_PEDAL: Real = 0.4;
const START_SPEED: Real = 4.0;

/// Speed below which the driver takes the gear to start in (m/s).
const STANDING: Real = 1.0;

/// Speed above which the driver steers the less the faster it is, so that no bend is too tight
/// (m/s).
const BEND_SPEED: Real = 14.0;

/// Gears of a gearbox from which on the driver leaves out every other one, and starts in the
/// second.
const MANY_GEARS: usize = 8;

/// A vehicle on a driveline from blocks, and its driver, who shifts by hand where there is no
/// automatic gearbox.
pub struct DrivelineRide<C: DrivelineBlock + Clone> {
    /// The vehicle.
    pub vehicle: RapierVehicle<BlockDriveVehicleWith<BrushTire, C>>,
    shifting: Option<ManualShifting>,
}

/// How a gearbox is shifted by hand.
#[derive(Clone, Debug, PartialEq)]
struct ManualShifting {
    gearbox: String,
    /// Speed of its input above which the next gear is taken (rad/s).
    up: f64,
    first: i32,
    last: i32,
    step: i32,
    gear: i32,
}

impl ManualShifting {
    /// `None` where no gearbox is shifted by hand.
    fn of<C: DrivelineBlock + Clone>(tree: &BlockTree<C>) -> Option<Self> {
        let limit = tree.blocks.iter().find_map(|named| match &named.block {
            Block::Engine(engine) => engine.limiter.map(|limiter| limiter.speed),
            _ => None,
        })?;
        tree.blocks.iter().find_map(|named| {
            let Block::Gearbox(gearbox) = &named.block else { return None };
            let is_manual = matches!(gearbox.control, GearControl::Manual);
            let has_many = MANY_GEARS < gearbox.forward.len();
            let first = if has_many { 2 } else { 1 };
            is_manual.then(|| Self {
                gearbox: named.name.clone(),
                up: f64::from(SHIFT_POINT * limit),
                first,
                last: gearbox.forward.len() as i32,
                step: if has_many { 2 } else { 1 },
                gear: first,
            })
        })
    }

    /// Shifts up, lets the clutch slip at the start, and opens it while a gear changes and under
    /// the brake.
    fn shift<C: DrivelineBlock + Clone>(
        &mut self,
        vehicle: &BlockDriveVehicleWith<BrushTire, C>,
        speed: Real,
        controls: &mut Controls,
    ) -> Result<()> {
        let sensor = |name: &str| vehicle.sensor(&self.gearbox, name);
        let in_gear = sensor("shifting")? == 0.0 && sensor("gear")? == f64::from(self.gear);
        let has_to_shift = self.up < sensor("speed in")?;
        let is_braking = 0.0 < controls.commands.brakes[0];
        let is_accelerating = 0.0 < controls.commands.throttle;
        if speed < STANDING {
            self.gear = self.first;
        } else if in_gear && has_to_shift && is_accelerating {
            self.gear = (self.gear + self.step).min(self.last);
        }
        let is_changing =
            STANDING <= speed && (!in_gear || f64::from(self.gear) != sensor("gear")?);
        controls.levers.gear = self.gear;
        controls.levers.clutch = match () {
            () if is_braking || is_changing => 1.0,
            () if is_accelerating && self.gear == self.first && speed < START_SPEED => START_PEDAL,
            () => 0.0,
        };
        if is_changing {
            controls.commands.throttle = 0.0;
        }
        Ok(())
    }
}

impl<C> DrivelineRide<C>
where
    C: DrivelineBlock + Clone + Send + Sync + 'static,
{
    /// A vehicle in a world, which keeps account of the energy of its driveline from now on.
    pub fn new(mut vehicle: RapierVehicle<BlockDriveVehicleWith<BrushTire, C>>) -> Self {
        vehicle.vehicle.keep_energy_account(true);
        let shifting = ManualShifting::of(vehicle.vehicle.driveline().tree());
        Self { vehicle, shifting }
    }
}

impl<C> Driven for DrivelineRide<C>
where
    C: DrivelineBlock + Clone + Send + Sync + 'static,
{
    fn update(&mut self, controls: &Controls, world: &mut PhysicsWorld) -> Result<(), StepError> {
        let mut controls = *controls;
        let speed = self.vehicle.forward_speed();
        let share = (BEND_SPEED / speed.max(BEND_SPEED)).powi(2);
        controls.commands.steer *= share;
        if let Some(shifting) = &mut self.shifting {
            let shifted = shifting.shift(&self.vehicle.vehicle, speed, &mut controls);
            shifted.expect("the gearbox is a block of the tree");
        }
        self.vehicle.vehicle.take(&controls);
        self.vehicle.update(world)?;
        Ok(())
    }

    fn simulations_mut(&mut self) -> Vec<&mut SimulationParams> {
        self.vehicle.simulations_mut()
    }
}

/// Where energy goes, by name, and the number of an account.
type EnergyPart = (&'static str, fn(&EnergyAccount) -> f64);

/// What an account of energy names, in order: both sources first.
pub const ENERGY_PARTS: [EnergyPart; 11] = [
    ("engines", |account| account.sources - account.batteries),
    ("batteries", |account| account.batteries),
    ("kinetic", |account| account.kinetic),
    ("tires", |account| account.tires),
    ("brakes", |account| account.brakes),
    ("couplings", |account| account.couplings),
    ("converters", |account| account.converters),
    ("gears", |account| account.gears),
    ("damping", |account| account.damping),
    ("motors", |account| account.motors),
    ("step", |account| account.step),
];

/// Beside the vehicle's, the account of the energy.
impl<C> Recorded for DrivelineRide<C>
where
    C: DrivelineBlock + Clone + Send + Sync + 'static,
{
    fn channels(&self, wheels: &[&str]) -> Vec<Channel> {
        let energies = ENERGY_PARTS.map(|(name, _)| Channel::new(format!("{ENERGY}{name}"), "J"));
        self.vehicle.channels(wheels).into_iter().chain(energies).collect()
    }

    fn add_values(&self, world: &PhysicsWorld, row: &mut Vec<f64>) -> Result<()> {
        self.vehicle.add_values(world, row)?;
        let account = self.vehicle.vehicle.energy_account().context("no energy account")?;
        row.extend(ENERGY_PARTS.map(|(_, part)| part(account)));
        Ok(())
    }

    fn figures(&self, world: &PhysicsWorld) -> Vec<VehicleFigure> {
        self.vehicle.figures(world)
    }
}

/// Speed (rad/s) and torque (N·m) of every shaft of a tree, at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShaftFlows {
    /// When it was (s).
    pub time: f64,
    /// Of each shaft of the tree, in order.
    pub shafts: Vec<(f64, f64)>,
}

/// A recorded drive.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivelineRecord {
    /// All channels of all steps.
    pub telemetry: Telemetry,
    /// The step in which engines and motors do most work.
    pub full_power: ShaftFlows,
    /// Where the energy went until the end.
    pub energy: EnergyAccount,
}

/// Drives to the end of the schedule and records it, with these names of the wheels, by number;
/// calls `after_step` after every step.
///
/// # Errors
///
/// The error of a step, with its number; if the number of wheels differs.
pub fn record<C>(
    scene: Scene<DrivelineRide<C>>,
    wheels: &[&str],
    mut after_step: impl FnMut(),
) -> Result<DrivelineRecord>
where
    C: DrivelineBlock + Clone + Send + Sync + 'static,
{
    let mut recorder = Recorder::new(&scene.driven, wheels)?;
    let (mut full_power, mut most_work) = (ShaftFlows::default(), f64::NEG_INFINITY);
    let mut energy = EnergyAccount::default();
    scene.drive(|world, ride| {
        recorder.record(world, ride)?;
        let vehicle = &ride.vehicle.vehicle;
        let account = *vehicle.energy_account().context("no energy account")?;
        let work = account.sources - energy.sources;
        if most_work < work {
            let time = recorder.telemetry.time().last().copied().unwrap_or_default();
            (full_power, most_work) = (ShaftFlows { time, shafts: flows(vehicle) }, work);
        }
        energy = account;
        after_step();
        Ok(())
    })?;
    Ok(DrivelineRecord { telemetry: recorder.telemetry, full_power, energy })
}

fn flows<C: DrivelineBlock + Clone>(
    vehicle: &BlockDriveVehicleWith<BrushTire, C>,
) -> Vec<(f64, f64)> {
    let (driveline, report) = (vehicle.driveline(), vehicle.solve_report());
    (0..driveline.tree().shafts.len())
        .filter_map(|shaft| driveline.shaft_flow(&vehicle.state.drive, report, shaft))
        .collect()
}

/// What carries a ready-made driveline, and the height of its center of mass at rest (m).
///
/// # Errors
///
/// None with the data as they are.
pub fn mechanics_for(name: &str) -> Result<(MechanicalParams, Real), ParamErrors> {
    let rig = match name {
        "truck-6x4" => Rig::truck(18_000.0, &[2.9, -1.4, -2.7]),
        "truck-8x8" => Rig::truck(24_000.0, &[3.0, 1.6, -1.4, -2.8]),
        "tank" => Rig::tank(),
        _ => {
            let car = CarBlueprint::default();
            return Ok((car.mechanics()?, car.center_of_mass_height));
        }
    };
    Ok((rig.mechanics()?, rig.center_of_mass_height))
}

/// Names of the wheels of what carries a ready-made driveline, by number.
pub fn wheel_names(name: &str) -> Vec<String> {
    let of_axles = |axles: usize| {
        let sides = |axle| ["right", "left"].map(|side| format!("axle {axle} {side}"));
        (1..=axles).flat_map(sides).collect()
    };
    match name {
        "truck-6x4" => of_axles(3),
        "truck-8x8" => of_axles(4),
        "tank" => {
            let pair = |pair| ["right", "left"].map(|side| format!("{side} {pair}"));
            (1..=4).flat_map(pair).collect()
        }
        _ => CAR_WHEELS.map(str::to_owned).into(),
    }
}

/// A vehicle with this driveline in a level world, its schedule that of [`phases`].
///
/// # Errors
///
/// All faults of the driveline.
pub fn scene<C>(
    (mechanics, height): (MechanicalParams, Real),
    tree: BlockTree<C>,
    configure: impl FnOnce(
        ComponentSequence<BlockDriveVehicleWith<BrushTire, C>>,
        &BlockDriveline<C>,
    ) -> Result<ComponentSequence<BlockDriveVehicleWith<BrushTire, C>>>,
) -> Result<Scene<DrivelineRide<C>>>
where
    C: DrivelineBlock + Clone + Send + Sync + 'static,
{
    let mut world = level_world(ENGINE_DRIVE_DT, 1.0);
    let hull = ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.3);
    let pose = Pose::from_translation(Vector::Y * height);
    let chassis = Chassis::new(&mechanics.rigid_body).pose(pose).collider(hull);
    let vehicle = BlockDriveVehicleWith::new(BlockDriveParams::new(mechanics, tree))?;
    let sequence = configure(BlockDriveVehicleWith::sequence(), vehicle.driveline())?;
    let vehicle = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    let schedule = Schedule::new(phases(), ENGINE_DRIVE_DT);
    Ok(Scene { world, driven: DrivelineRide::new(vehicle), schedule })
}

/// A vehicle with the ready-made driveline of this name drives off, up through its gears and
/// through a bend, brakes, and stands.
///
/// # Errors
///
/// If there is no driveline of this name.
pub fn ready_made_scene(name: &str) -> Result<Scene<DrivelineRide<NoCustomBlock>>> {
    let (_, build) = ready_made::ALL
        .iter()
        .find(|(each, _)| *each == name)
        .with_context(|| format!("no driveline is named `{name}`"))?;
    scene(mechanics_for(name)?, build()?, |sequence, _| Ok(sequence))
}

/// What the driver of a driveline does.
pub fn phases() -> [Phase; 5] {
    let forward = |duration| Phase::lasting(duration).levers(DrivelineCommands::forward());
    [
        forward(1.0).brake(1.0),
        forward(10.0).throttle(0.8),
        forward(4.0).throttle(0.2).steer(0.1),
        forward(11.0).brake(0.35),
        Phase::lasting(1.0).brake(1.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_driveline_has_a_title() {
        for (name, _) in DESCRIPTIONS {
            assert_ne!(title(name), "Driveline", "{name}");
        }
    }
}
