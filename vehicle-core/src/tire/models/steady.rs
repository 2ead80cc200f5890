//! Force laws of the steady state, and the tire that rolls by one: it follows slip with a lag and
//! resists rolling.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use super::relaxation::{RelaxedSlip, rolling_direction};
use super::rolling_resistance::RollingResistance;
use crate::error::{ParamCheck, Validate};
use crate::math::lanes::{MAX_LANES, Number};
use crate::math::{Real, tan};
use crate::tire::magic_formula::RelaxationLengths;
use crate::tire::{NoLanes, TireInput, TireModel, TireOutput};

/// Largest slip ratio and tangent of a slip angle that laws tell apart from larger ones (dimensionless).
const MOST_SLIP: Real = 1e3;
/// Largest load that laws tell apart from larger ones (N).
const MOST_LOAD: Real = 1e9;
/// Largest friction that laws tell apart from larger ones (dimensionless).
const MOST_FRICTION: Real = 100.0;
/// Largest speed that laws tell apart from larger ones (m/s).
const MOST_SPEED: Real = 1e3;

/// What a tire's force depends on in the steady state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SteadyInput<N = Real> {
    /// Load (N).
    pub load: N,
    /// Friction of the road (dimensionless).
    pub friction: N,
    /// Slip ratio, positive where the wheel drives (dimensionless).
    pub slip_ratio: N,
    /// Tangent of the slip angle, positive where the tire slides to the left (dimensionless).
    pub slip_tangent: N,
    /// Inclination to the road (rad).
    pub inclination: N,
    /// Inflation pressure (Pa).
    pub inflation_pressure: N,
    /// Speed along the rolling direction (m/s).
    pub forward_speed: N,
}

impl<N: Number> SteadyInput<N> {
    /// The input within what laws tell apart.
    #[inline]
    #[must_use]
    pub fn bounded(&self) -> Self {
        let within = |value: N, most: Real| value.at_least(N::splat(-most)).at_most(N::splat(most));
        let positive = |value: N, most: Real| value.at_least(N::zero()).at_most(N::splat(most));
        Self {
            load: positive(self.load, MOST_LOAD),
            friction: positive(self.friction, MOST_FRICTION),
            slip_ratio: within(self.slip_ratio, MOST_SLIP),
            slip_tangent: within(self.slip_tangent, MOST_SLIP),
            inclination: within(self.inclination, 1.5),
            inflation_pressure: positive(self.inflation_pressure, MOST_LOAD),
            forward_speed: within(self.forward_speed, MOST_SPEED),
        }
    }

    /// Which way the tire rolls, from -1 to 1 (dimensionless).
    #[inline]
    pub fn rolling_direction(&self) -> N {
        rolling_direction(self.forward_speed)
    }
}

/// Force laws of tires side by side, one in each lane.
pub trait SteadyLanes<N: Number>: Copy {
    /// Forces and moments at `input`, which is [bounded](SteadyInput::bounded).
    fn outputs(&self, input: &SteadyInput<N>) -> TireOutput<N>;

    /// How far the tires roll until their forces have followed; 0 for at once.
    fn relaxation_lengths(&self, input: &SteadyInput<N>) -> RelaxationLengths<N>;
}

/// A tire's force law in the steady state.
pub trait SteadyLaw: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// The laws of four tires.
    type Lanes<N: Number>: SteadyLanes<N>;

    /// The law of each lane.
    fn in_lanes<N: Number>(laws: [&Self; MAX_LANES]) -> Self::Lanes<N>;

    /// Reports every fault of the parameters to `check`.
    fn check(&self, check: &mut ParamCheck);

    /// Forces and moments of one tire.
    #[inline]
    fn output(&self, input: &SteadyInput) -> TireOutput {
        Self::in_lanes::<Real>([self; MAX_LANES]).outputs(&input.bounded())
    }
}

/// A tire that rolls by the force law `L`: its slips lag, and it resists rolling.
///
/// ```text
/// κ' -> κ,  tan α' -> tan α     within the relaxation lengths, see [`RelaxedSlip`]
/// F  = L(κ', tan α')
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RollingTire<L> {
    /// The force law.
    pub law: L,
    /// What resists rolling beside the law, at the center of the wheel.
    #[serde(default)]
    pub rolling_resistance: RollingResistance,
}

impl<L> RollingTire<L> {
    /// A tire of the force law `law` that nothing else keeps from rolling.
    pub fn new(law: L) -> Self {
        Self { law, rolling_resistance: RollingResistance::default() }
    }
}

impl<L: SteadyLaw> TireModel for RollingTire<L> {
    type State = RelaxedSlip;
    type Lanes = NoLanes;

    fn forces(&self, input: &TireInput<'_>, state: &mut RelaxedSlip) -> TireOutput {
        let wheel = &input.wheel;
        let law = L::in_lanes::<Real>([&self.law; MAX_LANES]);
        let steady = SteadyInput {
            load: input.grip.load,
            friction: input.grip.friction,
            slip_ratio: input.slip.longitudinal,
            slip_tangent: tan(input.slip.lateral),
            inclination: wheel.inclination,
            inflation_pressure: wheel.inflation_pressure,
            forward_speed: wheel.contact_speeds.longitudinal,
        }
        .bounded();
        let lengths = law.relaxation_lengths(&steady);
        let lag = state.advance(&steady, &lengths, input.dt);
        let relaxed = SteadyInput {
            slip_ratio: state.slip_ratio,
            slip_tangent: state.slip_tangent,
            ..steady
        };
        let mut output = law.outputs(&relaxed);
        output.longitudinal_stiffness *= lag.longitudinal_share;
        let rim_speed = wheel.rotation_speed * wheel.radius;
        let resistance =
            self.rolling_resistance.force(steady.load, steady.inflation_pressure, rim_speed);
        output.rolling_resistance_force += resistance;
        output
    }

    fn check(&self, check: &mut ParamCheck) {
        check.field("law", |inner| self.law.check(inner));
        check.field("rolling_resistance", |inner| self.rolling_resistance.check(inner));
    }
}
