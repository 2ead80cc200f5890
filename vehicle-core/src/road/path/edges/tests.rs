//! Roads that rise gently, and edges.

use super::*;
use crate::math::Vec3;
use crate::math::lanes::Lanes;
use crate::mount::ContactShape;
use crate::road::path::tests::{RADIUS, path, shape};

/// Jounce of the hubs, and how far below full compression wheels at full droop are (m).
const JOUNCE: Real = 0.1;
const TRAVEL: Real = 0.3;
/// Time of the way (s), and its length (m).
const TIME: Real = 0.01;
const WAY: Real = 0.2;

fn splat(value: Real) -> Real4 {
    Number::splat(value)
}

fn rims() -> Rims {
    let rim = RIM_DEPTH as Real * RADIUS;
    Rims {
        below: splat(TRAVEL - rim),
        drop: Real4::zero(),
        push: splat(400.0),
        damping: splat(50.0),
    }
}

fn plane(point: Vec3, normal: Vec3) -> Plane<Vec3x4> {
    let Plane { normal, offset } = Plane::through(point, normal.normalize());
    Plane { normal: Vector::splat(normal), offset: Number::splat(offset) }
}

/// A way from level road, on which hubs stand at their jounce without a load, to `end` in `WAY`.
fn way(end: Plane<Vec3x4>, is_new: bool) -> FourPaths {
    let mut way = path(ContactShape::Ray, &[(0.0, 0.0), (WAY, 0.0)], is_new);
    (way.planes[1], way.before, way.rims) = (end, way.planes[0], rims());
    way.touch_roads(&shape(), 1.0);
    way
}

/// Height of the road (m) at the end of `way`, below hubs that stand still.
fn height_at_end(way: &mut FourPaths) -> Real {
    let jounce = splat(JOUNCE);
    let hubs = FourHubs { jounce, ..FourHubs::default() };
    let before = way.before;
    let (plane, is_steady) = way.soft_chord(&shape(), &before, &hubs, [0.0, 1.0], TIME, 1.0);
    assert!(is_steady.lane(0));
    let plane = plane.lane(0);
    -(plane.offset + plane.normal.x * WAY) / plane.normal.z
}

#[test]
fn roads_that_turn_up_gently_are_followed_as_they_are() {
    for rise in [0.0, 0.01, 0.1 * WAY] {
        let slope = Vec3::new(-rise / WAY, 0.0, 1.0);
        let mut way = way(plane(Vec3::new(WAY, 0.0, rise), slope), false);
        let found = height_at_end(&mut way);
        assert!((found - rise).abs() < 1e-5, "{rise} m: {found}");
    }
}

#[test]
fn edges_press_tires_as_far_as_to_their_rims() {
    let pushed = 0.5 * 400.0 * TIME * TIME / (1.0 + 0.5 * 50.0 * TIME);
    let most = RIM_DEPTH as Real * RADIUS + pushed;
    for height in [0.05, 0.08, 0.12, 0.2] {
        let mut way = way(plane(Vec3::new(WAY, 0.0, height), Vec3::Z), false);
        let found = height_at_end(&mut way);
        assert!((found - height.min(most)).abs() < 1e-5, "{height} m: {found}, at most {most}");
        assert_eq!(way.is_softened, most < height + pushed, "{height} m");
    }
}

#[test]
fn new_roads_press_tires_no_farther_than_to_their_rims() {
    // Hubs that are 0.15 m in a road which they have not stood on.
    let road = plane(Vec3::new(0.0, 0.0, 0.15), Vec3::Z);
    let mut way = way(road, true);
    (way.planes[0], way.before) = (road, road);
    way.touch_roads(&shape(), 1.0);
    let found = height_at_end(&mut way);
    let most = RIM_DEPTH as Real * RADIUS + 0.02;
    assert!(0.05 < found && found < most, "{found}");
}

/// Otherwise a wheel that hardly moves is led up a wall, and loses the road.
#[test]
fn new_roads_that_rise_lead_up_no_edge() {
    let road = plane(Vec3::new(0.0, 0.0, 0.15), Vec3::Z);
    for length in [0.2, 0.005] {
        let mut way = path(ContactShape::Ray, &[(0.0, 0.15), (length, 0.15)], true);
        (way.planes, way.before, way.rims) = ([road; 4], road, rims());
        way.rises = Mask4::from_lanes(|_| true);
        way.touch_roads(&shape(), 1.0);
        let hubs = FourHubs { jounce: splat(JOUNCE), ..FourHubs::default() };
        let (plane, is_steady) = way.soft_chord(&shape(), &road, &hubs, [0.0, 1.0], TIME, 1.0);
        let normal = plane.lane(0).normal;
        assert!(is_steady.lane(0) && 0.999 < normal.z, "{length} m: {normal}");
        assert!(-0.12 < plane.lane(0).offset, "it is lower than what was found");
    }
}

#[test]
fn wheels_that_are_not_damped_are_pushed_as_free_bodies() {
    let rims = Rims { damping: Real4::zero(), ..rims() };
    let pushed = rims.pushed(0.1).lane(0);
    assert!((pushed - 2.0).abs() < 1e-5, "{pushed}");
    // The speed that takes the rim 0.025 radii into the tire.
    let speed: Real = (2.0_f32 * 0.025 * 400.0 * RADIUS).sqrt();
    let taken = rims.taken_up(splat(RADIUS), 0.1).lane(0);
    assert!((taken - 0.1 * speed).abs() < 1e-5, "{taken}");
    let damped = super::Rims { damping: splat(1e6), ..rims };
    assert!(
        damped.pushed(0.1).lane(0) < 1e-3 && damped.taken_up(splat(RADIUS), 0.1).lane(0) < 1e-3
    );
}
