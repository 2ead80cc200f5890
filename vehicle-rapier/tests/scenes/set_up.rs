//! Vehicles from what people know of them: a few numbers of a data sheet.

use rapier3d::prelude::*;
use vehicle_rapier::core::diagnosis::{Finding, Severity};
use vehicle_rapier::core::tire_code::TireCode;
use vehicle_rapier::drivetrain::engine::EngineParams;
use vehicle_rapier::prelude::*;

use crate::common::grounds::{block, world_of};
use crate::common::{DT, drive, roll};

/// Radians per second in a revolution per minute.
const RPM: Real = 0.104_72;

struct Sheet {
    name: &'static str,
    mass: Real,
    wheel_base: Real,
    front_share: Real,
    tires: &'static str,
    /// Power (W), its speed and the largest one (1/min).
    engine: [Real; 3],
    driven: [usize; 2],
}

/// Plausible figures of classes of cars, each a little different in everything.
const SHEETS: [Sheet; 5] = [
    Sheet {
        name: "city car",
        mass: 1_000.0,
        wheel_base: 2.4,
        front_share: 0.62,
        tires: "165/65R14",
        engine: [53e3, 6_000.0, 6_500.0],
        driven: [0, 1],
    },
    Sheet {
        name: "hatchback",
        mass: 1_300.0,
        wheel_base: 2.6,
        front_share: 0.6,
        tires: "205/55R16",
        engine: [96e3, 5_500.0, 6_500.0],
        driven: [0, 1],
    },
    Sheet {
        name: "estate with a diesel engine",
        mass: 1_650.0,
        wheel_base: 2.8,
        front_share: 0.57,
        tires: "225/50R17",
        engine: [110e3, 3_800.0, 4_800.0],
        driven: [0, 1],
    },
    Sheet {
        name: "sports car",
        mass: 1_350.0,
        wheel_base: 2.45,
        front_share: 0.44,
        tires: "P245/40ZR18",
        engine: [200e3, 7_000.0, 7_500.0],
        driven: [2, 3],
    },
    Sheet {
        name: "pick-up",
        mass: 2_200.0,
        wheel_base: 3.2,
        front_share: 0.55,
        tires: "LT265/65R17",
        engine: [130e3, 3_800.0, 4_600.0],
        driven: [2, 3],
    },
];

impl Sheet {
    fn blueprint(&self) -> CarBlueprint {
        let tires: TireCode = self.tires.parse().expect("a tire code");
        CarBlueprint {
            mass: self.mass,
            wheel_base: self.wheel_base,
            front_share: self.front_share,
            wheel: tires.wheel(),
            ..CarBlueprint::default()
        }
        .with_brakes(1.1)
    }

    fn car(&self, world: &mut PhysicsWorld) -> RapierVehicle<EngineDriveVehicle> {
        let sheet = self.blueprint();
        let mechanics = sheet.mechanics().expect("no faults");
        let [power, power_speed, max_speed] = self.engine;
        let engine = EngineParams::of_power(power, power_speed * RPM, max_speed * RPM);
        let params = EngineDriveParams::automatic_with(engine, mechanics, &self.driven);
        let place = Pose::from_translation(Vector::Y * sheet.center_of_mass_height);
        let hull = ColliderBuilder::cuboid(0.8, 0.3, 2.0).translation(Vector::Y * 0.3);
        let chassis = Chassis::new(&params.mechanics.rigid_body).pose(place).collider(hull);
        let vehicle = EngineDriveVehicle::new(params).expect("no faults");
        RapierVehicle::insert(world, chassis, vehicle, EngineDriveVehicle::sequence())
    }
}

fn asphalt() -> PhysicsWorld {
    let road = block(Vector::new(200.0, 0.5, 3_000.0), Vector::ZERO).friction(1.0);
    let mut world = world_of([road]);
    world.integration_parameters.dt = DT;
    world
}

#[test]
fn cars_of_a_few_numbers_accelerate_as_their_power_says() {
    for sheet in SHEETS {
        let mut world = asphalt();
        let mut car = sheet.car(&mut world);
        let name = sheet.name;
        drive(&mut world, &mut car, 1.0);
        let findings = diagnose(&car, DT).expect("a time step");
        let is_warning = |finding: &&Finding| finding.severity() == Severity::Warning;
        let warnings = findings.iter().filter(is_warning).map(ToString::to_string);
        let warnings: Vec<_> = warnings.collect();
        assert!(warnings.is_empty(), "{name}: {warnings:#?}");
        car.vehicle.commands.throttle = 1.0;
        let mut time = 0.0;
        while car.speed_kmh() < 100.0 && time < 60.0 {
            drive(&mut world, &mut car, DT);
            time += DT;
        }
        // All of the power all of the time, without losses; and what gears, tires and shifts leave
        // of it.
        let ideal = 0.5 * sheet.mass * Real::powi(100.0 / 3.6, 2) / sheet.engine[0];
        assert!(
            (1.1 * ideal..2.2 * ideal + 2.0).contains(&time),
            "{name}: {time} s, ideal {ideal} s"
        );
        eprintln!("{name}: 0 to 100 km/h in {time:.1} s, with all power all the time {ideal:.1} s");
    }
}

#[test]
fn cars_of_a_few_numbers_keep_their_lane_and_stop_straight() {
    for mass in [500.0, 900.0, 1_600.0, 3_500.0] {
        for natural_frequency in [1.0, 1.6, 2.5, 4.0] {
            let mut world = asphalt();
            let sheet = CarBlueprint {
                mass,
                natural_frequency,
                travel_distance: 0.4,
                ..CarBlueprint::default()
            };
            let sheet = CarBlueprint {
                brake_torques: sheet.brake_torques.map(|torque| torque * mass / 1_500.0),
                ..sheet
            };
            let mechanics = sheet.mechanics().expect("no faults");
            let place = Pose::from_translation(Vector::Y * sheet.center_of_mass_height);
            let chassis = Chassis::new(&mechanics.rigid_body).pose(place);
            let params = EngineDriveParams::automatic(mechanics, &[2, 3]);
            let vehicle = EngineDriveVehicle::new(params).expect("no faults");
            let sequence = EngineDriveVehicle::sequence();
            let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
            roll(&mut world, &mut car, 20.0, 20.0 / sheet.wheel.radius);
            drive(&mut world, &mut car, 5.0);
            let what = format!("{mass} kg, {natural_frequency} Hz");
            let place = world.bodies[car.actor.body].translation();
            assert!(place.x.abs() < 0.5, "{what}: {place} with hands off");
            assert!((place.y - sheet.center_of_mass_height).abs() < 0.03, "{what}: {place}");
            car.vehicle.commands.brakes[0] = 0.7;
            drive(&mut world, &mut car, 6.0);
            let body = &world.bodies[car.actor.body];
            assert!(body.linvel().length() < 1e-2, "{what}: {}", body.linvel());
            let forward = body.rotation() * Vector::Z;
            assert!(0.999 < forward.z && body.translation().x.abs() < 0.7, "{what}: {forward}");
        }
    }
}
