//! What a shaft answers to a torque, and how it divides one among its elements.

use super::law::Line;

/// What a shaft and all beyond it answer to a torque.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ShaftAnswer {
    /// The lines of all elements that hang on it, added.
    pub line: Line,
    /// Line of a shaft without inertia itself.
    bare: Line,
    /// The element with the stiffest line, by its place among those that hang on it; none of them
    /// where that is the line of the shaft itself.
    pub stiffest: usize,
    /// Torque that is passed into it from the root's side (N·m).
    pub passed: f64,
}

impl ShaftAnswer {
    /// What a shaft answers whose elements have these `lines`, and which has the line `bare`
    /// itself.
    #[inline]
    pub(super) fn of(lines: &[Line], bare: Line) -> Self {
        let (mut line, mut stiffest, mut most) = (Line::default(), usize::MAX, 0.0);
        for (place, of_element) in lines.iter().enumerate() {
            line += *of_element;
            if most < of_element.stiffness {
                (stiffest, most) = (place, of_element.stiffness);
            }
        }
        line += bare;
        let stiffest = if bare.stiffness < most { stiffest } else { usize::MAX };
        Self { line, bare, stiffest, passed: 0.0 }
    }

    /// Speed of a shaft to which nothing is passed (rad/s).
    #[inline]
    pub(super) fn turn_alone(&mut self) -> f64 {
        self.passed = 0.0;
        self.line.torque / self.line.stiffness
    }

    /// Torque into the elements that hang on it, together, at `speed` (rad/s).
    #[inline]
    pub(super) fn passed_on(&self, speed: f64) -> f64 {
        self.passed - self.bare.torque_at(speed)
    }

    /// This torque at `speed` (rad/s), divided among elements of these `lines` (N·m). The stiffest
    /// line gets what the others leave: its own would be a small difference.
    #[inline]
    pub(super) fn divided<const LINES: usize>(
        &self,
        lines: &[Line; LINES],
        speed: f64,
    ) -> [f64; LINES] {
        let (mut left, mut torques) = (self.passed_on(speed), [0.0; LINES]);
        for (place, (line, torque)) in lines.iter().zip(&mut torques).enumerate() {
            if place != self.stiffest {
                *torque = line.torque_at(speed);
                left -= *torque;
            }
        }
        if let Some(torque) = torques.get_mut(self.stiffest) {
            *torque = left;
        }
        torques
    }
}
