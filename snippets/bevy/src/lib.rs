#![doc = include_str!("../README.md")]

mod driver;
#[cfg(feature = "files")]
mod files;
mod lines;
mod model;
mod places;
mod player;
mod step;
mod trailer;

use bevy_app::RunFixedMainLoopSystems;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;
use bevy_transform::prelude::Transform;
use rapier3d::prelude::*;
use vehicle_rapier::core::ParamErrors;
use vehicle_rapier::placement::PlacementError;
use vehicle_rapier::vehicle_file::CouplingError;
use vehicle_rapier::{ActorError, StepError};

pub use self::driver::DriverCommands;
#[cfg(feature = "files")]
pub use self::files::{VehicleAsset, VehicleFilesPlugin, VehicleFromFile};
#[cfg(feature = "gizmos")]
pub use self::lines::draw_forces;
pub use self::model::{VehicleInWorld, VehicleModel, VehicleModelMessage, VehicleWheel};
pub use self::player::{PlayerInputs, PlayerKeys, VehicleAids};
pub use self::step::{VehicleListener, VehicleMessage, VehicleSounds};
pub use self::trailer::{TowedBy, Tows};

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
    /// Vehicles are put into the world, made anew, moved and coupled, as their entities say.
    Insert,
    /// Vehicles are updated, and the world makes a step.
    Step,
}

/// The Rapier world in which the vehicles drive: roads, obstacles and all else are put into it as
/// Rapier does.
///
/// Vehicles are known by their bodies. To begin with another world, let commands despawn all
/// vehicles, and then insert it:
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use vehicle_bevy::{RapierWorld, VehicleModel};
/// fn begin_level(vehicles: Query<Entity, With<VehicleModel>>, mut commands: Commands) {
///     vehicles.iter().for_each(|vehicle| commands.entity(vehicle).despawn());
///     let mut world = RapierWorld::default();
///     // Roads and obstacles of the level go into `world.0` here.
///     commands.insert_resource(world);
/// }
/// ```
///
/// A world that is put into the field at once, while vehicles of the one before are there, loses
/// the bodies that have their handles.
#[derive(Resource, Default)]
pub struct RapierWorld(pub PhysicsWorld);

/// Why a vehicle is not in the world, or does not go on: it is left alone until this is taken away.
/// A body that is in the world glides on as it moved, without the vehicle's forces and its weight.
/// Bevy's reflection sees it as a whole.
#[derive(Component, Reflect, Clone, Debug, PartialEq, thiserror::Error)]
#[reflect(opaque)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum VehicleFault {
    /// The vehicle's transform is no place for a body.
    #[error("transform must be finite, with a rotation of length 1, got {0:?}")]
    Place(Transform),
    /// The vehicle cannot be put where its transform is.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The vehicle's body is gone.
    #[error(transparent)]
    Body(#[from] ActorError),
    /// The vehicle's step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The trailer cannot be coupled to its tractor.
    #[error(transparent)]
    Coupling(#[from] CouplingError),
    /// The vehicle's [`VehicleListener`] has thresholds that are none.
    #[error("listener: {0}")]
    Listener(ParamErrors),
    /// What its player's devices say, or how that becomes commands, has faults.
    #[error("inputs: {0}")]
    Inputs(ParamErrors),
    /// The vehicle's driver aids have faults.
    #[error("aids: {0}")]
    Aids(ParamErrors),
}

impl Plugin for VehiclePlugin {
    fn build(&self, app: &mut App) {
        register_types(app);
        app.init_resource::<RapierWorld>()
            .add_message::<VehicleMessage>()
            .add_message::<VehicleModelMessage>()
            .configure_sets(FixedPostUpdate, (VehicleSystems::Insert, VehicleSystems::Step).chain())
            .add_systems(
                FixedPostUpdate,
                (model::remake, model::insert, places::obey_transforms, trailer::couple)
                    .chain()
                    .in_set(VehicleSystems::Insert),
            )
            .add_systems(
                FixedPostUpdate,
                (player::give_aids, player::play, trailer::follow)
                    .chain()
                    .after(VehicleSystems::Insert)
                    .before(VehicleSystems::Step),
            )
            .add_systems(
                FixedPostUpdate,
                (step::step, places::record).chain().in_set(VehicleSystems::Step),
            )
            .add_systems(
                RunFixedMainLoop,
                // In a frame without a step, too: transforms are drawn after it.
                (player::read_keys, places::obey_transforms)
                    .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
            )
            .add_systems(
                RunFixedMainLoop,
                places::draw.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            );
    }
}

/// Registers what inspectors and scenes know of vehicles.
fn register_types(app: &mut App) {
    app.register_type::<DriverCommands>()
        .register_type::<PlayerInputs>()
        .register_type::<PlayerKeys>()
        .register_type::<TowedBy>()
        .register_type::<Tows>()
        .register_type::<VehicleAids>()
        .register_type::<VehicleFault>()
        .register_type::<VehicleInWorld>()
        .register_type::<VehicleListener>()
        .register_type::<VehicleMessage>()
        .register_type::<VehicleModel>()
        .register_type::<VehicleModelMessage>()
        .register_type::<VehicleSounds>()
        .register_type::<VehicleWheel>();
}
