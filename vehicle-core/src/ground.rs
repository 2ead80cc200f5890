//! Ground: what wheels do to it, and how it moves on within a frame.
//!
//! The road under a wheel is found once per frame. In each substep the wheel pushes it, and where
//! the ground moves, its plane moves along: a platform that rises does not rise by jerks.
//!
//! Ground that turns moves at its mean speed over the step: cars do not spiral out on a turntable.

use crate::WheelList;
use crate::body::Wrench;
use crate::constraint_rows::{VehicleRows, WheelRows};
use crate::math::lanes::{Number, Real4, Vector};
use crate::math::{Real, Vec3};
use crate::road::{RoadContact, RoadLanes};
use crate::suspension::SuspensionForce;
use crate::tire::TireState;
use crate::wheel_forces::{WheelForces, force_on_body};

/// Impulse on the body of a wheel's suspension, tire and rows in a step of `dt` (s) (N·s).
///
/// ```text
/// p = (F_suspension + F_tire) dt + Σ λ e
/// ```
///
/// A lateral force that a row stands for does not count twice, and rows that the host executes do
/// not count.
#[inline]
pub fn wheel_impulse(
    suspension: &SuspensionForce,
    tire: &TireState,
    rows: &WheelRows,
    dt: Real,
) -> Vec3 {
    let lateral = if rows.replaces_lateral_force { Vec3::ZERO } else { tire.force.lateral };
    let impulse = force_on_body(suspension.force, tire.force.longitudinal, lateral) * dt;
    let held = rows.local().into_iter().flatten().map(|row| row.linear * row.impulse);
    held.fold(impulse, |sum, impulse| sum + impulse)
}

/// The road under a wheel `dt` (s) later, pushed by the opposite of `impulse` (N·s), that of the
/// wheel on the body.
#[inline]
pub fn advanced_road(road: &RoadContact, impulse: Vec3, dt: Real) -> RoadContact {
    let mut next = *road;
    next.impulse -= impulse;
    next.plane.offset = road.plane.advanced_offset(road.velocity, dt);
    next.age = road.age + dt;
    next
}

/// The ground under a vehicle, and all that acts on it.
#[derive(Debug)]
pub struct GroundView<'a> {
    /// Loads of the wheels on the body.
    pub wheels: WheelForces<'a>,
    /// The executed rows of each wheel.
    pub rows: &'a VehicleRows,
    /// Read and written: the road under each wheel.
    pub roads: &'a mut WheelList<Option<RoadContact>>,
}

impl GroundView<'_> {
    /// Pushes the road under each wheel, and moves it on by `dt` (s).
    pub fn update(self, dt: Real) {
        for (four, roads) in self.roads.fours_mut().iter_mut().enumerate() {
            let Wrench { force, .. } = self.wheels.wrench(four, self.rows);
            let impulse = self.rows.four(four).pushed(force * Number::splat(dt));
            let RoadLanes { is_there, plane, velocity, .. } = &mut roads.road;
            plane.offset = plane.advanced_offset(*velocity, dt);
            roads.impulse = Vector::select(*is_there, roads.impulse - impulse, roads.impulse);
            roads.age = Number::select(*is_there, roads.age + Real4::splat(dt), roads.age);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint_rows::{ConstraintRow, HostStand};
    use crate::plane::Plane;

    #[test]
    fn impulse_is_that_of_spring_tire_and_rows() {
        let row =
            |linear, impulse| Some(ConstraintRow { linear, impulse, ..ConstraintRow::default() });
        let suspension = SuspensionForce { force: Vec3::Y * 4_000.0, ..SuspensionForce::default() };
        let mut tire = TireState::default();
        (tire.force.longitudinal, tire.force.lateral) = (Vec3::Z * 100.0, Vec3::X * 50.0);
        let rows = WheelRows {
            longitudinal: row(Vec3::Z, 2.0),
            limit: row(Vec3::Y, 7.0),
            ..WheelRows::default()
        };
        let impulse = wheel_impulse(&suspension, &tire, &rows, 0.01);
        assert_eq!(impulse, Vec3::new(0.5, 47.0, 3.0));
        let lateral = row(Vec3::X, 0.3);
        let rows = WheelRows { lateral, replaces_lateral_force: true, ..rows };
        let impulse = wheel_impulse(&suspension, &tire, &rows, 0.01);
        assert_eq!(impulse, Vec3::new(0.3, 47.0, 3.0));
        let rows = WheelRows { host: Some(HostStand::default()), ..rows };
        let impulse = wheel_impulse(&suspension, &tire, &rows, 0.01);
        assert_eq!(impulse, Vec3::new(0.3, 40.0, 1.0));
    }

    #[test]
    fn ground_rises_at_its_speed_and_collects_what_pushes_it() {
        let plane = Plane { normal: Vec3::Y, offset: -1.0 };
        let velocity = Vec3::new(3.0, 2.0, 0.0);
        let road = RoadContact { velocity, ..RoadContact::new(plane, 1.0) };
        let first = advanced_road(&road, Vec3::Y * 40.0, 0.25);
        let second = advanced_road(&first, Vec3::X * 5.0, 0.25);
        assert_eq!(second.plane, Plane { normal: Vec3::Y, offset: -2.0 });
        assert_eq!(second.impulse, Vec3::new(-5.0, -40.0, 0.0));
        assert_eq!(second.age, 0.5);
    }
}
