//! Nothing is allocated while a vehicle is updated, whatever its road query is asked for.

mod common;

use common::mixed::{controls, mixed_fleet};
use common::{DT, car_with, drive, settled_car};
use rapier3d::prelude::*;
use rayon::ThreadPoolBuilder;
use snippets::scenes::level_world;
use snippets::vehicles::{SAMPLE_REST_HEIGHT, sample_direct_drive};
use vehicle_rapier::core::constraint_rows::RowExecution;
use vehicle_rapier::core::steering::SteeringSystemParams;
use vehicle_rapier::drivetrain::aids::{
    AidsParams, AntiLockParams, StabilityParams, TractionParams,
};
use vehicle_rapier::drivetrain::direct_drive::{DirectControls, Gear};
use vehicle_rapier::drivetrain::{DirectDriveVehicle, TankVehicle};
use vehicle_rapier::fleet::orders::DriverControls;
use vehicle_rapier::prelude::{AnyDriveVehicle, AnyVehicle, Preset};
use vehicle_rapier::vehicle_file::VehicleFile;
use vehicle_rapier::{Fleet, FrictionTable, RapierVehicle, RoadFilter, RoadQueryShape, SmoothMesh};

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
        (RoadQueryShape::Ray, 0.0, false),
        (RoadQueryShape::Ray, 0.0, true),
        (RoadQueryShape::Cylinder, 0.0, false),
        (RoadQueryShape::Cylinder, 0.0, true),
        (RoadQueryShape::Cylinder, 0.1, false),
    ];
    for (shape, shoulder_radius, has_wheel_masses) in shapes {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = DT;
        let raft = RigidBodyBuilder::dynamic().gravity_scale(0.0).additional_mass(1.0e6);
        let (_, ground) = world.insert(raft, grid(40).density(0.0));
        world.step();
        let mut params = sample_direct_drive().expect("valid data");
        for wheel in &mut params.mechanics.wheels {
            wheel.shoulder_radius = shoulder_radius;
        }
        if has_wheel_masses {
            params.mechanics = params.mechanics.with_unsprung_masses(9.81);
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
        assert!(car.vehicle.state.mechanics.roads.iter().all(|road| road.is_some()), "{shape:?}");
        assert!(1.0 < car.forward_speed(), "{shape:?}: the car drives");
        assert_eq!(allocations, 0, "{shape:?}");
    }
}

#[test]
fn a_car_whose_steering_wheel_is_free_allocates_nothing() {
    let mut params = sample_direct_drive().expect("valid data");
    params.mechanics.steering_system = Some(SteeringSystemParams::car(0, 1));
    let mut world = level_world(DT, 1.0);
    let mut car = car_with(&mut world, params, SAMPLE_REST_HEIGHT);
    car.vehicle.commands.throttle = 0.5;
    drive(&mut world, &mut car, 1.0);
    for step in 0..120 {
        let torque = if step < 60 { 3.0 } else { 0.0 };
        car.vehicle.commands.steering_torque = Some(torque);
        // The world begins a new list of changed bodies in each step.
        let _changed = world.bodies.get_mut(car.actor.body);
        let counted = allocation_counter::measure(|| {
            car.update(&mut world).expect("the car can be driven");
        });
        assert_eq!(counted.count_total, 0, "step {step}");
        world.step();
    }
    assert!(car.vehicle.state.mechanics.steering.angle != 0.0);
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

/// Allocations are counted in the thread that asks: this pool has one thread, and the fleet is
/// called inside it, so that all of its work is counted.
#[test]
fn a_fleet_that_is_ordered_recorded_and_towed_allocates_nothing() {
    const STEPS: usize = 60;
    let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let allocations = pool.install(|| {
        let (mut world, mut fleet, handles) = mixed_fleet(16);
        let orders = fleet.orders::<DirectDriveVehicle>(handles.cars.len());
        let recording = fleet.record::<TankVehicle, _>(16 * STEPS, RapierVehicle::forward_speed);
        let full = fleet.record::<DirectDriveVehicle, _>(1, |_| [0_u64; 8]);
        fleet.tow(handles.engine_cars[0], handles.cars[0]).expect("both are there");
        let mut allocations = 0;
        for step in 0..STEPS {
            for (index, (_, car)) in fleet.iter_mut::<TankVehicle>().enumerate() {
                car.vehicle.commands = controls(index, step).commands;
            }
            for (index, &car) in handles.cars.iter().enumerate() {
                let commands = controls(index, step).commands;
                let order =
                    DriverControls { commands, controls: DirectControls { gear: Gear::Forward } };
                orders.send(car, order).expect("there is room");
            }
            for body in handles.cars.iter().map(|&car| fleet[car].actor.body) {
                // The world begins a new list of changed bodies in each step.
                let _changed = world.bodies.get_mut(body);
            }
            for body in handles.engine_cars.iter().map(|&car| fleet[car].actor.body) {
                let _changed = world.bodies.get_mut(body);
            }
            for body in handles.tanks.iter().map(|&tank| fleet[tank].actor.body) {
                let _changed = world.bodies.get_mut(body);
            }
            let counted = allocation_counter::measure(|| {
                assert!(fleet.update(&mut world).is_empty());
            });
            // The first step makes room for what is kept between steps.
            allocations += if step == 0 { 0 } else { counted.count_total };
            world.step();
        }
        assert_eq!(recording.samples.len(), 16 * STEPS);
        assert_eq!(full.dropped(), 16 * STEPS as u64 - 1);
        allocations
    });
    assert_eq!(allocations, 0);
}

#[test]
fn a_fleet_of_all_presets_allocates_nothing() {
    const STEPS: usize = 60;
    let aids = AidsParams {
        anti_lock: Some(AntiLockParams::default()),
        traction: Some(TractionParams::default()),
        stability: Some(StabilityParams::default()),
        ..AidsParams::default()
    };
    let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let allocations = pool.install(|| {
        let (mut world, mut fleet) = (level_world(DT, 1.0), Fleet::new());
        // Those of one kind are apart from each other; the second of each has driver aids.
        for (number, preset) in Preset::ALL.iter().chain(Preset::ALL).enumerate() {
            let mut model = AnyVehicle::preset(preset.name).expect("valid");
            if Preset::ALL.len() <= number {
                let file = VehicleFile { aids, ..model.file().clone() };
                model = AnyVehicle::new(file, "").expect("valid");
            }
            let place = Vector::new(20.0 * number as Real, model.standing_height(9.81), 0.0);
            let mut car = model.insert(&mut world, Pose::from_translation(place));
            car.commands_mut().throttle = 0.3;
            fleet.insert(car);
        }
        let mut allocations = 0;
        for step in 0..STEPS {
            let bodies: Vec<_> =
                fleet.iter::<AnyDriveVehicle>().map(|(_, car)| car.body()).collect();
            for body in bodies {
                // The world begins a new list of changed bodies in each step.
                let _changed = world.bodies.get_mut(body);
            }
            let counted = allocation_counter::measure(|| {
                assert!(fleet.update(&mut world).is_empty());
            });
            // The first step makes room for what is kept between steps.
            allocations += if step == 0 { 0 } else { counted.count_total };
            world.step();
        }
        allocations
    });
    assert_eq!(allocations, 0);
}
