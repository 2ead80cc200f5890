//! Roads as vehicles find them: a surface is asked, and tells what is under a wheel.

mod hub;
mod obstacle;
mod path;
mod plane;
mod roughness;
mod soil;

use serde::{Deserialize, Serialize};

use crate::math::finite::Finite;
use crate::math::lanes::{
    InLanes, Lanes, MAX_LANES, Mask, Mask4, Number, Real4, Vec3x4, Vector, each_lane,
};
use crate::math::{Pose, Real, Vec3};
use crate::mount::WheelTravel;
use crate::plane::Plane;

pub use self::hub::{FourHubs, HubPlaces, StandingHubs};
pub(crate) use self::obstacle::road_like;
pub use self::obstacle::{Obstacle, ObstacleFace, ObstacleProbe, WheelObstacle, WheelObstacles};
pub use self::path::LEAST_SLOPE;
pub(crate) use self::path::{
    EDGE_HEIGHT, EdgeKind, FourPaths, LookPair, MAX_LOOKS, MAX_PIECES, RIM_DEPTH, Rims,
    RoadPathView, RoadPaths, RoadStretches, Touch,
};
pub use self::plane::{ConstantPlane, FlatRoad};
pub use self::roughness::{RoughProfile, RoughRoad, RoughSurface, Roughness, RoughnessClass};
pub use self::soil::Soil;

/// Material of a ground: a number of 128 bits, of the surface's own.
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
    /// Material of the ground.
    pub material: Material,
    /// Which body the ground is: a number of the surface's own.
    pub ground: u64,
    /// Impulse of the wheel on the ground since the road was found (N·s); written by
    /// [`Ground`](crate::stages::Ground).
    #[serde(default)]
    pub impulse: Vec3,
    /// Time since the road was found (s); written by [`Ground`](crate::stages::Ground). Its plane
    /// is that of the place where the wheel was then.
    #[serde(default)]
    pub age: Real,
    /// How far `plane` is below what has been found (m). A wheel with mass that is put into the
    /// ground is not thrown out of it: its road rises to the surface. 0 for all others.
    #[serde(default)]
    pub lowered: Real,
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
        lowered: 0.0,
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
    /// How far the planes are below what has been found (m).
    pub(crate) lowered: Real4,
    /// Whether nothing is near the wheels but these roads, without a step: then no obstacle stands
    /// in front of them.
    pub is_alone: bool,
    /// Whether nothing near the wheels moves: then nothing comes to them.
    pub is_still: bool,
    material: [Material; MAX_LANES],
    ground: [u64; MAX_LANES],
}

impl RoadContacts {
    /// The ground in `lane`, see [`RoadContact::ground`].
    #[inline]
    pub(crate) fn ground(&self, lane: usize) -> u64 {
        self.ground[lane]
    }

    /// Velocity of the ground in `lane` (m/s), see [`RoadContact::velocity`]; 0 without a road.
    #[inline]
    pub fn velocity(&self, lane: usize) -> Vec3 {
        self.road.velocity.lane(lane)
    }

    /// Finds roads on one `ground` of one `material`, in the lanes where `is_there` is true; the
    /// others have none.
    #[inline]
    pub fn find_on(
        &mut self,
        ground: u64,
        material: Material,
        is_there: Mask4,
        plane: Plane<Vec3x4>,
        friction: Real4,
        velocity: Vec3x4,
    ) {
        self.road = RoadLanes { is_there, plane, friction, velocity };
        (self.impulse, self.age) = (Vector::zero(), Real4::zero());
        self.lowered = Real4::zero();
        (self.material, self.ground) = ([material; MAX_LANES], [ground; MAX_LANES]);
        if !is_there.all() {
            self.take_some(&Self::default(), !is_there);
        }
    }

    /// Finds `road` in the lanes where `is_there` is true; the others have none.
    #[inline]
    fn find(&mut self, road: &RoadContact, is_there: Mask4) {
        let RoadContact { plane, friction, velocity, material, ground, impulse, age, lowered } =
            *road;
        let normal = Vec3x4::splat(plane.normal);
        let plane = Plane { normal, offset: Real4::splat(plane.offset) };
        let (friction, velocity) = (Real4::splat(friction), Vec3x4::splat(velocity));
        self.find_on(ground, material, is_there, plane, friction, velocity);
        self.impulse = Vector::select(is_there, Vec3x4::splat(impulse), Vec3x4::zero());
        self.age = Number::select(is_there, Real4::splat(age), Real4::zero());
        self.lowered = Number::select(is_there, Real4::splat(lowered), Real4::zero());
    }

    /// Takes the roads of `others` in the lanes where `mask` is true.
    #[inline]
    pub(crate) fn take(&mut self, others: &Self, mask: Mask4) {
        if mask.all() {
            *self = *others;
        } else if mask.any() {
            self.take_some(others, mask);
        }
    }

    #[cold]
    fn take_some(&mut self, others: &Self, mask: Mask4) {
        for lane in (0..MAX_LANES).filter(|&lane| mask.lane(lane)) {
            self.set_lane(lane, others.lane(lane));
        }
    }

    /// Forgets the roads in the lanes where `mask` is true.
    #[inline]
    pub(crate) fn lose(&mut self, mask: Mask4) {
        if mask.any() {
            self.lose_some(mask);
        }
    }

    #[cold]
    fn lose_some(&mut self, mask: Mask4) {
        self.take(&Self::default(), mask);
    }

    /// Forgets what has pushed the roads.
    pub(crate) fn forget_impulses(&mut self) {
        self.impulse = Vector::zero();
    }
}

impl Lanes for RoadContacts {
    type Single = Option<RoadContact>;

    fn from_lanes(road: impl FnMut(usize) -> Option<RoadContact>) -> Self {
        let mut roads = Self::default();
        for (lane, road) in each_lane(road).into_iter().enumerate() {
            roads.set_lane(lane, road);
        }
        roads
    }

    #[inline]
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
            lowered: self.lowered.lane(lane),
        })
    }

    fn set_lane(&mut self, lane: usize, road: Option<RoadContact>) {
        let known = road.as_ref().unwrap_or(&RoadContact::NONE);
        let RoadLanes { is_there, plane, friction, velocity } = &mut self.road;
        is_there.set_lane(lane, road.is_some());
        plane.set_lane(lane, known.plane);
        friction.set_lane(lane, known.friction);
        velocity.set_lane(lane, known.velocity);
        self.material[lane] = known.material;
        self.ground[lane] = known.ground;
        self.impulse.set_lane(lane, known.impulse);
        self.age.set_lane(lane, known.age);
        self.lowered.set_lane(lane, known.lowered);
    }
}

impl InLanes for Option<RoadContact> {
    type Lanes = RoadContacts;
}

impl Finite for RoadContacts {
    #[inline]
    fn total(&self) -> Real4 {
        let RoadLanes { plane, friction, velocity, .. } = &self.road;
        let road = plane.total() + friction.total() + velocity.total();
        road + self.impulse.total() + self.age.total() + self.lowered.total()
    }
}

/// Query of a wheel for the road below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoadProbe {
    /// The wheel's number.
    pub wheel: usize,
    /// The wheel's kind of tire, see
    /// [`WheelParams::tire_kind`](crate::wheel::WheelParams::tire_kind).
    pub tire_kind: u32,
    /// The wheel's path from full compression to full droop. The path of a wheel with mass
    /// [begins](WheelTravel::below) at its hub: nothing above [`ray_start`](WheelTravel::ray_start)
    /// is its road.
    pub travel: WheelTravel,
}

/// Queries of four wheels side by side for the road below them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FourProbes {
    /// Number of the first wheel.
    pub first: usize,
    /// Which of the wheels ask.
    pub asks: Mask4,
    /// The wheels' kinds of tires.
    pub tire_kinds: [u32; MAX_LANES],
    /// The wheels' paths, see [`RoadProbe::travel`].
    pub travel: WheelTravel<Vec3x4>,
}

impl FourProbes {
    /// Answers in `roads` those of the wheels that ask and are in one of `lanes`, wheel by wheel,
    /// by what `road_of` says.
    pub fn answer(
        &self,
        lanes: Mask4,
        roads: &mut RoadContacts,
        mut road_of: impl FnMut(&RoadProbe) -> Option<RoadContact>,
    ) {
        let (travels, asks) = (self.travel.lanes(), self.asks & lanes);
        for (lane, travel) in travels.into_iter().enumerate().filter(|&(lane, _)| asks.lane(lane)) {
            let (wheel, tire_kind) = (self.first + lane, self.tire_kinds[lane]);
            roads.set_lane(lane, road_of(&RoadProbe { wheel, tire_kind, travel }));
        }
    }
}

/// The drivable surface as a vehicle sees it.
pub trait RoadSurface {
    /// The road first met by the wheel of `probe`; `None` if there is none in reach.
    fn probe(&self, probe: &RoadProbe) -> Option<RoadContact>;

    /// Probes the roads of several wheels of a vehicle, four by four: what `probes` ask is answered
    /// in `roads`, which have none at first.
    ///
    /// It is the same as to [`probe`](Self::probe) wheel by wheel, for a surface that can look for
    /// all of them at once.
    fn probe_fours(&self, probes: &[FourProbes], roads: &mut [RoadContacts]) {
        for (probes, roads) in probes.iter().zip(roads) {
            probes.answer(probes.asks, roads, |probe| self.probe(probe));
        }
    }

    /// Whether there may be [obstacles](Self::obstacle) on this surface.
    fn has_obstacles(&self) -> bool {
        false
    }

    /// What the wheel of `probe`, one with mass, meets first on its way; `None` if nothing stands
    /// in reach.
    ///
    /// An edge counts only if a face adjoins that is [in the way](ObstacleProbe::is_in_the_way). A
    /// surface that answers says so by [`has_obstacles`](Self::has_obstacles).
    fn obstacle(&self, probe: &ObstacleProbe) -> Option<Obstacle> {
        let _ = probe;
        None
    }

    /// An obstacle that a wheel knows, as it is now: where its body has taken it, and how fast that
    /// moves; `None` if it is gone.
    fn obstacle_now(&self, known: &Obstacle) -> Option<Obstacle> {
        Some(*known)
    }

    /// Change of the velocity of an obstacle per impulse where it is met, along each axis (1/kg);
    /// zero for one that does not give way. What pushes it there is in [`WheelObstacle::impulse`].
    fn obstacle_response(&self, obstacle: &Obstacle) -> [Vec3; 3] {
        let _ = obstacle;
        [Vec3::ZERO; 3]
    }

    /// Velocity of what moves within `reach` (m) of the hub of `wheel` at `hub` (m) and might come
    /// to it (m/s); `None` if nothing does.
    fn approaching(&self, wheel: usize, hub: Vec3, reach: Real) -> Option<Vec3> {
        let _ = (wheel, hub, reach);
        None
    }

    /// Where what `wheel` can stand on is met first from `from` to `to` (m); `None` if there is
    /// nothing, or the way begins within it.
    ///
    /// Such is the front of a step, below the edge over which the wheel rolls down, or the top of a
    /// kerb at the wheel's side.
    fn face_between(&self, wheel: usize, from: Vec3, to: Vec3) -> Option<ObstacleFace> {
        let _ = (wheel, from, to);
        None
    }

    /// The soil that `material` is, for a surface that knows; `None` for hard ground, and for what
    /// the surface does not know. Tires on soil take it in the place of their own.
    fn soil(&self, material: Material) -> Option<Soil> {
        let _ = material;
        None
    }

    /// Where the body of a `ground` is (m), as [`RoadContact::ground`] numbers it; `None` if it
    /// does not move, or the surface does not know. What is parked on it is then carried along
    /// exactly, whatever else moves the ground before the next step.
    fn ground_pose(&self, ground: u64) -> Option<Pose> {
        let _ = ground;
        None
    }

    /// Whether any ground that has been found in the frame may give way. If not, nobody asks for
    /// its [response](Self::ground_response).
    fn gives_way(&self) -> bool {
        true
    }

    /// Change of the velocity of the ground of `road` at `point` (m) per impulse along the road
    /// (1/kg); 0 for ground that does not give way. Rows that hold a tire are softer by as much.
    fn ground_response(&self, road: &RoadContact, point: Vec3) -> Real {
        let _ = (road, point);
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_keep_all_bits() {
        for bits in [0, 1, u128::MAX, 1 << 127, 0x0123_4567_89ab_cdef_0011_2233_4455_6677] {
            assert_eq!(u128::from(Material::from(bits)), bits, "{bits:x}");
        }
    }
}
