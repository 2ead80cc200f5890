//! What the driver of a vehicle with any drive does.

use serde::{Deserialize, Serialize};
use vehicle_core::commands::Commands;
use vehicle_core::tire::models::AnyTire;
use vehicle_core::vehicle::OwnState;
use vehicle_drivetrain::EngineDriveVehicleWith;
use vehicle_drivetrain::blocks::{DrivelineCommands, Selector};
use vehicle_drivetrain::differential::DifferentialModel;
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::gearbox::GearCommand;
use vehicle_drivetrain::transmission::TransmissionCommands;

use super::{AnyDrive, AnyDriveVehicle, AnyRapierVehicle, each};
use crate::fleet::orders::Controllable;

/// All that the driver of a vehicle with any drive does, by pedals, steering wheel and lever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AnyDriveControls {
    /// Pedals and steering wheel.
    pub commands: Commands,
    /// Where the lever is put, see [`AnyDriveVehicle::select`]; `None` leaves it where it is.
    pub selector: Option<Selector>,
}

impl<Own: OwnState> Controllable for AnyDriveVehicle<Own> {
    type Controls = AnyDriveControls;

    fn control(&mut self, controls: AnyDriveControls) {
        *self.commands_mut() = controls.commands;
        if let Some(selector) = controls.selector {
            self.select(selector);
        }
    }
}

impl<Own: OwnState> AnyDriveVehicle<Own> {
    /// Commands of its driver: pedals and steering wheel.
    pub fn commands(&self) -> &Commands {
        each!(&self.drive, car => &car.commands)
    }

    /// Commands of its driver: pedals and steering wheel, mutably.
    pub fn commands_mut(&mut self) -> &mut Commands {
        each!(&mut self.drive, car => &mut car.commands)
    }

    /// Commands of its driver to gearbox, clutch and tracks, mutably, if it has an engine and a
    /// differential.
    pub fn transmission_mut(&mut self) -> Option<&mut TransmissionCommands> {
        match &mut self.drive {
            AnyDrive::Engine(car) => Some(&mut car.controls),
            AnyDrive::Motorcycle(car) => Some(&mut car.controls),
            AnyDrive::Tank(car) => Some(&mut car.controls),
            AnyDrive::Direct(_) | AnyDrive::Blocks(_) => None,
        }
    }

    /// Commands of its driver to gearbox, clutch and locks, mutably, if it has a driveline of
    /// blocks.
    pub fn levers_mut(&mut self) -> Option<&mut DrivelineCommands> {
        match &mut self.drive {
            AnyDrive::Blocks(car) => Some(&mut car.controls),
            AnyDrive::Direct(_)
            | AnyDrive::Engine(_)
            | AnyDrive::Motorcycle(_)
            | AnyDrive::Tank(_) => None,
        }
    }

    /// Puts the lever at `selector`, whatever the kind of drive: an automatic gearbox shifts by
    /// itself in drive, a manual one is put into its first gear. In park, the driven wheels are
    /// held.
    ///
    /// Returns `false` where the gearbox of an engine has no such gear: kart and motorcycle have no
    /// reverse gear, and are in neutral then. A direct drive that turns no wheel, as that of a
    /// trailer, returns `false` but for neutral: it holds nothing in park. Drivelines of blocks
    /// always return `true`.
    pub fn select(&mut self, selector: Selector) -> bool {
        match &mut self.drive {
            AnyDrive::Direct(car) => {
                car.controls.gear = match selector {
                    Selector::Reverse => Gear::Reverse,
                    Selector::Park => Gear::Park,
                    Selector::Neutral => Gear::Neutral,
                    Selector::Drive | Selector::Low => Gear::Forward,
                };
                let throttle = &car.params().throttle;
                let turns_wheels = throttle.max_response != 0.0
                    && throttle.wheel_multipliers.iter().any(|share| *share != 0.0);
                turns_wheels || selector == Selector::Neutral
            }
            AnyDrive::Engine(car) => select_gear(car, selector),
            AnyDrive::Motorcycle(car) => select_gear(car, selector),
            AnyDrive::Tank(car) => select_gear(car, selector),
            AnyDrive::Blocks(car) => {
                let levers = &mut car.controls;
                levers.selector = selector;
                levers.gear = match selector {
                    Selector::Reverse => -1,
                    Selector::Park | Selector::Neutral => 0,
                    Selector::Drive | Selector::Low => 1,
                };
                true
            }
        }
    }
}

impl<Own: OwnState> AnyRapierVehicle<Own> {
    /// Commands of its driver: pedals and steering wheel.
    pub fn commands(&self) -> &Commands {
        self.vehicle.commands()
    }

    /// Commands of its driver: pedals and steering wheel, mutably.
    pub fn commands_mut(&mut self) -> &mut Commands {
        self.vehicle.commands_mut()
    }

    /// Commands of its driver to gearbox, clutch and tracks, see
    /// [`AnyDriveVehicle::transmission_mut`].
    pub fn transmission_mut(&mut self) -> Option<&mut TransmissionCommands> {
        self.vehicle.transmission_mut()
    }

    /// Commands of its driver to gearbox, clutch and locks, see [`AnyDriveVehicle::levers_mut`].
    pub fn levers_mut(&mut self) -> Option<&mut DrivelineCommands> {
        self.vehicle.levers_mut()
    }

    /// Puts the lever at `selector`, see [`AnyDriveVehicle::select`].
    pub fn select(&mut self, selector: Selector) -> bool {
        self.vehicle.select(selector)
    }
}

/// Puts the lever of a vehicle with an engine at `selector`; whether it has such a gear.
fn select_gear<D: DifferentialModel, Own: OwnState>(
    car: &mut EngineDriveVehicleWith<AnyTire, D, Own>,
    selector: Selector,
) -> bool {
    let drivetrain = &car.params().drivetrain;
    let gearbox = &drivetrain.gearbox;
    let gear = match selector {
        Selector::Reverse if gearbox.neutral == 0 => None,
        Selector::Reverse => Some(GearCommand::Gear(gearbox.neutral - 1)),
        Selector::Park | Selector::Neutral => Some(GearCommand::Gear(gearbox.neutral)),
        Selector::Drive if drivetrain.autobox.is_some() => {
            gearbox.first_gear().map(|_| GearCommand::Automatic)
        }
        Selector::Drive | Selector::Low => gearbox.first_gear().map(GearCommand::Gear),
    };
    car.controls.gear = gear.unwrap_or(GearCommand::Gear(gearbox.neutral));
    car.controls.is_parking = selector == Selector::Park;
    gear.is_some()
}
