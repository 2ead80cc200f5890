//! The unit of composition: one stage of a vehicle's update.

use std::ops::ControlFlow;

use crate::Context;
use crate::math::Real;

/// One stage of the update of a vehicle of type `V`.
///
/// A component holds no state of any vehicle, so one component, and one
/// [`ComponentSequence`](crate::ComponentSequence), serves a whole fleet from many threads.
///
/// Any function with the signature of [`Component::update`] is a component.
pub trait Component<V: ?Sized>: Send + Sync {
    /// Advances this stage's part of `vehicle` by `dt` (s).
    ///
    /// [`ControlFlow::Break`] ends the vehicle's step: no later component runs.
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()>;
}

impl<V, F> Component<V> for F
where
    V: ?Sized,
    F: Fn(&mut V, Real, &Context<'_>) -> ControlFlow<()> + Send + Sync,
{
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        self(vehicle, dt, context)
    }
}
