//! Room that a step has left to the next ones of its thread.
//!
//! A step takes no memory, and what it needs beside the state of its vehicle is in no vehicle:
//! that would be fetched from far away for each. It takes a room that lies near, as the vehicle
//! before it has just left it, and leaves it to the next.
//!
//! ```
//! use vehicle_core::spare;
//!
//! struct Sums(Vec<f32>);
//!
//! let mut sums = spare::take::<Sums>().unwrap_or_else(|| Box::new(Sums(Vec::new())));
//! sums.0.clear();
//! sums.0.extend([1.0, 2.0]);
//! spare::leave(sums);
//!
//! let next = spare::take::<Sums>().expect("what was left");
//! assert_eq!(next.0, [1.0, 2.0]);
//! assert!(spare::take::<Sums>().is_none());
//! ```

use std::any::Any;
use std::cell::Cell;

type Spares = Vec<Box<dyn Any>>;

thread_local! {
    /// Of each type, as many as steps of this thread have needed at a time. The last one that was
    /// left is at the end.
    static SPARES: Cell<Spares> = const { Cell::new(Vec::new()) };
}

/// Evaluates `of_spares` for the spares of this thread; `None` if it ends and has none any more.
fn with_spares<T>(of_spares: impl FnOnce(&mut Spares) -> T) -> Option<T> {
    let of_cell = |cell: &Cell<Spares>| {
        let mut spares = cell.take();
        let value = of_spares(&mut spares);
        cell.set(spares);
        value
    };
    SPARES.try_with(of_cell).ok()
}

/// Takes the spare `S` that was left last on this thread, if there is one.
pub fn take<S: 'static>() -> Option<Box<S>> {
    take_if(|_| true)
}

/// Takes the spare `S` that was left last on this thread of those that are `wanted`, if there is
/// one. `wanted` must not take or leave spares itself.
pub fn take_if<S: 'static>(wanted: impl Fn(&S) -> bool) -> Option<Box<S>> {
    let is_it = |spare: &Box<dyn Any>| spare.downcast_ref().is_some_and(&wanted);
    let spare = with_spares(|spares| {
        let found = spares.iter().rposition(is_it);
        found.map(|index| spares.swap_remove(index))
    });
    spare??.downcast().ok()
}

/// Leaves `spare` to the next step of this thread.
pub fn leave<S: 'static>(spare: Box<S>) {
    let _is_left = with_spares(|spares| spares.push(spare));
}

/// Drops the spares `S` of this thread that are not `needed` any more, such as those of a model
/// that is gone. `needed` must not take or leave spares itself.
pub fn retain<S: 'static>(needed: impl Fn(&S) -> bool) {
    let is_needed = |spare: &Box<dyn Any>| spare.downcast_ref().is_none_or(&needed);
    let _is_done = with_spares(|spares| spares.retain(is_needed));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_of_each_type_take_turns_in_their_memory() {
        assert!(take::<[f32; 3]>().is_none());
        let (small, large) = (Box::new([1.0_f32; 3]), Box::new([2.0_f64; 7]));
        let places = (small.as_ptr(), large.as_ptr());
        leave(small);
        leave(large);
        for _ in 0..3 {
            let (small, large) = (take::<[f32; 3]>().unwrap(), take::<[f64; 7]>().unwrap());
            assert_eq!((small.as_ptr(), large.as_ptr()), places);
            assert!(take::<[f32; 3]>().is_none());
            leave(large);
            leave(small);
        }
    }

    #[test]
    fn the_last_one_that_is_wanted_is_taken() {
        for value in [1_u8, 2, 3] {
            leave(Box::new(value));
        }
        assert_eq!(take_if(|value: &u8| *value < 3).as_deref(), Some(&2));
        assert_eq!(take::<u8>().as_deref(), Some(&3));
        assert_eq!(take_if(|value: &u8| *value == 9), None);
        leave(Box::new("another type"));
        retain(|value: &u8| *value != 1);
        assert_eq!(take::<u8>(), None);
        assert_eq!(take::<&str>().as_deref(), Some(&"another type"));
    }
}
