//! The sample car, braked, on a hill.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use rapier3d::prelude::*;
use snippets::vehicles::{SAMPLE_REST_HEIGHT, sample_chassis};
use vehicle_rapier::RapierVehicle;
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::drivetrain::direct_drive::Gear;

use super::with_identity_load_filter;

/// Slope of the hill (rad).
pub const SLOPE: Real = 15.0 * PI / 180.0;

/// How a car stands on the hill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    Uphill,
    Across,
    Diagonal,
}

/// What is tried.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    pub heading: Heading,
    pub friction: Real,
    pub rate: Real,
    pub substeps: u32,
    pub can_sleep: bool,
    pub execution: RowExecution,
}

impl Default for Trial {
    /// Uphill on a dry road.
    fn default() -> Self {
        Self {
            heading: Heading::Uphill,
            friction: 1.0,
            rate: 60.0,
            substeps: 3,
            can_sleep: true,
            execution: RowExecution::Local,
        }
    }
}

/// The sample car, braked, on a hill.
pub fn parked(trial: &Trial) -> (PhysicsWorld, RapierVehicle<DirectDriveVehicle>) {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / trial.rate;
    let normal = Vector::new(0.0, SLOPE.cos(), -SLOPE.sin());
    let hill = ColliderBuilder::new(SharedShape::halfspace(normal)).friction(trial.friction);
    world.insert_collider(hill, None);
    world.detect_collisions(&(), &());
    let tilt = Rotation::from_rotation_x(-SLOPE);
    let heading = match trial.heading {
        Heading::Uphill => 0.0,
        Heading::Across => FRAC_PI_2,
        Heading::Diagonal => FRAC_PI_4,
    };
    let rotation = tilt * Rotation::from_rotation_y(heading);
    let params = with_identity_load_filter();
    let pose = Pose::from_parts(normal * SAMPLE_REST_HEIGHT, rotation);
    let can_sleep = trial.can_sleep;
    let chassis = sample_chassis(&params.mechanics.rigid_body, pose)
        .configure(|body| body.can_sleep(can_sleep));
    let vehicle = DirectDriveVehicle::new(params).expect("valid parameters");
    let substeps = trial.substeps;
    let sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps);
    let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    car.params.row_execution = trial.execution;
    car.vehicle.controls.gear = Gear::Forward;
    car.vehicle.commands.brakes[0] = 1.0;
    (world, car)
}
