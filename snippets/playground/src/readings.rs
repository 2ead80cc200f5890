//! What a driver and an engineer read: speed, engine, gear, accelerations, and what each tire does;
//! and what is heard.

use rapier3d::prelude::*;
use vehicle_rapier::core::context::GRAVITY;
pub use vehicle_rapier::drivetrain::readings::WheelReading;
use vehicle_rapier::drivetrain::readings::{DriveReading, HeardVehicle, HearingParams};
use vehicle_rapier::events::{TimedEvent, VehicleEvent};
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::aids::AidSet;

/// Radians per second as revolutions per minute.
const PER_MINUTE: Real = 9.549_297;
/// Most events that are kept, for those who make steps without frames.
const MOST_EVENTS: usize = 64;
/// Time in which the shown accelerations follow (s).
const SMOOTHING: Real = 0.08;

/// What there is to be read after a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Readings {
    /// Forward speed (m/s).
    pub speed: Real,
    /// Speed of the engine, or of a motor (1/min).
    pub engine_speed: Option<Real>,
    /// The gear that is shown.
    pub gear: String,
    /// Accelerations of the body as an occupant feels them along the ground, to the left and
    /// forward (g).
    pub accelerations: [Real; 2],
    /// Accelerator, foot brake and steering wheel as the vehicle gets them.
    pub controls: [Real; 3],
    /// The driver aids that act.
    pub acting_aids: AidSet,
    /// The tires.
    pub wheels: Vec<WheelReading>,
    /// What is heard.
    pub heard: HeardVehicle,
    /// What has happened since the last frame.
    pub events: Vec<TimedEvent>,
}

impl Readings {
    /// Reads `car` after a step of `dt` (s), in which it has come from `velocity_before` (m/s).
    pub(crate) fn read(
        &mut self,
        car: &mut AnyRapierVehicle,
        body: &RigidBody,
        velocity_before: Vector,
        dt: Real,
    ) {
        let readings = car.readings();
        self.heard.follow(&HearingParams::default(), &readings, dt);
        let DriveReading { gear, engine, .. } = readings.drive;
        self.speed = readings.speed;
        self.engine_speed = engine.map(|engine| engine.speed * PER_MINUTE);
        self.gear.clear();
        self.gear.push_str(&gear.to_string());
        let commands = car.commands();
        self.controls = [commands.throttle, commands.brakes[0], commands.steer];
        self.acting_aids = AidSet::acting(&car.vehicle.aided().report());
        let acceleration = (body.linvel() - velocity_before) / dt;
        let axes = [Vector::X, Vector::Z].map(|axis| *body.rotation() * axis);
        for (shown, axis) in self.accelerations.iter_mut().zip(axes) {
            let now = acceleration.dot(axis) / GRAVITY;
            *shown += (now - *shown) * (dt / (SMOOTHING + dt));
        }
        self.wheels = readings.wheels.into_vec();
        self.events.extend(car.drain_events());
        self.events.drain(..self.events.len().saturating_sub(MOST_EVENTS));
    }

    /// How hard the body of a vehicle of `mass` (kg) was hit since the last frame, and how hard its
    /// wheels and stops were (m/s).
    pub fn blows(&self, mass: Real) -> [Real; 2] {
        self.events.iter().fold([0.0; 2], |[hit, thud]: [Real; 2], event| match event.event {
            VehicleEvent::BodyHit { impulse } => [hit.max(impulse.length() / mass), thud],
            VehicleEvent::WheelLands { speed, .. }
            | VehicleEvent::SuspensionBottoms { speed, .. } => [hit, thud.max(speed)],
            _ => [hit, thud],
        })
    }
}
