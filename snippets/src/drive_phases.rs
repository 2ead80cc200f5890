//! The phases of a drive: when the driver accelerates, brakes and steers.

use anyhow::Result;

use crate::report::Phase;
use crate::telemetry::Telemetry;

/// Pedal and steering wheel from which on the driver does something (dimensionless).
const LEAST_COMMAND: f64 = 0.02;
/// Speed below which a vehicle stands (m/s).
const STANDING: f64 = 0.1;
/// Time that a phase lasts at least (s): what is shorter is a part of the one before.
const LEAST_DURATION: f64 = 0.3;

/// The phases of the drive of which `telemetry` tells.
///
/// # Errors
///
/// If a channel is missing.
pub fn drive_phases(telemetry: &Telemetry) -> Result<Vec<Phase>> {
    let second = ["hand brake", "second brake"].into_iter().find(|name| telemetry.has(name));
    let none = vec![0.0; telemetry.len()];
    let second = second.map_or(Ok(none.as_slice()), |name| telemetry.column(name))?;
    let [throttle, brake, steer, speed] = [
        telemetry.column("throttle")?,
        telemetry.column("brake")?,
        telemetry.column("steer")?,
        telemetry.column("speed")?,
    ];
    let mut phases: Vec<Phase> = Vec::new();
    for (row, &time) in telemetry.time().iter().enumerate() {
        let doings = [
            ("throttle", LEAST_COMMAND < throttle[row]),
            ("brake", LEAST_COMMAND < brake[row].max(second[row])),
            ("steer", LEAST_COMMAND < steer[row].abs()),
        ];
        let does: Vec<&str> = doings.iter().filter(|doing| doing.1).map(|doing| doing.0).collect();
        let name = match does.as_slice() {
            [] if speed[row] < STANDING => "stand".into(),
            [] => "coast".into(),
            does => does.join(" + "),
        };
        match phases.last_mut() {
            Some(phase) if phase.name == name || time - phase.start < LEAST_DURATION => {
                (phase.end, phase.name) = (time, name);
            }
            _ => {
                let start = phases.last().map_or(0.0, |phase| phase.end);
                phases.push(Phase { start, end: time, name });
            }
        }
    }
    phases.dedup_by(|next, phase| {
        let is_same = phase.name == next.name;
        if is_same {
            phase.end = next.end;
        }
        is_same
    });
    Ok(phases)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::Channel;

    #[test]
    fn phases_are_what_the_driver_does() -> Result<()> {
        let names = ["throttle", "brake", "steer", "speed", "hand brake"];
        let channels = names.map(|name| Channel::new(name, ""));
        let mut telemetry =
            Telemetry::new([Channel::new("time", "s")].into_iter().chain(channels))?;
        for row in 0_u32..500 {
            let time = 0.01 * f64::from(row);
            // (throttle, brake, steer, speed)
            let [throttle, brake, steer, speed] = match row {
                0..100 => [0.0, 0.0, 0.0, 0.0],
                // A touch of the brake.
                200..210 => [0.0, 1.0, 0.0, 9.0],
                100..300 => [0.8, 0.0, 0.0, 9.0],
                300..400 => [0.0, 1.0, -0.5, 9.0],
                _ => [0.0, 0.0, 0.0, 2.0],
            };
            telemetry.push(&[time, throttle, brake, steer, speed, 0.0])?;
        }
        let phases = drive_phases(&telemetry)?;
        let names: Vec<&str> = phases.iter().map(|phase| phase.name.as_str()).collect();
        assert_eq!(names, ["stand", "throttle", "brake + steer", "coast"]);
        assert!(phases.windows(2).all(|pair| pair[0].end == pair[1].start), "{phases:?}");
        assert!((phases[1].start - 1.0).abs() < 0.02 && phases[3].end == 4.99, "{phases:?}");
        Ok(())
    }
}
