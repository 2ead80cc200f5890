//! One axis of an input device: dead zone, curve, and how fast it may move.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::{Clamped, Real, power};

use crate::pacing::{approached, lag_share};

/// Speed at which a key turns the steering wheel half as fast as at rest (m/s).
const KEY_SPEED: Real = 25.0;

/// How the value of an axis follows what the device says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AxisFilter {
    /// A key, which knows only all or nothing: the value moves at a rate. A tap that is shorter
    /// than the way to 1 gives a part of it.
    Keys {
        /// Rate away from 0 (1/s).
        press: Real,
        /// Rate back to 0 (1/s).
        release: Real,
        /// Rate back to 0 while the opposite key is down (1/s).
        reversal: Real,
        /// Speed of the vehicle at which keys are pressed in half as fast as at rest (m/s). `None`:
        /// as fast at any speed.
        half_speed: Option<Real>,
    },
    /// A stick or a trigger, which thumbs throw about: a lag, then a largest rate.
    Stick {
        /// Time constant of the lag (s).
        lag: Real,
        /// Largest rate (1/s).
        rate: Real,
    },
    /// A steering wheel or a pedal: the value is what the device says.
    Direct,
}

/// An axis of an input device.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AxisParams {
    /// Part of the way around the middle that counts as the middle, in [0, 0.9]; the rest is
    /// stretched to the whole.
    pub dead_zone: Real,
    /// Exponent of the curve, in [0.2, 5]: above 1 the axis is fine around the middle.
    pub exponent: Real,
    /// How the value follows.
    pub filter: AxisFilter,
}

/// Where an axis is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AxisState {
    /// The value behind the lag of a stick, in [-1, 1].
    pub lagged: Real,
    /// The value, in [-1, 1].
    pub value: Real,
}

impl AxisParams {
    /// Keys that steer: 0.4 s to the lock at rest.
    pub const STEERING_KEYS: Self = Self::keys(2.5, 4.0, 6.0, Some(KEY_SPEED));
    /// A key as accelerator pedal.
    pub const THROTTLE_KEY: Self = Self::keys(4.0, 8.0, 8.0, None);
    /// A key as brake pedal.
    pub const BRAKE_KEY: Self = Self::keys(5.0, 10.0, 10.0, None);
    /// A stick that steers.
    pub const STEERING_STICK: Self =
        Self { dead_zone: 0.1, exponent: 1.8, filter: AxisFilter::Stick { lag: 0.04, rate: 6.0 } };
    /// A trigger as a pedal.
    pub const TRIGGER: Self =
        Self { dead_zone: 0.05, exponent: 1.0, filter: AxisFilter::Stick { lag: 0.04, rate: 6.0 } };
    /// A steering wheel.
    pub const WHEEL: Self = Self { dead_zone: 0.0, exponent: 1.0, filter: AxisFilter::Direct };
    /// A pedal, whose potentiometer is not quite at its end.
    pub const PEDAL: Self = Self { dead_zone: 0.02, ..Self::WHEEL };

    const fn keys(press: Real, release: Real, reversal: Real, half_speed: Option<Real>) -> Self {
        let filter = AxisFilter::Keys { press, release, reversal, half_speed };
        Self { dead_zone: 0.0, exponent: 1.0, filter }
    }

    /// The value that a `target` of the device, in [-1, 1], is worth, before it is filtered.
    ///
    /// ```text
    /// x = sgn(t) ((|t| - z)/(1 - z))^γ
    /// ```
    pub fn shaped(&self, target: Real) -> Real {
        let way = ((target.abs() - self.dead_zone) / (1.0 - self.dead_zone)).clamped(0.0, 1.0);
        power(way, self.exponent).copysign(target)
    }
}

impl AxisState {
    /// The axis after a step of `dt` (s) towards a `target` of the device, in [-1, 1], in a vehicle
    /// of this `speed` (m/s). A step does not go beyond the target.
    ///
    /// ```text
    /// keys:  x' = p/(1 + v/v_k) away from 0, r back to it, c with the opposite key
    /// stick: y → t with 1 - exp(-dt/τ),   |x'| ≤ rate towards y
    /// ```
    pub fn update(&mut self, params: &AxisParams, target: Real, speed: Real, dt: Real) -> Real {
        let target = params.shaped(target);
        match params.filter {
            AxisFilter::Keys { press, release, reversal, half_speed } => {
                let slower = half_speed.map_or(1.0, |half| 1.0 + speed.abs() / half);
                let back = if self.value * target < 0.0 { reversal } else { release };
                self.value = pressed(self.value, target, [press / slower, back], dt);
                self.lagged = self.value;
            }
            AxisFilter::Stick { lag, rate } => {
                self.lagged += (target - self.lagged) * lag_share(dt, lag);
                self.value = approached(self.value, self.lagged, rate * dt);
            }
            AxisFilter::Direct => (self.lagged, self.value) = (target, target),
        }
        self.value
    }
}

/// `value` after `dt` (s). It goes back to 0 or to a target on the way there at one rate, and with
/// what is left of the time away from 0 at the other.
fn pressed(value: Real, target: Real, [away, back]: [Real; 2], dt: Real) -> Real {
    let is_across = value * target < 0.0;
    let is_less = target.abs() < value.abs();
    if !is_across && !is_less {
        return approached(value, target, away * dt);
    }
    let turn = if is_across { 0.0 } else { target };
    let needed = (value - turn).abs();
    if back * dt < needed || back <= 0.0 {
        return approached(value, turn, back * dt);
    }
    approached(turn, target, away * (dt - needed / back))
}

impl Validate for AxisParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("dead_zone", self.dead_zone, Bound::Within(0.0, 0.9));
        check.number("exponent", self.exponent, Bound::Within(0.2, 5.0));
        check.field("filter", |inner| match self.filter {
            AxisFilter::Keys { press, release, reversal, half_speed } => {
                inner.number("press", press, Bound::Positive);
                inner.number("release", release, Bound::Positive);
                inner.number("reversal", reversal, Bound::Positive);
                if let Some(speed) = half_speed {
                    inner.number("half_speed", speed, Bound::Positive);
                }
            }
            AxisFilter::Stick { lag, rate } => {
                inner.number("lag", lag, Bound::NotNegative);
                inner.number("rate", rate, Bound::Positive);
            }
            AxisFilter::Direct => {}
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: [Real; 4] = [30.0, 60.0, 144.0, 240.0];

    /// What the axis comes to at 30 times per second, if it is updated `rate` times per second by
    /// what the device says at a time (s).
    fn values(params: &AxisParams, rate: Real, target: impl Fn(Real) -> Real) -> Vec<Real> {
        let mut state = AxisState::default();
        let (mut values, mut next) = (Vec::new(), 1.0 / 30.0);
        for step in 0..(2.0 * rate) as u32 {
            let time = step as Real / rate;
            state.update(params, target(time), 10.0, 1.0 / rate);
            if next <= time + 1.001 / rate {
                values.push(state.value);
                next += 1.0 / 30.0;
            }
        }
        values
    }

    #[test]
    fn dead_zone_is_the_middle_and_the_rest_is_stretched() {
        let stick = AxisParams { exponent: 2.0, ..AxisParams::STEERING_STICK };
        for (target, expected) in [(0.05, 0.0), (-0.1, 0.0), (0.55, 0.25), (-1.0, -1.0)] {
            let value: Real = stick.shaped(target);
            assert!((value - expected).abs() < 1e-6, "{target}: {value}, expected {expected}");
        }
    }

    #[test]
    fn steps_taps_and_reversals_agree_at_all_rates() {
        let devices = [AxisParams::STEERING_KEYS, AxisParams::STEERING_STICK, AxisParams::WHEEL];
        let step = |_: Real| 1.0;
        let tap = |time: Real| if time < 0.0999 { 1.0 } else { 0.0 };
        let reversal = |time: Real| if time < 0.4999 { 1.0 } else { -1.0 };
        let targets: [(&str, &dyn Fn(Real) -> Real); 3] =
            [("step", &step), ("tap", &tap), ("reversal", &reversal)];
        for params in &devices {
            let rate = match params.filter {
                AxisFilter::Keys { reversal, .. } => reversal,
                AxisFilter::Stick { rate, .. } => rate,
                AxisFilter::Direct => 0.0,
            };
            for (name, target) in &targets {
                let expected = values(params, 240.0, target);
                for frames in RATES {
                    let found = values(params, frames, target);
                    assert_eq!(found.len(), expected.len());
                    // A device that jumps within a frame is seen up to a frame later.
                    let bound = rate / frames + 0.02;
                    for (index, (one, other)) in found.iter().zip(&expected).enumerate() {
                        let error = (one - other).abs();
                        assert!(
                            error <= bound,
                            "{name} of {params:?} at {frames} Hz, sample {index}: {one}, {other}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_target_that_is_reached_is_held_to_the_bit() {
        for params in [AxisParams::STEERING_KEYS, AxisParams::TRIGGER, AxisParams::PEDAL] {
            let mut state = AxisState { lagged: 0.5, value: 0.5 };
            let target = params.dead_zone + 0.5 * (1.0 - params.dead_zone);
            for _ in 0..3_000 {
                state.update(&params, target, 0.0, 0.01);
            }
            let before = state;
            state.update(&params, target, 0.0, 0.01);
            assert_eq!(state, before, "{params:?}");
        }
    }

    #[test]
    fn the_opposite_key_comes_back_through_zero_faster_and_goes_on_at_the_rate_of_a_press() {
        let params = AxisParams::STEERING_KEYS;
        let mut state = AxisState { lagged: 0.6, value: 0.6 };
        // 0.1 s back to 0 at 6/s, 0.1 s on at 2.5/s.
        let value = state.update(&params, -1.0, 0.0, 0.2);
        assert!((value + 0.25).abs() < 1e-6, "{value}");
        let mut fast = AxisState::default();
        let value = fast.update(&params, 1.0, KEY_SPEED, 0.2);
        assert!((value - 0.25).abs() < 1e-6, "half as fast at {KEY_SPEED} m/s: {value}");
    }

    #[test]
    fn a_step_does_not_go_beyond_its_target() {
        for params in [AxisParams::STEERING_KEYS, AxisParams::STEERING_STICK] {
            for target in [-0.7, 0.0, 0.4] {
                let mut state = AxisState { lagged: 0.9, value: 0.9 };
                let wanted = params.shaped(target);
                for _ in 0..20 {
                    let value = state.update(&params, target, 0.0, 0.5);
                    assert!(wanted <= value, "{target} of {params:?}: {value}");
                }
                assert!((state.value - wanted).abs() < 1e-4, "{target} of {params:?}: {state:?}");
            }
        }
    }

    #[test]
    fn faults_of_an_axis_are_named() {
        let filter =
            AxisFilter::Keys { press: 0.0, release: 1.0, reversal: -2.0, half_speed: None };
        let axis = AxisParams { dead_zone: 1.0, exponent: Real::NAN, filter };
        assert_eq!(
            axis.validate().unwrap_err().to_string(),
            "dead_zone must be within [0, 0.9], got 1; exponent must be within [0.2, 5], got NaN; \
             filter.press must be positive and finite, got 0; \
             filter.reversal must be positive and finite, got -2"
        );
    }
}
