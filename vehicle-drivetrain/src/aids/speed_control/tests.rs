//! Cruise control and speed limiter on a point mass.

use super::*;
use crate::aids::signals::{BodySignals, DriveSignals, DriverSignals};
use crate::aids::vehicle::tests::car;

/// A point mass with drag, which the control is told of or not, on a grade.
struct Car {
    speed: Real,
    throttle: Real,
    foot_brake: Real,
    grade_sine: Real,
    is_drag_known: bool,
}

impl Car {
    fn at(speed: Real) -> Self {
        let (throttle, foot_brake) = (0.0, 0.0);
        Self { speed, throttle, foot_brake, grade_sine: 0.0, is_drag_known: true }
    }

    fn drag(&self) -> Real {
        150.0 + 0.4 * self.speed * self.speed
    }

    /// Torques at full and at no throttle: 90 kW, and an engine that brakes.
    fn torques(&self) -> [Real; 2] {
        [90e3 / self.speed.max(10.0) * 0.3, -60.0]
    }

    fn signals(&self, dt: Real) -> AidSignals<'static> {
        let [full, closed] = self.torques();
        AidSignals {
            wheels: &[],
            body: BodySignals {
                longitudinal_speed: self.speed,
                grade_sine: self.grade_sine,
                resistance: if self.is_drag_known { self.drag() } else { 0.0 },
                ..Default::default()
            },
            driver: DriverSignals::default(),
            drive: DriveSignals {
                full_throttle_torque: full,
                closed_throttle_torque: closed,
                ..Default::default()
            },
            gravity: 9.81,
            dt,
        }
    }

    fn advance(&mut self, dt: Real) {
        let [full, closed] = self.torques();
        let torque = closed + self.throttle * (full - closed) - self.foot_brake * 10_000.0;
        let force = torque / 0.3 - self.drag() - 1_500.0 * 9.81 * self.grade_sine;
        self.speed += force / 1_500.0 * dt;
    }

    fn cruise(&mut self, cruise: &Cruise, state: &mut CruiseState, dt: Real) {
        let mut commands = AidCommands::default();
        cruise.command(state, &self.signals(dt), OtherAids::default(), &mut commands);
        (self.throttle, self.foot_brake) = (commands.throttle, commands.foot_brake);
        self.advance(dt);
    }
}

const RATES: [Real; 4] = [30.0, 60.0, 120.0, 240.0];

#[test]
fn a_higher_set_speed_is_reached_without_passing_it() {
    let cruise = CruiseParams::default().resolved(&car()).expect("a drive");
    for rate in RATES {
        let mut car = Car::at(80.0 / 3.6);
        let mut state = CruiseState::default();
        state.set(120.0 / 3.6);
        let mut highest: Real = 0.0;
        for _ in 0..(60.0 * rate) as usize {
            car.cruise(&cruise, &mut state, 1.0 / rate);
            highest = highest.max(car.speed);
        }
        let overshoot = 3.6 * highest - 120.0;
        assert!(overshoot < 1.0, "{overshoot} km/h at {rate} Hz");
        let error = car.speed - 120.0 / 3.6;
        assert!(error.abs() < 0.1, "{error} m/s at {rate} Hz");
    }
}

#[test]
fn grades_and_unknown_drag_are_made_up_for() {
    let cruise =
        CruiseParams { use_brakes: true, ..Default::default() }.resolved(&car()).expect("a drive");
    for rate in RATES {
        for (grade, is_drag_known) in [(0.06, true), (-0.06, true), (0.0, false)] {
            let mut car = Car::at(25.0);
            car.is_drag_known = is_drag_known;
            let mut state = CruiseState::default();
            state.set(25.0);
            let mut worst: Real = 0.0;
            for step in 0..(90.0 * rate) as usize {
                car.grade_sine = if step < (10.0 * rate) as usize { 0.0 } else { grade };
                car.cruise(&cruise, &mut state, 1.0 / rate);
                worst = worst.max((car.speed - 25.0).abs());
            }
            let shown = format!("grade {grade}, {rate} Hz, drag known: {is_drag_known}");
            assert!(3.6 * worst < 2.0, "{} km/h: {shown}", 3.6 * worst);
            let steady = 3.6 * (car.speed - 25.0).abs();
            assert!(steady < 0.3, "{steady} km/h: {shown}");
        }
    }
}

/// A car at 120 km/h that comes upon a leader, which then brakes to a stop and drives off. Returns
/// the least distance, those behind it at 20 m/s and at rest, and at the end (m).
fn followed(rate: Real) -> [Real; 4] {
    let params = CruiseParams { use_brakes: true, max_deceleration: 4.0, ..Default::default() };
    let cruise = params.resolved(&car()).expect("a drive");
    let mut car = Car::at(120.0 / 3.6);
    let mut state = CruiseState::default();
    state.set(120.0 / 3.6);
    let (mut distance, mut leader): (Real, Real) = (200.0, 20.0);
    let (mut least, mut seen) = (distance, [0.0; 3]);
    for step in 0..(150.0 * rate) as usize {
        let time = step as Real / rate;
        let acceleration = match time {
            60.0..70.0 => -2.0,
            100.0..110.0 => 2.0,
            _ => 0.0,
        };
        leader = (leader + acceleration / rate).max(0.0);
        state.follow(Some(Leader { gap: distance, speed: leader }));
        car.cruise(&cruise, &mut state, 1.0 / rate);
        car.speed = car.speed.max(0.0);
        distance += (leader - car.speed) / rate;
        least = least.min(distance);
        for (seen, at) in seen.iter_mut().zip([59.0, 99.0, 149.0]) {
            if time <= at {
                *seen = distance;
            }
        }
    }
    [least, seen[0], seen[1], seen[2]]
}

#[test]
fn a_gap_in_time_is_kept_behind_a_leader_who_stops_and_drives_off() {
    let finest = followed(240.0);
    for rate in RATES {
        let [least, behind, stopped, again] = followed(rate);
        let shown = format!("{rate} Hz: {:?}", [least, behind, stopped, again]);
        assert!(2.0 < least, "{shown}");
        // 5 m + 1.8 s 20 m/s, and a reserve of the drag that the throttle makes up for.
        assert!((behind - 41.0).abs() < 1.0, "{shown}");
        assert!(2.0 < stopped && stopped < 8.0, "{shown}");
        assert!((again - 41.0).abs() < 2.0, "{shown}");
        assert!((behind / finest[1] - 1.0).abs() < 0.05, "{shown}, {finest:?}");
    }
}

#[test]
fn the_driver_ends_and_resumes_a_cruise_and_may_give_more() {
    let cruise = CruiseParams::default().resolved(&car()).expect("a drive");
    let car = Car::at(25.0);
    let signals = car.signals(0.01);
    let mut commands = AidCommands { throttle: 1.0, ..Default::default() };
    let mut state = CruiseState::default();
    state.set(25.0);
    cruise.command(&mut state, &signals, OtherAids::default(), &mut commands);
    assert_eq!(commands.throttle, 1.0);
    assert!(state.is_active());
    for driver in [
        DriverSignals { foot_brake: 0.1, ..Default::default() },
        DriverSignals { hand_brake: 0.1, ..Default::default() },
    ] {
        let mut state = state;
        let braking = AidSignals { driver, ..signals };
        cruise.command(&mut state, &braking, OtherAids::default(), &mut commands);
        assert!(!state.is_active(), "{driver:?}");
        state.resume();
        assert!(state.is_active() && state.set_speed == 25.0);
    }
    let skidding = OtherAids { is_stability_active: true, ..Default::default() };
    cruise.command(&mut state, &signals, skidding, &mut commands);
    assert!(!state.is_active());
    let before = AidCommands { throttle: 0.123, ..Default::default() };
    let mut commands = before;
    cruise.command(&mut state, &signals, OtherAids::default(), &mut commands);
    assert_eq!(commands, before);
}

#[test]
fn a_shift_leaves_a_cruise_on_and_a_clutch_that_stays_pressed_ends_it() {
    let cruise = CruiseParams::default().resolved(&car()).expect("a drive");
    let signals = Car::at(24.0).signals(0.01);
    let mut state = CruiseState::default();
    state.set(25.0);
    let mut throttle = |clutch: Real, time: Real| {
        let driver = DriverSignals { clutch, ..Default::default() };
        let signals = AidSignals { driver, ..signals };
        let mut commands = AidCommands::default();
        for _ in 0..(time / signals.dt).round() as usize {
            commands = AidCommands::default();
            cruise.command(&mut state, &signals, OtherAids::default(), &mut commands);
        }
        state.is_active().then_some(commands.throttle)
    };
    // Two shifts by a foot that presses the pedal for half a second each.
    for _ in 0..2 {
        assert!(throttle(0.0, 0.5).is_some_and(|throttle| 0.0 < throttle));
        assert_eq!(throttle(1.0, 0.6), Some(0.0), "the engine is not to rev up");
    }
    assert!(throttle(0.0, 0.5).is_some());
    assert_eq!(throttle(0.4, 1.1), None);
}

#[test]
fn the_limiter_holds_its_speed_and_leaves_lower_ones_alone() {
    let limit = SpeedLimitParams { speed: 25.0 }.resolved(&car()).expect("a drive");
    for rate in RATES {
        let mut car = Car::at(15.0);
        let mut state = SpeedLimitState::default();
        let mut highest: Real = 0.0;
        for _ in 0..(60.0 * rate) as usize {
            let mut commands = AidCommands { throttle: 1.0, ..Default::default() };
            limit.command(&mut state, &car.signals(1.0 / rate), &mut commands);
            if car.speed < 18.0 {
                assert_eq!(commands.throttle, 1.0, "at {} m/s", car.speed);
            }
            car.throttle = commands.throttle;
            car.advance(1.0 / rate);
            highest = highest.max(car.speed);
        }
        assert!(highest < 25.3, "{highest} m/s at {rate} Hz");
        assert!((car.speed - 25.0).abs() < 0.1, "{} m/s at {rate} Hz", car.speed);
    }
}

#[test]
fn trains_have_the_throttle_and_brakes_that_all_of_their_mass_takes() {
    let throttle = |train_mass: Option<Real>, grade_sine: Real, use_brakes: bool| {
        let cruise = CruiseParams { use_brakes, ..CruiseParams::default() };
        let params =
            crate::aids::AidsParams { cruise: Some(cruise), train_mass, ..Default::default() };
        let aids = crate::aids::Aids::new(&params, car());
        let mut state = aids.at_rest();
        state.cruise.set(20.0);
        let signals = Car { grade_sine, ..Car::at(20.0) }.signals(0.01);
        let mut commands = AidCommands::default();
        aids.command(&mut state, &signals, &mut commands);
        (commands.throttle, commands.foot_brake)
    };
    // Torques of 1,350 and -60 N·m, 310 N of drag: (m g 0.01 + 310) 0.3 + 60 of 1,410 N·m.
    for (mass, expected) in [(None, 0.1398), (Some(3_000.0), 0.1711), (Some(900.0), 0.1398)] {
        let (found, _) = throttle(mass, 0.01, false);
        assert!((found - expected).abs() < 1e-3, "{mass:?}: {found}, not {expected}");
    }
    // 0.3 (m g 0.08 - 310) - 60 N·m of the brakes of the train, 10,000 N·m for each 1,500 kg.
    for (mass, expected) in [(None, 0.02), (Some(3_000.0), 0.0278)] {
        let (_, found) = throttle(mass, -0.08, true);
        assert!((found - expected).abs() < 1e-3, "{mass:?}: {found}, not {expected}");
    }
}
