//! Four rays on a box at once.
//!
//! Parry's ray on a box, in lanes: each number is computed as there, bit by bit. What hardly ever
//! happens, such as a ray through an edge, is left to parry.

use rapier3d::prelude::*;
use vehicle_core::math::lanes::{Mask4, Number, Real4, Vec3x4, Vector as _};
use vehicle_core::suspension::WheelTravel;

/// Four rays, of a length each (m).
#[derive(Clone, Copy)]
pub(super) struct FourRays {
    /// Where they start (m).
    pub(super) origins: Vec3x4,
    /// Their unit vectors.
    pub(super) directions: Vec3x4,
    pub(super) lengths: Real4,
}

/// How rays cross a box, as distances along them (m).
struct Crossing {
    enters: Real4,
    leaves: Real4,
    /// The axis along which each ray enters.
    axes: [Mask4; 3],
    /// Whether each ray passes by the box.
    misses: Mask4,
    /// Whether each ray is one of those that are left to parry.
    is_odd: Mask4,
}

/// Hits of four rays on a box.
#[derive(Clone, Copy)]
pub(super) struct FourHits {
    /// Which of them meet it; none of those that are left to parry.
    pub(super) meets: Mask4,
    /// How far away (m).
    pub(super) distances: Real4,
    /// Normals of the faces that they meet; zero for one that starts in the box.
    pub(super) normals: Vec3x4,
}

impl FourRays {
    /// The rays down through wheels on their paths.
    #[inline]
    pub(super) fn of(travel: &WheelTravel<Vec3x4>) -> Self {
        let (origins, directions) = (travel.ray_start(), travel.direction);
        Self { origins, directions, lengths: travel.ray_length() }
    }

    /// Hits of the rays on a box of these half extents (m) at `pose`, within their lengths, if they
    /// meet the `bounds` of its collider.
    #[inline]
    pub(super) fn met_of_box(&self, bounds: &Aabb, half_extents: Vector, pose: &Pose) -> FourHits {
        let outer = Crossing::of(self.origins, self.directions, bounds.mins, bounds.maxs);
        let inverse = pose.rotation.inverse();
        let from_center = self.origins - Vec3x4::splat(pose.translation);
        let (origins, directions) =
            (turned(inverse, from_center), turned(inverse, self.directions));
        let inner = Crossing::of(origins, directions, -half_extents, half_extents);
        let zero = Real4::zero();
        let (start, end) = (outer.enters.at_least(zero), outer.leaves.at_most(self.lengths));
        let meets_bounds = !outer.misses & start.is_at_most(end) & start.is_below(self.lengths);
        let is_crossed = !inner.misses & inner.enters.is_at_most(inner.leaves);
        let starts_inside = inner.enters.is_below(zero);
        let distance = inner.enters.at_least(zero);
        let meets = meets_bounds
            & is_crossed
            & zero.is_at_most(inner.leaves)
            & distance.is_below(self.lengths)
            & !(outer.is_odd | inner.is_odd);
        let normals = turned(pose.rotation, inner.faces(directions));
        let normals = Vec3x4::select(starts_inside, Vec3x4::zero(), normals);
        FourHits { meets, distances: distance, normals }
    }
}

impl Crossing {
    /// How rays cross the box between `mins` and `maxs` (m).
    #[inline]
    fn of(origins: Vec3x4, directions: Vec3x4, mins: Vector, maxs: Vector) -> Self {
        let most = Real4::splat(Real::MAX);
        let none = Mask4::default();
        let mut crossing =
            Self { enters: -most, leaves: most, axes: [none; 3], misses: none, is_odd: none };
        let ([x, y, z], [along_x, along_y, along_z]) =
            (origins.components(), directions.components());
        crossing.cut(0, x, along_x, [Real4::splat(mins.x), Real4::splat(maxs.x)]);
        crossing.cut(1, y, along_y, [Real4::splat(mins.y), Real4::splat(maxs.y)]);
        crossing.cut(2, z, along_z, [Real4::splat(mins.z), Real4::splat(maxs.z)]);
        // A direction of no length enters nowhere.
        crossing.is_odd = crossing.is_odd | crossing.enters.is_at_most(-most);
        crossing
    }

    /// Cuts the rays by the two sides of the box across `axis`.
    #[inline]
    fn cut(&mut self, axis: usize, origin: Real4, direction: Real4, [min, max]: [Real4; 2]) {
        let is_parallel = direction.is_equal(Real4::zero());
        let is_outside = origin.is_below(min) | max.is_below(origin);
        self.misses = self.misses | (is_parallel & is_outside);
        let inverse = Real4::splat(1.0) / direction;
        let (first, second) = ((min - origin) * inverse, (max - origin) * inverse);
        let (near, far) = (first.at_most(second), first.at_least(second));
        let most = Real4::splat(Real::MAX);
        let is_finite = near.abs().is_at_most(most) & far.abs().is_at_most(most);
        let is_tied = near.is_equal(self.enters);
        self.is_odd = self.is_odd | (!is_parallel & (is_tied | !is_finite));
        let is_later = !is_parallel & self.enters.is_below(near);
        for (other, is_entered) in self.axes.iter_mut().enumerate() {
            *is_entered = if other == axis { is_later } else { *is_entered & !is_later };
        }
        self.enters = Number::select(is_later, near, self.enters);
        self.leaves = Number::select(!is_parallel & far.is_below(self.leaves), far, self.leaves);
    }

    /// The normals of the faces by which rays of these `directions` enter.
    #[inline]
    fn faces(&self, directions: Vec3x4) -> Vec3x4 {
        let (zero, one) = (Real4::zero(), Real4::splat(1.0));
        let towards = |is_entered: Mask4, direction: Real4| {
            let sign = Number::select(direction.is_below(zero), one, -one);
            Number::select(is_entered, sign, zero)
        };
        let ([x, y, z], [along_x, along_y, along_z]) = (self.axes, directions.components());
        Vec3x4::new(towards(x, along_x), towards(y, along_y), towards(z, along_z))
    }
}

/// `vectors` turned by a rotation (q, w), as parry's numbers are, but for the signs of zeros.
///
/// ```text
/// v (w² - q·q) + q (2 v·q) + q × v (2 w)
/// ```
#[inline]
fn turned(rotation: Rotation, vectors: Vec3x4) -> Vec3x4 {
    // Most boxes on which vehicles drive lie along the axes of the world.
    if rotation == Rotation::IDENTITY {
        return vectors;
    }
    let axis = Vec3x4::splat(Vector::new(rotation.x, rotation.y, rotation.z));
    let (w, two) = (Real4::splat(rotation.w), Real4::splat(2.0));
    vectors * (w * w - axis.dot(axis))
        + axis * (vectors.dot(axis) * two)
        + axis.cross(vectors) * (w * two)
}

#[cfg(test)]
mod tests {
    use snippets::noise::Noise;
    use vehicle_core::math::lanes::{Lanes, Mask};

    use super::*;

    impl FourRays {
        fn along(rays: &[Ray; 4], lengths: Real4) -> Self {
            Self {
                origins: Vec3x4::from_lanes(|lane| rays[lane].origin),
                directions: Vec3x4::from_lanes(|lane| rays[lane].dir),
                lengths,
            }
        }
    }

    /// Parry's hit of one ray, as a search of the world would ask for it.
    fn alone(
        shape: &Cuboid,
        bounds: &Aabb,
        pose: &Pose,
        ray: &Ray,
        length: Real,
    ) -> Option<RayIntersection> {
        let to_bounds = bounds.cast_local_ray(ray, length, true)?;
        let met = shape.cast_ray_and_get_normal(pose, ray, length, true)?;
        (to_bounds < length && met.time_of_impact < length).then_some(met)
    }

    #[test]
    fn four_rays_meet_what_each_meets_alone() {
        let mut noise = Noise(7);
        let mut counts = [0; 4];
        for round in 0..20_000 {
            let mut vector = |size| noise.vector(size);
            let shape = Cuboid::new(vector(4.0).abs() + Vector::splat(0.1));
            let turn = if round % 3 == 0 { Vector::ZERO } else { vector(2.0) };
            let pose = Pose::new(vector(3.0), turn);
            let bounds = shape.compute_aabb(&pose);
            let rays = [0, 1, 2, 3].map(|lane| {
                // Also straight down, along an axis and from within.
                let direction = match (round + lane) % 4 {
                    0 => Vector::NEG_Y,
                    1 => Vector::new(0.0, -0.8, 0.6),
                    _ => vector(1.0).normalize(),
                };
                Ray::new(vector(6.0), direction)
            });
            let lengths = Real4::from_lanes(|lane| 1.0 + 2.0 * lane as Real);
            let four = FourRays::along(&rays, lengths);
            let met = four.met_of_box(&bounds, shape.half_extents, &pose);
            for (lane, ray) in rays.iter().enumerate() {
                let expected = alone(&shape, &bounds, &pose, ray, lengths.lane(lane));
                let bits = |hit: &RayIntersection| (hit.time_of_impact.to_bits(), hit.normal);
                let found = (met.distances.lane(lane).to_bits(), met.normals.lane(lane));
                let found = met.meets.lane(lane).then_some(found);
                if expected.is_some() && found.is_none() {
                    // Left to parry.
                    counts[3] += 1;
                    continue;
                }
                assert_eq!(found, expected.as_ref().map(bits), "{round}, {lane}");
                let kind = expected.map_or(0, |hit| 1 + usize::from(hit.time_of_impact == 0.0));
                counts[kind] += 1;
            }
        }
        assert!(counts.iter().take(3).all(|&count| 1_000 < count), "{counts:?}");
        assert!(counts[3] < 100, "{counts:?}");
    }

    #[test]
    fn rays_through_edges_and_rays_of_no_direction_are_left_to_parry() {
        let shape = Cuboid::new(Vector::ONE);
        let bounds = shape.compute_aabb(&Pose::IDENTITY);
        let far = Ray::new(Vector::splat(5.0), Vector::NEG_Y);
        for odd in [
            Ray::new(Vector::new(2.0, 2.0, 0.0), Vector::new(-1.0, -1.0, 0.0)),
            Ray::new(Vector::ZERO, Vector::ZERO),
            Ray::new(Vector::NAN, Vector::NEG_Y),
        ] {
            let four = FourRays::along(&[far, odd, far, far], Real4::splat(9.0));
            let met = four.met_of_box(&bounds, shape.half_extents, &Pose::IDENTITY);
            assert!(!met.meets.any());
        }
    }
}
