//! HTML figure of a [`Chart`]: title, legend and picture.

use super::chart::{Chart, ChartKind, Series};
use super::drawing::picture;
use super::frame::Frame;
use super::thinning::is_drawable_point;
use super::{escaped, style};

/// A `figure` element with title, legend and picture.
pub(super) fn figure(chart: &Chart) -> anyhow::Result<String> {
    let frame = Frame::around(chart);
    let class = if frame.is_tall() { " class=\"tall\"" } else { "" };
    let title = escaped(&chart.title);
    let legend = legend(chart);
    let picture = picture(chart, &frame)?;
    Ok(format!(
        "<figure{class}>\n<figcaption><h2>{title}</h2>\n{legend}</figcaption>\n{picture}</figure>\n"
    ))
}

/// Names of the lines and meaning of the marks, outside of the picture so that it covers no data.
fn legend(chart: &Chart) -> String {
    let mut items = String::new();
    for (index, series) in chart.series.iter().enumerate() {
        let has_data = series.points.iter().any(is_drawable_point);
        if 1 < chart.series.len() || !has_data {
            items.push_str(&legend_item(index, series, has_data));
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

fn legend_item(index: usize, series: &Series, has_data: bool) -> String {
    let color = style::hex(style::color(index));
    let width = style::line_width(index);
    let name = escaped(&series.name);
    let note = if has_data { "" } else { " <span class=\"unit\">(no data)</span>" };
    format!(
        "<li><svg class=\"key\" viewBox=\"0 0 104 40\" aria-hidden=\"true\">\
         <polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" \
         points=\"0,20 104,20\"/></svg>{name}{note}</li>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn legend_of_a_map_explains_its_marks() {
        let path = Series::new("path", [(0.0, 0.0), (9.0, 9.0)]);
        let map = figure(&Chart::from_above("map", "x (m)", "y (m)").series(path)).unwrap();
        assert!(map.starts_with("<figure class=\"tall\">"), "{map}");
        assert!(map.contains("</svg>start</li>") && map.contains("</svg>end</li>"), "{map}");
    }
}
