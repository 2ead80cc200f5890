//! Presets: vehicles that are ready to drive, as files within the program.

use super::{AnyVehicle, DriveSource, FileFault, FileFormat, VehicleFile, VehicleFileError};

/// A vehicle that is ready to drive, or a trailer of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preset {
    /// Name of the preset.
    pub name: &'static str,
    /// The text of its file (JSON).
    pub text: &'static str,
    /// The trailer that it pulls, if it does.
    pub coupling: Option<Coupling>,
}

/// A trailer and where it is coupled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coupling {
    /// Name of the trailer's preset.
    pub trailer: &'static str,
    /// Hitch of the vehicle that pulls.
    pub own: &'static str,
    /// Hitch of the trailer.
    pub theirs: &'static str,
}

/// One table for the presets and their files.
macro_rules! presets {
    ($($name:literal $(pulls $trailer:literal by $own:literal at $theirs:literal)?;)*) => {
        impl Preset {
            /// All presets, in alphabetical order.
            pub const ALL: &[Self] = &[$(Self {
                name: $name,
                text: include_str!(concat!("../../vehicles/", $name, ".json")),
                coupling: coupling!($($trailer, $own, $theirs)?),
            }),*];
        }
    };
}

macro_rules! coupling {
    () => {
        None
    };
    ($trailer:literal, $own:literal, $theirs:literal) => {
        Some(Coupling { trailer: $trailer, own: $own, theirs: $theirs })
    };
}

presets! {
    "city_car";
    "drift_car";
    "electric_car";
    "gt";
    "hot_hatch";
    "kart";
    "motorcycle";
    "pick_up";
    "rally_car";
    "rc_car";
    "semi_tractor" pulls "semi_trailer" by "fifth wheel" at "kingpin";
    "semi_trailer";
    "sports_car";
    "tandem_trailer";
    "tank";
    "truck_6x6" pulls "tandem_trailer" by "coupling" at "eye";
}

impl Preset {
    /// The preset of this `name`.
    ///
    /// # Errors
    ///
    /// If there is none: the error names the nearest one, or all.
    pub fn of_name(name: &str) -> Result<&'static Self, VehicleFileError> {
        Self::ALL.iter().find(|preset| preset.name == name).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|preset| preset.name).collect();
            let fault = FileFault::unknown(String::new(), "preset", name, &known);
            VehicleFileError::of_fault(fault)
        })
    }

    /// Content of its file.
    ///
    /// # Errors
    ///
    /// If the file has a fault of syntax.
    pub fn file(&self) -> Result<VehicleFile, VehicleFileError> {
        VehicleFile::from_str(FileFormat::Json, self.text)
    }

    /// Whether the preset has a drive of its own: others are trailers.
    pub fn is_driven(&self) -> bool {
        self.file().is_ok_and(|file| file.drive != DriveSource::Towed)
    }
}

impl AnyVehicle {
    /// The preset of this `name`, such as `hot_hatch`; [`Preset::ALL`] lists them.
    ///
    /// ```
    /// use rapier3d::prelude::*;
    /// use vehicle_rapier::prelude::*;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut world = PhysicsWorld::new();
    /// # let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
    /// # world.insert_collider(road.friction(1.0), None);
    /// # world.detect_collisions(&(), &());
    /// let model = AnyVehicle::preset("hot_hatch")?;
    /// let place = Pose::from_translation(Vector::Y * model.standing_height(9.81));
    /// let mut car = model.insert(&mut world, place);
    /// car.commands_mut().throttle = 0.5;
    /// for _ in 0..60 {
    ///     car.step(&mut world)?;
    /// }
    /// assert!(1.0 < car.forward_speed());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If there is none: the error names the nearest one, or all.
    pub fn preset(name: &str) -> Result<Self, VehicleFileError> {
        Self::from_str(FileFormat::Json, Preset::of_name(name)?.text)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn all_files_of_the_folder_are_presets() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vehicles");
        let paths = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let files: BTreeSet<_> =
            paths.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        let listed: Vec<_> = Preset::ALL.iter().map(|preset| preset.name.to_owned()).collect();
        assert_eq!(listed, files.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn couplings_name_presets_and_their_hitches() {
        for preset in Preset::ALL {
            let file = preset.file().unwrap();
            let Some(coupling) = preset.coupling else { continue };
            let trailer = Preset::of_name(coupling.trailer).unwrap();
            assert!(preset.is_driven() && !trailer.is_driven(), "{}", preset.name);
            file.hitch(coupling.own).unwrap();
            trailer.file().unwrap().hitch(coupling.theirs).unwrap();
        }
    }

    #[test]
    fn unknown_names_tell_the_nearest_preset() {
        for (name, said) in [
            ("hothatch", "unknown preset `hothatch`, did you mean `hot_hatch`?"),
            ("Kart", "did you mean `kart`?"),
            ("spaceship", "expected one of `city_car`, `drift_car`"),
        ] {
            let error = AnyVehicle::preset(name).unwrap_err().to_string();
            assert!(error.contains(said), "{name}: {error}");
        }
    }
}
