//! Lists with one value per wheel.
//!
//! A [`WheelList`] keeps its values in *lanes*: four wheels side by side, number by number, as a
//! processor computes with them. A stage takes four wheels at once from it and puts them back as
//! they are; whoever looks at one wheel gets its value, and puts a changed one back.
//!
//! Stages compute with values as they lie in memory. So a frame has one implementation, whatever
//! the number of wheels and whatever stage a user replaces, and all other stages stay as fast. A
//! part that is written for a single wheel is asked wheel by wheel.
//!
//! ```
//! use vehicle_core::WheelList;
//! use vehicle_core::wheel::WheelState;
//!
//! let mut wheels = WheelList::<WheelState>::new(6);
//! wheels.edit(4, |wheel| wheel.rotation_speed = 12.0);
//! assert_eq!(wheels.of(4).rotation_speed, 12.0);
//! let fastest = wheels.iter().map(|wheel| wheel.rotation_speed).fold(0.0, f32::max);
//! assert_eq!(fastest, 12.0);
//! ```

use std::fmt;
use std::ops::{Index, IndexMut, Range};

use arrayvec::ArrayVec;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::SmallVec;
use thin_vec::{ThinVec, thin_vec};

use crate::math::Real;
use crate::math::finite::{Finite, NOTHING};
use crate::math::lanes::{InLanes, Lanes, MAX_LANES, Mask, Mask4, Real4};

/// Most wheels that a vehicle can have.
pub const MAX_WHEELS: usize = 64;
/// Most fours of wheels.
pub const MAX_FOURS: usize = MAX_WHEELS / MAX_LANES;

/// A list with one value per wheel, of values that have no form in lanes; up to four wheels need no
/// allocation.
pub type WheelVec<T> = SmallVec<[T; 4]>;

/// An inline list of small values, one per wheel, with room for `WHEELS`.
pub type WheelRefs<T, const WHEELS: usize = MAX_WHEELS> = ArrayVec<T, WHEELS>;

/// An inline list of values, one per four wheels, with room for `FOURS`.
pub type Fours<T, const FOURS: usize = MAX_FOURS> = ArrayVec<T, FOURS>;

/// One value per wheel, by the wheel's number; up to four wheels need no allocation.
pub struct WheelList<T: InLanes> {
    wheel_count: u32,
    /// The values of more than four wheels, in the place of `four`: all of them in one place, found
    /// by one step.
    many: ThinVec<T::Lanes>,
    four: T::Lanes,
}

#[cold]
#[inline(never)]
fn no_four(number: usize) -> ! {
    panic!("four {number} of 1")
}

/// The place of a wheel: its four, and its lane there.
#[inline]
pub fn place(wheel: usize) -> (usize, usize) {
    (wheel / MAX_LANES, wheel % MAX_LANES)
}

impl<T: InLanes + Default> WheelList<T> {
    /// A list of default values for `wheel_count` wheels.
    pub fn new(wheel_count: usize) -> Self {
        Self::filled(wheel_count, T::default())
    }
}

impl<T: InLanes> WheelList<T> {
    /// A list of `wheel_count` times `value`.
    pub fn filled(wheel_count: usize, value: T) -> Self {
        Self::of_lanes(wheel_count, T::Lanes::from_lanes(|_| value))
    }

    fn of_lanes(wheel_count: usize, four: T::Lanes) -> Self {
        let count = wheel_count.div_ceil(MAX_LANES);
        let many = if 1 < count { thin_vec![four; count] } else { ThinVec::new() };
        Self { wheel_count: wheel_count as u32, many, four }
    }

    /// A list of `values`, the last of which is in the lanes that are left over, too.
    pub fn from_slice(values: &[T]) -> Self {
        let Some(&last) = values.last() else {
            return Self::of_lanes(0, T::Lanes::default());
        };
        let mut list = Self::filled(values.len(), last);
        for (wheel, &value) in values.iter().enumerate() {
            list.set(wheel, value);
        }
        list
    }

    /// Number of wheels.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "no vehicle is without wheels")]
    pub fn len(&self) -> usize {
        self.wheel_count as usize
    }

    /// The values of four wheels after the other, in lanes.
    #[inline]
    pub fn fours(&self) -> &[T::Lanes] {
        if self.has_few_wheels() { std::slice::from_ref(&self.four) } else { &self.many }
    }

    /// The values of four wheels after the other, in lanes, mutably.
    #[inline]
    pub fn fours_mut(&mut self) -> &mut [T::Lanes] {
        if self.has_few_wheels() { std::slice::from_mut(&mut self.four) } else { &mut self.many }
    }

    /// The four of this number. A stage that takes it from one list after the other asks for its
    /// place once.
    ///
    /// # Panics
    ///
    /// If there is no such four.
    #[inline]
    pub fn four(&self, number: usize) -> &T::Lanes {
        match number {
            _ if !self.has_few_wheels() => &self.many[number],
            0 => &self.four,
            _ => no_four(number),
        }
    }

    /// The four of this number, mutably.
    ///
    /// # Panics
    ///
    /// If there is no such four.
    #[inline]
    pub fn four_mut(&mut self, number: usize) -> &mut T::Lanes {
        match number {
            _ if !self.has_few_wheels() => &mut self.many[number],
            0 => &mut self.four,
            _ => no_four(number),
        }
    }

    /// The four that has `wheel`, and its lane there.
    ///
    /// # Panics
    ///
    /// If there is no such wheel.
    #[inline]
    pub fn at(&self, wheel: usize) -> (&T::Lanes, usize) {
        let (four, lane) = place(wheel);
        (self.four(four), lane)
    }

    /// The value of `wheel`.
    ///
    /// # Panics
    ///
    /// If there is no such wheel.
    #[inline]
    #[must_use = "the value of a wheel is a copy: `edit` changes it in the list"]
    pub fn of(&self, wheel: usize) -> T {
        self.check(wheel);
        let (four, lane) = self.at(wheel);
        four.lane(lane)
    }

    /// The value of `wheel`; `None` if there is no such wheel.
    #[inline]
    pub fn get(&self, wheel: usize) -> Option<T> {
        (wheel < self.len()).then(|| self.of(wheel))
    }

    /// Changes the value of `wheel` to `value`.
    ///
    /// # Panics
    ///
    /// If there is no such wheel.
    #[inline]
    pub fn set(&mut self, wheel: usize, value: T) {
        self.check(wheel);
        let (four, lane) = place(wheel);
        self.four_mut(four).set_lane(lane, value);
    }

    /// Changes the value of `wheel` by `change`.
    ///
    /// # Panics
    ///
    /// If there is no such wheel.
    #[inline]
    pub fn edit(&mut self, wheel: usize, change: impl FnOnce(&mut T)) {
        let mut value = self.of(wheel);
        change(&mut value);
        self.set(wheel, value);
    }

    /// The value of every wheel, by number.
    pub fn iter(&self) -> WheelValues<'_, T> {
        WheelValues { list: self, wheels: 0..self.len() }
    }

    /// Changes the value of every wheel to `value`.
    #[inline]
    pub fn fill(&mut self, value: T) {
        self.fours_mut().fill(T::Lanes::from_lanes(|_| value));
    }

    /// Changes the value of every wheel by `change`.
    pub fn edit_all(&mut self, mut change: impl FnMut(&mut T)) {
        for wheel in 0..self.len() {
            self.edit(wheel, &mut change);
        }
    }

    /// Whether `is_true` of any wheel; lanes that are left over do not count.
    #[inline]
    pub(crate) fn any(&self, is_true: impl Fn(&T::Lanes) -> Mask4) -> bool {
        let mut left = self.len();
        self.fours().iter().any(|four| {
            let mask = is_true(four);
            let count = left.min(MAX_LANES);
            left -= count;
            // Most of the time it is true of none.
            mask.any() && (0..count).any(|lane| mask.lane(lane))
        })
    }

    /// The values of all wheels.
    pub fn to_vec(&self) -> Vec<T> {
        self.iter().collect()
    }

    #[inline]
    fn check(&self, wheel: usize) {
        assert!(wheel < self.len(), "wheel {wheel} of {}", self.len());
    }
}

/// The value of every wheel, by number.
pub struct WheelValues<'a, T: InLanes> {
    list: &'a WheelList<T>,
    wheels: Range<usize>,
}

impl<T: InLanes + fmt::Debug> fmt::Debug for WheelValues<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.wheels.clone().map(|wheel| self.list.of(wheel))).finish()
    }
}

impl<T: InLanes> Iterator for WheelValues<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.wheels.next().map(|wheel| self.list.of(wheel))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.wheels.size_hint()
    }
}

impl<T: InLanes> ExactSizeIterator for WheelValues<'_, T> {}

impl<'a, T: InLanes> IntoIterator for &'a WheelList<T> {
    type Item = T;
    type IntoIter = WheelValues<'a, T>;

    #[inline]
    fn into_iter(self) -> WheelValues<'a, T> {
        self.iter()
    }
}

impl WheelList<Real> {
    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        Finite::is_finite(self)
    }
}

impl Index<usize> for WheelList<Real> {
    type Output = Real;

    #[inline]
    fn index(&self, wheel: usize) -> &Real {
        self.check(wheel);
        let (four, lane) = place(wheel);
        &self.four(four).as_array()[lane]
    }
}

impl IndexMut<usize> for WheelList<Real> {
    #[inline]
    fn index_mut(&mut self, wheel: usize) -> &mut Real {
        self.check(wheel);
        let (four, lane) = place(wheel);
        &mut self.four_mut(four).as_mut_array()[lane]
    }
}

/// Copies lanes as a whole, and into the memory that is there: a checked step copies the state.
impl<T: InLanes> Clone for WheelList<T> {
    #[inline]
    fn clone(&self) -> Self {
        let many = if self.has_few_wheels() { ThinVec::new() } else { self.many.clone() };
        Self { wheel_count: self.wheel_count, many, four: self.four }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        (self.wheel_count, self.four) = (source.wheel_count, source.four);
        if !source.has_few_wheels() {
            self.copy_many(&source.many);
        }
    }
}

impl<T: InLanes> WheelList<T> {
    /// Copies the values of more than four wheels. Room for more stays, also while there are fewer:
    /// spare states are copies of vehicles with few wheels and with many by turns.
    fn copy_many(&mut self, source: &[T::Lanes]) {
        if self.many.len() == source.len() {
            self.many.copy_from_slice(source);
        } else {
            self.many.clear();
            self.many.extend_from_slice(source);
        }
    }

    /// Whether the list has no more than four wheels.
    #[inline]
    fn has_few_wheels(&self) -> bool {
        self.wheel_count <= MAX_LANES as u32
    }
}

impl<T: InLanes + PartialEq> PartialEq for WheelList<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: InLanes + fmt::Debug> fmt::Debug for WheelList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: InLanes> FromIterator<T> for WheelList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::from_slice(&values.into_iter().collect::<WheelVec<T>>())
    }
}

impl<T: InLanes + Serialize> Serialize for WheelList<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: InLanes + Deserialize<'de>> Deserialize<'de> for WheelList<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = Vec::deserialize(deserializer)?;
        if MAX_WHEELS < values.len() {
            return Err(D::Error::custom(format_args!("more than {MAX_WHEELS} wheels")));
        }
        Ok(Self::from_slice(&values))
    }
}

impl<T: InLanes<Lanes: Finite>> Finite for WheelList<T> {
    #[inline]
    fn total(&self) -> Real4 {
        if self.has_few_wheels() {
            return self.four.total();
        }
        self.many.iter().fold(NOTHING, |sum, four| sum + four.total())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn every_wheel_keeps_its_value() {
        for count in 1..=9 {
            let mut list = WheelList::<Vec3>::new(count);
            assert_eq!(list.to_vec(), vec![Vec3::ZERO; count]);
            for wheel in 0..count {
                list.set(wheel, Vec3::splat(wheel as Real));
            }
            list.edit(count / 2, |value| value.x = -1.0);
            let expected = |wheel: usize| {
                let number = wheel as Real;
                Vec3::new(if wheel == count / 2 { -1.0 } else { number }, number, number)
            };
            assert_eq!(list.to_vec(), (0..count).map(expected).collect::<Vec<_>>());
            assert_eq!(list, WheelList::from_slice(&list.to_vec()));
            let text = serde_json::to_string(&list).unwrap();
            assert_eq!(serde_json::from_str::<WheelList<Vec3>>(&text).unwrap(), list);
        }
    }

    #[test]
    fn a_copy_is_written_over_a_list_of_any_length() {
        let of = |count| (0..count).map(|wheel| wheel as Real).collect::<WheelList<Real>>();
        for (count, before) in [(4, 4), (3, 4), (6, 6), (6, 5), (9, 6), (2, 9), (9, 2)] {
            let (source, mut list) = (of(count), WheelList::filled(before, 7.0));
            list.clone_from(&source);
            assert_eq!(list, source, "{before} wheels");
            let places = |list: &WheelList<Real>| list.fours().as_ptr();
            let place = places(&list);
            // Also after a list of few wheels, it is in the memory that it has.
            list.clone_from(&of(before.min(3)));
            assert_eq!(list, of(before.min(3)));
            list.clone_from(&source);
            assert_eq!(list, source);
            assert_eq!(places(&list), place, "{count} wheels after {before}");
        }
    }

    #[test]
    fn numbers_are_indexed() {
        let mut list = WheelList::from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        list[4] += 0.5;
        assert_eq!((list[0], list[4], list.len()), (1.0, 5.5, 5));
        list.fill(-2.0);
        assert_eq!(list, WheelList::filled(5, -2.0));
    }

    #[test]
    fn a_number_that_is_none_is_found_in_any_lane() {
        for wheel in 0..6 {
            let mut list = WheelList::<Real>::new(6);
            assert!(Finite::is_finite(&list));
            list[wheel] = Real::NAN;
            assert!(!Finite::is_finite(&list), "wheel {wheel}");
        }
    }

    #[test]
    #[should_panic(expected = "wheel 2 of 2")]
    fn there_is_no_wheel_beyond_the_last() {
        let _none = WheelList::<Real>::new(2).of(2);
    }
}
