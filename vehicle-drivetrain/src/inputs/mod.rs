//! Inputs: from keys, sticks and wheels to the commands of a vehicle of any drive.
//!
//! A game fills [`RawInputs`] from its devices, looks at the vehicle by [`SeenMotion::of`], and
//! gets [`DrivingCommands`] from [`DriverInputs::update`] once a frame:
//!
//! ```
//! use vehicle_core::Frame;
//! use vehicle_core::prelude::*;
//! use vehicle_drivetrain::handling::Handling;
//! use vehicle_drivetrain::inputs::{DriverInputs, InputParams, RawInputs, SeenMotion};
//! use vehicle_drivetrain::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mechanics = CarBlueprint::default().mechanics()?;
//! let mut car = EngineDriveVehicle::new(EngineDriveParams::automatic(mechanics, &[2, 3]))?;
//! let handling = Handling::of(&car.params().mechanics, &Frame::Y_UP);
//! let mut inputs = DriverInputs::new(InputParams::keyboard(handling.as_ref()))?;
//!
//! // Each frame: W and A are down.
//! let keys = RawInputs { forward: 1.0, steer: 1.0, ..RawInputs::default() };
//! let seen = SeenMotion::of(&car, &Frame::Y_UP);
//! let driven = inputs.update(&keys, &seen, 1.0 / 30.0)?;
//! car.commands = driven.commands;
//! car.controls = driven.transmission(&car.params().drivetrain, &car.controls);
//! assert!(0.0 < car.commands.throttle && 0.0 < car.commands.steer);
//! # Ok(())
//! # }
//! ```
//!
//! Each part is of use alone, as parameters, a state that is plain and belongs into snapshots, and
//! `update`:
//!
//! | part | from | to |
//! |---|---|---|
//! | [`AxisState`] | what a device says | a value without dead zone, that moves as fast as hands do |
//! | [`SteerLimitParams`] | steering, speed, side slip | steering that tires can follow |
//! | [`DirectionState`] | pedals forward and backward | accelerator, brake, direction |
//! | [`ShifterState`] | paddles, lever | gear |
//! | [`ClutchFootState`] | engine speed, shifts | clutch pedal |
//!
//! None has a clock: time comes with `dt`, lags are `1 - exp(-dt/τ)` and rates `rate dt`, so that
//! 30 and 240 frames per second give the same drive. A number that is none, or out of its range, is
//! refused by [`DriverInputs::update`] before anything changes.

mod axis;
mod clutch;
mod commands;
mod direction;
mod driver_inputs;
mod fitted;
mod seen;
mod shifter;
mod steer_limit;

pub use self::axis::{AxisFilter, AxisParams, AxisState};
pub use self::clutch::{ClutchFootParams, ClutchFootState};
pub use self::commands::{DrivingCommands, TrackSides, track_thrusts};
pub use self::direction::{
    Direction, DirectionInput, DirectionOutput, DirectionParams, DirectionState,
};
pub use self::driver_inputs::{DriverInputs, InputParams, InputState, RawInputs};
pub use self::seen::SeenMotion;
pub use self::shifter::{
    GearAssistParams, GearChoice, ShiftInput, ShifterParams, ShifterState, Shifting,
};
pub use self::steer_limit::SteerLimitParams;

#[cfg(all(test, feature = "schema"))]
mod tests {
    use super::*;

    #[test]
    fn settings_of_inputs_have_a_schema() {
        let schema = serde_json::to_value(schemars::schema_for!(InputParams)).expect("a schema");
        let settings = schema["properties"].as_object().expect("an object");
        for name in ["steer", "forward", "steer_limit", "direction", "shifter", "clutch"] {
            assert!(settings.contains_key(name), "{name} is missing in {settings:?}");
        }
        assert_eq!(schema["additionalProperties"], false);
    }
}
