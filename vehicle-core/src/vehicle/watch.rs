//! What stages of one's own must leave as it is within substeps.

use crate::body::Wrench;
use crate::math::finite::NOTHING;
use crate::math::lanes::{Real4, Vec3x4, Vector};
use crate::suspension::{SuspensionForce, SuspensionLanes, SuspensionState};
use crate::{Substep, WheelList};

/// Why no stage must push the body anew in each substep.
const PUSHES_AGAIN: &str = "it changes the external force or torque within the substeps of a frame, and they act for \
                            the whole frame: add them once per frame, in a stage before the substeps, such as after \
                            `Brakes`";

/// Why no stage must change what a suspension with mass gives.
const EDITS_FORCES: &str = "it changes forces of suspensions whose wheels have a mass, and the motion of these wheels \
                            does not follow: push the body by its external force, in a stage before the substeps, \
                            such as after `Brakes`, or give it wheels without mass (`ride: None` in its data sheet, \
                            or `with_massless_wheels`)";

/// Weights of the numbers of a force in a sum that changes with each of them (dimensionless).
const WEIGHTS: [f32; 7] = [1.0, 1.37, 0.71, 1.93, 0.59, 1.17, 1.61];

/// What a frame finds in its substeps, by which it knows that a stage has changed what it must not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SubstepWatch {
    /// External force and torque of this frame, once a substep has used it.
    external: Option<Wrench>,
    /// Sum of what suspensions with mass give, until the body has been moved by it.
    suspensions: Option<[u32; 4]>,
    /// What was found in this frame.
    fault: Option<&'static str>,
}

impl SubstepWatch {
    /// Begins a frame.
    #[inline]
    pub(crate) fn begin(&mut self) {
        *self = Self::default();
    }

    /// Remembers what `suspensions` with mass give.
    #[inline]
    pub(super) fn note(&mut self, suspensions: &WheelList<SuspensionState>) {
        self.suspensions = Some(sum(suspensions));
    }

    /// Lets a `load` be added within substeps.
    #[inline]
    pub(super) fn allow(&mut self, load: Wrench) {
        if let Some(noted) = &mut self.external {
            *noted = *noted + load;
        }
    }

    /// Looks at what the body is about to be moved by, in this `substep`.
    #[inline]
    pub(super) fn look(
        &mut self,
        external: Wrench,
        suspensions: &WheelList<SuspensionState>,
        substep: Substep,
    ) {
        let fault = self.fault_now(external, suspensions);
        let is_first = substep.index == 0;
        self.fault = if is_first { fault } else { self.fault.or(fault) };
        self.suspensions = None;
        self.external = (1 < substep.remaining()).then_some(external);
    }

    /// What is wrong with the loads of the body, or was in this frame.
    #[inline]
    pub(super) fn fault(
        &self,
        external: Wrench,
        suspensions: &WheelList<SuspensionState>,
    ) -> Option<&'static str> {
        self.fault.or_else(|| self.fault_now(external, suspensions))
    }

    /// What is wrong with the loads of the body at this moment of a frame.
    #[inline]
    fn fault_now(
        &self,
        external: Wrench,
        suspensions: &WheelList<SuspensionState>,
    ) -> Option<&'static str> {
        if self.external.is_some_and(|noted| noted != external) {
            return Some(PUSHES_AGAIN);
        }
        let is_edited = self.suspensions.is_some_and(|noted| noted != sum(suspensions));
        is_edited.then_some(EDITS_FORCES)
    }
}

/// A sum that changes with each number of the forces of `suspensions`.
fn sum(suspensions: &WheelList<SuspensionState>) -> [u32; 4] {
    let fours = suspensions.fours().iter();
    let sum = fours.fold(NOTHING, |sum, four| sum + weighed(four));
    sum.to_array().map(f32::to_bits)
}

/// The numbers of forces, weighed.
#[inline]
fn weighed(suspensions: &SuspensionLanes) -> Real4 {
    let SuspensionForce { force, torque, normal_load } = suspensions.force;
    let components = |vector: Vec3x4| Vector::components(vector);
    let ([a, b, c], [d, e, f]) = (components(force), components(torque));
    let numbers = [a, b, c, d, e, f, normal_load].into_iter().zip(WEIGHTS);
    numbers.fold(NOTHING, |sum, (number, weight)| sum + number * Real4::splat(weight))
}
