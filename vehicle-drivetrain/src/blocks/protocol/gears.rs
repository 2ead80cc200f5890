//! Units of the explicit protocol that join more than two speeds, or transmit by a fluid.

use vehicle_core::driveline::CapacityConverter;
use vehicle_core::math::Clamped;

use super::units::{coupled_bodies, pass_upstream, synchronizing_torque};
use super::{ProtocolBlock, Shafts};
use crate::blocks::block::Slots;

/// A torque converter with its lock-up clutch: slots input 0 (pump), output 0 (turbine).
///
/// The fluid's torques are those at the start of a substep, so that it needs `h < I ω/(2 T_p)` with
/// the inertia of the pump. At the coupling point and beyond, and under a turbine that drives, the
/// fluid passes as much as it takes. There, its torque is at most the one that ends the slip:
///
/// ```text
/// T = ((ω₁ - ω₂)/h + T₁/I₁ - T₂/I₂) / (1/I₁ + 1/I₂)
/// ```
///
/// The clutch transmits what is left of that torque, within its capacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Converter {
    /// The law of fluid and clutch.
    pub law: CapacityConverter,
}

impl ProtocolBlock for Converter {
    fn initialize(&self) -> Slots {
        Slots::new(1, 1)
    }

    fn compute_state_upstream(&mut self, shafts: &mut Shafts<'_>) {
        pass_upstream(shafts);
    }

    fn evaluate_torque_downstream(&mut self, shafts: &mut Shafts<'_>) {
        let h = shafts.dt;
        let (mut taken, mut given) = (0.0, 0.0);
        if let Some((source, body)) = coupled_bodies(shafts) {
            (taken, given) = self.law.torques(source[0], body[0]);
            if taken == given {
                let most = synchronizing_torque(source, body, h);
                taken = given.clamped(most.min(0.0), most.max(0.0));
                given = taken;
            }
            let [w1, i1, t1] = source;
            let [w2, i2, t2] = body;
            let left = synchronizing_torque([w1, i1, t1 - taken], [w2, i2, t2 + given], h);
            let locked = left.clamped(-self.law.lock_up, self.law.lock_up);
            (taken, given) = (taken + locked, given + locked);
        }
        shafts.input(0).load_torque = taken;
        let output = shafts.output(0);
        (output.drive_torque, output.source) = (given, [0.0; 3]);
    }
}

/// Two differentials that drive and steer a tracked vehicle: slots input 0 (drive), input 1
/// (steer), outputs 0 (left) and 1 (right). Sources must be behind couplings before it.
///
/// ```text
/// T_l = ρ_d T_d/2 - ρ_s T_s/2,   T_r = ρ_d T_d/2 + ρ_s T_s/2
/// 1/I_d = ρ_d²/4 (1/I_l + 1/I_r),   1/I_s = ρ_s²/4 (1/I_l + 1/I_r)
/// X = ρ_d ρ_s/4 (1/I_r - 1/I_l)
/// ```
///
/// Where the tracks differ in inertia, a torque at one input accelerates the other by X. A shaft of
/// the protocol cannot carry that, so each input gets the torque of the other in the substep
/// before.
///
/// Source: Wong, *Theory of Ground Vehicles*.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProtocolDoubleDifferential {
    /// Speed of the drive shaft per mean speed of the outputs ρ_d.
    pub drive_ratio: f64,
    /// Speed of the steering shaft per half of the difference of the outputs ρ_s.
    pub steer_ratio: f64,
    /// Torques at both inputs in the last substep (N·m).
    pub last_torques: [f64; 2],
}

impl ProtocolDoubleDifferential {
    /// A double differential of these ratios.
    pub fn new(drive_ratio: f64, steer_ratio: f64) -> Self {
        Self { drive_ratio, steer_ratio, last_torques: [0.0; 2] }
    }
}

impl ProtocolBlock for ProtocolDoubleDifferential {
    fn initialize(&self) -> Slots {
        Slots::new(2, 2)
    }

    fn compute_state_upstream(&mut self, shafts: &mut Shafts<'_>) {
        let (left, right) = (*shafts.output(0), *shafts.output(1));
        // A track that is open leaves nothing to push against.
        let is_open = left.inertia == 0.0 || right.inertia == 0.0;
        let [per_left, per_right] = [1.0 / left.inertia, 1.0 / right.inertia];
        let crossed = 0.25 * self.drive_ratio * self.steer_ratio * (per_right - per_left);
        // The signs with which left and right turn each input.
        let inputs = [(self.drive_ratio, 1.0), (self.steer_ratio, -1.0)];
        for (slot, (ratio, sign)) in inputs.into_iter().enumerate() {
            let half = 0.5 * ratio;
            let mobility = half * half * (per_left + per_right);
            let speed = half * (right.speed() + sign * left.speed());
            let by_tracks =
                half * (right.reaction_torque * per_right + sign * left.reaction_torque * per_left);
            let acceleration = by_tracks + crossed * self.last_torques[1 - slot];
            let input = shafts.input(slot);
            (input.inertia, input.momentum, input.reaction_torque) = if is_open {
                (0.0, 0.0, 0.0)
            } else {
                (1.0 / mobility, speed / mobility, acceleration / mobility)
            };
        }
    }

    fn evaluate_torque_downstream(&mut self, shafts: &mut Shafts<'_>) {
        let torques = [0, 1].map(|slot| shafts.input(slot).drive_torque);
        self.last_torques = torques;
        let [drive, steer] =
            [0.5 * self.drive_ratio * torques[0], 0.5 * self.steer_ratio * torques[1]];
        for (slot, torque) in [drive - steer, drive + steer].into_iter().enumerate() {
            let output = shafts.output(slot);
            (output.drive_torque, output.source) = (torque, [0.0; 3]);
        }
    }
}
