//! What of inputs over time is checked before anything runs.

use super::check::Check;
use super::signal::Signal;

/// Growth of inputs, in whatever unit (1/s).
const RATES: [f64; 2] = [-1e6, 1e6];
/// Times within a phase (s).
const TIMES: [f64; 2] = [0.0, 3_600.0];
/// Durations of changes (s).
const DURATIONS: [f64; 2] = [1e-3, 3_600.0];
/// Frequencies (Hz).
const FREQUENCIES: [f64; 2] = [1e-3, 50.0];
/// Periods of a sine.
const PERIODS: [f64; 2] = [0.5, 1e4];

/// A number of an input: its name, its value and its bounds.
type Number = (&'static str, f64, [f64; 2]);

impl Signal {
    /// Checks all numbers; the input may have `values` within these bounds.
    pub(super) fn check(&self, values: [f64; 2], check: &mut Check) {
        match self {
            Self::Constant(value) => check.within("constant", *value, values),
            Self::Table(table) => check.field("table", |check| table.check(values, check)),
            Self::Points(points) => {
                check.field("points", |check| check_points(points, values, check));
            }
            _ => check.field(self.name(), |check| self.check_shape(values, check)),
        }
    }

    fn check_shape(&self, values: [f64; 2], check: &mut Check) {
        for (name, value, bounds) in self.numbers(values) {
            check.within(name, value, bounds);
        }
        if let Some((name, size)) = self.swing() {
            let ([low, high], most) = (values, values[1].min(-values[0]).max(0.0));
            let [least, largest] = [0.0 - most, most];
            let requirement = format_args!(
                "within [{least}, {largest}], so that the input stays within [{low}, {high}]"
            );
            check.require(name, (least..=largest).contains(&size), requirement, size);
        }
        if let Self::Ramp { from, rate, limit, .. } = *self {
            let leads_there = 0.0 <= (limit - from) * rate;
            let requirement = format_args!("where a rate of {rate} leads from {from}");
            check.require("limit", leads_there, requirement, limit);
        }
    }

    /// Name and size of what swings to both sides of 0, if it does.
    fn swing(&self) -> Option<(&'static str, f64)> {
        match *self {
            Self::Sine { amplitude, periods, .. } if 0.5 < periods => {
                Some(("amplitude", amplitude))
            }
            Self::Sweep { amplitude, .. } | Self::SineWithDwell { amplitude, .. } => {
                Some(("amplitude", amplitude))
            }
            Self::Random { rms, .. } => Some(("rms", rms)),
            _ => None,
        }
    }

    fn numbers(&self, values: [f64; 2]) -> Vec<Number> {
        let from = |low: f64| [low.max(FREQUENCIES[0]), FREQUENCIES[1]];
        match *self {
            Self::Constant(_) | Self::Points(_) | Self::Table(_) => Vec::new(),
            Self::Step { from, to, at, rise } => {
                vec![
                    ("from", from, values),
                    ("to", to, values),
                    ("at", at, TIMES),
                    ("rise", rise, TIMES),
                ]
            }
            Self::Ramp { from, rate, at, limit } => vec![
                ("from", from, values),
                ("rate", rate, RATES),
                ("at", at, TIMES),
                ("limit", limit, values),
            ],
            Self::Sine { amplitude, frequency, at, periods } => {
                let mut numbers = vec![
                    ("frequency", frequency, FREQUENCIES),
                    ("at", at, TIMES),
                    ("periods", periods, PERIODS),
                ];
                if self.swing().is_none() {
                    numbers.push(("amplitude", amplitude, values));
                }
                numbers
            }
            Self::Sweep { frequencies: [low, high], at, duration, .. } => vec![
                ("frequencies[0]", low, FREQUENCIES),
                ("frequencies[1]", high, from(low)),
                ("at", at, TIMES),
                ("duration", duration, DURATIONS),
            ],
            Self::SineWithDwell { frequency, dwell, at, .. } => vec![
                ("frequency", frequency, FREQUENCIES),
                ("dwell", dwell, TIMES),
                ("at", at, TIMES),
            ],
            Self::Random { band: [low, high], at, duration, .. } => vec![
                ("band[0]", low, FREQUENCIES),
                ("band[1]", high, from(low)),
                ("at", at, TIMES),
                ("duration", duration, DURATIONS),
            ],
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Constant(_) => "constant",
            Self::Step { .. } => "step",
            Self::Ramp { .. } => "ramp",
            Self::Sine { .. } => "sine",
            Self::Sweep { .. } => "sweep",
            Self::SineWithDwell { .. } => "sine_with_dwell",
            Self::Random { .. } => "random",
            Self::Points(_) => "points",
            Self::Table(_) => "table",
        }
    }
}

/// Points must be finite, at least one, and later and later.
fn check_points(points: &[[f64; 2]], values: [f64; 2], check: &mut Check) {
    check.require("", !points.is_empty(), "at least one point of time and value", "none");
    for (index, &[time, value]) in points.iter().enumerate() {
        check.within(format_args!("[{index}][0]"), time, [-TIMES[1], TIMES[1]]);
        check.within(format_args!("[{index}][1]"), value, values);
    }
    for (index, pair) in points.windows(2).enumerate() {
        let ([before, _], [time, _]) = (pair[0], pair[1]);
        let requirement = format_args!("later than the point before, which is at {before} s");
        check.require(format_args!("[{}][0]", index + 1), before < time, requirement, time);
    }
}
