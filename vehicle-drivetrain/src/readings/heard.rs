//! What is heard of a vehicle: its readings, smoothed by exact lags.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::Real;
use vehicle_core::sequence::TimeStepError;
use vehicle_core::wheel_list::WheelVec;

use super::{EngineReading, VehicleReadings, WheelReading};
use crate::pacing::lag_share;

/// Time constants of what is heard. With 0, it follows at once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HearingParams {
    /// Time of engine speed and load (s): short enough for a blip of the throttle, longer than a
    /// step of 30 Hz, whose stairs would be heard.
    pub engine_time: Real,
    /// Time of the limiter (s): it cuts some 10 times a second, and is heard as a share between.
    pub limiter_time: Real,
    /// Time of what tires do (s): how fast a squeal begins and ends.
    pub tire_time: Real,
    /// Time of the roughness of the road (s): a few stones make a road.
    pub road_time: Real,
    /// Time of the wind (s): it is slow.
    pub wind_time: Real,
}

impl Default for HearingParams {
    fn default() -> Self {
        Self {
            engine_time: 0.04,
            limiter_time: 0.1,
            tire_time: 0.06,
            road_time: 0.15,
            wind_time: 0.3,
        }
    }
}

impl Validate for HearingParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("engine_time", self.engine_time, Bound::NotNegative);
        check.number("limiter_time", self.limiter_time, Bound::NotNegative);
        check.number("tire_time", self.tire_time, Bound::NotNegative);
        check.number("road_time", self.road_time, Bound::NotNegative);
        check.number("wind_time", self.wind_time, Bound::NotNegative);
    }
}

/// What is heard of a wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeardWheel {
    /// Speed of the tread over the ground (m/s).
    pub skid_speed: Real,
    /// Power that becomes heat and sound as the tread slides (W).
    pub skid_power: Real,
    /// Share of the grip that is used, in [0, 1].
    pub friction_used: Real,
    /// Mean speed of the suspension (m/s), around which the road shakes it.
    pub suspension_speed: Real,
    /// Mean square of what the road shakes it by (m²/s²).
    pub shaking: Real,
}

impl HeardWheel {
    /// How rough the road sounds: the root mean square of how fast it shakes the suspension (m/s).
    /// A smooth road has 0, cobblestones some 0.3 m/s.
    pub fn roughness(&self) -> Real {
        self.shaking.sqrt()
    }

    fn follow(&mut self, params: &HearingParams, reading: &WheelReading, dt: Real) {
        let by_tire = lag_share(dt, params.tire_time);
        self.skid_speed += (reading.skid_speed - self.skid_speed) * by_tire;
        self.skid_power += (reading.skid_power - self.skid_power) * by_tire;
        self.friction_used += (reading.friction_used - self.friction_used) * by_tire;
        let by_road = lag_share(dt, params.road_time);
        let off = reading.suspension_speed - self.suspension_speed;
        self.suspension_speed += off * by_road;
        let shaking = if reading.is_on_ground { off * off } else { 0.0 };
        self.shaking += (shaking - self.shaking) * by_road;
    }
}

/// What is heard of a vehicle. Its listener keeps it, and lets it [follow](Self::follow) the
/// readings, after each step or each frame:
///
/// ```text
/// x ← x + (x_read - x) (1 - exp(-dt/τ))
/// ```
///
/// so that it is the same whatever the step. It is no part of the vehicle and of no snapshot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeardVehicle {
    /// Rotation speed of the engine or of the first motor (rad/s); 0 without.
    pub engine_speed: Real,
    /// Load of the drive: its output as a share of the largest at this speed, in [0, 1].
    pub load: Real,
    /// The part of the time that the limiter cuts the fuel, in [0, 1].
    pub limiter: Real,
    /// Speed of the air past the body (m/s).
    pub wind_speed: Real,
    /// The wheels.
    pub wheels: WheelVec<HeardWheel>,
}

impl HeardVehicle {
    /// Follows `readings` for `dt` (s), but not where `dt` is not positive and finite. Nothing is
    /// allocated once it has heard as many wheels.
    pub fn follow(&mut self, params: &HearingParams, readings: &VehicleReadings, dt: Real) {
        if TimeStepError::check(dt).is_err() {
            return;
        }
        let EngineReading { speed, is_limited, .. } = readings.drive.engine.unwrap_or_default();
        let by_engine = lag_share(dt, params.engine_time);
        self.engine_speed += (speed - self.engine_speed) * by_engine;
        self.load += (readings.drive.load - self.load) * by_engine;
        let limiter = if is_limited { 1.0 } else { 0.0 };
        self.limiter += (limiter - self.limiter) * lag_share(dt, params.limiter_time);
        self.wind_speed +=
            (readings.wind_speed - self.wind_speed) * lag_share(dt, params.wind_time);
        self.wheels.resize(readings.wheels.len(), HeardWheel::default());
        for (wheel, reading) in self.wheels.iter_mut().zip(&readings.wheels) {
            wheel.follow(params, reading, dt);
        }
    }

    /// Pressure of the wind in air of `density` (kg/m³) that carries its sound (Pa): `½ ρ v²`.
    pub fn wind_pressure(&self, density: Real) -> Real {
        0.5 * density * self.wind_speed * self.wind_speed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readings::DriveReading;

    fn readings(suspension_speed: Real) -> VehicleReadings {
        let engine = EngineReading { speed: 300.0, is_limited: true, ..EngineReading::default() };
        let wheel = WheelReading {
            is_on_ground: true,
            skid_speed: 4.0,
            skid_power: 2_000.0,
            suspension_speed,
            ..WheelReading::default()
        };
        VehicleReadings {
            wind_speed: 30.0,
            drive: DriveReading { load: 0.5, engine: Some(engine), ..DriveReading::default() },
            wheels: [wheel].into_iter().collect(),
            ..VehicleReadings::default()
        }
    }

    #[test]
    fn what_is_heard_is_the_same_in_any_steps() {
        let heard = |steps: u16| {
            let mut heard = HeardVehicle::default();
            for _ in 0..steps {
                let dt = 0.1 / Real::from(steps);
                heard.follow(&HearingParams::default(), &readings(0.0), dt);
            }
            heard
        };
        let (coarse, fine) = (heard(3), heard(24));
        // 1 - exp(-0.1 / 0.04), - 0.1), - 0.06), - 0.3)
        for (name, coarse, fine, expected) in [
            ("engine", coarse.engine_speed, fine.engine_speed, 300.0 * 0.917_915),
            ("limiter", coarse.limiter, fine.limiter, 0.632_121),
            ("skid", coarse.wheels[0].skid_speed, fine.wheels[0].skid_speed, 4.0 * 0.811_124),
            ("wind", coarse.wind_speed, fine.wind_speed, 30.0 * 0.283_469),
        ] {
            assert!((coarse - expected).abs() < 1e-4 * expected, "{name}: {coarse}, {expected}");
            assert!((coarse - fine).abs() < 1e-4 * expected, "{name}: {coarse}, {fine}");
        }
        assert!((fine.wind_pressure(1.2) - 0.6 * fine.wind_speed * fine.wind_speed).abs() < 1e-3);
        for dt in [0.0, -1.0, Real::NAN, Real::INFINITY] {
            let mut still = fine.clone();
            still.follow(&HearingParams::default(), &readings(1.0), dt);
            assert_eq!(still, fine, "{dt}");
        }
    }

    #[test]
    fn a_steady_suspension_is_a_smooth_road_and_a_shaken_one_a_rough_one() {
        let hear = |speed: fn(u16) -> Real| {
            let mut heard = HeardVehicle::default();
            for step in 0..600 {
                heard.follow(&HearingParams::default(), &readings(speed(step)), 1.0 / 240.0);
            }
            heard.wheels[0].roughness()
        };
        assert!(hear(|_| 0.2) < 1e-3, "{}", hear(|_| 0.2));
        let shaken = hear(|step| if step % 2 == 0 { 0.3 } else { -0.3 });
        assert!((shaken - 0.3).abs() < 0.01, "{shaken} m/s");
    }

    #[test]
    fn bad_times_are_named() {
        let params = HearingParams { tire_time: -1.0, ..HearingParams::default() };
        let fault = params.validate().expect_err("a negative time").to_string();
        assert_eq!(fault, "tire_time must be finite and not negative, got -1");
    }
}
