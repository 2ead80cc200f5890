//! Chassis: the rigid body of a vehicle in the world.

use rapier3d::prelude::*;
use vehicle_core::Frame;
use vehicle_core::rigid_body::RigidBodyParams;
use vehicle_core::suspension::SuspensionParams;
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::wheel::WheelParams;

use crate::actor::{Actor, ActorError};
use crate::wheel_colliders::{WheelColliders, wheel_collider};

/// Builds the body of a vehicle: dynamic, with the vehicle's mass properties, without gravity and
/// damping, because the vehicle brings its own.
#[derive(Clone, Debug)]
pub struct Chassis {
    params: RigidBodyParams,
    pose: Pose,
    center_of_mass: Pose,
    body: RigidBodyBuilder,
    colliders: Vec<ColliderBuilder>,
    wheels: Vec<(WheelParams, SuspensionParams)>,
    frame: Frame,
}

impl Chassis {
    /// A chassis of the given mass and inertia, at the origin, its center of mass at the body's
    /// own origin, without colliders.
    pub fn new(params: &RigidBodyParams) -> Self {
        Self {
            params: *params,
            pose: Pose::IDENTITY,
            center_of_mass: Pose::IDENTITY,
            body: RigidBodyBuilder::dynamic().gravity_scale(0.0),
            colliders: Vec::new(),
            wheels: Vec::new(),
            frame: Frame::default(),
        }
    }

    /// Pose of the body in the world (m).
    pub fn pose(mut self, pose: Pose) -> Self {
        self.pose = pose;
        self
    }

    /// Center of mass and principal axes of inertia in the body (m).
    pub fn center_of_mass(mut self, center_of_mass: Pose) -> Self {
        self.center_of_mass = center_of_mass;
        self
    }

    /// Adds a collider, placed in the body. It adds no mass: the chassis has its own.
    pub fn collider(mut self, collider: ColliderBuilder) -> Self {
        self.colliders.push(collider.density(0.0));
        self
    }

    /// Gives each wheel a collider: what it meets front-on or from the side, such as a wall or a
    /// high kerb, pushes back. See [`wheel_colliders`](crate::wheel_colliders).
    pub fn wheel_colliders<Tire: TireModel>(
        mut self,
        mechanics: &MechanicalParams<Tire>,
        frame: &Frame,
    ) -> Self {
        let wheels = mechanics.wheels.iter().zip(&mechanics.suspensions);
        self.wheels = wheels.map(|(wheel, suspension)| (*wheel, *suspension)).collect();
        self.frame = *frame;
        self
    }

    /// The colliders of its wheels, around the center of mass that it has in the end.
    fn wheel_builders(&self) -> Vec<ColliderBuilder> {
        let builder = |(wheel, suspension): &(_, _)| {
            wheel_collider(wheel, suspension, &self.center_of_mass, &self.frame)
        };
        self.wheels.iter().map(builder).collect()
    }

    /// Changes what else the body has: whether it can sleep, its dominance, damping, user data.
    ///
    /// Mass, pose and gravity are the chassis's own and are set after this.
    pub fn configure(mut self, change: impl FnOnce(RigidBodyBuilder) -> RigidBodyBuilder) -> Self {
        self.body = change(self.body);
        self
    }

    /// Pose of the center of mass in the world (m): where the vehicle's state begins.
    pub fn center_of_mass_pose(&self) -> Pose {
        self.pose * self.center_of_mass
    }

    /// Inserts body and colliders, ready to be driven before the world's next step.
    pub fn insert(self, bodies: &mut RigidBodySet, colliders: &mut ColliderSet) -> Actor {
        self.insert_with_wheels(bodies, colliders).0
    }

    /// Inserts body and colliders; those of the wheels can [follow](WheelColliders::follow) them.
    pub fn insert_with_wheels(
        self,
        bodies: &mut RigidBodySet,
        colliders: &mut ColliderSet,
    ) -> (Actor, WheelColliders) {
        let wheel_builders = self.wheel_builders();
        let body = self
            .body
            .gravity_scale(0.0)
            .pose(self.pose)
            .additional_mass_properties(mass_properties(&self.params, &self.center_of_mass));
        let handle = bodies.insert(body);
        insert_all(self.colliders, handle, bodies, colliders);
        let wheels = insert_all(wheel_builders, handle, bodies, colliders);
        // The world computes the mass at its next step, and the vehicle is driven before.
        bodies[handle].recompute_mass_properties_from_colliders(colliders);
        (Actor::of_chassis(handle, self.center_of_mass), WheelColliders::new(wheels))
    }

    /// Makes `body`, which is in the world already, this chassis: it gets its mass and inertia, and
    /// has no gravity, damping and locked axes any more. Its own colliders stay, and lose their
    /// mass; those of the chassis are added. Pose, motion and all else stay as they are: what
    /// [`pose`](Self::pose) and [`configure`](Self::configure) say is for a body that is made.
    ///
    /// The vehicle then drives as on a body that was [inserted](Self::insert).
    ///
    /// # Errors
    ///
    /// If the body is gone or not dynamic; nothing has changed then.
    pub fn adopt(
        self,
        body: RigidBodyHandle,
        bodies: &mut RigidBodySet,
        colliders: &mut ColliderSet,
    ) -> Result<(Actor, WheelColliders), ActorError> {
        let wheel_builders = self.wheel_builders();
        let actor = Actor::of_chassis(body, self.center_of_mass);
        actor.dynamic_body(bodies)?;
        for &collider in bodies[body].colliders() {
            if let Some(collider) = colliders.get_mut(collider) {
                collider.set_density(0.0);
            }
        }
        insert_all(self.colliders, body, bodies, colliders);
        let wheels = insert_all(wheel_builders, body, bodies, colliders);
        let own = &mut bodies[body];
        own.set_gravity_scale(0.0, true);
        own.set_linear_damping(0.0);
        own.set_angular_damping(0.0);
        own.set_locked_axes(LockedAxes::empty(), true);
        let properties = mass_properties(&self.params, &self.center_of_mass);
        own.set_additional_mass_properties(properties, true);
        own.recompute_mass_properties_from_colliders(colliders);
        Ok((actor, WheelColliders::new(wheels)))
    }
}

fn insert_all(
    builders: Vec<ColliderBuilder>,
    body: RigidBodyHandle,
    bodies: &mut RigidBodySet,
    colliders: &mut ColliderSet,
) -> Vec<ColliderHandle> {
    let builders = builders.into_iter();
    builders.map(|builder| colliders.insert_with_parent(builder, body, bodies)).collect()
}

/// Mass properties of a body that has its center of mass and principal axes at `center_of_mass`
/// (m).
pub(crate) fn mass_properties(params: &RigidBodyParams, center_of_mass: &Pose) -> MassProperties {
    let Pose { rotation, translation, .. } = *center_of_mass;
    MassProperties::with_principal_inertia_frame(translation, params.mass, params.inertia, rotation)
}
