//! Curves of fine solutions: what a car feels of bumps, kerbs and washboards.
//!
//! They are those of a model of its own, at 24,000 steps per second: a car that slides without
//! friction, and wheels that follow the profile as points.

use anyhow::{Context, Result};
use rapier3d::prelude::Real;

use super::{Profile, RideCar, Trial};

/// The files of curves.
const BUMPS: &str = include_str!("../../../vehicle-rapier/tests/data/ride/bumps.csv");
const KERBS: &str = include_str!("../../../vehicle-rapier/tests/data/ride/kerbs.csv");
const WASHBOARDS: &str = include_str!("../../../vehicle-rapier/tests/data/ride/washboard.csv");
/// Radius of the wheels that roll over kerbs (m).
const RADIUS: Real = 0.33;

/// A car over an obstacle, and what it feels in the fine solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Name of the car.
    pub car: String,
    /// What it goes over.
    pub profile: Profile,
    /// Speed of the car (m/s).
    pub speed: Real,
    /// Largest vertical acceleration, averaged over 1/60 s (g).
    pub peak: Real,
    /// Largest rise of the center of mass (m); 0 on a washboard.
    pub rise: Real,
    /// Energy lost in 8 s, as the mean of the last half second (J); 0 but on a washboard.
    pub energy_lost: f64,
}

impl Curve {
    /// Over bumps and kerbs.
    ///
    /// # Errors
    ///
    /// If a file lacks a column.
    pub fn of_obstacles() -> Result<Vec<Self>> {
        let bump = |row: &Row<'_>| {
            let (height, length) = (row.number("height_m")?, row.number("length_m")?);
            let rise = row.number("largest_rise_m")?;
            Ok(Self { rise, ..row.curve(Profile::Bump { height, length })? })
        };
        let kerb = |row: &Row<'_>| {
            let profile = Profile::RoundedKerb { height: row.number("height_m")?, radius: RADIUS };
            Ok(Self { rise: row.number("largest_rise_m")?, ..row.curve(profile)? })
        };
        let (bumps, kerbs) = (rows(BUMPS), rows(KERBS));
        bumps.iter().map(bump).chain(kerbs.iter().map(kerb)).collect()
    }

    /// On washboards.
    ///
    /// # Errors
    ///
    /// If the file lacks a column.
    pub fn of_washboards() -> Result<Vec<Self>> {
        let curve = |row: &Row<'_>| {
            let amplitude = row.number("amplitude_m")?;
            let wave_length = row.number("wave_length_m")?;
            let lost = row.number("energy_lost_mean_of_last_half_second_J")?.into();
            let curve = row.curve(Profile::Washboard { amplitude, wave_length })?;
            Ok(Self { energy_lost: lost, ..curve })
        };
        rows(WASHBOARDS).iter().map(curve).collect()
    }

    /// The drive of it.
    ///
    /// # Errors
    ///
    /// If there is no such car.
    pub fn trial(&self) -> Result<Trial> {
        Ok(Trial::new(RideCar::named(&self.car)?.mechanics()?, self.profile, self.speed))
    }
}

/// A row of a file of curves, by the names of its columns.
struct Row<'a> {
    names: Vec<&'a str>,
    cells: Vec<&'a str>,
}

impl Row<'_> {
    fn text(&self, name: &str) -> Result<&str> {
        let column = self.names.iter().position(|column| *column == name);
        let cell = column.and_then(|column| self.cells.get(column).copied());
        cell.with_context(|| format!("no column {name}"))
    }

    fn number(&self, name: &str) -> Result<Real> {
        self.text(name)?.parse().with_context(|| format!("{name} is no number"))
    }

    fn curve(&self, profile: Profile) -> Result<Curve> {
        Ok(Curve {
            car: self.text("car")?.to_owned(),
            profile,
            speed: self.number("speed_km_h")? / 3.6,
            peak: self.number("peak_acceleration_g")?,
            rise: 0.0,
            energy_lost: 0.0,
        })
    }
}

fn rows(text: &str) -> Vec<Row<'_>> {
    let mut lines = text.lines();
    let names: Vec<_> = lines.next().unwrap_or_default().split(',').collect();
    lines.map(|line| Row { names: names.clone(), cells: line.split(',').collect() }).collect()
}

impl Trial {
    /// Energy that a car loses on a washboard in 8 s, as the mean of the last half second (J).
    ///
    /// # Errors
    ///
    /// As of [`drive`](Self::drive).
    pub fn energy_lost(&self) -> Result<f64, Box<dyn std::error::Error>> {
        let (mut start, mut sum, mut count) = (None, 0.0, 0.0);
        self.drive(8.0, |moment| {
            let start = *start.get_or_insert(moment.energy);
            if 7.5 < moment.time {
                sum += start - moment.energy;
                count += 1.0;
            }
        })?;
        Ok(sum / count)
    }
}
