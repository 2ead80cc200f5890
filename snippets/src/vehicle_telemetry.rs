//! What a vehicle of each kind has to tell: a trait, for direct drive, lowriders,
//! engines, tanks and drivelines from blocks.

use playground::LookKind;
use rapier3d::prelude::Real;
use vehicle_rapier::core::suspension::SuspensionState;
use vehicle_rapier::core::tire::models::AnyTire;
use vehicle_rapier::drivetrain::blocks::DrivelineBlock;
use vehicle_rapier::drivetrain::differential::{DifferentialKind, TrackParams};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{AnyDrive, AnyDriveVehicle, DriveSource};

use crate::lowrider::{Dance, HydraulicParams, Lowrider};
use crate::telemetry::Channel;
use crate::wheel_names::CAR_WHEELS;

/// Channels of a vehicle with an engine. Gears count from neutral: −1 is reverse, 1 the first.
const ENGINE_CHANNELS: [(&str, &str); 5] = [
    ("engine speed", "rad/s"),
    ("engine throttle", ""),
    ("gear", ""),
    ("target gear", ""),
    ("clutch slip", "rad/s"),
];

/// Start of the names of the channels of rim speeds, one per track.
pub const TRACK_SPEED: &str = "track speed ";

/// Start of the names of the channels of thrusts, one per track.
pub const THRUST: &str = "thrust ";

/// Start of the names of the channels of the brakes of tracks, one per track.
pub const TRACK_BRAKE: &str = "track brake ";

/// Start of the names of the channels of hydraulic forces, one per wheel.
pub const HYDRAULIC_FORCE: &str = "hydraulic force ";

/// A vehicle that can be recorded.
pub trait VehicleTelemetry {
    /// The force law of its tires.
    type Tire: TireModel;

    /// The driver's pedals and steering wheel.
    fn commands(&self) -> &Commands;

    /// Motion of body, suspensions, tires and wheels.
    fn mechanics(&self) -> &MechanicalState<Self::Tire>;

    /// Torque that the drivetrain gives to each wheel (N·m).
    fn drive_torques(&self) -> Vec<Real>;

    /// Name of the second of the driver's brakes.
    fn second_brake(&self) -> &'static str {
        "hand brake"
    }

    /// What its file calls it; empty without a file.
    fn title(&self) -> &str {
        ""
    }

    /// What kind of vehicle is drawn.
    fn look_kind(&self) -> LookKind {
        LookKind::Car
    }

    /// Channels of what only a vehicle of this kind has.
    fn own_channels(&self) -> Vec<Channel> {
        Vec::new()
    }

    /// Values of the channels of its own, in their order.
    fn own_values(&self) -> Vec<Real> {
        Vec::new()
    }
}

/// Beside the car's, what the [`OwnTelemetry`] of what is added to it tells.
impl<Tire: TireModel, Own: OwnTelemetry<Tire>> VehicleTelemetry
    for DirectDriveVehicleWith<Tire, Own>
{
    type Tire = Tire;

    fn commands(&self) -> &Commands {
        &self.commands
    }

    fn mechanics(&self) -> &MechanicalState<Tire> {
        &self.state.mechanics
    }

    fn drive_torques(&self) -> Vec<Real> {
        self.state.drive.torques.to_vec()
    }

    fn own_channels(&self) -> Vec<Channel> {
        Own::channels()
    }

    fn own_values(&self) -> Vec<Real> {
        Own::values(self)
    }
}

/// What is added to a car with direct drive, as far as it is recorded.
pub trait OwnTelemetry<Tire: TireModel = BrushTire>: OwnState {
    /// Its channels.
    fn channels() -> Vec<Channel>;

    /// Values of its channels, in their order.
    fn values(car: &DirectDriveVehicleWith<Tire, Self>) -> Vec<Real>;
}

impl<Tire: TireModel> OwnTelemetry<Tire> for () {
    fn channels() -> Vec<Channel> {
        Vec::new()
    }

    fn values(_: &DirectDriveVehicleWith<Tire>) -> Vec<Real> {
        Vec::new()
    }
}

/// The force of the hydraulics of each wheel, 0 in the air.
impl OwnTelemetry for Dance {
    fn channels() -> Vec<Channel> {
        let channel = |wheel| Channel::new(format!("{HYDRAULIC_FORCE}{wheel}"), "N");
        CAR_WHEELS.into_iter().map(channel).collect()
    }

    fn values(lowrider: &Lowrider) -> Vec<Real> {
        let pushes = lowrider.own_params().iter().zip(&lowrider.state.own.0);
        let suspensions = &lowrider.state.mechanics.suspensions;
        let force =
            |((hydraulics, angle), suspension): ((&HydraulicParams, &Real), SuspensionState)| {
                if suspension.is_on_ground() { hydraulics.force(*angle) } else { 0.0 }
            };
        pushes.zip(suspensions).map(force).collect()
    }
}

impl<Tire: TireModel, D: DifferentialModel, Own: OwnState> VehicleTelemetry
    for EngineDriveVehicleWith<Tire, D, Own>
{
    type Tire = Tire;

    fn commands(&self) -> &Commands {
        &self.commands
    }

    fn mechanics(&self) -> &MechanicalState<Tire> {
        &self.state.mechanics
    }

    fn drive_torques(&self) -> Vec<Real> {
        self.state.drive.drive_torques.to_vec()
    }

    fn second_brake(&self) -> &'static str {
        if tracks(self.params()).is_empty() { "hand brake" } else { "second brake" }
    }

    fn look_kind(&self) -> LookKind {
        if tracks(self.params()).is_empty() { LookKind::Car } else { LookKind::Tank }
    }

    fn own_channels(&self) -> Vec<Channel> {
        let of_engine = ENGINE_CHANNELS.map(|(name, unit)| Channel::new(name, unit));
        let of_tracks = (0..tracks(self.params()).len()).map(track_name).flat_map(|track| {
            [
                Channel::new(format!("{TRACK_SPEED}{track}"), "m/s"),
                Channel::new(format!("{THRUST}{track}"), ""),
                Channel::new(format!("{TRACK_BRAKE}{track}"), ""),
            ]
        });
        of_engine.into_iter().chain(of_tracks).collect()
    }

    fn own_values(&self) -> Vec<Real> {
        let state = &self.state.drive;
        let neutral = self.params().drivetrain.gearbox.neutral as Real;
        let of_engine = [
            state.engine.rotation_speed,
            state.throttle,
            state.gearbox.current as Real - neutral,
            state.gearbox.target as Real - neutral,
            state.clutch_slip,
        ];
        let TransmissionCommands { thrusts, track_brakes, .. } = self.controls;
        let of_tracks = tracks(self.params()).iter().flat_map(|track| {
            [track_speed(self, track), thrusts[track.thrust], track_brakes[track.thrust]]
        });
        of_engine.into_iter().chain(of_tracks).collect()
    }
}

/// Every sensor of every block, as `block: sensor`.
impl<Tire: TireModel, C: DrivelineBlock + Clone> VehicleTelemetry
    for BlockDriveVehicleWith<Tire, C>
{
    type Tire = Tire;

    fn commands(&self) -> &Commands {
        &self.commands
    }

    fn mechanics(&self) -> &MechanicalState<Tire> {
        &self.state.mechanics
    }

    fn drive_torques(&self) -> Vec<Real> {
        let mut torques = vec![0.0; self.params().mechanics.wheels.len()];
        let turned = self.driveline().wheels().iter().zip(self.state.drive.drive_torques());
        for (&(wheel, _), &torque) in turned {
            torques[wheel] = torque as Real;
        }
        torques
    }

    fn own_channels(&self) -> Vec<Channel> {
        let sensors = self.driveline().sensors();
        sensors
            .map(|(block, it, _)| Channel::new(sensor_channel(block, it.name), it.unit))
            .collect()
    }

    fn own_values(&self) -> Vec<Real> {
        let sensors = self.driveline().sensors();
        sensors.map(|(.., sensor)| self.state.drive.sensor(sensor) as Real).collect()
    }
}

/// The channels of the vehicle by its drive.
impl<Own: OwnState> VehicleTelemetry for AnyDriveVehicle<Own> {
    type Tire = AnyTire;

    fn commands(&self) -> &Commands {
        self.commands()
    }

    fn mechanics(&self) -> &MechanicalState<AnyTire> {
        self.read_mechanics().state
    }

    fn drive_torques(&self) -> Vec<Real> {
        of_drive(&self.drive).map(VehicleTelemetry::drive_torques).unwrap_or_default()
    }

    fn second_brake(&self) -> &'static str {
        of_drive(&self.drive).map_or("hand brake", VehicleTelemetry::second_brake)
    }

    fn title(&self) -> &str {
        let name = &self.file().name;
        if name.is_empty() { "vehicle" } else { name }
    }

    fn look_kind(&self) -> LookKind {
        match &self.drive {
            _ if self.file().drive == DriveSource::Towed => LookKind::Trailer,
            AnyDrive::Tank(_) => LookKind::Tank,
            _ => LookKind::Car,
        }
    }

    fn own_channels(&self) -> Vec<Channel> {
        of_drive(&self.drive).map(VehicleTelemetry::own_channels).unwrap_or_default()
    }

    fn own_values(&self) -> Vec<Real> {
        of_drive(&self.drive).map(VehicleTelemetry::own_values).unwrap_or_default()
    }
}

/// The vehicle of a drive; `None` for one that this program does not know.
fn of_drive(drive: &AnyDrive) -> Option<&dyn VehicleTelemetry<Tire = AnyTire>> {
    match drive {
        AnyDrive::Direct(car) => Some(&**car),
        AnyDrive::Engine(car) => Some(&**car),
        AnyDrive::Motorcycle(car) => Some(&**car),
        AnyDrive::Tank(car) => Some(&**car),
        AnyDrive::Blocks(car) => Some(&**car),
        _ => None,
    }
}

/// Name of the channel of a `sensor` of a `block`.
pub fn sensor_channel(block: &str, sensor: &str) -> String {
    format!("{block}: {sensor}")
}

/// Name of a track of a vehicle that has the first one on the right and the second on the left.
fn track_name(index: usize) -> String {
    ["right", "left"].get(index).map_or_else(|| index.to_string(), ToString::to_string)
}

fn tracks<Tire, D: DifferentialModel>(params: &EngineDriveParams<Tire, D>) -> &[TrackParams] {
    match params.drivetrain.differential.kind() {
        DifferentialKind::Tank(tank) => &tank.tracks,
        _ => &[],
    }
}

/// Speed of a track over its wheels (m/s): the mean of their rims, which turn as one.
fn track_speed<Tire: TireModel, D: DifferentialModel, Own: OwnState>(
    vehicle: &EngineDriveVehicleWith<Tire, D, Own>,
    track: &TrackParams,
) -> Real {
    let rim_speed = |&wheel: &usize| {
        let radius = vehicle.params().mechanics.wheels[wheel].radius;
        vehicle.state.mechanics.wheels.of(wheel).rotation_speed * radius
    };
    track.wheels.iter().map(rim_speed).sum::<Real>() / track.wheels.len() as Real
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drivetrains::{SampleDifferential, TankBrakes, sample_engine_drive, sample_tank};
    use vehicle_rapier::drivetrain::gearbox::{GearSwitch, GearboxState};

    /// The value of the channel `name` of `vehicle`'s own.
    fn own(vehicle: &impl VehicleTelemetry, name: &str) -> Option<Real> {
        let index = vehicle.own_channels().iter().position(|channel| channel.name == name)?;
        vehicle.own_values().get(index).copied()
    }

    #[test]
    fn gears_count_from_neutral() {
        let params = sample_engine_drive(SampleDifferential::MultiWheel).unwrap();
        let mut car = EngineDriveVehicle::new(params).unwrap();
        car.state.drive.gearbox =
            GearboxState { current: 1, target: 0, switch: GearSwitch::Requested };
        assert_eq!((own(&car, "gear"), own(&car, "target gear")), (Some(0.0), Some(-1.0)));
        assert_eq!(own(&car, "thrust right"), None);
        assert_eq!(car.second_brake(), "hand brake");
    }

    #[test]
    fn tank_tells_speed_thrust_and_brake_of_each_track() {
        let mut tank = TankVehicle::new(sample_tank(TankBrakes::PerTrack).unwrap()).unwrap();
        tank.controls.thrusts = [0.25, -1.0];
        tank.controls.track_brakes = [0.0, 0.5];
        for wheel in [1, 3] {
            tank.state.mechanics.wheels.edit(wheel, |it| it.rotation_speed = -10.0);
        }
        let speed = -10.0 * tank.params().mechanics.wheels[1].radius;
        assert_eq!(own(&tank, "track speed right"), Some(0.0));
        assert_eq!(own(&tank, "track speed left"), Some(speed));
        assert_eq!(own(&tank, "thrust right"), Some(0.25));
        assert_eq!(own(&tank, "thrust left"), Some(-1.0));
        assert_eq!(own(&tank, "track brake right"), Some(0.0));
        assert_eq!(own(&tank, "track brake left"), Some(0.5));
        assert_eq!(tank.own_channels().len(), tank.own_values().len());
    }
}
