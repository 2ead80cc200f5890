//! Trailers of tractors that take no part in steps.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use snippets::vehicles::SAMPLE_REST_HEIGHT;
use vehicle_rapier::{Activity, Fleet};

use crate::common::{DT, car};

#[test]
fn errors_of_tows_name_vehicles_as_they_are_printed() {
    let mut world = level_world(DT, 1.0);
    let mut fleet = Fleet::new();
    let [one, other] = [(); 2].map(|()| fleet.insert(car(&mut world, SAMPLE_REST_HEIGHT)));
    fleet.tow(one, other).expect("both are there");
    let text = fleet.tow(one, one).expect_err("itself").to_string();
    assert_eq!(
        text,
        format!("tractor and trailer must be two vehicles, got {} for both", one.id())
    );
    let text = fleet.tow(other, one).expect_err("a circle").to_string();
    let pulls = format!("{} pulls {} already", one.id(), other.id());
    assert_eq!(text, format!("the trailer must not pull its tractor: {pulls}"));
}

#[test]
fn a_tractor_that_takes_no_part_in_steps_does_not_pull() {
    for fault in ["none", "disabled", "bad commands"] {
        let mut world = level_world(DT, 1.0);
        let mut fleet = Fleet::new();
        let [tractor, trailer] = [20.0, 0.0].map(|ahead| {
            let car = car(&mut world, SAMPLE_REST_HEIGHT);
            let place = Vector::new(0.0, SAMPLE_REST_HEIGHT, ahead);
            world.bodies[car.actor.body].set_translation(place, true);
            fleet.insert(car)
        });
        fleet.tow(tractor, trailer).expect("both are there");
        fleet[trailer].vehicle.commands.brakes[0] = 1.0;
        fleet[tractor].vehicle.commands.throttle = 0.2;
        for _ in 0..30 {
            let _ = fleet.step(&mut world);
        }
        match fault {
            "disabled" => world.bodies[fleet[tractor].actor.body].set_enabled(false),
            "none" => {}
            _ => fleet[tractor].vehicle.commands.steer = Real::NAN,
        }
        for _ in 0..240 {
            let _ = fleet.step(&mut world);
        }
        let expected = if fault == "none" { Activity::Awake } else { Activity::Asleep };
        assert_eq!(fleet.activity(trailer), Some(expected), "{fault}");
    }
}
