//! The presets: each is loaded, driven off, turned, stopped and parked, on rays and on whole
//! wheels.

use std::error::Error;

use rapier3d::prelude::*;
use snippets::measurements::{ProvingGround, Setting};
use snippets::presets::{all, driven};
use snippets::samples::SampleFile;
use snippets::scenes::level_world;
use vehicle_rapier::RoadQueryShape;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::diagnosis::{Finding, FindingCode};
use vehicle_rapier::diagnose;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::vehicle_file::{AnyVehicle, FileFormat, VehicleFile};

use crate::common::DT;

/// The road's slope that they park on (rad).
const SLOPE: Real = 10.0 * std::f32::consts::PI / 180.0;

/// Steps of 60 Hz on rays, and of another rate on whole wheels.
const SETTINGS: [Setting; 2] = [
    Setting { dt: DT, friction: 1.1, shape: RoadQueryShape::Ray, substeps: None },
    Setting { dt: 1.0 / 120.0, friction: 1.1, shape: RoadQueryShape::Cylinder, substeps: None },
];

#[test]
fn a_lever_tells_that_there_is_no_reverse_gear() {
    for name in driven() {
        let model = AnyVehicle::preset(name).expect("a preset");
        let mut car = model.insert(&mut level_world(DT, 1.0), Pose::IDENTITY);
        let has_reverse = !["kart", "motorcycle"].contains(&name);
        assert_eq!(car.select(Selector::Reverse), has_reverse, "{name}");
        let others = [Selector::Park, Selector::Neutral, Selector::Drive, Selector::Low];
        assert!(others.into_iter().all(|selector| car.select(selector)), "{name}");
    }
}

#[test]
fn a_lever_tells_that_a_trailer_does_not_drive() {
    let model = AnyVehicle::preset("semi_trailer").expect("a preset");
    let mut trailer = model.insert(&mut level_world(DT, 1.0), Pose::IDENTITY);
    for (selector, expected) in [
        (Selector::Park, false),
        (Selector::Neutral, true),
        (Selector::Drive, false),
        (Selector::Low, false),
        (Selector::Reverse, false),
    ] {
        assert_eq!(trailer.select(selector), expected, "{selector:?}");
    }
}

#[test]
fn presets_drive_off_turn_and_stop() {
    for name in driven() {
        for setting in &SETTINGS {
            drive_off_turn_and_stop(name, setting)
                .unwrap_or_else(|error| panic!("{name}, {setting:?}: {error}"));
        }
    }
}

/// Whether a finding is what the vehicle of number `index` in a train is by design.
fn is_by_design(name: &str, index: usize, code: FindingCode) -> bool {
    match name {
        // Tracks steer.
        "tank" => code == FindingCode::SteeringNone,
        // Engine and gears are made for the load of the trailer.
        "semi_tractor" if index == 0 => {
            matches!(code, FindingCode::DriveStrong | FindingCode::DifferentialOpen)
        }
        _ => false,
    }
}

fn drive_off_turn_and_stop(name: &str, setting: &Setting) -> Result<(), Box<dyn Error>> {
    let mut ground = ProvingGround::ready(name, setting)?;
    let case = format!("{name}, {setting:?}");
    for (index, car) in ground.train.iter().enumerate() {
        let mut findings = diagnose(car, setting.dt).expect("a time step");
        findings.retain(|finding| !is_by_design(name, index, finding.code));
        assert_eq!(findings, [], "{case}, vehicle {index}");
    }
    let standing = ground.motion();
    let up = standing.position.y;
    let height = ground.front().mechanics().params.wheels[0].radius;
    assert!((standing.up.y - 1.0).abs() < 1e-3, "{case}: {standing:?}");
    assert!(0.5 * height < up && up < 6.0 * height, "{case}: {up} m, wheels of {height} m");

    ground.drive(0.6, 0.0, 0.0);
    ground.steps_for(6.0)?;
    let moving = ground.motion();
    assert!(3.0 < moving.speed(), "{case}: {moving:?}");
    let place = moving.position;
    assert!(place.x.abs() < 0.1 + 0.02 * place.z, "{case}: {place} m");

    // Tracks that skid take all of the engine.
    let (throttle, steer) = if name == "tank" { (1.0, 0.8) } else { (0.2, 0.2) };
    ground.drive(throttle, 0.0, steer);
    ground.steps_for(2.0)?;
    for index in 0..ground.train.len() {
        let turned = ground.motion_of(index);
        assert!(index != 0 || 0.05 < turned.forward.x, "{case} turns left: {turned:?}");
        // A motorcycle leans into the bend, as far as its rider lets it.
        let upright = if name == "motorcycle" { 0.6 } else { 0.95 };
        assert!(upright < turned.up.y, "{case} stays upright: {turned:?}");
    }

    ground.drive(0.0, 0.8, 0.0);
    ground.steps_for(9.0)?;
    let stopped = ground.motion();
    assert!(stopped.speed() < 0.01, "{case}: {stopped:?}");
    Ok(())
}

#[test]
fn presets_park_on_ten_degrees() {
    for name in driven() {
        for (setting, slope) in SETTINGS.iter().flat_map(|each| [(each, SLOPE), (each, -SLOPE)]) {
            let park = || -> Result<Vec<Real>, Box<dyn Error>> {
                let mut ground = ProvingGround::new(name, setting, slope)?;
                ground.steps_for(5.0)?;
                let place = |ground: &ProvingGround| -> Vec<Vector> {
                    let all = 0..ground.train.len();
                    all.map(|index| ground.motion_of(index).position).collect()
                };
                let before = place(&ground);
                ground.steps_for(5.0)?;
                Ok(place(&ground)
                    .iter()
                    .zip(before)
                    .map(|(now, before)| now.distance(before))
                    .collect())
            };
            let moved = park().unwrap_or_else(|error| panic!("{name}, {setting:?}: {error}"));
            let still = moved.iter().all(|moved| *moved < 1e-3);
            assert!(still, "{name}, {setting:?}, {slope} rad: moves by {moved:?} m in 5 s");
        }
    }
}

#[test]
fn presets_are_held_in_park_and_roll_in_neutral() {
    for name in driven() {
        let slope = 0.1_f32.atan();
        let rolled = |selector, slope, seconds| -> Result<(Real, Real), Box<dyn Error>> {
            let setting = Setting { friction: 1.0, ..SETTINGS[0] };
            let mut ground = ProvingGround::new(name, &setting, slope)?;
            ground.steps_for(2.0)?;
            ground.train[0].select(selector);
            ground.drive(0.0, 0.0, 0.0);
            let start = ground.motion().position;
            ground.steps_for(1.0)?;
            let before = ground.motion().position;
            // A trailer that is let go leans on its tractor.
            let gave_way = before.distance(start);
            assert!(selector != Selector::Park || gave_way < 0.05, "{name}: {gave_way} m");
            ground.steps_for(seconds)?;
            Ok((ground.motion().position.distance(before), ground.motion().speed()))
        };
        for slope in [slope, -slope] {
            let rolled = |selector, seconds| {
                rolled(selector, slope, seconds).unwrap_or_else(|error| panic!("{name}: {error}"))
            };
            let (moved, _) = rolled(Selector::Park, 5.0);
            println!("{name} on {slope} rad: {moved} m in park");
            assert!(moved < 0.01, "{name} on {slope} rad: {moved} m in park");
            let (_, speed) = rolled(Selector::Neutral, 2.0);
            let free = 9.81 * slope.abs().sin() * 3.0;
            let least = if name == "tank" { 0.3 } else { 0.6 };
            assert!(least * free < speed, "{name} on {slope} rad: {speed} m/s, not {free} m/s");
        }
    }
}

/// Rate at which the tank turns on the spot with these thrusts at full throttle (rad/s), and how
/// far it goes (m).
fn pivot(friction: Real, thrusts: [Real; 2]) -> Result<(Real, Real), Box<dyn Error>> {
    let setting = Setting { friction, ..SETTINGS[0] };
    let mut ground = ProvingGround::ready("tank", &setting)?;
    let start = ground.motion().position;
    ground.drive(1.0, 0.0, 0.0);
    let transmission = ground.train[0].transmission_mut().ok_or("a tank has thrusts")?;
    transmission.thrusts = thrusts;
    ground.steps_for(3.0)?;
    let mut turned = 0.0;
    let mut before = ground.motion().forward;
    for _ in 0..120 {
        ground.step()?;
        let now = ground.motion().forward;
        turned += before.cross(now).y.asin();
        before = now;
    }
    Ok((turned / (120.0 * setting.dt), ground.motion().position.distance(start)))
}

#[test]
fn tank_turns_on_the_spot_at_the_rate_of_its_steering_gear() {
    for friction in [0.4, 0.8, 1.1] {
        for thrusts in [[1.0, -1.0], [-1.0, 1.0]] {
            let (rate, gone) = pivot(friction, thrusts).unwrap_or_else(|error| panic!("{error}"));
            let (rate, way) = (rate.to_degrees(), thrusts[0].signum());
            println!("friction {friction}, {thrusts:?}: {rate} degrees/s, {gone} m away");
            // The less friction there is, the larger the part of it that resists rolling takes, and
            // the more tracks slip.
            let least = if friction < 0.5 { 20.0 } else { 25.0 };
            assert!((least..42.0).contains(&(way * rate)), "{rate} degrees/s on {friction}");
            assert!(gone < 1.5, "{gone} m on {friction}");
        }
    }
}

/// Height of a kerb and the way to it, in radii of the wheel (dimensionless).
const KERB: (Real, Real) = (0.2, 60.0);

/// Where within a step vehicles meet the kerb (dimensionless).
const PHASES: [Real; 4] = [0.0, 0.25, 0.5, 0.75];

/// What a preset feels of a kerb that it drives up at a walk, `phase` of a step later than from the
/// usual start. It is the largest vertical acceleration of its body over 1/30 s (m/s²).
fn kerb_shock(name: &str, setting: &Setting, phase: Real) -> Result<Real, Box<dyn Error>> {
    let mut ground = ProvingGround::ready(name, setting)?;
    let case = format!("{name}, {setting:?}");
    let radius = ground.front().mechanics().params.wheels[0].radius;
    let wanted = 12.0 * radius;
    let (height, start) = (KERB.0 * radius, KERB.1 * radius + phase * wanted * setting.dt);
    let half = Vector::new(20.0, 1.0, 50.0);
    let place = Vector::new(0.0, height - half.y, start + half.z);
    let kerb = ColliderBuilder::cuboid(half.x, half.y, half.z).translation(place);
    ground.world.insert_collider(kerb.friction(setting.friction), None);
    ground.world.detect_collisions(&(), &());
    let window = (1.0 / 30.0 / setting.dt).round() as usize;
    let (mut speeds, mut shock) = (vec![0.0; window], 0.0);
    for step in 0..(25.0 / setting.dt) as usize {
        let motion = ground.motion();
        let error = (wanted - motion.speed()) / wanted;
        ground.drive((0.15 + 0.8 * error).clamp(0.0, 0.6), (-error - 0.1).clamp(0.0, 0.3), 0.0);
        ground.step()?;
        let motion = ground.motion();
        assert!(0.9 < motion.up.y, "{case} stays upright: {motion:?}");
        // That of the body is the mean of the step: the vehicle knows how much faster it was at its
        // end.
        let own = ground.front().mechanics().state.rigid_body;
        let lead = own.linear_velocity - own.frame_linear_velocity;
        let rising = motion.velocity.y + lead.y;
        let before = std::mem::replace(&mut speeds[step % window], rising);
        if 0.5 * start < motion.position.z {
            shock = Real::max(shock, (rising - before).abs() * 30.0);
        }
    }
    let on_top = ground.motion();
    assert!(start + 6.0 * radius < on_top.position.z, "{case} is on the kerb: {on_top:?}");
    Ok(shock)
}

#[test]
fn presets_feel_a_kerb_as_at_a_small_step() {
    for name in driven().into_iter().filter(|name| *name != "motorcycle") {
        let shock = |rate: Real, shape| {
            let setting = Setting { dt: rate.recip(), shape, ..SETTINGS[0] };
            // Small and stiff vehicles feel more or less by where within a step they meet the edge.
            let of_phase = |phase| {
                kerb_shock(name, &setting, phase).unwrap_or_else(|error| panic!("{name}: {error}"))
            };
            PHASES.into_iter().map(of_phase).sum::<Real>() / PHASES.len() as Real
        };
        for shape in [RoadQueryShape::Ray, RoadQueryShape::Cylinder] {
            // Beyond some 600 steps per second, sweeps do not find the edge exactly enough.
            let fine = shock(480.0, shape);
            // Long steps feel less of it, a 1:10 car least of all, and none feels more.
            for (rate, least) in [(30.0, 0.34), (60.0, 0.59), (240.0, 0.9)] {
                let part = shock(rate, shape) / fine;
                assert!((least..1.1).contains(&part), "{name}, {shape:?}, {rate} Hz: {part}");
            }
        }
    }
}

#[test]
fn presets_stand_as_high_as_they_are_put() {
    for (name, text) in all() {
        let model = AnyVehicle::from_str(FileFormat::Json, text).expect("a preset");
        let mechanics = model.mechanics();
        let carried: Real = mechanics.suspension_forces.iter().map(|it| it.sprung_mass).sum();
        let height = model.standing_height(GRAVITY);
        assert!(0.0 < height && height < 3.0, "{name}: {height} m");
        // A trailer does not stand on its wheels alone.
        if carried < 0.99 * mechanics.rigid_body.mass {
            continue;
        }
        let mut world = level_world(DT, 1.0);
        let mut car = model.insert(&mut world, Pose::from_translation(Vector::Y * height));
        car.commands_mut().brakes[0] = 1.0;
        for _ in 0..240 {
            car.step(&mut world).expect("a good step");
        }
        let stands = world.bodies[car.body()].translation().y;
        let most = 2e-3 + 0.005 * mechanics.wheels[0].radius;
        assert!(
            (stands - height).abs() < most,
            "{name} is put at {height} m, stands at {stands} m"
        );
    }
}

#[test]
fn no_preset_and_no_sample_looks_as_if_it_was_in_other_units() {
    let presets = all().map(|(name, text)| {
        (name, AnyVehicle::from_str(FileFormat::Json, text).expect("a preset"))
    });
    let samples = SampleFile::VEHICLES.iter();
    let samples = samples.map(|file| (file.name(), file.vehicle().expect("a sample")));
    for (name, model) in presets.chain(samples) {
        let mut world = level_world(DT, 1.0);
        let car = model.insert(&mut world, Pose::IDENTITY);
        let findings = diagnose(&car, DT).expect("a time step");
        let is_odd = |finding: &&Finding| {
            let codes = [
                FindingCode::NumberOdd,
                FindingCode::EngineSpeedOdd,
                FindingCode::EngineRevsSlowly,
            ];
            codes.contains(&finding.code)
        };
        let odd: Vec<_> = findings.iter().filter(is_odd).collect();
        assert!(odd.is_empty(), "{name}: {odd:#?}");
    }
}

#[test]
fn presets_name_the_source_of_their_figures() {
    for (name, text) in all() {
        let file = VehicleFile::from_str(FileFormat::Json, text).expect("a file");
        assert!(!file.name.is_empty() && 40 < file.source.len(), "{name}: {}", file.source);
    }
}
