//! A tire that rolls by the Magic Formula.

use serde::{Deserialize, Serialize};

use super::steady::{RollingTire, SteadyInput, SteadyLanes, SteadyLaw};
use crate::error::{ParamCheck, Validate};
use crate::findings::{FindingCode, Findings, Usual};
use crate::math::lanes::{MAX_LANES, Number};
use crate::tire::magic_formula::{
    MagicFormula, MagicFormulaInput, MagicFormulaOutput, MagicFormulaParams, OutOfRange,
    RelaxationLengths, UNMEASURED_SIDE, balance,
};
use crate::tire::{RollingTorques, TireOutput};

/// The Magic Formula as a force law: coefficients, and how they are meant.
///
/// The friction of the road scales that of the tire; the road of the measurement has friction 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MagicFormulaLaw {
    /// The tire.
    pub params: MagicFormulaParams,
    /// Behavior outside of the ranges in which the tire was measured.
    #[serde(default)]
    pub out_of_range: OutOfRange,
    /// Whether the tire is on the other side of the vehicle than the one that was measured.
    #[serde(default)]
    pub is_mirrored: bool,
    /// Whether forces follow slips at once instead of within the relaxation lengths.
    #[serde(default)]
    pub is_immediate: bool,
}

/// A tire that rolls by the Magic Formula.
pub type MagicFormulaTire = RollingTire<MagicFormulaLaw>;

impl From<MagicFormulaParams> for MagicFormulaTire {
    fn from(params: MagicFormulaParams) -> Self {
        Self::new(MagicFormulaLaw { params, ..MagicFormulaLaw::default() })
    }
}

/// Magic Formula tires side by side, each on its side of the vehicle.
#[derive(Clone, Copy, Debug)]
pub struct SidedMagicFormula<N: Number> {
    formula: MagicFormula<N>,
    /// 1, or -1 for a mirrored tire.
    side: N,
    /// Radius of the free tire (m).
    radius: N,
    /// 1, or 0 for a tire whose forces follow at once.
    lag: N,
}

impl<N: Number> SidedMagicFormula<N> {
    #[inline]
    fn input(&self, input: &SteadyInput<N>) -> MagicFormulaInput<N> {
        MagicFormulaInput {
            load: input.load,
            slip_ratio: input.slip_ratio,
            slip_tangent: input.slip_tangent * self.side,
            inclination: input.inclination * self.side,
            inflation_pressure: input.inflation_pressure,
            friction: input.friction,
            forward_speed: input.forward_speed,
        }
    }

    /// The output of the formula for a tire on this side of the vehicle.
    #[inline]
    fn on_its_side(&self, output: &MagicFormulaOutput<N>) -> TireOutput<N> {
        TireOutput {
            longitudinal_force: output.longitudinal_force,
            lateral_force: output.lateral_force * self.side,
            overturning_moment: output.overturning_moment * self.side,
            rolling_torques: RollingTorques {
                tire_deformation: output.rolling_moment,
                ..RollingTorques::default()
            },
            aligning_moment: output.aligning_moment * self.side,
            longitudinal_stiffness: output.longitudinal_secant,
            standing_resistance: output.standing_moment / self.radius,
            ..TireOutput::default()
        }
    }

    /// The lengths of a tire that lags, else none.
    #[inline]
    fn lagging(&self, lengths: &RelaxationLengths<N>) -> RelaxationLengths<N> {
        RelaxationLengths {
            longitudinal: lengths.longitudinal * self.lag,
            lateral: lengths.lateral * self.lag,
        }
    }
}

impl<N: Number> SteadyLanes<N> for SidedMagicFormula<N> {
    #[inline]
    fn outputs(&self, input: &SteadyInput<N>) -> TireOutput<N> {
        self.on_its_side(&self.formula.output(&self.input(input)))
    }

    #[inline]
    fn outputs_behind(
        &self,
        input: &SteadyInput<N>,
        follow: impl FnOnce(&RelaxationLengths<N>) -> [N; 2],
    ) -> TireOutput<N> {
        let follow = |lengths: &RelaxationLengths<N>| {
            let [slip_ratio, slip_tangent] = follow(&self.lagging(lengths));
            [slip_ratio, slip_tangent * self.side]
        };
        self.on_its_side(&self.formula.output_behind(&self.input(input), follow))
    }

    #[inline]
    fn relaxation_lengths(&self, input: &SteadyInput<N>) -> RelaxationLengths<N> {
        self.lagging(&self.formula.relaxation_lengths(&self.input(input)))
    }
}

impl SteadyLaw for MagicFormulaLaw {
    type Lanes<N: Number> = SidedMagicFormula<N>;

    #[inline]
    fn in_lanes<N: Number>(laws: [&Self; MAX_LANES]) -> SidedMagicFormula<N> {
        let tires = laws.map(|law| (&law.params, law.out_of_range));
        SidedMagicFormula {
            formula: MagicFormula::from_lanes(tires),
            side: N::from_lanes(|lane| if laws[lane].is_mirrored { -1.0 } else { 1.0 }),
            radius: N::from_lanes(|lane| laws[lane].params.dimension.unloaded_radius),
            lag: N::from_lanes(|lane| if laws[lane].is_immediate { 0.0 } else { 1.0 }),
        }
    }

    fn check(&self, check: &mut ParamCheck) {
        check.field("params", |inner| {
            self.params.check(inner);
            if self.out_of_range == OutOfRange::Clamp {
                self.params.check_zero(inner);
            }
        });
    }

    fn examine(&self, findings: &mut Findings) {
        let code = match self.out_of_range {
            OutOfRange::Mirror => FindingCode::TireRangeMirrored,
            OutOfRange::Clamp => FindingCode::TireRangeOneSided,
            OutOfRange::Extrapolate => return,
        };
        for range in self.params.ranges_about_zero() {
            let [least, most] = range.ends;
            let path = format_args!("params.{}", range.keys[usize::from(most < -least)]);
            let quantity = format_args!(
                "shorter side by the longer one of the {} measured, {least} to {most}",
                range.quantity
            );
            findings.expect(
                code,
                path,
                quantity,
                balance(range.ends),
                Usual::AtLeast(UNMEASURED_SIDE),
            );
        }
    }
}
