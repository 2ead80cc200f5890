//! The formats of files.

use std::io;
use std::path::Path;

#[cfg(feature = "all-formats")]
use ron::extensions::Extensions;
use serde::Serialize;
use serde::de::DeserializeSeed;

use super::fault::{FileFault, FilePosition, VehicleFileError};
use super::tree::Written;

/// What some editors put before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A text format. Without the feature `all-formats`, only JSON is read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileFormat {
    /// JSON.
    Json,
    /// RON, Rusty Object Notation. `Some(..)` may be left out.
    Ron,
    /// TOML.
    Toml,
}

impl FileFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Json, Self::Ron, Self::Toml];

    /// The extension of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Ron => "ron",
            Self::Toml => "toml",
        }
    }

    /// The format of the file at `path`, by its extension.
    pub fn of_path(path: impl AsRef<Path>) -> Option<Self> {
        let extension = path.as_ref().extension()?.to_str()?;
        Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }

    /// The fault of a format that this build does not know.
    #[cfg(not(feature = "all-formats"))]
    fn unknown(self) -> FileFault {
        let format = self.extension();
        FileFault::new("", format!("{format} takes the feature `all-formats`, JSON does not"))
    }

    /// Reads a text by `seed`; a fault has its place.
    pub(super) fn read_seed<'a, S: DeserializeSeed<'a>>(
        self,
        text: &'a str,
        seed: S,
    ) -> Result<S::Value, FileFault> {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        match self {
            Self::Json => read_json(text, seed),
            #[cfg(feature = "all-formats")]
            Self::Ron => read_ron(text, seed),
            #[cfg(feature = "all-formats")]
            Self::Toml => read_toml(text, seed),
            #[cfg(not(feature = "all-formats"))]
            Self::Ron | Self::Toml => Err(self.unknown()),
        }
    }

    /// Writes `known`, a value whose type is known.
    pub(super) fn write(self, known: &impl Serialize) -> Result<String, FileFault> {
        let fault = |error: &dyn std::fmt::Display| FileFault::new("", error.to_string());
        let value = &Written::of(known).map_err(|error| fault(&error))?;
        match self {
            Self::Json => {
                let text = serde_json::to_string_pretty(value).map_err(|error| fault(&error))?;
                Ok(short_lists(&text) + "\n")
            }
            #[cfg(feature = "all-formats")]
            Self::Ron => {
                let pretty = ron::ser::PrettyConfig::new().compact_arrays(true);
                let text = ron_options().to_string_pretty(value, pretty);
                Ok(text.map_err(|error| fault(&error))? + "\n")
            }
            #[cfg(feature = "all-formats")]
            Self::Toml => toml::to_string(value).map_err(|error| fault(&error)),
            #[cfg(not(feature = "all-formats"))]
            Self::Ron | Self::Toml => Err(self.unknown()),
        }
    }
}

#[cfg(feature = "all-formats")]
pub(super) fn ron_options() -> ron::Options {
    let extensions = Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES;
    ron::Options::default().with_default_extension(extensions)
}

fn read_json<'a, S: DeserializeSeed<'a>>(text: &'a str, seed: S) -> Result<S::Value, FileFault> {
    let fault = |error: serde_json::Error| {
        let place = FilePosition { line: error.line(), column: error.column().max(1) };
        spoken(&error.to_string()).at((0 < place.line).then_some(place))
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = seed.deserialize(&mut deserializer).map_err(fault)?;
    deserializer.end().map_err(fault)?;
    Ok(value)
}

#[cfg(feature = "all-formats")]
fn read_toml<'a, S: DeserializeSeed<'a>>(text: &'a str, seed: S) -> Result<S::Value, FileFault> {
    let fault = |error: toml::de::Error| {
        let place = error.span().map(|span| FilePosition::of_offset(text, span.start));
        spoken(error.message()).at(place)
    };
    let deserializer = toml::Deserializer::parse(text).map_err(fault)?;
    seed.deserialize(deserializer).map_err(fault)
}

#[cfg(feature = "all-formats")]
fn read_ron<'a, S: DeserializeSeed<'a>>(text: &'a str, seed: S) -> Result<S::Value, FileFault> {
    let fault = |error: ron::error::SpannedError| {
        let place = error.span.start;
        let place = FilePosition { line: place.line, column: place.col };
        spoken(&error.code.to_string()).at(Some(place))
    };
    let mut deserializer =
        ron::Deserializer::from_str_with_options(text, &ron_options()).map_err(fault)?;
    let value =
        seed.deserialize(&mut deserializer).map_err(|code| fault(deserializer.span_error(code)))?;
    deserializer.end().map_err(|code| fault(deserializer.span_error(code)))?;
    Ok(value)
}

/// The fault of a message of serde or of RON, whose names stand between backticks.
pub(super) fn spoken(message: &str) -> FileFault {
    let message = plain(message);
    let names = |text: &str| -> Vec<String> {
        text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let (said, expected) = message.split_once(", ").unwrap_or((message, ""));
    for (start, what) in [
        ("unknown field ", "field"),
        ("Unexpected field named ", "field"),
        ("unknown variant ", "kind"),
        ("Unexpected variant named ", "kind"),
    ] {
        if let (true, Some(name)) = (said.starts_with(start), names(said).first()) {
            let known = names(expected);
            let known: Vec<_> = known.iter().map(String::as_str).collect();
            return FileFault::unknown(String::new(), what, name, &known);
        }
    }
    let in_words = [
        ("Unexpected missing field named ", "missing field"),
        ("Unexpected duplicate field named ", "duplicate field"),
    ];
    for (start, what) in in_words {
        if let (true, Some(name)) = (message.starts_with(start), names(message).first()) {
            return FileFault::new("", format!("{what} `{name}`"));
        }
    }
    FileFault::new("", message)
}

/// A message without the place that JSON adds at its end, and the lines that TOML quotes before it.
fn plain(message: &str) -> &str {
    let message = if message.starts_with("TOML parse error") {
        let mut lines = message.lines().rev().map(str::trim);
        let said = lines.find(|line| !line.is_empty() && !line.starts_with("in `"));
        said.unwrap_or(message)
    } else {
        message
    };
    message.rfind(" at line ").map_or(message, |end| &message[..end])
}

/// Reads the text of a file at a path.
pub(super) type ReadText<'a> = dyn Fn(&Path) -> io::Result<String> + 'a;

/// Reads the text of a file of the file system.
pub(super) fn of_file_system(path: &Path) -> io::Result<String> {
    std::fs::read_to_string(path)
}

/// Reads the text of a tire file of the file system. Bytes that are not UTF-8, as old files have in
/// their comments, are read as unknown characters.
pub(super) fn tires_of_file_system(path: &Path) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
}

/// Format and text of the file at `path`, which `read` reads.
pub(super) fn read_file(
    path: &Path,
    read: &ReadText<'_>,
) -> Result<(FileFormat, String), VehicleFileError> {
    let fault =
        |message: String| VehicleFileError::of_fault(FileFault::new("", message)).in_file(path);
    let format = FileFormat::of_path(path).ok_or_else(|| {
        fault("the extension must be json, ron or toml, which says the format".to_owned())
    })?;
    let text = read(path).map_err(|error| fault(error.to_string()).of_kind(error.kind()))?;
    Ok((format, text))
}

/// Longest line on which a list is put together.
const LONGEST_LIST: usize = 100;

/// Pretty JSON with short lists of numbers, or of lists of numbers, each on one line.
fn short_lists(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = next_list(rest) {
        let (before, list) = rest.split_at(start);
        result.push_str(before);
        match joined_list(list) {
            Some((joined, length)) => {
                result.push_str(&joined);
                rest = &list[length..];
            }
            None => {
                result.push('[');
                rest = &list[1..];
            }
        }
    }
    result + rest
}

/// Where the next list begins, outside of strings.
fn next_list(text: &str) -> Option<usize> {
    let (mut is_text, mut is_escaped) = (false, false);
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'[' if !is_text => return Some(index),
            _ => {}
        }
    }
    None
}

/// The list at the start of `text` on one line, and how long it was, unless it has objects or is
/// long.
fn joined_list(text: &str) -> Option<(String, usize)> {
    let mut joined = String::new();
    let (mut depth, mut is_text, mut is_escaped) = (0_usize, false, false);
    for (index, character) in text.char_indices() {
        if is_text {
            is_text = is_escaped || character != '"';
            is_escaped = !is_escaped && character == '\\';
            joined.push(character);
            continue;
        }
        match character {
            '{' => return None,
            '\n' | ' ' => continue,
            ',' => joined.push_str(", "),
            _ => joined.push(character),
        }
        match character {
            '"' => is_text = true,
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if LONGEST_LIST < joined.len() {
            return None;
        }
        if depth == 0 {
            return Some((joined, index + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lists_stand_on_one_line() {
        let value = serde_json::json!({ "a [": [[1, 2.5], ["x, ]\"y", 3]], "b": [{ "c": [] }] });
        let text = short_lists(&serde_json::to_string_pretty(&value).unwrap());
        assert!(text.contains(r#""a [": [[1, 2.5], ["x, ]\"y", 3]]"#), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }

    #[test]
    fn extensions_tell_formats() {
        assert_eq!(FileFormat::of_path("a/car.JSON"), Some(FileFormat::Json));
        assert_eq!(FileFormat::of_path("car.txt"), None);
    }
}
