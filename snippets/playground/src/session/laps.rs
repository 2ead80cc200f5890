//! Laps of a drive: their times, and the best one as a ghost.

use rapier3d::prelude::*;

use super::{DT, Session};
use crate::Error;
use crate::laps::{LapEvent, LapTimer, LapTimes};
use crate::recorded_lap::{RecordedLap, Trace, TrainPose};
use crate::worlds::World;

/// The laps of a vehicle.
pub(super) struct Laps {
    timer: LapTimer,
    trace: Trace,
    best: Option<RecordedLap>,
    /// Whether a part of this lap was replayed: it may be someone else's.
    is_replayed: bool,
    /// The best of the laps that the driver has driven from line to line, or brought along.
    own_best: Option<RecordedLap>,
}

impl Laps {
    /// None have been driven in `world` yet; `None` if there are no laps.
    pub(super) fn of(world: &World) -> Option<Self> {
        let gates = (!world.gates.is_empty()).then(|| world.gates.clone())?;
        Some(Self {
            timer: LapTimer::new(gates),
            trace: Trace::default(),
            best: None,
            is_replayed: false,
            own_best: None,
        })
    }

    /// The vehicle has been put elsewhere.
    pub(super) fn reset(&mut self) {
        self.timer.reset();
    }

    /// Follows the vehicle that has these names and is in this pose after a step, which was
    /// replayed or driven.
    fn step(&mut self, vehicle: &str, world: &str, pose: TrainPose, is_replayed: bool) {
        self.is_replayed |= is_replayed;
        let event = self.timer.step(pose.vehicle.translation);
        match event {
            None => self.trace.step(pose),
            Some(LapEvent::Begun(since)) => {
                self.is_replayed = is_replayed;
                self.trace.begin(since, pose);
            }
            Some(LapEvent::Completed(lap, since)) => {
                let is_best = self.timer.times.best.is_none_or(|best| lap.time < best.time);
                let own = self.own_best.as_ref().map(RecordedLap::lap);
                let is_own_best = !self.is_replayed && own.is_none_or(|best| lap.time < best.time);
                if is_best || is_own_best {
                    let trace = std::mem::take(&mut self.trace);
                    let recorded = RecordedLap::new(vehicle, world, lap, trace);
                    if is_own_best {
                        self.own_best.clone_from(&recorded);
                    }
                    if is_best {
                        self.timer.times.best = Some(lap);
                        self.best = recorded;
                    }
                }
                self.is_replayed = is_replayed;
                self.trace.begin(since, pose);
            }
        }
    }
}

impl Session {
    pub(super) fn step_laps(&mut self) {
        let bodies = &self.world.physics.bodies;
        let trailer = self.trailer.as_ref().map(|trailer| trailer.body_pose(bodies));
        let pose = TrainPose { vehicle: *self.body().position(), trailer };
        let is_replayed = self.is_replaying();
        if let Some(laps) = &mut self.laps {
            laps.step(&self.setup.vehicle, &self.setup.world, pose, is_replayed);
        }
    }

    /// What stands on the lap timer, in a world with laps.
    pub fn lap_times(&self) -> Option<&LapTimes> {
        Some(&self.laps.as_ref()?.timer.times)
    }

    /// The best lap: that of the ghost, which may be one that was replayed.
    pub fn best_lap(&self) -> Option<&RecordedLap> {
        self.laps.as_ref()?.best.as_ref()
    }

    /// The best of the laps that the driver has driven from line to line, or that were taken by
    /// [`set_best_lap`](Self::set_best_lap): the one to be kept. Laps of which a part was replayed
    /// are not among them.
    pub fn own_best_lap(&self) -> Option<&RecordedLap> {
        self.laps.as_ref()?.own_best.as_ref()
    }

    /// Takes a lap that was kept for the one to beat, and for the ghost.
    ///
    /// # Errors
    ///
    /// If it is the lap of another vehicle, or was driven in another world.
    pub fn set_best_lap(&mut self, lap: RecordedLap) -> Result<(), Error> {
        let [vehicle, world] = [&self.setup.vehicle, &self.setup.world];
        match &mut self.laps {
            Some(laps) if lap.vehicle() == vehicle && lap.world() == world => {
                laps.timer.times.best = Some(lap.lap());
                laps.own_best = Some(lap.clone());
                laps.best = Some(lap);
                Ok(())
            }
            _ => Err(Error::RecordedLap(format!(
                "it is one of {} in {}, not of {vehicle} in {world}",
                lap.vehicle(),
                lap.world()
            ))),
        }
    }

    /// Pose of the vehicle's body in its best lap (m), as long after the line as the vehicle is in
    /// this one, between the last two steps, see [`share`](Self::share).
    pub fn best_lap_pose(&self, share: Real) -> Option<Pose> {
        let (best, time) = self.best_lap_at(share)?;
        best.pose(time)
    }

    /// Pose of the body of its trailer in the best lap (m), in the same way; `None` without a
    /// trailer.
    pub fn best_lap_trailer_pose(&self, share: Real) -> Option<Pose> {
        let (best, time) = self.best_lap_at(share)?;
        best.trailer_pose(time)
    }

    /// The best lap, and the time since the line (s).
    fn best_lap_at(&self, share: Real) -> Option<(&RecordedLap, Real)> {
        let laps = self.laps.as_ref()?;
        let time = laps.timer.times.current? + (share - 1.0) * DT;
        Some((laps.best.as_ref()?, time))
    }
}
