//! Forward and backward by two pedals: times, and the way that slopes take.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{AidsParams, HillStartParams};
use vehicle_rapier::drivetrain::inputs::{DriverInputs, InputParams, RawInputs, Shifting};

use crate::scene::{GRAVITY, Result, on_road};

const PRESETS: [&str; 5] = ["hot_hatch", "sports_car", "pick_up", "electric_car", "truck_6x6"];
/// Speed at which the other pedal is pressed (m/s): a truck goes backward no faster than 1.8.
const TURNING_SPEED: Real = 1.5;
/// Longest time that a way takes (s).
const LONGEST: Real = 20.0;

/// From one pedal to the other.
#[derive(Clone, Copy, Debug, Default)]
struct Leg {
    /// Changes of the direction.
    changes: u32,
    /// Time from the pedal until the vehicle stands (s).
    stopped: Real,
    /// Time from there to the speed of the next turn (s).
    driven: Real,
    /// How far it rolls the wrong way once it has stood (m).
    wrong: Real,
}

/// Forward from rest, where the hand brake has held it for a second, backward and forward again, by
/// full pedals, on a `grade`.
fn drive(preset: &str, aids: AidsParams, grade: Real, rate: Real) -> Result<[Leg; 3]> {
    let (mut world, mut car) = on_road(preset, aids, [1.0; 2], 0.0, rate)?;
    let angle = grade.atan();
    world.gravity = Vector::new(0.0, -angle.cos(), -angle.sin()) * GRAVITY;
    let params = car.vehicle.input_params(|_| InputParams::wheel(), Shifting::Automatic);
    let mut inputs = DriverInputs::new(params)?;
    for _ in 0..rate as usize {
        let parked = RawInputs { hand_brake: 1.0, ..RawInputs::default() };
        let driven = inputs.update(&parked, &car.seen_motion(), 1.0 / rate)?;
        car.drive_by(&driven);
        car.step(&mut world)?;
    }
    let mut legs = [Leg::default(); 3];
    for (leg, way) in legs.iter_mut().zip([1.0, -1.0, 1.0]) {
        let (mut time, mut stood): (Real, Option<(Real, Real)>) = (0.0, None);
        loop {
            let (forward, backward) = if 0.0 < way { (1.0, 0.0) } else { (0.0, 1.0) };
            let raw = RawInputs { forward, backward, ..RawInputs::default() };
            let before = inputs.state.direction.direction;
            let driven = inputs.update(&raw, &car.seen_motion(), 1.0 / rate)?;
            leg.changes += u32::from(inputs.state.direction.direction != before);
            car.drive_by(&driven);
            car.step(&mut world)?;
            time += 1.0 / rate;
            let (speed, place) =
                (way * car.forward_speed(), way * car.pose(&world.bodies)?.translation.z);
            if stood.is_none() && -0.05 < speed {
                stood = Some((time, place));
            }
            if let Some((_, at)) = stood {
                leg.wrong = leg.wrong.max(at - place);
            }
            if TURNING_SPEED <= speed {
                break;
            }
            if LONGEST < time {
                return Err(format!("{preset}, {grade}, {rate} Hz: {speed} m/s, {leg:?}").into());
            }
        }
        leg.stopped = stood.map_or(time, |(time, _)| time);
        leg.driven = time - leg.stopped;
    }
    Ok(legs)
}

#[test]
fn the_brake_becomes_reverse_and_back_once_and_after_as_much_time_at_any_rate() -> Result {
    for preset in PRESETS {
        let finest = drive(preset, AidsParams::default(), 0.0, 240.0)?;
        for rate in [30.0, 60.0] {
            let legs = drive(preset, AidsParams::default(), 0.0, rate)?;
            println!("{preset} {rate} Hz: {legs:?}\n at 240 Hz {finest:?}");
            assert_eq!(legs.map(|leg| leg.changes), [0, 1, 1], "{preset} {rate} Hz: {legs:?}");
            for (leg, fine) in legs.iter().zip(&finest) {
                // To the frame, and within a twentieth.
                let is_near =
                    |one: Real, other: Real| (one - other).abs() < 2.0 / rate + 0.05 * other;
                let is_alike =
                    is_near(leg.stopped, fine.stopped) && is_near(leg.driven, fine.driven);
                assert!(is_alike, "{preset} {rate} Hz: {leg:?}, {fine:?} at 240 Hz");
                assert!(leg.stopped < 1.5 && leg.wrong < 0.02, "{preset} {rate} Hz: {leg:?}");
            }
        }
    }
    Ok(())
}

#[test]
fn on_grades_a_change_of_direction_hardly_rolls_the_wrong_way() -> Result {
    let hill_start = Some(HillStartParams::default());
    let aids = AidsParams { hill_start, ..AidsParams::default() };
    for preset in PRESETS {
        for grade in [-0.2, 0.2] {
            let legs = drive(preset, aids, grade, 60.0)?;
            println!("{preset} on {grade}: {legs:?}");
            assert_eq!(legs.map(|leg| leg.changes), [0, 1, 1], "{preset} on {grade}: {legs:?}");
            let wrong = legs.iter().map(|leg| leg.wrong).fold(0.0, Real::max);
            assert!(wrong < 0.1, "{preset} on {grade}: {legs:?}");
        }
    }
    Ok(())
}

#[test]
fn a_held_brake_holds_presets_without_a_reverse_gear() -> Result {
    let grade: Real = 0.08;
    let angle = grade.atan();
    for preset in ["kart", "motorcycle"] {
        let (mut world, mut car) = on_road(preset, AidsParams::default(), [1.0; 2], 0.0, 60.0)?;
        world.gravity = Vector::new(0.0, -angle.cos(), -angle.sin()) * GRAVITY;
        let params = car.vehicle.input_params(|_| InputParams::wheel(), Shifting::Automatic);
        let mut inputs = DriverInputs::new(params)?;
        let start = car.pose(&world.bodies)?.translation.z;
        for _ in 0..120 {
            let raw = RawInputs { backward: 1.0, ..RawInputs::default() };
            let driven = inputs.update(&raw, &car.seen_motion(), 1.0 / 60.0)?;
            assert_eq!((driven.commands.throttle, driven.commands.brakes[0]), (0.0, 1.0));
            car.drive_by(&driven);
            car.step(&mut world)?;
        }
        let rolled = start - car.pose(&world.bodies)?.translation.z;
        assert!(rolled.abs() < 0.05, "{preset}: {rolled} m");
    }
    Ok(())
}

#[test]
fn a_tank_turns_without_throttle() -> Result {
    for (steer, side) in [(1.0, 1.0), (-1.0, -1.0)] {
        let (mut world, mut car) = on_road("tank", AidsParams::default(), [1.0; 2], 8.0, 60.0)?;
        let params = car.vehicle.input_params(|_| InputParams::wheel(), Shifting::Automatic);
        let mut inputs = DriverInputs::new(params)?;
        for _ in 0..120 {
            let raw = RawInputs { steer, ..RawInputs::default() };
            let driven = inputs.update(&raw, &car.seen_motion(), 1.0 / 60.0)?;
            car.drive_by(&driven);
            car.step(&mut world)?;
        }
        let ahead = car.pose(&world.bodies)?.rotation * Vector::Z;
        let turned = side * ahead.x.atan2(ahead.z).to_degrees();
        assert!(10.0 < turned, "steered by {steer}: {turned} degrees in 2 s");
    }
    Ok(())
}
