//! The truck on soft ground.

use anyhow::Result;
use snippets::soft_ground::{Outcome, Pass, record};

#[test]
fn a_truck_digs_in_and_gets_through_with_less_pressure_and_easier_in_its_own_rut() -> Result<()> {
    let passes = record(|| ())?;
    let of = |pass| Outcome::of(&passes.telemetry, pass);
    let [road, low, second] = [of(Pass::Road)?, of(Pass::Low)?, of(Pass::Second)?];
    assert!(!road.is_through() && road.speed < 1.0, "{road:?}");
    assert!(low.is_through() && 2.0 < low.speed, "{low:?}");
    assert!(second.is_through() && low.distance < second.distance, "{low:?}, {second:?}");
    // Deeper with road pressure, less deep in the rut.
    assert!(2.0 * low.sinkage < road.sinkage, "{road:?}, {low:?}");
    assert!(second.sinkage < 0.8 * low.sinkage, "{low:?}, {second:?}");
    let [_, after_low, after_second] = &passes.profiles;
    let is_deeper = |(first, second): (&(f64, f64), &(f64, f64))| second.1 <= first.1;
    assert!(after_low.iter().zip(after_second).all(is_deeper), "ruts come up again");
    assert!(after_low.iter().any(|&(_, height)| height < -0.05), "no rut is left");
    Ok(())
}
