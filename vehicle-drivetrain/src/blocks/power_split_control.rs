//! Control of the engine and the two electric machines of a power-split hybrid.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::lookup_table::LookupTable;
use vehicle_core::math::{Clamped, Real};

use super::block::{BlockResult, BlockStep, Channel, Channels, DrivelineBlock, Sketch, Slots};
use super::command::DriverCommand;
use super::engine::Engine;

/// Speeds at which the best line of an engine is computed.
const LINE_POINTS: u8 = 16;
/// Part of the speed range of an engine in which its best line begins and ends (dimensionless).
const LINE_ENDS: [f64; 2] = [0.15, 0.88];
/// Speed from which an engine that is cranked gets fuel (rad/s).
const FIRING_SPEED: f64 = 70.0;

/// The control of a [power-split hybrid](super::PowerSplit): a block without slots, on the data
/// bus.
///
/// ```text
/// T_d = u min(T_max, P_max/|ω_r|)                        what the driver wants of the ring, with the pedal u
/// P_e = T_d ω_r + k (c* - c)                             what the engine gives: the drive, and what the battery needs
/// ω_e* = best(P_e),  θ = line(P_e)                       the engine on its best line
/// T_g = -(T_e - J (ω_e* - ω_e)/τ)/(1 + z) + q            the generator keeps that speed, dq/dt = J (ω_e* - ω_e)/((1 + z) τ τ_i)
/// T_m = T_d + z T_g'                                     the motor gives what the ring does not get from the gear
/// ```
///
/// with the charge c of the battery and the torque `T_g'` that the generator gave in the last step.
/// An engine that is faster than it is to be gets less throttle. The engine starts as `P_e` is
/// above [`start_power`](Self::start_power) or the charge below the band. It stops as `P_e` is
/// below half of that and the charge in the band, once it has run for
/// [`least_run`](Self::least_run).
///
/// Out of gear, in neutral and in park, it asks for nothing, and the engine stops.
///
/// Inputs: `traction` u in [-1, 1], `in gear`, 0 or 1. States: `ring speed`, `engine speed`
/// (rad/s), `engine torque`, `generator torque` (N·m). Sensors: `engine throttle` in [0, 1],
/// `generator torque`, `motor torque` (N·m), `engine power` that is wanted (W), `engine target`
/// (rad/s), `engine on`.
///
/// Source: Liu and Peng, *Modeling and Control of a Power-Split Hybrid Vehicle*, IEEE Transactions
/// on Control Systems Technology 16 (2008). There, too, the engine stays on its best line, and
/// the generator keeps its speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PowerSplitControl {
    /// Speed of the engine that gives a power best (rad/s) over the power (W).
    pub best_speed: LookupTable<Real>,
    /// Throttle at which it gives that power (dimensionless) over the power (W).
    pub best_throttle: LookupTable<Real>,
    /// Largest torque T_max on the ring (N·m).
    pub max_torque: Real,
    /// Largest power P_max on the ring (W).
    pub max_power: Real,
    /// Teeth of the ring per teeth of the sun z, as in the gear.
    pub teeth_ratio: Real,
    /// Largest torque of the generator (N·m).
    pub max_generator_torque: Real,
    /// Largest speed of the generator (rad/s).
    pub max_generator_speed: Real,
    /// Inertia J of the engine, with that of the generator as the engine feels it (kg·m²).
    pub inertia: Real,
    /// Time τ in which the engine takes its speed (s).
    pub response_time: Real,
    /// Power above which the engine runs (W).
    pub start_power: Real,
    /// Shortest time for which it runs (s).
    pub least_run: Real,
    /// Number of the battery in the driveline.
    pub battery: usize,
    /// Charge c* of the battery that is kept, in [0, 1].
    pub charge: Real,
    /// Half of the width of the band about it within which the engine may stand, in [0, 1].
    pub charge_band: Real,
    /// Power to the battery at the lower end of the band (W).
    pub charge_power: Real,
}

impl PowerSplitControl {
    /// The control of a hybrid with this engine, which runs at `throttle` as long as that gives
    /// enough. The tables of an engine whose numbers are not finite are empty, which is no valid
    /// control.
    pub fn new(engine: &Engine, throttle: Real) -> Self {
        let limit = engine.limiter.map_or(600.0, |limiter| f64::from(limiter.speed));
        let power = |speed: f64, throttle: f64| {
            let torque = throttle * engine.combustion_torque(speed) - engine.friction_torque(speed);
            (torque * speed) as Real
        };
        let [low, high] = LINE_ENDS.map(|part| part * limit);
        // Less power than the line begins with takes less throttle.
        let torque = engine.combustion_torque(low);
        let least = if torque == 0.0 { 0.0 } else { engine.friction_torque(low) / torque };
        let mut speeds = vec![(0.0, low as Real)];
        let mut throttles = vec![(0.0, least as Real)];
        let mut most = 0.0;
        for point in 0..LINE_POINTS {
            let speed = low + (high - low) * f64::from(point) / f64::from(LINE_POINTS - 1);
            let given = power(speed, f64::from(throttle));
            if most < given {
                most = given;
                speeds.push((given, speed as Real));
                throttles.push((given, throttle));
            }
        }
        // Power beyond the line takes more throttle.
        let last = speeds.last().map_or(high, |(_, speed)| f64::from(*speed));
        let full = power(last, 1.0);
        if most < full {
            speeds.push((full, last as Real));
            throttles.push((full, 1.0));
        }
        let table = |points| LookupTable::new(points).unwrap_or_default();
        Self {
            best_speed: table(speeds),
            best_throttle: table(throttles),
            max_torque: 350.0,
            max_power: 1.1e5,
            teeth_ratio: 2.6,
            max_generator_torque: 60.0,
            max_generator_speed: 1250.0,
            inertia: engine.inertia + 0.25,
            response_time: 0.3,
            start_power: 1.2e4,
            least_run: 4.0,
            battery: 0,
            charge: 0.6,
            charge_band: 0.1,
            charge_power: 1.5e4,
        }
    }

    /// Torque that the driver wants of the ring (N·m).
    fn wanted_torque(&self, traction: f64, speed: f64) -> f64 {
        let (torque, power) = (f64::from(self.max_torque), f64::from(self.max_power));
        let most = if power < torque * speed.abs() { power / speed.abs() } else { torque };
        traction.clamped(-1.0, 1.0) * most
    }

    /// Whether the engine is to run from now on, which gives `power` (W) then.
    fn runs(&self, power: f64, charge: f64, dt: f64, memory: &mut [f64]) -> bool {
        let (target, band) = (f64::from(self.charge), f64::from(self.charge_band));
        let start = f64::from(self.start_power);
        memory[Memory::TIME] += dt;
        if memory[Memory::IS_ON] == 0.0 {
            if start < power || charge < target - band {
                (memory[Memory::IS_ON], memory[Memory::TIME]) = (1.0, 0.0);
            }
        } else {
            let is_charged = target - 0.5 * band < charge;
            let has_run = f64::from(self.least_run) < memory[Memory::TIME];
            if power < 0.5 * start && is_charged && has_run {
                (memory[Memory::IS_ON], memory[Memory::TIME]) = (0.0, 0.0);
            }
        }
        memory[Memory::IS_ON] == 1.0
    }

    /// Speed that the engine is to have (rad/s), not beyond what the generator bears.
    fn target_speed(&self, power: f64, ring: f64) -> f64 {
        let z = f64::from(self.teeth_ratio);
        let most = (f64::from(self.max_generator_speed) + z * ring) / (1.0 + z);
        f64::from(self.best_speed.evaluate(power as Real)).min(most)
    }

    /// Torque by which the generator keeps the engine at `target` (N·m).
    fn generator_torque(&self, target: f64, step: &mut BlockStep<'_>) -> f64 {
        let [speed, torque] = [step.states[State::ENGINE_SPEED], step.states[State::ENGINE_TORQUE]];
        let (z, time) = (f64::from(self.teeth_ratio), f64::from(self.response_time));
        let most = f64::from(self.max_generator_torque);
        let needed = f64::from(self.inertia) * (target - speed) / time;
        let integral = &mut step.memory[Memory::INTEGRAL];
        let asked = (needed - torque) / (1.0 + z) + *integral;
        let given = asked.clamped(-most, most);
        // At its limit it gathers nothing.
        if given == asked {
            *integral += step.dt / (INTEGRAL_TIMES * time) * needed / (1.0 + z);
        }
        given
    }
}

/// Speed above the one that is wanted at which an engine has no throttle left (rad/s).
const OVERSPEED: f64 = 80.0;

/// Time of the integral part of the speed control per response time (dimensionless).
const INTEGRAL_TIMES: f64 = 4.0;

/// Numbers of the states.
struct State;

impl State {
    const RING_SPEED: usize = 0;
    const ENGINE_SPEED: usize = 1;
    const ENGINE_TORQUE: usize = 2;
    const GENERATOR_TORQUE: usize = 3;
}

/// Numbers of what the control keeps: whether the engine runs, since when, the integral of the
/// speed control, and what it tells.
struct Memory;

impl Memory {
    const IS_ON: usize = 0;
    const TIME: usize = 1;
    const INTEGRAL: usize = 2;
    const SENSORS: usize = 3;
    const COUNT: usize = Self::SENSORS + 5;
}

impl Validate for PowerSplitControl {
    fn check(&self, check: &mut ParamCheck) {
        for (name, table) in
            [("best_speed", &self.best_speed), ("best_throttle", &self.best_throttle)]
        {
            check.require(name, !table.points().is_empty(), "at least one point", "none");
        }
        check.number("max_torque", self.max_torque, Bound::NotNegative);
        check.number("max_power", self.max_power, Bound::NotNegative);
        check.number("teeth_ratio", self.teeth_ratio, Bound::Within(1.0, 100.0));
        check.number("max_generator_torque", self.max_generator_torque, Bound::NotNegative);
        check.number("max_generator_speed", self.max_generator_speed, Bound::Positive);
        check.number("inertia", self.inertia, Bound::Positive);
        check.number("response_time", self.response_time, Bound::Positive);
        check.number("start_power", self.start_power, Bound::NotNegative);
        check.number("least_run", self.least_run, Bound::NotNegative);
        check.number("charge", self.charge, Bound::Within(0.0, 1.0));
        check.number("charge_band", self.charge_band, Bound::Within(0.001, 1.0));
        check.number("charge_power", self.charge_power, Bound::NotNegative);
    }
}

impl DrivelineBlock for PowerSplitControl {
    fn kind(&self) -> &'static str {
        "power split control"
    }

    fn initialize(&self) -> Slots {
        Slots::new(0, 0)
    }

    fn channels(&self) -> Channels {
        Channels {
            inputs: const {
                &[
                    Channel::new("traction", "").under(DriverCommand::Traction),
                    Channel::new("in gear", "").with_default(1.0).under(DriverCommand::InGear),
                ]
            },
            states: const {
                &[
                    Channel::new("ring speed", "rad/s"),
                    Channel::new("engine speed", "rad/s"),
                    Channel::new("engine torque", "N·m"),
                    Channel::new("generator torque", "N·m"),
                ]
            },
            sensors: const {
                &[
                    Channel::new("engine throttle", ""),
                    Channel::new("generator torque", "N·m"),
                    Channel::new("motor torque", "N·m"),
                    Channel::new("engine power", "W"),
                    Channel::new("engine target", "rad/s"),
                    Channel::new("engine on", ""),
                ]
            },
            memory: Memory::COUNT,
        }
    }

    fn sketch(&self, _: &mut Sketch) {}

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        if step.inputs[1] == 0.0 {
            step.memory.fill(0.0);
            return;
        }
        let ring = step.states[State::RING_SPEED];
        let wanted = self.wanted_torque(step.inputs[0], ring);
        let (target, band) = (f64::from(self.charge), f64::from(self.charge_band));
        let charge = step.batteries.charge(self.battery).unwrap_or(target);
        let most_charging = f64::from(self.charge_power);
        let charging =
            (most_charging * (target - charge) / band).clamped(-most_charging, most_charging);
        let power = (wanted * ring + charging).max(0.0);
        let is_on = self.runs(power, charge, step.dt, step.memory);
        let [mut throttle, mut engine_speed, mut generator] = [0.0; 3];
        if is_on {
            engine_speed = self.target_speed(power, ring);
            let speed = step.states[State::ENGINE_SPEED];
            if FIRING_SPEED < speed {
                let excess = ((speed - engine_speed) / OVERSPEED).clamped(0.0, 1.0);
                throttle = (1.0 - excess) * f64::from(self.best_throttle.evaluate(power as Real));
            }
            generator = self.generator_torque(engine_speed, step);
        } else {
            step.memory[Memory::INTEGRAL] = 0.0;
        }
        let motor = wanted + f64::from(self.teeth_ratio) * step.states[State::GENERATOR_TORQUE];
        let told = [throttle, generator, motor, power, engine_speed];
        step.memory[Memory::SENSORS..].copy_from_slice(&told);
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let (sensors, last) = result.sensors.split_at_mut(5);
        sensors.copy_from_slice(&result.memory[Memory::SENSORS..]);
        last.copy_from_slice(&result.memory[..1]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::Limiter;
    use super::*;

    #[test]
    fn an_engine_without_torque_where_its_line_begins_has_a_control_and_a_broken_one_none() {
        let of = |points: &[(Real, Real)], speed| {
            let limiter = Some(Limiter { speed, hysteresis: 20.0, cut_time: 0.05 });
            let full_load = LookupTable::new(points).expect("increasing abscissae");
            let engine = Engine { friction: [0.0; 3], full_load, limiter, ..Engine::default() };
            PowerSplitControl::new(&engine, 0.85)
        };
        let control = of(&[(90.0, 0.0), (200.0, 150.0), (600.0, 100.0)], 600.0);
        control.validate().expect("valid");
        assert_eq!(control.best_throttle.evaluate(0.0), 0.0);
        assert_eq!(control.best_throttle.evaluate(1e9), 1.0);
        of(&[(0.0, 0.0)], 600.0).validate().expect("valid without any torque");
        let errors = of(&[(0.0, 100.0)], Real::NAN).validate().unwrap_err().to_string();
        assert!(errors.starts_with("best_speed must be at least one point"), "{errors}");
    }
}
