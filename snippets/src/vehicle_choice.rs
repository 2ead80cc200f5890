//! The choice of a vehicle on the command line, and what it drives through: a preset or the vehicle
//! of a file, with its trailer if it has one.

use anyhow::{Context, Result, ensure};
use clap::Args;
use rapier3d::prelude::*;
use vehicle_rapier::core::SimulationParams;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::drivetrain::inputs::DrivingCommands;
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle, DriveSource};

use crate::drive::{Driven, Scene};
use crate::measurements::{ProvingGround, Setting, update_train};
use crate::presets;
use crate::program::{Output, Program};
use crate::recorder::Recorded;
use crate::schedule::{Controls, Phase, Schedule};
use crate::telemetry::Channel;
use crate::truck::{hitch_angles, trailer_channels};
use crate::vehicle_figure::VehicleFigure;
use crate::vehicle_telemetry::VehicleTelemetry;
use crate::wheel_names::wheel_names;

/// Which vehicle a program drives.
#[derive(Args, Clone, Debug, Default)]
pub struct VehicleChoice {
    /// Drive this vehicle instead: a preset, or a file in JSON, RON or TOML
    #[arg(long, value_name = "FILE|PRESET")]
    pub vehicle: Option<String>,

    /// List the presets
    #[arg(long)]
    pub list: bool,
}

impl VehicleChoice {
    /// Lists the presets, or drives the vehicle that was chosen through `phases`; whether there was
    /// such a choice.
    ///
    /// # Errors
    ///
    /// If there is no such vehicle, or its file has faults; as of [`Program::drive`].
    pub fn drive(
        &self,
        program: &Program,
        phases: impl Into<Vec<Phase>>,
        output: &Output,
    ) -> Result<bool> {
        self.drive_uphill(program, phases, output, 0.0)
    }

    /// Lists the presets, or drives the vehicle that was chosen through `phases` on a road as steep
    /// as `slope` (rad), up which it looks; whether there was such a choice.
    ///
    /// # Errors
    ///
    /// As of [`drive`](Self::drive).
    pub fn drive_uphill(
        &self,
        program: &Program,
        phases: impl Into<Vec<Phase>>,
        output: &Output,
        slope: Real,
    ) -> Result<bool> {
        if self.has_listed()? {
            return Ok(true);
        }
        let Some(name) = &self.vehicle else { return Ok(false) };
        self.check(presets::check_drive)?;
        let because = || format!("--vehicle {name}");
        let (called, scene) = scene(name, phases, slope).with_context(because)?;
        self.tell_findings(output, Setting::default().dt)?;
        let description = format!("{} in the drive of the program `{}`.", called, program.name);
        let front = scene.driven.train.first();
        let names = front.map_or_else(Vec::new, |car| wheel_names(car.mechanics().params));
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        program.drive_wheels(scene, output, &description, &names)?;
        Ok(true)
    }

    /// Lists the presets, if that is asked for; whether it was.
    ///
    /// # Errors
    ///
    /// All faults of the files.
    pub fn has_listed(&self) -> Result<bool> {
        if self.list {
            presets::print_list()?;
        }
        Ok(self.list)
    }

    /// The vehicle that was chosen, alone, and what it is called. What is odd about it in steps of
    /// `dt` (s) is told on the console, unless `output` is to be quiet.
    ///
    /// # Errors
    ///
    /// If there is no such vehicle, its file has faults, it has no drive, or it is chosen with a
    /// trailer. If its axes are not those of the worlds of these programs.
    pub fn chosen(&self, output: &Output, dt: Real) -> Result<Option<(String, AnyVehicle)>> {
        let Some(name) = &self.vehicle else { return Ok(None) };
        let vehicle = single(name).with_context(|| format!("--vehicle {name}"))?;
        self.tell_findings(output, dt)?;
        Ok(Some((presets::called(&vehicle, name), vehicle)))
    }

    /// Tells what is odd about the vehicle in steps of `dt` (s), unless `output` is to be quiet.
    fn tell_findings(&self, output: &Output, dt: Real) -> Result<()> {
        match &self.vehicle {
            Some(name) if !output.quiet => presets::tell_findings(name, dt),
            _ => Ok(()),
        }
    }

    /// Refuses a choice that does not fit the program, by what `check` says of it.
    ///
    /// # Errors
    ///
    /// If there is no such vehicle, its file has faults, or it does not fit.
    pub fn check(&self, check: impl FnOnce(&AnyVehicle) -> Result<()>) -> Result<()> {
        let Some(name) = &self.vehicle else { return Ok(()) };
        let checked = presets::vehicle(name).and_then(|vehicle| check(&vehicle));
        checked.with_context(|| format!("--vehicle {name}"))
    }
}

/// The vehicle of `name`, which must be a single one, with a drive and the axes of the worlds of
/// these programs.
///
/// # Errors
///
/// If there is no such vehicle, its file has faults, or it is none of these.
pub fn single(name: &str) -> Result<AnyVehicle> {
    presets::check_alone(name)?;
    let vehicle = presets::vehicle(name)?;
    presets::check_drive(&vehicle)?;
    presets::check_axes(&vehicle)?;
    Ok(vehicle)
}

/// A vehicle of any kind and the trailer that it pulls.
pub struct Train {
    /// The vehicle that is driven, and its trailer.
    pub train: Vec<AnyRapierVehicle>,
}

/// What the file of the vehicle `name` calls it, and the vehicle and its driver on a road of
/// friction 1 that rises by `slope` (rad), where it has settled.
fn scene(name: &str, phases: impl Into<Vec<Phase>>, slope: Real) -> Result<(String, Scene<Train>)> {
    let setting = Setting { friction: 1.0, ..Setting::default() };
    let ready = ProvingGround::ready_on(name, &setting, slope)?;
    let ProvingGround { name, world, train, .. } = ready;
    let schedule = Schedule::new(phases, setting.dt);
    Ok((name, Scene { world, driven: Train { train }, schedule }))
}

/// Whether a wheel of `vehicle` steers.
pub(crate) fn has_steered_wheels(vehicle: &AnyVehicle) -> bool {
    let steering = &vehicle.mechanics().steering;
    steering.wheel_multipliers.iter().any(|share| share * steering.max_response != 0.0)
}

/// Refuses a vehicle that a driver cannot lead over the grounds of the programs; `ridden` says why
/// not one with a rider.
pub(crate) fn check_led(vehicle: &AnyVehicle, ridden: &str) -> Result<()> {
    let file = vehicle.file();
    presets::check_drive(vehicle)?;
    ensure!(file.rider.is_none(), "{ridden}");
    presets::check_axes(vehicle)?;
    let steers = matches!(file.drive, DriveSource::Tank(_)) || has_steered_wheels(vehicle);
    ensure!(steers, "none of its wheels steers, so it cannot follow the course");
    Ok(())
}

impl Train {
    /// Updates all vehicles after a driver has `driven` the first: the brakes are those of all.
    ///
    /// # Errors
    ///
    /// If an update fails.
    pub(crate) fn update_driven(
        &mut self,
        driven: &DrivingCommands,
        world: &mut PhysicsWorld,
    ) -> Result<(), StepError> {
        if let Some(front) = self.train.first_mut() {
            front.drive_by(driven);
        }
        self.update_braked(driven.commands.brakes, world)
    }

    /// Updates all vehicles, with the `brakes` of the first one at its trailers, too.
    fn update_braked(
        &mut self,
        brakes: [Real; 2],
        world: &mut PhysicsWorld,
    ) -> Result<(), StepError> {
        for trailer in self.train.iter_mut().skip(1) {
            trailer.commands_mut().brakes = brakes;
        }
        update_train(&mut self.train, world)
    }

    /// Puts the lever of the vehicle that is driven at `selector`.
    pub fn select(&mut self, selector: Selector) {
        if let Some(front) = self.train.first_mut() {
            front.select(selector);
        }
    }

    /// What the drivetrain of the vehicle that is driven pulls at the road, at its wheels (N).
    pub fn pull(&self) -> Real {
        let Some(front) = self.train.first() else { return 0.0 };
        let torques = front.vehicle.drive_torques();
        let wheels = &front.mechanics().params.wheels;
        torques.iter().zip(wheels).map(|(torque, wheel)| torque / wheel.radius).sum()
    }
}

impl Driven for Train {
    fn update(&mut self, controls: &Controls, world: &mut PhysicsWorld) -> Result<(), StepError> {
        let Some(front) = self.train.first_mut() else { return Ok(()) };
        *front.commands_mut() = controls.commands;
        if let Some(transmission) = front.transmission_mut() {
            transmission.thrusts = controls.transmission.thrusts;
            transmission.track_brakes = controls.transmission.track_brakes;
        }
        self.update_braked(controls.commands.brakes, world)
    }

    fn simulations_mut(&mut self) -> Vec<&mut SimulationParams> {
        self.train.iter_mut().map(|car| &mut car.params).collect()
    }
}

/// The channels of a `train`, whose first vehicle has these wheels, by number.
pub(crate) fn train_channels(train: &[AnyRapierVehicle], wheels: &[&str]) -> Vec<Channel> {
    let Some((front, trailers)) = train.split_first() else { return Vec::new() };
    let mut channels = front.channels(wheels);
    for trailer in trailers {
        let names = wheel_names(trailer.mechanics().params);
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        channels.extend(trailer_channels(trailer.channels(&names)));
    }
    channels
}

/// Adds the values of the channels of a `train` to `row`, in their order.
///
/// # Errors
///
/// If a body is gone.
pub(crate) fn add_train_values(
    train: &[AnyRapierVehicle],
    world: &PhysicsWorld,
    row: &mut Vec<f64>,
) -> Result<()> {
    for (index, car) in train.iter().enumerate() {
        if 0 < index {
            let tractor = &train[index - 1];
            let frame = &tractor.params.coordinates.frame;
            let angles = hitch_angles(world, tractor.body(), car.body(), frame);
            row.extend(angles.into_iter().flatten().map(f64::from));
        }
        car.add_values(world, row)?;
    }
    Ok(())
}

impl Recorded for Train {
    fn channels(&self, wheels: &[&str]) -> Vec<Channel> {
        train_channels(&self.train, wheels)
    }

    fn add_values(&self, world: &PhysicsWorld, row: &mut Vec<f64>) -> Result<()> {
        add_train_values(&self.train, world, row)
    }

    fn figures(&self, world: &PhysicsWorld) -> Vec<VehicleFigure> {
        self.train.iter().flat_map(|car| car.figures(world)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailers_are_refused_where_a_single_vehicle_drives() -> Result<()> {
        for name in ["hot_hatch+nonsense", "truck_6x6+tandem_trailer"] {
            let said = single(name).err().context("it is refused")?.to_string();
            assert!(said.contains("must be a single vehicle") && said.contains("got a trailer"));
        }
        assert_eq!(single("truck_6x6+")?.file().name, single("truck_6x6")?.file().name);
        Ok(())
    }
}
