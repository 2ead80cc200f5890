//! What stages of one's own must leave as it is within substeps.

use crate::body::Wrench;
use crate::math::finite::NOTHING;
use crate::math::lanes::{Real4, Vec3x4, Vector};
use crate::math::{Real, Vec3};
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

/// Values of `SubstepWatch::loads` beside marks, which are odd: no load is noted, or a fault has
/// been found.
const NOTHING_NOTED: u32 = 0;
const PUSHED_AGAIN: u32 = 2;
const FORCES_EDITED: u32 = 4;

/// What a frame finds in its substeps, by which it knows that a stage has changed what it must not.
/// It is small, for each vehicle of a fleet has one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SubstepWatch {
    /// Mark of the external force and torque of this frame, once a substep has used them, or what
    /// was found in this frame.
    loads: u32,
    /// Mark of what suspensions with mass give, until the body has been moved by it.
    suspensions: u32,
}

impl SubstepWatch {
    /// Begins a frame.
    #[inline]
    pub(crate) fn begin(&mut self) {
        *self = Self::default();
    }

    /// Remembers what `suspensions` with mass give in the last substep.
    #[inline]
    pub(super) fn note(&mut self, suspensions: &WheelList<SuspensionState>) {
        self.suspensions = mark_of_forces(suspensions);
    }

    /// Lets external loads change from `before` to `after` within substeps.
    #[inline]
    pub(super) fn allow(&mut self, before: Wrench, after: Wrench) {
        if self.loads == mark_of_loads(before) {
            self.loads = mark_of_loads(after);
        }
    }

    /// Looks at what the body is about to be moved by, in this `substep`: notes the external load
    /// of the first one, and compares in the last one.
    #[inline]
    pub(super) fn look(
        &mut self,
        external: Wrench,
        suspensions: &WheelList<SuspensionState>,
        substep: Substep,
    ) {
        let (is_first, is_last) = (substep.index == 0, substep.remaining() == 1);
        if is_first {
            self.loads = if is_last { NOTHING_NOTED } else { mark_of_loads(external) };
        }
        if is_last {
            if self.found() == NOTHING_NOTED {
                self.loads = self.fault_now(external, suspensions);
            }
            self.suspensions = NOTHING_NOTED;
        }
    }

    /// What is wrong with the loads of the body, or was in this frame.
    #[inline]
    pub(super) fn fault(
        &self,
        external: Wrench,
        suspensions: &WheelList<SuspensionState>,
    ) -> Option<&'static str> {
        let found = match self.found() {
            NOTHING_NOTED => self.fault_now(external, suspensions),
            found => found,
        };
        match found {
            PUSHED_AGAIN => Some(PUSHES_AGAIN),
            FORCES_EDITED => Some(EDITS_FORCES),
            _ => None,
        }
    }

    /// What was found in this frame.
    #[inline]
    fn found(&self) -> u32 {
        if is_mark(self.loads) { NOTHING_NOTED } else { self.loads }
    }

    /// What is wrong with the loads of the body at this moment of a frame.
    #[inline]
    fn fault_now(&self, external: Wrench, suspensions: &WheelList<SuspensionState>) -> u32 {
        if is_mark(self.loads) && self.loads != mark_of_loads(external) {
            PUSHED_AGAIN
        } else if is_mark(self.suspensions) && self.suspensions != mark_of_forces(suspensions) {
            FORCES_EDITED
        } else {
            NOTHING_NOTED
        }
    }
}

fn is_mark(number: u32) -> bool {
    number & 1 == 1
}

/// The mark of a sum, whatever the sign of 0.
#[inline]
fn mark(sum: Real) -> u32 {
    (sum + 0.0).to_bits() | 1
}

/// A mark of an external load, which changes with each of its numbers.
#[inline]
fn mark_of_loads(Wrench { force, torque }: Wrench) -> u32 {
    let [x, y, z, a, b, c, _] = WEIGHTS;
    mark(force.dot(Vec3::new(x, y, z)) + torque.dot(Vec3::new(a, b, c)))
}

/// A mark that changes with each number of the forces of `suspensions`.
#[inline]
fn mark_of_forces(suspensions: &WheelList<SuspensionState>) -> u32 {
    let fours = suspensions.fours().iter();
    let sum = fours.fold(NOTHING, |sum, four| sum + weighed(four));
    mark(sum.to_array().into_iter().sum())
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
