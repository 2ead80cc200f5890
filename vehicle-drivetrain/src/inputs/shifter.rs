//! Who shifts, and how: paddles, the lever of an H-pattern, or a gearbox that is helped.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::Real;

use super::direction::Direction;
use crate::engine::EngineParams;
use crate::gearbox::GearboxParams;

/// Clutch pedal from which on gears of an H-pattern go in (dimensionless).
const PRESSED: Real = 0.5;
/// Most gears in either direction.
const MOST_GEARS: i32 = 32;

/// Who shifts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Shifting {
    /// The gearbox, or the [assistance](GearAssistParams) of one that does not shift by itself; the
    /// direction follows from the pedals.
    #[default]
    Automatic,
    /// The driver, one gear up or down at a time: paddles, a sequential lever.
    Sequential,
    /// The driver, by a lever that stands in a gear.
    Lever,
}

/// Speeds of an engine at which gears change by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GearAssistParams {
    /// Speed above which the next higher gear goes in (rad/s).
    pub up_speed: Real,
    /// Speed below which the next lower one does (rad/s).
    pub down_speed: Real,
    /// Time from a shift to the next (s).
    pub latency: Real,
}

impl GearAssistParams {
    /// Up at nine tenths of the largest speed of an engine, and down where the lower gear turns it
    /// at seven tenths. Between any two gears of `gearbox` a shift does not ask for its opposite.
    pub fn of(engine: &EngineParams, gearbox: &GearboxParams) -> Self {
        let forward = gearbox.ratios.get(gearbox.neutral + 1..).unwrap_or_default();
        Self::between([engine.idle_speed, engine.max_speed], forward, gearbox.switch_time)
    }

    /// As [`of`](Self::of), of an engine with these idle and largest speeds (rad/s) and a gearbox
    /// that takes `shift_time` (s) between the ratios `forward`.
    pub(super) fn between([idle, most]: [Real; 2], forward: &[Real], shift_time: Real) -> Self {
        let up_speed = 0.9 * most;
        let steps = forward.windows(2).map(|pair| pair[0] / pair[1]);
        let down_speed = 0.7 * most / steps.fold(1.2, Real::max);
        let latency = shift_time + 0.5;
        Self { up_speed, down_speed: down_speed.max(1.2 * idle), latency }
    }
}

/// Gears, and who shifts them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ShifterParams {
    /// Who shifts.
    pub shifting: Shifting,
    /// The lowest reverse gear, negative, or 0 without one, and the highest forward gear.
    pub gears: [i32; 2],
    /// Whether gears of a lever go in only with the clutch pedal pressed.
    pub needs_clutch: bool,
    /// Gears that change by themselves: in automatic, all of a gearbox that does not shift; with
    /// paddles, what the driver forgets. `None` leaves them alone. A lever has none: it stands in
    /// the gear that the driver has chosen.
    pub assist: Option<GearAssistParams>,
}

impl Default for ShifterParams {
    /// A drive without gears, or with a gearbox that shifts by itself.
    fn default() -> Self {
        let shifting = Shifting::Automatic;
        Self { shifting, gears: [-1, 1], needs_clutch: false, assist: None }
    }
}

impl ShifterParams {
    /// Shifter of `gearbox`, shifted by `shifting`.
    pub fn of(gearbox: &GearboxParams, shifting: Shifting) -> Self {
        let highest = gearbox.ratios.len().saturating_sub(gearbox.neutral + 1) as i32;
        let gears = [-(gearbox.neutral as i32), highest];
        Self { shifting, gears, ..Self::default() }
    }
}

impl Validate for ShifterParams {
    fn check(&self, check: &mut ParamCheck) {
        let [lowest, highest] = self.gears;
        let is_reverse = (-MOST_GEARS..=0).contains(&lowest);
        check.require("gears[0]", is_reverse, "within [-32, 0]", lowest);
        let is_forward = (0..=MOST_GEARS).contains(&highest);
        check.require("gears[1]", is_forward, "within [0, 32]", highest);
        let is_met = self.assist.is_none() || self.shifting != Shifting::Lever;
        let requirement = "none for a lever, which only its driver moves";
        check.require("assist", is_met, requirement, "one");
        if let Some(GearAssistParams { up_speed, down_speed, latency }) = self.assist {
            check.number("assist.up_speed", up_speed, Bound::Positive);
            check.number("assist.down_speed", down_speed, Bound::NotNegative);
            let requirement = format_args!("below {up_speed}, the up_speed");
            check.require("assist.down_speed", down_speed < up_speed, requirement, down_speed);
            check.number("assist.latency", latency, Bound::Within(0.0, 10.0));
        }
    }
}

/// What a driver does to gears.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShiftInput {
    /// Whether the paddle for a higher gear is pulled: it shifts once until it is let go of.
    pub up: bool,
    /// Whether the paddle for a lower gear is pulled.
    pub down: bool,
    /// Gear that the lever of an H-pattern stands in: 1, 2, ... forward, 0 in neutral, -1, ... in
    /// reverse.
    pub lever: i32,
}

/// A gear that a driver wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GearChoice {
    /// The gearbox chooses, in this direction.
    Automatic(Direction),
    /// This one: 1, 2, ... forward, 0 in neutral, -1, -2, ... in reverse.
    Manual(i32),
}

impl GearChoice {
    /// -1, 0 or 1: the way that it drives.
    pub fn sign(self) -> i32 {
        match self {
            Self::Automatic(Direction::Forward) => 1,
            Self::Automatic(Direction::Reverse) => -1,
            Self::Manual(gear) => gear.signum(),
        }
    }
}

/// Gears between two steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShifterState {
    /// The gear that is asked for.
    pub gear: i32,
    /// Whether the paddles were pulled, for a higher and a lower gear.
    pub was_pulled: [bool; 2],
    /// Time since the last shift (s).
    pub since_shift: Real,
}

impl ShifterState {
    /// The gear after `dt` (s), of an engine with this `engine_speed` (rad/s), if there is one,
    /// with the `clutch` pedal in [0, 1] pressed so far.
    pub fn update(
        &mut self,
        params: &ShifterParams,
        input: &ShiftInput,
        (direction, clutch): (Direction, Real),
        engine_speed: Option<Real>,
        dt: Real,
    ) -> GearChoice {
        self.since_shift += dt;
        let before = self.gear;
        let pulled = [input.up, input.down];
        let [up, down] = [0, 1].map(|paddle| pulled[paddle] && !self.was_pulled[paddle]);
        self.was_pulled = pulled;
        match params.shifting {
            Shifting::Automatic if params.assist.is_none() => {
                self.gear = direction.sign() as i32;
                return GearChoice::Automatic(direction);
            }
            Shifting::Automatic => {
                let sign = direction.sign() as i32;
                self.gear = if self.gear.signum() == sign { self.gear } else { sign };
            }
            Shifting::Sequential => self.gear += i32::from(up) - i32::from(down),
            Shifting::Lever => {
                let is_free = !params.needs_clutch || PRESSED < clutch || input.lever == 0;
                self.gear = if is_free { input.lever } else { self.gear };
            }
        }
        if self.gear == before {
            self.assist(params, engine_speed);
        }
        let [lowest, highest] = params.gears;
        self.gear = self.gear.min(highest).max(lowest);
        if self.gear != before {
            self.since_shift = 0.0;
        }
        GearChoice::Manual(self.gear)
    }

    fn assist(&mut self, params: &ShifterParams, engine_speed: Option<Real>) {
        let (Some(assist), Some(speed)) = (params.assist, engine_speed) else { return };
        let is_by_lever = params.shifting == Shifting::Lever;
        if is_by_lever || self.gear < 1 || self.since_shift < assist.latency {
            return;
        }
        if assist.up_speed < speed {
            self.gear += 1;
        } else if speed < assist.down_speed && 1 < self.gear {
            self.gear -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIX: ShifterParams = ShifterParams {
        shifting: Shifting::Sequential,
        gears: [-1, 6],
        needs_clutch: false,
        assist: None,
    };
    const FORWARD: (Direction, Real) = (Direction::Forward, 0.0);

    #[test]
    fn a_paddle_shifts_once_until_it_is_let_go_of() {
        let mut state = ShifterState::default();
        let up = ShiftInput { up: true, ..ShiftInput::default() };
        for _ in 0..10 {
            state.update(&SIX, &up, FORWARD, None, 0.01);
        }
        assert_eq!(state.gear, 1);
        for _ in 0..10 {
            state.update(&SIX, &ShiftInput::default(), FORWARD, None, 0.01);
            state.update(&SIX, &up, FORWARD, None, 0.01);
        }
        assert_eq!(state.gear, 6, "there is no seventh");
        let down = ShiftInput { down: true, ..ShiftInput::default() };
        for _ in 0..10 {
            state.update(&SIX, &down, FORWARD, None, 0.01);
            state.update(&SIX, &ShiftInput::default(), FORWARD, None, 0.01);
        }
        assert_eq!(state.gear, -1);
    }

    #[test]
    fn a_lever_goes_in_with_the_clutch_and_out_without() {
        let params = ShifterParams { shifting: Shifting::Lever, needs_clutch: true, ..SIX };
        let mut state = ShifterState::default();
        let third = ShiftInput { lever: 3, ..ShiftInput::default() };
        let mut gear = |input: &ShiftInput, clutch| {
            state.update(&params, input, (Direction::Forward, clutch), None, 0.01)
        };
        assert_eq!(gear(&third, 0.0), GearChoice::Manual(0));
        assert_eq!(gear(&third, 0.8), GearChoice::Manual(3));
        assert_eq!(gear(&ShiftInput::default(), 0.0), GearChoice::Manual(0));
    }

    #[test]
    fn an_automatic_gearbox_is_told_the_direction_and_no_gear() {
        let mut state = ShifterState::default();
        let params = ShifterParams::default();
        let input = ShiftInput { up: true, down: false, lever: 4 };
        for direction in [Direction::Forward, Direction::Reverse] {
            let choice = state.update(&params, &input, (direction, 0.0), Some(500.0), 0.01);
            assert_eq!(choice, GearChoice::Automatic(direction));
        }
    }

    #[test]
    fn assistance_shifts_without_hunting() {
        let (engine, gearbox) = (EngineParams::default(), GearboxParams::default());
        let assist = GearAssistParams::of(&engine, &gearbox);
        let params = ShifterParams {
            assist: Some(assist),
            ..ShifterParams::of(&gearbox, Shifting::Automatic)
        };
        assert!(params.validate().is_ok());
        assert_eq!(params.gears, [-1, 6]);
        let mut state = ShifterState::default();
        let mut shifts = Vec::new();
        // The wheels become faster for 30 s, then slower.
        for step in 0..3_600_i32 {
            let wheel = 260.0 - 0.144 * (step - 1_800).abs() as Real;
            let ratio = match state.gear {
                gear if 0 < gear => gearbox.ratios[1 + gear as usize],
                _ => 0.0,
            };
            let speed = (wheel * ratio * gearbox.final_ratio).max(engine.idle_speed);
            let before = state.gear;
            let input = ShiftInput::default();
            state.update(&params, &input, FORWARD, Some(speed), 1.0 / 60.0);
            if state.gear != before {
                shifts.push(state.gear);
            }
        }
        assert_eq!(shifts, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
    }

    #[test]
    fn a_lever_is_not_helped() {
        let assist = GearAssistParams { up_speed: 600.0, down_speed: 300.0, latency: 0.5 };
        for (shifting, is_accepted) in
            [(Shifting::Automatic, true), (Shifting::Sequential, true), (Shifting::Lever, false)]
        {
            let params = ShifterParams { shifting, assist: Some(assist), ..SIX };
            let message = "assist must be none for a lever, which only its driver moves, got one";
            let text = params.validate().err().map(|errors| errors.to_string());
            assert_eq!(text.as_deref(), (!is_accepted).then_some(message), "{shifting:?}");
        }
        ShifterParams { shifting: Shifting::Lever, ..SIX }.validate().unwrap();
    }

    #[test]
    fn faults_are_named() {
        let assist = GearAssistParams { up_speed: 100.0, down_speed: 200.0, latency: -1.0 };
        let params = ShifterParams { gears: [1, 40], assist: Some(assist), ..SIX };
        assert_eq!(
            params.validate().unwrap_err().to_string(),
            "gears[0] must be within [-32, 0], got 1; gears[1] must be within [0, 32], got 40; \
             assist.down_speed must be below 100, the up_speed, got 200; \
             assist.latency must be within [0, 10], got -1"
        );
    }
}
