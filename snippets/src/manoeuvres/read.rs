//! Scenario files: read, checked, and refused with the path of each fault.

use std::fmt::{self, Display};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::check::{Check, Fault};
use super::ready;
use super::scenario::Manoeuvre;

/// Why a text is no scenario: the first fault of its syntax, or all of its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    file: Option<PathBuf>,
    faults: Vec<Fault>,
}

impl ScenarioError {
    /// The faults, at least one.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }
}

impl Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if 0 < index {
                f.write_str("\n")?;
            }
            if let Some(file) = &self.file {
                write!(f, "{}: ", file.display())?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ScenarioError {}

/// Where a scenario has been read, so that faults which only a vehicle shows are told with their
/// place, too. It makes no difference to the scenario.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin {
    file: Option<PathBuf>,
    text: String,
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Origin {
    /// The fault of the field at `path`.
    pub(super) fn fault(&self, path: &str, message: String) -> anyhow::Error {
        let fault = Fault::of_text(path.to_owned(), message, &self.text);
        ScenarioError { file: self.file.clone(), faults: vec![fault] }.into()
    }
}

impl Manoeuvre {
    /// Reads a scenario in JSON, and its tables, whose paths begin in `folder`.
    ///
    /// # Errors
    ///
    /// The first fault of syntax, or all faults of what it says.
    pub fn from_json(text: &str, folder: &Path) -> Result<Self, ScenarioError> {
        let of_faults = |faults| ScenarioError { file: None, faults };
        let placed = |fault: Fault| Fault::of_text(fault.path, fault.message, text);
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

fn parse(text: &str) -> Result<Manoeuvre, Fault> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let parsed = serde_path_to_error::deserialize(&mut deserializer);
    let manoeuvre: Manoeuvre = parsed.map_err(|error| {
        let path = error.path().to_string();
        let path = if path == "." { String::from("the scenario") } else { path };
        Fault { position: None, path, message: with_suggestion(&error.into_inner().to_string()) }
    })?;
    let end = deserializer.end();
    end.map_err(|error| Fault {
        position: None,
        path: "the end".into(),
        message: error.to_string(),
    })?;
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
