//! Aids in a world of another gravity than that of the earth.

use std::ops::ControlFlow::Continue;

use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::{Commands, linear_response};
use vehicle_core::frame::Frame;
use vehicle_core::math::{Pose, Real, Vec3};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::{Context, SimulationParams};
use vehicle_drivetrain::aids::hill_start::BrakeHold;
use vehicle_drivetrain::aids::{AidsParams, HillStartParams};
use vehicle_drivetrain::gearbox::GearCommand;
use vehicle_drivetrain::{EngineDriveParams, EngineDriveVehicle};

const GRADE: Real = 0.2;

#[test]
fn a_hill_start_holds_as_much_as_the_gravity_of_the_world_asks_for() {
    for gravity in [4.0, 9.81, 20.0] {
        let blueprint = CarBlueprint::default();
        let params = EngineDriveParams::automatic(blueprint.mechanics().expect("a car"), &[2, 3]);
        let brakes = params.mechanics.brakes[0].clone();
        let all: Real = (0..4).map(|wheel| linear_response(&brakes, 1.0, wheel)).sum();
        let slope = params.mechanics.rigid_body.mass * gravity * GRADE * blueprint.wheel.radius;
        let mut car = EngineDriveVehicle::new(params).expect("faultless");
        let hill_start = Some(HillStartParams::default());
        car.set_aids(AidsParams { hill_start, ..AidsParams::default() }).expect("faultless");
        let height = Vec3::Y * blueprint.center_of_mass_height;
        car.state.mechanics.rigid_body.pose = Pose::from_translation(height);
        // The foot brake holds the car by a little.
        car.commands = Commands { brakes: [1.15 * slope / all, 0.0], ..Commands::default() };
        car.controls.gear = GearCommand::Automatic;
        let down = Vec3::new(0.0, -(1.0 - GRADE * GRADE).sqrt(), -GRADE);
        let simulation =
            SimulationParams { gravity: down * gravity, ..SimulationParams::default() };
        let (sequence, road) = (EngineDriveVehicle::sequence(), FlatRoad::new(&Frame::Y_UP));
        let context = Context::new(&simulation, &road);
        for _ in 0..90 {
            assert_eq!(sequence.update_checked(&mut car, 1.0 / 60.0, &context), Ok(Continue(())));
        }
        let hold = car.state.aids.memory().expect("aids").aids.hill_start.hold;
        let BrakeHold::Holding { torque, .. } = hold else { panic!("{hold:?} at {gravity} m/s²") };
        let ratio = torque / (1.3 * slope);
        // The body pitches by a hundredth, of a grade of a fifth.
        assert!((ratio - 1.0).abs() < 0.08, "{torque} N·m at {gravity} m/s²: {ratio}");
    }
}
