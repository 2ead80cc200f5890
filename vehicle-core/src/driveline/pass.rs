//! One pass over a driveline in given modes: up with lines, down with speeds and torques.

use super::LEAST_INERTIA;
use super::converter::LinearConverter;
use super::element::Element;
use super::law::Line;
use super::mode::{Compared, Mode};
use super::plan::{DrivelinePlan, Hung, Visit};
use super::solution::DrivelineSolution;

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

impl System<'_> {
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

    /// Line of a shaft that has no inertia but the least.
    fn bare_line(&self, shaft: usize) -> Line {
        let stiffness = LEAST_INERTIA * self.per_dt;
        Line { stiffness, torque: stiffness * self.start[shaft] }
    }

    /// Adds the lines of all elements that hang on a shaft.
    fn up(&self, visit: Visit, modes: &[Mode], solution: &mut DrivelineSolution) {
        let hung = visit.first..visit.end;
        let (has_inertia, lines) = if let Some(wheel) = self.wheel_on(&visit) {
            let lines = wheel.lines(self, modes);
            solution.hung_lines[hung].copy_from_slice(&lines);
            (wheel.has_inertia(), sum_of(&lines))
        } else {
            let has_inertia = self.find_lines(visit, modes, solution);
            (has_inertia, sum_of(&solution.hung_lines[hung]))
        };
        let LineSum { mut sum, stiffest, most } = lines;
        let bare = if has_inertia { Line::default() } else { self.bare_line(visit.shaft) };
        sum += bare;
        solution.stiffest[visit.shaft] = if bare.stiffness < most { stiffest } else { usize::MAX };
        solution.bare_lines[visit.shaft] = bare;
        solution.shaft_lines[visit.shaft] = sum;
    }

    /// Finds the lines of all elements that hang on a shaft; returns whether it has an inertia.
    fn find_lines(&self, visit: Visit, modes: &[Mode], solution: &mut DrivelineSolution) -> bool {
        let hung = &self.plan.hung[visit.first..visit.end];
        let lines = &mut solution.hung_lines[visit.first..visit.end];
        let start = self.start[visit.shaft];
        let mut has_inertia = false;
        for (hung, line) in hung.iter().zip(lines) {
            let element = &self.elements[hung.element];
            has_inertia |= matches!(element, Element::Inertia(inertia) if 0.0 < inertia.inertia);
            let mode = modes[hung.element];
            let of_one_port = element.line(mode.side, start, self.per_dt);
            *line = of_one_port.unwrap_or_else(|| self.toward(*hung, mode, &solution.shaft_lines));
        }
        has_inertia
    }

    /// Line of an element with several ports, given those of the shafts beyond it.
    #[inline]
    fn toward(&self, hung: Hung, mode: Mode, shaft_lines: &[Line]) -> Line {
        let ports = self.plan.ports_of(hung.element);
        let law = self.elements[hung.element].law(mode, &self.linearized[hung.element]);
        let line_at = |port: usize| shaft_lines[ports[port]];
        law.map_or(Line::default(), |law| law.toward(hung.facing, ports.len(), line_at))
    }

    /// Divides the torque that is passed into a shaft among the elements that hang on it, and
    /// passes it on.
    fn down(&self, visit: Visit, modes: &[Mode], solution: &mut DrivelineSolution) {
        let speed = solution.speeds[visit.shaft];
        let lines = &solution.hung_lines[visit.first..visit.end];
        let stiffest = solution.stiffest[visit.shaft];
        let of_shaft = solution.bare_lines[visit.shaft].torque_at(speed);
        let passed = solution.passed[visit.shaft] - of_shaft;
        if let (Some(wheel), [inertia, tire, brake]) = (self.wheel_on(&visit), lines) {
            let torques = divided(&[*inertia, *tire, *brake], stiffest, speed, passed);
            wheel.torques_of(&mut solution.torques).copy_from_slice(&torques);
            return;
        }
        let hung = &self.plan.hung[visit.first..visit.end];
        let mut left = passed;
        for (place, (hung, line)) in hung.iter().zip(lines).enumerate() {
            if place != stiffest {
                let torque = line.torque_at(speed);
                left -= torque;
                solution.torques[hung.facing_port()] = torque;
            }
        }
        if let Some(hung) = hung.get(stiffest) {
            solution.torques[hung.facing_port()] = left;
        }
        if visit.leads_on {
            for hung in hung.iter().filter(|hung| hung.leads_on()) {
                self.away(*hung, speed, modes[hung.element], solution);
            }
        }
    }

    /// Passes speed (rad/s) and torque of an element's shaft on to the shafts beyond it.
    #[inline]
    fn away(&self, hung: Hung, speed: f64, mode: Mode, solution: &mut DrivelineSolution) {
        let torque = solution.torques[hung.facing_port()];
        let ends = Ends {
            ports: self.plan.ports_of(hung.element),
            shaft_lines: &solution.shaft_lines,
            speeds: &mut solution.speeds,
            passed: &mut solution.passed,
            torques: &mut solution.torques[hung.first_port..hung.end_port],
        };
        if let Some(law) = self.elements[hung.element].law(mode, &self.linearized[hung.element]) {
            law.away(hung.facing, speed, torque, ends);
        }
    }
}

/// Lines of a shaft, added.
struct LineSum {
    sum: Line,
    /// Place of the stiffest of them.
    stiffest: usize,
    /// Stiffness of that (N·m·s).
    most: f64,
}

#[inline]
fn sum_of(lines: &[Line]) -> LineSum {
    let mut all = LineSum { sum: Line::default(), stiffest: usize::MAX, most: 0.0 };
    for (place, line) in lines.iter().enumerate() {
        all.sum += *line;
        if all.most < line.stiffness {
            (all.stiffest, all.most) = (place, line.stiffness);
        }
    }
    all
}

/// The torque that is `passed` into a shaft at `speed` (rad/s), divided among elements of these
/// `lines` (N·m). The stiffest line gets what the others leave: its own would be a small
/// difference.
#[inline]
fn divided<const LINES: usize>(
    lines: &[Line; LINES],
    stiffest: usize,
    speed: f64,
    passed: f64,
) -> [f64; LINES] {
    let (mut left, mut torques) = (passed, [0.0; LINES]);
    for (place, (line, torque)) in lines.iter().zip(&mut torques).enumerate() {
        if place != stiffest {
            *torque = line.torque_at(speed);
            left -= *torque;
        }
    }
    if let Some(torque) = torques.get_mut(stiffest) {
        *torque = left;
    }
    torques
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
