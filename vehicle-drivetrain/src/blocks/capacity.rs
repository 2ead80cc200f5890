//! A capacity that may be infinite, and is written as `"inf"` then.

use serde::{Deserialize, Serialize};
use vehicle_core::error::ParamCheck;
use vehicle_core::math::Real;

/// Largest torque of a coupling (N·m); infinite where it cannot slip.
///
/// In text files, an infinite capacity is written `"inf"`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Capacity(
    #[cfg_attr(feature = "schema", schemars(with = "vehicle_core::unbounded::Unbounded"))]
    #[serde(with = "vehicle_core::unbounded")]
    pub Real,
);

impl Capacity {
    /// Capacity of a coupling that cannot slip.
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
        assert!(error.contains("\"much\", expected a number, \"inf\" or \"-inf\""), "{error}");
    }
}
