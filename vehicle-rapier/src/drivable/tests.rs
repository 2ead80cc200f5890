use super::*;
use crate::rest::Rest;

const REST: DriverIntent = DriverIntent {
    throttle: 0.0,
    is_turning: false,
    brakes: [0.5, 0.0],
    steer: 0.0,
    steering_torque: None,
    gear: 1,
    target_gear: 1,
    clutch: 0.0,
    thrusts: [1.0; 2],
    track_brakes: [0.5, 0.0],
    wheel_inputs: 1,
};

fn at_rest(intent: &DriverIntent) -> Rest {
    let mut rest = Rest::default();
    rest.note_driver(intent);
    rest
}

#[test]
fn all_that_a_driver_does_wakes_but_a_brake_that_is_pressed() {
    let cases = [
        (REST, false),
        (DriverIntent { throttle: 0.1, ..REST }, true),
        (DriverIntent { is_turning: true, ..REST }, true),
        (DriverIntent { brakes: [0.6, 0.1], ..REST }, false),
        (DriverIntent { brakes: [0.49, 0.0], ..REST }, true),
        (DriverIntent { brakes: [0.0, 1.0], ..REST }, true),
        (DriverIntent { steer: 0.1, ..REST }, true),
        (DriverIntent { gear: 0, ..REST }, true),
        (DriverIntent { target_gear: 2, ..REST }, true),
        (DriverIntent { clutch: 0.5, ..REST }, true),
        (DriverIntent { thrusts: [1.0, -1.0], ..REST }, true),
        (DriverIntent { track_brakes: [0.5, 1.0], ..REST }, false),
        (DriverIntent { track_brakes: [0.4, 1.0], ..REST }, true),
        (DriverIntent { wheel_inputs: 2, ..REST }, true),
    ];
    for (intent, expected) in cases {
        assert_eq!(at_rest(&REST).is_stirred_by(&intent), expected, "{intent:?}");
    }
}

#[test]
fn what_is_held_from_the_start_does_not_wake() {
    let held = DriverIntent { steer: 0.5, ..REST };
    assert!(!Rest::default().is_stirred_by(&held));
    assert!(!at_rest(&held).is_stirred_by(&held));
}
