//! Random drivelines beside a dense solution that knows nothing of passes. All speeds and torques
//! are unknowns of one system, whose laws that are not smooth are written as projections. Newton's
//! method for such laws decides on its own what sticks and what slips.

mod check;
mod dense;
mod trees;

use check::{Difference, compare, largest, largest_difference, random_modes, solve};
use trees::{Random, Tree};
use vehicle_core::driveline::Mode;

/// Number of trees.
const TREES: u64 = 10_000;
/// Error of speeds, torques and momentum, as a part of the largest.
const TOLERANCE: f64 = 1e-6;

#[test]
fn random_trees_are_solved_as_a_dense_system_is() {
    let (mut passes, mut worst_passes, mut followed) = (0, 0, 0);
    let (mut independent, mut worst) = (0, [0.0_f64; 3]);
    for seed in 0..TREES {
        let compared = compare(seed).unwrap_or_else(|error| panic!("{error}"));
        let Difference { outcome, is_independent, errors } = compared;
        passes += u64::from(outcome.passes);
        worst_passes = worst_passes.max(outcome.passes);
        followed += u64::from(outcome.was_followed);
        independent += u64::from(is_independent);
        for (error, name) in errors.into_iter().zip(["speeds", "torques", "momentum"]) {
            assert!(error < TOLERANCE, "seed {seed}: {name} differ by {error:e}");
        }
        worst = [0, 1, 2].map(|index| worst[index].max(errors[index]));
    }
    let [speed, torque, momentum] = worst;
    println!(
        "{TREES} trees: passes mean {:.2}, most {worst_passes}; one at a time {followed}; dense alone \
         {independent}; worst errors: speeds {speed:.1e}, torques {torque:.1e}, momentum {momentum:.1e}",
        passes as f64 / TREES as f64,
    );
    assert!(TREES * 9 / 10 < independent, "{independent} of {TREES} found on their own");
}

/// Wherever the passes start, they come to the same end.
#[test]
fn neither_root_nor_modes_at_the_start_make_a_difference() {
    for seed in 0..500 {
        let mut random = Random::new(seed + 1_000_000);
        let tree = Tree::random(&mut random);
        let mut first_modes = vec![Mode::default(); tree.elements.len()];
        let (first, first_torques, _) = solve(&tree, 0, &mut first_modes);
        for _ in 0..4 {
            let root = random.below(tree.start.len());
            let mut modes = random_modes(&mut random, tree.elements.len());
            let (other, torques, _) = solve(&tree, root, &mut modes);
            let speed = largest_difference(&first.speeds, &other.speeds) / largest(&first.speeds);
            let torque = largest_difference(&first_torques, &torques) / largest(&first_torques);
            assert!(speed < 1e-8 && torque < 1e-7, "seed {seed}: {speed:e} {torque:e}\n{tree:?}");
        }
    }
}
