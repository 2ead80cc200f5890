//! The combustion engine as a block.

use serde::{Deserialize, Serialize};
use vehicle_core::driveline::{Brake, Element, Inertia};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::math::{Clamped, Real};

use super::block::{
    BlockResult, BlockShaft, BlockStep, Channel, Channels, DrivelineBlock, Sketch, Slots,
};
use super::command::DriverCommand;

const SHAFT: BlockShaft = BlockShaft::Output(0);
/// Distance over which the slope of a torque curve is taken (rad/s).
const SLOPE_STEP: f64 = 1.0;

/// A combustion engine: slot output 0.
///
/// ```text
/// T_f = f₀ + f₁ |ω| + f₂ ω²                    friction, against the rotation (N·m)
/// T_g = T_full(ω) + T_f(ω)                     torque of combustion at full throttle
/// J dω/dt = θ T_g(ω) + T_starter - sgn(ω) T_f - T_out
/// θ = θ_d + (1 - θ_d) θ_i                      driver's throttle and idle control
/// ```
///
/// The torque curve, the idle control and the friction are solved with the rest of the driveline,
/// as far as they fall with the speed.
///
/// Inputs: `throttle`, `ignition` (1 at first), `starter`. Sensors: `speed` (rad/s), `torque` at
/// the output (N·m), `combustion torque` (N·m), `load` in [0, 1], `power` at the output (W), `fuel
/// cut`, `stalled`.
///
/// Source: Guzzella and Onder, *Introduction to Modeling and Control of Internal Combustion Engine
/// Systems*; friction as Chen and Flynn fit it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// Moment of inertia J of crankshaft and flywheel (kg·m²).
    pub inertia: Real,
    /// Net torque at full throttle T_full (N·m) over the speed (rad/s).
    pub full_load: LookupTable<Real>,
    /// Friction f₀ (N·m), f₁ (N·m·s), f₂ (N·m·s²).
    pub friction: [Real; 3],
    /// Keeps it alive without throttle.
    pub idle: Option<IdleControl>,
    /// Cuts the fuel at its largest speed.
    pub limiter: Option<Limiter>,
    /// Speed above idle from which the fuel is cut without throttle (rad/s).
    pub overrun_cut: Option<Real>,
    /// Lets it die, and a starter turn it.
    pub stall: Option<Stall>,
    /// Time in which the intake follows the throttle (s).
    pub intake_time: Real,
}

/// Opens the throttle below the idle speed: `θ_i = K_p e + q`, `dq/dt = K_i e`, `e = ω_i - ω`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IdleControl {
    /// Speed ω_i that it keeps (rad/s).
    pub speed: Real,
    /// Throttle per speed K_p (s).
    pub gain: Real,
    /// Throttle per angle K_i (dimensionless).
    pub integral_gain: Real,
    /// Largest throttle, in [0, 1].
    pub max_throttle: Real,
}

/// Cuts the fuel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Limiter {
    /// Speed at which the fuel is cut (rad/s).
    pub speed: Real,
    /// How much slower it flows again (rad/s), above idle.
    pub hysteresis: Real,
    /// Shortest time without fuel (s).
    pub cut_time: Real,
}

/// An engine that dies when it is slow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Stall {
    /// Speed below which it dies (rad/s), at most that of idle.
    pub speed: Real,
    /// Torque of the starter (N·m).
    pub starter_torque: Real,
    /// Speed at which it runs again (rad/s), within those of stall and idle.
    pub running_speed: Real,
}

impl Default for Engine {
    /// The petrol engine of a mid-size car: 225 N·m, 110 kW, 800 to 6500 revolutions per minute.
    fn default() -> Self {
        let points = [
            (0.0, 90.0),
            (84.0, 150.0),
            (200.0, 205.0),
            (400.0, 225.0),
            (590.0, 190.0),
            (680.0, 140.0),
            (750.0, 0.0),
        ];
        Self {
            inertia: 0.15,
            full_load: LookupTable::new(points).expect("increasing abscissae"),
            friction: [10.0, 0.02, 3e-5],
            idle: Some(IdleControl {
                speed: 84.0,
                gain: 0.01,
                integral_gain: 0.02,
                max_throttle: 0.5,
            }),
            limiter: Some(Limiter { speed: 680.0, hysteresis: 20.0, cut_time: 0.05 }),
            overrun_cut: Some(60.0),
            stall: None,
            intake_time: 0.0,
        }
    }
}

impl Validate for Engine {
    fn check(&self, check: &mut ParamCheck) {
        check.number("inertia", self.inertia, Bound::Positive);
        check.require(
            "full_load",
            !self.full_load.points().is_empty(),
            "at least one point",
            "none",
        );
        for (index, friction) in self.friction.iter().enumerate() {
            check.number(format_args!("friction[{index}]"), *friction, Bound::NotNegative);
        }
        if let Some(idle) = &self.idle {
            check.number("idle.speed", idle.speed, Bound::Positive);
            check.number("idle.gain", idle.gain, Bound::NotNegative);
            check.number("idle.integral_gain", idle.integral_gain, Bound::NotNegative);
            check.number("idle.max_throttle", idle.max_throttle, Bound::Within(0.0, 1.0));
        }
        let idle_speed = self.idle.map_or(0.0, |idle| idle.speed);
        if let Some(limiter) = &self.limiter {
            check.number("limiter.speed", limiter.speed, Bound::Positive);
            check.number("limiter.hysteresis", limiter.hysteresis, Bound::NotNegative);
            // At idle or below, an engine would die before it got fuel again.
            let room = limiter.speed - idle_speed;
            if room <= 0.0 {
                let requirement = format_args!("above idle.speed = {idle_speed}");
                check.require("limiter.speed", false, requirement, limiter.speed);
            } else {
                let requirement = format_args!("below {room}, from limiter.speed down to idle");
                let is_met = limiter.hysteresis < room;
                check.require("limiter.hysteresis", is_met, requirement, limiter.hysteresis);
            }
            check.number("limiter.cut_time", limiter.cut_time, Bound::NotNegative);
        }
        if let Some(margin) = self.overrun_cut {
            check.number("overrun_cut", margin, Bound::NotNegative);
        }
        if let Some(stall) = &self.stall {
            check.number("stall.speed", stall.speed, Bound::NotNegative);
            check.number("stall.starter_torque", stall.starter_torque, Bound::NotNegative);
            let least = stall.speed;
            let runs = least <= stall.running_speed;
            let requirement = format_args!("at least stall.speed = {least}");
            check.require("stall.running_speed", runs, requirement, stall.running_speed);
            if let Some(idle) = &self.idle {
                let requirement = format_args!("at most idle.speed = {}", idle.speed);
                for (name, speed) in
                    [("stall.speed", stall.speed), ("stall.running_speed", stall.running_speed)]
                {
                    check.require(name, speed <= idle.speed, requirement, speed);
                }
            }
        }
        check.number("intake_time", self.intake_time, Bound::NotNegative);
    }
}

impl Engine {
    /// Largest speed: that of its limiter, or the end of its torque curve (rad/s).
    pub(crate) fn most_speed(&self) -> Real {
        let of_curve = self.full_load.points().last().map_or(0.0, |&(speed, _)| speed);
        self.limiter.as_ref().map_or(of_curve, |limiter| limiter.speed)
    }

    /// Friction torque at `speed` (rad/s), without its sign (N·m).
    pub fn friction_torque(&self, speed: f64) -> f64 {
        let [f0, f1, f2] = self.friction.map(f64::from);
        f0 + f1 * speed.abs() + f2 * speed * speed
    }

    /// Torque of combustion at full throttle (N·m).
    pub fn combustion_torque(&self, speed: f64) -> f64 {
        f64::from(self.full_load.evaluate(speed as Real)) + self.friction_torque(speed)
    }

    fn combustion_slope(&self, speed: f64) -> f64 {
        let above = self.combustion_torque(speed + SLOPE_STEP);
        (above - self.combustion_torque(speed - SLOPE_STEP)) / (2.0 * SLOPE_STEP)
    }

    /// Throttle at which it idles.
    fn idle_throttle(&self) -> f64 {
        let Some(idle) = &self.idle else { return 0.0 };
        let speed = f64::from(idle.speed);
        let most = self.combustion_torque(speed);
        if most <= 0.0 { 0.0 } else { (self.friction_torque(speed) / most).clamped(0.0, 1.0) }
    }

    /// Throttle of the idle control, and how much it falls per speed.
    fn idle_control(&self, speed: f64, dt: f64, memory: &mut [f64]) -> (f64, f64) {
        let Some(idle) = &self.idle else { return (0.0, 0.0) };
        let (gain, most) = (f64::from(idle.gain), f64::from(idle.max_throttle));
        let error = f64::from(idle.speed) - speed;
        let integral = &mut memory[Memory::IDLE];
        *integral = (*integral + f64::from(idle.integral_gain) * error * dt).clamped(0.0, most);
        let asked = gain * error + *integral;
        if 0.0 < asked && asked < most { (asked, gain) } else { (asked.clamped(0.0, most), 0.0) }
    }

    /// Whether fuel flows.
    fn has_fuel(&self, speed: f64, step: &mut BlockStep<'_>) -> bool {
        let (throttle, is_on) = (step.inputs[Input::THROTTLE], 0.5 < step.inputs[Input::IGNITION]);
        let memory = &mut *step.memory;
        if let Some(limiter) = &self.limiter {
            memory[Memory::CUT_TIME] += step.dt;
            if f64::from(limiter.speed) <= speed {
                memory[Memory::IS_CUT] = 1.0;
                memory[Memory::CUT_TIME] = 0.0;
            } else if f64::from(limiter.cut_time) <= memory[Memory::CUT_TIME]
                && speed < f64::from(limiter.speed - limiter.hysteresis)
            {
                memory[Memory::IS_CUT] = 0.0;
            }
        }
        if let Some(stall) = &self.stall {
            let is_started = 0.5 < step.inputs[Input::STARTER];
            if f64::from(stall.running_speed) < speed && is_on {
                memory[Memory::IS_STALLED] = 0.0;
            } else if speed < f64::from(stall.speed) && !is_started {
                memory[Memory::IS_STALLED] = 1.0;
            }
        }
        let idle = self.idle.as_ref().map_or(0.0, |idle| f64::from(idle.speed));
        let overruns = self
            .overrun_cut
            .is_some_and(|margin| throttle <= 0.0 && idle + f64::from(margin) < speed);
        is_on && memory[Memory::IS_CUT] == 0.0 && memory[Memory::IS_STALLED] == 0.0 && !overruns
    }
}

/// Numbers of the inputs.
struct Input;

impl Input {
    const THROTTLE: usize = 0;
    const IGNITION: usize = 1;
    const STARTER: usize = 2;
}

/// Numbers of the sensors.
struct Sensor;

impl Sensor {
    const SPEED: usize = 0;
}

/// Numbers of what the engine keeps.
struct Memory;

impl Memory {
    const IDLE: usize = 0;
    const IS_CUT: usize = 1;
    const CUT_TIME: usize = 2;
    const IS_STALLED: usize = 3;
    const INTAKE: usize = 4;
    const COUNT: usize = 5;
}

impl DrivelineBlock for Engine {
    fn kind(&self) -> &'static str {
        "engine"
    }

    fn initialize(&self) -> Slots {
        Slots::new(0, 1)
    }

    fn channels(&self) -> Channels {
        Channels {
            inputs: const {
                &[
                    Channel::new("throttle", "").under(DriverCommand::Throttle),
                    Channel::new("ignition", "").with_default(1.0).under(DriverCommand::Ignition),
                    Channel::new("starter", "").under(DriverCommand::Starter),
                ]
            },
            states: &[],
            sensors: const {
                &[
                    Channel::new("speed", "rad/s"),
                    Channel::new("torque", "N·m"),
                    Channel::new("combustion torque", "N·m"),
                    Channel::new("load", ""),
                    Channel::new("power", "W"),
                    Channel::new("fuel cut", ""),
                    Channel::new("stalled", ""),
                ]
            },
            memory: Memory::COUNT,
        }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        sketch.add(Element::Inertia(Inertia::default()), [SHAFT]);
        sketch.add(Element::Brake(Brake::against_housing(0.0)), [SHAFT]);
    }

    fn start(&self, memory: &mut [f64]) {
        memory[Memory::IDLE] = self.idle_throttle();
        memory[Memory::INTAKE] = memory[Memory::IDLE];
    }

    fn start_speed(&self) -> f64 {
        self.idle.as_ref().map_or(0.0, |idle| f64::from(idle.speed))
    }

    fn is_busy(&self, sensors: &[f64], overspeed: f64) -> bool {
        let most = self.limiter.as_ref().map_or(0.0, |limiter| f64::from(limiter.speed));
        self.start_speed() + overspeed * most < sensors[Sensor::SPEED]
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        let speed = step.speed(SHAFT);
        let asked = step.inputs[Input::THROTTLE].clamped(0.0, 1.0);
        let (idle, fall) = self.idle_control(speed, step.dt, step.memory);
        let throttle = asked + (1.0 - asked) * idle;
        let has_fuel = self.has_fuel(speed, step);
        let (throttle, fall) = if has_fuel { (throttle, (1.0 - asked) * fall) } else { (0.0, 0.0) };
        // The intake follows implicitly, at any step.
        let follows = step.dt / (f64::from(self.intake_time) + step.dt);
        let intake = &mut step.memory[Memory::INTAKE];
        *intake = if has_fuel { *intake + (throttle - *intake) * follows } else { 0.0 };
        let (load, most) = (*intake, self.combustion_torque(speed));
        let is_started = 0.5 < step.inputs[Input::STARTER];
        let starter = self.stall.as_ref().map_or(0.0, |stall| {
            let turns = is_started && speed < f64::from(stall.running_speed);
            if turns { f64::from(stall.starter_torque) } else { 0.0 }
        });
        let [f0, f1, f2] = self.friction.map(f64::from);
        step.elements[0] = Element::Inertia(Inertia {
            inertia: f64::from(self.inertia),
            torque: load * most + starter,
            damping: f1 + f2 * speed.abs(),
            slope: load * self.combustion_slope(speed) - fall * follows * most,
        });
        step.elements[1] = Element::Brake(Brake::against_housing(f0));
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let (speed, start) = (result.speed(SHAFT), result.start_speed(SHAFT));
        let torque = -result.torque(SHAFT);
        let combustion = match &result.elements[0] {
            Element::Inertia(parts) => parts.torque + parts.slope.min(0.0) * (speed - start),
            _ => 0.0,
        };
        let numbers = [
            speed,
            torque,
            combustion,
            result.memory[Memory::INTAKE],
            torque * speed,
            result.memory[Memory::IS_CUT],
            result.memory[Memory::IS_STALLED],
        ];
        result.sensors.copy_from_slice(&numbers);
    }
}
