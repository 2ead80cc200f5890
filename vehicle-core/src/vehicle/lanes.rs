//! Parameters of wheels in lanes: what stages compute with.

use crate::WheelList;
use crate::context::GRAVITY;
use crate::math::Real;
use crate::math::lanes::MAX_LANES;
use crate::mount::{RoadWheel, SuspensionParams};
use crate::suspension::unsprung::{SuspensionDynamics, UnsprungLanes, UnsprungParams};
use crate::suspension::{
    StraightCompliance, StrutLanes, SuspensionCompliance, SuspensionComplianceParams,
    SuspensionForceParams, suspension_compliance,
};
use crate::tire::TireModel;
use crate::vehicle::{MechanicalParams, MechanicalState};

/// The [`MechanicalParams`] of a vehicle as its stages read them: four wheels side by side.
///
/// They are made once from parameters that have been checked, and shared by the vehicles of a
/// model.
#[derive(Clone, Debug)]
pub struct MechanicalLanes<Tire: TireModel> {
    pub(super) road_wheels: WheelList<RoadWheel>,
    pub(super) suspensions: WheelList<SuspensionParams>,
    pub(super) springs: WheelList<SuspensionForceParams>,
    /// Four tires each, if the model is written for lanes.
    pub(super) tires: Option<Box<[Tire::Lanes]>>,
    /// Compliances, if none of them depends on the jounce, as those of beam axles do.
    pub(super) constant_compliances: Option<WheelList<SuspensionCompliance>>,
    /// Compliances of each four of wheels, where their curves have two points at most.
    pub(super) straight_compliances: Box<[Option<StraightCompliance>]>,
    /// Springs, dampers and bump stops that are not linear, of wheels without mass.
    pub(super) struts: Option<Box<[StrutLanes]>>,
    /// Wheels with mass.
    pub(super) unsprung: Option<UnsprungLanes>,
    /// The same vehicle on wheels without mass, if these have one.
    pub(super) massless: Option<Box<Massless<Tire>>>,
    /// How often the parameters have been changed since the vehicle was made.
    pub(super) revision: u32,
}

/// A vehicle whose wheels have been relieved of their masses.
#[derive(Clone, Debug)]
pub(super) struct Massless<Tire: TireModel> {
    /// Gravity under which it stands as high as before (length units/s²).
    pub(super) gravity: Real,
    pub(super) params: MechanicalParams<Tire>,
    pub(super) lanes: MechanicalLanes<Tire>,
}

impl<Tire: TireModel> Massless<Tire> {
    /// The vehicle of `params` without the masses of its wheels, under `gravity` (length units/s²);
    /// `None` if they have none.
    pub(super) fn of(params: &MechanicalParams<Tire>, gravity: Real) -> Option<Box<Self>> {
        let SuspensionDynamics::Unsprung(wheels) = &params.suspension_dynamics else {
            return None;
        };
        let mut params = MechanicalParams {
            suspension_dynamics: SuspensionDynamics::Massless,
            beam_axles: Vec::new(),
            ..params.clone()
        };
        let parts = params.suspension_forces.iter_mut().zip(&mut params.suspensions);
        for ((spring, suspension), wheel) in parts.zip(wheels) {
            relieve(spring, suspension, wheel, gravity);
        }
        let lanes = MechanicalLanes::without_alternative(&params);
        Some(Box::new(Self { gravity, params, lanes }))
    }
}

/// Puts the `spring` of a suspension and the tire of its `wheel` in series, so that the body stays
/// where it is under any load.
///
/// ```text
/// k' = k k_t/(k + k_t)        c' = c (k_t/(k + k_t))²
/// lower = m_w g/k             the mount, by what the spring does not carry of the wheel
/// ```
///
/// with spring `k`, damper `c`, tire `k_t` and the mass `m_w` of the wheel under `gravity` `g`
/// (length units/s²).
fn relieve(
    spring: &mut SuspensionForceParams,
    suspension: &mut SuspensionParams,
    wheel: &UnsprungParams,
    gravity: Real,
) {
    let lower = wheel.mass * gravity / spring.stiffness;
    let share = wheel.tire_stiffness / (spring.stiffness + wheel.tire_stiffness);
    suspension.attachment.translation += suspension.travel_direction * lower;
    spring.stiffness *= share;
    spring.damping *= share * share;
}

impl<Tire: TireModel> MechanicalLanes<Tire> {
    /// The wheels of `params` in lanes.
    ///
    /// # Panics
    ///
    /// If `params` is not [valid](crate::Validate).
    pub fn new(params: &MechanicalParams<Tire>) -> Self {
        Self { massless: Massless::of(params, GRAVITY), ..Self::without_alternative(params) }
    }

    /// The wheels in lanes of a vehicle that has these until it `is_changed` to `params`, or gets
    /// equal ones. Without their masses, it stands as high as before.
    ///
    /// # Panics
    ///
    /// If `params` is not [valid](crate::Validate).
    pub fn changed_to(&self, params: &MechanicalParams<Tire>, is_changed: bool) -> Self {
        let gravity = self.massless.as_ref().map_or(GRAVITY, |massless| massless.gravity);
        Self {
            massless: Massless::of(params, gravity),
            revision: self.revision.wrapping_add(is_changed.into()),
            ..Self::without_alternative(params)
        }
    }

    /// How often the vehicle has been [changed](Self::changed_to).
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// The wheels of `params`, which do not lose their masses.
    pub(super) fn without_alternative(params: &MechanicalParams<Tire>) -> Self {
        let fours = params.tires.chunks(MAX_LANES);
        let in_lanes = |four: &[Tire]| {
            let last = four.len() - 1;
            let lane = |lane: usize| &four[lane.min(last)];
            Tire::in_lanes([lane(0), lane(1), lane(2), lane(3)])
        };
        Self {
            road_wheels: params.wheels.iter().map(RoadWheel::from).collect(),
            suspensions: WheelList::from_slice(&params.suspensions),
            springs: WheelList::from_slice(&params.suspension_forces),
            tires: fours.map(in_lanes).collect(),
            struts: match &params.suspension_dynamics {
                SuspensionDynamics::Struts(struts) => {
                    Some(StrutLanes::of_wheels(struts, &params.suspension_forces))
                }
                _ => None,
            },
            unsprung: UnsprungLanes::new(
                &params.suspension_dynamics,
                &params.wheels,
                &params.suspension_forces,
                &params.suspensions,
                (&params.anti_roll_bars, &params.beam_axles),
            ),
            constant_compliances: if params.beam_axles.is_empty() {
                constant_compliances(&params.compliances)
            } else {
                None
            },
            straight_compliances: params
                .compliances
                .chunks(MAX_LANES)
                .map(StraightCompliance::of)
                .collect(),
            massless: None,
            revision: 0,
        }
    }

    /// The parameters and lanes by which a vehicle of `params` in this `state` is computed: those
    /// without masses of the wheels while these have been [taken away](Self::set_wheel_mass).
    #[inline]
    pub fn in_use<'a>(
        &'a self,
        params: &'a MechanicalParams<Tire>,
        state: &MechanicalState<Tire>,
    ) -> (&'a MechanicalParams<Tire>, &'a Self) {
        match &self.massless {
            Some(massless) if state.wheel_inertia.is_none() => (&massless.params, &massless.lanes),
            _ => (params, self),
        }
    }

    /// Each wheel with its tire.
    pub fn road_wheels(&self) -> &WheelList<RoadWheel> {
        &self.road_wheels
    }
}

/// Compliances of the suspensions of `params`; `None` if any depends on jounce.
fn constant_compliances(
    params: &[SuspensionComplianceParams],
) -> Option<WheelList<SuspensionCompliance>> {
    let of = |params: &SuspensionComplianceParams| {
        params.is_constant().then(|| suspension_compliance(params, 0.0, 1.0))
    };
    params.iter().map(of).collect()
}
