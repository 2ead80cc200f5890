//! Body and wheels solved together at the end of a step.
//!
//! ```text
//! body   Mass ΔV + Σ m J Δė = dt (W + Σ N L + Σ F)
//! wheel  m J·ΔV + m |t|² Δė = dt (m g·t + S + ν N + F·t)
//! ```
//!
//! with `V` the motion of the body (six numbers), `ė` the extension speed of a suspension and `N`
//! the load of a tire. `S` is the force of a strut, and `F` the tire's force along the road. `N`
//! and `S` are straight in the unknowns piece by piece, so each iteration of Newton's method is one
//! system. Wheels are eliminated one by one, or two by two where a bar or an axle joins them. Then
//! a symmetric one of six rows is left for the body.

use super::beam::{
    BeamCoupling, OtherEnds, RideBeams, couple, join_neighbors, of_neighbors, share_momentum,
};
use super::implicitness::spring_implicitness;
use super::motion::Line;
use super::scalar::{Scalar, Vector3};
pub use super::solution::{RideBody, RideSolution};
use super::spatial::{Spatial, Symmetric6};
use super::wheel::RideWheel;
use crate::math::lanes::{MAX_LANES, Real4};
use crate::wheel_list::{Fours, MAX_WHEELS};

/// Iterations of a solution: one creates energy in falls, two do not, and four are needed at most.
pub const ITERATIONS: usize = 3;

/// Anti-roll bars of the wheels that lie side by side, at most one for each wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RideBars<S> {
    /// Stiffness (N/m); 0 where there is none.
    pub stiffness: S,
    /// Number of the wheel at the other end; that of any where there is no bar.
    pub other: [usize; MAX_LANES],
}

/// What joins wheels, of groups of them side by side: for each group, or for none.
#[derive(Clone, Copy, Debug)]
pub struct RideJoints<'a, S: Scalar> {
    /// Anti-roll bars. Where a beam axle joins two wheels, they tell the same two.
    pub bars: &'a [RideBars<S>],
    /// Beam axles.
    pub beams: &'a [RideBeams<S>],
}

/// Solves body and wheels for the end of a step; the velocity of the body then, under forces of the
/// tires as in the step before. `solutions` has an unsolved one for each of `wheels`, and bars and
/// beam axles of `joints` either one for each, or none.
#[inline]
pub fn solve<S: Scalar>(
    body: &RideBody<S::Single>,
    wheels: &[RideWheel<'_, S>],
    joints: RideJoints<'_, S>,
    solutions: &mut [RideSolution<S>],
) -> Spatial<S::Single> {
    let mut couplings = Fours::new();
    let mut equations = Equations::new(body, wheels, joints, solutions, &mut couplings);
    let mut change = equations.free_change(body);
    for _ in 0..ITERATIONS {
        equations.linearize(body, wheels, solutions);
        equations.couple(joints, solutions, body.dt);
        let (matrix, load) = equations.assemble(body, joints, solutions);
        change = matrix.solve(&load);
        take(joints, solutions, &change);
        let mut all = wheels.iter().zip(&*solutions);
        if all.all(|(wheel, solution)| solution.is_settled(wheel, S::splat(body.dt))) {
            break;
        }
    }
    conclude(wheels, joints, solutions);
    body.velocity + change
}

/// What beam axles add to the equations of a step.
pub(super) type Couplings<S> = Fours<BeamCoupling<S>, MAX_WHEELS>;

/// The equations of a step, beside those of its wheels.
pub(super) struct Equations<'a, S: Scalar = Real4> {
    /// Where they stay: with their room for all wheels that a vehicle can have, to move them would
    /// take as long as the step.
    couplings: &'a mut Couplings<S>,
    /// Impulse of all that does not depend on the solution.
    impulse: Spatial<S::Single>,
}

impl<'a, S: Scalar> Equations<'a, S> {
    /// Those of `body` and `wheels`, of which `solutions` are unsolved.
    #[inline]
    pub(super) fn new(
        body: &RideBody<S::Single>,
        wheels: &[RideWheel<'_, S>],
        joints: RideJoints<'_, S>,
        solutions: &mut [RideSolution<S>],
        couplings: &'a mut Couplings<S>,
    ) -> Self {
        let dt = body.dt;
        for (number, bar) in joints.bars.iter().enumerate() {
            let line = bar_line(wheels, solutions, bar, number, S::splat(dt));
            (solutions[number].bar, solutions[number].motion.implicitness.bar) = line;
            solutions[number].beside = -(S::splat(dt) * solutions[number].bar.rate);
        }
        if !joints.beams.is_empty() {
            add_couplings(couplings, joints.beams, wheels, solutions, &body.gravity);
        }
        let impulse = free_impulse(body, wheels);
        let free = Spatial::splat(&body.mass.accelerated(&impulse));
        solutions.iter_mut().for_each(|solution| solution.turn(&free));
        Self { couplings, impulse }
    }

    /// Change of the body's motion without wheels.
    #[inline]
    pub(super) fn free_change(&self, body: &RideBody<S::Single>) -> Spatial<S::Single> {
        body.mass.accelerated(&self.impulse)
    }

    /// Finds the equations of the wheels at the changes of before.
    #[inline]
    pub(super) fn linearize(
        &mut self,
        body: &RideBody<S::Single>,
        wheels: &[RideWheel<'_, S>],
        solutions: &mut [RideSolution<S>],
    ) {
        linearize(body, wheels, solutions, self.couplings);
    }

    /// Adds to them what beam axles do, in a step of `dt` (s).
    #[inline]
    pub(super) fn couple(
        &self,
        joints: RideJoints<'_, S>,
        solutions: &mut [RideSolution<S>],
        dt: S::Single,
    ) {
        if !self.couplings.is_empty() {
            couple(joints.beams, self.couplings, solutions, S::splat(dt));
        }
    }

    /// The matrix and the side of the body, with all wheels eliminated.
    #[inline]
    pub(super) fn assemble(
        &self,
        body: &RideBody<S::Single>,
        joints: RideJoints<'_, S>,
        solutions: &mut [RideSolution<S>],
    ) -> (Symmetric6<S::Single>, Spatial<S::Single>) {
        assemble(body, joints, solutions, &self.impulse)
    }
}

/// The loads at the end of the step, and what the motion of the wheels gives to the body.
#[inline]
pub(super) fn conclude<S: Scalar>(
    wheels: &[RideWheel<'_, S>],
    joints: RideJoints<'_, S>,
    solutions: &mut [RideSolution<S>],
) {
    for (wheel, solution) in wheels.iter().zip(&mut *solutions) {
        solution.conclude(wheel);
    }
    if !joints.beams.is_empty() {
        share_momentum(joints.beams, wheels, solutions);
    }
}

/// Finds what `beams` add to the equations, for each group of wheels.
#[inline(never)]
fn add_couplings<S: Scalar>(
    couplings: &mut Fours<BeamCoupling<S>, MAX_WHEELS>,
    beams: &[RideBeams<S>],
    wheels: &[RideWheel<'_, S>],
    solutions: &[RideSolution<S>],
    gravity: &Vector3<S::Single>,
) {
    let gravity = Vector3::splat(gravity);
    for (number, beam) in beams.iter().enumerate() {
        couplings.push(BeamCoupling::new(beam, wheels, solutions, number, &gravity));
    }
}

/// Forces of the bars at the solved wheels `number`, towards droop (N).
pub fn bar_force<S: Scalar>(bars: &RideBars<S>, solutions: &[RideSolution<S>], number: usize) -> S {
    let RideSolution { bar, change, .. } = &solutions[number];
    let others = OtherEnds::of::<S>(&bars.other, number);
    bar.at(*change - others.each(|group| solutions[group].change))
}

/// Impulse of all that does not depend on the solution: load from outside and the tires' forces of
/// the step before.
#[inline]
fn free_impulse<S: Scalar>(
    body: &RideBody<S::Single>,
    wheels: &[RideWheel<'_, S>],
) -> Spatial<S::Single> {
    let tires = wheels.iter().fold(Spatial::<S>::zero(), |sum, wheel| {
        sum + Spatial::at(&wheel.contact_arm, &wheel.tire_force).where_true(wheel.is_there)
    });
    (body.load + tires.sum()) * body.dt
}

/// Finds the equations of the wheels at the changes of before.
#[inline]
fn linearize<S: Scalar>(
    body: &RideBody<S::Single>,
    wheels: &[RideWheel<'_, S>],
    solutions: &mut [RideSolution<S>],
    couplings: &mut [BeamCoupling<S>],
) {
    let (gravity, dt) = (Vector3::splat(&body.gravity), S::splat(body.dt));
    for (number, (wheel, solution)) in wheels.iter().zip(solutions).enumerate() {
        let at_seat = solution.linearize(wheel, &gravity, dt);
        if let Some(coupling) = couplings.get_mut(number) {
            coupling.at_seat = at_seat;
        }
    }
}

/// The matrix and the side of the body, with all wheels eliminated.
#[inline]
fn assemble<S: Scalar>(
    body: &RideBody<S::Single>,
    joints: RideJoints<'_, S>,
    solutions: &mut [RideSolution<S>],
    impulse: &Spatial<S::Single>,
) -> (Symmetric6<S::Single>, Spatial<S::Single>) {
    let dt = S::splat(body.dt);
    let (mut matrix, mut side) = (Symmetric6::of_mass(&body.mass), Spatial::<S>::zero());
    for number in 0..solutions.len() {
        let (eliminated, free_change) = eliminate(solutions, joints, number);
        let solution = &mut solutions[number];
        (solution.eliminated, solution.free_change) = (eliminated, free_change);
        let (normal, tire) = (&solution.motion.normal, solution.tire_line);
        let (of_tire, by_tire) = ((*normal * (dt * tire.rate)).to_array(), normal.to_array());
        let (of_wheel, by_wheel) = (solution.column.to_array(), eliminated.to_array());
        matrix.add_sums(|row, column| {
            of_tire[row] * by_tire[column] - of_wheel[row] * by_wheel[column]
        });
        side = side + *normal * (dt * tire.force) + solution.column * -free_change;
    }
    (matrix, *impulse + side.sum())
}

/// Lets the wheels follow a `change` of the body's motion.
#[inline]
pub(super) fn take<S: Scalar>(
    joints: RideJoints<'_, S>,
    solutions: &mut [RideSolution<S>],
    change: &Spatial<S::Single>,
) {
    let after = Spatial::splat(change);
    for solution in &mut *solutions {
        solution.change = solution.free_change - solution.eliminated.dot(&after);
        solution.seat_changes = [solution.change; 2];
        solution.turn(&after);
    }
    for (number, beam) in joints.beams.iter().enumerate() {
        solutions[number].seat_changes = beam.seat_changes(solutions, number);
    }
}

/// What other sides of the wheels alone change of the side of the body, in equations that are
/// [assembled](Equations::assemble).
pub(super) fn of_sides<S: Scalar>(
    joints: RideJoints<'_, S>,
    solutions: &mut [RideSolution<S>],
) -> Spatial<S::Single> {
    let mut side = Spatial::<S>::zero();
    for number in 0..solutions.len() {
        let (_, free_change) = eliminate(solutions, joints, number);
        let solution = &mut solutions[number];
        solution.free_change = free_change;
        side = side + solution.column * -free_change;
    }
    side.sum()
}

/// `D⁻¹ g` and `D⁻¹` of the side of wheel `number`.
///
/// ```text
/// D = d                                       alone
///   = ((d, o), (o, d'))                       with a bar or an axle to the other wheel, `'`
/// ```
#[inline]
fn eliminate<S: Scalar>(
    solutions: &[RideSolution<S>],
    joints: RideJoints<'_, S>,
    number: usize,
) -> (Spatial<S>, S) {
    let this = &solutions[number];
    let alone = S::of(1.0) / this.diagonal;
    let Some(bar) = joints.bars.get(number) else {
        return (this.column * alone, this.side * alone);
    };
    let (diagonal, column, side) = if join_neighbors::<S>(&bar.other, number) {
        let column = this.column.to_array().map(of_neighbors);
        (of_neighbors(this.diagonal), Spatial::from_array(column), of_neighbors(this.side))
    } else {
        others(solutions, bar, number)
    };
    let scale = S::of(1.0) / (this.diagonal * diagonal - this.beside * this.beside);
    let has_bar = S::of(0.0).is_less(bar.stiffness);
    let is_joined = joints.beams.get(number).map_or(has_bar, |beam| has_bar | beam.is_there);
    let own = S::choose(is_joined, diagonal * scale, alone);
    let beside = (-(this.beside * scale)).where_true(is_joined);
    (this.column * own + column * beside, this.side * own + side * beside)
}

/// `d`, `g` and the side of the wheels at the other ends of `bars`, anywhere in the vehicle.
#[cold]
#[inline(never)]
fn others<S: Scalar>(
    solutions: &[RideSolution<S>],
    bars: &RideBars<S>,
    number: usize,
) -> (S, Spatial<S>, S) {
    let ends = OtherEnds::of::<S>(&bars.other, number);
    let gather = |of: &dyn Fn(&RideSolution<S>) -> S| ends.each(|group| of(&solutions[group]));
    let column = std::array::from_fn(|row| gather(&|other| other.column.to_array()[row]));
    (gather(&|other| other.diagonal), Spatial::from_array(column), gather(&|other| other.side))
}

/// Force of the bars at the wheels `number`, and how implicit they are.
///
/// ```text
/// κ (Δj + θ dt Δj̇⁺),   Δ: this wheel - the other
/// ```
#[inline]
fn bar_line<S: Scalar>(
    wheels: &[RideWheel<'_, S>],
    solutions: &[RideSolution<S>],
    bar: &RideBars<S>,
    number: usize,
    dt: S,
) -> (Line<S>, S) {
    let (wheel, others) = (&wheels[number], OtherEnds::of::<S>(&bar.other, number));
    let inverse_mass = |group: usize| solutions[group].motion.inverse_mass;
    let inverse_mass = inverse_mass(number).larger(others.each(inverse_mass));
    let theta = spring_implicitness(S::of(2.0) * bar.stiffness, inverse_mass, dt);
    let difference = wheel.jounce - others.each(|group| wheels[group].jounce);
    let speed = wheel.jounce_speed - others.each(|group| wheels[group].jounce_speed);
    let rate = bar.stiffness * theta * dt;
    (Line { force: bar.stiffness * difference + rate * speed, rate }, theta)
}
