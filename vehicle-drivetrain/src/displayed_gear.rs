//! The gear that a driver reads from a dashboard.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The gear that a dashboard shows. Its text is `P`, `R`, `N`, `D`, or the number of the gear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DisplayedGear {
    /// The wheels are held.
    Park,
    /// A reverse gear, counted from 1: `R`, then `R2`, and so on.
    Reverse(usize),
    /// No gear.
    #[default]
    Neutral,
    /// Forward, of a vehicle without gears.
    Drive,
    /// A forward gear, counted from 1.
    Forward(usize),
}

impl DisplayedGear {
    /// The gear of number `gear` in a gearbox whose neutral gear has the number `neutral`.
    pub(crate) fn of_gearbox(gear: usize, neutral: usize) -> Self {
        match gear.checked_sub(neutral) {
            Some(0) => Self::Neutral,
            Some(forward) => Self::Forward(forward),
            None => Self::Reverse(neutral - gear),
        }
    }

    /// The gear of a signed number: 1, 2, ... forward, 0 in neutral, -1, -2, ... in reverse.
    pub(crate) fn of_signed(gear: i64) -> Self {
        let count = usize::try_from(gear.unsigned_abs()).unwrap_or(usize::MAX);
        match gear.signum() {
            0 => Self::Neutral,
            1 => Self::Forward(count),
            _ => Self::Reverse(count),
        }
    }
}

impl fmt::Display for DisplayedGear {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Park => text.pad("P"),
            Self::Reverse(1) => text.pad("R"),
            Self::Reverse(number) => text.pad(&format!("R{number}")),
            Self::Neutral => text.pad("N"),
            Self::Drive => text.pad("D"),
            Self::Forward(number) => text.pad(&number.to_string()),
        }
    }
}
