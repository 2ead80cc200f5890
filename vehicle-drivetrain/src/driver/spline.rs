//! A smooth curve through points in the plane.

use vehicle_core::math::Real;

/// Sweeps in which the slopes of a curve are found: each leaves less than a third of the error.
const SWEEPS: usize = 40;

/// A cubic spline through points, whose curvature is continuous: at each point `i` with the slope
/// `m_i` by the length of the chords `h`, whose own slopes are `d`,
///
/// ```text
/// h_i m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_{i-1} m_{i+1} = 3 (h_i d_{i-1} + h_{i-1} d_i)
/// ```
pub(super) struct Spline<'a> {
    points: &'a [[Real; 3]],
    slopes: Vec<[Real; 3]>,
    is_closed: bool,
}

/// Value, slope and second derivative of a curve by the length along a chord.
pub(super) struct Jet {
    pub(super) value: [Real; 3],
    pub(super) slope: [Real; 3],
    pub(super) bend: [Real; 3],
}

pub(super) fn mix<const N: usize>(
    one: [Real; N],
    other: [Real; N],
    [a, b]: [Real; 2],
) -> [Real; N] {
    std::array::from_fn(|axis| a * one[axis] + b * other[axis])
}

impl<'a> Spline<'a> {
    /// Through `points`, at least two, no two neighbours in one place of the plane of the first two
    /// components.
    pub(super) fn new(points: &'a [[Real; 3]], is_closed: bool) -> Self {
        let slopes = vec![[0.0; 3]; points.len()];
        let mut spline = Self { points, slopes, is_closed };
        for _ in 0..SWEEPS {
            for index in 0..points.len() {
                spline.slopes[index] = spline.balanced(index);
            }
        }
        spline
    }

    /// Number of chords.
    pub(super) fn chords(&self) -> usize {
        self.points.len() - usize::from(!self.is_closed)
    }

    fn after(&self, index: usize) -> usize {
        (index + 1) % self.points.len()
    }

    /// Length of the chord behind point `index`, in the plane.
    pub(super) fn length(&self, index: usize) -> Real {
        let [from, to] = [self.points[index], self.points[self.after(index)]];
        ((to[0] - from[0]) * (to[0] - from[0]) + (to[1] - from[1]) * (to[1] - from[1])).sqrt()
    }

    fn chord_slope(&self, index: usize) -> [Real; 3] {
        let per = self.length(index).recip();
        mix(self.points[self.after(index)], self.points[index], [per, -per])
    }

    /// The slope at point `index` that goes with those of its neighbours.
    fn balanced(&self, index: usize) -> [Real; 3] {
        let last = self.points.len() - 1;
        let before = if index == 0 { last } else { index - 1 };
        if !self.is_closed && index == 0 {
            // Natural ends: no curvature.
            return mix(self.chord_slope(0), self.slopes[1], [1.5, -0.5]);
        }
        if !self.is_closed && index == last {
            return mix(self.chord_slope(before), self.slopes[before], [1.5, -0.5]);
        }
        let (back, ahead) = (self.length(before), self.length(index));
        let right =
            mix(self.chord_slope(before), self.chord_slope(index), [3.0 * ahead, 3.0 * back]);
        let neighbours = mix(self.slopes[before], self.slopes[self.after(index)], [ahead, back]);
        let per = (2.0 * (back + ahead)).recip();
        mix(right, neighbours, [per, -per])
    }

    /// The curve at `share` of chord `index`, in [0, 1].
    pub(super) fn at(&self, index: usize, share: Real) -> Jet {
        let (length, next) = (self.length(index), self.after(index));
        let [from, to] = [self.points[index], self.points[next]];
        let [begin, end] = [self.slopes[index], self.slopes[next]];
        let (t, per) = (share, length.recip());
        let (tt, ttt) = (t * t, t * t * t);
        let ends = |a: Real, b: Real, c: Real, d: Real| {
            let places = mix(from, to, [a, b]);
            mix(places, mix(begin, end, [c * length, d * length]), [1.0, 1.0])
        };
        let value =
            ends(2.0 * ttt - 3.0 * tt + 1.0, 3.0 * tt - 2.0 * ttt, ttt - 2.0 * tt + t, ttt - tt);
        let rate = 6.0 * tt - 6.0 * t;
        let slope = ends(rate, -rate, 3.0 * tt - 4.0 * t + 1.0, 3.0 * tt - 2.0 * t);
        let rate = 12.0 * t - 6.0;
        let bend = ends(rate, -rate, 6.0 * t - 4.0, 6.0 * t - 2.0);
        Jet { value, slope: slope.map(|it| it * per), bend: bend.map(|it| it * per * per) }
    }
}
