//! The part of a velocity that rows of tires that stick leave free.

use std::cell::RefCell;

use super::body_velocity::BodyVelocity;
use super::free::{FreeSystem, right_side};
use super::lanes::FourRows;
use super::terms::FourTerms;
use super::vehicle_rows::VehicleRows;
use crate::math::lanes::{MAX_LANES, Mask4};
use crate::wheel_list::Fours;

/// Takes from the velocity of `body` what the rows of tires that stick would hold without bounds.
/// What is left is how a car heaves, rolls and pitches on wheels that stand. The equations of plain
/// rows are those that are `known`.
pub(crate) fn leave_free(
    rows: &VehicleRows,
    body: &mut BodyVelocity,
    known: Option<&RefCell<Option<FreeSystem>>>,
) {
    let mut terms = Fours::<_>::new();
    terms.extend(rows.fours().iter().enumerate().map(|(four, own)| {
        let is_wheel = Mask4::below(rows.len() - four * MAX_LANES);
        FourTerms::new(&own.holding_still(), is_wheel, body)
    }));
    let known = known.filter(|_| rows.fours().iter().all(FourRows::is_plain));
    let known = known.and_then(|known| *known.borrow());
    // There is none if the body turns by next to nothing about an axis.
    if let Some(system) = known.or_else(|| FreeSystem::new(&terms, body)) {
        body.add_momentum(system.solution(right_side(&terms)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Vec3};
    use crate::rows::{ConstraintRow, WheelRows};

    /// Places of wheels at the corners of a car, below its center (m).
    const CORNERS: [Vec3; 4] = [
        Vec3::new(0.8, -0.5, 1.3),
        Vec3::new(-0.8, -0.5, 1.3),
        Vec3::new(0.8, -0.5, -1.3),
        Vec3::new(-0.8, -0.5, -1.3),
    ];

    /// Four wheels that stand at the corners.
    fn standing() -> VehicleRows {
        let row = |direction: Vec3, arm: Vec3| {
            let row = ConstraintRow::new(direction, arm);
            // Neither targets nor bounds matter.
            Some(ConstraintRow { softness: 0.02, target_speed: 5.0, max_impulse: 0.1, ..row })
        };
        let wheel = |arm| WheelRows {
            longitudinal: row(Vec3::Z, arm),
            lateral: row(Vec3::X, arm),
            max_friction_impulse: 0.1,
            ..WheelRows::default()
        };
        CORNERS.into_iter().map(wheel).collect()
    }

    fn left(rows: &VehicleRows, linear: Vec3, angular: Vec3) -> (Vec3, Vec3) {
        let inverse_inertia = Mat3::from_diagonal(Vec3::new(5e-4, 4e-4, 2e-3));
        let mut body = BodyVelocity { linear, angular, inverse_mass: 1e-3, inverse_inertia };
        leave_free(rows, &mut body, None);
        (body.linear, body.angular)
    }

    #[test]
    fn a_car_on_standing_wheels_heaves_rolls_and_pitches_about_them() {
        let rows = standing();
        let (linear, angular) = left(&rows, Vec3::new(1.0, 2.0, 3.0), Vec3::Y);
        for corner in CORNERS {
            let speed = linear + angular.cross(corner);
            // As soft as rows are, they leave a hundredth.
            assert!(speed.x.hypot(speed.z) < 0.05, "{speed} m/s at {corner} m");
        }
        assert!((linear.y - 2.0).abs() < 1e-5 && angular.y.abs() < 0.02, "{linear}, {angular}");
        // About points half a meter below the center: it goes along with them.
        for spin in [Vec3::X, Vec3::Z] {
            let way = spin.cross(Vec3::Y * 0.5);
            let (linear, angular) = left(&rows, way, spin);
            assert!(linear.distance(way) < 1e-4 && angular.distance(spin) < 1e-4);
        }
    }

    #[test]
    fn rows_that_stand_for_forces_and_stops_hold_nothing() {
        let mut rows = standing();
        for wheel in 0..rows.len() {
            rows.edit(wheel, |own| {
                own.longitudinal = None;
                own.replaces_lateral_force = true;
                own.limit = Some(ConstraintRow::new(Vec3::Y, Vec3::X));
            });
        }
        let (velocity, spin) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.1, 0.2, 0.3));
        assert_eq!(left(&rows, velocity, spin), (velocity, spin));
    }
}
