//! The ready-made drivetrain: engine, clutch, gearbox and differential of a vehicle.
//!
//! A vehicle on the ready-made mechanical base that also has a [`DrivetrainParams`] and a
//! [`DrivetrainState`] implements [`HasDrivetrain`], and so has every view of this crate that an
//! engine needs.

use serde::{Deserialize, Serialize};
use vehicle_core::clone_by_field;
use vehicle_core::convert::Convert;
use vehicle_core::error::{ParamCheck, Validate};
use vehicle_core::frame::CoordinateConversion;
use vehicle_core::implicit_clutch::WheelConstraint;
use vehicle_core::legacy::clutch::ExplicitSolver;
use vehicle_core::math::Real;
use vehicle_core::math::lanes::Real4;
use vehicle_core::memory::{MAX_ROTATION_SPEED, MAX_TIME};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{HasMechanics, MechanicalParams, MechanicalState, Mechanics};
use vehicle_core::{AxleDescription, WheelList, WheelVec};

use crate::autobox::AutoboxState;
use crate::clutch::{ClutchParams, ClutchState, is_held_by_hand};
use crate::differential::{DifferentialModel, DifferentialParams, DifferentialView, WheelShare};
use crate::engine::{EngineParams, EngineState};
use crate::engine_drive::{EngineActuationView, EngineDriveView, PowertrainView};
use crate::gearbox::{GearCommand, GearSwitch, GearboxParams, GearboxState};
use crate::shift_law::ShiftLaw;
use crate::shift_map::ShiftMapParams;
use crate::transmission::{AutoboxRef, TransmissionCommands, TransmissionView};

/// Parameters of a drivetrain, with a differential of type `D`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DrivetrainParams<D = DifferentialParams> {
    /// The engine.
    #[serde(default)]
    pub engine: EngineParams,
    /// The clutch.
    #[serde(default)]
    pub clutch: ClutchParams,
    /// The gearbox.
    #[serde(default)]
    pub gearbox: GearboxParams,
    /// The automatic gearbox, if there is one.
    #[serde(default)]
    pub autobox: Option<ShiftLaw>,
    /// The differential.
    pub differential: D,
    /// How engine and wheels are solved where they are coupled explicitly.
    #[serde(default)]
    pub explicit_solver: ExplicitSolver,
}

impl<D> DrivetrainParams<D> {
    /// The default engine with an automatic gearbox, behind `differential`.
    pub fn automatic(differential: D) -> Self {
        Self::automatic_with(EngineParams::default(), differential)
    }

    /// An engine of your own, such as [`EngineParams::of_power`], with an automatic gearbox, behind
    /// `differential`. Clutch and shift map follow the engine; the gears are those of a mid-size
    /// car.
    pub fn automatic_with(engine: EngineParams, differential: D) -> Self {
        Self {
            clutch: ClutchParams::for_engine(&engine),
            gearbox: GearboxParams::default(),
            autobox: Some(ShiftLaw::Map(ShiftMapParams::for_engine(&engine))),
            engine,
            differential,
            explicit_solver: ExplicitSolver::default(),
        }
    }
}

impl<D: DifferentialModel> DrivetrainParams<D> {
    /// Checks the parameters of a vehicle with `axles`.
    pub fn check(&self, check: &mut ParamCheck, axles: &AxleDescription) {
        check.field("engine", |inner| self.engine.check(inner));
        check.field("clutch", |inner| self.clutch.check(inner));
        check.field("gearbox", |inner| self.gearbox.check(inner));
        if let Some(autobox) = &self.autobox {
            check.field("autobox", |inner| autobox.check(inner, &self.gearbox, &self.engine));
        }
        check.field("differential", |inner| self.differential.check(inner, axles));
        check.field("explicit_solver", |inner| self.explicit_solver.check(inner));
    }
}

impl<D: Convert> Convert for DrivetrainParams<D> {
    fn converted(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            engine: self.engine.converted(conversion),
            clutch: self.clutch.converted(conversion),
            gearbox: self.gearbox.converted(conversion),
            autobox: self.autobox.converted(conversion),
            differential: self.differential.converted(conversion),
            explicit_solver: self.explicit_solver,
        }
    }
}

/// State of a drivetrain. Per-wheel lists have one element per wheel.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct DrivetrainState {
    /// Motion of the engine.
    pub engine: EngineState,
    /// The gear.
    pub gearbox: GearboxState,
    /// State of the automatic gearbox between steps.
    pub autobox: AutoboxState,
    /// How the clutch answers to its pedal.
    pub clutch: ClutchState,
    /// How far the clutch has closed, in [0, 1].
    pub clutch_engagement: Real,
    /// Throttle of the engine, in [0, 1]: the pedal, but the automatic gearbox's while it shifts.
    pub throttle: Real,
    /// Slip of the clutch at the start of the last step (rad/s), positive if the wheels overrun the
    /// engine.
    pub clutch_slip: Real,
    /// The part of each wheel in the differential.
    pub shares: WheelList<WheelShare>,
    /// Whether each wheel is forced to turn with others.
    pub constraints: WheelVec<Option<WheelConstraint>>,
    /// Torque that the clutch gives to each wheel (N·m).
    pub drive_torques: WheelList<Real>,
}

clone_by_field! {
    impl[] DrivetrainState {
        engine, gearbox, autobox, clutch, clutch_engagement, throttle, clutch_slip, shares, constraints, drive_torques,
    }
}

impl DrivetrainState {
    /// An engine that idles, the gearbox in neutral, in a vehicle of `wheel_count` wheels.
    pub fn at_rest<D>(params: &DrivetrainParams<D>, wheel_count: usize) -> Self {
        Self {
            engine: EngineState::idling(&params.engine),
            gearbox: GearboxState::in_gear(params.gearbox.neutral),
            autobox: AutoboxState::default(),
            clutch: ClutchState::default(),
            clutch_engagement: 0.0,
            throttle: 0.0,
            clutch_slip: 0.0,
            shares: WheelList::new(wheel_count),
            constraints: smallvec::smallvec![None; wheel_count],
            drive_torques: WheelList::new(wheel_count),
        }
    }

    /// Reports the lists that have not one element per wheel of `wheel_count`, and gears that
    /// `gearbox` does not have.
    pub fn check(&self, check: &mut ParamCheck, gearbox: &GearboxParams, wheel_count: usize) {
        check.count("shares", self.shares.len(), wheel_count);
        check.count("constraints", self.constraints.len(), wheel_count);
        check.count("drive_torques", self.drive_torques.len(), wheel_count);
        check_gears(&self.gearbox, gearbox, check);
    }

    /// Whether every number is finite, and not so large that their sum is not.
    pub fn is_finite(&self) -> bool {
        let numbers = [
            self.engine.rotation_speed,
            self.autobox.time_since_shift.unwrap_or(0.0),
            self.autobox.smoothed_speed,
            self.autobox.drive_power,
            self.autobox.smoothed_power,
            self.autobox.weak_gear.map_or(0.0, |weak| weak.throttle),
            self.clutch.engagement,
            self.clutch.strength,
            self.clutch_engagement,
            self.throttle,
            self.clutch_slip,
        ];
        let shares = self.shares.fours().iter().map(|share| share.torque + share.speed);
        let multipliers = self.constraints.iter().flatten().map(|wheel| wheel.speed_multiplier);
        // A sum is finite only if all that it adds up is.
        let of_wheels = shares.chain(self.drive_torques.fours().iter().copied());
        let [a, b, c, d] = of_wheels.fold(Real4::default(), |sum, four| sum + four).to_array();
        let sum = numbers.iter().sum::<Real>() + multipliers.sum::<Real>() + (a + b + c + d);
        sum.is_finite()
    }
}

/// Reports gears of `state` that `params` does not have.
fn check_gears(state: &GearboxState, params: &GearboxParams, check: &mut ParamCheck) {
    let count = params.ratios.len();
    for (name, gear) in [("current", state.current), ("target", state.target)] {
        let requirement = format_args!("a gear below {count}");
        check.require(format_args!("gearbox.{name}"), gear < count, requirement, gear);
    }
}

/// Largest power that an automatic gearbox can remember (W): that of any torque within reach, in
/// millimeters, too.
const MAX_POWER: Real = 1e30;

/// State that a drivetrain keeps between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DrivetrainMemory {
    /// Motion of the engine.
    pub engine: EngineState,
    /// The gear.
    pub gearbox: GearboxState,
    /// State of the automatic gearbox between steps.
    pub autobox: AutoboxState,
    /// How far the clutch has closed, in [0, 1].
    pub clutch_engagement: Real,
}

impl DrivetrainMemory {
    /// The part of `state` that remains between two steps.
    pub fn of(state: &DrivetrainState) -> Self {
        let DrivetrainState { engine, gearbox, autobox, clutch_engagement, .. } = *state;
        Self { engine, gearbox, autobox, clutch_engagement }
    }

    /// Reports numbers that are not finite or that no drivetrain can go on with, and gears that
    /// `gearbox` does not have.
    pub fn check(&self, check: &mut ParamCheck, gearbox: &GearboxParams) {
        let (speed, most) = (self.engine.rotation_speed, MAX_ROTATION_SPEED);
        check.finite_within("engine.rotation_speed", speed, -most, most);
        let since_shift = self.autobox.time_since_shift.unwrap_or(0.0);
        check.finite_within("autobox.time_since_shift", since_shift, 0.0, MAX_TIME);
        let (speed, most) = (self.autobox.smoothed_speed, MAX_ROTATION_SPEED);
        check.finite_within("autobox.smoothed_speed", speed, -most, most);
        for (name, power) in [
            ("autobox.drive_power", self.autobox.drive_power),
            ("autobox.smoothed_power", self.autobox.smoothed_power),
        ] {
            check.finite_within(name, power, -MAX_POWER, MAX_POWER);
        }
        if let Some(weak) = self.autobox.weak_gear {
            check.finite_within("autobox.weak_gear.throttle", weak.throttle, 0.0, 1.0);
        }
        check.finite_within("clutch_engagement", self.clutch_engagement, 0.0, 1.0);
        if let GearSwitch::Elapsed(time) = self.gearbox.switch {
            check.finite_within("gearbox.switch", time, 0.0, MAX_TIME);
        }
        check_gears(&self.gearbox, gearbox, check);
    }

    /// The state of a drivetrain of `params` that remembers this.
    pub fn state<D>(&self, params: &DrivetrainParams<D>, wheel_count: usize) -> DrivetrainState {
        let Self { engine, gearbox, autobox, clutch_engagement } = *self;
        DrivetrainState {
            engine,
            gearbox,
            autobox,
            clutch_engagement,
            ..DrivetrainState::at_rest(params, wheel_count)
        }
    }
}

/// The mechanical base and the drivetrain of a vehicle, borrowed.
#[derive(Debug)]
pub struct Drivetrain<'a, Tire: TireModel, D> {
    /// The mechanical base.
    pub mechanics: Mechanics<'a, Tire>,
    /// Parameters of the drivetrain.
    pub params: &'a DrivetrainParams<D>,
    /// Commands of the driver to the drivetrain.
    pub commands: &'a TransmissionCommands,
    /// State of the drivetrain.
    pub state: &'a mut DrivetrainState,
}

/// A vehicle with the ready-made drivetrain.
pub trait HasDrivetrain: HasMechanics {
    /// The kind of its differential.
    type Differential: DifferentialModel;

    /// Borrows mechanical base and drivetrain.
    fn drivetrain(&mut self) -> Drivetrain<'_, Self::Tire, Self::Differential>;
}

impl<'a, Tire: TireModel, D: DifferentialModel> Drivetrain<'a, Tire, D> {
    /// The mechanical base, and what turns its wheels.
    #[inline(always)]
    pub fn split(self) -> (Mechanics<'a, Tire>, PowertrainView<'a>) {
        let Self { mechanics, params, commands, state } = self;
        let powertrain = PowertrainView {
            engine: &params.engine,
            clutch_params: &params.clutch,
            gearbox: &params.gearbox,
            differential: params.differential.kind(),
            is_center_free: commands.is_center_free,
            explicit_solver: params.explicit_solver,
            clutch: state.clutch,
            is_held_by_hand: is_held_by_hand(mechanics.commands),
            throttle: state.throttle,
            is_starting: commands.is_starting,
            shares: &state.shares,
            constraints: &state.constraints,
            engine_state: &mut state.engine,
            gearbox_state: &mut state.gearbox,
            clutch_engagement: &mut state.clutch_engagement,
            clutch_slip: &mut state.clutch_slip,
            drive_torques: &mut state.drive_torques,
            drive_power: &mut state.autobox.drive_power,
        };
        (mechanics, powertrain)
    }

    /// Controls, engine, gearbox and clutch.
    pub fn transmission(self) -> TransmissionView<'a> {
        let Drivetrain { mechanics, params, commands, state } = self;
        let autobox = params
            .autobox
            .as_ref()
            .map(|autobox| AutoboxRef { law: autobox, state: &mut state.autobox });
        let wheels = state.shares.fours().iter().zip(mechanics.state.wheels.fours());
        let driven_speed = wheels.fold(0.0, |sum, (share, wheels)| {
            let speeds = (share.signed_speed() * wheels.rotation_speed).to_array();
            speeds.into_iter().fold(sum, |sum, speed| sum + speed)
        });
        let rolling_speed = rolling_speed(&state.shares, mechanics.params, mechanics.state);
        let radii = state.shares.iter().zip(&mechanics.params.wheels);
        let radius = radii.fold(0.0, |sum, (share, wheel)| sum + share.speed * wheel.radius);
        let carried_inertia = mechanics.params.rigid_body.mass * radius * radius;
        TransmissionView {
            commands: mechanics.commands,
            transmission_commands: commands,
            engine: &params.engine,
            engine_state: &state.engine,
            driven_speed,
            rolling_speed,
            carried_inertia,
            gearbox: &params.gearbox,
            clutch: &params.clutch,
            autobox,
            gearbox_state: &mut state.gearbox,
            clutch_state: &mut state.clutch,
            throttle: &mut state.throttle,
        }
    }

    /// Wheel speeds and how the differential shares them.
    pub fn differential(self) -> DifferentialView<'a> {
        let Drivetrain { mechanics, params, commands, state } = self;
        DifferentialView {
            axles: &mechanics.params.axles,
            params: params.differential.kind(),
            is_center_free: commands.is_center_free,
            thrusts: commands.thrusts,
            track_brakes: commands.track_brakes,
            wheel_params: &mechanics.params.wheels,
            wheels: &mechanics.state.wheels,
            shares: &mut state.shares,
            constraints: &mut state.constraints,
        }
    }

    /// Engine and brakes, and which wheels they drive and hold.
    pub fn engine_actuation(self) -> EngineActuationView<'a> {
        let Drivetrain { mechanics, params, commands, state } = self;
        EngineActuationView {
            gearbox: &params.gearbox,
            gearbox_state: &state.gearbox,
            clutch_params: &params.clutch,
            clutch: state.clutch,
            is_held_by_hand: is_held_by_hand(mechanics.commands),
            clutch_engagement: state.clutch_engagement,
            engine_state: &state.engine,
            throttle: state.throttle,
            pedal: mechanics.commands.throttle,
            rigid_body: &mechanics.state.rigid_body,
            is_parking: commands.is_parking,
            rigid_body_params: &mechanics.params.rigid_body,
            road_wheels: mechanics.lanes.road_wheels(),
            wheels: &mechanics.state.wheels,
            brake_torques: &mut mechanics.state.brake_torques,
            shares: &state.shares,
            actuations: &mut mechanics.state.actuations,
        }
    }

    /// Engine, clutch and wheels as one system.
    #[inline(always)]
    pub fn engine_drive(self) -> EngineDriveView<'a> {
        let (mechanics, powertrain) = self.split();
        EngineDriveView {
            axles: &mechanics.params.axles,
            rigid_body_params: &mechanics.params.rigid_body,
            road_wheels: mechanics.lanes.road_wheels(),
            powertrain,
            brake_torques: &mechanics.state.brake_torques,
            actuations: &mechanics.state.actuations,
            tires: &mut mechanics.state.tires,
            wheels: &mut mechanics.state.wheels,
        }
    }
}

/// Speed at which the wheels of a differential with these `shares` would roll over the ground
/// without slip (rad/s).
///
/// ```text
/// ω = Σ a_i |v - v_i| / R_i
/// ```
///
/// with the velocity `v` of the body, that of the ground under a wheel `v_i`, 0 in the air, the
/// radius `R_i` and the weight `a_i` of the wheel's speed.
pub fn rolling_speed<Tire: TireModel>(
    shares: &WheelList<WheelShare>,
    params: &MechanicalParams<Tire>,
    state: &MechanicalState<Tire>,
) -> Real {
    let velocity = state.rigid_body.linear_velocity;
    let wheels = shares.iter().zip(&params.wheels).enumerate();
    let connected = wheels.filter(|(_, (share, _))| share.speed != 0.0);
    connected.fold(0.0, |sum, (wheel, (share, params))| {
        let (roads, lane) = state.roads.at(wheel);
        sum + share.speed * (velocity - roads.velocity(lane)).length() / params.radius
    })
}

impl TransmissionCommands {
    /// Commands of a vehicle with `drivetrain` that nobody drives yet: automatic if it has an
    /// automatic gearbox, neutral otherwise.
    pub fn at_rest<D>(drivetrain: &DrivetrainParams<D>) -> Self {
        let gear = match drivetrain.autobox {
            Some(_) => GearCommand::Automatic,
            None => GearCommand::Gear(drivetrain.gearbox.neutral),
        };
        Self { gear, ..Self::default() }
    }

    /// Checks them, and that `drivetrain` can obey: a gear that its gearbox has, an automatic
    /// gearbox where it is to choose.
    pub fn check_for<D>(&self, check: &mut ParamCheck, drivetrain: &DrivetrainParams<D>) {
        self.check(check);
        let count = drivetrain.gearbox.ratios.len();
        match self.gear {
            GearCommand::Gear(gear) => {
                check.require("gear", gear < count, format_args!("a gear below {count}"), gear);
            }
            GearCommand::Automatic => {
                let requirement =
                    format_args!("a gear below {count}, as there is no automatic gearbox");
                check.require("gear", drivetrain.autobox.is_some(), requirement, "Automatic");
            }
        }
    }
}
