//! Recorder: from what drives in a world to telemetry.

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

use crate::telemetry::{Channel, Telemetry};
use crate::vehicle_figure::VehicleFigure;
use crate::vehicle_telemetry::VehicleTelemetry;
use crate::wheel_names::wheel_channel;

/// Channels before the second brake, whose name depends on the vehicle.
const CHANNELS_OF_MOTION: [(&str, &str); 11] = [
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("speed", "m/s"),
    ("forward speed", "m/s"),
    ("yaw rate", "rad/s"),
    ("heading", "rad"),
    ("pitch", "rad"),
    ("roll", "rad"),
    ("throttle", ""),
    ("brake", ""),
];

/// Channels after the second brake.
const CHANNELS_OF_STATE: [(&str, &str); 2] = [("steer", ""), ("asleep", "")];

const WHEEL_CHANNELS: [(&str, &str); 14] = [
    ("load", "N"),
    ("jounce", "m"),
    ("longitudinal slip", ""),
    ("slip angle", "rad"),
    ("wheel speed", "rad/s"),
    ("steer angle", "rad"),
    ("drive torque", "N m"),
    ("brake torque", "N m"),
    ("friction use", ""),
    ("aligning moment", "N m"),
    ("resistance force", "N"),
    ("tire deformation torque", "N m"),
    ("compaction torque", "N m"),
    ("residual torque", "N m"),
];

/// What can be recorded after every step of its world: a vehicle, or several that are coupled.
pub trait Recorded {
    /// The channels, with these names of the wheels of a vehicle, by number.
    fn channels(&self, wheels: &[&str]) -> Vec<Channel>;

    /// Adds the values of the channels to `row`, in their order.
    ///
    /// # Errors
    ///
    /// If a body is gone.
    fn add_values(&self, world: &PhysicsWorld, row: &mut Vec<f64>) -> Result<()>;

    /// The figure of each vehicle in its `world`, the first one first.
    fn figures(&self, world: &PhysicsWorld) -> Vec<VehicleFigure>;
}

/// Records what drives after every step of its world.
pub struct Recorder {
    /// What was recorded.
    pub telemetry: Telemetry,
    time: Real,
    row: Vec<f64>,
}

impl Recorder {
    /// A recorder of `recorded`, whose vehicles have these wheels, by number.
    ///
    /// # Errors
    ///
    /// If two wheels have the same name.
    pub fn new(recorded: &impl Recorded, wheels: &[&str]) -> Result<Self> {
        let time = std::iter::once(Channel::new("time", "s"));
        let telemetry = Telemetry::new(time.chain(recorded.channels(wheels)))?;
        Ok(Self { telemetry, time: 0.0, row: Vec::new() })
    }

    /// Records the state after a step of `world`.
    ///
    /// # Errors
    ///
    /// If a body is gone, or a vehicle has another number of wheels than the recorder.
    pub fn record(&mut self, world: &PhysicsWorld, recorded: &impl Recorded) -> Result<()> {
        self.time += world.integration_parameters.dt;
        self.row.clear();
        self.row.push(self.time.into());
        recorded.add_values(world, &mut self.row)?;
        self.telemetry.push(&self.row)
    }
}

impl<V: Drivable + VehicleTelemetry> Recorded for RapierVehicle<V> {
    fn channels(&self, wheels: &[&str]) -> Vec<Channel> {
        let channel = |(name, unit)| Channel::new(name, unit);
        let of_wheels = wheels.iter().flat_map(|wheel| {
            WHEEL_CHANNELS.map(|(name, unit)| Channel::new(wheel_channel(name, wheel), unit))
        });
        CHANNELS_OF_MOTION
            .map(channel)
            .into_iter()
            .chain([Channel::new(self.vehicle.second_brake(), "")])
            .chain(CHANNELS_OF_STATE.map(channel))
            .chain(self.vehicle.own_channels())
            .chain(of_wheels)
            .collect()
    }

    fn add_values(&self, world: &PhysicsWorld, row: &mut Vec<f64>) -> Result<()> {
        let mut add = |values: &[Real]| row.extend(values.iter().copied().map(f64::from));
        let body = world.bodies.get(self.actor.body).context("the vehicle's body is gone")?;
        add(&body.center_of_mass().to_array());
        let axes = body.rotation() * self.actor.center_of_mass.rotation;
        add(&motion(body, axes, &self.params.coordinates.frame));
        let commands = self.vehicle.commands();
        let [brake, second_brake] = commands.brakes;
        let is_asleep = if body.is_sleeping() { 1.0 } else { 0.0 };
        add(&[commands.throttle, brake, second_brake, commands.steer, is_asleep]);
        add(&self.vehicle.own_values());
        for (wheel, drive_torque) in self.vehicle.drive_torques().into_iter().enumerate() {
            add(&wheel_values(self.vehicle.mechanics(), wheel, drive_torque));
        }
        Ok(())
    }

    fn figures(&self, world: &PhysicsWorld) -> Vec<VehicleFigure> {
        let (title, kind) = (self.vehicle.title(), self.vehicle.look_kind());
        vec![VehicleFigure::of(self, world, title, kind)]
    }
}

/// Speed, forward speed, yaw rate, heading, pitch and roll of `body`, whose axes of inertia lie
/// along `axes`.
fn motion(body: &RigidBody, axes: Rotation, frame: &Frame) -> [Real; 6] {
    let (forward, left) = (axes * frame.longitudinal(), axes * frame.lateral());
    let rise = |direction: Vector| direction.dot(frame.vertical()).clamp(-1.0, 1.0).asin();
    [
        body.linvel().length(),
        body.linvel().dot(forward),
        body.angvel().dot(axes * frame.vertical()),
        forward.dot(frame.lateral()).atan2(forward.dot(frame.longitudinal())),
        rise(forward),
        rise(left),
    ]
}

fn wheel_values<Tire: TireModel>(
    state: &MechanicalState<Tire>,
    wheel: usize,
    drive_torque: Real,
) -> [Real; 14] {
    let tire = state.tires.of(wheel);
    let limit = tire.grip.load * tire.grip.friction;
    let use_of_friction = if limit == 0.0 { 0.0 } else { tire.force.force().length() / limit };
    [
        state.suspensions.of(wheel).force.normal_load,
        state.suspensions.of(wheel).compression.jounce.unwrap_or(0.0),
        tire.slip.longitudinal,
        tire.slip.angle(),
        state.wheels.of(wheel).rotation_speed,
        state.steer_angles[wheel],
        drive_torque,
        state.brake_torques[wheel],
        use_of_friction,
        tire.force.aligning_moment,
        tire.resistance_force(),
        tire.force.rolling_torques.tire_deformation,
        tire.force.rolling_torques.compaction,
        tire.force.rolling_torques.residual,
    ]
}
