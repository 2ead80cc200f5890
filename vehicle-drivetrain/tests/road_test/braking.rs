//! Brakes: distances, balance and stability.

use vehicle_core::math::Real;

use crate::car::{DRY, SETTINGS, Setting, TestCar, USUAL};

/// 100 km/h (m/s).
const SPEED: Real = 100.0 / 3.6;
/// Speed below which a car has stopped, and wheels that stand say nothing (m/s).
const STOPPED: Real = 0.2;
/// Rim speed over road speed below which a wheel has locked (dimensionless).
const LOCKED: Real = 0.3;
/// Rate of a car that a gust has turned (rad/s).
const GUST: Real = 0.05;

/// How a stop went.
#[derive(Clone, Copy, Debug, Default)]
struct Stop {
    /// Way (m).
    distance: Real,
    /// The first axle whose wheels lock, 0 the front, if any does.
    first_locked: Option<usize>,
    /// Largest angle from the direction of the start (rad).
    heading: Real,
    /// Largest way to the side (m).
    drift: Real,
}

/// Stops `car` with its hands off, with a brake pedal at `pedal(t)` after `t` seconds.
fn stop(mut car: TestCar, pedal: impl Fn(Real) -> Real) -> Stop {
    let frame = car.frame();
    let start = car.vehicle.state.mechanics.rigid_body.pose.translation;
    let (mut stop, mut time) = (Stop::default(), 0.0);
    car.commands.throttle = 0.0;
    while STOPPED < car.speed() && time < 30.0 {
        car.commands.brakes[0] = pedal(time);
        car.step();
        time += car.dt();
        let speed = car.speed();
        let rims = car.vehicle.state.mechanics.wheels.iter().map(|wheel| wheel.rotation_speed);
        let locked = rims.map(|rim| rim * car.radius() < LOCKED * speed).position(|locked| locked);
        if 3.0 < speed && stop.first_locked.is_none() {
            stop.first_locked = locked.map(|wheel| wheel / 2);
        }
        let forward = car.rotation() * frame.longitudinal();
        stop.heading = stop
            .heading
            .max(forward.dot(frame.lateral()).atan2(forward.dot(frame.longitudinal())).abs());
        let way = car.vehicle.state.mechanics.rigid_body.pose.translation - start;
        stop.drift = stop.drift.max(way.dot(frame.lateral()).abs());
    }
    stop.distance = (car.vehicle.state.mechanics.rigid_body.pose.translation - start).length();
    stop
}

/// The saloon at `speed` (m/s), settled.
fn settled(setting: Setting, friction: Real, speed: Real) -> TestCar {
    let mut car = TestCar::new(setting, friction).rolling(speed);
    car.cruise(speed, 1.0);
    car
}

#[test]
fn a_good_driver_stops_from_100_km_h_in_37_to_39_m() {
    for setting in SETTINGS {
        let pedals = (25..=50).map(|fiftieths| fiftieths as Real / 50.0);
        let stops =
            pedals.map(|pedal| (stop(settled(setting, DRY, SPEED), |_| pedal).distance, pedal));
        let best = stops.min_by(|one, other| one.0.total_cmp(&other.0)).expect("pedals");
        assert!((37.0..=39.0).contains(&best.0), "{setting:?}: (m, pedal) {best:?}");
    }
}

#[test]
fn a_pedal_on_the_floor_stops_the_saloon_in_43_to_44_m_and_straight() {
    for setting in SETTINGS {
        let mut car = settled(setting, DRY, SPEED);
        car.turn(GUST);
        let stop = stop(car, |_| 1.0);
        assert!((43.0..=44.0).contains(&stop.distance), "{setting:?}: {stop:?}");
        assert!(stop.heading.to_degrees() < 1.0 && stop.drift < 0.1, "{setting:?}: {stop:?}");
    }
}

#[test]
fn front_wheels_lock_first_on_any_road() {
    for setting in SETTINGS {
        for tenths in 3..=11 {
            let friction = 0.1 * tenths as Real;
            let pressed = stop(settled(setting, friction, 1.5 * SPEED), |time| 0.5 * time);
            assert_eq!(pressed.first_locked, Some(0), "{friction}, {setting:?}: {pressed:?}");
            let kicked = stop(settled(setting, friction, SPEED), |_| 1.0);
            assert_eq!(kicked.first_locked, Some(0), "{friction}, {setting:?}: {kicked:?}");
        }
    }
}

#[test]
fn brakes_in_a_bend_do_not_spin_the_saloon() {
    for setting in SETTINGS {
        for pedal in [0.25, 0.5, 1.0] {
            let mut car = TestCar::new(setting, DRY).rolling(25.0);
            let bend = car.corner(25.0, 0.5 * 9.81);
            assert!((bend.acceleration - 0.5 * 9.81).abs() < 0.2, "{setting:?}: {bend:?}");
            (car.commands.throttle, car.commands.brakes[0]) = (0.0, pedal);
            let mut largest: Real = 0.0;
            while 3.0 < car.speed() {
                car.step();
                largest = largest.max(car.side_slip().abs());
            }
            let largest = largest.to_degrees();
            assert!(largest < 3.2, "pedal {pedal}, {setting:?}: {largest} deg");
        }
    }
}

#[test]
fn a_tire_that_slides_any_way_loses_a_fifth_of_its_friction() {
    for (forward, left) in [(20.0, 0.0), (0.0, 10.0), (10.0, 10.0)] {
        let mut car = TestCar::new(USUAL, DRY);
        let frame = car.frame();
        car.commands.brakes = [1.0; 2];
        car.run(0.2);
        let velocity = frame.longitudinal() * forward + frame.lateral() * left;
        car.vehicle.state.mechanics.rigid_body.linear_velocity = velocity;
        car.run(0.1);
        for tire in &car.vehicle.state.mechanics.tires {
            let share = tire.grip.friction / DRY;
            // The slip of a locked wheel falls short of 1 by what keeps it finite near standstill.
            assert!((share - 0.8).abs() < 2e-3, "{forward}, {left} m/s: {share}");
        }
    }
}
