//! Numbers that a vehicle gives its aids, found from its parameters.

use vehicle_core::commands::linear_response;
use vehicle_core::context::GRAVITY;
use vehicle_core::frame::CoordinateSystem;
use vehicle_core::math::{Real, Vec3};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::MechanicalParams;

use crate::aids::vehicle::{AidDrive, AidVehicle, AidWheel};
use crate::handling::rest_masses;
use crate::probed_tire::ProbedTire;

/// Slips at which a tire is asked for its longitudinal force: every hundredth up to this number of
/// them.
const PROBED_SLIPS: u8 = 40;
/// Part of its greatest force by which a tire must fall behind the peak to have one.
const FALL: Real = 5e-3;

/// The numbers of a vehicle without a drive, under its own loads at rest, or under those that its
/// springs are made for if it `is_laden`.
pub(crate) fn measure<Tire: TireModel>(
    mechanics: &MechanicalParams<Tire>,
    coordinates: &CoordinateSystem,
    is_laden: bool,
) -> AidVehicle {
    let CoordinateSystem { frame, length_scale } = coordinates;
    let [forward, left, up] = [frame.longitudinal(), frame.lateral(), frame.vertical()];
    let about = |axis: Vec3| axis.abs().dot(mechanics.rigid_body.inertia) / length_scale.powi(2);
    let all = || 0..mechanics.axles.wheel_count();
    let angles = all().map(|wheel| linear_response(&mechanics.steering, 1.0, wheel));
    let lock = angles.fold(0.0, |most: Real, angle: Real| most.max(angle.abs()));
    let masses = rest_masses(mechanics, frame, GRAVITY * length_scale, is_laden);
    let of_wheel = |wheel: usize| of_wheel(mechanics, coordinates, (lock, masses[wheel]), wheel);
    let mut wheels: Vec<_> = all().map(of_wheel).collect();
    number_axles(&mut wheels);
    let height = |wheel: usize| {
        mechanics.wheels[wheel].radius - mechanics.suspensions[wheel].wheel_mount().dot(up)
    };
    let heights: Real = (0..wheels.len()).map(height).sum();
    AidVehicle {
        mass: mechanics.rigid_body.mass,
        trailer_mass: 0.0,
        yaw_inertia: about(up),
        roll_inertia: about(forward),
        pitch_inertia: about(left),
        center_height: heights / (wheels.len() as Real * length_scale),
        gravity: GRAVITY,
        max_steer_angle: lock,
        wheels,
        drive: AidDrive::PerWheel,
    }
}

/// Numbers the axles of `wheels` from the front to the rear: those of a vehicle come in any order.
fn number_axles(wheels: &mut [AidWheel]) {
    let axles = wheels.iter().map(|wheel| wheel.axle + 1).max().unwrap_or(0);
    let place = |axle: usize| {
        let on_axle = || wheels.iter().filter(|wheel| wheel.axle == axle);
        on_axle().map(|wheel| wheel.forward).sum::<Real>() / on_axle().count().max(1) as Real
    };
    let places: Vec<_> = (0..axles).map(place).collect();
    for wheel in wheels {
        let (axle, own) = (wheel.axle, places[wheel.axle]);
        let is_ahead =
            |other: &usize| own < places[*other] || (own == places[*other] && *other < axle);
        wheel.axle = (0..axles).filter(is_ahead).count();
    }
}

fn of_wheel<Tire: TireModel>(
    mechanics: &MechanicalParams<Tire>,
    coordinates: &CoordinateSystem,
    (lock, carried): (Real, Real),
    wheel: usize,
) -> AidWheel {
    let CoordinateSystem { frame, length_scale } = coordinates;
    let square = length_scale * length_scale;
    let shape = &mechanics.wheels[wheel];
    let mount = mechanics.suspensions[wheel].wheel_mount();
    let load = carried * GRAVITY * length_scale;
    let tire = ProbedTire::of(mechanics, wheel, load);
    let brake = mechanics.brakes.first();
    let steer_angle = linear_response(&mechanics.steering, 1.0, wheel);
    AidWheel {
        forward: mount.dot(frame.longitudinal()) / length_scale,
        left: mount.dot(frame.lateral()) / length_scale,
        axle: mechanics.axles.axle_of(wheel).unwrap_or(0),
        radius: shape.radius / length_scale,
        inertia: shape.inertia / square,
        rest_load: load / length_scale,
        max_brake_torque: brake.map_or(0.0, |brake| linear_response(brake, 1.0, wheel)) / square,
        peak_slip: peak_slip(&tire),
        cornering_stiffness: tire.cornering_stiffness() / length_scale,
        lateral_friction: tire.friction()[1],
        is_driven: false,
        motor: 0,
        steer_share: if 0.0 < lock { steer_angle / lock } else { 0.0 },
    }
}

/// The slip at which a tire that brakes has its greatest force; `None` if the force does not fall
/// beyond any.
fn peak_slip<Tire: TireModel>(tire: &ProbedTire<'_, Tire>) -> Option<Real> {
    let force = |percent: u8| tire.longitudinal_force(-0.01 * Real::from(percent)).abs();
    let forces: Vec<_> = (1..=PROBED_SLIPS).map(|percent| (percent, force(percent))).collect();
    let (_, last) = *forces.last()?;
    let greatest =
        forces.iter().fold((0, 0.0), |best: (u8, Real), &at| if best.1 < at.1 { at } else { best });
    let (percent, most) = greatest;
    (last < (1.0 - FALL) * most).then_some(0.01 * Real::from(percent))
}

#[cfg(test)]
mod tests {
    use vehicle_core::AxleDescription;
    use vehicle_core::blueprint::CarBlueprint;

    use super::*;

    #[test]
    fn axles_are_counted_from_the_front_in_whichever_order_they_come() {
        let blueprint = CarBlueprint::default();
        let mut mechanics = blueprint.mechanics().expect("a car");
        let coordinates = CoordinateSystem { frame: blueprint.frame, length_scale: 1.0 };
        let usual = measure(&mechanics, &coordinates, false);
        assert_eq!(usual.wheels.iter().map(|it| it.axle).collect::<Vec<_>>(), [0, 0, 1, 1]);
        mechanics.axles = AxleDescription::new([[2, 3], [0, 1]]).expect("four wheels");
        let turned = measure(&mechanics, &coordinates, false);
        assert_eq!(turned.wheels.iter().map(|it| it.axle).collect::<Vec<_>>(), [0, 0, 1, 1]);
        assert_eq!(turned.pairs(), usual.pairs());
    }
}
