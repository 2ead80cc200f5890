//! The rim of a wheel in soil: stresses along it, and their sums.

use crate::math::lanes::{Number, Real4};
use crate::math::{Clamped, Real, asin_clamped, exp, ln, power, sin_cos, tan};
use crate::road::Soil;

/// Points of Gauss and Legendre on [0, 1], four at a time, and their weights.
const POINTS: [[Real; 4]; 4] = [
    [0.005_299_532_5, 0.027_712_488, 0.067_184_4, 0.122_297_8],
    [0.191_061_88, 0.270_991_6, 0.359_198_2, 0.452_493_74],
    [0.547_506_3, 0.640_801_8, 0.729_008_4, 0.808_938_1],
    [0.877_702_2, 0.932_815_6, 0.972_287_5, 0.994_700_5],
];
const WEIGHTS: [[Real; 4]; 4] = [
    [0.013_576_23, 0.031_126_762, 0.047_579_255, 0.062_314_486],
    [0.074_797_994, 0.084_578_26, 0.091_301_71, 0.094_725_3],
    [0.094_725_3, 0.091_301_71, 0.084_578_26, 0.074_797_994],
    [0.062_314_486, 0.047_579_255, 0.031_126_762, 0.013_576_23],
];
/// Largest angle from the lowest point to where the rim meets the ground (rad).
pub(super) const MOST_ENTRY: Real = 1.4;
/// Largest radius of the circle that stands for a flat tire, by that of the wheel (dimensionless).
const MOST_FLATTENING: Real = 30.0;
/// Depth at which pressure begins (m).
const SHALLOWEST: Real = 1e-20;
/// Deepest that soil has been pressed (m).
const DEEPEST: Real = 10.0;
/// Ratios of ground speed to rim speed above this count as this (dimensionless).
const MOST_SKID: Real = 100.0;

/// A wheel in soil.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidWheel {
    /// Radius (m).
    pub radius: Real,
    /// Width (m).
    pub width: Real,
    /// How much its tire is flattened (m): 0 for a rigid wheel. A flat tire is as a circle of a
    /// larger radius, `R (sqrt(1 + f/z) + sqrt(f/z))²` at the flattening `f` and depth `z`.
    pub deflection: Real,
}

/// How a wheel moves over soil.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RimMotion {
    /// Ground speed by rim speed, 1 - i (dimensionless).
    transport: Real,
    /// Lateral speed by rim speed (dimensionless).
    lateral: Real,
    /// Slip by the faster of rim and ground (dimensionless).
    pub(super) slip: Real,
}

impl RimMotion {
    /// Of a slip ratio and the tangent of a slip angle.
    #[inline]
    pub(super) fn new(slip_ratio: Real, slip_tangent: Real) -> Self {
        let rim = 1.0 + slip_ratio;
        let slip = slip_ratio.abs() / rim.abs().max(1.0);
        let transport = 1.0 / rim.abs().max(1.0 / MOST_SKID);
        // A rim that turns backward moves against the ground by more than one that stands.
        let transport = if rim < 0.0 { MOST_SKID } else { transport };
        Self { transport, lateral: transport * slip_tangent.clamped(-MOST_SKID, MOST_SKID), slip }
    }
}

/// Soil under one wheel at one slip: its pressure by depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PressedSoil {
    /// k_c / b + k_φ, of a wheel that digs in less (Pa/mⁿ).
    modulus: Real,
    exponent: Real,
    /// Depth to which it has been pressed (m).
    pressed_depth: Real,
    /// Depth of the rut, where the wheel meets the soil (m).
    pub(super) rut_depth: Real,
    /// Pressure per depth of soil that is pressed again (Pa/m).
    reloading: Real,
}

impl PressedSoil {
    #[inline]
    pub(super) fn new(soil: &Soil, width: Real, slip: Real, pressed_depth: Real) -> Self {
        let exponent = soil.sinkage_exponent;
        let softened = power(soil.deepening(slip), exponent);
        let modulus = (soil.cohesive_modulus / width + soil.frictional_modulus) / softened;
        let pressed_depth = pressed_depth.clamped(0.0, DEEPEST);
        let rebound = pressed_depth * soil.rebound;
        let reached = modulus * power(pressed_depth, exponent);
        let reloading = if 0.0 < rebound { reached / rebound } else { 0.0 };
        Self { modulus, exponent, pressed_depth, rut_depth: pressed_depth - rebound, reloading }
    }

    /// Pressure at `depth` below the original surface (Pa).
    ///
    /// zⁿ = exp(n ln z)
    #[inline]
    fn pressure<N: Number>(&self, depth: N) -> N {
        let (zero, splat) = (N::zero(), N::splat);
        let again = splat(self.reloading) * (depth - splat(self.rut_depth)).at_least(zero);
        let raised = exp(splat(self.exponent) * ln(depth.at_least(splat(SHALLOWEST))));
        let fresh = splat(self.modulus) * raised;
        N::select(depth.is_below(splat(self.pressed_depth)), again, fresh)
    }
}

/// Sums of the stresses along a rim.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RimSums {
    /// Vertical force on the wheel (N).
    pub(super) load: Real,
    /// Horizontal force of the shear, forward (N).
    pub(super) thrust: Real,
    /// Horizontal force of the pressure, backward (N).
    pub(super) resistance: Real,
    /// Force to the left (N).
    pub(super) lateral: Real,
    /// Shear along the rim, times the radius the torque (N).
    pub(super) circumferential: Real,
}

impl RigidWheel {
    /// Deepest that the wheel goes below a surface or rut (m).
    #[inline]
    pub(super) fn most_depth(&self) -> Real {
        self.radius * (1.0 - sin_cos(MOST_ENTRY).1)
    }

    /// Radius of the circle that touches the soil at `depth` below its surface or rut (m).
    #[inline]
    pub(super) fn contact_radius(&self, depth: Real) -> Real {
        if self.deflection <= 0.0 {
            return self.radius;
        }
        let flattened = self.deflection / depth.max(1e-6);
        let root = (1.0 + flattened).sqrt() + flattened.sqrt();
        self.radius * (root * root).min(MOST_FLATTENING)
    }

    /// Sums of the stresses on the rim whose lowest point is `depth` below the surface or rut (m).
    ///
    /// With `θ` the angle from the lowest point forward, up to `θ₁` where the rim meets the ground:
    ///
    /// ```text
    /// z(θ)  = z_rut + R (cos θ - cos θ₁)
    /// j_x   = R ((θ₁ - θ) - (1 - i) (sin θ₁ - sin θ)),   j_y = R (1 - i) (θ₁ - θ) tan α
    /// W     = b R ∫ (p cos θ + τ_x sin θ) dθ
    /// H     = b R ∫ τ_x cos θ dθ,   R_c = b R ∫ p sin θ dθ
    /// ```
    ///
    /// Points are dense where the rim enters the soil: `θ = θ₁ (1 - u²)`.
    #[inline]
    pub(super) fn sums(
        &self,
        soil: &Soil,
        pressed: &PressedSoil,
        motion: &RimMotion,
        depth: Real,
    ) -> RimSums {
        let radius = self.contact_radius(depth);
        // 1 - cos θ₁ = 2 sin²(θ₁/2) loses no digits where the depth is small.
        let half_sine = (0.5 * depth / radius).max(0.0).sqrt().min(0.7);
        let entry = 2.0 * asin_clamped(half_sine);
        let mut sums = RimSums::default();
        let splat = Real4::splat;
        let (sin_entry, tan_friction) = (splat(sin_cos(entry).0), splat(tan(soil.friction_angle)));
        let (one, two, zero) = (splat(1.0), splat(2.0), splat(0.0));
        for (points, weights) in POINTS.into_iter().zip(WEIGHTS) {
            let (u, weight) = (Real4::new(points), Real4::new(weights));
            let angle = splat(entry) * (one - u * u);
            let (half_sin, half_cos) = sin_cos(splat(0.5) * angle);
            let sin = two * half_sin * half_cos;
            let fall = two * half_sin * half_sin;
            let cos = one - fall;
            let below = (splat(depth) - splat(radius) * fall).at_least(zero);
            let pressure = pressed.pressure(splat(pressed.rut_depth) + below);
            let rolled = splat(entry) - angle;
            let along = splat(radius) * (rolled - splat(motion.transport) * (sin_entry - sin));
            let across = splat(radius * motion.lateral) * rolled;
            let moved = (along * along + across * across).sqrt();
            let strength = splat(soil.cohesion) + pressure * tan_friction;
            let shear = strength * (one - exp(-(moved / splat(soil.shear_modulus))));
            let per_moved = shear / moved.at_least(splat(1e-9));
            let (forward, sideways) = (along * per_moved, across * per_moved);
            let area = splat(self.width * radius * 2.0 * entry) * u * weight;
            sums.load += sum(area * (pressure * cos + forward * sin));
            sums.thrust += sum(area * forward * cos);
            sums.resistance += sum(area * pressure * sin);
            sums.lateral -= sum(area * sideways);
            sums.circumferential += sum(area * forward);
        }
        sums
    }
}

/// The sum of the lanes, in their order.
#[inline]
fn sum(lanes: Real4) -> Real {
    let [a, b, c, d] = lanes.to_array();
    a + b + c + d
}
