//! What drivelines are for: traction, starting, creeping, shifting, retarding, steering,
//! regeneration.

use rapier3d::prelude::*;
use snippets::rigs::Rig;
use snippets::scenes::level_world;
use vehicle_rapier::drivetrain::blocks::{
    Block, BlockTree, Capacity, Differential, DifferentialMode, DrivelineCommands, Retarder,
};

use crate::cars::{BlockCar, built, forward, insert, mechanics_for, ready};
use crate::common::{DT, drive, roll};
use crate::slopes::{drive_straight, pedals, slope, standing};

/// The rear-drive car with a differential of this mode.
fn with_mode(mode: DifferentialMode) -> BlockTree {
    let mut tree = built("rear");
    let place = tree.find("rear differential").expect("a differential");
    tree.blocks[place].block = Differential::open(3.7).with_mode(mode).into();
    tree
}

/// Speed after a start on 20 % with friction 0.3 under the left wheels and 0.9 under the right ones
/// (m/s).
fn climb(mode: DifferentialMode) -> Real {
    climb_locked(mode, 0.0)
}

/// Speed after that start with this lock of the differential (m/s): 20 %, friction 0.3 under the
/// left wheels and 0.9 under the right ones.
fn climb_locked(mode: DifferentialMode, differential_lock: Real) -> Real {
    const GRADE: Real = 0.2;
    let mut world = slope(GRADE, [0.3, 0.9]);
    let (mut mechanics, height) = mechanics_for("rear");
    for tire in &mut mechanics.tires {
        // A tire that slides holds as much as one that grips: all that differs is the differential.
        tire.friction_vs_slip = [(0.0, 1.0), (0.2, 1.0), (1.0, 1.0)];
    }
    let mut car = insert(&mut world, mechanics, with_mode(mode), standing(GRADE, height));
    car.vehicle.controls = DrivelineCommands {
        gear: 1,
        clutch: 1.0,
        differential_lock,
        ..DrivelineCommands::default()
    };
    car.vehicle.commands = pedals(0.0, 1.0);
    drive_straight(&mut world, &mut car, 1.0);
    car.vehicle.controls.clutch = 0.0;
    car.vehicle.commands = pedals(1.0, 0.0);
    drive_straight(&mut world, &mut car, 4.0);
    car.forward_speed()
}

#[test]
fn a_limited_slip_climbs_where_an_open_differential_slides_back() {
    let open = climb(DifferentialMode::Open { friction: 0.0 });
    let locked = climb(DifferentialMode::Locked);
    let biases = [2.0, 2.4, 2.8];
    let speeds = biases.map(|bias| climb(DifferentialMode::TorqueBias { preload: 0.0, bias }));
    // A clutch pack of the bias B has (B - 1)/(B + 1)/2 of the torque as friction.
    let plates = biases.map(|bias| {
        let drive = 0.5 * (bias - 1.0) / (bias + 1.0);
        climb(DifferentialMode::ClutchPack { preload: 0.0, drive, coast: 0.0 })
    });
    let fluids = [10.0, 40.0, 160.0].map(|strength| climb(DifferentialMode::Viscous { strength }));
    let controlled = [200.0, 400.0, 800.0].map(|capacity| {
        climb_locked(DifferentialMode::Active { capacity: Capacity(capacity) }, 1.0)
    });
    let released = climb(DifferentialMode::Active { capacity: Capacity(800.0) });
    println!("open {open}, biases {speeds:?}, plates {plates:?}, locked {locked} m/s");
    println!("fluids {fluids:?}, controlled {controlled:?}, released {released} m/s");
    assert!(open < 0.0, "{open} m/s");
    assert!(released < 0.0, "{released} m/s");
    // Fluids have no bias: the softer one passes as much torque at more slip.
    assert!(fluids.iter().all(|&speed| 0.3 < speed), "{fluids:?} m/s");
    for speeds in [speeds, plates, controlled] {
        assert!(0.3 < speeds[0], "{speeds:?} m/s");
        assert!(speeds.is_sorted() && speeds[0] + 0.3 < speeds[2], "{speeds:?} m/s");
        assert!(speeds[2] < locked + 0.1, "{speeds:?}, locked {locked} m/s");
    }
}

#[test]
fn the_low_range_starts_a_loaded_truck_on_40_percent() {
    const GRADE: Real = 0.4;
    let start = |is_low_range: bool| {
        let mut world = slope(GRADE, [1.0; 2]);
        let (mechanics, height) = mechanics_for("truck-8x8");
        let pose = standing(GRADE, height);
        let mut truck = insert(&mut world, mechanics, built("truck-8x8"), pose);
        truck.vehicle.controls = DrivelineCommands { gear: 6, is_low_range, ..Default::default() };
        truck.vehicle.commands = pedals(0.0, 1.0);
        drive_straight(&mut world, &mut truck, 1.0);
        truck.vehicle.commands = pedals(1.0, 0.0);
        drive_straight(&mut world, &mut truck, 5.0);
        truck.forward_speed()
    };
    let (high, low) = (start(false), start(true));
    println!("high range {high} m/s, low range {low} m/s");
    assert!(high < 0.0 && 0.5 < low, "{high}, {low} m/s");
}

#[test]
fn a_converter_stalls_at_its_stall_speed() {
    let mut world = level_world(DT, 1.0);
    let mut car = ready(&mut world, "front");
    car.vehicle.controls = DrivelineCommands::forward();
    car.vehicle.commands = pedals(1.0, 1.0);
    drive(&mut world, &mut car, 4.0);
    let (speed, engine) = (car.forward_speed(), sensor(&car, "engine", "speed"));
    // (ω/K)² is what the engine gives: 209 N·m at K = 16.7.
    println!("{engine} rad/s at {speed} m/s");
    assert!(speed.abs() < 0.05, "{speed} m/s");
    assert!((engine - 241.0).abs() < 5.0, "{engine} rad/s");
}

fn sensor(car: &BlockCar, block: &str, sensor: &str) -> f64 {
    car.vehicle.sensor(block, sensor).expect("a sensor")
}

#[test]
fn an_automatic_gearbox_does_not_hunt_on_slopes() {
    for grade in [0.0, 0.03, 0.06, 0.09] {
        for throttle in [0.2, 0.35, 0.5, 0.7] {
            let mut world = slope(grade, [1.0; 2]);
            let (mechanics, height) = mechanics_for("front");
            let mut car = insert(&mut world, mechanics, built("front"), standing(grade, height));
            car.vehicle.controls = DrivelineCommands::forward();
            car.vehicle.commands = pedals(throttle, 0.0);
            drive_straight(&mut world, &mut car, 30.0);
            let mut gears = vec![sensor(&car, "gearbox", "target")];
            for _ in 0..30 * 60 {
                drive_straight(&mut world, &mut car, 1.01 * DT);
                let gear = sensor(&car, "gearbox", "target");
                if gears.last() != Some(&gear) {
                    gears.push(gear);
                }
            }
            let speed = car.forward_speed();
            println!("{grade}, {throttle}: {gears:?}, {speed} m/s");
            assert!(gears.len() <= 2, "{grade}, throttle {throttle}: {gears:?} at {speed} m/s");
        }
    }
}

#[test]
fn an_automatic_gearbox_kicks_down() {
    let mut world = slope(0.0, [1.0; 2]);
    let (mechanics, height) = mechanics_for("front");
    let mut car = insert(&mut world, mechanics, built("front"), standing(0.0, height));
    car.vehicle.controls = DrivelineCommands::forward();
    car.vehicle.commands = pedals(0.25, 0.0);
    drive_straight(&mut world, &mut car, 20.0);
    let (cruising, speed) = (sensor(&car, "gearbox", "gear"), car.forward_speed());
    car.vehicle.commands.throttle = 1.0;
    drive_straight(&mut world, &mut car, 3.0);
    let (kicked, faster) = (sensor(&car, "gearbox", "gear"), car.forward_speed());
    println!("gear {cruising} at {speed} m/s, {kicked} at {faster} m/s");
    assert!(kicked <= cruising - 1.0, "{cruising} to {kicked}");
    assert!(speed + 3.0 < faster, "{speed} to {faster} m/s");
}

#[test]
fn a_retarder_holds_40_t_at_30_km_h_on_7_percent_without_brakes() {
    const GRADE: Real = -0.07;
    const SPEED: Real = 30.0 / 3.6;
    let mut world = slope(GRADE, [1.0; 2]);
    let rig = Rig::truck(40_000.0, &[2.9, -1.4, -2.7]);
    let mut tree = built("truck-6x4");
    let place = tree.find("retarder").expect("a retarder");
    assert!(matches!(tree.blocks[place].block, Block::Retarder(_)));
    let (max_power, max_torque) = (5e5, 4_000.0);
    tree.blocks[place].block =
        Retarder::Hydrodynamic { capacity: 1.0, max_power, max_torque }.into();
    let mechanics = rig.mechanics().expect("valid data");
    let pose = standing(GRADE, rig.center_of_mass_height);
    let mut truck = insert(&mut world, mechanics, tree, pose);
    truck.vehicle.controls = DrivelineCommands { gear: 8, ..DrivelineCommands::default() };
    roll(&mut world, &mut truck, SPEED, SPEED / 0.5);
    let mut slowest = Real::MAX;
    let mut fastest = 0.0_f32;
    for _ in 0..60 * 60 {
        let excess = truck.forward_speed() - SPEED;
        truck.vehicle.controls.retarder = (0.8 + 2.0 * excess).clamp(0.0, 1.0);
        drive_straight(&mut world, &mut truck, 1.01 * DT);
        let speed = truck.forward_speed();
        (slowest, fastest) = (slowest.min(speed), fastest.max(speed));
        let braked = truck.vehicle.state.mechanics.brake_torques.iter();
        assert!(braked.into_iter().all(|torque| torque == 0.0));
    }
    println!("{slowest} to {fastest} m/s");
    assert!(0.93 * SPEED < slowest && fastest < 1.05 * SPEED, "{slowest} to {fastest} m/s");
}

#[test]
fn a_double_differential_turns_a_tank_by_the_power_of_its_inner_track() {
    let mut world = level_world(DT, 0.8);
    let mut tank = ready(&mut world, "tank");
    tank.vehicle.controls = DrivelineCommands { gear: 7, ..DrivelineCommands::default() };
    tank.vehicle.commands.throttle = 0.8;
    drive(&mut world, &mut tank, 6.0);
    let straight = tank.forward_speed();
    tank.vehicle.commands.steer = 1.0;
    drive(&mut world, &mut tank, 2.0);
    let yaw = world.bodies[tank.actor.body].angvel().y;
    let power = |block: &str| sensor(&tank, block, "speed in") * sensor(&tank, block, "torque in");
    let (left, right) = (power("left final drive"), power("right final drive"));
    let heat = sensor(&tank, "left brake", "heat") + sensor(&tank, "right brake", "heat");
    let drive = sensor(&tank, "gearbox", "speed out") * sensor(&tank, "gearbox", "torque out");
    let steer = sensor(&tank, "steering motor", "power");
    println!(
        "{straight} m/s, yaw {yaw} rad/s; tracks {left}, {right} W; gearbox {drive}, motor {steer} W"
    );
    assert!(0.05 < yaw, "{yaw} rad/s to the left");
    assert_eq!(heat, 0.0);
    assert!(left < 0.0 && drive + steer < right, "{left}, {right} W");
}

/// Largest torque of the front propeller shaft while the car rolls through a tight bend (N·m).
fn wind_up(friction: Real, is_engaged: bool) -> f64 {
    let mut world = level_world(DT, friction);
    let mut car = ready(&mut world, "all-part-time");
    drive(&mut world, &mut car, 1.0);
    let transfer_lock = Real::from(u8::from(is_engaged));
    car.vehicle.controls = DrivelineCommands { transfer_lock, ..DrivelineCommands::default() };
    roll(&mut world, &mut car, 3.0, 3.0 / 0.33);
    car.vehicle.commands.steer = 0.9;
    let mut most = 0.0_f64;
    for _ in 0..60 {
        drive(&mut world, &mut car, DT);
        most = most.max(sensor(&car, "transfer case", "torque 1").abs());
    }
    most
}

#[test]
fn a_part_time_four_wheel_drive_winds_up_on_asphalt_and_not_on_ice() {
    let (asphalt, ice, open) = (wind_up(1.0, true), wind_up(0.05, true), wind_up(1.0, false));
    println!("asphalt {asphalt} N·m, ice {ice} N·m, disengaged {open} N·m");
    assert!(200.0 < asphalt && ice < 0.1 * asphalt, "{asphalt}, {ice} N·m");
    assert!(open < 0.05 * asphalt, "{open} N·m");
}

/// Starts, drives, coasts and brakes, with the levers of `name`.
fn control(car: &mut BlockCar, name: &str, step: usize) {
    let is_truck = name.starts_with("truck") || name == "tank";
    let speed = car.forward_speed();
    let speeds: [Real; 3] = if is_truck { [2.0, 4.0, 7.0] } else { [8.0, 15.0, 22.0] };
    let count = speeds.iter().filter(|&&limit| limit < speed).count() as i32;
    let levers = forward(name);
    let time = step % 2_400;
    let (throttle, brake) = match time {
        0..60 => (0.0, 0.0),
        60..1_200 => (0.6, 0.0),
        1_200..1_500 => (0.0, 0.0),
        1_500..1_800 => (1.0, 0.0),
        _ => (0.0, 0.5),
    };
    let clutch = if 1_800 <= time || speed < 2.5 && !is_truck { 0.6 } else { 0.0 };
    car.vehicle.commands = pedals(throttle, brake);
    let gear = levers.gear + if is_truck { 2 * count } else { count };
    car.vehicle.controls = DrivelineCommands { gear, clutch, ..levers };
}

#[test]
fn energy_of_two_minutes_adds_up_in_every_driveline() {
    for (name, _) in vehicle_rapier::drivetrain::blocks::ready_made::ALL {
        let mut world = level_world(DT, 1.0);
        let mut car = ready(&mut world, name);
        car.vehicle.keep_energy_account(true);
        let mut fastest = 0.0_f32;
        for step in 0..7_200 {
            control(&mut car, name, step);
            car.step(&mut world).expect("the vehicle can be driven");
            fastest = fastest.max(car.forward_speed());
            let report = car.vehicle.solve_report().outcome.expect("a step");
            assert!(report.is_consistent, "{name}: {report:?}");
        }
        let account = *car.vehicle.energy_account().expect("it is kept");
        let size = account.sources.abs().max(account.losses());
        let passes = car.vehicle.solve_report().most_passes;
        println!(
            "{name:20} {fastest:5.1} m/s, {passes:2} passes at most, {:.2e} J, imbalance {:.1e}",
            account.sources,
            account.imbalance() / size
        );
        assert!(1.0 < fastest, "{name}: {fastest} m/s");
        assert!(account.imbalance().abs() < 1e-3 * size, "{name}: {account:?}");
    }
}
