//! Engine, clutch and wheels as one implicit system, solved.
//!
//! A clutch couples the engine to the mean speed of the wheels, seen through gearbox and
//! differential:
//!
//! ```text
//! s = G Σ α_j g_j ω_j - ω_E                                      slip of the clutch (rad/s)
//! τ = K s,   |τ| ≤ C                                             torque of the clutch (N·m)
//! I_E dω_E/dt = T_E + τ - c_E ω_E
//! I_i dω_i/dt = T_i + T_tire,i + T_brake,i - c_i ω_i - G r_i τ
//! ```
//!
//! with the gear ratio `G`, the strength `K` and the capacity `C` of the clutch. Each wheel has the
//! signed share `r_i` of the torque, `g_i = sgn r_i`, and the share `α_i` of the mean speed. A
//! stiff clutch makes the system stiff, so that all speeds are those of the end of the step.
//!
//! [`solve`] is the solver of ready-made vehicles: wheels are coupled with their tires, brakes act
//! as friction, groups of wheels exchange momentum. The reference's system and its solvers, which
//! its data need, are in [`legacy::clutch`](crate::legacy::clutch).

mod coupled;
mod coupler;
mod joined;
mod shaft;
mod side_by_side;

pub use coupled::{solve, solve_side_by_side};
pub use coupler::{FrictionCoupler, FrictionCouplers, MAX_COUPLERS};
use serde::{Deserialize, Serialize};
pub use side_by_side::{ClutchFours, CoupledFours, FourClutchWheels};

use crate::math::Real;
use crate::wheel_list::{MAX_WHEELS, WheelRefs};
use crate::wheel_rotation::{CoupledWheel, TireTorque, WheelTorques};

/// A wheel that is forced to turn with others: a track, a differential that has locked.
///
/// ```text
/// ω = m Ω
/// ```
///
/// with `Ω` the speed of the wheel's group (rad/s).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WheelConstraint {
    /// The group, a number below the number of wheels.
    pub group: u8,
    /// The wheel's speed as a multiple m of the group's (dimensionless).
    pub speed_multiplier: Real,
}

impl WheelConstraint {
    /// The group; `None` if there cannot be one of that number.
    #[inline]
    fn known_group(&self) -> Option<usize> {
        let group = usize::from(self.group);
        (group < MAX_WHEELS).then_some(group)
    }
}

/// The engine, as the clutch sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClutchEngine {
    /// Rotation speed at the start of the step (rad/s).
    pub rotation_speed: Real,
    /// Moment of inertia (kg·m²).
    pub inertia: Real,
    /// Torque per rotation speed that slows the engine (N·m·s).
    pub damping_rate: Real,
    /// Torque of combustion (N·m).
    pub torque: Real,
    /// Smallest and largest rotation speed that the engine can have (rad/s).
    pub speed_range: [Real; 2],
}

/// A wheel, as the clutch sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClutchWheel {
    /// Rotation speed at the start of the step (rad/s).
    pub rotation_speed: Real,
    /// Moment of inertia (kg·m²).
    pub inertia: Real,
    /// Torque per rotation speed that slows the wheel (N·m·s).
    pub damping_rate: Real,
    /// Brake torque, and any other torque that the clutch does not give (N·m).
    pub torques: WheelTorques,
    /// Torque of the tire (N·m).
    pub tire: TireTorque,
    /// Signed share r of the clutch's torque (dimensionless).
    pub torque_ratio: Real,
    /// Share α of the mean speed, not negative (dimensionless).
    pub speed_ratio: Real,
    /// The wheels that this one turns with, if any.
    pub constraint: Option<WheelConstraint>,
}

impl ClutchWheel {
    /// Speed per speed of the wheels that this one turns with (dimensionless).
    #[inline]
    pub(crate) fn speed_multiplier(&self) -> Real {
        self.constraint.map_or(1.0, |constraint| constraint.speed_multiplier)
    }

    /// Share of the mean speed with the sign of the torque, `α g` (dimensionless).
    #[inline]
    pub(crate) fn signed_speed_ratio(&self) -> Real {
        self.speed_ratio * crate::math::sign(self.torque_ratio)
    }
}

/// Engine, clutch and the wheels that they turn, at the start of a step: `wheels` one after the
/// other, or [side by side](ClutchFours).
#[derive(Clone, Debug, PartialEq)]
pub struct ClutchSystem<Wheels = WheelRefs<ClutchWheel>> {
    /// Torque per slip of the clutch, not negative; 0 when it is open (N·m·s).
    pub strength: Real,
    /// Largest torque of the clutch, not negative; infinite without a limit (N·m). The reference's
    /// solvers do not know it.
    pub capacity: Real,
    /// Speed of the engine per mean speed of the wheels; negative in reverse, 0 in neutral.
    pub gear_ratio: Real,
    /// The engine.
    pub engine: ClutchEngine,
    /// The wheels, in order of update.
    pub wheels: Wheels,
    /// Friction between wheels. The reference's solvers do not know it.
    pub couplers: FrictionCouplers,
}

impl<Wheels> ClutchSystem<Wheels> {
    /// This system with other wheels.
    pub fn with_wheels<Others>(&self, wheels: Others) -> ClutchSystem<Others> {
        let Self { strength, capacity, gear_ratio, engine, .. } = *self;
        let couplers = self.couplers.clone();
        ClutchSystem { strength, capacity, gear_ratio, engine, wheels, couplers }
    }
}

impl ClutchSystem {
    /// Slip of the clutch at the start of the step, positive if the wheels overrun the engine
    /// (rad/s).
    pub fn slip(&self) -> Real {
        let speeds = self.wheels.iter().map(|wheel| wheel.rotation_speed);
        self.slip_at(speeds, self.engine.rotation_speed)
    }

    fn slip_at(&self, wheel_speeds: impl Iterator<Item = Real>, engine_speed: Real) -> Real {
        let speeds = self.wheels.iter().zip(wheel_speeds);
        let mean = speeds.fold(0.0, |sum, (wheel, speed)| sum + wheel.signed_speed_ratio() * speed);
        self.gear_ratio * mean - engine_speed
    }
}

/// Engine, clutch and wheels at the end of a step: wheels one after the other, or [side by
/// side](CoupledFours).
#[derive(Clone, Debug, PartialEq)]
pub struct ClutchSolution<Wheels = WheelRefs<CoupledWheel>> {
    /// Rotation speed of the engine (rad/s).
    pub engine_speed: Real,
    /// Torque of the clutch on the engine (N·m).
    pub clutch_torque: Real,
    /// Each wheel and its tire, in the order of the system.
    pub wheels: Wheels,
}

impl ClutchSolution {
    /// Slip of the clutch of `system` at the end of the step (rad/s).
    pub fn slip(&self, system: &ClutchSystem) -> Real {
        let speeds = self.wheels.iter().map(|wheel| wheel.rotation_speed);
        system.slip_at(speeds, self.engine_speed)
    }
}
