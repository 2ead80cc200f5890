//! The road before wheels with mass: they look where they will be at the end of the frame, and
//! where the way to there is long, also between.
//!
//! A look begins at the hub, where that is: what was below it stays road, however deep the wheel
//! is, and what is above it is none. With a bound on that depth a wheel would lose its road for
//! ever; looking from full compression, it would take a plate above it for road. A wheel that has
//! never been anywhere, or looks from afar, cannot know. It finds its road up to the height of the
//! center of mass, and that road rises under it.

mod lowered;
mod obstacles;

use std::fmt;

use arrayvec::ArrayVec;

use super::{RoadGeometryView, tire_kinds};
use crate::Context;
use crate::body::RigidBodyState;
use crate::math::Real;
use crate::math::lanes::{Lanes, MAX_LANES, Mask, Mask4, Number, Real4, RigidPose, Vec3x4, Vector};
use crate::mount::{ContactShape, RoadWheel, SteeredPose, WheelTravel};
use crate::plane::Plane;
use crate::road::{
    FourHubs, FourPaths, FourProbes, HubPlaces, MAX_LOOKS, RIM_DEPTH, Rims, RoadContacts,
    RoadLanes, RoadPaths, StandingHubs, Touch, WheelObstacle, WheelObstacles,
};

/// Way over the road within a frame for which one look is enough (m). On twice as much a wheel
/// looks twice; three looks are all.
const WAY_PER_LOOK: Real = 0.15;

/// How far above its road a look begins at least, in radii of the wheel (dimensionless): so a wheel
/// that is deep in its road still sees it.
const LEAST_HEIGHT: Real = 0.25;

/// Largest height above a hub at which a look begins because the road may rise before it, in radii
/// of the wheel (dimensionless). A wheel does not see what is above its top.
const MOST_RISE: Real = 0.75;

/// Cosine of the largest angle between a road and the one before it, or across the travel
/// (dimensionless): what is steeper on both counts is another road.
const LEAST_LIKENESS: Real = 0.5;

/// How far above the start of a look what it meets may be, for rounding, in radii of the wheel
/// (dimensionless).
const ROUNDING: Real = 1e-3;

/// How much older than a frame a road may be to be that of the frame before (dimensionless).
const FRESH: Real = 1.5;

/// Cosine of the slope across the travel (dimensionless) beyond which a body that gives way and
/// moves is not taken to be still where it was. It may have been pushed away.
const LEVEL: Real = 0.97;

/// Way over which a road is that of a wheel that sees none, in radii (dimensionless), and for how
/// long (s). A tire stands on a patch, and where a pitched car comes to a kerb, its wheel looks at
/// the front of it for a moment.
const PATCH: (Real, Real) = (0.1, 0.05);

/// Way of a wheel at an obstacle that is so short that one look is enough for both of its ends, in
/// radii (dimensionless).
const STILL: Real = 1e-3;

/// Wheels with mass, and the roads that they look for ahead.
pub struct RoadAheadView<'a> {
    /// Data shared with wheels without mass.
    pub geometry: RoadGeometryView<'a>,
    /// The shape of the wheels that meets the road.
    pub contact: ContactShape,
    /// Where the hubs are.
    pub hubs: &'a dyn HubPlaces,
    /// Where they are when the vehicle stands.
    pub standing: &'a dyn StandingHubs,
    /// Read and written: what stands in front of each wheel; empty for wheels that meet nothing.
    pub obstacles: &'a mut WheelObstacles,
}

impl fmt::Debug for RoadAheadView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RoadAheadView")
            .field("geometry", &self.geometry)
            .field("contact", &self.contact)
            .field("obstacles", self.obstacles)
            .finish_non_exhaustive()
    }
}

/// Roads of four wheels at the end of the frame before.
#[derive(Clone, Copy)]
struct LastRoads {
    /// Which of the wheels had one on which they can stand.
    is_there: Mask4,
    plane: Plane<Vec3x4>,
    /// How far the planes were below what had been found (m).
    lowered: Real4,
    /// Velocities of the roads (m/s).
    velocity: Vec3x4,
}

/// Four wheels that look ahead.
struct FourLooks {
    /// Number of the first.
    first: usize,
    /// Which of them look.
    looks: Mask4,
    /// How often.
    count: usize,
    travel: WheelTravel<Vec3x4>,
    /// Their ways in the frame, seen from their grounds: along the travel, and across it (m).
    drop: Real4,
    across: Vec3x4,
    touch: Touch,
    shape: RoadWheel<Real4>,
    /// Where the hubs are; those that have never been anywhere are as the vehicle stands.
    hubs: FourHubs,
    /// Stiffness of the tires (1/s²) and damping of the wheels (1/s) by the masses of the wheels.
    compliance: [Real4; 2],
    /// How far above their hubs they look at least (m).
    least_rise: Real4,
    last: LastRoads,
    /// Which of them may have been put into their road: they were nowhere before, or look for it
    /// from afar.
    may_rise: Mask4,
}

/// The roads on which four wheels stood at the end of the frame before.
struct GroundBefore {
    /// Which of them can be led on.
    stands: Mask4,
    /// Which of those are still where they were seen.
    rests: Mask4,
    /// Which of all have been seen in this frame or the one before, or are as near as the patch of
    /// a tire is long.
    is_near: Mask4,
    /// The first look: 0 is where the wheels stand, 1 the first one ahead.
    begin: usize,
}

/// Roads that four wheels have met, look by look: perhaps where they stand, and then ahead.
type Met = ArrayVec<RoadContacts, { MAX_LOOKS + 1 }>;

impl RoadAheadView<'_> {
    /// Probes the road before every wheel for a frame of `dt` (s), and puts under it the plane that
    /// leads from where it stands to where it will be.
    pub fn update(self, dt: Real, context: &Context<'_>) {
        match context.notes {
            Some(notes) => self.lead(&mut notes.paths.borrow_mut(), dt, context),
            None => self.lead_alone(dt, context),
        }
    }

    /// Leads wheels that are not led on: nobody notes their ways.
    #[cold]
    fn lead_alone(self, dt: Real, context: &Context<'_>) {
        self.lead(&mut RoadPaths::default(), dt, context);
    }

    fn lead(self, all_paths: &mut RoadPaths, dt: Real, context: &Context<'_>) {
        let Self { geometry: view, contact, hubs, standing: all_standing, obstacles } = self;
        let meets = context.meets_obstacles();
        let all_obstacles: &mut [WheelObstacle] = if meets {
            obstacles.all_mut()
        } else {
            obstacles.forget();
            &mut []
        };
        let heading = view.rigid_body.direction(context.frame().longitudinal());
        let (body, center) = (view.rigid_body.splat::<Vec3x4>(), view.rigid_body.pose.translation);
        let wheel_count = view.axles.wheel_count();
        let finds_road = context.detail.finds_road;
        let gravity = context.params.gravity.length();
        let length_scale = context.params.coordinates.length_scale;
        for (four, roads) in view.roads.fours_mut().iter_mut().enumerate() {
            let first = four * MAX_LANES;
            let is_lost = view.wheels.four(four).is_detached;
            let rests = roads.lowered.is_at_most(Number::zero());
            let keeps = roads.road.is_there & rests & Lanes::from_lanes(|_| !finds_road);
            roads.forget_impulses();
            roads.lose(is_lost);
            let shape = *view.road_wheels.four(four);
            let suspension = view.suspension_params.four(four);
            let steer = *view.steer_angles.four(four);
            let steered = SteeredPose::new(suspension, steer, context.frame());
            context.note_steered(four, &steered);
            let mut travel = WheelTravel::of_body(suspension, &shape, &body, &steered.pose);
            let before_them = all_obstacles.get_mut(first..).unwrap_or_default();
            let (before_them, _) = before_them.split_at_mut(before_them.len().min(MAX_LANES));
            let is_any_at_obstacle = WheelObstacle::is_any_active(before_them);
            if is_any_at_obstacle {
                travel = travel.moved(WheelObstacle::shifts(before_them, heading));
            }
            let axle = match contact {
                ContactShape::Ray => Vector::zero(),
                ContactShape::Cylinder => travel.axle(context.frame()),
            };
            let touch = Touch { contact, direction: travel.direction, axle };
            let way = way_in_frame(&travel, &body, roads.road.velocity, dt);
            let (drop, across) = touch.split(way);
            let looks = Mask4::below(wheel_count - first) & !is_lost & !keeps;
            let standing = || all_standing.standing_jounce(four, gravity);
            let mut hubs = hubs.hubs(four);
            let is_anywhere = (hubs.is_known | !looks).all();
            if !is_anywhere {
                hubs.jounce = Number::select(hubs.is_known, hubs.jounce, standing());
            }
            let plane = roads.road.plane;
            let last = LastRoads {
                is_there: hubs.had_road & roads.road.is_there & touch.is_road(&plane),
                plane,
                lowered: roads.lowered,
                velocity: roads.road.velocity,
            };
            let least_rise = Number::zero();
            let mut ahead = FourLooks {
                first,
                looks,
                count: look_count(looks, across, length_scale),
                travel,
                drop,
                across,
                touch,
                shape,
                hubs,
                compliance: all_standing.compliance(four),
                least_rise,
                last,
                may_rise: !hubs.is_known,
            };
            if !is_anywhere {
                ahead.least_rise = ahead.rise_from_afar(!hubs.is_known, center);
            }
            let kinds = tire_kinds(view.wheel_params, first);
            let mut stood = ahead.ground_before(roads, dt, context);
            // Where a wheel is stopped, its last look was not where it is.
            if is_any_at_obstacle {
                stood.begin = 0;
            }
            let mut met = Met::new();
            if is_any_at_obstacle && ahead.stands_still() {
                ahead.look_once(kinds, &mut met, context);
            } else {
                ahead.look(stood.begin, kinds, &mut met, context);
            }
            let strays = ahead.strays(&met, roads.road.velocity, dt, length_scale);
            if strays.any() {
                stood.begin = 0;
                ahead.look(stood.begin, kinds, &mut met, context);
                ahead.stay(strays, &mut met);
            }
            let misses = ahead.misses(&met);
            if misses.any() {
                ahead.look_from_afar(misses, center, kinds, &mut met, context);
            }
            let paths = all_paths.four_mut(four);
            ahead.lead(&stood, standing, &mut met, roads, paths, (dt, context));
            if meets {
                let looks = (&met, stood.begin);
                ahead.meet(before_them, looks, paths, roads, kinds, (dt, context));
            }
        }
        if meets {
            obstacles.settle();
        }
    }
}

/// Ways of four wheels in a frame of `dt` (s), seen from grounds that move at `ground` (m/s) (m).
#[inline]
fn way_in_frame(
    travel: &WheelTravel<Vec3x4>,
    body: &RigidBodyState<Vec3x4>,
    ground: Vec3x4,
    dt: Real,
) -> Vec3x4 {
    (body.velocity_at(travel.pose.translation()) - ground) * Number::splat(dt)
}

/// How often wheels look that go `across` their travel (m), of which these look.
#[inline]
fn look_count(looks: Mask4, across: Vec3x4, length_scale: Real) -> usize {
    let ways = Number::select(looks, across.length(), Number::zero()).lanes();
    let longest = ways.into_iter().fold(0.0, Real::max);
    ((longest / (WAY_PER_LOOK * length_scale)) as usize).saturating_add(1).min(MAX_LOOKS)
}

impl FourLooks {
    /// Which of the `roads` that the wheels had are still under them in a frame of `dt` (s).
    #[inline]
    fn ground_before(&self, roads: &RoadContacts, dt: Real, context: &Context<'_>) -> GroundBefore {
        // A plane that has been kept for longer than a frame leads beyond what has been seen: a
        // chord that began on it would be steeper each time.
        let is_fresh = roads.age.is_at_most(Number::splat(FRESH * dt));
        let (way, time) = PATCH;
        let [way, time, dt]: [Real4; 3] = [way, time, dt].map(Number::splat);
        let is_below = (self.across.length() * roads.age).is_at_most(self.shape.radius * way * dt);
        let rests = roads.road.velocity.length_squared().is_equal(Number::zero())
            & self.last.lowered.is_at_most(Number::zero());
        let slope = -self.last.plane.normal.dot(self.touch.direction);
        let is_level = <Real4 as Number>::splat(LEVEL).is_at_most(slope);
        let may_be_gone = is_fresh & self.last.is_there & !rests & !is_level;
        let is_fresh = if may_be_gone.any() {
            let points = self.travel.pose.translation();
            let response = context.ground_responses(roads, points, may_be_gone);
            is_fresh & !<Real4 as Number>::zero().is_below(response)
        } else {
            is_fresh
        };
        let is_near = is_fresh | (is_below & roads.age.is_at_most(time));
        let stands = self.last.is_there & is_near;
        // Moving ground may have turned, or been pushed, since it was seen: where it is now, only a
        // look tells.
        let begin = usize::from(!(stands & !rests).any());
        GroundBefore { stands, rests: stands & rests, is_near, begin }
    }

    /// Looks for what the wheels meet, of these kinds of tires, from the look of this number on.
    fn look(
        &self,
        begin: usize,
        tire_kinds: [u32; MAX_LANES],
        met: &mut Met,
        context: &Context<'_>,
    ) {
        met.clear();
        let mut probes = ArrayVec::<_, { MAX_LOOKS + 1 }>::new();
        for look in begin..=self.count {
            let travel = self.travel_from_hub(look as Real / self.count as Real);
            probes.push(FourProbes { first: self.first, asks: self.looks, tire_kinds, travel });
            met.push(RoadContacts::default());
        }
        if self.looks.any() {
            context.road.probe_fours(&probes, met);
            for (hit, FourProbes { travel, .. }) in met.iter_mut().zip(&probes) {
                hit.road.is_there = hit.road.is_there & self.is_road(&hit.road.plane, travel);
            }
        }
    }

    /// Whether the ways of all wheels are so short that they see the same at both ends.
    fn stands_still(&self) -> bool {
        let most = self.shape.radius * <Real4 as Number>::splat(STILL);
        self.count == 1 && (self.across.length().is_at_most(most) | !self.looks).all()
    }

    /// Looks as [`look`](Self::look) does from where the wheels stand on, but once.
    fn look_once(&self, tire_kinds: [u32; MAX_LANES], met: &mut Met, context: &Context<'_>) {
        self.look(1, tire_kinds, met, context);
        if let Some(ahead) = met.first().copied() {
            met.push(ahead);
        }
    }

    /// The path of each wheel from its hub to full droop, at `part` of its way.
    ///
    /// ```text
    /// u = |v·u| dt + max(s, x, 0.25 R - h)
    /// ```
    ///
    /// is how far above the hub it begins: as much as the hub moves in a frame, and as the road may
    /// rise over the way `x` to the look. It is more if the hub is less than a quarter of the
    /// radius above its last road, at `h`, or has no road at all, `s`.
    #[inline]
    fn travel_from_hub(&self, part: Real) -> WheelTravel<Vec3x4> {
        // The road that wheels reach by dropping or rising until the end of the frame is in their
        // travel.
        let distance = self.travel.distance + self.drop.at_least(Number::zero());
        let shift = self.across * Number::splat(part);
        let hub = self.travel.distance - self.hubs.jounce;
        let WheelTravel { pose, direction, radius, .. } = self.travel;
        let center = pose.translation() + shift;
        let height = self.last.plane.distance(center + direction * hub) - self.last.lowered;
        let depth = radius * <Real4 as Number>::splat(LEAST_HEIGHT) - height;
        let depth = Number::select(self.last.is_there, depth, Number::zero());
        let way = shift.length().at_most(radius * <Real4 as Number>::splat(MOST_RISE));
        let rise = depth.at_least(way).at_least(self.least_rise) + self.drop.abs();
        let pose = RigidPose::new(center, pose.rotation());
        WheelTravel { pose, distance, ..self.travel }.below(hub - rise)
    }

    /// Whether wheels that look along `travel` can stand on `plane`: it is below where they look
    /// from, and neither a wall nor another road than the one before.
    #[inline]
    fn is_road(&self, plane: &Plane<Vec3x4>, travel: &WheelTravel<Vec3x4>) -> Mask4 {
        let rounding = travel.radius * <Real4 as Number>::splat(-ROUNDING);
        let is_below = rounding.is_at_most(plane.distance(travel.ray_start()));
        let last = self.last.plane.normal;
        let likeness: Real4 = Number::splat(LEAST_LIKENESS);
        let is_alike = likeness.is_below(plane.normal.dot(last));
        // The last plane may be the chord up a step, behind which the road is level again.
        let direction = travel.direction;
        let slope = -plane.normal.dot(direction);
        let is_flatter = likeness.is_below(slope) | (-last.dot(direction)).is_at_most(slope);
        self.touch.is_road(plane) & is_below & (is_alike | is_flatter | !self.last.is_there)
    }

    /// Which wheels have `met` a ground that does not move at the `expected` velocity (m/s). In a
    /// frame of `dt` (s), their way over it is another one than that along which they looked.
    #[inline]
    fn strays(&self, met: &Met, expected: Vec3x4, dt: Real, length_scale: Real) -> Mask4 {
        let most: Real4 = Number::splat(WAY_PER_LOOK * length_scale);
        met.iter().fold(Mask4::default(), |strays, hit| {
            let error = (hit.road.velocity - expected) * Number::splat(dt);
            strays | (hit.road.is_there & (most * most).is_below(error.length_squared()))
        })
    }

    /// Leaves wheels on what is under them as they stand, the first of what they have `met`: a
    /// platform that is moved away within a frame leads no car along.
    #[cold]
    fn stay(&mut self, stays: Mask4, met: &mut Met) {
        self.across = Vector::select(stays, Vector::zero(), self.across);
        if let Some((here, ahead)) = met.split_first_mut() {
            for hit in ahead {
                hit.take(here, stays);
            }
        }
    }

    /// The ways over the roads that the wheels have `met`, and what is under them at first.
    #[inline]
    fn lead(
        &self,
        stood: &GroundBefore,
        standing: impl Fn() -> Real4,
        met: &mut Met,
        roads: &mut RoadContacts,
        paths: &mut FourPaths,
        (dt, context): (Real, &Context<'_>),
    ) {
        let length_scale = context.params.coordinates.length_scale;
        let (here, ahead) = met.split_at((1 - stood.begin).min(met.len()));
        let or = |hit: &RoadLanes<Vec3x4>, other: Plane<Vec3x4>| Plane {
            normal: Vector::select(hit.is_there, hit.plane.normal, other.normal),
            offset: Number::select(hit.is_there, hit.plane.offset, other.offset),
        };
        let nearest =
            ahead.iter().rev().fold(Plane::default(), |nearest, hit| or(&hit.road, nearest));
        let now = here.iter().fold(nearest, |nearest, hit| {
            or(&RoadLanes { is_there: hit.road.is_there & stood.stands, ..hit.road }, nearest)
        });
        paths.looks = ahead.len();
        paths.has_stood = stood.stands;
        paths.start = self.travel.pose.translation();
        paths.across = self.across;
        paths.touch = self.touch;
        let rim = self.shape.radius * <Real4 as Number>::splat(RIM_DEPTH as Real);
        let below = self.travel.distance - rim;
        let [stiffness, damping] = self.compliance;
        paths.rims = Rims { below, drop: self.drop, push: rim * stiffness, damping };
        paths.is_softened = false;
        paths.planes[0] = or(&RoadLanes { is_there: stood.rests, ..roads.road }, now);
        paths.before = or(&RoadLanes { is_there: stood.stands, ..roads.road }, now);
        for (look, hit) in ahead.iter().enumerate() {
            paths.planes[look + 1] = or(&hit.road, paths.planes[look]);
        }
        let is_found = self.take_last(ahead, roads, dt);
        let is_new = is_found & !stood.stands & (self.may_rise | !self.last.is_there);
        let is_lowered = is_found & <Real4 as Number>::zero().is_below(self.last.lowered);
        let lowered = if (is_new | is_lowered).any() {
            self.lowering(is_found, is_new, &paths.planes[0], standing)
        } else {
            Number::zero()
        };
        let is_lowered = <Real4 as Number>::zero().is_below(lowered);
        paths.rises = is_lowered;
        if is_lowered.any() {
            paths.lower(lowered);
        }
        let found_normal = roads.road.plane.normal;
        let (chord, is_steady) =
            match paths.straight(&self.shape, self.hubs.jounce, is_found, length_scale) {
                Some(plane) => (plane, is_found),
                None => {
                    paths.touch_roads(&self.shape, length_scale);
                    let parts = [0.0, 1.0 / ahead.len() as Real];
                    paths.is_there = is_found;
                    let (before, time) = (paths.before, dt * parts[1]);
                    paths.soft_chord(&self.shape, &before, &self.hubs, parts, time, length_scale)
                }
            };
        paths.is_there = is_found & is_steady;
        let here = &mut roads.road.plane;
        here.normal = Vector::select(is_found, chord.normal, here.normal);
        here.offset = Number::select(is_found, chord.offset, here.offset);
        let is_lost = (is_found & !is_steady) | (self.looks & !is_found & !stood.is_near);
        let stays = stood.stands & !is_found & <Real4 as Number>::zero().is_below(roads.lowered);
        if stays.any() {
            // A lowered road that its wheel does not find now waits, without a velocity.
            roads.road.velocity = Vector::select(stays, Vector::zero(), roads.road.velocity);
        }
        if is_lowered.any() {
            self.raise(roads, found_normal, (lowered, is_lowered), dt, length_scale);
        }
        roads.lose(is_lost);
    }

    /// Takes for each wheel the last road that it has `met`. Returns which wheels have met one.
    #[inline]
    fn take_last(&self, met: &[RoadContacts], roads: &mut RoadContacts, dt: Real) -> Mask4 {
        let mut is_found = Mask4::default();
        for (look, hit) in met.iter().enumerate().rev() {
            let is_last = hit.road.is_there & self.looks & !is_found;
            if !is_last.any() {
                continue;
            }
            roads.take(hit, is_last);
            // A road that ends on the way is that of this frame alone.
            let age = if look + 1 == met.len() { 0.0 } else { dt };
            roads.age = Number::select(is_last, Number::splat(age), roads.age);
            is_found = is_found | is_last;
        }
        is_found
    }
}
