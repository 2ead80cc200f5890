//! Tires that are several models in one: each for the materials that it is made for.
//!
//! A road has a [material](RoadContact::material), a number; people give materials names.
//! [`MaterialNames`] tells which number a name stands for.

use serde::{Deserialize, Serialize};

use super::{GripInput, NoLanes, TireGrip, TireInput, TireModel, TireOutput};
use crate::error::{ParamCheck, ParamErrors};
use crate::findings::{Findings, TireExamination};
use crate::math::Real;
use crate::road_geometry::{Material, RoadContact, Soil};

/// Names of materials, and the number that stands for each on the ground.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MaterialNames {
    entries: Vec<(String, Material)>,
}

impl MaterialNames {
    /// Adds a `name` for the material of this number, or gives the name another number.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, number: u128) -> Self {
        let name = name.into();
        self.entries.retain(|(known, _)| *known != name);
        self.entries.push((name, number.into()));
        self
    }

    /// The material of this `name`.
    pub fn material(&self, name: &str) -> Option<Material> {
        self.entries.iter().find(|(known, _)| known == name).map(|(_, material)| *material)
    }

    /// The first name of `material`.
    pub fn name(&self, material: Material) -> Option<&str> {
        self.entries.iter().find(|(_, known)| *known == material).map(|(name, _)| name.as_str())
    }
}

/// A model, and the materials that it is made for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelOnMaterials<M> {
    /// The model.
    pub model: M,
    /// Names of the materials.
    pub materials: Vec<String>,
    /// Their numbers, once the names have been looked up.
    #[serde(skip)]
    numbers: Vec<Material>,
}

/// A tire of several models. On a material it is the first one that is made for it, else the
/// default.
///
/// Names are looked up by [`find_materials`](Self::find_materials) before the tire is given to a
/// vehicle, whose parameters are no valid ones otherwise.
///
/// What a wheel remembers goes over from model to model as it is. A tire whose models differ in
/// kind is one of [`AnyTire`](super::models::AnyTire).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TireOnMaterials<M> {
    /// Model of the tire on a material that no other model is made for.
    pub default: M,
    /// Models of known materials, in order of preference.
    models: Vec<ModelOnMaterials<M>>,
}

impl<M> TireOnMaterials<M> {
    /// A tire that is `default` on every material. It is meant for the material of number 0: what
    /// colliders are made of that nobody gave one.
    pub fn new(default: M) -> Self {
        Self { default, models: Vec::new() }
    }

    /// Adds a `model` for `materials`, after those that are there.
    #[must_use]
    pub fn on<Name: Into<String>>(
        mut self,
        materials: impl IntoIterator<Item = Name>,
        model: M,
    ) -> Self {
        let materials = materials.into_iter().map(Into::into).collect();
        self.models.push(ModelOnMaterials { model, materials, numbers: Vec::new() });
        self
    }

    /// The models of known materials, in order of preference.
    pub fn models(&self) -> &[ModelOnMaterials<M>] {
        &self.models
    }

    /// Looks up the materials of each model in `names`.
    ///
    /// # Errors
    ///
    /// Names that are not there, each with its path.
    pub fn find_materials(mut self, names: &MaterialNames) -> Result<Self, ParamErrors> {
        for entry in &mut self.models {
            entry.numbers =
                entry.materials.iter().filter_map(|name| names.material(name)).collect();
        }
        let mut check = ParamCheck::default();
        self.check_names(&mut check);
        check.finish().map(|()| self)
    }

    fn check_names(&self, check: &mut ParamCheck) {
        check.each("models", &self.models, |entry, inner| {
            let is_known = entry.numbers.len() == entry.materials.len();
            let names = format_args!("{:?}", entry.materials);
            inner.require("materials", is_known, "names of materials that are known", names);
        });
    }

    /// Number of the model for `material`, from 0; `None` for the default.
    #[inline]
    pub fn model_on(&self, material: Material) -> Option<usize> {
        self.models.iter().position(|entry| entry.numbers.contains(&material))
    }

    #[inline]
    fn active<S>(&self, state: &TireOnMaterialsState<S>) -> &M {
        self.model(state.model.map(|index| index as usize))
    }

    #[inline]
    fn model(&self, index: Option<usize>) -> &M {
        index.and_then(|index| self.models.get(index)).map_or(&self.default, |entry| &entry.model)
    }
}

/// State of a [`TireOnMaterials`] between steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TireOnMaterialsState<S> {
    /// Number of the model that the tire was in the last step on the ground; `None` for the
    /// default.
    pub model: Option<u32>,
    /// State of that model between steps.
    pub memory: S,
    unknown: Option<Material>,
    is_told: bool,
}

impl<S> TireOnMaterialsState<S> {
    /// The last material that no model is made for, on which the tire was the default.
    pub fn unknown_material(&self) -> Option<Material> {
        self.unknown
    }

    /// The last material that no model is made for, told once for each material.
    pub fn tell_unknown_material(&mut self) -> Option<Material> {
        let is_told = std::mem::replace(&mut self.is_told, true);
        self.unknown.filter(|_| !is_told)
    }
}

impl<M: TireModel> TireModel for TireOnMaterials<M> {
    type State = TireOnMaterialsState<M::State>;
    type Lanes = NoLanes;

    fn grip(&self, input: &GripInput) -> TireGrip {
        self.default.grip(input)
    }

    fn grip_on(&self, input: &GripInput, ground: &RoadContact, soil: Option<&Soil>) -> TireGrip {
        self.model(self.model_on(ground.material)).grip_on(input, ground, soil)
    }

    fn forces(&self, input: &TireInput<'_>, state: &mut Self::State) -> TireOutput {
        let material = input.ground.material;
        let model = self.model_on(material);
        state.model = model.and_then(|index| index.try_into().ok());
        let is_known = model.is_some()
            || self.models.is_empty()
            || material == Material::default()
            || state.unknown == Some(material);
        if !is_known {
            (state.unknown, state.is_told) = (Some(material), false);
        }
        self.model(model).forces(input, &mut state.memory)
    }

    fn feels_stops(&self) -> bool {
        self.default.feels_stops()
    }

    fn sinkage(&self, state: &Self::State) -> Real {
        self.active(state).sinkage(&state.memory)
    }

    fn roll_in_rut(&self, depth: Real, state: &mut Self::State) {
        self.active(state).roll_in_rut(depth, &mut state.memory);
    }

    fn check(&self, check: &mut ParamCheck) {
        check.field("default", |inner| self.default.check(inner));
        self.check_names(check);
        check.each("models", &self.models, |entry, inner| {
            inner.field("model", |inner| entry.model.check(inner));
        });
    }

    fn examine(&self, examination: &TireExamination<'_>, findings: &mut Findings) {
        findings.field("default", |inner| self.default.examine(examination, inner));
        for (index, entry) in self.models.iter().enumerate() {
            let path = format_args!("models[{index}].model");
            findings.field(path, |inner| entry.model.examine(examination, inner));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimulationParams;
    use crate::findings::Conditions;
    use crate::math::{Pose, Vec3};
    use crate::mount::WheelParams;
    use crate::road_geometry::Plane;
    use crate::tire::models::{AnyTire, Fiala, RollingTire, TireSize, TireUse};
    use crate::tire::soil::{Soil, SoilTire};
    use crate::tire::{TireSlip, TireSpeeds, TireWheel};

    const MUD: u128 = 1 << 127 | 7;
    const GRAVEL: u128 = 3;

    fn tire() -> TireOnMaterials<AnyTire> {
        let size =
            TireSize { made_for: TireUse::PassengerCar, load: 4_000.0, radius: 0.31, width: 0.2 };
        let soil = SoilTire { soil: Soil::CLAYEY_SOIL, nominal_pressure: 230e3 };
        TireOnMaterials::new(AnyTire::from(size.magic_formula()))
            .on(["mud", "clay"], soil.into())
            .on(["gravel", "mud"], RollingTire::new(size.fiala()).into())
    }

    fn names() -> MaterialNames {
        MaterialNames::default().with("mud", MUD).with("gravel", GRAVEL).with("clay", 9)
    }

    fn forces(
        tire: &TireOnMaterials<AnyTire>,
        material: u128,
        state: &mut TireOnMaterialsState<<AnyTire as TireModel>::State>,
    ) -> TireOutput {
        let plane = Plane { normal: Vec3::Z, offset: 0.0 };
        let ground = RoadContact { material: material.into(), ..RoadContact::new(plane, 1.0) };
        let slip = TireSlip { longitudinal: 0.05, tangent: 0.03 };
        let grip = tire.grip_on(
            &GripInput { normal_load: 4_000.0, road_friction: 1.0, slip },
            &ground,
            None,
        );
        let wheel = TireWheel {
            pose: Pose::IDENTITY,
            linear_velocity: Vec3::X * 10.0,
            angular_velocity: Vec3::ZERO,
            contact_speeds: TireSpeeds { longitudinal: 10.0, lateral: 0.3 },
            rotation_speed: 33.0,
            radius: 0.31,
            half_width: 0.1,
            inclination: 0.0,
            inflation_pressure: 230e3,
            radial_stiffness: 200e3,
        };
        let input = TireInput {
            wheel,
            ground: &ground,
            soil: None,
            normal_load: 4_000.0,
            grip,
            slip,
            stopping_force: Real::INFINITY,
            dt: 0.01,
        };
        tire.forces(&input, state)
    }

    #[test]
    fn the_first_model_that_knows_the_ground_answers_else_the_default() {
        let tire = tire().find_materials(&names()).unwrap();
        let mut state = TireOnMaterialsState::default();
        for (material, expected) in [(MUD, Some(0)), (GRAVEL, Some(1)), (9, Some(0)), (0, None)] {
            let output = forces(&tire, material, &mut state);
            assert_eq!(state.model, expected, "material {material}");
            let alone =
                expected.map_or(&tire.default, |index| &tire.models()[index as usize].model);
            let alone = TireOnMaterials::new(alone.clone());
            let mut memory = TireOnMaterialsState::default();
            let single = forces(&alone, material, &mut memory);
            let digs = output.rolling_resistance_force < -100.0;
            assert_eq!(digs, single.rolling_resistance_force < -100.0, "{output:?}");
            assert_eq!(state.unknown_material(), None);
        }
    }

    #[test]
    fn every_model_is_examined() {
        let size =
            TireSize { made_for: TireUse::PassengerCar, load: 4_000.0, radius: 0.31, width: 0.2 };
        let soft = Fiala { cornering_stiffness: 1.0, ..size.fiala() };
        let tire = TireOnMaterials::new(AnyTire::from(size.magic_formula()))
            .on(["gravel"], RollingTire::new(soft).into());
        let simulation = SimulationParams::default();
        let conditions = Conditions::new(&simulation, 1.0 / 60.0, 1);
        let wheel = WheelParams::default();
        let mut findings = Findings::default();
        let examination = TireExamination { conditions: &conditions, wheel: &wheel, load: 4_000.0 };
        tire.examine(&examination, &mut findings);
        let paths: Vec<_> = findings.list().iter().map(|found| found.path.as_str()).collect();
        let is_of_model = |path: &&str| path.starts_with("models[0].model.");
        assert!(!paths.is_empty() && paths.iter().all(is_of_model), "{paths:?}");
    }

    #[test]
    fn unknown_ground_is_told_once() {
        let tire = tire().find_materials(&names()).unwrap();
        let mut state = TireOnMaterialsState::default();
        let mut told = Vec::new();
        for material in [77, 77, MUD, 77, 78] {
            forces(&tire, material, &mut state);
            told.extend(state.tell_unknown_material().map(u128::from));
        }
        assert_eq!(told, [77, 78]);
        assert_eq!(state.model, None);
    }

    #[test]
    fn unknown_names_are_refused_and_so_is_a_tire_whose_names_nobody_has_looked_up() {
        let known = MaterialNames::default().with("gravel", GRAVEL).with("clay", 9);
        let error = tire().find_materials(&known).unwrap_err().to_string();
        assert!(error.contains("models[0].materials"), "{error}");
        assert!(error.contains("mud"), "{error}");
        let mut check = ParamCheck::default();
        tire().check(&mut check);
        assert!(check.finish().unwrap_err().to_string().contains("models[1].materials"));
        let mut check = ParamCheck::default();
        tire().find_materials(&names()).unwrap().check(&mut check);
        check.finish().unwrap();
    }

    #[test]
    fn names_and_numbers_keep_all_bits() {
        let names = names();
        assert_eq!(names.material("mud").map(u128::from), Some(MUD));
        assert_eq!(names.name(MUD.into()), Some("mud"));
        assert_eq!(names.material("ice"), None);
        assert_eq!(names.with("mud", 4).material("mud").map(u128::from), Some(4));
    }
}
