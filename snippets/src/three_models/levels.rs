//! A car in one of its three models, and the change from one to another while it drives.

use anyhow::{Context, Result};
use rapier3d::glamx::DVec3;
use rapier3d::prelude::*;
use vehicle_rapier::core::tire::{StickyState, TireStickyState};
use vehicle_rapier::prelude::*;

use super::car::{BodyMotion, CarData, CarriedWheel, Orders, RoadHit, WHEELS, mechanics};
use super::constraints::ConstraintCar;
pub use super::level_of_detail::{Level, LevelOfDetail};
use super::rigid::RigidWheels;

/// Speed below which tires of a car that becomes one by forces stick at once (m/s).
const STANDING: f64 = 0.01;
/// How near to the end of a suspension's travel is at it (m).
const AT_LIMIT: f64 = 1e-3;
/// Substeps of the car by forces.
const SUBSTEPS: u32 = 3;
/// Half extents of the hull (m), and how far it is above the center of mass.
const HULL: Vector = Vector::new(0.8, 0.35, 2.1);
const HULL_HEIGHT: Real = 0.25;

/// Frequency of contacts with the ground in a world in which wheels are bodies (Hz): at Rapier's 60
/// Hz, wheels of 20 kg sink by 1.6 mm under a car.
const GROUND_FREQUENCY: Real = 240.0;

/// A world on whose ground wheels that are bodies sink by no more than 0.1 mm, in steps of `dt`
/// (s).
pub fn firm_world(dt: Real) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = dt;
    world.integration_parameters.static_contact_softness.natural_frequency = GROUND_FREQUENCY;
    world
}

/// A car in a world.
pub struct ModelCar {
    /// Its numbers.
    pub data: CarData,
    /// The library's vehicle, which rests while another model drives its body.
    pub forces: RapierVehicle<DirectDriveVehicle>,
    /// The car by constraints, if it is one.
    pub constraints: Option<ConstraintCar>,
    /// Its wheels as bodies, if they are.
    pub rigid: Option<RigidWheels>,
    /// What its wheels were told last.
    pub orders: Orders,
    center: Vector,
    /// What was handed over, until the first step after it.
    carried: Option<[CarriedWheel; WHEELS]>,
}

impl ModelCar {
    /// The car by forces at `pose` of its center of mass (m).
    ///
    /// # Errors
    ///
    /// None with the car as it is.
    pub fn insert(world: &mut PhysicsWorld, pose: Pose) -> Result<Self> {
        Self::insert_with(world, pose, mechanics()?)
    }

    /// The car of other parameters of the library.
    ///
    /// # Errors
    ///
    /// All faults of the parameters.
    pub(super) fn insert_with(
        world: &mut PhysicsWorld,
        pose: Pose,
        mechanics: MechanicalParams,
    ) -> Result<Self> {
        let data = CarData::of(&mechanics)?;
        let hull = ColliderBuilder::cuboid(HULL.x, HULL.y, HULL.z)
            .translation(Vector::Y * HULL_HEIGHT)
            .friction(0.5);
        // Models are compared, and one that sleeps does nothing.
        let chassis = Chassis::new(&mechanics.rigid_body)
            .configure(|body| body.can_sleep(false))
            .pose(pose)
            .collider(hull);
        let throttle = CommandResponseParams::linear(0.0, [0.0; WHEELS]);
        let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
        let sequence = DirectDriveVehicle::sequence_of_written_torques(|_| SUBSTEPS);
        let forces = RapierVehicle::insert(world, chassis, vehicle, sequence);
        let orders = Orders::default();
        let (constraints, rigid, carried, center) = (None, None, None, Vector::ZERO);
        Ok(Self { data, forces, constraints, rigid, orders, center, carried })
    }

    /// Its body.
    pub fn body(&self) -> RigidBodyHandle {
        self.forces.actor.body
    }

    fn own(&self) -> (RigidBodyHandle, Vector) {
        (self.body(), self.center)
    }

    /// The model that it is.
    pub fn level(&self) -> Level {
        match (&self.constraints, &self.rigid) {
            (Some(_), _) => Level::Constraints,
            (_, Some(_)) => Level::RigidWheels,
            _ => Level::Forces,
        }
    }

    /// Its motion as one body.
    ///
    /// # Errors
    ///
    /// If a body is gone.
    pub fn motion(&self, world: &PhysicsWorld) -> Result<BodyMotion> {
        if let Some(rigid) = &self.rigid {
            return rigid.motion(&self.data, world, self.own());
        }
        let body = world.bodies.get(self.body()).context("the car's body is gone")?;
        Ok(BodyMotion {
            place: body.position().transform_point(self.center).as_dvec3(),
            turn: body.position().rotation.as_dquat(),
            velocity: body.linvel().as_dvec3(),
            angular: body.angvel().as_dvec3(),
        })
    }

    /// What its wheels do.
    ///
    /// # Errors
    ///
    /// If a body is gone.
    pub fn wheels(&self, world: &PhysicsWorld) -> Result<[CarriedWheel; WHEELS]> {
        if let Some(carried) = self.carried {
            return Ok(carried);
        }
        if let Some(rigid) = &self.rigid {
            return rigid.carried(&self.data, world, self.own(), &self.orders);
        }
        let dt = f64::from(world.integration_parameters.dt);
        let motion = self.motion(world)?;
        Ok(std::array::from_fn(|wheel| match &self.constraints {
            Some(car) => {
                let contact = self.data.contact(wheel, &motion, &road_of(world));
                let state = &car.wheels[wheel];
                let jounce_speed = contact.map_or(0.0, |contact| {
                    let speed = motion.velocity_at(contact.point - motion.place) - contact.velocity;
                    let down = motion.turn * DVec3::NEG_Y;
                    -speed.dot(contact.normal) / contact.normal.dot(down).abs().max(0.1)
                });
                CarriedWheel {
                    speed: state.speed,
                    angle: state.angle,
                    jounce: contact
                        .map_or(0.0, |it| it.jounce.clamp(0.0, self.data.wheels[wheel].travel)),
                    jounce_speed,
                    force: [state.impulses[2] / dt, state.impulses[3] / dt],
                    load: state.load(dt),
                    steer: self.orders[wheel].steer,
                }
            }
            None => self.wheel_by_forces(wheel),
        }))
    }

    /// A wheel of the library's vehicle: the impulse on the road has what rows have held, too.
    fn wheel_by_forces(&self, wheel: usize) -> CarriedWheel {
        let state = self.forces.mechanics().state;
        let (turning, tire) = (state.wheels.of(wheel), state.tires.of(wheel));
        let suspension = state.suspensions.of(wheel);
        let ground = state.roads.of(wheel).filter(|road| 0.0 < road.age);
        let push = ground.map_or(Vector::ZERO, |road| road.impulse * (-1.0 / road.age));
        CarriedWheel {
            speed: f64::from(turning.rotation_speed),
            angle: f64::from(turning.rotation_angle),
            jounce: f64::from(suspension.compression.jounce.unwrap_or(0.0)),
            jounce_speed: f64::from(suspension.compression.jounce_speed),
            force: [tire.directions.longitudinal, tire.directions.lateral]
                .map(|direction| f64::from(direction.dot(push))),
            load: f64::from(suspension.force.normal_load).max(0.0),
            steer: self.orders[wheel].steer,
        }
    }

    /// Updates the car and hands its motion to its body, before the world's step.
    ///
    /// # Errors
    ///
    /// If a body is gone; as of [`RapierVehicle::update`].
    pub fn update(&mut self, world: &mut PhysicsWorld, orders: &Orders) -> Result<()> {
        self.orders = *orders;
        self.carried = None;
        if let Some(rigid) = &mut self.rigid {
            let own = (self.forces.actor.body, self.center);
            let road = |world: &PhysicsWorld, origin, direction, reach| {
                road_of(world)(origin, direction, reach)
            };
            return rigid.drive(&self.data, world, own, orders, road);
        }
        if self.constraints.is_some() {
            return self.update_constraints(world);
        }
        let state = &mut self.forces.vehicle.state;
        for (wheel, order) in orders.iter().enumerate() {
            state.drive.torques[wheel] = order.drive as Real;
            state.mechanics.brake_torques[wheel] = order.brake as Real;
            state.mechanics.steer_angles[wheel] = order.steer as Real;
        }
        self.forces.update(&mut *world)?;
        Ok(())
    }

    fn update_constraints(&mut self, world: &mut PhysicsWorld) -> Result<()> {
        let mut motion = self.motion(world)?;
        let (data, orders) = (&self.data, &self.orders);
        let contacts = std::array::from_fn(|wheel| data.contact(wheel, &motion, &road_of(world)));
        let gravity = world.gravity.as_dvec3();
        let dt = f64::from(world.integration_parameters.dt);
        let car = self.constraints.as_mut().context("a car by constraints")?;
        car.step(data, &mut motion, (orders, &contacts), gravity, dt);
        let body = self.forces.actor.body;
        let body = world.bodies.get_mut(body).context("the car's body is gone")?;
        let (linear, angular) = (motion.velocity.as_vec3(), motion.angular.as_vec3());
        body.set_vels(RigidBodyVelocity::new(linear, angular), true);
        Ok(())
    }

    /// Looks at the world after its step.
    pub fn look(&mut self, world: &PhysicsWorld) {
        if let Some(rigid) = &mut self.rigid {
            rigid.look(world);
        }
    }

    /// Updates the car and steps its world.
    ///
    /// # Errors
    ///
    /// As of [`update`](Self::update).
    pub fn step(&mut self, world: &mut PhysicsWorld, orders: &Orders) -> Result<()> {
        self.update(world, orders)?;
        world.step();
        self.look(world);
        Ok(())
    }

    /// Lets the car roll ahead at `speed` (m/s), between two steps.
    ///
    /// # Errors
    ///
    /// If a body is gone.
    pub fn start(&mut self, world: &mut PhysicsWorld, speed: Real) -> Result<()> {
        if speed == 0.0 {
            return Ok(());
        }
        let level = self.level();
        self.change(world, Level::Forces)?;
        let body = world.bodies.get_mut(self.body()).context("the car's body is gone")?;
        let ahead = body.position().rotation * Vector::Z;
        body.set_linvel(ahead * speed, true);
        let carried = self.wheels(world)?;
        let rolling = |index: usize| CarriedWheel {
            speed: f64::from(speed) / self.data.wheels[index].radius,
            force: [0.0; 2],
            ..carried[index]
        };
        let carried = std::array::from_fn(rolling);
        let motion = self.motion(world)?;
        self.take_forces(&motion, &carried);
        self.carried = Some(carried);
        self.change(world, level)
    }

    /// How far hubs are from where their joints let them be (m), and axles from their directions
    /// (rad); 0 for a model without joints.
    ///
    /// # Errors
    ///
    /// If a body is gone.
    pub fn joint_errors(&self, world: &PhysicsWorld) -> Result<[f64; 2]> {
        let errors =
            |rigid: &RigidWheels| rigid.errors(&self.data, world, self.own(), &self.orders);
        self.rigid.as_ref().map_or(Ok([0.0; 2]), errors)
    }

    /// Whether the car may become one of `level` now. Wheels become bodies, or cease to be, only
    /// away from the ends of their travel and where nothing loose is in their place.
    ///
    /// # Errors
    ///
    /// If a body is gone.
    pub fn may_change(&self, world: &PhysicsWorld, level: Level) -> Result<bool> {
        if level != Level::RigidWheels && self.level() != Level::RigidWheels {
            return Ok(true);
        }
        let (wheels, motion) = (self.wheels(world)?, self.motion(world)?);
        let own = self.rigid.as_ref().map(RigidWheels::hubs);
        let is_own = |body: RigidBodyHandle| {
            body == self.body() || own.is_some_and(|hubs| hubs.contains(&body))
        };
        for (index, (wheel, data)) in wheels.iter().zip(&self.data.wheels).enumerate() {
            if wheel.jounce <= AT_LIMIT || data.travel - AT_LIMIT <= wheel.jounce {
                return Ok(false);
            }
            let hub = motion.place + motion.turn * self.data.hub(index, wheel.jounce);
            let ball = Ball::new(data.radius as Real);
            let place = Pose::from_translation(hub.as_vec3());
            let loose = world.intersect_shape(place, &ball, QueryFilter::only_dynamic());
            let mut bodies = loose.filter_map(|(_, collider)| collider.parent());
            if bodies.any(|body| !is_own(body)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Becomes the car of another `level`, between two steps: pose, momentum, wheel speeds, jounces
    /// and forces of the tires stay what they are.
    ///
    /// # Errors
    ///
    /// If a body is gone.
    pub fn change(&mut self, world: &mut PhysicsWorld, level: Level) -> Result<()> {
        if level == self.level() {
            return Ok(());
        }
        let dt = f64::from(world.integration_parameters.dt);
        let gravity = f64::from(world.gravity.length());
        if level == Level::RigidWheels {
            self.data.bare_chassis(gravity)?;
        }
        let (carried, motion) = (self.wheels(world)?, self.motion(world)?);
        if let Some(rigid) = self.rigid.take() {
            rigid.remove(&self.data, world, self.own())?;
        }
        self.constraints = None;
        self.carried = Some(carried);
        match level {
            Level::Constraints => {
                let mut car = ConstraintCar::default();
                car.carry_on(&carried, dt);
                self.constraints = Some(car);
            }
            Level::RigidWheels => {
                let own = self.own();
                self.rigid = Some(RigidWheels::insert(&self.data, world, own, &motion, &carried)?);
            }
            Level::Forces => self.take_forces(&motion, &carried),
        }
        Ok(())
    }

    /// The library's vehicle goes on from what another model has `carried`. A tire that hardly
    /// moves sticks at once.
    fn take_forces(&mut self, motion: &BodyMotion, carried: &[CarriedWheel; WHEELS]) {
        let limits = self.forces.params.tire_sticky.unwrap_or_default();
        let is_standing = motion.velocity.length() < STANDING;
        let state = &mut self.forces.vehicle.state.mechanics;
        for (wheel, carried) in carried.iter().enumerate() {
            state.wheels.edit(wheel, |it| {
                it.rotation_speed = carried.speed as Real;
                it.displayed_rotation_speed = carried.speed as Real;
                it.rotation_angle = (carried.angle % std::f64::consts::TAU) as Real;
            });
            state.suspensions.edit(wheel, |it| {
                it.compression.jounce = Some(carried.jounce as Real);
                it.compression.jounce_speed = carried.jounce_speed as Real;
            });
            let rim = carried.speed * self.data.wheels[wheel].radius;
            let is_slow = is_standing && rim.abs() < STANDING;
            let sticky = |time: Real| StickyState {
                low_speed_time: if is_slow { time } else { 0.0 },
                is_active: is_slow,
            };
            state.tires.edit(wheel, |tire| {
                tire.sticky = TireStickyState {
                    longitudinal: sticky(limits.longitudinal.threshold_time),
                    lateral: sticky(limits.lateral.threshold_time),
                };
            });
        }
        state.anchor = None;
    }
}

/// The road of a world under a ray: what does not move by itself.
pub fn road_of(world: &PhysicsWorld) -> impl Fn(DVec3, DVec3, f64) -> Option<RoadHit> + '_ {
    |origin, direction, reach| {
        let ray = Ray::new(origin.as_vec3(), direction.as_vec3());
        let filter = QueryFilter::exclude_dynamic();
        let (handle, hit) = world.cast_ray_and_get_normal(&ray, reach as Real, true, filter)?;
        let collider = &world.colliders[handle];
        let distance = f64::from(hit.time_of_impact);
        let point = origin + direction * distance;
        let body = collider.parent().and_then(|body| world.bodies.get(body));
        let velocity =
            body.map_or(DVec3::ZERO, |body| body.velocity_at_point(point.as_vec3()).as_dvec3());
        Some((distance, hit.normal.as_dvec3(), f64::from(collider.friction()), velocity))
    }
}
