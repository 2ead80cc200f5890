//! Mistakes of those who begin. Each is told, by a diagnosis of the world or an error of the step,
//! and nothing is told of vehicles that drive as they should.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::diagnosis::{FindingCode as Code, Severity};
use vehicle_rapier::prelude::*;
use vehicle_rapier::{RoadFilter, StepError};

use crate::common::grounds::{block, world_of};
use crate::common::{DT, drive, settled_car};

type Car = RapierVehicle<DirectDriveVehicle>;

/// The car of the README, its body at `height` (m), with axes of `frame` for its data sheet.
fn car_at(world: &mut PhysicsWorld, height: Real, frame: Frame, hull: Option<Real>) -> Car {
    let sheet = CarBlueprint { frame, ..CarBlueprint::default() };
    let mechanics = sheet.mechanics().expect("no faults");
    let place = frame.translation(0.0, 0.0, height);
    let mut chassis = Chassis::new(&mechanics.rigid_body).pose(Pose::from_translation(place));
    if let Some(up) = hull {
        let half = frame.translation(2.2, 0.9, 0.4).abs();
        let hull = ColliderBuilder::cuboid(half.x, half.y, half.z);
        chassis = chassis.collider(hull.translation(frame.translation(0.0, 0.0, up)));
    }
    let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
    let vehicle =
        DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle }).expect("no faults");
    let mut car = RapierVehicle::insert(world, chassis, vehicle, DirectDriveVehicle::sequence());
    car.params = SimulationParams::new(frame);
    car.vehicle.controls.gear = Gear::Forward;
    car
}

fn readme_car(world: &mut PhysicsWorld) -> Car {
    car_at(world, 0.6, Frame::Y_UP, Some(0.2))
}

fn codes(car: &Car, world: &PhysicsWorld) -> Vec<Code> {
    let findings = diagnose_in(car, world).expect("a time step");
    findings.into_iter().map(|finding| finding.code).collect()
}

#[track_caller]
fn assert_told(car: &Car, world: &PhysicsWorld, code: Code, what: &str) {
    let codes = codes(car, world);
    assert!(codes.contains(&code), "{what}: {codes:?}");
}

/// Grounds of every kind, level at height 0.
fn grounds() -> Vec<(&'static str, PhysicsWorld)> {
    let corners = [(-90.0, -90.0), (90.0, -90.0), (90.0, 90.0), (-90.0, 90.0)];
    let vertices = corners.map(|(x, z)| Vector::new(x, 0.0, z)).to_vec();
    let mesh = ColliderBuilder::trimesh(vertices, vec![[0, 2, 1], [0, 3, 2]]).expect("a mesh");
    let heights = Array2::new(19, 19, vec![0.0; 19 * 19]);
    let grounds = [
        ("box", block(Vector::new(200.0, 0.5, 200.0), Vector::ZERO)),
        ("half space", ColliderBuilder::new(SharedShape::halfspace(Vector::Y))),
        ("mesh", mesh),
        ("field", ColliderBuilder::heightfield(heights, Vector::new(180.0, 1.0, 180.0))),
    ];
    grounds.into_iter().map(|(name, ground)| (name, world_of([ground.friction(1.0)]))).collect()
}

#[test]
fn nothing_is_told_of_vehicles_that_drive_as_they_should() {
    for rate in [30.0, 60.0, 240.0] {
        for preset in Preset::ALL.iter().filter(|preset| preset.is_driven()) {
            let model = AnyVehicle::preset(preset.name).expect("no faults");
            let mut world = level_world(1.0 / rate, 1.0);
            let place = Pose::from_translation(Vector::Y * model.standing_height(GRAVITY));
            let mut car = model.insert(&mut world, place);
            let told = |car: &AnyRapierVehicle, world: &PhysicsWorld| {
                let of_car = diagnose(car, 1.0 / rate).expect("a time step").len();
                let mut all = diagnose_in(car, world).expect("a time step");
                let has_warning = all.iter().any(|it| it.severity() == Severity::Warning);
                all.retain(|it| WORLD.contains(&it.code));
                (all, has_warning, of_car)
            };
            for phase in [(0.0, 0.0), (0.8, 0.3), (0.0, -0.3)] {
                (car.commands_mut().throttle, car.commands_mut().steer) = phase;
                for _ in 0..(rate * 0.7) as usize {
                    car.step(&mut world).expect("it can be driven");
                }
                let (found, _, _) = told(&car, &world);
                assert_eq!(found, [], "{} at {rate} Hz, {phase:?}", preset.name);
            }
        }
    }
}

/// Codes of the findings that `diagnose_in` takes from a world.
const WORLD: [Code; 12] = [
    Code::RoadMissing,
    Code::RoadHidden,
    Code::HullOnRoad,
    Code::HullMissing,
    Code::NotUpright,
    Code::UpdateMissing,
    Code::UpdateRepeated,
    Code::BodyInactive,
    Code::BodyMissing,
    Code::BodyMotionInvalid,
    Code::WheelCollidersLeft,
    Code::WorldLengthUnit,
];

#[test]
fn a_world_with_another_up_is_told() {
    let ups = [(Frame::Z_UP, Vector::Y), (Frame::Y_UP, Vector::Z), (Frame::Y_UP, -Vector::Y)];
    for (frame, up) in ups {
        let road = ColliderBuilder::new(SharedShape::halfspace(up)).friction(1.0);
        let mut world = world_of([road]);
        world.gravity = up * -9.81;
        let mut car = car_at(&mut world, 0.6, frame, Some(0.2));
        world.bodies[car.actor.body].set_translation(up * 1.5, true);
        assert_told(&car, &world, Code::NotUpright, "at once");
        for _ in 0..60 {
            car.step(&mut world).expect("it can be driven");
        }
        assert_told(&car, &world, Code::NotUpright, "later");
        let text = diagnose_in(&car, &world).expect("a time step")[0].to_string();
        assert!(text.contains("Frame") && text.contains("gravity"), "{text}");
    }
}

#[test]
fn a_data_sheet_of_other_axes_than_the_vehicle_is_one_error_that_names_both() {
    for frame in Frame::all() {
        let mut world = level_world(DT, 1.0);
        let mut car = car_at(&mut world, 0.6, frame, None);
        car.params = SimulationParams::default();
        let has_same_axes = frame == Frame::Y_UP;
        // A car that drives backward or upside down is one of its frame, too, as far as it can be
        // told.
        let is_told = frame.vertical() != Vector::Y || frame.lateral().x == 0.0;
        match car.step(&mut world) {
            Ok(_) => assert!(has_same_axes || !is_told, "{frame:?}"),
            Err(error) => {
                let error = error.to_string();
                assert!(!has_same_axes && is_told, "{frame:?}: {error}");
                for name in ["CarBlueprint::frame", "`params`"] {
                    assert_eq!(error.matches(name).count(), 1, "{frame:?}: {error}");
                }
            }
        }
    }
}

#[test]
fn a_hull_on_the_road_is_told_on_every_ground() {
    for (ground, mut world) in grounds() {
        // A hull around the center of mass, which reaches below the wheels; and one that reaches
        // the road as springs sink.
        for (up, what) in [(-0.3, "below the wheels"), (-0.17, "at rest")] {
            let mut car = car_at(&mut world, 0.9, Frame::Y_UP, Some(up));
            if up < -0.2 {
                assert_told(&car, &world, Code::HullOnRoad, what);
            }
            drive(&mut world, &mut car, 1.5);
            assert_told(&car, &world, Code::HullOnRoad, &format!("{what} on a {ground}"));
            car.remove(&mut world);
        }
        // Above the road, and at a wall: nothing to tell.
        let wall = ColliderBuilder::cuboid(5.0, 2.0, 0.2).translation(Vector::Z * 2.45);
        world.insert_collider(wall, None);
        let mut car = readme_car(&mut world);
        car.vehicle.commands.throttle = 0.5;
        drive(&mut world, &mut car, 1.0);
        assert_eq!(codes(&car, &world), [], "on a {ground}");
    }
}

#[test]
fn a_world_that_steps_without_the_vehicle_is_told() {
    let mut world = level_world(DT, 1.0);
    let mut car = readme_car(&mut world);
    assert!(!codes(&car, &world).contains(&Code::UpdateMissing), "nothing has been stepped yet");
    for _ in 0..5 {
        world.step();
    }
    assert_told(&car, &world, Code::UpdateMissing, "never updated");

    drive(&mut world, &mut car, 0.5);
    car.vehicle.commands.throttle = 1.0;
    drive(&mut world, &mut car, 2.0);
    assert_eq!(codes(&car, &world), []);
    for steps in 1..4 {
        world.step();
        assert_told(
            &car,
            &world,
            Code::UpdateMissing,
            &format!("{steps} steps of the world alone"),
        );
    }
    car.step(&mut world).expect("it can be driven");
    drive(&mut world, &mut car, 0.1);
    assert_eq!(codes(&car, &world), [], "updated again");
}

#[test]
fn vehicles_that_each_step_their_world_are_told() {
    for rate in [30.0, 60.0, 240.0] {
        for count in [2, 3] {
            let mut world = level_world(1.0 / rate, 1.0);
            let mut cars: Vec<_> = (0..count)
                .map(|index| {
                    let mut car = readme_car(&mut world);
                    let place = Vector::new(4.0 * index as Real, 0.6, 0.0);
                    world.bodies[car.actor.body].set_translation(place, true);
                    car.vehicle.commands.throttle = 1.0;
                    car
                })
                .collect();
            for _ in 0..(2.0 * rate) as usize {
                for car in &mut cars {
                    car.step(&mut world).expect("it can be driven");
                }
            }
            for (index, car) in cars.iter().enumerate() {
                let what = format!("car {index} of {count} at {rate} Hz");
                assert_told(car, &world, Code::UpdateMissing, &what);
            }
            for _ in 0..3 {
                for car in &mut cars {
                    car.update(&mut world).expect("it can be driven");
                }
                world.step();
            }
            for car in &cars {
                assert_eq!(
                    codes(car, &world),
                    [],
                    "{count} at {rate} Hz, updated and stepped once"
                );
            }
        }
    }
}

#[test]
fn a_vehicle_that_is_updated_twice_is_told() {
    let (mut world, mut car) = settled_car();
    car.vehicle.commands.throttle = 1.0;
    for _ in 0..30 {
        car.update(&mut world).expect("it can be driven");
        car.update(&mut world).expect("it is its own driver");
        world.step();
    }
    assert_told(&car, &world, Code::UpdateRepeated, "twice");
    drive(&mut world, &mut car, 0.1);
    assert!(!codes(&car, &world).contains(&Code::UpdateRepeated), "once again");
}

/// Drives `cars` of one body for a second: the errors of each.
fn errors(world: &mut PhysicsWorld, cars: &mut [Car]) -> Vec<usize> {
    let mut errors = vec![0; cars.len()];
    for _ in 0..60 {
        for (car, errors) in cars.iter_mut().zip(&mut errors) {
            car.vehicle.commands.throttle = 1.0;
            match car.update(&mut *world) {
                Err(StepError::DrivenTwice(body)) if body == car.actor.body => *errors += 1,
                other => assert!(other.is_ok(), "{other:?}"),
            }
        }
        world.step();
    }
    errors
}

#[test]
fn a_second_driver_of_a_body_is_an_error() {
    let (mut world, car) = settled_car();
    let speed = |count: usize| {
        let (mut world, car) = settled_car();
        let mut cars = vec![car; count];
        let errors = errors(&mut world, &mut cars);
        (errors, world.bodies[cars[0].actor.body].linvel().z)
    };
    let (none, alone) = speed(1);
    assert_eq!(none, [0]);
    for count in [2, 3, 4] {
        let (errors, together) = speed(count);
        assert_eq!(errors[0], 0, "the first one drives on");
        assert!(errors[1..].iter().all(|&errors| 55 < errors), "{errors:?}");
        assert!((together - alone).abs() < 0.02 * alone, "{together} m/s, alone {alone} m/s");
    }
    // Nothing of the one that is refused has changed.
    let mut cars = [car.clone(), car];
    cars[0].vehicle.commands.throttle = 1.0;
    drive(&mut world, &mut cars[0], 0.5);
    let before = cars[1].vehicle.state.clone();
    cars[0].update(&mut world).expect("it can be driven");
    cars[1].update(&mut world).expect_err("a second driver");
    assert_eq!(cars[1].vehicle.state, before);
}

#[test]
fn a_second_driver_in_a_fleet_is_an_error() {
    let (mut world, car) = settled_car();
    let mut fleet = Fleet::default();
    let mut twin = car.clone();
    twin.vehicle.commands.throttle = 1.0;
    let handles = [fleet.insert(car), fleet.insert(twin)];
    let mut refused = 0;
    for _ in 0..30 {
        refused += fleet.update(&mut world).len();
        world.step();
    }
    // As long as both stand as one, neither is another.
    assert!(25 < refused, "{refused} of 30");
    fleet.remove(handles[1]);
    assert_eq!(fleet.update(&mut world), [], "one driver is left");
}

#[test]
fn one_driver_after_the_other_is_none_too_many() {
    // A clone that goes on in the place of the vehicle, as games that keep states do.
    let (mut world, car) = settled_car();
    let mut states = vec![car];
    for step in 0..60 {
        let mut next = states[step].clone();
        next.vehicle.commands.throttle = 1.0;
        next.step(&mut world).expect("one driver");
        states.push(next);
    }
    // Back to an earlier step, by a snapshot and by a clone whose body is put back by hand.
    let mut car = states[60].clone();
    let snapshot = car.snapshot(&world.bodies).expect("a body");
    drive(&mut world, &mut car, 0.2);
    car.update(&mut world).expect("one driver");
    car.restore(&mut world, &snapshot).expect("its own snapshot");
    drive(&mut world, &mut car, 0.2);
    car.update(&mut world).expect("one driver");
    let mut earlier = states[30].clone();
    let body = &mut world.bodies[car.actor.body];
    body.set_position(snapshot.body.pose, true);
    body.set_vels(RigidBodyVelocity::zero(), true);
    drive(&mut world, &mut earlier, 0.2);
    // An update that fails can be repeated.
    earlier.vehicle.commands.throttle = Real::NAN;
    earlier.update(&mut world).expect_err("no number");
    earlier.vehicle.commands.throttle = 1.0;
    earlier.update(&mut world).expect("one driver");
    // Put elsewhere between an update and the world's step.
    earlier.teleport(&mut world.bodies, snapshot.body.pose).expect("a pose");
    earlier.update(&mut world).expect("one driver");
}

#[test]
fn a_road_that_is_not_there_is_told() {
    let mut world = PhysicsWorld::new();
    let mut car = readme_car(&mut world);
    assert_told(&car, &world, Code::RoadMissing, "an empty world");
    drive(&mut world, &mut car, 1.0);
    assert_told(&car, &world, Code::RoadMissing, "it falls");

    let mut world = PhysicsWorld::new();
    let road = block(Vector::new(200.0, 0.5, 200.0), Vector::ZERO).friction(1.0);
    world.insert_collider(road, None);
    let car = readme_car(&mut world);
    assert_told(&car, &world, Code::RoadMissing, "not seen yet");
    world.step();
    assert!(!codes(&car, &world).contains(&Code::RoadMissing), "seen");

    let mut world = level_world(DT, 1.0);
    let car = car_at(&mut world, 30.0, Frame::Y_UP, Some(0.2));
    assert_eq!(codes(&car, &world), [], "a car in the air has a road");
}

#[test]
fn a_road_that_wheels_do_not_see_is_told_with_the_reason() {
    let groups =
        |own: Group, others: Group| InteractionGroups::new(own, others, InteractionTestMode::And);
    type Change = fn(&mut PhysicsWorld, &mut Car);
    let cases: [(&str, Change); 5] = [
        ("road.groups", |_, car| {
            car.road.groups = Some(InteractionGroups::new(
                Group::GROUP_2,
                Group::GROUP_2,
                InteractionTestMode::And,
            ));
        }),
        ("road.wheel_groups", |_, car| car.road.wheel_groups = vec![InteractionGroups::none(); 4]),
        ("road_resources.filter", |_, car| {
            car.road_resources.filter = Some(RoadFilter::new(|_| false));
        }),
        ("sensor", |world, _| {
            world.colliders.iter_mut().for_each(|(_, it)| {
                if it.parent().is_none() {
                    it.set_sensor(true);
                }
            });
        }),
        ("max_slope", |_, car| car.road.max_slope = 0.1),
    ];
    for (said, change) in cases {
        let slope = if said == "max_slope" { 0.3 } else { 0.0 };
        let turn = Rotation::from_rotation_z(slope);
        let road = ColliderBuilder::cuboid(200.0, 0.5, 200.0).rotation(Vector::Z * slope);
        let road = road.translation(turn * Vector::Y * -0.5).friction(1.0);
        let members = groups(Group::GROUP_1, Group::GROUP_1);
        let mut world = world_of([road.collision_groups(members)]);
        let mut car = readme_car(&mut world);
        change(&mut world, &mut car);
        for phase in ["at once", "later"] {
            let findings = diagnose_in(&car, &world).expect("a time step");
            let hidden = findings.iter().find(|finding| finding.code == Code::RoadHidden);
            let Some(hidden) = hidden else { panic!("{said} {phase}: {findings:#?}") };
            assert!(hidden.to_string().contains(said), "{said}: {hidden}");
            car.step(&mut world).expect("it can be driven");
        }
    }
}

#[test]
fn a_vehicle_without_colliders_is_told() {
    let mut world = level_world(DT, 1.0);
    let mut car = car_at(&mut world, 0.6, Frame::Y_UP, None);
    assert_eq!(codes(&car, &world), [Code::HullMissing]);
    drive(&mut world, &mut car, 1.0);
    assert_eq!(codes(&car, &world), [Code::HullMissing]);
}

#[test]
fn a_body_that_takes_no_part_is_told() {
    let mut world = level_world(DT, 1.0);
    let mut car = readme_car(&mut world);
    drive(&mut world, &mut car, 3.0);
    assert!(world.bodies[car.actor.body].is_sleeping());
    assert_eq!(codes(&car, &world), [], "it may sleep");
    car.vehicle.commands.throttle = 1.0;
    assert_told(&car, &world, Code::BodyInactive, "asleep under throttle, without an update");
    drive(&mut world, &mut car, 0.2);
    assert_eq!(codes(&car, &world), []);
    world.bodies[car.actor.body].set_enabled(false);
    assert_told(&car, &world, Code::BodyInactive, "disabled");
}

#[test]
fn another_unit_of_length_is_told() {
    for (unit, is_told) in [(1.0, false), (1.05, false), (100.0, true), (0.5, true)] {
        let mut world = level_world(DT, 1.0);
        let car = readme_car(&mut world);
        world.integration_parameters.length_unit = unit;
        let codes = codes(&car, &world);
        assert_eq!(codes.contains(&Code::WorldLengthUnit), is_told, "{unit}: {codes:?}");
    }
}

#[test]
fn a_slippery_road_is_told_in_its_world_too() {
    let mut world = world_of([block(Vector::new(200.0, 0.5, 200.0), Vector::ZERO)]);
    let mut car = readme_car(&mut world);
    drive(&mut world, &mut car, 0.5);
    assert_eq!(codes(&car, &world), [Code::RoadSlippery]);
}

#[test]
fn a_push_between_two_updates_without_a_step_is_named_as_a_cause() {
    let (mut world, mut car) = settled_car();
    car.vehicle.commands.throttle = 1.0;
    drive(&mut world, &mut car, 0.2);
    car.update(&mut world).expect("it can be driven");
    world.bodies[car.actor.body].apply_impulse(Vector::X * 50.0, false);
    let error = car.update(&mut world).expect_err("its motion is another").to_string();
    assert!(error.contains("pushed between two updates without a step of the world"), "{error}");
    world.step();
    car.update(&mut world).expect("the world has stepped");
}

#[test]
fn ground_that_only_the_largest_slope_allows_is_told() {
    for (degrees, expected) in [(70.0_f32, None), (75.0, Some("72.5 degrees"))] {
        let ground = ColliderBuilder::cuboid(200.0, 200.0, 200.0);
        let ground = ground.rotation(Vector::X * degrees.to_radians());
        let turn = Rotation::from_rotation_x(degrees.to_radians());
        let mut world = world_of([ground.translation(turn * Vector::Y * -200.0)]);
        let model = AnyVehicle::preset("hot_hatch").expect("a preset");
        let mut car = model.insert(&mut world, Pose::from_translation(Vector::Y * 8.0));
        car.road.max_slope = 1.5;
        let findings = diagnose_in(&car, &world).expect("a time step");
        let hidden = findings.iter().find(|finding| finding.code == Code::RoadHidden);
        let hidden = hidden.map(ToString::to_string);
        let is_right = match (expected, &hidden) {
            (Some(expected), Some(hidden)) => hidden.contains(expected),
            (expected, hidden) => expected.is_none() && hidden.is_none(),
        };
        assert!(is_right, "{degrees}: {hidden:?}");
    }
}
