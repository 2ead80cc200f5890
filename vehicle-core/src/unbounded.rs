//! Numbers that may be infinite, in files.
//!
//! Some text formats have no infinity; JSON writes `null` for it, and does not read that back as a
//! number. A field with `#[serde(with = "vehicle_core::unbounded")]` is written as `"inf"` or
//! `"-inf"` in text where it is infinite, and as a number everywhere else.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Bound(#[serde(with = "vehicle_core::unbounded")] f32);
//!
//! let text = serde_json::to_string(&[Bound(2.5), Bound(f32::INFINITY)])?;
//! assert_eq!(text, r#"[2.5,"inf"]"#);
//! let [_, bound]: [Bound; 2] = serde_json::from_str(&text)?;
//! assert_eq!(bound.0, f32::INFINITY);
//! # Ok::<(), serde_json::Error>(())
//! ```

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::math::Real;

/// Writes `number`.
///
/// # Errors
///
/// Those of the format.
pub fn serialize<S: Serializer>(number: &Real, serializer: S) -> Result<S::Ok, S::Error> {
    if number.is_infinite() && serializer.is_human_readable() {
        serializer.serialize_str(if 0.0 < *number { "inf" } else { "-inf" })
    } else {
        number.serialize(serializer)
    }
}

/// Reads a number.
///
/// # Errors
///
/// Those of the format, and what is neither a number nor `"inf"` or `"-inf"`.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Real, D::Error> {
    if deserializer.is_human_readable() {
        deserializer.deserialize_any(NumberOrInfinity)
    } else {
        Real::deserialize(deserializer)
    }
}

/// A number that may be infinite, for schemas.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(untagged)]
#[doc(hidden)]
#[allow(dead_code, reason = "only its schema is of use")]
pub enum Unbounded {
    /// A number.
    Number(Real),
    /// No bound.
    Infinite(Infinite),
}

/// The spellings of what is infinite.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[doc(hidden)]
#[allow(dead_code, reason = "only its schema is of use")]
pub enum Infinite {
    /// +∞.
    #[schemars(rename = "inf")]
    Positive,
    /// -∞.
    #[schemars(rename = "-inf")]
    Negative,
}

struct NumberOrInfinity;

impl Visitor<'_> for NumberOrInfinity {
    type Value = Real;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, \"inf\" or \"-inf\"")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Real, E> {
        Ok(number as Real)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Real, E> {
        Ok(number as Real)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Real, E> {
        Ok(number as Real)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Real, E> {
        match name {
            "inf" => Ok(Real::INFINITY),
            "-inf" => Ok(Real::NEG_INFINITY),
            _ => Err(E::invalid_value(Unexpected::Str(name), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Bound(#[serde(with = "crate::unbounded")] Real);

    #[test]
    fn every_number_is_read_back_with_its_bits() {
        let numbers = [0.0, -0.0, 0.1, 3.0, -7.0, 1e-45, Real::MAX, 16_777_217.0];
        for number in numbers.into_iter().chain([Real::INFINITY, Real::NEG_INFINITY]) {
            let text = serde_json::to_string(&Bound(number)).unwrap();
            let read: Bound = serde_json::from_str(&text).unwrap();
            assert_eq!(read.0.to_bits(), number.to_bits(), "{number}: {text}");
            let binary = postcard::to_stdvec(&Bound(number)).unwrap();
            let read: Bound = postcard::from_bytes(&binary).unwrap();
            assert_eq!((read.0.to_bits(), binary.len()), (number.to_bits(), 4), "{number}");
        }
        for (text, expected) in [("3", 3.0), ("-3", -3.0)] {
            assert_eq!(serde_json::from_str::<Bound>(text).unwrap().0, expected);
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let error = |text| serde_json::from_str::<Bound>(text).err().unwrap().to_string();
        assert!(error("\"much\"").contains("\"much\", expected a number, \"inf\" or \"-inf\""));
        assert!(error("null").contains("expected a number, \"inf\" or \"-inf\""));
    }
}
