//! The road before wheels with mass: they look where they will be at the end of the frame, and where the way
//! to there is long, also between.

use arrayvec::ArrayVec;

use super::{RoadGeometryView, tire_kinds};
use crate::Context;
use crate::body::RigidBodyState;
use crate::math::Real;
use crate::math::lanes::{Lanes, MAX_LANES, Mask, Mask4, Number, Real4, RigidPose, Vec3x4, Vector};
use crate::mount::{SteeredPose, WheelContact, WheelShape, WheelTravel};
use crate::plane::Plane;
use crate::road::{FourPaths, FourProbes, MAX_LOOKS, RoadContacts, RoadLanes, RoadPaths, Touch};

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
    /// Which wheels have had a road at the end of the frame before: a bit for each, that of the first one lowest.
    pub had_road: u64,
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

/// The roads on which four wheels stood at the end of the frame before.
struct GroundBefore {
    /// Which of them can be led on.
    stands: Mask4,
    /// Which of those are still where they were seen.
    rests: Mask4,
    /// Which of all have been seen in this frame or the one before.
    is_fresh: Mask4,
    /// The first look: 0 is where the wheels stand, 1 the first one ahead.
    begin: usize,
}

/// What four wheels have met, look by look: perhaps where they stand, and then ahead.
type Met = ArrayVec<RoadContacts, { MAX_LOOKS + 1 }>;

impl RoadAheadView<'_> {
    /// Probes the road before every wheel for a frame of `dt` (s), and puts under it the plane that leads from
    /// where it stands to where it will be.
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
        let Self { geometry: view, contact, had_road } = self;
        let body = view.rigid_body.splat::<Vec3x4>();
        let wheel_count = view.axles.wheel_count();
        let finds_road = context.detail.finds_road;
        for (four, roads) in view.roads.fours_mut().iter_mut().enumerate() {
            let first = four * MAX_LANES;
            let is_lost = view.wheels.four(four).is_detached;
            let keeps = roads.road.is_there & Lanes::from_lanes(|_| !finds_road);
            roads.forget_impulses();
            roads.lose(is_lost);
            let shape = *view.shapes.four(four);
            let suspension = view.suspension_params.four(four);
            let steer = *view.steer_angles.four(four);
            let steered = SteeredPose::new(suspension, steer, context.frame());
            context.note_steered(four, &steered);
            let travel = WheelTravel::of_body(suspension, &shape, &body, &steered.pose);
            let axle = match contact {
                WheelContact::Ray => Vector::zero(),
                WheelContact::Cylinder => travel.axle(context.frame()),
            };
            let touch = Touch { contact, direction: travel.direction, axle };
            let way = way_in_frame(&travel, &body, roads.road.velocity, dt);
            let (drop, across) = touch.split(way);
            let looks = Mask4::below(wheel_count - first) & !is_lost & !keeps;
            let mut ahead = FourLooks { first, looks, travel, drop, across, touch, shape };
            let kinds = tire_kinds(view.wheel_params, first);
            let had_road = Mask4::from_bits(had_road >> first) & roads.road.is_there;
            let mut stood = ahead.ground_before(had_road, roads, dt);
            let mut met = Met::new();
            ahead.look(stood.begin, kinds, &mut met, context);
            let length_scale = context.params.coordinates.length_scale;
            let strays = ahead.strays(&met, roads.road.velocity, dt, length_scale);
            if strays.any() {
                stood.begin = 0;
                ahead.look(stood.begin, kinds, &mut met, context);
                ahead.stay(strays, &mut met);
            }
            ahead.lead(&stood, &mut met, roads, all_paths.four_mut(four), dt, length_scale);
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

impl FourLooks {
    /// How often the wheels look.
    #[inline]
    fn count(&self, length_scale: Real) -> usize {
        let ways = Number::select(self.looks, self.across.length(), Number::zero()).lanes();
        let longest = ways.into_iter().fold(0.0, Real::max);
        ((longest / (WAY_PER_LOOK * length_scale)) as usize).saturating_add(1).min(MAX_LOOKS)
    }

    /// Which of the `roads` that the wheels had are still under them in a frame of `dt` (s).
    #[inline]
    fn ground_before(&self, had_road: Mask4, roads: &RoadContacts, dt: Real) -> GroundBefore {
        // A plane that has been kept for longer than a frame leads beyond what has been seen: a chord that began on it would
        // be steeper each time.
        let is_fresh = roads.age.is_at_most(Number::splat(FRESH * dt));
        let stands = had_road & is_fresh & self.touch.is_road(&roads.road.plane);
        let rests = roads.road.velocity.length_squared().is_equal(Number::zero());
        // Moving ground may have turned, or been pushed, since it was seen: where it is now, only a look tells.
        let begin = usize::from(!(stands & !rests).any());
        GroundBefore { stands, rests: stands & rests, is_fresh, begin }
    }

    /// Looks for what the wheels meet, of these kinds of tires, from the look of this number on.
    #[inline]
    fn look(
        &self,
        begin: usize,
        tire_kinds: [u32; MAX_LANES],
        met: &mut Met,
        context: &Context<'_>,
    ) {
        met.clear();
        let count = self.count(context.params.coordinates.length_scale);
        // What the wheels will reach as they drop or rise by the end of the frame is in their travel.
        let distance = self.travel.distance + self.drop.abs();
        let rise = self.touch.direction * self.drop.at_most(Number::zero());
        let mut probes = ArrayVec::<_, { MAX_LOOKS + 1 }>::new();
        for look in begin..=count {
            let part = look as Real / count as Real;
            let shift = self.across * Number::splat(part) + rise;
            let WheelTravel { pose, .. } = self.travel;
            let pose = RigidPose::new(pose.translation() + shift, pose.rotation());
            let travel = WheelTravel { pose, distance, ..self.travel };
            probes.push(FourProbes { first: self.first, asks: self.looks, tire_kinds, travel });
            met.push(RoadContacts::default());
        }
        if self.looks.any() {
            context.road.probe_fours(&probes, met);
        }
    }

    /// Which wheels have `met` a ground that does not move at the `expected` velocity (m/s): in a frame of `dt` (s),
    /// their way over it is another one than that along which they looked.
    #[inline]
    fn strays(&self, met: &Met, expected: Vec3x4, dt: Real, length_scale: Real) -> Mask4 {
        let most: Real4 = Number::splat(WAY_PER_LOOK * length_scale);
        met.iter().fold(Mask4::default(), |strays, hit| {
            let error = (hit.road.velocity - expected) * Number::splat(dt);
            strays | (hit.road.is_there & (most * most).is_below(error.length_squared()))
        })
    }

    /// Leaves wheels on what is under them as they stand, the first of what they have `met`: a platform that is moved
    /// away within a frame leads no car along.
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
        met: &mut Met,
        roads: &mut RoadContacts,
        paths: &mut FourPaths,
        dt: Real,
        length_scale: Real,
    ) {
        for hit in &mut *met {
            hit.road.is_there = hit.road.is_there & self.touch.is_road(&hit.road.plane);
        }
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
        paths.planes[0] = or(&RoadLanes { is_there: stood.rests, ..roads.road }, now);
        for (look, hit) in ahead.iter().enumerate() {
            paths.planes[look + 1] = or(&hit.road, paths.planes[look]);
        }
        let is_found = self.take_last(ahead, roads, dt);
        let (chord, is_steady) = match paths.straight(&self.shape, is_found, length_scale) {
            Some(plane) => (plane, is_found),
            None => {
                paths.touch_roads(&self.shape, length_scale);
                paths.chord(&self.shape, [0.0, 1.0 / ahead.len() as Real], length_scale)
            }
        };
        paths.is_there = is_found & is_steady;
        let here = &mut roads.road.plane;
        here.normal = Vector::select(is_found, chord.normal, here.normal);
        here.offset = Number::select(is_found, chord.offset, here.offset);
        let is_lost = (is_found & !is_steady) | (self.looks & !is_found & !stood.is_fresh);
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
