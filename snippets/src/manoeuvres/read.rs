//! Scenario files: read, checked, and refused with the path of each fault.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use vehicle_rapier::vehicle_file::FileFault;

use super::check::{Check, Origin, ScenarioError, fault_in};
use super::ready;
use super::scenario::Manoeuvre;

impl Manoeuvre {
    /// Reads a scenario in JSON, and its tables, whose paths begin in `folder`.
    ///
    /// # Errors
    ///
    /// The first fault of syntax, or all faults of what it says.
    pub fn from_json(text: &str, folder: &Path) -> Result<Self, ScenarioError> {
        let of_faults = |faults| ScenarioError { file: None, faults };
        let placed = |fault: FileFault| fault_in(text, fault.path, fault.message);
        let mut manoeuvre = parse(text).map_err(|fault| of_faults(vec![fault]))?;
        let mut check = Check::default();
        manoeuvre.load_tables(folder, &mut check);
        manoeuvre.check(&mut check);
        folder.clone_into(&mut manoeuvre.folder);
        if check.faults.is_empty() {
            manoeuvre.origin = Origin { file: None, text: text.to_owned() };
            Ok(manoeuvre)
        } else {
            Err(of_faults(check.faults.into_iter().map(placed).collect()))
        }
    }

    /// Reads the scenario of the file at `path`.
    ///
    /// # Errors
    ///
    /// As of [`from_json`](Self::from_json); if the file cannot be read.
    pub fn load(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path);
        let text = text.with_context(|| format!("cannot read `{}`", path.display()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let manoeuvre = Self::from_json(&text, folder);
        let of_file = |error| ScenarioError { file: Some(path.to_owned()), ..error };
        let mut manoeuvre = manoeuvre.map_err(of_file)?;
        manoeuvre.origin.file = Some(path.to_owned());
        Ok(manoeuvre)
    }

    /// The ready manoeuvre of this name, or the scenario of the file at this path.
    ///
    /// # Errors
    ///
    /// If there is neither, with the nearest name; all faults of the file.
    pub fn of_name(name: &str) -> Result<Self> {
        if let Some(ready) = ready::of_name(name) {
            return ready.manoeuvre();
        }
        let path = Path::new(name);
        if path.exists() {
            return Self::load(path);
        }
        let known = ready::READY.iter().map(|ready| ready.name);
        let message = super::check::unknown("manoeuvre or file", name, known);
        Err(anyhow::Error::msg(message))
    }

    fn load_tables(&mut self, folder: &Path, check: &mut Check) {
        let posts = self.ground.posts.as_mut().and_then(|posts| posts.height.table_mut());
        if let Some(table) = posts {
            check.field("ground.posts.height.table", |check| table.load(folder, check));
        }
        for (index, phase) in self.phases.iter_mut().enumerate() {
            for (name, signal) in phase.signals_mut() {
                if let Some(table) = signal.table_mut() {
                    let path = format!("phases[{index}].{name}.table");
                    check.field(path, |check| table.load(folder, check));
                }
            }
        }
    }
}

fn parse(text: &str) -> Result<Manoeuvre, FileFault> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let parsed = serde_path_to_error::deserialize(&mut deserializer);
    let manoeuvre: Manoeuvre = parsed.map_err(|error| {
        let path = error.path().to_string();
        let path = if path == "." { String::from("the scenario") } else { path };
        FileFault::new(path, with_suggestion(&error.into_inner().to_string()))
    })?;
    let end = deserializer.end();
    end.map_err(|error| FileFault::new("the end", error.to_string()))?;
    Ok(manoeuvre)
}

/// `message` of serde, with the nearest of the names that it expects.
fn with_suggestion(message: &str) -> String {
    if !message.starts_with("unknown ") {
        return message.to_owned();
    }
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let Some((name, known)) = names.split_first() else { return message.to_owned() };
    match crate::presets::nearest(name, known.iter().copied()) {
        Some(nearest) => format!("{message}, did you mean `{nearest}`?"),
        None => message.to_owned(),
    }
}

/// The JSON Schema of scenario files, for editors that complete and check them.
pub fn json_schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(Manoeuvre).to_value();
    if let Some(object) = schema.as_object_mut() {
        object.insert("title".to_owned(), "A manoeuvre".into());
    }
    schema
}
