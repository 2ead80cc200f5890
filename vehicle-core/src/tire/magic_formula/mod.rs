//! The Magic Formula: a tire as its measurements are usually handed on, versions 5.2, 6.1 and 6.2.
//!
//! The formulas are those of the steady state, of one wheel or of [four in
//! lanes](crate::math::lanes). Names of coefficients are those of the literature and of
//! [files](super::tir). Axes and signs are those of ISO 8855 and of this crate: x forward, y to the
//! left, z up. A positive slip angle slides to the left and gives a force to the right.
//!
//! Source: Pacejka, Tire and Vehicle Dynamics, 3rd edition (2012), section 4.3.2; for 6.2 the
//! overturning moment of MF-Tyre 6.2. Differs: turn slip is left out; friction, slip stiffness,
//! reductions by the other slip and rolling resistance are never negative; shifts and the
//! overturning moment fade below VXLOW.

mod aligning;
mod bounds;
mod conditions;
mod curve;
mod group;
mod lateral;
mod longitudinal;
mod moments;
mod params;
mod ranges;
mod relaxation;
mod scaling;
mod structure;
mod turn_slip;
mod validity;

#[cfg(test)]
mod tests;

pub use self::aligning::AligningCoefficients;
use self::aligning::Forces;
use self::bounds::Bounds;
use self::conditions::Conditions;
use self::curve::{angles, is_zero, not_zero};
pub use self::group::{CoefficientGroup, Quantity};
pub use self::lateral::LateralCoefficients;
use self::lateral::PureLateral;
pub use self::longitudinal::LongitudinalCoefficients;
pub use self::moments::{OverturningCoefficients, RollingCoefficients};
pub use self::params::{MagicFormulaParams, MagicFormulaVersion};
pub use self::ranges::{
    InclinationRange, LoadRange, OutOfRange, PressureRange, SlipAngleRange, SlipRatioRange,
    measured_side,
};
pub(crate) use self::ranges::{UNMEASURED_SIDE, balance};
pub use self::relaxation::RelaxationLengths;
pub use self::scaling::ScalingCoefficients;
pub use self::structure::{
    ContactPatch, ContactPatchCoefficients, DimensionCoefficients, InertiaCoefficients,
    ModelCoefficients, PressureCoefficients, StructuralCoefficients, VerticalCoefficients,
};
pub use self::turn_slip::TurnSlipCoefficients;
pub(crate) use self::validity::RangeAboutZero;
use crate::math::lanes::{Lanes, MAX_LANES, Mask, Number};
use crate::math::{Real, sign};

/// Below this slip ratio the slope of the force is the stiffness (dimensionless).
const LINEAR_SLIP: Real = 1e-4;

/// What the forces of a Magic Formula tire depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MagicFormulaInput<N = Real> {
    /// Load (N).
    pub load: N,
    /// Slip ratio κ, positive where the wheel drives (dimensionless).
    pub slip_ratio: N,
    /// Tangent of the slip angle, α* (dimensionless); positive where the tire slides to the left.
    pub slip_tangent: N,
    /// Inclination to the road (rad).
    pub inclination: N,
    /// Inflation pressure (Pa); 0 for that of the measurement.
    pub inflation_pressure: N,
    /// Friction of the road, where 1 is that of the measurement (dimensionless).
    pub friction: N,
    /// Speed along the rolling direction (m/s).
    pub forward_speed: N,
}

/// Forces, moments and stiffnesses of a Magic Formula tire.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MagicFormulaOutput<N = Real> {
    /// Fx, forward (N).
    pub longitudinal_force: N,
    /// Fy, to the left (N).
    pub lateral_force: N,
    /// Mx, about the rolling direction (N·m).
    pub overturning_moment: N,
    /// My, about the axle (N·m).
    pub rolling_moment: N,
    /// Size of My, with which the tire resists being rolled from rest (N·m).
    pub standing_moment: N,
    /// Mz, about the road normal (N·m).
    pub aligning_moment: N,
    /// Fx by slip ratio, from where it is zero (N); not negative.
    pub longitudinal_secant: N,
}

/// The numbers of a Magic Formula tire that its forces follow from, in lanes.
#[derive(Clone, Copy, Debug)]
pub struct MagicFormula<N: Number = Real> {
    has_camber_stiffness: N::Mask,
    /// Whether any tire has an overturning moment, and whether any has a rolling resistance: files
    /// often tell of neither.
    has_moments: [bool; 2],
    model: ModelCoefficients<N>,
    dimension: DimensionCoefficients<N>,
    pressure: PressureCoefficients<N>,
    vertical: VerticalCoefficients<N>,
    structural: StructuralCoefficients<N>,
    contact_patch: ContactPatchCoefficients<N>,
    scaling: ScalingCoefficients<N>,
    longitudinal: LongitudinalCoefficients<N>,
    overturning: OverturningCoefficients<N>,
    lateral: LateralCoefficients<N>,
    rolling: RollingCoefficients<N>,
    aligning: AligningCoefficients<N>,
    bounds: Bounds<N>,
}

impl<N: Number> MagicFormula<N> {
    /// The tire of each lane.
    #[inline]
    pub fn from_lanes(tires: [(&MagicFormulaParams, OutOfRange); MAX_LANES]) -> Self {
        let of = |lane: usize| tires[lane].0;
        Self {
            has_camber_stiffness: Lanes::from_lanes(|lane| of(lane).version.has_camber_stiffness()),
            has_moments: [
                (0..MAX_LANES)
                    .any(|lane| of(lane).overturning != OverturningCoefficients::default()),
                (0..MAX_LANES).any(|lane| of(lane).rolling != RollingCoefficients::default()),
            ],
            model: ModelCoefficients::from_lanes(|lane| &of(lane).model),
            dimension: DimensionCoefficients::from_lanes(|lane| &of(lane).dimension),
            pressure: PressureCoefficients::from_lanes(|lane| &of(lane).pressure),
            vertical: VerticalCoefficients::from_lanes(|lane| &of(lane).vertical),
            structural: StructuralCoefficients::from_lanes(|lane| &of(lane).structural),
            contact_patch: ContactPatchCoefficients::from_lanes(|lane| &of(lane).contact_patch),
            scaling: ScalingCoefficients::from_lanes(|lane| &of(lane).scaling),
            longitudinal: LongitudinalCoefficients::from_lanes(|lane| &of(lane).longitudinal),
            overturning: OverturningCoefficients::from_lanes(|lane| &of(lane).overturning),
            lateral: LateralCoefficients::from_lanes(|lane| &of(lane).lateral),
            rolling: RollingCoefficients::from_lanes(|lane| &of(lane).rolling),
            aligning: AligningCoefficients::from_lanes(|lane| &of(lane).aligning),
            bounds: Bounds::from_lanes(tires),
        }
    }

    /// Forces and moments in the steady state.
    ///
    /// ```text
    /// Fx = Gxα Fx0,   Fy = Gyκ Fy0 + SVyκ
    /// ```
    #[inline]
    pub fn output(&self, input: &MagicFormulaInput<N>) -> MagicFormulaOutput<N> {
        self.output_at(&self.conditions(input))
    }

    /// Forces and moments at the slips that `follow` makes of the [relaxation
    /// lengths](Self::relaxation_lengths): what both need is computed once.
    #[inline]
    pub fn output_behind(
        &self,
        input: &MagicFormulaInput<N>,
        follow: impl FnOnce(&RelaxationLengths<N>) -> [N; 2],
    ) -> MagicFormulaOutput<N> {
        let at = self.under_load(input);
        let [slip_ratio, slip_tangent] = follow(&self.relaxation_at(&at));
        let followed = MagicFormulaInput { slip_ratio, slip_tangent, ..*input };
        self.output_at(&self.with_slips(at, &followed))
    }

    #[inline]
    fn output_at(&self, at: &Conditions<N>) -> MagicFormulaOutput<N> {
        let along = self.pure_longitudinal(at);
        let across = self.pure_lateral(at);
        let trailing = self.trailing(at, &across);
        let reductions = [self.longitudinal_reduction(at), self.lateral_reduction(at, at.tilt)];
        let trail = self.trail(at, &across);
        let by_slip_ratio = self.slip_ratio_force(at, across.friction);
        let [longitudinal, lateral, upright, less_along, less_across, bent_trail] = angles([
            along.curve,
            across.curve,
            trailing.curve,
            reductions[0].curve,
            reductions[1].curve,
            trail.curve,
        ]);
        let [left_along, left_across] =
            [reductions[0].left(less_along), reductions[1].left(less_across)];
        let longitudinal_force = along.force(longitudinal) * left_along;
        let lateral_force = across.force(lateral) * left_across + by_slip_ratio;
        let forces = Forces {
            lateral: &across,
            longitudinal_force,
            lateral_force,
            trailing_force: trailing.force(upright) * self.left_of_trailing(at, left_across),
            trail: trail.length(bent_trail),
        };
        let is_linear = along.shifted_slip.abs().is_at_most(N::splat(LINEAR_SLIP));
        let secant = longitudinal_force / not_zero(along.shifted_slip);
        let secant = N::select(is_linear, along.stiffness * left_along, secant);
        let share = at.load_share;
        let [overturns, resists] = self.has_moments;
        let rolling =
            if resists { self.rolling_moment(at, longitudinal_force) * share } else { N::zero() };
        MagicFormulaOutput {
            longitudinal_force: longitudinal_force * share,
            lateral_force: lateral_force * share,
            overturning_moment: if overturns {
                self.overturning_moment(at, lateral_force) * share
            } else {
                N::zero()
            },
            rolling_moment: -(rolling * sign(at.forward_speed)),
            standing_moment: rolling,
            aligning_moment: self.aligning_moment(at, &forces) * share,
            longitudinal_secant: secant.at_least(N::zero()) * share,
        }
    }

    /// The lateral force without slip ratio on which the pneumatic trail acts: from 6.1 on that of
    /// an upright wheel.
    #[inline]
    fn trailing(&self, at: &Conditions<N>, tilted: &PureLateral<N>) -> PureLateral<N> {
        let is_upright = self.trails_upright(at);
        if !is_upright.any() {
            return *tilted;
        }
        let inclination = self.trailing_inclination(at);
        let by_load = if is_zero(self.lateral.pky5) {
            at.stiffness_by_load
        } else {
            self.stiffness_by_load(at, inclination)
        };
        self.pure_lateral_by(at, inclination, by_load)
    }

    /// Part of the trailing lateral force that the slip ratio leaves; `left` is the part of the
    /// lateral force (dimensionless).
    #[inline]
    fn left_of_trailing(&self, at: &Conditions<N>, left: N) -> N {
        if is_zero(self.lateral.rby4) || !self.trails_upright(at).any() {
            return left;
        }
        let reduction = self.lateral_reduction(at, self.trailing_inclination(at));
        reduction.left(reduction.curve.angle())
    }

    /// The inclination of the wheel on whose lateral force the trail acts, as scaled in that force
    /// (dimensionless).
    #[inline]
    fn trailing_inclination(&self, at: &Conditions<N>) -> N {
        N::select(self.trails_upright(at), N::zero(), at.tilt)
    }

    /// Where a wheel is tilted whose trail is that of an upright one.
    #[inline]
    fn trails_upright(&self, at: &Conditions<N>) -> N::Mask {
        self.has_camber_stiffness & !at.inclination.is_equal(N::zero())
    }

    /// Kxκ, Fx by slip ratio at zero slip, under `load` (N) at the pressure of the measurement and
    /// full friction (N).
    #[inline]
    pub fn slip_stiffness(&self, load: N) -> N {
        let at = self.under_load(&self.at_rest(load));
        at.slip_stiffness * at.load_share
    }

    /// Kyα, Fy by slip angle at zero slip, of an upright wheel under `load` (N) at the pressure of
    /// the measurement (N/rad); negative.
    #[inline]
    pub fn cornering_stiffness(&self, load: N) -> N {
        let at = self.under_load(&self.at_rest(load));
        self.cornering_stiffness_at(&at) * at.load_share
    }

    /// Size of the contact patch under `load` at `pressure` (N, Pa).
    #[inline]
    pub fn contact_patch(&self, load: N, pressure: N) -> ContactPatch<N> {
        let at = self
            .under_load(&MagicFormulaInput { inflation_pressure: pressure, ..self.at_rest(load) });
        let stiffness = structure::vertical_stiffness(&self.vertical, at.dpi);
        let carried = at.load * at.load_share;
        structure::contact_patch(&self.dimension, &self.contact_patch, stiffness, carried)
    }

    /// Stiffness in the vertical at `pressure` (Pa) (N/m).
    #[inline]
    pub fn vertical_stiffness(&self, pressure: N) -> N {
        structure::vertical_stiffness(&self.vertical, self.relative_pressure(pressure))
    }

    /// A wheel without slip, under `load` (N).
    #[inline]
    fn at_rest(&self, load: N) -> MagicFormulaInput<N> {
        let zero = N::zero();
        MagicFormulaInput {
            load,
            slip_ratio: zero,
            slip_tangent: zero,
            inclination: zero,
            inflation_pressure: zero,
            friction: N::splat(1.0),
            forward_speed: self.model.longvl,
        }
    }
}
