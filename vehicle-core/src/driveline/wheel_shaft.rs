//! Wheels on shafts of their own: their passes are the same numbers as element by element.

use super::element::{Brake, TireElement};
use super::law::{Line, brake_line, inertia_line, tire_line};
use super::mode::{Floors, Mode, Side};
use super::plan::WheelParts;
use super::shaft::ShaftAnswer;

/// A wheel in a step, with its numbers in one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TurningWheel {
    /// Speed at the start (rad/s).
    start: f64,
    tire: TireElement,
    brake: Brake,
    /// Line of the shaft itself, if the wheel has no inertia.
    bare: Line,
    /// Lines of its elements, those of tire and brake in the modes of the last pass.
    lines: [Line; 3],
}

impl TurningWheel {
    /// A wheel before any step.
    pub(super) const STANDING: Self = Self {
        start: 0.0,
        tire: TireElement { stiffness: 0.0, torque: 0.0, max_torque: 0.0 },
        brake: Brake::against_housing(0.0),
        bare: Line { stiffness: 0.0, torque: 0.0 },
        lines: [Line { stiffness: 0.0, torque: 0.0 }; 3],
    };

    /// Begins a step of 1/`per_dt` (s) with a speed at its `start` (rad/s).
    #[inline]
    pub(super) fn begin(&mut self, parts: WheelParts<'_>, start: f64, per_dt: f64) {
        let WheelParts { inertia, tire, brake } = parts;
        (self.start, self.tire, self.brake) = (start, *tire, *brake);
        let has_inertia = 0.0 < inertia.inertia;
        self.bare = if has_inertia { Line::default() } else { Line::bare(start, per_dt) };
        self.lines[0] = inertia_line(inertia, start, per_dt);
    }

    /// The mode of its brake that is possible.
    #[inline]
    pub(super) fn possible(&self, brake: Mode) -> Mode {
        self.brake.possible(brake)
    }

    /// What its shaft answers with tire and brake in these modes.
    #[inline]
    pub(super) fn up(&mut self, [tire, brake]: [Mode; 2]) -> ShaftAnswer {
        self.lines[1] = tire_line(&self.tire, tire.side, self.start);
        self.lines[2] = brake_line(&self.brake, brake.side);
        ShaftAnswer::of(&self.lines, self.bare)
    }

    /// Torques into its elements at `speed` (rad/s), (N·m).
    #[inline]
    pub(super) fn down(&self, answer: &ShaftAnswer, speed: f64) -> [f64; 3] {
        answer.divided(&self.lines, speed)
    }

    /// Whether tire and brake stay in these modes, which led to a `speed` (rad/s) and a torque into
    /// the brake (N·m).
    #[inline]
    pub(super) fn stays(
        &self,
        modes: [Mode; 2],
        [speed, brake_torque]: [f64; 2],
        floors: Floors<'_>,
    ) -> bool {
        // Most tires grip, and most brakes are released.
        let is_gripping = modes[0].side == Side::Within && self.tire.can_grip(self.start, speed);
        (is_gripping && !self.brake.has_modes())
            || self.next_modes(modes, [speed, brake_torque], floors) == modes
    }

    /// The modes of tire and brake that follow on these, which led to a `speed` (rad/s) and a
    /// torque into the brake (N·m).
    #[inline]
    pub(super) fn next_modes(
        &self,
        [tire, brake]: [Mode; 2],
        [speed, brake_torque]: [f64; 2],
        floors: Floors<'_>,
    ) -> [Mode; 2] {
        let tire = self.tire.next_mode(tire, self.start, speed, floors);
        if self.brake.has_modes() {
            [tire, self.brake.next_mode(brake, brake_torque, speed, floors)]
        } else {
            [tire, brake]
        }
    }

    /// Speed at which its brake holds it, in this mode (rad/s).
    #[inline]
    pub(super) fn held_speed(&self, brake: Mode) -> Option<f64> {
        let holds = brake.side == Side::Within && self.brake.has_modes();
        holds.then_some(self.brake.target)
    }
}
