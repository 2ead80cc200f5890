//! Springs, dampers and stops as straight pieces.
//!
//! A *piece* is the line `f = slope x + offset` on which a law lies at a place. On an edge between
//! two pieces the inner one holds: an open stop, a damper within its knee.

use serde::{Deserialize, Serialize};

use super::scalar::Scalar;

/// Most points of a spring's table.
pub const MAX_SPRING_POINTS: usize = 8;

/// The line `f = slope x + offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Piece<S> {
    /// Change of the force per change of the argument.
    pub slope: S,
    /// Force at 0 (N).
    pub offset: S,
}

impl<S: Scalar> Piece<S> {
    /// Force at `x` (N).
    #[inline]
    pub fn at(&self, x: S) -> S {
        self.slope * x + self.offset
    }
}

/// A stop: a spring that pushes beyond an edge.
///
/// ```text
/// f = k max(0, x - edge)
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Stop<S> {
    /// Where it begins (m).
    pub edge: S,
    /// Stiffness (N/m).
    pub stiffness: S,
}

impl<S: Scalar> Stop<S> {
    /// Whether the stop is open at `x` (m).
    #[inline]
    pub fn is_open(&self, x: S) -> S::Mask {
        !self.edge.is_less(x)
    }

    /// Piece of the stop at `x` (m).
    #[inline]
    pub fn piece(&self, x: S) -> Piece<S> {
        let slope = self.stiffness.where_true(self.edge.is_less(x));
        Piece { slope, offset: -(slope * self.edge) }
    }
}

/// A stop of an elastomer, which gives back a part of what it has taken.
///
/// ```text
/// f = k x (1 - h),   x = max(0, jounce - edge)
/// h = min(0.9, max(0, -T v / x))
/// ```
///
/// with the jounce speed `v` and the damping time `T`. What leaves the stop in a time of `T` or
/// less is pushed by a tenth of the spring's force. A body that has been hit hard keeps less than
/// half of its speed. While the stop is pressed it is its spring alone, whatever the speed. The
/// force begins at 0, and a light wheel is not hit by a damper that suits the body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DampedStop<S> {
    /// Spring of the stop.
    pub spring: Stop<S>,
    /// Damping time (s); 0 for an elastic stop.
    pub damping_time: S,
}

/// The line on which a [`DampedStop`] lies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct DampedPiece<S> {
    /// Against the jounce.
    pub(super) spring: Piece<S>,
    /// Damping rate, to be added against the jounce speed (N·s/m).
    pub(super) damping: S,
}

impl<S: Scalar> DampedStop<S> {
    /// Largest part of the spring's force that is held back (dimensionless).
    const LARGEST_LOSS: f64 = 0.9;

    /// A stop that is its `spring` alone.
    pub fn elastic(spring: Stop<S>) -> Self {
        Self { spring, damping_time: S::of(0.0) }
    }

    /// The stop of this `spring` below a body of `mass` (kg).
    ///
    /// ```text
    /// T = 2 √(m / k)
    /// ```
    ///
    /// which is critical damping as long as the loss is not at its largest. A body that hits all of
    /// its stops is not thrown from one axle to the other.
    pub(crate) fn below(mass: S, spring: Stop<S>) -> Self {
        let period = (mass / spring.stiffness).square_root();
        let is_stop = S::of(0.0).is_less(spring.stiffness) & S::of(0.0).is_less(mass);
        Self { spring, damping_time: (S::of(2.0) * period).where_true(is_stop) }
    }

    /// Its piece at a `jounce` (m) that changes at a `speed` (m/s), in a step that begins at the
    /// jounce and its speed of `start` (m, m/s).
    ///
    /// How much the stop holds back at most is told by the start: that does not change while a
    /// solution looks for the pieces of a step.
    #[inline]
    pub(super) fn piece(&self, jounce: S, speed: S, start: [S; 2]) -> DampedPiece<S> {
        let Piece { slope, offset } = self.spring.piece(jounce);
        let (zero, one, largest) = (S::of(0.0), S::of(1.0), S::of(Self::LARGEST_LOSS));
        let left = self.damping_time * start[1];
        let is_held = left.is_less((self.spring.edge - start[0]) * largest) & left.is_less(zero);
        let is_damped = !is_held & !zero.is_less(left) & speed.is_less(zero);
        let part = S::choose(is_held, one - largest, one);
        DampedPiece {
            spring: Piece { slope: slope * part, offset: offset * part },
            damping: (slope * self.damping_time).where_true(is_damped),
        }
    }

    /// Whether the stop may be on different pieces at two jounces (m) and their speeds (m/s).
    #[inline]
    pub(super) fn is_elsewhere(&self, here: [S; 2], there: [S; 2]) -> S::Mask {
        let zero = S::of(0.0);
        let [is_closed, was_closed] =
            [here, there].map(|[jounce, _]| self.spring.edge.is_less(jounce));
        let [opens, opened] = [here, there].map(|[_, speed]| speed.is_less(zero));
        is_closed ^ was_closed | is_closed & (opens ^ opened)
    }

    /// The part of the spring's force that is held back at a `depth` beyond its edge (m) that
    /// changes at a `speed` (m/s).
    #[inline]
    pub(super) fn loss(&self, depth: S, speed: S) -> S {
        let (zero, largest) = (S::of(0.0), S::of(Self::LARGEST_LOSS));
        let loss = -(self.damping_time * speed) / depth;
        let loss = S::choose(largest.is_less(loss), largest, loss);
        S::choose(loss.is_less(zero), zero, loss)
    }
}

/// A spring whose force grows in straight pieces from 0 at full droop, as a sum of stops.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpringLaw<S> {
    /// The stops; the first one begins at 0.
    bends: [Stop<S>; MAX_SPRING_POINTS],
    count: usize,
    /// The largest slope (N/m).
    steepest: S,
}

impl<S: Scalar> SpringLaw<S> {
    /// A spring of one `stiffness` (N/m).
    pub fn linear(stiffness: S) -> Self {
        let mut bends = [Stop::default(); MAX_SPRING_POINTS];
        bends[0].stiffness = stiffness;
        Self { bends, count: 1, steepest: stiffness }
    }

    /// A spring through `points(lane)` of jounce (m) and force (N), the first one (0, 0), at most
    /// [`MAX_SPRING_POINTS`]; beyond the last one the last slope goes on.
    pub fn through<'a>(points: impl Fn(usize) -> &'a [(S::Single, S::Single)]) -> Self
    where
        S::Single: 'a,
    {
        let slope = |points: &[(S::Single, S::Single)], piece: usize| {
            let ((x, f), (a, b)) = (points[piece], points[piece + 1]);
            (b - f) / (a - x)
        };
        let none = S::Single::of(0.0);
        let mut law = Self { count: 1, ..Self::default() };
        for bend in 0..MAX_SPRING_POINTS - 1 {
            let has_bend = |lane| bend + 1 < points(lane).len();
            let stop = &mut law.bends[bend];
            stop.edge =
                S::from_lanes(|lane| if has_bend(lane) { points(lane)[bend].0 } else { none });
            stop.stiffness = S::from_lanes(|lane| {
                let points = points(lane);
                match bend {
                    _ if points.len() <= bend + 1 => none,
                    0 => slope(points, 0),
                    _ => slope(points, bend) - slope(points, bend - 1),
                }
            });
            let steepness =
                S::from_lanes(|lane| if has_bend(lane) { slope(points(lane), bend) } else { none });
            law.steepest = law.steepest.larger(steepness);
            if (0..S::LANES).any(has_bend) {
                law.count = bend + 1;
            }
        }
        law
    }

    /// Largest slope of the spring (N/m).
    #[inline]
    pub fn steepest(&self) -> S {
        self.steepest
    }

    /// Slope of the spring at full droop (N/m).
    #[inline]
    pub(crate) fn first_slope(&self) -> S {
        self.bends[0].stiffness
    }

    /// Stops of the spring.
    #[inline]
    pub(super) fn bends(&self) -> &[Stop<S>] {
        &self.bends[..self.count]
    }

    /// Piece of the spring at `jounce` (m).
    #[inline]
    pub fn piece(&self, jounce: S) -> Piece<S> {
        let mut piece = self.bends[0].piece(jounce);
        for bend in &self.bends[1..self.count] {
            let added = bend.piece(jounce);
            piece.slope = piece.slope + added.slope;
            piece.offset = piece.offset + added.offset;
        }
        piece
    }
}

/// One side of a damper: a rate up to a knee, and another one beyond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DamperSide<S> {
    /// Damping rate up to the knee (N·s/m). With a knee at 0 it never counts.
    pub rate: S,
    /// Speed of the knee (m/s).
    pub knee: S,
    /// Damping rate beyond the knee (N·s/m).
    pub rate_beyond: S,
}

impl<S: Scalar> DamperSide<S> {
    /// A side of one `rate` (N·s/m).
    pub fn linear(rate: S) -> Self {
        Self { rate, knee: S::of(0.0), rate_beyond: rate }
    }

    /// Rate at low speed (N·s/m): with a knee at 0, that beyond it.
    #[inline]
    fn first_rate(&self) -> S {
        S::choose(S::of(0.0).is_less(self.knee), self.rate, self.rate_beyond)
    }

    /// Piece of the damper at a `speed` (m/s) away from 0.
    #[inline]
    fn piece(&self, speed: S) -> Piece<S> {
        let is_beyond = self.knee.is_less(speed);
        Piece {
            slope: S::choose(is_beyond, self.rate_beyond, self.rate),
            offset: ((self.rate - self.rate_beyond) * self.knee).where_true(is_beyond),
        }
    }
}

/// A damper of straight pieces, with sides of their own in bump (compression) and rebound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DamperLaw<S> {
    /// At positive jounce speeds.
    pub bump: DamperSide<S>,
    /// At negative ones.
    pub rebound: DamperSide<S>,
}

impl<S: Scalar> DamperLaw<S> {
    /// A damper of one `rate` (N·s/m).
    pub fn linear(rate: S) -> Self {
        Self { bump: DamperSide::linear(rate), rebound: DamperSide::linear(rate) }
    }

    /// Largest slope of the damper (N·s/m).
    #[inline]
    pub fn steepest(&self) -> S {
        let side = |side: &DamperSide<S>| side.rate.larger(side.rate_beyond);
        side(&self.bump).larger(side(&self.rebound))
    }

    /// Rate of the damper at low speed, the mean of both sides (N·s/m).
    #[inline]
    pub fn mean_rate(&self) -> S {
        S::of(0.5) * (self.bump.first_rate() + self.rebound.first_rate())
    }

    /// Piece of the damper at `jounce_speed` (m/s).
    #[inline]
    pub fn piece(&self, jounce_speed: S) -> Piece<S> {
        let is_bump = S::of(0.0).is_less(jounce_speed);
        let (bump, rebound) = (self.bump.piece(jounce_speed), self.rebound.piece(-jounce_speed));
        Piece {
            slope: S::choose(is_bump, bump.slope, rebound.slope),
            offset: S::choose(is_bump, bump.offset, -rebound.offset),
        }
    }
}

/// Laws of spring, damper and bump stop that carry a wheel's part of the vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrutLaws<S> {
    /// Main spring.
    pub spring: SpringLaw<S>,
    /// Damper.
    pub damper: DamperLaw<S>,
    /// Bump stop: a soft one, before the end of the travel.
    pub bump_stop: DampedStop<S>,
    /// End stop, beyond full compression.
    pub end_stop: DampedStop<S>,
    /// Stiffness of the droop stop, which pulls beyond full droop (N/m).
    pub droop_stop: S,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::{Lanes, Real4};

    #[test]
    fn spring_follows_its_points() {
        let points = [(0.0, 0.0), (0.1, 2_000.0), (0.2, 6_000.0), (0.25, 10_000.0)];
        let law = SpringLaw::<f64>::through(|_| &points);
        assert!((law.steepest() - 80_000.0).abs() < 1e-6);
        for (jounce, expected) in [
            (-0.1, 0.0),
            (0.0, 0.0),
            (0.05, 1_000.0),
            (0.1, 2_000.0),
            (0.15, 4_000.0),
            (0.25, 10_000.0),
            (0.3, 14_000.0),
        ] {
            let force = law.piece(jounce).at(jounce);
            assert!((force - expected).abs() < 1e-8, "{jounce} m: {force} N");
        }
    }

    #[test]
    fn lanes_have_tables_of_their_own() {
        let (soft, hard) =
            ([(0.0, 0.0), (0.1, 1_000.0)], [(0.0, 0.0), (0.1, 2_000.0), (0.2, 8_000.0)]);
        let of = |lane: usize| if lane == 2 { &hard[..] } else { &soft[..] };
        let law = SpringLaw::<Real4>::through(of);
        let jounce = Real4::splat(0.3);
        let force = law.piece(jounce).at(jounce);
        for lane in 0..4 {
            let expected = if lane == 2 { 14_000.0 } else { 3_000.0 };
            assert!((Lanes::lane(&force, lane) - expected).abs() < 1e-2, "{force:?}");
        }
    }

    #[test]
    fn damper_has_knees_on_both_sides() {
        let damper = DamperLaw {
            bump: DamperSide { rate: 1_000.0, knee: 0.2, rate_beyond: 500.0 },
            rebound: DamperSide { rate: 3_000.0, knee: 0.1, rate_beyond: 1_000.0 },
        };
        assert_eq!(damper.steepest(), 3_000.0);
        for (speed, expected) in
            [(0.0, 0.0), (0.1, 100.0), (0.2, 200.0), (0.4, 300.0), (-0.1, -300.0), (-0.5, -700.0)]
        {
            let force: f64 = damper.piece(speed).at(speed);
            assert!((force - expected).abs() < 1e-9, "{speed} m/s: {force} N");
        }
    }

    #[test]
    fn mean_rate_is_that_of_low_speeds() {
        let side = |rate, knee, rate_beyond| DamperSide { rate, knee, rate_beyond };
        for (side, expected) in [
            (side(1_000.0, 0.2, 500.0), 1_000.0),
            (side(0.0, 0.0, 3_000.0), 3_000.0),
            (side(3_000.0, 0.0, 0.0), 0.0),
        ] {
            let damper = DamperLaw { bump: side, rebound: side };
            assert_eq!(damper.mean_rate(), expected, "{side:?}");
            let slow: f64 = damper.piece(1e-3).at(1e-3);
            assert!((slow - 1e-3 * expected).abs() < 1e-9, "{side:?}: {slow} N");
        }
    }

    #[test]
    fn damped_stops_hold_back_what_leaves_them() {
        let stop = DampedStop { spring: Stop { edge: 0.2, stiffness: 1e5 }, damping_time: 0.05 };
        // Jounce (m), its speed (m/s), and the force (N).
        for (jounce, speed, expected) in [
            (0.21, 0.0, 1_000.0),
            (0.21, 0.1, 1_000.0),
            (0.21, 9.0, 1_000.0),
            (0.21, -0.1, 1_000.0 - 500.0),
            (0.21, -0.17, 1_000.0 - 850.0),
            (0.21, -0.19, 100.0),
            (0.21, -9.0, 100.0),
            (0.19, 1.0, 0.0),
            (0.19, -1.0, 0.0),
        ] {
            let DampedPiece { spring, damping } = stop.piece(jounce, speed, [jounce, speed]);
            let found: f64 = spring.at(jounce) + damping * speed;
            assert!((found - expected).abs() < 1e-6, "{jounce} m, {speed} m/s: {found} N");
        }
        let turned = stop.piece(0.21, 1.0, [0.21, -0.1]);
        assert_eq!(turned.damping, 0.0, "it is pressed at the end of the step");
        let elastic = DampedStop::elastic(stop.spring);
        for speed in [-3.0, 0.0, 3.0] {
            let expected = DampedPiece { spring: stop.spring.piece(0.21), damping: 0.0 };
            assert_eq!(elastic.piece(0.21, speed, [0.21, speed]), expected, "{speed} m/s");
        }
    }

    #[test]
    fn a_body_that_hits_a_damped_stop_keeps_less_than_half_of_its_speed() {
        let (mass, dt) = (400.0, 1e-5);
        let spring = Stop { edge: 0.0, stiffness: 5e5 };
        let kept = |stop: DampedStop<f64>, hit: f64| {
            let (mut jounce, mut speed) = (0.0, hit);
            while 0.0 <= jounce {
                let DampedPiece { spring, damping } = stop.piece(jounce, speed, [jounce, speed]);
                speed -= dt * (spring.at(jounce) + damping * speed) / mass;
                jounce += dt * speed;
            }
            -speed / hit
        };
        for hit in [0.1, 1.0, 8.0] {
            let elastic = kept(DampedStop::elastic(spring), hit);
            assert!((elastic - 1.0).abs() < 0.01, "{elastic} of {hit} m/s");
            let damped = kept(DampedStop::below(mass, spring), hit);
            assert!((0.4..0.5).contains(&damped), "{damped} of {hit} m/s");
        }
        let none = DampedStop::below(mass, Stop::default());
        assert_eq!(none.damping_time, 0.0, "without a stop");
    }

    #[test]
    fn stop_is_open_on_its_edge() {
        let stop = Stop { edge: 0.19_f64, stiffness: 1e5 };
        assert!(stop.is_open(0.19) && !stop.is_open(0.2));
        assert_eq!(stop.piece(0.19), Piece { slope: 0.0, offset: -0.0 });
        let force: f64 = stop.piece(0.2).at(0.2);
        assert!((force - 1_000.0).abs() < 1e-9, "{force}");
    }
}
