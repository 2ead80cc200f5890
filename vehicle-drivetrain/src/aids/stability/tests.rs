//! Tests of stability control.

use super::super::signals::{BodySignals, DriverSignals, WheelSignals};
use super::super::vehicle::tests::car;
use super::*;

fn control(params: StabilityParams) -> Stability {
    params.resolved(&car()).unwrap()
}

fn wheels() -> [WheelSignals; 4] {
    [WheelSignals { load: 3_750.0, friction: 1.0, is_on_ground: true, ..Default::default() }; 4]
}

fn signals(wheels: &[WheelSignals], body: BodySignals) -> AidSignals<'_> {
    let body = BodySignals { longitudinal_speed: 20.0, ..body };
    let drive = Default::default();
    AidSignals {
        wheels,
        body,
        driver: DriverSignals::default(),
        drive,
        gravity: 9.81,
        dt: 1.0 / 60.0,
    }
}

fn demands(signals: &AidSignals<'_>) -> ([Real; 4], Option<Real>) {
    let mut requests = [WheelRequest::default(); 4];
    let control = control(StabilityParams::default());
    let limit = control.demand(&mut StabilityState::default(), signals, None, None, &mut requests);
    (requests.map(|request| request.stability), limit)
}

#[test]
fn oversteer_brakes_the_outer_front_wheel() {
    let wheels = wheels();
    // M = -25e3 (0.16 - 0.06) = -2500 N·m, to the right; B = 2500 0.3 / 0.75.
    let body = BodySignals { yaw_rate: 0.16, ..Default::default() };
    let (torques, limit) = demands(&signals(&wheels, body));
    assert!((torques[1] - 1_000.0).abs() < 0.1, "{torques:?}");
    assert_eq!([torques[0], torques[2], torques[3]], [0.0; 3]);
    // 2500 of 2500 0.75 / 0.3
    assert!((limit.unwrap() - 0.6).abs() < 1e-4, "{limit:?}");
    let mirrored = BodySignals { yaw_rate: -0.16, ..Default::default() };
    let (left, _) = demands(&signals(&wheels, mirrored));
    assert_eq!(left, [torques[1], torques[0], torques[3], torques[2]]);
}

#[test]
fn throttles_of_model_cars_close_as_those_of_cars_do() {
    let limit = |scale: Real| {
        let mut car = car();
        let force = scale.powi(3);
        car.mass *= force;
        car.yaw_inertia *= force * scale * scale;
        for wheel in &mut car.wheels {
            (wheel.forward, wheel.left) = (wheel.forward * scale, wheel.left * scale);
            (wheel.radius, wheel.rest_load) = (wheel.radius * scale, wheel.rest_load * force);
            wheel.cornering_stiffness *= force;
            wheel.max_brake_torque *= force * scale;
        }
        let control = StabilityParams::default().resolved(&car).unwrap();
        // A tenth of the moment of a front brake.
        let moment = 0.1 * 2_500.0 * 0.75 / 0.3 * force * scale;
        let wheels = wheels();
        let signals = signals(&wheels, BodySignals::default());
        control.throttle_limit(moment, false, &signals, None).unwrap()
    };
    for scale in [1.0, 0.1, 0.05] {
        assert!((limit(scale) - 0.9).abs() < 1e-4, "{} at {scale}", limit(scale));
    }
}

#[test]
fn what_torque_vectoring_aims_at_is_not_too_much() {
    let wheels = wheels();
    let control = control(StabilityParams::default());
    let moment = |yaw_rate, vectored| {
        let body = BodySignals { yaw_rate, ..Default::default() };
        let signals = signals(&wheels, body);
        let mut state = StabilityState { reference: 0.2, moment: 0.0 };
        let mut requests = [WheelRequest::default(); 4];
        let _limit = control.demand(&mut state, &signals, None, vectored, &mut requests);
        state.moment
    };
    assert!(moment(0.3, None) < 0.0);
    assert_eq!(moment(0.3, Some(0.3)), 0.0);
    assert!(moment(0.4, Some(0.3)) < 0.0);
    assert!(moment(0.3, Some(-0.3)) < 0.0, "to the other side");
    assert_eq!(moment(0.3, Some(0.1)), moment(0.3, None), "less than the driver asks for");
}

#[test]
fn understeer_brakes_the_inner_rear_wheel() {
    let wheels = wheels();
    let body = BodySignals { yaw_rate: 0.05, ..Default::default() };
    let mut signals = signals(&wheels, body);
    signals.driver.steer_angle = 0.5;
    let control = control(StabilityParams::default());
    let mut state = StabilityState { reference: 0.4, moment: 0.0 };
    let mut requests = [WheelRequest::default(); 4];
    let _limit = control.demand(&mut state, &signals, None, None, &mut requests);
    assert!(0.0 < state.moment);
    let torque = state.moment * 0.3 / 0.75;
    // What the friction of 1.2 3750 0.3 does not give is at the front by half.
    assert_eq!(requests[2].stability, 1_350.0);
    assert!((requests[0].stability - 0.5 * (torque - 1_350.0)).abs() < 0.1);
    assert_eq!(requests[1].stability, 0.0);
}

#[test]
fn the_slide_of_a_tricycle_is_that_of_its_single_wheel_behind() {
    let mut tricycle = car();
    tricycle.wheels.truncate(3);
    tricycle.wheels[2].left = 0.0;
    let control = StabilityParams::default().resolved(&tricycle).unwrap();
    let wheels = wheels();
    // In a narrow bend the body points outward by 0.2, and the rear wheel goes where it looks:
    // 4 m/s are 1.4 m times the yaw rate.
    let body = BodySignals { lateral_speed: 4.0, yaw_rate: 4.0 / 1.4, ..Default::default() };
    let signals = signals(&wheels[..3], body);
    assert!(control.slide(&signals).abs() < 1e-5, "{} rad", control.slide(&signals));
    assert!(control.is_calm(&signals));

    let mut leading = car();
    leading.wheels.remove(1);
    leading.wheels[0].left = 0.0;
    leading.wheels[0].steer_share = 0.8;
    let control = StabilityParams::default().resolved(&leading).unwrap();
    assert_eq!([control.front_axle, control.front_steer_share], [1.2, 0.8]);
    assert_eq!(control.axles, [WheelPair { left: 1, right: 2, axle: 1 }; 2]);
}

#[test]
fn a_bend_that_the_gravity_of_the_world_holds_is_left_alone() {
    let wheels = wheels();
    let control = control(StabilityParams::default());
    let moment = |gravity: Real| {
        // 14 m/s² at 20 m/s, by K = 0.001.
        let body = BodySignals { yaw_rate: 0.7, ..Default::default() };
        let mut signals = AidSignals { gravity, ..signals(&wheels, body) };
        signals.driver.steer_angle = 0.7 * (2.6 + 0.4) / 20.0;
        let mut state = StabilityState::default();
        for _ in 0..60 {
            let mut requests = [WheelRequest::default(); 4];
            let _limit = control.demand(&mut state, &signals, None, None, &mut requests);
        }
        state.moment
    };
    assert_eq!(moment(20.0), 0.0);
    assert!(moment(9.81) < 0.0, "there, it is too much");
}

#[test]
fn a_lack_of_turn_is_the_drivers_while_his_front_wheels_grip() {
    let control = control(StabilityParams::default());
    let moment = |angle: Real, friction: Real| {
        let mut wheels = wheels();
        wheels.iter_mut().for_each(|wheel| wheel.friction = friction);
        let body = BodySignals { yaw_rate: 0.02, ..Default::default() };
        let mut state = StabilityState { reference: 0.4, moment: 0.0 };
        let mut requests = [WheelRequest::default(); 4];
        let mut signals = signals(&wheels, body);
        signals.driver.steer_angle = angle;
        let limit = control.demand(&mut state, &signals, None, None, &mut requests);
        assert_eq!(state.moment == 0.0, limit.is_none());
        state.moment
    };
    // Friction 1 is used up at 3,750 N / 60e3 N/rad, 0.0625 rad. The front axle goes by 0.0012.
    assert_eq!(moment(0.041, 1.0), 0.0, "0.64 of it");
    assert!(0.0 < moment(0.062, 1.0), "0.97 of it");
    assert!(0.0 < moment(0.05, 0.5), "on a wet road");
    assert_eq!(moment(-0.1, 1.0), 0.0, "steered out of the turn");
}

#[test]
fn slip_angle_turns_the_nose_to_the_way() {
    let wheels = wheels();
    let body = BodySignals { lateral_speed: 4.0, yaw_rate: -0.01, ..Default::default() };
    let (torques, _) = demands(&signals(&wheels, body));
    // k_β (atan 0.2 - 0.07) R / (T/2) = 60e3 0.1274 0.4, within 1.2 3750 0.3
    assert_eq!(torques[0], 1_350.0);
}

#[test]
fn tolerances_halve_while_it_acts_and_grow_in_sport() {
    let wheels = wheels();
    let body = BodySignals { yaw_rate: 0.05, ..Default::default() };
    let signals = signals(&wheels, body);
    let moment = |params, before| {
        let mut state = StabilityState { reference: 0.0, moment: before };
        let mut requests = [WheelRequest::default(); 4];
        let _limit = control(params).demand(&mut state, &signals, None, None, &mut requests);
        state.moment
    };
    let on = StabilityParams::default();
    let sport = StabilityParams { mode: StabilityMode::Sport, ..on };
    assert_eq!(moment(on, 0.0), 0.0);
    assert!((moment(on, -1.0) + 500.0).abs() < 0.1);
    assert_eq!(moment(sport, -1.0), 0.0);
    assert!((moment(StabilityParams { strength: 0.5, ..on }, -1.0) + 250.0).abs() < 0.1);
}

#[test]
fn nothing_is_done_where_it_could_not_help() {
    let body = BodySignals { yaw_rate: 1.0, ..Default::default() };
    let on_road = wheels();
    let mut lifted = wheels();
    for wheel in [0, 1, 2] {
        lifted[wheel].is_on_ground = false;
    }
    let spinning = signals(&on_road, body);
    assert_ne!(demands(&spinning).0, [0.0; 4]);
    let slow = BodySignals { longitudinal_speed: 3.9, ..spinning.body };
    let reverse = BodySignals { longitudinal_speed: -20.0, ..spinning.body };
    let pulled = DriverSignals { hand_brake: 0.5, ..spinning.driver };
    // An axis that is not quite at its end pulls no hand brake.
    let touched = DriverSignals { hand_brake: 0.004, ..spinning.driver };
    let signals = AidSignals { driver: touched, ..spinning };
    assert_eq!(demands(&signals), demands(&spinning));
    for signals in [
        AidSignals { body: slow, ..spinning },
        AidSignals { body: reverse, ..spinning },
        AidSignals { driver: pulled, ..spinning },
        AidSignals { wheels: &lifted, ..spinning },
    ] {
        assert_eq!(demands(&signals), ([0.0; 4], None), "{signals:?}");
    }
    assert_eq!(StabilityParams { strength: 0.0, ..Default::default() }.resolved(&car()), None);
}

#[test]
fn drifts_are_left_alone_up_to_their_slip_angle() {
    let wheels = wheels();
    let drift = Some(DriftAllowance { max_slip_angle: 0.87 });
    let control = control(StabilityParams::default());
    let moment = |lateral_speed| {
        let body = BodySignals { lateral_speed, yaw_rate: -1.0, ..Default::default() };
        let mut state = StabilityState::default();
        let mut requests = [WheelRequest::default(); 4];
        let signals = signals(&wheels, body);
        let _limit = control.demand(&mut state, &signals, drift, None, &mut requests);
        state.moment
    };
    assert_eq!(moment(20.0), 0.0);
    assert!(0.0 < moment(30.0));
}

#[test]
fn it_comes_in_over_a_band_of_speeds_that_is_lower_for_small_vehicles() {
    let wheels = wheels();
    let mut model = car();
    for wheel in &mut model.wheels {
        wheel.forward *= 0.1;
    }
    for (vehicle, middle) in [(car(), 5.0), (model, 1.58)] {
        let control = StabilityParams::default().resolved(&vehicle).unwrap();
        let moment = |speed: Real| {
            let body =
                BodySignals { longitudinal_speed: speed, yaw_rate: 5.0, ..Default::default() };
            let signals = AidSignals { body, ..signals(&wheels, body) };
            let mut state = StabilityState::default();
            let mut requests = [WheelRequest::default(); 4];
            let _limit = control.demand(&mut state, &signals, None, None, &mut requests);
            state.moment
        };
        let moments = (0..100).map(|step| moment(0.02 * step as Real * middle));
        let moments: Vec<_> = moments.collect();
        let most = moments.iter().fold(0.0, |most: Real, moment| most.max(moment.abs()));
        let jump =
            moments.windows(2).fold(0.0, |jump: Real, two| jump.max((two[1] - two[0]).abs()));
        assert!(0.0 < most && jump < 0.1 * most, "a jump of {jump} N·m of {most}");
        assert_eq!(moment(0.79 * middle), 0.0);
        assert!(moment(0.9 * middle) < 0.0);
    }
}
