//! Body and wheels solved together, some of them at obstacles.

use arrayvec::ArrayVec;

use super::hub::{HubsAtObstacles, MAX_HUBS, Rubbing, Sliding};
use crate::math::lanes::{Lanes, MAX_LANES, Mask, Real4};
use crate::math::{Clamped, Real};
use crate::suspension::unsprung::scalar::Scalar;
use crate::suspension::unsprung::solve::{
    Equations, ITERATIONS, RideBody, RideJoints, RideSolution, conclude, of_sides, take,
};
use crate::suspension::unsprung::spatial::{Factors, Spatial};
use crate::suspension::unsprung::wheel::RideWheel;
use crate::wheel_list::Fours;

/// Four wheels side by side, some of them at obstacles.
pub(in super::super) type FourHubs = HubsAtObstacles<Real4>;

/// Groups of four of which some are at obstacles.
pub(in super::super) type Hubs = ArrayVec<FourHubs, MAX_HUBS>;

/// Rounds over wheels that rub at obstacles.
const ROUNDS: usize = 2;

/// Sine of the angle between normal and axle below which a contact is at the side of the wheel
/// (dimensionless): there, the way in which its rotation rubs is lost.
const BESIDE: Real = 0.35;

/// How far the velocity of a hub moves at most in an iteration that finds it, by what gravity gives
/// it in the step (dimensionless).
const SETTLED: Real = 1e-4;

/// Solves body and wheels for the end of a step, as [`solve`](super::super::solve::solve) does,
/// where the wheels of `hubs` are at obstacles: their roads push there, and not in `wheels`.
#[cold]
#[inline(never)]
pub(in super::super) fn solve_at_obstacles(
    body: &RideBody<Real>,
    wheels: &[RideWheel<'_, Real4>],
    joints: RideJoints<'_, Real4>,
    solutions: &mut [RideSolution<Real4>],
    hubs: &mut Hubs,
) {
    let dt = <Real4 as Scalar>::splat(body.dt);
    let mut couplings = Fours::new();
    let mut equations = Equations::new(body, wheels, joints, solutions, &mut couplings);
    let settled = <Real4 as Scalar>::splat(SETTLED * body.dt * body.gravity.length());
    for iteration in 1..=ITERATIONS {
        equations.linearize(body, wheels, solutions);
        for hub in &mut *hubs {
            let rows = hub.linearize(dt);
            let Some(solution) = solutions.get_mut(hub.group) else { continue };
            solution.column = solution.column + rows.column;
            solution.diagonal += rows.diagonal;
            solution.side += rows.side;
        }
        equations.couple(joints, solutions, body.dt);
        let (mut matrix, mut load) = equations.assemble(body, joints, solutions);
        for hub in &*hubs {
            let entries = hub.entries(dt);
            matrix.add_sums(|row, column| entries[row][column]);
            load = load + hub.side(dt).sum();
        }
        let factors = matrix.factors();
        let change = factors.solve(&load);
        take(joints, solutions, &change);
        let moves = follow(hubs, &change, solutions, dt, settled);
        let mut all = wheels.iter().zip(&*solutions);
        let is_settled = all.all(|(wheel, solution)| solution.is_settled(wheel, dt))
            && (!moves || hubs.iter().all(|hub| hub.is_straight(settled, dt)));
        if is_settled || iteration == ITERATIONS {
            rub(&factors, &change, joints, solutions, hubs, dt);
            break;
        }
    }
    conclude(wheels, joints, solutions);
}

/// Lets the hubs follow a change of the body's motion in a step of `dt` (s). Whether one of them
/// moved by more than `settled` (m/s).
#[inline]
fn follow(
    hubs: &mut Hubs,
    change: &Spatial<Real>,
    solutions: &[RideSolution<Real4>],
    dt: Real4,
    settled: Real4,
) -> bool {
    let change = Spatial::splat(change);
    hubs.iter_mut().fold(false, |moved, hub| {
        let before = hub.change;
        hub.take(&change, extension(solutions, hub.group), dt);
        let is_beyond = settled.is_less((hub.change - before).length());
        moved | (is_beyond & hub.are_there).any()
    })
}

/// Changes of the extension speeds of a group of wheels (m/s).
#[inline]
fn extension(solutions: &[RideSolution<Real4>], group: usize) -> Real4 {
    solutions.get(group).map_or(Real4::default(), |it| it.change)
}

/// The answer of body, wheels and hubs to an impulse of 1 N·s that rubs one of the hubs.
struct Rub {
    /// Group and lane of that hub.
    group: usize,
    lane: usize,
    /// Motion of the body (m/s, rad/s).
    body: Spatial<Real>,
    /// Changes of the wheels' extension speeds on a body that does not move (m/s).
    free: Fours<Real4>,
    /// Sliding and load of all hubs at their obstacles.
    at_hubs: ArrayVec<Sliding<Real4>, MAX_HUBS>,
}

/// Lets the wheels rub at their obstacles, in equations that give the body this `change` without
/// it. All answers to an impulse are straight, so one for each hub is enough.
fn rub(
    factors: &Factors<Real>,
    change: &Spatial<Real>,
    joints: RideJoints<'_, Real4>,
    solutions: &mut [RideSolution<Real4>],
    hubs: &mut Hubs,
    dt: Real4,
) {
    let (zero, one) = (Real4::default(), <Real4 as Scalar>::of(1.0));
    let mut now = ArrayVec::<Sliding<Real4>, MAX_HUBS>::new();
    let mut rubbing = ArrayVec::<_, MAX_HUBS>::new();
    for hub in &mut *hubs {
        let across = hub.rubbing.axle.cross(&hub.push.obstacle_normal);
        let (length, along) = across.length_and_unit();
        let part = length / <Real4 as Scalar>::splat(BESIDE);
        hub.rubbed_along = along;
        hub.rubbed_part = Scalar::choose(one.is_less(part), one, part);
        let rubs = zero.is_less(hub.rubbing.friction) & zero.is_less(length) & hub.are_there;
        now.push(hub.sliding());
        rubbing.push(rubs);
    }
    let is_pressed = |(now, rubs): (&Sliding<Real4>, &_)| (zero.is_less(now.load) & *rubs).any();
    if !now.iter().zip(&rubbing).any(is_pressed) {
        return;
    }
    let before = solutions.iter().map(|it| (it.side, it.free_change)).collect::<Fours<_>>();
    let mut answers = ArrayVec::<Rub, MAX_HUBS>::new();
    for (index, rubs) in rubbing.iter().enumerate() {
        for lane in (0..MAX_LANES).filter(|&lane| rubs.lane(lane)) {
            if answers.is_full() {
                break;
            }
            answers.push(answer(factors, (index, lane), joints, solutions, hubs, dt));
        }
    }
    for _ in 0..ROUNDS {
        for answer in &answers {
            let (hub, lane) = (&mut hubs[answer.group], answer.lane);
            let of = |number: Real4| Lanes::lane(&number, lane);
            let load = of(now[answer.group].load).max(0.0);
            let most = of(hub.rubbed_part * hub.rubbing.friction) * load * of(dt);
            let rubbed = of(hub.rubbed);
            let inverse_mass = of(answer.at_hubs[answer.group].speed);
            let without = of(now[answer.group].speed) - inverse_mass * rubbed;
            if most <= 0.0 {
                continue;
            }
            let impulse = wanted_impulse(hub, lane, without, inverse_mass).clamped(-most, most);
            let more = <Real4 as Scalar>::splat(impulse - rubbed);
            hub.rubbed.set_lane(lane, impulse);
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
    for (solution, (side, free)) in solutions.iter_mut().zip(before) {
        (solution.side, solution.free_change) = (side, free);
    }
    for answer in &answers {
        let rubbed = Lanes::lane(&hubs[answer.group].rubbed, answer.lane);
        change = change + answer.body * rubbed;
        for (solution, free) in solutions.iter_mut().zip(&answer.free) {
            solution.free_change += *free * <Real4 as Scalar>::splat(rubbed);
        }
    }
    for hub in &mut *hubs {
        hub.rows.side += hub.along_bush(hub.rubbed);
    }
    take(joints, solutions, &change);
    follow(hubs, &change, solutions, dt, zero);
}

/// How all answer to an impulse of 1 N·s that rubs the hub in a `lane` of the group of this
/// `index`.
fn answer(
    factors: &Factors<Real>,
    (index, lane): (usize, usize),
    joints: RideJoints<'_, Real4>,
    solutions: &mut [RideSolution<Real4>],
    hubs: &Hubs,
    dt: Real4,
) -> Rub {
    let zero = Real4::default();
    for solution in &mut *solutions {
        solution.side = zero;
    }
    let (on_body, on_wheel) = hubs[index].rubbed_sides();
    let only = |number: Real4| {
        let mut only = zero;
        only.set_lane(lane, Lanes::lane(&number, lane));
        only
    };
    if let Some(solution) = solutions.get_mut(hubs[index].group) {
        solution.side = only(on_wheel);
    }
    let on_body = Spatial::from_array(on_body.to_array().map(|it| Lanes::lane(&it, lane)));
    let load = of_sides(joints, solutions) + on_body;
    let body = factors.solve(&load);
    take(joints, solutions, &body);
    let everywhere = Spatial::splat(&body);
    let at_hubs = hubs.iter().enumerate().map(|(other, hub)| {
        let rubbed = if other == index { only(<Real4 as Scalar>::of(1.0)) } else { zero };
        hub.answer(&everywhere, extension(solutions, hub.group), rubbed, dt)
    });
    Rub {
        group: index,
        lane,
        body,
        at_hubs: at_hubs.collect(),
        free: solutions.iter().map(|it| it.free_change).collect(),
    }
}

/// The impulse that closes the slip of the tire in a `lane` which slides at `sliding` (m/s), on a
/// hub of this inverse mass (1/kg). The wheel's brake may hold the wheel, or give way.
///
/// ```text
/// p = -s / K                                 held
///   = (r (ω + b/I) - s) / (K + r²/I)         turning, with what its brake takes, b
/// ```
fn wanted_impulse(hub: &FourHubs, lane: usize, sliding: Real, inverse_mass: Real) -> Real {
    let of = |number: Real4| Lanes::lane(&number, lane);
    let Rubbing { rotation_speed, inertia, brake, .. } = hub.rubbing;
    let [rotation_speed, inertia, brake] = [rotation_speed, inertia, brake].map(of);
    let radius = of(hub.rolling_radius());
    let held = -sliding / inverse_mass.max(Real::MIN_POSITIVE);
    let needed = held * radius - inertia * rotation_speed;
    if needed.abs() <= brake {
        return held;
    }
    let turned = rotation_speed + needed.signum() * brake / inertia;
    (radius * turned - sliding) / (inverse_mass + radius * radius / inertia)
}
