//! How many values of one quantity of a trace lie within which bounds.

use super::columns::{Rule, deviation};

/// Of each group, `MOST_SHARE` of the values lie within this part of `S`.
const MOST_WITHIN: f64 = 1e-4;
const MOST_SHARE: f64 = 0.995;
/// Of each group, as many values as the caller demands lie within this part of `S`.
const MANY_WITHIN: f64 = 1e-5;

/// What was seen of one group of columns.
#[derive(Clone, Debug)]
pub struct Tally {
    rule: Rule,
    /// Number of values.
    pub count: usize,
    /// Number of values out of bounds.
    pub outside: usize,
    /// Number of values within 1e-4 S.
    pub most: usize,
    /// Number of values within 1e-5 S.
    pub many: usize,
    /// The worst value.
    pub worst: Worst,
}

/// The value with the largest error over bound.
#[derive(Clone, Debug)]
pub struct Worst {
    /// Its column.
    pub column: String,
    /// Error over bound.
    pub ratio: f64,
    /// Step number.
    pub step: f32,
    /// Our value.
    pub got: f64,
    /// The recorded value.
    pub want: f64,
}

impl Tally {
    /// Nothing yet.
    pub fn new(rule: Rule) -> Self {
        let column = String::new();
        let worst = Worst { column, ratio: -1.0, step: 0.0, got: 0.0, want: 0.0 };
        Self { rule, count: 0, outside: 0, most: 0, many: 0, worst }
    }

    /// Counts one value.
    pub fn add(&mut self, column: &str, step: f32, got: f64, want: f64) {
        let (ratio, of_scale) = deviation(self.rule, got, want);
        self.count += 1;
        self.outside += usize::from(1.0 < ratio);
        self.most += usize::from(of_scale <= MOST_WITHIN);
        self.many += usize::from(of_scale <= MANY_WITHIN);
        if self.worst.ratio < ratio {
            self.worst = Worst { column: column.to_owned(), ratio, step, got, want };
        }
    }

    /// What is wrong with the values of this group.
    ///
    /// `many_share` is the share of them that must lie within 1e-5 S.
    pub fn failures(&self, many_share: f64) -> Vec<String> {
        let Self { rule, count, outside, most, many, worst } = self;
        let mut failures = Vec::new();
        if 0 < *outside {
            let Worst { column, ratio, step, got, want } = worst;
            failures.push(format!(
                "{outside} of {count} out of bounds, worst {column} at step {step}: \
                 got {got}, want {want}, error / bound {ratio:.3} ({rule:?})"
            ));
        }
        let shares = [(most, MOST_SHARE, MOST_WITHIN), (many, many_share, MANY_WITHIN)];
        for (inside, needed, within) in shares {
            if (*inside as f64) < needed * *count as f64 {
                failures.push(format!(
                    "{inside} of {count} within {within:e} S, fewer than {:.1} % ({rule:?})",
                    100.0 * needed
                ));
            }
        }
        failures
    }
}
