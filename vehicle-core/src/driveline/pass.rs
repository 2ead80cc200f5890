//! One pass over a driveline in given modes: up with lines, down with speeds and torques.

use super::converter::LinearConverter;
use super::element::Element;
use super::law::Line;
use super::mode::{Compared, Mode};
use super::plan::{DrivelinePlan, Hung, Route, Visit};
use super::shaft::ShaftAnswer;
use super::solution::DrivelineSolution;

/// The system of one step.
#[derive(Clone, Copy)]
pub(super) struct System<'a> {
    pub plan: &'a DrivelinePlan,
    pub route: &'a Route,
    pub elements: &'a [Element],
    /// Speeds at the start (rad/s).
    pub start: &'a [f64],
    /// One over the step (1/s).
    pub per_dt: f64,
}

impl System<'_> {
    /// Solves the system as if all elements stayed in `modes`.
    pub(super) fn pass(&self, modes: &[Mode], solution: &mut DrivelineSolution) {
        for (place, wheel) in self.route.wheels.iter().zip(&mut solution.wheels) {
            solution.shafts[place.shaft] = wheel.up(place.modes(modes));
        }
        for visit in self.route.visits.iter().rev() {
            self.up(visit, modes, solution);
        }
        for visit in &self.route.visits {
            if visit.is_root {
                solution.speeds[visit.shaft] = solution.shafts[visit.shaft].turn_alone();
            }
            self.down(visit, modes, solution);
        }
        for (place, wheel) in self.route.wheels.iter().zip(&solution.wheels) {
            let (shaft, speed) =
                (&mut solution.shafts[place.shaft], &mut solution.speeds[place.shaft]);
            if place.is_root {
                *speed = shaft.turn_alone();
            }
            let torques = wheel.down(shaft, *speed);
            solution.torques[place.port..place.port + 3].copy_from_slice(&torques);
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

    /// Adds the lines of all elements that hang on a shaft.
    fn up(&self, visit: &Visit, modes: &[Mode], solution: &mut DrivelineSolution) {
        let hung = &self.plan.hung[visit.first..visit.end];
        let lines = &mut solution.hung_lines[visit.first..visit.end];
        let start = self.start[visit.shaft];
        let mut has_inertia = false;
        for (hung, line) in hung.iter().zip(&mut *lines) {
            let element = &self.elements[hung.element];
            has_inertia |= matches!(element, Element::Inertia(inertia) if 0.0 < inertia.inertia);
            let mode = modes[hung.element];
            let of_one_port = element.line(mode.side, start, self.per_dt);
            *line = of_one_port
                .unwrap_or_else(|| self.toward(hung, mode, &solution.shafts, &solution.linearized));
        }
        let bare = if has_inertia { Line::default() } else { Line::bare(start, self.per_dt) };
        solution.shafts[visit.shaft] = ShaftAnswer::of(lines, bare);
    }

    /// Line of an element with several ports, given those of the shafts beyond it.
    #[inline]
    fn toward(
        &self,
        hung: &Hung,
        mode: Mode,
        shafts: &[ShaftAnswer],
        linearized: &[LinearConverter],
    ) -> Line {
        let ports = self.plan.ports_of_hung(hung);
        let law = self.elements[hung.element].law(mode, &linearized[hung.element]);
        let line_at = |port: usize| shafts[ports[port]].line;
        law.map_or(Line::default(), |law| law.toward(hung.facing, line_at))
    }

    /// Divides the torque that is passed into a shaft among the elements that hang on it, and
    /// passes it on.
    fn down(&self, visit: &Visit, modes: &[Mode], solution: &mut DrivelineSolution) {
        let (speed, shaft) = (solution.speeds[visit.shaft], &solution.shafts[visit.shaft]);
        let (stiffest, passed) = (shaft.stiffest, shaft.passed_on(speed));
        let lines = &solution.hung_lines[visit.first..visit.end];
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
                self.away(hung, speed, modes[hung.element], solution);
            }
        }
    }

    /// Passes speed (rad/s) and torque of an element's shaft on to the shafts beyond it.
    #[inline]
    fn away(&self, hung: &Hung, speed: f64, mode: Mode, solution: &mut DrivelineSolution) {
        let torque = solution.torques[hung.facing_port()];
        let ends = Ends {
            ports: self.plan.ports_of_hung(hung),
            shafts: &mut solution.shafts,
            speeds: &mut solution.speeds,
            torques: &mut solution.torques[hung.first_port..hung.end_port],
        };
        let linearized = &solution.linearized[hung.element];
        if let Some(law) = self.elements[hung.element].law(mode, linearized) {
            law.away(hung.facing, speed, torque, ends);
        }
    }
}

/// The ports of an element on the way down.
pub(super) struct Ends<'a> {
    pub ports: &'a [usize],
    shafts: &'a mut [ShaftAnswer],
    speeds: &'a mut [f64],
    torques: &'a mut [f64],
}

impl Ends<'_> {
    /// Line of the shaft at `port`, without this element.
    #[inline]
    pub(super) fn line(&self, port: usize) -> Line {
        self.shafts[self.ports[port]].line
    }

    /// The shaft at `port` turns with `speed` (rad/s) and gets the torque `out` (N·m).
    #[inline]
    pub(super) fn set(&mut self, port: usize, speed: f64, out: f64) {
        let shaft = self.ports[port];
        self.speeds[shaft] = speed;
        self.shafts[shaft].passed = out;
        self.torques[port] = -out;
    }
}
