//! Parameters into a tree, which any format writes.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::TreeError;

/// Names of a type and of its variant, and the number of that.
type VariantName = (&'static str, u32, &'static str);

/// A value of a file that is written, with all that a format may want to know of it.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum Written {
    None,
    Some(Box<Written>),
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Single(f32),
    Double(f64),
    Text(String),
    List(Vec<Written>),
    Tuple(Vec<Written>),
    Map(Vec<(Written, Written)>),
    Struct(&'static str, Vec<(&'static str, Written)>),
    Newtype(&'static str, Box<Written>),
    Variant(VariantName),
    VariantOf(VariantName, Box<Written>),
    StructVariant(VariantName, Vec<(&'static str, Written)>),
}

impl Written {
    /// What is written of `value`.
    pub(in super::super) fn of(value: &impl Serialize) -> Result<Self, TreeError> {
        value.serialize(Writer)
    }
}

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => to.serialize_none(),
            Self::Some(value) => to.serialize_some(value),
            Self::Bool(value) => to.serialize_bool(*value),
            Self::Signed(value) => to.serialize_i64(*value),
            Self::Unsigned(value) => to.serialize_u64(*value),
            Self::Single(value) => to.serialize_f32(*value),
            Self::Double(value) => to.serialize_f64(*value),
            Self::Text(value) => to.serialize_str(value),
            Self::List(list) => to.collect_seq(list),
            Self::Tuple(list) => {
                let mut to = to.serialize_tuple(list.len())?;
                for value in list {
                    to.serialize_element(value)?;
                }
                to.end()
            }
            Self::Map(fields) => to.collect_map(fields.iter().map(|(name, value)| (name, value))),
            Self::Struct(name, fields) => {
                let mut to = to.serialize_struct(name, fields.len())?;
                for (name, value) in fields {
                    to.serialize_field(name, value)?;
                }
                to.end()
            }
            Self::Newtype(name, value) => to.serialize_newtype_struct(name, value),
            Self::Variant((name, index, variant)) => {
                to.serialize_unit_variant(name, *index, variant)
            }
            Self::VariantOf((name, index, variant), value) => {
                to.serialize_newtype_variant(name, *index, variant, value)
            }
            Self::StructVariant((name, index, variant), fields) => {
                let mut to = to.serialize_struct_variant(name, *index, variant, fields.len())?;
                for (name, value) in fields {
                    to.serialize_field(name, value)?;
                }
                to.end()
            }
        }
    }
}

struct Writer;

/// Functions that write values of their own.
macro_rules! write_values {
    ($($name:ident($value:ty) => $variant:ident;)*) => {$(
        fn $name(self, value: $value) -> Result<Written, TreeError> {
            Ok(Written::$variant(value.into()))
        }
    )*};
}

impl Serializer for Writer {
    type Ok = Written;
    type Error = TreeError;
    type SerializeSeq = ListWriter;
    type SerializeTuple = ListWriter;
    type SerializeTupleStruct = ListWriter;
    type SerializeTupleVariant = ListWriter;
    type SerializeMap = MapWriter;
    type SerializeStruct = FieldsWriter;
    type SerializeStructVariant = FieldsWriter;

    write_values! {
        serialize_bool(bool) => Bool;
        serialize_i8(i8) => Signed;
        serialize_i16(i16) => Signed;
        serialize_i32(i32) => Signed;
        serialize_i64(i64) => Signed;
        serialize_u8(u8) => Unsigned;
        serialize_u16(u16) => Unsigned;
        serialize_u32(u32) => Unsigned;
        serialize_u64(u64) => Unsigned;
        serialize_f32(f32) => Single;
        serialize_f64(f64) => Double;
        serialize_char(char) => Text;
        serialize_str(&str) => Text;
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Written, TreeError> {
        Ok(Written::List(value.iter().map(|&byte| Written::Unsigned(byte.into())).collect()))
    }

    fn serialize_none(self) -> Result<Written, TreeError> {
        Ok(Written::None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Written, TreeError> {
        Ok(Written::Some(Box::new(value.serialize(Self)?)))
    }

    /// Nothing, as `null` of a [`serde_json::Value`] is written: TOML has no unit.
    fn serialize_unit(self) -> Result<Written, TreeError> {
        Ok(Written::None)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Written, TreeError> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<Written, TreeError> {
        Ok(Written::Variant((name, index, variant)))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Written, TreeError> {
        Ok(Written::Newtype(name, Box::new(value.serialize(Self)?)))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Written, TreeError> {
        Ok(Written::VariantOf((name, index, variant), Box::new(value.serialize(Self)?)))
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<ListWriter, TreeError> {
        Ok(ListWriter { list: Vec::new(), variant: None, is_tuple: false })
    }

    fn serialize_tuple(self, _length: usize) -> Result<ListWriter, TreeError> {
        Ok(ListWriter { list: Vec::new(), variant: None, is_tuple: true })
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        length: usize,
    ) -> Result<ListWriter, TreeError> {
        self.serialize_tuple(length)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<ListWriter, TreeError> {
        let variant = Some((name, index, variant));
        Ok(ListWriter { list: Vec::new(), variant, is_tuple: true })
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<MapWriter, TreeError> {
        Ok(MapWriter { fields: Vec::new(), name: None })
    }

    fn serialize_struct(
        self,
        name: &'static str,
        _length: usize,
    ) -> Result<FieldsWriter, TreeError> {
        Ok(FieldsWriter { fields: Vec::new(), name, variant: None })
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<FieldsWriter, TreeError> {
        Ok(FieldsWriter { fields: Vec::new(), name, variant: Some((name, index, variant)) })
    }
}

struct ListWriter {
    list: Vec<Written>,
    variant: Option<VariantName>,
    is_tuple: bool,
}

impl ListWriter {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), TreeError> {
        self.list.push(value.serialize(Writer)?);
        Ok(())
    }

    fn done(self) -> Written {
        let list = if self.is_tuple { Written::Tuple(self.list) } else { Written::List(self.list) };
        match self.variant {
            Some(variant) => Written::VariantOf(variant, Box::new(list)),
            None => list,
        }
    }
}

/// Traits of serde that push one value after the other.
macro_rules! push_values {
    ($($name:ident: $push:ident;)*) => {$(
        impl $name for ListWriter {
            type Ok = Written;
            type Error = TreeError;

            fn $push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), TreeError> {
                self.push(value)
            }

            fn end(self) -> Result<Written, TreeError> {
                Ok(self.done())
            }
        }
    )*};
}

push_values! {
    SerializeSeq: serialize_element;
    SerializeTuple: serialize_element;
    SerializeTupleStruct: serialize_field;
    SerializeTupleVariant: serialize_field;
}

struct MapWriter {
    fields: Vec<(Written, Written)>,
    name: Option<Written>,
}

impl SerializeMap for MapWriter {
    type Ok = Written;
    type Error = TreeError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), TreeError> {
        self.name = Some(key.serialize(Writer)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), TreeError> {
        let value = value.serialize(Writer)?;
        self.fields.extend(self.name.take().map(|name| (name, value)));
        Ok(())
    }

    fn end(self) -> Result<Written, TreeError> {
        Ok(Written::Map(self.fields))
    }
}

struct FieldsWriter {
    fields: Vec<(&'static str, Written)>,
    name: &'static str,
    variant: Option<VariantName>,
}

impl FieldsWriter {
    fn push<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), TreeError> {
        self.fields.push((name, value.serialize(Writer)?));
        Ok(())
    }

    fn done(self) -> Written {
        match self.variant {
            Some(variant) => Written::StructVariant(variant, self.fields),
            None => Written::Struct(self.name, self.fields),
        }
    }
}

/// Traits of serde that push one field after the other.
macro_rules! push_fields {
    ($($name:ident)*) => {$(
        impl $name for FieldsWriter {
            type Ok = Written;
            type Error = TreeError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), TreeError> {
                self.push(name, value)
            }

            fn end(self) -> Result<Written, TreeError> {
                Ok(self.done())
            }
        }
    )*};
}

push_fields! { SerializeStruct SerializeStructVariant }
