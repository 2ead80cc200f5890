//! Swept wheels on boxes, against a fine search.

use snippets::noise::Noise;

use vehicle_core::math::Clamped;

use super::*;

fn wide(vector: Vector) -> [f64; 3] {
    vector.to_array().map(f64::from)
}

/// How far a plane of normal `n` says that a sweep is free (m), in double precision.
fn free(wheel: &SweptWheel, half_extents: Vector, n: [f64; 3]) -> f64 {
    let [center, direction, axle, half] =
        [wheel.center, wheel.direction, wheel.axle, half_extents].map(wide);
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let [radius, half_width, shoulder] =
        [wheel.radius, wheel.half_width, wheel.shoulder_radius].map(f64::from);
    let along = dot(n, axle);
    let across = (dot(n, n) - along * along / dot(axle, axle)).max(0.0).sqrt();
    let wheel_reach = radius * across + half_width * along.abs() + shoulder * dot(n, n).sqrt();
    let box_reach: f64 = (0..3).map(|i| (n[i] * half[i]).abs()).sum();
    (dot(n, center) - box_reach - wheel_reach) / -dot(n, direction)
}

/// The largest free distance of a sweep over all normals, by a search that knows nothing of faces,
/// edges and corners. It tries a grid of normals, and ever finer ones around the best. It may miss
/// a ridge.
fn searched(wheel: &SweptWheel, half_extents: Vector) -> f64 {
    let (first, second) = wheel.direction.any_orthonormal_pair();
    let [first, second, direction] = [first, second, wheel.direction].map(wide);
    // The plane of all n with -n·d = 1, seen from infinity by two angles.
    let free = |x: f64, y: f64| {
        let tilt = |i: usize| first[i] * x.tan() + second[i] * y.tan();
        free(wheel, half_extents, std::array::from_fn(|i| tilt(i) - direction[i]))
    };
    let (mut best, mut at, mut size) = (f64::NEG_INFINITY, [0.0, 0.0], 1.5);
    for _ in 0..60 {
        let middle = at;
        for i in -8..=8 {
            for j in -8..=8 {
                let place = [i, j].map(|step| f64::from(step) / 8.0 * size);
                let [x, y] = [0, 1].map(|axis| (middle[axis] + place[axis]).clamped(-1.57, 1.57));
                let found = free(x, y);
                if best < found {
                    (best, at) = (found, [x, y]);
                }
            }
        }
        size *= 0.6;
    }
    best
}

/// How deep points on the edges of a box get into a wheel on its way of 3 m (m).
fn depth_of_edges(wheel: &SweptWheel, half_extents: Vector) -> Real {
    let points = edges(half_extents).flat_map(|edge| {
        (-50..=50)
            .map(move |step| edge.middle + edge.along * (edge.half_length / 50.0 * step as Real))
    });
    let depth = |point| {
        let gaps = (0..600).map(move |step| wheel.clearance(point, 5e-3 * step as Real).0);
        -gaps.fold(Real::INFINITY, Real::min)
    };
    points.map(depth).fold(Real::NEG_INFINITY, Real::max)
}

/// A wheel near the top of a box, its edges and corners, swept roughly downwards.
fn random(noise: &mut Noise, half_extents: Vector) -> SweptWheel {
    let kind = noise.within(0.0, 3.0) as usize;
    let shoulder = [0.0, 0.04, 0.12][kind];
    let direction = if noise.within(0.0, 1.0) < 0.3 {
        Vector::NEG_Y
    } else {
        (Vector::NEG_Y + noise.vector(0.6)).normalize()
    };
    let lean = [0.0, 0.1, 0.7][noise.within(0.0, 3.0) as usize];
    let axle = (Vector::X + noise.vector(lean)).normalize();
    let beside = noise.vector(1.0) * Vector::new(0.5, 0.0, 0.5);
    let corner = half_extents * Vector::new(1.0, 1.0, noise.within(-1.0, 1.0).signum());
    let middle = noise.within(0.0, 1.0) < 0.5;
    let place = if middle { corner * Vector::new(1.0, 1.0, 0.0) } else { corner };
    let center = place + beside + Vector::Y * noise.within(0.4, 0.8);
    let (radius, half_width) = (0.35 - shoulder, 0.12 - shoulder);
    SweptWheel { center, direction, axle, radius, half_width, shoulder_radius: shoulder }
}

#[test]
fn sweeps_meet_boxes_where_a_search_over_all_normals_says() {
    let mut noise = Noise(3);
    let mut counts = [0; 4];
    for (size, tolerance) in
        [(0.05, 3e-6), (0.5, 3e-6), (20.0, 6e-6), (450.0, 1.5e-4), (5e3, 1.5e-3)]
    {
        for case in 0..400 {
            let shape = [Vector::ONE, Vector::new(1.0, 0.1, 0.7)][case % 2];
            let half_extents = shape * size;
            let wheel = random(&mut noise, half_extents);
            let expected = searched(&wheel, half_extents);
            let found = wheel.enter_box(half_extents);
            let what = format!("{size} m, case {case}: {wheel:?}, {found:?}, {expected}");
            let Some(found) = found.filter(|found| found.distance < 3.0) else {
                // The search may miss that it is without end; then the wheel must pass by.
                assert!(2.9 < expected || depth_of_edges(&wheel, half_extents) < 1e-4, "{what}");
                counts[0] += 1;
                continue;
            };
            // No plane says more, and its own says as much.
            let distance = f64::from(found.distance);
            let own = free(&wheel, half_extents, wide(found.normal));
            assert!(expected < distance + tolerance, "{what}");
            assert!(distance < own + tolerance, "{what}: its normal says {own} m");
            let smooth = (0..3).filter(|&axis| 1e-5 < found.normal[axis].abs()).count();
            counts[smooth] += 1;
            // The point is on the box, and on the wheel where it touches.
            let beyond = (found.point.abs() - half_extents).max_element();
            assert!(beyond <= tolerance as Real, "{what}: {beyond} m");
            let (gap, _) = wheel.clearance(found.point, found.distance);
            assert!(gap.abs() < 2.0 * tolerance as Real, "{what}: {gap} m from the wheel");
        }
    }
    assert!(counts.iter().all(|&count| 100 < count), "{counts:?}");
}

/// A wheel that just grazes the top of a box rolls over its edge: its front is no wall to it.
#[test]
fn a_wheel_that_grazes_a_box_does_not_meet_its_front() {
    for (shoulder_radius, turn) in [(0.0, 0.0), (0.04, 0.0), (0.0, 0.3), (0.04, 0.5)] {
        for (size, lift) in [(1.0, 0.2), (0.37, 0.2), (1.0, 7.3)] {
            let half_extents = Vector::new(8.0, lift, 1.0) * size;
            let radius = 0.3 * size;
            let level = half_extents.y + radius;
            for step in -40_i32..=40 {
                let height = level * (1.0 + step as Real * 0.5 * Real::EPSILON);
                let turn = Rotation::from_rotation_y(turn);
                let wheel = SweptWheel {
                    center: Vector::new(0.0, height, 3.0 * size),
                    direction: turn * Vector::NEG_Z,
                    axle: turn * Vector::X,
                    radius: radius - shoulder_radius * size,
                    half_width: (0.1 - shoulder_radius) * size,
                    shoulder_radius: shoulder_radius * size,
                };
                if let Some(touch) = wheel.enter_box(half_extents) {
                    let what = format!("{size} {lift} {shoulder_radius} {step}: {touch:?}");
                    assert!(0.9 < touch.normal.y || touch.distance <= 0.0, "{what}");
                }
            }
        }
    }
}
