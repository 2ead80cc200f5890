//! What the snippets share: vehicles, scenes and schedules; recorded telemetry, its summary and its
//! report; and the console.

pub mod accuracy;
pub mod anti_lock;
pub mod drivetrains;
pub mod lowrider;
pub mod samples;
pub mod tanh_tire;
pub mod vehicles;

pub mod schedule;

pub mod course;
pub mod crowd;
pub mod custom_tire;
pub mod damage;
pub mod drivelines;
pub mod multi_threading;
pub mod off_road;
pub mod overdrive;
pub mod overdrive_controller;
pub mod ride;
pub mod scenes;
pub mod smooth_road;
pub mod soft_ground;
pub mod three_models;
pub mod tire_table;
pub mod truck;

pub mod drive;
pub mod recorder;
pub mod telemetry;
pub mod vehicle_figure;
pub mod vehicle_telemetry;
pub mod wheel_names;

pub mod drive_summary;

pub mod report;
pub mod rigs;

pub mod evidence;
pub mod manoeuvres;
pub mod measurements;

pub mod drive_phases;
pub mod drive_report;
pub mod driveline_report;

mod angles;
pub mod noise;
pub use playground::fingerprint;

pub mod console;
pub mod output_folder;
pub mod own_tires;
pub mod presets;
pub mod program;
pub mod vehicle_choice;
