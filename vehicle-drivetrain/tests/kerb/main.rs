//! Cars that meet steps, laths and waves, against runs of a fine model, whose tire is a ring of
//! springs in steps of 1/12000 s. `VEHICLE_KERB_DIR` names another folder of runs.

mod car;
mod profile;
mod runs;

use std::collections::BTreeMap;

use anyhow::Result;

use self::runs::{Outcome, Run, runs};

/// Height of a step by the radius of the wheel (dimensionless) up to which it is met as a whole.
const LOW: f64 = 0.55;

/// Part of the speed at which a wall throws a car of the fine model back, whose bushes are elastic,
/// that bushes which yield may take from it (dimensionless).
const TAKEN: f64 = 0.5;

/// How a run compares.
struct Compared {
    run: Run,
    found: Outcome,
    faults: Vec<String>,
}

/// The bounds that `found` does not hold.
fn faults(run: &Run, found: &Outcome, changes: Option<f64>) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let mut check = |name: &str, found: f64, [least, most]: [f64; 2]| {
        if !(least..=most).contains(&found) {
            faults.push(format!("{name} {found:.2} not in [{least:.2}, {most:.2}]"));
        }
    };
    let fine = &run.out;
    let within = |value: f64, part: f64, rest: f64| {
        let margin = part * value.abs() + rest;
        [value - margin, value + margin]
    };
    let [up, along] = fine.peaks;
    let scale = run.speed.abs().max(fine.speed.abs()).max(1.0);
    let is_low = run.by_radius()? <= LOW;
    match run.family.as_str() {
        "dip" | "crest" => {
            check("peak", found.peaks[0], [0.75 * up, 1.4 * up]);
            check("speed", found.speed, within(fine.speed, 0.0, 0.05 * scale + 0.4));
        }
        "fall" => check("peak", found.peaks[0], [0.7 * up, 1.1 * up]),
        "cleat" => check("peak", found.peaks[0], [0.0, 1.25 * up + 0.2]),
        "up" | "brake" | "drive" if !is_low => {
            if run.is_converged[2] {
                let [least, most] = within(fine.speed, 0.0, 0.25 * scale);
                check("speed", found.speed, [least, most + TAKEN * (-fine.speed).max(0.0)]);
            }
            if run.is_converged[1] {
                check("along", found.peaks[1], within(along, 0.4, 0.5));
            }
            if run.is_converged[0] {
                check("lift", found.rise, [0.0, 1.5 * fine.rise + 0.2]);
            }
            let is_near = changes.is_some_and(|height| (run.height / height - 1.0).abs() <= 0.15);
            if found.is_over != fine.is_over && !is_near {
                faults.push(format!("over: {}", found.is_over));
            }
        }
        _ => {
            let least = if 20.0 <= run.speed { 0.5 } else { 0.75 };
            check("peak", found.peaks[0], [least * up - 0.2, 1.25 * up + 0.2]);
            check("along", found.peaks[1], within(along, 0.35, 0.2));
            check("speed", found.speed, within(fine.speed, 0.0, 0.05 * scale + 0.4));
            check("rise", found.rise, within(fine.rise, 0.15, 0.02));
            if found.is_over != fine.is_over {
                faults.push(format!("over: {}", found.is_over));
            }
        }
    }
    Ok(faults)
}

/// Height at which cars as that of `run` no longer get over a step (m): in the middle between
/// those of runs that do and do not.
fn change_height(run: &Run, runs: &[Run]) -> Option<f64> {
    let alike = |other: &&Run| {
        other.family == run.family && other.vehicle == run.vehicle && other.speed == run.speed
    };
    let heights = |is_over: bool| {
        let those = runs.iter().filter(alike).filter(move |it| it.out.is_over == is_over);
        those.map(|it| it.height)
    };
    let highest = heights(true).max_by(f64::total_cmp)?;
    let lowest = heights(false).min_by(f64::total_cmp)?;
    Some(0.5 * (highest + lowest))
}

fn compare(runs: &[Run]) -> Result<BTreeMap<String, Vec<Compared>>> {
    let mut families = BTreeMap::<String, Vec<Compared>>::new();
    for run in runs {
        let found = run.drive()?;
        let faults = faults(run, &found, change_height(run, runs))?;
        let is_step = matches!(run.family.as_str(), "up" | "brake" | "drive");
        let is_high = is_step && LOW < run.by_radius()?;
        let name = format!("{}{}", run.family, if is_high { ", high" } else { "" });
        let compared = Compared { run: run.clone(), found, faults };
        families.entry(name).or_default().push(compared);
    }
    Ok(families)
}

/// Which part of the runs of a family must hold all bounds. Three kinds do not: a car that is just
/// too slow for a kerb, karts whose wheels pass a kerb within a substep, and steps as high as the
/// hub. At the latter a little decides whether a car gets over.
fn least_part(family: &str) -> f64 {
    match family {
        "up" | "fall" => 0.85,
        "up, high" => 0.8,
        "drive, high" => 0.3,
        _ => 1.0,
    }
}

#[test]
fn cars_meet_obstacles_as_a_fine_model_does() -> Result<()> {
    let mut wrong = Vec::new();
    for (family, compared) in &compare(&runs()?)? {
        let count = compared.len() as f64;
        let part = report(family, compared)? as f64 / count;
        if part < least_part(family) {
            wrong.push(format!("{family}: {:.0} % of {count} runs hold", 100.0 * part));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    Ok(())
}

/// Prints how a family compares; how many of its runs hold all bounds.
fn report(family: &str, compared: &[Compared]) -> Result<usize> {
    let mean = |error: &dyn Fn(&Compared) -> f64| {
        let squares = compared.iter().map(|it| error(it).powi(2)).sum::<f64>();
        100.0 * (squares / compared.len() as f64).sqrt()
    };
    let peak = mean(&|it| {
        let fine = it.run.out.peaks[0];
        (it.found.peaks[0] - fine) / fine.max(0.3)
    });
    let speed = mean(&|it| (it.found.speed - it.run.out.speed) / it.run.speed.abs().max(1.0));
    let holds = compared.iter().filter(|it| it.faults.is_empty()).count();
    println!(
        "{family:12} {holds:3} of {:3} hold; peak {peak:4.0} %, speed {speed:4.1} % rms",
        compared.len()
    );
    for Compared { run, found, faults } in compared.iter().filter(|it| !it.faults.is_empty()) {
        println!(
            "  {family} {} {} {:.2} R at {} m/s: {} | {found:.2?} | fine {:.2?}",
            run.id,
            run.vehicle,
            run.by_radius()?,
            run.speed,
            faults.join(", "),
            run.out,
        );
    }
    Ok(holds)
}
