//! The suspension stage of a vehicle whose wheels have a mass.

use serde::{Deserialize, Serialize};

use super::contact::{
    RideContact, RidePlane, cylinder_contact, placed_jounce, ray_contact, resting_jounce,
};
use super::params::{FourUnsprung, UnsprungLanes};
use super::scalar::Vector3;
use super::solve::{RideBody, RideSolution, solve};
use super::spatial::{BodyMass, Spatial};
use super::wheel::RideWheel;
use crate::Context;
use crate::body::RigidBodyState;
use crate::math::lanes::{Lanes, Mask, Mask4, Number, Real4, RigidPose, Vec3x4, Vector};
use crate::math::{Real, Vec3, normalize_or_zero, rotate, rotation_matrix};
use crate::suspension::{Compression, SuspensionForce, SuspensionView, WheelContact, WheelTravel};
use crate::wheel_list::Fours;

/// What the motion of wheels with mass does to the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelInertia {
    /// Force of the wheels' acceleration along their travel (N).
    pub force: Vec3,
    /// Its torque about the center of mass (N·m).
    pub torque: Vec3,
    /// Momentum of the wheels over the body, which turns with it (kg·m/s, body frame).
    pub momentum: Vec3,
}

impl WheelInertia {
    /// The velocity of a body of `mass` (kg) after its rotation has taken the momentum of its wheels
    /// along (m/s).
    ///
    /// ```text
    /// v - (Q' p - Q p) / M
    /// ```
    #[inline]
    pub(crate) fn turned(&self, start: &RigidBodyState, end: &RigidBodyState, mass: Real) -> Vec3 {
        let turn = end.direction(self.momentum) - start.direction(self.momentum);
        end.linear_velocity - turn / mass
    }
}

/// What the stage needs from a vehicle whose wheels have a mass.
pub struct UnsprungView<'a> {
    /// What it shares with wheels without mass.
    pub suspension: SuspensionView<'a>,
    /// The wheels.
    pub lanes: &'a UnsprungLanes,
    /// Which lanes are wheels that the vehicle has, four by four.
    pub is_there: Fours<Mask4>,
    /// Force of each tire along the road in the step before (N), four by four.
    pub road_forces: Fours<Vec3x4>,
    /// Written: what the wheels' motion does to the body.
    pub inertia: &'a mut Option<WheelInertia>,
}

/// Four wheels of which their contact is found.
struct FourContacts {
    travel: WheelTravel<Vec3x4>,
    jounce: Real4,
    contact: RideContact<Real4>,
    plane: RidePlane<Real4>,
    has_road: Mask4,
}

fn vector(vector: Vec3x4) -> Vector3<Real4> {
    Vector3(vector.components())
}

fn lanes(vector: Vector3<Real4>) -> Vec3x4 {
    let [x, y, z] = vector.0;
    Vector::new(x, y, z)
}

fn single(vector: Vec3) -> Vector3<Real> {
    Vector3(vector.to_array())
}

impl UnsprungView<'_> {
    /// Finds contacts, solves body and wheels together, and moves the wheels on by `dt` (s).
    pub fn update(mut self, dt: Real, context: &Context<'_>) {
        let state = *self.suspension.rigid_body;
        let body = state.splat::<Vec3x4>();
        let ride = ride_body(&self.suspension, dt, context.params.gravity);
        let fours = self.lanes.wheels.len();
        // Pushed in place: what is collected is moved, with the room for all wheels that a vehicle can have.
        let mut contacts = Fours::<FourContacts>::new();
        for four in 0..fours {
            contacts.push(self.find_contacts(four, &body, context));
        }
        let mut wheels = Fours::<RideWheel<'_, Real4>>::new();
        for (four, (contact, unsprung)) in contacts.iter().zip(&self.lanes.wheels).enumerate() {
            wheels.push(self.wheels_on(four, contact, unsprung, &body, context));
        }
        let mut solutions = Fours::<RideSolution<Real4>>::new();
        for wheel in &wheels {
            solutions.push(RideSolution::new(wheel, &ride));
        }
        let _predicted = solve(&ride, &wheels, &self.lanes.bars, &mut solutions);
        let mut inertia = WheelInertia::default();
        for (four, (wheel, solution)) in wheels.iter().zip(&solutions).enumerate() {
            inertia.add(wheel, solution, &state, dt);
            write(&mut self.suspension, four, &contacts[four], wheel, solution, dt);
        }
        *self.suspension.anti_roll_torque = Vec3::ZERO;
        *self.inertia = Some(inertia);
    }

    /// How four wheels stand, and where they meet their roads; those with a new road are placed on it, the tire without a
    /// load but at the very first time.
    fn find_contacts(
        &mut self,
        four: usize,
        body: &RigidBodyState<Vec3x4>,
        context: &Context<'_>,
    ) -> FourContacts {
        let view = &mut self.suspension;
        let kind = view.jounce_params.contact;
        let travel = view.stand(four, body, context);
        let (road, state) = (&view.roads.fours()[four].road, view.states.fours()[four]);
        let plane = RidePlane {
            normal: vector(road.plane.normal),
            offset: road.plane.offset,
            velocity: vector(road.velocity),
        };
        let direction = vector(travel.direction);
        let start = Number::select(state.is_known, state.jounce, Real4::zero());
        let has_plane = road.is_there & plane.is_road(&direction);
        let is_new = has_plane & !state.has_separation;
        let found = contact(kind, &travel, start, &plane, context);
        if !is_new.any() {
            return FourContacts {
                travel,
                jounce: start,
                contact: found,
                plane,
                has_road: has_plane,
            };
        }
        let placed = placed_jounce(start, found.deflection, &direction, &plane.normal);
        let is_too_far = start.is_below(placed) & travel.distance.is_below(placed) & is_new;
        let has_road = has_plane & !is_too_far;
        // A wheel that has never been anywhere is where it rests between its spring and its tire.
        let is_first = is_new & has_road & !state.is_known;
        let weight = vector(Vector::splat(context.params.gravity)).dot(&direction);
        let unsprung = &self.lanes.wheels[four];
        let resting =
            resting_jounce(placed, unsprung.mass * weight, &unsprung.laws, &unsprung.tire);
        let jounce = Number::select(is_first, resting, placed);
        let jounce = Number::select(is_new & has_road, jounce, start);
        let mut contact = contact(kind, &travel, jounce, &plane, context);
        // Others that are placed touch their roads, whatever rounding says.
        let touching = contact.deflection.at_most(Real4::zero());
        contact.deflection = Number::select(is_new & !is_first, touching, contact.deflection);
        FourContacts { travel, jounce, contact, plane, has_road }
    }

    fn wheels_on<'a>(
        &self,
        four: usize,
        found: &FourContacts,
        unsprung: &'a FourUnsprung,
        body: &RigidBodyState<Vec3x4>,
        context: &Context<'_>,
    ) -> RideWheel<'a, Real4> {
        let (state, frame) = (&self.suspension.states.fours()[four], context.frame());
        let center = body.pose.translation();
        let [along, across] = unsprung.path_slope;
        let axis = |axis: Vec3| body.direction(Vector::splat(axis));
        let path = found.travel.direction
            + axis(frame.longitudinal()) * along
            + axis(frame.lateral()) * across;
        let wheel_center = wheel_center(&found.travel, found.jounce);
        let gravity = context.params.gravity;
        let vertical = if gravity == Vec3::ZERO {
            found.travel.direction
        } else {
            Vector::splat(normalize_or_zero(gravity))
        };
        RideWheel {
            is_there: self.is_there[four],
            mass: unsprung.mass,
            laws: &unsprung.laws,
            tire: unsprung.tire,
            direction: vector(found.travel.direction),
            vertical: vector(vertical),
            path: vector(path),
            center_arm: vector(wheel_center - center),
            jounce: found.jounce,
            jounce_speed: state.jounce_speed,
            has_road: found.has_road,
            plane: found.plane,
            deflection: found.contact.deflection,
            contact_arm: found.contact.point - vector(center),
            tire_force: vector(self.road_forces[four]),
        }
    }
}

fn ride_body(view: &SuspensionView<'_>, dt: Real, gravity: Vec3) -> RideBody<Real> {
    let (params, state) = (view.rigid_body_params, view.rigid_body);
    let axes = rotation_matrix(state.pose.rotation);
    let axes = [axes.x_axis, axes.y_axis, axes.z_axis].map(single);
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

fn wheel_center(travel: &WheelTravel<Vec3x4>, jounce: Real4) -> Vec3x4 {
    travel.pose.translation() + travel.direction * (travel.distance - jounce)
}

fn contact(
    kind: WheelContact,
    travel: &WheelTravel<Vec3x4>,
    jounce: Real4,
    plane: &RidePlane<Real4>,
    context: &Context<'_>,
) -> RideContact<Real4> {
    let (center, direction) = (vector(wheel_center(travel, jounce)), vector(travel.direction));
    match kind {
        WheelContact::Ray => ray_contact(&center, &direction, travel.radius, plane),
        WheelContact::Cylinder => {
            let axle = vector(travel.axle(context.frame()));
            let sizes = [travel.radius, travel.half_width, travel.shoulder_radius];
            cylinder_contact(&center, &direction, &axle, sizes, plane)
        }
    }
}

impl WheelInertia {
    /// Adds what four wheels do in a step of `dt` (s).
    fn add(
        &mut self,
        wheel: &RideWheel<'_, Real4>,
        solution: &RideSolution<Real4>,
        body: &RigidBodyState,
        dt: Real,
    ) {
        let path = &solution.motion.path;
        let push = *path * -(wheel.mass * solution.change / Real4::splat(dt));
        let momentum = path.linear * (wheel.mass * solution.extension_speed(wheel));
        let Spatial { linear, angular } = push.sum();
        self.force += Vec3::from_array(linear.0);
        self.torque += Vec3::from_array(angular.0);
        let momentum = Vec3::from_array(momentum.sum().0);
        self.momentum += rotate(body.pose.rotation.conjugate(), momentum);
    }
}

/// Writes what four wheels do.
fn write(
    view: &mut SuspensionView<'_>,
    four: usize,
    found: &FourContacts,
    wheel: &RideWheel<'_, Real4>,
    solution: &RideSolution<Real4>,
    dt: Real,
) {
    let (zero, time) = (Real4::zero(), Real4::splat(dt));
    let body = view.rigid_body.splat::<Vec3x4>();
    let (normal, arm) = (lanes(wheel.plane.normal), lanes(wheel.contact_arm));
    let speed = -solution.extension_speed(wheel);
    let has_road = wheel.has_road & wheel.is_there;
    let load = Number::select(has_road, solution.load, zero);
    let is_closed = has_road & (zero.is_below(load) | zero.is_below(wheel.deflection));
    let there = |value: Real4| Number::select(wheel.is_there, value, zero);
    view.states.fours_mut()[four] = Compression {
        jounce: there(wheel.jounce + time * speed),
        is_known: Lanes::from_lanes(|_| true),
        jounce_speed: there(speed),
        separation: Number::select(has_road & !is_closed, -wheel.deflection, zero),
        has_separation: has_road,
        step: time,
    };
    view.forces.fours_mut()[four] = SuspensionForce::along(normal, load, arm).only(has_road);
    let contact = &mut view.contacts.fours_mut()[four];
    contact.point = lanes(found.contact.point);
    contact.axle_arm = lanes(wheel.center_arm);
    // Tires act where they touch the road.
    view.stances.fours_mut()[four].tire_arm = rotate(conjugate(&body), arm);
}

/// The rotation from the world into the axes of `body`.
fn conjugate(body: &RigidBodyState<Vec3x4>) -> <Vec3x4 as Vector>::Rotation {
    use crate::math::lanes::Rotation;
    let [x, y, z, w] = body.pose.rotation().components();
    Rotation::new([-x, -y, -z, w])
}
