//! Driver aids in vehicles from files: what they reach, and what they leave alone.

mod braking;
mod cruise;
mod drifts;
mod fleets;
mod hand_brake;
mod hills;
mod keyboards;
mod momentum;
mod motors;
mod reversal;
mod scene;
mod sensing;
mod slides;
mod stability;
mod starts;
mod steered;
mod substeps;
mod vectoring;

use rapier3d::prelude::*;
use vehicle_rapier::core::stages::{Brakes, ConstraintRows};
use vehicle_rapier::drivetrain::aids::{
    Aid, AidsParams, AirControlParams, AntiLockMode, AntiLockParams, BrakeOverrideParams,
    CounterSteerParams, CruiseParams, DriftParams, HandBrakeParams, HillStartParams, LaunchParams,
    SpeedLimitParams, StabilityParams, TorqueVectoringParams, TractionParams,
};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnySnapshot, Preset};

use self::scene::{GRAVITY, Result, all_aids, anti_lock, on_road};

/// How a vehicle stops from 100 km/h.
#[derive(Debug)]
struct Stop {
    /// (m)
    distance: Real,
    /// Longest time that a wheel has been locked above 15 km/h (s).
    locked_time: Real,
    /// Largest angle that it has turned by (rad).
    turned: Real,
}

fn stop(preset: &str, aids: AidsParams, friction: [Real; 2], rate: Real) -> Result<Stop> {
    let (mut world, mut car) = on_road(preset, aids, friction, 100.0 / 3.6, rate)?;
    let start = car.pose(&world.bodies)?.translation.z;
    let mut locked = vec![0.0; car.wheel_count()];
    let mut stop = Stop { distance: 0.0, locked_time: 0.0, turned: 0.0 };
    for _ in 0..(rate as usize * 40) {
        car.commands_mut().brakes[0] = 1.0;
        car.step(&mut world)?;
        let speed = car.forward_speed();
        for (wheel, locked) in locked.iter_mut().enumerate() {
            let rim = car.vehicle.wheel_state(wheel).rotation_speed
                * car.vehicle.wheel_params(wheel).radius;
            let is_locked = 15.0 / 3.6 < speed && rim < 0.05 * speed;
            *locked = if is_locked { *locked + 1.0 / rate } else { 0.0 };
            stop.locked_time = stop.locked_time.max(*locked);
        }
        let forward = car.pose(&world.bodies)?.rotation * Vector::Z;
        stop.turned = stop.turned.max(forward.x.atan2(forward.z).abs());
        if speed < 0.05 {
            break;
        }
    }
    stop.distance = car.pose(&world.bodies)?.translation.z - start;
    Ok(stop)
}

#[test]
fn anti_lock_brakes_keep_wheels_turning_and_stop_earlier() -> Result {
    // Air, load and rolling help to stop on little friction: ideal is not a bound there.
    let presets = ["hot_hatch", "sports_car", "pick_up", "electric_car", "truck_6x6"];
    for preset in presets {
        for friction in [1.0, 0.5, 0.2] {
            let without = stop(preset, AidsParams::default(), [friction; 2], 60.0)?;
            let ideal = (100.0_f32 / 3.6).powi(2) / (2.0 * friction * GRAVITY);
            for mode in [AntiLockMode::SlipTarget, AntiLockMode::Phases] {
                let with = stop(preset, anti_lock(mode), [friction; 2], 60.0)?;
                let what = format!("{preset} on {friction} by {mode:?}: {with:?} for {without:?}");
                // A truck's brakes are weaker than the grip of its tires on a dry road.
                let is_truck = preset == "truck_6x6";
                let efficiency = match (is_truck, mode) {
                    (true, _) if friction == 1.0 => 0.57,
                    (true, _) => 0.6,
                    (_, AntiLockMode::SlipTarget) if preset == "pick_up" => 0.85,
                    (_, AntiLockMode::SlipTarget) => 0.97,
                    (_, AntiLockMode::Phases) if preset == "pick_up" => 0.84,
                    (_, AntiLockMode::Phases) => 0.92,
                };
                println!("{what}");
                assert!(with.locked_time <= 0.1, "{what}");
                assert!(efficiency * with.distance <= ideal, "{what}, ideal {ideal}");
                let share = if is_truck { 1.03 } else { 0.9 };
                assert!(with.distance < share * without.distance, "{what}");
            }
        }
    }
    Ok(())
}

#[test]
fn stops_are_as_long_at_any_rate() -> Result {
    for mode in [AntiLockMode::SlipTarget, AntiLockMode::Phases] {
        let finest = stop("hot_hatch", anti_lock(mode), [0.8; 2], 240.0)?;
        for rate in [30.0, 60.0, 120.0] {
            let with = stop("hot_hatch", anti_lock(mode), [0.8; 2], rate)?;
            let off = (with.distance / finest.distance - 1.0).abs();
            assert!(off < 0.015, "{mode:?} at {rate} Hz: {with:?}, not {finest:?}");
        }
    }
    Ok(())
}

/// How a car stops from 80 km/h with 0.9 on its left and 0.2 on its right. Its driver steers by
/// `-1.2 ψ - 0.35 r - 0.02 y` (rad), as far as 0.25 rad and by 40 degrees per second.
fn split_stop(aids: AidsParams) -> Result<(Real, Real, Real)> {
    const LOCK: Real = 0.6;
    let (mut world, mut car) = on_road("hot_hatch", aids, [0.9, 0.2], 80.0 / 3.6, 60.0)?;
    let start = car.pose(&world.bodies)?.translation;
    let (mut yaw, mut turning): (Real, Real) = (0.0, 0.0);
    for _ in 0..1_200 {
        let pose = car.pose(&world.bodies)?;
        let forward = pose.rotation * Vector::Z;
        let (psi, rate) = (forward.x.atan2(forward.z), car.vehicle.body().angular_velocity.y);
        (yaw, turning) = (yaw.max(psi.abs()), turning.max(rate.abs()));
        let wanted = -1.2 * psi - 0.35 * rate - 0.02 * (pose.translation.x - start.x);
        let (before, change) = (car.commands_mut().steer, 40.0_f32.to_radians() / (60.0 * LOCK));
        let wanted = wanted.clamp(-0.25, 0.25) / LOCK;
        car.commands_mut().steer = wanted.clamp(before - change, before + change);
        car.commands_mut().brakes[0] = 1.0;
        car.step(&mut world)?;
        if car.forward_speed() < 0.1 {
            break;
        }
    }
    let distance = car.pose(&world.bodies)?.translation.z - start.z;
    Ok((distance, yaw.to_degrees(), turning.to_degrees()))
}

#[test]
fn cars_stop_straight_on_split_friction() -> Result {
    let (_, spun, _) = split_stop(AidsParams::default())?;
    assert!(45.0 < spun, "{spun} degrees without");
    let mode = AntiLockMode::SlipTarget;
    let (alone, yaw, rate) = split_stop(anti_lock(mode))?;
    assert!(alone <= 75.0 && yaw <= 5.0 && rate <= 10.0, "{alone} m, {yaw} degrees, {rate}/s");
    let stability = Some(StabilityParams::default());
    let (both, turned, _) = split_stop(AidsParams { stability, ..anti_lock(mode) })?;
    assert!(both <= 1.05 * alone && turned <= yaw + 1.0, "{both} m, {turned} degrees with both");
    Ok(())
}

#[test]
fn wheels_do_not_spin_on_ice() -> Result {
    for preset in ["hot_hatch", "sports_car", "pick_up", "electric_car", "truck_6x6"] {
        let start = |traction| -> Result<(Real, Real)> {
            let aids = AidsParams { traction, ..AidsParams::default() };
            let (mut world, mut car) = on_road(preset, aids, [0.1; 2], 0.0, 60.0)?;
            let mut ahead: Real = 0.0;
            for step in 0..300 {
                car.commands_mut().throttle = 1.0;
                car.step(&mut world)?;
                for wheel in (0..car.wheel_count()).filter(|_| 120 < step) {
                    let rim = car.vehicle.wheel_state(wheel).rotation_speed
                        * car.vehicle.wheel_params(wheel).radius;
                    ahead = ahead.max(rim - car.forward_speed());
                }
            }
            Ok((car.forward_speed(), ahead))
        };
        let ((slow, spins), (fast, turns)) =
            (start(None)?, start(Some(TractionParams::default()))?);
        let what = format!("{preset}: {fast} m/s, {turns} ahead, for {slow} m/s, {spins} ahead");
        assert!(turns < 1.1 && 2.0 < spins && slow < fast, "{what}");
    }
    Ok(())
}

/// How far a car rolls back on a grade of 20 % before it drives off (m), and how fast it is then
/// (m/s).
fn hill(hill_start: Option<HillStartParams>) -> Result<(Real, Real)> {
    let aids = AidsParams { hill_start, ..AidsParams::default() };
    let (mut world, mut car) = on_road("hot_hatch", aids, [1.0; 2], 0.0, 60.0)?;
    let angle = 0.2_f32.atan();
    world.gravity = Vector::new(0.0, -angle.cos(), -angle.sin()) * GRAVITY;
    let start = car.pose(&world.bodies)?.translation.z;
    let mut back: Real = 0.0;
    for step in 0..360 {
        let time = step as Real / 60.0;
        car.commands_mut().brakes[0] = if time < 2.0 { 1.0 } else { 0.0 };
        car.commands_mut().throttle = if time < 2.8 { 0.0 } else { 0.6 };
        car.step(&mut world)?;
        back = back.max(start - car.pose(&world.bodies)?.translation.z);
    }
    Ok((back, car.forward_speed()))
}

#[test]
fn cars_do_not_roll_back_on_hills() -> Result {
    let ((back, _), (held, speed)) = (hill(None)?, hill(Some(HillStartParams::default()))?);
    assert!(0.2 < back && held < 0.05 && 3.0 < speed, "{back} m without, {held} m, {speed} m/s");
    Ok(())
}

#[test]
fn speeds_are_kept() -> Result {
    let cruise = Some(CruiseParams::default());
    let aids = AidsParams { cruise, ..AidsParams::default() };
    let (mut world, mut car) = on_road("hot_hatch", aids, [1.0; 2], 22.0, 60.0)?;
    car.vehicle.aided_mut().memory_mut().ok_or("no aids")?.aids.cruise.set(30.0);
    let mut top: Real = 0.0;
    for _ in 0..2_400 {
        car.step(&mut world)?;

        top = top.max(car.forward_speed());
    }
    assert!(car.vehicle.aided().report().is_active(Aid::Cruise));
    let speed = car.forward_speed();
    assert!((speed - 30.0).abs() < 0.1 && top < 30.3, "cruise: {speed} m/s, top {top} m/s");

    let aids = AidsParams { speed_limit: Some(SpeedLimitParams { speed: 15.0 }), ..aids };
    let (mut world, mut car) = on_road("hot_hatch", aids, [1.0; 2], 5.0, 60.0)?;
    let mut top: Real = 0.0;
    for _ in 0..1_800 {
        car.commands_mut().throttle = 1.0;
        car.step(&mut world)?;
        top = top.max(car.forward_speed());
    }
    assert!((car.forward_speed() - 15.0).abs() < 0.1 && top < 15.3, "limit: top {top} m/s");
    Ok(())
}

/// What a driver does who plays.
fn whim(step: u32) -> Commands {
    let phase = step / 20 % 7;
    Commands {
        throttle: if phase < 4 { 1.0 } else { 0.0 },
        brakes: [if phase == 5 { 1.0 } else { 0.0 }, if phase == 6 { 1.0 } else { 0.0 }],
        steer: [0.0, 0.5, -0.5, 1.0, -1.0, 0.3, 0.7][phase as usize],
        ..Commands::default()
    }
}

pub(crate) fn bits(car: &AnyRapierVehicle) -> Vec<u32> {
    let body = car.vehicle.body();
    let numbers = [body.pose.translation, body.linear_velocity, body.angular_velocity];
    numbers.iter().flat_map(Vector::to_array).map(Real::to_bits).collect()
}

#[test]
fn aids_without_strength_change_no_bit() -> Result {
    let weak = AidsParams {
        anti_lock: Some(AntiLockParams { strength: 0.0, ..AntiLockParams::default() }),
        traction: Some(TractionParams { strength: 0.0, ..TractionParams::default() }),
        stability: Some(StabilityParams { strength: 0.0, ..StabilityParams::default() }),
        counter_steer: Some(CounterSteerParams { strength: 0.0, ..CounterSteerParams::default() }),
        ..AidsParams::default()
    };
    for preset in Preset::ALL.iter().map(|preset| preset.name) {
        let drive = |aids| -> Result<Vec<u32>> {
            let (mut world, mut car) = on_road(preset, aids, [0.9; 2], 10.0, 60.0)?;
            for step in 0..240 {
                *car.commands_mut() = whim(step);
                car.step(&mut world)?;
            }
            Ok(bits(&car))
        };
        assert_eq!(drive(AidsParams::default())?, drive(weak)?, "{preset}");
    }
    Ok(())
}

#[test]
fn snapshots_hold_what_aids_remember() -> Result {
    for preset in ["hot_hatch", "electric_car", "truck_6x6", "kart"] {
        let (mut world, mut car) = on_road(preset, all_aids(), [0.4, 0.9], 20.0, 60.0)?;
        let mut seen = Vec::new();
        let mut kept = None;
        for step in 0..240 {
            if step == 110 {
                let saved = serde_json::to_string(&car.snapshot(&world.bodies)?)?;
                kept = Some(serde_json::from_str(&saved)?);
            }
            *car.commands_mut() = whim(step);
            car.step(&mut world)?;
            seen.push(bits(&car));
        }
        let snapshot: AnySnapshot = kept.ok_or("no snapshot")?;
        car.restore(&mut world, &snapshot)?;
        for step in 110..240 {
            *car.commands_mut() = whim(step);
            car.step(&mut world)?;
            assert_eq!(bits(&car), seen[step as usize], "{preset}: step {step}");
        }
        // Which aids it has is a parameter: it stays, and they begin at rest.
        car.vehicle.set_aids(AidsParams::default())?;
        car.restore(&mut world, &snapshot)?;
        assert_eq!(car.vehicle.aided().memory(), None, "{preset}");
        let without = car.snapshot(&world.bodies)?;
        car.vehicle.set_aids(all_aids())?;
        car.vehicle.aided_mut().memory_mut().ok_or("no aids")?.aids.cruise.set(30.0);
        car.restore(&mut world, &without)?;
        let memory = car.vehicle.aided().memory().ok_or("no aids")?;
        assert!(!memory.aids.cruise.is_active(), "{preset}");
        for step in 110..130 {
            *car.commands_mut() = whim(step);
            car.step(&mut world)?;
        }
    }
    Ok(())
}

#[test]
fn files_name_aids_and_faults_of_them() -> Result {
    let text = AnyVehicle::preset("hot_hatch")?.file().to_text(FileFormat::Json)?;
    let with = |aids: &str| {
        let text = text.replacen("\"drive\"", &format!("\"aids\": {aids}, \"drive\""), 1);
        AnyVehicle::from_str(FileFormat::Json, &text)
    };
    let model = with(r#"{"anti_lock": {"mode": "phases"}, "traction": {}}"#)?;
    let mut world = PhysicsWorld::new();
    let car = model.insert(&mut world, Pose::IDENTITY);
    let aids = car.vehicle.aids().ok_or("no aids")?;
    assert_eq!(aids.anti_lock.map(|aid| aid.mode), Some(AntiLockMode::Phases));
    assert!(aids.stability.is_none());
    for (aids, fault) in [
        (r#"{"anti_lock": {"slip_target": 0.9}}"#, "aids.anti_lock.slip_target"),
        (r#"{"abs": {}}"#, "abs"),
        (r#"{"speed_limit": {"speed": -3}}"#, "aids.speed_limit.speed"),
    ] {
        let error = with(aids).expect_err(aids).to_string();
        assert!(error.contains(fault), "{aids}: {error}");
    }
    Ok(())
}

/// All aids that there are.
pub(crate) fn every_aid() -> AidsParams {
    AidsParams {
        drift: Some(DriftParams::default()),
        torque_vectoring: Some(TorqueVectoringParams::default()),
        launch: Some(LaunchParams::default()),
        cruise: Some(CruiseParams::default()),
        hand_brake: Some(HandBrakeParams::default()),
        brake_override: Some(BrakeOverrideParams::default()),
        air_control: Some(AirControlParams::default()),
        ..all_aids()
    }
}

#[test]
fn every_preset_drives_with_every_aid() -> Result {
    for preset in Preset::ALL.iter().map(|preset| preset.name) {
        for use_sensors in [false, true] {
            let aids = AidsParams { use_sensors, ..every_aid() };
            let (mut world, mut car) = on_road(preset, aids, [0.3, 0.9], 15.0, 60.0)?;
            let mut active = 0;
            for step in 0..600 {
                *car.commands_mut() = whim(step);
                car.step(&mut world)?;
                active |= car.vehicle.aided().report().active;
            }
            // A trailer has neither engine nor driver, but brakes.
            assert!(active != 0, "{preset}: no aid has acted");
            assert!(car.pose(&world.bodies)?.translation.is_finite(), "{preset}");
        }
    }
    Ok(())
}

/// A stage of one's own that halves brake torques.
fn weaker_brakes<V: HasMechanics>(
    car: &mut V,
    _: Real,
    _: &Context<'_>,
) -> std::ops::ControlFlow<()> {
    for wheel in 0..car.axles().wheel_count() {
        car.mechanics().state.brake_torques[wheel] *= 0.5;
    }
    std::ops::ControlFlow::Continue(())
}

#[test]
fn aids_of_ones_own_act_before_and_after() -> Result {
    let model = AnyVehicle::preset("hot_hatch")?;
    let before = model.sequence().insert_after::<Brakes>(weaker_brakes)?;
    let after = model.sequence().insert_before::<ConstraintRows>(weaker_brakes)?;
    let slowed = |sequence: Option<ComponentSequence<_>>| -> Result<Real> {
        let aids = anti_lock(AntiLockMode::SlipTarget);
        let (mut world, mut car) = on_road("hot_hatch", aids, [0.3; 2], 20.0, 60.0)?;
        if let Some(sequence) = sequence {
            car.sequence = sequence.into();
        }
        for _ in 0..60 {
            car.commands_mut().brakes[0] = 1.0;
            car.step(&mut world)?;
        }
        Ok(20.0 - car.forward_speed())
    };
    let [alone, before, after] = [slowed(None)?, slowed(Some(before))?, slowed(Some(after))?];
    // Brakes are stronger than tires: half of them before the aid is nearly as much. Half of what
    // the aid has found to be right is less, until it asks for more.
    assert!(0.9 * alone < before, "{before} m/s before, {alone} m/s alone");
    assert!(after < before, "{after} m/s after, {before} m/s before, {alone} m/s alone");
    Ok(())
}
