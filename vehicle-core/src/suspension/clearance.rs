//! Clearance: how far a wheel at full droop is from its road.

use crate::frame::Frame;
use crate::math::lanes::{Mask, Number, Vector};
use crate::math::{Real, sign};
use crate::mount::WheelTravel;
use crate::plane::{Line, Plane};

/// Height of a wheel's center over the road, in radii, below which the direction to the road is not
/// found from points (dimensionless).
const NEAR_THE_ROAD: Real = 1e-2;
/// Sine of the angle between axle and road normal below which a wheel lies on its side: rounding
/// would decide which way its disk leads down (dimensionless).
const LYING: Real = 1e-4;

/// Clearance of a wheel that meets the road as its radius along the travel direction (m).
///
/// ```text
/// clearance = n·(C - R u sgn(u·n)) + d         with C the center at full droop
/// ```
#[inline]
pub fn ray_clearance<V: Vector>(travel: &WheelTravel<V>, plane: &Plane<V>) -> V::Number {
    let slope = travel.direction.dot(plane.normal);
    let center = travel.droop_center();
    plane.distance(center - travel.direction * (travel.radius * sign(slope)))
}

/// Clearance of a wheel that meets the road as a cylinder with round shoulders (m).
///
/// ```text
/// deepest   = C + (R - ρ) r - ℓ sgn(n·ℓ) (H - ρ)
/// clearance = n·deepest + d - ρ
/// ```
///
/// with `C` the center at full droop, `r` down the wheel's disk, `ℓ` the direction of the axle, `H`
/// half of the width and `ρ` the radius of the shoulders. A ball of this radius that moves all over
/// a smaller cylinder covers the wheel. It holds at any inclination and height of the center.
///
/// A cylinder (`ρ` = 0) stands on an edge as soon as it leans, and its center rises with the angle,
/// to either side. On a tread that is round all across (`ρ` = `H`), the point that touches the road
/// moves steadily from side to side, and the center falls.
#[inline(always)]
pub fn cylinder_clearance<V: Vector>(
    travel: &WheelTravel<V>,
    frame: &Frame,
    road: &Plane<V>,
) -> V::Number {
    let WheelTravel { radius, half_width, shoulder_radius, .. } = *travel;
    let center = travel.droop_center();
    let axle = travel.axle(frame);
    let down = down_the_disk(center, axle, radius, road);
    let rim = center + down * (radius - shoulder_radius);
    let side = sign(road.normal.dot(axle)) * (half_width - shoulder_radius);
    road.distance(rim - axle * side) - shoulder_radius
}

/// Unit vector in a wheel's disk that leads most steeply down to the road; zero for a wheel that
/// lies on its side.
///
/// The wheel's plane meets the road in a line: the vector points to its point nearest to the
/// center, or away from it where the center is below the road. Close to the road, where rounding
/// would decide, it is `normalize(ℓ (n·ℓ) - n)`, which is the same vector.
#[inline]
fn down_the_disk<V: Vector>(center: V, axle: V, radius: V::Number, road: &Plane<V>) -> V {
    let (line, squared) = Line::in_lanes(&Plane::through(center, axle), road);
    let height = road.distance(center);
    let mut down = line.closest_point(center) - center;
    // Most wheels are above the road, far from it, and upright.
    let is_below = !V::Number::zero().is_below(height);
    if is_below.any() {
        down = V::select(is_below, -down, down);
    }
    let is_near = height.abs().is_below(V::Number::splat(NEAR_THE_ROAD) * radius);
    if is_near.any() {
        let steepest = axle * road.normal.dot(axle) - road.normal;
        down = V::select(is_near, steepest, down);
    }
    let unit = down * (V::Number::splat(1.0) / down.length());
    let is_lying = squared.is_below(V::Number::splat(LYING * LYING));
    if is_lying.any() { V::select(is_lying, V::zero(), unit) } else { unit }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::math::{PI, Vec3, rotate};
    use crate::mount::travel_of_a_wheel as travel;

    pub(in crate::suspension) const ROAD: Plane = Plane { normal: Vec3::Z, offset: 0.0 };

    #[test]
    fn cylinder_reaches_to_its_lowest_edge() {
        let roll: Real = 0.3;
        let expected = 0.6 - 0.2 - 0.3 * roll.cos() - 0.1 * roll.sin();
        for roll in [roll, -roll] {
            let clearance = cylinder_clearance(&travel(0.6, roll), &Frame::Z_UP, &ROAD);
            assert!((clearance - expected).abs() < 1e-6, "roll {roll}: {clearance}");
        }
    }

    #[test]
    fn round_shoulders_reach_as_far_as_a_ball_in_the_corner() {
        // (radius of the shoulders, roll, reach from the center)
        let (roll, upright): (Real, Real) = (0.3, 0.0);
        let cases = [
            (0.0, upright, 0.3),
            (0.06, upright, 0.3),
            (0.1, upright, 0.3),
            (0.06, roll, 0.24 * roll.cos() + 0.04 * roll.sin() + 0.06),
            (0.1, roll, 0.2 * roll.cos() + 0.1),
            // On its side.
            (0.06, 0.5 * PI, 0.1),
        ];
        for (shoulder_radius, roll, expected) in cases {
            for roll in [roll, -roll] {
                let travel = WheelTravel { shoulder_radius, ..travel(0.6, roll) };
                let what = format!("shoulders of {shoulder_radius} m, roll {roll}");
                let reach = travel.reach(&Frame::Z_UP, ROAD.normal);
                assert!((reach - expected).abs() < 1e-6, "{what}: {reach}, expected {expected}");
                let clearance = cylinder_clearance(&travel, &Frame::Z_UP, &ROAD);
                assert!((clearance - (0.4 - expected)).abs() < 1e-6, "{what}: {clearance}");
            }
        }
    }

    #[test]
    fn leaning_changes_the_jounce_of_a_round_wheel_steadily_and_kinks_that_of_a_cylinder() {
        let slope = |shoulder_radius, roll: Real| {
            let step = 1e-2;
            let clearance = |roll| {
                let travel = WheelTravel { shoulder_radius, ..travel(0.45, roll) };
                cylinder_clearance(&travel, &Frame::Z_UP, &ROAD)
            };
            (clearance(roll + step) - clearance(roll)) / step
        };
        // H on either side of upright; (R - ρ) sin(roll) on a round tread.
        let kink = |shoulder_radius| slope(shoulder_radius, 0.0) - slope(shoulder_radius, -1e-2);
        assert!((kink(0.0) + 2.0 * 0.1).abs() < 1e-2, "{}", kink(0.0));
        assert!((kink(0.06) + 2.0 * 0.04).abs() < 1e-2, "{}", kink(0.06));
        assert!(kink(0.1).abs() < 1e-2, "{}", kink(0.1));
    }

    #[test]
    fn wheel_with_its_center_in_the_plane_is_still_a_wheel() {
        // The reference loses the radius where the center lies exactly in the plane.
        let near = NEAR_THE_ROAD * 0.3;
        let heights =
            [0.0, 1e-8, -1e-8, 1e-4, -1e-4, near, -near, 1.01 * near, -1.01 * near, 0.2, -0.2];
        let normals = [Vec3::Z, Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.48, -0.36, 0.8)];
        for normal in normals {
            for roll in [0.0, 0.3, -0.3, 1.2, std::f32::consts::FRAC_PI_2] {
                for height in heights {
                    let travel = travel(0.2, roll);
                    let road = Plane::through(travel.droop_center() - normal * height, normal);
                    let clearance = cylinder_clearance(&travel, &Frame::Z_UP, &road);
                    // h - R |n × ℓ| - H |n·ℓ|
                    let axle = rotate(travel.pose.rotation, Vec3::Y);
                    let expected =
                        height - 0.3 * normal.cross(axle).length() - 0.1 * normal.dot(axle).abs();
                    let what = format!("normal {normal}, roll {roll}, height {height}");
                    let error = clearance - expected;
                    assert!(error.abs() < 1e-4, "{what}: {clearance}, not {expected}");
                }
            }
        }
    }
}
