//! Vehicles of what a stranger knows of them, from a light car to a truck of 40 t: each drives well
//! at the first try.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRng, TestRunner};
use rapier3d::prelude::*;
use vehicle_rapier::core::blueprint::{AxleBlueprint, VehicleBlueprint};
use vehicle_rapier::core::tire_code::TireCode;
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::blueprint::EngineBlueprint;
use vehicle_rapier::prelude::*;

use crate::common::grounds::{block, world_of};
use crate::common::{drive, roll};

/// Friction of a dry road, for which brakes are made (dimensionless).
const DRY: Real = 1.1;
/// Slip at which a braked wheel is about to lock (dimensionless).
const LOCKING: Real = 0.3;

/// What is known.
#[derive(Clone, Debug)]
struct Sheet {
    mass: Real,
    wheel_base: Real,
    track_width: Real,
    front_share: Real,
    center_of_mass_height: Real,
    natural_frequency: Real,
    power_per_mass: Real,
    top_speed: Real,
    drives_front: bool,
    tires: &'static str,
}

/// Numbers over which a logarithm is even.
fn decades(low: f32, high: f32) -> impl Strategy<Value = Real> {
    (low.ln()..high.ln()).prop_map(Real::exp)
}

/// Tires that bear a wheel's part of `mass` (kg) on four wheels, or those of a truck.
fn tires(mass: Real) -> &'static str {
    match mass {
        ..600.0 => "145/80R12",
        ..1_100.0 => "165/65R14",
        ..1_900.0 => "205/55R16",
        ..4_000.0 => "265/65R17",
        _ => "315/80R22.5",
    }
}

fn sheets() -> impl Strategy<Value = Sheet> {
    let parts = (0.9..1.15f32, 0.54..0.62f32, 0.4..0.65f32, 0.32..0.42f32);
    let numbers = (decades(400.0, 40_000.0), 1.0..4.0f32, 0.0..1.0f32, 0.0..1.0f32, any::<bool>());
    (parts, numbers).prop_map(|(parts, numbers)| {
        let (length, width, front_share, height) = parts;
        let (mass, natural_frequency, strength, fastness, drives_front) = numbers;
        let is_truck = 4_000.0 < mass;
        let wheel_base =
            if is_truck { 3.2 + 4.0 * (mass / 40_000.0) } else { 0.155 * mass.powf(0.38) } * length;
        let track_width = if is_truck { 2.0 } else { wheel_base * width };
        Sheet {
            mass,
            wheel_base,
            track_width,
            front_share,
            center_of_mass_height: track_width * if is_truck { 1.6 * height } else { height },
            natural_frequency,
            power_per_mass: if is_truck { 6.0 + 9.0 * strength } else { 35.0 + 110.0 * strength },
            top_speed: if is_truck { 24.0 + 8.0 * fastness } else { 36.0 + 34.0 * fastness },
            drives_front,
            tires: tires(mass),
        }
    })
}

impl Sheet {
    fn is_truck(&self) -> bool {
        4_000.0 < self.mass
    }

    /// Axles under 9.5 t each: a pair in the rear where two do not bear it.
    fn axles(&self) -> Vec<AxleBlueprint> {
        let wheel = self.tires.parse::<TireCode>().expect("a tire code").wheel();
        let springs =
            CarBlueprint { natural_frequency: self.natural_frequency, ..CarBlueprint::default() };
        let axle = |position, load| AxleBlueprint {
            wheel,
            natural_frequency: self.natural_frequency,
            travel_distance: springs.rest_jounce() + 0.12,
            ..AxleBlueprint::new(position, self.track_width, load, 0.0)
        };
        let steered =
            |position, load| AxleBlueprint { max_steer_angle: 0.6, ..axle(position, load) };
        let share = if self.is_truck() { 0.5 * self.front_share } else { self.front_share };
        let front = self.mass * share;
        let rear = self.mass - front;
        let count = (rear / 9_500.0).ceil();
        let rears = (0..count as usize)
            .map(|index| axle(self.wheel_base + 1.35 * index as Real, rear / count));
        [steered(0.0, front)].into_iter().chain(rears).collect()
    }

    fn mechanics(&self) -> (Real, MechanicalParams) {
        let axles = self.axles();
        let length = axles.last().expect("two axles").position * 1.5;
        let height = if self.is_truck() { 2.6 } else { 0.75 * self.track_width };
        let size = [length, self.track_width + 0.25, height];
        let sheet = VehicleBlueprint::new(size, self.center_of_mass_height, axles).with_brakes(DRY);
        (sheet.center_of_mass_height, sheet.mechanics().expect("no faults"))
    }

    fn vehicle(&self, world: &mut PhysicsWorld) -> RapierVehicle<EngineDriveVehicle> {
        let (height, mechanics) = self.mechanics();
        let wheels = mechanics.axles.wheel_count();
        let speed = if self.is_truck() { 190.0 } else { 560.0 };
        let engine = EngineBlueprint {
            power: self.power_per_mass * self.mass,
            power_speed: speed,
            max_speed: 1.2 * speed,
            top_speed: self.top_speed,
            driven: if self.drives_front && !self.is_truck() {
                vec![0, 1]
            } else {
                (2..wheels).collect()
            },
        };
        let params = engine.vehicle(mechanics).expect("no faults");
        let chassis = Chassis::new(&params.mechanics.rigid_body)
            .pose(Pose::from_translation(Vector::Y * height));
        let vehicle = EngineDriveVehicle::new(params).expect("no faults");
        RapierVehicle::insert(world, chassis, vehicle, EngineDriveVehicle::sequence())
    }
}

fn road(rate: Real) -> PhysicsWorld {
    let road = block(Vector::new(50.0, 0.5, 3_000.0), Vector::ZERO).friction(1.0);
    // Something to be thrown off the lane by, below the left wheels.
    let ridge = block(Vector::new(5.0, 0.5, 0.15), Vector::new(5.0, 0.01, 20.0)).friction(1.0);
    let mut world = world_of([road, ridge]);
    world.integration_parameters.dt = 1.0 / rate;
    world
}

/// What one of them does wrong, if it does.
fn trial(sheet: &Sheet, rate: Real) -> Result<(), TestCaseError> {
    let mut world = road(rate);
    let mut car = sheet.vehicle(&mut world);
    let body = car.actor.body;
    let dt = world.integration_parameters.dt;

    // It settles, its automatic in gear, and nothing is odd about it.
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 4.0);
    let place = world.bodies[body].translation();
    let sunk = place.y - sheet.center_of_mass_height;
    prop_assert!(sunk.abs() < 0.01, "stands {sunk} m too high");
    prop_assert!(world.bodies[body].linvel().length() < 1e-2, "does not settle");
    let findings = diagnose(&car, dt).expect("a time step");
    let told: Vec<_> = findings.iter().map(ToString::to_string).collect();
    prop_assert!(told.is_empty(), "{told:#?}");

    // It drives off.
    car.vehicle.commands.brakes[0] = 0.0;
    car.vehicle.commands.throttle = 1.0;
    drive(&mut world, &mut car, 4.0);
    let speed = world.bodies[body].linvel().z;
    prop_assert!(2.0 < speed, "{speed} m/s after 4 s at full throttle");
    car.vehicle.commands.throttle = 0.0;

    // 100 m with hands off, over the ridge.
    world.bodies[body].set_position(Pose::from_translation(Vector::Y * place.y), true);
    world.bodies[body].set_angvel(Vector::ZERO, true);
    let radius = car.vehicle.wheel_params(0).radius;
    roll(&mut world, &mut car, 20.0, 20.0 / radius);
    let mut left = 0.0;
    while world.bodies[body].translation().z < 100.0 && left < 8.0 {
        drive(&mut world, &mut car, dt);
        left += dt;
    }
    let place = world.bodies[body].translation();
    prop_assert!(100.0 <= place.z, "only {place} after 8 s");
    prop_assert!(place.x.abs() < 0.5, "{place} after 100 m with hands off");

    // The front wheels lock before the others, and none rises.
    let wheels = car.vehicle.axles().wheel_count();
    let mut locked = None;
    let mut pedal = 0.0;
    while 1.0 < car.speed_kmh() && locked.is_none() && pedal < 1.0 {
        pedal += 0.4 * dt;
        car.vehicle.commands.brakes[0] = pedal;
        drive(&mut world, &mut car, dt);
        for wheel in 0..wheels {
            let slip = car.vehicle.tire_state(wheel).slip;
            if locked.is_none() && slip.longitudinal < -LOCKING {
                locked = Some((wheel, pedal));
            }
            let load = car.vehicle.tire_state(wheel).grip.load;
            prop_assert!(0.0 < load, "wheel {wheel} rises at a pedal of {pedal}");
        }
    }
    let Some((wheel, pedal)) = locked else {
        return Err(TestCaseError::fail("its brakes do not lock a wheel"));
    };
    prop_assert!(wheel < 2, "wheel {wheel} locks first, at {pedal}");

    // It stops. On the softest springs of a truck it nods for some seconds more.
    car.vehicle.commands.brakes[0] = 0.8 * pedal;
    drive(&mut world, &mut car, 7.0);
    let speed = world.bodies[body].linvel().length();
    prop_assert!(speed < 1e-2, "{speed} m/s after 7 s of braking");
    let forward = world.bodies[body].rotation() * Vector::Z;
    prop_assert!(0.995 < forward.z, "turned to {forward} as it stopped");
    Ok(())
}

fn try_many(cases: u32, rate: Real) {
    let config = Config { max_shrink_iters: 40, ..Config::with_cases(cases) };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(Default::default()));
    runner.run(&sheets(), |sheet| trial(&sheet, rate)).unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn vehicles_of_a_few_numbers_drive_well_at_the_first_try() {
    try_many(200, 60.0);
}

#[test]
fn vehicles_of_a_few_numbers_drive_well_in_short_and_long_steps() {
    try_many(50, 30.0);
    try_many(30, 240.0);
}
