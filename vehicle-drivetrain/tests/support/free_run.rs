//! Judging runs over many steps by how far runs of our own part from each other.
//!
//! Wheels that slip at low speed make trajectories chaotic: two correct implementations part. How
//! fast they may is what an *ensemble* measures, runs of ours whose initial state is moved by one
//! unit in the last place.

use std::f64::consts::{PI, TAU};
use std::fmt;

use anyhow::{Context, Result, anyhow, bail};

use super::compare::over;
use super::motion::{SAME_TIME, Sample, dot};

/// Length of a run that is judged (s).
pub const DURATION: f64 = 2.0;
/// How much later the spread of the ensemble is taken (s); the members run that much longer.
pub const LEAD: f64 = 0.25;
/// Members of an ensemble.
pub const MEMBERS: u64 = 24;

/// A run may deviate by this many spreads.
const SPREADS: f64 = 5.0;
/// Smallest bounds: position (m), velocity (m/s), yaw (rad), wheel speed (rad/s).
const FLOORS: [f64; 4] = [1e-6, 1e-5, 1e-6, 1e-2];
const NAMES: [&str; 4] = ["position", "velocity", "yaw", "wheel 0 speed"];

/// The largest deviation over bound of one quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// Name of the quantity.
    pub quantity: &'static str,
    /// Largest deviation over bound.
    pub worst: f64,
    /// Time of it (s).
    pub time: f64,
    /// Running maximum of the deviation then.
    pub deviation: f64,
    /// Its bound then.
    pub bound: f64,
}

/// The result of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeRunReport {
    /// Position, velocity, yaw and wheel speed.
    pub quantities: [Deviation; 4],
}

/// Compares a run with the reference.
///
/// ```text
/// deviation(t) = max over s <= t of |run(s) - reference(s)|
/// spread(t)    = max over s <= t and over the members of |member(s) - run(s)|
/// deviation(t) <= max(floor, 5 spread(t + 0.25 s))
/// ```
///
/// with `|.|` the length of a vector, and the angle between two yaws. All series start at the same
/// time with the same steps; `reference` sets the duration, and `run` must last as long. The spread
/// is taken at the end of the members where they are shorter than `t + 0.25 s` (so that a short
/// ensemble is only stricter). The spread needs `run` as long as the members. `length_scale` is in
/// length units per meter.
pub fn judge(
    reference: &[Sample],
    run: &[Sample],
    ensemble: &[Vec<Sample>],
    length_scale: f64,
) -> Result<FreeRunReport> {
    if reference.len() < 2 || run.len() < reference.len() || ensemble.is_empty() {
        let (reference, run, members) = (reference.len(), run.len(), ensemble.len());
        bail!(
            "{reference} samples of the reference, {run} of the run, {members} members: too few to judge"
        );
    }
    let deviation = running_maximum(&distances(reference, run).context("reference and run")?);
    let spread = spread(run, ensemble)?;
    let floors = [FLOORS[0] * length_scale, FLOORS[1] * length_scale, FLOORS[2], FLOORS[3]];
    let mut quantities = NAMES.map(Deviation::none);
    for (sample, deviation) in reference.iter().zip(&deviation) {
        let until = sample.time + LEAD + SAME_TIME;
        let times = run.iter().zip(&spread).take_while(|(sample, _)| sample.time <= until);
        let (_, spread) = times.last().ok_or_else(|| anyhow!("no spread at {} s", sample.time))?;
        let time = sample.time - reference[0].time;
        for (i, quantity) in quantities.iter_mut().enumerate() {
            quantity.keep_worse(time, deviation[i], floors[i].max(SPREADS * spread[i]));
        }
    }
    Ok(FreeRunReport { quantities })
}

impl Deviation {
    fn none(quantity: &'static str) -> Self {
        Self { quantity, worst: -1.0, time: 0.0, deviation: 0.0, bound: 0.0 }
    }

    fn keep_worse(&mut self, time: f64, deviation: f64, bound: f64) {
        // A member that became infinite bounds nothing.
        let worst = if bound.is_finite() { over(deviation, bound) } else { f64::INFINITY };
        if self.worst < worst {
            *self = Self { quantity: self.quantity, worst, time, deviation, bound };
        }
    }
}

impl FreeRunReport {
    /// Whether all bounds hold.
    pub fn passed(&self) -> bool {
        self.quantities.iter().all(|quantity| quantity.worst <= 1.0)
    }
}

impl fmt::Display for FreeRunReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Deviation { quantity, worst, time, deviation, bound } in self.quantities {
            write!(f, "{quantity} {worst:.3} ({deviation:.2e} of {bound:.2e} at {time:.2} s)  ")?;
        }
        f.write_str(if self.passed() { "within bounds" } else { "FAILED" })
    }
}

/// Running maximum of the largest distance of a member from the run.
fn spread(run: &[Sample], ensemble: &[Vec<Sample>]) -> Result<Vec<[f64; 4]>> {
    let mut spread = Vec::new();
    for (i, member) in ensemble.iter().enumerate() {
        let member = distances(member, run).with_context(|| format!("member {i} and run"))?;
        spread.resize(spread.len().max(member.len()), [0.0; 4]);
        for (spread, member) in spread.iter_mut().zip(&member) {
            *spread = larger(*spread, *member);
        }
    }
    Ok(running_maximum(&spread))
}

/// Distance of position, velocity, yaw and wheel speed, sample by sample, up to the end of the
/// shorter series.
fn distances(a: &[Sample], b: &[Sample]) -> Result<Vec<[f64; 4]>> {
    let apart = |a: [f64; 3], b: [f64; 3]| {
        let d = [0, 1, 2].map(|i| a[i] - b[i]);
        dot(d, d).sqrt()
    };
    let turned = |a: f64, b: f64| ((a - b + PI).rem_euclid(TAU) - PI).abs();
    let distance = |(a, b): (&Sample, &Sample)| {
        if SAME_TIME < (a.time - b.time).abs() {
            bail!("samples at different times: {} s and {} s", a.time, b.time);
        }
        let linear = [apart(a.position, b.position), apart(a.velocity, b.velocity)];
        Ok([linear[0], linear[1], turned(a.yaw, b.yaw), (a.wheel_speed - b.wheel_speed).abs()])
    };
    a.iter().zip(b).map(distance).collect()
}

fn running_maximum(series: &[[f64; 4]]) -> Vec<[f64; 4]> {
    let mut largest = [0.0; 4];
    let step = |values: &[f64; 4]| {
        largest = larger(largest, *values);
        largest
    };
    series.iter().map(step).collect()
}

/// The larger of each; NaN counts as infinite, so that it is never lost.
fn larger(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let infinite = |x: f64| if x.is_nan() { f64::INFINITY } else { x };
    [0, 1, 2, 3].map(|i| infinite(a[i]).max(infinite(b[i])))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run at rest whose state changes by `change(time)`, ten samples a second.
    fn run(samples: u32, change: impl Fn(f64, &mut Sample)) -> Vec<Sample> {
        let at_rest = Sample {
            time: 0.0,
            position: [0.0; 3],
            velocity: [0.0; 3],
            yaw: 0.0,
            wheel_speed: 0.0,
        };
        let at = |i| {
            let mut sample = Sample { time: 0.1 * f64::from(i), ..at_rest };
            change(sample.time, &mut sample);
            sample
        };
        (0..samples).map(at).collect()
    }

    fn moved(rate: f64) -> Vec<Sample> {
        run(24, |time, sample| sample.position[1] = rate * time)
    }

    #[test]
    fn a_run_may_deviate_by_five_spreads_a_quarter_of_a_second_later() -> Result<()> {
        // The members part at 1 mm/s, so ours may be off by 5 mm/s (t + 0.2 s), which binds at the
        // end: 11 mm of 2 s.
        let members = [moved(0.0), moved(1e-3)];
        let reference = |rate: f64| moved(rate)[..21].to_vec();
        for (rate, expected) in [(5.4e-3, true), (5.6e-3, false), (-5.6e-3, false)] {
            let report = judge(&reference(rate), &moved(0.0), &members, 1.0)?;
            assert_eq!(report.passed(), expected, "{rate}: {report}");
        }
        let report = judge(&reference(5.5e-3), &moved(0.0), &members, 1.0)?;
        assert!((report.quantities[0].worst - 1.0).abs() < 1e-9, "{report}");
        Ok(())
    }

    #[test]
    fn deviations_that_fade_are_remembered() -> Result<()> {
        let bump = run(21, |time, sample| {
            sample.velocity[0] = if (0.45..0.55).contains(&time) { 1.0 } else { 0.0 }
        });
        assert!(!judge(&bump, &moved(0.0), &[moved(0.0)], 1.0)?.passed());
        // The spread of a bump lasts, too, and begins a quarter of a second early.
        let bump_in_member = run(24, |time, sample| {
            sample.velocity[0] = if (0.65..0.75).contains(&time) { 0.3 } else { 0.0 }
        });
        assert!(judge(&bump, &moved(0.0), &[bump_in_member], 1.0)?.passed());
        Ok(())
    }

    #[test]
    fn without_spread_the_floors_hold() -> Result<()> {
        type Change = fn(&mut Sample, f64);
        let rows: [(Change, f64); 4] = [
            (|sample, d| sample.position[2] = d, 1e-6),
            (|sample, d| sample.velocity[0] = d, 1e-5),
            (|sample, d| sample.yaw = TAU - d, 1e-6),
            (|sample, d| sample.wheel_speed = d, 1e-2),
        ];
        for (i, (change, floor)) in rows.into_iter().enumerate() {
            for (factor, expected) in [(0.9, true), (1.1, false), (f64::NAN, false)] {
                let reference = run(21, |_, sample| change(sample, factor * floor));
                let report = judge(&reference, &moved(0.0), &[moved(0.0)], 1.0)?;
                assert_eq!(report.passed(), expected, "{} {factor}: {report}", NAMES[i]);
            }
        }
        Ok(())
    }

    #[test]
    fn series_that_cannot_be_compared_are_refused() {
        let rest = moved(0.0);
        assert!(judge(&rest, &rest[..10], std::slice::from_ref(&rest), 1.0).is_err());
        assert!(judge(&rest, &rest, &[], 1.0).is_err());
        let late = run(24, |_, sample| sample.time += 0.1);
        assert!(judge(&rest, &late, std::slice::from_ref(&late), 1.0).is_err());
        let broken = run(24, |_, sample| sample.yaw = f64::NAN);
        assert!(judge(&rest, &rest, &[broken], 1.0).is_ok_and(|report| !report.passed()));
    }
}
