//! Bodies that are joined to a vehicle and do not collide with it: its trailer, a plow, a door.

use rapier3d::prelude::*;

/// The joints of a vehicle's body.
#[derive(Clone, Copy)]
pub(super) struct Joined<'a> {
    pub(super) own_body: RigidBodyHandle,
    /// The joints of the world, if this body has any.
    by_impulses: Option<&'a ImpulseJointSet>,
    of_multibodies: Option<&'a MultibodyJointSet>,
}

impl<'a> Joined<'a> {
    /// No joints of `own_body`.
    pub(super) fn none(own_body: RigidBodyHandle) -> Self {
        Self { own_body, by_impulses: None, of_multibodies: None }
    }

    /// The joints of `own_body` in a world.
    pub(super) fn of(
        own_body: RigidBodyHandle,
        by_impulses: Option<&'a ImpulseJointSet>,
        of_multibodies: Option<&'a MultibodyJointSet>,
    ) -> Self {
        let is_joined =
            |joints: &&ImpulseJointSet| joints.attached_joints(own_body).next().is_some();
        let is_link = |joints: &&MultibodyJointSet| joints.rigid_body_link(own_body).is_some();
        let by_impulses = by_impulses.filter(is_joined);
        Self { own_body, by_impulses, of_multibodies: of_multibodies.filter(is_link) }
    }

    /// Whether the vehicle's body has joints.
    pub(super) fn is_any(&self) -> bool {
        self.by_impulses.is_some() || self.of_multibodies.is_some()
    }

    /// Whether `collider` is on a body that is joined to the vehicle's own and does not collide
    /// with it.
    pub(super) fn has(&self, collider: &Collider) -> bool {
        let Some(body) = collider.parent() else { return false };
        let is_passed = |joints: &ImpulseJointSet| {
            let mut between = joints.joints_between(self.own_body, body);
            between.any(|(_, joint)| !joint.data.contacts_enabled())
        };
        let is_linked = |joints: &MultibodyJointSet| {
            let link = joints.joint_between(self.own_body, body);
            link.is_some_and(|(_, links, link)| {
                !links.self_contacts_enabled() || !link.joint.data.contacts_enabled()
            })
        };
        self.by_impulses.is_some_and(is_passed) || self.of_multibodies.is_some_and(is_linked)
    }
}
