//! Stopping distance.

use anyhow::{Context, Result};
use rapier3d::prelude::Real;

use super::best_run::best_run;
use super::proving_ground::{ProvingGround, Setting};

/// Pedals that are tried.
const PEDALS: [Real; 14] =
    [0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0];
/// Longest way to stop (s).
const LONGEST: Real = 30.0;
/// How often a car is let go faster, until it rolls at the speed at which it is to brake.
const ATTEMPTS: usize = 5;
/// Speed at which it stands (m/s).
const STANDING: Real = 0.01;

/// A stop at a constant pedal.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// The pedal, in [0, 1].
    pub pedal: Real,
    /// From the speed at which it began (m).
    pub distance: Real,
    /// Distance (m) and speed (m/s) on the way.
    pub moments: Vec<(Real, Real)>,
    /// How far it has turned away (rad).
    pub turned: Real,
}

/// The preset `name` from `speed` (m/s) to standstill at a constant `pedal`, in neutral; `None` if
/// it goes on rolling.
///
/// # Errors
///
/// If there is no such vehicle, or a step fails.
pub fn stop(name: &str, setting: &Setting, speed: Real, pedal: Real) -> Result<Option<Stop>> {
    let mut ground = rolling_at_least(name, setting, speed)?;
    ground.drive(0.0, pedal, 0.0);
    let mut last = ground.motion();
    let mut start: Option<Real> = None;
    let mut moments = Vec::new();
    while ground.time < LONGEST {
        ground.step()?;
        let now = ground.motion();
        if start.is_none() && now.speed() <= speed {
            let part = (last.speed() - speed) / (last.speed() - now.speed());
            start = Some(last.position.z + part * (now.position.z - last.position.z));
        }
        if let Some(start) = start {
            moments.push((now.position.z - start, now.speed()));
            if now.speed() < STANDING {
                let distance = now.position.z - start;
                let turned = now.forward.x.atan2(now.forward.z).abs();
                return Ok(Some(Stop { pedal, distance, moments, turned }));
            }
        }
        last = now;
    }
    Ok(None)
}

/// The preset `name` as it rolls at a little more than `speed` (m/s), so that the brakes come at
/// just the speed. Its wheels get their own from the road first, and those of a motor behind a
/// short gear take a tenth of the car's.
pub(crate) fn rolling_at_least(
    name: &str,
    setting: &Setting,
    speed: Real,
) -> Result<ProvingGround> {
    let roll = |first| ProvingGround::rolling(name, setting, first);
    let ground = roll_at_least(speed, roll)?;
    ground.with_context(|| format!("{name} does not roll at {speed} m/s"))
}

/// What `roll` makes of a speed (m/s) that it is let go at, when it rolls at a little more than
/// `speed` (m/s); `None` if it never does.
pub(crate) fn roll_at_least(
    speed: Real,
    roll: impl Fn(Real) -> Result<ProvingGround>,
) -> Result<Option<ProvingGround>> {
    let mut first = 1.02 * speed;
    for _ in 0..ATTEMPTS {
        let mut ground = roll(first)?;
        ground.steps_for(0.5)?;
        let now = ground.motion().speed();
        if speed < now {
            return Ok(Some(ground));
        }
        first *= 1.02 * speed / now;
    }
    Ok(None)
}

/// The shortest of the stops at all constant pedals.
///
/// # Errors
///
/// If there is no such vehicle, a step fails, or it does not stop at any pedal.
pub fn best_stop(name: &str, setting: &Setting, speed: Real) -> Result<Stop> {
    let best = best_run(&PEDALS, |pedal| stop(name, setting, speed, pedal), |stop| stop.distance)?;
    best.with_context(|| format!("{name} does not stop from {speed} m/s"))
}
