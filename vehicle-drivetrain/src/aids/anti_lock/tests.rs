//! Tests of anti-lock brakes.

use vehicle_core::error::ParamCheck;

use super::super::signals::{BodySignals, DriverSignals};
use super::super::vehicle::tests::car;
use super::*;

const DT: Real = 0.005;

fn brakes(params: AntiLockParams) -> AntiLock {
    params.resolved(&car()).unwrap()
}

fn wheel(rotation_speed: Real) -> WheelSignals {
    WheelSignals {
        longitudinal_speed: 20.0,
        rotation_speed,
        longitudinal_force: -3_000.0,
        load: 3_750.0,
        friction: 1.0,
        is_on_ground: true,
        ..Default::default()
    }
}

fn step(
    brakes: &AntiLock,
    state: &mut AntiLockState,
    wheels: &[WheelSignals],
    request: WheelRequest,
) -> Vec<Option<Real>> {
    pulled_step(brakes, state, wheels, 0.0, request)
}

/// A step with the hand brake pulled so far.
fn pulled_step(
    brakes: &AntiLock,
    state: &mut AntiLockState,
    wheels: &[WheelSignals],
    hand_brake: Real,
    request: WheelRequest,
) -> Vec<Option<Real>> {
    let body = BodySignals { longitudinal_acceleration: -8.0, ..Default::default() };
    let driver = DriverSignals { hand_brake, ..Default::default() };
    let signals =
        AidSignals { wheels, body, driver, drive: Default::default(), gravity: 9.81, dt: DT };
    let mut requests = vec![request; wheels.len()];
    brakes.limit(state, &signals, &mut requests);
    requests.iter().map(|request| request.brake_cap).collect()
}

#[test]
fn torque_at_the_slip_target_is_that_of_the_equation_of_motion() {
    let brakes = brakes(AntiLockParams::default());
    let mut state = AntiLockState::at_rest(4);
    // κ = 0.13 at 58 rad/s, target 60 rad/s: 0.3 3000 + 1 (58 - 60) / 0.02 + 0.9 8 / 0.3
    let request = WheelRequest { foot_brake: 2_000.0, ..Default::default() };
    let caps = step(&brakes, &mut state, &[wheel(58.0); 4], request);
    for cap in caps {
        let cap = cap.unwrap();
        assert!((cap - 824.0).abs() < 0.1, "{cap}");
    }
    assert!(state.is_active());
    // The same in reverse.
    let reverse = WheelSignals {
        longitudinal_speed: -20.0,
        rotation_speed: -58.0,
        longitudinal_force: 3_000.0,
        ..wheel(0.0)
    };
    let mut state = AntiLockState::at_rest(4);
    let caps = step(&brakes, &mut state, &[reverse; 4], request);
    // What slows a body that goes forward speeds up one that goes backward.
    assert!((caps[0].unwrap() - 800.0).abs() < 0.1, "{caps:?}");
}

#[test]
fn wheels_within_their_slip_are_left_alone() {
    let brakes = brakes(AntiLockParams::default());
    let mut state = AntiLockState::at_rest(4);
    let rest = state.clone();
    let request = WheelRequest { foot_brake: 900.0, ..Default::default() };
    let caps = step(&brakes, &mut state, &[wheel(20.0 / 0.3 * 0.93); 4], request);
    assert_eq!(caps, [None; 4]);
    assert!(!state.is_active());
    assert_ne!(state, rest, "the slip is remembered");
}

#[test]
fn pulled_hand_brakes_are_not_limited() {
    let brakes = brakes(AntiLockParams::default());
    let mut state = AntiLockState::at_rest(4);
    let request = WheelRequest { foot_brake: 900.0, hand_brake: 1_000.0, ..Default::default() };
    assert_eq!(pulled_step(&brakes, &mut state, &[wheel(0.0); 4], 0.5, request), [None; 4]);
    // An axis that is not quite at its end pulls nothing.
    let touched = WheelRequest { hand_brake: 5.0, ..request };
    let caps = pulled_step(&brakes, &mut state, &[wheel(0.0); 4], 0.004, touched);
    assert!(caps.iter().all(Option::is_some), "{caps:?}");
}

#[test]
fn front_caps_part_from_none_at_first() {
    let brakes = brakes(AntiLockParams { yaw_torque_start: Some(0.0), ..Default::default() });
    let mut state = AntiLockState::at_rest(4);
    let request = WheelRequest { foot_brake: 2_000.0, ..Default::default() };
    let sides = [wheel(64.0), wheel(50.0), wheel(64.0), wheel(50.0)];
    // 0.2 2500 N·m/s
    for step_number in 0..20 {
        let caps = step(&brakes, &mut state, &sides, request);
        let difference = caps[0].unwrap() - caps[1].unwrap();
        let expected = 500.0 * DT * step_number as Real;
        assert!((difference - expected).abs() < 0.1, "step {step_number}: {difference} N·m");
    }
}

#[test]
fn rear_wheels_share_the_smaller_cap_and_front_caps_part_slowly() {
    let brakes = brakes(AntiLockParams::default());
    let mut state = AntiLockState::at_rest(4);
    let request = WheelRequest { foot_brake: 2_000.0, ..Default::default() };
    let sides = [wheel(64.0), wheel(50.0), wheel(64.0), wheel(50.0)];
    let caps = step(&brakes, &mut state, &sides, request);
    let caps: Vec<_> = caps.into_iter().map(Option::unwrap).collect();
    // 0.04 2500 N·m at first.
    assert!((caps[0] - caps[1] - 100.0).abs() < 0.1, "{caps:?}");
    assert_eq!(caps[2], caps[3]);
    let later = step(&brakes, &mut state, &sides, request);
    let difference = later[0].unwrap() - later[1].unwrap();
    assert!((difference - 100.0 - 500.0 * DT).abs() < 0.1, "{difference}");
    let alone = AntiLockParams { rear: RearControl::Individual, ..Default::default() };
    let brakes = alone.resolved(&car()).unwrap();
    let caps = step(&brakes, &mut AntiLockState::at_rest(4), &sides, request);
    assert_eq!(caps[2], None);
}

#[test]
fn phases_release_hold_and_build() {
    let phases = PhaseParams { prediction_time: 0.0, ..Default::default() };
    let mode = AntiLockMode::Phases;
    let brakes = brakes(AntiLockParams { mode, phases, ..Default::default() });
    let mut state = AntiLockState::at_rest(4);
    let request = WheelRequest { foot_brake: 2_000.0, ..Default::default() };
    let mut cap_at = |slip: Real| {
        let wheels = [wheel(20.0 / 0.3 * (1.0 - slip)); 4];
        step(&brakes, &mut state, &wheels, request)[0].unwrap()
    };
    // Entry at R F, and a release: 900 - 8.4 2500 0.005.
    assert!((cap_at(0.2) - 795.0).abs() < 0.1);
    assert!((cap_at(0.1) - 795.0).abs() < 0.1);
    // 795 + 3 2500 0.005
    assert!((cap_at(0.05) - 832.5).abs() < 0.1);
    // Held for 0.12 s, and a step of 0.03 2500.
    let held: Vec<_> = (0..25).map(|_| cap_at(0.1)).collect();
    assert!((held[20] - 832.5).abs() < 0.1 && (held[24] - 907.5).abs() < 0.1, "{held:?}");
}

#[test]
fn wheels_are_watched_until_the_cap_is_no_limit_for_a_while() {
    let brakes = brakes(AntiLockParams::default());
    let mut state = AntiLockState::at_rest(4);
    let hard = WheelRequest { foot_brake: 2_000.0, ..Default::default() };
    step(&brakes, &mut state, &[wheel(50.0); 4], hard);
    let soft = WheelRequest { foot_brake: 100.0, ..Default::default() };
    let steps = (0..100).take_while(|_| {
        step(&brakes, &mut state, &[wheel(66.0); 4], soft);
        state.is_active()
    });
    let steps = steps.count() as Real;
    assert!((steps * DT - LEAVE_TIME).abs() < 2.0 * DT, "{steps}");
}

#[test]
fn wheels_in_the_air_keep_their_cap_and_slow_ones_lock() {
    let brakes = brakes(AntiLockParams::default());
    let mut state = AntiLockState::at_rest(4);
    let request = WheelRequest { foot_brake: 2_000.0, ..Default::default() };
    let before = step(&brakes, &mut state, &[wheel(50.0); 4], request);
    let air = WheelSignals { is_on_ground: false, longitudinal_force: 0.0, ..wheel(50.0) };
    assert_eq!(step(&brakes, &mut state, &[air; 4], request), before);
    for _ in 0..50 {
        step(&brakes, &mut state, &[air; 4], request);
    }
    assert!(!state.is_active());
    let slow = WheelSignals { longitudinal_speed: 1.4, ..wheel(0.0) };
    assert_eq!(step(&brakes, &mut state, &[slow; 4], request), [None; 4]);
}

#[test]
fn strength_weakens_and_none_is_nothing() {
    let none = AntiLockParams { strength: 0.0, ..Default::default() };
    assert_eq!(none.resolved(&car()), None);
    let half = brakes(AntiLockParams { strength: 0.5, ..Default::default() });
    let request = WheelRequest { foot_brake: 2_000.0, ..Default::default() };
    let caps = step(&half, &mut AntiLockState::at_rest(4), &[wheel(58.0); 4], request);
    assert!((caps[0].unwrap() - (2_000.0 - 0.5 * (2_000.0 - 824.0))).abs() < 0.1, "{caps:?}");
}

#[test]
fn phases_have_a_band_whichever_of_its_ends_is_given() {
    let target = 0.12;
    for (slip_low, slip_high, expected) in [
        (None, None, (0.09, 0.162)),
        (Some(0.08), None, (0.08, 0.162)),
        (Some(0.3), None, (0.3, 0.54)),
        (None, Some(0.2), (0.09, 0.2)),
        (None, Some(0.05), (0.027_777_8, 0.05)),
        (Some(0.3), Some(0.31), (0.3, 0.31)),
    ] {
        let phases = PhaseParams { slip_low, slip_high, ..Default::default() };
        let params = AntiLockParams { slip_target: Some(target), phases, ..Default::default() };
        let mut check = ParamCheck::default();
        params.check(&mut check);
        check.finish().unwrap();
        for wheel in &brakes(params).wheels {
            let found = (wheel.slip_low, wheel.slip_high);
            let apart = (found.0 - expected.0).abs().max((found.1 - expected.1).abs());
            assert!(apart < 1e-6, "{slip_low:?}, {slip_high:?}: {found:?}, not {expected:?}");
        }
    }
    let phases = PhaseParams { slip_low: Some(0.6), ..Default::default() };
    let mut check = ParamCheck::default();
    AntiLockParams { phases, ..Default::default() }.check(&mut check);
    let text = check.finish().unwrap_err().to_string();
    assert_eq!(text, "phases.slip_low must be below 0.55 without a slip_high, got 0.6");
}

#[test]
fn bad_parameters_are_named() {
    let phases = PhaseParams {
        slip_low: Some(0.2),
        slip_high: Some(0.1),
        build_rate: Some(0.0),
        ..Default::default()
    };
    let params =
        AntiLockParams { slip_target: Some(0.5), off_speed: -1.0, phases, ..Default::default() };
    let mut check = ParamCheck::default();
    params.check(&mut check);
    assert_eq!(
        check.finish().unwrap_err().to_string(),
        "slip_target must be within [0.03, 0.4], got 0.5; \
         off_speed must be within [0, 5], got -1; \
         phases.slip_high must be above slip_low (0.2), got 0.1; \
         phases.build_rate must be positive and finite, got 0"
    );
}
