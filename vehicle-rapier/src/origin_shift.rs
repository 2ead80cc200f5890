//! Shift of the world's origin, which keeps coordinates small on long journeys.
//!
//! Coordinates in single precision are coarse far from the origin: 10 km away, neighboring ones are
//! 1 mm apart. Let the origin follow the player, between two steps. The new origin is at the
//! *shift* in the old coordinates (m). Shift the world and every vehicle in it:
//!
//! ```
//! use rapier3d::prelude::*;
//! use vehicle_rapier::origin_shift::shift_world;
//! use vehicle_rapier::prelude::*;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let mut world = PhysicsWorld::new();
//! # let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vector::Y * -1.0);
//! # world.insert_collider(road.friction(1.0), None);
//! # world.detect_collisions(&(), &());
//! # let model = AnyVehicle::preset("hot_hatch")?;
//! # let place = Pose::from_translation(Vector::Y * model.standing_height(9.81));
//! # let mut car = model.insert(&mut world, place);
//! # car.step(&mut world)?;
//! let shift = Vector::new(0.0, 0.0, 256.0);
//! shift_world(&mut world, shift)?;
//! car.shift_origin(shift)?; // or that of the fleet
//! car.step(&mut world)?; // drives on as before
//! assert!((car.pose(&world.bodies)?.translation.z + 256.0).abs() < 0.1);
//! # Ok(())
//! # }
//! ```
//!
//! What a vehicle remembers of its road, of obstacles and of where it sticks moves with it. So does
//! the place to which a [reset](crate::AnyRapierVehicle::reset) takes it. A vehicle knows how far
//! it has been [shifted](RapierVehicle::origin), and so does each of its
//! [snapshots](crate::snapshot). One from before a shift is restored to the shifted place, in a
//! world that goes on. In a world that goes back, the origin goes back, too.
//!
//! A vehicle that is inserted after shifts is told where the origin is by
//! [`set_origin`](RapierVehicle::set_origin). State of one's own is shifted by
//! [`OwnState::shift`](vehicle_core::vehicle::OwnState::shift).
//!
//! Shifts of whole meters add up without rounding. What else has places in the world is yours to
//! shift: [ruts](vehicle_core::vehicle::Ruts::shift), [drawn
//! poses](crate::drawing::DrawnPoses::shift), paths of drivers, recordings, soft bodies, your
//! camera.

use rapier3d::prelude::*;
use vehicle_core::ParamErrors;
use vehicle_core::error::ParamCheck;
use vehicle_core::memory::MAX_DISTANCE;
use vehicle_core::origin_shift::shift_vehicle;

use crate::drivable::Drivable;
use crate::fleet::Fleet;
use crate::scene::WorldParts;
use crate::vehicle::RapierVehicle;

/// Shifts the origin of a world by `shift` (m): all its bodies, and the colliders without a body.
/// What sleeps sleeps on. Contacts are found anew, so that vehicles see their roads in the next
/// step; those that begin or end with it are told to no [`EventHandler`]. All that has been changed
/// in the world since its last step takes effect.
///
/// # Errors
///
/// If `shift` is not finite, or too far to be simulated; nothing has changed then.
pub fn shift_world<'a>(parts: impl Into<WorldParts<'a>>, shift: Vector) -> Result<(), ParamErrors> {
    check(shift)?;
    let mut parts = parts.into();
    parts.catch_up();
    let shifted = |pose: &Pose| shifted_pose(pose, shift);
    let mut activations = Vec::with_capacity(parts.bodies.len());
    for (handle, body) in parts.bodies.iter_mut() {
        activations.push((handle, *body.activation()));
        let next = shifted(body.next_position());
        body.set_position(shifted(body.position()), false);
        if body.is_kinematic() {
            body.set_next_kinematic_position(next);
        }
    }
    for (_, collider) in parts.colliders.iter_mut() {
        if collider.parent().is_none() {
            collider.set_position(shifted(collider.position()));
        }
    }
    // The world wakes what was moved, and lets it wait for its sleep anew.
    parts.detect_collisions();
    for (handle, activation) in activations {
        *parts.bodies[handle].activation_mut() = activation;
    }
    Ok(())
}

impl<V: Drivable> RapierVehicle<V> {
    /// Shifts the origin of the vehicle by `shift` (m), between two steps. The world with its body
    /// is shifted by [`shift_world`].
    ///
    /// # Errors
    ///
    /// If `shift` is not finite, or too far to be simulated; nothing has changed then.
    pub fn shift_origin(&mut self, shift: Vector) -> Result<(), ParamErrors> {
        check(shift)?;
        self.seldom.set_origin(self.origin() + shift);
        self.shift_places(shift);
        Ok(())
    }

    /// Says where the origin of the world is (m), in the coordinates that the world began with: a
    /// vehicle that was inserted after shifts cannot know it. It is the sum of all shifts, or the
    /// [origin](Self::origin) of a vehicle that was there before.
    ///
    /// The vehicle stays where it is. Snapshots of it are restored, and it is
    /// [reset](crate::AnyRapierVehicle::reset), to the right place from now on. So are those that
    /// come from other machines, whose origins are elsewhere.
    ///
    /// # Errors
    ///
    /// If `origin` is not finite, or too far to be simulated; nothing has changed then.
    pub fn set_origin(&mut self, origin: Vector) -> Result<(), ParamErrors> {
        let mut check = ParamCheck::default();
        check.vector_within("origin", origin, MAX_DISTANCE);
        check.finish()?;
        self.know_origin(origin);
        Ok(())
    }

    /// Takes the origin of the world to be there (m).
    pub(crate) fn know_origin(&mut self, origin: Vector) {
        self.vehicle.correct_start(origin - self.origin());
        self.seldom.set_origin(origin);
    }

    /// Where the origin of the world is in the coordinates of the world into which the vehicle was
    /// inserted: the sum of its [shifts](Self::shift_origin) (m), and what
    /// [`set_origin`](Self::set_origin) has said.
    pub fn origin(&self) -> Vector {
        self.seldom.origin()
    }

    /// Shifts all places that the vehicle knows by `shift` (m).
    pub(crate) fn shift_places(&mut self, shift: Vector) {
        if shift != Vector::ZERO {
            shift_vehicle(self.vehicle.mechanics().state, shift);
            self.vehicle.shift_own(shift);
            self.actor.rest.forget_places();
        }
    }
}

impl Fleet {
    /// Shifts the origin of all vehicles by `shift` (m), between two steps. The world with their
    /// bodies is shifted by [`shift_world`].
    ///
    /// # Errors
    ///
    /// If `shift` is not finite, or too far to be simulated; nothing has changed then.
    pub fn shift_origin(&mut self, shift: Vector) -> Result<(), ParamErrors> {
        check(shift)?;
        self.shift_vehicles(shift)
    }
}

/// `pose` seen from an origin at `shift` (m).
pub(crate) fn shifted_pose(pose: &Pose, shift: Vector) -> Pose {
    Pose { translation: pose.translation - shift, ..*pose }
}

fn check(shift: Vector) -> Result<(), ParamErrors> {
    let mut check = ParamCheck::default();
    check.vector_within("shift", shift, MAX_DISTANCE);
    check.finish()
}
