//! Wheels grouped in axles, in the order in which they are updated.

use serde::{Deserialize, Serialize};

use crate::error::{ParamCheck, ParamErrors};
use crate::wheel_list::MAX_WHEELS;

/// The axles of a vehicle: which wheels they carry, front to rear or in any other order.
///
/// A wheel's number is its index in every per-wheel list. Stages visit the wheels axle by axle, so
/// that sums are formed in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "Vec<Vec<usize>>", into = "Vec<Vec<usize>>")]
pub struct AxleDescription {
    wheels: Vec<usize>,
    axle_ends: Vec<usize>,
    /// Whether the wheels come in the order of their numbers.
    is_in_order: bool,
}

impl AxleDescription {
    /// Axles from the wheels that each carries.
    ///
    /// # Errors
    ///
    /// If there is no wheel, more than [`MAX_WHEELS`], an axle without wheels, or if the wheels are
    /// not numbered 0 to n - 1, each once.
    pub fn new<A: AsRef<[usize]>>(axles: impl IntoIterator<Item = A>) -> Result<Self, ParamErrors> {
        let (mut wheels, mut axle_ends) = (Vec::new(), Vec::new());
        for axle in axles {
            wheels.extend_from_slice(axle.as_ref());
            axle_ends.push(wheels.len());
        }
        let is_in_order = wheels.is_sorted();
        let description = Self { wheels, axle_ends, is_in_order };
        description.check()?;
        Ok(description)
    }

    /// Number of wheels.
    pub fn wheel_count(&self) -> usize {
        self.wheels.len()
    }

    /// Number of axles.
    pub fn axle_count(&self) -> usize {
        self.axle_ends.len()
    }

    /// Every wheel, axle by axle.
    #[inline]
    pub fn wheels(&self) -> impl Iterator<Item = usize> + '_ {
        self.wheels.iter().copied()
    }

    /// Whether the wheels, axle by axle, come in the order of their numbers.
    #[inline]
    pub(crate) fn is_in_order(&self) -> bool {
        self.is_in_order
    }

    /// The wheels of each axle.
    #[inline]
    pub fn axles(&self) -> impl Iterator<Item = &[usize]> {
        let starts = std::iter::once(0).chain(self.axle_ends.iter().copied());
        starts.zip(&self.axle_ends).map(|(start, &end)| &self.wheels[start..end])
    }

    /// The axle that carries `wheel`.
    pub fn axle_of(&self, wheel: usize) -> Option<usize> {
        self.axles().position(|wheels| wheels.contains(&wheel))
    }

    fn check(&self) -> Result<(), ParamErrors> {
        let mut check = ParamCheck::default();
        let count = self.wheel_count();
        let requirement = format_args!("at least 1 and at most {MAX_WHEELS} wheels");
        check.require("axles", (1..=MAX_WHEELS).contains(&count), requirement, count);
        for (index, axle) in self.axles().enumerate() {
            let name = format_args!("axles[{index}]");
            check.require(name, !axle.is_empty(), "at least one wheel", "none");
            for &wheel in axle {
                let occurrences = self.wheels().filter(|&other| other == wheel).count();
                let is_unique = wheel < count && occurrences == 1;
                let requirement =
                    format_args!("wheels numbered 0 to n - 1 = {}, each once", count - 1);
                check.require(name, is_unique, requirement, wheel);
            }
        }
        check.finish()
    }
}

impl TryFrom<Vec<Vec<usize>>> for AxleDescription {
    type Error = ParamErrors;

    fn try_from(axles: Vec<Vec<usize>>) -> Result<Self, ParamErrors> {
        Self::new(axles)
    }
}

impl From<AxleDescription> for Vec<Vec<usize>> {
    fn from(description: AxleDescription) -> Self {
        description.axles().map(<[usize]>::to_vec).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wheels_come_axle_by_axle() {
        let axles = AxleDescription::new([vec![2, 3], vec![0, 1, 4]]).unwrap();
        assert_eq!(axles.wheels().collect::<Vec<_>>(), [2, 3, 0, 1, 4]);
        assert_eq!(axles.axles().collect::<Vec<_>>(), [&[2, 3][..], &[0, 1, 4]]);
        assert_eq!((axles.wheel_count(), axles.axle_count()), (5, 2));
        assert_eq!(
            (axles.axle_of(4), axles.axle_of(3), axles.axle_of(5)),
            (Some(1), Some(0), None)
        );
    }

    #[test]
    fn bad_axles_are_refused() {
        let cases: [(&[&[usize]], &str); 5] = [
            (&[], "axles must be at least 1 and at most 64 wheels, got 0"),
            (&[&[]], "axles must be at least 1"),
            (&[&[0, 1], &[]], "axles[1] must be at least one wheel, got none"),
            (&[&[0, 1], &[1]], "axles[0] must be wheels numbered 0 to n - 1 = 2, each once, got 1"),
            (&[&[0, 7]], "axles[0] must be wheels numbered 0 to n - 1 = 1, each once, got 7"),
        ];
        for (axles, message) in cases {
            let error = AxleDescription::new(axles).unwrap_err().to_string();
            assert!(error.starts_with(message), "{axles:?}: {error}");
        }
    }

    #[test]
    fn axles_are_written_as_lists_of_wheels() {
        let axles = AxleDescription::new([[0, 1], [2, 3]]).unwrap();
        let text = serde_json::to_string(&axles).unwrap();
        assert_eq!(text, "[[0,1],[2,3]]");
        assert_eq!(serde_json::from_str::<AxleDescription>(&text).unwrap(), axles);
    }
}
