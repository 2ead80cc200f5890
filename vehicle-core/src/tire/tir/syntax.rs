//! The lines of a file.

use super::error::{TirError, TirFault, TirPosition};

/// A piece of a line, and where it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    pub(super) position: TirPosition,
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value<'a> {
    /// Between quotes.
    Text(Piece<'a>),
    /// Without quotes: a number, mostly.
    Word(Piece<'a>),
    /// Nothing.
    Empty,
}

/// Kinds of lines.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Line<'a> {
    /// Nothing but a comment.
    Comment(&'a str),
    /// `[NAME]`
    Section(Piece<'a>),
    /// `KEY = value`
    Assignment(Piece<'a>, Value<'a>),
    /// `{names of columns}`
    Columns(Vec<&'a str>),
    /// Numbers.
    Row(Vec<Piece<'a>>),
}

/// Kind and content of a line with something in it; `None` for an empty one.
pub(super) fn line(number: usize, text: &str) -> Result<Option<Line<'_>>, TirError> {
    let whole = Piece { text, position: TirPosition { line: number, column: 1 } };
    let line = whole.trimmed();
    if let Some(comment) = line.text.strip_prefix(['!', '$']) {
        return Ok(Some(Line::Comment(comment)));
    }
    if line.text.is_empty() {
        return Ok(None);
    }
    if line.text.starts_with('[') {
        return section(line).map(Some);
    }
    if let Some(rest) = line.text.strip_prefix('{') {
        let columns = rest.split('}').next().unwrap_or_default();
        return Ok(Some(Line::Columns(columns.split_whitespace().collect())));
    }
    match line.text.find('=') {
        Some(sign) if !line.text[..sign].contains(['$', '!', '\'']) => {
            let key = line.part(0, sign).trimmed();
            if key.text.is_empty() || key.text.contains(char::is_whitespace) {
                return Err(key.fault(TirFault::Line));
            }
            let value = value(line.part(sign + 1, line.text.len()))?;
            Ok(Some(Line::Assignment(key, value)))
        }
        _ => row(line.without_comment()).map(Some),
    }
}

fn section(line: Piece<'_>) -> Result<Line<'_>, TirError> {
    let Some(end) = line.text.find(']') else { return Err(line.fault(TirFault::Section)) };
    let name = line.part(1, end).trimmed();
    let rest = line.part(end + 1, line.text.len()).without_comment();
    if name.text.is_empty() {
        return Err(line.fault(TirFault::Section));
    }
    if !rest.text.is_empty() {
        return Err(rest.fault(TirFault::Rest));
    }
    Ok(Line::Section(name))
}

fn value(rest: Piece<'_>) -> Result<Value<'_>, TirError> {
    let rest = rest.trimmed();
    for quote in ['\'', '"'] {
        if !rest.text.starts_with(quote) {
            continue;
        }
        let Some(end) = rest.text[1..].find(quote) else { return Err(rest.fault(TirFault::Quote)) };
        let after = rest.part(end + 2, rest.text.len()).without_comment();
        if !after.text.is_empty() {
            return Err(after.fault(TirFault::Rest));
        }
        return Ok(Value::Text(rest.part(1, end + 1)));
    }
    let word = rest.without_comment();
    match word.text.find(char::is_whitespace) {
        Some(end) => Err(word.part(end, word.text.len()).trimmed().fault(TirFault::Rest)),
        None if word.text.is_empty() => Ok(Value::Empty),
        None => Ok(Value::Word(word)),
    }
}

fn row(line: Piece<'_>) -> Result<Line<'_>, TirError> {
    let mut numbers = Vec::new();
    let mut rest = line;
    while !rest.text.is_empty() {
        let end = rest.text.find(char::is_whitespace).unwrap_or(rest.text.len());
        let number = rest.part(0, end);
        if number.number().is_none() {
            return Err(line.fault(TirFault::Line));
        }
        numbers.push(number);
        rest = rest.part(end, rest.text.len()).trimmed();
    }
    Ok(Line::Row(numbers))
}

impl<'a> Piece<'a> {
    /// The bytes from `start` to `end`, which must be between characters.
    fn part(self, start: usize, end: usize) -> Self {
        let skipped = self.text[..start].chars().count();
        let TirPosition { line, column } = self.position;
        let position = TirPosition { line, column: column + skipped };
        Self { text: &self.text[start..end], position }
    }

    /// Without space around it.
    fn trimmed(self) -> Self {
        let start = self.text.len() - self.text.trim_start().len();
        self.part(start, start + self.text.trim().len())
    }

    /// Without a comment and the space before it.
    fn without_comment(self) -> Self {
        let end = self.text.find(['$', '!']).unwrap_or(self.text.len());
        self.part(0, end).trimmed()
    }

    /// The number that it is; exponents may be written with `d` as in Fortran.
    pub(super) fn number(self) -> Option<f64> {
        let is_numeric = |c: char| c.is_ascii_digit() || "+-.eEdD".contains(c);
        if !self.text.chars().all(is_numeric) {
            return None;
        }
        let number: f64 = self.text.replace(['d', 'D'], "e").parse().ok()?;
        number.is_finite().then_some(number)
    }

    /// The error of `fault` here.
    pub(super) fn fault(self, fault: TirFault) -> TirError {
        TirError { position: self.position, fault }
    }
}
