//! How fast a vehicle can follow a path: a profile of speeds, and the time that it takes.

use vehicle_core::context::GRAVITY;
use vehicle_core::error::{ParamErrors, Validate};
use vehicle_core::math::{Clamped, Real, power};

use super::figures::VehicleFigures;
use super::forecast::reached_speeds;
use super::path::{Path, PathPoint};
use super::profile_params::ProfileParams;

/// Speed below which no profile asks anybody to drive (m/s).
const SLOWEST: Real = 0.5;
/// Speed of a vehicle that stands on its path (m/s): times would be infinite.
const STANDING: f64 = 0.01;
/// Least part of gravity that presses a vehicle down over a crest where it corners (dimensionless).
const LEAST_LOAD: Real = 0.1;

impl Path {
    /// This path with the speeds at which a vehicle of these `figures` can follow it.
    ///
    /// In bends, on crests and in dips, with the curvature `κ`, that of the height `κ_z`, the
    /// downforce `D v²`, the friction `μ` and the lateral jerk `J`:
    ///
    /// ```text
    /// |κ| v² ≤ μ (g + κ_z v² + D v²/m),   |dκ/ds| v³ ≤ J
    /// ```
    ///
    /// From there backward by the brakes, and forward by the drive with what the ellipse of
    /// friction leaves, and by the [brakes](VehicleFigures::left_to_brake) with less:
    ///
    /// ```text
    /// a ≤ a_max √(1 - (κ v²/a_lateral)²),   b ≤ b_max (1 - |κ| v²/a_lateral)
    /// v_{i+1}² = v_i² + 2 a Δs
    /// ```
    ///
    /// These speeds are what the driver is asked for. [`time`](Self::time) tells what comes of
    /// them: a mass is driven along the path with the same feet, whose gears shift as those of the
    /// vehicle do.
    ///
    /// # Errors
    ///
    /// All faults of `params`.
    ///
    /// Source: W. F. Milliken and D. L. Milliken, "Race Car Vehicle Dynamics" (1995), chapter 9,
    /// for the ellipse; the two passes are those of lap time simulation with a point mass.
    pub fn with_profile(
        mut self,
        figures: &VehicleFigures,
        params: &ProfileParams,
    ) -> Result<Self, ParamErrors> {
        params.validate()?;
        let road = Road { figures, params };
        let count = self.places().len();
        let (spacing, is_closed) = (self.spacing(), self.is_closed());
        let bends = vertical_curvatures(&self);
        for (place, &bend) in self.places_mut().iter_mut().zip(&bends) {
            place.speed = road.cornering_speed(place.curvature, bend).min(params.max_speed);
        }
        road.turn_in(&mut self);
        if !is_closed {
            let places = self.places_mut();
            for (end, index) in params.ends.into_iter().zip([0, count - 1]) {
                places[index].speed =
                    end.map_or(places[index].speed, |it| it.min(places[index].speed));
            }
        }
        // A lap before it counts: the speed at the line is that of a flying lap.
        let laps = if is_closed { 2 } else { 1 };
        let steps = laps * count - usize::from(!is_closed);
        let places = self.places_mut();
        for step in (0..steps).rev() {
            let (from, to) = (step % count, (step + 1) % count);
            let limit = road.slowed(&places[to], bends[to], spacing);
            places[from].speed = places[from].speed.min(limit);
        }
        for step in 0..steps {
            let (from, to) = (step % count, (step + 1) % count);
            let limit = road.sped(&places[from], bends[from], spacing);
            places[to].speed = places[to].speed.min(limit);
        }
        let reached = reached_speeds(&self, figures, params);
        self.set_reached(reached);
        Ok(self)
    }

    /// The time that is taken from one way along it to another (s), at its speeds. Where they are
    /// those of a [profile](Self::with_profile), the speeds are those that the vehicle comes to.
    ///
    /// ```text
    /// t = Σ 2 Δs/(v_i + v_{i+1})
    /// ```
    ///
    /// Pieces begin and end at the places and at both ways. A mean speed below 1 cm/s counts as
    /// 1 cm/s. Beyond the ends of an open path, the speeds are those of its ends.
    ///
    /// It is 0 backwards, and not finite between ways that are not.
    pub fn time(&self, from: Real, to: Real) -> Real {
        if !(from.is_finite() && to.is_finite()) {
            return to - from;
        }
        if to <= from {
            return 0.0;
        }
        let [from, to, length] = [from, to, self.length()].map(f64::from);
        let time = if self.is_closed() {
            let laps = ((to - from) / length).floor();
            let begin = from.rem_euclid(length);
            let end = begin + (to - from - laps * length).clamped(0.0, length);
            let lap = if 0.0 < laps { laps * self.time_within(0.0, length) } else { 0.0 };
            lap + self.time_within(begin, end.min(length)) + self.time_within(0.0, end - length)
        } else {
            let [first, last] = [0, self.places().len() - 1].map(|index| self.speed_at(index));
            let before = (to.min(0.0) - from).max(0.0) / first.max(STANDING);
            let after = (to - from.max(length)).max(0.0) / last.max(STANDING);
            let within = [from, to].map(|way| way.clamped(0.0, length));
            before + self.time_within(within[0], within[1]) + after
        };
        time as Real
    }

    /// The time from one way to another (s), both from the beginning to the end of a lap.
    fn time_within(&self, from: f64, to: f64) -> f64 {
        let (count, spacing) = (self.places().len(), f64::from(self.spacing()));
        let pieces = if self.is_closed() { count } else { count - 1 };
        let first = ((from / spacing) as usize).min(pieces);
        let mut time = 0.0;
        for piece in first..pieces {
            let begin = spacing * piece as f64;
            let [start, end] = [from, to].map(|way| ((way - begin) / spacing).clamped(0.0, 1.0));
            if end <= 0.0 {
                break;
            }
            let [one, other] = [piece, (piece + 1) % count].map(|index| self.speed_at(index));
            let mean = one + 0.5 * (start + end) * (other - one);
            time += (end - start) * spacing / mean.max(STANDING);
        }
        time
    }

    /// Speed that a vehicle has at a place (m/s).
    fn speed_at(&self, index: usize) -> f64 {
        f64::from(self.reached_at(index))
    }

    /// The [time](Self::time) of a lap, or from its beginning to its end (s).
    pub fn lap_time(&self) -> Real {
        self.time(0.0, self.length())
    }
}

/// Curvature of the height at each place, positive in dips (1/m).
fn vertical_curvatures(path: &Path) -> Vec<Real> {
    let spacing = path.spacing();
    (0..path.places().len())
        .map(|index| {
            let way = spacing * index as Real;
            (path.at(way + spacing).slope - path.at(way - spacing).slope) / (2.0 * spacing)
        })
        .collect()
}

struct Road<'a> {
    figures: &'a VehicleFigures,
    params: &'a ProfileParams,
}

impl Road<'_> {
    fn cornering_speed(&self, curvature: Real, bend: Real) -> Real {
        let share = self.params.cornering * self.figures.lateral_limit(self.params.friction);
        let pressed = self.figures.downforce / self.figures.mass + bend;
        let left = curvature.abs() - share * pressed;
        // On a crest, a vehicle that corners stays on the road.
        let crest = if 1e-3 < curvature.abs() { -pressed / (1.0 - LEAST_LOAD) } else { 0.0 };
        let squares = [share * GRAVITY / left.max(1e-9), GRAVITY / crest.max(1e-9)];
        squares[0].min(squares[1]).sqrt().max(SLOWEST)
    }

    /// Slows down where the curvature changes faster than the vehicle turns in.
    ///
    /// ```text
    /// v³ |dκ/ds| ≤ J
    /// ```
    fn turn_in(&self, path: &mut Path) {
        let jerk = self.params.cornering * self.params.friction * self.figures.lateral_jerk;
        let spacing = path.spacing();
        let limits: Vec<Real> = (0..path.places().len())
            .map(|index| {
                let way = spacing * index as Real;
                let [before, after] = [way - spacing, way + spacing].map(|it| path.at(it));
                let change = (after.curvature - before.curvature).abs() / (2.0 * spacing);
                power(jerk / change.max(1e-9), 1.0 / 3.0).max(SLOWEST)
            })
            .collect();
        for (place, limit) in path.places_mut().iter_mut().zip(limits) {
            place.speed = place.speed.min(limit);
        }
    }

    /// Acceleration that presses the vehicle down (m/s²).
    fn pressing(&self, speed: Real, bend: Real) -> Real {
        let pressed = self.figures.downforce / self.figures.mass + bend;
        (GRAVITY + pressed * speed * speed).max(0.0)
    }

    /// Lateral acceleration at `place` (m/s²), and the friction that its load is worth at rest.
    fn cornering(&self, place: &PathPoint, pressing: Real) -> (Real, Real) {
        let lateral = place.curvature.abs() * place.speed * place.speed;
        (lateral, self.params.friction * pressing / GRAVITY)
    }

    /// Acceleration by air, tires and slope, against the vehicle (m/s²).
    fn resistance(&self, place: &PathPoint) -> Real {
        self.figures.resistance(place.speed, place.slope) / self.figures.inertial_mass()
    }

    /// Speed from which it slows down to that at `place` over `way` (m).
    fn slowed(&self, place: &PathPoint, bend: Real, way: Real) -> Real {
        let Self { figures, params } = self;
        let pressing = self.pressing(place.speed, bend);
        let tires = params.friction * figures.braking * pressing;
        let brakes = (figures.brake_force / figures.inertial_mass()).min(tires);
        let (lateral, friction) = self.cornering(place, pressing);
        let braking = params.braking * brakes * figures.left_to_brake(lateral, friction);
        let slowing = (braking + self.resistance(place)).max(0.0);
        (place.speed * place.speed + 2.0 * slowing * way).sqrt()
    }

    /// Speed to which it accelerates from that at `place` over `way` (m).
    fn sped(&self, place: &PathPoint, bend: Real, way: Real) -> Real {
        let Self { figures, params } = self;
        let pressing = self.pressing(place.speed, bend);
        let mass = figures.inertial_mass();
        let (lateral, friction) = self.cornering(place, pressing);
        let left = figures.left_along(lateral, friction);
        let tires = params.friction * figures.traction * pressing * left;
        let drive = (figures.drive.force(place.speed) / mass).min(tires);
        let square = place.speed * place.speed
            + 2.0 * (params.accelerating * drive - self.resistance(place)) * way;
        square.max(SLOWEST * SLOWEST).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use vehicle_core::Frame;
    use vehicle_core::math::{PI, Vec3, sin_cos};

    use super::*;

    fn figures() -> VehicleFigures {
        VehicleFigures::plain(4_000.0)
    }

    const ALL: ProfileParams = ProfileParams {
        friction: 1.0,
        cornering: 1.0,
        accelerating: 1.0,
        braking: 1.0,
        max_speed: 100.0,
        ends: [None; 2],
    };

    fn straight(length: Real) -> Path {
        let points = [0.0, 0.5 * length, length].map(|way| Frame::Y_UP.translation(way, 0.0, 0.0));
        Path::open(&points, &Frame::Y_UP).expect("a path")
    }

    fn circle(radius: Real) -> Path {
        let points: Vec<Vec3> = (0..24)
            .map(|index| {
                let (sine, cosine) = sin_cos(PI * index as Real / 12.0);
                Frame::Y_UP.translation(radius * sine, radius * cosine, 0.0)
            })
            .collect();
        Path::closed(&points, &Frame::Y_UP).expect("a path")
    }

    #[test]
    fn from_rest_to_rest_is_as_fast_as_drive_and_brakes() {
        let params = ProfileParams { ends: [Some(0.0); 2], ..ALL };
        let path = straight(300.0).with_profile(&figures(), &params).expect("valid");
        // v² = 2 a s from the start, 2 b (S - s) from the end, a = 4, b = 8 m/s².
        let peak = (2.0_f32 * 4.0 * 200.0).sqrt();
        let fastest = path.places().iter().map(|place| place.speed).fold(0.0, Real::max);
        assert!((fastest - peak).abs() < 0.3, "{fastest} m/s, expected {peak}");
        let expected = peak / 4.0 + peak / 8.0;
        assert!((path.lap_time() - expected).abs() < 0.6, "{} s, {expected}", path.lap_time());
        assert_eq!(path.time(0.0, Real::INFINITY), Real::INFINITY);
        assert!(path.time(0.0, Real::NAN).is_nan());
        assert_eq!(path.time(200.0, 100.0), 0.0);
    }

    #[test]
    fn a_time_is_that_of_the_way_to_the_centimeter_at_any_speed() {
        for speed in [0.1, 12.0] {
            let path = straight(100.0).with_speed(speed).expect("a speed");
            for (from, to) in [(0.0, 100.0), (0.0, 0.3), (10.2, 10.9), (99.9, 103.0), (-5.0, 1.0)] {
                let (time, expected) = (path.time(from, to), (to - from) / speed);
                let error = (time - expected).abs();
                assert!(error < 1e-4 * expected, "{from} to {to} m: {time} s, not {expected} s");
            }
        }
        let ring = circle(50.0).with_speed(4.0).expect("a speed");
        for (from, to) in [(-20.0, 1.3), (300.0, 330.0), (0.0, 5_000.0), (0.0, 1e30)] {
            let (time, expected) = (ring.time(from, to), (to - from) / 4.0);
            assert!((time / expected - 1.0).abs() < 1e-4, "{from} to {to} m: {time} s");
        }
        // It comes to a stop: v = 2 √(s - 100), of which the last piece has the mean.
        let slowing = |way: Real| 2.0 * (100.0 - way).max(0.0).sqrt();
        let stop = straight(100.0).with_speeds(slowing).expect("speeds");
        let time = stop.time(50.0, 100.0);
        assert!((time / 50.0_f32.sqrt() - 1.0).abs() < 0.05, "{time} s");
        assert!(stop.time(0.0, 1e30).is_finite());
    }

    #[test]
    fn the_end_of_an_open_path_is_not_its_beginning() {
        let params = ProfileParams { ends: [Some(0.0), None], ..ALL };
        // Its places are nearer to each other than those of two steps of the forecast.
        for count in [75_u8, 80, 85, 90, 95] {
            let point = |index| Frame::Y_UP.translation(0.4 * Real::from(index), 0.0, 0.0);
            let points: Vec<Vec3> = (0..count).map(point).collect();
            let path = Path::open(&points, &Frame::Y_UP).expect("a path");
            let path = path.with_profile(&figures(), &params).expect("valid");
            let [begun, ended] = [0, path.places().len() - 1].map(|index| path.reached_at(index));
            assert!(begun < 1.0 && 12.0 < ended, "{begun} m/s at the beginning, then {ended}");
        }
    }

    #[test]
    fn a_circle_is_driven_at_its_grip_and_faster_with_downforce() {
        let expected = (GRAVITY * 50.0).sqrt();
        let path = circle(50.0).with_profile(&figures(), &ALL).expect("valid");
        for place in path.places() {
            assert!((place.speed / expected - 1.0).abs() < 0.02, "{place:?}, {expected}");
        }
        let lap = 100.0 * PI / expected;
        assert!((path.lap_time() / lap - 1.0).abs() < 0.02, "{} s", path.lap_time());
        let winged = VehicleFigures { downforce: 5.0, ..figures() };
        let path = circle(50.0).with_profile(&winged, &ALL).expect("valid");
        // v² (1/R - μ D/m) = μ g
        let expected = (GRAVITY / (1.0 / 50.0 - 5.0 / 1_000.0)).sqrt();
        assert!((path.at(10.0).speed / expected - 1.0).abs() < 0.02, "{}", path.at(10.0).speed);
    }

    #[test]
    fn a_crest_in_a_bend_is_taken_more_slowly() {
        let over = |height: Real| {
            let points: Vec<Vec3> = (0..21)
                .map(|index| {
                    let way = 10.0 * index as Real;
                    let (sine, cosine) = sin_cos(way / 150.0);
                    let rise = height * (1.0 - (PI * way / 100.0).cos());
                    Frame::Y_UP.translation(150.0 * sine, 150.0 * (1.0 - cosine), rise)
                })
                .collect();
            Path::open(&points, &Frame::Y_UP).expect("a path").with_profile(&figures(), &ALL)
        };
        let [flat, crest] = [0.0, 2.0].map(|height| over(height).expect("valid").at(100.0).speed);
        assert!(crest < flat, "{crest} m/s over the crest, {flat} without");
        // v² (κ + κ_z) = g, with the curvature 2 (π/100)² of the crest.
        let bend = 2.0 * (PI / 100.0) * (PI / 100.0);
        let expected = (GRAVITY / (1.0 / 150.0 + bend)).sqrt();
        assert!((crest / expected - 1.0).abs() < 0.02, "{crest} m/s, expected {expected}");
    }

    #[test]
    fn faults_are_named() {
        let params = ProfileParams { friction: 0.0, braking: 2.0, ends: [None, Some(-1.0)], ..ALL };
        let errors = straight(100.0).with_profile(&figures(), &params).unwrap_err();
        assert_eq!(
            errors.to_string(),
            "friction must be within [0.01, 10], got 0; braking must be within [0.01, 1], got 2; \
             ends[1] must be finite and not negative, got -1"
        );
    }
}
