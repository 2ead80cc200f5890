//! Driving in circles: lateral acceleration, understeer gradient, turning circle.

use anyhow::Result;
use rapier3d::prelude::*;
use vehicle_rapier::core::context::GRAVITY;

use super::circle_driver::{CircleCommands, CircleDriver};
use super::proving_ground::{ProvingGround, Setting};

/// Lateral acceleration at which a circle begins, that of a vehicle that leans, and how fast it
/// grows (g, g, g/s).
const START: Real = 0.04;
const RIDDEN_START: Real = 0.15;
const GROWTH: Real = 0.01;
/// Time over which samples are averaged (s).
const WINDOW: Real = 1.0;
/// Part of the curvature by which a sample may miss the circle, and by which it is left
/// (dimensionless).
const STEADY: Real = 0.04;
const MISSED: Real = 0.1;
/// Side slip and roll at which a vehicle has left its circle (rad).
const SPUN: Real = 0.5;
const TIPPED: Real = 0.35;
/// Of the largest lateral acceleration, the part in which the understeer gradient is taken, ISO
/// 4138.
const LINEAR: [Real; 2] = [0.1, 0.5];

/// A sample of a steady circle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Lateral acceleration (g).
    pub lateral: Real,
    /// Steer angle of the front wheels (rad).
    pub steer: Real,
    /// Roll, outward (rad).
    pub roll: Real,
    /// Side slip at the center of mass (rad).
    pub side_slip: Real,
}

/// What ends a circle that is driven ever faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The front slides: more steering does not turn it.
    Front,
    /// The rear slides: it turns in, or has turned.
    Rear,
    /// The inner wheels are in the air.
    Tipping,
    /// The rider leans the motorcycle no further.
    Lean,
    /// The vehicle gets no faster.
    Power,
}

impl Limit {
    /// It in words, such as `the rear wheels slide first`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Front => "the front wheels slide first",
            Self::Rear => "the rear wheels slide first: it turns around",
            Self::Tipping => "the inner wheels lift",
            Self::Lean => "the rider leans no further",
            Self::Power => "it gets no faster",
        }
    }
}

/// What a circle of a constant radius tells, driven ever faster.
#[derive(Clone, Debug, PartialEq)]
pub struct SkidPad {
    /// Radius (m).
    pub radius: Real,
    /// Largest lateral acceleration that lasts two seconds (g).
    pub lateral: Real,
    /// How much more steer angle a g asks for (degrees/g).
    pub understeer: Real,
    /// Roll per lateral acceleration (degrees/g).
    pub roll: Real,
    /// What ended it.
    pub limit: Limit,
    /// Averages of a second each.
    pub samples: Vec<Sample>,
}

/// The preset `name` in a circle of this `radius` (m), ever faster until it leaves it.
///
/// ```text
/// δ = l/R + K a_y
/// ```
///
/// # Errors
///
/// If there is no such vehicle, or a step fails.
pub fn skid_pad(name: &str, setting: &Setting, radius: Real) -> Result<SkidPad> {
    let mut ground = ProvingGround::ready(name, setting)?;
    let mut driver = CircleDriver::new(&ground, radius);
    let (dt, leans) = (ground.dt(), driver.leans);
    let (mut samples, mut sum, mut count, mut lag) = (Vec::new(), Sample::default(), 0.0, 0.0);
    // A circle begins when it has been held for a second; a rider takes as long to lean, and more
    // at a walking pace.
    let (first, patience) = if leans { (RIDDEN_START, 2.0) } else { (START, 1.0) };
    let mut settled = 0.0;
    let has_tipped = |roll: Real| !leans && TIPPED < roll.abs();
    let mut start = None;
    let mut limit = Limit::Power;
    while ground.time < 240.0 {
        let motion = ground.motion();
        let speed = motion.speed();
        let is_on_circle = start.is_some();
        let wanted_lateral = first + GROWTH * (ground.time - start.unwrap_or(ground.time)).max(0.0);
        let wanted_speed = (wanted_lateral * GRAVITY * radius).sqrt();
        let CircleCommands { throttle, brake, steer, missed } =
            driver.commands(&motion, wanted_lateral, dt);
        ground.drive(throttle, brake, steer);
        ground.step()?;
        if !is_on_circle {
            let is_there = 0.95 * wanted_speed < speed && missed.abs() < 0.02;
            settled = if is_there { settled + dt } else { 0.0 };
            start = (patience < settled || 20.0 < ground.time).then_some(ground.time);
            continue;
        }
        let motion = ground.motion();
        sum.lateral += motion.speed() * motion.yaw_rate / GRAVITY;
        sum.steer += ground.steer_angle();
        sum.roll += motion.roll();
        sum.side_slip += motion.side_slip();
        lag += missed;
        count += 1.0;
        let has_left = SPUN < motion.side_slip().abs() || has_tipped(motion.roll());
        if WINDOW <= count * dt || has_left {
            let sample = Sample {
                lateral: sum.lateral / count,
                steer: sum.steer / count,
                roll: sum.roll / count,
                side_slip: sum.side_slip / count,
            };
            let missed = lag / count;
            let is_late = 0.15 * wanted_speed < wanted_speed - speed;
            let ended = if has_tipped(motion.roll()) {
                Some(Limit::Tipping)
            } else if SPUN < motion.side_slip().abs() || missed < -MISSED {
                Some(Limit::Rear)
            } else if MISSED < missed {
                Some(if leans { Limit::Lean } else { Limit::Front })
            } else {
                is_late.then_some(Limit::Power)
            };
            if let Some(ended) = ended {
                limit = ended;
                break;
            }
            if missed.abs() < STEADY {
                samples.push(sample);
            }
            (sum, count, lag) = (Sample::default(), 0.0, 0.0);
        }
    }
    let lasting = samples.windows(2).map(|pair| pair[0].lateral.min(pair[1].lateral));
    let lateral = lasting.fold(0.0, Real::max);
    let linear: Vec<_> = samples
        .iter()
        .filter(|sample| (LINEAR[0] * lateral..LINEAR[1] * lateral).contains(&sample.lateral))
        .collect();
    let slope = |of: fn(&Sample) -> Real| slope(linear.iter().map(|each| (each.lateral, of(each))));
    let understeer = slope(|sample| sample.steer).to_degrees();
    let roll = slope(|sample| sample.roll).to_degrees();
    Ok(SkidPad { radius, lateral, understeer, roll, limit, samples })
}

/// Slope of the straight line through the points with the least squares.
pub(crate) fn slope(points: impl Iterator<Item = (Real, Real)> + Clone) -> Real {
    let count = points.clone().count().max(1) as Real;
    let mean = |of: fn((Real, Real)) -> Real| points.clone().map(of).sum::<Real>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let (xy, xx) = points.fold((0.0, 0.0), |(xy, xx), (px, py)| {
        (xy + (px - x) * (py - y), xx + (px - x) * (px - x))
    });
    if xx == 0.0 { 0.0 } else { xy / xx }
}

/// Diameter of the circle that the outermost tire of the preset `name` needs at full lock, at a
/// walking pace (m); `None` for a vehicle that turns on the spot.
///
/// # Errors
///
/// If there is no such vehicle, or a step fails.
pub fn turning_circle(name: &str, setting: &Setting) -> Result<Option<Real>> {
    let mut ground = ProvingGround::ready(name, setting)?;
    if ground.full_lock() == 0.0 {
        return Ok(None);
    }
    let wanted = (0.1 * GRAVITY * ground.wheel_base()).sqrt();
    let mut sum = 0.0;
    let (mut diameters, mut count) = (0.0, 0.0);
    while ground.time < 25.0 {
        let error = 1.0 - ground.motion().speed() / wanted;
        sum = (sum + 0.1 * error * ground.dt()).clamp(-0.2, 0.6);
        let pedal = 0.15 * error + sum;
        ground.drive(pedal.clamp(0.0, 1.0), 0.3 * (-pedal).clamp(0.0, 1.0), 1.0);
        ground.step()?;
        if 15.0 < ground.time {
            diameters += outer_diameter(&ground)?;
            count += 1.0;
        }
    }
    Ok(Some(diameters / count))
}

/// Diameter of the circle of the outermost tire about the present center of rotation (m).
fn outer_diameter(ground: &ProvingGround) -> Result<Real> {
    let motion = ground.motion();
    // In a turn to the left, the center is to the left of the velocity.
    let to_center = Vector::Y.cross(motion.velocity) / motion.yaw_rate;
    let center = motion.position + to_center;
    let car = ground.front();
    let mut farthest: Real = 0.0;
    for wheel in 0..car.wheel_count() {
        let hub = car.wheel_pose(wheel, &ground.world.bodies)?.translation;
        let half_width = car.mechanics().params.wheels[wheel].half_width;
        farthest = farthest.max((hub.x - center.x).hypot(hub.z - center.z) + half_width);
    }
    Ok(2.0 * farthest)
}
