//! Driver aids on a planar car: whether they do for it what they are for, at any rate.

mod anti_lock;
mod coordinates;
mod gravity;
mod plant;
mod stability;
mod traction;
