//! A step whose outcome is not finite is undone, with any number of wheels.

mod common;

use std::ops::ControlFlow::{self, Continue};

use common::engine::{EngineScene, long_tank, tank};
use common::{COAST, DT};
use vehicle_core::commands::Commands;
use vehicle_core::math::Real;
use vehicle_core::sequence::{Recoverable, StateFault, UpdateError};
use vehicle_core::tire::Tire;
use vehicle_core::{ComponentSequence, Context};
use vehicle_drivetrain::EngineDriveVehicle;

/// A part of one's own that fails at full throttle: the load of the last wheel is no number.
fn failing(vehicle: &mut EngineDriveVehicle, _dt: Real, _: &Context<'_>) -> ControlFlow<()> {
    if vehicle.commands.throttle == 1.0 {
        let forces = &mut vehicle.state.mechanics.suspension_forces;
        forces.edit(forces.len() - 1, |force| force.normal_load = Real::NAN);
    }
    Continue(())
}

fn failing_sequence() -> ComponentSequence<EngineDriveVehicle> {
    EngineDriveVehicle::sequence().insert_before::<Tire>(failing).expect("a sequence with tires")
}

#[test]
fn a_step_that_fails_leaves_no_trace() {
    let drive = Commands { throttle: 0.6, steer: 0.1, ..COAST };
    let full = Commands { throttle: 1.0, ..drive };
    for mut scene in [EngineScene::at_rest(tank()), EngineScene::long(5, long_tank(5))] {
        scene.sequence = failing_sequence();
        let count = scene.vehicle.state.mechanics.wheels.len();
        scene.vehicle.commands = drive;
        (0..60).for_each(|_| scene.checked_step());
        let mut undisturbed = scene.vehicle.clone();
        for _ in 0..3 {
            let before = scene.printed();
            scene.vehicle.commands = full;
            let context = Context::new(&scene.simulation, &scene.road);
            let error = scene.sequence.update_checked(&mut scene.vehicle, DT, &context);
            let fault = |error: &UpdateError| match error {
                UpdateError::State(StateFault { stage, .. }) => stage.contains("failing"),
                _ => false,
            };
            assert!(error.as_ref().is_err_and(fault), "{count} wheels: {error:?}");
            assert_eq!(scene.printed(), before, "{count} wheels");
            scene.vehicle.commands = drive;
            scene.checked_step();
            let context = Context::new(&scene.simulation, &scene.road);
            let flow = scene.sequence.update(&mut undisturbed, DT, &context);
            assert_eq!(flow, Ok(Continue(())));
            assert_eq!(scene.printed(), format!("{:?}", undisturbed.state), "{count} wheels");
        }
    }
}

#[test]
fn vehicles_of_any_number_of_wheels_take_turns() {
    let mut scenes = [
        EngineScene::at_rest(tank()),
        EngineScene::long(5, long_tank(5)),
        EngineScene::long(3, long_tank(3)),
    ];
    let mut alone = scenes.each_ref().map(|scene| scene.vehicle.clone());
    for _ in 0..60 {
        for (scene, alone) in scenes.iter_mut().zip(&mut alone) {
            scene.vehicle.commands.throttle = 0.5;
            alone.commands.throttle = 0.5;
            scene.checked_step();
            let context = Context::new(&scene.simulation, &scene.road);
            assert_eq!(scene.sequence.update(alone, DT, &context), Ok(Continue(())));
            assert_eq!(scene.vehicle.state, alone.state);
        }
    }
}

#[test]
fn a_snapshot_is_written_over_one_of_another_vehicle() {
    let [car, long] =
        [EngineScene::at_rest(tank()), EngineScene::long(5, long_tank(5))].map(|mut scene| {
            scene.run(0.5, Commands { throttle: 0.5, ..COAST });
            scene.vehicle
        });
    for (from, to) in [(&car, &long), (&long, &car), (&long, &long)] {
        let mut snapshot = to.snapshot();
        from.snapshot_into(&mut snapshot);
        assert_eq!(snapshot, from.state);
    }
}
