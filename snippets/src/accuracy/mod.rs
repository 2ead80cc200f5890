//! The accuracy page: what is compared with theory, other solutions and measurements, and how it
//! came out.
//!
//! A [`Check`] is one comparison with its bound; a [`Chapter`] has checks, tables and pictures.
//! [`chapters`] makes all of them, [`page::files`] the page `docs/accuracy.md` with its pictures.

mod check;
pub mod closed_forms;
mod convergence;
mod drivelines;
mod evidence;
mod kinematics;
pub mod page;
mod reference;
mod ride;
mod swings;
mod tires;
mod turning;

use anyhow::{Context, Result};
use rayon::prelude::*;

pub use check::{Bound, Chapter, Check, Compared, Section};

/// A chapter of the page, by what makes it.
type Make = fn() -> Result<Chapter>;

/// The chapters, in the order of the page. Another one is added by a line.
const CHAPTERS: [(&str, Make); 9] = [
    ("formulas", reference::formulas),
    ("drives", reference::drives),
    ("closed forms", closed_forms::chapter),
    ("kinematics", kinematics::chapter),
    ("tires", tires::chapter),
    ("drivelines", drivelines::chapter),
    ("ride", ride::chapter),
    ("convergence", convergence::chapter),
    ("independent models", evidence::chapter),
];

/// Number of chapters.
pub const COUNT: usize = CHAPTERS.len();

/// Makes all chapters, and tells after each.
///
/// # Errors
///
/// If a comparison cannot be made; one that is out of its bound is no error, but a check that does
/// not pass.
pub fn chapters(after_chapter: impl Fn() + Sync) -> Result<Vec<Chapter>> {
    let make = |(name, make): &(&str, Make)| {
        let chapter = make().with_context(|| format!("the chapter of {name}"));
        after_chapter();
        chapter
    };
    CHAPTERS.par_iter().map(make).collect()
}
