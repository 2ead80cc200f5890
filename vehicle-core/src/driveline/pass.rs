//! One pass over a driveline in given modes: up with lines, down with speeds and torques.

use super::LEAST_INERTIA;
use super::converter::LinearConverter;
use super::element::Element;
use super::law::{Law, Line};
use super::mode::{Compared, Mode};
use super::plan::{DrivelinePlan, Visit};
use super::solve::DrivelineSolution;

/// The system of one step.
#[derive(Clone, Copy)]
pub(super) struct System<'a> {
    pub plan: &'a DrivelinePlan,
    pub elements: &'a [Element],
    /// Speeds at the start (rad/s).
    pub start: &'a [f64],
    /// One over the step (1/s).
    pub per_dt: f64,
    /// For each element that is a converter, its lines.
    pub linearized: &'a [LinearConverter],
}

impl<'a> System<'a> {
    /// Solves the system as if all elements stayed in `modes`.
    pub(super) fn pass(&self, modes: &[Mode], solution: &mut DrivelineSolution) {
        for visit in self.plan.visits.iter().rev() {
            self.up(*visit, modes, solution);
        }
        for visit in &self.plan.visits {
            if visit.is_root {
                let line = solution.shaft_lines[visit.shaft];
                solution.speeds[visit.shaft] = line.torque / line.stiffness;
                solution.passed[visit.shaft] = 0.0;
            }
            self.down(*visit, modes, solution);
        }
        solution.passes += 1;
    }

    /// Numbers that modes of `element` compare in the last pass.
    #[inline]
    pub(super) fn compared(&self, element: usize, solution: &DrivelineSolution) -> Compared {
        let ports = self.plan.ports_of(element);
        let at = |port: usize| ports.get(port).map_or(0.0, |&shaft| solution.speeds[shaft]);
        let speeds = [at(0), at(1), at(2)];
        let torques = &solution.torques[self.plan.range_of(element)];
        self.elements[element].compared(self.start[ports[0]], speeds, torques)
    }

    /// The law of `element` in `mode`.
    #[inline]
    pub(super) fn law(&self, element: usize, mode: Mode) -> Law<'a> {
        let start = self.start[self.plan.ports_of(element)[0]];
        self.elements[element].law(mode, start, self.per_dt, &self.linearized[element])
    }

    /// Line of a shaft that has no inertia but the least.
    fn bare_line(&self, shaft: usize) -> Line {
        let stiffness = LEAST_INERTIA * self.per_dt;
        Line { stiffness, torque: stiffness * self.start[shaft] }
    }

    /// Adds the lines of all elements that hang on a shaft.
    fn up(&self, visit: Visit, modes: &[Mode], solution: &mut DrivelineSolution) {
        let mut sum = Line::default();
        let mut has_inertia = false;
        for hung in &self.plan.hung[visit.first..visit.end] {
            let element = &self.elements[hung.element];
            has_inertia |= matches!(element, Element::Inertia(inertia) if 0.0 < inertia.inertia);
            let ports = self.plan.ports_of(hung.element);
            let law = self.law(hung.element, modes[hung.element]);
            let line_at = |port: usize| solution.shaft_lines[ports[port]];
            let line = law.toward(hung.facing, ports.len(), line_at);
            solution.element_lines[hung.element] = line;
            sum += line;
        }
        let bare = if has_inertia { Line::default() } else { self.bare_line(visit.shaft) };
        sum += bare;
        solution.bare_lines[visit.shaft] = bare;
        solution.shaft_lines[visit.shaft] = sum;
    }

    /// Divides the torque that is passed into a shaft among the elements that hang on it, and
    /// passes it on.
    fn down(&self, visit: Visit, modes: &[Mode], solution: &mut DrivelineSolution) {
        let speed = solution.speeds[visit.shaft];
        let bare = solution.bare_lines[visit.shaft];
        let hung = &self.plan.hung[visit.first..visit.end];
        // The stiffest line gets what the others leave: its own would be a small difference.
        let (mut stiffest, mut most) = (usize::MAX, bare.stiffness);
        for hung in hung {
            let line = solution.element_lines[hung.element];
            if most < line.stiffness {
                (stiffest, most) = (hung.element, line.stiffness);
            }
        }
        let mut left = solution.passed[visit.shaft] - bare.torque_at(speed);
        for hung in hung.iter().filter(|hung| hung.element != stiffest) {
            left -= solution.element_lines[hung.element].torque_at(speed);
        }
        for hung in hung {
            let torque = if hung.element == stiffest {
                left
            } else {
                solution.element_lines[hung.element].torque_at(speed)
            };
            let range = self.plan.range_of(hung.element);
            solution.torques[range.start + hung.facing] = torque;
            let ports = self.plan.ports_of(hung.element);
            if 1 < ports.len() {
                let law = self.law(hung.element, modes[hung.element]);
                let ends = Ends {
                    ports,
                    shaft_lines: &solution.shaft_lines,
                    speeds: &mut solution.speeds,
                    passed: &mut solution.passed,
                    torques: &mut solution.torques[range],
                };
                law.away(hung.facing, speed, torque, ends);
            }
        }
    }
}

/// The ports of an element on the way down.
pub(super) struct Ends<'a> {
    pub ports: &'a [usize],
    shaft_lines: &'a [Line],
    speeds: &'a mut [f64],
    passed: &'a mut [f64],
    torques: &'a mut [f64],
}

impl Ends<'_> {
    /// Line of the shaft at `port`, without this element.
    #[inline]
    pub(super) fn line(&self, port: usize) -> Line {
        self.shaft_lines[self.ports[port]]
    }

    /// The shaft at `port` turns with `speed` (rad/s) and gets the torque `out` (N·m).
    #[inline]
    pub(super) fn set(&mut self, port: usize, speed: f64, out: f64) {
        let shaft = self.ports[port];
        self.speeds[shaft] = speed;
        self.passed[shaft] = out;
        self.torques[port] = -out;
    }
}
