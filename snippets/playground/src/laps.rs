//! Laps of a circuit: gates that a vehicle passes in order, and the times that it takes.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};

use crate::DT;

/// Number of parts of a lap that are timed.
pub const SECTORS: usize = 3;

/// A gate across a road.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// Middle of the gate, to the left and ahead in the world (m).
    pub point: [Real; 2],
    /// The way through it (unit vector).
    pub forward: [Real; 2],
    /// Half of its width (m).
    pub half_width: Real,
}

/// How a gate was passed, and at which part of the step, in [0, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
enum Passage {
    Forward(Real),
    Backward,
}

impl Gate {
    pub(crate) fn new(point: [Real; 2], forward: [Real; 2], half_width: Real) -> Self {
        Self { point, forward, half_width }
    }

    /// How far a point is ahead of it, and to the left of its middle (m).
    fn seen(&self, point: Vector) -> [Real; 2] {
        let ([x, z], [ahead_x, ahead_z]) = (self.point, self.forward);
        let (x, z) = (point.x - x, point.z - z);
        [x * ahead_x + z * ahead_z, x * ahead_z - z * ahead_x]
    }

    /// How the way between two points (m) leads through it, if it does.
    fn passage(&self, from: Vector, to: Vector) -> Option<Passage> {
        let ([before, left], [after, left_after]) = (self.seen(from), self.seen(to));
        if (before < 0.0) == (after < 0.0) {
            return None;
        }
        let share = before / (before - after);
        let place = left + share * (left_after - left);
        let is_within = place.abs() <= self.half_width;
        let passage = if before < 0.0 { Passage::Forward(share) } else { Passage::Backward };
        is_within.then_some(passage)
    }
}

/// The time of a lap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lap {
    /// From the line to the line (s).
    pub time: Real,
    /// Times of its sectors (s).
    pub sectors: [Real; SECTORS],
}

/// What stands on a lap timer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LapTimes {
    /// Time since the line (s), while a lap is driven.
    pub current: Option<Real>,
    /// Times of the sectors of this lap that are complete (s).
    pub sectors: Vec<Real>,
    /// Whether a gate of this lap has been left out: the lap does not count unless the vehicle goes
    /// back to it.
    pub has_missed: bool,
    /// Number of complete laps.
    pub count: u32,
    /// The last complete lap.
    pub last: Option<Lap>,
    /// The fastest lap of this vehicle in this world.
    pub best: Option<Lap>,
}

/// What has happened to a lap in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LapEvent {
    /// One has begun, so long before the end of the step (s).
    Begun(Real),
    /// One is complete, and the next has begun.
    Completed(Lap, Real),
}

/// A lap timer. A lap goes through all gates in their order, from the first one, the line, to the
/// line. A gate that is passed backward is to be passed again; whoever passes the line backward
/// begins anew.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LapTimer {
    gates: Vec<Gate>,
    pub(crate) times: LapTimes,
    /// Where the vehicle was (m), unless it has been put elsewhere.
    before: Option<Vector>,
    /// The gate that comes next.
    next: usize,
    /// Time since the line (s): that of single steps would lose digits.
    elapsed: f64,
}

impl LapTimer {
    pub(crate) fn new(gates: Vec<Gate>) -> Self {
        Self { gates, times: LapTimes::default(), before: None, next: 0, elapsed: 0.0 }
    }

    /// The vehicle has been put elsewhere: no lap is driven.
    pub(crate) fn reset(&mut self) {
        self.before = None;
        self.stop();
    }

    fn stop(&mut self) {
        self.times.current = None;
        self.times.sectors.clear();
        self.times.has_missed = false;
    }

    /// Follows a vehicle that is at `place` (m) after a step.
    pub(crate) fn step(&mut self, place: Vector) -> Option<LapEvent> {
        let from = self.before.replace(place)?;
        self.elapsed += f64::from(DT);
        self.times.current = self.times.current.map(|_| self.elapsed as Real);
        let passed = self.gates.iter().map(|gate| gate.passage(from, place));
        let (number, passage) = passed.enumerate().find_map(|(number, it)| Some((number, it?)))?;
        match passage {
            Passage::Forward(share) => self.pass(number, (1.0 - share) * DT),
            Passage::Backward => {
                self.pass_backward(number);
                None
            }
        }
    }

    /// A gate was passed so long before the end of the step (s).
    fn pass(&mut self, number: usize, since: Real) -> Option<LapEvent> {
        let is_next = number == self.next;
        if number == 0 {
            let lap = (self.times.current.is_some() && is_next).then(|| self.complete(since));
            self.stop();
            (self.next, self.elapsed) = (1, f64::from(since));
            self.times.current = Some(since);
            return Some(lap.map_or(LapEvent::Begun(since), |lap| LapEvent::Completed(lap, since)));
        }
        if self.times.current.is_some() {
            self.times.has_missed |= self.next != 0 && self.next < number;
            if is_next {
                self.times.has_missed = false;
                self.next = (number + 1) % self.gates.len();
                if self.ends_sector(number) {
                    self.end_sector(since);
                }
            }
        }
        None
    }

    fn pass_backward(&mut self, number: usize) {
        if number == 0 {
            self.stop();
        } else if (number + 1) % self.gates.len() == self.next {
            self.next = number;
            if self.ends_sector(number) {
                self.times.sectors.pop();
            }
        }
    }

    /// Whether a sector ends at a gate; the last one ends at the line.
    fn ends_sector(&self, gate: usize) -> bool {
        gate.is_multiple_of((self.gates.len() / SECTORS).max(1))
    }

    fn end_sector(&mut self, since: Real) {
        let time = (self.elapsed - f64::from(since)) as Real;
        let before: Real = self.times.sectors.iter().sum();
        self.times.sectors.push(time - before);
    }

    fn complete(&mut self, since: Real) -> Lap {
        self.end_sector(since);
        let mut sectors = [0.0; SECTORS];
        for (sector, time) in sectors.iter_mut().zip(&self.times.sectors) {
            *sector = *time;
        }
        let lap = Lap { time: (self.elapsed - f64::from(since)) as Real, sectors };
        self.times.count += 1;
        self.times.last = Some(lap);
        lap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gates around the corners of a square of 20 m, which is driven around to the left.
    fn timer() -> LapTimer {
        let gates =
            [([-10.0, 0.0], [0.0, 1.0]), ([0.0, 10.0], [1.0, 0.0]), ([10.0, 0.0], [0.0, -1.0])];
        LapTimer::new(gates.map(|(point, forward)| Gate::new(point, forward, 4.0)).into())
    }

    /// Drives along corners in steps of 0.25 m; what has happened.
    fn drive(timer: &mut LapTimer, corners: &[[Real; 2]]) -> Vec<LapEvent> {
        let mut events = Vec::new();
        for pair in corners.windows(2) {
            let [from, to] = [0, 1].map(|end| Vector::new(pair[end][0], 0.0, pair[end][1]));
            let count = (4.0 * from.distance(to)).round() as usize;
            for step in 1..=count {
                events.extend(timer.step(from.lerp(to, step as Real / count as Real)));
            }
        }
        events
    }

    const ROUND: [[Real; 2]; 6] = [
        [-10.0, -3.25],
        [-10.0, 10.0],
        [10.0, 10.0],
        [10.0, -10.0],
        [-10.0, -10.0],
        [-10.0, -3.25],
    ];

    fn completed(events: &[LapEvent]) -> Vec<Lap> {
        let lap = |event: &LapEvent| match event {
            LapEvent::Completed(lap, _) => Some(*lap),
            LapEvent::Begun(_) => None,
        };
        events.iter().filter_map(lap).collect()
    }

    #[test]
    fn a_lap_is_timed_from_line_to_line_to_a_part_of_a_step() {
        let mut timer = timer();
        let events = drive(&mut timer, &ROUND);
        assert!(completed(&events).is_empty() && timer.times.current.is_some(), "{events:?}");
        let events = drive(&mut timer, &ROUND);
        let laps = completed(&events);
        // 80 m in steps of 0.25 m.
        let expected = 320.0 * DT;
        assert_eq!(laps.len(), 1);
        assert!((laps[0].time - expected).abs() < 1e-4, "{:?}, {expected}", laps[0]);
        let sum: Real = laps[0].sectors.iter().sum();
        assert!((sum - expected).abs() < 1e-4, "{:?}", laps[0]);
        assert!((laps[0].sectors[0] - 80.0 * DT).abs() < 1e-4, "{:?}", laps[0]);
        assert_eq!((timer.times.count, timer.times.last), (1, Some(laps[0])));
    }

    #[test]
    fn short_cuts_and_laps_driven_backward_do_not_count() {
        let mut cut = timer();
        let events = drive(
            &mut cut,
            &[[-10.0, -3.0], [-10.0, 3.0], [0.0, 3.0], [0.0, -10.0], [-10.0, -10.0], [-10.0, 3.0]],
        );
        assert!(completed(&events).is_empty() && events.len() == 2, "{events:?}");
        let mut backward = timer();
        let mut way = [ROUND, ROUND].concat();
        way.reverse();
        let events = drive(&mut backward, &way);
        assert!(events.is_empty() && backward.times.current.is_none(), "{events:?}");
        // To and fro over the line.
        let mut turning = timer();
        let there = [[-10.0, -3.0], [-10.0, 3.0], [-10.0, -3.0], [-10.0, 3.0]];
        let events = drive(&mut turning, &there);
        assert!(completed(&events).is_empty(), "{events:?}");
        assert!(turning.times.current.is_some_and(|time| time < 0.21), "{:?}", turning.times);
    }

    #[test]
    fn who_has_missed_a_gate_may_go_back_to_it() {
        let mut timer = timer();
        // Beside the second gate, through the third one, back, and around again.
        let astray = [[-10.0, -3.0], [-10.0, 2.0], [10.0, 2.0], [10.0, -3.0]];
        drive(&mut timer, &astray);
        assert!(timer.times.has_missed, "{:?}", timer.times);
        let back = [[10.0, -3.0], [10.0, 2.0], [-10.0, 2.0], [-10.0, 10.0], [10.0, 10.0]];
        drive(&mut timer, &back);
        assert!(!timer.times.has_missed, "{:?}", timer.times);
        let home = [[10.0, 10.0], [10.0, -10.0], [-10.0, -10.0], [-10.0, 3.0]];
        assert_eq!(completed(&drive(&mut timer, &home)).len(), 1);
    }

    #[test]
    fn a_car_that_is_put_elsewhere_drives_no_lap() {
        let mut timer = timer();
        drive(&mut timer, &ROUND);
        timer.reset();
        let events = drive(&mut timer, &ROUND);
        assert!(completed(&events).is_empty(), "{events:?}");
    }
}
