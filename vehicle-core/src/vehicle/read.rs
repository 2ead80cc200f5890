//! A vehicle that is looked at, wheel by wheel, and stays as it is.

use super::{HasMechanics, MechanicsRef};
use crate::AxleDescription;
use crate::actuation::WheelActuation;
use crate::body::{RigidBodyParams, RigidBodyState};
use crate::constraint_rows::WheelRows;
use crate::frame::Frame;
use crate::math::lanes::Lanes;
use crate::math::{Pose, Real, Vec3};
use crate::mount::{SuspensionParams, WheelAngles, WheelParams, wheel_local_pose};
use crate::road::{RoadContact, WheelObstacle};
use crate::suspension::SuspensionState;
use crate::suspension::unsprung::SuspensionDynamics;
use crate::tire::TireState;
use crate::turning_wheel::WheelState;
use crate::wheel_list::place;

/// Speed below which a vehicle whose tires stick stands (m/s, and rad/s of its turning).
const STANDING_SPEED: Real = 0.02;

/// A vehicle that can be looked at, whatever its storage. Those on the ready-made mechanical base
/// have it.
///
/// # Panics
///
/// What is asked of a wheel panics if the vehicle has no such wheel, unless said otherwise.
pub trait ReadVehicle {
    /// Wheels in order of update.
    fn axles(&self) -> &AxleDescription;

    /// Mass of the body.
    fn body_params(&self) -> &RigidBodyParams;

    /// Motion of the body.
    fn body(&self) -> &RigidBodyState;

    /// Shape and inertia of `wheel`.
    fn wheel_params(&self, wheel: usize) -> &WheelParams;

    /// Mount and travel of the suspension of `wheel`.
    fn suspension_params(&self, wheel: usize) -> &SuspensionParams;

    /// Steer angle of `wheel` (rad).
    fn steer_angle(&self, wheel: usize) -> Real;

    /// Whether `wheel` drives or brakes.
    fn actuation(&self, wheel: usize) -> WheelActuation;

    /// Road under `wheel`; `None` also if there is no such wheel.
    fn road(&self, wheel: usize) -> Option<RoadContact>;

    /// Whether `wheel` has a road. It costs less to ask than to read the [road](Self::road).
    fn has_road(&self, wheel: usize) -> bool {
        self.road(wheel).is_some()
    }

    /// What stands in front of `wheel`; `None` also for wheels without mass, and if there is no
    /// such wheel.
    fn obstacle(&self, wheel: usize) -> Option<&WheelObstacle> {
        let _ = wheel;
        None
    }

    /// Velocity of the ground under `wheel` (m/s); `None` without a road, also if there is no such
    /// wheel.
    fn ground_velocity(&self, wheel: usize) -> Option<Vec3> {
        self.road(wheel).map(|road| road.velocity)
    }

    /// What the suspension of `wheel` does.
    fn suspension_state(&self, wheel: usize) -> SuspensionState;

    /// State of the tire of `wheel`.
    fn tire_state(&self, wheel: usize) -> TireState;

    /// What holds the tire of `wheel` and stops its suspension.
    fn wheel_rows(&self, wheel: usize) -> WheelRows;

    /// Rotation of `wheel`.
    fn wheel_state(&self, wheel: usize) -> WheelState;

    /// Whether the vehicle stands and is to stand. That is so if all of its tires stick, along and
    /// across, its body is slower than 2 cm/s and 0.02 rad/s, wheels are braked, and nobody
    /// accelerates.
    fn is_held(&self) -> bool;

    /// Whether the wheels have a mass of their own, between springs and tires.
    fn has_unsprung_masses(&self) -> bool;

    /// Speed at which the contact of `wheel` could follow ground that leaves it, until its spring,
    /// or with mass its tire, has no load (m/s). Meanwhile, it gives the ground an `impulse` (N·s)
    /// in `dt` (s).
    fn following_speed(&self, wheel: usize, impulse: Real, dt: Real) -> Real;

    /// Pose of `wheel` (m, body frame) in a vehicle with the axes of `frame`. It is compressed,
    /// steered and turned, and pushed along the vehicle by what stands in front of it. A wheel
    /// whose jounce is not known is at full compression: before the first step, and after a
    /// teleport.
    fn wheel_local_pose(&self, wheel: usize, frame: &Frame) -> Pose {
        let suspension = self.suspension_params(wheel);
        let SuspensionState { compression, compliance, .. } = self.suspension_state(wheel);
        let angles = WheelAngles {
            steer: self.steer_angle(wheel),
            toe: compliance.toe,
            camber: compliance.camber,
            rotation: self.wheel_state(wheel).rotation_angle,
        };
        let jounce = compression.jounce.unwrap_or(suspension.travel_distance);
        let mut pose = wheel_local_pose(suspension, jounce, &angles, frame);
        if let Some(obstacle) = self.obstacle(wheel) {
            pose.translation += frame.longitudinal() * obstacle.shift;
        }
        pose
    }
}

impl<V: HasMechanics + ?Sized> ReadVehicle for V {
    fn axles(&self) -> &AxleDescription {
        &self.read_mechanics().params.axles
    }

    fn body_params(&self) -> &RigidBodyParams {
        &self.read_mechanics().params.rigid_body
    }

    fn body(&self) -> &RigidBodyState {
        &self.read_mechanics().state.rigid_body
    }

    #[inline]
    fn wheel_params(&self, wheel: usize) -> &WheelParams {
        &self.read_mechanics().params.wheels[wheel]
    }

    #[inline]
    fn suspension_params(&self, wheel: usize) -> &SuspensionParams {
        &self.read_mechanics().params.suspensions[wheel]
    }

    fn steer_angle(&self, wheel: usize) -> Real {
        self.read_mechanics().state.steer_angles[wheel]
    }

    fn actuation(&self, wheel: usize) -> WheelActuation {
        self.read_mechanics().state.actuations.of(wheel)
    }

    fn obstacle(&self, wheel: usize) -> Option<&WheelObstacle> {
        self.read_mechanics().state.obstacles.get(wheel)
    }

    fn road(&self, wheel: usize) -> Option<RoadContact> {
        self.read_mechanics().state.roads.get(wheel)?
    }

    #[inline]
    fn has_road(&self, wheel: usize) -> bool {
        let roads = &self.read_mechanics().state.roads;
        let (four, lane) = place(wheel);
        wheel < roads.len() && roads.four(four).road.is_there.lane(lane)
    }

    #[inline]
    fn ground_velocity(&self, wheel: usize) -> Option<Vec3> {
        let roads = &self.read_mechanics().state.roads;
        if roads.len() <= wheel {
            return None;
        }
        let (contacts, lane) = roads.at(wheel);
        contacts.road.is_there.lane(lane).then(|| contacts.velocity(lane))
    }

    #[inline]
    fn suspension_state(&self, wheel: usize) -> SuspensionState {
        self.read_mechanics().state.suspensions.of(wheel)
    }

    fn tire_state(&self, wheel: usize) -> TireState {
        self.read_mechanics().state.tires.of(wheel)
    }

    fn wheel_rows(&self, wheel: usize) -> WheelRows {
        self.read_mechanics().state.rows.of(wheel)
    }

    #[inline]
    fn wheel_state(&self, wheel: usize) -> WheelState {
        self.read_mechanics().state.wheels.of(wheel)
    }

    #[inline]
    fn is_held(&self) -> bool {
        let MechanicsRef { params, commands, state } = self.read_mechanics();
        let body = &state.rigid_body;
        let is_slow = |speed: Vec3| speed.length_squared() < STANDING_SPEED * STANDING_SPEED;
        let actuations = || params.axles.wheels().map(|wheel| state.actuations.of(wheel));
        is_slow(body.linear_velocity)
            && is_slow(body.angular_velocity)
            && commands.throttle == 0.0
            && actuations().any(|wheel| wheel.is_braked)
            && !actuations().any(|wheel| wheel.is_driven)
            && !state.tires.any(|tires| !tires.sticky.is_held())
    }

    fn has_unsprung_masses(&self) -> bool {
        self.read_mechanics().params.suspension_dynamics.has_mass()
    }

    fn following_speed(&self, wheel: usize, impulse: Real, dt: Real) -> Real {
        match &self.read_mechanics().params.suspension_dynamics {
            SuspensionDynamics::Unsprung(wheels) => {
                let radius = self.wheel_params(wheel).radius;
                wheels[wheel].following_speed(radius, impulse, dt)
            }
            SuspensionDynamics::Massless | SuspensionDynamics::Struts(_) => {
                self.suspension_state(wheel).compression.jounce.unwrap_or(0.0) / dt
            }
        }
    }
}
