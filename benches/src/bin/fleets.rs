//! Measures fleets of up to 100,000 cars and what threads do for them, and prints Markdown tables.
//!
//! What is compared takes turns, so that all see the same machine; a ratio is the median of those
//! of all rounds.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Context;
use vehicle_benches::{
    ControllerFleet, PartTimes, RapierFleet, ThreadedFleet, Timed, Turns, median, time,
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

/// Numbers of cars that threads share.
const THREADED_SIZES: [usize; 2] = [1_000, 10_000];

/// Steps of the smallest of these fleets in a round; larger ones drive as many fewer as they are
/// larger.
const STEPS_OF_THREADS: usize = 20;

const ROUNDS_OF_THREADS: usize = 21;

/// Rounds of arithmetic of which it is known how long they take.
const ARITHMETIC_ROUNDS: u32 = 100_000;

fn main() -> anyhow::Result<()> {
    compare_ways()?;
    compare_threads()?;
    compare_sizes()?;
    if let Ok(load) = std::fs::read_to_string("/proc/loadavg") {
        println!("\nLoad of the machine at the end (1, 5, 15 minutes): {}", load.trim());
    }
    Ok(())
}

/// A plain loop and a fleet with one thread.
fn compare_ways() -> anyhow::Result<()> {
    let mut unit = ControllerFleet::new(FLEET_SIZE)?;
    let mut plain =
        RapierFleet::<DirectDriveVehicle>::new(FLEET_SIZE, SUBSTEPS)?.in_turns(Turns::OneByOne);
    let mut one = ThreadedFleet::new(FLEET_SIZE, SUBSTEPS, 1)?;
    let (mut units, mut loops, mut ones) = (vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let count = (STEPS * FLEET_SIZE) as f64;
        units.push(time(&mut unit, Timed::Update, STEPS as u64)?.as_secs_f64() / count);
        loops.push(time(&mut plain, Timed::Update, STEPS as u64)?.as_secs_f64() / count);
        ones.push(one.time(STEPS)?);
    }
    let ratio = |times: &[PartTimes], part: fn(&PartTimes) -> f64, units: &[f64]| {
        median(times.iter().zip(units).map(|(times, unit)| part(times) / unit).collect())
    };
    let sums: Vec<f64> = ones.iter().map(PartTimes::sum).collect();
    println!("| {FLEET_SIZE} cars, {SUBSTEPS} substeps | ratio |");
    println!("|---|---:|");
    let share = |part| ratio(&ones, part, &units);
    println!("| begin, to Rapier's own vehicle | {:.3} |", share(|times| times.begin)?);
    println!("| end, to Rapier's own vehicle | {:.3} |", share(|times| times.end)?);
    println!("| begin and end, to Rapier's own vehicle | {:.3} |", share(PartTimes::serial)?);
    println!("| begin and end, to the update | {:.3} |", ratio(&ones, PartTimes::serial, &sums)?);
    println!("| one thread, to a plain loop | {:.3} |", ratio(&ones, PartTimes::sum, &loops)?);
    println!(
        "\nRapier's own vehicle: {:.2} µs, a plain loop: {:.2} µs per vehicle and step.\n",
        1e6 * median(units)?,
        1e6 * median(loops)?
    );
    Ok(())
}

/// One thread and two, beside what two threads gain at arithmetic that is forked in the same way.
fn compare_threads() -> anyhow::Result<()> {
    println!("| cars, one thread to two | update | its parallel part | arithmetic as long |");
    println!("|---:|---:|---:|---:|");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    for size in THREADED_SIZES {
        let mut one = ThreadedFleet::new(size, SUBSTEPS, 1)?;
        let mut two = ThreadedFleet::new(size, SUBSTEPS, 2)?;
        let steps = STEPS_OF_THREADS * THREADED_SIZES[0] / size;
        let (mut updates, mut parts, mut forks) = (vec![], vec![], vec![]);
        for _ in 0..ROUNDS_OF_THREADS {
            let (alone, shared) = (one.time(steps)?, two.time(steps)?);
            updates.push(alone.sum() / shared.sum());
            parts.push(alone.advance / shared.advance);
            forks.push(pool.install(|| fork_speedup(alone.advance * size as f64, steps)));
        }
        let (update, part, fork) = (median(updates)?, median(parts)?, median(forks)?);
        println!("| {size} | {update:.2} | {part:.2} | {fork:.2} |");
    }
    println!();
    Ok(())
}

/// How much faster two threads are at arithmetic that takes one of them about `seconds`: what the
/// machine has to give. Before, one has done as much alone while the other one slept, as it does
/// while a world steps.
fn fork_speedup(seconds: f64, steps: usize) -> f64 {
    let rounds =
        (ARITHMETIC_ROUNDS as f64 * seconds / timed(|| arithmetic(ARITHMETIC_ROUNDS))) as u32;
    let (mut alone, mut forked) = (0.0, 0.0);
    for _ in 0..steps {
        alone += timed(|| arithmetic(rounds));
        forked += timed(|| rayon::join(|| arithmetic(rounds / 2), || arithmetic(rounds / 2)));
    }
    alone / forked
}

/// Seconds that `work` takes.
fn timed<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64()
}

/// Sums and products of numbers that stay in registers.
#[inline(never)]
fn arithmetic(rounds: u32) -> f32 {
    let mut numbers = black_box([1.0_f32; 32]);
    for _ in 0..rounds {
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
