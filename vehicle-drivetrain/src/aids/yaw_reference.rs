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
/// with the angle `δ` of the steering that the driver asks for, the understeer gradient `K` and the
/// [equivalent wheelbase](AidVehicle::equivalent_wheelbase) `L`. `μ` is the friction of the road,
/// and `μ_t` that of the tires. Without its limit an aid would brake a car on ice for ever.
///
/// Source: the linear single-track model, as in Rajamani, *Vehicle Dynamics and Control*, chapter
/// 8.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct YawReference {
    /// [Equivalent wheelbase](AidVehicle::equivalent_wheelbase), negative if the vehicle turns
    /// against its steering wheel (m).
    pub equivalent_wheelbase: Real,
    /// Understeer gradient (rad·s²/m).
    pub understeer_gradient: Real,
    /// Share of the friction that a turn may take (dimensionless).
    pub friction_share: Real,
    /// Greatest lateral force of the tires by their load, on a road of friction 1 (dimensionless).
    pub lateral_friction: Real,
    /// Time in which the vehicle is to follow (s).
    pub time_constant: Real,
}

impl YawReference {
    /// The reference of `vehicle` with this understeer gradient (rad·s²/m), and usual numbers
    /// otherwise.
    pub fn new(vehicle: &AidVehicle, understeer_gradient: Real) -> Self {
        Self {
            equivalent_wheelbase: vehicle.equivalent_wheelbase(),
            understeer_gradient,
            friction_share: 0.85,
            lateral_friction: vehicle.lateral_friction(),
            time_constant: 0.08,
        }
    }

    /// Yaw rate at `speed` (m/s) and `steer_angle` (rad), positive to the left, on a road of this
    /// `friction` under this `gravity` (m/s²) (rad/s).
    pub fn yaw_rate(&self, speed: Real, steer_angle: Real, friction: Real, gravity: Real) -> Real {
        let wheelbase = self.equivalent_wheelbase;
        let denominator = wheelbase.abs() + self.understeer_gradient * speed * speed;
        if denominator <= 0.0 {
            return 0.0;
        }
        let steer_angle = if wheelbase < 0.0 { -steer_angle } else { steer_angle };
        let greatest = self.greatest_yaw_rate(speed, friction, gravity);
        (speed * steer_angle / denominator).clamped(-greatest, greatest)
    }

    /// Yaw rate that a road of this `friction` allows at `speed` (m/s) under this `gravity` (m/s²),
    /// in its share (rad/s).
    pub fn greatest_yaw_rate(&self, speed: Real, friction: Real, gravity: Real) -> Real {
        let grip = self.friction_share * friction * self.lateral_friction;
        grip * gravity / speed.abs().max(LEAST_SPEED)
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
        self.advanced_on(reference, signals, signals.friction())
    }

    /// `reference` (rad/s) one step later, on a road of this mean `friction`.
    pub(crate) fn advanced_on(
        &self,
        reference: Real,
        signals: &AidSignals<'_>,
        friction: Real,
    ) -> Real {
        let speed = signals.body.longitudinal_speed;
        let steer_angle = signals.driver.steer_angle;
        let wanted = self.yaw_rate(speed, steer_angle, friction, signals.gravity);
        reference + (wanted - reference) * lag_share(signals.dt, self.time_constant)
    }
}

#[cfg(test)]
mod tests {
    use vehicle_core::context::GRAVITY;

    use super::super::vehicle::tests::car;
    use super::*;

    #[test]
    fn any_axle_may_be_steered() {
        // (shares of the axles at 1.2 and -1.4 m, equivalent wheelbase)
        let cases = [
            ([1.0, 0.0], 2.6),
            ([0.0, -1.0], 2.6),
            ([0.0, 1.0], -2.6),
            ([1.0, -1.0], 1.3),
            ([1.0, 0.5], 5.2),
            ([1.0, 1.0], Real::INFINITY),
        ];
        for (shares, wheelbase) in cases {
            let mut car = car();
            for wheel in &mut car.wheels {
                wheel.steer_share = shares[wheel.axle];
                wheel.cornering_stiffness = [30e3, 60e3][wheel.axle];
            }
            let found = car.equivalent_wheelbase();
            let is_near = found == wheelbase || (found / wheelbase - 1.0).abs() < 1e-5;
            assert!(is_near, "{shares:?}: {found} m, not {wheelbase} m");
            // A turn takes the difference of the axles' angles that it takes of a front axle alone:
            // L + K v² = 2.6 + 7.692e-3 10²
            let reference = YawReference::new(&car, car.understeer_gradient());
            let rate = reference.yaw_rate(10.0, 0.05, 1.0, GRAVITY);
            let alone = 10.0 * 0.05 * (shares[0] - shares[1]) / 3.3692;
            assert!((rate - alone).abs() < 1e-4, "{shares:?}: {rate}, not {alone} rad/s");
        }
    }

    #[test]
    fn three_axles_turn_by_the_model_of_all_their_tires() {
        // Axles at 3, -1 and -2.4 m, as stiff as each other, steered by 0.6, 0 and -0.2 rad.
        let mut truck = car();
        truck.mass = 15_000.0;
        let front = truck.wheels[0];
        truck.wheels = [(3.0, 1.0), (-1.0, 0.0), (-2.4, -1.0 / 3.0)]
            .iter()
            .enumerate()
            .map(|(axle, &(forward, steer_share))| super::super::vehicle::AidWheel {
                forward,
                axle,
                steer_share,
                left: 0.0,
                cornering_stiffness: 300e3,
                ..front
            })
            .collect();
        // C = 900e3, Cx = -120e3, Cxx = 300e3 15.76, Ck = 200e3, Ckx = 300e3 3.8:
        // (900 4728 - 120²) / (900 1140 + 200 120), K = 15000 120e3 / (1.05e12).
        let (wheelbase, gradient) = (4.0389, 1.7143e-3);
        assert!((truck.equivalent_wheelbase() - wheelbase).abs() < 1e-3);
        assert!((truck.understeer_gradient() - gradient).abs() < 1e-5);
        let reference = YawReference::new(&truck, truck.understeer_gradient());
        let rate = reference.yaw_rate(12.0, 0.18, 1.0, GRAVITY);
        let expected: Real = 12.0 * 0.18 / (wheelbase + gradient * 144.0);
        assert!((rate - expected).abs() < 1e-3, "{rate}, not {expected} rad/s");
    }

    #[test]
    fn yaw_rate_is_that_of_the_single_track_model_within_friction() {
        let reference = YawReference::new(&car(), 0.002);
        // (speed, steer angle, friction, gravity, yaw rate)
        let cases = [
            (20.0, 0.05, 1.0, 9.81, 20.0 * 0.05 / (2.6 + 0.8)),
            (-20.0, 0.05, 1.0, 9.81, -20.0 * 0.05 / (2.6 + 0.8)),
            (20.0, 0.05, 0.2, 9.81, 0.85 * 0.2 * 9.81 / 20.0),
            (20.0, -0.05, 0.2, 9.81, -0.85 * 0.2 * 9.81 / 20.0),
            (20.0, 0.05, 0.2, 20.0, 0.85 * 0.2 * 20.0 / 20.0),
            (20.0, 0.05, 1.0, 1.62, 0.85 * 1.62 / 20.0),
            (0.0, 0.5, 1.0, 9.81, 0.0),
        ];
        for (speed, angle, friction, gravity, expected) in cases {
            let rate = reference.yaw_rate(speed, angle, friction, gravity);
            assert!((rate - expected).abs() < 1e-5, "{speed} {angle} {friction}: {rate}");
        }
    }
}
