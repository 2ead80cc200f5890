//! From a text to parameters.

use serde::de::{DeserializeOwned, IgnoredAny};

use super::fault::VehicleFault;
#[cfg(feature = "all-formats")]
use super::format::ron_options;
use super::format::{FileFormat, spoken};
use super::locate;

/// A function that reads a `T`, whatever the format.
#[cfg(feature = "all-formats")]
type Reading<'a, T> =
    dyn FnMut(&mut dyn erased_serde::Deserializer<'_>) -> Result<T, erased_serde::Error> + 'a;

impl FileFormat {
    /// Reads a text. Parameters are compiled once, for any format: their fault is told by the path
    /// at which reading stopped, whose place is looked for afterwards.
    pub(super) fn read<T: DeserializeOwned>(self, text: &str) -> Result<T, VehicleFault> {
        // A text that is not of the format at all fails here.
        self.read_seed(text, std::marker::PhantomData::<IgnoredAny>)?;
        let mut track = serde_path_to_error::Track::new();
        let result = self.read_tracked(text, &mut track);
        result.map_err(|message| {
            let path = Some(track.path().to_string()).filter(|path| path != ".");
            let path = path.unwrap_or_default();
            let position = locate::position(self, text, &path);
            VehicleFault { path, ..spoken(&message) }.at(position)
        })
    }

    #[cfg(feature = "all-formats")]
    fn read_tracked<T: DeserializeOwned>(
        self,
        text: &str,
        track: &mut serde_path_to_error::Track,
    ) -> Result<T, String> {
        self.read_any(text, &mut |deserializer| {
            T::deserialize(serde_path_to_error::Deserializer::new(deserializer, track))
        })
    }

    /// With JSON alone, parameters are compiled for it: what reads any format is large.
    #[cfg(not(feature = "all-formats"))]
    fn read_tracked<T: DeserializeOwned>(
        self,
        text: &str,
        track: &mut serde_path_to_error::Track,
    ) -> Result<T, String> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        T::deserialize(serde_path_to_error::Deserializer::new(&mut deserializer, track))
            .map_err(|error| error.to_string())
    }

    /// Reads a text by `read`, which does not know of the format; the message if it fails.
    #[cfg(feature = "all-formats")]
    fn read_any<T>(self, text: &str, read: &mut Reading<'_, T>) -> Result<T, String> {
        let said = |error: erased_serde::Error| error.to_string();
        match self {
            Self::Json => {
                let mut deserializer = serde_json::Deserializer::from_str(text);
                read(&mut <dyn erased_serde::Deserializer<'_>>::erase(&mut deserializer))
                    .map_err(said)
            }
            Self::Ron => {
                let options = ron_options();
                let mut deserializer = ron::Deserializer::from_str_with_options(text, &options)
                    .map_err(|error| error.to_string())?;
                read(&mut <dyn erased_serde::Deserializer<'_>>::erase(&mut deserializer))
                    .map_err(said)
            }
            Self::Toml => {
                let deserializer =
                    toml::Deserializer::parse(text).map_err(|error| error.to_string())?;
                read(&mut <dyn erased_serde::Deserializer<'_>>::erase(deserializer)).map_err(said)
            }
        }
    }
}
