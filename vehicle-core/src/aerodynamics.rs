//! Aerodynamics: drag, and downforce on each axle.
//!
//! The air is at rest. Its force is found once per frame and acts through all of its substeps.

use serde::{Deserialize, Serialize};

use crate::Context;
use crate::body::{RigidBodyState, Wrench};
use crate::error::{Bound, LARGEST_VEHICLE, ParamCheck, Validate};
use crate::frame::Frame;
use crate::math::{Real, Vec3};

/// Density of air at sea level (kg/m³).
pub const AIR_DENSITY: Real = 1.225;

/// How the air acts on a vehicle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct AerodynamicsParams {
    /// Density of the air (kg/m³).
    pub air_density: Real,
    /// Drag coefficient times frontal area (m²).
    pub drag_area: Real,
    /// Where the drag acts (m, body frame).
    #[cfg_attr(feature = "schema", schemars(with = "[Real; 3]"))]
    pub drag_point: Vec3,
    /// Downforce of each axle, or of any other part.
    pub downforces: Vec<DownforceParams>,
}

/// A part of a vehicle that the air presses down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DownforceParams {
    /// Downforce coefficient times area (m²); negative for lift.
    pub area: Real,
    /// Where the force acts (m, body frame).
    #[cfg_attr(feature = "schema", schemars(with = "[Real; 3]"))]
    pub point: Vec3,
}

impl Default for AerodynamicsParams {
    /// Air at sea level that does not act.
    fn default() -> Self {
        let downforces = Vec::new();
        Self { air_density: AIR_DENSITY, drag_area: 0.0, drag_point: Vec3::ZERO, downforces }
    }
}

impl Validate for AerodynamicsParams {
    fn check(&self, check: &mut ParamCheck) {
        check.number("air_density", self.air_density, Bound::NotNegative);
        check.number("drag_area", self.drag_area, Bound::NotNegative);
        check.vector_within("drag_point", self.drag_point, LARGEST_VEHICLE);
        check.each("downforces", &self.downforces, |downforce, inner| {
            inner.number("area", downforce.area, Bound::Finite);
            inner.vector_within("point", downforce.point, LARGEST_VEHICLE);
        });
    }
}

/// Force of the air on a body, and its torque about the center of mass.
///
/// ```text
/// F_drag = -½ ρ C_d A |v| v
/// F_down = -½ ρ C_z A v_L² up          v_L the forward speed
/// ```
pub fn air_load(params: &AerodynamicsParams, body: &RigidBodyState, frame: &Frame) -> Wrench {
    let velocity = body.linear_velocity;
    let half_density = 0.5 * params.air_density;
    let drag = velocity * (-half_density * params.drag_area * velocity.length());
    let speed = body.longitudinal_speed(frame);
    let pressure = half_density * (speed * speed);
    let down = -body.direction(frame.vertical());
    let at =
        |force: Vec3, point: Vec3| Wrench { force, torque: body.direction(point).cross(force) };
    let pressed = params.downforces.iter();
    pressed.fold(at(drag, params.drag_point), |sum, downforce| {
        sum + at(down * (pressure * downforce.area), downforce.point)
    })
}

/// The body of a vehicle in the air.
#[derive(Debug)]
pub struct AerodynamicsView<'a> {
    /// How the air acts.
    pub params: &'a AerodynamicsParams,
    /// Motion of the body; `air_force` and `air_torque` are written.
    pub rigid_body: &'a mut RigidBodyState,
}

impl AerodynamicsView<'_> {
    /// Finds what the air does in this frame.
    pub fn update(self, context: &Context<'_>) {
        let load = air_load(self.params, self.rigid_body, context.frame());
        (self.rigid_body.air_force, self.rigid_body.air_torque) = (load.force, load.torque);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params() -> AerodynamicsParams {
        AerodynamicsParams {
            air_density: 1.2,
            drag_area: 0.7,
            drag_point: Vec3::Y * 0.5,
            downforces: vec![
                DownforceParams { area: 0.4, point: Vec3::Z * 1.5 },
                DownforceParams { area: 0.6, point: Vec3::Z * -1.5 },
            ],
        }
    }

    fn driving(velocity: Vec3) -> RigidBodyState {
        RigidBodyState { linear_velocity: velocity, ..RigidBodyState::default() }
    }

    #[test]
    fn drag_and_downforce_grow_with_the_square_of_the_speed() {
        let load = air_load(&params(), &driving(Vec3::Z * 50.0), &Frame::Y_UP);
        // ½ 1.2 · 0.7 · 50², ½ 1.2 · (0.4 + 0.6) · 50²
        let force = Vec3::new(0.0, -1_500.0, -1_050.0);
        assert!(load.force.distance(force) < 1e-2, "{load:?}");
        // 0.5 m above: (0, 0.5, 0) × (0, 0, -1050); 1.5 m fore and aft: 600 N and 900 N
        let torque = Vec3::X * (-525.0 + 1.5 * 600.0 - 1.5 * 900.0);
        assert!(load.torque.distance(torque) < 1e-2, "{load:?}");
    }

    #[test]
    fn drag_opposes_the_motion_and_sideways_motion_gives_no_downforce() {
        let load = air_load(&params(), &driving(Vec3::X * -10.0), &Frame::Y_UP);
        assert!(load.force.distance(Vec3::X * 42.0) < 1e-3, "{load:?}");
    }

    #[test]
    fn still_car_feels_nothing() {
        let load = air_load(&params(), &driving(Vec3::ZERO), &Frame::Y_UP);
        assert_eq!((load.force, load.torque), (Vec3::ZERO, Vec3::ZERO));
    }
}
