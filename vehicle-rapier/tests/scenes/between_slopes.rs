//! Standing between two slopes, such as in a gutter or astride a ridge: each side of the car has
//! a road normal of its own.

use rapier3d::prelude::*;
use snippets::presets::driven;
use vehicle_rapier::{Activity, AnyVehicle, Fleet, RoadQueryShape};

/// Two slabs that meet below the z axis, and rise away from it by `tilt` (rad).
fn world_between(tilt: Real, rate: Real) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    for side in [1.0, -1.0] {
        let turn = Rotation::from_axis_angle(Vector::Z, tilt * side);
        let center = turn * Vector::new(10.0 * side, -1.0, 0.0);
        let slab = ColliderBuilder::cuboid(10.0, 1.0, 150.0).friction(1.0);
        world.insert_collider(slab.position(Pose::from_parts(center, turn)), None);
    }
    world.detect_collisions(&(), &());
    world
}

/// Parks the vehicle of this `name` astride the line between the slabs: whether it sleeps within
/// `seconds`, and how fast it is at most in the last one (m/s).
fn parked(name: &str, tilt: Real, rate: Real, seconds: Real) -> (bool, Real) {
    let mut world = world_between(tilt, rate);
    let model = AnyVehicle::preset(name).expect("a preset");
    let place = Pose::from_translation(Vector::Y * (model.standing_height(9.81) + 0.02));
    let mut car = model.insert(&mut world, place);
    car.commands_mut().brakes = [1.0; 2];
    let (mut activity, mut fastest): (_, Real) = (Activity::Awake, 0.0);
    for step in 0..(seconds * rate) as usize {
        activity = car.step(&mut world).expect("it can be driven");
        if (seconds - 1.0) * rate < step as Real {
            fastest = fastest.max(world.bodies[car.body()].linvel().length());
        }
    }
    (activity == Activity::Asleep, fastest)
}

#[test]
fn cars_between_two_slopes_come_to_rest() {
    for (name, tilt, rate) in [
        ("hot_hatch", 0.02, 60.0),
        ("hot_hatch", 0.01, 120.0),
        ("hot_hatch", -0.02, 60.0),
        ("electric_car", 0.02, 60.0),
        ("pick_up", 0.04, 60.0),
        ("tank", 0.005, 30.0),
    ] {
        let (sleeps, fastest) = parked(name, tilt, rate, 10.0);
        assert!(sleeps, "{name}, {tilt} rad at {rate} Hz: awake, {fastest} m/s");
    }
}

#[test]
fn presets_of_a_fleet_between_two_slopes_come_to_rest() {
    for shape in [RoadQueryShape::Ray, RoadQueryShape::Cylinder] {
        for (tilt, rate) in [(0.02, 30.0), (0.02, 60.0), (-0.02, 60.0), (0.02, 240.0)] {
            let mut world = world_between(tilt, rate);
            let mut fleet = Fleet::new();
            // Wheels in one track would stand on the line itself.
            let names = driven().into_iter().filter(|name| *name != "motorcycle");
            let insert = |(number, name): (usize, &'static str)| {
                let model = AnyVehicle::preset(name).expect("a preset");
                let height = model.standing_height(9.81) + 0.02;
                let place = Vector::new(0.0, height, 15.0 * number as Real - 100.0);
                let mut car = model.insert(&mut world, Pose::from_translation(place));
                car.road.shape = shape;
                car.commands_mut().brakes = [1.0; 2];
                let body = car.body();
                fleet.insert(car);
                (name, body)
            };
            let bodies: Vec<_> = names.enumerate().map(insert).collect();
            for _ in 0..(10.0 * rate) as usize {
                assert!(fleet.step(&mut world).is_empty());
            }
            for (name, body) in bodies {
                let speed = world.bodies[body].linvel().length();
                let is_sleeping = world.bodies[body].is_sleeping();
                assert!(is_sleeping, "{name}, {shape:?}, {tilt} rad at {rate} Hz: {speed} m/s");
            }
        }
    }
}
