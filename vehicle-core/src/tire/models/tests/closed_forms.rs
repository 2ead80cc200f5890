//! Published closed forms of simple tires, in double precision.
//!
//! The accuracy page compiles this file, too.

/// Lateral force (N) of Fiala's tire with one friction, of a cornering stiffness (N/rad) and a
/// largest force (N), at the tangent of a slip angle.
///
/// ```text
/// F_y = -F_max (1 - (1 - C t/(3 F_max))³)
/// ```
pub(crate) fn fiala(stiffness: f64, limit: f64, tangent: f64) -> f64 {
    let left = 1.0 - stiffness * tangent / (3.0 * limit);
    -limit * (1.0 - left.max(0.0).powi(3))
}

/// Longitudinal and lateral force (N) and aligning moment (N·m) of a brush under parabolic pressure
/// with one friction, at a slip ratio and the tangent of a slip angle. The brush has a tread
/// stiffness (N/m²), half a contact length (m) and a largest force (N).
///
/// ```text
/// q = 2 c a² σ/(3 F_max),   F = F_max (3 q - 3 q² + q³),   t = a (1 - q)³/(3 - 3 q + q²)
/// ```
///
/// with the slip σ by the speed of the rim.
pub(crate) fn parabolic_brush(
    [tread, half_length, limit]: [f64; 3],
    slip: f64,
    tangent: f64,
) -> [f64; 3] {
    let size = slip.hypot(tangent);
    let q = 2.0 * tread * half_length * half_length * size / (1.0 + slip) / (3.0 * limit);
    let force = limit * (3.0 * q - 3.0 * q * q + q * q * q);
    let trail = half_length * (1.0 - q).powi(3) / (3.0 - 3.0 * q + q * q);
    [force * slip / size, -force * tangent / size, trail * force * tangent / size]
}
