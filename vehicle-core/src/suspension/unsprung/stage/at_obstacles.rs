//! The part of the stage that is for wheels at obstacles.

use arrayvec::ArrayVec;

use super::{RideBody, RideSolution, RideWheel, UnsprungView, vector};
use crate::Context;
use crate::body::WheelInertia;
use crate::math::lanes::{Lanes, MAX_LANES, Mask4, Real4, Vec3x4, each_lane};
use crate::math::{Axes, Real, Vec3};
use crate::plane::Plane;
use crate::road::{MAX_PIECES, Obstacle, RoadStretches, WheelObstacle};
use crate::suspension::unsprung::obstacle::give::{Matrix3, added_damping, no_response, product};
use crate::suspension::unsprung::obstacle::hub::{
    Bush, BushRows, HubsAtObstacles, MAX_HUBS, Rubbing,
};
use crate::suspension::unsprung::obstacle::law::TireBody;
use crate::suspension::unsprung::obstacle::push::{PressedTire, Push, Stretch, Surroundings};
use crate::suspension::unsprung::obstacle::system::{FourHubs, Hubs};
use crate::suspension::unsprung::scalar::{Scalar, Vector3};
use crate::suspension::unsprung::spatial::{Spatial, Symmetric6};
use crate::wheel_list::Fours;

/// Shift (m) and its rate (m/s) below which a wheel is where its suspension holds it.
const AT_REST: [Real; 2] = [1e-3, 0.05];

/// Most that the masses which bushes leave free take of body and wheels (dimensionless).
const MOST_TAKEN: Real = 0.9;

#[inline]
fn splat(vector: Vec3) -> Vector3<Real4> {
    Vector3(vector.to_array().map(<Real4 as Scalar>::splat))
}

#[inline]
fn lane_of(vector: &Vector3<Real4>, lane: usize) -> Vec3 {
    Vec3::from_array(vector.0.map(|row| Lanes::lane(&row, lane)))
}

/// A number of each lane.
#[inline]
fn numbers(number: impl FnMut(usize) -> Real) -> Real4 {
    <Real4 as Scalar>::from_lanes(number)
}

/// A vector of each lane.
#[inline]
fn vectors(of: impl FnMut(usize) -> Vec3) -> Vector3<Real4> {
    vector(Vec3x4::from_lanes(of))
}

/// `normal · point` in double precision: far from the origin, a plane is far from it.
#[inline]
fn along(normal: Vec3, point: Vec3) -> f64 {
    normal.as_dvec3().dot(point.as_dvec3())
}

/// Four wheels some of which are at obstacles, before their equations are found.
struct Candidates {
    group: usize,
    are_there: Mask4,
    /// What is in front of each; of those that are not there, what one of the others has.
    states: [WheelObstacle; MAX_LANES],
    /// From the center of mass to the hubs (m).
    arm: Vector3<Real4>,
    /// The lines of the bushes.
    line: Spatial<Real4>,
}

/// The part of the masses of wheels at obstacles that their bushes may leave free along the vehicle
/// (dimensionless).
///
/// ```text
/// β = min(1, 0.9 / Σ m J_fᵀ (Mass - Σ m J Jᵀ)⁻¹ J_f)
/// ```
///
/// with the lines `J` of the wheels' travels and `J_f` of the bushes. Where wheels outweigh the
/// body, as those of a model car on wheels of a tractor, less than nothing would be left of it, and
/// the bushes would run away. It is 1 in vehicles of usual sizes.
fn free_share(
    wheels: &[RideWheel<'_, Real4>],
    ride: &RideBody<Real>,
    candidates: &[Candidates],
) -> Real {
    let mut left = Symmetric6::of_mass(&ride.mass);
    for wheel in wheels {
        let path = Spatial::at(&wheel.center_arm, &wheel.path).where_true(wheel.is_there);
        left.add_product(&(path * -wheel.mass), &path);
    }
    let factors = left.factors();
    let mut taken = 0.0;
    for Candidates { group, are_there, line, .. } in candidates {
        for lane in (0..MAX_LANES).filter(|&lane| are_there.lane(lane)) {
            let line = Spatial::from_array(line.to_array().map(|it| Lanes::lane(&it, lane)));
            taken += Lanes::lane(&wheels[*group].mass, lane) * line.dot(&factors.solve(&line));
        }
    }
    (MOST_TAKEN / taken).min(1.0)
}

impl UnsprungView<'_> {
    /// Finds the hubs at obstacles of `wheels`, which leave their roads to them.
    #[cold]
    #[inline(never)]
    pub(super) fn hubs_at_obstacles(
        &self,
        wheels: &mut Fours<RideWheel<'_, Real4>>,
        ride: &RideBody<Real>,
        hubs: &mut Hubs,
        context: &Context<'_>,
    ) {
        let forward = self.suspension.rigid_body.direction(context.frame().longitudinal());
        let mut candidates = ArrayVec::<Candidates, MAX_HUBS>::new();
        let mut room = MAX_HUBS;
        for (group, wheel) in wheels.iter().enumerate() {
            let found = self.candidates(group, wheel, splat(forward), &mut room);
            candidates.extend(found);
        }
        if candidates.is_empty() {
            return;
        }
        let share = free_share(wheels, ride, &candidates);
        for candidate in &candidates {
            let wheel = &mut wheels[candidate.group];
            hubs.push(self.hubs(candidate, (share, forward), wheel, ride, context));
            wheel.has_road = wheel.has_road & !candidate.are_there;
        }
    }

    /// Those of a `group` of wheels that are at obstacles, if there is `room` for them.
    fn candidates(
        &self,
        group: usize,
        wheel: &RideWheel<'_, Real4>,
        forward: Vector3<Real4>,
        room: &mut usize,
    ) -> Option<Candidates> {
        let states = self.obstacles.get(group * MAX_LANES..)?;
        let mut are_there = Mask4::default();
        let mut first = None;
        for (lane, state) in states.iter().enumerate().take(MAX_LANES) {
            if state.is_active() && wheel.is_there.lane(lane) && 0 < *room {
                *room -= 1;
                are_there.set_lane(lane, true);
                first = first.or(Some(lane));
            }
        }
        let first = first?;
        let states = each_lane(|lane| states[if are_there.lane(lane) { lane } else { first }]);
        let shift = numbers(|lane| states[lane].shift);
        let arm = (wheel.center_arm + forward * shift).where_true(are_there);
        let line = Spatial::at(&arm, &forward);
        Some(Candidates { group, are_there, states, arm, line })
    }

    /// Hubs at obstacles, of whose masses the bushes leave a `share` free along the vehicle.
    fn hubs(
        &self,
        &Candidates { group, are_there, ref states, arm, ref line }: &Candidates,
        (share, forward): (Real, Vec3),
        wheel: &RideWheel<'_, Real4>,
        ride: &RideBody<Real>,
        context: &Context<'_>,
    ) -> FourHubs {
        let (zero, dt) = (Real4::default(), <Real4 as Scalar>::splat(ride.dt));
        let body = self.suspension.rigid_body;
        let forward = splat(forward);
        let free = wheel.mass * <Real4 as Scalar>::splat(share);
        let stiffness = wheel.tire.stiffness;
        let shape = self.suspension.road_wheels.four(group);
        let unsprung = &self.lanes.wheels[group];
        let carried = wheel.mass + unsprung.sprung_mass;
        let shift = numbers(|lane| states[lane].shift);
        let shift_speed = numbers(|lane| states[lane].shift_speed);
        let masses = [free, carried, ride.mass.inverse_mass_along(line)];
        let bush = Bush::new([shift, shift_speed], masses, stiffness, dt);
        let path = wheel.path.where_true(are_there);
        let of_body = Spatial::splat(&ride.velocity);
        let of_wheel = path * -wheel.jounce_speed + forward * shift_speed;
        let start = of_body.linear + of_body.angular.cross(&arm) + of_wheel;
        let friction =
            numbers(|lane| states[lane].obstacle.map_or(0.0, |obstacle| obstacle.friction));
        let axle = self.suspension.states.four(group).stance.axes.lateral;
        let axle = body.splat::<Vec3x4>().arm(axle);
        let mass = free.where_true(are_there);
        let response = self.response(states, context);
        let damping = response.as_ref().map_or(zero, |response| {
            let out = vectors(|lane| {
                let hub = body.pose.translation + lane_of(&arm, lane);
                states[lane].obstacle.map_or(Vec3::ZERO, |obstacle| obstacle.way_out(hub))
            });
            added_damping(stiffness, wheel.mass, out.dot(&product(response, &out)))
        });
        let surroundings = self.surroundings((group, are_there), states, wheel, (ride.dt, context));
        HubsAtObstacles {
            group,
            are_there,
            have_road: wheel.has_road & are_there,
            mass,
            arm,
            path,
            forward,
            start,
            bush,
            bush_line: bush.line(dt),
            tire: PressedTire {
                body: TireBody::new(
                    stiffness,
                    unsprung.rim.0,
                    carried * <Real4 as Scalar>::splat(ride.gravity.length()),
                ),
                damping: wheel.tire.damping,
                added_damping: damping,
                radius: shape.radius,
            },
            around: Surroundings { response, ..surroundings },
            rubbing: Rubbing {
                friction,
                axle: vector(axle),
                rotation_speed: self.wheels.four(group).rotation_speed,
                inertia: shape.inertia,
                brake: *self.brake_torques.four(group) * dt,
            },
            weight: Vector3::splat(&ride.gravity) * mass,
            push: Push::none(),
            change: Vector3::zero(),
            bush_change: zero,
            rubbed: zero,
            rubbed_along: Vector3::zero(),
            rubbed_part: zero,
            given: Vector3::zero(),
            rows: BushRows::none(),
        }
    }

    /// How the obstacles of four wheels give way to them, as to every other wheel at the same body
    /// (1/kg); `None` if none does. It is so much more, that together the wheels do not give it
    /// more than it takes.
    fn response(
        &self,
        states: &[WheelObstacle; MAX_LANES],
        context: &Context<'_>,
    ) -> Option<Matrix3<Real4>> {
        let of = |obstacle: &Obstacle| {
            let response = context.road.obstacle_response(obstacle);
            if response == [Vec3::ZERO; 3] {
                return response;
            }
            let known = self.obstacles.iter().filter_map(|state| state.obstacle.as_ref());
            let wheels = known.filter(|other| other.ground == obstacle.ground).count() as Real;
            response.map(|row| row * wheels)
        };
        let each = each_lane(|lane| states[lane].obstacle.as_ref().map_or([Vec3::ZERO; 3], of));
        let gives_way = each.iter().any(|response| *response != [Vec3::ZERO; 3]);
        let mut response = no_response();
        for (number, row) in response.iter_mut().enumerate() {
            *row = vectors(|lane| each[lane][number]);
        }
        gives_way.then_some(response)
    }

    /// Road and obstacle around the hubs of wheels that `are_there`, seen from the center of mass.
    fn surroundings(
        &self,
        (group, are_there): (usize, Mask4),
        states: &[WheelObstacle; MAX_LANES],
        wheel: &RideWheel<'_, Real4>,
        (dt, context): (Real, &Context<'_>),
    ) -> Surroundings<Real4> {
        let center = self.suspension.rigid_body.pose.translation;
        let roads = self.suspension.roads.four(group);
        let (way, road) = self.road_around((group, are_there), states, wheel, (dt, context));
        let obstacles = each_lane(|lane| states[lane].obstacle.unwrap_or_default());
        Surroundings {
            road,
            along: way,
            road_velocity: vector(roads.road.velocity),
            point: vectors(|lane| obstacles[lane].point - center),
            normal: vectors(|lane| obstacles[lane].normal),
            is_edge: Mask4::from_lanes(|lane| obstacles[lane].is_edge),
            velocity: vectors(|lane| obstacles[lane].velocity),
            has_obstacle: Mask4::from_lanes(|lane| states[lane].obstacle.is_some()),
            response: None,
        }
    }

    /// The road below wheels that `are_there`, seen from the center of mass, and unit vectors along
    /// which its stretches follow each other.
    fn road_around(
        &self,
        (group, are_there): (usize, Mask4),
        states: &[WheelObstacle; MAX_LANES],
        wheel: &RideWheel<'_, Real4>,
        (dt, context): (Real, &Context<'_>),
    ) -> (Vector3<Real4>, ArrayVec<Stretch<Real4>, MAX_PIECES>) {
        let center = self.suspension.rigid_body.pose.translation;
        let roads = self.suspension.roads.four(group);
        let has_road = wheel.has_road & are_there;
        let from_center =
            |plane: &Plane| (f64::from(plane.offset) + along(plane.normal, center)) as Real;
        let mut road = ArrayVec::new();
        let elapsed = context.substep.index as Real * dt;
        let shape = self.suspension.road_wheels.four(group);
        let paths = context.notes.map(|notes| notes.paths.borrow());
        let single = paths
            .as_ref()
            .and_then(|paths| paths.four(group))
            .and_then(|paths| paths.single_planes(has_road, shape, roads.road.velocity, elapsed));
        if let Some((plane, reach)) = single {
            let offset = numbers(|lane| from_center(&plane.lane(lane)));
            road.push(Stretch {
                end: <Real4 as Scalar>::splat(Real::INFINITY),
                normal: vector(plane.normal).where_true(has_road),
                offset: offset.where_true(has_road),
                reach: reach.where_true(has_road),
            });
            return (Vector3::zero(), road);
        }
        let stretches = each_lane(|lane| {
            if !are_there.lane(lane) {
                return RoadStretches::default();
            }
            let velocity = roads.velocity(lane);
            self.stretches((group, lane), &states[lane], wheel, velocity, (dt, context))
        });
        let pieces = stretches.iter().fold(0, |most, it| it.list.len().max(most));
        for piece in 0..pieces {
            let of = each_lane(|lane| {
                let RoadStretches { along: way, list } = &stretches[lane];
                let stretch = list.get(piece).or(list.last());
                stretch.map_or((Vec3::ZERO, [0.0; 3]), |stretch| {
                    let end = (f64::from(stretch.end) - along(*way, center)) as Real;
                    (stretch.plane.normal, [end, from_center(&stretch.plane), stretch.reach])
                })
            });
            road.push(Stretch {
                end: numbers(|lane| of[lane].1[0]),
                normal: vectors(|lane| of[lane].0),
                offset: numbers(|lane| of[lane].1[1]),
                reach: numbers(|lane| of[lane].1[2]),
            });
        }
        (vectors(|lane| stretches[lane].along), road)
    }

    /// The road below a wheel, stretch by stretch; one plane if nothing is known of its way.
    fn stretches(
        &self,
        (four, lane): (usize, usize),
        state: &WheelObstacle,
        wheel: &RideWheel<'_, Real4>,
        velocity: Vec3,
        (dt, context): (Real, &Context<'_>),
    ) -> RoadStretches {
        if !wheel.has_road.lane(lane) {
            return RoadStretches::default();
        }
        let shape = self.suspension.road_wheels.four(four);
        let elapsed = context.substep.index as Real * dt;
        let paths = context.notes.map(|notes| notes.paths.borrow());
        let found = paths
            .as_ref()
            .and_then(|paths| paths.four(four))
            .map(|paths| paths.stretches(lane, shape, state.obstacle.as_ref(), velocity, elapsed));
        if let Some(stretches) = found.filter(|stretches| !stretches.list.is_empty()) {
            return stretches;
        }
        let here = self.suspension.roads.four(four).road.plane.lane(lane);
        let hub = self.suspension.rigid_body.pose.translation + lane_of(&wheel.center_arm, lane);
        let reach = Lanes::lane(&wheel.deflection, lane) + here.distance(hub);
        RoadStretches::of_plane(here, reach)
    }

    /// Writes what the wheels at obstacles do in a step of `dt` (s): to the body, to the obstacles,
    /// to their suspensions and how they turn. Gives their roads back.
    pub(super) fn leave_obstacles(
        &mut self,
        hubs: &Hubs,
        (wheels, solutions): (&mut Fours<RideWheel<'_, Real4>>, &mut Fours<RideSolution<Real4>>),
        inertia: &mut WheelInertia,
        axes: &Axes<Vec3>,
        (dt, context): (Real, &Context<'_>),
    ) {
        let step = <Real4 as Scalar>::splat(dt);
        let rest = AT_REST.map(|rest| rest * context.params.coordinates.length_scale);
        for hub in hubs {
            let are_there = hub.are_there;
            let (wheel, solution) = (&mut wheels[hub.group], &mut solutions[hub.group]);
            let (load, obstacle) = hub.forces(&wheel.plane.normal, step);
            let load = load.where_true(hub.have_road);
            wheel.has_road = wheel.has_road | hub.have_road;
            solution.load = Scalar::choose(are_there, load, solution.load);
            let obstacle = obstacle.where_true(are_there);
            let inert = hub.forward * -(hub.mass * hub.bush_change / step);
            let of_road = wheel.plane.normal.where_true(hub.have_road) * load;
            let pushed = obstacle + inert;
            let at_contact = wheel.contact_arm.where_true(are_there).cross(&of_road);
            let torque =
                hub.arm.cross(&(pushed + of_road)) + at_contact * <Real4 as Scalar>::of(-1.0);
            inertia.force += Vec3::from_array(pushed.sum().0);
            inertia.torque += Vec3::from_array(torque.sum().0);
            let speed = hub.bush.speed + hub.bush_change;
            let momentum = hub.forward * (hub.mass * speed);
            inertia.momentum += axes.turned_back(Vec3::from_array(momentum.sum().0));
            let turned = hub.rubbed * hub.rolling_radius() / hub.rubbing.inertia;
            let wheels = self.wheels.four_mut(hub.group);
            wheels.rotation_speed -= turned.where_true(are_there);
            let given = hub.impulse_on_obstacles(step);
            let faster = given.zip(hub.around.response).map(|(given, it)| product(&it, &given));
            for lane in (0..MAX_LANES).filter(|&lane| are_there.lane(lane)) {
                let state = &mut self.obstacles[hub.group * MAX_LANES + lane];
                state.shift_speed = Lanes::lane(&speed, lane);
                state.shift += dt * state.shift_speed;
                let gives_way = hub.gives_way(lane);
                let given = given.filter(|_| gives_way);
                state.impulse += given
                    .map_or_else(|| lane_of(&obstacle, lane) * -dt, |given| lane_of(&given, lane));
                let is_still = state.shift.abs() < rest[0] && state.shift_speed.abs() < rest[1];
                if let Some(obstacle) = &mut state.obstacle {
                    if let Some(faster) = faster.filter(|_| gives_way) {
                        obstacle.velocity += lane_of(&faster, lane);
                    }
                    obstacle.advance(obstacle.velocity * dt);
                } else if is_still {
                    (state.shift, state.shift_speed) = (0.0, 0.0);
                }
            }
        }
    }
}

impl FourHubs {
    /// Whether the obstacle of the wheel in a `lane` gives way.
    fn gives_way(&self, lane: usize) -> bool {
        let rows = self.around.response.as_ref();
        rows.is_some_and(|rows| rows.iter().any(|row| lane_of(row, lane) != Vec3::ZERO))
    }
}
