//! Cars on every tire model: slow, fast, and parked.

mod common;

use std::f32::consts::{FRAC_PI_2, PI};

use common::saloon::{massless_mechanics, saloon_chassis, saloon_mechanics, saloon_rest_height};
use common::{DT, drive, roll};
use rapier3d::prelude::*;
use vehicle_rapier::RapierVehicle;
use vehicle_rapier::core::commands::CommandResponseParams;
use vehicle_rapier::core::frame::Frame;
use vehicle_rapier::core::math::tan;
use vehicle_rapier::core::stages::RoadGeometry;
use vehicle_rapier::core::suspension::ContactShape;
use vehicle_rapier::core::tire::TireModel;
use vehicle_rapier::core::tire::models::{RollingTire, TireSize, TireUse};
use vehicle_rapier::core::tire::soil::{Soil, SoilTire};
use vehicle_rapier::core::tire::tir::TirFile;
use vehicle_rapier::core::vehicle::{Ruts, SoftGround, WheelInRut};
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicleWith};

type Car<M> = RapierVehicle<DirectDriveVehicleWith<M>>;

const SIZE: TireSize =
    TireSize { made_for: TireUse::PassengerCar, load: 4_000.0, radius: 0.33, width: 0.22 };

/// How wheels meet the road, along a ray or by a sweep of the whole wheel, and whether they have a
/// mass.
#[derive(Clone, Copy, Debug)]
struct Wheels {
    contact: ContactShape,
    have_mass: bool,
}

const WHEELS: [Wheels; 4] = [
    Wheels { contact: ContactShape::Ray, have_mass: false },
    Wheels { contact: ContactShape::Cylinder, have_mass: false },
    Wheels { contact: ContactShape::Ray, have_mass: true },
    Wheels { contact: ContactShape::Cylinder, have_mass: true },
];

/// The saloon on these tires at `pose` (m), without substeps; it sinks into soft ground.
fn insert<M: TireModel>(world: &mut PhysicsWorld, tire: &M, pose: Pose, wheels: Wheels) -> Car<M> {
    let mut mechanics = if wheels.have_mass { saloon_mechanics() } else { massless_mechanics() };
    mechanics.jounce.contact = wheels.contact;
    let chassis = saloon_chassis(&mechanics, pose).configure(|body| body.can_sleep(false));
    let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
    let params =
        DirectDriveParams { mechanics: mechanics.with_tires(vec![tire.clone(); 4]), throttle };
    let vehicle = DirectDriveVehicleWith::new(params).expect("valid parameters");
    let sequence = DirectDriveVehicleWith::sequence_with_substeps(|_| 1);
    let sequence = sequence.insert_after::<RoadGeometry>(SoftGround).expect("a place");
    let mut car = RapierVehicle::insert(world, chassis, vehicle, sequence);
    car.vehicle.controls.gear = Gear::Forward;
    car
}

/// Ground that falls by `slope` (rad) backward.
fn slope_world(slope: Real) -> (PhysicsWorld, Vector) {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let normal = Vector::new(0.0, slope.cos(), -slope.sin());
    let hill = ColliderBuilder::new(SharedShape::halfspace(normal)).friction(1.0);
    world.insert_collider(hill, None);
    world.detect_collisions(&(), &());
    (world, normal)
}

/// Looks for a quantity that goes up and down from step to step.
#[derive(Default)]
struct Alternation {
    value: Real,
    change: Real,
    /// How often in a row the value, and its change, have had another sign than a step before.
    in_a_row: [u32; 2],
    longest: [u32; 2],
}

impl Alternation {
    /// Adds a `value`; values and changes below `noise` have no sign.
    fn add(&mut self, value: Real, noise: Real) {
        let change = value - self.value;
        let turns = |now: Real, before: Real| {
            now * before < 0.0 && noise < now.abs() && noise < before.abs()
        };
        let turned = [turns(value, self.value), turns(change, self.change)];
        for ((in_a_row, longest), turned) in
            self.in_a_row.iter_mut().zip(&mut self.longest).zip(turned)
        {
            *in_a_row = if turned { *in_a_row + 1 } else { 0 };
            *longest = (*longest).max(*in_a_row);
        }
        (self.value, self.change) = (value, change);
    }
}

/// A car of this model at every speed: coasting, driving and braking.
fn drives_without_alternation<M: TireModel>(name: &str, tire: &M, radius: Real, wheels: Wheels) {
    for (errand, throttle, brake) in [
        ("coasting", 0.0, 0.0),
        ("driving", 0.6, 0.0),
        ("braking", 0.0, 0.6),
        ("locking", 0.0, 1.0),
    ] {
        for speed in [0.0, 0.3, 1.0, 3.0, 8.0, 20.0, 40.0, 80.0] {
            let (mut world, normal) = slope_world(0.0);
            let pose = Pose::from_translation(normal * saloon_rest_height());
            let mut car = insert(&mut world, tire, pose, wheels);
            drive(&mut world, &mut car, 0.5);
            roll(&mut world, &mut car, speed, speed / radius);
            let commands = &mut car.vehicle.commands;
            (commands.throttle, commands.brakes[0]) = (throttle, brake);
            commands.steer = if speed < 10.0 { 0.3 } else { 0.02 };
            let mut found: [Alternation; 6] = Default::default();
            for _ in 0..180 {
                car.step(&mut world).expect("the car can be driven");
                let body = &world.bodies[car.actor.body];
                let across = body.rotation() * Vector::X;
                let values = [body.linvel().dot(across), body.angvel().y];
                let wheels = &car.vehicle.state.mechanics.wheels;
                let speeds = (0..4).map(|wheel| wheels.of(wheel).rotation_speed * radius);
                for (found, value) in found.iter_mut().zip(values.into_iter().chain(speeds)) {
                    found.add(value, 2e-3);
                }
            }
            // A wheel that locks shakes the car for less than a tenth of a second. A car that is
            // braked to a stop swings back twice at most, by less than a hundredth of a radian or a
            // centimeter per second in half a second's last steps; if its wheels have mass and are
            // swept, it shakes by millimeters per second for an eighth of a second.
            let Wheels { contact, have_mass } = wheels;
            let is_swept = contact == ContactShape::Cylinder;
            let shortest = match (have_mass && is_swept, 0.0 < brake) {
                (true, _) => 9,
                (false, true) => 7,
                (false, false) => 6,
            };
            for (quantity, found) in ["lateral speed", "yaw rate", "wheel speed"]
                .into_iter()
                .chain(["wheel speed"; 3])
                .zip(&found)
            {
                let stops = 0.0 < brake && quantity != "wheel speed";
                let most = if stops { 2 } else { 1 };
                assert!(
                    found.longest[0] <= most && found.longest[1] < shortest,
                    "{name}, {wheels:?}, {errand} from {speed} m/s: {quantity} alternates, itself and its \
                     change {:?} times in a row",
                    found.longest
                );
            }
        }
    }
}

/// A braked car of this model on a slope (rad), uphill and across.
fn stands<M: TireModel>(name: &str, tire: &M, slope: Real, wheels: Wheels) {
    for heading in [0.0, FRAC_PI_2] {
        let (mut world, normal) = slope_world(slope);
        let rotation = Rotation::from_rotation_x(-slope) * Rotation::from_rotation_y(heading);
        let pose = Pose::from_parts(normal * saloon_rest_height(), rotation);
        let mut car = insert(&mut world, tire, pose, wheels);
        car.vehicle.commands.brakes[0] = 1.0;
        drive(&mut world, &mut car, 6.0);
        let before = world.bodies[car.actor.body].translation();
        drive(&mut world, &mut car, 30.0);
        let drift = world.bodies[car.actor.body].translation().distance(before);
        assert!(drift < 1e-3, "{name}, {wheels:?}, heading {heading} rad: {drift} m");
    }
}

/// Turns the wheels of a car that stands, and back: the aligning moments on the way.
fn parking_torque_is_bounded<M: TireModel>(name: &str, tire: &M) {
    let (mut world, normal) = slope_world(0.0);
    let pose = Pose::from_translation(normal * saloon_rest_height());
    let mut car = insert(&mut world, tire, pose, WHEELS[0]);
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 3.0);
    let mut largest: Real = 0.0;
    let moment = |car: &Car<M>| -> Real {
        (0..4)
            .map(|wheel| car.vehicle.state.mechanics.tires.of(wheel).force.aligning_moment.abs())
            .sum()
    };
    for step in 0..240 {
        car.vehicle.commands.steer = (step as Real / 120.0 * PI).sin();
        car.step(&mut world).expect("the car can be driven");
        largest = largest.max(moment(&car));
    }
    car.vehicle.commands.steer = 0.0;
    drive(&mut world, &mut car, 3.0);
    let left = moment(&car);
    // Friction on all of a contact that is 20 cm long: μ N times 5 cm.
    assert!(largest < 4.0 * 4_500.0 * 0.05, "{name}: {largest} N m");
    assert!(left < 1.0, "{name}: {left} N m are left");
}

/// Drives a car on soil 10 m straight on and tells how deep its wheels have been, and in what ruts
/// (m).
fn drive_over(
    world: &mut PhysicsWorld,
    car: &mut Car<SoilTire>,
    ruts: &mut Ruts,
    start: Vector,
) -> [Real; 2] {
    car.teleport(&mut world.bodies, Pose::from_translation(start)).expect("the car is there");
    let mut known = [WheelInRut::default(); 4];
    let mut mean = [0.0; 2];
    for step in 0..300 {
        roll(world, car, 2.0, 2.0 / 0.33);
        car.step(world).expect("the car can be driven");
        ruts.roll(&mut car.vehicle, &mut known);
        if 200 <= step {
            let memory = &car.vehicle.state.mechanics.tire_models[0];
            mean[0] += memory.sinkage / 100.0;
            mean[1] += memory.pressed_depth / 100.0;
        }
    }
    mean
}

#[test]
fn a_second_pass_in_its_own_rut_sinks_less() {
    for (name, soil) in [
        ("dry sand", Soil::DRY_SAND),
        ("sandy loam", Soil::SANDY_LOAM),
        ("clay", Soil::CLAYEY_SOIL),
        ("snow", Soil::SNOW),
    ] {
        let (mut world, normal) = slope_world(0.0);
        let tire = SoilTire { soil, nominal_pressure: 230e3 };
        let start = normal * saloon_rest_height();
        let mut car = insert(&mut world, &tire, Pose::from_translation(start), WHEELS[0]);
        let corner = Vector::new(-5.0, 0.0, -5.0);
        let mut ruts = Ruts::new(Frame::Y_UP, corner, [30.0, 10.0], 0.25).expect("a field");
        let [first, before_first] = drive_over(&mut world, &mut car, &mut ruts, start);
        let height = world.bodies[car.actor.body].translation().y;
        assert!(0.01 < first && before_first == 0.0, "{name}: {first} m, {before_first} m");
        assert!(height < start.y - 0.5 * first, "{name}: the body is at {height} m");
        let depth = ruts.depth_at(car.vehicle.state.mechanics.suspensions.of(0).contact.point);
        let [second, before_second] = drive_over(&mut world, &mut car, &mut ruts, start);
        assert!((before_second / first - 1.0).abs() < 0.5, "{name}: {before_second} m");
        assert!(
            second - before_second < 0.7 * first,
            "{name}: {second} m in a rut of {before_second} m, {first} m before ({depth} m)"
        );
    }
}

fn on_roads<M: TireModel>(name: &str, tire: &M) {
    for wheels in WHEELS {
        drives_without_alternation(name, tire, 0.33, wheels);
        stands(name, tire, 15.0_f32.to_radians(), wheels);
    }
    parking_torque_is_bounded(name, tire);
}

#[test]
fn default_tires_drive_and_stand() {
    on_roads("default", &saloon_mechanics().tires[0]);
}

#[test]
fn magic_formula_tires_drive_and_stand() {
    on_roads("average Magic Formula", &SIZE.magic_formula());
    let file = include_str!("../../vehicle-core/tests/data/205_60R15.tir");
    let file = TirFile::parse(file).expect("a tire");
    let mut tire = vehicle_rapier::core::tire::models::MagicFormulaTire::from(file.tire);
    on_roads("measured Magic Formula", &tire);
    tire.law.is_immediate = true;
    on_roads("Magic Formula without a lag", &tire);
}

#[test]
fn fiala_tires_drive_and_stand() {
    on_roads(
        "Fiala",
        &RollingTire { law: SIZE.fiala(), rolling_resistance: SIZE.rolling_resistance() },
    );
}

#[test]
fn parabolic_brushes_drive_and_stand() {
    let rolling_resistance = SIZE.rolling_resistance();
    on_roads("brush", &RollingTire { law: SIZE.parabolic_brush(), rolling_resistance });
}

#[test]
fn tmeasy_tires_drive_and_stand() {
    on_roads(
        "TMeasy",
        &RollingTire { law: SIZE.tmeasy(), rolling_resistance: SIZE.rolling_resistance() },
    );
}

#[test]
fn friction_ellipses_drive_and_stand() {
    let rolling_resistance = SIZE.rolling_resistance();
    on_roads("ellipse", &RollingTire { law: SIZE.friction_ellipse(), rolling_resistance });
}

#[test]
fn tires_on_soil_drive_and_stand() {
    for (name, soil) in [
        ("dry sand", Soil::DRY_SAND),
        ("sandy loam", Soil::SANDY_LOAM),
        ("clay", Soil::CLAYEY_SOIL),
        ("snow", Soil::SNOW),
    ] {
        let tire = SoilTire { soil, nominal_pressure: 230e3 };
        assert!(tan(soil.friction_angle) > tan(8.0_f32.to_radians()));
        for wheels in WHEELS {
            drives_without_alternation(name, &tire, 0.33, wheels);
            stands(name, &tire, 8.0_f32.to_radians(), wheels);
        }
    }
}
