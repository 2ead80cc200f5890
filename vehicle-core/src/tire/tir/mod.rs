//! Tire property files (`.tir`) as TNO and MSC write them: read, changed, written.
//!
//! A file has sections in brackets, with a line `KEY = value` for each number or quoted text; `$`
//! and `!` begin comments. Numbers are in the units that the file's section `[UNITS]` names; here
//! they are SI. Coefficients of the formulas have no units.
//!
//! ```
//! use vehicle_core::tire::magic_formula::OutOfRange;
//! use vehicle_core::tire::tir::TirFile;
//!
//! let text = "
//! [UNITS]
//! FORCE = 'kilonewton'
//! [MODEL]
//! FITTYP = 61
//! [DIMENSION]
//! UNLOADED_RADIUS = 0.31
//! [VERTICAL]
//! FNOMIN = 4.5   $nominal load
//! ";
//! let file = TirFile::parse(text)?;
//! assert_eq!(file.tire.vertical.fnomin, 4500.0);
//! let tire = file.tire.formulas(OutOfRange::Clamp);
//! assert!(tire.slip_stiffness(4500.0) > 0.0);
//! # Ok::<(), vehicle_core::tire::tir::TirError>(())
//! ```

mod error;
mod reader;
mod syntax;
mod units;
mod writer;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use self::error::{TirError, TirFault, TirNotice, TirPosition, TirRemark};
pub use self::units::{AngleUnit, ForceUnit, LengthUnit, MassUnit, PressureUnit, TimeUnit, Units};
use super::magic_formula::MagicFormulaParams;
use crate::math::Real;

/// Side of the vehicle on which a tire was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TireSide {
    /// The left one.
    Left,
    /// The right one.
    Right,
    /// The tire has no sides.
    Symmetric,
}

/// A table of numbers, such as the shape of the tire's section.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TirTable {
    /// Section of the table.
    pub section: String,
    /// Names of the columns; none if the file has none.
    pub columns: Vec<String>,
    /// Numbers, as they are in the file.
    pub rows: Vec<Vec<Real>>,
}

/// A text of a file that no formula depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TirText {
    /// Section of the text.
    pub section: String,
    /// Key of the text.
    pub key: String,
    /// The text.
    pub text: String,
}

/// A tire property file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TirFile {
    /// Comments before the first section.
    pub comments: Vec<String>,
    /// FITTYP: number of the formulas' version; none if the file names none.
    pub fit_type: Option<u32>,
    /// PROPERTY_FILE_FORMAT: the dialect, such as `PAC2002` or `MF_05`.
    pub format: Option<String>,
    /// TYRESIDE, where it says one that is known.
    pub side: Option<TireSide>,
    /// USE_MODE: which forces are asked for; without influence here.
    pub use_mode: Option<i32>,
    /// Units of the file.
    pub units: Units,
    /// The tire (SI).
    pub tire: MagicFormulaParams,
    /// Tables.
    pub tables: Vec<TirTable>,
    /// Further texts.
    pub texts: Vec<TirText>,
    /// Remarks about odd lines, in the order of the lines.
    #[serde(skip)]
    pub notices: Vec<TirNotice>,
}

impl TirFile {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// The first fault, with its line and column.
    pub fn parse(text: &str) -> Result<Self, TirError> {
        reader::read(text)
    }

    /// Reads a file's bytes. Bytes that are not UTF-8, as old files have in their comments, are
    /// read as unknown characters.
    ///
    /// # Errors
    ///
    /// The first fault, with its line and column.
    pub fn parse_bytes(bytes: &[u8]) -> Result<Self, TirError> {
        Self::parse(&String::from_utf8_lossy(bytes))
    }

    /// The text of a file that is read as this one, without its notices.
    pub fn write(&self) -> String {
        writer::write(self)
    }
}
