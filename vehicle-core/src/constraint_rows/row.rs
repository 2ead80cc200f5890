//! Rows: equations for the speed of a point of the body, and where they come from.

use serde::{Deserialize, Serialize};

use crate::error::{Bound, ParamCheck, Validate};
use crate::math::{Real, Vec3};

/// Part of the friction limit from which on a tire slides (dimensionless).
const SLIDING_SHARE: Real = 0.999;

/// Along which direction a suspension is stopped at full compression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitDirection {
    /// Along the road's normal.
    #[default]
    RoadNormal,
    /// Along the travel direction; keeps wheels above the road better, but rights a car that lies
    /// on its side.
    Suspension,
    /// Not at all.
    None,
}

/// How a suspension is stopped at full compression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuspensionLimitParams {
    /// The direction of the stop.
    pub direction: LimitDirection,
    /// Part of the speed that the stop throws back, in [0, 1].
    pub restitution: Real,
}

impl Validate for SuspensionLimitParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("restitution", self.restitution, Bound::Within(0.0, 1.0));
    }
}

/// An equation for the speed of a point of the body along a direction.
///
/// ```text
/// J = e·v + (r × e)·ω  →  target,   min ≤ λ ≤ max
/// ```
///
/// with `λ` the impulse at the point along the direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConstraintRow {
    /// The direction e, a unit vector.
    pub linear: Vec3,
    /// r × e (m).
    pub angular: Vec3,
    /// Speed to be reached (m/s).
    pub target_speed: Real,
    /// 0 for a row that reaches its target at once; `1/(c dt)` for one that is damped at the rate
    /// `c` (dimensionless).
    pub softness: Real,
    /// Smallest impulse (N·s).
    pub min_impulse: Real,
    /// Largest impulse (N·s).
    pub max_impulse: Real,
    /// Impulse of the last execution, where the next one starts (N·s).
    pub impulse: Real,
}

impl ConstraintRow {
    /// A row at the `arm` from the center of mass (m) along `direction`, without target or bounds.
    pub fn new(direction: Vec3, arm: Vec3) -> Self {
        Self { linear: direction, angular: arm.cross(direction), ..Self::default() }
    }

    /// Speed of the body along the row (m/s).
    #[inline]
    pub fn speed(&self, linear_velocity: Vec3, angular_velocity: Vec3) -> Real {
        self.linear.dot(linear_velocity) + self.angular.dot(angular_velocity)
    }
}

/// The rows of one wheel, and what they remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelRows {
    /// Holds a sticky tire along its rolling direction.
    pub longitudinal: Option<ConstraintRow>,
    /// Holds a sticky tire across it, or stands for a lateral force that would overshoot.
    pub lateral: Option<ConstraintRow>,
    /// Stops the suspension at full compression.
    pub limit: Option<ConstraintRow>,
    /// Largest impulse that friction allows (N·s).
    pub max_friction_impulse: Real,
    /// Whether the lateral row stands for the tire's lateral force, which the body does not feel
    /// then.
    pub replaces_lateral_force: bool,
}

impl WheelRows {
    pub(super) fn rows_mut(&mut self) -> impl Iterator<Item = &mut ConstraintRow> {
        [&mut self.longitudinal, &mut self.lateral, &mut self.limit].into_iter().flatten()
    }

    /// Lets go of whatever is held; friction allows `max_friction_impulse` (N·s).
    #[inline]
    pub(crate) fn release(&mut self, max_friction_impulse: Real) {
        // Most of the time there is nothing: a car drives.
        if !self.is_empty() {
            *self = Self::default();
        }
        self.max_friction_impulse = max_friction_impulse;
        self.replaces_lateral_force = false;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.longitudinal.is_none() && self.lateral.is_none() && self.limit.is_none()
    }

    /// Impulse of the sticky rows together (N·s).
    pub(super) fn sticky_impulse(&self) -> Real {
        let impulse = |row: Option<ConstraintRow>| row.map_or(0.0, |row| row.impulse);
        impulse(self.longitudinal).hypot(impulse(self.lateral))
    }

    /// Whether the tire is held as firmly as friction allows, or its wheel as firmly as the brake.
    pub(super) fn is_sliding(&self) -> bool {
        let rolls = self
            .longitudinal
            .is_some_and(|row| SLIDING_SHARE * row.max_impulse <= row.impulse.abs());
        rolls || SLIDING_SHARE * self.max_friction_impulse <= self.sticky_impulse()
    }
}

/// Direction and error of the stop of a suspension; `None` if it is not beyond its end.
///
/// ```text
/// e = n                 along the road's normal
/// e = u sgn(n·u)        along the travel direction, out of the road
/// ```
///
/// The error is the separation, measured along the normal in either case.
pub fn suspension_limit(
    params: &SuspensionLimitParams,
    separation: Option<Real>,
    travel_direction: Vec3,
    road_normal: Vec3,
) -> Option<(Vec3, Real)> {
    let error = separation.filter(|&separation| separation < 0.0)?;
    let slope = road_normal.dot(travel_direction);
    match params.direction {
        LimitDirection::RoadNormal => Some((road_normal, error)),
        LimitDirection::Suspension if slope == 0.0 => None,
        LimitDirection::Suspension => Some((travel_direction * slope.signum(), error)),
        LimitDirection::None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_acts_out_of_the_road() {
        let normal = Vec3::new(0.0, 0.6, 0.8);
        let limit = |direction, separation| {
            let params = SuspensionLimitParams { direction, restitution: 0.0 };
            suspension_limit(&params, separation, Vec3::NEG_Z, normal)
        };
        let beyond = Some(-0.01);
        assert_eq!(limit(LimitDirection::RoadNormal, beyond), Some((normal, -0.01)));
        assert_eq!(limit(LimitDirection::Suspension, beyond), Some((Vec3::Z, -0.01)));
        assert_eq!(limit(LimitDirection::None, beyond), None);
        assert_eq!(limit(LimitDirection::RoadNormal, Some(0.0)), None);
        assert_eq!(limit(LimitDirection::RoadNormal, None), None);
    }
}
