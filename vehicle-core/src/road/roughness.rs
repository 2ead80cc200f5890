//! Rough roads: random heights of a spectral density, after ISO 8608.
//!
//! ```text
//! G(n) = G₀ (n/n₀)⁻²,   n₀ = 0.1 1/m
//! ```
//!
//! with `n` the spatial frequency (1/m). Heights are sums of waves, one of each narrow band of
//! frequencies, whose frequencies and phases a seed chooses: the same on every machine.

use serde::{Deserialize, Serialize};

use super::{RoadContact, RoadProbe, RoadSurface};
use crate::error::{ParamCheck, Validate};
use crate::frame::Frame;
use crate::math::noise::Noise;
use crate::math::{PI, Real, TAU, Vec3, power, sin_cos};
use crate::plane::Plane;

/// Spatial frequencies of which roads consist (1/m).
const FREQUENCIES: [Real; 2] = [0.02, 2.0];

/// Spatial frequency of the density (1/m).
const REFERENCE: Real = 0.1;

/// How many waves a profile has, and how many a surface.
const WAVES: [usize; 2] = [200, 96];

/// Densities of roads, from a mirror to a field (m³).
const DENSITIES: [Real; 2] = [1e-8, 1.0];

/// How often a ray that has met the surface is led back to it: the slopes are small.
const STEPS: usize = 3;

/// Roughness of a road, and which of all roads of this roughness it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roughness {
    /// Density `G₀` of the displacement at 0.1 cycles per meter (m³), within 1e-8 and 1.
    pub density: Real,
    /// Seed.
    pub seed: u64,
}

/// Class of a road after ISO 8608, from very good to impassable at speed. Roads of motorways are
/// of class A or B, broken ones of D and E, fields of F and above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RoughnessClass {
    /// 16e-6 m³, a new motorway.
    A,
    /// 64e-6 m³, a good road.
    B,
    /// 256e-6 m³, a worn road.
    C,
    /// 1.02e-3 m³, a broken road or good gravel.
    D,
    /// 4.1e-3 m³, a bad track.
    E,
    /// 16e-3 m³, a field.
    F,
    /// 66e-3 m³, rough ground.
    G,
    /// 0.26 m³, hardly to be driven on.
    H,
}

impl RoughnessClass {
    /// All classes, the smoothest first.
    pub const ALL: [Self; 8] =
        [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H];

    /// Density in the middle of the class (m³): 16e-6 in A, and four times as much in each class
    /// that follows.
    pub fn density(self) -> Real {
        16e-6 * (1_u32 << (2 * self as u32)) as Real
    }

    /// A road in the middle of the class.
    pub fn road(self, seed: u64) -> Roughness {
        Roughness { density: self.density(), seed }
    }
}

impl Validate for Roughness {
    fn check(&self, check: &mut ParamCheck) {
        let [low, high] = DENSITIES;
        check.finite_within("density", self.density, low, high);
    }
}

/// A wave of a band of frequencies.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wave {
    /// Height of its crests (m).
    size: Real,
    /// Spatial frequency (1/m).
    frequency: Real,
    /// Phase (rad).
    phase: Real,
}

/// Waves of a profile of this roughness, one of each of `count` bands.
///
/// ```text
/// a = √(2 G(n) Δn)
/// ```
fn waves(roughness: &Roughness, count: usize, random: &mut Noise) -> Vec<Wave> {
    let [low, high] = FREQUENCIES;
    let growth = power(high / low, 1.0 / count as Real);
    let mut edge = low;
    let mut wave = || {
        let next = edge * growth;
        let frequency = edge + (next - edge) * random.next();
        let ratio = REFERENCE / frequency;
        let density = roughness.density * (ratio * ratio);
        let size = (2.0 * density * (next - edge)).sqrt();
        edge = next;
        Wave { size, frequency, phase: TAU * random.next() }
    };
    (0..count).map(|_| wave()).collect()
}

/// The profile of a rough road along one line.
///
/// ```
/// use vehicle_core::road_geometry::{RoughProfile, RoughnessClass};
///
/// let profile = RoughProfile::new(&RoughnessClass::C.road(7));
/// let heights: Vec<f32> = (0..100).map(|index| profile.height(0.1 * index as f32)).collect();
/// assert!(heights.iter().all(|height| height.abs() < 0.2));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RoughProfile {
    waves: Box<[Wave]>,
}

impl RoughProfile {
    /// The profile of this roughness.
    pub fn new(roughness: &Roughness) -> Self {
        let mut random = Noise(roughness.seed);
        Self { waves: waves(roughness, WAVES[0], &mut random).into() }
    }

    /// Height at a `place` along the road (m).
    ///
    /// ```text
    /// h = Σ a_i cos(2π n_i x + φ_i)
    /// ```
    pub fn height(&self, place: Real) -> Real {
        let height = |wave: &Wave| {
            let (_, cosine) = sin_cos(TAU * wave.frequency * place + wave.phase);
            wave.size * cosine
        };
        self.waves.iter().map(height).sum()
    }
}

/// A rough surface, as rough along any line across it.
///
/// Its waves run in all directions. A wave of frequency `k` at an angle `θ` to a line has the
/// frequency `n = k |cos θ|` along it, so that waves of a density `A k⁻²` make
///
/// ```text
/// G(n) = 2/π ∫ A k⁻² / √(k² - n²) dk = 2/π A n⁻²
/// ```
///
/// of the line, and have `π/2` times its density. Waves of more than 2 cycles per meter are
/// left out, and with them a part of the density near that frequency: at half of it an eighth.
#[derive(Clone, Debug, PartialEq)]
pub struct RoughSurface {
    /// Waves, with the unit vectors of their directions.
    waves: Box<[(Wave, [Real; 2])]>,
}

impl RoughSurface {
    /// The surface of this roughness.
    pub fn new(roughness: &Roughness) -> Self {
        let mut random = Noise(roughness.seed);
        let denser = Roughness { density: 0.5 * PI * roughness.density, ..*roughness };
        let waves = waves(&denser, WAVES[1], &mut random);
        let directed = |wave| {
            let (sine, cosine) = sin_cos(PI * random.next());
            (wave, [cosine, sine])
        };
        Self { waves: waves.into_iter().map(directed).collect() }
    }

    /// Height at a place (m).
    pub fn height(&self, [x, y]: [Real; 2]) -> Real {
        self.height_and_slopes([x, y])[0]
    }

    /// Height at a place (m), and its slopes along both axes (dimensionless).
    fn height_and_slopes(&self, [x, y]: [Real; 2]) -> [Real; 3] {
        let mut all = [0.0; 3];
        for &(wave, [along_x, along_y]) in &self.waves {
            let turn = TAU * wave.frequency;
            let (sine, cosine) = sin_cos(turn * (along_x * x + along_y * y) + wave.phase);
            let slope = -wave.size * turn * sine;
            all[0] += wave.size * cosine;
            all[1] += slope * along_x;
            all[2] += slope * along_y;
        }
        all
    }
}

/// A rough road without end, about the level plane through the origin.
///
/// A probe asks all waves several times: it is for measurements. For games, a height field or a
/// mesh of the same [`RoughSurface`] costs a small part of it.
///
/// ```
/// use vehicle_core::Frame;
/// use vehicle_core::math::Vec3;
/// use vehicle_core::road_geometry::{RoughRoad, RoughSurface, RoughnessClass};
///
/// let surface = RoughSurface::new(&RoughnessClass::B.road(3));
/// let road = RoughRoad { surface, frame: Frame::Y_UP, friction: 1.0 };
/// let plane = road.plane_at(Vec3::new(4.0, 0.0, 25.0));
/// assert!(0.99 < plane.normal.y);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RoughRoad {
    /// Heights of the road: the first axis is the longitudinal one, the second the lateral one.
    pub surface: RoughSurface,
    /// Axes of the world.
    pub frame: Frame,
    /// Friction (dimensionless).
    pub friction: Real,
}

impl RoughRoad {
    /// The tangent plane of the road above or below `point` (m).
    pub fn plane_at(&self, point: Vec3) -> Plane {
        let (ahead, left, up) =
            (self.frame.longitudinal(), self.frame.lateral(), self.frame.vertical());
        let (x, y) = (point.dot(ahead), point.dot(left));
        let [height, along, across] = self.surface.height_and_slopes([x, y]);
        let normal = (up - ahead * along - left * across).normalize();
        Plane::through(ahead * x + left * y + up * height, normal)
    }
}

impl RoadSurface for RoughRoad {
    fn probe(&self, probe: &RoadProbe) -> Option<RoadContact> {
        let travel = &probe.travel;
        let start = travel.ray_start();
        let mut plane = self.plane_at(start);
        let mut distance = 0.0;
        for _ in 0..STEPS {
            let slope = -travel.direction.dot(plane.normal);
            if slope <= 0.0 {
                return None;
            }
            distance = plane.distance(start) / slope;
            plane = self.plane_at(start + travel.direction * distance);
        }
        let is_met = 0.0 <= distance && distance <= travel.ray_length();
        is_met.then(|| RoadContact::new(plane, self.friction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mount::travel_of_a_wheel;

    /// Mean square of a profile of heights at distances of 0.1 m.
    fn mean_square(height: impl Fn(Real) -> Real) -> Real {
        let heights: Vec<Real> = (0..20_000).map(|index| height(0.1 * index as Real)).collect();
        let mean = heights.iter().sum::<Real>() / heights.len() as Real;
        heights.iter().map(|height| (height - mean) * (height - mean)).sum::<Real>()
            / heights.len() as Real
    }

    #[test]
    fn roads_are_as_rough_as_their_density() {
        // ∫ G dn = G₀ n₀² (1/n₁ - 1/n₂)
        let [low, high] = FREQUENCIES;
        let expected = |density| density * REFERENCE * REFERENCE * (1.0 / low - 1.0 / high);
        for class in RoughnessClass::ALL {
            let profile = RoughProfile::new(&class.road(3));
            let ratio = mean_square(|x| profile.height(x)) / expected(class.density());
            assert!((ratio.sqrt() - 1.0).abs() < 0.1, "{class:?}: {ratio}");
        }
        // Many surfaces, each of which has few long waves, and lines in two directions. Waves
        // across a line are long along it: all of them have π/2 times the square of the line.
        for direction in [[1.0, 0.0], [0.6, 0.8]] {
            let square = |seed| {
                let surface = RoughSurface::new(&RoughnessClass::C.road(seed));
                mean_square(|x| surface.height(direction.map(|along: Real| along * x)))
            };
            let mean = (0..12).map(square).sum::<Real>() / 12.0;
            let ratio = mean / (0.5 * PI * expected(RoughnessClass::C.density()));
            assert!((ratio.sqrt() - 1.0).abs() < 0.15, "{direction:?}: {ratio}");
        }
    }

    #[test]
    fn classes_are_four_times_as_rough_as_those_before() {
        let densities = RoughnessClass::ALL.map(RoughnessClass::density);
        assert_eq!(densities[0], 16e-6);
        assert!((densities[7] - 0.262_144).abs() < 1e-6, "{densities:?}");
    }

    #[test]
    fn densities_out_of_bounds_are_named() {
        let error = Roughness { density: 0.0, seed: 1 }.validate().unwrap_err().to_string();
        assert_eq!(error, "density must be within [1e-8, 1], got 0");
    }

    #[test]
    fn wheels_stand_on_the_tangent_of_the_surface() {
        let surface = RoughSurface::new(&RoughnessClass::E.road(5));
        let road = RoughRoad { surface: surface.clone(), frame: Frame::Z_UP, friction: 0.8 };
        let mut normals = Vec::new();
        for index in 0..200 {
            let mut travel = travel_of_a_wheel(0.25, 0.0);
            let [x, y] = [0.37 * index as Real, -0.21 * index as Real];
            travel.pose.translation += Vec3::new(x, y, 0.0);
            let probe = RoadProbe { wheel: 0, tire_kind: 0, travel };
            let found = road.probe(&probe).expect("a road");
            assert_eq!(found.friction, 0.8);
            let center = travel.pose.translation;
            let on_road = Vec3::new(center.x, center.y, surface.height([center.x, center.y]));
            let gap = found.plane.distance(on_road);
            assert!(gap.abs() < 1e-5, "{index}: {gap} m off");
            // The slope is that of the heights beside.
            let beside = |step: Real| surface.height([center.x + step, center.y]);
            let slope = (beside(0.01) - beside(-0.01)) / 0.02;
            let normal = found.plane.normal;
            assert!((normal.x / normal.z + slope).abs() < 2e-3, "{index}: {normal}, {slope}");
            normals.push(normal);
        }
        assert!(normals.iter().any(|normal| normal.z < 0.999));
        let mut high = travel_of_a_wheel(0.25, 0.0);
        high.pose.translation.z += 5.0;
        assert_eq!(road.probe(&RoadProbe { wheel: 0, tire_kind: 0, travel: high }), None);
    }
}
