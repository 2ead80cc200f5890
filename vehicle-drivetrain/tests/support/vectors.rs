//! Running our functions on files of recorded inputs and outputs, one case `{"in": .., "out": ..}`
//! a line.
//!
//! The *kind* of a file is its name without extension and without the suffix `_ill_conditioned`; a
//! *reader* of a kind turns one input into what ours produces, in the shape of the recorded output.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;

use super::compare::compare;
use super::report::{FileReport, Report};
use super::tolerances::{FileTolerances, Tolerances};

/// Names another folder of vectors.
pub const FOLDER_VARIABLE: &str = "VEHICLE_REFERENCE_DIR";

const ILL_CONDITIONED: &str = "_ill_conditioned";
const MAX_FIELDS_PRINTED: usize = 4;
const MAX_INPUT_PRINTED: usize = 2_000;

/// Computes our output of one recorded input.
pub type Reader = fn(&Value) -> Result<Outcome>;

/// All readers, by kind.
pub type Readers<'a> = &'a [(&'a str, Reader)];

/// Kinds of files that test nothing that we have, each with the reason.
pub type WithoutCounterpart<'a> = &'a [(&'a str, &'static str)];

/// A field in which the reference recorded something else than it intends; ours is held to the
/// intent.
#[derive(Clone, Debug)]
pub struct Quirk {
    /// Path of the field that is replaced, whole lists or single elements: `torque_ratios`,
    /// `steps[2].gear`.
    pub field: String,
    /// The intended value.
    pub wanted: Value,
    /// Why the record differs, in a few words.
    pub reason: &'static str,
}

/// What a reader returns.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Our output, with the fields of the recorded one.
    pub produced: Value,
    /// Known quirks of this case; counted only where the record does differ from the intent.
    pub quirks: Vec<Quirk>,
}

impl From<Value> for Outcome {
    fn from(produced: Value) -> Self {
        Self { produced, quirks: Vec::new() }
    }
}

impl Outcome {
    /// Adds a quirk.
    pub fn with_quirk(mut self, field: &str, wanted: Value, reason: &'static str) -> Self {
        self.quirks.push(Quirk { field: field.to_owned(), wanted, reason });
        self
    }
}

/// The folder in use and its tolerances.
///
/// A folder that brings no `tolerances.json` is judged by the one that is checked in.
pub fn folder() -> Result<(PathBuf, Tolerances)> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vectors");
    let folder = std::env::var_os(FOLDER_VARIABLE).map_or_else(|| own.clone(), PathBuf::from);
    let candidates = [&folder, &own].map(|place| place.join("tolerances.json"));
    let path = candidates.iter().find(|path| path.is_file());
    let path = path.ok_or_else(|| {
        anyhow!("no tolerances.json in {} nor in {}", folder.display(), own.display())
    })?;
    Ok((folder, Tolerances::load(path)?))
}

/// Checks all `*.jsonl` files of a folder, in sorted order.
pub fn check(
    folder: &Path,
    tolerances: &Tolerances,
    readers: Readers<'_>,
    without_counterpart: WithoutCounterpart<'_>,
) -> Report {
    let mut report = Report::default();
    let mut by_kind = BTreeMap::new();
    for (kind, reader) in readers {
        if by_kind.insert(*kind, *reader).is_some() {
            report.errors.push(format!("two readers of the kind `{kind}`"));
        }
    }
    let passed_over: BTreeMap<_, _> = without_counterpart.iter().copied().collect();
    let stems = stems(folder).unwrap_or_else(|error| {
        report.errors.push(format!("{error:#}"));
        Vec::new()
    });
    if stems.is_empty() {
        report.errors.push(format!("no *.jsonl files in {}", folder.display()));
    }
    for stem in &stems {
        if let Some(reader) = by_kind.get(kind(stem)) {
            report.files.push(check_file(folder, stem, tolerances, *reader));
        } else if let Some(reason) = passed_over.get(kind(stem)) {
            report.without_counterpart.push((stem.clone(), reason));
        } else {
            report.skipped.push(stem.clone());
        }
    }
    let seen: BTreeSet<&str> = stems.iter().map(|stem| kind(stem)).collect();
    report.idle = by_kind
        .keys()
        .filter(|kind| !seen.contains(*kind))
        .map(|kind| (*kind).to_owned())
        .collect();
    report
}

/// The kind of the file with this stem.
fn kind(stem: &str) -> &str {
    stem.strip_suffix(ILL_CONDITIONED).unwrap_or(stem)
}

/// The sorted names of the vector files, without extension.
fn stems(folder: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read the folder {}", folder.display()))?;
    let mut stems = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        stems.extend(name.strip_suffix(".jsonl").map(str::to_owned));
    }
    stems.sort();
    Ok(stems)
}

fn check_file(folder: &Path, stem: &str, tolerances: &Tolerances, reader: Reader) -> FileReport {
    let mut report = FileReport { name: stem.to_owned(), ..FileReport::default() };
    let path = folder.join(format!("{stem}.jsonl"));
    let text = std::fs::read_to_string(&path)
        .map_err(|error| anyhow!("cannot read {}: {error}", path.display()));
    let (text, tolerances) = match text.and_then(|text| Ok((text, tolerances.of_file(stem)?))) {
        Ok(read) => read,
        Err(error) => {
            report.failures.push(format!("{stem}.jsonl: {error:#}"));
            return report;
        }
    };
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        report.cases += 1;
        let outcome = check_line(line, i + 1, tolerances, reader, &mut report);
        report
            .failures
            .extend(outcome.err().map(|error| format!("{stem}.jsonl:{} {error:#}", i + 1)));
    }
    if report.cases == 0 {
        report.failures.push(format!("{stem}.jsonl: no cases"));
    }
    report
}

/// Checks one case; the error is the message of its failure.
fn check_line(
    line: &str,
    number: usize,
    tolerances: &FileTolerances,
    reader: Reader,
    report: &mut FileReport,
) -> Result<()> {
    let case: Case = line.parse()?;
    let shown = || format!("\n  in: {}", shortened(&case.input));
    // One broken case must not hide the others.
    let outcome = catch_unwind(AssertUnwindSafe(|| reader(&case.input)));
    let outcome = outcome.map_err(|_| anyhow!("the reader panicked{}", shown()))?;
    let outcome = outcome.map_err(|error| anyhow!("the reader failed: {error:#}{}", shown()))?;
    let wanted = intended(&case.output, outcome.quirks, tolerances, report);
    let wanted = wanted.map_err(|error| anyhow!("{error}{}", shown()))?;
    let compared = compare(&outcome.produced, &wanted, tolerances);
    report.fields += compared.fields;
    let has_number = !compared.worst_path.is_empty();
    if has_number && (report.worst_at.is_empty() || report.worst < compared.worst) {
        report.worst = compared.worst;
        report.worst_at = format!("{} in line {number}", compared.worst_path);
    }
    if compared.mismatches.is_empty() {
        return Ok(());
    }
    let mismatches = compared.mismatches.iter();
    let lines: Vec<String> = mismatches.take(MAX_FIELDS_PRINTED).map(ToString::to_string).collect();
    let (wrong, fields) = (compared.mismatches.len(), compared.fields);
    bail!("{wrong} mismatches in {fields} fields:\n  {}{}", lines.join("\n  "), shown())
}

/// The recorded output with the intended values of its quirks, which are counted where they differ
/// from the record.
fn intended(
    recorded: &Value,
    quirks: Vec<Quirk>,
    tolerances: &FileTolerances,
    report: &mut FileReport,
) -> Result<Value> {
    let mut wanted = recorded.clone();
    for Quirk { field, wanted: intent, reason } in quirks {
        let mut alone = recorded.clone();
        for value in [&mut wanted, &mut alone] {
            let place = at_path(value, &field);
            *place.ok_or_else(|| anyhow!("a quirk of `{field}`, which is not recorded"))? =
                intent.clone();
        }
        if !compare(&alone, recorded, tolerances).mismatches.is_empty() {
            *report.quirks.entry((field, reason)).or_default() += 1;
        }
    }
    Ok(wanted)
}

/// One line of a file.
#[derive(Clone, Debug)]
struct Case {
    input: Value,
    output: Value,
}

impl std::str::FromStr for Case {
    type Err = anyhow::Error;

    fn from_str(line: &str) -> Result<Self> {
        let mut value: Value = serde_json::from_str(line).context("unreadable line")?;
        let mut part = |name: &str| {
            let part = value.get_mut(name).map(Value::take);
            part.filter(Value::is_object)
                .ok_or_else(|| anyhow!("unreadable line: no object `{name}`"))
        };
        Ok(Self { input: part("in")?, output: part("out")? })
    }
}

/// The place that a path such as `steps[2].x` names.
fn at_path<'a>(value: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    let pointer = path.replace(['.', '['], "/").replace(']', "");
    value.pointer_mut(&format!("/{pointer}"))
}

fn shortened(input: &Value) -> String {
    let text = input.to_string();
    match text.char_indices().nth(MAX_INPUT_PRINTED) {
        Some((end, _)) => format!("{} ... ({} bytes in all)", &text[..end], text.len()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::values::{f32_of, number};
    use super::*;
    use serde_json::json;

    const TOLERANCES: &str = r#"{
        "half": {"y": {"abs": 1e-6, "rel": 0}, "on": "exact"}, "half_ill_conditioned": {"y": {"abs": 1, "rel": 0}},
        "twice": {"y": {"abs": 1e-6, "rel": 0}}, "empty": {}
    }"#;

    /// A fresh folder with these files.
    fn folder(name: &str, files: &[(&str, &str)]) -> Result<PathBuf> {
        let folder = std::env::temp_dir().join(format!("{name}_{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        for (file, text) in files {
            std::fs::write(folder.join(file), text)?;
        }
        Ok(folder)
    }

    fn check_files(name: &str, files: &[(&str, &str)], readers: Readers<'_>) -> Result<Report> {
        let folder = folder(name, files)?;
        let report = check(
            &folder,
            &Tolerances::parse(TOLERANCES)?,
            readers,
            &[("odd", "ours are all even"), ("half", "a reader goes first")],
        );
        std::fs::remove_dir_all(&folder)?;
        Ok(report)
    }

    fn half(input: &Value) -> Result<Outcome> {
        let x = f32_of(input, "x")?;
        assert!(0.0 <= x, "negative");
        let outcome = Outcome::from(json!({"y": number(0.5 * x)}));
        Ok(if x == 8.0 { outcome.with_quirk("y", json!(4), "off by one") } else { outcome })
    }

    #[test]
    fn files_are_checked_by_kind_and_others_are_listed() -> Result<()> {
        let files = [
            ("half.jsonl", "{\"in\":{\"x\":2},\"out\":{\"y\":1.0000005}}\n"),
            ("half_ill_conditioned.jsonl", "{\"in\":{\"x\":2},\"out\":{\"y\":1.5}}\n"),
            ("odd.jsonl", "{\"in\":{},\"out\":{}}\n"),
            ("whole.jsonl", "{\"in\":{},\"out\":{}}\n"),
            ("notes.txt", ""),
        ];
        let report = check_files("by_kind", &files, &[("half", half), ("third", half)])?;
        assert!(report.passed(), "{report}");
        assert_eq!(report.files.iter().map(|file| file.cases).collect::<Vec<_>>(), [1, 1]);
        assert_eq!(report.files[1].worst, 0.5);
        assert_eq!(report.skipped, ["whole"]);
        assert_eq!(report.without_counterpart, [("odd".to_owned(), "ours are all even")]);
        assert_eq!(report.idle, ["third"]);
        Ok(())
    }

    #[test]
    fn failures_of_all_files_name_line_field_and_numbers() -> Result<()> {
        let half_lines = [
            r#"{"in":{"x":2},"out":{"y":1}}"#,
            r#"{"in":{"x":2},"out":{"y":1.5}}"#,
            r#"{"in":{"x":2},"out":{"y""#,
            r#"{"in":{"z":2},"out":{"y":1}}"#,
            r#"{"in":{"x":-2},"out":{"y":-1}}"#,
            r#"{"in":{"x":2},"out":{"y":1,"on":true}}"#,
        ];
        let twice = r#"{"in":{"x":2},"out":{"y":4}}"#;
        let files = [("half.jsonl", half_lines.join("\n")), ("twice.jsonl", twice.to_owned())];
        let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
        let report = check_files("failures", &files, &[("half", half), ("twice", half)])?;
        let [first, second] = report.files.as_slice() else {
            bail!("two files expected: {report}")
        };
        assert_eq!((first.cases, first.failures.len(), second.failures.len()), (6, 5, 1));
        let expected = [
            "half.jsonl:2 1 mismatches in 1 fields:\n  y: got 1.0, want 1.5 (error 5.000e-1, tolerance 1.000e-6)\n  in: {\"x\":2}",
            "half.jsonl:3 unreadable line",
            "half.jsonl:4 the reader failed: no field `x`",
            "half.jsonl:5 the reader panicked",
            "half.jsonl:6 1 mismatches in 1 fields:\n  on: got nothing, want true (not produced)",
        ];
        for (failure, start) in first.failures.iter().zip(expected) {
            assert!(failure.starts_with(start), "{failure} does not start with {start}");
        }
        assert!(!report.passed());
        Ok(())
    }

    #[test]
    fn a_quirk_replaces_the_record_and_counts_where_it_differs() -> Result<()> {
        let lines = "{\"in\":{\"x\":8},\"out\":{\"y\":5}}\n{\"in\":{\"x\":8},\"out\":{\"y\":4}}\n";
        let report = check_files("quirk", &[("half.jsonl", lines)], &[("half", half)])?;
        assert!(report.passed(), "{report}");
        assert_eq!(report.files[0].quirks, BTreeMap::from([(("y".to_owned(), "off by one"), 1)]));

        let astray: Reader =
            |_| Ok(Outcome::from(json!({"y": 1})).with_quirk("w", json!(1), "no such field"));
        let report = check_files("astray", &[("half.jsonl", lines)], &[("half", astray)])?;
        assert_eq!(report.files[0].failures.len(), 2);

        let mut value = json!({"steps": [{"v": [1, 2]}]});
        assert_eq!(at_path(&mut value, "steps[0].v[1]"), Some(&mut json!(2)));
        Ok(())
    }

    #[test]
    fn nothing_to_check_is_a_failure() -> Result<()> {
        assert!(!check_files("no_files", &[("notes.txt", "")], &[("half", half)])?.passed());
        assert!(!check_files("no_cases", &[("empty.jsonl", "\n")], &[("empty", half)])?.passed());
        assert!(!check_files("no_tolerance", &[("thin.jsonl", "{}")], &[("thin", half)])?.passed());
        assert!(!check(Path::new("no such folder"), &Tolerances::default(), &[], &[]).passed());
        Ok(())
    }
}
