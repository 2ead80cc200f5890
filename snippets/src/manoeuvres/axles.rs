//! Channels of the axles of a vehicle on a rig for kinematics: how wheels move, lean and turn in
//! their suspensions, and what that takes.

use rapier3d::prelude::*;
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use crate::telemetry::Channel;

/// Channels of the front and of the rear axle, each the mean of the wheels or of both sides.
const OF_AXLES: [(&str, &str); 9] = [
    ("jounce", "m"),
    ("load", "N"),
    ("camber", "rad"),
    ("toe", "rad"),
    ("track", "m"),
    ("roll", "rad"),
    ("moment", "N m"),
    ("steer", "rad"),
    ("lean", "rad"),
];
/// Channels of the first steered axle.
const OF_STEERING: [(&str, &str); 3] =
    [("left angle", "rad"), ("right angle", "rad"), ("Ackermann", "")];
/// Angle below which no Ackermann share is told (rad).
const LEAST_ANGLE: Real = 0.02;
/// How far wheels of an axle are apart along the vehicle at most (m).
const ABREAST: Real = 0.05;

/// The channels, in the order of their values.
pub(super) fn channels() -> impl Iterator<Item = Channel> {
    let of_axles = ["front", "rear"]
        .into_iter()
        .flat_map(|axle| OF_AXLES.map(|(name, unit)| Channel::new(format!("{axle} {name}"), unit)));
    of_axles.chain(OF_STEERING.map(|(name, unit)| Channel::new(name, unit)))
}

/// A wheel as it stands below a level body.
#[derive(Clone, Copy)]
struct Standing {
    /// 1 on the left, -1 on the right.
    side: Real,
    place: Real,
    aside: Real,
    jounce: Real,
    load: Real,
    /// Inclination about the longitudinal axis, and heading to the left (rad).
    camber: Real,
    heading: Real,
}

fn standing(car: &AnyRapierVehicle, bodies: &RigidBodySet) -> Vec<Standing> {
    let mechanics = car.mechanics();
    let body = &bodies[car.body()];
    let rotation = *body.rotation();
    let of = |wheel: usize| {
        let (state, tire) =
            (mechanics.state.suspensions.of(wheel), mechanics.state.tires.of(wheel));
        let mount = mechanics.params.suspensions[wheel].attachment.translation;
        let aside = rotation.inverse() * (state.contact.point - body.center_of_mass());
        let rolls = rotation.inverse() * tire.directions.longitudinal;
        Standing {
            side: if mount.x < 0.0 { -1.0 } else { 1.0 },
            place: mount.z,
            aside: aside.x,
            jounce: state.compression.jounce.unwrap_or(0.0),
            load: state.force.normal_load,
            camber: tire.camber,
            heading: rolls.x.atan2(rolls.z),
        }
    };
    (0..car.wheel_count()).map(of).collect()
}

/// Values of an axle of these wheels, in the order of its channels.
///
/// ```text
/// roll = (j_r - j_l)/t,   moment = (N_r - N_l) t/2
/// ```
///
/// Camber is positive where the tops of the wheels are farther apart, toe where the wheels look
/// towards each other.
fn of_axle(wheels: &[Standing]) -> [Real; OF_AXLES.len()] {
    let count = wheels.len().max(1) as Real;
    let mean = |of: &dyn Fn(&Standing) -> Real| wheels.iter().map(of).sum::<Real>() / count;
    let by_side = |of: fn(&Standing) -> Real| mean(&|wheel| -wheel.side * of(wheel));
    let track = 2.0 * mean(&|wheel| wheel.side * wheel.aside);
    let is_pair = 1 < wheels.len() && 0.0 < track;
    let paired = |value: Real| if is_pair { value } else { 0.0 };
    [
        mean(&|wheel| wheel.jounce),
        mean(&|wheel| wheel.load),
        paired(by_side(|wheel| wheel.camber)),
        paired(by_side(|wheel| wheel.heading)),
        paired(track),
        paired(2.0 * by_side(|wheel| wheel.jounce) / track),
        paired(by_side(|wheel| wheel.load) * track),
        mean(&|wheel| wheel.heading),
        mean(&|wheel| wheel.camber),
    ]
}

/// Angles of the left and the right wheel of the first steered axle (rad), and how much of the
/// difference of an Ackermann steering they have.
///
/// ```text
/// (cot δ_o - cot δ_i) l/t
/// ```
fn of_steering(car: &AnyRapierVehicle, [left, right]: [usize; 2], base: Real) -> [Real; 3] {
    let mechanics = car.mechanics();
    let [first, second] = [left, right].map(|wheel| mechanics.state.steer_angles[wheel]);
    let place = |wheel: usize| mechanics.params.suspensions[wheel].attachment.translation.x;
    let track = place(left) - place(right);
    let is_turned = LEAST_ANGLE < first.abs().min(second.abs()) && 0.0 < track;
    let share =
        if is_turned { (second.tan().recip() - first.tan().recip()) * base / track } else { 0.0 };
    [first, second, share]
}

/// Values of the channels of `car`, whose first steered axle has these wheels.
pub(super) fn values(
    car: &AnyRapierVehicle,
    bodies: &RigidBodySet,
    steered: [usize; 2],
    base: Real,
) -> impl Iterator<Item = f64> {
    let wheels = standing(car, bodies);
    let places = wheels.iter().map(|wheel| wheel.place);
    let (foremost, rearmost) =
        (places.clone().fold(-Real::INFINITY, Real::max), places.fold(Real::INFINITY, Real::min));
    let axle = |place: Real| -> Vec<Standing> {
        let abreast = wheels.iter().filter(|wheel| (wheel.place - place).abs() < ABREAST);
        abreast.copied().collect()
    };
    let [front, rear] = [foremost, rearmost].map(|place| of_axle(&axle(place)));
    let steering = of_steering(car, steered, base);
    front.into_iter().chain(rear).chain(steering).map(f64::from)
}
