//! Vehicles whose number of wheels is no multiple of four: lanes are left over.

mod common;

use common::{DT, Drive, all_wheel_drive};
use vehicle_core::WheelList;
use vehicle_core::axle::AxleDescription;
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::Commands;
use vehicle_core::math::Real;
use vehicle_core::math::lanes::InLanes;
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::suspension::unsprung::SuspensionDynamics;
use vehicle_drivetrain::DirectDriveParams;
use vehicle_drivetrain::direct_drive_vehicle::DirectDriveState;

/// A car with two wheels in front and one behind, in the middle.
fn three_wheeler(blueprint: &CarBlueprint) -> DirectDriveParams {
    let mut params = all_wheel_drive(blueprint);
    let mechanics = &mut params.mechanics;
    mechanics.axles = AxleDescription::new([vec![0, 1], vec![2]]).expect("three wheels");
    mechanics.ackermann.clear();
    mechanics.anti_roll_bars.clear();
    mechanics.wheels.truncate(3);
    mechanics.suspensions.truncate(3);
    let lateral = blueprint.frame.lateral();
    let rear = &mut mechanics.suspensions[2].attachment.translation;
    *rear -= lateral * rear.dot(lateral);
    mechanics.compliances.truncate(3);
    mechanics.suspension_forces.truncate(3);
    mechanics.tires.truncate(3);
    if let SuspensionDynamics::Unsprung(wheels) = &mut mechanics.suspension_dynamics {
        wheels.truncate(3);
    }
    let responses = mechanics.brakes.iter_mut().chain([&mut mechanics.steering]);
    for response in responses.chain([&mut params.throttle]) {
        response.wheel_multipliers.truncate(3);
    }
    params
}

/// Throttle, a bend, brakes in the bend.
fn commands_at(step: usize) -> Commands {
    let time = step as Real * DT;
    Commands {
        throttle: if time < 2.0 { 0.8 } else { 0.0 },
        brakes: [if 2.5 < time { 0.6 } else { 0.0 }, 0.0],
        steer: 0.3 * (2.0 * time).sin(),
        steering_torque: None,
    }
}

/// Lets the lanes that wheels leave empty hold what that of the last wheel does.
fn fill_empty_lanes(state: &mut DirectDriveState) {
    fn fill<T: InLanes>(list: &mut WheelList<T>) {
        *list = list.iter().collect();
    }
    let mechanics = &mut state.mechanics;
    fill(&mut state.drive.torques);
    fill(&mut mechanics.brake_torques);
    fill(&mut mechanics.steer_angles);
    fill(&mut mechanics.actuations);
    fill(&mut mechanics.roads);
    fill(&mut mechanics.suspensions);
    fill(&mut mechanics.tires);
    fill(&mut mechanics.wheels);
}

#[test]
fn what_is_in_the_lane_that_three_wheels_leave_empty_has_no_effect() {
    check_empty_lanes(&CarBlueprint::default());
    check_empty_lanes(&CarBlueprint { ride: None, ..CarBlueprint::default() });
}

fn check_empty_lanes(blueprint: &CarBlueprint) {
    let car =
        || Drive::with_params(blueprint, three_wheeler(blueprint), FlatRoad::new(&blueprint.frame));
    let (mut original, mut refilled) = (car(), car());
    for step in 0..240 {
        original.checked_step(commands_at(step));
        fill_empty_lanes(&mut refilled.vehicle.state);
        refilled.checked_step(commands_at(step));
        assert_eq!(refilled.vehicle.state, original.vehicle.state, "step {step}");
    }
    let way = original.vehicle.state.mechanics.rigid_body.pose.translation.length();
    assert!(5.0 < way, "{way} m");
}
