//! Who drives a body: one vehicle, once in each step of the world.
//!
//! A body that has been driven is told by the sign of the time since it can sleep: `-0`, which the
//! world's next step replaces, as waking it does. It is equal to 0 for all that reads it, is saved
//! with the world, and is the same in every run. A body that is about to sleep hardly moves, and is
//! not told.

use rapier3d::prelude::*;
use vehicle_core::rigid_body::RigidBodyState;

use crate::mark::Marker;

/// Notes that `body` has been driven since the world's last step.
pub(crate) fn note_driven(body: &mut RigidBody) {
    let time = &mut body.activation_mut().time_since_can_sleep;
    if *time == 0.0 {
        *time = -0.0;
    }
}

/// Lets `body` be driven anew, by a vehicle that goes back with its world.
pub(crate) fn forget_driven(body: &mut RigidBody) {
    if is_driven(body) {
        body.activation_mut().time_since_can_sleep = 0.0;
    }
}

/// Whether `body` has been driven since the world's last step.
pub(crate) fn is_driven(body: &RigidBody) -> bool {
    let time = body.activation().time_since_can_sleep;
    time == 0.0 && time.is_sign_negative()
}

/// Steps of the world between two updates.
#[derive(Clone, Copy, Debug, Default)]
enum Rhythm {
    /// One.
    #[default]
    Step,
    /// More than one, for the first time.
    SkippedOnce,
    /// More than one, again.
    Skips,
    /// None.
    Repeats,
}

/// How often a vehicle is updated, and its world steps, with notes of the last update.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pace {
    rhythm: Rhythm,
    /// Whether the hull bears a part of the weight in the vehicle's step.
    pub(crate) leans: bool,
    /// Whether the body had been driven already as the last update began.
    pub(crate) begins_driven: bool,
    /// Whether a wheel stands on a dynamic body, as the last update has found.
    pub(crate) ground_gives_way: bool,
    /// Mark of the velocities of the body as the last update has left them.
    left: u32,
}

impl Pace {
    /// Notes what the world has done with `body` since the last update, which left the vehicle at
    /// `state`, in steps of `dt` (s).
    pub(crate) fn note(&mut self, state: &RigidBodyState, center: Vector, dt: Real) {
        let is_repeated = self.begins_driven;
        let is_skipped = !is_repeated && skipped_steps(state, center, dt).is_some();
        self.rhythm = match self.rhythm {
            _ if is_repeated => Rhythm::Repeats,
            _ if !is_skipped => Rhythm::Step,
            Rhythm::SkippedOnce | Rhythm::Skips => Rhythm::Skips,
            Rhythm::Step | Rhythm::Repeats => Rhythm::SkippedOnce,
        };
    }

    /// Notes that an update leaves `body` as it is.
    pub(crate) fn leave(&mut self, body: &RigidBody) {
        self.left = motion_mark(body);
    }

    /// Whether the last update has left `body` as it is: it was this vehicle that has driven it.
    pub(crate) fn has_left(self, body: &RigidBody) -> bool {
        self.left == motion_mark(body)
    }

    /// Whether the world steps more often than the vehicle is updated. A single time may be a blow
    /// from behind.
    pub(crate) fn skips(self) -> bool {
        matches!(self.rhythm, Rhythm::Skips)
    }

    /// Whether the vehicle is updated more often than the world steps.
    pub(crate) fn repeats(self) -> bool {
        matches!(self.rhythm, Rhythm::Repeats)
    }
}

/// All vehicles are equally near to their last updates: how often they are updated is nothing of
/// their own.
impl PartialEq for Pace {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Steps of `dt` (s) that a body with its center of mass at `center` (m) has made, if it shows. The
/// one for which the vehicle at `state` has given the body its velocity does not count:
///
/// ```text
/// c - c₁ = n v̄ dt
/// ```
///
/// with the center of mass `c₁` where the update has taken it and the mean velocity `v̄` of that
/// step.
pub(crate) fn skipped_steps(state: &RigidBodyState, center: Vector, dt: Real) -> Option<Real> {
    let way = state.frame_linear_velocity * dt;
    let beyond = center - state.pose.translation;
    let square = way.length_squared();
    let along = beyond.dot(way);
    // Most vehicles leave here: they are where they are expected.
    if along <= 0.75 * square || square <= LEAST_WAY * LEAST_WAY {
        return None;
    }
    let steps = (along / square).round();
    let error = beyond - way * steps;
    (1.0 <= steps && error.length_squared() <= 0.01 * square * steps * steps).then_some(steps)
}

/// Way of a step from which on it shows how many were made (m): far more than rounding far from the
/// origin.
const LEAST_WAY: Real = 5e-3;

/// Mark of the velocities of `body`.
fn motion_mark(body: &RigidBody) -> u32 {
    let mut marker = Marker::new();
    marker.vector(body.linvel());
    marker.vector(body.angvel());
    marker.mark()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_that_steps_forgets_who_was_driven() {
        let mut world = PhysicsWorld::new();
        let collider = ColliderBuilder::ball(0.5);
        let (body, _) = world.insert(RigidBodyBuilder::dynamic().linvel(Vector::X * 5.0), collider);
        // How fast it is shows after its first step.
        world.step();
        for _ in 0..5 {
            world.step();
            assert!(!is_driven(&world.bodies[body]));
            note_driven(&mut world.bodies[body]);
            assert!(is_driven(&world.bodies[body]));
            assert_eq!(world.bodies[body].activation().time_since_can_sleep, 0.0);
        }
        world.bodies[body].wake_up(true);
        assert!(!is_driven(&world.bodies[body]));
    }

    #[test]
    fn steps_without_an_update_are_counted_by_the_way() {
        let velocity = Vector::new(0.0, 0.0, 20.0);
        let state = RigidBodyState { frame_linear_velocity: velocity, ..RigidBodyState::default() };
        let dt = 1.0 / 60.0;
        for (steps, expected) in [(0.0, None), (0.4, None), (1.0, Some(1.0)), (2.0, Some(2.0))] {
            assert_eq!(skipped_steps(&state, velocity * dt * steps, dt), expected, "{steps}");
        }
        let slow = RigidBodyState::default();
        assert_eq!(skipped_steps(&slow, Vector::ZERO, dt), None);
        assert_eq!(skipped_steps(&state, Vector::new(1.0, 0.0, 0.33), dt), None, "a blow");
    }
}
