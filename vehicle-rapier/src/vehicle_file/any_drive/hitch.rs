//! Vehicles of any kind that are coupled.

use rapier3d::prelude::*;
use vehicle_core::vehicle::OwnState;

use super::super::{AnyVehicle, HitchParams, VehicleFile};
use super::AnyRapierVehicle;
use crate::actor::ActorError;
use crate::placement::turned;

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

/// Why a trailer cannot be put at a hitch; nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CouplingError {
    /// There is no such hitch.
    #[error(transparent)]
    Hitch(#[from] HitchError),
    /// The body of the tractor is gone.
    #[error(transparent)]
    Actor(#[from] ActorError),
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
    /// If there are no such hitches; nothing has changed then.
    pub fn couple<Other: OwnState>(
        &self,
        own: &str,
        trailer: &AnyRapierVehicle<Other>,
        theirs: &str,
        world: &mut PhysicsWorld,
    ) -> Result<ImpulseJointHandle, HitchError> {
        self.couple_in(own, trailer, theirs, &mut world.impulse_joints)
    }

    /// Couples a `trailer` by a joint of this set, as [`couple`](Self::couple) does.
    ///
    /// # Errors
    ///
    /// As of [`couple`](Self::couple).
    pub fn couple_in<Other: OwnState>(
        &self,
        own: &str,
        trailer: &AnyRapierVehicle<Other>,
        theirs: &str,
        joints: &mut ImpulseJointSet,
    ) -> Result<ImpulseJointHandle, HitchError> {
        let (ours, theirs) = (self.hitch(own)?, trailer.hitch(theirs)?);
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
