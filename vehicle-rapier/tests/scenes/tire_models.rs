//! Cars whose tires are of other models than the default: in a fleet, on several materials, and on
//! soil that something happens on.

use crate::common::saloon::{saloon_chassis, saloon_mechanics, saloon_rest_height};
use crate::common::{drive, roll};
use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::core::commands::CommandResponseParams;
use vehicle_rapier::core::stages::RoadGeometry;
use vehicle_rapier::core::tire::models::{
    AnyTire, FialaTire, MagicFormulaTire, RollingTire, TireSize, TireUse,
};
use vehicle_rapier::core::tire::soil::{Soil, SoilTire};
use vehicle_rapier::core::tire::{BrushTire, MaterialNames, TireModel, TireOnMaterials};
use vehicle_rapier::core::vehicle::SoftGround;
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicleWith};
use vehicle_rapier::fleet::{Fleet, VehicleHandle};
use vehicle_rapier::{Activity, RapierVehicle, SoilTable};

type Car<M> = RapierVehicle<DirectDriveVehicleWith<M>>;

const SIZE: TireSize =
    TireSize { made_for: TireUse::PassengerCar, load: 4_000.0, radius: 0.33, width: 0.22 };
/// Materials that differ from each other in their highest bit only.
const MUD: u128 = 1 << 127 | 7;
const GRAVEL: u128 = 7;

/// A saloon at `x` (m) whose right and left tires are these; it may sink into the ground.
fn saloon<M: TireModel>(
    world: &mut PhysicsWorld,
    [right, left]: [M; 2],
    substeps: u32,
    x: Real,
) -> Car<M> {
    let mechanics = saloon_mechanics();
    let pose = Pose::from_translation(Vector::new(x, saloon_rest_height(), 0.0));
    let chassis = saloon_chassis(&mechanics, pose);
    let throttle = CommandResponseParams::linear(300.0, [0.0, 0.0, 1.0, 1.0]);
    let tires = mechanics.suspensions.iter().map(|suspension| {
        if suspension.attachment.translation.x < 0.0 { right.clone() } else { left.clone() }
    });
    let tires: Vec<M> = tires.collect();
    let params = DirectDriveParams { mechanics: mechanics.with_tires(tires), throttle };
    let vehicle = DirectDriveVehicleWith::new(params).expect("valid parameters");
    let sequence = DirectDriveVehicleWith::sequence_with_substeps(move |_| substeps);
    let sequence = sequence.insert_after::<RoadGeometry>(SoftGround).expect("a place");
    let mut car = RapierVehicle::insert(world, chassis, vehicle, sequence);
    car.vehicle.controls.gear = Gear::Forward;
    car
}

fn fiala() -> FialaTire {
    RollingTire { law: SIZE.fiala(), rolling_resistance: SIZE.rolling_resistance() }
}

fn tmeasy() -> AnyTire {
    RollingTire { law: SIZE.tmeasy(), rolling_resistance: SIZE.rolling_resistance() }.into()
}

fn loam() -> SoilTire {
    SoilTire { soil: Soil::SANDY_LOAM, nominal_pressure: 230e3 }
}

/// Cars of four types, whose tires are of six models.
struct Cars {
    default: Car<BrushTire>,
    formula: Car<MagicFormulaTire>,
    fiala: Car<FialaTire>,
    mixed: Car<AnyTire>,
}

impl Cars {
    fn new(world: &mut PhysicsWorld) -> Self {
        let default = saloon_mechanics().tires[0];
        Self {
            default: saloon(world, [default, default], 3, -20.0),
            formula: saloon(world, [SIZE.magic_formula(), SIZE.magic_formula()], 1, -10.0),
            fiala: saloon(world, [fiala(), fiala()], 3, 0.0),
            mixed: saloon(world, [tmeasy(), loam().into()], 3, 10.0),
        }
    }
}

fn command<M: TireModel>(car: &mut Car<M>, step: u32) {
    let commands = &mut car.vehicle.commands;
    commands.throttle = if step < 120 { 0.6 } else { 0.0 };
    commands.brakes[0] = if 180 < step { 0.5 } else { 0.0 };
    commands.steer = 0.1 * (step as Real * 0.03).sin();
}

fn motion(world: &PhysicsWorld, body: RigidBodyHandle) -> [Vector; 3] {
    let body = &world.bodies[body];
    [body.translation(), body.linvel(), body.angvel()]
}

#[test]
fn a_fleet_mixes_models_freely() {
    const STEPS: u32 = 240;
    let mut world = level_world(1.0 / 60.0, 1.0);
    let Cars { mut default, mut formula, mut fiala, mut mixed } = Cars::new(&mut world);
    for step in 0..STEPS {
        command(&mut default, step);
        command(&mut formula, step);
        command(&mut fiala, step);
        command(&mut mixed, step);
        default.update(&mut world).expect("the car can be driven");
        formula.update(&mut world).expect("the car can be driven");
        fiala.update(&mut world).expect("the car can be driven");
        mixed.update(&mut world).expect("the car can be driven");
        world.step();
    }
    let bodies = [default.actor.body, formula.actor.body, fiala.actor.body, mixed.actor.body];
    let alone = bodies.map(|body| motion(&world, body));
    assert!(alone.iter().all(|[place, ..]| 1.0 < place.z), "they drive: {alone:?}");

    fn order<M: TireModel>(
        fleet: &mut Fleet,
        car: VehicleHandle<DirectDriveVehicleWith<M>>,
        step: u32,
    ) {
        command(fleet.get_mut(car).expect("the car is there"), step);
    }
    let mut world = level_world(1.0 / 60.0, 1.0);
    let Cars { default, formula, fiala, mixed } = Cars::new(&mut world);
    let bodies = [default.actor.body, formula.actor.body, fiala.actor.body, mixed.actor.body];
    let mut fleet = Fleet::new();
    let (default, formula) = (fleet.insert(default), fleet.insert(formula));
    let (fiala, mixed) = (fleet.insert(fiala), fleet.insert(mixed));
    for step in 0..STEPS {
        order(&mut fleet, default, step);
        order(&mut fleet, formula, step);
        order(&mut fleet, fiala, step);
        order(&mut fleet, mixed, step);
        assert!(fleet.step(&mut world).is_empty());
    }
    assert_eq!(bodies.map(|body| motion(&world, body)), alone);
}

#[test]
fn each_wheel_takes_the_model_of_its_ground_by_all_bits_of_the_user_data() {
    let mut world = PhysicsWorld::new();
    for (x, user_data) in [(-50.0, GRAVEL), (50.0, MUD)] {
        let half = ColliderBuilder::cuboid(50.0, 0.5, 500.0)
            .translation(Vector::new(x, -0.5, 0.0))
            .user_data(user_data);
        world.insert_collider(half, None);
    }
    world.detect_collisions(&(), &());
    let names = MaterialNames::default().with("mud", MUD).with("gravel", GRAVEL);
    let tire = TireOnMaterials::new(AnyTire::from(SIZE.magic_formula()))
        .on(["mud"], loam().into())
        .on(["gravel"], tmeasy());
    let unknown = tire.clone().on(["lava"], tmeasy()).find_materials(&names);
    let error = unknown.expect_err("nothing is made of lava").to_string();
    assert!(error.contains("models[2].materials") && error.contains("lava"), "{error}");

    let tire = tire.find_materials(&names).expect("known names");
    let mut car = saloon(&mut world, [tire.clone(), tire], 3, 0.0);
    car.vehicle.commands.throttle = 0.3;
    drive(&mut world, &mut car, 2.0);
    let mechanics = saloon_mechanics();
    for (wheel, memory) in car.vehicle.state.mechanics.tire_models.iter().enumerate() {
        let is_left = 0.0 < mechanics.suspensions[wheel].attachment.translation.x;
        assert_eq!(memory.model, Some(u32::from(!is_left)), "wheel {wheel}");
        assert_eq!(memory.unknown_material(), None);
        assert_eq!(0.003 < memory.memory.soil.sinkage, is_left, "wheel {wheel}: {memory:?}");
    }
}

/// A braked saloon that has sunk into loam, on a platform that may be moved.
struct Sunken {
    world: PhysicsWorld,
    car: Car<SoilTire>,
    ground: RigidBodyHandle,
}

impl Sunken {
    fn new(frequency: Real, substeps: u32) -> Self {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = frequency.recip();
        let place = Pose::from_translation(Vector::new(0.0, -0.5, 0.0));
        let platform = RigidBodyBuilder::kinematic_velocity_based().pose(place);
        let (ground, _) =
            world.insert(platform, ColliderBuilder::cuboid(50.0, 0.5, 50.0).friction(1.0));
        world.detect_collisions(&(), &());
        let mut car = saloon(&mut world, [loam(), loam()], substeps, 0.0);
        car.vehicle.commands.brakes[0] = 1.0;
        drive(&mut world, &mut car, 4.0);
        Self { world, car, ground }
    }

    fn drive(&mut self, seconds: Real) -> Activity {
        drive(&mut self.world, &mut self.car, seconds)
    }

    fn body(&mut self) -> &mut RigidBody {
        &mut self.world.bodies[self.car.actor.body]
    }

    fn sinkages(&self) -> Vec<Real> {
        self.car.vehicle.state.mechanics.tire_models.iter().map(|tire| tire.sinkage).collect()
    }

    fn assert_finite(&mut self, what: &str) {
        let body = self.body();
        let is_finite = body.translation().is_finite() && body.linvel().is_finite();
        let sinkages = self.sinkages();
        assert!(is_finite && sinkages.iter().all(|depth| (0.0..0.5).contains(depth)), "{what}");
    }
}

const RATES: [(Real, u32); 3] = [(30.0, 1), (60.0, 3), (240.0, 1)];

#[test]
fn a_car_on_soil_that_is_hit_slides_and_stands_again() {
    for (frequency, substeps) in RATES {
        let mut scene = Sunken::new(frequency, substeps);
        let what = format!("{frequency} Hz, {substeps} substeps");
        let sunk = scene.sinkages();
        assert!(sunk.iter().all(|depth| (0.005..0.1).contains(depth)), "{what}: {sunk:?}");
        let before = scene.body().translation();
        let mass = scene.body().mass();
        scene.body().apply_impulse(Vector::new(2.0 * mass, 0.0, mass), true);
        scene.drive(4.0);
        scene.assert_finite(&what);
        let after = scene.body().translation();
        let way = after.distance(before);
        assert!((0.1..3.0).contains(&way), "{what}: {way} m");
        scene.drive(3.0);
        let drift = scene.body().translation().distance(after);
        assert!(drift < 1e-3, "{what}: {drift} m");
    }
}

#[test]
fn a_car_on_soil_goes_to_sleep_and_is_where_it_was() {
    for (frequency, substeps) in RATES {
        let mut scene = Sunken::new(frequency, substeps);
        let before = scene.body().translation();
        assert_eq!(scene.drive(6.0), Activity::Asleep, "{frequency} Hz");
        let drift = scene.body().translation().distance(before);
        assert!(drift < 1e-3, "{frequency} Hz: {drift} m");
        // Let go and pulled, it rolls out of where it stood.
        scene.car.vehicle.commands.brakes[0] = 0.0;
        scene.car.vehicle.commands.throttle = 1.0;
        scene.drive(2.0);
        assert!(0.2 < scene.body().translation().z - before.z, "{frequency} Hz");
    }
}

#[test]
fn soil_that_moves_takes_the_car_with_it() {
    for (frequency, substeps) in RATES {
        let mut scene = Sunken::new(frequency, substeps);
        let what = format!("{frequency} Hz, {substeps} substeps");
        let before = scene.body().translation();
        let ground = scene.ground;
        for velocity in [Vector::X * 0.5, Vector::new(0.5, 0.2, 0.3)] {
            scene.world.bodies[ground].set_linvel(velocity, true);
            scene.drive(1.0);
        }
        scene.assert_finite(&what);
        let [moved, ground_moved] = [
            scene.body().translation() - before,
            scene.world.bodies[ground].translation() - Vector::new(0.0, -0.5, 0.0),
        ];
        let slid = moved.distance(ground_moved);
        assert!(slid < 0.05, "{what}: {moved} m on ground that moved {ground_moved} m");
    }
}

#[test]
fn a_car_that_loses_its_soil_falls_and_lands_in_it_again() {
    for (frequency, substeps) in RATES {
        let mut scene = Sunken::new(frequency, substeps);
        let what = format!("{frequency} Hz, {substeps} substeps");
        let height = scene.body().translation().y;
        let rise = scene.body().translation() + Vector::Y;
        let ground = scene.ground;
        scene.body().set_translation(rise, true);
        scene.drive(0.1);
        assert!(scene.car.vehicle.state.mechanics.tires.of(0).force.force().length() == 0.0);
        scene.drive(4.0);
        scene.assert_finite(&what);
        let landed = scene.body().translation().y - height;
        assert!((-0.1..0.01).contains(&landed), "{what}: {landed} m");
        scene.world.remove_body(ground);
        scene.drive(0.5);
        scene.assert_finite(&what);
        let fallen = scene.body().linvel().y;
        assert!(fallen < -4.0, "{what}: {fallen} m/s");
    }
}

#[test]
fn a_car_on_soil_rolls_out_without_swinging_back() {
    for (frequency, substeps) in RATES {
        let mut scene = Sunken::new(frequency, substeps);
        scene.car.vehicle.commands.brakes[0] = 0.0;
        roll(&mut scene.world, &mut scene.car, 4.0, 4.0 / SIZE.radius);
        let mut speed = 4.0;
        for _ in 0..10 {
            scene.drive(0.5);
            let now = scene.body().linvel().z;
            assert!(now < speed + 0.02 && -0.02 < now, "{frequency} Hz: {now} after {speed} m/s");
            speed = now;
        }
        assert!(speed < 2.0, "{frequency} Hz: {speed} m/s");
    }
}

/// How deep the right and the left front wheel of a braked saloon on `tire` have sunk (m), and how
/// their tires grip (dimensionless), on ground of these `soils`.
fn standing_on<M: TireModel>(
    world: &mut PhysicsWorld,
    tire: &M,
    soils: &SoilTable,
) -> [(Real, Real); 2] {
    let mut car = saloon(world, [tire.clone(), tire.clone()], 3, 0.0);
    car.road.soils = soils.clone();
    car.vehicle.commands.brakes[0] = 1.0;
    drive(world, &mut car, 3.0);
    let state = &car.vehicle.state.mechanics;
    let found = [0, 1].map(|wheel| {
        (tire.sinkage(&state.tire_models[wheel]), state.tires.of(wheel).grip.friction)
    });
    car.remove(world);
    found
}

#[test]
fn soil_is_that_of_the_ground_where_the_ground_tells() {
    const SAND: u128 = 1 << 100;
    let mut world = PhysicsWorld::new();
    for (x, user_data) in [(-50.0, SAND), (50.0, MUD)] {
        let half = ColliderBuilder::cuboid(50.0, 0.5, 500.0)
            .translation(Vector::new(x, -0.5, 0.0))
            .friction(1.0)
            .user_data(user_data);
        world.insert_collider(half, None);
    }
    world.detect_collisions(&(), &());
    let mud = Soil { frictional_modulus: 400e3, ..Soil::CLAYEY_SOIL };
    let sand = SoilTable::default().with(SAND, Soil::DRY_SAND);
    let mixed = TireOnMaterials::new(AnyTire::from(loam()));
    // Nothing tells of itself, then the sand does, then the mud, too.
    let tables = [SoilTable::default(), sand.clone(), sand.with(MUD, mud)];
    let [loamy, sandy, muddy] = tables.map(|soils| {
        let found = standing_on(&mut world, &loam(), &soils);
        assert_eq!(standing_on(&mut world, &mixed, &soils), found, "of any model");
        found
    });
    for ((_, found), soil) in [
        (loamy[0], Soil::SANDY_LOAM),
        (loamy[1], Soil::SANDY_LOAM),
        (sandy[0], Soil::DRY_SAND),
        (sandy[1], Soil::SANDY_LOAM),
        (muddy[1], mud),
    ] {
        let expected = soil.friction_angle.tan();
        assert!((found / expected - 1.0).abs() < 1e-3, "{found}, not {expected}");
    }
    let deeper = [sandy[0].0 / loamy[0].0, muddy[1].0 / sandy[1].0];
    assert!(deeper.iter().all(|ratio| 1.3 < *ratio), "{loamy:?}, {sandy:?}, {muddy:?}");
}
