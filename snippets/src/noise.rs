//! Noise: pseudo-random numbers, the same on every machine.

pub use vehicle_rapier::core::math::noise::Noise;
