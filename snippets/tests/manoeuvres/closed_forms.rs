//! Figures of manoeuvres against closed forms of simple models.

use anyhow::Result;
use snippets::accuracy::{Check, closed_forms};
use snippets::measurements::Setting;
use snippets::measurements::theory::{Resistance, SingleTrack, slowed};
use vehicle_rapier::core::context::GRAVITY;

use closed_forms::Driven;

fn all_pass(checks: Vec<Check>) {
    assert!(!checks.is_empty());
    checks.iter().for_each(|check| println!("{check}"));
    for check in checks {
        assert!(check.passes(), "{check}");
    }
}

#[test]
fn understeer_roll_and_yaw_gain_are_those_of_linear_models() -> Result<()> {
    all_pass(closed_forms::small_angles()?);
    Ok(())
}

#[test]
fn understeer_at_a_fifth_of_gravity_is_that_of_its_tires() -> Result<()> {
    all_pass(closed_forms::at_a_fifth_of_gravity()?);
    Ok(())
}

#[test]
fn yaw_swings_out_as_in_a_linear_model_that_rolls() -> Result<()> {
    all_pass(closed_forms::yaw_modes()?.checks);
    Ok(())
}

#[test]
fn coast_down_is_that_of_rolling_resistance_bearings_and_air() -> Result<()> {
    all_pass(closed_forms::coast_down()?);
    Ok(())
}

#[test]
fn consumption_is_what_rolling_resistance_bearings_and_air_take() -> Result<()> {
    all_pass(closed_forms::consumption()?);
    Ok(())
}

/// Below the limit of its tires, a car stops as its brakes and what else resists say.
#[test]
fn stop_load_and_pitch_are_those_of_the_torques_of_the_brakes() -> Result<()> {
    all_pass(closed_forms::braking()?);
    Ok(())
}

#[test]
fn axles_carry_what_their_places_say() -> Result<()> {
    all_pass(closed_forms::axle_loads()?);
    Ok(())
}

#[test]
fn bodies_and_wheels_swing_at_their_natural_frequencies() -> Result<()> {
    all_pass(closed_forms::natural()?);
    Ok(())
}

#[test]
fn energy_and_momentum_are_conserved() -> Result<()> {
    all_pass(closed_forms::conserved()?);
    Ok(())
}

/// No stop is shorter than that of all tires at their limit, and the driver comes close to it.
#[test]
fn stops_are_not_shorter_than_friction_allows() -> Result<()> {
    for name in ["city_car", "hot_hatch", "sports_car", "electric_car"] {
        let way = Driven::of_ready("braking", name)?.figure("100 to 0 km/h")?;
        let resistance = Resistance::of(name)?;
        let mass = resistance.mass;
        // s = v²/2μg, with all that the air takes.
        let limit = f64::from(Setting::default().friction * GRAVITY) * mass;
        let [ideal, _] = slowed(mass, |speed| resistance.force(speed) + limit, [27.778, 0.0]);
        println!("{name}: {way:.1} m, ideal {ideal:.1} m");
        assert!(ideal < way && way < 1.25 * ideal, "{name}: {way} m, ideal {ideal} m");
    }
    Ok(())
}

/// The second-order system that yaw and side slip are has a phase that lags at low frequencies as
/// that of its linear model does.
#[test]
fn sweep_at_low_frequency_has_the_gain_of_the_slow_ramp() -> Result<()> {
    for name in ["city_car", "electric_car"] {
        let gain = Driven::of_ready("on_centre_weave", name)?.figure("yaw rate gain")?;
        let expected = SingleTrack::of(name)?.yaw_gain(27.778);
        println!("{name}: {gain:.3} 1/s, {expected:.3} 1/s");
        // Tires that slide a little give less: 7 % at 0.1 g.
        assert!((0.88..1.0).contains(&(gain / expected)), "{name}: {gain} 1/s, not {expected}");
    }
    Ok(())
}
