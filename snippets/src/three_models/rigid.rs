//! The car on rigid wheels: each a body of the world, on a joint along its travel and about its
//! axle.
//!
//! Joints carry the suspension and hold the brakes, and contacts without friction carry the wheels.
//! The tires are the friction blocks of the car by constraints, on the loads of the contacts. A
//! contact with friction would do without tires, but a rolling cylinder hops on its contact points.

use anyhow::{Context, Result};
use rapier3d::glamx::{DMat3, DQuat, DVec3};
use rapier3d::prelude::*;

use super::car::{BodyMotion, CarData, CarriedWheel, Contact, Orders, RoadHit, WHEELS};
use super::chassis::BareChassis;
use super::constraints::{ConstraintCar, ConstraintParams, LargeSlip};
use super::wheel_body::WheelBody;

/// How far below a wheel the road is looked for (m).
const REACH: f64 = 0.2;

/// The wheels of a car as bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidWheels {
    wheels: [WheelBody; WHEELS],
    chassis: BareChassis,
    /// The tires.
    pub tires: ConstraintCar,
    /// Loads of the last two steps (N).
    loads: [[f64; 2]; WHEELS],
    /// How the chassis was turned before the last step of the world.
    before: DQuat,
}

/// Sums over parts: mass (kg), mass times place (kg·m), momentum (kg·m/s).
#[derive(Clone, Copy, Debug, Default)]
struct Momentum {
    mass: f64,
    place: DVec3,
    linear: DVec3,
}

impl RigidWheels {
    /// Gives the car in `world` wheels that move as `carried` says; the chassis, whose center of
    /// mass is `center` (m) in its `body`, loses their mass.
    ///
    /// # Errors
    ///
    /// If the wheels are too heavy, or the body is gone.
    pub fn insert(
        data: &CarData,
        world: &mut PhysicsWorld,
        (body, center): (RigidBodyHandle, Vector),
        motion: &BodyMotion,
        carried: &[CarriedWheel; WHEELS],
    ) -> Result<Self> {
        let gravity = world.gravity.as_dvec3().length();
        let chassis = data.bare_chassis(gravity)?;
        let (velocity, angular) = chassis.split(data, motion, carried);
        let mut wheels = Vec::with_capacity(WHEELS);
        for (wheel, carried) in carried.iter().enumerate() {
            let hub = motion.turn * data.hub(wheel, carried.jounce);
            let relative = motion.turn * DVec3::Y * carried.jounce_speed;
            let moved = velocity + angular.cross(hub) + relative;
            let at = BodyMotion {
                place: motion.place + hub,
                turn: motion.turn * DQuat::from_rotation_y(carried.steer),
                velocity: moved,
                angular,
            };
            wheels.push(WheelBody::insert((data, wheel), world, (body, center), &at, carried));
        }
        let own = world.bodies.get_mut(body).context("the car's body is gone")?;
        let properties = MassProperties::with_inertia_matrix(
            center + chassis.center.as_vec3(),
            chassis.mass as Real,
            chassis.inertia.as_mat3(),
        );
        own.set_gravity_scale(1.0, true);
        own.set_additional_mass_properties(properties, true);
        own.recompute_mass_properties_from_colliders(&world.colliders);
        let at_center = velocity + angular.cross(motion.turn * chassis.center);
        own.set_vels(RigidBodyVelocity::new(at_center.as_vec3(), angular.as_vec3()), true);
        let wheels = wheels.try_into().ok().context("a car has four wheels")?;
        let mut tires = ConstraintCar {
            params: ConstraintParams {
                large_slip: LargeSlip::Brush,
                ..ConstraintParams::default()
            },
            ..ConstraintCar::default()
        };
        tires.carry_on(carried, f64::from(world.integration_parameters.dt));
        let loads = carried.map(|wheel| [wheel.load; 2]);
        let dt = f64::from(world.integration_parameters.dt);
        let before = DQuat::from_scaled_axis(angular * -dt) * motion.turn;
        Ok(Self { wheels, chassis, tires, loads, before })
    }

    /// Takes the wheels out of the world, and gives the chassis the mass of the whole car and the
    /// motion of all.
    ///
    /// # Errors
    ///
    /// If a body is gone.
    pub fn remove(
        self,
        data: &CarData,
        world: &mut PhysicsWorld,
        (body, center): (RigidBodyHandle, Vector),
    ) -> Result<()> {
        let motion = self.motion(data, world, (body, center))?;
        for wheel in &self.wheels {
            for joint in wheel.joints {
                world.remove_impulse_joint(joint);
            }
            for part in [wheel.body, wheel.hub] {
                world.remove_body_with_colliders(part, true);
            }
        }
        let own = world.bodies.get_mut(body).context("the car's body is gone")?;
        let properties = MassProperties::new(center, data.mass as Real, data.inertia.as_vec3());
        own.set_gravity_scale(0.0, true);
        own.reset_forces(true);
        own.reset_torques(true);
        own.set_additional_mass_properties(properties, true);
        own.recompute_mass_properties_from_colliders(&world.colliders);
        own.set_vels(
            RigidBodyVelocity::new(motion.velocity.as_vec3(), motion.angular.as_vec3()),
            true,
        );
        Ok(())
    }

    /// Motion of the car as one body, at its center of mass in `body`.
    ///
    /// ```text
    /// v = Σ m v / M,   ω = I⁻¹ (H - Σ J Ω ℓ)
    /// ```
    ///
    /// # Errors
    ///
    /// If a body is gone.
    pub fn motion(
        &self,
        data: &CarData,
        world: &PhysicsWorld,
        (body, center): (RigidBodyHandle, Vector),
    ) -> Result<BodyMotion> {
        let own = world.bodies.get(body).context("the car's body is gone")?;
        let turn = own.position().rotation.as_dquat();
        let mut all = Momentum::default();
        let mut add = |mass: f64, place: DVec3, velocity: DVec3| {
            all.mass += mass;
            all.place += place * mass;
            all.linear += velocity * mass;
        };
        add(self.chassis.mass, own.center_of_mass().as_dvec3(), own.linvel().as_dvec3());
        for (handle, mass, _) in self.parts(data) {
            let part = world.bodies.get(handle).context("a wheel's body is gone")?;
            add(mass, part.translation().as_dvec3(), part.linvel().as_dvec3());
        }
        let (middle, velocity) = (all.place / all.mass, all.linear / all.mass);
        let rate = own.angvel().as_dvec3();
        let turning = |inertia: DMat3, rate: DVec3| turn * (inertia * (turn.inverse() * rate));
        let mut angular = turning(self.chassis.inertia, rate)
            + (own.center_of_mass().as_dvec3() - middle)
                .cross((own.linvel().as_dvec3() - velocity) * self.chassis.mass);
        for (handle, mass, inertia) in self.parts(data) {
            let part = world.bodies.get(handle).context("a wheel's body is gone")?;
            // A wheel turns with the body but for its spin, which is no part of the body's motion.
            angular += turning(DMat3::from_diagonal(inertia), rate)
                + (part.translation().as_dvec3() - middle)
                    .cross((part.linvel().as_dvec3() - velocity) * mass);
        }
        let inertia = DMat3::from_diagonal(data.inertia.recip());
        Ok(BodyMotion {
            place: own.position().transform_point(center).as_dvec3(),
            turn,
            velocity,
            angular: turning(inertia, angular),
        })
    }

    /// What the wheels do.
    ///
    /// # Errors
    ///
    /// If a body is gone.
    pub fn carried(
        &self,
        data: &CarData,
        world: &PhysicsWorld,
        (body, center): (RigidBodyHandle, Vector),
        orders: &Orders,
    ) -> Result<[CarriedWheel; WHEELS]> {
        let own = world.bodies.get(body).context("the car's body is gone")?;
        let (turn, rate) = (own.position().rotation.as_dquat(), own.angvel().as_dvec3());
        let place = own.position().transform_point(center).as_dvec3();
        let dt = f64::from(world.integration_parameters.dt);
        let mut carried = Vec::with_capacity(WHEELS);
        for (index, state) in self.wheels.iter().enumerate() {
            let wheel = world.bodies.get(state.body).context("a wheel's body is gone")?;
            let hub = world.bodies.get(state.hub).context("a hub's body is gone")?;
            let arm = turn.inverse() * (hub.translation().as_dvec3() - place);
            let moved = hub.linvel().as_dvec3()
                - own.linvel().as_dvec3()
                - rate.cross(hub.translation().as_dvec3() - own.center_of_mass().as_dvec3());
            let axle = turn * DQuat::from_rotation_y(orders[index].steer) * DVec3::X;
            let [along, across] = [2, 3].map(|row| self.tires.wheels[index].impulses[row] / dt);
            carried.push(CarriedWheel {
                speed: axle.dot(wheel.angvel().as_dvec3() - rate),
                angle: state.angle,
                jounce: arm.y - data.hub(index, 0.0).y,
                jounce_speed: moved.dot(turn * DVec3::Y),
                force: [along, across],
                load: self.load(index),
                steer: orders[index].steer,
            });
        }
        carried.try_into().ok().context("a car has four wheels")
    }

    /// Bodies of wheels and hubs, with mass (kg) and inertia (kg·m²).
    fn parts<'a>(
        &'a self,
        data: &'a CarData,
    ) -> impl Iterator<Item = (RigidBodyHandle, f64, DVec3)> + 'a {
        self.wheels.iter().enumerate().flat_map(|(index, wheel)| {
            let ([hub_mass, mass], [hub, inertia]) = data.wheel_parts(index);
            [(wheel.hub, hub_mass, hub), (wheel.body, mass, inertia)]
        })
    }

    /// Load of a wheel (N): the mean of the last two steps.
    pub fn load(&self, wheel: usize) -> f64 {
        0.5 * (self.loads[wheel][0] + self.loads[wheel][1])
    }

    /// Bodies of the hubs, which have the wheels' colliders.
    pub fn hubs(&self) -> [RigidBodyHandle; WHEELS] {
        self.wheels.map(|wheel| wheel.hub)
    }

    /// How far a wheel is from where its joint lets it be (m), and its axle from its direction
    /// (rad).
    ///
    /// # Errors
    ///
    /// If a body is gone.
    pub fn errors(
        &self,
        data: &CarData,
        world: &PhysicsWorld,
        (body, center): (RigidBodyHandle, Vector),
        orders: &Orders,
    ) -> Result<[f64; 2]> {
        let own = world.bodies.get(body).context("the car's body is gone")?;
        let (turn, place) =
            (own.position().rotation.as_dquat(), own.position().transform_point(center).as_dvec3());
        let mut worst: [f64; 2] = [0.0; 2];
        for (index, state) in self.wheels.iter().enumerate() {
            let wheel = world.bodies.get(state.body).context("a wheel's body is gone")?;
            let arm = turn.inverse() * (wheel.translation().as_dvec3() - place)
                - data.wheels[index].mount;
            let axle = turn * DQuat::from_rotation_y(orders[index].steer) * DVec3::X;
            let own_axle = wheel.position().rotation.as_dquat() * DVec3::X;
            worst[0] = worst[0].max(arm.x.hypot(arm.z));
            worst[1] = worst[1].max(axle.cross(own_axle).length());
        }
        Ok(worst)
    }

    /// Readies the world's step: loads, tires, drives and brakes. The `road` answers to a ray.
    ///
    /// # Errors
    ///
    /// If a body is gone.
    pub fn drive(
        &mut self,
        data: &CarData,
        world: &mut PhysicsWorld,
        (body, center): (RigidBodyHandle, Vector),
        orders: &Orders,
        road: impl Fn(&PhysicsWorld, DVec3, DVec3, f64) -> Option<RoadHit>,
    ) -> Result<()> {
        let dt = f64::from(world.integration_parameters.dt);
        let motion = self.motion(data, world, (body, center))?;
        let carried = self.carried(data, world, (body, center), orders)?;
        let contacts = self.contacts(data, world, &motion, &carried, road)?;
        for (tire, carried) in self.tires.wheels.iter_mut().zip(&carried) {
            tire.speed = carried.speed;
        }
        let loads = std::array::from_fn(|wheel| self.load(wheel));
        let under = (world.gravity.as_dvec3(), &loads);
        self.tires.step_under(data, &mut { motion }, (orders, &contacts), under, dt);
        self.before = motion.turn;
        let chassis = world.bodies.get_mut(body).context("the car's body is gone")?;
        chassis.reset_torques(true);
        for index in 0..WHEELS {
            let order = &orders[index];
            let axle = motion.turn * DQuat::from_rotation_y(order.steer) * DVec3::X;
            world.bodies[body].add_torque((axle * -order.drive).as_vec3(), true);
            let impulses = &self.tires.wheels[index].impulses;
            let [forward, left] = self.tires.directions[index];
            let force = (forward * impulses[2] + left * impulses[3]) / dt;
            let state = &mut self.wheels[index];
            state.before = world.bodies[state.hub].translation().as_dvec3();
            let wheel = &mut world.bodies[state.body];
            wheel.reset_forces(true);
            wheel.reset_torques(true);
            wheel.add_torque((axle * order.drive).as_vec3(), true);
            if let Some(contact) = &contacts[index] {
                wheel.add_force_at_point(force.as_vec3(), contact.point.as_vec3(), true);
            }
            let is_rebound = carried[index].jounce_speed < 0.0;
            state.tell(&data.wheels[index], order, is_rebound, world)?;
        }
        Ok(())
    }

    /// Where the wheels of the car that moves so meet the road.
    ///
    /// They move as they have in the last step: a solver of joints leaves a little velocity that
    /// moves nothing.
    fn contacts(
        &self,
        data: &CarData,
        world: &PhysicsWorld,
        motion: &BodyMotion,
        carried: &[CarriedWheel; WHEELS],
        road: impl Fn(&PhysicsWorld, DVec3, DVec3, f64) -> Option<RoadHit>,
    ) -> Result<[Option<Contact>; WHEELS]> {
        let dt = f64::from(world.integration_parameters.dt);
        let turning = (motion.turn * self.before.inverse()).to_scaled_axis() / dt;
        let down = motion.turn * DVec3::NEG_Y;
        let mut contacts = [None; WHEELS];
        for (index, contact) in contacts.iter_mut().enumerate() {
            let state = &self.wheels[index];
            let hub = world.bodies.get(state.hub).context("a hub's body is gone")?;
            let (hub, radius) = (hub.translation().as_dvec3(), data.wheels[index].radius);
            let gone = (hub - state.before) / dt;
            let hit = road(world, hub, down, radius + REACH);
            *contact = hit.map(|(_, normal, friction, velocity)| {
                let (point, foot) = (hub - normal * radius, normal * -radius);
                let seen = gone + turning.cross(foot);
                let shown = motion.velocity_at(point - motion.place);
                let velocity = velocity - (seen - shown);
                Contact { point, normal, velocity, friction, jounce: carried[index].jounce }
            });
        }
        Ok(contacts)
    }

    /// Looks at the world after its step: loads and angles.
    pub fn look(&mut self, world: &PhysicsWorld) {
        let dt = f64::from(world.integration_parameters.dt);
        for (index, wheel) in self.wheels.iter_mut().enumerate() {
            let pairs = world.contact_pairs_with(wheel.collider);
            let load: f64 = pairs.map(|pair| f64::from(pair.total_impulse_magnitude())).sum();
            self.loads[index] = [self.loads[index][1], load / dt];
            wheel.angle += self.tires.wheels[index].speed * dt;
        }
    }
}
