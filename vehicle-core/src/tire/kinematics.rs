//! How a tire lies on the road and moves over it.

use serde::{Deserialize, Serialize};

use crate::body::RigidBodyState;
use crate::math::lanes::{Number, Vector, lanes_by_field};
use crate::math::{Real, Vec3, asin_clamped, normalize_or_zero};

/// Unit vectors of a tire in the road plane; zero in the air.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TireDirections<V = Vec3> {
    /// Rolling direction.
    pub longitudinal: V,
    /// To the left of the rolling direction.
    pub lateral: V,
}

/// Speeds of a tire's contact point over the road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TireSpeeds<N = Real> {
    /// Along the rolling direction (m/s).
    pub longitudinal: N,
    /// To the left of it (m/s).
    pub lateral: N,
}

lanes_by_field!(TireDirections<Vector> { longitudinal, lateral });

lanes_by_field!(TireSpeeds<Number> { longitudinal, lateral });

/// Directions of a tire on a road of unit vector `normal`.
///
/// ```text
/// d_L = normalize(ℓ × n),   d_T = n × d_L
/// ```
///
/// with `ℓ` the direction of the axle.
#[inline]
pub fn tire_directions<V: Vector>(axle: V, normal: V) -> TireDirections<V> {
    let longitudinal = normalize_or_zero(axle.cross(normal));
    TireDirections { longitudinal, lateral: normal.cross(longitudinal) }
}

/// Speeds over the road of the body's point at `contact` (m), on ground that moves at
/// `road_velocity` (m/s).
#[inline]
pub fn tire_speeds<V: Vector>(
    body: &RigidBodyState<V>,
    contact: V,
    road_velocity: V,
    directions: &TireDirections<V>,
) -> TireSpeeds<V::Number> {
    let velocity = body.velocity_at(contact) - road_velocity;
    TireSpeeds {
        longitudinal: velocity.dot(directions.longitudinal),
        lateral: velocity.dot(directions.lateral),
    }
}

/// Inclination of a wheel to a road of unit vector `normal` (rad).
///
/// ```text
/// γ = asin(ℓ · normalize(n - g (n·g)))
/// ```
///
/// with `ℓ` the direction of the axle and `g` the wheel's forward direction.
#[inline]
pub fn camber_angle<V: Vector>(axle: V, forward: V, normal: V) -> V::Number {
    let upright = normal - forward * normal.dot(forward);
    let length = upright.length();
    let zero = V::Number::zero();
    asin_clamped(Number::select(zero.is_below(length), upright.dot(axle) / length, zero))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Quat;

    #[test]
    fn directions_lie_in_the_road() {
        let normal = Vec3::new(0.0, 0.6, 0.8);
        let directions = tire_directions(Quat::from_rotation_z(0.3) * Vec3::Y, normal);
        for direction in [directions.longitudinal, directions.lateral] {
            assert!(direction.dot(normal).abs() < 1e-6);
            assert!((direction.length() - 1.0).abs() < 1e-6);
        }
        let up = directions.longitudinal.cross(directions.lateral);
        assert!(up.distance(normal) < 1e-6, "{up}");
    }

    #[test]
    fn camber_is_the_roll_of_the_wheel() {
        for roll in [0.2, -0.4] {
            let axle = Quat::from_rotation_x(roll) * Vec3::Y;
            let angle = camber_angle(axle, Vec3::X, Vec3::Z);
            assert!((angle - roll).abs() < 1e-6, "{angle}");
        }
    }

    #[test]
    fn moving_ground_is_subtracted() {
        let body = RigidBodyState {
            linear_velocity: Vec3::X * 5.0,
            angular_velocity: Vec3::Z,
            ..RigidBodyState::default()
        };
        let directions = TireDirections { longitudinal: Vec3::X, lateral: Vec3::Y };
        let speeds = tire_speeds(&body, Vec3::X, Vec3::new(2.0, 0.5, 0.0), &directions);
        assert_eq!(speeds, TireSpeeds { longitudinal: 3.0, lateral: 0.5 });
    }
}
