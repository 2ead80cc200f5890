//! Recorder: from a vehicle in a world to telemetry.

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use vehicle_rapier::RapierVehicle;
use vehicle_rapier::core::vehicle::MechanicalState;
use vehicle_rapier::drivetrain::DirectDriveVehicle;

use crate::telemetry::{Channel, Telemetry};

/// Names of the wheels of a car with two axles, by number.
pub const CAR_WHEELS: [&str; 4] = ["front right", "front left", "rear right", "rear left"];

const VEHICLE_CHANNELS: [(&str, &str); 12] = [
    ("time", "s"),
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("speed", "m/s"),
    ("forward speed", "m/s"),
    ("yaw rate", "rad/s"),
    ("throttle", ""),
    ("brake", ""),
    ("hand brake", ""),
    ("steer", ""),
    ("asleep", ""),
];

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

/// Records a direct-drive vehicle after every step of its world.
pub struct DirectDriveRecorder {
    /// What was recorded.
    pub telemetry: Telemetry,
    time: Real,
    row: Vec<f64>,
}

impl DirectDriveRecorder {
    /// A recorder of a vehicle with these wheels, by number.
    ///
    /// # Errors
    ///
    /// If two wheels have the same name.
    pub fn new(wheels: &[&str]) -> Result<Self> {
        let of_vehicle = VEHICLE_CHANNELS.map(|(name, unit)| Channel::new(name, unit));
        let of_wheels = wheels.iter().flat_map(|wheel| {
            WHEEL_CHANNELS.map(|(name, unit)| Channel::new(wheel_channel(name, wheel), unit))
        });
        let telemetry = Telemetry::new(of_vehicle.into_iter().chain(of_wheels))?;
        Ok(Self { telemetry, time: 0.0, row: Vec::new() })
    }

    /// Records the state after a step of `world`.
    ///
    /// # Errors
    ///
    /// If the vehicle's body is gone, or it has another number of wheels than the recorder.
    pub fn record(
        &mut self,
        world: &PhysicsWorld,
        car: &RapierVehicle<DirectDriveVehicle>,
    ) -> Result<()> {
        self.time += world.integration_parameters.dt;
        self.row.clear();
        self.row.push(self.time.into());
        self.add_body(world, car)?;
        let state = &car.vehicle.state;
        for wheel in 0..state.drive_torques.len() {
            self.add_wheel(&state.mechanics, wheel, state.drive_torques[wheel]);
        }
        self.telemetry.push(&self.row)
    }

    fn add_body(
        &mut self,
        world: &PhysicsWorld,
        car: &RapierVehicle<DirectDriveVehicle>,
    ) -> Result<()> {
        let body = world.bodies.get(car.actor.body).context("the vehicle's body is gone")?;
        let frame = &car.params.coordinates.frame;
        let axes = body.rotation() * car.actor.center_of_mass.rotation;
        let commands = &car.vehicle.commands;
        let position = body.center_of_mass();
        let [brake, hand_brake] = commands.brakes;
        self.add(position.to_array());
        self.add([
            body.linvel().length(),
            body.linvel().dot(axes * frame.longitudinal()),
            body.angvel().dot(axes * frame.vertical()),
            commands.throttle,
            brake,
            hand_brake,
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

    fn add<const N: usize>(&mut self, values: [Real; N]) {
        self.row.extend(values.map(f64::from));
    }
}
