//! What data sheets say about the ride of their axles.

use super::*;
use crate::blueprint::{AxleBlueprint, CarBlueprint, VehicleBlueprint};
use crate::context::GRAVITY;
use crate::mount::WheelParams;
use crate::suspension::unsprung::{SuspensionDynamics, UnsprungParams};
use crate::tire_code::TireCode;
use crate::vehicle::MechanicalParams;

fn sheet() -> CarBlueprint {
    let ride = AxleRide { tire_stiffness: Some(220e3), ..AxleRide::default() };
    let rear = AxleRide { unsprung_mass: Some(36.0), roll_center_height: Some(0.1), ..ride };
    CarBlueprint { ride: Some([ride, rear]), ..CarBlueprint::default() }
}

fn wheels(params: &MechanicalParams) -> &[UnsprungParams] {
    match &params.suspension_dynamics {
        SuspensionDynamics::Unsprung(wheels) => wheels,
        _ => panic!("the wheels have a mass"),
    }
}

#[test]
fn springs_carry_what_is_sprung_and_dampers_have_two_sides() {
    let sheet = sheet();
    let params = sheet.mechanics().unwrap();
    for (wheel, unsprung) in wheels(&params).iter().enumerate() {
        let spring = &params.suspension_forces[wheel];
        let mass = sheet.axles()[wheel / 2].unsprung_mass();
        let load = (spring.sprung_mass - mass) * GRAVITY;
        assert!((spring.stiffness * sheet.rest_jounce() / load - 1.0).abs() < 1e-4, "{load}");
        let damper = unsprung.strut.damper.unwrap();
        assert!((damper.bump.rate / damper.rebound.rate - 0.5).abs() < 1e-5);
        let mean = 0.5 * (damper.bump.rate + damper.rebound.rate);
        assert!((mean / spring.damping - 1.0).abs() < 1e-5, "{mean}");
        assert_eq!((unsprung.mass, unsprung.path_slope[0]), (mass, 0.0));
    }
    // Right, left: the contact goes inward as the wheel drops.
    let slopes = [0, 1].map(|wheel| wheels(&params)[wheel].path_slope[1]);
    let height = 0.15 * sheet.wheel.radius;
    assert!((slopes[0] - 2.0 * height / sheet.track_width).abs() < 1e-6, "{slopes:?}");
    assert_eq!(slopes[0], -slopes[1]);
}

#[test]
fn full_anti_dive_leaves_no_load_to_the_springs() {
    // Front: the brake force p M a tilts by h / (p L): M a h / L, all of the load transfer.
    let ride = AxleRide { anti_dive: 1.0, ..AxleRide::default() };
    let sheet = CarBlueprint { ride: Some([ride; 2]), ..CarBlueprint::default() };
    let params = sheet.mechanics().unwrap();
    let [front, rear] = [0, 2].map(|wheel| wheels(&params)[wheel].path_slope[0]);
    let share = sheet.brake_torques[0] / (sheet.brake_torques[0] + sheet.brake_torques[1]);
    let transfer = sheet.center_of_mass_height / sheet.wheel_base;
    assert!((front * share + transfer).abs() < 1e-5, "{front}");
    assert!((rear * (1.0 - share) - transfer).abs() < 1e-5, "{rear}");
}

#[test]
fn every_fault_is_named() {
    let faults = |change: fn(&mut AxleRide)| {
        let mut ride = [AxleRide::default(); 2];
        change(&mut ride[1]);
        let sheet = CarBlueprint { ride: Some(ride), ..CarBlueprint::default() };
        sheet.mechanics().unwrap_err().to_string()
    };
    for (text, expected) in [
        (faults(|it| it.unsprung_mass = Some(0.0)), "ride[1].unsprung_mass must be positive"),
        (faults(|it| it.unsprung_mass = Some(300.0)), "ride[1].unsprung_mass must be below half"),
        (faults(|it| it.tire_stiffness = Some(-1.0)), "ride[1].tire_stiffness must be positive"),
        (faults(|it| it.bump_by_rebound = 0.0), "ride[1].bump_by_rebound must be positive"),
        (faults(|it| it.bump_stop_length = Some(1.0)), "ride[1].bump_stop_length must be"),
        (faults(|it| it.roll_center_height = Some(2.0)), "ride[1].roll_center_height must be"),
        (faults(|it| it.anti_dive = 1.1), "ride[1].anti_dive must be"),
    ] {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn all_axles_of_a_vehicle_have_a_ride_or_none_has() {
    let mut sheet: VehicleBlueprint = sheet().of_axles();
    assert_eq!(wheels(&sheet.mechanics().unwrap()).len(), 4);
    sheet.axles[1].ride = None;
    let text = sheet.mechanics().unwrap_err().to_string();
    assert!(text.contains("axles[1].ride must be given as that of axle 0"), "{text}");
    sheet.axles[0].ride = None;
    let params = sheet.mechanics().unwrap();
    assert_eq!(params.suspension_dynamics, SuspensionDynamics::Massless);
    sheet.axles[0].ride = Some(AxleRide { anti_dive: 2.0, ..AxleRide::default() });
    let text = sheet.mechanics().unwrap_err().to_string();
    assert!(text.contains("axles[0].ride.anti_dive must be"), "{text}");
}

#[test]
fn vehicles_of_any_size_have_usual_wheels() {
    // Load (kg), radius and mass of a wheel (m, kg): of a toy, a kart, a car and a truck.
    for (load, radius, mass) in
        [(0.69, 0.0315, 0.038), (75.0, 0.127, 2.2), (800.0, 0.33, 20.0), (8_000.0, 0.61, 160.0)]
    {
        let inertia = 0.7 * mass * radius * radius;
        let damping_rate = 0.03 * inertia;
        let half_width = 0.4 * radius;
        let usual = WheelParams::default();
        let wheel = WheelParams { radius, half_width, mass, inertia, damping_rate, ..usual };
        let axle = |position| AxleBlueprint {
            wheel,
            ride: Some(AxleRide::default()),
            ..AxleBlueprint::new(position, 4.0 * radius, load, 0.1 * load)
        };
        let size = [10.0 * radius, 5.0 * radius, 3.0 * radius];
        let sheet = VehicleBlueprint::new(size, 1.5 * radius, [axle(0.0), axle(8.0 * radius)]);
        let params = sheet.mechanics().unwrap();
        for wheel in wheels(&params) {
            assert_eq!(wheel.mass, (2.0 * mass).min(0.2 * load));
            let sinking = 0.5 * load * GRAVITY / wheel.tire_stiffness;
            assert!((sinking / radius - 0.055).abs() < 1e-4, "{sinking} m of {radius} m");
        }
    }
}

/// Tires as they are inflated for the load of their wheel: pressure (Pa) and load (kg).
const TIRES: [(&str, Real, Real); 4] = [
    ("175/65R14", 200e3, 296.0),
    ("205/55R16", 220e3, 412.5),
    ("265/65R17", 300e3, 800.0),
    ("315/80R22.5", 850e3, 3_550.0),
];

#[test]
fn tires_made_for_their_load_are_as_stiff_as_their_size_says() {
    for (code, pressure, load) in TIRES {
        let code: TireCode = code.parse().unwrap();
        let load = 2.0 * load;
        let axle = AxleBlueprint { wheel: code.wheel(), ..AxleBlueprint::new(0.0, 1.5, load, 1e3) };
        let (usual, of_size) = (axle.tire_stiffness(), code.radial_stiffness(pressure));
        assert!((usual / of_size - 1.0).abs() < 0.05, "{code}: {usual}, {of_size} N/m");
    }
}

#[test]
fn twin_wheels_count_twice() {
    let ride = AxleRide { tire_stiffness: Some(900e3), ..AxleRide::default() };
    let front = AxleBlueprint { ride: Some(ride), ..AxleBlueprint::new(0.0, 2.05, 7_000.0, 15e3) };
    let single = AxleBlueprint { position: 4.0, load: 10_000.0, ..front.clone() };
    let of = |rear: AxleBlueprint| {
        let sheet = VehicleBlueprint::new([6.0, 2.5, 2.5], 1.0, [front.clone(), rear]);
        sheet.mechanics().unwrap()
    };
    let (one, two) = (of(single.clone()), of(AxleBlueprint { twin_wheels: true, ..single }));
    let (wheel, twin) = (one.wheels[2], two.wheels[2]);
    assert_eq!(twin.mass, 2.0 * wheel.mass);
    assert_eq!(twin.inertia, 2.0 * wheel.inertia);
    assert_eq!(twin.half_width, 2.0 * wheel.half_width);
    assert_eq!(twin.radius, wheel.radius);
    let (wheel, twin) = (&wheels(&one)[2], &wheels(&two)[2]);
    assert_eq!(twin.mass, 2.0 * wheel.mass);
    assert_eq!(twin.tire_stiffness, 2.0 * wheel.tire_stiffness);
    // They carry what one wheel would, each half of it: a tire's answer is as its load.
    assert_eq!(one.tires, two.tires);
    assert_eq!(one.suspension_forces[2].sprung_mass, two.suspension_forces[2].sprung_mass);
    // Under the same load they give way by half as much, so they are mounted higher.
    let sinking = 5_000.0 * GRAVITY / 900e3;
    let height = |params: &MechanicalParams| params.suspensions[2].attachment.translation.y;
    let raised = height(&two) - height(&one);
    assert!((raised - 0.5 * sinking).abs() < 1e-5, "{raised} m of {sinking} m");
    assert_eq!((&one.wheels[..2], &wheels(&one)[..2]), (&two.wheels[..2], &wheels(&two)[..2]));
}
