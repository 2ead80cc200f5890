//! The page in Markdown with its pictures, and whether the one that is there is stale.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::check::{Bound, Chapter, Check, Compared, Section};

/// Name of the page, and of the folder of its pictures beside it.
pub const PAGE: &str = "accuracy.md";
const PICTURES: &str = "accuracy";

/// What no check of the page says anything about.
const NOT_VALIDATED: &str = include_str!("not_validated.md");

/// The command that makes the page.
const COMMAND: &str = "cargo run --release -p snippets --bin accuracy";

/// The folder of the page that is committed.
pub fn committed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

/// The files of the page, with their paths in its folder.
///
/// # Errors
///
/// If a picture cannot be drawn.
pub fn files(chapters: &[Chapter]) -> Result<Vec<(String, String)>> {
    let mut files = vec![(PAGE.to_owned(), page(chapters)?)];
    for chapter in chapters {
        for (name, chart, _) in chapter.sections.iter().flat_map(|section| &section.charts) {
            files.push((format!("{PICTURES}/{name}.svg"), chart.to_svg()?));
        }
    }
    Ok(files)
}

/// Writes the files into a `folder`.
///
/// # Errors
///
/// If one cannot be written.
pub fn write(files: &[(String, String)], folder: &Path) -> Result<()> {
    let pictures = folder.join(PICTURES);
    fs::create_dir_all(&pictures).with_context(|| pictures.display().to_string())?;
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Compares the files with those in a `folder`.
///
/// # Errors
///
/// If one differs: the first difference, and how to make the page anew.
pub fn check(files: &[(String, String)], folder: &Path) -> Result<()> {
    for (name, text) in files {
        let path = folder.join(name);
        let there = fs::read_to_string(&path);
        let there = there.with_context(|| format!("{}: `{COMMAND}` makes it", path.display()))?;
        if let Some((line, old, new)) = first_difference(&there, text) {
            bail!(
                "{name} is stale, line {line}:\n  there: {old}\n  now:   {new}\nmake it anew: {COMMAND}"
            );
        }
    }
    Ok(())
}

/// The first line in which two texts differ, with its number from 1 on.
fn first_difference<'a>(old: &'a str, new: &'a str) -> Option<(usize, &'a str, &'a str)> {
    let (mut olds, mut news) = (old.lines(), new.lines());
    let end = "(the end)";
    for line in 1.. {
        match (olds.next(), news.next()) {
            (None, None) => return None,
            (one, other) if one == other => {}
            (one, other) => return Some((line, one.unwrap_or(end), other.unwrap_or(end))),
        }
    }
    None
}

fn page(chapters: &[Chapter]) -> Result<String> {
    let mut page = String::from("# Accuracy\n\n");
    summary(&mut page, chapters)?;
    for (index, chapter) in chapters.iter().enumerate() {
        write!(page, "\n## {}. {}\n", index + 1, chapter.title)?;
        for section in &chapter.sections {
            write_section(&mut page, section)?;
        }
    }
    write!(page, "\n## {}. {NOT_VALIDATED}", chapters.len() + 1)?;
    Ok(page)
}

/// What it comes to, on one screen.
fn summary(page: &mut String, chapters: &[Chapter]) -> Result<()> {
    let all = || chapters.iter().flat_map(Chapter::checks);
    let passed = all().filter(|check| check.passes()).count();
    let numbers: usize = all().map(Check::numbers).sum();
    writeln!(
        page,
        "Compare the model with theory, recorded drives, fine solutions and other simulations:\n\n```sh\n{COMMAND} -- \
         --check\n```\n\n**{passed} of {} checks pass. They compare {} numbers.** Each chapter says with what the model is \
         compared, how far apart they are, and how far apart they may be.\n",
        all().count(),
        grouped(numbers)
    )?;
    page.push_str(
        "| chapter | compared with | checks | pass | numbers | closest to its bound |\n|---|---|---|---|---|---|\n",
    );
    for (index, chapter) in chapters.iter().enumerate() {
        let checks: Vec<_> = chapter.checks().collect();
        let passed = checks.iter().filter(|check| check.passes()).count();
        let numbers: usize = checks.iter().map(|check| check.numbers()).sum();
        let worst = chapter.worst().map_or_else(String::new, |worst| {
            format!("{} of its bound: {}", percent(worst.share()), worst.subject)
        });
        writeln!(
            page,
            "| {}. {} | {} | {} | {passed} | {} | {worst} |",
            index + 1,
            chapter.title,
            chapter.summary,
            checks.len(),
            grouped(numbers)
        )?;
    }
    writeln!(
        page,
        "\nThe last chapter says what is *not* validated, and the chapter of convergence what steps of 60 Hz cost. This \
         page makes itself: `{COMMAND}` writes it with its pictures. With `-- --check` it only tells whether the page is \
         stale, as a [test](../snippets/tests/accuracy.rs) does. A check that does not pass is an error. The code of the \
         checks is in [snippets/src/accuracy](../snippets/src/accuracy)."
    )?;
    Ok(())
}

fn write_section(page: &mut String, section: &Section) -> Result<()> {
    if !section.title.is_empty() {
        write!(page, "\n### {}\n", section.title)?;
    }
    for paragraph in &section.text {
        write!(page, "\n{paragraph}\n")?;
    }
    let is_number = |check: &&Check| matches!(check.compared, Compared::Number { .. });
    let (numbers, many): (Vec<&Check>, Vec<&Check>) = section.checks.iter().partition(is_number);
    write_checks(page, &many, &["cases", "numbers", "largest error by its bound"])?;
    write_checks(page, &numbers, &["expected", "ours", "deviation", "allowed"])?;
    for (index, row) in section.table.iter().enumerate() {
        let start = if index == 0 { "\n" } else { "" };
        writeln!(page, "{start}| {} |", row.join(" | "))?;
        if index == 0 {
            writeln!(page, "|{}", "---|".repeat(row.len()))?;
        }
    }
    for (name, chart, shows) in &section.charts {
        write!(page, "\n![{}]({PICTURES}/{name}.svg)\n\n{shows}\n", chart.title())?;
    }
    Ok(())
}

/// A table of checks with these columns; above it with what they are compared, if it is the same
/// for all.
fn write_checks(page: &mut String, checks: &[&Check], columns: &[&str]) -> Result<()> {
    let Some((first, others)) = checks.split_first() else { return Ok(()) };
    let is_alike = !others.is_empty() && others.iter().all(|check| check.source == first.source);
    if is_alike {
        write!(page, "\nCompared with: {}.\n", first.source)?;
    }
    let source = if is_alike { &[][..] } else { &["with"][..] };
    let header: Vec<&str> = ["what is compared"]
        .iter()
        .chain(source)
        .chain(columns)
        .chain(&["pass"])
        .copied()
        .collect();
    writeln!(page, "\n| {} |\n|{}", header.join(" | "), "---|".repeat(header.len()))?;
    for check in checks {
        let source = if is_alike { String::new() } else { format!("{} | ", check.source) };
        let pass = if check.passes() { "yes" } else { "**no**" };
        let numbers = numbers_of(&check.compared).join(" | ");
        writeln!(page, "| {} | {source}{numbers} | {pass} |", check.subject)?;
        if let Compared::Many { faults, .. } = &check.compared
            && let Some(fault) = faults.first()
        {
            let fault = fault.replace(['\n', '|'], " ");
            let rest = " |".repeat(header.len());
            writeln!(page, "| {} faults, the first: {fault}{rest}", faults.len())?;
        }
    }
    Ok(())
}

/// The cells of what is compared.
fn numbers_of(compared: &Compared) -> Vec<String> {
    match compared {
        Compared::Number { expected, ours, unit, bound } => {
            let (deviation, allowed) = match bound {
                Bound::Relative(part) => (signed_percent(ours / expected - 1.0), percent(*part)),
                Bound::Absolute(most) => {
                    (with_unit(ours - expected, 2, unit), with_unit(*most, 2, unit))
                }
            };
            let [expected, ours] = [expected, ours].map(|value| with_unit(*value, 4, unit));
            vec![expected, ours, deviation, allowed]
        }
        Compared::Many { cases, numbers, worst, .. } => {
            vec![grouped(*cases), grouped(*numbers), percent(*worst)]
        }
    }
}

fn with_unit(value: f64, digits: usize, unit: &str) -> String {
    let number = significant(value, digits);
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// A number with its thousands apart.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if 0 < index && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A part in percent with two digits (dimensionless).
pub(super) fn percent(part: f64) -> String {
    format!("{} %", significant(100.0 * part, 2))
}

/// A deviation in percent with its sign, to a hundredth of a percent.
pub(super) fn signed_percent(part: f64) -> String {
    let text = format!("{:+.2}", 100.0 * part);
    let is_zero = text.chars().all(|letter| "+-0.".contains(letter));
    if is_zero { "0.00 %".into() } else { format!("{text} %") }
}

/// A number with so many significant digits, without an exponent where that is readable.
pub(super) fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".into() } else { value.to_string() };
    }
    let more = digits.saturating_sub(1);
    let rounded = format!("{value:.more$e}");
    let exponent: i32 = rounded.split_once('e').and_then(|(_, it)| it.parse().ok()).unwrap_or(0);
    if exponent < -4 {
        return rounded;
    }
    let decimals = usize::try_from(more as i32 - exponent).unwrap_or(0);
    // Digits before the point that are not significant are shown nevertheless.
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_few_digits() {
        for (value, digits, text) in [
            (1234.5678, 4, "1235"),
            (-0.012_345, 3, "-0.0123"),
            (9.999_96, 4, "10.00"),
            (0.0, 4, "0"),
            (3.0e-7, 2, "3.0e-7"),
            (123_456.0, 2, "123456"),
        ] {
            assert_eq!(significant(value, digits), text, "{value}");
        }
        assert_eq!(signed_percent(-0.000_02), "0.00 %");
        assert_eq!(signed_percent(0.0123), "+1.23 %");
        assert_eq!([7, 1_234, 1_234_567].map(grouped), ["7", "1,234", "1,234,567"]);
    }

    #[test]
    fn first_difference_is_named_with_its_line() -> Result<()> {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some((2, "b", "c")));
        assert_eq!(first_difference("a\n", "a\nc\n"), Some((2, "(the end)", "c")));
        let folder = tempfile::tempdir()?;
        let files = [("accuracy/x.svg".to_owned(), "<svg>".to_owned())];
        assert!(format!("{:#}", check(&files, folder.path()).unwrap_err()).contains("makes it"));
        write(&files, folder.path())?;
        check(&files, folder.path())?;
        let changed = [("accuracy/x.svg".to_owned(), "<svg id>".to_owned())];
        let error = check(&changed, folder.path()).unwrap_err().to_string();
        assert!(error.contains("accuracy/x.svg is stale, line 1"), "{error}");
        Ok(())
    }
}
