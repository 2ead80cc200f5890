//! Roads that are one plane.

use super::{FourProbes, RoadContact, RoadContacts, RoadProbe, RoadSurface};
use crate::frame::Frame;
use crate::math::Real;
use crate::math::lanes::{Number, Vector};
use crate::mount::WheelTravel;
use crate::plane::Plane;

/// An infinite flat road, met where the ray down through a wheel crosses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatRoad {
    /// The road.
    pub contact: RoadContact,
}

impl FlatRoad {
    /// The horizontal plane through the origin of `frame`, of friction 1.
    pub fn new(frame: &Frame) -> Self {
        Self::with_friction(frame, 1.0)
    }

    /// The horizontal plane through the origin of `frame`.
    pub fn with_friction(frame: &Frame, friction: Real) -> Self {
        let plane = Plane { normal: frame.vertical(), offset: 0.0 };
        Self { contact: RoadContact::new(plane, friction) }
    }

    /// Whether the ray down through a wheel on its path crosses the road.
    #[inline]
    fn is_met<V: Vector>(&self, travel: &WheelTravel<V>) -> <V::Number as Number>::Mask {
        let Plane { normal, offset } = self.contact.plane;
        let plane = Plane { normal: V::splat(normal), offset: V::Number::splat(offset) };
        let is_above = V::Number::zero().is_at_most(plane.distance(travel.ray_start()));
        is_above & plane.distance(travel.ray_end()).is_at_most(V::Number::zero())
    }
}

impl RoadSurface for FlatRoad {
    fn probe(&self, probe: &RoadProbe) -> Option<RoadContact> {
        self.is_met(&probe.travel).then_some(self.contact)
    }

    fn probe_fours(&self, probes: &[FourProbes], roads: &mut [RoadContacts]) {
        for (probes, roads) in probes.iter().zip(roads) {
            roads.find(&self.contact, probes.asks & self.is_met(&probes.travel));
        }
    }
}

/// One plane that is the road under every wheel, wherever the wheel is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantPlane {
    /// The road.
    pub contact: RoadContact,
}

impl RoadSurface for ConstantPlane {
    fn probe(&self, _: &RoadProbe) -> Option<RoadContact> {
        Some(self.contact)
    }

    fn probe_fours(&self, probes: &[FourProbes], roads: &mut [RoadContacts]) {
        for (probes, roads) in probes.iter().zip(roads) {
            roads.find(&self.contact, probes.asks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::math::lanes::{Lanes, MAX_LANES, Mask4};
    use crate::mount::travel_of_a_wheel;

    #[test]
    fn flat_road_is_met_from_the_top_of_the_wheel_to_its_bottom_at_droop() {
        let road = FlatRoad::new(&Frame::Z_UP);
        for (height, expected) in [(0.51, false), (0.49, true), (-0.29, true), (-0.31, false)] {
            let probe =
                RoadProbe { wheel: 0, tire_kind: 0, travel: travel_of_a_wheel(height, 0.0) };
            assert_eq!(road.probe(&probe).is_some(), expected, "height {height}");
        }
    }

    #[test]
    fn four_wheels_find_what_each_of_them_does() {
        let plane = Plane { normal: Vec3::Z, offset: 0.01 };
        let (velocity, impulse) = (Vec3::X, Vec3::NEG_Z);
        let known =
            RoadContact { velocity, impulse, age: 0.5, ground: 7, ..RoadContact::new(plane, 0.7) };
        let roads: [&dyn RoadSurface; 2] =
            [&FlatRoad { contact: known }, &ConstantPlane { contact: known }];
        for heights in [[0.1, 0.2, 0.3, 0.4], [0.3, 0.6, -0.4, 0.1]] {
            for asks in [0b1111, 0b0111, 0b1010] {
                let asks: Mask4 = Lanes::from_lanes(|lane| asks >> lane & 1 == 1);
                let travel = Lanes::from_lanes(|lane| travel_of_a_wheel(heights[lane], 0.0));
                let probes = FourProbes { first: 0, asks, tire_kinds: [0; MAX_LANES], travel };
                for road in roads {
                    let (mut found, mut expected) =
                        ([RoadContacts::default()], RoadContacts::default());
                    road.probe_fours(&[probes], &mut found);
                    probes.answer(asks, &mut expected, |probe| road.probe(probe));
                    assert_eq!(found[0].lanes(), expected.lanes());
                }
            }
        }
    }
}
