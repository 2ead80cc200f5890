//! A wheel with mass at the start of a step: what it is, and what pushes it.

use super::contact::{RideContact, RidePlane};
use super::laws::StrutLaws;
use super::scalar::{Scalar, Vector3};
pub use super::tire_spring::TireSpring;

/// Compression of a spring and its bump stop, and its damper.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpringSeat<S> {
    /// Jounce (m).
    pub jounce: S,
    /// Jounce speed (m/s).
    pub speed: S,
    /// Jounce speed of the damper (m/s).
    pub damper_speed: S,
}

impl<S: Scalar> SpringSeat<S> {
    /// A wheel at `jounce` (m) and `speed` (m/s) with spring and damper of its own.
    #[inline]
    pub fn at_wheel(jounce: S, speed: S) -> Self {
        Self { jounce, speed, damper_speed: speed }
    }
}

/// A wheel with mass, its suspension and its tire at the start of a step, in the axes of the world.
#[derive(Clone, Copy, Debug)]
pub struct RideWheel<'a, S: Scalar> {
    /// Whether it is a wheel, and no lane that is left over or wheel that is lost.
    pub is_there: S::Mask,
    /// Whether it is a wheel, be it lost, and no lane that is left over.
    pub is_wheel: S::Mask,
    /// Unsprung mass (kg).
    pub mass: S,
    /// The least mass with which it moves, alone or with another one on a beam axle (kg): its own
    /// if it is independent.
    pub least_mass: S,
    /// Laws of spring, damper and bump stop that carry its part of the vehicle.
    pub laws: &'a StrutLaws<S>,
    /// Tire of the wheel.
    pub tire: TireSpring<S>,
    /// Unit vector along which the suspension travels, towards droop.
    pub direction: Vector3<S>,
    /// Unit vector of gravity, across which roads rise; where there is none, and in the reference,
    /// that of the travel.
    pub vertical: Vector3<S>,
    /// Path of the contact: the direction of travel and the slopes of the path beside it.
    pub path: Vector3<S>,
    /// From the center of mass to the center of the wheel (m).
    pub center_arm: Vector3<S>,
    /// Jounce (m).
    pub jounce: S,
    /// Jounce speed (m/s).
    pub jounce_speed: S,
    /// Where its spring, damper and bump stop are: as the wheel if it is independent.
    pub seat: SpringSeat<S>,
    /// Whether there is a road under it.
    pub has_road: S::Mask,
    /// The road.
    pub plane: RidePlane<S>,
    /// Deflection of the tire (m).
    pub deflection: S,
    /// From the center of mass to the contact (m).
    pub contact_arm: Vector3<S>,
    /// Force of the tire along the road in the step before (N).
    pub tire_force: Vector3<S>,
}

impl<S: Scalar> RideWheel<'_, S> {
    /// Puts the wheel onto its road, by a contact in the axes of a body at `center` (m).
    #[inline]
    pub fn set_contact(&mut self, contact: &RideContact<S>, center: &Vector3<S>) {
        self.contact_arm = contact.point - *center;
        self.deflection = contact.deflection;
    }
}

/// How much of each force is that of the step's end (dimensionless).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Implicitness<S> {
    /// Main spring.
    pub spring: S,
    /// Damper.
    pub damper: S,
    /// Bump stop.
    pub bump_stop: S,
    /// End stop.
    pub end_stop: S,
    /// Droop stop.
    pub droop_stop: S,
    /// Tire.
    pub tire: S,
    /// Anti-roll bar.
    pub bar: S,
}

/// Forces that push a wheel towards droop (N).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrutForces<S> {
    /// Main spring.
    pub spring: S,
    /// Damper.
    pub damper: S,
    /// Bump stop.
    pub bump_stop: S,
    /// End stop.
    pub end_stop: S,
    /// Droop stop.
    pub droop_stop: S,
    /// Anti-roll bar.
    pub bar: S,
}

impl<S: Scalar> StrutForces<S> {
    /// All of them (N).
    #[inline]
    pub fn sum(&self) -> S {
        let stops = self.bump_stop + self.end_stop + self.droop_stop;
        self.spring + self.damper + stops + self.bar
    }
}
