//! A wheel as bodies of the world, and its joints.

use anyhow::{Context, Result};
use rapier3d::glamx::{DQuat, DVec3};
use rapier3d::prelude::*;

use super::car::{BodyMotion, CarData, CarriedWheel, WheelData, WheelOrder};

/// Factor of the motor that is a brake, per inertia of the wheel (1/s): its bound alone counts.
const BRAKE_FACTOR: f64 = 1e4;
/// Iterations of the world's solver beyond its own: two light bodies in a row under a heavy one
/// take as many until a tire's force reaches the chassis.
const ITERATIONS: usize = 28;

/// A wheel in the world: a hub that travels, and what turns on it.
///
/// The contact is the hub's. On a body that turns, the points of a contact would turn along within
/// the step of the world, and the wheel would sink as it rolls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WheelBody {
    pub(super) hub: RigidBodyHandle,
    pub(super) body: RigidBodyHandle,
    pub(super) collider: ColliderHandle,
    pub(super) joints: [ImpulseJointHandle; 2],
    pub(super) angle: f64,
    /// Where the hub was before the last step of the world (m).
    pub(super) before: DVec3,
}

/// Turns a wheel to the left (rad).
fn steered(steer: f64) -> Rotation {
    Rotation::from_rotation_y(steer as Real)
}

impl WheelBody {
    /// A hub that moves so, and its wheel.
    pub(super) fn insert(
        (data, wheel): (&CarData, usize),
        world: &mut PhysicsWorld,
        (chassis, center): (RigidBodyHandle, Vector),
        at: &BodyMotion,
        carried: &CarriedWheel,
    ) -> Self {
        let ([hub_mass, mass], [hub_inertia, inertia]) = data.wheel_parts(wheel);
        let axle = at.turn * DVec3::X;
        let built = |turn: DQuat, spin: f64, mass: f64, inertia: DVec3| {
            let properties = MassProperties::new(Vector::ZERO, mass as Real, inertia.as_vec3());
            RigidBodyBuilder::dynamic()
                .pose(Pose::from_parts(at.place.as_vec3(), turn.as_quat()))
                .linvel(at.velocity.as_vec3())
                .angvel((at.angular + axle * spin).as_vec3())
                .additional_mass_properties(properties)
                .allow_fast_rotation(true)
                .additional_solver_iterations(ITERATIONS)
                .can_sleep(false)
        };
        let ball = ColliderBuilder::ball(data.wheels[wheel].radius as Real)
            .friction(0.0)
            .friction_combine_rule(CoefficientCombineRule::Min)
            .density(0.0);
        let (hub, collider) = world.insert(built(at.turn, 0.0, hub_mass, hub_inertia), ball);
        let turn = at.turn * DQuat::from_rotation_x(carried.angle);
        let body = world.insert_body(built(turn, carried.speed, mass, inertia));
        for part in [hub, body] {
            world.bodies[part].recompute_mass_properties_from_colliders(&world.colliders);
        }
        let gravity = world.gravity.as_dvec3().length();
        let slide = slide_joint(data, wheel, center, gravity, carried.steer);
        let joints = [
            world.insert_impulse_joint(chassis, hub, slide),
            world.insert_impulse_joint(hub, body, axle_joint(data, wheel)),
        ];
        let dt = f64::from(world.integration_parameters.dt);
        let before = at.place - at.velocity * dt;
        Self { hub, body, collider, joints, angle: carried.angle, before }
    }

    /// Tells the joints steer angle, damping and brake.
    pub(super) fn tell(
        &self,
        data: &WheelData,
        order: &WheelOrder,
        is_rebound: bool,
        world: &mut PhysicsWorld,
    ) -> Result<()> {
        let [slide, turn] = self.joints;
        let joint = world.impulse_joints.get_mut(slide, true).context("a hub's joint is gone")?;
        joint.data.local_frame1.rotation = steered(order.steer);
        joint.data.motors[JointAxis::LinY as usize].damping =
            data.damping[usize::from(is_rebound)] as Real;
        let joint = world.impulse_joints.get_mut(turn, true).context("a wheel's joint is gone")?;
        joint.data.set_motor_velocity(JointAxis::AngX, 0.0, (BRAKE_FACTOR * data.inertia) as Real);
        joint.data.set_motor_max_force(JointAxis::AngX, order.brake as Real);
        Ok(())
    }
}

/// The joint of a hub: along its travel, on spring and damper.
///
/// Its spring carries the car without the wheels at the jounce at which the car's carries all.
fn slide_joint(
    data: &CarData,
    wheel: usize,
    center: Vector,
    gravity: f64,
    steer: f64,
) -> GenericJoint {
    let params = &data.wheels[wheel];
    let own = params.mass * gravity / params.stiffness;
    let target = (own - params.travel) as Real;
    let [stiffness, damping] = [params.stiffness, params.damping[0]].map(|value| value as Real);
    GenericJointBuilder::new(JointAxesMask::all() & !JointAxesMask::LIN_Y)
        .local_frame1(Pose::from_parts(center + params.mount.as_vec3(), steered(steer)))
        .contacts_enabled(false)
        .limits(JointAxis::LinY, [-params.travel as Real, 0.0])
        .motor_model(JointAxis::LinY, MotorModel::ForceBased)
        .motor_position(JointAxis::LinY, target, stiffness, damping)
        .build()
}

/// The joint of a wheel on its hub: about the axle, with its brake.
fn axle_joint(data: &CarData, wheel: usize) -> GenericJoint {
    let factor = (BRAKE_FACTOR * data.wheels[wheel].inertia) as Real;
    GenericJointBuilder::new(JointAxesMask::all() & !JointAxesMask::ANG_X)
        .contacts_enabled(false)
        .motor_model(JointAxis::AngX, MotorModel::ForceBased)
        .motor_velocity(JointAxis::AngX, 0.0, factor)
        .motor_max_force(JointAxis::AngX, 0.0)
        .build()
}
