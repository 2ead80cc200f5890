//! Three models of one car: forces, constraints, and wheels that are bodies; and the change from
//! one to another while it drives.

pub mod block;
pub mod car;
pub mod chassis;
pub mod constraints;
mod level_of_detail;
pub mod levels;
pub mod otherwise;
pub mod page;
pub mod rigid;
pub mod trial;
mod wheel_body;
