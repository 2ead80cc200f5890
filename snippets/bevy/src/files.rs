//! Vehicles of asset files: JSON, RON or TOML, loaded and loaded again by Bevy's asset server.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;
use std::sync::Arc;

use bevy_app::prelude::*;
use bevy_asset::io::Reader;
use bevy_asset::prelude::*;
use bevy_asset::{AssetLoadFailedEvent, AssetLoader, LoadContext, LoadState};
use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;
use bevy_transform::prelude::Transform;
use vehicle_rapier::vehicle_file::{
    AnyVehicle, FileFormat, OwnTires, VehicleFile, VehicleFileError,
};

use crate::{DriverCommands, VehicleModel, VehicleModelMessage};

/// Vehicles from Bevy's assets, by [`VehicleFromFile`]: add it after Bevy's `AssetPlugin`, which is
/// among its default plugins, and after [`VehiclePlugin`](crate::VehiclePlugin).
///
/// With Bevy's feature `file_watcher`, a vehicle is made anew whenever its file, or a tire file
/// that it names, is saved.
#[derive(Clone, Debug, Default)]
pub struct VehicleFilesPlugin {
    /// Tire models of the program's own that files may name.
    pub tires: OwnTires,
}

/// The vehicle of an asset file.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct VehicleAsset(pub Arc<AnyVehicle>);

/// Makes its entity a vehicle of an asset file, such as `asset_server.load("hot_hatch.json")`: it
/// gets a [`VehicleModel`] once the file is loaded, and another whenever the file has changed. A
/// file with faults changes nothing: the last good vehicle stays, and a
/// [`VehicleModelMessage::Refused`] tells why.
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(Transform, DriverCommands)]
pub struct VehicleFromFile(pub Handle<VehicleAsset>);

impl Plugin for VehicleFilesPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<VehicleAsset>()
            .register_asset_loader(VehicleFileLoader { tires: self.tires.clone() })
            .register_type::<VehicleFromFile>()
            .add_systems(PreUpdate, follow_files);
    }
}

/// Loads vehicle files as assets.
#[derive(TypePath)]
struct VehicleFileLoader {
    tires: OwnTires,
}

/// Why an asset is no vehicle.
#[derive(Debug, thiserror::Error)]
enum VehicleAssetError {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error(transparent)]
    Text(#[from] FromUtf8Error),
    #[error(transparent)]
    File(#[from] VehicleFileError),
}

impl AssetLoader for VehicleFileLoader {
    type Asset = VehicleAsset;
    type Settings = ();
    type Error = VehicleAssetError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<VehicleAsset, VehicleAssetError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let text = String::from_utf8(bytes)?;
        let path = context.path().path().to_owned();
        let mut texts = tire_texts(&path, &text, context).await;
        texts.insert(path.clone(), text);
        let read = |path: &Path| texts.get(path).cloned().ok_or(io::ErrorKind::NotFound.into());
        Ok(VehicleAsset(Arc::new(AnyVehicle::load_by(&path, &self.tires, read)?)))
    }

    fn extensions(&self) -> &[&str] {
        &["json", "ron", "toml"]
    }
}

/// Texts of the tire files that the vehicle file at `path` names; without those that cannot be
/// read. The asset depends on them: it is loaded again when one of them changes.
async fn tire_texts(
    path: &Path,
    text: &str,
    context: &mut LoadContext<'_>,
) -> BTreeMap<PathBuf, String> {
    let mut texts = BTreeMap::new();
    let file = FileFormat::of_path(path).map(|format| VehicleFile::from_str(format, text));
    let Some(Ok(file)) = file else { return texts };
    let folder = path.parent().unwrap_or(Path::new(""));
    for tire in file.tire_files("") {
        let asset = tire.to_str().and_then(|tire| context.path().resolve_embed_str(tire).ok());
        let Some(asset) = asset else { continue };
        let Ok(bytes) = context.read_asset_bytes(asset).await else { continue };
        // Old tire files have comments that are not UTF-8.
        texts.insert(folder.join(tire), String::from_utf8_lossy(&bytes).into_owned());
    }
    texts
}

/// An entity whose model is that of a file.
type Followed<'a> = (Entity, &'a VehicleFromFile, Option<&'a VehicleModel>);

/// Gives entities the models of their files, and tells faults of files.
fn follow_files(
    server: Res<AssetServer>,
    assets: Res<Assets<VehicleAsset>>,
    vehicles: Query<Followed>,
    mut failed: MessageReader<AssetLoadFailedEvent<VehicleAsset>>,
    mut told: Local<BTreeMap<Entity, AssetId<VehicleAsset>>>,
    mut messages: MessageWriter<VehicleModelMessage>,
    mut commands: Commands,
) {
    for (entity, VehicleFromFile(file), model) in &vehicles {
        let Some(VehicleAsset(vehicle)) = assets.get(file) else { continue };
        if model.is_none_or(|model| !Arc::ptr_eq(&model.0, vehicle)) {
            commands.entity(entity).insert(VehicleModel(Arc::clone(vehicle)));
        }
    }
    // The server may tell a failure more than once.
    let failures: BTreeMap<_, _> =
        failed.read().map(|failure| (failure.id, failure.error.to_string())).collect();
    told.retain(|entity, _| vehicles.contains(*entity));
    for (vehicle, VehicleFromFile(file), _) in &vehicles {
        if assets.contains(file) {
            told.remove(&vehicle);
        }
        // A file may have failed before anyone followed it.
        let earlier = || match server.load_state(file) {
            LoadState::Failed(error) if told.get(&vehicle) != Some(&file.id()) => {
                Some(error.to_string())
            }
            _ => None,
        };
        let is_missing = !assets.contains(file);
        let now = failures.get(&file.id()).cloned();
        if let Some(error) = now.or_else(|| is_missing.then(earlier).flatten()) {
            told.insert(vehicle, file.id());
            let error = error.trim_end().to_owned();
            messages.write(VehicleModelMessage::Refused { vehicle, error });
        }
    }
}
