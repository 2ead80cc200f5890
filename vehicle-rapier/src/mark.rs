//! Marks: numbers that tell whether values are still what they were.

use rapier3d::prelude::*;
use vehicle_core::WheelList;
use vehicle_core::math::lanes::Real4;

/// The first key, and what each key is multiplied by for the next: odd, so that a word that changes
/// changes the sum.
const KEYS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd134_2543_de82_ef95];

/// Adds up a mark, a sum of the words that it is shown, each times a key of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marker {
    sum: u64,
    key: u64,
}

impl Marker {
    pub(crate) fn new() -> Self {
        Self { sum: 0, key: KEYS[0] }
    }

    #[inline]
    pub(crate) fn word(&mut self, word: u32) {
        self.double(word.into());
    }

    #[inline]
    fn double(&mut self, word: u64) {
        self.sum = self.sum.wrapping_add(word.wrapping_add(1).wrapping_mul(self.key));
        self.key = self.key.wrapping_mul(KEYS[1]);
    }

    #[inline]
    pub(crate) fn words(&mut self, words: impl IntoIterator<Item = u32>) {
        for word in words {
            self.word(word);
        }
    }

    #[inline]
    pub(crate) fn wide(&mut self, word: u64) {
        self.words([word as u32, (word >> 32) as u32]);
    }

    /// Zero is the same with both of its signs.
    #[inline]
    pub(crate) fn number(&mut self, number: Real) {
        self.word((number + 0.0).to_bits());
    }

    #[inline]
    pub(crate) fn numbers(&mut self, numbers: impl IntoIterator<Item = Real>) {
        for number in numbers {
            self.number(number);
        }
    }

    /// Numbers of wheels, two at once.
    #[inline]
    pub(crate) fn wheels(&mut self, numbers: &WheelList<Real>) {
        for &four in numbers.fours() {
            let [a, b, c, d] =
                (four + Real4::default()).to_array().map(|number| u64::from(number.to_bits()));
            self.double(a | b << 32);
            self.double(c | d << 32);
        }
    }

    #[inline]
    pub(crate) fn vector(&mut self, vector: Vector) {
        self.numbers(vector.to_array());
    }

    #[inline]
    pub(crate) fn pose(&mut self, pose: &Pose) {
        self.vector(pose.translation);
        self.numbers(pose.rotation.to_array());
    }

    /// The mark of what was shown; never 0.
    pub(crate) fn mark(self) -> u32 {
        ((self.sum >> 32) as u32).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_every_word_counts() {
        let words = [0, 1, u32::MAX, 0x8000_0000, 12_345];
        let mark = |words: [u32; 5]| {
            let mut marker = Marker::new();
            marker.words(words);
            marker.mark()
        };
        for place in 0..words.len() {
            for bit in 0..32 {
                let mut changed = words;
                changed[place] ^= 1 << bit;
                assert_ne!(mark(changed), mark(words), "word {place}, bit {bit}");
            }
        }
        assert_ne!(mark([1, 2, 3, 4, 5]), mark([2, 1, 3, 4, 5]));
    }
}
