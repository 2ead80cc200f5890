//! Direct drive: each wheel turns under its own torque, with no engine between.

use serde::{Deserialize, Serialize};
use vehicle_core::actuation::WheelActuation;
use vehicle_core::commands::{CommandResponseParams, linear_response, linear_responses};
use vehicle_core::math::Real;
use vehicle_core::math::lanes::{Lanes, MAX_LANES, Mask, Number, Real4};
use vehicle_core::rigid_body::{RigidBodyParams, RigidBodyState};
use vehicle_core::tire::TireState;
use vehicle_core::wheel::WheelState;
use vehicle_core::wheel_rotation::{RoadWheel, WheelTorques};
use vehicle_core::{AxleDescription, Context, WheelCoupling, WheelList, WheelReaction};

use crate::parking_lock::ParkingLock;
use crate::turning::MovedParts;

/// Which way a direct drive turns its wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gear {
    /// Reverse: the drive turns the wheels backward.
    Reverse,
    /// Neutral: no drive torque.
    #[default]
    Neutral,
    /// Forward: the drive turns the wheels forward.
    Forward,
    /// The driven wheels are held.
    Park,
}

impl Gear {
    /// -1, 0 or 1: the sign of the drive torque.
    pub fn sign(self) -> Real {
        match self {
            Self::Reverse => -1.0,
            Self::Neutral | Self::Park => 0.0,
            Self::Forward => 1.0,
        }
    }
}

/// Commands of the driver to a direct drive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectControls {
    /// The gear.
    pub gear: Gear,
}

/// Drive torque on `wheel` (N·m).
///
/// ```text
/// T = gear response(throttle, v)
/// ```
pub fn drive_torque(
    params: &CommandResponseParams,
    throttle: Real,
    gear: Gear,
    longitudinal_speed: Real,
    wheel: usize,
) -> Real {
    linear_response(params, effective_throttle(params, throttle, gear, longitudinal_speed), wheel)
}

/// The command that the linear response of every wheel is to, negative in reverse.
fn effective_throttle(
    params: &CommandResponseParams,
    throttle: Real,
    gear: Gear,
    longitudinal_speed: Real,
) -> Real {
    gear.sign() * params.effective_command(throttle, longitudinal_speed)
}

/// Throttle and gear of a direct drive, and the torques that it asks for.
#[derive(Debug)]
pub struct DirectThrottleView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Motion of the body.
    pub rigid_body: &'a RigidBodyState,
    /// Accelerator pedal, in [0, 1].
    pub throttle: Real,
    /// The gear.
    pub gear: Gear,
    /// Response of each wheel's drive torque (N·m).
    pub params: &'a CommandResponseParams,
    /// Mass of the body.
    pub rigid_body_params: &'a RigidBodyParams,
    /// Radius of each wheel.
    pub road_wheels: &'a WheelList<RoadWheel>,
    /// Rotation speed of each wheel.
    pub wheels: &'a WheelList<WheelState>,
    /// Read and written: brake torque of each wheel, with that of its lock in park (N·m).
    pub brake_torques: &'a mut WheelList<Real>,
    /// Written: drive torque of each wheel (N·m).
    pub drive_torques: &'a mut WheelList<Real>,
    /// Written: whether each wheel drives or brakes.
    pub actuations: &'a mut WheelList<WheelActuation>,
}

impl DirectThrottleView<'_> {
    /// Updates drive torque and actuation of every wheel.
    pub fn update(mut self, context: &Context<'_>) {
        if self.gear == Gear::Park {
            self.hold_driven_wheels(context);
        }
        let speed = self.rigid_body.longitudinal_speed(context.frame());
        let effective = effective_throttle(self.params, self.throttle, self.gear, speed);
        for (index, four) in self.drive_torques.fours_mut().iter_mut().enumerate() {
            *four = linear_responses(self.params, effective, index);
        }
        self.update_actuations();
    }

    fn hold_driven_wheels(&mut self, context: &Context<'_>) {
        let lock = ParkingLock {
            mass: self.rigid_body_params.mass,
            length_scale: context.params.coordinates.length_scale,
            road_wheels: self.road_wheels,
            wheels: self.wheels,
        };
        for wheel in self.axles.wheels() {
            if linear_response(self.params, 1.0, wheel) != 0.0 {
                lock.hold(wheel, self.brake_torques);
            }
        }
    }

    /// Updates the actuation of every wheel; its torques are as they have been written.
    pub fn update_actuations(self) {
        let torques = self.brake_torques.fours().iter().zip(self.drive_torques.fours());
        for (actuation, (brake, drive)) in self.actuations.fours_mut().iter_mut().zip(torques) {
            let acts = |torque: Real4| !torque.is_equal(Real4::zero());
            *actuation = WheelActuation { is_braked: acts(*brake), is_driven: acts(*drive) };
        }
    }
}

/// Wheels of a direct drive, and the torques that turn them.
#[derive(Debug)]
pub struct DirectDriveView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Mass of the body.
    pub rigid_body_params: &'a RigidBodyParams,
    /// Radius and inertia of each wheel.
    pub road_wheels: &'a WheelList<RoadWheel>,
    /// Brake torque of each wheel (N·m).
    pub brake_torques: &'a WheelList<Real>,
    /// Drive torque of each wheel (N·m).
    pub drive_torques: &'a WheelList<Real>,
    /// Whether each wheel drives or brakes.
    pub actuations: &'a WheelList<WheelActuation>,
    /// Read and written: force of each tire on its wheel and on the body.
    pub tires: &'a mut WheelList<TireState>,
    /// Read and written: rotation speed of each wheel.
    pub wheels: &'a mut WheelList<WheelState>,
}

impl DirectDriveView<'_> {
    /// Updates the rotation speed of every wheel, and the force of its tire where both are coupled.
    pub fn update(mut self, dt: Real, context: &Context<'_>) {
        let moved = MovedParts::new(self.axles, self.rigid_body_params, self.actuations, context);
        for four in 0..self.tires.fours().len() {
            self.turn(four, &moved, dt, context);
        }
    }

    #[inline]
    fn turn(&mut self, four: usize, moved: &MovedParts, dt: Real, context: &Context<'_>) {
        let wheel = self.road_wheels.four(four);
        let torques = WheelTorques {
            drive: *self.drive_torques.four(four),
            brake: *self.brake_torques.four(four),
        };
        let actuation = self.actuations.four(four);
        let (tire, state) = (self.tires.four_mut(four), self.wheels.four_mut(four));
        let is_lost = state.is_detached;
        let lost = is_lost.any().then_some(*tire);
        let before = state.rotation_speed;
        let rolling_moment = tire.force.rolling_moment(wheel.radius);
        let speed = &mut state.rotation_speed;
        match context.params.wheel_coupling {
            WheelCoupling::Implicit => {
                let moved = moved.of(actuation, tire);
                wheel.couple(tire, speed, &torques, &moved, dt);
            }
            WheelCoupling::Explicit => {
                let tire_torque = tire.force.wheel_torque;
                *speed = wheel.turned(&torques, tire_torque, *actuation, *speed, dt);
            }
        }
        *speed = Number::select(is_lost, Real4::zero(), *speed);
        if context.params.wheel_reaction != WheelReaction::None {
            tire.turn_body(wheel.reaction(rolling_moment, *speed - before, dt));
        }
        if let Some(lost) = lost {
            for lane in (0..MAX_LANES).filter(|&lane| is_lost.lane(lane)) {
                tire.set_lane(lane, lost.lane(lane));
            }
        }
    }
}

/// A vehicle with torques straight on its wheels.
pub trait HasDirectDrive {
    /// Borrows what the command stage reads and writes.
    fn direct_throttle(&mut self) -> DirectThrottleView<'_>;

    /// Borrows what the wheel integration reads and writes.
    fn direct_drive(&mut self) -> DirectDriveView<'_>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gear_sets_the_direction_of_the_torque() {
        let params = CommandResponseParams::linear(800.0, [1.0, 0.5]);
        let cases = [(Gear::Forward, 200.0), (Gear::Neutral, 0.0), (Gear::Reverse, -200.0)];
        for (gear, expected) in cases {
            assert_eq!(drive_torque(&params, 0.5, gear, 0.0, 1), expected, "{gear:?}");
        }
    }
}
