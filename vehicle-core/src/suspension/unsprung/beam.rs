//! Beam axles: two wheels with mass that a rigid axle joins.
//!
//! A rigid body between two ends has the kinetic energy of masses at them, of which they share one,
//! with the velocities `v` and `v'` of the ends:
//!
//! ```text
//! 2 E = (m - b) v·v + 2 b v·v' + (m' - b) v'·v',     b = m m' / (m + m') - J / T²
//! ```
//!
//! for the roll inertia `J` and the track `T`. With `b` = 0 the wheels are independent. So the
//! equations of wheels that share a mass have those of independent ones in them:
//!
//! ```text
//! momentum column   m J + b (J' - J)
//! mass of itself    (m - b) |t|²,           with the other  b t·t'
//! weight            g·(m t + b (t' - t))
//! ```
//!
//! Springs and bump stops are at seats between the wheels, at a distance `t_s` from each other, and
//! so are dampers, at theirs:
//!
//! ```text
//! q = α j + β j',   α = (1 + t_s/T) / 2,   β = (1 - t_s/T) / 2
//! ```
//!
//! and what one pushes, `S(q)`, it pushes by `α` on its own wheel and by `β` on the other.
//!
//! The axle rolls about its roll center, at the height `h` above the ground. Both contacts move
//! aside alike, by `s`, so that the forces `F` of both tires, with their loads, push on its roll:
//!
//! ```text
//! s = h (j - j') (r - r') / T²,   Q = -h / T² (r - r')·(F + F')
//! ```
//!
//! with the centers `r` of the wheels. Tires slip by what is left of the body's own speed at the
//! contact: a body that rolls about the roll center does not drag them over the road.

use super::motion::Line;
use super::scalar::{Scalar, Vector3};
use super::solution::RideSolution;
use super::spatial::Spatial;
use super::wheel::{RideWheel, SpringSeat};
use crate::math::lanes::{Lanes, MAX_LANES, Mask};

/// Beam axles of the wheels that lie side by side, at most one for each wheel.
#[derive(Clone, Copy, Debug)]
pub struct RideBeams<S: Scalar> {
    /// Whether the wheel is on one, with another wheel.
    pub is_there: S::Mask,
    /// Number of the wheel at the other end; that of any where there is no axle.
    pub other: [usize; MAX_LANES],
    /// `b`, the mass that the wheels share (kg).
    pub shared_mass: S,
    /// `t_s/T`, distance of the springs by that of the wheels (dimensionless).
    pub spring_track: S,
    /// Distance of the dampers by that of the wheels (dimensionless).
    pub damper_track: S,
    /// `h/T²`, the roll center's height above the ground by the square of the track (1/m).
    pub roll_center: S,
}

impl<S: Scalar> RideBeams<S> {
    /// Parts of the jounce at the seats of springs and of dampers, of its own wheel and of the
    /// other: α and β. They are all of its own where there is no axle.
    #[inline]
    fn parts(&self) -> [[S; 2]; 2] {
        let (one, half) = (S::of(1.0), S::of(0.5));
        [self.spring_track, self.damper_track].map(|track| {
            let own = S::choose(self.is_there, half * (one + track), one);
            [own, one - own]
        })
    }

    /// These axles where both wheels are there: one that has lost a wheel lets the other go as if
    /// it were independent.
    #[inline]
    pub(super) fn whole(&self, wheels: &[RideWheel<'_, S>], number: usize) -> Self {
        let is_any_missing = (self.is_there & !wheels[number].is_there).any();
        if !is_any_missing && join_neighbors::<S>(&self.other, number) {
            return *self;
        }
        let other = Lanes::from_lanes(|lane| {
            let wheel = self.other[lane];
            wheels[wheel / S::LANES].is_there.lane(wheel % S::LANES)
        });
        Self { is_there: self.is_there & wheels[number].is_there & other, ..*self }
    }

    /// Where spring and damper of the wheels `number` are.
    #[inline]
    pub fn seat(&self, wheels: &[RideWheel<'_, S>], number: usize) -> SpringSeat<S> {
        let ([spring, damper], others) = (self.parts(), OtherEnds::of::<S>(&self.other, number));
        let wheel = &wheels[number];
        let at = |[own, other]: [S; 2], here: S, there: S| {
            S::choose(self.is_there, own * here + other * there, here)
        };
        let jounce = others.each(|group| wheels[group].jounce);
        let speed = others.each(|group| wheels[group].jounce_speed);
        SpringSeat {
            jounce: at(spring, wheel.jounce, jounce),
            speed: at(spring, wheel.jounce_speed, speed),
            damper_speed: at(damper, wheel.jounce_speed, speed),
        }
    }

    /// Changes of the extension speed at the seats of springs and of dampers of the solved wheels
    /// `number` (m/s).
    #[inline]
    pub(super) fn seat_changes(&self, solutions: &[RideSolution<S>], number: usize) -> [S; 2] {
        let here = solutions[number].change;
        let others = OtherEnds::of::<S>(&self.other, number);
        let there = others.each(|group| solutions[group].change);
        self.parts().map(|[own, other]| own * here + other * there)
    }
}

/// What the other wheels of beam axles add to the equations of wheels, in one step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BeamCoupling<S> {
    /// Momentum column (kg).
    column: Spatial<S>,
    /// Mass of the wheel itself, and with the other one (kg).
    own_mass: S,
    beside: S,
    /// Force on the wheel (N): weight, and tires through the roll center.
    force: S,
    /// Spring and bump stop at its seat, and its damper, on the pieces of an iteration.
    pub(super) at_seat: [Line<S>; 2],
}

impl<S: Scalar> BeamCoupling<S> {
    /// Coupling of the wheels `number` under `gravity` (m/s²).
    #[inline]
    pub(super) fn new(
        beams: &RideBeams<S>,
        wheels: &[RideWheel<'_, S>],
        solutions: &[RideSolution<S>],
        number: usize,
        gravity: &Vector3<S>,
    ) -> Self {
        let (wheel, shared) = (&wheels[number], beams.shared_mass.where_true(beams.is_there));
        let others = OtherEnds::of::<S>(&beams.other, number);
        let path = others.vector(|group| wheels[group].path);
        let center = others.vector(|group| wheels[group].center_arm);
        let of_path = |group: usize| solutions[group].motion.path;
        let other = Spatial {
            linear: others.vector(|group| of_path(group).linear),
            angular: others.vector(|group| of_path(group).angular),
        };
        let own = of_path(number);
        let along = wheel.center_arm - center;
        let force = |group: usize| {
            let wheel = &wheels[group];
            let load = wheel.tire.stiffness * wheel.deflection.larger(S::of(0.0));
            wheel.tire_force + wheel.plane.normal * load.where_true(wheel.has_road)
        };
        let pushed = along.dot(&(force(number) + others.vector(force)));
        let located = -(beams.roll_center * pushed).where_true(beams.is_there);
        Self {
            column: (other + own * S::of(-1.0)) * shared,
            own_mass: -(shared * wheel.path.dot(&wheel.path)),
            beside: shared * wheel.path.dot(&path),
            force: shared * gravity.dot(&(path - wheel.path)) + located,
            at_seat: [Line::default(); 2],
        }
    }
}

/// Adds to the equations of the wheels what the axles do.
///
/// ```text
/// d  += dt ((α² - 1) k + β² k'),   o = dt α β (k + k'),   side += dt ((α - 1) f + β f')
/// ```
///
/// with the forces `f` and the rates `k` at the seats.
#[inline(never)]
pub(super) fn couple<S: Scalar>(
    beams: &[RideBeams<S>],
    couplings: &[BeamCoupling<S>],
    solutions: &mut [RideSolution<S>],
    dt: S,
) {
    let one = S::of(1.0);
    for (number, (beam, coupling)) in beams.iter().zip(couplings).enumerate() {
        let solution = &mut solutions[number];
        let (mut rate, mut beside, mut force) = (S::of(0.0), S::of(0.0), coupling.force);
        let others = OtherEnds::of::<S>(&beam.other, number);
        for (seat, [own, other]) in beam.parts().into_iter().enumerate() {
            let here = coupling.at_seat[seat];
            let there = Line {
                force: others.each(|group| couplings[group].at_seat[seat].force),
                rate: others.each(|group| couplings[group].at_seat[seat].rate),
            };
            rate = rate + (own * own - one) * here.rate + other * other * there.rate;
            beside = beside + own * other * (here.rate + there.rate);
            force = force + (own - one) * here.force + other * there.force;
        }
        let beside = (coupling.beside + dt * beside).where_true(beam.is_there);
        solution.diagonal = solution.diagonal + coupling.own_mass + dt * rate;
        solution.beside = beside - dt * solution.bar.rate;
        solution.column = solution.column + coupling.column;
        solution.side = solution.side + dt * force;
    }
}

/// Adds to what the wheels give to the body the part that they share.
#[inline(never)]
pub(super) fn share_momentum<S: Scalar>(
    beams: &[RideBeams<S>],
    wheels: &[RideWheel<'_, S>],
    solutions: &mut [RideSolution<S>],
) {
    for (number, beam) in beams.iter().enumerate() {
        let shared = beam.shared_mass.where_true(beam.is_there);
        let others = OtherEnds::of::<S>(&beam.other, number);
        let (change, speed) = {
            let of = |group: usize| &solutions[group];
            let speed = |group: usize| of(group).extension_speed(&wheels[group]);
            (
                others.each(|group| of(group).change) - of(number).change,
                others.each(speed) - speed(number),
            )
        };
        let solution = &mut solutions[number];
        solution.impulse = solution.impulse + shared * change;
        solution.momentum = solution.momentum + shared * speed;
    }
}

/// Whether the joints of the four wheels `number` join neighbors, as in most vehicles: the first
/// two with each other, and the next two.
#[inline]
pub(super) fn join_neighbors<S: Scalar>(other: &[usize; MAX_LANES], number: usize) -> bool {
    let first = number * MAX_LANES;
    S::LANES == MAX_LANES && *other == [first + 1, first, first + 3, first + 2]
}

/// In each lane the number of the other of two lanes: of the first two, and of the next two.
#[inline]
pub(super) fn of_neighbors<S: Scalar>(number: S) -> S {
    S::from_lanes(|lane| number.lane(lane ^ 1))
}

/// The wheels at the other ends of joints of four: their neighbors, or any.
#[derive(Clone, Copy, Debug)]
pub(super) enum OtherEnds<'a> {
    /// Neighbors within these wheels, as they are numbered.
    Neighbors(usize),
    /// Wheels of these numbers.
    Any(&'a [usize; MAX_LANES]),
}

impl<'a> OtherEnds<'a> {
    /// Other ends of the wheels `number`, whose joints end at the `other` wheels.
    #[inline]
    pub(super) fn of<S: Scalar>(other: &'a [usize; MAX_LANES], number: usize) -> Self {
        if join_neighbors::<S>(other, number) { Self::Neighbors(number) } else { Self::Any(other) }
    }

    /// `value(group)` of each.
    #[inline]
    pub(super) fn each<S: Scalar>(self, value: impl Fn(usize) -> S) -> S {
        match self {
            Self::Neighbors(group) => of_neighbors(value(group)),
            Self::Any(other) => gathered(other, &value),
        }
    }

    /// `vector(group)` of each.
    #[inline]
    pub(super) fn vector<S: Scalar>(self, vector: impl Fn(usize) -> Vector3<S>) -> Vector3<S> {
        match self {
            Self::Neighbors(group) => Vector3(vector(group).0.map(of_neighbors)),
            Self::Any(other) => {
                Vector3([0, 1, 2].map(|row| gathered(other, &|group| vector(group).0[row])))
            }
        }
    }
}

/// `value(group)` of the `other` wheels, wherever they are.
#[cold]
#[inline(never)]
fn gathered<S: Scalar>(other: &[usize; MAX_LANES], value: &dyn Fn(usize) -> S) -> S {
    S::from_lanes(|lane| {
        let wheel = other[lane];
        value(wheel / S::LANES).lane(wheel % S::LANES)
    })
}

#[cfg(test)]
mod tests;
