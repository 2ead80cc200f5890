//! Judging single steps: ours starts from one recorded row and is compared with the next.
//!
//! `S` is the scale of a column's group, see `columns`. The shares of values within the finer
//! bounds are those of a group as well: all wheels and vector components of one quantity.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::columns::{Scales, group};
use super::tally::Tally;
use super::traces::{Row, Trace};

/// Share of a group within 1e-5 S in the recorded axes.
const MANY_SHARE: f64 = 0.8;
/// Share of a group within 1e-5 S in other axes, where other components take the rounding. Drives
/// of our own and of others come to 70 % to 79 % of the loads.
const MANY_SHARE_IN_OTHER_AXES: f64 = 0.65;
/// Failures printed per trace.
const MAX_FAILURES_PRINTED: usize = 8;

/// Compares values with a trace, cell by cell.
#[derive(Clone, Debug)]
pub struct OneStepJudge<'a> {
    trace: &'a Trace,
    scales: Scales,
    many_share: f64,
    groups: BTreeMap<String, Tally>,
    steps: BTreeSet<usize>,
    failures: Vec<String>,
}

/// The result for one trace; `Display` prints one line and the failures.
#[derive(Clone, Debug)]
pub struct OneStepReport {
    /// Name of the trace.
    pub name: String,
    /// Number of steps of which anything was compared.
    pub pairs: usize,
    /// Number of compared values.
    pub fields: usize,
    /// Largest error over bound.
    pub worst: f64,
    /// Column and step of that error.
    pub worst_at: String,
    /// Smallest share of a group within 1e-4 S, and the group.
    pub least_most: (f64, String),
    /// Smallest share of a group within 1e-5 S, and the group.
    pub least_many: (f64, String),
    /// Groups of which nothing was compared; commands and time aside.
    pub not_compared: Vec<String>,
    /// The caller's own failures, and up to three per group: values out of bounds, too small a
    /// share of two bounds.
    pub failures: Vec<String>,
}

impl<'a> OneStepJudge<'a> {
    /// Measures the groups of the trace; `length_scale` is in length units per meter.
    pub fn new(trace: &'a Trace, length_scale: f64) -> Self {
        Self {
            trace,
            scales: Scales::measure(trace, length_scale),
            many_share: MANY_SHARE,
            groups: BTreeMap::new(),
            steps: BTreeSet::new(),
            failures: Vec::new(),
        }
    }

    /// Judges a trace that was turned into other axes than those that it was recorded in.
    pub fn in_other_axes(self) -> Self {
        Self { many_share: MANY_SHARE_IN_OTHER_AXES, ..self }
    }

    /// Compares one value with the cell of the row after the step.
    ///
    /// Flags may be given as `bool`. An empty cell stands for NaN and for nothing else.
    pub fn compare(&mut self, after: Row<'_>, column: &str, got: impl Into<f64>) {
        let got = got.into();
        let step = after.step();
        self.steps.insert(after.index);
        if !self.trace.has_column(column) {
            return self.fail(step, column, "no such column");
        }
        let want = after.optional(column).map_or(f64::NAN, f64::from);
        let group = group(column);
        if let Some(seen) = self.groups.get_mut(group) {
            return seen.add(column, step, got, want);
        }
        let mut seen = Tally::new(self.scales.rule(column));
        seen.add(column, step, got, want);
        self.groups.insert(group.to_owned(), seen);
    }

    /// Compares the components of a vector, for instance `["px", "py", "pz"]`, with the row after
    /// the step.
    pub fn compare_array<T: Into<f64> + Copy, const N: usize>(
        &mut self,
        after: Row<'_>,
        columns: [&str; N],
        got: [T; N],
    ) {
        for (column, got) in columns.into_iter().zip(got) {
            self.compare(after, column, got);
        }
    }

    /// Compares a value of one wheel, for instance `omega`, with the row after the step.
    pub fn compare_wheel(
        &mut self,
        after: Row<'_>,
        wheel: usize,
        column: &str,
        got: impl Into<f64>,
    ) {
        self.compare(after, &format!("w{wheel}_{column}"), got);
    }

    /// Compares the components of a vector of one wheel with the row after the step.
    pub fn compare_wheel_array<T: Into<f64> + Copy, const N: usize>(
        &mut self,
        after: Row<'_>,
        wheel: usize,
        columns: [&str; N],
        got: [T; N],
    ) {
        for (column, got) in columns.into_iter().zip(got) {
            self.compare_wheel(after, wheel, column, got);
        }
    }

    /// Adds a failure of the caller's own, for instance a step that could not be computed.
    pub fn fail(&mut self, step: f32, what: &str, message: &str) {
        self.failures.push(format!("{}, step {step}, {what}: {message}", self.trace.name));
    }

    /// Judges the shares of all groups and sums up.
    pub fn finish(self) -> OneStepReport {
        let not_compared = self.not_compared();
        let mut report = OneStepReport {
            name: self.trace.name.clone(),
            pairs: self.steps.len(),
            fields: self.groups.values().map(|group| group.count).sum(),
            worst: 0.0,
            worst_at: "nothing".to_owned(),
            least_most: (1.0, "every group".to_owned()),
            least_many: (1.0, "every group".to_owned()),
            not_compared,
            failures: self.failures,
        };
        for (name, group) in &self.groups {
            report.add(name, group, self.many_share);
        }
        if report.fields == 0 {
            report.failures.push(format!("{}: nothing was compared", report.name));
        }
        report
    }

    fn not_compared(&self) -> Vec<String> {
        let is_input = |column: &str| {
            column.starts_with("c_") || ["step", "t", "dt", "substeps"].contains(&column)
        };
        // A column of empty cells does not apply to this vehicle.
        let is_empty = |column: &str| self.trace.rows().all(|row| row.optional(column).is_none());
        let left: BTreeSet<&str> = self
            .trace
            .columns()
            .filter(|column| !is_input(column) && !self.groups.contains_key(group(column)))
            .filter(|column| !is_empty(column))
            .map(group)
            .collect();
        left.into_iter().map(str::to_owned).collect()
    }
}

impl OneStepReport {
    /// Whether all bounds hold.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }

    fn add(&mut self, name: &str, group: &Tally, many_share: f64) {
        if self.worst < group.worst.ratio || self.worst_at == "nothing" {
            self.worst = group.worst.ratio;
            self.worst_at = format!("{}, step {}", group.worst.column, group.worst.step);
        }
        let share = |count: usize| count as f64 / group.count as f64;
        let shares =
            [(&mut self.least_most, share(group.most)), (&mut self.least_many, share(group.many))];
        for (least, share) in shares {
            if share < least.0 {
                *least = (share, name.to_owned());
            }
        }
        let failures = group.failures(many_share);
        let named = failures.iter().map(|failure| format!("{}, {name}: {failure}", self.name));
        self.failures.extend(named);
    }
}

impl fmt::Display for OneStepReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, pairs, fields, worst, worst_at, least_most, least_many, .. } = self;
        let verdict = if self.passed() { "" } else { "  FAILED" };
        write!(
            f,
            "{name:<24} {pairs:>5} pairs {fields:>8} fields  worst error / bound {worst:.4} ({worst_at})  \
             within 1e-4 S {:.2} % ({})  within 1e-5 S {:.2} % ({}){verdict}",
            100.0 * least_most.0,
            least_most.1,
            100.0 * least_many.0,
            least_many.1
        )?;
        if !self.not_compared.is_empty() {
            write!(f, "\n  not compared: {}", self.not_compared.join(", "))?;
        }
        for failure in self.failures.iter().take(MAX_FAILURES_PRINTED) {
            write!(f, "\n  FAILED {failure}")?;
        }
        if MAX_FAILURES_PRINTED < self.failures.len() {
            write!(f, "\n  FAILED {name}: {} failures in all", self.failures.len())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Result;
    use std::f64::consts::TAU;

    /// A trace of `pairs` steps in which two wheels press with 1000 and 4000 N and turn at 10
    /// rad/s.
    fn trace(pairs: usize) -> Result<Trace> {
        let header = "step,dt,vx,w0_hit,w0_normalForce,w1_normalForce,w0_omega,w0_rotAngle,w0_alignMoment,w0_separation";
        let rows = (0..=pairs)
            .map(|step| format!("\n{step},0.1,1,1,1000,-4000,10,6.2,100,3.40282347e+38"));
        Trace::parse("t", format!("{header}{}", rows.collect::<String>()).as_bytes())
    }

    /// What a value instead of the recorded one gives in all steps.
    fn judge(column: &str, got: f64) -> Result<OneStepReport> {
        let trace = trace(3)?;
        let mut judge = OneStepJudge::new(&trace, 1.0);
        for (_, after) in trace.pairs() {
            judge.compare(after, column, got);
        }
        Ok(judge.finish())
    }

    #[test]
    fn values_are_bounded_by_the_scale_of_their_group() -> Result<()> {
        // S is 4000 N from the other wheel, 5 m/s and 30 rad/s from the minima.
        let rows = [
            ("w0_normalForce", 1000.03, true),
            ("w0_normalForce", 1008.1, false),
            ("w0_normalForce", f64::NAN, false),
            ("vx", 1.00004, true),
            ("vx", 1.0101, false),
            ("w0_omega", 10.0002, true),
            ("w0_omega", 10.07, false),
            ("w0_alignMoment", 109.9, true),
            ("w0_alignMoment", 110.1, false),
            ("w0_hit", 1.0, true),
            ("w0_hit", 0.0, false),
            ("w0_separation", f64::from(f32::MAX), true),
            ("w0_separation", 1.0, false),
            // S is 30 rad/s times 0.1 s; a turn makes no difference.
            ("w0_rotAngle", 6.2 - TAU + 2e-5, true),
            ("w0_rotAngle", 6.2 + 6.1e-3, false),
            ("w2_hit", 1.0, false),
        ];
        for (column, got, expected) in rows {
            assert_eq!(
                judge(column, got)?.passed(),
                expected,
                "{column} = {got}: {}",
                judge(column, got)?
            );
        }
        let report = judge("w0_normalForce", 1004.0)?;
        assert_eq!((report.pairs, report.fields), (3, 3));
        assert!((report.worst - 0.5).abs() < 1e-9, "{report}");
        assert!(report.not_compared.contains(&"omega".to_owned()), "{report}");
        Ok(())
    }

    #[test]
    fn lengths_in_centimeters_have_larger_minima() -> Result<()> {
        let trace = trace(1)?;
        for (length_scale, expected) in [(1.0, false), (100.0, true)] {
            let mut judge = OneStepJudge::new(&trace, length_scale);
            let (_, after) = trace.pairs().next().ok_or_else(|| anyhow::anyhow!("no pair"))?;
            judge.compare(after, "vx", 1.004);
            assert_eq!(judge.finish().passed(), expected, "{length_scale}");
        }
        Ok(())
    }

    #[test]
    fn few_values_of_a_group_may_lie_outside_the_finer_bounds() -> Result<()> {
        // Of 200 values one may exceed 1e-4 S (0.4 N) and 40 may exceed 1e-5 S, 70 in other axes.
        let trace = trace(200)?;
        let recorded = || OneStepJudge::new(&trace, 1.0);
        let moved = || recorded().in_other_axes();
        for (mut judge, coarse, fine, expected) in [
            (recorded(), 1, 39, true),
            (recorded(), 2, 0, false),
            (recorded(), 0, 40, true),
            (recorded(), 0, 41, false),
            (moved(), 1, 69, true),
            (moved(), 2, 0, false),
            (moved(), 0, 70, true),
            (moved(), 0, 71, false),
        ] {
            for (i, (_, after)) in trace.pairs().enumerate() {
                let error = if i < coarse {
                    1.0
                } else if i < coarse + fine {
                    0.3
                } else {
                    0.0
                };
                judge.compare(after, "w0_normalForce", 1000.0 + error);
            }
            let report = judge.finish();
            assert_eq!(report.passed(), expected, "{coarse} and {fine}: {report}");
        }
        Ok(())
    }

    #[test]
    fn comparing_nothing_fails() -> Result<()> {
        assert!(!OneStepJudge::new(&trace(1)?, 1.0).finish().passed());
        Ok(())
    }
}
