//! Random drivelines beside a dense solution that knows nothing of passes: all speeds and torques
//! are unknowns of one system, whose laws that are not smooth are written as projections, and
//! Newton's method for such laws decides on its own what sticks and what slips.

mod dense;
mod trees;

use dense::{Found, Laws};
use trees::{Random, Tree};
use vehicle_core::driveline::{
    CREEP, DrivelinePlan, DrivelineSolution, Mode, Outcome, Side, TorqueSign,
};

/// Number of trees.
const TREES: u64 = 10_000;
/// Error of speeds, torques and momentum, as a part of the largest.
const TOLERANCE: f64 = 1e-6;

fn random_modes(random: &mut Random, count: usize) -> Vec<Mode> {
    let sides = [Side::Within, Side::Above, Side::Below];
    let signs = [TorqueSign::Positive, TorqueSign::Negative];
    (0..count).map(|_| Mode { side: random.pick(&sides), torque: random.pick(&signs) }).collect()
}

fn solve(tree: &Tree, root: usize, modes: &mut [Mode]) -> (DrivelineSolution, Vec<f64>, Outcome) {
    let plan = DrivelinePlan::with_root(tree.start.len(), &tree.ports, root)
        .expect("a tree that can be solved");
    plan.check(&tree.elements).expect("a tree that can be solved");
    let mut solution = DrivelineSolution::new(&plan);
    let outcome = plan
        .solve(&tree.elements, &tree.start, tree.dt, modes, &mut solution)
        .expect("a tree that can be solved");
    let torques = (0..tree.elements.len()).flat_map(|e| solution.torques(&plan, e).to_vec());
    let torques = torques.collect();
    (solution, torques, outcome)
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(1e-9, |most, x| most.max(x.abs()))
}

fn largest_difference(first: &[f64], second: &[f64]) -> f64 {
    first.iter().zip(second).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

#[test]
fn random_trees_are_solved_as_a_dense_system_is() {
    let (mut passes, mut worst_passes, mut followed) = (0, 0, 0);
    let (mut independent, mut of_same_modes) = (0, 0);
    let (mut worst_speed, mut worst_torque, mut worst_momentum) = (0.0_f64, 0.0_f64, 0.0_f64);
    for seed in 0..TREES {
        let mut random = Random::new(seed);
        let tree = Tree::random(&mut random);
        let root = random.below(tree.start.len());
        let mut modes = random_modes(&mut random, tree.elements.len());
        let (solution, torques, outcome) = solve(&tree, root, &mut modes);
        assert!(outcome.is_consistent, "seed {seed}: {outcome:?}\n{tree:?}");
        passes += u64::from(outcome.passes);
        worst_passes = worst_passes.max(outcome.passes);
        followed += u64::from(outcome.was_followed);

        let mut laws = Laws::new(&tree);
        let found = match laws.newton() {
            Some(found) => {
                independent += 1;
                found
            }
            // Newton's method went in a circle: the dense system in the tree's modes is left, and
            // the residuals of the laws themselves, which know no modes.
            None => {
                of_same_modes += 1;
                let start = Found { speeds: solution.speeds.clone(), torques: torques.clone() };
                laws.newton_from(&start, 3).unwrap_or_else(|| panic!("seed {seed}: {tree:?}"))
            }
        };
        let speed = largest(&found.speeds).max(largest(&tree.start));
        let torque = largest(&found.torques).max(largest(&tree.torques()));
        // Held shafts have exactly the speed that holds them, without the creep under their torque.
        let difference = largest_difference(&solution.speeds, &found.speeds);
        let speed_error = (difference - CREEP * torque).max(0.0) / speed;
        let torque_error = largest_difference(&torques, &found.torques) / torque;
        let momentum_error = largest(&tree.torque_sums(&torques)) / torque;
        for (name, error) in
            [("speeds", speed_error), ("torques", torque_error), ("momentum", momentum_error)]
        {
            assert!(
                error < TOLERANCE,
                "seed {seed}: {name} differ by {error:e}\n{solution:?}\n{found:?}\n{tree:?}\n{modes:?}"
            );
        }
        worst_speed = worst_speed.max(speed_error);
        worst_torque = worst_torque.max(torque_error);
        worst_momentum = worst_momentum.max(momentum_error);
    }
    println!(
        "{TREES} trees: passes mean {:.2}, most {worst_passes}; one at a time {followed}; dense alone \
         {independent}, in the same modes {of_same_modes}; worst errors: speeds {worst_speed:.1e}, \
         torques {worst_torque:.1e}, momentum {worst_momentum:.1e}",
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
