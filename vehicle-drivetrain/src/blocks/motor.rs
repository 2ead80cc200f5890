//! The electric motor as a block.

use serde::{Deserialize, Serialize};
use vehicle_core::driveline::{Element, Inertia};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::{Clamped, Real};

use super::block::{
    BlockResult, BlockShaft, BlockStep, Channel, Channels, DrivelineBlock, Sketch, Slots,
};
use super::command::DriverCommand;

const SHAFT: BlockShaft = BlockShaft::Output(0);
/// Speed ω_r below which regeneration gives way to the brakes (rad/s).
const REGENERATION_SPEED: f64 = 10.0;
/// Part of the largest speed below it from which on a step may reach it (dimensionless).
const NEAR_LIMIT: f64 = 0.2;
/// Command up to which the pedal counts as lifted, less and less (dimensionless).
const LIFTED: f64 = ElectricMotor::LIFTED;
/// Part of the largest speed over which the torque falls to 0 (dimensionless).
const SPEED_BAND: f64 = 0.02;

/// An electric motor: slot output 0.
///
/// ```text
/// |T| ≤ min(T_max, P_max/|ω|), where it drives falling to 0 over the last 2 % below ω_max
/// T* = u T_max - (l T_max (1 - |u|/0.1) + T_r) sat(ω/ω_r),   dT/dt = (T* - T)/τ
/// T_r = min(r T_max, Σ B_w |ω_w| / |ω|)
/// P_loss = k_c T² + k_i |ω| + k_w |ω|³ + P_0,   P_battery = T ω + P_loss
/// ```
///
/// It gives and takes no more than its battery does. Inputs: `command` u in [-1, 1] (negative
/// brakes a motor that turns forward) and `regeneration` r in [0, 1]. By the latter it brakes its
/// wheels, whichever way they turn, in the place of their brakes. It does so with no more than
/// these are told to, while they give way by as much. Below ω_r it leaves the wheels to their
/// brakes. Out of gear, in neutral and in park, it is off: `in gear` is 0, and it neither drives
/// nor brakes. A motor that steers must not be: a link of
/// [`Nothing`](super::DriverCommand::Nothing) to its `in gear` keeps that at 1. Sensors: `speed`
/// (rad/s), `torque` (N·m), `power` (W), `loss` (W), `charge` of its battery in [0, 1],
/// `brake power` that it takes over from the brakes (W).
///
/// Source: Guzzella and Sciarretta, *Vehicle Propulsion Systems*.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ElectricMotor {
    /// Moment of inertia (kg·m²).
    pub inertia: Real,
    /// Largest torque T_max (N·m).
    pub max_torque: Real,
    /// Largest mechanical power P_max (W).
    pub max_power: Real,
    /// Largest speed ω_max (rad/s).
    pub max_speed: Real,
    /// Time τ in which the torque follows (s).
    pub torque_time: Real,
    /// Loss k_c per square of the torque (W/(N·m)²), k_i per speed (W·s), k_w per cube of the speed
    /// (W·s³) and P_0 (W).
    pub losses: [Real; 4],
    /// Part l of its largest torque by which it brakes as the pedal is lifted, beside all brakes,
    /// in [0, 1].
    #[serde(default)]
    pub lift_regeneration: Real,
    /// Number of its battery in the driveline, if any.
    pub battery: Option<usize>,
}

impl Default for ElectricMotor {
    /// The motor of an electric car: 310 N·m, 150 kW, 16,000 revolutions per minute.
    fn default() -> Self {
        Self {
            inertia: 0.06,
            max_torque: 310.0,
            max_power: 1.5e5,
            max_speed: 1675.0,
            torque_time: 0.02,
            losses: [0.05, 1.0, 2e-7, 200.0],
            lift_regeneration: 0.0,
            battery: Some(0),
        }
    }
}

impl Validate for ElectricMotor {
    fn check(&self, check: &mut ParamCheck) {
        check.number("inertia", self.inertia, Bound::Positive);
        check.number("max_torque", self.max_torque, Bound::NotNegative);
        check.number("max_power", self.max_power, Bound::NotNegative);
        check.number("max_speed", self.max_speed, Bound::Positive);
        check.number("torque_time", self.torque_time, Bound::NotNegative);
        let bound = Bound::Within(0.0, 1.0);
        check.number("lift_regeneration", self.lift_regeneration, bound);
        for (index, loss) in self.losses.iter().enumerate() {
            check.number(format_args!("losses[{index}]"), *loss, Bound::NotNegative);
        }
    }
}

impl ElectricMotor {
    /// Command at which it no longer brakes for a pedal that is lifted (dimensionless).
    pub(crate) const LIFTED: f64 = 0.1;

    /// Largest torque that brakes at `speed` (rad/s), without its sign (N·m).
    pub fn braking_envelope(&self, speed: f64) -> f64 {
        let (most, power) = (f64::from(self.max_torque), f64::from(self.max_power));
        if power < most * speed.abs() { power / speed.abs() } else { most }
    }

    /// Largest torque that drives at `speed` (rad/s), without its sign (N·m).
    pub fn envelope(&self, speed: f64) -> f64 {
        let by_power = self.braking_envelope(speed);
        let limit = f64::from(self.max_speed);
        by_power * ((limit - speed.abs()) / (SPEED_BAND * limit)).clamped(0.0, 1.0)
    }

    /// How much a `torque` (N·m) falls per speed as it reaches the limits at a `speed` (rad/s); not
    /// positive (N·m·s).
    fn slope(&self, torque: f64, speed: f64) -> f64 {
        if torque * speed <= 0.0 {
            return 0.0;
        }
        let (torque, speed) = (torque.abs(), speed.abs());
        let by_power = if self.braking_envelope(speed) <= torque {
            self.braking_envelope(speed + 1.0) - self.braking_envelope(speed)
        } else {
            0.0
        };
        // It is gone at the largest speed, not a step later.
        let limit = f64::from(self.max_speed);
        let gap = limit - speed;
        let by_speed = if gap < NEAR_LIMIT * limit && 0.0 < gap { -torque / gap } else { 0.0 };
        by_power.min(by_speed)
    }

    /// Power that is lost as heat (W).
    pub fn loss(&self, torque: f64, speed: f64) -> f64 {
        let [copper, iron, windage, constant] = self.losses.map(f64::from);
        let size = speed.abs();
        copper * torque * torque + iron * size + windage * size * size * size + constant
    }

    /// Torques that are asked of it at `speed` (rad/s).
    fn asked(&self, step: &BlockStep<'_>, speed: f64) -> Asked {
        if step.inputs[2] == 0.0 {
            return Asked::default();
        }
        let most = f64::from(self.max_torque);
        let (command, regeneration) =
            (step.inputs[0].clamped(-1.0, 1.0), step.inputs[1].clamped(0.0, 1.0));
        let lifted = (1.0 - command.abs() / LIFTED).max(0.0);
        let most_shared = if speed == 0.0 { 0.0 } else { step.brake_power() / speed.abs() };
        Asked {
            command: command * most,
            lift: f64::from(self.lift_regeneration) * most * lifted,
            shared: (regeneration * most).min(most_shared),
            most_shared,
        }
    }

    /// The part of `torque` (N·m) that the battery bears at `speed` (rad/s).
    fn borne(&self, torque: f64, speed: f64, step: &mut BlockStep<'_>) -> f64 {
        let Some(battery) = self.battery else { return torque };
        let loss = self.loss(torque, speed);
        let wanted = torque * speed + loss;
        let given = step.batteries.promise(battery, wanted, step.dt);
        if given == wanted {
            return torque;
        }
        if speed == 0.0 {
            return 0.0;
        }
        // Less power: the torque for which there is some, losses as they were, and none that nobody
        // has asked for.
        let torque_left = (given - loss) / speed;
        torque_left.clamped(torque.min(0.0), torque.max(0.0))
    }
}

/// Torques that are asked of a motor (N·m); those that brake without their sign.
#[derive(Default)]
struct Asked {
    command: f64,
    lift: f64,
    /// In the place of the brakes.
    shared: f64,
    /// All that the brakes would do.
    most_shared: f64,
}

/// Numbers of what the motor keeps.
struct Memory;

impl Memory {
    /// Torque that no brake would give (N·m).
    const OWN: usize = 0;
    /// Torque in the place of the brakes (N·m).
    const SHARED: usize = 1;
    /// Power that it takes over from them (W).
    const BRAKE_POWER: usize = 2;
    const COUNT: usize = 3;
}

impl DrivelineBlock for ElectricMotor {
    fn kind(&self) -> &'static str {
        "electric motor"
    }

    fn initialize(&self) -> Slots {
        Slots::new(0, 1)
    }

    fn channels(&self) -> Channels {
        Channels {
            inputs: const {
                &[
                    Channel::new("command", "").under(DriverCommand::Traction),
                    Channel::new("regeneration", "").under(DriverCommand::Brake),
                    Channel::new("in gear", "").with_default(1.0).under(DriverCommand::InGear),
                ]
            },
            states: &[],
            sensors: const {
                &[
                    Channel::new("speed", "rad/s"),
                    Channel::new("torque", "N·m"),
                    Channel::new("power", "W"),
                    Channel::new("loss", "W"),
                    Channel::new("charge", ""),
                    Channel::new("brake power", "W"),
                ]
            },
            memory: Memory::COUNT,
        }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        sketch.add(Element::Inertia(Inertia::default()), [SHAFT]);
    }

    fn shares_braking(&self) -> bool {
        true
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        let speed = step.speed(SHAFT);
        let most = self.envelope(speed);
        let (low, high) = match self.braking_envelope(speed) {
            braking if speed < 0.0 => (-most, braking),
            braking => (-braking, most),
        };
        let asked = self.asked(step, speed);
        let follows = step.dt / (f64::from(self.torque_time) + step.dt);
        let follow = |last: &mut f64, asked: f64| {
            *last += (asked - *last) * follows;
            *last
        };
        let fading = (speed / REGENERATION_SPEED).clamped(-1.0, 1.0);
        let own = follow(&mut step.memory[Memory::OWN], asked.command - asked.lift * fading);
        let own = own.clamped(low, high);
        // The torque that it takes over from the brakes ends with them.
        let shared = follow(&mut step.memory[Memory::SHARED], -asked.shared * fading);
        let shared = shared.clamped(-asked.most_shared, asked.most_shared);
        (step.memory[Memory::OWN], step.memory[Memory::SHARED]) = (own, shared);
        let torque = self.borne((own + shared).clamped(low, high), speed, step);
        let taken = ((own - torque) * speed).min(asked.most_shared * speed.abs());
        step.take_brake_power(taken);
        step.memory[Memory::BRAKE_POWER] = taken.max(0.0);
        let slope = self.slope(torque, speed);
        // A torque that brakes close to rest falls with the speed, too.
        let fades = fading.abs() < 1.0 && torque * speed < 0.0;
        let braking = asked.lift + asked.shared;
        let fall = if fades { braking / REGENERATION_SPEED * follows } else { 0.0 };
        let inertia = f64::from(self.inertia);
        let slope = slope - fall;
        step.elements[0] = Element::Inertia(Inertia { inertia, torque, damping: 0.0, slope });
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let (speed, start) = (result.speed(SHAFT), result.start_speed(SHAFT));
        let torque = match &result.elements[0] {
            Element::Inertia(parts) => parts.torque + parts.slope.min(0.0) * (speed - start),
            _ => 0.0,
        };
        let mut loss = self.loss(torque, speed);
        let mut charge = 0.0;
        if let Some(battery) = self.battery {
            let heat = result.batteries.take(battery, torque * speed * result.dt, loss * result.dt);
            loss = heat / result.dt;
            charge = result.batteries.charge(battery).unwrap_or_default();
        }
        let brake_power = result.memory[Memory::BRAKE_POWER];
        let numbers = [speed, torque, torque * speed, loss, charge, brake_power];
        result.sensors.copy_from_slice(&numbers);
    }
}
