//! Detail: how closely vehicles are looked at, less if they are far away.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};

/// How closely a vehicle is looked at.
///
/// Between two looks for its road, a wheel stays on the plane that it has found, which moves on as the
/// ground does; a wheel in the air looks in every step. Fewer substeps make springs and tires coarser.
/// It may be changed before any step, by the distance from the eye or anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// Steps from one look for the road to the next; 0 counts as 1.
    pub road_period: u32,
    /// Most substeps, whatever the vehicle's sequence says; 0 counts as 1.
    pub max_substeps: u32,
}

impl Detail {
    /// All that there is.
    pub const FULL: Self = Self { road_period: 1, max_substeps: u32::MAX };

    /// The detail at `distance` (m): that of the last level that does not begin beyond it, or
    /// [`FULL`](Self::FULL) nearer than all of them. Levels (m) are in order of distance.
    pub fn at_distance(distance: Real, levels: &[(Real, Self)]) -> Self {
        let reached = levels.iter().take_while(|(from, _)| *from <= distance);
        reached.last().map_or(Self::FULL, |(_, detail)| *detail)
    }

    pub(crate) fn steps_per_road(&self) -> u32 {
        self.road_period.max(1)
    }
}

impl Default for Detail {
    /// [`Detail::FULL`].
    fn default() -> Self {
        Self::FULL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detail_follows_the_distance() {
        let coarse = Detail { road_period: 2, max_substeps: 2 };
        let coarsest = Detail { road_period: 4, max_substeps: 1 };
        let levels = [(50.0, coarse), (200.0, coarsest)];
        for (distance, expected) in
            [(0.0, Detail::FULL), (49.0, Detail::FULL), (50.0, coarse), (1e3, coarsest)]
        {
            assert_eq!(Detail::at_distance(distance, &levels), expected, "{distance} m");
        }
        assert_eq!(Detail::at_distance(1.0, &[]), Detail::FULL);
    }
}
