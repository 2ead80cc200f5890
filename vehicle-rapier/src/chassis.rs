//! Chassis: the rigid body of a vehicle in the world.

use rapier3d::prelude::*;
use vehicle_core::Frame;
use vehicle_core::rigid_body::RigidBodyParams;
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::MechanicalParams;

use crate::actor::Actor;

/// Least radius of the shoulders of a wheel's collider, as a part of the wheel's smaller size
/// (dimensionless).
const SHOULDER: Real = 0.2;

/// Builds the body of a vehicle: dynamic, with the vehicle's mass properties, without gravity and
/// damping, because the vehicle brings its own.
#[derive(Clone, Debug)]
pub struct Chassis {
    params: RigidBodyParams,
    pose: Pose,
    center_of_mass: Pose,
    body: RigidBodyBuilder,
    colliders: Vec<ColliderBuilder>,
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

    /// Adds a collider for each wheel: a smooth cylinder with round shoulders where the wheel is at
    /// full compression.
    ///
    /// Road queries look down. What a wheel meets front-on or from the side, such as a wall or a high
    /// curb, pushes back through these colliders. They do not steer and have no friction, and the
    /// ground touches them only when the suspension is at its end. It comes after
    /// [`center_of_mass`](Self::center_of_mass).
    pub fn wheel_colliders<Tire: TireModel>(
        mut self,
        mechanics: &MechanicalParams<Tire>,
        frame: &Frame,
    ) -> Self {
        let along_axle = Rotation::from_rotation_arc(Vector::Y, frame.lateral());
        for (wheel, suspension) in mechanics.wheels.iter().zip(&mechanics.suspensions) {
            let mount = self.center_of_mass * suspension.attachment * suspension.wheel_attachment;
            let least = SHOULDER * wheel.radius.min(wheel.half_width);
            let round = wheel.shoulder_radius.max(least);
            let (half_width, radius) = (wheel.half_width - round, wheel.radius - round);
            let collider = ColliderBuilder::round_cylinder(half_width, radius, round)
                .position(mount * Pose::from_rotation(along_axle))
                .friction(0.0)
                .friction_combine_rule(CoefficientCombineRule::Min);
            self = self.collider(collider);
        }
        self
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
        let mass_properties = MassProperties::with_principal_inertia_frame(
            self.center_of_mass.translation,
            self.params.mass,
            self.params.inertia,
            self.center_of_mass.rotation,
        );
        let body = self
            .body
            .gravity_scale(0.0)
            .pose(self.pose)
            .additional_mass_properties(mass_properties);
        let handle = bodies.insert(body);
        for collider in self.colliders {
            colliders.insert_with_parent(collider, handle, bodies);
        }
        // The world computes the mass at its next step, and the vehicle is driven before.
        bodies[handle].recompute_mass_properties_from_colliders(colliders);
        Actor::new(handle, self.center_of_mass)
    }
}
