//! Vehicles that are loaded, get other tires, and lose wheels.

use crate::common::{
    DT, car_with, drive, roll, settled_car, torque_splitting, with_identity_load_filter,
};
use rapier3d::prelude::*;
use snippets::drivetrains::{SampleDifferential, TankBrakes, sample_engine_drive, sample_tank};
use snippets::scenes::level_world;
use snippets::vehicles::{SAMPLE_CENTER_OF_MASS, SAMPLE_FRAME, SAMPLE_REST_HEIGHT, sample_chassis};
use vehicle_rapier::core::mass_distribution::MassDistribution;
use vehicle_rapier::core::suspension::sprung_masses;
use vehicle_rapier::core::vehicle::{ChangeMechanics, HasMechanics, MechanicalParams};
use vehicle_rapier::drawing::DrawnPoses;
use vehicle_rapier::drivetrain::differential::{
    DifferentialModel, DifferentialParams, LimitedSlipParams, LimitedSlips,
    MultiWheelDifferentialParams,
};
use vehicle_rapier::drivetrain::gearbox::GearCommand;
use vehicle_rapier::drivetrain::{
    DirectDriveVehicle, EngineDriveParams, EngineDriveVehicle, EngineDriveVehicleWith, TankVehicle,
};
use vehicle_rapier::{Activity, Drivable, FrictionTable, RapierVehicle, SprungMasses};

type Car = RapierVehicle<DirectDriveVehicle>;

/// A load of 600 kg over the rear axle, a bit to the left.
fn load() -> MassDistribution {
    let place = SAMPLE_CENTER_OF_MASS + Vector::new(0.1, 0.4, -0.8);
    MassDistribution::block(600.0, Vector::new(1.2, 0.6, 1.5), place)
}

fn set_mass(world: &mut PhysicsWorld, car: &mut Car, mass: &MassDistribution) {
    car.set_mass(&mut world.bodies, &world.colliders, mass, SprungMasses::Balance)
        .expect("a good mass");
}

fn normal_loads(car: &Car) -> [Real; 4] {
    let forces = &car.vehicle.state.mechanics.suspensions;
    std::array::from_fn(|wheel| forces.of(wheel).force.normal_load)
}

/// The sample car on level ground, braked, with springs that bear a load.
fn truck() -> (PhysicsWorld, Car) {
    let mut world = level_world(DT, 1.0);
    let mut params = with_identity_load_filter();
    for spring in &mut params.mechanics.suspension_forces {
        spring.stiffness *= 1.8;
    }
    let mut car = car_with(&mut world, params, SAMPLE_REST_HEIGHT);
    car.vehicle.commands.brakes[0] = 1.0;
    (world, car)
}

#[test]
fn loaded_truck_bears_its_new_weight_where_the_load_is() {
    let (mut world, mut car) = truck();
    let empty = car.mass();
    drive(&mut world, &mut car, 3.0);
    // The mean of the force points of the tires: the body turns about it as its springs yield.
    let middle = |world: &PhysicsWorld, car: &Car| {
        let middle = SAMPLE_CENTER_OF_MASS + Vector::new(0.0, -0.108, -0.274);
        world.bodies[car.actor.body].position().transform_point(middle)
    };
    let place = middle(&world, &car);
    for mass in [empty.with(&load()), empty] {
        set_mass(&mut world, &mut car, &mass);
        assert_eq!(car.mass(), mass);
        assert_eq!(drive(&mut world, &mut car, 0.1), Activity::Awake, "the load wakes it");
        drive(&mut world, &mut car, 3.0);
        let loads = normal_loads(&car);
        let weight = mass.rigid_body.mass * 9.81;
        let sum: Real = loads.iter().sum();
        assert!((sum / weight - 1.0).abs() < 1e-3, "{loads:?} N, weight {weight} N");
        // The lever rule between the force points, which are 0.112 m behind the wheels.
        let center = mass.center_of_mass - SAMPLE_CENTER_OF_MASS;
        let (front, rear) = (1.269_22 - 0.112_05 - center.z, -1.594 - 0.112_05 - center.z);
        let on_front = loads[0] + loads[1];
        let expected = weight * -rear / (front - rear);
        assert!((on_front / expected - 1.0).abs() < 0.01, "{on_front} N, not {expected} N");
        let moved = middle(&world, &car) - place;
        let drift = Vector::new(moved.x, 0.0, moved.z).length();
        assert!(drift < 1e-3, "the parked truck has moved by {drift} m");
    }
    let returned = middle(&world, &car).distance(place);
    assert!(returned < 2e-3, "{returned} m from where the empty truck stood");
}

#[test]
fn truck_that_is_loaded_on_a_hill_stays_parked() {
    let slope: Real = 0.15;
    let normal = Vector::new(0.0, slope.cos(), -slope.sin());
    let (_, car) = truck();
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    world.insert_collider(ColliderBuilder::new(SharedShape::halfspace(normal)).friction(1.0), None);
    world.detect_collisions(&(), &());
    let mut car = car_with(&mut world, (**car.vehicle.params()).clone(), 0.0);
    let uphill = Rotation::from_rotation_x(-slope);
    let pose = Pose::from_parts(normal * SAMPLE_REST_HEIGHT, uphill);
    world.bodies[car.actor.body].set_position(pose, true);
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 3.0);
    let along = |world: &PhysicsWorld, car: &Car| {
        (world.bodies[car.actor.body].translation()).dot(uphill * Vector::Z)
    };
    let before = along(&world, &car);
    let loaded = car.mass().with(&load());
    set_mass(&mut world, &mut car, &loaded);
    assert_eq!(drive(&mut world, &mut car, 5.0), Activity::Asleep);
    let rolled = along(&world, &car) - before;
    // The body turns about its tires as it settles on its springs.
    assert!(rolled.abs() < 0.03, "{rolled} m");
    let before = along(&world, &car);
    drive(&mut world, &mut car, 5.0);
    assert_eq!(along(&world, &car), before);
}

#[test]
fn load_that_is_taken_aboard_moves_with_the_body() {
    let mut world = level_world(DT, 1.0);
    let mut car = car_with(&mut world, with_identity_load_filter(), 100.0);
    let body = &mut world.bodies[car.actor.body];
    let (velocity, spin) = (Vector::new(1.0, 2.0, 30.0), Vector::new(0.5, -1.0, 2.0));
    body.set_rotation(Rotation::from_scaled_axis(Vector::new(0.3, 1.0, -0.2)), true);
    body.set_linvel(velocity, true);
    body.set_angvel(spin, true);
    let pose = *body.position();
    let handle = car.actor.body;
    let origin = |world: &PhysicsWorld| world.bodies[handle].velocity_at_point(pose.translation);
    let before = origin(&world);
    let loaded = car.mass().with(&load());
    set_mass(&mut world, &mut car, &loaded);
    let body = &world.bodies[car.actor.body];
    assert_eq!((*body.position(), body.angvel()), (pose, spin));
    assert!(origin(&world).distance(before) < 1e-4, "{}, not {before}", origin(&world));
    // v' = v + ω × (c' - c)
    let moved = pose.rotation * (loaded.center_of_mass - SAMPLE_CENTER_OF_MASS);
    let expected = velocity + spin.cross(moved);
    assert!(body.linvel().distance(expected) < 1e-4, "{}, not {expected}", body.linvel());
    let state = car.vehicle.state.mechanics.rigid_body;
    assert_eq!(state.linear_velocity, body.linvel());
    assert!(state.pose.translation.distance(body.center_of_mass()) < 1e-4, "{state:?}");
    let properties = body.mass_properties().local_mprops;
    assert!((properties.mass() - loaded.rigid_body.mass).abs() < 1e-3);
    assert!(properties.local_com.distance(loaded.center_of_mass) < 1e-5);
    let inertia = properties.reconstruct_inertia_matrix() * Vector::ONE;
    assert!(inertia.distance(loaded.rigid_body.inertia) < 0.5, "{inertia}");
}

#[test]
fn wheels_stay_in_the_body_when_its_center_of_mass_moves() {
    let (mut world, mut car) = settled_car();
    let drawn = |car: &mut Car, world: &PhysicsWorld| {
        let poses = DrawnPoses::new(car, &world.bodies, DT).expect("in the world");
        [0, 3].map(|wheel| {
            let own = car.wheel_pose(wheel, &world.bodies).expect("in the world");
            let drawn = poses.wheel(wheel, 1.0).expect("a wheel");
            assert!(own.translation.distance(drawn.translation) < 1e-5);
            own.translation
        })
    };
    let before = drawn(&mut car, &world);
    let loaded = car.mass().with(&load());
    set_mass(&mut world, &mut car, &loaded);
    let after = drawn(&mut car, &world);
    for (before, after) in before.into_iter().zip(after) {
        assert!(after.distance(before) < 1e-5, "{after}, not {before}");
    }
}

#[test]
fn bad_masses_are_named_and_change_nothing() {
    let (mut world, mut car) = settled_car();
    let good = car.mass();
    let with = |mass| {
        let mut bad = good;
        bad.rigid_body.mass = mass;
        bad
    };
    let at = |center_of_mass| MassDistribution { center_of_mass, ..good };
    let cases = [
        (with(-1.0), "mass.mass must be positive and finite, got -1"),
        (at(Vector::NAN), "mass.center_of_mass must be finite, got [NaN, NaN, NaN]"),
        (at(Vector::Z * -5.0), "sprung_mass must be positive and finite"),
    ];
    let visible = |world: &PhysicsWorld, car: &Car| {
        let properties = world.bodies[car.actor.body].mass_properties().local_mprops;
        format!("{:?} {:?} {properties:?}", car.vehicle, car.actor)
    };
    for (mass, message) in cases {
        let before = visible(&world, &car);
        let (bodies, colliders) = (&mut world.bodies, &world.colliders);
        let error = car.set_mass(bodies, colliders, &mass, SprungMasses::Balance).unwrap_err();
        assert!(error.to_string().contains(message), "{error}, not {message}");
        assert_eq!(visible(&world, &car), before, "{message}");
    }
}

#[test]
fn other_tires_grip_from_the_next_step_on() {
    let (mut world, mut car) = settled_car();
    roll(&mut world, &mut car, 10.0, 10.0 / 0.343_252);
    drive(&mut world, &mut car, 0.2);
    let frictions = |car: &Car| -> [Real; 4] {
        std::array::from_fn(|wheel| car.vehicle.state.mechanics.tires.of(wheel).grip.friction)
    };
    assert_eq!(frictions(&car), [1.0; 4]);

    // Tires that grip half as well: the parameters are shared, and copied for this car only.
    let model = car.vehicle.params().clone();
    let before = format!("{:?}", car.vehicle.state);
    let mut slick = model.mechanics.clone();
    for tire in &mut slick.tires {
        tire.friction_vs_slip =
            tire.friction_vs_slip.map(|(slip, friction)| (slip, 0.5 * friction));
    }
    car.vehicle.set_mechanics(slick).expect("good tires");
    assert_eq!(format!("{:?}", car.vehicle.state), before, "nothing jumps");
    assert_eq!(model.mechanics.tires[0].friction_vs_slip[0].1, 1.0, "other cars keep theirs");
    drive(&mut world, &mut car, DT);
    assert_eq!(frictions(&car), [0.5; 4]);

    // And in the rain, which is a matter of the road.
    let ground = world.colliders.iter().next().expect("the ground").0;
    car.road.friction = FrictionTable::default().with_collider(ground, 0.6);
    drive(&mut world, &mut car, DT);
    assert_eq!(frictions(&car), [0.3; 4]);
}

#[test]
fn car_on_three_wheels_stands_as_the_balance_of_moments_says() {
    let (mut world, mut car) = truck();
    // Nothing but the wheels is to touch the ground.
    let hull = world.bodies[car.actor.body].colliders()[0];
    world.colliders[hull].set_sensor(true);
    let mut mass = car.mass();
    // Above the middle of the wheels that are left.
    mass.center_of_mass += Vector::new(0.265, 0.0, 0.2);
    mass.rigid_body.mass = 1_800.0;
    car.detach_wheel(&mut world.bodies, 2).expect("a wheel");
    set_mass(&mut world, &mut car, &mass);
    drive(&mut world, &mut car, 4.0);
    let left = [0, 1, 3];
    let params = &car.vehicle.params().mechanics;
    let force_point = Vector::new(0.0, 0.0, -0.112_05);
    let positions =
        left.map(|wheel| params.suspensions[wheel].attachment.translation + force_point);
    let masses = sprung_masses(&positions, 1_800.0, SAMPLE_FRAME.vertical_axis()).unwrap();
    let loads = normal_loads(&car);
    assert_eq!(loads[2], 0.0);
    for (wheel, mass) in left.into_iter().zip(masses) {
        let expected = mass * 9.81;
        // The car leans a little: its center of mass is not just where it was.
        let error = loads[wheel] / expected - 1.0;
        assert!(error.abs() < 0.04, "wheel {wheel}: {loads:?} N, not {expected} N");
    }
    let sum: Real = loads.iter().sum();
    assert!((sum / (1_800.0 * 9.81) - 1.0).abs() < 1e-3, "{sum} N");
}

#[test]
fn corner_without_a_wheel_falls_onto_the_hull_and_comes_up_again() {
    let (mut world, mut car) = settled_car();
    car.vehicle.commands.brakes[0] = 1.0;
    assert_eq!(drive(&mut world, &mut car, 3.0), Activity::Asleep);
    let corner = |world: &PhysicsWorld, car: &Car| {
        let attachment = Vector::new(-0.8, 0.0, 4.0);
        (world.bodies[car.actor.body].position().transform_point(attachment)).y
    };
    let before = corner(&world, &car);
    car.detach_wheel(&mut world.bodies, 0).expect("a wheel");
    let drawn = DrawnPoses::new(&car, &world.bodies, DT).expect("in the world");
    assert_eq!(drawn.wheel(0, 1.0), None);
    assert_eq!(drive(&mut world, &mut car, DT), Activity::Awake);
    assert_eq!(drive(&mut world, &mut car, 4.0), Activity::Asleep);
    let fallen = before - corner(&world, &car);
    assert!(0.05 < fallen, "the corner has fallen by {fallen} m");
    // What is saved is what is loaded.
    let saved = serde_json::to_string(&car.vehicle.state).expect("plain data");
    car.vehicle.state = serde_json::from_str(&saved).expect("the same");
    assert!(car.vehicle.state.mechanics.wheels.of(0).is_detached);
    car.attach_wheel(&mut world.bodies, 0).expect("a wheel");
    drive(&mut world, &mut car, 4.0);
    let risen = corner(&world, &car) - before;
    assert!(risen.abs() < 0.01, "{risen} m from where it was");
}

#[test]
fn wheels_that_do_not_exist_are_named() {
    let (mut world, mut car) = settled_car();
    let before = format!("{:?}", car.vehicle);
    let message = "wheel must be a wheel below 4, got 4";
    let bodies = &mut world.bodies;
    assert_eq!(car.detach_wheel(bodies, 4).unwrap_err().to_string(), message);
    assert_eq!(car.attach_wheel(bodies, 4).unwrap_err().to_string(), message);
    assert_eq!(format!("{:?}", car.vehicle), before);
}

/// Drives on while every wheel in turn is lost and put on again, then without any; the car moves on
/// with three of its wheels.
fn lose_wheels<V: Drivable + HasMechanics>(
    what: &str,
    world: &mut PhysicsWorld,
    car: &mut RapierVehicle<V>,
) {
    let speed = |car: &mut RapierVehicle<V>, wheel: usize| {
        car.vehicle.mechanics().state.wheels.of(wheel).rotation_speed
    };
    drive(world, car, 1.0);
    for wheel in 0..4 {
        car.detach_wheel(&mut world.bodies, wheel).expect("a wheel");
        for _ in 0..30 {
            car.step(world).unwrap_or_else(|error| panic!("{what}, wheel {wheel}: {error}"));
            let state = &car.vehicle.mechanics().state;
            assert_eq!(state.roads.of(wheel), None, "{what}, wheel {wheel}");
            assert_eq!(state.wheels.of(wheel).rotation_speed, 0.0, "{what}, wheel {wheel}");
        }
        let fastest = (0..4).map(|other| speed(car, other).abs()).fold(0.0, Real::max);
        assert!(1.0 < fastest, "{what} without wheel {wheel}: {fastest} rad/s");
        assert!(fastest < 500.0, "{what} without wheel {wheel}: {fastest} rad/s");
        car.attach_wheel(&mut world.bodies, wheel).expect("a wheel");
        drive(world, car, 1.0);
        assert!(1.0 < speed(car, wheel).abs(), "{what}: wheel {wheel} turns again");
    }
    for wheel in 0..4 {
        car.detach_wheel(&mut world.bodies, wheel).expect("a wheel");
    }
    for _ in 0..120 {
        car.step(world).unwrap_or_else(|error| panic!("{what}, no wheel: {error}"));
    }
    let state = &car.vehicle.mechanics().state;
    assert!(state.is_finite() && state.wheels.iter().all(|wheel| wheel.rotation_speed == 0.0));
}

fn with_engine<D: DifferentialModel + Clone>(
    params: EngineDriveParams<vehicle_rapier::core::tire::BrushTire, D>,
) -> (PhysicsWorld, RapierVehicle<EngineDriveVehicleWith<vehicle_rapier::core::tire::BrushTire, D>>)
{
    let mut world = level_world(DT, 1.0);
    let pose = Pose::from_translation(Vector::Y * SAMPLE_REST_HEIGHT);
    let chassis = sample_chassis(&params.mechanics.rigid_body, pose);
    let vehicle = EngineDriveVehicleWith::new(params).expect("valid parameters");
    let sequence = EngineDriveVehicleWith::sequence();
    let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    car.vehicle.controls.gear = GearCommand::Automatic;
    car.vehicle.controls.thrusts = [1.0; 2];
    car.vehicle.commands.throttle = 0.5;
    (world, car)
}

#[test]
fn every_drivetrain_copes_with_lost_wheels() {
    let (mut world, mut car) = settled_car();
    car.vehicle.commands.throttle = 0.5;
    lose_wheels("direct drive", &mut world, &mut car);

    let open = SampleDifferential::FourWheel { is_slip_limited: false };
    let params = |differential: DifferentialParams| {
        let mut params = sample_engine_drive(open).expect("valid data");
        params.drivetrain.differential = differential;
        params
    };
    let sample = params(sample_engine_drive(open).unwrap().drivetrain.differential);
    let DifferentialParams::FourWheel(four) = sample.drivetrain.differential.clone() else {
        panic!("the sample has four wheels")
    };
    let slip = Some(LimitedSlipParams { bias: 1.3, target: 1.29 });
    let limited = LimitedSlips { center: slip, front: slip, rear: slip, ..LimitedSlips::default() };
    let locked = Some(LimitedSlipParams::LOCKED);
    let rigid = LimitedSlips { center: locked, front: locked, rear: locked, ..limited };
    let splitting = torque_splitting();
    let mut four_limited = four.clone();
    four_limited.limited_slip = limited;
    let mut four_rigid = four.clone();
    four_rigid.limited_slip = rigid;
    let kinds = [
        ("open", DifferentialParams::FourWheel(four)),
        ("limited slip", DifferentialParams::FourWheel(four_limited)),
        ("locked", DifferentialParams::FourWheel(four_rigid)),
        ("torque splitting", DifferentialParams::TorqueSplitting(splitting)),
        ("rear", DifferentialParams::MultiWheel(MultiWheelDifferentialParams::equal(4, &[2, 3]))),
    ];
    for (name, differential) in kinds {
        let (mut world, mut car): (_, RapierVehicle<EngineDriveVehicle>) =
            with_engine(params(differential));
        lose_wheels(name, &mut world, &mut car);
    }
    let tank = sample_tank(TankBrakes::PerTrack).expect("valid data");
    let (mut world, mut tank): (_, RapierVehicle<TankVehicle>) = with_engine(tank);
    lose_wheels("tank", &mut world, &mut tank);
}

#[test]
fn limited_slip_does_not_tear_at_the_wheel_beside_a_lost_one() {
    let slip = Some(LimitedSlipParams { bias: 1.3, target: 1.29 });
    let mut params =
        sample_engine_drive(SampleDifferential::FourWheel { is_slip_limited: false }).unwrap();
    if let DifferentialParams::FourWheel(differential) = &mut params.drivetrain.differential {
        differential.limited_slip =
            LimitedSlips { center: slip, front: slip, rear: slip, ..LimitedSlips::default() };
    }
    let (mut world, mut car) = with_engine(params);
    let hull = world.bodies[car.actor.body].colliders()[0];
    world.colliders[hull].set_sensor(true);
    drive(&mut world, &mut car, 3.0);
    car.detach_wheel(&mut world.bodies, 0).expect("a wheel");
    drive(&mut world, &mut car, 0.5);
    let wheels = &car.vehicle.state.mechanics.wheels;
    let [front, rear] = [1, 3].map(|wheel| wheels.of(wheel).rotation_speed);
    let ratio = front / rear;
    assert!(
        (1.0 / 1.35..1.35).contains(&ratio),
        "{front} rad/s beside the lost wheel, {rear} rad/s"
    );
}

#[test]
fn every_entry_names_a_removed_body_and_changes_nothing() {
    let (mut world, mut car) = settled_car();
    let mut poses = DrawnPoses::new(&car, &world.bodies, DT).expect("in the world");
    let mass = car.mass();
    world.remove_body(car.actor.body);
    let removed =
        format!("the vehicle's body {:?} is not in the world: was it removed?", car.actor.body);
    let before = format!("{:?} {:?} {poses:?}", car.vehicle, car.actor);
    let check = |name: &str, error: Option<String>| {
        assert_eq!(error.as_deref(), Some(&*removed), "{name}");
    };
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let (bodies, colliders) = (&mut world.bodies, &world.colliders);
    check("teleport", car.teleport(bodies, Pose::IDENTITY).err().map(|error| text(&error)));
    check("upright", car.upright_pose(bodies, Vector::Y, 0.0).err().map(|error| text(&error)));
    check("wheel pose", car.wheel_pose(0, bodies).err().map(|error| text(&error)));
    let set = car.set_mass(bodies, colliders, &mass, SprungMasses::Keep);
    check("mass", set.err().map(|error| text(&error)));
    check("detach", car.detach_wheel(bodies, 0).err().map(|error| text(&error)));
    check("attach", car.attach_wheel(bodies, 0).err().map(|error| text(&error)));
    check("record", poses.record(&car, bodies, DT).err().map(|error| text(&error)));
    check("draw", DrawnPoses::new(&car, bodies, DT).err().map(|error| text(&error)));
    let (vehicle, actor) = (&mut car.vehicle, &mut car.actor);
    check("begin", actor.begin(vehicle, bodies).err().map(|error| text(&error)));
    check("end", actor.end(vehicle, bodies, 1.0, DT).err().map(|error| text(&error)));
    let woken = actor.watch_ground(vehicle, bodies, colliders, Vector::ZERO);
    check("wake", woken.err().map(|error| text(&error)));
    let pushed = actor.push_ground(vehicle, &mut (&mut world).into(), &SAMPLE_FRAME, 1.0);
    check("push", pushed.err().map(|error| text(&error)));
    check("update", car.update(&mut world).err().map(|error| text(&error)));
    check("step", car.step(&mut world).err().map(|error| text(&error)));
    assert_eq!(format!("{:?} {:?} {poses:?}", car.vehicle, car.actor), before);
}

#[test]
fn mounts_follow_the_center_of_mass() {
    let params: MechanicalParams = with_identity_load_filter().mechanics;
    let shift = Vector::new(0.1, -0.2, 0.3);
    let moved = params.clone().with_mass(params.rigid_body, shift);
    for (before, after) in params.suspensions.iter().zip(&moved.suspensions) {
        assert_eq!(after.attachment.translation, before.attachment.translation - shift);
    }
    assert_eq!(moved.aerodynamics.drag_point, params.aerodynamics.drag_point - shift);
}
