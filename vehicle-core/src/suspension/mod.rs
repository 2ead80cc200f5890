//! Suspension: from the road under a wheel to a force on the body.
//!
//! For each wheel the stage finds the [jounce], then the [compliance] at this jounce, then
//! the [force]; [anti-roll bars](anti_roll) add to it when all jounces are known.

pub mod anti_roll;
pub mod compliance;
pub mod force;
pub mod jounce;
pub mod landing;
pub mod legacy;
pub mod params;
pub mod sprung_mass;

use std::ops::ControlFlow::{self, Continue};

pub use anti_roll::{
    AntiRollAction, AntiRollBarEnd, AntiRollBarParams, AntiRollWheel, anti_roll_force,
    anti_roll_torque,
};
pub(crate) use anti_roll::{act_on_wheels, anti_roll_bars_torque, anti_roll_forces};
pub use compliance::{SuspensionCompliance, suspension_compliance};
pub use force::{SuspensionForce, SuspensionLoad, force_arm, suspension_force};
pub(crate) use force::{local_force_arm, suspension_normal_load};
pub use jounce::{SuspensionState, WheelDrop, suspension_state};
pub(crate) use landing::Landing;
pub use landing::landing_jounce_speed;
pub use legacy::{
    HasLegacySuspension, LegacySuspension, LegacySuspensionForceParams, legacy_suspension_force,
};
pub(crate) use params::wheel_travel_in_lanes;
pub use params::{
    ExpansionSpeed, JounceParams, SuspensionComplianceParams, SuspensionForceParams,
    SuspensionParams, WheelContact, WheelTravel, wheel_travel,
};
pub use sprung_mass::{SprungMassError, sprung_masses};

use self::jounce::limit_expansion;
pub(crate) use self::jounce::{Compression, PreviousJounce, compression};
use crate::axle::WheelLanes;
use crate::math::lanes::{MAX_LANES, Mask, Number, Vec3x4, Vector};
use crate::math::{Real, Vec3};
use crate::rigid_body::{RigidBodyParams, RigidBodyState};
use crate::road_geometry::{RoadContact, RoadLanes};
use crate::wheel::{WheelParams, WheelShape};
use crate::{AxleDescription, Component, Context, PerWheel, PerWheelMut};

/// What the stage needs from a vehicle with springs of type `S`.
pub struct SuspensionView<'a, S = SuspensionForceParams> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Mass of the body.
    pub rigid_body_params: &'a RigidBodyParams,
    /// Motion of the body.
    pub rigid_body: &'a RigidBodyState,
    /// How the jounce follows from the road.
    pub jounce_params: &'a JounceParams,
    /// Shape and mass of each wheel.
    pub wheel_params: PerWheel<'a, WheelParams>,
    /// Mount and travel of each suspension.
    pub params: PerWheel<'a, SuspensionParams>,
    /// Compliance of each suspension.
    pub compliance_params: PerWheel<'a, SuspensionComplianceParams>,
    /// Spring and damper of each suspension.
    pub force_params: PerWheel<'a, S>,
    /// Bars between wheels.
    pub anti_roll_bars: &'a [AntiRollBarParams],
    /// Steer angle of each wheel (rad).
    pub steer_angles: PerWheel<'a, Real>,
    /// Road under each wheel.
    pub roads: PerWheel<'a, Option<RoadContact>>,
    /// Read and written: compression of each suspension.
    pub states: PerWheelMut<'a, SuspensionState>,
    /// Written: toe, camber and force points of each suspension.
    pub compliances: PerWheelMut<'a, SuspensionCompliance>,
    /// Written: force of each suspension.
    pub forces: PerWheelMut<'a, SuspensionForce>,
    /// Written: torque of anti-roll bars that act on the body alone (N·m).
    pub anti_roll_torque: &'a mut Vec3,
}

impl<'a, S> SuspensionView<'a, S> {
    /// The same with other springs.
    pub fn with_springs<Other>(self, springs: PerWheel<'a, Other>) -> SuspensionView<'a, Other> {
        SuspensionView {
            axles: self.axles,
            rigid_body_params: self.rigid_body_params,
            rigid_body: self.rigid_body,
            jounce_params: self.jounce_params,
            wheel_params: self.wheel_params,
            params: self.params,
            compliance_params: self.compliance_params,
            force_params: springs,
            anti_roll_bars: self.anti_roll_bars,
            steer_angles: self.steer_angles,
            roads: self.roads,
            states: self.states,
            compliances: self.compliances,
            forces: self.forces,
            anti_roll_torque: self.anti_roll_torque,
        }
    }
}

impl<S: Spring> SuspensionView<'_, S> {
    /// Updates compression, compliance and force of every suspension, then the anti-roll bars.
    pub fn update(self, dt: Real, context: &Context<'_>) {
        self.update_in_lanes::<Vec3x4>(dt, context);
    }

    pub(crate) fn update_in_lanes<V: Vector>(mut self, dt: Real, context: &Context<'_>) {
        let body = self.rigid_body.splat::<V>();
        for wheels in self.axles.in_lanes(V::Number::LANES) {
            let struts = Struts {
                suspension: SuspensionParams::from_lanes(self.params.in_lanes(&wheels)),
                road: RoadLanes::from_lanes(self.roads.in_lanes(&wheels)),
                previous: PreviousJounce::from_lanes(self.states.in_lanes(&wheels)),
            };
            self.update_states(&wheels, &struts, &body, dt, context);
            self.update_forces(&wheels, &struts, &body, dt, context.params.gravity);
        }
        if act_on_wheels(self.anti_roll_bars) {
            for wheels in self.axles.in_lanes(V::Number::LANES) {
                self.add_bars(&wheels, &body);
            }
        }
        if self.jounce_params.expansion == ExpansionSpeed::WithoutPull {
            for wheel in self.axles.wheels() {
                self.forces[wheel] = self.forces[wheel].pushing();
            }
        }
        *self.anti_roll_torque = self.anti_roll_torque();
    }

    /// Updates compression and compliance.
    fn update_states<V: Vector>(
        &mut self,
        wheels: &WheelLanes,
        struts: &Struts<V>,
        body: &RigidBodyState<V>,
        dt: Real,
        context: &Context<'_>,
    ) {
        let Struts { suspension, road, previous } = struts;
        let steer_angles = self.steer_angles.in_lanes(wheels);
        let travel = wheel_travel_in_lanes(
            suspension,
            &WheelShape::of(self.wheel_params.in_lanes(wheels)),
            body,
            Number::from_lanes(|lane| *steer_angles[lane]),
            context.frame(),
        );
        let JounceParams { contact, expansion } = *self.jounce_params;
        let compression = compression(contact, &travel, context.frame(), &road.plane, previous, dt)
            .over_road(road.is_there);
        for (lane, wheel) in wheels.iter() {
            let mut state = compression.lane(lane);
            if expansion == ExpansionSpeed::Limited {
                let drop = self.drop(wheel, context.params.gravity);
                let (direction, has_road) = (travel.direction.lane(lane), road.is_there.lane(lane));
                let previous = &self.states[wheel];
                state = limit_expansion(state, direction, has_road, &drop, previous, dt);
            }
            self.states[wheel] = state;
            self.compliances[wheel] = suspension_compliance(
                &self.compliance_params[wheel],
                state.jounce.unwrap_or(0.0),
                self.params[wheel].travel_distance,
            );
        }
    }

    /// What moves `wheel` down when nothing holds it.
    fn drop(&self, wheel: usize, gravity: Vec3) -> WheelDrop {
        let spring = &self.force_params[wheel];
        WheelDrop {
            stiffness: spring.stiffness(),
            damping: spring.damping(),
            wheel_mass: self.wheel_params[wheel].mass,
            gravity,
        }
    }

    fn update_forces<V: Vector>(
        &mut self,
        wheels: &WheelLanes,
        struts: &Struts<V>,
        body: &RigidBodyState<V>,
        dt: Real,
        gravity: Vec3,
    ) {
        let Struts { suspension, road, previous } = struts;
        let states = self.states.in_lanes(wheels);
        let compliances = self.compliances.in_lanes(wheels);
        let springs = self.force_params.in_lanes(wheels);
        let jounce = Number::from_lanes(|lane| states[lane].jounce.unwrap_or(0.0));
        let force_point = V::from_lanes(|lane| compliances[lane].suspension_force_point);
        let landing = Landing {
            body,
            suspension,
            force_point,
            road,
            damping: Number::from_lanes(|lane| springs[lane].damping()),
            carried_mass: self.rigid_body_params.carried_mass(self.axles),
        };
        let jounce_speed = Number::from_lanes(|lane| states[lane].jounce_speed);
        let jounce_speed = landing.damped_speed(jounce_speed, previous, dt);
        let load = SuspensionLoad {
            vehicle_mass: Number::splat(self.rigid_body_params.mass),
            gravity: V::splat(gravity),
            road_normal: road.plane.normal,
            force_point,
        };
        let is_on_ground =
            <V::Number as Number>::Mask::from_lanes(|lane| states[lane].is_on_ground());
        let forces = S::force_in_lanes(springs, suspension, body, jounce, jounce_speed, &load)
            .only(road.is_there & is_on_ground);
        for (lane, wheel) in wheels.iter() {
            self.forces[wheel] = forces.lane(lane);
        }
    }

    /// Adds the forces of anti-roll bars at `wheels`.
    fn add_bars<V: Vector>(&mut self, wheels: &WheelLanes, body: &RigidBodyState<V>) {
        let pressing =
            anti_roll_forces::<V::Number>(self.anti_roll_bars, wheels.numbers(), |wheel| {
                AntiRollWheel {
                    jounce: self.states[wheel].jounce.unwrap_or(0.0),
                    stiffness: self.force_params[wheel].stiffness(),
                }
            });
        let suspension = SuspensionParams::from_lanes(self.params.in_lanes(wheels));
        let road = RoadLanes::<V>::from_lanes(self.roads.in_lanes(wheels));
        let compliances = self.compliances.in_lanes(wheels);
        let states = self.states.in_lanes(wheels);
        let forces = self.forces.in_lanes(wheels);
        let force_point = V::from_lanes(|lane| compliances[lane].suspension_force_point);
        let arm = force_arm(&suspension, body, force_point);
        let travel_direction = body.direction(suspension.travel_direction);
        let is_on_ground =
            <V::Number as Number>::Mask::from_lanes(|lane| states[lane].is_on_ground());
        let forces = SuspensionForce::<V>::from_lanes(|lane| *forces[lane])
            .with_bars(pressing, travel_direction, road.plane.normal, arm)
            .only(road.is_there & is_on_ground);
        for (lane, wheel) in wheels.iter() {
            self.forces[wheel] = forces.lane(lane);
        }
    }

    fn anti_roll_torque(&self) -> Vec3 {
        let end = |wheel: usize| AntiRollBarEnd {
            suspension: &self.params[wheel],
            jounce: self.states[wheel].jounce.unwrap_or(0.0),
            force_point: self.compliances[wheel].suspension_force_point,
        };
        anti_roll_bars_torque(self.anti_roll_bars, self.rigid_body, end)
    }
}

/// Suspensions at the start of a step.
struct Struts<V: Vector> {
    suspension: SuspensionParams<V>,
    road: RoadLanes<V>,
    previous: PreviousJounce<V::Number>,
}

/// Spring and damper of a suspension: what carries a wheel's part of the vehicle.
pub trait Spring {
    /// Stiffness (N/m), by which the wheel drops off the road.
    fn stiffness(&self) -> Real;

    /// Damping rate (N·s/m), by which the wheel drops off the road.
    fn damping(&self) -> Real;

    /// Force of `suspension` on the ground at `jounce` (m) and `jounce_speed` (m/s).
    fn force(
        &self,
        suspension: &SuspensionParams,
        body: &RigidBodyState,
        jounce: Real,
        jounce_speed: Real,
        load: &SuspensionLoad,
    ) -> SuspensionForce;

    /// Force of the suspension in each lane, whose spring is that of `springs`.
    ///
    /// One after the other, unless a spring is written for lanes.
    #[inline]
    fn force_in_lanes<V: Vector>(
        springs: [&Self; MAX_LANES],
        suspension: &SuspensionParams<V>,
        body: &RigidBodyState<V>,
        jounce: V::Number,
        jounce_speed: V::Number,
        load: &SuspensionLoad<V>,
    ) -> SuspensionForce<V>
    where
        Self: Sized,
    {
        SuspensionForce::from_lanes(|lane| {
            let (jounce, jounce_speed) = (jounce.lane(lane), jounce_speed.lane(lane));
            let (suspension, load) = (suspension.lane(lane), load.lane(lane));
            springs[lane].force(&suspension, &body.lane(lane), jounce, jounce_speed, &load)
        })
    }
}

/// See [`suspension_force`].
impl Spring for SuspensionForceParams {
    fn stiffness(&self) -> Real {
        self.stiffness
    }

    fn damping(&self) -> Real {
        self.damping
    }

    fn force(
        &self,
        suspension: &SuspensionParams,
        body: &RigidBodyState,
        jounce: Real,
        jounce_speed: Real,
        load: &SuspensionLoad,
    ) -> SuspensionForce {
        suspension_force(self, suspension, body, jounce, jounce_speed, load)
    }

    #[inline]
    fn force_in_lanes<V: Vector>(
        springs: [&Self; MAX_LANES],
        suspension: &SuspensionParams<V>,
        body: &RigidBodyState<V>,
        jounce: V::Number,
        jounce_speed: V::Number,
        load: &SuspensionLoad<V>,
    ) -> SuspensionForce<V> {
        let springs = SuspensionForceParams::from_lanes(springs);
        suspension_force(&springs, suspension, body, jounce, jounce_speed, load)
    }
}

/// A vehicle with suspended wheels.
pub trait HasSuspension {
    /// Borrows what the stage reads and writes.
    fn suspension(&mut self) -> SuspensionView<'_>;
}

/// The suspension stage as a component.
#[derive(Clone, Copy, Debug)]
pub struct Suspension;

impl<V: HasSuspension + ?Sized> Component<V> for Suspension {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.suspension().update(dt, context);
        Continue(())
    }
}
