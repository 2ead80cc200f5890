//! A vehicle on the playground's course off the road, twice: with wheels that yield to what stands
//! in front of them, and with wheels that the road only lifts.

use std::fmt;
use std::sync::Arc;

use anyhow::{Context, Result};
use playground::worlds::{Lane, World, WorldKind};
use rapier3d::prelude::*;
use vehicle_rapier::core::Frame;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::drivetrain::driver::{Path, PathDriver};
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle};

use crate::measurements::Motion;
use crate::report::{Chart, LineShape, Phase, Report, Table};
use crate::telemetry::{Channel, Telemetry};
use crate::vehicle_choice::check_led;

/// Time step (s).
pub const DT: Real = 1.0 / 60.0;
/// The vehicle that is driven unless another is chosen.
pub const VEHICLE: &str = "pick_up";
/// Time in which the vehicle settles before it drives (s).
const SETTLING: Real = 1.0;
/// How much longer than at the wanted speed a lane may take (dimensionless, s).
const PATIENCE: [Real; 2] = [1.25, 5.0];
/// How far the path goes on beyond the end of a lane (m).
const BEYOND: Real = 20.0;
/// A vehicle that has not got through is stuck if it has rocked over less than this way (m) in so
/// many last steps.
const STUCK: f64 = 2.0;
const LAST: usize = 180;

/// Speed that the driver wants in a lane (m/s).
pub fn wanted_speed(lane: Lane) -> Real {
    match lane {
        Lane::Kerbs => 4.0,
        Lane::Rocks => 3.0,
        Lane::Log => 4.5,
        Lane::Ruts => 3.5,
        Lane::Washboard => 10.0,
        Lane::Field => 6.0,
    }
}

/// What wheels do with what stands in front of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wheels {
    /// They meet it, and yield.
    Yield,
    /// The road only lifts them.
    Follow,
}

impl Wheels {
    /// Both, in the order of their lines.
    pub const ALL: [Self; 2] = [Self::Yield, Self::Follow];
}

impl fmt::Display for Wheels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yield => "wheels yield",
            Self::Follow => "wheels follow",
        })
    }
}

/// Refuses a vehicle that this driver cannot lead along a lane.
///
/// # Errors
///
/// If it has no drive, a rider, axes of its own, or no wheel that steers.
pub fn check(vehicle: &AnyVehicle) -> Result<()> {
    check_led(vehicle, "its rider falls at kerbs and in ruts")
}

const PLACE: &str = "way";
const SPEED: &str = "speed";
const CLIMBED: &str = "ground below all wheels";
const VERTICAL: &str = "vertical acceleration";
const LONGITUDINAL: &str = "longitudinal acceleration";

/// What is recorded of a step.
const QUANTITIES: [(&str, &str); 5] =
    [(PLACE, "m"), (SPEED, "m/s"), (CLIMBED, "m"), (VERTICAL, "m/s²"), (LONGITUDINAL, "m/s²")];

type Sample = [f64; QUANTITIES.len()];

/// Name of the channel of a `quantity` with these `wheels`.
fn channel(quantity: &str, wheels: Wheels) -> String {
    format!("{quantity}, {wheels}")
}

/// Number of steps in a `lane`.
fn lane_steps(lane: Lane) -> usize {
    let [part, more] = PATIENCE;
    ((part * lane.length() / wanted_speed(lane) + more) / DT) as usize
}

/// Number of steps of all drives.
pub fn step_count() -> usize {
    Wheels::ALL.len() * Lane::ALL.into_iter().map(lane_steps).sum::<usize>()
}

/// Height of the lowest road below a wheel of `car` (m), if there is one below each.
fn ground_below(car: &AnyRapierVehicle, bodies: &RigidBodySet) -> Result<Option<Real>> {
    let mut lowest = Real::INFINITY;
    for wheel in 0..car.wheel_count() {
        let Some(road) = car.mechanics().state.roads.of(wheel) else { return Ok(None) };
        let hub = car.wheel_pose(wheel, bodies)?.translation;
        let height = hub.y - road.plane.distance(hub) / road.plane.normal.y.max(0.1);
        lowest = lowest.min(height);
    }
    Ok(Some(lowest))
}

/// Drives a lane; calls `after_step` after every step.
fn drive(
    vehicle: &AnyVehicle,
    world: &mut World,
    (lane, wheels): (Lane, Wheels),
    mut after_step: impl FnMut(),
) -> Result<Vec<Sample>> {
    let start = world.start(lane as usize)?;
    let height = Pose::from_translation(Vector::Y * vehicle.standing_height(GRAVITY));
    let mut car = vehicle.insert(&mut world.physics, start * height);
    car.params.meets_obstacles = wheels == Wheels::Yield;
    car.select(Selector::Drive);
    let [x, z] = [start.translation.x, start.translation.z];
    let ends = [0.0, lane.length() + BEYOND].map(|way| Vector::new(x, 0.0, z + way));
    let path = Path::open(&ends, &Frame::Y_UP)?.with_speed(wanted_speed(lane))?;
    let mut driver = PathDriver::new(Arc::new(car.driver_model(&[])?));
    let (mut samples, mut ground, mut velocity) = (Vec::new(), 0.0, Vector::ZERO);
    for step in 0..lane_steps(lane) {
        let (seen, view) = (Motion::of(&car, &world.physics.bodies), car.driver_view());
        let is_waiting = (step as Real) * DT < SETTLING;
        let is_over = lane.length() < seen.position.z - start.translation.z;
        let driven = if is_waiting || is_over {
            driver.update_with_pedals(&path, &view, [0.0, 0.5], DT)
        } else {
            driver.update(&path, &view, DT)
        };
        car.drive_by(&driven);
        car.step(&mut world.physics).with_context(|| format!("{}, {wheels}", lane.name()))?;
        let moved = Motion::of(&car, &world.physics.bodies);
        ground = ground_below(&car, &world.physics.bodies)?.unwrap_or(ground);
        let change = (moved.velocity - velocity) / DT;
        velocity = moved.velocity;
        let way = moved.position.z - start.translation.z;
        let sample = [way, moved.forward_speed(), ground, change.y, change.dot(moved.forward)];
        samples.push(sample.map(f64::from));
        after_step();
    }
    car.remove(&mut world.physics);
    Ok(samples)
}

/// What was recorded: the lanes one after the other, with both kinds of wheels side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct OffRoadDrive {
    /// All lanes.
    pub telemetry: Telemetry,
}

/// Drives all lanes with both kinds of wheels; calls `after_step` after every step.
///
/// # Errors
///
/// If a step fails.
pub fn record(vehicle: &AnyVehicle, mut after_step: impl FnMut()) -> Result<OffRoadDrive> {
    let mut world = World::new(WorldKind::OffRoad)?;
    let channels = Wheels::ALL.into_iter().flat_map(|wheels| {
        QUANTITIES.map(|(quantity, unit)| Channel::new(channel(quantity, wheels), unit))
    });
    let mut telemetry = Telemetry::new(std::iter::once(Channel::new("time", "s")).chain(channels))?;
    for lane in Lane::ALL {
        let [yielding, following] =
            Wheels::ALL.map(|wheels| drive(vehicle, &mut world, (lane, wheels), &mut after_step));
        for (yielding, following) in yielding?.iter().zip(&following?) {
            let time = f64::from(DT) * (telemetry.len() + 1) as f64;
            let row: Vec<f64> = std::iter::once(time).chain(*yielding).chain(*following).collect();
            telemetry.push(&row)?;
        }
    }
    Ok(OffRoadDrive { telemetry })
}

/// What a drive through a lane has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// How far the vehicle has come, from the end of the run-up on (m).
    pub way: f64,
    /// Whether it has got through.
    pub is_through: bool,
    /// Whether it has not got on at the end.
    pub is_stuck: bool,
    /// Mean speed from the end of the run-up to the end of the lane, or of the time, over the one
    /// that the driver wants (dimensionless).
    pub speed_kept: f64,
    /// Highest ground that all wheels have stood on (m).
    pub climbed: f64,
    /// Peaks of the vertical and the longitudinal acceleration, both over a step (m/s²).
    pub peaks: [f64; 2],
}

impl OffRoadDrive {
    /// Steps of `lane` in the telemetry.
    fn steps(lane: Lane) -> std::ops::Range<usize> {
        let before = Lane::ALL.into_iter().take_while(|other| *other != lane);
        let start = before.map(lane_steps).sum();
        start..start + lane_steps(lane)
    }

    /// What has come of `lane` with these `wheels`.
    ///
    /// # Errors
    ///
    /// If a channel is missing.
    pub fn passage(&self, lane: Lane, wheels: Wheels) -> Result<Passage> {
        let column = |quantity: &str| {
            let values = self.telemetry.column(&channel(quantity, wheels))?;
            anyhow::Ok(&values[Self::steps(lane)])
        };
        let [run_up, end] = [Lane::RUN_UP, lane.length()].map(f64::from);
        let ways = column(PLACE)?;
        let furthest = ways.iter().copied().fold(0.0, f64::max);
        let first = ways.iter().position(|way| run_up <= *way).unwrap_or(ways.len());
        let last = ways.iter().position(|way| end <= *way);
        let count = last.unwrap_or(ways.len()).saturating_sub(first);
        let way = (furthest.min(end) - run_up).max(0.0);
        let mean = if count == 0 { 0.0 } else { way / (count as f64 * f64::from(DT)) };
        let peak = |values: &[f64]| {
            let lane = &values[first..last.unwrap_or(values.len())];
            lane.iter().map(|value| value.abs()).fold(0.0, f64::max)
        };
        let tail = ways[ways.len().saturating_sub(LAST)..].iter().copied();
        let gained = tail.clone().fold(f64::MIN, f64::max) - tail.fold(f64::MAX, f64::min);
        Ok(Passage {
            way,
            is_through: last.is_some(),
            is_stuck: last.is_none() && gained < STUCK,
            speed_kept: mean / f64::from(wanted_speed(lane)),
            climbed: column(CLIMBED)?.iter().copied().fold(0.0, f64::max),
            peaks: [peak(column(VERTICAL)?), peak(column(LONGITUDINAL)?)],
        })
    }

    /// The lanes as phases of the drive.
    fn phases() -> impl Iterator<Item = Phase> {
        Lane::ALL.into_iter().map(|lane| {
            let steps = Self::steps(lane);
            let [start, end] = [steps.start, steps.end].map(|step| f64::from(DT) * step as f64);
            Phase { start, end, name: lane.name().to_owned() }
        })
    }

    /// All passages as a table.
    ///
    /// # Errors
    ///
    /// If a channel is missing.
    pub fn table(&self) -> Result<Table> {
        let header = [
            "",
            "wheels",
            "came to an end",
            "way (m)",
            "speed kept (%)",
            "climbed (cm)",
            "peak up or down (m/s²)",
            "peak along (m/s²)",
        ];
        let mut rows = Vec::new();
        for (lane, wheels) in
            Lane::ALL.into_iter().flat_map(|lane| Wheels::ALL.map(|it| (lane, it)))
        {
            let passage = self.passage(lane, wheels)?;
            rows.push(vec![
                lane.name().to_owned(),
                wheels.to_string(),
                passage.end().to_owned(),
                format!("{:.1}", passage.way),
                format!("{:.0}", 100.0 * passage.speed_kept),
                format!("{:.1}", 100.0 * passage.climbed),
                format!("{:.1}", passage.peaks[0]),
                format!("{:.1}", passage.peaks[1]),
            ]);
        }
        let notes = [
            "Way and speed count from the first obstacle of a lane on; the speed is the mean, over the one that \
             the driver wants.",
            "Climbed is the highest ground that all wheels have stood on. Accelerations are changes of the body's \
             velocity in a step of 1/60 s.",
        ];
        Ok(Table {
            title: "Lanes".to_owned(),
            notes: notes.map(str::to_owned).into(),
            header: header.map(str::to_owned).into(),
            rows,
        })
    }

    /// The page about the drives.
    ///
    /// # Errors
    ///
    /// If a channel is missing.
    pub fn report(&self, title: &str, description: &str) -> Result<Report> {
        let mut report =
            Report::new(title, description).phases(Self::phases()).table(self.table()?);
        for (quantity, unit) in QUANTITIES {
            let mut name = quantity.to_owned();
            name[..1].make_ascii_uppercase();
            let lines = Wheels::ALL.map(|wheels| (wheels.to_string(), channel(quantity, wheels)));
            let chart = Chart::over_time(name, format!("{quantity} ({unit})"));
            report = report.chart(chart.channels(&self.telemetry, lines, LineShape::Straight)?);
        }
        Ok(report)
    }
}

impl Passage {
    /// How it ended, in a word.
    pub fn end(&self) -> &'static str {
        match (self.is_through, self.is_stuck) {
            (true, _) => "through",
            (_, true) => "stuck",
            _ => "under way",
        }
    }
}
