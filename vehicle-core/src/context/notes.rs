//! What the stages of a frame note for those that follow.

use std::cell::RefCell;

use crate::road::RoadPaths;

/// Notes about one vehicle in one frame. They lie where those about the vehicle before it lay, in the nearest cache: as a part
/// of its state, each would be waited for.
#[derive(Default)]
pub(crate) struct FrameNotes {
    /// Ways of wheels with mass over their roads.
    pub(crate) paths: RefCell<RoadPaths>,
}
