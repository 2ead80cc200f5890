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
pub use model::{SlipInput, TireInput, TireModel, TireOutput, TireWheel};
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
use crate::axle::WheelLanes;
use crate::math::lanes::{MAX_LANES, Mask, Number, RigidPose, Vec3x4, Vector};
use crate::math::{Real, Vec3, compose, rotate};
use crate::rigid_body::RigidBodyState;
use crate::road_geometry::{Plane, RoadContact};
use crate::suspension::{
    SuspensionCompliance, SuspensionForce, SuspensionParams, SuspensionState, WheelTravel,
    force_arm, wheel_travel_in_lanes,
};
use crate::wheel::{WheelAngles, WheelParams, WheelShape, WheelState, wheel_local_pose};
use crate::{AxleDescription, Component, Context, PerWheel, PerWheelMut};

/// What a tire does at present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TireState<V: Vector = Vec3> {
    /// Rolling and lateral direction.
    pub directions: TireDirections<V>,
    /// Speeds over the road.
    pub speeds: TireSpeeds<V::Number>,
    /// Slip; zero in a direction in which the tire sticks.
    pub slip: TireSlip<V::Number>,
    /// What the longitudinal slip was divided by (m/s).
    pub slip_denominator: V::Number,
    /// Inclination to the road (rad).
    pub camber: V::Number,
    /// Load and friction.
    pub grip: TireGrip<V::Number>,
    /// Force on body and wheel.
    pub force: TireForce<V>,
}

impl<V: Vector> TireState<V> {
    /// The tire in `lane`.
    #[inline]
    fn lane(&self, lane: usize) -> TireState {
        TireState {
            directions: self.directions.lane(lane),
            speeds: self.speeds.lane(lane),
            slip: self.slip.lane(lane),
            slip_denominator: self.slip_denominator.lane(lane),
            camber: self.camber.lane(lane),
            grip: self.grip.lane(lane),
            force: self.force.lane(lane),
        }
    }
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
        self.update_by::<OnGround, Vec3x4>(dt, context);
    }

    fn update_by<L: KinematicLaw, V: Vector>(mut self, dt: Real, context: &Context<'_>) {
        let is_driven = has_acceleration_intent(self.axles, &self.actuations);
        let is_braked = is_any_wheel_braked(self.axles, &self.actuations);
        let body = self.rigid_body.splat::<V>();
        for wheels in self.axles.in_lanes(V::Number::LANES) {
            let suspension = SuspensionParams::from_lanes(self.suspension_params.in_lanes(&wheels));
            let footing = self.footing::<L, V>(&wheels, &suspension, &body, context);
            let mut states = self.motion::<L, V>(&wheels, &footing, &body, context);
            for (lane, wheel) in wheels.iter() {
                let sticky = context.params.tire_sticky.as_ref().map(|params| {
                    let input = StickyInput {
                        grip: states.grip.lane(lane),
                        speeds: states.speeds.lane(lane),
                        rotation_speed: self.wheels[wheel].rotation_speed,
                        radius: self.wheel_params[wheel].radius,
                        is_vehicle_driven: is_driven,
                        is_vehicle_braked: is_braked,
                    };
                    tire_sticky_state(params, &input, &self.sticky_states[wheel], dt)
                });
                self.sticky_states[wheel] = sticky.unwrap_or_default();
            }
            let sticky = self.sticky_states.in_lanes(&wheels);
            states.slip = slip_beside_sticky(
                &states.slip,
                Mask::from_lanes(|lane| sticky[lane].longitudinal.is_active),
                Mask::from_lanes(|lane| sticky[lane].lateral.is_active),
            );
            let output = self.output(&wheels, &footing, &states, dt);
            let contact = TireContact {
                directions: states.directions,
                normal: footing.normal,
                arm: force_arm(&suspension, &body, footing.force_point),
                radius: footing.travel.radius,
            };
            states.force = tire_force::<M, V>(&output, &contact);
            for (lane, wheel) in wheels.iter() {
                let mut state = states.lane(lane);
                if !footing.is_on_ground.lane(lane) {
                    state.force = TireForce::default();
                }
                self.states[wheel] = state;
            }
        }
    }

    /// How `wheels` stand on the ground, or above it where the law says so.
    fn footing<L: KinematicLaw, V: Vector>(
        &self,
        wheels: &WheelLanes,
        suspension: &SuspensionParams<V>,
        body: &RigidBodyState<V>,
        context: &Context<'_>,
    ) -> Footing<V> {
        let none = RoadContact::new(Plane { normal: Vec3::ZERO, offset: 0.0 }, 0.0);
        let roads = self.roads.in_lanes(wheels);
        let grounds = roads.map(|road| road.as_ref().unwrap_or(&none));
        let states = self.suspension_states.in_lanes(wheels);
        let compliances = self.compliances.in_lanes(wheels);
        let steer_angles = self.steer_angles.in_lanes(wheels);
        let is_on_ground = |lane: usize| roads[lane].is_some() && states[lane].is_on_ground();
        let is_seen = |lane: usize| {
            let has_position = roads[lane].is_some() && states[lane].jounce.is_some();
            has_position && (is_on_ground(lane) || L::SEES_ROAD_FROM_THE_AIR)
        };
        let jounce = Number::from_lanes(|lane| states[lane].jounce.unwrap_or(0.0));
        let steer = V::Number::from_lanes(|lane| *steer_angles[lane]);
        let angles = WheelAngles {
            steer,
            toe: Number::from_lanes(|lane| compliances[lane].toe),
            camber: Number::from_lanes(|lane| compliances[lane].camber),
            rotation: Number::zero(),
        };
        let local_pose = wheel_local_pose(suspension, jounce, &angles, context.frame());
        Footing {
            normal: V::from_lanes(|lane| grounds[lane].plane.normal),
            velocity: V::from_lanes(|lane| grounds[lane].velocity),
            friction: Number::from_lanes(|lane| grounds[lane].friction),
            jounce,
            force_point: V::from_lanes(|lane| compliances[lane].tire_force_point),
            pose: compose(&body.pose, &local_pose),
            travel: wheel_travel_in_lanes(
                suspension,
                &WheelShape::of(self.wheel_params.in_lanes(wheels)),
                body,
                steer,
                context.frame(),
            ),
            is_on_ground: Mask::from_lanes(is_on_ground),
            is_seen: Mask::from_lanes(is_seen),
        }
    }

    /// Directions, speeds, slip, inclination and grip of tires, zero in the air but for the slip.
    fn motion<L: KinematicLaw, V: Vector>(
        &self,
        wheels: &WheelLanes,
        footing: &Footing<V>,
        body: &RigidBodyState<V>,
        context: &Context<'_>,
    ) -> TireState<V> {
        let frame = context.frame();
        let [axle, forward] = [frame.lateral(), frame.longitudinal()]
            .map(|axis| rotate(footing.pose.rotation(), V::splat(axis)));
        let directions = L::directions(self, wheels, axle, footing.normal, frame);
        let contact = footing.travel.bottom(footing.jounce);
        let speeds = tire_speeds(body, contact, footing.velocity, &directions);
        let camber = camber_angle(axle, forward, footing.normal);
        let seen = |value| Number::select(footing.is_seen, value, Number::zero());
        let directions = TireDirections {
            longitudinal: V::select(footing.is_seen, directions.longitudinal, V::zero()),
            lateral: V::select(footing.is_seen, directions.lateral, V::zero()),
        };
        let speeds =
            TireSpeeds { longitudinal: seen(speeds.longitudinal), lateral: seen(speeds.lateral) };

        let turning = self.wheels.in_lanes(wheels);
        let actuations = self.actuations.in_lanes(wheels);
        let rim_speed =
            V::Number::from_lanes(|lane| turning[lane].rotation_speed) * footing.travel.radius;
        let is_active = Mask::from_lanes(|lane| actuations[lane].is_active());
        let limits = &context.params.tire_slip;
        let slip_denominator = L::slip_denominator(limits, &speeds, rim_speed, is_active);
        let slip = tire_slip_over(slip_denominator, limits, &speeds, rim_speed);
        let loads = self.suspension_forces.in_lanes(wheels);
        let input = GripInput {
            normal_load: Number::from_lanes(|lane| loads[lane].normal_load),
            road_friction: footing.friction,
            longitudinal_slip: slip.longitudinal,
        };
        let grip = M::grip_in_lanes(self.models.in_lanes(wheels), &input);
        let grounded = |value| Number::select(footing.is_on_ground, value, Number::zero());
        TireState {
            directions,
            speeds,
            slip,
            slip_denominator,
            camber: seen(camber),
            grip: TireGrip { load: grounded(grip.load), friction: grounded(grip.friction) },
            force: TireForce::default(),
        }
    }

    /// What the models of `wheels` answer.
    fn output<V: Vector>(
        &mut self,
        wheels: &WheelLanes,
        footing: &Footing<V>,
        states: &TireState<V>,
        dt: Real,
    ) -> TireOutput<V::Number> {
        let models = self.models.in_lanes(wheels);
        let slip = SlipInput { grip: states.grip, slip: states.slip, inclination: states.camber };
        M::forces_in_lanes(models, &slip)
            .unwrap_or_else(|| self.outputs_one_by_one(wheels, footing, states, dt))
    }

    fn outputs_one_by_one<V: Vector>(
        &mut self,
        wheels: &WheelLanes,
        footing: &Footing<V>,
        states: &TireState<V>,
        dt: Real,
    ) -> TireOutput<V::Number> {
        let mut outputs = [TireOutput::default(); MAX_LANES];
        for (lane, wheel) in wheels.iter() {
            let on_ground = self.roads[wheel].as_ref().filter(|_| footing.is_on_ground.lane(lane));
            let Some(ground) = on_ground else { continue };
            let params = &self.wheel_params[wheel];
            let input = TireInput {
                wheel: TireWheel {
                    pose: footing.pose.lane(lane),
                    contact_speeds: states.speeds.lane(lane),
                    rotation_speed: self.wheels[wheel].rotation_speed,
                    radius: params.radius,
                    half_width: params.half_width,
                    inclination: states.camber.lane(lane),
                    inflation_pressure: params.inflation_pressure,
                    radial_stiffness: params.radial_stiffness,
                },
                ground,
                normal_load: self.suspension_forces[wheel].normal_load,
                grip: states.grip.lane(lane),
                slip: states.slip.lane(lane),
                dt,
            };
            outputs[lane] = self.models[wheel].forces(&input, &mut self.model_states[wheel]);
        }
        TireOutput::from_lanes(|lane| &outputs[lane])
    }
}

/// How wheels stand on the ground.
struct Footing<V: Vector> {
    normal: V,
    /// Velocity of the ground (m/s).
    velocity: V,
    friction: V::Number,
    jounce: V::Number,
    /// Where the tire's force acts (m, suspension frame).
    force_point: V,
    /// Pose of the wheel, steered and cambered, without its rotation (m).
    pose: V::Pose,
    travel: WheelTravel<V>,
    is_on_ground: <V::Number as Number>::Mask,
    /// Whether the tire has directions and speeds: on the ground, or above it where the law says so.
    is_seen: <V::Number as Number>::Mask,
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
