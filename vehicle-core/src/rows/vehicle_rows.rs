//! The rows of all wheels.

use std::fmt;
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use super::WheelRows;
use crate::WheelVec;
use crate::math::lanes::{Lanes, MAX_LANES, Real4};

/// The rows of each wheel, a list that knows when there are none.
#[derive(Serialize, Deserialize)]
#[serde(from = "WheelVec<WheelRows>", into = "WheelVec<WheelRows>")]
pub struct VehicleRows {
    wheels: WheelVec<WheelRows>,
    /// Whether any wheel may have a row. A list that somebody has written to may.
    may_hold: bool,
}

impl VehicleRows {
    /// No rows of `wheel_count` wheels.
    pub fn none(wheel_count: usize) -> Self {
        Self { wheels: smallvec::smallvec![WheelRows::default(); wheel_count], may_hold: false }
    }

    /// Whether any wheel may have a row.
    #[inline]
    pub(crate) fn may_hold(&self) -> bool {
        self.may_hold
    }

    /// Bounds what friction allows at each of four wheels by `impulse` (N·s).
    #[inline]
    pub(crate) fn bound(&mut self, four: usize, impulse: Real4) {
        let wheels = &mut self.wheels[four * MAX_LANES..];
        for (rows, impulse) in wheels.iter_mut().zip(impulse.lanes()) {
            rows.max_friction_impulse = impulse;
        }
    }

    /// Lets go of whatever is held.
    #[inline]
    pub(crate) fn release(&mut self) {
        // Most of the time there is nothing: a car drives.
        if std::mem::take(&mut self.may_hold) {
            self.wheels.iter_mut().for_each(WheelRows::release);
        }
    }
}

/// Copies the list as a whole, because a checked step copies the state.
impl Clone for VehicleRows {
    #[inline]
    fn clone(&self) -> Self {
        Self { wheels: WheelVec::from_slice(&self.wheels), may_hold: self.may_hold }
    }
}

impl From<WheelVec<WheelRows>> for VehicleRows {
    fn from(wheels: WheelVec<WheelRows>) -> Self {
        let may_hold = !wheels.iter().all(WheelRows::is_empty);
        Self { wheels, may_hold }
    }
}

impl fmt::Debug for VehicleRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.wheels.fmt(f)
    }
}

impl FromIterator<WheelRows> for VehicleRows {
    fn from_iter<I: IntoIterator<Item = WheelRows>>(rows: I) -> Self {
        rows.into_iter().collect::<WheelVec<_>>().into()
    }
}

impl From<VehicleRows> for WheelVec<WheelRows> {
    fn from(rows: VehicleRows) -> Self {
        rows.wheels
    }
}

impl PartialEq for VehicleRows {
    fn eq(&self, other: &Self) -> bool {
        self.wheels == other.wheels
    }
}

impl Deref for VehicleRows {
    type Target = [WheelRows];

    #[inline]
    fn deref(&self) -> &[WheelRows] {
        &self.wheels
    }
}

impl DerefMut for VehicleRows {
    #[inline]
    fn deref_mut(&mut self) -> &mut [WheelRows] {
        self.may_hold = true;
        &mut self.wheels
    }
}

impl<'a> IntoIterator for &'a VehicleRows {
    type Item = &'a WheelRows;
    type IntoIter = std::slice::Iter<'a, WheelRows>;

    fn into_iter(self) -> Self::IntoIter {
        self.wheels.iter()
    }
}
