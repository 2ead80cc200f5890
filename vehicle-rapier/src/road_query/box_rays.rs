//! Four rays on a box at once.
//!
//! The same as parry's ray on a box, in lanes: each number is computed as there, bit by bit. What
//! hardly ever happens, such as a ray through an edge, is left to parry.

use rapier3d::prelude::*;
use vehicle_core::math::lanes::{Lanes, Mask, Mask4, Number, Real4};

/// Four rays, of a length each (m).
#[derive(Clone, Copy)]
pub(super) struct FourRays {
    pub(super) rays: [Ray; 4],
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

/// What a ray meets of a box: nothing, or a face at a distance (m).
type BoxHit = Option<RayIntersection>;

impl FourRays {
    /// What the rays meet of a box of these half extents (m) at `pose`, within their lengths, if they
    /// meet the `bounds` of its collider; `None` if one of them is left to parry.
    pub(super) fn met_of_box(
        &self,
        bounds: &Aabb,
        half_extents: Vector,
        pose: &Pose,
    ) -> Option<[BoxHit; 4]> {
        let outer = Crossing::of(&self.rays, bounds.mins, bounds.maxs);
        let inverse = pose.rotation.inverse();
        let in_box = |lane: usize| {
            let Ray { origin, dir } = self.rays[lane];
            Ray::new(inverse * (origin - pose.translation), inverse * dir)
        };
        let local = [in_box(0), in_box(1), in_box(2), in_box(3)];
        let inner = Crossing::of(&local, -half_extents, half_extents);
        if (outer.is_odd | inner.is_odd).any() {
            return None;
        }
        let zero = Real4::zero();
        let (start, end) = (outer.enters.at_least(zero), outer.leaves.at_most(self.lengths));
        let meets_bounds = !outer.misses & start.is_at_most(end) & start.is_below(self.lengths);
        let is_crossed = !inner.misses & inner.enters.is_at_most(inner.leaves);
        let starts_inside = inner.enters.is_below(zero);
        let distance = inner.enters.at_least(zero);
        let meets = meets_bounds
            & is_crossed
            & zero.is_at_most(inner.leaves)
            & distance.is_below(self.lengths);
        let hit = |lane: usize| {
            meets.lane(lane).then(|| {
                let normal = if starts_inside.lane(lane) {
                    Vector::ZERO
                } else {
                    pose.rotation * inner.face(lane, &local[lane])
                };
                RayIntersection::new(distance.lane(lane), normal, FeatureId::Unknown)
            })
        };
        Some([hit(0), hit(1), hit(2), hit(3)])
    }
}

impl Crossing {
    /// How `rays` cross the box between `mins` and `maxs` (m).
    #[inline]
    fn of(rays: &[Ray; 4], mins: Vector, maxs: Vector) -> Self {
        let most = Real4::splat(Real::MAX);
        let none = Mask4::default();
        let mut crossing =
            Self { enters: -most, leaves: most, axes: [none; 3], misses: none, is_odd: none };
        let number = |value: fn(&Ray) -> Real| Real4::from_lanes(|lane| value(&rays[lane]));
        let along = [
            (number(|ray| ray.origin.x), number(|ray| ray.dir.x), mins.x, maxs.x),
            (number(|ray| ray.origin.y), number(|ray| ray.dir.y), mins.y, maxs.y),
            (number(|ray| ray.origin.z), number(|ray| ray.dir.z), mins.z, maxs.z),
        ];
        for (axis, (origin, direction, min, max)) in along.into_iter().enumerate() {
            crossing.cut(axis, origin, direction, [min, max].map(Real4::splat));
        }
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

    /// The normal of the face by which `ray` in `lane` enters.
    fn face(&self, lane: usize, ray: &Ray) -> Vector {
        let towards = |axis: usize, direction: Real| {
            let sign = if direction < 0.0 { 1.0 } else { -1.0 };
            if self.axes[axis].lane(lane) { sign } else { 0.0 }
        };
        Vector::new(towards(0, ray.dir.x), towards(1, ray.dir.y), towards(2, ray.dir.z))
    }
}

#[cfg(test)]
mod tests {
    use snippets::noise::Noise;

    use super::*;

    /// What parry says of one ray, as a search of the world would ask it.
    fn alone(shape: &Cuboid, bounds: &Aabb, pose: &Pose, ray: &Ray, length: Real) -> BoxHit {
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
            let four = FourRays { rays, lengths };
            let Some(met) = four.met_of_box(&bounds, shape.half_extents, &pose) else {
                counts[3] += 1;
                continue;
            };
            for (lane, met) in met.iter().enumerate() {
                let expected = alone(&shape, &bounds, &pose, &rays[lane], lengths.lane(lane));
                let bits = |hit: &RayIntersection| (hit.time_of_impact.to_bits(), hit.normal);
                assert_eq!(met.as_ref().map(bits), expected.as_ref().map(bits), "{round}, {lane}");
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
            let four = FourRays { rays: [far, odd, far, far], lengths: Real4::splat(9.0) };
            assert!(four.met_of_box(&bounds, shape.half_extents, &Pose::IDENTITY).is_none());
        }
    }
}
