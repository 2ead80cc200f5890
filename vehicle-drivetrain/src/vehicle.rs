//! Ready-made vehicles, of any number of wheels and axles: the mechanical base with a [`Drive`],
//! which turns its wheels.

use std::fmt::Debug;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use vehicle_core::clone_by_field;
use vehicle_core::commands::Commands;
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::CoordinateSystem;
use vehicle_core::math::Real;
use vehicle_core::memory::MechanicalMemory;
use vehicle_core::sequence::Recoverable;
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{
    ChangeMechanics, HasMechanics, HasOwn, MechanicalLanes, MechanicalParams, MechanicalState,
    Mechanics, MechanicsRef, MechanicsWithOwn, OwnState, check_own_memory,
};
use vehicle_core::{ParamErrors, Persistent, SimulationParams, Validate};

use crate::aided::{AidRoom, AidedState, AidsMemory, counting};
use crate::aids::commands::AidCommands;
use crate::aids::{AidVehicle, AidsParams, DriveSignals, GearSignals};
use crate::model::Model;
use crate::readings::DriveReading;

/// What turns the wheels of a vehicle: parameters of a model, with those of its mechanical base.
///
/// A drive of one's own implements it, and lends its part of a [`Vehicle`] to two components of its
/// own: one that finds what the driver asks for, and one that turns the wheels.
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
    /// Room for what a step computes, of each vehicle; `()` if none is needed.
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

    /// Room for what a step computes.
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

    /// Reports why a vehicle in `state` cannot become one of these parameters. It always can
    /// unless said otherwise.
    fn check_change(&self, _state: &Self::State, _check: &mut ParamCheck) {}

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

    /// Tells aids which wheels it drives, and how. None unless said otherwise.
    fn describe(&self, _prepared: &Self::Prepared, _vehicle: &mut AidVehicle) {}

    /// What aids may know of it, with torques in units of the vehicle. Nothing unless said
    /// otherwise.
    fn drive_signals(
        &self,
        _prepared: &Self::Prepared,
        _controls: &Self::Controls,
        _state: &Self::State,
    ) -> DriveSignals {
        DriveSignals::default()
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

    /// What it does, for instruments, sound and [events](crate::events). Nothing unless said
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
}

/// What is asked of the motor of a wheel, at the wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotorDemand {
    /// Torque that is asked for, whether or not it has it (N·m).
    pub torque: Real,
    /// Largest torque that it has at its speed, either way (N·m).
    pub most: Real,
}

/// State of a vehicle whose drive has a state of type `D`.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "D: Serialize + DeserializeOwned")]
pub struct VehicleState<Tire: TireModel, D, Own: OwnState = ()> {
    /// The mechanical base.
    pub mechanics: MechanicalState<Tire>,
    /// What turns the wheels.
    pub drive: D,
    /// What its aids keep.
    pub aids: AidedState,
    /// State that the user has added.
    pub own: Own,
}

clone_by_field! {
    impl[Tire: TireModel, D: Clone, Own: OwnState] VehicleState<Tire, D, Own> {
        mechanics, drive, aids, own
    }
}

/// State that a vehicle keeps between two steps, and its driver's commands. Its drive remembers
/// `M`, and takes commands of type `C`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "M: Serialize + DeserializeOwned, C: Serialize + DeserializeOwned")]
#[non_exhaustive]
pub struct VehicleMemory<Tire: TireModel, M, C, Own: OwnState = ()> {
    /// The mechanical base.
    pub mechanics: MechanicalMemory<Tire>,
    /// What turns the wheels.
    pub drive: M,
    /// Commands of the driver: pedals and steering wheel.
    pub commands: Commands,
    /// Commands of the driver to what turns the wheels.
    pub controls: C,
    /// What its aids keep; `None` without aids.
    pub aids: Option<Box<AidsMemory>>,
    /// State that the user has added.
    pub own: Own,
}

/// State of a vehicle with the drive `D`.
pub type StateOf<D, Own> = VehicleState<<D as Drive>::Tire, <D as Drive>::State, Own>;

/// What a vehicle with the drive `D` remembers.
pub type MemoryOf<D, Own> =
    VehicleMemory<<D as Drive>::Tire, <D as Drive>::Memory, <D as Drive>::Controls, Own>;

/// A vehicle that the drive `D` turns, with [state of its user's own](OwnState) of type `Own`.
///
/// `D` is the type of its parameters. The ready-made ones have names of their own:
/// [`DirectDriveVehicle`](crate::DirectDriveVehicle),
/// [`EngineDriveVehicle`](crate::EngineDriveVehicle), [`TankVehicle`](crate::TankVehicle),
/// [`BlockDriveVehicle`](crate::BlockDriveVehicle).
#[derive(Clone, Debug)]
pub struct Vehicle<D: Drive, Own: OwnState = ()> {
    pub(crate) model: Model<D, Own>,
    /// Commands of the driver: pedals and steering wheel.
    pub commands: Commands,
    /// Commands of the driver to what turns the wheels, such as the gear.
    pub controls: D::Controls,
    /// State of the vehicle.
    pub state: StateOf<D, Own>,
    pub(crate) room: D::Room,
    pub(crate) aid_room: Option<Box<AidRoom<D::Controls>>>,
}

impl<D: Drive> Vehicle<D> {
    /// A vehicle at rest at the origin, whose engines idle. It is in neutral; its driver wants what
    /// an automatic gearbox chooses, if there is one.
    ///
    /// Vehicles of one model may share `params`. Place the vehicle through its state, or on a body
    /// of a physics engine.
    ///
    /// # Errors
    ///
    /// All faults of `params`.
    pub fn new(params: impl Into<Arc<D>>) -> Result<Self, ParamErrors> {
        Self::with_own(params, ())
    }
}

impl<D: Drive, Own: OwnState> Vehicle<D, Own> {
    /// A vehicle as [`new`](Vehicle::new) makes it, with state of one's own, made of `own_params`,
    /// at rest.
    ///
    /// # Errors
    ///
    /// All faults of `params` and `own_params`, the latter as those of `own`.
    pub fn with_own(
        params: impl Into<Arc<D>>,
        own_params: Own::Params,
    ) -> Result<Self, ParamErrors> {
        Ok(Self::at_rest(Model::new(params.into(), own_params)?))
    }

    /// Another vehicle of the same model, at rest at the origin as [`new`](Vehicle::new) makes it:
    /// it shares with this one what both are made of. The vehicles of a fleet are made so.
    pub fn another(&self) -> Self {
        Self::at_rest(self.model.clone())
    }

    fn at_rest(model: Model<D, Own>) -> Self {
        let state = VehicleState {
            mechanics: MechanicalState::of_vehicle(model.params.mechanics()),
            drive: model.params.at_rest(&model.prepared),
            aids: AidedState::at_rest(model.aids.as_deref()),
            own: model.own_at_rest(),
        };
        let (commands, controls) = (Commands::default(), model.params.controls_at_rest());
        let room = model.params.room(&model.prepared);
        let aid_room = AidRoom::of(&model, controls);
        Self { model, commands, controls, state, room, aid_room }
    }

    /// Parameters of the vehicle.
    pub fn params(&self) -> &Arc<D> {
        &self.model.params
    }

    /// Changes what the vehicle is made of, at any time between steps. A driveline of the same
    /// blocks goes on as it was; another one starts anew, its engines idle and its wheels as fast
    /// as they are.
    ///
    /// # Errors
    ///
    /// All faults of `params`, also if the number of wheels differs or the gearbox has not the gear
    /// that is in; nothing has changed then.
    pub fn set_params(&mut self, params: impl Into<Arc<D>>) -> Result<(), ParamErrors> {
        let before = self.model.set_params(params.into(), &self.state.drive)?;
        let Model { params, prepared, .. } = &self.model;
        self.state.mechanics.fit(params.mechanics());
        D::adopt(&before, prepared, &mut self.state.drive);
        self.room = params.room(prepared);
        Ok(())
    }

    /// Parameters of its aids; `None` without aids.
    pub fn aids(&self) -> Option<&AidsParams> {
        self.model.aids.as_deref().map(|system| &system.params)
    }

    /// Gives it other aids, at any time between steps; those of [`AidsParams::default`] are none.
    /// They know at once how it rolls, and what aids before them have seen; what those did is over.
    ///
    /// ```
    /// use vehicle_core::prelude::*;
    /// use vehicle_drivetrain::aids::{AidsParams, AntiLockParams};
    /// use vehicle_drivetrain::prelude::*;
    ///
    /// let mechanics = CarBlueprint::default().mechanics()?;
    /// let mut car = EngineDriveVehicle::new(EngineDriveParams::automatic(mechanics, &[2, 3]))?;
    /// let anti_lock = Some(AntiLockParams::default());
    /// car.set_aids(AidsParams { anti_lock, ..AidsParams::default() })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// All faults of `aids`; nothing has changed then.
    pub fn set_aids(&mut self, aids: AidsParams) -> Result<(), ParamErrors> {
        self.model.set_aids(aids)?;
        self.state.aids = AidedState::replaced(self.model.aids.as_deref(), &self.state.aids);
        self.aid_room = AidRoom::of(&self.model, self.controls);
        Ok(())
    }

    /// Parameters of the state of one's own.
    pub fn own_params(&self) -> &Own::Params {
        &self.model.own_params
    }

    /// Changes what the state of one's own is made of, at any time between steps.
    ///
    /// # Errors
    ///
    /// All faults of `own_params`, and of the state with them; nothing has changed then.
    pub fn set_own_params(&mut self, own_params: Own::Params) -> Result<(), ParamErrors> {
        self.model.set_own_params(own_params, &self.state.own)
    }

    /// Reports faults of what the driver asks for.
    pub fn check_commands(&self, check: &mut ParamCheck) {
        let params = &self.model.params;
        check.field("commands", |inner| params.mechanics().check_commands(&self.commands, inner));
        check.field("controls", |inner| params.check_controls(&self.controls, inner));
    }
}

impl<D: Drive, Own: OwnState> HasMechanics for Vehicle<D, Own> {
    type Tire = D::Tire;

    #[inline]
    fn mechanics(&mut self) -> Mechanics<'_, D::Tire> {
        let commands = counting(&self.aid_room, &self.commands);
        self.model.mechanics(commands, &mut self.state.mechanics)
    }

    #[inline]
    fn read_mechanics(&self) -> MechanicsRef<'_, D::Tire> {
        let Model { params, lanes, .. } = &self.model;
        let state = &self.state.mechanics;
        let (params, _) = lanes.in_use(params.mechanics(), state);
        MechanicsRef { params, commands: &self.commands, state }
    }

    fn set_wheel_mass(&mut self, has_mass: bool, world: &SimulationParams) {
        let Model { params, lanes, .. } = &mut self.model;
        let state = &mut self.state.mechanics;
        MechanicalLanes::set_wheel_mass(lanes, has_mass, world, params.mechanics(), state);
    }
}

impl<D: Drive, Own: OwnState> HasOwn for Vehicle<D, Own> {
    type Own = Own;

    fn own(&mut self) -> MechanicsWithOwn<'_, D::Tire, Own> {
        MechanicsWithOwn {
            mechanics: self
                .model
                .mechanics(counting(&self.aid_room, &self.commands), &mut self.state.mechanics),
            params: &self.model.own_params,
            state: &mut self.state.own,
        }
    }
}

impl<D: Drive + Clone, Own: OwnState> ChangeMechanics for Vehicle<D, Own> {
    fn set_mechanics(&mut self, mechanics: MechanicalParams<D::Tire>) -> Result<(), ParamErrors> {
        let mut params = D::clone(&self.model.params);
        *params.mechanics_mut() = mechanics;
        self.set_params(params)
    }
}

impl<D: Drive, Own: OwnState> Recoverable for Vehicle<D, Own> {
    type Snapshot = StateOf<D, Own>;

    fn check_inputs(&self, check: &mut ParamCheck) {
        self.check_commands(check);
        let Model { params, prepared, own_params, .. } = &self.model;
        let VehicleState { mechanics, drive, own, .. } = &self.state;
        let wheel_count = self.model.wheel_count();
        check.field("state.mechanics", |inner| mechanics.check_lengths(wheel_count, inner));
        check.field("state.drive", |inner| params.check_state(prepared, drive, inner));
        check.field("state.mechanics", |inner| params.check_wheel_inputs(mechanics, inner));
        check.field("state.aids", |inner| self.state.aids.check(wheel_count, inner));
        check.field("state.own", |inner| own.check(own_params, wheel_count, inner));
    }

    fn check_axes(&self, coordinates: &CoordinateSystem, check: &mut ParamCheck) {
        let CoordinateSystem { frame, length_scale } = coordinates;
        let mechanics = self.model.params.mechanics();
        check.field("params.mechanics", |inner| mechanics.check_axes(frame, inner));
        if let Some(aids) = self.aids() {
            let (of_aids, is_same) = (aids.coordinates.frame, aids.coordinates.frame == *frame);
            let requirement = format_args!("{frame:?}, that of the world");
            let found = format_args!("{of_aids:?}");
            check.require("aids.coordinates.frame", is_same, requirement, found);
            let found = aids.coordinates.length_scale;
            let requirement = format_args!("{length_scale}, that of the world");
            check.require(
                "aids.coordinates.length_scale",
                found == *length_scale,
                requirement,
                found,
            );
        }
    }

    fn snapshot(&self) -> StateOf<D, Own> {
        self.state.clone()
    }

    fn snapshot_into(&self, snapshot: &mut StateOf<D, Own>) {
        snapshot.clone_from(&self.state);
    }

    fn restore(&mut self, snapshot: StateOf<D, Own>) {
        self.state = snapshot;
    }

    fn is_finite(&self) -> bool {
        let VehicleState { mechanics, drive, aids, own } = &self.state;
        let are_aids_finite = aids.memory().is_none_or(AidsMemory::is_finite);
        mechanics.is_finite() && D::is_finite(drive) && are_aids_finite && own.is_finite()
    }

    fn stage_fault(&self) -> Option<&'static str> {
        self.state.mechanics.stage_fault()
    }
}

impl<D: Drive, Own: OwnState> Persistent for Vehicle<D, Own> {
    type Memory = MemoryOf<D, Own>;

    fn memory(&self) -> MemoryOf<D, Own> {
        VehicleMemory {
            mechanics: MechanicalMemory::of(&self.state.mechanics),
            drive: D::memory(&self.state.drive),
            commands: self.commands,
            controls: self.controls,
            aids: self.state.aids.memory().map(|memory| Box::new(memory.clone())),
            own: self.state.own.clone(),
        }
    }

    fn recall(&mut self, memory: &MemoryOf<D, Own>) -> Result<(), ParamErrors> {
        let Model { params, prepared, own_params, .. } = &self.model;
        let (mechanics, wheel_count) = (params.mechanics(), self.model.wheel_count());
        let mut check = ParamCheck::default();
        check.field("mechanics", |inner| memory.mechanics.check(wheel_count, inner));
        check.field("drive", |inner| params.check_memory(prepared, &memory.drive, inner));
        check.field("commands", |inner| mechanics.check_commands(&memory.commands, inner));
        check.field("controls", |inner| params.check_controls(&memory.controls, inner));
        if let Some(aids) = &memory.aids {
            check.field("aids", |inner| aids.check(wheel_count, inner));
            check.require("aids", aids.is_finite(), "of finite numbers", "others");
        }
        let (is_needed, is_found) = (self.model.aids.is_some(), memory.aids.is_some());
        let requirement = if is_needed { "there, as aids are" } else { "absent, as aids are" };
        check.require("aids", is_needed == is_found, requirement, is_found);
        check_own_memory::<Own>(own_params, &memory.own, wheel_count, &mut check);
        check.finish()?;
        self.state = VehicleState {
            mechanics: memory.mechanics.state(mechanics),
            drive: params.recall(&memory.drive),
            aids: AidedState::recalled(memory.aids.as_deref()),
            own: memory.own.clone(),
        };
        (self.commands, self.controls) = (memory.commands, memory.controls);
        Ok(())
    }
}
