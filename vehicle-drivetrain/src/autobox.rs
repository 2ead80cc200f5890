//! The reference's automatic gearbox: a gear up at high engine speed, a gear down at low, whatever
//! the throttle. [`shift_map`](crate::shift_map) has the one that cars drive with.

use std::num::NonZeroU8;

use serde::{Deserialize, Serialize};
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::math::Real;

use crate::gearbox::{GearCommand, GearboxParams, GearboxState};

/// When an automatic gearbox shifts.
///
/// After a shift the engine's speed must be between the two limits of the new gear, or the gearbox
/// shifts to and fro. So `up[g] ratio[g+1] / ratio[g]` must be above `down[g+1]`, and the other way
/// around.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AutoboxParams {
    /// Engine speed, as a fraction of its maximum, above which each gear is left for the next
    /// (dimensionless). Not used: reverse, neutral and the last gear.
    pub up_ratios: Vec<Real>,
    /// Engine speed, as a fraction of its maximum, below which each gear is left for the one below
    /// (dimensionless). Not used: reverse, neutral and the first gear.
    pub down_ratios: Vec<Real>,
    /// Time from the start of a shift to the next, the switch included (s): at least the gearbox's
    /// switch time. The engine slows down in neutral, so that a gearbox that decides as soon as a
    /// gear is in shifts back and never leaves the first gear.
    pub latency: Real,
}

impl AutoboxParams {
    /// Checks the parameters beside `gearbox`.
    pub fn check(&self, check: &mut ParamCheck, gearbox: &GearboxParams) {
        let gears = gearbox.ratios.len();
        for (name, ratios) in [("up_ratios", &self.up_ratios), ("down_ratios", &self.down_ratios)] {
            let requirement = format_args!("of {gears} elements, one per gear");
            check.require(name, ratios.len() == gears, requirement, ratios.len());
        }
        let first = gearbox.neutral.saturating_add(1);
        let check_used = |check: &mut ParamCheck, name: &str, ratios: &[Real], from, to| {
            for (gear, &ratio) in ratios.iter().enumerate().take(to).skip(from) {
                check.number(format_args!("{name}[{gear}]"), ratio, Bound::NotNegative);
            }
        };
        check_used(check, "up_ratios", &self.up_ratios, first, gears.saturating_sub(1));
        check_used(check, "down_ratios", &self.down_ratios, first.saturating_add(1), gears);
        check.number("latency", self.latency, Bound::NotNegative);
        let is_shorter = self.latency < gearbox.switch_time;
        let requirement = format_args!("at least gearbox.switch_time = {}", gearbox.switch_time);
        check.require("latency", !is_shorter, requirement, self.latency);
    }
}

impl Default for AutoboxParams {
    /// Fits [`GearboxParams::default`].
    fn default() -> Self {
        Self {
            up_ratios: vec![0.75; 8],
            down_ratios: vec![0.0, 0.0, 0.0, 0.25, 0.33, 0.38, 0.42, 0.42],
            latency: 1.0,
        }
    }
}

/// Ratios and a time, which have no length in them.
impl Convert for AutoboxParams {
    fn converted(&self, _: &CoordinateConversion) -> Self {
        self.clone()
    }
}

/// State of an automatic gearbox between steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AutoboxState {
    /// Time since the start of the last automatic shift (s), counted until it exceeds the latency;
    /// `None` if there was none since the driver chose a gear.
    pub time_since_shift: Option<Real>,
    /// Whether an automatic shift is under way.
    pub is_shifting: bool,
    /// Speed at which the driven wheels would roll, smoothed over time, by which a shift map tells
    /// the car's acceleration (rad/s).
    #[serde(default)]
    pub smoothed_speed: Real,
    /// Power that the wheels got from the clutch in the last step (W).
    #[serde(default)]
    pub drive_power: Real,
    /// Power from the clutch, smoothed over the same time as the speed (W).
    #[serde(default)]
    pub smoothed_power: Real,
    /// The gear that was too weak, as long as the throttle is about the same.
    #[serde(default)]
    pub weak_gear: Option<WeakGear>,
}

/// The lowest gear that a shift map has left for a lower one under throttle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeakGear {
    /// Throttle at which it was left, in [0, 1].
    pub throttle: Real,
    /// Number of the gear.
    pub gear: u16,
    /// How often it, or another one of those that were too weak, was left since the throttle was
    /// another one.
    pub failures: NonZeroU8,
}

impl AutoboxState {
    /// The start of an automatic shift.
    const SHIFT: Self = Self {
        time_since_shift: Some(0.0),
        is_shifting: true,
        smoothed_speed: 0.0,
        drive_power: 0.0,
        smoothed_power: 0.0,
        weak_gear: None,
    };

    pub(crate) fn has_waited(&self, latency: Real) -> bool {
        self.time_since_shift.is_none_or(|time| latency < time)
    }

    /// This state after `gear` was too weak at `throttle`.
    pub(crate) fn with_weak_gear(self, gear: usize, throttle: Real) -> Self {
        let gear = u16::try_from(gear).unwrap_or(u16::MAX);
        let gear = self.weak_gear.map_or(gear, |weak| weak.gear.min(gear));
        let again = |weak: WeakGear| weak.failures.saturating_add(1);
        let failures = self.weak_gear.map_or(NonZeroU8::MIN, again);
        Self { weak_gear: Some(WeakGear { gear, throttle, failures }), ..self }
    }

    pub(crate) fn later(&self, dt: Real) -> Self {
        Self { time_since_shift: self.time_since_shift.map(|time| time + dt), ..*self }
    }
}

/// Gear command, throttle and engine speed by which an automatic gearbox shifts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoboxInput {
    /// The gear that the driver asks for.
    pub gear: GearCommand,
    /// Accelerator pedal, in [0, 1].
    pub throttle: Real,
    /// Speed of the engine as a fraction of its maximum (dimensionless).
    pub engine_speed_fraction: Real,
    /// The gear that goes in from neutral and reverse: the
    /// [lowest that is safe](crate::gearbox::lowest_safe_gear). `None` leaves it out.
    pub lowest_gear: Option<usize>,
}

/// Gear and throttle that an automatic gearbox sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoboxResponse {
    /// The gear.
    pub gear: usize,
    /// The throttle, in [0, 1].
    pub throttle: Real,
    /// The automatic gearbox afterwards.
    pub state: AutoboxState,
}

/// The automatic gearbox `dt` (s) after `state`.
///
/// A gear of the driver's choice is passed on, and forgets the last shift. Otherwise, in this
/// order:
///
/// - from neutral and reverse to the lowest gear that is safe, which is the first at low speed, at
///   once;
/// - when the last shift was longer ago than the latency, a gear down below `down_ratios`, else a
///   gear up above `up_ratios`. It is never down from the first gear, and never up from the last.
///
/// The throttle is cut in the update that starts a shift and in each that begins while the gearbox
/// still switches. As the gear goes in after this stage, in the substeps, the throttle comes back
/// one frame after the gear. The latency counts from the start of a shift, so it includes the time
/// in neutral. While the throttle is cut the engine is only slowed down by its friction. So an
/// upshift finds it faster than its new gear, and the clutch makes up for the difference.
pub fn autobox(
    params: &AutoboxParams,
    gearbox: &GearboxParams,
    gears: &GearboxState,
    input: &AutoboxInput,
    state: &AutoboxState,
    dt: Real,
) -> AutoboxResponse {
    let GearCommand::Automatic = input.gear else {
        let gear = input.gear.gear(gears);
        return AutoboxResponse { gear, throttle: input.throttle, state: AutoboxState::default() };
    };
    let stay = |throttle, state| AutoboxResponse { gear: gears.target, throttle, state };
    if gears.is_switching() {
        let throttle = if state.is_shifting { 0.0 } else { input.throttle };
        return stay(throttle, state.later(dt));
    }
    let state = AutoboxState { is_shifting: false, ..*state };
    if let Some(gear) = next_gear(params, gearbox, gears.current, input, &state) {
        return AutoboxResponse { gear, throttle: 0.0, state: AutoboxState::SHIFT };
    }
    let has_waited = state.has_waited(params.latency);
    stay(input.throttle, if has_waited { state } else { state.later(dt) })
}

/// The gear to which an automatic gearbox shifts from `current`, if it does.
fn next_gear(
    params: &AutoboxParams,
    gearbox: &GearboxParams,
    current: usize,
    input: &AutoboxInput,
    state: &AutoboxState,
) -> Option<usize> {
    let first = gearbox.first_gear()?;
    if current < first {
        return input.lowest_gear;
    }
    if !state.has_waited(params.latency) {
        return None;
    }
    let speed = input.engine_speed_fraction;
    let is_slow = params.down_ratios.get(current).is_some_and(|&down| speed < down);
    let is_fast = params.up_ratios.get(current).is_some_and(|&up| up < speed);
    if is_slow && first < current {
        return Some(current - 1);
    }
    (is_fast && current + 1 < gearbox.ratios.len()).then_some(current + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gearbox::{GearInterlock, commanded_gearbox, lowest_safe_gear, updated_gearbox};

    fn gearbox() -> GearboxParams {
        GearboxParams {
            ratios: vec![-4.0, 0.0, 4.0, 2.0, 1.5, 1.1, 1.0],
            neutral: 1,
            final_ratio: 4.0,
            switch_time: 0.5,
            interlock: None,
        }
    }

    fn params() -> AutoboxParams {
        AutoboxParams { up_ratios: vec![0.65; 7], down_ratios: vec![0.5; 7], latency: 2.0 }
    }

    fn automatic(engine_speed_fraction: Real) -> AutoboxInput {
        AutoboxInput {
            gear: GearCommand::Automatic,
            throttle: 0.65,
            engine_speed_fraction,
            lowest_gear: gearbox().first_gear(),
        }
    }

    /// (frame, current gear after it, target gear after it, throttle), where one has changed.
    fn trace(
        frames: usize,
        engine_speed: impl Fn(usize) -> Real,
    ) -> Vec<(usize, usize, usize, Real)> {
        const DT: Real = 1.0 / 60.0;
        let mut gears = GearboxState::in_gear(1);
        let mut state = AutoboxState::default();
        let mut events: Vec<(usize, usize, usize, Real)> = Vec::new();
        for frame in 0..frames {
            let input = automatic(engine_speed(frame) / 600.0);
            let response = autobox(&params(), &gearbox(), &gears, &input, &state, DT);
            state = response.state;
            gears = commanded_gearbox(&gearbox(), &gears, response.gear);
            for _ in 0..3 {
                gears = updated_gearbox(&gearbox(), &gears, DT / 3.0);
            }
            let event = (frame, gears.current, gears.target, response.throttle);
            let is_new = events
                .last()
                .is_none_or(|last| (last.1, last.2, last.3) != (event.1, event.2, event.3));
            if is_new {
                events.push(event);
            }
        }
        events
    }

    #[test]
    fn shifts_come_in_the_references_frames() {
        let events = trace(500, |frame| if frame < 300 { 450.0 } else { 250.0 });
        let expected = [
            (0, 1, 2, 0.0),
            (30, 2, 2, 0.0),
            (31, 2, 2, 0.65),
            (122, 1, 3, 0.0),
            (152, 3, 3, 0.0),
            (153, 3, 3, 0.65),
            (244, 1, 4, 0.0),
            (274, 4, 4, 0.0),
            (275, 4, 4, 0.65),
            (366, 1, 3, 0.0),
            (396, 3, 3, 0.0),
            (397, 3, 3, 0.65),
        ];
        // The next shift, down to the first gear, is beyond the reference's table.
        assert_eq!(events[..expected.len()], expected);
    }

    #[test]
    fn limits_hold_at_the_ends_and_after_the_latency_only() {
        // (gear, engine speed, time since the last shift, wanted gear)
        let cases = [
            (2, 0.1, None, None),
            (2, 0.7, None, Some(3)),
            (3, 0.1, None, Some(2)),
            (3, 0.6, None, None),
            (6, 0.9, None, None),
            (3, 0.9, Some(2.0), None),
            (3, 0.9, Some(2.01), Some(4)),
            (0, 0.9, Some(0.0), Some(2)),
            (3, Real::NAN, None, None),
        ];
        for (gear, speed, time_since_shift, wanted) in cases {
            let state = AutoboxState { time_since_shift, ..AutoboxState::default() };
            let gears = GearboxState::in_gear(gear);
            let response = autobox(&params(), &gearbox(), &gears, &automatic(speed), &state, 0.01);
            let case = format!("gear {gear}, speed {speed}, {time_since_shift:?}: {response:?}");
            assert_eq!(response.gear, wanted.unwrap_or(gear), "{case}");
            assert_eq!(response.throttle == 0.0, wanted.is_some(), "{case}");
            assert_eq!(response.state.is_shifting, wanted.is_some(), "{case}");
        }
    }

    #[test]
    fn lower_gear_wins_where_limits_overlap() {
        let params = AutoboxParams { down_ratios: vec![0.9; 7], ..params() };
        let gears = GearboxState::in_gear(3);
        let state = AutoboxState::default();
        let response = autobox(&params, &gearbox(), &gears, &automatic(0.8), &state, 0.01);
        assert_eq!(response.gear, 2);
    }

    #[test]
    fn drivers_choice_is_passed_on_and_forgets_the_last_shift() {
        let input = AutoboxInput { gear: GearCommand::Gear(5), ..automatic(0.9) };
        let gears = GearboxState::in_gear(2);
        let response = autobox(&params(), &gearbox(), &gears, &input, &AutoboxState::SHIFT, 0.01);
        assert_eq!((response.gear, response.throttle), (5, 0.65));
        assert_eq!(response.state, AutoboxState::default());
    }

    #[test]
    fn the_lowest_gear_that_is_safe_goes_in_from_neutral() {
        let interlock = Some(GearInterlock::default());
        let (gearbox, gears) = (GearboxParams { interlock, ..gearbox() }, GearboxState::in_gear(1));
        // (speed of the wheels (rad/s), gear that goes in, throttle)
        for (speed, expected, throttle) in
            [(0.0, 2, 0.0), (-100.0, 2, 0.0), (50.0, 3, 0.0), (145.0, 6, 0.0), (200.0, 1, 0.65)]
        {
            let lowest_gear = lowest_safe_gear(&gearbox, &gears, speed, 600.0);
            let input = AutoboxInput { lowest_gear, ..automatic(0.2) };
            let state = AutoboxState::default();
            let response = autobox(&params(), &gearbox, &gears, &input, &state, 0.01);
            assert_eq!((response.gear, response.throttle), (expected, throttle), "{speed} rad/s");
        }
    }

    #[test]
    fn gearbox_without_forward_gears_stays() {
        let gearbox = GearboxParams { ratios: vec![-4.0, 0.0], ..gearbox() };
        let gears = GearboxState::in_gear(0);
        let state = AutoboxState::default();
        let response = autobox(&params(), &gearbox, &gears, &automatic(0.9), &state, 0.01);
        assert_eq!((response.gear, response.throttle), (0, 0.65));
    }

    #[test]
    fn default_limits_do_not_shift_to_and_fro() {
        let (gearbox, params) = (GearboxParams::default(), AutoboxParams::default());
        let mut check = ParamCheck::default();
        params.check(&mut check, &gearbox);
        check.finish().unwrap();
        for gear in gearbox.first_gear().unwrap()..gearbox.ratios.len() - 1 {
            let step = gearbox.ratios[gear] / gearbox.ratios[gear + 1];
            let (up, down) = (params.up_ratios[gear], params.down_ratios[gear + 1]);
            assert!(1.1 * down < up / step, "gear {gear}: {down} after {}", up / step);
            assert!(1.1 * down * step < up, "gear {gear}: {up} after {}", down * step);
        }
    }

    #[test]
    fn bad_limits_are_refused() {
        let message = |params: &AutoboxParams| {
            let mut check = ParamCheck::default();
            params.check(&mut check, &gearbox());
            check.finish().unwrap_err().to_string()
        };
        let (mut short, mut negative) = (params(), params());
        short.up_ratios.pop();
        assert_eq!(message(&short), "up_ratios must be of 7 elements, one per gear, got 6");
        negative.up_ratios[0] = -1.0;
        negative.down_ratios[3] = -1.0;
        negative.latency = Real::NAN;
        assert_eq!(
            message(&negative),
            "down_ratios[3] must be finite and not negative, got -1; \
             latency must be finite and not negative, got NaN"
        );
    }
}
