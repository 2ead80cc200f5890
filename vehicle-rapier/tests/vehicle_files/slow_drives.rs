//! Presets in slow bends, where tires are stiff: few substeps do as well as many small steps.

use std::error::Error;

use rapier3d::prelude::*;
use snippets::measurements::{ProvingGround, Setting};
use snippets::presets::driven;
use vehicle_rapier::RoadQueryShape;
use vehicle_rapier::drivetrain::blocks::Selector;

/// Speeds at which vehicles roll into the bend (m/s).
const SPEEDS: [Real; 5] = [0.5, 1.5, 3.0, 4.5, 5.5];
/// Looks at the vehicle per second.
const LOOKS: usize = 30;
/// For how long it rolls (s).
const TIME: usize = 3;

/// What a slow bend did to a vehicle.
#[derive(Clone, Copy, Debug)]
struct Bend {
    /// Angle that the front has turned (rad).
    turned: Real,
    /// Way that the body has gone (m).
    way: Real,
}

/// Rolls into a bend at a `speed` (m/s), in neutral, with half of its lock.
fn roll_through(
    name: &str,
    (rate, substeps): (Real, Option<u32>),
    speed: Real,
) -> Result<Bend, Box<dyn Error>> {
    let setting = Setting { dt: 1.0 / rate, friction: 1.0, shape: RoadQueryShape::Ray, substeps };
    let mut ground = ProvingGround::rolling(name, &setting, speed)?;
    ground.train[0].select(Selector::Neutral);
    ground.drive(0.0, 0.0, 0.5);
    let mut bend = Bend { turned: 0.0, way: 0.0 };
    let mut before = ground.motion();
    for _ in 0..TIME * LOOKS {
        ground.steps_for(1.0 / LOOKS as Real)?;
        let now = ground.motion();
        bend.turned += before.forward.cross(now.forward).y.asin();
        bend.way += (now.position - before.position).length();
        before = now;
    }
    Ok(bend)
}

/// By how much the bend at 60 steps per second may differ from that at 480 steps of three substeps
/// (dimensionless).
fn bound(name: &str, speed: Real) -> Real {
    match name {
        // The joint to the trailer acts once per step.
        "semi_tractor" if speed < 1.0 => 0.2,
        "semi_tractor" => 0.055,
        // Two driven axles behind each other: they pull against each other.
        "truck_6x6" if speed < 2.0 => 0.11,
        // It almost stands at the end of its way.
        "rc_car" if speed < 1.0 => 0.07,
        "rc_car" => 0.012,
        // It leans into the bend, and is not there before the end.
        "motorcycle" => 0.015,
        _ => 0.006,
    }
}

#[test]
fn presets_turn_slowly_as_at_a_small_step() {
    for name in driven() {
        for speed in SPEEDS {
            let [fine, usual] = [(480.0, Some(3)), (60.0, None)].map(|steps| {
                roll_through(name, steps, speed)
                    .unwrap_or_else(|error| panic!("{name} at {speed} m/s, {steps:?}: {error}"))
            });
            let most = bound(name, speed);
            let differs = |usual: Real, fine: Real| (usual - fine).abs() > most * fine.abs();
            assert!(
                !differs(usual.turned, fine.turned) && !differs(usual.way, fine.way),
                "{name} at {speed} m/s: {usual:?}, not {fine:?} within {most}"
            );
            // Tracks do not steer, all else does.
            assert!(name == "tank" || 0.03 < fine.turned, "{name} at {speed} m/s: {fine:?}");
        }
    }
}
