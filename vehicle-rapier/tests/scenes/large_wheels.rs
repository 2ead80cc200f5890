//! Vehicles on wheels that are larger than their hulls, which then lie on their wheels.

use rapier3d::prelude::*;
use serde_json::{Value, json};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::common::Noise;
use crate::common::grounds::drivable_world_of;

const GRAVITY: Real = 9.81;
const DROPS: u64 = 60;
/// Largest gain of a truck's energy over the least that it has had, as a part of that at the start
/// (dimensionless). Springs and tires, which are not counted, give back what they have taken.
const ALLOWED_GAIN: Real = 0.3;

/// A preset whose axles have wheels that are larger by these factors.
fn on_wheels(preset: &str, scales: [f64; 2]) -> AnyVehicle {
    let preset = AnyVehicle::preset(preset).expect("a preset");
    let text = preset.file().to_text(FileFormat::Json).expect("a text");
    let mut file: Value = serde_json::from_str(&text).expect("JSON");
    let axles = file["mechanics"]["blueprint"]["axles"].as_array_mut().expect("axles");
    for (axle, scale) in axles.iter_mut().zip(scales) {
        let radius = &mut axle["wheel"]["radius"];
        *radius = json!(scale * radius.as_f64().expect("a number"));
    }
    AnyVehicle::from_str(FileFormat::Json, &file.to_string()).expect("no faults")
}

/// The preset `pick_up` on large wheels.
fn on_large_wheels() -> AnyVehicle {
    on_wheels("pick_up", [3.0; 2])
}

/// A large box as the ground, which wheels that lie on it meet as an obstacle.
fn world_at(rate: Real) -> PhysicsWorld {
    let ground = ColliderBuilder::cuboid(1e3, 1.0, 1e3).translation(Vector::Y * -1.0);
    let mut world = drivable_world_of([ground.friction(0.9)]);
    world.integration_parameters.dt = rate.recip();
    world
}

/// A vehicle of `model` that is dropped by any height of `above` over twice that at which it stands
/// (m). It is turned anyhow, and as fast as `speeds` (m/s, rad/s).
fn tumbling(
    world: &mut PhysicsWorld,
    model: &AnyVehicle,
    noise: &mut Noise,
    above: [Real; 2],
    speeds: [Real; 2],
) -> AnyRapierVehicle {
    let height = 2.0 * model.standing_height(GRAVITY) + noise.within(above[0], above[1]);
    let turn = Rotation::from_scaled_axis(noise.vector(3.2));
    let vehicle = model.insert(world, Pose::from_parts(Vector::Y * height, turn));
    let body = &mut world.bodies[vehicle.body()];
    body.set_linvel(noise.vector(speeds[0]), true);
    body.set_angvel(noise.vector(speeds[1]), true);
    vehicle
}

/// Energy of a body per mass (J/kg).
fn energy(body: &RigidBody, inertia: Vector, mass: Real) -> Real {
    let spin = body.rotation().inverse() * body.angvel();
    let moving = body.linvel().length_squared() + (inertia * spin).dot(spin) / mass;
    0.5 * moving + GRAVITY * body.translation().y
}

#[test]
fn trucks_that_roll_over_their_wheels_are_not_thrown() {
    let model = on_large_wheels();
    for (seed, rate) in (0..DROPS).flat_map(|seed| [(seed, 60.0), (seed, 240.0)]) {
        let mut noise = Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut world = world_at(rate);
        let mut truck = tumbling(&mut world, &model, &mut noise, [0.5, 2.5], [10.0, 4.0]);
        let handle = truck.body();
        truck.commands_mut().brakes[0] = if seed % 3 == 0 { 1.0 } else { 0.0 };
        let params = &truck.mechanics().params.rigid_body;
        let (inertia, mass) = (params.inertia, params.mass);
        let start = energy(&world.bodies[handle], inertia, mass);
        let mut least = start;
        for _ in 0..(6.0 * rate) as u32 {
            truck.step(&mut world).expect("a finite state");
            let now = energy(&world.bodies[handle], inertia, mass);
            least = least.min(now);
            let case = format_args!("drop {seed} at {rate} Hz");
            let gained = now - least;
            assert!(gained < ALLOWED_GAIN * start, "{case}: {gained} of {start} J/kg");
        }
    }
}

/// Its hull bears it: beside it, tires would take their turns with that.
#[test]
fn level_ground_is_no_obstacle_to_a_truck_on_its_side() {
    let model = on_large_wheels();
    for degrees in (60_u8..=120).step_by(5) {
        let mut world = world_at(60.0);
        let turn = Rotation::from_rotation_z(Real::from(degrees).to_radians());
        let height = 1.5 * model.standing_height(GRAVITY);
        let mut truck = model.insert(&mut world, Pose::from_parts(Vector::Y * height, turn));
        for _ in 0..180 {
            truck.step(&mut world).expect("a finite state");
            for wheel in 0..truck.wheel_count() {
                let obstacles = &truck.mechanics().state.obstacles;
                let met = obstacles.get(wheel).and_then(|it| it.obstacle);
                assert_eq!(met, None, "{degrees} degrees, wheel {wheel}");
            }
        }
    }
}

#[test]
fn model_cars_on_wheels_that_outweigh_them_stay_whole() {
    for (name, scales) in [("front", [10.0, 1.0]), ("rear", [1.0, 10.0]), ("all", [10.0; 2])] {
        let model = on_wheels("rc_car", scales);
        for (seed, rate) in (0..20).flat_map(|seed| [(seed, 60.0), (seed, 240.0)]) {
            let mut noise = Noise(7 + seed);
            let mut world = world_at(rate);
            let mut car = tumbling(&mut world, &model, &mut noise, [0.1, 0.5], [4.0, 30.0]);
            let handle = car.body();
            for _ in 0..(3.0 * rate) as u32 {
                car.step(&mut world).expect("a finite state");
                let case = format_args!("{name}, drop {seed} at {rate} Hz");
                let radii = car.mechanics().params.wheels.iter().map(|wheel| wheel.radius);
                let largest = radii.fold(0.0, Real::max);
                for wheel in 0..car.wheel_count() {
                    let obstacles = &car.mechanics().state.obstacles;
                    let shift = obstacles.get(wheel).map_or(0.0, |it| it.shift);
                    assert!(shift.abs() < largest, "{case}: wheel {wheel} is {shift} m off");
                }
                let speed = world.bodies[handle].linvel().length();
                assert!(speed < 30.0, "{case}: {speed} m/s");
            }
        }
    }
}
