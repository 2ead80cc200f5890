//! Measures what a car's update costs on a box, a height field and a mesh, and prints a Markdown
//! table of ratios to the box.
//!
//! Fleets take turns, so that all see the same machine; a ratio is the median of those of all
//! rounds. With `--ground`, one fleet drives alone, for counting instructions:
//!
//! ```sh
//! valgrind --tool=callgrind --collect-atstart=no --toggle-collect='*update_cars*' \
//!   target/release/grounds --ground mesh --steps 120
//! ```

use std::time::{Duration, Instant};

use anyhow::Context;
use clap::{Parser, ValueEnum};
use rapier3d::prelude::*;
use vehicle_benches::median;
use vehicle_rapier::RoadQueryShape;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle};

/// Half of the width of the grounds (m).
const HALF_WIDTH: Real = 128.0;
/// Cars of a fleet: few, for instructions hardly depend on it.
const CARS: usize = 16;
const ROUNDS: usize = 31;
/// Steps of a fleet before the next one's turn.
const STEPS: usize = 20;
/// Steps in which cars fall onto their wheels and gather speed.
const SETTLING_STEPS: usize = 240;

/// A ground, and how wheels look for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Ground {
    Box,
    /// 256² cells.
    HeightField,
    /// 100,352 triangles.
    Mesh,
    BoxSwept,
    HeightFieldSwept,
    MeshSwept,
    /// The box; all wheels are pressed against kerbs, which they meet.
    BoxAtKerbs,
}

/// Measures how long cars take on boxes, height fields and meshes.
#[derive(Clone, Debug, Parser)]
struct Arguments {
    /// The only ground to drive on.
    #[arg(long)]
    ground: Option<Ground>,
    /// Steps to drive there.
    #[arg(long, default_value_t = 120)]
    steps: usize,
    /// Lets roads only lift wheels, but on the ground that has kerbs.
    #[arg(long)]
    without_obstacles: bool,
    /// The preset to drive.
    #[arg(long, default_value = "hot_hatch")]
    preset: String,
    /// Steering command, in [-1, 1].
    #[arg(long, default_value_t = 0.02, allow_negative_numbers = true)]
    steer: Real,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    if let Some(ground) = arguments.ground {
        let mut fleet = Cars::on(ground, &arguments)?;
        fleet.drive(arguments.steps)?;
        return Ok(());
    }
    let grounds = Ground::value_variants();
    let mut fleets = Vec::new();
    for &ground in grounds {
        fleets.push((Cars::on(ground, &arguments)?, Vec::new()));
    }
    for _ in 0..ROUNDS {
        for (fleet, times) in &mut fleets {
            fleet.restore();
            times.push(fleet.drive(STEPS)?.as_secs_f64());
        }
    }
    let unit = fleets[0].1.clone();
    println!("| ground | update |\n|---|---:|");
    for (ground, (_, times)) in grounds.iter().zip(fleets) {
        let ratios = times.iter().zip(&unit).map(|(time, unit)| time / unit).collect();
        println!("| {ground:?} | {:.2} |", median(ratios)?);
    }
    Ok(())
}

/// Cars on a ground.
struct Cars {
    world: PhysicsWorld,
    cars: Vec<AnyRapierVehicle>,
    settled: Option<(RigidBodySet, Vec<AnyRapierVehicle>)>,
}

impl Cars {
    /// Cars that drive at some 10 m/s through gentle bends.
    fn on(ground: Ground, arguments: &Arguments) -> anyhow::Result<Self> {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = 1.0 / 60.0;
        world.insert_collider(ground.collider()?.friction(1.0), None);
        let model = AnyVehicle::preset(&arguments.preset).context("a preset")?;
        let mut cars = Vec::new();
        for index in 0..CARS {
            let (x, z) = (8.0 * index as Real - 60.0, -50.0 - 3.0 * (index % 5) as Real);
            let y = model.standing_height(9.81) + ground.height(x, z) + 0.1;
            let mut car = model.insert(&mut world, Pose::from_translation(Vector::new(x, y, z)));
            car.road.shape = ground.shape();
            let body = &mut world.bodies[car.body()];
            body.activation_mut().normalized_linear_threshold = -1.0;
            car.commands_mut().throttle = 0.2;
            car.params.meets_obstacles =
                !arguments.without_obstacles || ground == Ground::BoxAtKerbs;
            if ground == Ground::BoxAtKerbs {
                insert_kerbs(&mut world, &car)?;
            } else {
                body.set_linvel(Vector::Z * 10.0, true);
                // All in the same bend, or their wheels would meet each other's hulls.
                car.commands_mut().steer = arguments.steer;
            }
            cars.push(car);
        }
        world.step();
        let mut cars = Self { world, cars, settled: None };
        cars.settle(ground)?;
        Ok(cars)
    }

    fn settle(&mut self, ground: Ground) -> anyhow::Result<()> {
        for _ in 0..SETTLING_STEPS {
            for car in &mut self.cars {
                car.update(&mut self.world)?;
            }
            self.world.step();
        }
        let is_driving = |car: &AnyRapierVehicle| 5.0 < car.forward_speed();
        let are_to_drive = ground != Ground::BoxAtKerbs;
        let are_as_meant = self.cars.iter().all(|car| is_driving(car) == are_to_drive);
        anyhow::ensure!(are_as_meant, "cars must drive, and stand where they meet kerbs");
        self.settled = Some((self.world.bodies.clone(), self.cars.clone()));
        Ok(())
    }

    /// Goes back to where the cars had settled.
    fn restore(&mut self) {
        if let Some((bodies, cars)) = &self.settled {
            for (handle, settled) in bodies.iter() {
                let body = &mut self.world.bodies[handle];
                body.set_position(*settled.position(), true);
                body.set_vels(*settled.vels(), true);
            }
            self.cars.clone_from(cars);
        }
    }

    /// Time of the updates of so many steps.
    fn drive(&mut self, steps: usize) -> anyhow::Result<Duration> {
        let mut elapsed = Duration::ZERO;
        for _ in 0..steps {
            let start = Instant::now();
            update_cars(&mut self.cars, &mut self.world)?;
            elapsed += start.elapsed();
            self.world.step();
        }
        Ok(elapsed)
    }
}

/// Height of a kerb, and how far it is ahead of a wheel's center, by the wheel's radius
/// (dimensionless): a bit nearer than it touches.
const KERB: [Real; 2] = [0.8, 0.95];

/// Puts a kerb before each wheel of a car.
fn insert_kerbs(world: &mut PhysicsWorld, car: &AnyRapierVehicle) -> anyhow::Result<()> {
    const HALF_LENGTH: Real = 0.2;
    for wheel in 0..car.wheel_count() {
        let radius = car.mechanics().params.wheels[wheel].radius;
        let center = car.wheel_pose(wheel, &world.bodies)?.translation;
        let [height, ahead] = KERB.map(|part| part * radius);
        let place = Vector::new(center.x, 0.5 * height, center.z + ahead + HALF_LENGTH);
        let kerb = ColliderBuilder::cuboid(0.3, 0.5 * height, HALF_LENGTH).translation(place);
        world.insert_collider(kerb.friction(1.0), None);
    }
    Ok(())
}

/// Updates cars one by one; a function of its own, whose instructions can be counted.
#[inline(never)]
fn update_cars(cars: &mut [AnyRapierVehicle], world: &mut PhysicsWorld) -> anyhow::Result<()> {
    for car in cars {
        car.update(&mut *world)?;
    }
    Ok(())
}

impl Ground {
    fn shape(self) -> RoadQueryShape {
        match self {
            Self::Box | Self::HeightField | Self::Mesh | Self::BoxAtKerbs => RoadQueryShape::Ray,
            Self::BoxSwept | Self::HeightFieldSwept | Self::MeshSwept => RoadQueryShape::Cylinder,
        }
    }

    /// Gentle hills, or a plane (m).
    fn height(self, x: Real, z: Real) -> Real {
        match self {
            Self::Box | Self::BoxSwept | Self::BoxAtKerbs => 0.0,
            _ => 0.5 * (0.1 * x).sin() * (0.13 * z).cos(),
        }
    }

    /// Place of a point of a grid of `count`² cells (m).
    fn grid_point(self, count: usize, row: usize, column: usize) -> Vector {
        let along = |index: usize| HALF_WIDTH * (2.0 * index as Real / count as Real - 1.0);
        let (x, z) = (along(column), along(row));
        Vector::new(x, self.height(x, z), z)
    }

    fn collider(self) -> anyhow::Result<ColliderBuilder> {
        let width = 2.0 * HALF_WIDTH;
        Ok(match self {
            Self::Box | Self::BoxSwept | Self::BoxAtKerbs => {
                ColliderBuilder::cuboid(HALF_WIDTH, 1.0, HALF_WIDTH).translation(Vector::NEG_Y)
            }
            Self::HeightField | Self::HeightFieldSwept => {
                let count = 256;
                let column =
                    |column| (0..=count).map(move |row| self.grid_point(count, row, column).y);
                let heights =
                    Array2::new(count + 1, count + 1, (0..=count).flat_map(column).collect());
                ColliderBuilder::heightfield(heights, Vector::new(width, 1.0, width))
            }
            Self::Mesh | Self::MeshSwept => self.mesh(224)?,
        })
    }

    /// A mesh of `count`² squares.
    fn mesh(self, count: usize) -> anyhow::Result<ColliderBuilder> {
        let row_length = count as u32 + 1;
        let row = |row| (0..=count).map(move |column| self.grid_point(count, row, column));
        let vertices = (0..=count).flat_map(row).collect();
        let square = |index: u32| {
            let first = index / count as u32 * row_length + index % count as u32;
            let next = first + row_length;
            [[first, next, first + 1], [first + 1, next, next + 1]]
        };
        let triangles = (0..(count * count) as u32).flat_map(square).collect();
        Ok(ColliderBuilder::trimesh(vertices, triangles)?)
    }
}
