//! How much of a spring's or damper's force is that of the end of a step.
//!
//! ```text
//! spring   f = k (x + θ dt v⁺)                  b = dt² k / m,   θ = b / (4 + b)
//! damper   f = θ F(v⁺) + (1 - θ) F(v)           a = dt c / m,    θ = (3 + a) / (6 + a)
//! ```
//!
//! with `m` the mass that the force moves. For short steps the damper is the trapezoidal rule and
//! the spring is explicit, which gives a numerical damping of third order. For hard springs both
//! become implicit Euler, which forgets them within a step. With positions that move at the end
//! speeds, a step is stable where
//!
//! ```text
//! Σ dt² k (1/4 - θ/2) B Bᵀ ≤ M + dt (θ_c - 1/2) C
//! ```
//!
//! A spring uses at most `3 - 2 √2` of its wheel's mass, and five springs 0.86 of it.

use super::scalar::Scalar;

/// The part θ of a spring of `stiffness` (N/m) on a mass of the inverse `inverse_mass` (1/kg), in a
/// step of `dt` (s).
#[inline]
pub fn spring_implicitness<S: Scalar>(stiffness: S, inverse_mass: S, dt: S) -> S {
    let ratio = dt * dt * stiffness * inverse_mass;
    ratio / (S::of(4.0) + ratio)
}

/// The part θ of a damper whose largest `rate` is given (N·s/m), in a step of `dt` (s). It is one
/// for both directions: with two, the force would jump as the speed changes its sign.
#[inline]
pub fn damper_implicitness<S: Scalar>(rate: S, inverse_mass: S, dt: S) -> S {
    let ratio = dt * rate * inverse_mass;
    (S::of(3.0) + ratio) / (S::of(6.0) + ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implicitness_grows_with_the_step() {
        assert!((spring_implicitness(1.0_f64, 1.0, 1.0) - 0.2).abs() < 1e-15);
        assert!((damper_implicitness(1.0_f64, 1.0, 1.0) - 4.0 / 7.0).abs() < 1e-15);
        assert_eq!(spring_implicitness(0.0_f64, 1.0, 1.0), 0.0);
        assert_eq!(damper_implicitness(0.0_f64, 1.0, 1.0), 0.5);
        assert!(0.999 < spring_implicitness(1e5_f64, 1.0, 1.0));
        assert!(0.999 < damper_implicitness(1e5_f64, 1.0, 1.0));
    }
}
