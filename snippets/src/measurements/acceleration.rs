//! Acceleration from standstill, and top speed.

use anyhow::{Context, Result};
use rapier3d::prelude::Real;
use vehicle_rapier::prelude::{DisplayedGear, Instruments};

use super::best_run::best_run;
use super::proving_ground::{ProvingGround, Setting};

/// Pedals that are tried, the first one first.
const PEDALS: [Real; 8] = [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3];
/// Longest run (s).
const LONGEST: Real = 120.0;
/// Acceleration below which a vehicle is as fast as it gets (m/s²).
const LEAST_ACCELERATION: Real = 0.02;

/// A moment of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Time since the pedal was pressed (s).
    pub time: Real,
    /// Distance from there (m).
    pub distance: Real,
    /// Speed (m/s).
    pub speed: Real,
    /// Engine speed (1/min), 0 without an engine.
    pub rpm: Real,
    /// Gear, 0 if it has none.
    pub gear: usize,
}

/// A run from standstill at a constant pedal.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// The pedal, in [0, 1].
    pub pedal: Real,
    /// Time to the target (s).
    pub time: Real,
    /// What happened on the way.
    pub moments: Vec<Moment>,
}

impl Launch {
    /// Gears that were left upward, with the speed at which they were (m/s).
    pub fn shifts(&self) -> Vec<(usize, Real)> {
        let pairs = self.moments.windows(2);
        let is_up = |pair: &&[Moment]| 0 < pair[0].gear && pair[0].gear < pair[1].gear;
        pairs.filter(is_up).map(|pair| (pair[0].gear, pair[0].speed)).collect()
    }

    /// Number of shifts down on the way.
    pub fn shifts_down(&self) -> usize {
        self.moments.windows(2).filter(|pair| pair[1].gear < pair[0].gear).count()
    }
}

fn moment(ground: &ProvingGround) -> Moment {
    let car = ground.front();
    let motion = ground.motion();
    let gear = match car.displayed_gear() {
        DisplayedGear::Forward(gear) => gear,
        _ => 0,
    };
    Moment {
        time: ground.time,
        distance: motion.position.z,
        speed: motion.speed(),
        rpm: car.rpm().unwrap_or(0.0),
        gear,
    }
}

/// The preset `name` from standstill to `target` (m/s) at a constant `pedal`; `None` if it does not
/// get there.
///
/// # Errors
///
/// If there is no such vehicle, or a step fails.
pub fn launch(name: &str, setting: &Setting, target: Real, pedal: Real) -> Result<Option<Launch>> {
    let mut ground = ProvingGround::ready(name, setting)?;
    ground.drive(pedal, 0.0, 0.0);
    let mut moments = vec![moment(&ground)];
    while ground.time < LONGEST {
        ground.step()?;
        let (now, before) = (moment(&ground), moments[moments.len() - 1]);
        moments.push(now);
        if target <= now.speed {
            let part = (target - before.speed) / (now.speed - before.speed);
            let time = before.time + part * (now.time - before.time);
            return Ok(Some(Launch { pedal, time, moments }));
        }
    }
    Ok(None)
}

/// The fastest of the runs at all constant pedals.
///
/// # Errors
///
/// If there is no such vehicle, a step fails, or it does not get to the target at any pedal.
pub fn best_launch(name: &str, setting: &Setting, target: Real) -> Result<Launch> {
    let best = best_run(&PEDALS, |pedal| launch(name, setting, target, pedal), |run| run.time)?;
    best.with_context(|| format!("{name} does not reach {target} m/s in {LONGEST} s"))
}

/// Top speed of the preset `name` with the pedal on the floor (m/s).
///
/// # Errors
///
/// If there is no such vehicle, or a step fails.
pub fn top_speed(name: &str, setting: &Setting) -> Result<Real> {
    let mut ground = ProvingGround::ready(name, setting)?;
    ground.drive(1.0, 0.0, 0.0);
    let interval = 4.0;
    let mut before = -1.0;
    let mut top: Real = 0.0;
    while ground.time < 2.0 * LONGEST {
        ground.steps_for(interval)?;
        let speed = ground.motion().speed();
        top = top.max(speed);
        if (speed - before).abs() < LEAST_ACCELERATION * interval && 20.0 < ground.time {
            break;
        }
        before = speed;
    }
    Ok(top)
}
