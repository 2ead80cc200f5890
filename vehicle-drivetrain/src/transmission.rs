//! The driver's controls of a vehicle with an engine, and how gearbox, clutch and throttle answer.

use serde::{Deserialize, Serialize};
use vehicle_core::commands::Commands;
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::Real;

use crate::autobox::{AutoboxInput, AutoboxState, autobox};
use crate::clutch::{ClutchParams, ClutchState, clutch_response};
use crate::engine::{EngineParams, EngineState};
use crate::gearbox::{
    GearCommand, GearboxParams, GearboxState, commanded_gearbox, is_gear_safe, lowest_safe_gear,
};
use crate::shift_law::ShiftLaw;
use crate::shift_map::{ShiftMapInput, mapped_autobox};

/// The driver's controls beside pedals and steering wheel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransmissionCommands {
    /// The gear.
    pub gear: GearCommand,
    /// Clutch pedal, in [0, 1]: 1 is pressed down and disengages.
    pub clutch: Real,
    /// Shares of the torque that go to the tracks of a tank, each in [-1, 1]: one that is negative
    /// turns its tracks backward. Without meaning for a vehicle on wheels.
    pub thrusts: [Real; 2],
    /// Steering levers of a tank, numbered as its thrusts are, each in [0, 1]. Each brakes the
    /// tracks of its thrust, see [`TrackBrakes`](crate::stages::TrackBrakes), and hands their
    /// torque over to the others. Without meaning for a vehicle on wheels.
    #[serde(default)]
    pub track_brakes: [Real; 2],
    /// Whether the starter of a stalled engine turns.
    #[serde(default)]
    pub is_starting: bool,
    /// Whether the lever is in park: the gearbox goes to neutral, whatever `gear` says, and the
    /// driven wheels are held from 5 km/h down.
    #[serde(default)]
    pub is_parking: bool,
    /// Whether front and rear axle of a four-wheel differential turn as they like, whatever limits
    /// or locks its center. Without meaning for other differentials, whose center is always free.
    #[serde(default)]
    pub is_center_free: bool,
}

impl Default for TransmissionCommands {
    /// Automatic, the clutch pedal released, all torque to both sides, no track braked, no starter,
    /// not in park, the center as it is.
    fn default() -> Self {
        Self {
            gear: GearCommand::Automatic,
            clutch: 0.0,
            thrusts: [1.0; 2],
            track_brakes: [0.0; 2],
            is_starting: false,
            is_parking: false,
            is_center_free: false,
        }
    }
}

impl Validate for TransmissionCommands {
    fn check(&self, check: &mut ParamCheck) {
        check.number("clutch", self.clutch, Bound::Within(0.0, 1.0));
        for (index, &thrust) in self.thrusts.iter().enumerate() {
            check.number(format_args!("thrusts[{index}]"), thrust, Bound::Within(-1.0, 1.0));
        }
        for (index, &brake) in self.track_brakes.iter().enumerate() {
            check.number(format_args!("track_brakes[{index}]"), brake, Bound::Within(0.0, 1.0));
        }
    }
}

/// An automatic gearbox and what it remembers.
#[derive(Debug)]
pub struct AutoboxRef<'a> {
    /// When it shifts.
    pub law: &'a ShiftLaw,
    /// Read and written: what it remembers.
    pub state: &'a mut AutoboxState,
}

/// Controls of a driver, and the engine, clutch and gearbox that answer.
#[derive(Debug)]
pub struct TransmissionView<'a> {
    /// The driver's pedals.
    pub commands: &'a Commands,
    /// The driver's other controls.
    pub transmission_commands: &'a TransmissionCommands,
    /// The engine.
    pub engine: &'a EngineParams,
    /// Motion of the engine.
    pub engine_state: &'a EngineState,
    /// Speed of the driven wheels, as the differential averages it (rad/s).
    pub driven_speed: Real,
    /// Speed at which these wheels would roll over the ground without slip, without its sign
    /// (rad/s).
    pub rolling_speed: Real,
    /// The mass of the car, as a moment of inertia that its driven wheels turn (kg·m²).
    pub carried_inertia: Real,
    /// The gearbox.
    pub gearbox: &'a GearboxParams,
    /// The clutch.
    pub clutch: &'a ClutchParams,
    /// The automatic gearbox, if there is one.
    pub autobox: Option<AutoboxRef<'a>>,
    /// Read and written: the gear.
    pub gearbox_state: &'a mut GearboxState,
    /// Written: how the clutch answers to its pedal.
    pub clutch_state: &'a mut ClutchState,
    /// Written: the throttle of the engine, in [0, 1].
    pub throttle: &'a mut Real,
}

impl TransmissionView<'_> {
    /// Updates gear, clutch and throttle.
    ///
    /// The throttle is the accelerator pedal, but an automatic gearbox has it while it shifts. A
    /// gear that is not safe is not asked for.
    pub fn update(mut self, dt: Real) {
        let TransmissionCommands { gear, clutch, is_parking, .. } = *self.transmission_commands;
        let command = match gear {
            _ if is_parking => GearCommand::Gear(self.gearbox.neutral),
            GearCommand::Gear(gear) if !self.is_safe(gear) => {
                GearCommand::Gear(self.gearbox_state.target)
            }
            command => command,
        };
        let (gear, throttle) = self.chosen(command, dt);
        if self.is_safe(gear) {
            *self.gearbox_state = commanded_gearbox(self.gearbox, self.gearbox_state, gear);
        }
        *self.clutch_state = clutch_response(self.clutch, clutch);
        *self.throttle = throttle;
    }

    fn is_safe(&self, gear: usize) -> bool {
        let max_speed = self.engine.max_speed;
        is_gear_safe(self.gearbox, self.gearbox_state, gear, self.driven_speed, max_speed)
    }

    /// Gear and throttle under the driver's `command`.
    fn chosen(&mut self, command: GearCommand, dt: Real) -> (usize, Real) {
        let (gearbox, gears) = (self.gearbox, &*self.gearbox_state);
        let throttle = self.commands.throttle;
        let Some(AutoboxRef { law, state }) = &mut self.autobox else {
            return (command.gear(gears), throttle);
        };
        let engine_speed = self.engine_state.rotation_speed;
        let response = match law {
            ShiftLaw::EngineSpeed(params) => {
                let engine_speed_fraction = self.engine.speed_fraction(engine_speed);
                let max_speed = self.engine.max_speed;
                let lowest_gear = lowest_safe_gear(gearbox, gears, self.driven_speed, max_speed);
                let input =
                    AutoboxInput { gear: command, throttle, engine_speed_fraction, lowest_gear };
                autobox(params, gearbox, gears, &input, state, dt)
            }
            ShiftLaw::Map(params) => {
                let input = ShiftMapInput {
                    gear: command,
                    throttle,
                    brake: self.commands.brakes[0],
                    engine_speed,
                    engine: self.engine,
                    driven_speed: self.driven_speed,
                    rolling_speed: self.rolling_speed,
                    carried_inertia: self.carried_inertia,
                    gap: gearbox.switch_time + self.clutch.engagement_time,
                };
                mapped_autobox(params, gearbox, gears, &input, state, dt)
            }
        };
        **state = response.state;
        (response.gear, response.throttle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autobox::AutoboxParams;
    use crate::gearbox::GearSwitch;

    /// Gear, clutch and throttle after one update of a gearbox in first gear.
    fn update(
        commands: TransmissionCommands,
        autobox: Option<AutoboxRef<'_>>,
        driven_speed: Real,
    ) -> (GearboxState, ClutchState, Real) {
        let mut gears = GearboxState::in_gear(2);
        let (mut clutch, mut throttle) = (ClutchState::default(), 0.0);
        let engine = EngineParams::default();
        let view = TransmissionView {
            commands: &Commands { throttle: 0.6, ..Commands::default() },
            transmission_commands: &commands,
            engine: &engine,
            engine_state: &EngineState {
                rotation_speed: 0.8 * engine.max_speed,
                is_fuel_cut: false,
            },
            driven_speed,
            rolling_speed: driven_speed.abs(),
            carried_inertia: 160.0,
            gearbox: &GearboxParams::default(),
            clutch: &ClutchParams::viscous(10.0),
            autobox,
            gearbox_state: &mut gears,
            clutch_state: &mut clutch,
            throttle: &mut throttle,
        };
        view.update(0.01);
        (gears, clutch, throttle)
    }

    #[test]
    fn driver_switches_and_declutches() {
        let gear = GearCommand::Gear(3);
        let commands = TransmissionCommands { gear, clutch: 0.75, ..Default::default() };
        let (gears, clutch, throttle) = update(commands, None, 10.0);
        let switch = GearSwitch::Requested;
        assert_eq!(gears, GearboxState { current: 1, target: 3, switch });
        assert_eq!(clutch, ClutchState { engagement: 0.25, strength: 2.5 });
        assert_eq!(throttle, 0.6);
    }

    #[test]
    fn automatic_keeps_the_gear_where_there_is_no_autobox() {
        let (gears, _, throttle) = update(TransmissionCommands::default(), None, 10.0);
        assert_eq!((gears, throttle), (GearboxState::in_gear(2), 0.6));
    }

    #[test]
    fn autobox_shifts_up_a_fast_engine_and_cuts_its_throttle() {
        for law in [ShiftLaw::EngineSpeed(AutoboxParams::default()), ShiftLaw::default()] {
            let mut state = AutoboxState::default();
            let autobox = AutoboxRef { law: &law, state: &mut state };
            let (gears, _, throttle) = update(TransmissionCommands::default(), Some(autobox), FAST);
            assert_eq!((gears.target, throttle, state.is_shifting), (3, 0.0, true), "{law:?}");
        }
    }

    /// A speed of the wheels at which the first gear turns the engine close to its maximum, and one
    /// at which it would turn it beyond that (rad/s).
    const FAST: Real = 35.0;
    const TOO_FAST: Real = 55.0;

    #[test]
    fn gears_that_would_harm_are_refused() {
        // (gear asked for, speed, gear that goes in)
        let cases = [
            (0, 1.0, 0),
            (0, 10.0, 3),
            (0, -10.0, 0),
            (2, FAST, 2),
            (2, TOO_FAST, 3),
            (4, TOO_FAST, 4),
            // The clutch slips as long as a forward gear turns backward.
            (2, -TOO_FAST, 2),
        ];
        for (asked, speed, expected) in cases {
            let gears = GearboxState::in_gear(3);
            let params = GearboxParams::default();
            let is_safe =
                is_gear_safe(&params, &gears, asked, speed, EngineParams::default().max_speed);
            assert_eq!(is_safe, asked == expected, "gear {asked} at {speed} rad/s");
            let free = GearboxParams { interlock: None, ..params };
            assert!(
                is_gear_safe(&free, &gears, asked, speed, 680.0),
                "gear {asked} at {speed} rad/s"
            );
        }
        let gear = GearCommand::Gear(0);
        let commands = TransmissionCommands { gear, ..Default::default() };
        assert_eq!(update(commands, None, 10.0).0, GearboxState::in_gear(2));
        assert_eq!(update(commands, None, 1.0).0.target, 0);
    }

    #[test]
    fn bad_commands_are_named() {
        TransmissionCommands::default().validate().unwrap();
        let commands = TransmissionCommands {
            clutch: 2.0,
            thrusts: [0.0, -1.5],
            track_brakes: [-0.1, 1.0],
            ..TransmissionCommands::default()
        };
        assert_eq!(
            commands.validate().unwrap_err().to_string(),
            "clutch must be within [0, 1], got 2; thrusts[1] must be within [-1, 1], got -1.5; \
             track_brakes[0] must be within [0, 1], got -0.1"
        );
    }
}
