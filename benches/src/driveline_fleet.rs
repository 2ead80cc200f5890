//! Drivelines from blocks, alone: a step of each, under loads of wheels that roll.

use anyhow::Context;
use vehicle_rapier::drivetrain::blocks::{
    BlockDriveline, BlockDrivelineState, BlockTree, BlockWorkspace, Differential, Engine,
    FixedGear, FrictionClutch, Gearbox, WheelLoad, chain, wheel,
};

use crate::DT;

/// Blocks of an engine with clutch and gearbox and of an axle with its wheels.
const FEWEST_BLOCKS: usize = 6;
/// Blocks of a further axle and the differential before it.
const BLOCKS_PER_AXLE: usize = 4;
/// Steps in which clutch and gears have come to agree.
const STEPS_TO_SETTLE: usize = 240;

/// Drivelines of one kind, each with a state of its own.
pub struct DrivelineFleet {
    driveline: BlockDriveline,
    settled: Vec<(BlockDrivelineState, BlockWorkspace)>,
    running: Vec<(BlockDrivelineState, BlockWorkspace)>,
    loads: Vec<WheelLoad>,
}

impl DrivelineFleet {
    /// A fleet of `count` drivelines, in third gear under throttle.
    ///
    /// # Errors
    ///
    /// If `tree` is no driveline.
    pub fn new(tree: BlockTree, count: usize) -> anyhow::Result<Self> {
        let driveline = BlockDriveline::new(tree)?;
        let mut state = driveline.start();
        for named in &driveline.tree().blocks {
            for (input, value) in
                [("throttle", 0.3), ("command", 0.3), ("gear", 3.0), ("selector", 3.0)]
            {
                if let Ok(input) = driveline.input(&named.name, input) {
                    state.set_input(input, value);
                }
            }
        }
        let wheels = driveline.wheels().iter().map(|(wheel, _)| wheel + 1).max();
        let load = WheelLoad {
            inertia: 1.2,
            tire_torque: -40.0,
            tire_stiffness: 800.0,
            max_tire_torque: 900.0,
            ..WheelLoad::default()
        };
        let loads = vec![load; wheels.context("a driveline with wheels")?];
        let one = (state, driveline.workspace());
        let settled = vec![one; count];
        let mut fleet = Self { driveline, running: settled.clone(), settled, loads };
        for _ in 0..STEPS_TO_SETTLE {
            fleet.step()?;
        }
        fleet.settled.clone_from(&fleet.running);
        Ok(fleet)
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.driveline.tree().blocks.len()
    }

    /// Number of elements that are solved.
    pub fn elements(&self) -> usize {
        self.driveline.plan().elements()
    }

    /// Steps all.
    ///
    /// # Errors
    ///
    /// None: states are of this driveline.
    pub fn step(&mut self) -> anyhow::Result<()> {
        for (state, workspace) in &mut self.running {
            self.driveline.step(state, &self.loads, f64::from(DT), workspace)?;
        }
        Ok(())
    }

    /// Returns to the settled state.
    pub fn restore(&mut self) {
        self.running.clone_from(&self.settled);
    }

    /// Passes of the last step of the first one.
    pub fn passes(&self) -> u32 {
        let outcome = self.running.first().and_then(|(_, workspace)| workspace.report.outcome);
        outcome.map_or(0, |outcome| outcome.passes)
    }
}

/// A driveline of `blocks` blocks, at least six: an engine with clutch and gearbox drives as many
/// axles as fit, each behind a differential; gears fill up the rest.
///
/// # Errors
///
/// None for six blocks and more.
pub fn tree_of(blocks: usize) -> anyhow::Result<BlockTree> {
    let more = blocks.checked_sub(FEWEST_BLOCKS).context("at least six blocks")?;
    let axle = |number: usize| {
        let wheels = [2 * number, 2 * number + 1].map(wheel);
        chain(Differential::open(3.7)).named(&format!("axle {number}")).to(wheels)
    };
    let mut axles = axle(0);
    for number in 1..=more / BLOCKS_PER_AXLE {
        let center = chain(Differential::open(1.0)).named(&format!("center {number}"));
        axles = center.to([axle(number), axles]);
    }
    let mut part =
        chain(Engine::default()).then(FrictionClutch::default()).then(Gearbox::default());
    for _ in 0..more % BLOCKS_PER_AXLE {
        part = part.then(FixedGear::new(1.1));
    }
    Ok(part.then(axles).build()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_have_as_many_blocks_as_asked_for() -> anyhow::Result<()> {
        for blocks in [6, 9, 10, 20, 40, 80] {
            let mut fleet = DrivelineFleet::new(tree_of(blocks)?, 2)?;
            assert_eq!(fleet.blocks(), blocks);
            fleet.step()?;
            assert_eq!(fleet.passes(), 1, "{blocks} blocks");
        }
        Ok(())
    }
}
