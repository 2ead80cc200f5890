//! What a driver and an engineer read: speed, engine, gear, accelerations, and what each tire does.

use rapier3d::prelude::*;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::tire::TireDirections;
use vehicle_rapier::core::tire::models::AnyTire;
use vehicle_rapier::core::vehicle::MechanicsRef;
use vehicle_rapier::drivetrain::instruments::Instruments;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::aids::AidSet;
use crate::worlds::Surface;

/// Time in which the shown accelerations follow (s).
const SMOOTHING: Real = 0.08;

/// What a tire does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelReading {
    /// Whether it touches the ground.
    pub is_on_ground: bool,
    /// Whether it leaves marks and squeals.
    pub is_skidding: bool,
    /// Load (N).
    pub load: Real,
    /// Longitudinal slip (dimensionless).
    pub longitudinal_slip: Real,
    /// Slip angle (rad).
    pub slip_angle: Real,
    /// Speed of the tread over the ground (m/s).
    pub skid_speed: Real,
    /// Forces along and across the rolling direction (N).
    pub forces: [Real; 2],
    /// Largest force that friction allows (N).
    pub grip: Real,
    /// Share of it that is used (dimensionless).
    pub friction_used: Real,
    /// Where it touches (m), as of the last step; the origin in the air.
    pub point: Vector,
    /// Unit vector out of the ground.
    pub normal: Vector,
    /// Force of the tire on the car along the ground (N).
    pub ground_force: Vector,
    /// What it stands on, if that is a part of the world.
    pub surface: Option<Surface>,
    /// Compression of its suspension, as a share of its travel (dimensionless).
    pub compression: Real,
}

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
}

impl Readings {
    /// Reads `car` after a step of `dt` (s), in which it has come from `velocity_before` (m/s).
    pub(crate) fn read(
        &mut self,
        car: &AnyRapierVehicle,
        body: &RigidBody,
        velocity_before: Vector,
        dt: Real,
    ) {
        self.speed = car.forward_speed();
        self.engine_speed = car.rpm();
        self.gear.clear();
        self.gear.push_str(&car.displayed_gear().to_string());
        let commands = car.commands();
        self.controls = [commands.throttle, commands.brakes[0], commands.steer];
        self.acting_aids = AidSet::acting(&car.vehicle.aided().report());
        let acceleration = (body.linvel() - velocity_before) / dt;
        let axes = [Vector::X, Vector::Z].map(|axis| *body.rotation() * axis);
        for (shown, axis) in self.accelerations.iter_mut().zip(axes) {
            let now = acceleration.dot(axis) / GRAVITY;
            *shown += (now - *shown) * (dt / (SMOOTHING + dt));
        }
        self.wheels.resize(car.wheel_count(), WheelReading::default());
        for (wheel, reading) in self.wheels.iter_mut().enumerate() {
            *reading = WheelReading::of(car, wheel);
        }
    }
}

impl WheelReading {
    fn of(car: &AnyRapierVehicle, wheel: usize) -> Self {
        let mechanics = car.mechanics();
        let (params, state) = (mechanics.params, mechanics.state);
        let travel = params.suspensions[wheel].travel_distance;
        let jounce = state.suspensions.of(wheel).compression.jounce.unwrap_or(0.0);
        let compression = jounce / travel.max(1e-3);
        let Some(contact) = car.wheel_contact(wheel) else {
            return Self { compression, ..Self::default() };
        };
        let (contact, tire) = (contact.wheel, state.tires.of(wheel));
        let (ground_force, forces) = ground_force(&mechanics, wheel);
        let grip = tire.grip.friction * tire.grip.load.max(0.0);
        Self {
            is_on_ground: true,
            is_skidding: car.is_skidding(wheel),
            load: contact.load,
            longitudinal_slip: contact.longitudinal_slip,
            slip_angle: contact.slip_angle,
            skid_speed: contact.skid_speed,
            forces,
            grip,
            friction_used: if grip < 1.0 { 0.0 } else { ground_force.length() / grip },
            point: contact.point,
            normal: contact.normal,
            ground_force,
            surface: Surface::of_material(contact.material.into()),
            compression,
        }
    }
}

/// Force of a tire on the car along the ground, and its parts along and across the rolling
/// direction (N): what slips, and what holds a tire that sticks.
fn ground_force(mechanics: &MechanicsRef<'_, AnyTire>, wheel: usize) -> (Vector, [Real; 2]) {
    let state = mechanics.state;
    let tire = state.tires.of(wheel);
    let rows = state.rows.of(wheel);
    let lateral = if rows.replaces_lateral_force { Vector::ZERO } else { tire.force.lateral };
    let step = state.suspensions.of(wheel).compression.step;
    let held = [rows.longitudinal, rows.lateral].into_iter().flatten();
    let impulse = held.fold(Vector::ZERO, |sum, row| sum + row.linear * row.impulse);
    let hold = if 0.0 < step { impulse / step } else { Vector::ZERO };
    let force = tire.force.longitudinal + lateral + hold;
    let TireDirections { longitudinal, lateral } = tire.directions;
    (force, [force.dot(longitudinal), force.dot(lateral)])
}
