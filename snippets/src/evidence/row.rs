//! A comparison of one number.

use serde::Serialize;

/// A published number, and ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvidenceRow {
    /// Vehicle, manoeuvre, and steps per second.
    pub subject: String,
    /// The vehicle and its manoeuvre.
    pub quantity: String,
    /// Unit of both numbers.
    pub unit: &'static str,
    /// The published number.
    pub expected: f64,
    /// Ours.
    pub ours: f64,
    /// Difference by the published number; of places, the distance by the length of the path
    /// (dimensionless).
    pub deviation: f64,
    /// Largest deviation, either way, that is accepted (dimensionless).
    pub bound: f64,
    /// Where the published number is from.
    pub source: &'static str,
}

impl EvidenceRow {
    /// Whether it deviates by no more than the bound.
    pub fn is_within(&self) -> bool {
        self.deviation.abs() <= self.bound
    }
}

/// Rows of one subject from one source.
pub(super) struct Rows {
    subject: String,
    source: &'static str,
    pub(super) rows: Vec<EvidenceRow>,
}

impl Rows {
    pub(super) fn new(subject: String, source: &'static str) -> Self {
        Self { subject, source, rows: Vec::new() }
    }

    /// Adds a number of this `unit`; both in it.
    pub(super) fn number(
        &mut self,
        quantity: impl Into<String>,
        unit: &'static str,
        [expected, ours]: [f64; 2],
        bound: f64,
    ) {
        self.add(
            quantity.into(),
            unit,
            [expected, ours],
            (ours - expected) / expected.abs(),
            bound,
        );
    }

    /// Adds the largest distance of `places` from the `published` ones (m), by the length of the
    /// `path` (m).
    pub(super) fn places(&mut self, [published, places]: [&[[f64; 2]]; 2], path: f64, bound: f64) {
        let pairs = published.iter().zip(places);
        let distance =
            |(one, other): (&[f64; 2], &[f64; 2])| (one[0] - other[0]).hypot(one[1] - other[1]);
        let largest = pairs.map(distance).fold(0.0, f64::max);
        let quantity = format!("largest distance from its place, on a path of {path:.1} m");
        self.add(quantity, "m", [0.0, largest], largest / path, bound);
    }

    fn add(
        &mut self,
        quantity: String,
        unit: &'static str,
        [expected, ours]: [f64; 2],
        deviation: f64,
        bound: f64,
    ) {
        let (subject, source) = (self.subject.clone(), self.source);
        let row = EvidenceRow { subject, quantity, unit, expected, ours, deviation, bound, source };
        self.rows.push(row);
    }
}
