//! Records by others: files of one JSON object per line.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// The `.jsonl` files of `tests/data/{name}`, or of the folder that the environment has under
/// `variable`, by name.
pub(crate) fn records(name: &str, variable: &str) -> Result<Vec<PathBuf>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let folder = std::env::var_os(variable).map_or(own, PathBuf::from);
    let entries = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut files: Vec<_> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    ensure!(!files.is_empty(), "no {name} in {}", folder.display());
    Ok(files)
}
