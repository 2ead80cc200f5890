//! Obstacles: what stands in front of a wheel and is no road.

use serde::{Deserialize, Serialize};

use crate::math::finite::Finite;
use crate::math::lanes::Real4;
use crate::math::{Pose, Real, Vec3, normalize_or_zero};

/// What a wheel meets in front of it: a kerb, a wall, the edge of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Obstacle {
    /// Where the wheel meets it (m).
    pub point: Vec3,
    /// Unit vector from there to the wheel: the normal of a face.
    pub normal: Vec3,
    /// Whether it is an edge, about which the wheel turns, and no face.
    pub is_edge: bool,
    /// Friction coefficient with the tire (dimensionless).
    pub friction: Real,
    /// Velocity of the obstacle there (m/s).
    pub velocity: Vec3,
    /// Which body it is: a number of the surface's own, as [`RoadContact::ground`] is.
    ///
    /// [`RoadContact::ground`]: super::RoadContact::ground
    pub ground: u64,
    /// Where that body was when the obstacle was found there (m).
    #[serde(default)]
    pub pose: Pose,
}

impl Obstacle {
    /// The obstacle on its body that is at `pose` now (m).
    pub fn carried_to(&self, pose: Pose) -> Self {
        if pose == self.pose {
            return *self;
        }
        let turn = pose.rotation * self.pose.rotation.inverse();
        let point = pose.translation + turn * (self.point - self.pose.translation);
        Self { point, normal: turn * self.normal, pose, ..*self }
    }

    /// Moves the obstacle with its body along `way` (m).
    pub(crate) fn advance(&mut self, way: Vec3) {
        self.point += way;
        self.pose.translation += way;
    }

    /// Unit vector from the obstacle to a wheel whose hub is at `hub` (m).
    pub(crate) fn way_out(&self, hub: Vec3) -> Vec3 {
        if self.is_edge { normalize_or_zero(hub - self.point) } else { self.normal }
    }
}

/// Query of a wheel for what stands in front of it.
///
/// The wheel is swept along its way as a disk that is a little smaller than it, and a little above
/// its road. What it meets first is the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObstacleProbe {
    /// The wheel's number.
    pub wheel: usize,
    /// The wheel's kind of tire, see
    /// [`WheelParams::tire_kind`](crate::wheel::WheelParams::tire_kind).
    pub tire_kind: u32,
    /// Where the center of the disk begins (m).
    pub start: Vec3,
    /// Unit vector along which it is swept.
    pub direction: Vec3,
    /// How far (m).
    pub length: Real,
    /// Unit vector along the axle, to the left.
    pub axle: Vec3,
    /// Radius of the disk (m).
    pub radius: Real,
    /// Half of its width (m).
    pub half_width: Real,
    /// Radius of its shoulders (m).
    pub shoulder_radius: Real,
    /// Normal of the road below.
    pub road_normal: Vec3,
}

/// Cosine of the angle to the road above which a face is no obstacle (dimensionless): a ramp of 32
/// degrees is road.
pub(crate) const ROAD_LIKE: Real = 0.85;

impl ObstacleProbe {
    /// Whether a face of this unit `normal` stands in the way: it is steep, and turned against the
    /// way.
    pub fn is_in_the_way(&self, normal: Vec3) -> bool {
        normal.dot(self.road_normal) < ROAD_LIKE && normal.dot(self.direction) < 0.0
    }
}

/// What a wheel with mass remembers of its obstacle, and how far it has pressed its suspension
/// back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelObstacle {
    /// The obstacle, until the wheel has left it.
    pub obstacle: Option<Obstacle>,
    /// Impulse of the wheel on it in this frame (N·s).
    #[serde(default)]
    pub impulse: Vec3,
    /// How far the wheel is pushed along the vehicle, against the bush of its suspension (m).
    pub shift: Real,
    /// Rate of change of the shift (m/s).
    pub shift_speed: Real,
}

impl WheelObstacle {
    /// Whether there is anything that acts on the wheel.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.obstacle.is_some() || self.shift != 0.0 || self.shift_speed != 0.0
    }

    /// Whether there is anything that acts on one of these wheels.
    #[inline]
    pub(crate) fn is_any_active(wheels: &[Self]) -> bool {
        wheels.iter().any(Self::is_active)
    }
}

impl Finite for [WheelObstacle] {
    fn total(&self) -> Real4 {
        self.iter().filter(|wheel| wheel.is_active()).fold(Real4::ZERO, |sum, wheel| {
            let place = wheel.obstacle.map_or(Vec3::ZERO, |obstacle| {
                obstacle.point + obstacle.normal + obstacle.velocity
            });
            sum + (place + wheel.impulse).total() + (wheel.shift + wheel.shift_speed).total()
        })
    }
}
