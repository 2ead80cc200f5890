//! What the cursor of a page reads: values of all charts over time, at common times.

use std::fmt::Write as _;

use super::axis::{Span, is_drawable};
use super::chart::{Chart, ChartKind, LineShape, Series};
use super::frame::{Frame, RIGHT};

/// Most times at which values are read.
const MOST_TIMES: usize = 900;
/// Digits of a value, of the largest of its line.
const DIGITS: i32 = 5;

/// Values at common times, as JSON, for the script of the page.
#[derive(Debug)]
pub(super) struct Readings {
    times: Vec<f64>,
    columns: Vec<String>,
    charts: Vec<String>,
}

impl Readings {
    /// Of `charts`, none if none of them is over time.
    pub(super) fn of(charts: &[Chart]) -> Option<Self> {
        let over_time = || charts.iter().filter(|chart| chart.kind == ChartKind::OverTime);
        let lines = || over_time().flat_map(|chart| &chart.series);
        let Span { low, high } =
            Span::of(lines().flat_map(|line| &line.points).map(|&(time, _)| time))?;
        let count = lines().map(|line| line.points.len()).max()?.min(MOST_TIMES);
        if count < 2 || high <= low {
            return None;
        }
        let step = (high - low) / (count - 1) as f64;
        let times = (0..count).map(|index| low + step * index as f64).collect();
        Some(Self { times, columns: Vec::new(), charts: Vec::new() })
    }

    /// Number of the column of what `line` is at the common times.
    pub(super) fn column(&mut self, line: &Series) -> usize {
        let decimals = decimals(line.points.iter().map(|&(_, value)| value));
        let mut text = String::from("[");
        for (index, &time) in self.times.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let value = value_at(line, time).filter(|&value| is_drawable(value));
            let number = value.map_or_else(|| "null".into(), |value| number(value, decimals));
            write!(text, "{comma}{number}").expect("a text takes everything");
        }
        text.push(']');
        if let Some(index) = self.columns.iter().position(|column| *column == text) {
            return index;
        }
        self.columns.push(text);
        self.columns.len() - 1
    }

    /// Number of `chart` in the page, none if it is not over time.
    pub(super) fn chart(&mut self, chart: &Chart, frame: &Frame) -> Option<usize> {
        if chart.kind != ChartKind::OverTime || chart.series.is_empty() {
            return None;
        }
        let columns: Vec<String> =
            chart.series.iter().map(|line| self.column(line).to_string()).collect();
        let (left, columns) = (frame.left, columns.join(","));
        let Span { low, high } = frame.x.span;
        self.charts.push(format!(
            "{{\"left\":{left},\"right\":{RIGHT},\"low\":{low},\"high\":{high},\"columns\":[{columns}]}}"
        ));
        Some(self.charts.len() - 1)
    }

    /// All of it, with the `view` (JSON) of what moves.
    pub(super) fn json(&self, view: Option<&str>) -> String {
        let times: Vec<String> = self.times.iter().map(|&time| number(time, 4)).collect();
        format!(
            "{{\"times\":[{}],\n\"columns\":[{}],\n\"charts\":[{}],\n\"view\":{}}}",
            times.join(","),
            self.columns.join(",\n"),
            self.charts.join(",\n"),
            view.unwrap_or("null")
        )
    }
}

/// Decimals that leave the largest of `values` with [`DIGITS`] digits.
fn decimals(values: impl Iterator<Item = f64>) -> usize {
    let largest = Span::of(values).map_or(0.0, Span::largest);
    if largest == 0.0 {
        return 0;
    }
    (DIGITS - 1 - largest.log10().floor() as i32).clamp(0, 12) as usize
}

/// `value` without zeros at its end.
fn number(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let short =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if short == "-0" { "0".into() } else { short.into() }
}

/// What `line` is at `time`; none before its first point, after its last, and in a gap.
fn value_at(line: &Series, time: f64) -> Option<f64> {
    let next = line.points.partition_point(|&(at, _)| at <= time);
    let &(start, before) = line.points.get(next.checked_sub(1)?)?;
    let Some(&(end, after)) = line.points.get(next) else {
        return (time <= start).then_some(before);
    };
    match line.shape {
        LineShape::Stepped => Some(before),
        LineShape::Straight | LineShape::Dotted | LineShape::Dots => {
            Some(before + (after - before) * ((time - start) / (end - start)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_between_points_are_read_as_they_are_drawn() {
        let line = Series::new("line", [(0.0, 0.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, 1.0)]);
        let stairs = line.clone().shaped(LineShape::Stepped);
        for (time, straight, stepped) in
            [(0.5, Some(1.0), Some(0.0)), (1.0, Some(2.0), Some(2.0)), (3.0, Some(1.0), Some(1.0))]
        {
            assert_eq!(value_at(&stairs, time), stepped, "{time}");
            let read = value_at(&line, time).filter(|value| value.is_finite());
            // The line ends before the gap.
            assert_eq!(read, straight.filter(|_| time != 1.0), "{time}");
        }
        assert_eq!((value_at(&line, -0.1), value_at(&line, 3.1)), (None, None));
    }

    #[test]
    fn equal_lines_share_a_column_and_numbers_are_short() {
        let line =
            |name: &str| Series::new(name, (0..=10).map(|i| (f64::from(i), 0.1 * f64::from(i))));
        let chart = Chart::over_time("speed", "speed (m/s)").series(line("a")).series(line("b"));
        let map = Chart::from_above("map", "x (m)", "y (m)").series(line("a"));
        let charts = [map, chart];
        let mut readings = Readings::of(&charts).unwrap();
        assert_eq!(readings.chart(&charts[0], &Frame::around(&charts[0], &[])), None);
        assert_eq!(readings.chart(&charts[1], &Frame::around(&charts[1], &[])), Some(0));
        let json = readings.json(None);
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["charts"][0]["columns"], serde_json::json!([0, 0]), "{json}");
        assert_eq!(value["columns"][0][3], serde_json::json!(0.3), "{json}");
        assert!(json.contains("0.3,0.4"), "{json}");
    }

    #[test]
    fn page_without_time_has_nothing_to_read() {
        assert!(Readings::of(&[]).is_none());
        let chart = Chart::over_time("t", "y").series(Series::new("one", [(1.0, 1.0)]));
        assert!(Readings::of(&[chart]).is_none());
    }
}
