//! What a step of a driveline finds, and the room to find it.

use super::converter::LinearConverter;
use super::law::Line;
use super::mode::Compared;
use super::plan::DrivelinePlan;

/// Speeds and torques at the end of a step, and room to find them: nothing is allocated in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivelineSolution {
    /// Speed of each shaft (rad/s).
    pub speeds: Vec<f64>,
    /// Torque into the element at each port, element by element (N·m).
    pub(super) torques: Vec<f64>,
    /// Torque that is passed into each shaft from the root's side (N·m).
    pub(super) passed: Vec<f64>,
    pub(super) shaft_lines: Vec<Line>,
    pub(super) bare_lines: Vec<Line>,
    /// Lines of elements, in the order in which they hang on shafts.
    pub(super) hung_lines: Vec<Line>,
    /// The element with the stiffest line of each shaft, by its place among those that hang on it;
    /// none of them where that is the line of the shaft itself.
    pub(super) stiffest: Vec<usize>,
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
            passed: vec![0.0; shafts],
            shaft_lines: vec![Line::default(); shafts],
            bare_lines: vec![Line::default(); shafts],
            hung_lines: vec![Line::default(); elements],
            stiffest: vec![usize::MAX; shafts],
            linearized: vec![LinearConverter::default(); elements],
            points: vec![[0.0; 2]; elements],
            private: vec![Compared::default(); elements],
            passes: 0,
        }
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
