//! A car on a road, for the tests.

// Every test binary uses its own part of this module, and none of it is seen from outside.
#![allow(dead_code, unreachable_pub)]

use std::ops::ControlFlow::Continue;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::{CommandResponseParams, Commands};
use vehicle_core::frame::Frame;
use vehicle_core::math::{Pose, Real};
use vehicle_core::road_geometry::RoadSurface;
use vehicle_core::{ComponentSequence, Context, SimulationParams};
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicle};

pub mod engine;

/// Time step (s).
pub const DT: Real = 1.0 / 60.0;
/// Drive torque of each wheel at full throttle (N·m).
pub const MAX_DRIVE_TORQUE: Real = 400.0;
pub const COAST: Commands =
    Commands { throttle: 0.0, brakes: [0.0, 0.0], steer: 0.0, steering_torque: None };

/// `cases` per law, the same in every run.
pub fn seeded(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    }
}

/// Steps in so many seconds.
pub fn steps(seconds: Real) -> usize {
    (seconds / DT).round() as usize
}

/// The car of a data sheet, all its wheels driven.
pub fn all_wheel_drive(blueprint: &CarBlueprint) -> DirectDriveParams {
    DirectDriveParams {
        mechanics: blueprint.mechanics().expect("a faultless car"),
        throttle: CommandResponseParams::linear(MAX_DRIVE_TORQUE, [1.0; 4]),
    }
}

/// A vehicle with the world around it.
pub struct Drive<Road> {
    pub vehicle: DirectDriveVehicle,
    pub sequence: ComponentSequence<DirectDriveVehicle>,
    pub simulation: SimulationParams,
    pub road: Road,
}

impl<Road: RoadSurface> Drive<Road> {
    /// A car of `blueprint`'s axes at rest in forward gear, its center of mass above the origin as
    /// high as when it rests on level ground.
    pub fn with_params(blueprint: &CarBlueprint, params: DirectDriveParams, road: Road) -> Self {
        let vehicle = DirectDriveVehicle::new(params).expect("faultless params");
        let mut drive = Self::of(vehicle, blueprint.frame, road);
        drive.vehicle.controls.gear = Gear::Forward;
        drive.place(blueprint.center_of_mass_height);
        drive
    }

    pub fn of(vehicle: DirectDriveVehicle, frame: Frame, road: Road) -> Self {
        let (sequence, simulation) = (DirectDriveVehicle::sequence(), SimulationParams::new(frame));
        Self { vehicle, sequence, simulation, road }
    }

    /// This drive on another road.
    pub fn on<Other>(self, road: Other) -> Drive<Other> {
        let Self { vehicle, sequence, simulation, .. } = self;
        Drive { vehicle, sequence, simulation, road }
    }

    /// This drive with `substeps` per step.
    pub fn with_substeps(mut self, substeps: u32) -> Self {
        self.sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps);
        self
    }

    /// Puts the center of mass `height` (m) above the origin.
    pub fn place(&mut self, height: Real) {
        let position = self.frame().vertical() * height;
        self.vehicle.state.mechanics.rigid_body.pose = Pose::from_translation(position);
    }

    /// Lets the car roll forward at `speed` (m/s).
    pub fn roll(&mut self, speed: Real) {
        let (forward, radius) = (self.frame().longitudinal(), self.radius());
        let state = &mut self.vehicle.state.mechanics;
        state.rigid_body.linear_velocity = forward * speed;
        state.wheels.edit_all(|wheel| wheel.rotation_speed = speed / radius);
    }

    pub fn step(&mut self, commands: Commands) {
        self.vehicle.commands = commands;
        let context = Context::new(&self.simulation, &self.road);
        let flow = self.sequence.update(&mut self.vehicle, DT, &context);
        assert_eq!(flow, Ok(Continue(())));
    }

    /// A step whose inputs are checked.
    pub fn checked_step(&mut self, commands: Commands) {
        self.vehicle.commands = commands;
        let context = Context::new(&self.simulation, &self.road);
        let flow = self.sequence.update_checked(&mut self.vehicle, DT, &context);
        assert_eq!(flow, Ok(Continue(())));
    }

    pub fn run(&mut self, seconds: Real, commands: Commands) {
        for _ in 0..steps(seconds) {
            self.step(commands);
        }
    }

    pub fn frame(&self) -> Frame {
        self.simulation.coordinates.frame
    }

    /// Radius of a wheel (m).
    pub fn radius(&self) -> Real {
        self.vehicle.params().mechanics.wheels[0].radius
    }

    /// Forward speed (m/s).
    pub fn speed(&self) -> Real {
        self.vehicle.state.mechanics.rigid_body.longitudinal_speed(&self.frame())
    }

    /// The state, with the digits that identify the bits of every float, and -0 with its sign.
    pub fn printed(&self) -> String {
        format!("{:?}", self.vehicle.state)
    }
}
