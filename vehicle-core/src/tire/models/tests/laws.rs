//! The laws that all force laws obey.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{CAR, TRUCK, closed_forms, finite};
use crate::blueprint::starting_tire;
use crate::error::{ParamCheck, Validate};
use crate::math::Real;
use crate::math::lanes::{Lanes, Real4};
use crate::tire::models::steady::{SteadyInput, SteadyLanes, SteadyLaw};
use crate::tire::models::*;
use crate::tire::{GripInput, LaneInput, TireLanes, TireModel, TireOutput, TireSlip, TireSpeeds};

/// A law without its type.
type Answer = Box<dyn Fn(&SteadyInput) -> TireOutput>;

/// A law by its name, and the largest forces along and across by load on friction 1.
struct Named {
    name: &'static str,
    answer: Answer,
    peaks: [Real; 2],
}

fn named<L: SteadyLaw>(name: &'static str, law: L, peaks: [Real; 2]) -> Named {
    Named { name, answer: Box::new(move |input| law.output(input)), peaks }
}

fn simple_laws(size: &TireSize) -> Vec<Named> {
    let ellipse = size.friction_ellipse();
    let tmeasy = size.tmeasy();
    // Peaks fall with the load: they are largest, by load, under none, where the parabola has the
    // slope 2 F1 - F2/2.
    let slope = |curve: &TMeasyCurve| {
        (2.0 * curve.peak_force - 0.5 * curve.peak_force_at_double_load) / size.load
    };
    let tmeasy_peaks = [slope(&tmeasy.longitudinal), slope(&tmeasy.lateral)];
    vec![
        named("Fiala", size.fiala(), [1.0; 2]),
        named("brush", size.parabolic_brush(), [1.0; 2]),
        named("ellipse", ellipse, [ellipse.longitudinal_friction, ellipse.lateral_friction]),
        named("TMeasy", tmeasy, tmeasy_peaks),
    ]
}

fn all_laws(size: &TireSize) -> Vec<Named> {
    let mut laws = simple_laws(size);
    laws.push(named("Magic Formula", size.magic_formula().law, [2.0; 2]));
    laws
}

/// The default tire: its load and friction, and its forces.
fn default_tire(size: &TireSize) -> Named {
    let tire = starting_tire(size.load, size.radius, true);
    let radius = size.radius;
    let answer = move |asked: &SteadyInput| {
        let slip = TireSlip { longitudinal: asked.slip_ratio, tangent: asked.slip_tangent };
        let grip = GripInput { normal_load: asked.load, road_friction: asked.friction, slip };
        let speeds = TireSpeeds { longitudinal: asked.forward_speed, lateral: 0.0 };
        let input = LaneInput {
            grip: tire.grip(&grip),
            slip,
            inclination: asked.inclination,
            contact_speeds: speeds,
            radius,
            normal_load: asked.load,
            road_friction: asked.friction,
            ..LaneInput::default()
        };
        BrushLanes::<Real>::new([&tire; 4]).outputs(&input, &mut [])
    };
    Named { name: "default", answer: Box::new(answer), peaks: [1.0; 2] }
}

/// The laws, and the default tire.
fn with_default(mut laws: Vec<Named>, size: &TireSize) -> Vec<Named> {
    laws.push(default_tire(size));
    laws
}

fn input(load: Real, friction: Real, slip_ratio: Real, slip_tangent: Real) -> SteadyInput {
    SteadyInput {
        load,
        friction,
        slip_ratio,
        slip_tangent,
        inflation_pressure: 230e3,
        forward_speed: 15.0,
        ..SteadyInput::default()
    }
}

#[test]
fn estimated_tires_are_valid_and_have_the_stiffnesses_of_their_use() {
    for (size, slip, cornering) in [(&CAR, 22.0, 13.5), (&TRUCK, 12.0, 6.5)] {
        size.validate().unwrap();
        let mut check = ParamCheck::default();
        size.fiala().check(&mut check);
        size.parabolic_brush().check(&mut check);
        size.friction_ellipse().check(&mut check);
        size.tmeasy().check(&mut check);
        size.magic_formula().law.check(&mut check);
        size.rolling_resistance().check(&mut check);
        check.finish().unwrap();
        let small = 1e-4;
        for law in all_laws(size) {
            let along = (law.answer)(&input(size.load, 1.0, small, 0.0));
            let across = (law.answer)(&input(size.load, 1.0, 0.0, small));
            let found = [along.longitudinal_force, -across.lateral_force];
            // A brush has one stiffness for both directions.
            let mean = 0.5 * (slip + cornering);
            let expected = if law.name == "brush" { [mean; 2] } else { [slip, cornering] };
            for (found, expected) in found.into_iter().zip(expected) {
                let found = found / (small * size.load);
                assert!(
                    (found / expected - 1.0).abs() < 0.02,
                    "{}: {found} loads per slip, expected {expected}",
                    law.name
                );
            }
            let secant = along.longitudinal_stiffness * small;
            assert!((secant / along.longitudinal_force - 1.0).abs() < 0.02, "{}", law.name);
            let rest = (law.answer)(&input(size.load, 1.0, 0.0, 0.0));
            let slope = rest.longitudinal_stiffness / along.longitudinal_stiffness;
            assert!((slope - 1.0).abs() < 0.02, "{}: {slope} of the slope at rest", law.name);
            assert!(0.0 < across.aligning_moment, "{}: {across:?}", law.name);
        }
    }
}

#[test]
fn laws_have_their_closed_forms() {
    let fiala = Fiala { sliding_friction: 1.0, ..CAR.fiala() };
    let limit = 0.9 * 4_000.0;
    for tangent in [0.01, 0.05, 0.1, 0.15] {
        let force = fiala.output(&input(4_000.0, 0.9, 0.0, tangent)).lateral_force;
        let expected = closed_forms::fiala(fiala.cornering_stiffness.into(), limit, tangent.into());
        let force = f64::from(force);
        assert!((force - expected).abs() < 0.5, "{force} N, {expected} N at {tangent}");
    }
    let brush = ParabolicBrush { friction_decay: 0.0, ..CAR.parabolic_brush() };
    let [tread, half] = [brush.tread_stiffness, brush.contact_half_length].map(f64::from);
    for (slip, tangent) in [(0.0, 0.05), (0.04, 0.0), (-0.05, 0.03), (0.02, -0.04)] {
        let output = brush.output(&input(4_000.0, 0.9, slip, tangent));
        let expected =
            closed_forms::parabolic_brush([tread, half, limit], slip.into(), tangent.into());
        let found = [output.longitudinal_force, output.lateral_force, output.aligning_moment];
        let found = found.map(f64::from);
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 0.5, "{found}, {expected} at {slip}, {tangent}");
        }
    }
    // All of the contact slides, at 15 m/s times the slip.
    let brush = ParabolicBrush { friction_decay: 0.01, ..CAR.parabolic_brush() };
    for slip in [-1.0, 0.6, 10.0_f32] {
        let force = brush.output(&input(4_000.0, 0.9, slip, 0.0)).longitudinal_force;
        let expected = 0.9 * 4_000.0 / (1.0 + 0.01 * 15.0 * slip.abs());
        assert!((force.abs() - expected).abs() < 0.5, "{force} N, {expected} N at {slip}");
    }
    let tmeasy = CAR.tmeasy();
    let (x, y) = (&tmeasy.longitudinal, &tmeasy.lateral);
    for (load, peak_x, peak_y, slip_x, slip_y) in [
        (4_000.0, x.peak_force, y.peak_force, x.peak_slip, y.peak_slip),
        (
            8_000.0,
            x.peak_force_at_double_load,
            y.peak_force_at_double_load,
            x.peak_slip_at_double_load,
            y.peak_slip_at_double_load,
        ),
    ] {
        // The longitudinal slip is taken by the speed of the rim.
        let ratio = slip_x / (1.0 - slip_x);
        let along = tmeasy.output(&input(load, 1.0, ratio, 0.0)).longitudinal_force;
        let across = tmeasy.output(&input(load, 1.0, 0.0, slip_y)).lateral_force;
        assert!((along / peak_x - 1.0).abs() < 1e-3, "{along} N, {peak_x} N");
        assert!((across / -peak_y - 1.0).abs() < 1e-3, "{across} N, {peak_y} N");
    }
    let ellipse = CAR.friction_ellipse();
    let peak = ellipse.output(&input(4_000.0, 1.0, ellipse.peak_slip_ratio, 0.0));
    let expected = ellipse.longitudinal_friction * 4_000.0;
    assert!((peak.longitudinal_force / expected - 1.0).abs() < 1e-5, "{peak:?}");
}

/// The boundary of the forces of a law, from pure driving to pure cornering (N): at each ratio of
/// the slips the largest force.
fn boundary(law: &Named, load: Real) -> Vec<[Real; 2]> {
    let direction = |step: i32| (step as Real * 0.05 * crate::math::PI / 2.0).sin_cos();
    let farthest = |step: i32| {
        let (sin, cos) = direction(step);
        let forces = (1..400).map(|size| {
            let size = 0.0025 * size as Real;
            let output = (law.answer)(&input(load, 0.9, size * cos, size * sin));
            [output.longitudinal_force, -output.lateral_force]
        });
        let longest = |a: [Real; 2], b: [Real; 2]| {
            if a[0].hypot(a[1]) < b[0].hypot(b[1]) { b } else { a }
        };
        forces.fold([0.0; 2], longest)
    };
    (0..=20).map(farthest).collect()
}

#[test]
fn combined_limits_are_convex() {
    for law in with_default(simple_laws(&CAR), &CAR) {
        let points = boundary(&law, 4_000.0);
        for three in points.windows(3) {
            let [a, b, c] = [three[0], three[1], three[2]];
            let turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
            // The largest forces are found on a grid of slips.
            assert!(-4_000.0 * 4.0 < turn, "{}: {turn} N² at {a:?}, {b:?}, {c:?}", law.name);
        }
    }
}

fn same_in_lanes<L: SteadyLaw>(laws: [&L; 4], inputs: &[SteadyInput; 4]) {
    let inputs = inputs.map(|input| input.bounded());
    let number = |of: fn(&SteadyInput) -> Real| Real4::from_lanes(|lane| of(&inputs[lane]));
    let four = SteadyInput {
        load: number(|input| input.load),
        friction: number(|input| input.friction),
        slip_ratio: number(|input| input.slip_ratio),
        slip_tangent: number(|input| input.slip_tangent),
        inclination: number(|input| input.inclination),
        inflation_pressure: number(|input| input.inflation_pressure),
        forward_speed: number(|input| input.forward_speed),
    };
    let output = L::in_lanes::<Real4>(laws).outputs(&four);
    let lengths = L::in_lanes::<Real4>(laws).relaxation_lengths(&four);
    for lane in 0..4 {
        let single = laws[lane].output(&inputs[lane]);
        let expected = [
            single.longitudinal_force,
            single.lateral_force,
            single.aligning_moment,
            single.overturning_moment,
            single.rolling_torques.sum(),
            single.longitudinal_stiffness,
        ];
        let found = [
            output.longitudinal_force.lane(lane),
            output.lateral_force.lane(lane),
            output.aligning_moment.lane(lane),
            output.overturning_moment.lane(lane),
            output.rolling_torques.sum().lane(lane),
            output.longitudinal_stiffness.lane(lane),
        ];
        assert_eq!(found, expected, "{:?}", laws[lane]);
        let single = L::in_lanes::<Real>([laws[lane]; 4]).relaxation_lengths(&inputs[lane]);
        assert_eq!(lengths.lateral.lane(lane), single.lateral);
        assert_eq!(lengths.longitudinal.lane(lane), single.longitudinal);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::with_cases(1_000)
    })]

    #[test]
    fn resultants_stay_within_friction(
        load in 1.0..12_000.0_f32,
        friction in 0.0..1.5_f32,
        slip in -3.0..3.0_f32,
        tangent in -3.0..3.0_f32,
        inclination in -0.3..0.3_f32,
    ) {
        for law in with_default(simple_laws(&CAR), &CAR) {
            let asked = SteadyInput { inclination, ..input(load, friction, slip, tangent) };
            let output = (law.answer)(&asked);
            let limit = friction * load;
            let along = output.longitudinal_force / law.peaks[0];
            let across = output.lateral_force / law.peaks[1];
            let size = along.hypot(across);
            prop_assert!(size <= limit * 1.0001, "{}: {size} N of {limit} N", law.name);
            prop_assert!(0.0 <= output.longitudinal_stiffness, "{}: {output:?}", law.name);
        }
    }

    #[test]
    fn forces_are_odd_and_even(
        load in 100.0..12_000.0_f32,
        slip in -0.9..0.9_f32,
        tangent in -3.0..3.0_f32,
    ) {
        for law in with_default(all_laws(&CAR), &CAR) {
            let of = |slip, tangent| (law.answer)(&input(load, 0.9, slip, tangent));
            let (here, left) = (of(slip, tangent), of(slip, -tangent));
            prop_assert_eq!(left.lateral_force, -here.lateral_force);
            prop_assert_eq!(left.longitudinal_force, here.longitudinal_force);
            prop_assert_eq!(left.aligning_moment, -here.aligning_moment);
            let (drives, brakes) = (of(slip, 0.0).longitudinal_force, of(-slip, 0.0).longitudinal_force);
            prop_assert!(drives * brakes <= 0.0, "{}: {drives} N, {brakes} N", law.name);
            let rest = of(0.0, 0.0);
            prop_assert_eq!((rest.longitudinal_force, rest.lateral_force), (0.0, 0.0));
        }
    }

    #[test]
    fn forces_are_smooth(
        load in 800.0..8_000.0_f32,
        slip in -1.2..1.2_f32,
        tangent in -1.5..1.5_f32,
        inclination in -0.3..0.3_f32,
        friction in 0.2..1.2_f32,
        speed in -3.0..3.0_f32,
    ) {
        let step = 2e-6;
        let asked = SteadyInput {
            inclination, forward_speed: speed, ..input(load, friction, slip, tangent)
        };
        let moved = [
            SteadyInput { load: load * (1.0 + step), ..asked },
            SteadyInput { slip_ratio: slip + step, ..asked },
            SteadyInput { slip_tangent: tangent + step, ..asked },
            SteadyInput { inclination: inclination + step, ..asked },
            SteadyInput { friction: friction + step, ..asked },
            SteadyInput { forward_speed: speed + step, ..asked },
        ];
        for law in with_default(all_laws(&CAR), &CAR) {
            let here = (law.answer)(&asked);
            for (which, moved) in moved.iter().enumerate() {
                let there = (law.answer)(moved);
                let jumps = [
                    there.longitudinal_force - here.longitudinal_force,
                    there.lateral_force - here.lateral_force,
                    10.0 * (there.aligning_moment - here.aligning_moment),
                ];
                for jump in jumps {
                    let most = 1e-3 * friction * load;
                    prop_assert!(jump.abs() < most, "{}: {jump} N by input {which}", law.name);
                }
            }
        }
    }

    #[test]
    fn every_finite_input_has_a_finite_answer(numbers in prop::array::uniform7(finite())) {
        let [load, friction, slip_ratio, slip_tangent, inclination, inflation_pressure, forward_speed] =
            numbers;
        let asked = SteadyInput {
            load, friction, slip_ratio, slip_tangent, inclination, inflation_pressure, forward_speed,
        };
        for law in all_laws(&CAR).into_iter().chain(all_laws(&TRUCK)) {
            let output = (law.answer)(&asked);
            let numbers = [
                output.longitudinal_force, output.lateral_force, output.aligning_moment,
                output.overturning_moment, output.rolling_torques.sum(), output.longitudinal_stiffness,
            ];
            prop_assert!(
                numbers.iter().all(|number| number.is_finite()),
                "{}: {output:?} at {asked:?}",
                law.name
            );
        }
    }

    #[test]
    fn lanes_have_the_bits_of_single_tires(
        numbers in prop::array::uniform4((
            0.0..12_000.0_f32, 0.0..1.3_f32, -1.5..1.5_f32, -2.0..2.0_f32, -40.0..40.0_f32,
        )),
    ) {
        let inputs = numbers.map(|(load, friction, slip, tangent, speed)| SteadyInput {
            inclination: 0.1 * tangent,
            forward_speed: speed,
            ..input(load, friction, slip, tangent)
        });
        let sizes = [&CAR, &TRUCK, &CAR, &TRUCK];
        let laws = sizes.map(TireSize::fiala);
        same_in_lanes(laws.each_ref(), &inputs);
        let laws = sizes.map(TireSize::parabolic_brush);
        same_in_lanes(laws.each_ref(), &inputs);
        let laws = sizes.map(TireSize::friction_ellipse);
        same_in_lanes(laws.each_ref(), &inputs);
        let laws = sizes.map(TireSize::tmeasy);
        same_in_lanes(laws.each_ref(), &inputs);
        let mut laws = sizes.map(|size| size.magic_formula().law);
        laws[2].is_mirrored = true;
        laws[3].is_immediate = true;
        same_in_lanes(laws.each_ref(), &inputs);
    }
}

#[test]
fn mirrored_tires_are_mirrored() {
    let mut law = CAR.magic_formula().law;
    law.params.lateral.phy1 = 0.002;
    let mirrored = MagicFormulaLaw { is_mirrored: true, ..law.clone() };
    let asked = SteadyInput { inclination: 0.03, ..input(4_000.0, 1.0, 0.02, 0.05) };
    let reflected = SteadyInput { inclination: -0.03, slip_tangent: -0.05, ..asked };
    let (here, there) = (law.output(&asked), mirrored.output(&reflected));
    assert_eq!(there.lateral_force, -here.lateral_force);
    assert_eq!(there.aligning_moment, -here.aligning_moment);
    assert_eq!(there.overturning_moment, -here.overturning_moment);
    assert_eq!(there.longitudinal_force, here.longitudinal_force);
}

#[test]
fn bad_tires_are_named() {
    let mut check = ParamCheck::default();
    let mut tire = RollingTire::new(CAR.tmeasy());
    tire.law.lateral.peak_force_at_double_load = 1.0;
    tire.law.common.trail = Real::NAN;
    tire.rolling_resistance.coefficient = -0.1;
    crate::tire::TireModel::check(&tire, &mut check);
    assert_eq!(
        check.finish().unwrap_err().to_string(),
        "law.lateral.peak_force_at_double_load must be between 4000 and its double, got 1; \
         law.common.trail must be within [0, 10], got NaN; \
         rolling_resistance.coefficient must be within [0, 1], got -0.1"
    );
}

#[test]
fn tires_survive_their_text() {
    let tire =
        RollingTire { law: CAR.magic_formula().law, rolling_resistance: CAR.rolling_resistance() };
    let text = serde_json::to_string(&tire).unwrap();
    assert_eq!(serde_json::from_str::<MagicFormulaTire>(&text).unwrap(), tire);
    let tire = RollingTire::new(TRUCK.tmeasy());
    let text = serde_json::to_string(&tire).unwrap();
    assert_eq!(serde_json::from_str::<TMeasyTire>(&text).unwrap(), tire);
}
