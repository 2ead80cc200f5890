//! Tires by model, or by a tire property file.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::value::EnumAccessDeserializer;
use serde::de::{DeserializeSeed, EnumAccess, IntoDeserializer, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use vehicle_core::tire::magic_formula::OutOfRange;
use vehicle_core::tire::models::{AnyTire, MagicFormulaLaw, MagicFormulaTire};
use vehicle_core::tire::tir::TirFile;

use super::format::ReadText;
use super::own_tires::OwnTireSource;
use super::{MechanicsSource, VehicleFile};

/// The choice that is a file.
const FILE: &str = "file";
/// The choice that is a model of the program's own.
const OWN: &str = "own";

/// A tire, as a file says it: one of [`AnyTire`]'s models by its name, `file`, or `own`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TireSource {
    /// A model and its parameters.
    Model(AnyTire),
    /// A tire property file.
    File(TireFile),
    /// A model of the program's own.
    Own(OwnTireSource),
}

/// A tire property file (`.tir`), see [`tir`](vehicle_core::tire::tir).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TireFile {
    /// Where it is, from the folder of the vehicle's file.
    pub path: String,
    /// Whether the tire is on the other side of the vehicle than the one that was measured.
    #[serde(default)]
    pub is_mirrored: bool,
    /// Behavior outside of the ranges in which the tire was measured.
    #[serde(default)]
    pub out_of_range: OutOfRange,
}

impl TireFile {
    /// The tire of the file, whose path begins in `folder`, and which `read` reads.
    pub(super) fn load(&self, folder: &Path, read: &ReadText<'_>) -> Result<AnyTire, String> {
        let path = folder.join(&self.path);
        let text = read(&path)
            .map_err(|error| format!("must be a file that can be read, got {path:?}: {error}"))?;
        let file = TirFile::parse(&text)
            .map_err(|error| format!("must be a tire property file, got {path:?}: {error}"))?;
        let (is_mirrored, out_of_range) = (self.is_mirrored, self.out_of_range);
        let law = MagicFormulaLaw {
            params: file.tire,
            out_of_range,
            is_mirrored,
            ..MagicFormulaLaw::default()
        };
        Ok(MagicFormulaTire::new(law).into())
    }
}

impl VehicleFile {
    /// Paths of the tire property files that it names, in `folder`: what
    /// [`AnyVehicle::load_by`](super::AnyVehicle::load_by) reads beside the file itself.
    pub fn tire_files(&self, folder: impl AsRef<Path>) -> Vec<PathBuf> {
        let of_mechanics = match &self.mechanics {
            MechanicsSource::Parameters(base) => &base.tires[..],
            MechanicsSource::DataSheet(_) | MechanicsSource::Blueprint(_) => &[],
        };
        let path = |tire: &TireSource| match tire {
            TireSource::File(file) => Some(folder.as_ref().join(&file.path)),
            TireSource::Model(_) | TireSource::Own(_) => None,
        };
        let mut paths: Vec<_> = self.tires.iter().chain(of_mechanics).filter_map(path).collect();
        paths.sort_unstable();
        paths.dedup();
        paths
    }
}

impl From<AnyTire> for TireSource {
    fn from(tire: AnyTire) -> Self {
        Self::Model(tire)
    }
}

impl Serialize for TireSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Model(tire) => tire.serialize(serializer),
            Self::File(file) => {
                serializer.serialize_newtype_variant("AnyTire", u32::MAX, FILE, file)
            }
            Self::Own(own) => {
                serializer.serialize_newtype_variant("AnyTire", u32::MAX - 1, OWN, own)
            }
        }
    }
}

impl<'de> Deserialize<'de> for TireSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("AnyTire", &[FILE, OWN], Choice)
    }
}

struct Choice;

impl<'de> Visitor<'de> for Choice {
    type Value = TireSource;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tire model and its parameters, a file, or a model of the program's own")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, choice: A) -> Result<TireSource, A::Error> {
        let (name, content) = choice.variant_seed(Name)?;
        if name == FILE {
            return Ok(TireSource::File(content.newtype_variant()?));
        }
        if name == OWN {
            return Ok(TireSource::Own(content.newtype_variant()?));
        }
        let model = EnumAccessDeserializer::new(Known { name, content });
        Ok(TireSource::Model(AnyTire::deserialize(model)?))
    }
}

/// The name of a choice.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a tire model, `file`, or `own`")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<String, E> {
        Ok(name.to_owned())
    }
}

/// A choice whose name has been read.
struct Known<A> {
    name: String,
    content: A,
}

impl<'de, A: VariantAccess<'de>> EnumAccess<'de> for Known<A> {
    type Error = A::Error;
    type Variant = A;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, A), A::Error> {
        let name = seed.deserialize(IntoDeserializer::<A::Error>::into_deserializer(self.name))?;
        Ok((name, self.content))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for TireSource {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "TireSource".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let models = generator.subschema_for::<AnyTire>();
        let file = generator.subschema_for::<TireFile>();
        schemars::json_schema!({
            "description": "A tire: a model and its parameters, or a tire property file.",
            "oneOf": [
                models,
                {
                    "description": "A tire property file.",
                    "type": "object",
                    "properties": { FILE: file },
                    "required": [FILE],
                    "additionalProperties": false
                }
            ]
        })
    }
}
