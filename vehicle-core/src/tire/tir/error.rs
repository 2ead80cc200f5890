//! Faults and oddities of a file, with their places.

use std::fmt::{self, Display};

use crate::error::ParamError;
use crate::math::Real;

/// A place in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TirPosition {
    /// Line, from 1 on.
    pub line: usize,
    /// Column in characters, from 1 on.
    pub column: usize,
}

impl Display for TirPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Why a file is no tire.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {fault}")]
pub struct TirError {
    /// Where.
    pub position: TirPosition,
    /// What.
    pub fault: TirFault,
}

/// Fault of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TirFault {
    /// A section without its closing bracket or its name.
    #[error("a section must be a name in brackets")]
    Section,
    /// A line that is neither a section nor an assignment nor a row of a table.
    #[error("expected `KEY = value`, a section or a row of numbers")]
    Line,
    /// A line before the first section.
    #[error("expected a section before the first value")]
    NoSection,
    /// A text without its closing quote.
    #[error("the text is not closed by a quote")]
    Quote,
    /// Something after a value that is no comment.
    #[error("expected the end of the line after the value")]
    Rest,
    /// A value that is no number.
    #[error("{key} must be a number, got `{value}`")]
    Number {
        /// Key of the number.
        key: String,
        /// Value that was written.
        value: String,
    },
    /// A unit that is not known.
    #[error("{key} must be one of {known}, got `{value}`")]
    Unit {
        /// Which one.
        key: String,
        /// Values that are known.
        known: String,
        /// Value that was written.
        value: String,
    },
    /// A version of the formulas that is not known.
    #[error("FITTYP must be 5, 6, 21, 51, 52, 60, 61 or 62, got `{0}`")]
    Version(String),
    /// A dialect whose formulas are others.
    #[error(
        "PROPERTY_FILE_FORMAT must be a Magic Formula of 5.2 or later, such as PAC2002, got `{0}`"
    )]
    Format(String),
    /// Neither the version nor the dialect is given.
    #[error("FITTYP or PROPERTY_FILE_FORMAT must be given")]
    NoVersion,
    /// A number without which there is no tire.
    #[error("{0} must be given")]
    Missing(&'static str),
    /// A number out of its bounds.
    #[error(transparent)]
    Value(#[from] ParamError),
}

/// Something odd about a file that does not keep it from being read.
#[derive(Clone, Debug, PartialEq)]
pub struct TirNotice {
    /// Where.
    pub position: TirPosition,
    /// What.
    pub remark: TirRemark,
}

impl Display for TirNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.position, self.remark)
    }
}

/// Something odd about a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TirRemark {
    /// A number that no formula uses.
    #[error("{0} is not known and has no influence")]
    Unknown(String),
    /// A key that is given again.
    #[error("{key} is given again, after line {first}; this value counts")]
    Repeated {
        /// The key.
        key: String,
        /// Where it was given first.
        first: usize,
    },
    /// A key without a value.
    #[error("{0} has no value; the usual one is taken")]
    Empty(String),
    /// A range of slips or camber angles that holds one side of zero only, or none.
    #[error(
        "{key}: the tire was measured at a {quantity} from {least} to {most} only; beyond, it is its mirror image \
             unless `out_of_range` says otherwise"
    )]
    OneSided {
        /// The key of the end that is near zero.
        key: String,
        /// Quantity of the range.
        quantity: &'static str,
        /// Lowest value (dimensionless or rad).
        least: Real,
        /// Highest value (dimensionless or rad).
        most: Real,
    },
    /// A range of slips that holds nothing but zero.
    #[error(
        "{key}: the tire was not measured at a {quantity}; its formulas go on unless `out_of_range` is `Clamp`"
    )]
    Unmeasured {
        /// The key of the range's end.
        key: String,
        /// Quantity of the range.
        quantity: &'static str,
    },
    /// A section without a name that is known.
    #[error("the side `{0}` of the vehicle is not known")]
    Side(String),
}
