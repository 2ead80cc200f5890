//! A drive: a scene's vehicle follows its schedule, step by step.

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use vehicle_rapier::core::WheelCoupling;
use vehicle_rapier::core::tire::BrushTire;
use vehicle_rapier::drivetrain::differential::DifferentialModel;
use vehicle_rapier::drivetrain::{DirectDriveVehicle, EngineDriveVehicleWith};
use vehicle_rapier::{Drivable, RapierVehicle};

use crate::recorder::Recorder;
use crate::scenes::Scene;
use crate::schedule::Controls;
use crate::telemetry::Telemetry;
use crate::vehicle_telemetry::VehicleTelemetry;

/// A vehicle that a driver with [`Controls`] can drive, and that can be recorded.
pub trait Driven: Drivable + VehicleTelemetry {
    /// Takes those controls that the vehicle has.
    fn take(&mut self, controls: &Controls);
}

impl Driven for DirectDriveVehicle {
    fn take(&mut self, controls: &Controls) {
        self.commands = controls.commands;
    }
}

impl<D: DifferentialModel> Driven for EngineDriveVehicleWith<BrushTire, D> {
    fn take(&mut self, controls: &Controls) {
        (self.commands, self.transmission) = (controls.commands, controls.transmission);
    }
}

impl<V: Driven> Scene<V> {
    /// The same scene with wheels that turn explicitly, as the reference's do.
    #[must_use]
    pub fn with_explicit_wheels(mut self) -> Self {
        self.vehicle.params.wheel_coupling = WheelCoupling::Explicit;
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
        mut after_step: impl FnMut(&PhysicsWorld, &RapierVehicle<V>) -> Result<()>,
    ) -> Result<()> {
        for (step, controls) in self.schedule.enumerate() {
            self.vehicle.vehicle.take(&controls);
            self.vehicle.step(&mut self.world).with_context(|| format!("in step {step}"))?;
            after_step(&self.world, &self.vehicle)?;
        }
        Ok(())
    }

    /// Drives to the end of the schedule and records it, with these names of the wheels, by number;
    /// calls `after_step` after every step.
    ///
    /// # Errors
    ///
    /// See [`drive`](Self::drive); also if two wheels have the same name, or their number is not the
    /// vehicle's.
    pub fn record(self, wheels: &[&str], mut after_step: impl FnMut()) -> Result<Telemetry> {
        let mut recorder = Recorder::new(&self.vehicle.vehicle, wheels)?;
        self.drive(|world, vehicle| {
            recorder.record(world, vehicle)?;
            after_step();
            Ok(())
        })?;
        Ok(recorder.telemetry)
    }
}
