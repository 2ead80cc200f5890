//! Gearboxes.

use vehicle_drivetrain::blocks::{
    Block, BlockTree, Differential, Engine, GearControl, Gearbox, TorqueConverter, chain,
    ready_made, wheel,
};

use crate::road::{Car, Driver};

const DT: f64 = 1.0 / 60.0;

fn automatic() -> Car {
    Car::new(ready_made::front_drive().expect("a ready-made driveline"))
}

#[test]
fn an_automatic_goes_through_its_gears_one_by_one() {
    let mut car = automatic();
    let mut gears = vec![];
    for _ in 0..3000 {
        car.step(Driver { throttle: 0.5, gear: 1.0, ..Driver::default() }, DT);
        let gear = car.sensor("gearbox", "gear");
        if gears.last() != Some(&gear) {
            gears.push(gear);
        }
    }
    let expected: Vec<_> = (0..gears.len()).map(|gear| gear as f64).collect();
    assert_eq!(gears[1..], expected[1..], "{gears:?}");
    assert!(4 <= gears.len(), "{gears:?}");
    assert!(20.0 < car.speed, "{}", car.speed);
}

#[test]
fn kick_down_takes_a_lower_gear() {
    let mut car = automatic();
    let cruise = Driver { throttle: 0.3, gear: 1.0, ..Driver::default() };
    for _ in 0..3600 {
        car.step(cruise, DT);
    }
    let before = car.sensor("gearbox", "gear");
    for _ in 0..150 {
        car.step(Driver { throttle: 1.0, ..cruise }, DT);
    }
    let after = car.sensor("gearbox", "gear");
    assert!(after < before, "{before} {after}");
}

#[test]
fn a_converter_creeps_at_idle_and_stalls_at_its_stall_speed() {
    let mut car = automatic();
    for _ in 0..600 {
        car.step(Driver { gear: 1.0, ..Driver::default() }, DT);
    }
    assert!((0.5..4.0).contains(&car.speed), "creeps at {} m/s", car.speed);
    let mut car = automatic();
    for _ in 0..600 {
        car.step(Driver { gear: 1.0, throttle: 1.0, brake: 3.0, ..Driver::default() }, DT);
    }
    // At stall the pump takes ω²/K₀², and the engine gives that: found by bisection of its curve.
    let engine = Engine::default();
    let factor = f64::from(TorqueConverter::default().stall_factor);
    let excess = |speed: f64| {
        f64::from(engine.full_load.evaluate(speed as f32)) - speed * speed / (factor * factor)
    };
    let (mut low, mut high) = (100.0, 600.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if 0.0 < excess(middle) { low = middle } else { high = middle }
    }
    let speed = car.sensor("engine", "speed");
    assert!((speed - low).abs() < 0.01 * low, "stalls at {speed} rad/s, not {low}");
    assert!(car.speed == 0.0, "{}", car.speed);
    let ratio = car.sensor("torque converter", "turbine torque")
        / car.sensor("torque converter", "pump torque");
    assert!((ratio - 2.0).abs() < 1e-6, "{ratio}");
}

#[test]
fn park_holds_and_reverse_goes_back() {
    let mut car = automatic();
    car.downhill = 2.0;
    for _ in 0..120 {
        car.step(Driver { gear: 0.0, brake: 1.0, ..Driver::default() }, DT);
    }
    // The driver's lever is written last.
    for _ in 0..600 {
        let loads: Vec<_> = (0..4).map(|wheel| car.load(wheel, 0.0)).collect();
        car.set("selector", 0.0);
        car.driveline.step(&mut car.state, &loads, DT, &mut car.workspace).unwrap();
    }
    assert_eq!(car.sensor("gearbox", "speed out"), 0.0);
    let mut car = automatic();
    for _ in 0..600 {
        car.step(Driver { gear: -1.0, throttle: 0.3, ..Driver::default() }, DT);
    }
    assert!(car.speed < -1.0, "{}", car.speed);
}

#[test]
fn reverse_of_a_gearbox_without_reverse_gears_is_neutral() {
    for control in [Gearbox::automatic().control, GearControl::Variable { max_rate: 1.0 }] {
        let mut tree = ready_made::front_drive().expect("a ready-made driveline");
        for named in &mut tree.blocks {
            if let Block::Gearbox(gearbox) = &mut named.block {
                (gearbox.reverse, gearbox.control) = (Vec::new(), control.clone());
            }
        }
        let mut car = Car::new(tree);
        for _ in 0..120 {
            car.step(Driver { gear: 1.0, throttle: 0.5, ..Driver::default() }, DT);
        }
        let before = car.speed;
        assert!(1.0 < before && 1.0 <= car.sensor("gearbox", "gear"), "{control:?}: {before} m/s");
        for _ in 0..120 {
            car.step(Driver { gear: -1.0, throttle: 1.0, ..Driver::default() }, DT);
        }
        let gear = car.sensor("gearbox", "gear");
        assert_eq!(gear, 0.0, "{control:?}");
        assert!(car.speed <= before, "{control:?}: from {before} to {} m/s", car.speed);
    }
}

#[test]
fn no_gear_goes_in_that_would_over_rev_or_turn_back() {
    let mut car = Car::new(ready_made::rear_drive().unwrap());
    car.speed = 40.0;
    for (_, shaft) in car.driveline.wheels().to_vec() {
        car.state.speeds[shaft] = 40.0 / car.radius;
    }
    for _ in 0..2 {
        car.step(Driver { clutch: 1.0, ..Driver::default() }, DT);
    }
    for _ in 0..60 {
        car.step(Driver { gear: 1.0, clutch: 1.0, ..Driver::default() }, DT);
    }
    assert_eq!(car.sensor("gearbox", "gear"), 0.0, "first gear at 40 m/s");
    for _ in 0..60 {
        car.step(Driver { gear: -1.0, clutch: 1.0, ..Driver::default() }, DT);
    }
    assert_eq!(car.sensor("gearbox", "gear"), 0.0, "reverse at 40 m/s");
    for _ in 0..60 {
        car.step(Driver { gear: 5.0, clutch: 1.0, ..Driver::default() }, DT);
    }
    assert_eq!(car.sensor("gearbox", "gear"), 5.0);
}

#[test]
fn an_automatic_takes_the_gear_of_the_speed_from_neutral() {
    // (speed (m/s), throttle, gear)
    for (speed, throttle, expected) in
        [(0.0, 1.0, 1.0), (30.0, 1.0, 3.0), (30.0, 0.0, 6.0), (60.0, 1.0, 5.0)]
    {
        let mut car = automatic();
        car.speed = speed;
        for (_, shaft) in car.driveline.wheels().to_vec() {
            car.state.speeds[shaft] = speed / car.radius;
        }
        let driver = Driver { throttle, ..Driver::default() };
        for _ in 0..2 {
            car.step(driver, DT);
        }
        for _ in 0..20 {
            car.step(Driver { gear: 1.0, ..driver }, DT);
        }
        let gear = car.sensor("gearbox", "gear");
        assert_eq!(gear, expected, "at {speed} m/s, throttle {throttle}");
    }
}

#[test]
fn a_variable_ratio_keeps_the_engine_where_it_is_asked_to() {
    let gearbox = Gearbox {
        forward: vec![2.6, 0.4],
        control: GearControl::Variable { max_rate: 1.0 },
        ..Gearbox::default()
    };
    let tree: BlockTree = chain(Engine::default())
        .then(TorqueConverter::default())
        .then(gearbox)
        .then(Differential::open(5.0))
        .to([wheel(0), wheel(1)])
        .build()
        .unwrap();
    let mut car = Car::new(tree);
    for _ in 0..1800 {
        car.set("target speed", 300.0);
        car.step(Driver { gear: 1.0, throttle: 0.4, ..Driver::default() }, DT);
    }
    let speed = car.sensor("gearbox", "speed in");
    assert!((speed - 300.0).abs() < 3.0, "{speed}");
    assert!((0.4..2.6).contains(&car.sensor("gearbox", "ratio")));
}
