//! A differential for any number of wheels, with constant shares.

use serde::{Deserialize, Serialize};
use vehicle_core::MAX_WHEELS;
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::math::Real;

use super::{SHARE_TOLERANCE, WheelShare, check_shares};

/// Shares of the wheels: an open differential.
///
/// Power is kept where torque and speed ratios are equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MultiWheelDifferentialParams {
    /// Share of each wheel in the torque, in [-1, 1] (dimensionless); negative for a wheel that is
    /// geared to turn backward, 0 for one that is not driven. The absolute values sum to 1.
    pub torque_ratios: Vec<Real>,
    /// Weight of each wheel's speed in the speed of the input, in [0, 1] (dimensionless). They sum
    /// to 1.
    pub speed_ratios: Vec<Real>,
}

impl MultiWheelDifferentialParams {
    /// Equal shares for the wheels `driven` of a vehicle of `wheel_count` wheels. One that the
    /// vehicle does not have gets its share, too: it is a fault that names it.
    pub fn equal(wheel_count: usize, driven: &[usize]) -> Self {
        let is_new = |&(index, wheel): &(usize, &usize)| !driven[..index].contains(wheel);
        let share = 1.0 / driven.iter().enumerate().filter(is_new).count() as Real;
        let of_wheel = |wheel| if driven.contains(&wheel) { share } else { 0.0 };
        let last = driven.iter().map(|wheel| wheel.saturating_add(1)).max().unwrap_or(0);
        // A number that is far off is not worth a list of its length.
        let count = wheel_count.max(last.min(2 * MAX_WHEELS));
        let ratios: Vec<_> = (0..count).map(of_wheel).collect();
        Self { torque_ratios: ratios.clone(), speed_ratios: ratios }
    }

    /// Checks the parameters of a vehicle of `wheel_count` wheels.
    pub fn check(&self, check: &mut ParamCheck, wheel_count: usize) {
        let [torques, speeds] = [&self.torque_ratios, &self.speed_ratios];
        check_shares(check, "torque_ratios", torques, wheel_count, Bound::Within(-1.0, 1.0));
        check_shares(check, "speed_ratios", speeds, wheel_count, Bound::Within(0.0, 1.0));
        // The speed of one that is not driven does not count.
        let is_idle = |wheel: &usize| torques.get(*wheel).is_some_and(|torque| *torque == 0.0);
        for wheel in (0..speeds.len()).filter(is_idle) {
            let requirement = format_args!("0, as torque_ratios[{wheel}] is");
            let is_met = speeds[wheel].abs() <= SHARE_TOLERANCE || wheel_count <= wheel;
            check.require(
                format_args!("speed_ratios[{wheel}]"),
                is_met,
                requirement,
                speeds[wheel],
            );
        }
    }

    /// The driven wheel whose torque ratio is farthest from its speed ratio, and by how much.
    pub(crate) fn most_uneven(&self) -> Option<(usize, Real)> {
        let pairs = self.torque_ratios.iter().zip(&self.speed_ratios).enumerate();
        let driven = pairs.filter(|(_, (torque, _))| **torque != 0.0);
        let uneven = driven.map(|(wheel, (torque, speed))| (wheel, (torque.abs() - speed).abs()));
        uneven.max_by(|one, other| one.1.total_cmp(&other.1))
    }
}

/// Ratios, which have no unit.
impl Convert for MultiWheelDifferentialParams {
    fn converted(&self, _: &CoordinateConversion) -> Self {
        self.clone()
    }
}

/// The part of `wheel`: its ratios if its torque ratio is not 0, else none.
///
/// The reference takes the speed ratio for the torque ratio of a wheel that is connected; where its
/// numbers are wanted, set `torque_ratios` to `speed_ratios` wherever they are not 0.
///
/// # Panics
///
/// If there is no such wheel.
#[inline]
pub fn multi_wheel_share(params: &MultiWheelDifferentialParams, wheel: usize) -> WheelShare {
    let torque = params.torque_ratios[wheel];
    if torque == 0.0 {
        return WheelShare::default();
    }
    WheelShare { torque, speed: params.speed_ratios[wheel], is_connected: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(params: &MultiWheelDifferentialParams) -> String {
        let mut check = ParamCheck::default();
        params.check(&mut check, 4);
        check.finish().map_or_else(|error| error.to_string(), |()| "good".to_owned())
    }

    #[test]
    fn driven_wheels_share_torque_and_speed() {
        let params = MultiWheelDifferentialParams::equal(4, &[2, 3]);
        assert_eq!(message(&params), "good");
        assert_eq!(multi_wheel_share(&params, 0), WheelShare::default());
        let expected = WheelShare { torque: 0.5, speed: 0.5, is_connected: true };
        assert_eq!(multi_wheel_share(&params, 2), expected);
    }

    #[test]
    fn driven_wheels_that_are_not_there_are_named() {
        let text = message(&MultiWheelDifferentialParams::equal(4, &[2, 4]));
        let expected = "torque_ratios[4] must be 0, as driven wheels are below 4, got 0.5";
        assert!(text.contains(expected) && !text.contains("in sum"), "{text}");
        assert_eq!(message(&MultiWheelDifferentialParams::equal(4, &[2, 2])), "good");
    }

    #[test]
    fn negative_torque_ratio_keeps_its_sign_and_its_own_size() {
        let params = MultiWheelDifferentialParams {
            torque_ratios: vec![-0.6, 0.4, 0.0, 0.0],
            speed_ratios: vec![0.5, 0.5, 0.0, 0.0],
        };
        assert_eq!(message(&params), "good");
        let expected = WheelShare { torque: -0.6, speed: 0.5, is_connected: true };
        assert_eq!(multi_wheel_share(&params, 0), expected);
    }

    #[test]
    fn bad_ratios_are_refused() {
        let good = MultiWheelDifferentialParams::equal(4, &[0, 1, 2, 3]);
        let torque = |torque_ratios| MultiWheelDifferentialParams { torque_ratios, ..good.clone() };
        let speed = |speed_ratios| MultiWheelDifferentialParams { speed_ratios, ..good.clone() };
        let cases = [
            (
                torque(vec![0.25; 3]),
                "torque_ratios must be of 4 elements, one per wheel, got 3; \
                 torque_ratios must be in sum within [0.99, 1.01], whatever their signs, got 0.75",
            ),
            (
                torque(vec![0.5; 4]),
                "torque_ratios must be in sum within [0.99, 1.01], whatever their signs, got 2",
            ),
            (
                MultiWheelDifferentialParams {
                    torque_ratios: vec![0.0, 0.0, 0.5, 0.5],
                    ..good.clone()
                },
                "speed_ratios[0] must be 0, as torque_ratios[0] is, got 0.25; \
                 speed_ratios[1] must be 0, as torque_ratios[1] is, got 0.25",
            ),
            (
                speed(vec![0.5, 0.5, 0.25, -0.25]),
                "speed_ratios[3] must be within [0, 1], got -0.25; \
                 speed_ratios must be in sum within [0.99, 1.01], whatever their signs, got 1.5",
            ),
        ];
        for (params, expected) in cases {
            assert_eq!(message(&params), expected);
        }
    }
}
