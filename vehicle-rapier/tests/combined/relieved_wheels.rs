//! Vehicles that are changed while their wheels are relieved of their masses.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::core::vehicle::{ChangeMechanics, HasMechanics};
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle, MechanicsSource};
use vehicle_rapier::{Detail, SprungMasses};

use crate::common::{DT, drive};

const RELIEVED: Detail = Detail { wheel_mass: false, ..Detail::FULL };

/// A car that stands on its brakes in a world of `gravity` (m/s²), with this detail.
fn parked(detail: Detail, gravity: Real) -> (PhysicsWorld, AnyRapierVehicle) {
    let mut world = level_world(DT, 1.0);
    world.gravity = Vector::Y * -gravity;
    let model = AnyVehicle::preset("hot_hatch").expect("a preset");
    let place = Pose::from_translation(Vector::Y * model.standing_height(gravity));
    let mut car = model.insert(&mut world, place);
    car.commands_mut().brakes[0] = 1.0;
    car.detail = detail;
    drive(&mut world, &mut car, 0.5);
    (world, car)
}

fn load(world: &mut PhysicsWorld, car: &mut AnyRapierVehicle) {
    let mut mass = car.mass();
    mass.rigid_body.mass += 100.0;
    mass.center_of_mass.y += 0.02;
    car.set_mass(&mut world.bodies, &world.colliders, &mass, SprungMasses::Balance)
        .expect("a good mass");
}

#[test]
fn a_vehicle_that_is_changed_keeps_the_masses_of_its_wheels() {
    type Change = fn(&mut PhysicsWorld, &mut AnyRapierVehicle);
    let changes: [(&str, Change); 3] = [
        ("load", load),
        ("lost and refitted wheel", |world, car| {
            let loose = car.lose_wheel(&mut *world, 1).expect("a wheel");
            car.refit_wheel(&mut *world, &loose).expect("it is lost");
        }),
        ("copied parameters", |_, car| {
            let mut params = car.mechanics().params.clone();
            params.suspension_forces[0].stiffness *= 1.1;
            car.vehicle.set_mechanics(params).expect("good springs");
        }),
    ];
    for (name, change) in changes {
        let [full, relieved] = [Detail::FULL, RELIEVED].map(|detail| {
            let (mut world, mut car) = parked(detail, 9.81);
            change(&mut world, &mut car);
            (world, car)
        });
        let (mut world, mut car) = relieved;
        let has_mass = |car: &AnyRapierVehicle| {
            car.vehicle.read_mechanics().params.suspension_dynamics.has_mass()
        };
        assert!(!has_mass(&car), "{name}: wheels stay relieved");
        let (found, expected) = (car.mechanics().params, full.1.mechanics().params);
        assert!(found.suspension_dynamics.has_mass(), "{name}: {:?}", found.suspension_dynamics);
        assert_eq!(found.suspension_dynamics, expected.suspension_dynamics, "{name}");
        assert_eq!(found.beam_axles, expected.beam_axles, "{name}");
        for (found, expected) in found.suspension_forces.iter().zip(&expected.suspension_forces) {
            assert_eq!(found.stiffness, expected.stiffness, "{name}");
        }
        let file = car.to_file();
        let MechanicsSource::Parameters(saved) = &file.mechanics else { panic!("{file:?}") };
        assert!(saved.suspension_dynamics.has_mass(), "{name}: the file");
        car.detail = Detail::FULL;
        drive(&mut world, &mut car, 0.1);
        assert!(has_mass(&car), "{name}: wheels get their masses back");
    }
}

#[test]
fn a_relieved_vehicle_that_is_changed_stands_as_high_as_before_under_any_gravity() {
    for gravity in [9.81, 3.7] {
        let (mut world, mut car) = parked(RELIEVED, gravity);
        drive(&mut world, &mut car, 1.0);
        let height = |world: &PhysicsWorld| world.bodies[car.actor.body].translation().y;
        let before = height(&world);
        let mass = car.mass();
        let mut car = car.clone();
        car.set_mass(&mut world.bodies, &world.colliders, &mass, SprungMasses::Keep)
            .expect("its own mass");
        drive(&mut world, &mut car, 0.5);
        let moved = height(&world) - before;
        assert!(moved.abs() < 5e-4, "{gravity} m/s²: {moved} m");
    }
}
