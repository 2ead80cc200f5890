//! Any value as a tree of its parts, any of which can be replaced: as text can, but with NaN and
//! infinity.

use proptest::prelude::*;
use proptest::sample::Index;
use serde::de::value::{Error, MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{Deserialize, Deserializer, IntoDeserializer, Visitor};
use serde::{Serialize, forward_to_deserialize_any};
use serde_json::Value;

/// What serde makes of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree {
    Nothing,
    Truth(bool),
    Float(f32),
    Integer(u64),
    Text(String),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

impl Tree {
    pub(crate) fn of(value: &impl Serialize) -> Self {
        Self::from(serde_json::to_value(value).expect("a value that can be written"))
    }

    pub(crate) fn read<T: for<'a> Deserialize<'a>>(&self) -> Result<T, Error> {
        T::deserialize(self)
    }

    /// The tree with `changes` made.
    pub(crate) fn changed(&self, changes: &[Change]) -> Self {
        let mut tree = self.clone();
        for change in changes {
            let part = change.part.index(tree.count());
            if let Some(part) = tree.part(&mut { part }) {
                part.replace(change);
            }
        }
        tree
    }

    /// The numbers with a point, each with its path.
    pub(crate) fn floats(&mut self) -> Vec<(String, &mut f32)> {
        match self {
            Self::Float(value) => vec![(String::new(), value)],
            Self::List(parts) => parts
                .iter_mut()
                .enumerate()
                .flat_map(|(index, part)| part.floats_below(&format!("[{index}]")))
                .collect(),
            Self::Map(parts) => parts
                .iter_mut()
                .flat_map(|(name, part)| part.floats_below(&format!(".{name}")))
                .collect(),
            _ => Vec::new(),
        }
    }

    fn floats_below(&mut self, name: &str) -> Vec<(String, &mut f32)> {
        let floats = self.floats().into_iter();
        floats.map(|(path, value)| (format!("{name}{path}"), value)).collect()
    }

    /// Number of parts, the whole among them.
    fn count(&self) -> usize {
        1 + match self {
            Self::List(parts) => parts.iter().map(Self::count).sum(),
            Self::Map(parts) => parts.iter().map(|(_, part)| part.count()).sum(),
            _ => 0,
        }
    }

    /// The part before which `left` others come.
    fn part(&mut self, left: &mut usize) -> Option<&mut Self> {
        if *left == 0 {
            return Some(self);
        }
        *left -= 1;
        match self {
            Self::List(parts) => parts.iter_mut().find_map(|part| part.part(left)),
            Self::Map(parts) => parts.iter_mut().find_map(|(_, part)| part.part(left)),
            _ => None,
        }
    }

    fn replace(&mut self, change: &Change) {
        match self {
            Self::Nothing => *self = Self::Float(change.float),
            Self::Truth(value) => *value = !*value,
            Self::Float(value) => *value = change.float,
            Self::Integer(value) => *value = change.integer,
            Self::Text(value) => *value = change.text.clone(),
            Self::List(parts) if change.integer.is_multiple_of(2) => drop(parts.pop()),
            Self::List(parts) => parts.extend(parts.first().cloned()),
            Self::Map(parts) => drop(parts.pop()),
        }
    }
}

impl From<Value> for Tree {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Nothing,
            Value::Bool(value) => Self::Truth(value),
            Value::Number(value) => match value.as_u64() {
                Some(integer) => Self::Integer(integer),
                None => Self::Float(value.as_f64().unwrap_or(f64::NAN) as f32),
            },
            Value::String(value) => Self::Text(value),
            Value::Array(parts) => Self::List(parts.into_iter().map(Self::from).collect()),
            Value::Object(parts) => {
                Self::Map(parts.into_iter().map(|(name, part)| (name, part.into())).collect())
            }
        }
    }
}

impl<'de> Deserializer<'de> for &'de Tree {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Tree::Nothing => visitor.visit_unit(),
            Tree::Truth(value) => visitor.visit_bool(*value),
            Tree::Float(value) => visitor.visit_f32(*value),
            Tree::Integer(value) => visitor.visit_u64(*value),
            Tree::Text(value) => visitor.visit_borrowed_str(value),
            Tree::List(parts) => SeqDeserializer::new(parts.iter()).deserialize_any(visitor),
            Tree::Map(parts) => {
                let entries = parts.iter().map(|(name, part)| (name.as_str(), part));
                MapDeserializer::new(entries).deserialize_any(visitor)
            }
        }
    }

    /// Text has no infinity: what it writes as nothing was infinite.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Tree::Nothing => visitor.visit_f32(f32::INFINITY),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Tree::Nothing => visitor.visit_none(),
            some => visitor.visit_some(some),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Tree::Text(name) => visitor.visit_enum(name.as_str().into_deserializer()),
            Tree::Map(parts) => {
                let entries = parts.iter().map(|(name, part)| (name.as_str(), part));
                visitor.visit_enum(MapAccessDeserializer::new(MapDeserializer::new(entries)))
            }
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Error> for &'de Tree {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// A change of one part of a tree: by what it is replaced, if it is a number or a text.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    part: Index,
    float: f32,
    integer: u64,
    text: String,
}

/// A few changes.
pub(crate) fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = (any::<Index>(), floats(), integers(), texts())
        .prop_map(|(part, float, integer, text)| Change { part, float, integer, text });
    prop::collection::vec(change, 1..4)
}

/// Any bits, the ends of all ranges, any magnitude, and the numbers of cars.
pub(crate) fn floats() -> impl Strategy<Value = f32> {
    let ends = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        0.0,
        -0.0,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        f32::from_bits(1),
        -f32::from_bits(1),
        f32::EPSILON,
    ];
    prop_oneof![
        2 => any::<u32>().prop_map(f32::from_bits),
        2 => prop::sample::select(ends.to_vec()),
        2 => (-45.0_f32..38.6, any::<bool>())
            .prop_map(|(power, is_negative)| 10_f32.powf(power).copysign(if is_negative { -1.0 } else { 1.0 })),
        2 => -1.0_f32..1.0,
        1 => -1e3_f32..1e3,
    ]
}

fn integers() -> impl Strategy<Value = u64> {
    prop_oneof![0_u64..8, 60_u64..70, any::<u64>(), Just(u64::MAX)]
}

fn texts() -> impl Strategy<Value = String> {
    let names = ["", "implicit", "explicit", "anchor", "damper", "cylinder", "ray", "limited"];
    prop::sample::select(names.map(str::to_owned).to_vec())
}
