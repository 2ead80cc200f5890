//! What is marked in all charts over time: the phases of a drive, and what is beyond a scale.

use std::fmt::Write as _;

use super::axis::Span;
use super::chart::{Chart, Series};
use super::escaped;
use super::frame::Frame;
use super::phase::Phase;
use super::thinning::is_drawable_point;

/// Width of a letter of a phase's name (CSS pixels).
const LETTER: f64 = 6.2;

/// Width and height of the mark of a value that is cut off (CSS pixels).
const MARK: f64 = 9.0;
/// Part of a chart's width within which values that are cut off share a mark (dimensionless).
const MARK_SPACING: f64 = 0.02;

/// SVG elements, to be put below the lines: a shade behind every second phase, and names where
/// there is room.
pub(super) fn phase_marks(phases: &[Phase], frame: &Frame, units: f64) -> String {
    let Span { low, high } = frame.x.span;
    let (top, height) = (f64::from(frame.top) * units, frame.plot_height() * units);
    let mut svg = String::new();
    for (index, phase) in phases.iter().enumerate() {
        let (start, end) = (phase.start.max(low), phase.end.min(high));
        if end <= start {
            continue;
        }
        let [left, right] = [start, end].map(|time| frame.pixel(time) * units);
        let (width, name) = (right - left, escaped(&phase.name));
        if index % 2 == 1 {
            writeln!(
                svg,
                "<rect class=\"phase\" x=\"{left:.0}\" y=\"{top:.0}\" width=\"{width:.0}\" height=\"{height:.0}\"/>"
            )
            .expect("a text takes everything");
        }
        if phase.name.chars().count() as f64 * LETTER * units < width {
            let (x, y) = (left + 0.5 * width, top - 3.0 * units);
            writeln!(
                svg,
                "<text class=\"phase-name\" x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"middle\">{name}</text>"
            )
            .expect("a text takes everything");
        }
    }
    svg
}

/// SVG elements that mark values of `chart` beyond its scale, each with the farthest of them as its
/// title.
pub(super) fn spike_marks(chart: &Chart, frame: &Frame, units: f64) -> String {
    let mut svg = String::new();
    for is_high in [true, false] {
        let mut last: Option<(f64, f64)> = None;
        let mut spikes: Vec<(f64, f64)> = Vec::new();
        for (x, y) in beyond(&chart.series, frame.y.span, is_high) {
            let is_near = last.is_some_and(|(before, _)| {
                (x - before).abs() < MARK_SPACING * frame.x.span.length()
            });
            match spikes.last_mut() {
                Some(spike) if is_near => {
                    if spike.1.abs() < y.abs() {
                        *spike = (x, y);
                    }
                }
                _ => spikes.push((x, y)),
            }
            last = Some((x, y));
        }
        for (x, y) in spikes {
            svg.push_str(&spike_mark(frame, x, y, is_high, units));
        }
    }
    svg
}

/// Points beyond one end of `span`, by time.
fn beyond(series: &[Series], span: Span, is_high: bool) -> Vec<(f64, f64)> {
    let is_beyond = |y: f64| if is_high { span.high < y } else { y < span.low };
    let points = series.iter().flat_map(|series| &series.points).copied();
    let drawable = points.filter(is_drawable_point);
    let mut found: Vec<_> = drawable.filter(|&(_, y)| is_beyond(y)).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// An arrowhead at the upper or lower end of the scale.
fn spike_mark(frame: &Frame, x: f64, y: f64, is_high: bool, units: f64) -> String {
    let (middle, size) = (frame.pixel(x) * units, MARK * units);
    let top = f64::from(frame.top) * units;
    let (tip, base) = if is_high {
        (top, top + size)
    } else {
        let bottom = top + frame.plot_height() * units;
        (bottom, bottom - size)
    };
    let (left, right) = (middle - 0.5 * size, middle + 0.5 * size);
    let value = frame.y.tick_label_of(y);
    format!(
        "<polygon class=\"beyond\" points=\"{middle:.0},{tip:.0} {left:.0},{base:.0} {right:.0},{base:.0}\">\
         <title>beyond the scale: {value}</title></polygon>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(spike: f64) -> Chart {
        let value = |index: u32| if index == 500 { spike } else { f64::from(index).sin() };
        let points = (0..1000).map(|index| (0.01 * f64::from(index), value(index)));
        Chart::over_time("load", "load (N)").series(Series::new("wheel", points))
    }

    #[test]
    fn one_spike_does_not_stretch_the_scale_and_is_marked() {
        let chart = chart(1_000.0);
        let frame = Frame::around(&chart, &[]);
        assert!(frame.y.span.high < 3.0, "{:?}", frame.y.span);
        let marks = spike_marks(&chart, &frame, 4.0);
        assert_eq!(marks.matches("<polygon").count(), 1, "{marks}");
        assert!(marks.contains("beyond the scale: 1000"), "{marks}");
    }

    #[test]
    fn what_fits_on_the_scale_is_not_cut_off() {
        for spike in [0.0, 3.0, -3.0] {
            let chart = chart(spike);
            let frame = Frame::around(&chart, &[]);
            assert!(frame.y.span.low <= spike && spike <= frame.y.span.high, "{spike}");
            assert_eq!(spike_marks(&chart, &frame, 4.0), "");
        }
        // All that happens.
        let points = (0..1000).map(|index| (f64::from(index), f64::from(u8::from(index == 7))));
        let pulse = Chart::over_time("pulse", "pulse").series(Series::new("pulse", points));
        assert!(1.0 <= Frame::around(&pulse, &[]).y.span.high);
    }

    #[test]
    fn phases_are_named_where_there_is_room() {
        let phase = |start, end, name: &str| Phase { start, end, name: name.into() };
        let phases = [phase(0.0, 4.0, "<brake>"), phase(4.0, 4.1, "steer"), phase(4.1, 99.0, "a")];
        let chart = chart(0.0);
        let frame = Frame::around(&chart, &phases);
        let marks = phase_marks(&phases, &frame, 4.0);
        assert!(marks.contains("&lt;brake&gt;</text>") && marks.contains(">a</text>"), "{marks}");
        assert!(!marks.contains("steer") && marks.matches("<rect").count() == 1, "{marks}");
        assert!(Frame::around(&chart, &[]).top < frame.top);
    }
}
