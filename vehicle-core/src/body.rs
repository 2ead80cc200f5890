//! Body: its mass, its motion, and how forces change it.
//!
//! The *body frame* has its origin at the center of mass and its axes along the principal axes of
//! inertia. Every attachment and force point is given in it.

use std::ops::Add;

use serde::{Deserialize, Serialize};

use crate::AxleDescription;
use crate::error::{Bound, ParamCheck, Validate};
use crate::frame::Frame;
use crate::math::finite::{Finite, total_of_vectors};
use crate::math::lanes::{Real4, RigidPose, Vector, lanes_by_field};
use crate::math::{
    Axes, Mat3, Pose, Quat, Real, Vec3, multiply, normalize_rotation, rotate, rotate_by_matrix,
    rotation_matrix,
};
use crate::rows::BodyVelocity;

/// How many times the sum of the other two moments of inertia a moment may be (dimensionless). In
/// no body it is more than once; but data that were tuned for how a car turns are beyond it, such
/// as those of the reference by 13 %.
const MOST_INERTIA: Real = 3.0;

/// The least moment of inertia by the largest (dimensionless): that of a wire.
const LEAST_INERTIA: Real = 1e-6;

/// Mass of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RigidBodyParams {
    /// Mass (kg).
    pub mass: Real,
    /// Principal moments of inertia (kg·m², body frame). In no body is one above the sum of the
    /// other two; more than three times that is refused.
    #[cfg_attr(feature = "schema", schemars(with = "[Real; 3]"))]
    pub inertia: Vec3,
}

impl RigidBodyParams {
    /// The part of the mass that a wheel of `axles` carries, if all carry the same (kg).
    #[inline]
    pub fn carried_mass(&self, axles: &AxleDescription) -> Real {
        self.mass / axles.wheel_count() as Real
    }
}

impl Validate for RigidBodyParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("mass", self.mass, Bound::Positive);
        let moments = ["x", "y", "z"].into_iter().zip(self.inertia.to_array());
        for (name, value) in moments.clone() {
            check.number(format_args!("inertia.{name}"), value, Bound::Positive);
        }
        let sum: Real = self.inertia.element_sum();
        for (name, value) in moments {
            let most = MOST_INERTIA * (sum - value);
            let is_possible = value <= most || !sum.is_finite();
            let requirement = format_args!(
                "at most {most}, {MOST_INERTIA} times the sum of the other two moments"
            );
            check.require(format_args!("inertia.{name}"), is_possible, requirement, value);
            let least = LEAST_INERTIA * self.inertia.max_element();
            let requirement =
                format_args!("at least {least}, {LEAST_INERTIA:e} times the largest moment");
            let is_body = least <= value || !sum.is_finite() || value <= 0.0;
            check.require(format_args!("inertia.{name}"), is_body, requirement, value);
        }
    }
}

/// Motion of a body, at its center of mass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RigidBodyState<V: Vector = Vec3> {
    /// Pose of the body frame in the world (m).
    pub pose: V::Pose,
    /// Velocity of the center of mass (m/s).
    pub linear_velocity: V,
    /// Angular velocity (rad/s).
    pub angular_velocity: V,
    /// Velocity that a physics engine had at the start of the frame (m/s); written by its host.
    pub previous_linear_velocity: V,
    /// Angular velocity that a physics engine had at the start of the frame (rad/s).
    pub previous_angular_velocity: V,
    /// Force of the user's own at the center of mass (N); acts for the whole frame. A stage adds to
    /// it before the substeps, such as after [`Brakes`](crate::stages::Brakes): added in each
    /// substep, it would act several times, which a checked step
    /// [refuses](crate::sequence::StateFault).
    pub external_force: V,
    /// Torque of the user's own (N·m); acts for the whole frame, as the force does.
    pub external_torque: V,
    /// Force of the air (N). The stage of aerodynamics writes it once per frame.
    #[serde(default)]
    pub air_force: V,
    /// Torque of the air about the center of mass (N·m).
    #[serde(default)]
    pub air_torque: V,
    /// Torque of the rotating parts of a driveline (N·m), which writes it in each substep.
    #[serde(default)]
    pub drive_torque: V,
    /// Velocity that takes the center of mass through a frame as far as its substeps do (m/s):
    /// their mean. Where tires that stick hold the vehicle, it is that of the last substep, at
    /// whose end it stands. So it is where wheels have no mass, as in the reference.
    #[serde(default)]
    pub frame_linear_velocity: V,
    /// Rotation rate that turns the body through a frame as far as its substeps do, as
    /// [`frame_linear_velocity`](Self::frame_linear_velocity) moves it (rad/s).
    #[serde(default)]
    pub frame_angular_velocity: V,
}

lanes_by_field!(RigidBodyState<Vector> {
    pose,
    linear_velocity,
    angular_velocity,
    previous_linear_velocity,
    previous_angular_velocity,
    external_force,
    external_torque,
    air_force,
    air_torque,
    drive_torque,
    frame_linear_velocity,
    frame_angular_velocity,
});

impl RigidBodyState {
    /// A body at rest at `pose`.
    pub fn at_rest(pose: Pose) -> Self {
        Self { pose, ..Self::default() }
    }

    /// Moves on with `velocity` for `dt` (s).
    #[inline]
    pub(crate) fn advance(&mut self, velocity: &Velocity, dt: Real) {
        let Velocity { linear, angular } = *velocity;
        (self.linear_velocity, self.angular_velocity) = (linear, angular);
        // Not read back from where it was just written, for which a processor would have to wait.
        (self.frame_linear_velocity, self.frame_angular_velocity) = (linear, angular);
        self.pose = velocity.advanced(&self.pose, dt);
    }

    /// Moves on as [`advance`](Self::advance) does in substep `index` of a frame, and keeps the
    /// mean velocity of all.
    ///
    /// ```text
    /// v̄ + (v - v̄) / (i + 1)
    /// ```
    #[inline]
    pub(crate) fn advance_in_frame(&mut self, index: u32, velocity: &Velocity, dt: Real) {
        let (linear, angular) = (self.frame_linear_velocity, self.frame_angular_velocity);
        self.advance(velocity, dt);
        if 0 < index {
            let part = 1.0 / (index as Real + 1.0);
            self.frame_linear_velocity = linear + (velocity.linear - linear) * part;
            self.frame_angular_velocity = angular + (velocity.angular - angular) * part;
        }
    }

    /// Begins a frame with the motion that a host has given to the body: its `pose` and its
    /// velocities, `linear` (m/s) and `angular` (rad/s).
    ///
    /// ```text
    /// v + (v_host - v̄)
    /// ```
    ///
    /// A host moves a body by one velocity through all of a frame, `v̄` of
    /// [`frame_linear_velocity`](Self::frame_linear_velocity). By that of the end, it would be up
    /// to half a frame ahead of its springs, which then damp by up to `k dt / 2` more than they
    /// should.
    ///
    /// The difference stays for a frame that no step follows, and one that is not finite is
    /// forgotten. Each call replaces the one before.
    pub fn follow(&mut self, pose: Pose, linear: Vec3, angular: Vec3) {
        let lead =
            |end: Vec3, mean: Vec3| if (end - mean).is_finite() { end - mean } else { Vec3::ZERO };
        self.pose = pose;
        self.linear_velocity = linear + lead(self.linear_velocity, self.frame_linear_velocity);
        self.angular_velocity = angular + lead(self.angular_velocity, self.frame_angular_velocity);
        (self.previous_linear_velocity, self.previous_angular_velocity) = (linear, angular);
        (self.frame_linear_velocity, self.frame_angular_velocity) = (linear, angular);
    }

    /// How much faster the body was in the mean of the frame than at its end (m/s, rad/s).
    #[inline]
    pub(crate) fn lag(&self) -> (Vec3, Vec3) {
        (
            self.frame_linear_velocity - self.linear_velocity,
            self.frame_angular_velocity - self.angular_velocity,
        )
    }

    /// Forgets how much faster the body was at the end of the last frame than in the mean of it.
    #[inline]
    pub fn forget_frame(&mut self) {
        self.frame_linear_velocity = self.linear_velocity;
        self.frame_angular_velocity = self.angular_velocity;
    }

    /// This body in every lane.
    #[inline]
    pub fn splat<V: Vector>(&self) -> RigidBodyState<V> {
        RigidBodyState {
            pose: V::Pose::splat(&self.pose),
            linear_velocity: V::splat(self.linear_velocity),
            angular_velocity: V::splat(self.angular_velocity),
            previous_linear_velocity: V::splat(self.previous_linear_velocity),
            previous_angular_velocity: V::splat(self.previous_angular_velocity),
            external_force: V::splat(self.external_force),
            external_torque: V::splat(self.external_torque),
            air_force: V::splat(self.air_force),
            air_torque: V::splat(self.air_torque),
            drive_torque: V::splat(self.drive_torque),
            frame_linear_velocity: V::splat(self.frame_linear_velocity),
            frame_angular_velocity: V::splat(self.frame_angular_velocity),
        }
    }

    /// Forward speed (m/s).
    #[inline]
    pub fn longitudinal_speed(&self, frame: &Frame) -> Real {
        self.linear_velocity.dot(self.direction(frame.longitudinal()))
    }

    /// Speed to the left (m/s).
    pub fn lateral_speed(&self, frame: &Frame) -> Real {
        self.linear_velocity.dot(self.direction(frame.lateral()))
    }

    /// Upward speed (m/s).
    pub fn vertical_speed(&self, frame: &Frame) -> Real {
        self.linear_velocity.dot(self.direction(frame.vertical()))
    }
}

impl<V: Vector> RigidBodyState<V> {
    /// Axes of the body in the world.
    #[inline]
    pub(crate) fn axes(&self) -> Axes<V> {
        Axes::of(self.pose.rotation())
    }

    /// `direction` (body frame) in the world.
    #[inline]
    pub fn direction(&self, direction: V) -> V {
        rotate(self.pose.rotation(), direction)
    }

    /// The arm from the center of mass to a point of the body at `local` (m, body frame), in the
    /// world (m).
    #[inline]
    pub fn arm(&self, local: V) -> V {
        rotate_by_matrix(self.pose.rotation(), local)
    }

    /// What the user, the air and a driveline do to the body: all but gravity and wheels.
    #[inline]
    pub fn applied_load(&self) -> Wrench<V> {
        Wrench {
            force: self.external_force + self.air_force,
            torque: self.external_torque + self.air_torque + self.drive_torque,
        }
    }

    /// Velocity of the body at the world position `point` (m/s).
    #[inline]
    pub fn velocity_at(&self, point: V) -> V {
        self.linear_velocity + self.angular_velocity.cross(point - self.pose.translation())
    }
}

/// Force and torque about the center of mass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench<V = Vec3> {
    /// Force (N).
    pub force: V,
    /// Torque about the center of mass (N·m).
    pub torque: V,
}

impl<V: Add<Output = V>> Add for Wrench<V> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self { force: self.force + other.force, torque: self.torque + other.torque }
    }
}

/// What the motion of wheels with mass does to the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelInertia {
    /// Force of the wheels' acceleration along their travel (N).
    pub force: Vec3,
    /// Torque on the body about the center of mass (N·m).
    pub torque: Vec3,
    /// Momentum of the wheels over the body, which turns with it (kg·m/s, body frame).
    pub momentum: Vec3,
    /// Whether a stage for wheels without mass has carried the vehicle, too: what it wrote is the
    /// state of these wheels, and neither is right then.
    #[serde(skip)]
    pub is_overruled: bool,
}

impl WheelInertia {
    /// The velocity of a body of `mass` (kg) after its rotation has taken the momentum of its
    /// wheels along (m/s).
    ///
    /// ```text
    /// v - (Q' p - Q p) / M
    /// ```
    #[inline]
    pub(crate) fn turned(&self, start: &RigidBodyState, end: &RigidBodyState, mass: Real) -> Vec3 {
        let turn = end.direction(self.momentum) - start.direction(self.momentum);
        end.linear_velocity - turn / mass
    }
}

/// Inverse of the inertia tensor in the world (1/(kg·m²)).
///
/// ```text
/// I⁻¹ = R diag(1/Ix, 1/Iy, 1/Iz) Rᵀ
/// ```
#[inline]
pub fn world_inverse_inertia(params: &RigidBodyParams, rotation: Quat) -> Mat3 {
    let rotation = rotation_matrix(rotation);
    let inverse = params.inertia.recip();
    let [x, y, z] = [rotation.x_axis, rotation.y_axis, rotation.z_axis];
    Mat3::from_cols(x * inverse.x, y * inverse.y, z * inverse.z) * rotation.transpose()
}

/// Velocity after `dt` (s) under `load`.
///
/// ```text
/// v' = v + F dt / M
/// ω' = ω + I⁻¹ τ dt           I⁻¹ at the start of the step
/// ```
///
/// There is no gyroscopic term: a physics engine that hosts the body applies its own.
#[inline]
pub fn accelerate(
    params: &RigidBodyParams,
    state: &RigidBodyState,
    load: &Wrench,
    dt: Real,
) -> BodyVelocity {
    Velocity::after(params, state, load, dt).answering(params, state.pose.rotation)
}

/// Pose after `dt` (s) at the velocity that the body has then: semi-implicit Euler.
///
/// ```text
/// P' = P + v' dt
/// Q' = normalize(Q + ½ dt (ω', 0) Q)
/// ```
#[inline]
pub fn advance_pose(pose: &Pose, velocity: &BodyVelocity, dt: Real) -> Pose {
    let BodyVelocity { linear, angular, .. } = *velocity;
    Velocity { linear, angular }.advanced(pose, dt)
}

/// Velocity of a body at its center of mass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Velocity {
    /// (m/s)
    pub(crate) linear: Vec3,
    /// (rad/s)
    pub(crate) angular: Vec3,
}

impl Velocity {
    /// See [`accelerate`].
    #[inline]
    pub(crate) fn after(
        params: &RigidBodyParams,
        state: &RigidBodyState,
        load: &Wrench,
        dt: Real,
    ) -> Self {
        let inverse_mass = 1.0 / params.mass;
        let rotation = rotation_matrix(state.pose.rotation);
        let push = rotation.transpose() * (load.torque * dt);
        Self {
            linear: state.linear_velocity + load.force * (inverse_mass * dt),
            angular: state.angular_velocity + rotation * (push * params.inertia.recip()),
        }
    }

    /// This velocity of a body with this `rotation`, and how it answers to impulses.
    #[inline]
    pub(crate) fn answering(self, params: &RigidBodyParams, rotation: Quat) -> BodyVelocity {
        BodyVelocity {
            linear: self.linear,
            angular: self.angular,
            inverse_mass: 1.0 / params.mass,
            inverse_inertia: world_inverse_inertia(params, rotation),
        }
    }

    /// See [`advance_pose`].
    #[inline]
    fn advanced(&self, pose: &Pose, dt: Real) -> Pose {
        let Self { linear, angular } = *self;
        let rotation = pose.rotation;
        let spin = Quat::from_xyzw(angular.x, angular.y, angular.z, 0.0);
        let rotation = normalize_rotation(rotation + multiply(spin, rotation) * (0.5 * dt));
        Pose::from_parts(pose.translation + linear * dt, rotation)
    }
}

impl Finite for RigidBodyState {
    #[inline]
    fn total(&self) -> Real4 {
        let vectors = total_of_vectors([
            self.linear_velocity,
            self.angular_velocity,
            self.previous_linear_velocity,
            self.previous_angular_velocity,
            self.external_force,
            self.external_torque,
            self.air_force,
            self.air_torque,
            self.drive_torque,
            self.frame_linear_velocity,
            self.frame_angular_velocity,
        ]);
        vectors + self.pose.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::PI;

    const PARAMS: RigidBodyParams =
        RigidBodyParams { mass: 2.0, inertia: Vec3::new(1.0, 2.0, 4.0) };

    #[test]
    fn force_moves_and_torque_turns() {
        let load = Wrench { force: Vec3::X * 4.0, torque: Vec3::Z * 8.0 };
        let state = RigidBodyState::default();
        let velocity = accelerate(&PARAMS, &state, &load, 0.5);
        let pose = advance_pose(&state.pose, &velocity, 0.5);
        assert_eq!(velocity.linear, Vec3::X);
        assert_eq!(velocity.angular, Vec3::Z);
        assert_eq!(pose.translation, Vec3::X * 0.5);
        assert!((pose.rotation.length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn inertia_turns_with_the_body() {
        let quarter = Quat::from_rotation_z(PI / 2.0);
        let inverse = world_inverse_inertia(&PARAMS, quarter);
        // The body's x axis, of inertia 1, now lies along the world's y axis.
        assert!((inverse * Vec3::Y).distance(Vec3::Y) < 1e-6);
        assert!((inverse * Vec3::X).distance(Vec3::X * 0.5) < 1e-6);
    }

    #[test]
    fn a_motion_that_is_none_is_forgotten_with_the_next_one() {
        let (lead, spin) = (Vec3::new(0.5, 0.0, -0.25), Vec3::Y * 0.125);
        let driven = RigidBodyState {
            linear_velocity: Vec3::X * 4.0 + lead,
            frame_linear_velocity: Vec3::X * 4.0,
            angular_velocity: Vec3::Z + spin,
            frame_angular_velocity: Vec3::Z,
            ..RigidBodyState::default()
        };
        let mut expected = driven;
        expected.follow(Pose::IDENTITY, Vec3::X * 4.0, Vec3::Z);
        assert_eq!(expected.linear_velocity, driven.linear_velocity);
        assert_eq!(expected.angular_velocity, driven.angular_velocity);
        for bad in [Real::NAN, Real::INFINITY, Real::NEG_INFINITY, 1e30] {
            let mut body = driven;
            body.follow(Pose::IDENTITY, Vec3::splat(bad), Vec3::splat(bad));
            body.follow(Pose::IDENTITY, Vec3::X * 4.0, Vec3::Z);
            assert_eq!(body.linear_velocity, Vec3::X * 4.0, "{bad}");
            assert_eq!(body.angular_velocity, Vec3::Z, "{bad}");
        }
    }

    #[test]
    fn speeds_are_measured_along_the_body() {
        let pose = Pose::from_rotation(Quat::from_rotation_z(PI / 2.0));
        let state =
            RigidBodyState { linear_velocity: Vec3::Y * 3.0, ..RigidBodyState::at_rest(pose) };
        assert!((state.longitudinal_speed(&Frame::Z_UP) - 3.0).abs() < 1e-6);
        assert!(state.lateral_speed(&Frame::Z_UP).abs() < 1e-6);
        assert_eq!(state.vertical_speed(&Frame::Z_UP), 0.0);
    }
}
