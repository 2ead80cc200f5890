//! Mount: a wheel, where it is mounted in the body, and the path that it travels there.

mod pose;
mod travel;
mod wheel;
mod written;

pub(crate) use self::pose::{SteeredPose, WheelAxes, WheelMount};
pub use self::pose::{WheelAngles, wheel_local_orientation, wheel_local_pose, wheel_travel};
#[cfg(test)]
pub(crate) use self::travel::travel_of_a_wheel;
pub use self::travel::{SuspensionParams, WheelTravel};
pub(crate) use self::wheel::wheel_reach;
pub use self::wheel::{ContactShape, RoadWheel, WheelParams, usual_rolling_resistance};
