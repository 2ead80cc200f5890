//! What a model of a drive gives to a vehicle.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use vehicle_core::commands::{Commands, ResponseTable};
use vehicle_core::error::ParamCheck;
use vehicle_core::math::Real;
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{MechanicalParams, MechanicalState};
use vehicle_core::{ParamErrors, Validate};

use crate::aids::commands::AidCommands;
use crate::aids::{AidVehicle, DriveSignals, GearSignals};
use crate::readings::DriveReading;

/// What turns the wheels of a vehicle: parameters of a model, with those of its mechanical base.
///
/// A drive of your own implements it, and lends its part of a [`Vehicle`](crate::Vehicle) to two
/// components of its own. One finds what the driver asks for, the other turns the wheels.
pub trait Drive: Validate + Sized + 'static {
    /// The force law of the tires.
    type Tire: TireModel;
    /// What a step changes of it.
    type State: Clone + Debug + PartialEq + Serialize + DeserializeOwned + 'static;
    /// What remains of the state between two steps.
    type Memory: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// Commands of the driver to it, beside pedals and steering wheel.
    type Controls: Copy + Debug + PartialEq + Serialize + DeserializeOwned;
    /// What steps need, made of the parameters once; `()` if they are used as they are.
    type Prepared: Clone + Debug;
    /// What each vehicle keeps beside its state: room for steps, a report of them; `()` if nothing
    /// is needed.
    type Room: Clone + Debug;

    /// The mechanical base.
    fn mechanics(&self) -> &MechanicalParams<Self::Tire>;

    /// The mechanical base, mutably.
    fn mechanics_mut(&mut self) -> &mut MechanicalParams<Self::Tire>;

    /// What steps need.
    ///
    /// # Errors
    ///
    /// All faults of the parameters.
    fn prepare(&self) -> Result<Self::Prepared, ParamErrors>;

    /// What a vehicle keeps beside its state, before its first step.
    fn room(&self, prepared: &Self::Prepared) -> Self::Room;

    /// The state at rest.
    fn at_rest(&self, prepared: &Self::Prepared) -> Self::State;

    /// Commands of a driver who does nothing yet.
    fn controls_at_rest(&self) -> Self::Controls;

    /// Reports commands that cannot be, as those of `controls`.
    fn check_controls(&self, controls: &Self::Controls, check: &mut ParamCheck);

    /// Reports state with which no step can be done, as that of `state.drive`.
    fn check_state(&self, prepared: &Self::Prepared, state: &Self::State, check: &mut ParamCheck);

    /// Reports torques and steer angles of the wheels that cannot be, if others than the vehicle's
    /// own stages may write them. It does nothing unless said otherwise.
    fn check_wheel_inputs(&self, _: &MechanicalState<Self::Tire>, _: &mut ParamCheck) {}

    /// Reports why a vehicle in `state` cannot become one of these parameters, of which `prepared`
    /// was made, from those `before`. It always can unless said otherwise.
    fn check_change(
        &self,
        _prepared: &Self::Prepared,
        _before: (&Self, &Self::Prepared),
        _state: &Self::State,
        _check: &mut ParamCheck,
    ) {
    }

    /// Lets `state`, which has been that of `before`, go on as that of `after`. It stays as it is
    /// unless said otherwise.
    fn adopt(_before: &Self::Prepared, _after: &Self::Prepared, _state: &mut Self::State) {}

    /// Whether all numbers of `state` are finite.
    fn is_finite(state: &Self::State) -> bool;

    /// What remains of `state` between two steps.
    fn memory(state: &Self::State) -> Self::Memory;

    /// Reports numbers with which no drive can go on.
    fn check_memory(
        &self,
        prepared: &Self::Prepared,
        memory: &Self::Memory,
        check: &mut ParamCheck,
    );

    /// The state as it was when it left `memory`.
    fn recall(&self, memory: &Self::Memory) -> Self::State;

    /// Whether the torques of driven wheels are found while wheels turn, so that aids limit them by
    /// throttle and brakes alone. They are unless said otherwise.
    const IS_SOLVED: bool = true;

    /// Tells aids which wheels it drives, and how, with torques in its own
    /// [units](Self::IS_IN_SI_UNITS). None unless said otherwise.
    fn describe(&self, _prepared: &Self::Prepared, _vehicle: &mut AidVehicle) {}

    /// What aids may know of the drive, with torques in units of the vehicle. Nothing unless said
    /// otherwise.
    fn drive_signals(
        &self,
        _prepared: &Self::Prepared,
        _controls: &Self::Controls,
        _state: &Self::State,
    ) -> DriveSignals {
        DriveSignals::default()
    }

    /// The table by speed between accelerator and torques, if there is one. What aids know of
    /// torques at no and at full throttle is without it, and they see to it themselves.
    fn throttle_table(&self) -> Option<&ResponseTable> {
        None
    }

    /// The gear, of which aids ask in each substep: that of the
    /// [signals](Self::drive_signals) unless said otherwise.
    fn gear_signals(
        &self,
        prepared: &Self::Prepared,
        controls: &Self::Controls,
        state: &Self::State,
    ) -> GearSignals {
        self.drive_signals(prepared, controls, state).gear()
    }

    /// What the drive does, for instruments, sound and [events](crate::events). Nothing unless said
    /// otherwise.
    fn reading(
        &self,
        _prepared: &Self::Prepared,
        _controls: &Self::Controls,
        _state: &Self::State,
    ) -> DriveReading {
        DriveReading::default()
    }

    /// The clutch pedal in `controls`, in [0, 1]; 0 unless said otherwise.
    fn clutch(_controls: &Self::Controls) -> Real {
        0.0
    }

    /// Writes what aids have changed of the driver's commands to his `controls`. It does nothing
    /// unless said otherwise.
    fn shape(_commands: &AidCommands, _controls: &mut Self::Controls) {}

    /// Torque of the drive on `wheel` (N·m), 0 unless said otherwise.
    fn drive_torque(_state: &Self::State, _wheel: usize) -> Real {
        0.0
    }

    /// Whether its torques are in SI units, whatever the unit of length of the vehicle. They are
    /// not unless said otherwise.
    const IS_IN_SI_UNITS: bool = false;

    /// Torque of the drive on `wheel` (N·m), of one that finds it by what is prepared. It is its
    /// [`drive_torque`](Self::drive_torque) unless said otherwise.
    fn wheel_torque(&self, _prepared: &Self::Prepared, state: &Self::State, wheel: usize) -> Real {
        Self::drive_torque(state, wheel)
    }

    /// What the commands ask of the motor of `wheel`, at the wheel, where torques are
    /// [solved](Self::IS_SOLVED); `None` without one. There is none unless said otherwise.
    ///
    /// Where all driven wheels have one, [`describe`](Self::describe) says
    /// [`AidDrive::PerWheel`](crate::aids::AidDrive::PerWheel), or
    /// [`AidDrive::PerMotor`](crate::aids::AidDrive::PerMotor) where wheels share motors.
    fn motor_demand(
        &self,
        _prepared: &Self::Prepared,
        _state: &Self::State,
        _wheel: usize,
    ) -> Option<MotorDemand> {
        None
    }

    /// Asks the motor of `wheel` for another torque at the wheel until the next commands (N·m).
    /// Wheels that share a motor are asked for alike. It does nothing unless said otherwise.
    fn ask_motor(
        &self,
        _prepared: &Self::Prepared,
        _state: &mut Self::State,
        _wheel: usize,
        _torque: Real,
    ) {
    }

    /// Replaces the torque on `wheel` (N·m), where it is not [solved](Self::IS_SOLVED). It does
    /// nothing unless said otherwise.
    fn set_drive_torque(_state: &mut Self::State, _wheel: usize, _torque: Real) {}

    /// Lets a substep have no more throttle than the `limit` of aids, which is in the commands,
    /// too. It does nothing unless said otherwise.
    fn limit_throttle(
        &self,
        _prepared: &Self::Prepared,
        _state: &mut Self::State,
        _limit: Option<Real>,
        _commands: (&Commands, &Self::Controls),
    ) {
    }

    /// Whether aids open its throttle beyond the pedal by [`open_throttle`](Self::open_throttle),
    /// so that a gearbox which shifts by the pedal does not see it. Else they press the pedal. They
    /// do unless said otherwise.
    const HAS_OWN_THROTTLE: bool = false;

    /// Opens its throttle to `throttle` in [0, 1], which is more than the pedal of the commands
    /// says, unless a gearbox has it. It does nothing unless said otherwise.
    fn open_throttle(
        &self,
        _prepared: &Self::Prepared,
        _state: &mut Self::State,
        _throttle: Real,
        _commands: (&Commands, &Self::Controls),
    ) {
    }
}

/// What is asked of the motor of a wheel, at the wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotorDemand {
    /// Torque that is asked for, whether or not it has it (N·m).
    pub torque: Real,
    /// Largest torque that it has at its speed, either way (N·m).
    pub most: Real,
}
