//! Presets in slow bends: their substeps suffice where tires are stiff in time.

use std::error::Error;

use rapier3d::prelude::*;
use snippets::measurements::{ProvingGround, Setting};
use snippets::presets::driven;
use vehicle_rapier::RoadQueryShape;
use vehicle_rapier::drivetrain::blocks::Selector;

/// What a slow bend did to a vehicle.
#[derive(Clone, Copy, Debug)]
struct Bend {
    /// Angle that the front has turned (rad).
    turned: Real,
    /// Way that the body has gone (m).
    way: Real,
    /// Largest change of its yaw velocity within 1/30 s (rad/s), after the steering has settled.
    shake: Real,
}

/// Rolls into a bend at a speed (m/s), in neutral, with half of its lock, for 3 s.
fn roll_through(name: &str, rate: Real, substeps: Option<u32>, speed: Real) -> Result<Bend, Box<dyn Error>> {
    let setting =
        Setting { dt: 1.0 / rate, friction: 1.0, shape: RoadQueryShape::Ray, substeps };
    let mut ground = ProvingGround::rolling(name, &setting, speed)?;
    ground.train[0].select(Selector::Neutral);
    ground.drive(0.0, 0.0, 0.5);
    let mut bend = Bend { turned: 0.0, way: 0.0, shake: 0.0 };
    let mut before = ground.motion();
    let mut yaw_before = None;
    for frame in 0..90 {
        ground.steps_for(1.0 / 30.0)?;
        let now = ground.motion();
        let turned = before.forward.cross(now.forward).y.asin();
        bend.turned += turned;
        bend.way += (now.position - before.position).length();
        let yaw = turned * 30.0;
        if let Some(last) = yaw_before.filter(|_| 45 < frame) {
            bend.shake = bend.shake.max((yaw - last as Real).abs());
        }
        yaw_before = Some(yaw);
        before = now;
    }
    Ok(bend)
}

#[test]
fn presets_turn_slowly_as_at_a_small_step() {
    for name in driven() {
        for speed in [0.5, 1.5, 3.0, 4.5, 5.5] {
            let fine = roll_through(name, 480.0, Some(3), speed).unwrap();
            print!("{name:13} {speed:4}: {:7.4} rad {:6.3} m {:.4}", fine.turned, fine.way, fine.shake);
            for (rate, substeps) in [(60.0, None), (60.0, Some(3)), (60.0, Some(1)), (30.0, None)] {
                match roll_through(name, rate, substeps, speed) {
                    Ok(b) => print!(
                        " | {:+6.2}% {:+6.2}% {:.4}",
                        100.0 * (b.turned / fine.turned - 1.0),
                        100.0 * (b.way / fine.way - 1.0),
                        b.shake
                    ),
                    Err(e) => print!(" | {e}"),
                }
            }
            println!();
        }
    }
}
