//! Chords of roads.

use super::*;
use crate::math::Vec3;
use crate::math::lanes::Lanes;

pub(super) const RADIUS: Real = 0.3;
const DOWN: Vec3 = Vec3::NEG_Z;

pub(super) fn shape() -> RoadWheel<Real4> {
    let radius = <Real4 as Number>::splat(RADIUS);
    RoadWheel { radius, half_width: radius * radius, ..RoadWheel::default() }
}

/// The way over roads of these heights (m) at these places forward (m), at full compression 0.2
/// m higher than a wheel on level road.
pub(super) fn path(contact: ContactShape, places: &[(Real, Real)], is_new: bool) -> FourPaths {
    let touch = Touch { contact, direction: Vector::splat(DOWN), axle: Vector::splat(Vec3::Y) };
    let every = |_| true;
    let compressed = |x: Real| <Vec3x4 as Vector>::splat(Vec3::new(x, 0.0, RADIUS + 0.2));
    let [(first, _), .., (last, _)] = places else { panic!("a way has two places") };
    let mut path = FourPaths {
        looks: places.len() - 1,
        is_there: Lanes::from_lanes(every),
        has_stood: Lanes::from_lanes(|_| !is_new),
        start: compressed(*first),
        across: compressed(*last) - compressed(*first),
        // No tire is pressed to a rim.
        rims: Rims { below: Number::splat(-1.0), ..Rims::default() },
        touch,
        ..FourPaths::default()
    };
    for (plane, &(x, height)) in path.planes.iter_mut().zip(places) {
        let here = Plane::through(Vec3::new(x, 0.0, height), Vec3::Z);
        *plane = Plane { normal: Vector::splat(here.normal), offset: Number::splat(here.offset) };
    }
    path.touch_roads(&shape(), 1.0);
    path
}

/// Height of the road (m) at `x` (m) on the chord between two parts of the frame.
fn height(path: &FourPaths, parts: [Real; 2], x: Real) -> Real {
    let (plane, is_steady) = path.chord(&shape(), parts, 1.0);
    assert!(is_steady.lane(0));
    let plane = plane.lane(2);
    assert!((plane.normal.length() - 1.0).abs() < 1e-6, "{plane:?}");
    -(plane.offset + plane.normal.x * x) / plane.normal.z
}

#[test]
fn chords_lead_from_place_to_place() {
    let path = path(ContactShape::Ray, &[(0.0, 0.0), (0.2, 0.1), (0.4, 0.05)], false);
    for (parts, x, expected) in [
        ([0.0, 0.5], 0.0, 0.0),
        ([0.0, 0.5], 0.2, 0.1),
        ([0.5, 1.0], 0.4, 0.05),
        // From the middle of the first half to that of the second.
        ([0.25, 0.75], 0.1, 0.05),
        ([0.25, 0.75], 0.3, 0.075),
        ([0.0, 1.0], 0.4, 0.05),
    ] {
        let found = height(&path, parts, x);
        assert!((found - expected).abs() < 1e-6, "{parts:?} at {x}: {found}");
    }
}

#[test]
fn the_chord_on_one_plane_is_the_plane() {
    for contact in [ContactShape::Ray, ContactShape::Cylinder] {
        let mut path = path(contact, &[(0.0, 0.0), (0.2, 0.0), (0.4, 0.0)], false);
        let slope = Plane::through(Vec3::ZERO, Vec3::new(-0.1, 0.2, 1.0).normalize());
        let (normal, offset) = (Vector::splat(slope.normal), Number::splat(slope.offset));
        path.planes = [Plane { normal, offset }; MAX_LOOKS + 1];
        // Rounding of where rays have met it.
        path.planes[1].offset += 0.5 * SAME_PLANE;
        path.touch_roads(&shape(), 1.0);
        let (chord, _) = path.chord(&shape(), [0.0, 1.0], 1.0);
        let straight =
            path.straight(&shape(), Real4::zero(), path.is_there, 1.0).expect("one plane");
        let (chord, straight) = (chord.lane(1), straight.lane(1));
        assert_eq!(straight, slope);
        assert!((chord.normal - straight.normal).length() < 1e-4, "{contact:?}");
        assert!((chord.offset - straight.offset).abs() < 1e-4, "{contact:?}");
        assert_eq!(path.looks, 1);
    }
}

#[test]
fn ways_with_a_corner_or_over_new_roads_are_not_straight() {
    let level = [(0.0, 0.0), (0.2, 0.0), (0.4, 0.0)];
    let is_straight = |places: &[(Real, Real)], is_new, are_led| {
        path(ContactShape::Ray, places, is_new)
            .straight(&shape(), Real4::zero(), are_led, 1.0)
            .is_some()
    };
    let all = Lanes::from_lanes(|_| true);
    assert!(is_straight(&level, false, all));
    assert!(!is_straight(&level, true, all));
    assert!(is_straight(&level, true, Mask4::default()), "nobody is led");
    assert!(!is_straight(&[(0.0, 0.0), (0.2, 0.001), (0.4, 0.0)], false, all));
    // At any height: full compression is 0.2 m above level road.
    assert!(is_straight(&[(0.0, 0.6), (0.2, 0.6)], false, all));
    // Where tires are pressed to their rims, only on the plane on which they were before.
    let mut deep = path(ContactShape::Ray, &level, false);
    deep.rims.below = Number::splat(1.0);
    deep.before = deep.planes[0];
    assert!(deep.straight(&shape(), Real4::zero(), all, 1.0).is_some());
    deep.before.offset += Real4::splat(0.1);
    assert!(deep.straight(&shape(), Real4::zero(), all, 1.0).is_none());
}

#[test]
fn planes_that_rounding_has_tilted_are_one() {
    let far = 1_500.0;
    let is_straight = |tilt: Real| {
        let places = [(far, 0.0), (far + 0.2, 0.0), (far + 0.4, 0.0)];
        let mut path = path(ContactShape::Ray, &places, false);
        let here = Plane::through(Vec3::new(far, 0.0, 0.0), Vec3::new(tilt, 0.0, 1.0).normalize());
        path.planes[0] =
            Plane { normal: Vector::splat(here.normal), offset: Number::splat(here.offset) };
        path.straight(&shape(), Real4::zero(), path.is_there, 1.0).is_some()
    };
    // 0.4 m · 2e-6 is less than 2e-6 m, as rays are rounded; 0.4 m · 1e-5 is more.
    for (tilt, expected) in [(0.0, true), (2e-6, true), (-2e-6, true), (1e-5, false), (0.1, false)]
    {
        assert_eq!(is_straight(tilt), expected, "{tilt} rad");
    }
}

#[test]
fn swept_wheels_touch_the_chord_at_both_places() {
    let path = path(ContactShape::Cylinder, &[(0.0, 0.0), (0.2, 0.1)], false);
    let (plane, _) = path.chord(&shape(), [0.0, 1.0], 1.0);
    for (x, height) in [(0.0, 0.0), (0.2, 0.1)] {
        let distance = plane.lane(1).distance(Vec3::new(x, 0.0, RADIUS + height));
        assert!((distance - RADIUS).abs() < 1e-6, "at {x}: {distance}");
    }
}

#[test]
fn walls_are_climbed_at_the_steepest_way() {
    // (way, what the road rises by, what the wheel rises by)
    for (way, rise, expected) in
        [(0.2, 0.1, 0.1), (0.02, 0.1, 0.06), (5e-4, 0.1, LARGEST_JUMP), (0.5, 1.0, 1.0)]
    {
        let path = path(ContactShape::Ray, &[(0.0, 0.0), (way, rise)], false);
        let found = path.centers[1].lane(3).z - RADIUS;
        assert!((found - expected).abs() < 1e-6, "{rise} m on {way} m: {found}");
    }
}

#[test]
fn road_that_falls_away_is_left() {
    for (fall, expected) in [(0.01, true), (0.03, false)] {
        let path = path(ContactShape::Ray, &[(0.0, 0.0), (0.0, -fall)], false);
        let (_, is_steady) = path.chord(&shape(), [0.0, 1.0], 1.0);
        assert_eq!(is_steady.lane(0), expected, "{fall} m");
    }
}
