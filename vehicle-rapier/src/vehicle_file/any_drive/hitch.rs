//! Vehicles of any kind that are coupled.

use rapier3d::prelude::*;
use vehicle_core::Frame;
use vehicle_core::vehicle::OwnState;

use super::super::{AnyVehicle, HitchParams, VehicleFile};
use super::AnyRapierVehicle;
use crate::actor::ActorError;
use crate::placement::turned;
use crate::scene::WorldParts;
use crate::towing::REACH;

/// A joint at a hitch.
struct Coupling<'a> {
    hitch: &'a HitchParams,
    other: RigidBodyHandle,
    joint: ImpulseJointHandle,
}

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
    /// A joint holds a hitch already.
    #[error(
        "the hitch {hitch:?} must be free, but a joint holds it to {other:?}: uncouple it first"
    )]
    Taken {
        /// Name of the hitch.
        hitch: String,
        /// The body that it is coupled to.
        other: RigidBodyHandle,
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
    /// joint. Both stay where they are: put the trailer where the hitches meet. The joint is a part
    /// of the world, is saved with it, and holds until [`uncouple`](Self::uncouple).
    ///
    /// Before each of its updates, the trailer is to [follow](crate::RapierVehicle::follow).
    ///
    /// # Errors
    ///
    /// If there are no such hitches, or they are more than half a meter apart. If a joint is at one
    /// of them already. If both vehicles have one body, or a body is gone. Nothing has changed
    /// then.
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
        self.check_free(ours, joints)?;
        trailer.check_free(theirs, joints)?;
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

    /// Takes out the joints that couple a `trailer` to this vehicle, whichever of them pulls.
    /// Returns whether there was one. In a fleet, [`untow`](crate::Fleet::untow) the trailer, too.
    ///
    /// Hulls that overlap where the vehicles are coupled push each other from now on.
    pub fn uncouple<Other: OwnState>(
        &self,
        trailer: &AnyRapierVehicle<Other>,
        joints: &mut ImpulseJointSet,
    ) -> bool {
        let own = self.couplings(joints).filter(|coupling| coupling.other == trailer.body());
        let coupled: Vec<_> = own.map(|coupling| coupling.joint).collect();
        for joint in &coupled {
            joints.remove(*joint, true);
        }
        !coupled.is_empty()
    }

    /// The joints at hitches of this vehicle.
    fn couplings<'a>(&'a self, joints: &'a ImpulseJointSet) -> impl Iterator<Item = Coupling<'a>> {
        let attached = joints.attached_joints(self.body());
        attached.filter_map(|(first, second, handle, joint)| {
            let data = &joint.data;
            let (anchor, other) = if first == self.body() {
                (data.local_anchor1(), second)
            } else {
                (data.local_anchor2(), first)
            };
            let hitches = &self.vehicle.origin().file.hitches;
            let hitch = hitches.iter().find(|hitch| hitch.position == anchor)?;
            let holds = data.locked_axes.contains(JointAxesMask::LIN_AXES);
            holds.then_some(Coupling { hitch, other, joint: handle })
        })
    }

    /// Checks that no joint is at this `hitch`.
    fn check_free(
        &self,
        hitch: &HitchParams,
        joints: &ImpulseJointSet,
    ) -> Result<(), CouplingError> {
        let is_there = |coupling: &Coupling<'_>| coupling.hitch.position == hitch.position;
        self.couplings(joints).find(is_there).map_or(Ok(()), |coupling| {
            Err(CouplingError::Taken { hitch: hitch.name.clone(), other: coupling.other })
        })
    }

    /// Pose (m) of the body of a `trailer` behind this vehicle, where its hitch `theirs` meets the
    /// hitch `own`, with the same heading: where to put it, to [couple](Self::couple) it. Of one
    /// that is in the world already, [`inserted_trailer_pose`](Self::inserted_trailer_pose) says
    /// it.
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
        let theirs = trailer.file().hitch(theirs)?;
        self.pose_behind(own, theirs, &trailer.file().frame, trailer.axes_in_body(), bodies)
    }

    /// Pose (m) of the body of a `trailer` that is in the world, behind this vehicle, as of
    /// [`trailer_pose`](Self::trailer_pose). [Teleport](Self::teleport) the trailer there, after
    /// the vehicle that pulls it.
    ///
    /// # Errors
    ///
    /// As of [`trailer_pose`](Self::trailer_pose).
    pub fn inserted_trailer_pose<Other: OwnState>(
        &self,
        own: &str,
        trailer: &AnyRapierVehicle<Other>,
        theirs: &str,
        bodies: &RigidBodySet,
    ) -> Result<Pose, CouplingError> {
        let axes_in_body = trailer.actor.center_of_mass.rotation;
        let (theirs, frame) = (trailer.hitch(theirs)?, trailer.vehicle.frame());
        self.pose_behind(own, theirs, frame, axes_in_body, bodies)
    }

    /// Pose (m) of a body behind this vehicle, with its hitch `theirs`, the axes `of_trailer`, and
    /// these axes in the body.
    fn pose_behind(
        &self,
        own: &str,
        theirs: &HitchParams,
        of_trailer: &Frame,
        axes_in_body: Rotation,
        bodies: &RigidBodySet,
    ) -> Result<Pose, CouplingError> {
        let ours = self.hitch(own)?;
        let body = bodies.get(self.body()).ok_or(ActorError::Removed(self.body()))?;
        let frame = self.vehicle.frame();
        let axes = turned(
            of_trailer.longitudinal(),
            of_trailer.vertical(),
            frame.longitudinal(),
            frame.vertical(),
        );
        // The axes of a vehicle lie in its body as its center of mass does.
        let ours_in_body = self.actor.center_of_mass.rotation;
        let rotation = *body.rotation() * ours_in_body * axes * axes_in_body.inverse();
        let meeting = body.position().transform_point(ours.position);
        Ok(Pose::from_parts(meeting - rotation * theirs.position, rotation))
    }

    /// Puts a `trailer` into the world behind this vehicle, its hitch `theirs` at the hitch `own`,
    /// and couples both. It moves on with this vehicle, as a part of it would, and its wheels roll.
    ///
    /// # Errors
    ///
    /// As of [`trailer_pose`](Self::trailer_pose), and as of [`couple`](Self::couple). Nothing has
    /// changed then.
    pub fn insert_trailer<'a>(
        &self,
        own: &str,
        trailer: &AnyVehicle,
        theirs: &str,
        parts: impl Into<WorldParts<'a>>,
    ) -> Result<AnyRapierVehicle, CouplingError> {
        let parts = parts.into();
        let pose = self.trailer_pose(own, trailer, theirs, parts.bodies)?;
        self.check_free(self.hitch(own)?, parts.impulse_joints)?;
        let mut trailer = trailer.insert_into(parts.bodies, parts.colliders, pose);
        let moved = trailer.move_with(self.body(), parts.bodies);
        let coupled = moved.map_err(CouplingError::from).and_then(|()| {
            self.couple_in(own, &trailer, theirs, parts.bodies, parts.impulse_joints)
        });
        if let Err(error) = coupled {
            trailer.remove_from(parts);
            return Err(error);
        }
        Ok(trailer)
    }

    /// Moves as a part of `tractor` would, with wheels that roll.
    fn move_with(
        &mut self,
        tractor: RigidBodyHandle,
        bodies: &mut RigidBodySet,
    ) -> Result<(), ActorError> {
        let (tractor, center) = (&bodies[tractor], self.actor.body_in(bodies)?.center_of_mass());
        let velocity = RigidBodyVelocity {
            linvel: tractor.velocity_at_point(center),
            angvel: tractor.angvel(),
        };
        let (linear, angular): (Vector, Vector) = (velocity.linvel, velocity.angvel);
        let is_moving = [linear, angular] != [Vector::ZERO; 2];
        if is_moving && linear.is_finite() && angular.is_finite() {
            self.set_motion(bodies, velocity)?;
        }
        Ok(())
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
