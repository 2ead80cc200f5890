//! Body and wheels solved together, some of them at obstacles.

use super::hub::{HubAtObstacle, Rubbing, WheelRows};
use crate::math::lanes::{Lanes, Real4};
use crate::math::{Clamped, Real};
use crate::suspension::unsprung::scalar::Vector3;
use crate::suspension::unsprung::solve::{
    Equations, ITERATIONS, RideBody, RideJoints, RideSolution, conclude,
};
use crate::suspension::unsprung::spatial::Spatial;
use crate::suspension::unsprung::wheel::RideWheel;
use crate::wheel_list::{Fours, place};

/// Rounds over wheels that rub at obstacles.
const ROUNDS: usize = 2;

/// Components as doubles.
pub(in super::super) fn doubles(vector: &Vector3<Real>) -> Vector3<f64> {
    Vector3(vector.0.map(f64::from))
}

fn six(spatial: &Spatial<Real>) -> [f64; 6] {
    spatial.to_array().map(f64::from)
}

/// Solves body and wheels for the end of a step, as [`solve`](super::super::solve::solve) does,
/// where the wheels of `hubs` are at obstacles: their roads push there, and not in `wheels`.
#[cold]
#[inline(never)]
pub(in super::super) fn solve_at_obstacles(
    body: &RideBody<Real>,
    wheels: &[RideWheel<'_, Real4>],
    joints: RideJoints<'_, Real4>,
    solutions: &mut [RideSolution<Real4>],
    hubs: &mut [HubAtObstacle],
) {
    let dt = f64::from(body.dt);
    let mut couplings = Fours::new();
    let mut equations = Equations::new(body, wheels, joints, solutions, &mut couplings);
    let free = six(&equations.free_change(body));
    for hub in &mut *hubs {
        hub.take(&free, 0.0, dt);
    }
    let velocity = [&body.velocity.linear, &body.velocity.angular].map(doubles);
    for _ in 0..ITERATIONS {
        equations.linearize(body, wheels, solutions);
        for hub in &mut *hubs {
            let start = hub.velocity(&velocity[0], &velocity[1]);
            let rows = hub.linearize(&start, dt);
            add(solutions, hub.wheel, &rows);
        }
        equations.couple(joints, solutions, body.dt);
        advance(&equations, body, joints, solutions, hubs);
    }
    rub(&equations, body, joints, solutions, hubs);
    conclude(wheels, joints, solutions);
}

/// Adds `rows` to the equation of a wheel.
fn add(solutions: &mut [RideSolution<Real4>], wheel: usize, rows: &WheelRows) {
    let (four, lane) = place(wheel);
    let Some(solution) = solutions.get_mut(four) else { return };
    let add = |number: &mut Real4, added: f64| {
        let sum = f64::from(Lanes::lane(number, lane)) + added;
        number.set_lane(lane, sum as Real);
    };
    let mut column = solution.column.to_array();
    for (number, added) in column.iter_mut().zip(rows.column) {
        add(number, added);
    }
    solution.column = Spatial::from_array(column);
    add(&mut solution.diagonal, rows.diagonal);
    add(&mut solution.side, rows.side);
}

/// One solution of the equations as they are.
fn advance(
    equations: &Equations<'_>,
    body: &RideBody<Real>,
    joints: RideJoints<'_, Real4>,
    solutions: &mut [RideSolution<Real4>],
    hubs: &mut [HubAtObstacle],
) {
    let dt = f64::from(body.dt);
    let change = equations.iterate_with(body, joints, solutions, |matrix, load| {
        let mut sides = load.to_array();
        for hub in &*hubs {
            let columns = hub.columns(dt);
            matrix.add_sums::<Real>(|row, column| hub.entry(&columns, row, column) as Real);
            for (sum, side) in sides.iter_mut().zip(hub.side(dt)) {
                *sum += side as Real;
            }
        }
        *load = Spatial::from_array(sides);
    });
    let change = six(&change);
    for hub in hubs {
        let (four, lane) = place(hub.wheel);
        let extension = solutions.get(four).map_or(0.0, |it| Lanes::lane(&it.change, lane));
        hub.take(&change, f64::from(extension), dt);
    }
}

/// Lets the wheels rub at their obstacles.
fn rub(
    equations: &Equations<'_>,
    body: &RideBody<Real>,
    joints: RideJoints<'_, Real4>,
    solutions: &mut [RideSolution<Real4>],
    hubs: &mut [HubAtObstacle],
) {
    let (dt, velocity) =
        (f64::from(body.dt), [&body.velocity.linear, &body.velocity.angular].map(doubles));
    for hub in &mut *hubs {
        hub.rubbed_along = hub.rubbing.axle.cross(&hub.push.obstacle_normal).unit();
    }
    for _ in 0..ROUNDS {
        for index in 0..hubs.len() {
            let most = hubs[index].rubbing.friction * hubs[index].obstacle_load().max(0.0) * dt;
            if most <= 0.0 || hubs[index].rubbed_along == Vector3::zero() {
                continue;
            }
            let mut give = |hubs: &mut [HubAtObstacle], impulse: f64| {
                let side = hubs[index].rub(impulse);
                let rows = WheelRows { column: [0.0; 6], diagonal: 0.0, side };
                add(solutions, hubs[index].wheel, &rows);
                advance(equations, body, joints, solutions, hubs);
                sliding(&hubs[index], &velocity)
            };
            let before = hubs[index].rubbed;
            let without = give(hubs, -before);
            let with = give(hubs, most);
            let inverse_mass = (with - without) / most;
            let wanted = wanted_impulse(&hubs[index], without, inverse_mass);
            give(hubs, wanted.clamped(-most, most) - most);
        }
    }
}

/// Speed of a hub along its obstacle at the end of the step (m/s).
fn sliding(hub: &HubAtObstacle, [linear, angular]: &[Vector3<f64>; 2]) -> f64 {
    let start = hub.velocity(linear, angular);
    let relative = start - hub.around.velocity - hub.given;
    hub.rubbed_along.dot(&relative) + hub.rubbed_along.dot(&hub.change)
}

/// The impulse that closes the slip of a tire which slides at `sliding` (m/s), on a hub of this
/// inverse mass (1/kg). The wheel's brake may hold the wheel, or give way.
///
/// ```text
/// p = -s / K                                 held
///   = (r (ω + b/I) - s) / (K + r²/I)         turning, with what its brake takes, b
/// ```
fn wanted_impulse(hub: &HubAtObstacle, sliding: f64, inverse_mass: f64) -> f64 {
    let Rubbing { rotation_speed, inertia, brake, .. } = hub.rubbing;
    let radius = hub.rolling_radius();
    let held = -sliding / inverse_mass.max(f64::MIN_POSITIVE);
    let needed = held * radius - inertia * rotation_speed;
    if needed.abs() <= brake {
        return held;
    }
    let turned = rotation_speed + needed.signum() * brake / inertia;
    (radius * turned - sliding) / (inverse_mass + radius * radius / inertia)
}
