//! Nothing is allocated while a vehicle is updated, whatever its road query is asked for.

mod common;

use common::{DT, car_with, drive, settled_car};
use rapier3d::prelude::*;
use snippets::vehicles::{SAMPLE_REST_HEIGHT, sample_direct_drive};
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::{FrictionTable, RoadFilter, RoadQueryShape, SmoothMesh};

/// A level grid of `count`² squares of 2 m.
fn grid(count: u32) -> ColliderBuilder {
    let at = |index: u32| 2.0 * index as Real - count as Real;
    let row = count + 1;
    let vertices = (0..row * row).map(|i| Vector::new(at(i / row), 0.0, at(i % row))).collect();
    let square = |i: u32| {
        let first = i / count * row + i % count;
        [[first, first + 1, first + row], [first + 1, first + row + 1, first + row]]
    };
    ColliderBuilder::trimesh(vertices, (0..count * count).flat_map(square).collect())
        .expect("a mesh")
        .friction(1.0)
}

#[test]
fn an_update_allocates_nothing() {
    let shapes = [
        (RoadQueryShape::Ray, 0.0),
        (RoadQueryShape::Cylinder, 0.0),
        (RoadQueryShape::Cylinder, 0.1),
    ];
    for (shape, shoulder_radius) in shapes {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = DT;
        let raft = RigidBodyBuilder::dynamic().gravity_scale(0.0).additional_mass(1.0e6);
        let (_, ground) = world.insert(raft, grid(40).density(0.0));
        world.step();
        let mut params = sample_direct_drive().expect("valid data");
        for wheel in &mut params.mechanics.wheels {
            wheel.shoulder_radius = shoulder_radius;
        }
        let mut car = car_with(&mut world, params, SAMPLE_REST_HEIGHT);
        car.road.shape = shape;
        car.road.pushes_ground = true;
        car.road.wheel_groups = vec![InteractionGroups::all(); 4];
        car.road.friction = FrictionTable::default().with_parts(ground, vec![1; 100]);
        car.road_resources.filter = Some(RoadFilter::new(|candidate| candidate.wheel < 4));
        car.road_resources.smooth_meshes =
            vec![SmoothMesh::new(ground, &world.colliders).expect("a mesh")];
        car.vehicle.commands.throttle = 0.3;
        drive(&mut world, &mut car, 0.5);
        let mut allocations = 0;
        for _ in 0..60 {
            // The world begins a new list of changed bodies in each step.
            let _changed = world.bodies.get_mut(car.actor.body);
            let counted = allocation_counter::measure(|| {
                car.update(&mut world).expect("the car can be driven");
            });
            allocations += counted.count_total;
            world.step();
        }
        assert!(car.vehicle.state.mechanics.roads.iter().all(Option::is_some), "{shape:?}");
        assert!(1.0 < car.forward_speed(), "{shape:?}: the car drives");
        assert_eq!(allocations, 0, "{shape:?}");
    }
}

#[test]
fn a_parked_car_on_joints_allocates_nothing() {
    let (mut world, mut car) = settled_car();
    world.bodies[car.actor.body].activation_mut().normalized_linear_threshold = -1.0;
    car.params.row_execution = RowExecution::Host;
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 3.0);
    assert!(!car.row_joints.is_empty());
    for _ in 0..60 {
        let _changed = world.bodies.get_mut(car.actor.body);
        let counted = allocation_counter::measure(|| {
            car.update(&mut world).expect("the car can be driven");
        });
        assert_eq!(counted.count_total, 0);
        world.step();
    }
}
