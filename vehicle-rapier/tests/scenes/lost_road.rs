//! Wheels with mass and their road: put into it, dropped onto it, below plates, in loops and dips.

use std::f32::consts::TAU;

use crate::common::saloon::{direct_saloon, insert_saloon, saloon_rest_height};
use crate::common::{Noise, drive};
use rapier3d::prelude::*;
use snippets::presets::{self, driven};
use snippets::scenes::{level_world, strip};
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::suspension::ContactShape;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle, MechanicsSource};
use vehicle_rapier::{Detail, RapierVehicle, RoadFilter, RoadQueryShape};

const SHAPES: [RoadQueryShape; 2] = [RoadQueryShape::Ray, RoadQueryShape::Cylinder];

/// Steps per second and substeps.
const RATES: [(Real, u32); 4] = [(30.0, 1), (60.0, 1), (60.0, 3), (240.0, 3)];

type Car = RapierVehicle<DirectDriveVehicle>;

/// The saloon in `world` at `pose` (m), with a hull.
fn saloon(world: &mut PhysicsWorld, pose: Pose, substeps: u32, shape: RoadQueryShape) -> Car {
    let mut car = insert_saloon(world, direct_saloon(), pose, substeps);
    car.road.shape = shape;
    car
}

fn at(height: Real) -> Pose {
    Pose::from_translation(Vector::Y * height)
}

/// Whether every wheel carries.
fn carry_all(car: &Car) -> bool {
    let forces = &car.vehicle.state.mechanics.suspensions;
    forces.iter().all(|force| 0.0 < force.force.normal_load)
}

/// Largest acceleration of the body of number `body` without gravity within a step of `seconds` of
/// steps of a `world` (m/s²); `step` makes one.
fn felt(
    world: &mut PhysicsWorld,
    body: RigidBodyHandle,
    seconds: Real,
    mut step: impl FnMut(&mut PhysicsWorld),
) -> Real {
    let dt = world.integration_parameters.dt;
    let mut most: Real = 0.0;
    for _ in 0..(seconds / dt).round() as usize {
        let before = world.bodies[body].linvel();
        step(world);
        let change = (world.bodies[body].linvel() - before) / dt + Vector::Y * GRAVITY;
        most = most.max(change.length());
    }
    most / GRAVITY
}

/// A level ground of each kind.
fn floor(kind: &str) -> ColliderBuilder {
    let corners: Vec<_> = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
        .map(|[x, z]| Vector::new(300.0 * x, 0.0, 300.0 * z))
        .to_vec();
    match kind {
        "box" => ColliderBuilder::cuboid(300.0, 1.0, 300.0).translation(Vector::NEG_Y),
        "mesh" => ColliderBuilder::trimesh(corners, vec![[0, 2, 1], [0, 3, 2]]).expect("a mesh"),
        _ => ColliderBuilder::new(SharedShape::halfspace(Vector::Y)),
    }
}

fn world_of(colliders: impl IntoIterator<Item = ColliderBuilder>, rate: Real) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    for collider in colliders {
        world.insert_collider(collider.friction(1.0), None);
    }
    world.detect_collisions(&(), &());
    world
}

/// What is wrong in many cases, told together.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn require(&mut self, is_right: bool, what: impl FnOnce() -> String) {
        if !is_right {
            self.0.push(what());
        }
    }

    fn report(self) {
        assert!(self.0.is_empty(), "{} cases:\n{}", self.0.len(), self.0.join("\n"));
    }
}

#[test]
fn cars_that_are_put_into_the_ground_rise_onto_their_wheels_and_drive_off() {
    let mut faults = Faults::default();
    for ground in ["half space", "box", "mesh"] {
        for (rate, substeps) in RATES {
            for shape in SHAPES {
                // Deeper ones have their hull in the ground, too, which throws them up by itself.
                for depth in [0.05, 0.15, 0.25, 0.34] {
                    let mut world = world_of([floor(ground)], rate);
                    let start = at(saloon_rest_height() - depth);
                    let mut car = saloon(&mut world, start, substeps, shape);
                    let body = car.actor.body;
                    let step = |world: &mut PhysicsWorld| {
                        car.step(world).expect("the car can be driven");
                    };
                    let peak = felt(&mut world, body, 1.2, step);
                    let height = world.bodies[body].translation().y - saloon_rest_height();
                    car.vehicle.commands.throttle = 1.0;
                    let carries = carry_all(&car);
                    drive(&mut world, &mut car, 1.0);
                    let speed = car.forward_speed();
                    let is_right = carries && height.abs() < 0.03 && peak < 2.0 && 2.0 < speed;
                    faults.require(is_right, || {
                        format!(
                            "{ground}, {rate} Hz x {substeps}, {shape:?}, {depth} m deep: carries \
                             {carries}, {height} m above rest, {peak} g, {speed} m/s"
                        )
                    });
                }
            }
        }
    }
    faults.report();
}

/// The preset of this `name` on wheels of this shape.
fn preset(name: &str, shape: RoadQueryShape) -> AnyVehicle {
    let vehicle = presets::vehicle(name).expect("a preset");
    if shape == RoadQueryShape::Ray {
        return vehicle;
    }
    let mut file = vehicle.insert(&mut PhysicsWorld::new(), Pose::IDENTITY).to_file();
    file.road_query = shape;
    if let MechanicsSource::Parameters(mechanics) = &mut file.mechanics {
        mechanics.jounce.contact = ContactShape::Cylinder;
    }
    AnyVehicle::new(file, std::path::Path::new("")).expect("a vehicle")
}

/// Which of the wheels of `car` have a road that carries.
fn carrying(car: &AnyRapierVehicle) -> usize {
    let state = car.mechanics().state;
    state.suspensions.iter().filter(|force| 0.0 < force.force.normal_load).count()
}

fn up(world: &PhysicsWorld, car: &AnyRapierVehicle) -> Real {
    (world.bodies[car.body()].rotation() * Vector::Y).y
}

#[test]
fn presets_that_fall_end_on_their_wheels_and_drive() {
    let mut faults = Faults::default();
    let trials = [(1.0, 30.0), (2.0, 60.0), (2.5, 30.0), (3.0, 240.0), (5.0, 60.0)];
    for (index, name) in driven().into_iter().filter(|name| *name != "motorcycle").enumerate() {
        let vehicles = SHAPES.map(|shape| preset(name, shape));
        for (trial, (fall, rate)) in trials.into_iter().enumerate() {
            let vehicle = &vehicles[(index + trial) % 2];
            let shape = SHAPES[(index + trial) % 2];
            let mut world = level_world(1.0 / rate, 1.0);
            let mut car = vehicle.insert(&mut world, at(vehicle.standing_height(GRAVITY) + fall));
            car.select(Selector::Drive);
            let body = car.body();
            // Tires and stops are springs: from 5 m a truck bounces for a while.
            let peak = felt(&mut world, body, 8.0, |world: &mut PhysicsWorld| {
                car.step(world).expect("the car can be driven");
            });
            let (up, carrying) = (up(&world, &car), carrying(&car));
            car.commands_mut().throttle = 1.0;
            for _ in 0..(3.0 * rate) as usize {
                car.step(&mut world).expect("the car can be driven");
            }
            let speed = car.forward_speed();
            let is_right = 0.99 < up && carrying == car.wheel_count() && 0.5 < speed;
            faults.require(is_right, || {
                format!(
                    "{name} from {fall} m, {rate} Hz, {shape:?}: up {up}, {carrying} of {} wheels \
                     carry, {peak} g, {speed} m/s",
                    car.wheel_count()
                )
            });
        }
    }
    faults.report();
}

/// So deep that hulls are in the ground, and some wheels are with their hubs: what throws up the
/// hull leaves them there.
#[test]
fn presets_that_are_put_deep_into_the_ground_come_up() {
    let mut faults = Faults::default();
    for name in ["tank", "pick_up"] {
        let vehicle = presets::vehicle(name).expect("a preset");
        for (ground, depth) in ["half space", "box"]
            .into_iter()
            .flat_map(|ground| [0.2, 0.3, 0.4, 0.5, 0.6].map(|depth| (ground, depth)))
        {
            let mut world = world_of([floor(ground)], 30.0);
            let height = vehicle.standing_height(GRAVITY);
            let mut car = vehicle.insert(&mut world, at(height - depth));
            car.detail = Detail { max_substeps: 1, ..Detail::FULL };
            car.select(Selector::Neutral);
            car.commands_mut().brakes = [1.0; 2];
            for _ in 0..6 * 30 {
                car.step(&mut world).expect("the car can be driven");
            }
            let (up, carrying) = (up(&world, &car), carrying(&car));
            let above = world.bodies[car.body()].translation().y - height;
            let is_right = 0.99 < up && carrying == car.wheel_count() && above.abs() < 0.05;
            faults.require(is_right, || {
                format!("{name} {depth} m deep in a {ground}: up {up}, {carrying} carry, {above} m")
            });
        }
    }
    faults.report();
}

#[test]
fn a_road_that_rises_waits_while_it_is_not_seen() {
    let vehicle = presets::vehicle("hot_hatch").expect("a preset");
    for unseen in [1, 2] {
        let mut world = world_of([floor("box")], 60.0);
        let height = vehicle.standing_height(GRAVITY);
        let mut car = vehicle.insert(&mut world, at(height - 0.25));
        let mut highest = Real::NEG_INFINITY;
        for step in 0..90 {
            let hides = (12..12 + unseen).contains(&step);
            car.road_resources.filter = hides.then(|| RoadFilter::new(|_| false));
            car.step(&mut world).expect("the car can be driven");
            let road = car.mechanics().state.roads.get(0).flatten();
            let found = -road.expect("it stands on").plane.offset;
            assert!(highest - 1e-3 < found, "{unseen}, {step}: {found} m after {highest} m");
            highest = highest.max(found);
        }
        assert!(highest.abs() < 1e-3, "{unseen}: {highest} m");
    }
}

#[test]
fn no_upright_car_is_without_its_road_after_a_tumble() {
    let mut faults = Faults::default();
    let mut noise = Noise(11);
    for case in 0..120 {
        let meets = 60 <= case;
        let (rate, substeps) = RATES[case % RATES.len()];
        let ground = ["box", "mesh"][case / 2 % 2];
        let shape = if ground == "box" { SHAPES[case % SHAPES.len()] } else { RoadQueryShape::Ray };
        let mut world = world_of([floor(ground)], rate);
        let turn = Rotation::from_scaled_axis(noise.vector(1.5));
        let pose = Pose::from_parts(Vector::Y * 3.0, turn);
        let mut car = saloon(&mut world, pose, substeps, shape);
        let body = &mut world.bodies[car.actor.body];
        body.set_linvel(noise.vector(5.0), true);
        body.set_angvel(noise.vector(2.0), true);
        car.params.meets_obstacles = meets;
        car.vehicle.commands.brakes[0] = 1.0;
        // Some lie on a side for seconds before they roll back onto their wheels.
        drive(&mut world, &mut car, 10.0);
        let body = &world.bodies[car.actor.body];
        let (up, height) = ((body.rotation() * Vector::Y).y, body.translation().y);
        let is_upright = 0.95 < up;
        faults.require(!is_upright || (carry_all(&car) && 0.5 < height), || {
            format!("case {case}, {rate} Hz x {substeps}, {shape:?}: up {up}, {height} m high")
        });
    }
    faults.report();
}

#[test]
fn wheels_that_are_put_on_again_carry_again() {
    for (rate, substeps) in RATES {
        for shape in SHAPES {
            for wheel in 0..4 {
                let mut world = world_of([floor("box")], rate);
                let start = at(saloon_rest_height());
                let mut car = saloon(&mut world, start, substeps, shape);
                drive(&mut world, &mut car, 0.5);
                car.detach_wheel(&mut world.bodies, wheel).expect("there is such a wheel");
                drive(&mut world, &mut car, 2.0);
                car.attach_wheel(&mut world.bodies, wheel).expect("there is such a wheel");
                drive(&mut world, &mut car, 2.0);
                let height = world.bodies[car.actor.body].translation().y - saloon_rest_height();
                let case = format!("{rate} Hz x {substeps}, {shape:?}, wheel {wheel}");
                assert!(carry_all(&car) && height.abs() < 0.02, "{case}: {height} m");
            }
        }
    }
}

/// How a vehicle came through.
#[derive(Debug, Default)]
struct Passage {
    /// Largest acceleration of its body (g).
    peak: Real,
    /// In how many steps its hull touched the road.
    touches: usize,
    /// How many wheels were without a road, step by step.
    lost: usize,
}

/// Drives `car` without throttle, for at most 4 s, while `goes_on` for where it is.
fn pass(
    world: &mut PhysicsWorld,
    car: &mut AnyRapierVehicle,
    mut goes_on: impl FnMut(Vector) -> bool,
) -> Passage {
    let (body, dt) = (car.body(), world.integration_parameters.dt);
    let mut passage = Passage::default();
    for _ in 0..(4.0 / dt) as usize {
        if !goes_on(world.bodies[body].translation()) {
            break;
        }
        let step = |world: &mut PhysicsWorld| {
            car.step(world).expect("the car can be driven");
        };
        passage.peak = passage.peak.max(felt(world, body, dt, step));
        let mut pairs = world.narrow_phase.contact_pairs();
        passage.touches += usize::from(pairs.any(ContactPair::has_any_active_contact));
        passage.lost += car.mechanics().state.roads.iter().filter(Option::is_none).count();
    }
    passage
}

#[test]
fn cars_go_round_a_loop_on_all_wheels() {
    let mut faults = Faults::default();
    for radius in [10.0, 12.0] {
        let arc = (0..=200).map(|index| {
            let angle = 5.2 * index as Real / 200.0;
            [radius * angle.sin(), radius * (1.0 - angle.cos())]
        });
        let profile: Vec<_> = [[-60.0, 0.0]].into_iter().chain(arc).collect();
        for (name, (rate, shape)) in ["hot_hatch", "city_car", "sports_car"]
            .into_iter()
            .flat_map(|name| [30.0, 60.0, 240.0].map(|rate| (name, rate)))
            .flat_map(|(name, rate)| SHAPES.map(|shape| (name, (rate, shape))))
        {
            let vehicle = preset(name, shape);
            let mut world = world_of([strip(&profile, 4.0).expect("a mesh")], rate);
            let start = Vector::new(0.0, vehicle.standing_height(GRAVITY), -20.0);
            let mut car = vehicle.insert(&mut world, Pose::from_translation(start));
            car.select(Selector::Neutral);
            world.bodies[car.body()].set_linvel(Vector::Z * 25.0, true);
            // At the top of the larger one it is so slow that it hardly touches.
            let end = if radius < 11.0 { 4.5 } else { 2.4 };
            let mut angle: Real = 0.0;
            let passage = pass(&mut world, &mut car, |place| {
                let here = place.z.atan2(radius - place.y);
                angle = angle.max(if here < -1e-3 && 1.0 < angle { TAU + here } else { here });
                angle < end
            });
            let is_round = end <= angle && passage.lost == 0 && passage.touches == 0;
            faults.require(is_round && passage.peak < 16.0, || {
                format!("{name}, {radius} m, {rate} Hz, {shape:?}: to {angle} rad, {passage:?}")
            });
        }
    }
    faults.report();
}

#[test]
fn a_hot_hatch_goes_through_a_dip() {
    let mut faults = Faults::default();
    let (radius, steep, speed) = (40.0, 0.3_f32, 32.0);
    let arc = (0..=60).map(|index| {
        let angle = steep * (index as Real / 30.0 - 1.0);
        [radius * angle.sin(), radius * (1.0 - angle.cos())]
    });
    let (side, low) = (radius * steep.sin(), radius * (1.0 - steep.cos()));
    let out = [60.0 * steep.cos(), 60.0 * steep.sin()];
    let ends = [-1.0, 1.0].map(|sign| [sign * (side + out[0]), low + out[1]]);
    let profile: Vec<_> = [ends[0]].into_iter().chain(arc).chain([ends[1]]).collect();
    for (rate, shape) in [30.0, 60.0, 240.0].into_iter().flat_map(|r| SHAPES.map(|s| (r, s))) {
        let vehicle = preset("hot_hatch", shape);
        let mut world = world_of([strip(&profile, 4.0).expect("a mesh")], rate);
        let turn = Rotation::from_rotation_x(steep);
        let way = 30.0;
        let place = Vector::new(0.0, low + way * steep.sin(), -side - way * steep.cos())
            + turn * Vector::Y * vehicle.standing_height(GRAVITY);
        let mut car = vehicle.insert(&mut world, Pose::from_parts(place, turn));
        car.select(Selector::Neutral);
        world.bodies[car.body()].set_linvel(turn * Vector::Z * speed, true);
        let passage = pass(&mut world, &mut car, |place| place.z < side + 0.5 * out[0]);
        let end = world.bodies[car.body()].linvel().length();
        faults.require(passage.peak < 9.0 && passage.touches == 0 && 29.0 < end, || {
            format!("{rate} Hz, {shape:?}: {passage:?}, {end} m/s")
        });
    }
    faults.report();
}

/// How a plate is above a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Plate {
    None,
    /// On a joint to the chassis.
    Jointed,
    /// A shelf, under which the car stands or drives.
    Shelf,
}

/// Height of the body of the preset `name` after it has stood and then driven at `speed` (m/s)
/// below plates at `gap` (m) above its wheels (m). Returns the mean, least and largest.
fn heights_below(
    name: &str,
    (rate, shape): (Real, RoadQueryShape),
    (plate, gap): (Plate, Real),
    speed: Real,
) -> [Real; 3] {
    let vehicle = preset(name, shape);
    let mut world = world_of([floor("box")], rate);
    let mut car = vehicle.insert(&mut world, at(vehicle.standing_height(GRAVITY)));
    car.select(Selector::Neutral);
    for _ in 0..(2.0 * rate) as usize {
        car.step(&mut world).expect("the car can be driven");
    }
    let chassis = *world.bodies[car.body()].position();
    for wheel in 0..car.wheel_count() {
        let hub = car.wheel_pose(wheel, &world.bodies).expect("a wheel").translation;
        let radius = car.mechanics().params.wheels[wheel].radius;
        let place = hub + Vector::Y * (radius + gap + 0.005);
        let length = if plate == Plate::Shelf { 100.0 } else { radius };
        let collider = ColliderBuilder::cuboid(0.3 * radius, 0.005, length)
            .collision_groups(InteractionGroups::none())
            .density(0.0);
        match plate {
            Plate::None => (),
            Plate::Shelf => drop(world.insert_collider(collider.translation(place), None)),
            Plate::Jointed => {
                let body = RigidBodyBuilder::dynamic().translation(place).additional_mass(0.01);
                let (handle, _) = world.insert(body.gravity_scale(0.0), collider);
                let joint = FixedJointBuilder::new()
                    .local_anchor1(chassis.inverse_transform_point(place))
                    .local_anchor2(Vector::ZERO);
                world.insert_impulse_joint(car.body(), handle, joint);
            }
        }
    }
    // Plates are seen from the second step on.
    for _ in 0..(0.5 * rate) as usize {
        car.step(&mut world).expect("the car can be driven");
    }
    world.bodies[car.body()].set_linvel(Vector::Z * speed, true);
    let mut heights = [0.0, Real::INFINITY, -Real::INFINITY];
    let steps = (1.0 * rate) as usize;
    for _ in 0..steps {
        car.step(&mut world).expect("the car can be driven");
        let height = world.bodies[car.body()].translation().y;
        heights[0] += height / steps as Real;
        heights[1] = heights[1].min(height);
        heights[2] = heights[2].max(height);
    }
    heights
}

#[test]
fn plates_above_wheels_do_not_move_the_car() {
    let mut faults = Faults::default();
    for name in ["hot_hatch", "kart", "truck_6x6"] {
        for (rate, shape) in [30.0, 60.0].into_iter().flat_map(|r| SHAPES.map(|s| (r, s))) {
            for speed in [0.0, 5.0] {
                let free = heights_below(name, (rate, shape), (Plate::None, 0.0), speed);
                for plate in [Plate::Jointed, Plate::Shelf] {
                    for gap in [0.01, 0.04, 0.1, 0.2] {
                        let heights = heights_below(name, (rate, shape), (plate, gap), speed);
                        let error = (0..3)
                            .map(|index| (heights[index] - free[index]).abs())
                            .fold(0.0, Real::max);
                        faults.require(error < 5e-4, || {
                            format!(
                                "{name}, {rate} Hz, {shape:?}, {plate:?} {gap} m above, {speed} m/s: \
                                 {error} m"
                            )
                        });
                    }
                }
            }
        }
    }
    faults.report();
}
