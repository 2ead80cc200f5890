//! Tires of all models, asked as a vehicle asks them.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{CAR, finite};
use crate::blueprint::starting_tire;
use crate::context::GRAVITY;
use crate::math::{Pose, Real, Vec3};
use crate::plane::Plane;
use crate::road::RoadContact;
use crate::tire::magic_formula::{MagicFormulaParams, OutOfRange};
use crate::tire::models::{AnyTire, MagicFormulaTire, RelaxedSlip, RollingTire};
use crate::tire::soil::{Soil, SoilTire};
use crate::tire::tir::TirFile;
use crate::tire::{
    BrushTire, GripInput, TireInput, TireModel, TireOnMaterials, TireOutput, TireSlip, TireSpeeds,
    TireWheel,
};

/// Conditions for which a tire is asked.
#[derive(Clone, Copy, Debug)]
struct Asked {
    load: Real,
    friction: Real,
    slip: TireSlip,
    speed: Real,
    rotation_speed: Real,
    inclination: Real,
    pressure: Real,
    dt: Real,
}

/// Straight on at 20 m/s under the load of [`CAR`].
const STRAIGHT: Asked = Asked {
    load: CAR.load,
    friction: 1.0,
    slip: TireSlip { longitudinal: 0.0, tangent: 0.0 },
    speed: 20.0,
    rotation_speed: 20.0 / CAR.radius,
    inclination: 0.0,
    pressure: 230e3,
    dt: 1.0 / 60.0,
};

fn answer<T: TireModel>(tire: &T, asked: &Asked, state: &mut T::State) -> TireOutput {
    let plane = Plane { normal: Vec3::Z, offset: 0.0 };
    let ground = RoadContact::new(plane, asked.friction);
    let grip =
        GripInput { normal_load: asked.load, road_friction: asked.friction, slip: asked.slip };
    let input = TireInput {
        wheel: TireWheel {
            linear_velocity: Vec3::X * asked.speed,
            angular_velocity: Vec3::Y * asked.rotation_speed,
            pose: Pose::IDENTITY,
            contact_speeds: TireSpeeds { longitudinal: asked.speed, lateral: 0.0 },
            rotation_speed: asked.rotation_speed,
            radius: CAR.radius,
            half_width: 0.5 * CAR.width,
            inclination: asked.inclination,
            inflation_pressure: asked.pressure,
            radial_stiffness: 200e3,
        },
        ground: &ground,
        soil: None,
        normal_load: asked.load,
        grip: tire.grip_on(&grip, &ground, None),
        slip: asked.slip,
        stopping_force: stopping_force(asked),
        dt: asked.dt,
    };
    tire.forces(&input, state)
}

/// Force that stops the load of a wheel within a step, as vehicles tell it their tires (N).
fn stopping_force(asked: &Asked) -> Real {
    let slower = asked.speed.abs().min((asked.rotation_speed * CAR.radius).abs());
    0.5 * slower * asked.load.max(0.0) / (GRAVITY * asked.dt)
}

fn published() -> MagicFormulaParams {
    let file = TirFile::parse(include_str!("../../../../tests/data/205_60R15.tir"));
    file.expect("the sample tire is valid").tire
}

fn default_tire() -> BrushTire {
    starting_tire(CAR.load, CAR.radius, true)
}

const SOILS: [(&str, Soil); 4] = [
    ("dry sand", Soil::DRY_SAND),
    ("sandy loam", Soil::SANDY_LOAM),
    ("clayey soil", Soil::CLAYEY_SOIL),
    ("snow", Soil::SNOW),
];

/// Calls `$check(name, tire, $asked)` for a tire of each model.
macro_rules! on_each_tire {
    ($check:ident, $asked:expr) => {{
        let rolling_resistance = CAR.rolling_resistance();
        $check("default", &default_tire(), $asked)?;
        let reference = BrushTire { pneumatic_trail: 0.0, ..default_tire() };
        $check("reference", &reference, $asked)?;
        $check("Fiala", &RollingTire { law: CAR.fiala(), rolling_resistance }, $asked)?;
        $check("brush", &RollingTire { law: CAR.parabolic_brush(), rolling_resistance }, $asked)?;
        $check("TMeasy", &RollingTire { law: CAR.tmeasy(), rolling_resistance }, $asked)?;
        $check(
            "ellipse",
            &RollingTire { law: CAR.friction_ellipse(), rolling_resistance },
            $asked,
        )?;
        $check("Magic Formula by size", &CAR.magic_formula(), $asked)?;
        let mut measured = MagicFormulaTire::from(published());
        $check("measured Magic Formula", &measured, $asked)?;
        measured.law.out_of_range = OutOfRange::Extrapolate;
        $check("extrapolated Magic Formula", &measured, $asked)?;
        let mixed = TireOnMaterials::new(AnyTire::from(measured));
        $check("one of any model on materials", &mixed, $asked)?;
        for (name, soil) in SOILS {
            $check(name, &SoilTire { soil, nominal_pressure: 220e3 }, $asked)?;
        }
    }};
}

fn numbers(output: &TireOutput) -> [Real; 9] {
    [
        output.longitudinal_force,
        output.lateral_force,
        output.rolling_resistance_force,
        output.overturning_moment,
        output.rolling_torques.sum(),
        output.aligning_moment,
        output.reported_moment,
        output.longitudinal_stiffness,
        output.standing_resistance,
    ]
}

/// Whether `value` has no number that is not finite. Text has no infinities: they are `null`.
fn remembers_numbers<S: serde::Serialize>(state: &S) -> bool {
    let text = serde_json::to_string(state).expect("a state has a text");
    !text.replace("\"model\":null", "").replace("\"unknown\":null", "").contains("null")
        || text == "null"
}

fn answers_and_remembers_numbers<T: TireModel>(
    name: &str,
    tire: &T,
    asked: &Asked,
) -> Result<(), TestCaseError> {
    let mut state = T::State::default();
    for _ in 0..3 {
        let output = answer(tire, asked, &mut state);
        let is_finite = numbers(&output).iter().all(|number| number.is_finite());
        prop_assert!(is_finite, "{name}: {output:?} at {asked:?}");
        prop_assert!(remembers_numbers(&state), "{name}: {state:?} at {asked:?}");
    }
    Ok(())
}

/// Changes of an input that are too small to matter.
const STEP: Real = 2e-6;

fn is_smooth<T: TireModel>(name: &str, tire: &T, asked: &Asked) -> Result<(), TestCaseError> {
    // As it rolls, and as it has rolled for so long that nothing lags.
    for settling in [0, 30] {
        let mut state = T::State::default();
        for _ in 0..settling {
            answer(tire, asked, &mut state);
        }
        let here = answer(tire, asked, &mut state.clone());
        let TireSlip { longitudinal, tangent } = asked.slip;
        let moved = [
            Asked { load: asked.load * (1.0 + STEP), ..*asked },
            Asked { friction: asked.friction + STEP, ..*asked },
            Asked { slip: TireSlip { longitudinal: longitudinal + STEP, tangent }, ..*asked },
            Asked { slip: TireSlip { longitudinal, tangent: tangent + STEP }, ..*asked },
            Asked { speed: asked.speed + STEP, ..*asked },
            Asked { rotation_speed: asked.rotation_speed + 10.0 * STEP, ..*asked },
            Asked { inclination: asked.inclination + STEP, ..*asked },
            Asked { pressure: asked.pressure * (1.0 + STEP), ..*asked },
        ];
        let peak = asked.friction * asked.load;
        for (which, moved) in moved.iter().enumerate() {
            let there = answer(tire, moved, &mut state.clone());
            let size = [1.0, 1.0, 1.0, 10.0, 10.0, 10.0, 0.0, 0.0, 1.0];
            for (index, (here, there)) in
                numbers(&here).into_iter().zip(numbers(&there)).enumerate()
            {
                let jump = size[index] * (there - here).abs();
                prop_assert!(
                    jump < 1e-3 * peak,
                    "{name}: number {index} jumps from {here} to {there} by input {which} at {asked:?}"
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::with_cases(1_000)
    })]

    #[test]
    fn every_finite_input_is_answered_with_numbers(
        all in prop::array::uniform8(finite()),
        dt in prop_oneof![Just(1.0 / 60.0), 1e-4..0.1_f32],
    ) {
        let [load, friction, longitudinal, tangent, speed, rotation_speed, inclination, pressure] =
            all;
        let slip = TireSlip { longitudinal, tangent };
        let asked =
            Asked { load, friction, slip, speed, rotation_speed, inclination, pressure, dt };
        on_each_tire!(answers_and_remembers_numbers, &asked);
    }

    #[test]
    fn no_input_makes_a_jump(
        load in 800.0..8_000.0_f32,
        friction in 0.2..1.2_f32,
        longitudinal in -1.2..1.2_f32,
        angle in -1.2..1.2_f32,
        speed in prop_oneof![-3.0..3.0_f32, 3.0..60.0_f32],
        inclination in -0.2..0.2_f32,
        pressure in 120e3..300e3_f32,
    ) {
        let slip = TireSlip { longitudinal, tangent: angle.tan() };
        let rotation_speed = speed * (1.0 + longitudinal) / CAR.radius;
        let asked = Asked {
            load, friction, slip, speed, rotation_speed, inclination, pressure, ..STRAIGHT
        };
        on_each_tire!(is_smooth, &asked);
    }
}

/// Lengths (m) that the lateral and the longitudinal force show as they follow a small step in slip
/// at `speed` (m/s), of each step until 98 % are there.
fn shown_lengths<T: TireModel<State = RelaxedSlip>>(
    tire: &T,
    slip: TireSlip,
    speed: Real,
    dt: Real,
) -> Vec<Real> {
    let rotation_speed = speed / CAR.radius;
    let straight = Asked { speed, rotation_speed, dt, ..STRAIGHT };
    let force = |output: TireOutput| {
        if slip.tangent == 0.0 { output.longitudinal_force } else { output.lateral_force }
    };
    let start = force(answer(tire, &straight, &mut RelaxedSlip::default()));
    let turned = Asked { slip, ..straight };
    let mut settled = RelaxedSlip::default();
    let end = (0..2_000).map(|_| force(answer(tire, &turned, &mut settled))).last();
    let whole = end.expect("some steps") - start;
    let mut state = RelaxedSlip::default();
    let shares = (0..500).map(|_| (force(answer(tire, &turned, &mut state)) - start) / whole);
    let counted = shares.take_while(|share| *share < 0.98).enumerate();
    counted.map(|(step, share)| -speed * dt * (step + 1) as Real / (1.0 - share).ln()).collect()
}

#[test]
fn a_step_in_slip_shows_the_relaxation_lengths_that_are_given() {
    fn shows<T: TireModel<State = RelaxedSlip>>(name: &str, tire: &T) {
        // Estimated tires are given half a radius along and 1.5 radii across.
        let steps = [
            (TireSlip { longitudinal: 1e-3, tangent: 0.0 }, 0.5 * CAR.radius),
            (TireSlip { longitudinal: 0.0, tangent: 1e-3 }, 1.5 * CAR.radius),
        ];
        for (slip, expected) in steps {
            for (speed, dt) in
                [(20.0, 1.0 / 960.0), (5.0, 1.0 / 240.0), (8.0, 1.0 / 60.0), (-6.0, 1.0 / 120.0)]
            {
                let lengths = shown_lengths(tire, slip, speed, dt);
                assert!(!lengths.is_empty(), "{name}: at once at {speed} m/s, {slip:?}");
                for found in lengths {
                    let found = found.abs();
                    let error = (found / expected - 1.0).abs();
                    assert!(error < 0.02, "{name}: {found} m, not {expected} m at {speed} m/s");
                }
            }
        }
    }
    let rolling_resistance = CAR.rolling_resistance();
    shows("Fiala", &RollingTire { law: CAR.fiala(), rolling_resistance });
    shows("brush", &RollingTire { law: CAR.parabolic_brush(), rolling_resistance });
    shows("TMeasy", &RollingTire { law: CAR.tmeasy(), rolling_resistance });
    shows("ellipse", &RollingTire { law: CAR.friction_ellipse(), rolling_resistance });
    shows("Magic Formula", &CAR.magic_formula());
}

#[test]
fn the_pneumatic_trail_of_a_tire_made_from_its_size_falls_with_slip() {
    let mut immediate = CAR.magic_formula();
    immediate.law.is_immediate = true;
    let rolling_resistance = CAR.rolling_resistance();
    fn trails<T: TireModel>(name: &str, tire: &T) {
        let trail = |tangent: Real| {
            let asked = Asked { slip: TireSlip { longitudinal: 0.0, tangent }, ..STRAIGHT };
            let mut state = T::State::default();
            let outputs = (0..300).map(|_| answer(tire, &asked, &mut state));
            let output = outputs.last().expect("some steps");
            -output.aligning_moment / output.lateral_force
        };
        let small = trail(1e-3);
        // A third of half of the contact, of 0.2 radii: some 2 cm.
        assert!((0.015..0.035).contains(&small), "{name}: {small} m");
        let trails: Vec<Real> = (1..=20).map(|step| trail(0.01 * step as Real)).collect();
        for pair in trails.windows(2) {
            assert!(pair[1] <= pair[0] + 1e-5, "{name}: {trails:?} m");
        }
        let last = trails[trails.len() - 1];
        assert!(last < 0.35 * small, "{name}: {last} m, {small} m at small slip");
    }
    trails("Magic Formula", &CAR.magic_formula());
    trails("Magic Formula without a lag", &immediate);
    trails("Fiala", &RollingTire { law: CAR.fiala(), rolling_resistance });
    trails("brush", &RollingTire { law: CAR.parabolic_brush(), rolling_resistance });
    trails("TMeasy", &RollingTire { law: CAR.tmeasy(), rolling_resistance });
    trails("ellipse", &RollingTire { law: CAR.friction_ellipse(), rolling_resistance });
    trails("default", &default_tire());
}
