//! Loads of a tire that a road and an obstacle press at the same time.
//!
//! Both press springs of one belt, which give way together: what one of them presses in, the other
//! one finds softer. An edge below the hub so takes over the load of the road, and nothing counts
//! twice.

use super::super::laws::{DampedStop, Stop};
#[cfg(test)]
use super::super::rim::Rim;
use super::super::scalar::{Scalar, Vector3};
use crate::math::lanes::{Mask, Number};
use crate::math::{Clamped, PI, acos_f64, asin_clamped, exp, exp_f64};

/// Stiffness of a tire on an edge, by that on a plane (dimensionless).
const EDGE_STIFFNESS: f64 = 0.68;
/// Stiffness of a rim on an edge, by that on a plane (dimensionless).
const EDGE_RIM: f64 = 0.3;
/// Angle over which a belt takes neighboring springs along, falling by 1/e (rad).
const BELT_ANGLE: f64 = 0.2;
/// Most that one contact is taken along by the other (dimensionless): at the same place both are
/// one.
const MOST_SHARED: f64 = 0.95;

/// Numbers with the functions by which a belt is shared.
pub(crate) trait BeltScalar: Scalar {
    /// Exponential function.
    fn exponential(self) -> Self;

    /// Arc cosine (rad), clamped.
    fn arc_cosine(self) -> Self;
}

impl BeltScalar for f64 {
    #[inline]
    fn exponential(self) -> Self {
        exp_f64(self)
    }

    #[inline]
    fn arc_cosine(self) -> Self {
        acos_f64(self.clamped(-1.0, 1.0))
    }
}

impl<N: Number> BeltScalar for N {
    #[inline]
    fn exponential(self) -> Self {
        exp(self)
    }

    #[inline]
    fn arc_cosine(self) -> Self {
        <N as Number>::splat(0.5 * PI) - asin_clamped(self)
    }
}

/// How deep a tire is pressed (m), how fast that grows (m/s), and along which unit vector it pushes
/// the hub.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pressing<S> {
    pub(crate) depth: S,
    pub(crate) speed: S,
    pub(crate) normal: Vector3<S>,
}

/// A tire as a spring with a rim, on planes and edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TireBody<S> {
    /// Stiffness (N/m).
    pub(crate) stiffness: S,
    /// Springs of the rim, if there is one. The road finds them damped, as everywhere. At an
    /// obstacle it is the bush that gives little back.
    pub(crate) rim: [DampedStop<S>; 2],
    /// Where its tread lies flat enough to grow stiffer, and by how much.
    pub(crate) tread: Stop<S>,
}

/// Load of a tire (N) and its slope (N/m).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Load<S> {
    force: S,
    slope: S,
}

/// Loads of road and obstacle (N), and how they answer to their depths (N/m).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SharedLoads<S> {
    pub(crate) road: S,
    pub(crate) obstacle: S,
    /// Slopes of the road's load and of the obstacle's by their own depths, and by each other's.
    pub(crate) slopes: [S; 2],
    pub(crate) beside: S,
}

/// How much stiffer a tread becomes, by the tire's stiffness (dimensionless).
const TREAD_STIFFNESS: f64 = 0.9;
/// Deflection beyond which it does, by that at rest (dimensionless).
const TREAD_EDGE: f64 = 1.3;

/// A spring that is never met, and such a stop.
#[cfg(test)]
pub(crate) const NO_TREAD: Stop<f64> = Stop { edge: f64::INFINITY, stiffness: 0.0 };
#[cfg(test)]
pub(crate) const NO_RIM: DampedStop<f64> = DampedStop { spring: NO_TREAD, damping_time: 0.0 };

#[cfg(test)]
impl TireBody<f64> {
    /// A tire of this `stiffness` (N/m) on a wheel of this `radius` (m), with a rim.
    fn with_rim(stiffness: f64, radius: f64) -> Self {
        Self { stiffness, rim: Rim::of(radius, stiffness).0, tread: NO_TREAD }
    }
}

impl<S: BeltScalar> TireBody<S> {
    /// A tire of this `stiffness` (N/m) with the springs of a `rim`, under a load at rest (N).
    pub(crate) fn new(stiffness: S, rim: [DampedStop<S>; 2], load: S) -> Self {
        let edge = S::of(TREAD_EDGE) * load / stiffness;
        let tread = Stop { edge, stiffness: S::of(TREAD_STIFFNESS) * stiffness };
        Self { stiffness, rim, tread }
    }

    /// ```text
    /// f(δ) = k δ + 0.9 k (δ - 1.3 δ₀)₊ + Σ rim       on a plane
    /// 0.68 (k δ + 0.9 k (δ - 1.3 δ₀)₊ + 0.3 Σ rim)   on an edge
    /// ```
    ///
    /// with the deflection `δ₀` under the wheel's load at rest, and the springs of the rim less
    /// their `loss`.
    #[inline]
    fn alone(&self, depth: S, is_edge: S::Mask, loss: impl Fn(&DampedStop<S>) -> S) -> Load<S> {
        let (zero, one) = (S::of(0.0), S::of(1.0));
        let part = S::choose(is_edge, S::of(EDGE_STIFFNESS), one);
        let stiffer = self.tread.stiffness.where_true(self.tread.edge.is_less(depth));
        let mut load = Load {
            force: self.stiffness * depth
                + (stiffer * (depth - self.tread.edge)).where_true(self.tread.edge.is_less(depth)),
            slope: self.stiffness + stiffer,
        };
        for rim in &self.rim {
            let is_beyond = rim.spring.edge.is_less(depth);
            if !is_beyond.any() {
                continue;
            }
            let of_rim = S::choose(is_edge, S::of(EDGE_RIM), one);
            let slope = of_rim * (one - loss(rim)) * rim.spring.stiffness;
            load.force = load.force + (slope * (depth - rim.spring.edge)).where_true(is_beyond);
            load.slope = load.slope + slope.where_true(is_beyond);
        }
        let is_pressed = zero.is_less(depth);
        Load {
            force: (part * load.force).where_true(is_pressed),
            slope: (part * load.slope).where_true(is_pressed),
        }
    }

    /// Loads of a `road` and an `obstacle` that press the tire at the same time.
    ///
    /// ```text
    /// N_r = (F_r - g δ_o) / (1 - c²),   N_o = (F_o - g δ_r) / (1 - c²)
    /// c = exp(-β/λ),   cos β = n_r·n_o,   g = c √(F_r/δ_r F_o/δ_o)
    /// ```
    ///
    /// with the loads `F` that they had alone. If one of them pulled, the other one carries all.
    #[inline]
    pub(crate) fn shared(
        &self,
        road: &Pressing<S>,
        obstacle: &Pressing<S>,
        is_edge: S::Mask,
    ) -> SharedLoads<S> {
        let zero = S::of(0.0);
        let loss = |rim: &DampedStop<S>| rim.loss(road.depth - rim.spring.edge, road.speed);
        let on_road = self.alone(road.depth, is_edge & !is_edge, loss);
        let on_obstacle = self.alone(obstacle.depth, is_edge, |_| zero);
        let are_both = zero.is_less(road.depth) & zero.is_less(obstacle.depth);
        if !are_both.any() {
            return SharedLoads {
                road: on_road.force,
                obstacle: on_obstacle.force,
                slopes: [on_road.slope, on_obstacle.slope],
                beside: zero,
            };
        }
        let part = belt_share(road.normal.dot(&obstacle.normal));
        let secants = on_road.force * on_obstacle.force / (road.depth * obstacle.depth);
        let (taken, rest) = (part * secants.square_root(), S::of(1.0) - part * part);
        let of_road = on_road.force - taken * obstacle.depth;
        let of_obstacle = on_obstacle.force - taken * road.depth;
        let has_no_road = are_both & of_road.is_less(zero);
        let has_no_obstacle = are_both & !has_no_road & of_obstacle.is_less(zero);
        let are_shared = are_both & !has_no_road & !has_no_obstacle;
        let part_of = |shared: S, alone: S, is_nothing: S::Mask| {
            S::choose(are_shared, shared / rest, alone.where_true(!is_nothing))
        };
        // Semidefinite.
        let slopes = [on_road.slope, on_obstacle.slope];
        let most = (slopes[0] * slopes[1]).square_root();
        let beside = -(S::choose(most.is_less(taken), most, taken) / rest);
        SharedLoads {
            road: part_of(of_road, on_road.force, has_no_road),
            obstacle: part_of(of_obstacle, on_obstacle.force, has_no_obstacle),
            slopes: [
                part_of(slopes[0], slopes[0], has_no_road),
                part_of(slopes[1], slopes[1], has_no_obstacle),
            ],
            beside: beside.where_true(are_shared),
        }
    }
}

/// How much the belt of a tire takes one contact along with the other, by the cosine of the angle
/// between them (dimensionless).
#[inline]
fn belt_share<S: BeltScalar>(cosine: S) -> S {
    let (part, most) =
        ((-(cosine.arc_cosine() / S::of(BELT_ANGLE))).exponential(), S::of(MOST_SHARED));
    S::choose(most.is_less(part), most, part)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIRE: TireBody<f64> = TireBody { stiffness: 200e3, rim: [NO_RIM; 2], tread: NO_TREAD };

    /// A wheel of 0.3 m whose hub is `height` above a level road, and an edge before it.
    fn pressed(height: f64, [ahead, edge]: [f64; 2]) -> [Pressing<f64>; 2] {
        let from_edge = Vector3([-ahead, 0.0, height - edge]);
        let length = from_edge.length();
        [
            Pressing { depth: 0.3 - height, speed: 0.0, normal: Vector3([0.0, 0.0, 1.0]) },
            Pressing { depth: 0.3 - length, speed: 0.0, normal: from_edge.length_and_unit().1 },
        ]
    }

    #[track_caller]
    fn assert_near(found: f64, expected: f64, error: f64) {
        assert!((found - expected).abs() <= error, "{found}, expected {expected}");
    }

    #[test]
    fn edge_ahead_and_road_push_side_by_side() {
        let [road, edge] = pressed(0.28, [0.20, 0.10]);
        assert_near(edge.depth, 0.030_927_519_1, 1e-10);
        assert_near(edge.normal.0[0], -0.743_294_1, 1e-7);
        assert_near(edge.normal.0[2], 0.668_964_7, 1e-7);
        assert_near(belt_share(road.normal.dot(&edge.normal)), 0.015_147_7, 1e-7);
        assert_near(TIRE.alone(edge.depth, true, |_| 0.0).force, 4_206.142_6, 1e-4);
        let loads = TIRE.shared(&road, &edge, true);
        assert_near(loads.road, 3_923.636_4, 1e-4);
        assert_near(loads.obstacle, 4_157.132_0, 1e-4);
        let force = road.normal * loads.road + edge.normal * loads.obstacle;
        assert_near(force.0[0], -3_089.972, 1e-3);
        assert_near(force.0[2], 6_704.611, 1e-3);
    }

    #[test]
    fn low_edge_shares_the_load_of_the_road() {
        let [road, edge] = pressed(0.28, [0.08, 0.02]);
        assert_near(edge.depth, 0.027_970_589_8, 1e-10);
        assert_near(belt_share(road.normal.dot(&edge.normal)), 0.224_811_1, 1e-7);
        let loads = TIRE.shared(&road, &edge, true);
        assert_near(loads.road, 3_120.658_2, 1e-4);
        assert_near(loads.obstacle, 3_225.480_1, 1e-4);
        let force = road.normal * loads.road + edge.normal * loads.obstacle;
        assert_near(force.0[0], -948.568, 1e-3);
        assert_near(force.0[2], 6_203.504, 1e-3);
    }

    #[test]
    fn edge_below_the_hub_takes_over_the_load() {
        let [road, edge] = pressed(0.29, [0.02, 0.02]);
        assert_near(belt_share(road.normal.dot(&edge.normal)), 0.690_944_9, 1e-7);
        let loads = TIRE.shared(&road, &edge, true);
        assert_eq!(loads.road, 0.0);
        assert_near(loads.obstacle, 3_979.397_1, 1e-4);
        assert_eq!([loads.slopes[0], loads.beside], [0.0; 2]);
    }

    #[test]
    fn rim_carries_what_presses_the_tire_flat() {
        let tire = TireBody::with_rim(200e3, 0.3);
        assert_near(tire.alone(0.1, false, |_| 0.0).force, 58_400.0, 1e-6);
    }

    #[test]
    fn rim_gives_little_back_to_the_road() {
        let rim = Rim::of(0.3, 200e3).below(400.0).0;
        let tire = TireBody { rim, ..TireBody::with_rim(200e3, 0.3) };
        let load = |speed| {
            let normal = Vector3([0.0, 0.0, 1.0]);
            let road = Pressing { depth: 0.1, speed, normal };
            tire.shared(&road, &Pressing::default(), false).road
        };
        assert_near(load(1.0), 58_400.0, 1e-6);
        // 20 kN of the tire, and a tenth of the rim.
        assert_near(load(-5.0), 23_840.0, 1e-6);
    }

    #[test]
    fn slopes_are_those_of_the_loads() {
        let tire = TireBody::with_rim(200e3, 0.3);
        let step = 1e-7;
        for ([height, ahead, edge], kind) in
            [([0.28, 0.20, 0.10], true), ([0.27, 0.08, 0.02], true), ([0.28, 0.20, 0.10], false)]
        {
            let [road, obstacle] = pressed(height, [ahead, edge]);
            let loads = tire.shared(&road, &obstacle, kind);
            let deeper = Pressing { depth: road.depth + step, ..road };
            let change = tire.shared(&deeper, &obstacle, kind).road - loads.road;
            assert_near(change / step, loads.slopes[0], 1.0);
            let deeper = Pressing { depth: obstacle.depth + step, ..obstacle };
            let change = tire.shared(&road, &deeper, kind).obstacle - loads.obstacle;
            assert_near(change / step, loads.slopes[1], 1.0);
        }
    }
}
