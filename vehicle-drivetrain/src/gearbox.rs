//! The gearbox: gears, and the time that it takes to switch between them.
//!
//! A gearbox that switches is in neutral until the time is over. Gears are numbered from the lowest
//! reverse gear up: with one reverse gear, 0 is reverse, 1 neutral and 2 the first gear.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::math::Real;

/// Most gears of a gearbox, reverse and neutral among them.
pub const MAX_GEARS: usize = 32;

/// A gear that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GearCommand {
    /// The gear of this number. A checked step refuses one that does not exist; otherwise it is
    /// ignored.
    Gear(usize),
    /// The choice of the automatic gearbox. A checked step refuses it where there is none;
    /// otherwise the gear stays.
    Automatic,
}

impl GearCommand {
    /// Number of the gear that is asked for; for `Automatic`, of the one that is in or going in.
    pub fn gear(self, state: &GearboxState) -> usize {
        match self {
            Self::Gear(gear) => gear,
            Self::Automatic => state.target,
        }
    }
}

/// A gearbox.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GearboxParams {
    /// Rotations of the input per rotation of the output, of each gear: reverse gears, negative;
    /// neutral, 0; forward gears, positive (dimensionless). To either side of neutral, each gear
    /// has a smaller ratio than the one nearer to neutral.
    pub ratios: Vec<Real>,
    /// The number of the neutral gear.
    pub neutral: usize,
    /// Ratio of the final drive, for all gears (dimensionless).
    pub final_ratio: Real,
    /// Time in neutral while the gear is switched (s).
    pub switch_time: Real,
    /// Refuses gears that would harm engine and gearbox; `None` lets all pass, as the reference
    /// does.
    #[serde(default)]
    pub interlock: Option<GearInterlock>,
}

/// Refuses gears that would harm engine and gearbox at the present speed. The gearbox stays in its
/// gear, and obeys as soon as the car is slow enough, if the driver still asks for it then.
///
/// Refused is a gear that would turn the engine faster than its maximum, unless the present one
/// turns it faster still, and a reverse gear while the car rolls forward. A forward gear goes in
/// while the car rolls backward: no engine turns backward, so that the clutch slips, and pulls,
/// until the car has turned around.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GearInterlock {
    /// Speed of the driven wheels above which no reverse gear goes in (rad/s).
    pub max_reversal_speed: Real,
}

impl Default for GearInterlock {
    /// The interlock of a car: 5 km/h.
    fn default() -> Self {
        Self { max_reversal_speed: 4.2 }
    }
}

impl GearboxParams {
    /// The number of the first forward gear, if there is one.
    pub fn first_gear(&self) -> Option<usize> {
        let first = self.neutral.checked_add(1)?;
        (first < self.ratios.len()).then_some(first)
    }

    /// Checks that the ratios become smaller from neutral on, to either side.
    fn check_order(&self, check: &mut ParamCheck) {
        if self.ratios.len() <= self.neutral {
            return;
        }
        for (gear, pair) in self.ratios.windows(2).enumerate() {
            let [before, ratio] = [pair[0], pair[1]];
            if self.neutral < gear {
                let requirement = format_args!("below {before}, the ratio of the gear before");
                let name = format_args!("ratios[{}]", gear + 1);
                check.require(name, ratio < before, requirement, ratio);
            } else if gear + 1 < self.neutral {
                let requirement = format_args!("above {ratio}, the ratio of the gear after");
                check.require(format_args!("ratios[{gear}]"), ratio < before, requirement, before);
            }
        }
    }
}

impl Default for GearboxParams {
    /// Reverse and six forward gears of a mid-size car.
    fn default() -> Self {
        Self {
            ratios: vec![-3.4, 0.0, 3.7, 2.02, 1.4, 1.08, 0.86, 0.69],
            neutral: 1,
            final_ratio: 3.7,
            switch_time: 0.1,
            interlock: Some(GearInterlock::default()),
        }
    }
}

impl Validate for GearboxParams {
    fn check(&self, check: &mut ParamCheck) {
        let count = self.ratios.len();
        let requirement = format_args!("at least 1 and at most {MAX_GEARS} gears");
        check.require("ratios", (1..=MAX_GEARS).contains(&count), requirement, count);
        let requirement = format_args!("a gear below {count}");
        check.require("neutral", self.neutral < count, requirement, self.neutral);
        // Without a neutral gear, no other one is known to be one.
        let known = if self.neutral < count { &self.ratios[..] } else { &[] };
        for (gear, &ratio) in known.iter().enumerate() {
            let name = format!("ratios[{gear}]");
            let (is_met, requirement) = match gear.cmp(&self.neutral) {
                Ordering::Less => (ratio < 0.0, "negative, as of a reverse gear"),
                Ordering::Equal => (ratio == 0.0, "0, as of the neutral gear"),
                Ordering::Greater => (0.0 < ratio, "positive, as of a forward gear"),
            };
            let requirement = format_args!("finite and {requirement}");
            check.require(&name, is_met && ratio.is_finite(), requirement, ratio);
        }
        self.check_order(check);
        check.number("final_ratio", self.final_ratio, Bound::Positive);
        check.number("switch_time", self.switch_time, Bound::NotNegative);
        if let Some(GearInterlock { max_reversal_speed }) = self.interlock {
            let name = "interlock.max_reversal_speed";
            check.number(name, max_reversal_speed, Bound::NotNegative);
        }
    }
}

/// Ratios and times, which have no length in them.
impl Convert for GearboxParams {
    fn converted(&self, _: &CoordinateConversion) -> Self {
        self.clone()
    }
}

/// How far a gearbox has come on its way to another gear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GearSwitch {
    /// The gearbox stays in its gear.
    #[default]
    None,
    /// The gearbox has left its gear; the clock starts with the next update.
    Requested,
    /// Time since the clock was started (s).
    Elapsed(Real),
}

/// The gear of a gearbox.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GearboxState {
    /// The gear that is in; neutral while switching.
    pub current: usize,
    /// The gear that will be in.
    pub target: usize,
    /// The way there.
    pub switch: GearSwitch,
}

impl GearboxState {
    /// A gearbox in `gear`.
    pub fn in_gear(gear: usize) -> Self {
        Self { current: gear, target: gear, switch: GearSwitch::None }
    }

    /// Whether the gearbox is on its way to another gear.
    pub fn is_switching(&self) -> bool {
        self.current != self.target
    }
}

/// The gearbox after `gear` was asked for.
///
/// It goes to neutral at once, and to `gear` when [`updated_gearbox`] has counted the time. Gears
/// may be skipped. While it switches, commands are ignored, as are gears that do not exist.
pub fn commanded_gearbox(
    params: &GearboxParams,
    state: &GearboxState,
    gear: usize,
) -> GearboxState {
    if state.is_switching() || gear == state.current || params.ratios.len() <= gear {
        return *state;
    }
    if gear == params.neutral {
        return GearboxState::in_gear(gear);
    }
    GearboxState { current: params.neutral, target: gear, switch: GearSwitch::Requested }
}

/// Whether `gear` may go in while the driven wheels turn at `driven_speed` (rad/s) and the engine
/// must not turn faster than `max_engine_speed` (rad/s).
pub fn is_gear_safe(
    params: &GearboxParams,
    state: &GearboxState,
    gear: usize,
    driven_speed: Real,
    max_engine_speed: Real,
) -> bool {
    let Some(GearInterlock { max_reversal_speed }) = params.interlock else { return true };
    let engine_speed = |gear| overall_gear_ratio(params, gear) * driven_speed;
    let (wanted, present) = (engine_speed(gear), engine_speed(state.current));
    let is_reversal = overall_gear_ratio(params, gear) < 0.0 && max_reversal_speed < driven_speed;
    let is_too_fast = max_engine_speed < wanted && present < wanted;
    !is_reversal && !is_too_fast
}

/// The lowest forward gear that [may go in](is_gear_safe); `None` if none may.
pub fn lowest_safe_gear(
    params: &GearboxParams,
    state: &GearboxState,
    driven_speed: Real,
    max_engine_speed: Real,
) -> Option<usize> {
    let is_safe = |&gear: &usize| is_gear_safe(params, state, gear, driven_speed, max_engine_speed);
    (params.first_gear()?..params.ratios.len()).find(is_safe)
}

/// The gearbox `dt` (s) after `state`.
///
/// The first update after a command only starts the clock, and the gear is in once the clock is
/// beyond the switch time. So a gearbox spends `1 + floor(switch time / dt)` updates in neutral,
/// and one even if switching takes no time.
pub fn updated_gearbox(params: &GearboxParams, state: &GearboxState, dt: Real) -> GearboxState {
    if !state.is_switching() {
        return *state;
    }
    let elapsed = match state.switch {
        GearSwitch::None | GearSwitch::Requested => 0.0,
        GearSwitch::Elapsed(time) => time + dt,
    };
    if params.switch_time < elapsed {
        return GearboxState::in_gear(state.target);
    }
    GearboxState { switch: GearSwitch::Elapsed(elapsed), ..*state }
}

/// Rotations of the engine per rotation of the wheels (dimensionless): positive forward, negative
/// in reverse, 0 in neutral and for a gear that does not exist.
///
/// ```text
/// G = ratio final ratio
/// ```
#[inline]
pub fn overall_gear_ratio(params: &GearboxParams, gear: usize) -> Real {
    params.ratios.get(gear).map_or(0.0, |ratio| ratio * params.final_ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gearbox() -> GearboxParams {
        GearboxParams {
            ratios: vec![-4.0, 0.0, 4.0, 2.0, 1.5, 1.1, 1.0],
            neutral: 1,
            final_ratio: 4.0,
            switch_time: 0.5,
            interlock: None,
        }
    }

    /// Updates until the gear is in.
    fn updates(params: &GearboxParams, dt: Real) -> usize {
        let mut state = commanded_gearbox(params, &GearboxState::in_gear(2), 4);
        let mut count = 0;
        while state.is_switching() {
            assert_eq!((state.current, state.target), (1, 4));
            state = updated_gearbox(params, &state, dt);
            count += 1;
        }
        assert_eq!(state, GearboxState::in_gear(4));
        count
    }

    #[test]
    fn switching_takes_its_time_in_neutral() {
        // The last update integrates in the new gear. Powers of two add up without rounding.
        for (switch_time, dt, expected) in [(0.5, 0.25, 4), (0.5, 0.375, 3), (0.0, 0.25, 2)] {
            let params = GearboxParams { switch_time, ..gearbox() };
            assert_eq!(updates(&params, dt), expected, "{switch_time} s in steps of {dt} s");
        }
    }

    #[test]
    fn commands_are_obeyed_between_switches_only() {
        let params = gearbox();
        let first = GearboxState::in_gear(2);
        assert_eq!(commanded_gearbox(&params, &first, 2), first);
        assert_eq!(commanded_gearbox(&params, &first, 7), first);
        assert_eq!(commanded_gearbox(&params, &first, 1), GearboxState::in_gear(1));
        let to_reverse = commanded_gearbox(&params, &first, 0);
        let switch = GearSwitch::Requested;
        assert_eq!(to_reverse, GearboxState { current: 1, target: 0, switch });
        assert_eq!(commanded_gearbox(&params, &to_reverse, 3), to_reverse);
        assert_eq!(GearCommand::Automatic.gear(&to_reverse), 0);
        assert_eq!(GearCommand::Gear(5).gear(&to_reverse), 5);
    }

    #[test]
    fn ratio_includes_the_final_drive() {
        for (gear, expected) in [(0, -16.0), (1, 0.0), (2, 16.0), (3, 8.0), (9, 0.0)] {
            assert_eq!(overall_gear_ratio(&gearbox(), gear), expected, "gear {gear}");
        }
    }

    #[test]
    fn bad_gearboxes_are_refused() {
        let good = gearbox();
        let ratios = |ratios: &[Real]| GearboxParams { ratios: ratios.to_vec(), ..good.clone() };
        let cases = [
            (
                ratios(&[-4.0, 0.5, 4.0]),
                "ratios[1] must be finite and 0, as of the neutral gear, got 0.5",
            ),
            (
                ratios(&[4.0, 0.0, 4.0]),
                "ratios[0] must be finite and negative, as of a reverse gear, got 4",
            ),
            (
                ratios(&[-4.0, 0.0, -4.0]),
                "ratios[2] must be finite and positive, as of a forward gear, got -4",
            ),
            (
                ratios(&[-4.0, 0.0, 2.0, 2.0]),
                "ratios[3] must be below 2, the ratio of the gear before, got 2",
            ),
            (
                ratios(&[]),
                "ratios must be at least 1 and at most 32 gears, got 0; \
                 neutral must be a gear below 0, got 1",
            ),
            (
                GearboxParams { neutral: 9, ratios: vec![-1.0], ..good.clone() },
                "neutral must be a gear below 1, got 9",
            ),
            (
                GearboxParams { final_ratio: 0.0, switch_time: -1.0, ..good.clone() },
                "final_ratio must be positive and finite, got 0; \
                 switch_time must be finite and not negative, got -1",
            ),
        ];
        for (params, message) in cases {
            assert_eq!(params.validate().unwrap_err().to_string(), message);
        }
        good.validate().unwrap();
        GearboxParams::default().validate().unwrap();
    }

    #[test]
    fn gears_are_written_in_words() {
        let written = |value: GearCommand| serde_json::to_string(&value).unwrap();
        assert_eq!(written(GearCommand::Automatic), "\"automatic\"");
        assert_eq!(written(GearCommand::Gear(2)), "{\"gear\":2}");
        let state = GearboxState { current: 1, target: 2, switch: GearSwitch::Elapsed(0.25) };
        let text = "{\"current\":1,\"target\":2,\"switch\":{\"elapsed\":0.25}}";
        assert_eq!(serde_json::to_string(&state).unwrap(), text);
    }
}
