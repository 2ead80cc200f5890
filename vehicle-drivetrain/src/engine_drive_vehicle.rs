//! Ready-made vehicles with an engine, of any number of wheels and axles.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_core::aerodynamics::Aerodynamics;
use vehicle_core::brakes::Brakes;
use vehicle_core::commands::Commands;
use vehicle_core::constraint_rows::ConstraintRows;
use vehicle_core::convert::Convert;
use vehicle_core::error::ParamCheck;
use vehicle_core::four_wheels::{run_frame, run_substeps};
use vehicle_core::frame::{CoordinateConversion, Frame};
use vehicle_core::ground::Ground;
use vehicle_core::math::Real;
use vehicle_core::memory::MechanicalMemory;
use vehicle_core::rigid_body::{ClearExternalForces, RigidBody};
use vehicle_core::road_geometry::RoadGeometry;
use vehicle_core::sequence::{FrameStep, FusedFrame, FusedSubsteps, Recoverable};
use vehicle_core::steering::Steering;
use vehicle_core::suspension::Suspension;
use vehicle_core::tire::{BrushTire, Tire, TireModel};
use vehicle_core::vehicle::{
    ChangeMechanics, HasMechanics, MechanicalParams, MechanicalState, Mechanics, MechanicsRef,
    ReadMechanics,
};
use vehicle_core::wheel::Wheel;
use vehicle_core::{ComponentSequence, Context, ParamErrors, Persistent, Validate};

use crate::differential::{
    Differential, DifferentialModel, DifferentialParams, TankDifferentialParams,
};
use crate::drivetrain::{
    Drivetrain, DrivetrainMemory, DrivetrainParams, DrivetrainState, HasDrivetrain,
};
use crate::engine_drive::{EngineActuation, EngineDrive, FourWheelEngineDrive};
use crate::transmission::{Transmission, TransmissionCommands};

/// Substeps of a slow vehicle per step.
const SLOW_SUBSTEPS: u32 = 3;
/// Speed below which a vehicle is slow (m/s).
const SLOW_SPEED: Real = 5.0;

/// What a vehicle with an engine is made of, with tires of type `Tire` and a differential of type
/// `D`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineDriveParams<Tire = BrushTire, D = DifferentialParams> {
    /// The mechanical base.
    pub mechanics: MechanicalParams<Tire>,
    /// Engine, clutch, gearbox and differential.
    pub drivetrain: DrivetrainParams<D>,
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

/// What changes as a vehicle with an engine drives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct EngineDriveState<Tire: TireModel = BrushTire> {
    /// The mechanical base.
    pub mechanics: MechanicalState<Tire>,
    /// Engine, clutch, gearbox and differential.
    pub drivetrain: DrivetrainState,
}

/// A vehicle whose wheels an engine turns, with tires of type `Tire` and a differential of type `D`.
///
/// [`EngineDriveVehicle`] and [`TankVehicle`] are the ones with the default tire.
#[derive(Clone, Debug)]
pub struct EngineDriveVehicleWith<Tire: TireModel, D = DifferentialParams> {
    params: Arc<EngineDriveParams<Tire, D>>,
    /// What the driver wants of pedals and steering wheel.
    pub commands: Commands,
    /// What the driver wants of gearbox, clutch and tracks.
    pub transmission: TransmissionCommands,
    /// What the vehicle does.
    pub state: EngineDriveState<Tire>,
}

/// A vehicle whose wheels an engine turns, through a differential of any kind.
pub type EngineDriveVehicle = EngineDriveVehicleWith<BrushTire>;

/// What a tank is made of.
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
        let params = params.into();
        params.validate()?;
        let wheel_count = params.mechanics.axles.wheel_count();
        let state = EngineDriveState {
            mechanics: MechanicalState::at_rest(wheel_count),
            drivetrain: DrivetrainState::at_rest(&params.drivetrain, wheel_count),
        };
        let (commands, transmission) =
            (Commands::default(), TransmissionCommands::at_rest(&params.drivetrain));
        Ok(Self { params, commands, transmission, state })
    }

    /// What the vehicle is made of.
    pub fn params(&self) -> &Arc<EngineDriveParams<Tire, D>> {
        &self.params
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
        let params = params.into();
        let present = self.params.mechanics.axles.wheel_count();
        let mut check = ParamCheck::default();
        params.check(&mut check);
        check.field("mechanics", |inner| params.mechanics.check_wheel_count(present, inner));
        let (gears, gearbox) =
            (params.drivetrain.gearbox.ratios.len(), &self.state.drivetrain.gearbox);
        let needed = gearbox.current.max(gearbox.target);
        let requirement = format_args!("more than {needed}, the gear that is in or chosen");
        check.require("drivetrain.gearbox.ratios", needed < gears, requirement, gears);
        check.finish()?;
        self.params = params;
        Ok(())
    }

    /// The stages of the vehicle, in order, with three substeps of the stiff ones below 5 m/s and
    /// one above, whichever way it moves.
    ///
    /// One sequence serves every vehicle.
    pub fn sequence() -> ComponentSequence<Self> {
        Self::sequence_with_substeps(|vehicle| {
            let speed = vehicle.state.mechanics.rigid_body.linear_velocity.length();
            if speed < SLOW_SPEED { SLOW_SUBSTEPS } else { 1 }
        })
    }

    /// The stages of the vehicle, in order, with `count` substeps of the stiff ones.
    pub fn sequence_with_substeps(
        count: impl Fn(&Self) -> u32 + Send + Sync + 'static,
    ) -> ComponentSequence<Self> {
        ComponentSequence::new()
            .then(Brakes)
            .then(Steering)
            .then(Differential)
            .then(Transmission)
            .then(EngineActuation)
            .then(Aerodynamics)
            .fused_frame(
                |frame| {
                    frame.then(RoadGeometry).fused_substeps(count, substeps, FourWheels).then(Wheel)
                },
                FourWheels,
            )
            .then(ClearExternalForces)
    }
}

/// The stages of a substep, in order.
fn substeps<V: HasDrivetrain>(group: ComponentSequence<V>) -> ComponentSequence<V> {
    group
        .then(Suspension)
        .then(Tire)
        .then(ConstraintRows)
        .then(EngineDrive)
        .then(RigidBody)
        .then(Ground)
}

/// The frame of a vehicle of up to four wheels.
struct FourWheels;

impl<V: HasDrivetrain> FusedSubsteps<V> for FourWheels {
    fn run(&self, vehicle: &mut V, count: u32, dt: Real, context: &Context<'_>) -> bool {
        let (mechanics, powertrain) = vehicle.drivetrain().split();
        run_substeps(mechanics, &mut FourWheelEngineDrive(powertrain), count, dt, context)
    }
}

impl<V: HasDrivetrain> FusedFrame<V> for FourWheels {
    fn run(&self, vehicle: &mut V, step: &FrameStep, context: &Context<'_>) -> bool {
        let (mechanics, powertrain) = vehicle.drivetrain().split();
        run_frame(mechanics, &mut FourWheelEngineDrive(powertrain), step, context)
    }
}

impl<Tire: TireModel, D: DifferentialModel> Recoverable for EngineDriveVehicleWith<Tire, D> {
    type Snapshot = EngineDriveState<Tire>;

    fn check_inputs(&self, check: &mut ParamCheck) {
        let EngineDriveParams { mechanics, drivetrain } = &*self.params;
        let wheel_count = mechanics.axles.wheel_count();
        check.field("commands", |inner| self.commands.check(inner));
        check.field("transmission", |inner| self.transmission.check_for(inner, drivetrain));
        check.field("state.mechanics", |inner| {
            self.state.mechanics.check_lengths(wheel_count, inner);
        });
        check.field("state.drivetrain", |inner| {
            self.state.drivetrain.check(inner, &drivetrain.gearbox, wheel_count);
        });
    }

    fn check_axes(&self, frame: &Frame, check: &mut ParamCheck) {
        check.field("params.mechanics", |inner| self.params.mechanics.check_axes(frame, inner));
    }

    fn snapshot(&self) -> EngineDriveState<Tire> {
        self.state.clone()
    }

    fn restore(&mut self, snapshot: EngineDriveState<Tire>) {
        self.state = snapshot;
    }

    fn is_finite(&self) -> bool {
        self.state.mechanics.is_finite() && self.state.drivetrain.is_finite()
    }
}

/// What a vehicle with an engine remembers between two steps, and what its driver wants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct EngineDriveMemory<Tire: TireModel = BrushTire> {
    /// The mechanical base.
    pub mechanics: MechanicalMemory<Tire>,
    /// Engine, gearbox and automatic gearbox.
    pub drivetrain: DrivetrainMemory,
    /// What the driver wants of pedals and steering wheel.
    pub commands: Commands,
    /// What the driver wants of gearbox, clutch and tracks.
    pub transmission: TransmissionCommands,
}

impl<Tire: TireModel, D: DifferentialModel> Persistent for EngineDriveVehicleWith<Tire, D> {
    type Memory = EngineDriveMemory<Tire>;

    fn memory(&self) -> EngineDriveMemory<Tire> {
        EngineDriveMemory {
            mechanics: MechanicalMemory::of(&self.state.mechanics),
            drivetrain: DrivetrainMemory::of(&self.state.drivetrain),
            commands: self.commands,
            transmission: self.transmission,
        }
    }

    fn recall(&mut self, memory: &EngineDriveMemory<Tire>) -> Result<(), ParamErrors> {
        let EngineDriveParams { mechanics, drivetrain } = &*self.params;
        let wheel_count = mechanics.axles.wheel_count();
        let mut check = ParamCheck::default();
        check.field("mechanics", |inner| memory.mechanics.check(wheel_count, inner));
        check.field("drivetrain", |inner| memory.drivetrain.check(inner, &drivetrain.gearbox));
        check.field("commands", |inner| memory.commands.check(inner));
        check.field("transmission", |inner| memory.transmission.check_for(inner, drivetrain));
        check.finish()?;
        self.state = EngineDriveState {
            mechanics: memory.mechanics.state(mechanics),
            drivetrain: memory.drivetrain.state(drivetrain, wheel_count),
        };
        (self.commands, self.transmission) = (memory.commands, memory.transmission);
        Ok(())
    }
}

impl<Tire: TireModel, D: DifferentialModel> HasMechanics for EngineDriveVehicleWith<Tire, D> {
    type Tire = Tire;

    fn mechanics(&mut self) -> Mechanics<'_, Tire> {
        self.drivetrain().mechanics
    }
}

impl<Tire: TireModel, D: DifferentialModel> ReadMechanics for EngineDriveVehicleWith<Tire, D> {
    fn read_mechanics(&self) -> MechanicsRef<'_, Tire> {
        MechanicsRef {
            params: &self.params.mechanics,
            commands: &self.commands,
            state: &self.state.mechanics,
        }
    }
}

impl<Tire: TireModel, D: DifferentialModel + Clone> ChangeMechanics
    for EngineDriveVehicleWith<Tire, D>
{
    fn set_mechanics(&mut self, mechanics: MechanicalParams<Tire>) -> Result<(), ParamErrors> {
        self.set_params(EngineDriveParams { mechanics, drivetrain: self.params.drivetrain.clone() })
    }
}

impl<Tire: TireModel, D: DifferentialModel> HasDrivetrain for EngineDriveVehicleWith<Tire, D> {
    type Differential = D;

    fn drivetrain(&mut self) -> Drivetrain<'_, Tire, D> {
        Drivetrain {
            mechanics: Mechanics {
                params: &self.params.mechanics,
                commands: &self.commands,
                state: &mut self.state.mechanics,
            },
            params: &self.params.drivetrain,
            commands: &self.transmission,
            state: &mut self.state.drivetrain,
        }
    }
}
