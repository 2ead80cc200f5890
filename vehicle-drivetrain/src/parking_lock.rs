//! The parking lock of a drivetrain: in park, its outputs are held.

use vehicle_core::WheelList;
use vehicle_core::context::GRAVITY;
use vehicle_core::math::Real;
use vehicle_core::wheel::WheelState;
use vehicle_core::wheel_rotation::RoadWheel;

/// Speed of a wheel's rim up to which its lock goes in (m/s): 5 km/h. Above it the pawl skips over
/// the teeth.
const LOCKING_SPEED: Real = 1.4;
/// Friction of a road that the lock of one wheel would hold the whole vehicle on (dimensionless):
/// more than any tire has.
const HELD_FRICTION: Real = 10.0;

/// Data of the vehicle by which the parking lock acts on each driven wheel.
#[derive(Debug)]
pub(crate) struct ParkingLock<'a> {
    /// Mass of the vehicle (kg).
    pub(crate) mass: Real,
    /// Units of length per meter.
    pub(crate) length_scale: Real,
    /// Radius of each wheel.
    pub(crate) road_wheels: &'a WheelList<RoadWheel>,
    /// Rotation speed of each wheel.
    pub(crate) wheels: &'a WheelList<WheelState>,
}

impl ParkingLock<'_> {
    /// Adds the torque of the lock of `wheel` to that of its brake.
    ///
    /// ```text
    /// T = 10 m g R   where |ω| R ≤ 1.4 m/s
    /// ```
    ///
    /// A wheel that is held stands, so that nothing need be remembered for the lock to stay in.
    pub(crate) fn hold(&self, wheel: usize, brake_torques: &mut WheelList<Real>) {
        let radius = self.road_wheels.of(wheel).radius;
        let rim_speed = (self.wheels.of(wheel).rotation_speed * radius).abs();
        if rim_speed <= LOCKING_SPEED * self.length_scale {
            let weight = self.mass * GRAVITY * self.length_scale;
            brake_torques[wheel] += HELD_FRICTION * weight * radius;
        }
    }
}
