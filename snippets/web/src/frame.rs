//! What is drawn, as numbers in a row: [`HEADER`] of the drive and [`WHEEL`] for each wheel.
//! [`POSE`] follows for each body that moves beside the vehicle, for the body of its trailer and
//! each of its wheels. The page's `simulation.js` reads them by the same places.

use playground::worlds::Surface;
use playground::{CameraMode, GearMode, LapTimes, SECTORS, Session, WheelReading};
use rapier3d::prelude::*;

/// Numbers of the drive.
pub(crate) const HEADER: usize = 84;
/// Numbers of a wheel.
pub(crate) const WHEEL: usize = 40;
/// Numbers of a pose: place and quaternion (x, y, z, w).
pub(crate) const POSE: usize = 7;

fn put(numbers: &mut [f32], at: usize, values: &[f32]) {
    numbers[at..at + values.len()].copy_from_slice(values);
}

pub(crate) fn pose_numbers(pose: &Pose) -> [f32; POSE] {
    let ([x, y, z], [i, j, k, w]) = (pose.translation.to_array(), pose.rotation.to_array());
    [x, y, z, i, j, k, w]
}

/// Writes what is to be drawn between the last two steps.
pub(crate) fn write(session: &Session, frame: &mut Vec<f32>) {
    let (wheels, moving) = (session.readings().wheels.len(), session.moving_count());
    frame.clear();
    let trailer = session.trailer_look().map_or(0, |look| 1 + look.wheels.len());
    frame.resize(HEADER + WHEEL * wheels + POSE * (moving + trailer), 0.0);
    let share = session.share();
    let (header, rest) = frame.split_at_mut(HEADER);
    write_header(session, share, header);
    write_laps(session, share, header);
    let (wheel_numbers, moving_numbers) = rest.split_at_mut(WHEEL * wheels);
    for (wheel, numbers) in wheel_numbers.chunks_exact_mut(WHEEL).enumerate() {
        write_wheel(session, wheel, share, numbers);
    }
    let (moving_numbers, trailer_numbers) = moving_numbers.split_at_mut(POSE * moving);
    for (body, numbers) in moving_numbers.chunks_exact_mut(POSE).enumerate() {
        put(numbers, 0, &pose_numbers(&session.moving_pose(body, share)));
    }
    for (part, numbers) in trailer_numbers.chunks_exact_mut(POSE).enumerate() {
        let pose = match part.checked_sub(1) {
            Some(wheel) => session.trailer_wheel_pose(wheel, share),
            None => session.trailer_pose(share),
        };
        if let Some(pose) = pose {
            put(numbers, 0, &pose_numbers(&pose));
        }
    }
}

fn write_header(session: &Session, share: f32, header: &mut [f32]) {
    let readings = session.readings();
    let mut letters = readings.gear.bytes().map(f32::from);
    let gear = [letters.next().unwrap_or(0.0), letters.next().unwrap_or(0.0)];
    put(header, 0, &[readings.speed, readings.engine_speed.unwrap_or(-1.0)]);
    put(header, 2, &gear);
    put(header, 4, &readings.accelerations);
    put(header, 6, &readings.controls);
    header[9] = if session.gear_mode() == GearMode::Manual { 1.0 } else { 0.0 };
    header[10] = match session.camera_mode() {
        CameraMode::Chase => 0.0,
        CameraMode::Cockpit => 1.0,
        CameraMode::Orbit => 2.0,
        CameraMode::Free => 3.0,
    };
    header[11] = if session.is_replaying() { 1.0 } else { 0.0 };
    header[12] = if session.has_ghost() { 1.0 } else { 0.0 };
    header[13] = session.ghost_speed().unwrap_or(0.0);
    header[14] = session.steps() as f32;
    header[15] = readings.wheels.len() as f32;
    header[16] = session.moving_count() as f32;
    header[17] = session.setup().start as f32;
    let camera = session.camera(share);
    for (number, vector) in [camera.eye, camera.target, camera.up].into_iter().enumerate() {
        put(header, 18 + 3 * number, &vector.to_array());
    }
    put(header, 28, &pose_numbers(&session.body_pose(share)));
    if let Some(pose) = session.ghost_pose(share) {
        put(header, 35, &pose_numbers(&pose));
    }
    put(header, 42, &[session.aids(), readings.acting_aids].map(|aids| f32::from(aids.bits())));
    let heard = &readings.heard;
    put(header, 48, &[heard.engine_speed, heard.load, heard.limiter, heard.wind_speed]);
    put(header, 52, &readings.blows(session.car().mechanics().params.rigid_body.mass));
    header[54] = session.own_best_lap().map_or(-1.0, |lap| lap.lap().time);
}

/// Whether there are laps; times of this lap, the last and the best one, their number, and whether
/// a gate was missed. Then sectors of this lap and of the best one, whether the best one is shown,
/// and its pose; at last whether its trailer is shown, and its pose. What there is not is -1.
fn write_laps(session: &Session, share: f32, header: &mut [f32]) {
    let Some(LapTimes { current, sectors, has_missed, count, last, best }) = session.lap_times()
    else {
        return;
    };
    let [last_time, best_time] = [last, best].map(|lap| lap.map_or(-1.0, |lap| lap.time));
    put(header, 56, &[1.0, current.unwrap_or(-1.0), last_time, best_time, *count as f32]);
    header[61] = if *has_missed { 1.0 } else { 0.0 };
    header[62..62 + 2 * SECTORS].fill(-1.0);
    put(header, 62, sectors);
    if let Some(best) = best {
        put(header, 62 + SECTORS, &best.sectors);
    }
    if let Some(pose) = session.best_lap_pose(share) {
        header[68] = 1.0;
        put(header, 69, &pose_numbers(&pose));
    }
    if let Some(pose) = session.best_lap_trailer_pose(share) {
        header[76] = 1.0;
        put(header, 77, &pose_numbers(&pose));
    }
}

fn write_wheel(session: &Session, wheel: usize, share: f32, numbers: &mut [f32]) {
    if let Some(pose) = session.wheel_pose(wheel, share) {
        put(numbers, 0, &pose_numbers(&pose));
    }
    if let Some(pose) = session.ghost_wheel_pose(wheel, share) {
        put(numbers, 7, &pose_numbers(&pose));
    }
    let WheelReading {
        is_on_ground,
        is_skidding,
        load,
        longitudinal_slip,
        slip_angle,
        skid_speed,
        forces,
        grip,
        friction_used,
        point,
        normal,
        ground_force,
        material,
        compression,
        ..
    } = session.readings().wheels[wheel];
    let truth = |is_true: bool| if is_true { 1.0 } else { 0.0 };
    put(numbers, 14, &[truth(is_on_ground), truth(is_skidding), load]);
    put(numbers, 17, &[longitudinal_slip, slip_angle, skid_speed]);
    put(numbers, 20, &forces);
    put(numbers, 22, &[grip, friction_used]);
    put(numbers, 24, &point.to_array());
    put(numbers, 27, &normal.to_array());
    put(numbers, 30, &ground_force.to_array());
    let surface = if is_on_ground { Surface::of_material(material) } else { None };
    numbers[33] = surface.map_or(-1.0, |surface| f32::from(surface as u8));
    numbers[34] = compression;
    if let Some(heard) = session.readings().heard.wheels.get(wheel) {
        put(numbers, 35, &[heard.skid_power, heard.roughness()]);
    }
}
