//! Cars that fall, turn over and fly: their motion stays finite, and they gain no energy.
//!
//! No engine drives them, and the ground rests, so that their mechanical energy can only fall. It
//! is that of the body (motion and height above the floor), of the springs and of the turning
//! wheels. Two things give energy from nothing all the same.
//!
//! - A road query sees a step at once: where a wheel meets the edge of a triangle, its spring is
//!   compressed within one step, by up to 0.8 kJ. [`ALLOWED_GAIN`] is for that.
//! - The world's step lifts hulls out of what they have got into. That is the engine's, and is
//!   counted apart: what the body has after the world's step beyond what it would have if it had
//!   moved on freely. Only gains are counted; what the world takes, such as in a crash, is lost.

use std::fmt;
use std::sync::Arc;
use std::thread;

use crate::common::grounds::drivable_world_of;
use crate::common::{DT, Noise, random_mesh};
use rapier3d::prelude::*;
use snippets::scenes::level_world;
use snippets::vehicles::{
    SAMPLE_HALF_EXTENTS, SAMPLE_HULL_CENTER, SAMPLE_REST_HEIGHT, sample_chassis,
    sample_direct_drive,
};
use vehicle_rapier::core::ComponentSequence;
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};
use vehicle_rapier::{RapierVehicle, RoadQueryShape};

const SHAPES: [RoadQueryShape; 2] = [RoadQueryShape::Ray, RoadQueryShape::Cylinder];

/// Number of random drops, rays and sweeps in turn.
const DROPS: u64 = 10_000;

/// Steps of each drop.
const STEPS: u32 = 90;

/// Threads that share the drops; each drop is on its own.
const THREADS: u64 = 2;

/// Height from which heights are measured above random meshes (m): somewhat lower than cars begin.
const MESH_FLOOR: f64 = -4.0;

/// What a car may gain, as a part of its energy at the start (dimensionless).
const ALLOWED_GAIN: f64 = 0.05;

/// Mechanical energy (J).
#[derive(Clone, Copy)]
struct Energy {
    body: f64,
    springs: f64,
    wheels: f64,
}

impl Energy {
    fn sum(&self) -> f64 {
        self.body + self.springs + self.wheels
    }
}

impl fmt::Display for Energy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { body, springs, wheels } = self;
        write!(f, "{:.0} J (body {body:.0}, springs {springs:.0}, wheels {wheels:.0})", self.sum())
    }
}

/// When a car had the most energy, beyond what the world gave it.
#[derive(Clone, Copy)]
struct Peak {
    share: f64,
    seconds: Real,
    energy: Energy,
    given: f64,
}

/// A car whose energy is watched.
struct Watched {
    world: PhysicsWorld,
    car: RapierVehicle<DirectDriveVehicle>,
    floor: f64,
    start: Energy,
    /// Energy that the world's steps have given (J).
    given: f64,
    steps: u32,
    peak: Peak,
}

impl Watched {
    fn new(world: PhysicsWorld, car: RapierVehicle<DirectDriveVehicle>, floor: f64) -> Self {
        let start = energy(&world, &car, floor, 0.0);
        let peak = Peak { share: 1.0, seconds: 0.0, energy: start, given: 0.0 };
        Self { world, car, floor, start, given: 0.0, steps: 0, peak }
    }

    fn step(&mut self, what: &dyn fmt::Display) {
        let Self { world, car, floor, .. } = self;
        car.update(&mut *world).unwrap_or_else(|error| panic!("{what}: {error}"));
        let coasted = energy(world, car, *floor, DT);
        world.step();
        let energy = energy(world, car, *floor, 0.0);
        assert!(energy.sum().is_finite(), "{what}: {energy} in step {}", self.steps);
        self.given += (energy.sum() - coasted.sum()).max(0.0);
        self.steps += 1;
        let share = (energy.sum() - self.given) / self.start.sum();
        if self.peak.share < share {
            let seconds = self.steps as Real * DT;
            self.peak = Peak { share, seconds, energy, given: self.given };
        }
    }

    fn place(&self) -> Vector {
        self.world.bodies[self.car.actor.body].center_of_mass()
    }

    fn assert_gains_no_energy(&self, what: &dyn fmt::Display) {
        let Peak { share, seconds, energy, given } = self.peak;
        assert!(
            share <= 1.0 + ALLOWED_GAIN,
            "{what}: {energy} after {seconds} s, of which the world gave {given:.0} J, \
             from {} at the start",
            self.start
        );
    }
}

/// Energy of `car` above `floor` (m), if its body moves on freely for `dt` (s).
fn energy(
    world: &PhysicsWorld,
    car: &RapierVehicle<DirectDriveVehicle>,
    floor: f64,
    dt: Real,
) -> Energy {
    let body = &world.bodies[car.actor.body];
    let mechanics = &car.vehicle.params().mechanics;
    let (params, state) = (&mechanics.rigid_body, &car.vehicle.state.mechanics);
    let spin = body.rotation().inverse() * body.angvel();
    let moving = 0.5 * f64::from(params.mass * body.linvel().length_squared());
    let turning = 0.5 * f64::from(spin.dot(params.inertia * spin));
    let height = f64::from(body.center_of_mass().y + body.linvel().y * dt) - floor;
    let falling = f64::from(params.mass * -world.gravity.y) * height;
    let springs = mechanics.suspension_forces.iter().zip(&state.suspensions);
    let spring = springs.map(|(spring, state)| {
        0.5 * f64::from(spring.stiffness * state.compression.jounce.unwrap_or(0.0).powi(2))
    });
    let wheels = mechanics.wheels.iter().zip(&state.wheels);
    let wheel =
        wheels.map(|(wheel, state)| 0.5 * f64::from(wheel.inertia * state.rotation_speed.powi(2)));
    Energy { body: moving + turning + falling, springs: spring.sum(), wheels: wheel.sum() }
}

/// What all drops share.
struct Model {
    params: Arc<DirectDriveParams>,
    sequence: Arc<ComponentSequence<DirectDriveVehicle>>,
}

impl Model {
    fn new() -> Self {
        let params = sample_direct_drive().expect("valid data");
        Self { params: params.into(), sequence: DirectDriveVehicle::sequence().into() }
    }

    fn car(
        &self,
        world: &mut PhysicsWorld,
        pose: Pose,
        shape: RoadQueryShape,
    ) -> RapierVehicle<DirectDriveVehicle> {
        let chassis = sample_chassis(&self.params.mechanics.rigid_body, pose);
        let vehicle = DirectDriveVehicle::new(self.params.clone()).expect("valid parameters");
        let mut car = RapierVehicle::insert(world, chassis, vehicle, self.sequence.clone());
        car.road.shape = shape;
        car
    }

    /// A car at a random place above and in a random mesh, in random motion, and what else is
    /// random of it.
    fn random_drop(&self, seed: u64) -> (Watched, Noise) {
        let mut noise = Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut world = drivable_world_of([random_mesh(&mut noise, 60)]);
        let place = noise.vector(2.0) + Vector::Y * noise.within(1.0, 4.0);
        let pose = Pose::from_parts(place, Rotation::from_scaled_axis(noise.vector(3.0)));
        let mut car = self.car(&mut world, pose, SHAPES[seed as usize % SHAPES.len()]);
        let body = &mut world.bodies[car.actor.body];
        let (speed, spin) = (noise.within(0.0, 20.0), noise.within(0.0, 6.0));
        body.set_linvel(noise.vector(speed), true);
        body.set_angvel(noise.vector(spin), true);
        let wheels = &mut car.vehicle.state.mechanics.wheels;
        wheels.edit_all(|wheel| wheel.rotation_speed = noise.within(-60.0, 60.0));
        (Watched::new(world, car, MESH_FLOOR), noise)
    }
}

/// Runs the drops of one thread; the one with the highest peak.
fn highest_drop(model: &Model, seeds: impl Iterator<Item = u64>) -> (u64, Watched) {
    let drops = seeds.map(|seed| {
        let (mut watched, mut noise) = model.random_drop(seed);
        for _ in 0..STEPS {
            watched.car.vehicle.commands.steer = noise.within(-1.0, 1.0);
            watched.step(&format_args!("drop {seed}"));
        }
        (seed, watched)
    });
    let higher = |a: (u64, Watched), b: (u64, Watched)| {
        if a.1.peak.share < b.1.peak.share { b } else { a }
    };
    drops.reduce(higher).expect("at least one drop")
}

#[test]
fn random_drops_gain_no_energy() {
    let model = &Model::new();
    let highest: Vec<_> = thread::scope(|scope| {
        let share = |thread| {
            scope.spawn(move || {
                // Each thread drops as many cars on rays as on sweeps.
                let seeds = (0..DROPS).filter(move |seed| seed / 2 % THREADS == thread);
                highest_drop(model, seeds)
            })
        };
        let threads: Vec<_> = (0..THREADS).map(share).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    for (seed, watched) in highest {
        let shape = watched.car.road.shape;
        watched.assert_gains_no_energy(&format_args!("drop {seed}, {shape:?}"));
    }
}

#[test]
fn random_drops_under_full_throttle_end_in_finite_motion() {
    let model = Model::new();
    for seed in 0..200 {
        let (mut watched, mut noise) = model.random_drop(seed);
        watched.car.vehicle.controls.gear = Gear::Forward;
        for _ in 0..STEPS {
            watched.car.vehicle.commands.throttle = noise.next();
            watched.car.vehicle.commands.steer = noise.within(-1.0, 1.0);
            watched.step(&format_args!("drop {seed}"));
        }
    }
}

#[test]
fn car_flies_off_a_ramp_at_80_meters_per_second() {
    let model = Model::new();
    for shape in SHAPES {
        let slope: Real = 0.2;
        let ramp = ColliderBuilder::cuboid(5.0, 0.5, 10.0)
            .position(Pose::from_parts(Vector::Z * 40.0, Rotation::from_rotation_x(-slope)));
        let ground = ColliderBuilder::new(SharedShape::halfspace(Vector::Y));
        let mut world = drivable_world_of([ramp, ground]);
        let pose = Pose::from_translation(Vector::Y * SAMPLE_REST_HEIGHT);
        let mut car = model.car(&mut world, pose, shape);
        let radius = model.params.mechanics.wheels[0].radius;
        world.bodies[car.actor.body].set_linvel(Vector::Z * 80.0, true);
        let wheels = &mut car.vehicle.state.mechanics.wheels;
        wheels.edit_all(|wheel| wheel.rotation_speed = 80.0 / radius);
        let mut watched = Watched::new(world, car, 0.0);
        let mut highest: Real = 0.0;
        for _ in 0..600 {
            watched.step(&format_args!("{shape:?}"));
            highest = highest.max(watched.place().y);
        }
        watched.assert_gains_no_energy(&format_args!("{shape:?}"));
        assert!(5.0 < highest, "{shape:?}: {highest} m high");
    }
}

#[test]
fn car_that_lands_on_its_roof_slides_as_coulomb_says() {
    const HEIGHT: Real = 2.5;
    let model = Model::new();
    for shape in SHAPES {
        let mut world = level_world(DT, 1.0);
        let upside_down = Rotation::from_rotation_z(std::f32::consts::PI);
        let pose = Pose::from_parts(Vector::Y * HEIGHT, upside_down);
        let car = model.car(&mut world, pose, shape);
        world.bodies[car.actor.body].set_linvel(Vector::Z * 20.0, true);
        let mut watched = Watched::new(world, car, 0.0);
        let start = watched.place();
        for _ in 0..600 {
            watched.step(&format_args!("{shape:?}"));
            let roads = &watched.car.vehicle.state.mechanics.roads;
            assert!(roads.iter().all(|road| road.is_none()), "{shape:?}: {roads:?}");
        }
        watched.assert_gains_no_energy(&format_args!("{shape:?}"));
        let body = &watched.world.bodies[watched.car.actor.body];
        let up = body.rotation() * Vector::Y;
        assert!(up.y < -0.9 && body.linvel().length() < 0.01, "{shape:?}: {up}, {}", body.linvel());
        // Friction is the mean of 0.5 and 1. It also acts as the fall is stopped:
        // t = sqrt(2 h / g), v' = v - μ g t, s = v t + v'² / (2 μ g)
        let (friction, gravity, speed): (Real, Real, Real) = (0.75, 9.81, 20.0);
        let roof = SAMPLE_HULL_CENTER.y + SAMPLE_HALF_EXTENTS.y;
        let time = (2.0 * (HEIGHT - roof) / gravity).sqrt();
        let sliding = speed - friction * gravity * time;
        let expected = speed * time + sliding.powi(2) / (2.0 * friction * gravity);
        let distance = (watched.place() - start).z;
        let error = distance / expected - 1.0;
        assert!(error.abs() < 0.03, "{shape:?}: {distance} m, not {expected} m");
    }
}
