//! Measures fleets of up to 100,000 cars and what threads do for them, and prints Markdown tables.
//!
//! What is compared takes turns, so that all see the same machine; a ratio is the median of those of
//! all rounds.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Context;
use vehicle_benches::{
    ControllerFleet, PartTimes, RapierFleet, ThreadedFleet, Timed, median, time,
};
use vehicle_rapier::drivetrain::DirectDriveVehicle;

/// Numbers of cars, the unit first.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Steps of the largest fleet in a round; smaller ones drive as many more as they are smaller.
const STEPS_OF_LARGEST: usize = 1;

const ROUNDS_OF_SIZES: usize = 9;

/// Number of cars where ways to update them are compared.
const FLEET_SIZE: usize = 1_000;
const STEPS: usize = 20;
const ROUNDS: usize = 41;

const SUBSTEPS: u32 = 3;

/// Rounds of the arithmetic that threads are compared by.
const ARITHMETIC_ROUNDS: u32 = 10_000_000;

fn main() -> anyhow::Result<()> {
    compare_ways()?;
    compare_sizes()?;
    if let Ok(load) = std::fs::read_to_string("/proc/loadavg") {
        println!("\nLoad of the machine at the end (1, 5, 15 minutes): {}", load.trim());
    }
    Ok(())
}

/// A plain loop, one thread and two.
fn compare_ways() -> anyhow::Result<()> {
    let mut unit = ControllerFleet::new(FLEET_SIZE)?;
    let mut plain = RapierFleet::<DirectDriveVehicle>::new(FLEET_SIZE, SUBSTEPS)?;
    let mut one = ThreadedFleet::new(FLEET_SIZE, SUBSTEPS, 1)?;
    let mut two = ThreadedFleet::new(FLEET_SIZE, SUBSTEPS, 2)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    let (mut units, mut loops, mut ones, mut twos) = (vec![], vec![], vec![], vec![]);
    let mut cores = vec![];
    for _ in 0..ROUNDS {
        let count = (STEPS * FLEET_SIZE) as f64;
        units.push(time(&mut unit, Timed::Update, STEPS as u64)?.as_secs_f64() / count);
        loops.push(time(&mut plain, Timed::Update, STEPS as u64)?.as_secs_f64() / count);
        ones.push(one.time(STEPS)?);
        twos.push(two.time(STEPS)?);
        cores.push(arithmetic_speedup(&pool));
    }
    let ratio = |times: &[PartTimes], part: fn(&PartTimes) -> f64, units: &[f64]| {
        median(times.iter().zip(units).map(|(times, unit)| part(times) / unit).collect())
    };
    let sums: Vec<f64> = ones.iter().map(PartTimes::sum).collect();
    let advances: Vec<f64> = ones.iter().map(|times| times.advance).collect();
    println!("| {FLEET_SIZE} cars, {SUBSTEPS} substeps | ratio |");
    println!("|---|---:|");
    let share = |part| ratio(&ones, part, &units);
    println!("| begin, to Rapier's own vehicle | {:.3} |", share(|times| times.begin)?);
    println!("| end, to Rapier's own vehicle | {:.3} |", share(|times| times.end)?);
    println!("| begin and end, to Rapier's own vehicle | {:.3} |", share(PartTimes::serial)?);
    println!("| begin and end, to the update | {:.3} |", ratio(&ones, PartTimes::serial, &sums)?);
    println!("| one thread, to a plain loop | {:.3} |", ratio(&ones, PartTimes::sum, &loops)?);
    let two_by_one = ratio(&twos, PartTimes::sum, &sums)?;
    println!("| update, one thread to two | {:.2} |", 1.0 / two_by_one);
    let two_by_one = ratio(&twos, |times| times.advance, &advances)?;
    println!("| its parallel part, one thread to two | {:.2} |", 1.0 / two_by_one);
    println!("| arithmetic in registers, one thread to two | {:.2} |", median(cores)?);
    println!(
        "\nRapier's own vehicle: {:.2} µs, a plain loop: {:.2} µs per vehicle and step.\n",
        1e6 * median(units)?,
        1e6 * median(loops)?
    );
    Ok(())
}

/// How much faster two threads of `pool` are than one at what needs nothing but a core each: what the
/// machine has to give.
fn arithmetic_speedup(pool: &rayon::ThreadPool) -> f64 {
    let alone = pool.install(|| timed(arithmetic));
    let both = pool.install(|| timed(|| rayon::join(arithmetic, arithmetic)));
    2.0 * alone / both
}

/// Seconds that `work` takes.
fn timed<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64()
}

/// Sums and products of numbers that stay in registers, for about as long as a round of a fleet takes.
#[inline(never)]
fn arithmetic() -> f32 {
    let mut numbers = black_box([1.0_f32; 32]);
    for _ in 0..ARITHMETIC_ROUNDS {
        for number in &mut numbers {
            *number = *number * 0.999 + 0.001;
        }
    }
    black_box(numbers).iter().sum()
}

/// Cost per vehicle by the number of vehicles.
fn compare_sizes() -> anyhow::Result<()> {
    let mut fleets = Vec::new();
    for size in SIZES {
        fleets.push((size, ThreadedFleet::new(size, SUBSTEPS, 1)?, Vec::new()));
    }
    for _ in 0..ROUNDS_OF_SIZES {
        for (size, fleet, times) in &mut fleets {
            let largest = SIZES.into_iter().max().context("a size")?;
            times.push(fleet.time(STEPS_OF_LARGEST * largest / *size)?);
        }
    }
    println!("| cars, one thread | update per vehicle | begin and end per vehicle |");
    println!("|---:|---:|---:|");
    let (_, _, units) = fleets.first().context("a size")?;
    for (size, _, times) in &fleets {
        let ratio = |part: fn(&PartTimes) -> f64| {
            median(times.iter().zip(units).map(|(time, unit)| part(time) / part(unit)).collect())
        };
        let (update, serial) = (ratio(PartTimes::sum)?, ratio(PartTimes::serial)?);
        println!("| {size} | {update:.2} | {serial:.2} |");
    }
    Ok(())
}
