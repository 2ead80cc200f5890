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
use super::page::{percent, signed_percent};
use crate::measurements::natural_frequencies_at;
use crate::ride::RideCar;

/// Steps per second in which wheels hop (1/s).
const HOP_RATE: Real = 960.0;
/// Steps per second in which bodies swing (1/s).
const BODY_RATE: Real = 240.0;

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

/// Frequency (Hz) at which the spectrum of a signal at an `interval` (s) is largest, from 0.5 to
/// 5 Hz; `None` if that is at an end.
fn peak_frequency(signal: &[f64], interval: f64) -> Option<f64> {
    let count = signal.len() as f64;
    let size = |frequency: f64| {
        let (mut real, mut imaginary) = (0.0, 0.0);
        for (index, value) in signal.iter().enumerate() {
            let time = index as f64;
            let weighed = value * (0.5 - 0.5 * (TAU * time / count).cos());
            let (sine, cosine) = (TAU * frequency * interval * time).sin_cos();
            real += weighed * cosine;
            imaginary += weighed * sine;
        }
        real.hypot(imaginary)
    };
    let frequency = |index: usize| 0.5 + SPACING * index as f64;
    let sizes: Vec<f64> = (0..=450).map(|index| size(frequency(index))).collect();
    let largest = (0..sizes.len()).max_by(|one, other| sizes[*one].total_cmp(&sizes[*other]))?;
    let [before, here, after] = *sizes.get(largest.checked_sub(1)?..largest + 2)? else {
        return None;
    };
    // The top of the parabola through the largest and its neighbors.
    let aside = 0.5 * (before - after) / (before - 2.0 * here + after);
    Some(frequency(largest) + SPACING * aside)
}

/// Distance of the frequencies of a spectrum (Hz).
const SPACING: f64 = 0.01;

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

/// Natural frequencies of the body and of hopping wheels, without dampers.
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
    let mut found = [0.0; 3];
    let mut height = 0.0;
    for (index, found) in found.iter_mut().enumerate() {
        let mut swinging = Swinging::new(params, BODY_RATE, 1)?;
        height = f64::from(swinging.rest);
        let mut push = [0.0; 3];
        push[index] = [0.05, 0.02, 0.02][index];
        let [up, pitch, roll] = push;
        swinging.push(up, pitch, roll);
        let signal = swinging.record(40.0, |swinging| swinging.place()[index])?;
        let every: Vec<f64> = signal.iter().copied().step_by(4).collect();
        *found = peak_frequency(&every, 4.0 / f64::from(BODY_RATE)).context("a swing")?;
    }
    let [bounce, pitch, roll] = found;
    let expected = natural_frequencies_at(params, height);
    let [low, high] = expected.bounce_and_pitch.map(f64::from);
    let checks = [
        ("lower frequency of bounce and pitch", bounce.min(pitch), low),
        ("higher frequency of bounce and pitch", bounce.max(pitch), high),
        ("frequency of roll", roll, expected.roll.into()),
    ];
    let source = "springs, bars, tires and weight, [closed form](../snippets/src/measurements/frequencies.rs)";
    let check = |(what, found, expected): (&str, f64, f64)| {
        Check::relative(format!("{name}: {what}"), source, [found, expected], "Hz", 0.01)
    };
    Ok(checks.map(check).to_vec())
}

/// Amplitude of bounce after ten seconds by that of the start, without dampers (dimensionless).
fn left_after(params: &MechanicalParams, rate: Real, substeps: u32) -> Result<f64> {
    let mut swinging = Swinging::new(params, rate, substeps)?;
    swinging.push(0.05, 0.0, 0.0);
    let heights = swinging.record(12.0, |swinging| swinging.place()[0].abs())?;
    let second = (2.0 * rate) as usize;
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, value| most.max(*value));
    Ok(largest(&heights[heights.len() - second..]) / largest(&heights[..second]))
}

/// How much of a swing the steps themselves take: what is left of bounce after ten seconds without
/// dampers, as a table.
pub(super) fn losses() -> Result<Vec<Vec<String>>> {
    let settings = [(60.0, 1), (60.0, 3), (120.0, 1), (240.0, 1)];
    let names = settings.map(|(rate, substeps)| format!("{rate} Hz × {substeps}"));
    let mut table = vec![std::iter::once("car".to_owned()).chain(names).collect::<Vec<_>>()];
    for (name, params) in cars()? {
        let mut row = vec![name.to_owned()];
        for (rate, substeps) in settings {
            row.push(percent(left_after(&params, rate, substeps)?));
        }
        table.push(row);
    }
    Ok(table)
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
    swinging.push(0.05, 0.0, 0.0);
    let heights = swinging.record(LONG, |swinging| swinging.place()[0].abs())?;
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, value| most.max(*value));
    let (first, last) = (largest(&heights[..600]), largest(&heights[heights.len() - 600..]));
    let mut checks = vec![Check::relative(
        format!(
            "{name}, no dampers: energy of bounce after 10 min at 60 Hz, by that of the first 10 s"
        ),
        "conserved; by the square of the largest swing",
        [(last / first).powi(2), 1.0],
        "",
        0.02,
    )];
    checks.extend(free_body(params)?);
    Ok(checks)
}

/// Principal moments of the body that spins (kg·m²), and its rates (rad/s).
const MOMENTS: Vector = Vector::new(2_000.0, 2_000.0, 1_000.0);
const SPIN: Vector = Vector::new(0.3, 0.0, 1.0);

/// A car in the air without gravity, whose body spins, and a bare body of the physics engine that
/// does as well.
fn spinning(params: &MechanicalParams) -> Result<(Swinging, RigidBodyHandle)> {
    let mut params = params.clone();
    params.rigid_body.inertia = MOMENTS;
    let mut swinging = Swinging::new(&params, 60.0, 1)?;
    let world = &mut swinging.world;
    world.gravity = Vector::ZERO;
    let mass = world.bodies[swinging.car.actor.body].mass_properties().local_mprops;
    let bare = RigidBodyBuilder::dynamic().additional_mass_properties(mass).can_sleep(false);
    let bare = world.insert_body(bare);
    for (body, aside) in [(swinging.car.actor.body, 0.0), (bare, 100.0)] {
        let body = &mut world.bodies[body];
        body.set_position(Pose::from_translation(Vector::new(aside, 1_000.0, 0.0)), true);
        body.set_vels(RigidBodyVelocity::new(Vector::ZERO, SPIN), true);
    }
    Ok((swinging, bare))
}

/// Euler's equations of a symmetric body, and a bare body of the physics engine.
fn free_body(params: &MechanicalParams) -> Result<Vec<Check>> {
    let (mut swinging, bare) = spinning(params)?;
    let body = swinging.car.actor.body;
    let rates = swinging.record(LONG, |swinging| {
        [body, bare].map(|body| {
            let body = &swinging.world.bodies[body];
            body.rotation().inverse() * body.angvel()
        })
    })?;
    let of = |rates: Vector| {
        let momentum = MOMENTS * rates;
        [f64::from(momentum.length()), 0.5 * f64::from(momentum.dot(rates))]
    };
    let angle = |rates: &Vector| f64::from(rates.y).atan2(f64::from(rates.x));
    let turned: f64 = rates[..600]
        .windows(2)
        .map(|pair| (angle(&pair[1][0]) - angle(&pair[0][0]) + PI).rem_euclid(TAU) - PI)
        .sum();
    // ω₁' = (I₁ - I₃)/I₁ ω₂ ω₃, ω₂' = -(I₁ - I₃)/I₁ ω₁ ω₃: the rates turn in the body.
    let expected = f64::from((MOMENTS.z - MOMENTS.x) / MOMENTS.x * SPIN.z);
    let apart = rates.iter().map(|[one, other]| f64::from((*one - *other).length()));
    let (before, after) = (of(SPIN), of(rates[599][0]));
    let [ended, energy] = of(rates.last().context("a step")?[0]);
    let lost = format!(
        "its rates in 10 min (energy {}, momentum {})",
        signed_percent(energy / before[1] - 1.0),
        signed_percent(ended / before[0] - 1.0)
    );
    let source = "Euler's equations of a symmetric body";
    Ok(vec![
        Check::relative(
            "precession of a free body in 10 s",
            source,
            [turned / (599.0 / 60.0), expected],
            "rad/s",
            0.01,
        ),
        Check::relative(
            "its angular momentum after 10 s",
            source,
            [after[0], before[0]],
            "kg·m²/s",
            0.005,
        ),
        Check::relative("its energy after 10 s", source, [after[1], before[1]], "J", 0.005),
        Check::absolute(
            lost,
            "bare body of the physics engine: largest difference",
            [apart.fold(0.0, f64::max), 0.0],
            "rad/s",
            1e-6,
        ),
    ])
}
