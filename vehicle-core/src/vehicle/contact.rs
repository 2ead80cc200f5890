//! Where a wheel touches its road and how it rolls and skids there, for effects, sounds and
//! sensors.

use serde::{Deserialize, Serialize};

use super::MechanicsRef;
use crate::frame::Frame;
use crate::math::{Real, Vec3, hypot, tan};
use crate::mount::wheel_travel;
use crate::road::Material;
use crate::suspension::SuspensionState;
use crate::tire::TireModel;

/// Slip from which on a wheel skids (dimensionless): a little beyond that at which the tires of
/// cars grip best, 10 to 12 % along and 6 to 8 degrees across.
const SKID_SLIP: Real = 0.15;
/// Speed of the tread over the ground from which on a wheel skids (m/s): below, nothing is heard or
/// seen.
const SKID_SPEED: Real = 0.5;

/// How a wheel touches its road, as of the vehicle's last step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WheelContact {
    /// Where it touches (m).
    pub point: Vec3,
    /// Unit vector out of the road.
    pub normal: Vec3,
    /// Velocity of the ground there (m/s).
    pub ground_velocity: Vec3,
    /// Friction coefficient (dimensionless).
    pub friction: Real,
    /// Material of the ground.
    pub material: Material,
    /// Which ground it is: a number of the surface's own.
    pub ground: u64,
    /// Load of the suspension (N).
    pub load: Real,
    /// Longitudinal slip, positive where the wheel drives; 0 where the tire sticks (dimensionless).
    pub longitudinal_slip: Real,
    /// Angle from the rolling direction to the velocity; 0 where the tire sticks (rad).
    pub slip_angle: Real,
    /// Speed of the tread over the ground (m/s).
    ///
    /// ```text
    /// v = √((ω R - v_L)² + v_T²)
    /// ```
    ///
    /// with the rotation speed `ω`, the radius `R` and the speeds `v_L` along the rolling direction
    /// and `v_T` across it.
    pub skid_speed: Real,
}

impl WheelContact {
    /// Whether the wheel leaves marks and squeals: it slips by more than its tire needs to grip
    /// best, and its tread slides over the ground.
    ///
    /// ```text
    /// √(s² + tan² α) > 0.15,   v_skid > 0.5 m/s
    /// ```
    ///
    /// with the longitudinal slip `s` and the slip angle `α`, in a world of `length_scale` units
    /// per meter. How much it slides, for the strength of smoke and sound, is the
    /// [`skid_speed`](Self::skid_speed).
    pub fn is_skidding(&self, length_scale: Real) -> bool {
        let slip = hypot(self.longitudinal_slip, tan(self.slip_angle));
        SKID_SLIP < slip && SKID_SPEED < self.skid_speed / length_scale
    }
}

impl<Tire: TireModel> MechanicsRef<'_, Tire> {
    /// How `wheel` touches its road; `None` if it does not, or there is no such wheel.
    pub fn wheel_contact(&self, wheel: usize, frame: &Frame) -> Option<WheelContact> {
        let Self { params, state, .. } = *self;
        let road = state.roads.get(wheel)??;
        let suspension = state.suspensions.get(wheel).filter(SuspensionState::is_on_ground)?;
        let (shape, mount) = (&params.wheels[wheel], &params.suspensions[wheel]);
        let steer_angle = state.steer_angles.get(wheel)?;
        let travel = wheel_travel(mount, shape, &state.rigid_body, steer_angle, frame);
        let (tire, turning) = (state.tires.get(wheel)?, state.wheels.get(wheel)?);
        let skid = turning.rotation_speed * shape.radius - tire.speeds.longitudinal;
        Some(WheelContact {
            point: travel.standing_point(suspension.compression.jounce?, &road.plane),
            normal: road.plane.normal,
            ground_velocity: road.velocity,
            friction: road.friction,
            material: road.material,
            ground: road.ground,
            load: suspension.force.normal_load,
            longitudinal_slip: tire.slip.longitudinal,
            slip_angle: tire.slip.angle(),
            skid_speed: (skid * skid + tire.speeds.lateral * tire.speeds.lateral).sqrt(),
        })
    }
}
