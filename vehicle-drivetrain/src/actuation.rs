//! Whether the wheels of a vehicle with an engine drive or brake.

use vehicle_core::actuation::WheelActuation;
use vehicle_core::math::Real;
use vehicle_core::math::lanes::Number;

/// The actuation of a wheel that gets `torque_ratio` of the engine's torque.
///
/// ```text
/// braked = brake torque ≠ 0
/// driven = not braked, and K ≠ 0, torque ratio ≠ 0, θ ≠ 0
/// ```
///
/// with `θ` the throttle and `K` the effective `clutch_strength` (N·m·s), which is 0 in neutral.
/// Thus no wheel is driven while the gear is switched, with the clutch pedal pressed down, or under
/// any brake. `brake_torque` is in N·m.
#[inline]
pub fn engine_drive_actuation<N: Number>(
    brake_torque: N,
    clutch_strength: Real,
    torque_ratio: N,
    throttle: Real,
) -> WheelActuation<N::Mask> {
    let is_braked = !brake_torque.is_equal(N::zero());
    let gives_torque = clutch_strength != 0.0 && throttle != 0.0;
    let gets_torque =
        if gives_torque { !torque_ratio.is_equal(N::zero()) } else { N::Mask::default() };
    WheelActuation { is_braked, is_driven: gets_torque & !is_braked }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wheel_is_driven_where_torque_arrives_unbraked() {
        // (brake torque, clutch strength, torque ratio, throttle, is driven)
        let cases = [
            (0.0, 10.0, 0.25, 0.65, true),
            (0.0, 10.0, -0.25, 0.65, true),
            (0.0, 0.0, 0.25, 0.65, false),
            (0.0, 10.0, 0.0, 0.65, false),
            (0.0, 10.0, 0.25, 0.0, false),
            (200.0, 10.0, 0.25, 0.65, false),
        ];
        for (brake, clutch, ratio, throttle, is_driven) in cases {
            let actuation = engine_drive_actuation(brake, clutch, ratio, throttle);
            let expected = WheelActuation { is_braked: brake != 0.0, is_driven };
            assert_eq!(actuation, expected, "{brake}, {clutch}, {ratio}, {throttle}");
        }
    }
}
