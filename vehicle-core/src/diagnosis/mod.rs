//! Diagnosis: what is odd about a vehicle, told before it is driven.
//!
//! Parameters with which no step can be made are errors, see [`Validate`](crate::Validate). Others are
//! accepted, but make a vehicle that shakes, does not move or does not turn. [`diagnose`] looks at the
//! parameters and the time step of a vehicle and returns a list of [`Finding`]s: each says which
//! parameter is odd, by which number and bound, what comes of it and what helps. The table of all is
//! that of [`FindingCode`].
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
//! What depends on more than parameters, step and pedals is not told: colliders that scrape over the
//! ground, a body that its world does not step or that damps its own motion, a pedal that is pressed
//! too suddenly.

mod codes;
mod mechanics;
pub mod ride;

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

pub use self::codes::{FindingCode, Severity};
pub use self::mechanics::TireExamination;
use crate::SimulationParams;
use crate::math::Real;
use crate::sequence::TimeStepError;

/// What is usual.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Usual {
    /// This or more.
    AtLeast(Real),
    /// This or less.
    AtMost(Real),
}

impl Usual {
    /// Whether `value` is usual; what is no number is not.
    fn is_met(self, value: Real) -> bool {
        match self {
            Self::AtLeast(least) => least <= value,
            Self::AtMost(most) => value <= most,
        }
    }
}

impl Display for Usual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(least) => write!(f, "at least {least}"),
            Self::AtMost(most) => write!(f, "at most {most}"),
        }
    }
}

/// Something odd about a vehicle that is no fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// What it is: it says how much it matters, what comes of it and what helps.
    pub code: FindingCode,
    /// The parameter, such as `mechanics.wheels[2].inertia`.
    pub path: String,
    /// What of the parameter is looked at, with its unit.
    pub quantity: String,
    /// Its number.
    pub value: Real,
    /// What is usual.
    pub usual: Usual,
    /// What helps in this case beyond the code's [remedy](FindingCode::remedy), such as a number of
    /// substeps.
    pub advice: Option<String>,
}

impl Finding {
    /// How much it matters.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// What comes of it.
    pub fn consequence(&self) -> &'static str {
        self.code.consequence()
    }

    /// What helps: the remedy of its code, and the advice for this case.
    pub fn remedy(&self) -> String {
        let remedy = self.code.remedy();
        self.advice
            .as_ref()
            .map_or_else(|| remedy.to_owned(), |advice| format!("{remedy}: {advice}"))
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, quantity, value, usual, .. } = self;
        let (consequence, remedy) = (self.consequence(), self.remedy());
        write!(f, "{path}: {quantity} is {value}, usual is {usual}. ")?;
        write!(f, "Consequence: {consequence}. Remedy: {remedy}.")
    }
}

/// Who moves the body of a vehicle on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyMover {
    /// The vehicle, in every substep.
    #[default]
    Vehicle,
    /// A physics engine, once per frame, by the velocity that the vehicle has reached.
    Host,
}

/// How a vehicle is going to be driven.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// Gravity, axes and limits.
    pub simulation: &'a SimulationParams,
    /// Time step of a frame (s).
    pub dt: Real,
    /// Fewest substeps that its sequence takes.
    pub substeps: u32,
    /// Who moves its body on.
    pub mover: BodyMover,
}

impl<'a> Conditions<'a> {
    /// A vehicle that moves its body itself, in frames of `dt` (s) of at least so many `substeps`.
    pub fn new(simulation: &'a SimulationParams, dt: Real, substeps: u32) -> Self {
        Self { simulation, dt, substeps, mover: BodyMover::default() }
    }

    /// The same for a vehicle whose body a physics engine moves on.
    pub fn hosted(self) -> Self {
        Self { mover: BodyMover::Host, ..self }
    }

    /// Substeps of a frame: as many as there are to be, or more if they would be longer than the
    /// longest one.
    pub fn taken_substeps(&self) -> u32 {
        let needed = (self.dt / self.simulation.max_substep).ceil() as u32;
        self.substeps.max(needed).max(1)
    }

    /// Time step of a substep (s).
    pub fn substep(&self) -> Real {
        self.dt / self.taken_substeps() as Real
    }

    /// Length units per meter.
    pub fn length_scale(&self) -> Real {
        self.simulation.coordinates.length_scale
    }
}

/// A vehicle that can be diagnosed.
pub trait Diagnose {
    /// Adds what is odd about the vehicle under `conditions`.
    fn examine(&self, conditions: &Conditions<'_>, findings: &mut Findings);
}

/// What is odd about `vehicle` under `conditions`, the warnings first.
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
    let mut list = findings.0;
    list.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
    Ok(list)
}

/// Collects findings under the paths of their parameters.
#[derive(Clone, Debug, Default)]
pub struct Findings(Vec<Finding>);

impl Findings {
    /// What was found, in the order in which it was looked for.
    pub fn list(&self) -> &[Finding] {
        &self.0
    }

    /// Looks at what is below the field `name`.
    pub fn field(&mut self, name: impl Display, examine: impl FnOnce(&mut Self)) {
        let first = self.0.len();
        examine(self);
        for finding in &mut self.0[first..] {
            finding.path = format!("{name}.{}", finding.path);
        }
    }

    /// Adds a finding unless `value`, the `quantity` of the parameter `path`, is `usual`.
    pub fn expect(
        &mut self,
        code: FindingCode,
        path: impl Display,
        quantity: impl Display,
        value: Real,
        usual: Usual,
    ) {
        self.expect_with(code, path, quantity, value, usual, || None);
    }

    /// The same with an advice for this case.
    pub fn expect_with(
        &mut self,
        code: FindingCode,
        path: impl Display,
        quantity: impl Display,
        value: Real,
        usual: Usual,
        advice: impl FnOnce() -> Option<String>,
    ) {
        if !usual.is_met(value) {
            let (path, quantity) = (path.to_string(), quantity.to_string());
            self.0.push(Finding { code, path, quantity, value, usual, advice: advice() });
        }
    }

    /// Adds up to one finding for a `value` that is usually within `low` and `high`.
    pub fn expect_within(
        &mut self,
        [below, above]: [FindingCode; 2],
        path: impl Display,
        quantity: impl Display,
        value: Real,
        (low, high): (Real, Real),
    ) {
        if value < low {
            self.expect(below, path, quantity, value, Usual::AtLeast(low));
        } else {
            self.expect(above, path, quantity, value, Usual::AtMost(high));
        }
    }
}

impl Conditions<'_> {
    /// Adds what is odd about the simulation itself.
    fn examine(&self, findings: &mut Findings) {
        let simulation = self.simulation;
        let gravity = simulation.gravity.length() / self.length_scale();
        if 0.0 < gravity {
            let quantity = "gravity in meters (m/s²)";
            let codes = [FindingCode::LengthUnit; 2];
            findings.expect_within(codes, "simulation.gravity", quantity, gravity, (1.0, 40.0));
        }
        let (path, quantity) = ("simulation.max_substep", "time step (s)");
        let usual = Usual::AtMost(simulation.max_substep);
        findings.expect(FindingCode::TimeStepDivided, path, quantity, self.dt, usual);
    }
}
