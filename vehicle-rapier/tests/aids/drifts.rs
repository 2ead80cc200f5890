//! Drifts that are entered by the hand brake and held.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{AidsParams, DriftParams, HandBrakeParams};
use vehicle_rapier::prelude::*;

use crate::scene::{Result, on_road, side_slip};

/// A drift of 20 s, of a driver who turns to the left and then holds throttle and steering.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    /// Part of the time in which the slip angle is within 15 and 50 degrees.
    share: Real,
    /// Largest slip angle (degrees).
    largest: Real,
    /// Mean radius of the way and speed in the last half.
    radius: Real,
    speed: Real,
}

fn drift(
    params: Option<DriftParams>,
    (pulled, kick, steer): (Real, Real, Real),
    throttle: Real,
    rate: Real,
) -> Result<Held> {
    let hand_brake = Some(HandBrakeParams::default());
    let aids = AidsParams { drift: params, hand_brake, ..AidsParams::default() };
    let (mut world, mut car) = on_road("drift_car", aids, [0.9; 2], 13.0, rate)?;
    let mut held = Held::default();
    let mut samples = 0.0;
    for step in 0..(20.0 * rate) as usize {
        let time = step as Real / rate;
        let commands = car.commands_mut();
        commands.steer = if time < 0.3 + pulled { kick } else { steer };
        commands.brakes[1] = if (0.3..0.3 + pulled).contains(&time) { 1.0 } else { 0.0 };
        commands.throttle = throttle;
        car.step(&mut world)?;
        let slip = side_slip(&car).abs().to_degrees();
        held.largest = held.largest.max(slip);
        if 2.0 < time {
            held.share += if (15.0..50.0).contains(&slip) { 1.0 } else { 0.0 };
            samples += 1.0;
        }
        if 10.0 < time {
            let speed = car.vehicle.body().linear_velocity.length();
            held.speed += speed / (10.0 * rate);
            held.radius +=
                speed / car.vehicle.body().angular_velocity.y.abs().max(0.01) / (10.0 * rate);
        }
    }
    held.share /= samples;
    Ok(held)
}

#[test]
fn a_drift_is_held_for_twenty_seconds_that_spins_without_help() -> Result {
    // A pull of the hand brake in a slight turn, then keys that are held.
    let entry = (0.15, 0.3, 0.3);
    let help = DriftParams {
        strength: 1.0,
        throttle_gain: 1.0,
        held_slip_angle: [0.55, 0.17],
        ..DriftParams::default()
    };
    let without = drift(None, entry, 0.3, 60.0)?;
    println!("without {without:?}");
    assert!(without.share < 0.5, "{without:?}");
    for rate in [30.0, 60.0, 120.0, 240.0] {
        let with = drift(Some(help), entry, 0.3, rate)?;
        println!("{rate} Hz: {with:?}");
        assert!(0.9 < with.share && with.largest < 50.0, "{rate} Hz: {with:?}");
    }
    Ok(())
}
