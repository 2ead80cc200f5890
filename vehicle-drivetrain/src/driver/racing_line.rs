//! The line that takes a track with the least curvature.

use vehicle_core::Frame;
use vehicle_core::error::{Bound, ParamCheck, ParamErrors};
use vehicle_core::math::{Clamped, Real, Vec3};

use super::path::{Path, PathPoint};

/// Sweeps over all places at each distance of places.
const SWEEPS: usize = 100;
/// Number of parts of the coarsest line.
const COARSEST: usize = 12;
/// Largest distance of places of the finest line around a closed track, and along an open one (m).
/// Lines have no more parts than that.
const FINEST: [Real; 2] = [4.0, 2.0];
const MOST_PARTS: usize = COARSEST << 12;
/// Largest part of the radius of a bend that a line goes aside (dimensionless).
const MOST_INSIDE: Real = 0.9;

/// A track between two borders: a closed one, or a lane from its beginning to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    middle: Path,
    /// At equal distances along the middle: how far the left and the right border are from it (m).
    widths: Vec<[Real; 2]>,
}

impl Track {
    /// A closed track between the places of its `left` and its `right` border (m), in the axes of
    /// `frame`. Both have as many, each across from the other and in the order of the way around.
    ///
    /// # Errors
    ///
    /// Other than two lists of the same length of at least four finite places; a middle that is no
    /// [path](Path::closed).
    pub fn new(left: &[Vec3], right: &[Vec3], frame: &Frame) -> Result<Self, ParamErrors> {
        let mut check = ParamCheck::default();
        check.require("left", 4 <= left.len(), "at least 4 places", left.len());
        let requirement = format_args!("{} places, as the left border", left.len());
        check.require("right", left.len() == right.len(), requirement, right.len());
        for (name, border) in [("left", left), ("right", right)] {
            for (index, place) in border.iter().enumerate() {
                check.vector(format_args!("{name}[{index}]"), *place);
            }
        }
        check.finish()?;
        let centers: Vec<Vec3> =
            left.iter().zip(right).map(|(&one, &other)| (one + other) * 0.5).collect();
        let middle = Path::closed(&centers, frame)?;
        let level = |place: Vec3| [place.dot(frame.longitudinal()), place.dot(frame.lateral())];
        let halves: Vec<[Real; 2]> = centers
            .iter()
            .zip(left)
            .map(|(&center, &border)| {
                [middle.nearest(level(center)).way, middle.nearest(level(border)).offset.max(0.0)]
            })
            .collect();
        let between = |way: Real| {
            let next = halves.iter().position(|&[at, _]| way < at).unwrap_or(0);
            let before = (next + halves.len() - 1) % halves.len();
            let [[from, one], [to, other]] = [halves[before], halves[next]];
            let length = middle.distance(from, to).max(Real::MIN_POSITIVE);
            one + (other - one) * (middle.distance(from, way) / length).min(1.0)
        };
        let widths = ways(&middle).map(|way| [between(way); 2]).collect();
        Ok(Self { middle, widths })
    }

    /// A track along a `path`, `widths` (m) to its left and its right.
    ///
    /// # Errors
    ///
    /// Widths that are negative or not finite.
    pub fn along(path: Path, widths: [Real; 2]) -> Result<Self, ParamErrors> {
        let mut check = ParamCheck::default();
        for (index, &side) in widths.iter().enumerate() {
            check.number(format_args!("widths[{index}]"), side, Bound::NotNegative);
        }
        check.finish()?;
        let widths = ways(&path).map(|_| widths).collect();
        Ok(Self { middle: path, widths })
    }

    /// This track with `widths` (m) to the left and the right of each way along its middle (m): one
    /// is negative where both borders are on the other side.
    ///
    /// # Errors
    ///
    /// Widths that are not finite, or whose sum is negative.
    pub fn with_widths(mut self, widths: impl Fn(Real) -> [Real; 2]) -> Result<Self, ParamErrors> {
        self.widths = ways(&self.middle).map(widths).collect();
        let mut check = ParamCheck::default();
        for (index, [left, right]) in self.widths.iter().enumerate() {
            let name = format_args!("the sum of widths at place {index}");
            check.number(name, left + right, Bound::NotNegative);
        }
        check.finish()?;
        Ok(self)
    }

    /// The middle of the track.
    pub fn middle(&self) -> &Path {
        &self.middle
    }

    /// The line that keeps `margin` (m) from both borders, with the least sum of squares of
    /// curvature.
    ///
    /// With the offset `d` to the left of the middle, whose curvature is `κ`,
    ///
    /// ```text
    /// ∫ (κ + d'' + κ² d)² ds → least
    /// ```
    ///
    /// which is the curvature of the line in first order. One place after the other is put where
    /// the sum is least, first few places, then more. An open line begins and ends halfway between
    /// the borders, in the direction of the middle. A racing driver who has grip to spare drives
    /// shorter, one who has power to spare drives wider; this line is near to both.
    ///
    /// # Errors
    ///
    /// A margin that is negative, or wider than the track somewhere.
    pub fn racing_line(&self, margin: Real, frame: &Frame) -> Result<Path, ParamErrors> {
        let mut check = ParamCheck::default();
        check.number("margin", margin, Bound::NotNegative);
        let narrowest = self
            .widths
            .iter()
            .map(|[left, right]| 0.5 * (left + right))
            .fold(Real::INFINITY, Real::min);
        let requirement = format_args!("at most {narrowest}, half of the least width");
        check.require("margin", margin <= narrowest, requirement, margin);
        check.finish()?;
        let places: Vec<PathPoint> = ways(&self.middle).map(|way| self.middle.at(way)).collect();
        let mut offsets = vec![0.0; places.len()];
        let mut stride = part_count(&self.middle) / COARSEST;
        while 0 < stride {
            let grid = Grid::new(self, &places, stride, margin);
            grid.straighten(&mut offsets);
            stride /= 2;
        }
        let points: Vec<Vec3> = places
            .iter()
            .zip(&offsets)
            .map(|(place, offset)| {
                let [x, y] = place.direction;
                let at = [place.place[0] - offset * y, place.place[1] + offset * x];
                frame.translation(at[0], at[1], place.height)
            })
            .collect();
        if self.middle.is_closed() {
            Path::closed(&points, frame)
        } else {
            Path::open(&points, frame)
        }
    }
}

/// Number of parts into which the places of a line divide a track around `middle`: a power of two
/// times that of the coarsest line.
fn part_count(middle: &Path) -> usize {
    let finest = FINEST[usize::from(!middle.is_closed())];
    let mut count = COARSEST;
    while finest * (count as Real) < middle.length() && count < MOST_PARTS {
        count *= 2;
    }
    count
}

/// Ways along `middle` at which the borders of a track are known (m).
fn ways(middle: &Path) -> impl Iterator<Item = Real> {
    let (length, parts) = (middle.length(), part_count(middle));
    let count = parts + usize::from(!middle.is_closed());
    (0..count).map(move |index| length * index as Real / parts as Real)
}

/// Places of a line at a distance of some.
struct Grid {
    stride: usize,
    is_closed: bool,
    /// Inverse of the square of their distance (1/m²).
    per_square: Real,
    /// Curvature of the middle at each (1/m).
    curvatures: Vec<Real>,
    /// Least and largest offset at each (m).
    bounds: Vec<[Real; 2]>,
}

impl Grid {
    fn new(track: &Track, places: &[PathPoint], stride: usize, margin: Real) -> Self {
        let (count, is_closed) = (places.len(), track.middle.is_closed());
        let parts = part_count(&track.middle);
        let distance = track.middle.length() * stride as Real / parts as Real;
        let nodes = || (0..count).step_by(stride);
        let mean = |node: usize| {
            let sum: Real = (0..stride)
                .map(|step| {
                    let at = node + step + parts - stride / 2;
                    let at =
                        if is_closed { at % count } else { at.clamped(parts, 2 * parts) - parts };
                    places[at].curvature
                })
                .sum();
            sum / stride as Real
        };
        let bound = |node: usize| {
            let [left, right] = track.widths[node];
            if !is_closed && (node == 0 || node == parts) {
                return [0.5 * (left - right); 2];
            }
            let curvature = places[node].curvature;
            let inside = MOST_INSIDE / curvature.abs().max(1e-6);
            let [most, least] = [left - margin, margin - right];
            if 0.0 < curvature { [least, most.min(inside)] } else { [least.max(-inside), most] }
        };
        Self {
            stride,
            is_closed,
            per_square: (distance * distance).recip(),
            curvatures: nodes().map(mean).collect(),
            bounds: nodes().map(bound).collect(),
        }
    }

    /// Puts each place where the sum of squares is least, and the places between on lines between
    /// theirs.
    fn straighten(&self, offsets: &mut [Real]) {
        let count = self.curvatures.len();
        let mut values: Vec<Real> = (0..count).map(|node| offsets[node * self.stride]).collect();
        for _ in 0..SWEEPS {
            for node in 0..count {
                let [before, after] = self.neighbours(node);
                let [mut slope, mut square] = [0.0; 2];
                for at in [before, Some(node), after].into_iter().flatten() {
                    let own = -2.0 * self.per_square + self.curvatures[at] * self.curvatures[at];
                    let weight = if at == node { own } else { self.per_square };
                    slope += weight * self.residual(&values, at, own);
                    square += weight * weight;
                }
                let [least, most] = self.bounds[node];
                values[node] = (values[node] - slope / square).clamped(least, most);
            }
        }
        for (index, offset) in offsets.iter_mut().enumerate() {
            let (node, step) = (index / self.stride, index % self.stride);
            let part = step as Real / self.stride as Real;
            let [one, other] = [values[node], values[(node + 1) % count]];
            *offset = one + part * (other - one);
        }
    }

    /// The nodes before and after `node`; none beyond the ends of an open line.
    fn neighbours(&self, node: usize) -> [Option<usize>; 2] {
        let last = self.curvatures.len() - 1;
        let wrapped = |index: usize| self.is_closed.then_some(index);
        [
            node.checked_sub(1).or_else(|| wrapped(last)),
            if node < last { Some(node + 1) } else { wrapped(0) },
        ]
    }

    /// Curvature of the line at node `at`; an open line goes on beyond its ends as the middle does.
    fn residual(&self, values: &[Real], at: usize, own: Real) -> Real {
        let [before, after] =
            self.neighbours(at).map(|node| node.map_or(values[at], |node| values[node]));
        self.curvatures[at] + self.per_square * (before + after) + own * values[at]
    }
}

#[cfg(test)]
mod tests {
    use vehicle_core::math::{PI, sin_cos};

    use super::*;

    /// Two straights of 200 m and two half circles of 40 m radius, 12 m wide.
    fn stadium() -> Track {
        let mut points = Vec::new();
        for (side, turn) in [(1.0, 0.0), (-1.0, PI)] {
            for step in 0..20 {
                let along = side * (-100.0 + 10.0 * step as Real);
                points.push(Frame::Y_UP.translation(along, -side * 40.0, 0.0));
            }
            for step in 0..12 {
                let (sine, cosine) = sin_cos(turn + PI * step as Real / 12.0);
                let place = [side * 100.0 + 40.0 * sine, -40.0 * cosine];
                points.push(Frame::Y_UP.translation(place[0], place[1], 0.0));
            }
        }
        let middle = Path::closed(&points, &Frame::Y_UP).expect("a path");
        Track::along(middle, [6.0, 6.0]).expect("a track")
    }

    fn tightest(path: &Path) -> Real {
        path.places().iter().map(|place| place.curvature.abs()).fold(0.0, Real::max)
    }

    #[test]
    fn the_racing_line_is_wider_than_the_middle_and_on_the_track() {
        let track = stadium();
        let middle = track.middle();
        let line = track.racing_line(1.0, &Frame::Y_UP).expect("a path");
        let [before, after] = [middle, &line].map(tightest);
        assert!(after < 0.9 * before, "1/{} m after 1/{} m", after.recip(), before.recip());
        for place in line.places() {
            let beside = middle.nearest(place.place);
            assert!(beside.offset.abs() < 5.3, "{beside:?}");
        }
        let squares = |path: &Path| -> Real {
            path.places().iter().map(|it| it.curvature * it.curvature).sum::<Real>()
                * path.spacing()
        };
        assert!(squares(&line) < 0.9 * squares(middle));
    }

    #[test]
    fn borders_make_a_track_of_their_width() {
        let along = stadium();
        let border = |side: Real| -> Vec<Vec3> {
            (0..60)
                .map(|index| {
                    let place = along.middle().at(along.middle().length() * index as Real / 60.0);
                    let [x, y] = place.direction;
                    let at = [place.place[0] - side * y, place.place[1] + side * x];
                    Frame::Y_UP.translation(at[0], at[1], 0.0)
                })
                .collect()
        };
        let track = Track::new(&border(4.0), &border(-4.0), &Frame::Y_UP).expect("a track");
        for widths in &track.widths {
            assert!((widths[0] - 4.0).abs() < 0.15 && widths[0] == widths[1], "{widths:?}");
        }
    }

    /// How far to the left a wave of 30 m is, after 45 m (m).
    fn wave(way: Real) -> Real {
        let part = ((way - 45.0) / 30.0).clamped(0.0, 1.0);
        1.75 * (1.0 - (PI * part).cos())
    }

    #[test]
    fn a_line_with_room_changes_lanes_more_gently() {
        let ends = [0.0, 120.0].map(|way| Frame::Y_UP.translation(way, 0.0, 0.0));
        let straight = Path::open(&ends, &Frame::Y_UP).expect("a path");
        let line = |room: Real| {
            Track::along(straight.clone(), [0.0; 2])
                .and_then(|it| it.with_widths(|way| [wave(way) + room, room - wave(way)]))
                .and_then(|track| track.racing_line(0.0, &Frame::Y_UP))
                .expect("a path")
        };
        // Half of a wave bends most at its ends: A (π/L)²/2.
        let cosine = 0.5 * 3.5 * (PI / 30.0) * (PI / 30.0);
        let (narrow, wide) = (line(0.02), line(0.4));
        for (path, room, share) in [(&narrow, 0.02, 1.0), (&wide, 0.4, 0.4)] {
            let bend = tightest(path) / cosine;
            assert!((0.7 * share..1.1 * share).contains(&bend), "{room} m: {bend}");
            for place in path.places() {
                let [way, aside] = place.place;
                let beside = (aside - wave(way)).abs();
                assert!(beside < room + 0.02, "{beside} m at {way} m, with {room} m");
            }
        }
        let end = wide.at(wide.length());
        assert!((end.place[1] - 3.5).abs() < 0.01 && end.direction[1].abs() < 0.01, "{end:?}");
    }

    #[test]
    fn faults_of_a_track_are_named() {
        let places = [Vec3::ZERO, Vec3::X, Vec3::Y];
        assert_eq!(
            Track::new(&places, &places[1..], &Frame::Y_UP).unwrap_err().to_string(),
            "left must be at least 4 places, got 3; right must be 3 places, as the left border, \
             got 2"
        );
        let path = stadium().middle().clone();
        let errors = Track::along(path, [3.0, -1.0]).unwrap_err();
        assert_eq!(errors.to_string(), "widths[1] must be finite and not negative, got -1");
        let errors = stadium().racing_line(7.0, &Frame::Y_UP).unwrap_err();
        let text = errors.to_string();
        assert!(text.starts_with("margin must be at most 6"), "{text}");
    }
}
