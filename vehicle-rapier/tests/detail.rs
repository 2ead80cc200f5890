//! Levels of detail: what is saved must not be seen.

mod common;

use common::grounds::{block, drivable_world_of};
use common::mixed::{bits_of, direct_drive_car, hilly_world, start};
use common::{drive, roll};
use rapier3d::prelude::*;
use snippets::crowd::hills;
use snippets::vehicles::SAMPLE_REST_HEIGHT;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::{Activity, Detail, Fleet, RapierVehicle, SmoothMesh};

const COARSE: Detail = Detail { road_period: 4, max_substeps: 1 };

/// Speed at which the cars roll over hills (m/s).
const SPEED: Real = 20.0;

/// Steps after which a car has settled on its springs.
const SETTLED: usize = 60;

/// Steps of a drive over hills: 50 m.
const STEPS: usize = SETTLED + 150;

/// Where the body is and how it moves.
#[derive(Clone, Copy)]
struct Motion {
    place: Vector,
    velocity: Vector,
}

/// What the hills of triangles of 1 m are to a wheel, and by how much a change of level may change the
/// velocity of a car in its first step (m/s).
///
/// A car that looks later for its road feels the next triangle later. On a smooth road its direction
/// turns by 1 mrad until then. On triangles it may turn by the 3 mrad between two of them, below all
/// wheels in the same step.
const SURFACES: [(Surface, Real); 2] = [(Surface::Smooth, 0.01), (Surface::Triangles, 0.025)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Surface {
    Smooth,
    Triangles,
}

/// Hills, built once.
struct Ground {
    hills: ColliderBuilder,
    smooth_meshes: Vec<SmoothMesh>,
}

impl Ground {
    fn new(surface: Surface) -> Self {
        let hills = hills(200, 1.0);
        let world = drivable_world_of([hills.clone()]);
        let meshes = world.colliders.iter().filter(|_| surface == Surface::Smooth);
        let smooth = |(mesh, _)| SmoothMesh::new(mesh, &world.colliders).expect("a mesh");
        Self { hills, smooth_meshes: meshes.map(smooth).collect() }
    }
}

/// The motion of a car after every step, with the detail that `detail` says of a step.
fn drive_over_hills(ground: &Ground, detail: impl Fn(usize) -> Detail) -> Vec<Motion> {
    let mut world = drivable_world_of([ground.hills.clone()]);
    let mut car = direct_drive_car(&mut world, start(3));
    car.road_resources.smooth_meshes.clone_from(&ground.smooth_meshes);
    roll(&mut world, &mut car, SPEED, SPEED / 0.343_252);
    car.vehicle.commands.throttle = 0.2;
    let step = |step| {
        car.detail = detail(step);
        car.step(&mut world).expect("the car can be driven");
        let body = &world.bodies[car.actor.body];
        Motion { place: body.center_of_mass(), velocity: body.linvel() }
    };
    (0..STEPS).map(step).collect()
}

#[test]
fn a_change_of_level_moves_a_car_by_less_than_a_millimeter() {
    for (surface, allowed) in SURFACES {
        let ground = Ground::new(surface);
        let (mut place, mut velocity): (Real, Real) = (0.0, 0.0);
        for (before, after) in [(Detail::FULL, COARSE), (COARSE, Detail::FULL)] {
            let unchanged = drive_over_hills(&ground, |_| before);
            assert!(18.0 < unchanged[STEPS - 1].velocity.length(), "the car drives");
            for change in (SETTLED..STEPS).step_by(6) {
                let detail = |step| if step < change { before } else { after };
                let changed = drive_over_hills(&ground, detail)[change];
                place = place.max(changed.place.distance(unchanged[change].place));
                velocity = velocity.max(changed.velocity.distance(unchanged[change].velocity));
            }
        }
        eprintln!("{surface:?}: at most {place} m and {velocity} m/s");
        assert!(0.0 < velocity, "something is left out");
        assert!(place < 1e-3, "{surface:?}: {place} m");
        assert!(velocity < allowed, "{surface:?}: {velocity} m/s");
    }
}

#[test]
fn a_parked_car_on_coarse_detail_stays_and_falls_asleep() {
    for can_sleep in [true, false] {
        let mut world = hilly_world();
        let mut car = direct_drive_car(&mut world, start(3));
        car.detail = COARSE;
        car.vehicle.commands.brakes[0] = 1.0;
        if !can_sleep {
            world.bodies[car.actor.body].activation_mut().normalized_linear_threshold = -1.0;
        }
        drive(&mut world, &mut car, 3.0);
        let before = world.bodies[car.actor.body].translation();
        let activity = drive(&mut world, &mut car, 10.0);
        let after = world.bodies[car.actor.body].translation();
        assert!(before.distance(after) < 1e-3, "{can_sleep}: from {before} to {after}");
        assert_eq!(activity == Activity::Asleep, can_sleep);
    }
}

#[test]
fn a_car_on_coarse_detail_falls_off_an_edge() {
    let fall = |detail| {
        let top = block(Vector::new(20.0, 1.0, 20.0), Vector::Y * 3.0);
        let bottom = block(Vector::new(200.0, 1.0, 200.0), Vector::ZERO);
        let mut world = drivable_world_of([top, bottom]);
        let pose = Pose::from_translation(Vector::Y * (3.0 + SAMPLE_REST_HEIGHT));
        let mut car = direct_drive_car(&mut world, pose);
        car.detail = detail;
        drive(&mut world, &mut car, 0.5);
        roll(&mut world, &mut car, 10.0, 10.0 / 0.343_252);
        let mut heights = Vec::new();
        for _ in 0..240 {
            car.step(&mut world).expect("the car can be driven");
            heights.push(world.bodies[car.actor.body].center_of_mass().y);
        }
        heights
    };
    let [full, coarse] = [Detail::FULL, COARSE].map(fall);
    let fallen = |heights: &[Real]| heights.iter().position(|&height| height < 2.5);
    let (Some(full), Some(coarse)) = (fallen(&full), fallen(&coarse)) else {
        panic!("cars fall: {} m, {} m", full[239], coarse[239]);
    };
    // A wheel stays on the plane that it has found for up to three steps.
    assert!(full.abs_diff(coarse) <= 3, "in step {full} and {coarse}");
}

/// A fleet of cars whose detail is `detail` of their number, after some steps.
fn fleet_with(detail: impl Fn(usize) -> Detail) -> Vec<String> {
    let mut world = hilly_world();
    let mut fleet = Fleet::new();
    for index in 0..8 {
        let mut car = direct_drive_car(&mut world, start(index));
        car.vehicle.commands.throttle = 0.5;
        car.detail = detail(index);
        fleet.insert(car);
    }
    for _ in 0..120 {
        assert_eq!(fleet.step(&mut world), []);
    }
    let bits = |vehicle: &RapierVehicle<DirectDriveVehicle>| bits_of(&world, vehicle);
    fleet.iter().map(|(_, vehicle)| bits(vehicle)).collect()
}

#[test]
fn the_detail_of_others_does_not_matter_to_a_car() {
    let full = fleet_with(|_| Detail::FULL);
    let mixed = fleet_with(|index| if index % 2 == 1 { COARSE } else { Detail::FULL });
    for (index, (full, mixed)) in full.iter().zip(mixed).enumerate() {
        assert_eq!(*full == mixed, index % 2 == 0, "car {index}");
    }
}

#[test]
fn a_fleet_sets_detail_by_distance() {
    let mut world = hilly_world();
    let mut fleet = Fleet::new();
    for index in 0..8 {
        let car = direct_drive_car(&mut world, start(index));
        fleet.insert(car);
    }
    let eye = start(0).translation;
    let bodies = &world.bodies;
    fleet.set_detail(|_, actor| {
        let distance = bodies[actor.body].translation().distance(eye);
        Detail::at_distance(distance, &[(20.0, COARSE)])
    });
    let details: Vec<_> = fleet.iter::<DirectDriveVehicle>().map(|(_, car)| car.detail).collect();
    // Neighbors are 8 m apart.
    let expected = [[Detail::FULL; 3].as_slice(), &[COARSE; 5]].concat();
    assert_eq!(details, expected);
}
