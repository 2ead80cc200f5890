//! Help in the air: torques that turn a body which no wheel can.
//!
//! ```text
//! roll    τ = -k dead(φ, φ_0) - c p,  |τ| ≤ m g T / 4      in the air, or beyond φ_0
//! pitch   τ = I_y ( a u - c_p q )                          in the air
//! yaw     τ = I_z ( a u - c_p r )                          in the air
//! ```
//!
//! with the roll angle `φ` and rate `p` and the driver's wish `u`: throttle less brake lifts the
//! nose, and steering turns. This is the only aid that does what no actuator of a car could; games
//! have it, simulations leave it out.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::{Clamped, Real};

use super::signals::{AidSignals, BodySignals, WheelSignals, beyond, calm_slope};
use super::vehicle::AidVehicle;

/// Greatest torque about the longitudinal axis per weight and track (dimensionless).
const GREATEST_SHARE: Real = 0.25;
/// Roll angle beyond the tolerance at which the torque is greatest (rad).
const FULL_ANGLE: Real = 0.5;

/// Parameters of the help in the air. Numbers that are absent are taken from the vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct AirControlParams {
    /// Share of the upright torque, in [0, 1].
    pub upright: Real,
    /// Roll angle that is left alone, in [0, 1.5] (rad).
    pub upright_angle: Real,
    /// Upright torque per roll angle (N·m/rad). Else a quarter of weight times track per 0.5 rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upright_stiffness: Option<Real>,
    /// Upright torque per roll rate (N·m·s/rad). Else that of critical damping.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upright_damping: Option<Real>,
    /// Angular acceleration that the driver may ask for in the air, in [0, 20] (rad/s²).
    pub acceleration: Real,
    /// Rate at which rotation in pitch and yaw fades in the air, in [0, 20] (1/s).
    pub damping_rate: Real,
}

impl Default for AirControlParams {
    fn default() -> Self {
        Self {
            upright: 1.0,
            upright_angle: 0.6,
            upright_stiffness: None,
            upright_damping: None,
            acceleration: 3.0,
            damping_rate: 1.0,
        }
    }
}

impl AirControlParams {
    /// Checks the parameters.
    pub fn check(&self, check: &mut ParamCheck) {
        check.number("upright", self.upright, Bound::Within(0.0, 1.0));
        check.number("upright_angle", self.upright_angle, Bound::Within(0.0, 1.5));
        if let Some(stiffness) = self.upright_stiffness {
            check.number("upright_stiffness", stiffness, Bound::NotNegative);
        }
        if let Some(damping) = self.upright_damping {
            check.number("upright_damping", damping, Bound::NotNegative);
        }
        check.number("acceleration", self.acceleration, Bound::Within(0.0, 20.0));
        check.number("damping_rate", self.damping_rate, Bound::Within(0.0, 20.0));
    }

    /// The help for `vehicle`.
    pub fn resolved(&self, vehicle: &AidVehicle) -> AirControl {
        AirControl {
            params: *self,
            mass: vehicle.mass,
            track: vehicle.pairs().first().map_or(0.0, |pair| vehicle.track(pair)),
            upright_slope: calm_slope(self.upright_angle),
            roll_inertia: vehicle.roll_inertia,
            pitch_inertia: vehicle.pitch_inertia,
            yaw_inertia: vehicle.yaw_inertia,
        }
    }
}

/// The help of a vehicle in the air: [`AirControlParams`] with all numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AirControl {
    params: AirControlParams,
    mass: Real,
    /// That of the foremost axle with two wheels; 0 without one (m).
    track: Real,
    /// Tangent of a roll angle up to which nothing is done on the road.
    upright_slope: Real,
    roll_inertia: Real,
    pitch_inertia: Real,
    yaw_inertia: Real,
}

/// A torque on the body about its own axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyTorque {
    /// About the longitudinal axis, positive rolls to the right (N·m).
    pub roll: Real,
    /// About the lateral axis, positive turns the nose down (N·m).
    pub pitch: Real,
    /// About the vertical axis, positive turns to the left (N·m).
    pub yaw: Real,
}

fn is_in_air(wheels: &[WheelSignals]) -> bool {
    !wheels.iter().any(|wheel| wheel.is_on_ground)
}

impl AirControl {
    /// Whether a `body` on these `wheels` leans too little for help.
    pub(crate) fn rests(&self, body: &BodySignals, wheels: &[WheelSignals]) -> bool {
        !is_in_air(wheels) && self.leaves(body.bank_sine, body.upright_cosine)
    }

    /// Whether a body on the road leans too little for help. The sine of its bank and the cosine of
    /// its angle out of the upright may both be multiplied by the same number.
    pub(crate) fn leaves(&self, bank_sine: Real, upright_cosine: Real) -> bool {
        bank_sine.abs() < self.upright_slope * upright_cosine
    }

    /// The torque on the body in this frame.
    pub fn torque(&self, signals: &AidSignals<'_>) -> BodyTorque {
        let (body, mut torque) = (&signals.body, BodyTorque::default());
        if self.rests(body, signals.wheels) {
            return torque;
        }
        let is_in_air = is_in_air(signals.wheels);
        let roll_angle = body.roll_angle();
        if is_in_air || self.params.upright_angle < roll_angle.abs() {
            torque.roll = self.upright(roll_angle, signals);
        }
        if is_in_air {
            let AirControlParams { acceleration, damping_rate, .. } = self.params;
            let driver = &signals.driver;
            let nose_up = driver.throttle - driver.foot_brake;
            let pitch = -acceleration * nose_up - damping_rate * body.pitch_rate;
            let yaw = acceleration * driver.steer - damping_rate * body.yaw_rate;
            (torque.pitch, torque.yaw) = (self.pitch_inertia * pitch, self.yaw_inertia * yaw);
        }
        torque
    }

    /// Torque that turns a body upright which is rolled by `roll_angle` (rad) (N·m).
    fn upright(&self, roll_angle: Real, signals: &AidSignals<'_>) -> Real {
        let AirControlParams { upright_stiffness, upright_damping, .. } = self.params;
        let greatest = GREATEST_SHARE * (self.mass * signals.gravity) * self.track;
        let stiffness = upright_stiffness.unwrap_or(greatest / FULL_ANGLE);
        let critical = || 2.0 * (stiffness * self.roll_inertia).max(0.0).sqrt();
        let damping = upright_damping.unwrap_or_else(critical);
        let angle = beyond(roll_angle, self.params.upright_angle);
        let upright = -stiffness * angle - damping * signals.body.roll_rate;
        self.params.upright * upright.clamped(-greatest, greatest)
    }
}

#[cfg(test)]
mod tests {
    use super::super::signals::DriverSignals;
    use super::super::vehicle::tests::car;
    use super::*;

    fn rolled(angle: Real) -> BodySignals {
        let (bank_sine, upright_cosine) = angle.sin_cos();
        BodySignals { bank_sine, upright_cosine, ..Default::default() }
    }

    fn torque(is_on_ground: bool, body: BodySignals, driver: DriverSignals) -> BodyTorque {
        torque_under(9.81, is_on_ground, body, driver)
    }

    fn torque_under(
        gravity: Real,
        is_on_ground: bool,
        body: BodySignals,
        driver: DriverSignals,
    ) -> BodyTorque {
        let wheels = [WheelSignals { is_on_ground, ..Default::default() }; 4];
        let drive = Default::default();
        let signals = AidSignals { wheels: &wheels, body, driver, drive, gravity, dt: 0.016 };
        AirControlParams::default().resolved(&car()).torque(&signals)
    }

    #[test]
    fn driving_is_left_alone() {
        let driver = DriverSignals { throttle: 1.0, steer: 1.0, ..Default::default() };
        let body = BodySignals { yaw_rate: 1.0, ..rolled(0.3) };
        assert_eq!(torque(true, body, driver), BodyTorque::default());
    }

    #[test]
    fn a_rolled_car_is_turned_upright_by_a_bounded_torque() {
        let greatest = 0.25 * 1_500.0 * 9.81 * 1.5;
        let upright = torque(true, rolled(0.85), DriverSignals::default()).roll;
        assert!((upright + 0.5 * greatest).abs() < 0.5, "{upright}");
        assert_eq!(torque(true, rolled(-3.0), DriverSignals::default()).roll, greatest);
        let heavy = torque_under(20.0, true, rolled(0.85), DriverSignals::default()).roll;
        assert!((heavy / upright - 20.0 / 9.81).abs() < 1e-5, "{heavy} N·m under 20 m/s²");
    }

    #[test]
    fn the_driver_turns_a_car_in_the_air() {
        let driver = DriverSignals { throttle: 1.0, steer: -1.0, ..Default::default() };
        let body = BodySignals { pitch_rate: 1.0, ..Default::default() };
        let torque = torque(false, body, driver);
        assert_eq!((torque.pitch, torque.yaw), (-2_300.0 * 4.0, -2_500.0 * 3.0));
    }
}
