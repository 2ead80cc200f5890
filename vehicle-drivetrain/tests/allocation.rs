//! A step takes no memory: the ready-made vehicle keeps all it needs from its first step on.

use std::ops::ControlFlow::Continue;

use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::{CommandResponseParams, Commands};
use vehicle_core::math::{Pose, Real};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::{ComponentSequence, Context, SimulationParams};
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicle};

/// Time step (s).
const DT: Real = 1.0 / 60.0;
/// Steps until the car does what its driver wants, at the start or at rest.
const WARM_UP: usize = 120;
/// Steps in which allocations are counted.
const STEPS: usize = 100;

/// A vehicle with the world around it.
struct Drive {
    vehicle: DirectDriveVehicle,
    sequence: ComponentSequence<DirectDriveVehicle>,
    simulation: SimulationParams,
    road: FlatRoad,
}

impl Drive {
    /// A car that rests at the origin, in forward gear.
    fn new() -> Self {
        let blueprint = CarBlueprint::default();
        let frame = blueprint.frame;
        let params = DirectDriveParams {
            mechanics: blueprint.mechanics().expect("a faultless car"),
            throttle: CommandResponseParams::linear(400.0, [1.0; 4]),
        };
        let mut vehicle = DirectDriveVehicle::new(params).expect("faultless params");
        vehicle.gear = Gear::Forward;
        let position = frame.vertical() * blueprint.center_of_mass_height;
        vehicle.state.mechanics.rigid_body.pose = Pose::from_translation(position);
        Self {
            vehicle,
            sequence: DirectDriveVehicle::sequence(),
            simulation: SimulationParams::new(frame),
            road: FlatRoad::new(&frame),
        }
    }

    fn steps(&mut self, count: usize, commands: Commands) {
        self.vehicle.commands = commands;
        let context = Context::new(&self.simulation, &self.road);
        for _ in 0..count {
            let flow = self.sequence.update(&mut self.vehicle, DT, &context);
            assert_eq!(flow, Ok(Continue(())));
        }
    }

    /// Allocations of some steps, and the speed after them (m/s).
    fn allocations(&mut self, commands: Commands) -> (u64, Real) {
        self.steps(WARM_UP, commands);
        let counted = allocation_counter::measure(|| self.steps(STEPS, commands));
        let frame = &self.simulation.coordinates.frame;
        let speed = self.vehicle.state.mechanics.rigid_body.longitudinal_speed(frame);
        (counted.count_total, speed)
    }
}

#[test]
fn allocations_are_counted() {
    let counted = allocation_counter::measure(|| {
        std::hint::black_box(vec![0_u8; 100]);
    });
    assert_eq!(counted.count_total, 1);
}

#[test]
fn a_driving_car_does_not_allocate() {
    let commands = Commands { throttle: 0.5, steer: 0.1, ..Commands::default() };
    let (allocations, speed) = Drive::new().allocations(commands);
    assert!(5.0 < speed, "{speed} m/s");
    assert_eq!(allocations, 0, "in {STEPS} steps");
}

#[test]
fn a_parked_car_does_not_allocate() {
    let commands = Commands { brakes: [0.0, 1.0], ..Commands::default() };
    let mut drive = Drive::new();
    let (allocations, speed) = drive.allocations(commands);
    let is_held = drive.vehicle.state.mechanics.anchor.is_some();
    assert!(is_held && speed.abs() < 1e-3, "{speed} m/s");
    assert_eq!(allocations, 0, "in {STEPS} steps");
}
