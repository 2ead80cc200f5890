//! All aids of a car together.

use super::vehicle::tests::{ENGINE, car};
use super::*;

fn all(strength: Real) -> AidsParams {
    AidsParams {
        anti_lock: Some(AntiLockParams { strength, ..Default::default() }),
        traction: Some(TractionParams { strength, ..Default::default() }),
        stability: Some(StabilityParams { strength, ..Default::default() }),
        counter_steer: Some(CounterSteerParams { strength, ..Default::default() }),
        drift: Some(DriftParams { strength, ..Default::default() }),
        torque_vectoring: Some(TorqueVectoringParams { strength, ..Default::default() }),
        ..Default::default()
    }
}

#[test]
fn absent_aids_and_those_of_no_strength_change_no_bit() {
    let wheel = WheelSignals {
        longitudinal_speed: 20.0,
        rotation_speed: 5.0,
        load: 3_750.0,
        friction: 0.3,
        is_on_ground: true,
        ..Default::default()
    };
    let body = BodySignals {
        longitudinal_speed: 20.0,
        lateral_speed: 8.0,
        yaw_rate: -1.0,
        ..Default::default()
    };
    let driver = DriverSignals { throttle: 0.7, foot_brake: 0.3, steer: 0.1, ..Default::default() };
    let drive = DriveSignals::default();
    let signals =
        AidSignals { wheels: &[wheel; 4], body, driver, drive, gravity: 9.81, dt: 1.0 / 60.0 };
    for (params, changes) in [(AidsParams::default(), false), (all(0.0), false), (all(1.0), true)] {
        let aids = Aids::new(&params, car());
        let mut state = aids.at_rest();
        let driven = AidCommands::from(&driver);
        let mut commands = driven;
        aids.command(&mut state, &signals, &mut commands);
        let asked = WheelRequest { foot_brake: 1_234.5, drive: -321.0, ..Default::default() };
        let mut requests = [asked; 4];
        aids.demand(&mut state, &signals, &commands, &mut requests);
        aids.limit(&mut state, &signals, &mut requests);
        let throttle = state.throttle_request(commands.throttle, 0.05).throttle();
        let is_changed = commands != driven
            || throttle != driver.throttle
            || requests.iter().any(|request| {
                request.brake_torque().to_bits() != asked.foot_brake.to_bits()
                    || request.drive_torque().to_bits() != asked.drive.to_bits()
            });
        assert_eq!(is_changed, changes, "{params:?}");
        let state_at_rest = state == aids.at_rest();
        assert_eq!(state_at_rest, !changes, "{state:?}");
    }
}

#[test]
fn aids_that_can_do_nothing_are_named() {
    let every = AidsParams {
        launch: Some(LaunchParams::default()),
        hill_start: Some(HillStartParams::default()),
        cruise: Some(CruiseParams::default()),
        speed_limit: Some(SpeedLimitParams { speed: 20.0 }),
        hand_brake: Some(HandBrakeParams::default()),
        brake_override: Some(BrakeOverrideParams::default()),
        ..all(1.0)
    };
    let idle = |change: fn(&mut AidWheel)| -> Vec<_> {
        let mut car = car();
        car.wheels.iter_mut().for_each(change);
        Aids::new(&every, car).idle(&every).collect()
    };
    assert_eq!(idle(|_| {}), ["launch"]);
    assert_eq!(
        idle(|wheel| wheel.is_driven = false),
        [
            "traction",
            "torque_vectoring",
            "launch",
            "cruise",
            "speed_limit",
            "hand_brake",
            "brake_override"
        ]
    );
    let brakes = ["anti_lock", "stability", "launch", "hill_start"];
    assert_eq!(idle(|wheel| wheel.max_brake_torque = 0.0), brakes);
    let steering = ["stability", "counter_steer", "drift", "torque_vectoring", "launch"];
    assert_eq!(idle(|wheel| wheel.steer_share = 0.0), steering);
    assert_eq!(idle(|wheel| wheel.steer_share = 1.0), ["counter_steer", "launch"]);
    // Steered behind alone, it has no front wheels to steer into a slide.
    let behind = |wheel: &mut AidWheel| wheel.steer_share -= 1.0;
    assert_eq!(idle(behind), ["counter_steer", "drift", "launch"]);
}

#[test]
fn a_start_obeys_the_speed_limiter_and_the_hand_brake() {
    let vehicle = AidVehicle { drive: AidDrive::Engine(ENGINE), ..car() };
    let params = AidsParams {
        launch: Some(LaunchParams::default()),
        speed_limit: Some(SpeedLimitParams { speed: 5.0 }),
        hand_brake: Some(HandBrakeParams::default()),
        ..Default::default()
    };
    let aids = Aids::new(&params, vehicle);
    let commands = |longitudinal_speed, hand_brake| {
        let mut state = aids.at_rest();
        state.launch.phase =
            launch::LaunchPhase::Launch { time: 0.5, closed_time: 0.0, engagement: 0.5 };
        let wheel = WheelSignals { load: 3_750.0, friction: 1.0, ..Default::default() };
        let driver = DriverSignals { throttle: 1.0, hand_brake, ..Default::default() };
        let drive = DriveSignals {
            is_first_gear: true,
            engine_speed: 300.0,
            clutch_slip: 100.0,
            full_throttle_torque: 3_600.0,
            ..Default::default()
        };
        let body = BodySignals { longitudinal_speed, ..Default::default() };
        let wheels = [wheel; 4];
        let signals = AidSignals { wheels: &wheels, body, driver, drive, gravity: 9.81, dt: 0.016 };
        let mut commands = AidCommands::from(&driver);
        aids.command(&mut state, &signals, &mut commands);
        assert!(state.launch.is_active());
        [commands.throttle, commands.clutch]
    };
    let [throttle, clutch] = commands(3.0, 0.0);
    assert!(0.0 < throttle && clutch < 1.0, "{throttle} {clutch}");
    assert_eq!(commands(6.0, 0.0)[0], 0.0, "beyond the limit");
    assert_eq!(commands(3.0, 1.0)[1], 1.0, "with the hand brake pulled");
}

#[test]
fn holds_are_shared_as_the_foot_brakes_are() {
    let mut car = car();
    car.wheels[2].max_brake_torque = 1_250.0;
    car.wheels[3].max_brake_torque = 1_250.0;
    let aids = Aids::new(&AidsParams::default(), car);
    let commands = AidCommands { hold_torque: 1_500.0, ..Default::default() };
    let wheels = [WheelSignals::default(); 4];
    let signals = AidSignals {
        wheels: &wheels,
        body: Default::default(),
        driver: Default::default(),
        drive: Default::default(),
        gravity: 9.81,
        dt: 0.016,
    };
    let mut requests = [WheelRequest { foot_brake: 300.0, ..Default::default() }; 4];
    aids.demand(&mut aids.at_rest(), &signals, &commands, &mut requests);
    assert_eq!(requests.map(|request| request.brake_torque()), [500.0, 500.0, 300.0, 300.0]);
    // A hold of more than all brakes have.
    let commands = AidCommands { hold_torque: 30e3, ..Default::default() };
    aids.demand(&mut aids.at_rest(), &signals, &commands, &mut requests);
    let most = [2_500.0, 2_500.0, 1_250.0, 1_250.0];
    assert_eq!(requests.map(|request| request.brake_torque()), most);
}
