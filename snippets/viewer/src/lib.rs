//! A window to drive in: the worlds of the playground, with the parameters of the car as sliders.
//!
//! What a driver does and what becomes of it needs no window: [`app`], [`tuning`], [`parameters`].
//! The window itself and pictures without one are [`window`] and [`offscreen`].

pub mod app;
pub mod choice;
pub mod keys;
pub mod offscreen;
pub mod pad;
pub mod panel;
pub mod parameters;
pub mod picture;
pub mod tuning;
pub mod window;

mod car;
mod forces;
mod instruments;
mod meshes;
mod paint;
mod scenery;
mod schema;
mod watch;
