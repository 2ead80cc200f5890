//! Checks: what is compared, with what, and how far apart the two may be.

use std::fmt;

use crate::report::Chart;

/// How far a number may be from the expected one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// By this part of the expected one (dimensionless).
    Relative(f64),
    /// By this much, in the unit of the numbers.
    Absolute(f64),
}

/// The numbers of a check: one, or the worst of many.
#[derive(Clone, Debug, PartialEq)]
pub enum Compared {
    /// A number with another one.
    Number {
        /// The number that is expected.
        expected: f64,
        /// Ours.
        ours: f64,
        /// Unit of both.
        unit: &'static str,
        /// How far ours may be away.
        bound: Bound,
    },
    /// Many numbers, each with a tolerance of its own.
    Many {
        /// Number of cases.
        cases: usize,
        /// Numbers that are compared.
        numbers: usize,
        /// Largest error over the error that is allowed (dimensionless).
        worst: f64,
        /// What is out of its tolerance.
        faults: Vec<String>,
    },
}

/// One comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The quantity, and whose it is.
    pub subject: String,
    /// With what: where the expected numbers are from.
    pub source: String,
    /// The numbers.
    pub compared: Compared,
}

impl Check {
    /// A number that may be away from the expected one by a part of it (dimensionless).
    pub fn relative(
        subject: impl Into<String>,
        source: impl Into<String>,
        [ours, expected]: [f64; 2],
        unit: &'static str,
        bound: f64,
    ) -> Self {
        Self::number(subject, source, [ours, expected], unit, Bound::Relative(bound))
    }

    /// A number that may be away from the expected one by `bound`, in their unit.
    pub fn absolute(
        subject: impl Into<String>,
        source: impl Into<String>,
        [ours, expected]: [f64; 2],
        unit: &'static str,
        bound: f64,
    ) -> Self {
        Self::number(subject, source, [ours, expected], unit, Bound::Absolute(bound))
    }

    fn number(
        subject: impl Into<String>,
        source: impl Into<String>,
        [ours, expected]: [f64; 2],
        unit: &'static str,
        bound: Bound,
    ) -> Self {
        let compared = Compared::Number { expected, ours, unit, bound };
        Self { subject: subject.into(), source: source.into(), compared }
    }

    /// Largest deviation over the one that is allowed (dimensionless).
    pub fn share(&self) -> f64 {
        match self.compared {
            Compared::Number { expected, ours, bound, .. } => {
                let allowed = match bound {
                    Bound::Relative(part) => part * expected.abs(),
                    Bound::Absolute(most) => most,
                };
                (ours - expected).abs() / allowed
            }
            Compared::Many { worst, .. } => worst,
        }
    }

    /// Whether all is within its bounds.
    pub fn passes(&self) -> bool {
        let is_without_faults = match &self.compared {
            Compared::Number { .. } => true,
            Compared::Many { faults, numbers, .. } => faults.is_empty() && 0 < *numbers,
        };
        // Numbers that are none do not pass.
        is_without_faults && self.share() <= 1.0
    }

    /// How many numbers it compares.
    pub fn numbers(&self) -> usize {
        match self.compared {
            Compared::Number { .. } => 1,
            Compared::Many { numbers, .. } => numbers,
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.subject)?;
        match &self.compared {
            Compared::Number { expected, ours, unit, bound } => {
                write!(f, "{ours} {unit}, expected {expected} {unit} ({bound:?})")
            }
            Compared::Many { cases, worst, faults, .. } => {
                write!(f, "{cases} cases, worst {worst} of the bound")?;
                faults.iter().take(3).try_for_each(|fault| write!(f, "; {fault}"))
            }
        }
    }
}

/// A part of a chapter: text, checks, a table, pictures.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Heading of the section; empty for none.
    pub title: String,
    /// Paragraphs, in Markdown.
    pub text: Vec<String>,
    /// Checks of the section.
    pub checks: Vec<Check>,
    /// A table of other numbers: header and rows.
    pub table: Vec<Vec<String>>,
    /// Pictures with their names in files and what they show.
    pub charts: Vec<(String, Chart, String)>,
}

/// A chapter of the page.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// Heading of the chapter.
    pub title: String,
    /// What is compared with what, in a line of the summary.
    pub summary: String,
    /// Sections of the chapter.
    pub sections: Vec<Section>,
}

impl Chapter {
    /// All checks.
    pub fn checks(&self) -> impl Iterator<Item = &Check> {
        self.sections.iter().flat_map(|section| &section.checks)
    }

    /// The check that comes closest to its bound, or is farthest beyond it.
    pub fn worst(&self) -> Option<&Check> {
        let size = |check: &&Check| if check.passes() { check.share() } else { f64::INFINITY };
        self.checks().max_by(|one, other| size(one).total_cmp(&size(other)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many(numbers: usize, worst: f64, faults: Vec<String>) -> Check {
        let compared = Compared::Many { cases: 1, numbers, worst, faults };
        Check { subject: "many".into(), source: "a".into(), compared }
    }

    #[test]
    fn numbers_pass_up_to_their_bounds() {
        for (ours, bound, passes) in [(10.1, 0.011, true), (10.1, 0.009, false), (9.8, 0.03, true)]
        {
            let check = Check::relative("a", "b", [ours, 10.0], "m", bound);
            assert_eq!(check.passes(), passes, "{check}");
            let check = Check::absolute("a", "b", [-ours, -10.0], "m", 10.0 * bound);
            assert_eq!(check.passes(), passes, "{check}");
        }
        assert!((Check::absolute("a", "b", [0.5, 0.0], "m", 2.0).share() - 0.25).abs() < 1e-12);
        assert!(!Check::relative("a", "b", [f64::NAN, 10.0], "m", 0.1).passes());
    }

    #[test]
    fn many_numbers_pass_if_none_is_out_and_there_are_any() {
        assert!(many(3, 0.9, Vec::new()).passes());
        assert!(!many(3, 1.1, Vec::new()).passes());
        assert!(!many(3, 0.1, vec!["line 2".into()]).passes());
        assert!(!many(0, 0.0, Vec::new()).passes());
    }

    #[test]
    fn worst_check_of_a_chapter_is_the_one_that_fails() {
        let checks = vec![many(1, 0.9, Vec::new()), many(1, 0.1, vec!["line 2".into()])];
        let section = Section { checks, ..Section::default() };
        let chapter =
            Chapter { title: String::new(), summary: String::new(), sections: vec![section] };
        assert_eq!(chapter.worst().map(Check::share), Some(0.1));
    }
}
