//! Measures what each tire model costs, beside the default, and prints a Markdown table: its forces
//! and moments by wheel, and a step of a car on it.
//!
//! Models take turns, so that all see the same machine; a number is the median of those of all
//! rounds.

use vehicle_benches::{
    Asked, Fleet, OfEachModel, Timed, median, of_each_model, time, time_per_wheel, tire_fleet,
};
use vehicle_rapier::core::tire::TireModel;
use vehicle_rapier::core::tire::models::AnyTire;

const FLEET_SIZE: usize = 1_000;
const SUBSTEPS: u32 = 3;
const ROUNDS: usize = 31;
/// Steps of a fleet before the next one's turn.
const STEPS: u64 = 20;
/// How often a wheel's forces are computed before the next model's turn.
const REPETITIONS: u32 = 10_000;
const WAYS: [Asked; 3] = [Asked::InLanes, Asked::Alone, Asked::AsAny];

fn main() -> anyhow::Result<()> {
    let mut entries = of_each_model(&mut Entries)?;
    for _ in 0..ROUNDS {
        for entry in &mut entries {
            entry.measure()?;
        }
    }
    println!("| model | ns per wheel, in lanes | alone | car, in lanes | alone | as any model |");
    println!("|---|---:|---:|---:|---:|---:|");
    let unit = entries[0].cars[0].1.clone();
    for entry in entries {
        let [lanes, alone] = entry.wheels;
        let lanes =
            if lanes.is_empty() { "-".to_owned() } else { format!("{:.0}", median(lanes)?) };
        print!("| {} | {lanes} | {:.0} |", entry.name, median(alone)?);
        for (_, times) in entry.cars {
            let ratios = times.iter().zip(&unit).map(|(time, unit)| time / unit).collect();
            print!(" {:.2} |", median(ratios)?);
        }
        println!();
    }
    println!(
        "\nCars: updates of {FLEET_SIZE} in a Rapier world with rays and {SUBSTEPS} substeps; 1.00 is {:.2} µs \
         per car and step.",
        median(unit)? * 1e6
    );
    Ok(())
}

/// A model and its measurements.
struct Entry {
    name: &'static str,
    /// Times per wheel of each round, in lanes and alone (ns).
    wheels: [Vec<f64>; 2],
    per_wheel: Box<dyn Fn() -> [Option<f64>; 2]>,
    /// Fleets, and their times per car and step of each round (s).
    cars: Vec<(Box<dyn Fleet>, Vec<f64>)>,
}

impl Entry {
    fn measure(&mut self) -> anyhow::Result<()> {
        for (times, time) in self.wheels.iter_mut().zip((self.per_wheel)()) {
            times.extend(time);
        }
        for (fleet, times) in &mut self.cars {
            let elapsed = time(fleet.as_mut(), Timed::Update, STEPS)?.as_secs_f64();
            times.push(elapsed / (STEPS as f64 * FLEET_SIZE as f64));
        }
        Ok(())
    }
}

struct Entries;

impl OfEachModel for Entries {
    type Answer = Entry;

    fn with<M: TireModel>(&mut self, name: &'static str, tire: &M) -> anyhow::Result<Entry>
    where
        AnyTire: From<M>,
    {
        let cars =
            WAYS.map(|asked| Ok((tire_fleet(tire, asked, FLEET_SIZE, SUBSTEPS)?, Vec::new())));
        let tire = tire.clone();
        Ok(Entry {
            name,
            wheels: Default::default(),
            per_wheel: Box::new(move || time_per_wheel(&tire, REPETITIONS)),
            cars: cars.into_iter().collect::<anyhow::Result<_>>()?,
        })
    }
}
