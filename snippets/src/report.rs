//! One self-contained HTML page about one run: a summary table and charts.

mod axis;
mod breakdown;
mod chart;
mod drawing;
mod figure;
mod frame;
mod style;
mod thinning;
mod tree;
mod tree_layout;

pub use breakdown::{Breakdown, Part};
pub use chart::{Chart, LineShape, Series};
pub use tree::{DrawnShaft, TreePicture};

use std::fmt::Display;
use std::path::Path;

use anyhow::Context;

/// A page with a title, a sentence, a summary table and charts.
///
/// The page needs no other file and no network, follows the light or dark theme of the reader, and
/// depends on nothing but what was put in: equal content gives equal bytes.
///
/// ```
/// use snippets::report::{Chart, Report, Series};
///
/// let speed = Series::new("chassis", [(0.0, 0.0), (1.0, 3.1), (2.0, 6.0)]);
/// let page = Report::new("Launch", "Full throttle from standstill on flat asphalt.")
///     .summary("Top speed", format_args!("{:.1}", 6.0), "m/s")
///     .chart(Chart::over_time("Speed", "speed (m/s)").series(speed))
///     .to_html()?;
/// assert!(page.starts_with("<!DOCTYPE html>"));
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    title: String,
    description: String,
    summary: Vec<SummaryRow>,
    trees: Vec<TreePicture>,
    breakdowns: Vec<Breakdown>,
    charts: Vec<Chart>,
}

/// One row of the summary table.
#[derive(Clone, Debug, PartialEq)]
struct SummaryRow {
    label: String,
    value: String,
    unit: String,
}

impl Report {
    /// Page without content; `description` is one sentence on what was simulated.
    pub fn new(title: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            description: description.into(),
            summary: Vec::new(),
            trees: Vec::new(),
            breakdowns: Vec::new(),
            charts: Vec::new(),
        }
    }

    /// Adds a row to the summary table.
    ///
    /// The value is shown as it prints, so the caller rounds: `format_args!("{speed:.1}")`. The
    /// unit is empty for counts and texts.
    #[must_use]
    pub fn summary(
        mut self,
        label: impl Into<String>,
        value: impl Display,
        unit: impl Into<String>,
    ) -> Self {
        self.summary.push(SummaryRow {
            label: label.into(),
            value: value.to_string(),
            unit: unit.into(),
        });
        self
    }

    /// Adds the picture of a tree, above all charts.
    #[must_use]
    pub fn tree(mut self, tree: TreePicture) -> Self {
        self.trees.push(tree);
        self
    }

    /// Adds a table with bars, above all charts.
    #[must_use]
    pub fn breakdown(mut self, breakdown: Breakdown) -> Self {
        self.breakdowns.push(breakdown);
        self
    }

    /// Adds a chart; charts are shown in the order in which they are added.
    #[must_use]
    pub fn chart(mut self, chart: Chart) -> Self {
        self.charts.push(chart);
        self
    }

    /// Writes the page to `path`.
    ///
    /// # Errors
    ///
    /// If a chart cannot be drawn or the file cannot be written; the message names the chart or the
    /// file.
    pub fn write(&self, path: impl AsRef<Path>) -> anyhow::Result<()> {
        let path = path.as_ref();
        std::fs::write(path, self.to_html()?)
            .with_context(|| format!("cannot write the report to `{}`", path.display()))
    }

    /// The page as text.
    ///
    /// # Errors
    ///
    /// If a chart cannot be drawn; the message names it.
    pub fn to_html(&self) -> anyhow::Result<String> {
        let title = escaped(&self.title);
        let description = escaped(&self.description);
        let style = style::STYLE;
        let summary = self.summary_table();
        let trees: String = self.trees.iter().map(TreePicture::figure).collect();
        let breakdowns: String = self.breakdowns.iter().map(Breakdown::figure).collect();
        let charts = self.chart_grid()?;
        Ok(format!(
            "<!DOCTYPE html>\n\
             <html lang=\"en\">\n\
             <head>\n\
             <meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n\
             <style>\n{style}</style>\n\
             </head>\n\
             <body>\n\
             <header>\n<h1>{title}</h1>\n<p>{description}</p>\n</header>\n\
             <main>\n{summary}{trees}{breakdowns}{charts}</main>\n\
             </body>\n\
             </html>\n"
        ))
    }

    fn summary_table(&self) -> String {
        if self.summary.is_empty() {
            return String::new();
        }
        let mut html =
            String::from("<table class=\"summary\">\n<caption>Summary</caption>\n<tbody>\n");
        for SummaryRow { label, value, unit } in &self.summary {
            let (label, value, unit) = (escaped(label), escaped(value), escaped(unit));
            let unit = match unit.as_str() {
                "" => unit,
                _ => format!(" <span class=\"unit\">{unit}</span>"),
            };
            let row = format!("<tr><th scope=\"row\">{label}</th><td>{value}{unit}</td></tr>\n");
            html.push_str(&row);
        }
        html.push_str("</tbody>\n</table>\n");
        html
    }

    fn chart_grid(&self) -> anyhow::Result<String> {
        if self.charts.is_empty() {
            return Ok(String::new());
        }
        let mut html = String::from("<section class=\"charts\" aria-label=\"Charts\">\n");
        for chart in &self.charts {
            let figure = figure::figure(chart)
                .with_context(|| format!("cannot draw the chart `{}`", chart.title))?;
            html.push_str(&figure);
        }
        html.push_str("</section>\n");
        Ok(html)
    }
}

/// `value` with this many digits, without the sign of what is rounded away.
fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let is_zero = text.chars().all(|letter| "-0.".contains(letter));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// `text` with the characters replaced that mean something in HTML.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::{Channel, Telemetry};

    fn report() -> Report {
        let line = Series::new("ahead", [(0.0, 0.0), (1.0, 2.0)]);
        Report::new("Launch", "Full throttle from standstill.")
            .summary("Top speed", format_args!("{:.1}", 27.34), "m/s")
            .summary("Steps", 3000, "")
            .chart(Chart::over_time("Speed", "speed (m/s)").series(line.clone()))
            .chart(Chart::from_above("Path", "x (m)", "y (m)").series(line))
    }

    #[test]
    fn page_is_whole_and_needs_nothing_else() {
        let page = report().to_html().unwrap();
        for part in [
            "<!DOCTYPE html>\n<html lang=\"en\">",
            "<meta charset=\"utf-8\">",
            "<meta name=\"viewport\"",
            "<title>Launch</title>",
            "<p>Full throttle from standstill.</p>",
            "<th scope=\"row\">Top speed</th><td>27.3 <span class=\"unit\">m/s</span></td>",
            "<th scope=\"row\">Steps</th><td>3000</td>",
            "speed (m/s)\n</text>",
            "time (s)\n</text>",
        ] {
            assert!(page.contains(part), "{part} is missing in {page}");
        }
        for tag in [
            "html", "head", "body", "main", "table", "tr", "section", "figure", "ul", "li", "svg",
            "text",
        ] {
            let opened = page.matches(&format!("<{tag} ")).count()
                + page.matches(&format!("<{tag}>")).count();
            let closed = page.matches(&format!("</{tag}>")).count();
            assert!(0 < opened && opened == closed, "<{tag}>: {opened} opened, {closed} closed");
        }
        let without_namespace = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for external in ["http", "src=", "href", "url(", "@import", "<script", "<link"] {
            assert!(!without_namespace.contains(external), "{external} in {page}");
        }
    }

    #[test]
    fn equal_content_gives_equal_bytes() {
        assert_eq!(report().to_html().unwrap(), report().to_html().unwrap());
    }

    #[test]
    fn text_is_shown_and_never_run() {
        let evil = "</title><script>alert(\"x\" & 'y')</script>";
        let lines = || [Series::new(evil, [(0.0, 1.0)]), Series::new(evil, [])];
        let charts = [
            Chart::over_time(evil, evil),
            Chart::over_x(evil, evil, evil),
            Chart::from_above(evil, evil, evil),
        ];
        let empty = Report::new(evil, evil).summary(evil, evil, evil);
        let report = charts.into_iter().fold(empty, |report, chart| {
            report.chart(lines().into_iter().fold(chart, Chart::series))
        });
        let page = report.to_html().unwrap();

        assert!(!page.contains("<script") && !page.contains("</script"), "{page}");
        assert_eq!(page.matches("</title>").count(), 1);
        // Title twice, description, 3 of the summary, 3 chart titles, 6 legend entries, 5 axis
        // labels.
        assert_eq!(page.matches("&lt;script&gt;alert(&quot;x&quot; &amp; ").count(), 20);
    }

    #[test]
    fn report_without_content_is_a_page() {
        let page = Report::new("", "").to_html().unwrap();
        assert!(page.contains("<main>\n</main>"), "{page}");
    }

    #[test]
    fn empty_telemetry_gives_charts_without_lines() {
        let telemetry =
            Telemetry::new([Channel::new("time", "s"), Channel::new("speed", "m/s")]).unwrap();
        let chart = Chart::over_time("Speed", "speed (m/s)")
            .channels(&telemetry, [("chassis", "speed")], LineShape::Stepped)
            .unwrap();
        let page = Report::new("Run", "Nothing.").chart(chart).to_html().unwrap();
        assert!(page.contains("(no data)"), "{page}");
    }

    #[test]
    fn written_page_is_the_page_and_a_wrong_path_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.html");
        report().write(&path).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), report().to_html().unwrap());

        let wrong = folder.path().join("missing/report.html");
        let message = format!("{:#}", report().write(&wrong).unwrap_err());
        assert!(message.contains(wrong.to_str().unwrap()), "{message}");
    }
}
