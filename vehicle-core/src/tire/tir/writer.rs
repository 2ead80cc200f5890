//! From a tire to the text of a file.

use std::fmt::Write;

use super::{TirFile, TireSide};
use crate::math::Real;
use crate::tire::magic_formula::{MagicFormulaParams, MagicFormulaVersion, Quantity};

/// Sections whose numbers are left out where they are the usual ones.
const OPTIONAL: [&str; 9] = [
    "INERTIA",
    "STRUCTURAL",
    "CONTACT_PATCH",
    "INFLATION_PRESSURE_RANGE",
    "VERTICAL_FORCE_RANGE",
    "LONG_SLIP_RANGE",
    "SLIP_ANGLE_RANGE",
    "INCLINATION_ANGLE_RANGE",
    "TURNSLIP_COEFFICIENTS",
];
/// Sections that are written first.
const FIRST: [&str; 3] = ["MDI_HEADER", "UNITS", "MODEL"];

/// Lines of a section, in the order of their coming.
struct Sections(Vec<(String, String)>);

pub(super) fn write(file: &TirFile) -> String {
    let mut sections = Sections(FIRST.map(|name| (name.to_string(), String::new())).into());
    for text in &file.texts {
        sections.line(&text.section, &text.key, &quoted(&text.text));
    }
    for (key, unit) in file.units.names() {
        sections.line("UNITS", key, &quoted(unit));
    }
    write_model(file, &mut sections);
    write_numbers(file, &mut sections);
    for table in &file.tables {
        if !table.columns.is_empty() {
            sections.add(&table.section, &format!("{{{}}}", table.columns.join(" ")));
        }
        for row in &table.rows {
            let numbers: Vec<String> = row.iter().map(|&number| shortest(number)).collect();
            sections.add(&table.section, &numbers.join(" "));
        }
    }
    let mut text = String::new();
    for comment in &file.comments {
        let _ = writeln!(text, "! {comment}");
    }
    for (name, lines) in sections.0.iter().filter(|(_, lines)| !lines.is_empty()) {
        let _ = write!(text, "[{name}]\n{lines}");
    }
    text
}

fn write_model(file: &TirFile, sections: &mut Sections) {
    let fit_type = file.fit_type.or(match (file.tire.version, &file.format) {
        (MagicFormulaVersion::V5_2, Some(_)) => None,
        (MagicFormulaVersion::V5_2, None) => Some(6),
        (MagicFormulaVersion::V6_0, _) => Some(60),
        (MagicFormulaVersion::V6_1, _) => Some(61),
        (MagicFormulaVersion::V6_2, _) => Some(62),
    });
    if let Some(format) = &file.format {
        sections.line("MODEL", "PROPERTY_FILE_FORMAT", &quoted(format));
    }
    if let Some(fit_type) = fit_type {
        sections.line("MODEL", "FITTYP", &fit_type.to_string());
    }
    let side = file.side.map(|side| match side {
        TireSide::Left => "'LEFT'",
        TireSide::Right => "'RIGHT'",
        TireSide::Symmetric => "'SYMMETRIC'",
    });
    if let Some(side) = side {
        sections.line("MODEL", "TYRESIDE", side);
    }
    if let Some(mode) = file.use_mode {
        sections.line("MODEL", "USE_MODE", &mode.to_string());
    }
}

fn write_numbers(file: &TirFile, sections: &mut Sections) {
    let mut usual = MagicFormulaParams::default();
    file.tire.visit(&mut |section, name, value, quantity| {
        let is_usual = usual.find(name).is_some_and(|(number, _)| *number == value);
        if is_usual && OPTIONAL.contains(&section) {
            return;
        }
        let number = number(file, value, quantity);
        sections.line(section, &name.to_uppercase(), &number);
    });
}

/// `value` in the units of the file.
fn number(file: &TirFile, value: Real, quantity: Quantity) -> String {
    let unit = file.units.size(quantity);
    if unit == 1.0 { shortest(value) } else { format!("{:e}", f64::from(value) / unit) }
}

fn shortest(value: Real) -> String {
    let is_plain = value == 0.0 || (1e-4..1e7).contains(&value.abs());
    if is_plain { format!("{value}") } else { format!("{value:e}") }
}

/// A text between quotes: single ones, unless it has one itself.
fn quoted(text: &str) -> String {
    if text.contains('\'') { format!("\"{text}\"") } else { format!("'{text}'") }
}

impl Sections {
    fn add(&mut self, section: &str, line: &str) {
        let index = self.0.iter().position(|(name, _)| name == section).unwrap_or_else(|| {
            self.0.push((section.to_string(), String::new()));
            self.0.len() - 1
        });
        let lines = &mut self.0[index].1;
        lines.push_str(line);
        lines.push('\n');
    }

    fn line(&mut self, section: &str, key: &str, value: &str) {
        self.add(section, &format!("{key:<24} = {value}"));
    }
}
