//! Compliance: how toe, camber and force points follow the jounce.

use serde::{Deserialize, Serialize};

use super::params::SuspensionComplianceParams;
use crate::math::lanes::{Vector, lanes_by_field};
use crate::math::{Real, Vec3};

/// Toe, camber and force points of a suspension at its present jounce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuspensionCompliance<V: Vector = Vec3> {
    /// Toe angle (rad), positive to the left.
    pub toe: V::Number,
    /// Camber angle (rad), about the longitudinal axis.
    pub camber: V::Number,
    /// Where the suspension force acts (m, suspension frame).
    pub suspension_force_point: V,
    /// Where the tire force acts (m, suspension frame).
    pub tire_force_point: V,
}

lanes_by_field!(SuspensionCompliance<Vector> {
    toe,
    camber,
    suspension_force_point,
    tire_force_point,
});

/// Compliance at `jounce` of a travel of `travel_distance` (m): every curve at j / D.
pub fn suspension_compliance(
    params: &SuspensionComplianceParams,
    jounce: Real,
    travel_distance: Real,
) -> SuspensionCompliance {
    let normalized = jounce / travel_distance;
    SuspensionCompliance {
        toe: params.toe.evaluate(normalized),
        camber: params.camber.evaluate(normalized),
        suspension_force_point: params.suspension_force_point.evaluate(normalized),
        tire_force_point: params.tire_force_point.evaluate(normalized),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lookup_table::LookupTable;

    #[test]
    fn curves_follow_the_normalized_jounce() {
        let params = SuspensionComplianceParams {
            toe: LookupTable::new([(0.0, 0.0), (1.0, 0.1)]).unwrap(),
            camber: LookupTable::constant(-0.02),
            tire_force_point: LookupTable::new([(0.0, Vec3::ZERO), (0.5, Vec3::Z)]).unwrap(),
            ..SuspensionComplianceParams::default()
        };
        let compliance = suspension_compliance(&params, 0.05, 0.2);
        assert!((compliance.toe - 0.025).abs() < 1e-7);
        assert_eq!(compliance.camber, -0.02);
        assert_eq!(compliance.tire_force_point, Vec3::Z * 0.5);
        assert_eq!(compliance.suspension_force_point, Vec3::ZERO);
    }
}
