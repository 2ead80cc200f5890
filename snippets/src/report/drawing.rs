//! Drawing of a [`Chart`] as an SVG picture.

use anyhow::Context as _;
use plotters::prelude::*;

use super::axis::{Axis, Span};
use super::chart::{Chart, ChartKind, Heat, LineShape, Series};
use super::frame::{BOTTOM, Frame, MARGIN, WIDTH};
use super::marks::{phase_marks, spike_marks};
use super::phase::Phase;
use super::thinning::{drawable_runs, is_drawable_point};
use super::{escaped, style};

/// SVG units per CSS pixel: plotters rounds to whole units, which must not show as stairs.
const UNITS: u32 = 4;
/// Size of all text (SVG units).
const TEXT_SIZE: f64 = 54.0;
/// What the drawing library divides text sizes by.
const TEXT_DIVISOR: f64 = 1.24;

type Canvas<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<Axis, Axis>>;

type DrawResult = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Most pieces of a line that is colored by a quantity.
const PIECES: usize = 96;

/// The inline `svg` element; `phases` are marked if the chart is over time.
pub(super) fn picture(chart: &Chart, frame: &Frame, phases: &[Phase]) -> anyhow::Result<String> {
    let svg = drawn(chart, frame)?;
    let units = f64::from(UNITS);
    let title = escaped(&format!("{}: {} over {}", chart.title, chart.y_label, chart.x_label));
    let phases = if chart.kind == ChartKind::OverTime {
        phase_marks(phases, frame, units)
    } else {
        String::new()
    };
    let spikes = spike_marks(chart, frame, units);
    // The drawing library knows neither titles nor classes.
    let (head, rest) = svg.split_once('>').context("a picture has a head")?;
    let (lines, _) = rest.rsplit_once("</svg>").context("a picture has an end")?;
    let head = head.replacen("<svg ", "<svg role=\"img\" ", 1);
    Ok(format!("{head}>\n<title>{title}</title>\n{phases}{lines}{spikes}</svg>\n"))
}

fn drawn(chart: &Chart, frame: &Frame) -> anyhow::Result<String> {
    let mut svg = String::new();
    let size = (WIDTH * UNITS, frame.height * UNITS);
    let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    let mut canvas = ChartBuilder::on(&root)
        .margin_top(frame.top * UNITS)
        .margin_right(MARGIN * UNITS)
        .set_label_area_size(LabelAreaPosition::Left, frame.left * UNITS)
        .set_label_area_size(LabelAreaPosition::Bottom, BOTTOM * UNITS)
        .build_cartesian_2d(frame.x.clone(), frame.y.clone())?;
    draw_grid(&mut canvas, chart, frame)?;
    for (index, series) in chart.series.iter().enumerate() {
        draw_series(&mut canvas, index, series, frame.y.span)?;
    }
    if chart.kind == ChartKind::FromAbove {
        for (index, series) in chart.series.iter().enumerate() {
            draw_path_ends(&mut canvas, index, series)?;
        }
    }
    root.present()?;
    // Both borrow the text.
    drop((canvas, root));
    Ok(svg)
}

impl Chart {
    /// The chart alone as an SVG picture, without title and legend, on white.
    ///
    /// # Errors
    ///
    /// If it cannot be drawn.
    pub fn to_svg(&self) -> anyhow::Result<String> {
        let frame = Frame::around(self, &[]);
        let svg = picture(self, &frame, &[])?;
        let sized = |width: u32, height: u32| format!("width=\"{width}\" height=\"{height}\"");
        let (large, small) =
            (sized(WIDTH * UNITS, frame.height * UNITS), sized(WIDTH, frame.height));
        let svg = svg.replacen(&large, &small, 1);
        let background = "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>";
        let end = svg.find('>').map_or(0, |end| end + 1);
        Ok(format!("{}\n{background}{}", &svg[..end], &svg[end..]))
    }
}

fn draw_grid(canvas: &mut Canvas<'_>, chart: &Chart, frame: &Frame) -> DrawResult {
    let text = ("sans-serif", TEXT_SIZE * TEXT_DIVISOR);
    canvas
        .configure_mesh()
        .max_light_lines(0)
        .bold_line_style(style::GRID.stroke_width(UNITS))
        .axis_style(style::AXIS.stroke_width(UNITS))
        .set_all_tick_mark_size(4 * UNITS)
        .label_style(text)
        .axis_desc_style(text)
        .x_desc(&chart.x_label)
        .y_desc(&chart.y_label)
        .draw()?;
    let Span { low, high } = frame.y.span;
    if low < 0.0 && 0.0 < high {
        let ends = vec![(frame.x.span.low, 0.0), (frame.x.span.high, 0.0)];
        canvas.draw_series([PathElement::new(ends, style::AXIS.stroke_width(UNITS))])?;
    }
    Ok(())
}

fn draw_series(canvas: &mut Canvas<'_>, index: usize, series: &Series, scale: Span) -> DrawResult {
    if let Some(heat) = &series.heat {
        return draw_heat(canvas, series, heat);
    }
    let color = style::color(index);
    let line = color.stroke_width(style::line_width(index));
    for run in drawable_runs(&series.points) {
        let within = |(x, y): (f64, f64)| (x, y.clamp(scale.low, scale.high));
        let run: Vec<_> = run.into_iter().map(within).collect();
        if run.len() == 1 || matches!(series.shape, LineShape::Dotted | LineShape::Dots) {
            let dots = run.iter().map(|&point| Circle::new(point, 3 * UNITS, color.filled()));
            canvas.draw_series(dots)?;
        }
        let points = match series.shape {
            LineShape::Straight | LineShape::Dotted => run,
            LineShape::Stepped => steps(&run),
            LineShape::Dots => Vec::new(),
        };
        if 1 < points.len() {
            canvas.draw_series([PathElement::new(points, line)])?;
        }
    }
    Ok(())
}

/// The line in pieces, each in the color of its mean value.
fn draw_heat(canvas: &mut Canvas<'_>, series: &Series, heat: &Heat) -> DrawResult {
    let Some(span) = Span::of(heat.values.iter().copied()) else {
        return Ok(());
    };
    let size = series.points.len().div_ceil(PIECES).max(1);
    for start in (0..series.points.len()).step_by(size) {
        // A piece ends where the next begins.
        let end = (start + size + 1).min(series.points.len());
        let Some(values) = heat.values.get(start..end) else {
            break;
        };
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let part = if span.length() == 0.0 { 0.0 } else { (mean - span.low) / span.length() };
        let line = style::heat(part).stroke_width(style::HEAT_WIDTH);
        for run in drawable_runs(&series.points[start..end]) {
            canvas.draw_series([PathElement::new(run, line)])?;
        }
    }
    Ok(())
}

/// Corners of the stairs through `points`: each value holds until the next point.
fn steps(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let corners = points.windows(2).flat_map(|pair| [pair[0], (pair[1].0, pair[0].1)]);
    corners.chain(points.last().copied()).collect()
}

/// A ring at the start and a disk at the end; the ring is larger, so that both show at the end of a
/// closed lap.
fn draw_path_ends(canvas: &mut Canvas<'_>, index: usize, series: &Series) -> DrawResult {
    let mut drawable = series.points.iter().copied().filter(is_drawable_point);
    let Some(start) = drawable.next() else {
        return Ok(());
    };
    let end = drawable.next_back().unwrap_or(start);
    let color = style::color(index);
    let ring = color.stroke_width(2 * UNITS);
    canvas.draw_series([Circle::new(start, 8 * UNITS, ring)])?;
    canvas.draw_series([Circle::new(end, 4 * UNITS, color.filled())])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg_of(chart: &Chart) -> String {
        picture(chart, &Frame::around(chart, &[]), &[]).unwrap()
    }

    /// Corners of all lines in the color of the line `index` (SVG units).
    fn corners(svg: &str, index: usize) -> Vec<(f64, f64)> {
        let stroke = format!("stroke=\"{}\"", style::hex(style::color(index)));
        let lines = svg.lines().filter(|line| line.starts_with("<polyline"));
        let texts = lines.filter(|line| line.contains(&stroke)).map(|line| {
            let (_, rest) = line.split_once("points=\"").unwrap();
            rest.split_once('"').unwrap().0
        });
        let pairs = texts.flat_map(str::split_whitespace).map(|pair| {
            let (x, y) = pair.split_once(',').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        });
        pairs.collect()
    }

    fn time_chart(points: &[(f64, f64)], shape: LineShape) -> Chart {
        let series = Series::new("series", points.iter().copied()).shaped(shape);
        Chart::over_time("title", "y (m)").series(series)
    }

    fn extent(values: impl Iterator<Item = f64>) -> f64 {
        Span::of(values).unwrap().length()
    }

    #[test]
    fn odd_data_are_drawn_inside_the_picture() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        let data: [&[(f64, f64)]; 10] = [
            &[],
            &[(nan, nan)],
            &[(0.0, inf), (1.0, -inf)],
            &[(2.0, 3.0)],
            &[(0.0, 0.0), (1.0, 0.0)],
            &[(0.0, 9.81), (1.0, 9.81)],
            &[(5.0, 1.0), (5.0, 2.0)],
            &[(0.0, 1.0), (1.0, nan), (2.0, 3.0), (inf, 1.0), (3.0, -1.0), (4.0, 0.0)],
            &[(0.0, f64::MAX), (1.0, f64::MIN), (2.0, f64::MIN_POSITIVE)],
            &[(-3e38, 3e38), (3e38, -3e38)],
        ];
        let shapes = [LineShape::Straight, LineShape::Stepped, LineShape::Dotted, LineShape::Dots];
        for kind in [ChartKind::OverTime, ChartKind::OverX, ChartKind::FromAbove] {
            for (points, shape) in data.iter().flat_map(|data| shapes.map(|shape| (data, shape))) {
                let chart = Chart { kind, ..time_chart(points, shape) };
                assert_is_inside(&chart.clone().reaching_y(f64::NAN));
                assert_is_inside(&chart);
            }
        }
    }

    #[test]
    fn dots_without_an_order_are_not_joined() {
        let points = [(0.0, 1.0), (1.0, 3.0), (2.0, 0.5)];
        let lines = |shape| svg_of(&time_chart(&points, shape)).matches("<polyline").count();
        assert_eq!(lines(LineShape::Dots) + 1, lines(LineShape::Dotted));
        let dots = svg_of(&time_chart(&points, LineShape::Dots)).matches("<circle").count();
        assert_eq!(dots, points.len());
    }

    fn assert_is_inside(chart: &Chart) {
        let svg = svg_of(chart);
        let width = f64::from(WIDTH * UNITS);
        let height = f64::from(Frame::around(chart, &[]).height * UNITS);
        for (x, y) in corners(&svg, 0) {
            let is_inside = 0.0 <= x && x <= width && 0.0 <= y && y <= height;
            assert!(is_inside, "({x}, {y}) of {chart:?}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{chart:?}");
    }

    #[test]
    fn constant_is_a_level_line_across_the_plot() {
        let points = [(0.0, 12_000.0), (1.0, 12_000.0), (2.0, 12_000.0)];
        let chart = time_chart(&points, LineShape::Straight);
        let corners = corners(&svg_of(&chart), 0);
        assert_eq!(corners.len(), 3);
        assert_eq!(extent(corners.iter().map(|corner| corner.1)), 0.0, "{corners:?}");
        let left = Frame::around(&chart, &[]).left;
        let plot_width = f64::from((WIDTH - left - MARGIN) * UNITS);
        let width = extent(corners.iter().map(|corner| corner.0));
        assert!((width - plot_width).abs() <= f64::from(UNITS), "{width} of {plot_width}");
    }

    #[test]
    fn step_holds_each_value_until_the_next_point() {
        let points = [(0.0, 1.0), (2.0, 3.0), (5.0, 3.0)];
        let expected = [(0.0, 1.0), (2.0, 1.0), (2.0, 3.0), (5.0, 3.0), (5.0, 3.0)];
        assert_eq!(steps(&points), expected);
        assert_eq!(steps(&points[..1]), points[..1]);

        let drawn = corners(&svg_of(&time_chart(&points, LineShape::Stepped)), 0);
        let is_stair =
            drawn.windows(2).all(|pair| pair[0].0 == pair[1].0 || pair[0].1 == pair[1].1);
        assert!(is_stair && drawn.len() == 5, "{drawn:?}");
    }

    #[test]
    fn circle_is_round_on_the_map_and_its_ends_are_marked() {
        let angles = (0..=360).map(|degrees| f64::from(degrees).to_radians());
        let circle =
            Series::new("lap", angles.map(|angle| (70.0 + 9.0 * angle.cos(), 9.0 * angle.sin())));
        let straight = Series::new("long", [(0.0, 0.0), (250.0, 0.0)]);
        let chart = Chart::from_above("map", "x (m)", "y (m)").series(circle);
        for chart in [chart.clone(), chart.series(straight)] {
            let svg = svg_of(&chart);
            let lap = corners(&svg, 0);
            let width = extent(lap.iter().map(|corner| corner.0));
            let height = extent(lap.iter().map(|corner| corner.1));
            assert!(80.0 < width && (width - height).abs() <= 2.0, "{width} by {height}");
            assert_eq!(svg.matches("<circle").count(), 2 * chart.series.len());
        }
    }

    #[test]
    fn picture_of_a_million_points_is_small() {
        let points: Vec<_> = (0..1_000_000).map(|i| (f64::from(i), f64::from(i).sin())).collect();
        let size = svg_of(&time_chart(&points, LineShape::Straight)).len();
        assert!(size < 40_000, "{size} bytes");
    }
}
