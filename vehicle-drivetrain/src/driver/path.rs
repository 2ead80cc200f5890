//! Paths: smooth ways over the ground, closed or open, with curvature and speeds.

use serde::{Deserialize, Serialize};
use vehicle_core::Frame;
use vehicle_core::error::{Bound, ParamCheck, ParamErrors};
use vehicle_core::math::{Clamped, Real, Vec3};

use super::spline::{Spline, mix};

/// Least distance of two points (m).
const CLOSEST: Real = 0.01;
/// Largest turn from one chord to the next, as a cosine: 120 degrees.
const SHARPEST: Real = -0.5;
/// Distances of places on a path that are chosen by its length (m), and their largest number.
const SPACINGS: [Real; 2] = [0.1, 1.0];
const MOST_PLACES: usize = 100_000;
/// Places by the number of chords, at least, so that their curve is seen.
const PLACES_PER_CHORD: usize = 4;
/// Parts of a chord by which the length of the curve is found.
const PARTS: usize = 16;
/// Speed of a path that has none (m/s).
const WALKING_SPEED: Real = 2.0;
/// Places that are looked at in a step, at most: 64 m of a path whose places are 1 m apart.
const MOST_STEPS: usize = 64;

/// A place on a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PathPoint {
    /// Where it is: along the longitudinal and the lateral axis of the frame (m).
    pub place: [Real; 2],
    /// Height (m).
    pub height: Real,
    /// Unit vector along the path.
    pub direction: [Real; 2],
    /// Curvature, positive to the left (1/m).
    pub curvature: Real,
    /// Height by way (dimensionless).
    pub slope: Real,
    /// Speed at which it is passed (m/s).
    pub speed: Real,
}

/// A way over the ground through points: a curve of continuous curvature.
///
/// It is kept as places at equal distances, so that finding one by the way along the path takes no
/// search. Ways, directions and curvatures are those of the plan, seen from above. It is driven at
/// walking pace, 2 m/s, until it has other speeds: those of a [profile](Self::with_profile), or
/// [one's own](Self::with_speeds).
///
/// ```
/// use vehicle_core::Frame;
/// use vehicle_core::math::Vec3;
/// use vehicle_drivetrain::driver::Path;
///
/// let corners = [[0.0, 0.0], [100.0, 0.0], [100.0, 60.0], [0.0, 60.0]];
/// let points = corners.map(|[ahead, left]| Frame::Y_UP.translation(ahead, left, 0.0));
/// let path = Path::closed(&points, &Frame::Y_UP)?;
/// assert!(path.at(10.0).curvature > 0.0, "it turns to the left");
/// # Ok::<(), vehicle_core::ParamErrors>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    places: Vec<PathPoint>,
    /// Distance of two places (m).
    spacing: Real,
    is_closed: bool,
    /// Speeds that a vehicle will have at its places (m/s), where they have been forecast.
    reached: Vec<Real>,
}

/// Where a vehicle is beside a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PathPlace {
    /// How far along the path (m).
    pub way: Real,
    /// How far to the left of it (m).
    pub offset: Real,
}

impl Path {
    /// A path that comes back to its first of `points` (m), of the axes of `frame`.
    ///
    /// # Errors
    ///
    /// Fewer than three points; points that are not finite, within 1 cm of the one before, seen
    /// from above, or at which the path turns by more than 120 degrees.
    pub fn closed(points: &[Vec3], frame: &Frame) -> Result<Self, ParamErrors> {
        Self::through(points, frame, true)
    }

    /// A path from the first to the last of `points` (m), of the axes of `frame`.
    ///
    /// # Errors
    ///
    /// As of [`closed`](Self::closed), but two points are enough.
    pub fn open(points: &[Vec3], frame: &Frame) -> Result<Self, ParamErrors> {
        Self::through(points, frame, false)
    }

    fn through(points: &[Vec3], frame: &Frame, is_closed: bool) -> Result<Self, ParamErrors> {
        let axes = [frame.longitudinal(), frame.lateral(), frame.vertical()];
        let mut check = ParamCheck::default();
        for (index, point) in points.iter().enumerate() {
            check.vector(format_args!("points[{index}]"), *point);
        }
        check.finish()?;
        let seen: Vec<[Real; 3]> =
            points.iter().map(|point| axes.map(|axis| point.dot(axis))).collect();
        check_points(&seen, is_closed)?;
        Ok(Self::along(&Spline::new(&seen, is_closed), is_closed))
    }

    /// Places at equal distances along `spline`.
    fn along(spline: &Spline<'_>, is_closed: bool) -> Self {
        let chords = spline.chords();
        // Length of the curve up to each part of each chord.
        let mut lengths = vec![0.0];
        let mut total = 0.0_f64;
        for chord in 0..chords {
            for part in 0..PARTS {
                let ends = [part, part + 1].map(|it| spline.at(chord, it as Real / PARTS as Real));
                let [dx, dy] = [0, 1].map(|axis| ends[1].value[axis] - ends[0].value[axis]);
                total += f64::from(dx).hypot(f64::from(dy));
                lengths.push(total as Real);
            }
        }
        let length = total as Real;
        let [finest, coarsest] = SPACINGS;
        let wanted = (length / (PLACES_PER_CHORD * chords) as Real).clamped(finest, coarsest);
        let steps = ((length / wanted).ceil() as usize).clamped(4, MOST_PLACES);
        let spacing = length / steps as Real;
        let count = steps + usize::from(!is_closed);
        let mut part = 0;
        let places = (0..count).map(|index| {
            let way = spacing * index as Real;
            while part + 2 < lengths.len() && lengths[part + 1] < way {
                part += 1;
            }
            let [from, to] = [lengths[part], lengths[part + 1]];
            let within = ((way - from) / (to - from).max(Real::MIN_POSITIVE)).clamped(0.0, 1.0);
            let share = ((part % PARTS) as Real + within) / PARTS as Real;
            PathPoint::on(spline, part / PARTS, share)
        });
        Self { places: places.collect(), spacing, is_closed, reached: Vec::new() }
    }

    /// This path at one `speed` (m/s).
    ///
    /// # Errors
    ///
    /// If the speed is negative or not finite.
    pub fn with_speed(self, speed: Real) -> Result<Self, ParamErrors> {
        self.with_speeds(|_| speed)
    }

    /// This path with the speed (m/s) at each way along it (m).
    ///
    /// # Errors
    ///
    /// If a speed is negative or not finite.
    pub fn with_speeds(mut self, speed: impl Fn(Real) -> Real) -> Result<Self, ParamErrors> {
        self.reached.clear();
        for (index, place) in self.places.iter_mut().enumerate() {
            let way = self.spacing * index as Real;
            place.speed = speed(way);
            let mut check = ParamCheck::default();
            check.number(format_args!("speed at {way} m"), place.speed, Bound::NotNegative);
            check.finish()?;
        }
        Ok(self)
    }

    /// The places, at equal distances.
    pub fn places(&self) -> &[PathPoint] {
        &self.places
    }

    pub(super) fn places_mut(&mut self) -> &mut [PathPoint] {
        &mut self.places
    }

    /// Distance of two places (m).
    pub fn spacing(&self) -> Real {
        self.spacing
    }

    /// Length from its beginning to its end, or around (m).
    pub fn length(&self) -> Real {
        (self.places.len() - usize::from(!self.is_closed)) as Real * self.spacing
    }

    /// Whether the path comes back to its beginning.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The place at `way` (m): around and around a closed path, its ends beyond an open one.
    pub fn at(&self, way: Real) -> PathPoint {
        let (index, next, part) = self.between(way);
        PathPoint::between(&self.places[index], &self.places[next], part)
    }

    /// Speed at the place of this number of a vehicle that is driven by the speeds of the path, as
    /// far as that has been forecast (m/s).
    pub(super) fn reached_at(&self, index: usize) -> Real {
        self.reached.get(index).copied().unwrap_or(self.places[index].speed)
    }

    /// Notes the speeds of a forecast at all places (m/s).
    pub(super) fn set_reached(&mut self, reached: Vec<Real>) {
        self.reached = reached;
    }

    /// The places around `way`, and which part of the way from one to the other it is.
    fn between(&self, way: Real) -> (usize, usize, Real) {
        let count = self.places.len();
        let place = way / self.spacing;
        let whole = place.floor();
        if self.is_closed {
            let index = (whole as i64).rem_euclid(count as i64) as usize;
            (index, if index + 1 == count { 0 } else { index + 1 }, place - whole)
        } else {
            let index = (whole.max(0.0) as usize).min(count - 2);
            (index, index + 1, (place - index as Real).clamped(0.0, 1.0))
        }
    }

    /// `way` (m) as one around a closed path, in [0, length); as it is on an open one.
    pub fn around(&self, way: Real) -> Real {
        if self.is_closed {
            let length = self.length();
            let rest = way - (way / length).floor() * length;
            if rest < length { rest } else { 0.0 }
        } else {
            way
        }
    }

    /// The distance from one way along the path to another ahead of it (m).
    pub fn distance(&self, from: Real, to: Real) -> Real {
        self.around(to - from)
    }

    /// The nearest of all its places to `place` (m). It looks at each, so it is for a start.
    pub fn nearest(&self, place: [Real; 2]) -> PathPlace {
        let distances = self.places.iter().map(|it| squared_distance(it.place, place));
        let nearest = distances.enumerate().min_by(|one, other| one.1.total_cmp(&other.1));
        self.refined(nearest.map_or(0, |(index, _)| index), place)
    }

    /// Where `place` (m) is beside the path, of a vehicle that was at `last` (m) along it. From
    /// there it goes on, forward or back, as long as the path comes nearer.
    pub fn beside(&self, place: [Real; 2], last: Real) -> PathPlace {
        let count = self.places.len();
        let start = (self.around(last).max(0.0) / self.spacing) as usize;
        let mut index = start.min(count - 1);
        let mut best = squared_distance(self.places[index].place, place);
        for forward in [true, false] {
            for _ in 0..MOST_STEPS {
                let Some(next) = self.neighbour(index, forward) else { break };
                let distance = squared_distance(self.places[next].place, place);
                if best <= distance {
                    break;
                }
                (index, best) = (next, distance);
            }
        }
        self.refined(index, place)
    }

    fn neighbour(&self, index: usize, forward: bool) -> Option<usize> {
        let count = self.places.len();
        match (forward, self.is_closed) {
            (true, true) => Some(if index + 1 == count { 0 } else { index + 1 }),
            (true, false) => (index + 1 < count).then_some(index + 1),
            (false, true) => Some(if index == 0 { count - 1 } else { index - 1 }),
            (false, false) => index.checked_sub(1),
        }
    }

    /// Where `place` is beside the path near its place `index`: on the circle that it is there.
    fn refined(&self, index: usize, place: [Real; 2]) -> PathPlace {
        let PathPoint { place: center, direction: [x, y], curvature, .. } = self.places[index];
        let [dx, dy] = [place[0] - center[0], place[1] - center[1]];
        let (along, aside) = (dx * x + dy * y, dy * x - dx * y);
        let stretch = (1.0 - curvature * aside).max(0.2);
        let ahead = (along / stretch).clamped(-self.spacing, self.spacing);
        let offset = aside - 0.5 * curvature * ahead * along;
        PathPlace { way: self.around(self.spacing * index as Real + ahead), offset }
    }
}

impl PathPoint {
    fn on(spline: &Spline<'_>, chord: usize, share: Real) -> Self {
        let jet = spline.at(chord, share);
        let [dx, dy, dz] = jet.slope;
        let rate = (dx * dx + dy * dy).sqrt().max(Real::MIN_POSITIVE);
        Self {
            place: [jet.value[0], jet.value[1]],
            height: jet.value[2],
            direction: [dx / rate, dy / rate],
            curvature: (dx * jet.bend[1] - dy * jet.bend[0]) / (rate * rate * rate),
            slope: dz / rate,
            speed: WALKING_SPEED,
        }
    }

    fn between(one: &Self, other: &Self, part: Real) -> Self {
        let shares = [1.0 - part, part];
        let number = |a: Real, b: Real| shares[0] * a + shares[1] * b;
        Self {
            place: mix(one.place, other.place, shares),
            height: number(one.height, other.height),
            direction: mix(one.direction, other.direction, shares),
            curvature: number(one.curvature, other.curvature),
            slope: number(one.slope, other.slope),
            speed: number(one.speed, other.speed),
        }
    }
}

fn squared_distance(one: [Real; 2], other: [Real; 2]) -> Real {
    let [dx, dy] = [one[0] - other[0], one[1] - other[1]];
    dx * dx + dy * dy
}

fn check_points(points: &[[Real; 3]], is_closed: bool) -> Result<(), ParamErrors> {
    let mut check = ParamCheck::default();
    let (count, least) = (points.len(), if is_closed { 3 } else { 2 });
    check.require("points", least <= count, format_args!("at least {least}"), count);
    check.finish()?;
    let mut check = ParamCheck::default();
    let chord = |index: usize| {
        let [from, to] = [points[index % count], points[(index + 1) % count]];
        [to[0] - from[0], to[1] - from[1]]
    };
    let chords = count - usize::from(!is_closed);
    for index in 0..chords {
        let [x, y] = chord(index);
        let (length, next) = ((x * x + y * y).sqrt(), (index + 1) % count);
        let requirement = format_args!("at least {CLOSEST} m from points[{index}], from above");
        let value = format_args!("{length} m");
        check.require(format_args!("points[{next}]"), CLOSEST <= length, requirement, value);
    }
    check.finish()?;
    let mut check = ParamCheck::default();
    for index in 0..chords - usize::from(!is_closed) {
        let [before, after] = [chord(index), chord(index + 1)];
        let lengths = [before, after].map(|[x, y]: [Real; 2]| (x * x + y * y).sqrt());
        let cosine = (before[0] * after[0] + before[1] * after[1]) / (lengths[0] * lengths[1]);
        let name = format_args!("points[{}]", (index + 1) % count);
        let requirement = "a point at which the path turns by at most 120 degrees";
        let value = format_args!("{:.0} degrees", cosine.clamped(-1.0, 1.0).acos().to_degrees());
        check.require(name, SHARPEST <= cosine, requirement, value);
    }
    check.finish()
}

#[cfg(test)]
mod tests {
    use vehicle_core::math::{PI, TAU, sin_cos};

    use super::*;

    fn circle(radius: Real, count: usize) -> Path {
        let points: Vec<Vec3> = (0..count)
            .map(|index| {
                let (sine, cosine) = sin_cos(TAU * index as Real / count as Real);
                Frame::Y_UP.translation(radius * sine, radius * (1.0 - cosine), 0.0)
            })
            .collect();
        Path::closed(&points, &Frame::Y_UP).expect("a path")
    }

    #[test]
    fn a_circle_has_its_length_and_curvature() {
        let path = circle(50.0, 24);
        assert!((path.length() - 100.0 * PI).abs() < 0.1, "{}", path.length());
        for place in path.places() {
            assert!((50.0 * place.curvature - 1.0).abs() < 0.01, "{place:?}");
            let [x, y] = place.direction;
            assert!((x * x + y * y - 1.0).abs() < 1e-4);
        }
        let top = path.at(50.0 * PI);
        assert!(top.place[0].abs() < 0.05 && (top.place[1] - 100.0).abs() < 0.05, "{top:?}");
        let again = path.at(75.0 * PI + path.length());
        assert!((again.place[0] + 50.0).abs() < 0.5, "{again:?}");
    }

    #[test]
    fn a_vehicle_is_found_where_it_is() {
        let path = circle(50.0, 24);
        let mut way = 0.0;
        for step in 0..400 {
            let angle = 0.05 * step as Real;
            let (sine, cosine) = sin_cos(angle);
            // 2 m within the circle, which is to its left.
            let found = path.beside([48.0 * sine, 50.0 - 48.0 * cosine], way);
            let expected = path.around(50.0 * angle);
            let error = (found.way - expected).abs();
            assert!(error.min(path.length() - error) < 0.05, "{found:?}, {expected}");
            assert!((found.offset - 2.0).abs() < 0.02, "{found:?}");
            way = found.way;
        }
        let start = path.nearest([-53.0, 50.0]);
        assert!((start.offset + 3.0).abs() < 0.02, "{start:?}");
        assert!((start.way - 75.0 * PI).abs() < 0.1, "{start:?}");
    }

    #[test]
    fn an_open_path_ends_at_its_ends() {
        let points = [0.0, 30.0, 60.0].map(|way| Frame::Y_UP.translation(way, 0.0, 0.1 * way));
        let path =
            Path::open(&points, &Frame::Y_UP).expect("a path").with_speed(5.0).expect("a speed");
        assert!((path.length() - 60.0).abs() < 1e-3);
        assert!((path.at(100.0).place[0] - 60.0).abs() < 1e-3 && path.at(-5.0).place[0] == 0.0);
        let middle = path.at(20.3);
        assert!((middle.slope - 0.1).abs() < 1e-4 && (middle.height - 2.03).abs() < 1e-3);
        assert!(middle.curvature.abs() < 1e-5 && middle.speed == 5.0);
        assert!(path.beside([70.0, 1.0], 55.0).way <= path.length() + path.spacing());
    }

    #[test]
    fn faults_of_points_are_named() {
        let place = |ahead, left| Frame::Y_UP.translation(ahead, left, 0.0);
        let open = |points: &[Vec3]| Path::open(points, &Frame::Y_UP).unwrap_err().to_string();
        let closed = |points: &[Vec3]| Path::closed(points, &Frame::Y_UP).unwrap_err().to_string();
        assert_eq!(open(&[place(0.0, 0.0)]), "points must be at least 2, got 1");
        assert_eq!(
            closed(&[place(0.0, 0.0), place(1.0, Real::NAN), place(0.0, 1.0)]),
            "points[1] must be finite, got [NaN, NaN, NaN]"
        );
        assert_eq!(
            open(&[place(0.0, 0.0), place(5.0, 0.0), place(5.0, 0.001)]),
            "points[2] must be at least 0.01 m from points[1], from above, got 0.001 m"
        );
        assert_eq!(
            closed(&[place(0.0, 0.0), place(5.0, 0.0), place(0.0, 0.0)]),
            "points[0] must be at least 0.01 m from points[2], from above, got 0 m"
        );
        assert_eq!(
            open(&[place(0.0, 0.0), place(5.0, 0.0), place(0.0, 0.5)]),
            "points[1] must be a point at which the path turns by at most 120 degrees, got 174 \
             degrees"
        );
    }
}
