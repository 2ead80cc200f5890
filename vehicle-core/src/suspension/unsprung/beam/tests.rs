//! Wheels on beam axles: closed forms of a rigid axle below a body that does not move, and what it
//! does to one that does.

use std::f64::consts::TAU;

use super::*;
use crate::math::Real;
use crate::math::lanes::Real4;
use crate::suspension::unsprung::contact::RidePlane;
use crate::suspension::unsprung::laws::{DampedStop, DamperLaw, SpringLaw, Stop, StrutLaws};
use crate::suspension::unsprung::solve::{RideBars, RideBody, RideJoints, solve};
use crate::suspension::unsprung::spatial::BodyMass;
use crate::suspension::unsprung::wheel::TireSpring;

const TRACK: f64 = 1.8;
/// Mass of the axle with its wheels (kg).
const MASS: f64 = 600.0;
const SPRING: f64 = 1.5e5;
const TIRE: f64 = 8e5;
/// Jounce and deflection at which springs and tires hold each other (m).
const REST: [f64; 2] = [0.08, 0.08 * SPRING / TIRE];

/// An axle of two wheels, right and left of a body's center, on a level road.
#[derive(Clone)]
struct Rig {
    /// Mass of the body (kg), with the axle, and its moments of inertia (kg·m²).
    body: f64,
    inertia: f64,
    roll_inertia: f64,
    spring_track: f64,
    damper_track: f64,
    roll_center: f64,
    damping: f64,
    has_beam: bool,
    has_road: bool,
    bar: f64,
    jounce: [f64; 2],
    speed: [f64; 2],
    tire_force: [[f64; 3]; 2],
    velocity: Spatial<f64>,
    load: [f64; 2],
    /// Momentum along and about the center (kg·m/s, kg·m²/s).
    momentum: Spatial<f64>,
}

impl Rig {
    /// An axle of this `roll_inertia` (kg·m²), at rest below a body that does not move.
    fn new(roll_inertia: f64) -> Self {
        Self {
            body: 1e15,
            inertia: 1e15,
            roll_inertia,
            spring_track: TRACK,
            damper_track: TRACK,
            roll_center: 0.0,
            damping: 0.0,
            has_beam: true,
            has_road: true,
            bar: 0.0,
            jounce: [REST[0]; 2],
            speed: [0.0; 2],
            tire_force: [[0.0; 3]; 2],
            velocity: Spatial::zero(),
            load: [0.0; 2],
            momentum: Spatial::zero(),
        }
    }

    fn shared_mass(&self) -> f64 {
        MASS / 4.0 - self.roll_inertia / (TRACK * TRACK)
    }

    /// A step of `dt` (s), with numbers of one wheel or of wheels side by side.
    fn step<S: Scalar>(&mut self, dt: f64) {
        let single = |number: f64| S::Single::of(number);
        let of = |number: f64| S::of(number);
        let pair = |numbers: [f64; 2], number: usize| {
            S::from_lanes(|lane| single(numbers[(number * S::LANES + lane).min(1)]))
        };
        let count = 2_usize.div_ceil(S::LANES);
        let spring = [(single(0.0), single(0.0)), (single(1.0), single(SPRING))];
        let laws = StrutLaws::<S> {
            spring: SpringLaw::through(|_| &spring[..]),
            damper: DamperLaw::linear(of(self.damping)),
            bump_stop: DampedStop::elastic(Stop { edge: of(0.16), stiffness: of(5.0 * SPRING) }),
            end_stop: DampedStop::elastic(Stop { edge: of(0.2), stiffness: of(20.0 * SPRING) }),
            droop_stop: of(20.0 * SPRING),
        };
        let shared = self.shared_mass();
        let least = MASS / 2.0 - shared - shared.abs();
        let down = Vector3([of(0.0), of(0.0), of(-1.0)]);
        let vector = |vectors: [[f64; 3]; 2], number: usize| {
            Vector3([0, 1, 2].map(|row| pair(vectors.map(|vector| vector[row]), number)))
        };
        let all = |of: &dyn Fn(usize) -> bool, number: usize| {
            Lanes::from_lanes(|lane| of(number * S::LANES + lane))
        };
        let arms = [-1.0, 1.0].map(|side| [0.0, side * TRACK / 2.0, -0.5]);
        let contacts = arms.map(|[x, y, z]| [x, y, z - 0.5]);
        let deflections = self.jounce.map(|jounce| REST[0] + REST[1] - jounce);
        let mut wheels: Vec<RideWheel<'_, S>> = (0..count)
            .map(|number| RideWheel {
                is_there: all(&|wheel| wheel < 2, number),
                is_wheel: all(&|wheel| wheel < 2, number),
                mass: of(MASS / 2.0),
                least_mass: of(if self.has_beam { least } else { MASS / 2.0 }),
                laws: &laws,
                tire: TireSpring { stiffness: of(TIRE), damping: of(0.0) },
                direction: down,
                vertical: down,
                path: down,
                center_arm: vector(arms, number),
                jounce: pair(self.jounce, number),
                jounce_speed: pair(self.speed, number),
                seat: SpringSeat::at_wheel(pair(self.jounce, number), pair(self.speed, number)),
                has_road: all(&|_| self.has_road, number),
                plane: RidePlane {
                    normal: down * of(-1.0),
                    offset: of(0.0),
                    velocity: Vector3::zero(),
                },
                deflection: pair(deflections, number),
                contact_arm: vector(contacts, number),
                tire_force: vector(self.tire_force, number),
            })
            .collect();
        let other = |number: usize| std::array::from_fn(|lane| (number * S::LANES + lane) ^ 1);
        let beams: Vec<_> = (0..count)
            .map(|number| RideBeams {
                is_there: all(&|wheel| wheel < 2, number),
                other: other(number),
                shared_mass: of(shared),
                spring_track: of(self.spring_track / TRACK),
                damper_track: of(self.damper_track / TRACK),
                roll_center: of(self.roll_center / (TRACK * TRACK)),
            })
            .map(|beam: RideBeams<S>| beam)
            .collect();
        let stiffness = pair([self.bar; 2], 0);
        let bars = (0..count).map(|number| RideBars { stiffness, other: other(number) });
        let bars: Vec<_> = bars.collect();
        let mut seats = Vec::new();
        for (number, beam) in beams.iter().enumerate() {
            seats.push(beam.seat(&wheels, number));
        }
        if self.has_beam {
            wheels.iter_mut().zip(seats).for_each(|(wheel, seat)| wheel.seat = seat);
        }
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let axes = axes.map(|axis| Vector3(axis.map(single)));
        let velocity = Spatial::from_array(self.velocity.to_array().map(single));
        let body = RideBody {
            mass: BodyMass::new(single(self.body), &Vector3([single(self.inertia); 3]), &axes),
            velocity,
            load: Spatial::zero(),
            gravity: Vector3::zero(),
            dt: single(dt),
        };
        let mut solutions: Vec<_> =
            wheels.iter().map(|wheel| RideSolution::new(wheel, &body)).collect();
        let is_joined = self.has_beam || self.bar != 0.0;
        let joints = RideJoints {
            bars: if is_joined { &bars } else { &[] },
            beams: if self.has_beam { &beams } else { &[] },
        };
        let velocity = solve(&body, &wheels, joints, &mut solutions);
        let back = |value: S::Single| to_f64(value);
        self.velocity = Spatial::from_array(velocity.to_array().map(back));
        let momentum = solutions.iter().fold(Spatial::zero(), |sum, solution| {
            sum + (solution.motion.path * solution.momentum)
        });
        let momentum = Spatial::from_array(momentum.sum().to_array().map(back));
        let masses = [self.body, self.body, self.body, self.inertia, self.inertia, self.inertia];
        let own = self.velocity.to_array();
        self.momentum =
            momentum + Spatial::from_array(std::array::from_fn(|row| masses[row] * own[row]));
        for wheel in 0..2 {
            let (number, lane) = (wheel / S::LANES, wheel % S::LANES);
            let solution = &solutions[number];
            self.speed[wheel] = -back(solution.extension_speed(&wheels[number]).lane(lane));
            self.jounce[wheel] += dt * self.speed[wheel];
            self.load[wheel] = back(solution.load.lane(lane));
        }
    }

    /// Frequency of the motion of the right wheel about its rest (Hz).
    fn frequency(&mut self) -> f64 {
        let dt = 2e-5;
        let mut crossings = Vec::new();
        let mut before = self.jounce[0] - REST[0];
        for step in 0..50_000 {
            self.step::<f64>(dt);
            let now = self.jounce[0] - REST[0];
            if before < 0.0 && 0.0 <= now {
                crossings.push((f64::from(step) - now / (now - before)) * dt);
            }
            before = now;
        }
        let (first, last) = (crossings[0], crossings[crossings.len() - 1]);
        (crossings.len() - 1) as f64 / (last - first)
    }
}

/// A number as it is, whatever its type.
fn to_f64<T: Scalar<Single = T, Mask = bool>>(value: T) -> f64 {
    format!("{value:?}").parse().expect("a number")
}

#[test]
fn an_axle_hops_on_springs_and_tires() {
    for roll_inertia in [100.0, MASS * TRACK * TRACK / 12.0, MASS * TRACK * TRACK / 4.0, 700.0] {
        let mut rig = Rig { spring_track: 1.0, ..Rig::new(roll_inertia) };
        rig.jounce = [REST[0] + 0.003; 2];
        let (found, expected) = (rig.frequency(), (2.0 * (SPRING + TIRE) / MASS).sqrt() / TAU);
        assert!((found / expected - 1.0).abs() < 1e-4, "{roll_inertia}: {found}, {expected} Hz");
        assert!((rig.jounce[0] - rig.jounce[1]).abs() < 1e-9, "it does not roll");
    }
}

#[test]
fn an_axle_tramps_about_its_center() {
    for (roll_inertia, spring_track) in [
        (100.0, 1.0),
        (MASS * TRACK * TRACK / 12.0, 1.2),
        (MASS * TRACK * TRACK / 4.0, TRACK),
        (700.0, 0.6),
    ] {
        for bar in [0.0, 4e4] {
            let mut rig = Rig { spring_track, bar, ..Rig::new(roll_inertia) };
            rig.jounce = [REST[0] + 0.003, REST[0] - 0.003];
            // A bar resists the difference of the jounces: κ T φ at each wheel.
            let stiffness =
                0.5 * (SPRING * spring_track * spring_track + (TIRE + 2.0 * bar) * TRACK * TRACK);
            let (found, expected) = (rig.frequency(), (stiffness / roll_inertia).sqrt() / TAU);
            let what = format!("{roll_inertia} kg·m², {spring_track} m, {bar} N/m");
            assert!((found / expected - 1.0).abs() < 1e-4, "{what}: {found}, {expected} Hz");
            let mean = 0.5 * (rig.jounce[0] + rig.jounce[1]) - REST[0];
            assert!(mean.abs() < 1e-9, "it does not hop: {mean}");
        }
    }
}

#[test]
fn tramp_dies_away_by_the_square_of_the_dampers_track() {
    // Part of the tramp that is left after a second: e^(-σ), σ = c t_d² / (4 J).
    let (roll_inertia, damping) = (300.0, 600.0);
    for damper_track in [0.7, 1.2, TRACK] {
        let mut rig = Rig { damper_track, damping, spring_track: 1.0, ..Rig::new(roll_inertia) };
        rig.jounce = [REST[0] + 0.003, REST[0] - 0.003];
        let before = energy(&rig) - energy(&Rig::new(roll_inertia));
        for _ in 0..50_000 {
            rig.step::<f64>(2e-5);
        }
        let after = energy(&rig) - energy(&Rig::new(roll_inertia));
        let found = 0.5 * (before / after).ln();
        let expected = damping * damper_track * damper_track / (4.0 * roll_inertia);
        assert!((found / expected - 1.0).abs() < 0.01, "{damper_track} m: {found}, {expected}");
    }
}

#[test]
fn an_axle_whose_wheels_share_no_mass_has_independent_wheels() {
    let beam = Rig {
        damping: 4e3,
        body: 4_000.0,
        inertia: 4_000.0,
        bar: 2e4,
        jounce: [0.17, -0.01],
        speed: [1.0, -0.4],
        ..Rig::new(MASS * TRACK * TRACK / 4.0)
    };
    let (mut beam, mut independent) = (beam.clone(), Rig { has_beam: false, ..beam });
    for step in 0..500 {
        beam.step::<f64>(2e-3);
        independent.step::<f64>(2e-3);
        for wheel in 0..2 {
            let [ours, theirs] = [&beam, &independent].map(|rig| rig.jounce[wheel]);
            assert!((ours - theirs).abs() < 1e-10, "step {step}: {ours}, {theirs} m");
        }
    }
}

#[test]
fn an_end_of_a_free_rod_that_is_struck_throws_the_other_one_back_by_half() {
    let mut rig = Rig { has_road: false, ..Rig::new(MASS * TRACK * TRACK / 12.0) };
    rig.jounce = [0.0; 2];
    let dt = 1e-6;
    let impulse = 30.0;
    rig.tire_force[0][2] = -impulse / dt;
    rig.step::<f64>(dt);
    // A blow p at an end gives the center p/m, and the rod p T/2 / J = 6 p/(m T) of turn.
    let [struck, thrown] = rig.speed.map(|speed| -speed);
    assert!((struck / (4.0 * impulse / MASS) - 1.0).abs() < 1e-4, "{struck} m/s");
    assert!((thrown / struck + 0.5).abs() < 1e-4, "{thrown} m/s");
}

#[test]
fn momentum_stays_however_the_axle_shakes_below_a_free_body() {
    for roll_inertia in [150.0, 700.0] {
        let mut rig = Rig {
            has_road: false,
            body: 3_000.0,
            inertia: 2_000.0,
            spring_track: 1.1,
            damper_track: 1.4,
            damping: 3e3,
            jounce: [0.1, 0.02],
            speed: [2.0, -1.0],
            ..Rig::new(roll_inertia)
        };
        // What the wheels have along their paths, down: -m ė.
        rig.step::<f64>(1e-9);
        let before = rig.momentum;
        // The path of the wheels does not turn with the body here, which is as it is in one step.
        for _ in 0..200 {
            rig.step::<f64>(1e-3);
            let parts = rig.momentum.to_array().into_iter().zip(before.to_array());
            for (after, before) in parts {
                assert!((after - before).abs() < 1e-6, "{after}, {before}");
            }
        }
    }
}

/// Loads of right and left wheel, and the roll of the axle (rad), below a body that does not move,
/// as both tires push to the left by `force` (N).
fn pushed(mut rig: Rig, force: f64) -> ([f64; 2], f64) {
    rig.tire_force = [[0.0, force, 0.0]; 2];
    rig.damping = 2e4;
    for _ in 0..4_000 {
        rig.step::<f64>(1e-3);
    }
    (rig.load, (rig.jounce[1] - rig.jounce[0]) / TRACK)
}

#[test]
fn forces_of_the_tires_lean_the_axle_about_its_roll_center() {
    let (height, force, spring_track) = (0.6, 2_000.0, 1.0);
    let rig = Rig { roll_center: height, spring_track, ..Rig::new(300.0) };
    let (loads, roll) = pushed(rig.clone(), force);
    // Held at its roll center, the axle is turned by 2 F h against springs and tires. Both tires
    // push to the left below it: the right wheel is pressed to the ground.
    let [springs, tires] = [(SPRING, spring_track), (TIRE, TRACK)].map(|(k, t)| 0.5 * k * t * t);
    let expected = 2.0 * force * height / (springs + tires);
    assert!((roll / expected - 1.0).abs() < 1e-6, "{roll}, {expected} rad");
    let transfer = 0.5 * (loads[0] - loads[1]) * TRACK;
    let expected = 2.0 * force * height * tires / (springs + tires);
    assert!((transfer.abs() / expected - 1.0).abs() < 1e-6, "{transfer}, {expected} N·m");
    // On the ground it does not lean the axle.
    let (loads, roll) = pushed(Rig { roll_center: 0.0, ..rig }, force);
    assert!(roll.abs() < 1e-9 && (loads[0] - loads[1]).abs() < 1e-3, "{loads:?}");
}

#[test]
fn wheels_side_by_side_move_as_single_ones() {
    let rig = Rig {
        body: 4_000.0,
        inertia: 4_000.0,
        spring_track: 1.0,
        damper_track: 1.3,
        roll_center: 0.5,
        bar: 3e4,
        damping: 3e3,
        jounce: [0.12, 0.03],
        speed: [0.5, -0.2],
        tire_force: [[0.0, 500.0, 0.0], [0.0, 900.0, 0.0]],
        ..Rig::new(250.0)
    };
    let (mut single, mut lanes, mut exact) = (rig.clone(), rig.clone(), rig);
    for step in 0..200 {
        single.step::<Real>(5e-3);
        lanes.step::<Real4>(5e-3);
        exact.step::<f64>(5e-3);
        for wheel in 0..2 {
            let [one, four, exact] = [&single, &lanes, &exact].map(|rig| rig.jounce[wheel]);
            assert!((one - four).abs() < 1e-6, "step {step}: {one}, {four} m");
            assert!((one - exact).abs() < 1e-5, "step {step}: {one}, {exact} m");
        }
    }
}

#[test]
fn energy_is_not_made_at_steps_of_any_length() {
    // The axle is let go off its rest, without dampers: it swings no higher than it began, whatever
    // springs and tires open and close.
    for roll_inertia in [60.0, 162.0, 480.0, 800.0] {
        for (jounce, speed) in
            [([0.19, 0.02], [0.0; 2]), ([0.08, 0.08], [3.0, -3.0]), ([0.05, 0.2], [-2.0, 1.0])]
        {
            for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 180.0, 1.0 / 1_000.0] {
                let mut rig = Rig { spring_track: 1.1, jounce, speed, ..Rig::new(roll_inertia) };
                let before = energy(&rig);
                let mut most = 0.0_f64;
                for _ in 0..(20.0 / dt) as usize {
                    rig.step::<f64>(dt);
                    most = most.max(energy(&rig));
                }
                // Within a swing the sum moves about by the square of the step.
                let end = energy(&rig);
                let what = format!("{roll_inertia} kg·m², {jounce:?} m, {dt} s");
                assert!(most < 1.25 * before, "{what}: {before} J, {most} J");
                assert!(end < 1.02 * before, "{what}: {before} J, {end} J");
            }
        }
    }
}

/// Energy of axle, springs and tires (J).
fn energy(rig: &Rig) -> f64 {
    let [right, left] = rig.speed;
    let (heave, roll) = (0.5 * (right + left), (left - right) / TRACK);
    let moving = 0.5 * MASS * heave * heave + 0.5 * rig.roll_inertia * roll * roll;
    let ratio = rig.spring_track / TRACK;
    let stored = |stiffness: f64, by: f64| 0.5 * stiffness * by.max(0.0).powi(2);
    let wheel = |own: usize| {
        let (j, other) = (rig.jounce[own], rig.jounce[1 - own]);
        let seat = 0.5 * (j + other) + 0.5 * ratio * (j - other);
        stored(SPRING, seat)
            + stored(5.0 * SPRING, seat - 0.16)
            + stored(20.0 * SPRING, j - 0.2)
            + stored(20.0 * SPRING, -j)
            + stored(TIRE, REST[0] + REST[1] - j)
    };
    moving + wheel(0) + wheel(1)
}
