//! Wheels as gyroscopes.

use crate::body::{RigidBodyParams, RigidBodyState};
use crate::math::{Mat3, Real, Vec3, rotation_matrix};

/// Angular velocity of a body in the middle of a step of `dt` (s), in the world (rad/s). Its wheels
/// have the angular momentum `h` (N·m·s, body frame) about their axles.
///
/// ```text
/// τ = h × Ω',   Ω' = Ω + ½ dt J⁻¹ (h × Ω'),   (1 - ½ dt J⁻¹ [h]) Ω' = Ω
/// ```
///
/// The moment of a gyroscope turns the angular velocity, and is at right angles to it: it does no
/// work. At the velocity of the start of the step, the angular velocity would grow by `½ (h dt /
/// J)²` in each; in the middle it neither grows nor falls, whatever the step.
pub(super) fn mean_angular_velocity(
    params: &RigidBodyParams,
    body: &RigidBodyState,
    momentum: Vec3,
    dt: Real,
) -> Vec3 {
    let to_world = rotation_matrix(body.pose.rotation);
    let half = params.inertia.recip() * (0.5 * dt);
    let column = |axis: Vec3| axis - half * momentum.cross(axis);
    // Its determinant is not below 1: the matrix can be inverted.
    let implicit = Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z));
    to_world * (implicit.inverse() * (to_world.transpose() * body.angular_velocity))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Wrench, accelerate};
    use crate::math::{Pose, Quat};

    const PARAMS: RigidBodyParams =
        RigidBodyParams { mass: 260.0, inertia: Vec3::new(40.0, 30.0, 20.0) };

    /// Kinetic energy of the rotation (J).
    fn energy(body: &RigidBodyState) -> Real {
        let local = rotation_matrix(body.pose.rotation).transpose() * body.angular_velocity;
        0.5 * (PARAMS.inertia * local).dot(local)
    }

    #[test]
    fn no_step_changes_the_energy_of_a_body_with_gyroscopes() {
        // Up to 60 times what the wheels of a motorcycle have at 60 m/s.
        for momentum in [20.0, 250.0, 15e3] {
            for dt in [1.0 / 30.0, 1.0 / 240.0] {
                let rotation = Quat::from_scaled_axis(Vec3::new(0.3, -0.8, 0.5));
                let mut body = RigidBodyState::at_rest(Pose::from_rotation(rotation));
                body.angular_velocity = Vec3::new(0.7, 0.2, -0.4);
                let before = energy(&body);
                let momentum = Vec3::new(momentum, 0.1 * momentum, 0.0);
                for _ in 0..500 {
                    let mean = mean_angular_velocity(&PARAMS, &body, momentum, dt);
                    let torque = (rotation * momentum).cross(mean);
                    let load = Wrench { force: Vec3::ZERO, torque };
                    body.angular_velocity = accelerate(&PARAMS, &body, &load, dt).angular;
                }
                let ratio = energy(&body) / before;
                assert!((ratio - 1.0).abs() < 2e-3, "{momentum}, {dt} s: energy times {ratio}");
            }
        }
    }

    #[test]
    fn it_nutates_as_a_gyroscope_does() {
        // ω = h / sqrt(J_y J_z) of a momentum along x.
        let (momentum, dt) = (Vec3::X * 60.0, 1e-3);
        let rate = 60.0 / (30.0 as Real * 20.0).sqrt();
        let mut body = RigidBodyState { angular_velocity: Vec3::Y, ..RigidBodyState::default() };
        let steps = (0.5 * crate::math::PI / rate / dt).round() as u32;
        for _ in 0..steps {
            let mean = mean_angular_velocity(&PARAMS, &body, momentum, dt);
            let load = Wrench { force: Vec3::ZERO, torque: momentum.cross(mean) };
            body.angular_velocity = accelerate(&PARAMS, &body, &load, dt).angular;
        }
        // A quarter of a turn: all of it is about z, of the same energy.
        let expected = Vec3::Z * (30.0 as Real / 20.0).sqrt();
        let found = body.angular_velocity;
        assert!(found.distance(expected) < 2e-3, "{found}, expected {expected}");
    }
}
