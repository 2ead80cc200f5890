use vehicle_core::blueprint::{AxleBlueprint, CarBlueprint, VehicleBlueprint};
use vehicle_core::steering::AckermannParams;
use vehicle_core::suspension::BeamAxleParams;

use super::*;

fn saloon() -> Handling {
    let sheet = CarBlueprint::default();
    Handling::of(&sheet.mechanics().expect("a car"), &sheet.frame).expect("it has wheels")
}

#[test]
fn the_saloon_has_its_wheelbase_and_understeers() {
    let car = saloon();
    let sheet = CarBlueprint::default();
    assert!((car.wheel_base - sheet.wheel_base).abs() < 0.02, "{}", car.wheel_base);
    let degrees_per_g = (GRAVITY * car.understeer_gradient()).to_degrees();
    // Lateral stiffnesses by load, 15.5 in front and 25 in the rear, of which 7/8 act.
    let expected = ((1.0 / 15.5 - 1.0 / 25.0) * 8.0_f32 / 7.0).to_degrees();
    assert!((degrees_per_g / expected - 1.0).abs() < 0.01, "{degrees_per_g}, {expected} °/g");
    assert!((0.8..1.2).contains(&car.lateral_friction), "{}", car.lateral_friction);
    assert!((0.8..1.2).contains(&car.longitudinal_friction), "{}", car.longitudinal_friction);
}

#[test]
fn a_gentle_bend_takes_the_angle_of_the_formula() {
    let car = saloon();
    for speed in [5.0, 15.0, 30.0] {
        let curvature = 0.5 / (speed * speed);
        let lateral = speed * speed * curvature;
        let expected = car.wheel_base * curvature + car.understeer_gradient() * lateral;
        let found = car.steady_bend(curvature, speed).angle;
        assert!((found / expected - 1.0).abs() < 0.05, "{speed} m/s: {found}, {expected}");
    }
}

#[test]
fn a_hard_bend_takes_more_steering_than_the_linear_law_says() {
    let car = saloon();
    let speed = 25.0;
    let gentle = car.steady_bend(1.0 / 1_000.0, speed).angle * 1_000.0;
    let hard = car.steady_bend(1.0 / 80.0, speed).angle * 80.0;
    assert!(1.05 * gentle < hard, "{hard} by curvature, {gentle} in a gentle bend");
}

#[test]
fn a_slow_car_turns_about_its_rear_axle_forward_and_backward() {
    let car = saloon();
    for speed in [1.0, -1.0] {
        let curvature = 0.1;
        let bend = car.steady_bend(curvature, speed);
        // Backward, the front is turned to the other side for the same yaw.
        let expected = speed * car.wheel_base * curvature;
        assert!((bend.angle - expected).abs() < 0.01, "{speed}: {bend:?}, {expected}");
    }
}

#[test]
fn the_inner_wheel_of_an_axle_turns_more_than_its_mean() {
    let car = saloon();
    let (small, large) = (car.command_of(0.01), car.command_of(-0.4));
    assert!((small * car.lock / 0.01 - 1.0).abs() < 0.02, "{small}");
    assert!(large < -0.4 / car.lock && -1.0 <= large, "{large}");
}

#[test]
fn an_axle_that_is_not_corrected_counts_as_none() {
    let sheet = CarBlueprint::default();
    let mut mechanics = sheet.mechanics().expect("a car");
    let expected = saloon().inner_share;
    assert!(0.0 < expected);
    let off = AckermannParams { strength: 0.0, wheel_base: 0.0, ..mechanics.ackermann[0] };
    mechanics.ackermann.insert(0, off);
    let share = |mechanics: &MechanicalParams| {
        Handling::of(mechanics, &sheet.frame).expect("wheels").inner_share
    };
    assert_eq!(share(&mechanics), expected);
    mechanics.ackermann.truncate(1);
    assert_eq!(share(&mechanics), 0.0);
}

/// A tractor of 5.2 and 2.3 t, whose springs are made for 7.1 and 11 t.
fn tractor() -> (MechanicalParams, Frame) {
    let axle = |position, load, laden| AxleBlueprint {
        laden_load: Some(laden),
        ..AxleBlueprint::new(position, 2.0, load, 10e3)
    };
    let axles = [axle(0.0, 5_200.0, 7_100.0), axle(3.7, 2_300.0, 11_000.0)];
    let sheet = VehicleBlueprint::new([5.9, 2.5, 2.6], 1.0, axles);
    (sheet.mechanics().expect("a tractor"), sheet.frame)
}

#[test]
fn a_tractor_without_its_trailer_has_its_own_loads() {
    let (tractor, frame) = tractor();
    let loads = |handling: Option<Handling>| handling.expect("wheels").groups.map(|it| it.load);
    for (found, expected) in [
        (loads(Handling::of(&tractor, &frame)), [5_200.0, 2_300.0]),
        (loads(Handling::laden(&tractor, &frame)), [2_942.0, 4_558.0]),
    ] {
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found / GRAVITY - expected).abs() < 10.0, "{found} N, {expected} kg");
        }
    }
}

#[test]
fn springs_that_stand_close_on_a_beam_axle_move_less_load() {
    let sheet = CarBlueprint::default();
    let mut mechanics = sheet.mechanics().expect("a car");
    let transfers = |mechanics: &MechanicalParams| {
        let masses = rest_masses(mechanics, &sheet.frame, GRAVITY, false);
        SeenWheels::of(mechanics, &sheet.frame, &masses).transfers(mechanics)
    };
    let springs = |mechanics: &MechanicalParams, rear: Real| {
        let [rear_spring, front_spring] =
            [2, 0].map(|wheel| mechanics.suspension_forces[wheel].stiffness);
        front_spring / (front_spring + rear * rear_spring)
    };
    mechanics.anti_roll_bars.clear();
    let independent = transfers(&mechanics)[0];
    let track = sheet.track_width;
    mechanics.beam_axles = vec![BeamAxleParams::new([2, 3], 10.0, 0.7 * track)];
    let found = transfers(&mechanics)[0] / independent;
    let expected = springs(&mechanics, 0.49) / springs(&mechanics, 1.0);
    assert!((found - expected).abs() < 1e-3, "{found}, not {expected}");
    assert!(1.1 < found, "{found}");
}
