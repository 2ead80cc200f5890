//! What a wheel's rows answer: impulses within the bounds of friction, brake and stop.

use super::momentum::{Momentum, dot};
use super::row::{ConstraintRow, WheelRows};
use super::solver::BodyVelocity;
use crate::math::{Real, Vec3};

/// Least softness, of rows that reach their target at once (dimensionless): two of them may ask for
/// different things.
const LEAST_SOFTNESS: Real = 1e-6;

/// A row as an equation for the momentum that rows give to the body.
#[derive(Clone, Copy)]
pub(super) struct Term {
    /// Change of the body's velocity per impulse: linear (1/kg), angular (1/(kg·m)).
    pub(super) answer: Momentum,
    /// Speed that the row is to change by (m/s).
    error: f64,
    /// (1/kg)
    softness: f64,
}

impl Term {
    fn new(row: &ConstraintRow, body: &BodyVelocity) -> Option<Self> {
        if row.softness.is_infinite() {
            return None;
        }
        let turned = body.inverse_inertia * row.angular;
        let response = body.inverse_mass + row.angular.dot(turned);
        Some(Self {
            answer: components(row.linear * body.inverse_mass, turned),
            error: f64::from(row.target_speed - row.speed(body.linear, body.angular)),
            softness: f64::from(response * row.softness.max(LEAST_SOFTNESS)),
        })
    }

    #[inline]
    pub(super) fn softness(&self) -> f64 {
        self.softness
    }

    /// Impulse without bounds, of a body that has been given `momentum` (N·s).
    #[inline]
    fn free_impulse(&self, momentum: &Momentum) -> f64 {
        (self.error - dot(&self.answer, momentum)) / self.softness
    }
}

fn components(linear: Vec3, angular: Vec3) -> Momentum {
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z].map(f64::from)
}

/// The rows of a wheel: along, across, out of the road. Those that are not there have no part in it.
#[derive(Clone, Copy)]
pub(super) struct WheelTerms {
    pub(super) terms: [Option<Term>; 3],
    /// Largest impulse along and across (N·s).
    tire: [f64; 2],
    /// Largest impulse of both (N·s).
    friction: f64,
    /// Smallest and largest impulse out of the road (N·s).
    stop: [f64; 2],
}

/// What of the change of two free impulses each takes that is at no bound.
const FREE_TIRE: [[f64; 2]; 2] = [[1.0, 0.0], [0.0, 1.0]];

/// What a wheel's rows answer to a momentum of the body.
pub(super) struct WheelAnswer {
    /// Impulses of the rows (N·s).
    pub(super) impulses: [f64; 3],
    /// Part of the change of the first two free impulses that each of them takes (dimensionless).
    pub(super) tire: [[f64; 2]; 2],
    /// The same of the third.
    pub(super) stop: f64,
}

impl WheelAnswer {
    /// Whether no row is at a bound.
    pub(super) fn is_free(&self) -> bool {
        self.tire == FREE_TIRE && self.stop == 1.0
    }
}

impl WheelTerms {
    /// The rows of a wheel that are the vehicle's to execute.
    pub(super) fn new(rows: &WheelRows, body: &BodyVelocity) -> Self {
        let local = rows.local();
        let mut terms = local.map(|row| row.and_then(|row| Term::new(row, body)));
        // The friction circle is round only if both directions are as soft.
        if let [Some(along), Some(across), _] = &mut terms
            && rows.max_friction_impulse.is_finite()
        {
            let mean = 0.5 * (along.softness + across.softness);
            (along.softness, across.softness) = (mean, mean);
        }
        let bound = |row: Option<&ConstraintRow>| {
            row.map_or(0.0, |row| f64::from(row.max_impulse).max(0.0))
        };
        let least = |row: &ConstraintRow| if row.is_two_sided { -bound(Some(row)) } else { 0.0 };
        Self {
            terms,
            tire: [bound(local[0]), bound(local[1])],
            friction: f64::from(rows.max_friction_impulse).max(0.0),
            stop: [local[2].map_or(0.0, least), bound(local[2])],
        }
    }

    fn free_impulses(&self, momentum: &Momentum) -> [f64; 3] {
        self.terms
            .each_ref()
            .map(|term| term.as_ref().map_or(0.0, |term| term.free_impulse(momentum)))
    }

    /// The answer to `momentum` (N·s, N·m·s) without bounds.
    pub(super) fn free(&self, momentum: &Momentum) -> WheelAnswer {
        let impulses = self.free_impulses(momentum);
        WheelAnswer { impulses, tire: FREE_TIRE, stop: 1.0 }
    }

    /// The answer to `momentum` (N·s, N·m·s).
    pub(super) fn bounded(&self, momentum: &Momentum) -> WheelAnswer {
        let free = self.free_impulses(momentum);
        let ([along, across], tire) = self.within_friction([free[0], free[1]]);
        let stop = free[2].max(self.stop[0]).min(self.stop[1]);
        let impulses = [along, across, stop];
        let is_pressed = if stop == free[2] { 1.0 } else { 0.0 };
        WheelAnswer { impulses, tire, stop: is_pressed }
    }

    /// The impulse of a tire that friction and brake allow and that is nearest to `free`, and its
    /// derivative by it.
    fn within_friction(&self, free: [f64; 2]) -> ([f64; 2], [[f64; 2]; 2]) {
        let limit = self.friction;
        let clamped = [0, 1].map(|axis| free[axis].max(-self.tire[axis]).min(self.tire[axis]));
        if clamped[0] * clamped[0] + clamped[1] * clamped[1] <= limit * limit {
            let moves = [0, 1].map(|axis| if clamped[axis] == free[axis] { 1.0 } else { 0.0 });
            return (clamped, [[moves[0], 0.0], [0.0, moves[1]]]);
        }
        let size = free[0].hypot(free[1]);
        let [along, across] = free.map(|impulse| impulse / size);
        let round = [limit * along, limit * across];
        if round[0].abs() <= self.tire[0] && round[1].abs() <= self.tire[1] {
            let rate = limit / size;
            let both = -rate * along * across;
            return (round, [[rate * across * across, both], [both, rate * along * along]]);
        }
        // The corners in which the circle meets the bounds.
        let beside = |bound: f64| (limit * limit - bound * bound).max(0.0).sqrt();
        let [longitudinal, lateral] = self.tire.map(|bound| bound.min(limit));
        let corners = [
            [longitudinal.copysign(along), beside(longitudinal).min(lateral).copysign(across)],
            [beside(lateral).min(longitudinal).copysign(along), lateral.copysign(across)],
        ];
        let distance = |corner: &[f64; 2]| (free[0] - corner[0]).hypot(free[1] - corner[1]);
        let nearest =
            if distance(&corners[0]) <= distance(&corners[1]) { corners[0] } else { corners[1] };
        (nearest, [[0.0; 2]; 2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(tire: [f64; 2], friction: f64) -> WheelTerms {
        WheelTerms { terms: [None; 3], tire, friction, stop: [0.0, f64::INFINITY] }
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
        for (tire, friction, free, expected) in cases {
            let (actual, _) = terms(tire, friction).within_friction(free);
            let error = (actual[0] - expected[0]).hypot(actual[1] - expected[1]);
            assert!(error < 1e-12, "{tire:?}, {friction}, {free:?}: {actual:?}, not {expected:?}");
        }
    }

    #[test]
    fn derivatives_are_those_of_the_impulses() {
        let step = 1e-6;
        for free in [[1.0, -2.0], [2.0, -8.0], [4.0, 1.0], [-9.0, 4.1], [-1.0, 40.0]] {
            let terms = terms([3.0, 9.0], 5.0);
            let (impulse, derivative) = terms.within_friction(free);
            for axis in [0, 1] {
                let mut moved = free;
                moved[axis] += step;
                let (later, _) = terms.within_friction(moved);
                for row in [0, 1] {
                    let slope = (later[row] - impulse[row]) / step;
                    let expected = derivative[row][axis];
                    assert!((slope - expected).abs() < 1e-5, "{free:?}: {slope}, not {expected}");
                }
            }
        }
    }
}
