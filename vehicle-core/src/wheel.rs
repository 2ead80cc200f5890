//! Wheel: rotation about the axle and pose in the body.

use std::ops::ControlFlow::{self, Continue};

use serde::{Deserialize, Serialize};

use crate::actuation::WheelActuation;
use crate::body::RigidBodyState;
use crate::error::{Bound, ParamCheck, Validate};
use crate::frame::Frame;
use crate::math::lanes::{Mask, Number, Real4, RigidPose, Vector, lanes_by_field};
use crate::math::{Real, TAU, Vec3, multiply, rotate, rotate_by_matrix};
use crate::suspension::{SuspensionCompliance, SuspensionParams, SuspensionState};
use crate::tire::TireState;
use crate::{AxleDescription, Component, Context, WheelList};

/// Shape and inertia of a wheel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WheelParams {
    /// Radius, tire included (m).
    pub radius: Real,
    /// Half of the width (m).
    pub half_width: Real,
    /// Radius of the shoulders, the rounded edges between tread and sides (m): 0 for a cylinder,
    /// `half_width` for a tread that is round all across, such as a motorcycle's.
    #[serde(default)]
    pub shoulder_radius: Real,
    /// Mass (kg).
    pub mass: Real,
    /// Moment of inertia about the axle (kg·m²).
    pub inertia: Real,
    /// Torque per rotation speed that slows the wheel (N·m·s).
    pub damping_rate: Real,
    /// Inflation pressure of the tire, for tire models that use it (Pa).
    #[serde(default = "usual_inflation_pressure")]
    pub inflation_pressure: Real,
    /// Vertical stiffness of the tire, for tire models that use it (N/m).
    #[serde(default = "usual_radial_stiffness")]
    pub radial_stiffness: Real,
    /// The kind of tire, a number of the user's own: a road may give each kind another friction.
    #[serde(default)]
    pub tire_kind: u32,
}

fn usual_inflation_pressure() -> Real {
    WheelParams::default().inflation_pressure
}

fn usual_radial_stiffness() -> Real {
    WheelParams::default().radial_stiffness
}

impl Default for WheelParams {
    /// The wheel of a mid-size car.
    fn default() -> Self {
        Self {
            radius: 0.33,
            half_width: 0.11,
            shoulder_radius: 0.0,
            mass: 20.0,
            inertia: 1.2,
            damping_rate: 0.25,
            inflation_pressure: 220e3,
            radial_stiffness: 220e3,
            tire_kind: 0,
        }
    }
}

impl Validate for WheelParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("radius", self.radius, Bound::Positive);
        check.number("half_width", self.half_width, Bound::Positive);
        let roundest = self.radius.min(self.half_width).max(0.0);
        check.number("shoulder_radius", self.shoulder_radius, Bound::Within(0.0, roundest));
        check.number("mass", self.mass, Bound::Positive);
        check.number("inertia", self.inertia, Bound::Positive);
        check.number("damping_rate", self.damping_rate, Bound::NotNegative);
        check.number("inflation_pressure", self.inflation_pressure, Bound::NotNegative);
        check.number("radial_stiffness", self.radial_stiffness, Bound::NotNegative);
    }
}

/// Shape of the wheel in each lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelShape<N = Real> {
    /// Radius (m).
    pub radius: N,
    /// Half of the width (m).
    pub half_width: N,
    /// Radius of the shoulders (m).
    pub shoulder_radius: N,
}

lanes_by_field!(WheelShape<Number> { radius, half_width, shoulder_radius });

impl From<&WheelParams> for WheelShape {
    fn from(params: &WheelParams) -> Self {
        let WheelParams { radius, half_width, shoulder_radius, .. } = *params;
        Self { radius, half_width, shoulder_radius }
    }
}

/// What is in a tire, and how stiff it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireInflation<N = Real> {
    /// Inflation pressure (Pa).
    pub pressure: N,
    /// Vertical stiffness (N/m).
    pub radial_stiffness: N,
}

lanes_by_field!(TireInflation<Number> { pressure, radial_stiffness });

impl From<&WheelParams> for TireInflation {
    fn from(params: &WheelParams) -> Self {
        Self { pressure: params.inflation_pressure, radial_stiffness: params.radial_stiffness }
    }
}

/// Rotation and pose of a wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "V::Number: Serialize, V::Pose: Serialize, <V::Number as Number>::Mask: Serialize",
    deserialize = "V::Number: Deserialize<'de>, V::Pose: Deserialize<'de>, \
                   <V::Number as Number>::Mask: Deserialize<'de>"
))]
pub struct WheelState<V: Vector = Vec3> {
    /// Rotation speed, positive rolls forward (rad/s).
    pub rotation_speed: V::Number,
    /// Rotation speed that turned the wheel for the eye (rad/s), see [`displayed_rotation_speed`].
    pub displayed_rotation_speed: V::Number,
    /// Angle about the axle, in (-2π, 2π) (rad).
    pub rotation_angle: V::Number,
    /// Pose of the wheel (m, body frame).
    pub local_pose: V::Pose,
    /// Whether the vehicle has lost the wheel: it does not turn, and there is no road under it.
    #[serde(default)]
    pub is_detached: <V::Number as Number>::Mask,
}

lanes_by_field!(WheelState<Vector> {
    rotation_speed,
    displayed_rotation_speed,
    rotation_angle,
    local_pose,
    is_detached,
});

/// Angles of a wheel in its suspension.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelAngles<N = Real> {
    /// Steer angle (rad), positive to the left.
    pub steer: N,
    /// Toe angle (rad), positive to the left.
    pub toe: N,
    /// Camber angle (rad), about the longitudinal axis.
    pub camber: N,
    /// Rotation about the axle (rad).
    pub rotation: N,
}

/// Orientation of a wheel in the body.
///
/// ```text
/// q = q_suspension R(camber, 0, steer + toe) q_wheel R(0, rotation, 0)
/// ```
#[inline]
pub fn wheel_local_orientation<V: Vector>(
    suspension: &SuspensionParams<V>,
    angles: &WheelAngles<V::Number>,
    frame: &Frame,
) -> V::Rotation {
    WheelMount::new(suspension, angles, frame).orientation(suspension, angles.rotation, frame)
}

/// How a wheel is steered and cambered in its suspension, whatever its rotation and jounce.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WheelMount<V: Vector> {
    /// Orientation of the mount in the body.
    rotation: V::Rotation,
    /// From the mount to the center of the wheel (m, body frame).
    arm: V,
}

impl<V: Vector> WheelMount<V> {
    /// The mount at `angles`, but for the rotation.
    #[inline]
    pub(crate) fn new(
        suspension: &SuspensionParams<V>,
        angles: &WheelAngles<V::Number>,
        frame: &Frame,
    ) -> Self {
        let turn = frame.rotation(angles.camber, Number::zero(), angles.steer + angles.toe);
        let rotation = multiply(suspension.attachment.rotation(), turn);
        Self { rotation, arm: rotate(rotation, suspension.wheel_attachment.translation()) }
    }

    /// The mount of a wheel that is steered by `steer` (rad), without toe and camber.
    #[inline]
    pub(crate) fn steered(
        suspension: &SuspensionParams<V>,
        steer: V::Number,
        frame: &Frame,
    ) -> Self {
        Self::new(suspension, &WheelAngles { steer, ..WheelAngles::default() }, frame)
    }

    /// Pose in the body of the wheel at full compression, without its rotation (m).
    #[inline]
    pub(crate) fn compressed_pose(&self, suspension: &SuspensionParams<V>) -> V::Pose {
        let center = self.center(suspension, suspension.travel_distance);
        V::Pose::new(center, self.unspun_orientation(suspension))
    }

    /// Orientation in the body of the wheel, turned by `rotation` (rad) about its axle.
    #[inline]
    fn orientation(
        &self,
        suspension: &SuspensionParams<V>,
        rotation: V::Number,
        frame: &Frame,
    ) -> V::Rotation {
        let spun = multiply(suspension.wheel_attachment.rotation(), frame.pitch(rotation));
        multiply(self.rotation, spun)
    }

    /// Orientation in the body of the wheel without its rotation.
    #[inline]
    pub(crate) fn unspun_orientation(&self, suspension: &SuspensionParams<V>) -> V::Rotation {
        multiply(self.rotation, suspension.wheel_attachment.rotation())
    }

    /// Center of the wheel at `jounce` (m) (m, body frame).
    #[inline]
    fn center(&self, suspension: &SuspensionParams<V>, jounce: V::Number) -> V {
        let extension = suspension.travel_distance - jounce;
        let mount = suspension.attachment.translation() + suspension.travel_direction * extension;
        self.arm + mount
    }

    /// Pose in the body of the wheel at `jounce` (m), turned by `rotation` (rad) about its axle.
    #[inline]
    pub(crate) fn pose(
        &self,
        suspension: &SuspensionParams<V>,
        jounce: V::Number,
        rotation: V::Number,
        frame: &Frame,
    ) -> V::Pose {
        let orientation = self.orientation(suspension, rotation, frame);
        V::Pose::new(self.center(suspension, jounce), orientation)
    }
}

/// Unit vectors of a wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct WheelAxes<V: Vector = Vec3> {
    /// Along the axle, to the left.
    pub(crate) lateral: V,
    /// Forward, across the axle.
    pub(crate) longitudinal: V,
}

lanes_by_field!(WheelAxes<Vector> { lateral, longitudinal });

impl<V: Vector> WheelAxes<V> {
    /// The axes of a wheel of this orientation.
    #[inline]
    pub(crate) fn oriented(orientation: V::Rotation, frame: &Frame) -> Self {
        let along = |axis| rotate_by_matrix(orientation, V::splat(axis));
        Self { lateral: along(frame.lateral()), longitudinal: along(frame.longitudinal()) }
    }

    /// Axes in `body` as they are in the world.
    #[inline]
    pub(crate) fn in_world(&self, body: &RigidBodyState<V>) -> Self {
        let turn = |axis| rotate_by_matrix(body.pose.rotation(), axis);
        Self { lateral: turn(self.lateral), longitudinal: turn(self.longitudinal) }
    }
}

/// Pose of a wheel at `jounce` (m) in the body.
///
/// ```text
/// pose = (p_suspension + t (D - j), q_suspension R(camber, 0, steer + toe)) (p_wheel, q_wheel R(0, rotation, 0))
/// ```
///
/// with `t` the travel direction and `D` the travel distance.
#[inline]
pub fn wheel_local_pose<V: Vector>(
    suspension: &SuspensionParams<V>,
    jounce: V::Number,
    angles: &WheelAngles<V::Number>,
    frame: &Frame,
) -> V::Pose {
    let mount = WheelMount::new(suspension, angles, frame);
    mount.pose(suspension, jounce, angles.rotation, frame)
}

/// How the wheel turns, as far as its display is concerned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelRolling<N: Number = Real> {
    /// Whether the wheel touches the ground and neither drives nor brakes.
    pub is_free_on_ground: N::Mask,
    /// Speed of the contact point along the road (m/s).
    pub longitudinal_speed: N,
    /// Radius of the wheel (m).
    pub radius: N,
}

impl<N: Number> WheelRolling<N> {
    /// The displayed rotation speed (rad/s) and the angle (rad) `dt` (s) after `angle`, of a wheel that
    /// turns at `rotation_speed` (rad/s).
    #[inline]
    pub(crate) fn turned(
        &self,
        rotation_speed: N,
        angle: N,
        dt: Real,
        context: &Context<'_>,
    ) -> (N, N) {
        let blend_speed = context.params.rolling_blend_speed;
        let speed = displayed_rotation_speed(rotation_speed, self, blend_speed);
        (speed, advance_rotation_angle(angle, speed, dt))
    }
}

/// Rotation speed (rad/s) with which a wheel is shown to turn.
///
/// A wheel that rolls freely below `blend_speed` V follows the road, where its own speed is noise:
///
/// ```text
/// ω' = (v / R) (1 - α) + ω α,   α = |v| / V
/// ```
#[inline]
pub fn displayed_rotation_speed<N: Number>(
    rotation_speed: N,
    rolling: &WheelRolling<N>,
    blend_speed: Real,
) -> N {
    let (speed, blend_speed) = (rolling.longitudinal_speed, N::splat(blend_speed));
    let share = speed.abs() / blend_speed;
    let blended = (speed / rolling.radius) * (N::splat(1.0) - share) + rotation_speed * share;
    let is_slow = !blend_speed.is_at_most(speed.abs());
    N::select(rolling.is_free_on_ground & is_slow, blended, rotation_speed)
}

/// Angle (rad) after turning from `angle` at `rotation_speed` (rad/s) for `dt` (s), in (-2π, 2π).
#[inline]
pub fn advance_rotation_angle<N: Number>(angle: N, rotation_speed: N, dt: Real) -> N {
    let (advanced, turn) = (angle + rotation_speed * N::splat(dt), N::splat(TAU));
    // Most wheels turn less than once in a step: a difference is the exact remainder then.
    let is_beyond = !advanced.abs().is_below(turn + turn);
    let rest =
        N::select(advanced.abs().is_below(turn), advanced, advanced - turn.copysign(advanced));
    if is_beyond.any() {
        N::select(is_beyond, advanced.map(|angle| angle % TAU), rest)
    } else {
        rest
    }
}

/// What the stage needs from a vehicle.
pub struct WheelView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Mass of each wheel.
    pub params: &'a [WheelParams],
    /// Shape of each wheel.
    pub shapes: &'a WheelList<WheelShape>,
    /// Mount of each suspension.
    pub suspension_params: &'a WheelList<SuspensionParams>,
    /// Compression of each suspension.
    pub suspension_states: &'a WheelList<SuspensionState>,
    /// Toe and camber of each suspension.
    pub compliances: &'a WheelList<SuspensionCompliance>,
    /// Steer angle of each wheel (rad).
    pub steer_angles: &'a WheelList<Real>,
    /// Whether each wheel drives or brakes.
    pub actuations: &'a WheelList<WheelActuation>,
    /// Speed of each tire over the road.
    pub tires: &'a WheelList<TireState>,
    /// Read and written: rotation and pose of each wheel.
    pub states: &'a mut WheelList<WheelState>,
}

impl WheelView<'_> {
    /// Turns every wheel and places it in the body.
    pub fn update(mut self, dt: Real, context: &Context<'_>) {
        for four in 0..self.states.fours().len() {
            let suspension = &self.suspension_states.fours()[four];
            let is_free = !self.actuations.fours()[four].is_active();
            let rolling = WheelRolling {
                is_free_on_ground: Real4::zero().is_below(suspension.jounce) & is_free,
                longitudinal_speed: self.tires.fours()[four].speeds.longitudinal,
                radius: self.shapes.fours()[four].radius,
            };
            let state = &mut self.states.fours_mut()[four];
            let (speed, angle) =
                rolling.turned(state.rotation_speed, state.rotation_angle, dt, context);
            state.displayed_rotation_speed = speed;
            state.rotation_angle = angle;
        }
        self.place(context.frame());
    }

    /// Places every wheel in the body, as it is compressed, steered and turned.
    pub fn place(&mut self, frame: &Frame) {
        for four in 0..self.states.fours().len() {
            let (suspension, state) =
                (&self.suspension_params.fours()[four], &self.suspension_states.fours()[four]);
            let compliance = &self.compliances.fours()[four];
            let angles = WheelAngles {
                steer: self.steer_angles.fours()[four],
                toe: compliance.toe,
                camber: compliance.camber,
                rotation: self.states.fours()[four].rotation_angle,
            };
            let jounce = Number::select(state.is_known, state.jounce, suspension.travel_distance);
            self.states.fours_mut()[four].local_pose =
                wheel_local_pose(suspension, jounce, &angles, frame);
        }
    }
}

/// A vehicle with wheels.
pub trait HasWheels {
    /// Borrows what the stage reads and writes.
    fn wheels(&mut self) -> WheelView<'_>;
}

/// The wheel stage as a component.
#[derive(Clone, Copy, Debug)]
pub struct Wheel;

impl<V: HasWheels + ?Sized> Component<V> for Wheel {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.wheels().update(dt, context);
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Pose;
    use crate::math::{PI, Vec3};

    const SUSPENSION: SuspensionParams = SuspensionParams {
        attachment: Pose::IDENTITY,
        travel_direction: Vec3::NEG_Z,
        travel_distance: 0.2,
        wheel_attachment: Pose::IDENTITY,
    };

    #[test]
    fn wheel_hangs_by_its_extension() {
        for (jounce, height) in [(0.2, 0.0), (0.0, -0.2), (0.05, -0.15)] {
            let pose = wheel_local_pose(&SUSPENSION, jounce, &WheelAngles::default(), &Frame::Z_UP);
            assert!((pose.translation.z - height).abs() < 1e-7, "jounce {jounce}: {pose:?}");
        }
    }

    #[test]
    fn shoulders_fit_into_the_wheel_and_may_be_left_out_of_a_file() {
        let wheel = WheelParams { radius: 0.3, half_width: 0.1, ..WheelParams::default() };
        for (shoulder_radius, is_valid) in
            [(0.0, true), (0.1, true), (-0.01, false), (0.11, false), (Real::NAN, false)]
        {
            let wheel = WheelParams { shoulder_radius, ..wheel };
            assert_eq!(wheel.validate().is_ok(), is_valid, "{shoulder_radius}");
        }
        let flat = WheelParams { radius: 0.05, shoulder_radius: 0.08, ..wheel };
        let expected = "shoulder_radius must be within [0, 0.05], got 0.08";
        assert_eq!(flat.validate().unwrap_err().to_string(), expected);

        let mut saved = serde_json::to_value(wheel).unwrap();
        saved.as_object_mut().unwrap().remove("shoulder_radius");
        assert_eq!(serde_json::from_value::<WheelParams>(saved).unwrap(), wheel);
    }

    #[test]
    fn positive_rotation_rolls_forward() {
        let angles = WheelAngles { rotation: PI / 2.0, ..WheelAngles::default() };
        let orientation = wheel_local_orientation(&SUSPENSION, &angles, &Frame::Z_UP);
        assert!((orientation * Vec3::Z).distance(Vec3::X) < 1e-6, "the top moves forward");
    }

    #[test]
    fn free_wheels_follow_the_road_when_slow() {
        let rolling =
            WheelRolling { is_free_on_ground: true, longitudinal_speed: 1.0, radius: 0.5 };
        // (1 / 0.5) 0.8 + 7 · 0.2
        assert!((displayed_rotation_speed(7.0, &rolling, 5.0) - 3.0).abs() < 1e-6);
        let fast = WheelRolling { longitudinal_speed: 5.0, ..rolling };
        assert_eq!(displayed_rotation_speed(7.0, &fast, 5.0), 7.0);
        let driven = WheelRolling { is_free_on_ground: false, ..rolling };
        assert_eq!(displayed_rotation_speed(7.0, &driven, 5.0), 7.0);
    }

    #[test]
    fn angle_stays_within_one_turn() {
        for speed in [1e3, -1e3, 1e6, -1e9] {
            let angle = advance_rotation_angle(1.0, speed, 1.0);
            assert!(angle.abs() <= TAU, "{angle} at {speed}");
        }
    }
}
