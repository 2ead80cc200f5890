//! What a step of a driveline finds, and the room to find it.

use super::converter::LinearConverter;
use super::law::Line;
use super::mode::{Compared, Floors};
use super::plan::DrivelinePlan;
use super::shaft::ShaftAnswer;
use super::wheel_shaft::TurningWheel;

/// Speeds and torques at the end of a step, and room to find them: nothing is allocated in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivelineSolution {
    /// Speed of each shaft (rad/s).
    pub speeds: Vec<f64>,
    /// Torque into the element at each port, element by element (N·m).
    pub(super) torques: Vec<f64>,
    pub(super) shafts: Vec<ShaftAnswer>,
    /// Lines of elements, in the order in which they hang on shafts.
    pub(super) hung_lines: Vec<Line>,
    /// Wheels on shafts of their own.
    pub(super) wheels: Vec<TurningWheel>,
    pub(super) linearized: Vec<LinearConverter>,
    /// Speeds at which converters are linearized (rad/s).
    pub(super) points: Vec<[f64; 2]>,
    /// Where each element is on its law while modes change one at a time.
    pub(super) private: Vec<Compared>,
    pub(super) passes: u32,
}

impl DrivelineSolution {
    /// Room for a driveline of `plan`.
    pub fn new(plan: &DrivelinePlan) -> Self {
        let (shafts, elements) = (plan.shafts(), plan.elements());
        Self {
            speeds: vec![0.0; shafts],
            torques: vec![0.0; plan.ports()],
            shafts: vec![ShaftAnswer::default(); shafts],
            hung_lines: vec![Line::default(); elements],
            wheels: vec![TurningWheel::STANDING; plan.most_wheels()],
            linearized: vec![LinearConverter::default(); elements],
            points: vec![[0.0; 2]; elements],
            private: vec![Compared::default(); elements],
            passes: 0,
        }
    }

    /// Size of rounding in the last pass.
    pub(super) fn floors(&self) -> Floors<'_> {
        Floors { torques: &self.torques, speeds: &self.speeds }
    }

    /// Torque into the element at each port, element by element (N·m).
    pub fn all_torques(&self) -> &[f64] {
        &self.torques
    }

    /// Torque into each port of an element (N·m).
    #[inline]
    pub fn torques(&self, plan: &DrivelinePlan, element: usize) -> &[f64] {
        &self.torques[plan.range_of(element)]
    }
}
