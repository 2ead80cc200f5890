//! From the input of a step to a vehicle of any kind.

use rapier3d::prelude::*;
use vehicle_rapier::core::ParamErrors;
use vehicle_rapier::drivetrain::inputs::{
    AxisParams, Direction, DirectionParams, DriverInputs, InputParams, InputState, RawInputs,
    ShiftInput, Shifting,
};
use vehicle_rapier::drivetrain::instruments::{DisplayedGear, Instruments};
use vehicle_rapier::vehicle_file::{AnyDrive, AnyRapierVehicle};

use crate::controls::{DriverInput, Event};

/// Brake of a vehicle that rolls slowly while no foot is on a pedal (dimensionless): it stands on
/// 30 degrees.
const STANDING_BRAKE: Real = 0.7;
/// Speed below which a tank turns in place (m/s), and the part of its full turn to which the
/// steering wheel alone turns it (dimensionless).
const PIVOT_SPEED: Real = 0.4;
const PIVOT: Real = 0.6;
/// Steering wheel and pedals that do nothing (dimensionless).
const OFF: Real = 0.02;

/// Who shifts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GearMode {
    /// The gearbox.
    #[default]
    Automatic,
    /// The driver.
    Manual,
}

impl GearMode {
    fn shifting(self) -> Shifting {
        match self {
            Self::Automatic => Shifting::Automatic,
            Self::Manual => Shifting::Sequential,
        }
    }
}

/// The driver of a vehicle, between two steps: the brake becomes reverse at a standstill.
#[derive(Clone, Debug, PartialEq)]
pub struct Driver {
    pub(crate) mode: GearMode,
    inputs: DriverInputs,
    /// What is done to gears in the next step.
    shift: ShiftInput,
}

/// How the input of a step becomes commands of `car`: it has been through the axes of its device.
fn params(car: &AnyRapierVehicle, mode: GearMode) -> InputParams {
    let [steer, forward, backward] = [AxisParams::WHEEL; 3];
    let direction = DirectionParams { auto_brake: STANDING_BRAKE, ..DirectionParams::default() };
    let fitted = car.vehicle.input_params(InputParams::keyboard, mode.shifting());
    InputParams { steer, forward, backward, direction, ..fitted }
}

impl Driver {
    /// A driver of `car`.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn of(car: &AnyRapierVehicle) -> Result<Self, ParamErrors> {
        let mode = GearMode::default();
        let inputs = DriverInputs::new(params(car, mode))?;
        Ok(Self { mode, inputs, shift: ShiftInput::default() })
    }

    /// Drives `car` from now on, which is the one before with other parameters.
    pub(crate) fn take_over(&mut self, car: &AnyRapierVehicle) -> Result<(), ParamErrors> {
        let state = self.inputs.state;
        self.inputs = DriverInputs::new(params(car, self.mode))?;
        self.inputs.state = state;
        Ok(())
    }

    /// What happens to gears.
    pub(crate) fn handle(
        &mut self,
        event: Event,
        car: &AnyRapierVehicle,
    ) -> Result<(), ParamErrors> {
        match event {
            Event::ToggleGearMode => self.toggle_mode(car)?,
            Event::GearUp | Event::GearDown => {
                if self.mode == GearMode::Automatic {
                    self.toggle_mode(car)?;
                }
                // Each event is a pull of a paddle that has been let go of.
                self.inputs.state.shifter.was_pulled = [false; 2];
                let is_up = event == Event::GearUp;
                self.shift = ShiftInput { up: is_up, down: !is_up, lever: 0 };
            }
            Event::Upright | Event::Start(_) => {
                self.inputs.state = InputState::default();
                self.inputs.state.shifter.gear = 1;
            }
            Event::SwitchAid(..) => {}
        }
        Ok(())
    }

    fn toggle_mode(&mut self, car: &AnyRapierVehicle) -> Result<(), ParamErrors> {
        self.mode = match self.mode {
            GearMode::Automatic => GearMode::Manual,
            GearMode::Manual => GearMode::Automatic,
        };
        self.take_over(car)?;
        let gear = match car.displayed_gear() {
            DisplayedGear::Forward(gear) => gear as i32,
            DisplayedGear::Reverse(_) => -1,
            DisplayedGear::Drive => 1,
            _ => 0,
        };
        let state = &mut self.inputs.state;
        state.shifter.gear = gear;
        state.direction.direction = if gear < 0 { Direction::Reverse } else { Direction::Forward };
        Ok(())
    }

    /// Sets the vehicle's commands for a step of `dt` (s).
    ///
    /// # Errors
    ///
    /// If the step is not positive and finite.
    pub fn drive(
        &mut self,
        input: &DriverInput,
        car: &mut AnyRapierVehicle,
        dt: Real,
    ) -> Result<(), ParamErrors> {
        let raw = RawInputs {
            steer: input.steer(),
            forward: input.throttle(),
            backward: input.brake(),
            hand_brake: input.hand_brake(),
            clutch: 0.0,
            shift: std::mem::take(&mut self.shift),
        };
        let driven = self.inputs.update(&raw, &car.seen_motion(), dt)?;
        car.drive_by(&driven);
        pivot(&raw, car);
        Ok(())
    }
}

/// Turns a vehicle on tracks in place, while its driver steers and does nothing else.
fn pivot(raw: &RawInputs, car: &mut AnyRapierVehicle) {
    let is_free = raw.forward.max(raw.backward).max(raw.hand_brake) < OFF;
    let is_slow = car.forward_speed().abs() < PIVOT_SPEED;
    if let AnyDrive::Tank(tank) = &mut car.vehicle.drive
        && is_free
        && is_slow
        && OFF < raw.steer.abs()
    {
        tank.commands.throttle = PIVOT * raw.steer.abs();
        tank.commands.brakes = [0.0; 2];
        let most = tank.controls.thrusts.into_iter().fold(-1.0, Real::max);
        tank.controls.thrusts = tank.controls.thrusts.map(|it| if it < most { -1.0 } else { it });
        tank.controls.track_brakes = [0.0; 2];
    }
}
