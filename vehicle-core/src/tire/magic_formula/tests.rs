//! The figures of a tire that is in the literature, and the laws of all.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::math::lanes::{Lanes, Real4};
use crate::math::tan;
use crate::tire::tir::TirFile;

/// Coefficients of a 205/60R15 tire: Pacejka, Tire and Vehicle Dynamics, 3rd edition, appendix 3.
pub(crate) fn sample() -> MagicFormulaParams {
    let text = include_str!("../../../tests/data/205_60R15.tir");
    TirFile::parse(text).expect("the sample tire is valid").tire
}

/// The sample without what tells left from right and forward from backward.
fn symmetric() -> MagicFormulaParams {
    let mut tire = sample();
    let asymmetries = [
        "phx1", "phx2", "pvx1", "pvx2", "pex4", "rhx1", "phy1", "phy2", "pvy1", "pvy2", "pey3",
        "pey4", "rby3", "rhy1", "rhy2", "rvy1", "rvy2", "rvy3", "qdz6", "qdz7", "qhz1", "qhz2",
        "qez4", "ssz1", "qsx1", "pvy3", "pvy4", "qhz3", "qhz4", "qdz8", "qdz9", "pky6", "pky7",
    ];
    for name in asymmetries {
        *tire.find(name).expect(name).0 = 0.0;
    }
    tire
}

fn input(load: Real, slip_ratio: Real, slip_angle: Real, inclination: Real) -> MagicFormulaInput {
    MagicFormulaInput {
        load,
        slip_ratio,
        slip_tangent: tan(slip_angle),
        inclination,
        inflation_pressure: 0.0,
        friction: 1.0,
        forward_speed: 16.7,
    }
}

fn assert_close(actual: Real, expected: Real, what: &str) {
    let error = (actual - expected).abs();
    assert!(error < 0.5 || error < 1e-4 * expected.abs(), "{what}: {actual}, expected {expected}");
}

/// The cells of a table below its header.
fn rows(table: &str) -> impl Iterator<Item = Vec<Option<Real>>> {
    let cells = |line: &str| line.split(',').map(|cell| cell.parse().ok()).collect();
    table.lines().skip(1).map(cells)
}

/// By equations 4.E1 to 4.E78 in double precision.
#[test]
fn forces_are_those_of_the_equations() {
    let tire = sample().formulas(OutOfRange::Clamp);
    let mut compared = 0;
    for row in rows(include_str!("../../../tests/data/205_60R15_forces.csv")) {
        let [Some(load), Some(slip_ratio), Some(slip_angle), Some(inclination)] = row[..4] else {
            panic!("{row:?}")
        };
        let output = tire.output(&input(load, slip_ratio, slip_angle, inclination));
        let what = format!("{load} N, {slip_ratio}, {slip_angle}, {inclination}");
        for (name, found, expected) in
            [("Fx", output.longitudinal_force, row[4]), ("Fy", output.lateral_force, row[5])]
        {
            if let Some(expected) = expected {
                assert_close(found, expected, &format!("{name} at {what}"));
                compared += 1;
            }
        }
        if let Some(moment) = row[6] {
            let found = output.aligning_moment;
            assert!((found - moment).abs() < 0.02, "Mz at {what}: {found}, expected {moment}");
        }
    }
    assert_eq!(compared, 24);
}

#[test]
fn stiffnesses_are_those_of_the_published_tire() {
    let tire = sample().formulas(OutOfRange::Clamp);
    for row in rows(include_str!("../../../tests/data/205_60R15_stiffnesses.csv")) {
        let [Some(load), Some(slip), Some(cornering)] = row[..] else { panic!("{row:?}") };
        assert_close(tire.slip_stiffness(load), slip, &format!("slip stiffness at {load} N"));
        let actual = tire.cornering_stiffness(load);
        assert_close(actual, cornering, &format!("cornering stiffness at {load} N"));
    }
}

#[test]
fn moments_have_the_signs_of_iso() {
    let tire = sample().formulas(OutOfRange::Clamp);
    let output = tire.output(&input(4000.0, 0.0, 0.05, 0.0));
    // Sliding to the left, the tire turns itself to the left: the trail straightens it.
    assert!((20.0..120.0).contains(&output.aligning_moment), "{output:?}");
    let far = tire.output(&input(4000.0, 0.0, 0.25, 0.0));
    assert!(far.aligning_moment < 0.5 * output.aligning_moment, "{far:?}");
    // The top of the wheel tilts to the right: it pushes to the right.
    let upright = tire.output(&input(4000.0, 0.0, 0.0, 0.0));
    let tilted = tire.output(&input(4000.0, 0.0, 0.0, 0.05));
    assert!(tilted.lateral_force < upright.lateral_force - 50.0, "{tilted:?}");

    let mut rolling = sample();
    rolling.rolling.qsy1 = 0.01;
    let rolling = rolling.formulas(OutOfRange::Clamp);
    let moment = |speed| {
        let output = rolling
            .output(&MagicFormulaInput { forward_speed: speed, ..input(4000.0, 0.0, 0.0, 0.0) });
        output.rolling_moment
    };
    assert!((moment(16.7) + 0.01 * 4000.0 * 0.3135).abs() < 1e-3, "{}", moment(16.7));
    assert_eq!(moment(-16.7), -moment(16.7));
    assert_eq!(moment(0.0), 0.0);
}

#[test]
fn forces_below_the_range_of_loads_fall_with_the_load() {
    let mut params = sample();
    params.load_range.fzmin = 1000.0;
    params.load_range.fzmax = 5000.0;
    let (clamped, free) =
        (params.formulas(OutOfRange::Clamp), params.formulas(OutOfRange::Extrapolate));
    let force = |tire: &MagicFormula, load| tire.output(&input(load, 0.0, 0.05, 0.0)).lateral_force;
    assert_close(force(&clamped, 250.0), 0.25 * force(&clamped, 1000.0), "at a quarter");
    assert_eq!(force(&clamped, 0.0), 0.0);
    assert_eq!(force(&clamped, -10.0), 0.0);
    assert_eq!(force(&clamped, 8000.0), force(&clamped, 5000.0));
    assert!(force(&free, 8000.0) < force(&free, 5000.0) - 100.0);
    assert_eq!(force(&free, 3000.0), force(&clamped, 3000.0));
}

#[test]
fn relaxation_lengths_are_stiffness_by_carcass() {
    let mut params = sample();
    params.structural.longitudinal_stiffness = 350_000.0;
    params.structural.lateral_stiffness = 100_000.0;
    let lengths =
        |load| params.formulas(OutOfRange::Clamp).relaxation_lengths(&input(load, 0.0, 0.0, 0.0));
    assert!((lengths(4000.0).longitudinal - 86_748.0 / 350_000.0).abs() < 1e-4);
    assert!((lengths(4000.0).lateral - 53_353.1 / 100_000.0).abs() < 1e-4);
    assert!((lengths(2000.0).lateral - 32_948.5 / 100_000.0).abs() < 1e-4);
    let old = MagicFormulaParams {
        version: MagicFormulaVersion::V5_2,
        longitudinal: LongitudinalCoefficients { ptx1: 2.0, ptx3: 0.5, ..Default::default() },
        lateral: LateralCoefficients { pty1: 2.0, pty2: 2.0, ..Default::default() },
        ..MagicFormulaParams::default()
    };
    let lengths = old.formulas(OutOfRange::Clamp).relaxation_lengths(&input(4000.0, 0.0, 0.0, 0.0));
    assert!((lengths.longitudinal - 2.0 * 0.3135).abs() < 1e-5, "{lengths:?}");
    // 2 sin(2 atan(1/2)) = 1.6
    assert!((lengths.lateral - 1.6 * 0.3135).abs() < 1e-5, "{lengths:?}");
}

#[test]
fn contact_patch_grows_with_load_and_shrinks_with_pressure() {
    let mut params = sample();
    params.vertical.vertical_stiffness = 209_651.0;
    params.vertical.pfz1 = 0.7;
    let tire = params.formulas(OutOfRange::Clamp);
    let patch = tire.contact_patch(4000.0, 220e3);
    // 0.3135 (0.733 q + 0.671 √q) and 0.205 (1.059 ∛q - 1.1878 q) with q = 0.06086
    assert!((patch.half_length - 0.065_88).abs() < 1e-4, "{patch:?}");
    assert!((patch.half_width - 0.070_57).abs() < 1e-4, "{patch:?}");
    assert!(patch.half_length < tire.contact_patch(5000.0, 220e3).half_length);
    assert!(patch.half_length < tire.contact_patch(4000.0, 150e3).half_length);
    assert_eq!(tire.contact_patch(0.0, 220e3), ContactPatch::default());
}

#[test]
fn older_versions_shift_by_camber() {
    let mut params = sample();
    params.version = MagicFormulaVersion::V5_2;
    params.lateral.phy3 = 0.04;
    params.lateral.pvy3 = 0.0;
    params.lateral.pvy4 = 0.0;
    let tire = params.formulas(OutOfRange::Clamp);
    let slope = tire.cornering_stiffness(4000.0) * (1.0 - params.lateral.pky3 * 0.01);
    let of = |inclination| tire.output(&input(4000.0, 0.0, 0.0, inclination)).lateral_force;
    assert!(((of(0.01) - of(0.0)) / (slope * 0.04 * 0.01) - 1.0).abs() < 0.02);
}

/// Any finite number.
fn finite() -> impl Strategy<Value = Real> {
    prop_oneof![
        any::<u32>().prop_map(Real::from_bits).prop_filter("finite", |x| x.is_finite()),
        -2.0..2.0_f32,
        -1e5..1e5_f32,
    ]
}

/// Forces along by slip ratio and across by the tangent of the slip angle of the sample tire (N).
fn forces_by_slip(params: &MagicFormulaParams, out_of_range: OutOfRange, slip: Real) -> [Real; 2] {
    let tire = params.formulas(out_of_range);
    let [along, across] = [(slip, 0.0), (0.0, slip)]
        .map(|(slip_ratio, tangent)| tire.output(&input(4_000.0, slip_ratio, tangent.atan(), 0.0)));
    [along.longitudinal_force, across.lateral_force]
}

#[test]
fn a_tire_that_was_measured_on_one_side_is_its_mirror_image_on_the_other() {
    let mut tire = sample();
    // An asymmetry that was fitted to one side alone would be another tire on the other.
    (tire.longitudinal.pex4, tire.lateral.pey3) = (-3.0, -2.0);
    for (braked, most, least) in [(-1.0, 0.0, -1.0), (-1.0, 0.02, -1.0), (1.0, 1.0, 0.0)] {
        let mut one_sided = tire.clone();
        (one_sided.slip_ratio_range.kpumin, one_sided.slip_ratio_range.kpumax) = (least, most);
        (one_sided.slip_angle_range.alpmin, one_sided.slip_angle_range.alpmax) = (least, most);
        for size in [0.02, 0.1, 0.3, 0.8] {
            let slip: Real = braked * size;
            let extrapolated = forces_by_slip(&tire, OutOfRange::Extrapolate, slip);
            let measured = forces_by_slip(&one_sided, OutOfRange::Mirror, slip);
            let mirrored = forces_by_slip(&one_sided, OutOfRange::Mirror, -slip);
            for axis in [0, 1] {
                assert!((measured[axis] / extrapolated[axis] - 1.0).abs() < 1e-3, "{slip}");
                // But for the shifts of the measured curve, which it keeps: they show most near
                // zero slip.
                let shift = 2.0 * forces_by_slip(&tire, OutOfRange::Extrapolate, 0.0)[axis].abs();
                let difference = measured[axis] + mirrored[axis];
                assert!(
                    difference.abs() < 1.1 * shift + 1.0,
                    "axis {axis}, {slip}: {difference} N, shifts {shift} N"
                );
            }
        }
        let [drive, _] = forces_by_slip(&one_sided, OutOfRange::Clamp, -0.1 * braked);
        // The end of the range that is near zero, by the slip stiffness, and the shifts.
        let near = least.abs().min(most);
        let clamped = near * tire.formulas(OutOfRange::Clamp).slip_stiffness(4_000.0);
        assert!(drive.abs() < clamped + 0.03 * 4_000.0, "clamped: {drive} N of {clamped} N");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::with_cases(2_000)
    })]

    #[test]
    fn lanes_have_the_bits_of_single_tires(
        load in 0.0..12_000.0_f32,
        slip in -1.5..1.5_f32,
        angle in -1.5..1.5_f32,
        camber in -0.5..0.5_f32,
        speed in -60.0..60.0_f32,
    ) {
        let (mut six, mut five) = (sample(), sample());
        five.version = MagicFormulaVersion::V5_2;
        six.slip_ratio_range.kpumax = 0.0;
        let tires = [(&six, OutOfRange::Mirror), (&five, OutOfRange::Extrapolate)];
        let of = |lane: usize| tires[lane % 2];
        let inputs: [MagicFormulaInput; 4] = [1.0, 0.5, -0.7, 0.1].map(|share: Real| {
            MagicFormulaInput {
                forward_speed: speed * share,
                inflation_pressure: 180e3,
                friction: share.abs(),
                ..input(load * share, slip * share, angle * share, camber * share)
            }
        });
        let lanes = MagicFormula::<Real4>::from_lanes([of(0), of(1), of(2), of(3)]);
        let four = |number: fn(&MagicFormulaInput) -> Real| {
            Real4::new([0, 1, 2, 3].map(|lane| number(&inputs[lane])))
        };
        let all = lanes.output(&MagicFormulaInput {
            load: four(|input| input.load),
            slip_ratio: four(|input| input.slip_ratio),
            slip_tangent: four(|input| input.slip_tangent),
            inclination: four(|input| input.inclination),
            inflation_pressure: four(|input| input.inflation_pressure),
            friction: four(|input| input.friction),
            forward_speed: four(|input| input.forward_speed),
        });
        for (lane, input) in inputs.iter().enumerate() {
            let (params, out_of_range) = of(lane);
            let one = params.formulas(out_of_range).output(input);
            let lane = MagicFormulaOutput {
                longitudinal_force: all.longitudinal_force.lane(lane),
                lateral_force: all.lateral_force.lane(lane),
                overturning_moment: all.overturning_moment.lane(lane),
                rolling_moment: all.rolling_moment.lane(lane),
                standing_moment: all.standing_moment.lane(lane),
                aligning_moment: all.aligning_moment.lane(lane),
                longitudinal_secant: all.longitudinal_secant.lane(lane),
            };
            prop_assert_eq!(lane, one);
        }
    }

    #[test]
    fn every_finite_input_has_a_finite_answer(
        numbers in prop::array::uniform7(finite()),
        is_clamped in any::<bool>(),
    ) {
        let [load, slip_ratio, slip_tangent, inclination, inflation_pressure, friction, forward_speed] =
            numbers;
        let asked = MagicFormulaInput {
            load, slip_ratio, slip_tangent, inclination, inflation_pressure, friction, forward_speed,
        };
        let out_of_range = if is_clamped { OutOfRange::Clamp } else { OutOfRange::Extrapolate };
        let tire = sample().formulas(out_of_range);
        let output = tire.output(&asked);
        let MagicFormulaOutput {
            longitudinal_force, lateral_force, overturning_moment, rolling_moment, aligning_moment,
            longitudinal_secant, standing_moment,
        } = output;
        let all = [
            longitudinal_force, lateral_force, overturning_moment, rolling_moment, aligning_moment,
            longitudinal_secant, standing_moment,
        ];
        prop_assert!(all.iter().all(|number| number.is_finite()), "{asked:?}: {output:?}");
        prop_assert!(0.0 <= longitudinal_secant);
        let RelaxationLengths { longitudinal, lateral } = tire.relaxation_lengths(&asked);
        prop_assert!(longitudinal.is_finite() && lateral.is_finite());
    }

    #[test]
    fn forces_stay_within_their_peaks(
        load in 100.0..9000.0_f32,
        slip in -3.0..3.0_f32,
        angle in -1.5..1.5_f32,
        camber in -0.2..0.2_f32,
    ) {
        let params = sample();
        let tire = params.formulas(OutOfRange::Clamp);
        let asked = input(load, slip, angle, camber);
        let at = tire.conditions(&asked);
        let output = tire.output(&asked);
        let (c, y) = (&params.longitudinal, &params.lateral);
        let along = (c.pdx1 + c.pdx2 * at.dfz) * load;
        let shift = (load * (c.pvx1 + c.pvx2 * at.dfz)).abs();
        let reduction = tire.longitudinal_reduction(&at);
        let left = reduction.left(reduction.curve.angle());
        let most = left * (along + shift) * 1.0001 + 0.01;
        prop_assert!(output.longitudinal_force.abs() <= most, "{output:?} {most}");

        let pure = tire.pure_lateral(&at);
        let by_slip_ratio = tire.slip_ratio_force(&at, pure.friction);
        let across = (y.pdy1 + y.pdy2 * at.dfz) * load;
        let reduction = tire.lateral_reduction(&at, at.inclination);
        let left = reduction.left(reduction.curve.angle());
        let most = left * (across + pure.shifts[1].abs())
            + by_slip_ratio.abs();
        prop_assert!(output.lateral_force.abs() <= most * 1.0001 + 0.01, "{output:?} {most}");
    }

    #[test]
    fn a_symmetric_tire_is_odd_and_even(
        load in 100.0..9000.0_f32,
        slip in -1.0..1.0_f32,
        angle in -1.5..1.5_f32,
    ) {
        let tire = symmetric().formulas(OutOfRange::Clamp);
        let here = tire.output(&input(load, slip, angle, 0.0));
        let left = tire.output(&input(load, slip, -angle, 0.0));
        let back = tire.output(&input(load, -slip, angle, 0.0));
        let close = |a: Real, b: Real| (a - b).abs() <= 1e-5 * load;
        prop_assert!(close(left.lateral_force, -here.lateral_force));
        prop_assert!(close(left.longitudinal_force, here.longitudinal_force));
        prop_assert!(close(back.longitudinal_force, -here.longitudinal_force));
        prop_assert!(close(back.lateral_force, here.lateral_force));
        let rest = tire.output(&input(load, 0.0, 0.0, 0.0));
        prop_assert_eq!((rest.longitudinal_force, rest.lateral_force), (0.0, 0.0));
        // The larger one of both coefficients at this load. The formulas bound each force; their
        // resultant is up to 0.36 % beyond, at 1,000 N, a slip ratio of 0.17 and an angle of 0.03
        // rad.
        let dfz = load / 4000.0 - 1.0;
        let friction = (1.0422 - 0.08285 * dfz).max(0.8785 - 0.06452 * dfz);
        let size = here.longitudinal_force.hypot(here.lateral_force);
        prop_assert!(size <= friction * load * 1.005, "{size} N at {load} N");
    }

    #[test]
    fn forces_are_smooth(
        load in 800.0..8000.0_f32,
        slip in -1.0..1.0_f32,
        angle in -1.2..1.2_f32,
        camber in -0.2..0.2_f32,
        speed in -3.0..3.0_f32,
    ) {
        let tire = sample().formulas(OutOfRange::Clamp);
        let at = |step: Real, which: usize| {
            let add = |index: usize| if index == which { step } else { 0.0 };
            let asked = MagicFormulaInput {
                forward_speed: speed + add(4),
                ..input(load + 1000.0 * add(0), slip + add(1), angle + add(2), camber + add(3))
            };
            let output = tire.output(&asked);
            [output.longitudinal_force, output.lateral_force, 10.0 * output.aligning_moment]
        };
        for which in 0..5 {
            let step = 2e-6;
            for (here, there) in at(0.0, which).into_iter().zip(at(step, which)) {
                // The steepest slope is the slip stiffness, some 30 loads per unit of slip.
                let jump = (here - there).abs();
                prop_assert!(jump < 1e-3 * load, "{jump} N at a step of input {which}");
            }
        }
    }
}
