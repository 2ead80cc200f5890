//! Tire: from slip and load to a force on the body and a torque on the wheel.
//!
//! For each wheel the stage finds [directions and speeds](kinematics), [slip], [grip], whether the
//! tire is [sticky], and then asks the [model] for its forces.

pub mod force;
pub mod grip;
pub mod kinematics;
mod law;
pub mod legacy;
pub mod model;
pub mod models;
pub mod slip;
pub mod sticky;

use std::ops::ControlFlow::{self, Continue};

pub use force::{TireContact, TireForce, tire_force};
pub use grip::{GripInput, TireGrip};
pub use kinematics::{TireDirections, TireSpeeds, camber_angle, tire_directions, tire_speeds};
pub use legacy::{
    LegacyTire, legacy_longitudinal_slip_denominator, legacy_tire_directions, legacy_tire_slip,
};
pub use model::{TireInput, TireModel, TireOutput, TireWheel};
pub use models::BrushTire;
use serde::{Deserialize, Serialize};
pub use slip::{TireSlip, TireSlipParams, longitudinal_slip_denominator, tire_slip};
pub use sticky::{
    StickyHold, StickyInput, StickyLimits, StickyState, TireStickyParams, TireStickyState,
    slip_beside_sticky, tire_sticky_state,
};

use self::law::{KinematicLaw, OnGround};
use self::slip::tire_slip_over;
use crate::actuation::{WheelActuation, has_acceleration_intent, is_any_wheel_braked};
use crate::math::{Pose, Real, Vec3, compose, rotate};
use crate::rigid_body::RigidBodyState;
use crate::road_geometry::RoadContact;
use crate::suspension::{
    SuspensionCompliance, SuspensionForce, SuspensionParams, SuspensionState, force_arm,
    wheel_travel,
};
use crate::wheel::{WheelAngles, WheelParams, WheelState, wheel_local_pose};
use crate::{AxleDescription, Component, Context, PerWheel, PerWheelMut};

/// What a tire does at present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TireState {
    /// Rolling and lateral direction.
    pub directions: TireDirections,
    /// Speeds over the road.
    pub speeds: TireSpeeds,
    /// Slip; zero in a direction in which the tire sticks.
    pub slip: TireSlip,
    /// What the longitudinal slip was divided by (m/s).
    pub slip_denominator: Real,
    /// Inclination to the road (rad).
    pub camber: Real,
    /// Load and friction.
    pub grip: TireGrip,
    /// Force on body and wheel.
    pub force: TireForce,
}

impl TireState {
    /// Changes the longitudinal force to that of `torque` (N·m) on a wheel of `radius` (m).
    pub fn set_wheel_torque(&mut self, torque: Real, radius: Real) {
        self.force.set_longitudinal_force(-torque / radius, self.directions.longitudinal, radius);
    }
}

/// What the stage needs from a vehicle.
pub struct TireView<'a, M: TireModel> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Motion of the body.
    pub rigid_body: &'a RigidBodyState,
    /// Shape of each wheel.
    pub wheel_params: PerWheel<'a, WheelParams>,
    /// Mount of each suspension.
    pub suspension_params: PerWheel<'a, SuspensionParams>,
    /// Force law of each tire.
    pub models: PerWheel<'a, M>,
    /// Steer angle of each wheel (rad).
    pub steer_angles: PerWheel<'a, Real>,
    /// Whether each wheel drives or brakes.
    pub actuations: PerWheel<'a, WheelActuation>,
    /// Road under each wheel.
    pub roads: PerWheel<'a, Option<RoadContact>>,
    /// Compression of each suspension.
    pub suspension_states: PerWheel<'a, SuspensionState>,
    /// Toe, camber and force point of each suspension.
    pub compliances: PerWheel<'a, SuspensionCompliance>,
    /// Load of each suspension.
    pub suspension_forces: PerWheel<'a, SuspensionForce>,
    /// Rotation speed of each wheel.
    pub wheels: PerWheel<'a, WheelState>,
    /// Written: what each tire does.
    pub states: PerWheelMut<'a, TireState>,
    /// Read and written: whether each tire sticks.
    pub sticky_states: PerWheelMut<'a, TireStickyState>,
    /// Read and written: what each tire's model remembers.
    pub model_states: PerWheelMut<'a, M::State>,
}

impl<M: TireModel> TireView<'_, M> {
    /// Updates every tire.
    pub fn update(self, dt: Real, context: &Context<'_>) {
        self.update_by::<OnGround>(dt, context);
    }

    fn update_by<L: KinematicLaw>(mut self, dt: Real, context: &Context<'_>) {
        let is_driven = has_acceleration_intent(self.axles, &self.actuations);
        let is_braked = is_any_wheel_braked(self.axles, &self.actuations);
        for wheel in self.axles.wheels() {
            let footing = self.footing::<L>(wheel, context);
            let mut state = self.motion::<L>(wheel, footing.as_ref(), context);
            let sticky = context.params.tire_sticky.as_ref().map(|params| {
                let input = StickyInput {
                    grip: state.grip,
                    speeds: state.speeds,
                    rotation_speed: self.wheels[wheel].rotation_speed,
                    radius: self.wheel_params[wheel].radius,
                    is_vehicle_driven: is_driven,
                    is_vehicle_braked: is_braked,
                };
                tire_sticky_state(params, &input, &self.sticky_states[wheel], dt)
            });
            let sticky = sticky.unwrap_or_default();
            state.slip = slip_beside_sticky(&state.slip, &sticky);
            if let Some(footing) = footing.as_ref().filter(|footing| footing.is_on_ground) {
                state.force = self.force(wheel, footing, &state, dt);
            }
            self.sticky_states[wheel] = sticky;
            self.states[wheel] = state;
        }
    }

    /// How `wheel` stands on the ground, or above it where the law says so; `None` in the air.
    fn footing<L: KinematicLaw>(&self, wheel: usize, context: &Context<'_>) -> Option<Footing> {
        let ground = self.roads[wheel]?;
        let state = &self.suspension_states[wheel];
        let is_on_ground = state.is_on_ground();
        let jounce = state.jounce.filter(|_| is_on_ground || L::SEES_ROAD_FROM_THE_AIR)?;
        let (suspension, compliance) = (&self.suspension_params[wheel], &self.compliances[wheel]);
        let angles = WheelAngles {
            steer: self.steer_angles[wheel],
            toe: compliance.toe,
            camber: compliance.camber,
            rotation: 0.0,
        };
        let local_pose = wheel_local_pose(suspension, jounce, &angles, context.frame());
        let pose = compose(&self.rigid_body.pose, &local_pose);
        Some(Footing { ground, jounce, is_on_ground, pose })
    }

    /// Directions, speeds, slip, inclination and grip of a tire; `None` stands for the air.
    fn motion<L: KinematicLaw>(
        &self,
        wheel: usize,
        footing: Option<&Footing>,
        context: &Context<'_>,
    ) -> TireState {
        let mut state = footing.map_or_else(TireState::default, |footing| {
            let axle = rotate(footing.pose.rotation, context.frame().lateral());
            let forward = rotate(footing.pose.rotation, context.frame().longitudinal());
            let normal = footing.ground.plane.normal;
            let directions = L::directions(self, wheel, axle, normal, context.frame());
            let contact = self.contact(wheel, footing.jounce, context);
            TireState {
                directions,
                speeds: tire_speeds(self.rigid_body, contact, footing.ground.velocity, &directions),
                camber: camber_angle(axle, forward, normal),
                ..TireState::default()
            }
        });
        let rim_speed = self.wheels[wheel].rotation_speed * self.wheel_params[wheel].radius;
        let (limits, actuation) = (&context.params.tire_slip, self.actuations[wheel]);
        state.slip_denominator = L::slip_denominator(limits, &state.speeds, rim_speed, actuation);
        state.slip = tire_slip_over(state.slip_denominator, limits, &state.speeds, rim_speed);
        if let Some(footing) = footing.filter(|footing| footing.is_on_ground) {
            state.grip = self.models[wheel].grip(&GripInput {
                normal_load: self.suspension_forces[wheel].normal_load,
                road_friction: footing.ground.friction,
                longitudinal_slip: state.slip.longitudinal,
            });
        }
        state
    }

    /// The bottom of `wheel` at `jounce` (m), which touches the ground (m).
    fn contact(&self, wheel: usize, jounce: Real, context: &Context<'_>) -> Vec3 {
        let (suspension, params) = (&self.suspension_params[wheel], &self.wheel_params[wheel]);
        let steer_angle = self.steer_angles[wheel];
        wheel_travel(suspension, params, self.rigid_body, steer_angle, context.frame())
            .bottom(jounce)
    }

    fn force(&mut self, wheel: usize, footing: &Footing, tire: &TireState, dt: Real) -> TireForce {
        let params = &self.wheel_params[wheel];
        let input = TireInput {
            wheel: TireWheel {
                pose: footing.pose,
                contact_speeds: tire.speeds,
                rotation_speed: self.wheels[wheel].rotation_speed,
                radius: params.radius,
                half_width: params.half_width,
                inclination: tire.camber,
                inflation_pressure: params.inflation_pressure,
                radial_stiffness: params.radial_stiffness,
            },
            ground: &footing.ground,
            normal_load: self.suspension_forces[wheel].normal_load,
            grip: tire.grip,
            slip: tire.slip,
            dt,
        };
        let contact = TireContact {
            directions: tire.directions,
            normal: footing.ground.plane.normal,
            arm: force_arm(
                &self.suspension_params[wheel],
                self.rigid_body,
                self.compliances[wheel].tire_force_point,
            ),
            radius: params.radius,
        };
        let output = self.models[wheel].forces(&input, &mut self.model_states[wheel]);
        tire_force::<M>(&output, &contact)
    }
}

/// How a wheel stands on the ground.
struct Footing {
    ground: RoadContact,
    jounce: Real,
    is_on_ground: bool,
    /// Pose of the wheel, steered and cambered, without its rotation (m).
    pose: Pose,
}

/// A vehicle with tires.
pub trait HasTires {
    /// The force law of its tires.
    type Model: TireModel;

    /// Borrows what the stage reads and writes.
    fn tires(&mut self) -> TireView<'_, Self::Model>;
}

/// The tire stage as a component.
#[derive(Clone, Copy, Debug)]
pub struct Tire;

impl<V: HasTires + ?Sized> Component<V> for Tire {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.tires().update(dt, context);
        Continue(())
    }
}
