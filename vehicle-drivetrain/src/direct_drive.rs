//! Direct drive: each wheel turns under its own torque, with no engine between.

use std::ops::ControlFlow::{self, Continue};

use serde::{Deserialize, Serialize};
use vehicle_core::actuation::WheelActuation;
use vehicle_core::commands::{CommandResponseParams, command_response};
use vehicle_core::math::{Real, sign};
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::tire::TireState;
use vehicle_core::wheel::{WheelParams, WheelState};
use vehicle_core::{AxleDescription, Component, Context, PerWheel, PerWheelMut, WheelCoupling};

/// Which way a direct drive turns its wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gear {
    /// Backward.
    Reverse,
    /// Not at all.
    #[default]
    Neutral,
    /// Forward.
    Forward,
}

impl Gear {
    /// -1, 0 or 1: the sign of the drive torque.
    pub fn sign(self) -> Real {
        match self {
            Self::Reverse => -1.0,
            Self::Neutral => 0.0,
            Self::Forward => 1.0,
        }
    }
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
    gear.sign() * command_response(params, throttle, longitudinal_speed, wheel)
}

/// Torques about a wheel's axle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelTorques {
    /// Drive torque (N·m).
    pub drive: Real,
    /// Brake torque, against the rotation, not negative (N·m).
    pub brake: Real,
    /// Torque of the tire (N·m).
    pub tire: Real,
}

/// Rotation speed (rad/s) of a wheel `dt` (s) after `rotation_speed`, explicit in the tire's torque.
///
/// ```text
/// ω' = (ω + (T_tire + T_drive - T_brake sgn ω) dt/I) / (1 + c dt/I)
/// ```
///
/// A braked wheel that would turn around stands still, and stands until the brake is let go. This
/// is the reference's update; see [`coupled_wheel`] for the default.
#[inline]
pub fn wheel_rotation_speed(
    params: &WheelParams,
    torques: &WheelTorques,
    actuation: WheelActuation,
    rotation_speed: Real,
    dt: Real,
) -> Real {
    let per_torque = dt / params.inertia;
    let brake = -torques.brake * sign(rotation_speed);
    let advanced = (rotation_speed + per_torque * (torques.tire + torques.drive + brake))
        / (1.0 + params.damping_rate * per_torque);
    if actuation.is_braked && rotation_speed * advanced <= 0.0 { 0.0 } else { advanced }
}

/// How a tire's torque on its wheel answers to the wheel's rotation speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireTorqueSlope {
    /// Torque per rotation speed by which the tire resists a change, not negative (N·m·s).
    pub resistance: Real,
    /// Largest torque that friction allows, not negative (N·m).
    pub max_torque: Real,
}

/// The slope of a tire's torque on a wheel of `radius` (m).
///
/// ```text
/// κ = R² S / d
/// max torque = R sqrt((μ N)² - F_T²)
/// ```
///
/// with `S` the slope of the longitudinal force against the slip and `d` the slip's denominator.
#[inline]
pub fn tire_torque_slope(tire: &TireState, radius: Real) -> TireTorqueSlope {
    let limit = tire.grip.friction * tire.grip.load;
    let left = limit * limit - tire.force.lateral_force * tire.force.lateral_force;
    let resistance = if tire.slip_denominator == 0.0 {
        0.0
    } else {
        radius * radius * tire.force.longitudinal_stiffness / tire.slip_denominator
    };
    TireTorqueSlope { resistance, max_torque: radius * left.max(0.0).sqrt() }
}

/// Rotation speed of a wheel (rad/s) and torque of its tire (N·m) at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoupledWheel {
    /// Rotation speed (rad/s).
    pub rotation_speed: Real,
    /// Torque of the tire that led there (N·m).
    pub tire_torque: Real,
}

/// A wheel and its tire `dt` (s) after `rotation_speed` (rad/s), coupled at the end of the step.
///
/// ```text
/// I (ω' - ω)/dt = T_tire - κ (ω' - ω) + T_drive + T_brake - c ω'
/// |T_brake| ≤ brake torque, and ω' = 0 where that suffices
/// ```
///
/// The brake acts as dry friction does: it holds a wheel as long as no more than its torque is
/// needed, and never turns one around. Where the tire's torque would exceed what friction allows,
/// it has that size. The wheel loses exactly the momentum that the tire's torque takes.
pub fn coupled_wheel(
    params: &WheelParams,
    torques: &WheelTorques,
    slope: &TireTorqueSlope,
    rotation_speed: Real,
    dt: Real,
) -> CoupledWheel {
    // The change of speed is solved for: the speed itself would lose the digits of small changes.
    let change = |tire_torque: Real, resistance: Real| {
        let per_torque = dt / params.inertia;
        let torque = tire_torque + torques.drive;
        let unbraked = rotation_speed + per_torque * (torque + resistance * rotation_speed);
        if unbraked.abs() <= per_torque * torques.brake {
            return -rotation_speed;
        }
        let brake = -torques.brake.copysign(unbraked);
        let damping = -params.damping_rate * rotation_speed;
        let resisting = params.damping_rate + resistance;
        per_torque * (torque + brake + damping) / (1.0 + per_torque * resisting)
    };
    let coupled = change(torques.tire, slope.resistance);
    let tire_torque = torques.tire - slope.resistance * coupled;
    if tire_torque.abs() <= slope.max_torque {
        return CoupledWheel { rotation_speed: rotation_speed + coupled, tire_torque };
    }
    let tire_torque = slope.max_torque.copysign(tire_torque);
    CoupledWheel { rotation_speed: rotation_speed + change(tire_torque, 0.0), tire_torque }
}

/// What the command stage needs from a vehicle.
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
    /// Brake torque of each wheel (N·m).
    pub brake_torques: PerWheel<'a, Real>,
    /// Written: drive torque of each wheel (N·m).
    pub drive_torques: PerWheelMut<'a, Real>,
    /// Written: whether each wheel drives or brakes.
    pub actuations: PerWheelMut<'a, WheelActuation>,
}

impl DirectThrottleView<'_> {
    /// Updates drive torque and actuation of every wheel.
    pub fn update(mut self, context: &Context<'_>) {
        let speed = self.rigid_body.longitudinal_speed(context.frame());
        for wheel in self.axles.wheels() {
            let torque = drive_torque(self.params, self.throttle, self.gear, speed, wheel);
            self.drive_torques[wheel] = torque;
            self.actuations[wheel] =
                WheelActuation::from_torques(self.brake_torques[wheel], torque);
        }
    }
}

/// What the wheel integration needs from a vehicle.
pub struct DirectDriveView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Inertia of each wheel.
    pub wheel_params: PerWheel<'a, WheelParams>,
    /// Brake torque of each wheel (N·m).
    pub brake_torques: PerWheel<'a, Real>,
    /// Drive torque of each wheel (N·m).
    pub drive_torques: PerWheel<'a, Real>,
    /// Whether each wheel drives or brakes.
    pub actuations: PerWheel<'a, WheelActuation>,
    /// Read and written: force of each tire on its wheel and on the body.
    pub tires: PerWheelMut<'a, TireState>,
    /// Read and written: rotation speed of each wheel.
    pub wheels: PerWheelMut<'a, WheelState>,
}

impl DirectDriveView<'_> {
    /// Updates the rotation speed of every wheel, and the force of its tire where both are coupled.
    pub fn update(mut self, dt: Real, context: &Context<'_>) {
        for wheel in self.axles.wheels() {
            match context.params.wheel_coupling {
                WheelCoupling::Implicit => self.couple(wheel, dt),
                WheelCoupling::Explicit => self.turn(wheel, dt),
            }
        }
    }

    fn turn(&mut self, wheel: usize, dt: Real) {
        let torques = WheelTorques {
            drive: self.drive_torques[wheel],
            brake: self.brake_torques[wheel],
            tire: self.tires[wheel].force.wheel_torque,
        };
        let (params, actuation) = (&self.wheel_params[wheel], self.actuations[wheel]);
        let speed = &mut self.wheels[wheel].rotation_speed;
        *speed = wheel_rotation_speed(params, &torques, actuation, *speed, dt);
    }

    fn couple(&mut self, wheel: usize, dt: Real) {
        let (params, tire) = (&self.wheel_params[wheel], &mut self.tires[wheel]);
        let of_force = -tire.force.longitudinal_force * params.radius;
        let rolling_moment = tire.force.wheel_torque - of_force;
        let torques = WheelTorques {
            drive: self.drive_torques[wheel] + rolling_moment,
            brake: self.brake_torques[wheel],
            tire: of_force,
        };
        let slope = tire_torque_slope(tire, params.radius);
        let speed = &mut self.wheels[wheel].rotation_speed;
        let coupled = coupled_wheel(params, &torques, &slope, *speed, dt);
        *speed = coupled.rotation_speed;
        let force = -coupled.tire_torque / params.radius;
        tire.force.set_longitudinal_force(force, tire.directions.longitudinal, params.radius);
    }
}

/// A vehicle with torques straight on its wheels.
pub trait HasDirectDrive {
    /// Borrows what the command stage reads and writes.
    fn direct_throttle(&mut self) -> DirectThrottleView<'_>;

    /// Borrows what the wheel integration reads and writes.
    fn direct_drive(&mut self) -> DirectDriveView<'_>;
}

/// The command stage as a component: from throttle and gear to drive torques and actuation. It
/// follows the brakes.
#[derive(Clone, Copy, Debug)]
pub struct DirectThrottle;

impl<V: HasDirectDrive + ?Sized> Component<V> for DirectThrottle {
    fn update(&self, vehicle: &mut V, _dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.direct_throttle().update(context);
        Continue(())
    }
}

/// The wheel integration as a component: from torques to rotation speeds. It follows the tires.
#[derive(Clone, Copy, Debug)]
pub struct DirectDrive;

impl<V: HasDirectDrive + ?Sized> Component<V> for DirectDrive {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.direct_drive().update(dt, context);
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wheel() -> WheelParams {
        WheelParams { inertia: 2.0, damping_rate: 1.0, ..WheelParams::default() }
    }

    #[test]
    fn gear_sets_the_direction_of_the_torque() {
        let params = CommandResponseParams::linear(800.0, [1.0, 0.5]);
        let cases = [(Gear::Forward, 200.0), (Gear::Neutral, 0.0), (Gear::Reverse, -200.0)];
        for (gear, expected) in cases {
            assert_eq!(drive_torque(&params, 0.5, gear, 0.0, 1), expected, "{gear:?}");
        }
    }

    #[test]
    fn torques_accelerate_and_damping_slows() {
        let torques = WheelTorques { drive: 30.0, brake: 0.0, tire: -10.0 };
        let speed = wheel_rotation_speed(&wheel(), &torques, WheelActuation::default(), 4.0, 0.5);
        // (4 + 0.25 · 20) / (1 + 0.25)
        assert!((speed - 7.2).abs() < 1e-6, "{speed}");
    }

    fn stiff(torque: Real) -> TireTorqueSlope {
        TireTorqueSlope { resistance: 1e4, max_torque: torque }
    }

    #[test]
    fn coupled_wheel_loses_what_its_tire_takes() {
        let torques = WheelTorques { drive: 120.0, brake: 20.0, tire: -300.0 };
        for max_torque in [1e6, 250.0, 0.0] {
            let (speed, dt) = (8.0, 0.1);
            let coupled = coupled_wheel(&wheel(), &torques, &stiff(max_torque), speed, dt);
            let after = coupled.rotation_speed;
            assert!(coupled.tire_torque.abs() <= max_torque, "{coupled:?}");
            // I (ω' - ω) = (T_tire + T_drive - T_brake - c ω') dt
            let gained = 2.0 * (after - speed);
            let impulse = (coupled.tire_torque + 120.0 - 20.0 - after) * dt;
            assert!((gained - impulse).abs() < 1e-5 * speed, "{gained}, {impulse}");
        }
    }

    #[test]
    fn stiff_tire_does_not_overshoot() {
        // A tire that pulls the wheel back by 300 N·m at a slip of 0.03 rad/s: explicitly the wheel
        // would lose 15 rad/s.
        let torques = WheelTorques { tire: -300.0, ..WheelTorques::default() };
        let coupled = coupled_wheel(&wheel(), &torques, &stiff(1e6), 8.0, 0.1);
        assert!((coupled.rotation_speed - 7.97).abs() < 2e-3, "{coupled:?}");
    }

    #[test]
    fn brake_holds_up_to_its_torque() {
        // (drive, brake, rotation speed after a step from rest)
        for (drive, brake, expected) in [(50.0, 60.0, 0.0), (-50.0, 60.0, 0.0), (80.0, 60.0, 0.8)] {
            let torques = WheelTorques { drive, brake, tire: 0.0 };
            let coupled = coupled_wheel(&wheel(), &torques, &TireTorqueSlope::default(), 0.0, 0.1);
            // 0.05 · 20 / (1 + 0.05)
            let expected = expected / 0.8 * (1.0 / 1.05);
            assert!((coupled.rotation_speed - expected).abs() < 1e-5, "{drive}: {coupled:?}");
        }
    }

    #[test]
    fn brake_stops_a_wheel_but_never_turns_it_around() {
        let torques = WheelTorques { drive: 0.0, brake: 100.0, tire: 0.0 };
        let braked = WheelActuation::from_torques(100.0, 0.0);
        for speed in [10.0, -10.0, 0.0] {
            assert_eq!(wheel_rotation_speed(&wheel(), &torques, braked, speed, 0.5), 0.0);
        }
        let slowed = wheel_rotation_speed(&wheel(), &torques, braked, 100.0, 0.5);
        assert!((slowed - 60.0).abs() < 1e-4, "{slowed}");
    }
}
