//! A file as a tree of values, whatever its format.
//!
//! Texts are read into trees, and parameters out of them; the other way round they are written.
//! So parameters are compiled once, and not once for each format: with all formats, that is most of
//! what this crate takes to build.

mod read;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

pub(super) use self::read::TreeError;
pub(super) use self::write::Written;

/// A value of a file that is read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    None,
    /// `null` in JSON, `()` in RON.
    Unit,
    Bool(bool),
    /// Integers below zero.
    Negative(i64),
    Integer(u64),
    Number(f64),
    Text(String),
    List(Vec<Tree>),
    /// A list of one value, or one in parentheses: RON does not tell.
    #[cfg_attr(not(feature = "all-formats"), expect(dead_code, reason = "only RON has it"))]
    One(Box<[Tree; 1]>),
    /// Fields in the order of the file, of which two may have one name. A choice with a content is
    /// one field.
    Fields(Vec<(String, Tree)>),
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

impl Tree {
    /// The number that it is.
    pub(super) fn number(&self) -> Option<f64> {
        match *self {
            Self::Negative(value) => Some(value as f64),
            Self::Integer(value) => Some(value as f64),
            Self::Number(value) => Some(value),
            _ => None,
        }
    }
}

impl Tree {
    /// The first number that is not finite, with its path from here, each step of which begins with
    /// its dot or bracket.
    pub(super) fn not_finite(&self) -> Option<String> {
        match self {
            Self::Number(value) if !value.is_finite() => {
                Some(format!(" must be finite, got {value}"))
            }
            Self::List(items) => first_fault(items),
            Self::One(one) => first_fault(one.as_slice()),
            Self::Fields(fields) => fields.iter().find_map(|(name, value)| {
                value.not_finite().map(|fault| format!(".{name}{fault}"))
            }),
            _ => None,
        }
    }

    /// The fields that it has, also behind the name of a struct, which RON may write.
    fn fields_mut(&mut self) -> Option<&mut Vec<(String, Self)>> {
        match self {
            Self::Fields(fields) => match fields.as_slice() {
                [(name, Self::Fields(_))] if name.starts_with(char::is_uppercase) => {
                    fields[0].1.fields_mut()
                }
                _ => Some(fields),
            },
            Self::One(one) => one[0].fields_mut(),
            _ => None,
        }
    }

    /// The value of the field `name`, to be changed.
    pub(super) fn field_mut(&mut self, name: &str) -> Option<&mut Self> {
        let mut fields = self.fields_mut()?.iter_mut();
        fields.find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// Adds the field `name`, if there are fields without it.
    pub(super) fn add_field(&mut self, name: &str, value: &Self) {
        if let Some(fields) = self.fields_mut()
            && fields.iter().all(|(other, _)| other != name)
        {
            fields.push((name.to_owned(), value.clone()));
        }
    }
}

/// The first number of `items` that is not finite.
fn first_fault(items: &[Tree]) -> Option<String> {
    let fault =
        |(index, item): (usize, &Tree)| item.not_finite().map(|fault| format!("[{index}]{fault}"));
    items.iter().enumerate().find_map(fault)
}

impl fmt::Display for Tree {
    /// Writes a value of one part, and how many parts others have.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None | Self::Unit => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Negative(value) => write!(f, "{value}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(items) => write!(f, "a list of {}", items.len()),
            Self::One(_) => f.write_str("a list of 1"),
            Self::Fields(fields) => write!(f, "an object of {} fields", fields.len()),
        }
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(u64::try_from(value).map_or(Tree::Negative(value), Tree::Integer))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Integer(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Unit)
    }

    fn visit_none<E>(self) -> Result<Tree, E> {
        Ok(Tree::None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        Tree::deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        Tree::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Tree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(field) = fields.next_entry()? {
            list.push(field);
        }
        Ok(Tree::Fields(list))
    }
}

/// A tree in a file of RON. In what has no tag, RON gives a choice as a field of its name, as JSON
/// writes it, and else without it.
#[cfg(feature = "all-formats")]
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum RonTree {
    Tree(Tree),
}

#[cfg(feature = "all-formats")]
impl From<RonTree> for Tree {
    fn from(RonTree::Tree(tree): RonTree) -> Self {
        tree.in_parentheses()
    }
}

#[cfg(feature = "all-formats")]
impl Tree {
    /// With what is in parentheses as what it may be: a list of one value, or no fields.
    fn in_parentheses(self) -> Self {
        match self {
            Self::List(mut list) => match list.pop() {
                Some(only) if list.is_empty() => Self::One(Box::new([only.in_parentheses()])),
                last => {
                    list.extend(last);
                    Self::List(list.into_iter().map(Self::in_parentheses).collect())
                }
            },
            Self::Fields(fields) => {
                let field = |(name, tree): (String, Self)| (name, tree.in_parentheses());
                Self::Fields(fields.into_iter().map(field).collect())
            }
            Self::Unit => Self::Fields(Vec::new()),
            other => other,
        }
    }
}
