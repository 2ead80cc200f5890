//! What wheels that turn do to the body.

use vehicle_core::WheelReaction;
use vehicle_core::math::{Pose, Real, rotate};

use crate::car::{DRY, SETTINGS, Setting, TestCar};

/// Angular momentum of body and wheels about the axle (kg·m²/s).
fn pitch_momentum(car: &TestCar) -> Real {
    let (mechanics, state) = (&car.vehicle.params().mechanics, &car.vehicle.state.mechanics);
    let rates = rotate(car.rotation().conjugate(), state.rigid_body.angular_velocity);
    let left = car.frame().lateral();
    let wheels = mechanics.wheels.iter().zip(&state.wheels);
    let spin: Real = wheels.map(|(wheel, state)| wheel.inertia * state.rotation_speed).sum();
    (mechanics.rigid_body.inertia * rates).dot(left) + spin
}

/// The saloon high in the air, at 40 m/s.
fn flying(setting: Setting) -> TestCar {
    let mut car = TestCar::new(setting, DRY).rolling(40.0);
    let body = &mut car.vehicle.state.mechanics.rigid_body;
    body.pose = Pose::from_translation(body.pose.translation * 200.0);
    car
}

/// Rate at which the nose goes down (rad/s).
fn nose_down(car: &TestCar) -> Real {
    car.vehicle.state.mechanics.rigid_body.angular_velocity.dot(car.frame().lateral())
}

#[test]
fn a_car_that_brakes_in_the_air_lowers_its_nose_and_keeps_its_momentum() {
    for setting in SETTINGS {
        let mut car = flying(setting);
        let before = pitch_momentum(&car);
        car.commands.brakes[0] = 1.0;
        car.run(0.5);
        let wheels = &car.vehicle.state.mechanics.wheels;
        assert!(wheels.iter().all(|wheel| wheel.rotation_speed == 0.0), "{wheels:?}");
        // 4 · 1.2 kg·m² · 40 m/s / 0.33 m / 2711 kg·m²
        let rate = nose_down(&car);
        assert!((rate - 0.2146).abs() < 2e-3, "{setting:?}: {rate} rad/s");
        let error = pitch_momentum(&car) / before - 1.0;
        assert!(error.abs() < 1e-4, "{setting:?}: {error}");

        car.commands.brakes[0] = 0.0;
        car.commands.throttle = 1.0;
        car.run(0.3);
        assert!(nose_down(&car) < rate - 0.1, "{setting:?}: throttle raises the nose");
        let error = pitch_momentum(&car) / before - 1.0;
        assert!(error.abs() < 1e-4, "{setting:?}: {error}");
    }
}

#[test]
fn wheels_do_nothing_to_the_body_where_it_is_said() {
    let mut car = flying(SETTINGS[0]);
    car.simulation.wheel_reaction = WheelReaction::None;
    car.commands.brakes[0] = 1.0;
    car.run(0.5);
    assert!(nose_down(&car).abs() < 1e-6, "{} rad/s", nose_down(&car));
}

#[test]
fn the_load_of_a_car_that_brakes_goes_forward_by_mass_and_wheels() {
    for setting in SETTINGS {
        let mut car = TestCar::with_params(setting, DRY, |mechanics| {
            mechanics.aerodynamics.drag_area = 0.0;
            mechanics.tires.iter_mut().for_each(|tire| tire.rolling_resistance = 0.0);
        });
        car = car.rolling(40.0);
        car.commands.brakes[0] = 0.3;
        car.run(2.0);
        let before = car.speed();
        car.run(0.5);
        let deceleration = (before - car.speed()) / 0.5;
        let (mechanics, state) = (&car.vehicle.params().mechanics, &car.vehicle.state.mechanics);
        let forward = car.frame().longitudinal();
        let moment: Real = (0..4)
            .map(|wheel| {
                let arm = state.tires.of(wheel).force.arm.dot(forward);
                state.suspensions.of(wheel).force.normal_load * arm
            })
            .sum();
        // m a h + Σ I a / R
        let body = &state.rigid_body;
        let height = body.pose.translation.dot(car.frame().vertical());
        let wheels: Real = mechanics.wheels.iter().map(|wheel| wheel.inertia / wheel.radius).sum();
        let expected = deceleration * (mechanics.rigid_body.mass * height + wheels);
        let error = moment / expected - 1.0;
        assert!(
            2.0 < deceleration && error.abs() < 0.005,
            "{setting:?}: {moment} of {expected} N·m"
        );
    }
}

#[test]
fn wheels_are_gyroscopes_by_choice() {
    for setting in SETTINGS {
        let [plain, gyroscopic] =
            [WheelReaction::Torque, WheelReaction::Gyroscopic].map(|reaction| {
                let mut car = flying(setting);
                car.simulation.wheel_reaction = reaction;
                let forward = car.frame().longitudinal();
                car.vehicle.state.mechanics.rigid_body.angular_velocity = forward * 0.2;
                car.run(0.2);
                let mechanics = &car.vehicle.params().mechanics;
                let inertia = mechanics.rigid_body.inertia.dot(car.frame().vertical());
                let momentum = pitch_momentum(&car);
                // Roll by 0.2 rad/s turns the momentum of the wheels from the left upwards: the
                // body yaws against it.
                (car.yaw_rate(), -0.2 * momentum * 0.2 / inertia)
            });
        assert!(plain.0.abs() < 1e-3, "{setting:?}: {plain:?}");
        let (found, expected) = gyroscopic;
        assert!((found / expected - 1.0).abs() < 0.05, "{setting:?}: {found}, {expected} rad/s");
    }
}
