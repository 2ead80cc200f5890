//! One car as the three models know it: numbers, what its wheels are told, and how it moves.

use anyhow::{Result, ensure};
use rapier3d::glamx::{DQuat, DVec3};
use rapier3d::prelude::*;
use vehicle_rapier::core::blueprint::CarBlueprint;
use vehicle_rapier::core::tire::BrushTire;
use vehicle_rapier::core::vehicle::MechanicalParams;

/// Number of wheels.
pub const WHEELS: usize = 4;
/// Slip stiffness of each tire along and across (N).
pub const STIFFNESS: [f64; 2] = [90e3, 80e3];
/// Relaxation length of each tire along and across (m).
pub const RELAXATION: [f64; 2] = [0.15, 0.4];
/// Damping in rebound by that in bump (dimensionless).
const REBOUND: f64 = 1.0;

/// How far below a wheel the road is looked for, so that a wheel that comes down meets it within
/// the step (m).
const AHEAD: f64 = 0.15;

/// A wheel, its suspension and its tire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelData {
    /// Center of the wheel at full compression (m, from the center of mass).
    pub mount: DVec3,
    /// Distance from full compression to full droop (m).
    pub travel: f64,
    /// Radius (m).
    pub radius: f64,
    /// Moment of inertia about the axle (kg·m²).
    pub inertia: f64,
    /// Mass (kg).
    pub mass: f64,
    /// Stiffness of the spring (N/m).
    pub stiffness: f64,
    /// Damping in bump and in rebound (N·s/m).
    pub damping: [f64; 2],
}

/// The car: forward +z, left +x, up +y; suspensions travel along -y.
#[derive(Clone, Debug, PartialEq)]
pub struct CarData {
    /// Mass, wheels included (kg).
    pub mass: f64,
    /// Moments of inertia (kg·m²).
    pub inertia: DVec3,
    /// Its wheels: front right, front left, rear right, rear left.
    pub wheels: [WheelData; WHEELS],
}

/// The sheet of the car: 1.5 t, wheels without mass, no bars, no air.
pub(super) fn sheet() -> CarBlueprint {
    CarBlueprint {
        ride: None,
        anti_roll_stiffness: [0.0; 2],
        drag_area: 0.0,
        rolling_resistance: Some(0.0),
        ..CarBlueprint::default()
    }
}

/// The car in the library's parameters.
///
/// # Errors
///
/// None with the car as it is.
pub fn mechanics() -> Result<MechanicalParams> {
    Ok(on_even_tires(sheet().mechanics()?))
}

/// A car on tires of one stiffness, whose wheels steer in parallel.
pub(super) fn on_even_tires(mut mechanics: MechanicalParams) -> MechanicalParams {
    for (tire, wheel) in mechanics.tires.iter_mut().zip(&mut mechanics.wheels) {
        *tire = BrushTire {
            longitudinal_stiffness: STIFFNESS[0] as Real,
            lateral_stiffness: STIFFNESS[1] as Real,
            lateral_stiffness_load: 0.0,
            camber_stiffness: 0.0,
            friction_vs_slip: BrushTire::CONSTANT_FRICTION,
            rolling_resistance: 0.0,
            pneumatic_trail: 0.0,
            ..*tire
        };
        wheel.damping_rate = 0.0;
    }
    mechanics.ackermann.clear();
    mechanics
}

impl CarData {
    /// The car of the library's parameters.
    ///
    /// # Errors
    ///
    /// If it has another number of wheels than four.
    pub fn of(mechanics: &MechanicalParams) -> Result<Self> {
        let count = mechanics.wheels.len();
        ensure!(count == WHEELS, "the car must have {WHEELS} wheels, got {count}");
        let wheels = std::array::from_fn(|wheel| {
            let suspension = &mechanics.suspensions[wheel];
            let spring = &mechanics.suspension_forces[wheel];
            let params = &mechanics.wheels[wheel];
            let damping = f64::from(spring.damping);
            WheelData {
                mount: suspension.wheel_mount().as_dvec3(),
                travel: f64::from(suspension.travel_distance),
                radius: f64::from(params.radius),
                inertia: f64::from(params.inertia),
                mass: f64::from(params.mass),
                stiffness: f64::from(spring.stiffness),
                damping: [damping, REBOUND * damping],
            }
        });
        let body = &mechanics.rigid_body;
        Ok(Self { mass: f64::from(body.mass), inertia: body.inertia.as_dvec3(), wheels })
    }
}

/// What a wheel is told.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelOrder {
    /// Drive torque (N·m).
    pub drive: f64,
    /// Largest brake torque (N·m).
    pub brake: f64,
    /// Steer angle, to the left (rad).
    pub steer: f64,
}

/// What all wheels are told.
pub type Orders = [WheelOrder; WHEELS];

/// Pose and velocity of a body, at its center of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMotion {
    /// Place (m).
    pub place: DVec3,
    /// Orientation.
    pub turn: DQuat,
    /// Velocity (m/s).
    pub velocity: DVec3,
    /// Angular velocity (rad/s).
    pub angular: DVec3,
}

impl BodyMotion {
    /// At rest at `place`, upright.
    pub fn at(place: DVec3) -> Self {
        Self { place, turn: DQuat::IDENTITY, velocity: DVec3::ZERO, angular: DVec3::ZERO }
    }

    /// Velocity of a point `arm` from the center of mass (m/s).
    pub fn velocity_at(&self, arm: DVec3) -> DVec3 {
        self.velocity + self.angular.cross(arm)
    }

    /// Moves on by `dt` (s).
    pub fn advance(&mut self, dt: f64) {
        self.place += self.velocity * dt;
        self.turn = (DQuat::from_scaled_axis(self.angular * dt) * self.turn).normalize();
    }
}

/// What one model hands over to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarriedWheel {
    /// Rotation speed (rad/s).
    pub speed: f64,
    /// Angle about the axle (rad).
    pub angle: f64,
    /// Jounce (m).
    pub jounce: f64,
    /// Its rate, positive in compression (m/s).
    pub jounce_speed: f64,
    /// Force of the tire along and across (N).
    pub force: [f64; 2],
    /// Load (N).
    pub load: f64,
    /// Steer angle (rad).
    pub steer: f64,
}

/// Where a wheel meets the road.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Point (m).
    pub point: DVec3,
    /// Normal of the road.
    pub normal: DVec3,
    /// Velocity of the road (m/s).
    pub velocity: DVec3,
    /// Friction coefficient (dimensionless).
    pub friction: f64,
    /// How far the suspension is compressed; more than its travel if it is beyond its stop,
    /// negative if the wheel has not come to the road (m).
    pub jounce: f64,
}

/// What a ray from `origin` along the unit vector `direction` meets within a length (m): distance
/// (m), normal, friction and velocity of the road (m/s).
pub type RoadHit = (f64, DVec3, f64, DVec3);

impl CarData {
    /// Where `wheel` of the car that moves so meets the `road`, which answers to a ray.
    pub fn contact(
        &self,
        wheel: usize,
        motion: &BodyMotion,
        road: &impl Fn(DVec3, DVec3, f64) -> Option<RoadHit>,
    ) -> Option<Contact> {
        let data = &self.wheels[wheel];
        let (down, center) = (motion.turn * DVec3::NEG_Y, motion.place + motion.turn * data.mount);
        // From above the wheel, which may be deep in the ground.
        let (above, reach) = (data.radius, data.travel + data.radius);
        let origin = center - down * above;
        let (distance, normal, friction, velocity) = road(origin, down, above + reach + AHEAD)?;
        let distance = distance - above;
        let jounce = reach - distance;
        Some(Contact { point: center + down * distance, normal, velocity, friction, jounce })
    }

    /// Jounce at which the springs carry the car on level ground (m): that of each wheel.
    pub fn rest_jounces(&self, gravity: f64) -> [f64; WHEELS] {
        let front = self.wheels[0].mount.z;
        let rear = -self.wheels[2].mount.z;
        let share = |wheel: usize| if wheel < 2 { rear } else { front } / (2.0 * (front + rear));
        std::array::from_fn(|wheel| {
            self.mass * gravity * share(wheel) / self.wheels[wheel].stiffness
        })
    }
}
