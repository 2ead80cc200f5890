//! Inputs over time: steps, ramps, sines, noise, and tables of points or of a CSV file.

use std::f64::consts::TAU;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::table::TableSource;
use crate::noise::Noise;

/// Sines of which noise consists.
const NOISE_LINES: usize = 256;
/// How long noise takes to rise and to fade (s).
const NOISE_FADE: f64 = 1.0;

/// An input over the time of a phase (s).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Signal {
    /// One value all the time.
    Constant(f64),
    /// One value until a time, then another one, with a straight rise between them.
    Step {
        /// Value before.
        #[serde(default)]
        from: f64,
        /// Value after.
        to: f64,
        /// When the rise begins (s).
        #[serde(default)]
        at: f64,
        /// How long the rise takes (s).
        #[serde(default)]
        rise: f64,
    },
    /// A value that grows at a constant rate up to a limit.
    Ramp {
        /// Value before.
        #[serde(default)]
        from: f64,
        /// Growth (1/s).
        rate: f64,
        /// When it begins to grow (s).
        #[serde(default)]
        at: f64,
        /// Value at which it ends.
        limit: f64,
    },
    /// Whole periods of a sine, 0 before and after.
    Sine {
        /// Amplitude.
        amplitude: f64,
        /// Frequency (Hz).
        frequency: f64,
        /// When it begins (s).
        #[serde(default)]
        at: f64,
        /// Periods.
        periods: f64,
    },
    /// A sine whose frequency grows at a constant rate, 0 before and after.
    Sweep {
        /// Amplitude.
        amplitude: f64,
        /// First and last frequency (Hz).
        frequencies: [f64; 2],
        /// When it begins (s).
        #[serde(default)]
        at: f64,
        /// How long it lasts (s).
        duration: f64,
    },
    /// One period of a sine that rests at its second peak.
    SineWithDwell {
        /// Amplitude.
        amplitude: f64,
        /// Frequency (Hz).
        frequency: f64,
        /// How long it rests (s).
        dwell: f64,
        /// When it begins (s).
        #[serde(default)]
        at: f64,
    },
    /// Noise of a flat spectrum within a band of frequencies, 0 before and after.
    Random {
        /// Root of the mean square.
        rms: f64,
        /// Lowest and highest frequency (Hz).
        band: [f64; 2],
        /// Seed of the noise.
        seed: u64,
        /// When it begins (s).
        #[serde(default)]
        at: f64,
        /// How long it lasts (s).
        duration: f64,
    },
    /// Points of time (s) and value, joined by straight lines.
    Points(Vec<[f64; 2]>),
    /// Columns of a CSV file, joined by straight lines.
    Table(TableSource),
}

impl Default for Signal {
    fn default() -> Self {
        Self::Constant(0.0)
    }
}

impl Signal {
    /// The table that it takes its values from, mutably.
    pub(super) fn table_mut(&mut self) -> Option<&mut TableSource> {
        match self {
            Self::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Value at a time of the phase (s).
    pub fn at(&self, time: f64) -> f64 {
        match *self {
            Self::Constant(value) => value,
            Self::Step { from, to, at, rise } => {
                let share = if rise == 0.0 { f64::from(at <= time) } else { (time - at) / rise };
                from + (to - from) * share.clamp(0.0, 1.0)
            }
            Self::Ramp { from, rate, at, limit } => {
                let value = from + rate * (time - at).max(0.0);
                if 0.0 <= rate { value.min(limit) } else { value.max(limit) }
            }
            Self::Sine { amplitude, frequency, at, periods } => {
                let phase = frequency * (time - at);
                if (0.0..=periods).contains(&phase) { amplitude * (TAU * phase).sin() } else { 0.0 }
            }
            Self::Sweep { amplitude, frequencies: [first, last], at, duration } => {
                let since = time - at;
                let phase = (first + 0.5 * (last - first) * since / duration) * since;
                let is_on = (0.0..=duration).contains(&since);
                if is_on { amplitude * (TAU * phase).sin() } else { 0.0 }
            }
            Self::SineWithDwell { amplitude, frequency, dwell, at } => {
                let (since, peak) = (time - at, 0.75 / frequency);
                let phase = frequency * (since.min(peak) + (since - peak - dwell).max(0.0));
                if (0.0..=1.0).contains(&phase) { amplitude * (TAU * phase).sin() } else { 0.0 }
            }
            Self::Random { rms, band, seed, at, duration } => {
                let since = time - at;
                let is_on = (0.0..=duration).contains(&since);
                if is_on { rms * fade(since, duration) * noise(since, band, seed) } else { 0.0 }
            }
            Self::Points(ref points) => between(points, time),
            Self::Table(ref table) => table.points().map_or(0.0, |points| between(points, time)),
        }
    }
}

/// Value of the straight lines between `points` at `time`; those of the ends beyond them.
fn between(points: &[[f64; 2]], time: f64) -> f64 {
    let after = points.partition_point(|point| point[0] <= time);
    let before = after.checked_sub(1).and_then(|index| points.get(index));
    match (before, points.get(after)) {
        (Some([from, start]), Some([to, end])) => {
            start + (end - start) * (time - from) / (to - from)
        }
        (Some([_, value]), None) | (None, Some([_, value])) => *value,
        (None, None) => 0.0,
    }
}

/// Share of noise that lasts for a `duration` (s): it rises and fades smoothly.
fn fade(since: f64, duration: f64) -> f64 {
    let share = (since.min(duration - since) / NOISE_FADE.min(0.5 * duration)).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

/// Noise of mean square 1: sines at random phases, evenly spread over the band.
///
/// ```text
/// x = √(2/n) Σ sin(2π f_i t + φ_i)
/// ```
fn noise(time: f64, [low, high]: [f64; 2], seed: u64) -> f64 {
    let mut random = Noise(seed);
    let lines = NOISE_LINES as f64;
    let line = |index: usize| {
        let share = (index as f64 + f64::from(random.next())) / lines;
        let phase = TAU * f64::from(random.next());
        (TAU * (low + (high - low) * share) * time + phase).sin()
    };
    (0..NOISE_LINES).map(line).sum::<f64>() * (2.0 / lines).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_are_where_they_are_said_to_be() {
        let dwell = Signal::SineWithDwell { amplitude: 2.0, frequency: 0.5, dwell: 1.0, at: 1.0 };
        let sweep =
            Signal::Sweep { amplitude: 1.0, frequencies: [1.0, 3.0], at: 0.0, duration: 2.0 };
        for (signal, time, expected) in [
            (Signal::Constant(3.0), 9.0, 3.0),
            (Signal::Step { from: 1.0, to: 3.0, at: 1.0, rise: 2.0 }, 2.0, 2.0),
            (Signal::Step { from: 1.0, to: 3.0, at: 1.0, rise: 0.0 }, 0.99, 1.0),
            (Signal::Step { from: 1.0, to: 3.0, at: 1.0, rise: 0.0 }, 1.0, 3.0),
            (Signal::Ramp { from: 0.0, rate: -2.0, at: 1.0, limit: -3.0 }, 2.0, -2.0),
            (Signal::Ramp { from: 0.0, rate: -2.0, at: 1.0, limit: -3.0 }, 9.0, -3.0),
            (Signal::Sine { amplitude: 2.0, frequency: 0.5, at: 1.0, periods: 1.0 }, 1.5, 2.0),
            (Signal::Sine { amplitude: 2.0, frequency: 0.5, at: 1.0, periods: 1.0 }, 3.5, 0.0),
            (dwell.clone(), 1.5, 2.0),
            (dwell.clone(), 2.5, -2.0),
            (dwell.clone(), 3.5, -2.0),
            (dwell, 4.1, 0.0),
            // The mean frequency over the first second is 1.5 Hz.
            (sweep, 1.0 / 6.0 * 1.0, (TAU * (1.0 + 1.0 / 12.0) / 6.0).sin()),
            (Signal::Points(vec![[1.0, 1.0], [2.0, 5.0]]), 0.0, 1.0),
            (Signal::Points(vec![[1.0, 1.0], [2.0, 5.0]]), 1.25, 2.0),
            (Signal::Points(vec![[1.0, 1.0], [2.0, 5.0]]), 7.0, 5.0),
        ] {
            let value = signal.at(time);
            assert!((value - expected).abs() < 1e-9, "{signal:?} at {time}: {value}, {expected}");
        }
    }

    #[test]
    fn noise_is_as_strong_as_said_and_begins_at_zero() {
        let noise =
            Signal::Random { rms: 2.0, band: [0.2, 3.0], seed: 7, at: 1.0, duration: 300.0 };
        let values: Vec<f64> =
            (0..30_000).map(|step| noise.at(1.0 + 0.01 * f64::from(step))).collect();
        let mean = values.iter().sum::<f64>() / 3e4;
        let square = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 3e4;
        assert!((square.sqrt() - 2.0).abs() < 0.1, "{}", square.sqrt());
        assert_eq!(noise.at(1.0), 0.0);
        assert_eq!(noise.at(0.5), 0.0);
    }
}
