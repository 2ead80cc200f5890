//! Soils, and how they give way under wheels.

use serde::{Deserialize, Serialize};

use crate::error::{Bound, ParamCheck, Validate};
use crate::math::{Clamped, PI, Real};

/// A soil.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Soil {
    /// n, how pressure grows with depth (dimensionless).
    pub sinkage_exponent: Real,
    /// k_c, the modulus that counts by width (N/m^(n+1)).
    pub cohesive_modulus: Real,
    /// k_φ, the modulus that does not (N/m^(n+2)).
    pub frictional_modulus: Real,
    /// c (Pa).
    pub cohesion: Real,
    /// φ, the angle of internal friction (rad).
    pub friction_angle: Real,
    /// K, the displacement within which shear reaches 63 % (m).
    pub shear_modulus: Real,
    /// How much deeper a wheel that slips sinks (dimensionless): 0 for not at all, 1 for the law of
    /// Lyasko. By that law, the depth grows by (1 + i) / (1 - i/2) at the slip i.
    pub slip_sinkage: Real,
    /// Share of a depth that springs back behind a wheel (dimensionless).
    pub rebound: Real,
}

impl Soil {
    /// Dry sand.
    ///
    /// The figures of these four are those that are usually quoted from Wong, Theory of Ground
    /// Vehicles; that a tenth of the depth springs back is assumed.
    pub const DRY_SAND: Self = Self::of(1.1, [0.95e3, 1_528.43e3], 1_040.0, 28.0, 0.025);
    /// Sandy loam.
    pub const SANDY_LOAM: Self = Self::of(0.7, [5.27e3, 1_515.04e3], 1_720.0, 29.0, 0.025);
    /// Clayey soil.
    pub const CLAYEY_SOIL: Self = Self::of(0.5, [13.19e3, 692.15e3], 4_140.0, 13.0, 0.010);
    /// Snow.
    pub const SNOW: Self = Self::of(1.6, [4.37e3, 196.72e3], 1_030.0, 19.7, 0.040);

    const fn of(
        sinkage_exponent: Real,
        [cohesive_modulus, frictional_modulus]: [Real; 2],
        cohesion: Real,
        friction_degrees: Real,
        shear_modulus: Real,
    ) -> Self {
        Self {
            sinkage_exponent,
            cohesive_modulus,
            frictional_modulus,
            cohesion,
            friction_angle: friction_degrees * (PI / 180.0),
            shear_modulus,
            slip_sinkage: 1.0,
            rebound: 0.1,
        }
    }

    /// How much deeper a wheel sinks that slips by the share `slip` of the faster of rim and ground
    /// (dimensionless).
    #[inline]
    pub(crate) fn deepening(&self, slip: Real) -> Real {
        let slip = self.slip_sinkage * slip.clamped(0.0, 1.0);
        (1.0 + slip) / (1.0 - 0.5 * slip)
    }
}

impl Validate for Soil {
    fn check(&self, check: &mut ParamCheck) {
        check.number("sinkage_exponent", self.sinkage_exponent, Bound::Within(0.1, 3.0));
        check.number("cohesive_modulus", self.cohesive_modulus, Bound::Within(0.0, 1e10));
        check.number("frictional_modulus", self.frictional_modulus, Bound::Within(1e3, 1e12));
        check.number("cohesion", self.cohesion, Bound::Within(0.0, 1e7));
        check.number("friction_angle", self.friction_angle, Bound::Within(0.0, 1.2));
        check.number("shear_modulus", self.shear_modulus, Bound::Within(1e-4, 1.0));
        check.number("slip_sinkage", self.slip_sinkage, Bound::Within(0.0, 1.0));
        check.number("rebound", self.rebound, Bound::Within(0.001, 0.999));
    }
}
