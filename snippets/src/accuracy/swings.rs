//! Swings of bodies and wheels, and what they are by their states.

use std::f64::consts::{PI, TAU};

use anyhow::{Context, Result, anyhow};
use rapier3d::prelude::*;
use vehicle_rapier::core::blueprint::CarBlueprint;
use vehicle_rapier::core::commands::CommandResponseParams;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::diagnosis::modes::QuarterCar;
use vehicle_rapier::core::math::asin_clamped;
use vehicle_rapier::core::suspension::unsprung::SuspensionDynamics;
use vehicle_rapier::core::vehicle::{ChangeMechanics, MechanicalParams};
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicle};
use vehicle_rapier::{Chassis, RapierVehicle};

use super::check::Check;
use crate::measurements::natural_frequencies;
use crate::ride::RideCar;

/// Steps per second in which wheels hop (1/s).
const HOP_RATE: Real = 960.0;

/// How a state of two numbers dies away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Decay {
    /// Natural frequency (Hz).
    pub(super) frequency: f64,
    /// Damping ratio (dimensionless).
    pub(super) damping_ratio: f64,
}

impl Decay {
    /// Of states at an `interval` (s), by the matrix with the least squares that leads from each to
    /// the next; `None` if it does not swing.
    ///
    /// ```text
    /// x⁺ = A x,   s = ln(λ)/dt,   f = |s|/2π,   ζ = -Re(s)/|s|
    /// ```
    pub(super) fn of(states: &[[f64; 2]], interval: f64) -> Option<Self> {
        let (mut square, mut next) = ([[0.0; 2]; 2], [[0.0; 2]; 2]);
        for pair in states.windows(2) {
            for row in 0..2 {
                for column in 0..2 {
                    square[row][column] += pair[0][row] * pair[0][column];
                    next[row][column] += pair[1][row] * pair[0][column];
                }
            }
        }
        let [[a, b], [c, d]] = divided(&next, &square);
        let (half_trace, product) = (0.5 * (a + d), a * d - b * c);
        let left = product - half_trace * half_trace;
        if !(0.0 < left && 0.0 < product) {
            return None;
        }
        let (rate, pulse) = (0.5 * product.ln(), left.sqrt().atan2(half_trace));
        let size = rate.hypot(pulse);
        Some(Self { frequency: size / interval / TAU, damping_ratio: -rate / size })
    }
}

/// Frequencies (Hz, the lower one first) in which two numbers swing without damping, at an
/// `interval` (s), by the matrix with the least squares; `None` if they do not.
///
/// ```text
/// x⁺ + x⁻ = C x,   2 cos(ω dt) = λ
/// ```
fn frequencies(states: &[[f64; 2]], interval: f64) -> Option<[f64; 2]> {
    let (mut square, mut next) = ([[0.0; 2]; 2], [[0.0; 2]; 2]);
    for three in states.windows(3) {
        for row in 0..2 {
            for column in 0..2 {
                square[row][column] += three[1][row] * three[1][column];
                next[row][column] += (three[0][row] + three[2][row]) * three[1][column];
            }
        }
    }
    let [[a, b], [c, d]] = divided(&next, &square);
    let (half_trace, half_difference) = (0.5 * (a + d), 0.5 * (a - d));
    let root = (half_difference * half_difference + b * c).sqrt();
    let of = |value: f64| (0.5 * value).acos() / interval / TAU;
    let found = [half_trace + root, half_trace - root].map(of);
    found.iter().all(|frequency| frequency.is_finite()).then_some(found)
}

/// `A B⁻¹`.
fn divided(a: &[[f64; 2]; 2], b: &[[f64; 2]; 2]) -> [[f64; 2]; 2] {
    let determinant = b[0][0] * b[1][1] - b[0][1] * b[1][0];
    let inverse = [
        [b[1][1] / determinant, -b[0][1] / determinant],
        [-b[1][0] / determinant, b[0][0] / determinant],
    ];
    a.map(|row| [0, 1].map(|column| row[0] * inverse[0][column] + row[1] * inverse[1][column]))
}

/// Frequency (Hz) of a signal at an `interval` (s), by the first and the last zero at which it
/// rises.
fn frequency_of_zeros(signal: &[f64], interval: f64) -> Option<f64> {
    let zeros: Vec<f64> = signal
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0] < 0.0 && 0.0 <= pair[1])
        .map(|(index, pair)| index as f64 + pair[0] / (pair[0] - pair[1]))
        .collect();
    let (first, last) = (zeros.first()?, zeros.last()?);
    (1 < zeros.len()).then(|| (zeros.len() - 1) as f64 / ((last - first) * interval))
}

/// A car without dampers on a level road without friction, at rest.
struct Swinging {
    world: PhysicsWorld,
    car: RapierVehicle<DirectDriveVehicle>,
    rest: Real,
}

/// These parameters without damping.
fn undamped(params: &MechanicalParams) -> MechanicalParams {
    let mut params = params.clone();
    params.suspension_forces.iter_mut().for_each(|spring| spring.damping = 0.0);
    if let SuspensionDynamics::Unsprung(wheels) = &mut params.suspension_dynamics {
        for wheel in wheels {
            wheel.tire_damping = 0.0;
            wheel.strut.damper = None;
        }
    }
    params
}

impl Swinging {
    fn new(params: &MechanicalParams, rate: Real, substeps: u32) -> Result<Self> {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = 1.0 / rate;
        let plane = ColliderBuilder::new(SharedShape::halfspace(Vector::Y));
        world.insert_collider(plane.friction(0.0), None);
        world.detect_collisions(&(), &());
        let throttle = CommandResponseParams::linear(0.0, [0.0; 4]);
        let chassis = Chassis::new(&params.rigid_body).pose(Pose::from_translation(
            Vector::Y * CarBlueprint::default().center_of_mass_height,
        ));
        let vehicle =
            DirectDriveVehicle::new(DirectDriveParams { mechanics: params.clone(), throttle })?;
        let sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps);
        let car = RapierVehicle::insert(&mut world, chassis, vehicle, sequence);
        let mut swinging = Self { world, car, rest: 0.0 };
        let body = swinging.car.actor.body;
        swinging.world.bodies[body].activation_mut().normalized_linear_threshold = -1.0;
        for _ in 0..(6.0 * rate) as usize {
            swinging.step()?;
        }
        swinging.rest = swinging.world.bodies[body].center_of_mass().y;
        swinging.car.vehicle.set_mechanics(undamped(params))?;
        Ok(swinging)
    }

    fn step(&mut self) -> Result<()> {
        self.car.step(&mut self.world).map_err(|error| anyhow!("{error}"))?;
        Ok(())
    }

    /// Pushes the body: upward velocity (m/s), pitch and roll rates (rad/s).
    fn push(&mut self, up: Real, pitch: Real, roll: Real) {
        let body = &mut self.world.bodies[self.car.actor.body];
        let turn = Vector::new(pitch, 0.0, roll);
        body.set_vels(RigidBodyVelocity::new(Vector::Y * up, turn), true);
    }

    /// Height above rest (m), pitch and roll (rad).
    fn place(&self) -> [f64; 3] {
        let body = &self.world.bodies[self.car.actor.body];
        let rotation = *body.rotation();
        let (forward, left) = (rotation * Vector::Z, rotation * Vector::X);
        [body.center_of_mass().y - self.rest, -asin_clamped(forward.y), asin_clamped(left.y)]
            .map(f64::from)
    }

    /// What `of` says after each step of some time (s).
    fn record<T>(&mut self, time: Real, of: impl Fn(&Self) -> T) -> Result<Vec<T>> {
        let steps = (time / self.world.integration_parameters.dt) as usize;
        let step = |_| {
            self.step()?;
            Ok(of(self))
        };
        (0..steps).map(step).collect()
    }
}

/// The cars that swing: massless wheels and wheels with mass.
fn cars() -> Result<[(&'static str, MechanicalParams); 3]> {
    let massless = CarBlueprint { ride: None, drag_area: 0.0, ..CarBlueprint::default() };
    Ok([
        ("saloon on wheels without mass", massless.mechanics()?),
        ("standard car of the rides", RideCar::named("standard")?.mechanics()?),
        ("stiff car of the rides", RideCar::named("stiff")?.mechanics()?),
    ])
}

/// Natural frequencies of the body without dampers, at 60 steps of three substeps, and of hopping
/// wheels in fine steps.
///
/// # Errors
///
/// If a car cannot be driven.
pub fn natural() -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    for (name, params) in cars()? {
        checks.extend(of_body(name, &params)?);
        if let Some(quarter) = QuarterCar::of(&undamped(&params), 0, GRAVITY) {
            let expected = f64::from(quarter.modes().hop.frequency);
            checks.push(Check::relative(
                format!("{name}: hop of the front wheels"),
                "quarter car, [closed form](../vehicle-core/src/diagnosis/modes.rs)",
                [hop(&params)?, expected],
                "Hz",
                0.01,
            ));
        }
    }
    Ok(checks)
}

fn of_body(name: &str, params: &MechanicalParams) -> Result<Vec<Check>> {
    let expected = natural_frequencies(params);
    let mut swinging = Swinging::new(params, 60.0, 3)?;
    swinging.push(0.05, 0.02, 0.02);
    let places = swinging.record(6.0, Swinging::place)?;
    // Wheels that hop have calmed down after a second.
    let states = |pick: fn(&[f64; 3]) -> [f64; 2]| -> Vec<[f64; 2]> {
        places.iter().skip(60).map(pick).collect()
    };
    let upright = states(|[height, pitch, _]| [*height, *pitch]);
    let [low, high] = frequencies(&upright, 1.0 / 60.0).context("a swing")?;
    let rolls: Vec<f64> = places.iter().skip(60).map(|place| place[2]).collect();
    let roll = frequency_of_zeros(&rolls, 1.0 / 60.0).context("a swing")?;
    let [expected_low, expected_high] = expected.bounce_and_pitch.map(f64::from);
    let checks = [
        ("lower frequency of bounce and pitch", low, expected_low),
        ("higher frequency of bounce and pitch", high, expected_high),
        ("frequency of roll", roll, expected.roll.into()),
    ];
    let source =
        "springs, bars and tires, [closed form](../snippets/src/measurements/frequencies.rs)";
    let check = |(what, found, expected): (&str, f64, f64)| {
        Check::relative(format!("{name}: {what}"), source, [found, expected], "Hz", 0.02)
    };
    Ok(checks.map(check).to_vec())
}

/// Frequency at which the front wheels hop, in fine steps (Hz).
fn hop(params: &MechanicalParams) -> Result<f64> {
    let mut swinging = Swinging::new(params, HOP_RATE, 1)?;
    for wheel in 0..2 {
        let suspensions = &mut swinging.car.vehicle.state.mechanics.suspensions;
        suspensions.edit(wheel, |state| state.compression.jounce_speed = 0.1);
    }
    let jounces = swinging.record(0.5, |swinging| {
        let state = &swinging.car.vehicle.state.mechanics;
        f64::from(state.suspensions.of(0).compression.jounce.unwrap_or(0.0))
    })?;
    // The second difference, in which the slow body counts for little.
    let fast: Vec<f64> =
        jounces.windows(3).map(|three| three[0] - 2.0 * three[1] + three[2]).collect();
    frequency_of_zeros(&fast, 1.0 / f64::from(HOP_RATE)).context("a hop")
}

/// How long a car without dampers swings (s), and a body that nothing turns spins.
const LONG: Real = 600.0;

/// Energy that a car on wheels without mass and without dampers has after ten minutes of swinging,
/// and precession, momentum and energy of a body that spins in the air.
///
/// # Errors
///
/// If a car cannot be driven.
pub fn conserved() -> Result<Vec<Check>> {
    let (name, params) = &cars()?[0];
    let mut swinging = Swinging::new(params, 60.0, 1)?;
    swinging.push(0.05, 0.0, 0.02);
    let heights = swinging.record(LONG, |swinging| {
        let [height, _, roll] = swinging.place();
        height.abs().max(roll.abs())
    })?;
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, value| most.max(*value));
    let (first, last) = (largest(&heights[..600]), largest(&heights[heights.len() - 600..]));
    let mut checks = vec![Check::relative(
        format!("{name}, no dampers: energy after 10 min at 60 Hz, by that of the first 10 s"),
        "conserved; by the square of the largest swing",
        [(last / first).powi(2), 1.0],
        "",
        0.02,
    )];
    checks.extend(free_body(params)?);
    Ok(checks)
}

/// A symmetric body that spins about an axis near its own, and nothing turns.
fn free_body(params: &MechanicalParams) -> Result<Vec<Check>> {
    let (across, along) = (2_000.0, 1_000.0);
    let mut params = params.clone();
    params.rigid_body.inertia = Vector::new(across, across, along);
    let mut swinging = Swinging::new(&params, 60.0, 1)?;
    swinging.world.gravity = Vector::ZERO;
    let body = swinging.car.actor.body;
    let far = Pose::from_translation(Vector::Y * 1_000.0);
    swinging.world.bodies[body].set_position(far, true);
    let (spin, tilt) = (1.0, 0.3);
    let turn = RigidBodyVelocity::new(Vector::ZERO, Vector::new(tilt, 0.0, spin));
    swinging.world.bodies[body].set_vels(turn, true);
    let inertia = Vector::new(across, across, along);
    let rates = swinging.record(LONG, |swinging| {
        let body = &swinging.world.bodies[body];
        body.rotation().inverse() * body.angvel()
    })?;
    let of = |rates: &Vector| {
        let momentum = inertia * *rates;
        [f64::from(momentum.length()), 0.5 * f64::from(momentum.dot(*rates))]
    };
    let angle = |rates: &Vector| f64::from(rates.y).atan2(f64::from(rates.x));
    let turned: f64 = rates[..600]
        .windows(2)
        .map(|pair| (angle(&pair[1]) - angle(&pair[0]) + PI).rem_euclid(TAU) - PI)
        .sum();
    let precession = turned / (599.0 / 60.0);
    // ω₁' = (I_1 - I_3)/I_1 ω₃ ω₂: the rates turn about the axis in the body.
    let expected = f64::from((along - across) / across * spin);
    let start = Vector::new(tilt, 0.0, spin);
    let (before, after) = (of(&start), of(rates.last().context("a step")?));
    let source = "Euler's equations of a symmetric body";
    Ok(vec![
        Check::relative(
            "precession of a free body in 10 s at 60 Hz",
            source,
            [precession, expected],
            "rad/s",
            0.01,
        ),
        Check::relative(
            "its angular momentum after 10 min",
            source,
            [after[0], before[0]],
            "kg·m²/s",
            0.02,
        ),
        Check::relative("its energy after 10 min", source, [after[1], before[1]], "J", 0.02),
    ])
}
