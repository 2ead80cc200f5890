//! How a motorcycle stands and moves, as its rider feels it.

use vehicle_core::math::{Clamped, Real, Vec3, atan2};
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::{Context, WheelReaction};

use super::{RiderModel, SingleTrack};

/// Lean from which on a motorcycle lies (rad): nothing that its rider does lifts it.
const FALLEN: Real = 1.2;

/// How a body stands and moves, seen along its heading.
pub(super) struct Attitude {
    /// Unit vector along the heading, level.
    pub(super) heading: Vec3,
    /// Speed along it (m/s).
    pub(super) speed: Real,
    /// Speed of the place below the center of mass on which it leans, to the left (m/s).
    pub(super) contact_speed: Real,
    /// Yaw rate to the left (rad/s).
    pub(super) yaw_rate: Real,
    /// Lean to the left (rad).
    pub(super) lean: Real,
    /// Rate of the lean (rad/s).
    pub(super) lean_rate: Real,
}

impl Attitude {
    /// The attitude of `body` on ground that moves with `ground` (m/s); `None` without gravity, or
    /// with the heading up.
    pub(super) fn of(
        body: &RigidBodyState,
        track: &SingleTrack,
        ground: Vec3,
        context: &Context<'_>,
    ) -> Option<Self> {
        let (frame, gravity) = (context.frame(), context.params.gravity);
        let up = (-gravity).try_normalize()?;
        let [forward, left, top] =
            [frame.longitudinal(), frame.lateral(), frame.vertical()].map(|it| body.direction(it));
        let heading = (forward - up * forward.dot(up)).try_normalize()?;
        let velocity = body.linear_velocity - ground;
        let arm = top * -track.pendulum() - up * track.tread_radius;
        let spin = body.angular_velocity;
        Some(Self {
            heading,
            speed: velocity.dot(heading),
            contact_speed: (velocity + spin.cross(arm)).dot(up.cross(heading)),
            yaw_rate: spin.dot(up),
            lean: atan2(-left.dot(up), top.dot(up)),
            lean_rate: -spin.dot(heading),
        })
    }

    pub(super) fn is_fallen(&self) -> bool {
        FALLEN < self.lean.abs()
    }
}

/// How far `value` is from the first to the second of `bounds`, in [0, 1].
pub(super) fn share_between(value: Real, bounds: [Real; 2]) -> Real {
    let [low, high] = bounds;
    ((value - low) / (high - low).max(Real::MIN_POSITIVE)).clamped(0.0, 1.0)
}

/// The part of feet at `speed` (m/s), in [0, 1]: all as it rolls back.
pub(super) fn share_of_feet(model: &RiderModel, speed: Real) -> Real {
    1.0 - share_between(speed, model.params.feet_speeds)
}

/// The motorcycle as it is in `context`: with gyroscopes or without.
pub(super) fn track_in(model: &RiderModel, context: &Context<'_>) -> SingleTrack {
    if context.params.wheel_reaction == WheelReaction::Gyroscopic {
        model.track
    } else {
        SingleTrack { spin_inertia: 0.0, ..model.track }
    }
}
