//! The clutch: friction between engine and gearbox.

use serde::{Deserialize, Serialize};
use vehicle_core::commands::Commands;
use vehicle_core::convert::Convert;
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::math::{Clamped, Real};

use crate::aids::signals::PRESSED;
use crate::engine::EngineParams;
use crate::gearbox::GearboxParams;

/// A clutch.
///
/// ```text
/// T = κ K s,   |T| ≤ κ C,   s = ω_gearbox - ω_engine
/// ```
///
/// is the torque on the engine, with the engagement `κ`, the strength `K` and the capacity `C`. Up
/// to its capacity the clutch holds, apart from the small slip `s = T / (κ K)`. Beyond that it
/// slips, and transmits its capacity in the direction of the slip, as dry friction does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClutchParams {
    /// Torque per difference of the speeds of its plates when engaged, K (N·m·s).
    pub max_strength: Real,
    /// Largest torque when engaged, C (N·m); without a limit if `None`, as the reference's.
    #[serde(default)]
    pub capacity: Option<Real>,
    /// Time in which it closes after a gear has gone in or the pedal is let go, at a constant rate
    /// (s). It opens at once. The reference's closes at once, too, which is 0.
    #[serde(default)]
    pub engagement_time: Real,
    /// Opens the clutch by itself at low engine speed; with `None`, only the pedal works it.
    #[serde(default)]
    pub automatic: Option<AutomaticClutchParams>,
}

impl ClutchParams {
    /// The reference's clutch: a viscous coupling without a limit, which closes at once and obeys
    /// the pedal alone.
    pub const fn viscous(max_strength: Real) -> Self {
        Self { max_strength, capacity: None, engagement_time: 0.0, automatic: None }
    }

    /// The default clutch for another engine: as much stronger as the engine is, and open at its
    /// idle speed.
    pub fn for_engine(engine: &EngineParams) -> Self {
        let (usual, clutch) = (EngineParams::default(), Self::default());
        let size = engine.peak_torque / usual.peak_torque;
        let open = |automatic: AutomaticClutchParams| {
            let open_speed = automatic.open_speed * (engine.idle_speed / usual.idle_speed);
            let range = (automatic.closed_speed - automatic.open_speed)
                * (engine.max_speed / usual.max_speed);
            AutomaticClutchParams {
                open_speed,
                closed_speed: open_speed + range,
                creep_torque: automatic.creep_torque * size,
                ..automatic
            }
        };
        Self {
            max_strength: clutch.max_strength * size,
            capacity: clutch.capacity.map(|capacity| capacity * size),
            automatic: clutch.automatic.map(open),
            ..clutch
        }
    }

    /// Whether the clutch drags a car along without throttle.
    #[inline]
    pub fn creeps(&self) -> bool {
        self.capacity.is_some() && self.automatic.is_some_and(|clutch| 0.0 < clutch.creep_torque)
    }

    /// This clutch, which does not creep where it is [held by hand](is_held_by_hand).
    pub(crate) fn held_by_hand(&self, is_held: bool) -> Self {
        let held = |clutch| AutomaticClutchParams { creep_torque: 0.0, ..clutch };
        if is_held { Self { automatic: self.automatic.map(held), ..*self } } else { *self }
    }

    /// Largest torque of the clutch in `state` (N·m), infinite without a limit.
    #[inline]
    pub fn capacity(&self, state: ClutchState) -> Real {
        self.capacity.map_or(Real::INFINITY, |capacity| state.engagement * capacity)
    }
}

impl Default for ClutchParams {
    /// The clutch of a mid-size car with an automatic gearbox. It bears 350 N·m, closes in 0.35 s,
    /// lets the car pull away at 90 to 260 rad/s, and creep at idle.
    fn default() -> Self {
        Self {
            max_strength: 1e4,
            capacity: Some(350.0),
            engagement_time: 0.35,
            automatic: Some(AutomaticClutchParams {
                open_speed: 90.0,
                closed_speed: 260.0,
                creep_torque: 20.0,
                rolls_back: false,
            }),
        }
    }
}

impl Validate for ClutchParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("max_strength", self.max_strength, Bound::NotNegative);
        check.number("capacity", self.capacity.unwrap_or_default(), Bound::NotNegative);
        check.number("engagement_time", self.engagement_time, Bound::NotNegative);
        if let Some(automatic) = &self.automatic {
            check.field("automatic", |inner| {
                automatic.check(inner);
                let most = self.capacity.unwrap_or_default();
                let requirement = format_args!("within [0, {most}], the capacity of the clutch");
                let creep = automatic.creep_torque;
                inner.require("creep_torque", (0.0..=most).contains(&creep), requirement, creep);
            });
        }
    }
}

impl Convert for ClutchParams {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        let torque = |torque| conversion.scalar(torque, 2);
        Self {
            max_strength: torque(self.max_strength),
            capacity: self.capacity.map(torque),
            automatic: self.automatic.map(|automatic| AutomaticClutchParams {
                creep_torque: torque(automatic.creep_torque),
                ..automatic
            }),
            ..*self
        }
    }
}

/// A clutch that opens by itself when the engine is slow, as that of a scooter, or the converter of
/// an automatic gearbox. The reference has none: its clutch pulls an engine down to standstill.
///
/// ```text
/// σ  = (ω - ω_open) / (ω_closed - ω_open),   within [0, 1]
/// κ' = κ (σ + (1 - σ) min(1, ω/ω_open)² T_creep/C)
/// ```
///
/// with the speed `ω` of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AutomaticClutchParams {
    /// Speed of the engine at which it is open, but for its creep torque (rad/s).
    pub open_speed: Real,
    /// Speed of the engine above which it obeys the pedal (rad/s).
    pub closed_speed: Real,
    /// Largest torque at which it still drags when it is open, by which a car creeps along when its
    /// brake is let go (N·m). It is less where the engine is slower, so that it is not stalled.
    /// There is none while the hand brake is pulled without throttle: a car that it holds at some
    /// wheels does not push against it with others. At most the capacity of the clutch, and 0 where
    /// that has no limit.
    #[serde(default)]
    pub creep_torque: Real,
    /// Whether the vehicle may roll back on a hill until the clutch bears the slope. Else a hill
    /// holder brakes the driven wheels from standstill on, as long as the driver gives throttle and
    /// the clutch gives less than the slope asks for.
    #[serde(default)]
    pub rolls_back: bool,
}

impl Validate for AutomaticClutchParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("open_speed", self.open_speed, Bound::NotNegative);
        let is_above = self.open_speed < self.closed_speed && self.closed_speed.is_finite();
        let requirement = format_args!("finite and above open_speed = {}", self.open_speed);
        check.require("closed_speed", is_above, requirement, self.closed_speed);
    }
}

impl AutomaticClutchParams {
    /// Engagement of a clutch of `capacity` (N·m) behind an engine at `engine_speed` (rad/s), its
    /// pedal released (dimensionless).
    #[inline]
    fn engagement(&self, capacity: Option<Real>, engine_speed: Real) -> Real {
        let Self { open_speed, closed_speed, creep_torque, .. } = *self;
        let share = ((engine_speed - open_speed) / (closed_speed - open_speed)).clamped(0.0, 1.0);
        let creep = match capacity {
            Some(capacity) if 0.0 < creep_torque && creep_torque <= capacity => {
                let fraction =
                    engine_speed.min(open_speed).max(0.0) / open_speed.max(Real::MIN_POSITIVE);
                fraction * fraction * creep_torque / capacity
            }
            _ => 0.0,
        };
        share + (1.0 - share) * creep
    }
}

/// `clutch` behind an engine at `engine_speed` (rad/s).
#[inline]
pub fn automatic_clutch(
    params: &ClutchParams,
    clutch: ClutchState,
    engine_speed: Real,
) -> ClutchState {
    let Some(automatic) = &params.automatic else {
        return clutch;
    };
    let share = automatic.engagement(params.capacity, engine_speed);
    ClutchState { engagement: clutch.engagement * share, strength: clutch.strength * share }
}

/// Whether the driver holds the vehicle by the hand brake and gives no throttle.
pub(crate) fn is_held_by_hand(commands: &Commands) -> bool {
    commands.throttle <= PRESSED && PRESSED < commands.brakes[1]
}

/// How a clutch answers to its pedal. The default is disengaged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClutchState {
    /// Engagement: 0 disengaged, 1 engaged (dimensionless).
    pub engagement: Real,
    /// Torque per difference of the speeds of its plates (N·m·s).
    pub strength: Real,
}

/// Engagement of a clutch (dimensionless): `1 - command`, whose 1 is the pedal pressed down.
#[inline]
pub fn clutch_engagement(command: Real) -> Real {
    1.0 - command
}

/// The clutch under `command`, whose 1 is the pedal pressed down.
///
/// ```text
/// κ = 1 - command
/// K = κ K_max
/// ```
#[inline]
pub fn clutch_response(params: &ClutchParams, command: Real) -> ClutchState {
    engaged(params, clutch_engagement(command))
}

/// The clutch at an `engagement` in [0, 1].
#[inline]
fn engaged(params: &ClutchParams, engagement: Real) -> ClutchState {
    ClutchState { engagement, strength: engagement * params.max_strength }
}

/// The clutch on its way to `wanted`, `dt` (s) after its engagement was `before` (dimensionless).
///
/// ```text
/// κ = min(κ_wanted, κ_before + dt / engagement time)
/// ```
#[inline]
pub fn closing_clutch(
    params: &ClutchParams,
    wanted: ClutchState,
    before: Real,
    dt: Real,
) -> ClutchState {
    let is_there = wanted.engagement <= before || params.engagement_time <= 0.0;
    let reached = before + dt / params.engagement_time;
    if is_there || wanted.engagement <= reached { wanted } else { engaged(params, reached) }
}

/// The coupling of the engine to the wheels: `clutch`, but nothing in neutral.
///
/// A gearbox is in neutral while it switches, too.
#[inline]
pub fn effective_clutch(gearbox: &GearboxParams, gear: usize, clutch: ClutchState) -> ClutchState {
    if gear == gearbox.neutral { ClutchState::default() } else { clutch }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pedal_disengages() {
        let params = ClutchParams::viscous(10.0);
        // (command, engagement, strength)
        for (command, engagement, strength) in [(0.0, 1.0, 10.0), (0.5, 0.5, 5.0), (1.0, 0.0, 0.0)]
        {
            let expected = ClutchState { engagement, strength };
            assert_eq!(clutch_response(&params, command), expected, "{command}");
            assert_eq!(params.capacity(expected), Real::INFINITY);
        }
        let limited = ClutchParams { capacity: Some(400.0), ..params };
        assert_eq!(limited.capacity(clutch_response(&limited, 0.75)), 100.0);
    }

    #[test]
    fn clutch_closes_in_its_time_and_opens_at_once() {
        let params = ClutchParams { engagement_time: 0.5, ..ClutchParams::viscous(10.0) };
        let engagement = |wanted, before, dt| {
            let closing = closing_clutch(&params, engaged(&params, wanted), before, dt);
            assert_eq!(closing.strength, 10.0 * closing.engagement);
            closing.engagement
        };
        // (wanted, before, after 0.1 s)
        let cases = [(1.0, 0.0, 0.2), (1.0, 0.9, 1.0), (0.3, 0.2, 0.3), (0.0, 1.0, 0.0)];
        for (wanted, before, after) in cases {
            let actual = engagement(wanted, before, 0.1);
            assert!((actual - after).abs() < 1e-6, "{wanted} from {before}: {actual}, not {after}");
        }
        let at_once = closing_clutch(&ClutchParams::viscous(10.0), engaged(&params, 1.0), 0.0, 0.1);
        assert_eq!(at_once.engagement, 1.0);
    }

    #[test]
    fn neutral_couples_nothing() {
        let gearbox = GearboxParams::default();
        let engaged = ClutchState { engagement: 1.0, strength: 10.0 };
        let effective = |gear| effective_clutch(&gearbox, gear, engaged);
        assert_eq!(effective(gearbox.neutral), ClutchState::default());
        assert_eq!(effective(gearbox.neutral + 1), engaged);
        assert_eq!(effective(0), engaged);
    }

    fn automatic(creep_torque: Real) -> Option<AutomaticClutchParams> {
        Some(AutomaticClutchParams {
            open_speed: 60.0,
            closed_speed: 100.0,
            creep_torque,
            rolls_back: false,
        })
    }

    #[test]
    fn automatic_clutch_lets_go_of_a_slow_engine() {
        let params = ClutchParams { automatic: automatic(0.0), ..ClutchParams::viscous(10.0) };
        let half = ClutchState { engagement: 0.5, strength: 5.0 };
        // (speed of the engine, engagement, strength)
        let cases = [(0.0, 0.0, 0.0), (60.0, 0.0, 0.0), (80.0, 0.25, 2.5), (200.0, 0.5, 5.0)];
        for (speed, engagement, strength) in cases {
            let expected = ClutchState { engagement, strength };
            assert_eq!(automatic_clutch(&params, half, speed), expected, "{speed} rad/s");
        }
        let obedient = ClutchParams { automatic: None, ..params };
        assert_eq!(automatic_clutch(&obedient, half, 0.0), half);
    }

    #[test]
    fn open_automatic_clutch_drags_with_its_creep_torque() {
        let params = ClutchParams {
            capacity: Some(200.0),
            automatic: automatic(20.0),
            ..ClutchParams::viscous(10.0)
        };
        let released = clutch_response(&params, 0.0);
        // (speed of the engine, largest torque)
        for (speed, torque) in
            [(-5.0, 0.0), (30.0, 5.0), (60.0, 20.0), (80.0, 110.0), (100.0, 200.0)]
        {
            let actual = params.capacity(automatic_clutch(&params, released, speed));
            assert!((actual - torque).abs() < 1e-4, "{speed} rad/s: {actual}, not {torque} N·m");
        }
    }

    #[test]
    fn bad_clutches_are_refused() {
        let message = |params: &ClutchParams| params.validate().unwrap_err().to_string();
        let automatic = |closed_speed, creep_torque| {
            let of_default = ClutchParams::default().automatic.expect("automatic");
            Some(AutomaticClutchParams {
                open_speed: 60.0,
                closed_speed,
                creep_torque,
                ..of_default
            })
        };
        let viscous = ClutchParams::viscous(-1.0);
        assert_eq!(
            message(&ClutchParams { automatic: automatic(60.0, 0.0), ..viscous }),
            "max_strength must be finite and not negative, got -1; \
             automatic.closed_speed must be finite and above open_speed = 60, got 60"
        );
        let dry = ClutchParams::default();
        assert_eq!(
            message(&ClutchParams {
                capacity: Some(-1.0),
                engagement_time: -2.0,
                automatic: None,
                ..dry
            }),
            "capacity must be finite and not negative, got -1; \
             engagement_time must be finite and not negative, got -2"
        );
        assert_eq!(
            message(&ClutchParams { capacity: None, automatic: automatic(90.0, 20.0), ..dry }),
            "automatic.creep_torque must be within [0, 0], the capacity of the clutch, got 20"
        );
        dry.validate().unwrap();
    }
}
