//! Recorder: from a vehicle in a world to telemetry.

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use vehicle_rapier::RapierVehicle;
use vehicle_rapier::core::vehicle::MechanicalState;

use crate::telemetry::{Channel, Telemetry};
use crate::vehicle_telemetry::VehicleTelemetry;

/// Names of the wheels of a car with two axles, by number.
pub const CAR_WHEELS: [&str; 4] = ["front right", "front left", "rear right", "rear left"];

/// Channels before the second brake, whose name depends on the vehicle.
const CHANNELS_OF_MOTION: [(&str, &str); 9] = [
    ("time", "s"),
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("speed", "m/s"),
    ("forward speed", "m/s"),
    ("yaw rate", "rad/s"),
    ("throttle", ""),
    ("brake", ""),
];

/// Channels after the second brake.
const CHANNELS_OF_STATE: [(&str, &str); 2] = [("steer", ""), ("asleep", "")];

const WHEEL_CHANNELS: [(&str, &str); 9] = [
    ("load", "N"),
    ("jounce", "m"),
    ("longitudinal slip", ""),
    ("slip angle", "rad"),
    ("wheel speed", "rad/s"),
    ("steer angle", "rad"),
    ("drive torque", "N m"),
    ("brake torque", "N m"),
    ("friction use", ""),
];

/// Name of the channel of a `quantity` of `wheel`.
pub fn wheel_channel(quantity: &str, wheel: &str) -> String {
    format!("{quantity} {wheel}")
}

/// Records a vehicle after every step of its world.
pub struct Recorder {
    /// What was recorded.
    pub telemetry: Telemetry,
    time: Real,
    row: Vec<f64>,
}

impl Recorder {
    /// A recorder of a vehicle like `vehicle` with these wheels, by number.
    ///
    /// # Errors
    ///
    /// If two wheels have the same name.
    pub fn new(vehicle: &impl VehicleTelemetry, wheels: &[&str]) -> Result<Self> {
        let channel = |(name, unit)| Channel::new(name, unit);
        let of_wheels = wheels.iter().flat_map(|wheel| {
            WHEEL_CHANNELS.map(|(name, unit)| Channel::new(wheel_channel(name, wheel), unit))
        });
        let channels = CHANNELS_OF_MOTION
            .map(channel)
            .into_iter()
            .chain([Channel::new(vehicle.second_brake(), "")])
            .chain(CHANNELS_OF_STATE.map(channel))
            .chain(vehicle.own_channels())
            .chain(of_wheels);
        Ok(Self { telemetry: Telemetry::new(channels)?, time: 0.0, row: Vec::new() })
    }

    /// Records the state after a step of `world`.
    ///
    /// # Errors
    ///
    /// If the vehicle's body is gone, or it has another number of wheels than the recorder.
    pub fn record<V: VehicleTelemetry>(
        &mut self,
        world: &PhysicsWorld,
        car: &RapierVehicle<V>,
    ) -> Result<()> {
        self.time += world.integration_parameters.dt;
        self.row.clear();
        self.row.push(self.time.into());
        self.add_body(world, car)?;
        self.add(car.vehicle.own_values());
        for (wheel, &drive_torque) in car.vehicle.drive_torques().iter().enumerate() {
            self.add_wheel(car.vehicle.mechanics(), wheel, drive_torque);
        }
        self.telemetry.push(&self.row)
    }

    fn add_body<V: VehicleTelemetry>(
        &mut self,
        world: &PhysicsWorld,
        car: &RapierVehicle<V>,
    ) -> Result<()> {
        let body = world.bodies.get(car.actor.body).context("the vehicle's body is gone")?;
        let frame = &car.params.coordinates.frame;
        let axes = body.rotation() * car.actor.center_of_mass.rotation;
        let commands = car.vehicle.commands();
        let position = body.center_of_mass();
        let [brake, second_brake] = commands.brakes;
        self.add(position.to_array());
        self.add([
            body.linvel().length(),
            body.linvel().dot(axes * frame.longitudinal()),
            body.angvel().dot(axes * frame.vertical()),
            commands.throttle,
            brake,
            second_brake,
            commands.steer,
            if body.is_sleeping() { 1.0 } else { 0.0 },
        ]);
        Ok(())
    }

    fn add_wheel(&mut self, state: &MechanicalState, wheel: usize, drive_torque: Real) {
        let tire = &state.tires[wheel];
        let limit = tire.grip.load * tire.grip.friction;
        let use_of_friction = if limit == 0.0 { 0.0 } else { tire.force.force().length() / limit };
        self.add([
            state.suspension_forces[wheel].normal_load,
            state.suspensions[wheel].jounce.unwrap_or(0.0),
            tire.slip.longitudinal,
            tire.slip.lateral,
            state.wheels[wheel].rotation_speed,
            state.steer_angles[wheel],
            drive_torque,
            state.brake_torques[wheel],
            use_of_friction,
        ]);
    }

    fn add(&mut self, values: impl IntoIterator<Item = Real>) {
        self.row.extend(values.into_iter().map(f64::from));
    }
}
