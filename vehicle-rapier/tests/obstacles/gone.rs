//! Walls that go while a wheel is at them, and vehicles that are put behind them.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::road_query::RoadFilter;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::giving_way::scene;

/// Steps per second and most substeps.
const RATES: [(Real, u32); 4] = [(30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1)];

/// Half of the size of the wall (m), higher than a hub.
const HALF: Vector = Vector::new(20.0, 1.0, 0.2);

/// A car that has driven slowly to a wall that only its wheels meet, and pushes against it.
fn pushing(rate: (Real, u32), wall: ColliderBuilder) -> (PhysicsWorld, AnyRapierVehicle, Wall) {
    let (mut world, mut car) = scene("hot_hatch", 1.0, rate);
    let wall = world.insert_collider(wall.translation(Vector::new(0.0, 0.0, 4.0)), None);
    car.select(Selector::Drive);
    for (throttle, seconds) in [(0.2, 5.0), (0.05, 5.0), (0.1, 3.0)] {
        car.commands_mut().throttle = throttle;
        for _ in 0..(seconds * rate.0) as usize {
            car.step(&mut world).expect("the car can be driven");
        }
    }
    let speed = world.bodies[car.body()].linvel().length();
    let at = place(&world, &car);
    assert!(speed < 0.3 && at < 3.0, "{rate:?}: {speed} m/s at {at} m does not stand at the wall");
    (world, car, Wall(wall))
}

struct Wall(ColliderHandle);

fn place(world: &PhysicsWorld, car: &AnyRapierVehicle) -> Real {
    world.bodies[car.body()].translation().z
}

/// A way in which a wall opens.
type Opening = (&'static str, fn(&mut PhysicsWorld, &mut AnyRapierVehicle, &Wall));

const OPENINGS: [Opening; 6] = [
    ("disabled", |world, _, wall| world.colliders[wall.0].set_enabled(false)),
    ("another shape", |world, _, wall| {
        world.colliders[wall.0].set_shape(SharedShape::cuboid(HALF.x, 0.01, HALF.z));
    }),
    ("moved along", |world, _, wall| {
        world.colliders[wall.0].set_translation(Vector::new(60.0, 0.0, 4.0));
    }),
    ("moved down", |world, _, wall| {
        world.colliders[wall.0].set_translation(Vector::new(0.0, -3.0, 4.0));
    }),
    ("of other groups", |world, car, wall| {
        let floor = InteractionGroups::new(Group::GROUP_1, Group::ALL, Default::default());
        let other = InteractionGroups::new(Group::GROUP_2, Group::ALL, Default::default());
        for (handle, collider) in world.colliders.iter_mut() {
            if collider.parent().is_none() {
                collider.set_collision_groups(if handle == wall.0 { other } else { floor });
            }
        }
        let seen = InteractionGroups::new(Group::ALL, Group::GROUP_1, Default::default());
        car.road.groups = Some(seen);
    }),
    ("filtered", |_, car, wall| {
        let wall = wall.0;
        let filter = RoadFilter::new(move |candidate| candidate.handle != wall);
        car.road_resources.filter = Some(filter);
    }),
];

#[test]
fn a_wall_that_opens_lets_the_car_through() {
    let mut faults = Vec::new();
    for rate in RATES {
        for (how, open) in OPENINGS {
            let wall = ColliderBuilder::cuboid(HALF.x, HALF.y, HALF.z);
            let (mut world, mut car, wall) = pushing(rate, wall);
            let before = place(&world, &car);
            open(&mut world, &mut car, &wall);
            for _ in 0..(3.0 * rate.0) as usize {
                car.step(&mut world).expect("the car can be driven");
            }
            let way = place(&world, &car) - before;
            if way < 1.0 {
                faults.push(format!("{rate:?}, {how}: {way} m"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_wall_of_a_height_field_that_is_lowered_lets_the_car_through() {
    let rows = 41;
    let field = |height: Real| {
        // A ridge of one row of points across the way, as steep as a wall.
        let heights = (0..2 * rows).map(|index| if index % rows == 20 { height } else { 0.0 });
        let heights = Array2::new(rows, 2, heights.collect());
        SharedShape::heightfield(heights, Vector::new(40.0, 1.0, 8.0))
    };
    for rate in RATES {
        let wall = ColliderBuilder::new(field(1.5));
        let (mut world, mut car, wall) = pushing(rate, wall);
        let before = place(&world, &car);
        world.colliders[wall.0].set_shape(field(0.0));
        for _ in 0..(3.0 * rate.0) as usize {
            car.step(&mut world).expect("the car can be driven");
        }
        let way = place(&world, &car) - before;
        assert!(1.0 < way, "{rate:?}: {way} m");
    }
}

#[test]
fn a_car_that_is_put_behind_a_wall_is_not_thrown() {
    let mut faults = Vec::new();
    for rate in RATES {
        for ahead in [2.3, 6.0, 40.0] {
            let wall = ColliderBuilder::cuboid(HALF.x, HALF.y, HALF.z);
            let (mut world, mut car, _) = pushing(rate, wall);
            car.select(Selector::Neutral);
            let body = &mut world.bodies[car.body()];
            let to = body.translation() + Vector::Z * ahead;
            body.set_translation(to, true);
            let mut fastest: Real = 0.0;
            for _ in 0..rate.0 as usize {
                car.step(&mut world).expect("the car can be driven");
                fastest = fastest.max(world.bodies[car.body()].linvel().length());
            }
            if 0.5 < fastest {
                faults.push(format!("{rate:?}, {ahead} m ahead: {fastest} m/s"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Wheels that have just met a wall are pushed back in their suspensions. Nothing of that remains
/// where the car is put.
#[test]
fn a_car_that_is_teleported_away_from_a_wall_stands_as_a_new_one() {
    let wall = ColliderBuilder::cuboid(HALF.x, HALF.y, HALF.z);
    let (mut world, mut car, _) = pushing((60.0, 1), wall);
    let count = car.wheel_count();
    let meets = |car: &AnyRapierVehicle| {
        let state = car.mechanics().state;
        let shift = |wheel| state.obstacles.get(wheel).map_or(0.0, |it| it.shift.abs());
        (0..count).map(shift).fold(0.0, Real::max)
    };
    assert!(0.0 < meets(&car), "no wheel is at the wall");
    let place = Pose::from_translation(Vector::new(0.0, 1.2, -40.0));
    car.teleport(&mut world.bodies, place).expect("a good pose");
    let state = car.mechanics().state;
    assert!(!state.obstacles.may_act(), "{:?}", state.obstacles);
    assert_eq!(state.wheel_inertia, Some(Default::default()));
}
