//! Drives a vehicle through a manoeuvre and records it.

use anyhow::Result;
use rapier3d::prelude::*;
use vehicle_rapier::core::context::GRAVITY;

use super::channels::channels;
use super::fit::{check_names, misfit};
use super::ground::{on_ground, roughen};
use super::pilot::{Known, Pilot};
use super::scenario::{Lever, Manoeuvre, Pedals, Phase, Steer, Until};
use super::signal::Signal;
use super::trip::{Trip, select};
use crate::measurements::{ProvingGround, Setting, roll_at_least, slope};
use crate::presets;
use crate::recorder::Recorded;
use crate::telemetry::Telemetry;
use crate::vehicle_figure::VehicleFigure;

/// Longest time in which a driver must hold the speed of the start (s), how near is near enough
/// (dimensionless), and for how long (s).
const PATIENCE: Real = 20.0;
const NEAR: Real = 0.01;
const HELD: Real = 1.0;
/// Growth of the steer angle in the slow ramp, of that at full lock (1/s). Lateral accelerations
/// between which the angle is taken, and where the ramp ends (m/s²). All are after FMVSS 126.
const SLOW_RAMP: f64 = 0.01;
const RAMP_WITHIN: [Real; 2] = [0.1 * GRAVITY, 0.375 * GRAVITY];
const RAMP_END: f64 = 0.4 * GRAVITY as f64;
/// Lateral acceleration whose steer angle is taken (m/s²).
const RAMP_AT: Real = 0.3 * GRAVITY;

/// A phase of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivenPhase {
    /// Name of the phase.
    pub name: String,
    /// When it began (s).
    pub start: f64,
    /// When it ended (s).
    pub end: f64,
}

/// What was recorded of a manoeuvre.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What the file of the vehicle calls it.
    pub vehicle: String,
    /// All channels, after every step.
    pub telemetry: Telemetry,
    /// Phases of the run.
    pub phases: Vec<DrivenPhase>,
    /// The vehicle and its trailer, for moving views.
    pub figures: Vec<VehicleFigure>,
    /// What ended it before its end, if something did.
    pub cut_short: Option<String>,
    /// What a reader of its figures must know.
    pub remarks: Vec<String>,
}

/// What comes of a manoeuvre and a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The manoeuvre was driven.
    Driven(Run),
    /// The manoeuvre is not one for this vehicle: why.
    NotForIt(String),
}

impl Manoeuvre {
    /// Drives the preset, or the vehicle of a file, `name` through this manoeuvre.
    ///
    /// # Errors
    ///
    /// If there is no such vehicle, its file has faults, it lacks a channel, or a step fails.
    pub fn drive(&self, name: &str, setting: &Setting) -> Result<Outcome> {
        if let Some(why) = misfit(self, name)? {
            return Ok(Outcome::NotForIt(why));
        }
        let name = &self.pulled(name)?;
        let Some((mut ground, mut pilot)) = self.begin(name, setting)? else {
            let speed = self.start.speed;
            return Ok(Outcome::NotForIt(format!("it does not hold {speed:.1} m/s")));
        };
        if self.ground.posts.as_ref().is_some_and(|posts| posts.held) {
            ground.hold()?;
        }
        if let Some(roughness) = &self.ground.roughness {
            let driven = (&self.phases[..], self.start.speed);
            roughen(&mut ground, roughness, self.ground.friction, driven)?;
        }
        self.record(&mut ground, &mut pilot).map(Outcome::Driven)
    }

    /// Checks what of it depends on the vehicle of `name`, without a step.
    ///
    /// # Errors
    ///
    /// If there is no such vehicle, its file has faults, or it lacks a channel.
    pub fn check_for(&self, name: &str, setting: &Setting) -> Result<()> {
        if misfit(self, name)?.is_some() {
            return Ok(());
        }
        let ground = on_ground(&self.pulled(name)?, setting, &self.ground)?;
        let channels = channels(&ground);
        let names: Vec<_> = channels.iter().map(|channel| channel.name.as_str()).collect();
        check_names(self, &ground, &names)
    }

    /// `name`, or if that is a vehicle without a drive the train in which the one that the scenario
    /// says pulls it.
    pub(super) fn pulled(&self, name: &str) -> Result<String> {
        let beside = |towing: &String| {
            let path = self.folder.join(towing);
            if path.exists() { path.to_string_lossy().into_owned() } else { towing.clone() }
        };
        presets::pulled(name, self.towing.as_ref().map(beside).as_deref())
    }

    /// The vehicle of `name` and its driver as the first phase begins; `None` if it does not hold
    /// the speed of the start.
    fn begin(&self, name: &str, setting: &Setting) -> Result<Option<(ProvingGround, Pilot)>> {
        let started = start(self, name, setting)?;
        let Some((ground, mut pilot)) = started else { return Ok(None) };
        let takes_angle = |phase: &Phase| matches!(phase.steer, Steer::LateralAcceleration(_));
        if self.phases.iter().any(takes_angle) {
            let Some(angle) = self.angle_by_lateral(name, setting)? else { return Ok(None) };
            pilot.known.angle_by_lateral = Some(angle);
        }
        Ok(Some((ground, pilot)))
    }

    /// Steer angle by lateral acceleration at the speed of the start (rad s²/m), as a slow ramp
    /// finds it. That is the straight line with the least squares through angles over lateral
    /// accelerations, at 0.3 g.
    fn angle_by_lateral(&self, name: &str, setting: &Setting) -> Result<Option<Real>> {
        let Some((mut ground, mut pilot)) = start(self, name, setting)? else { return Ok(None) };
        let ramp = Phase {
            name: "slow ramp".into(),
            steer: Steer::Command(Signal::Ramp { from: 0.0, rate: SLOW_RAMP, at: 0.0, limit: 1.0 }),
            pedals: Pedals::Speed(Signal::Constant(self.start.speed)),
            hand_brake: None,
            gear: Some(Lever::Drive),
            until: Until { time: 100.0, lateral_acceleration: Some(RAMP_END), ..Until::default() },
        };
        let ramp = Self { phases: vec![ramp], ..self.clone() };
        let run = ramp.record(&mut ground, &mut pilot)?;
        let column = |name: &str| run.telemetry.column(name);
        let pairs = column("lateral acceleration")?.iter().zip(column("steer angle")?);
        let [low, high] = RAMP_WITHIN;
        let points: Vec<(Real, Real)> = pairs
            .map(|(lateral, angle)| (*lateral as Real, *angle as Real))
            .filter(|(lateral, _)| (low..=high).contains(lateral))
            .collect();
        let count = points.len().max(1) as Real;
        let mean = |of: fn(&(Real, Real)) -> Real| points.iter().map(of).sum::<Real>() / count;
        let slope = slope(points.iter().copied());
        let angle = mean(|point| point.1) + slope * (RAMP_AT - mean(|point| point.0));
        Ok((0.0 < angle).then_some(angle / RAMP_AT))
    }

    fn record(&self, ground: &mut ProvingGround, pilot: &mut Pilot) -> Result<Run> {
        let posts = self.ground.posts.as_ref().map(|posts| posts.height.clone());
        let mut trip = Trip::new(ground, posts)?;
        let mut phases = Vec::new();
        let mut cut_short = None;
        for (index, phase) in self.phases.iter().enumerate() {
            trip.progress.phase = index;
            let start = trip.time();
            cut_short = trip.drive(phase, ground, pilot)?;
            phases.push(DrivenPhase { name: phase.name.clone(), start, end: trip.time() });
            if cut_short.is_some() {
                break;
            }
        }
        let remarks = trip.remarks;
        let telemetry = trip.rows.telemetry()?;
        let figures = ground.train.iter().flat_map(|car| car.figures(&ground.world)).collect();
        Ok(Run { vehicle: ground.name.clone(), telemetry, phases, figures, cut_short, remarks })
    }
}

/// The vehicle of `name` and its driver at the speed of the start; `None` if it does not hold it.
fn start(
    manoeuvre: &Manoeuvre,
    name: &str,
    setting: &Setting,
) -> Result<Option<(ProvingGround, Pilot)>> {
    let vehicle = presets::vehicle(name)?;
    let (speed, gear) = (manoeuvre.start.speed as Real, manoeuvre.start.gear);
    let roll = |speed: Real| -> Result<ProvingGround> {
        let mut ground = on_ground(name, setting, &manoeuvre.ground)?;
        ground.settle()?;
        let ahead = ground.motion().forward;
        ground.push_to(ahead * speed)?;
        // Wheels at rest would be spun up by the road, on ice more slowly than beside it.
        ground.spin_wheels(speed);
        Ok(ground)
    };
    let mut ground = if speed == 0.0 {
        let mut ground = on_ground(name, setting, &manoeuvre.ground)?;
        ground.steps_for(1.5)?;
        select(&mut ground, gear);
        ground
    } else {
        let Some(ground) = roll_at_least(speed, roll)? else { return Ok(None) };
        ground
    };
    let known = Known::of(&ground, &vehicle);
    let mut pilot = Pilot::new(&ground, known)?;
    if speed == 0.0 {
        return Ok(Some((ground, pilot)));
    }
    if gear == Lever::Drive && !hold(&mut ground, &mut pilot, speed)? {
        return Ok(None);
    }
    let ahead = ground.motion().forward;
    ground.push_to(ahead * speed)?;
    Ok(Some((ground, pilot)))
}

/// Holds a speed (m/s) in gear, straight on, until it is steady; whether it ever is.
fn hold(ground: &mut ProvingGround, pilot: &mut Pilot, speed: Real) -> Result<bool> {
    select(ground, Lever::Drive);
    let (dt, begin) = (ground.dt(), ground.time);
    let mut held = 0.0;
    while held < HELD && ground.time < begin + PATIENCE {
        let [throttle, brake] = pilot.hold_speed(speed, ground, dt);
        pilot.remember(throttle, brake);
        ground.drive(throttle, brake, 0.0);
        ground.step()?;
        let is_near = (ground.motion().speed() - speed).abs() < NEAR * speed;
        held = if is_near { held + dt } else { 0.0 };
    }
    Ok(HELD <= held)
}
