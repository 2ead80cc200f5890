//! What the driver does, one phase after the other.

use rapier3d::prelude::Real;
use vehicle_rapier::core::commands::Commands;

/// Commands that are held for a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    /// What the driver does.
    pub commands: Commands,
    /// For how long (s).
    pub duration: Real,
}

impl Phase {
    /// A phase of throttle, foot brake and steering.
    pub fn new(brake: Real, throttle: Real, steer: Real, duration: Real) -> Self {
        Self { commands: Commands { throttle, brakes: [brake, 0.0], steer }, duration }
    }
}

/// The commands of every step of a drive.
///
/// A phase ends after the step with which its time, summed step by step, exceeds its duration.
#[derive(Clone, Debug)]
pub struct Schedule {
    phases: Vec<Phase>,
    dt: Real,
    phase: usize,
    time: Real,
}

impl Schedule {
    /// The steps of `dt` (s) of `phases`.
    pub fn new(phases: impl Into<Vec<Phase>>, dt: Real) -> Self {
        Self { phases: phases.into(), dt, phase: 0, time: 0.0 }
    }

    /// Number of steps that are left.
    pub fn step_count(&self) -> usize {
        self.clone().count()
    }
}

impl Iterator for Schedule {
    type Item = Commands;

    fn next(&mut self) -> Option<Commands> {
        let phase = self.phases.get(self.phase)?;
        self.time += self.dt;
        if phase.duration < self.time {
            self.phase += 1;
            self.time = 0.0;
        }
        Some(phase.commands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_last_until_their_summed_time_exceeds_the_duration() {
        // (time step, duration, steps), in single precision
        let sixtieth = 1.0 / 60.0;
        let cases = [
            (sixtieth, 2.0, 121),
            (sixtieth, 5.0, 300),
            (sixtieth, 4.26, 256),
            (0.016_666_7, 2.0, 120),
            (0.016_666_7, 5.0, 300),
            (0.016_666_7, 4.26, 256),
        ];
        for (dt, duration, expected) in cases {
            let schedule = Schedule::new([Phase::new(0.0, 1.0, 0.0, duration)], dt);
            assert_eq!(schedule.step_count(), expected, "{duration} s of {dt} s");
        }
    }

    #[test]
    fn phases_follow_one_another() {
        let phases = [Phase::new(0.5, 0.0, 0.0, 0.9), Phase::new(0.0, 0.5, 0.1, 0.9)];
        let throttles: Vec<_> =
            Schedule::new(phases, 0.5).map(|commands| commands.throttle).collect();
        assert_eq!(throttles, [0.0, 0.0, 0.5, 0.5]);
    }
}
