//! From pedals and steering wheel to a vehicle of any kind: the brake that becomes reverse, gears
//! by hand or by themselves, a brake that holds at a standstill.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::drivetrain::gearbox::GearCommand;
use vehicle_rapier::drivetrain::instruments::{DisplayedGear, Instruments};
use vehicle_rapier::vehicle_file::{AnyDrive, AnyRapierVehicle};

use crate::controls::{DriverInput, Event};
use crate::slip_control::SlipControl;

/// Speed below which a vehicle stands, for gears and the brake that holds (m/s).
const STANDSTILL: Real = 0.4;
/// Time for which the brake is held at a standstill until it becomes reverse (s).
const REVERSE_DELAY: Real = 0.25;
/// Pedal below which a foot is off it (dimensionless).
const OFF: Real = 0.02;
/// Share of its full turn to which a pedal alone turns a vehicle on tracks in place
/// (dimensionless).
const PIVOT: Real = 0.6;

/// What full steering takes of the inner track's thrust (dimensionless): beyond 1 it runs backward.
const TRACK_STEERING: Real = 5.0;

/// Who shifts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GearMode {
    /// The gearbox.
    #[default]
    Automatic,
    /// The driver.
    Manual,
}

/// The driver of a vehicle, between two steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Driver {
    pub(crate) mode: GearMode,
    is_reversing: bool,
    /// How long the other pedal has been held at a standstill (s).
    waiting: Real,
    /// The gear of a driver who shifts: 1, 2, ... forward, 0 in neutral, -1 in reverse.
    gear: i32,
    traction: SlipControl,
}

impl Driver {
    /// What happens to gears.
    pub(crate) fn handle(&mut self, event: Event, car: &mut AnyRapierVehicle) {
        match event {
            Event::ToggleGearMode => self.toggle_mode(car),
            Event::GearUp => self.shift(1, car),
            Event::GearDown => self.shift(-1, car),
            Event::Upright | Event::Start(_) => {
                self.is_reversing = false;
                self.waiting = 0.0;
                match self.mode {
                    GearMode::Automatic => car.select(Selector::Drive),
                    GearMode::Manual => {
                        self.gear = 1;
                        put_in(car, 1);
                    }
                }
            }
        }
    }

    fn toggle_mode(&mut self, car: &mut AnyRapierVehicle) {
        self.mode = match self.mode {
            GearMode::Automatic => GearMode::Manual,
            GearMode::Manual => GearMode::Automatic,
        };
        self.gear = match car.displayed_gear() {
            DisplayedGear::Forward(gear) => gear as i32,
            DisplayedGear::Reverse(_) => -1,
            DisplayedGear::Drive => 1,
            _ => 0,
        };
        match self.mode {
            GearMode::Manual => put_in(car, self.gear),
            GearMode::Automatic => {
                self.is_reversing = self.gear < 0;
                car.select(if self.is_reversing { Selector::Reverse } else { Selector::Drive });
            }
        }
    }

    fn shift(&mut self, by: i32, car: &mut AnyRapierVehicle) {
        if self.mode == GearMode::Automatic {
            self.toggle_mode(car);
        }
        self.gear = (self.gear + by).clamp(-1, gear_count(car));
        put_in(car, self.gear);
    }

    /// Sets the vehicle's commands for a step of `dt` (s).
    pub(crate) fn drive(&mut self, input: &DriverInput, car: &mut AnyRapierVehicle, dt: Real) {
        let (ahead, back) = (input.throttle(), input.brake());
        let speed = car.forward_speed();
        if self.mode == GearMode::Automatic {
            self.choose_direction(ahead, back, speed, car, dt);
        }
        let is_swapped = self.mode == GearMode::Automatic && self.is_reversing;
        let (throttle, brake) = if is_swapped { (back, ahead) } else { (ahead, back) };
        // A foot that is off all pedals at a standstill leaves the brake that holds.
        let is_held = speed.abs() < STANDSTILL && throttle < OFF;
        let brake = if is_held { 1.0 } else { brake };
        let (steer, hand_brake) = (input.steer(), input.hand_brake());
        let is_tank = matches!(car.vehicle.drive, AnyDrive::Tank(_));
        let throttle = throttle * self.traction.throttle(car, dt);
        let commands = car.commands_mut();
        commands.steer = if is_tank { 0.0 } else { steer };
        commands.throttle = throttle;
        commands.brakes = [brake, hand_brake];
        if is_tank {
            steer_tracks(steer, is_held, car);
        }
    }

    fn choose_direction(
        &mut self,
        ahead: Real,
        back: Real,
        speed: Real,
        car: &mut AnyRapierVehicle,
        dt: Real,
    ) {
        let (with, against) = if self.is_reversing { (back, ahead) } else { (ahead, back) };
        let wants_other = OFF < against && with < OFF && speed.abs() < STANDSTILL;
        self.waiting = if wants_other { self.waiting + dt } else { 0.0 };
        if REVERSE_DELAY <= self.waiting {
            self.waiting = 0.0;
            self.is_reversing = !self.is_reversing;
            car.select(if self.is_reversing { Selector::Reverse } else { Selector::Drive });
        }
    }
}

/// Turns a vehicle on tracks by their thrusts: the inner track gets less, in place they run against
/// each other.
fn steer_tracks(steer: Real, is_standing: bool, car: &mut AnyRapierVehicle) {
    let is_pivoting = is_standing && OFF < steer.abs();
    let inner = if is_pivoting { -1.0 } else { (1.0 - TRACK_STEERING * steer.abs()).max(-1.0) };
    let AnyDrive::Tank(tank) = &mut car.vehicle.drive else { return };
    if is_pivoting {
        tank.commands.throttle = PIVOT * steer.abs();
        tank.commands.brakes = [0.0; 2];
    }
    let params = tank.params();
    let suspensions = &params.mechanics.suspensions;
    let mut thrusts = [1.0; 2];
    for track in &params.drivetrain.differential.tracks {
        let side = track.wheels.first().map_or(0.0, |&wheel| suspensions[wheel].wheel_mount().x);
        if 0.0 < side * steer {
            thrusts[track.thrust] = inner;
        }
    }
    tank.controls.thrusts = thrusts;
}

/// Number of forward gears that a driver can put in.
fn gear_count(car: &AnyRapierVehicle) -> i32 {
    car.vehicle.gearbox().map_or(1, |gearbox| (gearbox.ratios.len() - gearbox.neutral - 1) as i32)
}

/// Puts in the gear of this signed number.
fn put_in(car: &mut AnyRapierVehicle, gear: i32) {
    let neutral = car.vehicle.gearbox().map(|gearbox| gearbox.neutral);
    if let Some(neutral) = neutral
        && let Some(transmission) = car.transmission_mut()
    {
        transmission.gear = GearCommand::Gear((neutral as i32 + gear).max(0) as usize);
        return;
    }
    car.select(match gear {
        0 => Selector::Neutral,
        ..0 => Selector::Reverse,
        _ => Selector::Drive,
    });
}
