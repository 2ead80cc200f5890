//! Body and wheels solved together, some of them at obstacles.

use arrayvec::ArrayVec;

use super::hub::{HubAtObstacle, MAX_HUBS, Rubbing, Sliding, WheelRows};
use crate::math::lanes::{Lanes, Number, Real4};
use crate::math::{Clamped, Real};
use crate::suspension::unsprung::scalar::Vector3;
use crate::suspension::unsprung::solve::{
    Equations, ITERATIONS, RideBody, RideJoints, RideSolution, conclude, of_sides, take,
};
use crate::suspension::unsprung::spatial::{Factors, Spatial};
use crate::suspension::unsprung::wheel::RideWheel;
use crate::wheel_list::{Fours, place};

/// Rounds over wheels that rub at obstacles.
const ROUNDS: usize = 2;

/// Sine of the angle between normal and axle below which a contact is at the side of the wheel
/// (dimensionless): there, the way in which its rotation rubs is lost.
const BESIDE: f64 = 0.35;

/// How far the velocity of a hub moves at most in an iteration that finds it, by what gravity gives
/// it in the step (dimensionless).
const SETTLED: f64 = 1e-4;

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
    let settled = SETTLED * dt * doubles(&body.gravity).length();
    let velocity = [&body.velocity.linear, &body.velocity.angular].map(doubles);
    for iteration in 1..=ITERATIONS {
        equations.linearize(body, wheels, solutions);
        for hub in &mut *hubs {
            let start = hub.velocity(&velocity[0], &velocity[1]);
            let rows = hub.linearize(&start, dt);
            add(solutions, hub.wheel, &rows);
        }
        equations.couple(joints, solutions, body.dt);
        let (mut matrix, mut load) = equations.assemble(body, joints, solutions);
        for hub in &*hubs {
            let entries = hub.entries(dt);
            matrix.add_sums::<Real>(|row, column| entries[row][column] as Real);
            load = load + Spatial::from_array(hub.side(dt).map(|side| side as Real));
        }
        let factors = matrix.factors();
        let change = factors.solve(&load);
        take(joints, solutions, &change);
        let change = six(&change);
        let mut moved: f64 = 0.0;
        for hub in &mut *hubs {
            let before = hub.change;
            hub.take(&change, extension(solutions, hub.wheel), dt);
            moved = moved.max((hub.change - before).length());
        }
        let mut all = wheels.iter().zip(&*solutions);
        let is_settled = moved <= settled
            && all.all(|(wheel, solution)| solution.is_settled(wheel, Real4::splat(body.dt)));
        if is_settled || iteration == ITERATIONS {
            rub(&factors, (&change, &velocity, dt), joints, solutions, hubs);
            break;
        }
    }
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

/// Change of the extension speed of a wheel (m/s).
fn extension(solutions: &[RideSolution<Real4>], wheel: usize) -> f64 {
    let (four, lane) = place(wheel);
    solutions.get(four).map_or(0.0, |it| f64::from(Lanes::lane(&it.change, lane)))
}

/// The answer of body, wheels and hubs to an impulse of 1 N·s that rubs one of the hubs.
struct Rub {
    /// Motion of the body (m/s, rad/s).
    body: [f64; 6],
    /// Changes of the wheels' extension speeds on a body that does not move (m/s).
    free: Fours<Real4>,
    /// Sliding and load of each hub at its obstacle.
    at_hubs: ArrayVec<Sliding, MAX_HUBS>,
}

/// Lets the wheels rub at their obstacles, in equations that give the body this `change` without
/// it. All answers to an impulse are straight, so one for each hub is enough.
fn rub(
    factors: &Factors<Real>,
    (change, velocity, dt): (&[f64; 6], &[Vector3<f64>; 2], f64),
    joints: RideJoints<'_, Real4>,
    solutions: &mut [RideSolution<Real4>],
    hubs: &mut [HubAtObstacle],
) {
    let mut now = ArrayVec::<Sliding, MAX_HUBS>::new();
    for hub in &mut *hubs {
        let across = hub.rubbing.axle.cross(&hub.push.obstacle_normal);
        (hub.rubbed_along, hub.rubbed_part) = (across.unit(), (across.length() / BESIDE).min(1.0));
        now.push(hub.sliding(&velocity[0], &velocity[1]));
    }
    let rubs =
        |hub: &HubAtObstacle| 0.0 < hub.rubbing.friction && hub.rubbed_along != Vector3::zero();
    if !hubs.iter().zip(&now).any(|(hub, now)| rubs(hub) && 0.0 < now.load) {
        return;
    }
    let parts = |solutions: &[RideSolution<Real4>]| {
        solutions.iter().map(|it| (it.side, it.free_change)).collect::<Fours<_>>()
    };
    let before = parts(solutions);
    let mut answers = ArrayVec::<Rub, MAX_HUBS>::new();
    for number in 0..hubs.len() {
        answers.push(answer(factors, number, joints, solutions, hubs, dt));
    }
    for _ in 0..ROUNDS {
        for (number, answer) in answers.iter().enumerate() {
            let hub = &mut hubs[number];
            let load = now[number].load.max(0.0);
            let most = hub.rubbed_part * hub.rubbing.friction * load * dt;
            if most <= 0.0 || !rubs(hub) {
                continue;
            }
            let inverse_mass = answer.at_hubs[number].speed;
            let without = now[number].speed - inverse_mass * hub.rubbed;
            let impulse = wanted_impulse(hub, without, inverse_mass).clamped(-most, most);
            let more = impulse - hub.rubbed;
            hub.rubbed = impulse;
            for (now, answer) in now.iter_mut().zip(&answer.at_hubs) {
                *now = Sliding {
                    speed: now.speed + answer.speed * more,
                    load: now.load + answer.load * more,
                };
            }
        }
    }
    // All of it at once.
    let mut change = *change;
    for (four, (solution, (side, free))) in solutions.iter_mut().zip(before).enumerate() {
        let rubbed = hubs.iter().zip(&answers);
        let all = rubbed.map(|(hub, answer)| answer.free[four] * Real4::splat(hub.rubbed as Real));
        (solution.side, solution.free_change) = (side, all.fold(free, |sum, it| sum + it));
    }
    for (hub, answer) in hubs.iter_mut().zip(&answers) {
        for (change, answer) in change.iter_mut().zip(answer.body) {
            *change += answer * hub.rubbed;
        }
        hub.rows.side += hub.along_bush(hub.rubbed);
    }
    take(joints, solutions, &Spatial::from_array(change.map(|it| it as Real)));
    for hub in hubs {
        let extension = extension(solutions, hub.wheel);
        hub.take(&change, extension, dt);
    }
}

/// How all answers to an impulse of 1 N·s that rubs hub `number`.
fn answer(
    factors: &Factors<Real>,
    number: usize,
    joints: RideJoints<'_, Real4>,
    solutions: &mut [RideSolution<Real4>],
    hubs: &[HubAtObstacle],
    dt: f64,
) -> Rub {
    for solution in &mut *solutions {
        solution.side = Real4::zero();
    }
    let (on_body, on_wheel) = hubs[number].rubbed_sides();
    let rows = WheelRows { column: [0.0; 6], diagonal: 0.0, side: on_wheel };
    add(solutions, hubs[number].wheel, &rows);
    let load = of_sides(joints, solutions) + Spatial::from_array(on_body.map(|it| it as Real));
    let change = factors.solve(&load);
    take(joints, solutions, &change);
    let body = six(&change);
    let at_hub = |(index, hub): (usize, &HubAtObstacle)| {
        let rubbed = if index == number { 1.0 } else { 0.0 };
        hub.answer(&body, extension(solutions, hub.wheel), rubbed, dt)
    };
    Rub {
        body,
        free: solutions.iter().map(|it| it.free_change).collect(),
        at_hubs: hubs.iter().enumerate().map(at_hub).collect(),
    }
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
