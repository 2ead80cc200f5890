//! Soils: which material of the ground is soft, and how.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{ParamCheck, Validate};
use vehicle_core::tire::soil::Soil;

use crate::friction::put;

/// The soil that a material is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// With the soil of a `material`, in the place of what was known of it.
    #[must_use]
    pub fn with(mut self, material: u128, soil: Soil) -> Self {
        put(&mut self.materials, MaterialSoil { material, soil }, |it| it.material == material);
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
    fn the_last_soil_that_a_material_was_given_counts() {
        let table = SoilTable::default().with(1 << 127, Soil::DRY_SAND).with(1 << 127, Soil::SNOW);
        assert_eq!(table.soil(1 << 127), Some(Soil::SNOW));
        assert_eq!((table.soil(0), table.materials.len()), (None, 1));
    }

    #[test]
    fn a_field_that_is_not_known_is_refused() {
        let text = serde_json::to_string(&SoilTable::default().with(3, Soil::SNOW)).unwrap();
        assert!(serde_json::from_str::<SoilTable>(&text).is_ok(), "{text}");
        let misspelt = text.replacen("{", r#"{ "layer": 4, "#, 1);
        let error = serde_json::from_str::<SoilTable>(&misspelt).unwrap_err().to_string();
        assert!(error.contains("unknown field `layer`"), "{error}");
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
