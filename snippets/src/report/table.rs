//! A table of texts within a page, such as figures of several vehicles.

use super::escaped;

/// A table with a heading for each column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Title above it.
    pub title: String,
    /// Sentences below the title.
    pub notes: Vec<String>,
    /// Headings of the columns; the first one is that of the names of rows.
    pub header: Vec<String>,
    /// Rows: a name, and a text for each column that follows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table of numbers that repeat by case: a row for each of `cases`, which has a text for each
    /// column.
    pub fn of_cases(
        title: impl Into<String>,
        columns: impl IntoIterator<Item = impl Into<String>>,
        cases: impl IntoIterator<Item = (String, Vec<String>)>,
    ) -> Self {
        let columns = columns.into_iter().map(Into::into);
        let row =
            |(name, texts): (String, Vec<String>)| std::iter::once(name).chain(texts).collect();
        Self {
            title: title.into(),
            notes: Vec::new(),
            header: std::iter::once(String::new()).chain(columns).collect(),
            rows: cases.into_iter().map(row).collect(),
        }
    }

    /// A `figure` element with title, sentences and table, the one of this `number` in its page.
    pub(super) fn figure(&self, number: usize) -> String {
        let title = escaped(&self.title);
        let note = |note: &String| format!("<p class=\"note\">{}</p>\n", escaped(note));
        let notes: String = self.notes.iter().map(note).collect();
        let heading = |text: &String| format!("<th scope=\"col\">{}</th>", escaped(text));
        let header: String = self.header.iter().map(heading).collect();
        let row = |row: &Vec<String>| {
            let cell = |(index, text): (usize, &String)| match index {
                0 => format!("<th scope=\"row\">{}</th>", escaped(text)),
                _ => format!("<td>{}</td>", escaped(text)),
            };
            let cells: String = row.iter().enumerate().map(cell).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let rows: String = self.rows.iter().map(row).collect();
        format!(
            "<figure class=\"table\" id=\"table-{number}\">\n<figcaption><h2>{title}</h2></figcaption>\n{notes}\
             <div class=\"scroll\"><table class=\"figures\">\n<thead><tr>{header}</tr></thead>\n\
             <tbody>\n{rows}</tbody>\n</table></div>\n</figure>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_shown_and_never_run() {
        let text = |text: &str| text.to_owned();
        let table = Table {
            title: text("<Figures>"),
            notes: vec![text("from 1 to 2 m/s², a < b")],
            header: vec![text(""), text("city & car")],
            rows: vec![vec![text("\"time\""), text("1.0 s")]],
        };
        let figure = table.figure(0);
        for part in [
            "<h2>&lt;Figures&gt;</h2>",
            "a &lt; b</p>",
            "<th scope=\"col\">city &amp; car</th>",
            "<th scope=\"row\">&quot;time&quot;</th><td>1.0 s</td>",
        ] {
            assert!(figure.contains(part), "{part} is missing in {figure}");
        }
    }
}
