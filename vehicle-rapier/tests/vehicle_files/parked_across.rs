//! Presets that are parked across slopes: friction holds them, whatever the step and however soft their tires are.

use std::f32::consts::FRAC_PI_2;
use std::path::Path;

use rapier3d::prelude::*;
use snippets::presets;
use vehicle_rapier::Detail;
use vehicle_rapier::core::tire::models::AnyTire;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::vehicle_file::{AnyDrive, AnyRapierVehicle, AnyVehicle, MechanicsSource};

/// Friction of the road (dimensionless).
const FRICTION: Real = 0.7;
/// Gravity, by which vehicles stand on their springs (m/s²).
const GRAVITY: Real = 9.81;
/// How a vehicle stands: its front uphill, and across.
const HEADINGS: [Real; 2] = [0.0, FRAC_PI_2];

/// The preset `name` on tires whose lateral stiffness is this part of its own.
fn on_soft_tires(name: &str, part: Real) -> AnyVehicle {
    let preset = presets::vehicle(name).expect("a preset");
    let mut file = preset.insert(&mut PhysicsWorld::new(), Pose::IDENTITY).to_file();
    let MechanicsSource::Parameters(mechanics) = &mut file.mechanics else {
        panic!("{name} has parameters");
    };
    for tire in &mut mechanics.tires {
        let AnyTire::Brush(tire) = tire else { panic!("{name} is on brush tires") };
        tire.lateral_stiffness *= part;
    }
    AnyVehicle::new(file, Path::new("")).expect("a vehicle")
}

/// Largest slope that the least of the tires holds (rad).
fn holding_slope(vehicle: &AnyVehicle) -> Real {
    let tires = vehicle.mechanics().tires.iter().filter_map(|tire| match tire {
        AnyTire::Brush(tire) => Some(tire.friction_vs_slip[0].1),
        _ => None,
    });
    (FRICTION * tires.fold(Real::INFINITY, Real::min)).atan()
}

fn set_substeps(car: &mut AnyRapierVehicle, most: u32) {
    let detail = Detail { max_substeps: most, ..Detail::FULL };
    match &mut car.drive {
        AnyDrive::Direct(car) => car.detail = detail,
        AnyDrive::Engine(car) => car.detail = detail,
        AnyDrive::Motorcycle(car) => car.detail = detail,
        AnyDrive::Tank(car) => car.detail = detail,
        AnyDrive::Blocks(car) => car.detail = detail,
        _ => panic!("a drive that is not known here"),
    }
}

/// How far `vehicle` moves within a second on its brakes on a `slope` (rad), after it has stood there for `settling` (s).
fn moved(
    vehicle: &AnyVehicle,
    (slope, heading): (Real, Real),
    (rate, substeps): (Real, u32),
    settling: Real,
) -> Real {
    let axis = Vector::new(-heading.cos(), 0.0, heading.sin());
    let turn = Rotation::from_axis_angle(axis, slope);
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    let ground = ColliderBuilder::new(SharedShape::halfspace(turn * Vector::Y));
    world.insert_collider(ground.friction(FRICTION), None);
    world.detect_collisions(&(), &());
    let height = Vector::Y * vehicle.standing_height(GRAVITY);
    let mut car = vehicle.insert(&mut world, Pose::from_parts(turn * height, turn));
    set_substeps(&mut car, substeps);
    car.select(Selector::Neutral);
    car.commands_mut().brakes[0] = 1.0;
    let mut drive = |seconds: Real| {
        for _ in 0..(seconds * rate).round() as usize {
            car.step(&mut world).expect("it can be driven");
        }
        world.bodies[car.body()].translation()
    };
    drive(settling).distance(drive(1.0))
}

#[test]
fn soft_tires_hold_a_parked_vehicle_as_far_as_their_friction_does() {
    for name in ["tank", "city_car", "truck_6x6"] {
        for part in [1.0, 0.1] {
            let vehicle = on_soft_tires(name, part);
            let slope = 0.9 * holding_slope(&vehicle);
            for heading in HEADINGS {
                for step in [(30.0, 1), (60.0, 3), (240.0, 1)] {
                    let moved = moved(&vehicle, (slope, heading), step, 4.0);
                    let case = format!("{name}, stiffness {part}, heading {heading}, {step:?}");
                    assert!(moved < 2e-3, "{case}: moves by {moved} m on {slope} rad");
                }
            }
        }
    }
}

#[test]
fn slopes_beyond_friction_let_a_braked_vehicle_slide() {
    for name in ["tank", "city_car"] {
        for part in [1.0, 0.1] {
            let vehicle = on_soft_tires(name, part);
            let slope = 1.1 * holding_slope(&vehicle);
            for heading in HEADINGS {
                for step in [(60.0, 1), (240.0, 1)] {
                    let moved = moved(&vehicle, (slope, heading), step, 1.0);
                    let case = format!("{name}, stiffness {part}, heading {heading}, {step:?}");
                    assert!(0.5 < moved, "{case}: moves by {moved} m on {slope} rad");
                }
            }
        }
    }
}
