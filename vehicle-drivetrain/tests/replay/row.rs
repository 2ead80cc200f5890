//! Comparing every value that a row records with ours.

use vehicle_core::Frame;
use vehicle_core::math::{Real, Vec3};
use vehicle_core::suspension::SuspensionState;
use vehicle_core::vehicle::MechanicalState;

use super::vehicle::ReplayedVehicle;
use crate::support::one_step::OneStepJudge;
use crate::support::traces::Row;

/// The separation that marks a wheel in the air.
const IN_THE_AIR: Real = Real::MIN_POSITIVE;

/// Compares the state of `vehicle` with the row after its step.
pub fn compare(
    judge: &mut OneStepJudge<'_>,
    vehicle: &impl ReplayedVehicle,
    after: Row<'_>,
    frame: &Frame,
) {
    vehicle.compare(judge, after);
    let state = vehicle.state();
    let body = &state.rigid_body;
    judge.compare_array(after, ["px", "py", "pz"], body.pose.translation.to_array());
    judge.compare_array(after, ["qx", "qy", "qz", "qw"], body.pose.rotation.to_array());
    judge.compare_array(after, ["vx", "vy", "vz"], body.linear_velocity.to_array());
    judge.compare_array(after, ["wx", "wy", "wz"], body.angular_velocity.to_array());
    for wheel in 0..state.wheels.len() {
        compare_commands(judge, state, after, wheel);
        compare_suspension(judge, state, after, wheel);
        compare_tire(judge, state, after, wheel);
        compare_wheel(judge, state, after, wheel);
        let pose = vehicle.wheel_local_pose(wheel, frame);
        compare_vector(judge, after, wheel, ["lp_x", "lp_y", "lp_z"], pose.translation);
        let columns = ["lq_x", "lq_y", "lq_z", "lq_w"];
        judge.compare_wheel_array(after, wheel, columns, pose.rotation.to_array());
    }
}

fn compare_commands(
    judge: &mut OneStepJudge<'_>,
    state: &MechanicalState,
    after: Row<'_>,
    wheel: usize,
) {
    let actuation = state.actuations.of(wheel);
    judge.compare_wheel(after, wheel, "steerAngle", state.steer_angles[wheel]);
    judge.compare_wheel(after, wheel, "brakeTorque", state.brake_torques[wheel]);
    judge.compare_wheel(after, wheel, "isDrive", actuation.is_driven);
    judge.compare_wheel(after, wheel, "isBrake", actuation.is_braked);
    judge.compare_wheel(after, wheel, "hit", state.roads.of(wheel).is_some());
    if let Some(road) = state.roads.of(wheel) {
        let normal = road.plane.normal.to_array();
        let columns = ["plane_nx", "plane_ny", "plane_nz"];
        judge.compare_wheel_array(after, wheel, columns, normal);
        judge.compare_wheel(after, wheel, "plane_d", road.plane.offset);
        judge.compare_wheel(after, wheel, "roadFriction", road.friction);
    }
}

fn compare_suspension(
    judge: &mut OneStepJudge<'_>,
    state: &MechanicalState,
    after: Row<'_>,
    wheel: usize,
) {
    let SuspensionState { compression, force, .. } = state.suspensions.of(wheel);
    let separation = compression.separation.unwrap_or(IN_THE_AIR);
    judge.compare_wheel(after, wheel, "jounce", compression.jounce.unwrap_or(Real::MAX));
    judge.compare_wheel(after, wheel, "jounceSpeed", compression.jounce_speed);
    judge.compare_wheel(after, wheel, "separation", separation);
    judge.compare_wheel(after, wheel, "normalForce", force.normal_load);
    compare_vector(judge, after, wheel, ["suspFx", "suspFy", "suspFz"], force.force);
    compare_vector(judge, after, wheel, ["suspTx", "suspTy", "suspTz"], force.torque);
}

fn compare_tire(
    judge: &mut OneStepJudge<'_>,
    state: &MechanicalState,
    after: Row<'_>,
    wheel: usize,
) {
    let tire = state.tires.of(wheel);
    let (directions, force, sticky) = (&tire.directions, &tire.force, &tire.sticky);
    let along = force.longitudinal.dot(directions.longitudinal);
    let across = force.lateral.dot(directions.lateral);
    judge.compare_wheel(after, wheel, "tireLoad", tire.grip.load);
    judge.compare_wheel(after, wheel, "friction", tire.grip.friction);
    judge.compare_wheel(after, wheel, "lngSpeed", tire.speeds.longitudinal);
    judge.compare_wheel(after, wheel, "latSpeed", tire.speeds.lateral);
    judge.compare_wheel(after, wheel, "lngSlip", tire.slip.longitudinal);
    judge.compare_wheel(after, wheel, "latSlip", tire.slip.angle());
    judge.compare_wheel(after, wheel, "camber", tire.camber);
    judge.compare_wheel(after, wheel, "lngForce", along);
    judge.compare_wheel(after, wheel, "latForce", across);
    let columns = ["lngDirX", "lngDirY", "lngDirZ"];
    compare_vector(judge, after, wheel, columns, directions.longitudinal);
    let columns = ["latDirX", "latDirY", "latDirZ"];
    compare_vector(judge, after, wheel, columns, directions.lateral);
    compare_vector(judge, after, wheel, ["tireTx", "tireTy", "tireTz"], force.torque());
    judge.compare_wheel(after, wheel, "alignMoment", force.aligning_moment);
    judge.compare_wheel(after, wheel, "wheelTorque", force.wheel_torque);
    judge.compare_wheel(after, wheel, "stickyLng", sticky.longitudinal.is_active);
    judge.compare_wheel(after, wheel, "stickyLat", sticky.lateral.is_active);
    judge.compare_wheel(after, wheel, "lowSpeedTimeLng", sticky.longitudinal.low_speed_time);
    judge.compare_wheel(after, wheel, "lowSpeedTimeLat", sticky.lateral.low_speed_time);
}

fn compare_wheel(
    judge: &mut OneStepJudge<'_>,
    state: &MechanicalState,
    after: Row<'_>,
    wheel: usize,
) {
    let state = state.wheels.of(wheel);
    judge.compare_wheel(after, wheel, "omega", state.rotation_speed);
    judge.compare_wheel(after, wheel, "omegaCorrected", state.displayed_rotation_speed);
    judge.compare_wheel(after, wheel, "rotAngle", state.rotation_angle);
}

fn compare_vector(
    judge: &mut OneStepJudge<'_>,
    after: Row<'_>,
    wheel: usize,
    columns: [&str; 3],
    vector: Vec3,
) {
    judge.compare_wheel_array(after, wheel, columns, vector.to_array());
}
