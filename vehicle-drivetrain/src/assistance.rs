//! How much a driver is helped, in one number: from arcade to simulation.
//!
//! [`Assistance::of`] makes the parameters of [aids](crate::aids) and of
//! [inputs](crate::inputs) of one number. They are plain: whoever wants another mixture changes
//! them before they are given to a vehicle. Nothing depends on the number afterwards.
//!
//! | setting | at 0, arcade | at 0.5 | at 1, simulation |
//! |---|---|---|---|
//! | strength of anti-lock brakes, traction and stability control | 1 | 1 | none |
//! | yaw rate (rad/s) and slip angle (rad) left to the driver | 0.06, 0.07 | 0.18, 0.21 | none |
//! | gain of the counter-steer assist, its damping (s) | 1, 0.2 | 0.6, 0.15 | none |
//! | upright torque in the air, acceleration there (rad/s²) | 1, 3 | 0.3, 1 | none |
//! | hill start, clutch and center by the hand brake | there | there | none |
//! | limit of the steer angle, by what tires can follow | 1 | 1.1 | none |
//! | gears and direction | automatic | automatic | as the driver shifts |
//!
//! Between these numbers all that can be is linear, and the limit of the steer angle grows to
//! infinity.

use serde::{Deserialize, Serialize};
use vehicle_core::error::{Bound, ParamCheck, ParamErrors};
use vehicle_core::math::Real;

use crate::aids::{
    AidsParams, AirControlParams, AntiLockParams, CounterSteerParams, HandBrakeParams,
    HillStartParams, StabilityParams, TractionParams,
};
use crate::inputs::{InputParams, Shifting, SteerLimitParams};

/// Parameters of aids and inputs that help a driver alike.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assistance {
    /// Aids, for `set_aids` of a vehicle.
    pub aids: AidsParams,
    /// Inputs, for [`DriverInputs::new`](crate::inputs::DriverInputs::new).
    pub inputs: InputParams,
}

impl Assistance {
    /// The help at `realism`, in [0, 1]: 0 is arcade, 1 is a simulation without any.
    ///
    /// `device` makes the inputs of a keyboard, a game pad or a wheel for the vehicle, whose gears
    /// are shifted as it is told: automatically, or by `shifting` without help. Where they have a
    /// limit of their steer angle, it is scaled.
    ///
    /// # Errors
    ///
    /// If `realism` is not in [0, 1].
    pub fn of(
        realism: Real,
        shifting: Shifting,
        device: impl FnOnce(Shifting) -> InputParams,
    ) -> Result<Self, ParamErrors> {
        let mut check = ParamCheck::default();
        check.number("realism", realism, Bound::Within(0.0, 1.0));
        check.finish()?;
        let aids = if realism < 1.0 { aids(realism) } else { AidsParams::default() };
        let shifting = if realism < 1.0 { Shifting::Automatic } else { shifting };
        Ok(Self { aids, inputs: inputs(realism, device(shifting)) })
    }
}

/// What goes from `values[0]` at 0 over `values[1]` at 0.5 to `values[2]` at 1, linearly.
fn between(realism: Real, [arcade, middle, simulation]: [Real; 3]) -> Real {
    let doubled = 2.0 * realism;
    if doubled <= 1.0 {
        arcade + doubled * (middle - arcade)
    } else {
        middle + (doubled - 1.0) * (simulation - middle)
    }
}

fn aids(realism: Real) -> AidsParams {
    let at = |values| between(realism, values);
    let strength = at([1.0, 1.0, 0.0]);
    AidsParams {
        anti_lock: Some(AntiLockParams { strength, ..AntiLockParams::default() }),
        traction: Some(TractionParams { strength, ..TractionParams::default() }),
        stability: Some(StabilityParams {
            strength,
            yaw_rate_tolerance: at([0.06, 0.18, 0.18]),
            slip_angle_tolerance: at([0.07, 0.21, 0.21]),
            ..StabilityParams::default()
        }),
        counter_steer: Some(CounterSteerParams {
            gain: at([1.0, 0.6, 0.0]),
            damping_time: at([0.2, 0.15, 0.0]),
            ..CounterSteerParams::default()
        }),
        hill_start: Some(HillStartParams::default()),
        hand_brake: Some(HandBrakeParams::default()),
        air_control: Some(AirControlParams {
            upright: at([1.0, 0.3, 0.0]),
            acceleration: at([3.0, 1.0, 0.0]),
            damping_rate: at([1.0, 0.3, 0.0]),
            ..AirControlParams::default()
        }),
        ..AidsParams::default()
    }
}

fn inputs(realism: Real, device: InputParams) -> InputParams {
    let steer_limit = device.steer_limit.filter(|_| realism < 1.0).map(|limit| {
        // The limit of a device is 1.1 of what tires can follow. The reciprocal falls to 0.
        let share = between(realism, [1.1, 1.0, 0.0]).recip();
        SteerLimitParams { lateral_acceleration: limit.lateral_acceleration * share, ..limit }
    });
    InputParams { steer_limit, ..device }
}

#[cfg(test)]
mod tests {
    use vehicle_core::Frame;
    use vehicle_core::blueprint::CarBlueprint;
    use vehicle_core::error::Validate;

    use super::*;
    use crate::engine::EngineParams;
    use crate::gearbox::GearboxParams;
    use crate::handling::Handling;
    use crate::inputs::{
        DriverInputs, GearAssistParams, GearChoice, RawInputs, SeenMotion, ShifterParams,
    };

    /// A keyboard for a car with a gearbox that does not shift by itself.
    fn keyboard(shifting: Shifting) -> InputParams {
        let mechanics = CarBlueprint::default().mechanics().expect("a car");
        let handling = Handling::of(&mechanics, &Frame::Y_UP).expect("it has wheels");
        let (engine, gearbox) = (EngineParams::default(), GearboxParams::default());
        let assist = GearAssistParams::of(&engine, &gearbox);
        let assist = (shifting == Shifting::Automatic).then_some(assist);
        let shifter = ShifterParams { assist, ..ShifterParams::of(&gearbox, shifting) };
        InputParams { shifter, ..InputParams::keyboard(Some(&handling)) }
    }

    /// Numbers that grow with the help.
    fn help(assistance: &Assistance) -> [Real; 9] {
        let AidsParams { anti_lock, traction, stability, counter_steer, air_control, .. } =
            assistance.aids;
        let stability = stability.unwrap_or(StabilityParams {
            strength: 0.0,
            yaw_rate_tolerance: 0.3,
            slip_angle_tolerance: 0.5,
            ..StabilityParams::default()
        });
        let counter = counter_steer.map_or([0.0; 2], |aid| [aid.gain, aid.damping_time]);
        let limit = assistance.inputs.steer_limit;
        [
            anti_lock.map_or(0.0, |aid| aid.strength),
            traction.map_or(0.0, |aid| aid.strength),
            stability.strength,
            -stability.yaw_rate_tolerance,
            -stability.slip_angle_tolerance,
            counter[0],
            counter[1],
            air_control.map_or(0.0, |aid| aid.upright),
            limit.map_or(0.0, |limit| limit.lateral_acceleration.recip()),
        ]
    }

    #[test]
    fn a_simulation_has_no_help_and_an_arcade_game_all_of_it() {
        let device = keyboard(Shifting::Sequential);
        let of = |realism| Assistance::of(realism, Shifting::Sequential, keyboard).unwrap();
        let simulation = of(1.0);
        assert_eq!(simulation.aids, AidsParams::default());
        assert_eq!(simulation.inputs.steer_limit, None);
        assert_eq!(simulation.inputs.shifter, device.shifter);
        let arcade = of(0.0);
        let limit = |inputs: &InputParams| inputs.steer_limit.unwrap().lateral_acceleration;
        assert!((1.1 * limit(&arcade.inputs) / limit(&device) - 1.0).abs() < 1e-6);
        let aids = arcade.aids;
        assert_eq!(aids.stability, Some(StabilityParams::default()));
        assert_eq!(aids.anti_lock, Some(AntiLockParams::default()));
        let middle = of(0.5);
        assert_eq!(middle.inputs.steer_limit, device.steer_limit);
        for helped in [arcade, middle] {
            assert_eq!(helped.inputs.shifter, keyboard(Shifting::Automatic).shifter);
            let mut inputs = DriverInputs::new(helped.inputs).unwrap();
            let seen = SeenMotion { engine_speed: Some(650.0), ..SeenMotion::default() };
            let update = |_| inputs.update(&RawInputs::default(), &seen, 0.5).unwrap().gear;
            let highest = (0..20).map(update).last();
            assert_eq!(highest, Some(GearChoice::Manual(6)), "gears are shifted");
        }
    }

    #[test]
    fn help_falls_all_the_way_and_every_mixture_is_valid() {
        let mut before = None;
        for step in 0..=100 {
            let realism = 0.01 * step as Real;
            let assistance = Assistance::of(realism, Shifting::Automatic, keyboard).unwrap();
            assistance.aids.validate().unwrap();
            DriverInputs::new(assistance.inputs).unwrap();
            let now = help(&assistance);
            if let Some(before) = before.replace(now) {
                let falls = now.iter().zip(before).all(|(now, before)| *now <= before + 1e-6);
                assert!(falls, "at {realism}: {now:?} after {before:?}");
            }
        }
    }

    #[test]
    fn realism_out_of_its_range_is_refused() {
        for realism in [-0.1, 1.1, Real::NAN] {
            let error = Assistance::of(realism, Shifting::Automatic, keyboard).unwrap_err();
            let expected = format!("realism must be within [0, 1], got {realism}");
            assert_eq!(error.to_string(), expected);
        }
    }
}
