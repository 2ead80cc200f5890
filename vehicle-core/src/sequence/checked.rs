//! Checked steps: inputs are looked at before, the outcome after, and the last good state stays.

use std::ops::ControlFlow::{self, Continue};

use super::{ComponentSequence, spare};
use crate::context::FrameNotes;
use crate::error::{ParamCheck, ParamErrors, Validate};
use crate::frame::Frame;
use crate::math::Real;
use crate::{Context, SimulationParams};

/// The time step of an update is not positive and finite.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("dt must be positive and finite, got {0}")]
pub struct TimeStepError(pub Real);

impl TimeStepError {
    /// `Ok` if `dt` (s) is positive and finite.
    ///
    /// # Errors
    ///
    /// Otherwise.
    pub fn check(dt: Real) -> Result<(), Self> {
        if 0.0 < dt && dt.is_finite() { Ok(()) } else { Err(Self(dt)) }
    }
}

/// A vehicle whose inputs can be checked before a step, and whose state can be put back after it.
pub trait Recoverable {
    /// The whole state.
    type Snapshot: 'static;

    /// Reports what a step cannot use, such as commands out of their ranges, or lists of other
    /// lengths than the vehicle has wheels.
    ///
    /// Where there is nothing to report, it is to take no memory.
    fn check_inputs(&self, check: &mut ParamCheck);

    /// Reports what does not fit the axes of the simulation, such as suspensions that lead up in
    /// `frame`. Nothing unless said otherwise.
    ///
    /// Where there is nothing to report, it is to take no memory.
    fn check_axes(&self, _frame: &Frame, _check: &mut ParamCheck) {}

    /// A copy of the state.
    fn snapshot(&self) -> Self::Snapshot;

    /// Puts a state back.
    fn restore(&mut self, snapshot: Self::Snapshot);

    /// Makes `snapshot`, which may be of another vehicle, a copy of the state. A checked step writes its copy over that of
    /// the step before: a vehicle whose state has lists copies into their memory, so that a step takes none.
    fn snapshot_into(&self, snapshot: &mut Self::Snapshot) {
        *snapshot = self.snapshot();
    }

    /// Whether every number of the state is finite.
    fn is_finite(&self) -> bool;
}

/// The state of a vehicle turned out not finite; it was put back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the vehicle's state is no longer finite after {stage}: the last good state was put back")]
#[non_exhaustive]
pub struct StateFault {
    /// The component after which the state was not finite.
    pub stage: &'static str,
}

/// Why an update failed; the vehicle is as before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum UpdateError {
    /// The time step cannot be simulated.
    #[error(transparent)]
    TimeStep(#[from] TimeStepError),
    /// Commands, lists of the state or the simulation's parameters cannot be simulated.
    #[error(transparent)]
    Inputs(#[from] ParamErrors),
    /// The state is not finite before the step.
    #[error("the vehicle's state is not finite before the step")]
    NotFinite,
    /// The state is not finite after the step.
    #[error(transparent)]
    State(#[from] StateFault),
}

impl UpdateError {
    /// `Ok` if `vehicle` can be stepped by `dt` (s) with `params`, as far as its inputs say. Takes
    /// no memory then.
    ///
    /// # Errors
    ///
    /// If `dt` is not positive and finite, or all faults of the inputs.
    pub fn check<V: Recoverable + ?Sized>(
        vehicle: &V,
        dt: Real,
        params: &SimulationParams,
    ) -> Result<(), Self> {
        Self::check_with(dt, params, |check| {
            vehicle.check_inputs(check);
            vehicle.check_axes(&params.coordinates.frame, check);
        })
    }

    /// `Ok` if a step of `dt` (s) with `params` can be simulated, and `inputs` reports nothing.
    ///
    /// # Errors
    ///
    /// If `dt` is not positive and finite, or all faults.
    pub fn check_with(
        dt: Real,
        params: &SimulationParams,
        inputs: impl FnOnce(&mut ParamCheck),
    ) -> Result<(), Self> {
        TimeStepError::check(dt)?;
        let mut check = ParamCheck::default();
        check.field("simulation", |inner| params.check(inner));
        inputs(&mut check);
        Ok(check.finish()?)
    }
}

impl<V: ?Sized> ComponentSequence<V> {
    /// Advances `vehicle` by `dt` (s) if its inputs are good, and puts its state back if it is not
    /// finite then.
    ///
    /// # Errors
    ///
    /// See [`UpdateError::check`] and [`update_recoverably`](Self::update_recoverably); the vehicle
    /// is as before then.
    pub fn update_checked(
        &self,
        vehicle: &mut V,
        dt: Real,
        context: &Context<'_>,
    ) -> Result<ControlFlow<()>, UpdateError>
    where
        V: Recoverable,
    {
        UpdateError::check(vehicle, dt, context.params)?;
        self.update_recoverably(vehicle, dt, context)
    }

    /// Advances `vehicle`, of checked inputs, by `dt` (s), and puts its state back if it is not
    /// finite then.
    ///
    /// The fault is looked for once, at the end. Only if there is one, the step is repeated with a
    /// look after every component, to name the one that caused it.
    ///
    /// # Errors
    ///
    /// If `dt` is not positive and finite, or the state is not finite before or after the step; the
    /// vehicle is as before then.
    pub fn update_recoverably(
        &self,
        vehicle: &mut V,
        dt: Real,
        context: &Context<'_>,
    ) -> Result<ControlFlow<()>, UpdateError>
    where
        V: Recoverable,
    {
        TimeStepError::check(dt)?;
        let before = spare::copy_of(vehicle);
        let flow = self.update(vehicle, dt, context)?;
        if vehicle.is_finite() {
            spare::leave(before);
            return Ok(flow);
        }
        vehicle.restore(*before);
        Err(self.fault(vehicle, dt, context))
    }

    /// Repeats a step after which the state was not finite, and names the component.
    fn fault(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> UpdateError
    where
        V: Recoverable,
    {
        if !vehicle.is_finite() {
            return UpdateError::NotFinite;
        }
        let before = vehicle.snapshot();
        let mut fault = StateFault { stage: "the whole step" };
        let mut watch = |vehicle: &V, stage| {
            if vehicle.is_finite() {
                return Continue(());
            }
            fault = StateFault { stage };
            ControlFlow::Break(())
        };
        let notes = FrameNotes::default();
        let _stopped = self.run_watched(vehicle, dt, 1, &context.with_notes(&notes), &mut watch);
        vehicle.restore(before);
        fault.into()
    }
}
