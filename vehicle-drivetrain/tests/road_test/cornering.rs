//! Bends: loads, roll and balance.

use vehicle_core::blueprint::{AxleRide, CarBlueprint};
use vehicle_core::math::Real;
use vehicle_core::suspension::AntiRollBarParams;

use crate::car::{DRY, SETTINGS, SteadyBend, TestCar, USUAL, understeer};

/// Speed in all bends (m/s).
const SPEED: Real = 25.0;

/// A bar at the front and one at the rear (N/m).
fn bars(front: Real, rear: Real) -> Vec<AntiRollBarParams> {
    vec![AntiRollBarParams::new([0, 1], front), AntiRollBarParams::new([2, 3], rear)]
}

/// The saloon on these bars in a bend of `acceleration` (m/s²).
fn bend_on(front: Real, rear: Real, acceleration: Real) -> SteadyBend {
    let car = TestCar::with_params(USUAL, DRY, |mechanics| {
        mechanics.anti_roll_bars = bars(front, rear);
    });
    car.rolling(SPEED).corner(SPEED, acceleration)
}

#[test]
fn loads_carry_the_moment_of_the_bend_on_any_bars() {
    for (front, rear) in [(0.0, 0.0), (30e3, 0.0), (0.0, 30e3), (20e3, 10e3)] {
        for setting in SETTINGS {
            let car = TestCar::with_params(setting, DRY, |mechanics| {
                mechanics.anti_roll_bars = bars(front, rear);
            });
            let bend = car.rolling(SPEED).corner(SPEED, 4.0);
            assert!((bend.acceleration - 4.0).abs() < 0.2, "{setting:?}: {bend:?}");
            let error = bend.restoring_moment / bend.overturning_moment - 1.0;
            assert!(error.abs() < 0.02, "{front}, {rear} N/m, {setting:?}: {error}, {bend:?}");
        }
    }
}

#[test]
fn a_bar_takes_its_axle_a_larger_share_of_the_load_transfer_and_lessens_the_roll() {
    let (soft, front, rear) =
        (bend_on(0.0, 0.0, 4.0), bend_on(30e3, 0.0, 4.0), bend_on(0.0, 30e3, 4.0));
    for stiff in [&front, &rear] {
        assert!(stiff.roll < 0.7 * soft.roll, "{} rad, without a bar {}", stiff.roll, soft.roll);
        let whole = |bend: &SteadyBend| bend.transfer(0) + bend.transfer(1);
        // The center of mass moves to the outside less.
        assert!(0.9 * whole(&soft) < whole(stiff) && whole(stiff) < whole(&soft));
    }
    assert!(1.2 * soft.transfer(0) < front.transfer(0), "{soft:?}, {front:?}");
    assert!(1.2 * soft.transfer(1) < rear.transfer(1), "{soft:?}, {rear:?}");
}

#[test]
fn a_front_bar_adds_understeer_and_a_rear_bar_takes_it_away() {
    let understeer = |front, rear| {
        let degrees_per_g =
            9.81 * understeer(&bend_on(front, rear, 2.0), &bend_on(front, rear, 5.0));
        degrees_per_g.to_degrees()
    };
    let (none, front, rear) = (understeer(0.0, 0.0), understeer(30e3, 0.0), understeer(0.0, 30e3));
    assert!(none + 0.1 < front && rear + 0.1 < none, "{rear}, {none}, {front} deg/g");
}

#[test]
fn the_saloon_understeers_by_2_7_degrees_per_g_and_rolls_by_4() {
    for setting in SETTINGS {
        let bend =
            |acceleration| TestCar::new(setting, DRY).rolling(SPEED).corner(SPEED, acceleration);
        let (gentle, brisk) = (bend(2.0), bend(4.0));
        let degrees_per_g = (9.81 * understeer(&gentle, &brisk)).to_degrees();
        let roll = (brisk.roll / brisk.acceleration * 9.81).to_degrees();
        assert!((degrees_per_g - 2.7).abs() < 0.1, "{setting:?}: {degrees_per_g} deg/g");
        assert!((roll - 4.0).abs() < 0.1, "{setting:?}: {roll} deg/g");
    }
}

#[test]
fn bars_of_a_sheet_let_the_car_roll_as_asked() {
    let ride = |height| AxleRide { roll_center_height: Some(height), ..AxleRide::default() };
    for ride in [None, Some([ride(0.05), ride(0.1)]), Some([ride(0.0); 2])] {
        for (gradient, front_share) in [(2.5, 0.55), (4.5, 0.6)] {
            let sheet = CarBlueprint { ride, ..CarBlueprint::default() };
            let sheet =
                sheet.with_roll_gradient(gradient, front_share).expect("a possible gradient");
            for setting in [USUAL, SETTINGS[6]] {
                let car = TestCar::with_params(setting, DRY, |mechanics| {
                    *mechanics = sheet.mechanics().expect("a faultless car");
                    mechanics.jounce.contact = setting.contact;
                });
                let bend = car.rolling(SPEED).corner(SPEED, 4.0);
                let roll = (bend.roll / bend.acceleration * 9.81).to_degrees();
                assert!(
                    (roll / gradient - 1.0).abs() < 0.04,
                    "{setting:?}, {ride:?}: {roll} deg/g instead of {gradient}"
                );
            }
        }
    }
}
