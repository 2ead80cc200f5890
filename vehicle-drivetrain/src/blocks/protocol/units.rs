//! Units of the explicit protocol.

use vehicle_core::math::Clamped;

use super::{InertialDerivative, InertialState, ProtocolBlock, Shafts};
use crate::blocks::block::Slots;

/// Torque that ends the slip of two bodies within `h` (s), from the first to the second:
///
/// ```text
/// T = ((ω₁ - ω₂)/h + T₁/I₁ - T₂/I₂) / (1/I₁ + 1/I₂)
/// ```
///
/// each with speed (rad/s), inertia (kg·m²) and torque (N·m).
pub(super) fn synchronizing_torque([w1, i1, t1]: [f64; 3], [w2, i2, t2]: [f64; 3], h: f64) -> f64 {
    ((w1 - w2) / h + t1 / i1 - t2 / i2) / (1.0 / i1 + 1.0 / i2)
}

/// Torque of friction that stops a body within `h` (s), bounded by its capacity (N·m).
fn stopping_torque(speed: f64, inertia: f64, torque: f64, capacity: f64, h: f64) -> f64 {
    (-(inertia * speed / h + torque)).clamped(-capacity, capacity)
}

/// An inertial source: slot output 0, into a coupling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotor {
    /// Moment of inertia (kg·m²).
    pub inertia: f64,
    /// Torque at no speed (N·m).
    pub torque: f64,
    /// Torque that it loses per speed (N·m·s).
    pub damping: f64,
    /// Angular momentum (kg·m²/s).
    pub momentum: f64,
}

impl ProtocolBlock for Rotor {
    fn initialize(&self) -> Slots {
        Slots::new(0, 1)
    }

    fn get_state(&self) -> Option<InertialState> {
        Some(InertialState { momentum: self.momentum, ..InertialState::default() })
    }

    fn set_substep_state(&mut self, state: &InertialState) {
        self.momentum = state.momentum;
    }

    fn evaluate_torque_downstream(&mut self, shafts: &mut Shafts<'_>) {
        let torque = self.torque - self.damping * self.speed();
        let source = [self.speed(), self.inertia, torque];
        let output = shafts.output(0);
        (output.source, output.drive_torque, output.load_torque) = (source, torque, 0.0);
    }

    fn substep_derivative(&mut self, shafts: &mut Shafts<'_>) -> InertialDerivative {
        let torque = self.torque - self.damping * self.speed() - shafts.output(0).load_torque;
        InertialDerivative { torque, ..InertialDerivative::default() }
    }

    fn set_state(&mut self, state: &InertialState) {
        self.momentum = state.momentum;
    }

    fn speed(&self) -> f64 {
        self.momentum / self.inertia
    }
}

/// Leaves what is at output 0 at input 0.
pub(super) fn pass_upstream(shafts: &mut Shafts<'_>) {
    let output = *shafts.output(0);
    let input = shafts.input(0);
    input.momentum = output.momentum;
    input.inertia = output.inertia;
    input.reaction_torque = output.reaction_torque;
}

/// Source of the input and body at the output of a coupling, unless one is missing.
pub(super) fn coupled_bodies(shafts: &mut Shafts<'_>) -> Option<([f64; 3], [f64; 3])> {
    let source = shafts.input(0).source;
    let output = *shafts.output(0);
    let body = [output.speed(), output.inertia, output.reaction_torque];
    (source[1] != 0.0 && body[1] != 0.0).then_some((source, body))
}

/// Passes `torque` (N·m) on.
fn transmit(shafts: &mut Shafts<'_>, torque: f64) {
    shafts.input(0).load_torque = torque;
    let output = shafts.output(0);
    output.drive_torque = torque;
    output.source = [0.0; 3];
}

/// A friction clutch: slots input 0, output 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clutch {
    /// Largest torque; infinite where it cannot slip (N·m).
    pub capacity: f64,
}

impl ProtocolBlock for Clutch {
    fn initialize(&self) -> Slots {
        Slots::new(1, 1)
    }

    fn compute_state_upstream(&mut self, shafts: &mut Shafts<'_>) {
        pass_upstream(shafts);
    }

    fn evaluate_torque_downstream(&mut self, shafts: &mut Shafts<'_>) {
        let dt = shafts.dt;
        let fed = shafts.input(0).drive_torque;
        let is_fed_by_torque = shafts.input(0).source[1] == 0.0;
        let torque = match coupled_bodies(shafts) {
            Some((source, body)) => synchronizing_torque(source, body, dt),
            None if is_fed_by_torque => fed,
            None => 0.0,
        };
        transmit(shafts, torque.clamped(-self.capacity, self.capacity));
    }
}

/// A viscous coupling, implicit in its own slip: slots input 0, output 0.
///
/// ```text
/// T = k ((ω₁ - ω₂) + h (T₁/I₁ - T₂/I₂)) / (1 + k h (1/I₁ + 1/I₂))
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProtocolViscousCoupling {
    /// Torque per slip k (N·m·s).
    pub strength: f64,
}

impl ProtocolBlock for ProtocolViscousCoupling {
    fn initialize(&self) -> Slots {
        Slots::new(1, 1)
    }

    fn compute_state_upstream(&mut self, shafts: &mut Shafts<'_>) {
        pass_upstream(shafts);
    }

    fn evaluate_torque_downstream(&mut self, shafts: &mut Shafts<'_>) {
        let (h, k) = (shafts.dt, self.strength);
        let torque = coupled_bodies(shafts).map_or(0.0, |([w1, i1, t1], [w2, i2, t2])| {
            let slip = (w1 - w2) + h * (t1 / i1 - t2 / i2);
            k * slip / (1.0 + k * h * (1.0 / i1 + 1.0 / i2))
        });
        transmit(shafts, torque);
    }
}

/// A gear: slots input 0, output 0. A source must be behind a coupling before it.
///
/// ```text
/// I_in = I/ρ²,  L_in = L/ρ,  T_r,in = T_r/ρ,  T_out = ρ e T_in
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProtocolGear {
    /// Speed of the input per speed of the output; 0 in neutral.
    pub ratio: f64,
    /// Efficiency, in (0, 1].
    pub efficiency: f64,
}

impl ProtocolBlock for ProtocolGear {
    fn initialize(&self) -> Slots {
        Slots::new(1, 1)
    }

    fn compute_state_upstream(&mut self, shafts: &mut Shafts<'_>) {
        let (output, ratio) = (*shafts.output(0), self.ratio);
        let input = shafts.input(0);
        let per_ratio = if ratio == 0.0 { 0.0 } else { 1.0 / ratio };
        input.momentum = output.momentum * per_ratio;
        input.inertia = output.inertia * per_ratio * per_ratio;
        input.reaction_torque = output.reaction_torque * per_ratio;
    }

    fn evaluate_torque_downstream(&mut self, shafts: &mut Shafts<'_>) {
        let input = *shafts.input(0);
        let is_driving = 0.0 <= input.drive_torque * input.speed();
        let factor = if is_driving { self.efficiency } else { 1.0 / self.efficiency };
        let output = shafts.output(0);
        output.drive_torque = input.drive_torque * self.ratio * factor;
        output.source = [0.0; 3];
    }
}

/// Coupling between the outputs of a [`ProtocolDifferential`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutputCoupling {
    /// Friction of this capacity (N·m); infinite where they are locked.
    Friction(f64),
    /// Friction in proportion to the torque that goes through (dimensionless).
    Biased(f64),
    /// Torque per difference of the speeds, implicit (N·m·s).
    Viscous(f64),
}

/// A differential: slots input 0, outputs 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProtocolDifferential {
    /// Final drive ratio.
    pub ratio: f64,
    /// Share of output 0, in (0, 1).
    pub share: f64,
    /// Coupling between the outputs.
    pub coupling: OutputCoupling,
}

impl ProtocolBlock for ProtocolDifferential {
    fn initialize(&self) -> Slots {
        Slots::new(1, 2)
    }

    fn compute_state_upstream(&mut self, shafts: &mut Shafts<'_>) {
        let (a, b) = (*shafts.output(0), *shafts.output(1));
        let (ratio, s, r) = (self.ratio, self.share, 1.0 - self.share);
        let input = shafts.input(0);
        if self.coupling == OutputCoupling::Friction(f64::INFINITY) {
            input.inertia = (a.inertia + b.inertia) / (ratio * ratio);
            input.momentum = (a.momentum + b.momentum) / ratio;
            input.reaction_torque = (a.reaction_torque + b.reaction_torque) / ratio;
        } else if a.inertia == 0.0 || b.inertia == 0.0 {
            // An open side leaves nothing to push against.
            (input.inertia, input.momentum, input.reaction_torque) = (0.0, 0.0, 0.0);
        } else {
            let mobility = ratio * ratio * (s * s / a.inertia + r * r / b.inertia);
            let speed = ratio * (s * a.speed() + r * b.speed());
            let acceleration =
                ratio * (s * a.reaction_torque / a.inertia + r * b.reaction_torque / b.inertia);
            input.inertia = 1.0 / mobility;
            input.momentum = speed / mobility;
            input.reaction_torque = acceleration / mobility;
        }
    }

    fn evaluate_torque_downstream(&mut self, shafts: &mut Shafts<'_>) {
        let (h, torque) = (shafts.dt, shafts.input(0).drive_torque * self.ratio);
        let (a, b) = (*shafts.output(0), *shafts.output(1));
        let bases = [self.share * torque, (1.0 - self.share) * torque];
        let first = [a.speed(), a.inertia, bases[0] + a.reaction_torque];
        let second = [b.speed(), b.inertia, bases[1] + b.reaction_torque];
        let exchanged = if a.inertia == 0.0 || b.inertia == 0.0 {
            0.0
        } else {
            let sync = synchronizing_torque(first, second, h);
            match self.coupling {
                OutputCoupling::Friction(most) => sync.clamped(-most, most),
                OutputCoupling::Biased(part) => {
                    let most = part * torque.abs();
                    sync.clamped(-most, most)
                }
                OutputCoupling::Viscous(k) => {
                    let mobility = h * (1.0 / a.inertia + 1.0 / b.inertia);
                    k * mobility * sync / (1.0 + k * mobility)
                }
            }
        };
        shafts.output(0).drive_torque = bases[0] - exchanged;
        shafts.output(1).drive_torque = bases[1] + exchanged;
        for slot in 0..2 {
            shafts.output(slot).source = [0.0; 3];
        }
    }
}

/// A wheel: slot input 0. Its brake stops it at exactly 0 and holds it there; its tire's torque
/// falls with the speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProtocolWheel {
    /// Moment of inertia (kg·m²).
    pub inertia: f64,
    /// Torque of the tire and others at no speed (N·m).
    pub torque: f64,
    /// Torque that is lost per speed (N·m·s).
    pub damping: f64,
    /// Largest torque of the brake (N·m).
    pub brake_torque: f64,
    /// Angular momentum (kg·m²/s).
    pub momentum: f64,
}

impl ProtocolWheel {
    fn outer_torque(&self) -> f64 {
        self.torque - self.damping * self.speed()
    }

    fn braked(&self, torque: f64, h: f64) -> f64 {
        stopping_torque(self.speed(), self.inertia, torque, self.brake_torque, h)
    }
}

impl ProtocolBlock for ProtocolWheel {
    fn initialize(&self) -> Slots {
        Slots::new(1, 0)
    }

    fn get_state(&self) -> Option<InertialState> {
        Some(InertialState { momentum: self.momentum, ..InertialState::default() })
    }

    fn set_substep_state(&mut self, state: &InertialState) {
        self.momentum = state.momentum;
    }

    fn compute_state_upstream(&mut self, shafts: &mut Shafts<'_>) {
        let outer = self.outer_torque();
        let reaction = outer + self.braked(outer, shafts.dt);
        let input = shafts.input(0);
        (input.momentum, input.inertia, input.reaction_torque) =
            (self.momentum, self.inertia, reaction);
    }

    fn substep_derivative(&mut self, shafts: &mut Shafts<'_>) -> InertialDerivative {
        let drive = shafts.input(0).drive_torque;
        let free = self.outer_torque() + drive;
        let torque = free + self.braked(free, shafts.dt);
        InertialDerivative { torque, force: [0.0; 2], reaction_torque: torque - drive }
    }

    fn set_state(&mut self, state: &InertialState) {
        self.momentum = state.momentum;
    }

    fn speed(&self) -> f64 {
        self.momentum / self.inertia
    }
}
