//! Cars in a mirror and in other axes move alike.

use proptest::prelude::*;
use vehicle_core::frame::{CoordinateConversion, CoordinateSystem, Frame};
use vehicle_core::math::Real;

use crate::cars::{FRAME, cars};
use crate::common::{DT, seeded};
use crate::motions::{NEAR_GROUND, motions};
use crate::scene::Scene;

/// Largest difference of two results of one law, as part of their scales.
const TOLERANCE: Real = 1e-5;

proptest! {
    #![proptest_config(seeded(4_000))]

    #[test]
    fn a_step_of_the_mirrored_car_is_the_mirrored_step(car in cars(), motion in motions(NEAR_GROUND)) {
        let mut scene = Scene::new(&car, &motion);
        let mut mirrored = scene.mirrored();
        scene.steps(1, 1, DT);
        mirrored.steps(1, 1, DT);
        let (actual, expected) = (mirrored.outcome().mirrored(), scene.outcome());
        let difference = actual.difference(&expected);
        prop_assert!(difference < TOLERANCE, "{difference:e}: {actual:?}, expected {expected:?}");
    }
}

proptest! {
    #![proptest_config(seeded(500))]

    #[test]
    fn a_step_is_the_same_in_all_frames(car in cars(), motion in motions(NEAR_GROUND)) {
        let mut scene = Scene::new(&car, &motion);
        let start = CoordinateSystem { frame: FRAME, length_scale: 1.0 };
        let converted = |frame| {
            let target = CoordinateSystem { frame, length_scale: 1.0 };
            let mut there = scene.converted(&CoordinateConversion::new(&start, &target));
            there.steps(1, 1, DT);
            let back = CoordinateConversion::new(&target, &start);
            (frame, there.outcome().converted(&back))
        };
        let outcomes: Vec<_> = Frame::all().map(converted).collect();
        scene.steps(1, 1, DT);
        let expected = scene.outcome();
        for (frame, actual) in outcomes {
            let difference = actual.difference(&expected);
            prop_assert!(
                difference < TOLERANCE,
                "{difference:e} in {frame:?}: {actual:?}, expected {expected:?}"
            );
        }
    }
}
