//! The part of the stage that is for wheels at obstacles.

use arrayvec::ArrayVec;

use super::{RideBody, RideSolution, RideWheel, UnsprungView};
use crate::Context;
use crate::body::WheelInertia;
use crate::math::lanes::{Lanes, Real4};
use crate::math::{Axes, Real, Vec3};
use crate::road::{RoadStretches, WheelObstacle};
use crate::suspension::unsprung::laws::{DampedStop, Stop};
use crate::suspension::unsprung::obstacle::give::{Matrix3, NO_RESPONSE, added_damping, product};
use crate::suspension::unsprung::obstacle::hub::{
    Bush, BushRows, HubAtObstacle, MAX_HUBS, Rubbing,
};
use crate::suspension::unsprung::obstacle::law::{ObstacleKind, TireBody};
use crate::suspension::unsprung::obstacle::push::{PressedTire, Push, Stretch, Surroundings};
use crate::suspension::unsprung::obstacle::system::doubles;
use crate::suspension::unsprung::scalar::Vector3;
use crate::suspension::unsprung::spatial::{Spatial, Symmetric6};
use crate::wheel_list::{Fours, place};

/// Hubs at obstacles.
pub(super) type Hubs = ArrayVec<HubAtObstacle, MAX_HUBS>;

/// Shift (m) and its rate (m/s) below which a wheel is where its suspension holds it.
const AT_REST: [Real; 2] = [1e-3, 0.05];

/// Most that the masses which bushes leave free take of body and wheels (dimensionless).
const MOST_TAKEN: f64 = 0.9;

fn double(vector: Vec3) -> Vector3<f64> {
    Vector3(vector.to_array().map(f64::from))
}

fn lane_of(vector: &Vector3<Real4>, lane: usize) -> Vector3<f64> {
    doubles(&Vector3(vector.0.map(|row| Lanes::lane(&row, lane))))
}

fn single(vector: &Vector3<f64>) -> Vec3 {
    Vec3::from_array(vector.0.map(|component| component as Real))
}

/// A wheel at an obstacle, before its equations are found.
struct Candidate {
    number: usize,
    mass: f64,
    /// From the center of mass to its hub (m), and unit vector forward along the vehicle.
    arm: Vector3<f64>,
    forward: Vector3<f64>,
    /// The line of its bush.
    line: Spatial<Real>,
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
    candidates: &[Candidate],
) -> f64 {
    let mut left = Symmetric6::of_mass(&ride.mass);
    for wheel in wheels {
        let path = Spatial::at(&wheel.center_arm, &wheel.path).where_true(wheel.is_there);
        left.add_product(&(path * -wheel.mass), &path);
    }
    let factors = left.factors();
    let taken = candidates
        .iter()
        .map(|Candidate { mass, line, .. }| mass * f64::from(line.dot(&factors.solve(line))));
    (MOST_TAKEN / taken.sum::<f64>()).min(1.0)
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
        let candidates = self.candidates(wheels, context);
        let share = free_share(wheels, ride, &candidates);
        for candidate in &candidates {
            let (four, lane) = place(candidate.number);
            hubs.push(self.hub(candidate, share, &wheels[four], ride, context));
            wheels[four].has_road.set_lane(lane, false);
        }
    }

    fn candidates(
        &self,
        wheels: &[RideWheel<'_, Real4>],
        context: &Context<'_>,
    ) -> ArrayVec<Candidate, MAX_HUBS> {
        let body = self.suspension.rigid_body;
        let forward = double(body.direction(context.frame().longitudinal()));
        let states = self.obstacles.iter().enumerate().filter(|(_, state)| state.is_active());
        let known = states.filter_map(|(number, state)| {
            let (four, lane) = place(number);
            let wheel = wheels.get(four).filter(|wheel| wheel.is_there.lane(lane))?;
            let arm = lane_of(&wheel.center_arm, lane) + forward * f64::from(state.shift);
            let line = Spatial::at(&arm, &forward).to_array().map(|it| it as Real);
            let mass = f64::from(Lanes::lane(&wheel.mass, lane));
            Some(Candidate { number, mass, arm, forward, line: Spatial::from_array(line) })
        });
        known.take(MAX_HUBS).collect()
    }

    /// The hub of a wheel at an obstacle, of whose mass the bush leaves a `share` free.
    fn hub(
        &self,
        candidate: &Candidate,
        share: f64,
        wheel: &RideWheel<'_, Real4>,
        ride: &RideBody<Real>,
        context: &Context<'_>,
    ) -> HubAtObstacle {
        let &Candidate { number, mass, arm, forward, line } = candidate;
        let (four, lane) = place(number);
        let of = |number: Real4| f64::from(Lanes::lane(&number, lane));
        let (state, body) = (&self.obstacles[number], self.suspension.rigid_body);
        let shift = [state.shift, state.shift_speed].map(f64::from);
        let (free, dt) = (share * mass, f64::from(ride.dt));
        let stiffness = of(wheel.tire.stiffness);
        let inverse_mass = f64::from(ride.mass.inverse_mass_along(&line));
        let shape = self.suspension.road_wheels.four(four);
        let rim = self.lanes.wheels[four].rim.0.map(|stop| DampedStop {
            spring: Stop { edge: of(stop.spring.edge), stiffness: of(stop.spring.stiffness) },
            damping_time: of(stop.damping_time),
        });
        let axle = self.suspension.states.four(four).stance.axes.lateral.lane(lane);
        let carried = mass + of(self.lanes.wheels[four].sprung_mass);
        let friction = state.obstacle.map_or(0.0, |obstacle| obstacle.friction);
        let weight = doubles(&ride.gravity);
        let response = self.response(state, context);
        let hub = body.pose.translation + single(&arm);
        let out = state.obstacle.map_or(Vec3::ZERO, |obstacle| obstacle.way_out(hub));
        let along = double(out).dot(&product(&response, &double(out)));
        HubAtObstacle {
            wheel: number,
            has_road: wheel.has_road.lane(lane),
            mass: free,
            arm,
            path: lane_of(&wheel.path, lane),
            forward,
            extension_speed: -of(wheel.jounce_speed),
            bush: Bush::new(shift, [free, carried, inverse_mass], stiffness, dt),
            tire: PressedTire {
                body: TireBody::new(stiffness, rim, carried * weight.length()),
                damping: of(wheel.tire.damping),
                added_damping: added_damping(stiffness, mass, along),
                radius: of(shape.radius),
            },
            around: Surroundings {
                response,
                ..self.surroundings(number, state, wheel, (ride.dt, context))
            },
            rubbing: Rubbing {
                friction: f64::from(friction),
                axle: double(axle),
                rotation_speed: of(self.wheels.four(four).rotation_speed),
                inertia: of(shape.inertia),
                brake: f64::from(self.brake_torques[number]) * dt,
            },
            weight: weight * free,
            push: Push::default(),
            change: Vector3::zero(),
            bush_change: 0.0,
            rubbed: 0.0,
            rubbed_along: Vector3::zero(),
            rubbed_part: 0.0,
            given: Vector3::zero(),
            rows: BushRows::NONE,
        }
    }

    /// How the obstacle of a wheel gives way to it, as to every other wheel at the same body
    /// (1/kg). It is so much more, that together they do not give it more than it takes.
    fn response(&self, state: &WheelObstacle, context: &Context<'_>) -> Matrix3 {
        let Some(obstacle) = &state.obstacle else { return NO_RESPONSE };
        let response = context.road.obstacle_response(obstacle);
        if response == [Vec3::ZERO; 3] {
            return NO_RESPONSE;
        }
        let known = self.obstacles.iter().filter_map(|state| state.obstacle.as_ref());
        let wheels = known.filter(|other| other.ground == obstacle.ground).count() as f64;
        response.map(|row| double(row) * wheels)
    }

    /// Road and obstacle around the hub of a wheel, seen from the center of mass.
    fn surroundings(
        &self,
        number: usize,
        state: &WheelObstacle,
        wheel: &RideWheel<'_, Real4>,
        (dt, context): (Real, &Context<'_>),
    ) -> Surroundings {
        let (four, lane) = place(number);
        let center = double(self.suspension.rigid_body.pose.translation);
        let velocity = self.suspension.roads.four(four).velocity(lane);
        let stretches = self.stretches(number, state, wheel, velocity, (dt, context));
        let along = double(stretches.along);
        let ahead = along.dot(&center);
        let road = stretches.list.iter().map(|stretch| {
            let normal = double(stretch.plane.normal);
            let below = normal.dot(&center);
            Stretch {
                end: f64::from(stretch.end) - ahead,
                normal,
                offset: f64::from(stretch.plane.offset) + below,
                reach: f64::from(stretch.reach),
            }
        });
        let obstacle = state.obstacle.unwrap_or_default();
        Surroundings {
            road: road.collect(),
            along,
            road_velocity: double(velocity),
            point: double(obstacle.point) - center,
            normal: double(obstacle.normal),
            kind: if obstacle.is_edge { ObstacleKind::Edge } else { ObstacleKind::Face },
            velocity: double(obstacle.velocity),
            has_obstacle: state.obstacle.is_some(),
            response: NO_RESPONSE,
        }
    }

    /// The road below a wheel, stretch by stretch; one plane if nothing is known of its way.
    fn stretches(
        &self,
        number: usize,
        state: &WheelObstacle,
        wheel: &RideWheel<'_, Real4>,
        velocity: Vec3,
        (dt, context): (Real, &Context<'_>),
    ) -> RoadStretches {
        let (four, lane) = place(number);
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
        let center = wheel.center_arm.0.map(|row| Lanes::lane(&row, lane));
        let hub = self.suspension.rigid_body.pose.translation + Vec3::from_array(center);
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
        let step = f64::from(dt);
        let length_scale = context.params.coordinates.length_scale;
        for hub in hubs {
            let (four, lane) = place(hub.wheel);
            let (wheel, solution) = (&mut wheels[four], &mut solutions[four]);
            let normal = lane_of(&wheel.plane.normal, lane);
            let (load, obstacle) = hub.forces(&normal, step);
            let load = if hub.has_road { load } else { 0.0 };
            wheel.has_road.set_lane(lane, hub.has_road);
            solution.load.set_lane(lane, load as Real);
            let inert = hub.forward * (-hub.mass * hub.bush_change / step);
            let of_road = normal * load;
            let at_hub = obstacle + inert + of_road;
            let at_contact = lane_of(&wheel.contact_arm, lane).cross(&of_road);
            let torque = hub.arm.cross(&at_hub) - at_contact;
            inertia.force += single(&(obstacle + inert));
            inertia.torque += single(&torque);
            let speed = hub.bush.speed + hub.bush_change;
            inertia.momentum += axes.turned_back(single(&(hub.forward * (hub.mass * speed))));
            let turned = hub.rubbed * hub.rolling_radius() / hub.rubbing.inertia;
            self.wheels.edit(hub.wheel, |wheel| wheel.rotation_speed -= turned as Real);
            let state = &mut self.obstacles[hub.wheel];
            state.shift_speed = speed as Real;
            state.shift += dt * state.shift_speed;
            let given = hub.impulse_on_obstacle(step);
            state.impulse += single(&given.unwrap_or(obstacle * -step));
            let rest = AT_REST.map(|rest| rest * length_scale);
            let is_still = state.shift.abs() < rest[0] && state.shift_speed.abs() < rest[1];
            if let Some(obstacle) = &mut state.obstacle {
                let faster = given.map_or(Vector3::zero(), |it| product(&hub.around.response, &it));
                obstacle.velocity += single(&faster);
                obstacle.advance(obstacle.velocity * dt);
            } else if is_still {
                (state.shift, state.shift_speed) = (0.0, 0.0);
            }
        }
    }
}
