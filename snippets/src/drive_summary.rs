//! What a drive amounted to: distance, highest speed, stopping, gear changes.

use std::f64::consts::TAU;

use anyhow::Result;

use crate::telemetry::Telemetry;

/// Speed below which a vehicle counts as stopped (m/s).
const STOPPED: f64 = 0.05;

/// Revolutions per minute of 1 rad/s.
pub const RPM: f64 = 60.0 / TAU;

/// The key figures of a drive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveSummary {
    /// Simulated time (s).
    pub duration: f64,
    /// Length of the path on the ground (m).
    pub distance: f64,
    /// Largest speed over the ground (m/s): a fall is none.
    pub top_speed: f64,
    /// The first stop from speed, if there was one.
    pub stop: Option<Stop>,
    /// What the engine did, if there is one.
    pub engine: Option<EngineSummary>,
}

/// What engine and gearbox did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineSummary {
    /// How often another gear was chosen.
    pub gear_changes: usize,
    /// Highest engine speed (rad/s).
    pub highest_speed: f64,
}

/// A key figure to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it is.
    pub label: String,
    /// The value, rounded.
    pub value: String,
    /// Its unit; empty for a count.
    pub unit: &'static str,
}

impl Figure {
    pub(crate) fn new(
        label: impl Into<String>,
        value: impl Into<String>,
        unit: &'static str,
    ) -> Self {
        Self { label: label.into(), value: value.into(), unit }
    }
}

/// From the first touch of the brake at speed to standstill, braking all the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Speed when the brake was touched (m/s).
    pub from_speed: f64,
    /// Distance until the vehicle stood still (m).
    pub distance: f64,
    /// Time until the vehicle stood still (s).
    pub duration: f64,
}

impl DriveSummary {
    /// The key figures of recorded telemetry with channels `x`, `z`, `speed` and `brake`, and of
    /// its engine, if it has a channel `engine speed`.
    ///
    /// # Errors
    ///
    /// If a channel is missing.
    pub fn of(telemetry: &Telemetry) -> Result<Self> {
        let (xs, zs) = (telemetry.column("x")?, telemetry.column("z")?);
        let speeds = telemetry.column("speed")?;
        let times = telemetry.time();
        let path = path_lengths(xs, zs);
        Ok(Self {
            duration: times.last().copied().unwrap_or(0.0),
            distance: path.last().copied().unwrap_or(0.0),
            top_speed: top_speed(times, &path, speeds),
            stop: first_stop(times, &path, speeds, telemetry.column("brake")?),
            engine: EngineSummary::of(telemetry)?,
        })
    }

    /// The figures to show, in order.
    pub fn figures(&self) -> Vec<Figure> {
        let mut figures = vec![
            Figure::new("simulated time", format!("{:.1}", self.duration), "s"),
            Figure::new("distance", format!("{:.1}", self.distance), "m"),
            Figure::new("fastest in this drive", format!("{:.2}", self.top_speed), "m/s"),
        ];
        if let Some(Stop { from_speed, distance, duration }) = self.stop {
            let label = format!("stopping distance from {from_speed:.1} m/s");
            figures.push(Figure::new(label, format!("{distance:.2}"), "m"));
            figures.push(Figure::new("stopping time", format!("{duration:.2}"), "s"));
        }
        if let Some(EngineSummary { gear_changes, highest_speed }) = self.engine {
            figures.push(Figure::new("gear changes", gear_changes.to_string(), ""));
            let rpm = highest_speed * RPM;
            figures.push(Figure::new("highest engine speed", format!("{rpm:.0}"), "1/min"));
        }
        figures
    }
}

impl EngineSummary {
    /// `None` if there is no engine.
    fn of(telemetry: &Telemetry) -> Result<Option<Self>> {
        if !telemetry.has("engine speed") {
            return Ok(None);
        }
        let gears = telemetry.column("target gear")?;
        let speeds = telemetry.column("engine speed")?;
        Ok(Some(Self {
            gear_changes: gears.windows(2).filter(|gears| gears[0] != gears[1]).count(),
            highest_speed: speeds.iter().copied().fold(0.0, f64::max),
        }))
    }
}

fn path_lengths(xs: &[f64], zs: &[f64]) -> Vec<f64> {
    let mut length = 0.0;
    let steps = xs.windows(2).zip(zs.windows(2));
    let further = steps.map(|(x, z)| {
        length += (x[1] - x[0]).hypot(z[1] - z[0]);
        length
    });
    std::iter::once(0.0).take(xs.len()).chain(further).collect()
}

/// The largest of the speeds at which the path gets longer (m/s).
fn top_speed(times: &[f64], path: &[f64], speeds: &[f64]) -> f64 {
    let steps = times.windows(2).zip(path.windows(2)).zip(speeds.windows(2));
    let along = |((time, way), speed): ((&[f64], &[f64]), &[f64])| {
        ((way[1] - way[0]) / (time[1] - time[0])).min(speed[0].max(speed[1]))
    };
    steps.map(along).fold(0.0, f64::max)
}

fn first_stop(times: &[f64], path: &[f64], speeds: &[f64], brakes: &[f64]) -> Option<Stop> {
    let is_touched = |i: &usize| 0.0 < brakes[*i] && brakes[i - 1] == 0.0 && 1.0 < speeds[i - 1];
    let start = (1..times.len()).find(is_touched)? - 1;
    let is_held = |i: &usize| *i == start || 0.0 < brakes[*i];
    let mut braking = (start..times.len()).take_while(is_held);
    let end = braking.find(|&i| speeds[i] < STOPPED)?;
    Some(Stop {
        from_speed: speeds[start],
        distance: path[end] - path[start],
        duration: times[end] - times[start],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::Channel;

    const CHANNELS: [(&str, &str); 5] =
        [("time", "s"), ("x", "m"), ("z", "m"), ("speed", "m/s"), ("brake", "")];

    #[test]
    fn figures_follow_from_the_path() -> Result<()> {
        let mut telemetry = Telemetry::new(CHANNELS.map(|(name, unit)| Channel::new(name, unit)))?;
        telemetry.push(&[1.0, 0.0, 0.0, 5.0, 0.0])?;
        telemetry.push(&[2.0, 3.0, 4.0, 2.0, 1.0])?;
        telemetry.push(&[3.0, 3.0, 5.0, 0.0, 1.0])?;
        let summary = DriveSummary::of(&telemetry)?;
        let stop = Stop { from_speed: 5.0, distance: 6.0, duration: 2.0 };
        let expected = DriveSummary {
            duration: 3.0,
            distance: 6.0,
            top_speed: 5.0,
            stop: Some(stop),
            engine: None,
        };
        assert_eq!(summary, expected);
        Ok(())
    }

    #[test]
    fn a_fall_is_no_speed_over_the_ground() -> Result<()> {
        let mut telemetry = Telemetry::new(CHANNELS.map(|(name, unit)| Channel::new(name, unit)))?;
        for (time, z, speed) in [(1.0, 0.0, 0.0), (2.0, 0.0, 9.0), (3.0, 1.0, 1.0)] {
            telemetry.push(&[time, 0.0, z, speed, 0.0])?;
        }
        assert_eq!(DriveSummary::of(&telemetry)?.top_speed, 1.0);
        Ok(())
    }

    #[test]
    fn brake_that_is_released_before_standstill_stops_nothing() -> Result<()> {
        let mut telemetry = Telemetry::new(CHANNELS.map(|(name, unit)| Channel::new(name, unit)))?;
        telemetry.push(&[1.0, 0.0, 0.0, 5.0, 0.0])?;
        telemetry.push(&[2.0, 0.0, 4.0, 2.0, 1.0])?;
        telemetry.push(&[3.0, 0.0, 5.0, 0.0, 0.0])?;
        assert_eq!(DriveSummary::of(&telemetry)?.stop, None);
        Ok(())
    }

    #[test]
    fn gear_changes_are_counted_and_engine_speed_is_shown_per_minute() -> Result<()> {
        let of_engine = [("engine speed", "rad/s"), ("target gear", "")];
        let channels = CHANNELS.into_iter().chain(of_engine);
        let mut telemetry = Telemetry::new(channels.map(|(name, unit)| Channel::new(name, unit)))?;
        for (time, speed, gear) in [(1.0, 10.0 * TAU, 1.0), (2.0, 50.0 * TAU, 1.0), (3.0, 1.0, 2.0)]
        {
            telemetry.push(&[time, 0.0, 0.0, 0.0, 0.0, speed, gear])?;
        }
        let summary = DriveSummary::of(&telemetry)?;
        let engine = EngineSummary { gear_changes: 1, highest_speed: 50.0 * TAU };
        assert_eq!(summary.engine, Some(engine));
        let figures = summary.figures();
        assert!(figures.contains(&Figure::new("gear changes", "1", "")), "{figures:?}");
        let speed = Figure::new("highest engine speed", "3000", "1/min");
        assert!(figures.contains(&speed), "{figures:?}");
        Ok(())
    }
}
