//! Constraint rows: what holds a resting car and stops a suspension at its end.
//!
//! A *row* is an equation for one speed of the body: the speed of a point along a direction. A
//! sticky tire gives a row along and one across its rolling direction; a suspension that is
//! compressed beyond its travel gives one out of the road. The rows are found by the component
//! [`ConstraintRows`](crate::stages::ConstraintRows) and executed by a small solver inside the
//! rigid body's stage, after the forces and before the pose. They are plain data: a host may
//! execute them instead ([`RowExecution`]).
//!
//! Rows are there because the force of a tire depends on its slip, and so cannot hold a car that
//! stands. Along its direction a tire holds as much as its brake bears, and a little that resists
//! rolling.

mod anchor;
mod footing;
mod limit;
mod overshoot;
mod stand;

pub use anchor::StickyAnchor;

use self::overshoot::stop_at_most;
pub(crate) use self::overshoot::{LateralLevers, LeverSums, lateral_response, would_overshoot};
use crate::body::{RigidBodyParams, RigidBodyState};
use crate::frame::Frame;
use crate::math::Real;
use crate::math::lanes::{Lanes, MAX_LANES, Mask, Mask4, Number, Real4, Vec3x4, Vector};
use crate::mount::RoadWheel;
use crate::mount::SuspensionParams;
use crate::road::RoadContact;
use crate::rows::WayBack;
pub use crate::rows::{
    BodyVelocity, ConstraintRow, HostRows, HostStand, LimitDirection, RowExecution,
    SuspensionLimitParams, VehicleRows, WheelRows, execute_rows, limit_direction, suspension_limit,
};
use crate::suspension::SuspensionState;
use crate::tire::{StickyHold, TireState};
use crate::{AxleDescription, Context, WheelCoupling, WheelList};

/// The lateral response in a frame in which no tire has slipped yet (1/kg).
const NOT_ASKED: Real = 0.0;
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

/// Sticky tires and suspension ends of a vehicle, and the rows that hold them.
#[derive(Debug)]
pub struct ConstraintRowsView<'a> {
    /// How wheels stand.
    pub wheels: StandingWheels<'a>,
    /// Whether the compliance of every suspension is the same at any jounce.
    pub has_constant_compliance: bool,
    /// Whether beam axles with a mass take contacts aside: those answer to lateral forces faster
    /// than the body does, so that rows hold them in any detail.
    pub is_on_beams: bool,
    /// Read and written: how fast contacts become sideways if all tires push (1/kg); 0 until a tire
    /// slips. It is found then, once per frame where it does not change in between.
    pub lateral_response: &'a mut Real,
    /// Read and written: where the vehicle sticks.
    pub anchor: &'a mut Option<StickyAnchor>,
    /// Read and written: the rows of each wheel.
    pub rows: &'a mut VehicleRows,
}

/// Contacts and tires that say where wheels stand, and how.
#[derive(Debug)]
pub struct StandingWheels<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Mass of the body.
    pub rigid_body_params: &'a RigidBodyParams,
    /// Motion of the body.
    pub rigid_body: &'a RigidBodyState,
    /// How suspensions are stopped.
    pub limit_params: &'a SuspensionLimitParams,
    /// Radius of each wheel.
    pub road_wheels: &'a WheelList<RoadWheel>,
    /// Brake torque of each wheel (N·m).
    pub brake_torques: &'a WheelList<Real>,
    /// Mount of each suspension.
    pub suspension_params: &'a WheelList<SuspensionParams>,
    /// State of each suspension, from its compression to its force.
    pub suspensions: &'a WheelList<SuspensionState>,
    /// Road under each wheel.
    pub roads: &'a WheelList<Option<RoadContact>>,
    /// Slip, force and stick of each tire; forces are written where vehicles are looked at
    /// [coarsely](crate::LevelOfDetail::is_coarse).
    pub tires: &'a mut WheelList<TireState>,
}

/// Which of four wheels there may be rows for.
struct MayBeHeld {
    /// Whether there may be a row.
    by_any: Mask4,
    /// Whether the lateral force would overshoot.
    overshoots: Mask4,
}

/// A substep of `dt` (s) in its context.
#[derive(Clone, Copy)]
struct Step<'a> {
    dt: Real,
    context: &'a Context<'a>,
    /// Lateral response (1/kg); none if lateral forces act even if they overshoot, or all tires are
    /// held.
    response: Option<Real>,
}

impl ConstraintRowsView<'_> {
    /// Finds the rows of every wheel for a step of `dt` (s).
    pub fn update(mut self, dt: Real, context: &Context<'_>) {
        let mut response = self.lateral_response(context);
        let has_rows = context.params.row_execution == RowExecution::Host || self.is_on_beams;
        if context.detail.is_coarse() && !has_rows {
            self.stop_at_most(response.take(), dt);
        }
        let step = Step { dt, context, response };
        let wheels = &self.wheels;
        let mut is_any = false;
        for four in 0..wheels.tires.fours().len() {
            is_any |= wheels.may_be_held(four, &step).by_any.any();
            self.rows.four_mut(four).max_friction_impulse = wheels.friction_impulse(four, dt);
        }
        let hold = context.params.tire_sticky.map(|params| params.hold);
        if is_any {
            let back = match hold {
                Some(StickyHold::Anchor) => wheels.update_anchor(self.anchor, dt, context),
                Some(StickyHold::Damper) | None => None,
            };
            wheels.hold(self.rows, back.as_ref(), &step);
        } else {
            if hold == Some(StickyHold::Anchor) {
                *self.anchor = None;
            }
            self.rows.release();
        }
    }

    /// Weakens lateral forces that would overshoot, of a vehicle of this lateral `response` (1/kg).
    fn stop_at_most(&mut self, response: Option<Real>, dt: Real) {
        let Some(response) = response else { return };
        for four in self.wheels.tires.fours_mut() {
            stop_at_most(four, response, dt);
        }
    }

    /// See [`lateral_response`]; none if lateral forces act even if they overshoot, or all tires
    /// are held.
    fn lateral_response(&mut self, context: &Context<'_>) -> Option<Real> {
        if context.params.wheel_coupling == WheelCoupling::Explicit {
            return None;
        }
        if context.substep.index == 0 || !self.has_constant_compliance {
            *self.lateral_response = NOT_ASKED;
        }
        let sticks = |four: &TireState<Vec3x4>| four.sticky.lateral.is_active.any();
        let may_be_held =
            context.params.tire_sticky.is_some() && self.wheels.tires.fours().iter().all(sticks);
        let slips = |four: &TireState<Vec3x4>| !four.sticky.lateral.is_active;
        if may_be_held && !self.wheels.tires.any(slips) {
            return None;
        }
        if *self.lateral_response == NOT_ASKED {
            let (levers, frame) = (self.wheels.lever_sums(context.frame()), context.frame());
            *self.lateral_response =
                lateral_response(self.wheels.rigid_body_params, &levers, frame);
        }
        Some(*self.lateral_response)
    }
}

impl StandingWheels<'_> {
    /// Which of four wheels there may be rows for.
    #[inline(always)]
    fn may_be_held(&self, four: usize, &Step { dt, context, response }: &Step<'_>) -> MayBeHeld {
        let overshoots = response.map_or_else(Mask4::default, |response| {
            would_overshoot(self.tires.four(four), response, dt)
        });
        let is_there = self.roads.four(four).road.is_there;
        let by_any = is_there & (overshoots | self.sticks_or_ends(four, context));
        MayBeHeld { by_any, overshoots }
    }

    /// Largest impulses that friction allows in a step of `dt` (s); none where there is no road
    /// (N·s).
    #[inline(always)]
    fn friction_impulse(&self, four: usize, dt: Real) -> Real4 {
        let impulse = max_friction_impulse(self.friction(four), self.load(four), dt);
        Number::select(self.roads.four(four).road.is_there, impulse, Real4::zero())
    }

    /// Friction of four tires on their roads, as their models say: that with which they would slide
    /// (dimensionless).
    #[inline(always)]
    fn friction(&self, four: usize) -> Real4 {
        self.tires.four(four).grip.friction
    }

    /// Sums over the levers of the lateral forces of all wheels.
    #[inline]
    fn lever_sums(&self, frame: &Frame) -> LeverSums {
        let mut sums = LeverSums::default();
        let params = self.suspension_params.fours().iter().zip(self.road_wheels.fours());
        for (four, ((mount, shape), suspension)) in params.zip(self.suspensions.fours()).enumerate()
        {
            let arm = suspension.stance.tire_arm;
            let levers = LateralLevers::new(mount, shape.radius, arm, frame);
            sums.add(&levers, self.wheel_lanes(four));
        }
        sums
    }

    /// Load of four wheels on the road, not negative (N).
    #[inline]
    fn load(&self, four: usize) -> Real4 {
        self.suspensions.four(four).force.normal_load.at_least(Real4::zero())
    }

    /// The lanes of a four in which there are wheels.
    #[inline]
    fn wheel_lanes(&self, four: usize) -> Mask4 {
        Mask4::below(self.tires.len() - four * MAX_LANES)
    }

    /// Finds the rows of wheels some of which may be held.
    #[cold]
    #[inline(never)]
    fn hold(&self, rows: &mut VehicleRows, back: Option<&WayBack>, step: &Step<'_>) {
        for four in 0..self.tires.fours().len() {
            self.find_rows(four, back, step, rows.four_mut(four));
        }
    }

    /// Where the forces of four tires on the ground act (m).
    #[inline]
    fn force_points(&self, four: usize) -> Vec3x4 {
        let translation = <Vec3x4 as Vector>::splat(self.rigid_body.pose.translation);
        translation + self.tires.four(four).force.arm
    }

    /// Whether there may be a row for each wheel, but for that of a force that would overshoot:
    /// none of a car that drives needs one.
    #[inline]
    fn sticks_or_ends(&self, four: usize, context: &Context<'_>) -> Mask4 {
        // The host may know in time when a suspension reaches its end.
        if context.params.row_execution == RowExecution::Host {
            return Lanes::from_lanes(|_| true);
        }
        let is_at_end = self.suspensions.four(four).compression.is_at_end();
        if context.params.tire_sticky.is_none() {
            return is_at_end;
        }
        is_at_end | self.tires.four(four).sticky.is_active()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint::CarBlueprint;
    use crate::context::FrameNotes;
    use crate::math::Quat;
    use crate::road::FlatRoad;
    use crate::tire::{StickyState, TireStickyState};
    use crate::vehicle::HasMechanics;
    use crate::vehicle::test_car::TestCar;
    use crate::{SimulationParams, Substep};

    #[test]
    fn tires_that_stick_at_first_may_slip_within_the_frame() {
        let blueprint = CarBlueprint::default();
        let mut car = TestCar::new(blueprint.mechanics().unwrap());
        let stuck = StickyState { low_speed_time: 2.0, is_active: true };
        let sticky = TireStickyState { longitudinal: stuck, lateral: stuck };
        car.state.tires.edit_all(|tire| tire.sticky = sticky);
        let world = SimulationParams::new(blueprint.frame);
        let road = FlatRoad::new(&blueprint.frame);
        let part = |index| Substep::WHOLE.part(index, 3);
        let context = Context { substep: part(0), ..Context::new(&world, &road) };
        car.mechanics().suspension().update(0.005, &context);
        car.mechanics().constraint_rows().update(0.005, &context);
        assert_eq!(car.state.lateral_response, 0.0, "none slips");
        let slips = StickyState { is_active: false, ..stuck };
        car.state.tires.edit(2, |tire| tire.sticky.lateral = slips);
        car.mechanics().constraint_rows().update(0.005, &Context { substep: part(1), ..context });
        let least = 4.0 / car.params.rigid_body.mass;
        assert!(least <= car.state.lateral_response, "{} 1/kg", car.state.lateral_response);
    }

    #[test]
    fn rows_of_a_car_that_stands_are_those_of_the_frame_until_somebody_writes_them() {
        let blueprint = CarBlueprint::default();
        let mut car = TestCar::new(blueprint.mechanics().unwrap());
        let height = blueprint.frame.vertical() * blueprint.center_of_mass_height;
        car.state.rigid_body.pose.translation = height;
        car.state.brake_torques.fill(1_000.0);
        let stuck = StickyState { low_speed_time: 2.0, is_active: true };
        let sticky = TireStickyState { longitudinal: stuck, lateral: stuck };
        let world = SimulationParams::new(blueprint.frame);
        let road = FlatRoad::new(&blueprint.frame);
        let notes = FrameNotes::default();
        let context = Context::new(&world, &road).with_firm_ground().with_notes(&notes);
        car.mechanics().road_geometry().update(&context);
        car.mechanics().suspension().update(0.005, &context);
        car.mechanics().tires().update(0.005, &context);
        car.state.tires.edit_all(|tire| tire.sticky = sticky);
        let mut lateral_after = |substep: u32, load: Real, change: &dyn Fn(&mut VehicleRows)| {
            let turn = Quat::from_axis_angle(blueprint.frame.vertical(), 1e-3);
            car.state.tires.edit_all(|tire| {
                tire.directions.lateral = turn * tire.directions.lateral;
            });
            car.state.suspensions.edit_all(|suspension| suspension.force.normal_load = load);
            change(&mut car.state.rows);
            let substep = Substep::WHOLE.part(substep, 4);
            car.mechanics().constraint_rows().update(0.005, &Context { substep, ..context });
            let direction = car.state.tires.of(3).directions.lateral;
            let row = car.state.rows.of(3).lateral.unwrap();
            (row.linear == direction, row.max_impulse)
        };
        let (nothing, bound) = (|_: &mut VehicleRows| {}, |load: Real| load * 0.005);
        assert_eq!(lateral_after(0, 4_000.0, &nothing), (true, bound(4_000.0)));
        assert_eq!(lateral_after(1, 5_000.0, &nothing), (false, bound(5_000.0)));
        assert_eq!(lateral_after(2, 6_000.0, &|rows| rows.edit(3, |_| {})), (true, bound(6_000.0)));
        assert_eq!(lateral_after(3, 6_000.0, &nothing), (false, bound(6_000.0)));
    }
}
