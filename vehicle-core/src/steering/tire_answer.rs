//! Torque of the road on a steered wheel about its steering axis, and how it changes as the wheel
//! is turned.

use super::axis::{
    CarrierLoad, SteeredWheel, SteeringAxis, SteeringAxisParams, carrier_torque, kingpin_moment,
};
use super::turning::ContactInput;
use crate::Context;
use crate::frame::Frame;
use crate::math::{Real, Vec3, compose};
use crate::mount::{RoadWheel, WheelAngles, WheelAxes, wheel_local_pose};
use crate::road_geometry::RoadContact;
use crate::suspension::{SuspensionParams, SuspensionState};
use crate::tire::{
    TireContact, TireDirections, TireForce, TireInput, TireModel, TireSlip, TireSpeeds, TireState,
    TireView, TireWheel, camber_angle, tire_directions, tire_force, tire_slip,
};

/// By how much a wheel is turned to find the slope of its moment (rad).
const TURN: Real = 2e-3;

/// A steered wheel on the road, as its tire stage has left it.
pub(super) struct RollingWheel<'a, 'b, M: TireModel> {
    view: &'a TireView<'b, M>,
    wheel: usize,
    params: &'a SteeringAxisParams,
    shape: RoadWheel,
    suspension: SuspensionParams,
    road: RoadContact,
    tire: TireState,
    /// Load along the road's normal (N).
    load: Real,
    rotation_speed: Real,
    brake_torque: Real,
}

impl<'a, 'b, M: TireModel> RollingWheel<'a, 'b, M> {
    /// The wheel of the steering axis `params`, with the largest torque of its brake (N·m); `None`
    /// if it is not on the ground, or lost.
    pub(super) fn new(
        view: &'a TireView<'b, M>,
        params: &'a SteeringAxisParams,
        brake_torque: Real,
    ) -> Option<Self> {
        let wheel = params.wheel;
        let road = view.roads.of(wheel)?;
        let state = view.wheels.of(wheel);
        let is_there = view.suspensions.of(wheel).is_on_ground() && !state.is_detached;
        is_there.then(|| Self {
            view,
            wheel,
            params,
            shape: view.road_wheels.of(wheel),
            suspension: view.suspension_params.of(wheel),
            road,
            tire: view.states.of(wheel),
            load: view.suspensions.of(wheel).force.normal_load.max(0.0),
            rotation_speed: state.rotation_speed,
            brake_torque,
        })
    }

    /// Unit vector out of the road.
    pub(super) fn normal(&self) -> Vec3 {
        self.road.plane.normal
    }

    /// Load, friction and speed by which its contact resists being turned.
    pub(super) fn contact(&self) -> ContactInput {
        ContactInput {
            load: self.tire.grip.load,
            friction: self.tire.grip.friction,
            pressure: self.shape.inflation_pressure,
            half_width: self.shape.half_width,
            rolling_speed: self.tire.speeds.longitudinal,
        }
    }

    fn steered(&self) -> SteeredWheel<'_> {
        SteeredWheel {
            params: self.params,
            suspension: &self.suspension,
            radius: self.shape.radius,
            axes: self.view.suspensions.of(self.wheel).stance.axes.in_world(self.view.rigid_body),
            normal: self.normal(),
        }
    }

    /// Steering axis of the wheel.
    pub(super) fn axis(&self, frame: &Frame) -> SteeringAxis {
        self.steered().axis(self.view.rigid_body, frame)
    }

    /// Moment about `axis`, that of the wheel as it stands (N·m).
    pub(super) fn moment(&self, axis: &SteeringAxis) -> Real {
        self.moment_of(axis, &self.tire.force, &self.tire.directions)
    }

    /// Moment about `axis` of the wheel under its load and the `force` of its tire (N·m).
    fn moment_of(
        &self,
        axis: &SteeringAxis,
        force: &TireForce,
        directions: &TireDirections,
    ) -> Real {
        let rolled = directions.longitudinal * force.longitudinal_force;
        let axle_torque = carrier_torque(
            force.longitudinal_force,
            self.shape.radius,
            self.brake_torque,
            self.rotation_speed,
        );
        let load = CarrierLoad {
            contact_force: self.normal() * self.load + rolled + force.lateral,
            hub_force: force.longitudinal - rolled,
            moment: force.moment,
            axle_torque,
        };
        kingpin_moment(axis, &load)
    }

    /// By how much the moment about an axis along `direction` falls per angle by which the wheel is
    /// turned about it (N·m/rad). It is the response of the tire in a step of `dt` (s).
    ///
    /// A tire that sticks answers by its twisted contact alone.
    pub(super) fn stiffness(&self, direction: Vec3, dt: Real, context: &Context<'_>) -> Real {
        if self.tire.sticky.lateral.is_active {
            return 0.0;
        }
        let [right, left] =
            [-TURN, TURN].map(|angle| self.moment_turned_by(angle, direction, dt, context));
        (right - left) / (2.0 * TURN)
    }

    /// Moment about an axis along `direction` if the wheel were turned about it by `angle` (rad);
    /// its longitudinal force stays.
    fn moment_turned_by(
        &self,
        angle: Real,
        direction: Vec3,
        dt: Real,
        context: &Context<'_>,
    ) -> Real {
        let steered = self.steered();
        let turned = steered.turned(direction, angle);
        let directions = tire_directions(turned.axes.lateral, self.normal());
        let input = self.turned_input(&turned.axes, &directions, angle, dt, context);
        let model = &self.view.models[self.wheel];
        let mut memory = self.view.model_states[self.wheel].clone();
        let mut output = model.forces(&input, &mut memory);
        output.longitudinal_force = self.tire.force.longitudinal_force;
        let contact = TireContact {
            directions,
            normal: self.normal(),
            arm: Vec3::ZERO,
            radius: self.shape.radius,
        };
        let axis = turned.axis(self.view.rigid_body, context.frame());
        self.moment_of(&axis, &tire_force::<Vec3>(&output, &contact), &directions)
    }

    /// Input of the tire on the wheel turned by `angle` (rad) to `axes`.
    fn turned_input(
        &self,
        axes: &WheelAxes,
        directions: &TireDirections,
        angle: Real,
        dt: Real,
        context: &Context<'_>,
    ) -> TireInput<'_> {
        let (tire, shape) = (&self.tire, self.shape);
        let velocity = tire.directions.longitudinal * tire.speeds.longitudinal
            + tire.directions.lateral * tire.speeds.lateral;
        let speeds = TireSpeeds {
            longitudinal: velocity.dot(directions.longitudinal),
            lateral: velocity.dot(directions.lateral),
        };
        let actuation = self.view.actuations.of(self.wheel);
        let rim_speed = self.rotation_speed * shape.radius;
        let slip = tire_slip(&context.params.tire_slip, &speeds, rim_speed, actuation);
        let inclination = camber_angle(axes.lateral, axes.longitudinal, self.normal());
        let body = self.view.rigid_body;
        let pose = compose(&body.pose, &self.local_pose(angle, context));
        TireInput {
            wheel: TireWheel {
                pose,
                linear_velocity: body.velocity_at(pose.translation),
                angular_velocity: body.angular_velocity + axes.lateral * self.rotation_speed,
                contact_speeds: speeds,
                rotation_speed: self.rotation_speed,
                radius: shape.radius,
                half_width: shape.half_width,
                inclination,
                inflation_pressure: shape.inflation_pressure,
                radial_stiffness: shape.radial_stiffness,
            },
            ground: &self.road,
            soil: context.road.soil(self.road.material),
            normal_load: self.view.suspensions.of(self.wheel).force.normal_load,
            grip: tire.grip,
            slip: TireSlip { longitudinal: tire.slip.longitudinal, tangent: slip.tangent },
            // Rolling resistance turns no steered wheel.
            stopping_force: 0.0,
            dt,
        }
    }

    /// Pose of the wheel turned by a further `angle` (rad), without its rotation (m, body frame).
    fn local_pose(&self, angle: Real, context: &Context<'_>) -> crate::math::Pose {
        let SuspensionState { compression, compliance, .. } = self.view.suspensions.of(self.wheel);
        let angles = WheelAngles {
            steer: self.view.steer_angles[self.wheel] + angle,
            toe: compliance.toe,
            camber: compliance.camber,
            rotation: 0.0,
        };
        wheel_local_pose(
            &self.suspension,
            compression.jounce.unwrap_or(0.0),
            &angles,
            context.frame(),
        )
    }
}
