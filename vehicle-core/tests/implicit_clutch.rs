//! The solvers of engine, clutch and wheels beside dense ones, and the laws that they keep.

use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use vehicle_core::WheelRefs;
use vehicle_core::implicit_clutch::{
    ClutchEngine, ClutchSolution, ClutchSystem, ClutchWheel, FrictionCouplers, WheelConstraint,
    solve,
};
use vehicle_core::legacy::clutch;
use vehicle_core::math::{Real, sign};
use vehicle_core::wheel_rotation::{TireTorque, WheelTorques};

/// Largest difference from a dense solver, as a part of the largest speed.
const TOLERANCE: f64 = 1e-6;
/// A torque that no tire reaches (N·m).
const ENDLESS: Real = 1e30;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::with_cases(cases)
    }
}

prop_compose! {
    fn engines()(
        rotation_speed in -100.0_f32..800.0,
        inertia in 0.05_f32..5.0,
        damping_rate in 0.0_f32..3.0,
        torque in -300.0_f32..1_000.0,
    ) -> ClutchEngine {
        let speed_range = [Real::NEG_INFINITY, Real::INFINITY];
        ClutchEngine { rotation_speed, inertia, damping_rate, torque, speed_range }
    }
}

prop_compose! {
    /// Wheels of any share, without brakes, on tires without limits.
    fn wheels()(
        rotation_speed in -100.0_f32..100.0,
        inertia in 0.2_f32..20.0,
        damping_rate in 0.0_f32..2.0,
        drive in -50.0_f32..50.0,
        torque in -2_000.0_f32..2_000.0,
        resistance in prop_oneof![Just(0.0_f32), 0.0_f32..2e4],
        torque_ratio in prop_oneof![4 => 0.0_f32..1.0, 1 => -1.0_f32..0.0, 1 => Just(0.0)],
        speed_ratio in 0.0_f32..1.0,
    ) -> ClutchWheel {
        ClutchWheel {
            rotation_speed,
            inertia,
            damping_rate,
            torques: WheelTorques { drive, brake: 0.0 },
            tire: TireTorque { torque, resistance, max_torque: ENDLESS },
            torque_ratio,
            speed_ratio,
            constraint: None,
        }
    }
}

fn strengths() -> impl Strategy<Value = Real> {
    let powers = (-2.0_f32..6.0).prop_map(|power| 10.0_f32.powf(power));
    prop_oneof![1 => Just(0.0), 4 => powers, 1 => Just(1e6)]
}

fn gear_ratios() -> impl Strategy<Value = Real> {
    prop_oneof![4 => 0.5_f32..30.0, 1 => -30.0_f32..-0.5, 1 => Just(0.0)]
}

prop_compose! {
    /// Systems of 1 to 40 wheels, whose shares add up to one as those of differentials do.
    fn systems()(
        engine in engines(),
        mut wheels in prop::collection::vec(wheels(), 1..=40),
        strength in strengths(),
        gear_ratio in gear_ratios(),
    ) -> ClutchSystem {
        let torques: Real = wheels.iter().map(|wheel| wheel.torque_ratio.abs()).sum();
        let speeds: Real = wheels.iter().map(|wheel| wheel.speed_ratio).sum();
        for wheel in &mut wheels {
            wheel.torque_ratio /= torques.max(1e-3);
            wheel.speed_ratio /= speeds.max(1e-3);
        }
        ClutchSystem {
            strength,
            capacity: Real::INFINITY,
            gear_ratio,
            engine,
            wheels: wheels.into_iter().collect(),
            couplers: FrictionCouplers::new(),
        }
    }
}

prop_compose! {
    /// Systems in which some wheels turn together, all of one direction of the torque.
    fn constrained_systems()(
        mut system in systems(),
        groups in prop::collection::vec(prop::option::of(0_u8..3), 40),
        multipliers in prop::collection::vec(0.4_f32..2.5, 40),
    ) -> ClutchSystem {
        let mut is_known = [false; 3];
        for (index, wheel) in system.wheels.iter_mut().enumerate() {
            wheel.torque_ratio = wheel.torque_ratio.abs();
            wheel.constraint = groups[index].map(|group| {
                let first = !std::mem::replace(&mut is_known[usize::from(group)], true);
                let speed_multiplier = if first { 1.0 } else { multipliers[index] };
                WheelConstraint { group, speed_multiplier }
            });
        }
        system
    }
}

/// The system M x = b as the formulas have it, in 64 bits; tires implicit.
fn dense(system: &ClutchSystem, dt: Real) -> (DMatrix<f64>, DVector<f64>) {
    let count = system.wheels.len();
    let (dt, strength, gear) =
        (f64::from(dt), f64::from(system.strength), f64::from(system.gear_ratio));
    let per_torque = |inertia: Real| dt / f64::from(inertia);
    let signed =
        |wheel: &ClutchWheel| f64::from(wheel.speed_ratio) * f64::from(sign(wheel.torque_ratio));
    let engine = &system.engine;
    let matrix = DMatrix::from_fn(count + 1, count + 1, |row, column| {
        let along = system.wheels.get(column).map_or(-1.0, |wheel| gear * signed(wheel));
        let (across, diagonal) = system.wheels.get(row).map_or_else(
            || {
                let h = per_torque(engine.inertia);
                (-h, 1.0 + h * f64::from(engine.damping_rate))
            },
            |wheel| {
                let h = per_torque(wheel.inertia);
                let resisting = f64::from(wheel.damping_rate) + f64::from(wheel.tire.resistance);
                (h * gear * f64::from(wheel.torque_ratio), 1.0 + h * resisting)
            },
        );
        strength * across * along + if row == column { diagonal } else { 0.0 }
    });
    let right = DVector::from_fn(count + 1, |row, _| {
        let engine_side = || {
            f64::from(engine.rotation_speed) + per_torque(engine.inertia) * f64::from(engine.torque)
        };
        system.wheels.get(row).map_or_else(engine_side, |wheel| {
            let speed = f64::from(wheel.rotation_speed);
            let brake = f64::from(-sign(wheel.rotation_speed) * wheel.torques.brake);
            let torque = f64::from(wheel.torques.drive) + f64::from(wheel.tire.torque) + brake;
            let coupled = torque + f64::from(wheel.tire.resistance) * speed;
            speed + per_torque(wheel.inertia) * coupled
        })
    });
    (matrix, right)
}

/// S of `x = S y`, and the inertias of the rows.
fn constraints(system: &ClutchSystem) -> (DMatrix<f64>, DMatrix<f64>) {
    let mut columns: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut of_group = std::collections::BTreeMap::new();
    for (row, wheel) in system.wheels.iter().enumerate() {
        match wheel.constraint {
            None => columns.push(vec![(row, 1.0)]),
            Some(constraint) => {
                let column = *of_group.entry(constraint.group).or_insert_with(|| {
                    columns.push(Vec::new());
                    columns.len() - 1
                });
                columns[column].push((row, f64::from(constraint.speed_multiplier)));
            }
        }
    }
    columns.push(vec![(system.wheels.len(), 1.0)]);
    let mut spread = DMatrix::zeros(system.wheels.len() + 1, columns.len());
    for (column, rows) in columns.iter().enumerate() {
        for &(row, multiplier) in rows {
            spread[(row, column)] = multiplier;
        }
    }
    let inertias = system.wheels.iter().map(|wheel| wheel.inertia);
    let inertias = inertias.chain([system.engine.inertia]).map(f64::from);
    let inertias = DVector::from_iterator(system.wheels.len() + 1, inertias);
    (spread, DMatrix::from_diagonal(&inertias))
}

fn speeds(solution: &ClutchSolution) -> Vec<f64> {
    let wheels = solution.wheels.iter().map(|wheel| wheel.rotation_speed);
    wheels.chain([solution.engine_speed]).map(f64::from).collect()
}

/// Largest difference between `solution` and `expected`, as a part of the largest speed.
fn difference(solution: &ClutchSolution, expected: &DVector<f64>) -> f64 {
    let differences = speeds(solution).into_iter().zip(expected.iter());
    let largest = differences.map(|(actual, expected)| (actual - expected).abs());
    largest.fold(0.0, f64::max) / expected.amax().max(1.0)
}

fn without_slopes(mut system: ClutchSystem) -> ClutchSystem {
    for wheel in &mut system.wheels {
        wheel.tire.resistance = 0.0;
    }
    system
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn exact_solvers_agree_with_a_dense_one(system in systems(), dt in 1e-4_f32..0.05) {
        let (matrix, right) = dense(&system, dt);
        let expected = matrix.full_piv_lu().solve(&right).expect("never singular");
        let error = difference(&solve(&system, dt), &expected);
        prop_assert!(error < TOLERANCE, "coupled: {error:e}");

        let system = without_slopes(system);
        let (matrix, right) = dense(&system, dt);
        let expected = matrix.full_piv_lu().solve(&right).expect("never singular");
        let error = difference(&clutch::solve(&system, dt), &expected);
        prop_assert!(error < TOLERANCE, "explicit: {error:e}");
    }

    #[test]
    fn groups_agree_with_a_dense_solver(system in constrained_systems(), dt in 1e-4_f32..0.05) {
        let (matrix, right) = dense(&system, dt);
        let (spread, inertias) = constraints(&system);
        // Sᵀ I (M S y - b) = 0
        let projection = spread.transpose() * inertias;
        let reduced = (&projection * &matrix * &spread).full_piv_lu();
        let solved = reduced.solve(&(projection * right)).expect("never singular");
        let error = difference(&solve(&system, dt), &(spread * solved));
        prop_assert!(error < TOLERANCE, "{error:e}");
    }

    #[test]
    fn least_squares_agree_with_a_dense_solver(
        system in constrained_systems(),
        dt in 1e-4_f32..0.05,
        strength in 0.0_f32..1e3,
    ) {
        let system = without_slopes(ClutchSystem { strength, ..system });
        let (matrix, right) = dense(&system, dt);
        let (spread, _) = constraints(&system);
        let tall = &matrix * &spread;
        let qr = tall.qr();
        let projected = qr.q().transpose() * right;
        let solved = qr.r().solve_upper_triangular(&projected).expect("never singular");
        let error = difference(&clutch::solve_least_squares(&system, dt), &(spread * solved));
        prop_assert!(error < TOLERANCE, "{error:e}");
    }
}

/// The system with brakes and tires of limited grip.
fn braked(mut system: ClutchSystem, brakes: &[Real], limits: &[Real]) -> ClutchSystem {
    for (wheel, (&brake, &limit)) in system.wheels.iter_mut().zip(brakes.iter().zip(limits)) {
        wheel.torques.brake = brake;
        wheel.tire.max_torque = limit;
        wheel.tire.torque = wheel.tire.torque.clamp(-limit, limit);
    }
    system
}

fn brakes() -> impl Strategy<Value = Vec<Real>> {
    prop::collection::vec(prop_oneof![Just(0.0), 0.0_f32..3e3], 40)
}

fn limits() -> impl Strategy<Value = Vec<Real>> {
    prop::collection::vec(prop_oneof![Just(0.0), 0.0_f32..3e3, Just(ENDLESS)], 40)
}

proptest! {
    #![proptest_config(config(1_000))]

    /// `I (ω' - ω)/dt + c ω' + G r τ - T - T_tire` is what the brakes give: no more than their
    /// torque, and all of it against the rotation of a wheel that turns.
    #[test]
    fn brakes_act_as_friction(
        system in systems(),
        brakes in brakes(),
        limits in limits(),
        dt in 1e-4_f32..0.05,
    ) {
        let system = braked(system, &brakes, &limits);
        let solution = solve(&system, dt);
        let clutch = f64::from(solution.clutch_torque) * f64::from(system.gear_ratio);
        for (wheel, solved) in system.wheels.iter().zip(&solution.wheels) {
            prop_assert!(solved.tire_torque.abs() <= wheel.tire.max_torque, "{wheel:?}: {solved:?}");
            let (before, after) = (f64::from(wheel.rotation_speed), f64::from(solved.rotation_speed));
            let gained = f64::from(wheel.inertia) * (after - before) / f64::from(dt);
            let terms = [
                gained,
                f64::from(wheel.damping_rate) * after,
                clutch * f64::from(wheel.torque_ratio),
                -f64::from(wheel.torques.drive),
                -f64::from(solved.tire_torque),
            ];
            let (brake, full) = (terms.iter().sum::<f64>(), f64::from(wheel.torques.brake));
            let size = terms.iter().fold(full, |size, term| size.max(term.abs()));
            let resolved = f64::from(Real::EPSILON) * 4.0
                * (f64::from(wheel.inertia) / f64::from(dt) + f64::from(wheel.tire.resistance)) * after.abs().max(before.abs());
            let tolerance = 1e-5 * size + resolved;
            if after == 0.0 {
                prop_assert!(brake.abs() <= full + tolerance, "{brake} N·m hold {wheel:?}");
            } else {
                let error = (brake + full.copysign(after)).abs();
                prop_assert!(error <= tolerance, "{brake} N·m brake {wheel:?}: {solved:?}, {tolerance}");
            }
        }
    }

    #[test]
    fn clutch_and_groups_conserve_momentum(
        system in constrained_systems(),
        dt in 1e-4_f32..0.05,
    ) {
        let mut system = system;
        system.engine = ClutchEngine { damping_rate: 0.0, torque: 0.0, ..system.engine };
        for wheel in &mut system.wheels {
            wheel.damping_rate = 0.0;
            wheel.torques = WheelTorques::default();
            wheel.tire = TireTorque::default();
        }
        let solution = solve(&system, dt);
        let clutch = f64::from(solution.clutch_torque) * f64::from(dt);
        let engine = &system.engine;
        let gained = f64::from(engine.inertia)
            * (f64::from(solution.engine_speed) - f64::from(engine.rotation_speed));
        let size = f64::from(engine.inertia) * f64::from(engine.rotation_speed.abs().max(solution.engine_speed.abs()));
        prop_assert!((gained - clutch).abs() <= 1e-5 * size.max(1e-3), "engine: {gained}, {clutch}");

        // What the clutch takes from a shaft, its wheels lose.
        let (spread, inertias) = constraints(&system);
        let count = system.wheels.len();
        let change = DVector::from_fn(count + 1, |row, _| {
            if row == count { return 0.0; }
            let (wheel, solved) = (&system.wheels[row], &solution.wheels[row]);
            let taken = f64::from(system.gear_ratio) * f64::from(wheel.torque_ratio) * clutch;
            f64::from(solved.rotation_speed) - f64::from(wheel.rotation_speed) + taken / f64::from(wheel.inertia)
        });
        let left = spread.transpose() * &inertias * change;
        let size = system.wheels.iter().zip(&solution.wheels).map(|(wheel, solved)| {
            f64::from(wheel.inertia * wheel.rotation_speed.abs().max(solved.rotation_speed.abs())) + (f64::from(system.gear_ratio) * clutch).abs()
        }).sum::<f64>();
        prop_assert!(left.amax() <= 1e-5 * size, "{} of {size} kg·m²/s", left.amax());
    }

    #[test]
    fn engine_stays_in_its_range(
        system in systems(),
        low in 0.0_f32..200.0,
        high in 200.0_f32..700.0,
        brakes in brakes(),
        limits in limits(),
        dt in 1e-4_f32..0.05,
    ) {
        let mut system = braked(system, &brakes, &limits);
        system.engine.speed_range = [low, high];
        let solution = solve(&system, dt);
        prop_assert!((low..=high).contains(&solution.engine_speed), "{solution:?}");
        // The clutch transmits what its slip gives, to the rounding of the speeds.
        let slip = solution.slip(&system);
        let size = solution.wheels.iter().fold(solution.engine_speed, |size, wheel| {
            size.max(wheel.rotation_speed.abs() * system.gear_ratio.abs())
        });
        let error = (solution.clutch_torque - system.strength * slip).abs();
        let tolerance = 1e-5 * solution.clutch_torque.abs() + 1e-5 * system.strength * size;
        prop_assert!(error <= tolerance, "{} N·m, {slip} rad/s of slip", solution.clutch_torque);
    }
}

proptest! {
    #![proptest_config(config(1_000))]

    /// With shares of the torque equal to those of the speed: what the clutch gives, the wheels
    /// get, and what engine and wheels have, they do not gain.
    #[test]
    fn a_differential_passes_on_its_power_and_a_clutch_only_loses_it(
        system in systems(),
        dt in 1e-4_f32..0.05,
    ) {
        let mut system = system;
        system.engine = ClutchEngine { torque: 0.0, ..system.engine };
        for wheel in &mut system.wheels {
            wheel.speed_ratio = wheel.torque_ratio.abs();
            wheel.torques = WheelTorques::default();
            wheel.tire = TireTorque::default();
        }
        let solution = solve(&system, dt);
        let speeds = speeds(&solution);
        let (clutch, gear) = (f64::from(solution.clutch_torque), f64::from(system.gear_ratio));
        let shares = system.wheels.iter().map(|wheel| f64::from(wheel.torque_ratio));
        let received: f64 = shares.zip(&speeds).map(|(share, speed)| -gear * share * clutch * speed).sum();
        // The plate of the clutch on the side of the wheels.
        let plate = f64::from(solution.slip(&system)) + f64::from(solution.engine_speed);
        let size = speeds.iter().fold(0.0_f64, |size, speed| size.max(speed.abs())) * gear.abs().max(1.0);
        let error = (received + clutch * plate).abs();
        prop_assert!(error <= 1e-5 * clutch.abs() * size, "{received} W of {} W", -clutch * plate);

        let before = system.wheels.iter().map(|wheel| wheel.rotation_speed);
        let before: Vec<_> = before.chain([system.engine.rotation_speed]).map(f64::from).collect();
        let inertias = system.wheels.iter().map(|wheel| wheel.inertia).chain([system.engine.inertia]);
        let energy = |speeds: &[f64]| -> f64 {
            inertias.clone().zip(speeds).map(|(inertia, speed)| 0.5 * f64::from(inertia) * speed * speed).sum()
        };
        prop_assert!(energy(&speeds) <= energy(&before) * (1.0 + 1e-6), "{speeds:?} from {before:?}");
    }
}

#[test]
fn estimate_approaches_the_exact_solution() {
    let wheel = ClutchWheel {
        rotation_speed: 10.0,
        inertia: 1.2,
        damping_rate: 0.2,
        torques: WheelTorques::default(),
        tire: TireTorque { torque: -50.0, ..TireTorque::default() },
        torque_ratio: 0.25,
        speed_ratio: 0.25,
        constraint: None,
    };
    let engine = ClutchEngine {
        rotation_speed: 150.0,
        inertia: 1.0,
        damping_rate: 0.2,
        torque: 300.0,
        speed_range: [0.0, 600.0],
    };
    let wheels: WheelRefs<_> = [wheel; 4].into_iter().collect();
    let system = ClutchSystem {
        strength: 10.0,
        capacity: Real::INFINITY,
        gear_ratio: 12.0,
        engine,
        wheels,
        couplers: FrictionCouplers::new(),
    };
    let (dt, exact) = (1.0 / 60.0, DVector::from_vec(speeds(&clutch::solve(&system, 1.0 / 60.0))));
    let errors =
        [1, 5, 100].map(|sweeps| difference(&clutch::estimate(&system, sweeps, dt), &exact));
    assert!(errors[2] < 2e-5 && errors[1] < errors[0] && errors[2] < errors[1], "{errors:?}");
    let eliminated = difference(&clutch::eliminate(&system, dt), &exact);
    assert!(eliminated < 1e-6, "{eliminated:e}");

    let mut broken = ClutchSystem { strength: 0.0, ..system };
    broken.engine.rotation_speed = Real::NAN;
    for solution in [clutch::solve(&broken, dt), clutch::eliminate(&broken, dt)] {
        assert!(solution.engine_speed.is_nan(), "{solution:?}");
    }
}
