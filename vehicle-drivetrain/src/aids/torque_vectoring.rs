//! Torque vectoring: moves drive torque between the sides of an axle so that a car turns as its
//! driver asks.
//!
//! ```text
//! M  = clamp( k_m v r_ref + k_ff v δ + k (r_ref - r), ± M_max ),   ΔD = M R / T
//! k_m = (K - K_ref) L C_f C_r / (C_f + C_r)
//! ```
//!
//! The left wheel loses `ΔD` and the right one has it, which turns the car by `2 ΔD/R · T/2`; the
//! sum stays. Several axles share the moment by their loads. The [reference](super::yaw_reference)
//! has an understeer gradient `K_ref` of its own, by which a car can be made as agile as wished.
//! The first part is the moment that the single-track model needs for it. The model has the
//! gradient `K` of the vehicle, its wheelbase `L` and the cornering stiffness `C_f`, `C_r` ahead of
//! and behind the center of mass. The last part makes up for what the model does not know.
//!
//! Motors let go as far as stability control turns the car the other way. Stability control leaves
//! them the yaw rate that they aim at.
//!
//! Brakes help a car turn in, and leave a slide to stability control:
//!
//! ```text
//! M  = clamp( k_m v r_ref + k_ff v δ + k dead(r_e - r, 0.02 rad/s), ± M_max )
//! M  = 0                                                           where M r_ref < 0
//! B  = min( 2 |M| R/T, B_max - B', D + R √((μ N)² - F²) - B' )
//! ```
//!
//! with the torque `B` of the inner wheel's brake beside other demands `B'`, and the drive torque
//! `D` and lateral force `F` of that wheel. The throttle opens by what the brake takes, up to twice
//! the driver's. So a car keeps its speed at an open throttle, and a closed throttle stays closed.
//! An automatic gearbox goes on shifting by the driver's pedal.
//!
//! The usual `K_ref` is `K` here, and `r_e` is the yaw rate that tires near their grip still have
//! (`YawReference::expected`). Otherwise the brakes would rub all through a bend.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::{Clamped, Real};
use vehicle_core::wheel_list::WheelVec;

use super::requests::WheelRequest;
use super::signals::{AidSignals, DriveDirection, WheelSignals, beyond};
use super::stability::StabilityState;
use super::vehicle::{AidDrive, AidVehicle, WheelPair};
use super::yaw_reference::YawReference;
use crate::pacing::{faded_in, pace_of};

/// Speed around which it comes in, of a usual car (m/s).
const LEAST_SPEED: Real = 3.0;
/// Understeer gradient of the reference per that of the vehicle (dimensionless).
const GRADIENT_SHARE: Real = 0.5;
/// Gains per moment of inertia about the vertical, of motors and of brakes (1/s). Brakes have no
/// part of the model, and leave a small lack alone.
const YAW_RATE_GAIN: Real = 5.0;
const BRAKES_YAW_RATE_GAIN: Real = 8.0;
/// Lack of yaw rate up to which brakes are left alone (rad/s).
const BRAKES_TOLERANCE: Real = 0.02;
/// Greatest throttle that makes up for brakes, by that of the driver (dimensionless).
const GREATEST_ADDED: Real = 1.0;
/// Greatest moment per weight, track and friction (dimensionless).
const GREATEST_SHARE: Real = 0.15;

/// What moves the torque.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum VectoringActuator {
    /// A motor for each wheel.
    Motors,
    /// Motors of the wheels, between which clutches move at most this torque (N·m).
    Clutches(Real),
    /// The brake of the inner wheel, with twice the difference, for which the throttle makes up.
    Brakes,
}

/// Parameters of torque vectoring. Numbers that are absent are taken from the vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TorqueVectoringParams {
    /// Share of the moment, in [0, 1]: at 0 it does nothing.
    pub strength: Real,
    /// Motors, clutches or brakes. If it is absent, motors where both wheels of a driven axle have
    /// their own, and brakes elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actuator: Option<VectoringActuator>,
    /// Understeer gradient that the car is to have, in [0, 0.1] (rad·s²/m). Else half of that of
    /// the vehicle, and with brakes that of the vehicle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub understeer_gradient: Option<Real>,
    /// Moment per lack of yaw rate (N·m·s/rad). Else 5 moments of inertia per second, and 8 with
    /// brakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yaw_rate_gain: Option<Real>,
    /// Moment per speed and steer angle, at once (N·s/rad).
    pub feedforward_gain: Real,
    /// Greatest moment on a road of friction 1 (N·m). Else 0.15 of weight times track.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_moment: Option<Real>,
}

impl Default for TorqueVectoringParams {
    fn default() -> Self {
        Self {
            strength: 1.0,
            actuator: None,
            understeer_gradient: None,
            yaw_rate_gain: None,
            feedforward_gain: 0.0,
            max_moment: None,
        }
    }
}

impl TorqueVectoringParams {
    /// Checks the parameters.
    pub fn check(&self, check: &mut ParamCheck) {
        check.number("strength", self.strength, Bound::Within(0.0, 1.0));
        if let Some(VectoringActuator::Clutches(torque)) = self.actuator {
            check.number("actuator.clutches", torque, Bound::NotNegative);
        }
        if let Some(gradient) = self.understeer_gradient {
            check.number("understeer_gradient", gradient, Bound::Within(0.0, 0.1));
        }
        if let Some(gain) = self.yaw_rate_gain {
            check.number("yaw_rate_gain", gain, Bound::NotNegative);
        }
        check.number("feedforward_gain", self.feedforward_gain, Bound::NotNegative);
        if let Some(moment) = self.max_moment {
            check.number("max_moment", moment, Bound::NotNegative);
        }
    }

    /// Torque vectoring of `vehicle`; `None` if it is to do nothing, if no wheel is steered, or if
    /// no axle has two driven wheels. They need motors of their own unless brakes are the actuator.
    pub fn resolved(&self, vehicle: &AidVehicle) -> Option<TorqueVectoring> {
        let is_driven = |wheel: usize| vehicle.wheels[wheel].is_driven;
        // A motor that turns both wheels of an axle moves nothing from one to the other.
        let has_motors = |pair: &WheelPair| {
            let [left, right] = pair.wheels().map(|wheel| vehicle.wheels[wheel].motor);
            match vehicle.drive {
                AidDrive::PerWheel => true,
                AidDrive::PerMotor => left != right,
                AidDrive::Engine(_) => false,
            }
        };
        let mut pairs = vehicle.pairs();
        pairs.retain(|pair| pair.wheels().into_iter().all(is_driven));
        let usual = || {
            let is_moved = pairs.iter().any(has_motors);
            if is_moved { VectoringActuator::Motors } else { VectoringActuator::Brakes }
        };
        let actuator = self.actuator.unwrap_or_else(usual);
        let has_brakes = actuator == VectoringActuator::Brakes;
        pairs.retain(|pair| has_brakes || has_motors(pair));
        let track = vehicle.track(pairs.first()?);
        let share = if has_brakes { 1.0 } else { GRADIENT_SHARE };
        let gradient = || share * vehicle.understeer_gradient();
        let gradient = self.understeer_gradient.unwrap_or_else(gradient);
        let gain = if has_brakes { BRAKES_YAW_RATE_GAIN } else { YAW_RATE_GAIN };
        let axles = pairs.into_iter().map(|pair| VectoringAxle {
            pair,
            track: vehicle.track(&pair),
            radius: vehicle.wheels[pair.left].radius,
            max_brake_torques: pair.wheels().map(|wheel| vehicle.wheels[wheel].max_brake_torque),
        });
        (self.strength != 0.0 && vehicle.is_steered()).then(|| TorqueVectoring {
            params: *self,
            actuator,
            reference: YawReference::new(vehicle, gradient),
            model_gain: (vehicle.understeer_gradient() - gradient) * vehicle.yaw_stiffness(),
            yaw_rate_gain: self.yaw_rate_gain.unwrap_or(gain * vehicle.yaw_inertia),
            mass: vehicle.mass,
            track,
            least_torque: vehicle.least_torque(),
            least_speed: LEAST_SPEED * pace_of(vehicle.wheelbase()),
            axles: axles.collect(),
        })
    }
}

/// Torque vectoring of a vehicle: [`TorqueVectoringParams`] with all numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct TorqueVectoring {
    params: TorqueVectoringParams,
    actuator: VectoringActuator,
    reference: YawReference,
    /// Moment per lateral acceleration (kg·m).
    model_gain: Real,
    yaw_rate_gain: Real,
    mass: Real,
    /// That of the foremost axle that it acts on (m).
    track: Real,
    /// Least difference of torques that a throttle makes (N·m): less is no drive.
    least_torque: Real,
    /// Speed around which it comes in (m/s).
    least_speed: Real,
    axles: WheelVec<VectoringAxle>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct VectoringAxle {
    pair: WheelPair,
    track: Real,
    radius: Real,
    /// Greatest torques of the foot brakes, left and right (N·m).
    max_brake_torques: [Real; 2],
}

/// What torque vectoring remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TorqueVectoringState {
    /// Yaw rate that the driver asks for, as the vehicle can follow (rad/s).
    pub reference: Real,
    /// Moment that it asks for, positive to the left (N·m); 0 where it does not act.
    pub moment: Real,
    /// Throttle that makes up for its brakes (dimensionless).
    pub added_throttle: Real,
}

impl TorqueVectoringState {
    /// Whether torque vectoring acts.
    pub fn is_active(&self) -> bool {
        self.moment != 0.0
    }
}

/// Other aids that turn the vehicle, as far as torque vectoring yields to them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurningAids {
    /// Moment that stability control asks for, positive to the left (N·m).
    pub stability_moment: Real,
    /// Whether the vehicle drifts by its driver's wish.
    pub is_drifting: bool,
}

impl TorqueVectoring {
    /// Writes the torques that are moved in this frame into `requests`, one per wheel, whose drive
    /// torques are those of the frame. It yields to stability control that turns the car the other
    /// way. It rests while the driver pulls the hand brake or drifts, and motors do out of gear.
    pub fn demand(
        &self,
        state: &mut TorqueVectoringState,
        signals: &AidSignals<'_>,
        others: TurningAids,
        requests: &mut [WheelRequest],
    ) {
        self.demand_on(signals.friction(), state, signals, others, requests);
    }

    /// Writes the torques into `requests` as [`demand`](Self::demand) does, on a road of this mean
    /// `friction`.
    pub(crate) fn demand_on(
        &self,
        friction: Real,
        state: &mut TorqueVectoringState,
        signals: &AidSignals<'_>,
        others: TurningAids,
        requests: &mut [WheelRequest],
    ) {
        state.reference = self.reference.advanced_on(state.reference, signals, friction);
        let load_of = |axle: &VectoringAxle| -> Real {
            axle.pair.wheels().map(|wheel| signals.wheels[wheel].load).iter().sum()
        };
        let share = if others.is_drifting { 0.0 } else { self.share(signals) };
        let moment =
            if 0.0 < share { share * self.moment(state.reference, signals, friction) } else { 0.0 };
        let moment = self.beside_stability(moment, others.stability_moment);
        (state.moment, state.added_throttle) = (0.0, 0.0);
        if moment == 0.0 {
            return;
        }
        let load: Real = self.axles.iter().map(load_of).sum();
        if load <= 0.0 {
            return;
        }
        state.moment = moment;
        let mut braked = 0.0;
        for axle in &self.axles {
            let difference = load_of(axle) / load * state.moment * axle.radius / axle.track;
            match self.actuator {
                VectoringActuator::Brakes => {
                    braked += brake_inner(axle, difference, signals.wheels, requests);
                }
                VectoringActuator::Motors => {
                    shift(axle, difference, signals.wheels, requests);
                }
                VectoringActuator::Clutches(most) => {
                    shift(axle, difference.clamped(-most, most), signals.wheels, requests);
                }
            }
        }
        if 0.0 < braked {
            state.added_throttle = added_throttle(braked, self.least_torque, signals);
        }
    }

    /// Yaw rate that stability control is to leave alone, of motors that give the car another
    /// understeer gradient than it has (rad/s).
    pub(crate) fn wanted_yaw_rate(
        &self,
        state: &TorqueVectoringState,
        stability: &StabilityState,
    ) -> Option<Real> {
        let (own, wanted) = (stability.reference, state.reference);
        let is_moved = self.actuator != VectoringActuator::Brakes;
        is_moved.then_some(own + self.params.strength * (wanted - own))
    }

    /// Part of its moment that it may ask for, in [0, 1].
    fn share(&self, signals: &AidSignals<'_>) -> Real {
        let is_in_gear = signals.drive.direction != DriveDirection::Neutral;
        let may_act = !signals.driver.is_hand_brake_pulled()
            && (is_in_gear || self.actuator == VectoringActuator::Brakes);
        if may_act { faded_in(signals.body.longitudinal_speed, self.least_speed) } else { 0.0 }
    }

    /// `moment` (N·m) beside that of stability control. Brakes are left to it where it turns the
    /// car the other way; motors let go as far as it does.
    fn beside_stability(&self, moment: Real, of_stability: Real) -> Real {
        if 0.0 <= moment * of_stability {
            return moment;
        }
        match self.actuator {
            VectoringActuator::Brakes => 0.0,
            _ => beyond(moment, of_stability.abs()),
        }
    }

    /// The moment that a driver's yaw rate `reference` (rad/s) asks for (N·m).
    fn moment(&self, reference: Real, signals: &AidSignals<'_>, friction: Real) -> Real {
        let speed = signals.body.longitudinal_speed;
        let has_brakes = self.actuator == VectoringActuator::Brakes;
        let lack = if has_brakes {
            let greatest = self.reference.greatest_yaw_rate(speed, friction, signals.gravity);
            let expected = YawReference::expected(reference, greatest);
            beyond(expected - signals.body.yaw_rate, BRAKES_TOLERANCE)
        } else {
            reference - signals.body.yaw_rate
        };
        let wanted = self.model_gain * speed * reference
            + self.params.feedforward_gain * speed * signals.driver.steer_angle
            + self.yaw_rate_gain * lack;
        if has_brakes && wanted * reference <= 0.0 {
            return 0.0;
        }
        let usual = || GREATEST_SHARE * (self.mass * signals.gravity) * self.track;
        let greatest = self.params.max_moment.unwrap_or_else(usual) * friction.min(1.0);
        self.params.strength * wanted.clamped(-greatest, greatest)
    }
}

/// Moves the torque `difference` (N·m) from the left to the right wheel of `axle`. What one wheel
/// cannot take, the other does not give: the sum stays.
fn shift(
    axle: &VectoringAxle,
    difference: Real,
    wheels: &[WheelSignals],
    requests: &mut [WheelRequest],
) {
    let WheelPair { left, right, .. } = axle.pair;
    let room = |wheel: usize, shift: Real| {
        let grip = greatest_drive_torque(&wheels[wheel], axle.radius);
        let grip = requests[wheel].drive_bound.map_or(grip, |bound| grip.min(bound));
        let drive = requests[wheel].drive;
        if 0.0 <= shift { grip - drive } else { grip + drive }
    };
    let room = room(left, -difference).min(room(right, difference)).max(0.0);
    let difference = difference.clamped(-room, room);
    requests[left].drive_shift = -difference;
    requests[right].drive_shift = difference;
}

/// Brakes the wheel of `axle` from which the torque `difference` (N·m) would be moved, as far as
/// friction holds it. Returns the torque of the brake (N·m).
fn brake_inner(
    axle: &VectoringAxle,
    difference: Real,
    wheels: &[WheelSignals],
    requests: &mut [WheelRequest],
) -> Real {
    let WheelPair { left, right, .. } = axle.pair;
    let [most_left, most_right] = axle.max_brake_torques;
    let (inner, most) = if 0.0 < difference { (left, most_left) } else { (right, most_right) };
    let request = &mut requests[inner];
    let grip = greatest_drive_torque(&wheels[inner], axle.radius);
    let room = most.min(grip + request.drive - request.hand_brake) - request.brake_demand();
    let torque = (2.0 * difference.abs()).min(room.max(0.0));
    request.stability += torque;
    torque
}

/// The throttle that makes up for brakes of the torque `braked` (N·m), none where the driver brakes
/// or drives backwards, or where throttle gives less than `least_torque` (N·m).
fn added_throttle(braked: Real, least_torque: Real, signals: &AidSignals<'_>) -> Real {
    let AidSignals { driver, drive, .. } = signals;
    if drive.direction != DriveDirection::Forward || 0.0 < driver.foot_brake {
        return 0.0;
    }
    let throttle = |torque: Real| drive.throttle_for(torque, least_torque);
    let added = throttle(drive.torque + braked).zip(throttle(drive.torque));
    let added = added.map_or(0.0, |(with, without)| with - without);
    added.clamped(0.0, GREATEST_ADDED * driver.throttle)
}

/// Torque that friction leaves a wheel beside its lateral force (N·m): `R √((μ N)² - F_T²)`.
fn greatest_drive_torque(wheel: &WheelSignals, radius: Real) -> Real {
    let grip = wheel.friction * wheel.load;
    let left = grip * grip - wheel.lateral_force * wheel.lateral_force;
    left.max(0.0).sqrt() * radius
}
