//! Snapshots: a vehicle and its body between two steps, to save, to send, or to go back to.
//!
//! A [`VehicleSnapshot`] is a plain value for any format of serde: below 1 kB for a car in a binary
//! one. Whoever restores it drives on with the same bits, in the same build, with the same
//! parameters.
//!
//! There are two ways back:
//!
//! | | the world goes on | the world goes back, too |
//! |---|---|---|
//! | call | [`RapierVehicle::restore`] | [`RapierVehicle::restore_with_world`] |
//! | the body's pose, velocity, forces and sleep | from the snapshot | the world's |
//! | same bits | for a body that only its wheels hold | always |
//! | cost | one vehicle, and a search for contacts of all that is awake | all bodies, colliders, contacts and joints |
//!
//! # Rollback
//!
//! A game that learns too late what another player did goes back to that step and drives on from
//! there. Keep the snapshots of the last steps, and the commands of each:
//!
//! ```
//! # use rapier3d::prelude::*;
//! # use vehicle_rapier::prelude::*;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let mut world = PhysicsWorld::new();
//! # world.insert_collider(ColliderBuilder::cuboid(500.0, 1.0, 500.0), None);
//! # let mechanics = CarBlueprint::default().mechanics()?;
//! # let throttle = CommandResponseParams::linear(500.0, [0.0, 0.0, 1.0, 1.0]);
//! # let params = DirectDriveParams { mechanics, throttle };
//! # let place = Pose::from_translation(Vector::Y * 1.8);
//! # let hull = ColliderBuilder::cuboid(0.9, 0.4, 2.2).density(0.0);
//! # let chassis = Chassis::new(&params.mechanics.rigid_body).pose(place).collider(hull);
//! # let sequence = DirectDriveVehicle::sequence();
//! # let vehicle = DirectDriveVehicle::new(params)?;
//! # let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
//! # car.vehicle.controls.gear = Gear::Forward;
//! let mut snapshots = Vec::new();
//! for _ in 0..100 {
//!     snapshots.push(car.snapshot(&world.bodies)?);
//!     car.step(&mut world)?;
//! }
//! // The command of step 80 arrives after step 100.
//! car.restore(&mut world, &snapshots[80])?;
//! for _ in 80..100 {
//!     car.vehicle.commands.throttle = 1.0;
//!     car.step(&mut world)?;
//! }
//! # assert!(car.vehicle.state.mechanics.wheels.of(2).rotation_speed > 0.0);
//! # Ok(())
//! # }
//! ```
//!
//! Rapier remembers more than bodies: contacts and joints are warm from the last step. A body that
//! touches nothing, as a car on its wheels, has none of it. For cars that scrape, push each other
//! or pull a trailer, save the [`PhysicsWorld`] by serde: without its workspaces, it is what
//! bodies, colliders, contacts, islands and joints were. Put it back, and call
//! [`RapierVehicle::restore_with_world`] for every vehicle. Colliders of wheels, joints for
//! [rows](crate::row_joints) and forces on links of multibodies are parts of the world in this
//! sense, too.
//!
//! The vehicles of type `V` of a [`Fleet`](crate::Fleet) are saved in one line:
//!
//! ```
//! # use rapier3d::prelude::PhysicsWorld;
//! # use vehicle_rapier::drivetrain::DirectDriveVehicle;
//! # use vehicle_rapier::{Fleet, SnapshotError};
//! # fn save(fleet: &mut Fleet, world: &mut PhysicsWorld) -> Result<(), SnapshotError> {
//! let saved: Vec<_> = fleet
//!     .iter::<DirectDriveVehicle>()
//!     .map(|(handle, car)| Ok((handle, car.snapshot(&world.bodies)?)))
//!     .collect::<Result<_, SnapshotError>>()?;
//! for (handle, snapshot) in &saved {
//!     fleet[*handle].restore(world, snapshot)?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A snapshot from before a [shift of the origin](crate::origin_shift) is restored to the shifted
//! place, and [`RapierVehicle::restore_with_world`] goes back to the origin that the world had.
//!
//! A snapshot also knows the mass of the vehicle: whoever goes back to before it was loaded has it
//! without its load. All other parameters stay as they are now, such as springs, tires and driver
//! aids that were changed since. Aids that a snapshot does not know begin at rest. Another vehicle
//! file with the same [name](crate::VehicleFile::name) is taken for another set-up of the vehicle;
//! one with another name is refused. A saved game is more than snapshots: see
//! [`saved`](crate::saved).
//!
//! The vehicle may be of a type of your own: implement [`Persistent`] for it.
//!
//! A vehicle that is [listened to](crate::events) goes back with its events: those that have come
//! since and wait are forgotten, and the same come again. A snapshot of one that is not listened
//! to, such as a server's, has none, and the next step is the first that is listened to.

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::memory::{MAX_DISTANCE, MAX_LOAD, check_motion};
use vehicle_core::{ParamErrors, Persistent};
use vehicle_drivetrain::events::EventMemory;

use crate::actor::{Actor, ActorError, ActorMemory};
use crate::detail::{Detail, Look};
use crate::drivable::Drivable;
use crate::driver::forget_driven;
use crate::loaded_mass::LoadedMass;
use crate::lost_parts::LostParts;
use crate::origin_shift::shifted_pose;
use crate::reaction::LinkForces;
use crate::row_joints::RowJoints;
use crate::scene::WorldParts;
use crate::vehicle::RapierVehicle;
use crate::wheel_colliders::WheelColliders;

/// The version of the snapshots of this build: it changes with what they hold.
pub const SNAPSHOT_VERSION: u32 = 20;

/// A vehicle that remembers `M`, and its body, between two steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct VehicleSnapshot<M> {
    /// [`SNAPSHOT_VERSION`] of the build that has made it.
    pub version: u32,
    /// State of the vehicle between steps.
    pub vehicle: M,
    /// Motion of its body.
    pub body: BodyMotion,
    /// State of its actor between steps.
    pub actor: ActorMemory,
    /// How closely it is to be looked at.
    pub detail: Detail,
    /// How closely it has been looked at.
    pub look: Look,
    /// The joints for its rows, for a world that goes back, too.
    pub row_joints: RowJoints,
    /// Forces of the vehicle on links of multibodies, for a world that goes back, too.
    pub link_forces: LinkForces,
    /// Its load, lost wheels and colliders of wheels; `None` if it has none of them.
    pub parts: Option<Box<SnapshotParts>>,
    /// Where the origin of the world was, see [`RapierVehicle::origin`] (m); `None` if it has not
    /// been shifted. It is restored to the right place by a vehicle that knows its own: one that
    /// was inserted after [shifts](crate::origin_shift) is told by [`RapierVehicle::set_origin`].
    pub origin: Option<Vector>,
    /// What the vehicle's [events](crate::events) remember; `None` where nobody listens.
    pub events: Option<Box<EventMemory>>,
}

/// What few vehicles have, in a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SnapshotParts {
    /// The mass of the vehicle; `None` if that is the one that it was made with.
    pub mass: Option<LoadedMass>,
    /// What it has lost with its [wheels](crate::loose_wheels).
    pub lost_parts: LostParts,
    /// The colliders of its wheels, for a world that goes back, too.
    pub wheel_colliders: WheelColliders,
}

/// Motion of a body between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BodyMotion {
    /// Pose (m).
    pub pose: Pose,
    /// Velocity of the center of mass (m/s).
    pub linear_velocity: Vector,
    /// Angular velocity (rad/s).
    pub angular_velocity: Vector,
    /// Force that was added to it (N).
    pub force: Vector,
    /// Torque that was added to it (N·m).
    pub torque: Vector,
    /// Whether the body sleeps, and since when it could.
    pub activation: RigidBodyActivation,
}

/// Why a vehicle cannot be saved or restored; nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The snapshot is that of another build.
    #[error("the snapshot's version must be {SNAPSHOT_VERSION}, got {0}")]
    Version(u32),
    /// The body cannot be driven.
    #[error(transparent)]
    Actor(#[from] ActorError),
    /// The snapshot is not one of this vehicle, or has numbers that cannot be simulated.
    #[error(transparent)]
    Memory(#[from] ParamErrors),
    /// The vehicle was inserted where nothing can be simulated.
    #[error("{0}: it was inserted there; teleport puts it elsewhere")]
    Start(ParamErrors),
}

impl BodyMotion {
    /// The motion of `body`.
    pub fn of(body: &RigidBody) -> Self {
        let mut activation = *body.activation();
        // Whoever goes back drives the body anew, also one that was driven just now.
        activation.time_since_can_sleep += 0.0;
        Self {
            pose: *body.position(),
            linear_velocity: body.linvel(),
            angular_velocity: body.angvel(),
            force: body.user_force(),
            torque: body.user_torque(),
            activation,
        }
    }

    /// That of a body at rest at `pose` (m), which falls asleep as one of this motion.
    pub(crate) fn at_rest(pose: Pose, Self { activation, .. }: &Self) -> Self {
        Self {
            pose,
            linear_velocity: Vector::ZERO,
            angular_velocity: Vector::ZERO,
            force: Vector::ZERO,
            torque: Vector::ZERO,
            activation: *activation,
        }
    }

    /// The motion in a world whose origin is at `shift` (m).
    fn shifted(&self, shift: Vector) -> Self {
        Self { pose: shifted_pose(&self.pose, shift), ..*self }
    }

    fn check(&self, check: &mut ParamCheck) {
        check_motion(check, &self.pose, self.linear_velocity, self.angular_velocity);
        check.vector_within("force", self.force, MAX_LOAD);
        check.vector_within("torque", self.torque, MAX_LOAD);
        let activation = &self.activation;
        let numbers = [
            ("normalized_linear_threshold", activation.normalized_linear_threshold),
            ("angular_threshold", activation.angular_threshold),
            ("time_until_sleep", activation.time_until_sleep),
            ("time_since_can_sleep", activation.time_since_can_sleep),
        ];
        for (name, value) in numbers {
            check.number(format_args!("activation.{name}"), value, Bound::Finite);
        }
    }

    /// Writes all but the activation.
    fn write(&self, body: &mut RigidBody) {
        body.set_position(self.pose, false);
        let velocity = RigidBodyVelocity::new(self.linear_velocity, self.angular_velocity);
        body.set_vels(velocity, false);
        body.reset_forces(false);
        body.reset_torques(false);
        body.add_force(self.force, false);
        body.add_torque(self.torque, false);
    }
}

impl<V: Drivable + Persistent> RapierVehicle<V> {
    /// The vehicle as it is between two steps of the world.
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic.
    pub fn snapshot(
        &self,
        bodies: &RigidBodySet,
    ) -> Result<VehicleSnapshot<V::Memory>, SnapshotError> {
        Ok(VehicleSnapshot {
            version: SNAPSHOT_VERSION,
            vehicle: self.vehicle.memory(),
            body: BodyMotion::of(self.actor.dynamic_body(bodies)?),
            actor: self.actor.memory(),
            detail: self.detail,
            look: self.look,
            row_joints: self.row_joints.clone(),
            link_forces: self.link_forces.clone(),
            parts: self.snapshot_parts().map(Box::new),
            origin: Some(self.origin()).filter(|&origin| origin != Vector::ZERO),
            events: self.events.as_ref().map(|events| Box::new(events.memory().clone())),
        })
    }

    /// Goes back to `snapshot` with the vehicle and its body, in a world that goes on, and finds
    /// the contacts of the world anew. What the vehicle does to other bodies, by joints and forces,
    /// stays as it is until the next step. The vehicle and its body get the mass back that it had:
    /// what has been [loaded](Self::set_mass) since is gone, what has been dropped is there. Wheels
    /// that it has [lost](crate::loose_wheels) since are on again, and their bodies stay. All other
    /// parameters stay as they are. Restore all vehicles of a train: one that goes back alone is
    /// pulled by its joint, as after a [`teleport`](Self::teleport).
    ///
    /// Contacts that begin or end as they are found are told to no [`EventHandler`], and
    /// [`PhysicsHooks`] are not asked. Whoever needs either takes the world back, too. All that has
    /// been changed in the world since its last step takes effect: bodies wake whose ground is
    /// gone, for example.
    ///
    /// # Errors
    ///
    /// If the snapshot is that of another version, or of a vehicle with another number of wheels;
    /// if the body is gone or not dynamic. If it is that of a vehicle whose file has another
    /// [name](crate::VehicleFile::name). If it has numbers that are not finite or with which no
    /// step can be made, such as a rotation that is not of unit length. Nothing has changed then.
    pub fn restore(
        &mut self,
        world: &mut PhysicsWorld,
        snapshot: &VehicleSnapshot<V::Memory>,
    ) -> Result<(), SnapshotError> {
        self.restore_in(world, snapshot)
    }

    /// Goes back to `snapshot` in the sets of a world that goes on, as [`restore`](Self::restore)
    /// does.
    ///
    /// # Errors
    ///
    /// As of [`restore`](Self::restore).
    pub fn restore_in<'a>(
        &mut self,
        parts: impl Into<WorldParts<'a>>,
        snapshot: &VehicleSnapshot<V::Memory>,
    ) -> Result<(), SnapshotError> {
        let mut parts = parts.into();
        let shift = self.shift_since(snapshot);
        let motion = snapshot.body.shifted(shift);
        let is_loaded = self.recall(parts.bodies, snapshot, &motion, Load::OfSnapshot)?;
        self.shift_places(shift);
        let body = &mut parts.bodies[self.actor.body];
        if is_loaded {
            self.fit_body(body, Some(parts.colliders));
        }
        motion.write(body);
        self.wheel_colliders.leave_out(self.seldom.lost_parts().wheels(), parts.colliders);
        // The world wakes what was moved, and lets it wait for its sleep anew.
        parts.catch_up();
        *parts.bodies[self.actor.body].activation_mut() = motion.activation;
        Ok(())
    }

    /// Begins anew with the vehicle, which is to remember `vehicle`, and with its body at `pose`
    /// (m), in a world whose origin was at `origin` (m). The body is awake, and the vehicle is
    /// looked at as closely as it is now. What it was loaded with stays.
    pub(crate) fn begin_anew(
        &mut self,
        bodies: &mut RigidBodySet,
        vehicle: V::Memory,
        pose: Pose,
        origin: Option<Vector>,
    ) -> Result<(), SnapshotError> {
        let body = BodyMotion::of(self.actor.dynamic_body(bodies)?);
        let snapshot = VehicleSnapshot {
            version: SNAPSHOT_VERSION,
            vehicle,
            body: BodyMotion::at_rest(pose, &body),
            actor: Actor::new(self.actor.body, self.actor.center_of_mass).memory(),
            detail: self.detail,
            look: Look::NONE,
            row_joints: RowJoints::default(),
            link_forces: LinkForces::default(),
            parts: None,
            origin,
            events: None,
        };
        let motion = snapshot.body.shifted(self.shift_since(&snapshot));
        let is_loaded = self.recall(bodies, &snapshot, &motion, Load::Kept)?;
        let body = &mut bodies[self.actor.body];
        if is_loaded {
            self.fit_body(body, None);
        }
        motion.write(body);
        body.wake_up(true);
        Ok(())
    }

    /// Goes back to `snapshot` with the vehicle alone: its body is part of a world that was put
    /// back to the same step as a whole, joints and forces included. The vehicle may also be one
    /// that has [adopted](crate::Chassis::adopt) this body just now: the body gets its mass back.
    ///
    /// # Errors
    ///
    /// As of [`restore`](Self::restore); if colliders of its wheels are those of another body.
    pub fn restore_with_world(
        &mut self,
        bodies: &mut RigidBodySet,
        snapshot: &VehicleSnapshot<V::Memory>,
    ) -> Result<(), SnapshotError> {
        if let Some(parts) = &snapshot.parts {
            parts.wheel_colliders.check_owner(self.actor.body, bodies)?;
        }
        self.recall(bodies, snapshot, &snapshot.body, Load::OfSnapshot)?;
        let body = &mut bodies[self.actor.body];
        self.fit_body(body, None);
        forget_driven(body);
        self.seldom.set_origin(snapshot.origin.unwrap_or_default());
        let parts = snapshot.parts.as_deref();
        self.wheel_colliders = parts.map(|it| it.wheel_colliders.clone()).unwrap_or_default();
        self.row_joints.clone_from(&snapshot.row_joints);
        self.link_forces.clone_from(&snapshot.link_forces);
        Ok(())
    }

    /// Its load, lost wheels and colliders of wheels, if it has any of them.
    fn snapshot_parts(&self) -> Option<SnapshotParts> {
        let parts = SnapshotParts {
            mass: self.loaded_mass(),
            lost_parts: self.seldom.lost_parts().clone(),
            wheel_colliders: self.wheel_colliders.clone(),
        };
        Some(parts).filter(|parts| *parts != SnapshotParts::default())
    }

    /// How far the origin has been shifted since `snapshot` (m).
    fn shift_since(&self, snapshot: &VehicleSnapshot<V::Memory>) -> Vector {
        self.origin() - snapshot.origin.unwrap_or_default()
    }

    /// Checks everything, then goes back with all but the body, which is to have this `motion`, and
    /// what is the world's; whether the mass of the vehicle is another one.
    fn recall(
        &mut self,
        bodies: &RigidBodySet,
        snapshot: &VehicleSnapshot<V::Memory>,
        motion: &BodyMotion,
        load: Load,
    ) -> Result<bool, SnapshotError> {
        if snapshot.version != SNAPSHOT_VERSION {
            return Err(SnapshotError::Version(snapshot.version));
        }
        self.actor.dynamic_body(bodies)?;
        let mut check = ParamCheck::default();
        check.vector_within("origin", snapshot.origin.unwrap_or_default(), MAX_DISTANCE);
        check.field("body", |inner| motion.check(inner));
        check.field("actor", |inner| snapshot.actor.check(inner));
        let wheel_count = self.wheel_count();
        if let Some(events) = &snapshot.events {
            check.field("events", |inner| events.check(wheel_count, inner));
        }
        snapshot.lost_parts().check(wheel_count, &mut check);
        if let Some(mass) = snapshot.mass() {
            check.field("mass", |inner| mass.check(wheel_count, inner));
        }
        snapshot.link_forces.check(&mut check);
        if let Some(parts) = &snapshot.parts {
            parts.wheel_colliders.check(wheel_count, &mut check);
        }
        check.finish()?;
        let is_loaded = self.recall_vehicle(snapshot, load)?;
        self.actor.recall(&snapshot.actor);
        self.detail = snapshot.detail;
        self.look = snapshot.look;
        if let Some(events) = &mut self.events {
            events.recall(snapshot.events.as_deref());
        }
        Ok(is_loaded)
    }

    /// Goes back with the vehicle and its mass.
    fn recall_vehicle(
        &mut self,
        snapshot: &VehicleSnapshot<V::Memory>,
        load: Load,
    ) -> Result<bool, SnapshotError> {
        let has_lost_so = self.seldom.lost_parts() == snapshot.lost_parts();
        let is_loaded_so = load == Load::Kept || self.loaded_mass().as_ref() == snapshot.mass();
        if has_lost_so && is_loaded_so {
            self.vehicle.recall(&snapshot.vehicle)?;
            return Ok(false);
        }
        let before = (self.actor.center_of_mass, self.seldom.clone());
        let mechanics = self.vehicle.mechanical_params().clone();
        let is_loaded = match load {
            Load::OfSnapshot => self.load_as(snapshot.mass())?,
            Load::Kept => self.change_lost_parts(snapshot.lost_parts())?.is_some(),
        };
        self.seldom.set_lost_parts(snapshot.lost_parts().clone());
        if let Err(errors) = self.vehicle.recall(&snapshot.vehicle) {
            if is_loaded {
                self.vehicle.change_mechanics(mechanics)?;
            }
            (self.actor.center_of_mass, self.seldom) = before;
            return Err(errors.into());
        }
        Ok(is_loaded)
    }
}

impl<M> VehicleSnapshot<M> {
    fn mass(&self) -> Option<&LoadedMass> {
        self.parts.as_ref()?.mass.as_ref()
    }

    fn lost_parts(&self) -> &LostParts {
        self.parts.as_ref().map_or(LostParts::NONE, |parts| &parts.lost_parts)
    }
}

/// Which mass a vehicle has that goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Load {
    /// The one that it had.
    OfSnapshot,
    /// The one that it has, but for wheels that it has lost or gets back.
    Kept,
}
