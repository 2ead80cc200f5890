//! Numbers, vectors and transcendental functions: the only file that names the math crate.
//!
//! The types are those of rapier and parry, so no conversion is needed anywhere.
//!
//! Quaternion products, rotations and normalizations are written out in one fixed order: recorded
//! data of the reference are repeated to the last digits, so that a real difference shows. Jounce
//! speed divides a difference of positions by a step of milliseconds, and wheels that slip at low
//! speed amplify the rest a hundredfold. What nothing amplifies, arms and axes of wheels, is turned
//! by the body's matrix, computed once.

pub(crate) mod bracket;
pub(crate) mod finite;
pub mod lanes;
pub mod noise;
mod platform;
mod transcendental;

pub use glamx::{DMat3, DMat4, DVec3, DVec4, Mat3, Pose3 as Pose, Quat, Vec3};

use self::lanes::{Number, RigidPose, Rotation, Vec3x4, Vector};
pub use self::transcendental::{asin_clamped, atan, cos, exp, ln, sin_cos, tan};
pub(crate) use self::transcendental::{
    atan_each, cos_of_half_turn, sin_of_half_turn, sin_of_quarter_turn,
};

/// The scalar type of the simulation.
pub type Real = f32;

/// π (rad).
pub const PI: Real = std::f32::consts::PI;
/// 2π (rad).
pub const TAU: Real = std::f32::consts::TAU;

/// Numbers that can be limited to an interval, whatever its ends are.
///
/// The `clamp` of the standard library panics where the lower end is above the upper one, or one of
/// them is no number. With ends that are computed from data, a step could panic.
pub trait Clamped: PartialOrd + Sized {
    /// This number within [`low`, `high`], with the bits of `clamp` where that does not panic. An
    /// end that is no number bounds nothing, and `high` counts where `low` is above it.
    ///
    /// ```
    /// use vehicle_core::math::Clamped;
    ///
    /// assert_eq!(3.0.clamped(0.0, 1.0), 1.0);
    /// assert_eq!(3.0.clamped(f32::NAN, 4.0), 3.0);
    /// assert_eq!(3.0.clamped(2.0, 1.0), 1.0);
    /// ```
    #[inline]
    #[must_use]
    fn clamped(self, low: Self, high: Self) -> Self {
        let raised = if self < low { low } else { self };
        if high < raised { high } else { raised }
    }
}

impl<T: PartialOrd> Clamped for T {}

/// Angle (rad) of the point (`x`, `y`) to the x-axis, in [-π, π].
#[inline]
pub fn atan2(y: Real, x: Real) -> Real {
    platform::atan2(y, x)
}

/// Length of the vector (`x`, `y`).
#[inline]
pub fn hypot(x: Real, y: Real) -> Real {
    platform::hypot(x, y)
}

/// `base`, which is not negative, to the power of `exponent`.
#[inline]
pub fn power(base: Real, exponent: Real) -> Real {
    platform::powf(base, exponent)
}

/// Arc cosine (rad).
#[inline]
pub(crate) fn acos_f64(cosine: f64) -> f64 {
    platform::acos(cosine)
}

/// Exponential function.
#[inline]
pub(crate) fn exp_f64(exponent: f64) -> f64 {
    platform::exp(exponent)
}

/// -1, 0 or 1: the sign of `x`, with 0 for both zeros.
#[inline]
pub fn sign<N: Number>(x: N) -> N {
    let not_positive = N::select(x.is_equal(N::zero()), N::zero(), N::splat(-1.0));
    N::select(N::zero().is_below(x), N::splat(1.0), not_positive)
}

/// `vector` scaled to length 1; a zero vector stays zero.
#[inline]
pub fn normalize_or_zero<V: Vector>(vector: V) -> V {
    let length = vector.length();
    let unit = vector * (V::Number::splat(1.0) / length);
    V::select(V::Number::zero().is_below(length), unit, vector)
}

/// Rotation by `angle` (rad) about the unit vector `axis`.
#[cfg(test)]
pub(crate) fn rotation_about<V: Vector>(axis: V, angle: V::Number) -> V::Rotation {
    let (sin, cos) = sin_cos(angle * V::Number::splat(0.5));
    let [x, y, z] = axis.components();
    V::Rotation::new([x * sin, y * sin, z * sin, cos])
}

/// `vector` turned by the unit quaternion `rotation` = (q, w).
///
/// ```text
/// v' = 2 (v (w² - ½) + w q × v + q (q·v))
/// ```
///
/// The form matters where large components cancel: reference data are compared to rounding.
#[inline]
pub fn rotate<V: Vector>(rotation: V::Rotation, vector: V) -> V {
    let [x, y, z, w] = rotation.components();
    let axis = V::new(x, y, z);
    let half =
        vector * (w * w - V::Number::splat(0.5)) + axis.cross(vector) * w + axis * axis.dot(vector);
    half * V::Number::splat(2.0)
}

/// Like [`rotate`] but for rounding, for one of several vectors: the compiler computes the axes of
/// `rotation` once for all.
#[inline]
pub(crate) fn rotate_by_matrix<V: Vector>(rotation: V::Rotation, vector: V) -> V {
    Axes::of(rotation).turned(vector)
}

/// The axes of what is turned by a unit quaternion: the columns of its matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axes<V>(pub(crate) [V; 3]);

impl<V: Vector> Axes<V> {
    /// The axes of the unit quaternion `rotation` = (q, w).
    ///
    /// ```text
    /// R = 2 ((w² - ½) 1 + w [q]× + q qᵀ)
    /// ```
    #[inline]
    pub(crate) fn of(rotation: V::Rotation) -> Self {
        let [x, y, z, w] = rotation.components();
        let (x2, y2, z2, w2) = (x + x, y + y, z + z, w + w);
        let ww = w2 * w - V::Number::splat(1.0);
        let (xx, xy, xz, xw) = (x2 * x, x2 * y, x2 * z, x2 * w);
        let (yy, yz, yw) = (y2 * y, y2 * z, y2 * w);
        let (zz, zw) = (z2 * z, z2 * w);
        Self([
            V::new(ww + xx, xy + zw, xz - yw),
            V::new(xy - zw, ww + yy, yz + xw),
            V::new(xz + yw, yz - xw, ww + zz),
        ])
    }

    /// `R v`
    #[inline]
    pub(crate) fn turned(&self, vector: V) -> V {
        let ([along_x, along_y, along_z], [x, y, z]) = (self.0, vector.components());
        along_x * x + along_y * y + along_z * z
    }

    /// `Rᵀ v`
    #[inline]
    pub(crate) fn turned_back(&self, vector: V) -> V {
        let [x, y, z] = self.0.map(|axis| axis.dot(vector));
        V::new(x, y, z)
    }
}

/// The rotation by `b`, then by `a`: their Hamilton product.
#[inline]
pub(crate) fn multiply<R: Rotation>(a: R, b: R) -> R {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a.components(), b.components());
    R::new([
        aw * bx + bw * ax + ay * bz - by * az,
        aw * by + bw * ay + az * bx - bz * ax,
        aw * bz + bw * az + ax * by - bx * ay,
        aw * bw - ax * bx - ay * by - az * bz,
    ])
}

/// `matrix` times the vector in each lane.
#[inline]
pub(crate) fn transformed(matrix: &Mat3, vector: Vec3x4) -> Vec3x4 {
    let [x, y, z] = vector.components();
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(<Vec3x4 as Vector>::splat);
    columns[0] * x + columns[1] * y + columns[2] * z
}

/// The matrix of the unit quaternion `rotation`.
#[inline]
pub(crate) fn rotation_matrix(rotation: Quat) -> Mat3 {
    let (x, y, z, w) = (rotation.x, rotation.y, rotation.z, rotation.w);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz, xw) = (x2 * x, x2 * y, x2 * z, x2 * w);
    let (yy, yz, yw) = (y2 * y, y2 * z, y2 * w);
    let (zz, zw) = (z2 * z, z2 * w);
    Mat3::from_cols(
        Vec3::new(1.0 - yy - zz, xy + zw, xz - yw),
        Vec3::new(xy - zw, 1.0 - xx - zz, yz + xw),
        Vec3::new(xz + yw, yz - xw, 1.0 - xx - yy),
    )
}

/// `rotation` scaled to norm 1.
#[inline]
pub(crate) fn normalize_rotation(rotation: Quat) -> Quat {
    let (x, y, z, w) = (rotation.x, rotation.y, rotation.z, rotation.w);
    let scale = 1.0 / (x * x + y * y + z * z + w * w).sqrt();
    Quat::from_xyzw(x * scale, y * scale, z * scale, w * scale)
}

/// `point` (m) taken from the frame of `pose` to the one that `pose` is given in.
#[inline]
pub(crate) fn transform_point<V: Vector>(pose: &V::Pose, point: V) -> V {
    rotate(pose.rotation(), point) + pose.translation()
}

/// The pose `local`, given in the frame of `pose`, in the one that `pose` is given in.
#[inline]
pub(crate) fn compose<P: RigidPose>(pose: &P, local: &P) -> P {
    let translation = transform_point(pose, local.translation());
    P::new(translation, multiply(pose.rotation(), local.rotation()))
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
    fn poses_are_composed_from_the_right() {
        let quarter = Pose::from_parts(Vec3::X, rotation_about(Vec3::Z, PI / 2.0));
        let composed = compose(&quarter, &quarter);
        assert!(composed.translation.distance(Vec3::new(1.0, 1.0, 0.0)) < 1e-6, "{composed:?}");
        assert!(rotate(composed.rotation, Vec3::X).distance(Vec3::NEG_X) < 1e-6, "{composed:?}");
    }

    #[test]
    fn arc_sine_survives_rounding() {
        assert_eq!(asin_clamped(1.000_001), PI / 2.0);
        assert_eq!(asin_clamped(-1.000_001), -PI / 2.0);
    }
}
