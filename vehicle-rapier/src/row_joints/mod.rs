//! Row joints: rows of a vehicle that the world's solver executes, together with its own.
//!
//! Sticky tires and suspension limits are [rows](vehicle_core::constraint_rows). With
//! [`RowExecution::Host`](vehicle_core::constraint_rows::RowExecution) in a vehicle's
//! [`params`](crate::RapierVehicle::params), they become joints between what the wheel stands on
//! and the chassis. A wheel that sticks has one with a motor along and one across its rolling
//! direction, each a spring and damper bounded by friction. A suspension that is about to reach its
//! end has one with a limit out of the road. They are inserted as they are needed, updated in place
//! and removed as soon as they are not; they wake nothing and keep nothing awake. The forces of the
//! motors in the world's last step are the impulses of the rows.
//!
//! | | `Local`, the default | `Host` |
//! |---|---|---|
//! | a parked vehicle of its own | stands | stands |
//! | a vehicle that others pull or push | learns of it a step later | is solved together with them |
//! | a trailer that hangs on it, on 15° | gives way by some millimeters, then stands | moves by 0.2 mm |
//! | a step of a second, on 15° | moves it by 1 mm | moves it by up to 13 cm |
//! | a push with 95 % of what its grip bears | stands | stands, or creeps by 2 mm/s at 30 Hz |
//! | a push with 3 kN that begins at 0.2 m/s | moves it by 1.2 mm | moves it by 0.04 mm |
//! | a fall from 3 m onto the stops | 8 to 12 mm beyond them | 1 to 7 mm |
//! | friction of a tire that begins to slide | a circle | a square for one step, then a circle |
//! | forces of the wheels of a parked vehicle | shared by their softness | shared in the order of joints |
//! | ground that is to be pushed | gets the impulse of the step | is a partner of the joint |
//! | restitution of suspension limits | as in the parameters | none |
//! | [`UpdateMode`](crate::UpdateMode) | that of the actor | `Acceleration` |
//! | update and world step, driving | 1 | 1.4 |
//! | update and world step, parked and awake | 1 | 3 to 4 |
//!
//! Choose `Host` for vehicles that are coupled to others while they stand and are to give way by
//! less than a millimeter. Examples are cars on a transporter and a crane on its wheels. For all
//! others `Local` is as good, and cheaper. Asleep, both cost the same.
//!
//! The vehicle's own solver sees the pull of a joint a step later, as a jump of the velocity.
//! Rapier solves a joint in one pass per small step, from zero. So these joints are no stiffer than
//! what several wheels share evenly, and the body gets a force instead of a velocity.
//!
//! The joints reach from the chassis to
//!
//! - a fixed body without shape, the anchor, one per vehicle, for ground that is fixed or at rest;
//! - the ground's body, if it is kinematic and moves, or is dynamic, awake and to be pushed
//!   ([`pushes_ground`](crate::RoadQueryParams::pushes_ground)). The world's solver then carries
//!   the vehicle along and pushes the ground back;
//! - the anchor, with motors that follow the velocity of the ground, if it is dynamic and not to be
//!   pushed.

mod joint;

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::constraint_rows::{BodyVelocity, HostRows, HostStand, WheelRows};
use vehicle_core::rigid_body::{RigidBodyState, world_inverse_inertia};
use vehicle_core::road_geometry::RoadContact;

use self::joint::{Footing, Stand, is_in_reach, tire_forces};
use crate::actor::Actor;
use crate::drivable::Drivable;
use crate::road_query::ground_collider;

/// The joints of one vehicle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RowJoints {
    /// The fixed body that joints to ground at rest begin at; it comes with the first joint and
    /// stays.
    pub anchor: Option<RigidBodyHandle>,
    /// One per wheel, or none at all.
    #[expect(
        clippy::box_collection,
        reason = "few vehicles have any, and all take the room for them"
    )]
    wheels: Option<Box<Vec<WheelJoints>>>,
    /// Time step of the world for which the joints are (s); 0 before the first.
    #[serde(default)]
    dt: Real,
}

/// The joints of one wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct WheelJoints {
    tire: Option<ImpulseJointHandle>,
    stop: Option<ImpulseJointHandle>,
}

/// The parts of a world that joints need.
pub(crate) struct JointWorld<'a> {
    pub(crate) bodies: &'a mut RigidBodySet,
    pub(crate) colliders: &'a ColliderSet,
    pub(crate) joints: &'a mut ImpulseJointSet,
    pub(crate) pushes_ground: bool,
    /// Time step of the world (s).
    pub(crate) dt: Real,
    /// Steps of the world's solver in one.
    pub(crate) solver_iterations: usize,
}

impl RowJoints {
    /// Whether there is a joint.
    pub fn is_empty(&self) -> bool {
        self.handles().next().is_none()
    }

    /// The joints there are.
    pub fn handles(&self) -> impl Iterator<Item = ImpulseJointHandle> + '_ {
        let wheels = self.wheels.as_deref().into_iter().flatten();
        wheels.flat_map(|wheel| [wheel.tire, wheel.stop]).flatten()
    }

    /// Removes all joints. The anchor stays.
    pub fn remove(&mut self, joints: &mut ImpulseJointSet) {
        for handle in self.handles() {
            joints.remove(handle, false);
        }
        self.wheels = None;
    }

    /// Makes the joints those of the vehicle's rows, after its update and before the world's step.
    pub(crate) fn update<V: Drivable>(
        &mut self,
        actor: &Actor,
        vehicle: &mut V,
        world: &mut JointWorld<'_>,
    ) {
        if self.is_empty() && has_no_rows(vehicle) {
            return;
        }
        let wheel_count = vehicle.axles().wheel_count();
        let wheels = self.wheels.get_or_insert_default();
        if wheels.len() != wheel_count {
            wheels.clear();
            wheels.resize(wheel_count, WheelJoints::default());
        }
        let last_dt = if 0.0 < self.dt { self.dt } else { world.dt };
        self.dt = world.dt;
        let chassis = start_of_step(actor, vehicle, world.bodies);
        let params = vehicle.body_params();
        let velocity = BodyVelocity {
            linear: chassis.linear_velocity,
            angular: chassis.angular_velocity,
            inverse_mass: 1.0 / params.mass,
            inverse_inertia: world_inverse_inertia(params, chassis.pose.rotation),
        };
        for wheel in 0..wheel_count {
            let rows = vehicle.wheel_rows(wheel);
            let joints = &mut wheels[wheel];
            let Some(mut host) = rows_to_execute(&rows, &chassis, world.dt) else {
                world.place(&mut joints.tire, actor.body, None);
                world.place(&mut joints.stop, actor.body, None);
                continue;
            };
            let road = vehicle.road(wheel);
            let footing = footing(&mut self.anchor, road.as_ref(), &chassis, &host.stand, world);
            let stand =
                Stand { actor, chassis: &chassis, velocity: &velocity, footing, dt: world.dt };
            let forces = world.tire_forces(joints.tire, actor.body, last_dt);
            let tire = stand.tire(&mut host, rows.max_friction_impulse, forces);
            let stop = stand.stop(&host);
            world.place(&mut joints.tire, actor.body, tire.map(|joint| (footing.body, joint)));
            world.place(&mut joints.stop, actor.body, stop.map(|joint| (footing.body, joint)));
            vehicle.mechanics().state.rows.edit(wheel, |written| {
                written.longitudinal = host.longitudinal;
                written.lateral = host.lateral.or(written.lateral);
            });
        }
    }
}

/// The rows of a wheel that are the host's to execute; `None` if there is none. The row of the
/// suspension's end is among them only if that may be reached in a step of `dt` (s).
fn rows_to_execute(rows: &WheelRows, chassis: &RigidBodyState, dt: Real) -> Option<HostRows> {
    let rows = rows.host_rows()?;
    let limit = rows.limit.filter(|row| is_in_reach(row, rows.stand.gap, chassis, dt));
    let is_any = rows.longitudinal.is_some() || rows.lateral.is_some() || limit.is_some();
    is_any.then_some(HostRows { limit, ..rows })
}

impl JointWorld<'_> {
    /// Forces of the joint of a tire of `chassis` in the world's last step (N), of `last_dt` (s),
    /// along and across.
    fn tire_forces(
        &self,
        joint: Option<ImpulseJointHandle>,
        chassis: RigidBodyHandle,
        last_dt: Real,
    ) -> [Real; 2] {
        let joint = joint.and_then(|handle| self.joints.get(handle));
        let additional = self.bodies[chassis].additional_solver_iterations();
        let dt = last_dt / (self.solver_iterations + additional).max(1) as Real;
        joint.map_or([0.0; 2], |joint| tire_forces(&joint.data, dt))
    }

    /// Inserts, updates or removes a joint to `chassis`, so that it is the one from the body that
    /// is `wanted`.
    fn place(
        &mut self,
        present: &mut Option<ImpulseJointHandle>,
        chassis: RigidBodyHandle,
        wanted: Option<(RigidBodyHandle, GenericJoint)>,
    ) {
        // A joint is gone if the ground's body is.
        let found = present.take().filter(|&handle| self.joints.contains(handle));
        *present = match (found, wanted) {
            (None, None) => None,
            (None, Some((ground, joint))) => {
                Some(self.joints.insert(ground, chassis, joint, false))
            }
            (Some(handle), None) => {
                self.joints.remove(handle, false);
                None
            }
            (Some(handle), Some((ground, joint))) => {
                self.joints.set_bodies(handle, ground, chassis, false);
                if let Some(present) = self.joints.get_mut(handle, false) {
                    present.data = with_impulses_of(joint, &present.data);
                }
                Some(handle)
            }
        };
    }
}

/// `joint`, warm from the last step of `previous`.
fn with_impulses_of(mut joint: GenericJoint, previous: &GenericJoint) -> GenericJoint {
    for (motor, previous) in joint.motors.iter_mut().zip(&previous.motors) {
        motor.impulse = previous.impulse;
    }
    for (limit, previous) in joint.limits.iter_mut().zip(&previous.limits) {
        limit.impulse = previous.impulse;
    }
    joint
}

fn has_no_rows<V: Drivable>(vehicle: &V) -> bool {
    vehicle.axles().wheels().all(|wheel| vehicle.wheel_rows(wheel).host_rows().is_none())
}

/// Motion of the vehicle's body at the start of the world's step.
fn start_of_step<V: Drivable>(actor: &Actor, vehicle: &V, bodies: &RigidBodySet) -> RigidBodyState {
    let state = *vehicle.body();
    RigidBodyState {
        pose: *bodies[actor.body].position() * actor.center_of_mass,
        linear_velocity: state.previous_linear_velocity,
        angular_velocity: state.previous_angular_velocity,
        ..state
    }
}

/// Ground at which the joints of a wheel that stands on `road` begin.
fn footing(
    anchor: &mut Option<RigidBodyHandle>,
    road: Option<&RoadContact>,
    chassis: &RigidBodyState,
    stand: &HostStand,
    world: &mut JointWorld<'_>,
) -> Footing {
    let carrier = road.and_then(|road| carrier(road, world));
    let handle = carrier.unwrap_or_else(|| anchor_in(anchor, world.bodies));
    let point = chassis.pose.transform_point(stand.arm);
    let is_passed = carrier.is_none() && road.is_some_and(|road| road.velocity != Vector::ZERO);
    let footing = Footing::new(&world.bodies[handle], handle, point, world.dt - stand.dt);
    Footing { is_passed, ..footing }
}

/// The ground's body if it is one to which joints are made.
fn carrier(road: &RoadContact, world: &JointWorld<'_>) -> Option<RigidBodyHandle> {
    let handle = world.colliders.get(ground_collider(road.ground))?.parent()?;
    let body = world.bodies.get(handle)?;
    let carries = if body.is_kinematic() {
        body.is_moving()
    } else {
        body.is_dynamic() && world.pushes_ground && !body.is_sleeping()
    };
    carries.then_some(handle)
}

/// The anchor, inserted if there is none.
fn anchor_in(anchor: &mut Option<RigidBodyHandle>, bodies: &mut RigidBodySet) -> RigidBodyHandle {
    let found = anchor.filter(|&handle| bodies.contains(handle));
    *anchor.insert(found.unwrap_or_else(|| bodies.insert(RigidBodyBuilder::fixed())))
}
