//! A run that goes on: steps of a phase, what is noted after each, and what ends it.

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use vehicle_rapier::core::commands::Commands;
use vehicle_rapier::drivetrain::aids::AidsParams;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::vehicle_file::AnyDrive;

use super::channels::{Progress, Rows};
use super::forces::drive_power;
use super::pilot::Pilot;
use super::posts::move_posts;
use super::scenario::{Lever, Pedals, Phase, Until};
use super::signal::Signal;
use crate::measurements::{Motion, ProvingGround, bear_pedals};

/// Part by which speed and yaw rate may change in what is steady (dimensionless), and the least
/// yaw rate of which it is taken (rad/s).
const STEADY: f64 = 0.01;
const LEAST_YAW_RATE: f64 = 0.1;
/// Roll at which a vehicle has rolled over (rad).
pub(crate) const ROLLED_OVER: Real = 1.0;

/// A run that is going on.
pub(super) struct Trip {
    pub(super) rows: Rows,
    pub(super) progress: Progress,
    last: Motion,
    steps: u32,
    dt: f64,
    /// What a reader of its figures must know.
    pub(super) remarks: Vec<String>,
    /// Height of posts over time (m), if the vehicle stands on some.
    posts: Option<Signal>,
    /// Aids that the train has, while it has others that keep pedals to what tires bear.
    own_aids: Option<Vec<AidsParams>>,
}

impl Trip {
    pub(super) fn new(ground: &ProvingGround, posts: Option<Signal>) -> Result<Self> {
        let mut trip = Self {
            rows: Rows::new(ground),
            progress: Progress::default(),
            last: ground.motion(),
            steps: 0,
            dt: ground.dt().into(),
            remarks: Vec::new(),
            posts,
            own_aids: None,
        };
        trip.rows.push(0.0, ground, &trip.progress)?;
        Ok(trip)
    }

    pub(super) fn time(&self) -> f64 {
        f64::from(self.steps) * self.dt
    }

    /// Drives through a phase; what cuts the run short, if something does.
    pub(super) fn drive(
        &mut self,
        phase: &Phase,
        ground: &mut ProvingGround,
        pilot: &mut Pilot,
    ) -> Result<Option<String>> {
        self.give_aids(phase, ground)?;
        pilot.begin(phase, ground)?;
        if let Some(lever) = phase.gear {
            select(ground, lever);
        }
        let ended = self.drive_on(phase, ground, pilot)?;
        let [lock, brake] = pilot.is_short;
        let name = &phase.name;
        if lock {
            self.remarks.push(format!("its steering is held at full lock in phase \"{name}\""));
        }
        if brake {
            self.remarks.push(format!("its brakes give no more in phase \"{name}\""));
        }
        Ok(ended)
    }

    /// Steps through a phase that has begun; what cuts the run short, if something does.
    fn drive_on(
        &mut self,
        phase: &Phase,
        ground: &mut ProvingGround,
        pilot: &mut Pilot,
    ) -> Result<Option<String>> {
        let begin = (self.time(), self.progress);
        loop {
            let time = self.time() - begin.0;
            let commands = pilot.commands(phase, time, ground, self.dt as Real);
            apply(ground, &commands);
            if let Some(posts) = &self.posts {
                self.progress.post = posts.at(self.time() + self.dt);
                move_posts(ground, self.progress.post as Real);
            }
            let at =
                || format!("in phase \"{}\", {:.2} s after the start", phase.name, self.time());
            ground.step().with_context(at)?;
            self.steps += 1;
            self.note(ground, pilot)?;
            let leans = matches!(ground.front().vehicle.drive, AnyDrive::Motorcycle(_));
            if !leans && ROLLED_OVER < self.last.roll().abs() {
                let time = self.time();
                return Ok(Some(format!("it rolls over {time:.1} s after the start")));
            }
            if ground.extent.is_some_and(|road| !road.holds(self.last.position)) {
                let time = self.time();
                return Ok(Some(format!("its road ends {time:.1} s after the start")));
            }
            if self.is_over(&phase.until, &begin, pilot) {
                self.note_too_fast(phase);
                return Ok(None);
            }
        }
    }

    /// Gives the train the aids of this phase.
    fn give_aids(&mut self, phase: &Phase, ground: &mut ProvingGround) -> Result<()> {
        if matches!(phase.pedals, Pedals::Open { as_tires_bear: true, .. }) {
            if self.own_aids.is_none() {
                self.own_aids = Some(bear_pedals(&mut ground.train)?);
            }
        } else if let Some(own) = self.own_aids.take() {
            for (car, aids) in ground.train.iter_mut().zip(own) {
                car.vehicle.set_aids(aids)?;
            }
        }
        Ok(())
    }

    /// Notes how the vehicle is after a step.
    fn note(&mut self, ground: &ProvingGround, pilot: &Pilot) -> Result<()> {
        let (now, before) = (ground.motion(), self.last);
        let heading = |motion: &Motion| motion.forward.x.atan2(motion.forward.z);
        let turn = heading(&now) - heading(&before);
        let turn = turn.sin().atan2(turn.cos());
        self.progress.way += f64::from(now.position.distance(before.position));
        self.progress.turned += f64::from(turn);
        self.progress.wanted_speed = pilot.wanted_speed.into();
        self.progress.offset = pilot.offset.into();
        self.progress.energy += drive_power(ground.front()) * self.dt;
        self.last = now;
        self.rows.push(self.time(), ground, &self.progress)
    }

    /// Notes that a phase has ended before the vehicle was so slow as it says.
    fn note_too_fast(&mut self, phase: &Phase) {
        let speed = self.last.speed();
        if phase.until.speed_below.is_some_and(|limit| limit < f64::from(speed)) {
            let name = &phase.name;
            self.remarks
                .push(format!("it still goes {speed:.1} m/s at the end of phase \"{name}\""));
        }
    }

    fn is_over(&self, until: &Until, (start, begin): &(f64, Progress), pilot: &Pilot) -> bool {
        let motion = &self.last;
        let speed = f64::from(motion.speed());
        let time = self.time() - start;
        let reaches = |limit: Option<f64>, value: f64| limit.is_some_and(|limit| limit <= value);
        let lateral = speed * f64::from(motion.yaw_rate.abs());
        // Half a step, so that a time which steps do not divide ends after the nearest one.
        until.time <= time + 0.5 * self.dt
            || reaches(until.speed_above, speed)
            || until.speed_below.is_some_and(|limit| speed <= limit)
            || reaches(until.distance, self.progress.way - begin.way)
            || reaches(until.turned, (self.progress.turned - begin.turned).abs())
            || reaches(until.lateral_acceleration, lateral)
            || reaches(until.side_slip, f64::from(motion.side_slip().abs()))
            || until.steady.is_some_and(|steady| steady <= time && self.is_steady(steady))
            || pilot.has_passed()
    }

    /// Whether speed and yaw rate have been steady for so long (s).
    fn is_steady(&self, seconds: f64) -> bool {
        let count = (seconds / self.dt).ceil() as usize;
        let spread = |name: &str| {
            let values = self.rows.backwards(name).take(count);
            let (low, high) = values.fold((f64::INFINITY, -f64::INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            });
            (high - low, high.abs().max(low.abs()))
        };
        let (speeds, speed) = spread("speed");
        let (yaw_rates, yaw_rate) = spread("yaw rate");
        speeds < STEADY * speed && yaw_rates < STEADY * yaw_rate.max(LEAST_YAW_RATE)
    }
}

/// Puts the lever of the driven vehicle.
pub(super) fn select(ground: &mut ProvingGround, lever: Lever) {
    ground.train[0].select(match lever {
        Lever::Drive => Selector::Drive,
        Lever::Neutral => Selector::Neutral,
        Lever::Reverse => Selector::Reverse,
    });
}

/// Hands the driver's commands to the train.
fn apply(ground: &mut ProvingGround, commands: &Commands) {
    let [brake, hand_brake] = commands.brakes;
    ground.drive(commands.throttle, brake, commands.steer);
    ground.train[0].commands_mut().brakes[1] = hand_brake;
}
