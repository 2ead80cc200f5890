//! Traction control at starts on ice and on a dry road.

use vehicle_core::math::Real;
use vehicle_drivetrain::aids::vehicle::AidEngine;
use vehicle_drivetrain::aids::{AidDrive, AidsParams, DriverSignals, TractionParams};

use crate::plant::Car;

const ENGINE: AidDrive = AidDrive::Engine(AidEngine {
    idle_speed: 80.0,
    max_speed: 700.0,
    strong_speed: 350.0,
    peak_torque: 300.0,
    clutch_strength: 30.0,
    clutch_capacity: None,
    first_ratio: 12.0,
});

/// A start with 1,800 N·m at the rear wheels. Returns the speed after 5 s and the greatest speed by
/// which rims were ahead (m/s). It counts from 1 s on with motors, and from 2 s on with an engine,
/// whose throttle is found by an integral.
fn start(
    traction: Option<TractionParams>,
    drive: AidDrive,
    friction: Real,
    rate: usize,
) -> [Real; 2] {
    let params = AidsParams { traction, ..Default::default() };
    let mut car = Car::rolling(&params, drive, 0.0, friction);
    (car.drive_torque, car.substep_rate) = (1_800.0, rate);
    let settled = if drive == AidDrive::PerWheel { 1.0 } else { 2.0 };
    let mut ahead: Real = 0.0;
    while car.time < 5.0 {
        car.step(DriverSignals { throttle: 1.0, ..Default::default() });
        if settled <= car.time {
            ahead = ahead.max(car.rim_speed(2) - car.wheel_speed(2));
        }
    }
    [car.speed, ahead]
}

/// Speed that the rear wheels could give in 5 s: μ g a/L / (1 - μ h/L) · 5 s (m/s).
fn bound(friction: Real) -> Real {
    friction * 9.81 * 1.2 / 2.6 / (1.0 - friction * 0.5 / 2.6) * 5.0
}

#[test]
fn starts_on_ice_use_the_friction_that_there_is() {
    let [speed, ahead] = start(None, AidDrive::PerWheel, 0.1, 60);
    println!("without: {speed} m/s, rims {ahead} m/s ahead, of {} m/s", bound(0.1));
    assert!(100.0 < ahead, "{ahead}");
    for drive in [AidDrive::PerWheel, ENGINE] {
        for rate in [60, 180, 600] {
            let [with, ahead] = start(Some(TractionParams::default()), drive, 0.1, rate);
            let shown = format!("{drive:?}, {rate} Hz: {with} m/s, rims {ahead} m/s ahead");
            println!("{shown}");
            assert!(0.8 * bound(0.1) <= with, "{shown}, of {} m/s", bound(0.1));
            assert!(speed < with, "{shown}");
            assert!(ahead <= 0.7, "{shown}");
        }
    }
}

#[test]
fn starts_on_a_dry_road_are_not_held_back() {
    for drive in [AidDrive::PerWheel, ENGINE] {
        let [without, _] = start(None, drive, 1.0, 60);
        let [with, _] = start(Some(TractionParams::default()), drive, 1.0, 60);
        println!("{drive:?}: {without} m/s without, {with} m/s with");
        assert!(0.97 * without <= with, "{drive:?}: {without} m/s without, {with} m/s with");
    }
}
