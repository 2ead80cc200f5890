//! Chapter of independent models and measurements.

use anyhow::Result;

use super::check::{Chapter, Check, Compared, Section};
use super::page::{percent, signed_percent};
use crate::evidence::{EvidenceRow, rows};

/// The rows of one subject from one source as a check: that of the worst of them.
fn of_subject(rows: &[EvidenceRow]) -> Option<Check> {
    let share = |row: &EvidenceRow| row.deviation.abs() / row.bound;
    let worst = rows.iter().max_by(|one, other| share(one).total_cmp(&share(other)))?;
    let out = rows.iter().filter(|row| !row.is_within());
    let faults = out.map(|row| {
        let EvidenceRow { quantity, ours, expected, unit, .. } = row;
        format!("{quantity}: {ours:.4} {unit}, published {expected:.4}")
    });
    let (deviation, bound) = (signed_percent(worst.deviation), percent(worst.bound));
    Some(Check {
        subject: format!("{}; worst: {}, {deviation} of {bound}", worst.subject, worst.quantity),
        source: worst.source.to_owned(),
        compared: Compared::Many {
            cases: 1,
            numbers: rows.len(),
            worst: share(worst),
            faults: faults.collect(),
        },
    })
}

/// Independent models and measurements.
pub(super) fn chapter() -> Result<Chapter> {
    let rows = rows()?;
    let same = |one: &EvidenceRow, other: &EvidenceRow| {
        one.subject == other.subject && one.source == other.source
    };
    let checks = rows.chunk_by(same).filter_map(of_subject).collect();
    let text = "Published runs of other simulations are compared with the same cars in the same manoeuvres here. The \
                files are in [snippets/evidence](../snippets/evidence); the program `manoeuvre` drives them, too. \
                [snippets/src/evidence](../snippets/src/evidence) says why models differ. A row is a car in a \
                manoeuvre at a rate; `cargo test -p snippets --test evidence -- --nocapture` prints every number.";
    Ok(Chapter {
        title: "Independent models and measurements".into(),
        summary: "published runs of other simulations".into(),
        sections: vec![Section { text: vec![text.into()], checks, ..Section::default() }],
    })
}
