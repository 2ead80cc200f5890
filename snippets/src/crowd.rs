//! A crowd: vehicles of three types among loose boxes on hills, driven at random, while vehicles
//! come and go and other threads record what they do.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use anyhow::{Result, anyhow, ensure};
use rapier3d::prelude::*;
use rayon::ThreadPoolBuilder;
use vehicle_rapier::drivetrain::gearbox::GearboxState;
use vehicle_rapier::fleet::VehicleHandle;
use vehicle_rapier::fleet::orders::{DriverControls, Orders};
use vehicle_rapier::fleet::recording::Recording;
use vehicle_rapier::prelude::*;

use crate::drivetrains::{
    SAMPLE_FIRST_GEAR, SampleDifferential, TankBrakes, sample_engine_drive, sample_tank,
};
use crate::fingerprint::Fingerprint;
use crate::noise::Noise;
use crate::schedule::{Controls, Phase};
use crate::vehicles::{sample_chassis, sample_direct_drive};

/// Time step (s).
pub const DT: Real = 1.0 / 60.0;

/// Squares of the hills in each direction.
const SQUARES: u32 = 160;

/// Width of a square (m).
const SQUARE: Real = 2.0;

/// How far from the middle of the hills vehicles and boxes come into the world (m).
const REACH: Real = 140.0;

/// Height below which a vehicle has fallen off the hills (m).
const FALLEN: Real = -20.0;

/// Steps from one whim of a driver to the next.
const WHIM: usize = 30;

/// Samples that wait for a recorder: fewer than a crowd tells in a step, so that some are dropped.
const RECORDING_CAPACITY: usize = 16;

/// What the vehicles of a type have in common.
struct Model<V> {
    /// One of them, at rest; the others share with it what they are made of.
    vehicle: V,
    sequence: Arc<ComponentSequence<V>>,
}

/// A car with direct drive, a car with an engine and limited slip, a tank.
pub struct Models {
    car: Model<DirectDriveVehicle>,
    engine_car: Model<EngineDriveVehicle>,
    tank: Model<TankVehicle>,
}

impl Models {
    /// The sample vehicles.
    ///
    /// # Errors
    ///
    /// All faults of their files.
    pub fn new() -> anyhow::Result<Self> {
        let differential = SampleDifferential::FourWheel { is_slip_limited: true };
        Ok(Self {
            car: Model {
                vehicle: DirectDriveVehicle::new(sample_direct_drive()?)?,
                sequence: Arc::new(DirectDriveVehicle::sequence()),
            },
            engine_car: Model {
                vehicle: EngineDriveVehicle::new(sample_engine_drive(differential)?)?,
                sequence: Arc::new(EngineDriveVehicle::sequence()),
            },
            tank: Model {
                vehicle: TankVehicle::new(sample_tank(TankBrakes::PerTrack)?)?,
                sequence: Arc::new(TankVehicle::sequence()),
            },
        })
    }

    /// Puts a car with direct drive, in forward gear, at `pose` (m) into the world.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn car(
        &self,
        world: &mut PhysicsWorld,
        pose: Pose,
    ) -> Result<RapierVehicle<DirectDriveVehicle>, ParamErrors> {
        let Model { vehicle, sequence } = &self.car;
        let chassis = sample_chassis(&vehicle.params().mechanics.rigid_body, pose);
        let mut vehicle = vehicle.another();
        vehicle.controls.gear = Gear::Forward;
        Ok(RapierVehicle::insert(world, chassis, vehicle, sequence.clone()))
    }

    /// Puts a car with an engine, in first gear, at `pose` (m) into the world.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn engine_car(
        &self,
        world: &mut PhysicsWorld,
        pose: Pose,
    ) -> Result<RapierVehicle<EngineDriveVehicle>, ParamErrors> {
        insert_in_first_gear(world, pose, &self.engine_car)
    }

    /// Puts a tank, in first gear, at `pose` (m) into the world.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn tank(
        &self,
        world: &mut PhysicsWorld,
        pose: Pose,
    ) -> Result<RapierVehicle<TankVehicle>, ParamErrors> {
        insert_in_first_gear(world, pose, &self.tank)
    }
}

fn insert_in_first_gear<D: DifferentialModel>(
    world: &mut PhysicsWorld,
    pose: Pose,
    model: &Model<EngineDriveVehicleWith<BrushTire, D>>,
) -> Result<RapierVehicle<EngineDriveVehicleWith<BrushTire, D>>, ParamErrors> {
    let Model { vehicle, sequence } = model;
    let chassis = sample_chassis(&vehicle.params().mechanics.rigid_body, pose);
    let mut vehicle = vehicle.another();
    vehicle.state.drive.gearbox = GearboxState::in_gear(SAMPLE_FIRST_GEAR);
    Ok(RapierVehicle::insert(world, chassis, vehicle, sequence.clone()))
}

/// Height of the gentle hills at `x`, `z` (m): waves of 1 m and 80 m.
pub fn hill_height(x: Real, z: Real) -> Real {
    const WAVE_NUMBER: Real = 2.0 * std::f32::consts::PI / 80.0;
    0.5 * (WAVE_NUMBER * x).sin() * (WAVE_NUMBER * z).cos()
}

/// A mesh of gentle hills around the origin, of `count`² squares of `width` (m).
///
/// # Panics
///
/// Without a square.
pub fn hills(count: u32, width: Real) -> ColliderBuilder {
    let at = |index: u32| width * (index as Real - 0.5 * count as Real);
    let row = count + 1;
    let vertex = |index: u32| {
        let (x, z) = (at(index / row), at(index % row));
        Vector::new(x, hill_height(x, z), z)
    };
    let square = |index: u32| {
        let first = index / count * row + index % count;
        [[first, first + 1, first + row], [first + 1, first + row + 1, first + row]]
    };
    let triangles = (0..count * count).flat_map(square).collect();
    ColliderBuilder::trimesh((0..row * row).map(vertex).collect(), triangles).expect("a mesh")
}

/// The size of a crowd, and the seed of all that is random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrowdSetting {
    /// Number of vehicles, a third of each type.
    pub vehicles: usize,
    /// Number of loose boxes.
    pub boxes: usize,
    /// Number of steps.
    pub steps: usize,
    /// Seed.
    pub seed: u64,
}

/// What became of a crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrowdOutcome {
    /// A number that tells where all bodies are, and how they move.
    pub fingerprint: Fingerprint,
    /// Number of samples that vehicles told.
    pub told: u64,
    /// Number of samples that recorders received.
    pub received: u64,
    /// Number of samples for which there was no room.
    pub dropped: u64,
    /// Number of vehicles that left, to be replaced by others.
    pub left: u64,
    /// Of these, those that fell off the hills.
    pub fallen: u64,
}

/// Drives a crowd with a number of `threads`; calls `after_step` after each step.
///
/// # Errors
///
/// If threads cannot be started, a vehicle has a fault, or a body is not at a finite place.
pub fn drive(
    setting: &CrowdSetting,
    threads: usize,
    mut after_step: impl FnMut() + Send,
) -> Result<CrowdOutcome> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| {
        let mut crowd = Crowd::new(setting)?;
        let recorders = crowd.recorders();
        for step in 0..setting.steps {
            crowd.step(step)?;
            after_step();
        }
        let mut fingerprint = Fingerprint::default();
        fingerprint.add_bodies(&crowd.world.bodies);
        let Crowd { told, left, fallen, .. } = crowd;
        // Recorders end with their fleet.
        drop(crowd);
        let mut outcome = CrowdOutcome { fingerprint, told, received: 0, dropped: 0, left, fallen };
        for recorder in recorders {
            let (received, dropped) = recorder.finish()?;
            outcome.received += received;
            outcome.dropped += dropped;
        }
        Ok(outcome)
    })
}

/// A thread that receives samples.
struct Recorder {
    thread: JoinHandle<Result<u64>>,
    dropped: Box<dyn Fn() -> u64 + Send>,
}

impl Recorder {
    fn new<V: 'static>(recording: Recording<V, Vector>) -> Self {
        let samples = recording.samples.clone();
        let thread = thread::spawn(move || {
            let (mut received, mut last_step) = (0, 0);
            for sample in samples.iter() {
                ensure!(last_step <= sample.step, "step {} after {last_step}", sample.step);
                ensure!(sample.value.is_finite(), "a vehicle is at {}", sample.value);
                (received, last_step) = (received + 1, sample.step);
            }
            Ok(received)
        });
        Self { thread, dropped: Box::new(move || recording.dropped()) }
    }

    /// Numbers of samples that were received and dropped.
    fn finish(self) -> Result<(u64, u64)> {
        let received = self.thread.join().map_err(|_| anyhow!("a recorder has panicked"))??;
        Ok((received, (self.dropped)()))
    }
}

/// A vehicle of the crowd.
#[derive(Clone, Copy)]
enum Member {
    Car(VehicleHandle<DirectDriveVehicle>),
    EngineCar(VehicleHandle<EngineDriveVehicle>),
    Tank(VehicleHandle<TankVehicle>),
}

struct Crowd {
    world: PhysicsWorld,
    models: Models,
    fleet: Fleet,
    members: Vec<Member>,
    car_orders: Orders<DirectDriveVehicle>,
    engine_car_orders: Orders<EngineDriveVehicle>,
    tank_orders: Orders<TankVehicle>,
    noise: Noise,
    told: u64,
    left: u64,
    fallen: u64,
}

impl Crowd {
    fn new(setting: &CrowdSetting) -> Result<Self> {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = DT;
        world.insert_collider(hills(SQUARES, SQUARE).friction(1.0), None);
        // The first update already sees the hills.
        world.detect_collisions(&(), &());
        let mut fleet = Fleet::new();
        let mut crowd = Self {
            world,
            models: Models::new()?,
            car_orders: fleet.orders(setting.vehicles),
            engine_car_orders: fleet.orders(setting.vehicles),
            tank_orders: fleet.orders(setting.vehicles),
            fleet,
            members: Vec::new(),
            noise: Noise(setting.seed),
            told: 0,
            left: 0,
            fallen: 0,
        };
        for _ in 0..setting.boxes {
            crowd.insert_box();
        }
        for kind in 0..setting.vehicles {
            let member = crowd.insert(kind % 3)?;
            crowd.members.push(member);
        }
        Ok(crowd)
    }

    fn recorders(&mut self) -> [Recorder; 3] {
        [
            Recorder::new(record::<DirectDriveVehicle>(&mut self.fleet)),
            Recorder::new(record::<EngineDriveVehicle>(&mut self.fleet)),
            Recorder::new(record::<TankVehicle>(&mut self.fleet)),
        ]
    }

    /// A place `height` above the hills (m), turned in any direction.
    fn random_pose(&mut self, height: Real) -> Pose {
        let mut along = || self.noise.within(-REACH, REACH);
        let (x, z) = (along(), along());
        let heading = self.noise.within(0.0, std::f32::consts::TAU);
        let place = Vector::new(x, hill_height(x, z) + height, z);
        Pose::from_parts(place, Rotation::from_rotation_y(heading))
    }

    fn insert_box(&mut self) {
        let pose = self.random_pose(1.0);
        let [x, y, z] = [0; 3].map(|_| self.noise.within(0.1, 0.4));
        let shape = ColliderBuilder::cuboid(x, y, z).density(100.0).friction(0.7);
        self.world.insert(RigidBodyBuilder::dynamic().pose(pose), shape);
    }

    fn insert(&mut self, kind: usize) -> Result<Member> {
        let pose = self.random_pose(0.5);
        let Self { world, models, fleet, .. } = self;
        Ok(match kind {
            0 => Member::Car(fleet.insert(models.car(world, pose)?)),
            1 => Member::EngineCar(fleet.insert(models.engine_car(world, pose)?)),
            _ => Member::Tank(fleet.insert(models.tank(world, pose)?)),
        })
    }

    fn step(&mut self, step: usize) -> Result<()> {
        let leaver = (self.noise.next() * self.members.len() as Real) as usize;
        self.replace(leaver)?;
        if step.is_multiple_of(WHIM) {
            self.replace_fallen()?;
        }
        for index in (step % WHIM..self.members.len()).step_by(WHIM) {
            self.order(self.members[index])?;
        }
        if let Some(fault) = self.fleet.step(&mut self.world).first() {
            return Err(anyhow!("in step {step}: {fault}"));
        }
        self.told += self.fleet.len() as u64;
        for (handle, body) in self.world.bodies.iter() {
            let place = body.translation();
            ensure!(place.is_finite(), "in step {step}: body {handle:?} is at {place}");
        }
        Ok(())
    }

    /// Puts another vehicle of the same type in the place of a member.
    fn replace(&mut self, index: usize) -> Result<()> {
        let Self { fleet, world, .. } = self;
        let kind = match self.members[index] {
            Member::Car(handle) => {
                remove(fleet, world, handle)?;
                0
            }
            Member::EngineCar(handle) => {
                remove(fleet, world, handle)?;
                1
            }
            Member::Tank(handle) => {
                remove(fleet, world, handle)?;
                2
            }
        };
        self.members[index] = self.insert(kind)?;
        self.left += 1;
        Ok(())
    }

    fn replace_fallen(&mut self) -> Result<()> {
        for index in 0..self.members.len() {
            let body = match self.members[index] {
                Member::Car(handle) => self.fleet[handle].actor.body,
                Member::EngineCar(handle) => self.fleet[handle].actor.body,
                Member::Tank(handle) => self.fleet[handle].actor.body,
            };
            if self.world.bodies[body].translation().y < FALLEN {
                self.replace(index)?;
                self.fallen += 1;
            }
        }
        Ok(())
    }

    /// Sends the driver of a member something new to do.
    fn order(&mut self, member: Member) -> Result<()> {
        let Controls { commands, transmission, .. } = self.whim();
        let engine = DriverControls { commands, controls: transmission };
        match member {
            Member::Car(car) => {
                let gear = if self.noise.next() < 0.3 { Gear::Reverse } else { Gear::Forward };
                self.car_orders
                    .send(car, DriverControls { commands, controls: DirectControls { gear } })?;
            }
            Member::EngineCar(car) => self.engine_car_orders.send(car, engine)?,
            Member::Tank(tank) => self.tank_orders.send(tank, engine)?,
        }
        Ok(())
    }

    /// Something to do: anything between full throttle and full brake.
    fn whim(&mut self) -> Controls {
        let noise = &mut self.noise;
        let pedal = noise.within(-1.0, 1.0);
        let brake = (-pedal).max(0.0);
        Phase::lasting(0.0)
            .throttle(pedal.max(0.0))
            .brakes([brake, brake])
            .steer(noise.within(-1.0, 1.0))
            .thrusts([noise.within(-1.0, 1.0), noise.within(-1.0, 1.0)])
            .controls
    }
}

/// Records where vehicles of a type are.
fn record<V: Drivable + Send + Sync + 'static>(fleet: &mut Fleet) -> Recording<V, Vector> {
    fleet.record(RECORDING_CAPACITY, |vehicle: &RapierVehicle<V>| {
        vehicle.vehicle.body().pose.translation
    })
}

fn remove<V: Drivable + Send + Sync + 'static>(
    fleet: &mut Fleet,
    world: &mut PhysicsWorld,
    vehicle: VehicleHandle<V>,
) -> Result<()> {
    let removed = fleet.remove(vehicle);
    let removed = removed.ok_or_else(|| anyhow!("the fleet has no vehicle {}", vehicle.id()))?;
    removed.remove(world);
    Ok(())
}
