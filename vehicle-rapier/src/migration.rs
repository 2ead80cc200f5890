//! From Rapier's `DynamicRayCastVehicleController` to a vehicle with the same numbers.
//!
//! [`take_over`] reads the wheels of a controller and the mass of its chassis, and makes the
//! chassis the body of a [`RapierVehicle`]. An application that sets `engine_force`, `brake` and
//! `steering` of the controller's wheels goes on to do so, and [`write_controls`] hands them over
//! before each step.
//!
//! The page `docs/migration.md` of the repository has a table of all numbers, field by field.

use rapier3d::control::DynamicRayCastVehicleController;
use rapier3d::prelude::*;
use vehicle_core::aerodynamics::AerodynamicsParams;
use vehicle_core::blueprint::starting_tire;
use vehicle_core::commands::CommandResponseParams;
use vehicle_core::constraint_rows::SuspensionLimitParams;
use vehicle_core::context::GRAVITY;
use vehicle_core::error::{Bound, ParamCheck, ParamErrors};
use vehicle_core::frame::{Axis, Frame};
use vehicle_core::rigid_body::RigidBodyParams;
use vehicle_core::sequence::TimeStepError;
use vehicle_core::suspension::unsprung::SuspensionDynamics;
use vehicle_core::suspension::unsprung::laws::{DamperLaw, DamperSide};
use vehicle_core::suspension::{
    JounceParams, SprungMassError, StrutParams, SuspensionComplianceParams, SuspensionForceParams,
    SuspensionParams, sprung_masses,
};
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::wheel::WheelParams;
use vehicle_core::{AxleDescription, SimulationParams, Validate};
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicle};

use crate::actor::ActorError;
use crate::chassis::Chassis;
use crate::vehicle::RapierVehicle;

/// Distance along the vehicle within which wheels are of one axle, by the largest such distance of
/// two wheels (dimensionless). Two axles are further apart, also those of a tandem.
const AXLE_SHARE: Real = 0.05;

/// Why a controller cannot be taken over; nothing has changed then.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MigrationError {
    /// The controller's chassis is not in the world, or not dynamic.
    #[error(transparent)]
    Chassis(#[from] ActorError),
    /// Its suspensions and axles do not point along axes of the chassis.
    #[error(
        "direction_cs and axle_cs of the wheels must be along axes of the chassis: downward and \
         across, got {down} and {axle}"
    )]
    Axes {
        /// Mean direction of the suspensions.
        down: Vector,
        /// Mean direction of the axles.
        axle: Vector,
    },
    /// The controller's wheels cannot carry the chassis.
    #[error(transparent)]
    SprungMasses(#[from] SprungMassError),
    /// A number of it has a fault.
    #[error(transparent)]
    Params(#[from] ParamErrors),
}

/// The vehicle of `controller`, whose chassis it takes over: drop the controller's
/// `update_vehicle`, and step the vehicle instead. It has no driver: its wheels are turned by what
/// [`write_controls`] writes.
///
/// The colliders of the chassis stay. Its mass, center of mass and moments of inertia about its own
/// axes become the body's own. Products of inertia, which a collider askew has, are left out.
///
/// # Errors
///
/// If the chassis is gone or not dynamic, or a number of it or of the wheels has a fault. Nothing
/// has changed then.
pub fn take_over(
    world: &mut PhysicsWorld,
    controller: &DynamicRayCastVehicleController,
) -> Result<RapierVehicle<DirectDriveVehicle>, MigrationError> {
    let handle = controller.chassis;
    let body = world.bodies.get(handle).ok_or(ActorError::Removed(handle))?;
    if !body.is_dynamic() {
        return Err(ActorError::NotDynamic(handle, body.body_type()).into());
    }
    let local = &body.mass_properties().local_mprops;
    check_numbers(controller, local.mass())?;
    let frame = frame_of(controller)?;
    let inertia = local.reconstruct_inertia_matrix();
    let rigid_body = RigidBodyParams {
        mass: local.mass(),
        inertia: Vector::new(inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z),
    };
    let center = local.local_com;
    let mechanics = mechanics_of(controller, &rigid_body, center, &frame)?;
    let wheel_count = mechanics.axles.wheel_count();
    let throttle = CommandResponseParams::linear(0.0, vec![0.0; wheel_count]);
    let vehicle = DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle })?;
    let chassis = Chassis::new(&rigid_body).center_of_mass(Pose::from_translation(center));
    let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
    let (actor, _) = chassis.adopt(controller.chassis, bodies, colliders)?;
    let sequence = DirectDriveVehicle::sequence_of_written_torques(|_| 3);
    let mut car = RapierVehicle::new(actor, vehicle, sequence);
    car.params = SimulationParams::new(frame);
    Ok(car)
}

/// Writes engine forces, brakes and steering of the wheels of `controller` to `vehicle`, for a step
/// of `dt` (s), that of the world. Call it whenever they have changed.
///
/// # Errors
///
/// If `dt` is no time step: the controller's brakes are impulses per step. Nothing has changed
/// then.
pub fn write_controls(
    vehicle: &mut DirectDriveVehicle,
    controller: &DynamicRayCastVehicleController,
    dt: Real,
) -> Result<(), TimeStepError> {
    TimeStepError::check(dt)?;
    let state = &mut vehicle.state;
    let wheel_count = state.drive.torques.len();
    for (index, wheel) in controller.wheels().iter().enumerate().take(wheel_count) {
        state.drive.torques[index] = wheel.engine_force * wheel.radius;
        state.mechanics.brake_torques[index] = wheel.brake / dt * wheel.radius;
        state.mechanics.steer_angles[index] = wheel.steering;
    }
    Ok(())
}

/// The axes of a vehicle whose wheels hang and turn as those of `controller`.
fn frame_of(controller: &DynamicRayCastVehicleController) -> Result<Frame, MigrationError> {
    let sum = |direction: fn(&rapier3d::control::Wheel) -> Vector| {
        let directions = controller.wheels().iter().map(direction);
        directions.fold(Vector::ZERO, |sum, direction| sum + direction).normalize_or_zero()
    };
    let (down, axle) = (sum(|wheel| wheel.direction_cs), sum(|wheel| wheel.axle_cs));
    let refused = MigrationError::Axes { down, axle };
    let nearest = |direction: Vector| {
        Axis::ALL.into_iter().find(|axis| 0.9 < axis.direction().dot(direction))
    };
    let up = -down;
    let longitudinal = up.cross(axle);
    let axes = (nearest(longitudinal), nearest(up.cross(longitudinal)), nearest(up));
    let (Some(longitudinal), Some(lateral), Some(vertical)) = axes else {
        return Err(refused);
    };
    Frame::new(longitudinal, lateral, vertical).map_err(|_| refused)
}

/// The mechanical base on a body with its center of mass at `center` (m, chassis).
fn mechanics_of(
    controller: &DynamicRayCastVehicleController,
    rigid_body: &RigidBodyParams,
    center: Vector,
    frame: &Frame,
) -> Result<MechanicalParams, MigrationError> {
    let wheels = controller.wheels();
    let droop = |wheel: &rapier3d::control::Wheel| {
        wheel.chassis_connection_point_cs - center
            + wheel.direction_cs.normalize_or_zero() * wheel.suspension_rest_length
    };
    let places: Vec<_> = wheels.iter().map(droop).collect();
    let masses = sprung_masses(&places, rigid_body.mass, frame.vertical_axis())?;
    let count = wheels.len();
    let mut params = MechanicalParams {
        axles: axles_of(&places, frame)?,
        rigid_body: *rigid_body,
        brakes: vec![CommandResponseParams::linear(0.0, vec![0.0; count])],
        steering: CommandResponseParams::linear(0.0, vec![0.0; count]),
        ackermann: Vec::new(),
        steering_system: None,
        brake_valves: Vec::new(),
        jounce: JounceParams::default(),
        wheels: Vec::new(),
        suspensions: Vec::new(),
        compliances: Vec::new(),
        suspension_forces: Vec::new(),
        anti_roll_bars: Vec::new(),
        beam_axles: Vec::new(),
        aerodynamics: AerodynamicsParams::default(),
        suspension_dynamics: SuspensionDynamics::default(),
        suspension_limit: SuspensionLimitParams::default(),
        tires: Vec::new(),
    };
    let mut struts = Vec::new();
    for ((wheel, place), sprung_mass) in wheels.iter().zip(places).zip(masses) {
        let direction = wheel.direction_cs.normalize_or_zero();
        let travel = wheel.max_suspension_travel.min(wheel.suspension_rest_length);
        params.wheels.push(wheel_of_radius(wheel.radius));
        params.suspensions.push(SuspensionParams {
            attachment: Pose::from_translation(place - direction * travel),
            travel_direction: direction,
            travel_distance: travel,
            wheel_attachment: Pose::IDENTITY,
        });
        params.compliances.push(SuspensionComplianceParams::at_contact(
            direction,
            travel,
            wheel.radius,
        ));
        let [bump, rebound] = [wheel.damping_compression, wheel.damping_relaxation]
            .map(|damping| damping * rigid_body.mass);
        params.suspension_forces.push(SuspensionForceParams {
            stiffness: wheel.suspension_stiffness * rigid_body.mass,
            damping: 0.5 * (bump + rebound),
            sprung_mass,
        });
        let law =
            DamperLaw { bump: DamperSide::linear(bump), rebound: DamperSide::linear(rebound) };
        struts.push(StrutParams { damper: Some(law), ..StrutParams::default() });
        let is_front = 0.0 < place.dot(frame.longitudinal());
        params.tires.push(starting_tire(sprung_mass * GRAVITY, wheel.radius, is_front));
    }
    params.suspension_dynamics = SuspensionDynamics::Struts(struts);
    params.validate()?;
    Ok(params)
}

/// Names the numbers as the controller does.
fn check_numbers(
    controller: &DynamicRayCastVehicleController,
    chassis_mass: Real,
) -> Result<(), ParamErrors> {
    let mut check = ParamCheck::default();
    check.number("chassis.mass", chassis_mass, Bound::Positive);
    let count = controller.wheels().len();
    check.require("wheels", 2 < count, format_args!("at least 3"), count);
    check.each("wheels", controller.wheels(), |wheel, inner| {
        inner.number("radius", wheel.radius, Bound::Positive);
        inner.number("suspension_rest_length", wheel.suspension_rest_length, Bound::Positive);
        inner.number("max_suspension_travel", wheel.max_suspension_travel, Bound::Positive);
        inner.number("suspension_stiffness", wheel.suspension_stiffness, Bound::Positive);
        inner.number("damping_compression", wheel.damping_compression, Bound::NotNegative);
        inner.number("damping_relaxation", wheel.damping_relaxation, Bound::NotNegative);
    });
    check.finish()
}

/// Wheels that are next to each other, in the order of the controller.
fn axles_of(places: &[Vector], frame: &Frame) -> Result<AxleDescription, ParamErrors> {
    let along = |wheel: usize| places[wheel].dot(frame.longitudinal());
    let (front, rear) = (0..places.len())
        .map(along)
        .fold((Real::MIN, Real::MAX), |ends, at| (at.max(ends.0), at.min(ends.1)));
    let width = AXLE_SHARE * (front - rear);
    let mut axles: Vec<Vec<usize>> = Vec::new();
    for wheel in 0..places.len() {
        match axles.iter_mut().find(|axle| (along(axle[0]) - along(wheel)).abs() <= width) {
            Some(axle) => axle.push(wheel),
            None => axles.push(vec![wheel]),
        }
    }
    AxleDescription::new(axles)
}

/// The wheel of a car, of another radius: its mass grows with the square of it, as that of a disc.
fn wheel_of_radius(radius: Real) -> WheelParams {
    let usual = WheelParams::default();
    let size = radius / usual.radius;
    WheelParams {
        radius,
        half_width: usual.half_width * size,
        mass: usual.mass * size * size,
        inertia: usual.inertia * size.powi(4),
        damping_rate: usual.damping_rate * size.powi(4),
        ..usual
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_toy_has_as_many_axles_as_the_car_that_it_looks_like() {
        // Two axles whose wheels are not quite side by side, and a tandem behind.
        for (ways, expected) in [(&[1.3, -1.3][..], 2), (&[3.0, -1.4, -2.7][..], 3)] {
            for scale in [1.0, 0.05, 0.01] {
                let place = |way: &Real, side: Real| {
                    Vector::new(0.8 * side, 0.0, way + 0.02 * side) * scale
                };
                let places: Vec<_> =
                    ways.iter().flat_map(|way| [place(way, -1.0), place(way, 1.0)]).collect();
                let axles = axles_of(&places, &Frame::Y_UP).expect("two wheels on each axle");
                assert_eq!(axles.axle_count(), expected, "scale {scale}: {axles:?}");
            }
        }
    }
}
