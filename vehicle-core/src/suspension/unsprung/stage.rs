//! The suspension stage of a vehicle whose wheels have a mass.

use std::fmt;

use super::beam::RideBeams;
use super::contact::{
    RideContact, RidePlane, cylinder_contact, placed_jounce, ray_contact, resting_jounce,
};
use super::lanes::{FourUnsprung, UnsprungLanes};
use super::obstacle::system::{Hubs, solve_at_obstacles};
use super::rim::DEEPEST;
use super::scalar::Vector3;
use super::solve::{RideBody, RideJoints, RideSolution, solve};
use super::spatial::{BodyMass, Spatial};
use super::wheel::{RideWheel, SpringSeat};
use crate::body::{RigidBodyState, WheelInertia};
use crate::math::lanes::{Lanes, MAX_LANES, Mask, Mask4, Number, Real4, RigidPose, Vec3x4, Vector};
use crate::math::{Axes, Real, Vec3, normalize_or_zero};
use crate::road::WheelObstacle;
use crate::rows::VehicleRows;
use crate::suspension::{
    CompressionLanes, ContactShape, SuspensionCompliance, SuspensionForce, SuspensionView,
    WheelTravel,
};
use crate::turning_wheel::WheelState;
use crate::wheel_list::Fours;
use crate::{Context, WheelList};

mod at_obstacles;

/// Tires that know their forces along the road.
pub trait RoadForces {
    /// Forces along the road of the tires of a `four` of wheels and of the `rows` that held them
    /// for `step` (s) (N).
    fn road_force(&self, four: usize, rows: &VehicleRows, step: Real4) -> Vec3x4;
}

/// Suspensions of wheels with mass.
pub struct UnsprungView<'a> {
    /// Data shared with wheels without mass.
    pub suspension: SuspensionView<'a>,
    /// The wheels.
    pub lanes: &'a UnsprungLanes,
    /// Read: whether each wheel is lost. Written: how fast those turn that rub at obstacles.
    pub wheels: &'a mut WheelList<WheelState>,
    /// Brake torque of each wheel (N·m).
    pub brake_torques: &'a WheelList<Real>,
    /// Read and written: what stands in front of each wheel; empty where nothing acts on any.
    pub obstacles: &'a mut [WheelObstacle],
    /// Forces of the tires in the step before.
    pub tires: &'a dyn RoadForces,
    /// The rows that held them.
    pub rows: &'a VehicleRows,
    /// Written: what the wheels' motion does to the body.
    pub inertia: &'a mut Option<WheelInertia>,
}

impl fmt::Debug for UnsprungView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnsprungView")
            .field("suspension", &self.suspension)
            .field("lanes", self.lanes)
            .field("obstacles", &self.obstacles)
            .field("inertia", self.inertia)
            .finish_non_exhaustive()
    }
}

/// The road under four wheels.
struct RoadUnder {
    plane: RidePlane<Real4>,
    /// Jounces that are known, and 0 (m).
    jounce: Real4,
    has_road: Mask4,
    /// Which of them had none in the step before.
    is_new: Mask4,
}

/// How four wheels touch what is under them.
struct Touching {
    jounce: Real4,
    contact: RideContact<Real4>,
    has_road: Mask4,
}

/// Four wheels of which their contact is found.
struct FourContacts {
    travel: WheelTravel<Vec3x4>,
    touching: Touching,
    plane: RidePlane<Real4>,
}

/// What the tilt of beam axles does to four wheels.
struct TiltedAxles {
    /// Toe and camber.
    lean: SuspensionCompliance<Vec3x4>,
    /// How far aside their contacts are (m, body frame).
    aside: Vec3x4,
}

#[inline]
fn vector(vector: Vec3x4) -> Vector3<Real4> {
    Vector3(vector.components())
}

#[inline]
fn lanes(vector: Vector3<Real4>) -> Vec3x4 {
    let [x, y, z] = vector.0;
    Vector::new(x, y, z)
}

#[inline]
fn single(vector: Vec3) -> Vector3<Real> {
    Vector3(vector.to_array())
}

impl UnsprungView<'_> {
    /// Finds contacts, solves body and wheels together, and moves the wheels on by `dt` (s).
    pub fn update(mut self, dt: Real, context: &Context<'_>) {
        let state = *self.suspension.rigid_body;
        let body = state.splat::<Vec3x4>();
        let axes = body.axes();
        let axes = Axes(axes.0.map(|axis| axis.lane(0)));
        let ride = ride_body(&self.suspension, &axes, dt, context.params.gravity);
        // Pushed in place: what is collected is moved, with the room for all wheels that a vehicle
        // can have.
        let mut wheels = Fours::<RideWheel<'_, Real4>>::new();
        for (four, unsprung) in self.lanes.wheels.iter().enumerate() {
            let found = self.find_contacts(four, unsprung, &body, context);
            self.suspension.states.four_mut(four).contact.point =
                lanes(found.touching.contact.point);
            wheels.push(self.wheels_on(four, &found, unsprung, &body, context));
        }
        let mut beams = Fours::<RideBeams<Real4>>::new();
        if !self.lanes.beams.is_empty() {
            self.join(&mut wheels, &mut beams);
        }
        let mut solutions = Fours::<RideSolution<Real4>>::new();
        let wheels_and_rims = wheels.iter().zip(&self.lanes.wheels).enumerate();
        for (four, (wheel, FourUnsprung { rim, .. })) in wheels_and_rims {
            // Checks for room first: else the solution is built on the stack and copied.
            if solutions.is_full() {
                break;
            }
            solutions.push(RideSolution::new(wheel, &ride));
            let Some(solution) = solutions.last_mut() else { break };
            let (velocity, time) = (Spatial::splat(&ride.velocity), Number::splat(dt));
            solution.motion.touch(wheel, &velocity, time);
            let give = || self.give(four, dt, context);
            solution.motion.reach_rim(rim, wheel, &velocity, time, give);
        }
        let joints = RideJoints { bars: &self.lanes.bars, beams: &beams };
        let mut hubs = Hubs::new();
        if WheelObstacle::is_any_active(self.obstacles) {
            self.hubs_at_obstacles(&mut wheels, &ride, &mut hubs, context);
        }
        if hubs.is_empty() {
            let _predicted = solve(&ride, &wheels, joints, &mut solutions);
        } else {
            solve_at_obstacles(&ride, &wheels, joints, &mut solutions, &mut hubs);
        }
        // Stays told until the step ends, though this stage carries the wheels after the other one.
        let is_overruled = self.inertia.is_some_and(|inertia| inertia.is_overruled);
        let mut inertia = WheelInertia { is_overruled, ..WheelInertia::default() };
        if !hubs.is_empty() {
            let parts = (&mut wheels, &mut solutions);
            self.leave_obstacles(&hubs, parts, &mut inertia, &axes, (dt, context));
        }
        for (four, (wheel, solution)) in wheels.iter().zip(&solutions).enumerate() {
            inertia.add(solution, &axes, dt);
            write(&mut self.suspension, four, &body, wheel, solution, dt);
        }
        self.go_aside(&body);
        *self.suspension.anti_roll_torque = Vec3::ZERO;
        *self.inertia = Some(inertia);
    }

    /// Tells the tires how fast their axles take them aside.
    #[inline]
    fn go_aside(&mut self, body: &RigidBodyState<Vec3x4>) {
        for (four, beams) in self.lanes.beams.iter().enumerate() {
            let tilt_speed = beams.tilt_speed(four, self.suspension.states, self.wheels);
            let aside = body.arm(beams.aside(tilt_speed));
            self.suspension.states.four_mut(four).contact.aside_velocity = aside;
        }
    }

    /// Puts the springs of wheels on beam axles to their seats, and finds the axles that have both
    /// wheels.
    #[inline(never)]
    fn join(&self, wheels: &mut [RideWheel<'_, Real4>], beams: &mut Fours<RideBeams<Real4>>) {
        for (number, beam) in self.lanes.beams.iter().enumerate() {
            beams.push(beam.ride.whole(wheels, number));
        }
        for (number, beam) in beams.iter().enumerate() {
            wheels[number].seat = beam.seat(wheels, number);
        }
    }

    /// How far the grounds of four wheels give way in a frame of which a substep takes `dt` (s), by
    /// what pushes them (m/N).
    #[cold]
    fn give(&self, four: usize, dt: Real, context: &Context<'_>) -> Real4 {
        let roads = self.suspension.roads.four(four);
        let points = self.suspension.states.four(four).contact.point;
        let time = Real4::splat(context.substep.frame_step(dt));
        context.ground_responses(roads, points, roads.road.is_there) * time * time
    }

    /// How four wheels stand, and where they meet their roads.
    #[inline]
    fn find_contacts(
        &mut self,
        four: usize,
        unsprung: &FourUnsprung,
        body: &RigidBodyState<Vec3x4>,
        context: &Context<'_>,
    ) -> FourContacts {
        let kind = self.suspension.jounce_params.contact;
        let tilted = self.tilted(four, context);
        self.suspension.stand(four, tilted.as_ref().map(|axles| &axles.lean), context);
        let aside = tilted.map(|axles| axles.aside);
        let (travel, axle) = self.travel(four, body, aside, context);
        let under = self.road_under(four, &vector(travel.direction));
        let mut touching = if under.is_new.any() {
            self.place(four, unsprung, aside, context)
        } else {
            let contact = contact(kind, &travel, under.jounce, &under.plane, axle);
            Touching { jounce: under.jounce, contact, has_road: under.has_road }
        };
        let deflection = &mut touching.contact.deflection;
        *deflection = deflection.at_most(travel.radius * <Real4 as Number>::splat(DEEPEST as Real));
        FourContacts { travel, touching, plane: under.plane }
    }

    /// The paths of four wheels as they stand, aside where their axles have rolled, and their own
    /// axles.
    #[inline(always)]
    fn travel(
        &self,
        four: usize,
        body: &RigidBodyState<Vec3x4>,
        aside: Option<Vec3x4>,
        context: &Context<'_>,
    ) -> (WheelTravel<Vec3x4>, Vec3x4) {
        let (mut travel, axle) = self.suspension.travel(four, body, context.frame());
        if let Some(aside) = aside {
            let place = travel.pose.translation() + body.arm(aside);
            travel.pose = RigidPose::new(place, travel.pose.rotation());
        }
        (travel, axle)
    }

    /// How beam axles stand below the body at the start of the step; `None` without any.
    #[inline]
    fn tilted(&self, four: usize, context: &Context<'_>) -> Option<TiltedAxles> {
        let beams = self.lanes.beams.get(four)?;
        let tilt = beams.tilt(four, self.suspension.states, self.wheels);
        Some(TiltedAxles { lean: beams.lean(tilt, context.frame()), aside: beams.aside(tilt) })
    }

    /// The roads of four wheels that travel along `direction`.
    #[inline]
    fn road_under(&self, four: usize, direction: &Vector3<Real4>) -> RoadUnder {
        let view = &self.suspension;
        let (road, state) = (&view.roads.four(four).road, &view.states.four(four).compression);
        let plane = RidePlane {
            normal: vector(road.plane.normal),
            offset: road.plane.offset,
            velocity: vector(road.velocity),
        };
        let jounce = Number::select(state.is_known, state.jounce, Real4::zero());
        let has_road = road.is_there & plane.is_road(direction);
        RoadUnder { plane, jounce, has_road, is_new: has_road & !state.has_separation() }
    }

    /// Places those of four wheels that have a new road on it, the tire without a load but at the
    /// very first time.
    #[cold]
    fn place(
        &self,
        four: usize,
        unsprung: &FourUnsprung,
        aside: Option<Vec3x4>,
        context: &Context<'_>,
    ) -> Touching {
        let kind = self.suspension.jounce_params.contact;
        let body = self.suspension.rigid_body.splat();
        let (travel, axle) = self.travel(four, &body, aside, context);
        let direction = vector(travel.direction);
        let RoadUnder { plane, jounce: start, has_road, is_new } =
            self.road_under(four, &direction);
        let found = contact(kind, &travel, start, &plane, axle);
        let placed = placed_jounce(start, found.deflection, &direction, &plane.normal);
        // A wheel that has never been anywhere is where it rests between its spring and its tire.
        let is_first = is_new & has_road & !self.suspension.states.four(four).compression.is_known;
        let weight = vector(Vector::splat(context.params.gravity)).dot(&direction);
        let resting =
            resting_jounce(placed, unsprung.mass * weight, &unsprung.laws, &unsprung.tire);
        // It is not pushed into its stop: what is left presses the tire.
        let end = unsprung.laws.end_stop.spring.edge.at_least(start);
        let is_placed = placed.is_at_most(end);
        let jounce = Number::select(is_first, resting, placed.at_most(end));
        let jounce = Number::select(is_new & has_road, jounce, start);
        let mut contact = contact(kind, &travel, jounce, &plane, axle);
        // Others that are placed touch their roads, whatever rounding says.
        let touching = contact.deflection.at_most(Real4::zero());
        let touches = is_new & !is_first & is_placed;
        contact.deflection = Number::select(touches, touching, contact.deflection);
        Touching { jounce, contact, has_road }
    }

    #[inline]
    fn wheels_on<'a>(
        &self,
        four: usize,
        found: &FourContacts,
        unsprung: &'a FourUnsprung,
        body: &RigidBodyState<Vec3x4>,
        context: &Context<'_>,
    ) -> RideWheel<'a, Real4> {
        let (state, frame) = (&self.suspension.states.four(four).compression, context.frame());
        let is_wheel = Mask4::below(self.wheels.len() - four * MAX_LANES);
        let is_lost = self.wheels.four(four).is_detached;
        let tire_force = self.tires.road_force(four, self.rows, state.step);
        let Touching { jounce, ref contact, has_road } = found.touching;
        let center = body.pose.translation();
        let [along, across] = unsprung.path_slope;
        let axis = |axis: Vec3| Vec3x4::splat(axis);
        let beside = axis(frame.longitudinal()) * along + axis(frame.lateral()) * across;
        let path = found.travel.direction + body.arm(beside);
        let wheel_center = wheel_center(&found.travel, jounce);
        let gravity = context.params.gravity;
        let vertical = if gravity == Vec3::ZERO {
            found.travel.direction
        } else {
            Vector::splat(normalize_or_zero(gravity))
        };
        RideWheel {
            is_there: is_wheel & !is_lost,
            is_wheel,
            mass: unsprung.mass,
            least_mass: unsprung.least_mass,
            laws: &unsprung.laws,
            tire: unsprung.tire,
            direction: vector(found.travel.direction),
            vertical: vector(vertical),
            path: vector(path),
            center_arm: vector(wheel_center - center),
            jounce,
            jounce_speed: state.jounce_speed,
            seat: SpringSeat::at_wheel(jounce, state.jounce_speed),
            has_road,
            plane: found.plane,
            deflection: contact.deflection,
            contact_arm: contact.point - vector(center),
            tire_force: vector(tire_force),
        }
    }
}

#[inline]
fn ride_body(
    view: &SuspensionView<'_>,
    axes: &Axes<Vec3>,
    dt: Real,
    gravity: Vec3,
) -> RideBody<Real> {
    let (params, state) = (view.rigid_body_params, view.rigid_body);
    let axes = axes.0.map(single);
    let applied = state.applied_load();
    RideBody {
        mass: BodyMass::new(params.mass, &single(params.inertia), &axes),
        velocity: Spatial {
            linear: single(state.linear_velocity),
            angular: single(state.angular_velocity),
        },
        load: Spatial {
            linear: single(gravity * params.mass + applied.force),
            angular: single(applied.torque),
        },
        gravity: single(gravity),
        dt,
    }
}

#[inline]
fn wheel_center(travel: &WheelTravel<Vec3x4>, jounce: Real4) -> Vec3x4 {
    travel.pose.translation() + travel.direction * (travel.distance - jounce)
}

#[inline]
fn contact(
    kind: ContactShape,
    travel: &WheelTravel<Vec3x4>,
    jounce: Real4,
    plane: &RidePlane<Real4>,
    axle: Vec3x4,
) -> RideContact<Real4> {
    let (center, direction) = (vector(wheel_center(travel, jounce)), vector(travel.direction));
    match kind {
        ContactShape::Ray => ray_contact(&center, &direction, travel.radius, plane),
        ContactShape::Cylinder => {
            let axle = vector(axle);
            let sizes = [travel.radius, travel.half_width, travel.shoulder_radius];
            cylinder_contact(&center, &direction, &axle, sizes, plane)
        }
    }
}

impl WheelInertia {
    /// Adds what four wheels do in a step of `dt` (s).
    #[inline]
    fn add(&mut self, solution: &RideSolution<Real4>, axes: &Axes<Vec3>, dt: Real) {
        let path = &solution.motion.path;
        let push = *path * -(solution.impulse / Real4::splat(dt));
        let momentum = path.linear * solution.momentum;
        let Spatial { linear, angular } = push.sum();
        self.force += Vec3::from_array(linear.0);
        self.torque += Vec3::from_array(angular.0);
        let momentum = Vec3::from_array(momentum.sum().0);
        self.momentum += axes.turned_back(momentum);
    }
}

/// Writes what four wheels do.
#[inline]
fn write(
    view: &mut SuspensionView<'_>,
    four: usize,
    body: &RigidBodyState<Vec3x4>,
    wheel: &RideWheel<'_, Real4>,
    solution: &RideSolution<Real4>,
    dt: Real,
) {
    let zero = Real4::zero();
    let (normal, arm) = (lanes(wheel.plane.normal), lanes(wheel.contact_arm));
    let speed = -solution.extension_speed(wheel);
    let has_road = wheel.has_road & wheel.is_there;
    let load = Number::select(has_road, solution.load, zero);
    let is_closed = has_road & (zero.is_below(load) | zero.is_below(wheel.deflection));
    let there = |value: Real4| Number::select(wheel.is_there, value, zero);
    let jounce = there(wheel.jounce + Real4::splat(dt) * speed);
    let separation = Number::select(is_closed, zero, -wheel.deflection);
    let state = view.states.four_mut(four);
    state.compression = CompressionLanes::known(jounce, there(speed), (separation, has_road), dt);
    state.force = SuspensionForce::along(normal, load, arm).only(has_road);
    state.contact.axle_arm = lanes(wheel.center_arm);
    // Tires act where they touch the road.
    state.stance.tire_arm = body.axes().turned_back(arm);
}
