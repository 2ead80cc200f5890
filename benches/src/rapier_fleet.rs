//! Sample vehicles in a Rapier world.

use std::sync::Arc;

use rapier3d::prelude::*;
use vehicle_rapier::core::ComponentSequence;
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::core::suspension::SuspensionState;
use vehicle_rapier::core::vehicle::HasMechanics;
use vehicle_rapier::{Drivable, RapierVehicle};

use crate::parade_ground::{Motion, insert_body, world};
use crate::{Errand, Fleet, START_SPEED, SampleVehicle, settle};

/// Sample cars in a Rapier world: a ray per wheel, and a body per car.
pub struct RapierFleet<V> {
    world: PhysicsWorld,
    cars: Vec<RapierVehicle<V>>,
    settled: Vec<(RapierVehicle<V>, Motion)>,
}

impl<V: SampleVehicle> RapierFleet<V> {
    /// A settled fleet of `count` cars, each with `substeps` substeps.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn new(count: usize, substeps: u32) -> anyhow::Result<Self> {
        Self::with(count, substeps, Errand::Driving, RowExecution::Local)
    }

    /// A settled fleet of `count` cars on an `errand`, each with `substeps` substeps and rows that are
    /// executed as `row_execution` says.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn with(
        count: usize,
        substeps: u32,
        errand: Errand,
        row_execution: RowExecution,
    ) -> anyhow::Result<Self> {
        Self::of(&V::sample_params()?, count, substeps, errand, row_execution)
    }

    /// The same of vehicles that are made of `params`.
    ///
    /// # Errors
    ///
    /// If the parameters have faults.
    pub fn of(
        params: &Arc<V::Params>,
        count: usize,
        substeps: u32,
        errand: Errand,
        row_execution: RowExecution,
    ) -> anyhow::Result<Self> {
        let model = match errand {
            Errand::Driving => V::driven(params, START_SPEED)?,
            Errand::Parked | Errand::Sleeping => V::parked(params)?,
        };
        Self::settled(&model, V::stages(substeps), count, errand, row_execution)
    }
}

impl<V: Drivable + HasMechanics + Clone> RapierFleet<V> {
    /// A settled fleet of `count` cars like `model` in the bend, of these stages.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn like(model: &V, stages: ComponentSequence<V>, count: usize) -> anyhow::Result<Self> {
        Self::settled(model, stages, count, Errand::Driving, RowExecution::Local)
    }

    fn settled(
        model: &V,
        stages: ComponentSequence<V>,
        count: usize,
        errand: Errand,
        row_execution: RowExecution,
    ) -> anyhow::Result<Self> {
        let sequence = Arc::new(stages);
        let mut world = world();
        let mut cars = Vec::with_capacity(count);
        for index in 0..count {
            // Vehicles of a model share what they are made of.
            let vehicle = model.clone();
            let body = &vehicle.read_mechanics().params.rigid_body;
            let actor = insert_body(&mut world, body, index, errand);
            let mut car = RapierVehicle::new(actor, vehicle, Arc::clone(&sequence));
            car.params.row_execution = row_execution;
            cars.push(car);
        }
        world.detect_collisions(&(), &());
        let mut fleet = Self { world, cars, settled: Vec::new() };
        settle(&mut fleet)?;
        if errand != Errand::Driving {
            // Springs settle, tires begin to stick, and half a second later bodies sleep.
            settle(&mut fleet)?;
            settle(&mut fleet)?;
        }
        let bodies = &fleet.world.bodies;
        let record = |car: &RapierVehicle<V>| (car.clone(), Motion::of(car.actor.body, bodies));
        fleet.settled = fleet.cars.iter().map(record).collect();
        Ok(fleet)
    }
}

impl<V> RapierFleet<V> {
    /// Number of cars that sleep.
    pub fn sleeping_cars(&self) -> usize {
        self.cars.iter().filter(|car| self.world.bodies[car.actor.body].is_sleeping()).count()
    }
}

impl<V: Drivable + HasMechanics + Clone> Fleet for RapierFleet<V> {
    fn update(&mut self) -> anyhow::Result<()> {
        for car in &mut self.cars {
            car.update(&mut self.world)?;
        }
        Ok(())
    }

    fn step_world(&mut self) {
        self.world.step();
    }

    fn restore(&mut self) {
        for (car, (settled, motion)) in self.cars.iter_mut().zip(&self.settled) {
            car.clone_from(settled);
            motion.restore(&mut self.world.bodies);
        }
    }

    fn velocities(&self) -> Vec<Vector> {
        self.cars.iter().map(|car| self.world.bodies[car.actor.body].linvel()).collect()
    }

    fn grounded_wheels(&self) -> usize {
        let suspensions =
            self.cars.iter().flat_map(|car| &car.vehicle.read_mechanics().state.suspensions);
        suspensions.filter(SuspensionState::is_on_ground).count()
    }
}
