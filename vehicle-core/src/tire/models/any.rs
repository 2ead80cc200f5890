//! Any of the models that come with the crate, chosen when the tire is made.

use serde::{Deserialize, Serialize};

use super::{
    BrushTire, FialaTire, FrictionEllipseTire, MagicFormulaTire, OWN_TIRE_NUMBERS, OwnTire,
    ParabolicBrushTire, RelaxedSlip, TMeasyTire,
};
use crate::error::ParamCheck;
use crate::findings::{Findings, TireExamination};
use crate::math::Real;
use crate::math::lanes::{MAX_LANES, Real4};
use crate::road::{RoadContact, Soil};
use crate::tire::soil::{SoilTire, SoilTireState};
use crate::tire::{GripInput, LaneInput, TireGrip, TireInput, TireLanes, TireModel, TireOutput};

/// A tire of any model: for vehicles whose tires differ, fleets that mix models, and files.
///
/// Four tires of one model are computed side by side. A vehicle on soil, and one with different
/// models among four of its wheels, asks each tire by itself, which takes about twice as long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AnyTire {
    /// The default.
    Brush(BrushTire),
    /// A measured tire.
    MagicFormula(Box<MagicFormulaTire>),
    /// Fiala's.
    Fiala(FialaTire),
    /// A brush with parabolic pressure.
    ParabolicBrush(ParabolicBrushTire),
    /// TMeasy.
    TMeasy(TMeasyTire),
    /// A friction ellipse.
    FrictionEllipse(FrictionEllipseTire),
    /// A tire on soil.
    Soil(SoilTire),
    /// A tire of a program's own.
    Own(OwnTire),
}

macro_rules! from_tires {
    ($($tire:ty => $variant:ident,)+) => {
        $(impl From<$tire> for AnyTire {
            fn from(tire: $tire) -> Self {
                Self::$variant(tire.into())
            }
        })+
    };
}

from_tires! {
    BrushTire => Brush,
    MagicFormulaTire => MagicFormula,
    FialaTire => Fiala,
    ParabolicBrushTire => ParabolicBrush,
    TMeasyTire => TMeasy,
    FrictionEllipseTire => FrictionEllipse,
    SoilTire => Soil,
    OwnTire => Own,
}

/// What an [`AnyTire`] remembers: slips that its carcass has followed go over from model to model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AnyTireState {
    /// State of a model that rolls by a law of the steady state.
    pub slip: RelaxedSlip,
    /// State of a model on soil.
    pub soil: SoilTireState,
    /// State of a program's own model.
    #[serde(default)]
    pub own: [Real; OWN_TIRE_NUMBERS],
}

/// Four tires of one model.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "the vehicles of a model share them, in one list")]
pub enum AnyTireLanes {
    /// The default.
    Brush(<BrushTire as TireModel>::Lanes),
    /// Measured tires.
    MagicFormula(<MagicFormulaTire as TireModel>::Lanes),
    /// Fiala's.
    Fiala(<FialaTire as TireModel>::Lanes),
    /// Brushes with parabolic pressure.
    ParabolicBrush(<ParabolicBrushTire as TireModel>::Lanes),
    /// TMeasy.
    TMeasy(<TMeasyTire as TireModel>::Lanes),
    /// Friction ellipses.
    FrictionEllipse(<FrictionEllipseTire as TireModel>::Lanes),
}

/// The forces of four tires of one model, which remember their slips.
#[inline]
fn rolled(
    tires: &impl TireLanes<Real4, RelaxedSlip>,
    input: &LaneInput<Real4>,
    states: &mut [AnyTireState],
) -> TireOutput<Real4> {
    let mut slips = [RelaxedSlip::default(); MAX_LANES];
    for (slip, state) in slips.iter_mut().zip(&*states) {
        *slip = state.slip;
    }
    let output = tires.outputs(input, &mut slips[..states.len().min(MAX_LANES)]);
    for (state, slip) in states.iter_mut().zip(slips) {
        state.slip = slip;
    }
    output
}

impl TireLanes<Real4, AnyTireState> for AnyTireLanes {
    #[inline]
    fn grips(&self, input: &GripInput<Real4>) -> TireGrip<Real4> {
        match self {
            Self::Brush(tires) => tires.grips(input),
            Self::MagicFormula(tires) => tires.grips(input),
            Self::Fiala(tires) => tires.grips(input),
            Self::ParabolicBrush(tires) => tires.grips(input),
            Self::TMeasy(tires) => tires.grips(input),
            Self::FrictionEllipse(tires) => tires.grips(input),
        }
    }

    #[inline]
    fn outputs(&self, input: &LaneInput<Real4>, states: &mut [AnyTireState]) -> TireOutput<Real4> {
        for state in &mut *states {
            *state = AnyTireState { slip: state.slip, ..AnyTireState::default() };
        }
        match self {
            Self::Brush(tires) => tires.outputs(input, &mut []),
            Self::MagicFormula(tires) => rolled(tires, input, states),
            Self::Fiala(tires) => rolled(tires, input, states),
            Self::ParabolicBrush(tires) => rolled(tires, input, states),
            Self::TMeasy(tires) => rolled(tires, input, states),
            Self::FrictionEllipse(tires) => rolled(tires, input, states),
        }
    }
}

/// Models of four tires that are of one variant, in lanes.
macro_rules! lanes_of_one_model {
    ($tires:ident: $($variant:ident),+) => {
        match $tires {
            $([
                AnyTire::$variant(first),
                AnyTire::$variant(second),
                AnyTire::$variant(third),
                AnyTire::$variant(fourth),
            ] => TireModel::in_lanes([first, second, third, fourth]).map(AnyTireLanes::$variant),)+
            _ => None,
        }
    };
}

impl TireModel for AnyTire {
    type State = AnyTireState;
    type Lanes = AnyTireLanes;

    fn in_lanes(tires: [&Self; MAX_LANES]) -> Option<AnyTireLanes> {
        if let [
            Self::MagicFormula(first),
            Self::MagicFormula(second),
            Self::MagicFormula(third),
            Self::MagicFormula(fourth),
        ] = tires
        {
            let tires = [&**first, &**second, &**third, &**fourth];
            return MagicFormulaTire::in_lanes(tires).map(AnyTireLanes::MagicFormula);
        }
        lanes_of_one_model!(tires: Brush, Fiala, ParabolicBrush, TMeasy, FrictionEllipse)
    }

    fn grip(&self, input: &GripInput) -> TireGrip {
        match self {
            Self::Brush(tire) => tire.grip(input),
            Self::MagicFormula(tire) => tire.grip(input),
            Self::Fiala(tire) => tire.grip(input),
            Self::ParabolicBrush(tire) => tire.grip(input),
            Self::TMeasy(tire) => tire.grip(input),
            Self::FrictionEllipse(tire) => tire.grip(input),
            Self::Soil(tire) => tire.grip(input),
            Self::Own(tire) => tire.grip(input),
        }
    }

    fn grip_on(&self, input: &GripInput, ground: &RoadContact, soil: Option<&Soil>) -> TireGrip {
        match self {
            Self::Soil(tire) => tire.grip_on(input, ground, soil),
            Self::Own(tire) => tire.grip_on(input, ground, soil),
            _ => self.grip(input),
        }
    }

    fn forces(&self, input: &TireInput<'_>, state: &mut AnyTireState) -> TireOutput {
        let output = match self {
            Self::Brush(tire) => tire.forces(input, &mut ()),
            Self::MagicFormula(tire) => tire.forces(input, &mut state.slip),
            Self::Fiala(tire) => tire.forces(input, &mut state.slip),
            Self::ParabolicBrush(tire) => tire.forces(input, &mut state.slip),
            Self::TMeasy(tire) => tire.forces(input, &mut state.slip),
            Self::FrictionEllipse(tire) => tire.forces(input, &mut state.slip),
            Self::Soil(tire) => tire.forces(input, &mut state.soil),
            Self::Own(tire) => tire.forces(input, &mut state.own),
        };
        // Only slips go over from model to model.
        if !matches!(self, Self::Soil(_)) {
            state.soil = SoilTireState::default();
        }
        if !matches!(self, Self::Own(_)) {
            state.own = [0.0; OWN_TIRE_NUMBERS];
        }
        output
    }

    fn feels_stops(&self) -> bool {
        match self {
            Self::Brush(tire) => tire.feels_stops(),
            Self::Own(tire) => tire.feels_stops(),
            _ => true,
        }
    }

    fn knows_inflation(&self) -> bool {
        match self {
            Self::Brush(tire) => tire.knows_inflation(),
            Self::Own(tire) => tire.knows_inflation(),
            _ => true,
        }
    }

    fn sinkage(&self, state: &AnyTireState) -> Real {
        match self {
            Self::Soil(_) => state.soil.sinkage,
            Self::Own(tire) => tire.sinkage(&state.own),
            _ => 0.0,
        }
    }

    fn roll_in_rut(&self, depth: Real, state: &mut AnyTireState) {
        match self {
            Self::Own(tire) => tire.roll_in_rut(depth, &mut state.own),
            _ => state.soil.pressed_depth = depth,
        }
    }

    fn check(&self, check: &mut ParamCheck) {
        match self {
            Self::Brush(tire) => tire.check(check),
            Self::MagicFormula(tire) => tire.check(check),
            Self::Fiala(tire) => tire.check(check),
            Self::ParabolicBrush(tire) => tire.check(check),
            Self::TMeasy(tire) => tire.check(check),
            Self::FrictionEllipse(tire) => tire.check(check),
            Self::Soil(tire) => tire.check(check),
            Self::Own(tire) => tire.check(check),
        }
    }

    fn examine(&self, examination: &TireExamination<'_>, findings: &mut Findings) {
        match self {
            Self::Brush(tire) => tire.examine(examination, findings),
            Self::MagicFormula(tire) => tire.examine(examination, findings),
            Self::Fiala(tire) => tire.examine(examination, findings),
            Self::ParabolicBrush(tire) => tire.examine(examination, findings),
            Self::TMeasy(tire) => tire.examine(examination, findings),
            Self::FrictionEllipse(tire) => tire.examine(examination, findings),
            Self::Soil(tire) => tire.examine(examination, findings),
            Self::Own(tire) => tire.examine(examination, findings),
        }
    }
}
