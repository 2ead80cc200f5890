//! Four tires side by side.

use super::law::{KinematicLaw, RollingTires};
use super::rolling::DriverIntent;
use super::{GripInput, LaneInput, TireGrip, TireOutput, TireState};
use crate::Context;
use crate::actuation::WheelActuation;
use crate::body::RigidBodyState;
use crate::math::Real;
use crate::math::lanes::{Mask, Mask4, Number, Real4, Vec3x4};
use crate::mount::{RoadWheel, SuspensionParams};
use crate::road::RoadLanes;
use crate::suspension::SuspensionLanes;

/// Data that four tires read and write.
pub(super) struct FourTires<'a> {
    pub(super) wheel: &'a RoadWheel<Real4>,
    pub(super) mount: &'a SuspensionParams<Vec3x4>,
    pub(super) steer: Real4,
    pub(super) actuation: &'a WheelActuation<Mask4>,
    pub(super) road: &'a RoadLanes<Vec3x4>,
    pub(super) suspension: &'a SuspensionLanes,
    pub(super) normal_load: Real4,
    pub(super) rotation_speed: Real4,
    /// Angular velocity with which axles turn (rad/s).
    pub(super) turning: Vec3x4,
    pub(super) state: &'a mut TireState<Vec3x4>,
}

impl FourTires<'_> {
    /// Updates tires that answer by `grips` and `outputs`.
    #[inline(always)]
    pub(super) fn update<L: KinematicLaw>(
        self,
        body: &RigidBodyState<Vec3x4>,
        intent: DriverIntent,
        grips: impl FnOnce(&GripInput<Real4>) -> TireGrip<Real4>,
        outputs: impl FnOnce(&RollingTires<Vec3x4>, &LaneInput<Real4>) -> TireOutput<Real4>,
        dt: Real,
        context: &Context<'_>,
    ) {
        let tires = self.rolling::<L>(body);
        let directions = L::directions(self.mount, body, &tires, context.frame());
        let mut states =
            tires.motion::<L>(&directions, body, &self.state.sticky, (context, dt), grips);
        tires.stick(&mut states, intent, context, dt);
        let input = LaneInput {
            grip: states.grip,
            slip: states.slip,
            inclination: states.camber,
            contact_speeds: states.speeds,
            rotation_speed: tires.rotation_speed,
            radius: tires.radius,
            half_width: self.wheel.half_width,
            inflation_pressure: self.wheel.inflation_pressure,
            radial_stiffness: self.wheel.radial_stiffness,
            normal_load: tires.normal_load,
            road_friction: tires.road.friction,
            stopping_force: tires.stopping_force(&states, context, dt),
            dt: Real4::splat(dt),
        };
        let mut output = outputs(&tires, &input);
        let sticks = states.sticky.longitudinal.is_active;
        if sticks.any() {
            output.stand(sticks);
        }
        states.grip.friction = friction_used(&states.grip, &output);
        let arm = body.arm(self.suspension.stance.tire_arm);
        states.force = tires.force(&output, &states, self.turning, arm, context);
        *self.state = states;
    }

    /// The tires as they roll.
    #[inline(always)]
    fn rolling<L: KinematicLaw>(&self, body: &RigidBodyState<Vec3x4>) -> RollingTires<Vec3x4> {
        let (road, SuspensionLanes { compression, contact, stance, .. }) =
            (*self.road, self.suspension);
        let is_on_ground = road.is_there & compression.is_on_ground();
        let is_seen = if L::SEES_ROAD_FROM_THE_AIR {
            road.is_there & compression.is_known
        } else {
            is_on_ground
        };
        RollingTires {
            road,
            normal_load: self.normal_load,
            steer: self.steer,
            axes: stance.axes.in_world(body),
            contact: *contact,
            radius: self.wheel.radius,
            rotation_speed: self.rotation_speed,
            inertia: self.wheel.inertia,
            is_active: self.actuation.is_active(),
            is_on_ground,
            is_seen,
        }
    }
}

/// How much more than friction times load a force is where friction has been more than the road's
/// (dimensionless): more than rounding.
const MORE_FRICTION: Real = 1.001;

/// Friction of tires of this `grip`: what their forces take, where measured tires find more than
/// the road's (dimensionless).
#[inline(always)]
fn friction_used(grip: &TireGrip<Real4>, output: &TireOutput<Real4>) -> Real4 {
    let (along, across) = (output.longitudinal_force, output.lateral_force);
    let force = along * along + across * across;
    let limit = grip.friction * grip.load * Real4::splat(MORE_FRICTION);
    let is_more = (limit * limit).is_below(force) & Real4::zero().is_below(grip.load);
    if is_more.any() {
        Number::select(is_more, force.sqrt() / grip.load, grip.friction)
    } else {
        grip.friction
    }
}
