//! A world of ground, boxes and vehicles, for the npm package.
//!
//! What is inserted is said as JSON; poses and readings are numbers in a row, which the package's
//! `index.js` reads by the same places.

use playground::{Driver, DriverInput, bounds_of, vehicle_names};
use rapier3d::prelude::*;
use serde::Deserialize;
use serde_json::json;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::vehicle::StandingWheel;
use vehicle_rapier::drawing::DrawnPoses;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle, FileFormat};

use crate::frame::{POSE, pose_numbers};

/// Numbers of a vehicle's readings before those of its wheels, and of each wheel.
const HEAD: usize = 4;
const WHEEL: usize = 8;
/// Longest step (s).
const LONGEST_STEP: f32 = 0.1;
/// Farthest place, and largest half extent of a box (m).
const FARTHEST: f32 = 1e5;
/// Largest mass of a box (kg), and largest friction.
const HEAVIEST: f32 = 1e9;
const MOST_FRICTION: f32 = 10.0;
/// Height at which a vehicle is put down (m).
const CLEARANCE: f32 = 0.02;
/// Radians per second as revolutions per minute.
const PER_MINUTE: f32 = 9.549_297;

/// A place and a quaternion.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Placed {
    place: [f32; 3],
    rotation: [f32; 4],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WantedBox {
    half: [f32; 3],
    at: Placed,
    mass: Option<f32>,
    friction: f32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WantedVehicle {
    preset: Option<String>,
    file: Option<String>,
    at: Placed,
}

/// Refuses a number outside of its bounds.
fn check(name: &str, value: f32, [low, high]: [f32; 2]) -> Result<(), String> {
    let is_within = (low..=high).contains(&value);
    is_within.then_some(()).ok_or_else(|| format!("{name} must be in [{low}, {high}], got {value}"))
}

impl Placed {
    fn pose(&self) -> Result<Pose, String> {
        for (axis, value) in self.place.into_iter().enumerate() {
            check(&format!("place[{axis}]"), value, [-FARTHEST, FARTHEST])?;
        }
        let [x, y, z, w] = self.rotation;
        let rotation = Rotation::from_xyzw(x, y, z, w);
        let length = rotation.length();
        check("the length of rotation", length, [0.99, 1.01])?;
        Ok(Pose::from_parts(self.place.into(), rotation.normalize()))
    }
}

struct Vehicle {
    model: AnyVehicle,
    car: AnyRapierVehicle,
    driver: Driver,
    input: DriverInput,
    poses: DrawnPoses,
}

/// The world of the package's user.
pub(crate) struct OwnWorld {
    physics: PhysicsWorld,
    /// What moves, with its poses before and after the last step.
    boxes: Vec<(RigidBodyHandle, [Pose; 2])>,
    vehicles: Vec<Vehicle>,
    /// Whether the world has seen all that is in it: vehicles find their road in that.
    has_seen: bool,
    numbers: Vec<f32>,
}

impl Default for OwnWorld {
    fn default() -> Self {
        Self {
            physics: PhysicsWorld::new(),
            boxes: Vec::new(),
            vehicles: Vec::new(),
            has_seen: true,
            numbers: Vec::new(),
        }
    }
}

impl OwnWorld {
    pub(crate) fn presets() -> Result<String, String> {
        Ok(json!(vehicle_names()).to_string())
    }

    /// A box with a mass moves and has a number; one without stays.
    pub(crate) fn insert_box(&mut self, text: &[u8]) -> Result<String, String> {
        let WantedBox { half, at, mass, friction } =
            serde_json::from_slice(text).map_err(|error| error.to_string())?;
        for (axis, value) in half.into_iter().enumerate() {
            check(&format!("half[{axis}]"), value, [1e-3, FARTHEST])?;
        }
        check("friction", friction, [0.0, MOST_FRICTION])?;
        let pose = at.pose()?;
        let [x, y, z] = half;
        let collider = ColliderBuilder::cuboid(x, y, z).friction(friction);
        self.has_seen = false;
        let Some(mass) = mass else {
            self.physics.insert_collider(collider.position(pose), None);
            return Ok(json!(null).to_string());
        };
        check("mass", mass, [1e-3, HEAVIEST])?;
        let body = RigidBodyBuilder::dynamic().pose(pose);
        let (body, _) = self.physics.insert(body, collider.mass(mass));
        self.boxes.push((body, [pose; 2]));
        Ok(json!(self.boxes.len() - 1).to_string())
    }

    /// A vehicle that stands on the ground at its place.
    pub(crate) fn insert_vehicle(&mut self, text: &[u8]) -> Result<String, String> {
        let WantedVehicle { preset, file, at } =
            serde_json::from_slice(text).map_err(|error| error.to_string())?;
        let model = match (&preset, &file) {
            (Some(name), None) => AnyVehicle::preset(name),
            (None, Some(text)) => AnyVehicle::from_str(FileFormat::Json, text),
            _ => return Err("a vehicle must be a preset or a file".to_owned()),
        };
        let model = model.map_err(|error| error.to_string())?;
        let pose = standing(&model, at.pose()?);
        let car = model.insert(&mut self.physics, pose);
        self.has_seen = false;
        let bodies = &self.physics.bodies;
        let made = Driver::of(&car).map_err(|error| error.to_string()).and_then(|driver| {
            let poses = DrawnPoses::new(&car, bodies, 1.0).map_err(|error| error.to_string())?;
            Ok((driver, poses))
        });
        let (driver, poses) = made?;
        let answer = self.describe(&model, &car);
        let input = DriverInput::default();
        self.vehicles.push(Vehicle { model, car, driver, input, poses });
        Ok(answer)
    }

    fn describe(&self, model: &AnyVehicle, car: &AnyRapierVehicle) -> String {
        let mechanics = model.mechanics();
        let body = &self.physics.bodies[car.body()];
        let bounds = bounds_of(body, &self.physics.colliders);
        let standing = mechanics.standing_wheels(&model.file().frame, GRAVITY);
        let mounts = mechanics.suspensions.iter().zip(standing);
        let wheels =
            mounts.zip(&mechanics.wheels).map(|((mount, StandingWheel { jounce, .. }), wheel)| {
                let droop = mount.travel_direction * (mount.travel_distance - jounce);
                let place = car.actor.center_of_mass.transform_point(mount.wheel_mount() + droop);
                json!({
                    "place": place.to_array(),
                    "radius": wheel.radius,
                    "halfWidth": wheel.half_width,
                })
            });
        json!({
            "number": self.vehicles.len(),
            "title": model.file().name,
            "mass": mechanics.rigid_body.mass,
            "bounds": bounds.map(|it| [it.mins.to_array(), it.maxs.to_array()]),
            "wheels": wheels.collect::<Vec<_>>(),
        })
        .to_string()
    }

    fn vehicle(&mut self, number: usize) -> Result<&mut Vehicle, String> {
        let count = self.vehicles.len();
        self.vehicles
            .get_mut(number)
            .ok_or_else(|| format!("the vehicle must be below {count}, got {number}"))
    }

    /// Puts a vehicle elsewhere, at rest.
    pub(crate) fn put(&mut self, number: usize, text: &[u8]) -> Result<String, String> {
        let at: Placed = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        let place = at.pose()?;
        self.vehicle(number)?;
        let (vehicle, bodies) = (&mut self.vehicles[number], &mut self.physics.bodies);
        let pose = standing(&vehicle.model, place);
        vehicle.car.teleport(bodies, pose).map_err(|error| error.to_string())?;
        vehicle.poses =
            DrawnPoses::new(&vehicle.car, bodies, 1.0).map_err(|error| error.to_string())?;
        Ok(String::new())
    }

    pub(crate) fn command(&mut self, number: usize, input: DriverInput) -> Result<String, String> {
        self.vehicle(number)?.input = input;
        Ok(String::new())
    }

    /// A step of `dt` (s). A vehicle that cannot make it is told, after all else has made it.
    pub(crate) fn step(&mut self, dt: f32) -> Result<String, String> {
        check("a step", dt, [1e-4, LONGEST_STEP])?;
        let Self { physics, boxes, vehicles, has_seen, .. } = self;
        if !std::mem::replace(has_seen, true) {
            // A step without time: bodies that `detect_collisions` is the first to see do not move.
            physics.integration_parameters.dt = 0.0;
            physics.step();
        }
        physics.integration_parameters.dt = dt;
        let mut fault = None;
        let mut note = |number: usize, reason: String| {
            fault.get_or_insert_with(|| format!("vehicle {number}: {reason}"));
        };
        for (number, Vehicle { car, driver, input, .. }) in vehicles.iter_mut().enumerate() {
            if let Err(error) = driver.drive(input, car, dt) {
                note(number, error.to_string());
            } else if let Err(error) = car.update(&mut *physics) {
                note(number, error.to_string());
            }
        }
        physics.step();
        for (body, poses) in boxes {
            *poses = [poses[1], *physics.bodies[*body].position()];
        }
        for (number, Vehicle { car, poses, .. }) in vehicles.iter_mut().enumerate() {
            if let Err(error) = poses.record(car, &physics.bodies, dt) {
                note(number, error.to_string());
            }
        }
        fault.map_or_else(|| Ok(String::new()), Err)
    }

    pub(crate) fn poses(&mut self, share: f32) -> &[f32] {
        self.numbers.clear();
        for (_, [before, after]) in &self.boxes {
            self.numbers.extend(pose_numbers(&before.lerp(after, share)));
        }
        for Vehicle { poses, .. } in &self.vehicles {
            self.numbers.extend(pose_numbers(&poses.chassis(share)));
            for wheel in 0..poses.wheel_count() {
                let pose = poses.wheel(wheel, share);
                self.numbers.extend(pose.map_or([f32::NAN; POSE], |pose| pose_numbers(&pose)));
            }
        }
        &self.numbers
    }

    /// Speed, engine speed, letters of the gear; then what each wheel does. Nothing of a vehicle
    /// that there is not.
    pub(crate) fn readings(&mut self, number: usize) -> &[f32] {
        self.numbers.clear();
        let Some(Vehicle { car, .. }) = self.vehicles.get(number) else { return &self.numbers };
        let readings = car.readings();
        let engine = readings.drive.engine.map_or(f32::NAN, |engine| engine.speed * PER_MINUTE);
        let gear = readings.drive.gear.to_string();
        let mut letters = gear.bytes().map(f32::from);
        let gear = [letters.next().unwrap_or(0.0), letters.next().unwrap_or(0.0)];
        let head: [f32; HEAD] = [readings.speed, engine, gear[0], gear[1]];
        self.numbers.extend(head);
        for wheel in &readings.wheels {
            let numbers: [f32; WHEEL] = [
                if wheel.is_on_ground { 1.0 } else { 0.0 },
                if wheel.is_skidding { 1.0 } else { 0.0 },
                wheel.load,
                wheel.longitudinal_slip,
                wheel.slip_angle,
                wheel.friction_used,
                wheel.compression,
                wheel.rotation_speed,
            ];
            self.numbers.extend(numbers);
        }
        &self.numbers
    }
}

/// The pose of a vehicle's body that stands on the ground at `ground` (m).
fn standing(model: &AnyVehicle, ground: Pose) -> Pose {
    ground * Pose::from_translation(Vector::Y * (model.standing_height(GRAVITY) + CLEARANCE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(place: [f32; 3]) -> serde_json::Value {
        json!({ "place": place, "rotation": [0, 0, 0, 1] })
    }

    fn insert_box(world: &mut OwnWorld, half: [f32; 3], place: [f32; 3], mass: Option<f32>) {
        let text = json!({ "half": half, "at": placed(place), "mass": mass, "friction": 1 });
        world.insert_box(text.to_string().as_bytes()).unwrap();
    }

    fn insert_preset(world: &mut OwnWorld, name: &str, place: [f32; 3]) -> Result<String, String> {
        world.insert_vehicle(json!({ "preset": name, "at": placed(place) }).to_string().as_bytes())
    }

    /// A car that stands, one at full throttle, and a box that falls beside them.
    fn two_cars_and_a_box() -> OwnWorld {
        let mut world = OwnWorld::default();
        insert_box(&mut world, [100.0, 1.0, 100.0], [0.0, -1.0, 0.0], None);
        insert_box(&mut world, [0.5; 3], [10.0, 3.0, 0.0], Some(20.0));
        for x in [0.0, 5.0] {
            insert_preset(&mut world, "hot_hatch", [x, 0.0, 0.0]).unwrap();
        }
        world.command(1, DriverInput::new(1.0, 0.0, 0.0, 0.0)).unwrap();
        world
    }

    #[test]
    fn cars_drive_and_boxes_fall_on_the_ground() {
        let mut world = two_cars_and_a_box();
        for _ in 0..180 {
            world.step(1.0 / 60.0).unwrap();
        }
        let speeds = [0, 1].map(|number| world.readings(number)[0]);
        assert!(speeds[0].abs() < 0.05 && 4.0 < speeds[1], "{speeds:?} m/s");
        let poses = world.poses(1.0);
        assert_eq!(poses.len(), POSE * (1 + 2 * 5));
        assert!((poses[1] - 0.5).abs() < 0.02, "the box is at {} m", poses[1]);
        assert!(4.0 < poses[POSE * 6 + 2], "the car is at {} m", poses[POSE * 6 + 2]);
    }

    #[test]
    fn wheels_of_vehicles_that_stand_are_in_the_places_that_are_told() {
        let mut world = OwnWorld::default();
        insert_box(&mut world, [200.0, 1.0, 200.0], [0.0, -1.0, 0.0], None);
        let told: Vec<serde_json::Value> = vehicle_names()
            .into_iter()
            .enumerate()
            .map(|(at, name)| insert_preset(&mut world, name, [8.0 * at as f32, 0.0, 0.0]).unwrap())
            .map(|told| serde_json::from_str(&told).unwrap())
            .collect();
        for _ in 0..120 {
            world.step(1.0 / 60.0).unwrap();
        }
        for (Vehicle { poses, .. }, told) in world.vehicles.iter().zip(told) {
            let (title, wheels) = (&told["title"], told["wheels"].as_array().unwrap());
            assert_eq!(wheels.len(), poses.wheel_count(), "{title}");
            for (wheel, told) in wheels.iter().enumerate() {
                let pose = poses.chassis(1.0).inverse() * poses.wheel(wheel, 1.0).unwrap();
                let told: [f32; 3] = serde_json::from_value(told["place"].clone()).unwrap();
                let distance = pose.translation.distance(told.into());
                assert!(distance < 0.01, "{title}: wheel {wheel} is {distance} m off {told:?}");
            }
        }
    }

    #[test]
    fn a_vehicle_that_cannot_go_on_is_told_and_stops_no_other() {
        let mut world = two_cars_and_a_box();
        let body = world.vehicles[0].car.body();
        world.physics.remove_body(body);
        for _ in 0..120 {
            let error = world.step(1.0 / 60.0).unwrap_err();
            assert!(error.starts_with("vehicle 0: "), "{error}");
        }
        let speed = world.readings(1)[0];
        assert!(2.0 < speed, "{speed} m/s");
        let height = world.poses(1.0)[1];
        assert!(height < 1.0, "the box is at {height} m");
    }

    #[test]
    fn faults_are_named() {
        let mut world = OwnWorld::default();
        let mut refused = |half: [f32; 3], rotation: [f32; 4], mass: f32| {
            let at = json!({ "place": [0, 0, 0], "rotation": rotation });
            let text = json!({ "half": half, "at": at, "mass": mass, "friction": 1 });
            world.insert_box(text.to_string().as_bytes()).unwrap_err()
        };
        let upright = [0.0, 0.0, 0.0, 1.0];
        for (error, said) in [
            (refused([1.0, 0.0, 1.0], upright, 1.0), "half[1]"),
            (refused([1.0; 3], [0.0; 4], 1.0), "rotation"),
            (refused([1.0; 3], upright, -5.0), "mass must be in [0.001, 1000000000], got -5"),
        ] {
            assert!(error.contains(said), "{error}");
        }
        let error = insert_preset(&mut world, "hothatch", [0.0; 3]).unwrap_err();
        assert!(error.contains("hot_hatch"), "{error}");
        for dt in [0.0, -1.0, f32::NAN, 1.0] {
            assert!(world.step(dt).is_err(), "{dt}");
        }
        assert!(world.command(3, DriverInput::default()).unwrap_err().contains("got 3"));
        assert!(world.readings(3).is_empty());
    }
}
