//! Every place of every world: cars stand there, and get away.

use playground::worlds::{Lane, PartShape, Surface, World, WorldKind};
use playground::{CROWD_SIZE, Key, Session};
use rapier3d::prelude::*;

use crate::{hold, session, session_with, wait};

/// Number of the start of this name.
fn start(world: &str, name: &str) -> usize {
    let world = World::new(WorldKind::from_name(world).expect("a world")).expect("a world");
    world.starts.iter().position(|start| start.name == name).expect("a start")
}

/// Drives so many steps straight ahead, with a foot on the accelerator below `speed` (m/s).
fn keep_speed(session: &mut Session, speed: f32, steps: usize) {
    for _ in 0..steps {
        let is_slow = session.readings().speed < speed;
        session.keyboard.set(Key::Forward, is_slow);
        session.step().expect("a step");
    }
}

#[test]
fn cars_stand_at_every_start() {
    for kind in WorldKind::ALL {
        let count = World::new(kind).expect("a world").starts.len();
        for number in 0..count {
            let mut session = session(kind.name(), number);
            wait(&mut session, 1.0);
            let name = &session.world().starts[number].name;
            let up = session.body_pose(1.0).rotation * Vector::Y;
            assert!(0.8 < up.y, "{name}: {up}");
            let on_ground = session.readings().wheels.iter().filter(|wheel| wheel.is_on_ground);
            assert_eq!(on_ground.count(), 4, "{name}");
        }
    }
}

#[test]
fn cars_hold_on_every_slope_without_a_pedal() {
    for degrees in [5, 10, 15, 20, 25, 30] {
        let mut session =
            session("proving_ground", start("proving_ground", &format!("On {degrees} degrees")));
        wait(&mut session, 2.0);
        let before = session.body_pose(1.0).translation;
        wait(&mut session, 5.0);
        let moved = session.body_pose(1.0).translation.distance(before);
        assert!(moved < 2e-3, "{degrees} degrees: {moved} m in 5 s");
        // What holds it is seen: sin/cos of the slope, of a friction of 1.
        let used = session.readings().wheels.iter().map(|wheel| wheel.ground_force.length());
        let weight = session.car().mechanics().params.rigid_body.mass * 9.81;
        let share = used.sum::<f32>() / weight;
        let sine = (degrees as f32).to_radians().sin();
        assert!((share - sine).abs() < 0.15 * sine, "{degrees} degrees: {share}, {sine}");
    }
}

#[test]
fn cars_start_on_ten_and_fifteen_degrees() {
    for (degrees, least) in [(10, 2.0), (15, 1.5)] {
        let number = start("proving_ground", &format!("On {degrees} degrees"));
        let mut session = session("proving_ground", number);
        let before = session.body_pose(1.0).translation.y;
        let mut lowest = before;
        for _ in 0..300 {
            hold(&mut session, &[Key::Forward], playground::DT);
            session.keyboard.set(Key::Forward, true);
            lowest = lowest.min(session.body_pose(1.0).translation.y);
        }
        let highest = session.body_pose(1.0).translation.y;
        assert!(before - 0.3 < lowest, "{degrees} degrees: rolls back by {} m", before - lowest);
        assert!(least < highest - before, "{degrees} degrees: {} m", highest - before);
    }
}

#[test]
fn stairs_bumps_and_kerbs_are_driven_over() {
    for (name, least) in [("Kerbs", 40.0), ("Stairs", 25.0), ("Bumps", 60.0)] {
        let mut session = session("proving_ground", start("proving_ground", name));
        let before = session.body_pose(1.0).translation.z;
        keep_speed(&mut session, 6.0, 900);
        let way = session.body_pose(1.0).translation.z - before;
        assert!(least < way, "{name}: {way} m in 15 s");
    }
}

#[test]
fn brakes_on_split_friction_use_what_each_side_has() {
    let mut session = session("proving_ground", start("proving_ground", "Split friction"));
    let mut is_seen = false;
    for step in 0..480 {
        session.keyboard.set(Key::Forward, step < 300);
        session.keyboard.set(Key::Backward, 300 <= step);
        session.step().expect("a step");
        let wheels = &session.readings().wheels;
        let (left, right) = if wheels[1].point.x < wheels[0].point.x { (0, 1) } else { (1, 0) };
        is_seen |= wheels[0].is_on_ground
            && wheels[1].is_on_ground
            && 2.0 * wheels[left].grip < wheels[right].grip;
    }
    assert!(is_seen, "the left wheels have less grip than the right ones");
}

#[test]
fn a_car_is_carried_by_the_carousel_and_the_ferry() {
    for (name, least) in [("Carousel", 3.0), ("Ferry", 8.0)] {
        let mut session = session("proving_ground", start("proving_ground", name));
        let before = session.body_pose(1.0).translation;
        wait(&mut session, 6.0);
        let after = session.body_pose(1.0).translation;
        assert!(least < after.distance(before), "{name}: {before}, {after}");
        assert!(session.readings().speed.abs() < 6.0, "{name}");
    }
}

#[test]
fn a_parked_car_stays_on_the_deck_of_a_ship() {
    let mut session = session("ship", 0);
    wait(&mut session, 2.0);
    let deck = session.world().moving_bodies()[0];
    let place = |session: &playground::Session| {
        let ship = *session.world().physics.bodies[deck].position();
        ship.inverse_transform_point(session.body_pose(1.0).translation)
    };
    let before = place(&session);
    let mut most_roll = 0.0_f32;
    for _ in 0..20 {
        wait(&mut session, 1.0);
        let ship = session.world().physics.bodies[deck].rotation();
        most_roll = most_roll.max((*ship * Vector::Y).x.abs());
    }
    assert!(0.1 < most_roll, "the ship rolls: {most_roll}");
    let moved = place(&session).distance(before);
    assert!(moved < 0.15, "{moved} m in 20 s");
}

#[test]
fn a_car_sinks_into_soft_ground_and_gets_on() {
    let mut session = session("soft_ground", 0);
    wait(&mut session, 1.0);
    let body = session.vehicle().standing_height(9.81);
    let sunk = body - session.body_pose(1.0).translation.y;
    assert!(0.01 < sunk, "{sunk} m");
    hold(&mut session, &[Key::Forward], 5.0);
    assert!(1.0 < session.readings().speed, "{} m/s", session.readings().speed);
}

#[test]
fn the_hill_is_climbed_by_its_road() {
    let mut session = session("hill_climb", 2);
    let before = session.body_pose(1.0).translation.y;
    hold(&mut session, &[Key::Forward], 6.0);
    let risen = session.body_pose(1.0).translation.y - before;
    assert!(3.0 < risen, "{risen} m");
}

#[test]
fn boxes_are_pushed_and_cones_fall() {
    let mut session = session("proving_ground", start("proving_ground", "Boxes"));
    let poses = |session: &playground::Session| -> Vec<Vector> {
        (0..session.moving_count()).map(|body| session.moving_pose(body, 1.0).translation).collect()
    };
    wait(&mut session, 1.0);
    let before = poses(&session);
    hold(&mut session, &[Key::Forward], 6.0);
    let moved = poses(&session).iter().zip(&before).filter(|(a, b)| 0.5 < a.distance(**b)).count();
    assert!(5 < moved, "{moved} parts have moved");
}

#[test]
fn a_thousand_cars_drive_beside_the_driver() {
    let mut session = session("crowd", 0);
    assert_eq!(session.moving_count(), CROWD_SIZE);
    let before: Vec<Vector> =
        (0..CROWD_SIZE).map(|car| session.moving_pose(car, 1.0).translation).collect();
    wait(&mut session, 3.0);
    for (car, before) in before.iter().enumerate() {
        let pose = session.moving_pose(car, 1.0);
        assert!(5.0 < pose.translation.distance(*before), "{car}: {pose:?}");
        assert!(0.95 < (pose.rotation * Vector::Y).y, "{car}: {pose:?}");
    }
}

#[test]
fn surfaces_have_a_friction_that_a_road_can_have() {
    let world = World::new(WorldKind::ProvingGround).expect("a world");
    let surfaces: Vec<Surface> = world.parts.iter().map(|part| part.surface).collect();
    for surface in [Surface::Asphalt, Surface::Ice, Surface::Wet, Surface::Kerb] {
        assert!(surfaces.contains(&surface), "{surface:?}");
    }
    assert!(surfaces.iter().all(|surface| (0.05..=1.1).contains(&surface.friction())));
}

#[test]
fn the_off_road_course_is_driven_as_far_as_it_goes() {
    let field = World::new(WorldKind::OffRoad).expect("a world");
    let triangles = field.parts.iter().map(|part| match &part.shape {
        PartShape::Mesh { triangles, .. } => triangles.len(),
        _ => 0,
    });
    assert_eq!(triangles.max(), Some(100_000));
    for (lane, least) in [(Lane::Kerbs, 30.0), (Lane::Washboard, 40.0), (Lane::Field, 40.0)] {
        let mut session = session_with("pick_up", "off_road", lane as usize);
        assert_eq!(session.world().starts[lane as usize].name, lane.name());
        keep_speed(&mut session, 5.0, 900);
        let way = session.body_pose(1.0).translation.z;
        assert!(least < way, "{}: {way} m in 15 s", lane.name());
    }
}

/// The kerbs rise by 5 cm each, and the wheels have a radius of 31 cm: those of 40 cm are walls.
#[test]
fn the_course_off_the_road_has_kerbs_that_stop_a_car() {
    let mut session = session("off_road", Lane::Kerbs as usize);
    let before = session.body_pose(1.0).translation.z;
    keep_speed(&mut session, 5.0, 2400);
    let way = session.body_pose(1.0).translation.z - before;
    assert!(Lane::RUN_UP + 12.0 < way && way < Lane::Kerbs.length() - 12.0, "{way} m in 40 s");
}
