//! Which number of a state is not finite.

use std::fmt::{self, Display, Write};

use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

/// The first number of `state` that is not finite, by its path, such as `tires[2].camber is NaN`.
/// Those that are [unbounded](crate::unbounded) may be infinite. `None` if all are finite.
///
/// It takes memory: it is for a state that has been found not to be finite.
///
/// ```
/// use vehicle_core::sequence::first_not_finite;
///
/// #[derive(serde::Serialize)]
/// struct Wheels {
///     #[serde(with = "vehicle_core::unbounded")]
///     bound: f32,
///     speeds: Vec<f32>,
/// }
///
/// let wheels = Wheels { bound: f32::INFINITY, speeds: vec![1.0, f32::NAN] };
/// let found = first_not_finite(&wheels);
/// assert_eq!(found.as_deref(), Some("speeds[1] is NaN"));
/// ```
pub fn first_not_finite(state: &impl Serialize) -> Option<String> {
    let mut walk = Walk { path: String::new(), found: None };
    // It ends at what it has found.
    let _ended = state.serialize(&mut walk);
    walk.found
}

/// A look at one number after the other.
struct Walk {
    path: String,
    found: Option<String>,
}

impl Walk {
    fn look(&mut self, number: f64) -> fmt::Result {
        if number.is_finite() {
            return Ok(());
        }
        self.found = Some(format!("{} is {number}", self.path));
        // There is no need to look further.
        Err(fmt::Error)
    }

    fn below<T: Serialize + ?Sized>(&mut self, step: impl Display, value: &T) -> fmt::Result {
        let length = self.path.len();
        write!(self.path, "{step}")?;
        value.serialize(&mut *self)?;
        self.path.truncate(length);
        Ok(())
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> fmt::Result {
        let dot = if self.path.is_empty() { "" } else { "." };
        self.below(format_args!("{dot}{name}"), value)
    }
}

/// Elements of a list, or fields of a struct.
struct Parts<'w> {
    walk: &'w mut Walk,
    index: usize,
}

impl Parts<'_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        let index = self.index;
        self.index += 1;
        self.walk.below(format_args!("[{index}]"), value)
    }
}

macro_rules! nothing_to_look_at {
    ($($method:ident($kind:ty))*) => {
        $(fn $method(self, _: $kind) -> fmt::Result {
            Ok(())
        })*
    };
}

impl<'w> Serializer for &'w mut Walk {
    type Ok = ();
    type Error = fmt::Error;
    type SerializeSeq = Parts<'w>;
    type SerializeTuple = Parts<'w>;
    type SerializeTupleStruct = Parts<'w>;
    type SerializeTupleVariant = Parts<'w>;
    type SerializeMap = Parts<'w>;
    type SerializeStruct = Parts<'w>;
    type SerializeStructVariant = Parts<'w>;

    nothing_to_look_at! {
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
        serialize_char(char) serialize_str(&str) serialize_bytes(&[u8]) serialize_unit_struct(&'static str)
    }

    fn serialize_f32(self, number: f32) -> fmt::Result {
        self.look(number.into())
    }

    fn serialize_f64(self, number: f64) -> fmt::Result {
        self.look(number)
    }

    fn serialize_none(self) -> fmt::Result {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> fmt::Result {
        value.serialize(self)
    }

    fn serialize_unit(self) -> fmt::Result {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> fmt::Result {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> fmt::Result {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> fmt::Result {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'w>, fmt::Error> {
        Ok(Parts { walk: self, index: 0 })
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'w>, fmt::Error> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'w>, fmt::Error> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Parts<'w>, fmt::Error> {
        self.serialize_seq(None)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'w>, fmt::Error> {
        self.serialize_seq(None)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'w>, fmt::Error> {
        self.serialize_seq(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Parts<'w>, fmt::Error> {
        self.serialize_seq(None)
    }
}

macro_rules! elements {
    ($($kind:ident: $method:ident)*) => {
        $(impl $kind for Parts<'_> {
            type Ok = ();
            type Error = fmt::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
                self.element(value)
            }

            fn end(self) -> fmt::Result {
                Ok(())
            }
        })*
    };
}

elements! {
    SerializeSeq: serialize_element
    SerializeTuple: serialize_element
    SerializeTupleStruct: serialize_field
    SerializeTupleVariant: serialize_field
}

macro_rules! fields {
    ($($kind:ident)*) => {
        $(impl $kind for Parts<'_> {
            type Ok = ();
            type Error = fmt::Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> fmt::Result {
                self.walk.field(name, value)
            }

            fn end(self) -> fmt::Result {
                Ok(())
            }
        })*
    };
}

fields!(SerializeStruct SerializeStructVariant);

impl SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, _: &T) -> fmt::Result {
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        self.element(value)
    }

    fn end(self) -> fmt::Result {
        Ok(())
    }
}
