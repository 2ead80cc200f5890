//! Jounce: how far the road compresses a suspension.
//!
//! *Jounce* is the compression from full droop: 0 at droop, the travel distance at full
//! compression. *Separation* is the signed distance that is left between wheel and road along the
//! road's normal. It is 0 in contact, negative where the wheel is pressed into the road at full
//! compression, positive where it hangs above it. *Clearance* is the separation at full droop.

use serde::{Deserialize, Serialize};

use super::clearance::{cylinder_clearance, ray_clearance};
use super::params::{ContactShape, ExpansionSpeed, JounceParams};
use crate::frame::Frame;
use crate::math::finite::Finite;
use crate::math::lanes::{InLanes, Lanes, Number, Real4, Vector, each_lane};
use crate::math::{Real, Vec3};
use crate::mount::WheelTravel;
use crate::plane::Plane;

/// How much longer than a step the one before can be without being taken into account
/// (dimensionless): as much as from a whole frame to one of three substeps.
const MAX_STEP_RATIO: Real = 3.0;

/// Separation of a wheel that has none (m): farther away than anything is.
const NONE: Real = 1e30;

/// Compression of a suspension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Compression {
    /// Jounce (m); `None` before the first update.
    pub jounce: Option<Real>,
    /// Rate of change of the jounce, positive in compression (m/s).
    pub jounce_speed: Real,
    /// Separation (m); `None` if there is no road in reach.
    pub separation: Option<Real>,
    /// Time step of the update that has found it (s), until the next; 0 if it is not known.
    #[serde(default)]
    pub step: Real,
}

/// How far the road compresses the suspension of each lane.
#[derive(Clone, Copy, Debug)]
pub struct CompressionLanes<N: Number> {
    /// Jounce (m), 0 before the first update.
    pub(crate) jounce: N,
    /// Whether there is a jounce: not before the first update.
    pub(crate) is_known: N::Mask,
    pub(crate) jounce_speed: N,
    /// Separation (m) of a wheel that is as near to the road as its travel allows; else
    /// [`NONE`].
    separation: N,
    /// Time until the next update (s).
    pub(crate) step: N,
}

impl<N: Number> Default for CompressionLanes<N> {
    fn default() -> Self {
        Self::from_lanes(|_| Compression::default())
    }
}

impl<N: Number> CompressionLanes<N> {
    /// This `jounce` (m) that changes at `jounce_speed` (m/s) until the next update after `dt` (s),
    /// with a separation (m) where there is one.
    #[inline]
    pub(crate) fn known(
        jounce: N,
        jounce_speed: N,
        (separation, has_separation): (N, N::Mask),
        dt: Real,
    ) -> Self {
        let separation = N::select(has_separation, separation, N::splat(NONE));
        let is_known = Lanes::from_lanes(|_| true);
        Self { jounce, is_known, jounce_speed, separation, step: N::splat(dt) }
    }

    /// Whether there is a separation.
    #[inline]
    pub(crate) fn has_separation(&self) -> N::Mask {
        self.separation.is_below(N::splat(NONE))
    }

    /// This jounce where there is a road, full droop elsewhere.
    #[inline]
    pub(crate) fn over_road(self, has_road: N::Mask) -> Self {
        Self {
            jounce: N::select(has_road, self.jounce, N::zero()),
            jounce_speed: N::select(has_road, self.jounce_speed, N::zero()),
            separation: N::select(has_road, self.separation, N::splat(NONE)),
            ..self
        }
    }

    /// Whether the wheel touches the road.
    #[inline]
    pub(crate) fn is_on_ground(&self) -> N::Mask {
        self.separation.is_at_most(N::zero())
    }

    /// Whether the wheel is pressed into the road at full compression.
    #[inline]
    pub(crate) fn is_at_end(&self) -> N::Mask {
        self.separation.is_below(N::zero())
    }
}

impl<N: Number> Lanes for CompressionLanes<N> {
    type Single = Compression;

    fn from_lanes(state: impl FnMut(usize) -> Compression) -> Self {
        let states = each_lane(state);
        Self {
            jounce: Lanes::from_lanes(|lane| states[lane].jounce.unwrap_or(0.0)),
            is_known: Lanes::from_lanes(|lane| states[lane].jounce.is_some()),
            jounce_speed: Lanes::from_lanes(|lane| states[lane].jounce_speed),
            separation: Lanes::from_lanes(|lane| states[lane].separation.unwrap_or(NONE)),
            step: Lanes::from_lanes(|lane| states[lane].step),
        }
    }

    fn lane(&self, lane: usize) -> Compression {
        let (is_known, has_separation) =
            (self.is_known.lane(lane), self.has_separation().lane(lane));
        Compression {
            jounce: is_known.then(|| self.jounce.lane(lane)),
            jounce_speed: self.jounce_speed.lane(lane),
            separation: has_separation.then(|| self.separation.lane(lane)),
            step: self.step.lane(lane),
        }
    }

    fn set_lane(&mut self, lane: usize, state: Compression) {
        self.jounce.set_lane(lane, state.jounce.unwrap_or(0.0));
        self.is_known.set_lane(lane, state.jounce.is_some());
        self.jounce_speed.set_lane(lane, state.jounce_speed);
        self.separation.set_lane(lane, state.separation.unwrap_or(NONE));
        self.step.set_lane(lane, state.step);
    }
}

impl InLanes for Compression {
    type Lanes = CompressionLanes<Real4>;
}

impl Finite for CompressionLanes<Real4> {
    #[inline]
    fn total(&self) -> Real4 {
        let speeds = self.jounce_speed.total() + self.step.total();
        self.jounce.total() + self.separation.total() + speeds
    }
}

/// Jounce before the step; in lanes where there was none, that of full compression counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PreviousJounce<N: Number> {
    /// The jounce (m).
    pub(crate) jounce: N,
    /// Whether there was one.
    pub(crate) is_known: N::Mask,
    /// Time since then (s), 0 if it is not known.
    pub(crate) time: N,
}

impl<N: Number> PreviousJounce<N> {
    /// The jounce of `state`.
    #[inline]
    pub(crate) fn of(state: &CompressionLanes<N>) -> Self {
        Self { jounce: state.jounce, is_known: state.is_known, time: state.step }
    }

    /// Mean speed from this jounce to `jounce` (m), in a step of `dt` (s) (m/s).
    ///
    /// The way between two updates is that of the step before: if that was much longer, a division
    /// by this one would make a settled suspension bounce. But what a new road moves the wheel by
    /// acts in this step alone, and its blow is to be the same whatever the step. Up to [three
    /// times](MAX_STEP_RATIO) as long, steps count as alike.
    #[inline]
    fn speed_to(&self, jounce: N, dt: Real) -> N {
        let time = (self.time / N::splat(MAX_STEP_RATIO)).at_least(N::splat(dt));
        // The division does not wait for the jounce.
        let speed = (jounce - self.jounce) * (N::splat(1.0) / time);
        N::select(self.is_known, speed, N::zero())
    }

    /// Whether the wheel was at full droop.
    #[inline]
    pub(crate) fn is_at_droop(&self) -> N::Mask {
        self.is_known & self.jounce.is_equal(N::zero())
    }
}

impl Compression {
    /// Whether the wheel touches the road.
    #[inline]
    pub fn is_on_ground(&self) -> bool {
        self.separation.is_some_and(|separation| separation <= 0.0)
    }
}

/// Jounce and separation (m) from the `clearance` (m) and the `slope` ν = n·u.
///
/// ```text
/// x = clearance / ν                  how far the wheel must rise
/// j = clamp(x, 0, D)
/// s = clearance (x - D) / x          beyond full compression
/// ```
///
/// A travel direction along the road (ν = 0) keeps the `previous` jounce, or full compression.
pub fn jounce_and_separation(
    clearance: Real,
    slope: Real,
    distance: Real,
    previous: Option<Real>,
) -> (Real, Option<Real>) {
    let (jounce, is_known) = (previous.unwrap_or(0.0), previous.is_some());
    let known = PreviousJounce { jounce, is_known, time: 0.0 };
    let (jounce, separation, has_separation) = compress(clearance, slope, distance, &known);
    (jounce, has_separation.then_some(separation))
}

/// See [`jounce_and_separation`]; the last value says whether there is a separation.
#[inline]
fn compress<N: Number>(
    clearance: N,
    slope: N,
    distance: N,
    previous: &PreviousJounce<N>,
) -> (N, N, N::Mask) {
    let zero = N::zero();
    let rise = clearance / slope;
    let is_beyond = !rise.is_at_most(distance);
    let (is_risen, is_along) = (!rise.is_at_most(zero), slope.is_equal(zero));
    let jounce = N::select(is_risen, N::select(is_beyond, distance, rise), zero);
    let pressed = N::select(is_beyond, clearance * (rise - distance) / rise, zero);
    let separation = N::select(is_risen, pressed, clearance);

    let kept = N::select(previous.is_known, previous.jounce, distance);
    let jounce = N::select(is_along, kept, jounce);
    let separation = N::select(is_along, clearance, separation);
    let is_above = zero.is_below(clearance) | (is_along & clearance.is_equal(zero));
    (N::select(is_above, zero, jounce), separation, !is_above)
}

/// Motion of a wheel downward when nothing holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelDrop {
    /// Spring stiffness (N/m).
    pub stiffness: Real,
    /// Damping rate (N·s/m).
    pub damping: Real,
    /// Mass of the wheel (kg).
    pub wheel_mass: Real,
    /// Gravitational acceleration (m/s²).
    pub gravity: Vec3,
}

impl WheelDrop {
    /// Speed of the wheel along the travel direction after `dt` (s), gravity left out (m/s).
    ///
    /// ```text
    /// w = k j dt / m - v + c v dt / m
    /// ```
    ///
    /// The damper may stop the wheel, not turn it around.
    fn speed(&self, jounce: Real, jounce_speed: Real, dt: Real) -> Real {
        let undamped = (jounce * self.stiffness / self.wheel_mass) * dt - jounce_speed;
        let damped = undamped + (jounce_speed * self.damping / self.wheel_mass) * dt;
        if 0.0 <= undamped { damped.max(0.0) } else { damped.min(0.0) }
    }
}

/// Compression of a suspension whose wheel stands on `road`, `dt` (s) after `previous`.
///
/// Without a road the suspension is at full droop at once, or drops as [`ExpansionSpeed`] says.
pub fn suspension_compression(
    params: &JounceParams,
    travel: &WheelTravel,
    frame: &Frame,
    road: Option<&Plane>,
    drop: &WheelDrop,
    previous: &Compression,
    dt: Real,
) -> Compression {
    let known = PreviousJounce::of(&CompressionLanes::<Real>::from_lanes(|_| *previous));
    let plane = road.unwrap_or(&Plane::NONE);
    let compression = compression(params.contact, travel, frame, plane, &known, dt);
    let state = compression.over_road(road.is_some()).lane(0);
    match params.expansion {
        ExpansionSpeed::WithoutPull | ExpansionSpeed::Unlimited => state,
        ExpansionSpeed::Limited => {
            limit_expansion(state, travel.direction, road.is_some(), drop, previous, dt)
        }
    }
}

/// How far the road of each lane, whatever its distance, compresses the suspension within `dt` (s).
#[inline(always)]
pub(crate) fn compression<V: Vector>(
    contact: ContactShape,
    travel: &WheelTravel<V>,
    frame: &Frame,
    plane: &Plane<V>,
    previous: &PreviousJounce<V::Number>,
    dt: Real,
) -> CompressionLanes<V::Number> {
    let clearance = match contact {
        ContactShape::Ray => ray_clearance(travel, plane),
        ContactShape::Cylinder => cylinder_clearance(travel, frame, plane),
    };
    let slope = travel.direction.dot(plane.normal);
    let (jounce, separation, has_separation) =
        compress(clearance, slope, travel.distance, previous);
    let jounce_speed = previous.speed_to(jounce, dt);
    CompressionLanes::known(jounce, jounce_speed, (separation, has_separation), dt)
}

/// Holds back a wheel that would drop faster than its spring, damper and gravity can move it.
///
/// A wheel that is held back hangs above the road, unless it is pressed into it.
pub(super) fn limit_expansion(
    state: Compression,
    direction: Vec3,
    has_road: bool,
    drop: &WheelDrop,
    previous: &Compression,
    dt: Real,
) -> Compression {
    let (Some(jounce), Some(previous_jounce)) = (state.jounce, previous.jounce) else {
        return state;
    };
    let wanted = if has_road { state.jounce_speed } else { -previous_jounce / dt };
    if 0.0 <= wanted {
        return state;
    }
    let speed = drop.speed(previous_jounce, previous.jounce_speed, dt);
    let fall = drop.gravity.dot(direction).max(0.0) * dt;
    let limit = if has_road { speed + fall } else { speed };
    if -limit <= wanted {
        return state;
    }
    let held = previous_jounce - speed * dt;
    let is_pressed = state.separation.is_some_and(|separation| separation < 0.0);
    Compression {
        jounce: Some(held),
        jounce_speed: -speed,
        separation: if is_pressed { state.separation } else { Some(held - jounce) },
        ..state
    }
}

#[cfg(test)]
mod tests {
    use super::super::clearance::tests::ROAD;
    use super::*;
    use crate::mount::travel_of_a_wheel as travel;

    const DROP: WheelDrop = WheelDrop {
        stiffness: 30_000.0,
        damping: 2_000.0,
        wheel_mass: 20.0,
        gravity: Vec3::new(0.0, 0.0, -9.81),
    };

    #[test]
    fn jounce_spans_the_travel() {
        // (height of the center at full compression, jounce, separation)
        let cases = [
            (0.51, 0.0, None),
            (0.5, 0.0, Some(0.0)),
            (0.45, 0.05, Some(0.0)),
            (0.3, 0.2, Some(0.0)),
            (0.25, 0.2, Some(-0.05)),
        ];
        for contact in [ContactShape::Ray, ContactShape::Cylinder] {
            for (height, jounce, separation) in cases {
                let params = JounceParams { contact, expansion: ExpansionSpeed::Unlimited };
                let state = suspension_compression(
                    &params,
                    &travel(height, 0.0),
                    &Frame::Z_UP,
                    Some(&ROAD),
                    &DROP,
                    &Compression::default(),
                    0.01,
                );
                let actual = state.jounce.unwrap();
                assert!((actual - jounce).abs() < 1e-6, "{contact:?} at {height}: {state:?}");
                assert_eq!(state.separation.is_some(), separation.is_some(), "at {height}");
                let gap = state.separation.unwrap_or(0.0) - separation.unwrap_or(0.0);
                assert!(gap.abs() < 1e-6, "{contact:?} at {height}: {state:?}");
            }
        }
    }

    #[test]
    fn wheel_drops_at_once_when_unlimited_and_slowly_when_limited() {
        let previous =
            Compression { jounce: Some(0.1), separation: Some(0.0), ..Default::default() };
        let dt = 0.001;
        for (expansion, expected) in
            [(ExpansionSpeed::Unlimited, 0.0), (ExpansionSpeed::Limited, 0.1 - 0.15 * dt)]
        {
            let params = JounceParams { contact: ContactShape::Ray, expansion };
            let state = suspension_compression(
                &params,
                &travel(5.0, 0.0),
                &Frame::Z_UP,
                None,
                &DROP,
                &previous,
                dt,
            );
            // w = k j dt / m = 30000 · 0.1 · 0.001 / 20 = 0.15 m/s
            assert!((state.jounce.unwrap() - expected).abs() < 1e-6, "{expansion:?}: {state:?}");
            assert!(!state.is_on_ground());
        }
    }

    #[test]
    fn travel_along_the_road_keeps_the_jounce() {
        assert_eq!(jounce_and_separation(-0.1, 0.0, 0.2, Some(0.07)), (0.07, Some(-0.1)));
        assert_eq!(jounce_and_separation(-0.1, 0.0, 0.2, None), (0.2, Some(-0.1)));
        assert_eq!(jounce_and_separation(0.1, 0.0, 0.2, Some(0.07)), (0.0, None));
    }
}
