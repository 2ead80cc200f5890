//! Levels of detail: what is saved must not be seen.

use crate::common::grounds::{block, drivable_world_of};
use crate::common::mixed::{bits_of, direct_drive_car, hilly_world, start};
use crate::common::{drive, roll};
use rapier3d::prelude::*;
use snippets::crowd::hills;
use snippets::vehicles::SAMPLE_REST_HEIGHT;
use vehicle_rapier::drivetrain::DirectDriveVehicle;
use vehicle_rapier::{Activity, Detail, Fleet, RapierVehicle, SmoothMesh};

const COARSE: Detail = Detail { road_period: 4, max_substeps: 1, ..Detail::FULL };

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

/// What the hills of triangles of 1 m are to a wheel.
const SURFACES: [Surface; 2] = [Surface::Smooth, Surface::Triangles];

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

/// By how much two cars differ at most in place (m) and velocity (m/s).
#[derive(Clone, Copy, Debug, Default)]
struct Difference {
    place: Real,
    velocity: Real,
}

impl Difference {
    fn add(&mut self, first: &Motion, second: &Motion) {
        self.place = self.place.max(first.place.distance(second.place));
        self.velocity = self.velocity.max(first.velocity.distance(second.velocity));
    }
}

/// What changes of level do to a car on hills. It is told until they take effect, in the step in
/// which they do, and in those until the coarser of the two levels finds its road again.
fn changes_of_level(surface: Surface) -> [Difference; 3] {
    let ground = Ground::new(surface);
    let period = COARSE.road_period as usize;
    let [mut before, mut in_effect, mut later] = [Difference::default(); 3];
    for (old, new) in [(Detail::FULL, COARSE), (COARSE, Detail::FULL)] {
        let unchanged = drive_over_hills(&ground, |_| old);
        assert!(18.0 < unchanged[STEPS - 1].velocity.length(), "the car drives");
        for change in (SETTLED..STEPS - 2 * period).step_by(5) {
            let changed = drive_over_hills(&ground, |step| if step < change { old } else { new });
            let effect = change.next_multiple_of(old.road_period as usize);
            for step in change..effect + period {
                let difference = match step {
                    _ if step < effect => &mut before,
                    _ if step == effect => &mut in_effect,
                    _ => &mut later,
                };
                difference.add(&changed[step], &unchanged[step]);
            }
        }
    }
    [before, in_effect, later]
}

#[test]
fn a_change_of_level_moves_a_car_by_less_than_a_millimeter() {
    for surface in SURFACES {
        let [before, in_effect, _] = changes_of_level(surface);
        eprintln!("{surface:?}: {in_effect:?}");
        assert_eq!((before.place, before.velocity), (0.0, 0.0), "{surface:?}");
        assert!(0.0 < in_effect.velocity, "{surface:?}: something is left out");
        assert!(in_effect.place < 1e-3, "{surface:?}: {in_effect:?}");
        assert!(in_effect.velocity < 0.01, "{surface:?}: {in_effect:?}");
    }
}

#[test]
fn a_coarser_level_strays_little_until_it_finds_its_road() {
    // A wheel stays on its plane for three steps, 1 m at this speed.
    let allowed = [(Surface::Smooth, 5e-4, 0.015), (Surface::Triangles, 1e-3, 0.025)];
    for (surface, place, velocity) in allowed {
        let [_, _, later] = changes_of_level(surface);
        eprintln!("{surface:?}: {later:?}");
        assert!(later.place < place, "{surface:?}: {later:?}");
        assert!(later.velocity < velocity, "{surface:?}: {later:?}");
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

/// Two blocks, the one 2 m above the other, and a car that rests on the upper one and never looks
/// for its road again unless it must.
fn resting_on_the_upper_block() -> (PhysicsWorld, RapierVehicle<DirectDriveVehicle>) {
    let upper = block(Vector::new(5.0, 0.5, 5.0), Vector::Y * 3.0);
    let lower = block(Vector::new(50.0, 0.5, 50.0), Vector::Y);
    let mut world = drivable_world_of([upper, lower]);
    let pose = Pose::from_translation(Vector::Y * (3.0 + SAMPLE_REST_HEIGHT));
    let mut car = direct_drive_car(&mut world, pose);
    car.detail = Detail { road_period: u32::MAX, ..Detail::FULL };
    car.vehicle.commands.brakes[0] = 1.0;
    (world, car)
}

fn height(world: &PhysicsWorld, car: &RapierVehicle<DirectDriveVehicle>) -> Real {
    world.bodies[car.actor.body].center_of_mass().y
}

#[test]
fn a_car_that_is_put_elsewhere_finds_its_road_there() {
    let (mut world, mut car) = resting_on_the_upper_block();
    drive(&mut world, &mut car, 0.5);
    let before = height(&world, &car);
    let place = Vector::new(20.0, 1.0 + SAMPLE_REST_HEIGHT, 0.0);
    car.teleport(&mut world.bodies, Pose::from_translation(place)).expect("a pose");
    drive(&mut world, &mut car, 1.0);
    let fallen = before - height(&world, &car);
    assert!((fallen - 2.0).abs() < 0.01, "{fallen} m");
}

#[test]
fn a_car_that_has_slept_finds_its_road_anew() {
    let (mut world, mut car) = resting_on_the_upper_block();
    assert_eq!(drive(&mut world, &mut car, 5.0), Activity::Asleep);
    let before = height(&world, &car);
    let is_upper = |(_, collider): &(ColliderHandle, &Collider)| {
        2.0 < collider.translation().y && collider.parent() != Some(car.actor.body)
    };
    let upper = world.colliders.iter().find(is_upper).expect("the upper block").0;
    world.remove_collider(upper);
    drive(&mut world, &mut car, 3.0);
    let fallen = before - height(&world, &car);
    assert!((fallen - 2.0).abs() < 0.01, "{fallen} m");
}

#[test]
fn a_change_that_waits_for_its_road_goes_on_from_a_snapshot() {
    let mut world = hilly_world();
    let mut car = direct_drive_car(&mut world, start(3));
    car.detail = Detail { road_period: 40, max_substeps: 1, ..Detail::FULL };
    car.vehicle.commands.throttle = 0.5;
    drive(&mut world, &mut car, 1.5);
    car.detail = Detail::FULL;
    drive(&mut world, &mut car, 0.1);
    let snapshot = car.snapshot(&world.bodies).expect("a body");
    assert_ne!(snapshot.look.level, snapshot.detail, "the change waits");
    let mut go_on = |car: &mut RapierVehicle<DirectDriveVehicle>| {
        drive(&mut world, car, 1.0);
        let bits = bits_of(&world, car);
        car.restore(&mut world, &snapshot).expect("its own snapshot");
        bits
    };
    let first = go_on(&mut car);
    assert_eq!(first, go_on(&mut car));
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
    fleet.iter::<DirectDriveVehicle>().map(|(_, vehicle)| bits(vehicle)).collect()
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
