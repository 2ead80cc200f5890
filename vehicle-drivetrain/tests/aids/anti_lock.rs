//! Anti-lock brakes: stopping distances, wheels that do not lock, roads of two frictions.

use vehicle_core::math::Real;
use vehicle_drivetrain::aids::{AidDrive, AidsParams, AntiLockMode, AntiLockParams, DriverSignals};

use crate::plant::{Car, RATE};

const FRICTIONS: [Real; 3] = [1.0, 0.5, 0.2];
const RATES: [usize; 3] = [60, 180, 600];

fn with(anti_lock: AntiLockParams) -> AidsParams {
    AidsParams { anti_lock: Some(anti_lock), ..Default::default() }
}

const BRAKING: DriverSignals = DriverSignals {
    throttle: 0.0,
    foot_brake: 1.0,
    hand_brake: 0.0,
    clutch: 0.0,
    steer: 0.0,
    steer_angle: 0.0,
};

/// A straight stop from 100 km/h: its distance (m), and the longest time for which a wheel has
/// nearly stood above 15 km/h (s).
fn stop(params: &AidsParams, friction: Real, rate: usize) -> [Real; 2] {
    let mut car = Car::rolling(params, AidDrive::PerWheel, 100.0 / 3.6, friction);
    car.substep_rate = rate;
    let (mut locked, mut longest) = ([0.0_f32; 4], 0.0_f32);
    while 0.05 < car.speed && car.time < 60.0 {
        car.step(BRAKING);
        for (wheel, time) in locked.iter_mut().enumerate() {
            let is_locked = 15.0 / 3.6 < car.speed && car.rim_speed(wheel) < 0.05 * car.speed;
            *time = if is_locked { *time + 1.0 / RATE as Real } else { 0.0 };
            longest = longest.max(*time);
        }
    }
    [car.x, longest]
}

fn ideal(friction: Real) -> Real {
    let speed: Real = 100.0 / 3.6;
    speed * speed / (2.0 * friction * 9.81)
}

#[test]
fn straight_stops_are_nearly_as_short_as_can_be() {
    let modes = [(AntiLockMode::SlipTarget, 0.97), (AntiLockMode::Phases, 0.92)];
    for (mode, least) in modes {
        let params = with(AntiLockParams { mode, ..Default::default() });
        for friction in FRICTIONS {
            let stops = RATES.map(|rate| stop(&params, friction, rate));
            println!("{mode:?}, friction {friction}: ideal {} m, {stops:?}", ideal(friction));
            for ([distance, locked], rate) in stops.into_iter().zip(RATES) {
                let shown = format!("{mode:?}, friction {friction}, {rate} Hz: {distance} m");
                assert!(least <= ideal(friction) / distance, "{shown}");
                assert!(locked <= 0.1, "{shown}: locked for {locked} s");
                let error = distance / stops[1][0] - 1.0;
                assert!(error.abs() < 0.05, "{shown}: {error}");
            }
        }
    }
}

#[test]
fn without_it_wheels_lock_and_the_stop_is_a_quarter_longer() {
    for friction in FRICTIONS {
        let [distance, locked] = stop(&AidsParams::default(), friction, 60);
        assert!(1.2 < distance / ideal(friction), "friction {friction}: {distance} m");
        assert!(1.0 < locked, "friction {friction}: {locked} s");
    }
}

#[test]
fn estimated_speeds_are_true_to_three_percent() {
    let params = AidsParams { use_sensors: true, ..with(AntiLockParams::default()) };
    for friction in FRICTIONS {
        let mut car = Car::rolling(&params, AidDrive::PerWheel, 100.0 / 3.6, friction);
        car.memory.sensors.longitudinal_speed = Some(car.speed);
        car.substep_rate = 180;
        let mut worst: Real = 0.0;
        while 5.0 < car.speed && car.time < 60.0 {
            car.step(BRAKING);
            let estimate = car.memory.sensors.longitudinal_speed.expect("it has begun");
            worst = worst.max((estimate / car.speed - 1.0).abs());
        }
        println!("friction {friction}: {worst}, {} m", car.x);
        assert!(worst < 0.03, "friction {friction}: {worst}");
    }
}

#[test]
fn steps_of_friction_do_not_lock_wheels_for_long_and_are_used_soon() {
    for mode in [AntiLockMode::SlipTarget, AntiLockMode::Phases] {
        let params = with(AntiLockParams { mode, ..Default::default() });
        let mut car = Car::rolling(&params, AidDrive::PerWheel, 60.0 / 3.6, 1.0);
        car.substep_rate = 180;
        let (mut locked, mut longest) = (0.0_f32, 0.0_f32);
        let mut speeds = Vec::new();
        while car.time < 1.6 {
            let is_ice = (0.5..0.8).contains(&car.time);
            car.friction = [if is_ice { 0.2 } else { 1.0 }; 4];
            car.step(BRAKING);
            let is_locked = 15.0 / 3.6 < car.speed && car.rim_speed(0) < 0.05 * car.speed;
            locked = if is_locked { locked + 1.0 / RATE as Real } else { 0.0 };
            longest = longest.max(locked);
            if 1.3 <= car.time && speeds.is_empty() || 1.4 <= car.time && speeds.len() == 1 {
                speeds.push((car.time, car.speed));
            }
        }
        assert!(longest <= 0.1, "{mode:?}: locked for {longest} s");
        let deceleration = (speeds[0].1 - speeds[1].1) / (speeds[1].0 - speeds[0].0);
        println!("{mode:?}: locked for {longest} s, {deceleration} m/s² after half a second");
        assert!(0.9 * 9.81 <= deceleration, "{mode:?}: {deceleration} m/s²");
    }
}

/// What a stop from 80 km/h with the left wheels on a friction of 0.9 and the right ones on 0.2
/// comes to. Distance (m), greatest heading (degrees), yaw rate (degrees/s) and way to the side
/// (m).
///
/// The driver steers the road wheels by -1.2 ψ - 0.35 r - 0.02 y, within 0.25 rad and 40 degrees/s.
fn split_stop(params: &AidsParams, rate: usize) -> [Real; 4] {
    let mut car = Car::rolling(params, AidDrive::PerWheel, 80.0 / 3.6, 1.0);
    car.friction = [0.9, 0.2, 0.9, 0.2];
    car.substep_rate = rate;
    let (mut angle, mut worst) = (0.0_f32, [0.0_f32; 3]);
    while 0.3 < car.speed && car.time < 30.0 {
        let wanted = -1.2 * car.heading - 0.35 * car.yaw_rate - 0.02 * car.y;
        let most = 40.0_f32.to_radians() / RATE as Real;
        angle += (wanted.clamp(-0.25, 0.25) - angle).clamp(-most, most);
        let steer = angle / crate::plant::MAX_STEER;
        car.step(DriverSignals { steer, ..BRAKING });
        let now = [car.heading.to_degrees(), car.yaw_rate.to_degrees(), car.y];
        for (worst, now) in worst.iter_mut().zip(now) {
            *worst = worst.max(now.abs());
        }
    }
    [car.x, worst[0], worst[1], worst[2]]
}

#[test]
fn a_driver_keeps_his_way_on_a_road_of_two_frictions() {
    for mode in [AntiLockMode::SlipTarget, AntiLockMode::Phases] {
        let params = with(AntiLockParams { mode, ..Default::default() });
        for rate in [60, 180] {
            let [distance, heading, yaw_rate, side] = split_stop(&params, rate);
            let shown = format!(
                "{mode:?}, {rate} Hz: {distance} m, {heading} degrees, {yaw_rate} degrees/s, {side} m"
            );
            println!("{shown}");
            assert!(distance <= 75.0, "{shown}");
            assert!(heading <= 5.0 && yaw_rate <= 10.0 && side <= 1.0, "{shown}");
        }
    }
    let [_, heading, ..] = split_stop(&AidsParams::default(), 60);
    assert!(30.0 < heading, "without anti-lock brakes it turns by {heading} degrees alone");
}
