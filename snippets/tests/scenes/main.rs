//! The programs, run headless, and the scenes that they drive.

mod constraint_car;
mod custom_suspension;
mod custom_tire;
mod data_sheets;
mod direct_drive;
mod drive;
mod drivelines;
mod four_wheel_drive;
mod off_road;
mod programs;
mod ride;
mod smooth_road;
mod soft_ground;
mod tank_drive;
mod three_models;
mod tire_table;
mod truck;
