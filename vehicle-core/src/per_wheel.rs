//! One value per wheel, whatever the storage.
//!
//! A stage reads and writes one value per wheel by the wheel's number. Whether the vehicle keeps
//! them in a list per kind (struct of arrays) or in a struct per wheel (array of structs) is its
//! own choice: it lends a slice, or an inline list of references.
//!
//! A struct per wheel is split into disjoint references once per view:
//!
//! ```
//! use vehicle_core::per_wheel::{PerWheel, PerWheelMut, WheelRefs};
//!
//! struct Wheel {
//!     radius: f32,
//!     angle: f32,
//! }
//!
//! fn turn(radii: PerWheel<'_, f32>, mut angles: PerWheelMut<'_, f32>) {
//!     angles[1] = radii[1] * 2.0;
//! }
//!
//! let mut wheels = [Wheel { radius: 0.3, angle: 0.0 }, Wheel { radius: 0.4, angle: 0.0 }];
//! let (radii, angles): (WheelRefs<_>, WheelRefs<_>) =
//!     wheels.iter_mut().map(|wheel| (&wheel.radius, &mut wheel.angle)).collect();
//! turn(PerWheel::Refs(radii), PerWheelMut::Refs(angles));
//! assert_eq!(wheels[1].angle, 0.8);
//! ```

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use smallvec::SmallVec;

use crate::axle::WheelLanes;
use crate::math::lanes::MAX_LANES;

/// Most wheels that a vehicle can have.
pub const MAX_WHEELS: usize = 64;

/// A list with one value per wheel; up to four wheels need no allocation.
pub type WheelVec<T> = SmallVec<[T; 4]>;

/// An inline list of references or of small values, one per wheel, with room for `WHEELS`.
pub type WheelRefs<T, const WHEELS: usize = MAX_WHEELS> = ArrayVec<T, WHEELS>;

/// Read access to one `T` per wheel.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "an inline list, because a step does not allocate")]
pub enum PerWheel<'a, T> {
    /// A value for each wheel.
    Slice(&'a [T]),
    /// A reference for each wheel.
    Refs(WheelRefs<&'a T>),
    /// The same value for every wheel.
    Shared(&'a T),
}

impl<T> PerWheel<'_, T> {
    /// The value of the wheel in each lane.
    #[inline]
    pub(crate) fn in_lanes(&self, lanes: &WheelLanes) -> [&T; MAX_LANES] {
        match self {
            Self::Slice(values) => lanes.of_slice(values),
            Self::Refs(values) => lanes.map(|wheel| values[wheel]),
            Self::Shared(value) => [value; MAX_LANES],
        }
    }
}

impl<T> PerWheel<'_, T> {
    /// The value of `wheel`; `None` if there is none.
    #[inline]
    pub fn get(&self, wheel: usize) -> Option<&T> {
        match self {
            Self::Slice(values) => values.get(wheel),
            Self::Refs(values) => values.get(wheel).copied(),
            Self::Shared(value) => Some(value),
        }
    }
}

impl<T> Index<usize> for PerWheel<'_, T> {
    type Output = T;

    #[inline]
    fn index(&self, wheel: usize) -> &T {
        match self {
            Self::Slice(values) => &values[wheel],
            Self::Refs(values) => values[wheel],
            Self::Shared(value) => value,
        }
    }
}

impl<'a, T> From<&'a [T]> for PerWheel<'a, T> {
    fn from(values: &'a [T]) -> Self {
        Self::Slice(values)
    }
}

impl<'a, T> FromIterator<&'a T> for PerWheel<'a, T> {
    /// One reference per wheel.
    ///
    /// # Panics
    ///
    /// If there are more than [`MAX_WHEELS`].
    fn from_iter<I: IntoIterator<Item = &'a T>>(values: I) -> Self {
        Self::Refs(values.into_iter().collect())
    }
}

/// Write access to one `T` per wheel.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "an inline list, because a step does not allocate")]
pub enum PerWheelMut<'a, T> {
    /// A value for each wheel.
    Slice(&'a mut [T]),
    /// A reference for each wheel.
    Refs(WheelRefs<&'a mut T>),
}

impl<T> PerWheelMut<'_, T> {
    /// The value of the wheel in each lane.
    #[inline]
    pub(crate) fn in_lanes(&self, lanes: &WheelLanes) -> [&T; MAX_LANES] {
        match self {
            Self::Slice(values) => lanes.of_slice(values),
            Self::Refs(values) => lanes.map(|wheel| &*values[wheel]),
        }
    }
}

impl<T> Index<usize> for PerWheelMut<'_, T> {
    type Output = T;

    #[inline]
    fn index(&self, wheel: usize) -> &T {
        match self {
            Self::Slice(values) => &values[wheel],
            Self::Refs(values) => values[wheel],
        }
    }
}

impl<T> IndexMut<usize> for PerWheelMut<'_, T> {
    #[inline]
    fn index_mut(&mut self, wheel: usize) -> &mut T {
        match self {
            Self::Slice(values) => &mut values[wheel],
            Self::Refs(values) => values[wheel],
        }
    }
}

impl<'a, T> From<&'a mut [T]> for PerWheelMut<'a, T> {
    fn from(values: &'a mut [T]) -> Self {
        Self::Slice(values)
    }
}

impl<'a, T> FromIterator<&'a mut T> for PerWheelMut<'a, T> {
    /// One reference per wheel.
    ///
    /// # Panics
    ///
    /// If there are more than [`MAX_WHEELS`].
    fn from_iter<I: IntoIterator<Item = &'a mut T>>(values: I) -> Self {
        Self::Refs(values.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_storage_reads_the_same() {
        let values = [1, 2, 3];
        let refs: PerWheel<'_, i32> = values.iter().collect();
        let slice = PerWheel::from(&values[..]);
        let shared = PerWheel::Shared(&values[0]);
        for wheel in 0..3 {
            assert_eq!(slice[wheel], values[wheel]);
            assert_eq!(refs[wheel], values[wheel]);
            assert_eq!(shared[wheel], 1);
        }
    }

    #[test]
    fn every_storage_writes_where_it_says() {
        let mut values = [1, 2, 3];
        PerWheelMut::from(&mut values[..])[1] = 20;
        {
            let mut refs: PerWheelMut<'_, i32> = values.iter_mut().collect();
            refs[2] = 30;
            assert_eq!(refs[1], 20);
        }
        assert_eq!(values, [1, 20, 30]);
    }
}
