//! What a driver sees of a vehicle: how it moves over the ground, and its dashboard.

use serde::{Deserialize, Serialize};
use vehicle_core::Frame;
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::{Real, Vec3, atan2};
use vehicle_core::vehicle::{HasMechanics, MechanicsRef, ReadVehicle};

use crate::aids::Aid;
use crate::instruments::{DisplayedGear, Instruments};
use crate::readings::ReadDrive;

/// Speed of a tread over the ground below which its wheel stands (m/s).
const STANDING_TREAD: Real = 0.3;
/// Speed below which a vehicle has no side slip (m/s).
const LEAST_SPEED: Real = 2.0;

/// The motion of a vehicle over its ground, as inputs need it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SeenMotion {
    /// Forward speed over the ground (m/s).
    pub speed: Real,
    /// Angle of the way that it goes to the left of its nose (rad), 0 below 2 m/s.
    pub side_slip: Real,
    /// Whether all wheels stand that brakes hold.
    pub are_wheels_locked: bool,
    /// Whether no wheel touches the ground.
    pub is_airborne: bool,
    /// Whether a cruise control keeps the speed.
    #[serde(default)]
    pub is_cruising: bool,
    /// Engine speed (rad/s), if there is an engine.
    pub engine_speed: Option<Real>,
    /// The way that the present gear drives: -1, 0 or 1.
    pub gear_sign: i32,
}

impl SeenMotion {
    /// The motion of `vehicle`, of the axes of `frame`, by the end of the last step.
    pub fn of<V>(vehicle: &V, frame: &Frame) -> Self
    where
        V: HasMechanics + Instruments + ReadDrive + ?Sized,
    {
        let MechanicsRef { params, state, .. } = vehicle.read_mechanics();
        let body = &state.rigid_body;
        let (mut ground, mut touching, mut braked, mut locked) = (Vec3::ZERO, 0.0, 0_u32, 0_u32);
        for wheel in params.axles.wheels() {
            let is_braked = 0.0 < state.brake_torques[wheel];
            let tread = vehicle.wheel_state(wheel).rotation_speed * params.wheels[wheel].radius;
            braked += u32::from(is_braked);
            locked += u32::from(is_braked && tread.abs() < STANDING_TREAD);
            if let Some(velocity) = vehicle.ground_velocity(wheel)
                && 0.0 < vehicle.tire_state(wheel).grip.load
            {
                ground += velocity;
                touching += 1.0;
            }
        }
        let ground = if 0.0 < touching { ground / touching } else { Vec3::ZERO };
        let velocity = body.linear_velocity - ground;
        let speed = velocity.dot(body.direction(frame.longitudinal()));
        let aside = velocity.dot(body.direction(frame.lateral()));
        let gear_sign = match vehicle.displayed_gear() {
            DisplayedGear::Reverse(_) => -1,
            DisplayedGear::Drive | DisplayedGear::Forward(_) => 1,
            DisplayedGear::Park | DisplayedGear::Neutral => 0,
        };
        Self {
            speed,
            side_slip: if LEAST_SPEED < speed { atan2(aside, speed) } else { 0.0 },
            are_wheels_locked: 0 < braked && braked == locked,
            is_airborne: touching == 0.0,
            is_cruising: vehicle.aid_report().is_active(Aid::Cruise),
            engine_speed: vehicle.engine_speed(),
            gear_sign,
        }
    }
}

impl Validate for SeenMotion {
    fn check(&self, check: &mut ParamCheck) {
        check.number("speed", self.speed, Bound::Finite);
        check.number("side_slip", self.side_slip, Bound::Finite);
        if let Some(speed) = self.engine_speed {
            check.number("engine_speed", speed, Bound::Finite);
        }
    }
}
