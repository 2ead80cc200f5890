//! Tire models of a program's own, by the names that files give them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use vehicle_core::tire::TireModel;
use vehicle_core::tire::models::{AnyTire, NumberState, OwnTire};

use super::fault::FileFault;
use super::tree::Tree;

/// A tire of a program's own, as a file says it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnTireSource {
    /// The name that the program gives its model.
    pub name: String,
    /// Parameters of the model; none for one that has none, or a default for each.
    #[serde(
        default,
        deserialize_with = "read_params",
        skip_serializing_if = "serde_json::Value::is_null"
    )]
    pub params: serde_json::Value,
}

/// Reads parameters, whose numbers must be finite: a [`serde_json::Value`] would have none instead.
fn read_params<'de, D: Deserializer<'de>>(source: D) -> Result<serde_json::Value, D::Error> {
    let tree = Tree::deserialize(source)?;
    match tree.not_finite() {
        Some(fault) => Err(D::Error::custom(fault.trim_start_matches('.'))),
        None => serde_json::Value::deserialize(&tree).map_err(D::Error::custom),
    }
}

/// Reads a tire of one model from its parameters.
type Reading = dyn Fn(&str, &serde_json::Value) -> Result<OwnTire, FileFault> + Send + Sync;

/// Tire models of a program's own, by the names that files give them.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use vehicle_rapier::core::math::Real;
/// use vehicle_rapier::core::tire::{NoLanes, TireInput, TireOutput};
/// use vehicle_rapier::prelude::*;
/// use vehicle_rapier::vehicle_file::{FileFormat, OwnTires};
///
/// /// A tire whose forces grow with the slip until it slides.
/// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
/// #[serde(deny_unknown_fields)] // a typing error is a fault
/// struct Slick {
///     /// Force per load and slip (dimensionless).
///     stiffness: Real,
/// }
///
/// impl TireModel for Slick {
///     type State = ();
///     type Lanes = NoLanes;
///
///     fn forces(&self, input: &TireInput<'_>, (): &mut ()) -> TireOutput {
///         let (along, across) = (input.slip.longitudinal, input.slip.angle());
///         let slip = along.hypot(across).max(1e-6);
///         let stiffness = input.grip.load * (input.grip.friction / slip).min(self.stiffness);
///         TireOutput {
///             longitudinal_force: stiffness * along,
///             lateral_force: -stiffness * across,
///             longitudinal_stiffness: stiffness,
///             ..TireOutput::default()
///         }
///     }
///
///     fn check(&self, check: &mut ParamCheck) {
///         check.number("stiffness", self.stiffness, Bound::Positive);
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let text = r#"{
///   "version": 1,
///   "mechanics": { "data_sheet": {
///     "mass": 1050.0, "size": [3.9, 1.7, 1.2], "wheel_base": 2.5, "track_width": 1.48,
///     "front_share": 0.62, "center_of_mass_height": 0.53, "brake_torques": [1700.0, 300.0]
///   } },
///   "tires": [{ "own": { "name": "slick", "params": { "stiffness": 15.0 } } }],
///   "drive": { "direct": {
///     "throttle": { "max_response": 500.0, "wheel_multipliers": [1.0, 1.0, 0.0, 0.0] }
///   } }
/// }"#;
/// let tires = OwnTires::new().with::<Slick>("slick");
/// let car = AnyVehicle::from_str_with(FileFormat::Json, text, &tires)?;
/// # let misspelt = text.replace("stiffness", "rigidity");
/// # let error = AnyVehicle::from_str_with(FileFormat::Json, &misspelt, &tires).unwrap_err();
/// # assert!(error.to_string().contains("unknown field `rigidity`"), "{error}");
/// # let negative = text.replace("15.0", "-15.0");
/// # let error = AnyVehicle::from_str_with(FileFormat::Json, &negative, &tires).unwrap_err();
/// # assert!(error.to_string().contains("tires[0].own.params.stiffness"), "{error}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct OwnTires {
    models: BTreeMap<String, Arc<Reading>>,
}

impl OwnTires {
    /// No models.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the model `M`, which files call by this `name`. One of the same name gives way to it.
    #[must_use]
    pub fn with<M>(mut self, name: impl Into<String>) -> Self
    where
        M: TireModel<State: NumberState> + Serialize + DeserializeOwned,
    {
        let read = |name: &str, params: &serde_json::Value| {
            let read = match Tree::of(params).and_then(|tree| tree.to::<M>()) {
                // All parameters may have defaults.
                Err(_) if params.is_null() => Tree::Fields(Vec::new()).to::<M>(),
                read => read,
            };
            let tire = read.map_err(|error| {
                let (path, message) = error.into_parts();
                let dot = if path.is_empty() { "" } else { "." };
                FileFault::new(format!("params{dot}{path}"), message)
            })?;
            Ok(OwnTire::new(name, tire))
        };
        self.models.insert(name.into(), Arc::new(read));
        self
    }

    /// The tire that a file says; a fault by its path from there.
    pub(super) fn tire(&self, source: &OwnTireSource) -> Result<AnyTire, FileFault> {
        let OwnTireSource { name, params } = source;
        let Some(read) = self.models.get(name) else {
            let known: Vec<_> = self.models.keys().map(String::as_str).collect();
            let what = "tire model of the program";
            return Err(FileFault::unknown("name".to_owned(), what, name, &known));
        };
        read(name, params).map(AnyTire::from)
    }
}

impl fmt::Debug for OwnTires {
    /// The names of the models.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.models.keys()).finish()
    }
}
