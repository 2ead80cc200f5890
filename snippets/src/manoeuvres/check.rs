//! Faults of a scenario: which field, what it must be, and what it is.

use std::fmt::{self, Display};
use std::path::PathBuf;

use vehicle_rapier::vehicle_file::{FaultLines, FileFault, FileFormat, FilePosition};

/// The fault of the field at `path` of a scenario of this `text`.
pub(super) fn fault_in(text: &str, path: String, message: String) -> FileFault {
    let position = FilePosition::of_field(FileFormat::Json, text, &path);
    FileFault::new(path, message).at(position)
}

/// Why a text is no scenario: the first fault of its syntax, or all of its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    pub(super) file: Option<PathBuf>,
    pub(super) faults: Vec<FileFault>,
}

impl ScenarioError {
    /// The faults, at least one.
    pub fn faults(&self) -> &[FileFault] {
        &self.faults
    }
}

impl Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        FaultLines { file: self.file.as_deref(), faults: &self.faults }.fmt(f)
    }
}

impl std::error::Error for ScenarioError {}

/// Where a scenario has been read, so that faults which only a vehicle shows are told with their
/// place, too. It makes no difference to the scenario.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin {
    pub(super) file: Option<PathBuf>,
    pub(super) text: String,
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Origin {
    /// The fault of the field at `path`.
    pub(super) fn fault(&self, path: &str, message: String) -> anyhow::Error {
        let fault = fault_in(&self.text, path.to_owned(), message);
        ScenarioError { file: self.file.clone(), faults: vec![fault] }.into()
    }
}

/// Collects all faults of a scenario, with the path to the field that is looked at.
#[derive(Debug, Default)]
pub(super) struct Check {
    path: Vec<String>,
    pub(super) faults: Vec<FileFault>,
}

impl Check {
    /// Looks at the field `name`, by `look`.
    pub(super) fn field(&mut self, name: impl Display, look: impl FnOnce(&mut Self)) {
        self.path.push(name.to_string());
        look(self);
        self.path.pop();
    }

    /// Looks at each of `items` in the list `name`, by `look`.
    pub(super) fn each<T>(&mut self, name: &str, items: &[T], look: impl Fn(&T, &mut Self)) {
        for (index, item) in items.iter().enumerate() {
            self.field(format_args!("{name}[{index}]"), |check| look(item, check));
        }
    }

    /// The field `name` must be as `requirement` says, which `is_met` or not, and is `value`.
    pub(super) fn require(
        &mut self,
        name: impl Display,
        is_met: bool,
        requirement: impl Display,
        value: impl Display,
    ) {
        if !is_met {
            self.fault(name, format!("must be {requirement}, got {value}"));
        }
    }

    /// The number `name` must be within `[low, high]`.
    pub(super) fn within(&mut self, name: impl Display, value: f64, [low, high]: [f64; 2]) {
        let is_met = (low..=high).contains(&value);
        self.require(name, is_met, format_args!("within [{low}, {high}]"), value);
    }

    /// The field `name` has a fault.
    pub(super) fn fault(&mut self, name: impl Display, message: impl Into<String>) {
        let name = name.to_string();
        let steps = self.path.iter().cloned().chain((!name.is_empty()).then_some(name));
        let path = steps.reduce(|path, step| {
            if step.starts_with('[') { path + &step } else { format!("{path}.{step}") }
        });
        let path = path.unwrap_or_default();
        self.faults.push(FileFault::new(path, message));
    }
}

/// The message about an unknown `name` of a `what`, with the nearest of the `known` names.
pub(super) fn unknown<'a>(
    what: &str,
    name: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    match crate::presets::nearest(name, known.clone()) {
        Some(nearest) => format!("unknown {what} `{name}`, did you mean `{nearest}`?"),
        None => {
            let known: Vec<_> = known.into_iter().map(|name| format!("`{name}`")).collect();
            format!("unknown {what} `{name}`, expected one of {}", known.join(", "))
        }
    }
}
