//! Drivelines solved by others: `tests/data/trees`, or the folder in `VEHICLE_TREES_DIR`.
//!
//! Every file has one JSON object per line: a tree, its start and its end of one step. A file whose
//! elements this reader does not know fails.

mod case;
#[path = "../common/mod.rs"]
mod common;

use anyhow::{Context, Result};
use case::Case;
use common::records;
use vehicle_core::driveline::{DrivelinePlan, DrivelineSolution, Mode, Side, TorqueSign};

/// What a file came to.
#[derive(Default)]
struct Tally {
    cases: usize,
    compared: usize,
    worst: f64,
    most_passes: u32,
    passes: u64,
    followed: usize,
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

fn run(case: &Case, tally: &mut Tally, faults: &mut Vec<String>) -> Result<()> {
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
            faults.push(format!("{} root {root}: modes do not agree, {outcome:?}", case.id));
        }
        case.compare(&plan, &solution, &modes, &mut |what, found, expected, allowed| {
            let error = (found - expected).abs();
            tally.compared += 1;
            tally.worst = tally.worst.max(error / allowed.max(f64::MIN_POSITIVE));
            // A number that is none is an error, too.
            let is_met = error <= allowed;
            if !is_met {
                faults.push(format!("{} root {root}: {what} is {found}, not {expected}", case.id));
            }
        });
        case.compare_modes(&modes, &mut |fault| {
            faults.push(format!("{} root {root}: {fault}", case.id));
        });
    }
    tally.cases += 1;
    Ok(())
}

#[test]
fn trees_are_solved_as_others_solve_them() -> Result<()> {
    let mut faults = Vec::new();
    for path in records("trees", "VEHICLE_TREES_DIR")? {
        let mut tally = Tally::default();
        let text = std::fs::read_to_string(&path)?;
        for (line, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            let place = || format!("{}:{}", path.display(), line + 1);
            let case: Case = serde_json::from_str(text).with_context(place)?;
            run(&case, &mut tally, &mut faults).with_context(place)?;
        }
        let mean = tally.passes as f64 / (3 * tally.cases) as f64;
        println!(
            "{:24} {:5} cases, {:6} numbers, worst {:.2e} of the tolerance; passes: mean {:.2}, most \
             {}; one at a time: {}",
            path.file_name().unwrap_or_default().to_string_lossy(),
            tally.cases,
            tally.compared,
            tally.worst,
            mean,
            tally.most_passes,
            tally.followed,
        );
    }
    let shown: Vec<_> = faults.iter().take(40).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), shown.join("\n"));
    Ok(())
}
