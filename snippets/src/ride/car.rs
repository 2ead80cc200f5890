//! Cars of which fine solutions are known: a usual one and a stiff one, on wheels with mass.

use std::f32::consts::TAU;

use rapier3d::prelude::*;
use vehicle_rapier::core::blueprint::CarBlueprint;
use vehicle_rapier::core::error::ParamErrors;
use vehicle_rapier::core::rigid_body::RigidBodyParams;
use vehicle_rapier::core::suspension::unsprung::laws::Stop;
use vehicle_rapier::core::suspension::unsprung::{SuspensionDynamics, UnsprungParams};
use vehicle_rapier::core::vehicle::MechanicalParams;

/// What tells the cars apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RideCar {
    /// Its name.
    pub name: &'static str,
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
    /// A usual car.
    pub const STANDARD: Self = Self {
        name: "standard",
        frequency: 1.4,
        damping_ratio: 0.4,
        wheel_mass: 40.0,
        tire_stiffness: 220e3,
        travel: 0.25,
        bump_edge: 0.19,
    };

    /// A car of hard springs and tires.
    pub const STIFF: Self = Self {
        name: "stiff",
        frequency: 2.5,
        damping_ratio: 0.4,
        wheel_mass: 25.0,
        tire_stiffness: 400e3,
        travel: 0.12,
        bump_edge: 0.085,
    };

    /// The car's data sheet, but for its wheels' mass.
    fn blueprint(&self) -> CarBlueprint {
        CarBlueprint {
            natural_frequency: self.frequency,
            damping_ratio: self.damping_ratio,
            travel_distance: self.travel,
            anti_roll_stiffness: [0.0; 2],
            drag_area: 0.0,
            ..CarBlueprint::default()
        }
    }

    /// The car's mechanical base. It stands lower than by its data sheet by what its tires give way.
    ///
    /// # Errors
    ///
    /// None with the cars as they are.
    pub fn mechanics(&self) -> Result<MechanicalParams, ParamErrors> {
        let mut params = self.blueprint().mechanics()?;
        params.rigid_body =
            RigidBodyParams { mass: 1_500.0, inertia: Vector::new(2_200.0, 2_500.0, 500.0) };
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
            spring: Vec::new(),
            damper: None,
            bump_stop: Stop { edge: self.bump_edge, stiffness: 5.0 * front },
            end_stop: 20.0 * front,
            droop_stop: 20.0 * front,
            path_slope: [0.0; 2],
        };
        params.suspension_dynamics = SuspensionDynamics::Unsprung(vec![wheel; 4]);
        Ok(params)
    }
}
