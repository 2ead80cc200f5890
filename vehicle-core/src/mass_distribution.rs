//! Mass distribution: how heavy a vehicle or its load is, and where.

use serde::{Deserialize, Serialize};

use crate::body::RigidBodyParams;
use crate::error::{ParamCheck, Validate};
use crate::math::{Real, Vec3};

/// Mass, inertia and center of mass of a vehicle or of a load.
///
/// ```
/// use vehicle_core::mass_distribution::MassDistribution;
/// use vehicle_core::math::Vec3;
///
/// let empty = MassDistribution::block(2_000.0, Vec3::new(1.8, 1.2, 4.5), Vec3::ZERO);
/// let load = MassDistribution::block(500.0, Vec3::new(1.2, 0.8, 1.0), Vec3::new(0.0, 0.5, -1.5));
/// let loaded = empty.with(&load);
/// assert_eq!(loaded.rigid_body.mass, 2_500.0);
/// assert_eq!(loaded.center_of_mass, Vec3::new(0.0, 0.1, -0.3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MassDistribution {
    /// Mass, and moments of inertia about the center of mass.
    pub rigid_body: RigidBodyParams,
    /// Center of mass (m).
    pub center_of_mass: Vec3,
}

impl MassDistribution {
    /// A homogeneous box of `mass` (kg) and edges `size` (m), its middle at `center` (m).
    ///
    /// ```text
    /// I_x = M (b² + c²) / 12
    /// ```
    pub fn block(mass: Real, size: Vec3, center: Vec3) -> Self {
        let inertia = around(mass, size) / 12.0;
        Self { rigid_body: RigidBodyParams { mass, inertia }, center_of_mass: center }
    }

    /// This mass and `load` together, as one rigid body.
    ///
    /// ```text
    /// M = m_1 + m_2,   M c = m_1 c_1 + m_2 c_2
    /// I_x = I_1x + I_2x + m_1 m_2 / M (d_y² + d_z²),   d = c_2 - c_1
    /// ```
    ///
    /// Products of inertia are left out: the principal axes stay as they are. A load of negative
    /// mass is accepted, and makes the whole lighter where it is. To take away a part that is
    /// known, use [`without`](Self::without).
    pub fn with(&self, load: &Self) -> Self {
        let (own, other) = (&self.rigid_body, &load.rigid_body);
        let mass = own.mass + other.mass;
        let apart = load.center_of_mass - self.center_of_mass;
        let share = other.mass / mass;
        let inertia = own.inertia + other.inertia + around(own.mass * share, apart);
        Self {
            rigid_body: RigidBodyParams { mass, inertia },
            center_of_mass: self.center_of_mass + apart * share,
        }
    }

    /// The rest without a `part` of it, which [`with`](Self::with) makes whole again.
    ///
    /// ```text
    /// m_1 = M - m_2,   m_1 c_1 = M c - m_2 c_2
    /// I_1x = I_x - I_2x - m_2 M / m_1 (d_y² + d_z²),   d = c_2 - c
    /// ```
    ///
    /// A part that is as heavy as the whole, or has more inertia, leaves a rest that does not
    /// [validate](Validate::validate).
    pub fn without(&self, part: &Self) -> Self {
        let (own, other) = (&self.rigid_body, &part.rigid_body);
        let mass = own.mass - other.mass;
        let apart = part.center_of_mass - self.center_of_mass;
        let share = other.mass / mass;
        let inertia = own.inertia - other.inertia - around(own.mass * share, apart);
        Self {
            rigid_body: RigidBodyParams { mass, inertia },
            center_of_mass: self.center_of_mass - apart * share,
        }
    }
}

/// Moments of `mass` (kg) at the distances `apart` (m): m (y² + z²) about x (kg·m²).
fn around(mass: Real, apart: Vec3) -> Vec3 {
    let Vec3 { x, y, z } = apart * apart;
    Vec3::new(y + z, x + z, x + y) * mass
}

impl Validate for MassDistribution {
    fn check(&self, check: &mut ParamCheck) {
        self.rigid_body.check(check);
        check.vector("center_of_mass", self.center_of_mass);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_halves_of_a_block_are_the_block() {
        let size = Vec3::new(2.0, 1.0, 4.0);
        let half = |z| MassDistribution::block(300.0, Vec3::new(2.0, 1.0, 2.0), Vec3::Z * z);
        let both = half(1.0).with(&half(-1.0));
        let whole = MassDistribution::block(600.0, size, Vec3::ZERO);
        assert_eq!(both.rigid_body.mass, whole.rigid_body.mass);
        assert!(both.center_of_mass.length() < 1e-6, "{both:?}");
        let error = both.rigid_body.inertia.distance(whole.rigid_body.inertia);
        assert!(error < 1e-3, "{both:?}, not {whole:?}");
    }

    #[test]
    fn a_part_that_is_taken_away_and_put_back_changes_nothing() {
        let whole = MassDistribution::block(1_400.0, Vec3::new(1.7, 1.1, 4.2), Vec3::Y * 0.3);
        let part = MassDistribution::block(20.0, Vec3::splat(0.4), Vec3::new(0.8, 0.3, 1.4));
        let rest = whole.without(&part);
        assert_eq!(rest.rigid_body.mass, 1_380.0);
        // c_1 = c - (c_2 - c) m_2 / m_1
        let expected = Vec3::new(-0.011_594, 0.3, -0.020_29);
        assert!(rest.center_of_mass.distance(expected) < 1e-5, "{rest:?}");
        let again = rest.with(&part);
        let error = again.rigid_body.inertia.distance(whole.rigid_body.inertia);
        assert!(error < 1e-3, "{again:?}, not {whole:?}");
        assert!(again.center_of_mass.distance(whole.center_of_mass) < 1e-6, "{again:?}");
        assert!(part.without(&whole).validate().is_err(), "no more than all can be taken away");
    }

    #[test]
    fn faults_are_named() {
        let bad = MassDistribution::block(-1.0, Vec3::ONE, Vec3::NAN);
        let error = bad.validate().unwrap_err().to_string();
        assert!(error.starts_with("mass must be positive and finite, got -1"), "{error}");
        assert!(error.ends_with("center_of_mass must be finite, got [NaN, NaN, NaN]"), "{error}");
    }
}
