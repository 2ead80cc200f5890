//! The yaw rate that a driver asks for.

use vehicle_core::math::{Clamped, Real};

use super::signals::AidSignals;
use super::vehicle::AidVehicle;
use crate::pacing::lag_share;

/// Least speed that the limit of friction is divided by (m/s).
const LEAST_SPEED: Real = 1.0;

/// The yaw rate of a linear single-track model, as far as friction allows it.
///
/// ```text
/// r_0  = v δ / (L + K v²)                   within ± η μ μ_t g / |v|
/// r   += (r_0 - r) (1 - exp(-dt/τ))
/// ```
///
/// with the mean angle `δ` of the front wheels that the driver asks for, the wheelbase `L` and the
/// understeer gradient `K`. `μ` is the friction of the road, and `μ_t` that of the tires. Without
/// its limit an aid would brake a car on ice for ever.
///
/// Source: the linear single-track model, as in Rajamani, *Vehicle Dynamics and Control*, chapter
/// 8.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct YawReference {
    /// Wheelbase (m).
    pub wheelbase: Real,
    /// Understeer gradient (rad·s²/m).
    pub understeer_gradient: Real,
    /// Share of the friction that a turn may take (dimensionless).
    pub friction_share: Real,
    /// Greatest lateral force of the tires by their load, on a road of friction 1 (dimensionless).
    pub lateral_friction: Real,
    /// Time in which the vehicle is to follow (s).
    pub time_constant: Real,
    /// Gravity (m/s²).
    pub gravity: Real,
}

impl YawReference {
    /// The reference of `vehicle` with this understeer gradient (rad·s²/m), and usual numbers
    /// otherwise.
    pub fn new(vehicle: &AidVehicle, understeer_gradient: Real) -> Self {
        Self {
            wheelbase: vehicle.wheelbase(),
            understeer_gradient,
            friction_share: 0.85,
            lateral_friction: vehicle.lateral_friction(),
            time_constant: 0.08,
            gravity: vehicle.gravity,
        }
    }

    /// Yaw rate at `speed` (m/s) and `steer_angle` (rad) on a road of this `friction`,
    /// positive to the left (rad/s).
    pub fn yaw_rate(&self, speed: Real, steer_angle: Real, friction: Real) -> Real {
        let denominator = self.wheelbase + self.understeer_gradient * speed * speed;
        if denominator <= 0.0 {
            return 0.0;
        }
        let greatest = self.greatest_yaw_rate(speed, friction);
        (speed * steer_angle / denominator).clamped(-greatest, greatest)
    }

    /// Yaw rate that a road of this `friction` allows at `speed` (m/s), in its share (rad/s).
    pub fn greatest_yaw_rate(&self, speed: Real, friction: Real) -> Real {
        let grip = self.friction_share * friction * self.lateral_friction;
        grip * self.gravity / speed.abs().max(LEAST_SPEED)
    }

    /// Yaw rate that the road of `signals` allows, in its share (rad/s).
    pub(crate) fn greatest(&self, signals: &AidSignals<'_>) -> Real {
        self.greatest_yaw_rate(signals.body.longitudinal_speed, signals.friction())
    }

    /// Yaw rate that a driver may expect who asks for `reference`, where the road allows `greatest`
    /// (rad/s): tires that slide more hold less than straight on.
    ///
    /// ```text
    /// r / √(1 + (r/r_g)²)
    /// ```
    pub(crate) fn expected(reference: Real, greatest: Real) -> Real {
        let part = if 0.0 < greatest { reference / greatest } else { 0.0 };
        reference / (1.0 + part * part).sqrt()
    }

    /// `reference` (rad/s) one step later.
    pub fn advanced(&self, reference: Real, signals: &AidSignals<'_>) -> Real {
        let speed = signals.body.longitudinal_speed;
        let wanted = self.yaw_rate(speed, signals.driver.steer_angle, signals.friction());
        reference + (wanted - reference) * lag_share(signals.dt, self.time_constant)
    }
}

#[cfg(test)]
mod tests {
    use super::super::vehicle::tests::car;
    use super::*;

    #[test]
    fn yaw_rate_is_that_of_the_single_track_model_within_friction() {
        let reference = YawReference::new(&car(), 0.002);
        // (speed, steer angle, friction, yaw rate)
        let cases = [
            (20.0, 0.05, 1.0, 20.0 * 0.05 / (2.6 + 0.8)),
            (-20.0, 0.05, 1.0, -20.0 * 0.05 / (2.6 + 0.8)),
            (20.0, 0.05, 0.2, 0.85 * 0.2 * 9.81 / 20.0),
            (20.0, -0.05, 0.2, -0.85 * 0.2 * 9.81 / 20.0),
            (0.0, 0.5, 1.0, 0.0),
        ];
        for (speed, angle, friction, expected) in cases {
            let rate = reference.yaw_rate(speed, angle, friction);
            assert!((rate - expected).abs() < 1e-5, "{speed} {angle} {friction}: {rate}");
        }
    }
}
