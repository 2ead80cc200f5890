//! Cars on beam axles.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::core::aerodynamics::AerodynamicsParams;
use vehicle_rapier::core::blueprint::{AxleKind, AxleRide, CarBlueprint};
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::suspension::BeamAxleParams;
use vehicle_rapier::core::suspension::unsprung::{SuspensionDynamics, UnsprungParams};
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};
use vehicle_rapier::{Activity, Chassis, RapierVehicle, RoadQueryShape};

use crate::common::grounds::block;
use crate::common::saloon::{
    assert_momentum_is_kept_in_the_air, direct_saloon, drift_on_hill, insert_saloon,
    saloon_rest_height,
};
use crate::common::{DT, drive, roll, sloping_world};

const SHAPES: [RoadQueryShape; 2] = [RoadQueryShape::Ray, RoadQueryShape::Cylinder];

/// Rates of steps (Hz) with their substeps.
const STEPS: [(Real, u32); 4] = [(30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1)];

type Car = RapierVehicle<DirectDriveVehicle>;

fn beam() -> AxleRide {
    AxleRide {
        axle: AxleKind::Beam,
        spring_track: Some(1.1),
        damper_track: Some(1.2),
        roll_steer: 0.05,
        ..AxleRide::default()
    }
}

/// The default car on axles with this ride.
fn on(ride: [AxleRide; 2]) -> MechanicalParams {
    CarBlueprint { ride: Some(ride), ..CarBlueprint::default() }.mechanics().expect("valid data")
}

fn params_of(mechanics: MechanicalParams) -> DirectDriveParams {
    DirectDriveParams { mechanics, ..direct_saloon() }
}

/// The default car on two beam axles.
fn rigid() -> DirectDriveParams {
    params_of(on([beam(); 2]))
}

/// A car of which nothing but its wheels meets the ground.
fn car_at(world: &mut PhysicsWorld, params: DirectDriveParams, pose: Pose, substeps: u32) -> Car {
    let chassis = Chassis::new(&params.mechanics.rigid_body).pose(pose);
    let vehicle = DirectDriveVehicle::new(params).expect("valid parameters");
    let sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps);
    RapierVehicle::insert(world, chassis, vehicle, sequence)
}

fn standing_at(height: Real) -> Pose {
    Pose::from_translation(Vector::Y * height)
}

fn loads(car: &Car) -> [Real; 4] {
    let suspensions = &car.vehicle.state.mechanics.suspensions;
    std::array::from_fn(|wheel| suspensions.of(wheel).force.normal_load)
}

fn unsprung(mechanics: &MechanicalParams) -> &[UnsprungParams] {
    match &mechanics.suspension_dynamics {
        SuspensionDynamics::Unsprung(wheels) => wheels,
        _ => panic!("the wheels have a mass"),
    }
}

#[test]
fn car_on_beam_axles_stands_as_high_as_others_and_sleeps() {
    for (rate, substeps) in STEPS {
        for shape in SHAPES {
            let mut world = sloping_world(rate, 0.0);
            let pose = standing_at(saloon_rest_height());
            let mut car = car_at(&mut world, rigid(), pose, substeps);
            car.road.shape = shape;
            car.vehicle.commands.brakes[0] = 1.0;
            drive(&mut world, &mut car, 2.0);
            let height = world.bodies[car.actor.body].translation().y;
            let case = format!("{rate} Hz, {substeps} substeps, {shape:?}");
            assert!((height - saloon_rest_height()).abs() < 0.01, "{case}: {height} m");
            let weight = car.vehicle.params().mechanics.rigid_body.mass * GRAVITY;
            let sum: Real = loads(&car).iter().sum();
            assert!((sum / weight - 1.0).abs() < 5e-3, "{case}: {sum} of {weight} N");
            assert_eq!(drive(&mut world, &mut car, 3.0), Activity::Asleep, "{case}");
        }
    }
}

#[test]
fn parked_car_on_beam_axles_holds_its_place_on_a_hill() {
    for (rate, substeps) in STEPS {
        let drift = drift_on_hill(rigid(), (rate, substeps), 30.0);
        assert!(drift < 1e-4, "{rate} Hz, {substeps} substeps: {drift} m");
    }
}

#[test]
fn momentum_of_car_and_axles_is_kept_in_the_air() {
    let mut world = sloping_world(60.0, 0.0);
    let mut params = rigid();
    params.mechanics.aerodynamics = AerodynamicsParams::default();
    let mut car = car_at(&mut world, params, standing_at(60.0), 3);
    assert_momentum_is_kept_in_the_air(&mut world, &mut car);
}

/// Roll stiffness of the suspension of an axle, springs at their track and bar, and of its tires
/// (N·m/rad).
fn roll_stiffness(mechanics: &MechanicalParams, axle: &BeamAxleParams, track: Real) -> [Real; 2] {
    let [first, _] = axle.wheels;
    let spring = mechanics.suspension_forces[first].stiffness;
    let mut bars = mechanics.anti_roll_bars.iter();
    let bar = bars.find(|bar| bar.wheels.contains(&first)).map_or(0.0, |bar| bar.stiffness);
    let ratio = axle.spring_track / track;
    let suspension = spring * ratio * ratio + 2.0 * bar;
    [suspension, unsprung(mechanics)[first].tire_stiffness].map(|it| 0.5 * track * track * it)
}

/// What pulls a car aside goes to its axles by their roll stiffness, and by their roll centers.
///
/// ```text
/// tires of an axle   M_i = K_t ψ_i = K_s (φ - ψ_i) + F_i h_i + W_i h_i ψ_i
/// body               Σ K_s (φ - ψ_i) = (M a + M g φ) h
/// ```
///
/// with the roll of body and axle, `φ` and `ψ`, and the load `W` of the axle. `h` is the height of
/// the center of mass above the line between the roll centers `h_i`. The body rolls about that
/// line, and the axles carry their roll centers aside as they roll on their tires.
#[test]
fn axles_share_the_load_transfer_as_their_stiffness_and_roll_centers_say() {
    let sheet = CarBlueprint::default();
    let (track, share) = (sheet.track_width, sheet.front_share);
    for heights in [[0.0, 0.0], [0.1, 0.4], [0.4, 0.1], [0.55, 0.55]] {
        let ride = |axle: usize| AxleRide {
            roll_center_height: Some(heights[axle]),
            spring_track: Some([1.2, 1.0][axle]),
            roll_steer: 0.0,
            ..beam()
        };
        let mechanics = on([ride(0), ride(1)]);
        let pull = 2.0;
        let mut world = sloping_world(240.0, 0.0);
        // To the left, which is x.
        world.gravity.x = pull;
        let pose = standing_at(saloon_rest_height());
        let mut car = car_at(&mut world, params_of(mechanics.clone()), pose, 1);
        drive(&mut world, &mut car, 8.0);
        let mass = mechanics.rigid_body.mass;
        let parts = [0, 1].map(|axle| {
            let [suspension, tires] =
                roll_stiffness(&mechanics, &mechanics.beam_axles[axle], track);
            let part = [share, 1.0 - share][axle];
            let located = mass * pull * part * heights[axle];
            let leaning = tires - mass * GRAVITY * part * heights[axle];
            let sum = suspension + leaning;
            [suspension * leaning, suspension * located, suspension * tires, located * tires]
                .map(|it| it / sum)
        });
        let axis = heights[0] * share + heights[1] * (1.0 - share);
        let above = sheet.center_of_mass_height - axis;
        let held = parts[0][0] + parts[1][0] - mass * GRAVITY * above;
        let roll = (mass * pull * above + parts[0][1] + parts[1][1]) / held;
        let loads = loads(&car);
        for axle in 0..2 {
            let found = 0.5 * track * (loads[2 * axle + 1] - loads[2 * axle]);
            let expected = parts[axle][2] * roll + parts[axle][3];
            let case = format!("roll centers at {heights:?} m, axle {axle}");
            println!("{case}: {found} of {expected} N·m");
            assert!((found / expected - 1.0).abs() < 0.03, "{case}: {found} of {expected} N·m");
        }
    }
}

/// Camber of wheels against the road (rad): as the body leans, wheels of a beam axle do not.
#[test]
fn wheels_of_a_beam_axle_stand_upright_as_the_body_leans() {
    let leaning = |rides: [AxleRide; 2]| {
        let mut world = sloping_world(240.0, 0.0);
        world.gravity.x = 3.0;
        let pose = standing_at(saloon_rest_height());
        let mut car = car_at(&mut world, params_of(on(rides)), pose, 1);
        drive(&mut world, &mut car, 8.0);
        let body = &world.bodies[car.actor.body];
        let lean = (*body.rotation() * Vector::X).y;
        let suspensions = &car.vehicle.state.mechanics.suspensions;
        let camber = suspensions.of(2).compliance.camber;
        [lean, lean + camber]
    };
    let [lean, independent] = leaning([AxleRide::default(); 2]);
    assert!(lean < -0.01 && (independent - lean).abs() < 1e-6, "{lean}, {independent} rad");
    let [lean, on_beam] = leaning([beam(); 2]);
    // What is left is the tires' part of the roll.
    assert!(lean < -0.01 && on_beam.abs() < 0.35 * lean.abs(), "{lean}, {on_beam} rad");
}

/// A car that stands with its right rear wheel on a kerb.
fn on_kerb(rear: AxleRide, shape: RoadQueryShape) -> ([Real; 4], Car) {
    let mut world = sloping_world(60.0, 0.0);
    let kerb = block(Vector::new(0.4, 0.06, 0.5), Vector::new(-0.8, 0.12, -1.485));
    world.insert_collider(kerb.friction(1.0), None);
    world.detect_collisions(&(), &());
    let sheet = CarBlueprint { anti_roll_stiffness: [26_000.0, 0.0], ..CarBlueprint::default() };
    let sheet = CarBlueprint { ride: Some([AxleRide::default(), rear]), ..sheet };
    let mechanics = sheet.mechanics().expect("valid data");
    let pose = standing_at(saloon_rest_height() + 0.05);
    let mut car = car_at(&mut world, params_of(mechanics), pose, 3);
    car.road.shape = shape;
    car.vehicle.commands.brakes[0] = 1.0;
    drive(&mut world, &mut car, 6.0);
    (loads(&car), car)
}

#[test]
fn an_axle_with_one_wheel_on_a_kerb_leans_and_presses_both_onto_the_ground() {
    for shape in SHAPES {
        let (independent, _) = on_kerb(AxleRide::default(), shape);
        let (loads, car) = on_kerb(beam(), shape);
        let difference = |loads: [Real; 4]| loads[2] - loads[3];
        let case = format!("{shape:?}: {loads:?}, {independent:?} N");
        assert!(loads.iter().all(|load| 500.0 < *load), "{case}");
        // Springs further inside give way more to the roll of the axle.
        assert!(0.0 < difference(loads), "{case}");
        assert!(difference(loads) < 0.8 * difference(independent), "{case}");
        let suspensions = &car.vehicle.state.mechanics.suspensions;
        let [right, left] = [2, 3].map(|wheel| suspensions.of(wheel).compression.jounce.unwrap());
        let camber = suspensions.of(2).compliance.camber;
        assert!((camber - (left - right) / 1.55).abs() < 1e-3, "{case}: {camber} rad");
        assert!(0.04 < right - left, "{case}: {right}, {left} m");
    }
}

#[test]
fn axles_that_tramp_over_planks_on_both_sides_carry_the_car_on() {
    for (rate, substeps) in STEPS {
        for shape in SHAPES {
            let mut world = sloping_world(rate, 0.0);
            for plank in 0..40 {
                let side = if plank % 2 == 0 { -0.8 } else { 0.8 };
                let place = Vector::new(side, 0.04, 8.0 + 0.6 * plank as Real);
                let plank = block(Vector::new(0.4, 0.02, 0.15), place);
                world.insert_collider(plank.friction(1.0), None);
            }
            world.detect_collisions(&(), &());
            let pose = standing_at(saloon_rest_height());
            let mut car = car_at(&mut world, rigid(), pose, substeps);
            car.road.shape = shape;
            drive(&mut world, &mut car, 1.0);
            roll(&mut world, &mut car, 12.0, 12.0 / 0.33);
            let case = format!("{rate} Hz, {substeps} substeps, {shape:?}");
            let mut differs: Real = 0.0;
            for _ in 0..(4.0 * rate) as usize {
                car.step(&mut world).expect("the car can be driven");
                let body = &world.bodies[car.actor.body];
                let up = (*body.rotation() * Vector::Y).y;
                let height = body.translation().y;
                assert!(0.97 < up, "{case}: leans by the cosine {up}");
                assert!((height - saloon_rest_height()).abs() < 0.15, "{case}: {height} m");
                let suspensions = &car.vehicle.state.mechanics.suspensions;
                let [right, left] =
                    [2, 3].map(|wheel| suspensions.of(wheel).compression.jounce.unwrap());
                differs = differs.max((right - left).abs());
            }
            assert!(0.01 < differs, "{case}: the axle rolls by {differs} m at most");
            let place = world.bodies[car.actor.body].translation();
            assert!(30.0 < place.z, "{case}: {place}");
            car.vehicle.commands.brakes[0] = 1.0;
            drive(&mut world, &mut car, 5.0);
            let height = world.bodies[car.actor.body].translation().y;
            assert!((height - saloon_rest_height()).abs() < 0.01, "{case}: {height} m");
        }
    }
}

/// Largest load after a fall, as a multiple of the weight, averaged over 1/60 s, and the highest
/// place after it (m).
fn fall(height: Real, lean: Real, (rate, substeps): (Real, u32)) -> [Real; 2] {
    let mut world = sloping_world(rate, 0.0);
    let rotation = Rotation::from_rotation_z(lean);
    let pose = Pose::from_parts(Vector::Y * (saloon_rest_height() + 0.25 + height), rotation);
    let mut car = car_at(&mut world, rigid(), pose, substeps);
    let window = (rate / 60.0).round().max(1.0) as usize;
    let (mut speeds, mut peak, mut highest) = (vec![0.0; window], 0.0_f32, 0.0_f32);
    let mut has_touched = false;
    for step in 0..(rate * 3.0) as usize {
        car.step(&mut world).expect("the car can be driven");
        let speed = car.vehicle.state.mechanics.rigid_body.linear_velocity.y;
        let before = std::mem::replace(&mut speeds[step % window], speed);
        peak = peak.max(1.0 + (speed - before) * rate / window as Real / GRAVITY);
        has_touched |= loads(&car).iter().any(|load| 0.0 < *load);
        if has_touched {
            highest = highest.max(world.bodies[car.actor.body].translation().y);
        }
    }
    [peak, highest]
}

#[test]
fn falls_onto_beam_axles_are_those_of_a_fine_solution() {
    for (height, lean) in [(0.3, 0.0), (0.3, 0.15), (1.0, 0.0), (1.0, -0.1)] {
        let [fine, _] = fall(height, lean, (4_800.0, 1));
        let start = saloon_rest_height() + 0.25 + height;
        for step in STEPS {
            let [found, highest] = fall(height, lean, step);
            let case = format!("{height} m, {lean} rad, {step:?}");
            println!("{case}: {found} of {fine} g, up to {highest} of {start} m");
            assert!((found / fine - 1.0).abs() < 0.3, "{case}: {found} g, not {fine} g");
            assert!(highest < start, "{case}: {highest} m after a fall from {start} m");
        }
    }
}

#[test]
fn a_car_that_starts_inside_the_ground_rises_onto_its_axles() {
    for depth in [0.15, 0.4, 0.5] {
        for (rate, substeps) in STEPS {
            for shape in SHAPES {
                let mut world = sloping_world(rate, 0.0);
                let pose = standing_at(saloon_rest_height() - depth);
                let mut car = car_at(&mut world, rigid(), pose, substeps);
                car.road.shape = shape;
                car.vehicle.commands.brakes[0] = 1.0;
                let case = format!("{depth} m deep, {rate} Hz, {substeps} substeps, {shape:?}");
                let mut highest: Real = 0.0;
                for _ in 0..(4.0 * rate) as usize {
                    car.step(&mut world).expect("the car can be driven");
                    highest = highest.max(world.bodies[car.actor.body].translation().y);
                }
                let height = world.bodies[car.actor.body].translation().y;
                println!("{case}: up to {highest} m, {height} m");
                assert!(highest < saloon_rest_height() + 1.0, "{case}: up to {highest} m");
                assert!((height - saloon_rest_height()).abs() < 0.02, "{case}: {height} m");
            }
        }
    }
}

#[test]
fn a_car_on_beam_axles_that_lies_on_side_or_roof_comes_to_rest() {
    for turn in [0.5, 1.0, 1.5] {
        for shape in SHAPES {
            let mut world = level_world(DT, 1.0);
            let rotation = Rotation::from_rotation_z(turn * std::f32::consts::PI);
            let pose = Pose::from_parts(Vector::Y * 1.6, rotation);
            let mut car = insert_saloon(&mut world, rigid(), pose, 3);
            car.road.shape = shape;
            drive(&mut world, &mut car, 8.0);
            let body = &world.bodies[car.actor.body];
            let case = format!("{turn} half turns, {shape:?}");
            assert!(body.linvel().length() < 0.05, "{case}: {} m/s", body.linvel());
            assert!(body.translation().y < 1.5, "{case}: {} m", body.translation());
        }
    }
}

#[test]
fn an_axle_that_has_lost_a_wheel_carries_the_other_one() {
    for lost in 0..4 {
        for (rate, substeps) in STEPS {
            let mut world = sloping_world(rate, 0.0);
            let pose = standing_at(saloon_rest_height());
            let mut car = insert_saloon(&mut world, rigid(), pose, substeps);
            drive(&mut world, &mut car, 1.0);
            roll(&mut world, &mut car, 10.0, 10.0 / 0.33);
            drive(&mut world, &mut car, 0.5);
            car.detach_wheel(&mut world.bodies, lost).expect("a wheel");
            car.vehicle.commands.brakes[0] = 0.5;
            let case = format!("wheel {lost}, {rate} Hz, {substeps} substeps");
            for _ in 0..(6.0 * rate) as usize {
                car.step(&mut world).expect("the car can be driven");
                let body = &world.bodies[car.actor.body];
                let up = (*body.rotation() * Vector::Y).y;
                assert!(0.9 < up, "{case}: leans by the cosine {up}");
                assert!(body.translation().y < 0.8, "{case}: {}", body.translation());
            }
            let all = loads(&car);
            assert_eq!(all[lost], 0.0, "{case}");
            assert!(0.0 < all[lost ^ 1], "{case}: {all:?}");
            assert_eq!(car.vehicle.state.mechanics.suspensions.of(lost ^ 1).compliance.camber, 0.0);
            let speed = world.bodies[car.actor.body].linvel().length();
            assert!(speed < 0.05, "{case}: {speed} m/s");
            car.attach_wheel(&mut world.bodies, lost).expect("a wheel");
            drive(&mut world, &mut car, 4.0);
            let height = world.bodies[car.actor.body].translation().y;
            assert!((height - saloon_rest_height()).abs() < 0.02, "{case}: {height} m");
        }
    }
}

/// Roll steer of the rear axle into the bend is understeer: at the same steering angle, a car turns
/// less.
#[test]
fn roll_steer_into_the_bend_makes_a_car_understeer() {
    let yaw_rate = |roll_steer: Real| {
        let rear = AxleRide { roll_steer, ..beam() };
        let mut world = sloping_world(240.0, 0.0);
        let pose = standing_at(saloon_rest_height());
        let params = params_of(on([AxleRide::default(), rear]));
        let mut car = car_at(&mut world, params, pose, 1);
        car.vehicle.controls.gear = Gear::Forward;
        drive(&mut world, &mut car, 1.0);
        roll(&mut world, &mut car, 20.0, 20.0 / 0.33);
        car.vehicle.commands.steer = 0.05;
        drive(&mut world, &mut car, 3.0);
        let body = &world.bodies[car.actor.body];
        body.angvel().y / body.linvel().length()
    };
    let [against, none, into] = [-0.15, 0.0, 0.15].map(yaw_rate);
    assert!(into < 0.99 * none && 1.01 * none < against, "{against}, {none}, {into} rad/m");
}
