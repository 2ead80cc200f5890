//! What is different in two files of a vehicle.

use std::fmt;

use serde_json::Value;

use super::VehicleFile;
use super::tree::Written;

/// A field that two files of a vehicle fill in differently.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileChange {
    /// Where it is in both files, such as `mechanics.data_sheet.mass`.
    pub path: String,
    /// Value of the field in the first file; `none` if it has none.
    pub before: String,
    /// Value of the field in the second file; `none` if it has none.
    pub after: String,
}

impl fmt::Display for FileChange {
    /// Writes a change such as `mechanics.data_sheet.mass 1400 -> 1500`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} -> {}", self.path, self.before, self.after)
    }
}

impl VehicleFile {
    /// Fields that `after` fills in differently; none if both files say the same.
    pub fn changes_to(&self, after: &Self) -> Vec<FileChange> {
        // What cannot be written has no fields to compare.
        let fields = |file| serde_json::to_value(Written::of(file).ok()?).ok();
        let [before, after] = [self, after].map(|file| fields(file).unwrap_or_default());
        let mut changes = Vec::new();
        compare("", &before, &after, &mut changes);
        changes
    }
}

fn compare(path: &str, before: &Value, after: &Value, changes: &mut Vec<FileChange>) {
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => {
            let added = new.keys().filter(|name| !old.contains_key(*name));
            for name in old.keys().chain(added) {
                let [old, new] = [old, new].map(|fields| fields.get(name).unwrap_or(&Value::Null));
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                compare(&path, old, new, changes);
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                compare(&format!("{path}[{index}]"), old, new, changes);
            }
        }
        _ if before == after => {}
        _ => {
            let (before, after) = (short(before), short(after));
            changes.push(FileChange { path: path.to_owned(), before, after });
        }
    }
}

/// A value as a word: lists and objects by what they are.
fn short(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        // Parameters have single precision.
        Value::Number(number) => match number.as_f64() {
            Some(value) => (value as f32).to_string(),
            None => number.to_string(),
        },
        Value::Bool(_) | Value::String(_) => value.to_string(),
        Value::Array(list) => format!("[{} values]", list.len()),
        Value::Object(fields) => {
            format!("{{{}}}", fields.keys().map(String::as_str).collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(before: &Value, after: &Value) -> Vec<String> {
        let mut changes = Vec::new();
        compare("", before, after, &mut changes);
        changes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn changes_are_told_by_their_paths() {
        let before =
            json!({ "mass": 1400.0, "axles": [{ "load": 1.5 }, { "load": 2.5 }], "aids": null });
        assert!(told(&before, &before).is_empty());
        let after = json!({
            "mass": 1500.0, "axles": [{ "load": 1.5 }, { "load": 0.1_f32 }], "aids": { "abs": {} }
        });
        let mut changes = told(&before, &after);
        changes.sort();
        let expected = ["aids none -> {abs}", "axles[1].load 2.5 -> 0.1", "mass 1400 -> 1500"];
        assert_eq!(changes, expected);
        let after = json!({ "mass": true, "axles": [1], "name": "x" });
        let changes = told(&before, &after);
        assert!(changes.contains(&"axles [2 values] -> [1 values]".to_owned()), "{changes:?}");
        assert!(changes.contains(&"name none -> \"x\"".to_owned()), "{changes:?}");
        assert!(changes.contains(&"mass 1400 -> true".to_owned()), "{changes:?}");
    }

    #[cfg(feature = "presets")]
    #[test]
    fn a_field_of_a_preset_that_is_changed_is_all_that_is_told() {
        use crate::vehicle_file::{AnyVehicle, MechanicsSource};

        let preset = AnyVehicle::preset("hot_hatch").unwrap();
        let mut file = preset.file().clone();
        assert_eq!(file.changes_to(preset.file()), Vec::new());
        let MechanicsSource::DataSheet(sheet) = &mut file.mechanics else { panic!("{file:?}") };
        sheet.mass = 1_500.0;
        let changes = preset.file().changes_to(&file);
        let changes: Vec<_> = changes.iter().map(ToString::to_string).collect();
        assert_eq!(changes, ["mechanics.data_sheet.mass 1400 -> 1500"]);
    }
}
