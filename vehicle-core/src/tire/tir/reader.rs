//! From the text of a file to a tire.

use std::collections::BTreeMap;

use super::error::{TirError, TirFault, TirNotice, TirPosition, TirRemark};
use super::syntax::{Line, Piece, Value, line};
use super::units::Units;
use super::{TirFile, TirTable, TirText, TireSide};
use crate::error::Validate;
use crate::math::Real;
use crate::tire::magic_formula::{MagicFormulaVersion, RangeAboutZero, measured_side};

/// Other names of coefficients, as dialects have them.
const SYNONYMS: [(&str, &str); 4] =
    [("ip", "inflpres"), ("ip_nom", "nompres"), ("tyre_mass", "mass"), ("lgamay", "lkyc")];
/// Numbers without which there is no tire.
const REQUIRED: [&str; 2] = ["UNLOADED_RADIUS", "FNOMIN"];
/// Dialects whose formulas are others than those of 5.2, in lower case.
const OTHER_FORMULAS: [&str; 8] =
    ["pac89", "pac94", "pac_mc", "fiala", "uatire", "521_tire", "ftire", "swift"];
/// Keys that other programs use and no formula depends on.
const WITHOUT_INFLUENCE: [&str; 5] =
    ["mfsafe1", "mfsafe2", "mfsafe3", "file_version", "n_tire_states"];

/// Sections and values read so far.
#[derive(Default)]
struct Reader {
    file: TirFile,
    section: Option<String>,
    /// Where each number was given, by its name.
    positions: BTreeMap<String, TirPosition>,
    /// Where tables are: the section that the last one of `file.tables` belongs to is this one.
    has_table: bool,
}

pub(super) fn read(text: &str) -> Result<TirFile, TirError> {
    let mut reader =
        Reader { file: TirFile { units: units(text)?, ..TirFile::default() }, ..Reader::default() };
    let mut last = 0;
    for (index, text) in text.lines().enumerate() {
        last = index + 1;
        if let Some(line) = line(last, text)? {
            reader.take(line)?;
        }
    }
    reader.finish(TirPosition { line: last.max(1), column: 1 })
}

/// The units, which hold in the whole file, wherever their section is.
fn units(text: &str) -> Result<Units, TirError> {
    let mut units = Units::default();
    let mut is_units = false;
    for (index, text) in text.lines().enumerate() {
        match line(index + 1, text)? {
            Some(Line::Section(name)) => is_units = name.text.eq_ignore_ascii_case("units"),
            Some(Line::Assignment(key, Value::Text(unit) | Value::Word(unit))) if is_units => {
                let name = unit.text.trim().to_lowercase();
                let set = units.set(&key.text.to_lowercase(), &name);
                if let Err(Some(known)) = set {
                    return Err(unit.fault(unit_fault(key, known, unit)));
                }
            }
            _ => {}
        }
    }
    Ok(units)
}

fn unit_fault(key: Piece<'_>, known: &[&str], unit: Piece<'_>) -> TirFault {
    TirFault::Unit {
        key: key.text.to_uppercase(),
        known: known.join(", "),
        value: unit.text.to_string(),
    }
}

impl Reader {
    fn take(&mut self, line: Line<'_>) -> Result<(), TirError> {
        match line {
            Line::Comment(comment) => {
                if self.section.is_none() {
                    self.file.comments.push(comment.trim().to_string());
                }
            }
            Line::Section(name) => {
                self.section = Some(name.text.to_uppercase());
                self.has_table = false;
            }
            Line::Columns(columns) => {
                self.table().columns = columns.into_iter().map(str::to_string).collect();
            }
            Line::Row(numbers) => self.row(&numbers)?,
            Line::Assignment(key, value) => self.assign(key, value)?,
        }
        Ok(())
    }

    /// The table of the present section.
    fn table(&mut self) -> &mut TirTable {
        if !self.has_table {
            let section = self.section.clone().unwrap_or_default();
            self.file.tables.push(TirTable { section, ..TirTable::default() });
            self.has_table = true;
        }
        let last = self.file.tables.len() - 1;
        &mut self.file.tables[last]
    }

    fn row(&mut self, numbers: &[Piece<'_>]) -> Result<(), TirError> {
        let Some(&first) = numbers.first() else { return Ok(()) };
        if self.section.is_none() {
            return Err(first.fault(TirFault::NoSection));
        }
        let mut row = Vec::with_capacity(numbers.len());
        for number in numbers {
            row.push(self.real("a number of a table", *number, 1.0)?);
        }
        self.table().rows.push(row);
        Ok(())
    }

    fn assign(&mut self, key: Piece<'_>, value: Value<'_>) -> Result<(), TirError> {
        let name = key.text.to_lowercase();
        let Some(section) = self.section.clone() else {
            return Err(key.fault(TirFault::NoSection));
        };
        if section == "UNITS" {
            return Ok(());
        }
        match (name.as_str(), value) {
            (_, Value::Empty) => {
                self.notice(key, TirRemark::Empty(key.text.to_uppercase()));
            }
            ("fittyp", Value::Text(text) | Value::Word(text)) => self.fit_type(text)?,
            ("property_file_format", Value::Text(text) | Value::Word(text)) => {
                self.file.format = Some(text.text.trim().to_string());
            }
            ("tyreside", Value::Text(text) | Value::Word(text)) => self.side(text),
            ("use_mode", Value::Text(text) | Value::Word(text)) => {
                let number = self.real(key.text, text, 1.0)?;
                self.file.use_mode = Some(number as i32);
            }
            (_, Value::Text(text)) => self.text_of(&section, &name, key, text)?,
            (_, Value::Word(word)) => match word.number() {
                None if self.find(&name).is_none() => self.keep_text(&section, key, word),
                _ => self.number(&name, key, word)?,
            },
        }
        Ok(())
    }

    fn text_of(
        &mut self,
        section: &str,
        name: &str,
        key: Piece<'_>,
        text: Piece<'_>,
    ) -> Result<(), TirError> {
        if self.find(name).is_some() {
            let fault = TirFault::Number {
                key: key.text.to_uppercase(),
                value: format!("'{}'", text.text),
            };
            return Err(text.fault(fault));
        }
        self.keep_text(section, key, text);
        Ok(())
    }

    fn keep_text(&mut self, section: &str, key: Piece<'_>, text: Piece<'_>) {
        self.file.texts.push(TirText {
            section: section.to_string(),
            key: key.text.to_uppercase(),
            text: text.text.to_string(),
        });
    }

    fn fit_type(&mut self, text: Piece<'_>) -> Result<(), TirError> {
        let is_known =
            |number: &f64| [5.0, 6.0, 21.0, 51.0, 52.0, 60.0, 61.0, 62.0].contains(number);
        let known = Piece { text: text.text.trim(), ..text }.number().filter(is_known);
        let Some(number) = known else {
            return Err(text.fault(TirFault::Version(text.text.to_string())));
        };
        self.file.fit_type = Some(number as u32);
        Ok(())
    }

    fn side(&mut self, text: Piece<'_>) {
        self.file.side = match text.text.trim().to_lowercase().as_str() {
            "left" => Some(TireSide::Left),
            "right" => Some(TireSide::Right),
            "symmetric" => Some(TireSide::Symmetric),
            _ => {
                self.notice(text, TirRemark::Side(text.text.to_string()));
                None
            }
        };
    }

    /// The name by which the coefficient `name` is known here.
    fn known_name(&mut self, name: &str) -> Option<String> {
        let synonym = SYNONYMS.iter().find(|(other, _)| *other == name).map(|(_, name)| *name);
        let name = synonym.unwrap_or(name);
        if self.file.tire.find(name).is_some() {
            return Some(name.to_string());
        }
        let with_dash = format!("q_{}", name.strip_prefix('q')?);
        self.file.tire.find(&with_dash).is_some().then_some(with_dash)
    }

    fn find(&mut self, name: &str) -> Option<&mut Real> {
        let known = self.known_name(name)?;
        self.file.tire.find(&known).map(|(number, _)| number)
    }

    fn number(&mut self, name: &str, key: Piece<'_>, word: Piece<'_>) -> Result<(), TirError> {
        let Some(known) = self.known_name(name) else {
            self.real(key.text, word, 1.0)?;
            if !WITHOUT_INFLUENCE.contains(&name) {
                self.notice(key, TirRemark::Unknown(key.text.to_uppercase()));
            }
            return Ok(());
        };
        let quantity = self.file.tire.find(&known).map(|(_, quantity)| quantity);
        let unit = quantity.map_or(1.0, |quantity| self.file.units.size(quantity));
        let value = self.real(key.text, word, unit)?;
        if let Some((number, _)) = self.file.tire.find(&known) {
            *number = value;
        }
        if let Some(first) = self.positions.insert(known, word.position) {
            let remark = TirRemark::Repeated { key: key.text.to_uppercase(), first: first.line };
            self.notice(key, remark);
        }
        Ok(())
    }

    /// The number `word`, given in units of the size `unit` (SI).
    fn real(&self, key: &str, word: Piece<'_>, unit: f64) -> Result<Real, TirError> {
        let number = word.number().map(|number| (number * unit) as Real);
        number.filter(|number| number.is_finite()).ok_or_else(|| {
            let value = word.text.to_string();
            word.fault(TirFault::Number { key: key.to_uppercase(), value })
        })
    }

    fn notice(&mut self, at: Piece<'_>, remark: TirRemark) {
        self.file.notices.push(TirNotice { position: at.position, remark });
    }

    fn finish(mut self, end: TirPosition) -> Result<TirFile, TirError> {
        let at_end = |fault| TirError { position: end, fault };
        self.file.tire.version = match (self.file.fit_type, &self.file.format) {
            (Some(60), _) => MagicFormulaVersion::V6_0,
            (Some(61), _) => MagicFormulaVersion::V6_1,
            (Some(62), _) => MagicFormulaVersion::V6_2,
            (None, Some(format)) if OTHER_FORMULAS.contains(&&*format.to_lowercase()) => {
                return Err(at_end(TirFault::Format(format.clone())));
            }
            (Some(_), _) | (None, Some(_)) => MagicFormulaVersion::V5_2,
            (None, None) => return Err(at_end(TirFault::NoVersion)),
        };
        for key in REQUIRED {
            if !self.positions.contains_key(&key.to_lowercase()) {
                return Err(at_end(TirFault::Missing(key)));
            }
        }
        if let Err(errors) = self.file.tire.validate()
            && let Some(error) = errors.errors().first()
        {
            let position = self.positions.get(&error.path).copied().unwrap_or(end);
            let mut error = error.clone();
            error.path = error.path.to_uppercase();
            return Err(TirError { position, fault: TirFault::Value(error) });
        }
        self.notice_one_sided(end);
        Ok(self.file)
    }

    /// Notices ranges of slips and camber angles that hold one side of zero only.
    fn notice_one_sided(&mut self, end: TirPosition) {
        for RangeAboutZero { quantity, keys, ends } in self.file.tire.ranges_about_zero() {
            let [least, most] = ends;
            let is_empty = ends == [0.0; 2] && quantity != "camber";
            if measured_side(ends) == 0.0 && !is_empty {
                continue;
            }
            let near = keys[usize::from(most < -least)];
            let position = keys.iter().rev().find_map(|key| self.positions.get(*key));
            let position = self.positions.get(near).or(position).copied().unwrap_or(end);
            let key = near.to_uppercase();
            let remark = if is_empty {
                TirRemark::Unmeasured { key, quantity }
            } else {
                TirRemark::OneSided { key, quantity, least, most }
            };
            self.file.notices.push(TirNotice { position, remark });
        }
        self.file.notices.sort_by_key(|notice| notice.position);
    }
}
