//! Vehicles whose axes are turned in their bodies.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle};

use crate::common::DT;

/// A preset whose axes are turned by `turn` in its body.
fn turned(name: &str, turn: Rotation) -> AnyVehicle {
    let model = AnyVehicle::preset(name).expect("a preset");
    let mut world = level_world(DT, 1.0);
    let mut file = model.insert(&mut world, Pose::IDENTITY).to_file();
    let chassis = file.chassis.as_mut().expect("a chassis of known parts");
    let center = &mut chassis.center_of_mass;
    center.rotation = turn * center.rotation;
    AnyVehicle::new(file, "").expect("a vehicle")
}

/// Where front and roof of `car` show.
fn axes(world: &PhysicsWorld, car: &AnyRapierVehicle) -> [Vector; 2] {
    let frame = &car.params.coordinates.frame;
    let rotation = world.bodies[car.body()].rotation() * car.actor.center_of_mass.rotation;
    [rotation * frame.longitudinal(), rotation * frame.vertical()]
}

const TURNS: [Rotation; 3] = [
    Rotation::IDENTITY,
    Rotation::from_xyzw(0.6, 0.0, 0.0, 0.8),
    Rotation::from_xyzw(0.48, 0.36, 0.0, 0.8),
];

#[test]
fn a_car_of_any_axes_is_put_on_its_wheels() {
    for turn in TURNS {
        let mut world = level_world(DT, 1.0);
        let fallen = Pose::from_parts(Vector::Y * 3.0, Rotation::from_rotation_z(2.0));
        let mut car = turned("hot_hatch", turn).insert(&mut world, fallen);
        let [ahead, _] = axes(&world, &car);
        let heading = (ahead * Vector::new(1.0, 0.0, 1.0)).normalize();
        let pose = car.upright_pose(&world.bodies, Vector::Y, 0.0).expect("in the world");
        let before = world.bodies[car.body()].center_of_mass();
        car.teleport(&mut world.bodies, pose).expect("a good pose");
        let [ahead, above] = axes(&world, &car);
        assert!(above.distance(Vector::Y) < 1e-4, "{turn}: its roof shows to {above}");
        assert!(ahead.distance(heading) < 1e-4, "{turn}: its front shows to {ahead}");
        let moved = world.bodies[car.body()].center_of_mass().distance(before);
        assert!(moved < 1e-4, "{turn}: {moved} m");
    }
}

#[test]
fn a_trailer_of_any_axes_is_put_behind_its_tractor() {
    for (ours, theirs) in [(0, 0), (1, 0), (0, 2), (2, 1)] {
        let mut world = level_world(DT, 1.0);
        let place = Pose::from_parts(Vector::Y * 3.0, Rotation::from_rotation_y(1.0));
        let tractor = turned("semi_tractor", TURNS[ours]).insert(&mut world, place);
        let trailer = turned("semi_trailer", TURNS[theirs]);
        let first = |hitches: &[vehicle_rapier::vehicle_file::HitchParams]| hitches[0].clone();
        let ends = [tractor.vehicle.file(), trailer.file()].map(|file| first(&file.hitches));
        let (own, other) = (&ends[0], &ends[1]);
        let trailer = tractor
            .insert_trailer(&own.name, &trailer, &other.name, &mut world)
            .expect("both hitches are there");
        let (expected, found) = (axes(&world, &tractor), axes(&world, &trailer));
        for (found, expected) in found.into_iter().zip(expected) {
            assert!(found.distance(expected) < 1e-4, "{ours}, {theirs}: {found}, not {expected}");
        }
        let at = |car: &AnyRapierVehicle, point: Vector| {
            world.bodies[car.body()].position().transform_point(point)
        };
        let apart = at(&tractor, own.position).distance(at(&trailer, other.position));
        assert!(apart < 1e-4, "{ours}, {theirs}: {apart} m");
    }
}
