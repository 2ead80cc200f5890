//! From a text to parameters.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use super::fault::FileFault;
use super::format::{FileFormat, spoken};
use super::locate;
#[cfg(feature = "all-formats")]
use super::tree::RonTree;
use super::tree::Tree;

impl FileFormat {
    /// Reads a text. The fault of a parameter is told by its path, whose place is looked for
    /// afterwards.
    pub(super) fn read<T: DeserializeOwned>(self, text: &str) -> Result<T, FileFault> {
        self.read_with(text, |_| ())
    }

    /// Reads a text, to whose values `complete` adds what they leave out.
    pub(super) fn read_with<T: DeserializeOwned>(
        self,
        text: &str,
        complete: impl FnOnce(&mut Tree),
    ) -> Result<T, FileFault> {
        let mut tree = self.tree(text)?;
        complete(&mut tree);
        tree.to().map_err(|error| {
            let (path, message) = error.into_parts();
            let position = locate::position(self, text, &path);
            FileFault { path, ..spoken(&message) }.at(position)
        })
    }

    /// What a text says. One that is not of the format at all fails here.
    pub(super) fn tree(self, text: &str) -> Result<Tree, FileFault> {
        #[cfg(feature = "all-formats")]
        if self == Self::Ron {
            return self.read_seed(text, PhantomData::<RonTree>).map(Tree::from);
        }
        self.read_seed(text, PhantomData::<Tree>)
    }
}
