//! Wheels on the soils of the literature against fine integration of the same stresses.

mod fine;

use fine::searched;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::math::Real;

/// Soils, and the share of a usual load that they bear: a car's wheel sinks into this snow to its
/// axle.
const SOILS: [(&str, Soil, Real); 4] = [
    ("dry sand", Soil::DRY_SAND, 1.0),
    ("sandy loam", Soil::SANDY_LOAM, 1.0),
    ("clayey soil", Soil::CLAYEY_SOIL, 1.0),
    ("snow", Soil::SNOW, 0.05),
];
/// Radius, width (m) and load (N) of a car's, a truck's and a rover's wheel.
const WHEELS: [(Real, Real, Real); 3] =
    [(0.33, 0.22, 4_000.0), (0.5, 0.3, 15_000.0), (0.13, 0.16, 130.0)];

#[test]
fn forces_are_those_of_a_fine_integration() {
    let mut worst: f64 = 0.0;
    for (name, soil, share) in SOILS {
        for slip_sinkage in [0.0, 1.0] {
            let soil = Soil { slip_sinkage, ..soil };
            for (radius, width, load) in WHEELS {
                let wheel = RigidWheel { radius, width, deflection: 0.0 };
                // 1 - 1/(1 + κ): slips of -0.25 to 0.8.
                for (slip_ratio, slip_tangent) in [
                    (-0.2, 0.0),
                    (0.0, 0.0),
                    (0.05, 0.0),
                    (0.25, 0.0),
                    (1.0, 0.0),
                    (4.0, 0.0),
                    (0.1, 0.2),
                ] {
                    let asked = WheelOnSoil {
                        load: load * share,
                        slip_ratio,
                        slip_tangent,
                        ..WheelOnSoil::default()
                    };
                    let found = wheel.forces(&soil, &asked);
                    let (depth, [_, thrust, resistance, lateral, torque]) =
                        searched(&soil, &wheel, &asked);
                    let pull = thrust - resistance;
                    // Pull crosses zero: its error is one of the forces that it is the difference
                    // of.
                    let size = thrust.abs().max(resistance);
                    let pairs = [
                        (f64::from(found.sinkage), depth, depth),
                        (f64::from(found.compaction_resistance), resistance, resistance),
                        (f64::from(found.drawbar_pull), pull, pull.abs().max(0.1 * size)),
                        (f64::from(found.thrust), thrust, thrust.abs().max(0.1 * size)),
                        (f64::from(found.torque), torque, torque.abs().max(0.1 * size)),
                        (f64::from(found.lateral_force), lateral, lateral.abs().max(1.0)),
                    ];
                    for (index, (found, expected, size)) in pairs.into_iter().enumerate() {
                        let error = (found - expected).abs() / size;
                        worst = worst.max(error);
                        assert!(
                            error < 0.02,
                            "{name}, {wheel:?}, {asked:?}: number {index} is {found}, {expected}"
                        );
                    }
                }
            }
        }
    }
    // Error of the search and the 16 points.
    assert!(worst < 5e-3, "worst error {worst}");
}

#[test]
fn resistance_is_the_work_of_pressing_the_soil() {
    // R_c = b ∫ p dz = b k z^(n+1) / (n+1)
    let wheel = RigidWheel { radius: 0.33, width: 0.22, deflection: 0.0 };
    for (name, soil, share) in SOILS {
        let soil = Soil { slip_sinkage: 0.0, ..soil };
        let asked =
            WheelOnSoil { load: 4_000.0 * share, slip_ratio: 0.1, ..WheelOnSoil::default() };
        let forces = wheel.forces(&soil, &asked);
        let power = soil.sinkage_exponent + 1.0;
        let modulus = soil.cohesive_modulus / wheel.width + soil.frictional_modulus;
        let work = wheel.width * modulus * forces.sinkage.powf(power) / power;
        let found = forces.compaction_resistance / work;
        assert!((found - 1.0).abs() < 2e-3, "{name}: {found} of {work} N");
    }
}

#[test]
fn wheels_that_slip_dig_in() {
    let wheel = RigidWheel { radius: 0.5, width: 0.3, deflection: 0.0 };
    for (name, soil, share) in SOILS {
        let depth = |slip_ratio| {
            let asked =
                WheelOnSoil { load: 15_000.0 * share, slip_ratio, ..WheelOnSoil::default() };
            wheel.forces(&soil, &asked).sinkage
        };
        let depths = [0.0, 0.2, 0.5, 2.0, 10.0].map(depth);
        for pair in depths.windows(2) {
            assert!(pair[0] < pair[1], "{name}: {depths:?} m");
        }
    }
}

#[test]
fn the_second_pass_sinks_less_and_rolls_easier() {
    let wheel = RigidWheel { radius: 0.5, width: 0.3, deflection: 0.0 };
    for (name, soil, share) in SOILS {
        let first =
            WheelOnSoil { load: 15_000.0 * share, slip_ratio: 0.05, ..WheelOnSoil::default() };
        let before = wheel.forces(&soil, &first);
        let mut deepest = before.sinkage;
        let mut passes = vec![(before.sinkage, before.compaction_resistance)];
        for _ in 0..3 {
            let pass = wheel.forces(&soil, &WheelOnSoil { pressed_depth: deepest, ..first });
            passes.push((pass.sinkage - pass.rut_depth, pass.compaction_resistance));
            assert!(pass.rut_depth < deepest, "{name}: {pass:?}");
            deepest = deepest.max(pass.sinkage);
        }
        for pair in passes.windows(2) {
            let [(sunk, resisted), (sunk_again, resisted_again)] = [pair[0], pair[1]];
            assert!(sunk_again < sunk && resisted_again < resisted, "{name}: {passes:?}");
        }
    }
}

#[test]
fn a_flatter_tire_sinks_less() {
    for (name, soil, share) in SOILS {
        let forces = |deflection| {
            let wheel = RigidWheel { radius: 0.5, width: 0.3, deflection };
            let asked =
                WheelOnSoil { load: 15_000.0 * share, slip_ratio: 0.1, ..WheelOnSoil::default() };
            wheel.forces(&soil, &asked)
        };
        let (hard, soft) = (forces(0.0), forces(0.05));
        assert!(soft.sinkage < 0.9 * hard.sinkage, "{name}: {hard:?}, {soft:?}");
        assert!(hard.drawbar_pull < soft.drawbar_pull, "{name}: {hard:?}, {soft:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::with_cases(2_000)
    })]

    #[test]
    fn forces_are_finite_and_bounded(
        soil in 0_usize..4,
        load in prop_oneof![0.0..50_000.0_f32, Just(1e8)],
        slip_ratio in prop_oneof![-2.0..2.0_f32, -100.0..100.0_f32],
        slip_tangent in prop_oneof![-1.0..1.0_f32, -100.0..100.0_f32],
        pressed_depth in prop_oneof![Just(0.0), 0.0..0.5_f32],
        deflection in prop_oneof![Just(0.0), 0.0..0.1_f32],
    ) {
        let (name, soil, _) = SOILS[soil];
        let wheel = RigidWheel { radius: 0.4, width: 0.25, deflection };
        let asked = WheelOnSoil { load, slip_ratio, slip_tangent, pressed_depth };
        let forces = wheel.forces(&soil, &asked);
        let SoilForces { sinkage, thrust, compaction_resistance, lateral_force, torque, torque_slope, .. } =
            forces;
        let numbers = [sinkage, thrust, compaction_resistance, lateral_force, torque, torque_slope];
        prop_assert!(numbers.iter().all(|number| number.is_finite()), "{name}: {forces:?}");
        prop_assert!(0.0 <= sinkage && 0.0 <= compaction_resistance && 0.0 <= torque_slope);
        prop_assert!(sinkage <= pressed_depth + 0.4, "{name}: {forces:?}");
        // Shear carries no more than cohesion on all of the rim and friction of all pressure.
        let area = 0.25 * 0.4 * 30.0;
        let pressing = forces.carried_load.abs() + 2.0 * compaction_resistance + thrust.abs();
        let most = soil.cohesion * area + soil.friction_angle.tan() * 3.0 * pressing + 1.0;
        prop_assert!(thrust.abs() <= most, "{name}: {forces:?}");
        prop_assert!(slip_tangent * lateral_force <= 0.0, "{name}: {forces:?}");
    }
}
