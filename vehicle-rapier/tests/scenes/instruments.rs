//! What a dashboard shows of a vehicle in a world: speed, engine speed and gear, and which wheels
//! skid.

use rapier3d::prelude::*;
use snippets::drivelines;
use vehicle_rapier::RapierVehicle;
use vehicle_rapier::core::convert::Convert;
use vehicle_rapier::core::frame::{CoordinateConversion, CoordinateSystem};
use vehicle_rapier::drivetrain::blocks::{DrivelineCommands, Selector, ready_made};
use vehicle_rapier::prelude::*;

use crate::common::grounds::{block, world_of};
use crate::common::saloon::{
    direct_saloon, engine_saloon, insert_engine_saloon, insert_saloon, saloon_chassis,
    saloon_rest_height,
};
use crate::common::{DT, drive};

fn asphalt() -> PhysicsWorld {
    let road = block(Vector::new(500.0, 0.5, 2_000.0), Vector::ZERO).friction(1.0);
    let mut world = world_of([road]);
    world.integration_parameters.dt = DT;
    world
}

fn at_rest() -> Pose {
    Pose::from_translation(Vector::Y * saloon_rest_height())
}

#[test]
fn automatic_car_shows_each_gear_and_a_plausible_engine_speed() {
    let mut world = asphalt();
    let mut car = insert_engine_saloon(&mut world, engine_saloon(), at_rest(), 3);
    assert_eq!(car.displayed_gear(), DisplayedGear::Neutral);
    // Full throttle would spin the wheels, and shift by them.
    car.vehicle.commands.throttle = 0.6;
    let mut shown = Vec::new();
    for _ in 0..720 {
        drive(&mut world, &mut car, DT);
        let gear = car.displayed_gear().to_string();
        if shown.last() != Some(&gear) {
            shown.push(gear);
        }
        let rpm = car.rpm().expect("an engine");
        assert!((600.0..7_500.0).contains(&rpm), "{rpm} rpm");
        let speed = car.vehicle.state.drive.engine.rotation_speed;
        assert!((rpm - speed * 9.549_297).abs() < 1e-2, "{rpm} rpm at {speed} rad/s");
    }
    assert_eq!(shown, ["1", "2", "3"], "at {} km/h", car.speed_kmh());
    assert!((car.speed_kmh() - 3.6 * car.forward_speed()).abs() < 1e-3);
    let reverse = car.vehicle.params().drivetrain.gearbox.neutral - 1;
    car.vehicle.controls.gear = GearCommand::Gear(reverse);
    (car.vehicle.commands.throttle, car.vehicle.commands.brakes[0]) = (0.0, 1.0);
    drive(&mut world, &mut car, 6.0);
    assert_eq!(car.displayed_gear().to_string(), "R");
}

#[test]
fn direct_drive_has_no_engine_and_shows_its_lever() {
    let mut world = asphalt();
    let mut car = insert_saloon(&mut world, direct_saloon(), at_rest(), 3);
    for (gear, text) in [(Gear::Reverse, "R"), (Gear::Neutral, "N"), (Gear::Forward, "D")] {
        car.vehicle.controls.gear = gear;
        assert_eq!((car.displayed_gear().to_string().as_str(), car.rpm()), (text, None));
    }
    assert_eq!(format!("{:>3}|", car.displayed_gear()), "  D|");
}

#[test]
fn drivelines_from_blocks_show_engine_or_motor_and_gear_or_lever() {
    let cases = [
        ("rear", Selector::Drive, "1", 300.0),
        ("rear", Selector::Park, "P", 300.0),
        ("electric", Selector::Reverse, "R", 0.0),
        ("electric", Selector::Drive, "D", 0.0),
    ];
    for (name, selector, text, least) in cases {
        let Some((_, build)) = ready_made::ALL.iter().find(|(each, _)| *each == name) else {
            panic!("{name} is not among {:?}", ready_made::ALL.map(|(name, _)| name));
        };
        let (mechanics, height) = drivelines::mechanics_for(name).expect("valid data");
        let mut world = asphalt();
        let pose = Pose::from_translation(Vector::Y * height);
        let chassis = saloon_chassis(&mechanics, pose);
        let params = BlockDriveParams::new(mechanics, build().expect("no faults"));
        let vehicle = BlockDriveVehicle::new(params).expect("valid parameters");
        let sequence = BlockDriveVehicle::sequence();
        let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
        car.vehicle.controls =
            DrivelineCommands { gear: 1, selector, ..DrivelineCommands::forward() };
        drive(&mut world, &mut car, 1.0);
        assert_eq!(car.displayed_gear().to_string(), text, "{name}, {selector:?}");
        let rpm = car.rpm().expect("an engine or a motor");
        assert!(least <= rpm.abs() && rpm.abs() < 8_000.0, "{name}: {rpm} rpm");
    }
}

#[test]
fn wheels_skid_that_are_locked_and_roll_otherwise() {
    let mut world = asphalt();
    let mut car = insert_saloon(&mut world, direct_saloon(), at_rest(), 3);
    assert_eq!(car.contact_point(0), None, "before the first step");
    car.vehicle.controls.gear = Gear::Forward;
    car.vehicle.commands.throttle = 0.5;
    drive(&mut world, &mut car, 5.0);
    let skidding = |car: &RapierVehicle<_>| [0, 1, 2, 3, 4].map(|wheel| car.is_skidding(wheel));
    assert_eq!(skidding(&car), [false; 5]);
    let (point, place) = (car.contact_point(0), world.bodies[car.actor.body].translation());
    let below = point.expect("on the ground") - place;
    assert!((below.y + place.y).abs() < 1e-2 && below.length() < 2.0, "{below}");
    (car.vehicle.commands.throttle, car.vehicle.commands.brakes[1]) = (0.0, 1.0);
    drive(&mut world, &mut car, 0.5);
    assert_eq!(skidding(&car), [false, false, true, true, false], "the hand brake locks the rear");
    drive(&mut world, &mut car, 6.0);
    assert_eq!(skidding(&car), [false; 5], "at rest");
}

#[test]
fn speedometer_and_skids_know_no_unit_of_length() {
    let centimeters = CoordinateSystem { length_scale: 100.0, ..CoordinateSystem::default() };
    let conversion = CoordinateConversion::new(&CoordinateSystem::default(), &centimeters);
    let mut shown = Vec::new();
    for scale in [1.0, 100.0] {
        let road = block(Vector::new(500.0, 0.5, 500.0) * scale, Vector::ZERO).friction(1.0);
        let mut world = world_of([road]);
        world.integration_parameters.dt = DT;
        world.integration_parameters.length_unit = scale;
        world.gravity *= scale;
        let params = direct_saloon();
        let params = if scale == 1.0 { params } else { params.converted(&conversion) };
        let pose = Pose::from_translation(Vector::Y * saloon_rest_height() * scale);
        let chassis = Chassis::new(&params.mechanics.rigid_body).pose(pose);
        let vehicle = DirectDriveVehicle::new(params).expect("valid parameters");
        let sequence = DirectDriveVehicle::sequence();
        let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
        car.params.coordinates.length_scale = scale;
        (car.vehicle.controls.gear, car.vehicle.commands.throttle) = (Gear::Forward, 0.5);
        drive(&mut world, &mut car, 5.0);
        car.vehicle.commands.brakes[1] = 1.0;
        drive(&mut world, &mut car, 0.3);
        shown.push((car.speed_kmh(), car.is_skidding(2), car.is_skidding(0)));
    }
    let [(meters, ..), (centimeters, ..)] = shown[..] else { panic!("two cars") };
    assert!((meters - centimeters).abs() < 0.02 * meters, "{shown:?}");
    assert!(shown.iter().all(|&(_, rear, front)| rear && !front), "{shown:?}");
}
