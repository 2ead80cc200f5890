//! How far a value may lie from the recorded one, per file and field.
//!
//! A field's *pattern* is its path without indices: `steps[].x` for `steps[3].x`.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde_json::Value;

/// The tolerance of one field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Flags, texts, gears, counters.
    Exact,
    /// `|got - want| <= abs + rel S`, with `S` the largest magnitude in the innermost array that
    /// contains `want`.
    Within {
        /// Absolute part, in the field's unit.
        abs: f64,
        /// Part relative to `S`.
        rel: f64,
    },
}

/// The tolerances of one file, by pattern.
pub type FileTolerances = HashMap<String, Tolerance>;

/// The tolerances of a folder, by file name without extension.
#[derive(Clone, Debug, Default)]
pub struct Tolerances {
    files: HashMap<String, FileTolerances>,
}

impl Tolerances {
    /// Reads a `tolerances.json`: `{file: {pattern: "exact" | {"abs": .., "rel": ..}}}`.
    pub fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("in {}", path.display()))
    }

    /// Reads tolerances from the text of a file.
    pub fn parse(text: &str) -> Result<Self> {
        let files: HashMap<String, HashMap<String, Value>> = serde_json::from_str(text)?;
        let read_field = |(pattern, value): (String, Value)| {
            let read = tolerance(&value).with_context(|| format!("`{pattern}`"));
            read.map(|tolerance| (pattern, tolerance))
        };
        let read_file = |(stem, fields): (String, HashMap<String, Value>)| {
            let read: Result<FileTolerances> = fields.into_iter().map(read_field).collect();
            read.with_context(|| format!("file `{stem}`")).map(|fields| (stem, fields))
        };
        let files: Result<_> = files.into_iter().map(read_file).collect();
        Ok(Self { files: files? })
    }

    /// The tolerances of the file with this stem.
    pub fn of_file(&self, stem: &str) -> Result<&FileTolerances> {
        self.files
            .get(stem)
            .ok_or_else(|| anyhow!("tolerances.json has no entry for the file `{stem}`"))
    }
}

fn tolerance(value: &Value) -> Result<Tolerance> {
    if value == "exact" {
        return Ok(Tolerance::Exact);
    }
    let part = |name: &str| {
        let part = value.get(name).and_then(Value::as_f64).filter(|part| 0.0 <= *part);
        part.ok_or_else(|| anyhow!("neither \"exact\" nor {{abs, rel}} without sign: {value}"))
    };
    Ok(Tolerance::Within { abs: part("abs")?, rel: part("rel")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_tolerance_are_read_and_others_refused() -> Result<()> {
        let read = Tolerances::parse(r#"{"f":{"gear":"exact","v[]":{"abs":0.5,"rel":4e-6}}}"#)?;
        let file = read.of_file("f")?;
        assert_eq!(file["gear"], Tolerance::Exact);
        assert_eq!(file["v[]"], Tolerance::Within { abs: 0.5, rel: 4e-6 });
        assert!(read.of_file("g").is_err());
        for broken in [
            r#"{"f":{"x":"loose"}}"#,
            r#"{"f":{"x":{"abs":1}}}"#,
            r#"{"f":{"x":{"abs":-1,"rel":0}}}"#,
        ] {
            assert!(Tolerances::parse(broken).is_err(), "{broken} was accepted");
        }
        Ok(())
    }
}
