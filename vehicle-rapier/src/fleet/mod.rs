//! Fleets: many vehicles of any types in one world, updated by all threads at hand.
//!
//! | phase | who works | reads | → writes |
//! |---|---|---|---|
//! | [`Fleet::begin`] | the caller | orders, the bodies | the vehicles; bodies wake |
//! | [`Fleet::advance`] | all threads of the rayon pool | the world | each vehicle itself |
//! | [`Fleet::end`] | the caller, in a fixed order | the vehicles | the bodies, samples |
//!
//! [`Fleet::update`] does all three, and [`Fleet::step`] steps the world, too. No vehicle sees what
//! another does in the same step, so the number of threads changes no bit. What wheels do to other
//! vehicles reaches their bodies in any order.
//!
//! Vehicles of a type that were inserted one after the other and share their `sequence` take each
//! stage side by side, [eight](vehicle_core::sequence::SIDE_BY_SIDE) at a time. So the stage's code
//! is loaded into the processor's nearest cache once for all of them. Even on one thread, many
//! vehicles take a tenth to a fifth less time than by [`RapierVehicle::update`] of each, with the
//! same bits. Clone the [`Arc`](std::sync::Arc) of a sequence, as below, instead of building one
//! for each vehicle.
//!
//! Vehicles from files take part as all others do: `fleet.insert(model.insert(&mut world, pose))`,
//! and those of one [`AnyVehicle`](crate::vehicle_file::AnyVehicle) share their sequence.
//!
//! A fleet works in the thread pool from which it is called. Outside of any pool, rayon's global
//! pool does the work. Each call then allocates a little and takes some microseconds longer. So
//! call it inside
//! [`ThreadPool::install`](https://docs.rs/rayon/latest/rayon/struct.ThreadPool.html#method.install).
//! Without the feature `rayon` the caller does all of the work, with the same bits.
//!
//! ```
//! use rapier3d::prelude::*;
//! use vehicle_rapier::core::blueprint::CarBlueprint;
//! use vehicle_rapier::core::commands::CommandResponseParams;
//! use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle, direct_drive::Gear};
//! use vehicle_rapier::fleet::Fleet;
//! use vehicle_rapier::{Chassis, RapierVehicle};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut world = PhysicsWorld::new();
//! world.insert_collider(ColliderBuilder::cuboid(500.0, 1.0, 500.0), None);
//!
//! let mechanics = CarBlueprint::default().mechanics()?;
//! let throttle = CommandResponseParams::linear(500.0, [0.0, 0.0, 1.0, 1.0]);
//! let params = std::sync::Arc::new(DirectDriveParams { mechanics, throttle });
//! let sequence = std::sync::Arc::new(DirectDriveVehicle::sequence());
//!
//! let mut fleet = Fleet::new();
//! let mut cars = Vec::new();
//! for place in 0..10 {
//!     let place = Pose::from_translation(Vector::new(5.0 * place as Real, 1.8, 0.0));
//!     let hull = ColliderBuilder::cuboid(0.9, 0.4, 2.2).density(0.0);
//!     let chassis = Chassis::new(&params.mechanics.rigid_body).pose(place).collider(hull);
//!     let mut vehicle = DirectDriveVehicle::new(params.clone())?;
//!     vehicle.controls.gear = Gear::Forward;
//!     cars.push(fleet.insert(RapierVehicle::insert(&mut world, chassis, vehicle, sequence.clone())));
//! }
//! for _ in 0..60 {
//!     for (_, car) in fleet.iter_mut::<DirectDriveVehicle>() {
//!         car.vehicle.commands.throttle = 0.5;
//!     }
//!     for fault in fleet.step(&mut world) {
//!         eprintln!("{fault}");
//!     }
//! }
//! assert!(fleet[cars[3]].vehicle.state.mechanics.wheels.of(2).rotation_speed > 0.0);
//! # Ok(())
//! # }
//! ```

mod group;
pub mod orders;
pub mod recording;
mod together;
mod tow;

use std::any::TypeId;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::ParamErrors;

use self::group::{AnyGroup, Group};
pub use self::together::update_together;
use self::tow::Tow;
pub use self::tow::TowError;
use crate::actor::{Activity, Actor};
use crate::detail::Detail;
use crate::drivable::Drivable;
use crate::scene::Scene;
use crate::vehicle::{RapierVehicle, StepError};

/// Identifier of a vehicle in a fleet, of any type. It stays the same until the vehicle is removed,
/// and is not given again. It says nothing about its fleet: in another fleet, it may belong to
/// another vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct VehicleId {
    group: u32,
    slot: u32,
    generation: u32,
}

impl fmt::Display for VehicleId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.group, self.slot, self.generation)
    }
}

/// Handle of a vehicle of type `V` in a fleet. Use it with this fleet alone: another one may have a
/// vehicle of the same [identifier](VehicleId).
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "", transparent)]
pub struct VehicleHandle<V> {
    id: VehicleId,
    #[serde(skip)]
    kind: PhantomData<fn() -> V>,
}

impl<V> VehicleHandle<V> {
    /// Identifier of the vehicle, without its type.
    pub fn id(self) -> VehicleId {
        self.id
    }

    fn new(id: VehicleId) -> Self {
        Self { id, kind: PhantomData }
    }
}

impl<V> Clone for VehicleHandle<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for VehicleHandle<V> {}

impl<V> PartialEq for VehicleHandle<V> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<V> Eq for VehicleHandle<V> {}

impl<V> PartialOrd for VehicleHandle<V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<V> Ord for VehicleHandle<V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.id.cmp(&other.id)
    }
}

impl<V> Hash for VehicleHandle<V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl<V> From<VehicleHandle<V>> for VehicleId {
    fn from(handle: VehicleHandle<V>) -> Self {
        handle.id
    }
}

/// A vehicle that took no part in a step, and why; the others did.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("vehicle {vehicle}: {error}")]
#[non_exhaustive]
pub struct VehicleFault {
    /// The vehicle.
    pub vehicle: VehicleId,
    /// The error of its step.
    pub error: StepError,
}

/// The fleet has no such vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the fleet has no vehicle {0}: was it removed?")]
pub struct UnknownVehicle(pub VehicleId);

/// Vehicles of any types in one world.
#[derive(Default)]
pub struct Fleet {
    /// The vehicles of each type, in the order in which types came.
    groups: Vec<Box<dyn AnyGroup>>,
    tows: Vec<Tow>,
    faults: Vec<VehicleFault>,
    steps: u64,
}

impl fmt::Debug for Fleet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fleet")
            .field("vehicles", &self.len())
            .field("tows", &self.tows)
            .field("faults", &self.faults)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}

impl Fleet {
    /// A fleet without vehicles.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in a vehicle, whose body is in the world.
    pub fn insert<V: Drivable + Send + Sync + 'static>(
        &mut self,
        vehicle: RapierVehicle<V>,
    ) -> VehicleHandle<V> {
        let (index, group) = self.group_of::<V>();
        VehicleHandle::new(group.insert(index, vehicle))
    }

    /// Takes a vehicle out, `None` if it is not there. Its body stays in the world, see
    /// [`RapierVehicle::remove`].
    pub fn remove<V: Drivable + Send + Sync + 'static>(
        &mut self,
        vehicle: VehicleHandle<V>,
    ) -> Option<RapierVehicle<V>> {
        let removed = self.group_mut::<V>()?.remove(vehicle.id)?;
        self.tows.retain(|tow| !tow.has(vehicle.id));
        Some(removed)
    }

    /// A vehicle, `None` if it is not there.
    pub fn get<V: Drivable + Send + Sync + 'static>(
        &self,
        vehicle: VehicleHandle<V>,
    ) -> Option<&RapierVehicle<V>> {
        self.group::<V>()?.get(vehicle.id)
    }

    /// A vehicle to be changed, `None` if it is not there.
    pub fn get_mut<V: Drivable + Send + Sync + 'static>(
        &mut self,
        vehicle: VehicleHandle<V>,
    ) -> Option<&mut RapierVehicle<V>> {
        self.group_mut::<V>()?.get_mut(vehicle.id)
    }

    /// The vehicles of type `V`.
    pub fn iter<V: Drivable + Send + Sync + 'static>(
        &self,
    ) -> impl Iterator<Item = (VehicleHandle<V>, &RapierVehicle<V>)> {
        self.group::<V>().into_iter().flat_map(Group::iter)
    }

    /// The vehicles of type `V`, to be changed.
    pub fn iter_mut<V: Drivable + Send + Sync + 'static>(
        &mut self,
    ) -> impl Iterator<Item = (VehicleHandle<V>, &mut RapierVehicle<V>)> {
        self.group_mut::<V>().into_iter().flat_map(Group::iter_mut)
    }

    /// Number of vehicles.
    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| group.len()).sum()
    }

    /// Whether there is no vehicle.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there is such a vehicle.
    pub fn contains(&self, vehicle: impl Into<VehicleId>) -> bool {
        let id = vehicle.into();
        self.groups.get(id.group as usize).is_some_and(|group| group.contains(id))
    }

    /// Whether a vehicle was updated in the last step, or why it was skipped: its body sleeps or is
    /// disabled. `None` if it had a [fault](VehicleFault) or is not there; asleep before its first
    /// step.
    pub fn activity(&self, vehicle: impl Into<VehicleId>) -> Option<Activity> {
        let id = vehicle.into();
        self.groups.get(id.group as usize)?.activity(id)
    }

    /// Sets the detail of each vehicle to what `detail` returns for it, such as by its distance
    /// from the camera.
    pub fn set_detail(&mut self, mut detail: impl FnMut(VehicleId, &Actor) -> Detail) {
        for group in &mut self.groups {
            group.set_detail(&mut detail);
        }
    }

    /// Number of steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Updates the vehicles, then steps the world; the faults of vehicles that took no part.
    #[must_use = "vehicles with a fault took no part in the step"]
    pub fn step(&mut self, world: &mut PhysicsWorld) -> &[VehicleFault] {
        let _ = self.update(&mut *world);
        world.step();
        &self.faults
    }

    /// Updates the vehicles, before the world's step; the faults of vehicles that took no part.
    ///
    /// A vehicle with a fault stays as it was, see [`RapierVehicle::update`].
    #[must_use = "vehicles with a fault took no part in the step"]
    pub fn update<'a>(&mut self, scene: impl Into<Scene<'a>>) -> &[VehicleFault] {
        let mut scene = scene.into();
        self.begin(&mut scene);
        self.advance(&scene);
        let _ = self.end(&mut scene);
        &self.faults
    }

    /// The first of the three phases of [`update`](Self::update), for those who want to do
    /// something in between, such as to read the clock.
    pub fn begin(&mut self, scene: &mut Scene<'_>) {
        self.faults.clear();
        tow::release_towed(&self.tows, &mut self.groups, scene.bodies);
        for group in &mut self.groups {
            group.begin(scene);
        }
    }

    /// The second phase: the vehicles that are awake advance, at the same time.
    pub fn advance(&mut self, scene: &Scene<'_>) {
        let queries = scene.queries();
        for group in &mut self.groups {
            group.advance(&queries);
        }
    }

    /// The last phase; the faults of vehicles that took no part.
    #[must_use = "vehicles with a fault took no part in the step"]
    pub fn end(&mut self, scene: &mut Scene<'_>) -> &[VehicleFault] {
        let pushes_ground = self.groups.iter().any(|group| group.pushes_ground());
        if pushes_ground {
            for group in &mut self.groups {
                group.push(scene);
            }
        }
        for group in &mut self.groups {
            group.end(scene, pushes_ground, &mut self.faults);
        }
        for group in &mut self.groups {
            group.record(self.steps);
        }
        self.steps += 1;
        &self.faults
    }

    /// Shifts the origin of each vehicle by a checked `shift` (m).
    pub(crate) fn shift_vehicles(&mut self, shift: Vector) -> Result<(), ParamErrors> {
        self.groups.iter_mut().try_for_each(|group| group.shift_origin(shift))
    }

    fn position<V: 'static>(&self) -> Option<usize> {
        self.groups.iter().position(|group| group.kind() == TypeId::of::<V>())
    }

    fn group<V: Drivable + Send + Sync + 'static>(&self) -> Option<&Group<V>> {
        self.groups[self.position::<V>()?].as_any().downcast_ref()
    }

    fn group_mut<V: Drivable + Send + Sync + 'static>(&mut self) -> Option<&mut Group<V>> {
        let position = self.position::<V>()?;
        self.groups[position].as_any_mut().downcast_mut()
    }

    /// The group of vehicles of type `V`, and its number.
    fn group_of<V: Drivable + Send + Sync + 'static>(&mut self) -> (u32, &mut Group<V>) {
        let position = self.position::<V>().unwrap_or_else(|| {
            self.groups.push(Box::new(Group::<V>::default()));
            self.groups.len() - 1
        });
        let group = self.groups[position].as_any_mut().downcast_mut();
        (position as u32, group.expect("a group is found by the type of its vehicles"))
    }
}

impl<V: Drivable + Send + Sync + 'static> Index<VehicleHandle<V>> for Fleet {
    type Output = RapierVehicle<V>;

    /// # Panics
    ///
    /// If the vehicle is not there.
    fn index(&self, vehicle: VehicleHandle<V>) -> &RapierVehicle<V> {
        self.get(vehicle).unwrap_or_else(|| panic!("{}", UnknownVehicle(vehicle.id)))
    }
}

impl<V: Drivable + Send + Sync + 'static> IndexMut<VehicleHandle<V>> for Fleet {
    /// # Panics
    ///
    /// If the vehicle is not there.
    fn index_mut(&mut self, vehicle: VehicleHandle<V>) -> &mut RapierVehicle<V> {
        self.get_mut(vehicle).unwrap_or_else(|| panic!("{}", UnknownVehicle(vehicle.id)))
    }
}
