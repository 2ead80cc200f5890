//! Constraint rows: what holds a resting car and stops a suspension at its end.
//!
//! A *row* is an equation for one speed of the body: the speed of a point along a direction. A
//! sticky tire gives a row along and one across its rolling direction; a suspension that is
//! compressed beyond its travel gives one out of the road. The rows are found by the component
//! [`ConstraintRows`] and executed by a small solver inside the rigid body's stage, after the forces
//! and before the pose. They are plain data: a host may execute them instead ([`RowExecution`]).

mod anchor;
mod footing;
mod limit;
mod overshoot;
mod stand;

use std::ops::ControlFlow::{self, Continue};

pub use anchor::StickyAnchor;

pub(crate) use self::overshoot::{LateralLevers, LeverSums, lateral_response, would_overshoot};
use crate::body::{RigidBodyParams, RigidBodyState};
use crate::math::Real;
use crate::math::lanes::{Lanes, MAX_LANES, Mask, Mask4, Number, Real4, Vec3x4, Vector};
use crate::mount::SuspensionParams;
use crate::mount::WheelShape;
use crate::road::RoadContact;
pub use crate::rows::{
    BodyVelocity, ConstraintRow, HostRows, HostStand, LimitDirection, RowExecution,
    SuspensionLimitParams, VehicleRows, WheelRows, execute_rows, limit_direction, suspension_limit,
};
use crate::rows::{FourRows, WayBack};
use crate::suspension::{ContactPatch, SuspensionForce, SuspensionState, WheelStance};
use crate::tire::{StickyHold, TireState, TireStickyState};
use crate::{AxleDescription, Component, Context, WheelCoupling, WheelList};

/// Rate at which a car returns to its anchor, and a suspension to its end (1/s).
const RETURN_RATE: Real = 30.0;
/// Largest part of an error that is removed in one step (dimensionless).
const RETURN_SHARE: Real = 0.5;
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
    /// Where each wheel meets the road.
    pub contacts: &'a WheelList<ContactPatch>,
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

/// How four wheels stand.
struct FourStands {
    /// Whether there may be a row.
    may_be_held: Mask4,
    /// Whether the lateral force would overshoot.
    overshoots: Mask4,
    /// Load on the road, not negative (N).
    load: Real4,
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
        let road = &self.roads.four(four).road;
        let overshoots = response.map_or_else(Mask4::default, |response| {
            would_overshoot(self.tires.four(four), response, dt)
        });
        let load = self.load(four);
        let impulse = max_friction_impulse(road.friction, load, dt);
        FourStands {
            may_be_held: road.is_there & (overshoots | self.may_be_held(four, context)),
            overshoots,
            load,
            impulse: Number::select(road.is_there, impulse, Real4::zero()),
        }
    }

    /// Load of four wheels on the road, not negative (N).
    #[inline]
    fn load(&self, four: usize) -> Real4 {
        self.suspension_forces.four(four).normal_load.at_least(Real4::zero())
    }

    /// The lanes of a four in which there are wheels.
    #[inline]
    fn wheel_lanes(&self, four: usize) -> Mask4 {
        Mask4::below(self.tires.len() - four * MAX_LANES)
    }

    /// Finds the rows of wheels some of which may be held.
    #[cold]
    #[inline(never)]
    fn hold(
        &mut self,
        response: Option<Real>,
        back: Option<&WayBack>,
        dt: Real,
        context: &Context<'_>,
    ) {
        for four in 0..self.tires.fours().len() {
            let stands = self.stands(four, response, dt, context);
            let mut rows = FourRows::none(stands.impulse);
            self.find_rows(four, &stands, back, (dt, context), &mut rows);
            self.rows.hold(four, &rows);
        }
    }

    /// Where the forces of four tires on the ground act (m).
    #[inline]
    fn force_points(&self, four: usize) -> Vec3x4 {
        let translation = <Vec3x4 as Vector>::splat(self.rigid_body.pose.translation);
        translation + self.tires.four(four).force.arm
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
        let slips = |four: &TireStickyState<Real4>| !four.lateral.is_active;
        if may_be_held && !self.sticky_states.any(slips) {
            return None;
        }
        Some(*self.lateral_response)
    }

    /// Whether there may be a row for each wheel, but for that of a force that would overshoot: none of a
    /// car that drives needs one.
    #[inline]
    fn may_be_held(&self, four: usize, context: &Context<'_>) -> Mask4 {
        // The host may know in time when a suspension reaches its end.
        if context.params.row_execution == RowExecution::Host {
            return Lanes::from_lanes(|_| true);
        }
        let is_at_end = self.suspension_states.four(four).is_at_end();
        if context.params.tire_sticky.is_none() {
            return is_at_end;
        }
        is_at_end | self.sticky_states.four(four).is_active()
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
