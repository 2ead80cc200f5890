//! Cars and tanks with an engine in a world, against closed forms.

use crate::common::saloon::{engine_saloon, insert_engine_saloon, saloon_rest_height};
use crate::common::{DT, drive, roll};
use rapier3d::prelude::*;
use snippets::drivetrains::{SampleDifferential, TankBrakes, sample_engine_drive, sample_tank};
use snippets::scenes::level_world;
use snippets::vehicles::{SAMPLE_REST_HEIGHT, sample_chassis};
use vehicle_rapier::core::aerodynamics::AerodynamicsParams;
use vehicle_rapier::core::tire::{BrushTire, TireModel};
use vehicle_rapier::drivetrain::differential::{
    DifferentialModel, DifferentialParams, LimitedSlipParams, LimitedSlips,
};
use vehicle_rapier::drivetrain::gearbox::{GearCommand, GearboxState};
use vehicle_rapier::drivetrain::{
    EngineDriveParams, EngineDriveVehicle, EngineDriveVehicleWith, TankVehicle,
};
use vehicle_rapier::{Activity, FrictionTable, RapierVehicle};

const OPEN: SampleDifferential = SampleDifferential::FourWheel { is_slip_limited: false };
const FIRST: usize = 2;

type Hosted<D> = RapierVehicle<EngineDriveVehicleWith<BrushTire, D>>;

/// A vehicle of `params` at `pose` (m), in first gear.
fn insert<D: DifferentialModel + Clone + 'static>(
    world: &mut PhysicsWorld,
    params: EngineDriveParams<BrushTire, D>,
    pose: Pose,
) -> Hosted<D>
where
    EngineDriveParams<BrushTire, D>: Into<std::sync::Arc<EngineDriveParams<BrushTire, D>>>,
{
    let chassis = sample_chassis(&params.mechanics.rigid_body, pose);
    let vehicle = EngineDriveVehicleWith::new(params).expect("valid parameters");
    let sequence = EngineDriveVehicleWith::sequence();
    let mut vehicle = RapierVehicle::insert(world, chassis, vehicle, sequence);
    vehicle.vehicle.controls.gear = GearCommand::Gear(FIRST);
    vehicle.vehicle.state.drive.gearbox = GearboxState::in_gear(FIRST);
    vehicle
}

/// The sample car with an engine, at rest on level ground.
fn car(differential: SampleDifferential) -> (PhysicsWorld, RapierVehicle<EngineDriveVehicle>) {
    let params = sample_engine_drive(differential).expect("valid data");
    car_with(params)
}

fn car_with(params: EngineDriveParams) -> (PhysicsWorld, RapierVehicle<EngineDriveVehicle>) {
    let mut world = level_world(DT, 1.0);
    let pose = Pose::from_translation(Vector::Y * SAMPLE_REST_HEIGHT);
    let mut car = insert(&mut world, params, pose);
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 1.0);
    car.vehicle.commands.brakes[0] = 0.0;
    (world, car)
}

fn tank() -> (PhysicsWorld, RapierVehicle<TankVehicle>) {
    let mut world = level_world(DT, 1.0);
    let params = sample_tank(TankBrakes::PerTrack).expect("valid data");
    let pose = Pose::from_translation(Vector::Y * SAMPLE_REST_HEIGHT);
    let mut tank = insert(&mut world, params, pose);
    tank.vehicle.commands.brakes = [1.0; 2];
    drive(&mut world, &mut tank, 1.0);
    tank.vehicle.commands.brakes = [0.0; 2];
    (world, tank)
}

fn rotation_speeds<Tire: TireModel, D: DifferentialModel>(
    vehicle: &EngineDriveVehicleWith<Tire, D>,
) -> [Real; 4] {
    std::array::from_fn(|wheel| vehicle.state.mechanics.wheels.of(wheel).rotation_speed)
}

/// Angle of the vehicle about the vertical (rad).
fn heading<V>(world: &PhysicsWorld, vehicle: &RapierVehicle<V>) -> Real {
    let forward = world.bodies[vehicle.actor.body].rotation() * Vector::Z;
    forward.x.atan2(forward.z)
}

fn place<V>(world: &PhysicsWorld, vehicle: &RapierVehicle<V>) -> Vector {
    world.bodies[vehicle.actor.body].center_of_mass()
}

#[test]
fn full_throttle_ends_at_the_largest_speed_of_the_engine() {
    let (mut world, mut car) = car(OPEN);
    car.vehicle.controls.gear = GearCommand::Automatic;
    car.vehicle.commands.throttle = 1.0;
    drive(&mut world, &mut car, 60.0);
    let params = car.vehicle.params();
    let gearbox = &params.drivetrain.gearbox;
    let last = gearbox.ratios.len() - 1;
    assert_eq!(car.vehicle.state.drive.gearbox, GearboxState::in_gear(last));
    let ratio = gearbox.ratios[last] * gearbox.final_ratio;
    let expected = params.drivetrain.engine.max_speed / ratio * params.mechanics.wheels[0].radius;
    let speed = car.forward_speed();
    assert!((speed / expected - 1.0).abs() < 0.01, "{speed} m/s, not {expected} m/s");
}

#[test]
fn drag_ends_the_acceleration_where_powers_balance() {
    let mut params = sample_engine_drive(OPEN).expect("valid data");
    params.mechanics.aerodynamics = AerodynamicsParams { drag_area: 6.0, ..Default::default() };
    let (mut world, mut car) = car_with(params);
    car.vehicle.controls.gear = GearCommand::Automatic;
    car.vehicle.commands.throttle = 1.0;
    drive(&mut world, &mut car, 120.0);
    let speed = car.forward_speed();

    // T ω_E = (ρ/2 C_D A v² ) v + c_E ω_E² + Σ c ω² + K s²: what the engine gives, the air, the
    // friction of the engine, the wheels and the clutch take.
    let params = car.vehicle.params().clone();
    let (engine, drivetrain) = (&params.drivetrain.engine, &car.vehicle.state.drive);
    let air = &params.mechanics.aerodynamics;
    let drag = 0.5 * air.air_density * air.drag_area * speed * speed;
    let wheel = params.mechanics.wheels[0];
    let crank = drivetrain.engine.rotation_speed;
    let rim = rotation_speeds(&car.vehicle)[0];
    let taken = drag * speed
        + engine.damping.full_throttle * crank * crank
        + 4.0 * wheel.damping_rate * rim * rim
        + drivetrain.clutch.strength * drivetrain.clutch_slip.powi(2)
        + drag * (rim * wheel.radius - speed);
    let given = engine.peak_torque * crank;
    assert!(crank < 0.99 * engine.max_speed, "{crank} rad/s: the engine is at its limit");
    // Power goes with the cube of the speed.
    let error = (given / taken - 1.0) / 3.0;
    assert!(error.abs() < 0.03, "{given} W at {speed} m/s, not {taken} W");
}

#[test]
fn neutral_and_clutch_pedal_decouple_the_engine() {
    for is_neutral in [true, false] {
        let (mut world, mut car) = car(OPEN);
        let neutral = car.vehicle.params().drivetrain.gearbox.neutral;
        if is_neutral {
            car.vehicle.controls.gear = GearCommand::Gear(neutral);
        } else {
            car.vehicle.controls.clutch = 1.0;
        }
        car.vehicle.commands.throttle = 1.0;
        let start = place(&world, &car);
        drive(&mut world, &mut car, 3.0);
        let moved = place(&world, &car).distance(start);
        let crank = car.vehicle.state.drive.engine.rotation_speed;
        assert!(moved < 1e-3, "{moved} m, neutral {is_neutral}");
        assert_eq!(crank, 600.0, "rad/s, neutral {is_neutral}");
    }
}

#[test]
fn reverse_gear_drives_backward() {
    let (mut world, mut car) = car(OPEN);
    car.vehicle.controls.gear = GearCommand::Gear(0);
    car.vehicle.commands.throttle = 1.0;
    drive(&mut world, &mut car, 10.0);
    let params = car.vehicle.params();
    let expected = -params.drivetrain.engine.max_speed / 16.0 * params.mechanics.wheels[0].radius;
    let speed = car.forward_speed();
    assert!((speed / expected - 1.0).abs() < 0.01, "{speed} m/s, not {expected} m/s");
}

#[test]
fn coasting_and_braked_car_comes_to_rest_and_stays() {
    for is_slip_limited in [false, true] {
        let (mut world, mut car) = car(SampleDifferential::FourWheel { is_slip_limited });
        car.vehicle.controls.gear = GearCommand::Automatic;
        car.vehicle.commands.throttle = 1.0;
        drive(&mut world, &mut car, 6.0);
        car.vehicle.commands.throttle = 0.0;
        drive(&mut world, &mut car, 4.0);
        car.vehicle.commands.brakes[0] = 0.4;
        for step in 0..(14.0 / DT) as usize {
            car.step(&mut world).expect("the car can be driven");
            for (wheel, speed) in rotation_speeds(&car.vehicle).into_iter().enumerate() {
                assert!(0.0 <= speed, "wheel {wheel}: {speed} rad/s at step {step}");
            }
        }
        assert_eq!(rotation_speeds(&car.vehicle), [0.0; 4], "rad/s");
        assert!(world.bodies[car.actor.body].is_sleeping(), "limited slip {is_slip_limited}");
    }
}

#[test]
fn sleeping_car_wakes_when_its_driver_asks_for_a_gear() {
    let (mut world, mut car) = car(OPEN);
    car.vehicle.commands.brakes[0] = 1.0;
    assert_eq!(drive(&mut world, &mut car, 5.0), Activity::Asleep);
    let idle = car.vehicle.params().drivetrain.engine.idle_speed;
    assert_eq!(car.vehicle.state.drive.engine.rotation_speed, idle);
    car.vehicle.controls.gear = GearCommand::Gear(FIRST + 1);
    assert_eq!(drive(&mut world, &mut car, DT), Activity::Awake);
    drive(&mut world, &mut car, 0.6);
    assert_eq!(car.vehicle.state.drive.gearbox, GearboxState::in_gear(FIRST + 1));
}

#[test]
fn car_that_sleeps_under_its_brake_creeps_when_it_is_let_go() {
    for substeps in [1, 3] {
        let mut world = level_world(DT, 1.0);
        let pose = Pose::from_translation(Vector::Y * saloon_rest_height());
        let mut car = insert_engine_saloon(&mut world, engine_saloon(), pose, substeps);
        for _ in 0..2 {
            car.vehicle.commands.brakes[0] = 0.3;
            assert_eq!(drive(&mut world, &mut car, 8.0), Activity::Asleep, "{substeps} substeps");
            car.vehicle.commands.brakes[0] = 0.0;
            drive(&mut world, &mut car, 8.0);
            let speed = 3.6 * car.forward_speed();
            assert!((3.0..9.0).contains(&speed), "{speed} km/h with {substeps} substeps");
        }
    }
}

/// Slope on which cars start (rad): 20 %.
const GRADE: Real = 0.197_395_56;
/// The tires of the left wheels.
const SLICK: u32 = 1;
const GROUND: u128 = 7;

/// The sample car uphill on a grade whose left side has the friction 0.1.
fn car_on_split_friction(
    limited_slip: LimitedSlips,
) -> (PhysicsWorld, RapierVehicle<EngineDriveVehicle>) {
    let mut params = sample_engine_drive(OPEN).expect("valid data");
    if let DifferentialParams::FourWheel(differential) = &mut params.drivetrain.differential {
        differential.limited_slip = limited_slip;
    }
    for (wheel, tire) in params.mechanics.tires.iter_mut().enumerate() {
        tire.load_filter = BrushTire::IDENTITY_LOAD_FILTER;
        params.mechanics.wheels[wheel].tire_kind = if wheel % 2 == 1 { SLICK } else { 0 };
    }
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT;
    let normal = Vector::new(0.0, GRADE.cos(), -GRADE.sin());
    let hill = ColliderBuilder::new(SharedShape::halfspace(normal)).friction(1.0).user_data(GROUND);
    world.insert_collider(hill, None);
    world.detect_collisions(&(), &());
    let tilt = Rotation::from_rotation_x(-GRADE);
    let mut car = insert(&mut world, params, Pose::from_parts(normal * SAMPLE_REST_HEIGHT, tilt));
    car.road.friction = FrictionTable::default().with_surface_for_tire(GROUND, SLICK, 0.1);
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 1.0);
    car.vehicle.commands.brakes[0] = 0.0;
    car.vehicle.commands.throttle = 0.5;
    (world, car)
}

/// The faster of two speeds over the slower, where they turn the same way.
fn bias(first: Real, second: Real) -> Option<Real> {
    let (fast, slow) = (first.abs().max(second.abs()), first.abs().min(second.abs()));
    (0.0 < first * second).then_some(fast / slow)
}

#[test]
fn limited_slip_climbs_where_the_open_differential_slides_back() {
    let slip = Some(LimitedSlipParams { bias: 1.3, target: 1.29 });
    let limited = LimitedSlips { center: slip, front: slip, rear: slip, ..LimitedSlips::default() };
    let (mut world, mut car) = car_on_split_friction(limited);
    for step in 0..(4.0 / DT) as usize {
        car.step(&mut world).expect("the car can be driven");
        let [first, second, third, fourth] = rotation_speeds(&car.vehicle);
        let biases =
            [bias(first, second), bias(third, fourth), bias(first + second, third + fourth)];
        for bias in biases.into_iter().flatten() {
            assert!(bias <= 1.3 * (1.0 + 1e-5), "{bias} at step {step}");
        }
    }
    let climbed = car.forward_speed();
    let (mut world, mut car) = car_on_split_friction(LimitedSlips::default());
    drive(&mut world, &mut car, 4.0);
    let slid = car.forward_speed();
    assert!(2.0 < climbed && slid < -0.5, "{climbed} m/s with limited slip, {slid} m/s without");
}

#[test]
fn tank_spins_on_the_spot() {
    let (mut world, mut tank) = tank();
    tank.vehicle.commands.throttle = 1.0;
    tank.vehicle.controls.thrusts = [1.0, -1.0];
    let start = place(&world, &tank);
    let (mut turned, mut farthest): (Real, Real) = (0.0, 0.0);
    let mut before = heading(&world, &tank);
    for _ in 0..(60.0 / DT) as usize {
        tank.step(&mut world).expect("the tank can be driven");
        let now = heading(&world, &tank);
        let change = now - before;
        turned += (change + 3.0 * std::f32::consts::PI).rem_euclid(std::f32::consts::TAU)
            - std::f32::consts::PI;
        before = now;
        farthest = farthest.max(place(&world, &tank).distance(start));
        if std::f32::consts::TAU < turned.abs() {
            break;
        }
    }
    // Half the length of its hull.
    assert!(std::f32::consts::TAU < turned.abs(), "{turned} rad in a minute");
    assert!(farthest < 2.469_71, "{farthest} m from where it began to turn");
}

#[test]
fn tank_drives_straight_with_equal_thrusts() {
    let (mut world, mut tank) = tank();
    tank.vehicle.commands.throttle = 1.0;
    tank.vehicle.controls.thrusts = [0.5; 2];
    let start = place(&world, &tank);
    for _ in 0..(60.0 / DT) as usize {
        tank.step(&mut world).expect("the tank can be driven");
        if 100.0 < place(&world, &tank).distance(start) {
            break;
        }
    }
    let driven = place(&world, &tank).distance(start);
    let turned = heading(&world, &tank).to_degrees();
    assert!(100.0 < driven, "{driven} m in a minute");
    assert!(turned.abs() < 1.0, "{turned} degrees in 100 m");
}

#[test]
fn tank_pivots_around_its_braked_track() {
    let (mut world, mut tank) = tank();
    tank.vehicle.commands.throttle = 1.0;
    tank.vehicle.commands.brakes = [1.0, 0.0];
    tank.vehicle.controls.thrusts = [0.0, 1.0];
    let before = heading(&world, &tank);
    drive(&mut world, &mut tank, 2.0);
    let [braked, driven, ..] = rotation_speeds(&tank.vehicle);
    assert_eq!(braked, 0.0, "rad/s");
    assert!(2.0 < driven, "{driven} rad/s");
    let turned = heading(&world, &tank) - before;
    assert!(0.3 < turned.abs(), "{turned} rad");
}

#[test]
fn wheels_of_a_track_have_one_speed() {
    let (mut world, mut tank) = tank();
    roll(&mut world, &mut tank, 3.0, 2.0);
    tank.vehicle.commands.throttle = 0.7;
    tank.vehicle.controls.thrusts = [0.3, 0.9];
    for step in 0..120 {
        tank.step(&mut world).expect("the tank can be driven");
        let [first, second, third, fourth] = rotation_speeds(&tank.vehicle);
        assert!(first == third && second == fourth, "step {step}");
    }
}
