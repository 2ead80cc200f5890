//! Suspension: from the road under a wheel to a force on the body.
//!
//! For each wheel the stage finds the [jounce], then the [compliance] at this jounce, then
//! the [force]; [anti-roll bars](anti_roll) follow when all jounces are known.

pub mod anti_roll;
pub mod compliance;
pub mod force;
pub mod jounce;
pub mod legacy;
pub mod params;
pub mod sprung_mass;

use std::ops::ControlFlow::{self, Continue};

pub use anti_roll::{AntiRollBarEnd, AntiRollBarParams, anti_roll_torque};
pub use compliance::{SuspensionCompliance, suspension_compliance};
pub use force::{SuspensionForce, SuspensionLoad, force_arm, suspension_force};
pub use jounce::{SuspensionState, WheelDrop, landing_jounce_speed, suspension_state};
pub use legacy::{
    HasLegacySuspension, LegacySuspension, LegacySuspensionForceParams, legacy_suspension_force,
};
pub use params::{
    ExpansionSpeed, JounceParams, SuspensionComplianceParams, SuspensionForceParams,
    SuspensionParams, WheelContact, WheelTravel, wheel_travel,
};
pub use sprung_mass::{SprungMassError, sprung_masses};

use crate::math::{Real, Vec3};
use crate::rigid_body::{RigidBodyParams, RigidBodyState};
use crate::road_geometry::RoadContact;
use crate::wheel::WheelParams;
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
    /// Written: torque of the anti-roll bars (N·m).
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
    pub fn update(mut self, dt: Real, context: &Context<'_>) {
        for wheel in self.axles.wheels() {
            let state = self.state(wheel, dt, context);
            let was_at_droop = self.states[wheel].jounce == Some(0.0);
            self.states[wheel] = state;
            let jounce = state.jounce.unwrap_or(0.0);
            let travel_distance = self.params[wheel].travel_distance;
            self.compliances[wheel] =
                suspension_compliance(&self.compliance_params[wheel], jounce, travel_distance);
            let damped_speed =
                if was_at_droop { self.landing_speed(wheel, dt) } else { state.jounce_speed };
            self.forces[wheel] = self.force(wheel, damped_speed, context.params.gravity);
        }
        *self.anti_roll_torque = self.anti_roll_torque();
    }

    fn state(&self, wheel: usize, dt: Real, context: &Context<'_>) -> SuspensionState {
        let (params, wheel_params) = (&self.params[wheel], &self.wheel_params[wheel]);
        let steer_angle = self.steer_angles[wheel];
        let travel =
            wheel_travel(params, wheel_params, self.rigid_body, steer_angle, context.frame());
        let spring = &self.force_params[wheel];
        let drop = WheelDrop {
            stiffness: spring.stiffness(),
            damping: spring.damping(),
            wheel_mass: wheel_params.mass,
            gravity: context.params.gravity,
        };
        let plane = self.roads[wheel].as_ref().map(|road| &road.plane);
        let previous = &self.states[wheel];
        suspension_state(self.jounce_params, &travel, context.frame(), plane, &drop, previous, dt)
    }

    /// Jounce speed that the damper of a wheel feels that was at full droop (m/s).
    fn landing_speed(&self, wheel: usize, dt: Real) -> Real {
        let (state, Some(road)) = (&self.states[wheel], &self.roads[wheel]) else {
            return self.states[wheel].jounce_speed;
        };
        let suspension = &self.params[wheel];
        let arm =
            force_arm(suspension, self.rigid_body, self.compliances[wheel].suspension_force_point);
        let velocity =
            self.rigid_body.velocity_at(self.rigid_body.pose.translation + arm) - road.velocity;
        let travel_direction = self.rigid_body.direction(suspension.travel_direction);
        let normal = road.plane.normal;
        landing_jounce_speed(
            state.jounce_speed,
            // A road along the travel direction bounds nothing: the damper does not push off it.
            normal.dot(velocity) / normal.dot(travel_direction),
            self.force_params[wheel].damping(),
            self.rigid_body_params.mass / self.axles.wheel_count() as Real,
            dt,
        )
    }

    fn force(&self, wheel: usize, jounce_speed: Real, gravity: Vec3) -> SuspensionForce {
        let state = &self.states[wheel];
        let (true, Some(road), Some(jounce)) =
            (state.is_on_ground(), &self.roads[wheel], state.jounce)
        else {
            return SuspensionForce::default();
        };
        let load = SuspensionLoad {
            vehicle_mass: self.rigid_body_params.mass,
            gravity,
            road_normal: road.plane.normal,
            force_point: self.compliances[wheel].suspension_force_point,
        };
        let (spring, suspension) = (&self.force_params[wheel], &self.params[wheel]);
        spring.force(suspension, self.rigid_body, jounce, jounce_speed, &load)
    }

    fn anti_roll_torque(&self) -> Vec3 {
        let end = |wheel: usize| AntiRollBarEnd {
            suspension: &self.params[wheel],
            jounce: self.states[wheel].jounce.unwrap_or(0.0),
            force_point: self.compliances[wheel].suspension_force_point,
        };
        let torques = self.anti_roll_bars.iter().map(|bar| {
            let ends = bar.wheels.map(end);
            self.rigid_body.direction(anti_roll_torque(bar.stiffness, &ends))
        });
        torques.fold(Vec3::ZERO, |sum, torque| sum + torque)
    }
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
