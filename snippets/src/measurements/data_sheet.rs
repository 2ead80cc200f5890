//! The data sheet of a preset: all that is measured on it.

use std::borrow::Cow;

use anyhow::Result;
use rapier3d::prelude::Real;
use vehicle_rapier::drivetrain::differential::DifferentialParams;
use vehicle_rapier::drivetrain::drivetrain::DrivetrainParams;
use vehicle_rapier::drivetrain::gearbox::overall_gear_ratio;
use vehicle_rapier::vehicle_file::{AnyVehicle, DriveSource};

use super::class_figures::{ClassFigures, Usual};
use super::{
    Frequencies, Launch, Setting, SkidPad, Stop, best_launch, best_stop, coast_down, launch,
    natural_frequencies, skid_pad, top_speed, turning_circle,
};
use crate::presets;

/// A measured figure beside what is usual for the class.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What it is.
    pub label: String,
    /// What was measured, in the unit.
    pub value: Real,
    /// Unit.
    pub unit: &'static str,
    /// Number of digits behind the point.
    pub digits: usize,
    /// What is usual, in the unit.
    pub usual: Option<Usual>,
}

impl Figure {
    /// Whether it is what is usual; true if nothing is known of that.
    pub fn is_usual(&self) -> bool {
        self.usual.is_none_or(|[low, high]| (low..=high).contains(&self.value))
    }
}

/// A gear of a gearbox.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GearFigures {
    /// Number, from 1.
    pub number: usize,
    /// Rotations of the engine per rotation of the wheels.
    pub ratio: Real,
    /// Speed at the largest engine speed (m/s).
    pub top_speed: Real,
    /// Speed at which it is left for the next with the pedal on the floor (m/s).
    pub shift_speed: Option<Real>,
}

/// All that is measured on a preset.
#[derive(Clone, Debug)]
pub struct DataSheet {
    /// The preset.
    pub name: String,
    /// The vehicle.
    pub vehicle: AnyVehicle,
    /// What is usual for its class.
    pub class: &'static ClassFigures,
    /// From standstill.
    pub launch: Launch,
    /// From standstill with the pedal on the floor, until it is almost as fast as it gets; `None`
    /// if that takes minutes.
    pub full_power: Option<Launch>,
    /// To standstill.
    pub stop: Stop,
    /// Top speed (m/s).
    pub top_speed: Real,
    /// Time from 30 to 10 km/h in neutral (s); `None` if it goes on rolling.
    pub coast_down: Option<Real>,
    /// In a circle.
    pub skid_pad: Option<SkidPad>,
    /// Turning circle (m).
    pub turning_circle: Option<Real>,
    /// Of the body on its springs.
    pub frequencies: Frequencies,
}

/// m/s per km/h.
const KMH: Real = 1.0 / 3.6;
/// Speeds between which it coasts (km/h).
const COASTING: [Real; 2] = [30.0, 10.0];
/// Part of the top speed up to which shifts are looked at (dimensionless).
const ALMOST: Real = 0.96;

impl DataSheet {
    /// Drives the preset, or the vehicle of a file, `name` as vehicles of this class are driven.
    ///
    /// # Errors
    ///
    /// If there is no such vehicle, or it cannot be driven as its class is.
    pub fn measure(name: &str, class: &'static ClassFigures, setting: &Setting) -> Result<Self> {
        let vehicle = presets::vehicle(name)?;
        let skid_pad =
            class.circle_radius.map(|radius| skid_pad(name, setting, radius)).transpose()?;
        let top_speed = top_speed(name, setting)?;
        Ok(Self {
            name: name.to_owned(),
            class,
            launch: best_launch(name, setting, KMH * class.launch_speed)?,
            stop: best_stop(name, setting, KMH * class.stop_speed)?,
            full_power: launch(name, setting, ALMOST * top_speed, 1.0)?,
            top_speed,
            coast_down: coast_down(name, setting, COASTING.map(|speed| KMH * speed))?,
            skid_pad,
            turning_circle: turning_circle(name, setting)?,
            frequencies: natural_frequencies(vehicle.mechanics()),
            vehicle,
        })
    }

    /// The figures beside those of the class.
    pub fn figures(&self) -> Vec<Figure> {
        let class = self.class;
        let figure = |label: String, value, unit, digits, usual| Figure {
            label,
            value,
            unit,
            digits,
            usual,
        };
        let mut figures = vec![
            figure(
                format!("0 to {} km/h, best constant pedal", class.launch_speed),
                self.launch.time,
                "s",
                2,
                Some(class.launch_time),
            ),
            figure(
                format!("{} to 0 km/h, best constant pedal", class.stop_speed),
                self.stop.distance,
                "m",
                1,
                Some(class.stop_distance),
            ),
            figure("top speed".into(), self.top_speed / KMH, "km/h", 0, class.top_speed),
        ];
        if let Some(time) = self.coast_down {
            let [from, to] = COASTING;
            let label = format!("{from} to {to} km/h in neutral");
            figures.push(figure(label, time, "s", 0, class.coast_down));
        }
        if let Some(pad) = &self.skid_pad {
            let label = format!("lateral acceleration, radius {} m", pad.radius);
            figures.push(figure(label, pad.lateral, "g", 2, Some(class.lateral)));
            let understeer = Some(class.understeer);
            figures.push(figure(
                "understeer gradient".into(),
                pad.understeer,
                "°/g",
                1,
                understeer,
            ));
            // A motorcycle leans into the bend, by much more than springs let it.
            let (label, roll) =
                if pad.roll < 0.0 { ("lean, inward", -pad.roll) } else { ("roll", pad.roll) };
            figures.push(figure(label.into(), roll, "°/g", 1, None));
        }
        if let Some(diameter) = self.turning_circle {
            let usual = Some(class.turning_circle);
            figures.push(figure(
                "turning circle between kerbs".into(),
                diameter,
                "m",
                if diameter < 3.0 { 2 } else { 1 },
                usual,
            ));
        }
        let Frequencies { bounce_and_pitch: [low, high], roll } = self.frequencies;
        for (label, value) in [
            ("bounce and pitch, lower frequency", low),
            ("bounce and pitch, higher frequency", high),
            ("roll frequency", roll),
        ]
        .into_iter()
        .filter(|(_, value)| 0.005 <= *value)
        {
            figures.push(figure(label.into(), value, "Hz", 2, None));
        }
        figures
    }

    /// The gears, if it has some.
    pub fn gears(&self) -> Vec<GearFigures> {
        let drive = engine_drive(&self.vehicle);
        let (engine, gearbox) = match (&drive, &self.vehicle.file().drive) {
            (Some(drive), _) => (&drive.engine, &drive.gearbox),
            (None, DriveSource::Tank(drive)) => (&drive.engine, &drive.gearbox),
            _ => return Vec::new(),
        };
        let radius = driven_radius(&self.vehicle);
        let shifts = self.full_power.as_ref().unwrap_or(&self.launch).shifts();
        let gear = |index: usize| {
            let number = index - gearbox.neutral;
            let ratio = overall_gear_ratio(gearbox, index);
            let shift = shifts.iter().rev().find(|(from, _)| *from == number);
            GearFigures {
                number,
                ratio,
                top_speed: engine.max_speed / ratio * radius,
                shift_speed: shift.map(|(_, speed)| *speed),
            }
        };
        (gearbox.neutral + 1..gearbox.ratios.len()).map(gear).collect()
    }
}

/// Engine, gearbox and differential, if it has them, as its file says them or as they follow from a
/// data sheet.
fn engine_drive(vehicle: &AnyVehicle) -> Option<Cow<'_, DrivetrainParams>> {
    match &vehicle.file().drive {
        DriveSource::Engine(drive) => Some(Cow::Borrowed(drive)),
        DriveSource::DataSheet(sheet) => sheet.drivetrain(vehicle.mechanics()).ok().map(Cow::Owned),
        _ => None,
    }
}

/// Radius of the wheels that are driven (m): those of an axle are alike, and so are the driven
/// axles of every preset.
fn driven_radius(vehicle: &AnyVehicle) -> Real {
    let drive = engine_drive(vehicle);
    let shares = match drive.as_deref().map(|drive| &drive.differential) {
        Some(DifferentialParams::MultiWheel(shares)) => Some(shares),
        Some(DifferentialParams::FourWheel(differential)) => Some(&differential.shares),
        _ => None,
    };
    let ratios = shares.map_or(&[][..], |shares| &shares.torque_ratios);
    let driven = ratios.iter().position(|ratio| *ratio != 0.0).unwrap_or(0);
    vehicle.mechanics().wheels.get(driven).map_or(0.0, |wheel| wheel.radius)
}
