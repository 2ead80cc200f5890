//! Figures of a manoeuvre as data: values, moments and what is made of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A figure that a manoeuvre comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FigureSource {
    /// What it is called, a name of its own.
    pub name: String,
    /// Unit in which it is shown: see [`UNITS`].
    #[serde(default)]
    pub unit: String,
    /// How it is defined, and where.
    #[serde(default)]
    pub definition: String,
    /// What it is, in SI units.
    pub value: Quantity,
}

/// Units in which figures are shown, with what a value in SI units is multiplied by.
pub const UNITS: [(&str, f64); 26] = [
    ("", 1.0),
    ("s", 1.0),
    ("m", 1.0),
    ("cm", 100.0),
    ("m/s", 1.0),
    ("km/h", 3.6),
    ("m/s²", 1.0),
    ("g", 1.0 / G),
    ("rad", 1.0),
    ("°", DEGREES),
    ("rad/s", 1.0),
    ("°/s", DEGREES),
    ("1/s", 1.0),
    ("rad s²/m", 1.0),
    ("°/g", DEGREES * G),
    ("g/°", 1.0 / (DEGREES * G)),
    ("%", 100.0),
    ("N", 1.0),
    ("N/mm", 1e-3),
    ("N m", 1.0),
    ("N m/°", 1.0 / DEGREES),
    ("Hz", 1.0),
    ("°/m", DEGREES),
    ("mm/m", 1e3),
    ("J", 1.0),
    // Of energy by way, J/m.
    ("kWh/100 km", 1.0 / 36.0),
];

/// Standard gravity (m/s²).
const G: f64 = vehicle_rapier::core::context::GRAVITY as f64;
/// Degrees per radian.
const DEGREES: f64 = 180.0 / std::f64::consts::PI;

/// A value that is taken from the channels of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Quantity {
    /// A number.
    Number(f64),
    /// Value of a channel at a moment.
    At {
        /// The channel.
        channel: String,
        /// The moment.
        when: Moment,
    },
    /// By how much a channel changes from one moment to another.
    Change {
        /// The channel.
        channel: String,
        /// The first moment.
        from: Moment,
        /// The last moment.
        to: Moment,
    },
    /// Largest value of a channel.
    Largest(Stretch),
    /// Least value of a channel.
    Least(Stretch),
    /// Largest magnitude of a channel.
    Peak(Stretch),
    /// Mean of a channel.
    Mean(Stretch),
    /// Root of the mean square of a channel's deviation from its mean.
    Rms(Stretch),
    /// Root of the mean square of an acceleration as people feel it, weighted by frequency (m/s²).
    Weighted {
        /// How it is weighted.
        by: Weighting,
        /// The acceleration.
        of: Stretch,
    },
    /// Slope of the straight line with the least squares of one channel over another.
    Slope {
        /// The channel whose slope it is.
        y: String,
        /// The channel over which it is.
        x: String,
        /// Values of `x` between which points count, in the order of least and largest.
        within: [f64; 2],
        /// The phase.
        phase: String,
    },
    /// Gain of one channel by another at a frequency.
    Gain(Response),
    /// Phase of one channel before another at a frequency (rad).
    Phase(Response),
    /// Damping ratio of a channel that swings out, by the logarithmic decrement of its peaks
    /// (dimensionless).
    Damping(Stretch),
    /// One quantity by another.
    Ratio {
        /// What is divided.
        of: Box<Quantity>,
        /// By what it is divided.
        by: Box<Quantity>,
    },
    /// Square root of a quantity.
    Root(Box<Quantity>),
    /// One quantity less another.
    Difference {
        /// What is reduced.
        of: Box<Quantity>,
        /// By what it is reduced.
        by: Box<Quantity>,
    },
}

/// How accelerations are weighted by their frequency, after ISO 2631-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weighting {
    /// Of the seat, up and down: W_k.
    Vertical,
    /// Of the seat, along and across: W_d.
    Horizontal,
}

/// A channel between two moments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// The channel.
    pub channel: String,
    /// The first moment; the beginning if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Moment>,
    /// The last moment; the end if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Moment>,
}

/// How one channel answers another at a frequency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Response {
    /// The channel that answers.
    pub output: String,
    /// The channel that excites it.
    pub input: String,
    /// Frequency (Hz).
    pub frequency: f64,
    /// The phase of the manoeuvre.
    pub phase: String,
}

/// A moment of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Moment {
    /// Beginning of a phase.
    Start(String),
    /// End of a phase.
    End(String),
    /// Time since the beginning of the first phase (s).
    Time(f64),
    /// Some time after another moment (s), before it if it is negative.
    After {
        /// The other moment.
        moment: Box<Moment>,
        /// The time (s).
        time: f64,
    },
    /// First moment of a phase at which a channel passes a value.
    Crossing {
        /// The channel.
        channel: String,
        /// The value.
        value: Box<Quantity>,
        /// The phase.
        phase: String,
    },
    /// Moment of the largest magnitude of a channel.
    Peak(Box<Stretch>),
    /// First peak of a channel's magnitude: it is less before and afterwards.
    FirstPeak(Box<Stretch>),
}
