//! Cars of which fine solutions are known: a usual one and a stiff one, on wheels with mass.

use std::f32::consts::TAU;

use anyhow::{Context, Result};
use rapier3d::prelude::*;
use serde::Deserialize;
use vehicle_rapier::core::blueprint::CarBlueprint;
use vehicle_rapier::core::error::ParamErrors;
use vehicle_rapier::core::rigid_body::RigidBodyParams;
use vehicle_rapier::core::suspension::StrutParams;
use vehicle_rapier::core::suspension::unsprung::laws::Stop;
use vehicle_rapier::core::suspension::unsprung::{SuspensionDynamics, UnsprungParams};
use vehicle_rapier::core::vehicle::MechanicalParams;

use crate::samples::SampleFile;

/// What tells the cars apart.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RideCar {
    /// Its name.
    pub name: String,
    /// Mass and inertia of the whole car.
    pub rigid_body: RigidBodyParams,
    /// Frequency of the sprung masses on their springs (Hz).
    pub frequency: Real,
    /// Damping ratio (dimensionless).
    pub damping_ratio: Real,
    /// Mass of each wheel with what moves along (kg).
    pub wheel_mass: Real,
    /// Stiffness of each tire (N/m).
    pub tire_stiffness: Real,
    /// Travel (m).
    pub travel: Real,
    /// Jounce at which the bump stop begins (m).
    pub bump_edge: Real,
}

impl RideCar {
    /// The cars of the file: a usual one, and one of hard springs and tires.
    ///
    /// # Errors
    ///
    /// The first fault of the file.
    pub fn all() -> Result<Vec<Self>> {
        SampleFile::RIDE_CARS.read()
    }

    /// The car of this name, `standard` or `stiff`.
    ///
    /// # Errors
    ///
    /// The first fault of the file, or if it has no such car.
    pub fn named(name: &str) -> Result<Self> {
        let found = Self::all()?.into_iter().find(|car| car.name == name);
        found.with_context(|| format!("no car is named {name:?}"))
    }

    /// The car's data sheet, but for its wheels' mass.
    fn blueprint(&self) -> CarBlueprint {
        CarBlueprint {
            natural_frequency: self.frequency,
            damping_ratio: self.damping_ratio,
            travel_distance: self.travel,
            anti_roll_stiffness: [0.0; 2],
            drag_area: 0.0,
            ride: None,
            ..CarBlueprint::default()
        }
    }

    /// The car's mechanical base. It stands lower than by its data sheet by what its tires give
    /// way.
    ///
    /// # Errors
    ///
    /// None with the cars as they are.
    pub fn mechanics(&self) -> Result<MechanicalParams, ParamErrors> {
        let mut params = self.blueprint().mechanics()?;
        params.rigid_body = self.rigid_body;
        let pulse = TAU * self.frequency;
        for spring in &mut params.suspension_forces {
            let mass = spring.sprung_mass - self.wheel_mass;
            spring.stiffness = mass * pulse * pulse;
            spring.damping = 2.0 * self.damping_ratio * mass * pulse;
        }
        let front = params.suspension_forces[0].stiffness;
        let wheel = UnsprungParams {
            mass: self.wheel_mass,
            tire_stiffness: self.tire_stiffness,
            tire_damping: 0.0,
            strut: StrutParams {
                bump_stop: Some(Stop { edge: self.bump_edge, stiffness: 5.0 * front }),
                ..StrutParams::default()
            },
            end_stop: 20.0 * front,
            droop_stop: 20.0 * front,
            path_slope: [0.0; 2],
        };
        params.suspension_dynamics = SuspensionDynamics::Unsprung(vec![wheel; 4]);
        Ok(params)
    }
}
