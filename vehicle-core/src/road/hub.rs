//! Hubs of wheels with mass: where they are as they look for their roads.

use crate::math::Real;
use crate::math::lanes::{Mask4, Real4};

/// Where four hubs are at the end of the frame before.
#[derive(Clone, Copy, Debug, Default)]
pub struct FourHubs {
    /// Jounces (m), 0 where none is known.
    pub(crate) jounce: Real4,
    /// Jounce speeds (m/s).
    pub(crate) jounce_speed: Real4,
    /// Which wheels have a jounce: those that have been anywhere.
    pub(crate) is_known: Mask4,
    /// Which of them had a road.
    pub(crate) had_road: Mask4,
}

/// Suspensions that know where their hubs are.
pub trait HubPlaces {
    /// Where the hubs of a `four` of wheels are.
    fn hubs(&self, four: usize) -> FourHubs;
}

/// Suspensions that know how their vehicle stands on them.
pub trait StandingHubs {
    /// Jounces at which the tires of a `four` of wheels would touch level ground without a load, as
    /// the vehicle stands at rest under `gravity` (m/s²) (m).
    fn standing_jounce(&self, four: usize, gravity: Real) -> Real4;

    /// How a `four` of wheels gives way, by their masses: stiffness of the tires (1/s²), and
    /// damping of the suspensions in fast bump (1/s).
    fn compliance(&self, four: usize) -> [Real4; 2];
}
