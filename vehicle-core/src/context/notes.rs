//! Notes that the stages of a frame take for those that follow.

use std::cell::{Cell, RefCell};

use crate::math::lanes::{Number, Real4, Vec3x4};
use crate::mount::SteeredPose;
use crate::road::RoadPaths;
use crate::rows::{FreeSystem, WayBack};
use crate::wheel_list::Fours;

/// Notes about one vehicle in one frame. They lie where those about the vehicle before it lay, in
/// the nearest cache: as a part of its state, each would be waited for.
///
/// Stages find them in the [`Context`](crate::Context), behind a shared reference. As `&mut` they
/// would be an argument of their own in each stage and each view. But a stage is any function of a
/// vehicle, a time step and a context, and one of a user's own calls views itself. Where it does
/// not hand the notes on, the ways of wheels with mass are lost. The vehicle then drives otherwise
/// without a fault. So they are in cells, each borrowed within one call, and no two vehicles have
/// the same.
#[derive(Default)]
pub(crate) struct FrameNotes {
    /// Ways of wheels with mass over their roads.
    pub(crate) paths: RefCell<RoadPaths>,
    /// How wheels are steered, four by four.
    steered: RefCell<Fours<SteeredPose<Vec3x4>>>,
    /// The way back of a vehicle to its anchor, if it is the same through the frame.
    pub(crate) way_back: Cell<Option<WayBack>>,
    /// The equations of rows without bounds, as they were last solved.
    pub(crate) free_rows: RefCell<Option<FreeSystem>>,
}

impl FrameNotes {
    /// Forgets everything, for the next frame.
    pub(crate) fn clear(&mut self) {
        let Self { paths, steered, way_back, free_rows } = self;
        paths.get_mut().clear();
        steered.get_mut().clear();
        way_back.set(None);
        *free_rows.get_mut() = None;
    }

    /// Notes how a `four` of wheels is steered, after those before it.
    #[inline]
    pub(crate) fn add_steered(&self, four: usize, wheels: &SteeredPose<Vec3x4>) {
        let mut steered = self.steered.borrow_mut();
        if steered.len() == four {
            steered.push(*wheels);
        }
    }

    /// How a `four` of wheels is steered, if it has been noted of this angle (rad).
    #[inline]
    pub(crate) fn steered_by(&self, four: usize, steer: Real4) -> Option<SteeredPose<Vec3x4>> {
        let steered = self.steered.borrow();
        steered.get(four).filter(|wheels| wheels.steer.is_equal(steer).all()).copied()
    }
}
