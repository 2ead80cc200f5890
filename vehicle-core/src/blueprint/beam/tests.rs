//! What data sheets say about rigid axles.

use super::*;
use crate::blueprint::{CarBlueprint, VehicleBlueprint};
use crate::mount::WheelParams;
use crate::suspension::unsprung::SuspensionDynamics;
use crate::vehicle::MechanicalParams;

fn beam() -> AxleRide {
    AxleRide { axle: AxleKind::Beam, ..AxleRide::default() }
}

fn car(rear: AxleRide) -> CarBlueprint {
    CarBlueprint { ride: Some([AxleRide::default(), rear]), ..CarBlueprint::default() }
}

fn truck() -> MechanicalParams {
    let wheel = WheelParams {
        radius: 0.5,
        half_width: 0.15,
        mass: 100.0,
        inertia: 13.0,
        ..WheelParams::default()
    };
    let axle = |position, load| AxleBlueprint {
        wheel,
        ride: Some(beam()),
        ..AxleBlueprint::new(position, 1.85, load, 15e3)
    };
    let rear = AxleBlueprint { twin_wheels: true, ..axle(4.0, 11_000.0) };
    VehicleBlueprint::new([6.0, 2.5, 2.5], 1.0, [axle(0.0, 7_000.0), rear]).mechanics().unwrap()
}

#[test]
fn usual_axles_are_wheels_and_a_rod() {
    let params = truck();
    let SuspensionDynamics::Unsprung(wheels) = &params.suspension_dynamics else {
        panic!("the wheels have a mass");
    };
    for (index, count) in [1.0, 2.0].into_iter().enumerate() {
        let axle = params.beam_axles[index];
        assert_eq!(axle.wheels, [2 * index, 2 * index + 1]);
        let (tires, mass) = (count * 100.0, wheels[2 * index].mass);
        assert_eq!(mass, 3.0 * tires);
        // Two wheels at half of the track, and a rod of twice their mass on each side.
        let square: Real = 1.85 * 1.85;
        let expected = 2.0 * tires * square / 4.0 + 13.0 * count + 4.0 * tires * square / 12.0;
        assert!((axle.roll_inertia / expected - 1.0).abs() < 1e-5, "{axle:?}, {expected} kg·m²");
        assert!((axle.spring_track - 0.7 * 1.85).abs() < 1e-6, "{axle:?}");
        assert_eq!(axle.damper_track, 1.85);
        assert_eq!((axle.roll_center_height, axle.roll_steer), (0.5, 0.0));
        // The axle says the roll center: its wheels have no slopes.
        assert_eq!(wheels[2 * index].path_slope, [0.0; 2]);
    }
}

#[test]
fn what_is_said_of_an_axle_is_taken() {
    let ride = AxleRide {
        unsprung_mass: Some(80.0),
        roll_inertia: Some(60.0),
        spring_track: Some(1.1),
        damper_track: Some(1.2),
        roll_center_height: Some(0.4),
        roll_steer: 0.05,
        ..beam()
    };
    let params = car(ride).mechanics().unwrap();
    let expected = BeamAxleParams {
        damper_track: 1.2,
        roll_center_height: 0.4,
        roll_steer: 0.05,
        ..BeamAxleParams::new([2, 3], 60.0, 1.1)
    };
    assert_eq!(params.beam_axles, [expected]);
    let text = serde_json::to_string(&beam()).unwrap();
    assert!(text.contains("\"axle\":\"beam\""), "{text}");
    let read: AxleRide = serde_json::from_str("{\"axle\": \"beam\"}").unwrap();
    assert_eq!(read, beam());
}

#[test]
fn bars_make_a_car_on_a_beam_axle_roll_as_asked() {
    let sheet = car(AxleRide { spring_track: Some(1.1), ..beam() });
    let rolling = sheet.clone().with_roll_gradient(3.5, 0.6).unwrap();
    assert!((rolling.roll_gradient() - 3.5).abs() < 1e-3, "{}", rolling.roll_gradient());
    // Springs further inside need more of the bar: half of k (1 - s²) for the same stiffness.
    let wide = car(AxleRide { spring_track: Some(1.55), ..beam() });
    let wide = wide.with_roll_gradient(3.5, 0.6).unwrap();
    let ratio: Real = 1.1 / 1.55;
    let spring = sheet.mechanics().unwrap().suspension_forces[2].stiffness;
    let expected = 0.5 * spring * (1.0 - ratio * ratio);
    let found = rolling.anti_roll_stiffness[1] - wide.anti_roll_stiffness[1];
    assert!((found / expected - 1.0).abs() < 1e-3, "{found}, {expected} N/m");
}

#[test]
fn every_fault_is_named() {
    let faults = |ride: AxleRide| car(ride).mechanics().unwrap_err().to_string();
    let independent = AxleRide::default();
    for (text, expected) in [
        (
            faults(AxleRide { roll_inertia: Some(60.0), ..independent }),
            "ride[1].roll_inertia must be left out where `axle` is not \"beam\", got 60",
        ),
        (
            faults(AxleRide { spring_track: Some(1.0), ..independent }),
            "ride[1].spring_track must be left out",
        ),
        (
            faults(AxleRide { roll_steer: 0.1, ..independent }),
            "ride[1].roll_steer must be left out",
        ),
        (
            faults(AxleRide { roll_inertia: Some(-1.0), ..beam() }),
            "ride[1].roll_inertia must be positive",
        ),
        (
            faults(AxleRide { spring_track: Some(1_100.0), ..beam() }),
            "(m) for this track, got 1100: in millimeters?",
        ),
        (faults(AxleRide { roll_steer: 2.0, ..beam() }), "ride[1].roll_steer must be"),
        (
            faults(AxleRide { roll_inertia: Some(1e4), ..beam() }),
            "beam_axles[0].roll_inertia must be within",
        ),
    ] {
        assert!(text.contains(expected), "{text}");
    }
    let single = AxleBlueprint { ride: Some(beam()), ..AxleBlueprint::new(2.0, 0.0, 500.0, 1e3) };
    let front = AxleBlueprint::new(0.0, 1.5, 700.0, 1e3);
    let sheet = VehicleBlueprint::new([3.0, 1.5, 1.2], 0.5, [front, single]);
    let text = sheet.mechanics().unwrap_err().to_string();
    let expected = "axles[1].ride.axle must be independent for a single wheel, got beam";
    assert!(text.contains(expected), "{text}");
}
