//! What the driver does, one phase after the other.

use rapier3d::prelude::Real;
use vehicle_rapier::prelude::*;

/// Everything that a driver has at hand; a vehicle takes what it has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Controls {
    /// Pedals and steering wheel.
    pub commands: Commands,
    /// Gear, clutch, thrusts and brakes of the tracks.
    pub transmission: TransmissionCommands,
    /// Gear, clutch, locks and all else of a driveline from blocks.
    pub levers: DrivelineCommands,
}

/// Controls that are held for a time.
///
/// ```
/// use snippets::schedule::Phase;
///
/// let pull_away = Phase::lasting(5.0).throttle(0.65);
/// let turn_in_place = Phase::lasting(5.0).throttle(1.0).thrusts([1.0, -1.0]).gear(2);
/// # assert_eq!(pull_away.controls.commands.throttle, 0.65);
/// # assert_eq!(turn_in_place.controls.transmission.thrusts, [1.0, -1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    /// What the driver does.
    pub controls: Controls,
    /// For how long (s).
    pub duration: Real,
}

impl Phase {
    /// A phase of `duration` (s) in which the driver does nothing; the gear is automatic.
    pub fn lasting(duration: Real) -> Self {
        Self { controls: Controls::default(), duration }
    }

    /// This phase with the accelerator pedal at `throttle`.
    #[must_use]
    pub fn throttle(mut self, throttle: Real) -> Self {
        self.controls.commands.throttle = throttle;
        self
    }

    /// This phase with the foot brake at `brake`.
    #[must_use]
    pub fn brake(self, brake: Real) -> Self {
        self.brakes([brake, 0.0])
    }

    /// This phase with both brakes, such as one per track.
    #[must_use]
    pub fn brakes(mut self, brakes: [Real; 2]) -> Self {
        self.controls.commands.brakes = brakes;
        self
    }

    /// This phase with the steering wheel at `steer`.
    #[must_use]
    pub fn steer(mut self, steer: Real) -> Self {
        self.controls.commands.steer = steer;
        self
    }

    /// This phase with the thrusts of the tracks.
    #[must_use]
    pub fn thrusts(mut self, thrusts: [Real; 2]) -> Self {
        self.controls.transmission.thrusts = thrusts;
        self
    }

    /// This phase with the brakes of the tracks.
    #[must_use]
    pub fn track_brakes(mut self, track_brakes: [Real; 2]) -> Self {
        self.controls.transmission.track_brakes = track_brakes;
        self
    }

    /// This phase with these levers of a driveline from blocks.
    #[must_use]
    pub fn levers(mut self, levers: DrivelineCommands) -> Self {
        self.controls.levers = levers;
        self
    }

    /// This phase in the gear of number `gear`, whatever an automatic gearbox would choose.
    #[must_use]
    pub fn gear(mut self, gear: usize) -> Self {
        self.controls.transmission.gear = GearCommand::Gear(gear);
        self
    }
}

/// The controls of every step of a drive.
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
    type Item = Controls;

    fn next(&mut self) -> Option<Controls> {
        let phase = self.phases.get(self.phase)?;
        self.time += self.dt;
        if phase.duration < self.time {
            self.phase += 1;
            self.time = 0.0;
        }
        Some(phase.controls)
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
            let schedule = Schedule::new([Phase::lasting(duration)], dt);
            assert_eq!(schedule.step_count(), expected, "{duration} s of {dt} s");
        }
    }

    #[test]
    fn phases_follow_one_another() {
        let phases = [Phase::lasting(0.9).brake(0.5), Phase::lasting(0.9).throttle(0.5)];
        let throttles: Vec<_> =
            Schedule::new(phases, 0.5).map(|controls| controls.commands.throttle).collect();
        assert_eq!(throttles, [0.0, 0.0, 0.5, 0.5]);
    }

    #[test]
    fn phase_holds_what_was_asked_and_nothing_else() {
        let phase = Phase::lasting(2.0).throttle(0.1).brake(0.2).steer(0.3).gear(4);
        let Controls { commands, transmission, levers } = phase.controls;
        assert_eq!(
            commands,
            Commands { throttle: 0.1, brakes: [0.2, 0.0], steer: 0.3, steering_torque: None }
        );
        assert_eq!(levers, DrivelineCommands::default());
        let gear = GearCommand::Gear(4);
        assert_eq!(transmission, TransmissionCommands { gear, ..TransmissionCommands::default() });

        let phase =
            Phase::lasting(2.0).brakes([0.2, 0.4]).thrusts([1.0, -0.5]).track_brakes([0.0, 0.6]);
        assert_eq!(phase.controls.commands.brakes, [0.2, 0.4]);
        assert_eq!(phase.controls.transmission.thrusts, [1.0, -0.5]);
        assert_eq!(phase.controls.transmission.track_brakes, [0.0, 0.6]);
    }
}
