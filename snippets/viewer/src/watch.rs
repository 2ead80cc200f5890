//! A vehicle's file that is edited while its vehicle drives.

use std::path::PathBuf;

use vehicle_rapier::vehicle_file::FileChange;

/// Time between two looks at the file (s).
const INTERVAL: f64 = 0.25;
/// Most changes that are told one by one.
const MOST_CHANGES: usize = 3;

/// A file, and what was in it last.
pub(crate) struct Watch {
    path: PathBuf,
    text: Vec<u8>,
    waited: f64,
}

impl Watch {
    /// Watches the file at this path; none if there is no such file.
    pub(crate) fn new(path: &str) -> Option<Self> {
        let path = PathBuf::from(path);
        let text = std::fs::read(&path).ok()?;
        Some(Self { path, text, waited: 0.0 })
    }

    /// Whether something else is in the file, `elapsed` (s) after the last question.
    ///
    /// A file that cannot be read, or is empty, is about to be written.
    pub(crate) fn has_changed(&mut self, elapsed: f64) -> bool {
        self.waited += elapsed;
        if self.waited < INTERVAL {
            return false;
        }
        self.waited = 0.0;
        match std::fs::read(&self.path) {
            Ok(text) if !text.is_empty() && text != self.text => {
                self.text = text;
                true
            }
            _ => false,
        }
    }
}

/// These changes in words, such as `mass 1400 -> 1500`; the first few if there are many.
pub(crate) fn told(changes: &[FileChange]) -> String {
    if changes.is_empty() {
        return "nothing new".to_owned();
    }
    let mut words: Vec<_> = changes.iter().take(MOST_CHANGES).map(ToString::to_string).collect();
    let more = changes.len() - words.len();
    if 0 < more {
        words.push(format!("{more} more"));
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use vehicle_rapier::vehicle_file::{AnyVehicle, MechanicsSource, VehicleFile};

    use super::*;

    #[test]
    fn the_first_few_changes_are_told() {
        let preset = AnyVehicle::preset("hot_hatch").unwrap();
        let told_of = |change: fn(&mut VehicleFile)| {
            let mut file = preset.file().clone();
            change(&mut file);
            told(&preset.file().changes_to(&file))
        };
        assert_eq!(told_of(|_| {}), "nothing new");
        assert_eq!(told_of(|file| file.name = "car".to_owned()).matches(" -> ").count(), 1);
        let many = told_of(|file| {
            let MechanicsSource::DataSheet(sheet) = &mut file.mechanics else { panic!("{file:?}") };
            sheet.size = [4.0, 1.7, 1.4];
            (sheet.mass, sheet.front_share) = (1_500.0, 0.5);
        });
        assert!(many.ends_with(" more") && many.matches(" -> ").count() == 3, "{many}");
    }

    #[test]
    fn a_file_is_looked_at_now_and_then() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("car.json");
        let name = path.to_str().unwrap();
        assert!(Watch::new(name).is_none());
        std::fs::write(&path, "one").unwrap();
        let mut watch = Watch::new(name).unwrap();
        assert!(!watch.has_changed(1.0));
        std::fs::write(&path, "two").unwrap();
        assert!(!watch.has_changed(0.1), "too early");
        assert!(watch.has_changed(0.2));
        std::fs::write(&path, "").unwrap();
        assert!(!watch.has_changed(1.0), "it is being written");
        std::fs::remove_file(&path).unwrap();
        assert!(!watch.has_changed(1.0));
    }
}
