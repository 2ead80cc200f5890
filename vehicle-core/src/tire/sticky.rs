//! Sticky tires: near standstill a tire holds its place instead of sliding.
//!
//! A tire that has been slow for long enough becomes *sticky*, apart in each direction. Its slip is
//! then zero: a velocity constraint has to hold the vehicle instead of the tire's force.

use serde::{Deserialize, Serialize};

use super::TireState;
use super::grip::TireGrip;
use super::kinematics::TireSpeeds;
use super::slip::TireSlip;
use crate::WheelList;
pub use crate::context::{StickyHold, StickyLimits, TireStickyParams};
use crate::math::Real;
use crate::math::lanes::{Lanes, Number, lanes_by_field};

/// Largest factor by which a long step raises the threshold speed of a locked wheel
/// (dimensionless).
const MAX_THRESHOLD_FACTOR: Real = 3.0;

/// Whether a tire sticks in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StickyState<N: Number = Real> {
    /// Time below the threshold speed (s).
    pub low_speed_time: N,
    /// Whether the tire sticks.
    pub is_active: N::Mask,
}

impl<N: Number> StickyState<N> {
    /// This state where `mask` is true, at rest elsewhere.
    #[inline]
    fn only(&self, mask: N::Mask) -> Self {
        Self {
            low_speed_time: N::select(mask, self.low_speed_time, N::zero()),
            is_active: mask & self.is_active,
        }
    }
}

/// Whether a tire sticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "N: Serialize, N::Mask: Serialize",
    deserialize = "N: Deserialize<'de>, N::Mask: Deserialize<'de>"
))]
pub struct TireStickyState<N: Number = Real> {
    /// Along the rolling direction.
    pub longitudinal: StickyState<N>,
    /// Across it.
    pub lateral: StickyState<N>,
}

lanes_by_field!(StickyState<Number> { low_speed_time, is_active });

lanes_by_field!(TireStickyState<Number> { longitudinal, lateral });

impl<N: Number> TireStickyState<N> {
    /// This state, where the tire has also stuck at the `previous` time.
    #[inline]
    pub(crate) fn still(&self, previous: &Self) -> Self {
        let still = |now: &StickyState<N>, before: &StickyState<N>| StickyState {
            is_active: now.is_active & before.is_active,
            ..*now
        };
        Self {
            longitudinal: still(&self.longitudinal, &previous.longitudinal),
            lateral: still(&self.lateral, &previous.lateral),
        }
    }

    /// Whether the tire sticks in any direction.
    #[inline]
    pub(crate) fn is_active(&self) -> N::Mask {
        self.longitudinal.is_active | self.lateral.is_active
    }

    /// Whether the tire sticks in both directions.
    #[inline]
    pub(crate) fn is_held(&self) -> N::Mask {
        self.longitudinal.is_active & self.lateral.is_active
    }
}

/// Speeds and forces that decide whether a tire sticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StickyInput<N = Real> {
    /// Load and friction of the tire.
    pub grip: TireGrip<N>,
    /// Speed of the tire over the road.
    pub speeds: TireSpeeds<N>,
    /// Rotation speed of the wheel (rad/s).
    pub rotation_speed: N,
    /// Radius of the wheel (m).
    pub radius: N,
    /// Speed of the contact that friction takes away within a frame (m/s); 0 if thresholds hold
    /// whatever the step.
    pub stopping_speed: N,
    /// Whether friction takes the tire to rest across its rolling direction however fast it is
    /// there.
    pub slides_to_rest: bool,
    /// Whether any wheel of the vehicle is driven.
    pub is_vehicle_driven: bool,
    /// Whether any wheel of the vehicle is braked.
    pub is_vehicle_braked: bool,
}

/// Sticky state `dt` (s) after `state`.
///
/// Along the rolling direction the timer runs while the tire and the rim are slow and no wheel of
/// the vehicle is driven. The tire sticks when the time is over; at once if the wheel stands still
/// while the vehicle brakes. Across it the tire must also have begun to stick along it.
///
/// A tire that [slides to rest](StickyInput::slides_to_rest) sticks across, too, where it does not
/// roll and has stuck along in the step before, however fast it is there. For without rolling there
/// is no slip angle, only friction between the tire and what brings it to rest. A slip angle would
/// let a soft tire creep for ever, at a speed that balances a slope. What a
/// [damper](StickyHold::Damper) or a host holds must be slow across, for a time, as in the
/// reference.
#[inline]
pub fn tire_sticky_state<N: Number>(
    params: &TireStickyParams,
    input: &StickyInput<N>,
    state: &TireStickyState<N>,
    dt: Real,
) -> TireStickyState<N> {
    let TireStickyParams { longitudinal: along, lateral: across, .. } = params;
    let is_below = |speed: N, threshold: Real| speed.abs().is_below(N::splat(threshold));
    let everywhere = |value: bool| N::Mask::from_lanes(|_| value);
    let is_locked = input.rotation_speed.is_equal(N::zero()) & everywhere(input.is_vehicle_braked);
    let stopping_speed = N::select(is_locked, input.stopping_speed, N::zero());
    let is_slow = |speed: N, threshold: Real| {
        let raised = stopping_speed.at_most(N::splat(MAX_THRESHOLD_FACTOR * threshold));
        speed.abs().is_below(raised.at_least(N::splat(threshold)))
    };
    let is_slow_along = is_slow(input.speeds.longitudinal, along.threshold_speed);
    let is_rim_slow = is_below(input.rotation_speed * input.radius, along.threshold_speed);
    let slides = input.slides_to_rest;
    let rolling = if slides { input.speeds.longitudinal } else { input.speeds.lateral };
    let is_slow_across = is_slow(rolling, across.threshold_speed);
    let may_rest = everywhere(!input.is_vehicle_driven);

    let advance = |time: N, runs: N::Mask| N::select(runs, time + N::splat(dt), N::zero());
    let time_along =
        advance(state.longitudinal.low_speed_time, is_slow_along & is_rim_slow & may_rest);
    let is_held = is_slow_along & is_locked;
    let time_across = advance(state.lateral.low_speed_time, is_slow_across & may_rest);
    let is_over = |time: N, threshold: Real| N::splat(threshold).is_below(time);
    let longitudinal = StickyState {
        low_speed_time: time_along,
        is_active: is_held | is_over(time_along, along.threshold_time),
    };
    let has_rested = is_over(time_along, 0.0) & is_over(time_across, across.threshold_time);
    let stands = is_held & state.longitudinal.is_active & everywhere(slides);
    let lateral = StickyState { low_speed_time: time_across, is_active: stands | has_rested };
    let has_grip = !(input.grip.load * input.grip.friction).is_equal(N::zero());
    TireStickyState { longitudinal: longitudinal.only(has_grip), lateral: lateral.only(has_grip) }
}

/// `slip`, zero in the directions in which the tire sticks.
#[inline]
pub fn slip_beside_sticky<N: Number>(
    slip: &TireSlip<N>,
    sticks_along: N::Mask,
    sticks_across: N::Mask,
) -> TireSlip<N> {
    TireSlip {
        longitudinal: N::select(sticks_along, N::zero(), slip.longitudinal),
        tangent: N::select(sticks_across, N::zero(), slip.tangent),
    }
}

/// Lets go of the road with all tires of a vehicle, so that another may tow it away.
///
/// A trailer has no drive of its own that would release its sticky tires: call this before its
/// update whenever its tractor [intends to accelerate](crate::actuation::has_acceleration_intent).
pub fn release_sticky_tires(tires: &mut WheelList<TireState>) {
    for four in tires.fours_mut() {
        four.sticky = TireStickyState::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT_REST: StickyInput = StickyInput {
        grip: TireGrip { load: 4_000.0, friction: 1.0 },
        speeds: TireSpeeds { longitudinal: 0.0, lateral: 0.0 },
        rotation_speed: 0.0,
        radius: 0.3,
        stopping_speed: 0.0,
        slides_to_rest: true,
        is_vehicle_driven: false,
        is_vehicle_braked: false,
    };

    fn after(seconds: Real, input: &StickyInput) -> TireStickyState {
        let dt = 0.25;
        (0..(seconds / dt) as u32).fold(TireStickyState::default(), |state, _| {
            tire_sticky_state(&TireStickyParams::default(), input, &state, dt)
        })
    }

    fn after_gripping(seconds: Real, input: &StickyInput) -> TireStickyState {
        after(seconds, &StickyInput { slides_to_rest: false, ..*input })
    }

    fn active(state: TireStickyState) -> (bool, bool) {
        (state.longitudinal.is_active, state.lateral.is_active)
    }

    #[test]
    fn tire_at_rest_sticks_after_the_threshold_time() {
        assert_eq!(active(after(1.0, &AT_REST)), (false, false));
        assert_eq!(active(after(1.25, &AT_REST)), (true, true));
    }

    #[test]
    fn braked_wheel_at_rest_sticks_at_once_and_then_across_if_it_slides_to_rest() {
        let braked = StickyInput { is_vehicle_braked: true, ..AT_REST };
        assert_eq!(active(after(0.25, &braked)), (true, false), "it has only just stopped");
        assert_eq!(active(after(0.5, &braked)), (true, true));
        assert_eq!(active(after_gripping(0.5, &braked)), (true, false));
        let driven = StickyInput { is_vehicle_driven: true, ..braked };
        assert_eq!(active(after(0.5, &driven)), (true, true), "a clutch that creeps");
    }

    #[test]
    fn a_tire_that_does_not_roll_sticks_however_fast_it_slides_across() {
        for lateral in [0.1, 0.5, 5.0] {
            let speeds = TireSpeeds { longitudinal: 0.0, lateral };
            let sliding = StickyInput { speeds, ..AT_REST };
            assert_eq!(active(after(1.25, &sliding)), (true, true), "{lateral} m/s");
            let expected = lateral < 0.2;
            let gripping = after_gripping(1.25, &sliding);
            assert_eq!(active(gripping), (true, expected), "{lateral} m/s");
            let rolling = TireSpeeds { longitudinal: 1.0, lateral };
            let rolling = StickyInput { speeds: rolling, rotation_speed: 3.0, ..AT_REST };
            assert_eq!(active(after(1.25, &rolling)), (false, false), "{lateral} m/s");
        }
    }

    #[test]
    fn drive_releases_the_tire() {
        let driven = StickyInput { is_vehicle_driven: true, ..AT_REST };
        let released =
            tire_sticky_state(&TireStickyParams::default(), &driven, &after(2.0, &AT_REST), 0.25);
        assert_eq!(released, TireStickyState::default());
    }

    #[test]
    fn tire_without_load_does_not_stick() {
        let grip = TireGrip { load: 0.0, friction: 1.0 };
        let airborne = StickyInput { grip, ..AT_REST };
        assert_eq!(after(2.0, &airborne), TireStickyState::default());
    }

    #[test]
    fn sticky_directions_have_no_slip() {
        let slip = TireSlip { longitudinal: 0.1, tangent: 0.2 };
        let expected = TireSlip { longitudinal: 0.1, tangent: 0.0 };
        assert_eq!(slip_beside_sticky(&slip, false, true), expected);
    }
}
