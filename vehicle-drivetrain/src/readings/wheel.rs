//! What a wheel with its tire and suspension does.

use serde::{Deserialize, Serialize};
use vehicle_core::frame::CoordinateSystem;
use vehicle_core::math::{Real, Vec3};
use vehicle_core::road_geometry::Material;
use vehicle_core::tire::{TireDirections, TireModel};
use vehicle_core::vehicle::{MechanicsRef, WheelContact};

/// Grip below which no share of it is used (N): a tire that hangs touches with rounding.
const LEAST_GRIP: Real = 1.0;
/// Travel below which a suspension counts as rigid (m).
const LEAST_TRAVEL: Real = 1e-3;

/// What a wheel with its tire and suspension does, as of the last step. Of a wheel in the air, all
/// that is of its contact is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelReading {
    /// Whether the wheel touches the ground.
    pub is_on_ground: bool,
    /// Whether the wheel leaves marks and squeals, see [`WheelContact::is_skidding`].
    pub is_skidding: bool,
    /// Rotation speed, positive rolls forward (rad/s).
    pub rotation_speed: Real,
    /// Speed over the ground along its heading (m/s).
    pub rolling_speed: Real,
    /// Load (N).
    pub load: Real,
    /// Longitudinal slip (dimensionless).
    pub longitudinal_slip: Real,
    /// Slip angle (rad).
    pub slip_angle: Real,
    /// Speed of the tread over the ground (m/s).
    pub skid_speed: Real,
    /// Power that becomes heat and sound as the tread slides (W).
    ///
    /// ```text
    /// P = F_L (ω R - v_L) - F_T v_T
    /// ```
    ///
    /// with the forces `F_L`, `F_T` of the tire on the vehicle along and across its heading, and
    /// the speeds `v_L`, `v_T` of its contact.
    pub skid_power: Real,
    /// Forces along and across the rolling direction (N).
    pub forces: [Real; 2],
    /// Largest force that friction allows (N).
    pub grip: Real,
    /// Share of it that is used, in [0, 1].
    pub friction_used: Real,
    /// Where it touches (m); the origin in the air.
    pub point: Vec3,
    /// Unit vector out of the ground.
    pub normal: Vec3,
    /// Force of the tire on the vehicle along the ground (N).
    pub ground_force: Vec3,
    /// Material of the ground.
    pub material: Material,
    /// Compression of its suspension, as a share of its travel (dimensionless).
    pub compression: Real,
    /// Speed of its suspension, positive in compression (m/s).
    pub suspension_speed: Real,
}

impl WheelReading {
    /// What `wheel` does; nothing if there is no such wheel.
    pub fn of<Tire: TireModel>(
        mechanics: &MechanicsRef<'_, Tire>,
        wheel: usize,
        coordinates: &CoordinateSystem,
    ) -> Self {
        let (params, state) = (mechanics.params, mechanics.state);
        let (Some(suspension), Some(turning), Some(tire)) =
            (state.suspensions.get(wheel), state.wheels.get(wheel), state.tires.get(wheel))
        else {
            return Self::default();
        };
        let travel = params.suspensions[wheel].travel_distance;
        let jounce = suspension.compression.jounce.unwrap_or(0.0);
        let CoordinateSystem { frame, length_scale } = coordinates;
        let reading = Self {
            rotation_speed: turning.rotation_speed,
            compression: jounce / travel.max(LEAST_TRAVEL * length_scale),
            suspension_speed: suspension.compression.jounce_speed,
            ..Self::default()
        };
        let Some(contact) = mechanics.wheel_contact(wheel, frame) else { return reading };
        let WheelContact { point, normal, material, load, skid_speed, .. } = contact;
        let (ground_force, forces) = ground_force(mechanics, wheel);
        let slip_speed =
            turning.rotation_speed * params.wheels[wheel].radius - tire.speeds.longitudinal;
        let power = tire.force.longitudinal_force * slip_speed
            - tire.force.lateral_force * tire.speeds.lateral;
        let grip = tire.grip.friction * tire.grip.load.max(0.0);
        let has_grip = LEAST_GRIP * length_scale <= grip;
        Self {
            is_on_ground: true,
            is_skidding: contact.is_skidding(*length_scale),
            rolling_speed: tire.speeds.longitudinal,
            load,
            longitudinal_slip: contact.longitudinal_slip,
            slip_angle: contact.slip_angle,
            skid_speed,
            skid_power: power.max(0.0),
            forces,
            grip,
            friction_used: if has_grip { (ground_force.length() / grip).min(1.0) } else { 0.0 },
            point,
            normal,
            ground_force,
            material,
            ..reading
        }
    }
}

/// Force of a tire on the vehicle along the ground, and its parts along and across the rolling
/// direction (N): what slips, and what holds a tire that sticks.
fn ground_force<Tire: TireModel>(
    mechanics: &MechanicsRef<'_, Tire>,
    wheel: usize,
) -> (Vec3, [Real; 2]) {
    let state = mechanics.state;
    let (tire, rows) = (state.tires.of(wheel), state.rows.of(wheel));
    let lateral = if rows.replaces_lateral_force { Vec3::ZERO } else { tire.force.lateral };
    let step = state.suspensions.of(wheel).compression.step;
    let held = [rows.longitudinal, rows.lateral].into_iter().flatten();
    let impulse = held.fold(Vec3::ZERO, |sum, row| sum + row.linear * row.impulse);
    let hold = if 0.0 < step { impulse / step } else { Vec3::ZERO };
    let force = tire.force.longitudinal + lateral + hold;
    let TireDirections { longitudinal, lateral } = tire.directions;
    (force, [force.dot(longitudinal), force.dot(lateral)])
}
