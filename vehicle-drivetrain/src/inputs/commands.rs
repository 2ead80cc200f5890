//! Commands of a driver, for a vehicle of any drive.

use serde::{Deserialize, Serialize};
use vehicle_core::Frame;
use vehicle_core::commands::Commands;
use vehicle_core::math::{Clamped, Real};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::MechanicalParams;

use super::direction::Direction;
use super::shifter::GearChoice;
use crate::blocks::{DrivelineCommands, Selector};
use crate::differential::TankDifferentialParams;
use crate::direct_drive::Gear;
use crate::drivetrain::DrivetrainParams;
use crate::gearbox::{GearCommand, GearboxParams};
use crate::transmission::TransmissionCommands;

/// What full steering takes of the inner track's thrust (dimensionless): beyond 1 it runs backward.
const TRACK_STEERING: Real = 5.0;
/// Brake of the inner track by the steering command, without throttle (dimensionless).
const TRACK_BRAKE: Real = 2.5;

/// All that a driver does, whatever the drive: [`commands`](Self::commands) are those of any
/// vehicle, the methods say what goes to the levers of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DrivingCommands {
    /// Pedals and steering wheel.
    pub commands: Commands,
    /// The gear.
    pub gear: GearChoice,
    /// Clutch pedal, in [0, 1]: 1 is pressed down.
    pub clutch: Real,
    /// Thrusts of the left and the right track of a tank, each in [-1, 1].
    pub thrusts: [Real; 2],
    /// Steering levers of the left and the right track of a tank, each in [0, 1].
    pub track_brakes: [Real; 2],
}

impl DrivingCommands {
    /// Commands of a driver who puts in `gear` and leaves the clutch to itself.
    pub fn new(commands: Commands, gear: GearChoice) -> Self {
        Self { commands, gear, clutch: 0.0, thrusts: [1.0; 2], track_brakes: [0.0; 2] }
            .with_tracks_steered(commands.steer)
    }

    /// These commands, with tracks that are steered by `steer`, in [-1, 1], positive to the left.
    ///
    /// Thrusts do nothing without throttle. So the inner track is braked, the more the less
    /// throttle there is:
    ///
    /// ```text
    /// b = min(1, 2.5 |steer|) (1 - θ)
    /// ```
    #[must_use]
    pub fn with_tracks_steered(self, steer: Real) -> Self {
        let closed = (1.0 - self.commands.throttle).clamped(0.0, 1.0);
        let inner = (TRACK_BRAKE * steer.abs()).min(1.0) * closed;
        let track_brakes = if 0.0 < steer { [inner, 0.0] } else { [0.0, inner] };
        Self { thrusts: track_thrusts(steer), track_brakes, ..self }
    }

    /// Gear of a direct drive.
    pub fn direct_gear(&self) -> Gear {
        match self.gear.sign() {
            1 => Gear::Forward,
            -1 => Gear::Reverse,
            _ => Gear::Neutral,
        }
    }

    /// Where the lever of an automatic gearbox stands.
    pub fn selector(&self) -> Selector {
        match self.gear.sign() {
            1 => Selector::Drive,
            -1 => Selector::Reverse,
            _ => Selector::Neutral,
        }
    }

    /// The gear of an engine's gearbox, one that shifts by itself or not: where it does not, an
    /// automatic choice is the first gear.
    pub fn gear_command(&self, gearbox: &GearboxParams, is_automatic: bool) -> GearCommand {
        let gear = match self.gear {
            GearChoice::Automatic(Direction::Forward) if is_automatic => {
                return GearCommand::Automatic;
            }
            GearChoice::Automatic(direction) => direction.sign() as i32,
            GearChoice::Manual(gear) => gear,
        };
        let last = gearbox.ratios.len().saturating_sub(1) as i32;
        GearCommand::Gear((gearbox.neutral as i32 + gear).min(last).max(0) as usize)
    }

    /// Gear and clutch of a vehicle with an engine, and all else as it is in `before`.
    pub fn transmission<D>(
        &self,
        drivetrain: &DrivetrainParams<D>,
        before: &TransmissionCommands,
    ) -> TransmissionCommands {
        let gear = self.gear_command(&drivetrain.gearbox, drivetrain.autobox.is_some());
        TransmissionCommands { gear, clutch: self.clutch, is_parking: false, ..*before }
    }

    /// Gear, clutch and thrusts of a tank, whose tracks are on these `sides`, and all else as it is
    /// in `before`.
    pub fn tank<D>(
        &self,
        drivetrain: &DrivetrainParams<D>,
        sides: &TrackSides,
        before: &TransmissionCommands,
    ) -> TransmissionCommands {
        let [thrusts, track_brakes] = [self.thrusts, self.track_brakes].map(|it| sides.ordered(it));
        TransmissionCommands { thrusts, track_brakes, ..self.transmission(drivetrain, before) }
    }

    /// Levers and clutch of a driveline from blocks, and all else as it is in `before`.
    pub fn levers(&self, before: &DrivelineCommands) -> DrivelineCommands {
        let gear = match self.gear {
            GearChoice::Automatic(direction) => direction.sign() as i32,
            GearChoice::Manual(gear) => gear,
        };
        DrivelineCommands { gear, selector: self.selector(), clutch: self.clutch, ..*before }
    }
}

/// Thrusts of the left and the right track of a tank, each in [-1, 1], by a steering command. The
/// inner track gets less; beyond a fifth of the command it runs backward.
pub fn track_thrusts(steer: Real) -> [Real; 2] {
    let inner = (1.0 - TRACK_STEERING * steer.abs()).max(-1.0);
    if 0.0 < steer { [inner, 1.0] } else { [1.0, inner] }
}

/// Which thrust of a tank is of its left tracks, and which of its right ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackSides {
    /// Whether each thrust is of a track on the left.
    pub is_left: [bool; 2],
}

impl TrackSides {
    /// Sides of a tank with this `differential`, of the axes of `frame`.
    pub fn of<Tire: TireModel>(
        differential: &TankDifferentialParams,
        mechanics: &MechanicalParams<Tire>,
        frame: &Frame,
    ) -> Self {
        let mut is_left = [false; 2];
        for track in &differential.tracks {
            let first = track.wheels.first().and_then(|&wheel| mechanics.suspensions.get(wheel));
            let place = first.map(|suspension| suspension.wheel_mount().dot(frame.lateral()));
            if let Some(side) = is_left.get_mut(track.thrust) {
                *side = place.is_some_and(|place| 0.0 < place);
            }
        }
        Self { is_left }
    }

    /// Thrusts in the order of the tank, by those of left and right track.
    pub fn ordered(&self, [left, right]: [Real; 2]) -> [Real; 2] {
        self.is_left.map(|is_left| if is_left { left } else { right })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracks_are_steered_by_a_brake_where_there_is_no_thrust() {
        // (steering, throttle, brakes of the left and the right track)
        for (steer, throttle, brakes) in [
            (0.0, 0.0, [0.0, 0.0]),
            (0.2, 0.0, [0.5, 0.0]),
            (-0.2, 0.0, [0.0, 0.5]),
            (1.0, 0.0, [1.0, 0.0]),
            (1.0, 0.75, [0.25, 0.0]),
            (-1.0, 1.0, [0.0, 0.0]),
        ] {
            let commands = Commands { steer, throttle, ..Commands::default() };
            let driven = DrivingCommands::new(commands, GearChoice::Manual(1));
            assert_eq!(driven.track_brakes, brakes, "steered by {steer}, throttle {throttle}");
            assert_eq!(driven.thrusts, track_thrusts(steer), "{steer}");
        }
    }
}
