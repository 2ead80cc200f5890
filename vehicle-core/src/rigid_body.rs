//! Rigid body: from forces to motion.
//!
//! The *body frame* has its origin at the center of mass and its axes along the principal axes of
//! inertia. Every attachment and force point is given in it.

use std::ops::Add;
use std::ops::ControlFlow::{self, Continue};

use serde::{Deserialize, Serialize};

use crate::constraint_rows::{BodyVelocity, VehicleRows, WheelRows, execute_rows};
use crate::error::{Bound, ParamCheck, Validate};
use crate::frame::Frame;
use crate::math::lanes::{
    Lanes, MAX_LANES, Real4, RigidPose, Vec3x4, Vector, each_lane, lanes_by_field,
};
use crate::math::{
    Mat3, Pose, Quat, Real, Vec3, multiply, normalize_rotation, rotate, rotate_by_matrix,
    rotation_matrix,
};
use crate::suspension::SuspensionForce;
use crate::tire::{TireForce, TireState};
use crate::wheel_list::{Fours, place};
use crate::{AxleDescription, Component, Context, WheelList};

/// How many times the sum of the other two moments of inertia a moment may be (dimensionless). In no
/// body it is more than once; but data that were tuned for how a car turns are beyond it, such as those
/// of the reference by 13 %.
const MOST_INERTIA: Real = 3.0;

/// Mass of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RigidBodyParams {
    /// Mass (kg).
    pub mass: Real,
    /// Principal moments of inertia (kg·m², body frame). In no body is one above the sum of the other
    /// two; more than three times that is refused.
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
    /// Force of the user's own at the center of mass (N); acts for the whole frame.
    pub external_force: V,
    /// Torque of the user's own (N·m); acts for the whole frame.
    pub external_torque: V,
}

lanes_by_field!(RigidBodyState<Vector> {
    pose,
    linear_velocity,
    angular_velocity,
    previous_linear_velocity,
    previous_angular_velocity,
    external_force,
    external_torque,
});

impl RigidBodyState {
    /// A body at rest at `pose`.
    pub fn at_rest(pose: Pose) -> Self {
        Self { pose, ..Self::default() }
    }

    /// Moves on with `velocity` for `dt` (s).
    #[inline]
    pub(crate) fn advance(&mut self, velocity: &BodyVelocity, dt: Real) {
        self.linear_velocity = velocity.linear;
        self.angular_velocity = velocity.angular;
        self.pose = advance_pose(&self.pose, velocity, dt);
    }

    /// The same body in every lane.
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
    /// `direction` (body frame) in the world.
    #[inline]
    pub fn direction(&self, direction: V) -> V {
        rotate(self.pose.rotation(), direction)
    }

    /// The arm from the center of mass to a point of the body at `local` (m, body frame), in the world
    /// (m).
    #[inline]
    pub fn arm(&self, local: V) -> V {
        rotate_by_matrix(self.pose.rotation(), local)
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

/// Inverse of the inertia tensor in the world (1/(kg·m²)).
///
/// ```text
/// I⁻¹ = R diag(1/Ix, 1/Iy, 1/Iz) Rᵀ
/// ```
#[inline]
pub fn world_inverse_inertia(params: &RigidBodyParams, rotation: Quat) -> Mat3 {
    let rotation = rotation_matrix(rotation);
    rotation * Mat3::from_diagonal(params.inertia.recip()) * rotation.transpose()
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
    let inverse_mass = 1.0 / params.mass;
    let rotation = rotation_matrix(state.pose.rotation);
    let push = rotation.transpose() * (load.torque * dt);
    BodyVelocity {
        linear: state.linear_velocity + load.force * (inverse_mass * dt),
        angular: state.angular_velocity + rotation * (push * params.inertia.recip()),
        inverse_mass,
        inverse_inertia: world_inverse_inertia(params, state.pose.rotation),
    }
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
    let rotation = pose.rotation;
    let spin = Quat::from_xyzw(angular.x, angular.y, angular.z, 0.0);
    let rotation = normalize_rotation(rotation + multiply(spin, rotation) * (0.5 * dt));
    Pose::from_parts(pose.translation + linear * dt, rotation)
}

/// What the stage needs from a vehicle.
pub struct RigidBodyView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Mass of the body.
    pub params: &'a RigidBodyParams,
    /// Force of each suspension.
    pub suspension_forces: &'a WheelList<SuspensionForce>,
    /// Force of each tire.
    pub tires: &'a WheelList<TireState>,
    /// Torque of the anti-roll bars (N·m).
    pub anti_roll_torque: Vec3,
    /// Read and written: the rows that hold sticky tires and stop suspensions.
    pub rows: &'a mut VehicleRows,
    /// Read and written: motion of the body.
    pub state: &'a mut RigidBodyState,
}

impl RigidBodyView<'_> {
    /// Sums the forces, accelerates the body, executes the rows and moves the body.
    pub fn update(self, dt: Real, context: &Context<'_>) {
        let load = self.load(context.params.gravity);
        let mut velocity = accelerate(self.params, self.state, &load, dt);
        execute_rows(self.axles, self.rows, &mut velocity);
        self.state.advance(&velocity, dt);
    }

    /// Force and torque of wheels, gravity, anti-roll bars and the user.
    pub fn load(&self, gravity: Vec3) -> Wrench {
        let sum = if self.axles.is_in_order() { self.sum_in_order() } else { self.sum_by_axles() };
        let vector = |row: Real4| {
            let [x, y, z, _] = row.to_array();
            Vec3::new(x, y, z)
        };
        let wheels = Wrench { force: vector(sum.force), torque: vector(sum.torque) };
        body_load(self.params, self.state, wheels, self.anti_roll_torque, gravity)
    }

    /// The sum of the loads of all wheels, each a row of three numbers, in the order of their numbers.
    #[inline]
    fn sum_in_order(&self) -> Wrench<Real4> {
        let mut sum = Wrench::default();
        let mut left = self.axles.wheel_count();
        for four in 0..self.tires.fours().len() {
            for load in self.loads(four).into_iter().take(left) {
                sum = sum + load;
            }
            left = left.saturating_sub(MAX_LANES);
        }
        sum
    }

    /// The same in the order of the axles.
    fn sum_by_axles(&self) -> Wrench<Real4> {
        let loads: Fours<_> = (0..self.tires.fours().len()).map(|four| self.loads(four)).collect();
        let wheels = self.axles.wheels().map(place);
        wheels.fold(Wrench::default(), |sum, (four, lane)| sum + loads[four][lane])
    }

    /// What suspension and tire of each of four wheels do to the body.
    #[inline]
    fn loads(&self, four: usize) -> [Wrench<Real4>; MAX_LANES] {
        let (strut, tire) =
            (&self.suspension_forces.fours()[four], &self.tires.fours()[four].force);
        let load = if self.rows.may_hold() {
            wheel_load(strut, &felt_force(tire, &self.rows[four * MAX_LANES..]))
        } else {
            wheel_load(strut, tire)
        };
        let (forces, torques) = (load.force.rows(), load.torque.rows());
        each_lane(|lane| Wrench { force: forces[lane], torque: torques[lane] })
    }
}

/// The force of four tires that the body feels: without the lateral one for which a row stands.
#[inline]
fn felt_force(tire: &TireForce<Vec3x4>, rows: &[WheelRows]) -> TireForce<Vec3x4> {
    if !rows.iter().any(|rows| rows.replaces_lateral_force) {
        return *tire;
    }
    let is_replaced =
        Lanes::from_lanes(|lane| rows.get(lane).is_some_and(|rows| rows.replaces_lateral_force));
    let none = |vector| Vector::select(is_replaced, Vector::zero(), vector);
    TireForce { lateral: none(tire.lateral), lateral_torque: none(tire.lateral_torque), ..*tire }
}

/// What suspension and tire of a wheel do to the body.
#[inline]
pub(crate) fn wheel_load<V: Vector>(strut: &SuspensionForce<V>, tire: &TireForce<V>) -> Wrench<V> {
    Wrench {
        force: (strut.force + tire.longitudinal) + tire.lateral,
        torque: (strut.torque + tire.longitudinal_torque) + (tire.lateral_torque + tire.moment),
    }
}

/// Force and torque of `wheels`, gravity, anti-roll bars (N·m) and the user.
#[inline]
pub(crate) fn body_load(
    params: &RigidBodyParams,
    state: &RigidBodyState,
    wheels: Wrench,
    anti_roll_torque: Vec3,
    gravity: Vec3,
) -> Wrench {
    Wrench {
        force: wheels.force + gravity * params.mass + state.external_force,
        torque: wheels.torque + state.external_torque + anti_roll_torque,
    }
}

/// A vehicle with a rigid body.
pub trait HasRigidBody {
    /// Borrows what the stage reads and writes.
    fn rigid_body(&mut self) -> RigidBodyView<'_>;
}

/// The rigid body stage as a component.
#[derive(Clone, Copy, Debug)]
pub struct RigidBody;

impl<V: HasRigidBody + ?Sized> Component<V> for RigidBody {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.rigid_body().update(dt, context);
        Continue(())
    }
}

/// Forgets the external force and torque: the last component of a frame, so that they act through
/// all of its substeps.
#[derive(Clone, Copy, Debug)]
pub struct ClearExternalForces;

impl<V: HasRigidBody + ?Sized> Component<V> for ClearExternalForces {
    fn update(&self, vehicle: &mut V, _dt: Real, _: &Context<'_>) -> ControlFlow<()> {
        let state = vehicle.rigid_body().state;
        state.external_force = Vec3::ZERO;
        state.external_torque = Vec3::ZERO;
        Continue(())
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
    fn speeds_are_measured_along_the_body() {
        let pose = Pose::from_rotation(Quat::from_rotation_z(PI / 2.0));
        let state =
            RigidBodyState { linear_velocity: Vec3::Y * 3.0, ..RigidBodyState::at_rest(pose) };
        assert!((state.longitudinal_speed(&Frame::Z_UP) - 3.0).abs() < 1e-6);
        assert!(state.lateral_speed(&Frame::Z_UP).abs() < 1e-6);
        assert_eq!(state.vertical_speed(&Frame::Z_UP), 0.0);
    }
}
