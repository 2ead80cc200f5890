//! Measurements on vehicles, as road testers make them: each drives a preset on a proving ground.

mod acceleration;
mod best_run;
mod braking;
mod circle;
mod circle_driver;
pub mod class_figures;
mod coasting;
pub mod data_sheet;
mod frequencies;
mod proving_ground;
mod sheet_page;
mod side_view;
pub mod theory;
mod turning;

pub use acceleration::{Launch, Moment, best_launch, launch, top_speed};
pub use braking::{Stop, best_stop, stop};
pub(crate) use braking::{roll_at_least, rolling_at_least};
pub(crate) use circle::slope;
pub use circle::{Limit, Sample, SkidPad, skid_pad, turning_circle};
pub(crate) use circle_driver::{CircleCommands, CircleDriver};
pub use coasting::coast_down;
pub use frequencies::{Frequencies, Stance, natural_frequencies, natural_frequencies_at};
pub(crate) use proving_ground::{Extent, Post, bear_pedals, insert_train, update_train};
pub use proving_ground::{Motion, ProvingGround, Setting};
pub use sheet_page::write_index;
pub(crate) use turning::wheel_base;
