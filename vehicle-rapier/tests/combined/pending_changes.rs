//! Bodies that are changed in the frame in which a vehicle goes back, or the origin is shifted.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::origin_shift::shift_world;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnySnapshot, AnyVehicle};

use crate::common::{DT, drive};

const SHIFT: Vector = Vector::new(0.0, 0.0, 256.0);

/// A world in which a car drives and others sleep: a crate on the ground, one on a table.
struct Scene {
    world: PhysicsWorld,
    car: AnyRapierVehicle,
    snapshot: AnySnapshot,
    crates: [RigidBodyHandle; 2],
    table: ColliderHandle,
}

fn scene() -> Scene {
    let mut world = level_world(DT, 1.0);
    let table = ColliderBuilder::cuboid(1.0, 1.0, 1.0).translation(Vector::new(15.0, 1.0, 0.0));
    let table = world.insert_collider(table, None);
    let crates = [[10.0, 0.5], [15.0, 2.5]].map(|[x, y]| {
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(x, y, 0.0));
        world.insert(body, ColliderBuilder::cuboid(0.5, 0.5, 0.5)).0
    });
    let model = AnyVehicle::preset("hot_hatch").expect("a preset");
    let place = Pose::from_translation(Vector::Y * model.standing_height(9.81));
    let mut car = model.insert(&mut world, place);
    car.commands_mut().throttle = 0.2;
    drive(&mut world, &mut car, 3.0);
    for body in crates {
        assert!(world.bodies[body].is_sleeping());
    }
    let snapshot = car.snapshot(&world.bodies).expect("a body");
    drive(&mut world, &mut car, DT);
    Scene { world, car, snapshot, crates, table }
}

/// How far the origin moves as contacts are found anew (m).
fn find_contacts(scene: &mut Scene, by: &str) -> Vector {
    if by == "restore" {
        scene.car.restore(&mut scene.world, &scene.snapshot).expect("its own");
        return Vector::ZERO;
    }
    shift_world(&mut scene.world, SHIFT).expect("a shift");
    scene.car.shift_origin(SHIFT).expect("a shift");
    SHIFT
}

const WAYS: [&str; 2] = ["restore", "shift_world"];

fn place(scene: &Scene, body: RigidBodyHandle) -> Vector {
    scene.world.bodies[body].translation()
}

/// How far a body has gone from where it was `before`, some `time` (s) after contacts are found
/// anew (m).
fn way_after(
    scene: &mut Scene,
    by: &str,
    body: RigidBodyHandle,
    before: Vector,
    time: Real,
) -> Real {
    let shift = find_contacts(scene, by);
    drive(&mut scene.world, &mut scene.car, time);
    (place(scene, body) + shift).distance(before)
}

#[test]
fn a_body_that_is_pushed_in_the_same_frame_moves() {
    for by in WAYS {
        let mut scene = scene();
        let body = scene.crates[0];
        let before = place(&scene, body);
        let mass = scene.world.bodies[body].mass();
        scene.world.bodies[body].apply_impulse(Vector::X * -3.0 * mass, true);
        let way = way_after(&mut scene, by, body, before, 0.1);
        assert!(0.1 < way, "{by}: {way} m");
    }
}

#[test]
fn a_body_that_is_disabled_in_the_same_frame_stays() {
    for by in WAYS {
        let mut scene = scene();
        let body = scene.crates[0];
        scene.world.bodies[body].wake_up(true);
        drive(&mut scene.world, &mut scene.car, DT);
        let before = place(&scene, body);
        scene.world.bodies[body].set_enabled(false);
        let shift = find_contacts(&mut scene, by);
        drive(&mut scene.world, &mut scene.car, 0.3);
        let way = (place(&scene, body) + shift).distance(before);
        assert!(way < 1e-3, "{by}: {way} m");
        scene.world.bodies[body].set_enabled(true);
        let shift = shift + find_contacts(&mut scene, by);
        drive(&mut scene.world, &mut scene.car, 0.3);
        let way = (place(&scene, body) + shift).distance(before);
        assert!(way < 1e-2, "{by}: it has fallen by {way} m");
    }
}

#[test]
fn a_body_that_is_fixed_in_the_same_frame_stays() {
    for by in WAYS {
        let mut scene = scene();
        let body = scene.crates[1];
        scene.world.bodies[body].set_linvel(Vector::X, true);
        drive(&mut scene.world, &mut scene.car, DT);
        let before = place(&scene, body);
        scene.world.bodies[body].set_body_type(RigidBodyType::Fixed, true);
        let way = way_after(&mut scene, by, body, before, 0.3);
        assert!(way < 1e-3, "{by}: {way} m");
    }
}

#[test]
fn a_body_whose_ground_goes_in_the_same_frame_falls() {
    for by in WAYS {
        for is_removed in [true, false] {
            let mut scene = scene();
            let [rests, falls] = scene.crates;
            let before = scene.crates.map(|body| place(&scene, body).y);
            if is_removed {
                scene.world.remove_collider(scene.table);
            } else {
                scene.world.colliders[scene.table].set_enabled(false);
            }
            find_contacts(&mut scene, by);
            drive(&mut scene.world, &mut scene.car, 0.3);
            let what = format!("{by}, removed: {is_removed}");
            let way = before[1] - place(&scene, falls).y;
            assert!(0.3 < way, "{what}: {way} m");
            assert!(scene.world.bodies[rests].is_sleeping(), "{what}: the other crate sleeps on");
            assert!((before[0] - place(&scene, rests).y).abs() < 1e-3, "{what}");
        }
    }
}

#[test]
fn joints_of_a_body_that_is_disabled_for_a_while_hold_again() {
    for by in WAYS {
        let mut scene = scene();
        let place_of = |scene: &Scene, body| place(scene, body);
        let hung = RigidBodyBuilder::dynamic().translation(Vector::new(20.0, 5.0, 0.0));
        let hung = scene.world.insert(hung, ColliderBuilder::ball(0.2)).0;
        let hook = RigidBodyBuilder::fixed().translation(Vector::new(20.0, 5.5, 0.0));
        let hook = scene.world.insert_body(hook);
        let joint =
            SphericalJointBuilder::new().local_anchor1(Vector::ZERO).local_anchor2(Vector::Y * 0.5);
        scene.world.impulse_joints.insert(hook, hung, joint, true);
        drive(&mut scene.world, &mut scene.car, 0.1);
        scene.world.bodies[hung].set_enabled(false);
        let mut shift = find_contacts(&mut scene, by);
        drive(&mut scene.world, &mut scene.car, 0.1);
        scene.world.bodies[hung].set_enabled(true);
        shift += find_contacts(&mut scene, by);
        drive(&mut scene.world, &mut scene.car, 0.5);
        let way = (place_of(&scene, hung) + shift).distance(Vector::new(20.0, 5.0, 0.0));
        assert!(way < 0.01, "{by}: it has fallen by {way} m");
    }
}

#[test]
fn a_car_that_touches_others_goes_back_to_where_it_touches_none() {
    for by in WAYS {
        let mut scene = scene();
        // Crates around it, and some that move on, so that pairs of colliders come and go.
        for number in 0..12 {
            let place = Vector::new(-4.0 + number as Real, 0.5, 8.0 + 1.02 * (number % 3) as Real);
            let body = RigidBodyBuilder::dynamic().translation(place);
            scene.world.insert(body, ColliderBuilder::cuboid(0.5, 0.5, 0.5).density(20.0));
        }
        scene.car.commands_mut().throttle = 1.0;
        for _ in 0..8 {
            drive(&mut scene.world, &mut scene.car, 0.3);
            find_contacts(&mut scene, by);
            drive(&mut scene.world, &mut scene.car, DT);
            let mut bodies = scene.world.bodies.iter();
            let fallen = bodies.find(|(_, body)| body.translation().y < -0.2);
            assert!(fallen.is_none(), "{by}: {fallen:?}");
        }
    }
}
