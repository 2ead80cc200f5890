//! What a suspension is made of.

use serde::{Deserialize, Serialize};

use crate::body::RigidBodyState;
use crate::error::{Bound, LARGEST_VEHICLE, ParamCheck, SMALLEST_MAGNITUDE, Validate};
use crate::frame::Frame;
use crate::lookup_table::LookupTable;
use crate::math::lanes::{Number, RigidPose, Vector, lanes_by_field};
use crate::math::{PI, Real, Vec3, compose, rotate, transform_point};
use crate::road_geometry::Plane;
use crate::wheel::{WheelMount, WheelParams, WheelShape};

/// Where a suspension is mounted and how far its wheel travels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuspensionParams<V: Vector = Vec3> {
    /// Pose of the suspension at full compression (m, body frame).
    pub attachment: V::Pose,
    /// Unit vector from full compression to full droop (body frame).
    pub travel_direction: V,
    /// Distance from full compression to full droop (m).
    pub travel_distance: V::Number,
    /// Pose of the wheel (m, suspension frame).
    pub wheel_attachment: V::Pose,
}

impl<V: Vector> SuspensionParams<V> {
    /// Center of the wheel at full compression (m, body frame).
    #[inline]
    pub fn wheel_mount(&self) -> V {
        transform_point(&self.attachment, self.wheel_attachment.translation())
    }
}

lanes_by_field!(SuspensionParams<Vector> {
    attachment,
    travel_direction,
    travel_distance,
    wheel_attachment,
});

impl Validate for SuspensionParams {
    fn check(&self, check: &mut ParamCheck) {
        check.pose("attachment", &self.attachment);
        check.direction("travel_direction", self.travel_direction);
        let length = Bound::Within(SMALLEST_MAGNITUDE, LARGEST_VEHICLE);
        check.number("travel_distance", self.travel_distance, length);
        check.pose("wheel_attachment", &self.wheel_attachment);
        for (name, pose) in
            [("attachment", &self.attachment), ("wheel_attachment", &self.wheel_attachment)]
        {
            let name = format_args!("{name}.translation");
            check.vector_within(name, pose.translation, LARGEST_VEHICLE);
        }
    }
}

/// How the jounce follows from the road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JounceParams {
    /// The shape of the wheel that meets the road.
    pub contact: WheelContact,
    /// What limits the speed at which a wheel drops.
    pub expansion: ExpansionSpeed,
}

/// The shape of a wheel that meets the road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WheelContact {
    /// The radius along the travel direction.
    #[default]
    Ray,
    /// The whole wheel: a cylinder, with the [shoulders](WheelParams::shoulder_radius) of the wheel.
    Cylinder,
}

/// What limits the speed at which a wheel drops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpansionSpeed {
    /// Nothing: the wheel follows the road at once. It does not hold on to it: where a fast rebound
    /// would make spring and damper pull the body down, the wheel has no load.
    #[default]
    WithoutPull,
    /// Nothing, and in fast rebound the wheel pulls the body down. For the reference's data.
    Unlimited,
    /// The spring, the damper and gravity move the wheel's mass; the wheel may leave the road.
    Limited,
}

/// Spring and damper of a suspension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuspensionForceParams<N = Real> {
    /// Spring stiffness (N/m).
    pub stiffness: N,
    /// Damping rate (N·s/m).
    pub damping: N,
    /// Part of the vehicle's mass that the suspension carries (kg). Those of all suspensions are at most
    /// four times the mass of the vehicle together.
    pub sprung_mass: N,
}

lanes_by_field!(SuspensionForceParams<Number> { stiffness, damping, sprung_mass });

impl Validate for SuspensionForceParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("stiffness", self.stiffness, Bound::Positive);
        check.number("damping", self.damping, Bound::NotNegative);
        check.number("sprung_mass", self.sprung_mass, Bound::Positive);
    }
}

/// How a suspension changes over its travel. The abscissa of every curve is the jounce divided by
/// the travel distance, in [0, 1].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuspensionComplianceParams {
    /// Toe angle (rad), positive to the left.
    pub toe: LookupTable<Real>,
    /// Camber angle (rad), about the longitudinal axis.
    pub camber: LookupTable<Real>,
    /// Where the suspension force acts (m, suspension frame).
    pub suspension_force_point: LookupTable<Vec3>,
    /// Where the tire force acts (m, suspension frame).
    pub tire_force_point: LookupTable<Vec3>,
}

impl SuspensionComplianceParams {
    /// Whether the compliance is the same at any jounce.
    pub(crate) fn is_constant(&self) -> bool {
        self.toe.is_constant()
            && self.camber.is_constant()
            && self.suspension_force_point.is_constant()
            && self.tire_force_point.is_constant()
    }
}

impl Validate for SuspensionComplianceParams {
    fn check(&self, check: &mut ParamCheck) {
        check_angles(check, "toe", &self.toe);
        check_angles(check, "camber", &self.camber);
        check_force_points(check, "suspension_force_point", &self.suspension_force_point);
        check_force_points(check, "tire_force_point", &self.tire_force_point);
    }
}

const NORMALIZED: Bound = Bound::Within(0.0, 1.0);

fn check_angles(check: &mut ParamCheck, name: &str, curve: &LookupTable<Real>) {
    check.each(name, curve.points(), |&(jounce, angle), inner| {
        inner.number("jounce", jounce, NORMALIZED);
        inner.number("angle", angle, Bound::Within(-PI, PI));
    });
}

fn check_force_points(check: &mut ParamCheck, name: &str, curve: &LookupTable<Vec3>) {
    check.each(name, curve.points(), |&(jounce, point), inner| {
        inner.number("jounce", jounce, NORMALIZED);
        inner.vector_within("point", point, LARGEST_VEHICLE);
    });
}

/// The path of a wheel from full compression to full droop, in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelTravel<V: Vector = Vec3> {
    /// Pose of the wheel at full compression, steered, without compliance (m).
    pub pose: V::Pose,
    /// Unit vector from full compression to full droop.
    pub direction: V,
    /// Distance from full compression to full droop (m).
    pub distance: V::Number,
    /// Radius of the wheel (m).
    pub radius: V::Number,
    /// Half of the wheel's width (m).
    pub half_width: V::Number,
    /// Radius of the wheel's shoulders (m).
    pub shoulder_radius: V::Number,
}

impl<V: Vector> WheelTravel<V> {
    /// The path of a `wheel` that is at `local_pose` (m, body frame) at full compression.
    #[inline]
    pub(crate) fn of_body(
        suspension: &SuspensionParams<V>,
        wheel: &WheelShape<V::Number>,
        body: &RigidBodyState<V>,
        local_pose: &V::Pose,
    ) -> Self {
        Self {
            pose: compose(&body.pose, local_pose),
            direction: body.direction(suspension.travel_direction),
            distance: suspension.travel_distance,
            radius: wheel.radius,
            half_width: wheel.half_width,
            shoulder_radius: wheel.shoulder_radius,
        }
    }

    /// Center of the wheel at full droop (m).
    #[inline]
    pub fn droop_center(&self) -> V {
        self.pose.translation() + self.direction * self.distance
    }

    /// Top of the wheel at full compression (m): where a ray down through the wheel starts.
    #[inline]
    pub fn ray_start(&self) -> V {
        self.pose.translation() - self.direction * self.radius
    }

    /// Distance from the top of the wheel at full compression to its bottom at full droop (m).
    #[inline]
    pub fn ray_length(&self) -> V::Number {
        self.distance + V::Number::splat(2.0) * self.radius
    }

    /// Bottom of the wheel at full droop (m).
    #[inline]
    pub fn ray_end(&self) -> V {
        self.bottom(V::Number::zero())
    }

    /// Unit vector along the wheel's axle, to the left.
    #[inline]
    pub fn axle(&self, frame: &Frame) -> V {
        rotate(self.pose.rotation(), V::splat(frame.lateral()))
    }

    /// Distance from the wheel's center to the plane of unit vector `normal` that it touches (m).
    ///
    /// ```text
    /// (R - ρ) |n - ℓ (n·ℓ)| + (H - ρ) |n·ℓ| + ρ
    /// ```
    ///
    /// with `ℓ` the direction of the axle, `H` half of the width and `ρ` the radius of the shoulders.
    #[inline]
    pub fn reach(&self, frame: &Frame, normal: V) -> V::Number {
        let axle = self.axle(frame);
        let across = normal.dot(axle);
        let in_disk = (normal - axle * across).length();
        let round = self.shoulder_radius;
        (self.radius - round) * in_disk + (self.half_width - round) * across.abs() + round
    }

    /// Bottom of the wheel at `jounce` (m), along the travel direction (m).
    #[inline]
    pub fn bottom(&self, jounce: V::Number) -> V {
        self.ray_start() + self.direction * (self.ray_length() - jounce)
    }
}

lanes_by_field!(WheelTravel<Vector> {
    pose,
    direction,
    distance,
    radius,
    half_width,
    shoulder_radius,
});

impl WheelTravel {
    /// Where the wheel at `jounce` (m) touches `plane` (m): its bottom, brought onto the plane.
    pub fn standing_point(&self, jounce: Real, plane: &Plane) -> Vec3 {
        let bottom = self.bottom(jounce);
        bottom - plane.normal * plane.distance(bottom)
    }
}

/// The path of a wheel steered by `steer_angle` (rad).
#[inline]
pub fn wheel_travel(
    suspension: &SuspensionParams,
    wheel: &WheelParams,
    body: &RigidBodyState,
    steer_angle: Real,
    frame: &Frame,
) -> WheelTravel {
    wheel_travel_in_lanes(suspension, &WheelShape::from(wheel), body, steer_angle, frame)
}

/// The paths of wheels steered by `steer_angle` (rad).
#[inline]
pub(crate) fn wheel_travel_in_lanes<V: Vector>(
    suspension: &SuspensionParams<V>,
    wheel: &WheelShape<V::Number>,
    body: &RigidBodyState<V>,
    steer_angle: V::Number,
    frame: &Frame,
) -> WheelTravel<V> {
    let local_pose =
        WheelMount::steered(suspension, steer_angle, frame).compressed_pose(suspension);
    WheelTravel::of_body(suspension, wheel, body, &local_pose)
}
