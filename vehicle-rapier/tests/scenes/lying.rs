//! Vehicles that lie on their hulls, and steps as long as a pause.

use std::f32::consts::{FRAC_PI_2, PI};

use rapier3d::prelude::*;
use snippets::presets::{self, driven};
use snippets::scenes::level_world;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

/// Time after which a vehicle that was laid down has come to rest (s).
const PATIENCE: Real = 25.0;

/// A preset that is laid down on level ground at `rotation`, braked.
fn laid_down(name: &str, rotation: Rotation, rate: Real) -> (PhysicsWorld, AnyRapierVehicle) {
    let mut world = level_world(rate.recip(), 1.0);
    let mut car = presets::vehicle(name).expect("a preset").insert(&mut world, Pose::IDENTITY);
    car.select(Selector::Neutral);
    car.commands_mut().brakes = [1.0; 2];
    let lowest = |handle: &ColliderHandle| {
        let collider = &world.colliders[*handle];
        let own = collider.position_wrt_parent().copied().unwrap_or_default();
        collider.shape().compute_aabb(&(Pose::from_rotation(rotation) * own)).mins.y
    };
    let hull = world.bodies[car.body()].colliders();
    let height = 0.02 - hull.iter().map(lowest).fold(0.0, Real::min);
    let place = Pose::from_parts(Vector::Y * height, rotation);
    car.teleport(&mut world.bodies, place).expect("a place");
    (world, car)
}

/// All fall asleep, but the tractor on its left: it rocks there by a millimeter.
#[test]
fn what_lies_on_its_hull_comes_to_rest() {
    let mut faults = Vec::new();
    for name in driven() {
        for (side, angle) in [("right", -FRAC_PI_2), ("left", FRAC_PI_2), ("roof", PI)] {
            for rate in [30.0, 60.0, 240.0] {
                let rotation = Rotation::from_rotation_z(angle);
                let (mut world, mut car) = laid_down(name, rotation, rate);
                let mut most: Real = 0.0;
                let mut before = Vector::ZERO;
                for step in 0..(PATIENCE * rate) as usize {
                    if world.bodies[car.body()].is_sleeping() {
                        break;
                    }
                    car.step(&mut world).expect("the car can be driven");
                    let place = world.bodies[car.body()].translation();
                    if (step as Real) < (PATIENCE - 5.0) * rate {
                        before = place;
                    }
                    most = most.max(place.distance(before));
                }
                let sleeps = world.bodies[car.body()].is_sleeping();
                let rocks = (name, side) == ("semi_tractor", "left") && most < 1.5e-3;
                if !sleeps && !rocks {
                    faults.push(format!("{name} on its {side}, {rate} Hz: {most} m in 5 s"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

/// A hull that bears a part of the weight takes it from what springs and tires feel.
#[test]
fn what_leans_on_its_hull_stands_still() {
    let mut faults = Vec::new();
    for (name, wheel, brake, rate) in [
        ("semi_trailer", None, 0.0, 30.0),
        ("semi_trailer", None, 0.0, 60.0),
        ("semi_trailer", Some(1), 0.0, 30.0),
        ("semi_trailer", Some(3), 1.0, 30.0),
        ("semi_tractor", Some(2), 1.0, 60.0),
        ("semi_tractor", Some(3), 1.0, 30.0),
        ("electric_car", Some(1), 0.0, 60.0),
        ("gt", Some(0), 1.0, 60.0),
        ("gt", Some(2), 1.0, 60.0),
        ("kart", Some(1), 1.0, 60.0),
        ("motorcycle", Some(1), 1.0, 30.0),
        ("tank", Some(8), 1.0, 30.0),
    ] {
        let mut world = level_world(Real::recip(rate), 1.0);
        let model = presets::vehicle(name).expect("a preset");
        let place = Pose::from_translation(Vector::Y * model.standing_height(GRAVITY));
        let mut car = model.insert(&mut world, place);
        car.select(Selector::Neutral);
        car.commands_mut().brakes = [brake; 2];
        let mut before = Vector::ZERO;
        for step in 0..(PATIENCE * rate) as usize {
            if step == rate as usize
                && let Some(wheel) = wheel
            {
                car.lose_wheel(&mut world, wheel).expect("a wheel");
            }
            car.step(&mut world).expect("the car can be driven");
            let body = &world.bodies[car.body()];
            if step as Real <= (PATIENCE - 12.0) * rate {
                before = body.translation();
            }
            if body.is_sleeping() {
                break;
            }
        }
        let body = &world.bodies[car.body()];
        let way = body.translation().distance(before);
        if 1e-3 < way || !body.is_sleeping() {
            faults.push(format!("{name} without {wheel:?}, {brake}, {rate} Hz: {way} m"));
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

/// Rapier puts a body to sleep that has been slow for half a second, and counts a step of more
/// than that as such a time.
#[test]
fn a_step_as_long_as_a_pause_does_not_stop_a_car() {
    for name in ["hot_hatch", "rc_car", "motorcycle", "tank"] {
        for pause in [0.5, 1.0] {
            let mut world = level_world(60.0_f32.recip(), 1.0);
            let model = presets::vehicle(name).expect("a preset");
            let place = Pose::from_translation(Vector::Y * model.standing_height(GRAVITY));
            let mut car = model.insert(&mut world, place);
            car.commands_mut().throttle = 0.5;
            let step = |world: &mut PhysicsWorld, car: &mut AnyRapierVehicle| {
                car.step(world).expect("the car can be driven");
            };
            (0..120).for_each(|_| step(&mut world, &mut car));
            let before = car.forward_speed();
            world.integration_parameters.dt = pause;
            step(&mut world, &mut car);
            world.integration_parameters.dt = 60.0_f32.recip();
            (0..6).for_each(|_| step(&mut world, &mut car));
            let (after, body) = (car.forward_speed(), &world.bodies[car.body()]);
            let is_driving = 0.5 * before < after && 0.5 * before < body.linvel().length();
            assert!(is_driving && !body.is_sleeping(), "{name}, {pause} s: {before}, {after} m/s");
        }
    }
}
