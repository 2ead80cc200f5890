//! Jounce: how far the road compresses a suspension.
//!
//! *Jounce* is the compression from full droop: 0 at droop, the travel distance at full
//! compression. *Separation* is the signed distance that is left between wheel and road along the
//! road's normal: 0 in contact, negative where the wheel is pressed into the road at full
//! compression, positive where it hangs above it. *Clearance* is the separation at full droop.

use serde::{Deserialize, Serialize};

use super::params::{ExpansionSpeed, JounceParams, WheelContact};
use crate::frame::Frame;
use crate::math::finite::Finite;
use crate::math::lanes::{InLanes, Lanes, Mask, Number, Real4, Vector, each_lane};
use crate::math::{Real, Vec3, sign};
use crate::mount::WheelTravel;
use crate::plane::{Line, Plane};

/// Height of a wheel's center over the road, in radii, below which the direction to the road is not
/// found from points (dimensionless).
const NEAR_THE_ROAD: Real = 1e-2;
/// How much longer than a step the one before can be without being taken into account (dimensionless):
/// as much as from a whole frame to one of three substeps.
const MAX_STEP_RATIO: Real = 3.0;
/// Sine of the angle between axle and road normal below which a wheel lies on its side: rounding would
/// decide which way its disk leads down (dimensionless).
const LYING: Real = 1e-4;

/// Compression of a suspension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuspensionState {
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
#[derive(Clone, Copy, Debug, Default)]
pub struct Compression<N: Number> {
    /// Jounce (m), 0 before the first update.
    pub(crate) jounce: N,
    /// Whether there is a jounce: not before the first update.
    pub(crate) is_known: N::Mask,
    pub(crate) jounce_speed: N,
    /// Separation (m), 0 where there is none.
    pub(crate) separation: N,
    /// Whether the wheel is as near to the road as its travel allows: only then it has a separation.
    pub(crate) has_separation: N::Mask,
    /// Time until the next update (s).
    pub(crate) step: N,
}

impl<N: Number> Compression<N> {
    /// The same where there is a road, full droop elsewhere.
    #[inline]
    pub(crate) fn over_road(self, has_road: N::Mask) -> Self {
        let has_separation = has_road & self.has_separation;
        Self {
            jounce: N::select(has_road, self.jounce, N::zero()),
            jounce_speed: N::select(has_road, self.jounce_speed, N::zero()),
            separation: N::select(has_separation, self.separation, N::zero()),
            has_separation,
            ..self
        }
    }

    /// Whether the wheel touches the road.
    #[inline]
    pub(crate) fn is_on_ground(&self) -> N::Mask {
        self.has_separation & self.separation.is_at_most(N::zero())
    }

    /// Whether the wheel is pressed into the road at full compression.
    #[inline]
    pub(crate) fn is_at_end(&self) -> N::Mask {
        self.has_separation & self.separation.is_below(N::zero())
    }
}

impl<N: Number> Lanes for Compression<N> {
    type Single = SuspensionState;

    fn from_lanes(state: impl FnMut(usize) -> SuspensionState) -> Self {
        let states = each_lane(state);
        Self {
            jounce: Lanes::from_lanes(|lane| states[lane].jounce.unwrap_or(0.0)),
            is_known: Lanes::from_lanes(|lane| states[lane].jounce.is_some()),
            jounce_speed: Lanes::from_lanes(|lane| states[lane].jounce_speed),
            separation: Lanes::from_lanes(|lane| states[lane].separation.unwrap_or(0.0)),
            has_separation: Lanes::from_lanes(|lane| states[lane].separation.is_some()),
            step: Lanes::from_lanes(|lane| states[lane].step),
        }
    }

    fn lane(&self, lane: usize) -> SuspensionState {
        let (is_known, has_separation) = (self.is_known.lane(lane), self.has_separation.lane(lane));
        SuspensionState {
            jounce: is_known.then(|| self.jounce.lane(lane)),
            jounce_speed: self.jounce_speed.lane(lane),
            separation: has_separation.then(|| self.separation.lane(lane)),
            step: self.step.lane(lane),
        }
    }

    fn set_lane(&mut self, lane: usize, state: SuspensionState) {
        self.jounce.set_lane(lane, state.jounce.unwrap_or(0.0));
        self.is_known.set_lane(lane, state.jounce.is_some());
        self.jounce_speed.set_lane(lane, state.jounce_speed);
        self.separation.set_lane(lane, state.separation.unwrap_or(0.0));
        self.has_separation.set_lane(lane, state.separation.is_some());
        self.step.set_lane(lane, state.step);
    }
}

impl InLanes for SuspensionState {
    type Lanes = Compression<Real4>;
}

impl Finite for Compression<Real4> {
    #[inline]
    fn residue(&self) -> Real4 {
        let speeds = self.jounce_speed.residue() + self.step.residue();
        self.jounce.residue() + self.separation.residue() + speeds
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
    pub(crate) fn of(state: &Compression<N>) -> Self {
        Self { jounce: state.jounce, is_known: state.is_known, time: state.step }
    }

    /// Mean speed from this jounce to `jounce` (m), in a step of `dt` (s) (m/s).
    ///
    /// The way between two updates is that of the step before: if that was much longer, a division by
    /// this one would make a settled suspension bounce. But what a new road moves the wheel by acts in
    /// this step alone, and its blow is to be the same whatever the step: up to
    /// [three times](MAX_STEP_RATIO) as long, steps count as alike.
    #[inline]
    fn speed_to(&self, jounce: N, dt: Real) -> N {
        let time = (self.time / N::splat(MAX_STEP_RATIO)).at_least(N::splat(dt));
        let speed = (jounce - self.jounce) / time;
        N::select(self.is_known, speed, N::zero())
    }

    /// Whether the wheel was at full droop.
    #[inline]
    pub(crate) fn is_at_droop(&self) -> N::Mask {
        self.is_known & self.jounce.is_equal(N::zero())
    }
}

impl SuspensionState {
    /// Whether the wheel touches the road.
    #[inline]
    pub fn is_on_ground(&self) -> bool {
        self.separation.is_some_and(|separation| separation <= 0.0)
    }
}

/// Clearance of a wheel that meets the road as its radius along the travel direction (m).
///
/// ```text
/// clearance = n·(C - R u sgn(u·n)) + d         with C the center at full droop
/// ```
#[inline]
pub fn ray_clearance<V: Vector>(travel: &WheelTravel<V>, plane: &Plane<V>) -> V::Number {
    let slope = travel.direction.dot(plane.normal);
    let center = travel.droop_center();
    plane.distance(center - travel.direction * (travel.radius * sign(slope)))
}

/// Clearance of a wheel that meets the road as a cylinder with round shoulders (m).
///
/// ```text
/// deepest   = C + (R - ρ) r - ℓ sgn(n·ℓ) (H - ρ)
/// clearance = n·deepest + d - ρ
/// ```
///
/// with `C` the center at full droop, `r` down the wheel's disk, `ℓ` the direction of the axle, `H`
/// half of the width and `ρ` the radius of the shoulders: the wheel is what a ball of this radius
/// covers that moves all over a smaller cylinder. It holds at any inclination and height of the
/// center.
///
/// A cylinder (`ρ` = 0) stands on an edge as soon as it leans, and its center rises with the angle, to
/// either side. On a tread that is round all across (`ρ` = `H`), the point that touches the road moves
/// steadily from side to side, and the center falls.
#[inline]
pub fn cylinder_clearance<V: Vector>(
    travel: &WheelTravel<V>,
    frame: &Frame,
    road: &Plane<V>,
) -> V::Number {
    let WheelTravel { radius, half_width, shoulder_radius, .. } = *travel;
    let center = travel.droop_center();
    let axle = travel.axle(frame);
    let down = down_the_disk(center, axle, radius, road);
    let rim = center + down * (radius - shoulder_radius);
    let side = sign(road.normal.dot(axle)) * (half_width - shoulder_radius);
    road.distance(rim - axle * side) - shoulder_radius
}

/// Unit vector in a wheel's disk that leads most steeply down to the road; zero for a wheel that
/// lies on its side.
///
/// The wheel's plane meets the road in a line: the vector points to its point nearest to the
/// center, or away from it where the center is below the road. Close to the road, where rounding
/// would decide, it is `normalize(ℓ (n·ℓ) - n)`, which is the same vector.
#[inline]
fn down_the_disk<V: Vector>(center: V, axle: V, radius: V::Number, road: &Plane<V>) -> V {
    let (line, squared) = Line::in_lanes(&Plane::through(center, axle), road);
    let height = road.distance(center);
    let mut down = line.closest_point(center) - center;
    // Most wheels are above the road, far from it, and upright.
    let is_below = !V::Number::zero().is_below(height);
    if is_below.any() {
        down = V::select(is_below, -down, down);
    }
    let is_near = height.abs().is_below(V::Number::splat(NEAR_THE_ROAD) * radius);
    if is_near.any() {
        let steepest = axle * road.normal.dot(axle) - road.normal;
        down = V::select(is_near, steepest, down);
    }
    let unit = down * (V::Number::splat(1.0) / down.length());
    let is_lying = squared.is_below(V::Number::splat(LYING * LYING));
    if is_lying.any() { V::select(is_lying, V::zero(), unit) } else { unit }
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

/// What moves a wheel down when nothing holds it.
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
pub fn suspension_state(
    params: &JounceParams,
    travel: &WheelTravel,
    frame: &Frame,
    road: Option<&Plane>,
    drop: &WheelDrop,
    previous: &SuspensionState,
    dt: Real,
) -> SuspensionState {
    let known = PreviousJounce::of(&Compression::<Real>::from_lanes(|_| *previous));
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
#[inline]
pub(crate) fn compression<V: Vector>(
    contact: WheelContact,
    travel: &WheelTravel<V>,
    frame: &Frame,
    plane: &Plane<V>,
    previous: &PreviousJounce<V::Number>,
    dt: Real,
) -> Compression<V::Number> {
    let clearance = match contact {
        WheelContact::Ray => ray_clearance(travel, plane),
        WheelContact::Cylinder => cylinder_clearance(travel, frame, plane),
    };
    let slope = travel.direction.dot(plane.normal);
    let (jounce, separation, has_separation) =
        compress(clearance, slope, travel.distance, previous);
    let jounce_speed = previous.speed_to(jounce, dt);
    let (is_known, step) = (Lanes::from_lanes(|_| true), Number::splat(dt));
    Compression { jounce, is_known, jounce_speed, separation, has_separation, step }
}

/// Holds back a wheel that would drop faster than its spring, damper and gravity can move it.
///
/// A wheel that is held back hangs above the road, unless it is pressed into it.
pub(super) fn limit_expansion(
    state: SuspensionState,
    direction: Vec3,
    has_road: bool,
    drop: &WheelDrop,
    previous: &SuspensionState,
    dt: Real,
) -> SuspensionState {
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
    SuspensionState {
        jounce: Some(held),
        jounce_speed: -speed,
        separation: if is_pressed { state.separation } else { Some(held - jounce) },
        ..state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{PI, Pose, Quat, rotate};

    const ROAD: Plane = Plane { normal: Vec3::Z, offset: 0.0 };
    const DROP: WheelDrop = WheelDrop {
        stiffness: 30_000.0,
        damping: 2_000.0,
        wheel_mass: 20.0,
        gravity: Vec3::new(0.0, 0.0, -9.81),
    };

    fn travel(height: Real, roll: Real) -> WheelTravel {
        WheelTravel {
            pose: Pose::from_parts(Vec3::Z * height, Quat::from_rotation_x(roll)),
            direction: Vec3::NEG_Z,
            distance: 0.2,
            radius: 0.3,
            half_width: 0.1,
            shoulder_radius: 0.0,
        }
    }

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
        for contact in [WheelContact::Ray, WheelContact::Cylinder] {
            for (height, jounce, separation) in cases {
                let params = JounceParams { contact, expansion: ExpansionSpeed::Unlimited };
                let state = suspension_state(
                    &params,
                    &travel(height, 0.0),
                    &Frame::Z_UP,
                    Some(&ROAD),
                    &DROP,
                    &SuspensionState::default(),
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
    fn cylinder_reaches_to_its_lowest_edge() {
        let roll: Real = 0.3;
        let expected = 0.6 - 0.2 - 0.3 * roll.cos() - 0.1 * roll.sin();
        for roll in [roll, -roll] {
            let clearance = cylinder_clearance(&travel(0.6, roll), &Frame::Z_UP, &ROAD);
            assert!((clearance - expected).abs() < 1e-6, "roll {roll}: {clearance}");
        }
    }

    #[test]
    fn round_shoulders_reach_as_far_as_a_ball_in_the_corner() {
        // (radius of the shoulders, roll, reach from the center)
        let (roll, upright): (Real, Real) = (0.3, 0.0);
        let cases = [
            (0.0, upright, 0.3),
            (0.06, upright, 0.3),
            (0.1, upright, 0.3),
            (0.06, roll, 0.24 * roll.cos() + 0.04 * roll.sin() + 0.06),
            (0.1, roll, 0.2 * roll.cos() + 0.1),
            // On its side.
            (0.06, 0.5 * PI, 0.1),
        ];
        for (shoulder_radius, roll, expected) in cases {
            for roll in [roll, -roll] {
                let travel = WheelTravel { shoulder_radius, ..travel(0.6, roll) };
                let what = format!("shoulders of {shoulder_radius} m, roll {roll}");
                let reach = travel.reach(&Frame::Z_UP, ROAD.normal);
                assert!((reach - expected).abs() < 1e-6, "{what}: {reach}, expected {expected}");
                let clearance = cylinder_clearance(&travel, &Frame::Z_UP, &ROAD);
                assert!((clearance - (0.4 - expected)).abs() < 1e-6, "{what}: {clearance}");
            }
        }
    }

    #[test]
    fn leaning_changes_the_jounce_of_a_round_wheel_steadily_and_kinks_that_of_a_cylinder() {
        let slope = |shoulder_radius, roll: Real| {
            let step = 1e-2;
            let clearance = |roll| {
                let travel = WheelTravel { shoulder_radius, ..travel(0.45, roll) };
                cylinder_clearance(&travel, &Frame::Z_UP, &ROAD)
            };
            (clearance(roll + step) - clearance(roll)) / step
        };
        // H on either side of upright; (R - ρ) sin(roll) on a round tread.
        let kink = |shoulder_radius| slope(shoulder_radius, 0.0) - slope(shoulder_radius, -1e-2);
        assert!((kink(0.0) + 2.0 * 0.1).abs() < 1e-2, "{}", kink(0.0));
        assert!((kink(0.06) + 2.0 * 0.04).abs() < 1e-2, "{}", kink(0.06));
        assert!(kink(0.1).abs() < 1e-2, "{}", kink(0.1));
    }

    #[test]
    fn wheel_with_its_center_in_the_plane_is_still_a_wheel() {
        // The reference loses the radius where the center lies exactly in the plane.
        let near = NEAR_THE_ROAD * 0.3;
        let heights =
            [0.0, 1e-8, -1e-8, 1e-4, -1e-4, near, -near, 1.01 * near, -1.01 * near, 0.2, -0.2];
        let normals = [Vec3::Z, Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.48, -0.36, 0.8)];
        for normal in normals {
            for roll in [0.0, 0.3, -0.3, 1.2, std::f32::consts::FRAC_PI_2] {
                for height in heights {
                    let travel = travel(0.2, roll);
                    let road = Plane::through(travel.droop_center() - normal * height, normal);
                    let clearance = cylinder_clearance(&travel, &Frame::Z_UP, &road);
                    // h - R |n × ℓ| - H |n·ℓ|
                    let axle = rotate(travel.pose.rotation, Vec3::Y);
                    let expected =
                        height - 0.3 * normal.cross(axle).length() - 0.1 * normal.dot(axle).abs();
                    let what = format!("normal {normal}, roll {roll}, height {height}");
                    let error = clearance - expected;
                    assert!(error.abs() < 1e-4, "{what}: {clearance}, not {expected}");
                }
            }
        }
    }

    #[test]
    fn wheel_drops_at_once_when_unlimited_and_slowly_when_limited() {
        let previous =
            SuspensionState { jounce: Some(0.1), separation: Some(0.0), ..Default::default() };
        let dt = 0.001;
        for (expansion, expected) in
            [(ExpansionSpeed::Unlimited, 0.0), (ExpansionSpeed::Limited, 0.1 - 0.15 * dt)]
        {
            let params = JounceParams { contact: WheelContact::Ray, expansion };
            let state = suspension_state(
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
