//! Chapter of drivelines: the solve of trees beside other solutions.

use anyhow::Result;

use super::check::{Chapter, Check, Section};
use super::reference::of_file;

/// Random drivelines that are compared here; the test compares more of them.
const RANDOM: u64 = 1_000;
/// Error of a random driveline, as a part of the largest (dimensionless).
const TOLERANCE: f64 = 1e-6;

/// Drivelines from blocks.
pub(super) fn chapter() -> Result<Chapter> {
    let source = "[trees](../vehicle-core/tests/data/trees), [test](../vehicle-core/tests/driveline_trees/main.rs)";
    let files = records::drivelines()?.into_iter();
    let checks = files.map(|file| of_file(file.name.replace('_', " "), source, file)).collect();
    let recorded = Section {
        title: "Recorded drivelines".into(),
        text: vec![
            "An independent program has solved drivelines in another way, without creep, and without mass where there \
             is none. Compared are speeds and torques at the end of a step. Ours solves each driveline from three \
             roots of its tree and three guesses of what sticks. Errors are parts of the largest speed or torque. \
             1e-9 to 1e-6 of it is allowed, as the file of the case says."
                .into(),
        ],
        checks,
        ..Section::default()
    };
    let (worst, independent) = records::dense_drivelines(RANDOM)?;
    let source = "[dense system](../vehicle-core/tests/driveline_random/dense.rs)";
    let names = ["speeds", "torques", "sums of torques at shafts"].into_iter().zip(worst);
    let mut checks: Vec<Check> = names
        .map(|(name, error)| {
            let subject = format!("{name} of {RANDOM} random drivelines, largest error");
            Check::absolute(subject, source, [error, 0.0], "", TOLERANCE)
        })
        .collect();
    let share = independent as f64 / RANDOM as f64;
    checks.push(Check::absolute(
        "share of them that the dense system solves on its own",
        source,
        [share, 1.0],
        "",
        0.1,
    ));
    let random = Section {
        title: "Random drivelines".into(),
        text: vec![
            "Here one dense system has all speeds and torques as its unknowns. Its laws of friction are projections, \
             and Newton's method finds on its own what sticks and what slips. Errors are parts of the largest speed \
             or torque."
                .into(),
        ],
        checks,
        ..Section::default()
    };
    Ok(Chapter {
        title: "Drivelines".into(),
        summary: "solutions of other programs and of a dense system".into(),
        sections: vec![recorded, random],
    })
}
