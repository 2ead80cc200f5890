//! Wheels that come off: momentum and mass are kept, and they roll on.

use crate::common::DT;
use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::core::mass_distribution::MassDistribution;
use vehicle_rapier::core::rigid_body::RigidBodyParams;
use vehicle_rapier::core::vehicle::HasMechanics;
use vehicle_rapier::vehicle_file::{AnyDriveVehicle, AnyRapierVehicle, AnyVehicle, Preset};
use vehicle_rapier::{
    Chassis, Drivable, Fleet, LooseWheel, RapierVehicle, SprungMasses, WheelLimits,
};

/// A vehicle that drives at 10 m/s, in a bend.
fn driving(preset: &str) -> (PhysicsWorld, AnyRapierVehicle) {
    let mut world = level_world(DT, 1.0);
    let model = AnyVehicle::preset(preset).expect("a preset");
    let place = Vector::Y * model.standing_height(9.81);
    let mut car = model.insert(&mut world, Pose::from_translation(place));
    world.bodies[car.body()].set_linvel(Vector::Z * 10.0, true);
    car.commands_mut().throttle = 0.2;
    car.commands_mut().steer = 0.1;
    step(&mut world, &mut car, 60);
    (world, car)
}

fn step<V: Drivable>(world: &mut PhysicsWorld, car: &mut RapierVehicle<V>, count: usize) {
    for _ in 0..count {
        car.step(world).expect("the vehicle can be driven");
    }
}

/// Momentum, and angular momentum about the origin, of bodies, and of what turns and moves in
/// `car`, in doubles.
fn momenta<V: Drivable + HasMechanics>(
    world: &PhysicsWorld,
    car: &RapierVehicle<V>,
    about: Vector,
) -> [[f64; 3]; 2] {
    let mut sums = [[0.0; 3]; 2];
    let mut add = |mass: Real, place: Vector, velocity: Vector, own: Vector| {
        let (p, r, v) = (f64::from(mass), (place - about).as_dvec3(), velocity.as_dvec3());
        let momentum = v * p;
        let angular = r.cross(momentum) + own.as_dvec3();
        for axis in 0..3 {
            sums[0][axis] += momentum[axis];
            sums[1][axis] += angular[axis];
        }
    };
    for (_, body) in world.bodies.iter().filter(|(_, body)| body.is_dynamic()) {
        let local = &body.mass_properties().local_mprops;
        let axes = body.rotation() * local.principal_inertia_local_frame;
        let own = axes * (local.principal_inertia() * (axes.inverse() * body.angvel()));
        add(body.mass(), body.center_of_mass(), body.linvel(), own);
    }
    let mechanics = car.mechanics();
    for wheel in mechanics.state.attached_wheels() {
        let pose = car.wheel_pose(wheel, &world.bodies).expect("a wheel");
        let axle = pose.rotation * car.params.coordinates.frame.lateral();
        let params = &mechanics.params.wheels[wheel];
        let turning = mechanics.state.wheels.of(wheel).rotation_speed * params.inertia;
        let travel = mechanics.params.suspensions[wheel].travel_direction;
        let speed = mechanics.state.suspensions.of(wheel).compression.jounce_speed;
        let axes = *world.bodies[car.body()].rotation() * car.actor.center_of_mass.rotation;
        let own_motion = if mechanics.params.suspension_dynamics.has_mass() {
            axes * travel * -speed
        } else {
            Vector::ZERO
        };
        add(params.mass, pose.translation, own_motion, axle * turning);
    }
    sums
}

#[test]
fn momentum_and_mass_are_kept_as_wheels_come_off() {
    for preset in Preset::ALL {
        let (mut world, mut car) = driving(preset.name);
        let count = car.wheel_count();
        for wheel in [count - 1, 0] {
            let about = world.bodies[car.body()].center_of_mass();
            let heavy = car.mass().rigid_body.mass;
            let pose = car.wheel_pose(wheel, &world.bodies).expect("a wheel");
            let before = momenta(&world, &car, about);
            let loose = car.lose_wheel(&mut world, wheel).expect("a wheel");
            let after = momenta(&world, &car, about);
            let what = format!("{}, wheel {wheel}", preset.name);

            let body = &world.bodies[loose.body];
            let apart = body.translation().distance(pose.translation);
            let turned = 1.0 - body.rotation().dot(pose.rotation).abs();
            assert!(apart < 1e-5 && turned < 1e-5, "{what}: {:?}, not {pose:?}", body.position());
            let sum = car.mass().rigid_body.mass + body.mass();
            assert!((sum / heavy - 1.0).abs() < 1e-6, "{what}: {sum} kg, not {heavy} kg");
            let chassis = &world.bodies[car.body()];
            assert!((chassis.mass() / car.mass().rigid_body.mass - 1.0).abs() < 1e-6, "{what}");
            for (kind, (before, after)) in before.into_iter().zip(after).enumerate() {
                let length = |all: [f64; 3]| all.iter().map(|x| x * x).sum::<f64>().sqrt();
                let change = [0, 1, 2].map(|axis| after[axis] - before[axis]);
                // Numbers of single precision, of which the wheel is a small part.
                let scale = length(before).max(f64::from(heavy) * 0.1);
                let error = length(change) / scale;
                assert!(error < 2e-6, "{what}, {kind}: {before:?}, then {after:?}");
            }
        }
    }
}

#[test]
fn a_lost_wheel_rolls_on_and_comes_back_with_its_mass() {
    let (mut world, mut car) = driving("hot_hatch");
    let whole = car.mass();
    let speed = car.forward_speed();
    let loose = car.lose_wheel(&mut world, 1).expect("a wheel");
    let saved = serde_json::to_string(&loose).expect("plain data");
    assert_eq!(serde_json::from_str::<vehicle_rapier::LooseWheel>(&saved).expect("it"), loose);
    let begin = world.bodies[loose.body].translation();
    step(&mut world, &mut car, 30);
    let body = &world.bodies[loose.body];
    let way = body.translation().distance(begin);
    assert!(0.3 * speed < way && way < 0.7 * speed, "{way} m in half a second at {speed} m/s");
    assert!(body.linvel().length() < 1.5 * speed, "{} m/s", body.linvel());
    // What is saved in this world is restored in it.
    let snapshot = car.snapshot(&world.bodies).expect("a body");
    let motion = |world: &PhysicsWorld, car: &AnyRapierVehicle| {
        let body = &world.bodies[car.body()];
        (*body.position(), *body.vels())
    };
    let bodies = world.bodies.clone();
    step(&mut world, &mut car, 20);
    let expected = motion(&world, &car);
    for (handle, body) in bodies.iter() {
        world.bodies[handle].set_position(*body.position(), true);
        world.bodies[handle].set_vels(*body.vels(), true);
    }
    car.restore(&mut world, &snapshot).expect("it fits");
    step(&mut world, &mut car, 20);
    let found = motion(&world, &car);
    assert!(found.0.translation.distance(expected.0.translation) < 0.02, "{found:?}, {expected:?}");

    car.refit_wheel(&mut world, &loose).expect("it was lost");
    assert!(!world.bodies.contains(loose.body));
    let mass = car.mass();
    assert!((mass.rigid_body.mass / whole.rigid_body.mass - 1.0).abs() < 1e-6);
    assert!(mass.center_of_mass.distance(whole.center_of_mass) < 1e-5, "{mass:?}, {whole:?}");
    let error = mass.rigid_body.inertia / whole.rigid_body.inertia - Vector::ONE;
    assert!(error.abs().max_element() < 1e-4, "{mass:?}, not {whole:?}");
    step(&mut world, &mut car, 60);
    assert!(car.mechanics().state.suspensions.of(1).force.normal_load > 0.0, "it carries again");
}

#[test]
fn faults_are_named_and_change_nothing() {
    let (mut world, mut car) = driving("hot_hatch");
    let seen = |world: &PhysicsWorld, car: &AnyRapierVehicle| {
        (format!("{:?} {:?}", car.vehicle, car.actor), world.bodies.len())
    };
    let loose = car.lose_wheel(&mut world, 2).expect("a wheel");
    let stone = world.insert_body(RigidBodyBuilder::dynamic().additional_mass(300.0));
    world.bodies[stone].recompute_mass_properties_from_colliders(&world.colliders);
    let before = seen(&world, &car);
    let message = |result: Result<_, vehicle_rapier::ChangeError>| {
        result.map(|_: ()| ()).unwrap_err().to_string()
    };
    let lost = message(car.lose_wheel(&mut world, 2).map(|_| ()));
    assert_eq!(lost, "wheel must be the number of a wheel that is not lost, got 2");
    let none = message(car.lose_wheel(&mut world, 4).map(|_| ()));
    assert_eq!(none, "wheel must be a wheel below 4, got 4");
    let limits = WheelLimits { load: Some(-1.0), impulse: None };
    let limits = message(car.lose_overloaded_wheels(&mut world, &limits).map(|_| ()));
    assert!(limits.starts_with("limits.load must be positive"), "{limits}");
    for body in [car.body(), stone] {
        let other = LooseWheel { body, ..loose };
        let other = message(car.refit_wheel(&mut world, &other));
        assert!(other.starts_with("loose.body must be of"), "{other}");
    }
    assert_eq!(seen(&world, &car), before);
    car.refit_wheel(&mut world, &loose).expect("it is lost");
    assert!(world.bodies.contains(stone) && !world.bodies.contains(loose.body));
    let twice = message(car.refit_wheel(&mut world, &loose));
    assert_eq!(twice, "wheel must be the number of a lost wheel, got 2");
}

#[test]
fn overloaded_wheels_come_off_in_a_fleet() {
    let mut world = level_world(DT, 1.0);
    let model = AnyVehicle::preset("hot_hatch").expect("a preset");
    let mut fleet = Fleet::new();
    let handles = [0.0, 1.5].map(|drop| {
        let place = Vector::new(10.0 * drop, model.standing_height(9.81) + drop, 0.0);
        fleet.insert(model.insert(&mut world, Pose::from_translation(place)))
    });
    let limits = WheelLimits { load: Some(12_000.0), impulse: None };
    let mut lost = [0, 0];
    for _ in 0..120 {
        assert!(fleet.step(&mut world).is_empty());
        for (lost, &handle) in lost.iter_mut().zip(&handles) {
            let car: &mut RapierVehicle<AnyDriveVehicle> = &mut fleet[handle];
            *lost += car.lose_overloaded_wheels(&mut world, &limits).expect("wheels").len();
        }
    }
    assert_eq!(lost[0], 0, "the car that stands keeps its wheels");
    assert!(0 < lost[1], "the car that fell loses wheels");
    assert_eq!(world.bodies.iter().filter(|(_, body)| body.is_dynamic()).count(), 2 + lost[1]);
}

#[test]
fn wheels_that_came_off_before_one_that_cannot_are_told() {
    let (mut world, mut car) = driving("hot_hatch");
    let params = car.mechanics().params;
    let sprung: Real = params.suspension_forces.iter().map(|force| force.sprung_mass).sum();
    // It may weigh no less than a quarter of its sprung masses, which stay: one wheel may go.
    let mass = 0.25 * sprung + 1.5 * params.wheels[0].mass;
    let rigid_body = RigidBodyParams { mass, inertia: Vector::splat(2_000.0) };
    let light = MassDistribution { rigid_body, ..car.mass() };
    let PhysicsWorld { bodies, colliders, .. } = &mut world;
    car.set_mass(bodies, colliders, &light, SprungMasses::Keep).expect("a mass");
    let limits = WheelLimits { load: Some(1.0), impulse: None };
    let lost = car.lose_overloaded_wheels(&mut world, &limits).expect("one comes off");
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert!(world.bodies.contains(lost[0].body));
    let (before, left) = (world.bodies.len(), car.mass());
    car.lose_overloaded_wheels(&mut world, &limits).expect_err("too light");
    assert_eq!((world.bodies.len(), car.mass()), (before, left));
}

#[test]
fn a_wheel_that_hits_a_kerb_comes_off() {
    let mut world = level_world(DT, 1.0);
    let kerb = ColliderBuilder::cuboid(0.6, 0.22, 0.2).translation(Vector::new(0.75, 0.22, 12.0));
    world.insert_collider(kerb.friction(0.5), None);
    world.detect_collisions(&(), &());
    let model = AnyVehicle::preset("hot_hatch").expect("a preset");
    let car =
        model.insert(&mut world, Pose::from_translation(Vector::Y * model.standing_height(9.81)));
    // The same vehicle, with colliders of its wheels alone.
    let vehicle = car.vehicle.clone();
    let (sequence, center) = (car.sequence.clone(), car.actor.center_of_mass);
    car.remove(&mut world);
    let frame = vehicle_rapier::core::Frame::Y_UP;
    let mechanics = vehicle.read_mechanics().params;
    let chassis = Chassis::new(&mechanics.rigid_body)
        .pose(Pose::from_translation(Vector::Y * model.standing_height(9.81)))
        .center_of_mass(center)
        .wheel_colliders(mechanics, &frame);
    let mut car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
    world.bodies[car.body()].set_linvel(Vector::Z * 12.0, true);
    let limits = WheelLimits { load: None, impulse: Some(800.0) };
    let mut lost = Vec::new();
    for _ in 0..120 {
        // The wreck falls onto its other wheels, for it has no hull.
        if !lost.is_empty() {
            break;
        }
        car.step(&mut world).expect("the car can be driven");
        lost.extend(car.lose_overloaded_wheels(&mut world, &limits).expect("wheels"));
    }
    assert!(!lost.is_empty(), "no wheel is lost");
    // Left is X.
    assert!(lost.iter().all(|loose| loose.part.center_of_mass.x > 0.0), "{lost:?}");
}
