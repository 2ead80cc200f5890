//! What a step of the scheme does to a car: tables that its design was chosen by.

use std::f64::consts::PI;

use nalgebra::DMatrix;
use vehicle_core::suspension::unsprung::Vector3;

use super::car::{GRAVITY, MASS, STANDARD, Setup, TRACK, level};
use super::model::{Model, Report};

/// Tolerance of the tables (dimensionless).
const TOLERANCE: f64 = 0.02;

#[track_caller]
fn assert_near(what: &str, found: f64, expected: f64) {
    let error = found / expected - 1.0;
    assert!(error.abs() < TOLERANCE, "{what}: {found} instead of {expected}");
}

/// Numbers that a substep on a level road changes: height, roll and pitch, jounces, and their
/// speeds.
pub(crate) fn coordinates(model: &Model<f64>) -> Vec<f64> {
    let ([x, y, ..], [roll, pitch, _]) = (model.orientation, model.velocity.angular.0);
    let (height, speed) = (model.position.0[2], model.velocity.linear.0[2]);
    let wheels = model.wheels.iter().flat_map(|wheel| [wheel.jounce, wheel.jounce_speed]);
    [height, 2.0 * x, 2.0 * y, speed, roll, pitch].into_iter().chain(wheels).collect()
}

fn displaced(model: &Model<f64>, coordinate: usize, by: f64) -> Model<f64> {
    let mut model = model.clone();
    match coordinate {
        0 => model.position.0[2] += by,
        1 | 2 => {
            let axis = coordinate - 1;
            model.orientation[axis] += by / 2.0;
        }
        3 => model.velocity.linear.0[2] += by,
        4 | 5 => model.velocity.angular.0[coordinate - 4] += by,
        _ => {
            let wheel = &mut model.wheels[(coordinate - 6) / 2];
            let number = if coordinate.is_multiple_of(2) {
                &mut wheel.jounce
            } else {
                &mut wheel.jounce_speed
            };
            *number += by;
        }
    }
    model
}

/// What a substep of `dt` (s) does to small displacements from the rest of `model`.
pub(crate) fn map_near_rest(model: &Model<f64>, dt: f64) -> DMatrix<f64> {
    const SMALL: f64 = 1e-6;
    let count = coordinates(model).len();
    let mut map = DMatrix::zeros(count, count);
    for column in 0..count {
        let after = |by: f64| {
            let mut model = displaced(model, column, by);
            let _report = model.roll(dt);
            coordinates(&model)
        };
        let (above, below) = (after(SMALL), after(-SMALL));
        for row in 0..count {
            map[(row, column)] = (above[row] - below[row]) / (2.0 * SMALL);
        }
    }
    map
}

/// A wheel under the center of mass.
fn quarter_car() -> Model<f64> {
    let mut model = STANDARD.car();
    model.struts.truncate(1);
    model.wheels.truncate(1);
    model.mass = 415.0;
    let (stiffness, pulse) = (375.0 * (2.0 * PI * 1.4_f64).powi(2), 2.0 * PI * 1.4);
    let strut = &mut model.struts[0];
    strut.mount.0[0] = 0.0;
    strut.mount.0[1] = 0.0;
    strut.spring = vec![(0.0, 0.0), (1.0, stiffness)];
    let rate = 2.0 * 0.4 * 375.0 * pulse;
    strut.damper = vehicle_core::suspension::unsprung::laws::DamperLaw::linear(rate);
    model.settle();
    model
}

#[test]
fn frequencies_and_damping_are_those_of_the_scheme() {
    let car = quarter_car();
    // 30 Hz: worked out from the two equations of this car.
    for (rate, body, hop) in [
        (30.0, [1.3293, 0.3599], [12.0195, 0.7543]),
        (60.0, [1.351, 0.342], [12.38, 0.534]),
        (180.0, [1.3578, 0.3391], [12.26, 0.444]),
        (240.0, [1.3581, 0.3390], [12.22, 0.441]),
    ] {
        let map = map_near_rest(&car, 1.0 / rate).remove_rows(1, 2).remove_columns(1, 2);
        let map = map.remove_rows(2, 2).remove_columns(2, 2);
        let mut modes: Vec<_> = map
            .complex_eigenvalues()
            .iter()
            .map(|value| value.ln() * rate)
            .filter(|value| 1e-3 < value.im)
            .map(|value| [value.norm() / (2.0 * PI), -value.re / value.norm()])
            .collect();
        modes.sort_by(|a, b| a[0].total_cmp(&b[0]));
        assert_eq!(modes.len(), 2, "{rate} Hz: {modes:?}");
        for (name, found, expected) in [("body", modes[0], body), ("hop", modes[1], hop)] {
            assert_near(&format!("frequency of the {name} at {rate} Hz"), found[0], expected[0]);
            assert_near(&format!("damping of the {name} at {rate} Hz"), found[1], expected[1]);
        }
    }
}

/// Largest load of a fall from `height` (m) in steps of `dt` (s), as a multiple of the weight.
pub(crate) fn drop_peak(setup: Setup, height: f64, dt: f64) -> f64 {
    let mut car = setup.car();
    for wheel in &mut car.wheels {
        wheel.jounce = 0.0;
    }
    car.position.0[2] += height - car.bottom(0).0[2];
    let (mut peak, mut time) = (0.0_f64, 0.0);
    while time < 1.5 + (2.0 * height / GRAVITY).sqrt() {
        let before = car.velocity.linear.0[2];
        let _report = car.roll(dt);
        peak = peak.max(1.0 + (car.velocity.linear.0[2] - before) / dt / GRAVITY);
        time += dt;
    }
    peak
}

#[test]
fn falls_are_those_of_the_scheme() {
    // Where in a step the wheels touch the road makes up to 7 % at 30 Hz, so that the columns, of
    // one place each, are compared with the mean.
    for (height, peaks) in [
        (0.3, [3.04, 3.36, 3.50, 3.55]),
        (1.0, [5.69, 6.65, 7.16, 7.25]),
        (3.0, [10.8, 12.8, 14.5, 15.3]),
    ] {
        let speed = (2.0 * GRAVITY * height).sqrt();
        for (rate, peak) in [30.0, 60.0, 120.0, 240.0].into_iter().zip(peaks) {
            let phase = |part: i32| f64::from(part) / 12.0 * speed / rate;
            let peaks = (0..12).map(|part| drop_peak(STANDARD, height + phase(part), 1.0 / rate));
            let mean = peaks.sum::<f64>() / 12.0;
            let error = mean / peak - 1.0;
            assert!(error.abs() < 0.04, "{height} m at {rate} Hz: {mean} instead of {peak}");
        }
    }
}

#[test]
fn falls_in_short_steps_are_those_of_the_fine_solution() {
    for (height, peak) in [(0.3, 3.40), (1.0, 7.13), (3.0, 15.7)] {
        let found = drop_peak(STANDARD, height, 1.0 / 5e3);
        assert!((found / peak - 1.0).abs() < 5e-3, "{height} m: {found} instead of {peak}");
    }
}

/// Settles in a turn of the `acceleration` to the left (m/s²), seen from the car.
fn corner(model: &mut Model<f64>, acceleration: f64) -> Report<f64> {
    model.gravity.0[1] = -acceleration;
    let roads = vec![Some(level()); 4];
    let shares = [0.55, 0.55, 0.45, 0.45];
    let forces = shares.map(|share| Vector3([0.0, share * MASS * acceleration / 2.0, 0.0]));
    let mut step = || model.substep::<f64>(1.0 / 180.0, &roads, &forces);
    for _ in 0..3_000 {
        let _report = step();
    }
    step()
}

#[test]
fn bars_move_the_load_transfer() {
    for (front, rear, expected) in
        [(0.0, 0.0, 0.5501), (4e4, 0.0, 0.7774), (0.0, 2e4, 0.3423), (4e4, 2e4, 0.5978)]
    {
        let mut car = STANDARD.car();
        let bars = [([0, 1], front), ([2, 3], rear)];
        car.bars = bars.into_iter().filter(|bar| 0.0 < bar.1).collect();
        let report = corner(&mut car, 5.0);
        let transfer = |axle: usize| report.wheels[axle + 1].load - report.wheels[axle].load;
        let share = transfer(0) / (transfer(0) + transfer(2));
        assert!((share - expected).abs() < 1e-3, "bars {front} {rear}: {share}");
        let loads: f64 = report.wheels.iter().map(|wheel| wheel.load).sum();
        assert!((loads - MASS * GRAVITY).abs() < 1e-6 * loads, "{loads}");
    }
}

#[test]
fn roll_center_bears_a_part_of_the_roll() {
    for (height, expected) in [(0.0, 1.917), (0.1, 1.592), (0.2, 1.281), (0.3, 0.985)] {
        let mut car = STANDARD.car();
        for strut in &mut car.struts {
            strut.path_slope[1] = -(2.0 * height / TRACK) * strut.mount.0[1].signum();
        }
        let _report = corner(&mut car, 2.0);
        let roll = (2.0 * car.orientation[0].asin()).to_degrees();
        assert_near(&format!("roll of a roll center {height} m high"), roll.abs(), expected);
    }
}

#[test]
fn loads_at_rest_carry_the_car() {
    let mut car = STANDARD.car();
    car.settle();
    let report = car.roll(1.0 / 60.0);
    let loads: Vec<_> = report.wheels.iter().map(|wheel| wheel.load).collect();
    assert!((loads.iter().sum::<f64>() - MASS * GRAVITY).abs() < 1e-8, "{loads:?}");
    assert!((loads[0] - 4048.51).abs() < 0.05, "{loads:?}");
    assert!(car.wheels.iter().all(|wheel| wheel.jounce_speed.abs() < 1e-12));
}

#[test]
fn momentum_of_body_and_wheels_is_kept_in_the_air() {
    let mut car = STANDARD.car();
    car.position.0[2] = 500.0;
    car.orientation = [0.1, -0.2, 0.3, (1.0_f64 - 0.14).sqrt()];
    car.velocity.angular = Vector3([1.0, -0.7, 0.4]);
    for (number, wheel) in car.wheels.iter_mut().enumerate() {
        wheel.jounce_speed = number as f64 - 1.0;
    }
    let (start, steps, dt) = (car.momentum(), 600, 1.0 / 60.0);
    for _ in 0..steps {
        let _report = car.substep::<f64>(dt, &[None; 4], &[Vector3::zero(); 4]);
    }
    let fallen = car.gravity * (MASS * dt * f64::from(steps));
    let error = (car.momentum() - start - fallen).length();
    assert!(error < 1e-8, "{error} kg·m/s");
}
