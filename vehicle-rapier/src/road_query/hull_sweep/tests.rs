//! Swept wheels on hulls, against those on boxes and a fine search.

use snippets::noise::Noise;

use super::*;

fn wheel_at(center: Vector, noise: &mut Noise) -> SweptWheel {
    let shoulder_radius = [0.0, 0.04, 0.12][noise.within(0.0, 3.0) as usize];
    let direction = (-center + noise.vector(0.3)).normalize();
    let axle = (Vector::X + noise.vector(0.4)).normalize();
    let (radius, half_width) = (0.35 - shoulder_radius, 0.12 - shoulder_radius);
    SweptWheel { center, direction, axle, radius, half_width, shoulder_radius }
}

fn hull_of(points: &[Vector]) -> ConvexPolyhedron {
    ConvexPolyhedron::from_convex_hull(points).expect("points in space")
}

/// A hull of the corners of a box is that box, whatever its size.
#[test]
fn sweeps_meet_the_hull_of_a_box_where_they_meet_the_box() {
    let mut noise = Noise(7);
    let mut met = 0;
    for (size, tolerance) in [(0.1, 1e-5), (1.0, 1e-5), (60.0, 5e-5), (1_000.0, 1e-3)] {
        let half_extents = Vector::new(1.0, 0.2, 0.7) * size;
        let signs = [-1.0, 1.0];
        let corners = signs.into_iter().flat_map(|x| {
            signs.into_iter().flat_map(move |y| signs.map(|z| Vector::new(x, y, z) * half_extents))
        });
        let hull = hull_of(&corners.collect::<Vec<_>>());
        for case in 0..400 {
            let place = half_extents * Vector::new([0.0, 0.3, 0.999][case % 3], 1.0, 1.0);
            let beside = noise.vector(0.5) * Vector::new(1.0, 1.0, 0.0);
            let away = Vector::Z * noise.within(0.4, 0.8);
            let mut wheel = wheel_at(beside + away, &mut noise);
            wheel.center += place;
            let expected = wheel.enter_box(half_extents);
            let found = wheel.enter_hull(&hull);
            let what = format!("{size} m, case {case}: {wheel:?}, {found:?}, {expected:?}");
            let distances = [found, expected].map(|touch| {
                let distance = touch.map_or(Real::INFINITY, |touch| touch.distance);
                if distance < 3.0 { distance } else { 3.0 }
            });
            assert!((distances[0] - distances[1]).abs() < tolerance, "{what}");
            if let Some(touch) = found.filter(|touch| touch.distance < 3.0) {
                let (gap, _) = wheel.clearance(touch.point, touch.distance);
                assert!(gap.abs() < 2.0 * tolerance, "{what}: {gap} m from the wheel");
                met += 1;
            }
        }
    }
    assert!(1_000 < met, "{met}");
}

/// Error of a contact with a hull (m): its faces are flat up to a degree.
const ROUGH: Real = 3e-3;

/// A wheel that is swept towards a stone stops where no point of its edges is in the wheel, and
/// one point is on both.
#[test]
fn a_wheel_touches_a_stone_where_it_first_is_near() {
    let mut noise = Noise(9);
    let mut counts = [0; 2];
    for case in 0..300 {
        let size = [0.3, 3.0][case % 2];
        let points: Vec<_> = (0..12).map(|_| noise.vector(size)).collect();
        let hull = hull_of(&points);
        let far = noise.vector(1.0).normalize_or_zero() * (2.0 * size + 0.5);
        let wheel = wheel_at(far, &mut noise);
        let Some(touch) = wheel.enter_hull(&hull).filter(|touch| 0.0 < touch.distance) else {
            counts[1] += 1;
            continue;
        };
        counts[0] += 1;
        let what = format!("case {case}: {wheel:?}, {touch:?}");
        let (gap, _) = wheel.clearance(touch.point, touch.distance);
        assert!(gap.abs() < ROUGH, "{what}: {gap} m from the wheel");
        let outside = hull
            .faces()
            .iter()
            .enumerate()
            .map(|(number, face)| face.normal.dot(touch.point - corner_of(&hull, number)));
        let outside = outside.fold(Real::NEG_INFINITY, Real::max);
        assert!(outside.abs() < ROUGH, "{what}: {outside} m from the stone");
        for edge in hull.edges() {
            let [from, to] = edge.vertices.map(|corner| hull.points()[corner as usize]);
            for part in 0..=40 {
                let point = from + (to - from) * (part as Real / 40.0);
                let gap = wheel.clearance(point, touch.distance).0;
                assert!(-ROUGH < gap, "{what}: {gap} m in the wheel");
            }
        }
    }
    assert!(100 < counts[0], "{counts:?}");
}
