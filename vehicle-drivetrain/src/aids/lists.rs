//! Values of wheels in lists, and four side by side.

use vehicle_core::math::Real;
use vehicle_core::math::lanes::{Lanes, MAX_LANES, Real4};
use vehicle_core::wheel_list::WheelVec;

/// Copies `source` over `list`, most often of as many wheels.
#[inline]
pub(crate) fn copy_list<T: Copy>(list: &mut WheelVec<T>, source: &WheelVec<T>) {
    if list.len() == source.len() {
        list.copy_from_slice(source);
    } else {
        list.clone_from(source);
    }
}

/// The `value` of each of up to four `wheels` side by side, and `other` where there is none.
pub(crate) fn four_of<T>(wheels: &[T], other: Real, value: impl Fn(&T) -> Real) -> Real4 {
    Real4::from_lanes(|lane| wheels.get(lane).map_or(other, &value))
}

/// The `value` of each of `wheels`, four side by side, and 0 where there is none.
pub(crate) fn in_fours<T>(wheels: &[T], value: impl Fn(&T) -> Real) -> Vec<Real4> {
    wheels.chunks(MAX_LANES).map(|four| four_of(four, 0.0, &value)).collect()
}
