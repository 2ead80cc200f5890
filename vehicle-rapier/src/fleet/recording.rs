//! Recording: what vehicles have to tell, on its way to another thread.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, TrySendError, bounded};

use super::{Fleet, VehicleHandle};
use crate::drivable::Drivable;
use crate::vehicle::RapierVehicle;

/// A value that was recorded of a vehicle after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sample<V, T> {
    /// Number of the step: 0 for the fleet's first.
    pub step: u64,
    /// The vehicle.
    pub vehicle: VehicleHandle<V>,
    /// The recorded value.
    pub value: T,
}

/// The end of a recording at which samples come out, for a thread of its own.
///
/// The fleet never waits for it: samples for which there is no room are dropped, and counted. It
/// stops when this end is dropped.
pub struct Recording<V, T> {
    /// The samples, in the order of steps, and of vehicles within a step.
    pub samples: Samples<V, T>,
    dropped: Arc<AtomicU64>,
}

impl<V, T> fmt::Debug for Recording<V, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording")
            .field("samples", &self.samples)
            .field("dropped", &self.dropped())
            .finish()
    }
}

/// Samples that wait to be taken. Each is taken once: clones share them.
pub struct Samples<V, T>(Receiver<Sample<V, T>>);

impl<V, T> Samples<V, T> {
    /// The samples, one after the other. It waits for each, and ends with the fleet.
    pub fn iter(&self) -> impl Iterator<Item = Sample<V, T>> + '_ {
        self.0.iter()
    }

    /// The samples that have come by now, without waiting.
    pub fn try_iter(&self) -> impl Iterator<Item = Sample<V, T>> + '_ {
        self.0.try_iter()
    }

    /// The next sample; `None` if none comes within `time`, or the fleet is no more.
    pub fn wait(&self, time: Duration) -> Option<Sample<V, T>> {
        self.0.recv_timeout(time).ok()
    }

    /// Number of samples that wait.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no sample waits.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<V, T> Clone for Samples<V, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<V, T> fmt::Debug for Samples<V, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Samples").field("len", &self.len()).finish()
    }
}

impl<V, T> Recording<V, T> {
    /// Number of samples so far for which there was no room.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }
}

impl Fleet {
    /// Calls `tell` for each vehicle of type `V` after each step, asleep or not, and queues what it
    /// returns: at most `capacity` samples, or one if that is 0. Samples for which there is no room
    /// are [dropped](Recording::dropped). Nothing is allocated for a sample, but by `tell`.
    pub fn record<V, T>(
        &mut self,
        capacity: usize,
        mut tell: impl FnMut(&RapierVehicle<V>) -> T + Send + Sync + 'static,
    ) -> Recording<V, T>
    where
        V: Drivable + Send + Sync + 'static,
        T: Send + 'static,
    {
        let (sender, samples) = bounded(capacity.max(1));
        let dropped = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&dropped);
        let (_, group) = self.group_of::<V>();
        group.records.push(Box::new(move |vehicles, step| {
            for (id, vehicle) in vehicles.iter_mut() {
                let value = tell(vehicle);
                match sender.try_send(Sample { step, vehicle: VehicleHandle::new(id), value }) {
                    Ok(()) => {}
                    Err(TrySendError::Full(_)) => {
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                    Err(TrySendError::Disconnected(_)) => return false,
                }
            }
            true
        }));
        Recording { samples: Samples(samples), dropped }
    }
}
