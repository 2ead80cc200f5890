//! The order of a vehicle's components, with nested substep groups.

mod checked;
mod held;
mod not_finite;
mod side_by_side;

use std::any::{TypeId, type_name};
use std::fmt;
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;

pub use self::checked::{Recoverable, StateFault, TimeStepError, UpdateError};
pub use self::held::Holds;
pub use self::not_finite::first_not_finite;
pub use self::side_by_side::SIDE_BY_SIDE;
use crate::math::Real;
use crate::{Component, Context};

/// The components of a vehicle type, in order of update.
///
/// A sequence holds no vehicle: build it once per vehicle type and share it between vehicles and
/// threads. Cloning shares the components.
///
/// ```
/// # use vehicle_core::{ComponentSequence, Context, math::Real};
/// # use std::ops::ControlFlow::{self, Continue};
/// # fn think(_: &mut Real, _: Real, _: &Context<'_>) -> ControlFlow<()> { Continue(()) }
/// fn integrate(distance: &mut Real, dt: Real, _: &Context<'_>) -> ControlFlow<()> {
///     *distance += 2.0 * dt;
///     Continue(())
/// }
///
/// let sequence = ComponentSequence::new()
///     .then(think)
///     .substeps(|_| 3, |group| group.then(integrate));
/// ```
pub struct ComponentSequence<V: ?Sized> {
    steps: Vec<Step<V>>,
}

enum Step<V: ?Sized> {
    Component(Arc<Entry<V>>),
    Group(SubstepGroup<V>),
}

struct Entry<V: ?Sized> {
    component: Box<dyn Component<V>>,
    kind: TypeId,
    name: &'static str,
}

struct SubstepGroup<V: ?Sized> {
    count: Arc<dyn Fn(&V) -> u32 + Send + Sync>,
    body: ComponentSequence<V>,
}

/// A sequence has no component of the type that was to be replaced or found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sequence has no component of type {0}")]
pub struct MissingComponent(pub &'static str);

impl<V: ?Sized> ComponentSequence<V> {
    /// An empty sequence.
    pub fn new() -> Self {
        Self { steps: Vec::new() }
    }

    /// Appends `component`.
    pub fn then<C: Component<V> + 'static>(mut self, component: C) -> Self {
        self.steps.push(Step::Component(Arc::new(Entry::new(component))));
        self
    }

    /// Appends a group that runs `count` times per run of its parent, each time with an equal share
    /// of the parent's time step.
    ///
    /// `count` is asked in each run of the parent, so a vehicle may substep more when it is slow;
    /// 0 counts as 1. A step that is longer than the [longest substep](
    /// crate::SimulationParams::max_substep) is divided further. Groups nest: `build` may call
    /// `substeps` again.
    pub fn substeps(
        mut self,
        count: impl Fn(&V) -> u32 + Send + Sync + 'static,
        build: impl FnOnce(Self) -> Self,
    ) -> Self {
        let body = build(Self::new());
        self.steps.push(Step::Group(SubstepGroup { count: Arc::new(count), body }));
        self
    }

    /// Puts `component` in the place of every component of type `Old`, in groups too.
    ///
    /// # Errors
    ///
    /// If there is no component of type `Old`.
    pub fn replace<Old: 'static>(
        self,
        component: impl Component<V> + 'static,
    ) -> Result<Self, MissingComponent> {
        let new = Arc::new(Entry::new(component));
        self.edit::<Old>(&|_| vec![Step::Component(new.clone())])
    }

    /// Takes out every component of type `Old`, in groups too.
    ///
    /// # Errors
    ///
    /// If there is no component of type `Old`.
    pub fn remove<Old: 'static>(self) -> Result<Self, MissingComponent> {
        self.edit::<Old>(&|_| Vec::new())
    }

    /// Puts `component` before every component of type `Next`, in groups too.
    ///
    /// # Errors
    ///
    /// If there is no component of type `Next`.
    pub fn insert_before<Next: 'static>(
        self,
        component: impl Component<V> + 'static,
    ) -> Result<Self, MissingComponent> {
        let new = Arc::new(Entry::new(component));
        self.edit::<Next>(&|next| vec![Step::Component(new.clone()), Step::Component(next)])
    }

    /// Puts `component` after every component of type `Previous`, in groups too.
    ///
    /// # Errors
    ///
    /// If there is no component of type `Previous`.
    pub fn insert_after<Previous: 'static>(
        self,
        component: impl Component<V> + 'static,
    ) -> Result<Self, MissingComponent> {
        let new = Arc::new(Entry::new(component));
        self.edit::<Previous>(&|previous| {
            vec![Step::Component(previous), Step::Component(new.clone())]
        })
    }

    /// How many of its innermost substeps the sequence takes in a step of `dt` (s), as `vehicle`
    /// is: 1 without a group.
    pub fn substep_count(&self, vehicle: &V, dt: Real, context: &Context<'_>) -> u32 {
        let counts = self.steps.iter().map(|step| match step {
            Step::Component(_) => 1,
            Step::Group(group) => {
                let count = group.count(vehicle, dt, context);
                let within = group.body.substep_count(vehicle, dt / count as Real, context);
                count.saturating_mul(within)
            }
        });
        counts.max().unwrap_or(1)
    }

    /// Advances `vehicle` by `dt` (s), without a look at commands and state: the fast way, for
    /// inputs that are known to be good. Others lead to motion that is not finite, or to a panic
    /// where a list is too short; see [`update_checked`](Self::update_checked).
    ///
    /// Returns [`ControlFlow::Break`] if a component ended the step early.
    ///
    /// # Errors
    ///
    /// If `dt` is not positive and finite; the vehicle is unchanged then.
    pub fn update(
        &self,
        vehicle: &mut V,
        dt: Real,
        context: &Context<'_>,
    ) -> Result<ControlFlow<()>, TimeStepError> {
        TimeStepError::check(dt)?;
        Ok(self.run_alone(vehicle, dt, context, &mut |_, _| Continue(())))
    }

    fn edit<Target: 'static>(
        self,
        edit: &dyn Fn(Arc<Entry<V>>) -> Vec<Step<V>>,
    ) -> Result<Self, MissingComponent> {
        if !self.contains(TypeId::of::<Target>()) {
            return Err(MissingComponent(type_name::<Target>()));
        }
        Ok(self.edited(TypeId::of::<Target>(), edit))
    }

    fn edited(self, target: TypeId, edit: &dyn Fn(Arc<Entry<V>>) -> Vec<Step<V>>) -> Self {
        let edit_step = |step| match step {
            Step::Component(entry) if entry.kind == target => edit(entry),
            Step::Component(entry) => vec![Step::Component(entry)],
            Step::Group(SubstepGroup { count, body }) => {
                vec![Step::Group(SubstepGroup { count, body: body.edited(target, edit) })]
            }
        };
        Self { steps: self.steps.into_iter().flat_map(edit_step).collect() }
    }

    fn contains(&self, kind: TypeId) -> bool {
        self.steps.iter().any(|step| match step {
            Step::Component(entry) => entry.kind == kind,
            Step::Group(group) => group.body.contains(kind),
        })
    }
}

impl<V: ?Sized> Entry<V> {
    fn new<C: Component<V> + 'static>(component: C) -> Self {
        Self { component: Box::new(component), kind: TypeId::of::<C>(), name: type_name::<C>() }
    }
}

impl<V: ?Sized> Clone for Step<V> {
    fn clone(&self) -> Self {
        match self {
            Self::Component(entry) => Self::Component(Arc::clone(entry)),
            Self::Group(SubstepGroup { count, body }) => {
                Self::Group(SubstepGroup { count: Arc::clone(count), body: body.clone() })
            }
        }
    }
}

impl<V: ?Sized> Clone for ComponentSequence<V> {
    fn clone(&self) -> Self {
        Self { steps: self.steps.clone() }
    }
}

impl<V: ?Sized> Default for ComponentSequence<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: ?Sized> fmt::Debug for ComponentSequence<V> {
    /// The names of the components; groups are lists of their own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.steps).finish()
    }
}

impl<V: ?Sized> fmt::Debug for Step<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Component(entry) => write!(f, "{}", entry.name),
            Self::Group(SubstepGroup { body, .. }) => fmt::Debug::fmt(body, f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::road::FlatRoad;
    use crate::{Frame, LevelOfDetail, SimulationParams, Substep};

    type Log = Vec<(&'static str, Real)>;

    struct Named<const N: usize>(&'static str);

    impl<const N: usize> Component<Log> for Named<N> {
        fn update(&self, log: &mut Log, dt: Real, _: &Context<'_>) -> ControlFlow<()> {
            log.push((self.0, dt));
            Continue(())
        }
    }

    /// Parameters that divide no step further than the sequence says.
    fn params() -> SimulationParams {
        SimulationParams { max_substep: Real::MAX, ..SimulationParams::new(Frame::Z_UP) }
    }

    fn run(sequence: &ComponentSequence<Log>, dt: Real) -> (Log, ControlFlow<()>) {
        let road = FlatRoad::new(&Frame::Z_UP);
        let params = params();
        let mut log = Log::new();
        let flow = sequence.update(&mut log, dt, &Context::new(&params, &road)).unwrap();
        (log, flow)
    }

    fn names(sequence: &ComponentSequence<Log>) -> Vec<&'static str> {
        run(sequence, 1.0).0.into_iter().map(|(name, _)| name).collect()
    }

    fn sample() -> ComponentSequence<Log> {
        ComponentSequence::new()
            .then(Named::<0>("a"))
            .substeps(|_| 2, |group| group.then(Named::<1>("b")).then(Named::<0>("c")))
    }

    #[test]
    fn level_of_detail_bounds_the_substeps() {
        let (road, params) = (FlatRoad::new(&Frame::Z_UP), params());
        for (max_substeps, expected) in [(0, 1), (1, 1), (2, 2), (u32::MAX, 3)] {
            let sequence =
                ComponentSequence::new().substeps(|_| 3, |group| group.then(Named::<0>("a")));
            let detail = LevelOfDetail { max_substeps, ..LevelOfDetail::FULL };
            let context = Context::new(&params, &road).with_detail(detail);
            let mut log = Log::new();
            let _completed = sequence.update(&mut log, 1.0, &context).unwrap();
            assert_eq!(log.len(), expected, "at most {max_substeps}");
        }
    }

    #[test]
    fn long_steps_are_divided_further() {
        let road = FlatRoad::new(&Frame::Z_UP);
        let params = SimulationParams { max_substep: 0.25, ..params() };
        // (step, substeps)
        for (dt, expected) in [(0.01, 3), (0.75, 3), (1.0, 4), (1.1, 5), (1e9, 1_000)] {
            let sequence =
                ComponentSequence::new().substeps(|_| 3, |group| group.then(Named::<0>("a")));
            let detail = LevelOfDetail { max_substeps: 3, ..LevelOfDetail::FULL };
            let context = Context::new(&params, &road).with_detail(detail);
            let mut log = Log::new();
            let _completed = sequence.update(&mut log, dt, &context).unwrap();
            assert_eq!(log.len(), expected, "{dt} s");
        }
    }

    #[test]
    fn substeps_know_their_place_in_the_frame() {
        fn place(places: &mut Vec<Substep>, _: Real, context: &Context<'_>) -> ControlFlow<()> {
            places.push(context.substep);
            Continue(())
        }
        let sequence = ComponentSequence::new()
            .then(place)
            .substeps(|_| 2, |outer| outer.substeps(|_| 3, |inner| inner.then(place)));
        let (road, params, mut places) = (FlatRoad::new(&Frame::Z_UP), params(), Vec::new());
        let context = Context::new(&params, &road);
        let _completed = sequence.update(&mut places, 0.6, &context).unwrap();
        let parts = (0..6).map(|index| Substep { index, count: 6 });
        assert_eq!(places, [Substep::WHOLE].into_iter().chain(parts).collect::<Vec<_>>());
        let remaining: Vec<_> = places.iter().map(|place| place.remaining()).collect();
        assert_eq!(remaining, [1, 6, 5, 4, 3, 2, 1]);
        assert!((places[3].frame_step(0.1) - 0.6).abs() < 1e-6);
    }

    #[test]
    fn nested_groups_divide_the_step_once() {
        let sequence = ComponentSequence::new().then(Named::<0>("root")).substeps(
            |_| 3,
            |outer| {
                outer
                    .then(Named::<0>("outer"))
                    .substeps(|_| 2, |inner| inner.then(Named::<0>("inner")))
            },
        );
        let dt = 0.016_666_7;
        let round = [("outer", dt / 3.0), ("inner", dt / 6.0), ("inner", dt / 6.0)];
        let expected = [&[("root", dt)][..], &round, &round, &round].concat();
        assert_eq!(run(&sequence, dt).0, expected);
    }

    #[test]
    fn a_count_of_zero_is_one() {
        let sequence =
            ComponentSequence::new().substeps(|_| 0, |group| group.then(Named::<0>("once")));
        assert_eq!(run(&sequence, 0.5).0, [("once", 0.5)]);
    }

    #[test]
    fn components_are_replaced_and_inserted_by_type_in_groups_too() {
        let replaced = sample().replace::<Named<0>>(Named::<2>("new")).unwrap();
        assert_eq!(names(&replaced), ["new", "b", "new", "b", "new"]);
        assert_eq!(names(&sample().remove::<Named<0>>().unwrap()), ["b", "b"]);
        let before = sample().insert_before::<Named<1>>(Named::<2>("new")).unwrap();
        assert_eq!(names(&before), ["a", "new", "b", "c", "new", "b", "c"]);
        let after = sample().insert_after::<Named<1>>(Named::<2>("new")).unwrap();
        assert_eq!(names(&after), ["a", "b", "new", "c", "b", "new", "c"]);
    }

    #[test]
    fn a_missing_component_is_named() {
        let error = sample().replace::<Named<7>>(Named::<2>("new")).unwrap_err();
        assert!(error.to_string().contains("Named<7>"), "{error}");
    }

    #[test]
    fn break_ends_the_whole_step() {
        fn stop(_: &mut Log, _: Real, _: &Context<'_>) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
        let sequence = ComponentSequence::new()
            .substeps(|_| 2, |group| group.then(Named::<0>("first")).then(stop))
            .then(Named::<0>("last"));
        let (log, flow) = run(&sequence, 1.0);
        assert_eq!(log, [("first", 0.5)]);
        assert!(flow.is_break());
    }

    #[test]
    fn bad_time_steps_are_refused() {
        let road = FlatRoad::new(&Frame::Z_UP);
        let params = SimulationParams::new(Frame::Z_UP);
        for dt in [0.0, -0.1, Real::NAN, Real::INFINITY] {
            let mut log = Log::new();
            let error = sample().update(&mut log, dt, &Context::new(&params, &road)).unwrap_err();
            assert_eq!(error.to_string(), format!("dt must be positive and finite, got {dt}"));
            assert!(log.is_empty());
        }
    }
}
