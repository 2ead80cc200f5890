//! A capacity that may be infinite, and is written as `"inf"` then.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use vehicle_core::error::ParamCheck;
use vehicle_core::math::Real;

/// Largest torque of a coupling (N·m); infinite where it cannot slip.
///
/// In text files, an infinite capacity is written `"inf"`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Capacity(pub Real);

impl Capacity {
    /// What cannot slip.
    pub const INFINITE: Self = Self(Real::INFINITY);

    /// The torque (N·m).
    pub fn torque(self) -> f64 {
        f64::from(self.0)
    }

    /// Checks that it is not negative.
    pub fn check(self, name: &str, check: &mut ParamCheck) {
        check.require(name, 0.0 <= self.0, "not negative, or infinite", self.0);
    }
}

impl From<Real> for Capacity {
    fn from(torque: Real) -> Self {
        Self(torque)
    }
}

/// As text files have it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Text {
    Number(Real),
    Name(String),
}

impl Serialize for Capacity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            self.0.serialize(serializer)
        } else if self.0 == Real::INFINITY {
            serializer.serialize_str("inf")
        } else {
            serializer.serialize_f32(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Capacity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return Real::deserialize(deserializer).map(Self);
        }
        match Text::deserialize(deserializer)? {
            Text::Number(torque) => Ok(Self(torque)),
            Text::Name(name) if name == "inf" => Ok(Self::INFINITE),
            Text::Name(name) => Err(D::Error::custom(format!(
                "a capacity must be a number or \"inf\", got {name:?}"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_capacities_have_a_spelling() {
        for (capacity, text) in [(Capacity(250.5), "250.5"), (Capacity::INFINITE, "\"inf\"")] {
            assert_eq!(serde_json::to_string(&capacity).unwrap(), text);
            assert_eq!(serde_json::from_str::<Capacity>(text).unwrap(), capacity);
        }
        let error = serde_json::from_str::<Capacity>("\"much\"").unwrap_err().to_string();
        assert_eq!(error, "a capacity must be a number or \"inf\", got \"much\"");
    }
}
