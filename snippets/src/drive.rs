//! A drive: what a scene drives follows its schedule, step by step.

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use vehicle_rapier::core::context::TireSlipParams;
use vehicle_rapier::core::{SimulationParams, WheelCoupling};
use vehicle_rapier::drivetrain::blocks::DrivelineBlock;
use vehicle_rapier::prelude::*;

use crate::recorder::{Recorded, Recorder};
use crate::schedule::{Controls, Schedule};
use crate::telemetry::Telemetry;
use crate::vehicle_telemetry::{OwnTelemetry, VehicleTelemetry};

/// A vehicle that a driver with [`Controls`] can drive, and that can be recorded.
pub trait Controlled: Drivable + VehicleTelemetry {
    /// Takes those controls that the vehicle has.
    fn take(&mut self, controls: &Controls);
}

impl<Tire: TireModel, Own: OwnTelemetry<Tire>> Controlled for DirectDriveVehicleWith<Tire, Own> {
    fn take(&mut self, controls: &Controls) {
        self.commands = controls.commands;
    }
}

impl<Tire: TireModel, D: DifferentialModel, Own: OwnState> Controlled
    for EngineDriveVehicleWith<Tire, D, Own>
{
    fn take(&mut self, controls: &Controls) {
        (self.commands, self.controls) = (controls.commands, controls.transmission);
    }
}

impl<Tire: TireModel, C: DrivelineBlock + Clone> Controlled for BlockDriveVehicleWith<Tire, C> {
    fn take(&mut self, controls: &Controls) {
        (self.commands, self.controls) = (controls.commands, controls.levers);
    }
}

/// What one driver drives through a world: a vehicle, or several that are coupled.
pub trait Driven: Recorded {
    /// Hands out the controls and updates every vehicle, before a step of `world`.
    ///
    /// # Errors
    ///
    /// The error of the first update that fails.
    fn update(&mut self, controls: &Controls, world: &mut PhysicsWorld) -> Result<(), StepError>;

    /// Parameters of the simulation of each vehicle.
    fn simulations_mut(&mut self) -> Vec<&mut SimulationParams>;
}

impl<V: Controlled> Driven for RapierVehicle<V> {
    fn update(&mut self, controls: &Controls, world: &mut PhysicsWorld) -> Result<(), StepError> {
        self.vehicle.take(controls);
        RapierVehicle::update(self, world)?;
        Ok(())
    }

    fn simulations_mut(&mut self) -> Vec<&mut SimulationParams> {
        vec![&mut self.params]
    }
}

/// A world, what is driven in it, and its driver.
pub struct Scene<T> {
    /// The world.
    pub world: PhysicsWorld,
    /// A vehicle, or several that are coupled.
    pub driven: T,
    /// Phases of pedals, steering and gears, by which `driven` is driven.
    pub schedule: Schedule,
}

impl<T: Driven> Scene<T> {
    /// This scene as the reference drives it: wheels turn by the forces of the step before, and
    /// limits are added to the denominators of slips.
    #[must_use]
    pub fn with_explicit_wheels(mut self) -> Self {
        for simulation in self.driven.simulations_mut() {
            simulation.wheel_coupling = WheelCoupling::Explicit;
            simulation.tire_slip = TireSlipParams::REFERENCE;
        }
        self
    }

    /// Drives to the end of the schedule; calls `after_step` with world and vehicle after every
    /// step.
    ///
    /// # Errors
    ///
    /// The error of a step, with its number, or the first one of `after_step`.
    pub fn drive(
        mut self,
        mut after_step: impl FnMut(&PhysicsWorld, &T) -> Result<()>,
    ) -> Result<()> {
        for (step, controls) in self.schedule.enumerate() {
            let update = self.driven.update(&controls, &mut self.world);
            update.with_context(|| format!("in step {step}"))?;
            self.world.step();
            after_step(&self.world, &self.driven)?;
        }
        Ok(())
    }

    /// Drives to the end of the schedule and records it, with these names of the wheels of a
    /// vehicle, by number; calls `after_step` after every step.
    ///
    /// # Errors
    ///
    /// See [`drive`](Self::drive); also if two wheels have the same name, or their number is not
    /// that of a vehicle.
    pub fn record(self, wheels: &[&str], mut after_step: impl FnMut()) -> Result<Telemetry> {
        let mut recorder = Recorder::new(&self.driven, wheels)?;
        self.drive(|world, driven| {
            recorder.record(world, driven)?;
            after_step();
            Ok(())
        })?;
        Ok(recorder.telemetry)
    }
}
