//! The choice of a vehicle and a world by their names.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use playground::worlds::WorldKind;
use playground::{Error, Session, Setup, train_names, vehicle_file, vehicle_names};
use snippets::presets;
use vehicle_rapier::vehicle_file::{DriveSource, VehicleFile};

/// Names of all worlds.
pub fn world_names() -> Vec<&'static str> {
    WorldKind::ALL.map(WorldKind::name).to_vec()
}

/// The world of this name.
///
/// # Errors
///
/// If there is none, with the nearest one.
pub fn world(name: &str) -> Result<WorldKind> {
    WorldKind::from_name(name).map_err(|error| match presets::nearest(name, world_names()) {
        Some(near) => anyhow::anyhow!("{name:?} is no world; did you mean {near:?}?"),
        None => error.into(),
    })
}

/// A vehicle's file, and the folder in which its paths begin.
pub(crate) fn vehicle(name: &str) -> Result<(VehicleFile, PathBuf)> {
    let (file, folder) = match vehicle_file(name) {
        Err(Error::UnknownVehicle { .. }) => {
            let folder = Path::new(name).parent().unwrap_or(Path::new(""));
            (presets::vehicle(name)?.file().clone(), folder.to_owned())
        }
        found => (found?, PathBuf::new()),
    };
    if file.drive == DriveSource::Towed {
        bail!("{name:?} is a trailer, which has no drive of its own");
    }
    Ok((file, folder))
}

/// The drive that begins as `setup` says; its vehicle is a preset or a file.
///
/// # Errors
///
/// If there is no such vehicle, world or start; all faults of the file.
pub fn begin(setup: &Setup) -> Result<Session> {
    world(&setup.world)?;
    let (file, folder) = vehicle(&setup.vehicle)?;
    Ok(Session::with_vehicle(setup.clone(), file, folder)?)
}

/// Names of the vehicles to choose from: the presets, and `own` if that is none.
pub fn vehicles(own: &str) -> Vec<String> {
    let alone = vehicle_names().into_iter().map(str::to_owned);
    let mut names: Vec<String> = alone.chain(train_names()).collect();
    if !names.iter().any(|name| name == own) {
        names.push(own.to_owned());
    }
    names
}

#[cfg(test)]
mod tests {
    use vehicle_rapier::vehicle_file::FileFormat;

    use super::*;

    fn refused(vehicle: &str, world: &str, start: usize) -> String {
        let setup = Setup { vehicle: vehicle.to_owned(), world: world.to_owned(), start };
        format!("{:#}", begin(&setup).err().expect("refused"))
    }

    #[test]
    fn names_that_are_not_known_are_refused_with_the_nearest() {
        for (vehicle, world, start, said) in [
            ("hothatch", "proving_ground", 0, "did you mean \"hot_hatch\"?"),
            ("hot_hatch", "proving", 0, "did you mean \"proving_ground\"?"),
            ("hot_hatch", "xyzzy", 0, "must be one of proving_ground, circuit"),
            ("hot_hatch", "ship", 9, "the place to start from (`start`) must be below 2, got 9"),
            ("semi_trailer", "ship", 0, "is a trailer"),
        ] {
            let error = refused(vehicle, world, start);
            assert!(error.contains(said), "{vehicle}, {world}: {error}");
        }
    }

    #[test]
    fn files_drive_as_presets_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.json");
        let text = vehicle_file("hot_hatch").unwrap().to_text(FileFormat::Json).unwrap();
        std::fs::write(&path, text).unwrap();
        let vehicle = path.to_str().unwrap().to_owned();
        let setup = Setup { vehicle: vehicle.clone(), ..Setup::default() };
        let session = begin(&setup).unwrap();
        assert_eq!(session.folder(), folder.path());
        assert_eq!(vehicles(&vehicle).last(), Some(&vehicle));
        std::fs::write(&path, "{").unwrap();
        let error = format!("{:#}", begin(&setup).err().unwrap());
        assert!(error.contains("mine.json") && error.contains("line 1"), "{error}");
    }
}
