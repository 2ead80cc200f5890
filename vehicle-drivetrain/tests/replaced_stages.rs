//! Any stage of the library takes the place of any other. The vehicle drives on as the stages that
//! are left say, or a checked step refuses the one that cannot work, and changes nothing.

mod common;

use common::DT;
use common::engine::{automatic_car, legacy_suspension};
use vehicle_core::road_geometry::FlatRoad;
use vehicle_core::sequence::{MissingComponent, UpdateError};
use vehicle_core::stages::{
    Aerodynamics, Brakes, ClearExternalForces, ConstraintRows, Ground, LegacyTire, RigidBody,
    RoadGeometry, Steering, SteeringFeedback, Suspension, Tire, WheelRotation,
};
use vehicle_core::vehicle::TreadContact;
use vehicle_core::{ComponentSequence, Context, SimulationParams};
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
