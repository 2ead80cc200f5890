//! How a wheel stands, and the rows that hold it there.

use super::anchor::Return;
use super::{ConstraintRowsView, max_friction_impulse, return_rate};
use crate::Context;
use crate::body::world_inverse_inertia;
use crate::math::lanes::{Lanes, Number};
use crate::math::{Real, Vec3};
use crate::road::RoadContact;
use crate::rows::{ConstraintRow, HostStand, RowExecution, WheelRows};
use crate::tire::{StickyHold, StickyLimits, TireDirections, TireStickyParams};

/// Softness of the rows of sticky tires (dimensionless). There are more of them than ways to move:
/// it lets go of what they would pull at each other.
const STICKY_SOFTNESS: Real = 0.02;
/// Softness of the rows that take the place of lateral forces (dimensionless). Several of them ask a
/// body that turns for speeds that it cannot have together.
const SLIP_SOFTNESS: Real = 0.2;
/// Resistance of a standing tire against rolling, as a part of its load: that of a car's tire on
/// asphalt. It keeps an unbraked car at rest on a road that looks level (dimensionless).
const ROLLING_RESISTANCE: Real = 0.015;
/// How much more than it does the ground is taken to give way to tires that stick to it
/// (dimensionless). It may be a vehicle that looks for its own speed at the same time: both would make up
/// for the same difference, and overshoot.
const YIELD_MARGIN: Real = 2.5;

/// Where and how firmly a wheel stands.
pub(super) struct Stand<'a> {
    pub(super) road: &'a RoadContact,
    pub(super) tire: HeldTire,
    /// Velocity of the ground below (m/s).
    pub(super) ground_velocity: Vec3,
    /// From where a sticky tire is to where it stood (m).
    pub(super) offset: Vec3,
    /// Rate at which it returns (1/s).
    pub(super) return_rate: Real,
    /// Part of the error of its speed that this substep takes away (dimensionless).
    pub(super) share: Real,
    /// Largest impulse that friction allows (N·s).
    pub(super) max_impulse: Real,
    /// Largest impulse along the rolling direction, which the wheel must bear (N·s).
    pub(super) max_longitudinal_impulse: Real,
    pub(super) dt: Real,
}

/// What of a tire its rows depend on.
#[derive(Clone, Copy)]
pub(super) struct HeldTire {
    pub(super) directions: TireDirections,
    /// From the center of mass to where the force acts (m).
    pub(super) arm: Vec3,
    /// Speed of the contact to the left (m/s).
    pub(super) lateral_speed: Real,
    /// Force on the body to the left (N).
    pub(super) lateral_force: Real,
}

impl ConstraintRowsView<'_> {
    /// Load of `wheel` on the road, not negative (N).
    pub(super) fn load(&self, wheel: usize) -> Real {
        let (force, lane) = self.suspension_forces.at(wheel);
        force.normal_load.lane(lane).at_least(0.0)
    }

    fn held_tire(&self, wheel: usize) -> HeldTire {
        let (tire, lane) = self.tires.at(wheel);
        HeldTire {
            directions: tire.directions.lane(lane),
            arm: tire.force.arm.lane(lane),
            lateral_speed: tire.speeds.lateral.lane(lane),
            lateral_force: tire.force.lateral_force.lane(lane),
        }
    }

    /// The rows of `wheel`, none if there is no road.
    pub(super) fn wheel_rows(
        &self,
        wheel: usize,
        overshoots: bool,
        back: Option<&Return>,
        dt: Real,
        context: &Context<'_>,
    ) -> Option<WheelRows> {
        let road = &self.roads.of(wheel)?;
        let load = self.load(wheel);
        let max_impulse = max_friction_impulse(road.friction, load, dt);
        let tire = self.held_tire(wheel);
        let point = self.rigid_body.pose.translation + tire.arm;
        let offset = back.map_or(Vec3::ZERO, |back| back.offset_at(point));
        let spin = back.map_or(Vec3::ZERO, |back| back.ground_spin);
        let stand = Stand {
            road,
            tire,
            ground_velocity: self.velocity_below(wheel, spin, context),
            offset,
            return_rate: if back.is_some() {
                return_rate(context.substep.frame_step(dt))
            } else {
                0.0
            },
            share: self.share_of_error(context),
            max_impulse,
            max_longitudinal_impulse: max_impulse.min(self.holding_force(wheel, load) * dt),
            dt,
        };
        let mut rows = WheelRows {
            limit: self.limit_row(wheel, &stand, context),
            max_friction_impulse: stand.max_impulse,
            ..WheelRows::default()
        };
        if overshoots {
            rows.lateral = Some(self.slip_row(&stand));
            rows.replaces_lateral_force = true;
        }
        if let Some(params) = &context.params.tire_sticky {
            self.add_sticky_rows(wheel, &stand, params, &mut rows);
        }
        let response = context.road.ground_response(road, point);
        if 0.0 < response {
            self.soften(&mut rows, YIELD_MARGIN * self.axles.wheel_count() as Real * response);
        }
        if context.params.row_execution == RowExecution::Host {
            rows.host = Some(self.host_stand(wheel, &stand));
        }
        Some(rows)
    }

    /// Makes `rows` softer for ground whose velocity changes by `response` (1/kg) per impulse.
    fn soften(&self, rows: &mut WheelRows, response: Real) {
        let inverse_inertia =
            world_inverse_inertia(self.rigid_body_params, self.rigid_body.pose.rotation);
        for row in
            [&mut rows.longitudinal, &mut rows.lateral, &mut rows.limit].into_iter().flatten()
        {
            let own = self.rigid_body_params.mass.recip()
                + row.angular.dot(inverse_inertia * row.angular);
            row.softness += response / own;
        }
    }

    /// Part of the error of its speed that a sticky tire loses in this substep (dimensionless).
    ///
    /// Something that has pushed the body in the host's step, such as a joint, has done so for a whole
    /// frame: friction makes up for it in equal parts by the end of the frame, because that of one
    /// substep may be too weak. A host that executes the rows does so through the frame.
    fn share_of_error(&self, context: &Context<'_>) -> Real {
        match context.params.row_execution {
            RowExecution::Local => 1.0 / context.substep.remaining() as Real,
            RowExecution::Host => 1.0,
        }
    }

    /// Velocity of the body where the tire of `stand` acts (m/s).
    pub(super) fn velocity_at(&self, stand: &Stand<'_>) -> Vec3 {
        self.rigid_body.linear_velocity + self.rigid_body.angular_velocity.cross(stand.tire.arm)
    }

    /// Largest force along the rolling direction with which a wheel under `load` (N) stands (N): its
    /// brake's, and the resistance of the tire against rolling.
    ///
    /// ```text
    /// F = T_brake / R + f N
    /// ```
    pub(super) fn holding_force(&self, wheel: usize, load: Real) -> Real {
        let (shape, lane) = self.shapes.at(wheel);
        self.brake_torques[wheel] / shape.radius.lane(lane) + ROLLING_RESISTANCE * load
    }

    fn add_sticky_rows(
        &self,
        wheel: usize,
        stand: &Stand<'_>,
        params: &TireStickyParams,
        rows: &mut WheelRows,
    ) {
        let directions = &stand.tire.directions;
        let [sticks_along, sticks_across] = self.sticks_at(wheel);
        if params.hold == StickyHold::Damper {
            rows.max_friction_impulse = Real::INFINITY;
        }
        let row = |limits, direction, max_impulse| {
            let speed = self.velocity_at(stand).dot(direction);
            Some(stand.sticky_row(params.hold, limits, direction, speed, max_impulse))
        };
        if sticks_along {
            // The friction of two rows is bounded as they are executed.
            let has_lateral_row = sticks_across || rows.lateral.is_some();
            let bound = if has_lateral_row {
                stand.max_longitudinal_impulse
            } else {
                stand.max_longitudinal_impulse.min(stand.left_by_lateral_force())
            };
            let direction = directions.longitudinal;
            rows.longitudinal = row(&params.longitudinal, direction, bound);
        }
        if sticks_across {
            let (direction, bound) = (directions.lateral, stand.max_impulse);
            rows.lateral = row(&params.lateral, direction, bound);
            rows.replaces_lateral_force = false;
        }
    }

    /// A row in the place of a lateral force that would throw the tire to the other side within
    /// the step: up to the size of the force, it brings the tire's lateral speed to zero.
    ///
    /// A force that is too weak to stop the tire acts in full either way, so cornering is the same.
    fn slip_row(&self, stand: &Stand<'_>) -> ConstraintRow {
        let HeldTire { directions, arm, lateral_speed, lateral_force } = stand.tire;
        let row = ConstraintRow::new(directions.lateral, arm);
        let body = self.rigid_body;
        ConstraintRow {
            // The slip is that of the contact, the row acts at the force point.
            target_speed: row.speed(body.linear_velocity, body.angular_velocity) - lateral_speed,
            softness: SLIP_SOFTNESS,
            is_two_sided: true,
            max_impulse: lateral_force.abs() * stand.dt,
            ..row
        }
    }

    fn host_stand(&self, wheel: usize, stand: &Stand<'_>) -> HostStand {
        let (suspension, lane) = self.suspension_params.at(wheel);
        let travel = self.rigid_body.direction(suspension.travel_direction.lane(lane));
        let (stance, lane) = self.stances.at(wheel);
        // A tire in the air has no arm.
        let arm = stance.tire_arm.lane(lane);
        HostStand {
            point: self.rigid_body.pose.translation + self.rigid_body.direction(arm),
            arm,
            offset: stand.offset,
            return_rate: stand.return_rate,
            gap: self.gap_to_end(wheel, stand.road.plane.normal.dot(travel)).unwrap_or(0.0),
            dt: stand.dt,
        }
    }
}

impl Stand<'_> {
    /// Largest impulse along the rolling direction that friction leaves beside the lateral force of a
    /// tire (N·s).
    ///
    /// ```text
    /// sqrt((μ N dt)² - (F_T dt)²)
    /// ```
    fn left_by_lateral_force(&self) -> Real {
        let lateral = self.tire.lateral_force * self.dt;
        (self.max_impulse * self.max_impulse - lateral * lateral).max(0.0).sqrt()
    }

    /// The row along `direction` of a sticky tire that moves along it at `speed` (m/s).
    fn sticky_row(
        &self,
        hold: StickyHold,
        limits: &StickyLimits,
        direction: Vec3,
        speed: Real,
        max_impulse: Real,
    ) -> ConstraintRow {
        let returning = self.offset * self.return_rate;
        let row = ConstraintRow {
            target_speed: (self.ground_velocity + returning).dot(direction),
            ..ConstraintRow::new(direction, self.tire.arm)
        };
        match hold {
            StickyHold::Anchor => ConstraintRow {
                target_speed: speed + (row.target_speed - speed) * self.share,
                softness: STICKY_SOFTNESS,
                is_two_sided: true,
                max_impulse,
                ..row
            },
            StickyHold::Damper => ConstraintRow {
                softness: 1.0 / (limits.damping * self.dt),
                is_two_sided: true,
                max_impulse: Real::INFINITY,
                ..row
            },
        }
    }
}
