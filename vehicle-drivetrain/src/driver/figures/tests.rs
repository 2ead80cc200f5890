use vehicle_core::blueprint::{AxleBlueprint, AxleBrakeValve, CarBlueprint, VehicleBlueprint};

use super::*;
use crate::engine_drive_vehicle::EngineDriveParams;

fn saloon() -> (EngineDriveParams, VehicleFigures) {
    let sheet = CarBlueprint::default();
    let mechanics = sheet.mechanics().expect("a car");
    let params = EngineDriveParams::automatic(mechanics, &[2, 3]);
    let drive = DriveFigures::engine(&params.drivetrain, &params.mechanics);
    let figures = VehicleFigures::of(&params.mechanics, drive, 0.0, &sheet.frame);
    (params, figures)
}

#[test]
fn an_engine_pulls_by_its_gears() {
    let (params, figures) = saloon();
    assert_eq!(figures.drive.wheels, [2, 3]);
    let radius = params.mechanics.wheels[2].radius;
    let engine = &params.drivetrain.engine;
    let slow = figures.drive.force(1.0);
    let first = overall_gear_ratio(&params.drivetrain.gearbox, 2) / radius;
    assert!((0.6..1.0).contains(&(slow / (engine.peak_torque * first))), "{slow} N");
    let power = figures.drive.force(40.0) * 40.0;
    let most = engine.peak_torque * engine.max_speed;
    assert!(0.5 * most < power && power < most, "{power} W of {most}");
    assert!(figures.drive.force(100.0) < figures.drive.force(20.0));
}

#[test]
fn the_saloon_brakes_and_corners_by_its_tires() {
    let (_, figures) = saloon();
    assert!((0.6..1.1).contains(&figures.braking), "{}", figures.braking);
    assert!((0.8..1.2).contains(&figures.cornering), "{}", figures.cornering);
    assert!((0.4..0.8).contains(&figures.traction), "{}", figures.traction);
}

#[test]
fn brakes_are_as_strong_as_their_valves_let_them_be() {
    let axle = |position, load, laden, valve| AxleBlueprint {
        laden_load: Some(laden),
        brake_valve: valve,
        ..AxleBlueprint::new(position, 2.0, load, 10e3)
    };
    let valve = AxleBrakeValve { least_part: 0.1, loads: [1_000.0, 11_000.0] };
    let figures = |valve, towed| {
        let axles = [axle(0.0, 5_200.0, 7_100.0, None), axle(3.7, 2_300.0, 11_000.0, valve)];
        let sheet = VehicleBlueprint::new([5.9, 2.5, 2.6], 1.0, axles);
        let mechanics = sheet.mechanics().expect("a tractor");
        let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
        let drive = DriveFigures::direct(&throttle, &mechanics);
        VehicleFigures::of(&mechanics, drive, towed, &sheet.frame)
    };
    let (without, with) = (figures(None, 0.0), figures(Some(valve), 0.0));
    // Of four brakes as strong as each other, two have 0.1 + 0.9 (2300 - 1000)/10000.
    let part = with.brake_force / without.brake_force;
    assert!((part - 0.5 * (1.0 + 0.217)).abs() < 0.02, "{part}");
    assert_eq!(figures(Some(valve), 20e3).brake_force, figures(None, 20e3).brake_force);
}

#[test]
fn a_direct_drive_pulls_by_its_torque() {
    let sheet = CarBlueprint::default();
    let mechanics = sheet.mechanics().expect("a car");
    let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
    let drive = DriveFigures::direct(&throttle, &mechanics);
    let expected = 2.0 * 600.0 / mechanics.wheels[2].radius;
    assert!((drive.force(-13.0) - expected).abs() < 1.0, "{}", drive.force(13.0));
    assert_eq!(drive.wheels, [2, 3]);
}
