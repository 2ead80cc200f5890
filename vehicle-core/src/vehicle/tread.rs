//! Round treads: forces act where a wheel that leans touches the road.

use std::ops::ControlFlow::{self, Continue};

use super::HasMechanics;
use crate::math::lanes::Lanes;
use crate::math::{Real, Vec3, normalize_or_zero, sign};
use crate::mount::WheelParams;
use crate::wheel_list::place;
use crate::{Component, Context};

/// From the center of a wheel to where it touches a road of the unit `normal` (m), with the unit
/// vector `axle` along its axle.
///
/// ```text
/// d = (R - ρ) r - (H - ρ) ℓ sgn(n·ℓ) - ρ n,   r = normalize(ℓ (n·ℓ) - n)
/// ```
///
/// with the radius `R`, half of the width `H` and the radius `ρ` of the shoulders. A tread that is
/// round all across touches the road right below the middle of its round, however it leans.
pub fn tread_contact(wheel: &WheelParams, axle: Vec3, normal: Vec3) -> Vec3 {
    let WheelParams { radius, half_width, shoulder_radius, .. } = *wheel;
    let lean: Real = normal.dot(axle);
    let down = normalize_or_zero(axle * lean - normal);
    down * (radius - shoulder_radius)
        - axle * (sign(lean) * (half_width - shoulder_radius))
        - normal * shoulder_radius
}

/// Moves the forces of suspensions and tires to where the round treads of their wheels touch the
/// road: what a vehicle that leans stands on. It follows [`Tire`](crate::stages::Tire), by
/// `sequence.insert_after::<Tire>(TreadContact)`.
///
/// [Force points](crate::suspension::SuspensionComplianceParams) are fixed in the body. As a wheel
/// leans by `φ`, its contact moves over the tread by `ρ sin φ`. With it moves the line from the
/// contact to the center of mass, about which a vehicle with one track balances. Wheels without
/// [shoulders](WheelParams::shoulder_radius), in the air or with a mass of their own stay as they
/// are.
#[derive(Clone, Copy, Debug)]
pub struct TreadContact;

impl<V: HasMechanics + ?Sized> Component<V> for TreadContact {
    fn update(&self, vehicle: &mut V, _dt: Real, _: &Context<'_>) -> ControlFlow<()> {
        let mechanics = vehicle.mechanics();
        let (params, state) = (mechanics.params, mechanics.state);
        if params.suspension_dynamics.has_mass() {
            return Continue(());
        }
        for wheel in params.axles.wheels() {
            let shape = &params.wheels[wheel];
            let (four, lane) = place(wheel);
            // Single lanes are read and written: a wheel as a whole is much to copy.
            let road = &state.roads.four(four).road;
            let suspensions = state.suspensions.four_mut(four);
            let is_on_ground = suspensions.compression.lane(lane).is_on_ground();
            if shape.shoulder_radius == 0.0 || !road.is_there.lane(lane) || !is_on_ground {
                continue;
            }
            let tires = state.tires.four_mut(four);
            let (axle, normal) = (tires.axle.lane(lane), road.plane.normal.lane(lane));
            let hub = suspensions.contact.axle_arm.lane(lane);
            let arm = hub + tread_contact(shape, axle, normal);
            let force = suspensions.force.force.lane(lane);
            suspensions.force.torque.set_lane(lane, arm.cross(force));
            let moved = arm - tires.force.arm.lane(lane);
            let along = tires.directions.longitudinal.lane(lane);
            let rolled = along * tires.force.longitudinal_force.lane(lane);
            let torque = tires.force.longitudinal_torque.lane(lane) + moved.cross(rolled);
            tires.force.longitudinal_torque.set_lane(lane, torque);
            tires.force.arm.set_lane(lane, arm);
        }
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{cos, sin_cos};

    #[test]
    fn a_round_tread_touches_the_road_below_the_middle_of_its_round() {
        let wheel = WheelParams {
            radius: 0.3,
            half_width: 0.06,
            shoulder_radius: 0.06,
            ..WheelParams::default()
        };
        // (lean to the left, beside the center, below it): 0.24 sin, 0.24 cos + 0.06
        for lean in [-0.9, -0.2, 0.0, 0.4, 0.8] {
            let (sin, _) = sin_cos::<Real>(lean);
            let axle = Vec3::new(0.0, cos(lean), -sin);
            let contact = tread_contact(&wheel, axle, Vec3::Z);
            let expected = Vec3::new(0.0, -0.24 * sin, -0.24 * cos(lean) - 0.06);
            assert!(contact.distance(expected) < 1e-6, "{lean} rad: {contact}");
        }
        // A cylinder stands on its edge.
        let square = WheelParams { shoulder_radius: 0.0, ..wheel };
        let (sin, cos) = sin_cos::<Real>(0.1);
        let contact = tread_contact(&square, Vec3::new(0.0, cos, -sin), Vec3::Z);
        let expected = Vec3::new(0.0, 0.06 * cos - 0.3 * sin, -0.3 * cos - 0.06 * sin);
        assert!(contact.distance(expected) < 1e-6, "{contact}");
    }
}
