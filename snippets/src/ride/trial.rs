//! One drive of a car over an obstacle, and what is felt of it.

use rapier3d::prelude::*;
use vehicle_rapier::core::commands::CommandResponseParams;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::error::ParamErrors;
use vehicle_rapier::core::rigid_body::RigidBodyParams;
use vehicle_rapier::core::suspension::ContactShape;
use vehicle_rapier::core::suspension::unsprung::SuspensionDynamics;
use vehicle_rapier::core::vehicle::{MechanicalParams, MechanicalState};
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};
use vehicle_rapier::{Chassis, RapierVehicle, RoadQueryShape, StepError};

use super::profile::Profile;

/// Time over which accelerations are averaged (s).
pub const WINDOW: Real = 1.0 / 60.0;
/// Frequency at which a car comes to rest before its drive (Hz), and for how long it does (s).
const SETTLING: (Real, Real) = (120.0, 3.0);

/// How a car goes over an obstacle.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The car.
    pub mechanics: MechanicalParams,
    /// What it drives over.
    pub profile: Profile,
    /// Friction of the road (dimensionless).
    pub friction: Real,
    /// Speed of the vehicle (m/s).
    pub speed: Real,
    /// Velocity at which the road moves and carries the car along (m/s). The car's speed is that on
    /// the road.
    pub road_velocity: Vector,
    /// How its wheels look for the road.
    pub shape: RoadQueryShape,
    /// Steps per second.
    pub rate: Real,
    /// Substeps of each.
    pub substeps: u32,
    /// How much farther back than usual it starts (m).
    pub phase: Real,
    /// How far above its rest it is let go (m).
    pub drop: Real,
    /// Length of its first frame, for which the computer was busy (s); 0 for one like the others.
    pub hitch: Real,
}

/// The car at one moment of its drive, as seen from its road.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Time since the start (s).
    pub time: Real,
    /// Way of its center of mass behind the obstacle's begin (m).
    pub way: Real,
    /// Height of its center of mass above that at rest (m).
    pub rise: Real,
    /// Upward velocity (m/s).
    pub climb: Real,
    /// Speed forward (m/s).
    pub speed: Real,
    /// Cosine of the angle of its roof to the vertical (dimensionless).
    pub uprightness: Real,
    /// Jounce of a front and a rear wheel (m).
    pub jounces: [Real; 2],
    /// Load of a front and a rear tire (N).
    pub loads: [Real; 2],
    /// Energy of body and wheels (J): of motion, weight and springs, those of the tires left out.
    pub energy: f64,
}

/// What is felt of an obstacle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RideFigures {
    /// Largest vertical acceleration, averaged over 1/60 s (g).
    pub peak: Real,
    /// Largest rise of the center of mass above its height at rest (m).
    pub rise: Real,
    /// Least cosine of the angle of the roof to the vertical (dimensionless).
    pub uprightness: Real,
}

/// A car before its obstacle.
struct Scene {
    world: PhysicsWorld,
    /// The body that the road moves with.
    road: RigidBodyHandle,
    car: RapierVehicle<DirectDriveVehicle>,
}

impl Trial {
    /// A drive of a car of `mechanics` over `profile` on rays, at 60 steps of three substeps,
    /// without friction.
    pub fn new(mechanics: MechanicalParams, profile: Profile, speed: Real) -> Self {
        Self {
            mechanics,
            profile,
            friction: 0.0,
            speed,
            road_velocity: Vector::ZERO,
            shape: RoadQueryShape::Ray,
            rate: 60.0,
            substeps: 3,
            phase: 0.0,
            drop: 0.0,
            hitch: 0.0,
        }
    }

    /// Distance of the front wheels from the obstacle at the start (m).
    pub fn run_up(&self) -> Real {
        (0.35 * self.speed).max(1.0) + 0.735 + self.phase
    }

    /// Time until the car has the obstacle behind itself (s).
    pub fn usual_duration(&self) -> Real {
        (self.run_up() + self.front() + 6.0) / self.speed + 0.8
    }

    /// Way from the center of mass to the front wheels (m).
    fn front(&self) -> Real {
        self.mechanics.suspensions[0].attachment.translation.z
    }

    /// A world with the road, and the car at rest before the obstacle.
    ///
    /// # Errors
    ///
    /// If the car's parameters have faults.
    fn scene(&self, duration: Real) -> Result<Scene, ParamErrors> {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = 1.0 / SETTLING.0;
        let road = world.insert_body(RigidBodyBuilder::kinematic_velocity_based());
        for collider in self.profile.colliders(self.speed * duration) {
            world.insert_collider(collider.friction(self.friction), Some(road));
        }
        world.detect_collisions(&(), &());
        let mut mechanics = self.mechanics.clone();
        mechanics.jounce.contact = match self.shape {
            RoadQueryShape::Cylinder => ContactShape::Cylinder,
            _ => ContactShape::Ray,
        };
        let throttle = CommandResponseParams::linear(0.0, [0.0; 4]);
        let height = 0.55;
        let start = -self.run_up() - self.front();
        let pose = Pose::from_translation(Vector::new(0.0, height, start));
        let chassis = Chassis::new(&mechanics.rigid_body).pose(pose);
        let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
        let substeps = self.substeps;
        let sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps);
        let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
        car.road.shape = self.shape;
        Ok(Scene { world, road, car })
    }

    /// Drives for `duration` (s), and tells each moment to `tell`.
    ///
    /// # Errors
    ///
    /// If the car's parameters have faults, or it cannot be driven.
    pub fn drive(
        &self,
        duration: Real,
        mut tell: impl FnMut(&Moment),
    ) -> Result<(), Box<dyn std::error::Error>> {
        let Scene { mut world, road, mut car } = self.scene(duration)?;
        let step = |world: &mut PhysicsWorld, car: &mut RapierVehicle<_>| -> Result<_, StepError> {
            car.step(world)
        };
        let body = car.actor.body;
        world.bodies[body].activation_mut().normalized_linear_threshold = -1.0;
        for _ in 0..(SETTLING.0 * SETTLING.1) as usize {
            let _awake = step(&mut world, &mut car)?;
        }
        let rest = world.bodies[body].center_of_mass().y;
        // Level ground without friction lets the car creep by rounding.
        let place = world.bodies[body].position();
        let start = -self.run_up() - self.front();
        let place = Pose::from_parts(
            Vector::new(0.0, place.translation.y + self.drop, start),
            place.rotation,
        );
        world.bodies[body].set_position(place, true);
        let velocity = Vector::Z * self.speed + self.road_velocity;
        world.bodies[body].set_vels(RigidBodyVelocity::new(velocity, Vector::ZERO), true);
        world.bodies[road].set_linvel(self.road_velocity, true);
        let radius = self.mechanics.wheels[0].radius;
        car.vehicle
            .state
            .mechanics
            .wheels
            .edit_all(|wheel| wheel.rotation_speed = self.speed / radius);
        let steps = (duration * self.rate).round() as usize;
        let usual = 1.0 / self.rate;
        let longer = if 0.0 < self.hitch { self.hitch - usual } else { 0.0 };
        for index in 1..=steps {
            world.integration_parameters.dt = if index == 1 { usual + longer } else { usual };
            let _awake = step(&mut world, &mut car)?;
            let body = &world.bodies[body];
            let state = &car.vehicle.state.mechanics;
            let place = body.center_of_mass() - world.bodies[road].translation();
            // The body's own velocity is the mean of the frame.
            let velocity = state.rigid_body.linear_velocity - self.road_velocity;
            tell(&Moment {
                time: index as Real * usual + longer,
                way: place.z,
                rise: place.y - rest,
                climb: velocity.y,
                speed: velocity.z,
                uprightness: (*body.rotation() * Vector::Y).y,
                jounces: [0, 2]
                    .map(|wheel| state.suspensions.of(wheel).compression.jounce.unwrap_or(0.0)),
                loads: [0, 2].map(|wheel| state.suspensions.of(wheel).force.normal_load),
                energy: self.energy(place.y, velocity, body, state),
            });
        }
        Ok(())
    }

    /// Energy of body and wheels (J) in `state`, at a `height` (m) and a `velocity` on the road
    /// (m/s), for suspensions that travel straight down.
    ///
    /// ```text
    /// ½ M v² + ½ ω·I ω + M g y + Σ (m v·u ė + ½ m ė² - m g·u e + ∫ k dj)
    /// ```
    fn energy(
        &self,
        height: Real,
        velocity: Vector,
        body: &RigidBody,
        state: &MechanicalState,
    ) -> f64 {
        let RigidBodyParams { mass, inertia } = self.mechanics.rigid_body;
        let rotation = *body.rotation();
        let spin = rotation.inverse() * state.rigid_body.angular_velocity;
        let square = |number: Real| f64::from(number) * f64::from(number);
        let motion =
            0.5 * f64::from(mass) * (square(velocity.x) + square(velocity.y) + square(velocity.z));
        let turning = 0.5 * f64::from(spin.dot(inertia * spin));
        let weight = f64::from(mass) * f64::from(GRAVITY);
        let mut energy = motion + turning + weight * f64::from(height);
        let SuspensionDynamics::Unsprung(wheels) = &self.mechanics.suspension_dynamics else {
            return energy;
        };
        let springs = self.mechanics.suspension_forces.iter().zip(&self.mechanics.suspensions);
        for (wheel, ((spring, suspension), unsprung)) in springs.zip(wheels).enumerate() {
            let compression = state.suspensions.of(wheel).compression;
            let (jounce, speed) = (compression.jounce.unwrap_or(0.0), -compression.jounce_speed);
            let down = rotation * suspension.travel_direction;
            let mass = unsprung.mass;
            let extension = suspension.travel_distance - jounce;
            let along = down.dot(velocity) * speed + 0.5 * speed * speed;
            let weight = down.y * GRAVITY * extension;
            let beyond = |edge: Real| (jounce - edge).max(0.0).powi(2);
            let stop = unsprung.strut.bump_stop.unwrap_or_default();
            let stored = spring.stiffness * beyond(0.0)
                + stop.stiffness * beyond(stop.edge)
                + unsprung.end_stop * beyond(suspension.travel_distance)
                + unsprung.droop_stop * jounce.min(0.0).powi(2);
            energy += f64::from(mass * (along + weight) + 0.5 * stored);
        }
        energy
    }

    /// What is felt of the obstacle.
    ///
    /// # Errors
    ///
    /// If the car's parameters have faults, or it cannot be driven.
    pub fn figures(&self) -> Result<RideFigures, Box<dyn std::error::Error>> {
        let mut meter = RideMeter::new(self.rate);
        self.drive(self.usual_duration(), |moment| meter.add(moment))?;
        Ok(meter.figures)
    }
}

/// Finds the figures of a drive, moment by moment.
#[derive(Clone, Debug)]
pub struct RideMeter {
    /// What has been felt until now.
    pub figures: RideFigures,
    /// Upward velocities of the last window (m/s), and the place of the next.
    climbs: Vec<Real>,
    next: usize,
}

impl RideMeter {
    /// Of a drive at `rate` steps per second.
    pub fn new(rate: Real) -> Self {
        let steps = ((rate * WINDOW).round() as usize).max(1);
        let figures = RideFigures { uprightness: 1.0, ..RideFigures::default() };
        Self { figures, climbs: vec![0.0; steps], next: 0 }
    }

    /// Adds the next moment; the mean acceleration of the window that ends there (g).
    pub fn add(&mut self, moment: &Moment) {
        let before = std::mem::replace(&mut self.climbs[self.next], moment.climb);
        self.next = (self.next + 1) % self.climbs.len();
        let figures = &mut self.figures;
        figures.peak = figures.peak.max((moment.climb - before).abs() / WINDOW / GRAVITY);
        figures.rise = figures.rise.max(moment.rise);
        figures.uprightness = figures.uprightness.min(moment.uprightness);
    }
}
