//! Rigid wheels on soil by fine integration, in double precision.
//!
//! The accuracy page compiles this file, too.

use super::{RigidWheel, Soil, WheelOnSoil};

/// Load, thrust, resistance, lateral force and torque of a rigid wheel at a depth in fresh soil, by
/// `count` steps over its rim, in double precision.
fn integrated(
    soil: &Soil,
    wheel: &RigidWheel,
    asked: &WheelOnSoil,
    depth: f64,
    count: u32,
) -> [f64; 5] {
    let [radius, width] = [wheel.radius, wheel.width].map(f64::from);
    let [n, cohesion] = [soil.sinkage_exponent, soil.cohesion].map(f64::from);
    let tan_friction = f64::from(soil.friction_angle).tan();
    let [slip, tangent] = [asked.slip_ratio, asked.slip_tangent].map(f64::from);
    let transport = 1.0 / (1.0 + slip);
    let share = f64::from(soil.slip_sinkage) * slip.abs() / (1.0 + slip).max(1.0);
    let deepening = (1.0 + share) / (1.0 - 0.5 * share);
    let modulus = f64::from(soil.cohesive_modulus) / width + f64::from(soil.frictional_modulus);
    let modulus = modulus / deepening.powf(n);
    let entry = (1.0 - depth / radius).acos();
    let step = entry / f64::from(count);
    let mut sums = [0.0; 5];
    for index in 0..count {
        let angle = (f64::from(index) + 0.5) * step;
        let pressure = modulus * (radius * (angle.cos() - entry.cos())).max(0.0).powf(n);
        let along = radius * ((entry - angle) - transport * (entry.sin() - angle.sin()));
        let across = radius * transport * (entry - angle) * tangent;
        let moved = along.hypot(across);
        let built_up = 1.0 - (-moved / f64::from(soil.shear_modulus)).exp();
        let shear = (cohesion + pressure * tan_friction) * built_up;
        let (forward, sideways) = (shear * along / moved, shear * across / moved);
        let area = width * radius * step;
        let parts = [
            pressure * angle.cos() + forward * angle.sin(),
            forward * angle.cos(),
            pressure * angle.sin(),
            -sideways,
            forward * radius,
        ];
        for (sum, part) in sums.iter_mut().zip(parts) {
            *sum += area * part;
        }
    }
    sums
}

/// Depth and sums of the wheel under its load, by halving.
pub(crate) fn searched(soil: &Soil, wheel: &RigidWheel, asked: &WheelOnSoil) -> (f64, [f64; 5]) {
    let (mut low, mut high) = (1e-9, f64::from(wheel.radius) * 0.82);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if integrated(soil, wheel, asked, middle, 2_000)[0] < f64::from(asked.load) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low, integrated(soil, wheel, asked, low, 20_000))
}
