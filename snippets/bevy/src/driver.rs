//! Commands of the driver of a vehicle.

use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

/// Commands of the driver of a vehicle: pedals, steering wheel, lever.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct DriverCommands {
    /// Accelerator, in [0, 1].
    pub throttle: f32,
    /// Foot brake, in [0, 1].
    pub brake: f32,
    /// Hand brake, in [0, 1]; the brake of the second track of a tank that has one for each.
    pub hand_brake: f32,
    /// Steering wheel, in [-1, 1], positive to the left.
    pub steer: f32,
    /// The lever of the gearbox. Bevy's reflection does not see it.
    #[reflect(ignore)]
    pub selector: Selector,
    /// The part of its torque that each track of a tank gets, in [-1, 1].
    pub thrusts: [f32; 2],
    /// The brake of each track of a tank, in [0, 1].
    pub track_brakes: [f32; 2],
}

impl Default for DriverCommands {
    /// In gear, without a foot on a pedal.
    fn default() -> Self {
        Self {
            throttle: 0.0,
            brake: 0.0,
            hand_brake: 0.0,
            steer: 0.0,
            selector: Selector::Drive,
            thrusts: [1.0; 2],
            track_brakes: [0.0; 2],
        }
    }
}

impl DriverCommands {
    /// Hands them to `car`; a lever that was at `lever` only when it is moved, so that gears can be
    /// chosen by hand.
    pub(crate) fn give(&self, car: &mut AnyRapierVehicle, lever: &mut Selector) {
        if *lever != self.selector {
            *lever = self.selector;
            car.select(self.selector);
        }
        if let Some(transmission) = car.transmission_mut() {
            transmission.thrusts = self.thrusts;
            transmission.track_brakes = self.track_brakes;
        }
        let commands = car.commands_mut();
        commands.throttle = self.throttle;
        commands.brakes = [self.brake, self.hand_brake];
        commands.steer = self.steer;
    }

    /// Notes what the driver of `car` does, but for its lever.
    pub(crate) fn note(&mut self, car: &mut AnyRapierVehicle) {
        let commands = *car.commands();
        self.throttle = commands.throttle;
        [self.brake, self.hand_brake] = commands.brakes;
        self.steer = commands.steer;
        if let Some(transmission) = car.transmission_mut() {
            self.thrusts = transmission.thrusts;
            self.track_brakes = transmission.track_brakes;
        }
    }
}
