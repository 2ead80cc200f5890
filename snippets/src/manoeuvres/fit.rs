//! Whether a manoeuvre is one for a vehicle.

use anyhow::Result;
use rapier3d::prelude::*;
use vehicle_rapier::vehicle_file::{AnyVehicle, DriveSource};

use super::check::unknown;
use super::figure::{Moment, Quantity, Response, Stretch};
use super::scenario::{Manoeuvre, Pedals, Phase, PostMotion, Steer};
use super::signal::Signal;
use crate::measurements::{ProvingGround, wheel_base};
use crate::presets;
use crate::vehicle_choice::has_steered_wheels;

/// Why `manoeuvre` is none for the vehicle of `name`, if it is none.
///
/// # Errors
///
/// If there is no such vehicle, its file has faults, or it has no drive and nothing pulls it.
pub fn misfit(manoeuvre: &Manoeuvre, name: &str) -> Result<Option<String>> {
    let name = &manoeuvre.pulled(name)?;
    let vehicle = presets::vehicle(name)?;
    presets::check_axes(&vehicle)?;
    let steers = manoeuvre.phases.iter().any(|phase| asks_for_wheels(&phase.steer));
    let circles = manoeuvre.phases.iter().any(|phase| matches!(phase.steer, Steer::Circle { .. }));
    let posts = manoeuvre.ground.posts.as_ref();
    let rolls = posts.is_some_and(|posts| posts.motion == PostMotion::Roll);
    let file = vehicle.file();
    let mut world = PhysicsWorld::new();
    let car = vehicle.insert(&mut world, Pose::IDENTITY);
    let base = f64::from(wheel_base(&car));
    let trailer = presets::trailer(name)?.map(|trailer| presets::vehicle(&trailer.name));
    let trailer = trailer.transpose()?;
    let has_trailer = trailer.is_some();
    let stability = [Some(&vehicle), trailer.as_ref()].into_iter().flatten().map(stability);
    let stability = f64::from(stability.fold(Real::INFINITY, Real::min));
    let needs = &manoeuvre.needs;
    let misfit = if matches!(file.drive, DriveSource::Tank(_)) && (steers || circles) {
        "it steers by its tracks".to_owned()
    } else if file.rider.is_some() && steers {
        "its rider takes the steering command for a lean".to_owned()
    } else if file.rider.is_none() && (steers || circles) && !has_steered_wheels(&vehicle) {
        "none of its wheels steers".to_owned()
    } else if file.rider.is_none() && stability < needs.stability {
        format!("it tips over at {stability:.2} g, and {} are needed", needs.stability)
    } else if let Some(lacking) = lacking_brake(manoeuvre, vehicle.mechanics().brakes.len()) {
        lacking.to_owned()
    } else if base < needs.wheel_base {
        format!("its wheelbase is {base:.2} m, and {} are needed", needs.wheel_base)
    } else if rolls && widest(&vehicle) <= 0.0 {
        "its wheels are in one line".to_owned()
    } else if needs.trailer == Some(true) && !has_trailer {
        "it pulls no trailer".to_owned()
    } else if needs.trailer == Some(false) && has_trailer {
        "it pulls a trailer".to_owned()
    } else {
        return Ok(None);
    };
    Ok(Some(misfit))
}

/// Which brake a vehicle with this `count` of brakes lacks for a manoeuvre, if one. The first is
/// that of the pedal, the second that of the hand.
fn lacking_brake(manoeuvre: &Manoeuvre, count: usize) -> Option<&'static str> {
    let is_used = |signal: &Signal| *signal != Signal::Constant(0.0);
    let brakes = |phase: &Phase| match &phase.pedals {
        Pedals::Deceleration(_) => true,
        Pedals::Open { brake, .. } => is_used(brake),
        _ => false,
    };
    let by_hand = |phase: &Phase| phase.hand_brake.as_ref().is_some_and(is_used);
    let asks = |of: &dyn Fn(&Phase) -> bool| manoeuvre.phases.iter().any(of);
    if count == 0 && asks(&brakes) {
        Some("it has no brakes")
    } else if count < 2 && asks(&by_hand) {
        Some("it has no hand brake, which is the second of `brakes`")
    } else {
        None
    }
}

fn asks_for_wheels(steer: &Steer) -> bool {
    !matches!(steer, Steer::Straight | Steer::Hold | Steer::Circle { .. })
}

/// Half of the track by the height of the center of mass above the road (dimensionless).
fn stability(vehicle: &AnyVehicle) -> Real {
    let (mechanics, frame) = (vehicle.mechanics(), &vehicle.file().frame);
    let height = mechanics.standing_height(frame, vehicle_rapier::core::context::GRAVITY);
    widest(vehicle) / height
}

/// How far to the left of the middle its wheels are at most (m).
fn widest(vehicle: &AnyVehicle) -> Real {
    let frame = &vehicle.file().frame;
    let suspensions = vehicle.mechanics().suspensions.iter();
    suspensions.map(|each| each.wheel_mount().dot(frame.lateral())).fold(0.0, Real::max)
}

/// Checks that the vehicle on `ground` has all channels that `manoeuvre` asks for, and whatever
/// else depends on it.
///
/// # Errors
///
/// The first fault, with its path.
pub(super) fn check_names(
    manoeuvre: &Manoeuvre,
    ground: &ProvingGround,
    channels: &[&str],
) -> Result<()> {
    let fault = |path: &str, name: &str| {
        let known = channels.iter().copied();
        manoeuvre.origin.fault(path, unknown("channel", name, known))
    };
    let is_known = |name: &str| channels.contains(&name);
    for (index, name) in manoeuvre.channels.iter().enumerate() {
        anyhow::ensure!(is_known(name), fault(&format!("channels[{index}]"), name));
    }
    for (index, figure) in manoeuvre.figures.iter().enumerate() {
        let mut names = Vec::new();
        names_of(&figure.value, &mut names);
        let path = format!("figures[{index}].value");
        if let Some(name) = names.into_iter().find(|name| !is_known(name)) {
            return Err(fault(&path, name));
        }
    }
    let has_ratio = ground.front().mechanics().params.steering_system.is_some();
    let lacks_ratio = |phase: &Phase| {
        matches!(phase.steer, Steer::SteeringWheelAngle { ratio: None, .. }) && !has_ratio
    };
    if let Some(index) = manoeuvre.phases.iter().position(lacks_ratio) {
        let path = format!("phases[{index}].steer.steering_wheel_angle.ratio");
        let message =
            "must be given for a vehicle whose file has no `steering_system.ratio`, got none";
        return Err(manoeuvre.origin.fault(&path, message.to_owned()));
    }
    Ok(())
}

/// The channels that a quantity is made of.
fn names_of<'a>(quantity: &'a Quantity, names: &mut Vec<&'a str>) {
    match quantity {
        Quantity::Number(_) => {}
        Quantity::At { channel, when } => {
            names.push(channel);
            names_of_moment(when, names);
        }
        Quantity::Change { channel, from, to } => {
            names.push(channel);
            names_of_moment(from, names);
            names_of_moment(to, names);
        }
        Quantity::Largest(stretch)
        | Quantity::Least(stretch)
        | Quantity::Peak(stretch)
        | Quantity::Mean(stretch)
        | Quantity::Rms(stretch)
        | Quantity::Weighted { of: stretch, .. }
        | Quantity::Damping(stretch) => names_of_stretch(stretch, names),
        Quantity::Slope { y, x, .. } => names.extend([y.as_str(), x.as_str()]),
        Quantity::Gain(Response { output, input, .. })
        | Quantity::Phase(Response { output, input, .. }) => {
            names.extend([output.as_str(), input.as_str()]);
        }
        Quantity::Root(of) => names_of(of, names),
        Quantity::Ratio { of, by } | Quantity::Difference { of, by } => {
            names_of(of, names);
            names_of(by, names);
        }
    }
}

fn names_of_stretch<'a>(stretch: &'a Stretch, names: &mut Vec<&'a str>) {
    names.push(&stretch.channel);
    for moment in stretch.from.iter().chain(&stretch.to) {
        names_of_moment(moment, names);
    }
}

fn names_of_moment<'a>(moment: &'a Moment, names: &mut Vec<&'a str>) {
    match moment {
        Moment::Start(_) | Moment::End(_) | Moment::Time(_) => {}
        Moment::After { moment, .. } => names_of_moment(moment, names),
        Moment::Crossing { channel, value, .. } => {
            names.push(channel);
            names_of(value, names);
        }
        Moment::Peak(stretch) | Moment::FirstPeak(stretch) => names_of_stretch(stretch, names),
    }
}
