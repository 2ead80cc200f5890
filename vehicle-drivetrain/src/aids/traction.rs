//! Traction control: drive torque that driven wheels can put on the road.
//!
//! Runs in each substep, when the forces of the tires are known. With forces and speeds along the
//! way that the drive turns, of a wheel of inertia `J` and radius `R`:
//!
//! ```text
//! target   Ω_t R = max( |v| (1 + κ_t), |v| + Δv )
//! motors   cap_i = max(0, R F + J (Ω_t - Ω)/τ)
//! engine   throttle ≤ θ_0 - k_p e - ∫ k_i e dt,   e = Ω R - Ω_t R
//! brakes   B = clamp( J (Ω - Ω_t)/τ + D - R F, 0, B_max )   at the faster wheel of an axle
//! ```
//!
//! A motor of several wheels gives each the share of its demand that the one bears which bears
//! least. Where brakes are used, it is the one that bears most, as far as they hold back the other.
//!
//! At speed, `e` is the mean of the driven wheels by their loads and the friction below them. The
//! inner wheel of a bend bears little, and what it spins by costs little: the throttle is for the
//! wheels that drive. Where brakes even out the two sides, all count alike.
//!
//! The brakes work as a limited-slip differential does, until they are hot. They are as strong as
//! under a foot. Half of that does not hold the spinning rear wheel of a pick-up, whose rear brakes
//! are weak, on a grade.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use vehicle_core::clone_by_field;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::lanes::{Lanes, MAX_LANES, Mask, Number, Real4};
use vehicle_core::math::{Clamped, Real, sign};
use vehicle_core::wheel_list::{WheelRefs, WheelVec};

use super::copy_list;
use super::requests::{WheelRequest, weakened};
use super::signals::{AidSignals, WheelSignals};
use super::vehicle::{AidDrive, AidVehicle, AidWheel, WheelPair};
use crate::pacing::approached;

/// Slip target where the tire's force has no peak (dimensionless).
const USUAL_SLIP_TARGET: Real = 0.08;
/// Range of slip targets (dimensionless).
const SLIP_TARGETS: (Real, Real) = (0.02, 0.5);
/// Time for which nothing is limited, after which the aid lets go (s).
const LEAVE_TIME: Real = 0.2;
/// Fastest change of the throttle's limit, downward and upward (1/s).
const CUT_RATE: Real = 20.0;
const RETURN_RATE: Real = 2.0;
/// Heat of all brakes at which they are spared, and at which they are used again, by the mass of
/// the vehicle (J/kg). Brakes are as large as the vehicle that they stop.
const HOT: Real = 200.0;
const COOL: Real = 130.0;
/// Part of the speed up to which brakes are used over which they fade (dimensionless).
const BRAKE_FADE: Real = 0.2;
/// Time in which brakes cool (s).
const COOLING_TIME: Real = 60.0;

/// Parameters of traction control. Numbers that are absent are taken from the vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TractionParams {
    /// Share of what the aid takes away, in [0, 1]: at 0 it does nothing.
    pub strength: Real,
    /// Slip that driven wheels are kept at, in [0.02, 0.5] (dimensionless). Else that of the peak
    /// of each tire at its load at rest, 0.08 where there is no peak.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slip_target: Option<Real>,
    /// Speed of the rim over the road that is always allowed, in [0.1, 3] (m/s).
    pub min_slip_speed: Real,
    /// Time in which a wheel comes to its target, in [0.01, 0.3] (s).
    pub response_time: Real,
    /// By how much an engine's throttle falls per speed that rims are too fast by (s/m).
    pub proportional_gain: Real,
    /// By how much it falls per second and speed that rims are too fast by (1/m).
    pub integral_gain: Real,
    /// Share of the brake torque that would even out the sides of an axle, in [0, 1]
    /// (dimensionless): at 0 brakes are not used.
    pub brake_share: Real,
    /// Speed below which brakes are used (m/s): from 0.8 of it on, less and less.
    pub brake_speed: Real,
}

impl Default for TractionParams {
    fn default() -> Self {
        Self {
            strength: 1.0,
            slip_target: None,
            min_slip_speed: 0.5,
            response_time: 0.05,
            proportional_gain: 0.25,
            integral_gain: 0.6,
            brake_share: 1.0,
            brake_speed: 11.0,
        }
    }
}

impl TractionParams {
    /// Checks the parameters.
    pub fn check(&self, check: &mut ParamCheck) {
        check.number("strength", self.strength, Bound::Within(0.0, 1.0));
        if let Some(target) = self.slip_target {
            let (low, high) = SLIP_TARGETS;
            check.number("slip_target", target, Bound::Within(low, high));
        }
        check.number("min_slip_speed", self.min_slip_speed, Bound::Within(0.1, 3.0));
        check.number("response_time", self.response_time, Bound::Within(0.01, 0.3));
        check.number("proportional_gain", self.proportional_gain, Bound::NotNegative);
        check.number("integral_gain", self.integral_gain, Bound::NotNegative);
        check.number("brake_share", self.brake_share, Bound::Within(0.0, 1.0));
        check.number("brake_speed", self.brake_speed, Bound::NotNegative);
    }

    /// The control of `vehicle`; `None` if it is to do nothing, or if no wheel is driven.
    pub fn resolved(&self, vehicle: &AidVehicle) -> Option<Traction> {
        let (low, high) = SLIP_TARGETS;
        let slip_target = |wheel: &AidWheel| {
            let of_tire = || wheel.peak_slip.unwrap_or(USUAL_SLIP_TARGET).clamped(low, high);
            self.slip_target.unwrap_or_else(of_tire)
        };
        let is_driven = |wheel: usize| vehicle.wheels[wheel].is_driven;
        let wheels = vehicle.each(|wheel| TractionWheel {
            slip_target: slip_target(wheel),
            radius: wheel.radius,
            inertia: wheel.inertia,
            max_brake_torque: wheel.max_brake_torque,
            is_driven: wheel.is_driven,
        });
        (self.strength != 0.0 && vehicle.is_driven()).then(|| Traction {
            params: *self,
            mass: vehicle.mass,
            fours: wheels.chunks(MAX_LANES).map(TractionFour::of).collect(),
            wheels,
            pairs: vehicle
                .pairs()
                .into_iter()
                .filter(|pair| pair.wheels().into_iter().all(is_driven))
                .collect(),
            drive: match vehicle.drive {
                AidDrive::PerWheel => TractionDrive::PerWheel,
                AidDrive::PerMotor => TractionDrive::PerMotor(wheels_of_motors(vehicle)),
                AidDrive::Engine(_) => TractionDrive::Throttle,
            },
        })
    }
}

/// Traction control of a vehicle: [`TractionParams`] with all numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Traction {
    params: TractionParams,
    /// Mass of the vehicle (kg).
    mass: Real,
    wheels: WheelVec<TractionWheel>,
    /// The wheels, four side by side.
    fours: Vec<TractionFour>,
    pairs: Vec<WheelPair>,
    drive: TractionDrive,
}

/// Up to four wheels side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TractionFour {
    slip_target: Real4,
    radius: Real4,
    /// 1 for a wheel that is driven, and 0 for others.
    driven: Real4,
}

impl TractionFour {
    fn of(wheels: &[TractionWheel]) -> Self {
        let each = |value: fn(&TractionWheel) -> Real, other: Real| {
            Real4::from_lanes(|lane| wheels.get(lane).map_or(other, value))
        };
        Self {
            slip_target: each(|wheel| wheel.slip_target, 0.0),
            radius: each(|wheel| wheel.radius, 1.0),
            driven: each(|wheel| if wheel.is_driven { 1.0 } else { 0.0 }, 0.0),
        }
    }
}

/// What has its torque limited.
#[derive(Clone, Debug, PartialEq)]
enum TractionDrive {
    /// Each wheel.
    PerWheel,
    /// Each motor, of these wheels.
    PerMotor(Vec<WheelVec<usize>>),
    /// All driven wheels by their throttle.
    Throttle,
}

/// The wheels of each motor.
fn wheels_of_motors(vehicle: &AidVehicle) -> Vec<WheelVec<usize>> {
    let driven = || vehicle.wheels.iter().enumerate().filter(|(_, wheel)| wheel.is_driven);
    let mut motors: Vec<_> = driven().map(|(_, wheel)| wheel.motor).collect();
    motors.sort_unstable();
    motors.dedup();
    let of_motor = |motor| driven().filter(move |(_, wheel)| wheel.motor == motor);
    motors.into_iter().map(|motor| of_motor(motor).map(|(number, _)| number).collect()).collect()
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct TractionWheel {
    slip_target: Real,
    radius: Real,
    inertia: Real,
    max_brake_torque: Real,
    is_driven: bool,
}

/// What traction control remembers of one wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TractionWheelState {
    /// Time for which the drive torque is watched still (s); 0 where it is not.
    pub drive_time: Real,
    /// Time for which the brake is watched still (s); 0 where it is not.
    pub brake_time: Real,
}

/// The throttle of an engine that traction control limits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TractionThrottle {
    /// Throttle when the wheels began to spin, in [0, 1].
    pub entry: Real,
    /// By how much the integral lessens it (dimensionless).
    pub integral: Real,
    /// The limit, in [0, 1].
    pub limit: Real,
    /// Time for which the limit has been none (s).
    pub free_time: Real,
}

/// What traction control remembers. The default is at rest, of no wheel.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TractionState {
    /// Each wheel.
    pub wheels: WheelVec<TractionWheelState>,
    /// The throttle, while it is limited.
    pub throttle: Option<TractionThrottle>,
    /// Heat of the brakes from traction control (J).
    pub brake_heat: Real,
    /// Whether the brakes are spared because they are hot.
    pub are_brakes_spared: bool,
}

clone_by_field! {
    impl[] TractionState { throttle, brake_heat, are_brakes_spared } copy_list { wheels }
}

impl TractionState {
    /// At rest, of a vehicle of `wheel_count` wheels.
    pub fn at_rest(wheel_count: usize) -> Self {
        let wheels = (0..wheel_count).map(|_| TractionWheelState::default()).collect();
        Self { wheels, ..Self::default() }
    }

    /// Whether any torque is limited or any wheel braked.
    pub fn is_active(&self) -> bool {
        let is_watched =
            |wheel: &TractionWheelState| 0.0 < wheel.drive_time || 0.0 < wheel.brake_time;
        self.throttle.is_some() || self.wheels.iter().any(is_watched)
    }

    /// Lets the brakes of a vehicle of this `mass` (kg) cool for `dt` (s).
    fn cool(&mut self, mass: Real, dt: Real) {
        if self.brake_heat == 0.0 && !self.are_brakes_spared {
            return;
        }
        self.brake_heat *= vehicle_core::math::exp(-dt / COOLING_TIME);
        let limit = if self.are_brakes_spared { COOL } else { HOT };
        self.are_brakes_spared = limit * mass < self.brake_heat;
    }
}

impl Traction {
    /// Limits the drive torques of `requests` and brakes wheels that spin. Returns the limit of an
    /// engine's throttle, in [0, 1], if there is one.
    ///
    /// Slip targets are at least `least_slip_target` (dimensionless), by which a drift assist gives
    /// wheels room to spin.
    pub fn limit(
        &self,
        state: &mut TractionState,
        signals: &AidSignals<'_>,
        least_slip_target: Real,
        requests: &mut [WheelRequest],
    ) -> Option<Real> {
        let driven = |wheel: usize| {
            let direction = driven_direction(&requests[wheel], signals.drive.direction.sign());
            let params = &self.wheels[wheel];
            params.driven(&signals.wheels[wheel], direction, least_slip_target, &self.params)
        };
        state.cool(self.mass, signals.dt);
        if !state.is_active() && !self.any_spins(signals, least_slip_target, requests) {
            return None;
        }
        let spins: WheelRefs<Driven> = (0..self.wheels.len()).map(driven).collect();
        let is_driving = 0.0 < signals.driver.throttle;
        match &self.drive {
            TractionDrive::PerWheel => {
                self.cap_wheels(state, signals, &spins, is_driving, requests);
                None
            }
            TractionDrive::PerMotor(motors) => {
                let brakes = self.brakes_in_use(state, signals, is_driving);
                for wheels in motors {
                    self.cap_motor(state, signals, &spins, (wheels, brakes), requests);
                }
                self.brake(state, signals, &spins, brakes, requests);
                None
            }
            TractionDrive::Throttle => {
                let brakes = self.brakes_in_use(state, signals, is_driving);
                self.brake(state, signals, &spins, brakes, requests);
                self.cut(state, signals, &spins, brakes)
            }
        }
    }

    /// Whether none of the driven wheels of the four of this `number` spins, whichever way it is
    /// driven: with these speeds of the contacts (m/s) and of the rotation (rad/s). A wheel that
    /// turns against its drive does not spin.
    pub(crate) fn leaves(
        &self,
        number: usize,
        (speed, rotation_speed): (Real4, Real4),
        least_slip_target: Real,
    ) -> bool {
        let four = &self.fours[number];
        let excess = excess(
            (speed, rotation_speed),
            sign(rotation_speed),
            four.slip_target.at_least(Real4::splat(least_slip_target)),
            (four.radius, self.params.min_slip_speed),
        );
        let spins = Real4::zero().is_below(excess) & Real4::zero().is_below(four.driven);
        !spins.any()
    }

    /// Passes a substep in which there is nothing to do.
    pub(crate) fn rest(&self, state: &mut TractionState, dt: Real) {
        state.cool(self.mass, dt);
    }

    /// Whether any driven wheel is faster than it is to be.
    fn any_spins(
        &self,
        signals: &AidSignals<'_>,
        least_slip_target: Real,
        requests: &[WheelRequest],
    ) -> bool {
        let neutral = signals.drive.direction.sign();
        let mut each = self.wheels.iter().zip(signals.wheels).zip(requests);
        each.any(|((params, wheel), request)| {
            params.is_driven && {
                let direction = driven_direction(request, neutral);
                0.0 < params.excess(wheel, direction, least_slip_target, &self.params)
            }
        })
    }

    fn cap_wheels(
        &self,
        state: &mut TractionState,
        signals: &AidSignals<'_>,
        spins: &[Driven],
        is_driving: bool,
        requests: &mut [WheelRequest],
    ) {
        for (wheel, params) in self.wheels.iter().enumerate() {
            let (spin, memory) = (&spins[wheel], &mut state.wheels[wheel]);
            if !params.is_driven || !is_driving {
                memory.drive_time = 0.0;
                continue;
            }
            let request = &mut requests[wheel];
            let demand = request.drive_demand().abs();
            let torque = spin.held_torque(params, self.params.response_time, signals.dt);
            let cap = (torque + request.brake_torque()).max(0.0);
            if !watch(&mut memory.drive_time, 0.0 < spin.excess, cap < demand, signals.dt) {
                continue;
            }
            request.drive_cap = Some(weakened(cap.min(demand), demand, self.params.strength));
        }
    }

    /// Caps what the `wheels` of one motor have of it. Where `brakes`, in [0, 1], even out the
    /// sides, the wheel that bears most counts, as far as they hold back the other.
    fn cap_motor(
        &self,
        state: &mut TractionState,
        signals: &AidSignals<'_>,
        spins: &[Driven],
        (wheels, brakes): (&[usize], Real),
        requests: &mut [WheelRequest],
    ) {
        let is_driving = 0.0 < signals.driver.throttle;
        // What each wheel bears of its demand, and brakes beside.
        let (mut least, mut greatest, mut reserve) = (Real::INFINITY, 0.0, 0.0);
        for &wheel in wheels {
            let (request, params) = (&requests[wheel], &self.wheels[wheel]);
            let demand = request.drive_demand().abs().max(Real::MIN_POSITIVE);
            let held = spins[wheel].held_torque(params, self.params.response_time, signals.dt);
            let share = (held + request.brake_torque()).max(0.0) / demand;
            if share < least {
                let brake = brakes * self.params.brake_share * self.params.strength;
                (least, reserve) = (share, brake * params.max_brake_torque / demand);
            }
            greatest = share.max(greatest);
        }
        let borne = if 0.0 < brakes { greatest.min(least + reserve) } else { least };
        let spins = wheels.iter().any(|&wheel| 0.0 < spins[wheel].excess);
        for &wheel in wheels {
            let time = &mut state.wheels[wheel].drive_time;
            if !is_driving {
                *time = 0.0;
            } else if watch(time, spins, borne < 1.0, signals.dt) {
                let request = &mut requests[wheel];
                let demand = request.drive_demand().abs();
                let cap = borne.min(1.0) * demand;
                request.drive_cap = Some(weakened(cap, demand, self.params.strength));
            }
        }
    }

    /// How far brakes may be used, in [0, 1].
    fn brakes_in_use(
        &self,
        state: &TractionState,
        signals: &AidSignals<'_>,
        is_driving: bool,
    ) -> Real {
        let may_brake = is_driving && 0.0 < self.params.brake_share && !state.are_brakes_spared;
        let most = self.params.brake_speed;
        let left = most - signals.body.longitudinal_speed.abs();
        if may_brake && 0.0 < left { (left / (BRAKE_FADE * most)).min(1.0) } else { 0.0 }
    }

    /// Brakes the faster wheel of each driven axle, as far as `brakes` may be used, in [0, 1].
    fn brake(
        &self,
        state: &mut TractionState,
        signals: &AidSignals<'_>,
        spins: &[Driven],
        brakes: Real,
        requests: &mut [WheelRequest],
    ) {
        for pair in &self.pairs {
            let [left, right] = pair.wheels();
            let is_left = spins[right].rotation_speed < spins[left].rotation_speed;
            let (faster, slower) = if is_left { (left, right) } else { (right, left) };
            state.wheels[slower].brake_time = 0.0;
            let (spin, params) = (&spins[faster], &self.wheels[faster]);
            let drive = requests[faster].drive_torque().abs();
            let held = spin.held_torque(params, self.params.response_time, signals.dt);
            let torque = (drive - held).clamped(0.0, params.max_brake_torque);
            let are_used = 0.0 < brakes;
            let memory = &mut state.wheels[faster].brake_time;
            if !are_used || !watch(memory, 0.0 < spin.excess, 0.0 < torque, signals.dt) {
                *memory = if are_used { *memory } else { 0.0 };
                continue;
            }
            let torque = brakes * self.params.brake_share * self.params.strength * torque;
            requests[faster].traction += torque;
            state.brake_heat += torque * spin.rotation_speed.abs() * signals.dt;
        }
    }

    /// Advances the limit of the throttle.
    fn cut(
        &self,
        state: &mut TractionState,
        signals: &AidSignals<'_>,
        spins: &[Driven],
        brakes: Real,
    ) -> Option<Real> {
        let driver = signals.driver.throttle;
        let excess = self.excess(signals, spins, brakes);
        if driver <= 0.0 {
            state.throttle = None;
            return None;
        }
        let at_entry =
            || TractionThrottle { entry: driver, integral: 0.0, limit: driver, free_time: 0.0 };
        let mut throttle = match state.throttle {
            Some(throttle) => throttle,
            None if 0.0 < excess => at_entry(),
            None => return None,
        };
        let proportional = self.params.proportional_gain * excess;
        let wanted = throttle.entry - proportional - throttle.integral;
        let is_saturated = (wanted <= 0.0 && 0.0 < excess) || (1.0 <= wanted && excess < 0.0);
        if !is_saturated && !signals.drive.is_shifting {
            throttle.integral += self.params.integral_gain * excess * signals.dt;
        }
        let wanted = (throttle.entry - proportional - throttle.integral).clamped(0.0, 1.0);
        let rate = if wanted < throttle.limit { CUT_RATE } else { RETURN_RATE };
        throttle.limit = approached(throttle.limit, wanted, rate * signals.dt);
        let is_free = driver <= throttle.limit;
        throttle.free_time = if is_free { throttle.free_time + signals.dt } else { 0.0 };
        state.throttle = (throttle.free_time < LEAVE_TIME).then_some(throttle);
        let limit = weakened(throttle.limit, driver, self.params.strength);
        state.throttle.map(|_| limit)
    }

    /// Speed by which rims are faster than they are to be (m/s): the mean by the grip of their
    /// wheels. As far as `brakes` even out the sides, in [0, 1], all count alike.
    fn excess(&self, signals: &AidSignals<'_>, spins: &[Driven], brakes: Real) -> Real {
        let driven = || {
            let each = self.wheels.iter().zip(spins).zip(signals.wheels);
            each.filter(|((params, _), _)| params.is_driven)
                .map(|((params, spin), wheel)| (spin.excess * params.radius, wheel))
        };
        let mean =
            || driven().map(|(excess, _)| excess).sum::<Real>() / driven().count().max(1) as Real;
        let borne = || {
            let grip = |wheel: &WheelSignals| wheel.friction * wheel.load;
            let sum: Real = driven().map(|(_, wheel)| grip(wheel)).sum();
            let weighted: Real = driven().map(|(excess, wheel)| excess * grip(wheel)).sum();
            if 0.0 < sum { weighted / sum } else { mean() }
        };
        match brakes {
            0.0 => borne(),
            1.0 => mean(),
            _ => borne() + brakes * (mean() - borne()),
        }
    }
}

/// The way that a wheel is driven, 1 or -1; that of the `gear` without torque.
fn driven_direction(request: &WheelRequest, gear: Real) -> Real {
    match sign(request.drive_demand()) {
        0.0 => gear,
        direction => direction,
    }
}

/// Rotation speed beyond the target, along `direction` (rad/s). The wheel has these speeds of its
/// contact (m/s) and of its rotation (rad/s), and this radius (m) and least speed of slip (m/s).
fn excess<N: Number>(
    (speed, rotation_speed): (N, N),
    direction: N,
    slip_target: N,
    (radius, min_slip_speed): (N, Real),
) -> N {
    // A wheel that still rolls the other way is to turn as its drive does.
    let speed = (speed * direction).at_least(N::zero());
    let slipping = speed * (N::splat(1.0) + slip_target);
    let target = slipping.at_least(speed + N::splat(min_slip_speed)) / radius;
    rotation_speed * direction - target
}

/// Motion of a wheel along the way that the drive turns.
#[derive(Clone, Copy, Debug, Default)]
struct Driven {
    rotation_speed: Real,
    /// Rotation speed beyond the target (rad/s).
    excess: Real,
    force: Real,
    force_slope: Real,
}

impl TractionWheel {
    /// Rotation speed beyond the target, along `direction` (rad/s).
    fn excess(
        &self,
        wheel: &WheelSignals,
        direction: Real,
        least_slip_target: Real,
        params: &TractionParams,
    ) -> Real {
        let slip_target = self.slip_target.max(least_slip_target);
        let speeds = (wheel.longitudinal_speed, wheel.rotation_speed);
        excess(speeds, direction, slip_target, (self.radius, params.min_slip_speed))
    }

    fn driven(
        &self,
        wheel: &WheelSignals,
        direction: Real,
        least_slip_target: Real,
        params: &TractionParams,
    ) -> Driven {
        Driven {
            rotation_speed: wheel.rotation_speed * direction,
            excess: self.excess(wheel, direction, least_slip_target, params),
            force: wheel.longitudinal_force * direction,
            force_slope: wheel.force_slope.max(0.0),
        }
    }
}

impl Driven {
    /// Torque that brings the wheel to its target in the response time (N·m).
    fn held_torque(&self, params: &TractionWheel, response_time: Real, dt: Real) -> Real {
        let force = self.force - self.force_slope * self.excess;
        params.radius * force - params.inertia * self.excess / response_time.max(dt)
    }
}

/// Keeps time for which a wheel is watched: from where it `spins` until it has not `needed` help
/// for a while. Returns whether it is.
fn watch(time: &mut Real, spins: bool, is_needed: bool, dt: Real) -> bool {
    let is_watched = 0.0 < *time;
    if spins || (is_watched && is_needed) {
        *time = LEAVE_TIME;
    } else {
        *time = (*time - dt).max(0.0);
    }
    0.0 < *time
}
