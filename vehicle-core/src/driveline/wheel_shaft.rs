//! Shafts on which a wheel is all that hangs: most of a car's driveline. Their passes are the same
//! numbers without asking element by element of which kind it is.

use super::element::{Brake, Element, Inertia, TireElement};
use super::law::{Line, brake_line, inertia_line, tire_line};
use super::mode::{Floors, Mode};
use super::pass::System;
use super::plan::Visit;
use super::solution::DrivelineSolution;

/// A wheel that is all that hangs on its shaft.
#[derive(Clone, Copy)]
pub(super) struct WheelShaft<'a> {
    shaft: usize,
    /// Number of its first element.
    first: usize,
    /// Place of the first element's port in the list of all.
    first_port: usize,
    inertia: &'a Inertia,
    tire: &'a TireElement,
    brake: &'a Brake,
}

impl<'a> System<'a> {
    /// The wheel on the shaft of `visit`, if nothing else is on it.
    #[inline]
    pub(super) fn wheel_on(&self, visit: &Visit) -> Option<WheelShaft<'a>> {
        let three = visit.three?;
        let elements = self.elements.get(three.element..three.element + 3)?;
        let [Element::Inertia(inertia), Element::Tire(tire), Element::Brake(brake)] = elements
        else {
            return None;
        };
        let (shaft, first, first_port) = (visit.shaft, three.element, three.first_port);
        Some(WheelShaft { shaft, first, first_port, inertia, tire, brake })
    }
}

impl WheelShaft<'_> {
    /// Whether the shaft has an inertia.
    #[inline]
    pub(super) fn has_inertia(&self) -> bool {
        0.0 < self.inertia.inertia
    }

    /// Lines of its elements.
    #[inline]
    pub(super) fn lines(&self, system: &System<'_>, modes: &[Mode]) -> [Line; 3] {
        let (start, modes) = (system.start[self.shaft], &modes[self.first..self.first + 3]);
        [
            inertia_line(self.inertia, start, system.per_dt),
            tire_line(self.tire, modes[1].side, start),
            brake_line(self.brake, modes[2].side),
        ]
    }

    /// The torques into its elements.
    #[inline]
    pub(super) fn torques_of<'b>(&self, torques: &'b mut [f64]) -> &'b mut [f64] {
        &mut torques[self.first_port..self.first_port + 3]
    }

    /// Changes the modes of tire and brake that do not agree with the last pass; returns whether
    /// all do.
    #[inline]
    pub(super) fn change_modes(
        &self,
        system: &System<'_>,
        solution: &DrivelineSolution,
        floors: Floors,
        modes: &mut [Mode],
    ) -> bool {
        let (start, speed) = (system.start[self.shaft], solution.speeds[self.shaft]);
        let modes = &mut modes[self.first..self.first + 3];
        let next = self.tire.next_mode(modes[1], start, speed, floors);
        let mut agree = next.has_law_of(modes[1]);
        modes[1] = next;
        if self.brake.has_modes() {
            let torque = solution.all_torques()[self.first_port + 2];
            let next = self.brake.next_mode(modes[2], torque, speed, floors);
            agree &= next.has_law_of(modes[2]);
            modes[2] = next;
        }
        agree
    }
}
