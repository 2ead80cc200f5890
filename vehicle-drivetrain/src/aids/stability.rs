//! Stability control: brakes single wheels so that a car turns as its driver asks.
//!
//! ```text
//! M = - k_r dead(e, e_0) + k_β dead(β_s, β_0)
//! ```
//!
//! with the excess `e` of the yaw rate `r` and the slide `β_s`.
//!
//! The excess is that over what the driver asks for, its [reference](super::yaw_reference) within
//! all of the friction. The lack is that below what he may expect of it. So a car that turns as
//! fast as its tires can does well. With the yaw rate `r_f` of a share of the friction, he may
//! expect `r_ref / √(1 + (r_ref/r_f)²)`, as tires give less and less. Below 20 m/s `e_0` grows as
//! `1/v`, so that it is of the same lateral acceleration.
//!
//! A lack is one of grip: it counts as far as the front wheels slide. It comes in around the slip
//! angle `0.8 μ N/C`, with their cornering stiffness `C` and load `N` at rest. Below it the driver
//! turns more as soon as he steers more, and to lift his throttle would take speed for nothing.
//!
//! The slide is the slip angle of the body or that of its rear axle, whichever is the smaller, and
//! 0 where they are of two sides. In a narrow bend the body points outward without sliding.
//!
//! A moment against the rotation (oversteer) brakes the outer front wheel, one with it (understeer)
//! the inner rear wheel, with `B = |M| R / (T/2)` at the track `T`. Half of what a wheel cannot
//! give goes to the other wheel of its side.
//!
//! Torque vectoring by motors gives the car an understeer gradient of its own. Its reference is
//! what the driver asks for, if it is the larger one.
//!
//! Nothing is done below 4 m/s, in reverse, with the hand brake pulled and with fewer than half of
//! the wheels on the road. From there to 6 m/s the moment comes in. Both speeds of a vehicle
//! smaller than a car are less, by the square root of its wheelbase over 2.6 m.
//!
//! Source: after van Zanten, *VDC, the vehicle dynamics control system*, SAE 950759.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::{Clamped, Real, atan2};
use vehicle_core::wheel_list::WheelVec;

use super::requests::WheelRequest;
use super::signals::{AidSignals, beyond, calm_slope};
use super::vehicle::{AidVehicle, WheelPair};
use super::yaw_reference::YawReference;
use crate::pacing::{faded_in, pace_of};

/// Speed around which it comes in, of a usual car (m/s).
const LEAST_SPEED: Real = 5.0;
/// Speed from which on the tolerance of yaw rates is what it is said to be (m/s).
const TOLERANCE_SPEED: Real = 20.0;
/// Gains per moment of inertia about the vertical (1/s, 1/s²).
const YAW_RATE_GAIN: Real = 10.0;
const SLIP_ANGLE_GAIN: Real = 24.0;
/// Brake torque of a wheel per torque of its friction: more locks it, which anti-lock brakes
/// prevent.
const FRICTION_RESERVE: Real = 1.2;
/// How much later it acts in sport (dimensionless).
const SPORT_FACTOR: Real = 3.0;
/// Slip angle from which on the engine is cut in sport (rad).
const SPORT_CUT_ANGLE: Real = 0.35;
/// Slip angle of front wheels around which they slide, by that at which a tire as stiff as at no
/// slip would have all of its friction (dimensionless).
const SLIDING_SHARE: Real = 0.8;
/// Least friction by which slip angles are judged (dimensionless).
const LEAST_FRICTION: Real = 0.01;
/// Share of what a wheel cannot give that the other wheel of its side gives (dimensionless).
const SPILLED_SHARE: Real = 0.5;

/// How early stability control acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StabilityMode {
    /// Stability control acts as soon as the car leaves the way that its driver asks for.
    #[default]
    On,
    /// Three times later, and without a cut of the engine up to a slip angle of 0.35 rad.
    Sport,
}

/// Parameters of stability control. Numbers that are absent are taken from the vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct StabilityParams {
    /// Share of the moment, in [0, 1]: at 0 it does nothing.
    pub strength: Real,
    /// How early it acts.
    pub mode: StabilityMode,
    /// Understeer gradient of the reference, in [0, 0.1] (rad·s²/m). Else that of the vehicle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub understeer_gradient: Option<Real>,
    /// Moment per excess of yaw rate (N·m·s/rad), at most 40 moments of inertia per second. Else 10
    /// of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yaw_rate_gain: Option<Real>,
    /// Moment per excess of slip angle (N·m/rad), at most 100 moments of inertia per second
    /// squared. Else 24 of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slip_angle_gain: Option<Real>,
    /// Difference of yaw rates that is allowed from 20 m/s on, in [0.01, 0.3] (rad/s); below, it is
    /// larger as the speed is smaller. It halves while the control acts.
    pub yaw_rate_tolerance: Real,
    /// Slip angle that is allowed, in [0.03, 0.5] (rad).
    pub slip_angle_tolerance: Real,
    /// Share of the friction that a driver may expect a turn to take, in [0.3, 1.2]
    /// (dimensionless): below it the car understeers.
    pub friction_share: Real,
    /// Time in which the reference follows the steering, in [0, 0.5] (s).
    pub reference_time: Real,
    /// Greatest brake torque of a wheel (N·m). Else that of its brake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_brake_torque: Option<Real>,
    /// Moment at which the throttle is closed (N·m). Else what the brake of a front wheel can give,
    /// or that of a rear wheel where there is none in front.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_cut_moment: Option<Real>,
}

impl Default for StabilityParams {
    fn default() -> Self {
        Self {
            strength: 1.0,
            mode: StabilityMode::default(),
            understeer_gradient: None,
            yaw_rate_gain: None,
            slip_angle_gain: None,
            yaw_rate_tolerance: 0.06,
            slip_angle_tolerance: 0.07,
            friction_share: 0.85,
            reference_time: 0.08,
            max_brake_torque: None,
            full_cut_moment: None,
        }
    }
}

impl StabilityParams {
    /// Checks the parameters.
    pub fn check(&self, check: &mut ParamCheck) {
        check.number("strength", self.strength, Bound::Within(0.0, 1.0));
        let optional = [
            ("understeer_gradient", self.understeer_gradient, Bound::Within(0.0, 0.1)),
            ("yaw_rate_gain", self.yaw_rate_gain, Bound::NotNegative),
            ("slip_angle_gain", self.slip_angle_gain, Bound::NotNegative),
            ("max_brake_torque", self.max_brake_torque, Bound::NotNegative),
            ("full_cut_moment", self.full_cut_moment, Bound::Positive),
        ];
        for (name, value, bound) in optional {
            if let Some(value) = value {
                check.number(name, value, bound);
            }
        }
        check.number("yaw_rate_tolerance", self.yaw_rate_tolerance, Bound::Within(0.01, 0.3));
        check.number("slip_angle_tolerance", self.slip_angle_tolerance, Bound::Within(0.03, 0.5));
        check.number("friction_share", self.friction_share, Bound::Within(0.3, 1.2));
        check.number("reference_time", self.reference_time, Bound::Within(0.0, 0.5));
    }

    /// How much later it acts than usual.
    fn later(&self) -> Real {
        if self.mode == StabilityMode::Sport { SPORT_FACTOR } else { 1.0 }
    }

    /// The control of `vehicle`; `None` if it is to do nothing, if no wheel is steered, or if the
    /// vehicle has no axle with two wheels or no brakes.
    pub fn resolved(&self, vehicle: &AidVehicle) -> Option<Stability> {
        if self.strength == 0.0 || !vehicle.is_steered() || !vehicle.has_brakes() {
            return None;
        }
        let pairs = vehicle.pairs();
        let (&front, &rear) = (pairs.first()?, pairs.last()?);
        // A tricycle has wheels beyond its pair.
        let [foremost, rearmost] = vehicle.ends()?;
        let gradient = self.understeer_gradient.unwrap_or_else(|| vehicle.understeer_gradient());
        let inertia = vehicle.yaw_inertia;
        let torque = |wheel: usize| vehicle.wheels[wheel].max_brake_torque;
        let of_pair = |pair: &WheelPair| {
            torque(pair.left) * 0.5 * vehicle.track(pair) / vehicle.wheels[pair.left].radius
        };
        let braked = [front, rear].iter().map(of_pair).find(|&moment| 0.0 < moment);
        let most = |gain: Real, greatest: Real| gain.clamped(0.0, greatest * inertia);
        Some(Stability {
            params: *self,
            reference: YawReference {
                friction_share: self.friction_share.max(1.0),
                time_constant: self.reference_time,
                ..YawReference::new(vehicle, gradient)
            },
            yaw_rate_gain: most(self.yaw_rate_gain.unwrap_or(YAW_RATE_GAIN * inertia), 40.0),
            slip_angle_gain: most(self.slip_angle_gain.unwrap_or(SLIP_ANGLE_GAIN * inertia), 100.0),
            full_cut_moment: self.full_cut_moment.or(braked).unwrap_or(0.0),
            max_brake_torques: vehicle.each(|wheel| {
                self.max_brake_torque
                    .map_or(wheel.max_brake_torque, |most| most.min(wheel.max_brake_torque))
            }),
            radii: vehicle.each(|wheel| wheel.radius),
            tracks: [vehicle.track(&front), vehicle.track(&rear)],
            axles: [front, rear],
            least_speed: LEAST_SPEED * pace_of(vehicle.wheelbase()),
            front_axle: vehicle.wheels[foremost[0]].forward,
            front_steer_share: {
                let [left, right] = foremost.map(|wheel| vehicle.wheels[wheel].steer_share);
                0.5 * (left + right)
            },
            front_stiffness: vehicle.wheels[foremost[0]].stiffness_by_grip(),
            rear_axle: -vehicle.wheels[rearmost[0]].forward,
            calm_slope: calm_slope(self.later() * self.slip_angle_tolerance),
            is_rear_driven: vehicle.wheels.iter().any(|wheel| wheel.is_driven && 0 < wheel.axle),
        })
    }
}

/// Stability control of a vehicle: [`StabilityParams`] with all numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Stability {
    params: StabilityParams,
    reference: YawReference,
    yaw_rate_gain: Real,
    slip_angle_gain: Real,
    full_cut_moment: Real,
    max_brake_torques: WheelVec<Real>,
    radii: WheelVec<Real>,
    /// Foremost and rearmost axle with two wheels, which are braked.
    axles: [WheelPair; 2],
    tracks: [Real; 2],
    /// Speed around which it comes in (m/s).
    least_speed: Real,
    /// Distance of the foremost axle ahead of the center of mass (m).
    front_axle: Real,
    /// Steer angle of its wheels by that of the steering (dimensionless).
    front_steer_share: Real,
    /// Cornering stiffness of the front wheels by their greatest lateral force on a road of
    /// friction 1 (1/rad).
    front_stiffness: Real,
    /// Distance of the rearmost axle behind the center of mass (m).
    rear_axle: Real,
    /// Tangent of a slip angle up to which nothing is done.
    calm_slope: Real,
    is_rear_driven: bool,
}

/// What stability control remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StabilityState {
    /// Yaw rate that the driver asks for, as the vehicle can follow (rad/s).
    pub reference: Real,
    /// Moment that it asks for, positive to the left (N·m); 0 where it does not act.
    pub moment: Real,
}

impl StabilityState {
    /// Whether stability control acts.
    pub fn is_active(&self) -> bool {
        self.moment != 0.0
    }
}

/// What a drift leaves of stability control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriftAllowance {
    /// Slip angle up to which nothing is done (rad).
    pub max_slip_angle: Real,
}

impl Stability {
    /// Writes the brake torques of this frame into `requests`, one per wheel. Returns the limit of
    /// the throttle, in [0, 1], if there is one.
    ///
    /// While the vehicle drifts by its driver's wish, `drift` leaves only what keeps it from
    /// spinning. Where torque vectoring makes the vehicle turn more, `vectored` is the yaw rate
    /// that it aims at (rad/s), which is not too much.
    pub fn demand(
        &self,
        state: &mut StabilityState,
        signals: &AidSignals<'_>,
        drift: Option<DriftAllowance>,
        vectored: Option<Real>,
        requests: &mut [WheelRequest],
    ) -> Option<Real> {
        for request in requests.iter_mut() {
            request.stability = 0.0;
        }
        self.demand_on(signals.friction(), state, signals, (drift, vectored), requests)
    }

    /// Adds the brake torques of this frame to `requests` that ask for none, on a road of this mean
    /// `friction`. Returns the limit of the throttle as [`demand`](Self::demand) does.
    pub(crate) fn demand_on(
        &self,
        friction: Real,
        state: &mut StabilityState,
        signals: &AidSignals<'_>,
        (drift, vectored): (Option<DriftAllowance>, Option<Real>),
        requests: &mut [WheelRequest],
    ) -> Option<Real> {
        state.reference = self.reference.advanced_on(state.reference, signals, friction);
        let share = self.share(signals);
        state.moment = if 0.0 < share {
            let moment = self.moment(state, signals, friction, (drift, vectored));
            self.params.strength * share * moment
        } else {
            0.0
        };
        if state.moment == 0.0 {
            return None;
        }
        let is_oversteer = state.moment * signals.body.yaw_rate < 0.0;
        let axle = usize::from(!is_oversteer);
        let side = usize::from(state.moment < 0.0);
        let [wheel, other] = [axle, 1 - axle].map(|axle| self.axles[axle].wheels()[side]);
        let wanted = state.moment.abs() * self.radii[wheel] / (0.5 * self.tracks[axle]);
        let torque = wanted.min(self.greatest(wheel, signals));
        requests[wheel].stability = torque;
        if other != wheel {
            let spilled = SPILLED_SHARE * (wanted - torque);
            requests[other].stability = spilled.min(self.greatest(other, signals));
        }
        self.throttle_limit(state.moment, is_oversteer, signals, drift)
    }

    /// Part of its moment that it may ask for, in [0, 1].
    fn share(&self, signals: &AidSignals<'_>) -> Real {
        let on_ground = signals.wheels.iter().filter(|wheel| wheel.is_on_ground).count();
        let may_act =
            !signals.driver.is_hand_brake_pulled() && signals.wheels.len() <= 2 * on_ground;
        if may_act { faded_in(signals.body.longitudinal_speed, self.least_speed) } else { 0.0 }
    }

    fn moment(
        &self,
        state: &StabilityState,
        signals: &AidSignals<'_>,
        friction: Real,
        (drift, vectored): (Option<DriftAllowance>, Option<Real>),
    ) -> Real {
        if let Some(drift) = drift {
            let slip_angle = signals.body.slip_angle();
            return self.slip_angle_gain * beyond(slip_angle, drift.max_slip_angle);
        }
        let later = self.params.later();
        let earlier = if state.is_active() { 0.5 } else { 1.0 };
        let slower =
            (TOLERANCE_SPEED / signals.body.longitudinal_speed.max(self.least_speed)).max(1.0);
        let tolerance = later * earlier * slower * self.params.yaw_rate_tolerance;
        // What the driver asks for is never too much or too little itself.
        let error = if (signals.body.yaw_rate - state.reference).abs() <= tolerance {
            0.0
        } else {
            beyond(self.yaw_rate_error(state, signals, friction, vectored), tolerance)
        };
        let slide = if self.is_calm(signals) {
            0.0
        } else {
            beyond(self.slide(signals), later * self.params.slip_angle_tolerance)
        };
        self.slip_angle_gain * slide - self.yaw_rate_gain * error
    }

    /// By how much the yaw rate is beyond what the driver asks for, or falls short of what he may
    /// expect of the road (rad/s). It has the sign of the turn that is too much.
    fn yaw_rate_error(
        &self,
        state: &StabilityState,
        signals: &AidSignals<'_>,
        friction: Real,
        vectored: Option<Real>,
    ) -> Real {
        let share = self.params.friction_share / self.reference.friction_share;
        let speed = signals.body.longitudinal_speed;
        let greatest = share * self.reference.greatest_yaw_rate(speed, friction, signals.gravity);
        let expected = YawReference::expected(state.reference, greatest);
        let yaw_rate = signals.body.yaw_rate;
        let lacks = (expected - yaw_rate) * state.reference;
        let ploughing = || self.ploughing(state.reference, signals, friction);
        let expected = if 0.0 < lacks { expected * ploughing() } else { expected };
        let more = vectored.filter(|vectored| 0.0 < vectored * state.reference);
        let most = match more {
            Some(more) if state.reference.abs() < more.abs() => more,
            _ => state.reference,
        };
        let (low, high) = (expected.min(most), expected.max(most));
        yaw_rate - yaw_rate.clamped(low, high)
    }

    /// How far the front wheels slide out of a turn of the yaw rate `reference` (rad/s), in [0, 1],
    /// by the angle that the driver steers them by now.
    fn ploughing(&self, reference: Real, signals: &AidSignals<'_>, friction: Real) -> Real {
        let body = &signals.body;
        let lateral = body.lateral_speed + self.front_axle * body.yaw_rate;
        let speed = body.longitudinal_speed.abs().max(self.least_speed);
        let slip_angle = self.front_steer_share * signals.driver.steer_angle - lateral / speed;
        let into_turn = if reference < 0.0 { -slip_angle } else { slip_angle };
        let slides = SLIDING_SHARE * friction.max(LEAST_FRICTION);
        faded_in(into_turn * self.front_stiffness, slides)
    }

    /// Whether the car slides less than it may.
    fn is_calm(&self, signals: &AidSignals<'_>) -> bool {
        let body = &signals.body;
        let rear = body.lateral_speed - self.rear_axle * body.yaw_rate;
        body.lateral_speed.abs().min(rear.abs()) < self.calm_slope * body.longitudinal_speed.abs()
    }

    /// Slip angle of the body as far as it slides (rad).
    fn slide(&self, signals: &AidSignals<'_>) -> Real {
        let body = &signals.body;
        let lateral = body.lateral_speed - self.rear_axle * body.yaw_rate;
        let (of_body, of_rear) = (body.slip_angle(), atan2(lateral, body.longitudinal_speed.abs()));
        match of_body * of_rear {
            product if product <= 0.0 => 0.0,
            _ if of_body.abs() < of_rear.abs() => of_body,
            _ => of_rear,
        }
    }

    /// Greatest brake torque of `wheel` that stability control asks for (N·m).
    fn greatest(&self, wheel: usize, signals: &AidSignals<'_>) -> Real {
        let road = &signals.wheels[wheel];
        let grip = FRICTION_RESERVE * road.friction * road.load * self.radii[wheel];
        self.max_brake_torques[wheel].min(grip).max(0.0)
    }

    fn throttle_limit(
        &self,
        moment: Real,
        is_oversteer: bool,
        signals: &AidSignals<'_>,
        drift: Option<DriftAllowance>,
    ) -> Option<Real> {
        let is_late = drift.is_some() || self.params.mode == StabilityMode::Sport;
        let is_spared = is_late && signals.body.slip_angle().abs() < SPORT_CUT_ANGLE;
        let is_cut = (!is_oversteer || self.is_rear_driven) && !is_spared;
        let is_closed = self.full_cut_moment <= moment.abs();
        is_cut.then(|| if is_closed { 0.0 } else { 1.0 - moment.abs() / self.full_cut_moment })
    }
}
