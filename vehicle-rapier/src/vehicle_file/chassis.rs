//! Body and colliders of a vehicle, as a file says them.

use std::fmt::Display;

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::Frame;
use vehicle_core::blueprint::Plausible;
use vehicle_core::error::{Bound, LARGEST_VEHICLE, ParamCheck, Validate};
use vehicle_core::tire::models::AnyTire;
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::written_pose;

/// Body and colliders of a vehicle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ChassisSource {
    /// Center of mass and principal axes of inertia in the body (m).
    #[serde(with = "written_pose")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "written_pose::schema"))]
    pub center_of_mass: Pose,
    /// Colliders of the body.
    pub colliders: Vec<ChassisCollider>,
    /// Whether each wheel has a collider, too, see [`wheel_colliders`](crate::wheel_colliders).
    pub has_wheel_colliders: bool,
}

/// Radius of a rim, by that of its tire (dimensionless).
const RIM_RADIUS: Real = 0.62;

/// Slope up to which the hull of a data sheet is clear of a road that turns up before the wheels
/// (dimensionless).
const APPROACH: Real = 0.35;

/// How high its ends begin at most, as a part of its height (dimensionless).
const HIGHEST_NOSE: Real = 0.5;

/// Largest distance of a part of a vehicle from the origin of its body, and largest size of a
/// collider (m).
const FARTHEST: Real = 100.0;

/// Units in which the places of parts are found beside the meter: drawings have millimeters.
const IN_DRAWINGS: Plausible = Plausible::new(0.0, 10.0, "m").or_in(&[
    ("millimeters", 1e-3),
    ("centimeters", 1e-2),
    ("inches", 0.0254),
]);

/// Checks that `place` (m), the field `name`, which is finite, is one of a part of a vehicle.
pub(super) fn check_place(check: &mut ParamCheck, name: impl Display, place: Vector) {
    let distance = place.length();
    if FARTHEST < distance {
        let unit = IN_DRAWINGS.meant(distance);
        let hint = unit.map_or_else(String::new, |unit| format!(": in {unit}?"));
        let requirement = format_args!("at most {FARTHEST} m from the origin of its body");
        check.require(name, false, requirement, format_args!("{place}{hint}"));
    }
}

/// A collider of a vehicle's body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ChassisCollider {
    /// Shape of the collider.
    pub shape: ColliderShape,
    /// Where it is in the body (m).
    #[serde(default, with = "written_pose")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "written_pose::schema"))]
    pub pose: Pose,
    /// Friction coefficient of the collider (dimensionless); by default, that of Rapier's
    /// colliders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<Real>,
}

/// The shape of a collider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum ColliderShape {
    /// A box.
    Cuboid {
        /// Half of its extents along x, y and z (m).
        half_extents: [Real; 3],
    },
    /// A cylinder along y.
    Cylinder {
        /// Half of its height (m).
        half_height: Real,
        /// Its radius (m).
        radius: Real,
    },
    /// A cylinder along y with hemispheres at its ends.
    Capsule {
        /// Half of the height of the cylinder (m).
        half_height: Real,
        /// Its radius (m).
        radius: Real,
    },
    /// The convex hull of points.
    ConvexHull {
        /// The points (m), at least four that are not in a plane.
        points: Vec<[Real; 3]>,
    },
}

impl ColliderShape {
    fn builder(&self) -> Option<ColliderBuilder> {
        Some(match self {
            Self::Cuboid { half_extents: [x, y, z] } => ColliderBuilder::cuboid(*x, *y, *z),
            Self::Cylinder { half_height, radius } => {
                ColliderBuilder::cylinder(*half_height, *radius)
            }
            Self::Capsule { half_height, radius } => {
                ColliderBuilder::capsule_y(*half_height, *radius)
            }
            Self::ConvexHull { points } => {
                let points: Vec<_> = points.iter().map(|&point| Vector::from(point)).collect();
                if !spans_space(&points) {
                    return None;
                }
                ColliderBuilder::convex_hull(&points)?
            }
        })
    }

    fn check(&self, check: &mut ParamCheck) {
        let size = Bound::Within(1e-4, LARGEST_VEHICLE);
        match self {
            Self::Cuboid { half_extents } => {
                for (index, &extent) in half_extents.iter().enumerate() {
                    check.number(format_args!("cuboid.half_extents[{index}]"), extent, size);
                }
            }
            Self::Cylinder { half_height, radius } => {
                check.number("cylinder.half_height", *half_height, size);
                check.number("cylinder.radius", *radius, size);
            }
            Self::Capsule { half_height, radius } => {
                check.number("capsule.half_height", *half_height, size);
                check.number("capsule.radius", *radius, size);
            }
            Self::ConvexHull { points } => {
                let first = check_points(points, check);
                if first {
                    let requirement = "at least four that are not in a plane";
                    let is_hull = self.builder().is_some();
                    let value = format_args!("{} points", points.len());
                    check.require("convex_hull.points", is_hull, requirement, value);
                }
            }
        }
    }
}

/// Reports points that are too far away; whether there is none.
fn check_points(points: &[[Real; 3]], check: &mut ParamCheck) -> bool {
    let mut are_good = true;
    for (index, &point) in points.iter().enumerate() {
        let point = Vector::from(point);
        are_good &= point.length() <= LARGEST_VEHICLE;
        check.vector_within(format_args!("convex_hull.points[{index}]"), point, LARGEST_VEHICLE);
    }
    are_good
}

/// Whether points are not all in a plane, but for a thousandth of their extent.
fn spans_space(points: &[Vector]) -> bool {
    let Some(&origin) = points.first() else { return false };
    let farthest = |distance: &dyn Fn(Vector) -> Real| {
        points
            .iter()
            .map(|&point| point - origin)
            .max_by(|a, b| distance(*a).total_cmp(&distance(*b)))
    };
    let Some(along) = farthest(&|arm| arm.length()).filter(|arm| 1e-4 < arm.length()) else {
        return false;
    };
    let along = along.normalize();
    let Some(across) = farthest(&|arm| arm.cross(along).length()) else { return false };
    let normal = across.cross(along);
    let extent = points.iter().map(|&point| (point - origin).length()).fold(0.0, Real::max);
    let least = 1e-3 * extent;
    least < normal.length()
        && points.iter().any(|&point| least < (point - origin).dot(normal.normalize()).abs())
}

impl ChassisCollider {
    pub(super) fn builder(&self) -> Option<ColliderBuilder> {
        let collider = self.shape.builder()?.position(self.pose);
        Some(match self.friction {
            Some(friction) => collider.friction(friction),
            None => collider,
        })
    }
}

impl Validate for ChassisCollider {
    fn check(&self, check: &mut ParamCheck) {
        check.field("shape", |inner| self.shape.check(inner));
        check.pose("pose", &self.pose);
        check_place(check, "pose.translation", self.pose.translation);
        if let Some(friction) = self.friction {
            check.number("friction", friction, Bound::NotNegative);
        }
    }
}

impl Validate for ChassisSource {
    fn check(&self, check: &mut ParamCheck) {
        check.pose("center_of_mass", &self.center_of_mass);
        let place = self.center_of_mass.translation;
        check_place(check, "center_of_mass.translation", place);
        check.each("colliders", &self.colliders, ChassisCollider::check);
    }
}

impl ChassisSource {
    /// The body of a vehicle that has nothing but a data sheet, of which `mechanics` are made: a
    /// hull of this length, width and height (m).
    ///
    /// It begins at the hubs, which are at rest at `hub_height` above the center of mass (m).
    /// Where the road touches a rim whose suspension is at its end, it begins there, if that is
    /// higher. So tires, stops and rims carry before it touches. Before the first axle and behind
    /// the last one it begins higher, by the [approach](APPROACH): roads that turn up before the
    /// wheels.
    pub(super) fn of_size(
        size: [Real; 3],
        hub_height: Real,
        frame: &Frame,
        mechanics: &MechanicalParams<AnyTire>,
    ) -> Self {
        let [length, width, height] = size;
        let places =
            mechanics.suspensions.iter().map(|suspension| suspension.attachment.translation);
        let rims = places
            .clone()
            .zip(&mechanics.wheels)
            .map(|(place, wheel)| place.dot(frame.vertical()) - RIM_RADIUS * wheel.radius);
        let bottom = rims.fold(hub_height, Real::max);
        let (top, half_width) = (hub_height + height, 0.5 * width);
        let along = places.map(|place| place.dot(frame.longitudinal()));
        // An end without wheels, such as that of a trailer at its hitch, is not raised.
        let end = |last: Real| if 0.0 < last { last.min(0.5 * length) } else { 0.5 * length };
        let first = end(along.clone().fold(0.0, Real::max));
        let last = -end(along.map(|place| -place).fold(0.0, Real::max));
        let highest = bottom + HIGHEST_NOSE * (top - bottom);
        let raised = |overhang: Real| (bottom + APPROACH * overhang).min(highest);
        let profile = [
            (0.5 * length, top),
            (0.5 * length, raised(0.5 * length - first)),
            (first, bottom),
            (last, bottom),
            (-0.5 * length, raised(0.5 * length + last)),
            (-0.5 * length, top),
        ];
        let points = profile.into_iter().flat_map(|(along, up)| {
            [half_width, -half_width].map(|side| frame.translation(along, side, up).to_array())
        });
        let collider = ChassisCollider {
            shape: ColliderShape::ConvexHull { points: points.collect() },
            pose: Pose::IDENTITY,
            friction: None,
        };
        Self { colliders: vec![collider], ..Self::default() }
    }
}
