//! A vehicle's file that is edited while its vehicle drives.

use std::path::PathBuf;

use serde_json::Value;

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

/// What is different in `after`, as `mass 1400 -> 1500`; empty if nothing is.
pub(crate) fn differences(before: &Value, after: &Value) -> String {
    let mut changes = Vec::new();
    compare("", before, after, &mut changes);
    let more = changes.len().saturating_sub(MOST_CHANGES);
    changes.truncate(MOST_CHANGES);
    if 0 < more {
        changes.push(format!("{more} more"));
    }
    changes.join(", ")
}

fn compare(path: &str, before: &Value, after: &Value, changes: &mut Vec<String>) {
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
        _ => changes.push(format!("{path} {} -> {}", short(before), short(after))),
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

    #[test]
    fn changes_are_told_by_their_paths() {
        let before =
            json!({ "mass": 1400.0, "axles": [{ "load": 1.5 }, { "load": 2.5 }], "aids": null });
        assert_eq!(differences(&before, &before), "");
        let after = json!({ "mass": 1500.0, "axles": [{ "load": 1.5 }, { "load": 0.1_f32 }], "aids": { "abs": {} } });
        let told = differences(&before, &after);
        for change in ["mass 1400 -> 1500", "axles[1].load 2.5 -> 0.1", "aids none -> {abs}"] {
            assert!(told.contains(change), "{told}");
        }
        let after = json!({ "mass": true, "axles": [1], "aids": "x", "name": 2, "other": 3 });
        let told = differences(&before, &after);
        assert!(
            told.ends_with(", 2 more") && told.contains("axles [2 values] -> [1 values]"),
            "{told}"
        );
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
