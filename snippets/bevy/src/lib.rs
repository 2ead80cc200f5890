#![doc = include_str!("../README.md")]

mod player;

use std::path::Path;
use std::sync::Arc;

use bevy_app::RunFixedMainLoopSystems;
use bevy_app::prelude::*;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{Quat, Vec3};
use bevy_time::{Fixed, Time};
use bevy_transform::prelude::Transform;
use rapier3d::prelude::*;
use vehicle_rapier::core::ParamErrors;
use vehicle_rapier::drawing::DrawnPoses;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::drivetrain::readings::{HeardVehicle, HearingParams, VehicleReadings};
use vehicle_rapier::events::{EventParams, TimedEvent, VehicleEvents};
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle, VehicleFileError};
use vehicle_rapier::{ActorError, StepError};

pub use self::player::{PlayerInputs, PlayerKeys, VehicleAids};

/// A Rapier world and its vehicles, in the fixed update of an app.
///
/// The app needs Bevy's `TimePlugin`, which is among its default plugins. A step of the world is as
/// long as one of `Time<Fixed>`, 1/64 s unless the app says otherwise.
#[derive(Clone, Copy, Debug, Default)]
pub struct VehiclePlugin;

/// The systems of the plugin in `FixedPostUpdate`: commands that are written in `FixedUpdate` act
/// in the same step.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VehicleSystems {
    /// New vehicles are put into the world.
    Insert,
    /// Vehicles are updated, and the world makes a step.
    Step,
}

/// The Rapier world in which the vehicles drive: roads, obstacles and all else are put into it as
/// Rapier does.
#[derive(Resource, Default)]
pub struct RapierWorld(pub PhysicsWorld);

/// What a vehicle is made of: an entity that gets it becomes a vehicle in the next fixed update,
/// with its body where its [`Transform`] is, and an entity for each wheel as its children. From
/// then on the transforms follow the world, between two steps as well.
///
/// An entity that is despawned takes its vehicle out of the world.
#[derive(Component, Clone, Debug)]
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

/// What the driver of a vehicle wants.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct DriverCommands {
    /// Accelerator, in [0, 1].
    pub throttle: f32,
    /// Foot brake, in [0, 1].
    pub brake: f32,
    /// Hand brake, in [0, 1]; the brake of the second track of a tank that has one for each.
    pub hand_brake: f32,
    /// Steering wheel, in [-1, 1], positive to the left.
    pub steer: f32,
    /// The lever of the gearbox.
    pub selector: Selector,
    /// The part of its torque that each track of a tank gets, in [-1, 1].
    pub thrusts: [f32; 2],
    /// The brake of each track of a tank, in [0, 1].
    pub track_brakes: [f32; 2],
}

impl Default for DriverCommands {
    /// In gear, without a foot on a pedal.
    fn default() -> Self {
        Self {
            throttle: 0.0,
            brake: 0.0,
            hand_brake: 0.0,
            steer: 0.0,
            selector: Selector::Drive,
            thrusts: [1.0; 2],
            track_brakes: [0.0; 2],
        }
    }
}

/// A vehicle that is in the world. Taking this away takes the vehicle out, and the next fixed
/// update puts it there anew.
#[derive(Component)]
#[component(on_remove = leave_world)]
pub struct VehicleInWorld {
    /// The vehicle: all that can be read and set beside its commands.
    pub car: AnyRapierVehicle,
    poses: DrawnPoses,
    selector: Selector,
}

/// A wheel, a child of the entity of its vehicle. It turns about its lateral axis: +x in vehicles
/// that look along +z.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct VehicleWheel {
    /// Its number in the vehicle.
    pub index: usize,
}

/// Lets a vehicle tell what happens to it, by these thresholds: as [`VehicleMessage`]s.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct VehicleListener(pub EventParams);

/// An event of a vehicle that has a [`VehicleListener`].
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct VehicleMessage {
    /// The vehicle.
    pub vehicle: Entity,
    /// The event with its time.
    pub event: TimedEvent,
}

/// Readings of a vehicle for sound and instruments: spawn it with the vehicle, and it is filled
/// after each step.
#[derive(Component, Clone, Debug, Default)]
pub struct VehicleSounds {
    /// Readings of the last step.
    pub readings: VehicleReadings,
    /// The readings smoothed, for sound.
    pub heard: HeardVehicle,
    /// Time constants of the smoothing.
    pub params: HearingParams,
}

/// Why a vehicle is not in the world, or does not go on: it is left alone until this is taken away.
#[derive(Component, Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VehicleFault {
    /// Its transform is no place for a body.
    #[error("transform must be finite, with a rotation of length 1, got {0:?}")]
    Place(Transform),
    /// Its body is gone.
    #[error(transparent)]
    Body(#[from] ActorError),
    /// Its step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// Its [`VehicleListener`] has thresholds that are none.
    #[error("listener: {0}")]
    Listener(ParamErrors),
    /// What its player's devices say, or how that becomes commands, has faults.
    #[error("inputs: {0}")]
    Inputs(ParamErrors),
    /// Its driver aids have faults.
    #[error("aids: {0}")]
    Aids(ParamErrors),
}

impl Plugin for VehiclePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<RapierWorld>()
            .add_message::<VehicleMessage>()
            .configure_sets(FixedPostUpdate, (VehicleSystems::Insert, VehicleSystems::Step).chain())
            .add_systems(FixedPostUpdate, insert.in_set(VehicleSystems::Insert))
            .add_systems(FixedPostUpdate, step.in_set(VehicleSystems::Step))
            .add_systems(
                FixedPostUpdate,
                (player::give_aids, player::play)
                    .chain()
                    .after(VehicleSystems::Insert)
                    .before(VehicleSystems::Step),
            )
            .add_systems(
                RunFixedMainLoop,
                player::read_keys.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
            )
            .add_systems(
                RunFixedMainLoop,
                draw.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            );
    }
}

/// Vehicles that are to be put into the world.
type New = (Without<VehicleInWorld>, Without<VehicleFault>);

fn insert(
    mut world: ResMut<RapierWorld>,
    time: Res<Time<Fixed>>,
    new: Query<(Entity, &VehicleModel, &Transform), New>,
    mut commands: Commands,
) {
    let world = &mut world.0;
    for (entity, model, transform) in &new {
        match put(world, model, transform, time.timestep().as_secs_f32()) {
            Ok(vehicle) => {
                for index in 0..vehicle.car.wheel_count() {
                    let wheel = (VehicleWheel { index }, Transform::default(), ChildOf(entity));
                    commands.spawn(wheel);
                }
                commands.entity(entity).insert(vehicle);
            }
            Err(fault) => {
                commands.entity(entity).insert(fault);
            }
        }
    }
}

fn put(
    world: &mut PhysicsWorld,
    model: &VehicleModel,
    transform: &Transform,
    dt: Real,
) -> Result<VehicleInWorld, VehicleFault> {
    let (place, turn) = (transform.translation, transform.rotation);
    let is_place = place.is_finite() && turn.is_finite() && turn.is_normalized();
    if !is_place {
        return Err(VehicleFault::Place(*transform));
    }
    let place = Vector::from_array(place.to_array());
    let pose = Pose::from_parts(place, Rotation::from_array(turn.to_array()));
    let car = model.0.insert(world, pose);
    let poses = DrawnPoses::new(&car, &world.bodies, dt)?;
    Ok(VehicleInWorld { car, poses, selector: Selector::Drive })
}

/// A vehicle that drives, and who listens to it.
type Driven = (
    Entity,
    &'static mut VehicleInWorld,
    &'static DriverCommands,
    Option<&'static VehicleListener>,
    Option<&'static mut VehicleSounds>,
);

fn step(
    mut world: ResMut<RapierWorld>,
    time: Res<Time<Fixed>>,
    mut has_begun: Local<bool>,
    mut vehicles: Query<Driven, Without<VehicleFault>>,
    mut messages: MessageWriter<VehicleMessage>,
    mut commands: Commands,
) {
    let world = &mut world.0;
    let dt = time.timestep().as_secs_f32();
    world.integration_parameters.dt = dt;
    if !*has_begun {
        // The first step already sees the road.
        world.detect_collisions(&(), &());
        *has_begun = true;
    }
    // In the order of their bodies, whatever else entities get or lose.
    let mut vehicles: Vec<_> = vehicles.iter_mut().collect();
    vehicles.sort_by_key(|(_, vehicle, ..)| vehicle.car.body().into_raw_parts());
    for (entity, vehicle, driver, listener, _) in &mut vehicles {
        vehicle.take(driver);
        let is_heard = listener.map_or(Ok(()), |listener| vehicle.tell(listener));
        let outcome = is_heard.map_err(VehicleFault::Listener);
        let outcome = outcome.and_then(|()| Ok(vehicle.car.update(&mut *world)?));
        if let Err(fault) = outcome {
            commands.entity(*entity).insert(fault);
        }
    }
    world.step();
    for (entity, vehicle, _, listener, sounds) in vehicles {
        let VehicleInWorld { car, poses, .. } = vehicle.into_inner();
        if let Some(sounds) = sounds {
            let VehicleSounds { readings, heard, params } = sounds.into_inner();
            car.read(readings);
            heard.follow(params, readings, dt);
        }
        if listener.is_some() {
            let of_vehicle = |event| VehicleMessage { vehicle: entity, event };
            messages.write_batch(car.drain_events().map(of_vehicle));
        }
        if let Err(fault) = poses.record(car, &world.bodies, dt) {
            commands.entity(entity).insert(VehicleFault::from(fault));
        }
    }
}

impl VehicleInWorld {
    /// Lets the vehicle tell its events, if it does not already by these thresholds.
    fn tell(&mut self, listener: &VehicleListener) -> Result<(), ParamErrors> {
        let is_told = |events: &VehicleEvents| *events.params() == listener.0;
        if self.car.events().is_some_and(is_told) { Ok(()) } else { self.car.listen(listener.0) }
    }

    /// Hands the driver's commands to the vehicle; levers only when they are moved, so that gears
    /// can be chosen by hand.
    fn take(&mut self, driver: &DriverCommands) {
        if self.selector != driver.selector {
            self.selector = driver.selector;
            self.car.select(driver.selector);
        }
        if let Some(transmission) = self.car.transmission_mut() {
            transmission.thrusts = driver.thrusts;
            transmission.track_brakes = driver.track_brakes;
        }
        let commands = self.car.commands_mut();
        commands.throttle = driver.throttle;
        commands.brakes = [driver.brake, driver.hand_brake];
        commands.steer = driver.steer;
    }
}

/// Transforms between the last two steps, as far as the time of the app has gone.
fn draw(
    time: Res<Time<Fixed>>,
    mut vehicles: Query<(&VehicleInWorld, &mut Transform), Without<VehicleWheel>>,
    mut wheels: Query<(&VehicleWheel, &ChildOf, &mut Transform)>,
) {
    let share = time.overstep_fraction();
    for (vehicle, mut transform) in &mut vehicles {
        set(&mut transform, &vehicle.poses.chassis(share));
    }
    for (wheel, parent, mut transform) in &mut wheels {
        let Ok((VehicleInWorld { poses, .. }, _)) = vehicles.get(parent.parent()) else { continue };
        if let Some(pose) = poses.wheel(wheel.index, share) {
            set(&mut transform, &(poses.chassis(share).inverse() * pose));
        }
    }
}

/// Moves `transform` to `pose` (m), and leaves its scale.
fn set(transform: &mut Transform, pose: &Pose) {
    transform.translation = Vec3::from_array(pose.translation.to_array());
    transform.rotation = Quat::from_array(pose.rotation.to_array());
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
