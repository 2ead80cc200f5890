//! An automatic gearbox with a shift map: its gear follows from the speed of the car and the
//! accelerator pedal.
//!
//! It knows the speed of the driven wheels and that of the car over the ground below them, as on a
//! ferry or a treadmill. By the wheels alone, a car that starts on smoke shifts up at 27 km/h, and
//! back as its tires grip. By the car alone, a gearbox would not know that its engine is at its
//! limit with wheels in the air.

use serde::{Deserialize, Serialize};
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::math::{Clamped, Real};

use crate::autobox::{AutoboxResponse, AutoboxState, WeakGear};
use crate::engine::{EngineParams, engine_damping_rate, engine_torque};
use crate::gearbox::{GearCommand, GearboxParams, GearboxState, is_gear_safe, overall_gear_ratio};

/// How much slower than its new gear an engine is when a shift opens its throttle fully (rad/s).
const MATCHING_SPEED: Real = 60.0;
/// Difference of the speeds of engine and gear at which a shift is over (rad/s).
const MATCHED_SPEED: Real = 10.0;
/// Time after which a shift is over although engine and gear have not met (s): wheels spin or
/// stand.
const MAX_MATCHING_TIME: Real = 1.5;

/// Fraction of the engine's maximum speed beyond which a gear is left for the next wherever the up
/// line is, unless that was too weak (dimensionless).
const MAX_SPEED_FRACTION: Real = 0.97;
/// Time over which speed and power of the car are smoothed (s).
const SMOOTHING_TIME: Real = 0.7;
/// Part of the needed throttle that the driver's must have beyond it, for a gear to hold the speed
/// for sure (dimensionless).
const HOLDING_RESERVE: Real = 0.05;
/// Change of the throttle that asks for something else than what a gear was too weak for
/// (dimensionless).
const THROTTLE_CHANGE: Real = 0.1;
/// Brake pedal from which on a driver wants to be slower, so that no gear is left for the next
/// (dimensionless).
const HARD_BRAKE: Real = 0.3;
/// Part of the speed at which the wheels would roll, backward, from which on the car rolls backward
/// (dimensionless): wheels that lock stand.
const BACKWARD_PART: Real = -0.5;

/// When an automatic gearbox shifts, over the speed of the car and the accelerator pedal.
///
/// ```text
/// n_g = G_g ω                                   speed of the engine in the gear g (rad/s)
/// up from g to g+1     where  n_g > up(θ)
/// down from g+1 to g   where  n_g < down(θ)
/// ```
///
/// with the throttle `θ`, the overall ratio `G_g` of the gear and the speed `ω` of the driven
/// wheels. That is known twice: as the differential averages it, and as the wheels would roll.
/// Wheels that spin turn faster than they would roll, wheels that lock turn slower. So a gear is
/// left for a higher one by the lesser of the two, and for a lower one by the greater. Neither a
/// start on smoke nor a panic stop makes the gearbox shift.
///
/// Both lines are in the speed that the engine has in the *lower* of the two gears. So one pair of
/// lines serves all gears, whatever the steps between them. As long as `down < up`, no shift asks
/// for its opposite. Over the pedal they say how the car is driven: low at little throttle, which
/// is economy; close to the engine's maximum at full throttle, which is kick-down. A shift may skip
/// gears.
///
/// Uphill, the higher gear needs more throttle for the power that the road asks for:
///
/// ```text
/// P  = P_wheels - m R² ω dω/dt                  power that the road asks for
/// θ' = (P/n + c n) / T_full(n),   n = n_{g+1}   throttle that gives it in the higher gear
/// n' = n_g (1 - P t / (m R² ω²))                speed in the lower gear after the time t of a shift without power
/// ```
///
/// A gear is left for the next where the driver's throttle holds the speed there, `θ' < θ` and
/// `down(θ) < n'`. It is also left where a driver who wants to hold it could, and would not ask for
/// the lower gear again, `θ' ≤ 1` and `down(θ') < n'`. A driver who keeps the throttle instead gets
/// slower. If the higher gear is left again for that, it was too weak. From then on it and all
/// above it are taken only where the driver's throttle holds the speed, until that changes by a
/// tenth. So the gearbox tries a gear once, and does not hunt.
///
/// Beyond 0.97 of the engine's largest speed a gear is left for one that was not too weak, wherever
/// the up line is.
///
/// A car that rolls backward with a forward gear takes the first, at any speed: its clutch slips.
///
/// Under a hard brake no gear is left for a higher one: a foot that goes from the accelerator to
/// the brake asks for no economy. From neutral and reverse, the gear of the speed goes in all the
/// same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ShiftMapParams {
    /// Speed in the lower gear (rad/s) above which the higher is taken, over the throttle in [0,
    /// 1].
    pub up: LookupTable<Real>,
    /// Speed in the lower gear (rad/s) below which it is taken, over the throttle in [0, 1].
    pub down: LookupTable<Real>,
    /// Time from the start of a shift to the next (s).
    pub latency: Real,
}

impl Default for ShiftMapParams {
    /// Fits [`EngineParams::default`](crate::engine::EngineParams) and [`GearboxParams::default`].
    fn default() -> Self {
        let table =
            |points: [(Real, Real); 6]| LookupTable::new(points).expect("increasing abscissae");
        Self {
            up: table([
                (0.0, 185.0),
                (0.25, 215.0),
                (0.5, 300.0),
                (0.75, 450.0),
                (0.9, 600.0),
                (1.0, 640.0),
            ]),
            down: table([
                (0.0, 145.0),
                (0.25, 165.0),
                (0.5, 220.0),
                (0.75, 320.0),
                (0.9, 470.0),
                (1.0, 575.0),
            ]),
            latency: 0.8,
        }
    }
}

/// Speeds of rotation and times, which have no length in them.
impl Convert for ShiftMapParams {
    fn converted(&self, _: &CoordinateConversion) -> Self {
        self.clone()
    }
}

impl ShiftMapParams {
    /// The default map for another engine: its lines moved with the largest speed.
    pub fn for_engine(engine: &EngineParams) -> Self {
        let usual = Self::default();
        let scale = engine.max_speed / EngineParams::default().max_speed;
        let moved = |line: &LookupTable<Real>| {
            let points = line.points().iter().map(|&(throttle, speed)| (throttle, speed * scale));
            LookupTable::new(points.collect::<Vec<_>>()).unwrap_or_default()
        };
        Self { up: moved(&usual.up), down: moved(&usual.down), ..usual }
    }

    /// Checks the parameters beside `engine`.
    pub fn check(&self, check: &mut ParamCheck, engine: &EngineParams) {
        for (name, table) in [("up", &self.up), ("down", &self.down)] {
            check.require(name, !table.points().is_empty(), "at least one point", "none");
            for (index, &(throttle, speed)) in table.points().iter().enumerate() {
                let bound = Bound::Within(0.0, 1.0);
                check.number(format_args!("{name}[{index}].x"), throttle, bound);
                let bound = Bound::Within(0.0, engine.max_speed);
                check.number(format_args!("{name}[{index}].y"), speed, bound);
            }
        }
        // Between the points of both, the difference of two straight lines has its extremes at the
        // ends.
        let throttles =
            self.up.points().iter().chain(self.down.points()).map(|&(throttle, _)| throttle);
        let crossing = throttles
            .filter(|&throttle| self.up.evaluate(throttle) <= self.down.evaluate(throttle));
        for throttle in crossing.take(1) {
            let (up, down) = (self.up.evaluate(throttle), self.down.evaluate(throttle));
            let requirement =
                format_args!("below up at every throttle: below {up} rad/s at {throttle}");
            check.require("down", false, requirement, down);
        }
        check.number("latency", self.latency, Bound::NotNegative);
    }

    /// The gear for a car in the forward gear `current`.
    fn gear(
        &self,
        gearbox: &GearboxParams,
        current: usize,
        input: &ShiftMapInput<'_>,
        state: &AutoboxState,
    ) -> usize {
        let is_backward = input.driven_speed < BACKWARD_PART * input.rolling_speed;
        let first = gearbox.neutral + 1;
        if is_backward {
            return first;
        }
        let up = self.up.evaluate(input.throttle);
        let slower = input.driven_speed.min(input.rolling_speed);
        let down = self.down.evaluate(input.throttle);
        // Below the down line, the next gear would be left at once.
        let limit = (MAX_SPEED_FRACTION * input.engine.max_speed).max(down);
        let is_left = |&gear: &usize| {
            let speed = overall_gear_ratio(gearbox, gear) * slower;
            let is_fast = up < speed && self.is_next_strong(gearbox, gear, input, state);
            let is_at_limit = || limit < speed && weak_beyond(state, gear).is_none();
            input.brake < HARD_BRAKE && (is_fast || is_at_limit())
        };
        let gear = current + (current..gearbox.ratios.len() - 1).take_while(is_left).count();
        if gear != current {
            return gear;
        }
        let faster = input.driven_speed.max(input.rolling_speed);
        let is_slow = |&gear: &usize| overall_gear_ratio(gearbox, gear) * faster < down;
        let lower = (first..current).rev().take_while(is_slow);
        current - lower.count()
    }

    /// Whether the gear after `gear` is strong enough.
    fn is_next_strong(
        &self,
        gearbox: &GearboxParams,
        gear: usize,
        input: &ShiftMapInput<'_>,
        state: &AutoboxState,
    ) -> bool {
        let before = input.driven_speed.min(input.rolling_speed);
        let power = input.road_power(state);
        let after = before - input.lost_speed(power);
        let needed_power = power * (after / before);
        let throttle =
            input.throttle_for(needed_power, overall_gear_ratio(gearbox, gear + 1) * after);
        let stays =
            |throttle| self.down.evaluate(throttle) < overall_gear_ratio(gearbox, gear) * after;
        let weak = weak_beyond(state, gear);
        // Each time that a gear was too weak for all that was expected, half as much is expected of
        // it.
        let doubled = weak.map_or(0, |weak| (weak.failures.get() - 1).min(8));
        let reserve = HOLDING_RESERVE * Real::from(1_u16 << doubled);
        let holds = throttle * (1.0 + reserve) <= input.throttle && stays(input.throttle);
        let could_hold = throttle <= 1.0 && stays(throttle);
        holds || (weak.is_none() && could_hold)
    }
}

/// The gear that was too weak, if it is not above the one after `gear`.
fn weak_beyond(state: &AutoboxState, gear: usize) -> Option<WeakGear> {
    state.weak_gear.filter(|weak| usize::from(weak.gear) <= gear + 1)
}

impl ShiftMapInput<'_> {
    /// Throttle at which the engine gives `power` (W) at `speed` (rad/s) beside its friction;
    /// infinite where none does.
    fn throttle_for(&self, power: Real, speed: Real) -> Real {
        let [closed, full] =
            [0.0, 1.0].map(|throttle| engine_damping_rate(&self.engine.damping, throttle, 1.0));
        let most = engine_torque(self.engine, 1.0, speed) + (closed - full) * speed;
        if speed <= 0.0 || most <= 0.0 {
            return Real::INFINITY;
        }
        ((power / speed + closed * speed) / most).max(0.0)
    }

    /// Power that the road asks for at a constant speed (W): what the wheels get, but for what
    /// makes the car faster. Both are smoothed alike.
    fn road_power(&self, state: &AutoboxState) -> Real {
        let acceleration = (self.rolling_speed - state.smoothed_speed) / SMOOTHING_TIME;
        state.smoothed_power - self.carried_inertia * self.rolling_speed * acceleration
    }

    /// Speed that the wheels lose in a shift on a road that asks for `power` (W), at most all of it
    /// (rad/s).
    fn lost_speed(&self, power: Real) -> Real {
        let momentum = self.carried_inertia * self.rolling_speed;
        if momentum <= 0.0 {
            return 0.0;
        }
        (power.max(0.0) / momentum * self.gap).min(self.rolling_speed)
    }
}

/// Speeds and pedals by which an automatic gearbox with a shift map shifts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShiftMapInput<'a> {
    /// The gear that the driver asks for.
    pub gear: GearCommand,
    /// Accelerator pedal, in [0, 1].
    pub throttle: Real,
    /// Brake pedal, in [0, 1].
    pub brake: Real,
    /// Speed of the engine (rad/s).
    pub engine_speed: Real,
    /// The engine.
    pub engine: &'a EngineParams,
    /// Speed of the driven wheels, as the differential averages it (rad/s).
    pub driven_speed: Real,
    /// Speed at which these wheels would roll over the ground without slip, without its sign
    /// (rad/s).
    pub rolling_speed: Real,
    /// The mass of the car, as a moment of inertia that its driven wheels turn, m R² (kg·m²).
    pub carried_inertia: Real,
    /// Time of a shift without power at the wheels (s).
    pub gap: Real,
}

/// The automatic gearbox with a shift map `dt` (s) after `state`.
///
/// It executes the driver's choice of a gear like its own, but no gear that is [not
/// safe](is_gear_safe): the throttle stays the driver's then. The shift lasts until engine and gear
/// have met, which is after the clutch has closed. Until then the throttle is that which brings the
/// engine to the speed of the new gear: none up, a blip down.
///
/// ```text
/// θ = (n - ω_E) / 60 rad/s,   within [0, 1]
/// ```
pub fn mapped_autobox(
    params: &ShiftMapParams,
    gearbox: &GearboxParams,
    gears: &GearboxState,
    input: &ShiftMapInput<'_>,
    state: &AutoboxState,
    dt: Real,
) -> AutoboxResponse {
    let state = &observed(gearbox, gears, input, state, dt);
    let matched = |gear| {
        let speed = overall_gear_ratio(gearbox, gear) * input.driven_speed;
        ((speed - input.engine_speed) / MATCHING_SPEED).clamped(0.0, 1.0)
    };
    let stay = |throttle, state| AutoboxResponse { gear: gears.target, throttle, state };
    if gears.is_switching() {
        return stay(matched(gears.target), AutoboxState { is_shifting: true, ..state.later(dt) });
    }
    if state.is_shifting && !has_met(gearbox, gears.current, input, state) {
        return stay(matched(gears.current), state.later(dt));
    }
    let state = AutoboxState { is_shifting: false, ..*state };
    let has_waited = state.has_waited(params.latency);
    let wanted = match (input.gear, gearbox.first_gear()) {
        (GearCommand::Gear(gear), _) => gear,
        // No gear is in that a brake could keep.
        (GearCommand::Automatic, Some(first)) if gears.current < first => {
            params.gear(gearbox, first, &ShiftMapInput { brake: 0.0, ..*input }, &state)
        }
        (GearCommand::Automatic, Some(_)) if has_waited => {
            params.gear(gearbox, gears.current, input, &state)
        }
        _ => gears.current,
    };
    let max_speed = input.engine.max_speed;
    if wanted == gears.current
        || gearbox.ratios.len() <= wanted
        || !is_gear_safe(gearbox, gears, wanted, input.driven_speed, max_speed)
    {
        return stay(input.throttle, if has_waited { state } else { state.later(dt) });
    }
    let is_shifting = wanted != gearbox.neutral;
    let throttle = if is_shifting { matched(wanted) } else { input.throttle };
    let state = AutoboxState { time_since_shift: Some(0.0), is_shifting, ..state };
    let is_weak = wanted < gears.current && 0.0 < input.throttle;
    let state = if is_weak { state.with_weak_gear(gears.current, input.throttle) } else { state };
    AutoboxResponse { gear: wanted, throttle, state }
}

/// `state` with what the gearbox sees of the car in a step of `dt` (s).
fn observed(
    gearbox: &GearboxParams,
    gears: &GearboxState,
    input: &ShiftMapInput<'_>,
    state: &AutoboxState,
    dt: Real,
) -> AutoboxState {
    let share = dt / (SMOOTHING_TIME + dt);
    let smoothed = |old: Real, new: Real| old + share * (new - old);
    let is_in_gear = gears.is_switching() || gearbox.neutral < gears.current;
    let is_automatic = input.gear == GearCommand::Automatic;
    let is_asked_alike =
        |weak: &WeakGear| (input.throttle - weak.throttle).abs() <= THROTTLE_CHANGE;
    let stays_weak = |weak: &WeakGear| is_in_gear && is_automatic && is_asked_alike(weak);
    AutoboxState {
        smoothed_speed: smoothed(state.smoothed_speed, input.rolling_speed),
        smoothed_power: smoothed(state.smoothed_power, state.drive_power),
        weak_gear: state.weak_gear.filter(stays_weak),
        ..*state
    }
}

/// Whether the engine turns as the gear `gear` does after a shift, or need not.
fn has_met(
    gearbox: &GearboxParams,
    gear: usize,
    input: &ShiftMapInput<'_>,
    state: &AutoboxState,
) -> bool {
    let speed = overall_gear_ratio(gearbox, gear) * input.driven_speed;
    let is_slow = speed <= input.engine.idle_speed;
    let is_met = (speed - input.engine_speed).abs() <= MATCHED_SPEED;
    is_slow || is_met || state.time_since_shift.is_none_or(|time| MAX_MATCHING_TIME < time)
}

#[cfg(test)]
mod tests;
