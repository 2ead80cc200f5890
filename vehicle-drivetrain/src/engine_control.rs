//! Control that keeps an engine between its idle and its maximum speed.
//!
//! | control                | without it                                                  |
//! |------------------------|-------------------------------------------------------------|
//! | [`IdleControlParams`]  | the speed is held at idle, by whatever torque it takes      |
//! | [`RevLimiterParams`]   | the speed is held at the maximum, by whatever torque it takes |
//! | [`StallParams`]        | the engine runs at any speed                                |
//!
//! The reference has none of them.

mod params;

use vehicle_core::implicit_clutch::ClutchEngine;
use vehicle_core::math::Real;

pub use self::params::{EngineControlParams, IdleControlParams, RevLimiterParams, StallParams};
use crate::engine::{EngineParams, EngineState, engine_damping_rate, engine_torque};

/// Whether the rev limiter has cut the fuel of an engine in `state`.
///
/// It cuts at the maximum speed and lets go below the speed at which fuel flows again.
pub fn is_fuel_cut(params: &EngineParams, state: &EngineState) -> bool {
    let Some(limiter) = &params.control.rev_limiter else {
        return false;
    };
    let limit = if state.is_fuel_cut { limiter.resume_speed } else { params.max_speed };
    limit <= state.rotation_speed
}

/// Smallest and largest speed that an engine of these `params` is held between (rad/s).
fn speed_range(params: &EngineParams) -> [Real; 2] {
    let EngineControlParams { idle, rev_limiter, stall } = &params.control;
    let may_slow = idle.is_some() || stall.is_some();
    let low = if may_slow { 0.0 } else { params.idle_speed };
    let high = if rev_limiter.is_some() { Real::INFINITY } else { params.max_speed };
    [low, high]
}

/// Demand for an engine's torque.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EngineDemand {
    /// The throttle, in [0, 1].
    pub throttle: Real,
    /// Engagement of the clutch: 0 disengaged or in neutral, 1 engaged (dimensionless).
    pub engagement: Real,
    /// Whether the starter turns.
    pub is_started: bool,
}

/// The engine in `state` under `demand`, as the clutch sees it.
pub fn controlled_engine(
    params: &EngineParams,
    state: &EngineState,
    demand: &EngineDemand,
) -> ClutchEngine {
    let EngineDemand { throttle, engagement, is_started } = *demand;
    let damping_rate = engine_damping_rate(&params.damping, throttle, engagement);
    let engine = ClutchEngine {
        rotation_speed: state.rotation_speed,
        inertia: params.inertia,
        damping_rate,
        torque: 0.0,
        speed_range: speed_range(params),
    };
    match &params.control.stall {
        Some(stall) if state.rotation_speed < stall.speed => {
            let torque = if is_started { stall.starter_torque } else { 0.0 };
            ClutchEngine { torque, ..engine }
        }
        _ if state.is_fuel_cut => engine,
        _ => idling(params, demand, engine),
    }
}

/// `engine` with the torque that the pedal asks for, or the idle control if that is more.
fn idling(params: &EngineParams, demand: &EngineDemand, engine: ClutchEngine) -> ClutchEngine {
    let speed = engine.rotation_speed;
    let asked = engine_torque(params, demand.throttle, speed);
    let Some(control) = &params.control.idle else {
        return ClutchEngine { torque: asked, ..engine };
    };
    let (friction, idle) = (engine.damping_rate, params.idle_speed);
    let wanted = friction * idle + control.gain * (idle - speed);
    let most = engine_torque(params, control.max_throttle, speed);
    if wanted <= asked {
        ClutchEngine { torque: asked, ..engine }
    } else if most <= wanted {
        ClutchEngine { torque: asked.max(most), ..engine }
    } else {
        // The part that depends on the speed is left to the solver, as friction is.
        let torque = (friction + control.gain) * idle;
        ClutchEngine { torque, damping_rate: friction + control.gain, ..engine }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vehicle_core::error::Validate;

    const FREE: EngineDemand = EngineDemand { throttle: 0.0, engagement: 0.0, is_started: false };

    fn engine(control: EngineControlParams) -> EngineParams {
        EngineParams { control, ..EngineParams::default() }
    }

    /// The engine after `seconds` on its own, from `speed` (rad/s).
    fn run(
        params: &EngineParams,
        speed: Real,
        demand: &EngineDemand,
        seconds: Real,
    ) -> EngineState {
        let dt = 1.0 / 60.0;
        let mut state = EngineState { rotation_speed: speed, is_fuel_cut: false };
        for _ in 0..(seconds / dt) as usize {
            state.is_fuel_cut = is_fuel_cut(params, &state);
            let engine = controlled_engine(params, &state, demand);
            let per_torque = dt / engine.inertia;
            let [low, high] = engine.speed_range;
            let speed = (state.rotation_speed + per_torque * engine.torque)
                / (1.0 + per_torque * engine.damping_rate);
            state.rotation_speed = speed.max(low).min(high);
        }
        state
    }

    #[test]
    fn idle_control_brings_the_engine_to_its_idle_speed() {
        let params = engine(EngineControlParams {
            idle: Some(IdleControlParams::default()),
            ..EngineControlParams::default()
        });
        for speed in [0.0, 40.0, 84.0, 300.0] {
            let after = run(&params, speed, &FREE, 20.0).rotation_speed;
            assert!((after - params.idle_speed).abs() < 0.1, "{after} rad/s from {speed}");
        }
    }

    #[test]
    fn idle_control_does_not_slow_an_engine_under_throttle() {
        let with = engine(EngineControlParams {
            idle: Some(IdleControlParams::default()),
            ..EngineControlParams::default()
        });
        let without = engine(EngineControlParams::default());
        let demand = EngineDemand { throttle: 0.6, ..FREE };
        for rotation_speed in [30.0, 84.0, 200.0, 600.0] {
            let state = EngineState { rotation_speed, is_fuel_cut: false };
            let torque = |params| controlled_engine(params, &state, &demand).torque;
            assert_eq!(torque(&with), torque(&without), "at {rotation_speed} rad/s");
        }
    }

    #[test]
    fn rev_limiter_cuts_the_torque_and_not_the_speed() {
        let limiter = RevLimiterParams { resume_speed: 660.0 };
        let params = engine(EngineControlParams {
            rev_limiter: Some(limiter),
            ..EngineControlParams::default()
        });
        let state = |rotation_speed, is_fuel_cut| EngineState { rotation_speed, is_fuel_cut };
        // (speed, was cut, is cut)
        let cases = [
            (679.0, false, false),
            (680.0, false, true),
            (670.0, true, true),
            (659.0, true, false),
        ];
        for (speed, before, after) in cases {
            assert_eq!(is_fuel_cut(&params, &state(speed, before)), after, "{speed}, {before}");
        }
        let full = EngineDemand { throttle: 1.0, ..FREE };
        assert_eq!(controlled_engine(&params, &state(900.0, true), &full).torque, 0.0);
        let speed = run(&params, 600.0, &full, 5.0).rotation_speed;
        assert!((640.0..720.0).contains(&speed), "{speed} rad/s at the limiter");
        // Wheels may turn the engine faster than it would turn itself.
        assert!(690.0 < run(&params, 700.0, &FREE, 0.02).rotation_speed);
    }

    #[test]
    fn stalled_engine_needs_its_starter() {
        let params = engine(EngineControlParams {
            idle: Some(IdleControlParams::default()),
            rev_limiter: None,
            stall: Some(StallParams { speed: 40.0, starter_torque: 30.0 }),
        });
        let full = EngineDemand { throttle: 1.0, ..FREE };
        assert!(run(&params, 39.0, &full, 60.0).rotation_speed < 1.0);
        let started = run(&params, 0.0, &EngineDemand { is_started: true, ..FREE }, 10.0);
        assert!((started.rotation_speed - params.idle_speed).abs() < 0.1, "{started:?}");
    }

    #[test]
    fn without_controls_the_speed_is_held_in_its_range() {
        let params = engine(EngineControlParams::default());
        assert_eq!(run(&params, 0.0, &FREE, 0.1).rotation_speed, params.idle_speed);
        let full = EngineDemand { throttle: 1.0, ..FREE };
        assert_eq!(run(&params, 670.0, &full, 5.0).rotation_speed, params.max_speed);
    }

    #[test]
    fn a_limiter_that_would_never_let_go_is_refused() {
        let engine_of = |resume_speed| EngineParams {
            control: EngineControlParams {
                rev_limiter: Some(RevLimiterParams { resume_speed }),
                ..EngineControlParams::default()
            },
            ..EngineParams::default()
        };
        for speed in [0.0, 84.0, Real::NAN] {
            let text = engine_of(speed).validate().unwrap_err().to_string();
            let start = "control.rev_limiter.resume_speed must be above idle_speed = 84";
            assert!(text.starts_with(start), "{text}");
        }
        for speed in [84.5, 680.0] {
            let params = engine_of(speed);
            params.validate().unwrap();
            let mut state = EngineState { rotation_speed: 690.0, is_fuel_cut: true };
            for _ in 0..6_000 {
                state.is_fuel_cut = is_fuel_cut(&params, &state);
                let loss = params.damping.engaged * state.rotation_speed / params.inertia / 60.0;
                state.rotation_speed = (state.rotation_speed - loss).max(params.idle_speed);
            }
            assert!(!state.is_fuel_cut, "{speed}: {state:?}");
        }
    }

    #[test]
    fn an_engine_that_would_die_at_idle_is_refused() {
        for (idle_speed, speed, is_good) in
            [(84.0, 84.0, false), (84.0, 83.0, true), (84.0, 0.0, true), (0.0, 0.0, true)]
        {
            let stall = Some(StallParams { speed, starter_torque: 30.0 });
            let control = EngineControlParams { stall, ..EngineControlParams::default() };
            let params = EngineParams { idle_speed, ..engine(control) };
            let errors = params.validate().map_err(|errors| errors.to_string());
            assert_eq!(errors.is_ok(), is_good, "{speed} of {idle_speed} rad/s: {errors:?}");
        }
    }

    #[test]
    fn bad_controls_are_refused() {
        let params = engine(EngineControlParams {
            idle: Some(IdleControlParams { gain: -1.0, max_throttle: 2.0 }),
            rev_limiter: Some(RevLimiterParams { resume_speed: 700.0 }),
            stall: Some(StallParams { speed: 100.0, starter_torque: Real::NAN }),
        });
        assert_eq!(
            params.validate().unwrap_err().to_string(),
            "control.idle.gain must be finite and not negative, got -1; \
             control.idle.max_throttle must be within [0, 1], got 2; \
             control.rev_limiter.resume_speed must be above idle_speed = 84 and at most \
             max_speed = 680, got 700; \
             control.stall.speed must be not negative and below idle_speed = 84, got 100; \
             control.stall.starter_torque must be finite and not negative, got NaN"
        );
    }
}
