//! Chapters of the reference: its formulas, and its drives.

use anyhow::Result;
use records::{DriveTally, FileTally};

use super::check::{Chapter, Check, Compared, Section};
use crate::report::{Chart, LineShape, Series};

/// Parts of the model, by how the names of their files begin.
const FAMILIES: [(&str, &[&str]); 10] = [
    (
        "commands and steering",
        &["acceleration", "ackermann", "brake", "nonlinear", "steer", "lookup"],
    ),
    ("suspension", &["suspension", "anti_roll", "compute_sprung"]),
    ("tire", &["tire"]),
    (
        "wheel and body",
        &["wheel", "rigid", "compute_rotation", "compute_translation", "constraint"],
    ),
    ("direct drive", &["direct"]),
    ("engine, clutch and gearbox", &["engine", "clutch", "gear", "autobox"]),
    ("differentials", &["differential"]),
    ("systems of equations", &["linear_solve"]),
    ("whole vehicle, step by step", &["chain"]),
    ("frames and units", &["transform", "vehicle_frame", "shift_origin", "compute_sign"]),
];

/// Where the recorded functions are.
const VECTORS: &str = "[vectors](../vehicle-drivetrain/tests/data/vectors), [test](../vehicle-drivetrain/tests/reference.rs)";
/// Where the recorded drives are.
const TRACES: &str = "[traces](../vehicle-drivetrain/tests/data/traces), [test](../vehicle-drivetrain/tests/traces.rs)";

/// The check of a file.
pub(super) fn of_file(subject: String, source: &str, file: FileTally) -> Check {
    let FileTally { cases, numbers, worst, faults, .. } = file;
    let compared = Compared::Many { cases, numbers, worst, faults };
    Check { subject, source: source.to_owned(), compared }
}

/// Functions beside recorded inputs and outputs.
pub(super) fn formulas() -> Result<Chapter> {
    let mut files = records::formulas()?;
    let mut checks = Vec::new();
    for (family, prefixes) in FAMILIES {
        let belongs =
            |file: &mut FileTally| prefixes.iter().any(|prefix| file.name.starts_with(prefix));
        let own: Vec<FileTally> = files.extract_if(.., belongs).collect();
        checks.push(of_family(family, own));
    }
    let names: Vec<_> = files.iter().map(|file| file.name.as_str()).collect();
    anyhow::ensure!(names.is_empty(), "files of no family: {}", names.join(", "));
    let text = "Every formula is run on recorded inputs of the PhysX 5 Vehicle SDK and compared with its outputs, in \
                single precision. Each field of each file has a tolerance of its own \
                ([tolerances](../vehicle-drivetrain/tests/data/vectors/tolerances.json)): an absolute part, and a \
                part of the largest number beside it. It is some units in the last place for a formula, and more \
                where large numbers cancel. Where our formula differs on purpose, it is compared with the intention \
                of the reference. The test lists these cases."
        .to_owned();
    Ok(Chapter {
        title: "Formulas of the reference".into(),
        summary: "outputs of the PhysX 5 Vehicle SDK, one function at a time".into(),
        sections: vec![Section { text: vec![text], checks, ..Section::default() }],
    })
}

/// One check of all files of a family: that of the worst error.
fn of_family(family: &str, files: Vec<FileTally>) -> Check {
    let count = files.len();
    let mut all = FileTally::default();
    let mut worst_name = String::new();
    for file in files {
        all.cases += file.cases;
        all.numbers += file.numbers;
        if all.worst < file.worst {
            all.worst = file.worst;
            worst_name.clone_from(&file.name);
        }
        all.faults.extend(file.faults);
    }
    let worst =
        if worst_name.is_empty() { String::new() } else { format!(", worst in `{worst_name}`") };
    let plural = if count == 1 { "file" } else { "files" };
    of_file(format!("{family}: {count} {plural}{worst}"), VECTORS, all)
}

/// Whole recorded drives.
pub(super) fn drives() -> Result<Chapter> {
    let drives = records::drives()?;
    let mut checks = Vec::new();
    for drive in &drives {
        let DriveTally { name, has_engine, steps, numbers, worst_step, runs, worst_run, faults } =
            drive;
        let kind = if *has_engine { "engine drive" } else { "direct drive" };
        let of = |what: &str, cases, numbers, worst, faults| Check {
            subject: format!("{name}, {kind}: {what}"),
            source: TRACES.to_owned(),
            compared: Compared::Many { cases, numbers, worst, faults },
        };
        checks.push(of("single steps", *steps, *numbers, *worst_step, faults.clone()));
        checks.push(of("free runs of 2 s", *runs, 4 * runs, *worst_run, Vec::new()));
    }
    let steps = drives.iter().enumerate().map(|(index, drive)| (index as f64, drive.worst_step));
    let runs = drives.iter().enumerate().map(|(index, drive)| (index as f64, drive.worst_run));
    let chart = Chart::over_x(
        "Drives of the reference, repeated",
        "number of the drive",
        "largest error by its bound",
    )
    .series(Series::new("single steps", steps).shaped(LineShape::Dotted))
    .series(Series::new("free runs", runs).shaped(LineShape::Dotted))
    .reaching_y(0.0)
    .reaching_y(1.0);
    let text = [
        "Recorded drives of whole vehicles on a plane, without a physics engine. Each recorded step is repeated from \
         the recorded state before it, and all numbers of the state after it are compared. At least 99.5 % of a \
         quantity's values must be within 1e-4 of its size. All of them must be within a bound that the test derives \
         from the quantity. Cases are steps.",
        "Then our vehicle runs freely for two seconds, from the first row and from the first driving command. Wheels \
         that slip at low speed make drives chaotic. So the bound comes from two runs of ours, whose starts differ by \
         one unit in the last place: it is five times the distance of these runs. Cases are runs.",
    ];
    Ok(Chapter {
        title: "Drives of the reference".into(),
        summary: "whole drives of the PhysX 5 Vehicle SDK, step by step and for two seconds".into(),
        sections: vec![Section {
            text: text.map(str::to_owned).to_vec(),
            checks,
            charts: vec![(
                "drives".into(),
                chart,
                "Largest errors of the drives, in the order of the table: single steps in blue, free runs in orange.".into(),
            )],
            ..Section::default()
        }],
    })
}
