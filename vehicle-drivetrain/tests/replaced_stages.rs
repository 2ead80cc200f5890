//! Any stage of the library takes the place of any other. The vehicle drives on as the stages that
//! are left say, or a checked step refuses the one that cannot work, and changes nothing.

mod common;

use std::ops::ControlFlow::{self, Continue};

use common::DT;
use common::engine::{automatic_car, legacy_suspension};
use vehicle_core::math::{Real, Vec3};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::sequence::{MissingComponent, UpdateError};
use vehicle_core::stages::{
    Aerodynamics, Brakes, ClearExternalForces, ConstraintRows, Ground, LegacyTire, RigidBody,
    RoadGeometry, Steering, SteeringFeedback, Suspension, Tire, WheelRotation,
};
use vehicle_core::vehicle::{HasMechanics, TreadContact};
use vehicle_core::{Component, ComponentSequence, Context, SimulationParams};
use vehicle_drivetrain::EngineDriveVehicle;
use vehicle_drivetrain::stages::{
    EngineActuation, EngineDrive, TorqueDistribution, TrackBrakes, Transmission,
};

type Stages = ComponentSequence<EngineDriveVehicle>;
type Replaced = Result<Stages, MissingComponent>;

/// The stages of a car in which each of the library's takes the place of `Old`.
fn in_the_place_of<Old: 'static>() -> Vec<(&'static str, Replaced)> {
    macro_rules! each {
        ($($stage:ident)+) => {
            vec![
                ("LegacySuspension", EngineDriveVehicle::sequence().replace::<Old>(legacy_suspension())),
                $((stringify!($stage), EngineDriveVehicle::sequence().replace::<Old>($stage)),)+
            ]
        };
    }
    each!(
        Brakes Steering Aerodynamics RoadGeometry Suspension Tire LegacyTire ConstraintRows SteeringFeedback RigidBody
        Ground WheelRotation ClearExternalForces TreadContact TorqueDistribution Transmission EngineActuation EngineDrive TrackBrakes
    )
}

/// A car that accelerates through a bend.
fn driven_car(has_mass: bool) -> EngineDriveVehicle {
    let mut car = automatic_car(has_mass);
    car.commands.throttle = 0.7;
    car.commands.steer = 0.2;
    car
}

/// Drives for a second; the stage that is refused, if one is.
fn drive(car: &mut EngineDriveVehicle, stages: &Stages) -> Option<&'static str> {
    let simulation = SimulationParams::default();
    let road = FlatRoad::new(&simulation.coordinates.frame);
    for _ in 0..60 {
        let before = car.state.clone();
        let context = Context::new(&simulation, &road);
        match stages.update_checked(car, DT, &context) {
            Ok(_) => {}
            Err(UpdateError::State(fault)) => {
                assert_eq!(car.state, before, "{}", fault.stage);
                return Some(fault.stage);
            }
            Err(error) => panic!("{error}"),
        }
    }
    None
}

fn try_in_the_place_of<Old: 'static>(old: &str) {
    for has_mass in [true, false] {
        let mut usual = driven_car(has_mass);
        assert_eq!(drive(&mut usual, &EngineDriveVehicle::sequence()), None);
        for (new, stages) in in_the_place_of::<Old>() {
            let mut car = driven_car(has_mass);
            let refused = drive(&mut car, &stages.expect("a stage of every car"));
            let carries_without_mass = has_mass && new == "LegacySuspension";
            let what = format!("{new} in the place of {old}, mass: {has_mass}");
            match refused {
                None => assert!(!carries_without_mass, "{what} is a suspension for other wheels"),
                Some(stage) => {
                    assert!(carries_without_mass && stage.contains(new), "{what}: {stage}");
                }
            }
            if new == old {
                assert_eq!(car.state, usual.state, "{what}");
            }
        }
    }
}

#[test]
fn every_stage_in_the_place_of_every_other_drives_on_or_is_refused() {
    macro_rules! each {
        ($($stage:ident)+) => {
            $(try_in_the_place_of::<$stage>(stringify!($stage));)+
        };
    }
    each!(
        Brakes Steering Aerodynamics RoadGeometry Suspension Tire ConstraintRows SteeringFeedback RigidBody Ground
        WheelRotation ClearExternalForces TorqueDistribution Transmission EngineActuation EngineDrive TrackBrakes
    );
}

/// Lifts the body a little.
fn lift(car: &mut EngineDriveVehicle, _: Real, _: &Context<'_>) -> ControlFlow<()> {
    car.mechanics().state.rigid_body.external_force += Vec3::Y * 400.0;
    Continue(())
}

/// Why `stages` are refused.
fn refusal(car: &mut EngineDriveVehicle, stages: &Stages) -> String {
    let simulation = SimulationParams::default();
    let road = FlatRoad::new(&simulation.coordinates.frame);
    let error = stages.update_checked(car, DT, &Context::new(&simulation, &road));
    error.expect_err("an unfit stage").to_string()
}

#[test]
fn a_force_that_is_added_in_each_substep_is_refused_by_the_name_of_its_stage() {
    let usual = EngineDriveVehicle::sequence;
    for has_mass in [true, false] {
        for within in [
            usual().insert_before::<Suspension>(lift),
            usual().insert_after::<Suspension>(lift),
            usual().insert_after::<RigidBody>(lift),
        ] {
            let (mut car, within) = (driven_car(has_mass), within.expect("a stage of every car"));
            let stage = drive(&mut car, &within).expect("a stage that is refused");
            assert!(stage.ends_with("lift"), "mass: {has_mass}: {stage}");
            let error = refusal(&mut car, &within);
            assert!(error.contains("after `Brakes`"), "mass: {has_mass}: {error}");
        }
        for before in
            [usual().insert_after::<Brakes>(lift), usual().insert_after::<RoadGeometry>(lift)]
        {
            let mut car = driven_car(has_mass);
            assert_eq!(drive(&mut car, &before.expect("a stage of every car")), None);
        }
        assert_eq!(drive(&mut driven_car(has_mass), &usual().then(lift)), None);
    }
}

/// A suspension with hydraulics, which push the body off one of its wheels.
fn hydraulics(car: &mut EngineDriveVehicle, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
    Suspension.update(car, dt, context)?;
    let view = car.mechanics().suspension();
    view.states.edit(1, |suspension| suspension.force.force += Vec3::Y * 400.0);
    Continue(())
}

#[test]
fn forces_of_suspensions_with_mass_are_not_to_be_changed() {
    let stages = EngineDriveVehicle::sequence().replace::<Suspension>(hydraulics);
    let stages = stages.expect("a stage of every car");
    let stage = drive(&mut driven_car(true), &stages).expect("a stage that is refused");
    assert!(stage.ends_with("hydraulics"), "{stage}");
    let error = refusal(&mut driven_car(true), &stages);
    assert!(error.contains("`ride: None`") && error.contains("external force"), "{error}");
    assert_eq!(drive(&mut driven_car(false), &stages), None);
}

#[test]
fn a_stage_that_leaves_what_is_no_number_is_named_with_that_number() {
    let spoil = |car: &mut EngineDriveVehicle, _: Real, _: &Context<'_>| {
        car.mechanics().state.tires.edit(2, |tire| tire.force.lateral_force = Real::NAN);
        Continue(())
    };
    let stages = EngineDriveVehicle::sequence().insert_after::<Tire>(spoil);
    let error = refusal(&mut driven_car(true), &stages.expect("a stage of every car"));
    let expected = "mechanics.tires[2].force.lateral_force is NaN";
    assert!(error.contains(expected), "{error}");
}
