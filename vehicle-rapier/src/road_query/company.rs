//! What comes to the wheels of a vehicle that sleeps.

use rapier3d::prelude::*;
use vehicle_core::suspension::WheelTravel;

use super::RapierRoad;
use super::hit::velocity_over_step;
use crate::sleep::LOOK_PERIOD;

/// How near to its hub a wheel that sleeps is woken by what comes there, in radii (dimensionless),
/// and within how many steps.
const COMPANY: Real = 1.6;
const SOON: Real = 2.0;
/// How far around its hub a wheel that sleeps looks for what may come there before its next look,
/// in radii (dimensionless). What is faster comes by 0.4 radii per step: that is left to colliders.
const WATCHED: Real = COMPANY + 0.4 * LOOK_PERIOD as Real;
/// Speed of what moves so slowly that it wakes nobody, in radii of the wheel (1/s).
const AT_REST: Real = 0.2;

/// What the wheels of a vehicle that sleeps find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoadMark {
    /// Tells whether it is what it was.
    pub(crate) mark: u32,
    /// Whether something that may move is so near that it may come before the next look.
    pub(crate) has_company: bool,
    /// Whether something comes.
    pub(crate) has_comer: bool,
}

/// What moves around a wheel: whether something is near, and whether it comes.
#[derive(Clone, Copy, Default)]
pub(super) struct Company {
    pub(super) is_near: bool,
    pub(super) comes: bool,
}

impl RapierRoad<'_> {
    /// Finds what moves around `wheel`, which begins its `travel` at its hub.
    pub(super) fn company(&self, wheel: usize, travel: &WheelTravel) -> Company {
        let mut company = Company::default();
        if !self.looks_for_obstacles() {
            return company;
        }
        let (hub, radius) = (travel.ray_start(), travel.radius);
        self.for_each_mover(wheel, hub, WATCHED * radius, |body, collider| {
            let around = collider.compute_aabb().loosened(COMPANY * radius);
            // A ram that rests may be sent off at any time, and so may a crate beside the wheel.
            let may_be_sent_off = || body.is_kinematic() || around.contains_local_point(hub);
            company.is_near |= !body.is_sleeping() || may_be_sent_off();
            let velocity = velocity_over_step(body, hub, self.dt);
            let way = Ray::new(hub, -velocity);
            let comes = around.cast_local_ray(&way, SOON * self.dt, true).is_some();
            let is_fast = AT_REST * radius < velocity.length();
            company.comes |= comes && is_fast && !body.is_sleeping();
        });
        company
    }
}
