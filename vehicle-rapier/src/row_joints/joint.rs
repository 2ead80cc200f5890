//! From the rows of a wheel to joints.

use rapier3d::prelude::*;
use vehicle_core::constraint_rows::{BodyVelocity, ConstraintRow, HostRows};
use vehicle_core::rigid_body::RigidBodyState;

use crate::actor::Actor;

/// What a joint of a wheel begins at.
#[derive(Clone, Copy)]
pub(super) struct Footing {
    pub(super) body: RigidBodyHandle,
    pub(super) pose: Pose,
    /// Velocity of the body where the wheel stands (m/s).
    pub(super) velocity: Vector,
    /// Whether the ground moves over the body.
    pub(super) is_passed: bool,
}

/// A wheel at the start of the world's step.
pub(super) struct Stand<'a> {
    pub(super) actor: &'a Actor,
    pub(super) chassis: &'a RigidBodyState,
    pub(super) velocity: &'a BodyVelocity,
    pub(super) footing: Footing,
    /// Time from there to when the rows were found (s).
    pub(super) elapsed: Real,
}

/// The motor of a row, and the force that it is expected to give, bounds aside (N).
#[derive(Clone, Copy)]
struct RowMotor {
    stiffness: Real,
    damping: Real,
    speed: Real,
    demand: Real,
}

impl Stand<'_> {
    /// The joint that holds the tire, `None` if it does not stick. Writes the impulses that the rows
    /// are expected to have.
    ///
    /// Together, both motors are bounded by the friction circle: each by its part of the force that
    /// they are expected to give, if that is larger.
    pub(super) fn tire(&self, rows: &mut HostRows, max_friction_impulse: Real) -> Option<GenericJoint> {
        let axes = axes(rows)?;
        let motors = [rows.longitudinal, rows.lateral].map(|row| self.motor(&row?, rows));
        let demand = |motor: Option<RowMotor>| motor.map_or(0.0, |motor| motor.demand);
        let (size, limit) =
            (demand(motors[0]).hypot(demand(motors[1])), max_friction_impulse / rows.dt);
        let offset = [rows.longitudinal, rows.lateral].into_iter().flatten();
        let place = offset.fold(rows.point, |point, row| point + row.linear * row.offset);
        let mut joint = self.joint(place, axes, rows);
        let rows_of = [&mut rows.longitudinal, &mut rows.lateral];
        for ((axis, motor), row) in [JointAxis::LinX, JointAxis::LinY].into_iter().zip(motors).zip(rows_of)
        {
            let (Some(motor), Some(row)) = (motor, row) else { continue };
            let share = if limit < size { limit * motor.demand.abs() / size } else { limit };
            let max_force = (row.max_impulse / rows.dt).min(share).min(Real::MAX);
            row.impulse = motor.demand.clamp(-max_force, max_force) * rows.dt;
            joint.set_motor(axis, 0.0, motor.speed, motor.stiffness, motor.damping);
            joint.set_motor_max_force(axis, max_force);
        }
        Some(joint)
    }

    /// The joint that stops the suspension, `None` if it is not at its end.
    pub(super) fn stop(&self, rows: &HostRows) -> Option<GenericJoint> {
        let row = rows.limit.filter(|row| row.linear != Vector::ZERO)?;
        let (second, third) = row.linear.any_orthonormal_pair();
        let axes = Matrix::from_cols(row.linear, second, third);
        let mut joint = self.joint(rows.point + row.linear * row.offset, axes, rows);
        joint.set_limits(JointAxis::LinX, [0.0, Real::MAX]);
        Some(joint)
    }

    /// A joint without motors and limits, from `place` (m), where the rows lead, to the wheel.
    fn joint(&self, place: Vector, axes: Matrix, rows: &HostRows) -> GenericJoint {
        let place = place - self.footing.velocity * self.elapsed;
        let frame = Pose::from_parts(place, Rotation::from_mat3(&axes));
        let mut joint = GenericJoint::new(JointAxesMask::empty());
        joint.set_local_frame1(self.footing.pose.inverse() * frame);
        joint.set_local_anchor2(self.actor.center_of_mass.transform_point(rows.arm));
        joint
    }

    /// The motor that executes `row`; `None` if the row is without effect.
    ///
    /// ```text
    /// F = m (k e + c (u - v)),   c = 1 / (softness dt),   k = c rate
    /// ```
    ///
    /// with `m` the mass that the row feels, `e` the way to where it leads and `u` the speed of the
    /// ground, over a footing that moves along 0. On ground that passes its footing there is no place
    /// to lead to: `k = 0`, and `u` is the target speed.
    fn motor(&self, row: &ConstraintRow, rows: &HostRows) -> Option<RowMotor> {
        let damping = 1.0 / (row.softness * rows.dt);
        if damping == 0.0 || row.linear == Vector::ZERO {
            return None;
        }
        let point = self.chassis.pose.transform_point(rows.arm);
        let velocity = self.chassis.velocity_at(point) - self.footing.velocity;
        let place = rows.point + row.linear * row.offset - self.footing.velocity * self.elapsed;
        let (stiffness, speed) = if self.footing.is_passed {
            (0.0, row.target_speed)
        } else {
            (damping * row.return_rate, 0.0)
        };
        let acceleration = stiffness * (place - point).dot(row.linear)
            + damping * (speed - velocity.dot(row.linear));
        let demand = acceleration / self.velocity.response(row);
        Some(RowMotor { stiffness, damping, speed, demand })
    }
}

/// Axes of the joint of a tire: x along its rolling direction, y across it.
fn axes(rows: &HostRows) -> Option<Matrix> {
    let direction = |row: Option<ConstraintRow>| {
        row.map(|row| row.linear).filter(|&direction| direction != Vector::ZERO)
    };
    match (direction(rows.longitudinal), direction(rows.lateral)) {
        (Some(along), Some(across)) => {
            Some(Matrix::from_cols(along, across, along.cross(across)))
        }
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
