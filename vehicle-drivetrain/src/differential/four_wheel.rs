//! A differential for four wheels with constant shares, and with limited slip between them.

use serde::{Deserialize, Serialize};
use vehicle_core::AxleDescription;
use vehicle_core::convert::Convert;
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::implicit_clutch::FrictionCouplers;

use super::limited_slip::LimitedSlips;
use super::torque_bias::{TorqueBiasParams, TorqueBiases};
use super::{MultiWheelDifferentialParams, check_axle_pairs, is_connected};

/// An open differential with limited slip between four wheels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FourWheelDifferentialParams {
    /// Shares of all wheels.
    pub shares: MultiWheelDifferentialParams,
    /// The front wheels.
    pub front: [usize; 2],
    /// The rear wheels.
    pub rear: [usize; 2],
    /// Where slip is limited.
    #[serde(default)]
    pub limited_slip: LimitedSlips,
    /// Where friction biases torque.
    #[serde(default)]
    pub torque_bias: TorqueBiases,
}

impl FourWheelDifferentialParams {
    /// The wheels in the order of [`limited_slip_groups`](super::limited_slip_groups): front, rear.
    pub fn wheels(&self) -> [usize; 4] {
        let ([first, second], [third, fourth]) = (self.front, self.rear);
        [first, second, third, fourth]
    }

    /// The friction between wheels, of which those with a bit in `connected` are connected.
    pub(crate) fn couplers(&self, connected: u64) -> FrictionCouplers {
        let TorqueBiases { front, rear } = self.torque_bias;
        if front.is_none() && rear.is_none() {
            return FrictionCouplers::new();
        }
        let axles = [(self.front, front), (self.rear, rear)];
        let coupler = |(wheels, bias): ([usize; 2], Option<TorqueBiasParams>)| {
            let bias = bias?;
            let share = |wheel: usize| self.shares.torque_ratios.get(wheel).copied().unwrap_or(0.0);
            let acts = wheels.iter().all(|&wheel| is_connected(connected, wheel));
            acts.then(|| bias.coupler(wheels, wheels.map(share)))
        };
        axles.into_iter().filter_map(coupler).collect()
    }

    /// Checks the parameters of a vehicle with `axles`.
    ///
    /// Where slip is limited, all wheels concerned must be driven.
    pub fn check(&self, check: &mut ParamCheck, axles: &AxleDescription) {
        let count = axles.wheel_count();
        check.field("shares", |inner| self.shares.check(inner, count));
        check_axle_pairs(check, self.front, self.rear, count);
        let LimitedSlips { center, front, rear, .. } = &self.limited_slip;
        let TorqueBiases { front: front_bias, rear: rear_bias } = &self.torque_bias;
        let is_limited = |slip: bool, bias: bool| slip || center.is_some() || bias;
        let is_front_limited = is_limited(front.is_some(), front_bias.is_some());
        let is_rear_limited = is_limited(rear.is_some(), rear_bias.is_some());
        self.check_driven(check, "front", self.front, is_front_limited);
        self.check_driven(check, "rear", self.rear, is_rear_limited);
        check.field("limited_slip", |inner| self.limited_slip.check(inner));
        check.field("torque_bias", |inner| self.torque_bias.check(inner));
    }

    fn check_driven(
        &self,
        check: &mut ParamCheck,
        name: &str,
        wheels: [usize; 2],
        is_limited: bool,
    ) {
        let ratio = |wheel: usize| self.shares.torque_ratios.get(wheel).copied();
        let is_driven = |wheel: usize| ratio(wheel).is_none_or(|ratio| 0.0 < ratio);
        for (index, &wheel) in wheels.iter().enumerate().filter(|_| is_limited) {
            let requirement = "a wheel that is driven forward, because its slip is limited";
            check.require(format_args!("{name}[{index}]"), is_driven(wheel), requirement, wheel);
        }
    }
}

/// Ratios and rates have no length in them, but torques have.
impl Convert for FourWheelDifferentialParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self { torque_bias: self.torque_bias.converted(conversion), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::differential::LimitedSlipParams;

    fn differential() -> FourWheelDifferentialParams {
        let slip = Some(LimitedSlipParams { bias: 1.3, target: 1.29 });
        FourWheelDifferentialParams {
            shares: MultiWheelDifferentialParams::equal(4, &[0, 1, 2, 3]),
            front: [0, 1],
            rear: [2, 3],
            limited_slip: LimitedSlips {
                center: slip,
                front: slip,
                rear: slip,
                rate: Some(10.0),
                min_speed: 0.0,
            },
            torque_bias: TorqueBiases::default(),
        }
    }

    fn message(params: &FourWheelDifferentialParams) -> String {
        let axles = AxleDescription::new([[0, 1], [2, 3]]).unwrap();
        let mut check = ParamCheck::default();
        params.check(&mut check, &axles);
        check.finish().map_or_else(|error| error.to_string(), |()| "good".to_owned())
    }

    #[test]
    fn bad_limited_slips_are_refused() {
        let good = differential();
        let center = |bias, target| {
            let slip = Some(LimitedSlipParams { bias, target });
            let limited_slip = LimitedSlips { center: slip, ..good.limited_slip };
            FourWheelDifferentialParams { limited_slip, ..good.clone() }
        };
        let cases = [
            (good.clone(), "good"),
            (center(1.0, 1.0), "good"),
            (
                center(0.5, 1.0),
                "limited_slip.center.bias must be at least 1 and finite, got 0.5; \
                 limited_slip.center.target must be within [1, 0.5], got 1",
            ),
            (center(1.5, 2.0), "limited_slip.center.target must be within [1, 1.5], got 2"),
            (
                FourWheelDifferentialParams {
                    limited_slip: LimitedSlips { rate: Some(-1.0), ..good.limited_slip },
                    ..good.clone()
                },
                "limited_slip.rate must be finite and not negative, got -1",
            ),
            (
                FourWheelDifferentialParams { front: [0, 0], rear: [0, 7], ..good.clone() },
                "front[1] must be another wheel than those before it, got 0; \
                 rear[1] must be a wheel below 4, got 7; rear[0] must be no front wheel, got 0",
            ),
            (
                FourWheelDifferentialParams {
                    shares: MultiWheelDifferentialParams::equal(4, &[2, 3]),
                    limited_slip: LimitedSlips { center: None, ..good.limited_slip },
                    ..good.clone()
                },
                "front[0] must be a wheel that is driven forward, because its slip is limited, got 0; \
                 front[1] must be a wheel that is driven forward, because its slip is limited, got 1",
            ),
            (
                FourWheelDifferentialParams {
                    shares: MultiWheelDifferentialParams::equal(4, &[2, 3]),
                    limited_slip: LimitedSlips { front: None, ..good.limited_slip },
                    ..good.clone()
                },
                "front[0] must be a wheel that is driven forward, because its slip is limited, got 0; \
                 front[1] must be a wheel that is driven forward, because its slip is limited, got 1",
            ),
        ];
        for (params, expected) in cases {
            assert_eq!(message(&params), expected);
        }
    }

    #[test]
    fn missing_fields_mean_an_open_differential() {
        let text = r#"{
            "shares": {"torque_ratios": [0, 0, 0.5, 0.5], "speed_ratios": [0, 0, 0.5, 0.5]},
            "front": [0, 1], "rear": [2, 3]
        }"#;
        let params: FourWheelDifferentialParams = serde_json::from_str(text).unwrap();
        assert_eq!(params.limited_slip, LimitedSlips::default());
        assert_eq!(message(&params), "good");
    }
}
