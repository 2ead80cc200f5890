//! Numbers, vectors and transcendental functions: the only file that names the math crate.
//!
//! The types are those of rapier and parry, so no conversion is needed anywhere.

pub use glamx::{DMat3, DVec3, Mat3, Pose3 as Pose, Quat, Vec3};

/// The scalar type of the simulation.
pub type Real = f32;

/// π (rad).
pub const PI: Real = std::f32::consts::PI;
/// 2π (rad).
pub const TAU: Real = std::f32::consts::TAU;

/// Sine and cosine of `angle` (rad).
#[inline]
pub fn sin_cos(angle: Real) -> (Real, Real) {
    angle.sin_cos()
}

/// Cosine of `angle` (rad).
#[inline]
pub fn cos(angle: Real) -> Real {
    angle.cos()
}

/// Tangent of `angle` (rad).
#[inline]
pub fn tan(angle: Real) -> Real {
    angle.tan()
}

/// Arc tangent (rad).
#[inline]
pub fn atan(tangent: Real) -> Real {
    tangent.atan()
}

/// Arc sine (rad) of `sine` clamped to [-1, 1], so that rounding never yields NaN.
#[inline]
pub fn asin_clamped(sine: Real) -> Real {
    sine.clamp(-1.0, 1.0).asin()
}

/// -1, 0 or 1: the sign of `x`, with 0 for both zeros.
#[inline]
pub fn sign(x: Real) -> Real {
    if 0.0 < x {
        1.0
    } else if x == 0.0 {
        0.0
    } else {
        -1.0
    }
}

/// `vector` scaled to length 1; a zero vector stays zero.
#[inline]
pub fn normalize_or_zero(vector: Vec3) -> Vec3 {
    let length = vector.length();
    if 0.0 < length { vector / length } else { vector }
}

/// Rotation by `angle` (rad) about the unit vector `axis`.
#[inline]
pub fn rotation_about(axis: Vec3, angle: Real) -> Quat {
    let (sin, cos) = sin_cos(angle * 0.5);
    Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// `vector` turned by the unit quaternion `rotation` = (q, w).
///
/// ```text
/// v' = 2 (v (w² - ½) + w q × v + q (q·v))
/// ```
///
/// The form matters where large components cancel: reference data are compared to rounding.
#[inline]
pub fn rotate(rotation: Quat, vector: Vec3) -> Vec3 {
    let (axis, w) = (rotation.xyz(), rotation.w);
    let half = vector * (w * w - 0.5) + axis.cross(vector) * w + axis * axis.dot(vector);
    half * 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_has_three_values() {
        for (x, expected) in [(2.0, 1.0), (0.0, 0.0), (-0.0, 0.0), (-0.1, -1.0)] {
            assert_eq!(sign(x), expected, "sign of {x}");
        }
    }

    #[test]
    fn zero_vectors_stay_zero() {
        assert_eq!(normalize_or_zero(Vec3::ZERO), Vec3::ZERO);
        assert_eq!(normalize_or_zero(Vec3::Y * 4.0), Vec3::Y);
    }

    #[test]
    fn rotation_turns_vectors() {
        let quarter = rotation_about(Vec3::Z, PI / 2.0);
        assert!(rotate(quarter, Vec3::X).distance(Vec3::Y) < 1e-6);
        assert!(rotate(quarter, Vec3::Z).distance(Vec3::Z) < 1e-6);
    }

    #[test]
    fn arc_sine_survives_rounding() {
        assert_eq!(asin_clamped(1.000_001), PI / 2.0);
        assert_eq!(asin_clamped(-1.000_001), -PI / 2.0);
    }
}
