//! The folder into which a program writes its results.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// A folder that existed and accepted a file when it was created.
///
/// Programs create it before they simulate, so that a wrong path costs no simulation time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFolder {
    path: PathBuf,
}

impl OutputFolder {
    /// Creates the folder with its parents, if missing, and proves that files can be written into
    /// it.
    ///
    /// Files that are already there stay.
    ///
    /// # Errors
    ///
    /// Names the folder and the reason: a file is in the way, no permission, read-only file system,
    /// disk full, ...
    pub fn create(path: impl Into<PathBuf>) -> anyhow::Result<Self> {
        let path = path.into();
        if let Some(file) = file_in_the_way(&path) {
            let (folder, file) = (path.display(), file.display());
            bail!("cannot create the output folder `{folder}`: `{file}` is a file, not a folder");
        }
        fs::create_dir_all(&path)
            .with_context(|| format!("cannot create the output folder `{}`", path.display()))?;
        write_and_remove_probe(&path)
            .with_context(|| format!("cannot write into the output folder `{}`", path.display()))?;
        Ok(Self { path })
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

/// The nearest existing one of `path` and its parents, if that is not a folder.
fn file_in_the_way(path: &Path) -> Option<&Path> {
    path.ancestors().find(|ancestor| ancestor.exists()).filter(|ancestor| !ancestor.is_dir())
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

        let folder = OutputFolder::create(&path).unwrap();

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

        OutputFolder::create(parent.path()).unwrap();

        assert_eq!(fs::read_to_string(file).unwrap(), "old");
    }

    #[test]
    fn relative_folder_is_accepted() {
        OutputFolder::create(".").unwrap();
    }

    #[test]
    fn folder_that_is_a_file_is_refused_with_its_name() {
        let parent = tempfile::tempdir().unwrap();
        let file = parent.path().join("results");
        fs::write(&file, "text").unwrap();

        let message = format!("{:#}", OutputFolder::create(&file).unwrap_err());

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

        let message = format!("{:#}", OutputFolder::create(&folder).unwrap_err());

        let blamed = format!("`{}` is a file", file.display());
        assert!(message.contains(folder.to_str().unwrap()), "{message}");
        assert!(message.contains(&blamed), "{message}");
    }
}
