//! Constraint rows: what holds a resting car and stops a suspension at its end.
//!
//! A *row* is an equation for one speed of the body: the speed of a point along a direction. A
//! sticky tire gives a row along and one across its rolling direction; a suspension that is
//! compressed beyond its travel gives one out of the road. The rows are found by the component
//! [`ConstraintRows`] and executed by a small solver inside the rigid body's stage, after the forces
//! and before the pose. They are plain data: a host may execute them instead ([`RowExecution`]).

mod anchor;
mod bounds;
mod limit;
mod momentum;
mod overshoot;
mod row;
mod solver;

use std::ops::ControlFlow::{self, Continue};

pub use anchor::StickyAnchor;
pub use row::{
    ConstraintRow, HostRows, HostStand, LimitDirection, RowExecution, SuspensionLimitParams,
    WheelRows, limit_direction, suspension_limit,
};
pub use solver::{BodyVelocity, execute_rows};

use self::anchor::Return;
pub(crate) use self::overshoot::{LateralLevers, lateral_response, would_overshoot};
use crate::math::lanes::Number;
use crate::math::{Real, Vec3};
use crate::rigid_body::{RigidBodyParams, RigidBodyState, world_inverse_inertia};
use crate::road_geometry::RoadContact;
use crate::suspension::{
    SuspensionCompliance, SuspensionForce, SuspensionParams, SuspensionState, local_force_arm,
};
use crate::tire::{StickyHold, StickyLimits, TireState, TireStickyParams, TireStickyState};
use crate::wheel::WheelParams;
use crate::{AxleDescription, Component, Context, PerWheel, PerWheelMut, WheelCoupling};

/// Rate at which a car returns to its anchor, and a suspension to its end (1/s).
const RETURN_RATE: Real = 30.0;
/// Softness of the rows of sticky tires (dimensionless). There are more of them than ways to move:
/// it lets go of what they would pull at each other.
const STICKY_SOFTNESS: Real = 0.02;
/// Softness of the rows that take the place of lateral forces (dimensionless). Several of them ask a
/// body that turns for speeds that it cannot have together.
const SLIP_SOFTNESS: Real = 0.2;
/// Largest part of an error that is removed in one step (dimensionless).
const RETURN_SHARE: Real = 0.5;
/// Resistance of a standing tire against rolling, as a part of its load: that of a car's tire on
/// asphalt. It keeps an unbraked car at rest on a road that looks level (dimensionless).
const ROLLING_RESISTANCE: Real = 0.015;
/// How much more than it does the ground is taken to give way to tires that stick to it
/// (dimensionless). It may be a vehicle that looks for its own speed at the same time: both would make up
/// for the same difference, and overshoot.
const YIELD_MARGIN: Real = 2.5;
/// Rate at which an error is removed in steps of `dt` (s) (1/s).
fn return_rate(dt: Real) -> Real {
    RETURN_RATE.min(RETURN_SHARE / dt)
}

/// Largest impulse that `friction` under `load` (N) allows in a step of `dt` (s) (N·s).
#[inline]
pub(crate) fn max_friction_impulse<N: Number>(friction: N, load: N, dt: Real) -> N {
    friction * load * N::splat(dt)
}

/// What the stage needs from a vehicle.
pub struct ConstraintRowsView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Mass of the body.
    pub rigid_body_params: &'a RigidBodyParams,
    /// Motion of the body.
    pub rigid_body: &'a RigidBodyState,
    /// How suspensions are stopped.
    pub limit_params: &'a SuspensionLimitParams,
    /// Radius of each wheel.
    pub wheel_params: PerWheel<'a, WheelParams>,
    /// Brake torque of each wheel (N·m).
    pub brake_torques: PerWheel<'a, Real>,
    /// Mount of each suspension.
    pub suspension_params: PerWheel<'a, SuspensionParams>,
    /// Compression of each suspension.
    pub suspension_states: PerWheel<'a, SuspensionState>,
    /// Load of each suspension.
    pub suspension_forces: PerWheel<'a, SuspensionForce>,
    /// Force point of each tire.
    pub compliances: PerWheel<'a, SuspensionCompliance>,
    /// Road under each wheel.
    pub roads: PerWheel<'a, Option<RoadContact>>,
    /// Speeds, directions, lateral force and its arm of each tire.
    pub tires: PerWheel<'a, TireState>,
    /// Whether each tire sticks.
    pub sticky_states: PerWheel<'a, TireStickyState>,
    /// Read and written: where the vehicle sticks.
    pub anchor: &'a mut Option<StickyAnchor>,
    /// Read and written: the rows of each wheel.
    pub rows: PerWheelMut<'a, WheelRows>,
}

/// Where and how firmly a wheel stands.
struct Stand<'a> {
    road: &'a RoadContact,
    arm: Vec3,
    /// Velocity of the ground below (m/s).
    ground_velocity: Vec3,
    /// From where a sticky tire is to where it stood (m).
    offset: Vec3,
    /// Rate at which it returns (1/s).
    return_rate: Real,
    /// Part of the error of its speed that this substep takes away (dimensionless).
    share: Real,
    /// Largest impulse that friction allows (N·s).
    max_impulse: Real,
    /// Largest impulse along the rolling direction, which the wheel must bear (N·s).
    max_longitudinal_impulse: Real,
    dt: Real,
}

impl ConstraintRowsView<'_> {
    /// Finds the rows of every wheel for a step of `dt` (s).
    pub fn update(mut self, dt: Real, context: &Context<'_>) {
        let back = match context.params.tire_sticky.map(|params| params.hold) {
            Some(StickyHold::Anchor) => self.update_anchor(dt, context),
            Some(StickyHold::Damper) | None => None,
        };
        let lateral_response = self.lateral_response(context);
        for wheel in self.axles.wheels() {
            let overshoots = lateral_response
                .is_some_and(|response| would_overshoot(&self.tires[wheel], response, dt));
            let rows = self.wheel_rows(wheel, overshoots, back.as_ref(), dt, context);
            let present = &mut self.rows[wheel];
            if rows.is_empty() {
                present.release(rows.max_friction_impulse);
            } else {
                *present = rows;
            }
        }
    }

    /// Where the force of a tire on the ground acts (m).
    fn force_point(&self, wheel: usize) -> Vec3 {
        self.rigid_body.pose.translation + self.tires[wheel].force.arm
    }

    fn road_velocity(&self, wheel: usize) -> Vec3 {
        self.roads[wheel].as_ref().map_or(Vec3::ZERO, |road| road.velocity)
    }

    fn road_normal(&self, wheel: usize) -> Vec3 {
        self.roads[wheel].as_ref().map_or(Vec3::ZERO, |road| road.plane.normal)
    }

    /// See [`lateral_response`]; none if lateral forces act even if they overshoot, or all tires are
    /// held.
    fn lateral_response(&self, context: &Context<'_>) -> Option<Real> {
        let are_held = context.params.tire_sticky.is_some()
            && self.axles.wheels().all(|wheel| self.sticky_states[wheel].lateral.is_active);
        if are_held || context.params.wheel_coupling == WheelCoupling::Explicit {
            return None;
        }
        let frame = context.frame();
        let levers = self.axles.wheels().map(|wheel| {
            let suspension = &self.suspension_params[wheel];
            let arm = local_force_arm(suspension, self.compliances[wheel].tire_force_point);
            LateralLevers::new(suspension, self.wheel_params[wheel].radius, arm, frame)
        });
        Some(lateral_response(self.rigid_body_params, levers, frame))
    }

    fn wheel_rows(
        &self,
        wheel: usize,
        overshoots: bool,
        back: Option<&Return>,
        dt: Real,
        context: &Context<'_>,
    ) -> WheelRows {
        let Some(road) = self.roads[wheel].as_ref() else { return WheelRows::default() };
        let load = self.suspension_forces[wheel].normal_load.at_least(0.0);
        let max_impulse = max_friction_impulse(road.friction, load, dt);
        if !(overshoots || self.may_be_held(wheel, context)) {
            return WheelRows { max_friction_impulse: max_impulse, ..WheelRows::default() };
        }
        let arm = self.tires[wheel].force.arm;
        let point = self.force_point(wheel);
        let offset = back.map_or(Vec3::ZERO, |back| back.offset_at(point));
        let spin = back.map_or(Vec3::ZERO, |back| back.ground_spin);
        let stand = Stand {
            road,
            arm,
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
            rows.lateral = Some(self.slip_row(wheel, &stand));
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
        rows
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

    /// Whether there may be a row for `wheel`, but for that of a force that would overshoot: none of a
    /// car that drives needs one.
    fn may_be_held(&self, wheel: usize, context: &Context<'_>) -> bool {
        let sticky = &self.sticky_states[wheel];
        let sticks = context.params.tire_sticky.is_some()
            && (sticky.longitudinal.is_active || sticky.lateral.is_active);
        let separation = self.suspension_states[wheel].separation;
        let is_pressed = separation.is_some_and(|separation| separation < 0.0);
        // The host may know in time when a suspension reaches its end.
        let is_hosted = context.params.row_execution == RowExecution::Host;
        sticks || is_pressed || is_hosted
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
    fn velocity_at(&self, stand: &Stand<'_>) -> Vec3 {
        self.rigid_body.linear_velocity + self.rigid_body.angular_velocity.cross(stand.arm)
    }

    /// Largest force along the rolling direction with which a wheel under `load` (N) stands (N): its
    /// brake's, and the resistance of the tire against rolling.
    ///
    /// ```text
    /// F = T_brake / R + f N
    /// ```
    fn holding_force(&self, wheel: usize, load: Real) -> Real {
        self.brake_torques[wheel] / self.wheel_params[wheel].radius + ROLLING_RESISTANCE * load
    }

    fn add_sticky_rows(
        &self,
        wheel: usize,
        stand: &Stand<'_>,
        params: &TireStickyParams,
        rows: &mut WheelRows,
    ) {
        let (sticky, directions) = (&self.sticky_states[wheel], &self.tires[wheel].directions);
        if params.hold == StickyHold::Damper {
            rows.max_friction_impulse = Real::INFINITY;
        }
        let row = |limits, direction, max_impulse| {
            let speed = self.velocity_at(stand).dot(direction);
            Some(stand.sticky_row(params.hold, limits, direction, speed, max_impulse))
        };
        if sticky.longitudinal.is_active {
            // The friction of two rows is bounded as they are executed.
            let has_lateral_row = sticky.lateral.is_active || rows.lateral.is_some();
            let bound = if has_lateral_row {
                stand.max_longitudinal_impulse
            } else {
                stand.max_longitudinal_impulse.min(self.left_by_lateral_force(wheel, stand))
            };
            let direction = directions.longitudinal;
            rows.longitudinal = row(&params.longitudinal, direction, bound);
        }
        if sticky.lateral.is_active {
            let (direction, bound) = (directions.lateral, stand.max_impulse);
            rows.lateral = row(&params.lateral, direction, bound);
            rows.replaces_lateral_force = false;
        }
    }

    /// Largest impulse along the rolling direction that friction leaves beside the lateral force of a
    /// tire (N·s).
    ///
    /// ```text
    /// sqrt((μ N dt)² - (F_T dt)²)
    /// ```
    fn left_by_lateral_force(&self, wheel: usize, stand: &Stand<'_>) -> Real {
        let lateral = self.tires[wheel].force.lateral_force * stand.dt;
        (stand.max_impulse * stand.max_impulse - lateral * lateral).max(0.0).sqrt()
    }

    /// A row in the place of a lateral force that would throw the tire to the other side within
    /// the step: up to the size of the force, it brings the tire's lateral speed to zero.
    ///
    /// A force that is too weak to stop the tire acts in full either way, so cornering is the same.
    fn slip_row(&self, wheel: usize, stand: &Stand<'_>) -> ConstraintRow {
        let tire = &self.tires[wheel];
        let impulse = tire.force.lateral_force.abs() * stand.dt;
        let row = ConstraintRow::new(tire.directions.lateral, stand.arm);
        let body = self.rigid_body;
        ConstraintRow {
            // The slip is that of the contact, the row acts at the force point.
            target_speed: row.speed(body.linear_velocity, body.angular_velocity)
                - tire.speeds.lateral,
            softness: SLIP_SOFTNESS,
            is_two_sided: true,
            max_impulse: impulse,
            ..row
        }
    }

    fn host_stand(&self, wheel: usize, stand: &Stand<'_>) -> HostStand {
        let suspension = &self.suspension_params[wheel];
        let travel = self.rigid_body.direction(suspension.travel_direction);
        let force_point = self.compliances[wheel].tire_force_point;
        // A tire in the air has no arm.
        let arm = local_force_arm(suspension, force_point);
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
            ..ConstraintRow::new(direction, self.arm)
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

/// A vehicle whose sticky tires and suspension ends are held by rows.
pub trait HasConstraintRows {
    /// Borrows what the stage reads and writes.
    fn constraint_rows(&mut self) -> ConstraintRowsView<'_>;
}

/// The constraint row stage as a component. It follows the tires; the rigid body executes the rows.
#[derive(Clone, Copy, Debug)]
pub struct ConstraintRows;

impl<V: HasConstraintRows + ?Sized> Component<V> for ConstraintRows {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.constraint_rows().update(dt, context);
        Continue(())
    }
}
