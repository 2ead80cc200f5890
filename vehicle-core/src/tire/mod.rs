//! Tire: from slip and load to a force on the body and a torque on the wheel.
//!
//! For each wheel the stage finds [directions and speeds](kinematics), [slip], [grip], whether the
//! tire is [sticky], and then asks the [model] for its forces.

pub mod force;
pub mod grip;
pub mod kinematics;
pub mod model;
pub mod models;
pub mod slip;
pub mod sticky;

use std::ops::ControlFlow::{self, Continue};

pub use force::{TireContact, TireForce, tire_force};
pub use grip::{GripInput, TireGrip};
pub use kinematics::{TireDirections, TireSpeeds, camber_angle, tire_directions, tire_speeds};
pub use model::{TireInput, TireModel, TireOutput, TireWheel};
pub use models::BrushTire;
use serde::{Deserialize, Serialize};
pub use slip::{TireSlip, TireSlipParams, longitudinal_slip_denominator, tire_slip};
pub use sticky::{
    StickyInput, StickyLimits, StickyState, TireStickyParams, TireStickyState, slip_beside_sticky,
    tire_sticky_state,
};

use crate::actuation::{WheelActuation, has_acceleration_intent, is_any_wheel_braked};
use crate::math::{Pose, Real, compose, multiply};
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
    pub fn update(mut self, dt: Real, context: &Context<'_>) {
        let is_driven = has_acceleration_intent(self.axles, &self.actuations);
        let is_braked = is_any_wheel_braked(self.axles, &self.actuations);
        for wheel in self.axles.wheels() {
            let mut state = self.motion(wheel, context);
            let sticky = context.params.tire_sticky.as_ref().map_or_else(
                TireStickyState::default,
                |params| {
                    let input = StickyInput {
                        grip: state.grip,
                        speeds: state.speeds,
                        rotation_speed: self.wheels[wheel].rotation_speed,
                        radius: self.wheel_params[wheel].radius,
                        is_vehicle_driven: is_driven,
                        is_vehicle_braked: is_braked,
                    };
                    tire_sticky_state(params, &input, &self.sticky_states[wheel], dt)
                },
            );
            state.slip = slip_beside_sticky(&state.slip, &sticky);
            state.force = self.force(wheel, &state, dt, context);
            self.sticky_states[wheel] = sticky;
            self.states[wheel] = state;
        }
    }

    /// The road under `wheel`, if the wheel touches it.
    fn ground(&self, wheel: usize) -> Option<&RoadContact> {
        let road = self.roads[wheel].as_ref()?;
        self.suspension_states[wheel].is_on_ground().then_some(road)
    }

    fn local_pose(&self, wheel: usize, context: &Context<'_>) -> Pose {
        let suspension = &self.suspension_params[wheel];
        let compliance = &self.compliances[wheel];
        let jounce = self.suspension_states[wheel].jounce.unwrap_or(suspension.travel_distance);
        let angles = WheelAngles {
            steer: self.steer_angles[wheel],
            toe: compliance.toe,
            camber: compliance.camber,
            rotation: 0.0,
        };
        wheel_local_pose(suspension, jounce, &angles, context.frame())
    }

    /// Directions, speeds, slip, inclination and grip of a tire.
    fn motion(&self, wheel: usize, context: &Context<'_>) -> TireState {
        let (frame, slip_params) = (context.frame(), &context.params.tire_slip);
        let wheel_params = &self.wheel_params[wheel];
        let (mut directions, mut speeds, mut camber) = Default::default();
        let ground = self.ground(wheel);
        if let Some(road) = ground {
            let normal = road.plane.normal;
            let orientation =
                multiply(self.rigid_body.pose.rotation, self.local_pose(wheel, context).rotation);
            directions = tire_directions(orientation, normal, frame);
            camber = camber_angle(orientation, normal, frame);
            let travel = wheel_travel(
                &self.suspension_params[wheel],
                wheel_params,
                self.rigid_body,
                self.steer_angles[wheel],
                frame,
            );
            let contact = travel.bottom(self.suspension_states[wheel].jounce.unwrap_or(0.0));
            speeds = tire_speeds(self.rigid_body, contact, road.velocity, &directions);
        }
        let rim_speed = self.wheels[wheel].rotation_speed * wheel_params.radius;
        let actuation = self.actuations[wheel];
        let slip = tire_slip(slip_params, &speeds, rim_speed, actuation);
        let grip = ground.map_or_else(TireGrip::default, |road| {
            self.models[wheel].grip(&GripInput {
                normal_load: self.suspension_forces[wheel].normal_load,
                road_friction: road.friction,
                longitudinal_slip: slip.longitudinal,
            })
        });
        let slip_denominator = longitudinal_slip_denominator(slip_params, &speeds, actuation);
        let force = TireForce::default();
        TireState { directions, speeds, slip, slip_denominator, camber, grip, force }
    }

    fn force(
        &mut self,
        wheel: usize,
        tire: &TireState,
        dt: Real,
        context: &Context<'_>,
    ) -> TireForce {
        let Some(ground) = self.ground(wheel).copied() else {
            return TireForce::default();
        };
        let params = &self.wheel_params[wheel];
        let input = TireInput {
            wheel: TireWheel {
                pose: compose(&self.rigid_body.pose, &self.local_pose(wheel, context)),
                contact_speeds: tire.speeds,
                rotation_speed: self.wheels[wheel].rotation_speed,
                radius: params.radius,
                half_width: params.half_width,
                inclination: tire.camber,
                inflation_pressure: params.inflation_pressure,
                radial_stiffness: params.radial_stiffness,
            },
            ground: &ground,
            normal_load: self.suspension_forces[wheel].normal_load,
            grip: tire.grip,
            slip: tire.slip,
            dt,
        };
        let contact = TireContact {
            directions: tire.directions,
            normal: ground.plane.normal,
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
