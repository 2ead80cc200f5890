//! The electric motor as a block.

use serde::{Deserialize, Serialize};
use vehicle_core::driveline::{Element, Inertia};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::Real;

use super::block::{
    BlockResult, BlockShaft, BlockStep, Channel, Channels, DrivelineBlock, Sketch, Slots,
};
use super::command::DriverCommand;

const SHAFT: BlockShaft = BlockShaft::Output(0);
/// Speed ω_r below which regeneration gives way to the brakes (rad/s).
const REGENERATION_SPEED: f64 = 10.0;
/// Part of the largest speed over which the torque falls to 0 (dimensionless).
const SPEED_BAND: f64 = 0.02;

/// An electric motor: slot output 0.
///
/// ```text
/// |T| ≤ min(T_max, P_max/|ω|), falling to 0 over the last 2 % below ω_max
/// T* = u T_max - r T_max sat(ω/ω_r) within these bounds,   dT/dt = (T* - T)/τ
/// P_loss = k_c T² + k_i |ω| + k_w |ω|³ + P_0,   P_battery = T ω + P_loss
/// ```
///
/// It gives and takes no more than its battery does. Input: `command` u in [-1, 1] (negative brakes a
/// motor that turns forward), `regeneration` r in [0, 1], which brakes it whichever way it turns, with less torque
/// below ω_r. Sensors: `speed` (rad/s), `torque` (N·m), `power` (W), `loss` (W), `charge` of its
/// battery in [0, 1].
///
/// Source: Guzzella and Sciarretta, *Vehicle Propulsion Systems*.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Loss k_c per square of the torque (W/(N·m)²), k_i per speed (W·s), k_w per cube of the speed (W·s³)
    /// and P_0 (W).
    pub losses: [Real; 4],
    /// Number of its battery in the driveline, if any.
    pub battery: Option<usize>,
}

impl Default for ElectricMotor {
    /// Of an electric car: 310 N·m, 150 kW, 16,000 revolutions per minute.
    fn default() -> Self {
        Self {
            inertia: 0.06,
            max_torque: 310.0,
            max_power: 1.5e5,
            max_speed: 1675.0,
            torque_time: 0.02,
            losses: [0.05, 1.0, 2e-7, 200.0],
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
        for (index, loss) in self.losses.iter().enumerate() {
            check.number(format_args!("losses[{index}]"), *loss, Bound::NotNegative);
        }
    }
}

impl ElectricMotor {
    /// Largest torque at `speed` (rad/s), of either sign (N·m).
    pub fn envelope(&self, speed: f64) -> f64 {
        let (most, power) = (f64::from(self.max_torque), f64::from(self.max_power));
        let by_power = if power < most * speed.abs() { power / speed.abs() } else { most };
        let limit = f64::from(self.max_speed);
        by_power * ((limit - speed.abs()) / (SPEED_BAND * limit)).clamp(0.0, 1.0)
    }

    /// Power that is lost as heat (W).
    pub fn loss(&self, torque: f64, speed: f64) -> f64 {
        let [copper, iron, windage, constant] = self.losses.map(f64::from);
        let size = speed.abs();
        copper * torque * torque + iron * size + windage * size * size * size + constant
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
        // Less power: the torque for which there is some, losses as they were.
        let torque_left = (given - loss) / speed;
        if torque_left * torque <= 0.0 { 0.0 } else { torque_left }
    }
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
                ]
            },
            memory: 1,
        }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        sketch.add(Element::Inertia(Inertia::default()), [SHAFT]);
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        let speed = step.speed(SHAFT);
        let most = self.envelope(speed);
        let (command, regeneration) =
            (step.inputs[0].clamp(-1.0, 1.0), step.inputs[1].clamp(0.0, 1.0));
        let fading = (speed / REGENERATION_SPEED).clamp(-1.0, 1.0);
        let asked = (command - regeneration * fading) * f64::from(self.max_torque);
        let follows = step.dt / (f64::from(self.torque_time) + step.dt);
        let last = step.memory[0];
        let torque = (last + (asked - last) * follows).clamp(-most, most);
        let torque = self.borne(torque, speed, step);
        step.memory[0] = torque;
        // At its limit, the torque falls with the speed.
        let is_limited = most <= torque.abs() && torque * speed > 0.0;
        let slope = if is_limited {
            let next = speed + speed.signum();
            (self.envelope(next) - most) * torque.signum() * speed.signum()
        } else {
            0.0
        };
        // So does that of regeneration close to rest.
        let fades = fading.abs() < 1.0 && torque * speed < 0.0;
        let fall = if fades {
            regeneration * f64::from(self.max_torque) / REGENERATION_SPEED * follows
        } else {
            0.0
        };
        let inertia = f64::from(self.inertia);
        let slope = slope.min(0.0) - fall;
        step.elements[0] = Element::Inertia(Inertia { inertia, torque, damping: 0.0, slope });
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        let (speed, start) = (result.speed(SHAFT), result.start_speed(SHAFT));
        let torque = match &result.elements[0] {
            Element::Inertia(parts) => parts.torque + parts.slope.min(0.0) * (speed - start),
            _ => 0.0,
        };
        let loss = self.loss(torque, speed);
        let mut charge = 0.0;
        if let Some(battery) = self.battery {
            result.batteries.take(battery, (torque * speed + loss) * result.dt);
            charge = result.batteries.charge(battery).unwrap_or_default();
        }
        let numbers = [speed, torque, torque * speed, loss, charge];
        result.sensors.copy_from_slice(&numbers);
    }
}
