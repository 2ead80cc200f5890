//! Aids in a vehicle: what they are told of it, and where they act in its frame.

mod measure;
mod signals;

use serde::{Deserialize, Serialize};
use vehicle_core::commands::{Commands, linear_response};
use vehicle_core::error::ParamCheck;
use vehicle_core::math::{Real, Vec3};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{MechanicalParams, MechanicalState};
use vehicle_core::{Context, WheelVec};

pub(crate) use self::measure::measure;
use self::signals::Observation;
use crate::aids::air_control::BodyTorque;
use crate::aids::commands::AidCommands;
use crate::aids::signals::{BodySignals, WheelSignals};
use crate::aids::{
    AidDrive, AidReport, AidSignals, Aids, AidsParams, AidsState, DriveSignals, DriverSignals,
    WheelRequest,
};
use crate::drive::Drive;

/// The aids of a model, with the parameters that they are made of.
#[derive(Debug)]
pub(crate) struct AidSystem {
    pub(crate) params: AidsParams,
    pub(crate) aids: Aids,
}

/// When in a frame aids act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AidPhase {
    /// At its beginning: they change what the driver asks for.
    Command,
    /// When brakes have answered to their pedals, before the drive answers to its: they brake
    /// wheels, and limit the throttle.
    Demand,
    /// In each substep, when the forces of the tires are known: they limit torques.
    Limit,
    /// At its end: what the driver asks for is his own again.
    Release,
}

/// A vehicle that may have [aids](crate::aids). One without has nothing to do in any phase.
pub trait HasAids {
    /// Lets the aids act in a phase of a frame. It does nothing unless said otherwise.
    fn update_aids(&mut self, _phase: AidPhase, _dt: Real, _context: &Context<'_>) {}
}

/// What the aids of a vehicle keep between two steps: what they remember, and what they have been
/// told last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AidsMemory {
    /// What they remember.
    pub aids: AidsState,
    /// The wheels as of the last substep.
    pub wheels: WheelVec<WheelSignals>,
    /// The body as of the last substep.
    pub body: BodySignals,
    /// The drive as of the last substep.
    pub drive: DriveSignals,
    /// Torque of the drive on each wheel as of the last substep (N·m).
    pub(crate) drive_torques: WheelVec<Real>,
    /// Velocity of the body in the last substep (world frame).
    pub(crate) velocity: Vec3,
    /// Whether the last substep has been observed. Until then, a frame sees the vehicle as it
    /// rolls at its beginning.
    pub(crate) is_observed: bool,
}

impl AidsMemory {
    fn at_rest(system: &AidSystem) -> Self {
        let wheels = system.aids.vehicle().wheels.iter().map(|_| WheelSignals::default()).collect();
        let drive_torques = system.aids.vehicle().wheels.iter().map(|_| 0.0).collect();
        Self { aids: system.aids.at_rest(), wheels, drive_torques, ..Self::default() }
    }

    /// The memory of aids that are at rest, of a vehicle on which other aids have looked `before`.
    fn replaced(system: &AidSystem, before: &Self) -> Self {
        let Self { wheels, body, drive, drive_torques, velocity, is_observed, .. } = before.clone();
        let aids = system.aids.at_rest();
        Self { aids, wheels, body, drive, drive_torques, velocity, is_observed }
    }

    pub(crate) fn is_finite(&self) -> bool {
        let aids = [self.aids.steer_assistance, self.aids.stability.moment];
        let wheels = self.wheels.iter().flat_map(WheelSignals::numbers);
        let numbers = wheels.chain(self.body.numbers()).chain(aids);
        let numbers = numbers.chain(self.aids.cruise.numbers());
        numbers.chain(self.drive_torques.iter().copied()).all(Real::is_finite)
            && self.velocity.is_finite()
    }

    /// Reports lists that are not of one element per wheel.
    pub(crate) fn check(&self, wheel_count: usize, check: &mut ParamCheck) {
        check.count("wheels", self.wheels.len(), wheel_count);
        check.count("drive_torques", self.drive_torques.len(), wheel_count);
    }
}

/// The aids' part of a vehicle's state. Memory for it is taken when aids are given to a vehicle,
/// and copied over.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct AidedState {
    /// Whether the vehicle has aids: a copy keeps room for those of another vehicle.
    is_aided: bool,
    memory: Option<Box<AidsMemory>>,
}

impl Clone for AidedState {
    fn clone(&self) -> Self {
        Self { is_aided: self.is_aided, memory: self.memory().cloned().map(Box::new) }
    }

    fn clone_from(&mut self, source: &Self) {
        self.is_aided = source.is_aided;
        match (&mut self.memory, source.memory()) {
            (Some(memory), Some(source)) => (**memory).clone_from(source),
            (memory @ None, Some(source)) => *memory = Some(Box::new(source.clone())),
            (_, None) => {}
        }
    }
}

impl PartialEq for AidedState {
    /// Room that is kept for another vehicle is no part of the state.
    fn eq(&self, other: &Self) -> bool {
        self.memory() == other.memory()
    }
}

impl AidedState {
    pub(crate) fn at_rest(system: Option<&AidSystem>) -> Self {
        let memory = system.map(|system| Box::new(AidsMemory::at_rest(system)));
        Self { is_aided: memory.is_some(), memory }
    }

    /// That of aids in the place of those before, whose view of the vehicle they have.
    pub(crate) fn replaced(system: Option<&AidSystem>, before: &Self) -> Self {
        let (Some(system), Some(before)) = (system, before.memory()) else {
            return Self::at_rest(system);
        };
        Self { is_aided: true, memory: Some(Box::new(AidsMemory::replaced(system, before))) }
    }

    pub(crate) fn recalled(memory: Option<&AidsMemory>) -> Self {
        Self { is_aided: memory.is_some(), memory: memory.cloned().map(Box::new) }
    }

    /// Reports lists that are not of one element per wheel.
    pub(crate) fn check(&self, wheel_count: usize, check: &mut ParamCheck) {
        if let Some(memory) = self.memory() {
            check.field("memory", |inner| memory.check(wheel_count, inner));
        }
    }

    /// What the aids keep between two steps; `None` if there are none.
    pub fn memory(&self) -> Option<&AidsMemory> {
        self.memory.as_deref().filter(|_| self.is_aided)
    }

    /// What the aids keep between two steps, mutably: to set the speed of a cruise control.
    pub fn memory_mut(&mut self) -> Option<&mut AidsMemory> {
        self.memory.as_deref_mut().filter(|_| self.is_aided)
    }

    /// What the aids do; nothing if there are none.
    pub fn report(&self) -> AidReport {
        self.memory().map_or_else(AidReport::default, |memory| memory.aids.report())
    }
}

/// What aids find in a frame, of which nothing is left at its end.
#[derive(Clone, Debug)]
pub(crate) struct AidRoom<C> {
    /// Whether `commands` and `controls` count, in place of the driver's.
    is_shaping: bool,
    commands: Commands,
    controls: C,
    aid_commands: AidCommands,
    requests: WheelVec<WheelRequest>,
    /// Brake and drive torque of each wheel without the aids of a substep.
    found: WheelVec<[Real; 2]>,
    /// Throttle that the commands of the frame ask for.
    throttle: Real,
}

impl<C: Copy> AidRoom<C> {
    /// Room for the aids of a vehicle of so many wheels.
    pub(crate) fn new(wheel_count: usize, controls: C) -> Self {
        Self {
            is_shaping: false,
            commands: Commands::default(),
            controls,
            aid_commands: AidCommands::default(),
            requests: (0..wheel_count).map(|_| WheelRequest::default()).collect(),
            found: (0..wheel_count).map(|_| [0.0; 2]).collect(),
            throttle: 0.0,
        }
    }
}

/// The commands that count in a frame, where the driver asks for `driver`.
#[inline]
pub(crate) fn counting<'a, C>(
    room: &'a Option<Box<AidRoom<C>>>,
    driver: &'a Commands,
) -> &'a Commands {
    match room {
        Some(room) if room.is_shaping => &room.commands,
        _ => driver,
    }
}

/// The controls that count in a frame, where the driver asks for `driver`.
#[inline]
pub(crate) fn counting_controls<'a, C>(room: &'a Option<Box<AidRoom<C>>>, driver: &'a C) -> &'a C {
    match room {
        Some(room) if room.is_shaping => &room.controls,
        _ => driver,
    }
}

/// Torque on `wheel` of the brakes but the foot brake (N·m).
fn hand_brake_torque<Tire: TireModel>(
    params: &MechanicalParams<Tire>,
    commands: &Commands,
    wheel: usize,
) -> Real {
    let others = params.brakes.iter().zip(commands.brakes).skip(1);
    others.map(|(brake, command)| linear_response(brake, command, wheel)).sum()
}

/// A vehicle with aids, borrowed for a phase.
pub(crate) struct Aided<'a, D: Drive> {
    pub(crate) system: &'a AidSystem,
    pub(crate) params: &'a D,
    pub(crate) prepared: &'a D::Prepared,
    /// The driver's.
    pub(crate) commands: &'a Commands,
    /// The driver's.
    pub(crate) controls: &'a D::Controls,
    pub(crate) mechanics: &'a mut MechanicalState<D::Tire>,
    pub(crate) drive: &'a mut D::State,
    pub(crate) memory: &'a mut AidsMemory,
    pub(crate) room: &'a mut AidRoom<D::Controls>,
}

impl<D: Drive> Aided<'_, D> {
    /// Lets the aids act in `phase`.
    pub(crate) fn act(&mut self, phase: AidPhase, dt: Real, context: &Context<'_>) {
        match phase {
            AidPhase::Command => {
                self.look_first(dt, context);
                self.command(dt);
            }
            AidPhase::Demand if self.room.is_shaping => self.demand(dt),
            AidPhase::Limit if self.room.is_shaping => self.limit(dt, context),
            AidPhase::Demand | AidPhase::Limit => {}
            AidPhase::Release => self.release(),
        }
    }

    /// Torques of the vehicle per torque in SI units.
    fn square(&self) -> Real {
        self.system.params.coordinates.length_scale.powi(2)
    }

    fn driver_signals(&self) -> DriverSignals {
        let (params, system) = (self.params.mechanics(), self.system);
        let Commands { throttle, brakes, steer, .. } = *self.commands;
        let steered = |wheel: &usize| system.aids.vehicle().wheels[*wheel].is_steered;
        let count = (0..system.aids.vehicle().wheels.len()).filter(steered).count().max(1);
        let angle = |wheel| linear_response(&params.steering, steer, wheel);
        let angles: Real = (0..system.aids.vehicle().wheels.len()).filter(steered).map(angle).sum();
        DriverSignals {
            throttle,
            foot_brake: brakes[0],
            hand_brake: brakes[1],
            clutch: D::clutch(self.controls),
            steer,
            steer_angle: angles / count as Real,
        }
    }

    /// Torques of the drive per torque in SI units.
    fn drive_square(&self) -> Real {
        if D::IS_IN_SI_UNITS { 1.0 } else { self.square() }
    }

    /// Whether each driven wheel has a motor that is asked for its torque while wheels turn.
    fn has_motors(&self) -> bool {
        D::IS_SOLVED && self.system.aids.vehicle().drive == AidDrive::PerWheel
    }

    fn drive_signals(&self) -> DriveSignals {
        let square = self.drive_square();
        let signals = self.params.drive_signals(self.prepared, self.controls, self.drive);
        DriveSignals {
            full_throttle_torque: signals.full_throttle_torque / square,
            closed_throttle_torque: signals.closed_throttle_torque / square,
            torque: signals.torque / square,
            torque_per_throttle: signals.torque_per_throttle / square,
            lift_torque: signals.lift_torque / square,
            ..signals
        }
    }

    /// What aids know of the drive in a frame: what it does now where that is remembered, and else
    /// what it has done in the last substep.
    fn frame_drive_signals(&self) -> DriveSignals {
        let DriveSignals { direction, is_first_gear, is_shifting, .. } = self.drive_signals();
        DriveSignals { direction, is_first_gear, is_shifting, ..self.memory.drive }
    }

    /// Notes how the vehicle rolls, where no substep has been observed yet. Its loads are those at
    /// rest, its tires have no forces, and its road is dry.
    fn look_first(&mut self, dt: Real, context: &Context<'_>) {
        if self.memory.is_observed {
            return;
        }
        let (params, system) = (self.params.mechanics(), self.system);
        Observation { params, system, dt, context }.write_first(self.mechanics, self.memory);
        self.memory.drive = DriveSignals { torque: 0.0, clutch_slip: 0.0, ..self.drive_signals() };
    }

    fn command(&mut self, dt: Real) {
        let (driver, drive) = (self.driver_signals(), self.frame_drive_signals());
        let AidsMemory { aids, wheels, body, .. } = &mut *self.memory;
        let signals = AidSignals { wheels, body: *body, driver, drive, dt };
        let mut commands = AidCommands::from(&driver);
        self.system.aids.command(aids, &signals, &mut commands);
        let room = &mut *self.room;
        room.commands = *self.commands;
        room.commands.throttle = commands.throttle;
        [room.commands.brakes[0], room.commands.brakes[1]] =
            [commands.foot_brake, commands.hand_brake];
        room.commands.steer = commands.steer;
        room.controls = *self.controls;
        D::shape(&commands, &mut room.controls);
        room.throttle = commands.throttle;
        room.aid_commands = commands;
        room.is_shaping = true;
    }

    fn demand(&mut self, dt: Real) {
        let (driver, drive) = (self.driver_signals(), self.frame_drive_signals());
        let (square, drive_square) = (self.square(), self.drive_square());
        let (prepared, has_motors) = (self.prepared, self.has_motors());
        let torques = &mut self.mechanics.brake_torques;
        let AidRoom { commands, aid_commands, requests, throttle, .. } = &mut *self.room;
        for (wheel, request) in requests.iter_mut().enumerate() {
            let params = self.params.mechanics();
            request.hand_brake = hand_brake_torque(params, commands, wheel) / square;
            request.foot_brake = (torques[wheel] / square - request.hand_brake).max(0.0);
            request.drive = self.memory.drive_torques[wheel];
            let motor = || self.params.motor_demand(prepared, self.drive, wheel);
            let motor = if has_motors { motor() } else { None };
            request.drive_bound = motor.map(|motor| motor.most / drive_square);
        }
        let AidsMemory { aids, wheels, body, .. } = &mut *self.memory;
        let signals = AidSignals { wheels, body: *body, driver, drive, dt };
        self.system.aids.demand(aids, &signals, aid_commands, requests);
        for (wheel, request) in requests.iter().enumerate() {
            if request.foot_brake < request.hold || request.stability != 0.0 {
                torques[wheel] = (request.hand_brake + request.brake_demand()) * square;
            }
        }
        commands.throttle = aids.throttle_request(*throttle, 0.0).throttle();
    }

    fn limit(&mut self, dt: Real, context: &Context<'_>) {
        let is_first = context.substep.index == 0;
        let (driver, drive) = (
            self.driver_signals(),
            if is_first { self.frame_drive_signals() } else { self.drive_signals() },
        );
        let (params, system) = (self.params.mechanics(), self.system);
        Observation { params, system, dt, context }.write(self.mechanics, self.memory);
        self.find_requests(is_first);
        let AidsMemory { aids, wheels, body, .. } = &mut *self.memory;
        system.aids.sense(aids, &driver, body, wheels, dt);
        let signals = AidSignals { wheels, body: *body, driver, drive, dt };
        system.aids.limit(aids, &signals, &mut self.room.requests);
        let torque = system.aids.body_torque(aids, &signals);
        if torque != BodyTorque::default() {
            signals::turn(self.mechanics, &torque, system.aids.vehicle(), dt, context);
        }
        let AidRoom { commands, controls, throttle, .. } = &mut *self.room;
        let request = self.memory.aids.throttle_request(*throttle, 0.0);
        commands.throttle = request.throttle();
        self.params.limit_throttle(self.prepared, self.drive, request.limit, (commands, controls));
        self.write_torques();
    }

    /// What is asked of each wheel without the aids of a substep. What is braked beside, such as a
    /// lock in park, counts as asked for by the foot brake. Of a motor it is what the commands ask
    /// for at the beginning of the frame.
    fn find_requests(&mut self, is_first: bool) {
        let (square, drive_square) = (self.square(), self.drive_square());
        let (params, prepared, has_motors) = (self.params, self.prepared, self.has_motors());
        let AidRoom { requests, found, .. } = &mut *self.room;
        for (wheel, request) in requests.iter_mut().enumerate() {
            if is_first {
                found[wheel][0] = self.mechanics.brake_torques[wheel];
                let rest = found[wheel][0] / square - request.hand_brake - request.stability;
                (request.foot_brake, request.hold) = (rest.max(0.0), 0.0);
            }
            if has_motors && is_first {
                let motor = params.motor_demand(prepared, self.drive, wheel);
                found[wheel][1] = motor.map_or(0.0, |motor| motor.torque);
            } else if D::IS_SOLVED && is_first {
                found[wheel][1] = self.memory.drive_torques[wheel] * drive_square;
            } else if !has_motors && (D::IS_SOLVED || is_first) {
                found[wheel][1] = params.wheel_torque(prepared, self.drive, wheel);
            }
            let drive = found[wheel][1] / drive_square;
            let before = *request;
            *request = WheelRequest {
                foot_brake: before.foot_brake,
                hand_brake: before.hand_brake,
                stability: before.stability,
                drive_shift: before.drive_shift,
                drive,
                ..Default::default()
            };
        }
    }

    /// Notes what the drive has done, and lets the driver's commands count again.
    fn release(&mut self) {
        let (drive_square, has_motors) = (self.drive_square(), self.has_motors());
        self.memory.drive = self.drive_signals();
        for (wheel, torque) in self.memory.drive_torques.iter_mut().enumerate() {
            let given = if has_motors {
                self.room.found[wheel][1]
            } else {
                self.params.wheel_torque(self.prepared, self.drive, wheel)
            };
            *torque = given / drive_square;
        }
        self.room.is_shaping = false;
    }

    /// Lets each wheel have what its request has become.
    fn write_torques(&mut self) {
        let (square, drive_square) = (self.square(), self.drive_square());
        let has_motors = self.has_motors();
        let AidRoom { requests, found, .. } = &mut *self.room;
        for (wheel, request) in requests.iter().enumerate() {
            let [brake, drive] = found[wheel];
            let is_left = request.brake_cap.is_none() && request.traction == 0.0;
            let torque = if is_left { brake } else { request.brake_torque() * square };
            if self.mechanics.brake_torques[wheel] != torque {
                self.mechanics.brake_torques[wheel] = torque;
            }
            let is_left = request.drive_cap.is_none() && request.drive_shift == 0.0;
            let torque = if is_left { drive } else { request.drive_torque() * drive_square };
            if !D::IS_SOLVED {
                D::set_drive_torque(self.drive, wheel, torque);
            } else if has_motors {
                let asked = self.params.motor_demand(self.prepared, self.drive, wheel);
                if asked.is_some_and(|asked| asked.torque != torque) {
                    self.params.ask_motor(self.prepared, self.drive, wheel, torque);
                }
            }
        }
    }
}
