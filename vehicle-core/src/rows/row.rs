//! Rows: equations for the speed of a point of the body, and where they come from.

use serde::{Deserialize, Serialize};

use crate::error::{Bound, ParamCheck, Validate};
use crate::math::finite::{Finite, total_of_vectors};
use crate::math::lanes::Real4;
use crate::math::{Real, Vec3};

/// Along which direction a suspension is stopped at full compression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LimitDirection {
    /// Along the road's normal; up a plane that a wheel may have left within the frame only as fast
    /// as half of gravity lifts.
    #[default]
    RoadNormal,
    /// Along the normal of a plane without an end: the reference's way, by which a short bump that
    /// is met at speed throws the vehicle.
    EndlessPlane,
    /// Along the travel direction; keeps wheels above the road better, but rights a car that lies
    /// on its side.
    Suspension,
    /// Not at all.
    None,
}

/// How a suspension is stopped at full compression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
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
/// J = e·v + (r × e)·ω  →  target,   0 ≤ λ ≤ max   or   |λ| ≤ max
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
    /// 0 for a row that reaches its target at once; `1/(c dt)` for one that is damped at the rate
    /// `c` (dimensionless).
    #[serde(with = "crate::unbounded")]
    pub softness: Real,
    /// Largest impulse (N·s); may be infinite.
    #[serde(with = "crate::unbounded")]
    pub max_impulse: Real,
    /// Whether the row pulls as well as it pushes; otherwise its impulse is not negative.
    pub is_two_sided: bool,
    /// Impulse of the last execution (N·s).
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

/// The rows of one wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelRows {
    /// Holds a sticky tire along its rolling direction.
    pub longitudinal: Option<ConstraintRow>,
    /// Holds a sticky tire across it, or stands for a lateral force that would overshoot.
    pub lateral: Option<ConstraintRow>,
    /// Stops the suspension at full compression.
    pub limit: Option<ConstraintRow>,
    /// Largest impulse that friction allows (N·s); may be infinite.
    #[serde(with = "crate::unbounded")]
    pub max_friction_impulse: Real,
    /// Whether the lateral row stands for the tire's lateral force, which the body does not feel
    /// then.
    pub replaces_lateral_force: bool,
    /// Stand that the host needs to execute the rows, if it is to; see [`RowExecution`].
    #[serde(default)]
    pub host: Option<HostStand>,
}

/// Who executes the rows that hold sticky tires and stop suspensions.
///
/// A row that stands for a tire's force is always executed by the rigid body's stage, as the force
/// would be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RowExecution {
    /// The rigid body's stage: fast, but it does not see what else holds or pushes the body.
    #[default]
    Local,
    /// The host of the vehicle, such as a physics engine, together with constraints of its own.
    /// The rows are found and left to [`WheelRows::host_rows`]; the body falls as if they were not
    /// there until the host has executed them.
    Host,
}

/// Where a wheel stands whose rows the host executes, and where they lead, as found in the last
/// substep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostStand {
    /// Where the rows act (m).
    pub point: Vec3,
    /// Where the rows act, from the center of mass (m, body frame).
    pub arm: Vec3,
    /// From the point to where sticky rows lead it (m).
    pub offset: Vec3,
    /// Part of the target speeds of sticky rows per offset (1/s); 0 if they lead to no place.
    pub return_rate: Real,
    /// Way to the end of the suspension, along the road's normal (m), negative beyond.
    pub gap: Real,
    /// Time that the impulses of the rows are for (s): an impulse divided by it is a force.
    pub dt: Real,
}

/// Rows of one wheel that the host executes after the vehicle's step.
///
/// The stage of the rigid body does not execute them, and
/// [`wheel_impulse`](crate::ground::wheel_impulse) leaves them out: what they do to the ground is
/// the host's business, too. Only an anchor reads their impulses, because it moves on when the
/// tires slide: the host writes them into [`WheelRows`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostRows {
    /// Holds a sticky tire along its rolling direction.
    pub longitudinal: Option<ConstraintRow>,
    /// Holds a sticky tire across it.
    pub lateral: Option<ConstraintRow>,
    /// Stops the suspension at full compression; also there before: the host may know in time when
    /// the suspension reaches its end.
    pub limit: Option<ConstraintRow>,
    /// Where the wheel stands.
    pub stand: HostStand,
}

impl WheelRows {
    /// Impulse of the suspension's stop (N·s); 0 without one.
    pub(crate) fn stop_impulse(&self) -> Real {
        self.limit.map_or(0.0, |row| row.impulse)
    }

    /// As much of rows as the next step looks at: that their stop had this `impulse` (N·s).
    pub(crate) fn remembered(impulse: Real) -> Self {
        let stop = ConstraintRow { impulse, ..ConstraintRow::default() };
        Self { limit: (impulse != 0.0).then_some(stop), ..Self::default() }
    }

    /// The rows that are the host's to execute, if there are any.
    pub fn host_rows(&self) -> Option<HostRows> {
        let stand = self.host?;
        let [longitudinal, lateral, limit] = self.all().map(Option::<&ConstraintRow>::copied);
        let lateral = lateral.filter(|_| !self.replaces_lateral_force);
        let is_any = longitudinal.is_some() || lateral.is_some() || limit.is_some();
        is_any.then_some(HostRows { longitudinal, lateral, limit, stand })
    }

    fn all(&self) -> [Option<&ConstraintRow>; 3] {
        [self.longitudinal.as_ref(), self.lateral.as_ref(), self.limit.as_ref()]
    }

    /// The rows that are the stage's to execute: along, across, out of the road.
    pub(crate) fn local(&self) -> [Option<&ConstraintRow>; 3] {
        let [along, across, limit] = self.all();
        let is_local = self.host.is_none();
        [
            along.filter(|_| is_local),
            across.filter(|_| is_local || self.replaces_lateral_force),
            limit.filter(|_| is_local),
        ]
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
        LimitDirection::RoadNormal | LimitDirection::EndlessPlane => Some(road_normal),
        LimitDirection::Suspension if slope == 0.0 => None,
        LimitDirection::Suspension => Some(travel_direction * slope.signum()),
        LimitDirection::None => None,
    }
}

impl Finite for HostStand {
    #[inline]
    fn total(&self) -> Real4 {
        self.gap.total() + total_of_vectors([self.point, self.arm, self.offset])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_stand_for_no_force_are_the_hosts() {
        let row = |impulse| Some(ConstraintRow { impulse, ..ConstraintRow::default() });
        let [along, across, limit] = [row(1.0), row(2.0), row(3.0)];
        let found =
            WheelRows { longitudinal: along, lateral: across, limit, ..WheelRows::default() };
        let own = |rows: &WheelRows| rows.local().map(Option::<&ConstraintRow>::copied);
        assert_eq!((own(&found), found.host_rows()), ([along, across, limit], None));
        let host = Some(HostStand::default());
        for (replaces_lateral_force, kept, given) in [(false, None, across), (true, across, None)] {
            let rows = WheelRows { replaces_lateral_force, host, ..found };
            assert_eq!(own(&rows), [None, kept, None]);
            let stand = HostStand::default();
            let expected = HostRows { longitudinal: along, lateral: given, limit, stand };
            assert_eq!(rows.host_rows(), Some(expected));
        }
        assert_eq!(WheelRows { host, ..WheelRows::default() }.host_rows(), None);
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
        assert_eq!(limit(LimitDirection::EndlessPlane, beyond), Some((normal, -0.01)));
        assert_eq!(limit(LimitDirection::Suspension, beyond), Some((Vec3::Z, -0.01)));
        assert_eq!(limit(LimitDirection::None, beyond), None);
        assert_eq!(limit(LimitDirection::RoadNormal, Some(0.0)), None);
        assert_eq!(limit(LimitDirection::RoadNormal, None), None);
    }
}
