//! Swept wheels on triangles, against those on boxes.

use snippets::noise::Noise;

use super::*;

/// The triangles of a box of these half extents (m).
fn triangles(half_extents: Vector) -> Vec<Triangle> {
    let (corners, indices) = Cuboid::new(half_extents).to_trimesh();
    let triangle =
        |[a, b, c]: [u32; 3]| [a, b, c].map(|corner: u32| corners[corner as usize]).into();
    indices.into_iter().map(triangle).collect()
}

/// A wheel in front of a step, near the edge of its top, swept towards it and up or down.
fn random(noise: &mut Noise, half_extents: Vector) -> SweptWheel {
    let shoulder = [0.0, 0.04, 0.12][noise.within(0.0, 3.0) as usize];
    let direction = (Vector::NEG_Z + noise.vector(0.5)).normalize();
    let lean = [0.0, 0.1, 0.7][noise.within(0.0, 3.0) as usize];
    let axle = (Vector::X + noise.vector(lean)).normalize();
    let along = [0.0, 0.3, 0.999][noise.within(0.0, 3.0) as usize];
    let beside = noise.vector(0.4) * Vector::new(1.0, 1.0, 0.0);
    let place = half_extents * Vector::new(along, 1.0, 1.0);
    let center = place + beside + Vector::Z * noise.within(0.4, 0.8);
    let (radius, half_width) = (0.35 - shoulder, 0.12 - shoulder);
    SweptWheel { center, direction, axle, radius, half_width, shoulder_radius: shoulder }
}

/// Where a wheel that begins outside of a box meets it, triangle by triangle, is where it meets the
/// box, whatever the size.
#[test]
fn sweeps_meet_the_triangles_of_a_box_where_they_meet_the_box() {
    let mut noise = Noise(11);
    let (mut met, mut missed) = (0, 0);
    for (size, tolerance) in [(0.1, 1e-5), (1.0, 1e-5), (60.0, 5e-5), (1_000.0, 5e-4)] {
        let half_extents = Vector::new(1.0, 0.2, 0.7) * size;
        let triangles = triangles(half_extents);
        for case in 0..400 {
            let wheel = random(&mut noise, half_extents);
            let expected = wheel.enter_box(half_extents).filter(|touch| touch.distance < 3.0);
            if expected.is_some_and(|touch| touch.distance < 0.0) {
                continue;
            }
            let touches = triangles.iter().filter_map(|triangle| wheel.enter_triangle(triangle));
            let ahead = touches.filter(|touch| (0.0..3.0).contains(&touch.distance));
            let found = ahead.min_by(|one, other| one.distance.total_cmp(&other.distance));
            let what = format!("{size} m, case {case}: {wheel:?}, {found:?}, {expected:?}");
            let (Some(found), Some(expected)) = (found, expected) else {
                // A wheel that grazes the box may be told to pass by.
                let grazes = |touch: Touch| 0.95 < touch.normal.dot(wheel.direction).abs();
                assert!(found.or(expected).is_none_or(|touch| !grazes(touch)), "{what}");
                missed += 1;
                continue;
            };
            let error = (found.distance - expected.distance).abs();
            let steepness = -expected.normal.dot(wheel.direction);
            assert!(error * steepness < tolerance, "{what}: {error} m");
            let turn = (found.normal - expected.normal).length();
            assert!(
                turn < 0.01 || error * steepness < 1e-2 * tolerance,
                "{what}: turned by {turn}"
            );
            let (gap, _) = wheel.clearance(found.point, found.distance);
            assert!(gap.abs() < 2.0 * tolerance, "{what}: {gap} m from the wheel");
            met += 1;
        }
    }
    assert!(1_000 < met && 20 < missed, "{met} met, {missed} missed");
}

/// A triangle is met from its side, with a corner, and from both of its faces.
#[test]
fn a_wheel_touches_a_triangle_where_it_first_is_near() {
    let mut noise = Noise(5);
    let mut kinds = [0; 3];
    for case in 0..600 {
        let corners = [0, 1, 2].map(|_| noise.vector(0.6));
        let triangle = Triangle::from(corners);
        if triangle.area() < 0.02 {
            continue;
        }
        let wheel = random(&mut noise, Vector::ZERO);
        let Some(touch) = wheel.enter_triangle(&triangle).filter(|it| 0.0 < it.distance) else {
            continue;
        };
        // No point of the triangle is in the wheel when it has come there.
        let steps = 24;
        let mut nearest = Real::INFINITY;
        for one in 0..=steps {
            for other in 0..=steps - one {
                let [one, other] = [one, other].map(|it| it as Real / steps as Real);
                let [a, b, c] = corners;
                let point = a + (b - a) * one + (c - a) * other;
                nearest = nearest.min(wheel.clearance(point, touch.distance).0);
            }
        }
        let what = format!("case {case}: {wheel:?}, {triangle:?}, {touch:?}");
        assert!(-1e-5 < nearest, "{what}: {nearest} m in the wheel");
        let (gap, _) = wheel.clearance(touch.point, touch.distance);
        assert!(gap.abs() < 1e-4, "{what}: {gap} m from the wheel");
        let flat = triangle.normal().expect("an area").dot(touch.normal).abs();
        let is_at_corner = corners.iter().any(|corner| (*corner - touch.point).length() < 1e-5);
        kinds[if 0.999_99 < flat { 0 } else { 1 + usize::from(is_at_corner) }] += 1;
    }
    assert!(kinds.iter().all(|&count| 20 < count), "{kinds:?}");
}
