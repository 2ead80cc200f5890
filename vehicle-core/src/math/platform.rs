//! Sines and their like of one number: those of the platform or, with the feature
//! `enhanced-determinism`, those of the crate `libm`, which are the same on every platform.

use super::Real;

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($argument:ident),+) = $libm:ident;)+) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "enhanced-determinism"))]
            #[inline]
            pub(super) fn $name($($argument: Real),+) -> Real {
                Real::$name($($argument),+)
            }

            $(#[$doc])*
            #[cfg(feature = "enhanced-determinism")]
            #[inline]
            pub(super) fn $name($($argument: Real),+) -> Real {
                libm::$libm($($argument),+)
            }
        )+
    };
}

functions! {
    /// Sine of `angle` (rad).
    sin(angle) = sinf;
    /// Cosine of `angle` (rad).
    cos(angle) = cosf;
    /// Tangent of `angle` (rad).
    tan(angle) = tanf;
    /// Angle of the point (`x`, `y`) to the x-axis, in [-π, π] (rad).
    atan2(y, x) = atan2f;
    /// Length of the vector (`x`, `y`).
    hypot(x, y) = hypotf;
    /// `base` to the power of `exponent`.
    powf(base, exponent) = powf;
}

/// Arc cosine of a double (rad).
#[cfg(not(feature = "enhanced-determinism"))]
#[inline]
pub(super) fn acos(cosine: f64) -> f64 {
    cosine.acos()
}

/// Arc cosine of a double (rad).
#[cfg(feature = "enhanced-determinism")]
#[inline]
pub(super) fn acos(cosine: f64) -> f64 {
    libm::acos(cosine)
}

/// Exponential function of a double.
#[cfg(not(feature = "enhanced-determinism"))]
#[inline]
pub(super) fn exp(exponent: f64) -> f64 {
    exponent.exp()
}

/// Exponential function of a double.
#[cfg(feature = "enhanced-determinism")]
#[inline]
pub(super) fn exp(exponent: f64) -> f64 {
    libm::exp(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::PI;

    #[test]
    fn functions_are_those_of_their_names() {
        let rows = [
            (sin(PI / 6.0), 0.5),
            (cos(PI / 3.0), 0.5),
            (tan(PI / 4.0), 1.0),
            (atan2(1.0, -1.0), 0.75 * PI),
            (hypot(3.0, -4.0), 5.0),
            (powf(4.0, 1.5), 8.0),
        ];
        for (index, (found, expected)) in rows.into_iter().enumerate() {
            let error: Real = found - expected;
            assert!(error.abs() < 1e-6, "row {index}: {found}, {expected}");
        }
    }
}
