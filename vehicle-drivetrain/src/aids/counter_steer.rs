//! Counter-steer assist: turns the front wheels into a slide.
//!
//! ```text
//! δ_a = s f(v) ( G dead(α, α_0) - T_r (r - r_ref) [α_0 < |α|] )
//! ```
//!
//! with the slip angle `α` of the unsteered wheels, the yaw rate `r` and that of the driver's
//! steering `r_ref`. The share `f` grows from 0 at 3 m/s to 1 at 8 m/s. The angle follows at the
//! rate of a real steering. The part of `G` is at most `α`. Wheels that are turned beyond the
//! motion throw the car to the other side when they grip, faster than they can be turned back. The
//! gain alone does not hold a slide at such a rate: it takes the damping `T_r`. Steered wheels are
//! left out of `α`: they contain `-δ`, which would make a loop.
//!
//! It helps forward, on the road.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::{Clamped, Real, atan2};
use vehicle_core::wheel_list::WheelVec;

use super::signals::{AidSignals, beyond, calm_slope};
use super::vehicle::{AidVehicle, AidWheel};
use super::yaw_reference::YawReference;

/// Speeds at which it begins to act and fully acts (m/s).
const FADE: (Real, Real) = (3.0, 8.0);

/// Parameters of the counter-steer assist.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct CounterSteerParams {
    /// Share of the angle, in [0, 1]: at 0 it does nothing.
    pub strength: Real,
    /// Steer angle per slip angle, in [0, 2] (dimensionless).
    pub gain: Real,
    /// Slip angle that is left to the driver, in [0, 0.5] (rad).
    pub tolerance: Real,
    /// Steer angle against the excess of yaw rate, in [0, 0.5] (s).
    pub damping_time: Real,
    /// Fastest change of the angle, above 0 and at most 10 (rad/s).
    pub rate: Real,
}

impl Default for CounterSteerParams {
    fn default() -> Self {
        Self {
            strength: 1.0,
            gain: 1.0,
            tolerance: 3.0_f32.to_radians(),
            damping_time: 0.15,
            rate: 35.0_f32.to_radians(),
        }
    }
}

impl CounterSteerParams {
    /// Checks the parameters.
    pub fn check(&self, check: &mut ParamCheck) {
        check.number("strength", self.strength, Bound::Within(0.0, 1.0));
        check.number("gain", self.gain, Bound::Within(0.0, 2.0));
        check.number("tolerance", self.tolerance, Bound::Within(0.0, 0.5));
        check.number("damping_time", self.damping_time, Bound::Within(0.0, 0.5));
        check.number("rate", self.rate, Bound::Within(0.01, 10.0));
    }

    /// The assist of `vehicle`; `None` if it is to do nothing, if no wheels in front are steered,
    /// or if all wheels are.
    pub fn resolved(&self, vehicle: &AidVehicle) -> Option<CounterSteer> {
        let is_all_steered = vehicle.wheels.iter().all(AidWheel::is_steered);
        let can_act = vehicle.is_steered_in_front() && !is_all_steered;
        let position = |wheel: usize| {
            let wheel = &vehicle.wheels[wheel];
            (!wheel.is_steered()).then_some([wheel.forward, wheel.left])
        };
        (self.strength != 0.0 && can_act).then(|| CounterSteer {
            params: *self,
            reference: YawReference::new(vehicle, vehicle.understeer_gradient()),
            calm_slope: calm_slope(self.tolerance),
            unsteered: (0..vehicle.wheels.len()).map(position).collect(),
        })
    }
}

/// The counter-steer assist of a vehicle: [`CounterSteerParams`] with all numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct CounterSteer {
    params: CounterSteerParams,
    reference: YawReference,
    /// Tangent of a slip angle up to which nothing is done.
    calm_slope: Real,
    /// Position of each wheel that is not steered, ahead of and to the left of the center of mass.
    unsteered: WheelVec<Option<[Real; 2]>>,
}

impl CounterSteer {
    /// Fastest change of its angle (rad/s).
    pub fn rate(&self) -> Real {
        self.params.rate
    }

    /// Steer angle that it asks for beside that of the driver, positive to the left (rad).
    pub fn angle(&self, signals: &AidSignals<'_>) -> Real {
        let speed = signals.body.longitudinal_speed;
        let (low, high) = FADE;
        let fade = ((speed - low) / (high - low)).clamped(0.0, 1.0);
        if fade == 0.0 || self.is_calm(signals) {
            return 0.0;
        }
        let slip_angle = self.slip_angle(signals);
        let excess = beyond(slip_angle, self.params.tolerance);
        if excess == 0.0 {
            return 0.0;
        }
        let driver = signals.driver.steer_angle;
        let friction = signals.friction();
        let reference = self.reference.yaw_rate(speed, driver, friction, signals.gravity);
        let damping = self.params.damping_time * (signals.body.yaw_rate - reference);
        let most = slip_angle.abs();
        let turned = (self.params.gain * excess).clamped(-most, most);
        self.params.strength * fade * (turned - damping)
    }

    /// Lateral and longitudinal speed of each unsteered wheel on the road (m/s).
    fn speeds<'a>(&'a self, signals: &'a AidSignals<'_>) -> impl Iterator<Item = [Real; 2]> + 'a {
        let body = &signals.body;
        signals.wheels.iter().zip(&self.unsteered).filter_map(|(wheel, position)| {
            let [forward, left] = position.filter(|_| wheel.is_on_ground)?;
            let lateral = body.lateral_speed + forward * body.yaw_rate;
            Some([lateral, body.longitudinal_speed - left * body.yaw_rate])
        })
    }

    /// Whether no unsteered wheel slides more than it may.
    fn is_calm(&self, signals: &AidSignals<'_>) -> bool {
        self.speeds(signals).all(|[lateral, along]| lateral.abs() < self.calm_slope * along.abs())
    }

    /// Mean slip angle of the unsteered wheels on the road, each weighted by its own (rad).
    fn slip_angle(&self, signals: &AidSignals<'_>) -> Real {
        let (mut sum, mut weights) = (0.0, 0.0);
        for [lateral, longitudinal] in self.speeds(signals) {
            let angle = atan2(lateral, longitudinal.abs());
            sum += angle.abs() * angle;
            weights += angle.abs();
        }
        if 0.0 < weights { sum / weights } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::signals::{BodySignals, DriverSignals, WheelSignals};
    use super::super::vehicle::tests::car;
    use super::*;

    fn angle(params: CounterSteerParams, body: BodySignals) -> Real {
        let wheels =
            [WheelSignals { load: 1.0, friction: 1.0, is_on_ground: true, ..Default::default() };
                4];
        let driver = DriverSignals::default();
        let signals = AidSignals {
            wheels: &wheels,
            body,
            driver,
            drive: Default::default(),
            gravity: 9.81,
            dt: 0.016,
        };
        params.resolved(&car()).unwrap().angle(&signals)
    }

    #[test]
    fn angle_is_that_of_the_slide_and_of_its_rate() {
        let slide = BodySignals {
            longitudinal_speed: 20.0,
            lateral_speed: 20.0 * 0.2_f32.tan(),
            ..Default::default()
        };
        let params = CounterSteerParams { tolerance: 0.05, ..Default::default() };
        let held = angle(params, slide);
        assert!((held - 0.15).abs() < 1e-5, "{held}");
        let mirrored = BodySignals { lateral_speed: -slide.lateral_speed, ..slide };
        assert_eq!(angle(params, mirrored), -held);
        // The rear goes to the left by 1.4 0.5 m/s less than the center.
        let turning = BodySignals { yaw_rate: -0.5, ..slide };
        let expected = 0.75 * atan2(slide.lateral_speed + 0.7, 20.375)
            + 0.25 * atan2(slide.lateral_speed + 0.7, 19.625);
        let damped = angle(params, turning);
        assert!((damped - (expected - 0.05 + 0.15 * 0.5)).abs() < 0.01, "{damped}");
    }

    #[test]
    fn straight_and_slow_and_backward_it_does_nothing() {
        let slide = BodySignals { lateral_speed: 2.0, ..Default::default() };
        let params = CounterSteerParams::default();
        for longitudinal_speed in [2.9, -20.0] {
            assert_eq!(angle(params, BodySignals { longitudinal_speed, ..slide }), 0.0);
        }
        let straight =
            BodySignals { longitudinal_speed: 30.0, yaw_rate: 0.02, ..Default::default() };
        assert_eq!(angle(params, straight), 0.0);
        let none = CounterSteerParams { strength: 0.0, ..params };
        assert_eq!(none.resolved(&car()), None);
    }
}
