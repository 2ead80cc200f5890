//! Vehicles of any kind that are coupled.

use rapier3d::prelude::*;
use vehicle_core::vehicle::OwnState;

use super::super::{AnyVehicle, HitchParams, VehicleFile};
use super::AnyRapierVehicle;
use crate::actor::ActorError;
use crate::placement::turned;

/// How far hitches that are coupled are apart at most (m): a joint that is pulled shut over more
/// would throw the trailer.
const REACH: Real = 0.5;

/// A hitch that a vehicle does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the hitch must be one of {known:?}, got {name:?}")]
#[non_exhaustive]
pub struct HitchError {
    /// Name of the hitch.
    pub name: String,
    /// The names of those that it has.
    pub known: Vec<String>,
}

/// Why a trailer cannot be coupled, or put at a hitch; nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CouplingError {
    /// There is no such hitch.
    #[error(transparent)]
    Hitch(#[from] HitchError),
    /// The body of the tractor or of the trailer is gone.
    #[error(transparent)]
    Actor(#[from] ActorError),
    /// Both are one body.
    #[error("the trailer must have another body than its tractor, got {0:?} for both")]
    OneBody(RigidBodyHandle),
    /// The hitches do not meet.
    #[error(
        "the hitches {own:?} and {theirs:?} must be within {REACH} m of each other, got {distance} m: \
         trailer_pose says where to put the trailer"
    )]
    Apart {
        /// Name of the tractor's hitch.
        own: String,
        /// Name of the trailer's hitch.
        theirs: String,
        /// How far they are apart (m).
        distance: Real,
    },
}

impl VehicleFile {
    /// The vehicle's hitch of this `name`.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn hitch(&self, name: &str) -> Result<&HitchParams, HitchError> {
        self.hitches.iter().find(|hitch| hitch.name == name).ok_or_else(|| HitchError {
            name: name.to_owned(),
            known: self.hitches.iter().map(|hitch| hitch.name.clone()).collect(),
        })
    }
}

impl<Own: OwnState> AnyRapierVehicle<Own> {
    /// Couples a `trailer` by its hitch `theirs` to the hitch `own` of this vehicle, by a ball
    /// joint. Both stay where they are: put the trailer where the hitches meet.
    ///
    /// Before each of its updates, the trailer is to [follow](crate::RapierVehicle::follow).
    ///
    /// # Errors
    ///
    /// If there are no such hitches, or they are more than half a meter apart. If both vehicles
    /// have one body, or a body is gone. Nothing has changed then.
    pub fn couple<Other: OwnState>(
        &self,
        own: &str,
        trailer: &AnyRapierVehicle<Other>,
        theirs: &str,
        world: &mut PhysicsWorld,
    ) -> Result<ImpulseJointHandle, CouplingError> {
        self.couple_in(own, trailer, theirs, &world.bodies, &mut world.impulse_joints)
    }

    /// Couples a `trailer` in the sets of a world, as [`couple`](Self::couple) does.
    ///
    /// # Errors
    ///
    /// As of [`couple`](Self::couple).
    pub fn couple_in<Other: OwnState>(
        &self,
        own: &str,
        trailer: &AnyRapierVehicle<Other>,
        theirs: &str,
        bodies: &RigidBodySet,
        joints: &mut ImpulseJointSet,
    ) -> Result<ImpulseJointHandle, CouplingError> {
        let (ours, theirs) = (self.hitch(own)?, trailer.hitch(theirs)?);
        if self.body() == trailer.body() {
            return Err(CouplingError::OneBody(self.body()));
        }
        let our_place = self.pose(bodies)?.transform_point(ours.position);
        let distance = our_place.distance(trailer.pose(bodies)?.transform_point(theirs.position))
            / self.params.coordinates.length_scale;
        if REACH < distance {
            let [own, theirs] = [ours, theirs].map(|hitch| hitch.name.clone());
            return Err(CouplingError::Apart { own, theirs, distance });
        }
        let joint = SphericalJointBuilder::new()
            .local_anchor1(ours.position)
            .local_anchor2(theirs.position)
            .contacts_enabled(false);
        Ok(joints.insert(self.body(), trailer.body(), joint, true))
    }

    /// Pose (m) of the body of a `trailer` behind this vehicle, where its hitch `theirs` meets the
    /// hitch `own`, with the same heading: where to put it, to [couple](Self::couple) it.
    ///
    /// # Errors
    ///
    /// If there are no such hitches, or the body of this vehicle is not in the world.
    pub fn trailer_pose(
        &self,
        own: &str,
        trailer: &AnyVehicle,
        theirs: &str,
        bodies: &RigidBodySet,
    ) -> Result<Pose, CouplingError> {
        let (ours, theirs) = (self.hitch(own)?, trailer.file().hitch(theirs)?);
        let body = bodies.get(self.body()).ok_or(ActorError::Removed(self.body()))?;
        let (frame, of_trailer) = (&self.vehicle.origin().file.frame, &trailer.file().frame);
        let axes = turned(
            of_trailer.longitudinal(),
            of_trailer.vertical(),
            frame.longitudinal(),
            frame.vertical(),
        );
        // The axes of a vehicle lie in its body as its center of mass does.
        let [ours_in_body, theirs_in_body] =
            [self.actor.center_of_mass.rotation, trailer.axes_in_body()];
        let rotation = *body.rotation() * ours_in_body * axes * theirs_in_body.inverse();
        let meeting = body.position().transform_point(ours.position);
        Ok(Pose::from_parts(meeting - rotation * theirs.position, rotation))
    }

    /// Puts a `trailer` into the world behind this vehicle, its hitch `theirs` at the hitch `own`,
    /// and couples both.
    ///
    /// # Errors
    ///
    /// As of [`trailer_pose`](Self::trailer_pose).
    pub fn insert_trailer(
        &self,
        own: &str,
        trailer: &AnyVehicle,
        theirs: &str,
        world: &mut PhysicsWorld,
    ) -> Result<AnyRapierVehicle, CouplingError> {
        let pose = self.trailer_pose(own, trailer, theirs, &world.bodies)?;
        let trailer = trailer.insert(world, pose);
        self.couple(own, &trailer, theirs, world)?;
        Ok(trailer)
    }

    /// The vehicle's hitch of this `name`.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn hitch(&self, name: &str) -> Result<&HitchParams, HitchError> {
        self.vehicle.origin().file.hitch(name)
    }
}
