//! Manoeuvres of road testers as plain data, and the runs of vehicles through them.
//!
//! A [`Manoeuvre`] says on which ground and how a vehicle starts, and what its driver does in each
//! phase. It says what ends a phase, which channels are written, and which figures it comes to. It
//! is read from a file in JSON, or is one of the [ready ones](ready::READY):
//!
//! ```
//! use snippets::manoeuvres::{Manoeuvre, Outcome};
//! use snippets::measurements::Setting;
//!
//! # fn main() -> anyhow::Result<()> {
//! let braking = Manoeuvre::of_name("braking")?;
//! let Outcome::Driven(run) = braking.drive("hot_hatch", &Setting::default())? else {
//!     anyhow::bail!("it has brakes");
//! };
//! let distance = run.figure(&braking.figures[0]).expect("it stops");
//! assert!(30.0 < distance && distance < 50.0, "{distance} m");
//! # Ok(())
//! # }
//! ```

mod axles;
pub mod bands;
mod channels;
mod check;
pub mod comparison;
mod evaluate;
mod figure;
mod fit;
mod forces;
mod ground;
mod lane;
pub mod matrix;
pub mod page;
mod pilot;
mod posts;
mod read;
pub mod ready;
mod run;
mod scenario;
mod signal;
mod steered_wheel;
mod table;
pub(crate) mod trip;
mod validate;
mod validate_figure;
mod validate_signal;
mod weighting;

pub use check::ScenarioError;
pub use figure::{FigureSource, Moment, Quantity, Response, Stretch, UNITS, Weighting};
pub use fit::misfit;
pub use read::json_schema;
pub use run::{DrivenPhase, Outcome, Run};
pub use scenario::{
    Ground, Lever, Manoeuvre, Needs, Output, Pedals, Phase, PostMotion, Posts, Roughness,
    SCENARIO_VERSION, Section, Start, Steer, SteeredWheel, Until,
};
pub use signal::Signal;
pub use table::TableSource;
