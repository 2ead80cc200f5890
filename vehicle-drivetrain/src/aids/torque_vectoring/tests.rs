//! Tests of torque vectoring.

use super::super::signals::{BodySignals, DriveSignals, DriverSignals};
use super::super::vehicle::tests::car;
use super::*;

fn wheels() -> [WheelSignals; 4] {
    [WheelSignals { load: 3_750.0, friction: 1.0, is_on_ground: true, ..Default::default() }; 4]
}

fn demand(
    params: TorqueVectoringParams,
    wheels: &[WheelSignals],
    body: BodySignals,
) -> [WheelRequest; 4] {
    let body = BodySignals { longitudinal_speed: 20.0, ..body };
    let driver = DriverSignals::default();
    let signals =
        AidSignals { wheels, body, driver, drive: Default::default(), gravity: 9.81, dt: 0.016 };
    let mut requests = [WheelRequest { drive: 200.0, ..Default::default() }; 4];
    let vectoring = params.resolved(&car()).unwrap();
    let others = TurningAids::default();
    vectoring.demand(&mut TorqueVectoringState::default(), &signals, others, &mut requests);
    requests
}

/// Requests of brakes, for a car that turns left by 0.1 rad/s less than its driver may expect.
/// Its gear gives 2,000 N·m at full throttle, and stability control has a moment.
fn braked(
    wheels: &[WheelSignals],
    driver: DriverSignals,
    of_stability: Real,
) -> ([WheelRequest; 4], TorqueVectoringState) {
    let params = TorqueVectoringParams {
        actuator: Some(VectoringActuator::Brakes),
        ..TorqueVectoringParams::default()
    };
    let vectoring = params.resolved(&car()).unwrap();
    let driver = DriverSignals { steer_angle: 0.03, ..driver };
    let asked = vectoring.reference.yaw_rate(20.0, driver.steer_angle, 1.0, 9.81);
    let greatest = vectoring.reference.greatest_yaw_rate(20.0, 1.0, 9.81);
    let yaw_rate = YawReference::expected(asked, greatest) - 0.1;
    let body = BodySignals { longitudinal_speed: 20.0, yaw_rate, ..Default::default() };
    let drive = DriveSignals { full_throttle_torque: 2_000.0, ..Default::default() };
    let signals = AidSignals { wheels, body, driver, drive, gravity: 9.81, dt: 0.016 };
    let mut state = TorqueVectoringState { reference: asked, ..Default::default() };
    let mut requests = [WheelRequest::default(); 4];
    let others = TurningAids { stability_moment: of_stability, ..TurningAids::default() };
    vectoring.demand(&mut state, &signals, others, &mut requests);
    (requests, state)
}

#[test]
fn moment_is_that_of_the_difference_and_the_sum_stays() {
    let body = BodySignals { yaw_rate: -0.1, ..Default::default() };
    let requests = demand(TorqueVectoringParams::default(), &wheels(), body);
    // M = 12500 0.1, ΔD = 1250 0.3 / 1.5
    assert!((requests[3].drive_shift - 250.0).abs() < 0.01, "{requests:?}");
    assert_eq!(requests[2].drive_shift, -requests[3].drive_shift);
    assert_eq!(requests[0].drive_shift, 0.0);
    let straight = demand(TorqueVectoringParams::default(), &wheels(), Default::default());
    assert_eq!(straight[3].drive_torque().to_bits(), 200.0_f32.to_bits());
}

#[test]
fn what_one_wheel_cannot_take_the_other_does_not_give() {
    let body = BodySignals { yaw_rate: -0.1, ..Default::default() };
    let mut wheels = wheels();
    // √(1000² - 600²) 0.3 = 240 N·m: room for 40.
    wheels[3] = WheelSignals { load: 1_000.0, lateral_force: 600.0, ..wheels[3] };
    let requests = demand(TorqueVectoringParams::default(), &wheels, body);
    assert!((requests[3].drive_shift - 40.0).abs() < 0.01, "{requests:?}");
    assert_eq!(requests[2].drive_shift, -requests[3].drive_shift);
}

#[test]
fn what_a_motor_does_not_have_is_not_moved() {
    let axle = VectoringAxle {
        pair: WheelPair { left: 0, right: 1, axle: 0 },
        track: 1.5,
        radius: 0.3,
        max_brake_torques: [1_000.0; 2],
    };
    let mut requests =
        [WheelRequest { drive: 200.0, drive_bound: Some(230.0), ..Default::default() }; 2];
    shift(&axle, 100.0, &wheels(), &mut requests);
    assert!((requests[1].drive_torque() - 230.0).abs() < 1e-3, "{requests:?}");
    assert_eq!(requests[0].drive_shift, -requests[1].drive_shift);
}

#[test]
fn clutches_bound_the_difference() {
    let body = BodySignals { yaw_rate: -0.1, ..Default::default() };
    let actuator = Some(VectoringActuator::Clutches(80.0));
    let params = TorqueVectoringParams { actuator, ..Default::default() };
    let requests = demand(params, &wheels(), body);
    assert_eq!(requests[3].drive_shift, 80.0);
}

#[test]
fn brakes_take_twice_the_difference_and_the_throttle_makes_up_for_it() {
    let half = DriverSignals { throttle: 0.5, ..Default::default() };
    let (requests, state) = braked(&wheels(), half, 0.0);
    // 2 8 2500 (0.1 - 0.02) 0.3 / 1.5, of 2,000 N·m
    assert!((requests[2].stability - 640.0).abs() < 0.1, "{requests:?}");
    assert_eq!(requests[3], WheelRequest::default());
    assert!((state.added_throttle - 0.32).abs() < 1e-4, "{state:?}");
    for (throttle, foot_brake, added) in [(0.0, 0.0, 0.0), (0.1, 0.0, 0.1), (0.5, 0.1, 0.0)] {
        let driver = DriverSignals { throttle, foot_brake, ..Default::default() };
        assert_eq!(braked(&wheels(), driver, 0.0).1.added_throttle, added, "{throttle}");
    }
}

#[test]
fn brakes_leave_the_inner_wheel_its_grip_and_a_slide_to_stability_control() {
    let mut wheels = wheels();
    // √(1000² - 600²) 0.3
    wheels[2] = WheelSignals { load: 1_000.0, lateral_force: 600.0, ..wheels[2] };
    let (requests, _) = braked(&wheels, DriverSignals::default(), 500.0);
    assert!((requests[2].stability - 240.0).abs() < 0.1, "{requests:?}");
    let (requests, state) = braked(&wheels, DriverSignals::default(), -500.0);
    assert_eq!(requests, [WheelRequest::default(); 4]);
    assert!(!state.is_active());
}

#[test]
fn brakes_do_not_turn_against_the_driver() {
    // The car turns to the right, and the driver does not steer.
    let body = BodySignals { yaw_rate: -0.1, ..Default::default() };
    let actuator = Some(VectoringActuator::Brakes);
    let params = TorqueVectoringParams { actuator, ..Default::default() };
    for request in demand(params, &wheels(), body) {
        assert_eq!(request.stability, 0.0);
    }
}

#[test]
fn motors_let_go_as_far_as_stability_control_turns_the_other_way() {
    let wheels = wheels();
    let vectoring = TorqueVectoringParams::default().resolved(&car()).unwrap();
    let moment = |signals: AidSignals<'_>, others| {
        let mut state = TorqueVectoringState::default();
        vectoring.demand(&mut state, &signals, others, &mut [WheelRequest::default(); 4]);
        state.moment
    };
    let body = BodySignals { longitudinal_speed: 20.0, yaw_rate: -0.1, ..BodySignals::default() };
    let (driver, drive) = (DriverSignals::default(), DriveSignals::default());
    let signals = AidSignals { wheels: &wheels, body, driver, drive, gravity: 9.81, dt: 0.016 };
    let beside = |stability_moment| TurningAids { stability_moment, ..Default::default() };
    // 12500 0.1 N·m
    for (of_stability, left) in [(0.0, 1_250.0), (500.0, 1_250.0), (-500.0, 750.0), (-2_000.0, 0.0)]
    {
        let found = moment(signals, beside(of_stability));
        assert!((found - left).abs() < 0.01, "{found} N·m beside {of_stability}");
    }
    let drifting = TurningAids { is_drifting: true, ..TurningAids::default() };
    assert_eq!(moment(signals, drifting), 0.0);
    let pulled = DriverSignals { hand_brake: 0.5, ..driver };
    assert_eq!(moment(AidSignals { driver: pulled, ..signals }, beside(0.0)), 0.0);
    let neutral = DriveSignals { direction: DriveDirection::Neutral, ..drive };
    assert_eq!(moment(AidSignals { drive: neutral, ..signals }, beside(0.0)), 0.0);
}

#[test]
fn moments_are_bounded_by_friction() {
    let body = BodySignals { yaw_rate: -9.0, ..Default::default() };
    let requests = demand(TorqueVectoringParams::default(), &wheels(), body);
    // 0.15 1500 9.81 1.5 0.3 / 1.5
    assert!((requests[3].drive_shift - 662.2).abs() < 0.1, "{requests:?}");
    let (wheels, drive) = (wheels(), DriveSignals::default());
    let driver = DriverSignals::default();
    let body = BodySignals { longitudinal_speed: 20.0, ..body };
    let signals = AidSignals { wheels: &wheels, body, driver, drive, gravity: 20.0, dt: 0.016 };
    let vectoring = TorqueVectoringParams::default().resolved(&car()).unwrap();
    let mut state = TorqueVectoringState::default();
    let others = TurningAids::default();
    vectoring.demand(&mut state, &signals, others, &mut [WheelRequest::default(); 4]);
    // 0.15 1500 20 1.5
    assert!((state.moment - 6_750.0).abs() < 0.1, "{} N·m", state.moment);
    let none = TorqueVectoringParams { strength: 0.0, ..Default::default() };
    assert_eq!(none.resolved(&car()), None);
}

#[test]
fn it_comes_in_over_a_band_of_speeds() {
    let vectoring = TorqueVectoringParams::default().resolved(&car()).unwrap();
    let wheels = wheels();
    // 12500 0.1 N·m from 3.6 m/s on.
    for (speed, expected) in [(2.3, 0.0), (3.0, 625.0), (3.7, 1_250.0)] {
        let body =
            BodySignals { longitudinal_speed: speed, yaw_rate: -0.1, ..BodySignals::default() };
        let (driver, drive) = (DriverSignals::default(), DriveSignals::default());
        let signals = AidSignals { wheels: &wheels, body, driver, drive, gravity: 9.81, dt: 0.016 };
        let mut state = TorqueVectoringState::default();
        let others = TurningAids::default();
        vectoring.demand(&mut state, &signals, others, &mut [WheelRequest::default(); 4]);
        assert!((state.moment - expected).abs() < 1.0, "{} N·m at {speed} m/s", state.moment);
    }
}

#[test]
fn vehicles_that_understeer_much_may_be_told_so() {
    use vehicle_core::error::ParamCheck;
    for (gradient, is_right) in [(0.0125, true), (0.1, true), (0.11, false)] {
        let gradient = Some(gradient);
        let mut check = ParamCheck::default();
        TorqueVectoringParams { understeer_gradient: gradient, ..Default::default() }
            .check(&mut check);
        super::super::stability::StabilityParams {
            understeer_gradient: gradient,
            ..Default::default()
        }
        .check(&mut check);
        assert_eq!(check.finish().is_ok(), is_right, "{gradient:?}");
    }
}
