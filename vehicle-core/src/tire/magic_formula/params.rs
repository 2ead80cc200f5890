//! All numbers of a Magic Formula tire.

use serde::{Deserialize, Serialize};

use super::{
    AligningCoefficients, CoefficientGroup, ContactPatchCoefficients, DimensionCoefficients,
    InclinationRange, InertiaCoefficients, LateralCoefficients, LoadRange,
    LongitudinalCoefficients, MagicFormula, ModelCoefficients, OutOfRange, OverturningCoefficients,
    PressureCoefficients, PressureRange, Quantity, RollingCoefficients, ScalingCoefficients,
    SlipAngleRange, SlipRatioRange, StructuralCoefficients, TurnSlipCoefficients,
    VerticalCoefficients,
};
use crate::math::Real;
use crate::math::lanes::MAX_LANES;

/// Version of the formulas: FITTYP of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum MagicFormulaVersion {
    /// 5.2: small camber angles, no pressure; also PAC2002 and MF_05.
    V5_2,
    /// 6.0: as 5.2.
    V6_0,
    /// 6.1: camber stiffness as a coefficient, large camber, pressure.
    #[default]
    V6_1,
    /// 6.2: as 6.1, with further parts of the overturning moment.
    V6_2,
}

impl MagicFormulaVersion {
    /// Whether the camber stiffness is a coefficient of its own.
    pub(super) fn has_camber_stiffness(self) -> bool {
        matches!(self, Self::V6_1 | Self::V6_2)
    }
}

/// All numbers of a Magic Formula tire, by sections of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[serde(default)]
pub struct MagicFormulaParams {
    /// Which formulas.
    pub version: MagicFormulaVersion,
    /// Speeds of the measurement.
    pub model: ModelCoefficients,
    /// Size.
    pub dimension: DimensionCoefficients,
    /// Inflation pressure.
    pub pressure: PressureCoefficients,
    /// Masses.
    pub inertia: InertiaCoefficients,
    /// Load and stiffness.
    pub vertical: VerticalCoefficients,
    /// Carcass.
    pub structural: StructuralCoefficients,
    /// Contact patch.
    pub contact_patch: ContactPatchCoefficients,
    /// Pressures of the measurement.
    pub pressure_range: PressureRange,
    /// Loads of the measurement.
    pub load_range: LoadRange,
    /// Slip ratios of the measurement.
    pub slip_ratio_range: SlipRatioRange,
    /// Slip angles of the measurement.
    pub slip_angle_range: SlipAngleRange,
    /// Camber angles of the measurement.
    pub inclination_range: InclinationRange,
    /// Scale factors.
    pub scaling: ScalingCoefficients,
    /// Longitudinal force.
    pub longitudinal: LongitudinalCoefficients,
    /// Overturning moment.
    pub overturning: OverturningCoefficients,
    /// Lateral force.
    pub lateral: LateralCoefficients,
    /// Rolling resistance.
    pub rolling: RollingCoefficients,
    /// Aligning moment.
    pub aligning: AligningCoefficients,
    /// Turn slip, which is left out of the formulas.
    pub turn_slip: TurnSlipCoefficients,
}

/// Calls `$visit!(field)` for each group of [`MagicFormulaParams`] in the order of a file.
macro_rules! each_group {
    ($visit:ident) => {
        $visit!(model);
        $visit!(dimension);
        $visit!(pressure);
        $visit!(inertia);
        $visit!(vertical);
        $visit!(structural);
        $visit!(contact_patch);
        $visit!(pressure_range);
        $visit!(load_range);
        $visit!(slip_ratio_range);
        $visit!(slip_angle_range);
        $visit!(inclination_range);
        $visit!(scaling);
        $visit!(longitudinal);
        $visit!(overturning);
        $visit!(lateral);
        $visit!(rolling);
        $visit!(aligning);
        $visit!(turn_slip);
    };
}

impl MagicFormulaParams {
    /// The coefficient of `name`, in lower case, and what it measures.
    pub fn find(&mut self, name: &str) -> Option<(&mut Real, Quantity)> {
        macro_rules! find_in {
            ($group:ident) => {
                if self.$group.find(name).is_some() {
                    return self.$group.find(name);
                }
            };
        }
        each_group!(find_in);
        None
    }

    /// Calls `visit` with section, name, value and quantity of each coefficient, in the order of a
    /// file.
    pub fn visit(&self, visit: &mut dyn FnMut(&'static str, &'static str, Real, Quantity)) {
        fn section<G: CoefficientGroup>(
            group: &G,
            visit: &mut dyn FnMut(&'static str, &'static str, Real, Quantity),
        ) {
            group.visit(&mut |name, value, quantity| visit(G::SECTION, name, value, quantity));
        }
        macro_rules! visit_group {
            ($group:ident) => {
                section(&self.$group, visit);
            };
        }
        each_group!(visit_group);
    }

    /// The formulas of one tire, ready to be asked.
    pub fn formulas(&self, out_of_range: OutOfRange) -> MagicFormula {
        MagicFormula::from_lanes([(self, out_of_range); MAX_LANES])
    }
}
