//! The rows of all wheels.

use serde::{Deserialize, Serialize};

use super::WheelRows;
use super::lanes::FourRows;
use super::row::HostStand;
use crate::clone_by_field;
use crate::math::finite::{Finite, NOTHING};
use crate::math::lanes::Real4;
use crate::wheel_list::{WheelList, WheelValues};

/// The rows of each wheel.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VehicleRows {
    wheels: WheelList<WheelRows>,
}

clone_by_field! { impl[] VehicleRows { wheels } }

impl VehicleRows {
    /// No rows of `wheel_count` wheels.
    pub fn none(wheel_count: usize) -> Self {
        Self { wheels: WheelList::new(wheel_count) }
    }

    /// Number of wheels.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "no vehicle is without wheels")]
    pub fn len(&self) -> usize {
        self.wheels.len()
    }

    /// The rows of `wheel`.
    ///
    /// # Panics
    ///
    /// If there is no such wheel.
    #[inline]
    #[must_use = "the rows of a wheel are a copy: `edit` changes them in the list"]
    pub fn of(&self, wheel: usize) -> WheelRows {
        self.wheels.of(wheel)
    }

    /// The rows of every wheel, by number.
    #[inline]
    pub fn iter(&self) -> WheelValues<'_, WheelRows> {
        self.wheels.iter()
    }

    /// Changes the rows of `wheel` to `rows`.
    ///
    /// # Panics
    ///
    /// If there is no such wheel.
    #[inline]
    pub fn set(&mut self, wheel: usize, rows: WheelRows) {
        self.wheels.set(wheel, rows);
    }

    /// Changes the rows of `wheel` by `change`.
    ///
    /// # Panics
    ///
    /// If there is no such wheel.
    #[inline]
    pub fn edit(&mut self, wheel: usize, change: impl FnOnce(&mut WheelRows)) {
        self.wheels.edit(wheel, change);
    }

    /// Whether any wheel has a row, or anything for a host.
    #[inline]
    pub(crate) fn holds_any(&self) -> bool {
        !self.fours().iter().all(FourRows::is_empty)
    }

    /// Whether there is any row.
    #[inline]
    pub(crate) fn is_any(&self) -> bool {
        self.fours().iter().any(FourRows::has_any_row)
    }

    /// Whether any row is the vehicle's to execute.
    #[inline]
    pub(crate) fn is_any_local(&self) -> bool {
        self.fours().iter().any(FourRows::is_any_local)
    }

    /// The rows of four wheels after the other, in lanes.
    #[inline]
    pub(crate) fn fours(&self) -> &[FourRows] {
        self.wheels.fours()
    }

    /// The rows of four wheels after the other, mutably.
    #[inline]
    pub(super) fn fours_mut(&mut self) -> &mut [FourRows] {
        self.wheels.fours_mut()
    }

    /// The four of this number.
    #[inline]
    pub(crate) fn four(&self, number: usize) -> &FourRows {
        self.wheels.four(number)
    }

    /// The four of this number, mutably.
    #[inline]
    pub(crate) fn four_mut(&mut self, number: usize) -> &mut FourRows {
        self.wheels.four_mut(number)
    }

    /// Lets go of whatever is held.
    #[inline]
    pub(crate) fn release(&mut self) {
        // Most of the time there is nothing: a car drives.
        if self.holds_any() {
            self.wheels.fours_mut().iter_mut().for_each(FourRows::release);
        }
    }

    /// Moves what hosts know of the stands by `change`.
    pub(crate) fn edit_hosts(&mut self, mut change: impl FnMut(&mut HostStand)) {
        self.wheels.fours_mut().iter_mut().for_each(|four| four.edit_hosts(&mut change));
    }
}

impl FromIterator<WheelRows> for VehicleRows {
    fn from_iter<I: IntoIterator<Item = WheelRows>>(rows: I) -> Self {
        Self { wheels: rows.into_iter().collect() }
    }
}

impl Finite for VehicleRows {
    #[inline]
    fn total(&self) -> Real4 {
        // Rows that are not there have no number.
        if self.holds_any() { self.wheels.total() } else { NOTHING }
    }
}

impl<'a> IntoIterator for &'a VehicleRows {
    type Item = WheelRows;
    type IntoIter = WheelValues<'a, WheelRows>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
