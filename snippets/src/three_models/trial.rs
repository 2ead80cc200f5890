//! What the three models are compared in: the car at rest, on a hill, over a kerb, in a slide, and
//! hit at a wheel. The car drives once more as it changes from model to model by its distance.

use std::time::Instant;

use anyhow::Result;
use rapier3d::glamx::DVec3;
use rapier3d::prelude::*;

use super::car::{Orders, WHEELS, WheelOrder};
use super::levels::{Level, LevelOfDetail, ModelCar, firm_world};
use crate::angles::nearest;

/// Time step (s).
pub const DT: Real = 1.0 / 60.0;
/// Time in which the car settles before a trial begins (s).
const SETTLING: Real = 1.0;
/// Height of the center of mass at rest (m).
const HEIGHT: Real = 0.55;
/// Slope of the hill (degrees).
pub const SLOPE: Real = 15.0;
/// Height of the kerb, and how far ahead it is (m).
pub const KERB: Real = 0.1;
const KERB_PLACE: Real = 8.0;
/// Mass of the box that hits a wheel (kg), its half extents (m), and its speed (m/s).
const BOX_MASS: Real = 150.0;
const BOX: Vector = Vector::new(0.2, 0.15, 0.2);
const BOX_SPEED: Real = 6.0;
/// Distances at which the car that changes does so (m).
const DISTANCES: [Real; 2] = [20.0, 40.0];
/// Brake torque that locks a wheel (N·m).
const LOCKED: f64 = 4_000.0;

/// A trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// Stands on level ground.
    Rest,
    /// Is parked on 15 degrees.
    Hill,
    /// Rolls over a kerb of 10 cm at 5 m/s.
    Kerb,
    /// Turns in at 15 m/s, and pulls the hand brake.
    Slide,
    /// Stands, and a box of 150 kg hits a front wheel from the side at 6 m/s.
    Hit,
}

impl Trial {
    /// All, in the order in which they are driven.
    pub const ALL: [Self; 5] = [Self::Rest, Self::Hill, Self::Kerb, Self::Slide, Self::Hit];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rest => "at rest",
            Self::Hill => "on a hill",
            Self::Kerb => "over a kerb",
            Self::Slide => "in a slide",
            Self::Hit => "hit at a wheel",
        }
    }

    /// For how long it is recorded (s).
    fn duration(self) -> Real {
        match self {
            Self::Hill => 10.0,
            Self::Slide => 6.0,
            _ => 4.0,
        }
    }

    /// Number of its steps.
    pub fn steps(self) -> usize {
        (self.duration() / DT).round() as usize
    }

    fn slope(self) -> Real {
        if self == Self::Hill { SLOPE } else { 0.0 }
    }

    /// Speed at its start (m/s).
    fn speed(self) -> Real {
        match self {
            Self::Kerb => 5.0,
            Self::Slide => 15.0,
            _ => 0.0,
        }
    }

    /// A world for it.
    fn world(self) -> PhysicsWorld {
        let mut world = firm_world(DT);
        let tilt = Rotation::from_rotation_x(-self.slope().to_radians());
        let ground = ColliderBuilder::cuboid(500.0, 1.0, 500.0)
            .position(Pose::from_parts(tilt * Vector::NEG_Y, tilt))
            .friction(0.9);
        world.insert_collider(ground, None);
        if self == Self::Kerb {
            let half = Vector::new(10.0, 0.5 * KERB, 20.0);
            let kerb = ColliderBuilder::cuboid(half.x, half.y, half.z)
                .translation(Vector::new(0.0, half.y, KERB_PLACE + half.z))
                .friction(0.9);
            world.insert_collider(kerb, None);
        }
        world.detect_collisions(&(), &());
        // What moves comes after it: a body that it is the first to see does not move.
        if self == Self::Hit {
            let start = Vector::new(0.8 + BOX_SPEED * SETTLING + 3.0, BOX.y + 0.02, 1.2);
            let body = RigidBodyBuilder::dynamic()
                .translation(start)
                .linvel(Vector::NEG_X * BOX_SPEED)
                .can_sleep(false);
            let collider = ColliderBuilder::cuboid(BOX.x, BOX.y, BOX.z).mass(BOX_MASS);
            let smooth = collider.friction(0.0).friction_combine_rule(CoefficientCombineRule::Min);
            world.insert(body, smooth);
        }
        world
    }

    /// What the wheels are told at a `time` of it (s).
    fn orders(self, time: Real) -> Orders {
        let mut orders = Orders::default();
        let held = WheelOrder { brake: LOCKED, ..WheelOrder::default() };
        match self {
            Self::Rest | Self::Hill | Self::Hit => orders = [held; WHEELS],
            Self::Kerb => {}
            Self::Slide => {
                let turning = if time < 2.5 { 0.25 } else { 0.0 };
                orders[..2].iter_mut().for_each(|order| order.steer = turning);
                if (0.5..1.5).contains(&time) {
                    orders[2..].iter_mut().for_each(|order| *order = held);
                }
            }
        }
        orders
    }
}

/// Who drives: a model alone, or the car that changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// A car of one model.
    Alone(Level),
    /// A car that changes by its distance from who looks.
    Changing,
}

impl Runner {
    /// All, in the order of their lines.
    pub const ALL: [Self; 4] = [
        Self::Alone(Level::Constraints),
        Self::Alone(Level::Forces),
        Self::Alone(Level::RigidWheels),
        Self::Changing,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Alone(level) => level.name(),
            Self::Changing => "changing",
        }
    }
}

/// Quantities of a step, with units.
pub const QUANTITIES: [(&str, &str); 8] = [
    ("way", "m"),
    ("way to the left", "m"),
    ("height", "m"),
    ("speed", "m/s"),
    ("heading", "rad"),
    ("vertical acceleration", "m/s²"),
    ("load of a front wheel", "N"),
    ("model", ""),
];

/// What is recorded of a step.
pub type Sample = [f64; QUANTITIES.len()];

/// What came of a trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// A sample for every step.
    pub samples: Vec<Sample>,
    /// Time of each step, the world's included (s).
    pub times: Vec<f64>,
}

/// Distance of who looks at the car that changes at a `time` of a trial (s): nearer and off again,
/// three times (m).
fn distance(time: Real, duration: Real) -> Real {
    let phase = (6.0 * time / duration) % 2.0;
    10.0 + 45.0 * (1.0 - phase).abs()
}

/// Runs a trial; calls `after_step` after every step.
///
/// # Errors
///
/// If a step fails.
pub fn run(trial: Trial, runner: Runner, mut after_step: impl FnMut()) -> Result<Run> {
    let mut world = trial.world();
    let tilt = Rotation::from_rotation_x(-trial.slope().to_radians());
    let start = Pose::from_parts(tilt * Vector::Y * HEIGHT, tilt);
    let mut car = ModelCar::insert(&mut world, start)?;
    let settle = [WheelOrder { brake: LOCKED, ..WheelOrder::default() }; WHEELS];
    for _ in 0..(SETTLING / DT) as usize {
        car.step(&mut world, &settle)?;
    }
    if let Runner::Alone(level) = runner {
        car.change(&mut world, level)?;
    }
    car.start(&mut world, trial.speed())?;
    let mut choice = LevelOfDetail::new(DISTANCES)?;
    let mut run = Run { samples: Vec::new(), times: Vec::new() };
    let first = car.motion(&world)?;
    let (mut before, mut heading) = (first.velocity, 0.0);
    for step in 0..trial.steps() {
        let time = step as Real * DT;
        if runner == Runner::Changing {
            let level = choice.level(car.level(), distance(time, trial.duration()), DT);
            if car.may_change(&world, level)? {
                car.change(&mut world, level)?;
            }
        }
        let begin = Instant::now();
        car.step(&mut world, &trial.orders(time))?;
        run.times.push(begin.elapsed().as_secs_f64());
        let motion = car.motion(&world)?;
        let gone = first.turn.inverse() * (motion.place - first.place);
        let ahead = motion.turn * DVec3::Z;
        heading = nearest(ahead.x.atan2(ahead.z), heading);
        run.samples.push([
            gone.z,
            gone.x,
            motion.place.y,
            motion.velocity.length(),
            heading,
            (motion.velocity - before).y / f64::from(DT),
            car.wheels(&world)?[0].load,
            f64::from(car.level() as u8),
        ]);
        before = motion.velocity;
        after_step();
    }
    Ok(run)
}

/// Number of steps of all trials.
pub fn step_count() -> usize {
    Runner::ALL.len() * Trial::ALL.into_iter().map(Trial::steps).sum::<usize>()
}
