//! Impulses of the rows of four wheels within the bounds of friction, brake and stop.

use wide::f64x4;

use super::momentum::{Momentum, SIZE};
use super::terms::{FourTerms, Term};
use crate::math::lanes::{MAX_LANES, doubles};

/// A row of each of four wheels with more digits.
#[derive(Clone, Copy)]
struct WideTerm {
    /// See [`Term`].
    answer: [f64x4; SIZE],
    error: f64x4,
    stiffness: f64x4,
}

impl WideTerm {
    fn new(term: &Term) -> Self {
        let [x, y, z, roll, pitch, yaw] = term.answer;
        Self {
            answer: [
                doubles(x),
                doubles(y),
                doubles(z),
                doubles(roll),
                doubles(pitch),
                doubles(yaw),
            ],
            error: doubles(term.error),
            stiffness: doubles(term.stiffness),
        }
    }

    /// Impulses without bounds, of a body that has been given `momentum` (N·s).
    #[inline]
    fn free_impulse(&self, momentum: &Momentum) -> f64x4 {
        let [x, y, z, roll, pitch, yaw] = self.answer;
        let at = |component: usize| f64x4::splat(momentum[component]);
        let moved = x * at(0) + y * at(1) + z * at(2);
        let turned = roll * at(3) + pitch * at(4) + yaw * at(5);
        (self.error - (moved + turned)) * self.stiffness
    }
}

/// The rows of four wheels with more digits.
#[derive(Clone, Copy)]
pub(super) struct WideTerms {
    /// The rows along and across.
    tires: [WideTerm; 2],
    /// The rows out of the road, if any wheel has one.
    stops: Option<WideStops>,
    /// Largest impulses along and across (N·s).
    largest: [f64x4; 2],
    /// Largest impulse of both (N·s).
    friction: f64x4,
}

/// Rows out of the road, of four wheels.
#[derive(Clone, Copy)]
struct WideStops {
    rows: WideTerm,
    /// Smallest and largest impulse (N·s).
    bounds: [f64x4; 2],
}

/// Response of the rows of four wheels to a momentum of the body.
pub(super) struct Answer {
    /// Impulses of the rows along and across (N·s).
    pub(super) impulses: [f64x4; 2],
    /// Part of the change of its free impulse that the row along takes, and that of the row across
    /// (dimensionless).
    pub(super) tire: [f64x4; 2],
    /// Part of the change of the other's free impulse that each of them takes (dimensionless);
    /// `None` where no tire slides.
    pub(super) crossed: Option<f64x4>,
    /// Response of the rows out of the road.
    pub(super) stop: StopAnswer,
}

/// Response of rows out of the road to a momentum of the body.
pub(super) struct StopAnswer {
    /// Their impulses (N·s).
    pub(super) impulse: f64x4,
    /// Part of the change of its free impulse that each of them takes (dimensionless).
    moves: f64x4,
}

/// Where `mask` is true 1, elsewhere 0.
#[inline]
fn ones(mask: f64x4) -> f64x4 {
    mask & f64x4::ONE
}

impl WideTerms {
    pub(super) fn new(terms: &FourTerms) -> Self {
        let [along, across] = &terms.tires;
        let stops = terms.stops.as_ref().map(|stops| WideStops {
            rows: WideTerm::new(&stops.rows),
            bounds: [doubles(stops.least), doubles(stops.rows.largest)],
        });
        Self {
            tires: [WideTerm::new(along), WideTerm::new(across)],
            stops,
            largest: [doubles(along.largest), doubles(across.largest)],
            friction: doubles(terms.friction),
        }
    }

    /// Adds what the rows that answer `answer` give to this component of the velocity, Σ a λ, in
    /// each lane for its wheel. Adds also to the elements of its row of Σ a aᵀ Π' / γ, up to the
    /// diagonal.
    #[inline(always)]
    pub(super) fn add_to(
        &self,
        component: usize,
        answer: &Answer,
        gain: &mut f64x4,
        elements: &mut [f64x4; SIZE],
    ) {
        let [along, across] = &self.tires;
        let (a, b) = (along.answer[component], across.answer[component]);
        *gain += a * answer.impulses[0] + b * answer.impulses[1];
        let of_along = a * (answer.tire[0] * along.stiffness);
        let of_across = b * (answer.tire[1] * across.stiffness);
        let (c, d) = match answer.crossed {
            None => (of_along, of_across),
            Some(crossed) => {
                let crossed = crossed * along.stiffness;
                (of_along + b * crossed, a * crossed + of_across)
            }
        };
        for (column, element) in elements[..=component].iter_mut().enumerate() {
            *element += c * along.answer[column] + d * across.answer[column];
        }
        let Some(stops) = &self.stops else { return };
        let (rows, stop) = (&stops.rows, &answer.stop);
        let a = rows.answer[component];
        *gain += a * stop.impulse;
        let weighted = a * (stop.moves * rows.stiffness);
        for (column, element) in elements[..=component].iter_mut().enumerate() {
            *element += weighted * rows.answer[column];
        }
    }

    /// The answer to `momentum` (N·s, N·m·s).
    #[inline(always)]
    pub(super) fn bounded(&self, momentum: &Momentum) -> Answer {
        let [along, across] = &self.tires;
        let free = [along.free_impulse(momentum), across.free_impulse(momentum)];
        let clamp = |axis: usize| {
            let largest = self.largest[axis];
            free[axis].fast_max(-largest).fast_min(largest)
        };
        let clamped = [clamp(0), clamp(1)];
        let moves = [clamped[0].simd_eq(free[0]), clamped[1].simd_eq(free[1])];
        let square = clamped[0] * clamped[0] + clamped[1] * clamped[1];
        let is_within = square.simd_le(self.friction * self.friction);
        let mut answer = Answer {
            impulses: clamped,
            tire: [ones(moves[0]), ones(moves[1])],
            crossed: None,
            stop: self.stopped(momentum),
        };
        if !is_within.all() {
            self.slide(free, is_within.to_bitmask(), &mut answer);
        }
        answer
    }

    /// Response of the rows out of the road to `momentum` (N·s, N·m·s).
    #[inline]
    fn stopped(&self, momentum: &Momentum) -> StopAnswer {
        let Some(WideStops { rows, bounds: [least, most] }) = &self.stops else {
            return StopAnswer { impulse: f64x4::ZERO, moves: f64x4::ONE };
        };
        let free = rows.free_impulse(momentum);
        let impulse = free.fast_max(*least).fast_min(*most);
        let is_pressed = impulse.simd_eq(free);
        StopAnswer { impulse, moves: ones(is_pressed) }
    }

    /// Brings the tires that are not within their friction, by a bit of `is_within` for each, to
    /// its edge.
    #[cold]
    fn slide(&self, free: [f64x4; 2], is_within: u32, answer: &mut Answer) {
        let free = free.map(f64x4::to_array);
        let (largest, friction) = (self.largest.map(f64x4::to_array), self.friction.to_array());
        let mut crossed = [0.0; MAX_LANES];
        for lane in (0..friction.len()).filter(|lane| is_within >> lane & 1 == 0) {
            let at = |values: &[[f64; 4]; 2]| [values[0][lane], values[1][lane]];
            let edge = FrictionEdge::nearest(at(&free), at(&largest), friction[lane]);
            for axis in [0, 1] {
                answer.impulses[axis].as_mut_array()[lane] = edge.impulse[axis];
                answer.tire[axis].as_mut_array()[lane] = edge.moves[axis];
            }
            crossed[lane] = edge.crossed;
        }
        answer.crossed = Some(f64x4::new(crossed));
    }
}

/// Where friction ends that a free impulse is beyond.
struct FrictionEdge {
    /// The impulse there (N·s).
    impulse: [f64; 2],
    /// Derivatives of the edge by the free impulse of the same axis, and of the other
    /// (dimensionless).
    moves: [f64; 2],
    crossed: f64,
}

impl FrictionEdge {
    /// The impulse that is nearest to `free` (N·s) among those that `friction` and brake, the
    /// `largest` along and across, allow. `free` is beyond the `friction` even if it is cut to the
    /// largest.
    fn nearest(free: [f64; 2], largest: [f64; 2], friction: f64) -> Self {
        let size = free[0].hypot(free[1]);
        let [along, across] = free.map(|impulse| impulse / size);
        let round = [friction * along, friction * across];
        if round[0].abs() <= largest[0] && round[1].abs() <= largest[1] {
            let rate = friction / size;
            let moves = [rate * across * across, rate * along * along];
            return Self { impulse: round, moves, crossed: -rate * along * across };
        }
        // The corners in which the circle meets the bounds.
        let beside = |bound: f64| (friction * friction - bound * bound).max(0.0).sqrt();
        let [longitudinal, lateral] = largest.map(|bound| bound.min(friction));
        let corners = [
            [longitudinal.copysign(along), beside(longitudinal).min(lateral).copysign(across)],
            [beside(lateral).min(longitudinal).copysign(along), lateral.copysign(across)],
        ];
        let distance = |corner: &[f64; 2]| (free[0] - corner[0]).hypot(free[1] - corner[1]);
        let nearest =
            if distance(&corners[0]) <= distance(&corners[1]) { corners[0] } else { corners[1] };
        Self { impulse: nearest, moves: [0.0; 2], crossed: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four wheels alike of these bounds, on rows of stiffness 1 whose free impulses are their
    /// errors.
    fn terms(largest: [f64; 2], friction: f64, free: [f64; 2]) -> WideTerms {
        let splat = f64x4::splat;
        let term = |error| WideTerm {
            answer: [f64x4::ZERO; 6],
            error: splat(error),
            stiffness: f64x4::ONE,
        };
        WideTerms {
            tires: free.map(term),
            stops: None,
            largest: largest.map(splat),
            friction: splat(friction),
        }
    }

    /// Impulses of a wheel along and across, and their derivatives by the free impulses.
    fn answer(largest: [f64; 2], friction: f64, free: [f64; 2]) -> ([f64; 2], [[f64; 2]; 2]) {
        let answer = terms(largest, friction, free).bounded(&[0.0; 6]);
        let one = |lanes: f64x4| {
            let [first, rest @ ..] = lanes.to_array();
            assert_eq!(rest, [first; 3]);
            first
        };
        let [along, across] = answer.impulses.map(one);
        let ([of_along, of_across], crossed) =
            (answer.tire.map(one), answer.crossed.map_or(0.0, one));
        ([along, across], [[of_along, crossed], [crossed, of_across]])
    }

    #[test]
    fn friction_and_brake_allow_the_nearest_impulse() {
        // (bounds along and across, friction, free impulse, allowed)
        let cases = [
            ([9.0, 9.0], 5.0, [1.0, -2.0], [1.0, -2.0]),
            ([9.0, 9.0], 5.0, [6.0, -8.0], [3.0, -4.0]),
            // The brake bears 3.
            ([3.0, 9.0], 5.0, [4.0, 1.0], [3.0, 1.0]),
            ([3.0, 9.0], 5.0, [-9.0, 4.0], [-3.0, 4.0]),
            ([3.0, 9.0], 5.0, [-9.0, 40.0], [-5.0 * 9.0 / 41.0, 5.0 * 40.0 / 41.0]),
            // A lateral force of 4 is replaced.
            ([9.0, 4.0], 5.0, [4.0, 9.0], [3.0, 4.0]),
            ([f64::INFINITY; 2], f64::INFINITY, [1e9, -1e9], [1e9, -1e9]),
            ([3.0, 0.0], 0.0, [7.0, 0.0], [0.0, 0.0]),
        ];
        for (largest, friction, free, expected) in cases {
            let (actual, _) = answer(largest, friction, free);
            let error = (actual[0] - expected[0]).hypot(actual[1] - expected[1]);
            assert!(
                error < 1e-12,
                "{largest:?}, {friction}, {free:?}: {actual:?}, not {expected:?}"
            );
        }
    }

    #[test]
    fn derivatives_are_those_of_the_impulses() {
        let step = 1e-6;
        for free in [[1.0, -2.0], [2.0, -8.0], [4.0, 1.0], [-9.0, 4.1], [-1.0, 40.0]] {
            let answer = |free| answer([3.0, 9.0], 5.0, free);
            let (impulse, derivative) = answer(free);
            for axis in [0, 1] {
                let mut moved = free;
                moved[axis] += step;
                let (later, _) = answer(moved);
                for row in [0, 1] {
                    let slope = (later[row] - impulse[row]) / step;
                    let expected = derivative[row][axis];
                    assert!((slope - expected).abs() < 1e-5, "{free:?}: {slope}, not {expected}");
                }
            }
        }
    }
}
