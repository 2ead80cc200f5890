//! One random tree, solved by passes and as a dense system.

use vehicle_core::driveline::{
    CREEP, DrivelinePlan, DrivelineSolution, Mode, Outcome, Side, TorqueSign,
};

use super::dense::{Found, Laws};
use super::trees::{Random, Tree};

pub(crate) fn random_modes(random: &mut Random, count: usize) -> Vec<Mode> {
    let sides = [Side::Within, Side::Above, Side::Below];
    let signs = [TorqueSign::Positive, TorqueSign::Negative];
    (0..count).map(|_| Mode { side: random.pick(&sides), torque: random.pick(&signs) }).collect()
}

pub(crate) fn solve(
    tree: &Tree,
    root: usize,
    modes: &mut [Mode],
) -> (DrivelineSolution, Vec<f64>, Outcome) {
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

pub(crate) fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(1e-9, |most, x| most.max(x.abs()))
}

pub(crate) fn largest_difference(first: &[f64], second: &[f64]) -> f64 {
    first.iter().zip(second).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// What two solutions of a tree differ by.
#[derive(Debug)]
pub(crate) struct Difference {
    /// How the passes went.
    pub(crate) outcome: Outcome,
    /// Whether the dense system was solved without the modes of the passes.
    pub(crate) is_independent: bool,
    /// Largest errors of speeds, torques and momentum, as parts of the largest.
    pub(crate) errors: [f64; 3],
}

/// Solves the tree of this `seed` in both ways; the error says which cannot be solved.
pub(crate) fn compare(seed: u64) -> Result<Difference, String> {
    let mut random = Random::new(seed);
    let tree = Tree::random(&mut random);
    let root = random.below(tree.start.len());
    let mut modes = random_modes(&mut random, tree.elements.len());
    let (solution, torques, outcome) = solve(&tree, root, &mut modes);
    if !outcome.is_consistent {
        return Err(format!("seed {seed}: {outcome:?}\n{tree:?}"));
    }
    let mut laws = Laws::new(&tree);
    let found = laws.newton();
    let is_independent = found.is_some();
    // Newton's method may go in a circle: the dense system in the tree's modes is left, and the
    // residuals of the laws themselves, which know no modes.
    let found = found.or_else(|| {
        let start = Found { speeds: solution.speeds.clone(), torques: torques.clone() };
        laws.newton_from(&start, 3)
    });
    let found = found.ok_or_else(|| format!("seed {seed}: no dense solution\n{tree:?}"))?;
    let speed = largest(&found.speeds).max(largest(&tree.start));
    let torque = largest(&found.torques).max(largest(&tree.torques()));
    // Held shafts have exactly the speed that holds them, without the creep under their torque.
    let difference = largest_difference(&solution.speeds, &found.speeds);
    let errors = [
        (difference - CREEP * torque).max(0.0) / speed,
        largest_difference(&torques, &found.torques) / torque,
        largest(&tree.torque_sums(&torques)) / torque,
    ];
    Ok(Difference { outcome, is_independent, errors })
}
