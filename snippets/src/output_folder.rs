//! The folder into which a program writes its results.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::report::GENERATOR;
use crate::telemetry::Telemetry;

/// Name of the file of a telemetry table.
pub const TELEMETRY: &str = "telemetry.csv";

/// Name of the file of a telemetry table as Parquet.
pub const PARQUET: &str = "telemetry.parquet";

/// Name of the file of a telemetry table as MCAP.
pub const MCAP: &str = "telemetry.mcap";

/// Writes a telemetry table into a file.
type Write = fn(&Telemetry, &Path) -> anyhow::Result<()>;

/// Names of the files of a telemetry table beside CSV, and what writes them.
const OTHER_FORMATS: [(&str, Write); 2] = [
    (PARQUET, |telemetry, path| telemetry.write_parquet(path)),
    (MCAP, |telemetry, path| telemetry.write_mcap(path)),
];

/// Name of the file of a report.
pub const REPORT: &str = "report.html";

/// A folder that existed and accepted a file when it was created.
///
/// Programs create it before they simulate, so that a wrong path costs no simulation time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFolder {
    path: PathBuf,
    /// Which of the [`OTHER_FORMATS`] it was created for.
    is_written: [bool; OTHER_FORMATS.len()],
}

impl OutputFolder {
    /// Creates the folder with its parents, if missing, and proves that files can be written into
    /// it.
    ///
    /// Files that are already there stay; telemetry and report of an earlier run will be replaced.
    /// With `force`, so will files of these names from elsewhere.
    ///
    /// # Errors
    ///
    /// Names the folder and the reason: a file is in the way, no permission, read-only file system,
    /// disk full, a file of a result's name that is none, ...
    pub fn create(path: impl Into<PathBuf>, force: bool) -> anyhow::Result<Self> {
        Self::create_for(&[TELEMETRY, REPORT], path, force)
    }

    /// Creates the folder for results of these names, one of which is a report.
    ///
    /// # Errors
    ///
    /// As of [`create`](Self::create).
    pub fn create_for(
        results: &[&str],
        path: impl Into<PathBuf>,
        force: bool,
    ) -> anyhow::Result<Self> {
        let path = path.into();
        if let Some(file) = file_in_the_way(&path) {
            let (folder, file) = (path.display(), file.display());
            bail!("cannot create the output folder `{folder}`: `{file}` is a file, not a folder");
        }
        if let Some(file) = foreign_file(&path, results).filter(|_| !force) {
            let file = file.display();
            bail!(
                "`{file}` is no result of an earlier run: choose another folder, or replace it by --force"
            );
        }
        fs::create_dir_all(&path)
            .with_context(|| format!("cannot create the output folder `{}`", path.display()))?;
        write_and_remove_probe(&path)
            .with_context(|| format!("cannot write into the output folder `{}`", path.display()))?;
        let is_written = OTHER_FORMATS.map(|(name, _)| results.contains(&name));
        Ok(Self { path, is_written })
    }

    /// Writes a table as CSV; as Parquet and MCAP, too, if the folder was created for [`PARQUET`]
    /// and [`MCAP`].
    ///
    /// `name` is that of the CSV file. The paths of what was written are returned.
    ///
    /// # Errors
    ///
    /// If a file cannot be written; the message names it.
    pub fn write_telemetry(
        &self,
        name: &str,
        telemetry: &Telemetry,
    ) -> anyhow::Result<Vec<PathBuf>> {
        let mut paths = vec![self.path(name)];
        telemetry.write_csv(&paths[0])?;
        let formats = OTHER_FORMATS.iter().zip(self.is_written);
        for ((file, write), _) in formats.filter(|(_, is_written)| *is_written) {
            let extension = Path::new(file).extension().unwrap_or_default();
            let path = paths[0].with_extension(extension);
            write(telemetry, &path)?;
            paths.push(path);
        }
        Ok(paths)
    }

    /// Path of a file in this folder; the file need not exist.
    pub fn path(&self, file_name: &str) -> PathBuf {
        self.path.join(file_name)
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        &self.path
    }
}

/// Proves that the file at `path` can be written, before what it is about takes its time.
///
/// # Errors
///
/// If it is a folder, its folder is not there, or either refuses to be written.
pub fn check_file(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        bail!("must be a file, got a folder");
    }
    if path.exists() {
        fs::OpenOptions::new().append(true).open(path).context("cannot be written")?;
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    write_and_remove_probe(folder)
        .with_context(|| format!("cannot write into the folder `{}`", folder.display()))
}

/// The nearest existing one of `path` and its parents, if that is not a folder.
fn file_in_the_way(path: &Path) -> Option<&Path> {
    path.ancestors().find(|ancestor| ancestor.exists()).filter(|ancestor| !ancestor.is_dir())
}

/// A file in `folder` that has the name of one of `results`, but beside which there is no report of
/// these programs.
fn foreign_file(folder: &Path, results: &[&str]) -> Option<PathBuf> {
    let report = fs::read_to_string(folder.join(REPORT));
    if report.is_ok_and(|page| page.contains(GENERATOR)) {
        return None;
    }
    results.iter().map(|name| folder.join(name)).find(|file| file.exists())
}

/// Writes one byte to a file in `folder` and removes the file again.
///
/// Permission bits do not tell enough: read-only mounts, quotas and access control lists refuse
/// only at the write.
fn write_and_remove_probe(folder: &Path) -> std::io::Result<()> {
    let probe = folder.join(format!(".writable-{}", std::process::id()));
    fs::write(&probe, b"\n")?;
    match fs::remove_file(&probe) {
        // Another thread of this process has probed the same folder and removed the file.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_parents_are_created_and_the_probe_is_gone() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("a/b/c");

        let folder = OutputFolder::create(&path, false).unwrap();

        assert!(path.is_dir());
        assert_eq!(folder.folder(), path);
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
        assert_eq!(folder.path("report.html"), path.join("report.html"));
    }

    #[test]
    fn existing_folder_keeps_its_files() {
        let parent = tempfile::tempdir().unwrap();
        let file = parent.path().join("old.csv");
        fs::write(&file, "old").unwrap();

        OutputFolder::create(parent.path(), false).unwrap();

        assert_eq!(fs::read_to_string(file).unwrap(), "old");
    }

    #[test]
    fn relative_folder_is_accepted() {
        OutputFolder::create(".", false).unwrap();
    }

    #[test]
    fn folder_that_is_a_file_is_refused_with_its_name() {
        let parent = tempfile::tempdir().unwrap();
        let file = parent.path().join("results");
        fs::write(&file, "text").unwrap();

        let message = format!("{:#}", OutputFolder::create(&file, false).unwrap_err());

        assert!(message.contains(file.to_str().unwrap()), "{message}");
        assert!(message.contains("is a file, not a folder"), "{message}");
        assert_eq!(fs::read_to_string(file).unwrap(), "text");
    }

    #[test]
    fn folder_below_a_file_is_refused_with_both_names() {
        let parent = tempfile::tempdir().unwrap();
        let file = parent.path().join("results");
        fs::write(&file, "text").unwrap();
        let folder = file.join("run/1");

        let message = format!("{:#}", OutputFolder::create(&folder, false).unwrap_err());

        let blamed = format!("`{}` is a file", file.display());
        assert!(message.contains(folder.to_str().unwrap()), "{message}");
        assert!(message.contains(&blamed), "{message}");
    }

    #[test]
    fn parquet_and_mcap_are_written_where_they_were_asked_for() {
        let parent = tempfile::tempdir().unwrap();
        let mut table = Telemetry::new([crate::telemetry::Channel::new("time", "s")]).unwrap();
        table.push(&[0.5]).unwrap();
        for (results, files) in [
            (&[TELEMETRY, REPORT][..], &["run-1.csv"][..]),
            (&[TELEMETRY, PARQUET, REPORT], &["run-1.csv", "run-1.parquet"]),
            (&[TELEMETRY, MCAP, PARQUET, REPORT], &["run-1.csv", "run-1.parquet", "run-1.mcap"]),
        ] {
            let folder = OutputFolder::create_for(results, parent.path(), false).unwrap();
            let paths = folder.write_telemetry("run-1.csv", &table).unwrap();
            assert!(
                paths.iter().eq(&files.iter().map(|file| folder.path(file)).collect::<Vec<_>>())
            );
            assert!(paths.iter().all(|path| path.is_file()));
            assert_eq!(fs::read_dir(parent.path()).unwrap().count(), files.len());
        }
    }

    #[test]
    fn files_from_elsewhere_are_replaced_by_force_alone() {
        let parent = tempfile::tempdir().unwrap();
        let (path, report) = (parent.path(), parent.path().join(REPORT));
        for name in [TELEMETRY, REPORT] {
            let file = path.join(name);
            fs::write(&file, "mine").unwrap();
            let message = OutputFolder::create(path, false).unwrap_err().to_string();
            assert!(message.contains(file.to_str().unwrap()), "{message}");
            assert!(message.contains("--force"), "{message}");
            OutputFolder::create(path, true).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
            fs::remove_file(&file).unwrap();
        }
        crate::report::Report::new("Run", "An earlier one.").write(&report).unwrap();
        fs::write(path.join(TELEMETRY), "time (s)").unwrap();
        OutputFolder::create(path, false).unwrap();
    }
}
