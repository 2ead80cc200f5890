//! Ready-made vehicles, of any number of wheels and axles: the mechanical base with a [`Drive`],
//! which turns its wheels.

mod aids;
mod memory;
mod recovery;

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use vehicle_core::clone_by_field;
use vehicle_core::commands::Commands;
use vehicle_core::error::ParamCheck;
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{
    ChangeMechanics, HasMechanics, HasOwn, MechanicalLanes, MechanicalParams, MechanicalState,
    Mechanics, MechanicsRef, MechanicsWithOwn, OwnState,
};
use vehicle_core::{ParamErrors, SimulationParams};

pub use self::memory::{MemoryOf, VehicleMemory};
use crate::aided::{AidRoom, AidedState, counting};
use crate::aids::AidReport;
pub use crate::drive::{Drive, MotorDemand};
use crate::model::Model;
use crate::readings::{DriveReading, ReadDrive};

/// State of a vehicle whose drive has a state of type `D`.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "D: Serialize + DeserializeOwned")]
pub struct VehicleState<Tire: TireModel, D, Own: OwnState = ()> {
    /// The mechanical base.
    pub mechanics: MechanicalState<Tire>,
    /// What turns the wheels.
    pub drive: D,
    /// What the vehicle's aids keep.
    pub aids: AidedState,
    /// State that the user has added.
    pub own: Own,
}

clone_by_field! {
    impl[Tire: TireModel, D: Clone, Own: OwnState] VehicleState<Tire, D, Own> {
        mechanics, drive, aids, own
    }
}

/// State of a vehicle with the drive `D`.
pub type StateOf<D, Own> = VehicleState<<D as Drive>::Tire, <D as Drive>::State, Own>;

/// A vehicle that the drive `D` turns, with [state of its user's own](OwnState) of type `Own`.
///
/// `D` is the type of its parameters. The ready-made ones have names of their own:
/// [`DirectDriveVehicle`](crate::DirectDriveVehicle),
/// [`EngineDriveVehicle`](crate::EngineDriveVehicle), [`TankVehicle`](crate::TankVehicle),
/// [`BlockDriveVehicle`](crate::BlockDriveVehicle).
#[derive(Debug)]
pub struct Vehicle<D: Drive, Own: OwnState = ()> {
    pub(crate) model: Model<D, Own>,
    /// Commands of the driver: pedals and steering wheel.
    pub commands: Commands,
    /// Commands of the driver to what turns the wheels, such as the gear.
    pub controls: D::Controls,
    /// State of the vehicle.
    pub state: StateOf<D, Own>,
    pub(crate) room: D::Room,
    /// Room for what aids do; none outside of a step.
    pub(crate) aid_room: Option<Box<AidRoom<D::Controls>>>,
}

clone_by_field! {
    impl[D: Drive, Own: OwnState] Vehicle<D, Own> {
        model, commands, controls, state, room, aid_room
    }
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

    /// Another vehicle with the same shared parameters, at rest at the origin. Use it to fill a
    /// fleet.
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
        Self { model, commands, controls, state, room, aid_room: None }
    }

    /// Parameters of the vehicle.
    pub fn params(&self) -> &Arc<D> {
        &self.model.params
    }

    /// Changes what the vehicle is made of, at any time between steps. A driveline of the same
    /// blocks goes on as it was; another one starts anew, its engines idle and its wheels as fast
    /// as they are. Wheels whose mass has been [taken away](HasMechanics::set_wheel_mass) stay
    /// without it.
    ///
    /// # Errors
    ///
    /// All faults of `params`, also if the number of wheels differs, or the gearbox has another
    /// neutral or not the gear that is in; nothing has changed then.
    pub fn set_params(&mut self, params: impl Into<Arc<D>>) -> Result<(), ParamErrors> {
        let mechanics = &mut self.state.mechanics;
        let is_relieved = self.model.params.mechanics().suspension_dynamics.has_mass()
            && mechanics.wheel_inertia.is_none();
        let before = self.model.set_params(params.into(), &self.state.drive)?;
        let Model { params, prepared, .. } = &self.model;
        mechanics.fit(params.mechanics());
        if is_relieved {
            mechanics.wheel_inertia = None;
        }
        D::adopt(&before, prepared, &mut self.state.drive);
        self.room = params.room(prepared);
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

    fn mechanical_params(&self) -> &MechanicalParams<D::Tire> {
        self.model.params.mechanics()
    }

    fn params_revision(&self) -> u32 {
        self.model.lanes.revision()
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

impl<D: Drive, Own: OwnState> ReadDrive for Vehicle<D, Own> {
    fn drive_reading(&self) -> DriveReading {
        let (params, prepared) = (&self.model.params, &self.model.prepared);
        params.reading(prepared, &self.controls, &self.state.drive)
    }

    fn aid_report(&self) -> AidReport {
        self.state.aids.report()
    }
}
