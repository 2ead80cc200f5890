//! What a driver sees of the vehicle: where it is, how it moves, whether its wheels slip.

use vehicle_core::Frame;
use vehicle_core::math::{Real, Vec3, atan2};
use vehicle_core::vehicle::{HasMechanics, MechanicsRef, ReadVehicle};

/// Least length of a heading seen from above (dimensionless): a vehicle that stands on its nose has
/// none.
const LEAST_HEADING: Real = 0.1;

/// The motion of a vehicle, seen from above, as a driver needs it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DriverView {
    /// Where the center of mass is: along the longitudinal and the lateral axis of the frame (m).
    pub place: [Real; 2],
    /// Unit vector ahead.
    pub heading: [Real; 2],
    /// Speed ahead over the ground, negative backward (m/s).
    pub speed: Real,
    /// Speed to the left (m/s).
    pub lateral_speed: Real,
    /// Yaw rate to the left (rad/s).
    pub yaw_rate: Real,
    /// Mean friction of the ground under the wheels (dimensionless); 0 in the air.
    pub friction: Real,
    /// Speed of the fastest tread over the ground of wheels that are driven, and of the one that
    /// brakes hold back most (m/s).
    pub slips: [Real; 2],
}

impl DriverView {
    /// The view of `vehicle`, of the axes of `frame`, by the end of the last step.
    pub fn of<V: HasMechanics + ?Sized>(vehicle: &V, frame: &Frame) -> Self {
        let MechanicsRef { params, state, .. } = vehicle.read_mechanics();
        let body = &state.rigid_body;
        let level = |vector: Vec3| [vector.dot(frame.longitudinal()), vector.dot(frame.lateral())];
        let [ahead, aside] = level(body.direction(frame.longitudinal()));
        let length = (ahead * ahead + aside * aside).sqrt();
        let heading =
            if LEAST_HEADING < length { [ahead / length, aside / length] } else { [1.0, 0.0] };
        let (mut ground, mut friction, mut touching, mut slips) = (Vec3::ZERO, 0.0, 0.0, [0.0; 2]);
        for wheel in params.axles.wheels() {
            let tire = vehicle.tire_state(wheel);
            if tire.grip.load <= 0.0 {
                continue;
            }
            let Some(road) = vehicle.road(wheel) else { continue };
            (ground, friction, touching) =
                (ground + road.velocity, friction + road.friction, touching + 1.0);
            let tread = vehicle.wheel_state(wheel).rotation_speed * params.wheels[wheel].radius;
            let (rolled, way) = (tire.speeds.longitudinal, tread - tire.speeds.longitudinal);
            let is_faster = 0.0 < way * rolled || rolled.abs() < way.abs();
            let slip: &mut Real = &mut slips[usize::from(!is_faster)];
            *slip = slip.max(way.abs());
        }
        let share = if 0.0 < touching { 1.0 / touching } else { 0.0 };
        let [x, y] = level(body.linear_velocity - ground * share);
        Self {
            place: level(body.pose.translation),
            heading,
            speed: x * heading[0] + y * heading[1],
            lateral_speed: y * heading[0] - x * heading[1],
            yaw_rate: body.angular_velocity.dot(frame.vertical()),
            friction: friction * share,
            slips,
        }
    }

    /// The point `ahead` of the center of mass (m).
    pub fn point(&self, ahead: Real) -> [Real; 2] {
        [0, 1].map(|axis| self.place[axis] + ahead * self.heading[axis])
    }

    /// Angle of the heading to the left of `direction`, in [-π, π] (rad).
    pub fn heading_error(&self, direction: [Real; 2]) -> Real {
        angle_between(direction, self.heading)
    }
}

/// Angle of `other` to the left of `one`, in [-π, π] (rad).
pub(super) fn angle_between(one: [Real; 2], other: [Real; 2]) -> Real {
    let cross = one[0] * other[1] - one[1] * other[0];
    atan2(cross, one[0] * other[0] + one[1] * other[1])
}
