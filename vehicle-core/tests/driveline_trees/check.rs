//! The trees of a file, solved from several roots and modes, beside their solutions.

use std::path::Path;

use anyhow::{Context, Result};
use vehicle_core::driveline::{DrivelinePlan, DrivelineSolution, Mode, Side, TorqueSign};

use super::case::Case;

/// What a file came to.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) cases: usize,
    /// Numbers that were compared.
    pub(crate) compared: usize,
    /// Largest error over tolerance.
    pub(crate) worst: f64,
    pub(crate) most_passes: u32,
    pub(crate) passes: u64,
    pub(crate) followed: usize,
    /// What is out of its tolerance.
    pub(crate) faults: Vec<String>,
}

/// Modes that a solve may start with: none may make a difference.
fn starting_modes(elements: usize, seed: u64) -> Vec<Mode> {
    let sides = [Side::Within, Side::Above, Side::Below];
    let signs = [TorqueSign::Positive, TorqueSign::Negative];
    let mut random = seed;
    let mut next = |choices: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((random >> 33) % choices) as usize
    };
    (0..elements)
        .map(|_| {
            if seed == 0 {
                Mode::default()
            } else {
                Mode { side: sides[next(3)], torque: signs[next(2)] }
            }
        })
        .collect()
}

fn run(case: &Case, tally: &mut Tally) -> Result<()> {
    let (elements, ports) = (case.elements()?, case.ports());
    let roots = [0, case.shafts.len() / 2, case.shafts.len() - 1];
    for (seed, root) in roots.into_iter().enumerate() {
        let plan = DrivelinePlan::with_root(case.shafts.len(), &ports, root)?;
        plan.check(&elements)?;
        let mut modes = starting_modes(elements.len(), seed as u64);
        let mut solution = DrivelineSolution::new(&plan);
        let outcome = plan.solve(&elements, &case.shafts, case.h, &mut modes, &mut solution)?;
        tally.most_passes = tally.most_passes.max(outcome.passes);
        tally.passes += u64::from(outcome.passes);
        tally.followed += usize::from(outcome.was_followed);
        if !outcome.is_consistent {
            tally.faults.push(format!("{} root {root}: modes do not agree, {outcome:?}", case.id));
        }
        case.compare(&plan, &solution, &modes, &mut |what, found, expected, allowed| {
            let error = (found - expected).abs();
            tally.compared += 1;
            tally.worst = tally.worst.max(error / allowed.max(f64::MIN_POSITIVE));
            // A number that is none is an error, too.
            let is_met = error <= allowed;
            if !is_met {
                tally
                    .faults
                    .push(format!("{} root {root}: {what} is {found}, not {expected}", case.id));
            }
        });
        case.compare_modes(&modes, &mut |fault| {
            tally.faults.push(format!("{} root {root}: {fault}", case.id));
        });
    }
    tally.cases += 1;
    Ok(())
}

/// Solves all trees of a file.
pub(crate) fn check_file(path: &Path) -> Result<Tally> {
    let mut tally = Tally::default();
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    for (line, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let place = || format!("{}:{}", path.display(), line + 1);
        let case: Case = serde_json::from_str(text).with_context(place)?;
        run(&case, &mut tally).with_context(place)?;
    }
    Ok(tally)
}
