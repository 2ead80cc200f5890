//! Wheels side by side, as the clutch sees them: four in lanes.

use super::{ClutchSystem, ClutchWheel, WheelConstraint};
use crate::math::lanes::{Lanes, MAX_LANES, Real4, each_lane};
use crate::math::{Real, sign};
use crate::wheel_list::{Fours, MAX_FOURS, place};
use crate::wheel_rotation::{CoupledWheel, TireTorque, WheelTorques};

/// Four wheels, as the clutch sees them; see [`ClutchWheel`]. Lanes that are left over are not to
/// have other numbers than those of a wheel: they compute along, and count in no sum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FourClutchWheels {
    /// Rotation speeds at the start of the step (rad/s).
    pub rotation_speed: Real4,
    /// Moments of inertia (kg·m²).
    pub inertia: Real4,
    /// Torque per rotation speed that slows the wheels (N·m·s).
    pub damping_rate: Real4,
    /// Brake torques, and all other torques that the clutch does not give (N·m).
    pub torques: WheelTorques<Real4>,
    /// Torques of the tires (N·m).
    pub tire: TireTorque<Real4>,
    /// Signed shares r of the clutch's torque (dimensionless); 0 of wheels that it does not turn.
    pub torque_ratio: Real4,
    /// Shares α of the mean speed, not negative (dimensionless).
    pub speed_ratio: Real4,
    /// The wheels that each of them turns with, if any.
    pub constraints: [Option<WheelConstraint>; MAX_LANES],
}

impl FourClutchWheels {
    /// One to four `wheels`.
    pub(super) fn of(wheels: &[ClutchWheel]) -> Self {
        let last = wheels.len() - 1;
        let wheel = |lane: usize| &wheels[lane.min(last)];
        let lanes = |value: fn(&ClutchWheel) -> Real| -> Real4 {
            Lanes::from_lanes(|lane| value(wheel(lane)))
        };
        Self {
            rotation_speed: lanes(|wheel| wheel.rotation_speed),
            inertia: lanes(|wheel| wheel.inertia),
            damping_rate: lanes(|wheel| wheel.damping_rate),
            torques: Lanes::from_lanes(|lane| wheel(lane).torques),
            tire: Lanes::from_lanes(|lane| wheel(lane).tire),
            torque_ratio: lanes(|wheel| wheel.torque_ratio),
            speed_ratio: lanes(|wheel| wheel.speed_ratio),
            constraints: each_lane(|lane| wheels.get(lane)?.constraint),
        }
    }

    /// The wheel in `lane`.
    #[inline]
    pub fn wheel(&self, lane: usize) -> ClutchWheel {
        ClutchWheel {
            rotation_speed: self.rotation_speed.lane(lane),
            inertia: self.inertia.lane(lane),
            damping_rate: self.damping_rate.lane(lane),
            torques: self.torques.lane(lane),
            tire: self.tire.lane(lane),
            torque_ratio: self.torque_ratio.lane(lane),
            speed_ratio: self.speed_ratio.lane(lane),
            constraint: self.constraints[lane],
        }
    }

    /// Shares of the mean speed with the signs of the torques, `α g` (dimensionless).
    #[inline]
    pub(super) fn signed_speed_ratio(&self) -> Real4 {
        self.speed_ratio * sign(self.torque_ratio)
    }

    /// Whether any wheel turns with others.
    #[inline]
    pub(super) fn has_constraint(&self) -> bool {
        let [a, b, c, d] = &self.constraints;
        a.is_some() | b.is_some() | c.is_some() | d.is_some()
    }
}

/// The wheels of a system, four by four, with room for `FOURS`.
#[derive(Clone, Debug, PartialEq)]
pub struct ClutchFours<const FOURS: usize = MAX_FOURS> {
    /// Number of wheels.
    pub wheel_count: usize,
    /// The wheels.
    pub fours: Fours<FourClutchWheels, FOURS>,
}

impl<const FOURS: usize> ClutchFours<FOURS> {
    /// The wheel of this number.
    #[inline]
    pub fn get(&self, wheel: usize) -> Option<ClutchWheel> {
        let (four, lane) = place(wheel);
        (wheel < self.wheel_count).then(|| self.fours[four].wheel(lane))
    }

    /// The group that `wheel` turns with, if any.
    #[inline]
    pub(super) fn group_of(&self, wheel: usize) -> Option<usize> {
        let (four, lane) = place(wheel);
        self.fours[four].constraints[lane].as_ref()?.known_group()
    }

    /// Makes a wheel turn with others.
    ///
    /// # Panics
    ///
    /// If there is no room for such a wheel.
    pub fn constrain(&mut self, wheel: usize, constraint: WheelConstraint) {
        let (four, lane) = place(wheel);
        self.fours[four].constraints[lane] = Some(constraint);
    }
}

impl<const FOURS: usize> ClutchSystem<ClutchFours<FOURS>> {
    /// Slip of the clutch at the start of the step, positive if the wheels overrun the engine
    /// (rad/s).
    #[inline]
    pub fn slip(&self) -> Real {
        let (mut mean, mut left) = (0.0, self.wheels.wheel_count);
        for four in &self.wheels.fours {
            let products = (four.signed_speed_ratio() * four.rotation_speed).to_array();
            mean = products.into_iter().take(left).fold(mean, |sum, product| sum + product);
            left = left.saturating_sub(MAX_LANES);
        }
        self.gear_ratio * mean - self.engine.rotation_speed
    }
}

/// Wheels at the end of a step, four by four, with room for `FOURS`.
pub type CoupledFours<const FOURS: usize = MAX_FOURS> = Fours<CoupledWheel<Real4>, FOURS>;
