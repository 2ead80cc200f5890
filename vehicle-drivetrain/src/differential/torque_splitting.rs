//! A differential that gives more torque to the slower wheel: an older model of limited slip, which
//! forces no wheels to turn together.

use serde::{Deserialize, Serialize};
use vehicle_core::AxleDescription;
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::math::{Real, sign};

use super::{WheelShare, check_axle_pairs};

/// Which axles an engine drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DrivenWheels {
    /// Both axles.
    #[default]
    All,
    /// The front axle.
    Front,
    /// The rear axle.
    Rear,
}

/// A differential that splits torque by speed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TorqueSplittingParams {
    /// Which axles are driven.
    pub driven: DrivenWheels,
    /// The wheels of the front axle.
    pub front: [usize; 2],
    /// The wheels of the rear axle.
    pub rear: [usize; 2],
    /// Share of the front axle if both are driven, in [0, 1] (dimensionless).
    pub front_share: Real,
    /// Share of the first front wheel in its axle, in [0, 1] (dimensionless).
    pub first_front_share: Real,
    /// Share of the first rear wheel in its axle, in [0, 1] (dimensionless).
    pub first_rear_share: Real,
    /// Ratio of the axles' speeds beyond which the split changes, at least 1 (dimensionless).
    pub center_bias: Real,
    /// Ratio of the front wheels' speeds beyond which the split changes, at least 1
    /// (dimensionless).
    pub front_bias: Real,
    /// Ratio of the rear wheels' speeds beyond which the split changes, at least 1 (dimensionless).
    pub rear_bias: Real,
}

impl TorqueSplittingParams {
    /// Whether the drive gives torque to `wheel`.
    pub(crate) fn drives(&self, wheel: usize) -> bool {
        let (front, rear) = (self.front.contains(&wheel), self.rear.contains(&wheel));
        match self.driven {
            DrivenWheels::All => front || rear,
            DrivenWheels::Front => front,
            DrivenWheels::Rear => rear,
        }
    }

    /// The wheels in the order of [`torque_splitting_shares`]: front, rear.
    pub fn wheels(&self) -> [usize; 4] {
        let ([first, second], [third, fourth]) = (self.front, self.rear);
        [first, second, third, fourth]
    }

    /// Checks the parameters of a vehicle with `axles`.
    pub fn check(&self, check: &mut ParamCheck, axles: &AxleDescription) {
        check_axle_pairs(check, self.front, self.rear, axles.wheel_count());
        for (name, [first, second]) in [("front", self.front), ("rear", self.rear)] {
            let is_axle = axles.axle_of(first) == axles.axle_of(second);
            let wheels = format_args!("{first} and {second}");
            check.require(name, is_axle, "two wheels of one axle", wheels);
        }
        check.number("front_share", self.front_share, Bound::Within(0.0, 1.0));
        check.number("first_front_share", self.first_front_share, Bound::Within(0.0, 1.0));
        check.number("first_rear_share", self.first_rear_share, Bound::Within(0.0, 1.0));
        let biases = [
            ("center_bias", self.center_bias),
            ("front_bias", self.front_bias),
            ("rear_bias", self.rear_bias),
        ];
        for (name, bias) in biases {
            let is_ratio = 1.0 <= bias && bias.is_finite();
            check.require(name, is_ratio, "at least 1 and finite", bias);
        }
    }

    /// Shares of wheels at equal speeds.
    fn static_shares(&self) -> [Real; 4] {
        let [front, rear] = match self.driven {
            DrivenWheels::All => [self.front_share, 1.0 - self.front_share],
            DrivenWheels::Front => [1.0, 0.0],
            DrivenWheels::Rear => [0.0, 1.0],
        };
        [
            front * self.first_front_share,
            front * (1.0 - self.first_front_share),
            rear * self.first_rear_share,
            rear * (1.0 - self.first_rear_share),
        ]
    }

    /// Torque ratios of wheels at `speeds` (rad/s), if the driven ones turn the same way.
    fn split_by_speed(&self, speeds: [Real; 4]) -> Option<[Real; 4]> {
        let [first, second, third, fourth] = speeds;
        let front = || split([first, second], self.front_bias, self.first_front_share);
        let rear = || split([third, fourth], self.rear_bias, self.first_rear_share);
        match self.driven {
            DrivenWheels::All if turn_alike(&speeds) => {
                let axles = [first + second, third + fourth];
                let [of_front, of_rear] = split(axles, self.center_bias, self.front_share);
                let ([first, second], [third, fourth]) = (front(), rear());
                Some([first * of_front, second * of_front, third * of_rear, fourth * of_rear])
            }
            DrivenWheels::Front if turn_alike(&[first, second]) => {
                let [first, second] = front();
                Some([first, second, 0.0, 0.0])
            }
            DrivenWheels::Rear if turn_alike(&[third, fourth]) => {
                let [third, fourth] = rear();
                Some([0.0, 0.0, third, fourth])
            }
            _ => None,
        }
    }
}

/// Shares and ratios, which have no unit.
impl Convert for TorqueSplittingParams {
    fn converted(&self, _: &CoordinateConversion) -> Self {
        *self
    }
}

/// The parts of the wheels [front, rear], given their `speeds` (rad/s).
///
/// An axle or a wheel that turns faster than the other by more than the bias gets less than its
/// share of the torque, and the other more. Wheels that stand, or turn against each other, get
/// their shares. All four wheels are connected, also those of an axle that is not driven.
pub fn torque_splitting_shares(
    params: &TorqueSplittingParams,
    speeds: [Real; 4],
) -> [WheelShare; 4] {
    let weights = params.static_shares();
    let torques = params.split_by_speed(speeds).unwrap_or(weights);
    std::array::from_fn(|index| WheelShare {
        torque: torques[index],
        speed: weights[index],
        is_connected: true,
    })
}

/// Whether all `speeds` have one sign and none is 0.
fn turn_alike(speeds: &[Real]) -> bool {
    speeds.first().is_some_and(|&first| {
        first != 0.0 && speeds.iter().all(|&speed| sign(speed) == sign(first))
    })
}

/// The shares of two wheels or axles, of which the first gets `share` at equal speeds.
///
/// ```text
/// d = max(0, (faster - bias slower) / faster)
/// f = share of the faster (1 - d),  s = share of the slower (1 + d)
/// ```
///
/// divided by their sum.
fn split(speeds: [Real; 2], bias: Real, share: Real) -> [Real; 2] {
    let [first, second] = speeds.map(Real::abs);
    let (faster, slower) = (first.max(second), first.min(second));
    let excess = faster - bias * slower;
    let shift = if 0.0 < excess { excess / faster } else { 0.0 };
    let shift = if second <= first { shift } else { -shift };
    let [of_first, of_second] = [share * (1.0 - shift), (1.0 - share) * (1.0 + shift)];
    let sum = of_first + of_second;
    // All torque to a wheel, which is infinitely faster than the other.
    if sum == 0.0 {
        return [share, 1.0 - share];
    }
    [of_first / sum, of_second / sum]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differential(driven: DrivenWheels) -> TorqueSplittingParams {
        TorqueSplittingParams {
            driven,
            front: [0, 1],
            rear: [2, 3],
            front_share: 0.45,
            first_front_share: 0.5,
            first_rear_share: 0.5,
            center_bias: 1.3,
            front_bias: 1.3,
            rear_bias: 1.3,
        }
    }

    #[test]
    fn torque_ratios_are_the_references() {
        use DrivenWheels::{All, Front, Rear};
        let cases = [
            (All, [5.0, 8.0, 12.0, 9.0], [0.325_711_8, 0.222_855_43, 0.220_073_46, 0.231_359_29]),
            (All, [5.0, -8.0, 12.0, 9.0], [0.225, 0.225, 0.275, 0.275]),
            (Front, [5.0, 8.0, 12.0, 9.0], [0.593_75, 0.406_25, 0.0, 0.0]),
            (Rear, [5.0, 8.0, 12.0, 9.0], [0.0, 0.0, 0.487_499_98, 0.512_5]),
            (All, [10.0; 4], [0.225, 0.225, 0.275, 0.275]),
            (All, [0.0, 8.0, 12.0, 9.0], [0.225, 0.225, 0.275, 0.275]),
        ];
        for (driven, speeds, expected) in cases {
            let shares = torque_splitting_shares(&differential(driven), speeds);
            for (share, expected) in shares.iter().zip(expected) {
                let error = (share.torque - expected).abs();
                assert!(error < 2e-7, "{driven:?}, {speeds:?}: {shares:?}, not {expected}");
                assert!(share.is_connected);
            }
        }
    }

    #[test]
    fn speeds_are_weighted_by_the_shares_at_equal_speeds() {
        let shares =
            torque_splitting_shares(&differential(DrivenWheels::All), [5.0, 8.0, 12.0, 9.0]);
        assert_eq!(shares.map(|share| share.speed), [0.225, 0.225, 0.275, 0.275]);
    }

    #[test]
    fn wheel_with_all_torque_keeps_it() {
        assert_eq!(split([1e30, 1e-30], 1.3, 1.0), [1.0, 0.0]);
        assert_eq!(split([1e-30, 1e30], 1.3, 0.0), [0.0, 1.0]);
    }

    #[test]
    fn bad_splits_are_refused() {
        let message = |params: TorqueSplittingParams| {
            let axles = AxleDescription::new([[0, 1], [2, 3]]).unwrap();
            let mut check = ParamCheck::default();
            params.check(&mut check, &axles);
            check.finish().map_or_else(|error| error.to_string(), |()| "good".to_owned())
        };
        let good = differential(DrivenWheels::All);
        let cases = [
            (good, "good"),
            (
                TorqueSplittingParams { front: [0, 2], rear: [1, 3], ..good },
                "front must be two wheels of one axle, got 0 and 2; \
                 rear must be two wheels of one axle, got 1 and 3",
            ),
            (
                TorqueSplittingParams { front_share: 1.5, rear_bias: 0.5, ..good },
                "front_share must be within [0, 1], got 1.5; \
                 rear_bias must be at least 1 and finite, got 0.5",
            ),
        ];
        for (params, expected) in cases {
            assert_eq!(message(params), expected);
        }
    }
}
