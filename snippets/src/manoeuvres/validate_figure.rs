//! What of figures is checked before anything runs: units, phases, numbers, nesting.

use super::check::{Check, unknown};
use super::figure::{FigureSource, Moment, Quantity, Response, Stretch, UNITS};
use super::scenario::Manoeuvre;
use super::validate::TIMES;

/// Frequencies of responses (Hz).
const FREQUENCIES: [f64; 2] = [0.01, 50.0];
/// Numbers in figures.
const NUMBERS: [f64; 2] = [-1e9, 1e9];
/// How deep figures may be nested.
const DEEPEST: usize = 12;

impl FigureSource {
    pub(super) fn check(&self, manoeuvre: &Manoeuvre, check: &mut Check) {
        let units = UNITS.iter().map(|unit| unit.0);
        if !units.clone().any(|unit| unit == self.unit) {
            check.fault("unit", unknown("unit", &self.unit, units));
        }
        check.field("value", |check| self.value.check(manoeuvre, check, 0));
    }
}

/// There must be a phase of this `name`.
fn check_phase(field: &str, name: &str, manoeuvre: &Manoeuvre, check: &mut Check) {
    let names = manoeuvre.phases.iter().map(|phase| phase.name.as_str());
    if !names.clone().any(|known| known == name) {
        check.fault(field, unknown("phase", name, names));
    }
}

impl Quantity {
    fn check(&self, manoeuvre: &Manoeuvre, check: &mut Check, depth: usize) {
        if DEEPEST < depth {
            check.fault("", format!("must be nested at most {DEEPEST} deep, got more"));
            return;
        }
        let moment = |check: &mut Check, name: &str, moment: &Moment| {
            check.field(name, |check| moment.check(manoeuvre, check, depth + 1));
        };
        match self {
            Self::Number(number) => check.within("number", *number, NUMBERS),
            Self::At { when, .. } => moment(check, "at.when", when),
            Self::Change { from, to, .. } => {
                moment(check, "change.from", from);
                moment(check, "change.to", to);
            }
            Self::Largest(stretch)
            | Self::Least(stretch)
            | Self::Peak(stretch)
            | Self::Mean(stretch)
            | Self::Rms(stretch)
            | Self::Damping(stretch) => stretch.check(manoeuvre, check, depth),
            Self::Weighted { of: stretch, .. } => {
                check.field("weighted.of", |check| stretch.check(manoeuvre, check, depth));
            }
            Self::Slope { within: [low, high], phase, .. } => check.field("slope", |check| {
                check.within("within[0]", *low, NUMBERS);
                check.within("within[1]", *high, [*low, NUMBERS[1]]);
                check_phase("phase", phase, manoeuvre, check);
            }),
            Self::Gain(response) | Self::Phase(response) => response.check(manoeuvre, check),
            Self::Root(of) => {
                check.field("root", |check| of.check(manoeuvre, check, depth + 1));
            }
            Self::Ratio { of, by } | Self::Difference { of, by } => {
                check.field("of", |check| of.check(manoeuvre, check, depth + 1));
                check.field("by", |check| by.check(manoeuvre, check, depth + 1));
            }
        }
    }
}

impl Stretch {
    fn check(&self, manoeuvre: &Manoeuvre, check: &mut Check, depth: usize) {
        for (name, moment) in [("from", &self.from), ("to", &self.to)] {
            if let Some(moment) = moment {
                check.field(name, |check| moment.check(manoeuvre, check, depth + 1));
            }
        }
    }
}

impl Response {
    fn check(&self, manoeuvre: &Manoeuvre, check: &mut Check) {
        check.within("frequency", self.frequency, FREQUENCIES);
        check_phase("phase", &self.phase, manoeuvre, check);
    }
}

impl Moment {
    fn check(&self, manoeuvre: &Manoeuvre, check: &mut Check, depth: usize) {
        if DEEPEST < depth {
            check.fault("", format!("must be nested at most {DEEPEST} deep, got more"));
            return;
        }
        match self {
            Self::Start(phase) => check_phase("start", phase, manoeuvre, check),
            Self::End(phase) => check_phase("end", phase, manoeuvre, check),
            Self::Time(time) => check.within("time", *time, [0.0, TIMES[1]]),
            Self::After { moment, time } => check.field("after", |check| {
                check.within("time", *time, [-TIMES[1], TIMES[1]]);
                check.field("moment", |check| moment.check(manoeuvre, check, depth + 1));
            }),
            Self::Crossing { value, phase, .. } => check.field("crossing", |check| {
                check_phase("phase", phase, manoeuvre, check);
                check.field("value", |check| value.check(manoeuvre, check, depth + 1));
            }),
            Self::Peak(stretch) | Self::FirstPeak(stretch) => {
                stretch.check(manoeuvre, check, depth);
            }
        }
    }
}
