//! Ground that is not made for driving: edges, gaps, walls, random meshes.

mod common;

use common::grounds::{block, drivable_world_of};
use common::{DT, car, drive};
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

/// Pseudo-random numbers in [0, 1).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> Real {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 40) as Real / (1_u64 << 24) as Real
    }

    fn within(&mut self, low: Real, high: Real) -> Real {
        low + (high - low) * self.next()
    }

    fn vector(&mut self, size: Real) -> Vector {
        Vector::new(self.within(-size, size), self.within(-size, size), self.within(-size, size))
    }
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
        assert!(car.vehicle.state.mechanics.roads.iter().all(Option::is_none), "{shape:?}");
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
            steps_without_road += usize::from(roads.iter().any(Option::is_none));
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

/// A mesh of `triangles` with random corners, some of them without area.
fn random_mesh(noise: &mut Noise, triangles: u32) -> ColliderBuilder {
    let vertices: Vec<_> =
        (0..3 * triangles).map(|_| noise.vector(4.0) * Vector::new(1.0, 0.3, 1.0)).collect();
    let corners = |i: u32| {
        let first = 3 * i;
        if i % 10 == 9 { [first, first, first + 1] } else { [first, first + 1, first + 2] }
    };
    let indices = (0..triangles).map(corners).collect();
    ColliderBuilder::trimesh(vertices, indices).expect("a mesh")
}

#[test]
fn random_drops_on_random_meshes_end_in_finite_motion() {
    let mut noise = Noise(1);
    for drop in 0..24 {
        let shape = SHAPES[drop % 2];
        let mut world = drivable_world_of([random_mesh(&mut noise, 60)]);
        let mut car = car_on(&mut world, shape);
        car.road.pushes_ground = true;
        let turn = noise.vector(3.0);
        let pose =
            Pose::from_parts(noise.vector(2.0) + Vector::Y * 2.0, Rotation::from_scaled_axis(turn));
        let body = &mut world.bodies[car.actor.body];
        body.set_position(pose, true);
        body.set_linvel(noise.vector(20.0), true);
        body.set_angvel(noise.vector(6.0), true);
        for _ in 0..90 {
            car.vehicle.commands.throttle = noise.next();
            car.vehicle.commands.steer = noise.within(-1.0, 1.0);
            car.step(&mut world).unwrap_or_else(|error| panic!("drop {drop}, {shape:?}: {error}"));
            let body = &world.bodies[car.actor.body];
            let is_finite = body.linvel().is_finite() && body.angvel().is_finite();
            assert!(is_finite && car.vehicle.state.mechanics.is_finite(), "drop {drop}, {shape:?}");
        }
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
