//! Where a wheel with mass meets its road: as a tire that gives way.

use super::laws::{Piece, StrutLaws};
use super::scalar::{Scalar, Vector3};
use super::tire_spring::TireSpring;
use crate::road::LEAST_SLOPE;

/// The road under a wheel, as a plane `n·x + offset = 0`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RidePlane<S> {
    /// Unit normal.
    pub normal: Vector3<S>,
    /// Offset (m).
    pub offset: S,
    /// Velocity of the ground (m/s).
    pub velocity: Vector3<S>,
}

impl<S: Scalar> RidePlane<S> {
    /// Distance of `point` above the plane (m); negative below.
    #[inline]
    pub fn distance(&self, point: &Vector3<S>) -> S {
        self.normal.dot(point) + self.offset
    }

    /// Whether a suspension that travels along `direction` can stand on it.
    #[inline]
    pub fn is_road(&self, direction: &Vector3<S>) -> S::Mask {
        !(S::of(-LEAST_SLOPE)).is_less(self.normal.dot(direction))
    }
}

/// The lowest point of a wheel and how deep it is below its road.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RideContact<S> {
    /// Where the road acts: the lowest point, if it is below the road moved up along the travel
    /// onto it.
    pub point: Vector3<S>,
    /// Deflection of the tire along the road's normal (m); negative in the air.
    pub deflection: S,
}

/// The contact of a wheel that meets the road along its travel.
///
/// ```text
/// B = C + u R,   δ = -(n·B + d),   point = B + u max(0, δ) / (n·u)
/// ```
#[inline]
pub fn ray_contact<S: Scalar>(
    center: &Vector3<S>,
    direction: &Vector3<S>,
    radius: S,
    plane: &RidePlane<S>,
) -> RideContact<S> {
    let bottom = *center + *direction * radius;
    let deflection = -plane.distance(&bottom);
    on_plane(&bottom, deflection, direction, plane)
}

/// The contact of a wheel with the shape of a cylinder with shoulders.
///
/// ```text
/// s = n·ℓ,   δ = (R - ρ) √(1 - s²) + (H - ρ) |s| + ρ - (n·C + d)
/// ```
///
/// with `ℓ` the direction of the axle, `H` half of the width and `ρ` the radius of the shoulders.
/// The road acts in the wheel's middle plane: the edge of the tread that is lower changes with the
/// smallest tilt.
#[inline]
pub fn cylinder_contact<S: Scalar>(
    center: &Vector3<S>,
    direction: &Vector3<S>,
    axle: &Vector3<S>,
    [radius, half_width, shoulder_radius]: [S; 3],
    plane: &RidePlane<S>,
) -> RideContact<S> {
    let zero = S::of(0.0);
    let across = plane.normal.dot(axle);
    let in_disk = plane.normal - *axle * across;
    let length = in_disk.length();
    let (core, side) = (radius - shoulder_radius, half_width - shoulder_radius);
    let reach = S::choose(zero.is_less(length), core / length, zero);
    let rim = *center - in_disk * reach - plane.normal * shoulder_radius;
    let width = side * across.larger(-across) + shoulder_radius;
    let deflection = core * length + width - plane.distance(center);
    on_plane(&rim, deflection, direction, plane)
}

/// `lowest` where it is above the plane, moved along `direction` onto the plane where the tire
/// gives way.
#[inline]
fn on_plane<S: Scalar>(
    lowest: &Vector3<S>,
    deflection: S,
    direction: &Vector3<S>,
    plane: &RidePlane<S>,
) -> RideContact<S> {
    let is_below = S::of(0.0).is_less(deflection) & plane.is_road(direction);
    let along = -plane.distance(lowest) / plane.normal.dot(direction);
    RideContact { point: *lowest + (*direction * along).where_true(is_below), deflection }
}

/// The jounce of a wheel that has just found a road of a deflection `δ` above its lowest point (m):
/// it is placed on it.
///
/// ```text
/// j + max(0, δ) / |n·u|
/// ```
#[inline]
pub fn placed_jounce<S: Scalar>(
    jounce: S,
    deflection: S,
    direction: &Vector3<S>,
    normal: &Vector3<S>,
) -> S {
    let slope = -normal.dot(direction);
    jounce + (deflection / slope).where_true(S::of(0.0).is_less(deflection))
}

/// The jounce at which a wheel of this `weight` along its travel (N) rests between spring and tire,
/// if the tire gives way by nothing at the jounce `placed` (m).
///
/// ```text
/// k_t (j_p - j) = k j + f_0 + m g·u
/// ```
///
/// on the piece of the spring at `j_p`; between full droop and `j_p`.
#[inline]
pub fn resting_jounce<S: Scalar>(
    placed: S,
    weight: S,
    laws: &StrutLaws<S>,
    tire: &TireSpring<S>,
) -> S {
    let Piece { slope, offset } = laws.spring.piece(placed);
    let resting = (tire.stiffness * placed - weight - offset) / (tire.stiffness + slope);
    S::choose(resting.is_less(placed), resting.larger(S::of(0.0)), placed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suspension::unsprung::laws::SpringLaw;

    fn plane(normal: [f64; 3], offset: f64) -> RidePlane<f64> {
        RidePlane { normal: Vector3(normal), offset, velocity: Vector3::zero() }
    }

    #[test]
    fn tire_gives_way_along_the_normal_and_stands_along_its_travel() {
        let down = Vector3([0.0, 0.0, -1.0]);
        let contact =
            ray_contact(&Vector3([1.0, 0.0, 0.3]), &down, 0.32, &plane([0.6, 0.0, 0.8], -0.6));
        // Bottom (1, 0, -0.02): 0.6 - 0.016 - 0.6 = -0.016; up by 0.016 / 0.8 = 0.02
        assert!((contact.deflection - 0.016).abs() < 1e-12, "{contact:?}");
        assert!(contact.point.0[2].abs() < 1e-12, "{contact:?}");
    }

    #[test]
    fn leaning_cylinder_stands_on_its_edge() {
        let (down, axle) = (Vector3([0.0, 0.0, -1.0]), Vector3([0.0, 0.8, 0.6]));
        let level = plane([0.0, 0.0, 1.0], 0.0);
        let contact =
            cylinder_contact(&Vector3([0.0, 0.0, 0.3]), &down, &axle, [0.3, 0.1, 0.0], &level);
        // 0.3 · 0.8 + 0.1 · 0.6 - 0.3
        assert!(contact.deflection.abs() < 1e-12, "{contact:?}");
        let upright = Vector3([0.0, 1.0, 0.0]);
        let contact =
            cylinder_contact(&Vector3([0.0, 0.0, 0.29]), &down, &upright, [0.3, 0.1, 0.0], &level);
        assert!((contact.deflection - 0.01).abs() < 1e-12, "{contact:?}");
        assert!(contact.point.0[2].abs() < 1e-12, "{contact:?}");
    }

    #[test]
    fn new_road_takes_its_wheel_along() {
        let (down, up) = (Vector3([0.0, 0.0, -1.0]), Vector3([0.0, 0.6, 0.8]));
        assert!((placed_jounce(0.1, 0.04, &down, &up) - 0.15_f64).abs() < 1e-12);
        assert_eq!(placed_jounce(0.1, -0.04, &down, &up), 0.1);
        assert!(!plane([1.0, 0.0, 0.0], 0.0).is_road(&down));
    }

    #[test]
    fn wheel_rests_where_tire_and_spring_push_alike() {
        let spring = SpringLaw::through(|_| &[(0.0, 0.0), (0.1, 2_000.0), (0.2, 6_000.0)]);
        let laws = StrutLaws { spring, ..StrutLaws::default() };
        let tire = TireSpring { stiffness: 200e3, damping: 0.0 };
        for (placed, weight) in [(0.15, 400.0), (0.05, 400.0), (0.05, -400.0), (1e-3, 400.0)] {
            let rest: f64 = resting_jounce(placed, weight, &laws, &tire);
            let spring = laws.spring.piece(placed).at(rest);
            let error = tire.stiffness * (placed - rest) - spring - weight;
            let hangs = rest == 0.0 && error < 0.0;
            let is_held = rest == placed && 0.0 < error;
            assert!(hangs || is_held || error.abs() < 1e-6, "{placed} m, {weight} N: {rest} m");
        }
    }
}
