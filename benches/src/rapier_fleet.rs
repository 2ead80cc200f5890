//! Vehicles in a Rapier world: sample cars, and presets from their files.

use std::sync::Arc;

use anyhow::bail;
use rapier3d::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use vehicle_rapier::core::ComponentSequence;
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::core::suspension::SuspensionState;
use vehicle_rapier::core::vehicle::HasMechanics;
use vehicle_rapier::vehicle_file::{AnyDriveVehicle, AnyVehicle};
use vehicle_rapier::{Drivable, RapierVehicle};

use crate::parade_ground::{Motion, START_VELOCITY, insert_body, start_pose, world};
use crate::{COMMANDS, Errand, Fleet, PARK, START_SPEED, SampleVehicle, settle};

/// How the cars of a fleet take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// Each is updated by itself.
    OneByOne,
    /// Together, as a [`Fleet`](vehicle_rapier::Fleet).
    SideBySide,
}

thread_local! {
    /// A pool of this thread alone.
    static ALONE: &'static ThreadPool = Box::leak(Box::new(
        ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().expect("a thread"),
    ));
}

/// Vehicles of one model in a Rapier world, each with a body. This thread does all of the work.
pub struct RapierFleet<V> {
    world: PhysicsWorld,
    cars: vehicle_rapier::Fleet,
    turns: Turns,
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

    /// A settled fleet of `count` cars on an `errand`, each with `substeps` substeps and rows that
    /// are executed as `row_execution` says.
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

    /// A fleet of vehicles that are made of `params`.
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

impl<V: Drivable + HasMechanics + Clone + Send + Sync + 'static> RapierFleet<V> {
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
        let mut cars = vehicle_rapier::Fleet::new();
        for index in 0..count {
            // Vehicles of a model share what they are made of.
            let vehicle = model.clone();
            let body = &vehicle.read_mechanics().params.rigid_body;
            let actor = insert_body(&mut world, body, index, errand);
            let mut car = RapierVehicle::new(actor, vehicle, Arc::clone(&sequence));
            car.params.row_execution = row_execution;
            cars.insert(car);
        }
        Self::in_world(world, cars, errand)
    }

    /// The fleet of these `cars` in their `world`, once they have settled.
    fn in_world(
        mut world: PhysicsWorld,
        cars: vehicle_rapier::Fleet,
        errand: Errand,
    ) -> anyhow::Result<Self> {
        world.detect_collisions(&(), &());
        let (turns, settled) = (Turns::SideBySide, Vec::new());
        let mut fleet = Self { world, cars, turns, settled };
        settle(&mut fleet)?;
        if errand != Errand::Driving {
            // Springs settle, tires begin to stick, and half a second later bodies sleep.
            settle(&mut fleet)?;
            settle(&mut fleet)?;
        }
        let bodies = &fleet.world.bodies;
        let record = |car: &RapierVehicle<V>| (car.clone(), Motion::of(car.actor.body, bodies));
        fleet.settled = fleet.cars.iter::<V>().map(|(_, car)| record(car)).collect();
        Ok(fleet)
    }
}

impl RapierFleet<AnyDriveVehicle> {
    /// A settled fleet of `count` vehicles of the preset `name` on an `errand`, made of its file
    /// and with all of its settings.
    ///
    /// # Errors
    ///
    /// If there is no such preset.
    pub fn preset(name: &str, count: usize, errand: Errand) -> anyhow::Result<Self> {
        Self::of_model(&AnyVehicle::preset(name)?, count, errand)
    }

    /// A settled fleet of `count` vehicles of this `model` on an `errand`.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn of_model(model: &AnyVehicle, count: usize, errand: Errand) -> anyhow::Result<Self> {
        let (mut world, mut cars) = (world(), vehicle_rapier::Fleet::new());
        for index in 0..count {
            let mut pose = start_pose(index);
            pose.translation.y = model.standing_height(9.81);
            let mut car = model.insert(&mut world, pose);
            *car.commands_mut() = if errand == Errand::Driving { COMMANDS } else { PARK };
            if errand == Errand::Driving {
                car.set_velocity(&mut world.bodies, START_VELOCITY)?;
            }
            let body = &mut world.bodies[car.body()];
            if errand != Errand::Sleeping {
                *body.activation_mut() = RigidBodyActivation::cannot_sleep();
            }
            // Contacts are not what is measured.
            let alone =
                InteractionGroups::new(Group::GROUP_2, Group::NONE, InteractionTestMode::And);
            for &hull in body.colliders() {
                world.colliders[hull].set_collision_groups(alone);
            }
            cars.insert(car);
        }
        Self::in_world(world, cars, errand)
    }
}

impl<V: Drivable + Send + Sync + 'static> RapierFleet<V> {
    /// This fleet, whose cars take these turns.
    pub fn in_turns(self, turns: Turns) -> Self {
        Self { turns, ..self }
    }

    /// Its cars.
    pub(crate) fn cars_mut(&mut self) -> impl Iterator<Item = &mut RapierVehicle<V>> {
        self.cars.iter_mut::<V>().map(|(_, car)| car)
    }

    /// Changes what its cars are when they are settled.
    pub(crate) fn edit_settled(&mut self, mut edit: impl FnMut(&mut RapierVehicle<V>)) {
        for (car, _) in &mut self.settled {
            edit(car);
        }
    }

    /// Number of cars that sleep.
    pub fn sleeping_cars(&self) -> usize {
        self.cars
            .iter::<V>()
            .filter(|(_, car)| self.world.bodies[car.actor.body].is_sleeping())
            .count()
    }
}

impl<V: Drivable + HasMechanics + Clone + Send + Sync + 'static> Fleet for RapierFleet<V> {
    fn update(&mut self) -> anyhow::Result<()> {
        let Self { world, cars, turns, .. } = self;
        match turns {
            Turns::OneByOne => {
                for (_, car) in cars.iter_mut::<V>() {
                    car.update(&mut *world)?;
                }
            }
            Turns::SideBySide => {
                let fault = ALONE.with(|pool| pool.install(|| cars.update(world).first().cloned()));
                if let Some(fault) = fault {
                    bail!("{fault}");
                }
            }
        }
        Ok(())
    }

    fn step_world(&mut self) {
        self.world.step();
    }

    fn restore(&mut self) {
        for ((_, car), (settled, motion)) in self.cars.iter_mut::<V>().zip(&self.settled) {
            car.clone_from(settled);
            motion.restore(&mut self.world.bodies);
        }
    }

    fn velocities(&self) -> Vec<Vector> {
        self.cars.iter::<V>().map(|(_, car)| self.world.bodies[car.actor.body].linvel()).collect()
    }

    fn grounded_wheels(&self) -> usize {
        let suspensions = self
            .cars
            .iter::<V>()
            .flat_map(|(_, car)| &car.vehicle.read_mechanics().state.suspensions);
        suspensions.filter(SuspensionState::is_on_ground).count()
    }
}
