//! The combustion engine: idle, limiter, overrun, stall, starter, intake, friction.

use vehicle_core::error::Validate;
use vehicle_drivetrain::blocks::{Engine, Limiter, Stall, chain};

use crate::bench::{Bench, DT, assert_close, load};

/// An engine on a roller without inertia of its own to speak of.
fn bench(engine: Engine) -> Bench {
    Bench::new(chain(engine).then(load("roller", 0.001)))
}

fn run(bench: &mut Bench, seconds: f64) {
    for _ in 0..(seconds / DT).round() as usize {
        bench.step(&[]);
    }
}

#[test]
fn idle_control_keeps_its_speed_under_load() {
    let mut bench = bench(Engine::default());
    for (torque, most) in [(0.0, 1.0), (-20.0, 1.0), (-60.0, 2.0), (0.0, 1.0)] {
        bench.set("roller", "torque", torque);
        run(&mut bench, 8.0);
        let speed = bench.get("engine", "speed");
        assert!((speed - 84.0).abs() < most, "{speed} rad/s under {torque} N·m");
    }
}

#[test]
fn a_limiter_cuts_the_fuel_and_lets_it_flow_again() {
    let engine = Engine::default();
    let limiter = engine.limiter.expect("a limiter");
    let mut bench = bench(engine);
    bench.set("engine", "throttle", 1.0);
    run(&mut bench, 3.0);
    let (mut cuts, mut was_cut) = (0, false);
    for _ in 0..300 {
        bench.step(&[]);
        let (speed, is_cut) =
            (bench.get("engine", "speed"), bench.get("engine", "fuel cut") == 1.0);
        cuts += u32::from(is_cut && !was_cut);
        was_cut = is_cut;
        let (low, high) = (limiter.speed - limiter.hysteresis, limiter.speed);
        // A step of full torque, and the shortest time without fuel, go beyond.
        let reach = f64::from(low) - 25.0..f64::from(high) + 15.0;
        assert!(reach.contains(&speed), "{speed} rad/s");
    }
    assert!(3 < cuts && cuts < 60, "{cuts} cuts in 3 s");
}

#[test]
fn without_throttle_a_fast_engine_gets_no_fuel() {
    let mut bench = bench(Engine::default());
    bench.spin("engine", 400.0);
    let mut last = 400.0;
    while 146.0 < last {
        bench.step(&[]);
        assert_eq!(bench.get("engine", "combustion torque"), 0.0, "at {last} rad/s");
        let speed = bench.get("engine", "speed");
        // Friction of the end of the step: T = f₀ + f₁ω + f₂ω², but for the linearization of its
        // square.
        let friction = 10.0 + 0.02 * speed + 3e-5 * speed * last;
        assert!((last - speed - DT * friction / 0.151).abs() < 1e-4, "{last} to {speed} rad/s");
        last = speed;
    }
    run(&mut bench, 6.0);
    let speed = bench.get("engine", "speed");
    assert!((speed - 84.0).abs() < 2.0, "idles at {speed} rad/s");
}

#[test]
fn a_stalled_engine_stands_until_its_starter_turns_it() {
    let stall = Stall { speed: 40.0, starter_torque: 60.0, running_speed: 60.0 };
    let mut bench = bench(Engine { stall: Some(stall), ..Engine::default() });
    run(&mut bench, 1.0);
    assert_eq!(bench.get("engine", "stalled"), 0.0);
    bench.set("roller", "torque", -250.0);
    for _ in 0..100 {
        bench.step(&[]);
        if bench.get("engine", "stalled") == 1.0 {
            break;
        }
    }
    bench.set("roller", "torque", 0.0);
    bench.set("engine", "throttle", 1.0);
    run(&mut bench, 4.0);
    assert_eq!(bench.get("engine", "stalled"), 1.0);
    assert_eq!(bench.get("engine", "speed"), 0.0);
    bench.set("engine", "throttle", 0.0);
    bench.set("engine", "starter", 1.0);
    run(&mut bench, 0.6);
    bench.set("engine", "starter", 0.0);
    run(&mut bench, 4.0);
    assert_eq!(bench.get("engine", "stalled"), 0.0);
    let speed = bench.get("engine", "speed");
    assert!((speed - 84.0).abs() < 3.0, "{speed} rad/s");
}

#[test]
fn engines_that_would_never_get_fuel_again_are_refused() {
    let limited = |speed, hysteresis| Engine {
        limiter: Some(Limiter { speed, hysteresis, cut_time: 0.05 }),
        ..Engine::default()
    };
    let stalling = |speed, running_speed| Engine {
        stall: Some(Stall { speed, starter_torque: 60.0, running_speed }),
        ..Engine::default()
    };
    for (engine, message) in [
        (
            limited(680.0, 596.0),
            "limiter.hysteresis must be below 596, from limiter.speed down to idle, got 596",
        ),
        (limited(84.0, 0.0), "limiter.speed must be above idle.speed = 84, got 84"),
        (stalling(40.0, 30.0), "stall.running_speed must be at least stall.speed = 40, got 30"),
        (stalling(40.0, 90.0), "stall.running_speed must be at most idle.speed = 84, got 90"),
        (
            stalling(100.0, 110.0),
            "stall.speed must be at most idle.speed = 84, got 100; \
             stall.running_speed must be at most idle.speed = 84, got 110",
        ),
    ] {
        assert_eq!(engine.validate().unwrap_err().to_string(), message);
    }
    for engine in [limited(680.0, 595.0), limited(680.0, 0.0), stalling(84.0, 84.0)] {
        engine.validate().unwrap();
    }
    Engine { idle: None, ..stalling(100.0, 110.0) }.validate().unwrap();
}

#[test]
fn without_ignition_it_stops() {
    let mut bench = bench(Engine::default());
    bench.set("engine", "ignition", 0.0);
    bench.set("engine", "throttle", 1.0);
    run(&mut bench, 3.0);
    assert_eq!(bench.get("engine", "speed"), 0.0);
}

#[test]
fn the_intake_follows_the_throttle_in_its_time() {
    let engine = Engine { intake_time: 0.2, idle: None, ..Engine::default() };
    let mut bench = bench(engine);
    bench.spin("engine", 200.0);
    bench.set("engine", "throttle", 0.8);
    run(&mut bench, 0.2);
    let load = bench.get("engine", "load");
    // Implicitly: 1 - (1 + h/τ)^-n.
    assert_close(load, 0.8 * (1.0 - (1.0_f64 + DT / 0.2).powi(-20)), "load");
}

#[test]
fn its_torque_is_that_of_its_curve() {
    // Held by a roller of much inertia, so that its speed is that of the curve.
    let mut bench = Bench::new(chain(Engine::default()).then(load("roller", 1e5)));
    bench.set("engine", "throttle", 1.0);
    for (speed, torque) in [(84.0, 150.0), (200.0, 205.0), (300.0, 215.0), (590.0, 190.0)] {
        bench.spin("engine", speed);
        bench.step(&[]);
        let found = bench.get("engine", "torque");
        assert!((found - torque).abs() < 0.1, "{found} N·m at {speed} rad/s, not {torque}");
        assert_close(bench.get("engine", "power"), found * bench.get("engine", "speed"), "power");
    }
}
