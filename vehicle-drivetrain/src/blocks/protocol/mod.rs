//! The explicit protocol: blocks that pass momentum upstream and torque downstream, in substeps.
//!
//! Blocks of this protocol know nothing of elements and solves. In each substep momentum `L`,
//! inertia `I` and outer torque `T_r` of all that is downstream go from the wheels to the engine.
//! Each block turns what it finds at its outputs into what it leaves at its inputs. Then torques go
//! from the engine to the wheels. Couplings transmit the torque that would end their slip in one
//! substep, bounded by their capacity. It is the way of the exact solve with ever smaller substeps,
//! first order in their length. It is here for blocks that are written for it, and to test the
//! solve by.
//!
//! ```text
//! pre_step → get_state → (set_substep_state → compute_state_upstream →
//! evaluate_torque_downstream → substep_derivative) × stages × substeps → set_state
//! ```
//!
//! Source: the public description of blocks of Vehicle Physics Pro; the equations are those of the
//! documentation of each unit.

mod gears;
mod graph;
mod units;

pub use gears::{Converter, ProtocolDoubleDifferential};
pub use graph::{Integrator, ProtocolGraph};
pub use units::{
    Clutch, OutputCoupling, ProtocolDifferential, ProtocolGear, ProtocolViscousCoupling,
    ProtocolWheel, Rotor,
};

use super::block::Slots;

/// A shaft between two blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Connection {
    /// Angular momentum L of all that is downstream, reflected to this shaft (kg·m²/s).
    pub momentum: f64,
    /// Inertia I of all that is downstream, reflected (kg·m²); 0 where nothing is coupled.
    pub inertia: f64,
    /// Torque T_r from outside on that inertia, reflected (N·m).
    pub reaction_torque: f64,
    /// Torque that the upstream side puts into the shaft (N·m).
    pub drive_torque: f64,
    /// An inertial source that feeds the shaft: its speed (rad/s), inertia (kg·m²; 0 without one)
    /// and torque (N·m).
    pub source: [f64; 3],
    /// Torque that a coupling has taken from that source (N·m).
    pub load_torque: f64,
}

impl Connection {
    /// Speed of the shaft (rad/s); 0 where nothing is coupled.
    pub fn speed(&self) -> f64 {
        if self.inertia == 0.0 { 0.0 } else { self.momentum / self.inertia }
    }
}

/// Momenta and reaction that an inertial block integrates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InertialState {
    /// Angular momentum L (kg·m²/s).
    pub momentum: f64,
    /// Linear momentum P (kg·m/s), longitudinal and lateral.
    pub linear_momentum: [f64; 2],
    /// Time integral L_r of the reaction torque (kg·m²/s).
    pub reaction: f64,
}

/// Rate of change of an [`InertialState`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InertialDerivative {
    /// Torque (N·m).
    pub torque: f64,
    /// Force (N).
    pub force: [f64; 2],
    /// Reaction torque (N·m).
    pub reaction_torque: f64,
}

impl InertialState {
    /// The state after `dt` (s) of change at this rate.
    fn advanced(self, rate: &InertialDerivative, dt: f64) -> Self {
        Self {
            momentum: self.momentum + dt * rate.torque,
            linear_momentum: [0, 1].map(|axis| self.linear_momentum[axis] + dt * rate.force[axis]),
            reaction: self.reaction + dt * rate.reaction_torque,
        }
    }
}

/// The shafts of a block in a substep.
#[derive(Debug)]
pub struct Shafts<'a> {
    connections: &'a mut [Connection],
    inputs: &'a [usize],
    outputs: &'a [usize],
    /// The time of this stage (s).
    pub time: f64,
    /// The substep, at every stage (s).
    pub dt: f64,
}

impl Shafts<'_> {
    /// The shaft at an input slot.
    pub fn input(&mut self, slot: usize) -> &mut Connection {
        &mut self.connections[self.inputs[slot]]
    }

    /// The shaft at an output slot.
    pub fn output(&mut self, slot: usize) -> &mut Connection {
        &mut self.connections[self.outputs[slot]]
    }
}

/// A block of the explicit protocol.
pub trait ProtocolBlock: Send + std::fmt::Debug {
    /// Slots of the block; all must be connected.
    fn initialize(&self) -> Slots;

    /// Before a step of `dt` (s): reads what was changed from outside.
    fn pre_step(&mut self, _time: f64, _dt: f64) {}

    /// State of an inertial block.
    fn get_state(&self) -> Option<InertialState> {
        None
    }

    /// The state for this substep, of an inertial block.
    fn set_substep_state(&mut self, _state: &InertialState) {}

    /// Leaves L, I and T_r at the inputs, from those at the outputs.
    fn compute_state_upstream(&mut self, _shafts: &mut Shafts<'_>) {}

    /// Leaves torques at the outputs, from those at the inputs.
    fn evaluate_torque_downstream(&mut self, _shafts: &mut Shafts<'_>) {}

    /// Rate of change of the state, of an inertial block.
    fn substep_derivative(&mut self, _shafts: &mut Shafts<'_>) -> InertialDerivative {
        InertialDerivative::default()
    }

    /// The state at the end of the step, of an inertial block.
    fn set_state(&mut self, _state: &InertialState) {}

    /// Speed of an inertial block (rad/s).
    fn speed(&self) -> f64 {
        0.0
    }
}
