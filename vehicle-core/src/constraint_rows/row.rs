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
    /// Speed to be reached (m/s): that of the ground, and what leads back to a place.
    pub target_speed: Real,
    /// How far the point is from the place where the row leads it (m).
    #[serde(default)]
    pub offset: Real,
    /// Part of the target speed per offset (1/s); 0 for a row that leads to no place.
    #[serde(default)]
    pub return_rate: Real,
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

    /// The row, leading back over `offset` (m) at `rate` (1/s) beside its target.
    pub(super) fn returning(self, offset: Real, rate: Real) -> Self {
        let target_speed = self.target_speed + offset * rate;
        Self { target_speed, offset, return_rate: rate, ..self }
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
    /// Rows that are not the stage's to execute, but the host's; see [`RowExecution`].
    #[serde(default)]
    pub host: HostRows,
}

/// Who executes the rows that hold sticky tires and stop suspensions.
///
/// A row that stands for a tire's force is always executed by the rigid body's stage, as the force
/// would be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowExecution {
    /// The rigid body's stage: fast, but it does not see what else holds or pushes the body.
    #[default]
    Local,
    /// The host of the vehicle, such as a physics engine, together with constraints of its own.
    /// The rows are found and left in [`WheelRows::host`]; the body falls as if they were not there
    /// until the host has executed them.
    Host,
}

/// Rows of one wheel that the host executes after the vehicle's step, as they were found in its last
/// substep.
///
/// The stage of the rigid body does not read them, and
/// [`wheel_impulse`](crate::ground::wheel_impulse) leaves them out: what they do to the ground is the
/// host's business, too. The host writes their impulses, because an anchor moves on when the tires
/// slide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostRows {
    /// Holds a sticky tire along its rolling direction.
    pub longitudinal: Option<ConstraintRow>,
    /// Holds a sticky tire across it.
    pub lateral: Option<ConstraintRow>,
    /// Stops the suspension at full compression; also there before, with a negative offset: the host
    /// may know in time when the suspension reaches its end.
    pub limit: Option<ConstraintRow>,
    /// Where the rows acted when they were found (m).
    pub point: Vec3,
    /// The same point from the center of mass (m, body frame).
    pub arm: Vec3,
    /// Time that the impulses of the rows are for (s): an impulse divided by it is a force.
    pub dt: Real,
}

impl HostRows {
    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.longitudinal.is_none() && self.lateral.is_none() && self.limit.is_none()
    }
}

impl WheelRows {
    /// The rows of this wheel, whoever executes them.
    pub(super) fn all(&self) -> Self {
        Self {
            longitudinal: self.longitudinal.or(self.host.longitudinal),
            lateral: self.lateral.or(self.host.lateral),
            limit: self.limit.or(self.host.limit),
            ..*self
        }
    }

    /// Leaves the rows that stand for no force to the host. They act at `point` (m), at `arm` (m,
    /// body frame) from the center of mass, for `dt` (s).
    pub(super) fn hand_over(&mut self, point: Vec3, arm: Vec3, dt: Real) {
        let (longitudinal, limit) = (self.longitudinal.take(), self.limit.take());
        let lateral = if self.replaces_lateral_force { None } else { self.lateral.take() };
        self.host = HostRows { longitudinal, lateral, limit, point, arm, dt };
    }

    pub(super) fn rows_mut(&mut self) -> impl Iterator<Item = &mut ConstraintRow> {
        [&mut self.longitudinal, &mut self.lateral, &mut self.limit].into_iter().flatten()
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
        let all = self.all();
        let rolls = all
            .longitudinal
            .is_some_and(|row| SLIDING_SHARE * row.max_impulse <= row.impulse.abs());
        rolls || SLIDING_SHARE * self.max_friction_impulse <= all.sticky_impulse()
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
    Some((limit_direction(params, travel_direction, road_normal)?, error))
}

/// Direction of the stop of a suspension, see [`suspension_limit`]; `None` if it has none.
pub fn limit_direction(
    params: &SuspensionLimitParams,
    travel_direction: Vec3,
    road_normal: Vec3,
) -> Option<Vec3> {
    let slope = road_normal.dot(travel_direction);
    match params.direction {
        LimitDirection::RoadNormal => Some(road_normal),
        LimitDirection::Suspension if slope == 0.0 => None,
        LimitDirection::Suspension => Some(travel_direction * slope.signum()),
        LimitDirection::None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_stand_for_no_force_are_handed_over() {
        let row = |impulse| Some(ConstraintRow { impulse, ..ConstraintRow::default() });
        let found = WheelRows {
            longitudinal: row(1.0),
            lateral: row(2.0),
            limit: row(3.0),
            ..WheelRows::default()
        };
        for (replaces_lateral_force, kept, given) in
            [(false, None, row(2.0)), (true, row(2.0), None)]
        {
            let mut rows = WheelRows { replaces_lateral_force, ..found };
            rows.hand_over(Vec3::X, Vec3::Y, 0.1);
            assert_eq!((rows.longitudinal, rows.lateral, rows.limit), (None, kept, None));
            assert_eq!((rows.host.longitudinal, rows.host.lateral), (row(1.0), given));
            assert_eq!((rows.host.limit, rows.host.dt), (row(3.0), 0.1));
            let all = rows.all();
            assert_eq!([all.longitudinal, all.lateral, all.limit], [row(1.0), row(2.0), row(3.0)]);
        }
    }

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
