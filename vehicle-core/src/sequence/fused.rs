//! Parts of a sequence that are taken as one, faster than component by component.

use std::sync::Arc;

use super::{ComponentSequence, Step};
use crate::Context;
use crate::math::Real;

/// The substeps of a group taken as one, faster than component by component: what a substep leaves
/// for the next one need not be written to the vehicle in between.
pub trait FusedSubsteps<V: ?Sized>: Send + Sync {
    /// Advances `vehicle` by `count` substeps of `dt` (s), each of which does what a run of the
    /// group's components does, bit for bit; whether it has.
    ///
    /// If not, nothing has changed, and the group runs component by component.
    fn run(&self, vehicle: &mut V, count: u32, dt: Real, context: &Context<'_>) -> bool;
}

/// How a [`FusedFrame`] advances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameStep {
    /// Time step of the components beside the group (s).
    pub dt: Real,
    /// Number of substeps of the group.
    pub substeps: u32,
    /// Time step of a substep (s).
    pub substep: Real,
}

/// Components before and after a group of substeps, taken with it as one.
pub trait FusedFrame<V: ?Sized>: Send + Sync {
    /// Advances `vehicle` by `step`, and does what a run of the components does, bit for bit; whether
    /// it has.
    ///
    /// If not, nothing has changed, and the components run one by one.
    fn run(&self, vehicle: &mut V, step: &FrameStep, context: &Context<'_>) -> bool;
}

/// A part of a sequence, and what takes it as one.
pub(super) struct FusedSteps<V: ?Sized> {
    pub(super) body: ComponentSequence<V>,
    pub(super) fused: Arc<dyn FusedFrame<V>>,
}

impl<V: ?Sized> FusedSteps<V> {
    /// How the steps take the share of `divisor` of a step of `dt` (s).
    pub(super) fn step(
        &self,
        vehicle: &V,
        dt: Real,
        divisor: u32,
        context: &Context<'_>,
    ) -> FrameStep {
        let group = self.body.steps.iter().find_map(|step| match step {
            Step::Group(group) => Some(group),
            _ => None,
        });
        let step = dt / divisor as Real;
        let substeps = group.map_or(1, |group| group.count(vehicle, step, context));
        let substep = dt / divisor.saturating_mul(substeps) as Real;
        FrameStep { dt: step, substeps, substep }
    }
}
