//! A step whose outcome is not finite is undone, with any number of wheels.

mod common;

use std::ops::ControlFlow::{self, Continue};

use common::engine::{EngineScene, automatic_car, legacy_suspension, long_tank, tank};
use common::{COAST, DT};
use vehicle_core::commands::Commands;
use vehicle_core::math::Real;
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::sequence::{Recoverable, StateFault, UpdateError};
use vehicle_core::stages::{Suspension, Tire};
use vehicle_core::suspension::SuspensionUpdate;
use vehicle_core::vehicle::HasMechanics;
use vehicle_core::{Component, ComponentSequence, Context, SimulationParams};
use vehicle_drivetrain::EngineDriveVehicle;

/// A part of one's own that fails at full throttle: the load of the last wheel is no number.
fn failing(vehicle: &mut EngineDriveVehicle, _dt: Real, _: &Context<'_>) -> ControlFlow<()> {
    if vehicle.commands.throttle == 1.0 {
        let forces = &mut vehicle.state.mechanics.suspensions;
        forces.edit(forces.len() - 1, |force| force.force.normal_load = Real::NAN);
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

/// The library's springs and dampers, as if wheels had no mass.
fn massless<V: HasMechanics>(vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
    vehicle.mechanics().suspension().update(dt, context);
    Continue(())
}

/// Wheels that hang, written one by one.
fn hanging<V: HasMechanics>(vehicle: &mut V, _: Real, context: &Context<'_>) -> ControlFlow<()> {
    let mut view = vehicle.mechanics().suspension();
    for wheel in 0..view.params.len() {
        view.write(wheel, &SuspensionUpdate::default(), context.frame());
    }
    Continue(())
}

/// The library's suspension and a look at what it has done.
fn observed<V: HasMechanics>(vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
    Suspension.update(vehicle, dt, context)?;
    let loads = vehicle.mechanics().suspension().states.iter().map(|state| state.force.normal_load);
    assert!(loads.sum::<Real>().is_finite());
    Continue(())
}

#[test]
fn a_suspension_without_mass_does_not_carry_wheels_with_mass() {
    let standard = EngineDriveVehicle::sequence;
    let missing = "a sequence with a suspension";
    for (sequence, name) in [
        (standard().replace::<Suspension>(massless).expect(missing), Some("massless")),
        (standard().replace::<Suspension>(hanging).expect(missing), Some("hanging")),
        (
            standard().replace::<Suspension>(legacy_suspension()).expect(missing),
            Some("LegacySuspension"),
        ),
        (standard().replace::<Suspension>(observed).expect(missing), None),
        (standard(), None),
    ] {
        for has_mass in [true, false] {
            let mut car = automatic_car(has_mass);
            let simulation = SimulationParams::default();
            let road = FlatRoad::new(&simulation.coordinates.frame);
            let context = Context::new(&simulation, &road);
            let before = format!("{:?}", car.state);
            let outcome = sequence.update_checked(&mut car, DT, &context);
            let Some(name) = name.filter(|_| has_mass) else {
                assert_eq!(outcome, Ok(Continue(())), "{name:?}, mass: {has_mass}");
                continue;
            };
            let error = outcome.expect_err(name);
            assert!(matches!(&error, UpdateError::State(fault) if fault.stage.contains(name)));
            let text = error.to_string();
            for part in [name, "had no mass", "ride: None", "with_massless_wheels"] {
                assert!(text.contains(part), "{part} is not in: {text}");
            }
            assert_eq!(format!("{:?}", car.state), before, "{name}");
        }
    }
}
