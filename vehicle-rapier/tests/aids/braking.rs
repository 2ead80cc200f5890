//! Braking in turns, in reverse, over changes of friction, in the air.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{AidsParams, AntiLockMode};
use vehicle_rapier::drivetrain::handling::Handling;
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::scene::{GRAVITY, Result, anti_lock, on_road};

/// Half of what a car has of a lane of 3.5 m beside its own width of 1.8 m (m).
const ROOM: Real = 0.85;

/// Largest distance (m) from its circle of a car that brakes at 80 km/h and 0.4 g, and the way
/// until it stands (m). Its driver steers by `δ_0 - 1.2 ψ - 0.35 (r - v/R) + 0.02 e` (rad).
fn brake_in_turn(preset: &str, aids: AidsParams, rate: Real) -> Result<[Real; 2]> {
    let speed = 80.0 / 3.6;
    let radius = speed * speed / (0.4 * GRAVITY);
    let (mut world, mut car) = on_road(preset, aids, [0.9; 2], speed, rate)?;
    let handling = Handling::of(car.vehicle.read_mechanics().params, car.vehicle.frame())
        .ok_or("no wheels")?;
    let (mut begin, mut way, mut worst): (Option<Vector>, Real, Real) = (None, 0.0, 0.0);
    for step in 0..(14.0 * rate) as usize {
        let time = step as Real / rate;
        let place = car.pose(&world.bodies)?.translation;
        let body = *car.vehicle.body();
        let velocity = body.linear_velocity;
        // The circle is that which the car is on as it brakes, to the left.
        let is_braking = 4.0 <= time;
        if is_braking && begin.is_none() {
            let left = Vector::new(velocity.z, 0.0, -velocity.x).normalize();
            begin = Some(place + left * radius);
        }
        let forward = body.pose.rotation * Vector::Z;
        let v = car.forward_speed();
        let bend = handling.steady_bend(1.0 / radius, v.max(5.0));
        let mut angle = bend.angle;
        if let Some(center) = begin {
            let out = place - center;
            let off = (out.x * out.x + out.z * out.z).sqrt() - radius;
            let tangent = Vector::new(-out.z, 0.0, out.x).normalize() * -1.0;
            let course = forward.cross(tangent).y;
            angle += 1.2 * course - 0.35 * (body.angular_velocity.y - v / radius) + 0.02 * off;
            worst = worst.max(off.abs());
            way += v / rate;
        }
        let commands = car.commands_mut();
        commands.steer = handling.command_of(angle);
        commands.brakes[0] = if is_braking { 1.0 } else { 0.0 };
        commands.throttle =
            if is_braking { 0.0 } else { (0.25 + 0.5 * (speed - v)).clamp(0.0, 1.0) };
        car.step(&mut world)?;
        if is_braking && v < 0.5 {
            break;
        }
    }
    Ok([worst, way])
}

#[test]
fn cars_that_brake_in_a_turn_stay_in_their_lane() -> Result {
    for preset in ["hot_hatch", "sports_car", "pick_up", "electric_car"] {
        let [left, _] = brake_in_turn(preset, AidsParams::default(), 60.0)?;
        let [finest, _] = brake_in_turn(preset, anti_lock(AntiLockMode::SlipTarget), 240.0)?;
        println!("{preset}: {left} m off without, {finest} m at 240 Hz");
        assert!(ROOM < left, "{preset} stays in its lane without: {left} m off");
        for mode in [AntiLockMode::SlipTarget, AntiLockMode::Phases] {
            for rate in [30.0, 60.0, 120.0] {
                let [off, way] = brake_in_turn(preset, anti_lock(mode), rate)?;
                println!("{preset} {mode:?} {rate} Hz: {off} m off, {way} m");
                assert!(off < ROOM, "{preset} by {mode:?} at {rate} Hz: {off} m off");
            }
        }
    }
    Ok(())
}

/// Longest time (s) for which a wheel is locked above 15 km/h.
struct Locked {
    times: Vec<Real>,
    longest: Real,
}

impl Locked {
    fn of(car: &AnyRapierVehicle) -> Self {
        Self { times: vec![0.0; car.wheel_count()], longest: 0.0 }
    }

    fn look(&mut self, car: &AnyRapierVehicle, dt: Real) {
        let speed = car.forward_speed().abs();
        for (wheel, time) in self.times.iter_mut().enumerate() {
            let rim = car.vehicle.wheel_state(wheel).rotation_speed
                * car.vehicle.wheel_params(wheel).radius;
            let is_locked = 15.0 / 3.6 < speed && rim.abs() < 0.05 * speed;
            *time = if is_locked { *time + dt } else { 0.0 };
            self.longest = self.longest.max(*time);
        }
    }
}

fn set_friction(world: &mut PhysicsWorld, friction: Real) {
    let roads: Vec<_> = world.colliders.iter().map(|(handle, _)| handle).collect();
    for road in roads {
        if world.colliders[road].parent().is_none() {
            world.colliders[road].set_friction(friction);
        }
    }
}

#[test]
fn friction_may_change_under_a_braked_car() -> Result {
    for preset in ["hot_hatch", "sports_car", "pick_up", "electric_car", "truck_6x6"] {
        for mode in [AntiLockMode::SlipTarget, AntiLockMode::Phases] {
            let (mut world, mut car) =
                on_road(preset, anti_lock(mode), [1.0; 2], 100.0 / 3.6, 60.0)?;
            let mut locked = Locked::of(&car);
            let (mut full, mut again): (Real, Option<Real>) = (0.0, None);
            let mut before = car.forward_speed();
            let mut mean: Real = 0.0;
            for step in 0..150 {
                let time = step as Real / 60.0;
                if step == 48 {
                    set_friction(&mut world, 0.2);
                }
                if step == 90 {
                    set_friction(&mut world, 1.0);
                }
                car.commands_mut().brakes[0] = 1.0;
                car.step(&mut world)?;
                locked.look(&car, 1.0 / 60.0);
                let slowing = (before - car.forward_speed()) * 60.0;
                before = car.forward_speed();
                mean += (slowing - mean) * (1.0 - (-1.0_f32 / 60.0 / 0.05).exp());
                if step < 48 {
                    full = full.max(mean);
                } else if 90 < step && 0.9 * full < mean && again.is_none() {
                    again = Some(time - 1.5);
                }
                if before < 5.0 {
                    break;
                }
            }
            println!("{preset} {mode:?}: locked {} s, full again {again:?} s", locked.longest);
            assert!(locked.longest <= 0.1, "{preset} {mode:?}: {} s", locked.longest);
            let again = again.ok_or(format!("{preset} {mode:?} does not brake fully again"))?;
            assert!(again < 0.5, "{preset} {mode:?}: {again} s");
        }
    }
    Ok(())
}

#[test]
fn wheels_keep_turning_backward_and_after_a_jump() -> Result {
    for preset in ["hot_hatch", "sports_car", "electric_car"] {
        let aids = anti_lock(AntiLockMode::SlipTarget);
        let (mut world, mut car) = on_road(preset, aids, [0.5; 2], 0.0, 60.0)?;
        car.set_velocity(&mut world.bodies, Vector::Z * -12.0)?;
        if let Some(transmission) = car.transmission_mut() {
            transmission.clutch = 1.0;
        }
        let mut locked = Locked::of(&car);
        for _ in 0..120 {
            car.commands_mut().brakes[0] = 1.0;
            car.step(&mut world)?;
            locked.look(&car, 1.0 / 60.0);
        }
        println!("{preset} backward: locked {} s", locked.longest);
        assert!(locked.longest <= 0.1, "{preset} backward: {} s", locked.longest);

        // A drop of 0.6 m with the brake pressed: the wheels lock in the air, and turn again.
        let (mut world, mut car) = on_road(preset, aids, [0.9; 2], 20.0, 60.0)?;
        let up = car.pose(&world.bodies)?;
        car.teleport(&mut world.bodies, Pose::from_translation(Vector::Y * 0.6) * up)?;
        car.set_velocity(&mut world.bodies, Vector::Z * 20.0)?;
        let mut landed: Option<usize> = None;
        let mut slow: Real = 0.0;
        for step in 0..150 {
            car.commands_mut().brakes[0] = 1.0;
            car.step(&mut world)?;
            let loads: Real =
                (0..car.wheel_count()).map(|wheel| car.vehicle.tire_state(wheel).grip.load).sum();
            if 0.0 < loads && landed.is_none() {
                landed = Some(step);
            }
            if landed.is_some_and(|landed| landed + 12 == step) {
                slow = 1.0
                    - (0..car.wheel_count())
                        .map(|wheel| {
                            car.vehicle.wheel_state(wheel).rotation_speed
                                * car.vehicle.wheel_params(wheel).radius
                        })
                        .fold(Real::INFINITY, Real::min)
                        / car.forward_speed();
            }
        }
        println!("{preset} landed at {landed:?}: slip {slow} after 0.2 s");
        assert!(slow < 0.5, "{preset}: slip {slow}, 0.2 s after it has landed");
    }
    Ok(())
}
