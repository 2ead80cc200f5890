//! A list of events of fixed length.

use std::collections::VecDeque;
use std::collections::vec_deque::Drain;

use super::TimedEvent;

/// Events in order of time. It never has more than it was made for: the oldest are lost then, and
/// counted.
#[derive(Debug)]
pub(super) struct EventRing {
    events: VecDeque<TimedEvent>,
    capacity: usize,
    pub(super) lost: u64,
}

impl Clone for EventRing {
    fn clone(&self) -> Self {
        let mut copy = Self::new(self.capacity);
        copy.events.extend(&self.events);
        Self { lost: self.lost, ..copy }
    }
}

impl EventRing {
    pub(super) fn new(capacity: usize) -> Self {
        Self { events: VecDeque::with_capacity(capacity), capacity, lost: 0 }
    }

    pub(super) fn push(&mut self, event: TimedEvent) {
        if self.capacity <= self.events.len() {
            self.events.pop_front();
            self.lost += 1;
        }
        self.events.push_back(event);
    }

    pub(super) fn drain(&mut self) -> Drain<'_, TimedEvent> {
        self.events.drain(..)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &TimedEvent> {
        self.events.iter()
    }

    /// Forgets what has come after `time` (s).
    pub(super) fn forget_after(&mut self, time: f64) {
        self.events.retain(|event| event.time <= time);
    }
}
