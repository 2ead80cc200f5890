//! Faults of a file, with their places.

use std::fmt::{self, Display};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePosition {
    /// Line, from 1 on.
    pub line: usize,
    /// Column, from 1 on.
    pub column: usize,
}

impl FilePosition {
    /// The place of the byte at `offset` of `text`.
    #[cfg(feature = "all-formats")]
    pub(super) fn of_offset(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Self {
            line: 1 + before.matches('\n').count(),
            column: 1 + before[line_start..].chars().count(),
        }
    }
}

/// A fault of a file, such as that of a vehicle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileFault {
    /// Where in the file, as far as that is known.
    pub position: Option<FilePosition>,
    /// Which field, such as `mechanics.parameters.wheels[2].radius`; empty for the file as a whole.
    pub path: String,
    /// Message: what the field must be, and what it is.
    pub message: String,
    /// A name or value that may have been meant.
    pub suggestion: Option<String>,
}

impl FileFault {
    /// A fault of the field at `path`.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        let (path, message) = (path.into(), message.into());
        Self { position: None, path, message, suggestion: None }
    }

    /// This fault at a place of its file, as far as that is known.
    pub fn at(mut self, position: Option<FilePosition>) -> Self {
        self.position = position;
        self
    }

    /// A name that is not known, where these are.
    pub(super) fn unknown(path: String, what: &str, name: &str, known: &[&str]) -> Self {
        let suggestion = closest(name, known);
        let message = match (&suggestion, known) {
            (Some(_), _) => format!("unknown {what} `{name}`"),
            (None, []) => format!("unknown {what} `{name}`, there are none"),
            (None, _) => format!("unknown {what} `{name}`, expected one of {}", list(known)),
        };
        Self { suggestion, ..Self::new(path, message) }
    }
}

fn list(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The name that is meant by `name`, if one is close: a letter for every three may be wrong.
fn closest(name: &str, known: &[&str]) -> Option<String> {
    let plain = |name: &str| name.replace(['_', '-', ' '], "").to_lowercase();
    let wanted = plain(name);
    let distance = |known: &&&str| strsim::damerau_levenshtein(&wanted, &plain(known));
    let best = known.iter().min_by_key(distance)?;
    let most = (wanted.chars().count() / 3).max(1);
    (distance(&best) <= most).then(|| (*best).to_owned())
}

impl Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(FilePosition { line, column }) = self.position {
            write!(f, "line {line}, column {column}: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        if let Some(suggestion) = &self.suggestion {
            write!(f, ", did you mean `{suggestion}`?")?;
        }
        Ok(())
    }
}

/// Faults as text: each is a line, and begins with the file if it is in one.
#[derive(Clone, Copy, Debug)]
pub struct FaultLines<'a> {
    /// The file.
    pub file: Option<&'a Path>,
    /// Its faults.
    pub faults: &'a [FileFault],
}

impl Display for FaultLines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if 0 < index {
                f.write_str("\n")?;
            }
            if let Some(file) = self.file {
                write!(f, "{}: ", file.display())?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

/// Why a file is no vehicle: the first fault of its syntax, or all of its meaning.
#[derive(Clone, PartialEq, Eq)]
pub struct VehicleFileError {
    file: Option<PathBuf>,
    io_kind: Option<ErrorKind>,
    faults: Vec<FileFault>,
}

impl VehicleFileError {
    pub(super) fn of_fault(fault: FileFault) -> Self {
        Self::of_faults(vec![fault])
    }

    pub(super) fn of_faults(faults: Vec<FileFault>) -> Self {
        Self { file: None, io_kind: None, faults }
    }

    /// These faults as those of the file at `path`.
    pub(super) fn in_file(mut self, path: &Path) -> Self {
        self.file = Some(path.to_owned());
        self
    }

    /// This error as that of a file that could not be read, for a reason of this kind.
    pub(super) fn of_kind(mut self, kind: ErrorKind) -> Self {
        self.io_kind = Some(kind);
        self
    }

    /// The faults, to be told more exactly.
    pub(super) fn faults_mut(&mut self) -> &mut [FileFault] {
        &mut self.faults
    }

    /// The file, if it was one.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Why the file could not be read, if that was it: a game takes a preset where it is
    /// [`NotFound`](ErrorKind::NotFound).
    pub fn io_kind(&self) -> Option<ErrorKind> {
        self.io_kind
    }

    /// The faults, at least one.
    pub fn faults(&self) -> &[FileFault] {
        &self.faults
    }
}

impl Display for VehicleFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        FaultLines { file: self.file(), faults: &self.faults }.fmt(f)
    }
}

impl fmt::Debug for VehicleFileError {
    /// Writes what `Display` does: so a program says it whose `main` returns it, or that expects a
    /// vehicle.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl std::error::Error for VehicleFileError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_suggested() {
        let known = ["mass", "wheel_base", "track_width"];
        for (name, expected) in [
            ("wheelbase", Some("wheel_base")),
            ("mas", Some("mass")),
            ("WheelBase", Some("wheel_base")),
            ("trackwidht", Some("track_width")),
            ("colour", None),
        ] {
            assert_eq!(closest(name, &known).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_program_that_ends_by_an_error_says_what_it_displays() {
        let error = VehicleFileError::of_fault(FileFault::new("mass", "must be positive"));
        let error = error.in_file(Path::new("car.json"));
        assert_eq!(format!("{error:?}"), "car.json: mass: must be positive");
        assert_eq!(format!("{error:?}"), error.to_string());
    }

    #[cfg(feature = "all-formats")]
    #[test]
    fn places_are_counted_from_one() {
        let text = "ä\n b";
        let position = FilePosition::of_offset(text, text.find('b').unwrap());
        assert_eq!(position, FilePosition { line: 2, column: 2 });
        assert_eq!(FilePosition::of_offset(text, 0), FilePosition { line: 1, column: 1 });
    }
}
