//! One self-contained HTML page about one run: a summary table and charts.

mod axis;
mod breakdown;
mod chart;
mod drawing;
mod figure;
mod frame;
mod marks;
mod moving_view;
mod phase;
mod readings;
mod style;
mod table;
mod thinning;
mod tree;
mod tree_layout;

pub use breakdown::{Breakdown, Part};
pub use chart::{Chart, LineShape, Series};
pub(crate) use moving_view::paint_color;
pub use moving_view::{Course, GroundMark, MovingVehicle, MovingWheel};
pub use phase::Phase;
pub use table::Table;
pub use tree::{DrawnShaft, TreePicture};

use std::fmt::{Display, Write as _};
use std::path::Path;

use anyhow::Context;

use self::readings::Readings;

/// Number of tables from which on a page has a list of contents.
const LONG: usize = 4;

/// How pages name what has made them.
pub(crate) const GENERATOR: &str = "vehicle snippets";

/// What makes pages move: a cursor through all charts over time, and the moving view.
const SCRIPT: &str = include_str!("report/player.js");

/// A page with a title, a sentence, a summary table and charts.
///
/// The page needs no other file and no network, follows the light or dark theme of the reader, and
/// depends on nothing but what was put in. Equal content gives equal bytes. A script leads a cursor
/// through all charts over time; without it the page is as readable.
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
    vehicles: Vec<MovingVehicle>,
    marks: Vec<GroundMark>,
    trees: Vec<TreePicture>,
    breakdowns: Vec<Breakdown>,
    charts: Vec<Chart>,
    /// Tables, each with the number of charts before it.
    tables: Vec<(usize, Table)>,
    phases: Vec<Phase>,
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
            vehicles: Vec::new(),
            marks: Vec::new(),
            trees: Vec::new(),
            breakdowns: Vec::new(),
            charts: Vec::new(),
            tables: Vec::new(),
            phases: Vec::new(),
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

    /// Adds a vehicle to the moving view, above all else.
    #[must_use]
    pub fn moving(mut self, vehicle: MovingVehicle) -> Self {
        self.vehicles.push(vehicle);
        self
    }

    /// Draws what is on the ground, below the vehicles of the moving view.
    #[must_use]
    pub fn marks(mut self, marks: impl IntoIterator<Item = GroundMark>) -> Self {
        self.marks.extend(marks);
        self
    }

    /// Marks the phases of the drive in all charts over time.
    #[must_use]
    pub fn phases(mut self, phases: impl IntoIterator<Item = Phase>) -> Self {
        self.phases.extend(phases);
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

    /// Adds a table before the charts that are added afterwards.
    #[must_use]
    pub fn table(mut self, table: Table) -> Self {
        self.tables.push((self.charts.len(), table));
        self
    }

    /// Label, value and unit of the rows of the summary.
    pub fn summary_rows(&self) -> impl ExactSizeIterator<Item = [&str; 3]> {
        self.summary.iter().map(|row| [row.label.as_str(), row.value.as_str(), row.unit.as_str()])
    }

    /// Tables of the report, in order.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().map(|(_, table)| table)
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
        let (summary, contents) = (self.summary_table(), self.contents());
        let trees: String = self.trees.iter().map(TreePicture::figure).collect();
        let breakdowns: String = self.breakdowns.iter().map(Breakdown::figure).collect();
        let mut readings = Readings::of(&self.charts);
        let charts = self.chart_grid(&mut readings)?;
        let (moving, script) = self.script(readings);
        Ok(format!(
            "<!DOCTYPE html>\n\
             <html lang=\"en\">\n\
             <head>\n\
             <meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta name=\"generator\" content=\"{GENERATOR}\">\n\
             <title>{title}</title>\n\
             <style>\n{style}</style>\n\
             </head>\n\
             <body>\n\
             <header>\n<h1>{title}</h1>\n<p>{description}</p>\n</header>\n\
             <main>\n{summary}{contents}{moving}{trees}{breakdowns}{charts}</main>\n{script}\
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

    /// Links to the tables of a long page; empty for a short one.
    fn contents(&self) -> String {
        if self.tables.len() < LONG {
            return String::new();
        }
        let link = |(number, (_, table)): (usize, &(usize, Table))| {
            format!("<li><a href=\"#table-{number}\">{}</a></li>\n", heading(&table.title))
        };
        let links: String = self.tables.iter().enumerate().map(link).collect();
        format!("<nav class=\"contents\" aria-label=\"Contents\">\n<ul>\n{links}</ul>\n</nav>\n")
    }

    fn chart_grid(&self, readings: &mut Option<Readings>) -> anyhow::Result<String> {
        if self.charts.is_empty() && self.tables.is_empty() {
            return Ok(String::new());
        }
        let tables = |number: usize| -> String {
            let numbered = self.tables.iter().enumerate();
            let here = numbered.filter(|(_, (before, _))| *before == number);
            here.map(|(number, (_, table))| table.figure(number)).collect()
        };
        let mut html = String::from("<section class=\"charts\" aria-label=\"Charts\">\n");
        let (mut idle, mut idle_titles) = (String::new(), Vec::new());
        for (number, chart) in self.charts.iter().enumerate() {
            html.push_str(&tables(number));
            let figure = figure::figure(chart, &self.phases, readings.as_mut())
                .with_context(|| format!("cannot draw the chart `{}`", chart.title))?;
            if chart.is_idle() {
                idle.push_str(&figure);
                idle_titles.push(heading(&chart.title));
            } else {
                html.push_str(&figure);
            }
        }
        html.push_str(&tables(self.charts.len()));
        html.push_str("</section>\n");
        if !idle.is_empty() {
            let titles = idle_titles.join(", ");
            write!(
                html,
                "<details class=\"idle\">\n<summary>Nothing happens in: {titles}</summary>\n\
                 <section class=\"charts\">\n{idle}</section>\n</details>\n"
            )?;
        }
        Ok(html)
    }

    /// The moving view, and the script with its data; both empty if no chart is over time.
    fn script(&self, readings: Option<Readings>) -> (String, String) {
        let Some(mut readings) = readings else {
            return (String::new(), String::new());
        };
        let (mut figure, mut view) = (String::new(), None);
        if !self.vehicles.is_empty() {
            figure = moving_view::figure(&self.vehicles);
            view = Some(moving_view::json(&self.vehicles, &self.marks, &mut readings));
        }
        let data = readings.json(view.as_deref());
        let script = format!(
            "<script type=\"application/json\" id=\"readings\">\n{data}\n</script>\n\
             <script>\n{SCRIPT}</script>\n"
        );
        (figure, script)
    }
}

/// `value` with this many digits, without the sign of what is rounded away.
pub(crate) fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let is_zero = text.chars().all(|letter| "-0.".contains(letter));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// A title as it stands over a card: it begins with a capital.
fn heading(title: &str) -> String {
    let mut letters = title.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    escaped(&(first + letters.as_str()))
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
    use playground::{LookPart, Paint, PartLook};

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
        let without_namespace = page.replace("http://www.w3.org/2000/svg", "");
        for external in ["http", "src=", "href", "url(", "@import", "<link", "fetch(", "import("] {
            assert!(!without_namespace.contains(external), "{external} in {page}");
        }
    }

    #[test]
    fn long_pages_have_a_list_of_contents() {
        let table = |title: &str| Table { title: title.to_owned(), ..Table::default() };
        let page = ["braking", "a bend", "a lane", "a curb"].map(table);
        let page = page.into_iter().fold(report(), Report::table).to_html().unwrap();
        for part in ["<li><a href=\"#table-3\">A curb</a></li>", "id=\"table-3\""] {
            assert_eq!(page.matches(part).count(), 1, "{part} in {page}");
        }
    }

    fn moving() -> MovingVehicle {
        let still = || vec![(0.0, 0.0), (1.0, 0.5)];
        let course = || [still(), still(), still()];
        let wheel = MovingWheel {
            name: "front".into(),
            droop: [1.0, 0.5, -0.4],
            rise: [0.0, 0.0, 1.0],
            radius: 0.3,
            half_width: 0.1,
            jounce: still(),
            steer: still(),
            rotation_speed: still(),
            load: still(),
            friction_use: still(),
        };
        let outline = vec![[-1.0, 0.0], [-1.0, 0.5], [1.0, 0.0]];
        let shape = PartLook::Profile { outline, across: 0.0, half_width: [0.8, 0.6] };
        let part = LookPart { paint: Paint::Body, shape };
        MovingVehicle {
            name: "car".into(),
            place: course(),
            attitude: course(),
            speed: still(),
            wheels: vec![wheel],
            colors: [0xff_00_10, 0],
            parts: vec![part],
            hitches: vec![[-1.5, 0.0, 0.1]],
        }
    }

    #[test]
    fn data_of_the_moving_view_are_json() {
        let page = report().moving(moving()).to_html().unwrap();
        let (_, rest) = page.split_once("id=\"readings\">").unwrap();
        let (json, _) = rest.split_once("</script>").unwrap();
        let data: serde_json::Value = serde_json::from_str(json).unwrap();
        let wheel = &data["view"]["vehicles"][0]["wheels"][0];
        assert_eq!(wheel["droop"], serde_json::json!([1.0, 0.5, -0.4]));
        let part = &data["view"]["vehicles"][0]["parts"][0];
        assert_eq!(part["color"], "#ff0010");
        assert_eq!(part["outline"][2], serde_json::json!([1.0, 0.0]));
        let load = wheel["load"].as_u64().unwrap() as usize;
        assert_eq!(data["columns"][load], serde_json::json!([0, 0.5]));
        assert!(page.contains("id=\"moving\" hidden") && page.contains("data-chart=\"0\""));
    }

    #[test]
    fn charts_in_which_nothing_happens_are_folded_away() {
        let level = Series::new("level", [(0.0, 2.0), (1.0, 2.0)]);
        let page =
            report().chart(Chart::over_time("Gear", "gear").series(level)).to_html().unwrap();
        let (shown, folded) = page.split_once("<details").unwrap();
        assert!(folded.contains("Nothing happens in: Gear</summary>"), "{page}");
        assert!(shown.contains("<h2>Speed</h2>") && !shown.contains("<h2>Gear</h2>"), "{page}");
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

        // Lines of one point have no times to be read at.
        assert!(!page.contains("<script") && !page.contains("</script"), "{page}");
        // That of the page, and one for each picture.
        assert_eq!(page.matches("</title>").count(), 4);
        assert_eq!(page.matches("<script").count(), 0);
        assert!(20 < page.matches("&lt;script&gt;alert(&quot;x&quot; &amp; ").count());

        let course = |name: &str| Series::new(name, [(0.0, 1.0), (1.0, 2.0)]);
        let chart = Chart::over_time(evil, evil).series(course(evil));
        let vehicle = MovingVehicle { name: evil.into(), ..moving() };
        let phase = Phase { start: 0.0, end: 1.0, name: "</script>".into() };
        let page = Report::new(evil, evil).chart(chart).moving(vehicle).phases([phase]);
        let page = page.to_html().unwrap();
        // The data, and the script.
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.contains("\\u003c/title>\\u003cscript>alert("), "{page}");
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
