//! Friction: which tire on which surface grips how well.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::Real;

/// Friction of one surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurfaceFriction {
    /// The surface: the user data of its collider.
    pub material: u128,
    /// The kind of tire, as in a wheel's parameters; any if `None`.
    pub tire_kind: Option<u32>,
    /// Friction coefficient (dimensionless).
    pub friction: Real,
}

/// Friction of known surfaces; the first entry that fits counts. All other surfaces have the
/// friction of their collider.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrictionTable {
    /// The known surfaces.
    pub surfaces: Vec<SurfaceFriction>,
}

impl FrictionTable {
    /// Adds a surface that is the same for every tire.
    pub fn with_surface(mut self, material: u128, friction: Real) -> Self {
        self.surfaces.push(SurfaceFriction { material, tire_kind: None, friction });
        self
    }

    /// Adds a surface for one kind of tire.
    pub fn with_surface_for_tire(mut self, material: u128, tire_kind: u32, friction: Real) -> Self {
        let tire_kind = Some(tire_kind);
        self.surfaces.push(SurfaceFriction { material, tire_kind, friction });
        self
    }

    /// Friction of a tire of `tire_kind` on `material`; `None` if the surface is not known.
    pub fn friction(&self, material: u128, tire_kind: u32) -> Option<Real> {
        let fits = |surface: &&SurfaceFriction| {
            surface.material == material && surface.tire_kind.is_none_or(|kind| kind == tire_kind)
        };
        self.surfaces.iter().find(fits).map(|surface| surface.friction)
    }
}

impl Validate for FrictionTable {
    fn check(&self, check: &mut ParamCheck) {
        check.each("surfaces", &self.surfaces, |surface, inner| {
            inner.number("friction", surface.friction, Bound::NotNegative);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ICE: u128 = 7;
    const STUDDED: u32 = 3;

    #[test]
    fn first_fitting_surface_counts() {
        let table = FrictionTable::default()
            .with_surface_for_tire(ICE, STUDDED, 0.4)
            .with_surface(ICE, 0.1)
            .with_surface(ICE, 0.9);
        assert_eq!(table.friction(ICE, STUDDED), Some(0.4));
        assert_eq!(table.friction(ICE, 0), Some(0.1));
        assert_eq!(table.friction(8, 0), None);
    }

    #[test]
    fn negative_friction_is_refused() {
        let table = FrictionTable::default().with_surface(ICE, -0.1);
        assert_eq!(
            table.validate().unwrap_err().to_string(),
            "surfaces[0].friction must be finite and not negative, got -0.1"
        );
    }
}
