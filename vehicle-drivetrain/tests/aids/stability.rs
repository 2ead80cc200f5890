//! Stability control in sines with a dwell, and counter-steering of a kicked car.

use std::f32::consts::TAU;

use vehicle_core::math::Real;
use vehicle_drivetrain::aids::counter_steer::CounterSteerParams;
use vehicle_drivetrain::aids::{
    AidDrive, AidsParams, AntiLockParams, DriverSignals, StabilityParams,
};

use crate::plant::{Car, MAX_STEER};

/// Road-wheel angle per angle of the steering wheel.
const RATIO: Real = 16.0;

/// Steering-wheel angle (degrees) of a sine of 0.7 Hz with a dwell of 0.5 s at its second peak.
fn sine_with_dwell(time: Real) -> Real {
    let third = 0.75 / 0.7;
    let phase = match time {
        _ if time < third => time,
        _ if time < third + 0.5 => third,
        _ => time - 0.5,
    };
    if 1.0 / 0.7 <= phase { 0.0 } else { (TAU * 0.7 * phase).sin() }
}

struct Dwell {
    /// Yaw rates 1 s and 1.75 s after the steering per the peak of the second half.
    ratios: [Real; 2],
    /// Way to the side 1.07 s after the begin (m).
    displacement: Real,
    slip_angle: Real,
}

fn dwell(params: &AidsParams, degrees: Real, side: Real, rate: usize) -> Dwell {
    let mut car = Car::rolling(params, AidDrive::PerWheel, 80.0 / 3.6, 0.9);
    (car.frame_rate, car.substep_rate) = (rate, rate);
    let end = 1.0 / 0.7 + 0.5;
    let (mut peak, mut slip_angle, mut displacement) = (0.0_f32, 0.0_f32, 0.0);
    let mut ratios = [None; 2];
    while car.time < end + 1.8 {
        let angle = side * degrees.to_radians() * sine_with_dwell(car.time) / RATIO;
        car.step(DriverSignals { steer: angle / MAX_STEER, ..Default::default() });
        // The peak after the steering has changed its sign is to the other side.
        if 0.5 / 0.7 < car.time && car.time < end {
            peak = peak.max(-side * car.yaw_rate);
        }
        slip_angle = slip_angle.max(car.slip_angle().abs());
        if car.time <= 1.07 {
            displacement = side * car.y;
        }
        for (ratio, after) in ratios.iter_mut().zip([1.0, 1.75]) {
            if end + after <= car.time && ratio.is_none() {
                *ratio = Some((car.yaw_rate / peak).abs());
            }
        }
    }
    Dwell { ratios: ratios.map(Option::unwrap), displacement, slip_angle }
}

fn is_stable(dwell: &Dwell) -> bool {
    dwell.ratios[0] <= 0.35 && dwell.ratios[1] <= 0.2
}

/// Steering-wheel angle for 0.3 g at 80 km/h (degrees), of the linear single-track model.
fn reference_angle() -> Real {
    let speed: Real = 80.0 / 3.6;
    let vehicle = crate::plant::vehicle(AidDrive::PerWheel);
    let yaw_rate = 0.3 * 9.81 / speed;
    let gradient = vehicle.understeer_gradient();
    let angle = yaw_rate * (vehicle.wheelbase() + gradient * speed * speed) / speed;
    angle.to_degrees() * RATIO
}

#[test]
fn sines_with_a_dwell_end_straight_and_still_turn_the_car() {
    let reference = reference_angle();
    let params = AidsParams {
        stability: Some(StabilityParams::default()),
        anti_lock: Some(AntiLockParams::default()),
        ..Default::default()
    };
    let mut fails_without = false;
    for step in 0..20 {
        let amplitude = (1.5 + 0.5 * step as Real) * reference;
        if 270.0 < amplitude {
            break;
        }
        for (side, rate) in [(1.0, 60), (-1.0, 60), (1.0, 180), (1.0, 30)] {
            let with = dwell(&params, amplitude, side, rate);
            let shown = format!(
                "{amplitude} degrees to side {side} at {rate} Hz: {:?}, {} m, slip angle {} rad",
                with.ratios, with.displacement, with.slip_angle
            );
            println!("{shown}");
            assert!(is_stable(&with), "{shown}");
            assert!(with.slip_angle < 0.2, "{shown}");
            if 5.0 * reference <= amplitude {
                assert!(1.83 <= with.displacement, "{shown}");
            }
        }
        let without = dwell(&AidsParams::default(), amplitude, 1.0, 60);
        println!("without: {:?}, slip angle {} rad", without.ratios, without.slip_angle);
        fails_without |= !is_stable(&without);
    }
    assert!(fails_without, "the car needs no stability control");
}

#[test]
fn calm_driving_is_left_alone() {
    let params = AidsParams { stability: Some(StabilityParams::default()), ..Default::default() };
    let is_touched = |speed: Real, steer: &dyn Fn(Real) -> Real| {
        let mut car = Car::rolling(&params, AidDrive::PerWheel, speed, 0.9);
        let mut is_touched = false;
        while car.time < 8.0 {
            car.step(DriverSignals { steer: steer(car.time), ..Default::default() });
            is_touched |= car.memory.stability.is_active();
        }
        is_touched
    };
    // A circle that is wound into to 0.5 g, a slalom at 40 km/h, parking.
    let circle = |time: Real| 0.5 * 9.81 * 2.9 / 400.0 / MAX_STEER * (time / 3.0).min(1.0);
    assert!(!is_touched(20.0, &circle));
    assert!(!is_touched(40.0 / 3.6, &|time| 0.06 / MAX_STEER * (TAU * 0.4 * time).sin()));
    assert!(!is_touched(2.0, &|_| 1.0));
}

/// A car at 20 m/s whose hand brake is pulled for 0.6 s in a slight turn, and then is left to
/// itself. Returns the greatest slip angle (rad), changes of its sign and the heading rate at the
/// end.
fn kick(counter_steer: Option<CounterSteerParams>, rate: usize) -> (Real, usize, Real) {
    let params = AidsParams { counter_steer, ..Default::default() };
    let mut car = Car::rolling(&params, AidDrive::PerWheel, 20.0, 0.9);
    (car.frame_rate, car.substep_rate) = (rate, rate);
    let (mut worst, mut changes, mut side) = (0.0_f32, 0, 0.0);
    while car.time < 6.0 {
        // Not on the edge of a frame: rounding would make the kick a frame longer.
        let is_kicked = car.time < 0.598;
        let hand_brake = if is_kicked { 1.0 } else { 0.0 };
        let steer = if is_kicked { 0.08 / MAX_STEER } else { 0.0 };
        car.step(DriverSignals { hand_brake, steer, ..Default::default() });
        let angle = car.lateral_speed.atan2(car.speed);
        worst = worst.max(angle.abs());
        if 0.02 < angle.abs() && side != angle.signum() {
            changes += usize::from(side != 0.0);
            side = angle.signum();
        }
    }
    (worst, changes, car.yaw_rate)
}

#[test]
fn a_kicked_car_is_caught_that_would_spin() {
    let (without, ..) = kick(None, 60);
    println!("without: {} degrees", without.to_degrees());
    assert!(60.0 < without.to_degrees(), "{} degrees", without.to_degrees());
    for gain in [0.8, 1.0, 1.5] {
        for damping_time in [0.1, 0.15, 0.2] {
            for rate in [30, 60, 120] {
                let params =
                    CounterSteerParams { gain, damping_time, ..CounterSteerParams::default() };
                let (worst, changes, yaw_rate) = kick(Some(params), rate);
                let worst = worst.to_degrees();
                let shown = format!(
                    "gain {gain}, damping {damping_time} s, {rate} Hz: {worst} degrees, \
                     {changes} changes, {yaw_rate} rad/s at the end"
                );
                println!("{shown}");
                assert!(worst < 45.0, "{shown}");
                assert!(changes <= 2, "{shown}");
                assert!(yaw_rate.abs() < 0.05, "{shown}");
            }
        }
    }
}
