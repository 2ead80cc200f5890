//! A ride over a curved road of triangles, as it is and smooth.

use std::fmt;

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use vehicle_rapier::SmoothMesh;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::AnyVehicle;

use crate::drive::{Driven, Scene};
use crate::report::{Chart, LineShape, Report, Table};
use crate::scenes::{VehicleScene, strip};
use crate::schedule::{Phase, Schedule};
use crate::telemetry::{Channel, Telemetry};
use crate::vehicle_choice::Train;
use crate::vehicles::{SAMPLE_REST_HEIGHT, sample_chassis, sample_direct_drive};
use crate::wheel_names::{CAR_WHEELS, wheel_names};

/// Time step of the rides (s).
pub const DT: Real = 1.0 / 60.0;

/// Speed at the start; the car rolls (m/s).
pub const SPEED: Real = 20.0;

/// Radius of the road's crests and dips (m).
pub const RADIUS: Real = 50.0;

/// Time for which the car rolls (s).
const DURATION: Real = 7.5;

/// Time after which the car has settled on its springs (s).
const SETTLED: f64 = 0.75;

/// Half of the road's width (m).
const HALF_WIDTH: Real = 4.0;

/// The road's stretches: their numbers of triangles of 1 m along the road, and in which direction
/// they turn: up, down or not at all.
const STRETCHES: [(usize, Real); 11] = [
    (30, 0.0),
    (10, 1.0),
    (20, -1.0),
    (10, 1.0),
    (10, 1.0),
    (20, -1.0),
    (10, 1.0),
    (10, 1.0),
    (20, -1.0),
    (10, 1.0),
    (50, 0.0),
];

/// How the road is ridden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// On its triangles as they are.
    Triangles,
    /// With smooth normals.
    Smooth,
}

impl Surface {
    /// Both, in the order of their lines.
    pub const ALL: [Self; 2] = [Self::Triangles, Self::Smooth];
}

impl fmt::Display for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Triangles => "triangles",
            Self::Smooth => "smooth",
        })
    }
}

/// Three hills of triangles of 1 m, on arcs of 50 m radius.
fn road() -> Result<ColliderBuilder> {
    let (mut place, mut angle) = (Vector::new(0.0, 0.0, -10.0), 0.0);
    let mut places = vec![place];
    for (count, direction) in STRETCHES {
        for _ in 0..count {
            let turn = direction / RADIUS;
            let chord: Real = angle + 0.5 * turn;
            angle += turn;
            place += Vector::new(0.0, chord.sin(), chord.cos());
            places.push(place);
        }
    }
    let profile: Vec<_> = places.iter().map(|place| [place.z, place.y]).collect();
    Ok(strip(&profile, HALF_WIDTH)?.friction(1.0))
}

/// A world with the road.
fn world() -> Result<(PhysicsWorld, ColliderHandle)> {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let mesh = world.insert_collider(road()?, None);
    world.detect_collisions(&(), &());
    Ok((world, mesh))
}

/// `vehicle` rolls over the road at first 20 m/s, in neutral.
fn scene_of(vehicle: &AnyVehicle, surface: Surface, shape: RoadQueryShape) -> Result<Scene<Train>> {
    let (mut world, mesh) = world()?;
    let pose = Pose::from_translation(Vector::Y * vehicle.standing_height(GRAVITY));
    let mut car = vehicle.insert(&mut world, pose);
    car.select(Selector::Neutral);
    if shape != RoadQueryShape::Ray {
        car.road.shape = shape;
    }
    if surface == Surface::Smooth {
        car.road_resources.smooth_meshes = vec![SmoothMesh::new(mesh, &world.colliders)?];
    }
    world.bodies[car.body()].set_linvel(Vector::Z * SPEED, true);
    let schedule = Schedule::new([Phase::lasting(DURATION)], DT);
    Ok(Scene { world, driven: Train { train: vec![car] }, schedule })
}

/// A car rolls over the road at first 20 m/s.
///
/// # Errors
///
/// None with the data as they are.
pub fn scene(surface: Surface, shape: RoadQueryShape) -> Result<VehicleScene<DirectDriveVehicle>> {
    let (mut world, mesh) = world()?;
    let params = sample_direct_drive()?;
    let pose = Pose::from_translation(Vector::Y * SAMPLE_REST_HEIGHT);
    let chassis = sample_chassis(&params.mechanics.rigid_body, pose);
    let mut vehicle = DirectDriveVehicle::new(params)?;
    for wheel in 0..CAR_WHEELS.len() {
        let radius = vehicle.params().mechanics.wheels[wheel].radius;
        let wheels = &mut vehicle.state.mechanics.wheels;
        wheels.edit(wheel, |wheel| wheel.rotation_speed = SPEED / radius);
    }
    let sequence = DirectDriveVehicle::sequence();
    let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    world.bodies[car.actor.body].set_linvel(Vector::Z * SPEED, true);
    // The ride is that of the wheels: in the dips the car is on its stops, and its hull comes down
    // to the road.
    let hull = world.bodies[car.actor.body].colliders().to_vec();
    for collider in hull {
        world.colliders[collider].set_sensor(true);
    }
    car.road.shape = shape;
    if surface == Surface::Smooth {
        car.road_resources.smooth_meshes = vec![SmoothMesh::new(mesh, &world.colliders)?];
    }
    let schedule = Schedule::new([Phase::lasting(DURATION)], DT);
    Ok(Scene { world, driven: car, schedule })
}

const HEIGHT: &str = "height";
const ACCELERATION: &str = "vertical acceleration";
const TURN: &str = "turn of the normal";
const LOAD: &str = "load";

/// Name of the channel of a `quantity` of the ride on `surface`.
fn channel(quantity: &str, surface: Surface) -> String {
    format!("{quantity}, {surface}")
}

fn load_of(wheel: &str) -> String {
    format!("{LOAD} {wheel}")
}

/// Names of the wheels in recorded rides.
fn wheels_of(telemetry: &Telemetry) -> impl Iterator<Item = &str> {
    let loads = telemetry.names_after(LOAD).map(str::trim_start);
    loads.filter_map(|name| name.strip_suffix(", triangles"))
}

/// What rides: one vehicle.
trait Rider: Driven {
    fn body(&self) -> RigidBodyHandle;

    /// Normals of the road under the wheels that have found it, and the load of each (N).
    fn contacts(&self) -> Vec<(Option<Vector>, Real)>;
}

fn contacts_of<Tire: TireModel>(state: &MechanicalState<Tire>) -> Vec<(Option<Vector>, Real)> {
    let normals = state.roads.iter().map(|road| road.map(|road| road.plane.normal));
    let load = |wheel: usize| state.suspensions.of(wheel).force.normal_load;
    normals.enumerate().map(|(wheel, normal)| (normal, load(wheel))).collect()
}

impl Rider for RapierVehicle<DirectDriveVehicle> {
    fn body(&self) -> RigidBodyHandle {
        self.actor.body
    }

    fn contacts(&self) -> Vec<(Option<Vector>, Real)> {
        contacts_of(&self.vehicle.state.mechanics)
    }
}

impl Rider for Train {
    fn body(&self) -> RigidBodyHandle {
        self.train[0].body()
    }

    fn contacts(&self) -> Vec<(Option<Vector>, Real)> {
        contacts_of(self.train[0].mechanics().state)
    }
}

/// What a ride feels like in a step: height, vertical acceleration, turn of the normals and the
/// load of each wheel. The turn is that under the wheels since the step before (root mean square).
type Sample = Vec<f64>;

/// Rides over the road, and calls `after_step` after every step.
fn ride<T: Rider>(scene: Scene<T>, mut after_step: impl FnMut()) -> Result<Vec<Sample>> {
    let mut samples = Vec::new();
    let (mut speed, mut normals) = (0.0, vec![Vector::Y; scene.driven.contacts().len()]);
    scene.drive(|world, car| {
        let body = world.bodies.get(car.body()).context("the vehicle's body is gone")?;
        let contacts = car.contacts();
        let mut turned: f64 = 0.0;
        for (normal, (found, _)) in normals.iter_mut().zip(&contacts) {
            let found = found.unwrap_or(*normal);
            turned += f64::from(found.angle_between(*normal)).powi(2);
            *normal = found;
        }
        let acceleration = f64::from(body.linvel().y - speed) / f64::from(DT);
        speed = body.linvel().y;
        let height = f64::from(body.center_of_mass().y);
        let turn = (turned / normals.len() as f64).sqrt();
        let loads = contacts.iter().map(|(_, load)| f64::from(*load));
        samples.push([height, acceleration, turn].into_iter().chain(loads).collect());
        after_step();
        Ok(())
    })?;
    Ok(samples)
}

/// Number of steps of both rides.
pub fn step_count() -> usize {
    Surface::ALL.len() * Schedule::new([Phase::lasting(DURATION)], DT).step_count()
}

/// Both rides of the car, or of another `vehicle`, side by side; calls `after_step` after every
/// step.
///
/// # Errors
///
/// If a step fails.
pub fn record(
    vehicle: Option<&AnyVehicle>,
    shape: RoadQueryShape,
    mut after_step: impl FnMut(),
) -> Result<Telemetry> {
    let quantities = [(HEIGHT, "m"), (ACCELERATION, "m/s²"), (TURN, "rad")];
    let of_car = || CAR_WHEELS.map(str::to_owned).into();
    let wheels = vehicle.map_or_else(of_car, |vehicle| wheel_names(vehicle.mechanics()));
    let loads: Vec<_> = wheels.iter().map(|wheel| load_of(wheel)).collect();
    let of_ride = |surface| {
        let loads = loads.iter().map(|load| (load.as_str(), "N"));
        let quantities = quantities.into_iter().chain(loads);
        quantities.map(move |(name, unit)| Channel::new(channel(name, surface), unit))
    };
    let channels = Surface::ALL.into_iter().flat_map(of_ride);
    let mut telemetry = Telemetry::new(std::iter::once(Channel::new("time", "s")).chain(channels))?;
    let [triangles, smooth] = Surface::ALL.map(|surface| match vehicle {
        Some(vehicle) => ride(scene_of(vehicle, surface, shape)?, &mut after_step),
        None => ride(scene(surface, shape)?, &mut after_step),
    });
    for (step, (triangles, smooth)) in triangles?.iter().zip(&smooth?).enumerate() {
        let time = std::iter::once(f64::from(DT) * (step + 1) as f64);
        let ridden = triangles.iter().chain(smooth).copied();
        let row: Vec<f64> = time.chain(ridden).collect();
        telemetry.push(&row)?;
    }
    Ok(telemetry)
}

/// How rough a ride is: root mean squares after the car has settled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roughness {
    /// Vertical acceleration (m/s²). Crests and dips alone ask for speed² / radius.
    pub acceleration: f64,
    /// Change of the vertical acceleration in a step (m/s²).
    pub acceleration_change: f64,
    /// Change of the force of a suspension in a step (N).
    pub load_change: f64,
    /// Turn of the normal under a wheel in a step (rad).
    pub turn: f64,
}

impl Roughness {
    /// Of the recorded ride on `surface`.
    ///
    /// # Errors
    ///
    /// If a channel is missing.
    pub fn of(telemetry: &Telemetry, surface: Surface) -> Result<Self> {
        let first = telemetry.time().partition_point(|&time| time < SETTLED);
        let column = |quantity: &str| {
            let values = telemetry.column(&channel(quantity, surface))?;
            anyhow::Ok(values.get(first..).unwrap_or_default())
        };
        let accelerations = column(ACCELERATION)?;
        let loads = wheels_of(telemetry)
            .map(|wheel| anyhow::Ok(root_mean_square(changes(column(&load_of(wheel))?))));
        let loads = loads.collect::<Result<Vec<f64>>>()?;
        Ok(Self {
            acceleration: root_mean_square(accelerations.iter().copied()),
            acceleration_change: root_mean_square(changes(accelerations)),
            load_change: root_mean_square(loads.into_iter()),
            turn: root_mean_square(column(TURN)?.iter().copied()),
        })
    }

    /// The figures to show: what, value, unit.
    pub fn figures(&self) -> [(&'static str, String, &'static str); 4] {
        [
            ("vertical acceleration", format!("{:.2}", self.acceleration), "m/s²"),
            ("its change in a step", format!("{:.2}", self.acceleration_change), "m/s²"),
            ("change of a suspension's force in a step", format!("{:.0}", self.load_change), "N"),
            ("turn of the normal in a step", format!("{:.4}", self.turn), "rad"),
        ]
    }
}

/// Differences of neighbors.
fn changes(values: &[f64]) -> impl Iterator<Item = f64> {
    values.windows(2).map(|pair| pair[1] - pair[0])
}

/// The root of the mean of the squares of `values`; 0 if there are none.
fn root_mean_square(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) =
        values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value * value));
    if count == 0 { 0.0 } else { (sum / f64::from(count)).sqrt() }
}

/// The report of both rides.
///
/// # Errors
///
/// If a channel is missing.
pub fn report(title: &str, description: &str, telemetry: &Telemetry) -> Result<Report> {
    let roughness = Surface::ALL.map(|surface| Roughness::of(telemetry, surface));
    let roughness = roughness.into_iter().collect::<Result<Vec<_>>>()?;
    let figures: Vec<_> = roughness.iter().map(Roughness::figures).collect();
    let cases = figures[0].iter().enumerate().map(|(row, (what, _, unit))| {
        let texts = figures.iter().map(|figures| figures[row].1.clone()).collect();
        (format!("{what} ({unit})"), texts)
    });
    let columns = Surface::ALL.map(|surface| surface.to_string());
    let table = Table::of_cases("Roughness (root of the mean square)", columns, cases);
    let mut report = Report::new(title, description).table(table);
    let chart = |title: &str, label: &str, quantity: &str| {
        let lines = Surface::ALL.map(|surface| (surface.to_string(), channel(quantity, surface)));
        Chart::over_time(title, label).channels(telemetry, lines, LineShape::Straight)
    };
    report = report
        .chart(chart("Vertical acceleration", "vertical acceleration (m/s²)", ACCELERATION)?)
        .chart(chart("Turn of the normal", "turn in a step (rad)", TURN)?.reaching_y(0.0));
    for wheel in wheels_of(telemetry) {
        let (title, label) = (format!("Suspension {wheel}"), "force of the suspension (N)");
        report = report.chart(chart(&title, label, &load_of(wheel))?.reaching_y(0.0));
    }
    Ok(report.chart(chart("Heave", "height of the center of mass (m)", HEIGHT)?))
}
