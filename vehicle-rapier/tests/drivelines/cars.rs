//! Vehicles with drivelines from blocks.

use rapier3d::prelude::*;
use snippets::drivelines;
use vehicle_rapier::core::ComponentSequence;
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::blocks::{BlockTree, DrivelineCommands, ready_made};
use vehicle_rapier::drivetrain::{BlockDriveParams, BlockDriveVehicle};
use vehicle_rapier::{Chassis, RapierVehicle};

pub(crate) type BlockCar = RapierVehicle<BlockDriveVehicle>;

/// A tree that has no faults.
pub(crate) fn built(name: &str) -> BlockTree {
    let (_, build) = ready_made::ALL.iter().find(|(each, _)| *each == name).expect("a name");
    build().expect("no faults")
}

/// What carries a ready-made driveline, and the height of its center of mass at rest (m).
pub(crate) fn mechanics_for(name: &str) -> (MechanicalParams, Real) {
    drivelines::mechanics_for(name).expect("valid data")
}

/// A vehicle with this driveline, its center of mass at `pose` (m).
pub(crate) fn insert(
    world: &mut PhysicsWorld,
    mechanics: MechanicalParams,
    tree: BlockTree,
    pose: Pose,
) -> BlockCar {
    insert_with(world, mechanics, tree, pose, BlockDriveVehicle::sequence())
}

/// A car with a driveline of these blocks in the world, with stages of this sequence.
pub(crate) fn insert_with(
    world: &mut PhysicsWorld,
    mechanics: MechanicalParams,
    tree: BlockTree,
    pose: Pose,
    sequence: ComponentSequence<BlockDriveVehicle>,
) -> BlockCar {
    let hull = ColliderBuilder::cuboid(0.9, 0.4, 2.2).translation(Vector::Y * 0.3);
    let hull = hull.friction(0.0).friction_combine_rule(CoefficientCombineRule::Min);
    let chassis = Chassis::new(&mechanics.rigid_body).pose(pose).collider(hull);
    let vehicle = BlockDriveVehicle::new(BlockDriveParams::new(mechanics, tree));
    let vehicle = vehicle.expect("valid parameters");
    RapierVehicle::insert(world, chassis, vehicle, sequence)
}

/// A vehicle with a ready-made driveline, that rests on level ground.
pub(crate) fn ready(world: &mut PhysicsWorld, name: &str) -> BlockCar {
    let (mechanics, height) = mechanics_for(name);
    insert(world, mechanics, built(name), Pose::from_translation(Vector::Y * height))
}

/// All levers forward, in a gear to start in.
pub(crate) fn forward(name: &str) -> DrivelineCommands {
    let gear = if name.starts_with("truck") || name == "tank" { 2 } else { 1 };
    DrivelineCommands { gear, ..DrivelineCommands::forward() }
}
