//! Numbers that users attach to a vehicle and its wheels, for ends of their own.

use serde::{Deserialize, Serialize};
use vehicle_core::MAX_WHEELS;

/// A number of 128 bits for a vehicle and for each of its wheels, all 0 until they are set. They
/// mean nothing to the vehicle, and no snapshot has them.
///
/// Nothing is allocated before the first is set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserData(Option<Box<Numbers>>);

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Numbers {
    vehicle: u128,
    wheels: Vec<u128>,
}

impl UserData {
    /// The number of the vehicle.
    pub fn vehicle(&self) -> u128 {
        self.0.as_ref().map_or(0, |numbers| numbers.vehicle)
    }

    /// The number of `wheel`.
    pub fn wheel(&self, wheel: usize) -> u128 {
        let numbers = self.0.as_ref();
        numbers.and_then(|numbers| numbers.wheels.get(wheel)).copied().unwrap_or(0)
    }

    /// Sets the number of the vehicle.
    pub fn set_vehicle(&mut self, number: u128) {
        self.0.get_or_insert_default().vehicle = number;
    }

    /// Sets the number of `wheel`.
    ///
    /// # Panics
    ///
    /// If `wheel` is not below [`MAX_WHEELS`], the most wheels of a vehicle.
    pub fn set_wheel(&mut self, wheel: usize, number: u128) {
        assert!(wheel < MAX_WHEELS, "wheel must be below {MAX_WHEELS}, got {wheel}");
        let wheels = &mut self.0.get_or_insert_default().wheels;
        wheels.resize(wheels.len().max(wheel + 1), 0);
        wheels[wheel] = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_bit_by_bit() {
        let mut data = UserData::default();
        assert_eq!((data.vehicle(), data.wheel(3)), (0, 0));
        data.set_wheel(3, u128::MAX - 7);
        data.set_vehicle(1 << 127);
        assert_eq!([0, 2, 3, 4].map(|wheel| data.wheel(wheel)), [0, 0, u128::MAX - 7, 0]);
        assert_eq!(data.vehicle(), 1 << 127);
        data.set_wheel(0, 5);
        assert_eq!((data.wheel(0), data.wheel(3)), (5, u128::MAX - 7));
    }
}
