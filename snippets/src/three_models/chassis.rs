//! The car without its wheels, and how a car falls into both.

use anyhow::{Result, ensure};
use rapier3d::glamx::{DMat3, DVec3};

use super::car::{BodyMotion, CarData, CarriedWheel, WHEELS};

/// Part of a wheel's width in its inertia across the axle: that of a cylinder.
const WIDTH: f64 = 0.22;
/// Parts of a wheel's mass, and of its inertia across the axle, that do not turn: the hub's. What
/// the ground carries is the heavier.
const HUB_MASS: f64 = 0.85;
const HUB_PART: f64 = 0.4;

/// The car without its wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BareChassis {
    /// Mass (kg).
    pub mass: f64,
    /// Center of mass (m, from that of the car).
    pub center: DVec3,
    /// Inertia about it (kg·m²).
    pub inertia: DMat3,
}

/// Inertia of a point mass at `arm` (kg·m²).
fn point_inertia(mass: f64, arm: DVec3) -> DMat3 {
    let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
    (DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer) * mass
}

impl CarData {
    /// Inertia of a wheel about its center (kg·m²): the axle is x.
    pub fn wheel_inertia(&self, wheel: usize) -> DVec3 {
        let data = &self.wheels[wheel];
        let across = 0.5 * data.inertia + data.mass * WIDTH * WIDTH / 12.0;
        DVec3::new(data.inertia, across, across)
    }

    /// Mass of hub and wheel (kg), and their inertia (kg·m²): together those of the wheel.
    pub(super) fn wheel_parts(&self, wheel: usize) -> ([f64; 2], [DVec3; 2]) {
        let (mass, inertia) = (self.wheels[wheel].mass, self.wheel_inertia(wheel));
        let own = inertia * HUB_PART;
        let turning = inertia - DVec3::new(0.0, own.y, own.z);
        ([mass * HUB_MASS, mass * (1.0 - HUB_MASS)], [own, turning])
    }

    /// Center of a wheel whose suspension is compressed by `jounce` (m, from the center of mass).
    pub fn hub(&self, wheel: usize, jounce: f64) -> DVec3 {
        let data = &self.wheels[wheel];
        data.mount + DVec3::NEG_Y * (data.travel - jounce)
    }

    /// The car without its wheels, which together with them at rest is the car.
    ///
    /// ```text
    /// M_c = M - Σ m,   c = -Σ m r / M_c,   I_c = I - Σ (I_w + m (r² 1 - r rᵀ)) - M_c (c² 1 - c cᵀ)
    /// ```
    ///
    /// # Errors
    ///
    /// If the wheels are heavier than the car, or their inertia is more than that of the car.
    pub fn bare_chassis(&self, gravity: f64) -> Result<BareChassis> {
        let rest = self.rest_jounces(gravity);
        let hubs: [DVec3; WHEELS] = std::array::from_fn(|wheel| self.hub(wheel, rest[wheel]));
        let wheels: f64 = self.wheels.iter().map(|wheel| wheel.mass).sum();
        let mass = self.mass - wheels;
        ensure!(
            0.0 < mass,
            "the mass of the wheels must be below that of the car, {} kg, got {wheels} kg",
            self.mass
        );
        let mut center = DVec3::ZERO;
        for (wheel, hub) in self.wheels.iter().zip(hubs) {
            center -= hub * (wheel.mass / mass);
        }
        let mut inertia = DMat3::from_diagonal(self.inertia) - point_inertia(mass, center);
        for (wheel, hub) in hubs.into_iter().enumerate() {
            inertia -= DMat3::from_diagonal(self.wheel_inertia(wheel))
                + point_inertia(self.wheels[wheel].mass, hub);
        }
        let (first, second) = (
            inertia.x_axis.x,
            inertia.x_axis.x * inertia.y_axis.y - inertia.x_axis.y * inertia.y_axis.x,
        );
        let least = first.min(second).min(inertia.determinant());
        let far = |wheel: &usize| self.wheels[*wheel].mass * hubs[*wheel].length_squared();
        let worst = (0..WHEELS).max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(0);
        ensure!(
            0.0 < least,
            "wheels[{worst}].mass must be such that the chassis without wheels has an inertia, got {} kg",
            self.wheels[worst].mass
        );
        Ok(BareChassis { mass, center, inertia })
    }
}

impl BareChassis {
    /// Velocity of the frame at the center of mass of the car (m/s), and its angular velocity
    /// (rad/s), of a car that falls into chassis and wheels.
    ///
    /// ```text
    /// M v = Σ m (v₀ + ω'×r + w),   I ω = Σ (I_i ω' + m r'×(ω'×r' + w))
    /// ```
    ///
    /// with the velocity `w` of a wheel along its travel, and `r'` from the center of mass of the
    /// parts as they are.
    pub(super) fn split(
        &self,
        data: &CarData,
        motion: &BodyMotion,
        carried: &[CarriedWheel; WHEELS],
    ) -> (DVec3, DVec3) {
        let hub = |wheel: usize| data.hub(wheel, carried[wheel].jounce);
        let masses = (0..WHEELS).map(|wheel| data.wheels[wheel].mass);
        let parts = masses
            .clone()
            .enumerate()
            .map(|(wheel, mass)| (mass, hub(wheel), DVec3::Y * carried[wheel].jounce_speed));
        let mut middle = self.center * self.mass;
        let mut drift = DVec3::ZERO;
        for (mass, place, relative) in parts.clone() {
            middle += place * mass;
            drift += relative * mass;
        }
        middle /= data.mass;
        let mut inertia = self.inertia + point_inertia(self.mass, self.center - middle);
        let mut own = DVec3::ZERO;
        for (wheel, (mass, place, relative)) in parts.enumerate() {
            inertia += DMat3::from_diagonal(data.wheel_inertia(wheel))
                + point_inertia(mass, place - middle);
            own += (place - middle).cross(relative * mass);
        }
        let rate = motion.turn.inverse() * motion.angular;
        let angular = motion.turn * (inertia.inverse() * (data.inertia * rate - own));
        let velocity = motion.velocity
            - angular.cross(motion.turn * middle)
            - motion.turn * (drift / data.mass);
        (velocity, angular)
    }
}
