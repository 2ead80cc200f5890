//! Channels of forces and torques of the driven vehicle.

use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::telemetry::Channel;
use crate::vehicle_telemetry::VehicleTelemetry;
use crate::wheel_names::wheel_channel;

/// Channels of each wheel.
const OF_WHEELS: [(&str, &str); 2] = [("longitudinal force", "N"), ("lateral force", "N")];
/// Channels of a vehicle with a steering system.
const OF_STEERING: [(&str, &str); 2] =
    [("steering wheel angle", "rad"), ("steering torque", "N m")];

/// The channels of `car`, whose wheels have these names.
pub(super) fn channels(car: &AnyRapierVehicle, wheels: &[&str]) -> Vec<Channel> {
    let of_wheels = wheels.iter().flat_map(|wheel| {
        OF_WHEELS.map(|(name, unit)| Channel::new(wheel_channel(name, wheel), unit))
    });
    let has_system = car.mechanics().params.steering_system.is_some();
    let of_steering = OF_STEERING.into_iter().filter(|_| has_system);
    of_wheels.chain(of_steering.map(|(name, unit)| Channel::new(name, unit))).collect()
}

/// Values of the channels of `car`, in their order.
pub(super) fn values(car: &AnyRapierVehicle) -> Vec<f64> {
    let mechanics = car.mechanics();
    let state = mechanics.state;
    let mut values = Vec::new();
    for wheel in 0..car.wheel_count() {
        let force = state.tires.of(wheel).force;
        values.extend([force.longitudinal_force, force.lateral_force]);
    }
    if mechanics.params.steering_system.is_some() {
        values.extend([state.steering.angle, state.steering.wheel_torque]);
    }
    values.into_iter().map(f64::from).collect()
}

/// Power that the drive gives to the wheels of `car` (W), negative where it takes it from them.
///
/// ```text
/// P = Σ T ω
/// ```
pub(super) fn drive_power(car: &AnyRapierVehicle) -> f64 {
    let wheels = &car.mechanics().state.wheels;
    let torques = car.vehicle.drive_torques();
    let power = |(wheel, torque): (usize, &f32)| torque * wheels.of(wheel).rotation_speed;
    f64::from(torques.iter().enumerate().map(power).sum::<f32>())
}
