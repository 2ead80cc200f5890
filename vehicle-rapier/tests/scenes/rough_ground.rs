//! Ground that is not made for driving: edges, gaps, walls, random meshes.

use crate::common::grounds::{block, drivable_world_of};
use crate::common::{DT, Noise, car, drive, random_mesh};
use rapier3d::prelude::*;
use snippets::vehicles::SAMPLE_REST_HEIGHT;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::{Activity, Drivable, RapierVehicle, RoadQueryShape, RoadResources};

const SHAPES: [RoadQueryShape; 2] = [RoadQueryShape::Ray, RoadQueryShape::Cylinder];

fn car_on(world: &mut PhysicsWorld, shape: RoadQueryShape) -> RapierVehicle<DirectDriveVehicle> {
    let mut car = car(world, SAMPLE_REST_HEIGHT);
    car.road.shape = shape;
    car
}

fn position(world: &PhysicsWorld, car: &RapierVehicle<DirectDriveVehicle>) -> Vector {
    world.bodies[car.actor.body].translation()
}

#[test]
fn vehicles_and_their_roads_can_be_shared_by_threads() {
    fn assert_shared<T: Send + Sync>() {}
    assert_shared::<RapierVehicle<DirectDriveVehicle>>();
    assert_shared::<RoadResources>();
}

/// Level meshes and height fields of 1 m, gently rough.
fn rough_grounds() -> [(&'static str, ColliderBuilder); 2] {
    let mut noise = Noise(3);
    let heights = Array2::new(41, 41, (0..41 * 41).map(|_| noise.within(-0.01, 0.01)).collect());
    let field = HeightField::new(heights, Vector::new(40.0, 1.0, 40.0));
    let (vertices, triangles) = field.to_trimesh();
    let mesh = ColliderBuilder::trimesh(vertices, triangles).expect("a mesh");
    [("mesh", mesh), ("height field", ColliderBuilder::new(SharedShape::new(field)))]
}

#[test]
fn a_car_rests_on_sweeps_as_on_rays() {
    let flat = ("cuboid", block(Vector::splat(50.0), Vector::ZERO));
    for (ground, collider) in rough_grounds().into_iter().chain([flat]) {
        let rest = |shape| {
            let mut world = drivable_world_of([collider.clone()]);
            let mut car = car_on(&mut world, shape);
            car.vehicle.commands.brakes[0] = 1.0;
            let activity = drive(&mut world, &mut car, 3.0);
            assert_eq!(activity, Activity::Asleep, "{shape:?} on {ground}");
            position(&world, &car).y
        };
        let [ray, cylinder] = SHAPES.map(rest);
        // A cylinder stands on the bumps, a ray between them.
        let allowed = if ground == "cuboid" { 1e-3 } else { 0.015 };
        assert!((ray - cylinder).abs() < allowed, "{ground}: {ray} m, {cylinder} m");
    }
}

#[test]
fn a_car_drives_off_the_edge_of_the_world_and_falls() {
    for shape in SHAPES {
        let mut world = drivable_world_of([block(Vector::new(5.0, 1.0, 8.0), Vector::ZERO)]);
        let mut car = car_on(&mut world, shape);
        car.vehicle.commands.throttle = 1.0;
        drive(&mut world, &mut car, 6.0);
        assert!(position(&world, &car).y < -5.0, "{shape:?}: {}", position(&world, &car));
        assert!(car.vehicle.state.mechanics.roads.iter().all(|road| road.is_none()), "{shape:?}");
        assert!(car.vehicle.state.mechanics.is_finite(), "{shape:?}");
    }
}

#[test]
fn sweeps_roll_over_a_gap_that_rays_fall_into() {
    let deepest = |shape| {
        let half = Vector::new(5.0, 0.5, 20.0);
        let [near, far] = [-10.15, 30.15].map(|z| block(half, Vector::Z * z));
        let mut world = drivable_world_of([near, far]);
        let mut car = car_on(&mut world, shape);
        drive(&mut world, &mut car, 0.5);
        let rest = world.bodies[car.actor.body].translation().y;
        car.vehicle.commands.throttle = 0.5;
        let mut steps_without_road = 0;
        let mut lowest: Real = 0.0;
        for _ in 0..(4.0 / DT) as usize {
            car.step(&mut world).expect("the car can be driven");
            lowest = lowest.min(position(&world, &car).y - rest);
            let roads = &car.vehicle.state.mechanics.roads;
            steps_without_road += usize::from(roads.iter().any(|road| road.is_none()));
        }
        assert!(12.0 < position(&world, &car).z, "{shape:?}: the car has crossed the gap");
        (lowest, steps_without_road)
    };
    let [(_, ray), (lowest, cylinder)] = SHAPES.map(deepest);
    assert!(0 < ray, "a ray finds no road in the gap");
    assert_eq!(cylinder, 0, "a swept wheel keeps its road");
    assert!(-0.05 < lowest, "{lowest} m");
}

#[test]
fn a_wheel_does_not_climb_a_wall() {
    for shape in SHAPES {
        let wall = block(Vector::new(20.0, 5.0, 0.5), Vector::new(0.0, 5.0, 6.0));
        let mut world = drivable_world_of([block(Vector::splat(50.0), Vector::ZERO), wall]);
        let mut car = car_on(&mut world, shape);
        // Only the wheels can meet the wall: the hull passes through.
        let hull = world.bodies[car.actor.body].colliders()[0];
        world.colliders[hull].set_sensor(true);
        car.vehicle.commands.throttle = 0.3;
        for _ in 0..(4.0 / DT) as usize {
            car.step(&mut world).expect("the car can be driven");
            let height = position(&world, &car).y - SAMPLE_REST_HEIGHT;
            let at = position(&world, &car).z;
            assert!(height.abs() < 0.1, "{shape:?}: {height} m high at {at} m");
        }
        assert!(8.0 < position(&world, &car).z, "{shape:?}: {}", position(&world, &car));
    }
}

#[test]
fn the_same_drop_gives_the_same_bits() {
    for shape in SHAPES {
        let end = || {
            let mut noise = Noise(5);
            let mut world = drivable_world_of([random_mesh(&mut noise, 60)]);
            let mut car = car_on(&mut world, shape);
            world.bodies[car.actor.body].set_translation(Vector::Y * 3.0, true);
            drive(&mut world, &mut car, 2.0);
            (*world.bodies[car.actor.body].position(), car.vehicle.intent())
        };
        assert_eq!(end(), end(), "{shape:?}");
    }
}
