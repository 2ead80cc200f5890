//! Ground that the wheels of a vehicle can stand on, and how they look for it.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::PI;

use crate::friction::FrictionTable;
use crate::soils::SoilTable;

/// Largest slope on which wheels stand unless said otherwise (rad).
const DEFAULT_MAX_SLOPE: Real = 70.0 * PI / 180.0;

/// Shape that each wheel sends down its travel to find the road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RoadQueryShape {
    /// A ray, from the top of the wheel at full compression to its bottom at full droop: cheap, and
    /// blind beside it. A wheel falls into a gap that is narrower than itself.
    #[default]
    Ray,
    /// The wheel as a cylinder with its
    /// [shoulders](vehicle_core::wheel::WheelParams::shoulder_radius), from full compression to
    /// full droop. It is for vehicles whose jounce is that of a
    /// [`Cylinder`](vehicle_core::suspension::ContactShape::Cylinder), which then stands just where
    /// it has met the road.
    ///
    /// On the edge of a kerb it stands on a plane that is tilted against the drive until the axle
    /// is over the edge. The suspension's force, along the normal of this plane, also pushes back.
    /// What is steeper than [`max_slope`](RoadQueryParams::max_slope) or higher than the travel it
    /// cannot meet: that takes [wheel colliders](crate::wheel_colliders).
    Cylinder,
}

/// Ground that the wheels of a vehicle can stand on, and how they look for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RoadQueryParams {
    /// Shape that each wheel sends down its travel to find the road.
    pub shape: RoadQueryShape,
    /// Groups of colliders that wheels stand on; all if `None`.
    pub groups: Option<InteractionGroups>,
    /// Groups of single wheels, in the place of `groups`: one element per wheel, or none at all.
    pub wheel_groups: Vec<InteractionGroups>,
    /// Friction of known surfaces.
    pub friction: FrictionTable,
    /// Soils of known materials, for tires on soil.
    pub soils: SoilTable,
    /// Largest angle between the normal of the road and the wheel's way up, against its travel, at
    /// which a wheel stands (rad). What is steeper is a wall: a wheel does not climb it.
    ///
    /// It is the vehicle's up, not the world's: a car may drive through a loop. Wheels with mass
    /// do not stand on what is steeper than 72.5 degrees either, which is a cosine of
    /// [`LEAST_SLOPE`](vehicle_core::road_geometry::LEAST_SLOPE).
    pub max_slope: Real,
    /// Whether dynamic bodies feel the wheels that stand on them: a boat sinks and is pushed back
    /// by a car that drives on it. Static and kinematic ground never does. Loose bodies that the
    /// wheels push under the chassis collide with it as with any other body: a low floor rides up
    /// on them.
    ///
    /// A body takes the push of a step at once. Below a parked vehicle it comes to rest if it lies
    /// on firm ground and has four tenths of the vehicle's mass, or if it floats. Lighter bodies,
    /// stacks, decks on springs and other vehicles may creep, tremble and stay awake. On fixed and
    /// kinematic ground this costs next to nothing.
    pub pushes_ground: bool,
    /// Mass of the lightest dynamic body that is a road to wheels which do not push it (kg). Wheels
    /// do not see a lighter body: to them it would be an immovable wall, and a box of cardboard
    /// would throw the car. The chassis or [wheel colliders](crate::wheel_colliders) push it away.
    /// With 0, all bodies are roads. Wheels that [push](Self::pushes_ground) their ground see all
    /// bodies, and feel how each gives way.
    pub lightest_ground: Real,
    /// Mass of the lightest dynamic body that wheels which
    /// [meet obstacles](vehicle_core::SimulationParams::meets_obstacles) meet (kg). Lighter ones
    /// are left to the chassis. A wheel presses a loose box into the ground, which holds it: a fast
    /// car would be thrown by it as by a kerb. With 0, wheels meet all bodies, and push them away.
    pub lightest_obstacle: Real,
}

impl Default for RoadQueryParams {
    /// Rays, on all colliders but those of light bodies, with their own friction, on slopes up to
    /// 70 degrees.
    fn default() -> Self {
        Self {
            shape: RoadQueryShape::default(),
            groups: None,
            wheel_groups: Vec::new(),
            friction: FrictionTable::default(),
            soils: SoilTable::default(),
            max_slope: DEFAULT_MAX_SLOPE,
            pushes_ground: false,
            lightest_ground: 20.0,
            lightest_obstacle: 200.0,
        }
    }
}

impl RoadQueryParams {
    /// Groups that `wheel` stands on.
    pub(super) fn groups_of(&self, wheel: usize) -> Option<InteractionGroups> {
        self.wheel_groups.get(wheel).copied().or(self.groups)
    }

    /// Reports faults, also those that show only on a vehicle of `wheel_count` wheels.
    pub(crate) fn check_for(&self, wheel_count: impl FnOnce() -> usize, check: &mut ParamCheck) {
        self.check(check);
        if !self.wheel_groups.is_empty() {
            check.count("wheel_groups", self.wheel_groups.len(), wheel_count());
        }
    }
}

impl Validate for RoadQueryParams {
    fn check(&self, check: &mut ParamCheck) {
        check.field("friction", |inner| self.friction.check(inner));
        check.field("soils", |inner| self.soils.check(inner));
        check.number("lightest_ground", self.lightest_ground, Bound::NotNegative);
        check.number("lightest_obstacle", self.lightest_obstacle, Bound::NotNegative);
        check.number("max_slope", self.max_slope, Bound::Within(0.0, PI / 2.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_named() {
        let groups = vec![InteractionGroups::all(); 3];
        let params =
            RoadQueryParams { max_slope: 2.0, wheel_groups: groups, ..RoadQueryParams::default() };
        let mut check = ParamCheck::default();
        params.check_for(|| 4, &mut check);
        assert_eq!(
            check.finish().unwrap_err().to_string(),
            "max_slope must be within [0, 1.5707964], got 2; \
             wheel_groups must be of 4 elements, one per wheel, got 3"
        );
    }
}
