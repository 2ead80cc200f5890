//! What vehicles are made of, and how they come into the world, are made anew there, and leave it.

use std::path::Path;
use std::sync::Arc;

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{Quat, Vec3};
use bevy_reflect::prelude::*;
use bevy_time::{Fixed, Time};
use bevy_transform::prelude::Transform;
use rapier3d::prelude::*;
use vehicle_rapier::ActorError;
use vehicle_rapier::drawing::DrawnPoses;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::vehicle_file::{
    AnyRapierVehicle, AnyVehicle, FileChange, RemakeError, VehicleFileError,
};

use crate::{DriverCommands, PlayerInputs, RapierWorld, TowedBy, VehicleFault};

/// The model of a vehicle. An entity that gets it becomes a vehicle in the next fixed update, with
/// its body where its [`Transform`] is, and an entity for each wheel as its children. From then on
/// the transforms follow the world, between two steps as well; one that is set moves the vehicle
/// there, at rest, with its trailers. They are those of the world: the entity must have no parent,
/// or one whose transform is the identity.
///
/// Another model in its place makes the vehicle anew while it drives: a
/// [`VehicleModelMessage::Remade`] tells what has changed. An entity that is despawned takes its
/// vehicle out of the world.
#[derive(Component, Reflect, Clone, Debug)]
#[reflect(opaque)]
#[reflect(Component, Clone, Debug)]
#[require(Transform, DriverCommands)]
pub struct VehicleModel(pub Arc<AnyVehicle>);

impl VehicleModel {
    /// The preset of this `name`, such as `hot_hatch`.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn preset(name: &str) -> Result<Self, VehicleFileError> {
        AnyVehicle::preset(name).map(Self::from)
    }

    /// The vehicle of the file at `path`, in the format of its extension: `json`, `ron` or `toml`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read; all faults of the vehicle, with their places.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, VehicleFileError> {
        AnyVehicle::load(path).map(Self::from)
    }
}

impl From<AnyVehicle> for VehicleModel {
    fn from(vehicle: AnyVehicle) -> Self {
        Self(Arc::new(vehicle))
    }
}

/// News of the model of a vehicle. Bevy's reflection sees none of its fields.
#[derive(Message, Reflect, Clone, Debug, PartialEq)]
#[reflect(opaque)]
#[reflect(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum VehicleModelMessage {
    /// The vehicle has been made anew of another model.
    Remade {
        /// The vehicle.
        vehicle: Entity,
        /// Fields in which the file of the new model differs from that of the old one.
        changes: Vec<FileChange>,
        /// Whether it drives on in its gear and with what its wheels and springs do. Otherwise it
        /// is a vehicle of another kind, and only its place and velocity are the same.
        drives_on: bool,
    },
    /// The file of the vehicle has faults: it stays as it is.
    Refused {
        /// The vehicle.
        vehicle: Entity,
        /// All faults, with their places in the file.
        error: String,
    },
}

/// A vehicle that is in the world. Taking this away takes the vehicle out, and the next fixed
/// update puts it there anew. Bevy's reflection knows it, but sees none of its fields.
#[derive(Component, Reflect)]
#[reflect(Component, from_reflect = false)]
#[component(on_remove = leave_world)]
pub struct VehicleInWorld {
    /// The vehicle: all that can be read and set beside its commands.
    #[reflect(ignore)]
    pub car: AnyRapierVehicle,
    #[reflect(ignore)]
    pub(crate) poses: DrawnPoses,
    #[reflect(ignore)]
    pub(crate) lever: Selector,
    /// The model of which the vehicle has been made.
    #[reflect(ignore)]
    pub(crate) model: Arc<AnyVehicle>,
    /// Where its entity has been put last.
    #[reflect(ignore)]
    pub(crate) shown: (Vec3, Quat),
}

/// A wheel, a child of the entity of its vehicle. It turns about its lateral axis: +x in vehicles
/// that look along +z.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Clone, Debug, PartialEq)]
pub struct VehicleWheel {
    /// Number of the wheel in its vehicle.
    pub index: usize,
}

/// An entity that is to become a vehicle.
type New<'a> = (Entity, &'a VehicleModel, &'a Transform, Option<&'a TowedBy>);

/// Puts new vehicles into the world, tractors before their trailers.
pub(crate) fn insert(
    mut world: ResMut<RapierWorld>,
    time: Res<Time<Fixed>>,
    new: Query<New, (Without<VehicleInWorld>, Without<VehicleFault>)>,
    present: Query<&VehicleInWorld>,
    mut commands: Commands,
) {
    let dt = time.timestep().as_secs_f32();
    let mut waiting: Vec<_> = new.iter().collect();
    let mut made: Vec<(Entity, VehicleInWorld)> = Vec::new();
    loop {
        let (ready, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(.., towed)| {
            towed.is_none_or(|towed| find(towed.tractor, &made, &present).is_some())
        });
        if ready.is_empty() {
            break;
        }
        for (entity, model, transform, towed) in ready {
            let tractor = towed.and_then(|towed| find(towed.tractor, &made, &present));
            let behind = towed.zip(tractor);
            match put(&mut world.0, model, transform, behind, dt) {
                Ok(vehicle) => made.push((entity, vehicle)),
                Err(fault) => {
                    commands.entity(entity).insert(fault);
                }
            }
        }
        waiting = later;
    }
    for (entity, vehicle) in made {
        spawn_wheels(&mut commands, entity, 0..vehicle.car.wheel_count());
        commands.entity(entity).insert(vehicle);
    }
}

/// The vehicle of `entity`, among those that have been `made` in this step and those `present`.
fn find<'a>(
    entity: Entity,
    made: &'a [(Entity, VehicleInWorld)],
    present: &'a Query<&VehicleInWorld>,
) -> Option<&'a AnyRapierVehicle> {
    let new = made.iter().find(|(other, _)| *other == entity).map(|(_, vehicle)| vehicle);
    new.or_else(|| present.get(entity).ok()).map(|vehicle| &vehicle.car)
}

fn put(
    world: &mut PhysicsWorld,
    model: &VehicleModel,
    transform: &Transform,
    behind: Option<(&TowedBy, &AnyRapierVehicle)>,
    dt: Real,
) -> Result<VehicleInWorld, VehicleFault> {
    let pose = match behind {
        Some((towed, tractor)) => towed.place(tractor, &model.0, world)?,
        None => pose_of(transform)?,
    };
    let car = model.0.insert(world, pose);
    let poses = DrawnPoses::new(&car, &world.bodies, dt)?;
    Ok(VehicleInWorld {
        car,
        poses,
        lever: Selector::Drive,
        model: Arc::clone(&model.0),
        shown: (transform.translation, transform.rotation),
    })
}

/// The pose of a body (m) where `transform` is.
pub(crate) fn pose_of(transform: &Transform) -> Result<Pose, VehicleFault> {
    let (place, turn) = (transform.translation, transform.rotation);
    let is_place = place.is_finite() && turn.is_finite() && turn.is_normalized();
    if !is_place {
        return Err(VehicleFault::Place(*transform));
    }
    let place = Vector::from_array(place.to_array());
    Ok(Pose::from_parts(place, Rotation::from_array(turn.to_array())))
}

fn spawn_wheels(commands: &mut Commands, vehicle: Entity, wheels: std::ops::Range<usize>) {
    for index in wheels {
        commands.spawn((VehicleWheel { index }, Transform::default(), ChildOf(vehicle)));
    }
}

/// A vehicle and its model, which may be another than that of which it was made.
type Remade<'a> = (Entity, &'a VehicleModel, &'a mut VehicleInWorld, Option<&'a mut PlayerInputs>);

/// Makes vehicles anew whose model is another.
pub(crate) fn remake(
    mut world: ResMut<RapierWorld>,
    time: Res<Time<Fixed>>,
    mut vehicles: Query<Remade, Without<VehicleFault>>,
    wheels: Query<(Entity, &VehicleWheel, &ChildOf)>,
    mut messages: MessageWriter<VehicleModelMessage>,
    mut commands: Commands,
) {
    for (entity, model, mut vehicle, player) in &mut vehicles {
        if Arc::ptr_eq(&model.0, &vehicle.model) {
            continue;
        }
        let (before, count) = (Arc::clone(&vehicle.model), vehicle.car.wheel_count());
        match vehicle.become_another(model, &mut world.0, time.timestep().as_secs_f32()) {
            Ok(drives_on) => {
                let changes = before.file().changes_to(model.0.file());
                messages.write(VehicleModelMessage::Remade { vehicle: entity, changes, drives_on });
            }
            Err(error) => {
                commands.entity(entity).insert(VehicleFault::from(error));
                continue;
            }
        }
        if let Some(mut player) = player {
            player.fit_again();
        }
        let wheel_count = vehicle.car.wheel_count();
        for (wheel, VehicleWheel { index }, parent) in &wheels {
            if parent.parent() == entity && wheel_count <= *index {
                commands.entity(wheel).try_despawn();
            }
        }
        spawn_wheels(&mut commands, entity, count..wheel_count);
    }
}

impl VehicleInWorld {
    /// Becomes a vehicle of `model` where it is. Whether it drives on with what it remembers; one
    /// of another kind has only its place and velocity.
    fn become_another(
        &mut self,
        model: &VehicleModel,
        world: &mut PhysicsWorld,
        dt: Real,
    ) -> Result<bool, ActorError> {
        let drives_on = match self.car.remake(&model.0, &mut *world) {
            Ok(()) => true,
            Err(RemakeError::Actor(error)) => return Err(error),
            Err(_) => {
                self.begin_as(&model.0, world)?;
                false
            }
        };
        if self.poses.wheel_count() != self.car.wheel_count() {
            self.poses = DrawnPoses::new(&self.car, &world.bodies, dt)?;
        }
        self.model = Arc::clone(&model.0);
        Ok(drives_on)
    }

    /// Puts a vehicle of `model` in the place of this one, no deeper than its springs let it stand,
    /// with its velocity.
    fn begin_as(&mut self, model: &AnyVehicle, world: &mut PhysicsWorld) -> Result<(), ActorError> {
        let mut pose = self.car.pose(&world.bodies)?;
        let gravity = world.gravity.length();
        let rise = model.standing_height(gravity) - self.model.standing_height(gravity);
        let up = self.car.params.coordinates.frame.vertical();
        pose.translation += pose.rotation * up * rise.max(0.0);
        let velocity = world.bodies[self.car.body()].linvel();
        let car = model.insert(world, pose);
        std::mem::replace(&mut self.car, car).remove(world);
        self.lever = Selector::Drive;
        // The body has just been made, and the velocity is that of a body.
        let _ = self.car.set_velocity(&mut world.bodies, velocity);
        Ok(())
    }
}

/// Takes a vehicle out of the Rapier world, and its wheels out of that of the app.
fn leave_world(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let Some(vehicle) = world.get::<VehicleInWorld>(entity) else { return };
    let car = vehicle.car.clone();
    let children = world.get::<Children>(entity).map(|children| children.to_vec());
    for child in children.unwrap_or_default() {
        if world.get::<VehicleWheel>(child).is_some() {
            world.commands().entity(child).try_despawn();
        }
    }
    if let Some(mut rapier) = world.get_resource_mut::<RapierWorld>() {
        car.remove(&mut rapier.0);
    }
}
