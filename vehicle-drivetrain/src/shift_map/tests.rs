//! The shift map's choice of a gear.

use super::*;

const DT: Real = 1.0 / 60.0;
/// The first gear of the default gearbox.
const FIRST: usize = 2;

fn input(engine: &EngineParams, throttle: Real, driven_speed: Real) -> ShiftMapInput<'_> {
    let gear = GearCommand::Automatic;
    let carried_inertia = 160.0;
    ShiftMapInput {
        gear,
        throttle,
        brake: 0.0,
        engine_speed: 200.0,
        engine,
        driven_speed,
        rolling_speed: driven_speed.abs(),
        carried_inertia,
        gap: 0.45,
    }
}

/// State of the gearbox of a car at a constant speed, whose road asks for `power` (W).
fn steady(input: &ShiftMapInput<'_>, power: Real) -> AutoboxState {
    AutoboxState {
        smoothed_speed: input.rolling_speed,
        smoothed_power: power,
        ..AutoboxState::default()
    }
}

/// The gear of a car whose road needs no power.
fn gear(current: usize, throttle: Real, driven_speed: Real) -> usize {
    let (params, gearbox) = (ShiftMapParams::default(), GearboxParams::default());
    let engine = EngineParams::default();
    let input = input(&engine, throttle, driven_speed);
    params.gear(&gearbox, current, &input, &steady(&input, 0.0))
}

#[test]
fn more_throttle_takes_a_lower_gear_and_never_a_higher() {
    let last = GearboxParams::default().ratios.len() - 1;
    for speed in [0.0, 10.0, 25.0, 43.0, 60.0, 80.0, 104.0, 150.0] {
        for current in FIRST..=last {
            let gears =
                [0.0, 0.2, 0.4, 0.6, 0.8, 1.0].map(|throttle| gear(current, throttle, speed));
            assert!(gears.is_sorted_by(|less, more| more <= less), "{speed} rad/s: {gears:?}");
        }
    }
    // 80 km/h: the highest gear at little throttle, kick-down by four.
    assert_eq!((gear(last, 0.1, 67.3), gear(last, 1.0, 67.3)), (last, last - 4));
}

#[test]
fn a_hard_brake_shifts_down_and_never_up() {
    let (params, gearbox, engine) =
        (ShiftMapParams::default(), GearboxParams::default(), EngineParams::default());
    let last = gearbox.ratios.len() - 1;
    // The foot has just gone from the accelerator to the brake; and it has been there for long.
    for (current, speed, brake, expected) in [
        (FIRST + 2, 80.0, 0.0, last),
        (FIRST + 2, 80.0, 0.1, last),
        (FIRST + 2, 80.0, 1.0, FIRST + 2),
        (last, 10.0, 1.0, FIRST),
    ] {
        let input = ShiftMapInput { brake, ..input(&engine, 0.0, speed) };
        let gear = params.gear(&gearbox, current, &input, &steady(&input, 0.0));
        assert_eq!(gear, expected, "from {current} at {speed} rad/s, brake {brake}");
    }
}

#[test]
fn the_gear_of_the_speed_goes_in_from_neutral_under_a_brake() {
    let (params, gearbox, engine) =
        (ShiftMapParams::default(), GearboxParams::default(), EngineParams::default());
    let neutral = GearboxState::in_gear(gearbox.neutral);
    // 15 and 40 m/s.
    for speed in [45.0, 120.0] {
        let engaged = [0.0, 1.0].map(|brake| {
            let input = ShiftMapInput { brake, ..input(&engine, 0.0, speed) };
            let state = AutoboxState::default();
            mapped_autobox(&params, &gearbox, &neutral, &input, &state, DT).gear
        });
        let expected = gear(FIRST, 0.0, speed);
        assert_eq!(engaged, [expected; 2], "{speed} rad/s");
        assert!(FIRST < expected, "{speed} rad/s");
    }
}

#[test]
fn a_gear_that_would_harm_is_not_asked_for_and_gets_no_throttle() {
    let (params, gearbox, engine) =
        (ShiftMapParams::default(), GearboxParams::default(), EngineParams::default());
    // Wheels that spin in the air ask for the first gear of a car at rest.
    let spinning = ShiftMapInput { rolling_speed: 0.0, ..input(&engine, 0.1, 150.0) };
    let neutral = GearboxState::in_gear(gearbox.neutral);
    let state = AutoboxState::default();
    let response = mapped_autobox(&params, &gearbox, &neutral, &spinning, &state, DT);
    let AutoboxResponse { gear, throttle, state } = response;
    assert_eq!((gear, throttle, state.is_shifting), (gearbox.neutral, 0.1, false));
}

#[test]
fn no_shift_asks_for_its_opposite() {
    let last = GearboxParams::default().ratios.len() - 1;
    for step in 0..=200 {
        for throttle in [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0] {
            let speed = step as Real;
            for current in FIRST..=last {
                let shifted = gear(current, throttle, speed);
                let again = gear(shifted, throttle, speed);
                assert_eq!(again, shifted, "{throttle}, {speed} rad/s, from {current}");
            }
        }
    }
}

#[test]
fn an_engine_at_its_largest_speed_leaves_a_gear_wherever_the_up_line_is() {
    let (gearbox, engine) = (GearboxParams::default(), EngineParams::default());
    let up = LookupTable::constant(engine.max_speed);
    // (part of the largest speed, gear); a down line above the limit is not crossed by a shift up.
    for (down, cases) in [
        (575.0, [(0.96, FIRST), (0.975, FIRST + 1), (0.999, FIRST + 1)]),
        (670.0, [(0.96, FIRST), (0.975, FIRST), (0.999, FIRST + 1)]),
    ] {
        let down = LookupTable::constant(down);
        let params = ShiftMapParams { up: up.clone(), down, ..ShiftMapParams::default() };
        let mut check = ParamCheck::default();
        params.check(&mut check, &engine);
        check.finish().unwrap();
        for (part, expected) in cases {
            let speed = part * engine.max_speed / overall_gear_ratio(&gearbox, FIRST);
            let input = input(&engine, 1.0, speed);
            let state = steady(&input, 0.0);
            let gear = params.gear(&gearbox, FIRST, &input, &state);
            assert_eq!(gear, expected, "at {part} of the largest speed");
            assert_eq!(params.gear(&gearbox, gear, &input, &state), gear, "at {part}, again");
            let braking = ShiftMapInput { brake: 1.0, ..input };
            let gear = params.gear(&gearbox, FIRST, &braking, &state);
            assert_eq!(gear, FIRST, "at {part} under a hard brake");
        }
    }
}

#[test]
fn gear_is_not_left_where_the_road_would_bring_it_back() {
    let (params, gearbox, engine) =
        (ShiftMapParams::default(), GearboxParams::default(), EngineParams::default());
    // 120 km/h with the power of a level road, and of one that rises by 6 %, at the throttle that
    // holds it.
    let last = gearbox.ratios.len() - 1;
    for (power, expected) in [(17e3, last), (46e3, last - 1)] {
        let input = input(&engine, 0.45, 101.0);
        let state = steady(&input, power);
        let gear = params.gear(&gearbox, last - 3, &input, &state);
        assert_eq!(gear, expected, "{power} W");
        assert_eq!(params.gear(&gearbox, gear, &input, &state), gear, "{power} W");
    }
}

#[test]
fn gear_that_was_too_weak_waits_for_the_throttle_to_hold_the_speed() {
    let (params, gearbox, engine) =
        (ShiftMapParams::default(), GearboxParams::default(), EngineParams::default());
    let last = gearbox.ratios.len() - 1;
    // 120 km/h: (power of the road, throttle, whether the last gear has been too weak at 0.45,
    // gear)
    let cases = [
        (30e3, 0.45, false, last),
        (30e3, 0.45, true, last - 1),
        (17e3, 0.45, true, last),
        (30e3, 0.34, true, last),
        (30e3, 0.50, true, last - 1),
    ];
    for (power, throttle, was_weak, expected) in cases {
        let input = input(&engine, throttle, 101.0);
        let mut state = steady(&input, power);
        if was_weak {
            state = state.with_weak_gear(last, 0.45);
        }
        let gears = GearboxState::in_gear(last - 1);
        let state = observed(&gearbox, &gears, &input, &state, DT);
        let gear = params.gear(&gearbox, last - 1, &input, &state);
        assert_eq!(gear, expected, "{power} W, throttle {throttle}, weak {was_weak}");
    }
}

#[test]
fn power_of_the_road_is_what_does_not_accelerate_the_car() {
    let engine = EngineParams::default();
    let input = input(&engine, 0.5, 100.0);
    assert_eq!(input.road_power(&steady(&input, 5e4)), 5e4);
    // 2 rad/s² on 160 kg·m² at 100 rad/s.
    let smoothed_speed = 100.0 - 2.0 * SMOOTHING_TIME;
    let faster = AutoboxState { smoothed_speed, ..steady(&input, 5e4) };
    assert!((input.road_power(&faster) - 18e3).abs() < 1.0);
    // 50 kW take 3.1 rad/s² from it in a shift of 0.45 s.
    assert!((input.lost_speed(5e4) - 1.406).abs() < 1e-3);
    assert_eq!(input.lost_speed(-5e4), 0.0);
    // 192.2 N·m at 300 rad/s without friction, which is 0.08 N·m·s closed and 0.02 N·m·s open.
    let full = engine_torque(&engine, 1.0, 300.0) - 0.02 * 300.0;
    assert!((input.throttle_for(full * 300.0, 300.0) - 1.0).abs() < 1e-5);
    assert!((input.throttle_for(-0.08 * 300.0 * 300.0, 300.0)).abs() < 1e-5);
    assert_eq!(input.throttle_for(1.0, 0.0), Real::INFINITY);
}

#[test]
fn car_that_rolls_backward_takes_the_first_gear_at_any_speed() {
    for speed in [-1.0, -20.0, -60.0, -200.0] {
        for current in [FIRST, FIRST + 1, FIRST + 4] {
            assert_eq!(gear(current, 1.0, speed), FIRST, "{speed} rad/s from {current}");
        }
    }
}

#[test]
fn wheels_that_spin_or_lock_do_not_make_it_shift() {
    let (params, gearbox, engine) =
        (ShiftMapParams::default(), GearboxParams::default(), EngineParams::default());
    // (speed of the wheels, speed at which they would roll, throttle, from, to)
    let cases = [
        (48.0, 10.0, 1.0, FIRST, FIRST),
        (48.0, 48.0, 1.0, FIRST, FIRST + 1),
        (0.0, 80.0, 0.0, FIRST + 4, FIRST + 4),
        (0.0, 0.0, 0.0, FIRST + 4, FIRST),
        (80.0, 20.0, 1.0, FIRST + 1, FIRST + 1),
    ];
    for (driven_speed, rolling_speed, throttle, current, expected) in cases {
        let input = ShiftMapInput { rolling_speed, ..input(&engine, throttle, driven_speed) };
        let gear = params.gear(&gearbox, current, &input, &steady(&input, 0.0));
        assert_eq!(gear, expected, "{driven_speed} and {rolling_speed} rad/s, {throttle}");
    }
}

#[test]
fn shift_ends_when_engine_and_gear_have_met() {
    let engine = &EngineParams::default();
    let (params, gearbox) = (ShiftMapParams::default(), GearboxParams::default());
    let shifting =
        AutoboxState { time_since_shift: Some(0.4), is_shifting: true, ..AutoboxState::default() };
    let gears = GearboxState::in_gear(FIRST + 1);
    let driven_speed = 30.0;
    let speed = overall_gear_ratio(&gearbox, FIRST + 1) * driven_speed;
    // (engine faster by, throttle, is shifting)
    for (faster, throttle, is_shifting) in
        [(100.0, 0.0, true), (-30.0, 0.5, true), (-100.0, 1.0, true), (9.0, 0.7, false)]
    {
        let input =
            ShiftMapInput { engine_speed: speed + faster, ..input(engine, 0.7, driven_speed) };
        let response = mapped_autobox(&params, &gearbox, &gears, &input, &shifting, DT);
        assert!((response.throttle - throttle).abs() < 1e-4, "{faster} rad/s: {response:?}");
        assert_eq!(response.state.is_shifting, is_shifting, "{faster} rad/s");
    }
    // An engine that waits for a car to pull away is not waited for.
    let input = ShiftMapInput { engine_speed: 200.0, ..input(engine, 0.7, 0.0) };
    let response = mapped_autobox(&params, &gearbox, &gears, &input, &shifting, DT);
    assert_eq!((response.throttle, response.state.is_shifting), (0.7, false));
}

#[test]
fn drivers_choice_is_executed_like_its_own() {
    let engine = &EngineParams::default();
    let (params, gearbox) = (ShiftMapParams::default(), GearboxParams::default());
    let gears = GearboxState::in_gear(FIRST + 2);
    let input = ShiftMapInput { gear: GearCommand::Gear(FIRST + 1), ..input(engine, 0.7, 30.0) };
    let state = AutoboxState { time_since_shift: Some(0.1), ..AutoboxState::default() };
    let response = mapped_autobox(&params, &gearbox, &gears, &input, &state, DT);
    assert_eq!((response.gear, response.state.is_shifting), (FIRST + 1, true));
    assert!(0.3 < response.throttle, "{response:?}");
    let neutral = ShiftMapInput { gear: GearCommand::Gear(gearbox.neutral), ..input };
    let response = mapped_autobox(&params, &gearbox, &gears, &neutral, &state, DT);
    assert_eq!((response.gear, response.throttle), (gearbox.neutral, 0.7));
}

#[test]
fn bad_maps_are_refused() {
    let message = |params: &ShiftMapParams| {
        let mut check = ParamCheck::default();
        params.check(&mut check, &EngineParams::default());
        check.finish().map_or_else(|error| error.to_string(), |()| "good".to_owned())
    };
    let good = ShiftMapParams::default();
    assert_eq!(message(&good), "good");
    let table = |points: &[(Real, Real)]| LookupTable::new(points).unwrap();
    let crossing = ShiftMapParams { down: table(&[(0.0, 100.0), (1.0, 640.0)]), ..good.clone() };
    assert_eq!(
        message(&crossing),
        "down must be below up at every throttle: below 215 rad/s at 0.25, got 235"
    );
    let mut bad = ShiftMapParams { up: LookupTable::default(), ..good.clone() };
    assert!(
        message(&bad).starts_with("up must be at least one point, got none"),
        "{}",
        message(&bad)
    );
    bad = ShiftMapParams { up: table(&[(0.0, 300.0), (2.0, 700.0)]), latency: -1.0, ..good };
    let found = message(&bad);
    for part in [
        "up[1].x must be within [0, 1], got 2",
        "up[1].y must be within [0, 680], got 700",
        "latency must be finite and not negative, got -1",
    ] {
        assert!(found.contains(part), "{found}");
    }
}
