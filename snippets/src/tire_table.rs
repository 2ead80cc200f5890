//! Forces of a tire from a file at the points of a table.

use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use vehicle_rapier::core::math::{PI, Real, tan};
use vehicle_rapier::core::tire::magic_formula::{MagicFormula, MagicFormulaInput, OutOfRange};
use vehicle_rapier::core::tire::tir::TirFile;

/// Columns of a table of points: camber (rad), load (N), slip ratio (dimensionless) and slip angle
/// (rad).
pub const COLUMNS: [&str; 4] = ["camber", "Fz", "slip_ratio", "slip_angle"];
/// Columns that a table of forces has beside them (N, N, N·m).
pub const FORCES: [&str; 3] = ["Fx", "Fy", "Mz"];

/// Reads a tire property file, and prints to the console what is odd about it.
///
/// # Errors
///
/// If the file cannot be read or is no tire.
pub fn read_tire(path: &Path) -> Result<TirFile> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file = TirFile::parse_bytes(&bytes)
        .with_context(|| format!("{} is no tire property file", path.display()))?;
    for notice in &file.notices {
        eprintln!("{}: {notice}", path.display());
    }
    Ok(file)
}

/// The table `points` with the forces of the tire `file` at each of its points, as CSV.
///
/// Inputs and outputs are SI and radians in the axes of ISO 8855. The tire rolls at the speed of
/// its measurement, at its pressure and on its friction.
///
/// # Errors
///
/// If a column is missing or given twice, or a value is no number or out of its bounds.
pub fn tire_table(file: &TirFile, points: impl Read, out_of_range: OutOfRange) -> Result<String> {
    let tire = file.tire.formulas(out_of_range);
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(points);
    let header = reader.headers().context("the table of points has no header")?.clone();
    let places = places(&header)?;
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header.iter().chain(FORCES))?;
    for record in reader.records() {
        let record = record.context("the table of points is no CSV")?;
        let line = record.position().map_or(0, csv::Position::line);
        let forces = point(&record, places)
            .and_then(|point| forces(&tire, file, point))
            .with_context(|| format!("line {line} of the table of points"))?;
        let mut text = forces.map(|_| String::new());
        for (text, force) in text.iter_mut().zip(forces) {
            write!(text, "{force}")?;
        }
        writer.write_record(record.iter().chain(text.iter().map(String::as_str)))?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// Where the columns are.
fn places(header: &csv::StringRecord) -> Result<[usize; 4]> {
    let mut places = [0; 4];
    for (place, column) in places.iter_mut().zip(COLUMNS) {
        let mut found = header.iter().enumerate().filter(|(_, name)| *name == column);
        let Some((index, _)) = found.next() else {
            let names: Vec<&str> = header.iter().collect();
            bail!("the table of points has no column `{column}`, only `{}`", names.join("`, `"));
        };
        ensure!(found.next().is_none(), "the table of points has two columns `{column}`");
        *place = index;
    }
    Ok(places)
}

/// The values of [`COLUMNS`] in a line.
fn point(record: &csv::StringRecord, places: [usize; 4]) -> Result<[Real; 4]> {
    let mut point = [0.0; 4];
    for ((value, place), column) in point.iter_mut().zip(places).zip(COLUMNS) {
        let text = record.get(place).unwrap_or_default();
        let number = text.parse::<Real>().ok().filter(|number| number.is_finite());
        *value =
            number.with_context(|| format!("{column} must be a finite number, got `{text}`"))?;
    }
    Ok(point)
}

/// Fx, Fy and Mz (N, N, N·m).
fn forces(
    tire: &MagicFormula,
    file: &TirFile,
    [inclination, load, slip_ratio, slip_angle]: [Real; 4],
) -> Result<[Real; 3]> {
    ensure!(0.0 <= load, "Fz must not be negative, got {load}");
    for (column, angle) in [("camber", inclination), ("slip_angle", slip_angle)] {
        ensure!(angle.abs() < PI / 2.0, "{column} must be within a right angle, got {angle} rad");
    }
    let output = tire.output(&MagicFormulaInput {
        load,
        slip_ratio,
        slip_tangent: tan(slip_angle),
        inclination,
        inflation_pressure: file.tire.pressure.inflpres,
        friction: 1.0,
        forward_speed: file.tire.model.longvl,
    });
    Ok([output.longitudinal_force, output.lateral_force, output.aligning_moment])
}
