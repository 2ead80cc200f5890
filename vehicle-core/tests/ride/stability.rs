//! No stiffness, damping or mass makes a step grow what moves.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::car::{COM_HEIGHT, GRAVITY, MASS, STANDARD, Setup};
use super::model::Model;
use super::scheme::map_near_rest;
use nalgebra::DMatrix;
use vehicle_core::suspension::unsprung::{Spatial, Symmetric6};

/// Numbers over which a logarithm is even.
fn decades(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low.ln()..high.ln()).prop_map(f64::exp)
}

/// Cars of any set-up, with a front and a rear bar (N/m), and the rate of their steps (Hz).
fn cars() -> impl Strategy<Value = (Setup, [f64; 2], f64)> {
    let numbers = (0.8..6.0, 0.0..1.5, decades(1e5, 1e7), decades(0.5, 120.0), 0.0..0.1);
    let bars = [0.0..2e5, 0.0..2e5];
    let rates = (prop::sample::select(vec![30.0, 60.0, 144.0, 240.0]), prop::bool::ANY);
    (numbers, bars, rates).prop_map(|(numbers, bars, (rate, is_divided))| {
        let (frequency, damping, tire, wheel_mass, tire_damping_ratio) = numbers;
        let tire_damping = tire_damping_ratio * (tire * wheel_mass).sqrt();
        let setup = Setup {
            frequency,
            damping,
            tire,
            wheel_mass,
            tire_damping,
            travel: [1.0, 0.8],
            ..STANDARD
        };
        (setup, bars, if is_divided { 3.0 * rate } else { rate })
    })
}

/// Whether the springs hold the car upright: a soft one with heavy wheels tips over, in whatever
/// steps.
fn stands(car: &Model<f64>) -> bool {
    let hold: f64 = car
        .struts
        .iter()
        .map(|strut| {
            let spring = strut.spring[1].1 / strut.spring[1].0;
            let stiffness = spring * strut.tire.stiffness / (spring + strut.tire.stiffness);
            stiffness * strut.mount.0[1] * strut.mount.0[1]
        })
        .sum();
    1.2 * MASS * GRAVITY * COM_HEIGHT < hold
}

/// The largest magnitude of an eigenvalue of `matrix`, by what its 2³⁰th power grows.
fn spectral_radius(mut matrix: DMatrix<f64>) -> f64 {
    let (mut growth, mut power) = (0.0, 1.0);
    for _ in 0..30 {
        let size = matrix.norm();
        growth += size.ln() / power;
        matrix /= size;
        matrix = &matrix * &matrix;
        power *= 2.0;
    }
    (growth + matrix.norm().ln() / power).exp()
}

#[test]
fn no_step_grows_what_moves() {
    let mut runner = TestRunner::new_with_rng(
        Config::with_cases(2_000),
        proptest::test_runner::TestRng::deterministic_rng(Default::default()),
    );
    runner
        .run(&cars(), |(setup, [front, rear], rate)| {
            let mut car = setup.car();
            car.bars = vec![([0, 1], front), ([2, 3], rear)];
            // The springs of heavy wheels must still have something to carry, and the body a mass.
            let mut mass = Symmetric6::of_mass(&car.body_mass());
            for strut in &car.struts {
                let path = Spatial::at(&strut.mount, &strut.direction);
                mass.add_product(&(path * -strut.mass), &path);
            }
            prop_assume!(0.02 < mass.smallest_pivot());
            prop_assume!(stands(&car));
            car.settle();
            let radius = spectral_radius(map_near_rest(&car, 1.0 / rate));
            prop_assert!(radius < 1.0 + 1e-7, "{setup:?} {front} {rear} {rate} Hz: {radius}");
            Ok(())
        })
        .unwrap();
}
