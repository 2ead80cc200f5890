//! The body and a wheel in the course of a solution.

use super::motion::{Line, Places, RideMotion};
use super::scalar::{Scalar, Vector3};
use super::spatial::{BodyMass, Spatial};
use super::wheel::{RideWheel, StrutForces};

/// The body at the start of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RideBody<T> {
    /// Mass of the body, with the wheels.
    pub mass: BodyMass<T>,
    /// Velocity of the body (m/s, rad/s).
    pub velocity: Spatial<T>,
    /// Gravity and what acts from outside (N, N·m).
    pub load: Spatial<T>,
    /// Gravitational acceleration (m/s²).
    pub gravity: Vector3<T>,
    /// The step (s).
    pub dt: T,
}

/// A wheel in the course of a solution, and after it what the wheel does.
#[derive(Clone, Copy, Debug)]
pub struct RideSolution<S> {
    /// Data that stay constant over all iterations.
    pub motion: RideMotion<S>,
    /// Change of the extension speed (m/s), and those at the seat of the spring and of the damper.
    pub change: S,
    pub(super) seat_changes: [S; 2],
    /// Load of the tire along the road's normal (N).
    pub load: S,
    /// Change of `L·V + ν ė` (m/s).
    pub(super) tire_change: S,
    pub(super) tire_line: Line<S>,
    /// What it gives to the body by its mass along its path, and what it has (kg·m/s).
    pub(super) impulse: S,
    pub(super) momentum: S,
    /// The changes of the extension speeds at which the lines of the last iteration are those of
    /// the forces (m/s), and where these are then.
    place: [S; 3],
    places: Places<S>,
    /// Force of the bar at the start, and its part of the diagonal and beside it.
    pub(super) bar: Line<S>,
    /// `D`, `g` and the wheel's side of the system.
    pub(super) diagonal: S,
    pub(super) beside: S,
    pub(super) column: Spatial<S>,
    pub(super) side: S,
    /// `D⁻¹ g` and `D⁻¹` of the side.
    pub(super) eliminated: Spatial<S>,
    pub(super) free_change: S,
}

impl<S: Scalar> RideSolution<S> {
    /// The unsolved `wheel` on `body`.
    #[inline]
    pub fn new(wheel: &RideWheel<'_, S>, body: &RideBody<S::Single>) -> Self {
        let (zero, none) = (S::of(0.0), Line::default());
        let dt = S::splat(body.dt);
        Self {
            motion: RideMotion::new(wheel, &body.mass, &Spatial::splat(&body.velocity), dt),
            change: zero,
            seat_changes: [zero; 2],
            load: zero,
            tire_change: zero,
            tire_line: none,
            impulse: zero,
            momentum: zero,
            place: [zero; 3],
            places: Places::default(),
            bar: none,
            diagonal: zero,
            beside: zero,
            column: Spatial::zero(),
            side: zero,
            eliminated: Spatial::zero(),
            free_change: zero,
        }
    }

    /// Extension speed at the end of the step (m/s).
    #[inline]
    pub fn extension_speed(&self, wheel: &RideWheel<'_, S>) -> S {
        self.change - wheel.jounce_speed
    }

    /// Forces that push the `wheel` towards droop at the end of a step of `dt` (s), its
    /// [bar](super::solve::bar_force) by `bar` (N).
    #[inline]
    pub fn strut(&self, wheel: &RideWheel<'_, S>, bar: S, dt: S) -> StrutForces<S> {
        let places = self.motion.places(wheel, self.place, S::of(0.0), dt);
        self.motion.strut_lines(wheel, &places, dt).at(self.changes(), bar)
    }

    /// Load of road and wheel on the body: the load at the contact, and the wheel's inertia at its
    /// center.
    ///
    /// ```text
    /// N L - m/dt Δė J
    /// ```
    #[inline]
    pub fn wrench(&self, dt: S) -> Spatial<S> {
        let inertia = -(self.impulse / dt);
        self.motion.normal * self.load + self.motion.path * inertia
    }

    /// Changes of the extension speed: of the wheel, at its seat and of its damper (m/s).
    #[inline]
    fn changes(&self) -> [S; 3] {
        let [seat, damper] = self.seat_changes;
        [self.change, seat, damper]
    }

    /// Takes the `change` of the body's velocity.
    #[inline]
    pub(super) fn turn(&mut self, change: &Spatial<S>) {
        self.tire_change = self.motion.normal.dot(change) + self.motion.slope * self.change;
    }

    /// Where the forces of the `wheel` are after the changes of before.
    #[inline]
    fn places(&self, wheel: &RideWheel<'_, S>, dt: S) -> Places<S> {
        self.motion.places(wheel, self.changes(), self.tire_change, dt)
    }

    /// The equation of the wheel, on the pieces where its forces are after the changes of before;
    /// those at its seat and of its damper.
    #[inline]
    pub(super) fn linearize(
        &mut self,
        wheel: &RideWheel<'_, S>,
        gravity: &Vector3<S>,
        dt: S,
    ) -> [Line<S>; 2] {
        let places = self.places(wheel, dt);
        (self.place, self.places) = (self.changes(), places);
        let motion = &self.motion;
        let tire = motion.tire_line(wheel, &places, dt);
        let lines = motion.strut_lines(wheel, &places, dt);
        let strut = lines.sum();
        self.tire_line = tire;
        let path = wheel.path;
        let free = wheel.mass * gravity.dot(&path) + wheel.tire_force.dot(&path);
        let rate = motion.slope * motion.slope * tire.rate + strut.rate + self.bar.rate;
        self.diagonal = wheel.mass * path.dot(&path) + dt * rate;
        self.column = motion.path * wheel.mass + motion.normal * (dt * motion.slope * tire.rate);
        self.side = dt * (free + strut.force + self.bar.force + motion.slope * tire.force);
        lines.at_seat()
    }

    /// Whether the forces of the `wheel` are on the pieces of the last iteration: then another one
    /// would find the same changes again, to the last bit.
    #[inline]
    pub(super) fn is_settled(&self, wheel: &RideWheel<'_, S>, dt: S) -> bool {
        self.places(wheel, dt).are_on_pieces_of(&self.places, &self.motion, wheel)
    }

    /// The load at the end of the step, on the piece of the last iteration, and what the motion of
    /// the `wheel` gives to the body.
    #[inline]
    pub(super) fn conclude(&mut self, wheel: &RideWheel<'_, S>) {
        self.load = self.tire_line.at(self.tire_change).larger(S::of(0.0));
        self.impulse = wheel.mass * self.change;
        self.momentum = wheel.mass * self.extension_speed(wheel);
    }
}
