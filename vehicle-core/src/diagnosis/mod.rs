//! Diagnosis: what is odd about a vehicle, told before it is driven.
//!
//! Parameters with which no step can be made are errors, see [`Validate`](crate::Validate). Others
//! are accepted, but make a vehicle that shakes, does not move or does not turn. [`diagnose`] looks
//! at the parameters and the time step of a vehicle and returns a list of [`Finding`]s. Each says
//! which parameter is odd, by which number and bound, what it leads to and what helps.
//! [`FindingCode`] has the table of all.
//!
//! ```
//! use vehicle_core::blueprint::CarBlueprint;
//! use vehicle_core::diagnosis::{Conditions, FindingCode, Findings};
//! use vehicle_core::{SimulationParams, Validate};
//!
//! let car = CarBlueprint { damping_ratio: 0.02, ..CarBlueprint::default() }.mechanics()?;
//! car.validate()?;
//! let simulation = SimulationParams::default();
//! let conditions = Conditions::new(&simulation, 1.0 / 60.0, 3);
//! let mut findings = Findings::default();
//! car.examine(&conditions, &mut findings);
//! let first = &findings.list()[0];
//! assert_eq!(first.code, FindingCode::SuspensionUndamped);
//! let text = first.to_string();
//! assert!(text.starts_with("suspension_forces[0].damping: damping ratio is 0.0"), "{text}");
//! # Ok::<(), vehicle_core::ParamErrors>(())
//! ```
//!
//! Only parameters, step and pedals are examined. These are not found: colliders that scrape over
//! the ground, a body that its world does not step or that damps its own motion. Nor is a pedal
//! that is pressed too suddenly.

mod grip;
mod limits;
mod mechanics;
pub mod modes;
pub mod ride;
mod steering;
mod unused;

pub use crate::findings::{
    BodyMover, Conditions, Finding, FindingCode, Findings, Severity, TireExamination, Usual,
};
use crate::sequence::TimeStepError;

/// A vehicle that can be diagnosed.
pub trait Diagnose {
    /// Adds what is odd about the vehicle under `conditions`.
    fn examine(&self, conditions: &Conditions<'_>, findings: &mut Findings);
}

/// Findings about `vehicle` under `conditions`, the warnings first.
///
/// # Errors
///
/// If the time step is not positive and finite.
pub fn diagnose<V: Diagnose + ?Sized>(
    vehicle: &V,
    conditions: &Conditions<'_>,
) -> Result<Vec<Finding>, TimeStepError> {
    TimeStepError::check(conditions.dt)?;
    let mut findings = Findings::default();
    conditions.examine(&mut findings);
    vehicle.examine(conditions, &mut findings);
    let mut list = findings.into_list();
    list.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
    Ok(list)
}

impl Conditions<'_> {
    /// Adds what is odd about the simulation itself.
    fn examine(&self, findings: &mut Findings) {
        let simulation = self.simulation;
        let gravity = simulation.gravity.length() / self.length_scale();
        let quantity = "gravity in meters (m/s²)";
        let (path, usual) = ("simulation.gravity", Usual::Above(0.0));
        findings.expect(FindingCode::GravityNone, path, quantity, gravity, usual);
        if 0.0 < gravity {
            let codes = [FindingCode::LengthUnit; 2];
            findings.expect_within(codes, path, quantity, gravity, (1.0, 40.0));
        }
        let (path, quantity) = ("simulation.max_substep", "time step (s)");
        let usual = Usual::AtMost(simulation.max_substep);
        findings.expect(FindingCode::TimeStepDivided, path, quantity, self.dt, usual);
    }
}
