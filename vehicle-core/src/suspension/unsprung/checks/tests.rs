//! Faults of wheels with mass.

use super::*;
use crate::blueprint::CarBlueprint;
use crate::suspension::unsprung::laws::DamperLaw;
use crate::vehicle::MechanicalParams;

fn car() -> MechanicalParams {
    CarBlueprint::default().mechanics().unwrap().with_unsprung_masses(9.81)
}

/// Faults of a car whose wheel 2 is changed.
fn errors(change: impl FnOnce(&mut UnsprungParams)) -> String {
    let mut car = car();
    let SuspensionDynamics::Unsprung(wheels) = &mut car.suspension_dynamics else {
        unreachable!("the wheels have a mass");
    };
    change(&mut wheels[2]);
    car.validate().err().map_or_else(String::new, |errors| errors.to_string())
}

#[test]
fn usual_wheels_are_valid() {
    assert_eq!(errors(|_| ()), "");
    assert_eq!(errors(|wheel| wheel.strut.spring = vec![(0.0, 0.0), (0.1, 4e3), (0.2, 1e4)]), "");
}

#[test]
fn tires_whose_rims_would_throw_the_body_are_refused() {
    let mut car = car();
    car.wheels[3].radius = 1e5;
    let text = car.validate().expect_err("a fault").to_string();
    assert!(text.contains("wheels[3].radius must be at most"), "{text}");
    assert!(text.contains("where its rim pushes the body by 1e7"), "{text}");
}

#[test]
fn every_fault_names_its_wheel() {
    let path = "suspension_dynamics.unsprung[2]";
    for (text, message) in [
        (errors(|wheel| wheel.mass = -1.0), "mass must be positive"),
        (errors(|wheel| wheel.tire_stiffness = 0.0), "tire_stiffness must be positive"),
        (errors(|wheel| wheel.mass = 1e4), "mass must be so small that the body's mass"),
        (
            errors(|wheel| wheel.strut.spring = vec![(0.0, 0.0)]),
            "strut.spring must be of 2 to 8 points",
        ),
        (
            errors(|wheel| wheel.strut.spring = vec![(0.0, 0.0), (0.1, -1.0)]),
            "strut.spring[1].force must be finite and at least 0",
        ),
        (
            errors(|wheel| wheel.strut.damper = Some(DamperLaw::linear(-1.0))),
            "strut.damper.bump.rate must be finite and not negative",
        ),
    ] {
        assert!(text.contains(&format!("{path}.{message}")), "{text}");
    }
}

#[test]
fn wheels_are_near_their_body() {
    let mut car = car();
    car.suspensions[1].attachment.translation.x = 1e4;
    let errors = car.validate().unwrap_err().to_string();
    let message = "suspensions[1].attachment must be at most";
    assert!(errors.contains(message), "{errors}");
    assert!(!errors.contains("unsprung"), "{errors}");
}

#[test]
fn a_wheel_has_one_bar() {
    let mut car = car();
    let bar = |wheels| AntiRollBarParams::new(wheels, 1e4);
    car.anti_roll_bars = vec![bar([0, 1]), bar([1, 2])];
    let errors = car.validate().unwrap_err().to_string();
    assert!(errors.contains("anti_roll_bars[1].wheels must be those of no other bar"), "{errors}");
}
