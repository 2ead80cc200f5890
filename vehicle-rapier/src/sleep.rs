//! When a vehicle may sleep, and what wakes it.
//!
//! Rapier puts a body to sleep when it has not moved for half a second. A vehicle must not sleep
//! while its wheels turn, its suspension settles or its driver accelerates, and must wake when the
//! driver asks for something new.

use serde::{Deserialize, Serialize};
use vehicle_core::Validate;
use vehicle_core::commands::Commands;
use vehicle_core::error::ParamCheck;
use vehicle_core::math::Real;
use vehicle_core::rigid_body::HasRigidBody;
use vehicle_core::sequence::Recoverable;
use vehicle_core::suspension::{HasSuspension, SuspensionView};
use vehicle_core::tire::{HasTires, TireModel};
use vehicle_core::wheel::{HasWheels, WheelParams, WheelState};
use vehicle_drivetrain::differential::DifferentialModel;
use vehicle_drivetrain::engine::EngineState;
use vehicle_drivetrain::gearbox::GearCommand;
use vehicle_drivetrain::{DirectDriveVehicleWith, EngineDriveVehicleWith};

/// Kinetic energy per mass of a wheel above which the vehicle stays awake (m²/s²).
const AWAKE_WHEEL_ENERGY: Real = 0.005;

/// Speed of a body on a suspension above which the vehicle stays awake (m/s): a car that settles on
/// its springs is slower than other bodies are when they rest, and would sleep out of balance.
const AWAKE_SETTLING_SPEED: Real = 0.005;

/// The same where a wheel is lost (m/s): the contacts of a hull that lies on the ground give it some
/// millimeters per second for ever.
const AWAKE_WRECK_SPEED: Real = 0.01;

/// What a driver asks of a vehicle, as far as it wakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DriverIntent {
    /// Accelerator pedal.
    pub throttle: Real,
    /// Steering wheel.
    pub steer: Real,
    /// The gear, as a number of the vehicle's own.
    pub gear: u32,
    /// Clutch pedal; 0 without one.
    #[serde(default)]
    pub clutch: Real,
}

impl DriverIntent {
    /// Whether the vehicle is to wake: the driver accelerates, or steers, shifts or clutches anew.
    ///
    /// Brakes do not wake. There is no last intent before the first step.
    pub fn wakes(&self, last: Option<&Self>) -> bool {
        let is_new = last.is_some_and(|last| Self { throttle: last.throttle, ..*self } != *last);
        self.throttle != 0.0 || is_new
    }
}

/// A vehicle that a driver can wake and that can come to rest.
pub trait Drivable: HasRigidBody + HasSuspension + HasTires + HasWheels + Recoverable {
    /// What the driver asks for.
    fn intent(&self) -> DriverIntent;

    /// Reports faults of what the driver asks for: of a vehicle that sleeps on, nothing else is looked
    /// at. All inputs unless said otherwise.
    fn check_commands(&self, check: &mut ParamCheck) {
        self.check_inputs(check);
    }

    /// Stops what turns, because the body has fallen asleep.
    fn rest(&mut self) {
        stop_wheels(self);
    }

    /// Whether the body must stay awake although it hardly moves: the driver accelerates, a wheel
    /// turns, or the suspension settles. The vehicle has `length_scale` units per meter.
    fn is_busy(&mut self, length_scale: Real) -> bool {
        is_driven_or_moves(self, length_scale)
    }
}

fn is_driven_or_moves<V: Drivable + ?Sized>(vehicle: &mut V, length_scale: Real) -> bool {
    vehicle.intent().throttle != 0.0
        || is_any_wheel_turning(vehicle, length_scale)
        || is_settling(vehicle, length_scale)
}

/// Whether the vehicle has all of its wheels.
fn is_whole<V: HasWheels + ?Sized>(vehicle: &mut V) -> bool {
    let view = vehicle.wheels();
    view.axles.wheels().all(|wheel| !view.states[wheel].is_detached)
}

fn stop_wheels<V: HasWheels + ?Sized>(vehicle: &mut V) {
    let mut view = vehicle.wheels();
    for wheel in view.axles.wheels() {
        let state = &mut view.states[wheel];
        state.rotation_speed = 0.0;
        state.displayed_rotation_speed = 0.0;
    }
}

fn is_any_wheel_turning<V: HasWheels + ?Sized>(vehicle: &mut V, length_scale: Real) -> bool {
    let view = vehicle.wheels();
    let threshold = AWAKE_WHEEL_ENERGY * length_scale * length_scale;
    let energy = |wheel: usize| wheel_energy(&view.params[wheel], &view.states[wheel]);
    view.axles.wheels().any(|wheel| threshold < energy(wheel))
}

fn is_settling<V: HasSuspension + HasWheels + ?Sized>(vehicle: &mut V, length_scale: Real) -> bool {
    let speed = if is_whole(vehicle) { AWAKE_SETTLING_SPEED } else { AWAKE_WRECK_SPEED };
    let threshold = speed * length_scale;
    let view = vehicle.suspension();
    view.axles.wheels().any(|wheel| threshold < settling_speed(&view, wheel).abs())
}

/// Speed of the body towards the road at a suspension, as the world's last step left it (m/s).
///
/// The jounce speed would not tell rest: within the vehicle's own step, a body yields to what a
/// joint carries in the world's step.
fn settling_speed(view: &SuspensionView<'_>, wheel: usize) -> Real {
    let Some(road) = &view.roads[wheel] else { return 0.0 };
    let (body, suspension) = (view.rigid_body, &view.params[wheel]);
    let arm = body.direction(suspension.attachment.translation);
    let turning = body.previous_angular_velocity.cross(arm);
    let velocity = body.previous_linear_velocity + turning - road.velocity;
    body.direction(suspension.travel_direction).dot(velocity)
}

/// Kinetic energy of a wheel's rotation per mass of the wheel (m²/s²).
fn wheel_energy(params: &WheelParams, state: &WheelState) -> Real {
    let speed = state.displayed_rotation_speed;
    0.5 * (speed * speed) * params.inertia / params.mass
}

impl<Tire: TireModel> Drivable for DirectDriveVehicleWith<Tire> {
    fn intent(&self) -> DriverIntent {
        DriverIntent {
            throttle: self.commands.throttle,
            steer: self.commands.steer,
            gear: self.gear as u32,
            clutch: 0.0,
        }
    }

    fn check_commands(&self, check: &mut ParamCheck) {
        check.field("commands", |inner| self.commands.check(inner));
    }
}

impl<Tire: TireModel, D: DifferentialModel> Drivable for EngineDriveVehicleWith<Tire, D> {
    fn intent(&self) -> DriverIntent {
        let gear = match self.transmission.gear {
            GearCommand::Gear(gear) => gear as u32,
            GearCommand::Automatic => u32::MAX,
        };
        let Commands { throttle, steer, .. } = self.commands;
        DriverIntent { throttle, steer, gear, clutch: self.transmission.clutch }
    }

    fn check_commands(&self, check: &mut ParamCheck) {
        check.field("commands", |inner| self.commands.check(inner));
        let drivetrain = &self.params().drivetrain;
        check.field("transmission", |inner| self.transmission.check_for(inner, drivetrain));
    }

    /// Stops the wheels, and lets the engine idle.
    fn rest(&mut self) {
        stop_wheels(self);
        let engine = &self.params().drivetrain.engine;
        self.state.drivetrain.engine = EngineState::idling(engine);
    }

    /// Also while the gearbox switches.
    fn is_busy(&mut self, length_scale: Real) -> bool {
        let is_switching = self.state.drivetrain.gearbox.is_switching();
        is_switching || is_driven_or_moves(self, length_scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REST: DriverIntent = DriverIntent { throttle: 0.0, steer: 0.0, gear: 1, clutch: 0.0 };

    #[test]
    fn throttle_steering_gears_and_clutch_wake() {
        let cases = [
            (REST, false),
            (DriverIntent { throttle: 0.1, ..REST }, true),
            (DriverIntent { steer: 0.1, ..REST }, true),
            (DriverIntent { gear: 0, ..REST }, true),
            (DriverIntent { clutch: 0.5, ..REST }, true),
        ];
        for (intent, expected) in cases {
            assert_eq!(intent.wakes(Some(&REST)), expected, "{intent:?}");
        }
    }

    #[test]
    fn steering_held_from_the_start_does_not_wake() {
        let held = DriverIntent { steer: 0.5, ..REST };
        assert!(!held.wakes(None));
        assert!(!held.wakes(Some(&held)));
    }
}
