//! Force of a tire on body and wheel.

use serde::{Deserialize, Serialize};

use super::kinematics::TireDirections;
use super::model::{RollingTorques, TireOutput};
use crate::math::Vec3;
use crate::math::lanes::{Number, Vector, lanes_by_field};

/// Force of a tire on the body and on its wheel; all zero in the air.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TireForce<V: Vector = Vec3> {
    /// Longitudinal force that body and wheel feel (N).
    pub longitudinal_force: V::Number,
    /// Lateral force (N).
    pub lateral_force: V::Number,
    /// From the center of mass to where the forces act (m).
    pub arm: V,
    /// Force on the body along the rolling direction (N).
    pub longitudinal: V,
    /// Force on the body across it (N).
    pub lateral: V,
    /// Torque of the longitudinal force on the body about the center of mass (N·m).
    pub longitudinal_torque: V,
    /// Moments that act on the body beside the forces (N·m): the tire's overturning and aligning
    /// moment, and what a wheel [that turns](crate::WheelReaction) does to it.
    pub moment: V,
    /// Moment about the road normal as the tire reports it, for steering feedback (N·m).
    pub aligning_moment: V::Number,
    /// The part of the wheel's torque that is not of the longitudinal force.
    pub rolling_torques: RollingTorques<V::Number>,
    /// Torque on the wheel about its axle (N·m).
    pub wheel_torque: V::Number,
    /// Slope of the longitudinal force against the longitudinal slip, not negative (N).
    pub longitudinal_stiffness: V::Number,
    /// Force by which the tire resists being rolled from rest, not negative (N).
    #[serde(default)]
    pub standing_resistance: V::Number,
}

lanes_by_field!(TireForce<Vector> {
    longitudinal_force,
    lateral_force,
    arm,
    longitudinal,
    lateral,
    longitudinal_torque,
    moment,
    aligning_moment,
    rolling_torques,
    wheel_torque,
    longitudinal_stiffness,
    standing_resistance,
});

impl TireForce {
    /// Force on the body (N).
    #[inline]
    pub fn force(&self) -> Vec3 {
        self.longitudinal + self.lateral
    }

    /// Torque on the body about the center of mass (N·m).
    #[inline]
    pub fn torque(&self) -> Vec3 {
        self.longitudinal_torque + self.lateral_torque() + self.moment
    }
}

impl<V: Vector> TireForce<V> {
    /// Torque of the lateral force on the body about the center of mass (N·m).
    #[inline]
    pub fn lateral_torque(&self) -> V {
        self.arm.cross(self.lateral)
    }

    /// Torque on a wheel of `radius` (m) beyond that of the longitudinal force (N·m).
    #[inline]
    pub fn rolling_moment(&self, radius: V::Number) -> V::Number {
        self.wheel_torque + self.longitudinal_force * radius
    }

    /// Changes the longitudinal force along the direction `forward` to `force` (N), on the body and
    /// on a wheel of `radius` (m).
    #[inline]
    pub fn set_longitudinal_force(&mut self, force: V::Number, forward: V, radius: V::Number) {
        let change = force - self.longitudinal_force;
        let added = forward * change;
        self.longitudinal_force = force;
        self.longitudinal = self.longitudinal + added;
        self.longitudinal_torque = self.longitudinal_torque + self.arm.cross(added);
        self.wheel_torque = self.wheel_torque - change * radius;
    }

    /// This force where `mask` is true, none elsewhere.
    #[inline]
    pub(super) fn only(&self, mask: <V::Number as Number>::Mask) -> Self {
        let number = |value| Number::select(mask, value, Number::zero());
        let vector = |value| V::select(mask, value, V::zero());
        Self {
            longitudinal_force: number(self.longitudinal_force),
            lateral_force: number(self.lateral_force),
            arm: vector(self.arm),
            longitudinal: vector(self.longitudinal),
            lateral: vector(self.lateral),
            longitudinal_torque: vector(self.longitudinal_torque),
            moment: vector(self.moment),
            aligning_moment: number(self.aligning_moment),
            rolling_torques: self.rolling_torques.only(mask),
            wheel_torque: number(self.wheel_torque),
            longitudinal_stiffness: number(self.longitudinal_stiffness),
            standing_resistance: number(self.standing_resistance),
        }
    }
}

/// Where the force of a tire acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TireContact<V: Vector = Vec3> {
    /// Directions of the tire.
    pub directions: TireDirections<V>,
    /// Normal of the road.
    pub normal: V,
    /// From the center of mass to the tire's force point (m).
    pub arm: V,
    /// Radius of the wheel (m).
    pub radius: V::Number,
}

/// Force of a tire on body and wheel.
///
/// ```text
/// F = d_L (F_L + F_rr) + d_T F_T
/// τ = r × (d_L F_L + d_T F_T) + (r + n R) × d_L F_rr + d_L M_x + n M_z
/// wheel torque = -F_L R + T_deformation + T_compaction + T_residual
/// ```
///
/// The resistance `F_rr` acts one radius above the force point. It does not turn the wheel, and
/// does to the body what a moment `-F_rr R` about the axle and the force do by which the wheel
/// rolls on. (The center of the wheel is lower by as much as the tire gives way.)
#[inline]
pub fn tire_force<V: Vector>(
    output: &TireOutput<V::Number>,
    contact: &TireContact<V>,
) -> TireForce<V> {
    let TireDirections { longitudinal: forward, lateral: left } = contact.directions;
    let (rolled, resisted) =
        (forward * output.longitudinal_force, forward * output.rolling_resistance_force);
    let lateral = left * output.lateral_force;
    let rolling_arm = contact.arm + contact.normal * contact.radius;
    let moment = forward * output.overturning_moment + contact.normal * output.aligning_moment;
    TireForce {
        longitudinal_force: output.longitudinal_force,
        lateral_force: output.lateral_force,
        arm: contact.arm,
        longitudinal: rolled + resisted,
        lateral,
        longitudinal_torque: contact.arm.cross(rolled) + rolling_arm.cross(resisted),
        moment,
        aligning_moment: output.aligning_moment + output.reported_moment,
        rolling_torques: output.rolling_torques,
        wheel_torque: -output.longitudinal_force * contact.radius + output.rolling_torques.sum(),
        longitudinal_stiffness: output.longitudinal_stiffness,
        standing_resistance: output.standing_resistance,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_output_reaches_body_or_wheel() {
        let contact = TireContact {
            directions: TireDirections { longitudinal: Vec3::X, lateral: Vec3::Y },
            normal: Vec3::Z,
            arm: Vec3::new(1.0, 0.0, -0.5),
            radius: 0.3,
        };
        let output = TireOutput {
            longitudinal_force: 100.0,
            lateral_force: 10.0,
            rolling_resistance_force: -20.0,
            overturning_moment: 3.0,
            rolling_torques: RollingTorques {
                tire_deformation: -4.0,
                compaction: -8.0,
                residual: -0.5,
            },
            aligning_moment: 5.0,
            reported_moment: 7.0,
            longitudinal_stiffness: 1.0,
            standing_resistance: 60.0,
        };
        let force = tire_force(&output, &contact);
        assert_eq!(force.force(), Vec3::new(80.0, 10.0, 0.0));
        // (1, 0, -0.5) × (100, 10, 0) + (1, 0, -0.2) × (-20, 0, 0) + (3, 0, 5)
        assert_eq!(force.torque(), Vec3::new(5.0 + 3.0, -50.0 + 4.0, 10.0 + 5.0));
        assert_eq!(force.rolling_torques, output.rolling_torques);
        assert_eq!(force.wheel_torque, -100.0 * 0.3 - 12.5);
        assert_eq!(force.aligning_moment, 12.0);
        let mut weaker = force;
        weaker.set_longitudinal_force(50.0, Vec3::X, contact.radius);
        let halved = TireOutput { longitudinal_force: 50.0, ..output };
        assert_eq!(weaker, tire_force(&halved, &contact));
    }
}
