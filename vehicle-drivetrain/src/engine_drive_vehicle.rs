//! Ready-made vehicles with an engine, of any number of wheels and axles.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_core::clone_by_field;
use vehicle_core::commands::Commands;
use vehicle_core::convert::Convert;
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::{CoordinateConversion, Frame};
use vehicle_core::memory::MechanicalMemory;
use vehicle_core::sequence::Recoverable;
use vehicle_core::tire::{BrushTire, TireModel};
use vehicle_core::vehicle::{
    ChangeMechanics, HasMechanics, HasOwn, MechanicalParams, MechanicalState, Mechanics,
    MechanicsRef, MechanicsWithOwn, OwnState, check_own_memory,
};
use vehicle_core::{ComponentSequence, ParamErrors, Persistent, Validate};

use crate::differential::{
    DifferentialModel, DifferentialParams, MultiWheelDifferentialParams, TankDifferentialParams,
};
use crate::drivetrain::{
    Drivetrain, DrivetrainMemory, DrivetrainParams, DrivetrainState, HasDrivetrain,
};
use crate::engine::EngineParams;
use crate::model::{Model, ModelParams, impl_model};
use crate::sequences::{engine_sequence_with_substeps, engine_substeps};
use crate::transmission::TransmissionCommands;

/// Parameters of a vehicle with an engine, with tires of type `Tire` and a differential of type
/// `D`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EngineDriveParams<Tire = BrushTire, D = DifferentialParams> {
    /// The mechanical base.
    pub mechanics: MechanicalParams<Tire>,
    /// Engine, clutch, gearbox and differential.
    pub drivetrain: DrivetrainParams<D>,
}

impl<Tire> EngineDriveParams<Tire> {
    /// The default engine with an automatic gearbox, whose open differential turns the wheels
    /// `driven` with equal torques: `&[2, 3]` is the rear axle of a car, `&[0, 1]` the front axle.
    pub fn automatic(mechanics: MechanicalParams<Tire>, driven: &[usize]) -> Self {
        Self::automatic_with(EngineParams::default(), mechanics, driven)
    }

    /// An engine of your own, such as [`EngineParams::of_power`], with an automatic gearbox, whose
    /// open differential turns the wheels `driven` with equal torques.
    pub fn automatic_with(
        engine: EngineParams,
        mechanics: MechanicalParams<Tire>,
        driven: &[usize],
    ) -> Self {
        let wheel_count = mechanics.axles.wheel_count();
        let differential = MultiWheelDifferentialParams::equal(wheel_count, driven);
        let differential = DifferentialParams::MultiWheel(differential);
        Self { mechanics, drivetrain: DrivetrainParams::automatic_with(engine, differential) }
    }
}

impl<Tire: TireModel, D: DifferentialModel> Validate for EngineDriveParams<Tire, D> {
    fn check(&self, check: &mut ParamCheck) {
        check.field("mechanics", |inner| self.mechanics.check(inner));
        check.field("drivetrain", |inner| self.drivetrain.check(inner, &self.mechanics.axles));
    }
}

impl<Tire: Convert, D: Convert> Convert for EngineDriveParams<Tire, D> {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            mechanics: self.mechanics.converted(conversion),
            drivetrain: self.drivetrain.converted(conversion),
        }
    }
}

impl<Tire: TireModel, D> ModelParams for EngineDriveParams<Tire, D> {
    type Tire = Tire;

    fn mechanics(&self) -> &MechanicalParams<Tire> {
        &self.mechanics
    }
}

/// State of a vehicle with an engine.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct EngineDriveState<Tire: TireModel = BrushTire, Own: OwnState = ()> {
    /// The mechanical base.
    pub mechanics: MechanicalState<Tire>,
    /// Engine, clutch, gearbox and differential.
    pub drivetrain: DrivetrainState,
    /// State that the user has added.
    pub own: Own,
}

clone_by_field! {
    impl[Tire: TireModel, Own: OwnState] EngineDriveState<Tire, Own> { mechanics, drivetrain, own }
}

/// A vehicle whose wheels an engine turns, with tires of type `Tire`, a differential of type `D`
/// and [state of its user's own](OwnState) of type `Own`.
///
/// [`EngineDriveVehicle`] and [`TankVehicle`] are the ones with the default tire.
#[derive(Clone, Debug)]
pub struct EngineDriveVehicleWith<Tire: TireModel, D = DifferentialParams, Own: OwnState = ()> {
    model: Model<EngineDriveParams<Tire, D>, Own>,
    /// Commands of the driver: pedals and steering wheel.
    pub commands: Commands,
    /// Commands of the driver: gearbox, clutch and tracks.
    pub transmission: TransmissionCommands,
    /// State of the vehicle.
    pub state: EngineDriveState<Tire, Own>,
}

/// A vehicle whose wheels an engine turns, through a differential of any kind.
pub type EngineDriveVehicle = EngineDriveVehicleWith<BrushTire>;

/// Parameters of a tank.
pub type TankParams<Tire = BrushTire> = EngineDriveParams<Tire, TankDifferentialParams>;

/// A vehicle on tracks, which it steers by their thrusts.
pub type TankVehicle = EngineDriveVehicleWith<BrushTire, TankDifferentialParams>;

impl<Tire: TireModel, D: DifferentialModel> EngineDriveVehicleWith<Tire, D> {
    /// A vehicle at rest at the origin, in neutral, with an engine that idles. Its driver wants
    /// neutral, or what the automatic gearbox chooses, if there is one.
    ///
    /// Vehicles of one model may share `params`. Place the vehicle through its state, or on a body
    /// of a physics engine.
    ///
    /// # Errors
    ///
    /// All faults of `params`.
    pub fn new(params: impl Into<Arc<EngineDriveParams<Tire, D>>>) -> Result<Self, ParamErrors> {
        Self::with_own(params, ())
    }
}

impl<Tire: TireModel, D: DifferentialModel, Own: OwnState> EngineDriveVehicleWith<Tire, D, Own> {
    /// A vehicle as [`new`](Self::new) makes it, with state of one's own, made of `own_params`, at
    /// rest.
    ///
    /// # Errors
    ///
    /// All faults of `params` and `own_params`, the latter as those of `own`.
    pub fn with_own(
        params: impl Into<Arc<EngineDriveParams<Tire, D>>>,
        own_params: Own::Params,
    ) -> Result<Self, ParamErrors> {
        Ok(Self::at_rest(Model::new(params.into(), own_params)?))
    }

    /// Another vehicle of the same model, at rest at the origin as [`new`](Self::new) makes it: it
    /// shares with this one what both are made of. The vehicles of a fleet are made so.
    pub fn another(&self) -> Self {
        Self::at_rest(self.model.share())
    }

    fn at_rest(model: Model<EngineDriveParams<Tire, D>, Own>) -> Self {
        let wheel_count = model.wheel_count();
        let state = EngineDriveState {
            mechanics: MechanicalState::of_vehicle(&model.params.mechanics),
            drivetrain: DrivetrainState::at_rest(&model.params.drivetrain, wheel_count),
            own: model.own_at_rest(),
        };
        let (commands, transmission) =
            (Commands::default(), TransmissionCommands::at_rest(&model.params.drivetrain));
        Self { model, commands, transmission, state }
    }

    /// Changes what the vehicle is made of, at any time between steps.
    ///
    /// # Errors
    ///
    /// All faults of `params`, also if the number of wheels differs or the gearbox has not the gear
    /// that is in; nothing has changed then.
    pub fn set_params(
        &mut self,
        params: impl Into<Arc<EngineDriveParams<Tire, D>>>,
    ) -> Result<(), ParamErrors> {
        let gearbox = &self.state.drivetrain.gearbox;
        let needed = gearbox.current.max(gearbox.target);
        self.model.set_params(params.into(), |params, check| {
            let gears = params.drivetrain.gearbox.ratios.len();
            let requirement = format_args!("more than {needed}, the gear that is in or chosen");
            check.require("drivetrain.gearbox.ratios", needed < gears, requirement, gears);
        })?;
        self.state.mechanics.fit(&self.model.params.mechanics);
        Ok(())
    }

    /// The stages of the vehicle, in order, with three substeps of the stiff ones below 5 m/s and
    /// one above, whichever way it moves; if its wheels have a mass, two above, and one while
    /// its brakes hold it.
    ///
    /// One sequence serves every vehicle.
    #[expect(clippy::redundant_closure, reason = "the function would ask for static parts")]
    pub fn sequence() -> ComponentSequence<Self> {
        Self::sequence_with_substeps(|vehicle| engine_substeps(vehicle))
    }

    /// The stages of the vehicle, in order, with `count` substeps of the stiff ones.
    pub fn sequence_with_substeps(
        count: impl Fn(&Self) -> u32 + Send + Sync + 'static,
    ) -> ComponentSequence<Self> {
        engine_sequence_with_substeps(count)
    }
}

impl<Tire: TireModel, D: DifferentialModel, Own: OwnState> Recoverable
    for EngineDriveVehicleWith<Tire, D, Own>
{
    type Snapshot = EngineDriveState<Tire, Own>;

    fn check_inputs(&self, check: &mut ParamCheck) {
        let EngineDriveParams { mechanics, drivetrain } = &*self.model.params;
        let wheel_count = mechanics.axles.wheel_count();
        check.field("commands", |inner| mechanics.check_commands(&self.commands, inner));
        check.field("transmission", |inner| self.transmission.check_for(inner, drivetrain));
        check.field("state.mechanics", |inner| {
            self.state.mechanics.check_lengths(wheel_count, inner);
        });
        check.field("state.drivetrain", |inner| {
            self.state.drivetrain.check(inner, &drivetrain.gearbox, wheel_count);
        });
        let own = &self.state.own;
        check.field("state.own", |inner| own.check(&self.model.own_params, wheel_count, inner));
    }

    fn check_axes(&self, frame: &Frame, check: &mut ParamCheck) {
        check.field("params.mechanics", |inner| {
            self.model.params.mechanics.check_axes(frame, inner);
        });
    }

    fn snapshot(&self) -> EngineDriveState<Tire, Own> {
        self.state.clone()
    }

    fn snapshot_into(&self, snapshot: &mut EngineDriveState<Tire, Own>) {
        snapshot.clone_from(&self.state);
    }

    fn restore(&mut self, snapshot: EngineDriveState<Tire, Own>) {
        self.state = snapshot;
    }

    fn is_finite(&self) -> bool {
        let EngineDriveState { mechanics, drivetrain, own } = &self.state;
        mechanics.is_finite() && drivetrain.is_finite() && own.is_finite()
    }

    fn stage_fault(&self) -> Option<&'static str> {
        self.state.mechanics.stage_fault()
    }
}

/// State that a vehicle with an engine keeps between two steps, and its driver's commands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
#[non_exhaustive]
pub struct EngineDriveMemory<Tire: TireModel = BrushTire, Own: OwnState = ()> {
    /// The mechanical base.
    pub mechanics: MechanicalMemory<Tire>,
    /// Engine, gearbox and automatic gearbox.
    pub drivetrain: DrivetrainMemory,
    /// Commands of the driver: pedals and steering wheel.
    pub commands: Commands,
    /// Commands of the driver: gearbox, clutch and tracks.
    pub transmission: TransmissionCommands,
    /// State that the user has added.
    pub own: Own,
}

impl<Tire: TireModel, D: DifferentialModel, Own: OwnState> Persistent
    for EngineDriveVehicleWith<Tire, D, Own>
{
    type Memory = EngineDriveMemory<Tire, Own>;

    fn memory(&self) -> EngineDriveMemory<Tire, Own> {
        EngineDriveMemory {
            mechanics: MechanicalMemory::of(&self.state.mechanics),
            drivetrain: DrivetrainMemory::of(&self.state.drivetrain),
            commands: self.commands,
            transmission: self.transmission,
            own: self.state.own.clone(),
        }
    }

    fn recall(&mut self, memory: &EngineDriveMemory<Tire, Own>) -> Result<(), ParamErrors> {
        let EngineDriveParams { mechanics, drivetrain } = &*self.model.params;
        let wheel_count = mechanics.axles.wheel_count();
        let mut check = ParamCheck::default();
        check.field("mechanics", |inner| memory.mechanics.check(wheel_count, inner));
        check.field("drivetrain", |inner| memory.drivetrain.check(inner, &drivetrain.gearbox));
        check.field("commands", |inner| mechanics.check_commands(&memory.commands, inner));
        check.field("transmission", |inner| memory.transmission.check_for(inner, drivetrain));
        check_own_memory::<Own>(&self.model.own_params, &memory.own, wheel_count, &mut check);
        check.finish()?;
        self.state = EngineDriveState {
            mechanics: memory.mechanics.state(mechanics),
            drivetrain: memory.drivetrain.state(drivetrain, wheel_count),
            own: memory.own.clone(),
        };
        (self.commands, self.transmission) = (memory.commands, memory.transmission);
        Ok(())
    }
}

impl_model! {
    impl[Tire: TireModel, D: DifferentialModel, Own: OwnState] EngineDriveVehicleWith<Tire, D, Own>,
    EngineDriveParams<Tire, D>
}

impl<Tire: TireModel, D: DifferentialModel + Clone, Own: OwnState> ChangeMechanics
    for EngineDriveVehicleWith<Tire, D, Own>
{
    fn set_mechanics(&mut self, mechanics: MechanicalParams<Tire>) -> Result<(), ParamErrors> {
        self.set_params(EngineDriveParams {
            mechanics,
            drivetrain: self.model.params.drivetrain.clone(),
        })
    }
}

impl<Tire: TireModel, D: DifferentialModel, Own: OwnState> HasDrivetrain
    for EngineDriveVehicleWith<Tire, D, Own>
{
    type Differential = D;

    fn drivetrain(&mut self) -> Drivetrain<'_, Tire, D> {
        Drivetrain {
            mechanics: self.model.mechanics(&self.commands, &mut self.state.mechanics),
            params: &self.model.params.drivetrain,
            commands: &self.transmission,
            state: &mut self.state.drivetrain,
        }
    }
}
