//! What a drive amounted to: distance, top speed, stopping.

use anyhow::Result;

use crate::telemetry::Telemetry;

/// Speed below which a vehicle counts as stopped (m/s).
const STOPPED: f64 = 0.05;

/// The key figures of a drive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveSummary {
    /// Simulated time (s).
    pub duration: f64,
    /// Length of the path on the ground (m).
    pub distance: f64,
    /// Largest speed (m/s).
    pub top_speed: f64,
    /// The first stop from speed, if there was one.
    pub stop: Option<Stop>,
}

/// From the first touch of the brake at speed to standstill.
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
    /// The key figures of recorded telemetry with channels `x`, `z`, `speed` and `brake`.
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
            top_speed: speeds.iter().copied().fold(0.0, f64::max),
            stop: first_stop(times, &path, speeds, telemetry.column("brake")?),
        })
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

fn first_stop(times: &[f64], path: &[f64], speeds: &[f64], brakes: &[f64]) -> Option<Stop> {
    let is_touched = |i: &usize| 0.0 < brakes[*i] && brakes[i - 1] == 0.0 && 1.0 < speeds[i - 1];
    let start = (1..times.len()).find(is_touched)? - 1;
    let end = (start..times.len()).find(|&i| speeds[i] < STOPPED)?;
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

    #[test]
    fn figures_follow_from_the_path() -> Result<()> {
        let names = [("time", "s"), ("x", "m"), ("z", "m"), ("speed", "m/s"), ("brake", "")];
        let mut telemetry = Telemetry::new(names.map(|(name, unit)| Channel::new(name, unit)))?;
        telemetry.push(&[1.0, 0.0, 0.0, 5.0, 0.0])?;
        telemetry.push(&[2.0, 3.0, 4.0, 2.0, 1.0])?;
        telemetry.push(&[3.0, 3.0, 5.0, 0.0, 1.0])?;
        let summary = DriveSummary::of(&telemetry)?;
        let stop = Stop { from_speed: 5.0, distance: 6.0, duration: 2.0 };
        let expected =
            DriveSummary { duration: 3.0, distance: 6.0, top_speed: 5.0, stop: Some(stop) };
        assert_eq!(summary, expected);
        Ok(())
    }
}
