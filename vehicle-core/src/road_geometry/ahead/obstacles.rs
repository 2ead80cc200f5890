//! What stands in front of wheels with mass, frame by frame.
//!
//! Each wheel is swept along its way over the ground as a disk, a little smaller than it is. What
//! it meets first is remembered until the wheel has left it, whatever way it goes: a wheel that is
//! thrown back gets the energy of its spring back.

use super::{FourLooks, Met};
use crate::Context;
use crate::math::lanes::{Lanes, MAX_LANES};
use crate::math::{Real, Vec3, normalize_or_zero};
use crate::plane::Plane;
use crate::road::{
    EDGE_HEIGHT, EdgeKind, FourPaths, LookPair, Obstacle, ObstacleFace, ObstacleProbe,
    RoadContacts, WheelObstacle, road_like,
};

/// How far beyond its way a wheel looks, in radii (dimensionless).
const FARTHER: Real = 0.25;
/// How far behind it a sweep begins, in radii (dimensionless), beside twice the depth in the
/// obstacle of before.
const BEHIND: Real = 0.02;
/// Speed over the ground below which a wheel looks towards the obstacle that it knows (m/s).
const SLOW: Real = 0.2;
/// Speed over the ground below which a wheel has no way (m/s).
const STANDING: Real = 1e-3;
/// How far from an edge a wheel has left it, in radii (dimensionless).
const LEFT: Real = 0.02;
/// How far around its hub a wheel looks for what may come to it, in radii (dimensionless).
const COMING: Real = 1.4;
/// How far below the road the edge is looked for over which a wheel rolls down, in radii
/// (dimensionless).
const BELOW_EDGE: Real = 0.01;

/// Cosine of the angle to the axle within which the side of a wheel has met something
/// (dimensionless).
const SIDE: Real = 0.5;
/// Cosine of the angles of what a vehicle lies on to its axles and to the vertical (dimensionless).
const LYING: Real = 0.7;
/// How far behind a face its top is looked for, in radii (dimensionless).
const INSIDE: Real = 0.02;
/// How far behind a face a hub may come in an impact, in radii (dimensionless): farther away, the
/// wheel has been put elsewhere.
const THROUGH: Real = 1.0;
/// How fast a wheel and something that gives way, which are found in each other, are pushed apart,
/// in radii (1/s).
const RECOVERY: Real = 0.5;
/// How far below the hub rays look whether a face is still there, in radii (dimensionless): some
/// are lower than the hub.
const LOOKS_DOWN: [Real; 3] = [0.0, 0.4, 0.75];

/// Whether the body of `obstacle` gives way to a wheel.
fn gives_way(obstacle: &Obstacle, context: &Context<'_>) -> bool {
    context.road.obstacle_response(obstacle) != [Vec3::ZERO; 3]
}

/// A wheel that looks for what stands in front of it.
struct Looker {
    wheel: usize,
    radius: Real,
    /// Where the hub is (m).
    hub: Vec3,
    /// Way of the wheel in the frame over the ground (m).
    way: Vec3,
    /// The road below it.
    road: Option<Plane>,
    /// Normal of the road.
    normal: Vec3,
    /// Velocity of the road (m/s), and the step (s).
    ground: Vec3,
    dt: Real,
    /// How far it is to be lifted to stand on the road (m).
    lift: Real,
}

impl Looker {
    /// How deep the wheel is in `obstacle` at a place of its hub (m).
    fn depth_at(&self, obstacle: &Obstacle, hub: Vec3) -> Real {
        let from = hub - obstacle.point;
        let distance = if obstacle.is_edge { from.length() } else { obstacle.normal.dot(from) };
        self.radius - distance
    }

    /// The largest depth within the frame (m).
    fn depth(&self, obstacle: &Obstacle) -> Real {
        let way = self.way_past(obstacle.velocity);
        let at = |part: Real| self.depth_at(obstacle, self.hub + way * part);
        at(0.0).max(at(0.5)).max(at(1.0))
    }

    /// The deeper one of two obstacles; the first if they are alike.
    fn deeper(&self, one: Option<Obstacle>, other: Option<Obstacle>) -> Option<Obstacle> {
        match (one, other) {
            (Some(one), Some(other)) if self.depth(&one) < self.depth(&other) => Some(other),
            (one, other) => one.or(other),
        }
    }

    /// What the side of the wheel has `met` in the sweep of `probe`, as high as that is.
    ///
    /// A sweep tells which face the side of a wheel meets, and nothing of where that ends: a low
    /// kerb would be a wall. A ray down behind the face finds the height `h` of its top. There is
    /// an edge, where the wheel as a sphere of the radius `R` just touches it:
    ///
    /// ```text
    /// e = √(h (2 R - h))
    /// ```
    ///
    /// from the hub. So a wheel that is pushed over a kerb sideways rolls over it as one that is
    /// driven there. It is pushed up as well as back, and its side does not meet the kerb for good.
    ///
    /// The face itself is no top: it goes on below the wheels of a vehicle that lies on its side.
    fn as_high_as_it_is(
        &self,
        met: Obstacle,
        probe: &ObstacleProbe,
        context: &Context<'_>,
    ) -> Obstacle {
        let cosine = met.normal.dot(probe.axle).abs();
        let out = normalize_or_zero(self.over_road(met.normal));
        if cosine < SIDE || out == Vec3::ZERO {
            return met;
        }
        let center = met.point + met.normal * probe.radius;
        let along = out.dot(probe.axle).abs().min(1.0);
        let turned = (1.0 - along * along).sqrt();
        let to_top = |part: Real| {
            let to_face = probe.half_width * along + part * self.radius * turned;
            let from = center - out * (to_face + INSIDE * self.radius);
            let found =
                context.road.face_between(self.wheel, from, from - self.normal * self.radius);
            let likeness = |face: &ObstacleFace, normal: Vec3| face.normal.dot(normal).abs();
            found.filter(|face| likeness(face, met.normal) < likeness(face, self.normal))
        };
        let low = EDGE_HEIGHT * self.radius;
        let top = [0.0, 0.5, 1.0].into_iter().find_map(|part| {
            let top = to_top(part)?.point;
            let height = self.height_of(top, center);
            (low < height && height < self.radius).then_some((top, height))
        });
        let Some((top, height)) = top else { return met };
        let reach = (height * (2.0 * self.radius - height)).sqrt();
        let to_face = probe.half_width * along + reach * turned;
        let beside = center - out * reach.max(to_face);
        let point = beside + self.normal * self.normal.dot(top - beside);
        Obstacle { point, normal: normalize_or_zero(center - point), is_edge: true, ..met }
    }

    /// Whether the vehicle lies on what its wheel, on an `axle` along this unit vector, has met
    /// with its side. That is left to the hull: tires and hull would bear the vehicle in turn, and
    /// it would never come to rest.
    fn lies_on(&self, met: &Obstacle, axle: Vec3, context: &Context<'_>) -> bool {
        let up = normalize_or_zero(-context.params.gravity);
        self.road.is_none() && LYING <= met.normal.dot(up) && LYING <= met.normal.dot(axle).abs()
    }

    /// How high a `place` is above the road, or above the bottom of a wheel in the air whose center
    /// is at `center` (m).
    fn height_of(&self, place: Vec3, center: Vec3) -> Real {
        self.road.map_or_else(
            || self.normal.dot(place - center) + self.radius,
            |road| road.distance(place),
        )
    }

    /// Whether the wheel may still be at an `obstacle` that it knows. A plane has no end: a wheel
    /// that was put far behind it is not in it.
    fn may_be_at(&self, obstacle: &Obstacle) -> bool {
        let way = self.way_past(obstacle.velocity).length();
        self.depth_at(obstacle, self.hub) <= self.radius + way.max(THROUGH * self.radius)
    }

    /// Whether the wheel is still where it has met a `face` that gives way. A plane has no end, but
    /// a stone that rolls by turns its faces, and goes on.
    fn is_still_before(&self, face: &Obstacle) -> bool {
        let from = self.hub - face.point;
        let along = from - face.normal * face.normal.dot(from);
        along.length() <= self.radius + self.way_past(face.velocity).length()
    }

    /// What the wheel has `found` that gives way, no deeper in the wheel than it can have come.
    ///
    /// ```text
    /// δ ≤ max(0, δ_known) + max(0, -n·w) + 0.5 R dt
    /// ```
    ///
    /// with the depth `δ_known` in what the wheel `knows` of the same body, and the way `w` past it
    /// in the frame. A crate that was put into a wheel would leave it as from a gun, for its spring
    /// would have got its energy from nowhere.
    fn no_deeper_than_it_came(&self, found: Obstacle, knows: Option<&Obstacle>) -> Obstacle {
        let out = found.way_out(self.hub);
        let known = knows.filter(|known| known.ground == found.ground);
        let before = known.map_or(0.0, |known| self.depth_at(known, self.hub).max(0.0));
        let closing = (-out.dot(self.way_past(found.velocity))).max(0.0);
        let most = before + closing + RECOVERY * self.radius * self.dt;
        let too_deep = (self.depth_at(&found, self.hub) - most).max(0.0);
        Obstacle { point: found.point - out * too_deep, ..found }
    }

    /// Whether a `face` that the wheel knows, and that its own sweep has not met, is still there.
    ///
    /// A wall that does not give way can be lowered or opened. So a ray must meet it where a slow
    /// wheel pushes against it: that one has looked towards the face. A faster wheel has looked
    /// along its way.
    fn is_still_there(&self, face: &Obstacle, context: &Context<'_>) -> bool {
        let speed = self.over_road(self.way).length() / self.dt;
        let is_slow = speed < SLOW * context.params.coordinates.length_scale;
        if gives_way(face, context) {
            return self.is_still_before(face);
        }
        let out = normalize_or_zero(self.over_road(face.normal));
        if !is_slow || out == Vec3::ZERO {
            return true;
        }
        // From before the plane to where that is at most.
        let depth = self.depth_at(face, self.hub).max(0.0);
        let reach = self.radius / out.dot(face.normal);
        let along_road = LOOKS_DOWN.map(|part| (out, reach, self.normal * (part * self.radius)));
        let across = (face.normal, self.radius, Vec3::ZERO);
        along_road.into_iter().chain([across]).any(|(out, reach, down)| {
            let hub = self.hub - down;
            let met = context.road.face_between(self.wheel, hub + out * depth, hub - out * reach);
            met.is_some_and(|met| met.normal.dot(self.normal).abs() <= road_like(true))
        })
    }

    /// Along the road, without the part along its normal.
    fn over_road(&self, vector: Vec3) -> Vec3 {
        vector - self.normal * self.normal.dot(vector)
    }

    /// Way of the wheel past something that moves at `velocity` (m/s) (m).
    fn way_past(&self, velocity: Vec3) -> Vec3 {
        self.way - (velocity - self.ground) * self.dt
    }

    /// Unit vector along which it looks on its `way` (m), if that leads anywhere or it `knows` an
    /// obstacle.
    fn direction(&self, way: Vec3, knows: Option<&Obstacle>, length_scale: Real) -> Option<Vec3> {
        let way = self.over_road(way);
        let speed = way.length() / self.dt;
        let towards = |obstacle: &Obstacle| {
            let normal =
                if obstacle.is_edge { obstacle.point - self.hub } else { -obstacle.normal };
            normalize_or_zero(self.over_road(normal))
        };
        let direction = match knows {
            Some(obstacle) if speed < SLOW * length_scale => towards(obstacle),
            _ if speed < STANDING * length_scale => return None,
            _ => normalize_or_zero(way),
        };
        (direction != Vec3::ZERO).then_some(direction)
    }
}

impl FourLooks {
    /// Finds what stands in front of the wheels in a frame of `dt` (s). They are those that have
    /// `met` their roads from the look `begin` on, with tires of these kinds. Wheels at an obstacle
    /// get the road that is below them now.
    pub(super) fn meet(
        &self,
        obstacles: &mut [WheelObstacle],
        (met, begin): (&Met, usize),
        paths: &mut FourPaths,
        roads: &mut RoadContacts,
        tire_kinds: [u32; MAX_LANES],
        (dt, context): (Real, &Context<'_>),
    ) {
        let is_active = WheelObstacle::is_any_active(obstacles);
        if !is_active && met.iter().all(|hit| hit.is_alone) {
            return;
        }
        let is_still = met.iter().all(|hit| hit.is_still);
        for (lane, state) in obstacles.iter_mut().enumerate() {
            state.impulse = Vec3::ZERO;
            // A wheel that does not look stays at what it knows.
            if !context.detail.finds_road && !self.looks.lane(lane) {
                continue;
            }
            let looks = self.looks.lane(lane) && self.hubs.is_known.lane(lane);
            if !looks || 0.0 < roads.lowered.lane(lane) {
                *state = WheelObstacle::default();
                continue;
            }
            let here = met.first().filter(|_| begin == 0).and_then(|hit| hit.lane(lane));
            if let Some(here) = here.filter(|_| state.is_active()) {
                paths.planes[0].set_lane(lane, here.plane);
            }
            state.obstacle = state.obstacle.and_then(|it| context.road.obstacle_now(&it));
            let looker = self.looker(lane, &paths.planes[0].lane(lane), (dt, context));
            let found =
                self.obstacle_of(lane, &looker, state, (tire_kinds[lane], is_still), context);
            let kept = found.or_else(|| self.edge_down(lane, (met, roads), paths, context));
            state.obstacle = kept;
            if state.is_active() {
                let last = met.iter().rev().find_map(|hit| hit.lane(lane));
                if let Some(road) = here.or(last) {
                    roads.set_lane(lane, Some(road));
                }
            }
        }
    }

    fn obstacle_of(
        &self,
        lane: usize,
        looker: &Looker,
        state: &WheelObstacle,
        (tire_kind, is_still): (u32, bool),
        context: &Context<'_>,
    ) -> Option<Obstacle> {
        let known = state.obstacle.as_ref().filter(|known| looker.may_be_at(known));
        let sweep = |way: Vec3, known: Option<&Obstacle>| {
            let probe = self.probe(lane, looker, (way, known), tire_kind, context)?;
            let met = context.road.obstacle(&probe)?;
            let is_steep = met.is_edge || met.normal.dot(looker.normal) <= probe.road_like;
            let is_met = is_steep && !looker.lies_on(&met, probe.axle, context);
            is_met.then(|| looker.as_high_as_it_is(met, &probe, context))
        };
        let own = sweep(looker.way, known);
        let coming = if is_still {
            None
        } else {
            let reach = COMING * looker.radius;
            let velocity = context.road.approaching(looker.wheel, looker.hub, reach);
            velocity.and_then(|velocity| sweep(looker.way_past(velocity), None))
        };
        let met = looker.deeper(own, coming);
        let kept = known.filter(|known| {
            let depth = looker.depth(known);
            if known.is_edge {
                return -LEFT * looker.radius < depth;
            }
            // What a car that lies on its side takes for a wall is road when it stands again.
            let is_steep = known.normal.dot(looker.normal).abs() <= road_like(true);
            let axle = || self.travel.lane(lane).axle(context.frame());
            0.0 < depth
                && met.is_none()
                && is_steep
                && !looker.lies_on(known, axle(), context)
                && looker.is_still_there(known, context)
        });
        let found = looker.deeper(kept.copied(), met)?;
        let gives_way = gives_way(&found, context);
        Some(if gives_way { looker.no_deeper_than_it_came(found, known) } else { found })
    }

    /// The sweep of a wheel along its `way` (m), beside an obstacle that it may know.
    fn probe(
        &self,
        lane: usize,
        looker: &Looker,
        (way, known): (Vec3, Option<&Obstacle>),
        tire_kind: u32,
        context: &Context<'_>,
    ) -> Option<ObstacleProbe> {
        let travel = self.travel.lane(lane);
        let length_scale = context.params.coordinates.length_scale;
        let direction = looker.direction(way, known, length_scale)?;
        let depth = known.map_or(0.0, |known| looker.depth_at(known, looker.hub).max(0.0));
        let clear = EDGE_HEIGHT * looker.radius;
        let behind = BEHIND * looker.radius + 2.0 * depth;
        Some(ObstacleProbe {
            wheel: looker.wheel,
            tire_kind,
            start: looker.hub + looker.normal * looker.lift - direction * behind,
            direction,
            length: behind + looker.over_road(way).length() + FARTHER * looker.radius,
            axle: travel.axle(context.frame()),
            radius: looker.radius - clear,
            half_width: travel.half_width,
            shoulder_radius: travel.shoulder_radius.min(looker.radius - clear),
            road_normal: looker.normal,
            road_like: road_like(known.is_some()),
        })
    }

    fn looker(&self, lane: usize, road: &Plane, (dt, context): (Real, &Context<'_>)) -> Looker {
        let travel = self.travel.lane(lane);
        let direction = travel.direction;
        let jounce = self.hubs.jounce.lane(lane);
        let hub = travel.pose.translation + direction * (travel.distance - jounce);
        let has_road = road.normal != Vec3::ZERO;
        let normal = if has_road { road.normal } else { -direction };
        let reach = travel.reach(context.frame(), normal);
        let lift = if has_road { (reach - road.distance(hub)).max(0.0) } else { 0.0 };
        let drop = direction * self.drop.lane(lane);
        Looker {
            wheel: self.first + lane,
            radius: travel.radius,
            hub,
            way: self.across.lane(lane) + drop,
            road: has_road.then_some(*road),
            normal,
            ground: self.last.velocity.lane(lane),
            dt,
            lift,
        }
    }

    /// The edge over which a wheel rolls down within the frame, if two of its looks are on both
    /// sides of it.
    fn edge_down(
        &self,
        lane: usize,
        (met, roads): (&Met, &RoadContacts),
        paths: &FourPaths,
        context: &Context<'_>,
    ) -> Option<Obstacle> {
        let radius = self.shape.radius.lane(lane);
        let mut pairs = (0..paths.looks).map(|look| paths.pair(look, lane, &self.shape));
        let LookPair { planes: [before, _], centers, .. } =
            pairs.find(|pair| pair.edge(radius) == Some(EdgeKind::Down))?;
        let below = |center: Vec3| {
            let above = before.distance(center) + BELOW_EDGE * radius;
            center - before.normal * above
        };
        let [to, from] = centers.map(below);
        let face = context.road.face_between(self.first + lane, from, to)?;
        // The far side of a bump is a ramp, and its top no edge. A mesh may be met from below.
        if road_like(false) < face.normal.dot(before.normal).abs() {
            return None;
        }
        let road = met.iter().find_map(|hit| hit.lane(lane)).or(roads.lane(lane))?;
        Some(Obstacle {
            point: face.point + before.normal * (BELOW_EDGE * radius),
            normal: before.normal,
            is_edge: true,
            friction: road.friction,
            velocity: road.velocity,
            ground: road.ground,
            pose: context.road.ground_pose(road.ground).unwrap_or_default(),
        })
    }
}
