//! Sample cars in a fleet that threads share.

use std::sync::Arc;
use std::time::Instant;

use anyhow::bail;
use rapier3d::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::{Fleet, RapierVehicle};

use crate::parade_ground::{insert_body, world};
use crate::{Errand, START_SPEED, SampleVehicle};

/// Steps after which springs have settled somewhat: few, as large fleets take long.
const STEPS_TO_SETTLE: usize = 10;

/// Times of the parts of an update, per vehicle and step (s).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartTimes {
    /// The serial part before.
    pub begin: f64,
    /// The part that threads share.
    pub advance: f64,
    /// The serial part after.
    pub end: f64,
}

impl PartTimes {
    /// Time of the update.
    pub fn sum(&self) -> f64 {
        self.begin + self.advance + self.end
    }

    /// Time of its serial parts.
    pub fn serial(&self) -> f64 {
        self.begin + self.end
    }
}

/// Sample cars with direct drive in a fleet, and the threads that update it.
pub struct ThreadedFleet {
    pool: ThreadPool,
    world: PhysicsWorld,
    fleet: Fleet,
}

impl ThreadedFleet {
    /// A fleet of `count` cars, each with `substeps` substeps, updated by `threads`.
    ///
    /// # Errors
    ///
    /// If threads cannot be started.
    pub fn new(count: usize, substeps: u32, threads: usize) -> anyhow::Result<Self> {
        let params = DirectDriveVehicle::sample_params()?;
        let sequence = Arc::new(DirectDriveVehicle::stages(substeps));
        let (mut world, mut fleet) = (world(), Fleet::new());
        let model = DirectDriveVehicle::driven(&params, START_SPEED)?;
        for index in 0..count {
            let vehicle = model.clone();
            let body = &params.mechanics.rigid_body;
            let actor = insert_body(&mut world, body, index, Errand::Driving);
            fleet.insert(RapierVehicle::new(actor, vehicle, Arc::clone(&sequence)));
        }
        world.detect_collisions(&(), &());
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let mut fleet = Self { pool, world, fleet };
        fleet.time(STEPS_TO_SETTLE)?;
        Ok(fleet)
    }

    /// Drives `steps`, inside the pool; the world steps while the clock stands.
    ///
    /// # Errors
    ///
    /// If a vehicle cannot be updated.
    pub fn time(&mut self, steps: usize) -> anyhow::Result<PartTimes> {
        let Self { pool, world, fleet } = self;
        pool.install(|| {
            let mut times = PartTimes::default();
            for _ in 0..steps {
                let start = Instant::now();
                let mut scene = (&mut *world).into();
                fleet.begin(&mut scene);
                let begun = Instant::now();
                fleet.advance(&scene);
                let advanced = Instant::now();
                if let Some(fault) = fleet.end(&mut scene).first() {
                    bail!("{fault}");
                }
                times.end += advanced.elapsed().as_secs_f64();
                times.begin += (begun - start).as_secs_f64();
                times.advance += (advanced - begun).as_secs_f64();
                world.step();
            }
            let count = (steps * fleet.len()) as f64;
            let PartTimes { begin, advance, end } = times;
            Ok(PartTimes { begin: begin / count, advance: advance / count, end: end / count })
        })
    }
}
