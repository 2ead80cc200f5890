//! Vehicles in a Rapier world: one scene after the other. What counts allocations, memory or bits
//! has a program of its own.

#[path = "../common/mod.rs"]
mod common;

mod anti_lock;
mod beam_axles;
mod between_slopes;
mod bump;
mod changes;
#[cfg(feature = "debug-render")]
mod debug_render;
mod detail;
mod diagnosis;
mod driving;
mod engine_drive;
mod fleet;
mod fleet_channels;
mod fleet_tow;
mod free_steering;
mod hosting;
mod instruments;
mod jumps;
mod keyboard;
mod large_wheels;
mod light_ground;
mod loose_wheels;
mod lost_road;
mod lying;
mod migration;
mod mistakes;
mod motorcycle;
mod moving_ground;
mod multibody;
mod neighbour;
mod obstacles;
mod own_body;
mod own_drive;
mod own_state;
mod parked_on_others;
mod parking;
mod placement;
mod pushed;
mod random_drops;
mod road_query;
mod road_query_many;
mod road_query_shapes;
mod rolling;
mod rough_ground;
mod rough_roads;
mod round_wheels;
mod row_execution;
mod set_up;
mod sleep;
mod snapshot;
mod struts;
mod ten_numbers;
mod terrain;
mod tire_models;
mod torques_in_substep;
mod units;
mod unsprung;
mod waking;
mod wheel_colliders;
mod wheel_contacts;
mod wheel_mass;
