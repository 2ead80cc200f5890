//! Steering axis: the line about which a wheel is steered, and what the road does about it.

use serde::{Deserialize, Serialize};

use crate::body::RigidBodyState;
use crate::error::{Bound, LARGEST_VEHICLE, ParamCheck};
use crate::frame::Frame;
use crate::math::{Clamped, Real, Vec3, normalize_or_zero, rotate, sin_cos, tan};
use crate::mount::WheelAxes;
use crate::suspension::SuspensionParams;

/// The steering axis of a wheel, also called its kingpin, as it stands on level ground, straight
/// ahead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SteeringAxisParams {
    /// The wheel.
    pub wheel: usize,
    /// Inclination of the axis seen from the side, positive if its top leans to the rear (rad).
    pub caster: Real,
    /// Inclination of the axis seen from the front, positive if its top leans to the middle of the
    /// vehicle (rad).
    pub kingpin_inclination: Real,
    /// Distance on the ground from the middle of the contact to where the axis meets the ground
    /// (m): the scrub radius. It is positive if that is towards the middle of the vehicle.
    pub kingpin_offset: Real,
    /// Distance on the ground from the middle of the contact to where the axis meets the ground,
    /// positive if that is ahead (m).
    pub mechanical_trail: Real,
}

/// How far an axis can be inclined (rad).
const INCLINATIONS: Bound = Bound::Within(-1.2, 1.2);

impl SteeringAxisParams {
    /// An upright axis through the center of `wheel`.
    pub const fn upright(wheel: usize) -> Self {
        Self {
            wheel,
            caster: 0.0,
            kingpin_inclination: 0.0,
            kingpin_offset: 0.0,
            mechanical_trail: 0.0,
        }
    }

    /// The axis of a front wheel of a mid-size car.
    pub const fn car(wheel: usize) -> Self {
        Self {
            wheel,
            caster: 0.09,
            kingpin_inclination: 0.21,
            kingpin_offset: 0.01,
            mechanical_trail: 0.025,
        }
    }

    /// Checks the axis in a vehicle of `wheel_count` wheels.
    pub(super) fn check(&self, check: &mut ParamCheck, wheel_count: usize) {
        let requirement = format_args!("a wheel below {wheel_count}");
        check.require("wheel", self.wheel < wheel_count, requirement, self.wheel);
        check.number("caster", self.caster, INCLINATIONS);
        check.number("kingpin_inclination", self.kingpin_inclination, INCLINATIONS);
        let length = Bound::Within(-LARGEST_VEHICLE, LARGEST_VEHICLE);
        check.number("kingpin_offset", self.kingpin_offset, length);
        check.number("mechanical_trail", self.mechanical_trail, length);
    }
}

/// The steering axis of a wheel in the world, and levers about it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SteeringAxis {
    /// Unit vector along the axis, upward.
    pub direction: Vec3,
    /// From a point of the axis to the middle of the contact (m).
    pub contact_arm: Vec3,
    /// From the same point to the center of the wheel (m).
    pub hub_arm: Vec3,
    /// Unit vector along the wheel's axle, to the left.
    pub axle: Vec3,
}

/// What acts on a wheel and its carrier from outside, as far as it may turn them about the steering
/// axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CarrierLoad {
    /// Force of the road at the contact: load, longitudinal and lateral force (N).
    pub contact_force: Vec3,
    /// Force at the center of the wheel (N).
    pub hub_force: Vec3,
    /// Moment of the road, and of a wheel that turns as a gyroscope (N·m).
    pub moment: Vec3,
    /// Torque about the axle that the carrier takes off the wheel's own rotation (N·m), see
    /// [`carrier_torque`].
    pub axle_torque: Real,
}

/// Torque about the axle on wheel and carrier beside that of the forces (N·m).
///
/// ```text
/// T = F_L R - T_b
/// ```
///
/// A half shaft brings its torque from the body, and what is left over speeds the wheel up. Both
/// follow from the equation of the wheel's rotation. The longitudinal force `F_L` (N) acts at the
/// `radius` `R` (m), and the torque `T_b` of the brake between wheel and carrier:
///
/// ```text
/// J dω/dt = T_shaft + T_b + M_y - F_L R,   T = T_shaft + M_y - J dω/dt
/// ```
///
/// So a wheel that is driven, or slowed down by the engine, turns about its axis as if the force
/// were at its center. One that is braked does as if it were at the contact. `T_b` is
/// `brake_torque` (N·m, its largest) against the rotation, and what holds the wheel if it stands.
#[inline]
pub fn carrier_torque(
    longitudinal_force: Real,
    radius: Real,
    brake_torque: Real,
    rotation_speed: Real,
) -> Real {
    let driving = longitudinal_force * radius;
    let braking = if rotation_speed == 0.0 {
        driving.clamped(-brake_torque, brake_torque)
    } else {
        -brake_torque.copysign(rotation_speed)
    };
    driving - braking
}

/// Moment about the steering axis (N·m), positive to the left.
///
/// ```text
/// M = e · (a × F + h × F_hub + M_road + ℓ T)
/// ```
///
/// with the direction `e` of the axis, the arms `a` of the contact and `h` of the wheel's center,
/// and the axle `ℓ`. The load is part of `F`: on an inclined axis, or with an offset, it turns the
/// wheel, too.
#[inline]
pub fn kingpin_moment(axis: &SteeringAxis, load: &CarrierLoad) -> Real {
    let moment = axis.contact_arm.cross(load.contact_force)
        + axis.hub_arm.cross(load.hub_force)
        + load.moment
        + axis.axle * load.axle_torque;
    axis.direction.dot(moment)
}

/// How a wheel stands whose steering axis is asked for.
#[derive(Clone, Copy)]
pub(super) struct SteeredWheel<'a> {
    pub(super) params: &'a SteeringAxisParams,
    pub(super) suspension: &'a SuspensionParams,
    pub(super) radius: Real,
    /// Directions of the wheel in the world, steered and cambered.
    pub(super) axes: WheelAxes,
    /// Unit vector out of the road.
    pub(super) normal: Vec3,
}

impl SteeredWheel<'_> {
    /// Steering axis of the wheel.
    ///
    /// The axis leans with the body and keeps its distances from the contact of a wheel that stands
    /// upright to the road in its rolling direction. A wheel that pitches with the body has more
    /// trail, or less.
    pub(super) fn axis(&self, body: &RigidBodyState, frame: &Frame) -> SteeringAxis {
        let &SteeringAxisParams { kingpin_offset, mechanical_trail, .. } = self.params;
        let WheelAxes { lateral: axle, longitudinal: forward } = self.axes;
        let upright = forward.cross(axle);
        let down = -normalize_or_zero(self.normal - axle * self.normal.dot(axle));
        let foot = forward * mechanical_trail + axle * (kingpin_offset * self.inward(frame));
        let hub_arm = upright * self.radius - foot;
        SteeringAxis {
            direction: self.direction(body, frame),
            contact_arm: hub_arm + down * self.radius,
            hub_arm,
            axle,
        }
    }

    /// -1 for a wheel on the left side, whose inside is to the right, 1 for the others.
    fn inward(&self, frame: &Frame) -> Real {
        let lateral = self.suspension.wheel_mount().dot(frame.lateral());
        if 0.0 < lateral { -1.0 } else { 1.0 }
    }

    fn direction(&self, body: &RigidBodyState, frame: &Frame) -> Vec3 {
        let &SteeringAxisParams { caster, kingpin_inclination, .. } = self.params;
        let inward = tan(kingpin_inclination) * self.inward(frame);
        let leaning = normalize_or_zero(frame.translation(-tan(caster), inward, 1.0));
        body.direction(rotate(self.suspension.attachment.rotation, leaning))
    }

    /// The wheel turned about `axis` by a further `angle` (rad).
    pub(super) fn turned(self, axis: Vec3, angle: Real) -> Self {
        let (sin, cos) = sin_cos(angle);
        let turn = |v: Vec3| v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos));
        let WheelAxes { lateral, longitudinal } = self.axes;
        let axes = WheelAxes { lateral: turn(lateral), longitudinal: turn(longitudinal) };
        Self { axes, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Pose;

    const RADIUS: Real = 0.3;

    /// A wheel on the left side (1) or on the right (-1) of a vehicle with x forward and z up,
    /// steered by `steer` (rad).
    fn axis(params: &SteeringAxisParams, side: Real, steer: Real) -> SteeringAxis {
        let suspension = SuspensionParams {
            attachment: Pose::from_translation(Vec3::new(1.3, 0.7 * side, 0.0)),
            wheel_attachment: Pose::IDENTITY,
            ..SuspensionParams::default()
        };
        let wheel = SteeredWheel {
            params,
            suspension: &suspension,
            radius: RADIUS,
            axes: WheelAxes { lateral: Vec3::Y, longitudinal: Vec3::X },
            normal: Vec3::Z,
        };
        wheel.turned(Vec3::Z, steer).axis(&RigidBodyState::default(), &Frame::Z_UP)
    }

    const UPRIGHT: SteeringAxisParams = SteeringAxisParams::upright(0);

    fn at_contact(contact_force: Vec3) -> CarrierLoad {
        CarrierLoad { contact_force, ..CarrierLoad::default() }
    }

    fn assert_moment(axis: &SteeringAxis, load: &CarrierLoad, expected: Real) {
        let actual = kingpin_moment(axis, load);
        assert!((actual - expected).abs() < 1e-2, "{actual} N·m, expected {expected}: {load:?}");
    }

    #[test]
    fn each_lever_turns_its_force() {
        let trailing = SteeringAxisParams { mechanical_trail: 0.03, ..UPRIGHT };
        let offset = SteeringAxisParams { kingpin_offset: 0.02, ..UPRIGHT };
        for side in [1.0, -1.0] {
            // A force to the left, behind the axis, turns to the right.
            assert_moment(&axis(&trailing, side, 0.0), &at_contact(Vec3::Y * 1_000.0), -30.0);
            // A brake force outside of the axis turns the wheel out.
            let braked = at_contact(Vec3::X * -1_000.0);
            assert_moment(&axis(&offset, side, 0.0), &braked, side * 20.0);
            // The road's moment turns by itself; a load on an upright axis does nothing.
            let aligned = CarrierLoad { moment: Vec3::Z * 40.0, ..at_contact(Vec3::Z * 4_000.0) };
            assert_moment(&axis(&UPRIGHT, side, 0.0), &aligned, 40.0);
            assert_moment(&axis(&UPRIGHT, side, 0.3), &aligned, 40.0);
        }
    }

    #[test]
    fn load_on_an_inclined_axis_centers_the_wheel() {
        // -N d sin λ sin δ, with the offset d at right angles to the axis in the ground plane
        let inclination: Real = 0.2;
        let params = SteeringAxisParams {
            kingpin_inclination: inclination,
            kingpin_offset: 0.05,
            ..UPRIGHT
        };
        for steer in [-0.4, 0.0, 0.2, 0.5 as Real] {
            let (load, expected) =
                (at_contact(Vec3::Z * 4_000.0), -4_000.0 * 0.05 * inclination.sin() * steer.sin());
            for side in [1.0, -1.0] {
                assert_moment(&axis(&params, side, steer), &load, expected);
            }
        }
    }

    #[test]
    fn load_on_a_caster_angle_pulls_the_two_wheels_apart() {
        let caster: Real = 0.1;
        let params = SteeringAxisParams { caster, kingpin_offset: 0.05, ..UPRIGHT };
        let load = at_contact(Vec3::Z * 4_000.0);
        for side in [1.0, -1.0] {
            let expected = -side * 4_000.0 * 0.05 * caster.sin();
            assert_moment(&axis(&params, side, 0.0), &load, expected);
        }
    }

    #[test]
    fn driven_wheels_feel_the_force_at_the_hub_and_braked_ones_at_the_contact() {
        let params =
            SteeringAxisParams { kingpin_inclination: 0.2, kingpin_offset: 0.01, ..UPRIGHT };
        let axis = axis(&params, 1.0, 0.0);
        let (sin, cos) = (0.2 as Real).sin_cos();
        // Distance from the axis to the center of the wheel, at right angles to both axis and
        // force.
        let hub_offset = 0.01 * cos + RADIUS * sin;
        for force in [1_000.0, -1_000.0] {
            let shaft = carrier_torque(force, RADIUS, 0.0, 50.0);
            let driven = CarrierLoad { axle_torque: shaft, ..at_contact(Vec3::X * force) };
            assert_moment(&axis, &driven, -force * hub_offset);
        }
        let (force, torque) = (-1_000.0, 1_000.0 * RADIUS);
        for rotation_speed in [50.0, 0.0] {
            let braked = carrier_torque(force, RADIUS, torque, rotation_speed);
            let braked = CarrierLoad { axle_torque: braked, ..at_contact(Vec3::X * force) };
            assert_moment(&axis, &braked, -force * 0.01 * cos);
        }
        // A resistance that the wheel does not feel is at its center.
        let dragged = CarrierLoad { hub_force: Vec3::X * -100.0, ..CarrierLoad::default() };
        assert_moment(&axis, &dragged, 100.0 * hub_offset);
    }

    #[test]
    fn a_wheel_that_leans_keeps_its_levers() {
        let params = SteeringAxisParams { mechanical_trail: 0.03, kingpin_offset: 0.02, ..UPRIGHT };
        let suspension = SuspensionParams {
            attachment: Pose::from_translation(Vec3::Y * 0.7),
            wheel_attachment: Pose::IDENTITY,
            ..SuspensionParams::default()
        };
        let upright = SteeredWheel {
            params: &params,
            suspension: &suspension,
            radius: RADIUS,
            axes: WheelAxes { lateral: Vec3::Y, longitudinal: Vec3::X },
            normal: Vec3::Z,
        };
        let body = RigidBodyState::default();
        let straight = upright.axis(&body, &Frame::Z_UP);
        let leaning = upright.turned(Vec3::X, 0.05).axis(&body, &Frame::Z_UP);
        assert!(leaning.contact_arm.distance(straight.contact_arm) < 2e-3, "{leaning:?}");
        // The nose goes down by 0.01: the wheel's center is 0.01 R less behind the foot of the
        // axis.
        let pitched = upright.turned(Vec3::Y, 0.01).axis(&body, &Frame::Z_UP);
        let change = pitched.contact_arm.x - straight.contact_arm.x;
        assert!((change - 0.01 * RADIUS).abs() < 1e-4, "{change} m");
    }
}
