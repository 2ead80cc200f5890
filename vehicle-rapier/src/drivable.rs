//! Interface of a vehicle that drives in a Rapier world: what its driver asks for, and whether
//! anything in it moves.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use vehicle_core::commands::{Commands, MAX_BRAKES};
use vehicle_core::error::{ParamCheck, ParamError};
use vehicle_core::math::{Quat, Real, Vec3};
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::sequence::Recoverable;
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{
    ChangeMechanics, HasMechanics, MechanicalParams, OwnState, ReadVehicle,
};
use vehicle_core::wheel::{WheelParams, WheelState};
use vehicle_core::{ParamErrors, WheelList};
use vehicle_drivetrain::aids::hill_start::BrakeHold;
use vehicle_drivetrain::blocks::{DrivelineBlock, DrivelineCommands};
use vehicle_drivetrain::differential::{DifferentialKind, DifferentialModel};
use vehicle_drivetrain::gearbox::GearCommand;
use vehicle_drivetrain::readings::ReadDrive;
use vehicle_drivetrain::{
    BlockDriveVehicleWith, DirectDriveVehicleWith, Drive, EngineDriveVehicleWith, Vehicle,
};

use crate::mark::Marker;
use crate::sleep::SleepParams;

/// Commands of a driver, as far as they wake a vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DriverIntent {
    /// Accelerator pedal, in [0, 1].
    pub throttle: Real,
    /// Whether something else moves the vehicle: a torque of a wheel, a starter, a clutch that lets
    /// it creep along without throttle, an external force on its body.
    pub is_turning: bool,
    /// Brake pedals, each in [0, 1].
    pub brakes: [Real; MAX_BRAKES],
    /// Steering wheel, in [-1, 1], positive to the left.
    pub steer: Real,
    /// Torque on a steering wheel that is free (N·m).
    pub steering_torque: Option<Real>,
    /// The gear, as a number of the vehicle's own.
    pub gear: u32,
    /// The gear that is being switched to; 0 where gears are not switched.
    pub target_gear: u32,
    /// Clutch pedal, in [0, 1]; 0 without one.
    pub clutch: Real,
    /// Thrusts of the tracks of a tank, each in [-1, 1]; 0 without tracks.
    pub thrusts: [Real; 2],
    /// Brakes of the tracks of a tank, each in [0, 1]; 0 without tracks.
    pub track_brakes: [Real; 2],
    /// A number that tells whether the torques and steer angles of the wheels have been written,
    /// see [`with_wheel_inputs`](Self::with_wheel_inputs).
    pub wheel_inputs: u32,
}

impl DriverIntent {
    /// With the torques (N·m) and steer angles (rad) of the wheels, which may be written by others
    /// than the vehicle's own stages: a vehicle that sleeps wakes if they change.
    #[inline]
    pub fn with_wheel_inputs<const N: usize>(self, inputs: [&WheelList<Real>; N]) -> Self {
        let mut marker = Marker::new();
        for input in inputs {
            marker.wheels(input);
        }
        Self { wheel_inputs: marker.mark(), ..self }
    }

    /// With further numbers that wake a vehicle as they change.
    pub fn with_inputs(self, inputs: impl IntoIterator<Item = Real>) -> Self {
        let mut marker = Marker::new();
        marker.word(self.wheel_inputs);
        marker.numbers(inputs);
        Self { wheel_inputs: marker.mark(), ..self }
    }

    /// With what else drives the `body`: an external force or torque.
    fn with_forces_on(self, body: &RigidBodyState) -> Self {
        let is_pushed = body.external_force != Vec3::ZERO || body.external_torque != Vec3::ZERO;
        Self { is_turning: self.is_turning || is_pushed, ..self }
    }

    /// Whether the vehicle is to be awake as long as this is asked for: the driver accelerates, or
    /// something else turns wheels or engine.
    pub fn drives(&self) -> bool {
        self.throttle != 0.0 || self.is_turning
    }

    /// A mark of all that wakes as it changes, but for the brakes of all wheels and of tracks.
    pub(crate) fn mark(&self) -> u32 {
        let mut marker = Marker::new();
        marker.numbers([self.steer, self.clutch]);
        marker.numbers(self.steering_torque);
        marker.numbers(self.thrusts);
        marker.words([self.gear, self.target_gear, self.wheel_inputs]);
        marker.mark()
    }
}

/// A vehicle that a driver can wake and that can come to rest.
pub trait Drivable: HasMechanics + ReadVehicle + ReadDrive + Recoverable {
    /// Commands of the driver, as far as they wake the vehicle.
    fn intent(&self) -> DriverIntent;

    /// Reports faults of what the driver asks for: of a vehicle that sleeps on, nothing else is
    /// looked at. All inputs unless said otherwise.
    fn check_commands(&self, check: &mut ParamCheck) {
        self.check_inputs(check);
    }

    /// Stops the wheels, because the body has fallen asleep.
    fn rest(&mut self) {
        stop_wheels(self);
    }

    /// Stops all that turns, because the vehicle is put elsewhere, at rest. The wheels unless said
    /// otherwise.
    fn stop(&mut self) {
        stop_wheels(self);
    }

    /// Changes what the mechanical base is made of, so that a wheel that was
    /// [lost](crate::RapierVehicle::lose_wheel) brings its mass back. A vehicle that implements
    /// [`ChangeMechanics`] lets `set_mechanics` do it.
    ///
    /// # Errors
    ///
    /// As of `set_mechanics`; always, unless said otherwise.
    fn change_mechanics(
        &mut self,
        _mechanics: MechanicalParams<Self::Tire>,
    ) -> Result<(), ParamErrors> {
        let requirement = "of a vehicle that implements Drivable::change_mechanics, so that the \
                           mass of a lost wheel can come and go";
        Err(ParamError::new("mechanics", requirement, "one that does not").into())
    }

    /// Shifts the places that it knows beside its mechanical base by `shift` (m), as the
    /// [origin](crate::origin_shift) of the world does. None unless said otherwise.
    fn shift_own(&mut self, _shift: Vec3) {}

    /// Notes that the [origin](crate::origin_shift) was `moved` (m) from where it was taken to be
    /// as the vehicle was inserted. Nothing unless said otherwise.
    fn correct_start(&mut self, _moved: Vec3) {}

    /// Whether the body must stay awake although it hardly moves: the driver accelerates, a wheel
    /// turns, or the suspension settles. The vehicle has `length_scale` units per meter.
    fn is_busy(&self, params: &SleepParams, length_scale: Real) -> bool {
        is_driven_or_moves(self, params, length_scale)
    }
}

/// What wakes `vehicle`: its driver, and external forces on its body.
pub(crate) fn intent_of<V: Drivable + ?Sized>(vehicle: &V) -> DriverIntent {
    vehicle.intent().with_forces_on(vehicle.body())
}

fn is_driven_or_moves<V: Drivable + ?Sized>(
    vehicle: &V,
    params: &SleepParams,
    length_scale: Real,
) -> bool {
    if intent_of(vehicle).drives() {
        return true;
    }
    let least_energy = params.wheel_energy * length_scale * length_scale;
    let mut is_whole = true;
    for wheel in 0..vehicle.axles().wheel_count() {
        let state = vehicle.wheel_state(wheel);
        if least_energy < wheel_energy(vehicle.wheel_params(wheel), &state) {
            return true;
        }
        is_whole &= !state.is_detached;
    }
    let speed = if is_whole { params.settling_speed } else { params.wreck_speed };
    is_settling(vehicle, speed * length_scale)
        || (is_whole && is_rolling(vehicle, params.settling_speed * length_scale))
}

/// Whether any wheel rolls by more than `least_speed` (m/s) on ground. On a slope that is little
/// more than what tires resist, a vehicle begins to roll so slowly that other bodies would sleep.
fn is_rolling<V: ReadVehicle + ?Sized>(vehicle: &V, least_speed: Real) -> bool {
    (0..vehicle.axles().wheel_count()).any(|wheel| {
        let rotation_speed = vehicle.wheel_state(wheel).displayed_rotation_speed;
        let rim_speed = rotation_speed.abs() * vehicle.wheel_params(wheel).radius;
        least_speed < rim_speed && vehicle.ground_velocity(wheel).is_some()
    })
}

fn stop_wheels<V: HasMechanics + ?Sized>(vehicle: &mut V) {
    vehicle.mechanics().state.wheels.edit_all(|state| {
        state.rotation_speed = 0.0;
        state.displayed_rotation_speed = 0.0;
    });
}

/// Stops the wheels and the steering wheel of a vehicle on the ready-made base.
fn stop_mechanics<V: HasMechanics + ?Sized>(vehicle: &mut V) {
    vehicle.mechanics().state.steering.rate = 0.0;
    stop_wheels(vehicle);
}

/// Whether the steering wheel turns by itself.
fn is_steering_wheel_turning<V: HasMechanics + ?Sized>(vehicle: &V, params: &SleepParams) -> bool {
    params.steering_rate < vehicle.read_mechanics().state.steering.rate.abs()
}

/// Whether a vehicle of any drive must not sleep. It must not while its driver drives it, it moves,
/// its steering wheel turns by itself, or an aid or a user's component waits for something.
fn is_busy_beside_its_drive<D: Drive, Own: OwnState>(
    vehicle: &Vehicle<D, Own>,
    params: &SleepParams,
    length_scale: Real,
) -> bool
where
    Vehicle<D, Own>: Drivable,
{
    is_steering_wheel_turning(vehicle, params)
        || vehicle.state.own.is_busy()
        || keeps_time(vehicle)
        || is_driven_or_moves(vehicle, params, length_scale)
}

/// Whether an aid waits while the vehicle stands: a hold on a hill for its time to be over, a
/// cruise control for its leader to drive on.
fn keeps_time<D: Drive, Own: OwnState>(vehicle: &Vehicle<D, Own>) -> bool {
    let Some(memory) = vehicle.state.aids.memory() else { return false };
    let is_timed = || {
        let hill_start = vehicle.aids().and_then(|aids| aids.hill_start);
        hill_start.is_some_and(|aid| !aid.auto_hold)
    };
    let holds = match memory.aids.hill_start.hold {
        BrakeHold::Off => false,
        BrakeHold::Holding { time, .. } => 0.0 < time && is_timed(),
        BrakeHold::Releasing { .. } => true,
    };
    holds || memory.aids.cruise.is_active()
}

/// Whether the body moves towards the road at any wheel by more than `least_speed` (m/s).
fn is_settling<V: ReadVehicle + ?Sized>(vehicle: &V, least_speed: Real) -> bool {
    let motion = SettlingBody::of(vehicle.body());
    let mut wheels = 0..vehicle.axles().wheel_count();
    wheels.any(|wheel| least_speed < motion.speed(vehicle, wheel).abs())
}

/// How a body moves in its own axes, as the world's last step left it.
///
/// The jounce speed would not tell rest: within the vehicle's own step, a body yields to what a
/// joint carries in the world's step.
struct SettlingBody {
    to_body: Quat,
    /// (m/s)
    linear_velocity: Vec3,
    /// (rad/s)
    angular_velocity: Vec3,
}

impl SettlingBody {
    fn of(body: &RigidBodyState) -> Self {
        let to_body = body.pose.rotation.inverse();
        Self {
            to_body,
            linear_velocity: to_body * body.previous_linear_velocity,
            angular_velocity: to_body * body.previous_angular_velocity,
        }
    }

    /// Speed towards the road at the suspension of `wheel` (m/s).
    fn speed<V: ReadVehicle + ?Sized>(&self, vehicle: &V, wheel: usize) -> Real {
        let Some(of_ground) = vehicle.ground_velocity(wheel) else { return 0.0 };
        let suspension = vehicle.suspension_params(wheel);
        let turning = self.angular_velocity.cross(suspension.attachment.translation);
        let mut velocity = self.linear_velocity + turning;
        if of_ground != Vec3::ZERO {
            velocity -= self.to_body * of_ground;
        }
        suspension.travel_direction.dot(velocity)
    }
}

/// Kinetic energy of a wheel's rotation per mass of the wheel (m²/s²).
fn wheel_energy(params: &WheelParams, state: &WheelState) -> Real {
    let speed = state.displayed_rotation_speed;
    0.5 * (speed * speed) * params.inertia / params.mass
}

impl<Tire: TireModel, Own: OwnState> Drivable for DirectDriveVehicleWith<Tire, Own> {
    #[inline]
    fn intent(&self) -> DriverIntent {
        let Commands { throttle, brakes, steer, steering_torque } = self.commands;
        let torques = &self.state.drive.torques;
        let mechanics = &self.state.mechanics;
        DriverIntent {
            throttle,
            is_turning: torques.iter().any(|torque| torque != 0.0),
            brakes,
            steer,
            steering_torque,
            gear: self.controls.gear as u32,
            ..DriverIntent::default()
        }
        .with_wheel_inputs([&mechanics.brake_torques, &mechanics.steer_angles, torques])
    }

    fn check_commands(&self, check: &mut ParamCheck) {
        Vehicle::check_commands(self, check);
    }

    fn change_mechanics(
        &mut self,
        mechanics: MechanicalParams<Self::Tire>,
    ) -> Result<(), ParamErrors> {
        self.set_mechanics(mechanics)
    }

    fn rest(&mut self) {
        stop_mechanics(self);
    }

    fn stop(&mut self) {
        stop_mechanics(self);
    }

    fn shift_own(&mut self, shift: Vec3) {
        self.state.own.shift(shift);
    }

    /// Also while the steering wheel turns by itself, and on account of what the user has added.
    fn is_busy(&self, params: &SleepParams, length_scale: Real) -> bool {
        is_busy_beside_its_drive(self, params, length_scale)
    }
}

/// The number of park among those of gears.
const PARK: u32 = u32::MAX - 1;

/// Whether `vehicle` creeps along without throttle: its clutch drags, in gear, with the brakes let
/// go.
fn creeps<Tire: TireModel, D: DifferentialModel, Own: OwnState>(
    vehicle: &EngineDriveVehicleWith<Tire, D, Own>,
) -> bool {
    let drivetrain = &vehicle.params().drivetrain;
    if vehicle.controls.is_parking {
        return false;
    }
    let is_in_gear = match vehicle.controls.gear {
        GearCommand::Gear(gear) => gear != drivetrain.gearbox.neutral,
        GearCommand::Automatic => drivetrain.autobox.is_some(),
    };
    // A tank of which one track is braked goes on on the other.
    let are_tracks_braked = match drivetrain.differential.kind() {
        DifferentialKind::Tank(tank) => tank.are_all_tracks_braked(vehicle.controls.track_brakes),
        _ => false,
    };
    let is_braked = are_tracks_braked || vehicle.commands.brakes.iter().any(|&brake| brake != 0.0);
    drivetrain.clutch.creeps() && is_in_gear && !is_braked && vehicle.controls.clutch < 1.0
}

impl<Tire: TireModel, D: DifferentialModel, Own: OwnState> Drivable
    for EngineDriveVehicleWith<Tire, D, Own>
{
    #[inline]
    fn intent(&self) -> DriverIntent {
        let gear = match self.controls.gear {
            _ if self.controls.is_parking => PARK,
            GearCommand::Gear(gear) => gear as u32,
            GearCommand::Automatic => u32::MAX,
        };
        let Commands { throttle, brakes, steer, steering_torque } = self.commands;
        let (drivetrain, mechanics) = (&self.state.drive, &self.state.mechanics);
        let stall = &self.params().drivetrain.engine.control.stall;
        let has_stalled =
            || stall.as_ref().is_some_and(|stall| drivetrain.engine.rotation_speed < stall.speed);
        DriverIntent {
            throttle,
            is_turning: (self.controls.is_starting && has_stalled()) || creeps(self),
            brakes,
            steer,
            steering_torque,
            gear,
            target_gear: drivetrain.gearbox.target as u32,
            clutch: self.controls.clutch,
            thrusts: self.controls.thrusts,
            track_brakes: self.controls.track_brakes,
            ..DriverIntent::default()
        }
        .with_wheel_inputs([&mechanics.brake_torques, &mechanics.steer_angles])
    }

    fn check_commands(&self, check: &mut ParamCheck) {
        Vehicle::check_commands(self, check);
    }

    fn change_mechanics(
        &mut self,
        mechanics: MechanicalParams<Self::Tire>,
    ) -> Result<(), ParamErrors> {
        self.set_mechanics(mechanics)
    }

    fn rest(&mut self) {
        stop_mechanics(self);
    }

    /// An engine that runs is let idle; one that has stalled stays so.
    fn stop(&mut self) {
        stop_mechanics(self);
        let idle = self.params().drivetrain.engine.idle_speed;
        let engine = &mut self.state.drive.engine;
        engine.rotation_speed = engine.rotation_speed.min(idle);
        engine.is_fuel_cut = false;
    }

    fn shift_own(&mut self, shift: Vec3) {
        self.state.own.shift(shift);
    }

    /// Also while the gearbox switches, while the engine slows down to idle, while the steering
    /// wheel turns by itself, and on account of what the user has added.
    fn is_busy(&self, params: &SleepParams, length_scale: Real) -> bool {
        let engine = &self.params().drivetrain.engine;
        let fast = engine.idle_speed + params.engine_overspeed * engine.max_speed;
        let is_fast = fast < self.state.drive.engine.rotation_speed;
        let is_switching = self.state.drive.gearbox.is_switching();
        is_fast || is_switching || is_busy_beside_its_drive(self, params, length_scale)
    }
}

impl<Tire: TireModel, C: DrivelineBlock + Clone, Own: OwnState> Drivable
    for BlockDriveVehicleWith<Tire, C, Own>
{
    /// A drive without throttle, such as a converter in gear, turns the vehicle once the brakes are
    /// let go.
    #[inline]
    fn intent(&self) -> DriverIntent {
        let Commands { throttle, brakes, steer, steering_torque } = self.commands;
        let mechanics = &self.state.mechanics;
        let is_braked = brakes.iter().any(|&brake| brake != 0.0);
        let is_pulled = mechanics.actuations.iter().any(|wheel| wheel.is_driven);
        let DrivelineCommands { gear, selector, clutch, is_starting, .. } = self.controls;
        let inputs = self.state.drive.inputs().iter().map(|&input| input as Real);
        DriverIntent {
            throttle,
            is_turning: is_starting || (is_pulled && !is_braked),
            brakes,
            steer,
            steering_torque,
            gear: gear as u32,
            target_gear: selector as u32,
            clutch,
            ..DriverIntent::default()
        }
        .with_wheel_inputs([&mechanics.brake_torques, &mechanics.steer_angles])
        .with_inputs(self.controls.numbers().into_iter().chain(inputs))
    }

    fn check_commands(&self, check: &mut ParamCheck) {
        Vehicle::check_commands(self, check);
    }

    fn change_mechanics(
        &mut self,
        mechanics: MechanicalParams<Self::Tire>,
    ) -> Result<(), ParamErrors> {
        self.set_mechanics(mechanics)
    }

    fn rest(&mut self) {
        stop_mechanics(self);
    }

    fn stop(&mut self) {
        stop_mechanics(self);
        self.stop_driveline();
    }

    fn shift_own(&mut self, shift: Vec3) {
        self.state.own.shift(shift);
    }

    /// Also while a gearbox shifts, while an engine slows down to idle, while the steering wheel
    /// turns by itself, and on account of what the user has added.
    fn is_busy(&self, params: &SleepParams, length_scale: Real) -> bool {
        let overspeed = f64::from(params.engine_overspeed);
        self.driveline().is_busy(&self.state.drive, overspeed)
            || is_busy_beside_its_drive(self, params, length_scale)
    }
}
