//! Opens the clutch and the center differential while the hand brake is pulled, so that the rear
//! wheels lock and the engine does not stall.

use serde::{Deserialize, Serialize};

use vehicle_core::math::Real;

use super::commands::AidCommands;

/// Hand brake from which on it counts as pulled (dimensionless).
const PULLED: Real = 0.1;

/// Parameters of the aid that opens clutch and center differential by the hand brake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct HandBrakeParams {
    /// Whether the hand brake opens the clutch.
    pub opens_clutch: bool,
    /// Whether the hand brake opens locks of a center differential. They are the limited or rigid
    /// center of four wheels behind an engine, and the locks of a driveline from blocks that have a
    /// lever.
    pub frees_center: bool,
}

impl Default for HandBrakeParams {
    fn default() -> Self {
        Self { opens_clutch: true, frees_center: true }
    }
}

impl HandBrakeParams {
    /// Whether the hand brake of `commands` is pulled and does anything else.
    pub fn is_active(&self, commands: &AidCommands) -> bool {
        PULLED <= commands.hand_brake && (self.opens_clutch || self.frees_center)
    }

    /// Opens clutch and center of `commands` whose hand brake is pulled.
    pub fn command(&self, commands: &mut AidCommands) {
        if !self.is_active(commands) {
            return;
        }
        if self.opens_clutch {
            commands.clutch = 1.0;
        }
        commands.frees_center |= self.frees_center;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pulled_hand_brakes_open_clutch_and_center() {
        let released = AidCommands { hand_brake: 0.05, clutch: 0.2, ..Default::default() };
        let mut commands = released;
        HandBrakeParams::default().command(&mut commands);
        assert_eq!(commands, released);
        let mut commands = AidCommands { hand_brake: 1.0, ..released };
        HandBrakeParams::default().command(&mut commands);
        assert_eq!((commands.clutch, commands.frees_center), (1.0, true));
    }
}
