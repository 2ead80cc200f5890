//! The hand brake frees clutch and center.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{AidsParams, HandBrakeParams};

use crate::scene::{Result, heading, on_road};

/// Angle that a car turns by in a second and a half with the hand brake pulled (degrees).
fn turned(preset: &str, hand_brake: Option<HandBrakeParams>, rate: Real) -> Result<Real> {
    let aids = AidsParams { hand_brake, ..AidsParams::default() };
    let (mut world, mut car) = on_road(preset, aids, [0.7; 2], 16.0, rate)?;
    let (mut turned, mut before): (Real, Real) = (0.0, heading(&car));
    for step in 0..(2.5 * rate) as usize {
        let time = step as Real / rate;
        let commands = car.commands_mut();
        commands.steer = 0.8;
        commands.brakes[1] = if 0.2 < time { 1.0 } else { 0.0 };
        car.step(&mut world)?;
        let now = heading(&car);
        let change = (now - before + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU)
            - std::f32::consts::PI;
        (turned, before) = (turned + change, now);
    }
    Ok(turned.abs().to_degrees())
}

#[test]
fn a_pulled_hand_brake_turns_any_car() -> Result {
    for preset in ["rally_car", "hot_hatch", "sports_car", "gt", "pick_up", "drift_car"] {
        let without = turned(preset, None, 60.0)?;
        let center = HandBrakeParams { frees_center: false, ..HandBrakeParams::default() };
        let (clutch, with) = (
            turned(preset, Some(center), 60.0)?,
            turned(preset, Some(HandBrakeParams::default()), 60.0)?,
        );
        let finest = turned(preset, Some(HandBrakeParams::default()), 240.0)?;
        println!("{preset}: {without} without, clutch {clutch}, both {with}, 240 Hz {finest}");
        let held = if preset == "rally_car" { clutch < 60.0 } else { 120.0 < clutch };
        assert!(held, "{preset}: {clutch} degrees with an open clutch alone");
        assert!(120.0 < with, "{preset}: {with} degrees");
        assert!((with / finest - 1.0).abs() < 0.05, "{preset}: {with}, {finest} at 240 Hz");
    }
    Ok(())
}
