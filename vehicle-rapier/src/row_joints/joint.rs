//! From the rows of a wheel to joints.

use rapier3d::prelude::*;
use vehicle_core::constraint_rows::{BodyVelocity, ConstraintRow, HostRows, HostStand};
use vehicle_core::math::hypot;
use vehicle_core::rigid_body::RigidBodyState;

use crate::actor::Actor;

/// How much farther than in a step at its present speed a suspension may move (dimensionless): it
/// is also accelerated.
const REACH_MARGIN: Real = 2.0;

/// Part of the friction limit from which on a tire slides (dimensionless).
const SLIDING_SHARE: Real = 0.99;

/// Force of a tire without bounds, by what friction allows, beyond which it is taken to slide
/// (dimensionless), whatever force is known of its joint. The world's solver shares forces
/// unevenly between joints, and does not tell in how many steps it has solved them.
const FAR_BEYOND: Real = 10.0;

/// Axes of the motors of a tire's joint: along and across its rolling direction.
const TIRE_AXES: [JointAxis; 2] = [JointAxis::LinX, JointAxis::LinY];

/// Forces (N) of the joint of a tire, along and across its rolling direction, in a step of the
/// world's solver of `dt` (s).
pub(super) fn tire_forces(joint: &GenericJoint, dt: Real) -> [Real; 2] {
    // The impulse of a joint is that on its first body.
    TIRE_AXES.map(|axis| joint.motor(axis).map_or(0.0, |motor| -motor.impulse / dt))
}

/// Ground at which a joint of a wheel begins.
#[derive(Clone, Copy)]
pub(super) struct Footing {
    pub(super) body: RigidBodyHandle,
    /// Pose of the body at the start of the world's step (m).
    pub(super) pose: Pose,
    /// Pose of the body when the rows were found (m).
    pub(super) later_pose: Pose,
    /// Velocity of the body where the wheel stands (m/s).
    pub(super) velocity: Vector,
    /// Whether the ground moves over the body.
    pub(super) is_passed: bool,
}

impl Footing {
    /// The footing `body` for a wheel that stands at `point` (m), whose rows were found `elapsed`
    /// (s) after the start of the step.
    pub(super) fn new(
        body: &RigidBody,
        handle: RigidBodyHandle,
        point: Vector,
        elapsed: Real,
    ) -> Self {
        let pose = *body.position();
        Self {
            body: handle,
            pose,
            later_pose: body.predict_position_using_velocity(elapsed),
            velocity: body.velocity_at_point(point),
            is_passed: false,
        }
    }

    /// `frame`, of when the rows were found, in the body.
    fn local(&self, frame: Pose) -> Pose {
        self.later_pose.inverse() * frame
    }

    /// Where `point`, of when the rows were found, is at the start of the step (m).
    fn before(&self, point: Vector) -> Vector {
        self.pose.transform_point(self.later_pose.inverse_transform_point(point))
    }
}

/// A wheel at the start of the world's step.
pub(super) struct Stand<'a> {
    pub(super) actor: &'a Actor,
    pub(super) chassis: &'a RigidBodyState,
    pub(super) velocity: &'a BodyVelocity,
    pub(super) footing: Footing,
    /// Time step of the world (s).
    pub(super) dt: Real,
}

/// The motor of a row, and the force that it would give without bounds (N).
#[derive(Clone, Copy)]
struct RowMotor {
    stiffness: Real,
    damping: Real,
    speed: Real,
    demand: Real,
}

impl Stand<'_> {
    /// The joint that holds the tire, `None` if it does not stick. The `forces` of the joint in the
    /// last step, along and across the rolling direction (N), become the impulses of the rows.
    ///
    /// Each motor alone is bounded by friction, and so are both together. If they have reached the
    /// friction circle, each is bounded by its part of the force that both would give without
    /// bounds.
    pub(super) fn tire(
        &self,
        rows: &mut HostRows,
        max_friction_impulse: Real,
        forces: [Real; 2],
    ) -> Option<GenericJoint> {
        let axes = axes(rows)?;
        let motors = [rows.longitudinal, rows.lateral].map(|row| self.motor(&row?, &rows.stand));
        let limit = max_friction_impulse / rows.stand.dt;
        let [along, across] = motors.map(|motor| motor.map_or(0.0, |motor| motor.demand));
        let demand = hypot(along, across);
        let slides = SLIDING_SHARE * limit <= hypot(forces[0], forces[1]);
        let is_shared = limit < demand && (slides || FAR_BEYOND * limit < demand);
        let mut joint = self.joint(rows.stand.point + rows.stand.offset, axes, &rows.stand);
        let held = [&mut rows.longitudinal, &mut rows.lateral];
        for (index, row) in held.into_iter().enumerate() {
            let (Some(motor), Some(row)) = (motors[index], row) else { continue };
            let share = if is_shared { motor.demand.abs() / demand } else { 1.0 };
            let max_force = (row.max_impulse / rows.stand.dt).min(limit * share).min(Real::MAX);
            row.impulse = forces[index] * rows.stand.dt;
            joint.set_motor(TIRE_AXES[index], 0.0, motor.speed, motor.stiffness, motor.damping);
            joint.set_motor_max_force(TIRE_AXES[index], max_force);
        }
        Some(joint)
    }

    /// The joint that stops the suspension, `None` if there is no row for it. A row that lets the
    /// body approach the ground at some speed lets it do so all through the step.
    pub(super) fn stop(&self, rows: &HostRows) -> Option<GenericJoint> {
        let row = rows.limit.filter(|row| row.linear != Vector::ZERO)?;
        let (second, third) = row.linear.any_orthonormal_pair();
        let axes = Matrix::from_cols(row.linear, second, third);
        let approach = (self.footing.velocity.dot(row.linear) - row.target_speed).max(0.0);
        let way = rows.stand.gap + approach * self.dt;
        let mut joint = self.joint(rows.stand.point - row.linear * way, axes, &rows.stand);
        joint.set_limits(JointAxis::LinX, [0.0, Real::MAX]);
        Some(joint)
    }

    /// A joint without motors and limits, from `place` (m), where the rows lead, to the wheel.
    fn joint(&self, place: Vector, axes: Matrix, stand: &HostStand) -> GenericJoint {
        let frame = Pose::from_parts(place, Rotation::from_mat3(&axes));
        let mut joint = GenericJoint::new(JointAxesMask::empty());
        joint.set_local_frame1(self.footing.local(frame));
        joint.set_local_anchor2(self.actor.center_of_mass.transform_point(stand.arm));
        joint
    }

    /// The motor that executes `row`; `None` if the row is without effect.
    ///
    /// ```text
    /// F = m (k e + c (u - v)),   c = 1 / (softness dt),   k = c rate
    /// ```
    ///
    /// with `m` the mass that the row feels, `e` the way to where it leads and `u` the speed of the
    /// ground, over a footing that moves along 0. On ground that passes its footing there is no
    /// place to lead to: `k = 0`, and `u` is the target speed.
    ///
    /// The force without bounds is that of the way and the speed at the start of the step, of `Δt`,
    /// in which the damper takes the speed away:
    ///
    /// ```text
    /// F ≈ m (k e + c (u - v) / (1 + c Δt))
    /// ```
    fn motor(&self, row: &ConstraintRow, stand: &HostStand) -> Option<RowMotor> {
        // A damper has its rate, whatever the step. What holds is as soft in the world's step as it
        // would be in the vehicle's: stiffer, few wheels would bear all.
        let step = if stand.return_rate == 0.0 { stand.dt } else { self.dt };
        let damping = 1.0 / (row.softness * step);
        if damping == 0.0 || row.linear == Vector::ZERO {
            return None;
        }
        let point = self.chassis.pose.transform_point(stand.arm);
        let velocity = self.chassis.velocity_at(point) - self.footing.velocity;
        let place = self.footing.before(stand.point + stand.offset);
        let (stiffness, speed) = if self.footing.is_passed {
            (0.0, row.target_speed)
        } else {
            (damping * stand.return_rate, 0.0)
        };
        let acceleration = stiffness * (place - point).dot(row.linear)
            + damping / (1.0 + damping * self.dt) * (speed - velocity.dot(row.linear));
        let demand = acceleration / self.velocity.response(row);
        Some(RowMotor { stiffness, damping, speed, demand })
    }
}

/// Whether the suspension that `row` stops may reach its end, `gap` (m) away, in a step of `dt` (s)
/// that begins with the body as `chassis` says.
///
/// ```text
/// d < a (u - v) Δt
/// ```
///
/// with `d` the gap, `u` the speed of the ground, `v` that of the body and `a` a margin.
pub(super) fn is_in_reach(
    row: &ConstraintRow,
    gap: Real,
    chassis: &RigidBodyState,
    dt: Real,
) -> bool {
    let speed = row.speed(chassis.linear_velocity, chassis.angular_velocity);
    gap < (REACH_MARGIN * (row.target_speed - speed) * dt).max(0.0)
}

/// Axes of the joint of a tire: x along its rolling direction, y across it.
fn axes(rows: &HostRows) -> Option<Matrix> {
    let direction = |row: Option<ConstraintRow>| {
        row.map(|row| row.linear).filter(|&direction| direction != Vector::ZERO)
    };
    match (direction(rows.longitudinal), direction(rows.lateral)) {
        (Some(along), Some(across)) => Some(Matrix::from_cols(along, across, along.cross(across))),
        (Some(along), None) => {
            let (second, third) = along.any_orthonormal_pair();
            Some(Matrix::from_cols(along, second, third))
        }
        (None, Some(across)) => {
            let (second, third) = across.any_orthonormal_pair();
            Some(Matrix::from_cols(third, across, second))
        }
        (None, None) => None,
    }
}
