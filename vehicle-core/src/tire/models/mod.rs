//! Force laws that come with the crate.

mod brush;

pub use brush::BrushTire;
