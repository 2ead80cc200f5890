//! The road under each wheel: a plane, its friction and its velocity.
//!
//! A physics engine implements [`RoadSurface`] with a ray or a shape cast; [`FlatRoad`] and
//! [`ConstantPlane`] are formulas.

use std::ops::ControlFlow::{self, Continue};

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::body::RigidBodyState;
use crate::frame::Frame;
use crate::math::finite::Finite;
use crate::math::lanes::{
    InLanes, Lanes, MAX_LANES, Number, Real4, Vec3x4, Vector, each_lane, lanes_by_field,
};
use crate::math::{Pose, Real, Vec3};
use crate::suspension::{SuspensionParams, WheelTravel, wheel_travel_in_lanes};
use crate::wheel::{WheelParams, WheelShape, WheelState};
use crate::{AxleDescription, Component, Context, WheelList};

/// The points x with n·x + d = 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plane<V: Vector = Vec3> {
    /// Unit normal n, out of the road.
    pub normal: V,
    /// Offset d (m).
    pub offset: V::Number,
}

impl Plane {
    /// No plane at all, where there is no road.
    pub(crate) const NONE: Self = Self { normal: Vec3::ZERO, offset: 0.0 };
}

impl<V: Vector> Plane<V> {
    /// The plane through `point` (m) with the unit vector `normal`.
    #[inline]
    pub fn through(point: V, normal: V) -> Self {
        Self { normal, offset: -point.dot(normal) }
    }

    /// Offset (m) of the plane after `dt` (s) at `velocity` (m/s).
    ///
    /// ```text
    /// d' = d - n·v dt
    /// ```
    #[inline]
    pub fn advanced_offset(&self, velocity: V, dt: Real) -> V::Number {
        self.offset - self.normal.dot(velocity) * Number::splat(dt)
    }

    /// Distance of `point` (m) from the plane, positive on the side of the normal (m).
    #[inline]
    pub fn distance(&self, point: V) -> V::Number {
        self.normal.dot(point) + self.offset
    }
}

/// A straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<V = Vec3> {
    /// A point of the line (m).
    pub point: V,
    /// Unit vector along the line.
    pub direction: V,
}

impl Line {
    /// The line in which two planes meet; `None` if they are parallel.
    ///
    /// ```text
    /// direction ∝ D = n₁ × n₂
    /// ```
    ///
    /// The point has a zero coordinate along the axis on which `D` is largest.
    pub fn between(first: &Plane, second: &Plane) -> Option<Self> {
        let (line, squared) = Self::in_lanes(first, second);
        (0.0 < squared).then_some(line)
    }
}

impl<V: Vector> Line<V> {
    /// The line in which two planes [meet](Line::between), and the square of the sine of the angle
    /// between them, where it is above zero.
    #[inline]
    pub(crate) fn in_lanes(first: &Plane<V>, second: &Plane<V>) -> (Self, V::Number) {
        let ((a, d), (b, e)) = ((first.normal, first.offset), (second.normal, second.offset));
        let ([ax, ay, az], [bx, by, bz]) = (a.components(), b.components());
        let direction = a.cross(b);
        let [x, y, z] = direction.components();
        let [xx, yy, zz] = [x * x, y * y, z * z];
        // Components of the point times those of the direction, but for their signs.
        let (p, q, r) = (ay * e - by * d, bx * d - ax * e, az * e - bz * d);
        let is_z_largest = yy.is_below(zz) & xx.is_below(zz);
        let is_y_largest = !is_z_largest & xx.is_below(yy);
        let is_x_largest = !(is_z_largest | is_y_largest);
        let zero = V::Number::zero();
        let or_zero = |is_zero, value| Number::select(is_zero, zero, value);
        let largest = Number::select(is_z_largest, z, Number::select(is_y_largest, y, x));
        let point = V::new(
            or_zero(is_x_largest, Number::select(is_z_largest, p, -r) / largest),
            or_zero(is_y_largest, Number::select(is_z_largest, q, r) / largest),
            or_zero(is_z_largest, Number::select(is_y_largest, -q, -p) / largest),
        );
        let squared = xx + yy + zz;
        (Self { point, direction: direction / squared.sqrt() }, squared)
    }

    /// The point of the line that is nearest to `point` (m).
    #[inline]
    pub fn closest_point(&self, point: V) -> V {
        self.point + self.direction * (point - self.point).dot(self.direction)
    }
}

/// What a ground is made of: a number of 128 bits, of the surface's own.
///
/// It needs no more alignment than a [`Real`], so that a list of roads has no gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "u128", into = "u128")]
pub struct Material([u32; 4]);

impl From<u128> for Material {
    fn from(bits: u128) -> Self {
        Self([0, 32, 64, 96].map(|shift| (bits >> shift) as u32))
    }
}

impl From<Material> for u128 {
    fn from(Material(words): Material) -> Self {
        words.iter().rev().fold(0, |bits, &word| bits << 32 | Self::from(word))
    }
}

/// The road under one wheel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoadContact {
    /// Tangent plane of the road.
    pub plane: Plane,
    /// Friction coefficient between road and tire (dimensionless).
    pub friction: Real,
    /// Velocity of the ground at the contact (m/s).
    pub velocity: Vec3,
    /// What the ground is made of.
    pub material: Material,
    /// Which body the ground is: a number of the surface's own.
    pub ground: u64,
    /// Impulse of the wheel on the ground since the road was found (N·s); written by
    /// [`Ground`](crate::ground::Ground).
    #[serde(default)]
    pub impulse: Vec3,
    /// Time since the road was found (s); written by [`Ground`](crate::ground::Ground). Its plane is
    /// that of the place where the wheel was then.
    #[serde(default)]
    pub age: Real,
}

impl RoadContact {
    /// No road.
    pub(crate) const NONE: Self = Self {
        plane: Plane::NONE,
        friction: 0.0,
        velocity: Vec3::ZERO,
        material: Material([0; 4]),
        ground: 0,
        impulse: Vec3::ZERO,
        age: 0.0,
    };

    /// A road at rest on `plane`.
    pub fn new(plane: Plane, friction: Real) -> Self {
        Self { plane, friction, ..Self::NONE }
    }
}

/// The road of each lane, as far as it acts on the wheel.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RoadLanes<V: Vector> {
    /// Whether there is a road. Elsewhere all is zero.
    pub(crate) is_there: <V::Number as Number>::Mask,
    pub(crate) plane: Plane<V>,
    pub(crate) friction: V::Number,
    /// Velocity of the ground (m/s).
    pub(crate) velocity: V,
}

/// The roads under four wheels.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoadContacts {
    pub(crate) road: RoadLanes<Vec3x4>,
    /// Impulses of the wheels since the roads were found (N·s).
    pub(crate) impulse: Vec3x4,
    /// Time since then (s).
    pub(crate) age: Real4,
    material: [Material; MAX_LANES],
    ground: [u64; MAX_LANES],
}

impl RoadContacts {
    /// Forgets what has pushed the roads.
    pub(crate) fn forget_impulses(&mut self) {
        self.impulse = Vector::zero();
    }
}

lanes_by_field!(Plane<Vector> { normal, offset });

impl Lanes for RoadContacts {
    type Single = Option<RoadContact>;

    fn from_lanes(road: impl FnMut(usize) -> Option<RoadContact>) -> Self {
        let mut roads = Self::default();
        for (lane, road) in each_lane(road).into_iter().enumerate() {
            roads.set_lane(lane, road);
        }
        roads
    }

    fn lane(&self, lane: usize) -> Option<RoadContact> {
        let RoadLanes { is_there, plane, friction, velocity } = &self.road;
        is_there.lane(lane).then(|| RoadContact {
            plane: plane.lane(lane),
            friction: friction.lane(lane),
            velocity: velocity.lane(lane),
            material: self.material[lane],
            ground: self.ground[lane],
            impulse: self.impulse.lane(lane),
            age: self.age.lane(lane),
        })
    }

    fn set_lane(&mut self, lane: usize, road: Option<RoadContact>) {
        let known = road.unwrap_or(RoadContact::NONE);
        let RoadLanes { is_there, plane, friction, velocity } = &mut self.road;
        is_there.set_lane(lane, road.is_some());
        plane.set_lane(lane, known.plane);
        friction.set_lane(lane, known.friction);
        velocity.set_lane(lane, known.velocity);
        self.material[lane] = known.material;
        self.ground[lane] = known.ground;
        self.impulse.set_lane(lane, known.impulse);
        self.age.set_lane(lane, known.age);
    }
}

impl InLanes for Option<RoadContact> {
    type Lanes = RoadContacts;
}

impl Finite for RoadContacts {
    #[inline]
    fn residue(&self) -> Real4 {
        let RoadLanes { plane, friction, velocity, .. } = &self.road;
        let road = plane.residue() + friction.residue() + velocity.residue();
        road + self.impulse.residue() + self.age.residue()
    }
}

/// What a wheel asks of the road.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoadProbe {
    /// The wheel's number.
    pub wheel: usize,
    /// The wheel's kind of tire, see [`WheelParams::tire_kind`].
    pub tire_kind: u32,
    /// The wheel's path from full compression to full droop.
    pub travel: WheelTravel,
}

/// The drivable surface as a vehicle sees it.
pub trait RoadSurface {
    /// The road first met by the wheel of `probe`; `None` if there is none in reach.
    fn probe(&self, probe: &RoadProbe) -> Option<RoadContact>;

    /// Probes the roads of several wheels of a vehicle, and tells each to `tell`, in order.
    ///
    /// It is the same as to [`probe`](Self::probe) one by one, for a surface that can look for all of
    /// them at once.
    fn probe_each(
        &self,
        probes: &[RoadProbe],
        tell: &mut dyn FnMut(&RoadProbe, Option<RoadContact>),
    ) {
        for probe in probes {
            tell(probe, self.probe(probe));
        }
    }

    /// Where the body of a `ground` is (m), as [`RoadContact::ground`] numbers it; `None` if it does not
    /// move, or the surface does not know. What is parked on it is then carried along exactly, whatever
    /// else moves the ground before the next step.
    fn ground_pose(&self, ground: u64) -> Option<Pose> {
        let _ = ground;
        None
    }

    /// Change of the velocity of the ground of `road` at `point` (m) per impulse along the road (1/kg); 0
    /// for ground that does not give way. Rows that hold a tire are softer by as much.
    fn ground_response(&self, road: &RoadContact, point: Vec3) -> Real {
        let _ = (road, point);
        0.0
    }
}

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
}

impl RoadSurface for FlatRoad {
    fn probe(&self, probe: &RoadProbe) -> Option<RoadContact> {
        let plane = &self.contact.plane;
        let is_above = 0.0 <= plane.distance(probe.travel.ray_start());
        let is_crossed = plane.distance(probe.travel.ray_end()) <= 0.0;
        (is_above && is_crossed).then_some(self.contact)
    }
}

/// The same road under every wheel, wherever the wheel is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantPlane {
    /// The road.
    pub contact: RoadContact,
}

impl RoadSurface for ConstantPlane {
    fn probe(&self, _: &RoadProbe) -> Option<RoadContact> {
        Some(self.contact)
    }
}

/// What the stage needs from a vehicle.
pub struct RoadGeometryView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Pose of the body.
    pub rigid_body: &'a RigidBodyState,
    /// Kind of tire of each wheel.
    pub wheel_params: &'a [WheelParams],
    /// Shape of each wheel.
    pub shapes: &'a WheelList<WheelShape>,
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
        let params = self.suspension_params.fours().iter().zip(self.shapes.fours());
        let states = self.steer_angles.fours().iter().zip(self.wheels.fours());
        let fours = params.zip(states).zip(self.roads.fours_mut()).enumerate();
        for (index, (((suspension, shape), (steer, wheels)), roads)) in fours {
            let first = index * MAX_LANES;
            let count = MAX_LANES.min(wheel_count - first);
            let is_lost = wheels.is_detached;
            let travels =
                wheel_travel_in_lanes(suspension, shape, &body, *steer, context.frame()).lanes();
            let keeps = roads.road.is_there & Lanes::from_lanes(|_| !context.detail.finds_road);
            let mut probes = ArrayVec::<_, MAX_LANES>::new();
            for (lane, travel) in travels.into_iter().enumerate().take(count) {
                let wheel = first + lane;
                if is_lost.lane(lane) {
                    roads.set_lane(lane, None);
                } else if !keeps.lane(lane) {
                    let tire_kind = self.wheel_params[wheel].tire_kind;
                    probes.push(RoadProbe { wheel, tire_kind, travel });
                }
            }
            roads.forget_impulses();
            let mut tell = |probe: &RoadProbe, road| roads.set_lane(probe.wheel - first, road);
            context.road.probe_each(&probes, &mut tell);
        }
    }
}

/// A vehicle with wheels above a road.
pub trait HasRoadGeometry {
    /// Borrows what the stage reads and writes.
    fn road_geometry(&mut self) -> RoadGeometryView<'_>;
}

/// The road geometry stage as a component.
#[derive(Clone, Copy, Debug)]
pub struct RoadGeometry;

impl<V: HasRoadGeometry + ?Sized> Component<V> for RoadGeometry {
    fn update(&self, vehicle: &mut V, _dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.road_geometry().update(context);
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Pose;
    use crate::{LevelOfDetail, SimulationParams};

    fn probe(height: Real) -> RoadProbe {
        let travel = WheelTravel {
            pose: Pose::from_translation(Vec3::Z * height),
            direction: Vec3::NEG_Z,
            distance: 0.2,
            radius: 0.3,
            half_width: 0.1,
            shoulder_radius: 0.0,
        };
        RoadProbe { wheel: 0, tire_kind: 0, travel }
    }

    #[test]
    fn flat_road_is_met_from_the_top_of_the_wheel_to_its_bottom_at_droop() {
        let road = FlatRoad::new(&Frame::Z_UP);
        for (height, expected) in [(0.51, false), (0.49, true), (-0.29, true), (-0.31, false)] {
            assert_eq!(road.probe(&probe(height)).is_some(), expected, "height {height}");
        }
    }

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
                shapes: &WheelList::filled(2, WheelShape::from(&wheel)),
                wheels: &WheelList::new(2),
                suspension_params: &WheelList::filled(2, suspension),
                steer_angles: &WheelList::new(2),
                roads: &mut roads,
            };
            view.update(&Context::new(&params, &road).with_detail(detail));
            assert_eq!(roads.to_vec(), expected, "finds road: {finds_road}");
        }
    }

    #[test]
    fn materials_keep_all_bits() {
        for bits in [0, 1, u128::MAX, 1 << 127, 0x0123_4567_89ab_cdef_0011_2233_4455_6677] {
            assert_eq!(u128::from(Material::from(bits)), bits, "{bits:x}");
        }
    }

    #[test]
    fn planes_meet_in_a_line_unless_parallel() {
        let normals =
            [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.0, -0.8, 0.6)];
        for first in normals {
            for second in normals {
                let planes = [first, second].map(|normal| Plane { normal, offset: -0.7 });
                let line = Line::between(&planes[0], &planes[1]);
                assert_eq!(line.is_none(), first == second, "{first}, {second}");
                let Some(line) = line else { continue };
                let closest = line.closest_point(Vec3::new(3.0, -2.0, 1.0));
                for plane in planes {
                    assert!(plane.distance(closest).abs() < 1e-5, "{first}, {second}: {closest}");
                }
            }
        }
    }

    #[test]
    fn plane_measures_distance_along_its_normal() {
        let plane = Plane::through(Vec3::new(1.0, 2.0, 3.0), Vec3::Y);
        assert_eq!(plane.distance(Vec3::new(5.0, 2.5, 0.0)), 0.5);
    }
}
