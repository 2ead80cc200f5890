//! Range, ticks and tick labels of an axis.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// A closed interval of finite numbers, `low <= high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Ticks are at multiples of 1, 2 or 5 times a power of ten.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) span: Span,
    pub(super) ticks: Vec<f64>,
    step: f64,
}

/// Whether a number can be drawn: what fits into an `f32` leaves room for differences and margins
/// in `f64`.
pub(super) fn is_drawable(value: f64) -> bool {
    value.abs() <= f64::from(f32::MAX)
}

impl Span {
    /// Smallest span of all drawable `values`, `None` if there are none.
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        values
            .filter(|&value| is_drawable(value))
            .map(|value| Self { low: value, high: value })
            .reduce(|a, b| Self { low: a.low.min(b.low), high: a.high.max(b.high) })
    }

    pub(super) fn length(self) -> f64 {
        self.high - self.low
    }

    /// Greatest distance from zero.
    pub(super) fn largest(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// The span itself, or a longer one around it if it is too short to put different ticks on it.
    ///
    /// A range of a few `f32` steps is noise of a constant value: it must look constant.
    pub(super) fn visible(self) -> Self {
        let largest = self.largest();
        if 1e-6 * largest < self.length() && 1e-30 < self.length() {
            return self;
        }
        let margin = if largest < 1e-30 { 1.0 } else { 0.1 * largest };
        self.widened_by(margin)
    }

    /// The span with `fraction` of its length added at both ends.
    pub(super) fn padded(self, fraction: f64) -> Self {
        self.widened_by(fraction * self.length())
    }

    /// The span with its center kept and its length at least `length`.
    pub(super) fn at_least(self, length: f64) -> Self {
        self.widened_by((0.5 * (length - self.length())).max(0.0))
    }

    fn widened_by(self, margin: f64) -> Self {
        Self { low: self.low - margin, high: self.high + margin }
    }
}

impl Axis {
    /// Axis over a [`Span::visible`] span with at most about `tick_count` ticks.
    pub(super) fn new(span: Span, tick_count: f64) -> Self {
        Self::of_step(span, round_step(span.length() / tick_count))
    }

    /// Axis with ticks at whole numbers only.
    pub(super) fn counting(span: Span, tick_count: f64) -> Self {
        Self::of_step(span, round_step((span.length() / tick_count).max(1.0)))
    }

    fn of_step(span: Span, step: f64) -> Self {
        let first = (span.low / step).ceil() as i64;
        let last = (span.high / step).floor() as i64;
        let ticks = (first..=last).map(|index| index as f64 * step).collect();
        Self { span, ticks, step }
    }

    /// Text of a tick with as many digits as tell it from its neighbors.
    pub(super) fn tick_label(&self, tick: f64) -> String {
        let largest = self.span.largest();
        let step_exponent = exponent(self.step);
        if largest < 1e6 && 1e-5 < self.step {
            let decimals = step_exponent.min(0).unsigned_abs() as usize;
            return format!("{tick:.decimals$}");
        }
        if tick == 0.0 {
            return "0".into();
        }
        let digits = (exponent(tick.abs()) - step_exponent).max(0) as usize;
        format!("{tick:.digits$e}")
    }
}

impl Axis {
    /// Text of any value, with one digit more than that of a tick.
    pub(super) fn tick_label_of(&self, value: f64) -> String {
        Self { step: 0.1 * self.step, ..self.clone() }.tick_label(value)
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn range(&self) -> Range<f64> {
        self.span.low..self.span.high
    }

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let fraction = (value - self.span.low) / self.span.length();
        limit.0 + (fraction * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, tick: &f64) -> String {
        self.tick_label(*tick)
    }
}

/// The smallest of 1, 2, 5 and 10 times a power of ten that is not below `rough_step`.
fn round_step(rough_step: f64) -> f64 {
    let power = 10_f64.powi(exponent(rough_step));
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| rough_step <= factor * power);
    factor.unwrap_or(10.0) * power
}

/// Decimal exponent of a positive number; the tolerance is for powers of ten that are not exact.
fn exponent(value: f64) -> i32 {
    (value.log10() + 1e-9).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> Vec<String> {
        let axis = Axis::new(Span { low, high }, 5.0);
        axis.ticks.iter().map(|&tick| axis.tick_label(tick)).collect()
    }

    #[test]
    fn ticks_are_round_and_have_enough_digits() {
        let rows: [(f64, f64, &[&str]); 7] = [
            (0.0, 25.0, &["0", "5", "10", "15", "20", "25"]),
            (-0.05, 1.05, &["0.0", "0.5", "1.0"]),
            (-1.0, 1.0, &["-1.0", "-0.5", "0.0", "0.5", "1.0"]),
            (9.81, 9.8101, &["9.81000", "9.81002", "9.81004", "9.81006", "9.81008", "9.81010"]),
            (0.0, 4e7, &["0", "1e7", "2e7", "3e7", "4e7"]),
            (1.2e6, 1.24e6, &["1.20e6", "1.21e6", "1.22e6", "1.23e6", "1.24e6"]),
            (-2e-9, 2e-9, &["-2e-9", "-1e-9", "0", "1e-9", "2e-9"]),
        ];
        for (low, high, expected) in rows {
            assert_eq!(labels(low, high), expected, "from {low} to {high}");
        }
    }

    #[test]
    fn every_visible_span_has_two_to_twelve_different_ticks() {
        let magnitudes = [0.0, 1e-38, 1e-7, 0.3, 9.81, 12_345.678, 3e38];
        for center in magnitudes.into_iter().flat_map(|m| [m, -m]) {
            for length in [0.0, 1e-40, 1e-12, 1e-5, 1.0, 777.0, 1e38] {
                let span = Span { low: center, high: center + length };
                let axis = Axis::new(span.visible().padded(0.05), 6.0);
                let mut labels: Vec<_> = axis.ticks.iter().map(|&t| axis.tick_label(t)).collect();
                labels.dedup();
                assert!((2..=12).contains(&labels.len()), "{span:?} has the ticks {labels:?}");
                assert_eq!(labels.len(), axis.ticks.len(), "{span:?} has the ticks {labels:?}");
            }
        }
    }

    #[test]
    fn span_skips_what_cannot_be_drawn() {
        let values = [f64::NAN, 2.0, f64::INFINITY, -1.0, f64::NEG_INFINITY, 1e300];
        assert_eq!(Span::of(values.into_iter()), Some(Span { low: -1.0, high: 2.0 }));
        assert_eq!(Span::of([f64::NAN].into_iter()), None);
    }

    #[test]
    fn single_precision_noise_of_a_constant_looks_constant() {
        let load = 12_000.0_f32;
        let noisy = Span { low: load.into(), high: load.next_up().into() };
        assert!(2_000.0 < noisy.visible().length(), "{:?}", noisy.visible());

        let real = Span { low: 9.80, high: 9.82 };
        assert_eq!(real.visible(), real);
    }
}
