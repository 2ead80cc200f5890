//! Cars whose wheels have a mass.

use crate::common::saloon::{
    assert_momentum_is_kept_in_the_air, direct_saloon, drift_on_hill, momentum, plain_mechanics,
    saloon_rest_height, stiff_mechanics,
};
use crate::common::{drive, roll, sloping_world};
use rapier3d::prelude::*;
use vehicle_rapier::core::aerodynamics::AerodynamicsParams;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::vehicle::ChangeMechanics;
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};
use vehicle_rapier::{Activity, Chassis, Detail, RapierVehicle, RoadQueryShape};

const SHAPES: [RoadQueryShape; 2] = [RoadQueryShape::Ray, RoadQueryShape::Cylinder];

type Car = RapierVehicle<DirectDriveVehicle>;

/// The default car.
fn unsprung() -> DirectDriveParams {
    direct_saloon()
}

/// The default car without roll centers, and with dampers that are alike in bump and rebound.
fn plain() -> DirectDriveParams {
    DirectDriveParams { mechanics: plain_mechanics(), ..direct_saloon() }
}

/// The default car on hard springs and tires.
fn stiff() -> DirectDriveParams {
    DirectDriveParams { mechanics: stiff_mechanics(), ..direct_saloon() }
}

fn car_at(world: &mut PhysicsWorld, params: DirectDriveParams, height: Real, substeps: u32) -> Car {
    // Nothing but its wheels meets the ground.
    let pose = Pose::from_translation(Vector::Y * height);
    let chassis = Chassis::new(&params.mechanics.rigid_body).pose(pose);
    let vehicle = DirectDriveVehicle::new(params).expect("valid parameters");
    let sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps);
    RapierVehicle::insert(world, chassis, vehicle, sequence)
}

fn loads(car: &Car) -> Vec<Real> {
    car.vehicle.state.mechanics.suspensions.iter().map(|force| force.force.normal_load).collect()
}

#[test]
fn car_stands_as_high_as_without_and_sleeps() {
    for (rate, substeps) in [(30.0, 1), (60.0, 1), (60.0, 3), (240.0, 3)] {
        for shape in SHAPES {
            let mut world = sloping_world(rate, 0.0);
            let mut car = car_at(&mut world, unsprung(), saloon_rest_height(), substeps);
            car.road.shape = shape;
            car.vehicle.commands.brakes[0] = 1.0;
            drive(&mut world, &mut car, 2.0);
            let height = world.bodies[car.actor.body].translation().y;
            let case = format!("{rate} Hz, {substeps} substeps, {shape:?}");
            assert!((height - saloon_rest_height()).abs() < 0.01, "{case}: {height} m");
            let loads = loads(&car);
            let weight = car.vehicle.params().mechanics.rigid_body.mass * GRAVITY;
            let sum: Real = loads.iter().sum();
            assert!((sum / weight - 1.0).abs() < 5e-3, "{case}: {loads:?} of {weight}");
            assert_eq!(drive(&mut world, &mut car, 3.0), Activity::Asleep, "{case}");
        }
    }
}

#[test]
fn parked_car_holds_its_place_on_a_hill() {
    for (rate, substeps) in [(30.0, 1), (60.0, 1), (60.0, 3), (240.0, 3)] {
        let drift = drift_on_hill(unsprung(), (rate, substeps), 60.0);
        assert!(drift < 1e-4, "{rate} Hz, {substeps} substeps: {drift} m");
    }
}

#[test]
fn momentum_of_car_and_wheels_is_kept_in_the_air() {
    let mut world = sloping_world(60.0, 0.0);
    let mut params = unsprung();
    params.mechanics.aerodynamics = AerodynamicsParams::default();
    let mut car = car_at(&mut world, params, 60.0, 3);
    assert_momentum_is_kept_in_the_air(&mut world, &mut car);
}

#[test]
fn momentum_of_car_wheels_and_barge_is_kept() {
    for shape in SHAPES {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::ZERO;
        world.integration_parameters.dt = 1.0 / 60.0;
        let drift = Vector::new(0.5, 0.3, -0.4);
        let barge = RigidBodyBuilder::dynamic().linvel(drift).can_sleep(false);
        let deck = ColliderBuilder::cuboid(20.0, 0.5, 20.0).translation(Vector::NEG_Y * 0.5);
        let (barge, _) = world.insert(barge, deck.mass(40_000.0).friction(1.0));
        world.detect_collisions(&(), &());
        let mut params = unsprung();
        params.mechanics.aerodynamics = AerodynamicsParams::default();
        let mut car = car_at(&mut world, params, saloon_rest_height() + 0.3, 3);
        car.road.shape = shape;
        car.road.pushes_ground = true;
        let falling = drift + Vector::new(0.0, -2.0, 6.0);
        world.bodies[car.actor.body].set_linvel(falling, true);
        let total = |world: &PhysicsWorld, car: &Car| {
            let body = &world.bodies[barge];
            momentum(world, car) + body.linvel() * body.mass()
        };
        let start = total(&world, &car);
        let mut touched = 0;
        for step in 0..120 {
            car.vehicle.commands.brakes[0] = if step < 40 { 0.0 } else { 0.3 };
            car.step(&mut world).expect("the car can be driven");
            touched += usize::from(loads(&car).iter().any(|load| 0.0 < *load));
        }
        let error = (total(&world, &car) - start).length();
        let largest = falling.length() * car.vehicle.params().mechanics.rigid_body.mass;
        println!("{shape:?}: {error} of {largest} kg·m/s, {touched} steps on the barge");
        assert!(error < 1e-5 * largest.max(start.length()), "{shape:?}: {error} of {largest}");
        assert!(10 < touched, "{shape:?}: {touched} steps on the barge");
    }
}

/// A level of detail may be one without the wheels' mass: nobody sees the change.
#[test]
fn wheels_get_their_mass_and_lose_it_unnoticed() {
    let heavy = unsprung().mechanics;
    let kinds = [heavy.clone(), heavy.with_massless_wheels(GRAVITY)];
    for (first, substeps, speed) in
        [(0, 3, 0.0), (1, 3, 0.0), (0, 3, 15.0), (1, 3, 15.0), (0, 1, 15.0)]
    {
        let mut world = sloping_world(60.0, 0.0);
        let mut params = direct_saloon();
        params.mechanics = kinds[first].clone();
        let mut car = car_at(&mut world, params, saloon_rest_height(), substeps);
        drive(&mut world, &mut car, 3.0);
        roll(&mut world, &mut car, speed, speed / 0.33);
        drive(&mut world, &mut car, 2.0);
        let height = world.bodies[car.actor.body].translation().y;
        for change in 1..=3 {
            let kind = (first + change) % 2;
            car.vehicle.set_mechanics(kinds[kind].clone()).expect("valid parameters");
            let (mut moved, mut fastest): (Real, Real) = (0.0, 0.0);
            for _ in 0..60 {
                car.step(&mut world).expect("the car can be driven");
                let body = &world.bodies[car.actor.body];
                moved = moved.max((body.translation().y - height).abs());
                fastest = fastest.max(body.linvel().y.abs());
            }
            let case = format!("change {change} at {speed} m/s, {substeps} substeps, kind {kind}");
            assert!(moved < 1e-3, "{case}: moved by {moved} m");
            assert!(fastest < 1e-2, "{case}: moved at {fastest} m/s");
        }
    }
}

/// Largest load of the `car` within `time` (s), as a multiple of the weight, averaged over 1/60 s.
fn largest_load(world: &mut PhysicsWorld, car: &mut Car, time: Real) -> Real {
    let rate = world.integration_parameters.dt.recip();
    let steps = (rate / 60.0).round().max(1.0) as usize;
    let mut speeds = vec![0.0; steps];
    let mut peak: Real = 0.0;
    for step in 0..(rate * time).round() as usize {
        car.step(world).expect("the car can be driven");
        let speed = car.vehicle.state.mechanics.rigid_body.linear_velocity.y;
        let before = std::mem::replace(&mut speeds[step % steps], speed);
        peak = peak.max(1.0 + (speed - before) * rate / steps as Real / GRAVITY);
    }
    peak
}

/// Largest load after a fall from `height` (m), as a multiple of the weight, averaged over 1/60 s.
fn drop_peak(params: DirectDriveParams, height: Real, rate: Real, substeps: u32) -> Real {
    let mut world = sloping_world(rate, 0.0);
    let travel = params.mechanics.suspensions[0].travel_distance;
    let start = saloon_rest_height() + travel + height;
    let mut car = car_at(&mut world, params, start, substeps);
    largest_load(&mut world, &mut car, 1.0 + 0.5 * height.sqrt())
}

#[test]
fn falls_are_those_of_a_fine_solution() {
    let kinds = [("default", unsprung()), ("plain", plain()), ("stiff", stiff())];
    for ((name, params), height) in
        kinds.iter().flat_map(|kind| [0.3, 1.0, 3.0].map(|height| (kind, height)))
    {
        let fine = drop_peak(params.clone(), height, 4_800.0, 1);
        // From 1 m the tires end on their rims, 38 times as stiff as they are.
        let rough = if height < 1.0 { 0.2 } else { 0.3 };
        for (rate, substeps, tolerance) in
            [(60.0, 1, rough), (60.0, 3, 0.2), (240.0, 1, 0.1), (240.0, 3, 0.1)]
        {
            let found = drop_peak(params.clone(), height, rate, substeps);
            let error = found / fine - 1.0;
            println!("{name} {height} m {rate} Hz {substeps}: {found} g of {fine} g");
            assert!(
                error.abs() < tolerance,
                "{name}, {height} m, {rate} Hz, {substeps} substeps: {found} g, not {fine} g"
            );
        }
    }
}

/// Falls, and drives round a bend, on springs that a world of long steps would make stiffer.
#[test]
fn the_world_moves_a_body_where_its_substeps_have_taken_it() {
    for ((name, params), (rate, substeps)) in [("default", unsprung()), ("stiff", stiff())]
        .iter()
        .flat_map(|kind| [(30.0, 3), (60.0, 1), (60.0, 3), (240.0, 2)].map(|step| (kind, step)))
    {
        let mut world = sloping_world(rate, 0.0);
        let mut car = car_at(&mut world, params.clone(), saloon_rest_height() + 0.3, substeps);
        let (mut largest_lead, mut steps): (Real, u32) = (0.0, 0);
        let mut step = |world: &mut PhysicsWorld, car: &mut Car| {
            car.step(world).expect("the car can be driven");
            let mechanics = &car.vehicle.state.mechanics;
            let (body, state) = (&world.bodies[car.actor.body], &mechanics.rigid_body);
            let lead = state.linear_velocity - body.linvel();
            largest_lead = largest_lead.max(lead.length());
            let mut rows = mechanics.rows.iter();
            if rows.any(|row| row.longitudinal.is_some() || row.lateral.is_some()) {
                return;
            }
            steps += 1;
            let place = *body.position() * car.actor.center_of_mass;
            let off = (place.translation - state.pose.translation).length();
            let turned = place.rotation.angle_between(state.pose.rotation);
            let case = format!("{name}, {rate} Hz, {substeps} substeps, step {steps}");
            assert!(off < 1e-5, "{case}: {off} m off");
            assert!(turned < 2e-3, "{case}: {turned} rad off");
        };
        for _ in 0..rate as usize {
            step(&mut world, &mut car);
        }
        roll(&mut world, &mut car, 20.0, 20.0 / 0.33);
        (car.vehicle.commands.steer, car.vehicle.commands.throttle) = (0.2, 0.5);
        for _ in 0..rate as usize {
            step(&mut world, &mut car);
        }
        let usual = if substeps == 1 { 0.0 } else { 0.02 };
        assert!(usual <= largest_lead, "{name}, {rate} Hz: {largest_lead} m/s");
        assert!(rate as u32 / 2 < steps, "{name}, {rate} Hz: {steps} steps");
    }
}

/// What hits a body between two frames adds to the speed at the end of the first. Nothing is left
/// of a former drive where the vehicle is put at rest.
#[test]
fn blows_add_to_the_speed_at_the_end_of_a_frame() {
    let mut world = sloping_world(60.0, 0.0);
    let mut car = car_at(&mut world, stiff(), 30.0, 3);
    let speed = |car: &Car| car.vehicle.state.mechanics.rigid_body.linear_velocity;
    for _ in 0..30 {
        car.step(&mut world).expect("the car falls");
    }
    let before = speed(&car);
    assert!((before.y + 0.5 * GRAVITY).abs() < 0.05, "{before}");
    let body = &mut world.bodies[car.actor.body];
    body.apply_impulse(Vector::X * 2.0 * body.mass(), true);
    car.step(&mut world).expect("the car falls");
    let change = speed(&car) - before;
    let expected = Vector::new(2.0, -GRAVITY / 60.0, 0.0);
    assert!((change - expected).length() < 1e-2, "{change}");
    let pose = Pose::from_translation(Vector::Y * 30.0);
    car.teleport(&mut world.bodies, pose).expect("a valid pose");
    car.step(&mut world).expect("the car falls");
    let start = speed(&car) + Vector::Y * GRAVITY / 60.0;
    assert!(start.length() < 1e-2, "{start}");
}

/// How a plate vanishes from below wheels.
#[derive(Clone, Copy, Debug)]
enum Vanishing {
    Removed,
    Disabled,
    PulledAway,
}

/// The largest load of a car that stands or drives with the wheels of one side on a plate of 12 cm,
/// which vanishes: as a multiple of its weight. Then how it stands: its height (m), and the cosine
/// of its angle to the vertical.
fn load_after_vanishing(
    params: DirectDriveParams,
    plate: Vector,
    how: Vanishing,
    speed: Real,
    (rate, substeps, shape): (Real, u32, RoadQueryShape),
) -> [Real; 3] {
    let mut world = sloping_world(rate, 0.0);
    let height = 0.12;
    let slab = ColliderBuilder::cuboid(50.0, 0.5 * height, 50.0);
    let (body, collider) = world.insert(
        RigidBodyBuilder::kinematic_velocity_based()
            .translation(plate * 50.0 + Vector::Y * 0.5 * height),
        slab.friction(1.0),
    );
    world.detect_collisions(&(), &());
    let mut car = car_at(&mut world, params, saloon_rest_height() + height, substeps);
    car.road.shape = shape;
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 2.0);
    car.vehicle.commands.brakes[0] = 0.0;
    let radius = car.vehicle.params().mechanics.wheels[0].radius;
    roll(&mut world, &mut car, speed, speed / radius);
    drive(&mut world, &mut car, 0.1);
    match how {
        Vanishing::Removed => drop(world.remove_collider(collider)),
        Vanishing::Disabled => world.colliders[collider].set_enabled(false),
        Vanishing::PulledAway => world.bodies[body].set_linvel(plate * 1_000.0, true),
    }
    let load = largest_load(&mut world, &mut car, 2.0);
    let body = &world.bodies[car.actor.body];
    [load, body.translation().y, (body.rotation() * Vector::Y).y]
}

#[test]
fn wheels_fall_off_a_plate_that_vanishes_as_at_a_small_step() {
    for (name, params) in [("default", unsprung()), ("stiff", stiff())] {
        for (plate, speed) in [(Vector::Z, 0.0), (Vector::X, 0.0), (Vector::X, 20.0)] {
            for shape in SHAPES {
                let load = |how, rate, substeps| {
                    load_after_vanishing(params.clone(), plate, how, speed, (rate, substeps, shape))
                };
                let [fine, fine_height, _] = load(Vanishing::Removed, 2_400.0, 1);
                for how in [Vanishing::Removed, Vanishing::Disabled, Vanishing::PulledAway] {
                    for (rate, substeps) in [(30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1)] {
                        let [found, height, up] = load(how, rate, substeps);
                        let case = format!(
                            "{name}, plate to {plate}, {speed} m/s, {shape:?}, {how:?}, {rate} Hz, {substeps} substeps"
                        );
                        let most = if rate < 240.0 { 0.12 } else { 0.02 };
                        assert!(
                            (found / fine - 1.0).abs() < most,
                            "{case}: {found} g, not {fine} g"
                        );
                        assert!((height - fine_height).abs() < 1e-3, "{case}: {height} m high");
                        assert!(0.999 < up, "{case}: leans by the cosine {up}");
                    }
                }
            }
        }
    }
}

/// Wheels stay on the plane that they know for some frames: it leads them no further than it has
/// been seen.
#[test]
fn cars_that_are_looked_at_coarsely_drive_on() {
    for (road_period, max_substeps) in [(3, 1), (6, 1), (6, 3)] {
        let mut world = sloping_world(60.0, 0.0);
        let mut car = car_at(&mut world, unsprung(), saloon_rest_height(), 3);
        car.detail = Detail { road_period, max_substeps, ..Detail::FULL };
        car.vehicle.controls.gear = Gear::Forward;
        for step in 0..360 {
            let turns = step as Real / 360.0;
            let commands = &mut car.vehicle.commands;
            commands.throttle = 0.8;
            commands.steer = 0.2 * (std::f32::consts::TAU * turns).sin();
            car.step(&mut world).expect("the car can be driven");
            let height = world.bodies[car.actor.body].translation().y;
            let off = (height - saloon_rest_height()).abs();
            assert!(off < 0.03, "{road_period} frames: {off} m off in step {step}");
        }
        assert!(5.0 < car.forward_speed(), "{road_period} frames: {} m/s", car.forward_speed());
    }
}
