//! Shift lines: when a gearbox block shifts by itself.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::math::Real;

/// When an automatic gearbox shifts: at speeds of its input, in the lower of both gears, over the
/// throttle.
///
/// The gearbox does not hunt: a gear that was too weak for a hill, so that it was left for a lower
/// one under throttle, is not taken again. Nor are those above it, until the throttle changes by a
/// tenth, or the speed is on the line of full throttle.
///
/// From neutral and reverse it takes the lowest gear that may go in and that the line up does not
/// leave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ShiftLines {
    /// Speed above which the higher gear is taken (rad/s), over the throttle.
    pub up: LookupTable<Real>,
    /// Speed below which the lower gear is taken (rad/s), over the throttle; everywhere below `up`.
    pub down: LookupTable<Real>,
    /// Throttle from which the lines are those of full throttle (kick-down), in [0, 1]
    /// (dimensionless).
    pub kick_down: Real,
    /// Shortest time between shifts (s).
    pub dwell: Real,
}

impl ShiftLines {
    /// The lines up and down at this `throttle`, in [0, 1] (rad/s).
    pub(super) fn at(&self, throttle: f64) -> [f64; 2] {
        let throttle = if f64::from(self.kick_down) <= throttle { 1.0 } else { throttle as Real };
        [&self.up, &self.down].map(|line| f64::from(line.evaluate(throttle)))
    }

    /// Reports faults, by their places in a gearbox.
    pub(super) fn check(&self, check: &mut ParamCheck) {
        check.number("control.dwell", self.dwell, Bound::NotNegative);
        check.number("control.kick_down", self.kick_down, Bound::Within(0.0, 1.0));
        // Between the points of both lines their difference is straight.
        let throttles = self.up.points().iter().chain(self.down.points()).map(|point| point.0);
        for throttle in throttles {
            let (up, down) = (self.up.evaluate(throttle), self.down.evaluate(throttle));
            let requirement = format_args!("below up = {up} rad/s at the throttle {throttle}");
            check.require("control.down", down < up, requirement, down);
        }
        for (name, lines) in [("control.up", &self.up), ("control.down", &self.down)] {
            check.require(name, !lines.points().is_empty(), "at least one point", "none");
            for (index, &(throttle, speed)) in lines.points().iter().enumerate() {
                let bound = Bound::Within(0.0, 1.0);
                check.number(format_args!("{name}[{index}].x"), throttle, bound);
                check.number(format_args!("{name}[{index}].y"), speed, Bound::NotNegative);
            }
        }
    }
}
