//! Ready-made vehicles that slide sideways into kerbs.

use rapier3d::prelude::*;
use snippets::presets;
use vehicle_rapier::Detail;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::drivetrain::blocks::Selector;

use crate::kerbs::{KINDS, Kerb, Kind, radius_of, wheeled};

/// Steps per second and most substeps.
const RATES: [(Real, u32); 4] = [(30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1)];

/// What comes of a slide.
#[derive(Clone, Copy, Debug)]
struct Slide {
    /// Largest change of the velocity over 1/60 s (g).
    peak: Real,
    /// Largest energy of motion and height above that before, by that of the motion before.
    gained: Real,
    /// Least cosine of the angle between the roof's normal and the vertical.
    upright: Real,
    /// Where the body is at the end (m), and how fast it was half a second after the kerb (m/s).
    place: Real,
    speed: Real,
}

/// The preset slides sideways at `speed` (m/s) into a kerb of `height` radii of its wheels, turned
/// by `yaw` (rad) from square to it.
fn slide(
    name: &str,
    (kind, height, yaw): (Kind, Real, Real),
    speed: Real,
    (rate, substeps): (Real, u32),
) -> Slide {
    let vehicle = presets::vehicle(name).expect("a preset");
    let radius = radius_of(&vehicle.insert(&mut PhysicsWorld::new(), Pose::IDENTITY));
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    for collider in (Kerb { kind, height: height * radius, angle: 0.0 }).ground() {
        world.insert_collider(collider.friction(1.0), None);
    }
    world.detect_collisions(&(), &());
    let standing = vehicle.standing_height(GRAVITY);
    let mut car = vehicle.insert(&mut world, Pose::IDENTITY);
    let hull: Vec<_> = world.bodies[car.body()].colliders().to_vec();
    for collider in hull {
        world.colliders[collider].set_collision_groups(InteractionGroups::none());
    }
    let suspensions = &car.mechanics().params.suspensions;
    let side = suspensions.iter().map(|it| it.wheel_mount().x.abs()).fold(0.0, Real::max);
    let turn = Rotation::from_rotation_y(std::f32::consts::FRAC_PI_2 + yaw);
    let start = Vector::new(0.0, standing, -(side + 0.4 + 0.1 * speed));
    let body = car.body();
    world.bodies[body].set_position(Pose::from_parts(start, turn), true);
    world.detect_collisions(&(), &());
    car.params.meets_obstacles = true;
    car.detail = Detail { max_substeps: substeps, ..Detail::FULL };
    car.select(Selector::Neutral);
    for _ in 0..(0.5 * rate) as usize {
        car.step(&mut world).expect("the car can be driven");
    }
    world.bodies[body].set_linvel(Vector::Z * speed, true);
    let energy = |world: &PhysicsWorld| {
        let body = &world.bodies[body];
        body.kinetic_energy() + body.mass() * GRAVITY * body.center_of_mass().y
    };
    let (before, motion) = (energy(&world), world.bodies[body].kinetic_energy());
    let window = (rate / 60.0).round().max(1.0) as usize;
    let mut velocities = vec![world.bodies[body].linvel()];
    let mut slide = Slide { peak: 0.0, gained: 0.0, upright: 1.0, place: start.z, speed };
    let mut since = 0.0;
    for _ in 0..(2.0 * rate) as usize {
        car.step(&mut world).expect("the car can be driven");
        let it = &world.bodies[body];
        velocities.push(it.linvel());
        slide.gained = slide.gained.max((energy(&world) - before) / motion);
        slide.upright = slide.upright.min((it.rotation() * Vector::Y).y);
        slide.place = it.translation().z;
        if -side < slide.place && since < 0.5 {
            (since, slide.speed) = (since + 1.0 / rate, it.linvel().z);
        }
    }
    for change in velocities.windows(window + 1).map(|frame| frame[window] - frame[0]) {
        let by_gravity = rate / window as Real / GRAVITY;
        slide.peak = slide.peak.max(change.length() * by_gravity);
    }
    slide
}

/// Cosine of the angle by which a vehicle leans at most: trucks are high (dimensionless).
const LEANING: Real = 0.7;
/// A step so short that nothing is left of it (1/s).
const FINE: (Real, u32) = (3_840.0, 1);

/// A kerb of a fifth of the radius is lower than the rim: the tire rolls up its side. The truck is
/// so high that at 10 m/s it is near to falling, in the shortest steps, too.
#[test]
fn a_car_that_slides_into_a_low_kerb_is_neither_stopped_nor_turned_over() {
    let mut faults = Vec::new();
    for (index, name) in wheeled().enumerate() {
        for (trial, rate) in RATES.into_iter().enumerate() {
            let kind = KINDS[(index + trial) % KINDS.len()];
            let yaw = [0.0, 0.2][(index + trial) % 2];
            let speed = if name == "truck_6x6" { 7.0 } else { 10.0 };
            let it = slide(name, (kind, 0.2, yaw), speed, rate);
            let is_over = 0.0 < it.place && LEANING < it.upright;
            if 6.0 < it.peak || 0.01 < it.gained || !is_over {
                faults.push(format!("{name}, {kind:?}, {yaw} rad, {rate:?}: {it:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_slide_into_a_low_kerb_is_no_harder_than_in_a_very_short_step() {
    for name in ["city_car", "pick_up"] {
        let fine = slide(name, (Kind::Box, 0.2, 0.0), 10.0, FINE);
        for rate in RATES {
            let it = slide(name, (Kind::Box, 0.2, 0.0), 10.0, rate);
            assert!(it.peak < 1.2 * fine.peak, "{name}, {rate:?}: {it:?}, fine {fine:?}");
            let is_alike = (it.speed - fine.speed).abs() < 0.1 * 10.0;
            assert!(is_alike, "{name}, {rate:?}: {it:?}, fine {fine:?}");
        }
    }
}
