//! Drivers in a Rapier world: presets around tracks, traffic, a trailer backward into a bay.

#[path = "../common/mod.rs"]
mod common;

mod bay;
mod laps;
mod same_bits;
mod tracks;
mod traffic;
