//! The search for modes that agree with what they lead to.

use arrayvec::ArrayVec;

use super::element::Element;
use super::homotopy;
use super::mode::{Mode, Side};
use super::pass::System;
use super::plan::{DrivelineError, DrivelinePlan};
use super::solution::DrivelineSolution;
use crate::math::Clamped;

/// Most passes in which all elements that disagree change their modes at once.
const MOST_JOINT_PASSES: usize = 30;
/// Most times that converters are linearized in a step: three to seven in cars, more where a pump
/// without inertia starts far from its speed.
const MOST_ROUNDS: usize = 60;
/// Rounds after which a converter is linearized halfway to its new speeds: its law has kinks, at
/// which Newton's method may go to and fro.
const WHOLE_ROUNDS: usize = 20;
/// Most that the speeds of a converter grow from one round to the next: its lines say nothing about
/// speeds far away (dimensionless).
const MOST_GROWTH: f64 = 2.0;
/// Difference of a converter's torques from its lines at which they are its law, as a part of what
/// it could transmit at its speeds (dimensionless).
const CONVERTER_TOLERANCE: f64 = 1e-11;

/// How a step was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Passes that it took; 1 where the modes of the last step held on.
    pub passes: u32,
    /// Whether all modes agree with the solution. Otherwise the bound on passes was met, which
    /// needs numbers that contradict each other, such as brakes without limit on shafts that turn
    /// as one.
    pub is_consistent: bool,
    /// Whether modes had to be changed one at a time.
    pub was_followed: bool,
}

impl DrivelinePlan {
    /// Solves a step of `dt` (s) of `elements` on shafts that start with the speeds `start`
    /// (rad/s).
    ///
    /// `modes` has one mode per element: those of the last step or any others; afterwards, those of
    /// this one. `elements` must have passed [`Self::check`].
    ///
    /// # Errors
    ///
    /// If lists are not as long as the plan asks for or `dt` is not positive and finite, before
    /// anything changes.
    pub fn solve(
        &self,
        elements: &[Element],
        start: &[f64],
        dt: f64,
        modes: &mut [Mode],
        solution: &mut DrivelineSolution,
    ) -> Result<Outcome, DrivelineError> {
        self.check_ports(elements)?;
        for (list, got, expected) in [
            ("start", start.len(), self.shafts()),
            ("modes", modes.len(), self.elements()),
            ("solution.speeds", solution.speeds.len(), self.shafts()),
            ("solution.hung_lines", solution.hung_lines.len(), self.elements()),
            ("solution.torques", solution.torques.len(), self.ports()),
            ("solution.wheels", solution.wheels.len(), self.most_wheels()),
        ] {
            if expected != got {
                return Err(DrivelineError::Length { list, expected, got });
            }
        }
        if !(0.0 < dt && dt.is_finite()) {
            return Err(DrivelineError::TimeStep);
        }
        solution.passes = 0;
        let route = self.route(elements);
        let system = System { plan: self, route, elements, start, per_dt: 1.0 / dt };
        let has_converter = system.begin(modes, solution);
        let mut outcome = Outcome { passes: 0, is_consistent: false, was_followed: false };
        for round in 0..MOST_ROUNDS {
            let (is_consistent, was_followed) = system.search(modes, solution);
            outcome.was_followed |= was_followed;
            if !has_converter || !system.relinearize(solution, round) {
                outcome.is_consistent = is_consistent;
                break;
            }
        }
        system.settle(modes, solution);
        outcome.passes = solution.passes;
        Ok(outcome)
    }
}

impl System<'_> {
    /// Puts elements into modes that are possible, and linearizes converters at the speeds at the
    /// start; returns whether there are any.
    fn begin(&self, modes: &mut [Mode], solution: &mut DrivelineSolution) -> bool {
        for (place, wheel) in self.route.wheels.iter().zip(&mut solution.wheels) {
            if let Some(parts) = place.parts(self.elements) {
                wheel.begin(parts, self.start[place.shaft], self.per_dt);
                let [tire, brake] = place.modes(modes);
                place.set_modes(modes, [tire, wheel.possible(brake)]);
            }
        }
        let mut has_converter = false;
        for &index in &self.route.elements {
            let element = &self.elements[index];
            modes[index] = element.possible(modes[index]);
            if let Element::CapacityConverter(converter) = element {
                let [pump, turbine] =
                    [0, 1].map(|port| self.start[self.plan.ports_of(index)[port]]);
                solution.points[index] = [pump, turbine];
                solution.linearized[index] = converter.linearized(pump, turbine);
                has_converter = true;
            }
        }
        has_converter
    }

    /// Linearizes converters at the speeds of the last pass; returns whether their torques were not
    /// those of their law.
    fn relinearize(&self, solution: &mut DrivelineSolution, round: usize) -> bool {
        let mut has_changed = false;
        for &index in &self.route.elements {
            if let Element::CapacityConverter(converter) = &self.elements[index] {
                let ports = self.plan.ports_of(index);
                let speeds = [0, 1].map(|port| solution.speeds[ports[port]]);
                let [pump, turbine] = speeds;
                let (old_in, old_out) = solution.linearized[index].torques(pump, turbine);
                let (new_in, new_out) = converter.torques(pump, turbine);
                let size = converter.torque_size(pump, turbine);
                let change = (new_in - old_in).abs() + (new_out - old_out).abs();
                has_changed |= CONVERTER_TOLERANCE * size < change;
                let last = &mut solution.points[index];
                let part = if round < WHOLE_ROUNDS { 1.0 } else { 0.5 };
                let most = MOST_GROWTH * last[0].abs().max(last[1].abs()).max(1.0);
                for (at, speed) in last.iter_mut().zip(speeds) {
                    *at += part * (speed.clamped(-most, most) - *at);
                }
                solution.linearized[index] = converter.linearized(last[0], last[1]);
            }
        }
        has_changed
    }

    /// Gives shafts that are held exactly the speed that they are held at, and open differentials
    /// the mode that tells which output is faster.
    fn settle(&self, modes: &mut [Mode], solution: &mut DrivelineSolution) {
        for &index in &self.route.elements {
            let (ports, mode) = (self.plan.ports_of(index), &mut modes[index]);
            let side = mode.side;
            let target = match &self.elements[index] {
                Element::Differential(differential) if differential.is_open() => {
                    let is_first = solution.speeds[ports[2]] <= solution.speeds[ports[1]];
                    mode.side = if is_first { Side::Above } else { Side::Below };
                    continue;
                }
                Element::Brake(brake) if side == Side::Within && brake.has_modes() => brake.target,
                Element::SpeedRange(range) if side == Side::Above => range.high,
                Element::SpeedRange(range) if side == Side::Below => range.low,
                Element::Ratio(ratio) if side == Side::Within && ratio.efficiency < 1.0 => {
                    solution.speeds[ports[1]] = 0.0;
                    0.0
                }
                _ => continue,
            };
            solution.speeds[ports[0]] = target;
        }
        for (place, wheel) in self.route.wheels.iter().zip(&solution.wheels) {
            let [_, brake] = place.modes(modes);
            if let Some(speed) = wheel.held_speed(brake) {
                solution.speeds[place.shaft] = speed;
            }
        }
    }

    /// Finds modes that agree with the speeds and torques that they lead to. Returns whether they
    /// agree, and whether they were changed one at a time.
    fn search(&self, modes: &mut [Mode], solution: &mut DrivelineSolution) -> (bool, bool) {
        let mut seen = ArrayVec::<u64, MOST_JOINT_PASSES>::new();
        for _ in 0..MOST_JOINT_PASSES {
            self.pass(modes, solution);
            if self.all_stay(modes, solution) {
                return (true, false);
            }
            seen.push(fingerprint(modes));
            if self.change_modes(modes, solution) {
                return (true, false);
            }
            if seen.contains(&fingerprint(modes)) {
                break;
            }
        }
        (homotopy::follow(self, modes, solution), true)
    }

    /// Whether all elements stay in the modes that led to the last pass.
    fn all_stay(&self, modes: &[Mode], solution: &DrivelineSolution) -> bool {
        let mut wheels = self.route.wheels.iter().zip(&solution.wheels);
        let wheels_stay = wheels.all(|(place, wheel)| {
            let found = [solution.speeds[place.shaft], solution.torques[place.brake_port()]];
            wheel.stays(place.modes(modes), found, solution.floors())
        });
        let stays =
            |index: &usize| self.next_mode(*index, modes[*index], solution) == modes[*index];
        wheels_stay && self.route.elements.iter().all(stays)
    }

    /// Changes the modes of elements that do not agree with the last pass; returns whether all do.
    fn change_modes(&self, modes: &mut [Mode], solution: &DrivelineSolution) -> bool {
        let mut agree = true;
        for (place, wheel) in self.route.wheels.iter().zip(&solution.wheels) {
            let found = [solution.speeds[place.shaft], solution.torques[place.brake_port()]];
            let before = place.modes(modes);
            let next = wheel.next_modes(before, found, solution.floors());
            agree &= next[0].has_law_of(before[0]) && next[1].has_law_of(before[1]);
            place.set_modes(modes, next);
        }
        for &index in &self.route.elements {
            let next = self.next_mode(index, modes[index], solution);
            agree &= next.has_law_of(modes[index]);
            modes[index] = next;
        }
        agree
    }

    /// The mode of an element that follows on `mode`, which led to the last pass.
    #[inline]
    fn next_mode(&self, index: usize, mode: Mode, solution: &DrivelineSolution) -> Mode {
        let element = &self.elements[index];
        if !element.has_modes() {
            return mode;
        }
        element.next_mode(mode, &self.compared(index, solution), solution.floors())
    }
}

/// A number that is another for other modes (FNV-1a).
fn fingerprint(modes: &[Mode]) -> u64 {
    modes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, mode| {
        (hash ^ mode.number()).wrapping_mul(0x0100_0000_01b3)
    })
}
