//! Rows that stop suspensions at full compression.

use super::{ConstraintRow, LimitDirection, RowExecution, StandingWheels};
use super::{limit_direction, return_rate, suspension_limit};
use crate::Context;
use crate::math::lanes::{Lanes, MAX_LANES, Mask4};
use crate::math::{Clamped, Real, Vec3};
use crate::road::RoadContact;
use crate::rows::FourRows;

/// Largest speed at which a suspension returns to its end (m/s).
const MAX_RETURN_SPEED: Real = 0.2;
/// Acceleration at which the stop of a suspension lifts the body up a plane that was found some
/// time ago (m/s²): half of gravity.
const MAX_CLIMB_ACCELERATION: Real = 5.0;

/// Where a suspension may be at its end.
struct StopContact<'a> {
    road: &'a RoadContact,
    /// From the center of mass to where the tire's force acts (m).
    arm: Vec3,
    dt: Real,
}

impl StandingWheels<'_> {
    /// Which of four wheels that are held may need stops: those at their ends, or all for a host.
    #[inline]
    pub(super) fn may_stop(&self, four: usize, is_held: Mask4, context: &Context<'_>) -> Mask4 {
        match context.params.row_execution {
            RowExecution::Local => is_held & self.suspensions.four(four).compression.is_at_end(),
            RowExecution::Host => is_held,
        }
    }

    /// Adds the stops of suspensions that may need them.
    #[cold]
    pub(super) fn add_stops(
        &self,
        four: usize,
        may_stop: Mask4,
        (dt, context): (Real, &Context<'_>),
        rows: &mut FourRows,
    ) {
        for lane in (0..MAX_LANES).filter(|&lane| may_stop.lane(lane)) {
            rows.set_stop(lane, self.limit_row(four * MAX_LANES + lane, dt, context));
        }
    }

    /// The row that stops the suspension of `wheel`, if it is beyond its end or may be for a host.
    #[cold]
    fn limit_row(&self, wheel: usize, dt: Real, context: &Context<'_>) -> Option<ConstraintRow> {
        let road = &self.roads.of(wheel)?;
        let (tire, lane) = self.tires.at(wheel);
        let stand = StopContact { road, arm: tire.force.arm.lane(lane), dt };
        let separation = self.suspensions.of(wheel).compression.separation;
        let (suspension, lane) = self.suspension_params.at(wheel);
        let travel = self.rigid_body.direction(suspension.travel_direction.lane(lane));
        let normal = road.plane.normal;
        let (direction, gap) = match context.params.row_execution {
            RowExecution::Local => suspension_limit(self.limit_params, separation, travel, normal)?,
            RowExecution::Host => {
                let gap = self.gap_to_end(wheel, normal.dot(travel))?;
                (limit_direction(self.limit_params, travel, normal)?, gap)
            }
        };
        let row = ConstraintRow::new(direction, stand.arm);
        let body = self.rigid_body;
        let ground_speed = stand.road.velocity.dot(direction);
        let approach = row.speed(body.linear_velocity, body.angular_velocity) - ground_speed;
        let bounce = if gap < 0.0 { -self.limit_params.restitution * approach } else { 0.0 };
        let max_return_speed = MAX_RETURN_SPEED * context.params.coordinates.length_scale;
        let back = (-gap * return_rate(stand.dt)).clamped(0.0, max_return_speed);
        let doubtful = self.doubtful_approach(&stand, travel, context);
        Some(ConstraintRow {
            target_speed: ground_speed - doubtful + if 0.0 < bounce { bounce } else { back },
            max_impulse: Real::INFINITY,
            ..row
        })
    }

    /// Speed along the road's normal at which the body approaches a plane only because it moves
    /// along it, where the plane may have ended by now (m/s).
    ///
    /// ```text
    /// c = w·n / (n·u) - w·u                     how fast the road rises towards the body
    /// e = c - max(0, -w·u) - a dt,   at least 0
    /// n·w ≥ -e |n·u|
    /// ```
    ///
    /// with `w` the velocity over the ground where the wheel stands, `u` the `travel` direction and
    /// `a` the [acceleration](MAX_CLIMB_ACCELERATION) of a climb. The road is found once per frame,
    /// as a plane without an end. A wheel that has left a short bump within the frame would still
    /// climb it, and at its stop throw the body up as fast as it drives. Where the plane has just
    /// been found, it is true, but not for a host, which executes the row through a whole frame. A
    /// fall onto it is stopped at any time.
    fn doubtful_approach(
        &self,
        stand: &StopContact<'_>,
        travel: Vec3,
        context: &Context<'_>,
    ) -> Real {
        let RoadContact { age, plane, velocity, .. } = *stand.road;
        let slope = plane.normal.dot(travel);
        let is_new = age == 0.0 && context.params.row_execution == RowExecution::Local;
        let may_end = self.limit_params.direction == LimitDirection::RoadNormal && !is_new;
        if !may_end || slope == 0.0 {
            return 0.0;
        }
        let body = self.rigid_body;
        let moved = body.linear_velocity + body.angular_velocity.cross(stand.arm);
        let at_contact = moved - velocity;
        let sinking = at_contact.dot(travel);
        let climb = plane.normal.dot(at_contact) / slope - sinking;
        let acceleration = MAX_CLIMB_ACCELERATION * context.params.coordinates.length_scale;
        let climbed = (-sinking).max(0.0) + acceleration * stand.dt;
        slope.abs() * (climb - climbed).max(0.0)
    }

    /// From the body to where it ends the travel of `wheel`, along the road's normal (m), negative
    /// beyond; `None` if the suspension hangs at full droop. `slope` is the normal's component
    /// along the travel direction.
    pub(super) fn gap_to_end(&self, wheel: usize, slope: Real) -> Option<Real> {
        let state = self.suspensions.of(wheel).compression;
        let jounce = state.jounce.filter(|&jounce| 0.0 < jounce)?;
        let (suspension, lane) = self.suspension_params.at(wheel);
        let travel = suspension.travel_distance.lane(lane) - jounce;
        Some(travel * slope.abs() + state.separation.unwrap_or(0.0))
    }
}
