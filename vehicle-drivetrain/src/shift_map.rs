//! An automatic gearbox with a shift map: its gear follows from the speed of the car and the
//! accelerator pedal.

use serde::{Deserialize, Serialize};
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::math::{Clamped, Real};

use crate::autobox::{AutoboxResponse, AutoboxState};
use crate::engine::{EngineParams, engine_torque};
use crate::gearbox::{GearCommand, GearboxParams, GearboxState, overall_gear_ratio};

/// How much slower than its new gear an engine is when a shift opens its throttle fully (rad/s).
const MATCHING_SPEED: Real = 60.0;
/// Difference of the speeds of engine and gear at which a shift is over (rad/s).
const MATCHED_SPEED: Real = 10.0;
/// Time after which a shift is over although engine and gear have not met (s): wheels spin or stand.
const MAX_MATCHING_TIME: Real = 1.5;

/// Fraction of the engine's maximum speed beyond which a gear is left for the next in any case
/// (dimensionless).
const MAX_SPEED_FRACTION: Real = 0.97;
/// Time over which the speed of the car is smoothed (s).
const SMOOTHING_TIME: Real = 0.7;

/// When an automatic gearbox shifts, over the speed of the car and the accelerator pedal.
///
/// ```text
/// n_g = G_g ω                                   speed of the engine in the gear g (rad/s)
/// up from g to g+1     where  n_g > up(θ)
/// down from g+1 to g   where  n_g < down(θ)
/// ```
///
/// with the throttle `θ`, the overall ratio `G_g` of the gear and the speed `ω` of the driven wheels. That is
/// known twice: as the differential averages it, and as the wheels would roll. Wheels that spin turn faster
/// than they would roll, wheels that lock turn slower. So a gear is left for a higher one by the lesser of the
/// two, and for a lower one by the greater: neither a start on smoke nor a panic stop makes the gearbox shift.
///
/// Both lines are in the speed that the engine has in the *lower* of the two
/// gears, so that one pair of lines serves all gears, whatever the steps between them: as long as
/// `down < up`, no shift asks for its opposite. Over the pedal they say how the car is driven: low at
/// little throttle, which is economy; close to the engine's maximum at full throttle, which is
/// kick-down. A shift may skip gears.
///
/// Uphill, the higher gear needs more throttle for the power that the road asks for, and that throttle may
/// ask for the lower gear again. So a gear is left for the next only where it does not: with the power
/// that holds the speed, `down(θ') < n_g` at the throttle `θ'` that gives it in the higher gear.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ShiftMapParams {
    /// Speed in the lower gear (rad/s) above which the higher is taken, over the throttle in [0, 1].
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
        // Between the points of both, the difference of two straight lines has its extremes at the ends.
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

    /// The gear for a car in the forward gear `current`, whose road asks for `needed_power` (W).
    fn gear(
        &self,
        gearbox: &GearboxParams,
        current: usize,
        input: &ShiftMapInput<'_>,
        needed_power: Real,
    ) -> usize {
        let (up, down) = (self.up.evaluate(input.throttle), self.down.evaluate(input.throttle));
        let slower = input.driven_speed.min(input.rolling_speed);
        let faster = input.driven_speed.max(input.rolling_speed);
        let is_left = |&gear: &usize| {
            let speed = overall_gear_ratio(gearbox, gear) * slower;
            let next_speed = overall_gear_ratio(gearbox, gear + 1) * slower;
            let throttle = input.throttle_for(needed_power, next_speed);
            let stays = throttle <= 1.0 && self.down.evaluate(throttle) < speed;
            up < speed && (stays || MAX_SPEED_FRACTION * input.engine.max_speed < speed)
        };
        let gear = current + (current..gearbox.ratios.len() - 1).take_while(is_left).count();
        if gear != current {
            return gear;
        }
        let first = gearbox.neutral + 1;
        let is_slow = |&gear: &usize| overall_gear_ratio(gearbox, gear) * faster < down;
        let lower = (first..current).rev().take_while(is_slow);
        current - lower.count()
    }
}

impl ShiftMapInput<'_> {
    /// Throttle at which the engine has `power` (W) at `speed` (rad/s); more than 1 where it has not.
    fn throttle_for(&self, power: Real, speed: Real) -> Real {
        let most = engine_torque(self.engine, 1.0, speed) * speed;
        if 0.0 < most { power.max(0.0) / most } else { Real::INFINITY }
    }

    /// Power that the road asks for at a constant speed (W): that of the engine, but for what makes the
    /// car faster. `smoothed_speed` (rad/s) follows the speed at which its driven wheels would roll.
    ///
    /// ```text
    /// P = θ T_full(ω_E) ω_E - m R² ω dω/dt
    /// ```
    fn needed_power(&self, smoothed_speed: Real) -> Real {
        let acceleration = (self.rolling_speed - smoothed_speed) / SMOOTHING_TIME;
        let given =
            engine_torque(self.engine, self.throttle, self.engine_speed) * self.engine_speed;
        given - self.carried_inertia * self.rolling_speed * acceleration
    }
}

/// What an automatic gearbox with a shift map goes by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShiftMapInput<'a> {
    /// The gear that the driver asks for.
    pub gear: GearCommand,
    /// Accelerator pedal, in [0, 1].
    pub throttle: Real,
    /// Speed of the engine (rad/s).
    pub engine_speed: Real,
    /// The engine.
    pub engine: &'a EngineParams,
    /// Speed of the driven wheels, as the differential averages it (rad/s).
    pub driven_speed: Real,
    /// Speed at which these wheels would roll over the ground without slip, without its sign (rad/s).
    pub rolling_speed: Real,
    /// The mass of the car, as a moment of inertia that its driven wheels turn, m R² (kg·m²).
    pub carried_inertia: Real,
}

/// The automatic gearbox with a shift map `dt` (s) after `state`.
///
/// It executes the driver's choice of a gear like its own: from the start of a shift until engine and
/// gear have met, which is after the clutch has closed, the throttle is that which brings the engine to
/// the speed of the new gear: none up, a blip down.
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
    let share = dt / (SMOOTHING_TIME + dt);
    let smoothed_speed =
        state.smoothed_speed + share * (input.rolling_speed - state.smoothed_speed);
    let state = &AutoboxState { smoothed_speed, ..*state };
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
        (GearCommand::Automatic, Some(first)) if has_waited || gears.current < first => {
            let current = gears.current.max(first);
            params.gear(gearbox, current, input, input.needed_power(smoothed_speed))
        }
        _ => gears.current,
    };
    if wanted == gears.current || gearbox.ratios.len() <= wanted {
        return stay(input.throttle, if has_waited { state } else { state.later(dt) });
    }
    let is_shifting = wanted != gearbox.neutral;
    let throttle = if is_shifting { matched(wanted) } else { input.throttle };
    let state = AutoboxState { time_since_shift: Some(0.0), is_shifting, ..state };
    AutoboxResponse { gear: wanted, throttle, state }
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
mod tests {
    use super::*;

    const DT: Real = 1.0 / 60.0;
    /// The first gear of the default gearbox.
    const FIRST: usize = 2;

    fn input(engine: &EngineParams, throttle: Real, driven_speed: Real) -> ShiftMapInput<'_> {
        let gear = GearCommand::Automatic;
        let carried_inertia = 160.0;
        ShiftMapInput {
            gear,
            throttle,
            engine_speed: 200.0,
            engine,
            driven_speed,
            rolling_speed: driven_speed.abs(),
            carried_inertia,
        }
    }

    /// The gear of a car that accelerates, so that the road needs no power.
    fn gear(current: usize, throttle: Real, driven_speed: Real) -> usize {
        let (params, gearbox) = (ShiftMapParams::default(), GearboxParams::default());
        params.gear(
            &gearbox,
            current,
            &input(&EngineParams::default(), throttle, driven_speed),
            0.0,
        )
    }

    #[test]
    fn more_throttle_takes_a_lower_gear_and_never_a_higher() {
        let last = GearboxParams::default().ratios.len() - 1;
        for speed in [0.0, 10.0, 25.0, 43.0, 60.0, 80.0, 104.0, 150.0] {
            for current in FIRST..=last {
                let gears =
                    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0].map(|throttle| gear(current, throttle, speed));
                assert!(gears.is_sorted_by(|less, more| more <= less), "{speed} rad/s: {gears:?}");
            }
        }
        // 80 km/h: the highest gear at little throttle, kick-down by four.
        assert_eq!((gear(last, 0.1, 67.3), gear(last, 1.0, 67.3)), (last, last - 4));
    }

    #[test]
    fn no_shift_asks_for_its_opposite() {
        let last = GearboxParams::default().ratios.len() - 1;
        for step in 0..=200 {
            for throttle in [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0] {
                let speed = step as Real;
                for current in FIRST..=last {
                    let shifted = gear(current, throttle, speed);
                    let again = gear(shifted, throttle, speed);
                    assert_eq!(again, shifted, "{throttle}, {speed} rad/s, from {current}");
                }
            }
        }
    }

    #[test]
    fn gear_is_not_left_where_the_road_would_bring_it_back() {
        let (params, gearbox, engine) =
            (ShiftMapParams::default(), GearboxParams::default(), EngineParams::default());
        // 120 km/h with the power of a level road, and of one that rises by 6 %.
        let last = gearbox.ratios.len() - 1;
        for (power, expected) in [(20e3, last), (49e3, last - 1)] {
            let input = input(&engine, 0.45, 101.0);
            let gear = params.gear(&gearbox, last - 3, &input, power);
            assert_eq!(gear, expected, "{power} W");
            assert_eq!(params.gear(&gearbox, gear, &input, power), gear, "{power} W");
        }
        let input = input(&engine, 0.5, 100.0);
        let given = engine_torque(&engine, 0.5, 200.0) * 200.0;
        assert_eq!(input.needed_power(100.0), given);
        let faster = given - 160.0 * 100.0 * 2.0;
        assert!((input.needed_power(100.0 - 2.0 * SMOOTHING_TIME) - faster).abs() < 1.0);
    }

    #[test]
    fn wheels_that_spin_or_lock_do_not_make_it_shift() {
        let (params, gearbox, engine) =
            (ShiftMapParams::default(), GearboxParams::default(), EngineParams::default());
        // (speed of the wheels, speed at which they would roll, throttle, from, to)
        let cases = [
            (48.0, 10.0, 1.0, FIRST, FIRST),
            (48.0, 48.0, 1.0, FIRST, FIRST + 1),
            (0.0, 80.0, 0.0, FIRST + 4, FIRST + 4),
            (0.0, 0.0, 0.0, FIRST + 4, FIRST),
            (80.0, 20.0, 1.0, FIRST + 1, FIRST + 1),
        ];
        for (driven_speed, rolling_speed, throttle, current, expected) in cases {
            let input = ShiftMapInput { rolling_speed, ..input(&engine, throttle, driven_speed) };
            let gear = params.gear(&gearbox, current, &input, 0.0);
            assert_eq!(gear, expected, "{driven_speed} and {rolling_speed} rad/s, {throttle}");
        }
    }

    #[test]
    fn shift_ends_when_engine_and_gear_have_met() {
        let engine = &EngineParams::default();
        let (params, gearbox) = (ShiftMapParams::default(), GearboxParams::default());
        let shifting = AutoboxState {
            time_since_shift: Some(0.4),
            is_shifting: true,
            ..AutoboxState::default()
        };
        let gears = GearboxState::in_gear(FIRST + 1);
        let driven_speed = 30.0;
        let speed = overall_gear_ratio(&gearbox, FIRST + 1) * driven_speed;
        // (engine faster by, throttle, is shifting)
        for (faster, throttle, is_shifting) in
            [(100.0, 0.0, true), (-30.0, 0.5, true), (-100.0, 1.0, true), (9.0, 0.7, false)]
        {
            let input =
                ShiftMapInput { engine_speed: speed + faster, ..input(engine, 0.7, driven_speed) };
            let response = mapped_autobox(&params, &gearbox, &gears, &input, &shifting, DT);
            assert!((response.throttle - throttle).abs() < 1e-4, "{faster} rad/s: {response:?}");
            assert_eq!(response.state.is_shifting, is_shifting, "{faster} rad/s");
        }
        // An engine that waits for a car to pull away is not waited for.
        let input = ShiftMapInput { engine_speed: 200.0, ..input(engine, 0.7, 0.0) };
        let response = mapped_autobox(&params, &gearbox, &gears, &input, &shifting, DT);
        assert_eq!((response.throttle, response.state.is_shifting), (0.7, false));
    }

    #[test]
    fn drivers_choice_is_executed_like_its_own() {
        let engine = &EngineParams::default();
        let (params, gearbox) = (ShiftMapParams::default(), GearboxParams::default());
        let gears = GearboxState::in_gear(FIRST + 2);
        let input =
            ShiftMapInput { gear: GearCommand::Gear(FIRST + 1), ..input(engine, 0.7, 30.0) };
        let state = AutoboxState { time_since_shift: Some(0.1), ..AutoboxState::default() };
        let response = mapped_autobox(&params, &gearbox, &gears, &input, &state, DT);
        assert_eq!((response.gear, response.state.is_shifting), (FIRST + 1, true));
        assert!(0.3 < response.throttle, "{response:?}");
        let neutral = ShiftMapInput { gear: GearCommand::Gear(gearbox.neutral), ..input };
        let response = mapped_autobox(&params, &gearbox, &gears, &neutral, &state, DT);
        assert_eq!((response.gear, response.throttle), (gearbox.neutral, 0.7));
    }

    #[test]
    fn bad_maps_are_refused() {
        let message = |params: &ShiftMapParams| {
            let mut check = ParamCheck::default();
            params.check(&mut check, &EngineParams::default());
            check.finish().map_or_else(|error| error.to_string(), |()| "good".to_owned())
        };
        let good = ShiftMapParams::default();
        assert_eq!(message(&good), "good");
        let table = |points: &[(Real, Real)]| LookupTable::new(points).unwrap();
        let crossing =
            ShiftMapParams { down: table(&[(0.0, 100.0), (1.0, 640.0)]), ..good.clone() };
        assert_eq!(
            message(&crossing),
            "down must be below up at every throttle: below 215 rad/s at 0.25, got 235"
        );
        let mut bad = ShiftMapParams { up: LookupTable::default(), ..good.clone() };
        assert!(
            message(&bad).starts_with("up must be at least one point, got none"),
            "{}",
            message(&bad)
        );
        bad = ShiftMapParams { up: table(&[(0.0, 300.0), (2.0, 700.0)]), latency: -1.0, ..good };
        let found = message(&bad);
        for part in [
            "up[1].x must be within [0, 1], got 2",
            "up[1].y must be within [0, 680], got 700",
            "latency must be finite and not negative, got -1",
        ] {
            assert!(found.contains(part), "{found}");
        }
    }
}
