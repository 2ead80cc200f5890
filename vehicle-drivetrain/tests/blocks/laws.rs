//! Laws of single blocks, solved with dynamometers around them.

use vehicle_drivetrain::blocks::{
    BatterySettings, BlockDriveline, BlockTree, Capacity, Differential, DifferentialMode,
    DoubleDifferential, Dynamometer, DynamometerEnd, ElectricMotor, FixedGear, FrictionClutch,
    Hold, Retarder, ShaftBrake, ViscousCoupling, WheelLoad, chain, wheel,
};

use crate::bench::{Bench, DT, assert_close, load, source};

#[test]
fn a_clutch_locks_in_one_step_or_slips_by_its_capacity() {
    let bench = |capacity: f32| {
        let clutch = FrictionClutch {
            capacity: Capacity(capacity),
            static_ratio: 1.0,
            ..FrictionClutch::rigid()
        };
        let mut bench = Bench::new(source(0.2).then(clutch).then(load("load", 0.3)));
        bench.spin("source", 100.0);
        bench.spin("load", 40.0);
        bench.step(&[]);
        bench
    };
    let locked = bench(1e4);
    assert_close(locked.get("source", "speed"), (0.2 * 100.0 + 0.3 * 40.0) / 0.5, "speed");
    assert_eq!(locked.get("friction clutch", "slip"), 0.0);
    assert_eq!(locked.get("friction clutch", "locked"), 1.0);
    let slipping = bench(300.0);
    let slip = 60.0 - DT * 300.0 * (1.0 / 0.2 + 1.0 / 0.3);
    assert_close(slipping.get("friction clutch", "slip"), slip, "slip");
    assert_eq!(slipping.get("friction clutch", "locked"), 0.0);
    assert_close(slipping.get("friction clutch", "heat"), 300.0 * slip, "heat");
}

#[test]
fn an_open_differential_gives_equal_torques_and_the_mean_of_the_accelerations() {
    let differential = Differential::open(4.0);
    let outputs = [load("left", 1.0), load("right", 3.0)];
    let mut bench = Bench::new(source(0.5).then(differential).to(outputs));
    bench.set("source", "torque", 100.0);
    bench.step(&[]);
    assert_close(
        bench.get("differential", "torque 0"),
        bench.get("differential", "torque 1"),
        "torques",
    );
    let (left, right) = (bench.get("left", "speed"), bench.get("right", "speed"));
    assert_close(bench.get("source", "speed"), 4.0 * 0.5 * (left + right), "kinematics");
    assert_close(left, 3.0 * right, "by inertia");
    // Seen from the input: 1/I = ρ² (s²/I_a + (1-s)²/I_b).
    let reflected = 1.0 / (16.0 * (0.25 / 1.0 + 0.25 / 3.0));
    let expected = DT * 100.0 / (0.5 + reflected);
    assert_close(bench.get("source", "speed"), expected, "acceleration");
}

#[test]
fn a_locked_differential_keeps_the_sum_of_torques() {
    let differential = Differential::open(2.0).with_mode(DifferentialMode::Locked);
    let outputs = [load("left", 1.0), load("right", 3.0)];
    let mut bench = Bench::new(source(0.5).then(differential).to(outputs));
    bench.spin("left", 10.0);
    bench.set("source", "torque", 100.0);
    bench.step(&[]);
    assert_eq!(bench.get("left", "speed"), bench.get("right", "speed"));
    let inertia = 0.5 * 4.0 + 1.0 + 3.0;
    let expected = (10.0 + 2.0 * DT * 100.0) / inertia;
    assert_close(bench.get("left", "speed"), expected, "speed");
}

#[test]
fn viscous_couplings_follow_the_slip_at_the_end_of_the_step() {
    let coupling = ViscousCoupling { strength: 25.0 };
    let mut bench = Bench::new(source(0.2).then(coupling).then(load("load", 0.3)));
    bench.spin("source", 100.0);
    bench.step(&[]);
    let slip = bench.get("viscous coupling", "slip");
    assert_close(bench.get("viscous coupling", "torque"), 25.0 * slip, "torque");
    let mode = DifferentialMode::Viscous { strength: 40.0 };
    let outputs = [load("left", 1.0), load("right", 1.0)];
    let mut bench =
        Bench::new(source(0.5).then(Differential::open(2.0).with_mode(mode)).to(outputs));
    bench.spin("left", 20.0);
    bench.step(&[]);
    let slip = bench.get("differential", "slip");
    let difference = bench.get("differential", "torque 1") - bench.get("differential", "torque 0");
    assert!(0.0 < slip && slip < 20.0, "{slip}");
    assert_close(difference, 2.0 * 40.0 * slip, "exchanged torque");
}

/// The wheel on ice bears little; the other gets at most the bias times that.
#[test]
fn a_torque_bias_multiplies_what_the_slipping_wheel_bears() {
    for bias in [1.0_f32, 2.0, 3.0, 5.0] {
        let mode = DifferentialMode::TorqueBias { preload: 0.0, bias };
        let differential = Differential::open(4.0).with_mode(mode);
        let mut bench = Bench::new(source(0.1).then(differential).to([wheel(0), wheel(1)]));
        let grip = |max_tire_torque| WheelLoad {
            inertia: 1.0,
            tire_stiffness: 5000.0,
            max_tire_torque,
            ..WheelLoad::default()
        };
        bench.set("source", "torque", 150.0);
        for _ in 0..200 {
            bench.step(&[grip(100.0), grip(1e4)]);
        }
        let slipping = bench.get("differential", "torque 0");
        let gripping = bench.get("differential", "torque 1");
        let spins = bench.get("wheel 0", "speed") > 2.0 * bench.get("wheel 1", "speed");
        if spins {
            assert_close(gripping / slipping, f64::from(bias), "bias");
        } else {
            assert!(gripping <= f64::from(bias) * slipping * (1.0 + 1e-6), "{gripping} {slipping}");
        }
        assert!(bias == 5.0 || spins, "{bias}");
    }
}

#[test]
fn one_way_plates_lock_only_under_drive() {
    let mode = DifferentialMode::ClutchPack { preload: 0.0, drive: 0.3, coast: 0.0 };
    for (torque, friction) in [(100.0, 0.3 * 200.0), (-100.0, 0.0)] {
        let differential = Differential::open(2.0).with_mode(mode);
        // Heavy outputs: what goes in comes out.
        let outputs = [load("left", 1e6), load("right", 1e6)];
        let mut bench = Bench::new(source(1e-6).then(differential).to(outputs));
        bench.spin("left", 20.0);
        bench.spin("right", 10.0);
        bench.spin("source", 30.0);
        bench.set("source", "torque", torque);
        bench.step(&[]);
        let exchanged =
            bench.get("differential", "torque 1") - bench.get("differential", "torque 0");
        assert!((exchanged - 2.0 * friction).abs() < 1e-2, "{torque}: {exchanged}, {friction}");
    }
}

#[test]
fn a_double_differential_steers_without_losing_power() {
    let double = DoubleDifferential { drive_ratio: 4.0, steer_ratio: 2.0 };
    let bench = |drive: f64, steer: f64| {
        let steering =
            chain(Dynamometer { inertia: 0.1, damping: 0.0, end: DynamometerEnd::Source })
                .named("steering");
        let tracks = [load("left", 10.0), load("right", 10.0)];
        let mut bench = Bench::new(source(0.5).then(double).fed_by(steering).to(tracks));
        bench.set("source", "torque", drive);
        bench.set("steering", "torque", steer);
        bench.step(&[]);
        bench
    };
    let straight = bench(400.0, 0.0);
    assert_close(straight.get("left", "speed"), straight.get("right", "speed"), "straight");
    assert!(0.0 < straight.get("left", "speed"));
    let turning = bench(0.0, 50.0);
    assert_close(turning.get("left", "speed"), -turning.get("right", "speed"), "on the spot");
    assert!(0.0 < turning.get("right", "speed"));
    let both = bench(400.0, 50.0);
    let name = "double differential";
    let out = both.get(name, "left torque") * both.get(name, "left speed")
        + both.get(name, "right torque") * both.get(name, "right speed");
    let into = |source: &str, inertia: f64| {
        let speed = both.get(source, "speed");
        (both.get(source, "torque") - inertia * speed / DT) * speed
    };
    assert_close(into("source", 0.5) + into("steering", f64::from(0.1_f32)), out, "power");
}

#[test]
fn a_held_steering_shaft_keeps_a_tracked_vehicle_straight() {
    let double = DoubleDifferential { drive_ratio: 4.0, steer_ratio: 2.0 };
    let tracks = [load("left", 10.0), load("right", 30.0)];
    let mut bench =
        Bench::new(source(0.5).then(double).fed_by(Hold { max_torque: 1e6 }).to(tracks));
    bench.set("source", "torque", 400.0);
    bench.set("left", "torque", -300.0);
    for _ in 0..50 {
        bench.step(&[]);
        assert_close(bench.get("left", "speed"), bench.get("right", "speed"), "straight");
    }
}

#[test]
fn gears_reflect_inertia_and_turn_backwards() {
    for ratio in [3.0_f32, -3.0] {
        let mut bench = Bench::new(source(0.5).then(FixedGear::new(ratio)).then(load("load", 9.0)));
        bench.set("source", "torque", 30.0);
        bench.step(&[]);
        assert_close(bench.get("source", "speed"), DT * 30.0 / (0.5 + 1.0), "input");
        let output = bench.get("load", "speed");
        assert_close(output, DT * 30.0 / 1.5 / f64::from(ratio), "output");
    }
}

#[test]
fn a_brake_stops_at_zero_holds_and_lets_go() {
    let brake = ShaftBrake { max_torque: 100.0 };
    let mut bench = Bench::new(source(1.0).then(brake).then(load("load", 1.0)));
    bench.spin("source", 0.5);
    bench.spin("load", 0.5);
    bench.set("shaft brake", "brake", 1.0);
    bench.set("source", "torque", 99.0);
    for _ in 0..200 {
        bench.step(&[]);
        assert!(0.0 <= bench.get("load", "speed"));
    }
    assert_eq!(bench.get("load", "speed"), 0.0);
    bench.set("source", "torque", 101.0);
    bench.step(&[]);
    assert_close(bench.get("load", "speed"), DT * 1.0 / 2.0, "break-away");
}

#[test]
fn a_retarder_slows_and_never_turns_back() {
    for retarder in [
        Retarder::Hydrodynamic { capacity: 1e6, max_power: 1e9, max_torque: 1e6 },
        Retarder::EddyCurrent { peak_torque: 1e6, peak_speed: 1.0 },
    ] {
        let mut bench = Bench::new(source(1.0).then(retarder).then(load("load", 1.0)));
        bench.spin("source", 50.0);
        bench.spin("load", 50.0);
        bench.set("retarder", "level", 1.0);
        let mut last = 50.0;
        for _ in 0..500 {
            bench.step(&[]);
            let speed = bench.get("load", "speed");
            assert!((0.0..=last).contains(&speed), "{speed} after {last}");
            last = speed;
        }
    }
    let retarder = Retarder::EddyCurrent { peak_torque: 500.0, peak_speed: 100.0 };
    assert_close(retarder.torque_per_speed(100.0) * 100.0, 500.0, "peak");
}

#[test]
fn a_motor_has_no_step_in_its_envelope_and_takes_no_more_than_there_is() {
    let motor = ElectricMotor::default();
    let base = f64::from(motor.max_power / motor.max_torque);
    let (below, above) = (motor.envelope(base * (1.0 - 1e-9)), motor.envelope(base * (1.0 + 1e-9)));
    assert_close(below, above, "base speed");
    assert_close(motor.envelope(2.0 * base), f64::from(motor.max_torque) / 2.0, "constant power");
    assert_eq!(motor.envelope(f64::from(motor.max_speed)), 0.0);

    let battery =
        BatterySettings { capacity: 2e4, start_charge: 1.0, ..BatterySettings::default() };
    let mut bench = Bench::new(chain(motor).then(load("load", 5.0)).with_battery(battery));
    bench.set("electric motor", "command", 1.0);
    let mut kinetic = 0.0;
    for _ in 0..1000 {
        bench.step(&[]);
        let speed = bench.get("load", "speed");
        kinetic = 0.5 * (5.0 + f64::from(motor.inertia)) * speed * speed;
        let energy = bench.state.battery_energies[0];
        assert!((0.0..=2e4).contains(&energy), "{energy}");
        assert!(kinetic + energy <= 2e4 * (1.0 + 1e-9), "{kinetic} + {energy}");
    }
    // The rest is lost: 200 W at least over ten seconds.
    assert!(1.2e4 < kinetic, "{kinetic}");
    let empty = bench.state.battery_energies[0];
    bench.set("electric motor", "command", -0.3);
    for _ in 0..300 {
        bench.step(&[]);
        if bench.get("load", "speed") < 5.0 {
            break;
        }
    }
    let back = bench.state.battery_energies[0] - empty;
    assert!(0.3 * kinetic < back && back <= kinetic, "{back} of {kinetic}");
}

/// Without losses and with all locked, work is kinetic energy, but for rounding and the step's own
/// loss.
#[test]
fn work_is_kinetic_energy_where_nothing_is_lost() {
    let tree: BlockTree = source(0.2)
        .then(FrictionClutch::rigid())
        .then(FixedGear::new(3.0))
        .then(Differential::open(4.0).with_mode(DifferentialMode::Locked))
        .to([load("left", 1.0), load("right", 2.0)])
        .build()
        .expect("a driveline that can be stepped");
    let driveline = BlockDriveline::new(tree).expect("a driveline that can be stepped");
    let (mut state, mut workspace) = (driveline.start(), driveline.workspace());
    let mut account = vehicle_drivetrain::blocks::EnergyAccount::default();
    state.set_input(
        driveline.input("source", "torque").expect("a driveline that can be stepped"),
        80.0,
    );
    for _ in 0..1000 {
        let before = state.clone();
        driveline
            .step(&mut state, &[], DT, &mut workspace)
            .expect("a driveline that can be stepped");
        workspace.account(&driveline, &before, DT, &mut account);
    }
    let lost = account.losses() - account.step;
    assert!(lost.abs() < 1e-9 * account.sources, "{account:?}");
    assert!(account.imbalance().abs() < 1e-11 * account.sources, "{account:?}");
    assert!(account.step < 2e-3 * account.sources, "{account:?}");
}
