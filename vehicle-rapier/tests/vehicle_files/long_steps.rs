//! Presets that are parked in long steps.

use std::error::Error;

use rapier3d::prelude::*;
use snippets::measurements::{ProvingGround, Setting};
use snippets::presets::driven;
use vehicle_rapier::RoadQueryShape;
use vehicle_rapier::core::diagnosis::FindingCode;
use vehicle_rapier::diagnose;

/// The road's slope that they park on (rad).
const SLOPE: Real = 10.0 * std::f32::consts::PI / 180.0;

/// Time in which they come to rest on their springs (s), and that in which they must not move (s).
/// A trailer of which most is above its springs sways for long.
const TIMES: [Real; 2] = [16.0, 4.0];

/// Times at which a train that sways is looked at (s): those of largest speed are 1.5 s apart.
const SWAYING: [Real; 2] = [5.0, 9.0];

/// How far a train moves on a plane after it has come to rest (m), and whether it is told that its
/// springs are too hard for its steps.
fn park(name: &str, setting: &Setting, turn: Rotation) -> Result<(Real, bool), Box<dyn Error>> {
    let mut ground = ProvingGround::with_plane(name, setting, turn)?;
    let findings = ground.train.iter().flat_map(|car| diagnose(car, setting.dt)).flatten();
    let is_told = findings
        .map(|finding| finding.code)
        .any(|code| matches!(code, FindingCode::RideUnstable | FindingCode::RideShakes));
    ground.steps_for(TIMES[0])?;
    let place = |ground: &ProvingGround| -> Vec<Vector> {
        (0..ground.train.len()).map(|index| ground.motion_of(index).position).collect()
    };
    let before = place(&ground);
    ground.steps_for(TIMES[1])?;
    let ways = place(&ground).into_iter().zip(before).map(|(now, then)| now.distance(then));
    Ok((ways.fold(0.0, Real::max), is_told))
}

/// All ways to stand on a slope: up, down, across.
fn planes() -> [Rotation; 3] {
    let [up, down] = [-SLOPE, SLOPE].map(Rotation::from_rotation_x);
    [up, down, Rotation::from_rotation_z(SLOPE)]
}

#[test]
fn presets_park_in_steps_however_long_they_are_or_say_why_not() {
    for name in driven() {
        for rate in [5.0, 10.0, 30.0] {
            // What one vehicle does to the other by the world's joint, it does once per frame.
            // Without the trailer on it, the tractor would be thrown off its wheels within 0.09 s,
            // a quarter of a period of its springs.
            if name == "semi_tractor" && rate < 11.0 {
                continue;
            }
            for shape in [RoadQueryShape::Ray, RoadQueryShape::Cylinder] {
                for substeps in [1, 3] {
                    let dt = rate.recip();
                    let setting = Setting { dt, friction: 1.1, shape, substeps: Some(substeps) };
                    for turn in planes() {
                        let case = format!("{name}, {setting:?}, {turn:?}");
                        let (way, is_told) = park(name, &setting, turn)
                            .unwrap_or_else(|error| panic!("{case}: {error}"));
                        assert!(way < 1e-3 || is_told, "{case}: moves by {way} m");
                        // Of those, only the motorcycle has wheels without mass.
                        assert!(!is_told || name == "motorcycle", "{case} is told");
                    }
                }
            }
        }
    }
}

/// The largest speed across the slope with which the trailer sways on its springs, between the
/// times of [`SWAYING`] (m/s).
fn sway(rate: Real) -> Result<Real, Box<dyn Error>> {
    let setting = Setting { dt: rate.recip(), ..Setting::default() };
    let turn = Rotation::from_rotation_z(SLOPE);
    let mut ground = ProvingGround::with_plane("semi_tractor", &setting, turn)?;
    ground.steps_for(SWAYING[0])?;
    let mut fastest: Real = 0.0;
    while ground.time < SWAYING[1] {
        ground.step()?;
        fastest = fastest.max((turn.inverse() * ground.motion_of(1).velocity).x.abs());
    }
    Ok(fastest)
}

#[test]
fn a_parked_trailer_sways_on_its_springs_as_in_short_steps() {
    let sway = |rate| sway(rate).unwrap_or_else(|error| panic!("{rate} Hz: {error}"));
    let fine = sway(480.0);
    for rate in [60.0, 120.0] {
        let part = sway(rate) / fine;
        assert!((0.9..1.1).contains(&part), "{rate} Hz: {part} of {fine} m/s");
    }
}
