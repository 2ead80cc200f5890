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

mod params;
mod spin;
mod state;
#[cfg(test)]
mod tests;

use vehicle_core::math::lanes::{MAX_LANES, Mask, Number, Real4};
use vehicle_core::math::{Clamped, Real, sign};
use vehicle_core::wheel_list::{WheelRefs, WheelVec};

use self::params::SLIP_TARGETS;
use self::spin::{
    Driven, LEAVE_TIME, TractionFour, TractionWheel, driven_direction, excess, watch,
};
use super::requests::{WheelRequest, weakened};
use super::signals::{AidSignals, WheelSignals};
use super::vehicle::{AidDrive, AidVehicle, AidWheel, WheelPair};
use crate::pacing::approached;

#[doc(inline)]
pub use self::{
    params::TractionParams,
    state::{TractionState, TractionThrottle, TractionWheelState},
};

/// Slip target where the tire's force has no peak (dimensionless).
const USUAL_SLIP_TARGET: Real = 0.08;
/// Fastest change of the throttle's limit, downward and upward (1/s).
const CUT_RATE: Real = 20.0;
const RETURN_RATE: Real = 2.0;
/// Part of the speed up to which brakes are used over which they fade (dimensionless).
const BRAKE_FADE: Real = 0.2;

impl TractionParams {
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
