//! One reader per kind of recorded file: from its input to what our functions make of it.

// Private to the test binary, and not seen from outside.
#![allow(unreachable_pub)]

mod chain;
mod commands;
mod conversion;
mod differential;
mod engine_drivetrain;
mod gears;
mod legacy;
mod linear_solve;
mod mechanics;
mod parse;
mod rows;
mod tire;

use crate::support::vectors::{Readers, WithoutCounterpart};

/// Kinds that we have nothing to hold against.
pub const WITHOUT_COUNTERPART: WithoutCounterpart<'_> = &[(
    "transform_and_scale_clutch",
    "accuracy and iterations are the choice of a solver, which no conversion touches",
)];

/// Every kind that can be read.
pub const READERS: Readers<'_> = &[
    ("acceleration_intent", commands::acceleration_intent),
    ("ackermann_steer", commands::ackermann_steer),
    ("anti_roll_torque", mechanics::anti_roll_torque),
    ("autobox_gearbox_sequence", gears::autobox_gearbox_sequence),
    ("autobox_update", gears::autobox_update),
    ("brake_command_response", commands::brake_command_response),
    ("chain_direct_drive", chain::chain_direct_drive),
    ("chain_engine_drive", chain::chain_engine_drive),
    ("clutch_command_response", gears::clutch_command_response),
    ("clutch_strength", gears::clutch_strength),
    ("compute_rotation", commands::compute_rotation),
    ("compute_sign", commands::compute_sign),
    ("compute_sprung_masses", commands::compute_sprung_masses),
    ("compute_translation", commands::compute_translation),
    ("constraint_states", rows::constraint_states),
    ("differential_four_wheel", differential::four_wheel),
    ("differential_legacy_four_wheel", differential::legacy_four_wheel),
    ("differential_legacy_helpers", differential::legacy_helpers),
    ("differential_multi_wheel", differential::multi_wheel),
    ("differential_tank", differential::tank),
    ("direct_drive_actuation_state", commands::direct_drive_actuation_state),
    ("direct_drive_throttle_response", commands::direct_drive_throttle_response),
    ("direct_drive_wheel_update", commands::direct_drive_wheel_update),
    ("engine_damping_rate", gears::damping_rate),
    ("engine_drive_actuation_state", gears::actuation_state),
    ("engine_drive_throttle_response", gears::throttle_response),
    ("engine_drive_torque", gears::drive_torque),
    ("engine_drivetrain_best_possible", engine_drivetrain::best_possible),
    ("engine_drivetrain_constraint_groups", engine_drivetrain::constraint_groups),
    ("engine_drivetrain_estimate", engine_drivetrain::estimate),
    ("gear_command_response", gears::gear_command_response),
    ("gear_ratio", gears::gear_ratio),
    ("gearbox_update", gears::gearbox_update),
    ("linear_solve_3x3", linear_solve::three_by_three),
    ("linear_solve_gauss_seidel", linear_solve::gauss_seidel),
    ("linear_solve_lu", linear_solve::lu),
    ("lookup_table_scalar", commands::lookup_table_scalar),
    ("lookup_table_vec3", commands::lookup_table_vec3),
    ("nonlinear_command_response", commands::nonlinear_command_response),
    ("rigid_body_local_speeds", mechanics::rigid_body_local_speeds),
    ("rigid_body_update", mechanics::rigid_body_update),
    ("shift_origin", conversion::shift_origin),
    ("steer_command_response", commands::steer_command_response),
    ("suspension_compliance", mechanics::suspension_compliance),
    ("suspension_force", mechanics::suspension_force),
    ("suspension_force_legacy", legacy::suspension_force),
    ("suspension_raycast_query", mechanics::suspension_raycast_query),
    ("suspension_state_raycast", mechanics::suspension_state_update),
    ("suspension_state_sweep", mechanics::suspension_state_update),
    ("suspension_sweep_query", mechanics::suspension_sweep_query),
    ("tire_camber_angle", tire::tire_camber_angle),
    ("tire_dirs", tire::tire_dirs),
    ("tire_dirs_legacy", legacy::tire_dirs),
    ("tire_forces", tire::tire_forces),
    ("tire_grip", tire::tire_grip),
    ("tire_slip_speeds", tire::tire_slip_speeds),
    ("tire_slips", tire::tire_slips),
    ("tire_slips_accounting_for_sticky", tire::tire_slips_accounting_for_sticky),
    ("tire_slips_legacy", legacy::tire_slips),
    ("tire_sticky_reset", commands::tire_sticky_reset),
    ("tire_sticky_state", tire::tire_sticky_state),
    ("transform_and_scale_ackermann", conversion::ackermann),
    ("transform_and_scale_anti_roll", conversion::anti_roll),
    ("transform_and_scale_autobox", conversion::autobox),
    ("transform_and_scale_brake_command_response", conversion::brake_command_response),
    ("transform_and_scale_clutch_command_response", conversion::clutch_command_response),
    ("transform_and_scale_differential_four_wheel", conversion::differential_four_wheel),
    (
        "transform_and_scale_differential_legacy_four_wheel",
        conversion::differential_legacy_four_wheel,
    ),
    ("transform_and_scale_differential_multi_wheel", conversion::differential_multi_wheel),
    ("transform_and_scale_differential_tank", conversion::differential_tank),
    (
        "transform_and_scale_direct_drive_throttle_response",
        conversion::direct_drive_throttle_response,
    ),
    ("transform_and_scale_engine", conversion::engine),
    ("transform_and_scale_gearbox", conversion::gearbox),
    ("transform_and_scale_rigid_body", conversion::rigid_body),
    ("transform_and_scale_simulation_context", conversion::simulation_context),
    ("transform_and_scale_steer_command_response", conversion::steer_command_response),
    ("transform_and_scale_suspension", conversion::suspension),
    ("transform_and_scale_suspension_compliance", conversion::suspension_compliance),
    ("transform_and_scale_suspension_force", conversion::suspension_force),
    ("transform_and_scale_suspension_force_legacy", conversion::suspension_force_legacy),
    ("transform_and_scale_suspension_limit_constraint", conversion::suspension_limit_constraint),
    ("transform_and_scale_suspension_state_calculation", conversion::suspension_state_calculation),
    ("transform_and_scale_tire_force", conversion::tire_force),
    ("transform_and_scale_tire_slip", conversion::tire_slip),
    ("transform_and_scale_tire_sticky", conversion::tire_sticky),
    ("transform_and_scale_wheel", conversion::wheel),
    ("transform_frame_to_frame_pose", commands::transform_frame_to_frame_pose),
    ("transform_frame_to_frame_vector", commands::transform_frame_to_frame_vector),
    ("vehicle_frame", commands::vehicle_frame),
    ("wheel_local_orientation", mechanics::wheel_local_orientation),
    ("wheel_local_pose", mechanics::wheel_local_pose),
    ("wheel_orientation", mechanics::wheel_orientation),
    ("wheel_pose", mechanics::wheel_pose),
    ("wheel_rotation_angle_update", mechanics::wheel_rotation_angle_update),
];
