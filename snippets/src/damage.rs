//! Damage to texts of files, for tests that read them.

use crate::noise::Noise;

/// Damages texts, the same way on every machine.
#[derive(Clone, Debug)]
pub struct Damage(pub Noise);

impl Damage {
    /// An index of a list of `count` elements; 0 if it has none.
    pub fn index(&mut self, count: usize) -> usize {
        ((self.0.next() * count as f32) as usize).min(count.saturating_sub(1))
    }

    /// A place of `text` between two characters.
    pub fn place(&mut self, text: &str) -> usize {
        let mut place = self.index(text.len());
        while !text.is_char_boundary(place) {
            place -= 1;
        }
        place
    }

    /// The text `before` and `after` a place, with one of `numbers` for the next number.
    pub fn other_number(&mut self, before: &str, after: &str, numbers: &[&str]) -> String {
        let Some(start) = after.find(|c: char| c.is_ascii_digit()) else {
            return format!("{before}{after}");
        };
        let digits = after[start..].find(|c: char| !"0123456789.eE+-".contains(c));
        let end = digits.map_or(after.len(), |length| start + length);
        let number = numbers[self.index(numbers.len())];
        format!("{before}{}{number}{}", &after[..start], &after[end..])
    }
}

/// The text `before` and `after` a place, with a `q` for the next letter of a name.
pub fn misspelled(before: &str, after: &str) -> String {
    match after.find(|c: char| c.is_ascii_lowercase()) {
        Some(start) => format!("{before}{}q{}", &after[..start], &after[start + 1..]),
        None => format!("{before}{after}"),
    }
}
