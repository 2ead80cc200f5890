//! What a chart shows, before it is drawn.

use super::axis::Span;
use super::thinning::is_drawable_point;
use crate::telemetry::Telemetry;

/// How the points of a [`Series`] are connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineShape {
    /// By straight lines.
    #[default]
    Straight,
    /// Each value holds until the next point: flags, gears, commands.
    Stepped,
    /// By straight lines, with a dot at each point: few measured points.
    Dotted,
    /// Not at all, with a dot at each point: measured points that have no order.
    Dots,
}

/// One named line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
    pub(super) shape: LineShape,
    /// What colors the line, one value for each point.
    pub(super) heat: Option<Heat>,
}

/// A quantity that colors a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heat {
    pub(super) label: String,
    pub(super) values: Vec<f64>,
}

impl Series {
    /// Line through `(x, y)` points in the given order.
    ///
    /// The line has a gap where a coordinate is not finite or beyond the range of an `f32`.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let points = points.into_iter().collect();
        Self { name: name.into(), points, shape: LineShape::Straight, heat: None }
    }

    /// This line, colored by a quantity with this `label`, one value for each point.
    #[must_use]
    pub fn colored_by(mut self, label: impl Into<String>, values: &[f64]) -> Self {
        self.heat = Some(Heat { label: label.into(), values: values.to_vec() });
        self
    }

    /// Line of the channel `channel` over time.
    ///
    /// # Errors
    ///
    /// If `telemetry` has no such channel.
    pub fn over_time(
        name: impl Into<String>,
        telemetry: &Telemetry,
        channel: &str,
    ) -> anyhow::Result<Self> {
        let values = telemetry.column(channel)?;
        Ok(Self::new(name, pairs(telemetry.time(), values)))
    }

    /// Line of the channel `y` against the channel `x`.
    ///
    /// # Errors
    ///
    /// If `telemetry` has no such channel.
    pub fn of_channels(
        name: impl Into<String>,
        telemetry: &Telemetry,
        x: &str,
        y: &str,
    ) -> anyhow::Result<Self> {
        Ok(Self::new(name, pairs(telemetry.column(x)?, telemetry.column(y)?)))
    }

    /// This line with its points connected in another `shape`.
    #[must_use]
    pub fn shaped(mut self, shape: LineShape) -> Self {
        self.shape = shape;
        self
    }
}

fn pairs<'a>(x: &'a [f64], y: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
    x.iter().copied().zip(y.iter().copied())
}

/// What the axes of a [`Chart`] mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChartKind {
    /// The x axis is time and ends where the data end.
    OverTime,
    /// Any two quantities.
    OverX,
    /// Two lengths at one scale; start and end of each line are marked.
    FromAbove,
    /// Two quantities of one unit at one scale.
    AtOneScale,
}

/// Lines over common axes.
///
/// Every label says its unit: `speed (m/s)`. Up to 14 lines differ in color or dashes. Of a long
/// series, only points are kept that change the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    pub(super) title: String,
    pub(super) x_label: String,
    pub(super) y_label: String,
    pub(super) kind: ChartKind,
    pub(super) series: Vec<Series>,
    /// Values that the y axis reaches even if the data do not.
    pub(super) reached_y: Vec<f64>,
    /// Whether the y axis has ticks at whole numbers only.
    pub(super) is_counting: bool,
    /// The same for what the lines are over.
    pub(super) is_counting_x: bool,
}

impl Chart {
    /// Chart over time (s), see [`Series::over_time`].
    pub fn over_time(title: impl Into<String>, y_label: impl Into<String>) -> Self {
        Self::of_kind(ChartKind::OverTime, title.into(), "time (s)".into(), y_label.into())
    }

    /// Chart over any quantity.
    pub fn over_x(
        title: impl Into<String>,
        x_label: impl Into<String>,
        y_label: impl Into<String>,
    ) -> Self {
        Self::of_kind(ChartKind::OverX, title.into(), x_label.into(), y_label.into())
    }

    /// Map of paths: both axes at one scale, start and end of each path marked.
    pub fn from_above(
        title: impl Into<String>,
        x_label: impl Into<String>,
        y_label: impl Into<String>,
    ) -> Self {
        Self::of_kind(ChartKind::FromAbove, title.into(), x_label.into(), y_label.into())
    }

    /// Two quantities of one unit, both axes at one scale.
    pub fn at_one_scale(
        title: impl Into<String>,
        x_label: impl Into<String>,
        y_label: impl Into<String>,
    ) -> Self {
        Self::of_kind(ChartKind::AtOneScale, title.into(), x_label.into(), y_label.into())
    }

    /// The points of its first line.
    #[cfg(test)]
    pub(crate) fn points(&self) -> &[(f64, f64)] {
        self.series.first().map_or(&[], |series| &series.points)
    }

    /// Whether nothing happens: every line is level, or has no data.
    pub(super) fn is_idle(&self) -> bool {
        self.series.iter().all(|series| {
            let of_axis = |of: fn(&(f64, f64)) -> f64| {
                let points = series.points.iter().filter(|point| is_drawable_point(point));
                Span::of(points.map(of)).is_none_or(|span| span != span.visible())
            };
            of_axis(|point| point.1)
                && (self.kind == ChartKind::OverTime || of_axis(|point| point.0))
        })
    }

    fn of_kind(kind: ChartKind, title: String, x_label: String, y_label: String) -> Self {
        let (series, reached_y) = (Vec::new(), Vec::new());
        let (is_counting, is_counting_x) = (false, false);
        Self { title, x_label, y_label, kind, series, reached_y, is_counting, is_counting_x }
    }

    /// Adds a line; lines are drawn in the order in which they are added.
    #[must_use]
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Adds one line over time for each pair of a name for the legend and a channel, such as one
    /// per wheel.
    ///
    /// # Errors
    ///
    /// If `telemetry` has no such channel.
    pub fn channels<N: Into<String>, C: AsRef<str>>(
        mut self,
        telemetry: &Telemetry,
        names_and_channels: impl IntoIterator<Item = (N, C)>,
        shape: LineShape,
    ) -> anyhow::Result<Self> {
        for (name, channel) in names_and_channels {
            let series = Series::over_time(name, telemetry, channel.as_ref())?.shaped(shape);
            self.series.push(series);
        }
        Ok(self)
    }

    /// Makes the y axis reach `y` even if the data do not, such as zero for loads.
    #[must_use]
    pub fn reaching_y(mut self, y: f64) -> Self {
        self.reached_y.push(y);
        self
    }

    /// Title of the chart.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Makes the y axis count in whole numbers, such as gears.
    #[must_use]
    pub fn counting(mut self) -> Self {
        self.is_counting = true;
        self
    }

    /// This chart, over a quantity that counts: it has ticks at whole numbers only.
    #[must_use]
    pub fn over_a_count(mut self) -> Self {
        self.is_counting_x = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::Channel;

    fn telemetry() -> Telemetry {
        let channels = [("time", "s"), ("x", "m"), ("y", "m")];
        let channels = channels.map(|(name, unit)| Channel::new(name, unit));
        let mut telemetry = Telemetry::new(channels).unwrap();
        telemetry.push(&[0.0, 1.0, 2.0]).unwrap();
        telemetry.push(&[0.1, 3.0, 4.0]).unwrap();
        telemetry
    }

    #[test]
    fn series_takes_its_points_from_channels() {
        let over_time = Series::over_time("east", &telemetry(), "x").unwrap();
        assert_eq!(over_time, Series::new("east", [(0.0, 1.0), (0.1, 3.0)]));
        let path = Series::of_channels("path", &telemetry(), "x", "y").unwrap();
        assert_eq!(path, Series::new("path", [(1.0, 2.0), (3.0, 4.0)]));
    }

    #[test]
    fn chart_takes_one_line_per_channel() {
        let channels = [("east", "x"), ("north", "y")];
        let chart = Chart::over_time("Position", "position (m)");
        let chart = chart.channels(&telemetry(), channels, LineShape::Stepped).unwrap();
        let line = |name, channel| Series::over_time(name, &telemetry(), channel).unwrap();
        let expected =
            [line("east", "x"), line("north", "y")].map(|line| line.shaped(LineShape::Stepped));
        assert_eq!(chart.series, expected);
    }

    #[test]
    fn unknown_channel_is_refused_by_name() {
        let chart = Chart::over_time("Height", "z (m)");
        let error = chart.channels(&telemetry(), [("up", "z")], LineShape::Straight).unwrap_err();
        assert!(error.to_string().contains("`z`"), "{error}");
        assert!(Series::of_channels("path", &telemetry(), "x", "z").is_err());
    }
}
