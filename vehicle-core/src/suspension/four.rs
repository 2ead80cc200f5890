//! Four suspensions side by side.

use super::compliance::{SuspensionCompliance, suspension_compliance};
use super::contact_point::ContactPoint;
use super::force::{SuspensionForce, SuspensionLoad};
use super::jounce::{CompressionLanes, PreviousJounce, WheelDrop, compression, limit_expansion};
use super::landing::Landing;
use super::params::{ExpansionSpeed, JounceParams, SuspensionComplianceParams};
use super::springs::SpringLanes;
use super::stance::WheelStance;
use super::state::SuspensionLanes;
use super::straight_compliance::StraightCompliance;
use crate::Context;
use crate::body::{RigidBodyState, Wrench};
use crate::frame::Frame;
use crate::math::lanes::{Lanes, MAX_LANES, Mask, Number, Real4, Vec3x4, Vector};
use crate::math::{Real, Vec3};
use crate::mount::{RoadWheel, SuspensionParams, WheelTravel};
use crate::road::RoadLanes;

/// Four suspensions side by side.
pub(super) struct FourStruts<'a, S> {
    /// Their number.
    pub(super) four: usize,
    pub(super) suspension: &'a SuspensionParams<Vec3x4>,
    pub(super) wheel: &'a RoadWheel<Real4>,
    pub(super) springs: &'a S,
    /// Steer angles (rad).
    pub(super) steer: Real4,
    pub(super) road: &'a RoadLanes<Vec3x4>,
    pub(super) state: &'a mut SuspensionLanes,
    /// That of the first of these wheels, and those after.
    pub(super) compliance_params: &'a [SuspensionComplianceParams],
    pub(super) constant_compliance: Option<&'a SuspensionCompliance<Vec3x4>>,
    pub(super) straight_compliance: Option<&'a StraightCompliance>,
    pub(super) jounce_params: JounceParams,
    /// Mass of the vehicle (kg).
    pub(super) vehicle_mass: Real,
    /// Force and torque applied to the body from outside.
    pub(super) applied: Wrench,
    /// The part of the mass that a wheel carries (kg).
    pub(super) carried_mass: Real,
}

/// Whether it is to be found how wheels at this `stance` are steered by `steer` (rad): in the first
/// substep of a frame, and when that changes.
#[inline]
pub(super) fn is_steered_anew(
    stance: &WheelStance<Vec3x4>,
    steer: Real4,
    context: &Context<'_>,
) -> bool {
    context.substep.index == 0 || (!stance.steer.is_equal(steer)).any()
}

impl<S: SpringLanes> FourStruts<'_, S> {
    /// Finds how the wheels stand at their jounces, and how they are steered, if that is to be
    /// found anew, on axles that `lean` them.
    #[inline]
    pub(super) fn stand(
        mut self,
        is_steered_anew: bool,
        lean: Option<&SuspensionCompliance<Vec3x4>>,
        context: &Context<'_>,
    ) {
        if is_steered_anew {
            self.steer(context);
        }
        self.give_way(lean, context.frame());
    }

    /// Finds how the wheels are steered, where the stage that looked for their roads has not.
    #[inline]
    fn steer(&mut self, context: &Context<'_>) {
        let noted = context.notes.and_then(|notes| notes.steered_by(self.four, self.steer));
        self.state.stance = match noted {
            Some(steered) => WheelStance::of(&steered, context.frame()),
            None => WheelStance::steered(self.suspension, self.steer, context.frame()),
        };
    }

    #[inline(always)]
    pub(super) fn update(mut self, body: &RigidBodyState<Vec3x4>, dt: Real, context: &Context<'_>) {
        let previous = PreviousJounce::of(&self.state.compression);
        let is_steered_anew = is_steered_anew(&self.state.stance, self.steer, context);
        if is_steered_anew {
            self.steer(context);
        }
        let travel = WheelTravel::of_body(
            self.suspension,
            self.wheel,
            body,
            &self.state.stance.compressed_pose,
        );
        let JounceParams { contact, expansion } = self.jounce_params;
        let mut state =
            compression(contact, &travel, context.frame(), &self.road.plane, &previous, dt)
                .over_road(self.road.is_there);
        if expansion == ExpansionSpeed::Limited {
            state = self.limited(state, travel.direction, dt, context.params.gravity);
        }
        self.state.compression = state;
        self.state.contact = ContactPoint::new(&travel, state.jounce, body);
        if is_steered_anew || self.constant_compliance.is_none() {
            self.give_way(None, context.frame());
        }
        self.state.force =
            self.force_at(&state, &previous, (body, travel.direction), dt, context.params.gravity);
    }

    /// Finds the compliance of the suspensions, and how their wheels stand then, on axles that
    /// `lean` them.
    fn give_way(&mut self, lean: Option<&SuspensionCompliance<Vec3x4>>, frame: &Frame) {
        if let Some(compliance) = self.constant_compliance {
            self.state.compliance = *compliance;
        } else {
            self.state.compliance = self.compliance_at_jounce();
            if let Some(lean) = lean {
                let SuspensionCompliance { toe, camber, .. } = &mut self.state.compliance;
                (*toe, *camber) = (*toe + lean.toe, *camber + lean.camber);
            }
            // Where they would be at full compression has been found as they were steered.
            self.state.stance = self.state.stance.without_compliance(frame);
        }
        let SuspensionLanes { stance, compliance, .. } = self.state;
        *stance = stance.with(self.suspension, compliance, frame);
    }

    fn compliance_at_jounce(&self) -> SuspensionCompliance<Vec3x4> {
        let (jounces, distances) = (self.state.compression.jounce, self.suspension.travel_distance);
        if let Some(straight) = self.straight_compliance {
            return straight.at(jounces, distances);
        }
        self.compliance_by_tables(jounces.lanes(), distances.lanes())
    }

    fn compliance_by_tables(
        &self,
        jounces: [Real; MAX_LANES],
        distances: [Real; MAX_LANES],
    ) -> SuspensionCompliance<Vec3x4> {
        let last = self.compliance_params.len() - 1;
        Lanes::from_lanes(|lane| {
            let params = &self.compliance_params[lane.min(last)];
            suspension_compliance(params, jounces[lane], distances[lane])
        })
    }

    /// `state` where wheels that drop along `direction` are [held back](ExpansionSpeed::Limited).
    #[cold]
    fn limited(
        &self,
        state: CompressionLanes<Real4>,
        direction: Vec3x4,
        dt: Real,
        gravity: Vec3,
    ) -> CompressionLanes<Real4> {
        let (springs, previous) = (self.springs, &self.state.compression);
        Lanes::from_lanes(|lane| {
            let drop = WheelDrop {
                stiffness: springs.stiffness().lane(lane),
                damping: springs.damping().lane(lane),
                wheel_mass: self.wheel.mass.lane(lane),
                gravity,
            };
            let (direction, has_road) = (direction.lane(lane), self.road.is_there.lane(lane));
            limit_expansion(state.lane(lane), direction, has_road, &drop, &previous.lane(lane), dt)
        })
    }

    /// Forces of the suspensions in `state`.
    #[inline(always)]
    fn force_at(
        &self,
        state: &CompressionLanes<Real4>,
        previous: &PreviousJounce<Real4>,
        (body, travel_direction): (&RigidBodyState<Vec3x4>, Vec3x4),
        dt: Real,
        gravity: Vec3,
    ) -> SuspensionForce<Vec3x4> {
        let (suspension, road) = (self.suspension, self.road);
        let force_point = self.state.compliance.suspension_force_point;
        let landing = Landing {
            body,
            suspension,
            force_point,
            road,
            damping: self.springs.damping(),
            carried_mass: self.carried_mass,
        };
        let load = SuspensionLoad {
            vehicle_mass: Number::splat(self.vehicle_mass),
            gravity: Vector::splat(gravity),
            applied_force: Vector::splat(self.applied.force),
            applied_torque: Vector::splat(self.applied.torque),
            travel_direction,
            road_normal: road.plane.normal,
            force_point,
        };
        let speed = landing.damped_speed(state.jounce_speed, previous, dt);
        let normal_load = self.springs.normal_load(suspension, body, state.jounce, speed, &load);
        let arm = body.arm(self.state.stance.suspension_arm);
        SuspensionForce::along(road.plane.normal, normal_load, arm)
            .only(road.is_there & state.is_on_ground())
    }
}
