//! HTML figure of a [`Chart`]: title, legend and picture.

use super::axis::Span;
use super::chart::{Chart, ChartKind, Heat, Series};
use super::drawing::picture;
use super::frame::Frame;
use super::phase::Phase;
use super::readings::Readings;
use super::thinning::is_drawable_point;
use super::{escaped, heading, style};

/// Largest distance of two lines that coincide, by the height of their plot (dimensionless).
const SAME_LINE: f64 = 2e-3;

/// A `figure` element with title, legend and picture; `phases` are marked, and the script of the
/// page finds its number in the `readings`.
pub(super) fn figure(
    chart: &Chart,
    phases: &[Phase],
    readings: Option<&mut Readings>,
) -> anyhow::Result<String> {
    let frame = Frame::around(chart, phases);
    let class = if frame.is_tall() { " class=\"tall\"" } else { "" };
    let number = readings.and_then(|readings| readings.chart(chart, &frame));
    let number = number.map_or_else(String::new, |number| format!(" data-chart=\"{number}\""));
    let title = heading(&chart.title);
    let legend = legend(chart, frame.y.span.length());
    let picture = picture(chart, &frame, phases)?;
    Ok(format!(
        "<figure{class}{number}>\n<figcaption><h2>{title}</h2>\n{legend}</figcaption>\n{picture}</figure>\n"
    ))
}

/// Names of the lines and meaning of the marks, outside of the picture so that it covers no data.
fn legend(chart: &Chart, height: f64) -> String {
    let mut items = String::new();
    for (index, series) in chart.series.iter().enumerate() {
        let has_data = series.points.iter().any(is_drawable_point);
        if 1 < chart.series.len() || !has_data {
            let before = &chart.series[..index];
            let same = before.iter().find(|other| has_data && is_same(series, other, height));
            let note = match same {
                _ if !has_data => " <span class=\"unit\">(no data)</span>".into(),
                Some(other) => {
                    format!(" <span class=\"unit\">(as {})</span>", escaped(&other.name))
                }
                None => String::new(),
            };
            items.push_str(&legend_item(index, series, &note));
        }
        if let Some(heat) = &series.heat {
            items.push_str(&heat_item(heat));
        }
    }
    if chart.kind == ChartKind::FromAbove {
        items.push_str(style::LEGEND_OF_PATH_ENDS);
    }
    if chart.series.is_empty() {
        items.push_str("<li class=\"unit\">no data</li>\n");
    }
    if items.is_empty() {
        return items;
    }
    format!("<ul>\n{items}</ul>\n")
}

/// Whether two lines cannot be told apart on a plot of this `height` (units of the y axis).
fn is_same(one: &Series, other: &Series, height: f64) -> bool {
    let near = |(a, b): (&(f64, f64), &(f64, f64))| {
        a == b || a.0 == b.0 && (a.1 - b.1).abs() <= SAME_LINE * height
    };
    one.points.len() == other.points.len() && one.points.iter().zip(&other.points).all(near)
}

/// What the colors of a line mean.
fn heat_item(heat: &Heat) -> String {
    let Some(Span { low, high }) = Span::of(heat.values.iter().copied()) else {
        return String::new();
    };
    let (ramp, label) = (style::heat_ramp(), escaped(&heat.label));
    format!("<li>{low:.0} <span class=\"ramp\" style=\"{ramp}\"></span> {high:.0} {label}</li>\n")
}

fn legend_item(index: usize, series: &Series, note: &str) -> String {
    let color = style::hex(style::color(index));
    let width = style::line_width(index);
    let name = escaped(&series.name);
    format!(
        "<li><svg class=\"key\" viewBox=\"0 0 104 40\" aria-hidden=\"true\">\
         <polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" \
         points=\"0,20 104,20\"/></svg>{name}{note}</li>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(chart: &Chart) -> anyhow::Result<String> {
        super::figure(chart, &[], None)
    }

    fn chart(points: &[(f64, f64)]) -> Chart {
        let series = Series::new("series", points.iter().copied());
        Chart::over_time("title", "y (m)").series(series)
    }

    #[test]
    fn data_that_are_missing_are_a_gap_and_a_note() {
        let points = [(0.0, 1.0), (1.0, 1.0), (2.0, f64::NAN), (3.0, 2.0), (4.0, 2.0)];
        let gap = figure(&chart(&points)).unwrap();
        let lines =
            gap.lines().filter(|line| line.starts_with("<polyline") && line.contains("#0072B2"));
        assert_eq!(lines.count(), 2, "{gap}");
        assert!(!gap.contains("no data"));

        let nothing = figure(&chart(&[(0.0, f64::NAN)])).unwrap();
        assert!(nothing.contains("series <span class=\"unit\">(no data)</span>"), "{nothing}");
        let no_series = figure(&Chart::over_time("title", "y (m)")).unwrap();
        assert!(no_series.contains("no data"), "{no_series}");
    }

    #[test]
    fn legend_names_lines_only_where_there_are_several() {
        let one = chart(&[(0.0, 1.0)]);
        assert!(!figure(&one).unwrap().contains("<ul>"));
        let two = one.series(Series::new("other", [(0.0, 2.0)]));
        let figure = figure(&two).unwrap();
        assert!(
            figure.contains("</svg>series</li>") && figure.contains("</svg>other</li>"),
            "{figure}"
        );
    }

    #[test]
    fn lines_that_coincide_are_named() {
        let line = |name: &str, height: f64| Series::new(name, [(0.0, 0.0), (1.0, height)]);
        let chart = Chart::over_time("t", "y")
            .series(line("a", 1.0))
            .series(line("b", 1.0005))
            .series(line("c", 1.1));
        let figure = figure(&chart).unwrap();
        assert!(figure.contains("</svg>b <span class=\"unit\">(as a)</span></li>"), "{figure}");
        assert!(figure.contains("</svg>c</li>"), "{figure}");
    }

    #[test]
    fn colors_of_a_line_are_explained() {
        let points = [(0.0, 0.0), (5.0, 5.0), (9.0, 9.0)];
        let path = Series::new("path", points).colored_by("m/s", &[0.0, 12.0, 30.0]);
        let map = figure(&Chart::from_above("map", "x (m)", "y (m)").series(path)).unwrap();
        assert!(map.contains("</span> 30 m/s</li>"), "{map}");
        let slow = format!("stroke=\"{}\"", style::hex(style::heat(0.2)));
        assert!(map.contains(&slow), "{map}");
    }

    #[test]
    fn legend_of_a_map_explains_its_marks() {
        let path = Series::new("path", [(0.0, 0.0), (9.0, 9.0)]);
        let map = figure(&Chart::from_above("map", "x (m)", "y (m)").series(path)).unwrap();
        assert!(map.starts_with("<figure class=\"tall\">"), "{map}");
        assert!(map.contains("</svg>start</li>") && map.contains("</svg>end</li>"), "{map}");
    }
}
