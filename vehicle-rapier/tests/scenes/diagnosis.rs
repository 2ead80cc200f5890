//! What a diagnosis says about vehicles in a world, and whether driving shows it.

use crate::common::car;
use rapier3d::prelude::*;
use snippets::drivetrains::{SampleDifferential, TankBrakes, sample_engine_drive, sample_tank};
use snippets::scenes::{TruckSetting, level_world, truck};
use snippets::vehicles::{SAMPLE_REST_HEIGHT, sample_chassis};
use vehicle_rapier::core::blueprint::CarBlueprint;
use vehicle_rapier::core::commands::CommandResponseParams;
use vehicle_rapier::core::diagnosis::ride::{RideForecast, ride_forecast};
use vehicle_rapier::core::diagnosis::{Conditions, Diagnose, Finding, FindingCode, Severity};
use vehicle_rapier::core::suspension::AntiRollBarParams;
use vehicle_rapier::core::tire::BrushTire;
use vehicle_rapier::drivetrain::differential::DifferentialModel;
use vehicle_rapier::drivetrain::{
    DirectDriveParams, DirectDriveVehicle, EngineDriveParams, EngineDriveVehicle,
    EngineDriveVehicleWith,
};
use vehicle_rapier::{Chassis, Drivable, RapierVehicle, diagnose};

const DT: Real = 1.0 / 60.0;

/// How a car is sprung and stepped.
#[derive(Clone, Copy, Debug)]
struct Setting {
    frequency: Real,
    damping_ratio: Real,
    rate: Real,
    substeps: u32,
    bars: Real,
}

fn settings() -> Vec<Setting> {
    let mut settings = Vec::new();
    for frequency in [1.4, 2.0, 3.0, 4.0, 5.0] {
        for damping_ratio in [0.15, 0.4, 0.7, 1.0] {
            for rate in [30.0, 60.0, 120.0] {
                for substeps in [1, 2, 3] {
                    for bars in [0.0, 20_000.0] {
                        settings.push(Setting { frequency, damping_ratio, rate, substeps, bars });
                    }
                }
            }
        }
    }
    settings
}

impl Setting {
    /// The car on level ground of this friction, dropped by a centimeter and rolling a little.
    fn scene(&self, friction: Real) -> (PhysicsWorld, RapierVehicle<DirectDriveVehicle>) {
        let Self { frequency, damping_ratio, rate, substeps, bars } = *self;
        let blueprint = CarBlueprint { natural_frequency: frequency, damping_ratio, ..massless() };
        let mut mechanics = blueprint.mechanics().expect("a faultless car");
        let bar = |wheels| AntiRollBarParams::new(wheels, bars);
        mechanics.anti_roll_bars = vec![bar([0, 1]), bar([2, 3])];
        let throttle = CommandResponseParams::linear(400.0, [1.0; 4]);
        let params = DirectDriveParams { mechanics, throttle };
        let mut world = level_world(1.0 / rate, friction);
        let height = blueprint.center_of_mass_height + 0.01;
        let hull = ColliderBuilder::cuboid(0.5, 0.1, 1.0).density(0.0);
        let chassis = Chassis::new(&params.mechanics.rigid_body)
            .pose(Pose::from_translation(Vector::Y * height))
            .collider(hull);
        let vehicle = DirectDriveVehicle::new(params).expect("a faultless car");
        let sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps);
        let car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
        world.bodies[car.actor.body].set_angvel(Vector::new(0.02, 0.0, 0.05), true);
        (world, car)
    }

    fn forecast(&self, car: &RapierVehicle<DirectDriveVehicle>) -> RideForecast {
        let conditions = Conditions::new(&car.params, 1.0 / self.rate, self.substeps).hosted();
        ride_forecast(&car.vehicle.params().mechanics, &conditions).expect("a car on its springs")
    }
}

/// A car whose wheels follow the road at once: what a step can shake.
fn massless() -> CarBlueprint {
    CarBlueprint { ride: None, ..CarBlueprint::default() }
}

/// What a car does in the last of six seconds.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    /// Largest vertical acceleration (m/s²) and angular acceleration (rad/s²).
    shaking: Real,
    /// Largest difference of a wheel's load in the last substep of a frame from its weight, per
    /// weight. Wheels that do not pull may shake within each frame, from no load to twice the
    /// weight, so that the body seems to be at rest.
    load_error: Real,
    /// Whether it stands upright on its wheels at the end: one that was thrown over lies still.
    stands: bool,
}

impl Outcome {
    fn is_unstable(&self) -> bool {
        !self.stands || 0.5 < self.shaking || 0.2 < self.load_error
    }
}

fn outcome(
    world: &mut PhysicsWorld,
    car: &mut RapierVehicle<DirectDriveVehicle>,
    setting: &Setting,
) -> Outcome {
    let rate = setting.rate;
    let (mut shaking, mut load_error): (Real, Real) = (0.0, 0.0);
    let (steps, last) = ((6.0 * rate) as usize, (5.0 * rate) as usize);
    for step in 0..steps {
        let before = *world.bodies[car.actor.body].vels();
        car.step(world).expect("the car can be driven");
        let after = world.bodies[car.actor.body].vels();
        if last <= step {
            let linear = (after.linvel.y - before.linvel.y).abs() * rate;
            let turning = after.angvel - before.angvel;
            shaking = shaking.max(linear).max(turning.length() * rate);
            let springs = &car.vehicle.params().mechanics.suspension_forces;
            let forces = &car.vehicle.state.mechanics.suspensions;
            for (spring, force) in springs.iter().zip(forces) {
                let weight = spring.sprung_mass * 9.81;
                load_error = load_error.max((force.force.normal_load / weight - 1.0).abs());
            }
        }
    }
    let is_upright = 0.99 < (world.bodies[car.actor.body].rotation() * Vector::Y).y;
    let wheels = &car.vehicle.state.mechanics.suspensions;
    let stands =
        is_upright && wheels.iter().all(|wheel| 0.0 < wheel.compression.jounce.unwrap_or(0.0));
    Outcome { shaking, load_error, stands }
}

#[test]
fn cars_shake_where_a_diagnosis_says_so() {
    let (mut stable, mut unstable, mut close) = (0, 0, 0);
    let mut wrong = Vec::new();
    for setting in settings() {
        // Without friction nothing but the suspension holds the body.
        let (mut world, mut car) = setting.scene(0.0);
        let forecast = setting.forecast(&car);
        // What fades so slowly is not over in the last second.
        if (0.97..1.02).contains(&forecast.growth) {
            close += 1;
            continue;
        }
        let outcome = outcome(&mut world, &mut car, &setting);
        *if outcome.is_unstable() { &mut unstable } else { &mut stable } += 1;
        if outcome.is_unstable() != forecast.is_unstable() {
            wrong.push(format!("{setting:?}: {forecast:?}, {outcome:?}"));
        }
    }
    println!("{stable} stable, {unstable} unstable, {close} too close, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(200 < stable && 20 < unstable, "{stable} stable, {unstable} unstable");
}

#[test]
fn cars_whose_tires_grip_are_told_alike() {
    // Tires that hold sideways couple roll with sliding, which the forecast leaves out. Those that
    // stick in place make it slower: some cars stand where the suspension alone would shake.
    let (mut count, mut false_alarms, mut wrong) = (0, 0, Vec::new());
    for setting in settings().into_iter().filter(|setting| setting.bars == 0.0) {
        let (mut world, mut car) = setting.scene(1.0);
        let forecast = setting.forecast(&car);
        if (0.9..1.15).contains(&forecast.growth) {
            continue;
        }
        count += 1;
        let outcome = outcome(&mut world, &mut car, &setting);
        match (outcome.is_unstable(), forecast.is_unstable()) {
            (true, false) => wrong.push(format!("{setting:?}: {forecast:?}, {outcome:?}")),
            (false, true) => false_alarms += 1,
            _ => {}
        }
    }
    println!("{count} cars, {} wrong, {false_alarms} false alarms", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(20 * false_alarms < count, "{false_alarms} of {count} cars stand in spite of it");
}

fn warnings<V: Drivable + Diagnose + Clone>(car: &RapierVehicle<V>, dt: Real) -> Vec<Finding> {
    let findings = diagnose(car, dt).expect("a time step");
    let is_meant = |found: &Finding| {
        // Samples brake all wheels alike, as those of the reference do.
        found.severity() == Severity::Warning && found.code != FindingCode::BrakesRear
    };
    findings.into_iter().filter(is_meant).collect()
}

fn engine_car<D: DifferentialModel + Clone + 'static>(
    params: EngineDriveParams<BrushTire, D>,
) -> RapierVehicle<EngineDriveVehicleWith<BrushTire, D>> {
    let mut world = level_world(DT, 1.0);
    let pose = Pose::from_translation(Vector::Y * SAMPLE_REST_HEIGHT);
    let chassis = sample_chassis(&params.mechanics.rigid_body, pose);
    let vehicle = EngineDriveVehicleWith::new(params).expect("valid parameters");
    RapierVehicle::insert(&mut world, chassis, vehicle, EngineDriveVehicleWith::sequence())
}

#[test]
fn healthy_vehicles_give_no_warnings() {
    let mut world = level_world(DT, 1.0);
    assert_eq!(warnings(&car(&mut world, SAMPLE_REST_HEIGHT), DT), []);
    for differential in [
        SampleDifferential::FourWheel { is_slip_limited: true },
        SampleDifferential::FourWheel { is_slip_limited: false },
        SampleDifferential::MultiWheel,
        SampleDifferential::Tank,
    ] {
        let params = sample_engine_drive(differential).expect("valid data");
        assert_eq!(warnings(&engine_car(params), DT), [], "{differential:?}");
    }
    let params = sample_tank(TankBrakes::PerTrack).expect("valid data");
    assert_eq!(warnings(&engine_car(params), DT), []);
    let truck = truck(&TruckSetting::default()).expect("valid data").driven;
    assert_eq!(warnings(&truck.tractor, DT), []);
    assert_eq!(warnings(&truck.trailer, DT), []);
}

#[test]
fn substeps_are_those_of_the_sequence_at_its_fastest() {
    // Three substeps below 5 m/s and one above: what one makes unstable is told at standstill.
    let blueprint = CarBlueprint { natural_frequency: 3.0, damping_ratio: 1.0, ..massless() };
    let mechanics = blueprint.mechanics().expect("a faultless car");
    let params = sample_engine_drive(SampleDifferential::MultiWheel).expect("valid data");
    let params = EngineDriveParams { mechanics, ..params };
    let mut car = engine_car(params);
    let found = |car: &RapierVehicle<EngineDriveVehicle>| {
        let findings = warnings(car, 1.0 / 30.0);
        findings.into_iter().find(|found| found.code == FindingCode::RideUnstable)
    };
    let unstable = found(&car).expect("one substep is unstable");
    println!("{unstable}");
    assert!(1.0 < unstable.value, "{unstable}");
    let advice = unstable.advice.expect("a number of substeps");
    let number = advice.split(' ').next().and_then(|word| word.parse().ok());
    let count: u32 = number.expect("a number of substeps");
    car.sequence = EngineDriveVehicle::sequence_with_substeps(move |_| count).into();
    assert_eq!(found(&car), None);
}

#[test]
fn a_road_whose_friction_nobody_has_set_is_told_once() {
    for (friction, expected) in [(0.5, 1), (0.3, 0), (1.0, 0)] {
        let mut world = level_world(DT, friction);
        let mut car = car(&mut world, SAMPLE_REST_HEIGHT);
        let count = |car: &RapierVehicle<DirectDriveVehicle>| {
            let findings = diagnose(car, DT).expect("a time step");
            findings.iter().filter(|finding| finding.code == FindingCode::RoadSlippery).count()
        };
        assert_eq!(count(&car), 0, "{friction}: it has not seen its road");
        car.step(&mut world).expect("a step");
        assert_eq!(count(&car), expected, "friction {friction}");
    }
}

#[test]
fn troubleshooting_names_findings_that_there_are_and_no_others() {
    let page = include_str!("../../../docs/troubleshooting.md");
    let codes: Vec<_> = FindingCode::ALL.iter().map(|code| format!("{code:?}")).collect();
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.ends_with(" |"));
    let last_cells = rows.filter_map(|row| row.trim_end_matches(" |").rsplit("| ").next());
    let named: Vec<_> = last_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let is_code = |name: &&&str| name.chars().all(char::is_alphabetic) && name.len() > 6;
    let unknown: Vec<_> = named
        .iter()
        .filter(|name| name.starts_with(char::is_uppercase))
        .filter(is_code)
        .filter(|name| !codes.iter().any(|code| code == **name))
        .filter(|name| !["SmoothMesh", "FrictionTable"].contains(name))
        .collect();
    assert!(unknown.is_empty(), "no such finding: {unknown:?}");
    assert!(30 < named.len(), "{named:?}");
}
