//! Rides on wheels with mass, as the program `ride` records them.

use anyhow::{Result, anyhow};
use snippets::ride::{RideCar, Shaken, ShakerRig};
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::diagnosis::modes::QuarterCar;

/// A car whose wheels are shaken together is four quarters of a car, but for the little that it
/// pitches.
#[test]
fn shaken_car_swings_as_a_quarter_of_it_does() -> Result<()> {
    for car in RideCar::all()? {
        let mechanics = car.mechanics()?;
        let quarter = QuarterCar::of(&mechanics, 0, GRAVITY).ok_or_else(|| anyhow!("a wheel"))?;
        let rig = ShakerRig { mechanics, shaken: Shaken::All, rate: 240.0, substeps: 3 };
        for frequency in [0.8, 1.5, 3.0, 6.0, 10.0, 14.0] {
            let found = rig.transmitted(frequency).map_err(|error| anyhow!("{error}"))?;
            let [body, wheel] = quarter.transmitted(frequency);
            let what =
                format!("{} at {frequency} Hz: {found:?}, exactly {body}, {wheel}", car.name);
            assert!((found.body - body).abs() < 0.05 + 0.1 * body, "{what}");
            assert!((found.wheel - wheel).abs() < 0.05 + 0.1 * wheel, "{what}");
        }
    }
    Ok(())
}
