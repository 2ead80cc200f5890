//! Cars in a mirror, in other axes and with other numbers of their wheels move alike.

use proptest::prelude::*;
use vehicle_core::context::TireSlipParams;
use vehicle_core::frame::{CoordinateConversion, CoordinateSystem, Frame};
use vehicle_core::math::Real;

use crate::cars::{FRAME, cars};
use crate::common::{DT, seeded};
use crate::engines::drivetrains;
use crate::motions::{NEAR_GROUND, motions};
use crate::scene::{Outcome, Scene};
use crate::vehicles::LawfulVehicle;

/// Largest difference of two results of one law, as part of their scales.
const TOLERANCE: Real = 1e-5;

/// Largest difference between frames, whose sums run over their axes in another order. Where a tire
/// begins to slide, its friction falls with its slip, and a light wheel takes the rounding of the
/// slip along.
const FRAME_TOLERANCE: Real = 5e-5;
/// That of a car with a beam axle, whose wheels take the rounding of each other along, and steer by
/// it.
const BEAM_TOLERANCE: Real = 1e-4;

/// A unit of length by which all numbers are rounded as in meters: 1/128 m, about a centimeter.
const ROUND_UNIT: Real = 128.0;

/// Asserts that a step of the mirrored scene is the mirrored step of `scene`.
fn check_mirror<V: LawfulVehicle>(mut scene: Scene<V>) -> Result<(), TestCaseError> {
    let mut mirrored = scene.mirrored();
    scene.steps(1, 1, DT);
    mirrored.steps(1, 1, DT);
    check(&mirrored.outcome().mirrored(), &scene.outcome(), "in the mirror")
}

/// Asserts that a step of `scene` is the same in all frames, and to the bit in another unit of
/// length.
///
/// With the limits of slips that are added. Without them a slow tire begins to slide within less of
/// a change of speed, and a light wheel takes more of the rounding along.
fn check_frames<V: LawfulVehicle>(mut scene: Scene<V>) -> Result<(), TestCaseError> {
    scene.simulation.tire_slip = TireSlipParams::REFERENCE;
    let start = CoordinateSystem { frame: FRAME, length_scale: 1.0 };
    let converted = |frame| {
        let target = CoordinateSystem { frame, length_scale: ROUND_UNIT };
        let mut there = scene.converted(&CoordinateConversion::new(&start, &target));
        there.steps(1, 1, DT);
        let back = CoordinateConversion::new(&target, &start);
        (frame, there.outcome().converted(&back))
    };
    let outcomes: Vec<_> = Frame::all().map(converted).collect();
    let mut params = scene.vehicle.params().clone();
    let has_beam = !V::mechanics(&mut params).beam_axles.is_empty();
    let tolerance = if has_beam { BEAM_TOLERANCE } else { FRAME_TOLERANCE };
    scene.steps(1, 1, DT);
    let expected = scene.outcome();
    for (frame, actual) in outcomes {
        if frame == FRAME {
            prop_assert_eq!(&actual, &expected);
        }
        check_within(tolerance, &actual, &expected, &format!("in {frame:?}"))?;
    }
    Ok(())
}

fn check(actual: &Outcome, expected: &Outcome, place: &str) -> Result<(), TestCaseError> {
    check_within(TOLERANCE, actual, expected, place)
}

fn check_within(
    tolerance: Real,
    actual: &Outcome,
    expected: &Outcome,
    place: &str,
) -> Result<(), TestCaseError> {
    let difference = actual.difference(expected);
    prop_assert!(
        difference < tolerance,
        "{difference:e} {place}: {actual:?}, expected {expected:?}"
    );
    Ok(())
}

proptest! {
    #![proptest_config(seeded(4_000))]

    #[test]
    fn a_step_of_the_mirrored_car_is_the_mirrored_step(car in cars(), motion in motions(NEAR_GROUND)) {
        check_mirror(Scene::new(&car, &motion))?;
    }

    #[test]
    fn a_step_of_the_mirrored_car_with_an_engine_is_the_mirrored_step(
        car in cars(),
        drivetrain in drivetrains(),
        motion in motions(NEAR_GROUND),
    ) {
        check_mirror(Scene::with_engine(&car, &drivetrain, &motion))?;
    }

    #[test]
    fn a_step_does_not_depend_on_the_numbers_of_the_wheels(
        car in cars(),
        motion in motions(NEAR_GROUND),
    ) {
        let mut scene = Scene::new(&car, &motion);
        let mut renumbered = scene.renumbered();
        scene.steps(1, 1, DT);
        renumbered.steps(1, 1, DT);
        check(&renumbered.outcome().renumbered(), &scene.outcome(), "with other numbers")?;
    }

    #[test]
    fn a_step_is_the_same_in_all_frames_and_units(car in cars(), motion in motions(NEAR_GROUND)) {
        check_frames(Scene::new(&car, &motion))?;
    }

    #[test]
    fn a_step_with_an_engine_is_the_same_in_all_frames_and_units(
        car in cars(),
        drivetrain in drivetrains(),
        motion in motions(NEAR_GROUND),
    ) {
        check_frames(Scene::with_engine(&car, &drivetrain, &motion))?;
    }
}
