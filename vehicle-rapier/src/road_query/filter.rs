//! The user's own word on what wheels stand on.

use std::fmt;
use std::sync::Arc;

use rapier3d::prelude::*;

/// A collider that a wheel could stand on.
#[derive(Clone, Copy)]
pub struct RoadCandidate<'a> {
    /// The wheel's number.
    pub wheel: usize,
    /// The collider's handle.
    pub handle: ColliderHandle,
    /// The collider.
    pub collider: &'a Collider,
}

impl fmt::Debug for RoadCandidate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RoadCandidate")
            .field("wheel", &self.wheel)
            .field("handle", &self.handle)
            .finish_non_exhaustive()
    }
}

/// Which colliders wheels stand on, beyond what groups can say.
///
/// It is asked for every collider near a wheel, from the thread that updates the vehicle: the same
/// question must have the same answer, or the drive cannot be repeated.
#[derive(Clone)]
pub struct RoadFilter(Arc<dyn Fn(&RoadCandidate<'_>) -> bool + Send + Sync>);

impl RoadFilter {
    /// A filter that lets a wheel stand where `is_road` says so.
    pub fn new(is_road: impl Fn(&RoadCandidate<'_>) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_road))
    }

    /// Whether a wheel may stand on `candidate`.
    pub fn allows(&self, candidate: &RoadCandidate<'_>) -> bool {
        (self.0)(candidate)
    }
}

impl fmt::Debug for RoadFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RoadFilter")
    }
}
