//! Beam axles of a car: how its wheels stand, and what no axle can be.

use super::*;
use crate::Context;
use crate::SimulationParams;
use crate::Validate;
use crate::blueprint::{AxleKind, AxleRide, CarBlueprint};
use crate::frame::Frame;
use crate::road::FlatRoad;
use crate::suspension::unsprung::SuspensionDynamics;
use crate::vehicle::test_car::TestCar;
use crate::vehicle::{HasMechanics, MechanicalParams, SuspensionKind};

fn sheet(frame: Frame) -> CarBlueprint {
    let beam = AxleRide { axle: AxleKind::Beam, roll_steer: 0.2, ..AxleRide::default() };
    CarBlueprint { frame, ride: Some([AxleRide::default(), beam]), ..CarBlueprint::default() }
}

fn car() -> MechanicalParams {
    sheet(Frame::default()).mechanics().unwrap()
}

/// A car whose wheels have these `jounces` (m), as a step finds them.
fn standing(frame: Frame, jounces: [Real; 4], lost: Option<usize>) -> TestCar {
    let sheet = sheet(frame);
    let mut car = TestCar::new(sheet.mechanics().unwrap());
    for (wheel, jounce) in jounces.into_iter().enumerate() {
        car.state.suspensions.edit(wheel, |state| state.compression.jounce = Some(jounce));
    }
    if let Some(wheel) = lost {
        car.state.wheels.edit(wheel, |state| state.is_detached = true);
    }
    car.state.rigid_body.pose.translation = frame.vertical() * sheet.center_of_mass_height;
    let (world, road) = (SimulationParams::new(frame), FlatRoad::new(&frame));
    let context = Context::new(&world, &road);
    car.mechanics().road_geometry().update(&context);
    match car.mechanics().suspension_of_kind() {
        SuspensionKind::Unsprung(view) => view.update(0.001, &context),
        _ => panic!("the wheels have a mass"),
    }
    car
}

#[test]
fn wheels_of_a_beam_axle_stand_upright_on_it_and_steer_as_it_rolls() {
    for frame in Frame::all() {
        // Right, left: the body rolls to the right above its rear axle, by 0.04/1.55.
        let car = standing(frame, [0.15, 0.11, 0.15, 0.11], None);
        let roll = 0.04 / CarBlueprint::default().track_width;
        for wheel in 0..4 {
            let compliance = car.state.suspensions.of(wheel).compliance;
            let [camber, toe] = if wheel < 2 { [0.0; 2] } else { [-roll, 0.2 * roll] };
            assert!(
                (compliance.camber - camber).abs() < 1e-6,
                "{frame:?}, {wheel}: {compliance:?}"
            );
            assert!((compliance.toe - toe).abs() < 1e-6, "{frame:?}, {wheel}: {compliance:?}");
        }
        // The axle's line through both wheels is that of each wheel.
        let axle = car.state.suspensions.of(2).stance.axes.lateral;
        let rise = axle.dot(frame.vertical());
        assert!((rise - -roll).abs() < 1e-4, "{frame:?}: {rise}, {roll}");
    }
}

#[test]
fn an_axle_that_has_lost_a_wheel_does_not_lean_the_other() {
    let car = standing(Frame::default(), [0.1, 0.1, 0.15, 0.05], Some(2));
    assert_eq!(car.state.suspensions.of(3).compliance.camber, 0.0);
    assert_eq!(car.state.suspensions.of(2).force.normal_load, 0.0);
    assert!(car.state.suspensions.of(3).compression.jounce.unwrap().is_finite());
}

/// Faults of a car with one beam axle that is changed.
fn errors(change: impl FnOnce(&mut MechanicalParams)) -> String {
    let mut car = car();
    change(&mut car);
    car.validate().err().map_or_else(String::new, |errors| errors.to_string())
}

#[test]
fn every_fault_names_its_axle() {
    assert_eq!(errors(|_| ()), "");
    for (text, message) in [
        (
            errors(|it| it.beam_axles[0].wheels[1] = 9),
            "beam_axles[0].wheels[1] must be a wheel below 4",
        ),
        (errors(|it| it.beam_axles[0].wheels[1] = 2), "wheels must be two different wheels"),
        (
            errors(|it| it.beam_axles[0].roll_inertia = 0.0),
            "beam_axles[0].roll_inertia must be positive",
        ),
        (
            errors(|it| it.beam_axles[0].roll_inertia = 0.1),
            "beam_axles[0].roll_inertia must be within",
        ),
        (
            errors(|it| it.beam_axles[0].roll_inertia = 9e3),
            "beam_axles[0].roll_inertia must be within",
        ),
        (
            errors(|it| it.beam_axles[0].spring_track = 4.0),
            "beam_axles[0].spring_track must be within",
        ),
        (errors(|it| it.beam_axles[0].spring_track = Real::NAN), "spring_track must be positive"),
        (
            errors(|it| it.beam_axles[0].roll_center_height = 1.0),
            "beam_axles[0].roll_center_height must be within",
        ),
        (errors(|it| it.beam_axles[0].roll_steer = 3.0), "beam_axles[0].roll_steer must be within"),
        (
            errors(|it| it.beam_axles.push(it.beam_axles[0])),
            "beam_axles[1].wheels must be those of no other beam axle",
        ),
        (
            errors(|it| it.anti_roll_bars[1].wheels = [1, 2]),
            "beam_axles[0].wheels must be those that their anti-roll bar joins",
        ),
        (
            errors(|it| it.suspension_dynamics = SuspensionDynamics::Massless),
            "beam_axles must be none: a beam axle is for wheels with mass",
        ),
        (
            errors(|it| {
                let SuspensionDynamics::Unsprung(wheels) = &mut it.suspension_dynamics else {
                    return;
                };
                wheels[3].path_slope[1] = 0.1;
            }),
            "0 for wheel 3 of a beam axle, which says its roll center itself, got 0.1",
        ),
        (
            errors(|it| {
                let axle = &mut it.beam_axles[0];
                axle.roll_inertia *= 3.0;
                it.rigid_body.inertia = it.rigid_body.inertia.with_z(150.0);
            }),
            "beam_axles[0].roll_inertia must be so small that the body has a roll inertia",
        ),
    ] {
        assert!(text.contains(message), "{message}: {text}");
    }
}

#[test]
fn a_vehicle_on_wheels_without_mass_has_no_beam_axles() {
    let light = car().with_massless_wheels(9.81);
    assert!(light.beam_axles.is_empty());
    light.validate().unwrap();
}
