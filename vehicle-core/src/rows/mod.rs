//! Rows: equations for speeds of points of a body, and the solver that executes them. They know no
//! wheel.

mod body_velocity;
mod bounds;
mod free;
mod lanes;
mod left_free;
mod momentum;
mod momentum_system;
mod row;
mod solver;
mod terms;
mod vehicle_rows;
mod way_back;

pub use self::body_velocity::BodyVelocity;
pub(crate) use self::free::FreeSystem;
pub(crate) use self::lanes::{FourRows, RowLanes};
pub(crate) use self::left_free::leave_free;
pub use self::row::{
    ConstraintRow, HostRows, HostStand, LimitDirection, RowExecution, SuspensionLimitParams,
    WheelRows, limit_direction, suspension_limit,
};
pub use self::solver::execute_rows;
pub(crate) use self::solver::execute_rows_with;
pub use self::vehicle_rows::VehicleRows;
pub(crate) use self::way_back::WayBack;
