//! A tire model of a program's own, among those that come with the crate.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use serde::de::Error as _;
use serde::ser::{Error as _, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::RelaxedSlip;
use crate::error::ParamCheck;
use crate::findings::{Findings, TireExamination};
use crate::math::Real;
use crate::road::{RoadContact, Soil};
use crate::sequence::first_not_finite;
use crate::tire::{GripInput, TireGrip, TireInput, TireModel, TireOutput};

/// How many numbers an [`OwnTire`] remembers at most.
pub const OWN_TIRE_NUMBERS: usize = 4;

/// State of a tire that fits into [four numbers](OWN_TIRE_NUMBERS).
///
/// It is that of tires that remember nothing, `()`, a number, up to four numbers, or a slip.
pub trait NumberState {
    /// The state as numbers; those that are left over are 0.
    fn to_numbers(&self) -> [Real; OWN_TIRE_NUMBERS];

    /// The state that these numbers stand for; all 0 is that of a tire that has not rolled yet.
    fn of_numbers(numbers: &[Real; OWN_TIRE_NUMBERS]) -> Self;
}

impl NumberState for () {
    fn to_numbers(&self) -> [Real; OWN_TIRE_NUMBERS] {
        [0.0; OWN_TIRE_NUMBERS]
    }

    fn of_numbers(_: &[Real; OWN_TIRE_NUMBERS]) -> Self {}
}

impl NumberState for Real {
    fn to_numbers(&self) -> [Real; OWN_TIRE_NUMBERS] {
        [*self, 0.0, 0.0, 0.0]
    }

    fn of_numbers(&[number, ..]: &[Real; OWN_TIRE_NUMBERS]) -> Self {
        number
    }
}

impl NumberState for [Real; OWN_TIRE_NUMBERS] {
    fn to_numbers(&self) -> [Real; OWN_TIRE_NUMBERS] {
        *self
    }

    fn of_numbers(numbers: &[Real; OWN_TIRE_NUMBERS]) -> Self {
        *numbers
    }
}

impl NumberState for RelaxedSlip {
    fn to_numbers(&self) -> [Real; OWN_TIRE_NUMBERS] {
        [self.slip_ratio, self.slip_tangent, 0.0, 0.0]
    }

    fn of_numbers(&[slip_ratio, slip_tangent, ..]: &[Real; OWN_TIRE_NUMBERS]) -> Self {
        Self { slip_ratio, slip_tangent }
    }
}

/// A tire model of a program's own as one of [`AnyTire`](super::AnyTire)'s: for files, presets and
/// fleets that mix models. Vehicles that are made of each other share it.
///
/// Tires are asked one by one. Saved, it is its name and its parameters; a program reads it back by
/// the model that it knows by that name.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use vehicle_core::error::{Bound, ParamCheck};
/// use vehicle_core::math::Real;
/// use vehicle_core::tire::models::{AnyTire, OwnTire};
/// use vehicle_core::tire::{NoLanes, TireInput, TireModel, TireOutput};
///
/// /// A tire whose forces grow with the slip until it slides.
/// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
/// let tire = AnyTire::from(OwnTire::new("slick", Slick { stiffness: 15.0 }));
/// assert!(matches!(tire, AnyTire::Own(tire) if tire.is::<Slick>()));
/// ```
#[derive(Clone, Debug)]
pub struct OwnTire {
    name: Arc<str>,
    law: Arc<dyn Law>,
    /// Parameters as they are saved, or why they cannot be.
    saved: Arc<Result<Value, String>>,
}

/// A tire model that remembers numbers.
trait Law: Any + Debug + Send + Sync {
    fn is_equal(&self, other: &dyn Any) -> bool;
    fn grip_on(&self, input: &GripInput, ground: &RoadContact, soil: Option<&Soil>) -> TireGrip;
    fn grip(&self, input: &GripInput) -> TireGrip;
    fn forces(&self, input: &TireInput<'_>, state: &mut [Real; OWN_TIRE_NUMBERS]) -> TireOutput;
    fn feels_stops(&self) -> bool;
    fn knows_inflation(&self) -> bool;
    fn sinkage(&self, state: &[Real; OWN_TIRE_NUMBERS]) -> Real;
    fn roll_in_rut(&self, depth: Real, state: &mut [Real; OWN_TIRE_NUMBERS]);
    fn check(&self, check: &mut ParamCheck);
    fn examine(&self, examination: &TireExamination<'_>, findings: &mut Findings);
}

impl<M: TireModel<State: NumberState>> Law for M {
    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<M>() == Some(self)
    }

    fn grip_on(&self, input: &GripInput, ground: &RoadContact, soil: Option<&Soil>) -> TireGrip {
        TireModel::grip_on(self, input, ground, soil)
    }

    fn grip(&self, input: &GripInput) -> TireGrip {
        TireModel::grip(self, input)
    }

    fn forces(&self, input: &TireInput<'_>, numbers: &mut [Real; OWN_TIRE_NUMBERS]) -> TireOutput {
        let mut state = M::State::of_numbers(numbers);
        let output = TireModel::forces(self, input, &mut state);
        *numbers = state.to_numbers();
        output
    }

    fn feels_stops(&self) -> bool {
        TireModel::feels_stops(self)
    }

    fn knows_inflation(&self) -> bool {
        TireModel::knows_inflation(self)
    }

    fn sinkage(&self, numbers: &[Real; OWN_TIRE_NUMBERS]) -> Real {
        TireModel::sinkage(self, &M::State::of_numbers(numbers))
    }

    fn roll_in_rut(&self, depth: Real, numbers: &mut [Real; OWN_TIRE_NUMBERS]) {
        let mut state = M::State::of_numbers(numbers);
        TireModel::roll_in_rut(self, depth, &mut state);
        *numbers = state.to_numbers();
    }

    fn check(&self, check: &mut ParamCheck) {
        TireModel::check(self, check);
    }

    fn examine(&self, examination: &TireExamination<'_>, findings: &mut Findings) {
        TireModel::examine(self, examination, findings);
    }
}

impl OwnTire {
    /// The `tire`, whose model files call by this `name`. One with a number that is not finite
    /// cannot be saved.
    pub fn new<M>(name: impl Into<Arc<str>>, tire: M) -> Self
    where
        M: TireModel<State: NumberState> + Serialize,
    {
        let saved = match first_not_finite(&tire) {
            Some(found) => Err(format!("numbers of a saved tire must be finite, but {found}")),
            None => serde_json::to_value(&tire).map_err(|error| error.to_string()),
        };
        Self { name: name.into(), law: Arc::new(tire), saved: Arc::new(saved) }
    }

    /// The name of its model.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the tire is of the model `M`.
    pub fn is<M: TireModel>(&self) -> bool {
        self.get::<M>().is_some()
    }

    /// The tire, if it is of the model `M`.
    pub fn get<M: TireModel>(&self) -> Option<&M> {
        let law: &dyn Any = &*self.law;
        law.downcast_ref()
    }

    pub(super) fn grip(&self, input: &GripInput) -> TireGrip {
        self.law.grip(input)
    }

    pub(super) fn grip_on(
        &self,
        input: &GripInput,
        ground: &RoadContact,
        soil: Option<&Soil>,
    ) -> TireGrip {
        self.law.grip_on(input, ground, soil)
    }

    pub(super) fn forces(
        &self,
        input: &TireInput<'_>,
        state: &mut [Real; OWN_TIRE_NUMBERS],
    ) -> TireOutput {
        self.law.forces(input, state)
    }

    pub(super) fn feels_stops(&self) -> bool {
        self.law.feels_stops()
    }

    pub(super) fn knows_inflation(&self) -> bool {
        self.law.knows_inflation()
    }

    pub(super) fn sinkage(&self, state: &[Real; OWN_TIRE_NUMBERS]) -> Real {
        self.law.sinkage(state)
    }

    pub(super) fn roll_in_rut(&self, depth: Real, state: &mut [Real; OWN_TIRE_NUMBERS]) {
        self.law.roll_in_rut(depth, state);
    }

    pub(super) fn check(&self, check: &mut ParamCheck) {
        check.field("own.params", |inner| self.law.check(inner));
    }

    pub(super) fn examine(&self, examination: &TireExamination<'_>, findings: &mut Findings) {
        self.law.examine(examination, findings);
    }
}

impl PartialEq for OwnTire {
    fn eq(&self, other: &Self) -> bool {
        let law: &dyn Any = &*other.law;
        self.name == other.name && self.law.is_equal(law)
    }
}

impl Serialize for OwnTire {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let params = self.saved.as_ref().as_ref().map_err(S::Error::custom)?;
        let count = if params.is_null() { 1 } else { 2 };
        let mut fields = serializer.serialize_struct("OwnTire", count)?;
        fields.serialize_field("name", &*self.name)?;
        if params.is_null() {
            fields.skip_field("params")?;
        } else {
            fields.serialize_field("params", &Saved(params))?;
        }
        fields.end()
    }
}

/// Saved parameters, in which `null` is nothing: some formats write that by leaving it out.
struct Saved<'a>(&'a Value);

impl Serialize for Saved<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_none(),
            Value::Array(items) => serializer.collect_seq(items.iter().map(Saved)),
            Value::Object(fields) => {
                serializer.collect_map(fields.iter().map(|(name, value)| (name, Saved(value))))
            }
            value => value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for OwnTire {
    /// Fails: only a program that knows the model can read it.
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom(
            "a tire model of a program's own, which is read with the models that the program knows",
        ))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for OwnTire {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "OwnTire".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A tire model of a program's own, by the name that the program gives it, and its parameters.",
            "type": "object",
            "properties": { "name": { "type": "string" }, "params": true },
            "required": ["name"],
            "additionalProperties": false
        })
    }
}
