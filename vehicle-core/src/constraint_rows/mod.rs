//! Constraint rows: what holds a resting car and stops a suspension at its end.
//!
//! A *row* is an equation for one speed of the body: the speed of a point along a direction. A
//! sticky tire gives a row along and one across its rolling direction; a suspension that is
//! compressed beyond its travel gives one out of the road. The rows are found by the component
//! [`ConstraintRows`] and executed by a small solver inside the rigid body's stage, after the forces
//! and before the pose. They are plain data: a host may execute them instead ([`RowExecution`]).

mod anchor;
mod limit;
mod overshoot;

use std::ops::ControlFlow::{self, Continue};

pub use anchor::StickyAnchor;

use self::anchor::Return;
pub(crate) use self::overshoot::{LateralLevers, LeverSums, lateral_response, would_overshoot};
use crate::body::{RigidBodyParams, RigidBodyState, world_inverse_inertia};
use crate::math::lanes::{Lanes, MAX_LANES, Mask, Number, Real4};
use crate::math::{Real, Vec3};
use crate::mount::SuspensionParams;
use crate::mount::WheelShape;
use crate::road::RoadContact;
pub use crate::rows::{
    BodyVelocity, ConstraintRow, HostRows, HostStand, LimitDirection, RowExecution,
    SuspensionLimitParams, VehicleRows, WheelRows, execute_rows, limit_direction, suspension_limit,
};
use crate::suspension::{SuspensionForce, SuspensionState, WheelStance};
use crate::tire::{
    StickyHold, StickyLimits, TireDirections, TireState, TireStickyParams, TireStickyState,
};
use crate::{AxleDescription, Component, Context, WheelCoupling, WheelList};

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
    pub shapes: &'a WheelList<WheelShape>,
    /// Brake torque of each wheel (N·m).
    pub brake_torques: &'a WheelList<Real>,
    /// Mount of each suspension.
    pub suspension_params: &'a WheelList<SuspensionParams>,
    /// Compression of each suspension.
    pub suspension_states: &'a WheelList<SuspensionState>,
    /// Load of each suspension.
    pub suspension_forces: &'a WheelList<SuspensionForce>,
    /// How each wheel stands in its suspension.
    pub stances: &'a WheelList<WheelStance>,
    /// Road under each wheel.
    pub roads: &'a WheelList<Option<RoadContact>>,
    /// Speeds, directions, lateral force and its arm of each tire.
    pub tires: &'a WheelList<TireState>,
    /// Whether each tire sticks.
    pub sticky_states: &'a WheelList<TireStickyState>,
    /// Whether the compliance of every suspension is the same at any jounce.
    pub has_constant_compliance: bool,
    /// Read and written: how fast contacts become sideways if all tires push (1/kg), found once per frame
    /// where it does not change in between.
    pub lateral_response: &'a mut Real,
    /// Read and written: where the vehicle sticks.
    pub anchor: &'a mut Option<StickyAnchor>,
    /// Read and written: the rows of each wheel.
    pub rows: &'a mut VehicleRows,
}

/// Where and how firmly a wheel stands.
struct Stand<'a> {
    road: &'a RoadContact,
    tire: HeldTire,
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

/// What of a tire its rows depend on.
#[derive(Clone, Copy)]
struct HeldTire {
    directions: TireDirections,
    /// From the center of mass to where the force acts (m).
    arm: Vec3,
    /// Speed of the contact to the left (m/s).
    lateral_speed: Real,
    /// Force on the body to the left (N).
    lateral_force: Real,
}

/// How four wheels stand.
struct FourStands {
    /// Whether there may be a row.
    may_be_held: <Real4 as Number>::Mask,
    /// Whether the lateral force would overshoot.
    overshoots: <Real4 as Number>::Mask,
    /// Largest impulse that friction allows (N·s).
    impulse: Real4,
}

impl ConstraintRowsView<'_> {
    /// Finds the rows of every wheel for a step of `dt` (s).
    pub fn update(mut self, dt: Real, context: &Context<'_>) {
        let response = self.lateral_response(context);
        let mut is_any = false;
        for four in 0..self.tires.fours().len() {
            let FourStands { may_be_held, impulse, .. } = self.stands(four, response, dt, context);
            is_any |= may_be_held.any();
            self.rows.bound(four, impulse);
        }
        let hold = context.params.tire_sticky.map(|params| params.hold);
        if is_any {
            let back = match hold {
                Some(StickyHold::Anchor) => self.update_anchor(dt, context),
                Some(StickyHold::Damper) | None => None,
            };
            self.hold(response, back.as_ref(), dt, context);
        } else {
            if hold == Some(StickyHold::Anchor) {
                *self.anchor = None;
            }
            self.rows.release();
        }
    }

    /// How four wheels stand.
    #[inline]
    fn stands(
        &self,
        four: usize,
        response: Option<Real>,
        dt: Real,
        context: &Context<'_>,
    ) -> FourStands {
        let road = &self.roads.fours()[four].road;
        let overshoots = response.map_or_else(<Real4 as Number>::Mask::default, |response| {
            would_overshoot(&self.tires.fours()[four], response, dt)
        });
        let load = self.suspension_forces.fours()[four].normal_load.at_least(Real4::zero());
        let impulse = max_friction_impulse(road.friction, load, dt);
        FourStands {
            may_be_held: road.is_there & (overshoots | self.may_be_held(four, context)),
            overshoots,
            impulse: Number::select(road.is_there, impulse, Real4::zero()),
        }
    }

    /// Finds the rows of wheels some of which may be held.
    #[cold]
    #[inline(never)]
    fn hold(
        &mut self,
        response: Option<Real>,
        back: Option<&Return>,
        dt: Real,
        context: &Context<'_>,
    ) {
        for four in 0..self.tires.fours().len() {
            let stands = self.stands(four, response, dt, context);
            let first = four * MAX_LANES;
            for lane in 0..MAX_LANES.min(self.rows.len() - first) {
                let wheel = first + lane;
                let overshoots = stands.overshoots.lane(lane);
                let is_held = stands.may_be_held.lane(lane);
                let rows = is_held.then(|| self.wheel_rows(wheel, overshoots, back, dt, context));
                match rows.flatten() {
                    Some(rows) if !rows.is_empty() => self.rows[wheel] = rows,
                    _ => self.rows[wheel].release(),
                }
            }
        }
    }

    /// Where the force of a tire on the ground acts (m).
    fn force_point(&self, wheel: usize) -> Vec3 {
        let (tire, lane) = self.tires.at(wheel);
        self.rigid_body.pose.translation + tire.force.arm.lane(lane)
    }

    fn road_velocity(&self, wheel: usize) -> Vec3 {
        let (roads, lane) = self.roads.at(wheel);
        roads.road.velocity.lane(lane)
    }

    fn road_normal(&self, wheel: usize) -> Vec3 {
        let (roads, lane) = self.roads.at(wheel);
        roads.road.plane.normal.lane(lane)
    }

    /// Load of `wheel` on the road, not negative (N).
    fn load(&self, wheel: usize) -> Real {
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

    /// See [`lateral_response`]; none if lateral forces act even if they overshoot, or all tires are
    /// held.
    fn lateral_response(&mut self, context: &Context<'_>) -> Option<Real> {
        if context.params.wheel_coupling == WheelCoupling::Explicit {
            return None;
        }
        if context.substep.index == 0 || !self.has_constant_compliance {
            let frame = context.frame();
            let mut sums = LeverSums::default();
            let mut left = self.tires.len();
            let params = self.suspension_params.fours().iter().zip(self.shapes.fours());
            for ((suspension, shape), stance) in params.zip(self.stances.fours()) {
                let arm = stance.tire_arm;
                let levers = LateralLevers::new(suspension, shape.radius, arm, frame).lanes();
                sums.extend(levers.into_iter().take(left));
                left = left.saturating_sub(MAX_LANES);
            }
            *self.lateral_response = lateral_response(self.rigid_body_params, &sums, frame);
        }
        // Found before: tires that stick now may slip in the next substep.
        let sticks = |four: &TireStickyState<Real4>| four.lateral.is_active.any();
        let may_be_held =
            context.params.tire_sticky.is_some() && self.sticky_states.fours().iter().all(sticks);
        if may_be_held && self.axles.wheels().all(|wheel| self.sticks_at(wheel)[1]) {
            return None;
        }
        Some(*self.lateral_response)
    }

    /// The rows of `wheel`, none if there is no road.
    fn wheel_rows(
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

    /// Whether there may be a row for each wheel, but for that of a force that would overshoot: none of a
    /// car that drives needs one.
    #[inline]
    fn may_be_held(&self, four: usize, context: &Context<'_>) -> <Real4 as Number>::Mask {
        // The host may know in time when a suspension reaches its end.
        if context.params.row_execution == RowExecution::Host {
            return Lanes::from_lanes(|_| true);
        }
        let is_at_end = self.suspension_states.fours()[four].is_at_end();
        if context.params.tire_sticky.is_none() {
            return is_at_end;
        }
        is_at_end | self.sticky_states.fours()[four].is_active()
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
        self.rigid_body.linear_velocity + self.rigid_body.angular_velocity.cross(stand.tire.arm)
    }

    /// Largest force along the rolling direction with which a wheel under `load` (N) stands (N): its
    /// brake's, and the resistance of the tire against rolling.
    ///
    /// ```text
    /// F = T_brake / R + f N
    /// ```
    fn holding_force(&self, wheel: usize, load: Real) -> Real {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimulationParams;
    use crate::blueprint::CarBlueprint;
    use crate::road::FlatRoad;
    use crate::suspension::HasSuspension;
    use crate::tire::StickyState;
    use crate::vehicle::test_car::TestCar;

    #[test]
    fn tires_that_stick_at_first_may_slip_within_the_frame() {
        let blueprint = CarBlueprint::default();
        let mut car = TestCar::new(blueprint.mechanics().unwrap());
        let stuck = StickyState { low_speed_time: 2.0, is_active: true };
        let sticky = TireStickyState { longitudinal: stuck, lateral: stuck };
        car.state.sticky_tires.fill(sticky);
        let world = SimulationParams::new(blueprint.frame);
        let road = FlatRoad::new(&blueprint.frame);
        let context = Context::new(&world, &road).in_substep(0, 3);
        car.suspension().update(0.005, &context);
        car.constraint_rows().update(0.005, &context);
        let least = 4.0 / car.params.rigid_body.mass;
        assert!(least <= car.state.lateral_response, "{} 1/kg", car.state.lateral_response);
    }
}
