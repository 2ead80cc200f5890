//! What aids do in each phase of a frame.

use vehicle_core::Context;
use vehicle_core::commands::{Commands, ResponseTable, command_response};
use vehicle_core::math::{Clamped, Real};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{MechanicalParams, MechanicalState};

use super::signals::{Observation, speeds, turn};
use super::throttle::ThrottleTable;
use super::{AidPhase, AidRoom, AidSystem, AidsMemory};
use crate::aids::air_control::BodyTorque;
use crate::aids::commands::AidCommands;
use crate::aids::{
    AidDrive, AidSignals, DriveSignals, DriverSignals, ThrottleRequest, WheelRequest,
};
use crate::drive::Drive;
use crate::steering_table::{effective_steer, steer_for, table_of};

/// Torque on `wheel` of the brakes but the foot brake (N·m), at a forward `speed` (in units of
/// length of the vehicle per second).
fn hand_brake_torque<Tire: TireModel>(
    params: &MechanicalParams<Tire>,
    commands: &Commands,
    speed: Real,
    wheel: usize,
) -> Real {
    let others = params.brakes.iter().zip(commands.brakes).skip(1);
    others.map(|(brake, command)| command_response(brake, command, speed, wheel)).sum()
}

/// The pedal that a drive sees, by which its gearbox shifts: without what aids add, if it lets them
/// open its throttle.
fn pedal<D: Drive>(request: &ThrottleRequest) -> Real {
    let added = if D::HAS_OWN_THROTTLE { 0.0 } else { request.added };
    ThrottleRequest { added, ..*request }.throttle()
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

impl<'a, D: Drive> Aided<'a, D> {
    /// Lets the aids act in `phase`.
    pub(crate) fn act(&mut self, phase: AidPhase, dt: Real, context: &Context<'_>) {
        match phase {
            AidPhase::Command => {
                self.look_first(dt, context);
                self.command(dt, context);
            }
            AidPhase::Demand => self.demand(dt, context),
            AidPhase::Limit => self.limit(dt, context),
            AidPhase::Release => self.release(context),
        }
    }

    /// Torques of the vehicle per torque in SI units.
    fn square(&self) -> Real {
        self.system.params.coordinates.length_scale.powi(2)
    }

    /// Gravity of the world (m/s²).
    fn gravity(&self, context: &Context<'_>) -> Real {
        context.params.gravity.length() / self.system.params.coordinates.length_scale
    }

    fn driver_signals(&self, context: &Context<'_>) -> DriverSignals {
        let Commands { throttle, brakes, .. } = *self.commands;
        let steer = self.steer();
        let (table, speed) = self.steering_table(context);
        let effective = effective_steer(table, steer, speed);
        DriverSignals {
            throttle,
            foot_brake: brakes[0],
            hand_brake: brakes[1],
            clutch: D::clutch(self.controls),
            steer,
            steer_angle: effective * self.system.aids.vehicle().max_steer_angle,
        }
    }

    /// The table by speed between steering wheel and wheels, if there is one, and the speed at
    /// which it is read (m/s).
    fn steering_table(&self, context: &Context<'_>) -> (Option<&ResponseTable>, Real) {
        if !self.system.has_steering_table {
            return (None, 0.0);
        }
        let speed = self.mechanics.rigid_body.longitudinal_speed(context.frame());
        (table_of(self.params.mechanics()), speed)
    }

    /// The steering command that counts: that of the driver, or where a steering wheel is that is
    /// free to turn.
    fn steer(&self) -> Real {
        let mechanics = self.params.mechanics();
        match (&mechanics.steering_system, self.commands.steering_torque) {
            (Some(system), Some(_)) => {
                let end_stop = system.end_stop(&mechanics.steering);
                let free = self.mechanics.steering.angle / end_stop;
                if 0.0 < end_stop { free.clamped(-1.0, 1.0) } else { 0.0 }
            }
            _ => self.commands.steer,
        }
    }

    /// The steering command with which the steering has the angle that aids ask for in `commands`
    /// beside that of the `driver`; his own where they ask for none.
    fn steer_with(
        &self,
        driver: &DriverSignals,
        commands: &AidCommands,
        context: &Context<'_>,
    ) -> Real {
        if commands.steer == driver.steer {
            return self.commands.steer;
        }
        let (table, speed) = self.steering_table(context);
        if table.is_none() {
            return commands.steer;
        }
        let added = commands.steer - driver.steer;
        let effective = effective_steer(table, driver.steer, speed) + added;
        steer_for(table, effective.clamped(-1.0, 1.0), speed)
    }

    /// Torques of the drive per torque in SI units.
    fn drive_square(&self) -> Real {
        if D::IS_IN_SI_UNITS { 1.0 } else { self.square() }
    }

    /// Whether motors are asked for the torques of wheels while these turn.
    pub(super) fn has_motors(&self) -> bool {
        let drive = self.system.aids.vehicle().drive;
        D::IS_SOLVED && matches!(drive, AidDrive::PerWheel | AidDrive::PerMotor)
    }

    /// The table between pedal and torques, if there is one.
    fn throttle_table(&self, context: &Context<'_>) -> Option<ThrottleTable<'a>> {
        let params: &'a D = self.params;
        let table = params.throttle_table()?;
        let speed = self.mechanics.rigid_body.longitudinal_speed(context.frame());
        Some(ThrottleTable::at(table, speed))
    }

    fn drive_signals(&self, context: &Context<'_>) -> DriveSignals {
        let square = self.drive_square();
        let mut signals = self.params.drive_signals(self.prepared, self.controls, self.drive);
        if let Some(table) = self.throttle_table(context) {
            [signals.closed_throttle_torque, signals.full_throttle_torque] =
                table.torques(signals.full_throttle_torque);
        }
        DriveSignals {
            full_throttle_torque: signals.full_throttle_torque / square,
            closed_throttle_torque: signals.closed_throttle_torque / square,
            torque: signals.torque / square,
            torque_per_throttle: signals.torque_per_throttle / square,
            lift_torque: signals.lift_torque / square,
            ..signals
        }
    }

    /// What aids know of the drive in a step: its gear now, and else what it has done in the last
    /// substep.
    fn known_drive(&self) -> DriveSignals {
        let gear = self.params.gear_signals(self.prepared, self.controls, self.drive);
        self.memory.drive.in_gear(gear)
    }

    /// Whether torques of wheels are looked at in each substep.
    fn acts_in_substeps(&self) -> bool {
        self.system.acts_in_substeps || self.has_motors()
    }

    /// Notes how the vehicle rolls, where no substep has been observed yet. Its loads are those at
    /// rest, its tires have no forces, and its road is dry.
    fn look_first(&mut self, dt: Real, context: &Context<'_>) {
        if self.memory.is_observed {
            return;
        }
        let (params, system) = (self.params.mechanics(), self.system);
        Observation { params, system, dt, context }.write_first(self.mechanics, self.memory);
        let signals = self.drive_signals(context);
        self.memory.drive = DriveSignals { torque: 0.0, clutch_slip: 0.0, ..signals };
    }

    fn command(&mut self, dt: Real, context: &Context<'_>) {
        let (driver, drive) = (self.driver_signals(context), self.known_drive());
        let gravity = self.gravity(context);
        let table = self.throttle_table(context);
        let worth = table.as_ref().map_or(driver.throttle, |table| table.worth(driver.throttle));
        let seen = DriverSignals { throttle: worth, ..driver };
        let AidsMemory { aids, wheels, body, .. } = &mut *self.memory;
        let signals = AidSignals { wheels, body: *body, driver: seen, drive, gravity, dt };
        let mut commands = AidCommands::from(&seen);
        self.system.aids.command(aids, &signals, &mut commands);
        commands.throttle = match table {
            Some(_) if commands.throttle == worth => driver.throttle,
            Some(table) => table.throttle_for(commands.throttle),
            None => commands.throttle,
        };
        let steer = self.steer_with(&driver, &commands, context);
        let room = &mut *self.room;
        room.driver = driver;
        room.commands.throttle = commands.throttle;
        [room.commands.brakes[0], room.commands.brakes[1]] =
            [commands.foot_brake, commands.hand_brake];
        room.commands.steer = steer;
        D::shape(&commands, &mut room.controls);
        room.throttle = commands.throttle;
        room.aid_commands = commands;
    }

    fn demand(&mut self, dt: Real, context: &Context<'_>) {
        let (drive, gravity) = (self.known_drive(), self.gravity(context));
        let (square, drive_square) = (self.square(), self.drive_square());
        let (prepared, has_motors) = (self.prepared, self.has_motors());
        let torques = &mut self.mechanics.brake_torques;
        let AidRoom { commands, driver, aid_commands, requests, throttle, is_unasked, .. } =
            &mut *self.room;
        let params = self.params.mechanics();
        let is_pulled = commands.brakes.iter().skip(1).any(|&command| command != 0.0);
        let speed = self.mechanics.rigid_body.longitudinal_speed(context.frame());
        let drives = self.memory.drive_torques.iter();
        for (wheel, (request, &drive)) in requests.iter_mut().zip(drives).enumerate() {
            let pulled =
                if is_pulled { hand_brake_torque(params, commands, speed, wheel) } else { 0.0 };
            request.hand_brake = pulled / square;
            request.foot_brake = (torques[wheel] / square - request.hand_brake).max(0.0);
            request.drive = drive;
            let motor = || self.params.motor_demand(prepared, self.drive, wheel);
            let motor = if has_motors { motor() } else { None };
            request.drive_bound = motor.map(|motor| motor.most / drive_square);
        }
        let AidsMemory { aids, wheels, body, .. } = &mut *self.memory;
        let signals = AidSignals { wheels, body: *body, driver: *driver, drive, gravity, dt };
        self.system.aids.demand(aids, &signals, aid_commands, requests);
        *is_unasked = !aids.stability.is_active() && !aids.torque_vectoring.is_active();
        if !*is_unasked || aid_commands.hold_torque != 0.0 {
            for (wheel, request) in requests.iter().enumerate() {
                if request.foot_brake < request.hold || request.stability != 0.0 {
                    torques[wheel] = (request.hand_brake + request.brake_demand()) * square;
                }
            }
        }
        commands.throttle = pedal::<D>(&aids.throttle_request(*throttle, 0.0));
    }

    fn limit(&mut self, dt: Real, context: &Context<'_>) {
        let (params, system) = (self.params.mechanics(), self.system);
        let is_last = context.substep.index + 1 == context.substep.count;
        if context.substep.index == 0 {
            self.room.is_found = false;
        }
        self.room.substep_dt = Some(dt);
        let acts = self.acts_in_substeps();
        let rests = acts && self.rests(context);
        if is_last || (acts && !rests) {
            let observation = Observation { params, system, dt, context };
            observation.write(self.mechanics, self.memory, acts && !rests);
        } else {
            self.memory.pass(self.mechanics.rigid_body.linear_velocity);
        }
        if context.substep.index == 0 {
            self.open_throttle();
        }
        if rests {
            let (mechanics, scale) = (&*self.mechanics, system.params.coordinates.length_scale);
            let speeds = |number: usize| speeds(mechanics, number, scale);
            system.aids.rest(&mut self.memory.aids, speeds, is_last, dt);
        } else if acts {
            self.limit_wheels(dt, context);
        }
        self.limit_throttle();
        if acts && !rests {
            self.write_torques();
        }
    }

    /// Lets aids limit what is asked of each wheel.
    fn limit_wheels(&mut self, dt: Real, context: &Context<'_>) {
        self.find_requests(context.substep.index == 0);
        let (system, drive) = (self.system, self.known_drive());
        let gravity = self.gravity(context);
        // The throttle that drives the wheels counts, be it the driver's or a cruise control's.
        let driver = DriverSignals { throttle: self.room.throttle, ..self.room.driver };
        let AidsMemory { aids, wheels, body, .. } = &mut *self.memory;
        system.aids.sense(aids, &driver, body, wheels, gravity, dt);
        let mut signals = AidSignals { wheels, body: *body, driver, drive, gravity, dt };
        system.aids.limit(aids, &signals, &mut self.room.requests);
        if !system.aids.helps_in_air() {
            return;
        }
        signals.driver = self.room.driver;
        let torque = system.aids.body_torque(aids, &signals);
        if torque != BodyTorque::default() {
            turn(self.mechanics, &torque, system.aids.vehicle(), dt, context);
        }
    }

    /// Lets the drive have no more throttle than aids allow.
    fn limit_throttle(&mut self) {
        let AidRoom { commands, controls, throttle, .. } = &mut *self.room;
        let request = self.memory.aids.throttle_request(*throttle, 0.0);
        if request.is_left() {
            commands.throttle = request.driver;
            return;
        }
        commands.throttle = pedal::<D>(&request);
        let asked = (&*commands, &*controls);
        self.params.limit_throttle(self.prepared, self.drive, request.limit, asked);
        self.open_throttle();
    }

    /// Lets the drive have the throttle that aids add to the pedal.
    fn open_throttle(&mut self) {
        let AidRoom { commands, controls, throttle, .. } = &*self.room;
        let request = self.memory.aids.throttle_request(*throttle, 0.0);
        let throttle = if request.is_left() { request.driver } else { request.throttle() };
        if commands.throttle < throttle {
            let asked = (commands, controls);
            self.params.open_throttle(self.prepared, self.drive, throttle, asked);
        }
    }

    /// What is asked of each wheel without the aids of a substep. What is braked beside, such as a
    /// lock in park, counts as asked for by the foot brake. Of a motor it is what the commands ask
    /// for at the beginning of the frame.
    fn find_requests(&mut self, is_first: bool) {
        let is_found = std::mem::replace(&mut self.room.is_found, true);
        let (square, drive_square) = (self.square(), self.drive_square());
        let (params, prepared, has_motors) = (self.params, self.prepared, self.has_motors());
        let AidRoom { requests, found, .. } = &mut *self.room;
        for (wheel, (request, found)) in requests.iter_mut().zip(found).enumerate() {
            if !is_found {
                found[0] = self.mechanics.brake_torques[wheel];
                let rest = found[0] / square - request.hand_brake - request.stability;
                (request.foot_brake, request.hold) = (rest.max(0.0), 0.0);
            }
            if has_motors && is_first {
                let motor = params.motor_demand(prepared, self.drive, wheel);
                found[1] = motor.map_or(0.0, |motor| motor.torque);
            } else if D::IS_SOLVED && is_first {
                found[1] = self.memory.drive_torques[wheel] * drive_square;
            } else if !has_motors && (D::IS_SOLVED || is_first) {
                found[1] = params.wheel_torque(prepared, self.drive, wheel);
            }
            request.drive = found[1] / drive_square;
            (request.traction, request.brake_cap, request.drive_cap) = (0.0, None, None);
        }
    }

    /// Notes what the drive and the body have done, and lets the driver's commands count again.
    fn release(&mut self, context: &Context<'_>) {
        if let Some(dt) = self.room.substep_dt.take() {
            let (params, system) = (self.params.mechanics(), self.system);
            Observation { params, system, dt, context }.write_end(self.mechanics, self.memory);
        }
        let (drive_square, has_motors) = (self.drive_square(), self.has_motors());
        self.memory.drive = self.drive_signals(context);
        for (wheel, torque) in self.memory.drive_torques.iter_mut().enumerate() {
            let given = if has_motors {
                self.room.found[wheel][1]
            } else {
                self.params.wheel_torque(self.prepared, self.drive, wheel)
            };
            *torque = given / drive_square;
        }
        let sizes = self.memory.drive_torques.iter().map(|torque| torque.abs());
        self.memory.drive.absolute_torque = sizes.sum();
    }

    /// Lets each wheel have what its request has become.
    fn write_torques(&mut self) {
        let (square, drive_square) = (self.square(), self.drive_square());
        let has_motors = self.has_motors();
        let AidRoom { requests, found, is_limited, .. } = &mut *self.room;
        let was_limited =
            std::mem::replace(is_limited, !requests.iter().all(WheelRequest::is_left));
        if !was_limited && !*is_limited && !has_motors {
            return;
        }
        for (wheel, request) in requests.iter().enumerate() {
            let [brake, drive] = found[wheel];
            let torque =
                if request.is_brake_left() { brake } else { request.brake_torque() * square };
            if self.mechanics.brake_torques[wheel] != torque {
                self.mechanics.brake_torques[wheel] = torque;
            }
            let torque =
                if request.is_drive_left() { drive } else { request.drive_torque() * drive_square };
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

#[cfg(test)]
mod tests {
    use vehicle_core::blueprint::CarBlueprint;
    use vehicle_core::brakes::brake_torque;
    use vehicle_core::commands::CommandResponseParams;

    use super::*;
    use crate::steering_table::tests::table;

    #[test]
    fn a_hand_brake_counts_as_its_table_has_it() {
        let mut mechanics = CarBlueprint::default().mechanics().expect("a car");
        let mut lever = CommandResponseParams::linear(1_000.0, [0.0, 0.0, 1.0, 1.0]);
        lever.table = Some(table([(0.2, &[(0.0, 0.0)]), (1.0, &[(0.0, 1.0), (20.0, 0.5)])]));
        mechanics.brakes.truncate(1);
        mechanics.brakes.push(lever);
        for (command, speed, expected) in [(0.1, 0.0, 0.0), (0.6, 0.0, 500.0), (1.0, 20.0, 500.0)] {
            let commands = Commands { brakes: [0.0, command], ..Commands::default() };
            let found = hand_brake_torque(&mechanics, &commands, speed, 3);
            assert!((found - expected).abs() < 1e-3, "{found} N·m at {command}, {speed} m/s");
            assert_eq!(found, brake_torque(&mechanics.brakes, &commands.brakes, speed, 3));
        }
    }
}
