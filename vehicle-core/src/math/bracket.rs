//! Newton's method for a quantity that rises in straight pieces, kept between two bounds.

/// Bounds of a root, which close in on it.
pub(crate) struct Bracket {
    low: f64,
    high: f64,
    /// Whether the value at the bound is known.
    is_tested: [bool; 2],
}

impl Bracket {
    /// A root that is at least `low` and at most `high`, at which nothing is known yet.
    pub(crate) fn new(low: f64, high: f64) -> Self {
        Self { low, high, is_tested: [false; 2] }
    }

    /// Where to look next after `place`, at which the quantity is `excess` and rises with `slope`,
    /// which is positive.
    ///
    /// That is where the straight line through them is 0, but a bound if it is beyond that, and
    /// halfway between the bounds if the quantity is known there. So each piece is met at most once
    /// by a line, and the search ends: at the root, or at a bound beyond which it would be.
    #[inline]
    pub(crate) fn step(&mut self, place: f64, excess: f64, slope: f64) -> f64 {
        if excess < 0.0 {
            (self.low, self.is_tested[0]) = (place, true);
        } else {
            (self.high, self.is_tested[1]) = (place, true);
        }
        let line = place - excess / slope;
        let (is_below, is_above) = (line <= self.low, self.high <= line);
        // A line that leads back to its place has met the root, to rounding.
        if line == place || !is_below && !is_above {
            return line;
        }
        let (bound, is_tested) =
            if is_below { (self.low, self.is_tested[0]) } else { (self.high, self.is_tested[1]) };
        if is_tested { 0.5 * (self.low + self.high) } else { bound }
    }
}
