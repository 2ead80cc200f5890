//! The search for modes that agree with what they lead to.

use super::converter::LinearConverter;
use super::element::Element;
use super::mode::{Floors, Mode, Side};
use super::pass::System;
use super::plan::{DrivelineError, DrivelinePlan, Visit};
use super::solution::DrivelineSolution;
use super::{CREEP, homotopy};
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
/// Size of rounding, as a part of the largest torque and speed (dimensionless).
const ROUNDING: f64 = 1e-13;

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
        ] {
            if expected != got {
                return Err(DrivelineError::Length { list, expected, got });
            }
        }
        if !(0.0 < dt && dt.is_finite()) {
            return Err(DrivelineError::TimeStep);
        }
        for (mode, element) in modes.iter_mut().zip(elements) {
            *mode = element.possible(*mode);
        }
        solution.passes = 0;
        let mut linearized = std::mem::take(&mut solution.linearized);
        let has_converter = self.linearize(elements, start, solution, &mut linearized);
        let mut outcome = Outcome { passes: 0, is_consistent: false, was_followed: false };
        for round in 0..MOST_ROUNDS {
            let per_dt = 1.0 / dt;
            let system = System { plan: self, elements, start, per_dt, linearized: &linearized };
            let (is_consistent, was_followed) = system.search(modes, solution);
            outcome.was_followed |= was_followed;
            if !has_converter || !self.relinearize(elements, solution, &mut linearized, round) {
                outcome.is_consistent = is_consistent;
                break;
            }
        }
        solution.linearized = linearized;
        self.settle(elements, modes, solution);
        outcome.passes = solution.passes;
        Ok(outcome)
    }

    /// Linearizes converters at `speeds`; returns whether there are any.
    fn linearize(
        &self,
        elements: &[Element],
        speeds: &[f64],
        solution: &mut DrivelineSolution,
        linearized: &mut [LinearConverter],
    ) -> bool {
        let mut has_converter = false;
        for (index, element) in elements.iter().enumerate() {
            if let Element::CapacityConverter(converter) = element {
                let [pump, turbine] = [0, 1].map(|port| speeds[self.ports_of(index)[port]]);
                solution.points[index] = [pump, turbine];
                linearized[index] = converter.linearized(pump, turbine);
                has_converter = true;
            }
        }
        has_converter
    }

    /// Linearizes converters at the speeds of the last pass; returns whether their torques were not
    /// those of their law.
    fn relinearize(
        &self,
        elements: &[Element],
        solution: &mut DrivelineSolution,
        linearized: &mut [LinearConverter],
        round: usize,
    ) -> bool {
        let mut has_changed = false;
        for (index, element) in elements.iter().enumerate() {
            if let Element::CapacityConverter(converter) = element {
                let speeds = [0, 1].map(|port| solution.speeds[self.ports_of(index)[port]]);
                let [pump, turbine] = speeds;
                let (old_in, old_out) = linearized[index].torques(pump, turbine);
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
                linearized[index] = converter.linearized(last[0], last[1]);
            }
        }
        has_changed
    }

    /// Gives shafts that are held exactly the speed that they are held at, and open differentials
    /// the mode that tells which output is faster.
    fn settle(&self, elements: &[Element], modes: &mut [Mode], solution: &mut DrivelineSolution) {
        for (index, (element, mode)) in elements.iter().zip(modes).enumerate() {
            let side = mode.side;
            let target = match element {
                Element::Differential(differential) if differential.is_open() => {
                    let ports = self.ports_of(index);
                    let is_first = solution.speeds[ports[2]] <= solution.speeds[ports[1]];
                    mode.side = if is_first { Side::Above } else { Side::Below };
                    continue;
                }
                Element::Brake(brake) if side == Side::Within && brake.low < brake.high => {
                    brake.target
                }
                Element::SpeedRange(range) if side == Side::Above => range.high,
                Element::SpeedRange(range) if side == Side::Below => range.low,
                Element::Ratio(ratio) if side == Side::Within && ratio.efficiency < 1.0 => {
                    solution.speeds[self.ports_of(index)[1]] = 0.0;
                    0.0
                }
                _ => continue,
            };
            solution.speeds[self.ports_of(index)[0]] = target;
        }
    }
}

impl System<'_> {
    /// Finds modes that agree with the speeds and torques that they lead to. Returns whether they
    /// agree, and whether they were changed one at a time.
    fn search(&self, modes: &mut [Mode], solution: &mut DrivelineSolution) -> (bool, bool) {
        let mut seen = [0; MOST_JOINT_PASSES];
        for pass in 0..MOST_JOINT_PASSES {
            seen[pass] = fingerprint(modes);
            if seen[..pass].contains(&seen[pass]) {
                break;
            }
            self.pass(modes, solution);
            let floors = self.floors(solution);
            let mut agree = true;
            for visit in &self.plan.visits {
                agree &= match self.wheel_on(visit) {
                    Some(wheel) => wheel.change_modes(self, solution, floors, modes),
                    None => self.change_modes(visit, solution, floors, modes),
                };
            }
            if agree {
                return (true, false);
            }
        }
        (homotopy::follow(self, modes, solution), true)
    }

    /// Changes the modes of elements on the shaft of `visit` that do not agree with the last pass;
    /// returns whether all do.
    fn change_modes(
        &self,
        visit: &Visit,
        solution: &DrivelineSolution,
        floors: Floors,
        modes: &mut [Mode],
    ) -> bool {
        let mut agree = true;
        for hung in &self.plan.hung[visit.first..visit.end] {
            let (element, mode) = (&self.elements[hung.element], &mut modes[hung.element]);
            if element.has_modes() {
                let compared = self.compared(hung.element, solution);
                let next = element.next_mode(*mode, &compared, floors);
                agree &= next.has_law_of(*mode);
                *mode = next;
            }
        }
        agree
    }

    /// Size of rounding in the last pass.
    pub(super) fn floors(&self, solution: &DrivelineSolution) -> Floors {
        let larger = |most: f64, x: &f64| if most < x.abs() { x.abs() } else { most };
        let largest = |numbers: &[f64]| numbers.iter().fold(0.0, larger);
        Floors {
            torque: ROUNDING * largest(&solution.torques),
            speed: ROUNDING * largest(&solution.speeds) + CREEP * CREEP,
        }
    }
}

/// A number that is another for other modes (FNV-1a).
fn fingerprint(modes: &[Mode]) -> u64 {
    modes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, mode| {
        (hash ^ mode.number()).wrapping_mul(0x0100_0000_01b3)
    })
}
