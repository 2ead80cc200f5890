//! Checked steps: inputs are looked at before, the outcome after, and the last good state stays.

use std::ops::ControlFlow::{self, Continue};

use super::ComponentSequence;
use super::side_by_side::{OfRunners, in_turns};
use crate::error::{ParamCheck, ParamErrors, Validate};
use crate::frame::CoordinateSystem;
use crate::math::Real;
use crate::{Context, SimulationParams, spare};

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
    /// the frame of `coordinates`. Nothing unless said otherwise.
    ///
    /// Where there is nothing to report, it is to take no memory.
    fn check_axes(&self, _coordinates: &CoordinateSystem, _check: &mut ParamCheck) {}

    /// A copy of the state.
    fn snapshot(&self) -> Self::Snapshot;

    /// Puts a state back.
    fn restore(&mut self, snapshot: Self::Snapshot);

    /// Makes `snapshot`, which may be of another vehicle, a copy of the state. A checked step
    /// writes its copy over that of the step before: a vehicle whose state has lists copies into
    /// their memory, so that a step takes none.
    fn snapshot_into(&self, snapshot: &mut Self::Snapshot) {
        *snapshot = self.snapshot();
    }

    /// Whether every number of the state is finite.
    fn is_finite(&self) -> bool;

    /// Which number of a state that is not finite is the first one, such as `tires[2].camber is
    /// NaN`; see [`first_not_finite`](super::first_not_finite). `None` unless said otherwise.
    fn not_finite(&self) -> Option<String> {
        None
    }

    /// Reason why a stage of the last step is unfit for this vehicle, and what to use in the place
    /// of that stage; `None` (the default) if all stages fit.
    fn stage_fault(&self) -> Option<&'static str> {
        None
    }
}

/// A component has left a state that is not finite, or that its vehicle cannot bear; the last good
/// one was put back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} after {stage}: {}the last good state was put back", self.finding(), self.explanation())]
#[non_exhaustive]
pub struct StateFault {
    /// The component.
    pub stage: &'static str,
    /// Reason why the component is unfit for the vehicle, and what to use in its place; `None` if
    /// it left a state that is not finite.
    pub reason: Option<&'static str>,
    /// The first number that is not finite, if its vehicle [names](Recoverable::not_finite) it.
    pub not_finite: Option<String>,
}

impl StateFault {
    fn finding(&self) -> &'static str {
        let is_finite = self.reason.is_some();
        if is_finite {
            "the vehicle's state is no good"
        } else {
            "the vehicle's state is no longer finite"
        }
    }

    fn explanation(&self) -> String {
        let explanation = self.reason.or(self.not_finite.as_deref());
        explanation.map_or_else(String::new, |explanation| format!("{explanation}; "))
    }
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
    /// The state is not finite before the step; the first number that is not, if its vehicle
    /// [names](Recoverable::not_finite) it.
    #[error("the vehicle's state is not finite before the step{}", after_colon(.0.as_deref()))]
    NotFinite(Option<String>),
    /// The state is not finite after the step.
    #[error(transparent)]
    State(#[from] StateFault),
}

fn after_colon(text: Option<&str>) -> String {
    text.map_or_else(String::new, |text| format!(": {text}"))
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
            vehicle.check_axes(&params.coordinates, check);
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
        let before = copy_of(vehicle);
        let flow = self.update(vehicle, dt, context)?;
        self.keep_or_restore(vehicle, before, dt, context).map(|()| flow)
    }

    /// Advances `vehicles`, each of checked inputs and in its context, by `dt` (s), with the bits
    /// of [`update_recoverably`](Self::update_recoverably). Calls `tell` with what has become of
    /// each, in their order. A fault of one does not touch the others.
    ///
    /// [Some](super::SIDE_BY_SIDE) vehicles take a stage, one after the other, before the next
    /// stage begins. That takes less time, as the stages of a step are more code than a processor's
    /// nearest cache has room for: each is loaded once for all of them.
    ///
    /// ```
    /// # use std::ops::ControlFlow::{self, Continue};
    /// # use vehicle_core::error::ParamCheck;
    /// # use vehicle_core::math::Real;
    /// # use vehicle_core::road_geometry::FlatRoad;
    /// # use vehicle_core::sequence::Recoverable;
    /// # use vehicle_core::{ComponentSequence, Context, Frame, SimulationParams};
    /// struct Cart {
    ///     speed: Real,
    ///     distance: Real,
    /// }
    /// # impl Recoverable for Cart {
    /// #     type Snapshot = Real;
    /// #     fn check_inputs(&self, _: &mut ParamCheck) {}
    /// #     fn snapshot(&self) -> Real { self.distance }
    /// #     fn restore(&mut self, snapshot: Real) { self.distance = snapshot; }
    /// #     fn is_finite(&self) -> bool { self.distance.is_finite() }
    /// # }
    /// # // `impl Recoverable for Cart` is left out here.
    ///
    /// fn roll(cart: &mut Cart, dt: Real, _: &Context<'_>) -> ControlFlow<()> {
    ///     cart.distance += cart.speed * dt;
    ///     Continue(())
    /// }
    ///
    /// let sequence = ComponentSequence::new().substeps(|_| 3, |group| group.then(roll));
    /// let (params, road) = (SimulationParams::default(), FlatRoad::new(&Frame::Y_UP));
    /// let context = Context::new(&params, &road);
    /// let mut carts = [2.0, Real::NAN, 4.0].map(|speed| Cart { speed, distance: 0.0 });
    /// let mut faults = Vec::new();
    /// let vehicles = carts.iter_mut().map(|cart| (cart, context));
    /// sequence.update_side_by_side(vehicles, 0.015, |outcome| faults.extend(outcome.err()));
    /// assert!((carts[2].distance - 0.06).abs() < 1e-6);
    /// assert_eq!(carts[1].distance, 0.0);
    /// assert!(faults[0].to_string().contains("roll"), "{}", faults[0]);
    /// ```
    pub fn update_side_by_side<'a>(
        &self,
        vehicles: impl IntoIterator<Item = (&'a mut V, Context<'a>)>,
        dt: Real,
        mut tell: impl FnMut(Result<ControlFlow<()>, UpdateError>),
    ) where
        V: Recoverable + 'a,
    {
        let checked = TimeStepError::check(dt);
        in_turns(vehicles, |some| {
            if let Err(error) = checked {
                some.iter().for_each(|_| tell(Err(error.into())));
                return;
            }
            let copies: OfRunners<_> = some.iter().map(|(one, _)| copy_of(*one)).collect();
            let flows = self.run_side_by_side(some, dt);
            for (((vehicle, context), before), flow) in some.iter_mut().zip(copies).zip(flows) {
                tell(self.keep_or_restore(vehicle, before, dt, context).map(|()| flow));
            }
        });
    }

    /// Ends a step: a state that is finite stays, another is put back to what it was `before`.
    fn keep_or_restore(
        &self,
        vehicle: &mut V,
        before: Box<V::Snapshot>,
        dt: Real,
        context: &Context<'_>,
    ) -> Result<(), UpdateError>
    where
        V: Recoverable,
    {
        if vehicle.is_finite() && vehicle.stage_fault().is_none() {
            spare::leave(before);
            return Ok(());
        }
        vehicle.restore(*before);
        Err(self.fault(vehicle, dt, context))
    }

    /// Repeats a step after which the state was not finite, or one that its vehicle cannot bear,
    /// and names the component.
    fn fault(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> UpdateError
    where
        V: Recoverable,
    {
        if !vehicle.is_finite() {
            return UpdateError::NotFinite(vehicle.not_finite());
        }
        let before = vehicle.snapshot();
        let mut fault = StateFault { stage: "the whole step", reason: None, not_finite: None };
        let mut watch = |vehicle: &V, stage| {
            let is_finite = vehicle.is_finite();
            let reason = if is_finite { vehicle.stage_fault() } else { None };
            if is_finite && reason.is_none() {
                return Continue(());
            }
            let not_finite = if is_finite { None } else { vehicle.not_finite() };
            fault = StateFault { stage, reason, not_finite };
            ControlFlow::Break(())
        };
        let _stopped = self.run_alone(vehicle, dt, context, &mut watch);
        vehicle.restore(before);
        fault.into()
    }
}

/// A copy of the state of `vehicle`, written over a spare snapshot of this thread, if it has one.
fn copy_of<V: Recoverable + ?Sized>(vehicle: &V) -> Box<V::Snapshot> {
    match spare::take::<V::Snapshot>() {
        Some(mut spare) => {
            vehicle.snapshot_into(&mut spare);
            spare
        }
        None => Box::new(vehicle.snapshot()),
    }
}
