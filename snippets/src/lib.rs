//! What the snippets share: scenes, telemetry and reports.

pub mod output_folder;
pub mod report;
pub mod telemetry;
pub mod vehicles;
