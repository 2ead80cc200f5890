//! A drive over the proving ground: through the gears, an emergency stop, a slalom, a hill start.
//! Its driver is a [`PathDriver`], who leads cars, trucks with their trailers, and tanks.

mod figures;
mod layout;
mod marks;
mod report;
mod route;

pub use figures::CourseFigures;

use std::sync::Arc;

use anyhow::{Context, Error, Result, ensure};
use playground::body_size;
use playground::worlds::{World, WorldKind};
use rapier3d::prelude::*;
use vehicle_rapier::core::commands::Commands;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::diagnosis::Finding;
use vehicle_rapier::core::math::sin_cos;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::drivetrain::driver::PathDriver;
use vehicle_rapier::drivetrain::inputs::{Direction, DrivingCommands, GearChoice};
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle, VehicleFile};

use self::layout::{LAST_BRAKING, Layout, Size};
use self::marks::ground_marks;
use crate::manoeuvres::trip::ROLLED_OVER;
use crate::measurements::{Motion, Setting, bear_pedals, insert_train};
use crate::presets;
use crate::recorder::{Recorded, Recorder};
use crate::report::{GroundMark, Phase};
use crate::telemetry::{Channel, Telemetry};
use crate::vehicle_choice::{Train, check_led};
use crate::vehicle_figure::VehicleFigure;
use crate::wheel_names::wheel_names;

/// Speed at which an emergency stop begins (m/s).
const FULL_SPEED: Real = 110.0 / 3.6;
/// Speed below which a vehicle stands (m/s), and below which it no longer rocks at the end.
const STANDING: Real = 0.05;
const PARKED: Real = 0.02;
/// How long the driver waits before the start, after a stop, on the hill and at the end (s).
const WAITING: Real = 1.5;
/// How near the place of a stop is near enough (m), and how slow (m/s).
const STOPPED: [Real; 2] = [0.15, 0.4];
/// Growth of the accelerator at a hill start (1/s), and where it ends (dimensionless).
const HILL_PEDAL: [Real; 2] = [0.6, 0.8];
/// Pull of the wheels at which the driver lets the brake go, as a part of what the hill pulls
/// (dimensionless).
const LETTING_GO: Real = 1.1;
/// Longest time for which the driver waits for that pull (s), and rate at which the brake is let go
/// (1/s).
const PATIENCE: Real = 3.0;
const BRAKE_RATE: Real = 4.0;
/// How far from its route a vehicle may be (m).
const LOST: Real = 12.0;
/// Longest time that it may take (s).
const LONGEST: Real = 400.0;
/// Names of the channels of the driver.
const WANTED_SPEED: &str = "wanted speed";
const OFFSET: &str = "offset from the route";

/// Step from which on vehicles have several substeps at any speed (s), and how many.
const LONG_STEP: Real = 1.0 / 50.0;
const LONG_STEP_SUBSTEPS: u32 = 3;

/// What the driver is at.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    Accelerate,
    Stop,
    Wait,
    ToSlalom,
    Slalom,
    ToHill,
    Hold,
    PullAway,
    Climb,
    Park,
}

impl Stage {
    fn name(self) -> &'static str {
        match self {
            Self::Accelerate => "through the gears",
            Self::Stop => "emergency stop",
            Self::Wait => "stand",
            Self::ToSlalom => "to the slalom",
            Self::Slalom => "slalom",
            Self::ToHill => "to the hill",
            Self::Hold => "hold on the hill",
            Self::PullAway => "hill start",
            Self::Climb => "uphill",
            Self::Park => "park",
        }
    }
}

/// Why a vehicle did not get through.
#[derive(Debug)]
pub struct Failure {
    /// The error: what happened, where and when.
    pub error: Error,
    /// Findings about the vehicles of files, as they were at the failure.
    pub findings: Vec<Finding>,
}

/// A vehicle on the course, and its driver.
pub struct Course {
    /// Name of the vehicle in its file, or else as it was chosen.
    pub name: String,
    /// How it was chosen.
    chosen: String,
    world: World,
    train: Train,
    layout: Layout,
    driver: PathDriver,
    stage: Stage,
    seen: Motion,
    /// Time since the beginning (s), and of the stage.
    time: Real,
    stage_time: Real,
    wanted_speed: Real,
    /// Pedals of a hill start, in [0, 1].
    throttle: Real,
    brake: Real,
    figures: CourseFigures,
    phases: Vec<Phase>,
}

/// What was recorded of a drive over the course.
#[derive(Clone, Debug, PartialEq)]
pub struct CourseDrive {
    /// Name of the vehicle in its file, or else as it was chosen.
    pub name: String,
    /// Of every step.
    pub telemetry: Telemetry,
    /// What it comes to.
    pub figures: CourseFigures,
    /// What the driver did when.
    pub phases: Vec<Phase>,
    /// The vehicles.
    pub vehicles: Vec<VehicleFigure>,
    /// Cones, kerbs and slopes as they were before it.
    pub marks: Vec<GroundMark>,
}

/// Refuses a vehicle that the course is not one for.
///
/// # Errors
///
/// If it has no drive, a rider, axes of its own, or no wheel that steers.
pub fn check(vehicle: &AnyVehicle) -> Result<()> {
    check_led(
        vehicle,
        "its rider leans too slowly to follow the slalom: the offset would be larger than the room at a cone",
    )
}

/// The vehicle of `name` for steps of `dt` (s), if the course is one for it.
///
/// Hard springs, as of karts and race cars, need several substeps in long steps; trucks do without.
fn vehicle(name: &str, dt: Real) -> Result<AnyVehicle> {
    let vehicle = presets::vehicle(name)?;
    let file = vehicle.file();
    check(&vehicle)?;
    let is_alone = presets::trailer(name)?.is_none();
    if dt <= LONG_STEP || file.substeps.is_some() || !is_alone {
        return Ok(vehicle);
    }
    presets::rebuilt(name, VehicleFile { substeps: Some(LONG_STEP_SUBSTEPS), ..file.clone() })
}

impl Course {
    /// The preset, or the vehicle of a file, `name` at the beginning of the course, with its
    /// trailer if it has one, in steps of `dt` (s).
    ///
    /// # Errors
    ///
    /// If there is no such vehicle, its file has faults, or it cannot drive on the course.
    pub fn new(name: &str, dt: Real) -> Result<Self> {
        let own = vehicle(name, dt)?;
        let mut world = World::with_time_step(WorldKind::ProvingGround, dt)?;
        let ground = layout::beginning(&world)?;
        let train = insert_train(name, &own, &Setting::default(), &mut world.physics, ground)?;
        let mut train = Train { train };
        bear_pedals(&mut train.train)?;
        train.select(Selector::Drive);
        let holding = Commands { brakes: [1.0, 0.0], ..Commands::default() };
        let holding = DrivingCommands::new(holding, GearChoice::Automatic(Direction::Forward));
        for _ in 0..(WAITING / dt).ceil() as usize {
            step(&mut world, &mut train, &holding)?;
        }
        let (front, trailers) = train.train.split_first().context("a train has a vehicle")?;
        let trailers: Vec<_> = trailers.iter().collect();
        let driver = PathDriver::new(Arc::new(front.driver_model(&trailers)?));
        let bodies = &world.physics.bodies;
        let [_, width, _] = body_size(&own);
        let size = Size::of(&train.train, width, driver.model().figures(), bodies)?;
        let seen = Motion::of(front, bodies);
        let layout = Layout::new(&mut world, &size)?;
        let figures = CourseFigures::new(layout.cones.len(), layout.cone_distance);
        Ok(Self {
            name: presets::called(&own, name),
            chosen: name.to_owned(),
            world,
            train,
            layout,
            driver,
            stage: Stage::Accelerate,
            seen,
            time: 0.0,
            stage_time: 0.0,
            wanted_speed: 0.0,
            throttle: 0.0,
            brake: 1.0,
            figures,
            phases: Vec::new(),
        })
    }

    /// Drives to the end and records it; calls `after_step` after every step with the part of the
    /// route that is behind it, in [0, 1].
    ///
    /// # Errors
    ///
    /// If a step fails, or the vehicle does not get through; the message says where.
    pub fn record(self, after_step: impl FnMut(f64)) -> Result<CourseDrive> {
        match self.attempt(after_step)? {
            (drive, None) => Ok(drive),
            (_, Some(failure)) => Err(failure.error),
        }
    }

    /// Drives as far as the vehicle gets and records it, as [`record`](Self::record) does; with the
    /// reason why it does not get through, if it does not.
    ///
    /// # Errors
    ///
    /// If what happens cannot be recorded.
    pub fn attempt(
        mut self,
        mut after_step: impl FnMut(f64),
    ) -> Result<(CourseDrive, Option<Failure>)> {
        let names = wheel_names(self.front().mechanics().params);
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let mut recorder = Recorder::new(&self, &names)?;
        let vehicles = self.figures(&self.world.physics);
        let marks = ground_marks(&self.world);
        let error = loop {
            match self.step() {
                Ok(false) => {
                    recorder.record(&self.world.physics, &self)?;
                    after_step(f64::from(self.way() / self.layout.end));
                }
                Ok(true) => break None,
                Err(error) => break Some(error),
            }
        };
        let failure = match error {
            Some(error) => {
                let (train, world) = (&self.train.train, &self.world.physics);
                Some(Failure { error, findings: presets::findings(&self.chosen, train, world)? })
            }
            None => None,
        };
        self.figures.is_through = failure.is_none();
        let drive = CourseDrive {
            name: self.name,
            telemetry: recorder.telemetry,
            figures: self.figures,
            phases: self.phases,
            vehicles,
            marks,
        };
        Ok((drive, failure))
    }

    fn front(&self) -> &AnyRapierVehicle {
        &self.train.train[0]
    }

    /// How far on its path it is (m).
    fn way(&self) -> Real {
        self.driver.state.place.way
    }

    fn dt(&self) -> Real {
        self.world.physics.integration_parameters.dt
    }

    /// A step; whether the course is done.
    fn step(&mut self) -> Result<bool> {
        let dt = self.dt();
        let commands = self.commands();
        let at = || format!("{} s after the start, at \"{}\"", self.time, self.stage.name());
        step(&mut self.world, &mut self.train, &commands).with_context(at)?;
        (self.time, self.stage_time) = (self.time + dt, self.stage_time + dt);
        let before = self.seen;
        self.seen = Motion::of(&self.train.train[0], &self.world.physics.bodies);
        let is_done = self.proceed(&before);
        let bodies = &self.world.physics.bodies;
        let has_rolled_over = |car| ROLLED_OVER < Motion::of(car, bodies).roll().abs();
        ensure!(
            !self.train.train.iter().any(has_rolled_over),
            "{} lies on its side or its roof {:.1} s after the start, at \"{}\"",
            self.name,
            self.time,
            self.stage.name()
        );
        let offset = self.driver.state.place.offset;
        ensure!(
            offset.abs() < LOST,
            "{} leaves its route at \"{}\", {:.0} s after the start, by {:.1} m",
            self.name,
            self.stage.name(),
            self.time,
            offset.abs()
        );
        ensure!(
            self.time < LONGEST,
            "{} does not get beyond \"{}\" in {LONGEST} s, {:.0} m before the end of the course",
            self.name,
            self.stage.name(),
            self.layout.end - self.way()
        );
        Ok(is_done)
    }

    /// What the driver does now.
    fn commands(&mut self) -> DrivingCommands {
        let (dt, view) = (self.dt(), self.front().driver_view());
        let path = &self.layout.path;
        self.wanted_speed = 0.0;
        let pedals = match self.stage {
            Stage::Accelerate => {
                self.wanted_speed = FULL_SPEED;
                [1.0, 0.0]
            }
            Stage::Stop => [0.0, 1.0],
            Stage::Wait | Stage::Hold | Stage::Park => [0.0, 1.0],
            Stage::PullAway => {
                let [rate, end] = HILL_PEDAL;
                self.throttle = (self.throttle + rate * dt).min(end);
                let lets_go = self.figures.hill_pull() * LETTING_GO < self.train.pull()
                    || PATIENCE < self.stage_time
                    || self.brake < 1.0;
                self.brake -= if lets_go { BRAKE_RATE * dt } else { 0.0 };
                self.brake = self.brake.max(0.0);
                [self.throttle, self.brake]
            }
            Stage::ToSlalom | Stage::Slalom | Stage::ToHill | Stage::Climb => {
                self.wanted_speed = path.at(self.way()).speed;
                return self.driver.update(path, &view, dt);
            }
        };
        self.driver.update_with_pedals(path, &view, pedals, dt)
    }

    /// What comes after the step that has brought it from `before`; whether that was all.
    fn proceed(&mut self, before: &Motion) -> bool {
        let (seen, way, dt) = (self.seen, self.way(), self.dt());
        let speed = seen.forward_speed();
        let [first, last] = self.layout.slalom;
        let is_waiting = self.stage_time < WAITING;
        let is_done = |stop: Real| {
            let left = stop - way;
            left < STOPPED[0] || (speed < STOPPED[1] && left < 10.0 * STOPPED[0])
        };
        let figures = &mut self.figures;
        figures.moved(self.time, before, &seen);
        let next = match self.stage {
            Stage::Accelerate => {
                figures.accelerated(self.time, dt, before.forward_speed(), speed);
                (FULL_SPEED <= speed || LAST_BRAKING <= way).then_some(Stage::Stop)
            }
            Stage::Stop => {
                figures.braked(before, &seen);
                (speed < STANDING).then_some(Stage::Wait)
            }
            Stage::Wait => (!is_waiting).then_some(Stage::ToSlalom),
            Stage::ToSlalom => (first <= way).then_some(Stage::Slalom),
            Stage::Slalom => {
                figures.slalom_time += dt;
                (last <= way).then_some(Stage::ToHill)
            }
            Stage::ToHill => is_done(self.layout.hill).then_some(Stage::Hold),
            Stage::Hold => (!is_waiting).then_some(Stage::PullAway),
            Stage::PullAway => {
                figures.rolled(&seen);
                (self.layout.hill + 1.0 < way).then_some(Stage::Climb)
            }
            Stage::Climb => is_done(self.layout.end).then_some(Stage::Park),
            Stage::Park => {
                if PARKED <= seen.speed() {
                    self.stage_time = 0.0;
                } else if !is_waiting {
                    let bodies = &self.world.physics.bodies;
                    figures.cones_hit =
                        self.layout.cones.iter().filter(|cone| cone.is_hit(bodies)).count();
                    figures.slalom_speed = figures.slalom_length() / figures.slalom_time;
                    return true;
                }
                None
            }
        };
        self.note(dt);
        if let Some(stage) = next {
            self.enter(stage);
        }
        false
    }

    /// Notes what the driver has been at in the last step.
    fn note(&mut self, dt: Real) {
        let (name, end) = (self.stage.name(), f64::from(self.time));
        match self.phases.last_mut() {
            Some(phase) if phase.name == name => phase.end = end,
            _ => self.phases.push(Phase { start: end - f64::from(dt), end, name: name.into() }),
        }
    }

    fn enter(&mut self, stage: Stage) {
        if stage == Stage::PullAway {
            let pull = |car: &AnyRapierVehicle| {
                let pitch = Motion::of(car, &self.world.physics.bodies).pitch();
                car.mechanics().params.rigid_body.mass * GRAVITY * sin_cos(pitch).0
            };
            let pull = self.train.train.iter().map(pull).sum();
            self.figures.stood_on_hill(self.seen, self.layout.slope, pull);
            (self.brake, self.throttle) = (1.0, 0.0);
        }
        if stage == Stage::Stop {
            self.figures.begins_to_stop(self.seen.forward_speed());
        }
        (self.stage, self.stage_time) = (stage, 0.0);
    }
}

/// A step of `world` and of the vehicles in it.
fn step(world: &mut World, train: &mut Train, driven: &DrivingCommands) -> Result<()> {
    world.move_parts();
    train.update_driven(driven, &mut world.physics)?;
    world.physics.step();
    Ok(())
}

impl Recorded for Course {
    fn channels(&self, wheels: &[&str]) -> Vec<Channel> {
        let own = [Channel::new(WANTED_SPEED, "m/s"), Channel::new(OFFSET, "m")];
        self.train.channels(wheels).into_iter().chain(own).collect()
    }

    fn add_values(&self, world: &PhysicsWorld, row: &mut Vec<f64>) -> Result<()> {
        self.train.add_values(world, row)?;
        row.extend([self.wanted_speed, self.driver.state.place.offset].map(f64::from));
        Ok(())
    }

    fn figures(&self, world: &PhysicsWorld) -> Vec<VehicleFigure> {
        self.train.figures(world)
    }
}

#[cfg(test)]
mod tests {
    use vehicle_rapier::vehicle_file::Preset;

    use super::*;

    #[test]
    fn a_vehicle_on_its_roof_is_told_at_once() -> Result<()> {
        let mut course = Course::new("hot_hatch", 1.0 / 60.0)?;
        let body = course.front().body();
        let roof = Rotation::from_rotation_z(3.0);
        course.world.physics.bodies[body].set_rotation(roof, true);
        let (drive, failure) = course.attempt(|_| ())?;
        let said = failure.context("it fails")?.error.to_string();
        assert!(said.contains("lies on its side or its roof 0.0 s after the start"), "{said}");
        let shown = drive.figures.figures();
        assert!(shown.iter().all(|figure| figure.label != "cones hit"), "{shown:?}");
        Ok(())
    }

    #[test]
    fn a_vehicle_without_a_name_is_called_as_it_was_chosen() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("car.json");
        let mut file: serde_json::Value = serde_json::from_str(Preset::of_name("hot_hatch")?.text)?;
        file.as_object_mut().context("an object")?.remove("name");
        std::fs::write(&path, file.to_string())?;
        let chosen = path.display().to_string();
        assert_eq!(Course::new(&chosen, 1.0 / 60.0)?.name, chosen);
        Ok(())
    }
}
