//! Detail: how closely vehicles are looked at, less if they are far away.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::LevelOfDetail;

/// How closely a vehicle is computed.
///
/// Between two looks for its road, a wheel stays on the plane that it has found, which moves on as
/// the ground does. A wheel in the air looks in every step. Fewer substeps make springs and tires
/// coarser.
///
/// It may be changed before any step, by the distance from the eye or anything else. A change takes
/// effect in the next step that looks for the road, so that it moves nothing. After
/// [`FULL`](Self::FULL) this is the next step; after another level it comes within its
/// `road_period`. A vehicle that is teleported or has slept finds its road in its next step.
/// [`Fleet::set_detail`](crate::Fleet::set_detail) sets that of all vehicles of a fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// Steps from one look for the road to the next; 0 counts as 1.
    pub road_period: u32,
    /// Most substeps, whatever the vehicle's sequence says; 0 counts as 1. With one substep, a
    /// vehicle below 5 m/s slides by some centimeters per second as it turns, unless its wheels
    /// have mass and are on beam axles.
    pub max_substeps: u32,
    /// Whether wheels have their mass. If `false`, they follow the road at once, and beam axles
    /// become independent wheels.
    #[serde(default = "yes")]
    pub wheel_mass: bool,
}

/// Choice of snapshots from before there was one.
fn yes() -> bool {
    true
}

impl Detail {
    /// Full detail: looks for the road in every step, takes all substeps, gives wheels their mass.
    pub const FULL: Self = Self { road_period: 1, max_substeps: u32::MAX, wheel_mass: true };

    /// The detail at `distance` (m): that of the last level that does not begin beyond it, or
    /// [`FULL`](Self::FULL) nearer than all of them. Levels (m) are in order of distance.
    pub fn at_distance(distance: Real, levels: &[(Real, Self)]) -> Self {
        let reached = levels.iter().take_while(|(from, _)| *from <= distance);
        reached.last().map_or(Self::FULL, |(_, detail)| *detail)
    }

    fn steps_per_road(&self) -> u32 {
        self.road_period.max(1)
    }
}

impl Default for Detail {
    /// [`Detail::FULL`].
    fn default() -> Self {
        Self::FULL
    }
}

/// How closely a vehicle has been looked at, until its last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// The level that is in effect.
    pub level: Detail,
    /// Steps that the vehicle has been on the road that it knows.
    pub steps_on_road: u32,
}

impl Look {
    /// Look at a vehicle that does not know its road.
    pub(crate) const NONE: Self = Self { level: Detail::FULL, steps_on_road: u32::MAX };

    /// The next look, of a vehicle whose level is to be `wanted`.
    pub(crate) fn next(self, wanted: Detail) -> Self {
        if self.steps_on_road < self.level.steps_per_road() {
            Self { steps_on_road: self.steps_on_road + 1, ..self }
        } else {
            Self { level: wanted, steps_on_road: 1 }
        }
    }

    /// Substeps and road query that this look asks of a step.
    pub(crate) fn level_of_detail(self) -> LevelOfDetail {
        LevelOfDetail { max_substeps: self.level.max_substeps, finds_road: self.steps_on_road == 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_takes_effect_where_the_road_is_found() {
        let coarse = Detail { road_period: 3, max_substeps: 1, ..Detail::FULL };
        let wanted = [Detail::FULL, coarse, Detail::FULL, coarse, Detail::FULL, Detail::FULL];
        let expected = [
            (Detail::FULL, true),
            (coarse, true),
            (coarse, false),
            (coarse, false),
            (Detail::FULL, true),
            (Detail::FULL, true),
        ];
        let mut look = Look::NONE;
        for (step, (wanted, (level, finds_road))) in wanted.into_iter().zip(expected).enumerate() {
            look = look.next(wanted);
            let found = look.level_of_detail();
            assert_eq!((look.level, found.finds_road), (level, finds_road), "step {step}");
            assert_eq!(found.max_substeps, level.max_substeps, "step {step}");
        }
    }

    #[test]
    fn detail_follows_the_distance() {
        let coarse = Detail { road_period: 2, max_substeps: 2, ..Detail::FULL };
        let coarsest = Detail { road_period: 4, max_substeps: 1, ..Detail::FULL };
        let levels = [(50.0, coarse), (200.0, coarsest)];
        for (distance, expected) in
            [(0.0, Detail::FULL), (49.0, Detail::FULL), (50.0, coarse), (1e3, coarsest)]
        {
            assert_eq!(Detail::at_distance(distance, &levels), expected, "{distance} m");
        }
        assert_eq!(Detail::at_distance(1.0, &[]), Detail::FULL);
    }
}
