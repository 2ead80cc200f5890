#![doc = include_str!("../README.md")]

use std::path::Path;
use std::sync::Arc;

use bevy::ecs::change_detection::Tick;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::query::QueryData;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use bevy_rapier3d::plugin::PhysicsSet;
use bevy_rapier3d::prelude::{
    RapierConfiguration, RapierContextColliders, RapierContextEntityLink, RapierContextJoints,
    RapierContextSimulation, RapierRigidBodyHandle, RapierRigidBodySet, RigidBody, TimestepMode,
};
use bevy_rapier3d::rapier::dynamics::RigidBodyHandle;
use bevy_rapier3d::rapier::geometry::ColliderHandle;
use bevy_rapier3d::rapier::math::{Pose, Real, Rotation, Vector};
use vehicle_rapier::core::ParamErrors;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::events::{EventParams, TimedEvent, VehicleEvents};
use vehicle_rapier::fleet::update_together;
use vehicle_rapier::placement::PlacementError;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle, VehicleFileError};
use vehicle_rapier::{ActorError, Scene, StepError, WheelColliders, WorldParts};

/// Distance by which a body is put elsewhere (m), and cosine of half the angle by which it is
/// turned: what is less comes of the rounding of transforms.
const MOVED: (Real, Real) = (0.01, 0.999_99);

/// Vehicles on bodies of bevy_rapier, updated before each of its steps.
///
/// It goes into the schedule of `RapierPhysicsPlugin`: [`PostUpdate`] unless that was told another.
#[derive(Clone, Copy, Debug, Default)]
pub struct VehiclePlugin {
    /// Whether bevy_rapier runs in [`FixedUpdate`], by its `in_fixed_schedule`.
    pub is_fixed: bool,
}

/// Makes its entity a vehicle. The entity gets a body of bevy_rapier, if it has none, where its
/// [`Transform`] is, and an entity for each wheel as its children. Colliders of the entity are
/// those of the vehicle; it has those of its file until one comes that is no sensor. None of them
/// adds mass.
///
/// A [`Transform`] that is set puts the vehicle there, at rest. A body that is moved itself, such
/// as by `car.restore_in` or `car.teleport` with `car.set_velocity`, goes on as it is told. Another
/// model in the place of this one makes the vehicle anew on its body.
#[derive(Component, Reflect, Clone, Debug)]
#[reflect(opaque)]
#[reflect(Component, Clone, Debug)]
#[require(Transform, RigidBody, DriverCommands)]
pub struct VehicleModel(pub Arc<AnyVehicle>);

impl VehicleModel {
    /// The preset of this `name`, such as `hot_hatch`.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn preset(name: &str) -> Result<Self, VehicleFileError> {
        AnyVehicle::preset(name).map(|vehicle| Self(Arc::new(vehicle)))
    }

    /// The vehicle of the file at `path`, in the format of its extension: `json`, `ron` or `toml`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read; all faults of the vehicle, with their places.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, VehicleFileError> {
        AnyVehicle::load(path).map(|vehicle| Self(Arc::new(vehicle)))
    }
}

/// Pedals, steering wheel and lever of a vehicle, as its driver holds them.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct DriverCommands {
    /// Accelerator, in [0, 1].
    pub throttle: f32,
    /// Foot brake, in [0, 1].
    pub brake: f32,
    /// Hand brake, in [0, 1].
    pub hand_brake: f32,
    /// Steering wheel, in [-1, 1], positive to the left.
    pub steer: f32,
    /// The lever of the gearbox. Bevy's reflection does not see it.
    #[reflect(ignore)]
    pub selector: Selector,
}

impl Default for DriverCommands {
    /// In gear, without a foot on a pedal.
    fn default() -> Self {
        let selector = Selector::Drive;
        Self { throttle: 0.0, brake: 0.0, hand_brake: 0.0, steer: 0.0, selector }
    }
}

/// A vehicle that has its body. Taking this away takes its wheels and the colliders of its file
/// away; the next update makes it anew.
#[derive(Component)]
#[component(on_remove = leave)]
pub struct Vehicle {
    /// The vehicle: all that can be read and set beside its commands.
    pub car: AnyRapierVehicle,
    /// The model of which it has been made.
    model: Arc<AnyVehicle>,
    /// The world in which it is.
    world: Entity,
    /// Colliders of its body.
    colliders: Vec<ColliderHandle>,
    /// Those of them that it has brought along.
    brought: Vec<ColliderHandle>,
    selector: Selector,
    /// Where its body was after the last step.
    place: Option<Pose>,
    /// Whether a transform has put it elsewhere, and it is to be at rest there.
    is_put: bool,
}

/// A wheel, a child of the entity of its vehicle. It turns about its lateral axis: +x in vehicles
/// that look along +z.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Clone, Debug, PartialEq)]
pub struct VehicleWheel {
    /// Number of the wheel in its vehicle.
    pub index: usize,
}

/// Lets a vehicle tell what happens to it, by these thresholds: as [`VehicleMessage`]s.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(opaque)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct VehicleListener(pub EventParams);

/// An event of a vehicle that has a [`VehicleListener`].
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(from_reflect = false, Clone, Debug, PartialEq)]
pub struct VehicleMessage {
    /// The vehicle.
    pub vehicle: Entity,
    /// The event with its time. Bevy's reflection does not see it.
    #[reflect(ignore)]
    pub event: TimedEvent,
}

/// Why a vehicle does not go on: it is left alone until this is taken away. Its body glides on as
/// it moved, without the vehicle's forces and its weight.
#[derive(Component, Reflect, Clone, Debug, PartialEq, thiserror::Error)]
#[reflect(opaque)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum VehicleFault {
    /// The vehicle's body is gone, or is not dynamic.
    #[error(transparent)]
    Body(#[from] ActorError),
    /// The vehicle's step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The vehicle cannot be put where its transform is.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The vehicle's [`VehicleListener`] has thresholds that are none.
    #[error("listener: {0}")]
    Listener(ParamErrors),
    /// Steps of bevy_rapier are not what vehicles need.
    #[error("TimestepMode must be Fixed with 1 substep, got {0}")]
    Timestep(String),
    /// bevy_rapier runs in another schedule than vehicles do.
    #[error(
        "VehiclePlugin {{ is_fixed: {is_fixed} }} must be in the schedule of RapierPhysicsPlugin, \
         which steps {}",
        other_schedule(.is_fixed)
    )]
    Schedule {
        /// Whether vehicles are updated in the fixed schedule: [`VehiclePlugin::is_fixed`].
        is_fixed: bool,
    },
}

/// Where bevy_rapier steps if vehicles are in the other schedule.
fn other_schedule(is_fixed: &bool) -> &'static str {
    if *is_fixed { "in PostUpdate" } else { "in FixedUpdate (in_fixed_schedule)" }
}

impl Plugin for VehiclePlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<VehicleMessage>()
            .register_type::<DriverCommands>()
            .register_type::<VehicleFault>()
            .register_type::<VehicleListener>()
            .register_type::<VehicleMessage>()
            .register_type::<VehicleModel>()
            .register_type::<VehicleWheel>();
        let drive = (forget, adopt, fit_colliders, update)
            .chain()
            .after(PhysicsSet::SyncBackend)
            .before(PhysicsSet::StepSimulation);
        let draw = draw_wheels.after(PhysicsSet::StepSimulation).before(PhysicsSet::Writeback);
        let before = note_before.before(PhysicsSet::SyncBackend);
        let after = note_after(self.is_fixed).after(PhysicsSet::Writeback).after(note_before);
        app.init_resource::<Before>();
        if self.is_fixed {
            app.add_systems(FixedUpdate, (drive, draw));
            app.add_systems(PostUpdate, (before, after));
        } else {
            app.add_systems(PostUpdate, (drive, draw));
            app.add_systems(FixedUpdate, (before, after));
        }
    }
}

/// When worlds of bevy_rapier were changed last, before its sets in the schedule in which vehicles
/// are not.
#[derive(Resource, Default)]
struct Before(Vec<(Entity, Tick)>);

type Stepped<'a> = (Entity, Ref<'a, RapierContextSimulation>);

fn note_before(worlds: Query<Stepped>, mut before: ResMut<Before>) {
    before.0.clear();
    before.0.extend(worlds.iter().map(|(world, simulation)| (world, simulation.last_changed())));
}

/// Finds worlds that have made a step since, and tells their vehicles: those are updated in another
/// schedule.
fn note_after(
    is_fixed: bool,
) -> impl FnMut(Query<Stepped>, Res<Before>, Query<Linked, Healthy>, Commands) {
    move |worlds, before, vehicles, mut commands| {
        for (world, simulation) in &worlds {
            let is_known = before.0.contains(&(world, simulation.last_changed()));
            let was_there = before.0.iter().any(|(other, _)| *other == world);
            if is_known || !was_there {
                continue;
            }
            for (entity, _) in vehicles.iter().filter(|(_, link)| link.0 == world) {
                commands.entity(entity).insert(VehicleFault::Schedule { is_fixed });
            }
        }
    }
}

/// A vehicle, and the world in which it is.
type Linked<'a> = (Entity, &'a RapierContextEntityLink);

/// Vehicles without a fault.
type Healthy = (With<VehicleModel>, Without<VehicleFault>);

/// The sets of a world of bevy_rapier.
type Sets = (
    Entity,
    &'static RapierConfiguration,
    &'static mut RapierRigidBodySet,
    &'static mut RapierContextColliders,
    &'static mut RapierContextJoints,
    &'static RapierContextSimulation,
);

/// A vehicle, and what its entity has now.
type Present<'a> = (
    Entity,
    &'a Vehicle,
    &'a VehicleModel,
    Option<&'a RapierRigidBodyHandle>,
    Option<&'a RapierContextEntityLink>,
);

/// Takes vehicles away that are of another model, on another body, or in another world, than their
/// entity has now.
fn forget(vehicles: Query<Present>, mut commands: Commands) {
    for (entity, vehicle, model, handle, link) in &vehicles {
        let is_on_it = handle.is_some_and(|handle| handle.0 == vehicle.car.body());
        let is_in_it = link.is_some_and(|link| link.0 == vehicle.world);
        if !is_on_it || !is_in_it || !Arc::ptr_eq(&model.0, &vehicle.model) {
            commands.entity(entity).remove::<Vehicle>();
        }
    }
}

/// Takes the wheels of a vehicle out of the app, and what it has brought along out of its world.
fn leave(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let Some(vehicle) = world.get::<Vehicle>(entity) else { return };
    let (mut car, of_world, brought) =
        (vehicle.car.clone(), vehicle.world, vehicle.brought.clone());
    // The body is bevy_rapier's, and stays.
    car.actor.body = RigidBodyHandle::invalid();
    let children = world.get::<Children>(entity).map(|children| children.to_vec());
    for child in children.unwrap_or_default() {
        if world.get::<VehicleWheel>(child).is_some() {
            world.commands().entity(child).try_despawn();
        }
    }
    world.commands().queue(move |world: &mut World| {
        let mut worlds = world.query::<Left>();
        let Ok(mut sets) = worlds.get_mut(world, of_world) else { return };
        let mut parts = parts(&mut sets);
        remove_colliders(&brought, &mut parts);
        car.remove_from(parts);
    });
}

/// The sets that a vehicle leaves.
type Left = (
    &'static mut RapierRigidBodySet,
    &'static mut RapierContextColliders,
    &'static mut RapierContextJoints,
    &'static mut RapierContextSimulation,
);

/// The parts of a world.
fn parts<'a>(
    (bodies, colliders, joints, simulation): &'a mut <Left as QueryData>::Item<'_, '_>,
) -> WorldParts<'a> {
    let RapierRigidBodySet { bodies, soft_bodies, .. } = &mut **bodies;
    let RapierContextJoints { impulse_joints, multibody_joints, .. } = &mut **joints;
    let RapierContextSimulation {
        islands, broad_phase, narrow_phase, integration_parameters, ..
    } = &mut **simulation;
    WorldParts {
        bodies,
        colliders: &mut colliders.colliders,
        islands,
        broad_phase,
        narrow_phase,
        impulse_joints,
        multibody_joints,
        soft_bodies,
        prediction_distance: integration_parameters.prediction_distance(),
    }
}

fn remove_colliders(handles: &[ColliderHandle], parts: &mut WorldParts<'_>) {
    let WorldParts { bodies, colliders, islands, soft_bodies, .. } = parts;
    for &handle in handles {
        colliders.remove(handle, islands, bodies, soft_bodies, true);
    }
}

/// Bodies that are to become vehicles.
type New = (Without<Vehicle>, Without<VehicleFault>);

fn adopt(
    mut worlds: Query<Sets>,
    new: Query<(Entity, &VehicleModel, &RapierRigidBodyHandle, &RapierContextEntityLink), New>,
    mut commands: Commands,
) {
    for (entity, model, handle, link) in &new {
        let Ok((_, _, mut bodies, mut colliders, ..)) = worlds.get_mut(link.0) else { continue };
        let before = colliders_of(&bodies, handle);
        match model.0.adopt(&mut bodies.bodies, &mut colliders.colliders, handle.0) {
            Ok(car) => {
                for index in 0..car.wheel_count() {
                    let wheel = (VehicleWheel { index }, Transform::default(), ChildOf(entity));
                    commands.spawn(wheel);
                }
                let colliders = colliders_of(&bodies, handle);
                let is_new = |collider: &&ColliderHandle| !before.contains(*collider);
                commands.entity(entity).insert(Vehicle {
                    car,
                    model: Arc::clone(&model.0),
                    world: link.0,
                    brought: colliders.iter().filter(is_new).copied().collect(),
                    colliders,
                    selector: Selector::Drive,
                    place: None,
                    is_put: false,
                });
            }
            Err(error) => {
                commands.entity(entity).insert(VehicleFault::from(error));
            }
        }
    }
}

fn colliders_of(
    bodies: &RapierRigidBodySet,
    handle: &RapierRigidBodyHandle,
) -> Vec<ColliderHandle> {
    bodies.bodies.get(handle.0).map(|body| body.colliders().to_vec()).unwrap_or_default()
}

/// Takes the mass of colliders that come to a vehicle, as of those that were there before it. A
/// hull among them takes the place of that of the file.
fn fit_colliders(
    mut worlds: Query<Left>,
    mut vehicles: Query<(&mut Vehicle, &RapierRigidBodyHandle)>,
) {
    for (mut vehicle, handle) in &mut vehicles {
        let Ok(mut sets) = worlds.get_mut(vehicle.world) else { continue };
        let Some(body) = sets.0.bodies.get(handle.0) else { continue };
        if body.colliders() == vehicle.colliders {
            continue;
        }
        let mut parts = parts(&mut sets);
        let mut has_hull = false;
        for each in parts.bodies[handle.0].colliders() {
            if vehicle.colliders.contains(each) {
                continue;
            }
            if let Some(collider) = parts.colliders.get_mut(*each) {
                collider.set_density(0.0);
                has_hull |= !collider.is_sensor();
            }
        }
        if has_hull {
            remove_colliders(&std::mem::take(&mut vehicle.brought), &mut parts);
            vehicle.car.wheel_colliders = WheelColliders::default();
        }
        vehicle.colliders = parts.bodies[handle.0].colliders().to_vec();
    }
}

/// A vehicle that drives.
type Driven = (
    Entity,
    &'static mut Vehicle,
    &'static DriverCommands,
    &'static RapierContextEntityLink,
    &'static GlobalTransform,
    Option<&'static VehicleListener>,
);

/// A vehicle that is left alone.
type Faulty = (&'static mut Vehicle, &'static RapierContextEntityLink, &'static GlobalTransform);

fn update(
    mode: Res<TimestepMode>,
    mut worlds: Query<Sets>,
    mut vehicles: Query<Driven, Without<VehicleFault>>,
    mut faulty: Query<Faulty, With<VehicleFault>>,
    mut messages: MessageWriter<VehicleMessage>,
    mut commands: Commands,
) {
    // In the order of their bodies, whatever else entities get or lose.
    let mut vehicles: Vec<_> = vehicles.iter_mut().collect();
    vehicles.sort_by_key(|(_, vehicle, ..)| vehicle.car.body().into_raw_parts());
    for (world, config, mut bodies, mut colliders, mut joints, simulation) in &mut worlds {
        if !config.physics_pipeline_active {
            continue;
        }
        // A transform that is set while a vehicle has a fault is not forgotten.
        for (mut vehicle, _, at) in faulty.iter_mut().filter(|(_, link, _)| link.0 == world) {
            if let Ok(pose) = vehicle.car.pose(&bodies.bodies) {
                vehicle.note_moved(&pose, at);
            }
        }
        let dt = step_length(&mode);
        let mut driven = Vec::new();
        for (entity, vehicle, driver, link, at, listener) in &mut vehicles {
            if link.0 != world {
                continue;
            }
            let ready =
                dt.clone().and_then(|_| vehicle.prepare(driver, at, *listener, &mut bodies));
            match ready {
                Ok(()) => driven.push((*entity, vehicle)),
                Err(fault) => {
                    commands.entity(*entity).insert(fault);
                }
            }
        }
        let Ok(dt) = dt else { continue };
        let RapierContextJoints { impulse_joints, multibody_joints, .. } = &mut *joints;
        let scene = Scene {
            bodies: &mut bodies.bodies,
            colliders: &mut colliders.colliders,
            broad_phase: &simulation.broad_phase,
            narrow_phase: &simulation.narrow_phase,
            impulse_joints: Some(impulse_joints),
            solver_iterations: simulation.integration_parameters.num_solver_iterations,
            multibody_joints: Some(multibody_joints),
            gravity: config.gravity,
            dt,
        };
        let outcomes = update_together(driven.iter_mut().map(|(_, each)| &mut each.car), scene);
        for (outcome, (vehicle, each)) in outcomes.into_iter().zip(driven) {
            let of_vehicle = |event| VehicleMessage { vehicle, event };
            messages.write_batch(each.car.drain_events().map(of_vehicle));
            if let Err(error) = outcome {
                commands.entity(vehicle).insert(VehicleFault::from(error));
            }
        }
    }
}

/// The length of a step (s), each of which follows an update of the vehicles.
fn step_length(mode: &TimestepMode) -> Result<f32, VehicleFault> {
    match *mode {
        TimestepMode::Fixed { dt, substeps: 1 } => Ok(dt),
        _ => Err(VehicleFault::Timestep(format!("{mode:?}"))),
    }
}

impl Vehicle {
    /// Makes it ready for a step: where its transform has put its body, heard, and with its
    /// driver's commands.
    fn prepare(
        &mut self,
        driver: &DriverCommands,
        at: &GlobalTransform,
        listener: Option<&VehicleListener>,
        bodies: &mut RapierRigidBodySet,
    ) -> Result<(), VehicleFault> {
        let pose = self.car.pose(&bodies.bodies)?;
        self.note_moved(&pose, at);
        if self.is_put {
            self.car.teleport(&mut bodies.bodies, pose)?;
            self.is_put = false;
        }
        let is_told = |events: &VehicleEvents| listener.is_some_and(|it| *events.params() == it.0);
        match (listener, self.car.events()) {
            (Some(_), Some(events)) if is_told(events) => {}
            (Some(listener), _) => {
                self.car.listen(listener.0).map_err(VehicleFault::Listener)?;
            }
            (None, _) => self.car.stop_listening(),
        }
        self.take(driver);
        Ok(())
    }

    /// Notes whether its body, which is at `pose` now, has been put there since the last step by
    /// its transform, which is `at` the same place then.
    fn note_moved(&mut self, pose: &Pose, at: &GlobalTransform) {
        let (_, turn, place) = at.to_scale_rotation_translation();
        let (turn, place) = (turn.to_array(), place.to_array());
        let at = Pose::from_parts(Vector::from_array(place), Rotation::from_array(turn));
        let has_moved = self.place.is_some_and(|place| is_moved(&place, pose));
        self.is_put |= has_moved && !is_moved(&at, pose);
    }

    /// Hands the driver's commands to the vehicle; the lever only when it is moved, so that gears
    /// can be chosen by hand.
    fn take(&mut self, driver: &DriverCommands) {
        if self.selector != driver.selector {
            self.selector = driver.selector;
            self.car.select(driver.selector);
        }
        let commands = self.car.commands_mut();
        commands.throttle = driver.throttle;
        commands.brakes = [driver.brake, driver.hand_brake];
        commands.steer = driver.steer;
    }
}

/// Whether a body has been put elsewhere than where it `was`.
fn is_moved(was: &Pose, is: &Pose) -> bool {
    let (distance, cosine) = MOVED;
    distance < was.translation.distance(is.translation)
        || was.rotation.dot(is.rotation).abs() < cosine
}

/// Notes where bodies are after a step, and moves wheels to where they are in them. In a world that
/// pauses, nothing but a transform moves a body.
fn draw_wheels(
    worlds: Query<(&RapierConfiguration, &RapierRigidBodySet)>,
    mut vehicles: Query<(&mut Vehicle, &RapierContextEntityLink)>,
    mut wheels: Query<(&VehicleWheel, &ChildOf, &mut Transform)>,
) {
    for (mut vehicle, link) in &mut vehicles {
        let Ok((config, set)) = worlds.get(link.0) else { continue };
        if config.physics_pipeline_active {
            vehicle.place = vehicle.car.pose(&set.bodies).ok();
        }
    }
    for (wheel, parent, mut transform) in &mut wheels {
        let Ok((vehicle, link)) = vehicles.get(parent.parent()) else { continue };
        let Ok((_, set)) = worlds.get(link.0) else { continue };
        let car = &vehicle.car;
        let poses = (car.pose(&set.bodies), car.wheel_pose(wheel.index, &set.bodies));
        if let (Ok(body), Ok(pose)) = poses {
            let Pose { rotation, translation, .. } = body.inverse() * pose;
            transform.translation = Vec3::from_array(translation.to_array());
            transform.rotation = Quat::from_array(rotation.to_array());
        }
    }
}
