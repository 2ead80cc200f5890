//! Signals: what aids may know in a step.
//!
//! A vehicle fills them in with the truth of the simulation. [`Sensors`](super::sensors::Sensors)
//! replaces what a real car cannot measure by estimates; every law reads the same fields.

use serde::{Deserialize, Serialize};
use vehicle_core::math::lanes::Number;
use vehicle_core::math::{Real, atan2, hypot, sign, sin_cos};

/// Least speed that slip for control is relative to (m/s).
pub const LEAST_SLIP_SPEED: Real = 0.5;

/// Pedal or hand brake from which on the driver uses it (dimensionless): an axis of a device is not
/// quite at its end where nobody touches it.
pub const PRESSED: Real = 0.02;

/// What aids may know of one wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelSignals {
    /// Speed of the wheel's contact over the road, along the heading of the wheel (m/s).
    pub longitudinal_speed: Real,
    /// Rotation speed, positive rolls forward (rad/s).
    pub rotation_speed: Real,
    /// Force of the tire on the vehicle along the heading of the wheel, positive drives forward
    /// (N).
    pub longitudinal_force: Real,
    /// Force of the tire across the heading of the wheel, positive to the left (N).
    pub lateral_force: Real,
    /// By how much the longitudinal force falls with the rotation speed's fall, dF/dΩ (N·s/rad); 0
    /// where that is not known. Laws that compute a torque then foresee the force that the tire has
    /// once the wheel turns as wanted.
    pub force_slope: Real,
    /// Load of the tire, normal to the road (N).
    pub load: Real,
    /// Coefficient of friction below the wheel (dimensionless).
    pub friction: Real,
    /// Angle that the wheel is steered by, positive to the left (rad).
    pub steer_angle: Real,
    /// Whether the wheel touches the road.
    pub is_on_ground: bool,
}

impl WheelSignals {
    /// Sum of all numbers, which is finite only if each of them is.
    pub(crate) fn sum(&self) -> Real {
        self.longitudinal_speed
            + self.rotation_speed
            + self.longitudinal_force
            + self.lateral_force
            + self.force_slope
            + self.load
            + self.friction
            + self.steer_angle
    }

    /// Slip for control, positive where the rim is slower than the road, as of a braked wheel.
    ///
    /// ```text
    /// κ = (v - Ω R) / max(|v|, v_min) · sgn(v)
    /// ```
    ///
    /// with the speed `v` of the contact, the rotation speed `Ω`, the `radius` `R` (m) and `v_min`
    /// = [`LEAST_SLIP_SPEED`]. It is not the slip of the tire, which has other denominators.
    pub fn braking_slip(&self, radius: Real) -> Real {
        braking_slip(self.longitudinal_speed, self.rotation_speed, radius)
    }
}

/// [Slip for control](WheelSignals::braking_slip) of wheels side by side.
pub(crate) fn braking_slip<N: Number>(speed: N, rotation_speed: N, radius: N) -> N {
    let lag = speed - rotation_speed * radius;
    lag / speed.abs().at_least(N::splat(LEAST_SLIP_SPEED)) * sign(speed)
}

/// What aids may know of the body, about the center of mass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodySignals {
    /// Speed over the road, positive forward (m/s).
    pub longitudinal_speed: Real,
    /// Speed over the road, positive to the left (m/s).
    pub lateral_speed: Real,
    /// Rate of turn about the normal of the road, positive to the left (rad/s).
    pub yaw_rate: Real,
    /// Rate of change of the longitudinal speed along a straight line, without gravity's part
    /// (m/s²).
    pub longitudinal_acceleration: Real,
    /// Acceleration to the left in the plane of the road, without gravity's part: in a steady turn
    /// the product of speed and yaw rate (m/s²).
    pub lateral_acceleration: Real,
    /// Drag of the air and resistance to rolling that are known, positive where they slow (N).
    pub resistance: Real,
    /// Sine of the grade, positive where the vehicle points uphill (dimensionless).
    pub grade_sine: Real,
    /// Sine of the angle of the body's left side above the level, positive where it leans to its
    /// right (dimensionless).
    pub bank_sine: Real,
    /// Cosine of the angle of the body out of the upright, negative on its roof (dimensionless).
    pub upright_cosine: Real,
    /// Rate of change of the roll angle (rad/s).
    pub roll_rate: Real,
    /// Rate of change of the pitch angle (rad/s).
    pub pitch_rate: Real,
}

impl BodySignals {
    /// Sum of all numbers, which is finite only if each of them is.
    pub(crate) fn sum(&self) -> Real {
        self.longitudinal_speed
            + self.lateral_speed
            + self.yaw_rate
            + self.longitudinal_acceleration
            + self.lateral_acceleration
            + self.resistance
            + self.grade_sine
            + self.bank_sine
            + self.upright_cosine
            + self.roll_rate
            + self.pitch_rate
    }

    /// Slip angle of the body at the center of mass, positive where it moves to the left of its
    /// nose (rad).
    pub fn slip_angle(&self) -> Real {
        atan2(self.lateral_speed, self.longitudinal_speed.abs())
    }

    /// Angle that the body is rolled by out of the upright, positive to its right side (rad).
    pub fn roll_angle(&self) -> Real {
        atan2(self.bank_sine, self.upright_cosine)
    }

    /// Angle that the body is pitched by out of the level, positive nose down (rad).
    pub fn pitch_angle(&self) -> Real {
        atan2(-self.grade_sine, hypot(self.bank_sine, self.upright_cosine))
    }
}

/// The way that the chosen gear drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DriveDirection {
    /// A forward gear.
    #[default]
    Forward,
    /// No gear.
    Neutral,
    /// The reverse gear.
    Reverse,
}

impl DriveDirection {
    /// 1, 0 or -1.
    pub fn sign(self) -> Real {
        match self {
            Self::Forward => 1.0,
            Self::Neutral => 0.0,
            Self::Reverse => -1.0,
        }
    }
}

/// What aids may know of the driver.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DriverSignals {
    /// Accelerator pedal as the driver holds it, in [0, 1].
    pub throttle: Real,
    /// Foot brake, in [0, 1].
    pub foot_brake: Real,
    /// Hand brake, in [0, 1].
    pub hand_brake: Real,
    /// Clutch pedal, in [0, 1]: 1 is pressed down and disengages.
    pub clutch: Real,
    /// Steering wheel, in [-1, 1], positive to the left.
    pub steer: Real,
    /// Angle of the steering that the driver asks for at this speed, without the part of any aid,
    /// positive to the left (rad). Each wheel has its [share](super::AidWheel::steer_share) of it.
    pub steer_angle: Real,
}

impl DriverSignals {
    /// Whether the driver pulls the hand brake.
    pub fn is_hand_brake_pulled(&self) -> bool {
        PRESSED < self.hand_brake
    }
}

/// What aids may know of the drive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DriveSignals {
    /// The way that the chosen gear drives.
    pub direction: DriveDirection,
    /// Whether the gear is the first one forward; true where there is one gear alone.
    pub is_first_gear: bool,
    /// Whether the gearbox is between two gears.
    pub is_shifting: bool,
    /// Rotation speed of the engine (rad/s); 0 without one.
    pub engine_speed: Real,
    /// Speed that the engine is ahead of the clutch's other side by (rad/s); 0 without one.
    pub clutch_slip: Real,
    /// Sum of the torques at the driven wheels at full throttle, in this gear at this speed,
    /// positive drives forward (N·m).
    pub full_throttle_torque: Real,
    /// Sum of the torques at the driven wheels at no throttle, such as the braking of an engine
    /// (N·m).
    pub closed_throttle_torque: Real,
    /// Sum of the torques at the driven wheels now (N·m).
    pub torque: Real,
    /// Sum of the magnitudes of the torques at the driven wheels now (N·m), which the tracks of a
    /// tank have that turns on the spot.
    #[serde(default)]
    pub absolute_torque: Real,
    /// By how much their sum grows per throttle below what the power of motors bounds (N·m). It is
    /// 0 where that is the difference of the torques at full and at no throttle.
    #[serde(default)]
    pub torque_per_throttle: Real,
    /// Part of the torque at no throttle that is gone at
    /// [`lift_throttle`](Self::lift_throttle), such as that of motors that brake as the pedal is
    /// lifted (N·m).
    #[serde(default)]
    pub lift_torque: Real,
    /// Throttle at which it is gone (dimensionless).
    #[serde(default)]
    pub lift_throttle: Real,
}

/// What aids may know of the gear, the part of [`DriveSignals`] that is true at any moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GearSignals {
    /// The way that the chosen gear drives.
    pub direction: DriveDirection,
    /// Whether the gear is the first one forward; true where there is one gear alone.
    pub is_first_gear: bool,
    /// Whether the gearbox is between two gears.
    pub is_shifting: bool,
}

impl DriveSignals {
    /// The gear.
    pub fn gear(&self) -> GearSignals {
        let Self { direction, is_first_gear, is_shifting, .. } = *self;
        GearSignals { direction, is_first_gear, is_shifting }
    }

    /// These signals in another gear.
    #[must_use]
    pub fn in_gear(self, gear: GearSignals) -> Self {
        let GearSignals { direction, is_first_gear, is_shifting } = gear;
        Self { direction, is_first_gear, is_shifting, ..self }
    }

    /// The throttle that gives the driven wheels a `torque` (N·m), not limited to [0, 1]; `None`
    /// where throttle gives less than `least` (N·m). It is found in straight pieces through the
    /// torques at no throttle, at the lift throttle and beyond.
    pub(crate) fn throttle_for(&self, torque: Real, least: Real) -> Option<Real> {
        let Self { lift_torque, lift_throttle, .. } = *self;
        let closed = self.closed_throttle_torque;
        let unlifted = closed - lift_torque;
        let slope = match self.torque_per_throttle {
            0.0 => self.full_throttle_torque - unlifted,
            slope => slope,
        };
        if slope <= least {
            return None;
        }
        let throttle = (torque - unlifted) / slope;
        if lift_throttle <= 0.0 || lift_throttle <= throttle {
            return Some(throttle);
        }
        let at_knee = unlifted + slope * lift_throttle;
        Some(lift_throttle * (torque - closed) / (at_knee - closed).max(least))
    }
}

/// What aids may know in a step. The step is one of a frame or one of its substeps, as the phase
/// is that reads it.
#[derive(Clone, Copy, Debug)]
pub struct AidSignals<'a> {
    /// The wheels, in the order of the vehicle.
    pub wheels: &'a [WheelSignals],
    /// The body.
    pub body: BodySignals,
    /// The driver.
    pub driver: DriverSignals,
    /// The drive.
    pub drive: DriveSignals,
    /// Gravity of the world (m/s²).
    pub gravity: Real,
    /// The step (s).
    pub dt: Real,
}

impl AidSignals<'_> {
    /// Mean friction below the wheels, weighted by their loads (dimensionless); 1 in the air.
    pub fn friction(&self) -> Real {
        let (mut load, mut weighted) = (0.0, 0.0);
        for wheel in self.wheels {
            if wheel.is_on_ground {
                load += wheel.load;
                weighted += wheel.load * wheel.friction;
            }
        }
        if 0.0 < load { weighted / load } else { 1.0 }
    }

    /// Sum of the loads of the tires (N).
    pub fn load(&self) -> Real {
        self.wheels.iter().map(|wheel| wheel.load).sum()
    }
}

/// Tangent of `angle` (rad), a little less than it is: what is below it needs no arc tangent to be
/// known as the smaller angle. None is below that of a right angle or more.
pub(crate) fn calm_slope(angle: Real) -> Real {
    const SURE: Real = 0.999;
    let (sin, cos) = sin_cos(angle);
    if angle < 1.5 { SURE * sin / cos } else { 0.0 }
}

/// `value` without the part of it within ± `width`: `sgn(x) max(0, |x| - w)`.
pub(crate) fn beyond(value: Real, width: Real) -> Real {
    sign(value) * (value.abs() - width).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn throttle_is_found_on_either_side_of_the_pedal_that_is_lifted() {
        // Brakes with 120 N·m at no throttle, which are gone at 0.1; 1000 N·m per throttle.
        let motor = DriveSignals {
            full_throttle_torque: 600.0,
            closed_throttle_torque: -120.0,
            torque_per_throttle: 1_000.0,
            lift_torque: -120.0,
            lift_throttle: 0.1,
            ..Default::default()
        };
        for (torque, throttle) in
            [(500.0, 0.5), (100.0, 0.1), (-10.0, 0.05), (-120.0, 0.0), (-340.0, -0.1)]
        {
            let found = motor.throttle_for(torque, 1.0).expect("a drive");
            assert!((found - throttle).abs() < 1e-6, "{torque} N·m: {found}, not {throttle}");
        }
        let engine = DriveSignals {
            full_throttle_torque: 900.0,
            closed_throttle_torque: -100.0,
            ..Default::default()
        };
        assert_eq!(engine.throttle_for(400.0, 1.0), Some(0.5));
        assert_eq!(DriveSignals::default().throttle_for(400.0, 1.0), None);
    }

    #[test]
    fn braking_slip_is_positive_where_the_rim_lags_in_either_direction() {
        let slip = |speed, rotation_speed| {
            let wheel =
                WheelSignals { longitudinal_speed: speed, rotation_speed, ..Default::default() };
            wheel.braking_slip(0.5)
        };
        assert_eq!(slip(10.0, 16.0), 0.2);
        assert_eq!(slip(-10.0, -16.0), 0.2);
        assert_eq!(slip(10.0, 24.0), -0.2);
        assert_eq!(slip(0.25, 0.0), 0.5);
        assert_eq!(slip(0.0, 1.0), 0.0);
    }

    #[test]
    fn what_is_within_the_width_is_nothing() {
        assert_eq!(beyond(0.5, 0.25), 0.25);
        assert_eq!(beyond(-0.5, 0.25), -0.25);
        assert_eq!(beyond(0.1, 0.25), 0.0);
    }
}
