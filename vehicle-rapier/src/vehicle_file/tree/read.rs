//! Parameters out of a tree.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error,
    Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};

use super::Tree;

/// A step on the way to a value.
#[derive(Debug)]
enum Step {
    Field(String),
    Index(usize),
}

/// Why a value was not read, and where it is.
#[derive(Debug)]
pub(in super::super) struct TreeError(Box<Fault>);

#[derive(Debug)]
struct Fault {
    message: String,
    /// The last step first.
    steps: Vec<Step>,
}

impl TreeError {
    fn within(mut self, step: Step) -> Self {
        self.0.steps.push(step);
        self
    }

    fn in_field(self, name: &str) -> Self {
        self.within(Step::Field(name.to_owned()))
    }

    /// The path of the value, such as `wheels[2].radius`, and what is wrong with it.
    pub(in super::super) fn into_parts(self) -> (String, String) {
        let Fault { message, steps } = *self.0;
        let mut path = String::new();
        for step in steps.iter().rev() {
            match step {
                Step::Field(name) if path.is_empty() => path.push_str(name),
                Step::Field(name) => {
                    path.push('.');
                    path.push_str(name);
                }
                Step::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        (path, message)
    }
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for TreeError {}

impl de::Error for TreeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(Box::new(Fault { message: message.to_string(), steps: Vec::new() }))
    }
}

impl serde::ser::Error for TreeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        de::Error::custom(message)
    }
}

impl Tree {
    /// The tree of a value of JSON.
    pub(in super::super) fn of(value: &serde_json::Value) -> Result<Self, TreeError> {
        Self::deserialize(value).map_err(TreeError::custom)
    }

    /// The parameters that it holds.
    pub(in super::super) fn to<T: DeserializeOwned>(&self) -> Result<T, TreeError> {
        T::deserialize(self)
    }

    #[cold]
    fn mismatch(&self, expected: &dyn Expected) -> TreeError {
        let found = match self {
            Self::None | Self::Unit => Unexpected::Unit,
            Self::Bool(value) => Unexpected::Bool(*value),
            Self::Negative(value) => Unexpected::Signed(*value),
            Self::Integer(value) => Unexpected::Unsigned(*value),
            Self::Number(value) => Unexpected::Float(*value),
            Self::Text(value) => Unexpected::Str(value),
            Self::List(_) | Self::One(_) => Unexpected::Seq,
            Self::Fields(_) => Unexpected::Map,
        };
        TreeError::invalid_type(found, expected)
    }

    /// The content of a struct of this name: RON may write it before.
    fn content(&self, name: &str) -> &Self {
        match self {
            Self::Fields(fields) => match fields.as_slice() {
                [(only, content)] if only == name => content,
                _ => self,
            },
            _ => self,
        }
    }
}

/// Functions that read numbers.
macro_rules! read_numbers {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
            match self {
                Tree::Integer(value) => visitor.visit_u64(*value),
                Tree::Negative(value) => visitor.visit_i64(*value),
                Tree::Number(value) => visitor.visit_f64(*value),
                other => Err(other.mismatch(&visitor)),
            }
        }
    )*};
}

/// Functions that read texts.
macro_rules! read_texts {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
            match self {
                Tree::Text(value) => visitor.visit_str(value),
                other => Err(other.mismatch(&visitor)),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for &'de Tree {
    type Error = TreeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self {
            Tree::None | Tree::Unit => visitor.visit_unit(),
            Tree::Bool(value) => visitor.visit_bool(*value),
            Tree::Negative(_) | Tree::Integer(_) | Tree::Number(_) => self.deserialize_f64(visitor),
            Tree::Text(value) => visitor.visit_str(value),
            Tree::List(_) | Tree::One(_) => self.deserialize_seq(visitor),
            Tree::Fields(_) => self.deserialize_map(visitor),
        }
    }

    read_numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f64
    }

    read_texts! {
        deserialize_char deserialize_str deserialize_string deserialize_identifier
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self {
            Tree::Number(value) if value.is_finite() && !(*value as f32).is_finite() => {
                Err(TreeError::custom("number out of range"))
            }
            other => other.deserialize_f64(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self {
            Tree::Bool(value) => visitor.visit_bool(*value),
            other => Err(other.mismatch(&visitor)),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self {
            Tree::None | Tree::Unit => visitor.visit_none(),
            some => visitor.visit_some(some),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self {
            Tree::None | Tree::Unit => visitor.visit_unit(),
            Tree::Fields(fields) if fields.is_empty() => visitor.visit_unit(),
            other => Err(other.mismatch(&visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        let content = match self.content(name) {
            Tree::One(one) => &one[0],
            content => content,
        };
        visitor.visit_newtype_struct(content)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        let list = match self {
            Tree::List(list) => list.as_slice(),
            Tree::One(one) => one.as_slice(),
            other => return Err(other.mismatch(&visitor)),
        };
        let mut items = Items { list, next: 0 };
        let value = visitor.visit_seq(&mut items)?;
        if items.next < list.len() {
            let expected = format!("{} elements", items.next);
            return Err(TreeError::invalid_length(list.len(), &expected.as_str()));
        }
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        self.content(name).deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        let Tree::Fields(fields) = self else { return Err(self.mismatch(&visitor)) };
        visitor.visit_map(Fields { fields, value: None })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        let content = self.content(name);
        if !matches!(content, Tree::Fields(_)) {
            let shown: Vec<_> = fields.iter().take(SHOWN_FIELDS).copied().collect();
            let such = if shown.is_empty() { "" } else { " such as " };
            let expected = format!("fields{such}{}", listed(&shown, " and "));
            return Err(content.mismatch(&expected.as_str()));
        }
        content.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        let expected = || format!("one of {}", listed(variants, " or "));
        let (name, content) = match self {
            Tree::Text(name) => (name, None),
            Tree::Fields(fields) => match fields.as_slice() {
                [(name, content)] => (name, Some(content)),
                [] => return Err(TreeError::custom(format!("expected {}, got none", expected()))),
                several => {
                    let names: Vec<_> = several.iter().map(|(name, _)| name.as_str()).collect();
                    let got = listed(&names, " and ");
                    return Err(TreeError::custom(format!("expected {}, got {got}", expected())));
                }
            },
            other => return Err(other.mismatch(&expected().as_str())),
        };
        visitor.visit_enum(Choice { name, content })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        visitor.visit_unit()
    }
}

/// Names of fields that are told where a value has none.
const SHOWN_FIELDS: usize = 2;

/// Names in a sentence, with `last` before the last one.
fn listed(names: &[&str], last: &str) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{}{last}{end}", rest.join(", ")),
        _ => names.join(""),
    }
}

/// The rest of a list.
struct Items<'de> {
    list: &'de [Tree],
    next: usize,
}

impl<'de> SeqAccess<'de> for &mut Items<'de> {
    type Error = TreeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, TreeError> {
        let index = self.next;
        let Some(item) = self.list.get(index) else { return Ok(None) };
        self.next += 1;
        seed.deserialize(item).map(Some).map_err(|error| error.within(Step::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.list.len() - self.next)
    }
}

/// The rest of the fields of a value.
struct Fields<'de> {
    fields: &'de [(String, Tree)],
    value: Option<(&'de str, &'de Tree)>,
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = TreeError;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, TreeError> {
        let Some(((name, value), rest)) = self.fields.split_first() else { return Ok(None) };
        self.fields = rest;
        self.value = Some((name, value));
        seed.deserialize(key(name)).map(Some).map_err(|error| error.in_field(name))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, TreeError> {
        let (name, value) = self.value.take().unwrap_or(("", &Tree::None));
        seed.deserialize(value).map_err(|error| error.in_field(name))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.fields.len())
    }
}

fn key(name: &str) -> StrDeserializer<'_, TreeError> {
    name.into_deserializer()
}

/// What is chosen of several, with its content.
struct Choice<'de> {
    name: &'de str,
    content: Option<&'de Tree>,
}

impl<'de> EnumAccess<'de> for Choice<'de> {
    type Error = TreeError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), TreeError> {
        let value = seed.deserialize(key(self.name)).map_err(|error| error.in_field(self.name))?;
        Ok((value, self))
    }
}

impl<'de> Choice<'de> {
    fn content(&self) -> &'de Tree {
        self.content.unwrap_or(&Tree::None)
    }
}

impl<'de> VariantAccess<'de> for Choice<'de> {
    type Error = TreeError;

    fn unit_variant(self) -> Result<(), TreeError> {
        match self.content() {
            Tree::None | Tree::Unit => Ok(()),
            Tree::Fields(fields) if fields.is_empty() => Ok(()),
            other => Err(other.mismatch(&"nothing").in_field(self.name)),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, TreeError> {
        seed.deserialize(self.content()).map_err(|error| error.in_field(self.name))
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        self.content().deserialize_seq(visitor).map_err(|error| error.in_field(self.name))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        self.content().deserialize_map(visitor).map_err(|error| error.in_field(self.name))
    }
}
