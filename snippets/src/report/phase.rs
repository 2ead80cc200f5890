//! Phases of a drive.

/// A part of a drive in which the driver does one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// When it begins (s).
    pub start: f64,
    /// When it ends (s).
    pub end: f64,
    /// What is done, in a word or two.
    pub name: String,
}
