//! Size of a picture and axes of a [`Chart`].

use super::axis::{Axis, Span};
use super::chart::{Chart, ChartKind, LineShape};
use super::phase::Phase;
use super::thinning::is_drawable_point;

/// Width of a picture (CSS pixels).
pub(super) const WIDTH: u32 = 640;
/// Height of a picture (CSS pixels).
const HEIGHT: u32 = 300;
/// Height of the map of a path that is not wide (CSS pixels): two pictures and what is between
/// them.
const TALL_HEIGHT: u32 = 670;
/// Least room for the labels of the y axis (CSS pixels).
const LEFT: u32 = 68;
/// Room for the title of the y axis and the marks of its ticks (CSS pixels).
const TITLE_AND_TICKS: u32 = 36;
/// Room for a letter of a tick label, as large as on a phone (CSS pixels).
const LETTER: u32 = 9;
/// Room for the names of phases above the plot (CSS pixels).
const PHASES: u32 = 18;
/// Room for the labels of the x axis (CSS pixels).
pub(super) const BOTTOM: u32 = 44;
/// Room for half a tick label above and right of the plot (CSS pixels).
pub(super) const MARGIN: u32 = 16;
/// Right end of all plots (CSS pixels).
pub(super) const RIGHT: u32 = WIDTH - MARGIN;
/// Least distance between the grid lines of a map (CSS pixels).
const MAP_GRID: f64 = 60.0;
/// Least size of a map (m), so that a parked vehicle is a point and not a walk of rounding errors.
const LEAST_MAP: f64 = 0.01;

/// Least number of values of which a few may be beyond the scale.
const MANY: usize = 200;
/// Part of the values that may be beyond the scale at either end (dimensionless).
const BEYOND: f64 = 0.005;
/// How much longer than the scale of the others all values must be for the few to be cut off
/// (dimensionless).
const STRETCH: f64 = 4.0;
/// What a scale that cuts values off has beyond the others at either end, by their span
/// (dimensionless).
const ROOM: f64 = 0.25;

/// The axes of a chart, and the size of its picture (CSS pixels).
pub(super) struct Frame {
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) height: u32,
    /// Room left of the plot.
    pub(super) left: u32,
    /// Room above the plot.
    pub(super) top: u32,
}

impl Frame {
    /// Frame around all data of `chart`, but for spikes that leave no room for anything else, below
    /// the names of `phases` if it is over time. With no data, it is from zero to one.
    pub(super) fn around(chart: &Chart, phases: &[Phase]) -> Self {
        let points = || chart.series.iter().flat_map(|series| &series.points);
        let reached_y = chart.reached_y.iter().copied();
        let empty = Span { low: 0.0, high: 1.0 };
        let x = Span::of(points().map(|&(x, _)| x)).unwrap_or(empty);
        let y = Span::of(points().map(|&(_, y)| y).chain(reached_y)).unwrap_or(empty);
        let x = match chart.kind {
            ChartKind::OverTime => x.visible(),
            ChartKind::OverX => x.visible().padded(0.03),
            ChartKind::FromAbove | ChartKind::AtOneScale => return Self::at_one_scale(x, y),
        };
        let kind = |counts| if counts { Axis::counting } else { Axis::new };
        let (over, axis_of) = (kind(chart.is_counting_x), kind(chart.is_counting));
        let y = span_without_spikes(chart).unwrap_or_else(|| y.visible().padded(0.05));
        let has_phases = chart.kind == ChartKind::OverTime && !phases.is_empty();
        let top = if has_phases { MARGIN + PHASES } else { MARGIN };
        let height = HEIGHT + top - MARGIN;
        Self::new(over(x, 9.0), axis_of(y, 6.0), height, top)
    }

    fn new(x: Axis, y: Axis, height: u32, top: u32) -> Self {
        let letters = y.ticks.iter().map(|&tick| y.tick_label(tick).chars().count()).max();
        let labels = letters.unwrap_or(0) as u32 * LETTER;
        Self { x, y, height, left: LEFT.max(TITLE_AND_TICKS + labels), top }
    }

    /// Height of the plot (CSS pixels).
    pub(super) fn plot_height(&self) -> f64 {
        f64::from(self.height - self.top - BOTTOM)
    }

    /// Where `x` is in the picture (CSS pixels from the left).
    pub(super) fn pixel(&self, x: f64) -> f64 {
        let (left, span) = (f64::from(self.left), self.x.span);
        left + (x - span.low) / span.length() * f64::from(RIGHT - self.left)
    }

    /// Whether the picture is as high as two others.
    pub(super) fn is_tall(&self) -> bool {
        self.height == TALL_HEIGHT
    }

    /// Frame with equally many pixels per meter, and one distance of grid lines, on both axes.
    fn at_one_scale(x: Span, y: Span) -> Self {
        let is_wide = y.length() < 0.6 * x.length();
        let height = if is_wide { HEIGHT } else { TALL_HEIGHT };
        let plot_height = f64::from(height - BOTTOM - MARGIN);
        let [x, y] = [x.padded(0.06), y.padded(0.06)];
        // Far from the origin, coordinates are too coarse for the least map.
        let least_map = LEAST_MAP.max(1e-5 * x.largest().max(y.largest()));
        let fit = |left: u32| {
            let plot_width = f64::from(RIGHT - left);
            let meters_per_pixel = (x.length() / plot_width)
                .max(y.length() / plot_height)
                .max(least_map / plot_width.max(plot_height));
            let axis = |span: Span, pixels: f64| {
                Axis::new(span.at_least(meters_per_pixel * pixels), pixels / MAP_GRID)
            };
            Self::new(axis(x, plot_width), axis(y, plot_height), height, MARGIN)
        };
        // Room for the labels leaves less for the map.
        let left = fit(LEFT).left;
        Self { left, ..fit(left) }
    }
}

/// The span of almost all values of `chart`, if a few others would stretch its scale so much that
/// nothing else were to be seen.
fn span_without_spikes(chart: &Chart) -> Option<Span> {
    let is_smooth = chart.series.iter().all(|series| series.shape == LineShape::Straight);
    if chart.kind != ChartKind::OverTime || chart.is_counting || !is_smooth {
        return None;
    }
    let points = chart.series.iter().flat_map(|series| &series.points).copied();
    let mut values: Vec<f64> = points.filter(is_drawable_point).map(|(_, y)| y).collect();
    if values.len() < MANY {
        return None;
    }
    values.sort_unstable_by(f64::total_cmp);
    let most = (values.len() as f64 * BEYOND) as usize;
    let usual = [values[most], values[values.len() - 1 - most]];
    let reached = || chart.reached_y.iter().copied();
    let inner = Span::of(usual.into_iter().chain(reached()))?;
    let whole = Span::of([values[0], *values.last()?].into_iter().chain(reached()))?;
    let is_stretched = inner == inner.visible() && STRETCH * inner.length() < whole.length();
    is_stretched.then(|| inner.padded(ROOM))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Series;

    fn map_of(points: &[(f64, f64)]) -> Frame {
        let path = Series::new("path", points.iter().copied());
        Frame::around(&Chart::from_above("path", "x (m)", "y (m)").series(path), &[])
    }

    #[test]
    fn map_has_one_scale_and_one_grid_and_holds_the_path() {
        let paths: [&[(f64, f64)]; 7] = [
            &[(0.0, 0.0), (300.0, 0.0)],
            &[(0.0, 0.0), (0.0, -300.0)],
            &[(-5.0, 2.0), (300.0, 40.0)],
            &[(10.0, 10.0), (20.0, 20.0)],
            &[(1e3, 5.0), (1e3, 5.0)],
            &[(1e30, 1e30)],
            &[],
        ];
        for path in paths {
            let Frame { x, y, height, left, .. } = map_of(path);
            let x_scale = x.span.length() / f64::from(WIDTH - left - MARGIN);
            let y_scale = y.span.length() / f64::from(height - BOTTOM - MARGIN);
            assert!((x_scale / y_scale - 1.0).abs() < 1e-6, "{path:?}: {x_scale} and {y_scale}");
            for axis in [&x, &y] {
                assert!((2..=20).contains(&axis.ticks.len()), "{path:?}: {:?}", axis.ticks);
            }
            let steps = [&x, &y].map(|axis| axis.ticks[1] - axis.ticks[0]);
            assert!((steps[0] / steps[1] - 1.0).abs() < 1e-6, "{path:?}: {steps:?}");
            for &(east, north) in path {
                assert!(x.span.low <= east && east <= x.span.high, "{path:?}: {:?}", x.span);
                assert!(y.span.low <= north && north <= y.span.high, "{path:?}: {:?}", y.span);
            }
        }
    }

    #[test]
    fn parked_vehicle_is_a_point() {
        let x = map_of(&[(3.0, 5.0), (3.0 + 1e-6, 5.0)]).x;
        assert!((LEAST_MAP * 0.5..LEAST_MAP * 2.0).contains(&x.span.length()), "{:?}", x.span);
    }

    #[test]
    fn wide_path_has_a_flat_map() {
        assert!(!map_of(&[(0.0, 0.0), (100.0, 59.0)]).is_tall());
        assert!(map_of(&[(0.0, 0.0), (100.0, 61.0)]).is_tall());
    }

    #[test]
    fn time_axis_is_exact_and_y_axis_reaches_what_was_asked() {
        let load = Series::new("load", [(0.0, 3000.0), (25.0, 4000.0)]);
        let chart = Chart::over_time("load", "load (N)").series(load).reaching_y(0.0);
        let Frame { x, y, .. } = Frame::around(&chart, &[]);
        assert_eq!(x.span, Span { low: 0.0, high: 25.0 });
        assert_eq!(y.span, Span { low: -200.0, high: 4200.0 });
    }

    #[test]
    fn gears_are_counted_in_whole_numbers() {
        let cases = [(2.0, vec![-1.0, 0.0, 1.0, 2.0]), (12.0, vec![0.0, 5.0, 10.0])];
        for (highest, expected) in cases {
            let gears = Series::new("gear", [(0.0, -1.0), (1.0, highest)]);
            let chart = Chart::over_time("gear", "gear").series(gears).counting();
            assert_eq!(Frame::around(&chart, &[]).y.ticks, expected, "to {highest}");
        }
    }
}
