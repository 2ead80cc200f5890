//! Two minutes with every ready-made driveline.

use vehicle_drivetrain::blocks::ready_made;

use crate::road::{Car, Driver};

const DT: f64 = 1.0 / 60.0;

/// What a driver does in two minutes: starts, shifts up, brakes, reverses.
fn driver(name: &str, car: &Car, time: f64) -> Driver {
    let is_truck = name.starts_with("truck") || name == "tank";
    let gears: &[f64] = if is_truck { &[2.0, 5.0, 7.0, 9.0] } else { &[1.0, 2.0, 3.0, 4.0] };
    let speeds: &[f64] = if is_truck { &[1.5, 3.5, 7.0] } else { &[8.0, 15.0, 22.0] };
    let gear = gears[speeds.iter().filter(|&&speed| speed < car.speed).count()];
    let slow = car.speed < if is_truck { 1.0 } else { 2.5 };
    let drive = Driver { throttle: 0.6, brake: 0.0, clutch: if slow { 0.45 } else { 0.0 }, gear };
    match time {
        _ if time < 2.0 => Driver::default(),
        _ if time < 40.0 => drive,
        _ if time < 50.0 => Driver { throttle: 0.0, ..drive },
        _ if time < 60.0 => Driver { throttle: 0.0, brake: 0.3, clutch: 1.0, ..drive },
        _ if time < 75.0 => Driver { throttle: 1.0, ..drive },
        _ if time < 90.0 => Driver { throttle: 0.0, brake: 1.0, clutch: 1.0, gear: 0.0 },
        _ if time < 100.0 => Driver { throttle: 0.3, gear: -1.0, clutch: 0.4, brake: 0.0 },
        _ => Driver { throttle: 0.0, brake: 0.6, clutch: 1.0, gear: 0.0 },
    }
}

#[test]
fn energy_is_kept_and_every_loss_is_named() {
    for (name, build) in ready_made::ALL {
        let mut car = Car::new(build().unwrap());
        let mut fastest = 0.0_f64;
        for step in 0..7200 {
            car.step(driver(name, &car, f64::from(step) * DT), DT);
            fastest = fastest.max(car.speed);
            assert!(car.state.speeds.iter().all(|speed| speed.is_finite()), "{name}");
        }
        let account = car.account;
        let size = account.sources.abs() + account.losses().abs() + account.tires.abs();
        println!(
            "{name:20} {:2} elements, fastest {fastest:5.1} m/s, passes mean {:.2}, most {}; \
             sources {:.3e} J, tires {:.3e}, losses {:.3e}, imbalance {:.1e} of them",
            car.driveline.plan().elements(),
            car.passes as f64 / car.steps as f64,
            car.most_passes,
            account.sources,
            account.tires,
            account.losses(),
            account.imbalance() / size,
        );
        assert!(account.imbalance().abs() < 1e-9 * size, "{name}: {account:?}");
        assert!(5.0 < fastest, "{name} drives {fastest} m/s");
        assert!(car.speed.abs() < 0.1, "{name} stands at last: {} m/s", car.speed);
        for (what, lost) in [
            ("brakes", account.brakes),
            ("couplings", account.couplings),
            ("converters", account.converters),
            ("gears", account.gears),
            ("damping", account.damping),
            ("step", account.step),
        ] {
            assert!(-1e-9 * size <= lost, "{name}: {what} give {lost} J");
        }
    }
}

/// No shaft's change of speed changes its sign from step to step, but within what a limiter does.
#[test]
fn no_shaft_chatters() {
    for (name, build) in ready_made::ALL {
        for friction in [0.9, 0.15] {
            let mut car = Car::new(build().unwrap());
            car.friction = friction;
            let shafts = car.state.speeds.len();
            let mut history = vec![Vec::<f64>::new(); shafts];
            for step in 0..6000 {
                let before = car.state.speeds.clone();
                car.step(driver(name, &car, f64::from(step) * DT), DT);
                let is_limited = car.driveline.tree().blocks.iter().any(|b| {
                    b.block.as_block().kind() == "engine" && car.sensor(&b.name, "fuel cut") == 1.0
                });
                for shaft in 0..shafts {
                    let change = car.state.speeds[shaft] - before[shaft];
                    let size = car.state.speeds[shaft].abs().max(before[shaft].abs());
                    let counted = if change.abs() < (1e-3 * size).max(1e-9) || is_limited {
                        0.0
                    } else {
                        change
                    };
                    history[shaft].push(counted);
                    let last = &history[shaft][history[shaft].len().saturating_sub(8)..];
                    let alternates =
                        last.len() == 8 && last.windows(2).all(|pair| pair[0] * pair[1] < 0.0);
                    assert!(
                        !alternates,
                        "{name} on {friction}, shaft {shaft} at {:.2} s: {last:?}",
                        f64::from(step) * DT
                    );
                }
            }
        }
    }
}

#[test]
fn the_same_drive_has_the_same_bits() {
    let run = || {
        let mut car = Car::new(ready_made::truck_8x8().unwrap());
        for step in 0..1800 {
            car.step(driver("truck-8x8", &car, f64::from(step) * DT), DT);
        }
        car.state
    };
    let (first, second) = (run(), run());
    assert_eq!(first, second);
    let saved = serde_json::to_value(&first).unwrap();
    let read: vehicle_drivetrain::blocks::BlockDrivelineState =
        serde_json::from_value(saved).unwrap();
    assert_eq!(read, first);
}

#[test]
fn a_step_takes_no_memory() {
    for (name, build) in ready_made::ALL {
        let mut car = Car::new(build().unwrap());
        let loads: Vec<_> = (0..car.wheels).map(|wheel| car.load(wheel, 0.0)).collect();
        for throttle in [0.0, 1.0] {
            car.set("throttle", throttle);
            car.set("command", throttle);
            car.set("gear", throttle);
            car.set("selector", 3.0);
            let counted = allocation_counter::measure(|| {
                for _ in 0..200 {
                    let Car { driveline, state, workspace, .. } = &mut car;
                    driveline.step(state, &loads, DT, workspace).unwrap();
                }
            });
            assert_eq!(counted.count_total, 0, "{name}");
        }
    }
}
