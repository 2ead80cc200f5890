//! Manoeuvres: figures against closed forms, all presets, files that are wrong, the program.

mod closed_forms;
mod common;
mod drivers;
mod faults;
mod inputs;
mod mutated;
mod presets;
mod program;
mod schema;
mod trailers;
