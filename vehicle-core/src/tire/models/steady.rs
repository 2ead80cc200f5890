//! Force laws of the steady state, and the tire that rolls by one: it follows slip with a lag and
//! resists rolling.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use super::relaxation::RelaxedSlip;
use super::rolling_resistance::{RollingResistance, rolling_resistance};
pub use super::steady_input::SteadyInput;
use crate::error::{ParamCheck, Validate};
use crate::findings::{FindingCode, Findings, TireExamination, Usual};
use crate::math::Real;
use crate::math::lanes::{Lanes, MAX_LANES, Number, Real4};
use crate::tire::magic_formula::RelaxationLengths;
use crate::tire::model::pressing;
use crate::tire::{GripInput, LaneInput, TireGrip, TireInput, TireLanes, TireModel, TireOutput};

/// Slip at which the stiffness of a law is examined (dimensionless).
const SMALL_SLIP: Real = 0.01;
/// Slips, to 1, among which the largest force of a law is looked for.
const EXAMINED_SLIPS: u8 = 50;
/// Speed at which a law is examined (m/s).
const EXAMINED_SPEED: Real = 15.0;

/// Force laws of tires side by side, one in each lane.
pub trait SteadyLanes<N: Number>: Copy {
    /// Forces and moments at `input`, which is [bounded](SteadyInput::bounded).
    fn outputs(&self, input: &SteadyInput<N>) -> TireOutput<N>;

    /// How far the tires roll until their forces have followed; 0 for at once.
    fn relaxation_lengths(&self, input: &SteadyInput<N>) -> RelaxationLengths<N>;

    /// Forces and moments at the slips, ratio and tangent, that `follow` makes of the relaxation
    /// lengths at `input`. A law that needs much of the same for both says how it computes it once.
    #[inline]
    fn outputs_behind(
        &self,
        input: &SteadyInput<N>,
        follow: impl FnOnce(&RelaxationLengths<N>) -> [N; 2],
    ) -> TireOutput<N> {
        let [slip_ratio, slip_tangent] = follow(&self.relaxation_lengths(input));
        self.outputs(&SteadyInput { slip_ratio, slip_tangent, ..*input })
    }
}

/// A tire's force law in the steady state.
pub trait SteadyLaw: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// The laws of four tires.
    type Lanes<N: Number>: SteadyLanes<N> + Debug + Send + Sync + 'static;

    /// The law of each lane.
    fn in_lanes<N: Number>(laws: [&Self; MAX_LANES]) -> Self::Lanes<N>;

    /// Reports every fault of the parameters to `check`.
    fn check(&self, check: &mut ParamCheck);

    /// Adds what is odd about the parameters without being a fault to `findings`.
    fn examine(&self, _findings: &mut Findings) {}

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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RollingTire<L> {
    /// The force law.
    pub law: L,
    /// Rolling resistance beside the law, at the center of the wheel.
    #[serde(default)]
    pub rolling_resistance: RollingResistance,
}

impl<L> RollingTire<L> {
    /// A tire of the force law `law` that nothing else keeps from rolling.
    pub fn new(law: L) -> Self {
        Self { law, rolling_resistance: RollingResistance::default() }
    }
}

/// Rolling tires side by side.
#[derive(Clone, Copy, Debug)]
pub struct RollingLanes<L, N> {
    law: L,
    rolling_resistance: RollingResistance<N>,
    has_resistance: bool,
}

impl<N: Number, L: SteadyLanes<N>> RollingLanes<L, N> {
    /// The tires of each lane.
    #[inline]
    fn new<Law: SteadyLaw<Lanes<N> = L>>(tires: [&RollingTire<Law>; MAX_LANES]) -> Self {
        Self {
            law: Law::in_lanes::<N>(tires.map(|tire| &tire.law)),
            rolling_resistance: RollingResistance::from_lanes(|lane| {
                &tires[lane].rolling_resistance
            }),
            has_resistance: tires.iter().any(|tire| 0.0 < tire.rolling_resistance.coefficient),
        }
    }

    #[inline]
    fn rolled(&self, input: &LaneInput<N>, state: &mut RelaxedSlip<N>) -> TireOutput<N> {
        let steady = SteadyInput {
            load: input.grip.load,
            friction: input.grip.friction,
            slip_ratio: input.slip.longitudinal,
            slip_tangent: input.slip.tangent,
            inclination: input.inclination,
            inflation_pressure: input.inflation_pressure,
            forward_speed: input.contact_speeds.longitudinal,
        }
        .bounded();
        let mut followed_share = N::zero();
        let mut output = self.law.outputs_behind(&steady, |lengths| {
            let mut followed = *state;
            followed_share = followed.advance(&steady, lengths, input.dt).longitudinal_share;
            let RelaxedSlip { slip_ratio, slip_tangent } = followed;
            // A tire without a load keeps what it has followed.
            let is_loaded = N::zero().is_below(steady.load);
            state.slip_ratio = N::select(is_loaded, slip_ratio, state.slip_ratio);
            state.slip_tangent = N::select(is_loaded, slip_tangent, state.slip_tangent);
            [slip_ratio, slip_tangent]
        });
        output.longitudinal_stiffness = output.longitudinal_stiffness * followed_share;
        // A moment of the law on the wheel stops and holds the vehicle as the force at its axle
        // does.
        let most = input.stopping_force * input.radius;
        let moment = output.rolling_torques.tire_deformation;
        output.rolling_torques.tire_deformation = moment.at_least(-most).at_most(most);
        if self.has_resistance {
            let (load, pressure) = (steady.load, steady.inflation_pressure);
            let size = |speed| self.rolling_resistance.size(load, pressure, speed);
            let rolling = rolling_resistance(size(steady.forward_speed), input);
            output.rolling_resistance_force = output.rolling_resistance_force + rolling;
            output.standing_resistance = output.standing_resistance + size(N::zero());
        }
        output
    }
}

impl<L: SteadyLanes<Real4>> TireLanes<Real4, RelaxedSlip> for RollingLanes<L, Real4> {
    #[inline]
    fn grips(&self, input: &GripInput<Real4>) -> TireGrip<Real4> {
        pressing(input)
    }

    #[inline]
    fn outputs(&self, input: &LaneInput<Real4>, states: &mut [RelaxedSlip]) -> TireOutput<Real4> {
        let mut relaxed = RelaxedSlip::<Real4>::default();
        for (lane, state) in states.iter().enumerate() {
            relaxed.set_lane(lane, *state);
        }
        let output = self.rolled(input, &mut relaxed);
        for (lane, state) in states.iter_mut().enumerate() {
            *state = relaxed.lane(lane);
        }
        output
    }
}

impl<L: SteadyLaw> TireModel for RollingTire<L> {
    type State = RelaxedSlip;
    type Lanes = RollingLanes<L::Lanes<Real4>, Real4>;

    fn forces(&self, input: &TireInput<'_>, state: &mut RelaxedSlip) -> TireOutput {
        RollingLanes::<L::Lanes<Real>, Real>::new([self; MAX_LANES]).rolled(&input.into(), state)
    }

    #[inline]
    fn in_lanes(tires: [&Self; MAX_LANES]) -> Option<Self::Lanes> {
        Some(RollingLanes::new(tires))
    }

    fn check(&self, check: &mut ParamCheck) {
        check.field("law", |inner| self.law.check(inner));
        check.field("rolling_resistance", |inner| self.rolling_resistance.check(inner));
    }

    fn examine(&self, examination: &TireExamination<'_>, findings: &mut Findings) {
        let load = examination.load;
        findings.field("law", |inner| self.law.examine(inner));
        if load <= 0.0 {
            return;
        }
        // Force per load by a slip along or across, axis 0 or 1; positive where it opposes the
        // slip.
        let pressed = |axis: usize, slip: Real| {
            let mut slips = [0.0; 2];
            slips[axis] = slip;
            let [slip_ratio, slip_tangent] = slips;
            let input = SteadyInput {
                load,
                friction: 1.0,
                slip_ratio,
                slip_tangent,
                inflation_pressure: examination.wheel.inflation_pressure,
                forward_speed: EXAMINED_SPEED,
                ..SteadyInput::default()
            };
            let output = self.law.output(&input);
            [output.longitudinal_force, -output.lateral_force][axis] / load
        };
        let stiffness =
            |axis| (pressed(axis, SMALL_SLIP) - pressed(axis, -SMALL_SLIP)) / (2.0 * SMALL_SLIP);
        let along = stiffness(0);
        examination.expect_no_chatter(along * load, findings);
        let quantity = "longitudinal stiffness per load";
        let code = FindingCode::TireStiffnessLongitudinalLow;
        findings.expect(code, "law", quantity, along, Usual::AtLeast(1.0));
        let quantity = "lateral stiffness per load";
        let code = FindingCode::TireStiffnessLateralLow;
        findings.expect(code, "law", quantity, stiffness(1), Usual::AtLeast(3.0));
        let codes = [FindingCode::TireGripLow, FindingCode::TireGripHigh];
        for (axis, quantity) in
            ["largest longitudinal force per load", "largest lateral force per load"]
                .into_iter()
                .enumerate()
        {
            let slips =
                (1..=EXAMINED_SLIPS).map(|step| Real::from(step) / Real::from(EXAMINED_SLIPS));
            let largest = slips.map(|slip| pressed(axis, slip)).fold(0.0, Real::max);
            findings.expect_within(codes, "law", quantity, largest, (0.3, 3.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint::CarBlueprint;
    use crate::context::SimulationParams;
    use crate::findings::Conditions;
    use crate::tire::magic_formula::OutOfRange;
    use crate::tire::models::{TireSize, TireUse};

    const SIZE: TireSize =
        TireSize { made_for: TireUse::PassengerCar, load: 3_700.0, radius: 0.33, width: 0.22 };

    /// Findings about the default car on these tires.
    fn findings<L: SteadyLaw>(tire: &RollingTire<L>) -> Vec<FindingCode> {
        let mechanics = CarBlueprint::default().mechanics().unwrap();
        let mechanics = mechanics.with_tires(vec![tire.clone(); 4]);
        let simulation = SimulationParams::default();
        let conditions = Conditions::new(&simulation, 1.0 / 60.0, 3);
        let mut findings = Findings::default();
        mechanics.examine(&conditions, &mut findings);
        findings.list().iter().map(|finding| finding.code).collect()
    }

    #[test]
    fn tires_estimated_from_size_have_no_findings() {
        assert_eq!(findings(&RollingTire::new(SIZE.fiala())), []);
        assert_eq!(findings(&RollingTire::new(SIZE.parabolic_brush())), []);
        assert_eq!(findings(&RollingTire::new(SIZE.tmeasy())), []);
        assert_eq!(findings(&RollingTire::new(SIZE.friction_ellipse())), []);
        assert_eq!(findings(&SIZE.magic_formula()), []);
    }

    #[test]
    fn ranges_of_one_side_are_told() {
        let mut braked = SIZE.magic_formula();
        braked.law.params.slip_ratio_range.kpumax = 0.0;
        braked.law.params.slip_ratio_range.kpumin = -1.0;
        assert_eq!(findings(&braked), [FindingCode::TireRangeMirrored; 4]);
        braked.law.out_of_range = OutOfRange::Clamp;
        assert!(findings(&braked).contains(&FindingCode::TireRangeOneSided));
        braked.law.out_of_range = OutOfRange::Extrapolate;
        assert_eq!(findings(&braked), []);
        // Without slip a clamped tire would push.
        braked.law.out_of_range = OutOfRange::Clamp;
        braked.law.params.slip_ratio_range.kpumax = -0.01;
        let faults = braked.law.clone();
        let mut check = ParamCheck::default();
        faults.check(&mut check);
        let text = check.finish().unwrap_err().to_string();
        let expected =
            "params.kpumax must be at least 0 for a tire that is clamped to its ranges, got -0.01";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn laws_that_no_tire_has_are_found() {
        let mut weak = SIZE.fiala();
        weak.longitudinal_stiffness *= 0.04;
        assert_eq!(
            findings(&RollingTire::new(weak)),
            [FindingCode::TireStiffnessLongitudinalLow; 4]
        );
    }
}
