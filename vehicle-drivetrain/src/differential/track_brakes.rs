//! The brakes of the tracks of a tank, one by one.

use vehicle_core::WheelRefs;
use vehicle_core::math::Real;

use super::{DifferentialKind, DifferentialView};

impl DifferentialView<'_> {
    /// How far the foot brake of each wheel is pressed by the brakes of the tracks, in [0, 1], if
    /// any is.
    pub(crate) fn track_pedals(&self) -> Option<WheelRefs<Real>> {
        let DifferentialKind::Tank(params) = self.params else { return None };
        if self.track_brakes == [0.0; 2] {
            return None;
        }
        let wheels = 0..self.shares.len();
        Some(wheels.map(|wheel| params.track_brake(wheel, self.track_brakes)).collect())
    }
}
