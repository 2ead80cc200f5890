//! The road before wheels with mass: they look where they will be at the end of the frame, and where the way
//! to there is long, also between.

use arrayvec::ArrayVec;

use super::RoadGeometryView;
use crate::Context;
use crate::body::RigidBodyState;
use crate::math::Real;
use crate::math::lanes::{
    Lanes, MAX_LANES, Mask4, Number, Real4, RigidPose, Vec3x4, Vector, each_lane,
};
use crate::mount::{WheelContact, WheelShape, WheelTravel, wheel_travel_in_lanes};
use crate::plane::Plane;
use crate::road::{
    FourPaths, MAX_LOOKS, RoadContact, RoadContacts, RoadLanes, RoadPaths, RoadProbe, Touch,
};
use crate::wheel_list::Fours;

/// Way over the road within a frame for which one look is enough (m). On twice as much a wheel looks twice;
/// three looks are all.
const WAY_PER_LOOK: Real = 0.15;

/// How much older than a frame a road may be to be that of the frame before (dimensionless).
const FRESH: Real = 1.5;

/// What the stage needs from a vehicle whose wheels have a mass.
pub struct RoadAheadView<'a> {
    /// What it shares with wheels without mass.
    pub geometry: RoadGeometryView<'a>,
    /// The shape of the wheels that meets the road.
    pub contact: WheelContact,
    /// Which wheels have had a road at the end of the frame before, four by four.
    pub had_road: Fours<Mask4>,
    /// Written: the ways of the wheels.
    pub paths: &'a mut RoadPaths,
}

/// Four wheels that look ahead.
struct FourLooks {
    /// Number of the first.
    first: usize,
    /// Which of them look.
    looks: Mask4,
    travel: WheelTravel<Vec3x4>,
    /// Their ways in the frame, seen from their grounds: along the travel, and across it (m).
    drop: Real4,
    across: Vec3x4,
    touch: Touch,
    shape: WheelShape<Real4>,
}

/// What each of four wheels has met, look by look.
type Met = ArrayVec<[Option<RoadContact>; MAX_LANES], MAX_LOOKS>;

impl RoadAheadView<'_> {
    /// Probes the road before every wheel for a frame of `dt` (s), and puts under it the plane that leads from
    /// where it stands to where it will be.
    pub fn update(self, dt: Real, context: &Context<'_>) {
        let Self { geometry: view, contact, had_road, paths } = self;
        let body = view.rigid_body.splat::<Vec3x4>();
        let wheel_count = view.axles.wheel_count();
        let finds_road = context.detail.finds_road;
        for (four, roads) in view.roads.fours_mut().iter_mut().enumerate() {
            let first = four * MAX_LANES;
            let is_wheel: Mask4 = Lanes::from_lanes(|lane| first + lane < wheel_count);
            let is_lost = view.wheels.fours()[four].is_detached;
            let keeps = roads.road.is_there & Lanes::from_lanes(|_| !finds_road);
            roads.forget_impulses();
            for lane in (0..MAX_LANES).filter(|&lane| is_lost.lane(lane)) {
                roads.set_lane(lane, None);
            }
            let shape = view.shapes.fours()[four];
            let suspension = &view.suspension_params.fours()[four];
            let steer = view.steer_angles.fours()[four];
            let travel = wheel_travel_in_lanes(suspension, &shape, &body, steer, context.frame());
            let touch =
                Touch { contact, direction: travel.direction, axle: travel.axle(context.frame()) };
            let way = way_in_frame(&travel, &body, roads.road.velocity, dt);
            let (drop, across) = touch.split(way);
            let looks = is_wheel & !is_lost & !keeps;
            let ahead = FourLooks { first, looks, travel, drop, across, touch, shape };
            let kinds = each_lane(|lane| {
                view.wheel_params.get(first + lane).map_or(0, |wheel| wheel.tire_kind)
            });
            let met = ahead.look(kinds, context);
            let had_road = had_road[four] & roads.road.is_there;
            let length_scale = context.params.coordinates.length_scale;
            paths.set(four, ahead.lead(&met, had_road, roads, dt, length_scale));
        }
    }
}

/// Ways of four wheels in a frame of `dt` (s), seen from grounds that move at `ground` (m/s) (m).
fn way_in_frame(
    travel: &WheelTravel<Vec3x4>,
    body: &RigidBodyState<Vec3x4>,
    ground: Vec3x4,
    dt: Real,
) -> Vec3x4 {
    (body.velocity_at(travel.pose.translation()) - ground) * Number::splat(dt)
}

impl FourLooks {
    /// How often the wheels look.
    fn count(&self, length_scale: Real) -> usize {
        let ways = self.across.length().lanes();
        let looking = (0..MAX_LANES).filter(|&lane| self.looks.lane(lane));
        let longest = looking.map(|lane| ways[lane]).fold(0.0, Real::max);
        ((longest / (WAY_PER_LOOK * length_scale)) as usize).saturating_add(1).min(MAX_LOOKS)
    }

    /// The travel of the wheels when they have gone `part` of their way over the road. What they will reach as
    /// they drop or rise by the end of the frame is in it.
    fn travel_at(&self, part: Real) -> WheelTravel<Vec3x4> {
        let rise = self.drop.at_most(Number::zero());
        let shift = self.across * Number::splat(part) + self.touch.direction * rise;
        let pose =
            RigidPose::new(self.travel.pose.translation() + shift, self.travel.pose.rotation());
        WheelTravel { pose, distance: self.travel.distance + self.drop.abs(), ..self.travel }
    }

    /// What the wheels meet, of the tire `kinds`.
    fn look(&self, kinds: [u32; MAX_LANES], context: &Context<'_>) -> Met {
        let count = self.count(context.params.coordinates.length_scale);
        let mut probes = ArrayVec::<_, { MAX_LOOKS * MAX_LANES }>::new();
        let mut places = ArrayVec::<_, { MAX_LOOKS * MAX_LANES }>::new();
        let mut met: Met = (0..count).map(|_| [None; MAX_LANES]).collect();
        for look in 0..count {
            let travels = self.travel_at((look + 1) as Real / count as Real).lanes();
            for (lane, travel) in travels.into_iter().enumerate() {
                if self.looks.lane(lane) {
                    let (wheel, tire_kind) = (self.first + lane, kinds[lane]);
                    probes.push(RoadProbe { wheel, tire_kind, travel });
                    places.push((look, lane));
                }
            }
        }
        let mut told = places.into_iter();
        context.road.probe_each(&probes, &mut |_, road| {
            if let Some((look, lane)) = told.next() {
                met[look][lane] = road;
            }
        });
        met
    }

    /// The ways over the roads that the wheels have `met`, and what is under them at first.
    fn lead(
        &self,
        met: &Met,
        had_road: Mask4,
        roads: &mut RoadContacts,
        dt: Real,
        length_scale: Real,
    ) -> FourPaths {
        let hits: ArrayVec<RoadLanes<Vec3x4>, MAX_LOOKS> = met
            .iter()
            .map(|met| {
                let mut road = <RoadContacts as Lanes>::from_lanes(|lane| met[lane]).road;
                road.is_there = road.is_there & self.touch.is_road(&road.plane);
                road
            })
            .collect();
        let or = |hit: &RoadLanes<Vec3x4>, other: Plane<Vec3x4>| Plane {
            normal: Vector::select(hit.is_there, hit.plane.normal, other.normal),
            offset: Number::select(hit.is_there, hit.plane.offset, other.offset),
        };
        let nearest = hits.iter().rev().fold(Plane::default(), |nearest, hit| or(hit, nearest));
        let is_found = hits.iter().fold(Mask4::default(), |found, hit| found | hit.is_there);
        // A plane that has been kept for longer than a frame leads beyond what has been seen: a chord that began on it would
        // be steeper each time.
        let is_fresh = roads.age.is_at_most(Number::splat(FRESH * dt));
        let stands = had_road & is_fresh & self.touch.is_road(&roads.road.plane);
        let old = RoadLanes { is_there: stands, ..roads.road };
        let mut paths = FourPaths {
            looks: hits.len(),
            is_there: is_found & self.looks,
            has_stood: stands,
            start: self.travel.pose.translation(),
            across: self.across,
            touch: self.touch,
            ..FourPaths::default()
        };
        paths.planes[0] = or(&old, nearest);
        for (look, hit) in hits.iter().enumerate() {
            paths.planes[look + 1] = or(hit, paths.planes[look]);
        }
        paths.touch_roads(&self.shape, length_scale);
        let (chord, is_steady) =
            paths.chord(&self.shape, [0.0, 1.0 / hits.len() as Real], length_scale);
        paths.is_there = paths.is_there & is_steady;
        for lane in (0..MAX_LANES).filter(|&lane| self.looks.lane(lane)) {
            let last = (0..hits.len()).rev().find(|&look| hits[look].is_there.lane(lane));
            let road = match last {
                Some(look) => is_steady.lane(lane).then(|| RoadContact {
                    plane: chord.lane(lane),
                    // A road that ends on the way is that of this frame alone.
                    age: if look + 1 == hits.len() { 0.0 } else { dt },
                    ..met[look][lane].unwrap_or(RoadContact::NONE)
                }),
                None => roads.lane(lane).filter(|road| road.age <= FRESH * dt),
            };
            roads.set_lane(lane, road);
        }
        paths
    }
}
