//! Whether the numbers of a state are finite: what a checked step looks for.
//!
//! Bounds of constraint rows may be infinite. The remaining numbers may not.

use crate::constraint_rows::{ConstraintRow, HostStand, StickyAnchor, WheelRows};
use crate::math::{Pose, Quat, Real, Vec3};
use crate::rigid_body::RigidBodyState;
use crate::road_geometry::RoadContact;
use crate::suspension::{SuspensionCompliance, SuspensionForce, SuspensionState};
use crate::tire::{TireForce, TireState, TireStickyState};
use crate::wheel::WheelState;

/// Exponent 1 in the bits of a number.
const LEAST_EXPONENT: u32 = 1 << (Real::MANTISSA_DIGITS - 1);

/// The bit that tells of a fault.
const FAULT: u32 = 1 << 31;

/// A value that has numbers.
pub(crate) trait Finite {
    /// A number whose [highest bit](FAULT) is set if a number of the value is not finite; its other
    /// bits mean nothing.
    ///
    /// Such numbers are put together by `|`, so that a processor looks at several at once and no branch
    /// is taken. Infinity and what is no number have the largest exponent: one more sets the highest
    /// bit.
    fn faults(&self) -> u32;

    /// Whether all of them are finite.
    fn is_finite(&self) -> bool {
        self.faults() & FAULT == 0
    }
}

impl Finite for Real {
    #[inline]
    fn faults(&self) -> u32 {
        (self.to_bits() & !FAULT) + LEAST_EXPONENT
    }
}

impl Finite for Vec3 {
    #[inline]
    fn faults(&self) -> u32 {
        self.x.faults() | self.y.faults() | self.z.faults()
    }
}

impl Finite for Quat {
    /// A rotation whose norm has become 0 is none.
    #[inline]
    fn faults(&self) -> u32 {
        let numbers = self.to_array();
        let bits = numbers.iter().fold(0, |bits, number| bits | number.to_bits());
        let is_none = bits & !FAULT == 0;
        numbers.faults() | (u32::from(is_none) * FAULT)
    }
}

impl Finite for Pose {
    #[inline]
    fn faults(&self) -> u32 {
        self.translation.faults() | self.rotation.faults()
    }
}

impl<T: Finite> Finite for Option<T> {
    #[inline]
    fn faults(&self) -> u32 {
        self.as_ref().map_or(0, Finite::faults)
    }
}

impl<T: Finite> Finite for [T] {
    #[inline]
    fn faults(&self) -> u32 {
        self.iter().fold(0, |faults, value| faults | value.faults())
    }
}

impl Finite for RigidBodyState {
    #[inline]
    fn faults(&self) -> u32 {
        let vectors = [
            self.linear_velocity,
            self.angular_velocity,
            self.previous_linear_velocity,
            self.previous_angular_velocity,
            self.external_force,
            self.external_torque,
        ];
        self.pose.faults() | vectors.faults()
    }
}

impl Finite for RoadContact {
    #[inline]
    fn faults(&self) -> u32 {
        let vectors = [self.plane.normal, self.velocity, self.impulse];
        [self.plane.offset, self.friction].faults() | vectors.faults()
    }
}

impl Finite for SuspensionState {
    #[inline]
    fn faults(&self) -> u32 {
        [self.jounce, self.separation, Some(self.jounce_speed)].faults()
    }
}

impl Finite for SuspensionCompliance {
    #[inline]
    fn faults(&self) -> u32 {
        let vectors = [self.suspension_force_point, self.tire_force_point];
        [self.toe, self.camber].faults() | vectors.faults()
    }
}

impl Finite for SuspensionForce {
    #[inline]
    fn faults(&self) -> u32 {
        self.normal_load.faults() | [self.force, self.torque].faults()
    }
}

impl Finite for TireState {
    #[inline]
    fn faults(&self) -> u32 {
        let numbers = [
            self.speeds.longitudinal,
            self.speeds.lateral,
            self.slip.longitudinal,
            self.slip.lateral,
            self.slip_denominator,
            self.camber,
            self.grip.load,
            self.grip.friction,
        ];
        let vectors = [self.directions.longitudinal, self.directions.lateral];
        numbers.faults() | vectors.faults() | self.force.faults()
    }
}

impl Finite for TireForce {
    #[inline]
    fn faults(&self) -> u32 {
        let numbers = [
            self.longitudinal_force,
            self.lateral_force,
            self.aligning_moment,
            self.wheel_torque,
            self.longitudinal_stiffness,
        ];
        let vectors = [
            self.arm,
            self.longitudinal,
            self.lateral,
            self.longitudinal_torque,
            self.lateral_torque,
            self.moment,
        ];
        numbers.faults() | vectors.faults()
    }
}

impl Finite for TireStickyState {
    #[inline]
    fn faults(&self) -> u32 {
        [self.longitudinal.low_speed_time, self.lateral.low_speed_time].faults()
    }
}

impl Finite for StickyAnchor {
    #[inline]
    fn faults(&self) -> u32 {
        [self.point, self.forward].faults()
    }
}

impl Finite for WheelRows {
    #[inline]
    fn faults(&self) -> u32 {
        [self.longitudinal, self.lateral, self.limit].faults() | self.host.faults()
    }
}

impl Finite for HostStand {
    #[inline]
    fn faults(&self) -> u32 {
        [self.point, self.arm, self.offset].faults() | self.gap.faults()
    }
}

impl Finite for ConstraintRow {
    #[inline]
    fn faults(&self) -> u32 {
        [self.target_speed, self.impulse].faults() | [self.linear, self.angular].faults()
    }
}

impl Finite for WheelState {
    #[inline]
    fn faults(&self) -> u32 {
        let numbers = [self.rotation_speed, self.displayed_rotation_speed, self.rotation_angle];
        numbers.faults() | self.local_pose.faults()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_those_of_the_numbers() {
        let finite = [0.0, -0.0, 1.0, -1.0, Real::MAX, Real::MIN, Real::MIN_POSITIVE, 1e-45];
        let not = [Real::INFINITY, Real::NEG_INFINITY, Real::NAN, -Real::NAN];
        for (numbers, expected) in [(finite.as_slice(), true), (&not, false)] {
            for number in numbers {
                assert_eq!(Finite::is_finite(number), expected, "{number}");
                for place in 0..3 {
                    let mut vector = Vec3::ONE;
                    vector[place] = *number;
                    assert_eq!(Finite::is_finite(&vector), expected, "{vector}");
                }
            }
        }
        assert!(!finite.iter().chain(&not).copied().collect::<Vec<_>>().is_finite());
        assert!(finite.is_finite() && None::<Real>.is_finite() && !Some(Real::NAN).is_finite());
    }

    #[test]
    fn a_rotation_needs_a_norm() {
        for (numbers, expected) in [
            ([0.0, 0.0, 0.0, 1.0], true),
            ([0.0, 1e-45, 0.0, 0.0], true),
            ([0.0, -0.0, 0.0, 0.0], false),
            ([0.0, 0.0, Real::NAN, 1.0], false),
        ] {
            assert_eq!(Finite::is_finite(&Quat::from_array(numbers)), expected, "{numbers:?}");
        }
    }
}
