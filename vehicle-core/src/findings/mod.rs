//! Findings: what can be odd about a vehicle, and under which conditions it is looked for.

mod codes;

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

pub use self::codes::{FindingCode, Severity};
use crate::math::Real;
use crate::mount::WheelParams;
use crate::{SimulationParams, WheelCoupling};

/// Bound of the usual values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Usual {
    /// This or more.
    AtLeast(Real),
    /// More than this.
    Above(Real),
    /// This or less.
    AtMost(Real),
}

impl Usual {
    /// Whether `value` is usual; what is no number is not.
    fn is_met(self, value: Real) -> bool {
        match self {
            Self::AtLeast(least) => least <= value,
            Self::Above(below) => below < value,
            Self::AtMost(most) => value <= most,
        }
    }
}

impl Display for Usual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(least) => write!(f, "at least {least}"),
            Self::Above(below) => write!(f, "above {below}"),
            Self::AtMost(most) => write!(f, "at most {most}"),
        }
    }
}

/// Something odd about a vehicle that is no fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// Kind of the finding: its severity, consequence and remedy.
    pub code: FindingCode,
    /// The parameter, such as `mechanics.wheels[2].inertia`.
    pub path: String,
    /// Quantity that the parameter was examined for, with its unit.
    pub quantity: String,
    /// Value of the quantity.
    pub value: Real,
    /// Bound of its usual values.
    pub usual: Usual,
    /// Advice for this case beyond the code's [remedy](FindingCode::remedy), such as a number of
    /// substeps.
    pub advice: Option<String>,
}

impl Finding {
    /// How much it matters.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Consequence for the vehicle.
    pub fn consequence(&self) -> &'static str {
        self.code.consequence()
    }

    /// Advice that helps: the remedy of its code, and the advice for this case.
    pub fn remedy(&self) -> String {
        let remedy = self.code.remedy();
        self.advice
            .as_ref()
            .map_or_else(|| remedy.to_owned(), |advice| format!("{remedy}: {advice}"))
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, path, quantity, value, usual, .. } = self;
        let (consequence, remedy) = (self.consequence(), self.remedy());
        let kind = if self.severity() == Severity::Note { "note: " } else { "" };
        write!(f, "{kind}{path}: {quantity} is {value}, usual is {usual}. ")?;
        write!(f, "Consequence: {consequence}. Remedy: {remedy}. ({code:?})")
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
    /// Whether it is made to carry a part of another vehicle, or to rest on one: then its wheels
    /// alone are not asked to balance its weight.
    pub is_coupled: bool,
    /// Whether it is towed: nobody steers or drives it.
    pub is_towed: bool,
}

impl<'a> Conditions<'a> {
    /// A vehicle that moves its body itself, in frames of `dt` (s) of at least so many `substeps`.
    pub fn new(simulation: &'a SimulationParams, dt: Real, substeps: u32) -> Self {
        let (mover, is_coupled, is_towed) = (BodyMover::default(), false, false);
        Self { simulation, dt, substeps, mover, is_coupled, is_towed }
    }

    /// These conditions for a vehicle whose body a physics engine moves on.
    pub fn hosted(self) -> Self {
        Self { mover: BodyMover::Host, ..self }
    }

    /// These conditions for a vehicle that is coupled to another, or made to be.
    pub fn coupled(self) -> Self {
        Self { is_coupled: true, ..self }
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

/// A tire as a diagnosis sees it.
#[derive(Clone, Copy, Debug)]
pub struct TireExamination<'a> {
    /// How the vehicle is going to be driven.
    pub conditions: &'a Conditions<'a>,
    /// The wheel.
    pub wheel: &'a WheelParams,
    /// Load of the wheel at rest (N).
    pub load: Real,
}

impl TireExamination<'_> {
    /// Adds an explicitly coupled wheel that swings about the speed of the road, with a tire of
    /// this longitudinal `stiffness` (N).
    ///
    /// ```text
    /// C r² dt / (2 I) <= min denominator
    /// ```
    pub fn expect_no_chatter(&self, stiffness: Real, findings: &mut Findings) {
        let simulation = self.conditions.simulation;
        if simulation.wheel_coupling == WheelCoupling::Implicit {
            return;
        }
        let WheelParams { radius, inertia, .. } = *self.wheel;
        let needed = stiffness * radius * radius * self.conditions.substep() / (2.0 * inertia);
        let usual = Usual::AtMost(simulation.tire_slip.min_passive_longitudinal_denominator);
        let quantity = "slip denominator that the step needs (m/s)";
        findings.expect(
            FindingCode::WheelChatter,
            "longitudinal_stiffness",
            quantity,
            needed,
            usual,
        );
    }
}

/// Collects findings under the paths of their parameters.
#[derive(Clone, Debug, Default)]
pub struct Findings(Vec<Finding>);

impl Findings {
    /// All findings, in the order in which they were looked for.
    pub fn list(&self) -> &[Finding] {
        &self.0
    }

    /// Everything that was found, as an owned list.
    pub(crate) fn into_list(self) -> Vec<Finding> {
        self.0
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

    /// Adds a finding unless `value`, the `quantity` of the parameter `path`, is `usual`, with an
    /// advice for this case.
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
