//! Finding recorded drives: one row per step in a CSV, every parameter in a JSON of the same name.
//!
//! A *thinned* table holds pairs of consecutive rows, a *whole* one every row.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;

use super::traces::Trace;

/// Names another folder of traces.
pub const FOLDER_VARIABLE: &str = "VEHICLE_TRACES_DIR";

/// A folder of this name and suffix, beside the folder in use, holds whole files.
const WHOLE_SUFFIX: &str = "_full";

/// One recorded drive.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// File name without extension.
    pub name: String,
    /// Every parameter, as recorded.
    pub parameters: Value,
    /// Existing tables, the one for one-step tests first, the most likely whole one last.
    tables: Vec<PathBuf>,
}

/// What drives the vehicle, and what moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceKind {
    /// Direct drive; the vehicle's own integration.
    DirectDrive,
    /// Engine drive; the vehicle's own integration.
    EngineDrive,
    /// The solver of a scene takes part.
    InScene,
    /// Neither drive is described.
    Unknown,
}

/// The drives of a folder.
#[derive(Clone, Debug, Default)]
pub struct Scenarios {
    /// Those with parameters and a table, sorted by name.
    pub complete: Vec<Scenario>,
    /// Tables without parameters and parameters without a table.
    pub incomplete: Vec<String>,
}

/// The folder in use.
pub fn folder() -> PathBuf {
    let own = || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/traces");
    std::env::var_os(FOLDER_VARIABLE).map_or_else(own, PathBuf::from)
}

/// Finds all drives of a folder and of its sibling with whole files.
///
/// A folder without any is an error.
pub fn find(folder: &Path) -> Result<Scenarios> {
    let names = file_names(folder)?;
    let whole = sibling(folder, |name| Some(format!("{name}{WHOLE_SUFFIX}")));
    // A folder of whole files may itself be in use, with its parameters in the folder beside it.
    let thinned = sibling(folder, |name| name.strip_suffix(WHOLE_SUFFIX).map(str::to_owned));
    let stem = |name: &String| {
        let ending =
            [".json", ".csv", ".csv.gz"].into_iter().find(|ending| name.ends_with(ending))?;
        Some(name.strip_suffix(ending)?.to_owned())
    };
    let stems: BTreeSet<String> = names.iter().filter_map(stem).collect();
    let mut found = Scenarios::default();
    for name in stems {
        let places = [Some(folder), whole.as_deref()].into_iter().flatten();
        let tables = places.flat_map(|place| {
            [".csv", ".csv.gz"].map(|ending| place.join(format!("{name}{ending}")))
        });
        let tables: Vec<PathBuf> = tables.filter(|path| path.is_file()).collect();
        let places = [Some(folder), thinned.as_deref()].into_iter().flatten();
        let json =
            places.map(|place| place.join(format!("{name}.json"))).find(|path| path.is_file());
        match json {
            Some(json) if !tables.is_empty() => {
                found.complete.push(Scenario { name, parameters: read_json(&json)?, tables });
            }
            _ => found.incomplete.push(name),
        }
    }
    if found.complete.is_empty() {
        bail!("no traces (a .json with a .csv or .csv.gz) in {}", folder.display());
    }
    Ok(found)
}

impl Scenario {
    /// What drives it.
    pub fn kind(&self) -> TraceKind {
        if self.parameters.get("physxActor") != Some(&Value::Bool(false)) {
            return TraceKind::InScene;
        }
        let has = |name: &str| self.parameters.get(name).is_some_and(Value::is_object);
        match (has("directDrive"), has("engineDrive")) {
            (true, false) => TraceKind::DirectDrive,
            (false, true) => TraceKind::EngineDrive,
            _ => TraceKind::Unknown,
        }
    }

    /// Length units per meter.
    pub fn length_scale(&self) -> Result<f64> {
        let scale = self.parameters.pointer("/context/scale").and_then(Value::as_f64);
        let scale = scale.filter(|scale| 0.0 < *scale && scale.is_finite());
        scale.ok_or_else(|| anyhow!("{}.json: no positive context.scale", self.name))
    }

    /// The table for one-step tests, thinned or whole.
    pub fn table(&self) -> Result<Trace> {
        let path = self.tables.first().ok_or_else(|| anyhow!("{}: no table", self.name))?;
        Trace::load(&self.name, path)
    }

    /// A table with every row, if there is one.
    pub fn whole(&self) -> Result<Option<Trace>> {
        for path in self.tables.iter().rev() {
            let trace = Trace::load(&self.name, path)?;
            if trace.is_whole() {
                return Ok(Some(trace));
            }
        }
        Ok(None)
    }
}

fn read_json(path: &Path) -> Result<Value> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("in {}", path.display()))
}

/// The folder beside this one with another name, if there is one.
fn sibling(folder: &Path, rename: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let absolute = std::path::absolute(folder).ok()?;
    let renamed = absolute.with_file_name(rename(absolute.file_name()?.to_str()?)?);
    renamed.is_dir().then_some(renamed)
}

fn file_names(folder: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read the folder {}", folder.display()))?;
    entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const PAIRS: &str = "step\n0\n1\n20\n21\n";

    #[test]
    fn parameters_and_tables_are_found_in_both_folders() -> Result<()> {
        let root = std::env::temp_dir().join(format!("traces_{}", std::process::id()));
        let (thin, full) = (root.join("drives"), root.join("drives_full"));
        std::fs::create_dir_all(&thin)?;
        std::fs::create_dir_all(&full)?;
        std::fs::write(thin.join("A.csv"), PAIRS)?;
        std::fs::write(
            thin.join("A.json"),
            r#"{"physxActor":false,"directDrive":{},"context":{"scale":100}}"#,
        )?;
        std::fs::write(thin.join("B.csv"), "step\n0\n1\n")?;
        std::fs::write(thin.join("B.json"), r#"{"physxActor":true,"directDrive":{}}"#)?;
        std::fs::write(thin.join("LONE.csv"), "step\n0\n")?;
        let file = std::fs::File::create(full.join("A.csv.gz"))?;
        let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        packed.write_all(b"step,x\n0,0\n1,0\n2,0\n")?;
        packed.finish()?;

        let found = find(&thin)?;
        let [a, b] = found.complete.as_slice() else { bail!("two drives expected: {found:?}") };
        assert_eq!((a.kind(), b.kind()), (TraceKind::DirectDrive, TraceKind::InScene));
        assert_eq!(a.length_scale()?, 100.0);
        assert_eq!(
            (a.table()?.pairs().count(), a.whole()?.map(|trace| trace.pairs().count())),
            (2, Some(2))
        );
        assert!(b.whole()?.is_some(), "the folder in use may itself hold whole files");
        assert_eq!(found.incomplete, ["LONE"]);

        let found = find(&full)?;
        assert_eq!(found.complete.len(), 1, "parameters are found beside a folder of whole files");
        std::fs::remove_dir_all(&root)?;
        assert!(find(&root).is_err());
        Ok(())
    }
}
