//! A step of several vehicles, stage by stage.
//!
//! The stages of a step are more code than the nearest cache has room for. A stage that is run for
//! some vehicles, one after the other, before the next stage begins is loaded once for all of them.
//! No vehicle sees the others, so each gets the bits that it gets alone.

use std::ops::ControlFlow::{self, Continue};
use std::slice;

use super::{ComponentSequence, Step, SubstepGroup};
use crate::context::FrameNotes;
use crate::math::Real;
use crate::wheel_list::Fours;
use crate::{Context, Substep, spare};

/// Most vehicles that take a stage side by side: so many that code is loaded seldom, and so few
/// that their states stay near.
pub const SIDE_BY_SIDE: usize = 8;

/// Most substeps of a group, however long the step.
const MAX_SUBSTEPS: u32 = 1_000;

/// One value for each of the vehicles that run side by side.
pub(super) type OfRunners<T> = Fours<T, SIDE_BY_SIDE>;

/// A vehicle on its way through the stages.
struct Runner<'a, V: ?Sized> {
    vehicle: &'a mut V,
    context: Context<'a>,
    flow: ControlFlow<()>,
}

impl<'a, V: ?Sized> Runner<'a, V> {
    fn new(vehicle: &'a mut V, context: Context<'a>) -> Self {
        Self { vehicle, context, flow: Continue(()) }
    }
}

/// Calls `update` for as many of `vehicles` as run side by side, then for the next ones.
pub(super) fn in_turns<T>(
    vehicles: impl IntoIterator<Item = T>,
    mut update: impl FnMut(&mut OfRunners<T>),
) {
    let mut vehicles = vehicles.into_iter().fuse();
    loop {
        let mut some: OfRunners<T> = vehicles.by_ref().take(SIDE_BY_SIDE).collect();
        if some.is_empty() {
            return;
        }
        update(&mut some);
    }
}

impl<V: ?Sized> ComponentSequence<V> {
    /// Runs the steps for as many as run side by side.
    pub(super) fn run_side_by_side(
        &self,
        vehicles: &mut [(&mut V, Context<'_>)],
        dt: Real,
    ) -> OfRunners<ControlFlow<()>> {
        let mut notes = spare::take::<Vec<FrameNotes>>().unwrap_or_default();
        notes.resize_with(notes.len().max(vehicles.len()), FrameNotes::default);
        let runners = vehicles.iter_mut().zip(&mut *notes).map(|((vehicle, context), notes)| {
            notes.clear();
            Runner::new(&mut **vehicle, context.with_notes(notes))
        });
        let mut runners: OfRunners<_> = runners.collect();
        self.run::<false, _>(&mut runners, (dt, 1), &mut |_, _| Continue(()));
        let flows = runners.iter().map(|runner| runner.flow).collect();
        drop(runners);
        spare::leave(notes);
        flows
    }

    /// Runs the steps for one.
    pub(super) fn run_alone<W: FnMut(&V, &'static str) -> ControlFlow<()>>(
        &self,
        vehicle: &mut V,
        dt: Real,
        context: &Context<'_>,
        watch: &mut W,
    ) -> ControlFlow<()> {
        let notes = FrameNotes::default();
        let mut runner = Runner::new(vehicle, context.with_notes(&notes));
        self.run::<true, _>(slice::from_mut(&mut runner), (dt, 1), watch);
        runner.flow
    }

    /// Runs the steps for `runners`, at most as many as run side by side, in a part of a frame. It
    /// gets the `dt` of the frame (s), and what that is divided by. Shows each vehicle to `watch`
    /// after each component, with its name.
    ///
    /// `ALONE` says that there is one runner: the compiler makes no loops then. The step is divided
    /// once, by the product of the counts from the root down: (dt / 3) / 2 and dt / 6 round
    /// differently.
    fn run<const ALONE: bool, W: FnMut(&V, &'static str) -> ControlFlow<()>>(
        &self,
        runners: &mut [Runner<'_, V>],
        (dt, divisor): (Real, u32),
        watch: &mut W,
    ) {
        let runners = of_known_length::<ALONE, _>(runners);
        let part = dt / divisor as Real;
        for step in &self.steps {
            match step {
                Step::Component(entry) => {
                    let component = &*entry.component;
                    for runner in runners.iter_mut().filter(|runner| runner.flow.is_continue()) {
                        let Runner { vehicle, context, flow } = runner;
                        let has_ended = component.update(vehicle, part, context).is_break();
                        // A component that ends the step may have left a fault, too.
                        if watch(vehicle, entry.name).is_break() || has_ended {
                            *flow = ControlFlow::Break(());
                        }
                    }
                }
                Step::Group(group) => group.run::<ALONE, W>(runners, (dt, divisor), watch),
            }
        }
    }
}

impl<V: ?Sized> SubstepGroup<V> {
    /// How often the group runs in a step of `dt` (s).
    #[inline(never)]
    pub(super) fn count(&self, vehicle: &V, dt: Real, context: &Context<'_>) -> u32 {
        let wanted = (self.count)(vehicle).min(context.detail.max_substeps).max(1);
        let needed = (dt / context.params.max_substep).ceil() as u32;
        wanted.max(needed.min(MAX_SUBSTEPS))
    }

    /// Runs the group: side by side those that follow each other, are in the same part of the frame
    /// and take as many substeps.
    #[inline(never)]
    fn run<const ALONE: bool, W: FnMut(&V, &'static str) -> ControlFlow<()>>(
        &self,
        runners: &mut [Runner<'_, V>],
        (dt, divisor): (Real, u32),
        watch: &mut W,
    ) {
        let mut runners = of_known_length::<ALONE, _>(runners);
        let part = dt / divisor as Real;
        let place = |runner: &Runner<'_, V>| {
            (runner.context.substep, self.count(runner.vehicle, part, &runner.context))
        };
        while let Some((first, others)) = runners.split_first() {
            let (whole, count) = place(first);
            let is_there = |other: &&Runner<'_, V>| place(other) == (whole, count);
            let alike_count = 1 + others.iter().take_while(is_there).count();
            let (alike, rest) = runners.split_at_mut(alike_count);
            let divisor = divisor.saturating_mul(count);
            for index in 0..count {
                put(alike, whole.part(index, count));
                self.body.run::<ALONE, W>(alike, (dt, divisor), watch);
            }
            put(alike, whole);
            runners = rest;
        }
    }
}

/// These `runners`, as a slice of length 1 that the compiler knows where there is one `ALONE`.
#[inline]
fn of_known_length<const ALONE: bool, T>(runners: &mut [T]) -> &mut [T] {
    if ALONE { &mut runners[..1] } else { runners }
}

/// Puts `runners` into a part of the frame.
fn put<V: ?Sized>(runners: &mut [Runner<'_, V>], substep: Substep) {
    for runner in runners {
        runner.context.substep = substep;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::error::ParamCheck;
    use crate::road::FlatRoad;
    use crate::sequence::{Recoverable, UpdateError};
    use crate::{Frame, LevelOfDetail, SimulationParams};

    /// A vehicle of which each stage that it takes is written down.
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Scribe {
        number: usize,
        substeps: u32,
        /// After how many notes its step ends early.
        stops_after: Option<usize>,
        /// After how many notes it has a fault.
        fails_after: Option<usize>,
        notes: Vec<(&'static str, Real, Substep)>,
    }

    impl Recoverable for Scribe {
        type Snapshot = Self;

        fn check_inputs(&self, _: &mut ParamCheck) {}

        fn snapshot(&self) -> Self {
            self.clone()
        }

        fn restore(&mut self, snapshot: Self) {
            *self = snapshot;
        }

        fn is_finite(&self) -> bool {
            self.fails_after.is_none_or(|notes| self.notes.len() <= notes)
        }
    }

    struct Stage<const N: usize>;

    impl<const N: usize> Stage<N> {
        const NAME: &'static str = ["first", "outer", "inner", "last"][N];
    }

    impl<const N: usize> crate::Component<Scribe> for Stage<N> {
        fn update(&self, scribe: &mut Scribe, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
            scribe.notes.push((Self::NAME, dt, context.substep));
            if scribe.stops_after == Some(scribe.notes.len()) {
                return ControlFlow::Break(());
            }
            Continue(())
        }
    }

    fn stages() -> ComponentSequence<Scribe> {
        ComponentSequence::new()
            .then(Stage::<0>)
            .substeps(
                |scribe: &Scribe| scribe.substeps,
                |outer| outer.then(Stage::<1>).substeps(|_| 2, |inner| inner.then(Stage::<2>)),
            )
            .then(Stage::<3>)
    }

    /// More than twice as many as run side by side. They have several numbers of substeps, every
    /// third a low level of detail, and some end early and some have faults.
    fn scribes() -> Vec<Scribe> {
        let scribe = |number| Scribe {
            number,
            substeps: [1, 1, 3, 3, 3, 2, 0][number % 7],
            stops_after: (number % 4 == 1).then_some(number % 5 + 1),
            fails_after: (number % 6 == 4).then_some(number % 3 + 1),
            notes: Vec::new(),
        };
        (0..2 * SIDE_BY_SIDE + 3).map(scribe).collect()
    }

    type Outcomes = Vec<Result<ControlFlow<()>, UpdateError>>;

    /// Steps scribes by `update`, each in its context.
    fn step(
        scribes: &mut [Scribe],
        update: impl for<'a> FnOnce(&mut dyn Iterator<Item = (&'a mut Scribe, Context<'a>)>),
    ) {
        let road = FlatRoad::new(&Frame::Z_UP);
        let params = SimulationParams { max_substep: Real::MAX, ..SimulationParams::default() };
        let context = Context::new(&params, &road);
        update(&mut scribes.iter_mut().map(|scribe| {
            let max_substeps = if scribe.number % 3 == 2 { 1 } else { u32::MAX };
            (scribe, context.with_detail(LevelOfDetail { max_substeps, finds_road: true }))
        }));
    }

    #[test]
    fn each_gets_what_it_gets_alone() {
        let (stages, dt) = (stages(), 0.016_666_7);
        let (mut alone, mut together) = (scribes(), scribes());
        let (mut each, mut all) = (Outcomes::new(), Outcomes::new());
        for _ in 0..2 {
            step(&mut alone, |scribes| {
                each.extend(
                    scribes.map(|(one, context)| stages.update_recoverably(one, dt, &context)),
                );
            });
            step(&mut together, |scribes| {
                stages.update_side_by_side(scribes, dt, |outcome| all.push(outcome));
            });
            assert_eq!(together, alone);
            assert_eq!(all, each);
        }
        assert!(all.iter().any(Result::is_err));
        assert!(all.iter().flatten().any(ControlFlow::is_break));
        let steps_of = |number: usize| together[number].notes.len();
        // Of two steps: the first stage, those of 3, 1, 1 and 1 substeps, the last stage.
        assert_eq!([3, 0, 6, 2].map(steps_of), [2 * 11, 2 * 5, 2 * 5, 2 * 4]);
    }

    #[test]
    fn a_stage_is_run_for_all_before_the_next_begins() {
        let calls = Arc::new(Mutex::new(Vec::new()));
        let named = |name: &'static str| {
            let calls = Arc::clone(&calls);
            move |scribe: &mut Scribe, _: Real, _: &Context<'_>| {
                calls.lock().unwrap().push((name, scribe.number));
                Continue(())
            }
        };
        let stages = ComponentSequence::new()
            .then(named("a"))
            .substeps(|_| 2, |group| group.then(named("b")));
        let of = |number| Scribe { number, ..Scribe::default() };
        step(&mut [of(0), of(1)], |scribes| {
            stages.update_side_by_side(scribes, 0.1, |outcome| assert!(outcome.is_ok()));
        });
        let expected = ["a", "b", "b"].map(|name| [(name, 0), (name, 1)]).concat();
        assert_eq!(*calls.lock().unwrap(), expected);
    }

    #[test]
    fn a_bad_time_step_is_told_to_each() {
        let mut scribes = scribes();
        let before = scribes.clone();
        let mut told = Vec::new();
        step(&mut scribes, |scribes| {
            stages().update_side_by_side(scribes, 0.0, |outcome| told.push(outcome));
        });
        assert_eq!(scribes, before);
        assert_eq!(told.len(), scribes.len());
        let error = told[0].as_ref().unwrap_err().to_string();
        assert_eq!(error, "dt must be positive and finite, got 0");
        assert!(told.iter().all(|outcome| *outcome == told[0]));
    }

    #[test]
    fn an_empty_group_runs_no_stage() {
        step(&mut [], |scribes| stages().update_side_by_side(scribes, 0.1, |_| unreachable!()));
    }
}
