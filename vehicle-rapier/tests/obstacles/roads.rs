//! Roads on which nothing stands: wheels that meet obstacles ride them as others do.

use rapier3d::prelude::*;
use snippets::noise::Noise;
use snippets::presets;
use snippets::scenes::strip;
use vehicle_rapier::Detail;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::road_query::RoadQueryShape;

use crate::giving_way::set_off;

/// Steps per second and most substeps.
const RATES: [(Real, u32); 4] = [(30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1)];

/// Where the road before the origin begins (m).
const BEFORE: [Real; 2] = [-60.0, 0.0];

/// A ramp of so many degrees behind the origin.
fn ramp(degrees: Real) -> Vec<[Real; 2]> {
    let angle = degrees.to_radians();
    vec![BEFORE, [0.0, 0.0], [60.0 * angle.cos(), 60.0 * angle.sin()]]
}

/// A dip of this radius (m) in pieces of this length (m).
fn dip(radius: Real, length: Real) -> Vec<[Real; 2]> {
    let mut profile = vec![BEFORE, [0.0, 0.0]];
    let (mut angle, mut place): (Real, [Real; 2]) = (0.0, [0.0; 2]);
    for (turn, arc) in [(-1.0, 0.25), (1.0, 0.5), (-1.0, 0.25)] {
        for _ in 0..(arc * radius / length) as usize {
            angle += turn * length / radius;
            place = [place[0] + length * angle.cos(), place[1] + length * angle.sin()];
            profile.push(place);
        }
    }
    profile.push([place[0] + 60.0, place[1]]);
    profile
}

/// A road that is rough by `height` (m) in pieces of this length (m).
fn rough(height: Real, length: Real) -> Vec<[Real; 2]> {
    let mut noise = Noise(3);
    let pieces = (60.0 / length) as usize;
    let corner = |piece| [piece as Real * length, noise.within(-height, height)];
    [BEFORE, [0.0, 0.0]].into_iter().chain((1..pieces).map(corner)).collect()
}

fn roads() -> Vec<(String, Vec<[Real; 2]>)> {
    let ramps = [5.0, 15.0, 30.0].map(|angle| (format!("ramp of {angle} degrees"), ramp(angle)));
    let dips = [(15.0, 0.1), (30.0, 0.5)]
        .map(|(radius, length)| (format!("dip, {radius} m, {length} m"), dip(radius, length)));
    let rough = [(0.002, 0.1), (0.01, 0.25), (0.05, 0.5)].map(|(height, length)| {
        (format!("rough by {height} m, {length} m"), rough(height, length))
    });
    ramps.into_iter().chain(dips).chain(rough).collect()
}

/// Speed after a ride (m/s), and the greatest height (m).
fn ride(
    name: &str,
    profile: &[[Real; 2]],
    speed: Real,
    (rate, substeps): (Real, u32),
    meets: bool,
) -> [Real; 2] {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    world.insert_collider(strip(profile, 10.0).expect("a mesh").friction(1.0), None);
    world.detect_collisions(&(), &());
    let vehicle = presets::vehicle(name).expect("a preset");
    let back = 4.0 + 0.2 * speed;
    let place = Vector::new(0.0, vehicle.standing_height(GRAVITY), -back);
    let mut car = vehicle.insert(&mut world, Pose::from_translation(place));
    let hull: Vec<_> = world.bodies[car.body()].colliders().to_vec();
    for collider in hull {
        world.colliders[collider].set_collision_groups(InteractionGroups::none());
    }
    car.params.meets_obstacles = meets;
    car.detail = Detail { max_substeps: substeps, ..Detail::FULL };
    car.select(Selector::Neutral);
    for _ in 0..5 {
        car.step(&mut world).expect("the car can be driven");
    }
    set_off(&mut world, &mut car, speed);
    let mut highest: Real = 0.0;
    for _ in 0..((2.0 * back / speed + 0.5) * rate) as usize {
        car.step(&mut world).expect("the car can be driven");
        highest = highest.max(world.bodies[car.body()].translation().y);
    }
    [world.bodies[car.body()].linvel().length(), highest]
}

#[test]
fn ramps_dips_and_rough_roads_are_no_obstacles() {
    let mut faults = Vec::new();
    for (road, profile) in roads() {
        for name in ["hot_hatch", "kart", "truck_6x6", "rc_car"] {
            for speed in [3.0, 8.0] {
                for rate in RATES {
                    let [with, without] =
                        [true, false].map(|meets| ride(name, &profile, speed, rate, meets));
                    let slower = (with[0] - without[0]).abs() / speed;
                    if 0.03 < slower || 0.05 < (with[1] - without[1]).abs() {
                        let what = format!("{name} on {road} at {speed} m/s, {rate:?}");
                        faults.push(format!("{what}: {with:?}, {without:?}"));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

/// Speed and height of a preset that has coasted onto a kerb, a box `kerb` high (m), from `ground`
/// (m/s, m).
fn onto_a_kerb(
    (name, shape, kerb): (&str, RoadQueryShape, Real),
    ground: ColliderBuilder,
    (rate, substeps): (Real, u32),
) -> [Real; 2] {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    world.insert_collider(ground.friction(1.0), None);
    let middle = Vector::new(0.0, kerb - 0.5, 10.0);
    let kerb = ColliderBuilder::cuboid(5.0, 0.5, 10.0).translation(middle);
    world.insert_collider(kerb.friction(1.0), None);
    world.detect_collisions(&(), &());
    let vehicle = presets::vehicle(name).expect("a preset");
    let place = Vector::new(0.3, vehicle.standing_height(GRAVITY), -5.0);
    let mut car = vehicle.insert(&mut world, Pose::from_translation(place));
    car.road.shape = shape;
    car.detail = Detail { max_substeps: substeps, ..Detail::FULL };
    car.select(Selector::Neutral);
    for _ in 0..5 {
        car.step(&mut world).expect("the car can be driven");
    }
    set_off(&mut world, &mut car, 5.0);
    for _ in 0..(2.0 * rate) as usize {
        car.step(&mut world).expect("the car can be driven");
    }
    let body = &world.bodies[car.body()];
    [body.linvel().z, body.translation().y]
}

#[test]
fn a_kerb_that_stands_on_a_mesh_or_field_is_met_as_one_on_a_box() {
    let profile: Vec<_> = (-40..=40).map(|index| [0.5 * index as Real, 0.0]).collect();
    let (ray, cylinder) = (RoadQueryShape::Ray, RoadQueryShape::Cylinder);
    // A kart at 8 cm, 0.6 of its radii, stops on the edge or gets over, as the last digit decides.
    let cars = [
        ("hot_hatch", ray, 0.08),
        ("hot_hatch", cylinder, 0.08),
        ("pick_up", ray, 0.08),
        ("kart", ray, 0.05),
    ];
    for (car, rate) in cars.into_iter().flat_map(|car| RATES.map(|rate| (car, rate))) {
        let floor = ColliderBuilder::cuboid(20.0, 1.0, 20.0).translation(Vector::NEG_Y);
        let [speed, height] = onto_a_kerb(car, floor, rate);
        let field = ColliderBuilder::heightfield(
            Array2::new(41, 41, vec![0.0; 41 * 41]),
            Vector::new(40.0, 1.0, 40.0),
        );
        for (name, ground) in [("mesh", strip(&profile, 20.0).expect("a mesh")), ("field", field)] {
            let found = onto_a_kerb(car, ground, rate);
            let is_same = (found[0] - speed).abs() < 0.05 && (found[1] - height).abs() < 5e-3;
            let what = format!("{car:?} on a {name}, {rate:?}: {found:?}");
            assert!(is_same, "{what}, not {speed} m/s and {height} m");
        }
    }
}
