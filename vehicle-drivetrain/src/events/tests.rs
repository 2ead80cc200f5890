use vehicle_core::SimulationParams;
use vehicle_core::blueprint::CarBlueprint;
use vehicle_core::commands::CommandResponseParams;

use super::*;
use crate::direct_drive_vehicle::{DirectDriveParams, DirectDriveVehicle};

const DT: Real = 1.0 / 60.0;

/// A car at rest on the ground.
fn resting() -> DirectDriveVehicle {
    let mechanics = CarBlueprint::default().mechanics().expect("a car");
    let throttle = CommandResponseParams::linear(1_200.0, [0.0, 0.0, 1.0, 1.0]);
    let mut car =
        DirectDriveVehicle::new(DirectDriveParams { mechanics, throttle }).expect("valid");
    let state = &mut car.state.mechanics;
    state.suspensions.edit_all(|it| it.compression.separation = Some(0.0));
    car
}

/// A car whose wheel 0 slides locked at 20 m/s and whose wheel 1 is in the air.
fn sliding() -> DirectDriveVehicle {
    let mut car = resting();
    car.state.mechanics.tires.edit(0, |tire| tire.speeds.longitudinal = 20.0);
    car.state.mechanics.suspensions.edit(1, |it| it.compression.separation = Some(0.2));
    car
}

/// Events of a step.
fn seen(events: &mut VehicleEvents, car: &DirectDriveVehicle) -> Vec<VehicleEvent> {
    events.observe(car, &SimulationParams::default().coordinates, DT);
    events.drain().map(|it| it.event).collect()
}

#[test]
fn what_has_begun_ends_in_the_step_after_the_vehicle_was_put_elsewhere() {
    // (wheel 1 is in the air then, and what ends)
    let rolls = VehicleEvent::WheelRolls { wheel: 0 };
    let lands = VehicleEvent::WheelLands { wheel: 1, speed: 0.0 };
    for (stays_in_air, expected) in [(false, vec![rolls, lands]), (true, vec![rolls])] {
        let mut car = sliding();
        let mut events = VehicleEvents::new(EventParams::default(), 4).expect("valid");
        assert_eq!(seen(&mut events, &resting()), []);
        let begun: Vec<_> = (0..20).flat_map(|_| seen(&mut events, &car)).collect();
        let leaves = VehicleEvent::WheelLeavesGround { wheel: 1 };
        assert_eq!(begun, [VehicleEvent::WheelLocked { wheel: 0, speed: 20.0 }, leaves]);
        events.begin_anew();
        if stays_in_air {
            car.state.mechanics.suspensions.edit_all(|it| it.compression.separation = Some(0.2));
        } else {
            car = resting();
        }
        assert_eq!(seen(&mut events, &car), expected, "in the air: {stays_in_air}");
        let later: Vec<_> = (0..20).flat_map(|_| seen(&mut events, &car)).collect();
        assert_eq!(later, []);
    }
}

#[test]
fn a_wheel_that_is_lost_slides_no_more() {
    let mut car = sliding();
    let mut events = VehicleEvents::new(EventParams::default(), 4).expect("valid");
    assert_eq!(seen(&mut events, &resting()), []);
    assert!(!(0..20).flat_map(|_| seen(&mut events, &car)).collect::<Vec<_>>().is_empty());
    car.state.mechanics.detach_wheel(0).expect("it has one");
    assert_eq!(seen(&mut events, &car), [VehicleEvent::WheelRolls { wheel: 0 }]);
    assert_eq!(seen(&mut events, &car), []);
}

#[test]
fn a_vehicle_that_was_told_to_sleep_is_told_to_wake_wherever_it_was_put() {
    let (car, mut events) = (resting(), VehicleEvents::new(EventParams::default(), 4).unwrap());
    events.sleep(DT);
    assert_eq!(seen(&mut events, &car), [], "it slept before anything was told");
    events.sleep(DT);
    events.begin_anew();
    events.sleep(DT);
    assert_eq!(seen(&mut events, &car), [VehicleEvent::Sleeps, VehicleEvent::Wakes]);
}

#[test]
fn a_step_of_no_time_is_not_seen() {
    let (car, coordinates) = (resting(), SimulationParams::default().coordinates);
    let mut events = VehicleEvents::new(EventParams::default(), 4).expect("valid");
    assert_eq!(seen(&mut events, &car), []);
    let memory = events.memory().clone();
    for dt in [0.0, -DT, Real::NAN, Real::INFINITY] {
        events.note_push(Vec3::ZERO);
        events.observe(&car, &coordinates, dt);
        events.sleep(dt);
        assert_eq!(*events.memory(), memory, "after {dt} s");
    }
}
