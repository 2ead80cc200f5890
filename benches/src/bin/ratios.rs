//! Measures a step of every vehicle side by side, and prints a Markdown table of ratios to Rapier's
//! own vehicle.
//!
//! The fleets take turns, so that all see the same machine; a ratio is the median of those of all
//! rounds. Two more tables are of driver aids, by cars without any, and of drivers and drivelines
//! alone.

use std::time::{Duration, Instant};

use anyhow::Context;
use clap::{Parser, ValueEnum};
use indicatif::ProgressIterator;
use rapier3d::prelude::Vector;
use snippets::rigs::Rig;
use vehicle_benches::{
    AIDED_PRESET, CONTROLLER, ControllerFleet, DT, DrivelineFleet, Errand, FlatRoadFleet, Fleet,
    PathDrivers, RapierFleet, SUBSTEPS, SampleVehicle, Timed, Turns, aided_fleet, each_aid,
    flat_road_name, median, rapier_world_name, standing_name, time, tree_of,
};
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::drivetrain::aids::AidsParams;
use vehicle_rapier::drivetrain::blocks::{DrivelineCommands, ready_made};
use vehicle_rapier::drivetrain::{
    BlockDriveParams, BlockDriveVehicle, DirectDriveVehicle, EngineDriveVehicle,
};
use vehicle_rapier::vehicle_file::Preset;

/// Rounds in which presets are measured, too: there are many.
const PRESET_ROUNDS: u32 = 9;
const MOST_SUBSTEPS: u32 = SUBSTEPS[SUBSTEPS.len() - 1];
/// Steps of a fleet before the next one's turn.
const STEPS: u64 = 20;

/// Measures a step of every vehicle side by side, and prints Markdown tables.
#[derive(Parser)]
struct Options {
    /// Vehicles of a fleet.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    vehicles: u32,
    /// How often each fleet has its turn; those of presets at most 9 times.
    #[arg(long, default_value_t = 31, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rounds: u32,
    /// The only table that is measured.
    #[arg(long, value_enum)]
    only: Option<Table>,
}

impl Options {
    fn vehicles(&self) -> usize {
        self.vehicles as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Table {
    Vehicles,
    Aids,
    Drivers,
    Drivelines,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let is_asked = |table: Table| options.only.is_none_or(|only| only == table);
    if is_asked(Table::Vehicles) {
        print_vehicles(&options)?;
    }
    if is_asked(Table::Aids) {
        print_aids(&options)?;
    }
    if is_asked(Table::Drivers) {
        print_drivers(&options)?;
    }
    if is_asked(Table::Drivelines) {
        print_drivelines(&options)?;
    }
    Ok(())
}

fn print_vehicles(options: &Options) -> anyhow::Result<()> {
    let mut entries = entries(options.vehicles())?;
    let own = entries.len();
    entries.extend(presets(options.vehicles())?);
    for round in (0..options.rounds).progress() {
        let measured = if round < PRESET_ROUNDS { entries.len() } else { own };
        for entry in &mut entries[..measured] {
            entry.measure()?;
        }
    }
    print(&entries, options)
}

/// Measures cars with driver aids, and prints what an update costs by that of one without.
fn print_aids(options: &Options) -> anyhow::Result<()> {
    let timed = [Timed::Update];
    let mut entries = Vec::new();
    for (name, aids) in [("none", AidsParams::default())].into_iter().chain(each_aid()) {
        let fleet = aided_fleet(AIDED_PRESET, aids, options.vehicles())?;
        entries.push(Entry::new(name, fleet, &timed));
    }
    for _ in (0..options.rounds).progress() {
        for entry in &mut entries {
            entry.measure()?;
        }
    }
    println!("\n| aids of {AIDED_PRESET} | update | µs |\n|---|---:|---:|");
    for entry in &entries {
        let ratio = entry.ratio(&entries[0], Timed::Update)?;
        println!("| {} | {ratio} | {:.2} |", entry.name, entry.median(Timed::Update)?);
    }
    Ok(())
}

/// Measures drivers alone, and prints what each takes.
fn print_drivers(options: &Options) -> anyhow::Result<()> {
    let mut drivers = PathDrivers::new(options.vehicles())?;
    let mut times = Vec::new();
    for _ in (0..options.rounds).progress() {
        let time = drivers.time(STEPS, DT)?;
        times.push(time.as_secs_f64() / (STEPS as f64 * f64::from(options.vehicles)));
    }
    println!("\n| driver | µs per vehicle and step |\n|---|---:|");
    println!("| on a path, {AIDED_PRESET} | {:.2} |", median(times)? * 1e6);
    Ok(())
}

/// Ready-made drivelines that are measured alone.
const READY_MADE: [&str; 6] =
    ["rear", "front", "electric-four", "hybrid-power-split", "tank", "truck-8x8"];

/// Numbers of blocks of trees that are measured alone.
const TREES: [usize; 4] = [10, 20, 40, 80];

/// Measures drivelines alone, and prints what a step of each costs.
fn print_drivelines(options: &Options) -> anyhow::Result<()> {
    let mut fleets = Vec::new();
    for name in READY_MADE {
        let (_, build) = ready_made::ALL.iter().find(|(each, _)| *each == name).context(name)?;
        fleets.push((
            name.to_owned(),
            DrivelineFleet::new(build()?, options.vehicles())?,
            Vec::new(),
        ));
    }
    for blocks in TREES {
        let fleet = DrivelineFleet::new(tree_of(blocks)?, options.vehicles())?;
        fleets.push((format!("a tree of {blocks} blocks"), fleet, Vec::new()));
    }
    for _ in (0..options.rounds).progress() {
        for (_, fleet, times) in &mut fleets {
            fleet.restore();
            let start = Instant::now();
            for _ in 0..STEPS {
                fleet.step()?;
            }
            times
                .push(start.elapsed().as_secs_f64() / (STEPS as f64 * f64::from(options.vehicles)));
        }
    }
    println!("\n| driveline alone | blocks | elements | passes | µs per step | µs per block |");
    println!("|---|---:|---:|---:|---:|---:|");
    for (name, fleet, times) in fleets {
        let (blocks, time) = (fleet.blocks(), median(times)? * 1e6);
        let (elements, passes) = (fleet.elements(), fleet.passes());
        let per_block = time / blocks as f64;
        println!("| {name} | {blocks} | {elements} | {passes} | {time:.2} | {per_block:.3} |");
    }
    Ok(())
}

/// A fleet and its measurements.
struct Entry {
    name: String,
    fleet: Box<dyn Fleet>,
    /// Times of each round, by what the clock saw.
    times: Vec<(Timed, Vec<f64>)>,
}

impl Entry {
    fn new(name: &str, fleet: impl Fleet + 'static, timed: &[Timed]) -> Self {
        let times = timed.iter().map(|&timed| (timed, Vec::new())).collect();
        Self { name: name.to_owned(), fleet: Box::new(fleet), times }
    }

    fn measure(&mut self) -> anyhow::Result<()> {
        let vehicles = self.fleet.vehicles() as f64;
        for (timed, times) in &mut self.times {
            let elapsed: Duration = time(self.fleet.as_mut(), *timed, STEPS)?;
            times.push(elapsed.as_secs_f64() / (STEPS as f64 * vehicles));
        }
        Ok(())
    }

    /// Median of its times (µs).
    fn median(&self, timed: Timed) -> anyhow::Result<f64> {
        Ok(median(self.times(timed).unwrap_or_default().to_vec())? * 1e6)
    }

    fn times(&self, timed: Timed) -> Option<&[f64]> {
        self.times.iter().find(|(of, _)| *of == timed).map(|(_, times)| times.as_slice())
    }

    /// Its time as a multiple of that of `unit`, `-` if it was not measured.
    fn ratio(&self, unit: &Self, timed: Timed) -> anyhow::Result<String> {
        let Some((times, units)) = self.times(timed).zip(unit.times(timed)) else {
            return Ok("-".to_owned());
        };
        let ratios = times.iter().zip(units).map(|(time, unit)| time / unit).collect();
        Ok(format!("{:.2}", median(ratios)?))
    }
}

fn entries(count: usize) -> anyhow::Result<Vec<Entry>> {
    let mut entries = vec![Entry::new(CONTROLLER, ControllerFleet::new(count)?, &Timed::ALL)];
    for substeps in SUBSTEPS {
        entries.push(in_world::<DirectDriveVehicle>(count, substeps)?);
    }
    for substeps in SUBSTEPS {
        entries.push(in_world::<EngineDriveVehicle>(count, substeps)?);
    }
    for substeps in SUBSTEPS {
        entries.push(in_world::<BlockDriveVehicle>(count, substeps)?);
    }
    for errand in [Errand::Parked, Errand::Sleeping] {
        entries.push(standing::<DirectDriveVehicle>(count, errand)?);
        entries.push(standing::<EngineDriveVehicle>(count, errand)?);
    }
    entries.extend(one_by_one::<DirectDriveVehicle>(count)?);
    entries.extend(one_by_one::<EngineDriveVehicle>(count)?);
    for substeps in SUBSTEPS {
        entries.push(on_plane::<DirectDriveVehicle>(count, substeps)?);
    }
    for substeps in SUBSTEPS {
        entries.push(on_plane::<EngineDriveVehicle>(count, substeps)?);
    }
    for substeps in SUBSTEPS {
        entries.push(on_plane::<BlockDriveVehicle>(count, substeps)?);
    }
    for substeps in SUBSTEPS {
        entries.push(truck_on_plane(count, substeps)?);
    }
    Ok(entries)
}

/// Vehicles from files: as they drive and as they are parked, in a fleet and one by one.
fn presets(count: usize) -> anyhow::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for preset in Preset::ALL.iter().filter(|preset| preset.is_driven()) {
        for errand in [Errand::Driving, Errand::Parked] {
            for (turns, how) in [(Turns::SideBySide, "in a fleet"), (Turns::OneByOne, "one by one")]
            {
                let fleet = RapierFleet::preset(preset.name, count, errand)?.in_turns(turns);
                let name = format!("{}, {errand:?}, {how}", preset.name);
                entries.push(Entry::new(&name, fleet, &[Timed::Update]));
            }
        }
    }
    Ok(entries)
}

/// An 8x8 truck with its driveline from blocks.
fn truck_on_plane(count: usize, substeps: u32) -> anyhow::Result<Entry> {
    let rig = Rig::truck(24_000.0, &[3.0, 1.6, -1.4, -2.8]);
    let params = BlockDriveParams::new(rig.mechanics()?, ready_made::truck_8x8()?);
    let mut truck = BlockDriveVehicle::new(params)?;
    truck.controls = DrivelineCommands { gear: 9, ..DrivelineCommands::default() };
    truck.commands.throttle = 0.5;
    truck.commands.steer = 0.1;
    let speed = 10.0 / rig.wheel.radius;
    truck.state.mechanics.wheels.edit_all(|wheel| wheel.rotation_speed = speed);
    let height = Vector::Y * rig.center_of_mass_height;
    let sequence = BlockDriveVehicle::sequence_with_substeps(move |_| substeps);
    let fleet = FlatRoadFleet::at_height(&truck, height, sequence, count)?;
    let name = format!("8x8 truck from blocks, flat road, substeps {substeps}");
    Ok(Entry::new(&name, fleet, &[Timed::Update]))
}

fn in_world<V: SampleVehicle>(count: usize, substeps: u32) -> anyhow::Result<Entry> {
    let fleet = RapierFleet::<V>::new(count, substeps)?;
    Ok(Entry::new(&rapier_world_name::<V>(substeps), fleet, &Timed::ALL))
}

fn standing<V: SampleVehicle>(count: usize, errand: Errand) -> anyhow::Result<Entry> {
    let fleet = RapierFleet::<V>::with(count, MOST_SUBSTEPS, errand, RowExecution::Local)?;
    Ok(Entry::new(&standing_name::<V>(errand), fleet, &Timed::ALL))
}

/// Vehicles that are no [`Fleet`](vehicle_rapier::Fleet): some that drive, and some that stand.
fn one_by_one<V: SampleVehicle>(count: usize) -> anyhow::Result<[Entry; 2]> {
    let driving = rapier_world_name::<V>(MOST_SUBSTEPS);
    let parked = standing_name::<V>(Errand::Parked);
    let entry = |errand, name| -> anyhow::Result<Entry> {
        let fleet = RapierFleet::<V>::with(count, MOST_SUBSTEPS, errand, RowExecution::Local)?;
        let name = format!("{name}, one by one");
        Ok(Entry::new(&name, fleet.in_turns(Turns::OneByOne), &Timed::ALL))
    };
    Ok([entry(Errand::Driving, driving)?, entry(Errand::Parked, parked)?])
}

fn on_plane<V: SampleVehicle>(count: usize, substeps: u32) -> anyhow::Result<Entry> {
    let fleet = FlatRoadFleet::<V>::new(count, substeps)?;
    Ok(Entry::new(&flat_road_name::<V>(substeps), fleet, &[Timed::Update]))
}

fn print(entries: &[Entry], &Options { vehicles, rounds, .. }: &Options) -> anyhow::Result<()> {
    let unit = entries.first().context("a vehicle to compare with")?;
    println!("| vehicle | {} | µs | {} |", Timed::Update.name(), Timed::UpdateAndWorldStep.name());
    println!("|---|---:|---:|---:|");
    for entry in entries {
        let [update, step] = Timed::ALL.map(|timed| entry.ratio(unit, timed));
        let time = entry.median(Timed::Update)?;
        println!("| {} | {} | {time:.2} | {} |", entry.name, update?, step?);
    }
    println!();
    let units = Timed::ALL.map(|timed| median(unit.times(timed).unwrap_or_default().to_vec()));
    let [update, step] = units;
    println!(
        "Medians of {rounds} rounds, of presets of {}, of {STEPS} steps of {vehicles} vehicles. 1.00 \
         is {:.2} µs per vehicle and step for the update, {:.2} µs with the world's step.",
        rounds.min(PRESET_ROUNDS),
        update? * 1e6,
        step? * 1e6
    );
    Ok(())
}
