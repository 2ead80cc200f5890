//! Soils: which material of the ground is soft, and how.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{ParamCheck, Validate};
use vehicle_core::tire::soil::Soil;

/// The soil that a material is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MaterialSoil {
    /// The material: user data of a collider, or material of its
    /// [part](crate::friction::PartMaterials).
    pub material: u128,
    /// Parameters of the soil.
    pub soil: Soil,
}

/// Soils of known materials; the first entry of a material counts. All other ground is hard, or
/// what tires on soil take it for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SoilTable {
    /// The known materials.
    pub materials: Vec<MaterialSoil>,
}

impl SoilTable {
    /// Adds the soil of a `material`.
    #[must_use]
    pub fn with(mut self, material: u128, soil: Soil) -> Self {
        self.materials.push(MaterialSoil { material, soil });
        self
    }

    /// The soil of `material`; `None` if it is not known.
    pub fn soil(&self, material: u128) -> Option<Soil> {
        self.materials.iter().find(|entry| entry.material == material).map(|entry| entry.soil)
    }
}

impl Validate for SoilTable {
    fn check(&self, check: &mut ParamCheck) {
        check.each("materials", &self.materials, |entry, inner| {
            inner.field("soil", |inner| entry.soil.check(inner));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_soil_of_a_material_counts() {
        let table = SoilTable::default().with(1 << 127, Soil::SNOW).with(1 << 127, Soil::DRY_SAND);
        assert_eq!(table.soil(1 << 127), Some(Soil::SNOW));
        assert_eq!(table.soil(0), None);
    }

    #[test]
    fn impossible_soil_is_refused() {
        let table = SoilTable::default().with(3, Soil { cohesion: -1.0, ..Soil::SNOW });
        assert_eq!(
            table.validate().unwrap_err().to_string(),
            "materials[0].soil.cohesion must be within [0, 1e7], got -1"
        );
    }
}
