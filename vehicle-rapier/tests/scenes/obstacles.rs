//! Small bumps and kerbs, met at speed.

use rapier3d::prelude::*;
use snippets::scenes::strip;
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::suspension::ContactShape;
use vehicle_rapier::drivetrain::gearbox::GearCommand;
use vehicle_rapier::{Drivable, RapierVehicle, RoadQueryShape};

use crate::common::grounds::drivable_world_of;
use crate::common::roll;
use crate::common::saloon::{
    direct_saloon, engine_saloon, insert_engine_saloon, insert_saloon, saloon_rest_height,
};

/// What lies across the road, at the origin.
#[derive(Clone, Copy, Debug)]
enum Obstacle {
    /// Half a sine wave of this height and length (m).
    Bump(Real, Real),
    /// A step up (m).
    Kerb(Real),
}

/// Distance between the corners of a bump's mesh (m).
const CORNER: Real = 0.02;

impl Obstacle {
    /// The road as a mesh of strips across it.
    fn road(self) -> ColliderBuilder {
        let mut profile = vec![(-100.0, 0.0)];
        match self {
            Self::Bump(height, length) => {
                let count = (length / CORNER).round() as usize;
                profile.extend((0..=count).map(|i| {
                    let part = i as Real / count as Real;
                    (part * length, height * (part * std::f32::consts::PI).sin())
                }));
                profile.push((200.0, 0.0));
            }
            Self::Kerb(height) => profile.extend([(0.0, 0.0), (0.0, height), (200.0, height)]),
        }
        let profile: Vec<_> = profile.into_iter().map(|(z, y)| [z, y]).collect();
        strip(&profile, 10.0).expect("a mesh")
    }
}

/// What the driver feels.
#[derive(Clone, Copy, Debug)]
struct Ride {
    /// Largest vertical acceleration, averaged over 1/60 s (g).
    peak: Real,
    /// How far the center of mass rises (m).
    rise: Real,
    /// Least cosine of the angle between the roof's normal and the vertical.
    upright: Real,
}

/// How the car is simulated.
#[derive(Clone, Copy, Debug)]
struct Setting {
    shape: RoadQueryShape,
    substeps: u32,
    /// Steps per second (1/s).
    rate: Real,
    execution: RowExecution,
    has_engine: bool,
    /// Whether its wheels meet what stands in front of them.
    meets: bool,
}

/// The saloon rolls over `obstacle` at `speed` (m/s), `phase` steps further on its way.
fn ride(obstacle: Obstacle, setting: Setting, speed: Real, phase: Real) -> Ride {
    let mut world = drivable_world_of([obstacle.road()]);
    world.integration_parameters.dt = 1.0 / setting.rate;
    let start = phase * speed / setting.rate - run_up(speed);
    let pose = Pose::from_translation(Vector::new(0.0, saloon_rest_height(), start));
    if setting.has_engine {
        let mut params = engine_saloon();
        params.mechanics.jounce.contact = contact_of(setting.shape);
        let mut car = insert_engine_saloon(&mut world, params, pose, setting.substeps);
        car.vehicle.controls.gear =
            GearCommand::Gear(car.vehicle.params().drivetrain.gearbox.neutral);
        record(&mut world, &mut car, setting, speed)
    } else {
        let mut params = direct_saloon();
        params.mechanics.jounce.contact = contact_of(setting.shape);
        let mut car = insert_saloon(&mut world, params, pose, setting.substeps);
        record(&mut world, &mut car, setting, speed)
    }
}

/// Way from the center of the car to the obstacle, on which it settles (m).
fn run_up(speed: Real) -> Real {
    2.7 + 0.1 * speed
}

fn contact_of(shape: RoadQueryShape) -> ContactShape {
    if shape == RoadQueryShape::Ray { ContactShape::Ray } else { ContactShape::Cylinder }
}

fn record<V: Drivable>(
    world: &mut PhysicsWorld,
    car: &mut RapierVehicle<V>,
    setting: Setting,
    speed: Real,
) -> Ride {
    car.road.shape = setting.shape;
    car.params.row_execution = setting.execution;
    car.params.meets_obstacles = setting.meets;
    let radius = car.vehicle.wheel_params(0).radius;
    roll(world, car, speed, speed / radius);
    let steps = ((run_up(speed) + 6.0) / speed + 1.2) * setting.rate;
    let window = (setting.rate / 60.0).round().max(1.0) as usize;
    let mut speeds = vec![0.0; window];
    let mut ride = Ride { peak: 0.0, rise: 0.0, upright: 1.0 };
    for step in 0..steps as usize {
        car.step(world).expect("the car can be driven");
        let body = &world.bodies[car.actor.body];
        speeds.push(body.linvel().y);
        let change = (speeds[step + window] - speeds[step]).abs();
        ride.peak = ride.peak.max(change * setting.rate / window as Real / GRAVITY);
        ride.rise = ride.rise.max(body.translation().y - saloon_rest_height());
        ride.upright = ride.upright.min((body.rotation() * Vector::Y).y);
    }
    ride
}

/// Bumps and kerbs of 4 to 10 cm.
fn obstacles() -> impl Iterator<Item = Obstacle> {
    let of_height = |height| {
        let bumps = [0.4, 0.6, 1.0, 2.0].map(|length| Obstacle::Bump(height, length));
        bumps.into_iter().chain([Obstacle::Kerb(height)])
    };
    [0.04, 0.06, 0.08, 0.1].into_iter().flat_map(of_height)
}

/// Rides over all obstacles at 20 to 130 km/h, each from some of ten places within a step, and
/// checks that nobody is thrown.
fn nobody_is_thrown(setting: Setting) {
    let mut ride_number = 0;
    for obstacle in obstacles() {
        for speed in [20.0, 30.0, 50.0, 70.0, 90.0, 100.0, 115.0, 130.0] {
            for _ in 0..3 {
                ride_number += 1;
                let phase = (7 * ride_number % 10) as Real / 10.0;
                let ride = ride(obstacle, setting, speed / 3.6, phase);
                let what = format!("{obstacle:?}, {speed} km/h, phase {phase}, {setting:?}");
                assert!(ride.peak < 6.0, "{what}: {ride:?}");
                assert!(ride.rise < 0.2, "{what}: {ride:?}");
                assert!(0.99 < ride.upright, "{what}: {ride:?}");
            }
        }
    }
}

const SHAPES: [RoadQueryShape; 2] = [RoadQueryShape::Ray, RoadQueryShape::Cylinder];

/// As most games drive.
const USUAL: Setting = Setting {
    shape: RoadQueryShape::Ray,
    substeps: 3,
    rate: 60.0,
    execution: RowExecution::Local,
    has_engine: false,
    meets: false,
};

#[test]
fn small_bumps_and_kerbs_do_not_throw_the_car_at_any_number_of_substeps() {
    for shape in SHAPES {
        for substeps in [1, 3, 6] {
            nobody_is_thrown(Setting { shape, substeps, ..USUAL });
        }
    }
}

#[test]
fn small_bumps_and_kerbs_do_not_throw_a_car_with_an_engine() {
    for shape in SHAPES {
        nobody_is_thrown(Setting { shape, has_engine: true, ..USUAL });
    }
}

#[test]
fn small_bumps_and_kerbs_do_not_throw_a_car_whose_rows_the_world_executes() {
    for shape in SHAPES {
        nobody_is_thrown(Setting { shape, execution: RowExecution::Host, ..USUAL });
    }
}

#[test]
fn small_bumps_and_kerbs_do_not_throw_a_car_whose_wheels_meet_them() {
    for (rate, substeps) in [(30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1)] {
        for shape in SHAPES {
            nobody_is_thrown(Setting { shape, rate, substeps, meets: true, ..USUAL });
        }
    }
}

#[test]
fn small_bumps_and_kerbs_do_not_throw_the_car_at_other_rates() {
    for rate in [30.0, 240.0] {
        nobody_is_thrown(Setting { rate, ..USUAL });
    }
}
