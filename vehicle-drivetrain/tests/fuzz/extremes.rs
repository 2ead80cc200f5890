//! Numbers of any magnitude in every parameter: refused by name, or driven with.

use vehicle_core::Context;
use vehicle_core::context::GRAVITY;
use vehicle_core::sequence::UpdateError;
use vehicle_drivetrain::DirectDriveParams;

use crate::common::DT;
use crate::tree::Tree;
use crate::{CAR, going_car};

/// Steps in a second.
const STEPS: usize = 60;

/// Numbers that no car has.
const EXTREMES: [f32; 13] =
    [1e-40, 1e-30, 1e-12, 1e-11, 1e-6, 1e-3, 1e5, 1e6, 1e9, 1e11, 1e12, 1e13, f32::MAX];

/// Drives for a second, from 10 m/s through a bend, with `params`.
fn drive(params: DirectDriveParams) -> Result<(), UpdateError> {
    let mut drive = going_car(false);
    if drive.vehicle.set_params(params).is_err() {
        return Ok(());
    }
    for _ in 0..STEPS {
        let context = Context::new(&drive.simulation, &drive.road);
        let _flow = drive.sequence.update_checked(&mut drive.vehicle, DT, &context)?;
    }
    Ok(())
}

#[test]
fn no_accepted_parameter_makes_a_later_step_fail() {
    let massless = DirectDriveParams {
        mechanics: CAR.mechanics.clone().with_massless_wheels(GRAVITY),
        ..CAR.clone()
    };
    for car in [&CAR, &massless] {
        let failures = failures_of(car);
        assert!(failures.is_empty(), "{}:\n{}", failures.len(), failures.join("\n"));
    }
}

/// What cannot be driven of those that differ from `car` in one number.
fn failures_of(car: &DirectDriveParams) -> Vec<String> {
    let mut tree = Tree::of(car);
    let count = tree.floats().len();
    let mut failures = Vec::new();
    for index in 0..count {
        for extreme in EXTREMES.into_iter().flat_map(|extreme| [extreme, -extreme]) {
            let (path, number) = tree.floats().swap_remove(index);
            // Forces of the air are those of the start of a step: how much of them, and how long a
            // lever, is too much depends on the speed.
            let of_air = ["area", "air_density", "drag_point", "downforces"];
            if of_air.iter().any(|part| path.contains(part)) {
                continue;
            }
            let usual = std::mem::replace(number, extreme);
            if let Ok(params) = tree.read::<DirectDriveParams>()
                && let Err(error) = drive(params)
            {
                failures.push(format!("{path} = {extreme:e}: {error}"));
            }
            *tree.floats().swap_remove(index).1 = usual;
        }
    }
    failures
}
