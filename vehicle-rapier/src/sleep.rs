//! When a vehicle may sleep, and what wakes it.
//!
//! Rapier puts a body to sleep when it has not moved for half a second. A vehicle must not sleep
//! while its wheels turn, its suspension settles or its driver accelerates ([`SleepParams`]). Nor
//! may it sleep while an aid waits: a hold on a hill for the end of its time, a cruise control for
//! its leader. Nor may it while something that moves presses a wheel from before it: what is pushed
//! at a wheel would go on into one that sleeps. A vehicle that sleeps wakes
//!
//! - as its driver accelerates, lets go of a brake, steers, lets go of the steering wheel, shifts,
//!   clutches, starts the engine or changes the thrust of a track. A brake that is pressed further
//!   cannot move it and does not wake;
//! - as torques or steer angles of its wheels are written, by those who do without a driver;
//! - as an external force or torque on its body is written, which acts in the same step;
//! - within [`LOOK_PERIOD`] steps, as it gets other parameters of its mechanics, such as masses,
//!   springs, suspensions, wheels, brakes or tires;
//! - as its ground moves, is gone, or is not what it was: disabled, a sensor, elsewhere, of another
//!   shape, of other groups or friction, on another body; as gravity changes;
//! - within [`LOOK_PERIOD`] steps, as something new is under a wheel, or a shape or the vehicle's
//!   [`road`](crate::RapierVehicle::road) has been edited in place;
//! - as something that moves comes to its wheels, if they [meet
//!   obstacles](vehicle_core::SimulationParams::meets_obstacles): while a body is near that may
//!   move, it looks in each step;
//! - as its body is woken by whatever else.
//!
//! What turns in the drivetrain is left as it is: an engine idles on, or stays stalled.

use serde::{Deserialize, Serialize};
use vehicle_core::Validate;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::math::Real;

/// Steps of a vehicle that sleeps from one look at the roads of all its wheels to the next.
pub const LOOK_PERIOD: u8 = 16;

/// When a vehicle stays awake although its body hardly moves. Its body then sleeps as other bodies
/// do, by the thresholds of its [`RigidBodyActivation`](rapier3d::prelude::RigidBodyActivation).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SleepParams {
    /// Kinetic energy per mass of a wheel above which it turns (m²/s²).
    pub wheel_energy: Real,
    /// Speed of a body on a suspension above which it settles, and of a wheel on the ground above
    /// which it rolls (m/s). A car that settles on its springs is slower than other bodies that
    /// count as resting. Without this bound it would sleep out of balance.
    pub settling_speed: Real,
    /// Speed of a body above which it settles where a wheel is lost (m/s). The contacts of a hull
    /// that lies on the ground give it some millimeters per second for ever.
    pub wreck_speed: Real,
    /// Speed of an engine above its idle speed, as a part of its maximum speed, from which on it
    /// slows down to idle (dimensionless).
    pub engine_overspeed: Real,
    /// Rate of a free steering wheel above which it turns (rad/s).
    pub steering_rate: Real,
}

impl Default for SleepParams {
    fn default() -> Self {
        Self {
            wheel_energy: 0.005,
            settling_speed: 0.005,
            wreck_speed: 0.01,
            engine_overspeed: 0.02,
            steering_rate: 0.02,
        }
    }
}

impl Validate for SleepParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("wheel_energy", self.wheel_energy, Bound::NotNegative);
        check.number("settling_speed", self.settling_speed, Bound::NotNegative);
        check.number("wreck_speed", self.wreck_speed, Bound::NotNegative);
        check.number("engine_overspeed", self.engine_overspeed, Bound::NotNegative);
        check.number("steering_rate", self.steering_rate, Bound::NotNegative);
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_thresholds_are_named() {
        SleepParams::default().validate().unwrap();
        let params =
            SleepParams { wheel_energy: Real::NAN, settling_speed: -0.1, ..SleepParams::default() };
        assert_eq!(
            params.validate().unwrap_err().to_string(),
            "wheel_energy must be finite and not negative, got NaN; \
             settling_speed must be finite and not negative, got -0.1"
        );
    }
}
