//! Drives one fleet of a preset, for counting instructions:
//!
//! ```sh
//! valgrind --tool=callgrind --collect-atstart=no --toggle-collect='*update_fleet*' \
//!   target/release/one_fleet --preset hot_hatch --errand driving
//! ```
//!
//! The program prints by how many updates the count is to be divided.

use anyhow::ensure;
use clap::Parser;
use vehicle_benches::{Errand, Fleet, RapierFleet, aided_fleet, aids_named};

/// Drives one fleet of a preset, made of its file and with all of its settings.
#[derive(Clone, Debug, Parser)]
struct Arguments {
    /// The preset.
    #[arg(long, default_value = "hot_hatch")]
    preset: String,
    /// Whether its cars drive, are parked, or sleep.
    #[arg(long, default_value = "driving")]
    errand: Errand,
    /// Driver aids of cars that drive, in the place of those of their file: none, all, or one by
    /// its name.
    #[arg(long)]
    aids: Option<String>,
    /// Vehicles of the fleet.
    #[arg(long, default_value_t = 16)]
    vehicles: usize,
    /// Steps, once the fleet has settled.
    #[arg(long, default_value_t = 60)]
    steps: usize,
}

fn main() -> anyhow::Result<()> {
    let Arguments { preset, errand, aids, vehicles, steps } = Arguments::parse();
    ensure!(0 < vehicles, "--vehicles must be at least 1, got 0");
    let mut fleet = match aids {
        Some(name) => {
            ensure!(errand == Errand::Driving, "--aids are for --errand driving, got {errand:?}");
            let mut fleet = aided_fleet(&preset, aids_named(&name)?, vehicles)?;
            fleet.restore();
            fleet
        }
        None => RapierFleet::preset(&preset, vehicles, errand)?,
    };
    for _ in 0..steps {
        update_fleet(&mut fleet)?;
        fleet.step_world();
    }
    println!("{preset}, {errand:?}: {} updates", vehicles * steps);
    Ok(())
}

/// Updates the fleet; a function of its own, whose instructions can be counted.
#[inline(never)]
fn update_fleet(fleet: &mut impl Fleet) -> anyhow::Result<()> {
    fleet.update()
}
