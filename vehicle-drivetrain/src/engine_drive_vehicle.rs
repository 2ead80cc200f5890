//! Ready-made vehicles with an engine, of any number of wheels and axles.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use vehicle_core::commands::Commands;
use vehicle_core::convert::Convert;
use vehicle_core::error::ParamCheck;
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::math::{Clamped, Real};
use vehicle_core::tire::{BrushTire, TireModel};
use vehicle_core::vehicle::{MechanicalParams, OwnState};
use vehicle_core::{ComponentSequence, ParamErrors, Validate};

use crate::aided::{counting, counting_controls};
use crate::aids::commands::AidCommands;
use crate::aids::{AidDrive, AidEngine, AidVehicle, DriveDirection, DriveSignals, GearSignals};
use crate::differential::{
    DifferentialModel, DifferentialParams, MultiWheelDifferentialParams, TankDifferentialParams,
};
use crate::drivetrain::{
    Drivetrain, DrivetrainMemory, DrivetrainParams, DrivetrainState, HasDrivetrain,
};
use crate::engine::{EngineParams, EngineState, engine_damping_rate, engine_torque};
use crate::gearbox::{GearCommand, overall_gear_ratio};
use crate::instruments::DisplayedGear;
use crate::readings::{DriveReading, EngineReading};
use crate::sequences::{engine_sequence_with_substeps, engine_substeps};
use crate::transmission::TransmissionCommands;
use crate::vehicle::{Drive, Vehicle, VehicleMemory, VehicleState};

/// Points of a torque curve at which an engine is looked at.
const CURVE_POINTS: u8 = 100;
/// Part of its peak torque from which on an engine is strong.
const STRONG: Real = 0.9;

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

/// State of a vehicle with an engine.
pub type EngineDriveState<Tire = BrushTire, Own = ()> = VehicleState<Tire, DrivetrainState, Own>;

/// State that a vehicle with an engine keeps between two steps, and its driver's commands.
pub type EngineDriveMemory<Tire = BrushTire, Own = ()> =
    VehicleMemory<Tire, DrivetrainMemory, TransmissionCommands, Own>;

/// A vehicle whose wheels an engine turns, with tires of type `Tire`, a differential of type `D`
/// and [state of its user's own](OwnState) of type `Own`.
///
/// [`EngineDriveVehicle`] and [`TankVehicle`] are the ones with the default tire.
pub type EngineDriveVehicleWith<Tire, D = DifferentialParams, Own = ()> =
    Vehicle<EngineDriveParams<Tire, D>, Own>;

/// A vehicle whose wheels an engine turns, through a differential of any kind.
pub type EngineDriveVehicle = EngineDriveVehicleWith<BrushTire>;

/// Parameters of a tank.
pub type TankParams<Tire = BrushTire> = EngineDriveParams<Tire, TankDifferentialParams>;

/// A vehicle on tracks, which it steers by their thrusts.
pub type TankVehicle = EngineDriveVehicleWith<BrushTire, TankDifferentialParams>;

impl<Tire: TireModel, D: DifferentialModel> Drive for EngineDriveParams<Tire, D> {
    type Tire = Tire;
    type State = DrivetrainState;
    type Memory = DrivetrainMemory;
    type Controls = TransmissionCommands;
    type Prepared = ();
    type Room = ();

    fn mechanics(&self) -> &MechanicalParams<Tire> {
        &self.mechanics
    }

    fn mechanics_mut(&mut self) -> &mut MechanicalParams<Tire> {
        &mut self.mechanics
    }

    fn prepare(&self) -> Result<(), ParamErrors> {
        Ok(())
    }

    fn room(&self, (): &()) {}

    fn at_rest(&self, (): &()) -> DrivetrainState {
        DrivetrainState::at_rest(&self.drivetrain, self.mechanics.axles.wheel_count())
    }

    fn controls_at_rest(&self) -> TransmissionCommands {
        TransmissionCommands::at_rest(&self.drivetrain)
    }

    fn check_controls(&self, controls: &TransmissionCommands, check: &mut ParamCheck) {
        controls.check_for(check, &self.drivetrain);
    }

    fn check_state(&self, (): &(), state: &DrivetrainState, check: &mut ParamCheck) {
        state.check(check, &self.drivetrain.gearbox, self.mechanics.axles.wheel_count());
    }

    fn check_change(
        &self,
        (): &(),
        (before, ()): (&Self, &()),
        state: &DrivetrainState,
        check: &mut ParamCheck,
    ) {
        let [neutral, own] = [before, self].map(|params| params.drivetrain.gearbox.neutral);
        let requirement = format_args!("{neutral}, as before: gears are counted from the first");
        check.require("drivetrain.gearbox.neutral", own == neutral, requirement, own);
        let needed = state.gearbox.current.max(state.gearbox.target);
        let gears = self.drivetrain.gearbox.ratios.len();
        let requirement = format_args!("more than {needed}, the gear that is in or chosen");
        check.require("drivetrain.gearbox.ratios", needed < gears, requirement, gears);
    }

    fn is_finite(state: &DrivetrainState) -> bool {
        state.is_finite()
    }

    fn memory(state: &DrivetrainState) -> DrivetrainMemory {
        DrivetrainMemory::of(state)
    }

    fn check_memory(&self, (): &(), memory: &DrivetrainMemory, check: &mut ParamCheck) {
        memory.check(check, &self.drivetrain.gearbox);
    }

    fn recall(&self, memory: &DrivetrainMemory) -> DrivetrainState {
        memory.state(&self.drivetrain, self.mechanics.axles.wheel_count())
    }

    fn describe(&self, (): &(), vehicle: &mut AidVehicle) {
        let DrivetrainParams { engine, clutch, gearbox, differential, .. } = &self.drivetrain;
        for (wheel, aid) in vehicle.wheels.iter_mut().enumerate() {
            aid.is_driven = differential.kind().drives(wheel);
        }
        let ratio = gearbox.first_gear().map_or(0.0, |gear| overall_gear_ratio(gearbox, gear));
        let speeds = (0..=CURVE_POINTS).map(|point| Real::from(point) / Real::from(CURVE_POINTS));
        let strong = speeds
            .map(|share| share * engine.max_speed)
            .find(|&speed| STRONG <= engine_torque(engine, 1.0, speed) / engine.peak_torque);
        vehicle.drive = AidDrive::Engine(AidEngine {
            idle_speed: engine.idle_speed,
            max_speed: engine.max_speed,
            strong_speed: strong.unwrap_or(engine.max_speed),
            peak_torque: engine.peak_torque,
            clutch_strength: clutch.max_strength,
            clutch_capacity: clutch.capacity,
            first_ratio: ratio,
        });
    }

    fn drive_signals(
        &self,
        (): &(),
        controls: &TransmissionCommands,
        state: &DrivetrainState,
    ) -> DriveSignals {
        let DrivetrainParams { engine, gearbox, .. } = &self.drivetrain;
        let speed = state.engine.rotation_speed;
        let ratio = overall_gear_ratio(gearbox, state.gearbox.current);
        let friction = |throttle| engine_damping_rate(&engine.damping, throttle, 1.0) * speed;
        let signals = DriveSignals {
            engine_speed: speed,
            clutch_slip: -state.clutch_slip,
            full_throttle_torque: (engine_torque(engine, 1.0, speed) - friction(1.0)) * ratio,
            closed_throttle_torque: -friction(0.0) * ratio,
            torque: state.drive_torques.iter().sum(),
            ..DriveSignals::default()
        };
        signals.in_gear(self.gear_signals(&(), controls, state))
    }

    fn gear_signals(
        &self,
        (): &(),
        controls: &TransmissionCommands,
        state: &DrivetrainState,
    ) -> GearSignals {
        let gearbox = &self.drivetrain.gearbox;
        let (gear, wanted) = (state.gearbox.current, state.gearbox.target);
        GearSignals {
            direction: match (wanted.cmp(&gearbox.neutral), controls.gear) {
                _ if controls.is_parking => DriveDirection::Neutral,
                (Ordering::Less, _) => DriveDirection::Reverse,
                (Ordering::Equal, GearCommand::Gear(_)) => DriveDirection::Neutral,
                _ => DriveDirection::Forward,
            },
            is_first_gear: Some(gear) == gearbox.first_gear(),
            is_shifting: state.gearbox.is_switching(),
        }
    }

    fn reading(
        &self,
        (): &(),
        controls: &TransmissionCommands,
        state: &DrivetrainState,
    ) -> DriveReading {
        let DrivetrainParams { engine, gearbox, .. } = &self.drivetrain;
        let EngineState { rotation_speed: speed, is_fuel_cut } = state.engine;
        let stall = engine.control.stall.as_ref();
        let is_running = 0.0 < speed && stall.is_none_or(|stall| stall.speed <= speed);
        let load = if is_running && !is_fuel_cut { state.throttle } else { 0.0 };
        let gear = DisplayedGear::of_gearbox(state.gearbox.target, gearbox.neutral);
        DriveReading {
            gear: if controls.is_parking { DisplayedGear::Park } else { gear },
            load,
            engine: Some(EngineReading {
                is_electric: false,
                speed,
                speed_share: engine.speed_fraction(speed).clamped(0.0, 1.0),
                load,
                is_running,
                is_limited: is_fuel_cut,
            }),
        }
    }

    fn clutch(controls: &TransmissionCommands) -> Real {
        controls.clutch
    }

    fn shape(commands: &AidCommands, controls: &mut TransmissionCommands) {
        controls.clutch = commands.clutch;
        controls.is_center_free |= commands.frees_center;
    }

    fn drive_torque(state: &DrivetrainState, wheel: usize) -> Real {
        state.drive_torques[wheel]
    }

    fn limit_throttle(
        &self,
        (): &(),
        state: &mut DrivetrainState,
        limit: Option<Real>,
        _commands: (&Commands, &TransmissionCommands),
    ) {
        if let Some(limit) = limit {
            state.throttle = state.throttle.min(limit);
        }
    }

    const HAS_OWN_THROTTLE: bool = true;

    fn open_throttle(
        &self,
        (): &(),
        state: &mut DrivetrainState,
        throttle: Real,
        _commands: (&Commands, &TransmissionCommands),
    ) {
        if !state.autobox.is_shifting {
            state.throttle = state.throttle.max(throttle);
        }
    }
}

impl<Tire: TireModel, D: DifferentialModel, Own: OwnState> EngineDriveVehicleWith<Tire, D, Own> {
    /// The stages of the vehicle, in order. The stiff stages take three substeps below 5 m/s and
    /// one above, whichever way the vehicle moves. If its wheels have a mass, they take two above,
    /// and one while its brakes hold the vehicle.
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

impl<Tire: TireModel, D: DifferentialModel, Own: OwnState> HasDrivetrain
    for EngineDriveVehicleWith<Tire, D, Own>
{
    type Differential = D;

    fn drivetrain(&mut self) -> Drivetrain<'_, Tire, D> {
        Drivetrain {
            mechanics: self
                .model
                .mechanics(counting(&self.aid_room, &self.commands), &mut self.state.mechanics),
            params: &self.model.params.drivetrain,
            commands: counting_controls(&self.aid_room, &self.controls),
            state: &mut self.state.drive,
        }
    }
}
