//! Channels of a run: those of every vehicle, and what follows from them.

use anyhow::Result;
use rapier3d::prelude::*;

use super::{axles, forces};
use crate::measurements::{Motion, ProvingGround};
use crate::telemetry::{Channel, Telemetry};
use crate::truck::TRAILER;
use crate::vehicle_choice::{add_train_values, train_channels};
use crate::wheel_names::wheel_names;

/// Mean angle of the wheels of the first steered axle.
pub(super) const STEER_ANGLE: &str = "steer angle";

/// Channels of the driven vehicle that are found in every step.
const OWN: [(&str, &str); 11] = [
    ("phase", ""),
    ("ahead", "m"),
    ("aside", "m"),
    ("way", "m"),
    ("turned", "rad"),
    ("side slip", "rad"),
    (STEER_ANGLE, "rad"),
    ("wanted speed", "m/s"),
    ("offset from the path", "m"),
    ("energy at the wheels", "J"),
    ("post", "m"),
];

/// Velocities of each vehicle (m/s), to the left and ahead as the driven one started, and up.
const VELOCITIES: [(&str, &str); 3] =
    [("velocity aside", "m/s"), ("velocity up", "m/s"), ("velocity ahead", "m/s")];

/// Channels that follow when the run is over, of each vehicle.
const DERIVED: [(&str, &str); 4] = [
    ("longitudinal acceleration", "m/s²"),
    ("lateral acceleration", "m/s²"),
    ("vertical acceleration", "m/s²"),
    ("roll rate", "rad/s"),
];

/// Steer angle beyond that of wheels which roll where they point: `δ_f - δ_r - l ω/v`, by the first
/// axle and those behind.
const UNDERSTEER: (&str, &str) = ("understeer angle", "rad");

/// Speed below which there is no understeer angle (m/s).
const ROLLS: f64 = 1.0;

/// Values of a step that follow from the steps before and from the driver.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Progress {
    /// Number of the phase, from 0 on.
    pub(super) phase: usize,
    /// Way, and angle turned to the left (m, rad).
    pub(super) way: f64,
    pub(super) turned: f64,
    /// Speed that the driver wants (m/s), and how far to the left of its path it is (m).
    pub(super) wanted_speed: f64,
    pub(super) offset: f64,
    /// Energy that the drive has given to the wheels (J).
    pub(super) energy: f64,
    /// Height of the posts that go up (m).
    pub(super) post: f64,
}

/// Where the run has begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    place: Vector,
    ahead: Vector,
}

impl Origin {
    pub(super) fn of(motion: &Motion) -> Self {
        let level = Vector::new(motion.forward.x, 0.0, motion.forward.z);
        Self { place: motion.position, ahead: level.normalize() }
    }

    /// How far to the left and ahead (m).
    fn seen(&self, vector: Vector) -> [f64; 2] {
        [Vector::Y.cross(self.ahead), self.ahead].map(|axis| f64::from(vector.dot(axis)))
    }
}

/// Rows of a run, one after each step.
pub(super) struct Rows {
    origin: Origin,
    channels: Vec<Channel>,
    rows: Vec<Vec<f64>>,
    vehicles: usize,
    wheel_base: f64,
    /// Angle between the wheels of the first axle and those behind, of each step (rad).
    turn_angles: Vec<f64>,
}

/// Start of the names of the channels of the vehicle of this number in the train.
fn prefix(vehicle: usize) -> &'static str {
    if vehicle == 0 { "" } else { TRAILER }
}

fn named(prefix: &str, (name, unit): (&str, &str)) -> Channel {
    Channel::new(format!("{prefix}{name}"), unit)
}

/// The channels that a run of the vehicle on `ground` has, in the end.
pub(super) fn channels(ground: &ProvingGround) -> Vec<Channel> {
    let mut channels = recorded(ground);
    channels.extend(derived(ground.train.len()));
    channels
}

fn recorded(ground: &ProvingGround) -> Vec<Channel> {
    let names = wheel_names(ground.front().mechanics().params);
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let mut channels = vec![Channel::new("time", "s")];
    channels.extend(OWN.map(|own| named("", own)));
    for vehicle in 0..ground.train.len() {
        channels.extend(VELOCITIES.map(|own| named(prefix(vehicle), own)));
    }
    channels.extend(train_channels(&ground.train, &names));
    channels.extend(forces::channels(ground.front(), &names));
    if !ground.posts.is_empty() {
        channels.extend(axles::channels());
    }
    channels
}

fn derived(vehicles: usize) -> impl Iterator<Item = Channel> {
    let of_each = (0..vehicles).flat_map(|vehicle| DERIVED.map(|own| named(prefix(vehicle), own)));
    of_each.chain([named("", UNDERSTEER)])
}

impl Rows {
    pub(super) fn new(ground: &ProvingGround) -> Self {
        Self {
            origin: Origin::of(&ground.motion()),
            channels: recorded(ground),
            rows: Vec::new(),
            vehicles: ground.train.len(),
            wheel_base: ground.wheel_base().into(),
            turn_angles: Vec::new(),
        }
    }

    /// Adds how the vehicle is at a time (s).
    pub(super) fn push(&mut self, time: f64, ground: &ProvingGround, at: &Progress) -> Result<()> {
        let motion = at_end(ground, 0);
        let [aside, ahead] = self.origin.seen(motion.position - self.origin.place);
        let side_slip = if f64::from(motion.speed()) < ROLLS { 0.0 } else { motion.side_slip() };
        let mut row = vec![time, at.phase as f64, ahead, aside, at.way, at.turned];
        row.extend([f64::from(side_slip), f64::from(ground.steer_angle())]);
        row.extend([at.wanted_speed, at.offset, at.energy, at.post]);
        for vehicle in 0..self.vehicles {
            let velocity = at_end(ground, vehicle).velocity;
            let [aside, ahead] = self.origin.seen(velocity);
            row.extend([aside, f64::from(velocity.y), ahead]);
        }
        add_train_values(&ground.train, &ground.world, &mut row)?;
        row.extend(forces::values(ground.front()));
        if !ground.posts.is_empty() {
            let (car, bodies) = (ground.front(), &ground.world.bodies);
            row.extend(axles::values(car, bodies, ground.steered_sides(), ground.wheel_base()));
        }
        for vehicle in 0..self.vehicles {
            let (seen, end) = (ground.motion_of(vehicle), at_end(ground, vehicle));
            let speeds = [&seen, &end].map(|motion| motion.velocity.length());
            for (name, more) in [
                ("speed", speeds[1] - speeds[0]),
                ("forward speed", end.forward_speed() - seen.forward_speed()),
                ("yaw rate", end.yaw_rate - seen.yaw_rate),
            ] {
                let name = format!("{}{name}", prefix(vehicle));
                let index = self.channels.iter().position(|channel| channel.name == name);
                if let Some(place) = index.and_then(|index| row.get_mut(index)) {
                    *place += f64::from(more);
                }
            }
        }
        self.rows.push(row);
        self.turn_angles.push(ground.turn_angle().into());
        Ok(())
    }

    /// The values of the channel of this name so far, the last one first.
    pub(super) fn backwards(&self, name: &str) -> impl Iterator<Item = f64> {
        let index = self.channels.iter().position(|channel| channel.name == name);
        self.rows.iter().rev().filter_map(move |row| row.get(index?).copied())
    }

    /// A steer angle is held through a step. Between two of them, it is their mean. So what answers
    /// it is measured from the middle of the time for which it is held.
    fn put_angles_between_steps(&mut self) {
        let Some(index) = self.channels.iter().position(|channel| channel.name == STEER_ANGLE)
        else {
            return;
        };
        for step in 1..self.rows.len() {
            let held = self.rows[step][index];
            let before = &mut self.rows[step - 1][index];
            *before = 0.5 * (*before + held);
            self.turn_angles[step - 1] =
                0.5 * (self.turn_angles[step - 1] + self.turn_angles[step]);
        }
    }

    /// All channels, with what follows from them.
    pub(super) fn telemetry(mut self) -> Result<Telemetry> {
        self.put_angles_between_steps();
        let index = |name: &str| self.channels.iter().position(|channel| channel.name == name);
        let column = |name: &str| -> Vec<f64> {
            let index = index(name);
            self.rows.iter().filter_map(|row| row.get(index?).copied()).collect()
        };
        let times = column("time");
        let mut columns = Vec::new();
        for vehicle in 0..self.vehicles {
            let of = |name: &str| column(&format!("{}{name}", prefix(vehicle)));
            let rate = |name: &str| slopes(&times, &of(name));
            let heading_at_start = of("heading").first().copied().unwrap_or(0.0);
            let (aside, ahead) = (rate("velocity aside"), rate("velocity ahead"));
            let turned: Vec<f64> =
                of("heading").iter().map(|heading| heading - heading_at_start).collect();
            let along = |(index, turned): (usize, &f64)| {
                let (sine, cosine) = turned.sin_cos();
                [
                    cosine * ahead[index] + sine * aside[index],
                    cosine * aside[index] - sine * ahead[index],
                ]
            };
            let level: Vec<[f64; 2]> = turned.iter().enumerate().map(along).collect();
            columns.push(level.iter().map(|each| each[0]).collect());
            columns.push(level.iter().map(|each| each[1]).collect());
            columns.push(rate("velocity up"));
            columns.push(rate("roll"));
        }
        let turns = column("yaw rate").into_iter().zip(column("forward speed"));
        let understeer = |(steer, (yaw_rate, speed)): (f64, (f64, f64))| {
            if speed < ROLLS { 0.0 } else { steer - self.wheel_base * yaw_rate / speed }
        };
        let angles = self.turn_angles.iter().copied();
        columns.push(angles.zip(turns).map(understeer).collect::<Vec<_>>());
        let channels = self.channels.iter().cloned().chain(derived(self.vehicles));
        let mut telemetry = Telemetry::new(channels)?;
        for (index, row) in self.rows.iter().enumerate() {
            let follows = columns.iter().filter_map(|column| column.get(index).copied());
            let row: Vec<f64> = row.iter().copied().chain(follows).collect();
            telemetry.push(&row)?;
        }
        Ok(telemetry)
    }
}

/// How the vehicle of this number in the train moves at the end of a step. Through that step, its
/// body in the world has gone by the mean of what it did.
///
/// ```text
/// v + (v_end - v̄)
/// ```
fn at_end(ground: &ProvingGround, vehicle: usize) -> Motion {
    let motion = ground.motion_of(vehicle);
    let body = &ground.train[vehicle].mechanics().state.rigid_body;
    let [linear, angular] = [
        body.linear_velocity - body.frame_linear_velocity,
        body.angular_velocity - body.frame_angular_velocity,
    ];
    let is_known = linear.is_finite() && angular.is_finite();
    let lead = if is_known { [linear, angular] } else { [Vector::ZERO; 2] };
    Motion { velocity: motion.velocity + lead[0], yaw_rate: motion.yaw_rate + lead[1].y, ..motion }
}

/// Slopes of values over times of equal distance: of the fourth order, and of less at both ends.
///
/// ```text
/// dx/dt = (8 (x₁ - x₋₁) - (x₂ - x₋₂))/12 h
/// ```
fn slopes(times: &[f64], values: &[f64]) -> Vec<f64> {
    let count = values.len();
    let slope = |index: usize| {
        let chord = |back: usize, on: usize| {
            let (first, last) = (index.saturating_sub(back), (index + on).min(count - 1));
            let time = times[last] - times[first];
            if time == 0.0 { 0.0 } else { (values[last] - values[first]) / time }
        };
        let is_inside = 2 <= index && index + 2 < count;
        if is_inside { (4.0 * chord(1, 1) - chord(2, 2)) / 3.0 } else { chord(1, 1) }
    };
    (0..count).map(slope).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_of_a_sine_are_its_cosine() {
        let times: Vec<f64> = (0..200).map(|step| f64::from(step) / 60.0).collect();
        let omega = std::f64::consts::TAU * 3.0;
        let values: Vec<f64> = times.iter().map(|time| (omega * time).sin()).collect();
        let slopes = slopes(&times, &values);
        for index in 2..198 {
            let expected = omega * (omega * times[index]).cos();
            assert!((slopes[index] - expected).abs() < 5e-4 * omega, "{index}: {}", slopes[index]);
        }
    }
}
