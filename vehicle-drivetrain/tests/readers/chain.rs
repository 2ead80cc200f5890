//! Readers of whole vehicles in closed loop.

use anyhow::{Result, bail};
use serde_json::{Value, json};
use vehicle_core::aerodynamics::AerodynamicsParams;
use vehicle_core::commands::Commands;
use vehicle_core::constraint_rows::{RowExecution, SuspensionLimitParams};
use vehicle_core::frame::CoordinateSystem;
use vehicle_core::legacy::clutch::ExplicitSolver;
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::road_geometry::{ConstantPlane, RoadContact};
use vehicle_core::stages::ConstraintRows;
use vehicle_core::suspension::unsprung::SuspensionDynamics;
use vehicle_core::suspension::{
    AntiRollAction, AntiRollBarParams, SuspensionComplianceParams, SuspensionForceParams,
};
use vehicle_core::tire::{SlipLimit, StickyHold, StickyLimits, TireSlipParams, TireStickyParams};
use vehicle_core::vehicle::{MechanicalParams, MechanicalState};
use vehicle_core::{ComponentSequence, Context, SimulationParams, WheelCoupling, WheelReaction};
use vehicle_drivetrain::differential::DifferentialParams;
use vehicle_drivetrain::drivetrain::DrivetrainParams;
use vehicle_drivetrain::gearbox::GearboxState;
use vehicle_drivetrain::shift_law::ShiftLaw;
use vehicle_drivetrain::transmission::TransmissionCommands;
use vehicle_drivetrain::{
    DirectDriveParams, DirectDriveVehicle, EngineDriveParams, EngineDriveVehicle,
};

use super::mechanics::jounce_params;
use super::{differential, gears, parse};
use crate::support::values::{
    array, f32_of, f32s_of, field, list_of, number, numbers, optional, str_of, usize_of,
};
use crate::support::vectors::Outcome;

/// A vehicle that is run in closed loop: what it has beside the mechanical base.
trait ChainedVehicle: Sized + 'static {
    /// A vehicle at rest, with the state of its drive at the start.
    fn at_start(input: &Value) -> Result<Self>;

    /// The stages, each once per step.
    fn sequence() -> ComponentSequence<Self>;

    /// What the mechanical base does.
    fn state(&self) -> &MechanicalState;

    /// The state of the mechanical base, mutably.
    fn state_mut(&mut self) -> &mut MechanicalState;

    /// Takes `commands`, and those for its drive from `phase`.
    fn command(&mut self, commands: Commands, phase: &Value) -> Result<()>;

    /// Adds the state of its drive to a record.
    fn add_to(&self, record: &mut Value);
}

impl ChainedVehicle for DirectDriveVehicle {
    fn at_start(input: &Value) -> Result<Self> {
        let throttle = parse::response(field(input, "throttle_response")?)?;
        Ok(Self::new(DirectDriveParams { mechanics: mechanics(input)?, throttle })?)
    }

    fn sequence() -> ComponentSequence<Self> {
        Self::sequence_with_substeps(|_| 1)
    }

    fn state(&self) -> &MechanicalState {
        &self.state.mechanics
    }

    fn state_mut(&mut self) -> &mut MechanicalState {
        &mut self.state.mechanics
    }

    fn command(&mut self, commands: Commands, phase: &Value) -> Result<()> {
        self.commands = commands;
        self.controls.gear =
            serde_json::from_value(Value::from(str_of(phase, "direct_drive_gear")?))?;
        Ok(())
    }

    fn add_to(&self, _: &mut Value) {}
}

impl ChainedVehicle for EngineDriveVehicle {
    fn at_start(input: &Value) -> Result<Self> {
        let drivetrain = drivetrain(input)?;
        let mut vehicle =
            Self::new(EngineDriveParams { mechanics: mechanics(input)?, drivetrain })?;
        let state = &mut vehicle.state.drive;
        state.engine.rotation_speed = f32_of(input, "initial_engine_rotation_speed")?;
        state.gearbox = GearboxState::in_gear(usize_of(input, "initial_gear")?);
        Ok(vehicle)
    }

    fn sequence() -> ComponentSequence<Self> {
        Self::sequence_with_substeps(|_| 1)
    }

    fn state(&self) -> &MechanicalState {
        &self.state.mechanics
    }

    fn state_mut(&mut self) -> &mut MechanicalState {
        &mut self.state.mechanics
    }

    fn command(&mut self, commands: Commands, phase: &Value) -> Result<()> {
        self.commands = commands;
        self.controls = TransmissionCommands {
            gear: gears::gear_command(phase)?,
            clutch: f32_of(phase, "clutch_command")?,
            thrusts: match optional(phase, "thrust_commands") {
                Some(thrusts) => array(thrusts)?,
                None => [1.0; 2],
            },
            ..TransmissionCommands::default()
        };
        Ok(())
    }

    fn add_to(&self, record: &mut Value) {
        let state = &self.state.drive;
        record["engine_rotation_speed"] = number(state.engine.rotation_speed);
        record["current_gear"] = Value::from(state.gearbox.current);
        record["clutch_slip"] = number(state.clutch_slip);
    }
}

pub fn chain_direct_drive(input: &Value) -> Result<Outcome> {
    chain::<DirectDriveVehicle>(input)
}

pub fn chain_engine_drive(input: &Value) -> Result<Outcome> {
    chain::<EngineDriveVehicle>(input)
}

fn chain<V: ChainedVehicle>(input: &Value) -> Result<Outcome> {
    let mut vehicle = V::at_start(input)?;
    let mechanics = vehicle.state_mut();
    mechanics.rigid_body = parse::body(input)?;
    let rotation_speed = f32_of(input, "initial_wheel_rotation_speed")?;
    mechanics.wheels.edit_all(|wheel| wheel.rotation_speed = rotation_speed);
    let road = ConstantPlane {
        contact: RoadContact::new(parse::plane(input)?, f32_of(input, "friction_coefficient")?),
    };
    let simulation = simulation_params(input)?;
    let context = Context::new(&simulation, &road);
    // The recorded chains stop at the sticky states: no solver executes their constraints.
    let sequence = V::sequence().remove::<ConstraintRows>()?;
    let (dt, record_every) = (f32_of(input, "dt")?, usize_of(input, "record_every")?);

    let mut records = Vec::new();
    let mut step = 0;
    for phase in list_of(input, "command_schedule")? {
        vehicle.command(commands(phase)?, phase)?;
        for _ in 0..usize_of(phase, "step_count")? {
            step += 1;
            let _completed = sequence.update(&mut vehicle, dt, &context)?;
            if step <= 2 || step % record_every == 0 {
                records.push(record(&vehicle, step));
            }
        }
    }
    Ok(json!({"records": records}).into())
}

fn drivetrain(input: &Value) -> Result<DrivetrainParams> {
    let iterations = usize_of(input, "clutch_estimate_iterations")?;
    Ok(DrivetrainParams {
        engine: gears::engine(field(input, "engine")?)?,
        clutch: gears::clutch_params(input)?,
        gearbox: gears::gearbox(field(input, "gearbox")?)?,
        autobox: optional(input, "autobox")
            .map(gears::autobox_params)
            .transpose()?
            .map(ShiftLaw::EngineSpeed),
        differential: differential(field(input, "differential")?)?,
        explicit_solver: match str_of(input, "clutch_accuracy")? {
            "best_possible" => ExplicitSolver::Elimination,
            "estimate" => ExplicitSolver::Estimate(u32::try_from(iterations)?),
            other => bail!("`clutch_accuracy`: {other} is unknown"),
        },
    })
}

fn differential(value: &Value) -> Result<DifferentialParams> {
    Ok(match str_of(value, "type")? {
        "multi_wheel" => DifferentialParams::MultiWheel(differential::shares(value)?),
        "four_wheel" => DifferentialParams::FourWheel(differential::four_wheel_params(value)?),
        "tank" => DifferentialParams::Tank(differential::tank_params(value)?),
        _ => DifferentialParams::TorqueSplitting(differential::torque_splitting_params(value)?),
    })
}

fn simulation_params(input: &Value) -> Result<SimulationParams> {
    let limits = StickyLimits {
        threshold_speed: f32_of(input, "sticky_threshold_speed")?,
        threshold_time: f32_of(input, "sticky_threshold_time")?,
        damping: 0.0,
    };
    let passive = f32_of(input, "min_passive_longitudinal_slip_denominator")?;
    let active = f32_of(input, "min_active_longitudinal_slip_denominator")?;
    Ok(SimulationParams {
        gravity: parse::vector(input, "gravity")?,
        coordinates: CoordinateSystem { frame: parse::frame(input)?, length_scale: 1.0 },
        tire_slip: TireSlipParams {
            min_lateral_denominator: f32_of(input, "min_lateral_slip_denominator")?,
            min_passive_longitudinal_denominator: passive,
            min_active_longitudinal_denominator: active,
            limit: SlipLimit::Added,
        },
        tire_sticky: Some(TireStickyParams {
            longitudinal: limits,
            lateral: limits,
            hold: StickyHold::Damper,
        }),
        wheel_coupling: WheelCoupling::Explicit,
        wheel_reaction: WheelReaction::None,
        row_execution: RowExecution::Local,
        rolling_blend_speed: f32_of(input, "threshold_forward_speed")?,
        ..SimulationParams::default()
    })
}

fn mechanics(input: &Value) -> Result<MechanicalParams> {
    let wheels = list_of(input, "wheels")?;
    let each =
        |parse: fn(&Value) -> Result<_>| wheels.iter().map(parse).collect::<Result<Vec<_>>>();
    let wheel = parse::wheel(field(input, "wheel")?)?;
    let ackermann = parse::one_or_many(input.get("ackermann"));
    Ok(MechanicalParams {
        axles: parse::axle_description(input, "axles")?,
        rigid_body: parse::body_params(input)?,
        brakes: parse::responses(input, "brake_responses")?,
        steering: parse::response(field(input, "steer_response")?)?,
        ackermann: ackermann.iter().map(parse::ackermann).collect::<Result<_>>()?,
        steering_system: None,
        brake_valves: Vec::new(),
        jounce: jounce_params(input)?,
        wheels: vec![wheel; wheels.len()],
        suspensions: each(parse::suspension)?,
        compliances: wheels.iter().map(compliance).collect::<Result<_>>()?,
        suspension_forces: wheels.iter().map(spring).collect::<Result<_>>()?,
        anti_roll_bars: anti_roll_bars(input)?,
        beam_axles: Vec::new(),
        aerodynamics: AerodynamicsParams::default(),
        suspension_dynamics: SuspensionDynamics::Massless,
        suspension_limit: SuspensionLimitParams::default(),
        tires: wheels.iter().map(parse::tire).collect::<Result<_>>()?,
    })
}

fn compliance(wheel: &Value) -> Result<SuspensionComplianceParams> {
    let curve = |name: &str| {
        let abscissae = f32s_of(wheel, &format!("{name}_x"))?;
        parse::curve(&abscissae, f32s_of(wheel, &format!("{name}_y"))?)
    };
    let point = |name| Ok::<_, anyhow::Error>(LookupTable::constant(parse::vector(wheel, name)?));
    Ok(SuspensionComplianceParams {
        toe: curve("wheel_toe_angle_table")?,
        camber: curve("wheel_camber_angle_table")?,
        suspension_force_point: point("suspension_force_app_point")?,
        tire_force_point: point("tire_force_app_point")?,
    })
}

fn spring(wheel: &Value) -> Result<SuspensionForceParams> {
    Ok(SuspensionForceParams {
        stiffness: f32_of(wheel, "suspension_stiffness")?,
        damping: f32_of(wheel, "suspension_damping")?,
        sprung_mass: f32_of(wheel, "sprung_mass")?,
    })
}

fn anti_roll_bars(input: &Value) -> Result<Vec<AntiRollBarParams>> {
    let bar = |bar: &Value| {
        Ok(AntiRollBarParams {
            wheels: [usize_of(bar, "wheel_0")?, usize_of(bar, "wheel_1")?],
            stiffness: f32_of(bar, "anti_roll_stiffness")?,
            action: AntiRollAction::Body,
        })
    };
    list_of(input, "anti_roll_bars")?.iter().map(bar).collect()
}

fn commands(phase: &Value) -> Result<Commands> {
    let mut commands = Commands {
        throttle: f32_of(phase, "throttle_command")?,
        steer: f32_of(phase, "steer_command")?,
        ..Commands::default()
    };
    let brakes = f32s_of(phase, "brake_commands")?;
    if commands.brakes.len() < brakes.len() {
        bail!("`brake_commands`: {} commands", brakes.len());
    }
    commands.brakes[..brakes.len()].copy_from_slice(&brakes);
    Ok(commands)
}

fn record(vehicle: &impl ChainedVehicle, step: usize) -> Value {
    let state = vehicle.state();
    let wheels = |value: fn(_) -> f32| state.wheels.iter().map(value).collect::<Vec<_>>();
    let tires = |value: fn(_) -> f32| state.tires.iter().map(value).collect::<Vec<_>>();
    let jounces: Vec<_> = state
        .suspensions
        .iter()
        .map(|suspension| suspension.compression.jounce.unwrap_or(f32::MAX))
        .collect();
    let mut record = json!({
        "step": step,
        "body_pose": parse::recorded(&state.rigid_body.pose),
        "body_linear_velocity": numbers(&state.rigid_body.linear_velocity.to_array()),
        "body_angular_velocity": numbers(&state.rigid_body.angular_velocity.to_array()),
        "wheel_rotation_speeds": numbers(&wheels(|wheel| wheel.rotation_speed)),
        "wheel_rotation_angles": numbers(&wheels(|wheel| wheel.rotation_angle)),
        "suspension_jounces": numbers(&jounces),
        "tire_longitudinal_slips": numbers(&tires(|tire| tire.slip.longitudinal)),
        "tire_lateral_slips": numbers(&tires(|tire| tire.slip.angle())),
        "tire_loads": numbers(&tires(|tire| tire.grip.load)),
        "tire_frictions": numbers(&tires(|tire| tire.grip.friction)),
    });
    vehicle.add_to(&mut record);
    record
}
