//! Stages of a vehicle that another one holds.

use std::any::{TypeId, type_name};
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::{ComponentSequence, Entry, Step};
use crate::math::Real;
use crate::{Component, Context};

/// A vehicle that holds one of type `V`, or of another type: one of several kinds, by which it is
/// driven. Every vehicle holds itself.
///
/// It takes part in stages of the vehicle within, see [`ComponentSequence::then_held`].
pub trait Holds<V: ?Sized> {
    /// The vehicle within, to be changed; `None` if that is of another type.
    fn held_mut(&mut self) -> Option<&mut V>;

    /// Lets it know that a stage is meant for a vehicle of another type than it holds: its
    /// [`stage_fault`](super::Recoverable::stage_fault) is to say so after the step.
    fn refuse_stage(&mut self);
}

impl<V: ?Sized> Holds<V> for V {
    #[inline]
    fn held_mut(&mut self) -> Option<&mut V> {
        Some(self)
    }

    fn refuse_stage(&mut self) {}
}

/// A stage of the vehicle within.
struct Held<C, V: ?Sized> {
    component: C,
    of: PhantomData<fn(&mut V)>,
}

impl<C: Component<V>, V: ?Sized, W: Holds<V> + ?Sized> Component<W> for Held<C, V> {
    #[inline]
    fn update(&self, vehicle: &mut W, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        if let Some(held) = vehicle.held_mut() {
            return self.component.update(held, dt, context);
        }
        vehicle.refuse_stage();
        ControlFlow::Break(())
    }
}

impl<W: ?Sized> ComponentSequence<W> {
    /// Appends a `component` of the vehicle of type `V` that each vehicle holds. It is found,
    /// replaced and removed by its own type, so that a stage for any vehicle can take its place.
    ///
    /// ```
    /// use std::ops::ControlFlow::{self, Continue};
    /// use vehicle_core::math::Real;
    /// use vehicle_core::sequence::Holds;
    /// use vehicle_core::{Component, ComponentSequence, Context};
    ///
    /// struct Cart {
    ///     distance: Real,
    /// }
    ///
    /// struct Roll;
    ///
    /// impl Component<Cart> for Roll {
    ///     fn update(&self, cart: &mut Cart, dt: Real, _: &Context<'_>) -> ControlFlow<()> {
    ///         cart.distance += 2.0 * dt;
    ///         Continue(())
    ///     }
    /// }
    ///
    /// struct CartWithLog {
    ///     cart: Cart,
    ///     log: Vec<Real>,
    /// }
    ///
    /// impl Holds<Cart> for CartWithLog {
    ///     fn held_mut(&mut self) -> Option<&mut Cart> {
    ///         Some(&mut self.cart)
    ///     }
    ///
    ///     fn refuse_stage(&mut self) {}
    /// }
    ///
    /// fn log(vehicle: &mut CartWithLog, _: Real, _: &Context<'_>) -> ControlFlow<()> {
    ///     vehicle.log.push(vehicle.cart.distance);
    ///     Continue(())
    /// }
    ///
    /// let stages = ComponentSequence::new().then_held::<Cart, _>(Roll);
    /// let stages = stages.insert_after::<Roll>(log)?;
    /// # use vehicle_core::road_geometry::FlatRoad;
    /// # use vehicle_core::{Frame, SimulationParams};
    /// # let (params, road) = (SimulationParams::default(), FlatRoad::new(&Frame::Y_UP));
    /// # let mut vehicle = CartWithLog { cart: Cart { distance: 1.0 }, log: Vec::new() };
    /// # let _completed = stages.update(&mut vehicle, 0.5, &Context::new(&params, &road))?;
    /// # assert_eq!(vehicle.log, [2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn then_held<V, C>(mut self, component: C) -> Self
    where
        W: Holds<V>,
        V: ?Sized + 'static,
        C: Component<V> + 'static,
    {
        self.steps.push(Step::Component(Arc::new(Entry {
            component: Box::new(Held { component, of: PhantomData }),
            kind: TypeId::of::<C>(),
            name: type_name::<C>(),
        })));
        self
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow::Continue;

    use super::*;
    use crate::error::ParamCheck;
    use crate::road::FlatRoad;
    use crate::sequence::{Recoverable, UpdateError};
    use crate::{Frame, SimulationParams};

    struct Note(u32);

    impl Component<Vec<u32>> for Note {
        fn update(&self, list: &mut Vec<u32>, _: Real, _: &Context<'_>) -> ControlFlow<()> {
            list.push(self.0);
            Continue(())
        }
    }

    /// A list, or none.
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Holder {
        list: Option<Vec<u32>>,
        is_refused: bool,
    }

    impl Holds<Vec<u32>> for Holder {
        fn held_mut(&mut self) -> Option<&mut Vec<u32>> {
            self.list.as_mut()
        }

        fn refuse_stage(&mut self) {
            self.is_refused = true;
        }
    }

    impl Recoverable for Holder {
        type Snapshot = Self;

        fn check_inputs(&self, _: &mut ParamCheck) {}

        fn snapshot(&self) -> Self {
            self.clone()
        }

        fn restore(&mut self, snapshot: Self) {
            *self = snapshot;
        }

        fn is_finite(&self) -> bool {
            true
        }

        fn stage_fault(&self) -> Option<&'static str> {
            self.is_refused.then_some("it holds no list")
        }
    }

    fn stages() -> ComponentSequence<Holder> {
        ComponentSequence::new()
            .then_held(Note(1))
            .substeps(|_| 3, |group| group.then_held(Note(2)))
    }

    fn update(
        stages: &ComponentSequence<Holder>,
        holder: &mut Holder,
    ) -> Result<ControlFlow<()>, UpdateError> {
        let (params, road) = (SimulationParams::default(), FlatRoad::new(&Frame::Y_UP));
        stages.update_checked(holder, 0.01, &Context::new(&params, &road))
    }

    #[test]
    fn stages_of_the_vehicle_within_run_in_their_order() {
        let mut holder = Holder { list: Some(vec![0]), is_refused: false };
        assert_eq!(update(&stages(), &mut holder), Ok(Continue(())));
        assert_eq!(holder.list, Some(vec![0, 1, 2, 2, 2]));
    }

    #[test]
    fn they_are_found_by_their_own_types() {
        let done = |holder: &mut Holder, _: Real, _: &Context<'_>| {
            holder.list.as_mut().expect("a list").push(9);
            Continue(())
        };
        let stages = stages().replace::<Note>(done).unwrap();
        let mut holder = Holder { list: Some(Vec::new()), is_refused: false };
        assert_eq!(update(&stages, &mut holder), Ok(Continue(())));
        assert_eq!(holder.list, Some(vec![9; 4]));
    }

    #[test]
    fn a_vehicle_of_another_type_is_an_error_and_stays_as_it_was() {
        let mut holder = Holder::default();
        let error = update(&stages(), &mut holder).unwrap_err().to_string();
        assert!(error.contains("Note") && error.contains("it holds no list"), "{error}");
        assert_eq!(holder, Holder::default());
    }
}
