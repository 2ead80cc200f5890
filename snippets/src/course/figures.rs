//! What a drive over the course comes to.

use rapier3d::prelude::*;

use crate::drive_summary::Figure;
use crate::measurements::Motion;

/// m/s of 10 km/h.
const TEN: Real = 10.0 / 3.6;
/// Tens of km/h of the speeds from and to which figures are given.
const HUNDRED: usize = 10;

/// What a drive over the course comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct CourseFigures {
    /// Time from standstill to 10, 20, ... km/h (s).
    pub launch_times: Vec<Real>,
    /// Speed from which the way to a stop is measured (km/h), a multiple of ten.
    pub stop_speed: Real,
    /// Way to a stop (m).
    pub stop_distance: Real,
    /// Cones of the slalom.
    pub cones: usize,
    /// Distance of two cones (m).
    pub cone_distance: Real,
    /// Cones that were moved.
    pub cones_hit: usize,
    /// Mean speed in the slalom, along the cones (m/s).
    pub slalom_speed: Real,
    /// How steep the hill is (rad).
    pub slope: Real,
    /// How far it has rolled back at the hill start (m).
    pub roll_back: Real,
    /// Largest speed (m/s).
    pub top_speed: Real,
    /// Time from the start to the end (s).
    pub duration: Real,
    /// Way (m).
    pub distance: Real,
    /// Whether the vehicle has got through; if not, only figures of the way there are shown.
    pub is_through: bool,
    pub(super) slalom_time: Real,
    on_hill: Motion,
    hill_pull: Real,
}

impl CourseFigures {
    pub(super) fn new(cones: usize, cone_distance: Real) -> Self {
        Self {
            launch_times: Vec::new(),
            stop_speed: 0.0,
            stop_distance: 0.0,
            cones,
            cone_distance,
            cones_hit: 0,
            slalom_speed: 0.0,
            slope: 0.0,
            roll_back: 0.0,
            top_speed: 0.0,
            duration: 0.0,
            distance: 0.0,
            is_through: true,
            slalom_time: 0.0,
            on_hill: Motion::default(),
            hill_pull: 0.0,
        }
    }

    /// From the first cone to the last (m).
    pub(super) fn slalom_length(&self) -> Real {
        self.cones.saturating_sub(1) as Real * self.cone_distance
    }

    /// What the hill pulls at the train (N).
    pub(super) fn hill_pull(&self) -> Real {
        self.hill_pull
    }

    /// Notes that the vehicle has moved in a step that ends at `time` (s).
    pub(super) fn moved(&mut self, time: Real, before: &Motion, now: &Motion) {
        let way = before.position.distance(now.position);
        (self.duration, self.distance) = (time, self.distance + way);
        self.top_speed = self.top_speed.max(now.forward_speed());
    }

    /// Notes that the vehicle has accelerated in a step of `dt` (s) that ends at `time` (s).
    pub(super) fn accelerated(&mut self, time: Real, dt: Real, before: Real, now: Real) {
        let next = TEN * (self.launch_times.len() + 1) as Real;
        if next <= now {
            let part = ((next - before) / (now - before)).clamp(0.0, 1.0);
            self.launch_times.push(time - dt + part * dt);
        }
    }

    /// Notes that the vehicle begins to stop from this speed (m/s).
    pub(super) fn begins_to_stop(&mut self, speed: Real) {
        let tens = ((speed / TEN) as usize).min(HUNDRED);
        self.stop_speed = 10.0 * tens as Real;
    }

    /// Notes that the vehicle has braked in a step.
    pub(super) fn braked(&mut self, before: &Motion, now: &Motion) {
        let [from, to] = [before.forward_speed(), now.forward_speed()];
        let start = self.stop_speed / 3.6;
        // The part of the step in which it was no faster than that.
        let part =
            if start < from { ((start - to) / (from - to).max(1e-6)).clamp(0.0, 1.0) } else { 1.0 };
        self.stop_distance += part * before.position.distance(now.position);
    }

    /// Notes that the vehicle stands on a hill of this `slope` (rad), which pulls so strongly (N).
    pub(super) fn stood_on_hill(&mut self, seen: Motion, slope: Real, pull: Real) {
        (self.slope, self.hill_pull, self.on_hill) = (slope, pull, seen);
    }

    /// Notes that the vehicle starts on the hill, and is there now.
    pub(super) fn rolled(&mut self, now: &Motion) {
        let back = (self.on_hill.position - now.position).dot(self.on_hill.forward);
        self.roll_back = self.roll_back.max(back);
    }

    /// Time from standstill (s) to 100 km/h, or to the last multiple of ten below (km/h) that was
    /// reached.
    pub fn launch(&self) -> Option<(Real, Real)> {
        let tens = self.launch_times.len().min(HUNDRED);
        let time = self.launch_times.get(tens.checked_sub(1)?)?;
        Some((10.0 * tens as Real, *time))
    }

    /// The figures to show, in order.
    pub fn figures(&self) -> Vec<Figure> {
        let kmh = |speed: Real| format!("{:.1}", 3.6 * speed);
        let launch = self.launch().map(|(speed, time)| {
            Figure::new(format!("0 to {speed} km/h"), format!("{time:.2}"), "s")
        });
        let slalom = format!(
            "slalom of {} cones, {:.0} m from one to the next",
            self.cones, self.cone_distance
        );
        let hill = format!("roll-back at the start on {:.1}°", self.slope.to_degrees());
        let stop = format!("{} to 0 km/h", self.stop_speed);
        if !self.is_through {
            let so_far = [
                Figure::new("fastest in this drive", kmh(self.top_speed), "km/h"),
                Figure::new("simulated time", format!("{:.1}", self.duration), "s"),
                Figure::new("distance", format!("{:.0}", self.distance), "m"),
            ];
            return launch.into_iter().chain(so_far).collect();
        }
        let rest = [
            Figure::new("fastest in this drive", kmh(self.top_speed), "km/h"),
            Figure::new(stop, format!("{:.1}", self.stop_distance), "m"),
            Figure::new(slalom, kmh(self.slalom_speed), "km/h"),
            Figure::new("cones hit", self.cones_hit.to_string(), ""),
            Figure::new(hill, format!("{:.1}", 100.0 * self.roll_back), "cm"),
            Figure::new("simulated time", format!("{:.1}", self.duration), "s"),
            Figure::new("distance", format!("{:.0}", self.distance), "m"),
        ];
        launch.into_iter().chain(rest).collect()
    }
}
