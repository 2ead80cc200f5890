//! The road under each wheel: a plane, its friction and its velocity.
//!
//! A physics engine implements [`RoadSurface`] with a ray or a shape cast; [`FlatRoad`] and
//! [`ConstantPlane`] are formulas, and so is a [`RoughRoad`].

mod ahead;

use std::slice;

pub use self::ahead::RoadAheadView;
use crate::body::RigidBodyState;
use crate::math::Real;
use crate::math::lanes::{Lanes, MAX_LANES, Mask, Mask4, Vec3x4, each_lane};
pub use crate::mount::ContactShape;
use crate::mount::{RoadWheel, SteeredPose, SuspensionParams, WheelParams, WheelTravel};
pub use crate::plane::{Line, Plane};
pub use crate::road::{
    ConstantPlane, FlatRoad, FourHubs, FourProbes, HubPlaces, LEAST_SLOPE, Material, Obstacle,
    ObstacleFace, ObstacleProbe, RoadContact, RoadContacts, RoadProbe, RoadSurface, RoughProfile,
    RoughRoad, RoughSurface, Roughness, RoughnessClass, Soil, StandingHubs, WheelObstacle,
    WheelObstacles,
};
use crate::turning_wheel::WheelState;
use crate::{AxleDescription, Context, WheelList};

/// Wheels of a vehicle, and the roads that they look for.
#[derive(Debug)]
pub struct RoadGeometryView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Pose of the body.
    pub rigid_body: &'a RigidBodyState,
    /// Kind of tire of each wheel.
    pub wheel_params: &'a [WheelParams],
    /// Shape of each wheel.
    pub road_wheels: &'a WheelList<RoadWheel>,
    /// Mount and travel of each suspension.
    pub suspension_params: &'a WheelList<SuspensionParams>,
    /// Steer angle of each wheel (rad).
    pub steer_angles: &'a WheelList<Real>,
    /// Whether each wheel is lost.
    pub wheels: &'a WheelList<WheelState>,
    /// Written: the road under each wheel, `None` if out of reach or without the wheel.
    pub roads: &'a mut WheelList<Option<RoadContact>>,
}

impl RoadGeometryView<'_> {
    /// Probes the road below every wheel, but for those that keep the one on which they stand.
    pub fn update(self, context: &Context<'_>) {
        let body = self.rigid_body.splat::<Vec3x4>();
        let wheel_count = self.axles.wheel_count();
        let params = self.suspension_params.fours().iter().zip(self.road_wheels.fours());
        let states = self.steer_angles.fours().iter().zip(self.wheels.fours());
        let fours = params.zip(states).zip(self.roads.fours_mut()).enumerate();
        for (index, (((suspension, shape), (steer, wheels)), roads)) in fours {
            let first = index * MAX_LANES;
            let is_lost = wheels.is_detached;
            let steered = SteeredPose::new(suspension, *steer, context.frame());
            context.note_steered(index, &steered);
            let travel = WheelTravel::of_body(suspension, shape, &body, &steered.pose);
            let stays: Mask4 = Lanes::from_lanes(|_| !context.detail.finds_road);
            let keeps = roads.road.is_there & !is_lost & stays;
            roads.forget_impulses();
            let kept = keeps.any().then_some(*roads);
            *roads = RoadContacts::default();
            let asks = Mask4::below(wheel_count - first) & !is_lost & !keeps;
            let tire_kinds = tire_kinds(self.wheel_params, first);
            let probes = FourProbes { first, asks, tire_kinds, travel };
            context.road.probe_fours(&[probes], slice::from_mut(roads));
            if let Some(kept) = kept {
                roads.take(&kept, keeps);
            }
        }
    }
}

/// The kinds of tires of four wheels; 0 in lanes that are left over.
#[inline]
fn tire_kinds(wheels: &[WheelParams], first: usize) -> [u32; MAX_LANES] {
    each_lane(|lane| wheels.get(first + lane).map_or(0, |wheel| wheel.tire_kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Vec3};
    use crate::{LevelOfDetail, SimulationParams};

    #[test]
    fn wheels_that_stand_keep_their_road_where_it_is_not_to_be_found_anew() {
        let axles = AxleDescription::new([[0, 1]]).unwrap();
        let suspension = SuspensionParams {
            attachment: Pose::from_translation(Vec3::Z * 0.4),
            travel_direction: Vec3::NEG_Z,
            travel_distance: 0.2,
            wheel_attachment: Pose::IDENTITY,
        };
        let wheel = WheelParams::default();
        let body = RigidBodyState::default();
        let [old, new] =
            [0.01, 0.02].map(|offset| RoadContact::new(Plane { normal: Vec3::Z, offset }, 1.0));
        let pushed = RoadContact { impulse: Vec3::Z, ..old };
        let (params, road) = (SimulationParams::default(), ConstantPlane { contact: new });
        for (finds_road, expected) in [(true, [Some(new); 2]), (false, [Some(old), Some(new)])] {
            let mut roads = WheelList::from_slice(&[Some(pushed), None]);
            let detail = LevelOfDetail { finds_road, ..LevelOfDetail::FULL };
            let view = RoadGeometryView {
                axles: &axles,
                rigid_body: &body,
                wheel_params: &[wheel; 2],
                road_wheels: &WheelList::filled(2, RoadWheel::from(&wheel)),
                wheels: &WheelList::new(2),
                suspension_params: &WheelList::filled(2, suspension),
                steer_angles: &WheelList::new(2),
                roads: &mut roads,
            };
            view.update(&Context::new(&params, &road).with_detail(detail));
            assert_eq!(roads.to_vec(), expected, "finds road: {finds_road}");
        }
    }
}
