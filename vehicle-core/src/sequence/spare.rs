//! Memory for snapshots and notes that steps have left to the next ones.

use std::any::Any;
use std::cell::Cell;

thread_local! {
    /// Of each type, as many as steps of this thread have needed at a time.
    static SPARES: Cell<Vec<Box<dyn Any>>> = const { Cell::new(Vec::new()) };
}

/// Takes a spare `S` from this thread, if it has one.
pub(super) fn take<S: 'static>() -> Option<Box<S>> {
    let of_spares = |spares: &Cell<Vec<Box<dyn Any>>>| {
        let mut list = spares.take();
        let found = list.iter().position(|spare| spare.is::<S>());
        let spare = found.map(|index| list.swap_remove(index));
        spares.set(list);
        spare
    };
    // A thread that ends has none.
    SPARES.try_with(of_spares).ok()??.downcast().ok()
}

/// Leaves `spare` to the next step of this thread.
pub(super) fn leave<S: 'static>(spare: Box<S>) {
    let _is_left = SPARES.try_with(|spares| {
        let mut list = spares.take();
        list.push(spare);
        spares.set(list);
    });
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
}
