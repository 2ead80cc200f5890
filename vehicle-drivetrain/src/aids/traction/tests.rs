//! Tests of traction control.

use vehicle_core::error::ParamCheck;

use super::super::signals::{BodySignals, DriveSignals, DriverSignals};
use super::super::vehicle::AidEngine;
use super::super::vehicle::tests::car;
use super::state::HOT;
use super::*;

const DT: Real = 0.01;

fn control(drive: AidDrive) -> Traction {
    TractionParams::default().resolved(&AidVehicle { drive, ..car() }).unwrap()
}

fn wheel(rotation_speed: Real) -> WheelSignals {
    WheelSignals {
        longitudinal_speed: 3.0,
        rotation_speed,
        longitudinal_force: 1_000.0,
        load: 3_750.0,
        is_on_ground: true,
        ..Default::default()
    }
}

fn signals(wheels: &[WheelSignals]) -> AidSignals<'_> {
    AidSignals {
        wheels,
        body: BodySignals { longitudinal_speed: 3.0, ..Default::default() },
        driver: DriverSignals { throttle: 1.0, ..Default::default() },
        drive: DriveSignals::default(),
        gravity: 9.81,
        dt: DT,
    }
}

#[test]
fn motors_have_the_torque_that_holds_the_target() {
    let control = control(AidDrive::PerWheel);
    // At 3 m/s the target is 3.5 m/s, 11.667 rad/s: 0.3 1000 + 1 (11.667 - 15) / 0.05.
    for direction in [1.0, -1.0] {
        let spinning = WheelSignals {
            longitudinal_speed: 3.0 * direction,
            longitudinal_force: 1_000.0 * direction,
            ..wheel(15.0 * direction)
        };
        let mut state = TractionState::at_rest(4);
        let mut requests = [WheelRequest { drive: 900.0 * direction, ..Default::default() }; 4];
        let wheels = [spinning; 4];
        assert_eq!(control.limit(&mut state, &signals(&wheels), 0.0, &mut requests), None);
        let torque = requests[2].drive_torque() * direction;
        assert!((torque - 233.33).abs() < 0.1, "{torque} in direction {direction}");
        assert_eq!(requests[0].drive_cap, None, "front wheels are not driven");
        assert!(state.is_active());
    }
}

#[test]
fn wheels_that_do_not_spin_are_left_alone() {
    for drive in [AidDrive::PerWheel, AidDrive::Engine(AidEngine::default())] {
        let control = control(drive);
        let mut state = TractionState::at_rest(4);
        let mut requests = [WheelRequest { drive: 900.0, ..Default::default() }; 4];
        let before = requests;
        let wheels = [wheel(10.5); 4];
        let limit = control.limit(&mut state, &signals(&wheels), 0.0, &mut requests);
        assert_eq!((limit, requests), (None, before));
        assert_eq!(state, TractionState::at_rest(4));
    }
}

#[test]
fn wheels_are_left_where_they_spin_in_no_direction_of_the_drive() {
    let control = control(AidDrive::Engine(AidEngine::default()));
    let spins = |longitudinal_speed, rotation_speed| {
        let wheels = [WheelSignals { longitudinal_speed, ..wheel(rotation_speed) }; 4];
        [-900.0, 0.0, 900.0].into_iter().any(|drive| {
            let requests = [WheelRequest { drive, ..Default::default() }; 4];
            control.any_spins(&signals(&wheels), 0.0, &requests)
        })
    };
    let mut left = [0, 0];
    for speed in (-20..=20_i8).map(Real::from) {
        for rotation_speed in (-20..=20).map(|step: i8| 5.0 * Real::from(step)) {
            let speeds = (Real4::splat(speed), Real4::splat(rotation_speed));
            let is_left = control.leaves(0, speeds, 0.0);
            assert_ne!(is_left, spins(speed, rotation_speed), "{speed} m/s, {rotation_speed}");
            left[usize::from(is_left)] += 1;
        }
    }
    assert!(left.iter().all(|&number| 100 < number), "{left:?}");
}

#[test]
fn a_higher_slip_target_gives_wheels_room() {
    let control = control(AidDrive::PerWheel);
    let mut requests = [WheelRequest { drive: 900.0, ..Default::default() }; 4];
    let mut state = TractionState::at_rest(4);
    let _none = control.limit(&mut state, &signals(&[wheel(15.0); 4]), 0.6, &mut requests);
    assert_eq!(requests[2].drive_cap, None);
}

#[test]
fn brakes_even_out_an_axle() {
    let control = control(AidDrive::Engine(AidEngine::default()));
    let mut state = TractionState::at_rest(4);
    let mut requests = [WheelRequest { drive: 900.0, ..Default::default() }; 4];
    let wheels = [wheel(10.0), wheel(10.0), wheel(15.0), wheel(10.0)];
    let _limit = control.limit(&mut state, &signals(&wheels), 0.0, &mut requests);
    // 900 - 0.3 1000 + 1 (15 - 11.667) / 0.05
    assert!((requests[2].traction - 666.67).abs() < 0.1, "{}", requests[2].traction);
    assert_eq!([0, 1, 3].map(|wheel| requests[wheel].traction), [0.0; 3]);
    let heat = 666.67 * 15.0 * DT;
    assert!((state.brake_heat - heat).abs() < 0.1, "{}", state.brake_heat);
    state.brake_heat = 1.1 * HOT * car().mass;
    let mut requests = [WheelRequest { drive: 900.0, ..Default::default() }; 4];
    let _limit = control.limit(&mut state, &signals(&wheels), 0.0, &mut requests);
    assert_eq!(requests[2].traction, 0.0, "hot brakes are spared");
}

#[test]
fn brakes_of_a_heavy_vehicle_bear_more_heat() {
    // A truck of 15 t has taken 600 kJ while its axles crossed.
    let wheels = [wheel(10.0), wheel(10.0), wheel(15.0), wheel(10.0)];
    for (mass, helps) in [(15_000.0, true), (1_500.0, false)] {
        let drive = AidDrive::Engine(AidEngine::default());
        let vehicle = AidVehicle { drive, mass, ..car() };
        let control = TractionParams::default().resolved(&vehicle).unwrap();
        let mut state = TractionState { brake_heat: 600e3, ..TractionState::at_rest(4) };
        let mut requests = [WheelRequest { drive: 900.0, ..Default::default() }; 4];
        let _limit = control.limit(&mut state, &signals(&wheels), 0.0, &mut requests);
        assert_eq!(0.0 < requests[2].traction, helps, "{mass} kg");
    }
}

#[test]
fn a_motor_of_two_wheels_has_what_the_worse_one_bears_or_beside_brakes_the_better_one() {
    let vehicle = AidVehicle { drive: AidDrive::PerMotor, ..car() };
    // Held: 0.3 400 - (15 - 11.667)/0.05 on the left, 0.3 1000 + (11.667 - 10)/0.05 on the right.
    let spinning = WheelSignals { longitudinal_force: 400.0, ..wheel(15.0) };
    let wheels = [wheel(10.0), wheel(10.0), spinning, wheel(10.0)];
    for (brake_share, torque, brake) in [(0.0, 53.33, 0.0), (1.0, 300.0, 246.67)] {
        let params = TractionParams { brake_share, ..Default::default() };
        let control = params.resolved(&vehicle).unwrap();
        let mut state = TractionState::at_rest(4);
        let mut requests = [WheelRequest { drive: 300.0, ..Default::default() }; 4];
        assert_eq!(control.limit(&mut state, &signals(&wheels), 0.0, &mut requests), None);
        for wheel in [2, 3] {
            let found = requests[wheel].drive_torque();
            assert!((found - torque).abs() < 0.1, "{found} of {torque} N·m, {brake_share}");
        }
        assert!((requests[2].traction - brake).abs() < 0.1, "{}", requests[2].traction);
        assert_eq!(requests[3].traction, 0.0);
    }
}

#[test]
fn the_throttle_is_for_the_wheels_that_bear_the_car() {
    let control = control(AidDrive::Engine(AidEngine::default()));
    // In a bend at 20 m/s, with a target of 22: rims at 27 m/s on the left and at 21 on the right.
    let limit = |left: Real, right: Real| {
        let of = |rim: Real, load| WheelSignals {
            longitudinal_speed: 20.0,
            load,
            friction: 1.0,
            ..wheel(rim / 0.3)
        };
        let rolling = of(20.0, 3_750.0);
        let wheels = [rolling, rolling, of(27.0, left), of(21.0, right)];
        let body = BodySignals { longitudinal_speed: 20.0, ..Default::default() };
        let mut requests = [WheelRequest { drive: 900.0, ..Default::default() }; 4];
        let signals = AidSignals { body, ..signals(&wheels) };
        control.limit(&mut TractionState::at_rest(4), &signals, 0.0, &mut requests)
    };
    assert_eq!(limit(750.0, 6_750.0), None, "the inner wheel alone spins");
    assert!(limit(3_750.0, 3_750.0).is_some(), "half of the axle spins");
    assert!(limit(0.0, 0.0).is_some(), "in the air");
}

#[test]
fn throttle_falls_by_the_gains_and_not_faster_than_it_can() {
    let params = TractionParams { brake_share: 0.0, ..Default::default() };
    let engine = AidDrive::Engine(AidEngine::default());
    let control = params.resolved(&AidVehicle { drive: engine, ..car() }).unwrap();
    let mut state = TractionState::at_rest(4);
    let wheels = [wheel(16.667); 4];
    let mut requests = [WheelRequest { drive: 900.0, ..Default::default() }; 4];
    let mut limits = Vec::new();
    for _ in 0..60 {
        limits.extend(control.limit(&mut state, &signals(&wheels), 0.0, &mut requests));
    }
    // The rim is 1.5 m/s too fast: 1 - 0.25 1.5 - 0.6 1.5 t.
    assert!((limits[0] - 0.8).abs() < 1e-4, "{limits:?}");
    let expected = 1.0 - 0.375 - 0.9 * 0.6;
    assert!((limits[59] - expected).abs() < 0.01, "{} {expected}", limits[59]);
    // It comes back, and is given up.
    let rolling = [wheel(10.0); 4];
    for _ in 0..300 {
        let _limit = control.limit(&mut state, &signals(&rolling), 0.0, &mut requests);
    }
    assert!(!state.is_active(), "{state:?}");
}

#[test]
fn bad_parameters_are_named() {
    let params =
        TractionParams { slip_target: Some(0.0), min_slip_speed: 0.0, ..Default::default() };
    let mut check = ParamCheck::default();
    params.check(&mut check);
    assert_eq!(
        check.finish().unwrap_err().to_string(),
        "slip_target must be within [0.02, 0.5], got 0; min_slip_speed must be within [0.1, 3], got 0"
    );
}

#[test]
fn brakes_fade_as_the_speed_comes_to_their_own() {
    let control = control(AidDrive::Engine(AidEngine::default()));
    let at = |speed: Real| {
        let mut state = TractionState::at_rest(4);
        let mut requests = [WheelRequest { drive: 900.0, ..Default::default() }; 4];
        let wheel = |slip: Real, load| WheelSignals {
            longitudinal_speed: speed,
            friction: 1.0,
            load,
            ..wheel((1.1 * speed + slip) / 0.3)
        };
        // The wheel that spins bears most.
        let front = wheel(0.0, 3_750.0);
        let wheels = [front, front, wheel(0.5, 5_625.0), wheel(0.0, 1_875.0)];
        let body = BodySignals { longitudinal_speed: speed, ..Default::default() };
        let limit =
            control.limit(&mut state, &AidSignals { body, ..signals(&wheels) }, 0.0, &mut requests);
        (requests[2].traction, limit.expect("it spins"))
    };
    let ((full, mean), (none, borne)) = (at(8.0), at(11.1));
    assert!(0.0 < full && none == 0.0);
    assert!(borne < mean, "{borne}, {mean} by the mean of both sides");
    // 0.8 of 11 m/s, and half of the way from there.
    let (half, between) = at(9.9);
    assert!((half / full - 0.5).abs() < 0.02, "{half} N·m of {full}");
    assert!(borne < between && between < mean, "{between} between {borne} and {mean}");
    let (last, _) = at(10.99);
    assert!(last < 0.01 * full, "{last} N·m of {full}");
}
