//! The presets under their brakes: the front wheels lock before the others, and nothing of a train swings out.

use rapier3d::prelude::*;
use snippets::measurements::{ProvingGround, Setting};
use snippets::presets::driven;
use vehicle_rapier::RoadQueryShape;
use vehicle_rapier::drivetrain::blocks::Selector;

use crate::common::DT;

/// Part of the vehicle's speed below which a rim counts as locked (dimensionless).
const LOCKED: Real = 0.5;
/// Speed from which presets brake, and that of the 1:10 car (m/s).
const SPEEDS: [Real; 2] = [22.0, 10.0];
/// Largest angle between a vehicle and its trailer (rad).
const LARGEST_HITCH: Real = 0.26;

/// How a vehicle has braked on a straight road.
#[derive(Debug)]
struct Stop {
    /// When a wheel of each axle has locked (s); never is infinity.
    locked: Vec<Real>,
    /// Largest angle between vehicle and trailer (rad).
    hitch: Real,
}

/// The preset `name` on its way straight on, in neutral, without its trailer if it is `alone`.
fn rolling(name: &str, setting: &Setting, alone: bool) -> ProvingGround {
    let mut ground = ProvingGround::ready(name, setting).expect("a preset");
    while alone && 1 < ground.train.len() {
        ground.train.pop().expect("a trailer").remove(&mut ground.world);
    }
    ground.train[0].select(Selector::Neutral);
    let speed = if name == "rc_car" { SPEEDS[1] } else { SPEEDS[0] };
    for car in &ground.train {
        ground.world.bodies[car.body()].set_linvel(Vector::Z * speed, true);
    }
    ground.steps_for(0.5).expect("it rolls");
    ground
}

fn stop(name: &str, setting: &Setting, pedal: Real, alone: bool) -> Stop {
    let mut ground = rolling(name, setting, alone);
    ground.drive(0.0, pedal, 0.0);
    let start = ground.time;
    let axles: Vec<Vec<usize>> =
        ground.front().mechanics().params.axles.axles().map(<[usize]>::to_vec).collect();
    let mut stop = Stop { locked: vec![Real::INFINITY; axles.len()], hitch: 0.0 };
    while 2.0 < ground.motion().speed() && ground.time - start < 20.0 {
        ground.step().expect("it brakes");
        let speed = ground.motion().speed();
        let mechanics = ground.front().mechanics();
        let is_locked = |&wheel: &usize| {
            let rim = mechanics.state.wheels.of(wheel).rotation_speed.abs();
            rim * mechanics.params.wheels[wheel].radius < LOCKED * speed
        };
        for (axle, locked) in axles.iter().zip(&mut stop.locked) {
            if axle.iter().any(is_locked) {
                *locked = locked.min(ground.time - start);
            }
        }
        if 1 < ground.train.len() {
            let [own, other] = [0, 1].map(|index| ground.motion_of(index).forward);
            stop.hitch = stop.hitch.max(own.angle_between(other));
        }
    }
    stop
}

#[test]
fn front_wheels_of_presets_lock_before_the_others() {
    for name in driven().into_iter().filter(|name| *name != "motorcycle") {
        for friction in [1.0, 0.4] {
            let setting = Setting { dt: DT, friction, shape: RoadQueryShape::Ray };
            for pedal in [0.35, 0.6, 1.0] {
                let stop = stop(name, &setting, pedal, true);
                let others = stop.locked[1..].iter().copied().fold(Real::INFINITY, Real::min);
                let case = format!("{name}, friction {friction}, pedal {pedal}");
                assert!(stop.locked[0] <= others, "{case}: {stop:?}");
            }
        }
    }
}

#[test]
fn trailers_follow_a_braking_vehicle_straight_on_slippery_roads() {
    let setting = Setting { dt: DT, friction: 0.4, shape: RoadQueryShape::Ray };
    for name in ["truck_6x6", "semi_tractor"] {
        for pedal in [0.2, 0.5, 0.7, 1.0] {
            let stop = stop(name, &setting, pedal, false);
            assert!(stop.hitch < LARGEST_HITCH, "{name}, pedal {pedal}: {stop:?}");
        }
    }
}
