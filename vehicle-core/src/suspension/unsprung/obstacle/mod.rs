//! Wheels with mass at obstacles: the tire as a body that gives way to what is in front of it.
//!
//! A ray down the suspension can only lift a wheel: up a kerb as high as itself, at any speed. A
//! wheel at an obstacle has beside its jounce a second freedom, along the vehicle, in the bush of
//! its suspension. Road and obstacle press [one belt](law); their [push](push::Push) on the hub is
//! implicit, and [solved](system) with the motion of body and wheels. Nothing of this is computed
//! for wheels that have nothing in front of them.

pub(super) mod give;
pub(super) mod hub;
pub(super) mod law;
pub(super) mod push;
pub(super) mod system;
