//! A fleet of cars, updated by one and by several threads: the time that each part of a step takes.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rapier3d::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::vehicle::HasMechanics;
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{AnyDriveVehicle, AnyVehicle};

use crate::fingerprint::Fingerprint;
use crate::presets;
use crate::report::{Chart, LineShape, Report, Series, Table};
use crate::scenes::{DIRECT_DRIVE_DT, level_world};
use crate::schedule::{Phase, Schedule};
use crate::telemetry::{Channel, Telemetry};
use crate::vehicles::{sample_chassis, sample_direct_drive};

/// Distance between neighbors (m).
const SPACING: Real = 5.0;

/// Pedal of every driver.
const THROTTLE: Real = 0.5;

/// What is simulated.
#[derive(Clone, Debug)]
pub struct FleetSetting {
    /// What all of them are; without, cars of 2 t with a torque on each wheel.
    pub vehicle: Option<AnyVehicle>,
    /// Number of cars, side by side.
    pub vehicles: usize,
    /// Substeps of each of the cars of 2 t; others have those of their file.
    pub substeps: u32,
    /// For how long they accelerate (s).
    pub duration: Real,
}

impl FleetSetting {
    /// Number of steps.
    pub fn step_count(&self) -> usize {
        Schedule::new([Phase::lasting(self.duration)], DIRECT_DRIVE_DT).step_count()
    }

    /// The cars, somewhat above the ground, in a world of their own.
    fn fleet(&self) -> Result<(PhysicsWorld, Fleet)> {
        if let Some(vehicle) = &self.vehicle {
            return self.fleet_of(vehicle);
        }
        let mut world = level_world(DIRECT_DRIVE_DT, 1.0);
        let model = DirectDriveVehicle::new(sample_direct_drive()?)?;
        let substeps = self.substeps;
        let sequence =
            std::sync::Arc::new(DirectDriveVehicle::sequence_with_substeps(move |_| substeps));
        let mut fleet = Fleet::new();
        for index in 0..self.vehicles {
            let pose = Pose::from_translation(Vector::X * self.place(index));
            let chassis = sample_chassis(&model.params().mechanics.rigid_body, pose);
            let mut vehicle = model.another();
            vehicle.controls.gear = Gear::Forward;
            vehicle.commands.throttle = THROTTLE;
            fleet.insert(RapierVehicle::insert(&mut world, chassis, vehicle, sequence.clone()));
        }
        Ok((world, fleet))
    }

    /// A fleet of vehicles like `vehicle`, of any kind, in a world of their own.
    fn fleet_of(&self, vehicle: &AnyVehicle) -> Result<(PhysicsWorld, Fleet)> {
        presets::check_axes(vehicle)?;
        let mut world = level_world(DIRECT_DRIVE_DT, 1.0);
        let height = vehicle.standing_height(GRAVITY);
        let mut fleet = Fleet::new();
        for index in 0..self.vehicles {
            let place = Vector::new(self.place(index), height, 0.0);
            let mut car = vehicle.insert(&mut world, Pose::from_translation(place));
            car.commands_mut().throttle = THROTTLE;
            fleet.insert(car);
        }
        Ok((world, fleet))
    }

    /// How far to the left the car of this number stands (m).
    fn place(&self, index: usize) -> Real {
        SPACING * (index as Real - (self.vehicles / 2) as Real)
    }
}

/// A part of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The fleet reads its bodies, in one thread.
    Begin,
    /// The cars are updated by all threads.
    Update,
    /// The fleet writes to its bodies, in one thread.
    End,
    /// The world steps, in one thread.
    World,
}

impl Part {
    /// All parts, in their order.
    pub const ALL: [Self; 4] = [Self::Begin, Self::Update, Self::End, Self::World];

    /// Name of the channel of its time with `threads`.
    fn channel(self, threads: usize) -> String {
        format!("{self}, {}", count_of_threads(threads))
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Begin => "begin",
            Self::Update => "update",
            Self::End => "end",
            Self::World => "world",
        })
    }
}

fn count_of_threads(threads: usize) -> String {
    if threads == 1 { "1 thread".into() } else { format!("{threads} threads") }
}

/// A fleet and the threads that update it.
struct Run {
    threads: usize,
    pool: ThreadPool,
    world: PhysicsWorld,
    fleet: Fleet,
}

impl Run {
    fn new(setting: &FleetSetting, threads: usize) -> Result<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.with_context(|| format!("cannot start {}", count_of_threads(threads)))?;
        let (world, fleet) = setting.fleet()?;
        Ok(Self { threads, pool, world, fleet })
    }

    /// Drives a step; the time of each part.
    fn step(&mut self) -> Result<[Duration; 4]> {
        let Self { pool, world, fleet, .. } = self;
        pool.install(|| {
            let start = Instant::now();
            let mut scene = (&mut *world).into();
            fleet.begin(&mut scene);
            let begun = Instant::now();
            fleet.advance(&scene);
            let updated = Instant::now();
            if let Some(fault) = fleet.end(&mut scene).first() {
                bail!("{fault}");
            }
            let ended = Instant::now();
            world.step();
            Ok([begun - start, updated - begun, ended - updated, ended.elapsed()])
        })
    }

    /// A number that tells where all bodies are, how they move and how the wheels turn, bit by bit.
    fn fingerprint(&self) -> u64 {
        let mut fingerprint = Fingerprint::default();
        fingerprint.add_bodies(&self.world.bodies);
        self.add_wheels::<DirectDriveVehicle>(&mut fingerprint);
        self.add_wheels::<AnyDriveVehicle>(&mut fingerprint);
        fingerprint.0
    }

    /// How the wheels of the vehicles of a kind turn.
    fn add_wheels<V>(&self, fingerprint: &mut Fingerprint)
    where
        V: Drivable + HasMechanics + Send + Sync + 'static,
    {
        for (_, car) in self.fleet.iter::<V>() {
            let wheels = &car.vehicle.read_mechanics().state.wheels;
            wheels.iter().for_each(|wheel| fingerprint.add(&[wheel.rotation_speed]));
        }
    }
}

/// The times of all steps, for each number of threads.
pub struct Measurement {
    /// Time of each part of each step (ms), by number of threads.
    pub telemetry: Telemetry,
    /// A number that tells where the drive ended, the same for all numbers of threads.
    pub fingerprint: u64,
    threads: Vec<usize>,
    vehicles: usize,
}

/// Measures drives with each number of `threads`, which take turns step by step, so that all see
/// the same machine; calls `after_step` after each step of all.
///
/// # Errors
///
/// If there is no number of threads, or threads cannot be started; if a vehicle has a fault; if the
/// drives do not end with the same bits.
pub fn measure(
    setting: &FleetSetting,
    threads: &[usize],
    mut after_step: impl FnMut(),
) -> Result<Measurement> {
    let runs = threads.iter().map(|&threads| Run::new(setting, threads));
    let mut runs = runs.collect::<Result<Vec<_>>>()?;
    let parts = threads
        .iter()
        .flat_map(|&threads| Part::ALL.map(|part| Channel::new(part.channel(threads), "ms")));
    let mut telemetry = Telemetry::new([Channel::new("time", "s")].into_iter().chain(parts))?;
    let mut row = Vec::new();
    for step in 1..=setting.step_count() {
        row.clear();
        row.push(f64::from(DIRECT_DRIVE_DT) * step as f64);
        for run in &mut runs {
            let times = run.step().with_context(|| format!("in step {step}"))?;
            row.extend(times.map(|time| 1e3 * time.as_secs_f64()));
        }
        telemetry.push(&row)?;
        after_step();
    }
    let fingerprint = common_fingerprint(&runs)?;
    Ok(Measurement { telemetry, fingerprint, threads: threads.into(), vehicles: setting.vehicles })
}

/// The fingerprint of all runs.
fn common_fingerprint(runs: &[Run]) -> Result<u64> {
    let (first, others) = runs.split_first().context("no number of threads")?;
    let expected = first.fingerprint();
    for run in others {
        let actual = run.fingerprint();
        if actual != expected {
            let [these, those] = [run.threads, first.threads].map(count_of_threads);
            bail!("{these} end in other bits than {those}: {actual:016x}, not {expected:016x}");
        }
    }
    Ok(expected)
}

impl Measurement {
    /// Usual time of a part with `threads`, per vehicle and step (µs): the median, which a step
    /// that something else has held up does not move.
    fn usual(&self, part: Part, threads: usize) -> Result<f64> {
        let mut times = self.telemetry.column(&part.channel(threads))?.to_vec();
        times.sort_by(f64::total_cmp);
        let median = times.get(times.len() / 2).context("no step")?;
        Ok(1e3 * median / self.vehicles as f64)
    }

    /// How many times as fast the update is with `threads` as with the least number of them.
    fn speed_up(&self, threads: usize) -> Result<f64> {
        let least = *self.threads.iter().min().context("no number of threads")?;
        Ok(self.usual(Part::Update, least)? / self.usual(Part::Update, threads)?)
    }

    /// Key figures: label, value and unit.
    ///
    /// # Errors
    ///
    /// None of a measurement that was made.
    pub fn figures(&self) -> Result<Vec<(String, String, &'static str)>> {
        let mut figures = vec![
            ("vehicles".to_owned(), self.vehicles.to_string(), ""),
            ("steps".to_owned(), self.telemetry.len().to_string(), ""),
            ("final state".to_owned(), format!("{:016x}", self.fingerprint), ""),
        ];
        for &threads in self.threads.iter().skip(1) {
            let label = format!("speed-up of the update, {}", count_of_threads(threads));
            figures.push((label, format!("{:.2}", self.speed_up(threads)?), "times"));
        }
        Ok(figures)
    }

    /// The time of each part of a step with each number of threads.
    fn times(&self) -> Result<Table> {
        let cases = Part::ALL.into_iter().map(|part| {
            let time = |&threads: &usize| anyhow::Ok(format!("{:.3}", self.usual(part, threads)?));
            let times = self.threads.iter().map(time).collect::<Result<Vec<_>>>()?;
            anyhow::Ok((part.to_string(), times))
        });
        let columns = self.threads.iter().map(|&threads| count_of_threads(threads));
        let cases = cases.collect::<Result<Vec<_>>>()?;
        Ok(Table::of_cases("Time per vehicle in a step (µs)", columns, cases))
    }

    /// A page with the key figures, times and charts of scaling and times.
    ///
    /// # Errors
    ///
    /// None of a measurement that was made.
    pub fn report(&self, title: &str, description: &str) -> Result<Report> {
        let report = Report::new(title, description);
        let report = self
            .figures()?
            .into_iter()
            .fold(report, |report, (label, value, unit)| report.summary(label, value, unit));
        let charts = [self.scaling()?, self.parts()?, self.over_time()?];
        Ok(charts.into_iter().fold(report.table(self.times()?), Report::chart))
    }

    fn scaling(&self) -> Result<Chart> {
        let least = self.threads.iter().copied().min().unwrap_or(1);
        let ideal = self.threads.iter().map(|&threads| {
            let ratio = threads as f64 / least as f64;
            (threads as f64, ratio)
        });
        let measured = self.by_threads(|threads| self.speed_up(threads))?;
        let label = format!("times as fast as {}", count_of_threads(least));
        Ok(Chart::over_x("Scaling of the update", "threads", label)
            .over_a_count()
            .reaching_y(0.0)
            .series(Series::new("measured", measured).shaped(LineShape::Dotted))
            .series(Series::new("one core for each thread", ideal)))
    }

    fn parts(&self) -> Result<Chart> {
        let chart = Chart::over_x("Parts of a step", "threads", "time per vehicle (µs)");
        let chart = chart.over_a_count();
        Part::ALL.into_iter().try_fold(chart.reaching_y(0.0), |chart, part| {
            let times = self.by_threads(|threads| self.usual(part, threads))?;
            Ok(chart.series(Series::new(part.to_string(), times).shaped(LineShape::Dotted)))
        })
    }

    fn over_time(&self) -> Result<Chart> {
        let channels = self
            .threads
            .iter()
            .map(|&threads| (count_of_threads(threads), Part::Update.channel(threads)));
        Chart::over_time("Update over the drive", "time of the update (ms)")
            .reaching_y(0.0)
            .channels(&self.telemetry, channels, LineShape::Straight)
    }

    /// A value for each number of threads.
    fn by_threads(&self, value: impl Fn(usize) -> Result<f64>) -> Result<Vec<(f64, f64)>> {
        self.threads.iter().map(|&threads| Ok((threads as f64, value(threads)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use vehicle_rapier::core::Frame;
    use vehicle_rapier::vehicle_file::Preset;

    use super::*;

    #[test]
    fn wheels_of_vehicles_from_files_are_in_the_fingerprint() -> Result<()> {
        let vehicle = Some(AnyVehicle::preset("kart")?);
        let setting = FleetSetting { vehicle, vehicles: 2, substeps: 1, duration: 0.1 };
        let mut run = Run::new(&setting, 1)?;
        let before = run.fingerprint();
        for (_, car) in run.fleet.iter_mut::<AnyDriveVehicle>() {
            car.vehicle.mechanics().state.wheels.edit(0, |wheel| wheel.rotation_speed += 1.0);
        }
        assert_ne!(run.fingerprint(), before);
        Ok(())
    }

    #[test]
    fn vehicles_with_other_axes_are_refused() -> Result<()> {
        let mut file: serde_json::Value = serde_json::from_str(Preset::of_name("hot_hatch")?.text)?;
        let frame = serde_json::to_value(Frame::Z_UP)?;
        (file["mechanics"]["data_sheet"]["frame"], file["frame"]) = (frame.clone(), frame);
        let vehicle = Some(AnyVehicle::new(serde_json::from_value(file)?, "")?);
        let setting = FleetSetting { vehicle, vehicles: 2, substeps: 1, duration: 0.1 };
        let said = format!("{:#}", setting.fleet().err().context("it is refused")?);
        assert!(said.contains("frame: must be"), "{said}");
        Ok(())
    }
}
