//! How wheels stand, and the rows that hold them there, four by four.
//!
//! Where all that holds a car are tires that stick on ground that rests, its rows and the matrix of
//! their equations stay as the first substep has found them. Further substeps give them new targets
//! and bounds. A stage that writes a row in between ends that.

use super::{MayBeHeld, StandingWheels, Step, return_rate};
use crate::Context;
use crate::body::RigidBodyState;
use crate::body::world_inverse_inertia;
use crate::math::lanes::{Lanes, MAX_LANES, Mask, Mask4, Number, Real4, Vec3x4, Vector};
use crate::math::{Real, Vec3, transformed};
use crate::rows::{FourRows, HostStand, RowExecution, RowLanes, WayBack};
use crate::tire::{StickyHold, StickyLimits, TireState, TireStickyParams};

/// Softness of the rows of sticky tires (dimensionless). There are more of them than ways to move:
/// it lets go of what they would pull at each other.
const STICKY_SOFTNESS: Real = 0.02;
/// Softness of the rows that take the place of lateral forces (dimensionless). Several of them ask
/// a body that turns for speeds that it cannot have together.
const SLIP_SOFTNESS: Real = 0.2;
/// Least sine of the angle between a direction of a road and the plane in which rows hold: less is
/// rounding.
const LEAST_TILT: Real = 1e-6;
/// Least cosine of that angle. A steeper wall holds along itself.
const LEAST_ACROSS: Real = 0.5;
/// How much more than it does the ground is taken to give way to tires that stick to it
/// (dimensionless). It may be a vehicle that looks for its own speed at the same time: both would
/// make up for the same difference, and overshoot.
const YIELD_MARGIN: Real = 2.5;

/// Where and how firmly four wheels stand.
struct FourHolds<'a> {
    body: &'a RigidBodyState,
    tires: &'a TireState<Vec3x4>,
    /// Mean normal of the roads of all wheels that stick to the vehicle's anchor.
    normal: Option<Vec3>,
    /// Velocity of the ground below (m/s). That with which beam axles take the contacts aside is no
    /// part of it: it answers to the force of the row a step later, and the body would shake.
    ground_velocity: Vec3x4,
    /// From where a sticky tire is to where it stood (m).
    offset: Vec3x4,
    /// Rate at which it returns (1/s).
    return_rate: Real,
    /// Part of the error of its speed that this substep takes away (dimensionless).
    share: Real,
    /// Largest impulse that friction allows (N·s).
    max_impulse: Real4,
    /// Largest impulse along the rolling direction, which the wheel must bear (N·s).
    max_longitudinal_impulse: Real4,
    dt: Real,
}

impl StandingWheels<'_> {
    /// Writes the rows of four wheels into `rows`; none where there is no road.
    ///
    /// The rows of tires that stick stay where the frame's first substep has found them while the
    /// [way back](WayBack) is that of the frame. Only their targets and bounds are new.
    pub(super) fn find_rows(
        &self,
        four: usize,
        back: Option<&WayBack>,
        step: &Step<'_>,
        rows: &mut FourRows,
    ) {
        let &Step { dt, context, .. } = step;
        let MayBeHeld { by_any, overshoots } = self.may_be_held(four, step);
        let is_held = by_any & self.wheel_lanes(four);
        let holds = self.holds(four, back, rows.max_friction_impulse, (dt, context));
        let sticky = context.params.tire_sticky.as_ref();
        let [along, across] = match sticky {
            Some(_) => self.sticks(four).map(|sticks| is_held & sticks),
            None => [Mask4::default(); 2],
        };
        let overshoots = is_held & overshoots & !across;
        let may_stop = self.may_stop(four, is_held, context);
        let is_firm = context.has_firm_ground();
        let is_plain = is_firm && !(overshoots | may_stop | (along & !across)).any();
        if !(is_plain && rows.is_plain() && back.is_some_and(|back| back.is_known)) {
            rows.release();
            rows.set_plain(is_plain);
            if let Some(notes) = context.notes {
                *notes.free_rows.borrow_mut() = None;
            }
            if overshoots.any() {
                rows.across = self.slip_rows(&holds).only_where(overshoots);
                rows.set_replacing(overshoots);
            }
            if let Some(params) = sticky {
                holds.place(params, [along, across], rows);
            }
            if may_stop.any() {
                self.add_stops(four, may_stop, (dt, context), rows);
            }
            if !is_firm {
                self.soften(four, is_held, context, rows);
            }
            if context.params.row_execution == RowExecution::Host {
                self.add_hosts(four, &holds, is_held, rows);
            }
        }
        if let Some(params) = sticky {
            holds.aim(params, [along, across], rows);
            if params.hold == StickyHold::Damper {
                let endless = Real4::splat(Real::INFINITY);
                rows.max_friction_impulse =
                    Number::select(is_held, endless, rows.max_friction_impulse);
            }
        }
    }

    /// Where and how firmly four wheels stand on friction that allows `max_impulse` (N·s).
    #[inline(always)]
    fn holds(
        &self,
        four: usize,
        back: Option<&WayBack>,
        max_impulse: Real4,
        (dt, context): (Real, &Context<'_>),
    ) -> FourHolds<'_> {
        let spin = back.map_or(Vec3::ZERO, |back| back.ground_spin);
        let holding = self.holding_force(four) * Real4::splat(dt);
        let offset = |back: &WayBack| back.offset_at(self.force_points(four));
        let rate = |_: &WayBack| return_rate(context.substep.frame_step(dt));
        FourHolds {
            body: self.rigid_body,
            tires: self.tires.four(four),
            normal: back.map(|back| back.normal),
            ground_velocity: self.velocity_below(four, spin),
            offset: back.map_or_else(Vector::zero, offset),
            return_rate: back.map_or(0.0, rate),
            share: self.share_of_error(context),
            max_impulse,
            max_longitudinal_impulse: max_impulse.at_most(holding),
            dt,
        }
    }

    /// Makes `rows` softer where the ground gives way to what pushes it.
    fn soften(&self, four: usize, is_held: Mask4, context: &Context<'_>, rows: &mut FourRows) {
        let points = self.force_points(four);
        let response = context.ground_responses(self.roads.four(four), points, is_held);
        let gives_way = Real4::zero().is_below(response);
        if !gives_way.any() {
            return;
        }
        let response = response * Real4::splat(YIELD_MARGIN * self.axles.wheel_count() as Real);
        let inverse_mass = Real4::splat(self.rigid_body_params.mass.recip());
        let inverse_inertia =
            world_inverse_inertia(self.rigid_body_params, self.rigid_body.pose.rotation);
        for row in [&mut rows.along, &mut rows.across, &mut rows.out] {
            let turned = transformed(&inverse_inertia, row.angular);
            let own = inverse_mass + row.angular.dot(turned);
            let softness = row.softness + response / own;
            row.softness = Number::select(gives_way & row.is_there, softness, row.softness);
        }
    }

    /// Part of the error of its speed that a sticky tire loses in this substep (dimensionless).
    ///
    /// Something that has pushed the body in the host's step, such as a joint, has done so for a
    /// whole frame. Friction makes up for it in equal parts by the end of the frame, because that
    /// of one substep may be too weak. A host that executes the rows does so through the frame.
    fn share_of_error(&self, context: &Context<'_>) -> Real {
        match context.params.row_execution {
            RowExecution::Local => 1.0 / context.substep.remaining() as Real,
            RowExecution::Host => 1.0,
        }
    }

    /// Largest forces along the rolling direction with which four wheels stand (N): that of the
    /// brake, and the resistance of the tire against rolling.
    ///
    /// ```text
    /// F = T_brake / R + f N
    /// ```
    pub(super) fn holding_force(&self, four: usize) -> Real4 {
        *self.brake_torques.four(four) / self.road_wheels.four(four).radius
            + self.tires.four(four).force.standing_resistance
    }

    /// Rows in the place of lateral forces that would throw the tires to the other side within the
    /// step. Each brings the tire's lateral speed to zero, up to the size of the force.
    ///
    /// A force that is too weak to stop the tire acts in full either way, so cornering is the same.
    fn slip_rows(&self, holds: &FourHolds<'_>) -> RowLanes {
        let TireState { directions, speeds, force, .. } = holds.tires;
        let rows = RowLanes::new(directions.lateral, force.arm);
        let body = self.rigid_body;
        RowLanes {
            // The slip is that of the contact, the row acts at the force point.
            target_speed: rows.speed(body.linear_velocity, body.angular_velocity) - speeds.lateral,
            softness: Real4::splat(SLIP_SOFTNESS),
            max_impulse: force.lateral_force.abs() * Real4::splat(holds.dt),
            ..rows
        }
    }

    /// Adds the stands that the host needs to execute the rows of the wheels that are held.
    #[cold]
    fn add_hosts(&self, four: usize, holds: &FourHolds<'_>, is_held: Mask4, rows: &mut FourRows) {
        for lane in (0..MAX_LANES).filter(|&lane| is_held.lane(lane)) {
            let wheel = four * MAX_LANES + lane;
            let stand = self.host_stand(wheel, holds, lane);
            rows.set_host(lane, stand);
        }
    }

    fn host_stand(&self, wheel: usize, holds: &FourHolds<'_>, lane: usize) -> Option<HostStand> {
        let road = self.roads.of(wheel)?;
        let (suspension, _) = self.suspension_params.at(wheel);
        let travel = self.rigid_body.direction(suspension.travel_direction.lane(lane));
        let stance = &self.suspensions.at(wheel).0.stance;
        // A tire in the air has no arm.
        let arm = stance.tire_arm.lane(lane);
        Some(HostStand {
            point: self.rigid_body.pose.translation + self.rigid_body.direction(arm),
            arm,
            offset: holds.offset.lane(lane),
            return_rate: holds.return_rate,
            gap: self.gap_to_end(wheel, road.plane.normal.dot(travel)).unwrap_or(0.0),
            dt: holds.dt,
        })
    }
}

impl FourHolds<'_> {
    /// Largest impulses along the rolling direction that friction leaves beside the lateral forces
    /// of the tires (N·s).
    ///
    /// ```text
    /// sqrt((μ N dt)² - (F_T dt)²)
    /// ```
    fn left_by_lateral_force(&self) -> Real4 {
        let lateral = self.tires.force.lateral_force * Real4::splat(self.dt);
        let left = self.max_impulse * self.max_impulse - lateral * lateral;
        left.at_least(Real4::zero()).sqrt()
    }

    /// The direction in which a row holds a tire that sticks along `direction` of its road.
    ///
    /// ```text
    /// (d - n (d·n)) / |d - n (d·n)|
    /// ```
    ///
    /// with the mean normal `n` of the roads that hold the vehicle. A row holds a point of the
    /// body, and a body that heaves between two slopes does not slide: its wheels travel. A row
    /// that took it for sliding would push these wheels to and fro, and drive the heave.
    #[inline]
    fn held_direction(&self, direction: Vec3x4) -> Vec3x4 {
        let Some(normal) = self.normal else { return direction };
        let normal = <Vec3x4 as Vector>::splat(normal);
        let out = direction.dot(normal);
        let held = direction - normal * out;
        let square = held.length_squared();
        let is_tilted = Real4::splat(LEAST_TILT).is_below(out.abs());
        let is_steep = square.is_below(Real4::splat(LEAST_ACROSS * LEAST_ACROSS));
        let unit = held / square.at_least(Real4::splat(Real::MIN_POSITIVE)).sqrt();
        Vector::select(is_tilted & !is_steep, unit, direction)
    }

    /// Puts rows where tires stick: along and across.
    #[inline]
    fn place(&self, params: &TireStickyParams, [along, across]: [Mask4; 2], rows: &mut FourRows) {
        let TireState { directions, force, .. } = self.tires;
        let row = |direction, limits: &StickyLimits| RowLanes {
            softness: match params.hold {
                StickyHold::Anchor => Real4::splat(STICKY_SOFTNESS),
                StickyHold::Damper => Real4::splat(1.0 / (limits.damping * self.dt)),
            },
            ..RowLanes::new(self.held_direction(direction), force.arm)
        };
        if along.any() {
            rows.along =
                RowLanes { is_there: along, ..row(directions.longitudinal, &params.longitudinal) };
        }
        if across.any() {
            let row = row(directions.lateral, &params.lateral);
            rows.across = if rows.replaces_any() {
                row.or_else(across, rows.across)
            } else {
                RowLanes { is_there: across, ..row }
            };
        }
    }

    /// Gives the rows of tires that stick, along and across, their targets and bounds.
    #[inline]
    fn aim(&self, params: &TireStickyParams, [along, across]: [Mask4; 2], rows: &mut FourRows) {
        let velocity = self.ground_velocity + self.offset * Real4::splat(self.return_rate);
        if along.any() {
            // The friction of two rows is bounded as they are executed.
            let bound = self.max_longitudinal_impulse;
            let has_lateral_row = rows.across.is_there;
            let bound = if (along & !has_lateral_row).any() {
                let alone = bound.at_most(self.left_by_lateral_force());
                Number::select(has_lateral_row, bound, alone)
            } else {
                bound
            };
            self.aim_row(params.hold, along, (velocity, bound), &mut rows.along);
        }
        if across.any() {
            self.aim_row(params.hold, across, (velocity, self.max_impulse), &mut rows.across);
        }
    }

    /// Lets rows where tires `stick` lead to a `velocity` (m/s) by impulses of up to a bound (N·s).
    #[inline]
    fn aim_row(
        &self,
        hold: StickyHold,
        stick: Mask4,
        (velocity, bound): (Vec3x4, Real4),
        row: &mut RowLanes,
    ) {
        let target = velocity.dot(row.linear);
        let (target, bound) = match hold {
            StickyHold::Anchor => {
                let speed = row.speed(self.body.linear_velocity, self.body.angular_velocity);
                (speed + (target - speed) * Real4::splat(self.share), bound)
            }
            StickyHold::Damper => (target, Real4::splat(Real::INFINITY)),
        };
        row.target_speed = Number::select(stick, target, row.target_speed);
        row.max_impulse = Number::select(stick, bound, row.max_impulse);
        row.impulse = Real4::zero();
    }
}
