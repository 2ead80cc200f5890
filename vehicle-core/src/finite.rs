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

/// A value that has numbers.
pub(crate) trait Finite {
    /// Whether all of them are finite.
    fn is_finite(&self) -> bool;
}

impl Finite for Real {
    fn is_finite(&self) -> bool {
        Self::is_finite(*self)
    }
}

impl Finite for Vec3 {
    fn is_finite(&self) -> bool {
        Self::is_finite(*self)
    }
}

impl Finite for Quat {
    /// A rotation whose norm has become 0 is none.
    fn is_finite(&self) -> bool {
        Self::is_finite(*self) && *self != Self::from_xyzw(0.0, 0.0, 0.0, 0.0)
    }
}

impl Finite for Pose {
    fn is_finite(&self) -> bool {
        self.translation.is_finite() && Finite::is_finite(&self.rotation)
    }
}

impl<T: Finite> Finite for Option<T> {
    fn is_finite(&self) -> bool {
        self.as_ref().is_none_or(Finite::is_finite)
    }
}

impl<T: Finite> Finite for [T] {
    fn is_finite(&self) -> bool {
        self.iter().all(Finite::is_finite)
    }
}

impl Finite for RigidBodyState {
    fn is_finite(&self) -> bool {
        let vectors = [
            self.linear_velocity,
            self.angular_velocity,
            self.previous_linear_velocity,
            self.previous_angular_velocity,
            self.external_force,
            self.external_torque,
        ];
        Finite::is_finite(&self.pose) && vectors.is_finite()
    }
}

impl Finite for RoadContact {
    fn is_finite(&self) -> bool {
        let vectors = [self.plane.normal, self.velocity, self.impulse];
        [self.plane.offset, self.friction].is_finite() && vectors.is_finite()
    }
}

impl Finite for SuspensionState {
    fn is_finite(&self) -> bool {
        [self.jounce, self.separation, Some(self.jounce_speed)].is_finite()
    }
}

impl Finite for SuspensionCompliance {
    fn is_finite(&self) -> bool {
        let vectors = [self.suspension_force_point, self.tire_force_point];
        [self.toe, self.camber].is_finite() && vectors.is_finite()
    }
}

impl Finite for SuspensionForce {
    fn is_finite(&self) -> bool {
        self.normal_load.is_finite() && [self.force, self.torque].is_finite()
    }
}

impl Finite for TireState {
    fn is_finite(&self) -> bool {
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
        numbers.is_finite() && vectors.is_finite() && Finite::is_finite(&self.force)
    }
}

impl Finite for TireForce {
    fn is_finite(&self) -> bool {
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
        numbers.is_finite() && vectors.is_finite()
    }
}

impl Finite for TireStickyState {
    fn is_finite(&self) -> bool {
        [self.longitudinal.low_speed_time, self.lateral.low_speed_time].is_finite()
    }
}

impl Finite for StickyAnchor {
    fn is_finite(&self) -> bool {
        [self.point, self.forward].is_finite()
    }
}

impl Finite for WheelRows {
    fn is_finite(&self) -> bool {
        [self.longitudinal, self.lateral, self.limit].is_finite() && self.host.is_finite()
    }
}

impl Finite for HostStand {
    fn is_finite(&self) -> bool {
        [self.point, self.arm, self.offset].is_finite() && self.gap.is_finite()
    }
}

impl Finite for ConstraintRow {
    fn is_finite(&self) -> bool {
        [self.target_speed, self.impulse].is_finite() && [self.linear, self.angular].is_finite()
    }
}

impl Finite for WheelState {
    fn is_finite(&self) -> bool {
        let numbers = [self.rotation_speed, self.displayed_rotation_speed, self.rotation_angle];
        numbers.is_finite() && Finite::is_finite(&self.local_pose)
    }
}
