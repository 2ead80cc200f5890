//! How long a vehicle rolls.

use anyhow::Result;
use rapier3d::prelude::Real;

use super::proving_ground::Setting;
use super::rolling_at_least;

/// Longest run (s).
const LONGEST: Real = 400.0;

/// Time in which the preset `name` slows down from one speed to another (m/s) in neutral, without a
/// foot on a pedal (s); `None` if it goes on rolling.
///
/// # Errors
///
/// If there is no such vehicle, or a step fails.
pub fn coast_down(name: &str, setting: &Setting, [from, to]: [Real; 2]) -> Result<Option<Real>> {
    let mut ground = rolling_at_least(name, setting, from)?;
    let mut before = ground.motion().speed();
    let mut start = None;
    let end = ground.time + LONGEST;
    while ground.time < end {
        ground.step()?;
        let now = ground.motion().speed();
        // The time at which it had a speed, between two steps.
        let at = |speed: Real| ground.time - ground.dt() * (speed - now) / (before - now);
        if start.is_none() && now <= from && now < before {
            start = Some(at(from));
        }
        if let Some(start) = start
            && now <= to
        {
            return Ok(Some(at(to) - start));
        }
        before = now;
    }
    Ok(None)
}
