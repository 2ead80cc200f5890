//! A vehicle as lines: suspensions, wheels, the road that they stand on, and forces.
//!
//! | what                      | lines                                                          |
//! |---------------------------|----------------------------------------------------------------|
//! | path of a wheel           | from its top at full compression to its bottom at full droop   |
//! | suspension                | from its mount to the wheel's center                           |
//! | wheel                     | a circle, a spoke that turns, and the profile of its tread     |
//! | road                      | a cross on the plane under the wheel, and its normal           |
//! | load and force of a tire  | arrows from the road; green when it grips, red when it slides  |

use rapier3d::pipeline::{DebugColor, DebugRenderBackend, DebugRenderObject};
use rapier3d::prelude::*;
use vehicle_core::frame::Frame;
use vehicle_core::math::TAU;
use vehicle_core::road_geometry::RoadContact;
use vehicle_core::suspension::{WheelTravel, wheel_travel};
use vehicle_core::tire::TireState;
use vehicle_core::vehicle::ReadVehicle;

use crate::actor::ActorError;
use crate::drivable::Drivable;
use crate::vehicle::RapierVehicle;

/// Corners of a drawn wheel.
const CORNERS: usize = 24;
/// Points of a shoulder of a drawn wheel.
const SHOULDER_POINTS: usize = 5;
/// Largest share of friction before a tire slides.
const SLIDING: Real = 0.999;
/// Hue of the color of a tire that grips (degrees); one that slides is red, 0.
const GRIPPING_HUE: Real = 120.0;

/// How vehicles are drawn. Colors are hue in [0, 360], saturation, lightness and opacity in [0, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleDebugStyle {
    /// Length of an arrow per force (m/N).
    pub length_per_force: Real,
    /// Size of the cross on the road (m).
    pub road_size: Real,
    /// Path of a wheel.
    pub path_color: DebugColor,
    /// Suspensions.
    pub suspension_color: DebugColor,
    /// Wheels.
    pub wheel_color: DebugColor,
    /// The road.
    pub road_color: DebugColor,
    /// Loads.
    pub load_color: DebugColor,
}

impl Default for VehicleDebugStyle {
    /// A meter for a tonne.
    fn default() -> Self {
        Self {
            length_per_force: 1e-4,
            road_size: 0.3,
            path_color: [0.0, 0.0, 0.5, 0.5],
            suspension_color: [60.0, 1.0, 0.5, 1.0],
            wheel_color: [0.0, 0.0, 0.8, 1.0],
            road_color: [200.0, 1.0, 0.6, 1.0],
            load_color: [280.0, 1.0, 0.6, 1.0],
        }
    }
}

impl VehicleDebugStyle {
    /// Color of a tire that uses `share` of its friction: from green over yellow to red.
    pub fn friction_color(share: Real) -> DebugColor {
        let hue = if SLIDING < share { 0.0 } else { GRIPPING_HUE * (1.0 - share.max(0.0)) };
        [hue, 1.0, 0.5, 1.0]
    }
}

impl<V: Drivable> RapierVehicle<V> {
    /// Draws the vehicle as of its last update, without the wheels that it has lost.
    ///
    /// # Errors
    ///
    /// If the body is not in the world.
    pub fn debug_render(
        &self,
        bodies: &RigidBodySet,
        style: &VehicleDebugStyle,
        backend: &mut dyn DebugRenderBackend,
    ) -> Result<(), ActorError> {
        let body = self.actor.body_in(bodies)?;
        let object = DebugRenderObject::RigidBody(self.actor.body, body);
        if backend.filter_object(object) {
            let pose = *body.position() * self.actor.center_of_mass;
            let frame = self.params.coordinates.frame;
            let mut draw = |from, to, color| backend.draw_line(object, from, to, color);
            let corners = corners(&self.vehicle, &frame);
            for corner in corners.iter().filter(|corner| !corner.is_detached) {
                corner.draw(style, &pose, &frame, &mut draw);
            }
        }
        Ok(())
    }
}

/// Data of a wheel that is drawn.
struct Corner {
    travel: WheelTravel,
    jounce: Option<Real>,
    load: Real,
    road: Option<RoadContact>,
    tire: TireState,
    is_detached: bool,
    /// Pose of the wheel (m, body frame).
    pose: Pose,
}

/// The wheels of `vehicle`.
fn corners<V: ReadVehicle + ?Sized>(vehicle: &V, frame: &Frame) -> Vec<Corner> {
    let corner = |wheel| {
        let (mount, params) = (vehicle.suspension_params(wheel), vehicle.wheel_params(wheel));
        let steer_angle = vehicle.steer_angle(wheel);
        let suspension = vehicle.suspension_state(wheel);
        Corner {
            travel: wheel_travel(mount, params, vehicle.body(), steer_angle, frame),
            jounce: suspension.compression.jounce,
            load: suspension.force.normal_load,
            road: vehicle.road(wheel),
            tire: vehicle.tire_state(wheel),
            is_detached: vehicle.wheel_state(wheel).is_detached,
            pose: vehicle.wheel_local_pose(wheel, frame),
        }
    };
    (0..vehicle.axles().wheel_count()).map(corner).collect()
}

impl Corner {
    fn draw(
        &self,
        style: &VehicleDebugStyle,
        body: &Pose,
        frame: &Frame,
        draw: &mut dyn FnMut(Vector, Vector, DebugColor),
    ) {
        let pose = *body * self.pose;
        let mount = self.travel.pose.translation;
        draw(self.travel.ray_start(), self.travel.ray_end(), style.path_color);
        draw(mount, pose.translation, style.suspension_color);
        draw_wheel(&pose, &self.travel, frame, style.wheel_color, draw);
        if let Some(road) = &self.road {
            self.draw_road(style, road, draw);
        }
    }

    /// The road and the forces from it.
    fn draw_road(
        &self,
        style: &VehicleDebugStyle,
        road: &RoadContact,
        draw: &mut dyn FnMut(Vector, Vector, DebugColor),
    ) {
        let bottom = self.travel.bottom(self.jounce.unwrap_or(0.0));
        let normal = road.plane.normal;
        let point = bottom - normal * road.plane.distance(bottom);
        let (across, along) = normal.any_orthonormal_pair();
        for half in [across * 0.5, along * 0.5] {
            let half = half * style.road_size;
            draw(point - half, point + half, style.road_color);
        }
        draw(point, point + normal * style.road_size, style.road_color);
        let load = normal * (self.load * style.length_per_force);
        draw(point, point + load, style.load_color);
        let color = VehicleDebugStyle::friction_color(self.use_of_friction());
        draw(point, point + self.tire.force.force() * style.length_per_force, color);
    }

    /// Force of the tire as a part of what friction allows (dimensionless).
    fn use_of_friction(&self) -> Real {
        let limit = self.tire.grip.friction * self.tire.grip.load;
        if limit <= 0.0 { 0.0 } else { self.tire.force.force().length() / limit }
    }
}

/// A circle around the axle, with a spoke, and the profile of the tread at its end.
fn draw_wheel(
    pose: &Pose,
    shape: &WheelTravel,
    frame: &Frame,
    color: DebugColor,
    draw: &mut dyn FnMut(Vector, Vector, DebugColor),
) {
    let rim = |corner: usize| {
        let angle = TAU * corner as Real / CORNERS as Real;
        let direction = frame.longitudinal() * angle.cos() + frame.vertical() * angle.sin();
        *pose * (direction * shape.radius)
    };
    for corner in 0..CORNERS {
        draw(rim(corner), rim(corner + 1), color);
    }
    draw(pose.translation, rim(0), color);
    let profile = profile(shape)
        .map(|[across, out]| *pose * (frame.lateral() * across + frame.longitudinal() * out));
    for pair in profile.windows(2) {
        draw(pair[0], pair[1], color);
    }
}

/// The tread from side to side, round at the shoulders: along the axle and away from it (m).
fn profile(shape: &WheelTravel) -> [[Real; 2]; 2 * SHOULDER_POINTS] {
    let round = shape.shoulder_radius;
    let shoulder = |point: usize| {
        let angle = 0.25 * TAU * point as Real / (SHOULDER_POINTS - 1) as Real;
        let across = shape.half_width - round + round * angle.cos();
        [across, shape.radius - round + round * angle.sin()]
    };
    std::array::from_fn(|point| {
        if point < SHOULDER_POINTS {
            shoulder(point)
        } else {
            let [across, out] = shoulder(2 * SHOULDER_POINTS - 1 - point);
            [-across, out]
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_run_from_side_to_side_over_round_shoulders() {
        for shoulder_radius in [0.0, 0.04, 0.1] {
            let shape = WheelTravel {
                pose: Pose::IDENTITY,
                direction: Vector::NEG_Y,
                distance: 0.2,
                radius: 0.3,
                half_width: 0.1,
                shoulder_radius,
            };
            let profile = profile(&shape);
            let (first, last) = (profile[0], profile[profile.len() - 1]);
            assert_eq!([first[0], last[0]], [0.1, -0.1]);
            for [across, out] in profile {
                // The reach in every direction is that of the ball in the shoulder.
                let [x, y] =
                    [across.abs() - (0.1 - shoulder_radius), out - (0.3 - shoulder_radius)];
                let error = (x.hypot(y) - shoulder_radius).abs();
                assert!(error < 1e-6, "shoulders of {shoulder_radius} m: {across}, {out} m");
            }
        }
    }

    #[test]
    fn sliding_tires_are_red() {
        let hue = |share| VehicleDebugStyle::friction_color(share)[0];
        assert_eq!([hue(0.0), hue(0.5), hue(1.0), hue(1.2)], [120.0, 60.0, 0.0, 0.0]);
    }
}
