//! A sum and its parts: a table with a bar for each.

use std::fmt::Write as _;

use super::{escaped, fixed};

/// A part of a [`Breakdown`].
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it is.
    pub label: String,
    /// How much.
    pub value: f64,
    /// Whether it goes in, else out.
    pub is_input: bool,
}

/// What goes in and where it goes, each with a bar against the largest of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakdown {
    /// What is broken down.
    pub title: String,
    /// A sentence below the title.
    pub note: String,
    /// Unit of all values.
    pub unit: &'static str,
    /// The parts, in order.
    pub parts: Vec<Part>,
}

impl Breakdown {
    /// A `figure` element with title, sentence and table.
    pub(super) fn figure(&self) -> String {
        let (title, note) = (escaped(&self.title), escaped(&self.note));
        let largest = self.parts.iter().map(|part| part.value.abs()).fold(0.0, f64::max);
        let mut rows = String::new();
        for Part { label, value, is_input } in &self.parts {
            let share = if largest == 0.0 { 0.0 } else { 100.0 * value.abs() / largest };
            let class = if *is_input { "bar" } else { "bar out" };
            let (label, unit, value) = (escaped(label), self.unit, fixed(*value, 1));
            writeln!(
                rows,
                "<tr><th scope=\"row\">{label}</th>\
                 <td class=\"number\">{value} <span class=\"unit\">{unit}</span></td>\
                 <td class=\"bars\"><span class=\"{class}\" style=\"width: {share:.2}%\"></span></td></tr>"
            )
            .expect("a text takes everything");
        }
        format!(
            "<figure class=\"wide\">\n<figcaption><h2>{title}</h2></figcaption>\n\
             <p class=\"note\">{note}</p>\n\
             <table class=\"breakdown\">\n<tbody>\n{rows}</tbody>\n</table>\n</figure>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_against_the_largest_part() {
        let part = |label: &str, value, is_input| Part { label: label.into(), value, is_input };
        let figure = Breakdown {
            title: "Energy".into(),
            note: "In <and> out".into(),
            unit: "kJ",
            parts: vec![part("engine", 80.0, true), part("tires", -20.0, false)],
        }
        .figure();
        assert!(figure.contains("class=\"bar\" style=\"width: 100.00%\""), "{figure}");
        assert!(figure.contains("class=\"bar out\" style=\"width: 25.00%\""), "{figure}");
        assert!(
            figure.contains("-20.0 <span") && figure.contains("In &lt;and&gt; out"),
            "{figure}"
        );
    }

    #[test]
    fn nothing_has_bars_without_length() {
        let parts = vec![Part { label: "nothing".into(), value: 0.0, is_input: true }];
        let breakdown = Breakdown { title: String::new(), note: String::new(), unit: "J", parts };
        assert!(breakdown.figure().contains("width: 0.00%"));
    }
}
